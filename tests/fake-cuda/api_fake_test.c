/* The public calls on a driver that runs kernels (lib-run): a whole run, then every call of the driver and of NVRTC failing
 * in turn. */
#include "../unit/api/api_fixture.h"

#include <stdlib.h>

#include "fake_test.h"

static int load_fakes(void **state)
{
    (void)state;
    fake_load(FAKE_RUN_FOLDER "/libcuda.so.1");
    return 0;
}

enum { ROWS = 3, COLS = 4 };
static const float matrix[ROWS * COLS] = {1, 2, 3, 4, 10, 20, 30, 40, 5, 6, 7, 8};

static ilc_status sum_rows(ilc_engine *engine, ilc_kernel *kernel, float sums[ROWS])
{
    const int64_t     extents[] = {ROWS};
    ilc_buffer       *x, *out;
    ilc_launch_result result;
    ilc_status        status = ilc_buffer_create(&x, engine, ILC_F32, ROWS * COLS);
    if (status == ILC_OK) status = ilc_buffer_create(&out, engine, ILC_F32, ROWS);
    if (status == ILC_OK) status = ilc_buffer_write(x, 0, matrix, ROWS * COLS);
    if (status != ILC_OK) return status;
    ilc_argument args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", COLS), ilc_arg_result(out)};
    status = ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL);
    if (status == ILC_OK) assert_true(result.guarded && result.self_checked);
    if (status == ILC_OK) status = ilc_buffer_read(out, 0, sums, ROWS);
    ilc_buffer_destroy(out);
    return status; /* x is left to the engine */
}

/* The last row is cut short: the body with all checks, and its error slot. */
static ilc_status trap_in_row_2(ilc_engine *engine, ilc_kernel *kernel)
{
    const int64_t     extents[] = {ROWS};
    ilc_buffer       *x, *out;
    ilc_launch_result result = {0};
    ilc_status        status = ilc_buffer_create(&x, engine, ILC_F32, ROWS * COLS - 1);
    if (status == ILC_OK) status = ilc_buffer_create(&out, engine, ILC_F32, ROWS);
    if (status != ILC_OK) return status;
    ilc_argument args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", COLS), ilc_arg_result(out)};
    status = ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL);
    if (status != ILC_TRAP) return status == ILC_OK ? ILC_INTERNAL : status;
    assert_int_equal(result.element, 2);
    assert_string_equal(result.trap.exception, "System.IndexOutOfRangeException");
    return ILC_OK;
}

/* Two launches made ready, of which the second raises; started twice, waited for once. */
static ilc_status tasks_in_order(ilc_engine *engine, ilc_kernel *kernel)
{
    const int64_t     extents[] = {ROWS};
    float             sums[ROWS];
    ilc_buffer       *x, *cut, *out, *other;
    ilc_task         *whole, *raises;
    ilc_launch_result result = {0};
    ilc_status        status = ilc_buffer_create(&x, engine, ILC_F32, ROWS * COLS);
    if (status == ILC_OK) status = ilc_buffer_create(&cut, engine, ILC_F32, ROWS * COLS - 1);
    if (status == ILC_OK) status = ilc_buffer_create(&out, engine, ILC_F32, ROWS);
    if (status == ILC_OK) status = ilc_buffer_create(&other, engine, ILC_F32, ROWS);
    if (status == ILC_OK) status = ilc_buffer_write(x, 0, matrix, ROWS * COLS);
    if (status != ILC_OK) return status;
    ilc_argument args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", COLS), ilc_arg_result(out)};
    status = ilc_task_create(&whole, engine, kernel, args, 3, extents, 1, NULL);
    args[0] = ilc_arg_buffer("x", cut);
    args[2] = ilc_arg_result(other);
    if (status == ILC_OK) status = ilc_task_create(&raises, engine, kernel, args, 3, extents, 1, NULL);
    for (int turn = 0; turn < 2; turn++) {
        int before = fake->calls;
        if (status == ILC_OK) status = ilc_task_start(raises, NULL);
        if (status == ILC_OK) status = ilc_task_start(whole, NULL);
        for (int c = before; status == ILC_OK && c < fake->calls; c++)
            assert_true(strncmp(fake->log[c], "cuMem", 5) != 0 && strstr(fake->log[c], "Synchronize") == NULL);
        if (status == ILC_OK) status = ilc_engine_wait(engine);
        if (status == ILC_OK) status = ilc_task_result(&result, whole);
        if (status != ILC_OK) return status;
        assert_true(result.guarded && result.self_checked && !result.trapped);
        status = ilc_task_result(&result, raises);
        if (status != ILC_TRAP) return status == ILC_OK ? ILC_INTERNAL : status;
        assert_int_equal(result.element, 2);
        status = ilc_task_result(&result, raises); /* told once */
        if (status == ILC_OK) status = ilc_buffer_read(out, 0, sums, ROWS);
        if (status == ILC_OK) assert_true(sums[0] == 10 && sums[1] == 100 && sums[2] == 26);
    }
    ilc_task_destroy(whole); /* the other is left to the engine */
    return status;
}

