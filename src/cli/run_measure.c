/* run_measure.c - `run --mode fast`: the statement in mode exact as well, beforehand and on arrays of its own, and how far the
 * results are from each other. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

static size_t byte_count(const ilc_buffer *buffer)
{
    return (size_t)ilc_buffer_length(buffer) * ilc_storage_size(ilc_buffer_elem(buffer));
}

static bool is_written(ilc_kernel *kernel, const ilc_argument *arg)
{
    ilc_entry_param param;
    for (uint32_t i = 0; ilc_kernel_entry_param(&param, kernel, false, i) == ILC_OK; i++)
        if (param.kind == ILC_ENTRY_ARRAY && param.param == arg->number && param.written) return true;
    return false;
}

/* A buffer of the same elements. */
static ilc_status copy_of(run_state *run, ilc_buffer *from, ilc_buffer **out)
{
    int64_t    dims[3], length = ilc_buffer_length(from);
    uint32_t   rank = ilc_buffer_shape(from, dims);
    void      *bytes = must_alloc(byte_count(from) + 1);
    ilc_status status = ilc_buffer_create(out, run->engine, ilc_buffer_elem(from), length);
    if (status == ILC_OK) status = ilc_buffer_read(from, 0, bytes, length);
    if (status == ILC_OK) status = ilc_buffer_write(*out, 0, bytes, length);
    if (status == ILC_OK && rank > 1) status = ilc_buffer_reshape(*out, rank, dims);
    free(bytes);
    return status;
}

static void give_up(run_measure *m, const char *why)
{
    m->why = why;
    run_measure_free(m);
}

/* What the launch writes, each with a copy in args that the one of mode exact writes instead. */
static ilc_status take_written(run_state *run, ilc_kernel *kernel, const ilc_argument *given, size_t count, ilc_argument *args, run_measure *m)
{
    for (size_t i = 0; i < count; i++) {
        ilc_buffer *buffer = given[i].buffer;
        args[i] = given[i];
        if (!buffer || !(given[i].place == ILC_ARGUMENT_RESULT || is_written(kernel, &given[i]))) continue;
        if (ilc_buffer_elem(buffer) == ILC_ARRAY || ilc_buffer_elem(buffer) == ILC_STRUCT) {
            give_up(m, "arrays of arrays or of structures are written");
            return ILC_OK;
        }
        size_t k = 0;
        while (k < m->count && m->fast[k] != buffer) k++;
        if (k == m->count) {
            ilc_status status = copy_of(run, buffer, &m->exact[k]);
            if (status != ILC_OK) return status;
            m->fast[k] = buffer;
            m->count++;
        }
        args[i].buffer = m->exact[k];
    }
    return ILC_OK;
}

void run_measure_start(run_state *run, ilc_kernel *exact, const ilc_argument *given, size_t count, const int64_t *extents, size_t dims,
                       run_measure *m)
{
    ilc_argument      args[MOST_PARAMS + MOST_OUTPUTS];
    ilc_launch_result result = {0};
    *m = (run_measure){0};
    ilc_status status = take_written(run, exact, given, count, args, m);
    if (status == ILC_OK && !m->why) {
        status = ilc_launch(&result, run->engine, exact, args, count, extents, dims, NULL);
        m->seconds = result.seconds;
    }
    if (status != ILC_OK) give_up(m, status == ILC_TRAP ? "mode exact raised an exception" : "mode exact did not run");
    ilc_session_clear_diagnostics(run->session);
}

void run_measure_end(run_state *run, run_measure *m)
{
    for (size_t k = 0; k < m->count && !m->why; k++) {
        int64_t    length = ilc_buffer_length(m->fast[k]);
        void      *exact = must_alloc(byte_count(m->fast[k]) + 1), *fast = must_alloc(byte_count(m->fast[k]) + 1);
        ilc_status status = ilc_buffer_read(m->exact[k], 0, exact, length);
        if (status == ILC_OK) status = ilc_buffer_read(m->fast[k], 0, fast, length);
        if (status == ILC_OK) ilc_deviation_add(&m->deviation, ilc_buffer_elem(m->fast[k]), exact, fast, length);
        else m->why = "results could not be read";
        free(exact);
        free(fast);
    }
    ilc_session_clear_diagnostics(run->session);
    run_measure_free(m);
}

void run_measure_free(run_measure *m)
{
    while (m->count > 0) ilc_buffer_destroy(m->exact[--m->count]);
}
