/* Launches made ready, on the engines that run them when they are started; those of CUDA are in tests/fake-cuda. */
#include "api_fixture.h"

enum { ROWS = 3, COLS = 4 };
static const float matrix[ROWS * COLS] = {1, 2, 3, 4, 10, 20, 30, 40, 5, 6, 7, 8};

typedef struct bench {
    fixture     f;
    ilc_engine *engine;
    ilc_buffer *x, *out;
    ilc_task   *task;
} bench;

/* RowSum over a matrix of which `length` elements are there. */
static void open_bench(bench *b, ilc_engine_kind kind, int64_t length, int64_t rows)
{
    fixture_open(&b->f, "Tutorial.dll");
    b->engine = fixture_engine(&b->f, kind);
    assert_int_equal(ilc_buffer_create(&b->x, b->engine, ILC_F32, length), ILC_OK);
    assert_int_equal(ilc_buffer_create(&b->out, b->engine, ILC_F32, ROWS), ILC_OK);
    assert_int_equal(ilc_buffer_write(b->x, 0, matrix, length), ILC_OK);
    ilc_argument args[] = {ilc_arg_buffer("x", b->x), ilc_arg_int("cols", COLS), ilc_arg_result(b->out)};
    assert_int_equal(ilc_task_create(&b->task, b->engine, fixture_kernel(&b->f, "RowSum"), args, 3, &rows, 1, NULL), ILC_OK);
}

static const ilc_engine_kind kinds[] = {ILC_ENGINE_IL, ILC_ENGINE_AST, ILC_ENGINE_CPU};

static void a_task_runs_when_it_is_started_and_again(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bench             b;
        ilc_launch_result result;
        float             sums[ROWS], more = 100;
        open_bench(&b, kinds[k], ROWS * COLS, ROWS);
        assert_int_equal(ilc_task_start(b.task, NULL), ILC_OK);
        assert_int_equal(ilc_engine_wait(b.engine), ILC_OK);
        assert_int_equal(ilc_task_result(&result, b.task), ILC_OK);
        assert_int_equal(ilc_buffer_read(b.out, 0, sums, ROWS), ILC_OK);
        assert_true(sums[0] == 10 && sums[1] == 100 && sums[2] == 26);
        assert_int_equal(ilc_buffer_write(b.x, 0, &more, 1), ILC_OK);
        assert_int_equal(ilc_task_start(b.task, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(b.out, 0, sums, 1), ILC_OK);
        assert_true(sums[0] == 109);
        ilc_task_destroy(b.task);
        fixture_close(&b.f);
    }
}

static void an_exception_is_told_with_the_result(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bench             b;
        ilc_launch_result result = {0};
        open_bench(&b, kinds[k], ROWS * COLS - 1, ROWS);
        assert_int_equal(ilc_task_start(b.task, NULL), ILC_OK);
        assert_int_equal(ilc_session_diagnostic_count(b.f.session), 0);
        assert_int_equal(ilc_task_result(&result, b.task), ILC_TRAP);
        assert_int_equal(result.element, 2);
        assert_int_equal(ilc_session_diagnostic_count(b.f.session), 1);
        fixture_close(&b.f); /* the task goes with it */
    }
}

static void what_a_task_is_asked_for_too_early_or_on_a_stream_is_refused(void **state)
{
    bench             b;
    ilc_launch_result result;
    ilc_task         *task;
    (void)state;
    open_bench(&b, ILC_ENGINE_AST, ROWS * COLS, ROWS);
    assert_int_equal(ilc_task_result(&result, b.task), ILC_INVALID);
    assert_says(&b.f, "the task was not started");
    assert_int_equal(ilc_task_start(b.task, &b), ILC_INVALID);
    assert_says(&b.f, "only the CUDA engine has streams");
    int64_t rows = ROWS;
    assert_int_equal(ilc_task_create(&task, b.engine, fixture_kernel(&b.f, "RowSum"), NULL, 0, &rows, 1, NULL), ILC_INVALID);
    fixture_close(&b.f);
}

static void no_elements_are_done_at_once(void **state)
{
    bench             b;
    ilc_launch_result result;
    (void)state;
    open_bench(&b, ILC_ENGINE_CPU, ROWS * COLS, 0);
    assert_int_equal(ilc_task_start(b.task, NULL), ILC_OK);
    assert_int_equal(ilc_task_result(&result, b.task), ILC_OK);
    assert_null(result.entry);
    fixture_close(&b.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_runs_when_it_is_started_and_again),
        cmocka_unit_test(an_exception_is_told_with_the_result),
        cmocka_unit_test(what_a_task_is_asked_for_too_early_or_on_a_stream_is_refused),
        cmocka_unit_test(no_elements_are_done_at_once),
    };
    return cmocka_run_group_tests_name("tasks", tests, NULL, NULL);
}
