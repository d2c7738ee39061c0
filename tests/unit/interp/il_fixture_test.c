/* il_fixture_test.c - the judge on what compilers made: source lines in traps, and the fixtures' refused methods. */
#include "il_cases.h"

static void open_fixture(cases *c, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/bin/%s.dll", ILCUDA_FIXTURES, name);
    memset(c, 0, sizeof *c);
    ilc__context_init(&c->ctx);
    c->set = ilc__set_create(&c->ctx);
    assert_int_equal(ilc__set_open(c->set, path, &c->image), ILC_OK);
    c->machine = ilc__il_machine_create(&c->ctx, &c->ctx.arena);
}

static void close_fixture(cases *c)
{
    ilc__set_destroy(c->set);
    ilc__context_free(&c->ctx);
}

static ilc_outcome row_sum(cases *c, ilc_array *x, int32_t cols, int32_t i)
{
    ilc_outcome out;
    ilc_value   args[3] = {array(ILC_F32, x), number(ILC_I32, (uint64_t)(int64_t)cols), number(ILC_I32, (uint64_t)(int64_t)i)};
    assert_int_equal(ilc__il_call(c->machine, find_method(c, "RowSum"), args, 3, NULL, &out), ILC_OK);
    return out;
}

static void a_kernel_of_the_tutorial_runs_and_its_traps_name_the_source_line(void **state)
{
    (void)state;
    cases     c;
    float     data[4] = {1.0f, 2.0f, 0.5f, 0.25f}, sum;
    ilc_array x = {.elem = ILC_F32, .length = 4, .data = data};
    open_fixture(&c, "Tutorial");
    ilc_outcome out = row_sum(&c, &x, 2, 1);
    assert_false(out.trapped);
    uint32_t bits = (uint32_t)out.ret.u.bits;
    memcpy(&sum, &bits, sizeof sum);
    assert_true(sum == 0.75f);
    out = row_sum(&c, NULL, 1, 0);
    assert_true(out.trapped);
    assert_string_equal(out.trap.exception, "System.NullReferenceException");
    assert_string_equal(out.trap.method, "PearsonMetrics.RowSum");
    assert_int_equal(out.trap.line, 11);
    assert_non_null(out.trap.file);
    assert_non_null(strstr(out.trap.file, ".vb"));
    close_fixture(&c);
}

static void without_debug_information_a_trap_has_no_line(void **state)
{
    (void)state;
    cases c;
    open_fixture(&c, "TutorialNoPdb");
    ilc_outcome out = row_sum(&c, NULL, 1, 0);
    assert_true(out.trapped);
    assert_int_equal(out.trap.line, 0);
    assert_null(out.trap.file);
    close_fixture(&c);
}

typedef struct refusal {
    const char *method, *reason;
} refusal;

static void check_refusals(const char *fixture, const refusal *rows, size_t count)
{
    cases c;
    open_fixture(&c, fixture);
    for (size_t i = 0; i < count; i++) {
        ilc_outcome        out;
        const ilc__method *method = find_method(&c, rows[i].method);
        uint32_t           before = c.ctx.diags.count;
        assert_int_equal(ilc__il_call(c.machine, method, NULL, 0, NULL, &out), ILC_UNSUPPORTED);
        assert_int_equal(c.ctx.diags.count, before + 1); /* one line for one fault */
        const ilc__diag *diag = &c.ctx.diags.items[before];
        assert_string_equal(diag->reason, rows[i].reason);
        assert_true(diag->where.has_il);
        assert_true(diag->where.line > 0);
        assert_non_null(diag->where.method);
    }
    close_fixture(&c);
}

static void methods_of_visual_basic_are_refused_with_reason_and_line(void **state)
{
    (void)state;
    static const refusal rows[] = {
        {"Concat", "parameter a of type System.String"},
        {"TryCatch", "an exception handler (try block)"},
        {"TryFinally", "an exception handler (try block)"},
        {"SharedField", "the static field Refused.counter, which is not read-only"},
        {"Prints", "call to System.Console.WriteLine"},
        {"Boxed", "a result of type System.Object"},
    };
    check_refusals("RefusedVb", rows, sizeof rows / sizeof *rows);
}

static void methods_of_csharp_are_refused_with_reason_and_line(void **state)
{
    (void)state;
    static const refusal rows[] = {
        {"Generic", "parameter a of type !!0"},
        {"Filters", "an exception handler (try block)"},
        {"Wide", "the struct System.Int128: a vector or wide integer"},
    };
    check_refusals("RefusedCs", rows, sizeof rows / sizeof *rows);
}

/* Through adds 1 to a Single's bits, then 1 to the Single, and returns its bits. */
static void nans_that_arithmetic_makes_get_other_bits_where_asked(void **state)
{
    (void)state;
    cases c;
    open_fixture(&c, "Memory2Cs");
    const ilc__interp_options other = {.other_nan = true};
    static const struct {
        uint32_t given, bits, other;
    } rows[] = {{0x3f800000, 0x40000000, 0x40000000}, {0x7fc00000, 0x7fc00001, 0x7fffffff}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ilc_outcome out;
        ilc_value   x = number(ILC_F32, rows[i].given);
        for (int turn = 0; turn < 4; turn++) {
            bool asked = turn % 2;
            assert_int_equal(ilc__il_call(c.machine, find_method(&c, "Through"), &x, 1, asked ? &other : NULL, &out), ILC_OK);
            assert_int_equal((uint32_t)out.ret.u.bits, asked ? rows[i].other : rows[i].bits);
        }
    }
    close_fixture(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_of_the_tutorial_runs_and_its_traps_name_the_source_line),
        cmocka_unit_test(without_debug_information_a_trap_has_no_line),
        cmocka_unit_test(methods_of_visual_basic_are_refused_with_reason_and_line),
        cmocka_unit_test(nans_that_arithmetic_makes_get_other_bits_where_asked),
        cmocka_unit_test(methods_of_csharp_are_refused_with_reason_and_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
