/* il_address.c - by-refs in the translator: places in the frame's memory, and the instructions that make addresses
 * and read and write through them. An address is always of a number or a structure of known type, and always valid:
 * nothing here traps but ldelema. */
#include "interp/il_translate.h"

enum { MAX_MEMORY = 1 << 20, PLACE_ALIGNMENT = 8 };

/* --- places ----------------------------------------------------------------------------------------------- */

static ilc_status reserve(ilc__il_translator *t, uint32_t size, uint32_t *offset)
{
    ilc__il_code *code = t->code;
    uint64_t      end = (uint64_t)code->memory_size + size + PLACE_ALIGNMENT - 1;
    end -= end % PLACE_ALIGNMENT;
    *offset = code->memory_size;
    if (end > MAX_MEMORY)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "local structures of more than %d bytes", MAX_MEMORY);
    code->memory_size = (uint32_t)end;
    return ILC_OK;
}

ilc_status ilc__il_place(ilc__il_translator *t, ilc__il_variable *v, uint32_t size)
{
    if (v->in_memory) return ILC_OK;
    v->in_memory = true;
    return reserve(t, size, &v->offset);
}

uint32_t ilc__il_temporary_at(ilc__il_translator *t, uint32_t depth, uint32_t size)
{
    ilc__il_temporary *temporary = &t->temporaries[depth];
    if (!t->emitting && temporary->size < size) temporary->size = size;
    return temporary->offset;
}

/* Between the walks: the first one found the sizes. */
ilc_status ilc__il_place_temporaries(ilc__il_translator *t)
{
    t->code->zeroed_size = t->code->memory_size;
    for (uint32_t i = 0; i <= t->code->body.max_stack; i++)
        if (t->temporaries[i].size) ILC__TRY(reserve(t, t->temporaries[i].size, &t->temporaries[i].offset));
    return ILC_OK;
}

/* Numbers whose address the body takes lie in memory from the start; parameters that it stores to are noted. */
ilc_status ilc__il_scan_variables(ilc__il_translator *t)
{
    const ilc__body *body = &t->code->body;
    for (uint32_t i = 0; i < body->insn_count; i++) {
        const ilc__insn *insn = &body->insns[i];
        bool local = insn->op == ILC__IL_LDLOCA || insn->op == ILC__IL_LDLOCA_S;
        bool stored = insn->op == ILC__IL_STARG || insn->op == ILC__IL_STARG_S;
        if (!local && !stored && insn->op != ILC__IL_LDARGA && insn->op != ILC__IL_LDARGA_S) continue;
        if (insn->u.i < 0 || insn->u.i >= (local ? body->local_count : t->code->param_count)) continue;
        ilc__il_variable *v = &t->code->variables[insn->u.i + (local ? t->code->param_count : 0)];
        v->reassigned = v->reassigned || stored;
        bool number = (v->kind >= ILC__K_I4 && v->kind <= ILC__K_R8) || ilc__type_span(v->type);
        if (number && !stored) ILC__TRY(ilc__il_place(t, v, PLACE_ALIGNMENT));
    }
    return ILC_OK;
}

/* What a caller left in the frame's slots moves to its memory. */
void ilc__il_take_parameters(ilc__il_translator *t)
{
    for (uint32_t i = 0; i < t->code->param_count; i++) {
        const ilc__il_variable *v = &t->code->variables[i];
        if (v->in_memory) ilc__il_put(t, v, i, t->code->memory_slot, v->offset);
    }
}

/* --- moving values ---------------------------------------------------------------------------------------- */

static void emit_place(ilc__il_translator *t, uint32_t op, uint32_t d, uint32_t from, uint32_t offset)
{
    ilc__il_op *emitted = ilc__il_emit(t, op, d);
    emitted->u.place.from = from;
    emitted->u.place.offset = offset;
}

void ilc__il_address(ilc__il_translator *t, uint32_t d, uint32_t from, uint32_t offset)
{
    emit_place(t, ILC__DO_ADDRESS, d, from, offset);
}

void ilc__il_offset(ilc__il_translator *t, uint32_t d, uint32_t from, uint32_t offset)
{
    emit_place(t, ILC__DO_OFFSET, d, from, offset);
}

void ilc__il_copy(ilc__il_translator *t, uint32_t op, uint32_t d, uint32_t to, uint32_t size)
{
    ilc__il_op *emitted = ilc__il_emit(t, op, d);
    emitted->u.copy.to = to;
    emitted->u.copy.size = size;
}

