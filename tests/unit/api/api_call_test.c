/* api_call_test.c - single calls by every engine, and checks that all agree. */
#include "api_fixture.h"

static ilc_value int_value(ilc_storage storage, int64_t value)
{
    return (ilc_value){.storage = storage, .u.bits = (uint64_t)value};
}

static ilc_value array_value(ilc_array *array, ilc_storage elem)
{
    return (ilc_value){.storage = elem, .is_array = true, .u.array = array};
}

/* The call on the IL interpreter (engine NULL), the tree, and the CPU gives this outcome. */
static void on_every_engine(fixture *f, const char *name, void (*check)(fixture *f, ilc_method *method, const ilc_call_options *o))
{
    ilc_call_options options;
    ilc_method      *method = fixture_method(f, name);
    ilc_call_options_init(&options);
    check(f, method, &options);
    options.engine = fixture_engine(f, ILC_ENGINE_AST);
    check(f, method, &options);
    options.engine = fixture_engine(f, ILC_ENGINE_CPU);
    check(f, method, &options);
}

static void expect_scale(fixture *f, ilc_method *method, const ilc_call_options *options)
{
    float       x[2] = {1, 2}, y[2] = {10, 20}, half = 0.5f;
    ilc_array   ax = {ILC_F32, 2, x}, ay = {ILC_F32, 2, y};
    ilc_value   args[] = {array_value(&ax, ILC_F32), array_value(&ay, ILC_F32), {.storage = ILC_F32}, int_value(ILC_I32, 1)};
    ilc_outcome outcome;
    (void)f;
    memcpy(&args[2].u.bits, &half, sizeof half);
    assert_int_equal(ilc_call(&outcome, method, args, 4, options), ILC_OK);
    assert_false(outcome.trapped);
    assert_int_equal(outcome.ret.storage, ILC_VOID);
    assert_true(y[0] == 10 && y[1] == 21);
    /* One object under two names. */
    args[1].u.array = &ax;
    assert_int_equal(ilc_call(&outcome, method, args, 4, options), ILC_OK);
    assert_true(x[1] == 3);
}

static void arrays_are_changed_in_place(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Programs.dll");
    on_every_engine(&f, "Scale", expect_scale);
    fixture_close(&f);
}

static void expect_exceptions(fixture *f, ilc_method *method, const ilc_call_options *options)
{
    int32_t     zero[1] = {0};
    ilc_array   array = {ILC_I32, 1, zero}, empty = {ILC_I32, 0, NULL};
    ilc_value   arg = array_value(&array, ILC_I32);
    ilc_outcome outcome;
    assert_int_equal(ilc_call(&outcome, method, &arg, 1, options), ILC_OK);
    assert_true(outcome.trapped);
    assert_string_equal(outcome.trap.exception, "System.DivideByZeroException");
    assert_string_equal(outcome.trap.method, "Sample.Stats.Reciprocal");
    assert_int_equal(outcome.trap.il_offset, 5);
    assert_true(outcome.trap.line > 0);
    arg.u.array = &empty;
    assert_int_equal(ilc_call(&outcome, method, &arg, 1, options), ILC_OK);
    assert_string_equal(outcome.trap.exception, "System.IndexOutOfRangeException");
    arg.u.array = NULL;
    assert_int_equal(ilc_call(&outcome, method, &arg, 1, options), ILC_OK);
    assert_string_equal(outcome.trap.exception, "System.NullReferenceException");
    zero[0] = -4;
    arg.u.array = &array;
    assert_int_equal(ilc_call(&outcome, method, &arg, 1, options), ILC_OK);
    assert_false(outcome.trapped);
    assert_int_equal((int64_t)outcome.ret.u.bits, -25);
    assert_int_equal(ilc_session_diagnostic_count(f->session), 0);
}

static void an_exception_is_an_outcome_with_its_place(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Programs.dll");
    on_every_engine(&f, "Reciprocal", expect_exceptions);
    fixture_close(&f);
}

static void arguments_that_do_not_fit_are_refused(void **state)
{
    fixture     f;
    int32_t     data[2] = {1, 2};
    ilc_array   ints = {ILC_I32, 2, data}, lost = {ILC_I32, 2, NULL}, negative = {ILC_I32, -1, data};
    ilc_value   arg = array_value(&ints, ILC_I32), two[2] = {arg, arg};
    ilc_outcome outcome;
    (void)state;
    fixture_open(&f, "Programs.dll");
    ilc_method *method = fixture_method(&f, "Reciprocal");
    assert_int_equal(ilc_call(&outcome, method, two, 2, NULL), ILC_INVALID);
    assert_int_equal(ilc_call(&outcome, method, NULL, 0, NULL), ILC_INVALID);
    arg.storage = ILC_F32;
    assert_int_equal(ilc_call(&outcome, method, &arg, 1, NULL), ILC_INVALID);
    arg = int_value(ILC_I32, 1);
    assert_int_equal(ilc_call(&outcome, method, &arg, 1, NULL), ILC_INVALID);
    arg = array_value(&lost, ILC_I32);
    assert_int_equal(ilc_call(&outcome, method, &arg, 1, NULL), ILC_INVALID);
    arg = array_value(&negative, ILC_I32);
    assert_int_equal(ilc_call(&outcome, method, &arg, 1, NULL), ILC_INVALID);
    fixture_close(&f);
}

