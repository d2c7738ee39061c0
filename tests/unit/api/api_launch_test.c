/* api_launch_test.c - launches on the interpreters and the CPU engine: arguments checked, traps, guards, outputs. */
#include "api_fixture.h"

static const ilc_engine_kind kinds[] = {ILC_ENGINE_IL, ILC_ENGINE_AST, ILC_ENGINE_CPU};

#define EACH_ENGINE(f, engine)                                                                               \
    for (size_t e_ = 0; e_ < sizeof kinds / sizeof *kinds; e_++)                                             \
        for (ilc_engine *engine = fixture_engine((f), kinds[e_]); engine; ilc_engine_destroy(engine), engine = NULL)

static void rows_are_summed_on_every_engine(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "RowSum");
    EACH_ENGINE(&f, engine)
    {
        const float       data[6] = {1, 2, 3, 10, 20, 30};
        float             sums[2];
        ilc_buffer       *x = fixture_floats(engine, data, 6), *out = fixture_floats(engine, NULL, 2);
        ilc_argument      args[] = {ilc_arg_buffer("X", x), ilc_arg_int("cols", 3), ilc_arg_buffer("il_out", out)};
        const int64_t     extents[] = {2};
        ilc_launch_result result;
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(out, 0, sums, 2), ILC_OK);
        assert_true(sums[0] == 6 && sums[1] == 60);
        assert_false(result.trapped);
        if (ilc_engine_kind_of(engine) == ILC_ENGINE_CPU) {
            assert_true(result.guarded);
            assert_string_equal(result.entry, "il_RowSum_kernel");
            assert_true(result.self_checked);
        }
    }
    fixture_close(&f);
}

static void the_lowest_failing_element_is_reported_and_the_others_are_right(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "RowSum");
    EACH_ENGINE(&f, engine)
    {
        /* Five numbers in rows of two: row 2 is cut short, row 3 is not there. */
        const float       data[5] = {1, 2, 3, 4, 5};
        float             sums[4];
        ilc_buffer       *x = fixture_floats(engine, data, 5), *out = fixture_floats(engine, NULL, 4);
        ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", 2), ilc_arg_buffer("il_out", out)};
        const int64_t     extents[] = {4};
        ilc_launch_result result;
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL), ILC_TRAP);
        assert_true(result.trapped);
        assert_int_equal(result.element, 2);
        assert_string_equal(result.trap.exception, "System.IndexOutOfRangeException");
        assert_true(result.trap.line > 0);
        assert_says(&f, "in element 2");
        assert_int_equal(ilc_buffer_read(out, 0, sums, 4), ILC_OK);
        assert_true(sums[0] == 3 && sums[1] == 7 && sums[2] == 0 && sums[3] == 0);
        if (ilc_engine_kind_of(engine) == ILC_ENGINE_CPU) assert_string_equal(result.entry, "il_RowSum_checked_kernel");
    }
    fixture_close(&f);
}

static void a_null_array_raises_in_every_element(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "RowSum");
    EACH_ENGINE(&f, engine)
    {
        ilc_buffer       *out = fixture_floats(engine, NULL, 2);
        ilc_argument      args[] = {ilc_arg_null("x"), ilc_arg_int("cols", 2), ilc_arg_buffer("il_out", out)};
        const int64_t     extents[] = {2};
        ilc_launch_result result;
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL), ILC_TRAP);
        assert_int_equal(result.element, 0);
        assert_string_equal(result.trap.exception, "System.NullReferenceException");
    }
    fixture_close(&f);
}

static void no_elements_are_no_launch(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "GramDot");
    EACH_ENGINE(&f, engine)
    {
        ilc_buffer       *x = fixture_floats(engine, NULL, 0), *out = fixture_floats(engine, NULL, 0);
        ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", 2), ilc_arg_buffer("il_out", out)};
        const int64_t     extents[] = {0, 5};
        ilc_launch_result result;
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 2, NULL), ILC_OK);
        assert_null(result.entry);
    }
    fixture_close(&f);
}

/* One launch of RowSum over two rows of three, of which one thing is wrong. */
static void expect_refusal(fixture *f, ilc_engine *engine, ilc_argument *args, size_t count, int64_t extent, size_t dims,
                           const char *text)
{
    int64_t           extents[] = {extent, 1, 1};
    ilc_launch_result result;
    ilc_kernel       *kernel = fixture_kernel(f, "RowSum");
    ilc_session_clear_diagnostics(f->session);
    assert_int_equal(ilc_launch(&result, engine, kernel, args, count, extents, dims, NULL), ILC_INVALID);
    assert_int_equal(ilc_session_diagnostic_count(f->session), 1);
    assert_says(f, text);
}