void ilc__il_get(ilc__il_translator *t, const ilc__il_variable *v, uint32_t d, uint32_t from, uint32_t offset)
{
    if (v->is_span) emit_place(t, ILC__DO_GET_I8, d, from, offset);
    else if (v->layout) ilc__il_address(t, d, from, offset);
    else emit_place(t, ILC__DO_GET_FIRST + (uint32_t)ilc__il_element_of(v->storage), d, from, offset);
}

/* The slot above the stack is free: frames have two beyond max_stack. */
void ilc__il_put(ilc__il_translator *t, const ilc__il_variable *v, uint32_t d, uint32_t from, uint32_t offset)
{
    if (v->is_span) {
        emit_place(t, ILC__DO_PUT_I8, d, from, offset);
    } else if (v->layout) {
        uint32_t to = t->code->stack_first + t->code->body.max_stack + 1;
        ilc__il_address(t, to, from, offset);
        ilc__il_copy(t, ILC__DO_COPY, to, d, v->layout->size);
    } else {
        emit_place(t, ILC__DO_PUT_FIRST + (uint32_t)ilc__il_element_of(v->storage), d, from, offset);
    }
}

void ilc__il_own(ilc__il_translator *t, uint32_t below, const ilc__layout *layout)
{
    uint32_t offset = ilc__il_temporary_at(t, t->depth - 1 - below, layout->size);
    ilc__il_copy(t, ILC__DO_TEMPORARY, ilc__il_slot_at(t, below), offset, layout->size);
}

/* --- instructions ----------------------------------------------------------------------------------------- */

static ilc__il_cell address_of(const ilc__il_variable *v)
{
    return (ilc__il_cell){.kind = ILC__K_ADDR, .elem = (uint8_t)v->storage, .layout = v->layout, .span = v->is_span};
}

ilc_status ilc__il_step_address(ilc__il_translator *t, bool local)
{
    uint32_t slot;
    ILC__TRY(ilc__il_variable_of_operand(t, local, &slot));
    const ilc__il_variable *v = &t->code->variables[slot];
    if (!v->in_memory)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s of a variable of type %s", ilc__opcode_name(t->insn->op),
                              v->type->name);
    ilc__il_cell cell = address_of(v);
    cell.own = true;
    ILC__TRY(ilc__il_push_cell(t, cell));
    ilc__il_address(t, ilc__il_slot_at(t, 0), t->code->memory_slot, v->offset);
    return ILC_OK;
}

/* The address at `below` must be of what an instruction reads or writes; III.1.8.1.2.1 lets signs differ. */
static ilc_status check_address(ilc__il_translator *t, uint32_t below, const ilc__il_variable *v)
{
    const ilc__il_cell *cell = ilc__il_cell_at(t, below);
    const char         *name = ilc__opcode_name(t->insn->op);
    if (cell->kind != ILC__K_ADDR) return ilc__il_wrong_kinds(t, cell->kind, ILC__K_NONE);
    if (cell->span != v->is_span) return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s at the address of a span", name);
    ilc__il_check_access(t, below, v, 0);
    if (cell->pointer) return ILC_OK;
    if (cell->layout != v->layout)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s at the address of %s", name,
                              cell->layout ? cell->layout->name : ilc_storage_name((ilc_storage)cell->elem));
    if (cell->layout || ilc__il_same_width((ilc_storage)cell->elem, v->storage)) return ILC_OK;
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s at the address of %s", name, ilc_storage_name((ilc_storage)cell->elem));
}

static ilc_status load(ilc__il_translator *t, const ilc__il_variable *v)
{
    ILC__TRY(ilc__il_need(t, 1));
    ILC__TRY(check_address(t, 0, v));
    uint32_t d = ilc__il_slot_at(t, 0);
    t->depth--;
    ILC__TRY(ilc__il_push_cell(t, ilc__il_cell_of(v)));
    ilc__il_get(t, v, d, d, 0);
    if (v->layout && !v->is_span) ilc__il_own(t, 0, v->layout);
    return ILC_OK;
}

static ilc_status store(ilc__il_translator *t, const ilc__il_variable *v)
{
    ILC__TRY(ilc__il_need(t, 2));
    ILC__TRY(check_address(t, 1, v));
    /* int32 into 64 bits: CoreCLR stores what the register's upper half held */
    if (v->kind == ILC__K_I8 && ilc__il_cell_at(t, 0)->kind == ILC__K_I4) return ilc__il_wrong_kinds(t, ILC__K_I4, ILC__K_NONE);
    ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, 0), ilc__il_slot_at(t, 0), v));
    ilc__il_put(t, v, ilc__il_slot_at(t, 0), ilc__il_slot_at(t, 1), 0);
    t->depth -= 2;
    return ILC_OK;
}

