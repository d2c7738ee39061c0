/* range.c - interval arithmetic over the operations of ir/ops.def. Flags and bounds are computed together, so
 * what the compile-time marking takes for known is exactly what a launch can compute. */
#include "emit/range.h"

#define WIDE(x) ((ilc__wide)(x))

ilc__range ilc__range_between(ilc__wide lo, ilc__wide hi)
{
    return (ilc__range){lo, hi, true, true, false};
}

ilc__range ilc__range_point(ilc__wide value)
{
    return ilc__range_between(value, value);
}

ilc__range ilc__range_of_type(ilc__ir_type type)
{
    if (type == ILC__IR_I32) return (ilc__range){INT32_MIN, INT32_MAX, false, false, false};
    return (ilc__range){INT64_MIN, INT64_MAX, false, false, false};
}

ilc__range ilc__range_of_storage(ilc_storage storage)
{
    switch (storage) {
    case ILC_BOOL: case ILC_U8: return ilc__range_between(0, UINT8_MAX);
    case ILC_CHAR: case ILC_U16: return ilc__range_between(0, UINT16_MAX);
    case ILC_I8: return ilc__range_between(INT8_MIN, INT8_MAX);
    case ILC_I16: return ilc__range_between(INT16_MIN, INT16_MAX);
    case ILC_I32: case ILC_U32: return ilc__range_of_type(ILC__IR_I32);
    default: return ilc__range_of_type(ILC__IR_I64);
    }
}

ilc__range ilc__range_from_launch(ilc__range range)
{
    range.launch = true;
    return range;
}

bool ilc__range_known(ilc__range range)
{
    return range.lo_known && range.hi_known;
}

bool ilc__range_within(ilc__range range, ilc__range outer)
{
    return range.lo >= outer.lo && range.hi <= outer.hi;
}

static ilc__wide least(ilc__wide a, ilc__wide b)
{
    return a < b ? a : b;
}

static ilc__wide most(ilc__wide a, ilc__wide b)
{
    return a > b ? a : b;
}

ilc__range ilc__range_join(ilc__range a, ilc__range b)
{
    return (ilc__range){least(a.lo, b.lo), most(a.hi, b.hi), a.lo_known && b.lo_known, a.hi_known && b.hi_known,
                        a.launch || b.launch};
}

/* --- classes of operations ------------------------------------------------------------------------------- */

typedef enum op_class {
    CLASS_NONE, CLASS_ADD, CLASS_SUB, CLASS_MUL, CLASS_NEG, CLASS_DIV, CLASS_REM, CLASS_DIV_UN, CLASS_REM_UN,
    CLASS_UNSIGNED_ADD, CLASS_UNSIGNED_SUB, CLASS_UNSIGNED_MUL,
    CLASS_AND, CLASS_OR, CLASS_XOR, CLASS_NOT, CLASS_SHL, CLASS_SHR, CLASS_SHR_UN,
    CLASS_MIN, CLASS_MAX, CLASS_ABS, CLASS_FLAG, CLASS_SIGN, CLASS_WIDEN, CLASS_WIDEN_UN, CLASS_CUT, CLASS_CONVERT
} op_class;

typedef struct op_rule {
    op_class     class;
    ilc__ir_type type;   /* of the result                                                        */
    ilc_storage  target; /* CUT, CONVERT: what the value is cut to or checked against             */
    bool         unsigned_source;
} op_rule;

#define BOTH(ID, cls)                                                                                                  \
    case ILC__OP_##ID##_I32: return (op_rule){cls, ILC__IR_I32, ILC_VOID, false};                                      \
    case ILC__OP_##ID##_I64: return (op_rule){cls, ILC__IR_I64, ILC_VOID, false}
#define CUT(ID, storage)                                                                                               \
    case ILC__OP_##ID: return (op_rule){CLASS_CUT, ILC__IR_I32, storage, false}
#define CONVERT(ID, result, storage, un)                                                                               \
    case ILC__OP_##ID: return (op_rule){CLASS_CONVERT, result, storage, un}

