/* lift_call.c - calls: library rows, functions of the unit. */
#include "ir/lift.h"

/* --- who is called
 * ------------------------------------------------------------------------------------------ */

static const char *params_text(ilc__lift *l, const ilc__signature *sig)
{
    ilc__text text = {.arena = l->arena};
    for (uint32_t i = 0; i < sig->param_count; i++) {
        if (i) ilc__text_putc(&text, ',');
        ilc__text_puts(&text, ilc__type_short_name(l->arena, sig->params[i]));
    }
    return ilc__text_string(&text);
}

static ilc__op library_op(ilc__lift *l, const ilc__callee *callee)
{
    if (callee->sig.has_this || callee->sig.vararg || callee->sig.generic_count) return ILC__OP_NONE;
    const char *text = ilc__lib_operation(callee->type_name, callee->name, params_text(l, &callee->sig));
    return text ? ilc__op_by_text(text) : ILC__OP_NONE;
}

/* Methods with IL that a call may go to. Rows win; what the runtime has in place of IL is refused by name. */
static const ilc__method *callee_body(const ilc__lift *l, const ilc__callee *callee)
{
    const ilc__method *def = callee->def;
    if (callee->sig.has_this && callee->type && ilc__type_span(callee->type)) return NULL;
    if (!def || callee->sig.vararg || callee->sig.has_this == ((def->flags & ILC__METHOD_STATIC) != 0))
        return NULL;
    if (callee->sig.has_this && !ilc__type_is_value(def->owner->type)) return NULL;
    if (def->rva == 0 || (def->flags & (ILC__METHOD_ABSTRACT | ILC__METHOD_PINVOKE))) return NULL;
    return ilc__method_is_runtimes(l->func->ctx, l->arena, def) ? NULL : def;
}

ilc_status ilc__lift_refuse_object(ilc__lift *l, const ilc__callee *callee)
{
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "creation of %s", callee->type_name);
}

static ilc_status refuse_call(ilc__lift *l, const ilc__callee *callee)
{
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "call to %s.%s", callee->type_name, callee->name);
}

/* The function is asked for here first. What is wrong with the framework's is no user's matter, but that it is called is. */
static ilc_status ask_function(ilc__lift *l, const ilc__callee *callee, const ilc__method *body)
{
    ilc__context   *ctx = l->func->ctx;
    ilc__lift_func *function;
    uint32_t        known = l->unit->funcs.count, diags = ctx->diags.count;
    ilc_status      status = ilc__lift_function(l, body, &function);
    if (status == ILC_OK && known < l->unit->funcs.count) {
        function->from = l->entry;
        function->from_il = l->insn->offset;
    }
    if (status != ILC_UNSUPPORTED || !ilc__image_is_framework(body->image) || ilc__image_is_framework(l->method->image)) return status;
    ctx->diags.count = diags;
    return strcmp(callee->name, ".ctor") == 0 ? ilc__lift_refuse_object(l, callee) : refuse_call(l, callee);
}

ilc_status ilc__lift_check_call(ilc__lift *l)
{
    ilc__callee        callee;
    const ilc__method *body = NULL;
    ILC__TRY(ilc__body_callee(&l->body, l->insn, &callee));
    if (l->insn->op == ILC__IL_NEWOBJ) {
        if (ilc__lift_exception_base(&callee) || ilc__lift_is_tuple(&callee) || ilc__lift_is_span_call(&callee)) return ILC_OK;
        body = callee_body(l, &callee);
        return body ? ask_function(l, &callee, body) : ilc__lift_refuse_object(l, &callee);
    }
    if (ilc__lift_is_array_call(&callee) || ilc__lift_is_span_call(&callee)) return ILC_OK;
    if (l->insn->op == ILC__IL_CALL || l->insn->op == ILC__IL_CALLVIRT) {
        if (ilc__lib_exception_maker(callee.type_name, callee.name)) return ILC_OK;
        if (library_op(l, &callee) || ilc__lift_is_tuple(&callee)) return ILC_OK;
        if (ilc__lift_is_initializer(&callee) || ilc__lift_is_guard(&callee)) return ILC_OK;
        if (ilc__lift_is_data(l, &callee)) return ILC_OK;
        body = callee_body(l, &callee);
    }
    return body ? ask_function(l, &callee, body) : refuse_call(l, &callee);
}

/* --- calls
 * ----------------------------------------------------------------------------------------------------- */

