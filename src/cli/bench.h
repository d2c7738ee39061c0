/* bench.h - the parts of `bench`. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "cli.h"

/* --repeat, or the default of the part at hand. */
static inline int64_t bench_repeats(const cli_settings *settings, int64_t otherwise)
{
    return settings->repeat ? settings->repeat : otherwise;
}

double bench_median(double *values, int64_t count); /* sorts them */

/* `bench translate --scale`: methods of 10 to 10,000 blocks. */
int bench_scale(const cli_settings *settings);
/* `bench checks`: the tutorial's kernels with checks as they come, without any, and with all of them. */
int bench_checks(const cli_settings *settings);

#endif
