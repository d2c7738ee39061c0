/* lift_ops.c - one instruction at a time: constants, variables, arithmetic, compares, branches, arrays.
 * Which operation an opcode means for which stack type stands in the tables; conversions are in lift_conv.c,
 * calls and exceptions in lift_call.c. */
#include "ir/lift.h"

/* --- arithmetic
 * --------------------------------------------------------------------------------------------- */

typedef struct typed_op { /* by the type of the operands, in the order of ilc__ir_type from I32 on */
    ilc__opcode op;
    ilc__op     ops[4];
} typed_op;

#define ALL(id, name)                                                                                        \
    {                                                                                                        \
        ILC__IL_##id,                                                                                        \
        {                                                                                                    \
            ILC__OP_##name##_I32, ILC__OP_##name##_I64, ILC__OP_##name##_F32, ILC__OP_##name##_F64           \
        }                                                                                                    \
    }
#define INTS(id, name)                                                                                       \
    {                                                                                                        \
        ILC__IL_##id,                                                                                        \
        {                                                                                                    \
            ILC__OP_##name##_I32, ILC__OP_##name##_I64                                                       \
        }                                                                                                    \
    }

static const typed_op binaries[] = {
    ALL(ADD, ADD),
    ALL(SUB, SUB),
    ALL(MUL, MUL),
    ALL(DIV, DIV),
    ALL(REM, REM),
    INTS(DIV_UN, DIV_UN),
    INTS(REM_UN, REM_UN),
    INTS(AND, AND),
    INTS(OR, OR),
    INTS(XOR, XOR),
    INTS(ADD_OVF, ADD_OVF),
    INTS(SUB_OVF, SUB_OVF),
    INTS(MUL_OVF, MUL_OVF),
    INTS(ADD_OVF_UN, ADD_OVF_UN),
    INTS(SUB_OVF_UN, SUB_OVF_UN),
    INTS(MUL_OVF_UN, MUL_OVF_UN),
    ALL(CEQ, EQ),
    ALL(CGT, GT),
    ALL(CGT_UN, GT_UN),
    ALL(CLT, LT),
    ALL(CLT_UN, LT_UN),
};

static const typed_op shifts[] = {INTS(SHL, SHL), INTS(SHR, SHR), INTS(SHR_UN, SHR_UN)};

static const typed_op unaries[] = {ALL(NEG, NEG), INTS(NOT, NOT)};

/* Branches on a compare: III.3.5 to 3.14. The .un forms are "or unordered" for floats. */
static const typed_op branches[] = {
    ALL(BEQ, EQ),       ALL(BEQ_S, EQ),       ALL(BNE_UN, NE),    ALL(BNE_UN_S, NE),
    ALL(BGE, GE),       ALL(BGE_S, GE),       ALL(BGT, GT),       ALL(BGT_S, GT),
    ALL(BLE, LE),       ALL(BLE_S, LE),       ALL(BLT, LT),       ALL(BLT_S, LT),
    ALL(BGE_UN, GE_UN), ALL(BGE_UN_S, GE_UN), ALL(BGT_UN, GT_UN), ALL(BGT_UN_S, GT_UN),
    ALL(BLE_UN, LE_UN), ALL(BLE_UN_S, LE_UN), ALL(BLT_UN, LT_UN), ALL(BLT_UN_S, LT_UN),
};

#define FIND(table, op) find_op(table, sizeof(table) / sizeof(table)[0], op)

static const typed_op *find_op(const typed_op *rows, size_t count, ilc__opcode op)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].op == op) return &rows[i];
    return NULL;
}

static ilc__op op_for(const typed_op *row, ilc__ir_type type)
{
    return row->ops[type - ILC__IR_I32];
}

