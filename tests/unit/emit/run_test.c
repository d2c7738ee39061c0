/* Emitted C, compiled by the compilers there are and run: values, traps, control flow. */
#include <limits.h>
#include <math.h>

#include "build.h"

static const char OVERFLOW_EXC[] = "System.OverflowException";
static const char INDEX_EXC[] = "System.IndexOutOfRangeException";
static const char NULL_EXC[] = "System.NullReferenceException";
static const char DIVIDE_EXC[] = "System.DivideByZeroException";

static int setup(void **state)
{
    (void)state;
    trees_reset();
    return 0;
}

/* One function of Int32 parameters, called once. */
static int32_t call_i32(void *library, const ilc__kernel *kernel, const int64_t *args, uint32_t count, uint64_t *slot)
{
    int32_t out = 0x5a5a5a5a;
    launch  l = {.out = &out, .extents = {1, 1, 1}};
    memcpy(l.scalar, args, count * sizeof *args);
    run_entry(library, &kernel->guarded, &l);
    if (slot) *slot = l.slot;
    return out;
}
#define ARGS(...) ((int64_t[]){__VA_ARGS__}), sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)

static void test_guarded_and_checked_bodies_sum_a_row_alike(void **state)
{
    (void)state;
    for (int checked = 0; checked < 2; checked++) {
        ilc__kernel kernel = emit(row_sum(checked), spec_1d(2), ILC__DIALECT_C);
        assert_true(kernel.has_guard);
        assert_true(kernel.covers_all);
        assert_string_equal(kernel.guarded.name, "il_RowSum_kernel");
        assert_string_equal(kernel.checked.name, "il_RowSum_checked_kernel");
        float x[12], out[4];
        for (int i = 0; i < 12; i++) x[i] = (float)i * 0.5f;
        FOR_EACH_COMPILER(library, kernel.source) {
            for (int body = 0; body < 2; body++) {
                memset(out, 0x7f, sizeof out);
                launch l = {.array = {x}, .length = {12}, .scalar = {0, 3}, .out = out, .extents = {4}};
                run_entry(library, body ? &kernel.checked : &kernel.guarded, &l);
                for (int i = 0; i < 4; i++) assert_true(out[i] == x[3 * i] + x[3 * i + 1] + x[3 * i + 2]);
                assert_true(l.slot == UINT64_MAX);
            }
        }
    }
}

