/* tutorial.h - what the demo shows: the built-in assembly (made from tests/fixtures/bin by cmake/embed.cmake), its
 * input matrix, and references in double precision. */
#ifndef CLI_TUTORIAL_H
#define CLI_TUTORIAL_H

#include <ilcuda/ilcuda.h>
#include <stddef.h>

extern const unsigned char tutorial_dll[], tutorial_pdb[];
extern const size_t        tutorial_dll_size, tutorial_pdb_size;

enum { TUTORIAL_METHODS = 6 };
typedef enum tutorial_number { ROW_SUM, ROW_SUM_SQ, GRAM_DOT, CORRELATION, DISTANCE, CLAMP } tutorial_number;
extern const char *const tutorial_method_names[TUTORIAL_METHODS];
ilc_status               tutorial_open(ilc_session *session, ilc_assembly **out);

/* What the kernels read, on one engine; and a launch's arguments. */
typedef struct tutorial_inputs {
    ilc_buffer *x, *sum, *sum_sq, *dot, *cov, *denom;
} tutorial_inputs;
typedef struct tutorial_launch {
    ilc_argument args[8];
    size_t       count;
} tutorial_launch;
/* Of a matrix of rows by cols; the kernel writes out. */
void tutorial_plan(tutorial_number which, const tutorial_inputs *in, int64_t rows, int64_t cols, ilc_buffer *out,
                   tutorial_launch *launch);
/* Does it run over rows by rows elements? */
bool tutorial_is_square(tutorial_number which);

/* rows * cols numbers of .NET's `new Random(seed)`: (float)(NextDouble() * 2 - 1), row by row. */
void tutorial_matrix(float *out, int64_t count, int32_t seed);

/* Correlations and distances of the rows of x, rows * rows each, computed in double precision. */
void tutorial_references(const float *x, int64_t rows, int64_t cols, double *correlation, double *distance);

/* What PearsonClamp means, written by hand in C. */
float tutorial_clamp(float cov, float denom);
/* The covariances and denominators that it is run over, from row sums and dot products. */
void tutorial_clamp_inputs(const float *dot, const float *sum, const float *sum_sq, int64_t rows, int64_t cols, float *cov,
                           float *denom);

/* The largest |got - expected|; NaN where there is one. */
double tutorial_largest_error(const float *got, const double *expected, int64_t count);

/* SHA-256 of bytes as 64 hex digits. */
void tutorial_hash(const void *bytes, size_t size, char out[65]);

#endif
