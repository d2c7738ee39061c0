/* lift_array.c - arrays of two and three dimensions and jagged ones: Get, Set and Address, what
 * System.Array's members say of an array, and ldelem.ref (docs/memory.md, Arrays). The elements of
 * one-dimensional arrays are in lift_ops.c and lift_memory.c. */
#include "il/instance.h"
#include "ir/lift.h"

enum { MAX_RANK = 3, MAX_NESTED = 2 };

bool ilc__ir_array_type(const ilc__type *type, ilc__ir_var *out)
{
    if (type->kind == ILC__ET_ARRAY) {
        if (type->rank < 2 || type->rank > MAX_RANK) return false;
        out->rank = (uint8_t)type->rank;
        type = type->elem;
    } else if (type->kind == ILC__ET_SZARRAY) {
        for (type = type->elem; type->kind == ILC__ET_SZARRAY && out->nested < MAX_NESTED; type = type->elem)
            out->nested++;
    } else {
        return false;
    }
    out->is_array = true;
    out->storage = ilc__type_storage(type);
    return out->storage != ILC_STORAGE_COUNT && out->storage != ILC_VOID;
}

/* --- which member ----------------------------------------------------------------------------------------
 */

typedef enum member {
    NONE,
    GET,
    SET,
    ADDRESS,
    LENGTH,
    LONG_LENGTH,
    RANK,
    DIMENSION_LENGTH,
    LOWER_BOUND,
    UPPER_BOUND
} member;

static member member_of(const ilc__callee *callee)
{
    static const struct {
        const char *name;
        member      which;
        uint32_t    params;
    } rows[] = {{"get_Length", LENGTH, 0},
                {"get_LongLength", LONG_LENGTH, 0},
                {"get_Rank", RANK, 0},
                {"GetLength", DIMENSION_LENGTH, 1},
                {"GetLowerBound", LOWER_BOUND, 1},
                {"GetUpperBound", UPPER_BOUND, 1}};
    const char *name = callee->name;
    if (!callee->sig.has_this) return NONE;
    if (callee->type && callee->type->kind == ILC__ET_ARRAY) {
        ilc__ir_var array = {0};
        if (!ilc__ir_array_type(callee->type, &array)) return NONE;
        bool is_set = strcmp(name, "Set") == 0;
        if (callee->sig.param_count != callee->type->rank + (is_set ? 1 : 0)) return NONE;
        return is_set ? SET : strcmp(name, "Get") == 0 ? GET : strcmp(name, "Address") == 0 ? ADDRESS : NONE;
    }
    if (strcmp(callee->type_name, "System.Array") != 0) return NONE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0 && rows[i].params == callee->sig.param_count)
            return rows[i].which;
    return NONE;
}

bool ilc__lift_is_array_call(const ilc__callee *callee)
{
    return member_of(callee) != NONE;
}

/* --- elements --------------------------------------------------------------------------------------------
 */

static ilc_status refuse_call(ilc__lift *l, const ilc__callee *callee, ilc__lift_slot on)
{
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "call to %s.%s on %s", callee->type_name, callee->name,
                            ilc__lift_slot_name(l, on));
}

/* The array and the subscripts, from the top of the stack, into args; the element into *elem. */
static ilc_status pop_place(ilc__lift *l, const ilc__callee *callee, ilc__ref *args, ilc_storage *elem)
{
    ilc__ir_var    array = {0};
    ilc__lift_slot slot;
    ilc__ir_array_type(callee->type, &array);
    for (uint32_t i = array.rank; i > 0; i--) {
        ILC__TRY(ilc__lift_pop(l, &slot));
        ILC__TRY(ilc__lift_coerce(l, slot, ILC_I32, &args[i]));
    }
    ILC__TRY(ilc__lift_pop(l, &slot));
    if (!ilc__lift_is_null(&slot) && (slot.type != ILC__IR_REF || slot.rank != array.rank || slot.elem != array.storage))
        return refuse_call(l, callee, slot);
    args[0] = slot.ref;
    *elem = array.storage;
    return ILC_OK;
}

static ilc__ref emit_access(ilc__lift *l, ilc__op op, ilc__ir_type type, ilc_storage elem, uint32_t count,
                            const ilc__ref *args)
{
    ilc__ref       ref = ilc__ir_emit(l->func, l->ir, op, type, count, args);
    ilc__ir_value *value = &l->func->values.items[ref];
    value->storage = elem;
    value->il = l->insn->offset;
    value->has_il = true;
    return ref;
}

static ilc_status lift_get(ilc__lift *l, const ilc__callee *callee, member which)
{
    ilc__ref    args[1 + MAX_RANK];
    ilc_storage elem;
    ILC__TRY(pop_place(l, callee, args, &elem));
    uint32_t count = 1 + callee->type->rank;
    if (which == ADDRESS)
        return ilc__lift_push_addr(l, emit_access(l, ILC__OP_ELEMADDR, ILC__IR_ADDR, elem, count, args), elem,
                                   NULL);
    return ilc__lift_push_ref(l, emit_access(l, ILC__OP_LOAD, ilc__storage_ir_type(elem), elem, count, args));
}

/* The value is there before the array and the subscripts are looked at. */
static ilc_status lift_set(ilc__lift *l, const ilc__callee *callee)
{
    ilc__ref       args[2 + MAX_RANK], value;
    ilc__lift_slot slot;
    ilc_storage    elem = ilc__type_storage(callee->type->elem);
    ILC__TRY(ilc__lift_pop(l, &slot));
    /* int32 for an int64: no compiler leaves it, and what the register's upper half holds is anybody's guess
     */
    if (slot.type == ILC__IR_I32 && ilc__storage_ir_type(elem) == ILC__IR_I64)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "call to %s.Set with int32", callee->type_name);
    ILC__TRY(ilc__lift_coerce(l, slot, ilc_storage_size(elem) < 4 ? ILC_I32 : elem, &value));
    ILC__TRY(pop_place(l, callee, args, &elem));
    args[1 + callee->type->rank] = value;
    emit_access(l, ILC__OP_STORE, ILC__IR_VOID, elem, 2 + callee->type->rank, args);
    return ILC_OK;
}

