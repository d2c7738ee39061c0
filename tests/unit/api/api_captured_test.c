/* api_captured_test.c - instance methods of classes from outside: which fields their parameters stand for, and launches whose
 * indices begin elsewhere than at 0. */
#include "api_fixture.h"

static const ilc_engine_kind kinds[] = {ILC_ENGINE_IL, ILC_ENGINE_AST, ILC_ENGINE_CPU};

#define EACH_ENGINE(f, engine)                                                                               \
    for (size_t e_ = 0; e_ < sizeof kinds / sizeof *kinds; e_++)                                             \
        for (ilc_engine *engine = fixture_engine((f), kinds[e_]); engine; ilc_engine_destroy(engine), engine = NULL)

/* "a.b.c": the way to the field that a parameter stands for. */
static const char *way(const ilc_method *method, uint32_t param)
{
    static char  text[256];
    ilc_captured step;
    size_t       length = 0;
    text[0] = 0;
    for (uint32_t k = 0; ilc_method_captured(&step, method, param, k) == ILC_OK; k++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", k ? "." : "", step.name);
    return text;
}

static void parameters_say_which_fields_they_are(void **state)
{
    fixture      f;
    ilc_captured step;
    ilc_param    param;
    const char  *display;
    (void)state;
    fixture_open(&f, "ClosuresVb.dll");
    ilc_method *method = fixture_method(&f, "Filter+_Closure$__7-0._Lambda$__0");
    assert_int_equal(ilc_method_param_count(method), 5);
    assert_int_equal(ilc_method_captured_count(method), 4);
    assert_false(ilc_method_is_static(method));
    assert_int_equal(ilc_method_display(&display, method), ILC_OK);
    assert_string_equal(display, "Filter+_Closure$__7-0._Lambda$__0(Int32)");
    assert_string_equal(way(method, 0), "");
    assert_string_equal(way(method, 1), "$VB$Local_x");
    assert_string_equal(way(method, 3), "$VB$Me._kernel");
    assert_string_equal(way(method, 5), "");
    assert_int_equal(ilc_method_captured(&step, method, 4, 1), ILC_OK);
    assert_string_equal(step.name, "_Gain");
    assert_string_equal(step.type, "Filter");
    assert_string_equal(step.assembly, "ClosuresVb");
    assert_int_equal(step.token >> 24, 4);
    assert_int_equal(ilc_method_captured(&step, method, 4, 2), ILC_NOT_FOUND);
    static const char *const names[] = {"i", "x", "y", "_kernel", "_Gain"};
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(ilc_method_param(&param, method, i), ILC_OK);
        assert_string_equal(param.name, names[i]);
        assert_int_equal(param.index, i == 0 ? 0 : -1);
    }
    assert_int_equal(ilc_method_captured_count(fixture_method(&f, "Closures+_Closure$__._Lambda$__4-0")), 0);
    fixture_close(&f);
}

static void what_is_captured_is_no_index(void **state)
{
    fixture            f;
    ilc_kernel        *kernel;
    ilc_kernel_options options;
    (void)state;
    fixture_open(&f, "ClosuresCs.dll");
    ilc_method *method = fixture_method(&f, "<Indexes>b__0"); /* captures i and row */
    assert_int_equal(ilc_kernel_translate(&kernel, method, NULL), ILC_OK);
    assert_int_equal(ilc_kernel_index_mode(kernel), ILC_INDEX_ELEMENTWISE);
    ilc_kernel_options_init(&options);
    options.index = "row";
    assert_int_equal(ilc_kernel_translate(&kernel, method, &options), ILC_INVALID);
    assert_says(&f, "--index names 'row', which is not a parameter");
    options.index = "k";
    assert_int_equal(ilc_kernel_translate(&kernel, method, &options), ILC_OK);
    assert_int_equal(ilc_kernel_index_mode(kernel), ILC_INDEX_1D);
    fixture_close(&f);
}

/* y(i) = a * x(i) + y(i) for i = 2, 3. */
static void indices_may_begin_elsewhere(void **state)
{
    fixture     f;
    ilc_method *counted, *again;
    ilc_kernel *kernel;
    (void)state;
    fixture_open(&f, "ClosuresCs.dll");
    ilc_method *method = fixture_method(&f, "<Axpy>b__0");
    assert_int_equal(ilc_method_counted(&counted, method, "i"), ILC_OK);
    assert_int_equal(ilc_method_counted(&again, method, "i"), ILC_OK);
    assert_ptr_equal(counted, again);
    assert_int_equal(ilc_method_param_count(counted), 5);
    assert_int_equal(ilc_method_captured_count(counted), 3);
    assert_string_equal(way(counted, 3), "x");
    assert_string_equal(way(counted, 4), "");
    if (ilc_kernel_translate(&kernel, counted, NULL) != ILC_OK) fail_msg("%s", ilc_session_error(f.session));
    EACH_ENGINE(&f, engine)
    {
        float       out[4];
        ilc_buffer *y = fixture_floats(engine, (float[]){1, 2, 3, 4}, 4), *x = fixture_floats(engine, (float[]){10, 20, 30, 40}, 4);
        ilc_argument args[] = {ilc_arg_buffer("y", y), ilc_arg_float("a", 0.5), ilc_arg_buffer("x", x), ilc_arg_int("from_i", 2)};
        int64_t      extent = 2;
        ilc_launch_result result;
        if (ilc_launch(&result, engine, kernel, args, 4, &extent, 1, NULL) != ILC_OK) fail_msg("%s", ilc_session_error(f.session));
        assert_false(result.trapped);
        assert_int_equal(ilc_buffer_read(y, 0, out, 4), ILC_OK);
        assert_true(out[0] == 1 && out[1] == 2 && out[2] == 18 && out[3] == 24);
        extent = 3; /* element 2 is i = 4 */
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 4, &extent, 1, NULL), ILC_TRAP);
        assert_int_equal(result.element, 2);
        assert_string_equal(result.trap.exception, "System.IndexOutOfRangeException");
        ilc_buffer_destroy(x);
        ilc_buffer_destroy(y);
    }
    assert_int_equal(ilc_method_counted(&counted, method, "a"), ILC_INVALID);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_say_which_fields_they_are),
        cmocka_unit_test(what_is_captured_is_no_index),
        cmocka_unit_test(indices_may_begin_elsewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
