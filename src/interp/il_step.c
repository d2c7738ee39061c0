/* il_step.c - one instruction of the translator: what it takes from the stack, what it leaves, what runs.
 * Everything that the judge does not know is refused here, by name. Calls are in il_calls.c. */
#include "interp/il_translate.h"

/* --- the stack -------------------------------------------------------------------------------------------- */

const char *ilc__il_kind_name(ilc__il_kind kind)
{
    static const char *const names[ILC__K_COUNT] = {"nothing", "int32", "int64", "float32", "float64",
                                                    "an array", "null", "a string", "an exception", "a by-ref",
                                                    "the handle of a field", "a structure"};
    return names[kind];
}

static ilc_status unsupported_here(ilc__il_translator *t)
{
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "instruction %s", ilc__opcode_name(t->insn->op));
}

ilc_status ilc__il_need(ilc__il_translator *t, uint32_t count)
{
    if (t->depth >= count) return ILC_OK;
    return ilc__il_refuse(t, ILC_FORMAT, "%s found too few values on the stack", ilc__opcode_name(t->insn->op));
}

ilc_status ilc__il_push_cell(ilc__il_translator *t, ilc__il_cell value)
{
    if (t->depth >= t->code->body.max_stack) return ilc__il_refuse(t, ILC_FORMAT, "the stack is deeper than declared");
    t->cells[t->depth++] = value;
    return ILC_OK;
}

ilc_status ilc__il_push(ilc__il_translator *t, ilc__il_kind kind)
{
    return ilc__il_push_cell(t, (ilc__il_cell){.kind = (uint8_t)kind});
}

uint32_t ilc__il_slot_at(const ilc__il_translator *t, uint32_t below)
{
    return t->code->stack_first + t->depth - 1 - below;
}

ilc__il_cell *ilc__il_cell_at(ilc__il_translator *t, uint32_t below)
{
    return &t->cells[t->depth - 1 - below];
}

ilc_status ilc__il_assign(ilc__il_translator *t, const ilc__il_cell *value, uint32_t slot, const ilc__il_variable *to)
{
    ilc__il_row row;
    bool        same;
    const char *name = to->type ? to->type->name : to->layout ? to->layout->name : ilc_storage_name(to->storage);
    if (to->kind == ILC__K_ARRAY) {
        if (ilc__il_is_array_of(value, to)) return ILC_OK;
    } else if (to->kind == ILC__K_ADDR && ilc__il_assign_address(t, value, slot, to)) {
        return ILC_OK;
    } else if (to->kind == ILC__K_STRING) {
        if (value->kind == ILC__K_STRING || value->kind == ILC__K_NULL) return ILC_OK;
    } else if (to->kind == ILC__K_NULL) {
        if (value->kind == ILC__K_NULL) return ILC_OK;
    } else if (to->kind == ILC__K_STRUCT || to->kind == ILC__K_ADDR) {
        bool same_type = value->kind == to->kind && value->layout == to->layout;
        if (same_type && (to->layout || ilc__il_same_width((ilc_storage)value->elem, to->storage))) return ILC_OK;
    } else if (ilc__il_coerce(value->kind, to->storage, &row, &same)) {
        if (!same) ilc__il_emit(t, row, slot);
        return ILC_OK;
    }
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s of %s as %s", ilc__opcode_name(t->insn->op), ilc__il_kind_name(value->kind),
                          name);
}

/* --- constants, variables, the stack itself --------------------------------------------------------------- */

ilc_status ilc__il_constant(ilc__il_translator *t, ilc__il_cell value, uint64_t bits)
{
    ILC__TRY(ilc__il_push_cell(t, value));
    ilc__il_emit(t, ILC__DO_CONST, ilc__il_slot_at(t, 0))->u.bits = bits;
    return ILC_OK;
}

static ilc_status constant_i4(ilc__il_translator *t, int64_t number)
{
    int32_t      value = (int32_t)number;
    ilc__il_slot slot = {.i8 = 0};
    uint64_t     bits;
    slot.i4 = value;
    memcpy(&bits, &slot, sizeof bits);
    return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_I4, .known = true, .is_ldc = true, .number = value}, bits);
}

