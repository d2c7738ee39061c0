/* il_struct.c - structures in the translator: fields, elements, construction, size. On the stack a structure is the
 * address of the slot's own copy, so whatever puts one there copies (ilc__il_own). */
#include "interp/il_translate.h"

/* --- fields ----------------------------------------------------------------------------------------------- */

/* The field that the token names, of the structure or the structure behind the address at `below`. */
static ilc_status find_field(ilc__il_translator *t, uint32_t below, ilc__il_variable *out, uint32_t *offset)
{
    const ilc__field   *field;
    const char         *type_name, *name, *op = ilc__opcode_name(t->insn->op);
    const ilc__il_cell *object = ilc__il_cell_at(t, below);
    ILC__TRY(ilc__resolve_field(t->code->method->image, t->insn->u.token, t->code->method, &field, &type_name, &name));
    bool value = object->kind == ILC__K_STRUCT && t->insn->op == ILC__IL_LDFLD;
    if (!object->layout || (object->kind != ILC__K_ADDR && !value))
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s %s.%s of %s", op, type_name, name, ilc__il_kind_name(object->kind));
    const ilc__type *type = object->layout->type;
    if (type->kind == ILC__ET_GENERICINST) type = type->elem;
    uint32_t number = ilc__layout_field_named(object->layout, name);
    if (number == UINT32_MAX || strcmp(type->name, type_name) != 0)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s %s.%s of a structure %s", op, type_name, name,
                              object->layout->name);
    const ilc__layout_field *found = &object->layout->fields[number];
    *out = (ilc__il_variable){.kind = ILC__K_STRUCT, .storage = ILC_STORAGE_COUNT, .layout = found->layout};
    if (!found->layout) out->storage = found->storage, out->kind = ilc__il_storage_kind(found->storage);
    *offset = found->offset;
    return ILC_OK;
}

static ilc_status load_field(ilc__il_translator *t)
{
    ilc__il_variable field;
    uint32_t         offset, d;
    ILC__TRY(ilc__il_need(t, 1));
    ILC__TRY(find_field(t, 0, &field, &offset));
    d = ilc__il_slot_at(t, 0);
    ilc__il_check_access(t, 0, &field, offset);
    t->depth--;
    ILC__TRY(ilc__il_push_cell(t, ilc__il_cell_of(&field)));
    ilc__il_get(t, &field, d, d, offset);
    if (field.layout) ilc__il_own(t, 0, field.layout);
    return ILC_OK;
}

static ilc_status field_address(ilc__il_translator *t)
{
    ilc__il_variable field;
    uint32_t         offset, d;
    ILC__TRY(ilc__il_need(t, 1));
    ILC__TRY(find_field(t, 0, &field, &offset));
    d = ilc__il_slot_at(t, 0);
    ilc__il_cell *cell = ilc__il_cell_at(t, 0);
    if (cell->pointer) ilc__il_offset(t, d, d, offset);
    else ilc__il_address(t, d, d, offset);
    cell->elem = (uint8_t)field.storage;
    cell->layout = field.layout;
    return ILC_OK;
}

static ilc_status store_field(ilc__il_translator *t)
{
    ilc__il_variable field;
    uint32_t         offset;
    ILC__TRY(ilc__il_need(t, 2));
    if (ilc__il_cell_at(t, 1)->kind == ILC__K_EXCEPTION) { /* nobody reads it */
        ilc__il_emit(t, ILC__DO_NOP, 0);
        t->depth -= 2;
        return ILC_OK;
    }
    ILC__TRY(find_field(t, 1, &field, &offset));
    ilc__il_check_access(t, 1, &field, offset);
    ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, 0), ilc__il_slot_at(t, 0), &field));
    ilc__il_put(t, &field, ilc__il_slot_at(t, 0), ilc__il_slot_at(t, 1), offset);
    t->depth -= 2;
    return ILC_OK;
}

ilc_status ilc__il_step_field(ilc__il_translator *t)
{
    switch (t->insn->op) {
    case ILC__IL_LDFLD: return load_field(t);
    case ILC__IL_LDFLDA: return field_address(t);
    default: return store_field(t);
    }
}

/* --- elements, size --------------------------------------------------------------------------------------- */

