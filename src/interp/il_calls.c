/* il_calls.c - what call and newobj mean to the judge: a method it knows by name, a body to interpret, an
 * exception with constant arguments; everything else is refused by name. */
#include "interp/il_exceptions.h"
#include "interp/il_translate.h"

/* The row for a call of a method known by name, whose parameters are all of *storage. */
static ilc__il_row callee_row(const ilc__callee *callee, ilc_storage *storage)
{
    const ilc__signature *sig = &callee->sig;
    if (sig->has_this || sig->vararg || sig->generic_count || sig->param_count == 0) return ILC__ROW_NONE;
    *storage = ilc__type_storage(sig->params[0]);
    for (uint32_t i = 0; i < sig->param_count; i++)
        if (sig->params[i] != sig->params[0] || sig->params[i]->is_enum) return ILC__ROW_NONE;
    return ilc__il_known_callee(callee->type_name, callee->name, *storage, sig->param_count);
}

/* The body to interpret for a call; NULL where there is none, or the runtime has it in place of its IL. */
static const ilc__method *callee_body(const ilc__il_translator *t, const ilc__callee *callee)
{
    const ilc__method *def = callee->def;
    bool               is_static = def && (def->flags & ILC__METHOD_STATIC);
    if (!def || callee->sig.vararg || is_static == callee->sig.has_this) return NULL;
    bool is_own = strcmp(callee->name, ".ctor") == 0 && callee->type && ilc__il_is_own_exception(callee->type);
    if (callee->sig.has_this && !is_own && (!callee->type || !ilc__type_is_value(callee->type))) return NULL;
    if (def->rva == 0 || (def->flags & (ILC__METHOD_ABSTRACT | ILC__METHOD_PINVOKE))) return NULL;
    return ilc__method_is_runtimes(t->machine->ctx, t->arena, def) ? NULL : def;
}

/* --- calls ------------------------------------------------------------------------------------------------
 */

static ilc_status refuse_call(ilc__il_translator *t, const ilc__callee *callee)
{
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "call to %s.%s", callee->type_name, callee->name);
}

/* A structure's method gets the structure by its address (I.8.9.7). */
static ilc_status check_this(ilc__il_translator *t, const ilc__callee *callee)
{
    ilc__il_variable    type;
    const ilc__il_cell *cell = ilc__il_cell_at(t, callee->sig.param_count);
    ILC__TRY(ilc__il_describe_parameter(t, callee->type, &type));
    if (type.kind == ILC__K_EXCEPTION && cell->kind == ILC__K_EXCEPTION) return ILC_OK;
    bool number = type.kind >= ILC__K_I4 && type.kind <= ILC__K_R8;
    bool fits = type.layout ? cell->layout == type.layout
                            : !cell->layout && ilc__il_same_width((ilc_storage)cell->elem, type.storage);
    if (cell->kind == ILC__K_ADDR && (type.layout || number) && (cell->pointer || fits)) {
        uint32_t slot = ilc__il_slot_at(t, callee->sig.param_count);
        if (cell->pointer)
            ilc__il_copy(t, ILC__DO_CHECK_REF, slot, 0, type.layout ? type.layout->size : ilc_storage_size(type.storage));
        return ILC_OK;
    }
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "call to %s.%s on %s", callee->type_name, callee->name,
                          ilc__il_kind_name(cell->kind));
}

/* How many values a call takes. */
static uint32_t value_count(const ilc__callee *callee)
{
    return callee->sig.param_count + (callee->sig.has_this ? 1 : 0);
}

/* Brings arguments to the storage of the parameters, in place; the address of a structure's method is checked
 * apart. */
static ilc_status arguments(ilc__il_translator *t, const ilc__callee *callee)
{
    const ilc__signature *sig = &callee->sig;
    ILC__TRY(ilc__il_need(t, sig->param_count));
    for (uint32_t i = 0; i < sig->param_count; i++) {
        uint32_t         below = sig->param_count - 1 - i;
        const ilc__type *type = sig->params[i];
        ilc__il_variable to;
        ILC__TRY(ilc__il_describe_parameter(t, type, &to));
        if (to.kind == ILC__K_NONE)
            return ilc__il_refuse(t, ILC_UNSUPPORTED, "call to %s.%s with an argument of type %s",
                                  callee->type_name, callee->name, type->name);
        ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, below), ilc__il_slot_at(t, below), &to));
    }
    return ILC_OK;
}