/* --- what System.Array says -------------------------------------------------------------------------------
 */

static ilc_status push_length(ilc__lift *l, ilc__lift_slot array, ilc__ir_type type)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_LEN, type, 1, array.ref, 0);
    l->func->values.items[ref].storage = array.elem;
    return ilc__lift_push_ref(l, ref);
}

/* The rank itself is known; asking for it is a null check. */
static ilc_status push_rank(ilc__lift *l, ilc__lift_slot array)
{
    ILC__TRY(push_length(l, array, ILC__IR_I32));
    l->stack[l->depth - 1].ref = ilc__lift_const(l, ILC__IR_I32, array.rank > 1 ? array.rank : 1);
    return ILC_OK;
}

static ilc_status push_bound(ilc__lift *l, ilc__lift_slot array, ilc__ref dimension, member which)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_DIM, ILC__IR_I32, 2, array.ref, dimension);
    if (which == LOWER_BOUND)
        ref = ilc__lift_const(l, ILC__IR_I32, 0); /* of all arrays that there are here */
    if (which == UPPER_BOUND)
        ref = ilc__lift_emit(l, ILC__OP_SUB_I32, ILC__IR_I32, 2, ref, ilc__lift_const(l, ILC__IR_I32, 1));
    return ilc__lift_push_ref(l, ref);
}

ilc_status ilc__lift_array_call(ilc__lift *l, const ilc__callee *callee)
{
    member         which = member_of(callee);
    ilc__lift_slot array, dimension;
    ilc__ref       number = 0;
    if (which == GET || which == ADDRESS) return lift_get(l, callee, which);
    if (which == SET) return lift_set(l, callee);
    if (callee->sig.param_count) {
        ILC__TRY(ilc__lift_pop(l, &dimension));
        ILC__TRY(ilc__lift_coerce(l, dimension, ILC_I32, &number));
    }
    ILC__TRY(ilc__lift_pop(l, &array));
    if (array.type != ILC__IR_REF) return refuse_call(l, callee, array);
    switch (which) {
    case LENGTH: return push_length(l, array, ILC__IR_I32);
    case LONG_LENGTH: return push_length(l, array, ILC__IR_I64);
    case RANK: return push_rank(l, array);
    default: return push_bound(l, array, number, which);
    }
}

/* --- arrays in arrays --------------------------------------------------------------------------------------
 */

/* Of the null constant, whose elements might be anything: it raises, and what it would give is null. */
static ilc_status load_from_null(ilc__lift *l, ilc__lift_slot array, ilc__lift_slot index)
{
    ilc__ref args[2] = {array.ref, index.ref};
    if (index.type != ILC__IR_I32 && index.type != ILC__IR_I64)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s with %s as index", ilc__opcode_name(l->insn->op),
                                ilc__lift_slot_name(l, index));
    emit_access(l, ILC__OP_LOAD, ILC__IR_I32, ILC_I32, 2, args);
    return ilc__lift_push_ref(l, ilc__lift_const(l, ILC__IR_REF, 0));
}

static ilc__ref columns(ilc__lift *l, ilc__ref matrix)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_DIM, ILC__IR_I32, 2, matrix, ilc__lift_const(l, ILC__IR_I32, 1));
    l->func->values.items[ref].safe = true;
    return ref;
}

/* A form's row of a matrix: as many elements as there are columns, from i times as many on. A launch looked whether it is there. */
static ilc_status lift_row(ilc__lift *l, ilc__lift_slot matrix, ilc__ref index, const ilc__type *type)
{
    ilc__lift_slot row = {.type = ILC__IR_REF, .elem = matrix.elem, .is_span = ilc__type_span(type) != NULL};
    ilc__ref       at = ilc__lift_emit(l, ILC__OP_I64_I32, ILC__IR_I64, 1, index, 0);
    ilc__ref       start = ilc__lift_emit(l, ILC__OP_MUL_I64, ILC__IR_I64, 2, at, ilc__lift_emit(l, ILC__OP_I64_I32, ILC__IR_I64, 1, columns(l, matrix.ref), 0));
    ilc__ref       length = columns(l, matrix.ref);
    row.ref = ilc__lift_span_value(l, ILC__OP_SPAN, &row, 3, matrix.ref, start, length);
    return ilc__lift_push(l, row);
}

ilc_status ilc__lift_ldelem_ref(ilc__lift *l)
{
    ilc__lift_slot index, array;
    ILC__TRY(ilc__lift_pop(l, &index));
    ILC__TRY(ilc__lift_pop(l, &array));
    if (ilc__row_type(l->insn)) return lift_row(l, array, index.ref, ilc__row_type(l->insn));
    if (ilc__lift_is_null(&array)) return load_from_null(l, array, index);
    if (array.type != ILC__IR_REF || !array.nested ||
        (index.type != ILC__IR_I32 && index.type != ILC__IR_I64))
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s with %s as index",
                                ilc__opcode_name(l->insn->op), ilc__lift_slot_name(l, array),
                                ilc__lift_slot_name(l, index));
    ilc__ref args[2] = {array.ref, index.ref};
    array.ref = emit_access(l, ILC__OP_LOAD, ILC__IR_REF, array.elem, 2, args);
    array.nested--;
    l->func->values.items[array.ref].nested = array.nested;
    return ilc__lift_push(l, array);
}
