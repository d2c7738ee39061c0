/* The CUDA engine on a real device with NVRTC; skipped, saying so, where there is none. ILCUDA_TEST_CUDA may
 * name the folder of the CUDA libraries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "rt/rt.h"

static ilc__context ctx;
static ilc__engine *engine;

static int start(void **state)
{
    (void)state;
    ilc__context_init(&ctx);
    ilc__engine_options options = {
        .kind = ILC__ENGINE_CUDA, .cache_dir = "", .cuda_path = ilc__environment("ILCUDA_TEST_CUDA")};
    if (ilc__engine_create(&ctx, &options, &engine) == ILC_OK)
        print_message("%s\n", ilc__engine_describe(engine));
    else
        print_message("skipped: %s\n", ctx.diags.items[0].text);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
    return 0;
}

#define NEEDS_DEVICE()                                                                                       \
    do {                                                                                                     \
        (void)state;                                                                                         \
        if (!engine) skip();                                                                                 \
        ctx.diags.count = 0;                                                                                 \
    } while (0)

static void expect_ok(ilc_status status)
{
    if (status == ILC_OK) return;
    fail_msg("%s", ctx.diags.count ? ctx.diags.items[ctx.diags.count - 1].text : ilc_status_text(status));
}

static ilc__module *compiled(ilc__engine *on, const char *name, const char *source, const char *entry)
{
    ilc__module *module = NULL;
    const char  *log = NULL;
    ilc_status   status = ilc__engine_compile(on, name, source, &entry, 1, &module, &log);
    if (log) print_message("%s\n", log);
    expect_ok(status);
    return module;
}

static ilc__address buffer_of(const void *values, size_t bytes)
{
    ilc__address address = 0;
    expect_ok(ilc__engine_alloc(engine, bytes, &address));
    if (values) expect_ok(ilc__engine_write(engine, address, values, bytes));
    return address;
}

static void vectors_are_added_and_events_time_it(void **state)
{
    NEEDS_DEVICE();
    enum { N = 1000003 };
    static const char source[] =
        "extern \"C\" __global__ void add(const float *x, const float *y, float *out, int n) {\n"
        "    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
        "         i += (long long)gridDim.x * blockDim.x) out[i] = x[i] + y[i];\n"
        "}\n";
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y), *got = malloc(N * sizeof *got);
    for (int i = 0; i < N; i++) {
        x[i] = (float)i * 0.25f;
        y[i] = (float)(N - i) * 0.5f;
    }
    ilc__module *module = compiled(engine, "vectors", source, "add");
    ilc__address dx = buffer_of(x, N * sizeof *x), dy = buffer_of(y, N * sizeof *y),
                 dout = buffer_of(NULL, N * sizeof *x);
    int         n = N;
    const void *args[] = {&dx, &dy, &dout, &n};
    ilc__launch launch = {.dims = 1, .extents = {N}, .args = args, .arg_count = 4, .trap_arg = -1};
    expect_ok(ilc__engine_fill(engine, dout, 0xff, N * sizeof *x));
    expect_ok(ilc__engine_launch(engine, module, 0, &launch));
    expect_ok(ilc__engine_synchronize(engine));
    double seconds = ilc__engine_last_seconds(engine);
    print_message("%d additions: %.1f us\n", N, seconds * 1e6);
    assert_true(seconds > 1e-7 && seconds < 1);
    expect_ok(ilc__engine_read(engine, got, dout, N * sizeof *got));
    for (int i = 0; i < N; i++)
        if (got[i] != x[i] + y[i]) fail_msg("element %d is %g, not %g", i, got[i], x[i] + y[i]);
    ilc__engine_free(engine, dx);
    ilc__engine_free(engine, dy);
    ilc__engine_free(engine, dout);
    ilc__module_release(module);
    free(x);
    free(y);
    free(got);
}

static void the_error_slot_takes_the_lowest_element(void **state)
{
    NEEDS_DEVICE();
    static const char source[] =
        "extern \"C\" __global__ void trap(int n, unsigned long long *slot) {\n"
        "    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
        "         i += (long long)gridDim.x * blockDim.x)\n"
        "        if (i % 1000 == 777) atomicMin(slot, (unsigned long long)i << 16 | 7ULL);\n"
        "}\n";
    ilc__module *module = compiled(engine, "trapping", source, "trap");
    uint64_t     value = UINT64_MAX;
    ilc__address slot = buffer_of(&value, 8);
    int          n = 5000000;
    const void  *args[] = {&n, &slot};
    ilc__launch  launch = {.dims = 1, .extents = {n}, .args = args, .arg_count = 2, .trap_arg = 1};
    expect_ok(ilc__engine_launch(engine, module, 0, &launch));
    expect_ok(ilc__engine_read(engine, &value, slot, 8)); /* ordered after the launch without more */
    assert_true(value == (777ULL << 16 | 7));
    ilc__engine_free(engine, slot);
    ilc__module_release(module);
}