static ilc_status lift_binary(ilc__lift *l, const typed_op *row)
{
    ilc__lift_slot a, b;
    if (ilc__lift_has_address(l)) {
        ilc__ref ref;
        if (ilc__op_negated(row->ops[0]) == ILC__OP_NONE) return ilc__lift_address_arithmetic(l, row->ops[0]);
        ILC__TRY(ilc__lift_address_compare(l, op_for(row, ILC__IR_I64), &ref));
        return ilc__lift_push_ref(l, ref);
    }
    ILC__TRY(ilc__lift_pop_pair(l, &a, &b));
    ilc__op op = op_for(row, a.type);
    if (!op) return ilc__lift_refuse_pair(l, a, b);
    return ilc__lift_push_ref(l, ilc__lift_emit(l, op, ILC__IR_VOID, 2, a.ref, b.ref));
}

static ilc_status lift_shift(ilc__lift *l, const typed_op *row)
{
    ilc__lift_slot value, count;
    ILC__TRY(ilc__lift_pop_number(l, &count));
    ILC__TRY(ilc__lift_pop_number(l, &value));
    ilc__op op = op_for(row, value.type);
    if (!op || (count.type != ILC__IR_I32 && count.type != ILC__IR_I64))
        return ilc__lift_refuse_pair(l, value, count);
    if (count.type == ILC__IR_I64)
        count.ref = ilc__lift_emit(l, ILC__OP_I32_I64, ILC__IR_VOID, 1, count.ref, 0);
    return ilc__lift_push_ref(l, ilc__lift_emit(l, op, ILC__IR_VOID, 2, value.ref, count.ref));
}

static ilc_status lift_unary(ilc__lift *l, const typed_op *row)
{
    ilc__lift_slot a;
    ILC__TRY(ilc__lift_pop_number(l, &a));
    ilc__op op = op_for(row, a.type);
    if (!op)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s", ilc__opcode_name(l->insn->op),
                                ilc__lift_slot_name(l, a));
    return ilc__lift_push_ref(l, ilc__lift_emit(l, op, ILC__IR_VOID, 1, a.ref, 0));
}

/* --- references
 * ---------------------------------------------------------------------------------------------- */

static bool two_references(const ilc__lift *l)
{
    return l->depth >= 2 && l->stack[l->depth - 1].type == ILC__IR_REF &&
           l->stack[l->depth - 2].type == ILC__IR_REF;
}

/* III.4 table: references are compared for equality, and by cgt.un with null, which says "is not null".
 * The result is to be read as its opposite where *inverted. */
static ilc_status compare_references(ilc__lift *l, ilc__op like, ilc__ref *out, bool *inverted)
{
    ilc__lift_slot b = l->stack[--l->depth], a = l->stack[--l->depth];
    bool           equal = like == ILC__OP_EQ_I32, different = like == ILC__OP_NE_I32;
    different |= (like == ILC__OP_GT_UN_I32 && ilc__lift_is_null(&b)) || (like == ILC__OP_LT_UN_I32 && ilc__lift_is_null(&a));
    if (!equal && !different)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of references", ilc__opcode_name(l->insn->op));
    *inverted = different;
    if (ilc__lift_is_null(&b))
        *out = ilc__lift_emit(l, ILC__OP_ISNULL, ILC__IR_I32, 1, a.ref, 0);
    else if (ilc__lift_is_null(&a))
        *out = ilc__lift_emit(l, ILC__OP_ISNULL, ILC__IR_I32, 1, b.ref, 0);
    else
        *out = ilc__lift_emit(l, ILC__OP_SAMEREF, ILC__IR_I32, 2, a.ref, b.ref);
    return ILC_OK;
}

static ilc_status lift_compare_references(ilc__lift *l, const typed_op *row)
{
    ilc__ref ref;
    bool     inverted;
    ILC__TRY(compare_references(l, row->ops[0], &ref, &inverted));
    if (inverted)
        ref = ilc__lift_emit(l, ILC__OP_EQ_I32, ILC__IR_I32, 2, ref, ilc__lift_const(l, ILC__IR_I32, 0));
    return ilc__lift_push_ref(l, ref);
}

/* --- branches
 * ------------------------------------------------------------------------------------------------ */

