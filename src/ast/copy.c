/* copy.c - a tree into an arena of its own, with all that it refers to but metadata, layouts and static arrays. So what it
 * was made from can go: IR, builder and the tree that grew in the same arena are many times as large. */
#include "ast/ast.h"

/* Loops around the statement at hand: what `break` and `continue` name. */
typedef struct open_loop {
    const struct open_loop *outer;
    const ilc__stmt        *from;
    ilc__stmt              *to;
} open_loop;

typedef struct copier {
    ilc__arena         *arena;
    const ilc__strings *strings, *new_strings; /* the table last copied   */
    ilc__map            funcs;                 /* function -> its copy    */
    bool                same_callees;          /* calls go to the original functions */
    ilc__func          *func;                  /* the copy being made     */
} copier;

static const char *copy_text(copier *c, const char *text)
{
    return text ? ilc__arena_strdup(c->arena, text) : NULL;
}

static const ilc__strings *copy_strings(copier *c, const ilc__strings *from)
{
    if (!from || from == c->strings) return from ? c->new_strings : NULL;
    ilc__strings *to = ILC__NEW(c->arena, ilc__strings);
    to->items = ILC__NEW_ARRAY(c->arena, const char *, from->count);
    to->count = to->capacity = from->count;
    for (uint32_t i = 0; i < from->count; i++)
        to->items[i] = copy_text(c, from->items[i]);
    c->strings = from;
    return c->new_strings = to;
}

static const ilc__exception *copy_exception(copier *c, const ilc__exception *from)
{
    if (!from) return NULL;
    ilc__exception *to = ilc__arena_copy(c->arena, from, sizeof *from);
    to->type = copy_text(c, from->type);
    to->message = copy_text(c, from->message);
    to->base = copy_text(c, from->base);
    to->kinds = copy_text(c, from->kinds);
    for (int i = 0; i < ILC__EXCEPTION_ARGS; i++)
        to->strings[i] = copy_text(c, from->strings[i]);
    return to;
}

static ilc__var *copy_var(const copier *c, const ilc__var *from)
{
    return from ? c->func->vars.items[from->index] : NULL;
}

static ilc__expr *copy_expr(copier *c, const ilc__expr *from)
{
    if (!from) return NULL;
    ilc__expr *to = ilc__arena_copy(c->arena, from, sizeof *from);
    if (from->arg_count) to->args = ILC__NEW_ARRAY(c->arena, ilc__expr *, from->arg_count);
    for (uint32_t i = 0; i < from->arg_count; i++)
        to->args[i] = copy_expr(c, from->args[i]);
    if (from->kind == ILC__EX_VAR || from->kind == ILC__EX_SLOTADDR || from->kind == ILC__EX_NEWARR)
        to->u.var = copy_var(c, from->u.var);
    else if (from->kind == ILC__EX_CALL && !c->same_callees)
        to->u.callee = ilc__map_get(&c->funcs, &from->u.callee, sizeof from->u.callee);
    return to;
}

static ilc__block copy_block(copier *c, const ilc__block *from, const open_loop *loops);

static void copy_cases(copier *c, const ilc__stmt *from, ilc__stmt *to, const open_loop *loops)
{
    to->cases = ILC__NEW_ARRAY(c->arena, ilc__case, from->case_count);
    for (uint32_t i = 0; i < from->case_count; i++) {
        const ilc__case *one = &from->cases[i];
        to->cases[i] = *one;
        to->cases[i].ranges = ilc__arena_copy(c->arena, one->ranges, one->count * sizeof *one->ranges);
        to->cases[i].body = copy_block(c, &one->body, loops);
    }
}

static ilc__stmt *copy_stmt(copier *c, const ilc__stmt *from, const open_loop *loops)
{
    ilc__stmt *to = ilc__arena_copy(c->arena, from, sizeof *from);
    open_loop  here = {loops, from, to};
    to->next = NULL;
    to->var = copy_var(c, from->var);
    to->a = copy_expr(c, from->a);
    to->b = copy_expr(c, from->b);
    to->c = copy_expr(c, from->c);
    to->exc = copy_exception(c, from->exc);
    if (from->target) {
        while (loops && loops->from != from->target)
            loops = loops->outer;
        to->target = loops ? loops->to : NULL;
        return to;
    }
    to->body = copy_block(c, &from->body, &here);
    to->other = copy_block(c, &from->other, &here);
    if (from->case_count) copy_cases(c, from, to, &here);
    return to;
}

/* Recursion is as deep as statements nest (ILC__AST_MAX_STMT_DEPTH). */
static ilc__block copy_block(copier *c, const ilc__block *from, const open_loop *loops)
{
    ilc__block to = {0};
    for (const ilc__stmt *stmt = from->first; stmt; stmt = stmt->next) {
        ilc__stmt *copy = copy_stmt(c, stmt, loops);
        if (to.last)
            to.last->next = copy;
        else
            to.first = copy;
        to.last = copy;
    }
    return to;
}

static void copy_func(copier *c, const ilc__func *from, ilc__func *to)
{
    *to = *from;
    to->name = copy_text(c, from->name);
    to->strings = copy_strings(c, from->strings);
    if (from->ret_to) to->ret_to = ilc__arena_copy(c->arena, from->ret_to, sizeof *from->ret_to);
    if (from->ret_array) to->ret_array = ilc__arena_copy(c->arena, from->ret_array, sizeof *from->ret_array);
    to->vars.items = ILC__NEW_ARRAY(c->arena, ilc__var *, from->vars.count);
    to->vars.capacity = from->vars.count;
    for (uint32_t i = 0; i < from->vars.count; i++) {
        to->vars.items[i] = ilc__arena_copy(c->arena, from->vars.items[i], sizeof(ilc__var));
        to->vars.items[i]->name = copy_text(c, from->vars.items[i]->name);
    }
    c->func = to;
    to->body = copy_block(c, &from->body, NULL);
}

void ilc__ast_copy(ilc__arena *arena, ilc__arena *scratch, const ilc__unit *from, ilc__unit *out)
{
    copier c = {.arena = arena, .funcs = {.arena = scratch}};
    *out = (ilc__unit){0};
    for (uint32_t i = 0; i < from->funcs.count; i++) {
        ilc__func *func = ILC__NEW(arena, ilc__func);
        ILC__PUSH(arena, &out->funcs, func);
        ilc__map_put(&c.funcs, &from->funcs.items[i], sizeof from->funcs.items[i], func);
    }
    for (uint32_t i = 0; i < from->funcs.count; i++)
        copy_func(&c, from->funcs.items[i], out->funcs.items[i]);
}

ilc__func *ilc__ast_copy_func(ilc__arena *arena, const ilc__func *from)
{
    copier     c = {.arena = arena, .same_callees = true};
    ilc__func *to = ILC__NEW(arena, ilc__func);
    copy_func(&c, from, to);
    return to;
}
