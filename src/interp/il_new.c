/* il_new.c - arrays that a method makes, in the judge: newarr of any length, ldtoken and InitializeArray. They live
 * until the call ends. */
#include "interp/il_translate.h"

enum { HEADER = (sizeof(ilc_array) + 15) / 16 * 16 };

/* --- instructions ----------------------------------------------------------------------------------------- */

ilc_status ilc__il_step_new_array(ilc__il_translator *t)
{
    ilc__il_variable v;
    ILC__TRY(ilc__il_need(t, 1));
    ILC__TRY(ilc__il_token_type(t, &v));
    const ilc__il_cell *length = ilc__il_cell_at(t, 0);
    if (length->kind != ILC__K_I4 && length->kind != ILC__K_I8)
        return ilc__il_wrong_kinds(t, (ilc__il_kind)length->kind, ILC__K_NONE);
    uint32_t op = length->kind == ILC__K_I8 ? ILC__DO_NEW_WIDE : ILC__DO_NEW;
    ilc_array *like = ILC__NEW(t->machine->arena, ilc_array); /* with no elements */
    *like = (ilc_array){.elem = v.layout ? ILC_STRUCT : v.storage, .layout = v.layout};
    ilc__il_emit(t, op, ilc__il_slot_at(t, 0))->u.like = like;
    t->depth--;
    v.kind = ILC__K_ARRAY;
    return ilc__il_push_cell(t, ilc__il_cell_of(&v));
}

/* III.4.14; the array is the machine's own, as a process has one. */
ilc_status ilc__il_step_static(ilc__il_translator *t)
{
    const ilc__field  *field;
    const ilc__static *value;
    const char        *type_name, *name;
    ilc__il_slot       slot = {.i8 = 0};
    uint64_t           bits;
    ilc__where         where = ilc__method_where(t->code->method, t->insn->offset);
    ILC__TRY(ilc__resolve_field(t->code->method->image, t->insn->u.token, t->code->method, &field, &type_name, &name));
    if (!field) return ilc__il_refuse(t, ILC_UNSUPPORTED, "the static field %s.%s", type_name, name);
    bool is_store = t->insn->op == ILC__IL_STSFLD;
    if (field->owner == t->machine->initialised) return ilc__il_step_place(t, field, is_store);
    if (is_store) return ilc__il_refuse(t, ILC_UNSUPPORTED, "instruction stsfld");
    ILC__TRY(ilc__static_of(t->machine->statics, field, &where, &value));
    if (value->is_array)
        return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_ARRAY, .elem = (uint8_t)value->array.elem}, (uint64_t)(uintptr_t)&value->array);
    switch (value->storage) { /* I.12.1: onto the stack */
    case ILC_I8: slot.i4 = (int8_t)value->bits; break;
    case ILC_I16: slot.i4 = (int16_t)value->bits; break;
    default: memcpy(&slot, &value->bits, ilc_storage_size(value->storage)); break;
    }
    memcpy(&bits, &slot, sizeof bits);
    return ilc__il_constant(t, (ilc__il_cell){.kind = ilc__il_storage_kind(value->storage)}, bits);
}

/* III.4.15 of what a compiler keeps for a literal: nothing writes there. */
ilc_status ilc__il_step_data(ilc__il_translator *t)
{
    const ilc__field  *field;
    const ilc__static *data;
    const char        *type_name, *name;
    ilc__where         where = ilc__method_where(t->code->method, t->insn->offset);
    ILC__TRY(ilc__resolve_field(t->code->method->image, t->insn->u.token, t->code->method, &field, &type_name, &name));
    if (!field || !field->rva || strcmp(field->owner->name, "<PrivateImplementationDetails>") != 0)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "ldsflda of %s.%s", type_name, name);
    ILC__TRY(ilc__static_data(t->machine->statics, field, ILC_U8, &where, &data));
    return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_ADDR, .elem = ILC_U8, .pointer = true, .known = true}, (uint64_t)(uintptr_t)data->array.data);
}

/* III.3.47, zeroed whatever the method says of its locals. */
ilc_status ilc__il_step_localloc(ilc__il_translator *t)
{
    ILC__TRY(ilc__il_need(t, 1));
    ilc__il_kind kind = (ilc__il_kind)ilc__il_cell_at(t, 0)->kind;
    if (kind != ILC__K_I4 && kind != ILC__K_I8) return ilc__il_wrong_kinds(t, kind, ILC__K_NONE);
    ilc__il_emit(t, kind == ILC__K_I8 ? ILC__DO_ALLOC_WIDE : ILC__DO_ALLOC, ilc__il_slot_at(t, 0));
    t->depth--;
    return ilc__il_push_cell(t, (ilc__il_cell){.kind = ILC__K_ADDR, .elem = ILC_U8, .pointer = true});
}

