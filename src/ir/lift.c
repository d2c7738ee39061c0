/* lift.c - from a root method to a unit: every function it calls once, callees before callers; and which of them call
 * each other in cycles. */
#include "ir/lift.h"

#include "il/instance.h"

enum { MAX_FUNCTIONS = 4096 };

typedef struct function_key {
    const ilc__method *method, *place;
    uint64_t           place_il;
} function_key;

static ilc_status function_of(ilc__lifter *unit, const ilc__method *method, const ilc__method *place, uint32_t place_il,
                              ilc__lift_func **out)
{
    const function_key key = {method, place, place_il};
    *out = ilc__map_get(&unit->by_method, &key, sizeof key);
    if (*out) return ILC_OK;
    if (unit->funcs.count >= MAX_FUNCTIONS) {
        ilc__where where = ilc__method_where(method, 0);
        return ilc__refuse(unit->ctx, &where, "a method that reaches more than %d others", MAX_FUNCTIONS);
    }
    ilc__lift_func *function = ILC__NEW(unit->arena, ilc__lift_func);
    function->func = ilc__ir_func_create(unit->ctx, unit->arena, ilc__method_plain_name(unit->arena, method));
    function->func->method = method;
    function->func->place = function->place = place;
    function->place_il = place_il;
    function->func->strings = unit->strings;
    ILC__TRY(ilc__lift_signature(unit, function->func));
    ilc__map_put(&unit->by_method, &key, sizeof key, function);
    ilc__map_put(&unit->by_func, &function->func, sizeof function->func, function);
    ILC__PUSH(unit->arena, &unit->funcs, function);
    *out = function;
    return ILC_OK;
}

ilc_status ilc__lift_root(ilc__lifter *unit, const ilc__method *method, ilc__lift_func **out)
{
    return function_of(unit, method, NULL, 0, out);
}

ilc_status ilc__lift_function(ilc__lift *l, const ilc__method *method, ilc__lift_func **out)
{
    bool from_framework = ilc__image_is_framework(l->method->image);
    if (!ilc__image_is_framework(method->image)) return function_of(l->unit, method, NULL, 0, out);
    if (from_framework) return function_of(l->unit, method, l->entry->place, l->entry->place_il, out);
    return function_of(l->unit, method, l->method, l->insn->offset, out);
}

/* All that the framework's code does is done where the program calls it. */
static void set_places(const ilc__lift_func *function)
{
    if (!function->place) return;
    for (ilc__ref r = 1; r < function->func->values.count; r++) {
        ilc__ir_value *value = &function->func->values.items[r];
        if (value->has_il) value->il = function->place_il;
    }
}

static bool same_signature(const ilc__ir_func *a, const ilc__ir_func *b)
{
    for (uint32_t v = 1; v <= a->param_count; v++)
        if (a->vars.items[v].is_pointer != b->vars.items[v].is_pointer) return false;
    return true;
}

/* What cannot raise an exception names no place: one function of each method is enough. Callees stand before callers. */
static void merge_places(ilc__lifter *unit, ilc__ir_unit *out)
{
    ilc__map first = {.arena = unit->arena}, instead = {.arena = unit->arena};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->funcs.count; i++) {
        ilc__ir_func *func = out->funcs.items[i], *other;
        for (ilc__ref r = 1; r < func->values.count; r++) {
            ilc__ir_value *value = &func->values.items[r];
            other = value->op == ILC__OP_CALL ? ilc__map_get(&instead, &value->u.callee, sizeof value->u.callee) : NULL;
            if (other) value->u.callee = other;
        }
        other = func->place && !func->may_trap ? ilc__map_get(&first, &func->method, sizeof func->method) : NULL;
        if (other && same_signature(func, other)) {
            ilc__map_put(&instead, &func, sizeof func, other);
            continue;
        }
        if (func->place && !func->may_trap && !other) ilc__map_put(&first, &func->method, sizeof func->method, func);
        out->funcs.items[kept++] = func;
    }
    out->funcs.count = kept;
}

/* --- order ------------------------------------------------------------------------------------------------
 */

typedef ILC__VEC(ilc__lift_func *) path;

typedef struct walk {
    ilc__lifter  *unit;
    ilc__ir_unit *out;
    path          open;  /* from the root to where the walk is  */
    path          stack; /* whose cycle is not known yet        */
    uint32_t      numbers, cycles;
} walk;

static void open_function(walk *w, ilc__lift_func *function)
{
    function->number = function->low = ++w->numbers;
    function->on_stack = true;
    ILC__PUSH(w->unit->arena, &w->open, function);
    ILC__PUSH(w->unit->arena, &w->stack, function);
}

/* All that it calls has been seen. Functions from it on that stayed on the stack reach each other. */
static void close_function(walk *w, ilc__lift_func *function)
{
    w->open.count--;
    ilc__lift_func *caller = w->open.count ? w->open.items[w->open.count - 1] : NULL;
    if (caller && function->low < caller->low) caller->low = function->low;
    if (function->low != function->number) return;
    bool     alone = w->stack.items[w->stack.count - 1] == function;
    uint32_t cycle = alone && !function->calls_itself ? 0 : ++w->cycles;
    ilc__lift_func *member;
    do {
        member = w->stack.items[--w->stack.count];
        member->on_stack = false;
        member->func->cycle = cycle;
        ILC__PUSH(w->unit->arena, &w->out->funcs, member->func);
    } while (member != function);
}