static ilc_status constant_r4(ilc__il_translator *t)
{
    ilc__il_slot slot = {.i8 = 0};
    uint64_t     bits;
    memcpy(&slot, &t->insn->u.r4, sizeof(float)); /* the bits, also of a signalling NaN */
    memcpy(&bits, &slot, sizeof bits);
    return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_R4}, bits);
}

static ilc_status constant_r8(ilc__il_translator *t)
{
    uint64_t bits;
    memcpy(&bits, &t->insn->u.r8, sizeof bits);
    return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_R8}, bits);
}

static ilc_status string_constant(ilc__il_translator *t)
{
    const char *text;
    ILC__TRY(ilc__body_string(&t->code->body, t->insn, &text));
    return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_STRING, .known = true, .text = text}, (uint64_t)(uintptr_t)text);
}

/* A local of a type that is refused is no reason to refuse a body that does not use it. */
ilc_status ilc__il_variable_of_operand(ilc__il_translator *t, bool local, uint32_t *slot)
{
    int64_t  number = t->insn->u.i;
    uint32_t count = local ? t->code->body.local_count : t->code->param_count;
    if (number < 0 || number >= count)
        return ilc__il_refuse(t, ILC_FORMAT, "%s of a variable that does not exist", ilc__opcode_name(t->insn->op));
    *slot = (uint32_t)number + (local ? t->code->param_count : 0);
    ilc__il_variable *v = &t->code->variables[*slot];
    if (v->kind == ILC__K_NONE) {
        ilc__il_variable before = *v;
        ILC__TRY(ilc__il_describe(t, v->type, v));
        v->in_memory = before.in_memory;
        v->offset = before.offset;
        v->reassigned = before.reassigned;
    }
    if (v->kind == ILC__K_NONE)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s of a variable of type %s", ilc__opcode_name(t->insn->op),
                              v->type->name);
    return v->kind == ILC__K_STRUCT ? ilc__il_place(t, v, v->layout->size) : ILC_OK;
}

ilc__il_cell ilc__il_cell_of(const ilc__il_variable *v)
{
    return (ilc__il_cell){.kind = (uint8_t)v->kind, .elem = (uint8_t)v->storage, .rank = v->rank, .nested = v->nested,
                          .layout = v->layout, .pointer = v->is_pointer, .span = v->is_span};
}

static ilc_status load_variable(ilc__il_translator *t, bool local)
{
    uint32_t slot;
    ILC__TRY(ilc__il_variable_of_operand(t, local, &slot));
    const ilc__il_variable *v = &t->code->variables[slot];
    ilc__il_cell cell = ilc__il_cell_of(v);
    cell.own = v->kind == ILC__K_ADDR && (local || v->reassigned);
    ILC__TRY(ilc__il_push_cell(t, cell));
    uint32_t d = ilc__il_slot_at(t, 0);
    if (v->in_memory) ilc__il_get(t, v, d, t->code->memory_slot, v->offset);
    else ilc__il_emit(t, ILC__DO_MOVE, d)->u.from = slot;
    if (v->kind == ILC__K_STRUCT) ilc__il_own(t, 0, v->layout);
    return ILC_OK;
}

static ilc_status store_variable(ilc__il_translator *t, bool local)
{
    uint32_t slot;
    ILC__TRY(ilc__il_need(t, 1));
    ILC__TRY(ilc__il_variable_of_operand(t, local, &slot));
    const ilc__il_variable *v = &t->code->variables[slot];
    uint32_t                top = ilc__il_slot_at(t, 0);
    ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, 0), top, v));
    if (v->in_memory) ilc__il_put(t, v, top, t->code->memory_slot, v->offset);
    else ilc__il_emit(t, ILC__DO_MOVE, slot)->u.from = top;
    t->depth--;
    return ILC_OK;
}

static ilc_status duplicate(ilc__il_translator *t)
{
    ILC__TRY(ilc__il_need(t, 1));
    ilc__il_cell_at(t, 0)->is_ldc = false;
    ILC__TRY(ilc__il_push_cell(t, *ilc__il_cell_at(t, 0)));
    ilc__il_emit(t, ILC__DO_MOVE, ilc__il_slot_at(t, 0))->u.from = ilc__il_slot_at(t, 1);
    const ilc__il_cell *top = ilc__il_cell_at(t, 0);
    if (top->kind == ILC__K_STRUCT) ilc__il_own(t, 0, top->layout);
    return ILC_OK;
}

