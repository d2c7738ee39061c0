/* lift_func.c - one method: its signature, variables and entry, then block after block. */
#include "ir/lift.h"

enum { MAX_STACK = 1024 }; /* real bodies have at most 66 */

ilc_status ilc__lift_refuse(ilc__lift *l, ilc_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *reason = ilc__arena_vprintf(l->arena, format, args);
    va_end(args);
    ilc__where where = ilc__method_where(l->method, l->insn ? l->insn->offset : 0);
    if (status == ILC_UNSUPPORTED) return ilc__refuse(l->func->ctx, &where, "%s", reason);
    return ilc__fail(l->func->ctx, status, &where, "%s", reason);
}

/* --- signature
 * ------------------------------------------------------------------------------------------------ */

/* A scalar, or an array (of arrays) of scalars, or a by-ref or pointer to a scalar. */
static bool storage_of(const ilc__type *type, ilc__ir_var *var)
{
    if (type->kind == ILC__ET_SZARRAY || type->kind == ILC__ET_ARRAY) return ilc__ir_array_type(type, var);
    var->is_pointer = type->kind == ILC__ET_PTR;
    var->is_addr = type->kind == ILC__ET_BYREF || var->is_pointer;
    var->is_string = type->kind == ILC__ET_STRING || type->kind == ILC__ET_OBJECT;
    if (var->is_string) {
        var->storage = ILC_I32;
        return true;
    }
    var->storage = ilc__type_storage(var->is_addr ? type->elem : type);
    if (var->is_pointer && var->storage == ILC_VOID) var->storage = ILC_U8; /* void* */
    return var->storage != ILC_STORAGE_COUNT && var->storage != ILC_VOID;
}

static bool has_target(const ilc__type *type)
{
    return type->kind == ILC__ET_BYREF || type->kind == ILC__ET_SZARRAY || type->kind == ILC__ET_PTR;
}

/* A struct, a by-ref to one or an array of them. The layout says itself what is not supported. */
static bool holds_struct(const ilc__type *type)
{
    return ilc__type_is_struct(has_target(type) ? type->elem : type);
}

static ilc_status struct_of(ilc__lifter *unit, const ilc__type *type, const ilc__method *method, uint32_t il,
                            ilc__ir_var *var)
{
    ilc__where where = ilc__method_where(method, il);
    ilc_status status;
    if (ilc__lift_span_type(unit, type, &where, var, &status)) return status;
    var->is_pointer = type->kind == ILC__ET_PTR;
    var->is_addr = type->kind == ILC__ET_BYREF || var->is_pointer;
    var->is_array = type->kind == ILC__ET_SZARRAY;
    var->storage = var->is_array ? ILC_STRUCT : ILC_VOID;
    return ilc__layout_of(unit->layouts, has_target(type) ? type->elem : type, &where, &var->layout);
}

/* Where it lies is looked up (in the PDB) only now. */
static ilc_status refuse_method(ilc__lifter *unit, const ilc__method *method, const char *middle,
                                const char *first, const char *last)
{
    ilc__where where = ilc__method_where(method, 0);
    return ilc__refuse(unit->ctx, &where, "%s%s%s", first, middle, last);
}

static void add_param(ilc__ir_func *func, ilc__ir_var var)
{
    var.is_param = true;
    var.slot = func->param_count++;
    ilc__ir_add_var(func, var);
}

static ilc_status describe_result(ilc__lifter *unit, ilc__ir_func *func)
{
    const ilc__type *type = func->method->sig.ret;
    ilc__ir_var      var = {0};
    if (ilc__type_span(type)) return refuse_method(unit, func->method, " of type ", "a result", type->name);
    if (ilc__type_is_struct(type)) {
        ILC__TRY(struct_of(unit, type, func->method, 0, &var));
        func->ret_layout = var.layout;
        return ILC_OK;
    }
    if (type->kind == ILC__ET_BYREF) {
        ilc__pointee *to = ILC__NEW(unit->arena, ilc__pointee);
        if (holds_struct(type)) ILC__TRY(struct_of(unit, type, func->method, 0, &var));
        else if (!storage_of(type, &var)) return refuse_method(unit, func->method, " of type ", "a result", type->name);
        *to = (ilc__pointee){.storage = var.storage, .layout = var.layout};
        func->ret_to = to;
        func->ret = ILC_UINT;
        return ILC_OK;
    }
    bool is_array = type->kind == ILC__ET_SZARRAY || type->kind == ILC__ET_ARRAY;
    if (is_array && holds_struct(type)) ILC__TRY(struct_of(unit, type, func->method, 0, &var));
    if (is_array && (var.is_array || storage_of(type, &var))) {
        func->ret_array = ilc__arena_copy(unit->arena, &var, sizeof var);
        func->ret = ILC_UINT;
        return ILC_OK;
    }
    func->ret = type->kind == ILC__ET_VOID ? ILC_VOID : ilc__type_storage(type);
    if (func->ret == ILC_STORAGE_COUNT)
        return refuse_method(unit, func->method, " of type ", "a result", type->name);
    return ILC_OK;
}

