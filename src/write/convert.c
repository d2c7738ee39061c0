/* convert.c - conversions between terms. Two sorts: of the same bits (the IR's Int32 as the source's Byte, Char, UInt32
 * or Boolean), which are made where a place or an operator asks for another type; and those that the IR has, which
 * change the value. What the languages do by themselves is left out where it is wanted. */
#include "write/internal.h"

static uint64_t cut(uint64_t bits, ilc_storage type)
{
    switch (type) {
    case ILC_BOOL: return (uint32_t)bits != 0;
    case ILC_I8: return (uint64_t)(int64_t)(int8_t)bits;
    case ILC_U8: return (uint8_t)bits;
    case ILC_I16: return (uint64_t)(int64_t)(int16_t)bits;
    case ILC_U16: case ILC_CHAR: return (uint16_t)bits;
    case ILC_I32: return (uint64_t)(int64_t)(int32_t)bits;
    case ILC_U32: return (uint32_t)bits;
    default: return bits;
    }
}

ilc__term *ilc__term_literal(ilc__writer *w, ilc_storage type, uint64_t bits)
{
    ilc__term *t = ilc__term_new(w, ILC__W_LITERAL, ilc__scalar(type), 0);
    t->bits = cut(bits, type);
    return t;
}

/* VB adds Bytes as Bytes, checked: the sum that is cut to the type with a check. */
static ilc__term *narrow_sum(ilc__writer *w, const ilc__term *t, ilc_storage type)
{
    bool sum = t->kind == ILC__W_BINARY && (t->opr == ILC__OPR_ADD || t->opr == ILC__OPR_SUB || t->opr == ILC__OPR_MUL);
    if (!w->syntax->checks || !w->checked || !sum || t->overflow != ILC__ANY || !(t->type.storage == ILC_I32 || t->type.storage == ILC_U32)) return NULL;
    ilc__term *args[2];
    for (int i = 0; i < 2; i++) {
        ilc__term *x = t->args[i];
        if (x->kind == ILC__W_CAST && x->exact) x = x->args[0];
        if (x->kind == ILC__W_LITERAL && ilc__term_literal(w, type, x->bits)->bits == x->bits) x = ilc__term_literal(w, type, x->bits);
        if (!ilc__is_scalar(x->type) || x->type.storage != type) return NULL;
        args[i] = x;
    }
    if (args[0]->kind == ILC__W_LITERAL && args[1]->kind == ILC__W_LITERAL) return NULL;
    ilc__term *narrow = ilc__term_binary(w, t->opr, type, args[0], args[1]);
    narrow->overflow = ILC__CHECKS;
    narrow->effects = true;
    return narrow;
}

static bool is_wide(ilc_storage s)
{
    return ilc__bits_of(s) == 64;
}

/* A truth as a number: 1 or 0. */
static ilc__term *number_of(ilc__writer *w, ilc__term *truth, ilc_storage type)
{
    ilc_storage at = is_wide(type) ? type : ILC_I32;
    ilc__term  *t = ilc__term_new(w, ILC__W_CHOICE, ilc__scalar(at), 3);
    t->args[0] = truth;
    t->args[1] = ilc__term_literal(w, at, 1);
    t->args[2] = ilc__term_literal(w, at, 0);
    t->calls = truth->calls;
    t->effects = truth->effects;
    return ilc__convert(w, t, type);
}

/* What a conversion that cuts need not look at: an inner one that kept the bits it keeps. */
static ilc__term *without_inner(ilc__term *t, ilc_storage type)
{
    while (t->kind == ILC__W_CAST && (t->exact || t->overflow == ILC__WRAPS)) {
        ilc_storage middle = t->type.storage, inner = t->args[0]->type.storage;
        if (!ilc__is_scalar(t->args[0]->type) || !ilc__is_integer(middle) || !ilc__is_integer(inner)) break;
        bool keeps = ilc__bits_of(middle) >= ilc__bits_of(type) || ilc__holds(middle, inner);
        if (!keeps) break;
        t = t->args[0];
    }
    return t;
}

static ilc__term *without_widening(ilc__term *x)
{
    return x->kind == ILC__W_CAST && x->exact && ilc__is_scalar(x->args[0]->type) ? x->args[0] : x;
}

