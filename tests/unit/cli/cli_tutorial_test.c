/* cli_tutorial_test.c - the demo's input is .NET's, its references are right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "tutorial.h"

static void the_matrix_is_the_seeded_generators(void **state)
{
    /* .NET 10: new Random(42).NextDouble() * 2 - 1 as Single. */
    static const float first[] = {0.33621293f, -0.7181854f, -0.7489634f, 0.045528553f, -0.66313154f, -0.47481465f, 0.44881672f, 0.025845584f};
    enum { COUNT = sizeof first / sizeof *first };
    float got[COUNT];
    (void)state;
    tutorial_matrix(got, COUNT, 42);
    for (int i = 0; i < COUNT; i++) assert_true(got[i] == first[i]);
}

static void the_whole_matrix_has_its_hash(void **state)
{
    enum { COUNT = 1024 * 1024 };
    char   hash[65];
    float *x = malloc(COUNT * sizeof *x);
    (void)state;
    tutorial_matrix(x, COUNT, 42);
    tutorial_hash(x, COUNT * sizeof *x, hash);
    assert_string_equal(hash, "8ddf8b27bdc6852daa27d0c2943d883bc5838cd6dbb5a0cd2dc08768daca8979");
    free(x);
}

static void hashes_are_sha_256(void **state)
{
    char hash[65];
    (void)state;
    /* FIPS 180-4, example "abc". */
    tutorial_hash("abc", 3, hash);
    assert_string_equal(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void references_are_right_for_a_small_matrix(void **state)
{
    const float x[] = {1, 2, 3, 2, 4, 6, 3, 2, 1};
    double      correlation[9], distance[9];
    (void)state;
    tutorial_references(x, 3, 3, correlation, distance);
    assert_true(correlation[0] == 1 && fabs(correlation[1] - 1) < 1e-12 && fabs(correlation[2] + 1) < 1e-12);
    assert_true(distance[0] == 0 && fabs(distance[1] - sqrt(14)) < 1e-12 && fabs(distance[2] - sqrt(8)) < 1e-12);
}

static void the_largest_error_sees_nan(void **state)
{
    const float  got[] = {1, NAN, 2};
    const double expected[] = {1.5, 0, 0};
    (void)state;
    assert_true(tutorial_largest_error(got, expected, 1) == 0.5);
    assert_true(isnan(tutorial_largest_error(got, expected, 3)));
    assert_true(isnan(tutorial_clamp(NAN, 1)));
    assert_true(tutorial_clamp(5, 2) == 1 && tutorial_clamp(1, 2) == 0.5f && tutorial_clamp(1, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_is_the_seeded_generators),
        cmocka_unit_test(the_whole_matrix_has_its_hash),
        cmocka_unit_test(hashes_are_sha_256),
        cmocka_unit_test(references_are_right_for_a_small_matrix),
        cmocka_unit_test(the_largest_error_sees_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