/* I.12.1.6.2.3: an instance method of a struct or of a number takes it by reference. */
static ilc_status add_this(ilc__lifter *unit, ilc__ir_func *func)
{
    const ilc__type *type;
    ilc__ir_var      var = {.name = "this", .is_named = true};
    ILC__TRY(ilc__method_this_type(func->method, &type));
    if (ilc__type_span(type)) return refuse_method(unit, func->method, ", an instance method", func->method->name, "");
    if (ilc__type_is_struct(type)) ILC__TRY(struct_of(unit, type, func->method, 0, &var));
    else var.storage = ilc__type_storage(type);
    var.is_addr = true;
    add_param(func, var);
    return ILC_OK;
}

uint32_t ilc__lift_arg_count(const ilc__ir_func *func)
{
    return func->param_count - (func->ret_layout ? 1 : 0);
}

ilc_status ilc__lift_signature(ilc__lifter *unit, ilc__ir_func *func)
{
    const ilc__method    *method = func->method;
    const ilc__signature *sig = &method->sig;
    bool                  is_static = (method->flags & ILC__METHOD_STATIC) != 0;
    if (sig->has_this == is_static || sig->explicit_this ||
        (!is_static && !ilc__type_is_value(method->owner->type)))
        return refuse_method(unit, method, ", an instance method", method->name, "");
    if (sig->vararg) return refuse_method(unit, method, ", a method of variable arguments", method->name, "");
    ILC__TRY(describe_result(unit, func));
    if (!is_static) ILC__TRY(add_this(unit, func));
    for (uint32_t i = 0; i < sig->param_count; i++) {
        const ilc__type *type = sig->params[i];
        ilc__ir_var      var = {.name = method->param_names[i], .is_named = true};
        if (holds_struct(type)) {
            ILC__TRY(struct_of(unit, type, method, 0, &var));
        } else if (!storage_of(type, &var)) {
            return refuse_method(unit, method, " of type ",
                                 ilc__arena_printf(unit->arena, "parameter %s", var.name), type->name);
        }
        add_param(func, var);
    }
    /* a struct result goes through a by-ref behind the arguments */
    if (func->ret_layout) add_param(func, (ilc__ir_var){.name = "result", .is_addr = true, .layout = func->ret_layout});
    return ILC_OK;
}

/* --- variables and entry
 * ---------------------------------------------------------------------------------------- */

static ilc_status make_locals(ilc__lift *l)
{
    l->local_vars = ILC__NEW_ARRAY(l->arena, uint32_t, l->body.local_count);
    for (uint32_t i = 0; i < l->body.local_count; i++) {
        ilc__ir_var var = {.slot = i, .name = ilc__arena_printf(l->func->arena, "V_%u", i)};
        if (l->local_slots[i]) continue;
        if (holds_struct(l->body.locals[i])) { /* by-refs and arrays: structs themselves are slots */
            if (l->first_use[i] == UINT32_MAX) continue;
            ILC__TRY(struct_of(l->unit, l->body.locals[i], l->method, l->first_use[i], &var));
        } else if (!storage_of(l->body.locals[i], &var)) {
            continue;
        }
        l->local_vars[i] = ilc__ir_add_var(l->func, var);
    }
    l->var_count = l->func->vars.count - 1;
    return ILC_OK;
}

static bool entry_is_target(const ilc__lift *l)
{
    return l->blocks[0].edges.count != 0;
}

static bool is_slot(const ilc__lift *l, uint32_t param)
{
    return param - 1 < l->arg_count && l->arg_slots[param - 1] != 0;
}