/* 16 rows a block: 65,535 blocks on y reach 1,048,560 rows, the rest is the stride's. */
static void rows_beyond_a_grids_reach_are_run_once(void **state)
{
    NEEDS_DEVICE();
    enum { ROWS = 3000001, COLS = 17 };
    static const char source[] =
        "extern \"C\" __global__ void count(unsigned char *hits, int rows, int cols) {\n"
        "    for (long long i = (long long)blockIdx.y * blockDim.y + threadIdx.y; i < rows;\n"
        "         i += (long long)gridDim.y * blockDim.y)\n"
        "        for (long long j = (long long)blockIdx.x * blockDim.x + threadIdx.x; j < cols;\n"
        "             j += (long long)gridDim.x * blockDim.x) hits[i * cols + j] += 1;\n"
        "}\n";
    const size_t bytes = (size_t)ROWS * COLS;
    ilc__module *module = compiled(engine, "counting", source, "count");
    ilc__address hits = buffer_of(NULL, bytes);
    int          rows = ROWS, cols = COLS;
    const void  *args[] = {&hits, &rows, &cols};
    ilc__launch  launch = {.dims = 2, .extents = {rows, cols}, .args = args, .arg_count = 3, .trap_arg = -1};
    expect_ok(ilc__engine_fill(engine, hits, 0, bytes));
    expect_ok(ilc__engine_launch(engine, module, 0, &launch));
    unsigned char *got = malloc(bytes);
    expect_ok(ilc__engine_read(engine, got, hits, bytes));
    for (size_t i = 0; i < bytes; i++)
        if (got[i] != 1) fail_msg("element %zu was run %d times", i, got[i]);
    free(got);
    ilc__engine_free(engine, hits);
    ilc__module_release(module);
}

static void three_dimensions_lie_on_z_y_x(void **state)
{
    NEEDS_DEVICE();
    static const char source[] =
        "extern \"C\" __global__ void box(int *out, int ni, int nj, int nk) {\n"
        "    int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "    int i = blockIdx.z * blockDim.z + threadIdx.z;\n"
        "    if (i < ni && j < nj && k < nk) out[(i * nj + j) * nk + k] = i * 10000 + j * 100 + k;\n"
        "}\n";
    enum { NI = 7, NJ = 13, NK = 37 };
    static int   got[NI * NJ * NK];
    ilc__module *module = compiled(engine, "box", source, "box");
    ilc__address out = buffer_of(NULL, sizeof got);
    int          ni = NI, nj = NJ, nk = NK;
    const void  *args[] = {&out, &ni, &nj, &nk};
    ilc__launch  launch = {.dims = 3, .extents = {NI, NJ, NK}, .args = args, .arg_count = 4, .trap_arg = -1};
    expect_ok(ilc__engine_launch(engine, module, 0, &launch));
    expect_ok(ilc__engine_read(engine, got, out, sizeof got));
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++)
            for (int k = 0; k < NK; k++)
                assert_int_equal(got[(i * NJ + j) * NK + k], i * 10000 + j * 100 + k);
    ilc__engine_free(engine, out);
    ilc__module_release(module);
}