ilc_status ilc__il_step_struct_element(ilc__il_translator *t, const ilc__il_variable *element)
{
    bool     is_store = t->insn->op == ILC__IL_STELEM;
    uint32_t count = is_store ? 3 : 2;
    ILC__TRY(ilc__il_need(t, count));
    ILC__TRY(ilc__il_check_element(t, count - 2, element));
    if (is_store) ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, 0), ilc__il_slot_at(t, 0), element));
    ilc__il_element_address(t, count - 2, element);
    if (is_store) ilc__il_put(t, element, ilc__il_slot_at(t, 0), ilc__il_slot_at(t, 2), 0);
    t->depth -= count;
    if (is_store) return ILC_OK;
    ILC__TRY(ilc__il_push_cell(t, ilc__il_cell_of(element)));
    ilc__il_own(t, 0, element->layout);
    return ILC_OK;
}

ilc_status ilc__il_step_sizeof(ilc__il_translator *t)
{
    ilc__il_variable v;
    ilc__il_slot     slot = {.i8 = 0};
    uint64_t         bits;
    ILC__TRY(ilc__il_token_type(t, &v));
    slot.i4 = (int32_t)(v.layout ? v.layout->size : ilc_storage_size(v.storage));
    memcpy(&bits, &slot, sizeof bits);
    return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_I4}, bits);
}

/* --- construction ----------------------------------------------------------------------------------------- */

/* The framework's tuples are known by name: their constructors store each argument. */
bool ilc__il_is_tuple_constructor(const ilc__callee *callee)
{
    static const char prefix[] = "System.ValueTuple`";
    return strncmp(callee->type_name, prefix, sizeof prefix - 1) == 0 && strcmp(callee->name, ".ctor") == 0 &&
           callee->sig.has_this && ilc__type_is_struct(callee->type);
}

/* Arguments of types checked against the signature, from slot `first` on, into the tuple at from's address. */
static ilc_status fill(ilc__il_translator *t, const ilc__callee *callee, const ilc__layout *layout, uint32_t first,
                       uint32_t from, uint32_t offset)
{
    if (callee->sig.param_count != layout->field_count)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "call to %s..ctor with %u arguments", callee->type_name,
                              callee->sig.param_count);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        ilc__il_variable v;
        ILC__TRY(ilc__il_describe(t, callee->sig.params[i], &v));
        const ilc__layout_field *field = &layout->fields[i];
        if (v.layout != field->layout || (!v.layout && v.storage != field->storage))
            return ilc__il_refuse(t, ILC_UNSUPPORTED, "call to %s..ctor of other fields", callee->type_name);
        ilc__il_put(t, &v, first + i, from, offset + field->offset);
    }
    return ILC_OK;
}

ilc_status ilc__il_fill_tuple(ilc__il_translator *t, const ilc__callee *callee)
{
    ilc__il_variable v;
    uint32_t         count = callee->sig.param_count;
    ILC__TRY(ilc__il_describe(t, callee->type, &v));
    uint32_t object = ilc__il_slot_at(t, count);
    ILC__TRY(fill(t, callee, v.layout, object + 1, object, 0));
    t->depth -= count + 1;
    return ILC_OK;
}

/* III.4.21: the constructor gets the address of a zeroed structure, which then is the value. It lies where a
 * structure above the arguments would, since the value's own place may hold the first of them. */
ilc_status ilc__il_new_struct(ilc__il_translator *t, const ilc__callee *callee, const ilc__method *body)
{
    ilc__il_variable v;
    uint32_t         count = callee->sig.param_count, memory = t->code->memory_slot;
    ILC__TRY(ilc__il_describe(t, callee->type, &v));
    uint32_t top = t->code->stack_first + t->depth, d = top - count;
    uint32_t offset = ilc__il_temporary_at(t, t->depth, v.layout->size);
    if (body) {
        for (uint32_t i = 0; i < count; i++) ilc__il_emit(t, ILC__DO_MOVE, top - i)->u.from = top - i - 1;
        ilc__il_address(t, d, memory, offset);
        ilc__il_copy(t, ILC__DO_ZERO, d, 0, v.layout->size);
        ilc__il_code *code = ilc__il_code_of(t->machine, body);
        if (t->emitting) ILC__PUSH(t->machine->arena, &t->code->callees, code);
        ilc__il_emit(t, ILC__DO_CALL, d)->u.callee = code;
    } else {
        ILC__TRY(fill(t, callee, v.layout, d, memory, offset));
    }
    t->depth -= count;
    ILC__TRY(ilc__il_push_cell(t, ilc__il_cell_of(&v)));
    ilc__il_address(t, d, memory, offset);
    ilc__il_own(t, 0, v.layout);
    return ILC_OK;
}