/* Parameters, and zeros for the locals that are read before they are written. */
static ilc_status make_entry(ilc__lift *l)
{
    uint32_t entry = ilc__ir_add_block(l->func, 0);
    l->initial = ilc__lift_new_versions(l);
    for (uint32_t var = 1; var <= l->var_count; var++) {
        const ilc__ir_var *variable = &l->func->vars.items[var];
        bool               is_param = var <= l->func->param_count;
        if (is_param ? is_slot(l, var) : !ilc__lift_is_live(&l->blocks[0], var)) continue;
        ilc__ir_value value = {.op = is_param ? ILC__OP_PARAM : ILC__OP_CONST, .var = var};
        value.type = ilc__ir_var_type(variable);
        if (variable->is_array || variable->is_addr) value.storage = variable->storage;
        if (!is_param && variable->is_addr) value.layout = variable->layout; /* null: an access raises */
        if (!is_param && variable->is_span) {
            value = (ilc__ir_value){.op = ILC__OP_SPANOF, .var = var, .type = ILC__IR_REF, .arg_count = 1, .storage = variable->storage, .layout = variable->layout};
            ilc__ref null = ilc__ir_const(l->func, ILC__IR_REF, 0);
            ilc__ir_append(l->func, entry, null);
            value.args = &null;
            l->initial[var] = ilc__ir_add(l->func, value);
            ilc__ir_append(l->func, entry, l->initial[var]);
            continue;
        }
        l->initial[var] = ilc__ir_add(l->func, value);
        ilc__ir_append(l->func, entry, l->initial[var]);
    }
    return ILC_OK;
}

static void make_ir_blocks(ilc__lift *l)
{
    for (uint32_t b = 0; b < l->block_count; b++) {
        if (!l->blocks[b].reachable || (b == 0 && !entry_is_target(l))) continue;
        l->blocks[b].ir = ilc__ir_add_block(l->func, l->body.insns[l->blocks[b].first].offset);
    }
    if (!entry_is_target(l)) return;
    ilc__ir_emit(l->func, 0, ILC__OP_JUMP, ILC__IR_VOID, 0, NULL);
    ilc__ir_connect(l->func, 0, l->blocks[0].ir);
}

/* --- the whole
 * ---------------------------------------------------------------------------------------------------- */

static ilc_status lift_block(ilc__lift *l, uint32_t number)
{
    const ilc__lift_block *block = &l->blocks[number];
    ILC__TRY(ilc__lift_enter(l, number));
    for (uint32_t i = block->first; i < block->end; i++) {
        l->insn = &l->body.insns[i];
        l->skip_next = false;
        ILC__TRY(ilc__lift_insn(l));
        if (l->skip_next) i++;
    }
    return ilc__lift_leave(l);
}

static ilc_status check_body(ilc__lift *l)
{
    if (!l->body.insn_count) return ilc__lift_refuse(l, ILC_FORMAT, "a body without instructions");
    if (l->body.clause_count) {
        uint32_t start = l->body.clauses[0].try_start;
        if (start < l->body.code_size && l->body.index[start] < l->body.insn_count)
            l->insn = &l->body.insns[l->body.index[start]];
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "an exception handler (try block)");
    }
    if (l->body.max_stack > MAX_STACK)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "a stack of more than %d values", MAX_STACK);
    return ILC_OK;
}

ilc_status ilc__lift_decoded(ilc__lift *l)
{
    ILC__TRY(check_body(l));
    ILC__TRY(ilc__lift_flow(l));
    ILC__TRY(ilc__lift_make_slots(l));
    ILC__TRY(make_locals(l));
    ILC__TRY(ilc__lift_liveness(l));
    ilc__lift_name_locals(l);
    ILC__TRY(make_entry(l));
    make_ir_blocks(l);
    l->vars = ilc__lift_new_versions(l);
    l->pages = ILC__NEW_ARRAY(l->arena, const ilc__ref *, ilc__lift_page_count(l));
    l->stack = ILC__NEW_ARRAY(l->arena, ilc__lift_slot, l->body.max_stack);
    for (uint32_t i = 0; i < l->order.count; i++)
        ILC__TRY(lift_block(l, l->order.items[i]));
    ilc__lift_finish_phis(l);
    ilc__lift_settle_again(l);
    ilc__lift_part_names(l);
    ilc__ir_compute_cfg(l->func);
    ilc__lift_place_arrays(l);
    return ilc__lift_check_results(l);
}

ilc_status ilc__lift_method(ilc__lifter *unit, ilc__lift_func *entry)
{
    ilc__lift l = {.unit = unit,
                   .entry = entry,
                   .func = entry->func,
                   .arena = unit->arena,
                   .method = entry->func->method};
    ILC__TRY(ilc__body_decode(l.func->ctx, l.arena, l.method, &l.body));
    ILC__TRY(ilc__body_fold(l.func->ctx, l.arena, &l.body));
    return ilc__lift_decoded(&l);
}
