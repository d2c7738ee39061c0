/* lift_new.c - arrays that a method makes (docs/memory.md, Local arrays): newarr of a length that is constant, or
 * known to be small, is memory of the frame, others have memory of their own; ldtoken with
 * RuntimeHelpers.InitializeArray fills one. */
#include "ir/lift.h"

enum { MAX_BYTES = 1 << 16, MAX_FILLED = 1024 };

/* In var: an array of it. */
static ilc_status element_of(ilc__lift *l, ilc__ir_var *out)
{
    const ilc__type *type;
    ilc__pointee     what;
    ILC__TRY(ilc__body_type(&l->body, l->insn, &type));
    *out = (ilc__ir_var){.is_array = true, .storage = ilc__type_storage(type)};
    if (out->storage != ILC_STORAGE_COUNT && out->storage != ILC_VOID) return ILC_OK;
    if (!ilc__type_is_struct(type)) return ilc__lift_refuse(l, ILC_UNSUPPORTED, "newarr of %s", type->name);
    ILC__TRY(ilc__lift_token_type(l, &what));
    out->storage = ILC_STRUCT;
    out->layout = what.layout;
    return ILC_OK;
}

/* The largest length: a constant, or what a mask or a small type lets through; false where nothing is known. */
static bool largest_length(const ilc__lift *l, ilc__ref ref, int64_t *out)
{
    const ilc__ir_value *value = ilc__ir_uncopied(l->func, ref);
    const ilc__ir_value *mask = value->op == ILC__OP_AND_I32 ? ilc__ir_uncopied(l->func, value->args[1]) : value;
    *out = value->op == ILC__OP_U8_I32 ? UINT8_MAX : (int32_t)(uint32_t)mask->u.bits;
    return value->op == ILC__OP_U8_I32 || (mask->op == ILC__OP_CONST && (mask == value || *out >= 0));
}

/* As int32, where a conversion to native int stands between. */
static ilc__ref as_int32(ilc__lift *l, ilc__lift_slot length)
{
    const ilc__ir_value *value = &l->func->values.items[length.ref];
    if (length.type == ILC__IR_I32) return length.ref;
    if (value->op == ILC__OP_I64_I32 || value->op == ILC__OP_OVF_U64_I32) return value->args[0];
    if (value->op == ILC__OP_CONST && (int64_t)value->u.bits == (int32_t)(uint32_t)value->u.bits)
        return ilc__lift_const(l, ILC__IR_I32, value->u.bits);
    return 0;
}

/* OverflowException where the array would be made; what stands behind sees null, and is never reached. */
static ilc_status lift_negative(ilc__lift *l, const ilc__ir_var *like)
{
    ilc__ref length = ilc__lift_const(l, ILC__IR_I32, UINT64_MAX);
    ilc__lift_emit(l, ILC__OP_OVF_U32_I32, ILC__IR_I32, 1, length, 0);
    ilc__ref null = ilc__lift_const(l, ILC__IR_REF, 0);
    l->func->values.items[null].storage = like->storage;
    return ilc__lift_push_array(l, null, like);
}

static uint32_t array_slot(ilc__lift *l, const ilc__ir_var *like, bool is_dynamic, uint32_t count)
{
    return ilc__ir_add_slot(l->func, (ilc__ir_slot){.name = ilc__arena_printf(l->func->arena, "S_%u", l->temp_count++),
                                                    .storage = like->storage,
                                                    .layout = like->layout,
                                                    .is_array = true,
                                                    .is_dynamic = is_dynamic,
                                                    .count = count,
                                                    .is_temp = true});
}

ilc_status ilc__lift_newarr(ilc__lift *l)
{
    ilc__lift_slot length;
    ilc__ir_var    like;
    int64_t        count;
    ILC__TRY(element_of(l, &like));
    ILC__TRY(ilc__lift_pop_number(l, &length));
    if (length.type != ILC__IR_I32 && length.type != ILC__IR_I64)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "newarr with %s as length", ilc__lift_slot_name(l, length));
    ilc__ref ref32 = as_int32(l, length);
    bool     is_known = ref32 && largest_length(l, ref32, &count);
    if (is_known && count < 0) return lift_negative(l, &like);
    bool     is_small = is_known && !like.layout && count <= MAX_BYTES && count * ilc_storage_size(like.storage) <= MAX_BYTES;
    uint32_t slot = array_slot(l, &like, !is_small, is_small ? (uint32_t)count : 0);
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_NEWARR, ILC__IR_REF, 1, ref32 ? ref32 : length.ref, 0);
    l->func->values.items[ref].storage = like.storage;
    l->func->values.items[ref].layout = like.layout;
    l->func->values.items[ref].u.slot = slot;
    return ilc__lift_push_array(l, ref, &like);
}

