/* tutorial.c - the demo's methods, input and references (tutorial.h). */
#include "tutorial.h"

#include <math.h>
#include <stdlib.h>

#include "base/sha256.h"
#include "cli.h"

const char *const tutorial_method_names[TUTORIAL_METHODS] = {"RowSum",          "RowSumSq",     "GramDot",
                                                             "CorrelationCell", "DistanceCell", "PearsonClamp"};

ilc_status tutorial_open(ilc_session *session, ilc_assembly **out)
{
    return ilc_assembly_open_memory(out, session, "Tutorial.dll", tutorial_dll, tutorial_dll_size, tutorial_pdb,
                                    tutorial_pdb_size, NULL);
}

void tutorial_plan(tutorial_number which, const tutorial_inputs *in, int64_t rows, int64_t cols, ilc_buffer *out,
                   tutorial_launch *launch)
{
    ilc_argument x = ilc_arg_buffer("x", in->x), width = ilc_arg_int("cols", cols), height = ilc_arg_int("rows", rows);
    ilc_argument dot = ilc_arg_buffer("dot", in->dot), sums = ilc_arg_buffer("rowSum", in->sum);
    ilc_argument squares = ilc_arg_buffer("rowSumSq", in->sum_sq);
    const tutorial_launch launches[TUTORIAL_METHODS] = {
        [ROW_SUM] = {{x, width}, 2},
        [ROW_SUM_SQ] = {{x, width}, 2},
        [GRAM_DOT] = {{x, width}, 2},
        [CORRELATION] = {{dot, sums, squares, height, width}, 5},
        [DISTANCE] = {{dot, squares, height}, 3},
        [CLAMP] = {{ilc_arg_buffer("cov", in->cov), ilc_arg_buffer("denom", in->denom)}, 2},
    };
    *launch = launches[which];
    launch->args[launch->count++] = ilc_arg_result(out);
}

bool tutorial_is_square(tutorial_number which)
{
    return which == GRAM_DOT || which == CORRELATION || which == DISTANCE;
}

/* --- .NET's seeded generator ---------------------------------------------------------------------------------------
 * Knuth's subtractive generator (TAOCP 2, 3.2.2, algorithm A) as System.Random keeps it for seeds
 * (Random.CompatImpl.cs, with its second lag of 21). */

enum { LAG = 55, SECOND_LAG = 21, ROUNDS = 4, STEP = 21 };

typedef struct generator {
    int32_t table[LAG + 1]; /* 1 .. 55 */
    int     at, other;
} generator;

static int32_t subtract(int32_t a, int32_t b)
{
    int32_t difference = (int32_t)((uint32_t)a - (uint32_t)b);
    return difference < 0 ? (int32_t)((uint32_t)difference + INT32_MAX) : difference;
}

static void start(generator *g, int32_t seed)
{
    int32_t last = 161803398 - (seed == INT32_MIN ? INT32_MAX : abs(seed)), previous = 1;
    *g = (generator){.other = SECOND_LAG};
    g->table[LAG] = last;
    for (int i = 1, slot = 0; i < LAG; i++) {
        slot = (slot + STEP) % LAG;
        g->table[slot] = previous;
        previous = subtract(last, previous);
        last = g->table[slot];
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 1; i <= LAG; i++) g->table[i] = subtract(g->table[i], g->table[1 + (i + 30) % LAG]);
}

static double next_double(generator *g)
{
    g->at = g->at == LAG ? 1 : g->at + 1;
    g->other = g->other == LAG ? 1 : g->other + 1;
    int32_t value = (int32_t)((uint32_t)g->table[g->at] - (uint32_t)g->table[g->other]);
    if (value == INT32_MAX) value--;
    if (value < 0) value += INT32_MAX;
    g->table[g->at] = value;
    return value * (1.0 / INT32_MAX);
}

void tutorial_matrix(float *out, int64_t count, int32_t seed)
{
    generator g;
    start(&g, seed);
    for (int64_t i = 0; i < count; i++) out[i] = (float)(next_double(&g) * 2.0 - 1.0);
}

/* --- references ------------------------------------------------------------------------------------------------------ */

enum { TOGETHER = 8 };