/* One call as a device function. */
static ilc_status add_two(ilc_engine *engine, ilc_method *method)
{
    float            data[] = {1, 2, 30, 40};
    ilc_array        array = {.elem = ILC_F32, .length = 4, .data = data};
    ilc_value        args[3] = {{.storage = ILC_F32, .is_array = true, .u.array = &array}, {.storage = ILC_I32}, {.storage = ILC_I32}};
    ilc_outcome outcome;
    float       sum;
    args[1].u.bits = 2;
    args[2].u.bits = 1;
    ilc_status status = call_on(engine, method, args, 3, &outcome);
    if (status != ILC_OK) return status;
    memcpy(&sum, &outcome.ret.u.bits, sizeof sum);
    assert_true(!outcome.trapped && sum == 70);
    return ILC_OK;
}

/* Everything that a program does with an engine; the first failure ends it. */
static ilc_status whole_run(fixture *f)
{
    ilc_engine_options options;
    ilc_engine        *engine;
    float              sums[ROWS] = {0};
    ilc_kernel        *kernel = fixture_kernel(f, "RowSum");
    ilc_engine_options_init(&options);
    options.kind = ILC_ENGINE_CUDA;
    options.cuda_path = FAKE_RUN_FOLDER;
    options.cuda_compiler = "nvrtc";
    options.cache_dir = "";
    ilc_status status = ilc_engine_create(&engine, f->session, &options);
    if (status != ILC_OK) return status;
    status = ilc_engine_prepare(engine, kernel, NULL);
    if (status == ILC_OK) status = sum_rows(engine, kernel, sums);
    if (status == ILC_OK) assert_true(sums[0] == 10 && sums[1] == 100 && sums[2] == 26);
    if (status == ILC_OK) status = trap_in_row_2(engine, kernel);
    if (status == ILC_OK) status = tasks_in_order(engine, kernel);
    if (status == ILC_OK) status = add_two(engine, ilc_kernel_method(kernel));
    ilc_engine_destroy(engine);
    return status;
}

static void a_run_gives_the_values_and_the_exception(void **state)
{
    fixture f;
    (void)state;
    reset();
    fixture_open(&f, "Tutorial.dll");
    assert_int_equal(whole_run(&f), ILC_OK);
    assert_int_equal(ilc_session_diagnostic_count(f.session), 3); /* of the exceptions */
    assert_int_equal(fake->launches, 7);
    fixture_close(&f);
    expect_nothing_alive();
}

/* Calls that only give something back, or ask for the time, may fail unheard. */
static void any_call_may_fail(int error)
{
    int unheard = 0;
    for (int n = 1;; n++) {
        fixture f;
        reset();
        fixture_open(&f, "Tutorial.dll");
        fake->fail_at = n;
        fake->error = error;
        ilc_status status = whole_run(&f);
        bool       reached = fake->calls >= n;
        if (status == ILC_OK) {
            unheard += reached;
        } else {
            assert_true(status == ILC_NO_ENGINE || status == ILC_DEVICE || status == ILC_COMPILER || status == ILC_OUT_OF_MEMORY);
            assert_true(strlen(ilc_session_error(f.session)) > 20);
        }
        expect_nothing_alive();
        /* The session is as good as before. */
        fake->fail_at = 0;
        ilc_session_clear_diagnostics(f.session);
        assert_int_equal(whole_run(&f), ILC_OK);
        fixture_close(&f);
        expect_nothing_alive();
        if (reached) continue;
        assert_true(n > 100); /* all were tried */
        assert_true(unheard < n / 2);
        return;
    }
}

