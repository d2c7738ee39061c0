/* row_sums.c - a C program that runs a compiled VB function over a matrix.
 *
 *     row_sums ASSEMBLY METHOD
 *
 * METHOD takes (x As Single(), cols As Integer, i As Integer) and gives a Single, as the tutorial's RowSum. */
#include <ilcuda/ilcuda.h>
#include <stdio.h>

enum { ROWS = 3, COLS = 4 };

static int failed(ilc_session *session, ilc_status status)
{
    fprintf(stderr, "row_sums: %s\n", status == ILC_OUT_OF_MEMORY ? ilc_status_text(status) : ilc_session_error(session));
    ilc_session_destroy(session);
    return ilc_status_exit_code(status);
}

static ilc_status translate(ilc_session *session, const char *path, const char *name, ilc_kernel **kernel)
{
    ilc_assembly *assembly;
    ilc_method   *method;
    ilc_status    status = ilc_assembly_open(&assembly, session, path, NULL);
    if (status == ILC_OK) status = ilc_assembly_find(&method, assembly, name);
    if (status == ILC_OK) status = ilc_kernel_translate(kernel, method, NULL);
    return status;
}

static ilc_status sum_rows(ilc_engine *engine, ilc_kernel *kernel, const float *data, float *sums)
{
    ilc_buffer       *x, *out;
    ilc_launch_result result;
    const int64_t     extents[] = {ROWS};
    ilc_status        status = ilc_buffer_create(&x, engine, ILC_F32, ROWS * COLS);
    if (status == ILC_OK) status = ilc_buffer_create(&out, engine, ILC_F32, ROWS);
    if (status == ILC_OK) status = ilc_buffer_write(x, 0, data, ROWS * COLS);
    if (status != ILC_OK) return status;
    const ilc_argument args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", COLS), ilc_arg_result(out)};
    status = ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL);
    return status == ILC_OK ? ilc_buffer_read(out, 0, sums, ROWS) : status;
}

int main(int argc, char **argv)
{
    const float        data[ROWS * COLS] = {1, 2, 3, 4, 10, 20, 30, 40, 0.5f, 0.25f, 0.125f, 0.0625f};
    float              sums[ROWS];
    ilc_session       *session;
    ilc_kernel        *kernel;
    ilc_engine        *engine;
    ilc_engine_options options;
    if (argc != 3) {
        fprintf(stderr, "usage: row_sums ASSEMBLY METHOD\n");
        return 2;
    }
    ilc_status status = ilc_session_create(&session, NULL);
    if (status != ILC_OK) return ilc_status_exit_code(status);
    ilc_engine_options_init(&options);
    options.kind = ILC_ENGINE_CPU; /* ILC_ENGINE_AUTO takes a GPU where there is one */
    status = translate(session, argv[1], argv[2], &kernel);
    if (status == ILC_OK) status = ilc_engine_create(&engine, session, &options);
    if (status == ILC_OK) status = sum_rows(engine, kernel, data, sums);
    if (status != ILC_OK) return failed(session, status);
    for (int i = 0; i < ROWS; i++) printf("row %d: %g\n", i, (double)sums[i]);
    ilc_session_destroy(session);
    return 0;
}
