/* Subscripts and bounds as polynomials. */
#include "build.h"
#include "emit/poly.h"

static int setup(void **state)
{
    (void)state;
    trees_reset();
    return 0;
}

/* factor times the symbols, which end with UINT32_MAX */
static void add(ilc__poly *to, int64_t factor, const uint32_t *symbols)
{
    ilc__poly one = {.count = 1, .terms = {{.factor = factor}}};
    for (; *symbols != UINT32_MAX; symbols++) one.terms[0].symbols[one.terms[0].count++] = *symbols;
    assert_true(ilc__poly_add(to, &one, 1));
}
#define TERM(...) ((const uint32_t[]){__VA_ARGS__, UINT32_MAX})
#define CONSTANT ((const uint32_t[]){UINT32_MAX})

enum { COLS = ILC__SYM_PARAM, LENGTH = ILC__SYM_PARAM + ILC__SYM_PARTS + ILC__SYM_LENGTH };

static void test_sums_meet_and_cancel_whatever_their_order(void **state)
{
    (void)state;
    ilc__poly a = {0}, b = {0};
    add(&a, 1, TERM(ILC__SYM_I, COLS));
    add(&a, 1, TERM(ILC__SYM_COUNTER));
    add(&a, 3, CONSTANT);
    add(&b, 3, CONSTANT);
    add(&b, 1, TERM(ILC__SYM_COUNTER));
    add(&b, 1, TERM(ILC__SYM_I, COLS));
    assert_true(ilc__poly_same(&a, &b));
    assert_true(ilc__poly_add(&a, &b, -1));
    assert_true(ilc__poly_is_const(&a, 0));
    assert_false(ilc__poly_is_const(&b, 3));
}

static void test_a_symbol_is_split_off(void **state)
{
    (void)state;
    ilc__poly index = {0}, stride;
    add(&index, 2, TERM(ILC__SYM_I, COLS));
    add(&index, 1, TERM(ILC__SYM_I));
    add(&index, -5, TERM(COLS));
    assert_true(ilc__poly_split(&index, ILC__SYM_I, &stride));
    assert_false(ilc__poly_has(&index, ILC__SYM_I));
    assert_true(ilc__poly_has(&stride, COLS) && ilc__poly_has(&index, COLS));
    ilc__poly square = {0};
    add(&square, 1, TERM(ILC__SYM_I, ILC__SYM_I));
    assert_false(ilc__poly_split(&square, ILC__SYM_I, &stride));
}

static void test_values_are_the_launchs_or_none(void **state)
{
    (void)state;
    int64_t           scalars[] = {1000, 0}, lengths[] = {-1, 77}, dims[6] = {0}, value;
    ilc__launch_facts facts = {.scalars = scalars, .lengths = lengths, .dims = dims};
    ilc__poly         poly = {0};
    add(&poly, 2, TERM(COLS, LENGTH));
    add(&poly, -1, CONSTANT);
    assert_true(ilc__poly_value(&poly, &facts, &value));
    assert_int_equal(value, 2 * 1000 * 77 - 1);
    add(&poly, 1, TERM(COLS, COLS, COLS, COLS));
    scalars[0] = 1 << 20;
    assert_false(ilc__poly_value(&poly, &facts, &value));
}

static void test_too_long_sums_are_none(void **state)
{
    (void)state;
    ilc__poly poly = {0}, one;
    for (uint32_t p = 0; p < ILC__POLY_TERMS; p++) add(&poly, 1, TERM(ILC__SYM_PARAM + ILC__SYM_PARTS * p));
    one = (ilc__poly){.count = 1, .terms = {{.factor = 7}}};
    assert_false(ilc__poly_add(&poly, &one, 1));
    poly.terms[0].factor = INT64_MAX;
    one.terms[0] = poly.terms[0];
    assert_false(ilc__poly_add(&poly, &one, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) {#name, name, setup, NULL, NULL}
        T(test_sums_meet_and_cancel_whatever_their_order),
        T(test_a_symbol_is_split_off),
        T(test_values_are_the_launchs_or_none),
        T(test_too_long_sums_are_none),
    };
    return cmocka_run_group_tests_name("polynomials", tests, NULL, NULL);
}
