/* lift_conv.c - conv.* from every stack type (ECMA-335 III.3.27 to 3.29, docs/semantics.md): a chain of at
 * most two operations of ops.def, after a float32 has been widened. */
#include "ir/lift.h"

typedef struct conversion {
    ilc__opcode  op;
    ilc__ir_type to;
    ilc__op      i32[2], i64[2], f64[2];
} conversion;

#define O(name) ILC__OP_##name
#define ROW(op, to, ...)                                                                                     \
    {                                                                                                        \
        ILC__IL_CONV_##op, ILC__IR_##to, __VA_ARGS__                                                         \
    }

/* Floats reach the small integers through int32, saturating; native ints are int64. */
static const conversion conversions[] = {
    ROW(I1, I32, {O(I8_I32)}, {O(I32_I64), O(I8_I32)}, {O(I32_F64), O(I8_I32)}),
    ROW(U1, I32, {O(U8_I32)}, {O(I32_I64), O(U8_I32)}, {O(I32_F64), O(U8_I32)}),
    ROW(I2, I32, {O(I16_I32)}, {O(I32_I64), O(I16_I32)}, {O(I32_F64), O(I16_I32)}),
    ROW(U2, I32, {O(U16_I32)}, {O(I32_I64), O(U16_I32)}, {O(I32_F64), O(U16_I32)}),
    ROW(I4, I32, {O(NONE)}, {O(I32_I64)}, {O(I32_F64)}),
    ROW(U4, I32, {O(NONE)}, {O(I32_I64)}, {O(U32_F64)}),
    ROW(I8, I64, {O(I64_I32)}, {O(NONE)}, {O(I64_F64)}),
    ROW(U8, I64, {O(I64_U32)}, {O(NONE)}, {O(U64_F64)}),
    ROW(I, I64, {O(I64_I32)}, {O(NONE)}, {O(I64_F64)}),
    ROW(U, I64, {O(I64_U32)}, {O(NONE)}, {O(U64_F64)}),
    ROW(R4, F32, {O(F32_I32)}, {O(F32_I64)}, {O(F32_F64)}),
    ROW(R8, F64, {O(F64_I32)}, {O(F64_I64)}, {O(NONE)}),
    ROW(R_UN, F64, {O(F64_U32)}, {O(F64_U64)}, {O(NONE)}),
    ROW(OVF_I1, I32, {O(OVF_I8_I32)}, {O(OVF_I8_I64)}, {O(OVF_I8_F64)}),
    ROW(OVF_U1, I32, {O(OVF_U8_I32)}, {O(OVF_U8_I64)}, {O(OVF_U8_F64)}),
    ROW(OVF_I2, I32, {O(OVF_I16_I32)}, {O(OVF_I16_I64)}, {O(OVF_I16_F64)}),
    ROW(OVF_U2, I32, {O(OVF_U16_I32)}, {O(OVF_U16_I64)}, {O(OVF_U16_F64)}),
    ROW(OVF_I4, I32, {O(NONE)}, {O(OVF_I32_I64)}, {O(OVF_I32_F64)}),
    ROW(OVF_U4, I32, {O(OVF_U32_I32)}, {O(OVF_U32_I64)}, {O(OVF_U32_F64)}),
    ROW(OVF_I8, I64, {O(I64_I32)}, {O(NONE)}, {O(OVF_I64_F64)}),
    ROW(OVF_U8, I64, {O(OVF_U64_I32)}, {O(OVF_U64_I64)}, {O(OVF_U64_F64)}),
    ROW(OVF_I, I64, {O(I64_I32)}, {O(NONE)}, {O(OVF_I64_F64)}),
    ROW(OVF_U, I64, {O(OVF_U64_I32)}, {O(OVF_U64_I64)}, {O(OVF_U64_F64)}),
    ROW(OVF_I1_UN, I32, {O(OVF_I8_U32)}, {O(OVF_I8_U64)}, {O(OVF_I8_F64)}),
    ROW(OVF_U1_UN, I32, {O(OVF_U8_U32)}, {O(OVF_U8_U64)}, {O(OVF_U8_F64)}),
    ROW(OVF_I2_UN, I32, {O(OVF_I16_U32)}, {O(OVF_I16_U64)}, {O(OVF_I16_F64)}),
    ROW(OVF_U2_UN, I32, {O(OVF_U16_U32)}, {O(OVF_U16_U64)}, {O(OVF_U16_F64)}),
    ROW(OVF_I4_UN, I32, {O(OVF_I32_U32)}, {O(OVF_I32_U64)}, {O(OVF_I32_F64)}),
    ROW(OVF_U4_UN, I32, {O(NONE)}, {O(OVF_U32_U64)}, {O(OVF_U32_F64)}),
    ROW(OVF_I8_UN, I64, {O(I64_U32)}, {O(OVF_I64_U64)}, {O(OVF_I64_F64)}),
    ROW(OVF_U8_UN, I64, {O(I64_U32)}, {O(NONE)}, {O(OVF_U64_F64)}),
    ROW(OVF_I_UN, I64, {O(I64_U32)}, {O(OVF_I64_U64)}, {O(OVF_I64_F64)}),
    ROW(OVF_U_UN, I64, {O(I64_U32)}, {O(NONE)}, {O(OVF_U64_F64)}),
};

static const conversion *conversion_of(ilc__opcode op)
{
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++)
        if (conversions[i].op == op) return &conversions[i];
    return NULL;
}

bool ilc__lift_is_conversion(ilc__opcode op)
{
    return conversion_of(op) != NULL;
}

static ilc_status push_chain(ilc__lift *l, ilc__ref ref, const ilc__op *chain)
{
    for (int i = 0; i < 2 && chain[i]; i++)
        ref = ilc__lift_emit(l, chain[i], ILC__IR_VOID, 1, ref, 0);
    return ilc__lift_push_ref(l, ref);
}

/* conv.r.un with conv.r4 right behind it, in the same block, rounds once. */
static bool rounds_once(ilc__lift *l)
{
    uint32_t next = (uint32_t)(l->insn - l->body.insns) + 1;
    return l->insn->op == ILC__IL_CONV_R_UN && next < l->blocks[l->current].end &&
           l->body.insns[next].op == ILC__IL_CONV_R4;
}

ilc_status ilc__lift_conversion(ilc__lift *l)
{
    static const ilc__op once_i32[2] = {ILC__OP_F32_U32}, once_i64[2] = {ILC__OP_F32_U64};
    const conversion    *row = conversion_of(l->insn->op);
    ilc__lift_slot       slot;
    const ilc__lift_slot *top = l->depth ? &l->stack[l->depth - 1] : NULL;
    if (top && top->type == ILC__IR_ADDR && !top->is_struct) return ilc__lift_address_conversion(l);
    ILC__TRY(ilc__lift_pop_number(l, &slot));
    bool is_float = slot.type == ILC__IR_F32 || slot.type == ILC__IR_F64;
    if (!is_float && rounds_once(l)) {
        l->skip_next = true;
        return push_chain(l, slot.ref, slot.type == ILC__IR_I32 ? once_i32 : once_i64);
    }
    if (slot.type == ILC__IR_I32) return push_chain(l, slot.ref, row->i32);
    if (slot.type == ILC__IR_I64) return push_chain(l, slot.ref, row->i64);
    if (slot.type == row->to) return ilc__lift_push_ref(l, slot.ref); /* conv.r4 of a float32 */
    return push_chain(l, ilc__lift_widen(l, slot, ILC__IR_F64), row->f64);
}