static ilc_status call_known(ilc__il_translator *t, const ilc__callee *callee, ilc__il_row row)
{
    ILC__TRY(arguments(t, callee));
    if (t->machine->host_libm) row = ilc__il_host_row(row);
    ilc__il_emit(t, row, ilc__il_slot_at(t, callee->sig.param_count - 1));
    t->depth -= callee->sig.param_count;
    return ilc__il_push(t, ilc__il_row_result(row));
}

/* A call to the method itself whose value is returned is a loop (docs/semantics.md, Calls), unless it is given an
 * address that may be of something in the frame, which the loop would begin again, or, as it makes arrays, any array or
 * address, or returns a structure, an array or a by-ref. */
static bool is_self_tail_call(const ilc__il_translator *t, const ilc__method *callee)
{
    const ilc__body *body = &t->code->body;
    if (callee != t->code->method || t->depth != t->code->param_count || t->code->result.layout ||
        t->code->result.kind == ILC__K_ADDR || t->code->result.kind == ILC__K_ARRAY)
        return false;
    bool makes_arrays = ilc__body_makes_arrays(body);
    for (uint32_t i = 0; i < t->depth; i++) {
        ilc__il_kind kind = t->code->variables[i].kind;
        if (t->cells[i].own || t->code->variables[i].is_span) return false;
        if (makes_arrays && (kind == ILC__K_ARRAY || kind == ILC__K_ADDR)) return false;
    }
    return ilc__body_only_returns(body, t->number + 1);
}

static ilc_status call_body(ilc__il_translator *t, const ilc__callee *callee, const ilc__method *method)
{
    ilc__il_variable ret;
    bool             is_sub = method->sig.ret->kind == ILC__ET_VOID;
    ILC__TRY(ilc__il_describe(t, method->sig.ret, &ret));
    if (!is_sub && (ret.kind == ILC__K_NONE || ret.kind == ILC__K_STRING || (ret.kind == ILC__K_ADDR && ret.is_pointer)))
        return refuse_call(t, callee);
    if (method->sig.param_count != callee->sig.param_count) return refuse_call(t, callee);
    ILC__TRY(ilc__il_need(t, value_count(callee)));
    ILC__TRY(arguments(t, callee));
    if (callee->sig.has_this) ILC__TRY(check_this(t, callee));
    ilc__il_code *code = ilc__il_code_of(t->machine, method);
    if (!code->from && !code->is_root) code->from = t->code, code->from_il = t->insn->offset;
    bool          again = is_self_tail_call(t, method);
    if (t->emitting && !again) ILC__PUSH(t->machine->arena, &t->code->callees, code);
    t->depth -= value_count(callee);
    ilc__il_emit(t, again ? ILC__DO_AGAIN : ILC__DO_CALL, t->code->stack_first + t->depth)->u.callee = code;
    if (is_sub) return ILC_OK;
    ILC__TRY(ilc__il_push_cell(t, ilc__il_cell_of(&ret)));
    ilc__il_cell_at(t, 0)->own = ret.kind == ILC__K_ADDR;
    if (ret.kind == ILC__K_STRUCT) ilc__il_own(t, 0, ret.layout);
    return ILC_OK;
}

static ilc_status call_tuple_constructor(ilc__il_translator *t, const ilc__callee *callee)
{
    ILC__TRY(ilc__il_need(t, value_count(callee)));
    ILC__TRY(arguments(t, callee));
    ILC__TRY(check_this(t, callee));
    return ilc__il_fill_tuple(t, callee);
}

static ilc_status new_exception(ilc__il_translator *t, const ilc__callee *callee, const char *type);
static ilc_status construct_base(ilc__il_translator *t, const ilc__callee *callee);