/* --- arithmetic and branches ------------------------------------------------------------------------------ */

ilc_status ilc__il_wrong_kinds(ilc__il_translator *t, ilc__il_kind left, ilc__il_kind right)
{
    const char *name = ilc__opcode_name(t->insn->op);
    if (right == ILC__K_NONE) return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s of %s", name, ilc__il_kind_name(left));
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s of %s and %s", name, ilc__il_kind_name(left), ilc__il_kind_name(right));
}

/* Emits the widenings of an instruction of `count` operands; *plan has its row, *d its first slot, *address what it
 * makes where that is an address. */
static ilc_status operands(ilc__il_translator *t, uint32_t count, ilc__il_plan *plan, uint32_t *d, ilc__il_cell *address)
{
    ILC__TRY(ilc__il_need(t, count));
    *address = (ilc__il_cell){.kind = ILC__K_NONE};
    ilc__il_kind left = ilc__il_cell_at(t, count - 1)->kind, right = count == 2 ? ilc__il_cell_at(t, 0)->kind : ILC__K_NONE;
    bool has_ldc = count == 2 && ilc__il_cell_at(t, left == ILC__K_I4 ? 1 : 0)->is_ldc;
    if (ilc__il_has_address(t, count)) ILC__TRY(ilc__il_pointer_operands(t, count, plan, address));
    else if (!ilc__il_plan_find(t->insn->op, left, right, has_ldc, plan)) return ilc__il_wrong_kinds(t, left, right);
    *d = ilc__il_slot_at(t, count - 1);
    if (plan->widen_left) ilc__il_emit(t, plan->widen_left, *d);
    if (plan->widen_right) ilc__il_emit(t, plan->widen_right, *d + 1);
    t->depth -= count;
    return ILC_OK;
}

static ilc_status compute(ilc__il_translator *t, uint32_t count)
{
    ilc__il_plan plan;
    uint32_t     d;
    ilc__il_cell before, address;
    ILC__TRY(ilc__il_need(t, 1));
    before = *ilc__il_cell_at(t, 0);
    ILC__TRY(operands(t, count, &plan, &d, &address));
    if (plan.row) ilc__il_emit(t, plan.row, d);
    else ilc__il_emit(t, ILC__DO_NOP, d);
    if (address.kind != ILC__K_NONE) return ilc__il_push_cell(t, address);
    ILC__TRY(ilc__il_push(t, plan.result));
    ilc__il_keep_zero(t, &before);
    return ILC_OK;
}

/* conv.r.un with conv.r4 directly behind it is one conversion, rounded once (docs/semantics.md, Floats). */
static ilc_status convert_unsigned(ilc__il_translator *t)
{
    const ilc__body *body = &t->code->body;
    ILC__TRY(ilc__il_need(t, 1));
    ilc__il_kind kind = ilc__il_cell_at(t, 0)->kind;
    bool joined = t->number + 1 < body->insn_count && body->insns[t->number + 1].op == ILC__IL_CONV_R4;
    if (!joined || (kind != ILC__K_I4 && kind != ILC__K_I8)) return compute(t, 1);
    ilc__il_emit(t, kind == ILC__K_I4 ? ILC__ROW_CONV_R4_UN_I4 : ILC__ROW_CONV_R4_UN_I8, ilc__il_slot_at(t, 0));
    ilc__il_cell_at(t, 0)->kind = ILC__K_R4;
    ilc__il_cell_at(t, 0)->known = false;
    return ILC_OK;
}

static uint32_t target_at(const ilc__il_translator *t, uint32_t k)
{
    return t->code->body.index[t->insn->u.branch.targets[k]];
}

static ilc_status branch_if(ilc__il_translator *t, uint32_t count)
{
    ilc__il_plan plan;
    ilc__il_cell address;
    uint32_t     d;
    ILC__TRY(operands(t, count, &plan, &d, &address));
    return ilc__il_branch(t, plan.row, d, target_at(t, 0));
}