/* --- data ------------------------------------------------------------------------------------------------- */

ilc_status ilc__lift_token(ilc__lift *l)
{
    const char    *type_name, *name;
    ilc__lift_slot slot = {0};
    if (l->insn->u.token >> 24 != 4) return ilc__lift_push(l, slot); /* of a type or method: to be dropped only */
    ILC__TRY(ilc__resolve_field(l->method->image, l->insn->u.token, l->method, &slot.field, &type_name, &name));
    return ilc__lift_push(l, slot);
}

bool ilc__lift_is_initializer(const ilc__callee *callee)
{
    return strcmp(callee->type_name, "System.Runtime.CompilerServices.RuntimeHelpers") == 0 &&
           strcmp(callee->name, "InitializeArray") == 0 && !callee->sig.has_this && callee->sig.param_count == 2;
}

static const ilc__ir_value *made_by(const ilc__lift *l, ilc__ref ref)
{
    const ilc__ir_value *value = ilc__ir_uncopied(l->func, ref);
    return value->op == ILC__OP_NEWARR ? value : NULL;
}

static ilc__ref element_constant(ilc__lift *l, ilc_storage elem, const uint8_t *at)
{
    uint64_t bits = 0;
    memcpy(&bits, at, ilc_storage_size(elem));
    switch (elem) {
    case ILC_I8: bits = (uint64_t)(int64_t)(int8_t)bits; break;
    case ILC_I16: bits = (uint64_t)(int64_t)(int16_t)bits; break;
    default: break;
    }
    return ilc__lift_const(l, ilc__storage_ir_type(elem), bits);
}

ilc_status ilc__lift_initialize(ilc__lift *l)
{
    ilc__lift_slot token, array;
    const uint8_t *bytes;
    size_t         size;
    ILC__TRY(ilc__lift_pop(l, &token));
    ILC__TRY(ilc__lift_pop(l, &array));
    const ilc__ir_value *made = array.type == ILC__IR_REF && array.elem != ILC_VOID ? made_by(l, array.ref) : NULL;
    if (!token.field || !made || array.layout || l->func->slots.items[made->u.slot].table || l->func->values.items[made->args[0]].op != ILC__OP_CONST)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "InitializeArray of an array that was not made right here");
    uint32_t count = (uint32_t)l->func->values.items[made->args[0]].u.bits, width = ilc_storage_size(array.elem);
    ILC__TRY(ilc__field_data(token.field, &bytes, &size));
    if (count > MAX_FILLED)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "an array literal of more than %d elements", MAX_FILLED);
    if (size < (size_t)count * width)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "InitializeArray from less data than the array holds");
    for (uint32_t i = 0; i < count; i++) {
        ilc__ref args[3] = {array.ref, ilc__lift_const(l, ILC__IR_I32, i), element_constant(l, array.elem, bytes + (size_t)i * width)};
        ilc__ref ref = ilc__ir_emit(l->func, l->ir, ILC__OP_STORE, ILC__IR_VOID, 3, args);
        l->func->values.items[ref].storage = array.elem;
        l->func->values.items[ref].il = l->insn->offset;
        l->func->values.items[ref].has_il = true;
    }
    return ILC_OK;
}

/* --- static fields ---------------------------------------------------------------------------------------- */

static uint32_t table_slot(ilc__lift *l, const ilc__static *table)
{
    for (uint32_t s = 1; s < l->func->slots.count; s++)
        if (l->func->slots.items[s].table == table) return s;
    return ilc__ir_add_slot(l->func, (ilc__ir_slot){.name = ilc__arena_printf(l->func->arena, "S_%u", l->temp_count++),
                                                    .storage = table->array.elem,
                                                    .is_array = true,
                                                    .count = (uint32_t)table->array.length,
                                                    .table = table,
                                                    .is_temp = true});
}

