/* tutorial.h - what the demo shows: the built-in assembly (made from tests/fixtures/bin by cmake/embed.cmake), its
 * input matrix, and references in double precision. */
#ifndef CLI_TUTORIAL_H
#define CLI_TUTORIAL_H

#include <stddef.h>
#include <stdint.h>

extern const unsigned char tutorial_dll[], tutorial_pdb[];
extern const size_t        tutorial_dll_size, tutorial_pdb_size;

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