/* VB's And, Or and Xor of narrow numbers are such. */
static ilc__term *narrow_bits(ilc__writer *w, const ilc__term *t, ilc_storage type)
{
    bool bits = t->kind == ILC__W_BINARY && (t->opr == ILC__OPR_AND || t->opr == ILC__OPR_OR || t->opr == ILC__OPR_XOR);
    if (w->syntax->language != ILC__LANGUAGE_VB || !bits || t->type.storage != ILC_I32 || !ilc__is_small(type) || type == ILC_CHAR) return NULL;
    ilc__term *x = without_widening(t->args[0]), *y = without_widening(t->args[1]);
    bool       narrow = x->type.storage == type && y->type.storage == type && x->kind != ILC__W_LITERAL && y->kind != ILC__W_LITERAL;
    return narrow ? ilc__term_binary(w, t->opr, type, x, y) : NULL;
}

/* VB shifts narrow numbers as they are, by as much as their width allows: what is cut to the width again. */
static ilc__term *narrow_shift(ilc__writer *w, const ilc__term *t, ilc_storage type, ilc__overflow overflow)
{
    bool shifts = t->kind == ILC__W_BINARY && (t->opr == ILC__OPR_SHR || (t->opr == ILC__OPR_SHL && overflow == ILC__WRAPS));
    if (w->syntax->language != ILC__LANGUAGE_VB || !shifts || t->type.storage != ILC_I32 || !ilc__is_small(type) || type == ILC_CHAR) return NULL;
    ilc__term *x = without_widening(t->args[0]), *count = t->args[1];
    if (x->type.storage != type || x->kind == ILC__W_LITERAL) return NULL;
    uint64_t mask = ilc__bits_of(type) - 1;
    bool     masked = count->kind == ILC__W_BINARY && count->opr == ILC__OPR_AND && count->args[1]->kind == ILC__W_LITERAL && count->args[1]->bits == mask;
    if (masked) count = count->args[0];
    else if (count->kind != ILC__W_LITERAL || count->bits > mask) return NULL;
    return ilc__term_binary(w, t->opr, type, x, count);
}

static ilc__term *raw_cast(ilc__writer *w, ilc__term *t, ilc_storage type, ilc__overflow overflow)
{
    ilc_storage from = t->type.storage;
    bool        ints = ilc__is_integer(from) && ilc__is_integer(type);
    ilc__term  *c = ilc__term_new(w, ILC__W_CAST, ilc__scalar(type), 1);
    c->args[0] = t;
    c->calls = t->calls;
    c->exact = ilc__holds(type, from) || (!ints && overflow == ILC__ANY);
    bool fits = ints && overflow == ILC__WRAPS && ilc__fits(t, type);
    c->overflow = c->exact || fits ? ILC__ANY : overflow;
    c->effects = t->effects || overflow == ILC__CHECKS;
    return c;
}

/* What compilers would compute by themselves, and refuse since it fails. */
ilc__term *ilc__opaque(ilc__writer *w, ilc__term *t)
{
    return ilc__term_helper(w, "Opaque", t->type, t, NULL);
}

ilc__term *ilc__cast(ilc__writer *w, ilc__term *t, ilc_storage type, ilc__overflow overflow)
{
    ilc_storage from = t->type.storage;
    bool        ints = ilc__is_integer(from) && ilc__is_integer(type);
    if (t->kind == ILC__W_LITERAL && ints && overflow != ILC__CHECKS) return ilc__term_literal(w, type, t->bits);
    if (ints && overflow != ILC__CHECKS) t = without_inner(t, type);
    if (t->type.storage == type) return t;
    ilc__term *shifted = ints ? narrow_shift(w, t, type, overflow) : NULL, *joined = ints ? narrow_bits(w, t, type) : NULL;
    if (shifted || joined) return shifted ? shifted : joined;
    /* C# makes an Int32 of a float on the way to a narrower type, as IL does */
    bool by_int = w->syntax->language == ILC__LANGUAGE_CS && overflow == ILC__WRAPS && ilc__is_small(type) && t->kind == ILC__W_CAST &&
                  t->overflow == ILC__WRAPS && t->type.storage == ILC_I32 && ilc__is_float(t->args[0]->type.storage);
    if (by_int) return raw_cast(w, t->args[0], type, overflow);
    if (t->kind == ILC__W_LITERAL && overflow == ILC__CHECKS) t = ilc__opaque(w, t);
    if (ints && overflow == ILC__CHECKS && ilc__is_small(type) && type != ILC_CHAR) {
        /* a negative number read as unsigned is too great, and too small as it is */
        bool again = t->kind == ILC__W_CAST && t->overflow == ILC__WRAPS && ilc__is_unsigned(type) && t->type.storage == ILC_U32 && t->args[0]->type.storage == ILC_I32;
        if (again) t = t->args[0];
        ilc__term *narrow = narrow_sum(w, t, type);
        if (narrow) return narrow;
    }
    for (ilc_storage step; w->syntax->converts_by && (step = w->syntax->converts_by(t->type.storage, type)) != ILC_VOID;)
        t = raw_cast(w, t, step, ilc__holds(step, t->type.storage) ? ILC__ANY : ILC__WRAPS);
    return raw_cast(w, t, type, overflow);
}

