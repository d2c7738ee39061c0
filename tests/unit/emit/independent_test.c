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
    return ilc__check_independent(&trees, &trees.arena, unit_of(s.f, NULL), &spec) == ILC_OK;
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
    assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &one, &facts), ILC_OK);
    same[1 * 5 + 0] = same[0 * 5 + 1] = true; /* x and y are one array: x(i + 1) is another element's */
    assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &one, &facts), ILC_UNSUPPORTED);
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
    assert_string_equal(last_reason(), "elements could not be proved independent: the store at line 12 may touch what line 12 reads in another element");
    ilc__stmt *scatter = store(s.y, V(s.n), F(1));
    scatter->line = 20;
    s.f->body = BLOCK(scatter);
    assert_false(accepted(s, one));
    assert_string_equal(last_reason(), "elements could not be proved independent: the store at line 20 is not at the element's own place");
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
    assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &two, &facts), ILC_OK);
    facts.extents[1] = 8;
    assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &two, &facts), ILC_UNSUPPORTED);
    assert_true(accepted(s, one)); /* j is a plain parameter there: the same for all elements */
}

typedef struct cube {
    ilc__func *f;
    ilc__var  *o, *m, *n, *i, *j, *k;
} cube;

static const ilc__kernel_spec three = {ILC__MODE_3D, 3, {3, 4, 5}, NULL};

/* form 0: (i * m + j) * n + k; 1: i * m * n + j * n + k; 2: k + n * (j + (m * i)); 3: i * (n * m) + k + j * n */
static cube cube_new(int form)
{
    cube c = {.f = func_new("Cube", ILC_VOID)};
    c.o = ARRAY(c.f, "o", ILC_F64);
    c.m = PARAM(c.f, "m", ILC_I32);
    c.n = PARAM(c.f, "n", ILC_I32);
    c.i = PARAM(c.f, "i", ILC_I32);
    c.j = PARAM(c.f, "j", ILC_I32);
    c.k = PARAM(c.f, "k", ILC_I32);
    ilc__expr *im = OP(MUL_I32, V(c.i), V(c.m)), *mi = OP(MUL_I32, V(c.m), V(c.i)), *nm = OP(MUL_I32, V(c.n), V(c.m));
    ilc__expr *jn = OP(MUL_I32, V(c.j), V(c.n)), *place = NULL;
    switch (form) {
    case 0: place = OP(ADD_I32, OP(MUL_I32, OP(ADD_I32, im, V(c.j)), V(c.n)), V(c.k)); break;
    case 1: place = OP(ADD_I32, OP(ADD_I32, OP(MUL_I32, im, V(c.n)), jn), V(c.k)); break;
    case 2: place = OP(ADD_I32, V(c.k), OP(MUL_I32, V(c.n), OP(ADD_I32, V(c.j), mi))); break;
    default: place = OP(ADD_I32, OP(ADD_I32, OP(MUL_I32, V(c.i), nm), V(c.k)), jn); break;
    }
    c.f->body = BLOCK(store(c.o, place, D(1)));
    return c;
}

/* What the elements of a launch really do, by counting places. */
static bool is_injective_by_counting(int64_t m, int64_t n, const int64_t extents[3])
{
    uint8_t seen[2048] = {0};
    for (int64_t i = 0; i < extents[0]; i++)
        for (int64_t j = 0; j < extents[1]; j++)
            for (int64_t k = 0; k < extents[2]; k++)
                if (seen[1024 + (i * m + j) * n + k]++) return false;
    return true;
}