static ilc_status lift_compare_branch(ilc__lift *l, const typed_op *row)
{
    ilc__lift_slot a, b;
    l->inverted = false;
    if (two_references(l)) return compare_references(l, row->ops[0], &l->condition, &l->inverted);
    if (ilc__lift_has_address(l)) return ilc__lift_address_compare(l, op_for(row, ILC__IR_I64), &l->condition);
    ILC__TRY(ilc__lift_pop_pair(l, &a, &b));
    l->condition = ilc__lift_emit(l, op_for(row, a.type), ILC__IR_VOID, 2, a.ref, b.ref);
    return ILC_OK;
}

/* brtrue, brfalse: an integer that is not 0, a reference that is not null. */
static ilc_status lift_test_branch(ilc__lift *l, bool when_true)
{
    ilc__lift_slot a;
    ILC__TRY(ilc__lift_pop(l, &a));
    l->inverted = !when_true;
    switch (a.type) {
    case ILC__IR_I32: l->condition = a.ref; return ILC_OK;
    case ILC__IR_I64:
        l->condition =
            ilc__lift_emit(l, ILC__OP_NE_I64, ILC__IR_VOID, 2, a.ref, ilc__lift_const(l, ILC__IR_I64, 0));
        return ILC_OK;
    case ILC__IR_REF:
        l->condition = ilc__lift_emit(l, ILC__OP_ISNULL, ILC__IR_I32, 1, a.ref, 0);
        l->inverted = when_true;
        return ILC_OK;
    case ILC__IR_ADDR:
        if (!a.is_struct) {
            l->condition = ilc__lift_address_test(l, a.ref);
            return ILC_OK;
        }
        /* fall through */
    default:
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s", ilc__opcode_name(l->insn->op),
                                ilc__lift_slot_name(l, a));
    }
}

static ilc_status lift_switch(ilc__lift *l)
{
    ilc__lift_slot a;
    ILC__TRY(ilc__lift_pop_number(l, &a));
    if (a.type != ILC__IR_I32)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "switch of %s", ilc__lift_slot_name(l, a));
    l->condition = a.ref;
    return ILC_OK;
}

/* VB's `Return x` ends before the `ret`, which is End Function's: the return stands where its value was pushed. By-refs
 * stay, as it is their `ret` that may be refused. */
static const ilc__insn *return_place(const ilc__lift *l)
{
    size_t number = (size_t)(l->insn - l->body.insns);
    bool   gives = (l->func->ret != ILC_VOID || l->func->ret_layout) && !l->func->ret_to;
    bool   follows = number > 0 && l->block_at[number] == ILC__NO_BLOCK && l->insn[-1].op != ILC__IL_NOP;
    return gives && follows ? l->insn - 1 : l->insn;
}

static ilc_status lift_return(ilc__lift *l)
{
    ilc__lift_slot slot;
    ilc__ref       ref = 0;
    bool           has_value = l->func->ret != ILC_VOID;
    if (has_value) {
        ILC__TRY(ilc__lift_pop(l, &slot));
        const ilc__pointee *to = l->func->ret_to;
        ilc__ir_var         result = {.is_addr = true};
        if (to) result.storage = to->storage, result.layout = to->layout;
        if (to) ILC__TRY(ilc__lift_coerce_addr(l, slot, &result, &ref));
        else if (l->func->ret_array) ILC__TRY(ilc__lift_coerce_array(l, slot, l->func->ret_array, &ref));
        else ILC__TRY(ilc__lift_coerce(l, slot, l->func->ret, &ref));
    }
    const ilc__insn *place = return_place(l);
    if (l->func->ret_layout) {
        ILC__TRY(ilc__lift_pop(l, &slot));
        l->insn = place;
        ILC__TRY(ilc__lift_keep_at(l, l->initial[l->func->param_count], (ilc__pointee){.layout = l->func->ret_layout}, slot));
    }
    if (l->depth) return ilc__lift_refuse(l, ILC_FORMAT, "ret left values on the stack");
    l->insn = place;
    ilc__lift_emit(l, ILC__OP_RETURN, ILC__IR_VOID, has_value ? 1 : 0, ref, 0);
    return ILC_OK;
}

/* --- arrays
 * --------------------------------------------------------------------------------------------------- */