static void test_the_lowest_failing_element_is_reported_and_holds_zero(void **state)
{
    (void)state;
    ilc__kernel kernel = emit(row_sum(true), spec_1d(2), ILC__DIALECT_C);
    float       x[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, out[5];
    FOR_EACH_COMPILER(library, kernel.source) {
        for (int i = 0; i < 5; i++) out[i] = 7.0f;
        launch l = {.array = {x}, .length = {10}, .scalar = {0, 3}, .out = out, .extents = {5}};
        run_entry(library, &kernel.checked, &l);
        assert_int_equal(l.slot >> 16, 3);
        assert_string_equal(site_of(&kernel, l.slot)->exception, INDEX_EXC);
        for (int i = 0; i < 5; i++) assert_true(out[i] == (i < 3 ? 3.0f : 0.0f));
        l.length[0] = -1;
        l.array[0] = NULL;
        run_entry(library, &kernel.checked, &l);
        assert_int_equal(l.slot >> 16, 0);
        assert_string_equal(site_of(&kernel, l.slot)->exception, NULL_EXC);
        l.scalar[1] = INT_MIN;
        run_entry(library, &kernel.checked, &l);
        assert_string_equal(site_of(&kernel, l.slot)->exception, OVERFLOW_EXC);
    }
}

static void test_division_traps_with_the_right_exception_and_the_others_are_right(void **state)
{
    (void)state;
    ilc__func *f = func_new("Quotient", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *d = ARRAY(f, "d", ILC_I32), *i = PARAM(f, "i", ILC_I32);
    f->body = BLOCK(ret(OP(DIV_I32, LOAD(x, V(i)), LOAD(d, V(i)))));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_1d(2), ILC__DIALECT_C);
    assert_true(kernel.has_guard);
    assert_false(kernel.covers_all);
    int32_t xs[4] = {7, INT_MIN, 9, -9}, ds[4] = {2, -1, 0, 4}, out[4];
    FOR_EACH_COMPILER(library, kernel.source) {
        launch l = {.array = {xs, ds}, .length = {4, 4}, .out = out, .extents = {4}};
        run_entry(library, &kernel.guarded, &l);
        assert_int_equal(l.slot >> 16, 1);
        assert_string_equal(site_of(&kernel, l.slot)->exception, OVERFLOW_EXC);
        assert_int_equal(out[0], 3);
        assert_int_equal(out[1], 0);
        assert_int_equal(out[2], 0);
        assert_int_equal(out[3], -2);
        ds[1] = 1;
        run_entry(library, &kernel.guarded, &l);
        assert_string_equal(site_of(&kernel, l.slot)->exception, DIVIDE_EXC);
        assert_int_equal(l.slot >> 16, 2);
        ds[1] = -1;
    }
}

static void test_a_throw_in_a_callee_fails_its_element_only(void **state)
{
    (void)state;
    ilc__func *g = func_new("Root", ILC_F64);
    ilc__var  *v = PARAM(g, "v", ILC_F64);
    ilc__stmt *thrown = throw_new("System.ArgumentException", "negative \"v\"");
    thrown->line = 41;
    g->body = BLOCK(IF(OP(LT_F64, V(v), D(0)), thrown), ret(UN(SQRT_F64, V(v))));
    ilc__func *f = func_new("Sum", ILC_F64);
    ilc__var  *x = ARRAY(f, "x", ILC_F64), *i = PARAM(f, "i", ILC_I32);
    f->body = BLOCK(ret(OP(ADD_F64, CALL(g, LOAD(x, V(i))), CALL(g, OP(ADD_F64, LOAD(x, V(i)), D(1))))));
    ilc__kernel kernel = emit(unit_of(g, f), spec_1d(1), ILC__DIALECT_C);
    double      xs[5] = {0, 3, -2, 8, -9}, out[5];
    FOR_EACH_COMPILER(library, kernel.source) {
        launch l = {.array = {xs}, .length = {5}, .out = out, .extents = {5}};
        run_entry(library, &kernel.guarded, &l);
        const ilc__site *site = site_of(&kernel, l.slot);
        assert_int_equal(l.slot >> 16, 2);
        assert_string_equal(site->exception, "System.ArgumentException");
        assert_string_equal(site->message, "negative \"v\"");
        assert_int_equal(site->line, 41);
        for (int e = 0; e < 5; e++) assert_true(out[e] == (xs[e] < 0 ? 0 : sqrt(xs[e]) + sqrt(xs[e] + 1)));
    }
}

/* Wrapping integers through -O3, masked shifts, small widths. */
static void test_integers_wrap_at_every_optimisation_level(void **state)
{
    (void)state;
    ilc__func *f = func_new("Wrap", ILC_I32);
    ilc__var  *which = PARAM(f, "which", ILC_I32), *a = PARAM(f, "a", ILC_I32);
    f->body = BLOCK(IF(OP(EQ_I32, V(which), I(0)), ret(OP(SHR_I32, OP(MUL_I32, V(a), V(a)), I(20)))),
                    IF(OP(EQ_I32, V(which), I(1)), ret(OP(SHL_I32, V(a), I(33)))),
                    IF(OP(EQ_I32, V(which), I(2)), ret(UN(NEG_I32, V(a)))),
                    IF(OP(EQ_I32, V(which), I(3)), ret(OP(GT_I32, OP(ADD_I32, V(a), I(1)), V(a)))),
                    ret(UN(U8_I32, OP(ADD_I32, V(a), I(100)))));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    FOR_EACH_COMPILER(library, kernel.source) {
        assert_int_equal(call_i32(library, &kernel, ARGS(0, 46341), NULL), -2048);
        assert_int_equal(call_i32(library, &kernel, ARGS(1, 1), NULL), 2);
        assert_int_equal(call_i32(library, &kernel, ARGS(2, INT_MIN), NULL), INT_MIN);
        assert_int_equal(call_i32(library, &kernel, ARGS(3, INT_MAX), NULL), 0);
        assert_int_equal(call_i32(library, &kernel, ARGS(4, 200), NULL), 44);
    }
}

static void test_small_elements_are_cut_at_stores_and_widened_at_loads(void **state)
{
    (void)state;
    static const struct {
        ilc_storage storage;
        int64_t     stored, read;
    } rows[] = {{ILC_I8, 200, -56}, {ILC_U8, 300, 44}, {ILC_I16, 40000, -25536}, {ILC_U16, -1, 65535},
                {ILC_BOOL, 257, 1}, {ILC_CHAR, 65536 + 7, 7}, {ILC_U32, -1, -1}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        trees_reset();
        ilc__func *f = func_new("Cut", ILC_I32);
        ilc__var  *x = ARRAY(f, "x", rows[r].storage), *v = PARAM(f, "v", ILC_I32);
        f->body = BLOCK(store(x, I(1), V(v)), ret(LOAD(x, I(1))));
        ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
        for (int c = 0; c < COMPILER_COUNT; c++) {
            void *library = compile_c(&compilers[c], kernel.source);
            if (!library) continue;
            uint8_t  bytes[12], size = (uint8_t)ilc_storage_size(rows[r].storage);
            int32_t  out;
            memset(bytes, 0x11, sizeof bytes);
            launch l = {.array = {bytes}, .length = {3}, .scalar = {0, rows[r].stored}, .out = &out, .extents = {1}};
            run_entry(library, &kernel.guarded, &l);
            assert_int_equal(out, rows[r].read);
            for (uint32_t b = 0; b < 3u * size; b++)
                if (b / size != 1) assert_int_equal(bytes[b], 0x11);
            dlclose(library);
        }
    }
}

/* for y < h : for x < w : If x = y Continue x; If x + y > 4 Exit to the outer's next; n += x * 10 + y */
static ilc__unit *nested_jumps(bool outer_continue)
{
    ilc__func *f = func_new("Nested", ILC_I32);
    ilc__var  *w = PARAM(f, "w", ILC_I32), *h = PARAM(f, "h", ILC_I32);
    ilc__var  *n = LOCAL(f, "n", ILC_I32), *x = LOCAL(f, "x", ILC_I32), *y = LOCAL(f, "y", ILC_I32);
    ilc__stmt *outer = for_new(y, I(0), ILC__OP_LT_I32, V(h), ILC__OP_ADD_OVF_I32, I(1));
    ilc__stmt *inner = for_new(x, I(0), ILC__OP_LT_I32, V(w), ILC__OP_ADD_OVF_I32, I(1));
    ilc__stmt *leave = outer_continue ? CONTINUE(outer) : BREAK(outer);
    inner->body = BLOCK(IF(OP(EQ_I32, V(x), V(y)), CONTINUE(inner)), IF(OP(GT_I32, OP(ADD_OVF_I32, V(x), V(y)), I(4)), leave),
                        assign(n, OP(ADD_OVF_I32, V(n), OP(ADD_OVF_I32, OP(MUL_OVF_I32, V(x), I(10)), V(y)))));
    outer->body = BLOCK(inner);
    f->body = BLOCK(assign(n, I(0)), outer, ret(V(n)));
    return unit_of(f, NULL);
}

static int32_t nested_expected(int w, int h, bool outer_continue)
{
    int n = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            if (x == y) continue;
            if (x + y > 4) {
                if (!outer_continue) return n;
                break;
            }
            n += x * 10 + y;
        }
    return n;
}

