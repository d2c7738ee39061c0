/* run_arrays.c - arrays of `run` on the engine: as one buffer, or as an array of the arrays that are its rows, and back
 * (run.h). */
#include <stdlib.h>

#include "run.h"

ilc_status run_make_buffer(run_state *run, const ilc_param *param, int64_t count, ilc_buffer **out)
{
    if (param->layout) return ilc_buffer_create_structs(out, run->engine, param->layout, count);
    return ilc_buffer_create(out, run->engine, param->innermost, count);
}

static int64_t row_length(const run_array *array)
{
    return array->row_count ? array->shape.count / array->row_count : 0;
}

ilc_status run_array_read(const run_array *array, void *out)
{
    int64_t length = row_length(array);
    if (!array->nested) return ilc_buffer_read(array->buffer, 0, out, array->shape.count);
    for (int64_t i = 0; i < array->row_count; i++) {
        void      *at = (char *)out + (size_t)(i * length) * ilc_storage_size(array->shape.elem);
        ilc_status status = ilc_buffer_read(array->rows[i], 0, at, length);
        if (status != ILC_OK) return status;
    }
    return ILC_OK;
}

/* Off the engine: its elements are then in `data` again, where they may be read from. */
static ilc_status take_off(run_array *array)
{
    if (!array->buffer) return ILC_OK;
    size_t     bytes = (size_t)array->shape.count * ilc_storage_size(array->shape.elem);
    char      *data = must_alloc(bytes ? bytes : 1);
    ilc_status status = run_array_read(array, data);
    if (status != ILC_OK) {
        free(data);
        return status;
    }
    ilc_buffer_destroy(array->buffer);
    for (int64_t i = 0; array->nested && i < array->row_count; i++) ilc_buffer_destroy(array->rows[i]);
    free(array->rows);
    free(array->bytes);
    array->bytes = data;
    array->shape.data = data;
    array->buffer = NULL;
    array->rows = NULL;
    array->row_count = 0;
    array->nested = 0;
    return ILC_OK;
}

static ilc_status put_flat(run_state *run, run_array *array, const ilc_param *param)
{
    ilc_status status = run_make_buffer(run, param, array->shape.count, &array->buffer);
    return status == ILC_OK ? ilc_buffer_write(array->buffer, 0, array->shape.data, array->shape.count) : status;
}

/* Each innermost row a buffer, and of three dimensions each plane an array of them. */
static ilc_status put_rows(run_state *run, run_array *array, const ilc_param *param)
{
    int64_t     planes = array->shape.shape[0], per_plane = param->nested > 1 ? array->shape.shape[1] : 1;
    size_t      size = ilc_storage_size(array->shape.elem);
    ilc_status  status = ILC_OK;
    array->nested = param->nested;
    array->row_count = planes * per_plane;
    array->rows = must_alloc(sizeof *array->rows * (size_t)(array->row_count ? array->row_count : 1));
    int64_t length = row_length(array);
    for (int64_t i = 0; i < array->row_count && status == ILC_OK; i++) {
        status = ilc_buffer_create(&array->rows[i], run->engine, param->innermost, length);
        const void *at = (const char *)array->shape.data + (size_t)(i * length) * size;
        if (status == ILC_OK) status = ilc_buffer_write(array->rows[i], 0, at, length);
    }
    if (status != ILC_OK) return status;
    if (param->nested == 1)
        return ilc_buffer_create_arrays(&array->buffer, run->engine, param->innermost, 1, array->rows, planes);
    ilc_buffer **tops = must_alloc(sizeof *tops * (size_t)(planes ? planes : 1));
    for (int64_t i = 0; i < planes && status == ILC_OK; i++)
        status = ilc_buffer_create_arrays(&tops[i], run->engine, param->innermost, 1, array->rows + i * per_plane, per_plane);
    if (status == ILC_OK) status = ilc_buffer_create_arrays(&array->buffer, run->engine, param->innermost, 2, tops, planes);
    for (int64_t i = 0; i < planes && status == ILC_OK; i++) ilc_buffer_destroy(tops[i]); /* what holds them keeps them */
    free(tops);
    return status;
}

int run_upload(run_state *run, const program_step *step, run_array *array, const ilc_param *param, ilc_buffer **out)
{
    ilc_status status = ILC_OK;
    int        dims = array->shape.dims;
    if (param->nested && dims != (int)param->nested + 1)
        return say(EXIT_USAGE, "%s: %s has %d dimension%s, %s takes a file of %u, whose rows are its arrays", step->statement.method,
                   array->name, dims, dims == 1 ? "" : "s", param->type, param->nested + 1);
    if (array->buffer && array->nested != param->nested) {
        if (array->bound == step)
            return say(EXIT_USAGE, "%s: %s is an array of arrays to one parameter, another array to the other",
                       step->statement.method, array->name);
        int code = run_ready(run); /* what still reads it */
        if (code != EXIT_DONE) return code;
        status = take_off(array);
    }
    array->bound = step;
    if (status == ILC_OK && !array->buffer)
        status = param->nested ? put_rows(run, array, param) : put_flat(run, array, param);
    if (status == ILC_OK && !param->nested && (dims == 2 || dims == 3))
        status = ilc_buffer_reshape(array->buffer, (uint32_t)dims, array->shape.shape);
    *out = array->buffer;
    return status == ILC_OK ? EXIT_DONE : fail(run->session, status);
}
