/* api_tiers_test.c - launches while the CPU engine's compiler is at work: the same bytes and exceptions before and after. */
#include "api_fixture.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 40, COLS = 33, THREADS = 16, TURNS_MAX = 20000, SKIPPED = 77 };

static char cache[256];
static float data[ROWS * COLS];

static ilc_engine *engine_of(fixture *f, const char *place, bool best)
{
    ilc_engine_options options;
    ilc_engine        *engine = NULL;
    ilc_engine_options_init(&options);
    options.kind = ILC_ENGINE_CPU;
    options.cache_dir = place;
    options.threads = 2;
    options.best_code = best;
    assert_int_equal(ilc_engine_create(&engine, f->session, &options), ILC_OK);
    return engine;
}

static ilc_status row_sums(ilc_engine *engine, ilc_kernel *kernel, int64_t length, float *sums, ilc_launch_result *result)
{
    ilc_buffer   *x = fixture_floats(engine, data, length), *out = fixture_floats(engine, NULL, ROWS);
    ilc_argument  args[] = {ilc_arg_buffer("X", x), ilc_arg_int("cols", COLS), ilc_arg_buffer("il_out", out)};
    const int64_t extents[] = {ROWS};
    ilc_status    status = ilc_launch(result, engine, kernel, args, 3, extents, 1, NULL);
    assert_int_equal(ilc_buffer_read(out, 0, sums, ROWS), ILC_OK);
    ilc_buffer_destroy(x);
    ilc_buffer_destroy(out);
    return status;
}

static void *launch_until_it_is_compiled(void *user)
{
    fixture           f;
    float             sums[ROWS];
    const float      *wanted = user;
    ilc_launch_result result = {.first_tier = true};
    int               turns = 0;
    const struct timespec rest = {0, 1000000};
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "RowSum");
    ilc_engine *engine = engine_of(&f, cache, false);
    for (; result.first_tier && turns < TURNS_MAX; turns++, nanosleep(&rest, NULL)) {
        assert_int_equal(row_sums(engine, kernel, ROWS * COLS, sums, &result), ILC_OK);
        assert_memory_equal(sums, wanted, sizeof sums);
        assert_true(result.self_checked);
    }
    assert_false(result.first_tier);
    fixture_close(&f);
    return NULL;
}

static void sixteen_threads_go_over_to_the_compilers_code(void **state)
{
    fixture           f;
    float             wanted[ROWS];
    ilc_launch_result result;
    pthread_t         threads[THREADS];
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    assert_int_equal(row_sums(engine_of(&f, "", true), fixture_kernel(&f, "RowSum"), ROWS * COLS, wanted, &result), ILC_OK);
    assert_false(result.first_tier);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, launch_until_it_is_compiled, wanted), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    fixture_close(&f);
}

static void an_exception_is_the_same_of_both_tiers(void **state)
{
    fixture           f;
    float             first[ROWS], best[ROWS];
    ilc_launch_result by_first, by_best;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "RowSum");
    assert_int_equal(row_sums(engine_of(&f, "", false), kernel, 7 * COLS + 5, first, &by_first), ILC_TRAP);
    assert_int_equal(row_sums(engine_of(&f, "", true), kernel, 7 * COLS + 5, best, &by_best), ILC_TRAP);
    assert_true(by_first.first_tier && !by_best.first_tier);
    assert_int_equal(by_first.element, 7);
    assert_int_equal(by_best.element, 7);
    assert_string_equal(by_first.trap.exception, by_best.trap.exception);
    assert_int_equal(by_first.trap.line, by_best.trap.line);
    assert_memory_equal(first, best, sizeof first);
    fixture_close(&f);
}

static void a_launch_may_insist_on_the_compilers_code(void **state)
{
    fixture            f;
    float              sums[ROWS];
    ilc_launch_result  result;
    ilc_launch_options options;
    bool               cached = true;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "RowSumSq");
    ilc_engine *engine = engine_of(&f, "", false);
    assert_int_equal(ilc_engine_prepare(engine, kernel, &cached), ILC_OK);
    assert_false(cached);
    ilc_launch_options_init(&options);
    options.best_code = true;
    ilc_buffer   *x = fixture_floats(engine, data, ROWS * COLS), *out = fixture_floats(engine, NULL, ROWS);
    ilc_argument  args[] = {ilc_arg_buffer("X", x), ilc_arg_int("cols", COLS), ilc_arg_buffer("il_out", out)};
    const int64_t extents[] = {ROWS};
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 1, &options), ILC_OK);
    assert_false(result.first_tier);
    assert_int_equal(row_sums(engine, kernel, ROWS * COLS, sums, &result), ILC_OK);
    assert_false(result.first_tier);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixteen_threads_go_over_to_the_compilers_code),
        cmocka_unit_test(an_exception_is_the_same_of_both_tiers),
        cmocka_unit_test(a_launch_may_insist_on_the_compilers_code),
    };
    fixture f;
    bool    works;
    unsetenv("ILCUDA_TIER");
    for (int i = 0; i < ROWS * COLS; i++) data[i] = (float)(i * 37 % 101 - 50) / 7.0f;
    snprintf(cache, sizeof cache, "/tmp/ilcuda-tiers-%ld", (long)getpid());
    fixture_open(&f, "Tutorial.dll");
    bool there = ilc_engine_first_tier(engine_of(&f, "", false), &works) && works;
    fixture_close(&f);
    if (!there) {
        print_message("skipped: tcc is not there, or gcc or clang\n");
        return SKIPPED;
    }
    int  failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    return system(command) == 0 ? failed : 1;
}