static ilc_status switch_table(ilc__il_translator *t)
{
    ILC__TRY(ilc__il_need(t, 1));
    if (ilc__il_cell_at(t, 0)->kind != ILC__K_I4) return ilc__il_wrong_kinds(t, ilc__il_cell_at(t, 0)->kind, ILC__K_NONE);
    uint32_t  d = ilc__il_slot_at(t, 0), count = t->insn->u.branch.count;
    uint32_t *targets = NULL;
    t->depth--;
    if (count) targets = ILC__NEW_ARRAY(t->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) targets[i] = target_at(t, i);
    return ilc__il_branch_table(t, d, count, targets);
}

/* --- arrays ----------------------------------------------------------------------------------------------- */

ilc__il_element ilc__il_element_of(ilc_storage storage)
{
    switch (storage) {
    case ILC_BOOL:
    case ILC_U8: return ILC__E_U1;
    case ILC_I8: return ILC__E_I1;
    case ILC_CHAR:
    case ILC_U16: return ILC__E_U2;
    case ILC_I16: return ILC__E_I2;
    case ILC_I32:
    case ILC_U32: return ILC__E_I4;
    case ILC_F32: return ILC__E_R4;
    case ILC_F64: return ILC__E_R8;
    default: return ILC__E_I8;
    }
}

static uint32_t element_size(ilc__il_element e)
{
    static const uint32_t sizes[] = {
#define X(id, ctype, kind) (uint32_t)sizeof(ctype),
        ILC__ELEMENTS(X)
#undef X
    };
    return sizes[e];
}

static ilc__il_kind element_kind(ilc__il_element e)
{
    static const ilc__il_kind kinds[] = {
#define X(id, ctype, kind) ILC__K_##kind,
        ILC__ELEMENTS(X)
#undef X
    };
    return kinds[e];
}

static bool is_real(ilc__il_element e)
{
    return e == ILC__E_R4 || e == ILC__E_R8;
}

bool ilc__il_same_width(ilc_storage a, ilc_storage b)
{
    ilc__il_element x = ilc__il_element_of(a), y = ilc__il_element_of(b);
    return element_size(x) == element_size(y) && is_real(x) == is_real(y);
}

ilc_status ilc__il_token_type(ilc__il_translator *t, ilc__il_variable *out)
{
    const ilc__type *type;
    ILC__TRY(ilc__body_type(&t->code->body, t->insn, &type));
    ilc_storage storage = ilc__type_storage(type);
    if (storage == ILC_VOID || (storage == ILC_STORAGE_COUNT && !ilc__type_is_struct(type)))
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s of %s", ilc__opcode_name(t->insn->op), type->name);
    return ilc__il_describe(t, type, out);
}

/* III.4.7: the instruction names the width; the array must have it. */
ilc_status ilc__il_check_element(ilc__il_translator *t, uint32_t below, const ilc__il_variable *v)
{
    const ilc__il_cell *index = ilc__il_cell_at(t, below), *array = ilc__il_cell_at(t, below + 1);
    const char         *name = ilc__opcode_name(t->insn->op);
    if (index->kind != ILC__K_I4 && index->kind != ILC__K_I8)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s with %s as index", name, ilc__il_kind_name(index->kind));
    if (array->kind == ILC__K_NULL) return ILC_OK;
    if (array->kind != ILC__K_ARRAY) return ilc__il_wrong_kinds(t, array->kind, ILC__K_NONE);
    bool vector = array->rank < 2 && array->nested == 0;
    if (vector && array->layout == v->layout && (v->layout || ilc__il_same_width((ilc_storage)array->elem, v->storage)))
        return ILC_OK;
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s on an array of %s", name,
                          array->layout ? array->layout->name : ilc_storage_name((ilc_storage)array->elem));
}

static ilc_status load_element(ilc__il_translator *t, const ilc__il_variable *v)
{
    ilc__il_element e = ilc__il_element_of(v->storage);
    ILC__TRY(ilc__il_need(t, 2));
    ILC__TRY(ilc__il_check_element(t, 0, v));
    uint32_t wide = ilc__il_cell_at(t, 0)->kind == ILC__K_I8, d = ilc__il_slot_at(t, 1);
    ilc__il_emit(t, ILC__DO_LOAD_FIRST + 2 * (uint32_t)e + wide, d);
    t->depth -= 2;
    return ilc__il_push(t, element_kind(e));
}

