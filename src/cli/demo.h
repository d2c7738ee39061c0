/* demo.h - what the demo knows of its six methods; launches and verification are in demo_run.c. */
#ifndef CLI_DEMO_H
#define CLI_DEMO_H

#include "cli.h"
#include "tutorial.h"

typedef struct demo_method {
    ilc_method *method;
    ilc_kernel *kernel;
    const char *name; /* of the kernel */
    int         vb_lines, cuda_lines;
    char        extents[32];
    double      seconds;
    bool        guarded, cached;
    ilc_buffer *out;
    int64_t     compared, differing; /* cells, with both interpreters */
    char        hash[65];            /* of the whole result */
} demo_method;

typedef struct demo {
    ilc_session  *session;
    ilc_engine   *engine, *tree, *judge;
    ilc_assembly *assembly;
    bool          quiet, failed;
    int64_t       rows, cols;
    demo_method   methods[TUTORIAL_METHODS];
    float        *x, *sum, *sum_sq, *dot, *correlation, *distance, *cov, *denom, *clamp;
    ilc_buffer   *x_buffer, *cov_buffer, *denom_buffer;
    double        correlation_error, distance_error;
    bool          clamp_same;
    char          dot_hash[65];
} demo;

int  demo_memory(demo *d); /* the matrices; EXIT_USAGE for sizes that are not possible, said */
void demo_free(demo *d);
/* Runs the six kernels over x and reads their results. */
int demo_launch_all(demo *d);
/* Cells of each kernel in both interpreters, errors against the references, hashes. */
int demo_verify(demo *d);

#endif