static void arguments_are_checked_against_the_signature(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_engine  *engine = fixture_engine(&f, ILC_ENGINE_CPU), *other = fixture_engine(&f, ILC_ENGINE_IL);
    ilc_buffer  *x = fixture_floats(engine, NULL, 6), *out = fixture_floats(engine, NULL, 2), *doubles;
    ilc_argument ax = ilc_arg_buffer("x", x), ac = ilc_arg_int("cols", 3), ao = ilc_arg_buffer("il_out", out);
    assert_int_equal(ilc_buffer_create(&doubles, engine, ILC_F64, 6), ILC_OK);
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac}, 2, 2, 1, "il_out is missing");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ao}, 2, 2, 1, "argument cols is missing");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ao, ac}, 4, 2, 1, "given twice");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ao, ao}, 4, 2, 1, "il_out was given twice");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ao, ilc_arg_int("y", 1)}, 4, 2, 1, "has no parameter y");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ao, ilc_arg_int("i", 1)}, 4, 2, 1, "is an index");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ao, ilc_arg_int(NULL, 1)}, 4, 2, 1, "has no name");
    expect_refusal(&f, engine, (ilc_argument[]){ilc_arg_buffer("x", doubles), ac, ao}, 3, 2, 1, "Single was expected");
    expect_refusal(&f, engine, (ilc_argument[]){ilc_arg_int("x", 1), ac, ao}, 3, 2, 1, "must be a buffer");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ilc_arg_buffer("cols", x), ao}, 3, 2, 1, "not an array");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ilc_arg_int("cols", INT64_C(1) << 31), ao}, 3, 2, 1, "does not fit Int32");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ilc_arg_float("cols", 3), ao}, 3, 2, 1, "does not fit Int32");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ilc_arg_buffer("il_out", x)}, 3, 2, 1, "also the input x");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ilc_arg_buffer("il_out", doubles)}, 3, 2, 1, "Single was expected");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ao}, 3, 3, 1, "il_out holds 2 elements");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ao}, 3, -1, 1, "is not between 0 and");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ao}, 3, INT64_C(1) << 31, 1, "is not between 0 and");
    expect_refusal(&f, engine, (ilc_argument[]){ax, ac, ao}, 3, 2, 2, "takes 1 extent, not 2");
    expect_refusal(&f, other, (ilc_argument[]){ax, ac, ao}, 3, 2, 1, "another engine");
    fixture_close(&f);
}

static void arrays_longer_than_dotnet_has_are_refused(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_engine *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    ilc_buffer *buffer;
    assert_int_equal(ilc_buffer_create(&buffer, engine, ILC_U8, INT64_C(0x7FFFFFC8)), ILC_INVALID);
    assert_int_equal(ilc_buffer_create(&buffer, engine, ILC_U8, -1), ILC_INVALID);
    assert_int_equal(ilc_buffer_create(&buffer, engine, ILC_VOID, 1), ILC_INVALID);
    assert_int_equal(ilc_buffer_create(&buffer, engine, ILC_U8, 4), ILC_OK);
    char bytes[8] = {0};
    assert_int_equal(ilc_buffer_write(buffer, 2, bytes, 3), ILC_INVALID);
    assert_int_equal(ilc_buffer_read(buffer, -1, bytes, 1), ILC_INVALID);
    assert_int_equal(ilc_buffer_read(buffer, 0, bytes, INT64_MAX), ILC_INVALID);
    assert_int_equal(ilc_buffer_read(buffer, 4, bytes, 0), ILC_OK);
    fixture_close(&f);
}

static void an_elementwise_parameter_may_stay_a_scalar(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel_options options;
    ilc_kernel_options_init(&options);
    options.scalars = "DENOM";
    ilc_kernel *kernel;
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "PearsonClamp"), &options), ILC_OK);
    EACH_ENGINE(&f, engine)
    {
        const float       data[3] = {1, -8, 100};
        float             got[3];
        ilc_buffer       *cov = fixture_floats(engine, data, 3), *out = fixture_floats(engine, NULL, 3);
        ilc_argument      args[] = {ilc_arg_buffer("cov", cov), ilc_arg_float("denom", 4), ilc_arg_buffer("il_out", out)};
        const int64_t     extents[] = {3};
        ilc_launch_result result;
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(out, 0, got, 3), ILC_OK);
        assert_true(got[0] == 0.25f && got[1] == -1 && got[2] == 1);
    }
    options.scalars = "nothing";
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "PearsonClamp"), &options), ILC_NOT_FOUND);
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "RowSum"), &options), ILC_INVALID);
    fixture_close(&f);
}