ilc__term *ilc__convert(ilc__writer *w, ilc__term *t, ilc_storage type)
{
    ilc_storage from = t->type.storage;
    if (!ilc__is_scalar(t->type)) {
        ilc__cannot(w, "a number made of what is none");
        return t;
    }
    if (from == type || type == ILC_VOID) return t;
    if (ilc__is_float(from) || ilc__is_float(type)) {
        ilc__cannot(w, "a number read as another kind of number");
        return t;
    }
    if (t->kind == ILC__W_LITERAL) return ilc__term_literal(w, type, t->bits);
    if (type == ILC_BOOL) return ilc__term_binary(w, ILC__OPR_NE, ILC_BOOL, t, ilc__term_literal(w, from, 0));
    if (from == ILC_BOOL) return number_of(w, t, type);
    return ilc__cast(w, t, type, ILC__WRAPS);
}

ilc__term *ilc__relax(ilc__writer *w, ilc__term *t, ilc_storage type)
{
    if (t->kind == ILC__W_CAST && t->exact && t->type.storage == type && ilc__is_scalar(t->args[0]->type) &&
        w->syntax->widens(t->args[0]->type.storage, type))
        return t->args[0];
    return t;
}

static ilc__operator opposite(ilc__operator opr)
{
    switch (opr) {
    case ILC__OPR_EQ: return ILC__OPR_NE;
    case ILC__OPR_NE: return ILC__OPR_EQ;
    case ILC__OPR_SAME: return ILC__OPR_OTHER;
    case ILC__OPR_OTHER: return ILC__OPR_SAME;
    case ILC__OPR_LT: return ILC__OPR_GE;
    case ILC__OPR_LE: return ILC__OPR_GT;
    case ILC__OPR_GT: return ILC__OPR_LE;
    case ILC__OPR_GE: return ILC__OPR_LT;
    default: return ILC__OPR_COUNT;
    }
}

ilc__term *ilc__deny(ilc__writer *w, ilc__term *t)
{
    if (t->kind == ILC__W_UNARY && t->opr == ILC__OPR_DENY) return t->args[0];
    if (t->kind == ILC__W_LITERAL) return ilc__term_literal(w, ILC_BOOL, !t->bits);
    if (t->kind == ILC__W_BINARY && opposite(t->opr) != ILC__OPR_COUNT) {
        bool ordered = t->opr != ILC__OPR_EQ && t->opr != ILC__OPR_NE && t->opr != ILC__OPR_SAME && t->opr != ILC__OPR_OTHER;
        /* the opposite of < is true on NaN: >= is not */
        bool floats = ilc__is_float(t->args[0]->type.storage) || ilc__is_float(t->args[1]->type.storage);
        if (!ordered || !floats) {
            ilc__term *c = ilc__term_new(w, ILC__W_BINARY, t->type, 2);
            *c = *t;
            c->opr = opposite(t->opr);
            return c;
        }
    }
    return ilc__term_unary(w, ILC__OPR_DENY, ilc__scalar(ILC_BOOL), t);
}

/* --- operators over operands of any type ------------------------------------------------------------------------------ */

static bool is_shift(ilc__operator opr)
{
    return opr == ILC__OPR_SHL || opr == ILC__OPR_SHR;
}

static bool is_compare(ilc__operator opr)
{
    return opr >= ILC__OPR_EQ && opr <= ILC__OPR_GE;
}

/* Does x need no conversion, the value being what type holds? A literal is made one of the type. */
static ilc__term *operand(ilc__writer *w, ilc__term *x, ilc_storage type)
{
    ilc_storage from = x->type.storage;
    bool character = x->kind == ILC__W_LITERAL && from == ILC_CHAR && type == ILC_I32 && w->syntax->widens(from, type);
    if (x->kind == ILC__W_LITERAL && !character && !ilc__is_float(type) && !ilc__is_float(from)) return ilc__term_literal(w, type, x->bits);
    if (from == type) return ilc__relax(w, x, type);
    if (w->syntax->widens(from, type)) return x;
    return ilc__convert(w, x, type);
}