static ilc_storage access_storage(ilc__opcode op)
{
    switch (op) {
    case ILC__IL_LDELEM_I1:
    case ILC__IL_STELEM_I1: return ILC_I8;
    case ILC__IL_LDELEM_U1: return ILC_U8;
    case ILC__IL_LDELEM_I2:
    case ILC__IL_STELEM_I2: return ILC_I16;
    case ILC__IL_LDELEM_U2: return ILC_U16;
    case ILC__IL_LDELEM_I4:
    case ILC__IL_STELEM_I4: return ILC_I32;
    case ILC__IL_LDELEM_U4: return ILC_U32;
    case ILC__IL_LDELEM_I8:
    case ILC__IL_STELEM_I8: return ILC_I64;
    case ILC__IL_LDELEM_I:
    case ILC__IL_STELEM_I: return ILC_INT;
    case ILC__IL_LDELEM_R4:
    case ILC__IL_STELEM_R4: return ILC_F32;
    case ILC__IL_LDELEM_R8:
    case ILC__IL_STELEM_R8: return ILC_F64;
    default: return ILC_VOID; /* says it by a token */
    }
}

static bool is_float(ilc_storage storage)
{
    return storage == ILC_F32 || storage == ILC_F64;
}

/* What the instruction says that it reads or writes. */
static ilc_status element_type(ilc__lift *l, ilc__pointee *out)
{
    *out = (ilc__pointee){.storage = access_storage(l->insn->op)};
    return out->storage == ILC_VOID ? ilc__lift_token_type(l, out) : ILC_OK;
}

/* The element that an ldelem or stelem reads and writes; on null, which traps, what the instruction says. */
static ilc_status check_access(ilc__lift *l, ilc__lift_slot array, ilc__lift_slot index,
                               const ilc_storage *access, ilc_storage *elem)
{
    if (array.type != ILC__IR_REF)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s", ilc__opcode_name(l->insn->op),
                                ilc__lift_slot_name(l, array));
    if (index.type != ILC__IR_I32 && index.type != ILC__IR_I64)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s with %s as index", ilc__opcode_name(l->insn->op),
                                ilc__lift_slot_name(l, index));
    *elem = array.elem == ILC_VOID ? *access : array.elem;
    if (array.rank > 1 || array.nested)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s on %s", ilc__opcode_name(l->insn->op),
                                ilc__lift_slot_name(l, array));
    if (ilc_storage_size(*elem) == ilc_storage_size(*access) && is_float(*elem) == is_float(*access))
        return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s on an array of %s", ilc__opcode_name(l->insn->op),
                            ilc_storage_name(*elem));
}

/* III.4.8 with an array as type is what ldelem.ref is (F# compiles rows so). */
static ilc_status lift_ldelem_token(ilc__lift *l, bool *is_array)
{
    const ilc__type *type;
    ILC__TRY(ilc__body_type(&l->body, l->insn, &type));
    *is_array = type->kind == ILC__ET_SZARRAY;
    return *is_array ? ilc__lift_ldelem_ref(l) : ILC_OK;
}

static ilc_status lift_ldelem(ilc__lift *l)
{
    ilc__lift_slot index, array, loaded = {0};
    ilc__pointee   type;
    ilc_storage    elem;
    ilc__ref       ref = 0;
    bool           is_array = false;
    if (l->insn->op == ILC__IL_LDELEM) ILC__TRY(lift_ldelem_token(l, &is_array));
    if (is_array) return ILC_OK;
    ILC__TRY(element_type(l, &type));
    ILC__TRY(ilc__lift_pop(l, &index));
    ILC__TRY(ilc__lift_pop(l, &array));
    if (type.layout) {
        ILC__TRY(ilc__lift_element_of(l, array, index, type.layout, &ref));
        return ilc__lift_push_at(l, ref, type);
    }
    ILC__TRY(check_access(l, array, index, &type.storage, &elem));
    loaded.type = ilc__storage_ir_type(elem);
    loaded.ref = ref = ilc__lift_emit(l, ILC__OP_LOAD, loaded.type, 2, array.ref, index.ref);
    l->func->values.items[ref].storage = elem;
    /* ldelem.i1 of a byte[] reads the byte as signed; it says what it reads, the array how it is kept */
    if (type.storage != elem && ilc_storage_size(elem) < 4)
        ILC__TRY(ilc__lift_coerce(l, loaded, type.storage, &ref));
    return ilc__lift_push_ref(l, ref);
}