static void test_places_in_three_dimensions_are_proved_from_extents_and_scalars(void **state)
{
    (void)state;
    for (int form = 0; form < 4; form++) {
        trees_reset();
        cube       c = cube_new(form);
        ilc__unit *unit = unit_of(c.f, NULL);
        uint32_t   proved = 0, wrong = 0, missed = 0;
        assert_int_equal(ilc__check_independent(&trees, &trees.arena, unit, &three), ILC_OK);
        for (int64_t m = -4; m <= 4; m++)
            for (int64_t n = -4; n <= 4; n++)
                for (int64_t e = 0; e < 125; e++) {
                    ilc__launch_facts facts = {.scalars = (int64_t[]){0, m, n, 0, 0, 0},
                                               .lengths = (int64_t[6]){0},
                                               .extents = {1 + e / 25, 1 + e / 5 % 5, 1 + e % 5}};
                    bool accepts = ilc__check_independent_at(&trees, ARENA, unit, &three, &facts) == ILC_OK;
                    bool right = is_injective_by_counting(m, n, facts.extents);
                    proved += accepts;
                    wrong += accepts && !right;
                    missed += m > 0 && n > 0 && m >= facts.extents[1] && n >= facts.extents[2] && !accepts;
                }
        assert_int_equal(wrong, 0);
        assert_int_equal(missed, 0);
        assert_true(proved > 1000);
        ilc__launch_facts facts = {.scalars = (int64_t[]){0, 3, 5, 0, 0, 0}, .lengths = (int64_t[6]){0}, .extents = {1, 1, 7}};
        assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &three, &facts), ILC_OK);
        facts.extents[1] = 2; /* j = 1, k = 0 meets j = 0, k = 5 */
        assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &three, &facts), ILC_UNSUPPORTED);
    }
}

static void test_a_place_that_wraps_is_not_proved(void **state)
{
    (void)state;
    ilc__unit        *unit = unit_of(cube_new(0).f, NULL);
    ilc__launch_facts facts = {.scalars = (int64_t[]){0, 65536, 32768, 0, 0, 0}, .lengths = (int64_t[6]){0}, .extents = {1, 65536, 32768}};
    assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &three, &facts), ILC_OK);
    facts.extents[0] = 2; /* 2 * 65536 * 32768 is 2^32 */
    assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &three, &facts), ILC_UNSUPPORTED);
    int64_t huge[] = {0, INT64_MIN, INT64_MAX, 0, 0, 0};
    facts.scalars = huge;
    assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &three, &facts), ILC_UNSUPPORTED);
    facts.extents[0] = facts.extents[1] = facts.extents[2] = INT64_MAX;
    assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &three, &facts), ILC_UNSUPPORTED);
}

static void test_a_launch_that_is_not_proved_says_so_and_not_more(void **state)
{
    (void)state;
    ilc__unit        *unit = unit_of(cube_new(0).f, NULL);
    ilc__launch_facts facts = {.scalars = (int64_t[]){0, 3, 5, 0, 0, 0}, .lengths = (int64_t[6]){0}, .extents = {2, 2, 7}};
    assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &three, &facts), ILC_UNSUPPORTED);
    assert_non_null(strstr(last_reason(), "elements could not be proved independent with these extents and arguments: the store at "));
    assert_non_null(strstr(last_reason(), " may meet itself in another element"));
}

static void test_a_callee_that_stores_is_refused(void **state)
{
    (void)state;
    ilc__func *g = func_new("Put", ILC_VOID);
    ilc__var  *gx = ARRAY(g, "x", ILC_F32);
    g->body = BLOCK(store(gx, I(0), F(1)), ret(NULL));
    sub s = sub_new();
    s.f->body = BLOCK(eval(CALL(g, V(s.x))));
    assert_int_equal(ilc__check_independent(&trees, &trees.arena, unit_of(g, s.f), &one), ILC_UNSUPPORTED);
}

static ilc__expr *at(ilc__expr *a, ilc__expr *b)
{
    return expr_new(ILC__EX_SUBSCRIPTS, ILC__IR_I64, a, b, NULL);
}

/* x(i, j), x(j, i), x(i, anything), and so on: an index in each of two subscripts tells elements apart. */
static void test_places_of_several_dimensions_are_proved(void **state)
{
    (void)state;
    for (int c = 0; c < 7; c++) {
        sub s = sub_new();
        s.x->rank = s.y->rank = 2;
        ilc__expr *rows[7][2] = {
            {V(s.i), V(s.j)}, {V(s.j), V(s.i)}, {OP(MUL_OVF_I32, V(s.i), V(s.n)), V(s.j)},
            {OP(ADD_I32, V(s.i), I(1)), V(s.j)}, /* beside it, as all elements do */
            {V(s.i), V(s.i)},                    /* j is nowhere                 */
            {V(s.i), V(s.n)},                    /* nor here                     */
            {OP(ADD_I32, V(s.i), V(s.j)), I(0)}, /* a sum: as the launch has it  */
        };
        s.f->body = BLOCK(store(s.y, at(rows[c][0], rows[c][1]), LOAD(s.x, at(V(s.n), V(s.j)))));
        assert_int_equal(accepted(s, two), c < 4 || c == 6);
        /* of one index: a row for each element */
        s.f->body = BLOCK(store(s.y, at(rows[c][0], rows[c][1]), F(1)));
        assert_true(accepted(s, one));
    }
}