/* Said in full, when the language would compute in another type. */
static ilc__term *exactly(ilc__writer *w, ilc__term *x, ilc_storage type)
{
    return x->type.storage == type ? x : ilc__is_float(type) ? ilc__cast(w, x, type, ILC__ANY) : ilc__convert(w, x, type);
}

/* A literal below zero, turned; NULL for all else. */
static ilc__term *without_minus(ilc__writer *w, const ilc__term *t, ilc_storage type)
{
    if (t->kind != ILC__W_LITERAL || t->type.storage != type || ilc__is_nan_or_infinite(t)) return NULL;
    if (type == ILC_F32) return (uint32_t)t->bits > 0x80000000u ? ilc__term_literal(w, type, t->bits ^ 0x80000000u) : NULL;
    if (type == ILC_F64) return t->bits > (uint64_t)1 << 63 ? ilc__term_literal(w, type, t->bits ^ (uint64_t)1 << 63) : NULL;
    bool negative = (type == ILC_I32 && (int64_t)t->bits > INT32_MIN) || (type == ILC_I64 && (int64_t)t->bits > INT64_MIN);
    return negative && (int64_t)t->bits < 0 ? ilc__term_literal(w, type, (uint64_t) - (int64_t)t->bits) : NULL;
}

/* C#: c - '0', c - 'A', c - 'a'. */
static void as_characters(ilc__writer *w, ilc__term **x, ilc__term **y)
{
    if (w->syntax->language != ILC__LANGUAGE_CS) return;
    for (int side = 0; side < 2; side++) {
        ilc__term **number = side ? x : y;
        const ilc__term *other = side ? *y : *x;
        bool first = (*number)->kind == ILC__W_LITERAL && (*number)->type.storage == ILC_I32 && ((*number)->bits == '0' || (*number)->bits == 'A' || (*number)->bits == 'a');
        bool character = ilc__is_scalar(other->type) && other->type.storage == ILC_CHAR && other->kind != ILC__W_LITERAL;
        if (first && character) *number = ilc__term_literal(w, ILC_CHAR, (*number)->bits);
    }
}

ilc__term *ilc__operate(ilc__writer *w, ilc__operator opr, ilc_storage type, ilc__overflow overflow, ilc__term *x,
                        ilc__term *y)
{
    const ilc__syntax *syntax = w->syntax;
    ilc__term         *positive = opr == ILC__OPR_ADD ? without_minus(w, y, type) : NULL;
    if (positive) { /* x + -1 is x - 1, whatever x is */
        opr = ILC__OPR_SUB;
        y = positive;
    }
    if (type == ILC_I32 && (opr == ILC__OPR_ADD || opr == ILC__OPR_SUB)) as_characters(w, &x, &y);
    ilc_storage        result = is_compare(opr) ? ILC_BOOL : type;
    ilc__term         *a = operand(w, x, type), *b;
    if (is_shift(opr)) {
        if (syntax->promote(opr, a->type.storage, ILC_I32) != type) a = exactly(w, a, type);
        b = ilc__convert(w, y, ILC_I32);
    } else {
        b = operand(w, y, type);
        /* The wider says the type; the right one first, so that the left keeps its place in the line. */
        if (syntax->promote(opr, a->type.storage, b->type.storage) != type) {
            ilc__term *whole = exactly(w, b->type.storage == type ? b : y->type.storage == type ? y : b, type);
            if (b->kind != ILC__W_LITERAL && syntax->promote(opr, a->type.storage, type) == type && b->type.storage != type) {
                ilc__term *left = x->type.storage == type ? x : exactly(w, a, type);
                if (syntax->promote(opr, type, b->type.storage) == type) a = left;
                else b = whole;
            } else {
                a = x->type.storage == type ? x : exactly(w, a, type);
                if (syntax->promote(opr, a->type.storage, b->type.storage) != type) b = whole;
            }
        }
    }
    bool divides = opr == ILC__OPR_QUOTIENT || opr == ILC__OPR_MOD;
    bool constant = a->kind == ILC__W_LITERAL && overflow != ILC__ANY;
    if (b->kind == ILC__W_LITERAL && (constant || (divides && ilc__is_integer(type) && b->bits == 0))) b = ilc__opaque(w, b);
    if (overflow == ILC__WRAPS && ilc__stays_within(opr, type, a, b)) overflow = ILC__ANY;
    ilc__term *t = ilc__term_binary(w, opr, result, a, b);
    t->overflow = overflow;
    t->effects = t->effects || overflow == ILC__CHECKS || (divides && ilc__is_integer(type));
    return t;
}