static void test_jumps_leave_and_continue_outer_loops(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        ilc__kernel kernel = emit(nested_jumps(which), spec_call(), ILC__DIALECT_C);
        FOR_EACH_COMPILER(library, kernel.source) {
            launch  l = {.scalar = {5, 4}, .extents = {1}};
            int32_t out;
            l.out = &out;
            for (int body = 0; body < 2; body++) {
                run_entry(library, body ? &kernel.checked : &kernel.guarded, &l);
                assert_int_equal(out, nested_expected(5, 4, which));
            }
        }
    }
}

/* Do : k += 1 : If k = 3 Continue : s += k : Loop While t(k) <> 0, where t(k) may trap. */
static void test_conditions_that_trap_keep_their_place_in_the_loop(void **state)
{
    (void)state;
    ilc__func *f = func_new("Loops", ILC_I32);
    ilc__var  *t = ARRAY(f, "t", ILC_I32), *form = PARAM(f, "form", ILC_I32);
    ilc__var  *k = LOCAL(f, "k", ILC_I32), *s = LOCAL(f, "s", ILC_I32);
    ilc__stmt *body = loop_new(ILC__ST_DO, OP(NE_I32, LOAD(t, V(k)), I(0)));
    body->body = BLOCK(assign(k, OP(ADD_I32, V(k), I(1))), IF(OP(EQ_I32, V(k), I(3)), CONTINUE(body)),
                       assign(s, OP(ADD_I32, V(s), V(k))));
    ilc__stmt *turn = loop_new(ILC__ST_WHILE, OP(NE_I32, LOAD(t, V(k)), I(0)));
    turn->body = BLOCK(assign(k, OP(ADD_I32, V(k), I(1))), IF(OP(EQ_I32, V(k), I(3)), CONTINUE(turn)),
                       assign(s, OP(ADD_I32, V(s), V(k))));
    f->body = BLOCK(assign(k, I(0)), assign(s, I(0)), if_else(V(form), BLOCK(body), BLOCK(turn)), ret(V(s)));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    int32_t     ends[6] = {1, 1, 1, 1, 1, 0}, runs[4] = {1, 1, 1, 1}, out;
    FOR_EACH_COMPILER(library, kernel.source) {
        for (int do_form = 0; do_form < 2; do_form++) {
            launch l = {.array = {ends}, .length = {6}, .scalar = {0, do_form}, .out = &out, .extents = {1}};
            run_entry(library, &kernel.guarded, &l);
            assert_int_equal(out, 1 + 2 + 4 + 5);
            assert_true(l.slot == UINT64_MAX);
            l.array[0] = runs;
            l.length[0] = 4;
            run_entry(library, &kernel.guarded, &l);
            assert_string_equal(site_of(&kernel, l.slot)->exception, INDEX_EXC);
            assert_int_equal(out, 0);
        }
    }
}