static ilc_status store_element(ilc__il_translator *t, const ilc__il_variable *v)
{
    static const ilc_storage storages[] = {ILC_I32, ILC_I32, ILC_I32, ILC_I32, ILC_I32, ILC_I64, ILC_F32, ILC_F64};
    ilc__il_element e = ilc__il_element_of(v->storage);
    ilc__il_row     row;
    bool            same;
    ILC__TRY(ilc__il_need(t, 3));
    ILC__TRY(ilc__il_check_element(t, 1, v));
    ilc__il_kind kind = ilc__il_cell_at(t, 0)->kind;
    /* int32 into int64[]: CoreCLR stores what the register's upper half held */
    bool half = e == ILC__E_I8 && kind == ILC__K_I4;
    if (half || !ilc__il_coerce(kind, storages[e], &row, &same)) return ilc__il_wrong_kinds(t, kind, ILC__K_NONE);
    if (!same) ilc__il_emit(t, row, ilc__il_slot_at(t, 0));
    uint32_t wide = ilc__il_cell_at(t, 1)->kind == ILC__K_I8;
    ilc__il_emit(t, ILC__DO_STORE_FIRST + 2 * (uint32_t)e + wide, ilc__il_slot_at(t, 2));
    t->depth -= 3;
    return ILC_OK;
}

/* III.4.12 says native unsigned int; CoreCLR's compiler makes it int32, which shows in what follows without a
 * conversion: ldlen; not; conv.r.un. */
static ilc_status array_length(ilc__il_translator *t)
{
    ILC__TRY(ilc__il_need(t, 1));
    uint8_t kind = ilc__il_cell_at(t, 0)->kind;
    bool vector = kind == ILC__K_ARRAY && ilc__il_cell_at(t, 0)->rank < 2;
    if (!vector && kind != ILC__K_NULL) return ilc__il_wrong_kinds(t, kind, ILC__K_NONE);
    ilc__il_emit(t, ILC__DO_LENGTH, ilc__il_slot_at(t, 0));
    t->depth--;
    return ilc__il_push(t, ILC__K_I4);
}

/* --- throw, return ----------------------------------------------------------------------------------------- */

static ilc_status throw_top(ilc__il_translator *t)
{
    ILC__TRY(ilc__il_need(t, 1));
    uint8_t kind = ilc__il_cell_at(t, 0)->kind;
    if (kind != ILC__K_EXCEPTION && kind != ILC__K_NULL) return ilc__il_wrong_kinds(t, kind, ILC__K_NONE);
    ilc__il_emit(t, ILC__DO_THROW, ilc__il_slot_at(t, 0));
    t->depth--;
    return ILC_OK;
}

static ilc_status return_top(ilc__il_translator *t)
{
    const ilc__il_variable *to = &t->code->result;
    uint32_t                count = to->storage == ILC_VOID ? 0 : 1;
    ILC__TRY(ilc__il_need(t, count));
    if (t->depth != count) return ilc__il_refuse(t, ILC_FORMAT, "ret left values on the stack");
    if (count == 0) {
        ilc__il_emit(t, ILC__DO_RETURN_VOID, 0);
        return ILC_OK;
    }
    ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, 0), ilc__il_slot_at(t, 0), to));
    if (to->kind == ILC__K_ADDR) /* an address of what ends with the frame leads nowhere */
        ilc__il_copy(t, ILC__DO_CHECK_RESULT, ilc__il_slot_at(t, 0), t->code->memory_slot, t->code->memory_size);
    ilc__il_emit(t, ILC__DO_RETURN, ilc__il_slot_at(t, 0));
    t->depth--;
    return ILC_OK;
}

/* --- dispatch --------------------------------------------------------------------------------------------- */

static ilc_status nothing(ilc__il_translator *t)
{
    ilc__il_emit(t, ILC__DO_NOP, 0);
    return ILC_OK;
}

static ilc_status drop(ilc__il_translator *t)
{
    ILC__TRY(ilc__il_need(t, 1));
    t->depth--;
    return nothing(t);
}

