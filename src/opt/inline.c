/* inline.c - calls of small functions that take or return structs: accessors, operators, constructors; and of small ones of
 * the framework, as are the operators of numbers that generic code calls. What they do
 * stands at the call, so that the structs they are given need no memory (promote.c).
 *
 * Only functions of one block that cannot raise an exception, so nothing is left that would have to name the function;
 * other functions stay as the source has them. Their variables need none here: in one block a version is a value. */
#include "opt/edit.h"

/* Operations of a function; values that one function may get; operands of what is copied. */
enum { BUDGET = 24, MOST_ADDED = 1 << 13, MOST_ARGS = 4 };

typedef struct inliner {
    ilc__ir_func       *func;
    const ilc__ir_func *callee;
    const ilc__ref     *args;  /* the call's */
    ilc__ref           *map;   /* callee's value -> value here */
    uint32_t           *slots; /* callee's slot -> slot here, 0 while it has none */
    uint32_t            block, il;
    bool                has_il;
    ilc__ref            result;
    ILC__VEC(ilc__ref) list;   /* of the block at work */
    uint32_t added;
} inliner;

/* --- which functions --------------------------------------------------------------------------------------------- */

static bool has_structs(const ilc__ir_func *f)
{
    if (f->ret_layout) return true;
    for (uint32_t v = 1; v <= f->param_count; v++)
        if (f->vars.items[v].layout) return true;
    return false;
}

/* What a value counts; more than the budget where it cannot be copied. */
static uint32_t weight_of(const ilc__ir_func *f, ilc__ref ref)
{
    const ilc__ir_value *value = &f->values.items[ref];
    if (value->arg_count > MOST_ARGS || ilc__ir_value_traps(f, ref)) return BUDGET + 1;
    switch (value->op) {
    case ILC__OP_PARAM:
    case ILC__OP_CONST:
    case ILC__OP_COPY:
    case ILC__OP_FIELDADDR:
    case ILC__OP_RETURN: return 0;
    case ILC__OP_SLOTADDR: return f->slots.items[value->u.slot].is_array ? BUDGET + 1 : 0;
    case ILC__OP_LOADIND:
    case ILC__OP_STOREIND:
    case ILC__OP_COPYMEM:
    case ILC__OP_ZEROMEM: return 1;
    default: return value->op < ILC__OP_LAST_COMPUTE ? 1 : BUDGET + 1;
    }
}

static bool is_framework(const ilc__ir_func *f)
{
    return f->method && ilc__image_is_framework(f->method->image);
}

static bool is_small(const ilc__ir_func *f)
{
    if (f->blocks.count != 1 || f->cycle || f->ret_array || f->may_trap || (!has_structs(f) && !is_framework(f))) return false;
    uint32_t weight = 0;
    for (uint32_t i = 0; i < f->blocks.items[0].list.count && weight <= BUDGET; i++)
        weight += weight_of(f, f->blocks.items[0].list.items[i]);
    return weight <= BUDGET && ilc__ir_terminator(f, 0) != 0;
}

/* --- one call ---------------------------------------------------------------------------------------------------- */

static ilc__ref put(inliner *in, ilc__ir_value value)
{
    value.var = 0;
    value.block = in->block;
    value.il = in->il;
    value.has_il = in->has_il;
    ilc__ref ref = ilc__ir_add(in->func, value);
    ILC__PUSH(in->func->arena, &in->list, ref);
    in->added++;
    return ref;
}

static ilc__ref put_address(inliner *in, const ilc__ir_value *like, uint32_t slot)
{
    ilc__ir_value value = *like;
    value.u.slot = slot;
    return put(in, value);
}

/* What lies in a slot at the entry: a scalar argument, or zero. Temporary slots are filled before they are read. */
static void fill_slot(inliner *in, const ilc__ir_slot *slot, ilc__ref addr)
{
    ilc__ref args[2] = {addr, 0};
    if (slot->is_temp) return;
    if (slot->layout) {
        put(in, (ilc__ir_value){.op = ILC__OP_ZEROMEM, .type = ILC__IR_VOID, .layout = slot->layout, .arg_count = 1, .args = args});
        return;
    }
    if (slot->is_param) args[1] = in->args[slot->slot];
    else args[1] = put(in, (ilc__ir_value){.op = ILC__OP_CONST, .type = ilc__storage_ir_type(slot->storage)});
    put(in, (ilc__ir_value){.op = ILC__OP_STOREIND, .type = ILC__IR_VOID, .storage = slot->storage, .arg_count = 2, .args = args});
}

/* A struct argument is the address of a copy that nobody else has. */
static ilc__ref put_slot(inliner *in, const ilc__ir_value *value)
{
    const ilc__ir_slot *slot = &in->callee->slots.items[value->u.slot];
    if (slot->is_param && slot->layout) return in->args[slot->slot];
    if (in->slots[value->u.slot]) return put_address(in, value, in->slots[value->u.slot]);
    uint32_t made = ilc__ir_add_slot(in->func, (ilc__ir_slot){.name = ilc__arena_printf(in->func->arena, "I_%u", in->func->slots.count),
                                                              .storage = slot->storage,
                                                              .layout = slot->layout,
                                                              .is_temp = true});
    in->slots[value->u.slot] = made;
    ilc__ref addr = put_address(in, value, made);
    fill_slot(in, slot, addr);
    return addr;
}

