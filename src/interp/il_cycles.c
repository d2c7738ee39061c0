/* il_cycles.c - which methods call each other in cycles: the strongly connected components of the graph of calls (Tarjan
 * 1972), with a path of its own. A loop (ILC__DO_AGAIN) is no call. */
#include "interp/il_code.h"

typedef struct step { /* a method on the path, and which of its callees comes next */
    ilc__il_code *code;
    uint32_t      next;
} step;

typedef struct walk {
    ilc__arena *arena;
    ILC__VEC(step) path;
    ILC__VEC(ilc__il_code *) stack; /* whose cycle is not known yet */
    uint32_t numbers;
} walk;

static void open_code(walk *w, ilc__il_code *code)
{
    code->number = code->low = ++w->numbers;
    code->on_stack = true;
    ILC__PUSH(w->arena, &w->path, (step){code, 0});
    ILC__PUSH(w->arena, &w->stack, code);
}

static bool calls_itself(const ilc__il_code *code)
{
    for (uint32_t i = 0; i < code->callees.count; i++)
        if (code->callees.items[i] == code) return true;
    return false;
}

static void close_code(walk *w, ilc__il_code *code)
{
    w->path.count--;
    ilc__il_code *caller = w->path.count ? w->path.items[w->path.count - 1].code : NULL;
    if (caller && code->low < caller->low) caller->low = code->low;
    if (code->low != code->number) return;
    bool          alone = w->stack.items[w->stack.count - 1] == code;
    ilc__il_code *cycle = alone && !calls_itself(code) ? NULL : code, *member;
    do {
        member = w->stack.items[--w->stack.count];
        member->on_stack = false;
        member->cycle = cycle;
    } while (member != code);
}

void ilc__il_find_cycles(ilc__il_machine *machine, ilc__il_code *root)
{
    walk w = {.arena = machine->arena};
    if (!root->number) open_code(&w, root);
    while (w.path.count) {
        step         *top = &w.path.items[w.path.count - 1];
        ilc__il_code *code = top->code;
        if (top->next == code->callees.count) {
            close_code(&w, code);
            continue;
        }
        ilc__il_code *callee = code->callees.items[top->next++];
        if (!callee->number) open_code(&w, callee);
        else if (callee->on_stack && callee->number < code->low) code->low = callee->number;
    }
}