/* If (i >= 0 AndAlso i < t.Length AndAlso t(i) <> 0) OrElse (i = -7 AndAlso t(0) = 1) */
static void test_the_arm_not_taken_is_not_evaluated(void **state)
{
    (void)state;
    ilc__func *f = func_new("Short", ILC_I32);
    ilc__var  *t = ARRAY(f, "t", ILC_I32), *at = PARAM(f, "at", ILC_I32);
    ilc__expr *in = and_of(and_of(OP(GE_I32, V(at), I(0)), OP(LT_I32, V(at), len_of(t))), OP(NE_I32, LOAD(t, V(at)), I(0)));
    ilc__expr *or_in = and_of(OP(EQ_I32, V(at), I(-7)), OP(EQ_I32, LOAD(t, I(0)), I(1)));
    ilc__expr *pick = select_of(OP(LT_I32, V(at), I(3)), I(1), LOAD(t, V(at)));
    f->body = BLOCK(IF(or_of(in, or_in), ret(I(1))), IF(OP(EQ_I32, V(at), I(9)), ret(pick)), ret(I(0)));
    ilc__kernel          kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    static const int32_t cases[][2] = {{-1, 0}, {-7, 1}, {1, 0}, {2, 1}, {3, 0}, {0, 1}};
    int32_t              data[3] = {1, 0, 2}, out;
    FOR_EACH_COMPILER(library, kernel.source) {
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            launch l = {.array = {data}, .length = {3}, .scalar = {0, cases[c][0]}, .out = &out, .extents = {1}};
            run_entry(library, kernel.has_guard ? &kernel.checked : &kernel.guarded, &l);
            assert_int_equal(out, cases[c][1]);
            assert_true(l.slot == UINT64_MAX);
        }
        launch l = {.array = {data}, .length = {3}, .scalar = {0, 9}, .out = &out, .extents = {1}};
        run_entry(library, kernel.has_guard ? &kernel.checked : &kernel.guarded, &l);
        assert_string_equal(site_of(&kernel, l.slot)->exception, INDEX_EXC);
    }
}