/* x * x - 1.0000002f differs when contracted; half of the least normal number is lost when flushed. */
static void arithmetic_is_neither_contracted_nor_flushed(void **state)
{
    NEEDS_DEVICE();
    static const char source[] =
        "extern \"C\" __global__ void f(float *x) {\n"
        "    x[0] = x[0] * x[0] - 1.0000002f; x[1] = x[1] * 0.5f; x[2] = x[2] / 3.0f; x[3] = sqrtf(x[3]);\n"
        "}\n";
    volatile float inputs[4] = {1.00000012f, 1.17549435e-38f, 1.0e-37f, 3.0f};
    float          values[4] = {inputs[0], inputs[1], inputs[2], inputs[3]};
    volatile float product = inputs[0] * inputs[0];
    ilc__module   *module = compiled(engine, "exact", source, "f");
    ilc__address   x = buffer_of(values, sizeof values);
    const void    *args[] = {&x};
    ilc__launch    launch = {
           .dims = 1, .extents = {1}, .block = {1}, .args = args, .arg_count = 1, .trap_arg = -1};
    expect_ok(ilc__engine_launch(engine, module, 0, &launch));
    expect_ok(ilc__engine_read(engine, values, x, sizeof values));
    assert_true(values[0] == product - 1.0000002f);
    assert_true(values[1] == inputs[1] * 0.5f && values[1] != 0);
    assert_true(values[2] == inputs[2] / 3.0f);
    assert_true(values[3] == 1.73205078f);
    ilc__engine_free(engine, x);
    ilc__module_release(module);
}

static void a_wrong_source_gives_nvrtcs_log(void **state)
{
    NEEDS_DEVICE();
    ilc__module *module;
    const char  *log = NULL, *entry = "f";
    assert_int_equal(ilc__engine_compile(engine, "wrong", "extern \"C\" __global__ void f() { nonsense; }",
                                         &entry, 1, &module, &log),
                     ILC_COMPILER);
    assert_non_null(log);
    print_message("%s", log);
    assert_non_null(strstr(log, "nonsense"));
    assert_non_null(strstr(log, "wrong.cu(1)"));
    assert_int_equal(
        ilc__engine_compile(engine, "other", "extern \"C\" __global__ void g() {}", &entry, 1, &module, &log),
        ILC_COMPILER);
    assert_string_equal(ctx.diags.items[1].text, "other defines no f");
}

static void a_buffer_larger_than_the_device_is_out_of_memory_and_the_engine_goes_on(void **state)
{
    NEEDS_DEVICE();
    ilc__address address;
    assert_int_equal(ilc__engine_alloc(engine, (size_t)1 << 45, &address), ILC_OUT_OF_MEMORY);
    print_message("%s\n", ctx.diags.items[0].text);
    int value = 42, got = 0;
    address = buffer_of(&value, sizeof value);
    expect_ok(ilc__engine_read(engine, &got, address, sizeof got));
    assert_int_equal(got, 42);
    ilc__engine_free(engine, address);
}

static void the_second_compilation_comes_from_the_cache(void **state)
{
    NEEDS_DEVICE();
    char               *folder = ilc__temporary_make(&ctx.arena);
    ilc__engine_options options = {
        .kind = ILC__ENGINE_CUDA, .cache_dir = folder, .cuda_path = ilc__environment("ILCUDA_TEST_CUDA")};
    for (int round = 0; round < 2; round++) {
        ilc__engine *other;
        expect_ok(ilc__engine_create(&ctx, &options, &other));
        double       begin = ilc__clock_seconds();
        ilc__module *module =
            compiled(other, "small", "extern \"C\" __global__ void f(int *x) { *x = 7; }", "f");
        print_message("%s in %.1f ms\n", round ? "from the cache" : "compiled",
                      (ilc__clock_seconds() - begin) * 1e3);
        assert_int_equal(ilc__module_was_cached(module), round);
        ilc__address x;
        int          got = 0;
        expect_ok(ilc__engine_alloc(other, 4, &x));
        const void *args[] = {&x};
        ilc__launch launch = {.dims = 1, .extents = {1}, .args = args, .arg_count = 1, .trap_arg = -1};
        expect_ok(ilc__engine_launch(other, module, 0, &launch));
        expect_ok(ilc__engine_read(other, &got, x, 4));
        assert_int_equal(got, 7);
        ilc__engine_destroy(other);
    }
    ilc__temporary_remove(folder);
}