/* Depth-first with a path of its own: callees come out before their callers, a cycle as one. */
static void order_functions(ilc__lifter *unit, ilc__lift_func *root, ilc__ir_unit *out)
{
    walk w = {.unit = unit, .out = out};
    open_function(&w, root);
    while (w.open.count) {
        ilc__lift_func *top = w.open.items[w.open.count - 1];
        if (top->next == top->callees.count) {
            close_function(&w, top);
            continue;
        }
        ilc__lift_func *callee = top->callees.items[top->next++];
        if (callee == top) top->calls_itself = true;
        if (!callee->number) open_function(&w, callee);
        else if (callee->on_stack && callee->number < top->low) top->low = callee->number;
    }
}

static ilc_status check_root(ilc__lifter *unit, const ilc__ir_func *root)
{
    ilc__where where = {0};
    if (!(root->method->flags & ILC__METHOD_STATIC)) {
        where = ilc__method_where(root->method, 0);
        return ilc__refuse(unit->ctx, &where, "%s, an instance method", root->method->name);
    }
    if (root->ret_to) {
        where = ilc__method_where(root->method, 0);
        return ilc__refuse(unit->ctx, &where, "a result of type %s", root->method->sig.ret->name);
    }
    for (uint32_t v = 1; v <= root->param_count; v++) {
        const ilc__ir_var *var = &root->vars.items[v];
        if (!var->is_string && !(var->layout && var->layout->is_whole)) continue;
        where = ilc__method_where(root->method, 0);
        if (var->layout) /* a caller gives and gets a struct field by field */
            return ilc__refuse(unit->ctx, &where, "%s, a struct with bytes of several fields or of none, in the signature of %s",
                               var->layout->name, root->method->name);
        return ilc__refuse(unit->ctx, &where, "parameter %s of type %s", var->name,
                           root->method->sig.params[v - 1]->name);
    }
    return ILC_OK;
}

/* What the framework's code cannot do is refused where the program calls it. */
static ilc_status blame_caller(ilc__lifter *unit, const ilc__lift_func *refused, uint32_t before)
{
    const ilc__lift_func *callee = refused;
    while (callee->from && ilc__image_is_framework(callee->from->func->method->image)) callee = callee->from;
    if (!callee->from || !ilc__image_is_framework(callee->func->method->image) || unit->ctx->diags.count == before) return ILC_UNSUPPORTED;
    const ilc__method *called = callee->func->method;
    const ilc__diag    found = unit->ctx->diags.items[before];
    ilc__where         where = ilc__method_where(callee->from->func->method, callee->from_il);
    unit->ctx->diags.count = before;
    if (strcmp(called->name, ".ctor") == 0) return ilc__refuse(unit->ctx, &where, "creation of %s", called->type_name);
    if (refused == callee) return ilc__refuse(unit->ctx, &where, "call to %s", called->full_name);
    return ilc__refuse(unit->ctx, &where, "call to %s (%s: %s)", called->full_name, refused->func->method->full_name, found.reason);
}

static ilc_status lift_next(ilc__lifter *unit, ilc__lift_func *function)
{
    uint32_t   before = unit->ctx->diags.count;
    ilc_status status = ilc__lift_method(unit, function);
    set_places(function);
    return status == ILC_UNSUPPORTED ? blame_caller(unit, function, before) : status;
}

ilc_status ilc__ir_lift(ilc__context *ctx, ilc__arena *arena, const ilc__method *root, ilc__ir_unit *out)
{
    ilc__lifter     unit = {.ctx = ctx, .arena = arena, .by_method = {.arena = arena}, .by_func = {.arena = arena}};
    ilc__lift_func *function;
    unit.layouts = ilc__image_layouts(root->image);
    unit.statics = ilc__image_statics(root->image);
    unit.strings = ILC__NEW(arena, ilc__strings);
    ILC__PUSH(arena, unit.strings, NULL);
    *out = (ilc__ir_unit){0};
    if (root->sig.has_this) ILC__TRY(ilc__static_form(arena, root, &root));
    ILC__TRY(ilc__lift_root(&unit, root, &function));
    ILC__TRY(check_root(&unit, function->func));
    for (uint32_t i = 0; i < unit.funcs.count; i++)
        ILC__TRY(lift_next(&unit, unit.funcs.items[i]));
    order_functions(&unit, function, out);
    ILC__TRY(ilc__ir_check_tables(ctx, out->funcs.items, out->funcs.count));
    ilc__ir_settle_nulls(out->funcs.items, out->funcs.count);
    for (uint32_t i = 0; i < out->funcs.count; i++)
        out->funcs.items[i]->may_trap = out->funcs.items[i]->cycle != 0;
    for (uint32_t i = 0; i < out->funcs.count; i++)
        ilc__ir_compute_traps(out->funcs.items[i]);
    merge_places(&unit, out);
    return ILC_OK;
}