static ilc_status lift_stelem(ilc__lift *l)
{
    ilc__lift_slot value, index, array;
    ilc__pointee   type;
    ilc_storage    elem;
    ilc__ref       args[3] = {0};
    ILC__TRY(element_type(l, &type));
    ILC__TRY(ilc__lift_pop(l, &value));
    ILC__TRY(ilc__lift_pop(l, &index));
    ILC__TRY(ilc__lift_pop(l, &array));
    if (type.layout) {
        ILC__TRY(ilc__lift_element_of(l, array, index, type.layout, &args[0]));
        return ilc__lift_keep_at(l, args[0], type, value);
    }
    ILC__TRY(check_access(l, array, index, &type.storage, &elem));
    args[0] = array.ref;
    args[1] = index.ref;
    /* int32 into int64[]: CoreCLR stores what the register's upper half held */
    if (value.type == ILC__IR_I32 && ilc_storage_size(elem) == 8 && !is_float(elem))
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of int32", ilc__opcode_name(l->insn->op));
    /* the store itself cuts to the element's width */
    ILC__TRY(ilc__lift_coerce(l, value, ilc_storage_size(elem) < 4 ? ILC_I32 : elem, &args[2]));
    ilc__ref store = ilc__ir_emit(l->func, l->ir, ILC__OP_STORE, ILC__IR_VOID, 3, args);
    l->func->values.items[store].storage = elem;
    l->func->values.items[store].il = l->insn->offset;
    l->func->values.items[store].has_il = true;
    return ILC_OK;
}

/* III.4.12 says native unsigned int; CoreCLR's compiler makes it int32, which shows where no conversion
 * follows. */
static ilc_status lift_ldlen(ilc__lift *l)
{
    ilc__lift_slot array;
    ILC__TRY(ilc__lift_pop(l, &array));
    if (array.type != ILC__IR_REF || array.rank > 1)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "ldlen of %s", ilc__lift_slot_name(l, array));
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_LEN, ILC__IR_I32, 1, array.ref, 0);
    l->func->values.items[ref].storage = array.elem;
    return ilc__lift_push_ref(l, ref);
}

/* --- constants and the stack
 * ------------------------------------------------------------------------------------ */

static ilc_status lift_constant(ilc__lift *l)
{
    uint32_t bits32;
    uint64_t bits64;
    switch (ilc__opcode_operand(l->insn->op)) {
    case ILC__OPERAND_I8:
        return ilc__lift_push_ref(l, ilc__lift_const(l, ILC__IR_I64, (uint64_t)l->insn->u.i));
    case ILC__OPERAND_R4:
        memcpy(&bits32, &l->insn->u.r4, sizeof bits32);
        return ilc__lift_push_ref(l, ilc__lift_const(l, ILC__IR_F32, bits32));
    case ILC__OPERAND_R8:
        memcpy(&bits64, &l->insn->u.r8, sizeof bits64);
        return ilc__lift_push_ref(l, ilc__lift_const(l, ILC__IR_F64, bits64));
    default:
        return ilc__lift_push(l, (ilc__lift_slot){.type = ILC__IR_I32,
                                                  .ref = ilc__lift_const(l, ILC__IR_I32, (uint64_t)l->insn->u.i),
                                                  .is_ldc = true});
    }
}

static ilc_status lift_string(ilc__lift *l)
{
    ilc__lift_slot slot = {0};
    ILC__TRY(ilc__body_string(&l->body, l->insn, &slot.text));
    return ilc__lift_push(l, slot);
}

static ilc_status lift_null(ilc__lift *l)
{
    return ilc__lift_push_ref(l, ilc__lift_const(l, ILC__IR_REF, 0));
}

