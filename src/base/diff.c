/* diff.c - the longest common subsequence of lines, between the common start and end (diff.h). */
#include "base/diff.h"

enum { CONTEXT = 2, MOST_CELLS = 4 << 20 };

typedef struct line {
    const char *at;
    size_t      length;
} line;

typedef struct lines {
    ILC__VEC(line) all;
} lines;

static void split(ilc__arena *arena, const char *text, lines *out)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        ILC__PUSH(arena, &out->all, (line){text, length});
        text += length + (text[length] == '\n');
    }
}

static bool same(line a, line b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

typedef struct differ {
    ilc__text *out;
    line       waiting[CONTEXT]; /* common lines behind the last that was written */
    uint32_t   skipped;          /* since then                                     */
    uint32_t   after;            /* common lines that still are to be written       */
} differ;

static void put(differ *d, char mark, line l)
{
    ilc__text_putc(d->out, mark);
    ilc__text_add(d->out, l.at, l.length);
    ilc__text_putc(d->out, '\n');
}

static void put_common(differ *d, line l)
{
    if (d->after) {
        d->after--;
        put(d, ' ', l);
        return;
    }
    memmove(d->waiting, d->waiting + 1, (CONTEXT - 1) * sizeof l);
    d->waiting[CONTEXT - 1] = l;
    d->skipped++;
}

static void put_changed(differ *d, char mark, line l)
{
    if (d->skipped > CONTEXT) ilc__text_puts(d->out, " ...\n");
    uint32_t before = d->skipped < CONTEXT ? d->skipped : CONTEXT;
    for (uint32_t i = CONTEXT - before; i < CONTEXT; i++) put(d, ' ', d->waiting[i]);
    d->skipped = 0;
    d->after = CONTEXT;
    put(d, mark, l);
}

/* length[i][k]: of the longest common subsequence of a from i on and b from k on. */
static void put_middle(differ *d, ilc__arena *arena, const line *a, uint32_t n, const line *b, uint32_t m)
{
    uint32_t i = 0, k = 0;
    bool     fits = (uint64_t)(n + 1) * (m + 1) <= MOST_CELLS;
    uint32_t width = m + 1, *length = fits ? ILC__NEW_ARRAY(arena, uint32_t, (size_t)(n + 1) * width) : NULL;
    for (uint32_t x = n; fits && x-- > 0;)
        for (uint32_t y = m; y-- > 0;) {
            uint32_t down = length[(x + 1) * width + y], right = length[x * width + y + 1];
            length[x * width + y] = same(a[x], b[y]) ? length[(x + 1) * width + y + 1] + 1 : down > right ? down : right;
        }
    while (i < n || k < m) {
        if (fits && i < n && k < m && same(a[i], b[k])) {
            put_common(d, a[i++]);
            k++;
        } else if (i < n && (k == m || !fits || length[(i + 1) * width + k] >= length[i * width + k + 1])) {
            put_changed(d, '-', a[i++]);
        } else {
            put_changed(d, '+', b[k++]);
        }
    }
}

bool ilc__diff(ilc__arena *scratch, const char *a, const char *b, ilc__text *out)
{
    lines    x = {0}, y = {0};
    differ   d = {.out = out};
    uint32_t start = 0, end = 0;
    if (strcmp(a, b) == 0) return false;
    split(scratch, a, &x);
    split(scratch, b, &y);
    uint32_t n = x.all.count, m = y.all.count, least = n < m ? n : m;
    while (start < least && same(x.all.items[start], y.all.items[start])) put_common(&d, x.all.items[start++]);
    while (end < least - start && same(x.all.items[n - 1 - end], y.all.items[m - 1 - end])) end++;
    put_middle(&d, scratch, x.all.items + start, n - start - end, y.all.items + start, m - start - end);
    for (uint32_t i = 0; i < end; i++) put_common(&d, x.all.items[n - end + i]);
    if (d.skipped) ilc__text_puts(out, " ...\n");
    return true;
}