static ilc_status lift_library(ilc__lift *l, const ilc__callee *callee, ilc__op op)
{
    ilc__ref args[2] = {0};
    for (uint32_t i = callee->sig.param_count; i-- > 0;) {
        ilc__lift_slot slot;
        ILC__TRY(ilc__lift_pop(l, &slot));
        ILC__TRY(ilc__lift_coerce(l, slot, ilc__type_storage(callee->sig.params[i]), &args[i]));
    }
    return ilc__lift_push_ref(l,
                              ilc__lift_emit(l, op, ILC__IR_VOID, callee->sig.param_count, args[0], args[1]));
}

/* A struct's own temporary slot is the private copy that the callee gets. */
static ilc_status pop_argument(ilc__lift *l, const ilc__ir_var *param, ilc__ref *out)
{
    ilc__lift_slot slot;
    ILC__TRY(ilc__lift_pop(l, &slot));
    if (param->is_addr || param->is_array || !param->layout) return ilc__lift_coerce_var(l, slot, param, out);
    *out = slot.ref;
    return ilc__lift_check_struct(l, slot, param->layout);
}

static bool is_stored(const ilc__lift *l, uint32_t var)
{
    for (uint32_t i = 0; i < l->body.insn_count; i++) {
        bool writes = false;
        if (ilc__lift_variable(l, &l->body.insns[i], &writes) == var && writes) return true;
    }
    return false;
}

/* A call of the method itself whose value is returned is a loop, unless it may be given something of the frame, which the loop
 * would begin again: what may be an array that the method made or a part of one, or an address, which is looked at
 * when all phis are there (docs/semantics.md, Calls). */
static bool may_go_round(const ilc__lift *l, const ilc__ir_func *func)
{
    uint32_t next = (uint32_t)(l->insn - l->body.insns) + 1;
    if (func != l->func || l->depth || func->ret_layout || func->ret_to || func->ret_array || !ilc__body_only_returns(&l->body, next)) return false;
    bool makes_arrays = ilc__body_makes_arrays(&l->body);
    for (uint32_t i = 0; i < func->param_count; i++)
        if (func->vars.items[i + 1].is_span) return false; /* it may be of the frame's memory */
    for (uint32_t i = 0; makes_arrays && i < func->param_count; i++)
        if (func->vars.items[i + 1].is_array || func->vars.items[i + 1].is_addr) return false;
    return true;
}

static void add_callee(ilc__lift *l, const ilc__ir_func *func)
{
    ILC__PUSH(l->arena, &l->entry->callees, ilc__map_get(&l->unit->by_func, &func, sizeof func));
}

/* May the address be of the frame's memory, by itself? As far as the judge sees it (interp/il_calls.c): what a local
 * holds, an assigned parameter, or a call's result may be. */
static bool begins_in_frame(const ilc__lift *l, const ilc__ir_value *value)
{
    const ilc__ir_var *var = &l->func->vars.items[value->var];
    if (value->type != ILC__IR_ADDR) return false;
    if (value->op == ILC__OP_PARAM) return is_stored(l, value->var);
    if (value->var && !var->is_temp) return true;
    switch (value->op) {
    case ILC__OP_CONST: case ILC__OP_ELEMADDR: case ILC__OP_FIELDADDR: case ILC__OP_ADDADDR: case ILC__OP_COPY: case ILC__OP_PHI:
        return false;
    default: return true;
    }
}

static bool is_handed_on(ilc__op op)
{
    return op == ILC__OP_FIELDADDR || op == ILC__OP_ADDADDR || op == ILC__OP_COPY || op == ILC__OP_PHI;
}

/* By value: may it be an address of the frame's memory? */
static bool *find_frame_addresses(const ilc__lift *l)
{
    const ilc__ir_func *f = l->func;
    bool               *found = ILC__NEW_ARRAY(l->arena, bool, f->values.count);
    for (ilc__ref r = 1; r < f->values.count; r++) found[r] = begins_in_frame(l, &f->values.items[r]);
    for (bool changed = true; changed;) {
        changed = false;
        for (ilc__ref r = 1; r < f->values.count; r++) {
            const ilc__ir_value *value = &f->values.items[r];
            if (found[r] || value->type != ILC__IR_ADDR || !is_handed_on(value->op)) continue;
            for (uint32_t k = 0; k < value->arg_count && !found[r]; k++) found[r] = found[value->args[k]];
            changed = changed || found[r];
        }
    }
    return found;
}

void ilc__lift_settle_again(ilc__lift *l)
{
    const ilc__ir_func *f = l->func;
    bool               *of_frame = NULL;
    for (ilc__ref r = 1; r < f->values.count; r++) {
        ilc__ir_value *value = &l->func->values.items[r];
        if (value->op != ILC__OP_CALL || !value->again) continue;
        for (uint32_t i = 0; i < value->arg_count && value->again; i++) {
            if (f->values.items[value->args[i]].type != ILC__IR_ADDR || !f->vars.items[i + 1].is_addr) continue;
            if (!of_frame) of_frame = find_frame_addresses(l);
            value->again = !of_frame[value->args[i]];
        }
        if (!value->again) add_callee(l, f);
    }
}