/* What is the same for all elements moves their places together: it must be the same in all accesses. */
static void test_places_beside_the_elements_are_proved(void **state)
{
    (void)state;
    sub        s = sub_new();
    ilc__expr *beside = OP(ADD_I32, V(s.i), I(1)), *before = OP(SUB_OVF_I32, V(s.i), V(s.n)), *after = OP(ADD_I32, V(s.n), V(s.i));
    ilc__expr *rows = OP(ADD_I32, OP(MUL_I32, OP(ADD_I32, V(s.i), I(1)), V(s.n)), OP(ADD_I32, V(s.j), I(2)));
    ilc__expr *less = OP(ADD_I32, OP(MUL_I32, OP(ADD_I32, V(s.i), I(1)), V(s.n)), OP(SUB_I32, V(s.j), I(2)));
    ilc__expr *sums = OP(SUB_I32, OP(ADD_I32, V(s.i), V(s.n)), OP(ADD_I32, V(s.j), I(2)));
    const struct {
        ilc__expr              *stored, *read;
        const ilc__kernel_spec *spec;
        bool                    independent;
    } cases[] = {{beside, beside, &one, true},  {beside, V(s.i), &one, false},    {V(s.i), beside, &one, false},
                 {before, before, &one, true},  {before, after, &one, false},     {before, beside, &one, false},
                 {rows, rows, &two, true},      {rows, less, &two, false},        {sums, sums, &one, true},
                 {sums, after, &one, false},    {sums, sums, &two, false},        {OP(SUB_I32, I(9), V(s.i)), beside, &one, false},
                 {V(s.n), V(s.n), &one, false}, {beside, I(5), &one, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        s.f->body = BLOCK(store(s.y, cases[c].stored, LOAD(s.y, cases[c].read)));
        if (accepted(s, *cases[c].spec) != cases[c].independent) fail_msg("case %zu", c);
    }
}

static void test_places_of_several_dimensions_meet_where_a_coefficient_is_zero(void **state)
{
    (void)state;
    sub s = sub_new();
    s.y->rank = 2;
    s.f->body = BLOCK(store(s.y, at(OP(MUL_OVF_I32, V(s.i), V(s.n)), V(s.j)), F(1)));
    ilc__unit *unit = unit_of(s.f, NULL);
    for (int64_t n = -1; n < 3; n++) {
        ilc__launch_facts facts = {.scalars = (int64_t[5]){0, 0, n}, .lengths = (int64_t[5]){0}, .extents = {10, 10, 1}};
        assert_int_equal(ilc__check_independent_at(&trees, ARENA, unit, &two, &facts), n ? ILC_OK : ILC_UNSUPPORTED);
    }
}

static void test_a_function_without_stores_is_independent(void **state)
{
    (void)state;
    assert_int_equal(ilc__check_independent(&trees, &trees.arena, row_sum(true), &(ilc__kernel_spec){ILC__MODE_1D, 1, {2}, NULL}), ILC_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) {#name, name, setup, NULL, NULL}
        T(test_an_element_may_read_and_write_its_own_place),
        T(test_a_neighbours_place_is_refused_with_both_lines),
        T(test_rows_times_columns_is_a_place_when_the_launch_fits),
        T(test_places_in_three_dimensions_are_proved_from_extents_and_scalars),
        T(test_a_place_that_wraps_is_not_proved),
        T(test_a_launch_that_is_not_proved_says_so_and_not_more),
        T(test_a_callee_that_stores_is_refused),
        T(test_places_of_several_dimensions_are_proved),
        T(test_places_beside_the_elements_are_proved),
        T(test_places_of_several_dimensions_meet_where_a_coefficient_is_zero),
        T(test_a_function_without_stores_is_independent),
    };
    return cmocka_run_group_tests_name("independence", tests, NULL, NULL);
}