static void test_a_switch_breaks_out_of_the_loop_around_it(void **state)
{
    (void)state;
    ilc__func *f = func_new("Choose", ILC_I32);
    ilc__var  *n = PARAM(f, "n", ILC_I32), *k = LOCAL(f, "k", ILC_I32), *s = LOCAL(f, "s", ILC_I32);
    ilc__stmt *loop = for_new(k, I(0), ILC__OP_LT_I32, V(n), ILC__OP_ADD_I32, I(1)), *choose = stmt_new(ILC__ST_SWITCH);
    static const ilc__interval one[] = {{1, 1}, {4, 4}}, two[] = {{INT_MIN, INT_MIN}, {2, 2}}, six[] = {{6, 6}};
    ilc__case cases[] = {{2, one, BLOCK(assign(s, OP(ADD_I32, V(s), I(10))))}, {2, two, BLOCK(CONTINUE(loop))}, {1, six, BLOCK(BREAK(loop))}};
    choose->a = V(k);
    choose->case_count = 3;
    choose->cases = ilc__arena_copy(ARENA, cases, sizeof cases);
    choose->other = BLOCK(assign(s, OP(ADD_I32, V(s), I(100))));
    loop->body = BLOCK(choose, assign(s, OP(ADD_I32, V(s), I(1))));
    f->body = BLOCK(assign(s, I(0)), loop, ret(V(s)));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    FOR_EACH_COMPILER(library, kernel.source)
        assert_int_equal(call_i32(library, &kernel, ARGS(9), NULL), 101 + 11 + 101 + 11 + 101);
}

/* A callee stores between two reads of the same place, in one expression. */
static void test_reads_before_a_storing_call_see_the_old_value(void **state)
{
    (void)state;
    ilc__func *g = func_new("Put", ILC_I32);
    ilc__var  *gx = ARRAY(g, "x", ILC_I32), *gv = PARAM(g, "v", ILC_I32);
    g->body = BLOCK(store(gx, I(0), V(gv)), ret(V(gv)));
    ilc__func *f = func_new("Order", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32);
    f->body = BLOCK(ret(OP(ADD_I32, OP(MUL_I32, LOAD(x, I(0)), I(1000)),
                           OP(ADD_I32, OP(MUL_I32, CALL(g, V(x), I(5)), I(10)), LOAD(x, I(0))))));
    ilc__kernel kernel = emit(unit_of(g, f), spec_call(), ILC__DIALECT_C);
    FOR_EACH_COMPILER(library, kernel.source) {
        int32_t data[1] = {3}, out;
        launch  l = {.array = {data}, .length = {1}, .out = &out, .extents = {1}};
        run_entry(library, &kernel.guarded, &l);
        assert_int_equal(out, 3055);
    }
}

