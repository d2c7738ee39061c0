/* fake_cuda.h - how a test steers the fake driver and NVRTC, and what they saw. */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include "rt/cuda_types.h"

enum { FAKE_LOG_MAX = 4096, FAKE_ARGS_MAX = 8, FAKE_ARCHS_MAX = 8 };

typedef struct fake_control {
    /* Set by the test. */
    int    fail_at; /* the call with this number (from 1) fails; 0: none               */
    int    error;   /* with this result                                                */
    int    fault;   /* the next launch is the last thing that works in its context     */
    int    driver_version, device_count, major, minor, multiprocessors, compute_mode, kernel_block_max, kernel_local;
    size_t memory; /* of the device, in bytes                                         */
    int    nvrtc_major, nvrtc_minor, arch_count, archs[FAKE_ARCHS_MAX];
    size_t arg_sizes[FAKE_ARGS_MAX];
    const char *refused; /* NVRTC compiles no text with this in it                       */

    /* What happened. */
    int           calls;
    const char   *log[FAKE_LOG_MAX];
    int           launches;
    unsigned      grid[3], block[3];
    unsigned char args[FAKE_ARGS_MAX][16];
    char          options[1024];
    char          program_name[128];
    int           misuse; /* calls without a context, unknown handles and addresses         */

    /* What is alive. */
    int    retained, created, depth, modules, buffers, streams, events, programs;
    size_t used;
    int    faulted;
    size_t stack; /* the context's limit for a thread */
} fake_control;

fake_control *fake_cuda_control(void);
void          fake_cuda_reset(void); /* one H200-like device; everything alive is forgotten */
/* Counts and notes a call; the result it shall have. */
int fake_cuda_step(const char *name);

#endif
