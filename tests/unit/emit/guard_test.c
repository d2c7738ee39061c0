/* The launch guard: what it proves for the usual shapes, and its soundness against brute force over random
 * functions: where it says yes, no covered check may fail for any element. */
#include <limits.h>
#include <stdio.h>

#include "trees.h"

static int setup(void **state)
{
    (void)state;
    trees_reset();
    return 0;
}

static ilc__kernel emit_guarded(const ilc__unit *unit, ilc__kernel_spec spec)
{
    ilc__emit_options options = {.dialect = ILC__DIALECT_C, .checks = true};
    ilc__kernel       kernel;
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit, &spec, &options, &kernel), ILC_OK);
    return kernel;
}

static const ilc__kernel_spec by_i_at_2 = {ILC__MODE_1D, 1, {2}, NULL};

static bool holds(const ilc__kernel *kernel, const int64_t *scalars, const int64_t *lengths, int64_t n, int64_t m)
{
    ilc__launch_facts facts = {.scalars = scalars, .lengths = lengths, .extents = {n, m, 1}};
    return ilc__guard_holds(&trees, ARENA, kernel, &facts);
}

static void test_row_sums_need_rows_times_columns_elements(void **state)
{
    (void)state;
    for (int checked = 0; checked < 2; checked++) {
        ilc__kernel kernel = emit_guarded(row_sum(checked), by_i_at_2);
        assert_true(kernel.covers_all);
        assert_true(holds(&kernel, (int64_t[]){0, 1000, 0}, (int64_t[]){1000000, 0, 0}, 1000, 1));
        assert_false(holds(&kernel, (int64_t[]){0, 1000, 0}, (int64_t[]){999999, 0, 0}, 1000, 1));
        assert_false(holds(&kernel, (int64_t[]){0, 1000, 0}, (int64_t[]){-1, 0, 0}, 1000, 1));
        assert_true(holds(&kernel, (int64_t[]){0, 0, 0}, (int64_t[]){0, 0, 0}, 1000, 1));   /* no turn */
        assert_true(holds(&kernel, (int64_t[]){0, 1000, 0}, (int64_t[]){0, 0, 0}, 0, 1));   /* no element */
        assert_true(holds(&kernel, (int64_t[]){0, 46340, 0}, (int64_t[]){2147395600, 0, 0}, 46340, 1));
        assert_false(holds(&kernel, (int64_t[]){0, 65536, 0}, (int64_t[]){2147483591, 0, 0}, 65536, 1));
        /* cols - 1 itself overflows; wrapping it runs to Integer's end */
        assert_false(holds(&kernel, (int64_t[]){0, INT_MIN, 0}, (int64_t[]){100, 0, 0}, 1, 1));
    }
}

/* If i > 0 AndAlso i + 1 < n Then Return x(i - 1) + x(i + 1), in both spellings. */
static void test_stencils_are_proved_from_their_conditions(void **state)
{
    (void)state;
    for (int early = 0; early < 2; early++) {
        ilc__func *f = func_new("Stencil", ILC_I32);
        ilc__var  *x = ARRAY(f, "x", ILC_I32), *n = PARAM(f, "n", ILC_I32), *i = PARAM(f, "i", ILC_I32);
        ilc__expr *sum = OP(ADD_I32, LOAD(x, OP(SUB_OVF_I32, V(i), I(1))), LOAD(x, OP(ADD_OVF_I32, V(i), I(1))));
        if (early)
            f->body = BLOCK(IF(or_of(OP(EQ_I32, V(i), I(0)), OP(GE_I32, V(i), OP(SUB_OVF_I32, V(n), I(1)))), ret(I(0))), ret(sum));
        else
            f->body = BLOCK(IF(and_of(OP(GT_I32, V(i), I(0)), OP(LT_I32, OP(ADD_OVF_I32, V(i), I(1)), V(n))), ret(sum)), ret(I(0)));
        ilc__kernel kernel = emit_guarded(unit_of(f, NULL), by_i_at_2);
        assert_true(kernel.covers_all);
        assert_true(holds(&kernel, (int64_t[]){0, 100, 0}, (int64_t[]){100, 0, 0}, 100, 1));
        assert_true(holds(&kernel, (int64_t[]){0, 100, 0}, (int64_t[]){100, 0, 0}, 200, 1));
        assert_false(holds(&kernel, (int64_t[]){0, 100, 0}, (int64_t[]){99, 0, 0}, 100, 1));
    }
}