static void test_two_and_three_indices_run_row_major(void **state)
{
    (void)state;
    for (uint32_t dims = 2; dims <= 3; dims++) {
        ilc__func *f = func_new("Place", ILC_I64);
        ilc__var  *j = PARAM(f, "j", ILC_I32), *i = PARAM(f, "i", ILC_I64), *k = PARAM(f, "k", ILC_U32);
        ilc__expr *value = OP(ADD_I64, OP(MUL_I64, V(i), L(100)), UN(I64_I32, V(j)));
        f->body = BLOCK(ret(OP(ADD_I64, OP(MUL_I64, value, L(100)), UN(I64_U32, V(k)))));
        ilc__kernel_spec spec = {dims == 2 ? ILC__MODE_2D : ILC__MODE_3D, dims, {1, 0, 2}, NULL};
        ilc__kernel      kernel = emit(unit_of(f, NULL), spec, ILC__DIALECT_C);
        FOR_EACH_COMPILER(library, kernel.source) {
            int64_t out[24];
            launch  l = {.scalar = {0, 0, 9}, .out = out, .extents = {2, 3, 4}};
            run_entry(library, &kernel.guarded, &l);
            for (int e = 0; e < (dims == 2 ? 6 : 24); e++) {
                int row = dims == 2 ? e / 3 : e / 12, column = dims == 2 ? e % 3 : e / 4 % 3, depth = dims == 2 ? 9 : e % 4;
                assert_int_equal(out[e], (row * 100 + column) * 100 + depth);
            }
        }
    }
}

static void test_an_elementwise_kernel_reads_arrays_and_keeps_asked_scalars(void **state)
{
    (void)state;
    ilc__func *f = func_new("Scale", ILC_F32);
    ilc__var  *a = PARAM(f, "a", ILC_F32), *x = PARAM(f, "x", ILC_F32);
    f->body = BLOCK(ret(OP(MUL_F32, V(a), V(x))));
    const bool  kept[2] = {true, false};
    ilc__kernel kernel = emit(unit_of(f, NULL), (ilc__kernel_spec){ILC__MODE_ELEMENTWISE, 0, {0}, kept}, ILC__DIALECT_C);
    assert_int_equal(kernel.guarded.params[0].kind, ILC__KP_SCALAR);
    assert_int_equal(kernel.guarded.params[1].kind, ILC__KP_ARRAY);
    FOR_EACH_COMPILER(library, kernel.source) {
        float  xs[3] = {1, 2, 3}, out[3];
        launch l = {.scalar = {0x40400000}, .array = {NULL, xs}, .out = out, .extents = {3}};
        run_entry(library, &kernel.guarded, &l);
        assert_true(out[0] == 3 && out[1] == 6 && out[2] == 9);
    }
}

/* VB: a local declared in a loop keeps its value between turns. */
static void test_a_variable_that_may_be_read_first_keeps_its_value(void **state)
{
    (void)state;
    ilc__func *f = func_new("Keep", ILC_I32);
    ilc__var  *n = PARAM(f, "n", ILC_I32), *k = LOCAL(f, "k", ILC_I32), *i = LOCAL(f, "i", ILC_I32), *r = LOCAL(f, "r", ILC_I32);
    k->needs_zero = true;
    r->needs_zero = true;
    ilc__stmt *loop = for_new(i, I(0), ILC__OP_LE_I32, V(n), ILC__OP_ADD_I32, I(1));
    loop->body = BLOCK(assign(k, OP(ADD_I32, V(k), OP(ADD_I32, I(10), V(i)))), assign(r, V(k)));
    f->body = BLOCK(loop, ret(V(r)));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    FOR_EACH_COMPILER(library, kernel.source) assert_int_equal(call_i32(library, &kernel, ARGS(2), NULL), 33);
}

static void test_a_deep_expression_is_split(void **state)
{
    (void)state;
    ilc__func *f = func_new("Deep", ILC_I32);
    ilc__var  *a = PARAM(f, "a", ILC_I32);
    ilc__expr *e = V(a);
    for (int d = 0; d < 600; d++) e = d % 2 ? OP(SUB_I32, I(d), e) : OP(XOR_I32, V(a), e);
    f->body = BLOCK(ret(e));
    int32_t expected = 5;
    for (int d = 0; d < 600; d++) expected = d % 2 ? d - expected : 5 ^ expected;
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    FOR_EACH_COMPILER(library, kernel.source) assert_int_equal(call_i32(library, &kernel, ARGS(5), NULL), expected);
}