static op_rule rule_of(ilc__op op)
{
    switch (op) {
        BOTH(ADD, CLASS_ADD); BOTH(ADD_OVF, CLASS_ADD); BOTH(SUB, CLASS_SUB); BOTH(SUB_OVF, CLASS_SUB);
        BOTH(MUL, CLASS_MUL); BOTH(MUL_OVF, CLASS_MUL); BOTH(NEG, CLASS_NEG);
        BOTH(DIV, CLASS_DIV); BOTH(REM, CLASS_REM); BOTH(DIV_UN, CLASS_DIV_UN); BOTH(REM_UN, CLASS_REM_UN);
        BOTH(DIV_NZ, CLASS_DIV); BOTH(REM_NZ, CLASS_REM); BOTH(DIV_UN_NZ, CLASS_DIV_UN); BOTH(REM_UN_NZ, CLASS_REM_UN);
        BOTH(ADD_OVF_UN, CLASS_UNSIGNED_ADD); BOTH(SUB_OVF_UN, CLASS_UNSIGNED_SUB); BOTH(MUL_OVF_UN, CLASS_UNSIGNED_MUL);
        BOTH(AND, CLASS_AND); BOTH(OR, CLASS_OR); BOTH(XOR, CLASS_XOR); BOTH(NOT, CLASS_NOT);
        BOTH(SHL, CLASS_SHL); BOTH(SHR, CLASS_SHR); BOTH(SHR_UN, CLASS_SHR_UN);
        BOTH(MIN, CLASS_MIN); BOTH(MAX, CLASS_MAX); BOTH(ABS, CLASS_ABS);
    case ILC__OP_SIGN_I32: case ILC__OP_SIGN_I64: return (op_rule){CLASS_SIGN, ILC__IR_I32, ILC_VOID, false};
    case ILC__OP_I64_I32: return (op_rule){CLASS_WIDEN, ILC__IR_I64, ILC_VOID, false};
    case ILC__OP_I64_U32: return (op_rule){CLASS_WIDEN_UN, ILC__IR_I64, ILC_VOID, false};
        CUT(I8_I32, ILC_I8); CUT(U8_I32, ILC_U8); CUT(I16_I32, ILC_I16); CUT(U16_I32, ILC_U16); CUT(I32_I64, ILC_I32);
        CONVERT(OVF_I8_I32, ILC__IR_I32, ILC_I8, false); CONVERT(OVF_U8_I32, ILC__IR_I32, ILC_U8, false);
        CONVERT(OVF_I16_I32, ILC__IR_I32, ILC_I16, false); CONVERT(OVF_U16_I32, ILC__IR_I32, ILC_U16, false);
        CONVERT(OVF_U32_I32, ILC__IR_I32, ILC_I32, true); CONVERT(OVF_U64_I32, ILC__IR_I64, ILC_I64, true);
        CONVERT(OVF_I8_U32, ILC__IR_I32, ILC_I8, true); CONVERT(OVF_U8_U32, ILC__IR_I32, ILC_U8, true);
        CONVERT(OVF_I16_U32, ILC__IR_I32, ILC_I16, true); CONVERT(OVF_U16_U32, ILC__IR_I32, ILC_U16, true);
        CONVERT(OVF_I32_U32, ILC__IR_I32, ILC_I32, true);
        CONVERT(OVF_I8_I64, ILC__IR_I32, ILC_I8, false); CONVERT(OVF_U8_I64, ILC__IR_I32, ILC_U8, false);
        CONVERT(OVF_I16_I64, ILC__IR_I32, ILC_I16, false); CONVERT(OVF_U16_I64, ILC__IR_I32, ILC_U16, false);
        CONVERT(OVF_I32_I64, ILC__IR_I32, ILC_I32, false); CONVERT(OVF_U32_I64, ILC__IR_I32, ILC_I32, true);
        CONVERT(OVF_U64_I64, ILC__IR_I64, ILC_I64, true);
        CONVERT(OVF_I8_U64, ILC__IR_I32, ILC_I8, true); CONVERT(OVF_U8_U64, ILC__IR_I32, ILC_U8, true);
        CONVERT(OVF_I16_U64, ILC__IR_I32, ILC_I16, true); CONVERT(OVF_U16_U64, ILC__IR_I32, ILC_U16, true);
        CONVERT(OVF_I32_U64, ILC__IR_I32, ILC_I32, true); CONVERT(OVF_U32_U64, ILC__IR_I32, ILC_I32, true);
        CONVERT(OVF_I64_U64, ILC__IR_I64, ILC_I64, true);
    default: break;
    }
    const ilc__op_info *info = ilc__op_info_of(op);
    if (info->flags & ILC__OPF_TRUTH) return (op_rule){CLASS_FLAG, ILC__IR_I32, ILC_VOID, false};
    return (op_rule){CLASS_NONE, info->result, ILC_VOID, false};
}