static ilc_status lift_dup(ilc__lift *l)
{
    ilc__lift_slot slot;
    ILC__TRY(ilc__lift_pop(l, &slot));
    slot.is_ldc = false;
    ILC__TRY(ilc__lift_push(l, slot));
    if (slot.is_struct)
        return ilc__lift_push_at(l, slot.ref, (ilc__pointee){.layout = slot.layout}); /* one of its own */
    return ilc__lift_push(l, slot);
}

static ilc_status lift_variable(ilc__lift *l)
{
    bool        writes = false;
    uint32_t    var = ilc__lift_variable(l, l->insn, &writes);
    uint64_t    number = (uint64_t)l->insn->u.i;
    const char *name = ilc__opcode_name(l->insn->op);
    bool        is_arg = strncmp(name + 2, "arg", 3) == 0;
    uint32_t    slot = ilc__lift_named_slot(l, l->insn);
    if (var) return writes ? ilc__lift_store_var(l, var) : ilc__lift_load_var(l, var);
    if (slot) return writes ? ilc__lift_store_slot(l, slot) : ilc__lift_load_slot(l, slot);
    if (is_arg || number >= l->body.local_count)
        return ilc__lift_refuse(l, ILC_FORMAT, "%s of a variable that does not exist", name);
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of a variable of type %s", name,
                            l->body.locals[number]->name);
}

/* --- dispatch
 * ---------------------------------------------------------------------------------------------------- */

typedef enum shape {
    REFUSED,
    NOTHING,
    CONSTANT,
    STRING,
    NULL_REFERENCE,
    VARIABLE,
    DUP,
    POP,
    CALL,
    NEWOBJ,
    BOX,
    THROW,
    RETURN,
    BRTRUE,
    BRFALSE,
    SWITCH,
    LDLEN,
    NEWARR,
    STATIC,
    TOKEN,
    LOCALLOC,
    LDELEM,
    LDELEM_REF,
    STELEM,
    MEMORY,
    BLOCK,
    FIELD
} shape;

static shape shape_of(ilc__opcode op)
{
    switch (op) {
    case ILC__IL_NOP:
    case ILC__IL_BR:
    case ILC__IL_BR_S:
    case ILC__IL_TAIL:
    case ILC__IL_VOLATILE:
    case ILC__IL_UNALIGNED:
    case ILC__IL_READONLY:
    case ILC__IL_CONSTRAINED: return NOTHING;
    case ILC__IL_LDSTR: return STRING;
    case ILC__IL_LDNULL: return NULL_REFERENCE;
    case ILC__IL_LDARG_0:
    case ILC__IL_LDARG_1:
    case ILC__IL_LDARG_2:
    case ILC__IL_LDARG_3:
    case ILC__IL_LDARG_S:
    case ILC__IL_LDARG:
    case ILC__IL_STARG_S:
    case ILC__IL_STARG:
    case ILC__IL_LDLOC_0:
    case ILC__IL_LDLOC_1:
    case ILC__IL_LDLOC_2:
    case ILC__IL_LDLOC_3:
    case ILC__IL_LDLOC_S:
    case ILC__IL_LDLOC:
    case ILC__IL_STLOC_0:
    case ILC__IL_STLOC_1:
    case ILC__IL_STLOC_2:
    case ILC__IL_STLOC_3:
    case ILC__IL_STLOC_S:
    case ILC__IL_STLOC: return VARIABLE;
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
    case ILC__IL_LDC_I4:
    case ILC__IL_LDC_I8:
    case ILC__IL_LDC_R4:
    case ILC__IL_LDC_R8: return CONSTANT;
    case ILC__IL_DUP: return DUP;
    case ILC__IL_POP: return POP;
    case ILC__IL_CALL:
    case ILC__IL_CALLVIRT: return CALL;
    case ILC__IL_NEWOBJ: return NEWOBJ;
    case ILC__IL_BOX: return BOX;
    case ILC__IL_THROW: return THROW;
    case ILC__IL_RET: return RETURN;
    case ILC__IL_BRTRUE:
    case ILC__IL_BRTRUE_S: return BRTRUE;
    case ILC__IL_BRFALSE:
    case ILC__IL_BRFALSE_S: return BRFALSE;
    case ILC__IL_SWITCH: return SWITCH;
    case ILC__IL_LDLEN: return LDLEN;
    case ILC__IL_NEWARR: return NEWARR;
    case ILC__IL_LDSFLD:
    case ILC__IL_LDSFLDA: return STATIC;
    case ILC__IL_LDTOKEN: return TOKEN;
    case ILC__IL_LOCALLOC: return LOCALLOC;
    case ILC__IL_LDELEM_I1:
    case ILC__IL_LDELEM_U1:
    case ILC__IL_LDELEM_I2:
    case ILC__IL_LDELEM_U2:
    case ILC__IL_LDELEM_I4:
    case ILC__IL_LDELEM_U4:
    case ILC__IL_LDELEM_I8:
    case ILC__IL_LDELEM_I:
    case ILC__IL_LDELEM_R4:
    case ILC__IL_LDELEM_R8:
    case ILC__IL_LDELEM: return LDELEM;
    case ILC__IL_LDELEM_REF: return LDELEM_REF;
    case ILC__IL_STELEM_I:
    case ILC__IL_STELEM_I1:
    case ILC__IL_STELEM_I2:
    case ILC__IL_STELEM_I4:
    case ILC__IL_STELEM_I8:
    case ILC__IL_STELEM_R4:
    case ILC__IL_STELEM_R8:
    case ILC__IL_STELEM: return STELEM;
    default:
        if (ilc__lift_is_block(op)) return BLOCK;
        return ilc__lift_is_memory(op) ? MEMORY : ilc__lift_is_field(op) ? FIELD : REFUSED;
    }
}