static void an_elementwise_array_that_is_too_short_is_refused(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_engine       *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    ilc_buffer       *two = fixture_floats(engine, NULL, 2), *three = fixture_floats(engine, NULL, 3),
               *out = fixture_floats(engine, NULL, 3);
    ilc_argument      args[] = {ilc_arg_buffer("cov", three), ilc_arg_buffer("denom", two), ilc_arg_buffer("il_out", out)};
    const int64_t     extents[] = {3};
    ilc_launch_result result;
    assert_int_equal(ilc_launch(&result, engine, fixture_kernel(&f, "PearsonClamp"), args, 3, extents, 1, NULL), ILC_INVALID);
    assert_says(&f, "denom holds 2 elements");
    fixture_close(&f);
}

static void a_sub_writes_its_array_in_place(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "CasesVb.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "Case30_Saxpy");
    EACH_ENGINE(&f, engine)
    {
        const float       xs[3] = {1, 2, 3}, ys[3] = {10, 20, 30};
        float             got[3];
        ilc_buffer       *x = fixture_floats(engine, xs, 3), *y = fixture_floats(engine, ys, 3);
        ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_buffer("y", y), ilc_arg_float("a", 2)};
        const int64_t     extents[] = {3};
        ilc_launch_result result;
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(y, 0, got, 3), ILC_OK);
        assert_true(got[0] == 12 && got[1] == 24 && got[2] == 36);
        ilc_argument with_out[] = {args[0], args[1], args[2], ilc_arg_buffer("il_out", x)};
        assert_int_equal(ilc_launch(&result, engine, kernel, with_out, 4, extents, 1, NULL), ILC_INVALID);
    }
    fixture_close(&f);
}

static void a_sub_not_proved_independent_is_refused_alike_on_every_engine(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Programs.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "Fill");
    EACH_ENGINE(&f, engine)
    {
        double            got[35];
        ilc_buffer       *o = NULL;
        ilc_launch_result result;
        assert_int_equal(ilc_buffer_create(&o, engine, ILC_F64, 35), ILC_OK);
        ilc_argument  args[] = {ilc_arg_buffer("o", o), ilc_arg_int("nj", 3), ilc_arg_int("nk", 5)};
        const int64_t row[] = {1, 1, 7}, all[] = {2, 3, 5}, meets[] = {1, 2, 7};
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, row, 3, NULL), ILC_OK);
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, all, 3, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(o, 0, got, 30), ILC_OK);
        for (int e = 0; e < 30; e++) assert_true(got[e] == e / 15 * 100 + e / 5 % 3 * 10 + e % 5);
        ilc_session_clear_diagnostics(f.session);
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, meets, 3, NULL), ILC_UNSUPPORTED);
        assert_int_equal(ilc_session_diagnostic_count(f.session), 1);
        assert_says(&f, "Programs.vb:73: Sample.Stats.Fill: elements could not be proved independent with these extents and "
                        "arguments: the store at line 73 may meet itself in another element");
    }
    fixture_close(&f);
}

static void either_body_gives_the_same(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_engine        *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    ilc_kernel        *kernel = fixture_kernel(&f, "GramDot");
    const float        data[6] = {1, 2, 3, 4, 5, 6};
    float              a[4], b[4];
    ilc_buffer        *x = fixture_floats(engine, data, 6), *out = fixture_floats(engine, NULL, 4);
    ilc_argument       args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", 3), ilc_arg_buffer("il_out", out)};
    const int64_t      extents[] = {2, 2};
    ilc_launch_options options;
    ilc_launch_result  result;
    (void)state;
    ilc_launch_options_init(&options);
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 2, &options), ILC_OK);
    assert_string_equal(result.entry, "il_GramDot_kernel");
    assert_int_equal(ilc_buffer_read(out, 0, a, 4), ILC_OK);
    options.body = ILC_BODY_CHECKED;
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 2, &options), ILC_OK);
    assert_string_equal(result.entry, "il_GramDot_checked_kernel");
    assert_int_equal(ilc_buffer_read(out, 0, b, 4), ILC_OK);
    assert_memory_equal(a, b, sizeof a);
    fixture_close(&f);
}

static void a_kernel_text_is_self_checked_once(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_engine       *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    ilc_kernel       *kernel = fixture_kernel(&f, "RowSum");
    float             data[64] = {0};
    ilc_buffer       *x = fixture_floats(engine, data, 64), *out = fixture_floats(engine, NULL, 32);
    ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", 2), ilc_arg_buffer("il_out", out)};
    const int64_t     extents[] = {32};
    ilc_launch_result result;
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL), ILC_OK);
    assert_int_equal(result.checked, 16);
    assert_true(result.self_checked);
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL), ILC_OK);
    assert_int_equal(result.checked, 0);
    assert_true(result.self_checked);
    fixture_close(&f);
}