/* Dot products of row i with `TOGETHER` rows from j on: sums side by side, each in program order. */
static void dot_rows(const double *x, int64_t cols, int64_t i, int64_t j, double out[TOGETHER])
{
    double        sums[TOGETHER] = {0};
    const double *a = x + i * cols, *b = x + j * cols;
    for (int64_t k = 0; k < cols; k++)
        for (int64_t n = 0; n < TOGETHER; n++) sums[n] += a[k] * b[n * cols + k];
    for (int n = 0; n < TOGETHER; n++) out[n] = sums[n];
}

static double *dot_products(const float *x, int64_t rows, int64_t cols)
{
    /* Padded with rows of zeros, so that every group of rows is whole. */
    int64_t padded = (rows + TOGETHER - 1) / TOGETHER * TOGETHER;
    double *wide = must_alloc((size_t)(padded * cols) * sizeof *wide);
    double *dots = must_alloc((size_t)(rows * padded) * sizeof *dots);
    for (int64_t i = 0; i < rows * cols; i++) wide[i] = (double)x[i];
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = i / TOGETHER * TOGETHER; j < padded; j += TOGETHER) dot_rows(wide, cols, i, j, dots + i * padded + j);
    double *square = must_alloc((size_t)(rows * rows) * sizeof *square);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = i; j < rows; j++) square[i * rows + j] = square[j * rows + i] = dots[i * padded + j];
    free(wide);
    free(dots);
    return square;
}

void tutorial_references(const float *x, int64_t rows, int64_t cols, double *correlation, double *distance)
{
    double *dot = dot_products(x, rows, cols), n = (double)cols;
    double *mean = must_alloc((size_t)rows * sizeof *mean), *deviation = must_alloc((size_t)rows * sizeof *deviation);
    for (int64_t i = 0; i < rows; i++) {
        double sum = 0;
        for (int64_t k = 0; k < cols; k++) sum += (double)x[i * cols + k];
        mean[i] = sum / n;
        deviation[i] = sqrt(fmax(dot[i * rows + i] - n * mean[i] * mean[i], 0.0));
    }
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < rows; j++) {
            double d = dot[i * rows + j], denom = deviation[i] * deviation[j];
            double c = denom > 0 ? (d - n * mean[i] * mean[j]) / denom : 0.0;
            correlation[i * rows + j] = i == j ? 1.0 : fmin(1.0, fmax(-1.0, c));
            distance[i * rows + j] = i == j ? 0.0 : sqrt(fmax(dot[i * rows + i] + dot[j * rows + j] - 2.0 * d, 0.0));
        }
    }
    free(dot);
    free(mean);
    free(deviation);
}

float tutorial_clamp(float cov, float denom)
{
    float c = denom > 1.0e-12f ? cov / denom : 0.0f;
    if (c != c) return c;
    return c < -1.0f ? -1.0f : c > 1.0f ? 1.0f : c;
}

void tutorial_clamp_inputs(const float *dot, const float *sum, const float *sum_sq, int64_t rows, int64_t cols, float *cov,
                           float *denom)
{
    float  n = (float)cols;
    float *deviation = must_alloc((size_t)rows * sizeof *deviation);
    for (int64_t i = 0; i < rows; i++) {
        float mean = sum[i] / n, variance = sum_sq[i] - n * mean * mean;
        deviation[i] = sqrtf(variance > 0 ? variance : 0.0f);
    }
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < rows; j++) {
            int64_t at = i * rows + j;
            cov[at] = dot[at] - n * (sum[i] / n) * (sum[j] / n);
            denom[at] = deviation[i] * deviation[j];
        }
    }
    free(deviation);
}

double tutorial_largest_error(const float *got, const double *expected, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++) {
        double error = fabs((double)got[i] - expected[i]);
        if (!(error <= largest)) largest = error;
        if (largest != largest) break;
    }
    return largest;
}

void tutorial_hash(const void *bytes, size_t size, char out[65])
{
    uint8_t digest[ILC__SHA256_SIZE];
    ilc__sha256(bytes, size, digest);
    for (int i = 0; i < ILC__SHA256_SIZE; i++) snprintf(out + 2 * i, 3, "%02x", digest[i]);
}
