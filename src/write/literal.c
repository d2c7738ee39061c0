/* literal.c - numbers as their shortest decimal text. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "write/internal.h"

/* The fewest digits that read back as the same number. snprintf and strtod agree on the locale's point, which
 * is then left out of the digits. */
static int shortest_digits(double value, bool single, char digits[24])
{
    char text[48];
    for (int precision = 0; precision < 17; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value) break;
    }
    int         count = 0;
    const char *c = text;
    for (; *c && *c != 'e'; c++)
        if (isdigit((unsigned char)*c)) digits[count++] = *c;
    while (count > 1 && digits[count - 1] == '0') count--;
    digits[count] = '\0';
    return *c ? atoi(c + 1) : 0;
}

/* Finite, not negative; no suffix. */
static void put_digits(ilc__text *out, double value, bool single)
{
    char digits[24];
    int  exponent = shortest_digits(value, single, digits), count = (int)strlen(digits);
    if (exponent < -5 || exponent > (single ? 8 : 15)) {
        ilc__text_printf(out, "%c.%sE%s%02d", digits[0], count > 1 ? digits + 1 : "0", exponent < 0 ? "-" : "+",
                         abs(exponent));
    } else if (exponent < 0) {
        ilc__text_puts(out, "0.");
        for (int i = 1; i < -exponent; i++) ilc__text_putc(out, '0');
        ilc__text_puts(out, digits);
    } else {
        for (int i = 0; i <= exponent; i++) ilc__text_putc(out, i < count ? digits[i] : '0');
        ilc__text_putc(out, '.');
        ilc__text_puts(out, count > exponent + 1 ? digits + exponent + 1 : "0");
    }
}

bool ilc__is_nan_or_infinite(const ilc__term *t)
{
    if (t->type.storage == ILC_F32) return ((uint32_t)t->bits & 0x7f800000u) == 0x7f800000u;
    return t->type.storage == ILC_F64 && (t->bits & 0x7ff0000000000000u) == 0x7ff0000000000000u;
}

void ilc__put_float(ilc__writer *w, const ilc__term *t)
{
    const ilc__syntax *syntax = w->syntax;
    const char        *type = syntax->type_names[t->type.storage];
    bool               single = t->type.storage == ILC_F32, negative = single ? (uint32_t)t->bits >> 31 : t->bits >> 63;
    if (ilc__is_nan_or_infinite(t)) {
        uint64_t fraction = single ? t->bits & 0x7fffffu : t->bits & 0xfffffffffffffu;
        if (!fraction) ilc__text_printf(w->out, "%s.%sInfinity", type, negative ? "Negative" : "Positive");
        else if (fraction == (single ? 0x400000u : 0x8000000000000u) && negative) ilc__text_printf(w->out, "%s.NaN", type);
        else if (single) ilc__text_printf(w->out, "BitConverter.UInt32BitsToSingle(%s%08X%s)", syntax->hex, (unsigned)t->bits, syntax->unsigned_suffix);
        else ilc__text_printf(w->out, "BitConverter.UInt64BitsToDouble(%s%016llX%s)", syntax->hex, (unsigned long long)t->bits, syntax->ulong_suffix);
        return;
    }
    double   value;
    float    narrow;
    uint32_t bits = (uint32_t)t->bits;
    memcpy(&value, &t->bits, sizeof value);
    memcpy(&narrow, &bits, sizeof narrow);
    if (single) value = (double)narrow;
    if (negative) ilc__text_putc(w->out, '-');
    put_digits(w->out, negative ? -value : value, single);
    if (single) ilc__text_putc(w->out, syntax->single_suffix);
}
