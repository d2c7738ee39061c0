/* api_deviation_test.c - how far mode fast is from mode exact: the numbers of it, and `ilc_check` in that mode. */
#include <math.h>

#include "api_fixture.h"

static void the_largest_difference_is_kept_in_each_measure(void **state)
{
    const float   exact[] = {1, 1000, 0, -1, NAN, INFINITY}, fast[] = {1 + 0x1p-22f, 1000.5f, 0x1p-149f, -1, NAN, INFINITY};
    const double  wide[] = {-0.0, 1}, near_wide[] = {0.0, 1 - 0x1p-53};
    ilc_deviation d = {0};
    (void)state;
    ilc_deviation_add(&d, ILC_F32, exact, fast, 6);
    assert_int_equal(d.values, 6);
    assert_true(d.absolute == 0.5 && d.relative == 0.5 / 1000);
    assert_int_equal(d.ulps, 8192); /* 0.5 at 1000 */
    assert_int_equal(d.unlike, 0);
    ilc_deviation_add(&d, ILC_F64, wide, near_wide, 2);
    assert_int_equal(d.values, 8);
    d = (ilc_deviation){0};
    ilc_deviation_add(&d, ILC_F64, wide, near_wide, 2);
    assert_int_equal(d.ulps, 1);
    assert_true(d.absolute == 0x1p-53);
}

static void signs_count_through_zero(void **state)
{
    const float   exact[] = {-0x1p-149f}, fast[] = {0x1p-149f};
    ilc_deviation d = {0};
    (void)state;
    ilc_deviation_add(&d, ILC_F32, exact, fast, 1);
    assert_int_equal(d.ulps, 2);
}

static void what_is_no_distance_is_counted(void **state)
{
    const float   exact[] = {NAN, 1, INFINITY, INFINITY}, fast[] = {1, NAN, -INFINITY, 1};
    const int32_t numbers[] = {1, 2}, others[] = {1, 3};
    ilc_deviation d = {0};
    (void)state;
    ilc_deviation_add(&d, ILC_F32, exact, fast, 4);
    ilc_deviation_add(&d, ILC_I32, numbers, others, 2);
    assert_int_equal(d.unlike, 5);
    assert_int_equal(d.values, 4);
    assert_true(d.absolute == 0 && d.relative == 0);
}

/* On the tree alone mode fast is mode fma. */
static void a_check_measures(void **state)
{
    fixture           f;
    ilc_check_options options;
    ilc_check_result  result;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_check_options_init(&options);
    options.mode = "fast";
    assert_int_equal(ilc_check(&result, fixture_method(&f, "RowSumSq"), &options), ILC_OK);
    assert_true(result.rounds > 0 && !result.different);
    assert_true(result.deviation.values > 0 && result.deviation.ulps > 0 && result.deviation.relative < 1e-5);
    assert_int_equal(result.deviation.unlike, 0);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_largest_difference_is_kept_in_each_measure), cmocka_unit_test(signs_count_through_zero),
                                       cmocka_unit_test(what_is_no_distance_is_counted), cmocka_unit_test(a_check_measures)};
    return cmocka_run_group_tests_name("deviation", tests, NULL, NULL);
}