bool ilc__range_traps(ilc__op op)
{
    return ilc__op_info_of(op)->trap_count > 0;
}

bool ilc__range_wraps(ilc__op op)
{
    op_class class = rule_of(op).class;
    return class == CLASS_ADD || class == CLASS_SUB || class == CLASS_MUL || class == CLASS_NEG;
}

static bool divides(op_class class)
{
    return class == CLASS_DIV || class == CLASS_REM || class == CLASS_DIV_UN || class == CLASS_REM_UN;
}

bool ilc__range_provable(ilc__op op, ilc__range a, ilc__range b)
{
    op_class class = rule_of(op).class;
    if (class == CLASS_NONE || !(a.launch || b.launch)) return false;
    if (divides(class)) { /* a divisor that is never 0 and never -1 does; beside -1 the dividend counts, too */
        bool zero = b.lo <= 0 && b.hi >= 0;
        return ilc__range_known(b) && (b.launch || (!zero && ilc__range_known(a)));
    }
    bool one = class == CLASS_NEG || class == CLASS_ABS || class == CLASS_CONVERT;
    return ilc__range_known(a) && (one || ilc__range_known(b));
}

/* --- bounds ----------------------------------------------------------------------------------------------- */

/* Who had a part in it is set by ilc__range_op. */
static ilc__range bounds(ilc__wide lo, ilc__wide hi, bool lo_known, bool hi_known)
{
    return (ilc__range){lo, hi, lo_known, hi_known, false};
}

static ilc__range corners(ilc__wide p, ilc__wide q, ilc__wide r, ilc__wide s, bool known)
{
    return bounds(least(least(p, q), least(r, s)), most(most(p, q), most(r, s)), known, known);
}

/* Fits: exact. Else only the type is left, which proves nothing. */
static ilc__range_result fit(ilc__range exact, ilc__ir_type type)
{
    ilc__range outer = ilc__range_of_type(type);
    if (ilc__range_within(exact, outer)) return (ilc__range_result){exact, true};
    return (ilc__range_result){bounds(outer.lo, outer.hi, exact.lo_known, exact.hi_known), false};
}

static ilc__range_result divide(op_class class, ilc__range a, ilc__range b, ilc__ir_type type)
{
    ilc__range outer = ilc__range_of_type(type), unknown = outer;
    bool       known = ilc__range_known(a) && ilc__range_known(b), natural = a.lo >= 0 && b.lo >= 0;
    bool       zero = b.lo <= 0 && b.hi >= 0, minus = b.lo <= -1 && b.hi >= -1;
    bool       is_unsigned = class == CLASS_DIV_UN || class == CLASS_REM_UN;
    bool       proved = !zero && (is_unsigned || !minus || a.lo > outer.lo);
    unknown.lo_known = unknown.hi_known = class == CLASS_REM || class == CLASS_REM_UN ? ilc__range_known(b) : known;
    if (!proved || (class == CLASS_DIV_UN && !natural) || (class == CLASS_REM_UN && b.lo < 0))
        return (ilc__range_result){unknown, proved};
    if (class == CLASS_DIV || class == CLASS_DIV_UN)
        return (ilc__range_result){corners(a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi, known), true};
    ilc__wide size = most(b.lo < 0 ? -b.lo : b.lo, b.hi < 0 ? -b.hi : b.hi) - 1;
    ilc__range value = bounds(-size, size, unknown.lo_known, unknown.hi_known);
    if (class == CLASS_REM_UN || a.lo >= 0) value.lo = 0;
    if (class == CLASS_REM && a.hi <= 0) value.hi = 0;
    return (ilc__range_result){value, true};
}