/* III.4.4: from the address on top to the one below it. */
static ilc_status copy_object(ilc__il_translator *t, const ilc__il_variable *v)
{
    ILC__TRY(ilc__il_need(t, 2));
    ILC__TRY(check_address(t, 0, v));
    ILC__TRY(check_address(t, 1, v));
    uint32_t from = ilc__il_slot_at(t, 0), to = ilc__il_slot_at(t, 1);
    ilc__il_copy(t, ILC__DO_COPY, to, from, v->is_span ? 8 : v->layout ? v->layout->size : ilc_storage_size(v->storage));
    t->depth -= 2;
    return ILC_OK;
}

static ilc_status initialise_object(ilc__il_translator *t, const ilc__il_variable *v)
{
    ILC__TRY(ilc__il_need(t, 1));
    ILC__TRY(check_address(t, 0, v));
    ilc__il_copy(t, ILC__DO_ZERO, ilc__il_slot_at(t, 0), 0, v->is_span ? 8 : v->layout ? v->layout->size : ilc_storage_size(v->storage));
    t->depth--;
    return ILC_OK;
}

static ilc_status element_address(ilc__il_translator *t, const ilc__il_variable *v)
{
    ILC__TRY(ilc__il_need(t, 2));
    ILC__TRY(ilc__il_check_element(t, 0, v));
    ilc__il_element_address(t, 0, v);
    t->depth -= 2;
    return ilc__il_push_cell(t, address_of(v));
}

void ilc__il_element_address(ilc__il_translator *t, uint32_t below, const ilc__il_variable *v)
{
    bool     wide = ilc__il_cell_at(t, below)->kind == ILC__K_I8;
    uint32_t op = wide ? ILC__DO_ELEMENT_WIDE : ILC__DO_ELEMENT;
    ilc__il_emit(t, op, ilc__il_slot_at(t, below + 1))->u.bits =
        v->layout ? v->layout->size : ilc_storage_size(v->storage);
}

/* ldind and stind name what they read and write (III.3.42, 3.62): as stored, the sign is the reader's. */
static bool indirect_form(ilc__opcode op, bool *is_store, ilc_storage *storage)
{
    static const struct {
        ilc__opcode op;
        ilc_storage storage;
    } forms[] = {
        {ILC__IL_LDIND_I1, ILC_I8},  {ILC__IL_LDIND_U1, ILC_U8},  {ILC__IL_LDIND_I2, ILC_I16},
        {ILC__IL_LDIND_U2, ILC_U16}, {ILC__IL_LDIND_I4, ILC_I32}, {ILC__IL_LDIND_U4, ILC_U32},
        {ILC__IL_LDIND_I8, ILC_I64}, {ILC__IL_LDIND_I, ILC_INT},  {ILC__IL_LDIND_R4, ILC_F32},
        {ILC__IL_LDIND_R8, ILC_F64}, {ILC__IL_STIND_I1, ILC_I8},  {ILC__IL_STIND_I2, ILC_I16},
        {ILC__IL_STIND_I4, ILC_I32}, {ILC__IL_STIND_I8, ILC_I64}, {ILC__IL_STIND_I, ILC_INT},
        {ILC__IL_STIND_R4, ILC_F32}, {ILC__IL_STIND_R8, ILC_F64},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (forms[i].op != op) continue;
        *is_store = i >= 10;
        *storage = forms[i].storage;
        return true;
    }
    return false;
}

ilc_status ilc__il_step_memory(ilc__il_translator *t)
{
    ilc__il_variable v = {.kind = ILC__K_NONE};
    bool             is_store;
    if (indirect_form(t->insn->op, &is_store, &v.storage)) {
        v.kind = ilc__il_storage_kind(v.storage);
        return is_store ? store(t, &v) : load(t, &v);
    }
    ILC__TRY(ilc__il_token_type(t, &v));
    switch (t->insn->op) {
    case ILC__IL_LDOBJ: return load(t, &v);
    case ILC__IL_STOBJ: return store(t, &v);
    case ILC__IL_CPOBJ: return copy_object(t, &v);
    case ILC__IL_INITOBJ: return initialise_object(t, &v);
    default: return element_address(t, &v);
    }
}
