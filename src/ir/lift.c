/* lift.c - from a root method to a unit: every function it calls once, callees before callers. Only a
 * function that calls itself right before it returns is a cycle that is let through, for opt to make a loop
 * of. */
#include "ir/lift.h"

enum { MAX_FUNCTIONS = 4096 };

ilc_status ilc__lift_function(ilc__lifter *unit, const ilc__method *method, ilc__lift_func **out)
{
    *out = ilc__map_get(&unit->by_method, &method, sizeof method);
    if (*out) return ILC_OK;
    if (unit->funcs.count >= MAX_FUNCTIONS) {
        ilc__where where = ilc__method_where(method, 0);
        return ilc__refuse(unit->ctx, &where, "a method that reaches more than %d others", MAX_FUNCTIONS);
    }
    ilc__lift_func *function = ILC__NEW(unit->arena, ilc__lift_func);
    function->func = ilc__ir_func_create(unit->ctx, unit->arena, method->name);
    function->func->method = method;
    ILC__TRY(ilc__lift_signature(unit, function->func));
    ilc__map_put(&unit->by_method, &method, sizeof method, function);
    ILC__PUSH(unit->arena, &unit->funcs, function);
    *out = function;
    return ILC_OK;
}

/* --- order ------------------------------------------------------------------------------------------------
 */

enum { UNSEEN, OPEN, DONE };

typedef ILC__VEC(ilc__lift_func *) path;

/* "A -> B -> A", from the path's first function that is called again. */
static ilc_status refuse_cycle(ilc__lifter *unit, const path *p, const ilc__lift_func *again, uint32_t il)
{
    ilc__text text = {.arena = unit->arena};
    uint32_t  first = 0;
    while (p->items[first] != again)
        first++;
    for (uint32_t i = first; i < p->count; i++)
        ilc__text_printf(&text, "%s -> ", p->items[i]->func->method->full_name);
    ilc__text_puts(&text, again->func->method->full_name);
    ilc__where where = ilc__method_where(p->items[p->count - 1]->func->method, il);
    return ilc__refuse(unit->ctx, &where, "recursion (%s)", ilc__text_string(&text));
}

static ilc__lift_func *function_of(ilc__lifter *unit, const ilc__ir_func *func)
{
    return ilc__map_get(&unit->by_method, &func->method, sizeof func->method);
}

/* Depth-first with a path of its own: callees come out before their callers. */
static ilc_status order_functions(ilc__lifter *unit, ilc__lift_func *root, ilc__ir_unit *out)
{
    path p = {0};
    root->state = OPEN;
    ILC__PUSH(unit->arena, &p, root);
    while (p.count) {
        ilc__lift_func *top = p.items[p.count - 1];
        if (top->next == top->callees.count) {
            top->state = DONE;
            ILC__PUSH(unit->arena, &out->funcs, top->func);
            p.count--;
            continue;
        }
        const ilc__lift_callee *call = &top->callees.items[top->next++];
        ilc__lift_func         *callee = function_of(unit, call->func);
        if (callee == top && call->returns) continue; /* a loop perhaps: opt/tail.c says */
        if (callee->state == OPEN) return refuse_cycle(unit, &p, callee, call->il);
        if (callee->state == DONE) continue;
        callee->state = OPEN;
        ILC__PUSH(unit->arena, &p, callee);
    }
    return ILC_OK;
}

/* Structs may be inside a kernel, not yet in its signature. */
static ilc_status check_root(ilc__lifter *unit, const ilc__ir_func *root)
{
    ilc__where where = {0};
    if (!(root->method->flags & ILC__METHOD_STATIC)) {
        where = ilc__method_where(root->method, 0);
        return ilc__refuse(unit->ctx, &where, "%s, an instance method", root->method->name);
    }
    if (root->ret_layout) {
        where = ilc__method_where(root->method, 0);
        return ilc__refuse(unit->ctx, &where, "a struct as a kernel's result (%s)", root->ret_layout->name);
    }
    for (uint32_t v = 1; v <= root->param_count; v++) {
        const ilc__ir_var *var = &root->vars.items[v];
        if (!var->layout) continue;
        where = ilc__method_where(root->method, 0);
        return ilc__refuse(unit->ctx, &where, "a struct as a kernel's parameter (%s of type %s)", var->name,
                           var->layout->name);
    }
    return ILC_OK;
}

ilc_status ilc__ir_lift(ilc__context *ctx, ilc__arena *arena, const ilc__method *root, ilc__ir_unit *out)
{
    ilc__lifter     unit = {.ctx = ctx, .arena = arena, .by_method = {.arena = arena}};
    ilc__lift_func *function;
    unit.layouts = ilc__layouts_create(ctx, arena);
    *out = (ilc__ir_unit){0};
    ILC__TRY(ilc__lift_function(&unit, root, &function));
    ILC__TRY(check_root(&unit, function->func));
    for (uint32_t i = 0; i < unit.funcs.count; i++)
        ILC__TRY(ilc__lift_method(&unit, unit.funcs.items[i]));
    ILC__TRY(order_functions(&unit, function, out));
    for (uint32_t i = 0; i < out->funcs.count; i++)
        ilc__ir_compute_traps(out->funcs.items[i]);
    return ILC_OK;
}