/* III.4.17; of use is only a field with data. */
ilc_status ilc__il_step_token(ilc__il_translator *t)
{
    const ilc__field *field = NULL;
    const char       *type_name, *name;
    if (t->insn->u.token >> 24 == 4)
        ILC__TRY(ilc__resolve_field(t->code->method->image, t->insn->u.token, t->code->method, &field, &type_name, &name));
    return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_TOKEN, .known = field != NULL}, (uint64_t)(uintptr_t)field);
}

bool ilc__il_is_initializer(const ilc__callee *callee)
{
    return strcmp(callee->type_name, "System.Runtime.CompilerServices.RuntimeHelpers") == 0 &&
           strcmp(callee->name, "InitializeArray") == 0 && callee->sig.param_count == 2 && !callee->sig.has_this;
}

ilc_status ilc__il_step_initialize(ilc__il_translator *t)
{
    ILC__TRY(ilc__il_need(t, 2));
    ilc__il_kind array = (ilc__il_kind)ilc__il_cell_at(t, 1)->kind, token = (ilc__il_kind)ilc__il_cell_at(t, 0)->kind;
    if (array != ILC__K_ARRAY || token != ILC__K_TOKEN || !ilc__il_cell_at(t, 0)->known) return ilc__il_wrong_kinds(t, array, token);
    ilc__il_emit(t, ILC__DO_FILL, ilc__il_slot_at(t, 1));
    t->depth -= 2;
    return ILC_OK;
}

/* --- at run time ------------------------------------------------------------------------------------------ */

static ilc__il_trap make(ilc__il_machine *machine, ilc__il_slot *d, int64_t length, const ilc_array *like)
{
    const int64_t most = 0x7FFFFFC7; /* .NET has none longer */
    if (length < 0) return ILC__IL_TRAP_OVERFLOW;
    if (length > most) return ILC__IL_TRAP_MEMORY;
    uint64_t size = (uint64_t)length * (like->layout ? like->layout->size : ilc_storage_size(like->elem));
    uint8_t *at = ilc__il_heap_take(machine, HEADER + size);
    if (!at) return ILC__IL_TRAP_MEMORY;
    ilc_array *array = (ilc_array *)(void *)at;
    *array = *like;
    array->length = length;
    array->data = at + HEADER;
    memset(at + HEADER, 0, (size_t)size);
    d->i8 = (int64_t)(uintptr_t)array;
    return ILC__IL_TRAP_NONE;
}

static ilc__il_trap allocate(ilc__il_machine *machine, ilc__il_slot *d, uint64_t size)
{
    enum { MAX_SIZE = 1 << 20 }; /* of a stack */
    uint8_t *at = size && size <= MAX_SIZE ? ilc__il_heap_take(machine, size) : NULL;
    if (size && !at) return ILC__IL_TRAP_MEMORY;
    if (at) memset(at, 0, (size_t)size);
    d->i8 = (int64_t)(uintptr_t)at;
    return ILC__IL_TRAP_NONE;
}

/* CoreCLR: null, then an ArgumentException where there is less data than the array holds, which is not followed. */
static ilc__il_trap fill(const ilc__il_slot *d)
{
    const ilc_array  *array = ilc__il_array_at(d);
    const ilc__field *field = (const ilc__field *)(uintptr_t)d[1].i8;
    const uint8_t    *bytes;
    size_t            size, wanted;
    if (!array) return ILC__IL_TRAP_NULL;
    wanted = (size_t)array->length * ilc_storage_size(array->elem);
    if (ilc__field_data(field, &bytes, &size) != ILC_OK || size < wanted) return ILC__IL_TRAP_MEMORY;
    memcpy(array->data, bytes, wanted);
    return ILC__IL_TRAP_NONE;
}

ilc__il_trap ilc__il_new_run(ilc__il_machine *machine, ilc__il_slot *fp, const ilc__il_op *op)
{
    ilc__il_slot *d = &fp[op->d];
    switch (op->code) {
    case ILC__DO_NEW: return make(machine, d, d->i4, op->u.like);
    case ILC__DO_NEW_WIDE: return make(machine, d, d->i8, op->u.like);
    case ILC__DO_ALLOC: return allocate(machine, d, (uint32_t)d->i4);
    case ILC__DO_ALLOC_WIDE: return allocate(machine, d, (uint64_t)d->i8);
    case ILC__DO_FILL: return fill(d);
    case ILC__DO_OBJECT:
    case ILC__DO_CONSTRUCT: return ilc__il_own_run(machine, d, op);
    default: return ILC__IL_TRAP_COUNT;
    }
}