static void test_bounds_that_come_from_data_stay_checked(void **state)
{
    (void)state;
    ilc__func *f = func_new("Csr", ILC_I32);
    ilc__var  *row = ARRAY(f, "rowptr", ILC_I32), *x = ARRAY(f, "x", ILC_I32), *i = PARAM(f, "i", ILC_I32);
    ilc__var  *k = LOCAL(f, "k", ILC_I32), *s = LOCAL(f, "s", ILC_I32);
    ilc__stmt *loop = for_new(k, LOAD(row, V(i)), ILC__OP_LT_I32, LOAD(row, OP(ADD_OVF_I32, V(i), I(1))), ILC__OP_ADD_I32, I(1));
    ilc__expr *inner = LOAD(x, V(k));
    loop->body = BLOCK(assign(s, OP(ADD_I32, V(s), inner)));
    f->body = BLOCK(assign(s, I(0)), loop, ret(V(s)));
    ilc__kernel kernel = emit_guarded(unit_of(f, NULL), by_i_at_2);
    assert_true(kernel.has_guard);
    assert_false(kernel.covers_all);
    assert_false(inner->covered);
    assert_true(loop->a->covered && loop->covered);
    assert_true(holds(&kernel, (int64_t[]){0, 0, 0}, (int64_t[]){11, 5, 0}, 10, 1));
    assert_false(holds(&kernel, (int64_t[]){0, 0, 0}, (int64_t[]){10, 5, 0}, 10, 1));
}