/* Array instructions that name their element. */
static bool element_form(ilc__opcode op, bool *store, ilc_storage *storage)
{
    static const struct {
        ilc__opcode op;
        ilc_storage storage;
    } forms[] = {
        {ILC__IL_LDELEM_I1, ILC_I8},  {ILC__IL_LDELEM_U1, ILC_U8},  {ILC__IL_LDELEM_I2, ILC_I16},
        {ILC__IL_LDELEM_U2, ILC_U16}, {ILC__IL_LDELEM_I4, ILC_I32}, {ILC__IL_LDELEM_U4, ILC_U32},
        {ILC__IL_LDELEM_I8, ILC_I64}, {ILC__IL_LDELEM_I, ILC_INT},  {ILC__IL_LDELEM_R4, ILC_F32},
        {ILC__IL_LDELEM_R8, ILC_F64}, {ILC__IL_STELEM_I1, ILC_I8},  {ILC__IL_STELEM_I2, ILC_I16},
        {ILC__IL_STELEM_I4, ILC_I32}, {ILC__IL_STELEM_I8, ILC_I64}, {ILC__IL_STELEM_I, ILC_INT},
        {ILC__IL_STELEM_R4, ILC_F32}, {ILC__IL_STELEM_R8, ILC_F64},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (forms[i].op != op) continue;
        *store = i >= 10;
        *storage = forms[i].storage;
        return true;
    }
    return false;
}

static ilc_status step_array(ilc__il_translator *t)
{
    bool             store = t->insn->op == ILC__IL_STELEM;
    ilc__il_variable v = {.kind = ILC__K_NONE};
    const ilc__type *type = NULL;
    if (t->insn->op == ILC__IL_LDELEM)
        ILC__TRY(ilc__body_type(&t->code->body, t->insn, &type));
    if (type && type->kind == ILC__ET_SZARRAY) return ilc__il_step_inner_array(t); /* III.4.8: as ldelem.ref */
    if (t->insn->op == ILC__IL_LDELEM || store) ILC__TRY(ilc__il_token_type(t, &v));
    else if (!element_form(t->insn->op, &store, &v.storage)) return unsupported_here(t);
    if (v.layout) return ilc__il_step_struct_element(t, &v);
    return store ? store_element(t, &v) : load_element(t, &v);
}

/* How many operands an arithmetic instruction takes; 0 where it is none. */
static uint32_t arithmetic_operands(ilc__opcode op)
{
    if (op >= ILC__IL_ADD && op <= ILC__IL_SHR_UN) return 2;
    if (op >= ILC__IL_ADD_OVF && op <= ILC__IL_SUB_OVF_UN) return 2;
    if (op >= ILC__IL_CEQ && op <= ILC__IL_CLT_UN) return 2;
    if (op >= ILC__IL_NEG && op <= ILC__IL_CONV_U8) return 1;
    if (op >= ILC__IL_CONV_OVF_I1_UN && op <= ILC__IL_CONV_OVF_U_UN) return 1;
    if (op >= ILC__IL_CONV_OVF_I1 && op <= ILC__IL_CONV_OVF_U8) return 1;
    if (op >= ILC__IL_CONV_U2 && op <= ILC__IL_CONV_OVF_U) return 1;
    return op == ILC__IL_CONV_U ? 1 : 0;
}

static ilc_status step_rest(ilc__il_translator *t)
{
    ilc__opcode op = t->insn->op;
    uint32_t    count = arithmetic_operands(op);
    if (count) return compute(t, count);
    if (op >= ILC__IL_BEQ_S && op <= ILC__IL_BLT_UN_S) return branch_if(t, 2);
    if (op >= ILC__IL_BEQ && op <= ILC__IL_BLT_UN) return branch_if(t, 2);
    if (op >= ILC__IL_LDIND_I1 && op <= ILC__IL_LDIND_R8) return ilc__il_step_memory(t);
    if (op >= ILC__IL_STIND_I1 && op <= ILC__IL_STIND_R8) return ilc__il_step_memory(t);
    return step_array(t);
}

