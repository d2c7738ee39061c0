/* check.h - generated arguments of one round of a check. Private to check*.c. */
#ifndef ILC_API_CHECK_H
#define ILC_API_CHECK_H

#include "api/launch.h"

/* One parameter's value: a scalar's bits, or an array (also for an element-wise scalar). */
typedef struct ilc__sample {
    bool      skipped; /* an index: it comes from the extents */
    bool      is_array, is_null;
    uint64_t  bits;
    ilc_array array;
} ilc__sample;

typedef struct ilc__samples {
    uint32_t     count;
    ilc__sample *items;
    int64_t      extents[3], total;
} ilc__samples;

/* Arguments of round number `round` for the kernel, in arena. The same seed and round give the same. */
void ilc__samples_make(ilc__arena *arena, const ilc_kernel *kernel, uint64_t seed, uint32_t round, ilc__samples *out);
/* "x = [1, 2], cols = 3, extents [2, 2]" */
char *ilc__samples_text(ilc__arena *arena, const ilc_kernel *kernel, const ilc__samples *samples);

#endif
