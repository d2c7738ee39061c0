/* api_lengths_test.c - launches where tools of this kind are caught wrong: one bad element among many, numbers of
 * elements around the sizes of blocks, inner lengths around the sizes of tiles. */
#include <stdlib.h>

#include "api_fixture.h"

static const ilc_engine_kind kinds[] = {ILC_ENGINE_IL, ILC_ENGINE_AST, ILC_ENGINE_CPU};

static ilc_buffer *buffer_of(ilc_engine *engine, ilc_storage storage, const void *data, int64_t count)
{
    ilc_buffer *buffer = NULL;
    assert_int_equal(ilc_buffer_create(&buffer, engine, storage, count), ILC_OK);
    if (data && count) assert_int_equal(ilc_buffer_write(buffer, 0, data, count), ILC_OK);
    return buffer;
}

static void one_bad_element_of_a_thousand_is_named_and_the_others_are_right(void **state)
{
    enum { COUNT = 1000, BAD = 17 };
    fixture f;
    int32_t n[COUNT], got[COUNT];
    (void)state;
    for (int32_t e = 0; e < COUNT; e++) n[e] = 3 * e;
    n[BAD] = -1;
    fixture_open(&f, "CasesVb.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "Case26_Guard");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        ilc_engine       *engine = fixture_engine(&f, kinds[k]);
        ilc_buffer       *out = buffer_of(engine, ILC_I32, NULL, COUNT);
        ilc_argument      args[] = {ilc_arg_buffer("n", buffer_of(engine, ILC_I32, n, COUNT)), ilc_arg_result(out)};
        ilc_launch_result result;
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, (int64_t[]){COUNT}, 1, NULL), ILC_TRAP);
        assert_true(result.trapped);
        assert_int_equal(result.element, BAD);
        assert_string_equal(result.trap.exception, "System.ArgumentException");
        assert_string_equal(result.trap.method, "Cases.Case26_Guard");
        assert_int_equal(result.trap.line, 204);
        assert_non_null(strstr(result.trap.file, "CasesFlow.vb"));
        assert_says(&f, "CasesFlow.vb:204: Cases.Case26_Guard: System.ArgumentException in element 17 ");
        assert_int_equal(ilc_buffer_read(out, 0, got, COUNT), ILC_OK);
        for (int32_t e = 0; e < COUNT; e++)
            if (e != BAD) assert_int_equal(got[e], 6 * e);
        ilc_engine_destroy(engine);
    }
    fixture_close(&f);
}

static void each_element_of_any_number_knows_its_index(void **state)
{
    static const int64_t counts[] = {0, 1, 31, 32, 33, 255, 256, 257, 1023, 65537, 1000003};
    fixture              f;
    (void)state;
    fixture_open(&f, "CasesVb.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "Case27_Index");
    ilc_engine *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        int64_t           count = counts[c];
        int32_t          *got = malloc(((size_t)count + 1) * sizeof *got);
        ilc_buffer       *out = buffer_of(engine, ILC_I32, NULL, count + 1);
        const int32_t     mark = -77;
        ilc_argument      args[] = {ilc_arg_result(out)};
        ilc_launch_result result;
        assert_non_null(got);
        assert_int_equal(ilc_buffer_write(out, count, &mark, 1), ILC_OK);
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 1, &count, 1, NULL), ILC_OK);
        if (count == 0) assert_null(result.entry); /* nothing was launched */
        assert_int_equal(ilc_buffer_read(out, 0, got, count + 1), ILC_OK);
        for (int64_t e = 0; e < count; e++)
            if (got[e] != e) fail_msg("element %lld of %lld is %d", (long long)e, (long long)count, got[e]);
        assert_int_equal(got[count], mark); /* and nothing behind them */
        free(got);
    }
    fixture_close(&f);
}

/* GramDot of three rows on an engine: nine results. */
static void dots(fixture *f, ilc_kernel *kernel, ilc_engine_kind kind, const float *data, int64_t inner, float out[9])
{
    ilc_engine       *engine = fixture_engine(f, kind);
    ilc_buffer       *x = buffer_of(engine, ILC_F32, data, 3 * inner), *result_buffer = buffer_of(engine, ILC_F32, NULL, 9);
    ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", inner), ilc_arg_result(result_buffer)};
    ilc_launch_result result;
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, (int64_t[]){3, 3}, 2, NULL), ILC_OK);
    assert_int_equal(ilc_buffer_read(result_buffer, 0, out, 9), ILC_OK);
    ilc_engine_destroy(engine);
}

static void dot_products_of_any_inner_length_have_the_judges_bits(void **state)
{
    enum { LONGEST = 386 * 64 + 1 };
    static const int64_t inner[] = {0, 1, 63, 64, 65, LONGEST};
    static float         data[3 * LONGEST];
    fixture              f;
    uint32_t             seed = 1;
    (void)state;
    for (int k = 0; k < 3 * LONGEST; k++) {
        seed = seed * 1664525u + 1013904223u;
        data[k] = (float)(int32_t)seed / 1e9f;
    }
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "GramDot");
    for (size_t d = 0; d < sizeof inner / sizeof *inner; d++) {
        float judge[9], got[9];
        dots(&f, kernel, ILC_ENGINE_IL, data, inner[d], judge);
        for (size_t k = 1; k < sizeof kinds / sizeof *kinds; k++) {
            dots(&f, kernel, kinds[k], data, inner[d], got);
            assert_memory_equal(got, judge, sizeof got);
        }
        if (inner[d] == 0) assert_true(judge[0] == 0 && judge[8] == 0);
        if (inner[d] == 1) assert_true(judge[1] == data[0] * data[1] && judge[8] == data[2] * data[2]);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_bad_element_of_a_thousand_is_named_and_the_others_are_right),
        cmocka_unit_test(each_element_of_any_number_knows_its_index),
        cmocka_unit_test(dot_products_of_any_inner_length_have_the_judges_bits),
    };
    return cmocka_run_group_tests_name("lengths", tests, NULL, NULL);
}