bool ilc__lift_handles(ilc__opcode op)
{
    return shape_of(op) != REFUSED || FIND(binaries, op) || FIND(shifts, op) || FIND(unaries, op) ||
           FIND(branches, op) || ilc__lift_is_conversion(op);
}

static ilc_status lift_by_table(ilc__lift *l)
{
    const typed_op *row;
    ilc__opcode     op = l->insn->op;
    if ((row = FIND(binaries, op)) != NULL) {
        bool compares = ilc__op_negated(row->ops[0]) != ILC__OP_NONE;
        return compares && two_references(l) ? lift_compare_references(l, row) : lift_binary(l, row);
    }
    if ((row = FIND(branches, op)) != NULL) return lift_compare_branch(l, row);
    if ((row = FIND(shifts, op)) != NULL) return lift_shift(l, row);
    if ((row = FIND(unaries, op)) != NULL) return lift_unary(l, row);
    return ilc__lift_conversion(l);
}

ilc_status ilc__lift_insn(ilc__lift *l)
{
    ilc__lift_slot slot;
    switch (shape_of(l->insn->op)) {
    case NOTHING: return ILC_OK;
    case CONSTANT: return lift_constant(l);
    case STRING: return lift_string(l);
    case NULL_REFERENCE: return lift_null(l);
    case VARIABLE: return lift_variable(l);
    case DUP: return lift_dup(l);
    case POP: return ilc__lift_pop(l, &slot);
    case CALL: return ilc__lift_call(l);
    case NEWOBJ: return ilc__lift_newobj(l);
    case BOX: return ilc__lift_box(l);
    case THROW: return ilc__lift_throw(l);
    case RETURN: return lift_return(l);
    case BRTRUE: return lift_test_branch(l, true);
    case BRFALSE: return lift_test_branch(l, false);
    case SWITCH: return lift_switch(l);
    case LDLEN: return lift_ldlen(l);
    case NEWARR: return ilc__lift_newarr(l);
    case STATIC: return ilc__lift_static(l);
    case TOKEN: return ilc__lift_token(l);
    case LOCALLOC: return ilc__lift_localloc(l);
    case LDELEM: return lift_ldelem(l);
    case LDELEM_REF: return ilc__lift_ldelem_ref(l);
    case STELEM: return lift_stelem(l);
    case MEMORY: return ilc__lift_memory(l);
    case BLOCK: return ilc__lift_bytes(l);
    case FIELD: return ilc__lift_field(l);
    default: return lift_by_table(l);
    }
}