/* Last: it costs the context. Under compute-sanitizer, which counts the fault, it is left out. */
static void a_kernel_that_faults_is_reported_and_so_is_what_the_process_lost(void **state)
{
    NEEDS_DEVICE();
    if (ilc__environment("ILCUDA_TEST_NO_FAULT")) skip();
    ilc__module *module =
        compiled(engine, "fault", "extern \"C\" __global__ void f() { *(volatile int *)8 = 1; }", "f");
    ilc__launch launch = {.dims = 1, .extents = {1}, .trap_arg = -1};
    expect_ok(ilc__engine_launch(engine, module, 0, &launch));
    assert_int_equal(ilc__engine_synchronize(engine), ILC_DEVICE);
    print_message("%s\n", ctx.diags.items[0].text);
    ilc__address address;
    assert_int_equal(ilc__engine_alloc(engine, 4, &address), ILC_DEVICE);
    print_message("%s\n", ctx.diags.items[1].text);
    ilc__engine_destroy(engine);
    ilc__engine_options options = {
        .kind = ILC__ENGINE_CUDA, .cache_dir = "", .cuda_path = ilc__environment("ILCUDA_TEST_CUDA")};
    /* Newer drivers keep the failure for the whole process, which must be said; older ones go on. */
    uint32_t before = ctx.diags.count;
    ilc_status status = ilc__engine_create(&ctx, &options, &engine);
    if (status == ILC_OK) status = ilc__engine_alloc(engine, 4, &address);
    if (status == ILC_OK) return;
    assert_int_equal(ctx.diags.count, before + 1);
    print_message("%s\n", ctx.diags.items[before].text);
    assert_non_null(strstr(ctx.diags.items[before].text, "in this process"));
}

static void the_probe_finds_the_device(void **state)
{
    NEEDS_DEVICE();
    ilc__engine_options options = {
        .kind = ILC__ENGINE_CUDA, .cache_dir = "", .cuda_path = ilc__environment("ILCUDA_TEST_CUDA")};
    ilc__probe probe;
    expect_ok(ilc__probe_run(&ctx, &ctx.arena, &(ilc__engine_options){.kind = ILC__ENGINE_CPU}, &options, &probe));
    for (uint32_t i = 0; i < probe.count; i++)
        print_message("%s %s: %s%s%s\n", probe.findings[i].ok ? "ok " : "-- ", probe.findings[i].subject,
                      probe.findings[i].detail, probe.findings[i].command ? " -> " : "",
                      probe.findings[i].command ? probe.findings[i].command : "");
    assert_true(probe.cuda_ok);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_added_and_events_time_it),
        cmocka_unit_test(the_error_slot_takes_the_lowest_element),
        cmocka_unit_test(rows_beyond_a_grids_reach_are_run_once),
        cmocka_unit_test(three_dimensions_lie_on_z_y_x),
        cmocka_unit_test(arithmetic_is_neither_contracted_nor_flushed),
        cmocka_unit_test(a_wrong_source_gives_nvrtcs_log),
        cmocka_unit_test(a_buffer_larger_than_the_device_is_out_of_memory_and_the_engine_goes_on),
        cmocka_unit_test(the_second_compilation_comes_from_the_cache),
        cmocka_unit_test(the_probe_finds_the_device),
        cmocka_unit_test(a_kernel_that_faults_is_reported_and_so_is_what_the_process_lost),
    };
    return cmocka_run_group_tests_name("cuda engine, real device", tests, start, finish);
}