static ilc__ref put_value(inliner *in, const ilc__ir_value *value)
{
    ilc__ir_value copy = *value;
    ilc__ref      args[MOST_ARGS];
    copy.args = args;
    for (uint32_t i = 0; i < value->arg_count; i++) copy.args[i] = in->map[value->args[i]];
    return put(in, copy);
}

static void copy_body(inliner *in)
{
    const ilc__ir_block *body = &in->callee->blocks.items[0];
    for (uint32_t i = 0; i < body->list.count; i++) {
        ilc__ref             ref = body->list.items[i];
        const ilc__ir_value *value = &in->callee->values.items[ref];
        switch (value->op) {
        case ILC__OP_PARAM: in->map[ref] = in->args[value->var - 1]; break;
        case ILC__OP_COPY: in->map[ref] = in->map[value->args[0]]; break;
        case ILC__OP_SLOTADDR: in->map[ref] = put_slot(in, value); break;
        case ILC__OP_RETURN: in->result = value->arg_count ? in->map[value->args[0]] : 0; break;
        default: in->map[ref] = put_value(in, value);
        }
    }
}

/* For a result: a number, or an address. */
static uint32_t add_variable(inliner *in)
{
    const ilc__pointee *to = in->callee->ret_to;
    ilc__ir_var         var = {.storage = in->callee->ret, .is_temp = true};
    var.name = ilc__arena_printf(in->func->arena, "I_%u", in->func->vars.count);
    if (to) {
        var.is_addr = true;
        var.is_pointer = in->callee->ret_null;
        var.storage = to->storage;
        var.layout = to->layout;
    }
    return ilc__ir_add_var(in->func, var);
}

/* The call becomes a copy of the result: that may be a version of a variable which changes later. */
static void copy_result(inliner *in, ilc__ref call)
{
    if (!in->result) return;
    uint32_t var = in->func->values.items[call].var;
    if (!var) var = add_variable(in);
    ilc__ir_value *value = &in->func->values.items[call];
    value->op = ILC__OP_COPY;
    value->var = var;
    value->arg_count = 1;
    value->args = ILC__NEW(in->func->arena, ilc__ref);
    value->args[0] = in->result;
    value->u.bits = 0;
    value->storage = ILC_VOID;
    value->layout = NULL;
    ILC__PUSH(in->func->arena, &in->list, call);
}

static void replace(inliner *in, ilc__ref call)
{
    const ilc__ir_value *value = &in->func->values.items[call];
    in->callee = value->u.callee;
    in->args = value->args;
    in->il = value->il;
    in->has_il = value->has_il;
    in->map = ILC__NEW_ARRAY(in->func->arena, ilc__ref, in->callee->values.count);
    in->slots = ILC__NEW_ARRAY(in->func->arena, uint32_t, in->callee->slots.count + 1);
    in->result = 0;
    copy_body(in);
    copy_result(in, call);
}

/* --- all calls of a function --------------------------------------------------------------------------------------- */

bool ilc__opt_inline(ilc__ir_func *func)
{
    inliner in = {.func = func};
    bool    progress = false;
    for (in.block = 0; in.block < func->blocks.count; in.block++) {
        uint32_t count = func->blocks.items[in.block].list.count;
        bool     changed = false;
        in.list.count = 0;
        for (uint32_t i = 0; i < count; i++) {
            ilc__ref             ref = func->blocks.items[in.block].list.items[i];
            const ilc__ir_value *value = &func->values.items[ref];
            if (value->op == ILC__OP_CALL && value->u.callee != func && in.added < MOST_ADDED && is_small(value->u.callee)) {
                replace(&in, ref);
                changed = true;
            } else {
                ILC__PUSH(func->arena, &in.list, ref);
            }
        }
        if (!changed) continue;
        func->blocks.items[in.block].list.count = 0;
        for (uint32_t i = 0; i < in.list.count; i++)
            ILC__PUSH(func->arena, &func->blocks.items[in.block].list, in.list.items[i]);
        progress = true;
    }
    return progress;
}

/* --- functions that nobody calls any more --------------------------------------------------------------------------- */

static void mark_callees(const ilc__ir_func *f, ilc__map *used)
{
    for (uint32_t b = 0; b < f->blocks.count; b++)
        for (uint32_t i = 0; i < f->blocks.items[b].list.count; i++) {
            const ilc__ir_value *value = &f->values.items[f->blocks.items[b].list.items[i]];
            if (value->op != ILC__OP_CALL) continue;
            ilc__map_put(used, &value->u.callee, sizeof value->u.callee, (void *)(uintptr_t)value->u.callee);
        }
}

/* Callers come behind their callees; the functions of a cycle, which stand side by side, call each other. */
void ilc__opt_drop_uncalled(ilc__arena *arena, ilc__ir_unit *unit)
{
    ilc__map used = {.arena = arena};
    bool    *keep = ILC__NEW_ARRAY(arena, bool, unit->funcs.count + 1);
    uint32_t count = 0;
    for (uint32_t i = unit->funcs.count; i-- > 0;) {
        const ilc__ir_func *f = unit->funcs.items[i];
        keep[i] = i + 1 == unit->funcs.count || f->cycle || ilc__map_get(&used, &f, sizeof f);
        if (keep[i]) mark_callees(f, &used);
    }
    for (uint32_t i = 0; i < unit->funcs.count; i++)
        if (keep[i]) unit->funcs.items[count++] = unit->funcs.items[i];
    unit->funcs.count = count;
}