static void fuel_ends_a_call_that_would_not_end(void **state)
{
    fixture          f;
    ilc_outcome      outcome;
    ilc_call_options options;
    ilc_value        arg = int_value(ILC_I32, 1);
    (void)state;
    fixture_open(&f, "Programs.dll");
    ilc_method *method = fixture_method(&f, "Forever");
    ilc_call_options_init(&options);
    options.fuel = 100000;
    assert_int_equal(ilc_call(&outcome, method, &arg, 1, &options), ILC_LIMIT);
    options.engine = fixture_engine(&f, ILC_ENGINE_AST);
    assert_int_equal(ilc_call(&outcome, method, &arg, 1, &options), ILC_LIMIT);
    fixture_close(&f);
}

static void many_methods_are_compiled_at_once(void **state)
{
    fixture     f;
    ilc_method *methods[256];
    size_t      count = 0;
    ilc_outcome outcome;
    (void)state;
    fixture_open(&f, "Programs.dll");
    ilc_engine *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    for (uint32_t i = 0; i < ilc_assembly_method_count(f.assembly) && count < 256; i++)
        assert_int_equal(ilc_assembly_method(&methods[count++], f.assembly, i), ILC_OK);
    ilc_value        args[] = {int_value(ILC_I32, 20), int_value(ILC_I32, 22)};
    ilc_call_options options;
    ilc_call_options_init(&options);
    options.engine = engine;
    /* Constructors among them cannot be compiled: they are passed over. */
    assert_int_equal(ilc_call_prepare(methods, count, &options), ILC_OK);
    assert_int_equal(ilc_session_diagnostic_count(f.session), 0);
    assert_int_equal(ilc_call(&outcome, fixture_method(&f, "Inner.Total"), args, 2, &options), ILC_OK);
    assert_int_equal(outcome.ret.u.bits, 42);
    fixture_close(&f);
}

static void engines_agree_on_generated_arguments(void **state)
{
    static const char *const names[] = {"Total(Single[],Int32,Int32)", "Total(Double[],Int32,Int32)", "Scale", "Volume",
                                        "Reciprocal", "Divided", "Root", "Blend"};
    fixture           f;
    ilc_check_options options;
    ilc_check_result  result;
    (void)state;
    fixture_open(&f, "Programs.dll");
    ilc_engine *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    ilc_check_options_init(&options);
    options.engines = &engine;
    options.engine_count = 1;
    uint64_t trapped = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(ilc_check(&result, fixture_method(&f, names[i]), &options), ILC_OK);
        assert_int_equal(result.rounds, 24);
        assert_true(result.elements >= 24);
        trapped += result.trapped;
    }
    /* The arguments reach exceptions, too. */
    assert_true(trapped > 8);
    assert_int_equal(ilc_check(&result, fixture_method(&f, "Smear"), &options), ILC_UNSUPPORTED);
    fixture_close(&f);
}

/* The sum of a row: both bodies where the guard holds, and the same exception where it does not. */
static void either_body_of_a_call_gives_the_same(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_engine      *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    ilc_method      *method = fixture_method(&f, "RowSum");
    float            data[6] = {1, 2, 3, 10, 20, 30};
    ilc_array        x = {.elem = ILC_F32, .length = 6, .data = data};
    ilc_call_options options;
    ilc_call_options_init(&options);
    options.engine = engine;
    for (int body = 0; body < 2; body++) {
        ilc_outcome outcome;
        ilc_value   args[] = {array_value(&x, ILC_F32), int_value(ILC_I32, 3), int_value(ILC_I32, 1)};
        float       sum;
        options.body = body ? ILC_BODY_CHECKED : ILC_BODY_AUTO;
        assert_int_equal(ilc_call(&outcome, method, args, 3, &options), ILC_OK);
        assert_false(outcome.trapped);
        memcpy(&sum, &outcome.ret.u.bits, sizeof sum);
        assert_true(sum == 60);
        args[2].u.bits = 2;
        assert_int_equal(ilc_call(&outcome, method, args, 3, &options), ILC_OK);
        assert_true(outcome.trapped);
        assert_string_equal(outcome.trap.exception, "System.IndexOutOfRangeException");
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_changed_in_place),
        cmocka_unit_test(an_exception_is_an_outcome_with_its_place),
        cmocka_unit_test(arguments_that_do_not_fit_are_refused),
        cmocka_unit_test(fuel_ends_a_call_that_would_not_end),
        cmocka_unit_test(many_methods_are_compiled_at_once),
        cmocka_unit_test(engines_agree_on_generated_arguments),
        cmocka_unit_test(either_body_of_a_call_gives_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
