/* operations.c - the rows of ops.def as operators, conversions and library calls of the source languages. */
#include "write/internal.h"

typedef enum row_kind { MISSING, ARITHMETIC, BITS, SHIFT, COMPARE, UNORDERED, NEGATE, INVERT, CONVERT, LIBRARY } row_kind;
typedef enum signs { EITHER, SIGNED, UNSIGNED } signs;

typedef struct row {
    row_kind      kind;
    ilc__operator opr;
    signs         sign;
    ilc__overflow overflow;
    ilc_storage   from, to; /* CONVERT, LIBRARY: of the operands and of the result */
    const char   *text;
} row;

#define BOTH(id, ...) [ILC__OP_##id##_I32] = {__VA_ARGS__}, [ILC__OP_##id##_I64] = {__VA_ARGS__}
#define FLOATS(id, ...) [ILC__OP_##id##_F32] = {__VA_ARGS__}, [ILC__OP_##id##_F64] = {__VA_ARGS__}
#define MATH(id, name)                                                            \
    [ILC__OP_##id##_F32] = {LIBRARY, .from = ILC_F32, .to = ILC_F32, .text = "MathF." name}, \
    [ILC__OP_##id##_F64] = {LIBRARY, .from = ILC_F64, .to = ILC_F64, .text = "Math." name}
#define LIB(id, source, target, name) [ILC__OP_##id] = {LIBRARY, .from = ILC_##source, .to = ILC_##target, .text = name}
#define TO(id, target, source, how) [ILC__OP_##id] = {CONVERT, .overflow = ILC__##how, .from = ILC_##source, .to = ILC_##target}
#define OVF(target, source) [ILC__OP_OVF_##target##_##source] = {CONVERT, .overflow = ILC__CHECKS, .from = ILC_##source, .to = ILC_##target}
#define OVFS(source) OVF(I8, source), OVF(U8, source), OVF(I16, source), OVF(U16, source)

static const row rows[ILC__OP_LAST_COMPUTE] = {
    BOTH(ADD, ARITHMETIC, ILC__OPR_ADD, EITHER, ILC__WRAPS), FLOATS(ADD, ARITHMETIC, ILC__OPR_ADD),
    BOTH(SUB, ARITHMETIC, ILC__OPR_SUB, EITHER, ILC__WRAPS), FLOATS(SUB, ARITHMETIC, ILC__OPR_SUB),
    BOTH(MUL, ARITHMETIC, ILC__OPR_MUL, EITHER, ILC__WRAPS), FLOATS(MUL, ARITHMETIC, ILC__OPR_MUL),
    BOTH(ADD_OVF, ARITHMETIC, ILC__OPR_ADD, SIGNED, ILC__CHECKS), BOTH(ADD_OVF_UN, ARITHMETIC, ILC__OPR_ADD, UNSIGNED, ILC__CHECKS),
    BOTH(SUB_OVF, ARITHMETIC, ILC__OPR_SUB, SIGNED, ILC__CHECKS), BOTH(SUB_OVF_UN, ARITHMETIC, ILC__OPR_SUB, UNSIGNED, ILC__CHECKS),
    BOTH(MUL_OVF, ARITHMETIC, ILC__OPR_MUL, SIGNED, ILC__CHECKS), BOTH(MUL_OVF_UN, ARITHMETIC, ILC__OPR_MUL, UNSIGNED, ILC__CHECKS),
    BOTH(DIV, ARITHMETIC, ILC__OPR_QUOTIENT, SIGNED), BOTH(DIV_UN, ARITHMETIC, ILC__OPR_QUOTIENT, UNSIGNED),
    BOTH(DIV_NZ, ARITHMETIC, ILC__OPR_QUOTIENT, SIGNED), BOTH(DIV_UN_NZ, ARITHMETIC, ILC__OPR_QUOTIENT, UNSIGNED),
    BOTH(REM, ARITHMETIC, ILC__OPR_MOD, SIGNED), BOTH(REM_UN, ARITHMETIC, ILC__OPR_MOD, UNSIGNED),
    BOTH(REM_NZ, ARITHMETIC, ILC__OPR_MOD, SIGNED), BOTH(REM_UN_NZ, ARITHMETIC, ILC__OPR_MOD, UNSIGNED),
    FLOATS(DIV, ARITHMETIC, ILC__OPR_DIV), FLOATS(REM, ARITHMETIC, ILC__OPR_MOD),
    BOTH(AND, BITS, ILC__OPR_AND), BOTH(OR, BITS, ILC__OPR_OR), BOTH(XOR, BITS, ILC__OPR_XOR),
    BOTH(SHL, SHIFT, ILC__OPR_SHL, EITHER), BOTH(SHR, SHIFT, ILC__OPR_SHR, SIGNED), BOTH(SHR_UN, SHIFT, ILC__OPR_SHR, UNSIGNED),
    BOTH(NEG, NEGATE, ILC__OPR_NEG, EITHER, ILC__WRAPS), FLOATS(NEG, NEGATE, ILC__OPR_NEG), BOTH(NOT, INVERT, ILC__OPR_NOT),
    BOTH(EQ, COMPARE, ILC__OPR_EQ), FLOATS(EQ, COMPARE, ILC__OPR_EQ), BOTH(NE, COMPARE, ILC__OPR_NE), FLOATS(NE, COMPARE, ILC__OPR_NE),
    BOTH(LT, COMPARE, ILC__OPR_LT, SIGNED), FLOATS(LT, COMPARE, ILC__OPR_LT), BOTH(LE, COMPARE, ILC__OPR_LE, SIGNED), FLOATS(LE, COMPARE, ILC__OPR_LE),
    BOTH(GT, COMPARE, ILC__OPR_GT, SIGNED), FLOATS(GT, COMPARE, ILC__OPR_GT), BOTH(GE, COMPARE, ILC__OPR_GE, SIGNED), FLOATS(GE, COMPARE, ILC__OPR_GE),
    BOTH(LT_UN, COMPARE, ILC__OPR_LT, UNSIGNED), BOTH(LE_UN, COMPARE, ILC__OPR_LE, UNSIGNED),
    BOTH(GT_UN, COMPARE, ILC__OPR_GT, UNSIGNED), BOTH(GE_UN, COMPARE, ILC__OPR_GE, UNSIGNED),
    /* true on NaN: the opposite test, denied */
    FLOATS(LT_UN, UNORDERED, ILC__OPR_GE), FLOATS(LE_UN, UNORDERED, ILC__OPR_GT), FLOATS(GT_UN, UNORDERED, ILC__OPR_LE), FLOATS(GE_UN, UNORDERED, ILC__OPR_LT),

    TO(I8_I32, I8, I32, WRAPS), TO(U8_I32, U8, I32, WRAPS), TO(I16_I32, I16, I32, WRAPS), TO(U16_I32, U16, I32, WRAPS),
    TO(I64_I32, I64, I32, ANY), TO(I64_U32, I64, U32, ANY), TO(I32_I64, I32, I64, WRAPS),
    TO(F32_I32, F32, I32, ANY), TO(F32_U32, F32, U32, ANY), TO(F32_I64, F32, I64, ANY), TO(F32_U64, F32, U64, ANY),
    TO(F64_I32, F64, I32, ANY), TO(F64_U32, F64, U32, ANY), TO(F64_I64, F64, I64, ANY), TO(F64_U64, F64, U64, ANY),
    TO(F64_F32, F64, F32, ANY), TO(F32_F64, F32, F64, WRAPS),
    TO(I32_F64, I32, F64, WRAPS), TO(U32_F64, U32, F64, WRAPS), TO(I64_F64, I64, F64, WRAPS), TO(U64_F64, U64, F64, WRAPS),
    OVFS(I32), OVF(U32, I32), OVF(U64, I32), OVFS(U32), OVF(I32, U32), OVFS(I64), OVF(I32, I64), OVF(U32, I64), OVF(U64, I64),
    OVFS(U64), OVF(I32, U64), OVF(U32, U64), OVF(I64, U64), OVFS(F64), OVF(I32, F64), OVF(U32, F64), OVF(I64, F64), OVF(U64, F64),

    MATH(ABS, "Abs"), MATH(SQRT, "Sqrt"), MATH(MIN, "Min"), MATH(MAX, "Max"), MATH(FLOOR, "Floor"), MATH(CEIL, "Ceiling"),
    MATH(TRUNC, "Truncate"), MATH(ROUND, "Round"), LIB(SIGN_F32, F32, I32, "MathF.Sign"), LIB(SIGN_F64, F64, I32, "Math.Sign"),
    MATH(EXP, "Exp"), MATH(LOG, "Log"), MATH(LOG2, "Log2"), MATH(LOG10, "Log10"), MATH(SIN, "Sin"), MATH(COS, "Cos"),
    MATH(TAN, "Tan"), MATH(ATAN, "Atan"), MATH(ATAN2, "Atan2"), MATH(ASIN, "Asin"), MATH(ACOS, "Acos"), MATH(SINH, "Sinh"),
    MATH(FMA, "FusedMultiplyAdd"), MATH(ADDMUL, "FusedMultiplyAdd"), MATH(COSH, "Cosh"), MATH(TANH, "Tanh"), MATH(CBRT, "Cbrt"), MATH(POW, "Pow"),
    LIB(ISNAN_F32, F32, BOOL, "Single.IsNaN"),
    LIB(ISINF_F32, F32, BOOL, "Single.IsInfinity"),
    LIB(ISPOSINF_F32, F32, BOOL, "Single.IsPositiveInfinity"),
    LIB(ISNEGINF_F32, F32, BOOL, "Single.IsNegativeInfinity"),
    LIB(ISFINITE_F32, F32, BOOL, "Single.IsFinite"),
    LIB(ISNEG_F32, F32, BOOL, "Single.IsNegative"),
    LIB(ISNAN_F64, F64, BOOL, "Double.IsNaN"),
    LIB(ISINF_F64, F64, BOOL, "Double.IsInfinity"),
    LIB(ISPOSINF_F64, F64, BOOL, "Double.IsPositiveInfinity"),
    LIB(ISNEGINF_F64, F64, BOOL, "Double.IsNegativeInfinity"),
    LIB(ISFINITE_F64, F64, BOOL, "Double.IsFinite"),
    LIB(ISNEG_F64, F64, BOOL, "Double.IsNegative"),
    LIB(POPCOUNT_I32, U32, I32, "System.Numerics.BitOperations.PopCount"),
    LIB(LZCNT_I32, U32, I32, "System.Numerics.BitOperations.LeadingZeroCount"),
    LIB(TZCNT_I32, U32, I32, "System.Numerics.BitOperations.TrailingZeroCount"),
    LIB(LOG2_I32, U32, I32, "System.Numerics.BitOperations.Log2"),
    LIB(ISPOW2_I32, I32, BOOL, "System.Numerics.BitOperations.IsPow2"), LIB(ISPOW2_UN_I32, U32, BOOL, "System.Numerics.BitOperations.IsPow2"),
    LIB(POPCOUNT_I64, U64, I32, "System.Numerics.BitOperations.PopCount"),
    LIB(LZCNT_I64, U64, I32, "System.Numerics.BitOperations.LeadingZeroCount"),
    LIB(TZCNT_I64, U64, I32, "System.Numerics.BitOperations.TrailingZeroCount"),
    LIB(LOG2_I64, U64, I32, "System.Numerics.BitOperations.Log2"),
    LIB(ISPOW2_I64, I64, BOOL, "System.Numerics.BitOperations.IsPow2"), LIB(ISPOW2_UN_I64, U64, BOOL, "System.Numerics.BitOperations.IsPow2"),
    LIB(CHRW_I32, I32, CHAR, "ChrW"), LIB(ABS_I8, I8, I8, "Math.Abs"), LIB(ABS_I16, I16, I16, "Math.Abs"),
    LIB(ABS_I32, I32, I32, "Math.Abs"), LIB(ABS_I64, I64, I64, "Math.Abs"), LIB(SIGN_I32, I32, I32, "Math.Sign"),
    LIB(SIGN_I64, I64, I32, "Math.Sign"), LIB(MIN_I32, I32, I32, "Math.Min"), LIB(MIN_I64, I64, I64, "Math.Min"),
    LIB(MAX_I32, I32, I32, "Math.Max"), LIB(MAX_I64, I64, I64, "Math.Max"), LIB(MIN_UN_I32, U32, U32, "Math.Min"),
    LIB(MIN_UN_I64, U64, U64, "Math.Min"), LIB(MAX_UN_I32, U32, U32, "Math.Max"), LIB(MAX_UN_I64, U64, U64, "Math.Max"),
};

/* --- the sign that an operation of either has in the source ------------------------------------------------------------ */

static bool is_signed_term(const ilc__term *t)
{
    ilc_storage s = t->type.storage;
    if (t->kind == ILC__W_LITERAL) return ilc__is_integer(s) && !ilc__is_unsigned(s) && (int64_t)t->bits < 0;
    return s == ILC_I8 || s == ILC_I16 || s == ILC_I32 || s == ILC_I64 || s == ILC_INT;
}

static bool is_unsigned_term(const ilc__term *t)
{
    ilc_storage s = t->type.storage;
    return t->kind != ILC__W_LITERAL && (s == ILC_U32 || s == ILC_U64 || s == ILC_UINT);
}

/* Never negative, and no greater than an Int32: whether it is read as signed says nothing. */
static bool is_natural(const ilc__term *t)
{
    ilc_storage s = t->type.storage;
    if (t->kind == ILC__W_LITERAL) return ilc__is_integer(s) && t->bits <= INT32_MAX;
    return ilc__is_scalar(t->type) && ilc__is_small(s) && ilc__is_unsigned(s);
}

static ilc_storage type_for(signs sign, bool wide, ilc_storage hint, const ilc__term *x, const ilc__term *y)
{
    bool is_unsigned = sign == UNSIGNED && (wide || !is_natural(x) || (y && !is_natural(y)));
    if (sign == EITHER) {
        bool some_unsigned = is_unsigned_term(x) || (y && is_unsigned_term(y));
        bool some_signed = is_signed_term(x) || (y && is_signed_term(y));
        /* a negative constant beside an unsigned value is that value's mask */
        bool literal_only = (!is_signed_term(x) || x->kind == ILC__W_LITERAL) && (!y || !is_signed_term(y) || y->kind == ILC__W_LITERAL);
        is_unsigned = some_unsigned && (!some_signed || literal_only || ilc__is_unsigned(hint));
    }
    if (wide) return is_unsigned ? ILC_U64 : ILC_I64;
    return is_unsigned ? ILC_U32 : ILC_I32;
}

static bool is_truth(const ilc__term *t)
{
    return ilc__is_scalar(t->type) && t->type.storage == ILC_BOOL;
}

static bool is_truth_literal(const ilc__term *t)
{
    return t->kind == ILC__W_LITERAL && t->bits <= 1 && !ilc__is_float(t->type.storage);
}

static bool both_truths(const ilc__term *x, const ilc__term *y)
{
    return (is_truth(x) && (is_truth(y) || is_truth_literal(y))) || (is_truth(y) && is_truth_literal(x));
}

static ilc_storage float_of(const ilc__expr *e)
{
    return e->type == ILC__IR_F32 ? ILC_F32 : e->type == ILC__IR_F64 ? ILC_F64 : ILC_VOID;
}

/* --- compares ---------------------------------------------------------------------------------------------------------- */

static bool is_char_beside(const ilc__term *x, const ilc__term *y)
{
    bool literal = y->kind == ILC__W_LITERAL && y->bits < 65536 && !ilc__is_float(y->type.storage);
    return x->type.storage == ILC_CHAR && ilc__is_scalar(x->type) && (y->type.storage == ILC_CHAR || literal);
}

static ilc__term *compare_truths(ilc__writer *w, ilc__operator opr, ilc__term *x, ilc__term *y)
{
    if (y->kind == ILC__W_LITERAL || x->kind == ILC__W_LITERAL) {
        ilc__term *truth = y->kind == ILC__W_LITERAL ? x : y, *literal = y->kind == ILC__W_LITERAL ? y : x;
        return (literal->bits != 0) == (opr == ILC__OPR_EQ) ? truth : ilc__deny(w, truth);
    }
    return ilc__term_binary(w, opr, ILC_BOOL, x, y);
}

/* Narrow numbers that the language compares in a type that holds both. */
static bool compare_as_they_are(const ilc__writer *w, const row *r, const ilc__term *a, const ilc__term *b)
{
    ilc_storage x = a->type.storage, y = b->type.storage, common;
    if (a->kind == ILC__W_LITERAL || b->kind == ILC__W_LITERAL || !ilc__is_scalar(a->type) || !ilc__is_scalar(b->type)) return false;
    if (!ilc__is_small(x) || !ilc__is_small(y) || (r->sign == UNSIGNED && !(ilc__is_unsigned(x) && ilc__is_unsigned(y)))) return false;
    common = w->syntax->promote(r->opr, x, y);
    return common != ILC_VOID && ilc__holds(common, x) && ilc__holds(common, y);
}

static ilc__term *compare(ilc__writer *w, const row *r, const ilc__expr *x, const ilc__expr *y)
{
    ilc_storage floats = float_of(x);
    ilc__term  *a = ilc__view(w, x, floats), *b = ilc__view(w, y, floats);
    if (floats) return ilc__operate(w, r->opr, floats, ILC__ANY, a, b);
    bool equality = r->opr == ILC__OPR_EQ || r->opr == ILC__OPR_NE;
    if (equality && both_truths(a, b)) return compare_truths(w, r->opr, a, b);
    if (is_char_beside(a, b) || is_char_beside(b, a))
        return ilc__term_binary(w, r->opr, ILC_BOOL, ilc__convert(w, a, ILC_CHAR), ilc__convert(w, b, ILC_CHAR));
    if (compare_as_they_are(w, r, a, b)) return ilc__term_binary(w, r->opr, ILC_BOOL, a, b);
    return ilc__operate(w, r->opr, type_for(r->sign, x->type == ILC__IR_I64, ILC_VOID, a, b), ILC__ANY, a, b);
}

ilc__term *ilc__view_compare(ilc__writer *w, ilc__op op, const ilc__expr *x, const ilc__expr *y)
{
    const row *r = &rows[op];
    ilc__term *t = compare(w, r, x, y);
    return r->kind == UNORDERED ? ilc__term_unary(w, ILC__OPR_DENY, ilc__scalar(ILC_BOOL), t) : t;
}

/* --- the rest ------------------------------------------------------------------------------------------------------------ */

/* The languages mask a shift's count themselves. */
static const ilc__expr *shift_count(const ilc__expr *e)
{
    const ilc__expr *count = e->args[1];
    bool             masked = count->kind == ILC__EX_OP && count->op == ILC__OP_AND_I32 &&
                  ilc__expr_is_const(count->args[1], e->type == ILC__IR_I64 ? 63 : 31);
    return masked ? count->args[0] : count;
}

static ilc__term *shift(ilc__writer *w, const row *r, const ilc__expr *e, ilc_storage hint)
{
    ilc__term *x = ilc__view(w, e->args[0], hint);
    ilc_storage type = type_for(r->sign, e->type == ILC__IR_I64, hint, x, NULL);
    return ilc__operate(w, r->opr, type, ILC__ANY, x, ilc__view_as(w, shift_count(e), ILC_I32));
}

static bool is_zero(const ilc__expr *e)
{
    return ilc__expr_is_const(e, 0) && (e->type == ILC__IR_I32 || e->type == ILC__IR_I64);
}

static ilc__term *negate(ilc__writer *w, const row *r, const ilc__expr *e, const ilc__expr *x, ilc_storage hint)
{
    ilc_storage floats = float_of(e);
    ilc__term  *t = ilc__view(w, x, floats ? floats : hint);
    ilc_storage type = floats ? floats : e->type == ILC__IR_I64 ? ILC_I64 : ILC_I32;
    if (!floats) t = ilc__convert(w, t, type);
    if (!floats && t->kind == ILC__W_LITERAL) t = ilc__opaque(w, t);
    bool within = !floats && (e->proved || ilc__negates_within(t));
    t = ilc__term_unary(w, ILC__OPR_NEG, ilc__scalar(type), t);
    t->overflow = floats || within ? ILC__ANY : r->overflow;
    t->effects = t->effects || t->overflow == ILC__CHECKS;
    return t;
}

/* What is proved not to overflow may say either. */
static ilc__overflow overflow_of(const row *r, const ilc__expr *e)
{
    return r->overflow == ILC__WRAPS && e->proved ? ILC__ANY : r->overflow;
}

static ilc__term *arithmetic(ilc__writer *w, const row *r, const ilc__expr *e, ilc_storage hint)
{
    ilc_storage floats = float_of(e);
    bool        minus = r->opr == ILC__OPR_SUB && is_zero(e->args[0]);
    if (minus && r->overflow == ILC__CHECKS && r->sign == SIGNED) return negate(w, r, e, e->args[1], hint);
    ilc_storage want = floats ? floats : hint;
    ilc__term  *x = ilc__view(w, e->args[0], want), *y = ilc__view(w, e->args[1], want);
    if (floats) return ilc__operate(w, r->opr, floats, ILC__ANY, x, y);
    /* VB's minus, checked in IL, which was proved not to overflow */
    if (minus && e->proved && w->syntax->checks && w->checked && !ilc__is_unsigned(type_for(r->sign, e->type == ILC__IR_I64, hint, x, y)))
        return negate(w, r, e, e->args[1], hint);
    if (r->kind == BITS && both_truths(x, y))
        return ilc__term_binary(w, r->opr, ILC_BOOL, ilc__convert(w, x, ILC_BOOL), ilc__convert(w, y, ILC_BOOL));
    bool        wide = e->type == ILC__IR_I64;
    ilc_storage type = type_for(r->sign, wide, hint, x, y);
    if (r->sign == UNSIGNED && r->overflow == ILC__CHECKS) type = wide ? ILC_U64 : ILC_U32; /* below zero is overflow */
    if (r->sign == EITHER && type == ILC_I32 && !ilc__stays_within(r->opr, type, x, y) && ilc__stays_within(r->opr, ILC_U32, x, y)) type = ILC_U32;
    return ilc__operate(w, r->opr, type, overflow_of(r, e), x, y);
}

static ilc__term *conversion(ilc__writer *w, const row *r, const ilc__expr *e, ilc_storage hint)
{
    const ilc__expr *x = e->args[0];
    if (r->from == ILC_F64) { /* a Single widens by itself, and no integer is lost on the way */
        bool single = x->kind == ILC__EX_OP && x->op == ILC__OP_F64_F32 && r->to != ILC_F32;
        ilc__term *t = single ? ilc__view(w, x->args[0], ILC_F32) : ilc__view(w, x, ILC_F64);
        t = ilc__cast(w, t, r->to, r->overflow);
        if (t->kind == ILC__W_CAST) t->truncates = r->to != ILC_F32;
        return t;
    }
    if (r->from == ILC_F32) return ilc__cast(w, ilc__view(w, x, ILC_F32), r->to, r->overflow);
    ilc__term  *t = ilc__convert(w, ilc__view(w, x, r->from), r->from);
    if (r->overflow == ILC__WRAPS) return ilc__cast(w, t, e->op == ILC__OP_I32_I64 && hint == ILC_U32 ? ILC_U32 : r->to, overflow_of(r, e));
    /* what widens by itself can come from the narrow type as well */
    if (r->overflow == ILC__ANY && t->kind == ILC__W_CAST && t->exact && ilc__is_scalar(t->args[0]->type)) t = t->args[0];
    ilc_storage to = r->to == ILC_I64 && r->overflow == ILC__ANY && r->from == ILC_U32 && hint == ILC_U64 ? ILC_U64 : r->to;
    return ilc__cast(w, t, to, r->overflow);
}

/* Has the function the one form that takes Doubles, or Singles? Then integers become such by themselves. */
static bool has_one_form(ilc__op op)
{
    switch (op) {
    case ILC__OP_ABS_F64: case ILC__OP_SIGN_F64: case ILC__OP_MIN_F64: case ILC__OP_MAX_F64: case ILC__OP_FLOOR_F64: case ILC__OP_CEIL_F64:
    case ILC__OP_TRUNC_F64: case ILC__OP_ROUND_F64: return false;
    default: return true;
    }
}

static ilc__term *library_arg(ilc__writer *w, ilc__op op, const ilc__expr *e, ilc_storage type)
{
    if (!ilc__is_float(type)) return ilc__view_as(w, e, type);
    ilc__term *t = ilc__view(w, e, type);
    bool       by_itself = t->kind == ILC__W_CAST && (t->args[0]->type.storage == ILC_F32 || has_one_form(op));
    return by_itself ? ilc__relax(w, t, type) : t;
}

static ilc__term *fused(ilc__writer *w, const row *r, const ilc__expr *e)
{
    bool       first = e->op == ILC__OP_ADDMUL_F32 || e->op == ILC__OP_ADDMUL_F64; /* the addend */
    ilc__term *args[3];
    for (uint32_t i = 0; i < 3; i++) args[(i + (first ? 2 : 0)) % 3] = library_arg(w, e->op, e->args[i], r->from);
    return ilc__term_library3(w, r->text, ilc__scalar(r->to), args);
}

static ilc__term *library(ilc__writer *w, const row *r, const ilc__expr *e)
{
    if (e->arg_count == 3) return fused(w, r, e);
    ilc__term *x = library_arg(w, e->op, e->args[0], r->from), *y = e->arg_count > 1 ? library_arg(w, e->op, e->args[1], r->from) : NULL;
    if (e->op == ILC__OP_POW_F64 && w->syntax->operators[ILC__OPR_POWER].level) return ilc__term_binary(w, ILC__OPR_POWER, ILC_F64, x, y);
    /* Of two Singles there would be another function. */
    if (y && r->from == ILC_F64 && x->type.storage == ILC_F32 && y->type.storage == ILC_F32) x = ilc__cast(w, x, ILC_F64, ILC__ANY);
    if (!y && r->from == ILC_F64 && x->type.storage == ILC_F32 && (e->op == ILC__OP_ABS_F64 || e->op == ILC__OP_SIGN_F64))
        x = ilc__cast(w, x, ILC_F64, ILC__ANY);
    bool       helper = e->op == ILC__OP_CHRW_I32 && w->syntax->language == ILC__LANGUAGE_CS;
    ilc__term *t = (helper ? ilc__term_helper : ilc__term_library)(w, r->text, ilc__scalar(r->to), x, y);
    t->effects = t->effects || ilc__op_info_of(e->op)->trap_count > 0;
    return t;
}

ilc__term *ilc__view_op(ilc__writer *w, const ilc__expr *e, ilc_storage hint)
{
    const row *r = &rows[e->op];
    switch (r->kind) {
    case ARITHMETIC: case BITS: return arithmetic(w, r, e, hint);
    case SHIFT: return shift(w, r, e, hint);
    case COMPARE: case UNORDERED: return ilc__view_compare(w, e->op, e->args[0], e->args[1]);
    case NEGATE: return negate(w, r, e, e->args[0], hint);
    case INVERT: {
        ilc__term  *x = ilc__view(w, e->args[0], hint);
        ilc_storage type = type_for(EITHER, e->type == ILC__IR_I64, hint, x, NULL);
        return ilc__term_unary(w, ILC__OPR_NOT, ilc__scalar(type), ilc__convert(w, x, type));
    }
    case CONVERT: return conversion(w, r, e, hint);
    case LIBRARY: return library(w, r, e);
    case MISSING: break;
    }
    ilc__cannot(w, "the operation %s", ilc__op_info_of(e->op)->text);
    return ilc__term_literal(w, ILC_I32, 0);
}
