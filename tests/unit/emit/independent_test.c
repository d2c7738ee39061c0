/* Which kernels that store are accepted, and how the others are refused. */
#include "trees.h"

static int setup(void **state)
{
    (void)state;
    trees_reset();
    return 0;
}

typedef struct sub {
    ilc__func *f;
    ilc__var  *x, *y, *n, *i, *j;
} sub;

static sub sub_new(void)
{
    sub s = {.f = func_new("Sub1", ILC_VOID)};
    s.x = ARRAY(s.f, "x", ILC_F32);
    s.y = ARRAY(s.f, "y", ILC_F32);
    s.n = PARAM(s.f, "n", ILC_I32);
    s.i = PARAM(s.f, "i", ILC_I32);
    s.j = PARAM(s.f, "j", ILC_I32);
    return s;
}

static const ilc__kernel_spec one = {ILC__MODE_1D, 1, {3}, NULL}, two = {ILC__MODE_2D, 2, {3, 4}, NULL};

static bool accepted(sub s, ilc__kernel_spec spec)
{
    return ilc__check_independent(&trees, unit_of(s.f, NULL), &spec) == ILC_OK;
}

static const char *last_reason(void)
{
    return trees.diags.count ? trees.diags.items[trees.diags.count - 1].reason : "";
}

static void test_an_element_may_read_and_write_its_own_place(void **state)
{
    (void)state;
    sub s = sub_new();
    s.f->body = BLOCK(store(s.y, V(s.i), OP(ADD_F32, LOAD(s.x, OP(ADD_I32, V(s.i), I(1))), LOAD(s.y, V(s.i)))));
    assert_true(accepted(s, one));
    ilc__unit *unit = unit_of(s.f, NULL);
    bool       same[25] = {false};
    ilc__launch_facts facts = {.scalars = (int64_t[5]){0}, .lengths = (int64_t[5]){0}, .same = same, .extents = {10, 1, 1}};
    assert_true(ilc__independent_holds(&trees, ARENA, unit, &one, &facts));
    same[1 * 5 + 0] = same[0 * 5 + 1] = true; /* x and y are one array: x(i + 1) is another element's */
    assert_false(ilc__independent_holds(&trees, ARENA, unit, &one, &facts));
}

static void test_a_neighbours_place_is_refused_with_both_lines(void **state)
{
    (void)state;
    sub        s = sub_new();
    ilc__stmt *put = store(s.y, V(s.i), LOAD(s.y, OP(SUB_I32, V(s.i), I(1)))), *other = store(s.y, V(s.i), F(1));
    put->line = 12;
    other->line = 14;
    s.f->body = BLOCK(put, other);
    assert_false(accepted(s, one));
    assert_string_equal(last_reason(), "elements are not independent: the store at line 12 may touch what line 12 reads in another element");
    ilc__stmt *scatter = store(s.y, V(s.n), F(1));
    scatter->line = 20;
    s.f->body = BLOCK(scatter);
    assert_false(accepted(s, one));
    assert_string_equal(last_reason(), "elements are not independent: the store at line 20 is not at the element's own place");
}

static void test_rows_times_columns_is_a_place_when_the_launch_fits(void **state)
{
    (void)state;
    sub       s = sub_new();
    ilc__var *at = LOCAL(s.f, "at", ILC_I32);
    s.f->body = BLOCK(assign(at, OP(ADD_OVF_I32, V(s.j), OP(MUL_OVF_I32, V(s.n), V(s.i)))), store(s.y, V(at), LOAD(s.y, OP(ADD_I32, OP(MUL_I32, V(s.i), V(s.n)), V(s.j)))));
    assert_true(accepted(s, two));
    ilc__unit        *unit = unit_of(s.f, NULL);
    ilc__launch_facts facts = {.scalars = (int64_t[5]){0, 0, 7}, .lengths = (int64_t[5]){0}, .extents = {10, 7, 1}};
    assert_true(ilc__independent_holds(&trees, ARENA, unit, &two, &facts));
    facts.extents[1] = 8;
    assert_false(ilc__independent_holds(&trees, ARENA, unit, &two, &facts));
    assert_false(accepted(s, one)); /* j is a plain parameter there */
}

static void test_a_callee_that_stores_is_refused(void **state)
{
    (void)state;
    ilc__func *g = func_new("Put", ILC_VOID);
    ilc__var  *gx = ARRAY(g, "x", ILC_F32);
    g->body = BLOCK(store(gx, I(0), F(1)), ret(NULL));
    sub s = sub_new();
    s.f->body = BLOCK(eval(CALL(g, V(s.x))));
    assert_int_equal(ilc__check_independent(&trees, unit_of(g, s.f), &one), ILC_UNSUPPORTED);
}

static void test_a_function_without_stores_is_independent(void **state)
{
    (void)state;
    assert_int_equal(ilc__check_independent(&trees, row_sum(true), &(ilc__kernel_spec){ILC__MODE_1D, 1, {2}, NULL}), ILC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) {#name, name, setup, NULL, NULL}
        T(test_an_element_may_read_and_write_its_own_place),
        T(test_a_neighbours_place_is_refused_with_both_lines),
        T(test_rows_times_columns_is_a_place_when_the_launch_fits),
        T(test_a_callee_that_stores_is_refused),
        T(test_a_function_without_stores_is_independent),
    };
    return cmocka_run_group_tests_name("independence", tests, NULL, NULL);
}
