/* text.c - scalars as text (text.h). */
#include "text.h"

#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A float's shortest decimal digits, and where the point stands: 0.d1d2d3... * 10^point. */
typedef struct digits {
    char text[20];
    int  count, point;
} digits;

typedef struct float_kind {
    int most; /* digits that always suffice */
    bool is_single;
} float_kind;

static bool reads_back(const float_kind *kind, const char *text, double value)
{
    return kind->is_single ? (double)strtof(text, NULL) == value : strtod(text, NULL) == value;
}

/* One unit more in the last place of "d.ddde-xx"; false when that carries out of the first digit. */
static bool step_up(char *text)
{
    char *at = strchr(text, 'e');
    while (at-- > text) {
        if (*at == '.') continue;
        if (*at != '9') {
            ++*at;
            return true;
        }
        *at = '0';
    }
    return false;
}

static digits shortest(const float_kind *kind, double value)
{
    char text[40];
    for (int count = 1;; count++) {
        snprintf(text, sizeof text, "%.*e", count - 1, value);
        if (count >= kind->most || reads_back(kind, text, value)) break;
        /* Just above a power of two the gap is twice the one below: the farther decimal may be the one that reads
         * back. */
        if (step_up(text) && reads_back(kind, text, value)) break;
    }
    digits found = {.count = 0};
    char  *at = text;
    for (; *at && *at != 'e'; at++)
        if (*at != '.') found.text[found.count++] = *at;
    found.point = atoi(at + 1) + 1;
    while (found.count > 1 && found.text[found.count - 1] == '0') found.count--;
    return found;
}

/* CoreCLR, Number.Formatting.cs, FormatGeneral: scientific where the point is further right than the digits that
 * always suffice, or more than three zeros stand left of the first digit. */
static void write_digits(char *out, const digits *d, int most)
{
    bool scientific = d->point > most || d->point < -3;
    int  point = scientific ? 1 : d->point;
    if (point <= 0) {
        *out++ = '0';
    } else {
        for (int i = 0; i < point; i++) *out++ = i < d->count ? d->text[i] : '0';
    }
    if (d->count > point || point < 0) {
        *out++ = '.';
        for (int i = point; i < 0; i++) *out++ = '0';
        for (int i = point > 0 ? point : 0; i < d->count; i++) *out++ = d->text[i];
    }
    *out = 0;
    if (scientific) sprintf(out, "E%c%02d", d->point < 1 ? '-' : '+', abs(d->point - 1));
}

static void write_float(char *out, const float_kind *kind, double value)
{
    if (value != value) {
        strcpy(out, "NaN");
        return;
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63) *out++ = '-';
    value = value < 0 ? -value : value;
    if (value > DBL_MAX) {
        strcpy(out, "Infinity");
    } else if (value == 0) {
        strcpy(out, "0");
    } else {
        digits found = shortest(kind, value);
        write_digits(out, &found, kind->most);
    }
}

char *text_of_scalar(char out[TEXT_SIZE], ilc_storage storage, uint64_t bits)
{
    static const float_kind single_kind = {9, true}, double_kind = {17, false};
    float    single;
    double   number;
    uint32_t low = (uint32_t)bits;
    switch (storage) {
    case ILC_BOOL: return strcpy(out, (bits & 0xFF) ? "True" : "False");
    case ILC_F32:
        memcpy(&single, &low, sizeof single);
        write_float(out, &single_kind, (double)single);
        break;
    case ILC_F64:
        memcpy(&number, &bits, sizeof number);
        write_float(out, &double_kind, number);
        break;
    case ILC_U64:
    case ILC_UINT: snprintf(out, TEXT_SIZE, "%llu", (unsigned long long)bits); break;
    default: snprintf(out, TEXT_SIZE, "%lld", (long long)bits); break;
    }
    return out;
}

char *text_of_bits(char out[TEXT_SIZE], ilc_storage storage, uint64_t bits)
{
    uint32_t size = ilc_storage_size(storage);
    if (size < 8) bits &= (UINT64_C(1) << (8 * size)) - 1;
    snprintf(out, TEXT_SIZE, "#%0*llx", (int)size * 2, (unsigned long long)bits);
    return out;
}