static void test_arrays_may_be_chosen_and_held_in_locals(void **state)
{
    (void)state;
    ilc__func *f = func_new("Pick", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *y = ARRAY(f, "y", ILC_I32), *first = PARAM(f, "first", ILC_I32);
    ilc__var  *t = add_var(f, "t", ILC_I32, true, false);
    f->body = BLOCK(assign(t, select_of(V(first), V(x), V(y))), store(t, I(1), I(7)), ret(OP(ADD_I32, LOAD(x, I(1)), len_of(t))));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    assert_true(kernel.writes[0] && kernel.writes[1]);
    FOR_EACH_COMPILER(library, kernel.source) {
        for (int pick = 0; pick < 2; pick++) {
            int32_t xs[2] = {1, 2}, ys[3] = {3, 4, 5}, out;
            launch  l = {.array = {xs, ys}, .length = {2, 3}, .scalar = {0, 0, pick}, .out = &out, .extents = {1}};
            run_entry(library, kernel.has_guard ? &kernel.checked : &kernel.guarded, &l);
            assert_int_equal(out, pick ? 7 + 2 : 2 + 3);
            assert_int_equal(pick ? xs[1] : ys[1], 7);
            l.length[pick ? 0 : 1] = 1;
            run_entry(library, kernel.has_guard ? &kernel.checked : &kernel.guarded, &l);
            assert_string_equal(site_of(&kernel, l.slot)->exception, INDEX_EXC);
        }
    }
}

static void test_a_constant_null_is_read_and_stored_to_with_a_trap(void **state)
{
    (void)state;
    for (int stores = 0; stores < 2; stores++) {
        ilc__func *f = func_new("Nothing", ILC_I32);
        ilc__var  *v = PARAM(f, "v", ILC_F64);
        ilc__expr *null = constant(ILC__IR_REF, 0);
        ilc__stmt *s = store(v, I(0), V(v));
        s->a = null;
        f->body = stores ? BLOCK(s, ret(I(1))) : BLOCK(ret(op1(ILC__OP_I32_F64, load_of(null, ILC_F64, I(0)))));
        ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
        FOR_EACH_COMPILER(library, kernel.source) {
            int32_t out;
            launch  l = {.scalar = {0}, .out = &out, .extents = {1}};
            run_entry(library, kernel.has_guard ? &kernel.checked : &kernel.guarded, &l);
            assert_string_equal(site_of(&kernel, l.slot)->exception, NULL_EXC);
        }
    }
}

/* tcc 0.9.27 forgets a cast of signed char to unsigned short. */
static void test_a_signed_byte_is_cut_to_sixteen_bits(void **state)
{
    (void)state;
    ilc__func *f = func_new("Cut", ILC_I32);
    ilc__var  *v = PARAM(f, "v", ILC_I8);
    f->body = BLOCK(ret(op1(ILC__OP_U16_I32, V(v))));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    FOR_EACH_COMPILER(library, kernel.source) assert_int_equal(call_i32(library, &kernel, ARGS(-4), NULL), 65532);
}

static void test_checks_off_keeps_divisions_and_throws_alone(void **state)
{
    (void)state;
    ilc__unit        *unit = row_sum(true);
    ilc__emit_options options = {.dialect = ILC__DIALECT_C};
    ilc__kernel       kernel;
    ilc__kernel_spec  spec = spec_1d(2);
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit, &spec, &options, &kernel), ILC_OK);
    assert_false(kernel.has_guard);
    assert_true(kernel.covers_all);
    assert_int_equal(kernel.site_count, 0);
    assert_null(strstr(kernel.source, "il_raise"));
    ilc__func *f = func_new("Quotient", ILC_I32);
    ilc__var  *a = PARAM(f, "a", ILC_I32), *b = PARAM(f, "b", ILC_I32);
    f->body = BLOCK(ret(OP(DIV_I32, V(a), V(b))));
    spec = spec_call();
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit_of(f, NULL), &spec, &options, &kernel), ILC_OK);
    assert_int_equal(kernel.site_count, 2);
}

