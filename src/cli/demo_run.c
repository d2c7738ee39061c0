/* demo_run.c - the demo's launches, and how they are verified (demo.h). */
#include <stdlib.h>
#include <string.h>

#include "demo.h"

/* Cells of each kernel that both interpreters compute: a square, or a row, of this many. */
enum { SQUARE = 16, ROW = 256 };

int demo_memory(demo *d)
{
    const int64_t most = 0x7FFFFFC7;
    if (d->rows < 1 || d->cols < 1 || d->rows > 46340 || d->cols > most / d->rows)
        return say(EXIT_USAGE, "a matrix of %lld x %lld is not possible here", (long long)d->rows, (long long)d->cols);
    size_t row = (size_t)d->rows * sizeof(float), square = row * (size_t)d->rows;
    d->x = must_alloc((size_t)(d->rows * d->cols) * sizeof(float));
    d->sum = must_alloc(row);
    d->sum_sq = must_alloc(row);
    d->dot = must_alloc(square);
    d->correlation = must_alloc(square);
    d->distance = must_alloc(square);
    d->cov = must_alloc(square);
    d->denom = must_alloc(square);
    d->clamp = must_alloc(square);
    return EXIT_DONE;
}

void demo_free(demo *d)
{
    float *all[] = {d->x, d->sum, d->sum_sq, d->dot, d->correlation, d->distance, d->cov, d->denom, d->clamp};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

/* --- launches --------------------------------------------------------------------------------------------------------- */

static int launch(demo *d, tutorial_number which, const tutorial_inputs *in, float *result)
{
    demo_method      *m = &d->methods[which];
    int64_t           cells = which == ROW_SUM || which == ROW_SUM_SQ ? d->rows : d->rows * d->rows;
    int64_t           square[] = {d->rows, d->rows};
    tutorial_launch   p;
    ilc_launch_result launched;
    ilc_status        status = ilc_buffer_create(&m->out, d->engine, ILC_F32, cells);
    if (status != ILC_OK) return fail(d->session, status);
    tutorial_plan(which, in, d->rows, d->cols, m->out, &p);
    if (tutorial_is_square(which))
        status = ilc_launch(&launched, d->engine, m->kernel, p.args, p.count, square, 2, NULL);
    else
        status = ilc_launch(&launched, d->engine, m->kernel, p.args, p.count, &cells, 1, NULL);
    if (status == ILC_OK) status = ilc_buffer_read(m->out, 0, result, cells);
    if (status != ILC_OK) return fail(d->session, status);
    m->seconds = launched.seconds;
    m->guarded = launched.guarded;
    m->cached = launched.cached;
    if (tutorial_is_square(which))
        snprintf(m->extents, sizeof m->extents, "[%lld,%lld]", (long long)d->rows, (long long)d->rows);
    else
        snprintf(m->extents, sizeof m->extents, "[%lld]", (long long)cells);
    tutorial_hash(result, (size_t)cells * sizeof *result, m->hash);
    return EXIT_DONE;
}

static ilc_status upload(ilc_engine *engine, const float *data, int64_t count, ilc_buffer **out)
{
    ilc_status status = ilc_buffer_create(out, engine, ILC_F32, count);
    return status == ILC_OK ? ilc_buffer_write(*out, 0, data, count) : status;
}

int demo_launch_all(demo *d)
{
    tutorial_inputs in = {0};
    ilc_status status = upload(d->engine, d->x, d->rows * d->cols, &d->x_buffer);
    if (status != ILC_OK) return fail(d->session, status);
    in.x = d->x_buffer;
    int code = launch(d, ROW_SUM, &in, d->sum);
    if (code == EXIT_DONE) code = launch(d, ROW_SUM_SQ, &in, d->sum_sq);
    if (code == EXIT_DONE) code = launch(d, GRAM_DOT, &in, d->dot);
    in.sum = d->methods[ROW_SUM].out;
    in.sum_sq = d->methods[ROW_SUM_SQ].out;
    in.dot = d->methods[GRAM_DOT].out;
    if (code == EXIT_DONE) code = launch(d, CORRELATION, &in, d->correlation);
    if (code == EXIT_DONE) code = launch(d, DISTANCE, &in, d->distance);
    if (code != EXIT_DONE) return code;
    memcpy(d->dot_hash, d->methods[GRAM_DOT].hash, sizeof d->dot_hash);
    tutorial_clamp_inputs(d->dot, d->sum, d->sum_sq, d->rows, d->cols, d->cov, d->denom);
    status = upload(d->engine, d->cov, d->rows * d->rows, &d->cov_buffer);
    if (status == ILC_OK) status = upload(d->engine, d->denom, d->rows * d->rows, &d->denom_buffer);
    if (status != ILC_OK) return fail(d->session, status);
    in.cov = d->cov_buffer;
    in.denom = d->denom_buffer;
    return launch(d, CLAMP, &in, d->clamp);
}

/* --- verification ------------------------------------------------------------------------------------------------------- */

static ilc_status interpreter_inputs(const demo *d, ilc_engine *engine, tutorial_inputs *in)
{
    int64_t    cells = d->rows * d->rows;
    ilc_status status = upload(engine, d->x, d->rows * d->cols, &in->x);
    if (status == ILC_OK) status = upload(engine, d->sum, d->rows, &in->sum);
    if (status == ILC_OK) status = upload(engine, d->sum_sq, d->rows, &in->sum_sq);
    if (status == ILC_OK) status = upload(engine, d->dot, cells, &in->dot);
    if (status == ILC_OK) status = upload(engine, d->cov, cells, &in->cov);
    if (status == ILC_OK) status = upload(engine, d->denom, cells, &in->denom);
    return status;
}

/* The upper left cells in an interpreter, whose output is as wide as they are. */
static int compare_cells(demo *d, tutorial_number which, ilc_engine *engine, const tutorial_inputs *in, const float *whole)
{
    float             cells[ROW];
    demo_method      *m = &d->methods[which];
    int64_t           side = d->rows < SQUARE ? d->rows : SQUARE;
    int64_t           most = which == CLAMP ? d->rows * d->rows : d->rows;
    int64_t           square[] = {side, side}, row = most < ROW ? most : ROW;
    int64_t           count = tutorial_is_square(which) ? side * side : row;
    tutorial_launch   p;
    ilc_launch_result launched;
    ilc_buffer       *out;
    ilc_status        status = ilc_buffer_create(&out, engine, ILC_F32, count);
    if (status != ILC_OK) return fail(d->session, status);
    tutorial_plan(which, in, d->rows, d->cols, out, &p);
    if (tutorial_is_square(which))
        status = ilc_launch(&launched, engine, m->kernel, p.args, p.count, square, 2, NULL);
    else
        status = ilc_launch(&launched, engine, m->kernel, p.args, p.count, &row, 1, NULL);
    if (status == ILC_OK) status = ilc_buffer_read(out, 0, cells, count);
    ilc_buffer_destroy(out);
    if (status != ILC_OK) return fail(d->session, status);
    for (int64_t c = 0; c < count; c++) {
        const float *same = tutorial_is_square(which) ? &whole[c / side * d->rows + c % side] : &whole[c];
        if (memcmp(same, &cells[c], sizeof *same) != 0) m->differing++;
    }
    m->compared = count;
    if (m->differing) d->failed = true;
    return EXIT_DONE;
}

static int compare_interpreters(demo *d)
{
    ilc_engine  *engines[] = {d->judge, d->tree};
    const float *results[] = {d->sum, d->sum_sq, d->dot, d->correlation, d->distance, d->clamp};
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        tutorial_inputs in;
        ilc_status status = interpreter_inputs(d, engines[e], &in);
        if (status != ILC_OK) return fail(d->session, status);
        for (int which = 0; which < TUTORIAL_METHODS; which++) {
            int code = compare_cells(d, (tutorial_number)which, engines[e], &in, results[which]);
            if (code != EXIT_DONE) return code;
        }
    }
    return EXIT_DONE;
}

int demo_verify(demo *d)
{
    int64_t cells = d->rows * d->rows;
    int     code = compare_interpreters(d);
    if (code != EXIT_DONE) return code;
    d->clamp_same = true;
    for (int64_t i = 0; i < cells && d->clamp_same; i++) {
        float wanted = tutorial_clamp(d->cov[i], d->denom[i]);
        d->clamp_same = memcmp(&wanted, &d->clamp[i], sizeof wanted) == 0;
    }
    double *correlation = must_alloc((size_t)cells * sizeof *correlation);
    double *distance = must_alloc((size_t)cells * sizeof *distance);
    tutorial_references(d->x, d->rows, d->cols, correlation, distance);
    d->correlation_error = tutorial_largest_error(d->correlation, correlation, cells);
    d->distance_error = tutorial_largest_error(d->distance, distance, cells);
    free(correlation);
    free(distance);
    return EXIT_DONE;
}
