/* scan.h - the words of the IR's text, and where a reader of it stands. Private to parse.c. */
#ifndef ILC_IR_SCAN_H
#define ILC_IR_SCAN_H

#include "ir/text.h"
#include "meta/layout.h"

#include <ctype.h>
#include <stdlib.h>

typedef struct parser {
    ilc__context *ctx;
    ilc__arena   *arena;
    ilc__ir_func *func;
    const char   *at, *line_start;
    uint32_t      line;
    ilc__map      values; /* printed number -> ref, as pointer */
    ilc__map      labels; /* variable label -> number          */
    ilc__map      slot_labels;
    ilc__map      layouts;              /* name -> layout                    */
    ILC__VEC(const char *) field_names; /* of FIELDADDRs; u.field is the place here until all is read */
    uint32_t block;
    ILC__VEC(uint32_t) phis;      /* ref, index of its first predecessor in phi_preds */
    ILC__VEC(uint32_t) phi_preds; /* of all phis, one after the other     */
} parser;

static inline ilc_status fault(parser *p, const char *what)
{
    return ilc__fail(p->ctx, ILC_FORMAT, NULL, "IR text: line %u, column %u: %s", p->line,
                     (unsigned)(p->at - p->line_start) + 1, what);
}

/* --- words ---------------------------------------------------------------------------------------------- */

static inline void skip_space(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
        p->at++;
    if (*p->at == ';')
        while (*p->at && *p->at != '\n')
            p->at++;
}

static inline void skip_lines(parser *p)
{
    for (;;) {
        skip_space(p);
        if (*p->at != '\n') return;
        p->at++;
        p->line++;
        p->line_start = p->at;
    }
}

static inline bool take(parser *p, const char *text)
{
    skip_space(p);
    size_t length = strlen(text);
    if (strncmp(p->at, text, length) != 0) return false;
    p->at += length;
    return true;
}

/* A word of letters, digits, '_', '.'; NULL where there is none. */
static inline const char *take_word(parser *p)
{
    skip_space(p);
    const char *start = p->at;
    while (isalnum((unsigned char)*p->at) || *p->at == '_' || *p->at == '.')
        p->at++;
    return p->at == start ? NULL : ilc__arena_strndup(p->arena, start, (size_t)(p->at - start));
}

static inline bool take_keyword(parser *p, const char *keyword)
{
    skip_space(p);
    const char *before = p->at;
    const char *word = take_word(p);
    if (word && strcmp(word, keyword) == 0) return true;
    p->at = before;
    return false;
}

static inline bool take_number(parser *p, int base, uint64_t *out)
{
    uint64_t    value = 0;
    const char *start = p->at;
    for (;; p->at++) {
        int c = tolower((unsigned char)*p->at), digit;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if (c >= 'a' && c <= 'f')
            digit = c - 'a' + 10;
        else
            break;
        if (digit >= base) break;
        if (value > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base) return false;
        value = value * (uint64_t)base + (uint64_t)digit;
    }
    *out = value;
    return p->at != start;
}

static inline bool take_u32(parser *p, int base, uint32_t *out)
{
    uint64_t value;
    if (!take_number(p, base, &value) || value > UINT32_MAX) return false;
    *out = (uint32_t)value;
    return true;
}

static inline ilc_status take_quoted(parser *p, const char **out)
{
    ilc__text text = {.arena = p->arena};
    if (!take(p, "\"")) return fault(p, "a quoted text was expected");
    while (*p->at != '"') {
        if (*p->at == 0 || *p->at == '\n') return fault(p, "a quoted text was not closed");
        if (*p->at != '\\') {
            ilc__text_putc(&text, *p->at++);
            continue;
        }
        char digits[3] = {0};
        if (p->at[1] != 'x' || !isxdigit((unsigned char)p->at[2]) || !isxdigit((unsigned char)p->at[3]))
            return fault(p, "an escape is \\x and two digits");
        memcpy(digits, p->at + 2, 2);
        unsigned long c = strtoul(digits, NULL, 16);
        if (!c) return fault(p, "a text cannot hold \\x00");
        ilc__text_putc(&text, (char)c);
        p->at += 4;
    }
    p->at++;
    *out = ilc__text_string(&text);
    return ILC_OK;
}

static inline ilc_status take_storage(parser *p, ilc_storage *out)
{
    const char *word = take_word(p);
    for (int s = 0; word && s < ILC_STORAGE_COUNT; s++) {
        if (strcmp(word, ilc_storage_name((ilc_storage)s)) != 0) continue;
        *out = (ilc_storage)s;
        return ILC_OK;
    }
    return fault(p, "a storage type was expected");
}

#endif