static void test_lines_lead_back_to_their_statements(void **state)
{
    (void)state;
    ilc__unit *unit = row_sum(true);
    ilc__stmt *loop = unit->funcs.items[0]->body.first->next->next;
    loop->body.first->il = 777;
    loop->body.first->has_il = true;
    ilc__kernel       kernel;
    ilc__kernel_spec  spec = spec_1d(2);
    ilc__emit_options options = {.dialect = ILC__DIALECT_C, .checks = true, .lines = true};
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit, &spec, &options, &kernel), ILC_OK);
    int         found = 0;
    for (uint32_t i = 0; i < kernel.line_count; i++) {
        if (kernel.lines[i].il != 777) continue;
        const char *at = kernel.source;
        for (uint32_t line = 1; line < kernel.lines[i].line; line++) at = strchr(at, '\n') + 1;
        char text[256] = {0};
        memcpy(text, at, strcspn(at, "\n") < 255 ? strcspn(at, "\n") : 255);
        found += strstr(text, "sum += p_x[") != NULL;
    }
    assert_int_equal(found, 2);
}

static void test_emission_is_the_same_byte_for_byte(void **state)
{
    (void)state;
    ilc__unit  *unit = nested_jumps(true);
    ilc__kernel a = emit(unit, spec_call(), ILC__DIALECT_C), b = emit(unit, spec_call(), ILC__DIALECT_C);
    assert_string_equal(a.source, b.source);
}

static void test_trees_too_deep_are_refused(void **state)
{
    (void)state;
    ilc__func *f = func_new("Abyss", ILC_I32);
    ilc__var  *a = PARAM(f, "a", ILC_I32);
    ilc__block inner = BLOCK(ret(V(a)));
    for (int d = 0; d < 400; d++) inner = BLOCK(if_else(V(a), inner, BLOCK(ret(I(1)), ret(I(2)))));
    f->body = inner;
    ilc__kernel_spec  spec = spec_call();
    ilc__emit_options options = {.dialect = ILC__DIALECT_C, .checks = true};
    ilc__kernel       kernel;
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit_of(f, NULL), &spec, &options, &kernel), ILC_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) {#name, name, setup, NULL, NULL}
        T(test_guarded_and_checked_bodies_sum_a_row_alike),
        T(test_the_lowest_failing_element_is_reported_and_holds_zero),
        T(test_division_traps_with_the_right_exception_and_the_others_are_right),
        T(test_a_throw_in_a_callee_fails_its_element_only),
        T(test_integers_wrap_at_every_optimisation_level),
        T(test_small_elements_are_cut_at_stores_and_widened_at_loads),
        T(test_jumps_leave_and_continue_outer_loops),
        T(test_conditions_that_trap_keep_their_place_in_the_loop),
        T(test_the_arm_not_taken_is_not_evaluated),
        T(test_a_switch_breaks_out_of_the_loop_around_it),
        T(test_reads_before_a_storing_call_see_the_old_value),
        T(test_two_and_three_indices_run_row_major),
        T(test_an_elementwise_kernel_reads_arrays_and_keeps_asked_scalars),
        T(test_a_variable_that_may_be_read_first_keeps_its_value),
        T(test_a_deep_expression_is_split),
        T(test_arrays_may_be_chosen_and_held_in_locals),
        T(test_a_constant_null_is_read_and_stored_to_with_a_trap),
        T(test_a_signed_byte_is_cut_to_sixteen_bits),
        T(test_checks_off_keeps_divisions_and_throws_alone),
        T(test_lines_lead_back_to_their_statements),
        T(test_emission_is_the_same_byte_for_byte),
        T(test_trees_too_deep_are_refused),
    };
    name_the_missing();
    return cmocka_run_group_tests_name("emitted C runs", tests, NULL, NULL);
}
