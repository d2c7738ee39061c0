/* recursion.c - functions that call each other in cycles: they take il_depth, the number of the cycle's activations with
 * their own, and test it before each call in the cycle (docs/semantics.md, Calls); and how much stack that makes. */
#include "emit/internal.h"
#include "meta/layout.h"

enum {
    FRAME_BASE = 128,       /* saved registers, return address, alignment               */
    FRAME_WORD = 8,         /* each variable and temporary, whether in a register or not */
    STACK_MAX = 16 << 20    /* rt/cpu.c has threads of four times that                  */
};

bool ilc__is_inside(const ilc__func *func, const ilc__func *callee)
{
    return callee->cycle && callee->cycle == func->cycle;
}

void ilc__depth_test(ilc__printer *p, const ilc__expr *call)
{
    if (!ilc__is_inside(p->func, call->u.callee)) return;
    uint32_t site = ilc__site_of(p, ilc__exception_type(ILC__EXC_STACK), ilc__exception_message(ILC__EXC_STACK), call->il,
                                 call->has_il);
    ilc__trap_test(p, ilc__print(p, "il_depth >= %d", ILC__MAX_ACTIVATIONS), site);
}

static uint32_t cycle_end(const ilc__emitter *em, uint32_t first)
{
    uint32_t end = first + 1, cycle = em->unit->funcs.items[first]->cycle;
    while (cycle && end < em->unit->funcs.count && em->unit->funcs.items[end]->cycle == cycle) end++;
    return end;
}

void ilc__cycle_declare(ilc__emitter *em, uint32_t first)
{
    uint32_t end = cycle_end(em, first);
    bool     begins = first == 0 || !ilc__is_inside(em->unit->funcs.items[first - 1], em->unit->funcs.items[first]);
    if (!begins || end == first + 1) return;
    for (uint32_t i = first; i < end; i++) ilc__signature_print(em, &em->infos[i], ";\n");
    ilc__out(em, "\n");
}

/* --- stack ------------------------------------------------------------------------------------------------ */

static uint64_t frame_of(const ilc__func_info *info, uint32_t temps)
{
    uint64_t bytes = FRAME_BASE + FRAME_WORD * ((uint64_t)info->func->vars.count + temps);
    for (uint32_t i = 0; i < info->func->vars.count; i++) {
        const ilc__var *var = info->func->vars.items[i];
        if (var->is_array) bytes += ilc__slot_bytes(var);
        else if (var->layout && !var->is_addr) bytes += 2 * (uint64_t)var->layout->size;
    }
    return bytes;
}

void ilc__frame_note(ilc__printer *p)
{
    uint64_t frame = frame_of(p->info, p->labels);
    if (frame > p->info->frame) p->info->frame = frame;
}

void ilc__stack_settle(ilc__emitter *em, uint32_t index)
{
    uint32_t first = index;
    uint64_t frame = 0, below = 0;
    if (cycle_end(em, index) != index + 1) return;
    while (first > 0 && ilc__is_inside(em->unit->funcs.items[index], em->unit->funcs.items[first - 1])) first--;
    for (uint32_t i = first; i <= index; i++) {
        const ilc__func_info *info = &em->infos[i];
        if (info->frame > frame) frame = info->frame;
        if (info->below > below) below = info->below;
    }
    uint64_t activations = em->unit->funcs.items[index]->cycle ? ILC__MAX_ACTIVATIONS : 1;
    for (uint32_t i = first; i <= index; i++) em->infos[i].stack = frame * activations + below;
}

ilc_status ilc__stack_of_unit(ilc__emitter *em, uint64_t *out)
{
    uint32_t count = em->unit->funcs.count;
    bool     recurses = false;
    *out = 0;
    for (uint32_t i = 0; i < count; i++) recurses = recurses || em->unit->funcs.items[i]->cycle;
    if (!recurses) return ILC_OK;
    *out = em->infos[count - 1].stack;
    if (*out <= STACK_MAX) return ILC_OK;
    ilc__where where = {.method = em->root->name};
    if (em->root->method) where = ilc__method_where(em->root->method, 0);
    return ilc__refuse(em->ctx, &where, "recursion that may take %llu bytes of stack (%d at most)",
                       (unsigned long long)*out, STACK_MAX);
}