/* One of its two parameters is only read. */
static void a_self_check_leaves_an_array_alone_that_is_given_twice(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "CasesVb.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "Case30_Saxpy");
    EACH_ENGINE(&f, engine)
    {
        float             data[40], out[40];
        const int64_t     extents[] = {40};
        ilc_launch_result result;
        for (int k = 0; k < 40; k++) data[k] = (float)k + 1;
        ilc_buffer  *y = fixture_floats(engine, data, 40);
        ilc_argument args[] = {ilc_arg_buffer("x", y), ilc_arg_buffer("y", y), ilc_arg_float("a", 1)};
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(y, 0, out, 40), ILC_OK);
        for (int k = 0; k < 40; k++) assert_true(out[k] == 2 * data[k]);
    }
    fixture_close(&f);
}

static void a_device_function_is_not_launched(void **state)
{
    fixture           f;
    ilc_launch_result result;
    (void)state;
    fixture_open(&f, "CasesVb.dll");
    ilc_engine *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    assert_int_equal(ilc_launch(&result, engine, fixture_kernel(&f, "Case20_Find"), NULL, 0, NULL, 0, NULL), ILC_UNSUPPORTED);
    assert_says(&f, "device function only");
    fixture_close(&f);
}

/* C#'s Sc(float a, float A), and Taken, whose parameters are called as the result is. */
static void names_that_differ_by_case_are_apart(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "NamesCs.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "Sc"), *taken = fixture_kernel(&f, "Taken");
    EACH_ENGINE(&f, engine)
    {
        const float       one = 1, ten = 10;
        float             got;
        ilc_buffer       *a = fixture_floats(engine, &one, 1), *b = fixture_floats(engine, &ten, 1);
        ilc_buffer       *out = fixture_floats(engine, NULL, 1);
        const int64_t     extents[] = {1};
        ilc_launch_result result;
        ilc_argument      named[] = {ilc_arg_buffer("A", b), ilc_arg_buffer("il_out", out), ilc_arg_buffer("a", a)};
        assert_int_equal(ilc_launch(&result, engine, kernel, named, 3, extents, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(out, 0, &got, 1), ILC_OK);
        assert_true(got == -19);
        ilc_argument numbered[] = {ilc_arg_at(1, ilc_arg_buffer(NULL, a)), ilc_arg_at(0, ilc_arg_buffer(NULL, b)),
                                   ilc_arg_result(out)};
        assert_int_equal(ilc_launch(&result, engine, kernel, numbered, 3, extents, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(out, 0, &got, 1), ILC_OK);
        assert_true(got == 8);
        ilc_argument own[] = {ilc_arg_buffer("il_out", b), ilc_arg_float("IL_OUT", 3), ilc_arg_result(out)};
        assert_int_equal(ilc_launch(&result, engine, taken, own, 3, extents, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(out, 0, &got, 1), ILC_OK);
        assert_true(got == 30);
        ilc_argument none = ilc_arg_at(9, ilc_arg_null(NULL));
        assert_int_equal(ilc_launch(&result, engine, taken, &none, 1, extents, 1, NULL), ILC_INVALID);
        assert_says(&f, "no parameter number 9");
    }
    uint32_t number;
    assert_int_equal(ilc_method_param_named(&number, fixture_method(&f, "Taken"), "Il_Out"), ILC_AMBIGUOUS);
    assert_int_equal(ilc_method_param_named(&number, fixture_method(&f, "Taken"), "IL_OUT"), ILC_OK);
    assert_int_equal(number, 1);
    assert_int_equal(ilc_method_param_named(&number, fixture_method(&f, "Long"), "A"), ILC_OK);
    assert_int_equal(ilc_method_param_named(&number, fixture_method(&f, "Long"), "b"), ILC_NOT_FOUND);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_summed_on_every_engine),
        cmocka_unit_test(the_lowest_failing_element_is_reported_and_the_others_are_right),
        cmocka_unit_test(a_null_array_raises_in_every_element),
        cmocka_unit_test(no_elements_are_no_launch),
        cmocka_unit_test(arguments_are_checked_against_the_signature),
        cmocka_unit_test(arrays_longer_than_dotnet_has_are_refused),
        cmocka_unit_test(an_elementwise_parameter_may_stay_a_scalar),
        cmocka_unit_test(an_elementwise_array_that_is_too_short_is_refused),
        cmocka_unit_test(a_sub_writes_its_array_in_place),
        cmocka_unit_test(a_sub_not_proved_independent_is_refused_alike_on_every_engine),
        cmocka_unit_test(either_body_gives_the_same),
        cmocka_unit_test(a_kernel_text_is_self_checked_once),
        cmocka_unit_test(a_self_check_leaves_an_array_alone_that_is_given_twice),
        cmocka_unit_test(a_device_function_is_not_launched),
        cmocka_unit_test(names_that_differ_by_case_are_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