ilc__ref ilc__lift_table(ilc__lift *l, const ilc__static *table)
{
    uint32_t slot = table_slot(l, table);
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_NEWARR, ILC__IR_REF, 1, ilc__lift_const(l, ILC__IR_I32, (uint64_t)table->array.length), 0);
    l->func->values.items[ref].storage = table->array.elem;
    l->func->values.items[ref].u.slot = slot;
    return ref;
}

ilc_status ilc__lift_static_value(ilc__lift *l, const ilc__static **out)
{
    const ilc__field *field;
    const char       *type_name, *name;
    ilc__where        where = ilc__method_where(l->method, l->insn->offset);
    ILC__TRY(ilc__resolve_field(l->method->image, l->insn->u.token, l->method, &field, &type_name, &name));
    if (!field) return ilc__lift_refuse(l, ILC_UNSUPPORTED, "the static field %s.%s", type_name, name);
    return ilc__static_of(l->unit->statics, field, &where, out);
}

ilc_status ilc__lift_static(ilc__lift *l)
{
    const ilc__static *value;
    if (l->insn->op == ILC__IL_LDSFLDA) return ilc__lift_static_address(l);
    ILC__TRY(ilc__lift_static_value(l, &value));
    if (!value->is_array) return ilc__lift_push_ref(l, element_constant(l, value->storage, (const uint8_t *)&value->bits));
    return ilc__lift_push(l, (ilc__lift_slot){.type = ILC__IR_REF, .ref = ilc__lift_table(l, value), .elem = value->array.elem});
}

/* --- made anew -------------------------------------------------------------------------------------------- */

/* What a value may be made of: arrays through copies and phis, addresses of their elements. */
static bool hands_on(const ilc__ir_value *value)
{
    ilc__op op = value->op;
    if (op == ILC__OP_CALL) return value->type == ILC__IR_ADDR || value->type == ILC__IR_REF;
    return op == ILC__OP_COPY || op == ILC__OP_PHI || op == ILC__OP_ELEMADDR || op == ILC__OP_FIELDADDR || op == ILC__OP_ADDADDR ||
           op == ILC__OP_SPANOF || op == ILC__OP_SPAN || op == ILC__OP_SPANAT || op == ILC__OP_DATAADDR;
}

static void spread(const ilc__ir_func *f, bool *derived)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (ilc__ref r = 1; r < f->values.count; r++) {
            const ilc__ir_value *value = &f->values.items[r];
            if (derived[r] || !hands_on(value)) continue;
            for (uint32_t k = 0; k < value->arg_count && !derived[r]; k++)
                if (derived[value->args[k]]) derived[r] = changed = true;
        }
    }
}

/* What comes round a loop does so through a phi above the newarr; what is returned outlives the frame. */
static bool outlives(const ilc__ir_func *f, const bool *derived, const ilc__ir_value *made)
{
    for (ilc__ref r = 1; r < f->values.count; r++) {
        const ilc__ir_value *value = &f->values.items[r];
        if (value->op == ILC__OP_RETURN && f->ret_array && derived[value->args[0]]) return true;
        if (derived[r] && value->op == ILC__OP_PHI && ilc__ir_dominates(f, value->block, made->block)) return true;
    }
    return false;
}

/* An array's memory in the frame is used again when it is made again: where something may be left of the one before, or
 * the array leaves the function, it takes memory of its own. */
void ilc__lift_place_arrays(ilc__lift *l)
{
    enum { MOST = 64 };
    ilc__ir_func *f = l->func;
    uint32_t      made = 0;
    for (ilc__ref r = 1; r < f->values.count; r++) {
        const ilc__ir_value *value = &f->values.items[r];
        ilc__ir_slot        *slot = value->op == ILC__OP_NEWARR ? &f->slots.items[value->u.slot] : NULL;
        if (!slot || slot->table || slot->is_dynamic) continue;
        bool *derived = ILC__NEW_ARRAY(l->arena, bool, f->values.count);
        derived[r] = true;
        spread(f, derived);
        if (++made <= MOST && !outlives(f, derived, value)) continue;
        slot->is_dynamic = true;
        slot->count = 0;
    }
}