/* Unsigned arithmetic is followed where it agrees with the signed one: no operand and no result below 0. */
static ilc__range_result naturals(ilc__range exact, ilc__range a, ilc__range b, ilc__ir_type type)
{
    ilc__range_result result = fit(exact, type);
    if (result.proved && a.lo >= 0 && b.lo >= 0 && exact.lo >= 0) return result;
    ilc__range outer = ilc__range_of_type(type);
    return (ilc__range_result){bounds(outer.lo, outer.hi, exact.lo_known, exact.hi_known), false};
}

/* By a constant count below the width. */
static ilc__range_result shift(op_class class, ilc__range a, ilc__range b, ilc__ir_type type)
{
    ilc__range outer = ilc__range_of_type(type);
    int        width = type == ILC__IR_I32 ? 32 : 64;
    bool       known = ilc__range_known(a) && ilc__range_known(b);
    outer.lo_known = outer.hi_known = known;
    if (b.lo != b.hi || b.lo < 0 || b.lo >= width) return (ilc__range_result){outer, true};
    if (class == CLASS_SHR_UN && a.lo < 0 && b.lo > 0) return (ilc__range_result){outer, true};
    ilc__wide factor = WIDE(1) << (int)b.lo;
    if (class != CLASS_SHL)
        return (ilc__range_result){bounds(a.lo >> (int)b.lo, a.hi >> (int)b.lo, known, known), true};
    ilc__range exact = bounds(a.lo * factor, a.hi * factor, known, known);
    return (ilc__range_result){fit(exact, type).value, true};
}

static ilc__range bit_and(ilc__range a, ilc__range b, ilc__ir_type type)
{
    ilc__range value = ilc__range_of_type(type);
    bool       mask_a = ilc__range_known(a), mask_b = ilc__range_known(b);
    value.lo_known = value.hi_known = mask_a || mask_b;
    if (a.lo < 0 && b.lo < 0) return value;
    value.lo = 0;
    value.hi = a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : least(a.hi, b.hi);
    return value;
}

/* Of natural numbers: the bits of the larger one. A mask of no bits or all leaves the other, or turns it over. */
static ilc__range bit_or_xor(op_class class, ilc__range a, ilc__range b, ilc__ir_type type)
{
    ilc__range value = ilc__range_of_type(type);
    value.lo_known = value.hi_known = ilc__range_known(a) && ilc__range_known(b);
    if (a.lo == a.hi && (a.lo == 0 || a.lo == -1)) { /* the mask is b */
        ilc__range mask = a;
        a = b;
        b = mask;
    }
    if (b.lo == 0 && b.hi == 0) {
        value.lo = a.lo;
        value.hi = a.hi;
    } else if (b.lo == -1 && b.hi == -1) {
        value.lo = class == CLASS_OR ? -1 : -1 - a.hi;
        value.hi = class == CLASS_OR ? -1 : -1 - a.lo;
    } else if (a.lo >= 0 && b.lo >= 0) {
        ilc__wide bits = most(a.hi, b.hi);
        value.hi = 1;
        while (value.hi <= bits) value.hi *= 2;
        value.hi--;
        value.lo = class == CLASS_OR ? most(a.lo, b.lo) : 0;
    }
    return value;
}

static ilc__range_result absolute(ilc__range a, ilc__ir_type type)
{
    ilc__range exact = bounds(0, most(-a.lo, a.hi), ilc__range_known(a), ilc__range_known(a));
    if (a.lo > 0) exact.lo = a.lo;
    if (a.hi < 0) exact.lo = -a.hi;
    return fit(exact, type);
}