static void every_call_that_fails_gives_a_clear_status_and_the_session_goes_on(void **state)
{
    (void)state;
    any_call_may_fail(999);
}

static void so_does_every_call_that_finds_no_memory(void **state)
{
    (void)state;
    any_call_may_fail(CUDA_ERROR_OUT_OF_MEMORY);
}

static void so_does_every_call_that_finds_the_context_lost(void **state)
{
    (void)state;
    any_call_may_fail(CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* What is said of a line of emitted text is said of the line of the source. */
static void a_compilers_message_names_the_source_line(void **state)
{
    fixture            f;
    ilc_engine_options options;
    ilc_engine        *engine;
    ilc_diagnostic     why;
    (void)state;
    reset();
    fixture_open(&f, "Tutorial.dll");
    ilc_engine_options_init(&options);
    options.kind = ILC_ENGINE_CUDA;
    options.cuda_path = FAKE_RUN_FOLDER;
    options.cuda_compiler = "nvrtc";
    options.cache_dir = "";
    assert_int_equal(ilc_engine_create(&engine, f.session, &options), ILC_OK);
    fake->refused = "sum += p_x";
    assert_int_equal(ilc_engine_prepare(engine, fixture_kernel(&f, "RowSum"), NULL), ILC_COMPILER);
    assert_int_equal(ilc_session_diagnostic(&why, f.session, ilc_session_diagnostic_count(f.session) - 1), ILC_OK);
    assert_int_equal(why.line, 11);
    assert_string_equal(why.source, "/Tutorial.vb");
    assert_string_equal(why.method, "PearsonMetrics.RowSum");
    assert_says(&f, "Tutorial.vb:11: PearsonMetrics.RowSum: NVRTC");
    assert_says(&f, "il_RowSum_kernel.cu(");
    /* so it is where the method is called, in a text of several */
    assert_int_equal(add_two(engine, fixture_method(&f, "RowSum")), ILC_COMPILER);
    assert_says(&f, "Tutorial.vb:11: PearsonMetrics.RowSum: NVRTC");
    assert_says(&f, "il_calls.cu(");
    /* a line that comes from no method stays what it is */
    fake->refused = "il_raise(il_state";
    assert_int_equal(ilc_engine_prepare(engine, fixture_kernel(&f, "GramDot"), NULL), ILC_COMPILER);
    assert_int_equal(ilc_session_diagnostic(&why, f.session, ilc_session_diagnostic_count(f.session) - 1), ILC_OK);
    assert_int_equal(why.line, 0);
    ilc_engine_destroy(engine);
    fixture_close(&f);
    expect_nothing_alive();
}

/* Texts with directives, and no others, are compiled with line tables. */
static void line_directives_make_line_tables(void **state)
{
    (void)state;
    for (int with = 0; with < 2; with++) {
        fixture            f;
        ilc_engine_options options;
        ilc_kernel_options wanted;
        ilc_engine        *engine;
        ilc_kernel        *kernel;
        reset();
        fixture_open(&f, "Tutorial.dll");
        ilc_engine_options_init(&options);
        options.kind = ILC_ENGINE_CUDA;
        options.cuda_path = FAKE_RUN_FOLDER;
        options.cuda_compiler = "nvrtc";
        options.cache_dir = "";
        ilc_kernel_options_init(&wanted);
        wanted.line_directives = with;
        assert_int_equal(ilc_engine_create(&engine, f.session, &options), ILC_OK);
        assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "RowSum"), &wanted), ILC_OK);
        float sums[ROWS];
        assert_int_equal(sum_rows(engine, kernel, sums), ILC_OK);
        assert_true(sums[0] == 10 && sums[1] == 100 && sums[2] == 26);
        assert_int_equal(strstr(fake->options, "--generate-line-info") != NULL, with);
        ilc_engine_destroy(engine);
        fixture_close(&f);
        expect_nothing_alive();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_gives_the_values_and_the_exception),
        cmocka_unit_test(a_compilers_message_names_the_source_line),
        cmocka_unit_test(line_directives_make_line_tables),
        cmocka_unit_test(every_call_that_fails_gives_a_clear_status_and_the_session_goes_on),
        cmocka_unit_test(so_does_every_call_that_finds_no_memory),
        cmocka_unit_test(so_does_every_call_that_finds_the_context_lost),
    };
    return cmocka_run_group_tests_name("public calls, fake driver", tests, load_fakes, NULL);
}
