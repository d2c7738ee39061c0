/* harness.h - runs CUDA kernels that were compiled as C++ (cuda_harness.h) on this processor: one block at a time, a
 * fibre for each of its threads, all on the caller's own thread of the system.
 *
 * A compiled kernel meets the runtime through two variables of its library: the table `harness_rt`, which the runtime
 * sets, and `harness_here`, in which it keeps where the running thread is. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HARNESS_WARP = 32, HARNESS_THREADS_MAX = 1024 };

typedef struct harness_dim {
    unsigned x, y, z;
} harness_dim;

typedef struct harness_place {
    harness_dim thread, block, block_size, grid_size;
    unsigned    lane;
} harness_place;

/* What a block's threads agree on at a barrier. */
typedef struct harness_votes {
    unsigned threads, yes;
} harness_votes;

typedef struct harness_table {
    /* Returns when every thread of the block has come to the same line. */
    harness_votes (*barrier)(int line, int vote);
    /* Returns when every lane of the mask has come to the same line with the same mask: the 32 lanes' values, of
     * which those in the mask count. */
    const unsigned long long *(*exchange)(unsigned mask, int line, unsigned long long value);
    /* Ends the launch; does not return. */
    void (*fail)(const char *format, ...);
} harness_table;

typedef struct harness_kernel {
    void (*entry)(void **parameters);
    harness_place        *here;
    const harness_table **table;
    char                 *shared, *shared_end; /* the module's shared memory; NULL where it has none */
} harness_kernel;

/* Runs every block. NULL, or one line that says what went wrong: it stays until the next launch. */
const char *harness_launch(const harness_kernel *kernel, void **parameters, const unsigned grid[3],
                           const unsigned block[3]);

#ifdef __cplusplus
}
#endif
#endif
