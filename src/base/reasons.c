/* reasons.c - which row of reasons.def a reason fits. */
#include "base/reasons.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct row {
    const char *id, *patterns; /* one a line */
} row;

/* The numbers stand in the table without leading zeros, as C would take those for octal. */
#define ID_(number) #number
#define REASON(number, what, patterns, help) {(number) < 10 ? "ILC000" ID_(number) : "ILC00" ID_(number), patterns},
static const row rows[] = {
#include "base/reasons.def"
};
#undef REASON

#define REASON(number, what, patterns, help) _Static_assert((number) > 0 && (number) < 100, "identifiers have four digits");
#include "base/reasons.def"
#undef REASON

/* Does text fit the pattern, whose stars stand for any text? The last star met is enough to come back to. */
static bool fits(const char *text, const char *pattern, size_t length)
{
    const char *end = pattern + length, *star = NULL, *from = NULL;
    while (*text) {
        if (pattern < end && *pattern == '*') {
            star = pattern++;
            from = text;
        } else if (pattern < end && *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*') pattern++;
    return pattern == end;
}

static bool fits_any(const char *text, const char *patterns)
{
    for (const char *at = patterns; *at;) {
        size_t length = strcspn(at, "\n");
        if (fits(text, at, length)) return true;
        at += length + (at[length] == '\n');
    }
    return false;
}

const char *ilc__reason_id(const char *reason)
{
    size_t last = sizeof rows / sizeof *rows - 1, i = 0;
    while (i < last && !fits_any(reason, rows[i].patterns)) i++;
    return rows[i].id;
}
