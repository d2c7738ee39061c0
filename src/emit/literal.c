/* literal.c - constants as C text that reads back to the same bits.
 *
 * Decimal where it round-trips with the fewest digits; NaN and infinities through their bits. */
#include "emit/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* snprintf and strtod both use the locale's decimal point; C source does not. */
static void make_neutral(char *text)
{
    for (char *at = text; *at; at++)
        if (!((*at >= '0' && *at <= '9') || *at == '-' || *at == '+' || *at == 'e' || *at == '.')) *at = '.';
}

static const char *finish(ilc__arena *arena, char *text, const char *suffix)
{
    make_neutral(text);
    bool whole = !strchr(text, '.') && !strchr(text, 'e');
    return ilc__arena_printf(arena, "%s%s%s", text, whole ? ".0" : "", suffix);
}

static const char *f32_literal(ilc__arena *arena, uint32_t bits, bool *primary)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) return ilc__arena_printf(arena, "IL_F32(%s0x%08x)", bits >> 31 ? "(int)" : "", bits);
    char text[48];
    for (int digits = 1; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) break;
    }
    *primary = bits >> 31 == 0;
    return finish(arena, text, "f");
}

static const char *f64_literal(ilc__arena *arena, uint64_t bits, bool *primary)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
        return ilc__arena_printf(arena, "IL_F64(%s0x%016llx%s)", bits >> 63 ? "(long long)" : "",
                                 (unsigned long long)bits, bits >> 63 ? "ULL" : "LL");
    char text[48];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    *primary = bits >> 63 == 0;
    return finish(arena, text, "");
}

/* The most negative integers have no literal of their own in C. */
static const char *integer_literal(ilc__arena *arena, int64_t value, int64_t least, const char *suffix,
                                   bool *primary)
{
    if (value == least) return ilc__arena_printf(arena, "(-%lld%s - 1)", -(long long)(least + 1), suffix);
    *primary = value >= 0;
    return ilc__arena_printf(arena, "%lld%s", (long long)value, suffix);
}

const char *ilc__literal(ilc__arena *arena, ilc__ir_type type, uint64_t bits, bool *primary)
{
    *primary = true;
    switch (type) {
    case ILC__IR_F32: return f32_literal(arena, (uint32_t)bits, primary);
    case ILC__IR_F64: return f64_literal(arena, bits, primary);
    case ILC__IR_I64: return integer_literal(arena, (int64_t)bits, INT64_MIN, "LL", primary);
    default: return integer_literal(arena, (int32_t)(uint32_t)bits, INT32_MIN, "", primary);
    }
}
