/* fma_test.c - the helpers that multiply and add in one, against the C library where that is known to round once. */
#include "../context.h"
#include "lib/host.h"

#include <math.h>
#include <stdint.h>

#define HELPER(name, uses, ...) __VA_ARGS__
#include "lib/helpers.def"
#undef HELPER

static uint64_t seed = 88172645463325252u;

static uint64_t next(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Of any exponent, or near 1; significands of many zeros or ones among them. */
static double any_f64(bool near)
{
    uint64_t bits = next(), kind = next() % 6, e = near ? 963 + next() % 120 : next() % 2048;
    if (kind == 0) e = near ? 1023 + next() % 4 : next() % 3;
    if (kind == 1) bits &= UINT64_MAX << (next() % 52);
    if (kind == 2) bits |= ~(UINT64_MAX << (next() % 52));
    return ilc__f64_of((long long)((bits & 0x800fffffffffffffu) | e << 52));
}

static float any_f32(bool near)
{
    uint32_t bits = (uint32_t)next(), kind = (uint32_t)(next() % 6), e = near ? 115 + (uint32_t)(next() % 24) : (uint32_t)(next() % 256);
    if (kind == 0) e = (uint32_t)(next() % 3);
    if (kind == 1) bits &= UINT32_MAX << (next() % 23);
    return ilc__f32_of((int)((bits & 0x807fffffu) | e << 23));
}

static void check_f64(double a, double b, double c)
{
    double got = il_fma_f64(a, b, c), wanted = fma(a, b, c);
    if (isnan(got) && isnan(wanted)) return;
    if (ilc__i64_of(got) != ilc__i64_of(wanted)) fail_msg("%a * %a + %a is %a, not %a", a, b, c, got, wanted);
}

static void check_f32(float a, float b, float c)
{
    float got = il_fma_f32(a, b, c), wanted = fmaf(a, b, c);
    if (isnan(got) && isnan(wanted)) return;
    if (ilc__i32_of(got) != ilc__i32_of(wanted)) fail_msg("%a * %a + %a is %a, not %a", (double)a, (double)b, (double)c, (double)got, (double)wanted);
}

static void products_and_sums_round_once(void **state)
{
    (void)state;
    for (int i = 0; i < 400000; i++) {
        double a = any_f64(i & 1), b = any_f64(i & 1), c = any_f64(i & 1);
        float  p = any_f32(i & 1), q = any_f32(i & 1), r = any_f32(i & 1);
        check_f64(a, b, c);
        check_f32(p, q, r);
        check_f64(a, b, -(a * b)); /* what the product alone loses */
        check_f32(p, q, -(p * q));
        check_f64(a, b, nextafter(-(a * b), c));
    }
}

static void special_values_are_those_of_ieee_754(void **state)
{
    static const double values[] = {0.0, -0.0, 1, -1, 0.5, 3, INFINITY, -INFINITY, NAN, 0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, -0x1p1023, 0x1p-540};
    enum { COUNT = sizeof values / sizeof *values };
    (void)state;
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < COUNT; k++)
            for (int n = 0; n < COUNT; n++) {
                check_f64(values[i], values[k], values[n]);
                check_f32((float)values[i], (float)values[k], (float)values[n]);
            }
}

/* Where a sum of a rounded product, or one that rounds twice, is wrong. */
static void known_answers(void **state)
{
    (void)state;
    double u = 0x1p-30;
    assert_true(il_fma_f64(1 + u, 1 - u, -1) == -0x1p-60);
    assert_true(il_fma_f32(1 + 0x1p-13f, 1 - 0x1p-13f, -1) == -0x1p-26f);
    /* 1 + 2^-24 + 2^-80 is above the middle of two floats; a double is the middle itself */
    assert_true(il_fma_f32(0x1p-40f, 0x1p-40f, 1.0f) == 1.0f);
    assert_true(il_fma_f32(0x1.000002p-12f, 0x1.0p-12f, 1.0f) == 1 + 0x1p-23f);
    assert_true(il_fma_f32(0x1.fffffep-13f, 0x1.0p-12f, 1.0f) == 1.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_and_sums_round_once), cmocka_unit_test(special_values_are_those_of_ieee_754),
                                       cmocka_unit_test(known_answers)};
    return cmocka_run_group_tests_name("fused multiply-add", tests, NULL, NULL);
}
