/* bounds.c - what an integer lies between, as far as its term shows: where nothing can overflow, nothing need be said
 * of overflow. */
#include "write/internal.h"

static bool bounds_of(const ilc__term *t, uint32_t depth, int64_t *low, int64_t *high);

static bool within(ilc_storage type, int64_t low, int64_t high)
{
    switch (type) {
    case ILC_I32: return low >= INT32_MIN && high <= INT32_MAX;
    case ILC_U32: return low >= 0 && high <= UINT32_MAX;
    case ILC_I64: return true;
    case ILC_U64: return low >= 0;
    case ILC_I8: return low >= INT8_MIN && high <= INT8_MAX;
    case ILC_I16: return low >= INT16_MIN && high <= INT16_MAX;
    case ILC_U8: return low >= 0 && high <= UINT8_MAX;
    case ILC_U16: case ILC_CHAR: return low >= 0 && high <= UINT16_MAX;
    default: return false;
    }
}

/* x opr y in 64 bits; false where that may be too few, or the operator is another. */
static bool sum_bounds(ilc__operator opr, ilc__interval x, ilc__interval y, int64_t *low, int64_t *high)
{
    static const int64_t most = (int64_t)1 << 40;
    if (x.first < -most || x.last > most || y.first < -most || y.last > most) return false;
    if (opr == ILC__OPR_ADD) {
        *low = x.first + y.first;
        *high = x.last + y.last;
        return true;
    }
    if (opr == ILC__OPR_SUB) {
        *low = x.first - y.last;
        *high = x.last - y.first;
        return true;
    }
    static const int64_t factor = (int64_t)1 << 31;
    if (opr != ILC__OPR_MUL || x.first < -factor || x.last > factor || y.first < -factor || y.last > factor) return false;
    int64_t corners[4] = {x.first * y.first, x.first * y.last, x.last * y.first, x.last * y.last};
    *low = *high = corners[0];
    for (int i = 1; i < 4; i++) {
        if (corners[i] < *low) *low = corners[i];
        if (corners[i] > *high) *high = corners[i];
    }
    return true;
}

/* Of bits and shifts of numbers that are not negative. */
static bool bit_bounds(ilc__operator opr, ilc__interval x, ilc__interval y, int64_t *low, int64_t *high)
{
    static const int64_t most = (int64_t)1 << 40;
    if (opr == ILC__OPR_AND && y.first >= 0 && x.first < 0) x = y;
    if (opr == ILC__OPR_AND && x.first >= 0 && y.first < 0) y = x;
    if (x.first < 0 || x.last > most || y.first < 0 || y.last > most) return false;
    *low = 0;
    switch (opr) {
    case ILC__OPR_AND: *high = x.last < y.last ? x.last : y.last; return true;
    case ILC__OPR_OR: case ILC__OPR_XOR:
        for (*high = 1; *high <= x.last || *high <= y.last;) *high *= 2;
        *high -= 1;
        return true;
    case ILC__OPR_SHR: *high = x.last >> (y.first < 31 ? y.first : 31); return y.last <= 31;
    case ILC__OPR_SHL: *high = x.last << (y.last <= 22 ? y.last : 0); return y.last <= 22 && *high <= INT32_MAX;
    case ILC__OPR_MOD: *high = y.last - 1; return y.first > 0;
    case ILC__OPR_QUOTIENT: *high = x.last; return y.first > 0;
    default: return false;
    }
}

static bool binary_bounds(const ilc__term *t, uint32_t depth, int64_t *low, int64_t *high)
{
    ilc__interval x, y;
    bool          known = bounds_of(t->args[1], depth + 1, &y.first, &y.last);
    if (!bounds_of(t->args[0], depth + 1, &x.first, &x.last)) {
        if (t->opr != ILC__OPR_AND || !known) return false;
        x = (ilc__interval){-1, -1}; /* whatever it is */
    }
    if (!known) return false;
    return sum_bounds(t->opr, x, y, low, high) || bit_bounds(t->opr, x, y, low, high);
}

/* What an integer's value lies between, as far as the term shows. */
static bool bounds_of(const ilc__term *t, uint32_t depth, int64_t *low, int64_t *high)
{
    int64_t a, b, c, d;
    if (!ilc__is_scalar(t->type) || depth > 8) return false;
    ilc_storage s = t->type.storage;
    if (t->kind == ILC__W_LITERAL && ilc__is_integer(s) && (int64_t)t->bits >= INT32_MIN && (int64_t)t->bits <= UINT32_MAX) {
        *low = *high = (int64_t)t->bits;
        return true;
    }
    if (t->kind == ILC__W_CAST && t->exact && bounds_of(t->args[0], depth + 1, low, high)) return true;
    if (t->kind == ILC__W_CHOICE && bounds_of(t->args[1], depth + 1, &a, &b) && bounds_of(t->args[2], depth + 1, &c, &d)) {
        *low = a < c ? a : c;
        *high = b > d ? b : d;
        return true;
    }
    /* a narrow shift drops what leaves its width */
    if (t->kind == ILC__W_BINARY && t->overflow == ILC__ANY && binary_bounds(t, depth, low, high) && (!ilc__is_small(s) || within(s, *low, *high))) return true;
    if ((t->kind == ILC__W_MEMBER && strcmp(t->text, "Length") == 0) || (t->kind == ILC__W_METHOD && strcmp(t->text, "GetLength") == 0)) {
        *low = 0;
        *high = INT32_MAX;
        return true;
    }
    if (!ilc__is_small(s)) return false;
    uint32_t bits = ilc__bits_of(s);
    *low = ilc__is_unsigned(s) ? 0 : -((int64_t)1 << (bits - 1));
    *high = ilc__is_unsigned(s) ? ((int64_t)1 << bits) - 1 : ((int64_t)1 << (bits - 1)) - 1;
    return true;
}

bool ilc__fits(const ilc__term *t, ilc_storage type)
{
    int64_t low, high;
    return bounds_of(t, 0, &low, &high) && within(type, low, high);
}

/* Can x opr y not overflow? Then it may be checked or not. */
bool ilc__stays_within(ilc__operator opr, ilc_storage type, const ilc__term *x, const ilc__term *y)
{
    ilc__interval a, b;
    int64_t       low, high;
    if (!bounds_of(x, 0, &a.first, &a.last) || !bounds_of(y, 0, &b.first, &b.last)) return false;
    return sum_bounds(opr, a, b, &low, &high) && within(type, low, high);
}

bool ilc__negates_within(const ilc__term *t)
{
    int64_t low, high;
    return bounds_of(t, 0, &low, &high) && low > INT32_MIN && high <= INT32_MAX;
}