/* F#'s failwith: new Exception(message), which throw stands behind. */
static bool is_failure(const ilc__callee *callee)
{
    return strcmp(callee->type_name, "Microsoft.FSharp.Core.Operators") == 0 &&
           strcmp(callee->name, "Failure") == 0;
}

ilc_status ilc__il_step_call(ilc__il_translator *t)
{
    ilc__callee callee;
    ilc_storage storage;
    ILC__TRY(ilc__body_callee(&t->code->body, t->insn, &callee));
    bool known;
    ILC__TRY(ilc__il_step_array_call(t, &callee, &known));
    if (!known) ILC__TRY(ilc__il_step_span_call(t, &callee, &known));
    if (known) return ILC_OK;
    if (is_failure(&callee)) return new_exception(t, &callee, "System.Exception");
    if (callee.sig.has_this && strcmp(callee.name, ".ctor") == 0 && ilc__il_exception_known(callee.type_name))
        return construct_base(t, &callee);
    ilc__il_row row = callee_row(&callee, &storage);
    if (row) return call_known(t, &callee, row);
    if (ilc__il_is_tuple_constructor(&callee)) return call_tuple_constructor(t, &callee);
    if (ilc__il_is_initializer(&callee)) return ilc__il_step_initialize(t);
    if (ilc__il_is_throw_if(&callee)) return ilc__il_throw_if(t, &callee);
    const ilc__method *method = callee_body(t, &callee);
    return method ? call_body(t, &callee, method) : refuse_call(t, &callee);
}

/* --- exceptions -------------------------------------------------------------------
 */

/* One argument of an exception's constructor: its letter, and the string if it is one and known. */
static bool exception_argument(const ilc__type *type, const ilc__il_cell *value, char *letter,
                               const char **string)
{
    bool null = value->kind == ILC__K_NULL;
    if (type->kind == ILC__ET_STRING || type->kind == ILC__ET_OBJECT) {
        *letter = type->kind == ILC__ET_STRING ? 's' : 'o';
        *string = null ? NULL : value->text;
        return null || value->kind == ILC__K_STRING;
    }
    if (type->kind == ILC__ET_I4) {
        *letter = 'i';
        return value->kind == ILC__K_I4 && value->known;
    }
    *letter = 'x';
    return null && type->kind == ILC__ET_CLASS && strcmp(type->name, "System.Exception") == 0;
}

static ilc_status refuse_object(ilc__il_translator *t, const ilc__callee *callee)
{
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "creation of %s", callee->type_name);
}

static ilc_status new_struct(ilc__il_translator *t, const ilc__callee *callee)
{
    const ilc__method *body = NULL;
    if (!ilc__il_is_tuple_constructor(callee)) {
        body = callee_body(t, callee);
        if (!body || !callee->sig.has_this || body->sig.ret->kind != ILC__ET_VOID ||
            body->sig.param_count != callee->sig.param_count)
            return refuse_object(t, callee);
    }
    ILC__TRY(arguments(t, callee));
    return ilc__il_new_struct(t, callee, body);
}

/* The arguments on the stack by letter, their strings, and whether all of these are known; *message NULL: there is no
 * such constructor. */
static ilc_status read_arguments(ilc__il_translator *t, const ilc__callee *callee, const char *type, char *kinds,
                                 bool *known, const char **message)
{
    const char *strings[ILC__IL_EXCEPTION_ARGS] = {0};
    uint32_t    string_count = 0, count = callee->sig.param_count;
    if (!ilc__il_exception_known(type) || count > ILC__IL_EXCEPTION_ARGS) return refuse_object(t, callee);
    ILC__TRY(ilc__il_need(t, count));
    *known = true;
    for (uint32_t i = 0; i < count; i++) {
        const char         *string = NULL;
        const ilc__il_cell *value = ilc__il_cell_at(t, count - 1 - i);
        if (!exception_argument(callee->sig.params[i], value, &kinds[i], &string))
            return ilc__il_refuse(t, ILC_UNSUPPORTED, "creation of %s with an argument that is not constant",
                                  type);
        bool is_text = kinds[i] == 's' || kinds[i] == 'o';
        if (is_text) strings[string_count++] = string;
        *known = *known && (!is_text || value->kind == ILC__K_NULL || value->known);
    }
    *message = ilc__il_exception_message(t->machine->arena, type, kinds, strings);
    return *message ? ILC_OK : refuse_object(t, callee);
}

