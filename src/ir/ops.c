/* ops.c - the table of operations (ops.def, special.def) and what can be asked of a row.
 * Computing a row is in eval.c. */
#include "ir/ir.h"

#define COMMUTES ILC__OPF_COMMUTES
#define COMPARE (ILC__OPF_COMPARE | ILC__OPF_TRUTH)
#define TRUTH ILC__OPF_TRUTH
#define EFFECT ILC__OPF_EFFECT
#define TRAPS ILC__OPF_TRAPS
#define TERMINATOR ILC__OPF_TERMINATOR
/* A row that may raise is part of the effect chain. */
#define NO_TRAP                                                                                              \
    0, 0,                                                                                                    \
    {                                                                                                        \
        {                                                                                                    \
            NULL, ILC__EXC_COUNT                                                                             \
        }                                                                                                    \
    }
#define TRAP1(c, e)                                                                                          \
    TRAPS | EFFECT, 1,                                                                                       \
    {                                                                                                        \
        {                                                                                                    \
#c, ILC__EXC_##e                                                                                 \
        }                                                                                                    \
    }
#define TRAP2(c, e, c2, e2)                                                                                  \
    TRAPS | EFFECT, 2,                                                                                       \
    {                                                                                                        \
        {#c, ILC__EXC_##e},                                                                                  \
        {                                                                                                    \
#c2, ILC__EXC_##e2                                                                               \
        }                                                                                                    \
    }
#define ROW(id, name, type, args, bits, sign, expression, more, count, ...)                                  \
    [ILC__OP_##id] = {name, ILC__IR_##type, args, (bits) | (more), sign, expression, count, __VA_ARGS__},

static const ilc__op_info table[ILC__OP_COUNT] = {
#define OP(id, name, type, args, bits, sign, expression, trap)                                               \
    ROW(id, name, type, #args, bits, sign, #expression, trap)
#include "ir/ops.def"
#undef OP
#define SPECIAL(id, name, type, args, bits) [ILC__OP_##id] = {.text = name, .operands = args, .flags = bits},
#include "ir/special.def"
#undef SPECIAL
};

static const ilc__op_info none = {.text = "none", .operands = ""};

/* The compares of one type: their negations keep ordered and unordered apart, as III.3 does. */
typedef struct compare_row {
    ilc__op op, negated, swapped;
} compare_row;

#define INTEGER_COMPARES(T)                                                                                  \
    {ILC__OP_EQ_##T, ILC__OP_NE_##T, ILC__OP_EQ_##T}, {ILC__OP_NE_##T, ILC__OP_EQ_##T, ILC__OP_NE_##T},      \
        {ILC__OP_LT_##T, ILC__OP_GE_##T, ILC__OP_GT_##T}, {ILC__OP_LE_##T, ILC__OP_GT_##T, ILC__OP_GE_##T},  \
        {ILC__OP_GT_##T, ILC__OP_LE_##T, ILC__OP_LT_##T}, {ILC__OP_GE_##T, ILC__OP_LT_##T, ILC__OP_LE_##T},  \
        {ILC__OP_LT_UN_##T, ILC__OP_GE_UN_##T, ILC__OP_GT_UN_##T},                                           \
        {ILC__OP_LE_UN_##T, ILC__OP_GT_UN_##T, ILC__OP_GE_UN_##T},                                           \
        {ILC__OP_GT_UN_##T, ILC__OP_LE_UN_##T, ILC__OP_LT_UN_##T},                                           \
    {                                                                                                        \
        ILC__OP_GE_UN_##T, ILC__OP_LT_UN_##T, ILC__OP_LE_UN_##T                                              \
    }
#define FLOAT_COMPARES(T)                                                                                    \
    {ILC__OP_EQ_##T, ILC__OP_NE_##T, ILC__OP_EQ_##T}, {ILC__OP_NE_##T, ILC__OP_EQ_##T, ILC__OP_NE_##T},      \
        {ILC__OP_LT_##T, ILC__OP_GE_UN_##T, ILC__OP_GT_##T},                                                 \
        {ILC__OP_LE_##T, ILC__OP_GT_UN_##T, ILC__OP_GE_##T},                                                 \
        {ILC__OP_GT_##T, ILC__OP_LE_UN_##T, ILC__OP_LT_##T},                                                 \
        {ILC__OP_GE_##T, ILC__OP_LT_UN_##T, ILC__OP_LE_##T},                                                 \
        {ILC__OP_LT_UN_##T, ILC__OP_GE_##T, ILC__OP_GT_UN_##T},                                              \
        {ILC__OP_LE_UN_##T, ILC__OP_GT_##T, ILC__OP_GE_UN_##T},                                              \
        {ILC__OP_GT_UN_##T, ILC__OP_LE_##T, ILC__OP_LT_UN_##T},                                              \
    {                                                                                                        \
        ILC__OP_GE_UN_##T, ILC__OP_LT_##T, ILC__OP_LE_UN_##T                                                 \
    }

static const compare_row compares[] = {INTEGER_COMPARES(I32), INTEGER_COMPARES(I64), FLOAT_COMPARES(F32),
                                       FLOAT_COMPARES(F64)};

static const compare_row *compare_of(ilc__op op)
{
    for (size_t i = 0; i < sizeof compares / sizeof compares[0]; i++)
        if (compares[i].op == op) return &compares[i];
    return NULL;
}

static const struct {
    ilc__op checked, plain;
} unchecked[] = {
#define BOTH(a, b) {ILC__OP_##a##_I32, ILC__OP_##b##_I32}, {ILC__OP_##a##_I64, ILC__OP_##b##_I64}
    BOTH(ADD_OVF, ADD), BOTH(SUB_OVF, SUB), BOTH(MUL_OVF, MUL),
    BOTH(ADD_OVF_UN, ADD), BOTH(SUB_OVF_UN, SUB), BOTH(MUL_OVF_UN, MUL),
#undef BOTH
};

ilc__op ilc__op_unchecked(ilc__op op)
{
    for (size_t i = 0; i < sizeof unchecked / sizeof *unchecked; i++)
        if (unchecked[i].checked == op) return unchecked[i].plain;
    return ILC__OP_NONE;
}

bool ilc__op_wraps(ilc__op op)
{
    for (size_t i = 0; i < sizeof unchecked / sizeof *unchecked; i++)
        if (unchecked[i].plain == op) return true;
    return false;
}

ilc__op ilc__op_negated(ilc__op compare)
{
    const compare_row *row = compare_of(compare);
    return row ? row->negated : ILC__OP_NONE;
}

ilc__op ilc__op_swapped(ilc__op compare)
{
    const compare_row *row = compare_of(compare);
    return row ? row->swapped : ILC__OP_NONE;
}

const ilc__op_info *ilc__op_info_of(ilc__op op)
{
    if ((unsigned)op >= ILC__OP_COUNT || !table[op].text) return &none;
    return &table[op];
}

ilc__op ilc__op_by_text(const char *text)
{
    for (int op = 1; op < ILC__OP_COUNT; op++)
        if (table[op].text && strcmp(table[op].text, text) == 0) return (ilc__op)op;
    return ILC__OP_NONE;
}

ilc__ir_type ilc__storage_ir_type(ilc_storage storage)
{
    switch (storage) {
    case ILC_F32: return ILC__IR_F32;
    case ILC_F64: return ILC__IR_F64;
    case ILC_I64:
    case ILC_U64:
    case ILC_INT:
    case ILC_UINT: return ILC__IR_I64;
    case ILC_BOOL:
    case ILC_CHAR:
    case ILC_I8:
    case ILC_U8:
    case ILC_I16:
    case ILC_U16:
    case ILC_I32:
    case ILC_U32: return ILC__IR_I32;
    default: return ILC__IR_VOID;
    }
}

const char *ilc__ir_type_name(ilc__ir_type type)
{
    static const char *const names[] = {"void", "i32", "i64", "f32", "f64", "ref", "exc", "addr"};
    return (unsigned)type < sizeof names / sizeof names[0] ? names[type] : "?";
}