static void test_a_hash_may_wrap_and_the_guard_still_holds(void **state)
{
    (void)state;
    ilc__func *f = func_new("Hash", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *seed = PARAM(f, "seed", ILC_I32), *i = PARAM(f, "i", ILC_I32);
    f->body = BLOCK(ret(OP(XOR_I32, OP(MUL_I32, V(seed), I(-1640531527)), LOAD(x, V(i)))));
    ilc__kernel kernel = emit_guarded(unit_of(f, NULL), by_i_at_2);
    assert_true(holds(&kernel, (int64_t[]){0, 2000000000, 0}, (int64_t[]){10, 0, 0}, 10, 1));
}

static void test_both_ways_of_a_condition_count(void **state)
{
    (void)state;
    ilc__func *f = func_new("Ways", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *n = PARAM(f, "n", ILC_I32), *i = PARAM(f, "i", ILC_I32), *a = LOCAL(f, "a", ILC_I32);
    f->body = BLOCK(if_else(OP(GT_I32, V(i), I(2)), BLOCK(assign(a, V(n))), BLOCK(assign(a, I(7)))), ret(LOAD(x, V(a))));
    ilc__kernel kernel = emit_guarded(unit_of(f, NULL), by_i_at_2);
    assert_true(holds(&kernel, (int64_t[]){0, 100, 0}, (int64_t[]){101, 0, 0}, 9, 1));
    assert_false(holds(&kernel, (int64_t[]){0, 100, 0}, (int64_t[]){100, 0, 0}, 9, 1));
    assert_false(holds(&kernel, (int64_t[]){0, 3, 0}, (int64_t[]){7, 0, 0}, 9, 1));
    assert_true(holds(&kernel, (int64_t[]){0, 100, 0}, (int64_t[]){8, 0, 0}, 3, 1)); /* i > 2 for no element */
}

static void test_a_counter_that_its_body_changes_is_not_followed(void **state)
{
    (void)state;
    ilc__func *f = func_new("Skips", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *n = PARAM(f, "n", ILC_I32), *i = PARAM(f, "i", ILC_I32), *k = LOCAL(f, "k", ILC_I32);
    ilc__stmt *loop = for_new(k, I(0), ILC__OP_LT_I32, V(n), ILC__OP_ADD_I32, I(1));
    ilc__expr *after = LOAD(x, V(k));
    loop->body = BLOCK(IF(LOAD(x, V(i)), assign(k, OP(ADD_I32, V(k), LOAD(x, V(i))))), IF(after, ret(V(k))));
    f->body = BLOCK(loop, ret(I(0)));
    emit_guarded(unit_of(f, NULL), by_i_at_2);
    assert_false(after->covered || loop->covered);
}

/* A Byte that counts past 255 starts again at 0, below its start. */
static void test_a_narrow_counter_is_followed_only_while_it_fits(void **state)
{
    (void)state;
    ilc__func *f = func_new("Narrow", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *n = PARAM(f, "n", ILC_I32), *k = LOCAL(f, "k", ILC_U8), *s = LOCAL(f, "s", ILC_I32);
    (void)PARAM(f, "i", ILC_I32);
    ilc__stmt *loop = for_new(k, I(5), ILC__OP_LE_I32, V(n), ILC__OP_ADD_OVF_I32, I(1));
    loop->body = BLOCK(assign(s, OP(XOR_I32, V(s), LOAD(x, OP(SUB_OVF_I32, V(k), I(5))))));
    f->body = BLOCK(assign(s, I(0)), loop, ret(V(s)));
    ilc__kernel kernel = emit_guarded(unit_of(f, NULL), by_i_at_2);
    assert_true(holds(&kernel, (int64_t[]){0, 254, 0}, (int64_t[]){250, 0, 0}, 9, 1));
    assert_false(holds(&kernel, (int64_t[]){0, 255, 0}, (int64_t[]){300, 0, 0}, 9, 1));
    assert_false(holds(&kernel, (int64_t[]){0, 1000, 0}, (int64_t[]){2000, 0, 0}, 9, 1));
    ilc__expr *quotient = OP(DIV_I32, I(1000), V(k)); /* k comes to 0 */
    loop->b = LOAD(x, I(0));
    loop->body = BLOCK(assign(s, OP(XOR_I32, V(s), quotient)));
    emit_guarded(unit_of(f, NULL), by_i_at_2);
    assert_false(quotient->covered);
}

/* y(i) - 48 of bytes fits by its type; Convert.ToByte(y(i) * 2) is nothing that a launch could prove. */
static void test_checks_on_data_are_covered_only_where_a_proof_is_possible(void **state)
{
    (void)state;
    ilc__func *f = func_new("Bytes", ILC_I32);
    ilc__var  *y = ARRAY(f, "y", ILC_U8), *hist = ARRAY(f, "hist", ILC_I32), *i = PARAM(f, "i", ILC_I32);
    ilc__expr *fits = OP(SUB_OVF_I32, LOAD(y, V(i)), I(48)), *cut = UN(OVF_U8_I32, OP(MUL_I32, LOAD(y, V(i)), I(2)));
    ilc__expr *counted = LOAD(hist, LOAD(y, V(i)));
    f->body = BLOCK(ret(OP(ADD_I32, OP(ADD_I32, fits, cut), counted)));
    ilc__kernel kernel = emit_guarded(unit_of(f, NULL), by_i_at_2);
    assert_true(fits->covered && counted->covered);
    assert_false(cut->covered);
    assert_true(holds(&kernel, (int64_t[]){0, 0, 0}, (int64_t[]){9, 256, 0}, 9, 1));
    assert_false(holds(&kernel, (int64_t[]){0, 0, 0}, (int64_t[]){9, 255, 0}, 9, 1));
}

static void test_the_same_tree_for_another_launch_shape_does_not_weaken_the_first(void **state)
{
    (void)state;
    ilc__unit  *unit = row_sum(true);
    ilc__kernel kernel = emit_guarded(unit, by_i_at_2);
    emit_guarded(unit, (ilc__kernel_spec){ILC__MODE_ELEMENTWISE, 0, {0}, NULL});
    assert_false(holds(&kernel, (int64_t[]){0, 1000, 0}, (int64_t[]){999999, 0, 0}, 1000, 1));
}

/* --- functions called --------------------------------------------------------------------------------------- */

static ilc__unit *unit_of_three(ilc__func *a, ilc__func *b, ilc__func *root)
{
    ilc__unit *unit = unit_of(a, b);
    ILC__PUSH(ARENA, &unit->funcs, root);
    return unit;
}

/* Function At(i, j, cols) As Integer: Return i * cols + j */
static ilc__func *index_helper(bool checked)
{
    ilc__func *at = func_new("At", ILC_I32);
    ilc__var  *i = PARAM(at, "i", ILC_I32), *j = PARAM(at, "j", ILC_I32), *cols = PARAM(at, "cols", ILC_I32);
    ilc__expr *place = op2(checked ? ILC__OP_MUL_OVF_I32 : ILC__OP_MUL_I32, V(i), V(cols));
    at->body = BLOCK(ret(op2(checked ? ILC__OP_ADD_OVF_I32 : ILC__OP_ADD_I32, place, V(j))));
    return at;
}

/* Function Cell(x(), i, j, cols): Return x(At(i, j, cols)) */
static ilc__func *cell_helper(ilc__func *at)
{
    ilc__func *cell = func_new("Cell", ILC_I32);
    ilc__var  *x = ARRAY(cell, "x", ILC_I32), *i = PARAM(cell, "i", ILC_I32), *j = PARAM(cell, "j", ILC_I32), *cols = PARAM(cell, "cols", ILC_I32);
    cell->body = BLOCK(ret(LOAD(x, CALL(at, V(i), V(j), V(cols)))));
    return cell;
}

/* For k = 0 To cols - 1: s = s Xor Cell(x, i, k, cols) */
static ilc__func *row_of_cells(ilc__func *cell)
{
    ilc__func *f = func_new("Row", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *cols = PARAM(f, "cols", ILC_I32), *i = PARAM(f, "i", ILC_I32);
    ilc__var  *k = LOCAL(f, "k", ILC_I32), *s = LOCAL(f, "s", ILC_I32);
    ilc__stmt *loop = for_new(k, I(0), ILC__OP_LT_I32, V(cols), ILC__OP_ADD_I32, I(1));
    loop->body = BLOCK(assign(s, OP(XOR_I32, V(s), CALL(cell, V(x), V(i), V(k), V(cols)))));
    f->body = BLOCK(assign(s, I(0)), loop, ret(V(s)));
    return f;
}

static void test_checks_in_functions_called_are_covered_by_their_arguments(void **state)
{
    (void)state;
    for (int checked = 0; checked < 2; checked++) {
        ilc__func  *at = index_helper(checked), *cell = cell_helper(at);
        ilc__kernel kernel = emit_guarded(unit_of_three(at, cell, row_of_cells(cell)), by_i_at_2);
        assert_true(kernel.has_guard && kernel.covers_all);
        assert_true(holds(&kernel, (int64_t[]){0, 1000, 0}, (int64_t[]){1000000, 0, 0}, 1000, 1));
        assert_false(holds(&kernel, (int64_t[]){0, 1000, 0}, (int64_t[]){999999, 0, 0}, 1000, 1));
        assert_false(holds(&kernel, (int64_t[]){0, 1000, 0}, (int64_t[]){-1, 0, 0}, 1000, 1));
        assert_false(holds(&kernel, (int64_t[]){0, 65536, 0}, (int64_t[]){2147483591, 0, 0}, 65536, 1));
        const char *guarded = strstr(kernel.source, " il_Cell_scalar("), *all = strstr(kernel.source, " il_Cell_checked_scalar(");
        assert_true(guarded && all);
        assert_null(strstr(kernel.source, "il_Cell_checked_checked"));
    }
}

/* Row(x, i) and, at a place that data choose, Row(x, x(0)): its check must stay, for the first call as well. */
static void test_a_check_is_left_out_of_a_function_only_when_every_call_covers_it(void **state)
{
    (void)state;
    ilc__func *get = func_new("Get", ILC_I32);
    ilc__var  *a = ARRAY(get, "a", ILC_I32), *at = PARAM(get, "at", ILC_I32);
    ilc__expr *load = LOAD(a, V(at)), *sum = OP(ADD_OVF_I32, OP(AND_I32, V(at), I(7)), I(1));
    get->body = BLOCK(ret(OP(XOR_I32, load, sum)));
    ilc__func *f = func_new("Twice", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *n = PARAM(f, "n", ILC_I32), *i = PARAM(f, "i", ILC_I32);
    ilc__expr *first = CALL(get, V(x), V(i)), *second = CALL(get, V(x), LOAD(x, I(0)));
    (void)n;
    f->body = BLOCK(ret(OP(XOR_I32, first, second)));
    ilc__kernel kernel = emit_guarded(unit_of(get, f), by_i_at_2);
    assert_true(kernel.has_guard && first->covered && second->covered);
    assert_true(sum->covered);
    assert_false(load->covered || kernel.covers_all);
    assert_true(holds(&kernel, (int64_t[]){0, 0, 0}, (int64_t[]){1, 0, 0}, 100, 1));
    assert_false(holds(&kernel, (int64_t[]){0, 0, 0}, (int64_t[]){0, 0, 0}, 100, 1));
}

static void test_a_hash_in_a_function_called_may_wrap_and_the_guard_still_holds(void **state)
{
    (void)state;
    ilc__func *mix = func_new("Mix", ILC_I32);
    ilc__var  *seed = PARAM(mix, "seed", ILC_I32);
    mix->body = BLOCK(ret(OP(ADD_I32, OP(MUL_I32, V(seed), I(-1640531527)), I(12345))));
    ilc__func *f = func_new("Hash", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *n = PARAM(f, "n", ILC_I32), *i = PARAM(f, "i", ILC_I32);
    f->body = BLOCK(ret(OP(XOR_I32, CALL(mix, OP(MUL_I32, V(n), I(31))), LOAD(x, V(i)))));
    ilc__kernel kernel = emit_guarded(unit_of(mix, f), by_i_at_2);
    assert_true(holds(&kernel, (int64_t[]){0, 2000000000, 0}, (int64_t[]){10, 0, 0}, 10, 1));
}

/* --- random functions ------------------------------------------------------------------------------------- */

static uint64_t random_state;
static uint32_t rnd(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 16) % below);
}

enum { LOCALS = 4 };
typedef struct maker {
    ilc__func *f;
    ilc__var  *x, *y, *n, *m, *i, *locals[LOCALS], *small;
    ilc__stmt *loops[4];
    int        depth;
    bool       counting[LOCALS]; /* a For counts with it: not assigned inside */
    ilc__func *callees[2];
    uint32_t   callee_count;
} maker;

static ilc__expr *random_condition(maker *g, int depth);

static ilc__expr *random_int(maker *g, int depth)
{
    static const int32_t extremes[] = {INT_MAX, INT_MIN, -1, 0, 1, 46341, 65536, -128, 255};
    if (depth <= 0 || rnd(4) == 0) {
        switch (rnd(8)) {
        case 0: return I(extremes[rnd(9)]);
        case 1: case 2: return I((int32_t)rnd(7) - 2);
        case 3: return V(g->n);
        case 4: return V(g->m);
        case 5: return V(g->i);
        case 6: return len_of(rnd(2) ? g->x : g->y);
        default: return V(rnd(5) ? g->locals[rnd(LOCALS)] : g->small);
        }
    }
    ilc__expr *a = random_int(g, depth - 1);
    static const ilc__op ops[] = {
        ILC__OP_ADD_I32, ILC__OP_SUB_I32, ILC__OP_MUL_I32, ILC__OP_ADD_OVF_I32, ILC__OP_SUB_OVF_I32, ILC__OP_MUL_OVF_I32,
        ILC__OP_ADD_OVF_I32, ILC__OP_MUL_OVF_I32, ILC__OP_DIV_I32, ILC__OP_REM_I32, ILC__OP_DIV_UN_I32, ILC__OP_REM_UN_I32,
        ILC__OP_AND_I32, ILC__OP_XOR_I32, ILC__OP_MIN_I32, ILC__OP_MAX_I32, ILC__OP_ADD_OVF_UN_I32, ILC__OP_SUB_OVF_UN_I32,
        ILC__OP_MUL_OVF_UN_I32, ILC__OP_SHL_I32, ILC__OP_SHR_I32, ILC__OP_SHR_UN_I32};
    static const ilc__op ones[] = {ILC__OP_NEG_I32, ILC__OP_NOT_I32, ILC__OP_ABS_I32, ILC__OP_SIGN_I32, ILC__OP_U8_I32,
                                   ILC__OP_I8_I32, ILC__OP_I16_I32, ILC__OP_OVF_U8_I32, ILC__OP_OVF_I8_I32,
                                   ILC__OP_OVF_I16_I32, ILC__OP_OVF_U32_I32, ILC__OP_OVF_U8_U32, ILC__OP_OVF_I32_U32};
    switch (rnd(10)) {
    case 0: return op1(ones[rnd(sizeof ones / sizeof *ones)], a);
    case 1: return select_of(random_condition(g, depth - 1), a, random_int(g, depth - 1));
    case 2: return LOAD(rnd(2) ? g->x : g->y, a);
    case 4:
        if (!g->callee_count) return a;
        return CALL(g->callees[rnd(g->callee_count)], V(g->x), V(g->y), a, rnd(2) ? V(g->n) : random_int(g, depth - 1), V(g->m));
    case 3: return UN(I32_I64, op2(rnd(2) ? ILC__OP_MUL_OVF_I64 : ILC__OP_ADD_I64, UN(I64_I32, a), rnd(2) ? UN(I64_I32, random_int(g, depth - 1)) : UN(I64_U32, random_int(g, depth - 1))));
    default: return op2(ops[rnd(sizeof ops / sizeof *ops)], a, random_int(g, depth - 1));
    }
}

static ilc__expr *random_condition(maker *g, int depth)
{
    static const ilc__op compares[] = {ILC__OP_LT_I32, ILC__OP_LE_I32, ILC__OP_GT_I32, ILC__OP_GE_I32, ILC__OP_EQ_I32,
                                       ILC__OP_NE_I32, ILC__OP_LT_UN_I32, ILC__OP_GE_UN_I32, ILC__OP_GT_UN_I32, ILC__OP_LE_UN_I32};
    if (depth > 0 && rnd(3) == 0) {
        switch (rnd(3)) {
        case 0: return and_of(random_condition(g, depth - 1), random_condition(g, depth - 1));
        case 1: return or_of(random_condition(g, depth - 1), random_condition(g, depth - 1));
        default: return not_of(random_condition(g, depth - 1));
        }
    }
    ilc__expr *a = rnd(2) ? random_int(g, 1) : V(rnd(2) ? g->i : g->locals[rnd(LOCALS)]);
    return op2(compares[rnd(10)], a, random_int(g, 1));
}

static ilc__block random_block(maker *g, int depth);

static ilc__var *free_local(maker *g)
{
    for (int tries = 0; tries < 8; tries++) {
        uint32_t k = rnd(LOCALS);
        if (!g->counting[k] || rnd(40) == 0) return g->locals[k];
    }
    return g->small;
}

static ilc__stmt *random_for(maker *g, int depth)
{
    static const ilc__op up[] = {ILC__OP_LE_I32, ILC__OP_LT_I32}, down[] = {ILC__OP_GE_I32, ILC__OP_GT_I32};
    bool                 rises = rnd(3) != 0;
    ilc__var            *v = rnd(8) ? free_local(g) : g->small;
    ilc__op              step = rises ? (rnd(2) ? ILC__OP_ADD_OVF_I32 : ILC__OP_ADD_I32) : (rnd(2) ? ILC__OP_SUB_OVF_I32 : ILC__OP_SUB_I32);
    ilc__expr           *from = random_int(g, 1), *to = random_int(g, rnd(3) != 0), *by = rnd(6) ? I((int32_t)rnd(3) + 1) : random_int(g, 0);
    ilc__stmt           *loop = for_new(v, from, rises ? up[rnd(2)] : down[rnd(2)], to, step, by);
    int                  which = -1;
    for (int k = 0; k < LOCALS; k++)
        if (g->locals[k] == v) which = k;
    bool was = which >= 0 && g->counting[which];
    if (which >= 0) g->counting[which] = true;
    g->loops[g->depth++] = loop;
    loop->body = random_block(g, depth - 1);
    g->depth--;
    if (which >= 0) g->counting[which] = was;
    return loop;
}

/* Another loop over a local: tested first, last or in the middle, with an update or two in it. */
static ilc__stmt *random_counted(maker *g, int depth, ilc__block *before)
{
    static const ilc__op        compares[] = {ILC__OP_LT_I32, ILC__OP_LE_I32, ILC__OP_NE_I32, ILC__OP_GT_I32, ILC__OP_GE_I32};
    static const ilc__op        steps[] = {ILC__OP_ADD_OVF_I32, ILC__OP_ADD_I32, ILC__OP_SUB_OVF_I32, ILC__OP_SUB_I32};
    static const ilc__stmt_kind kinds[] = {ILC__ST_WHILE, ILC__ST_DO, ILC__ST_LOOP};
    ilc__var  *v = free_local(g);
    ilc__expr *by = rnd(3) ? I(1) : rnd(2) ? I((int32_t)rnd(4) + 1) : V(rnd(2) ? g->n : g->m);
    ilc__stmt *loop = loop_new(kinds[rnd(3)], op2(compares[rnd(5)], V(v), random_int(g, rnd(3) == 0)));
    ilc__stmt *update = assign(v, op2(steps[rnd(4)], V(v), by));
    int        which = -1;
    for (int k = 0; k < LOCALS; k++)
        if (g->locals[k] == v) which = k;
    bool was = which >= 0 && g->counting[which];
    if (which >= 0) g->counting[which] = true;
    append(before, assign(v, random_int(g, 1)));
    g->loops[g->depth++] = loop;
    loop->body = random_block(g, depth - 1);
    if (loop->kind == ILC__ST_LOOP) append(&loop->body, IF(not_of(loop->a), jump(ILC__ST_BREAK, loop)));
    append(&loop->body, rnd(6) ? update : IF(random_condition(g, 1), update));
    g->depth--;
    if (which >= 0) g->counting[which] = was;
    return loop;
}

static ilc__stmt *random_stmt(maker *g, int depth)
{
    uint32_t kind = rnd(12);
    if (depth <= 0 || kind < 3) return assign(free_local(g), random_int(g, 2));
    if (kind < 5) return store(rnd(2) ? g->x : g->y, random_int(g, 1), random_int(g, 2));
    if (kind < 8 && g->depth < 3) return random_for(g, depth);
    if (kind < 10) return if_else(random_condition(g, 1), random_block(g, depth - 1), rnd(2) ? random_block(g, depth - 1) : (ilc__block){0});
    if (g->depth && rnd(3) == 0) return jump(rnd(2) ? ILC__ST_BREAK : ILC__ST_CONTINUE, g->loops[rnd((uint32_t)g->depth)]);
    if (kind == 10 && g->depth < 3) {
        static const ilc__stmt_kind kinds[] = {ILC__ST_WHILE, ILC__ST_DO, ILC__ST_LOOP};
        ilc__stmt *loop = loop_new(kinds[rnd(3)], random_condition(g, 1));
        g->loops[g->depth++] = loop;
        loop->body = random_block(g, depth - 1);
        g->depth--;
        return loop;
    }
    return rnd(4) ? assign(free_local(g), random_int(g, 2)) : ret(random_int(g, 1));
}

static ilc__block random_block(maker *g, int depth)
{
    ilc__block block = {0};
    for (uint32_t k = rnd(3) + 1; k; k--)
        append(&block, depth > 0 && g->depth < 3 && rnd(6) == 0 ? random_counted(g, depth, &block) : random_stmt(g, depth));
    return block;
}

static ilc__func *random_func(maker *g, const char *name, int depth)
{
    g->f = func_new(name, ILC_I32);
    g->x = ARRAY(g->f, "x", ILC_I32);
    g->y = ARRAY(g->f, "y", ILC_U8);
    g->i = PARAM(g->f, "i", ILC_I32);
    g->n = PARAM(g->f, "n", ILC_I32);
    g->m = PARAM(g->f, "m", ILC_I32);
    static const char *const names[LOCALS] = {"a", "b", "c", "d"};
    for (int k = 0; k < LOCALS; k++) {
        g->locals[k] = LOCAL(g->f, names[k], ILC_I32);
        g->locals[k]->needs_zero = true;
    }
    g->small = LOCAL(g->f, "small", ILC_U8);
    g->small->needs_zero = true;
    g->f->body = random_block(g, depth);
    append(&g->f->body, ret(rnd(3) ? random_int(g, 2) : V(g->locals[0])));
    return g->f;
}

static ilc__unit *random_unit(maker *g)
{
    static const char *const names[] = {"First", "Second"};
    *g = (maker){0};
    for (uint32_t k = rnd(3); k; k--) {
        ilc__func *callee = random_func(g, names[g->callee_count], 1);
        g->callees[g->callee_count++] = callee;
    }
    ilc__func *root = random_func(g, "Random", 3);
    if (g->callee_count == 0) return unit_of(root, NULL);
    return g->callee_count == 1 ? unit_of(g->callees[0], root) : unit_of_three(g->callees[0], g->callees[1], root);
}

/* --- brute force ------------------------------------------------------------------------------------------ */

typedef struct machine {
    int64_t          vars[16];
    int64_t          lengths[2];
    int32_t          x[64];
    uint8_t          y[64];
    long             fuel;
    bool             trapped, violated;
    bool             checked; /* in a function with every check */
    int64_t          result;
    const ilc__stmt *target; /* of the jump under way */
    ilc__stmt_kind   jump;
} machine;

static int64_t element(machine *m, const ilc__expr *array, int64_t at)
{
    return array->u.var->index == 0 ? m->x[at] : m->y[at];
}

static bool outside(machine *m, const ilc__expr *array, int64_t at, bool covered)
{
    bool out = at < 0 || at >= m->lengths[array->u.var->index];
    if (out && covered && !m->checked) m->violated = true;
    if (out) m->trapped = true;
    return out;
}

/* Did + - * or negation leave the type? */
static bool wrapped(const ilc__expr *e, int64_t a, int64_t b, int64_t got)
{
    __int128 exact = got;
    switch (e->op) {
    case ILC__OP_ADD_I32: case ILC__OP_ADD_I64: exact = (__int128)a + b; break;
    case ILC__OP_SUB_I32: case ILC__OP_SUB_I64: exact = (__int128)a - b; break;
    case ILC__OP_MUL_I32: case ILC__OP_MUL_I64: exact = (__int128)a * b; break;
    case ILC__OP_NEG_I32: case ILC__OP_NEG_I64: exact = -(__int128)a; break;
    default: break;
    }
    return exact != got;
}

static int64_t run_expr(machine *m, const ilc__expr *e);
static void    run_block(machine *m, const ilc__block *block);

static int64_t run_call(machine *m, const ilc__expr *e)
{
    int64_t caller[16], args[16] = {0};
    bool    was_checked = m->checked;
    for (uint32_t i = 2; i < e->arg_count; i++) args[i] = run_expr(m, e->args[i]);
    if (m->trapped) return 0;
    memcpy(caller, m->vars, sizeof caller);
    memcpy(m->vars, args, sizeof args);
    m->checked = was_checked || !e->covered;
    run_block(m, &e->u.callee->body);
    m->checked = was_checked;
    m->jump = 0;
    memcpy(m->vars, caller, sizeof caller);
    return m->trapped ? 0 : m->result;
}

static int64_t run_expr(machine *m, const ilc__expr *e)
{
    if (m->trapped || m->violated || m->fuel-- <= 0) {
        m->trapped = true;
        return 0;
    }
    int64_t a, b = 0;
    switch (e->kind) {
    case ILC__EX_CONST: return (int64_t)e->u.bits;
    case ILC__EX_VAR: return m->vars[e->u.var->index];
    case ILC__EX_CALL: return run_call(m, e);
    case ILC__EX_LEN: return m->lengths[e->args[0]->u.var->index];
    case ILC__EX_LOAD:
        a = run_expr(m, e->args[1]);
        return m->trapped || outside(m, e->args[0], a, e->covered) ? 0 : element(m, e->args[0], a);
    case ILC__EX_AND: return run_expr(m, e->args[0]) && run_expr(m, e->args[1]);
    case ILC__EX_OR: return run_expr(m, e->args[0]) || run_expr(m, e->args[1]);
    case ILC__EX_NOT: return !run_expr(m, e->args[0]);
    case ILC__EX_SELECT: return run_expr(m, e->args[0]) ? run_expr(m, e->args[1]) : run_expr(m, e->args[2]);
    default: break;
    }
    a = run_expr(m, e->args[0]);
    if (e->arg_count > 1) b = run_expr(m, e->args[1]);
    if (m->trapped) return 0;
    uint64_t          result = 0;
    ilc__exception_id exception;
    if (!ilc__op_eval(e->op, (uint64_t)a, (uint64_t)b, &result, &exception)) {
        m->trapped = true;
        if (e->covered && !m->checked) m->violated = true;
        return 0;
    }
    if (e->covered && !m->checked && wrapped(e, a, b, (int64_t)result)) m->violated = true;
    return (int64_t)result;
}

static void set_var(machine *m, const ilc__var *v, int64_t value)
{
    m->vars[v->index] = v->storage == ILC_U8 ? (uint8_t)value : value;
}

/* After a turn: false when the loop is left. */
static bool next_turn(machine *m, const ilc__stmt *loop)
{
    if (m->trapped || m->violated) return false;
    if (!m->jump) return true;
    if (m->jump == ILC__ST_RETURN || m->target != loop) return false;
    bool goes_on = m->jump == ILC__ST_CONTINUE;
    m->jump = 0;
    return goes_on;
}

static void run_for(machine *m, const ilc__stmt *s)
{
    set_var(m, s->var, run_expr(m, s->a));
    for (;;) {
        ilc__expr var = {.kind = ILC__EX_VAR, .type = ILC__IR_I32, .u.var = s->var}, *compare[2] = {&var, s->b}, *step[2] = {&var, s->c};
        ilc__expr test = {.kind = ILC__EX_OP, .op = s->compare, .arg_count = 2, .args = compare};
        ilc__expr next = {.kind = ILC__EX_OP, .op = s->step, .arg_count = 2, .args = step, .covered = s->covered};
        if (!run_expr(m, &test) || m->trapped) return;
        run_block(m, &s->body);
        if (!next_turn(m, s)) return;
        int64_t value = run_expr(m, &next);
        if (m->trapped) return;
        set_var(m, s->var, value);
    }
}

static void run_loop(machine *m, const ilc__stmt *s)
{
    for (;;) {
        if (s->kind == ILC__ST_WHILE && !run_expr(m, s->a)) return;
        if (m->trapped) return;
        run_block(m, &s->body);
        if (!next_turn(m, s)) return;
        if (s->kind == ILC__ST_DO && !run_expr(m, s->a)) return;
        if (--m->fuel <= 0) m->trapped = true;
    }
}

static void run_stmt(machine *m, const ilc__stmt *s)
{
    int64_t at, value;
    switch (s->kind) {
    case ILC__ST_ASSIGN:
        value = run_expr(m, s->a);
        if (!m->trapped) set_var(m, s->var, value);
        break;
    case ILC__ST_STORE:
        at = run_expr(m, s->b);
        value = run_expr(m, s->c);
        if (m->trapped || outside(m, s->a, at, s->covered)) break;
        if (s->a->u.var->index == 0)
            m->x[at] = (int32_t)value;
        else
            m->y[at] = (uint8_t)value;
        break;
    case ILC__ST_IF:
        value = run_expr(m, s->a);
        if (!m->trapped) run_block(m, value ? &s->body : &s->other);
        break;
    case ILC__ST_FOR: run_for(m, s); break;
    case ILC__ST_WHILE: case ILC__ST_DO: case ILC__ST_LOOP: run_loop(m, s); break;
    case ILC__ST_RETURN:
        m->result = run_expr(m, s->a);
        m->jump = ILC__ST_RETURN;
        break;
    default:
        m->jump = s->kind;
        m->target = s->target;
        break;
    }
}

static void run_block(machine *m, const ilc__block *block)
{
    for (const ilc__stmt *s = block->first; s && !m->jump && !m->trapped && !m->violated; s = s->next) run_stmt(m, s);
}

static void test_where_the_guard_holds_no_covered_check_fails(void **state)
{
    (void)state;
    enum { FUNCTIONS = 1500, LAUNCHES = 6 };
    static const int32_t scalars[] = {0, 1, 2, 3, 5, 8, 13, -1, -3, 100, 46341, INT_MAX, INT_MIN};
    long yes = 0, no = 0, guarded = 0;
    random_state = 0x9e3779b97f4a7c15u;
    for (int round = 0; round < FUNCTIONS; round++) {
        trees_reset();
        maker       g;
        ilc__unit  *unit = random_unit(&g);
        ilc__kernel kernel = {.spec = by_i_at_2, .unit = unit};
        uint64_t    seed = random_state;
        kernel = emit_guarded(unit, by_i_at_2);
        if (!kernel.has_guard) continue;
        guarded++;
        for (int l = 0; l < LAUNCHES; l++) {
            int64_t values[5] = {0, 0, 0, scalars[rnd(rnd(3) ? 7 : 13)], scalars[rnd(rnd(3) ? 7 : 13)]};
            int64_t lengths[5] = {rnd(40), rnd(3) ? 40 + rnd(20) : rnd(20)}, n = 1 + rnd(6);
            bool    said = holds(&kernel, values, lengths, n, 1);
            said ? yes++ : no++;
            for (int64_t i = 0; said && i < n; i++) {
                machine m = {.lengths = {lengths[0], lengths[1]}, .vars = {0, 0, i, values[3], values[4]}, .fuel = 20000};
                for (int k = 0; k < 64; k++) m.x[k] = (int32_t)(k * 7 - 100), m.y[k] = (uint8_t)(k * 5);
                run_block(&m, &g.f->body);
                if (m.violated) print_error("round %d, seed %llx, n=%lld m=%lld i=%lld lengths %lld %lld\n", round, (unsigned long long)seed, (long long)values[3], (long long)values[4], (long long)i, (long long)lengths[0], (long long)lengths[1]);
                if (m.violated) fputs(kernel.source, stderr);
                assert_false(m.violated);
            }
        }
    }
    print_message("%ld functions with a guard, %ld launches proved, %ld not\n", guarded, yes, no);
    assert_true(yes > 1000 && no > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) {#name, name, setup, NULL, NULL}
        T(test_row_sums_need_rows_times_columns_elements),
        T(test_stencils_are_proved_from_their_conditions),
        T(test_bounds_that_come_from_data_stay_checked),
        T(test_a_hash_may_wrap_and_the_guard_still_holds),
        T(test_both_ways_of_a_condition_count),
        T(test_a_counter_that_its_body_changes_is_not_followed),
        T(test_a_narrow_counter_is_followed_only_while_it_fits),
        T(test_checks_on_data_are_covered_only_where_a_proof_is_possible),
        T(test_the_same_tree_for_another_launch_shape_does_not_weaken_the_first),
        T(test_checks_in_functions_called_are_covered_by_their_arguments),
        T(test_a_check_is_left_out_of_a_function_only_when_every_call_covers_it),
        T(test_a_hash_in_a_function_called_may_wrap_and_the_guard_still_holds),
        T(test_where_the_guard_holds_no_covered_check_fails),
    };
    return cmocka_run_group_tests_name("launch guard", tests, NULL, NULL);
}