/* made: the address of the struct that a constructor fills, or 0. */
static ilc_status lift_function_call(ilc__lift *l, ilc__ir_func *func, ilc__ref made)
{
    ilc__ref *args = ILC__NEW_ARRAY(l->arena, ilc__ref, func->param_count);
    uint32_t  count = ilc__lift_arg_count(func);
    for (uint32_t i = count; i-- > (made ? 1 : 0);)
        ILC__TRY(pop_argument(l, &func->vars.items[i + 1], &args[i]));
    if (func->ret_layout) args[count] = ilc__lift_slot_addr(l, ilc__lift_new_temp_slot(l, func->ret_layout));
    if (made) {
        ilc__lift_zero_struct(l, made, func->vars.items[1].layout);
        args[0] = made;
    }
    bool again = !made && may_go_round(l, func);
    ilc__ref ref =
        ilc__ir_emit(l->func, l->ir, ILC__OP_CALL, ilc__ir_ret_type(func), func->param_count, args);
    ilc__ir_value *call = &l->func->values.items[ref];
    call->u.callee = func;
    call->il = l->insn->offset;
    call->has_il = true;
    call->again = again;
    if (func->ret_to) call->storage = func->ret_to->storage, call->layout = func->ret_to->layout;
    if (func->ret_array) call->storage = func->ret_array->storage, call->layout = func->ret_array->layout;
    if (!again) add_callee(l, func);
    if (func->ret_layout) return ilc__lift_push_struct(l, args[count], func->ret_layout);
    if (func->ret_to) return ilc__lift_push_addr(l, ref, func->ret_to->storage, func->ret_to->layout);
    if (func->ret_array) return ilc__lift_push_array(l, ref, func->ret_array);
    return func->ret == ILC_VOID ? ILC_OK : ilc__lift_push_ref(l, ref);
}

/* III.4.21: a constructor of a struct gets the address of zeroed memory; then the struct is on the stack. */
static ilc_status lift_new_struct(ilc__lift *l, const ilc__callee *callee)
{
    ilc__lift_func    *function;
    const ilc__method *body = callee_body(l, callee);
    if (!body) return ilc__lift_refuse_object(l, callee);
    ILC__TRY(ilc__lift_function(l, body, &function));
    const ilc__ir_func *func = function->func;
    if (func->ret != ILC_VOID || func->ret_layout || !callee->sig.has_this) return ilc__lift_refuse_object(l, callee);
    const ilc__layout *layout = func->vars.items[1].layout;
    ilc__ref           made = ilc__lift_slot_addr(l, ilc__lift_new_temp_slot(l, layout));
    ILC__TRY(lift_function_call(l, function->func, made));
    return ilc__lift_push_struct(l, made, layout);
}

ilc_status ilc__lift_call(ilc__lift *l)
{
    ilc__callee     callee;
    ilc__lift_func *function;
    ILC__TRY(ilc__body_callee(&l->body, l->insn, &callee));
    if (ilc__lift_is_array_call(&callee)) return ilc__lift_array_call(l, &callee);
    if (ilc__lift_is_span_call(&callee)) return ilc__lift_span_call(l, &callee);
    ilc__op     op = library_op(l, &callee);
    const char *exception = ilc__lib_exception_maker(callee.type_name, callee.name);
    if (exception) return ilc__lift_exception(l, &callee, exception);
    if (op) return lift_library(l, &callee, op);
    if (ilc__lift_is_tuple(&callee)) return ilc__lift_tuple(l, &callee);
    if (ilc__lift_is_initializer(&callee)) return ilc__lift_initialize(l);
    if (ilc__lift_is_guard(&callee)) return ilc__lift_guard(l, &callee);
    if (ilc__type_span(callee.sig.ret)) return ilc__lift_data(l, &callee);
    ILC__TRY(ilc__lift_function(l, callee_body(l, &callee),
                                &function)); /* ilc__lift_check_call saw that there is one */
    return lift_function_call(l, function->func, 0);
}

ilc_status ilc__lift_newobj(ilc__lift *l)
{
    ilc__callee callee;
    ILC__TRY(ilc__body_callee(&l->body, l->insn, &callee));
    if (ilc__lift_is_tuple(&callee)) return ilc__lift_tuple(l, &callee);
    if (ilc__lift_is_span_call(&callee)) return ilc__lift_span_call(l, &callee);
    if (callee.type && ilc__type_is_struct(callee.type)) return lift_new_struct(l, &callee);
    return ilc__lift_new_exception(l, &callee);
}