static ilc__range_result convert(ilc__range a, op_rule rule)
{
    ilc__range target = ilc__range_of_storage(rule.target);
    ilc__range value = bounds(most(a.lo, target.lo), least(a.hi, target.hi), a.lo_known, a.hi_known);
    bool       proved = ilc__range_within(a, target) && (!rule.unsigned_source || a.lo >= 0);
    if (proved) return (ilc__range_result){a, true};
    /* what passes the check lies in the target; an unsigned one may read as a negative number */
    if (rule.unsigned_source || value.lo > value.hi) value = ilc__range_of_type(rule.type);
    return (ilc__range_result){bounds(value.lo, value.hi, a.lo_known, a.hi_known), false};
}

static ilc__range cut(ilc__range a, ilc_storage storage)
{
    ilc__range target = ilc__range_of_storage(storage);
    bool       narrow = ilc__range_known(target);
    if (ilc__range_within(a, target)) return bounds(a.lo, a.hi, narrow || a.lo_known, narrow || a.hi_known);
    return bounds(target.lo, target.hi, narrow || a.lo_known, narrow || a.hi_known);
}

static ilc__range_result compute(ilc__op op, ilc__range a, ilc__range b)
{
    op_rule    rule = rule_of(op);
    bool       known = ilc__range_known(a) && ilc__range_known(b);
    ilc__range sum = bounds(a.lo + b.lo, a.hi + b.hi, known, known), difference = bounds(a.lo - b.hi, a.hi - b.lo, known, known);
    ilc__range value = ilc__range_of_type(rule.type);
    switch (rule.class) {
    case CLASS_ADD: return fit(sum, rule.type);
    case CLASS_SUB: return fit(difference, rule.type);
    case CLASS_MUL: return fit(corners(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi, known), rule.type);
    case CLASS_NEG: return fit(bounds(-a.hi, -a.lo, a.hi_known && a.lo_known, a.hi_known && a.lo_known), rule.type);
    case CLASS_UNSIGNED_ADD: return naturals(sum, a, b, rule.type);
    case CLASS_UNSIGNED_SUB: return naturals(difference, a, b, rule.type);
    case CLASS_UNSIGNED_MUL:
        return naturals(corners(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi, known), a, b, rule.type);
    case CLASS_DIV: case CLASS_REM: case CLASS_DIV_UN: case CLASS_REM_UN: return divide(rule.class, a, b, rule.type);
    case CLASS_AND: value = bit_and(a, b, rule.type); break;
    case CLASS_OR: case CLASS_XOR: value = bit_or_xor(rule.class, a, b, rule.type); break;
    case CLASS_NOT: value = bounds(-1 - a.hi, -1 - a.lo, a.hi_known, a.lo_known); break;
    case CLASS_SHL: case CLASS_SHR: case CLASS_SHR_UN: return shift(rule.class, a, b, rule.type);
    case CLASS_MIN:
        value = bounds(least(a.lo, b.lo), least(a.hi, b.hi), a.lo_known && b.lo_known, a.hi_known || b.hi_known);
        break;
    case CLASS_MAX:
        value = bounds(most(a.lo, b.lo), most(a.hi, b.hi), a.lo_known || b.lo_known, a.hi_known && b.hi_known);
        break;
    case CLASS_ABS: return absolute(a, rule.type);
    case CLASS_FLAG: value = ilc__range_between(0, 1); break;
    case CLASS_SIGN: value = ilc__range_between(-1, 1); break;
    case CLASS_WIDEN: value = a; break;
    case CLASS_WIDEN_UN:
        value = a.lo >= 0 ? a : bounds(0, UINT32_MAX, a.lo_known, a.hi_known);
        break;
    case CLASS_CUT: value = cut(a, rule.target); break;
    case CLASS_CONVERT: return convert(a, rule);
    case CLASS_NONE: break;
    }
    return (ilc__range_result){value, !ilc__range_traps(op)};
}

ilc__range_result ilc__range_op(ilc__op op, ilc__range a, ilc__range b)
{
    ilc__range_result result = compute(op, a, b);
    result.value.launch = a.launch || b.launch;
    return result;
}