static ilc__il_constructor *constructor_of(ilc__il_translator *t, const char *type, const char *kinds)
{
    ilc__il_constructor *constructor = ILC__NEW(t->machine->arena, ilc__il_constructor);
    constructor->type = type;
    constructor->kinds = ilc__arena_strdup(t->machine->arena, kinds);
    return constructor;
}

static ilc_status new_exception(ilc__il_translator *t, const ilc__callee *callee, const char *type)
{
    char        kinds[ILC__IL_EXCEPTION_ARGS + 1] = {0};
    const char *message;
    bool        known;
    ILC__TRY(read_arguments(t, callee, type, kinds, &known, &message));
    t->depth -= callee->sig.param_count;
    if (!known) {
        ILC__TRY(ilc__il_push_cell(t, (ilc__il_cell){.kind = ILC__K_EXCEPTION}));
        ilc__il_emit(t, ILC__DO_EXCEPTION, ilc__il_slot_at(t, 0))->u.constructor = constructor_of(t, type, kinds);
        return ILC_OK;
    }
    ilc__il_exception *made = ILC__NEW(t->machine->arena, ilc__il_exception);
    *made = (ilc__il_exception){type, message};
    return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_EXCEPTION}, (uint64_t)(uintptr_t)made);
}

/* The constructor of a known class, for an object of one that derives from it. */
static ilc_status construct_base(ilc__il_translator *t, const ilc__callee *callee)
{
    char        kinds[ILC__IL_EXCEPTION_ARGS + 1] = {0};
    const char *message;
    bool        known;
    uint32_t    count = callee->sig.param_count;
    ILC__TRY(read_arguments(t, callee, callee->type_name, kinds, &known, &message));
    ILC__TRY(ilc__il_need(t, count + 1));
    if (ilc__il_cell_at(t, count)->kind != ILC__K_EXCEPTION) return refuse_call(t, callee);
    ilc__il_emit(t, ILC__DO_CONSTRUCT, ilc__il_slot_at(t, count))->u.constructor = constructor_of(t, callee->type_name, kinds);
    t->depth -= count + 1;
    return ILC_OK;
}

/* An object of the program's own class: its constructor is run. */
static ilc_status new_own(ilc__il_translator *t, const ilc__callee *callee)
{
    const ilc__method *body = callee_body(t, callee);
    uint32_t           count = callee->sig.param_count;
    if (!body || !callee->sig.has_this || body->sig.param_count != count) return refuse_object(t, callee);
    ILC__TRY(arguments(t, callee));
    uint32_t      top = t->code->stack_first + t->depth, d = top - count;
    ilc__il_code *code = ilc__il_code_of(t->machine, body);
    for (uint32_t i = 0; i < count; i++) ilc__il_emit(t, ILC__DO_MOVE, top - i)->u.from = top - i - 1;
    ilc__il_emit(t, ILC__DO_OBJECT, d)->u.constructor = constructor_of(t, callee->type_name, "");
    if (t->emitting) ILC__PUSH(t->machine->arena, &t->code->callees, code);
    ilc__il_emit(t, ILC__DO_CALL, d)->u.callee = code;
    t->depth -= count;
    return ilc__il_push_cell(t, (ilc__il_cell){.kind = ILC__K_EXCEPTION});
}

ilc_status ilc__il_step_new(ilc__il_translator *t)
{
    ilc__callee callee;
    ILC__TRY(ilc__body_callee(&t->code->body, t->insn, &callee));
    bool known;
    ILC__TRY(ilc__il_step_span_call(t, &callee, &known));
    if (known) return ILC_OK;
    if (callee.type && ilc__type_is_struct(callee.type)) return new_struct(t, &callee);
    if (callee.type && ilc__il_is_own_exception(callee.type)) return new_own(t, &callee);
    return new_exception(t, &callee, callee.type_name);
}