ilc_status ilc__il_step(ilc__il_translator *t)
{
    switch (t->insn->op) {
    case ILC__IL_NOP:
    case ILC__IL_TAIL:
    case ILC__IL_VOLATILE:
    case ILC__IL_UNALIGNED:
    case ILC__IL_READONLY:
    case ILC__IL_CONSTRAINED: return nothing(t); /* il/callee.c looks back at it */
    case ILC__IL_LDARG_0:
    case ILC__IL_LDARG_1:
    case ILC__IL_LDARG_2:
    case ILC__IL_LDARG_3:
    case ILC__IL_LDARG_S:
    case ILC__IL_LDARG: return load_variable(t, false);
    case ILC__IL_LDLOC_0:
    case ILC__IL_LDLOC_1:
    case ILC__IL_LDLOC_2:
    case ILC__IL_LDLOC_3:
    case ILC__IL_LDLOC_S:
    case ILC__IL_LDLOC: return load_variable(t, true);
    case ILC__IL_STARG_S:
    case ILC__IL_STARG: return store_variable(t, false);
    case ILC__IL_STLOC_0:
    case ILC__IL_STLOC_1:
    case ILC__IL_STLOC_2:
    case ILC__IL_STLOC_3:
    case ILC__IL_STLOC_S:
    case ILC__IL_STLOC: return store_variable(t, true);
    case ILC__IL_LDARGA_S:
    case ILC__IL_LDARGA: return ilc__il_step_address(t, false);
    case ILC__IL_LDLOCA_S:
    case ILC__IL_LDLOCA: return ilc__il_step_address(t, true);
    case ILC__IL_LDELEMA:
    case ILC__IL_LDOBJ:
    case ILC__IL_STOBJ:
    case ILC__IL_CPOBJ:
    case ILC__IL_INITOBJ:
    case ILC__IL_STIND_I: return ilc__il_step_memory(t);
    case ILC__IL_LDFLD:
    case ILC__IL_LDFLDA:
    case ILC__IL_STFLD: return ilc__il_step_field(t);
    case ILC__IL_CPBLK:
    case ILC__IL_INITBLK: return ilc__il_step_bytes(t);
    case ILC__IL_SIZEOF: return ilc__il_step_sizeof(t);
    case ILC__IL_LDC_I4_M1:
    case ILC__IL_LDC_I4_0:
    case ILC__IL_LDC_I4_1:
    case ILC__IL_LDC_I4_2:
    case ILC__IL_LDC_I4_3:
    case ILC__IL_LDC_I4_4:
    case ILC__IL_LDC_I4_5:
    case ILC__IL_LDC_I4_6:
    case ILC__IL_LDC_I4_7:
    case ILC__IL_LDC_I4_8:
    case ILC__IL_LDC_I4_S:
    case ILC__IL_LDC_I4: return constant_i4(t, t->insn->u.i);
    case ILC__IL_LDC_I8: return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_I8}, (uint64_t)t->insn->u.i);
    case ILC__IL_LDC_R4: return constant_r4(t);
    case ILC__IL_LDC_R8: return constant_r8(t);
    case ILC__IL_LDNULL: return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_NULL}, 0);
    case ILC__IL_LDSTR: return string_constant(t);
    case ILC__IL_DUP: return duplicate(t);
    case ILC__IL_POP: return drop(t);
    case ILC__IL_CONV_R_UN: return convert_unsigned(t);
    case ILC__IL_BR_S:
    case ILC__IL_BR: return ilc__il_branch(t, ILC__DO_JUMP, 0, target_at(t, 0));
    case ILC__IL_BRTRUE_S:
    case ILC__IL_BRTRUE:
    case ILC__IL_BRFALSE_S:
    case ILC__IL_BRFALSE: return branch_if(t, 1);
    case ILC__IL_SWITCH: return switch_table(t);
    case ILC__IL_LDLEN: return array_length(t);
    case ILC__IL_LDELEM_REF: return ilc__il_step_inner_array(t);
    case ILC__IL_NEWARR: return ilc__il_step_new_array(t);
    case ILC__IL_LDSFLD: return ilc__il_step_static(t);
    case ILC__IL_STSFLD: return t->machine->initialised ? ilc__il_step_static(t) : step_rest(t);
    case ILC__IL_LDSFLDA: return ilc__il_step_data(t);
    case ILC__IL_LOCALLOC: return ilc__il_step_localloc(t);
    case ILC__IL_LDTOKEN: return ilc__il_step_token(t);
    case ILC__IL_CALL: return ilc__il_step_call(t);
    case ILC__IL_CALLVIRT: return ilc__il_step_call(t);
    case ILC__IL_NEWOBJ: return ilc__il_step_new(t);
    case ILC__IL_BOX: return ilc__il_step_box(t);
    case ILC__IL_THROW: return throw_top(t);
    case ILC__IL_RET: return return_top(t);
    default: return step_rest(t);
    }
}
