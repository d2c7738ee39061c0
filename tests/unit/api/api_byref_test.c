/* api_byref_test.c - by-refs from outside: one value in calls, arrays of results in element-wise kernels. */
#include "api_fixture.h"

static const ilc_engine_kind kinds[] = {ILC_ENGINE_IL, ILC_ENGINE_AST, ILC_ENGINE_CPU};

#define EACH_ENGINE(f, engine)                                                                               \
    for (size_t e_ = 0; e_ < sizeof kinds / sizeof *kinds; e_++)                                             \
        for (ilc_engine *engine = fixture_engine((f), kinds[e_]); engine; ilc_engine_destroy(engine), engine = NULL)

static ilc_value int_value(int32_t value)
{
    return (ilc_value){.storage = ILC_I32, .u.bits = (uint64_t)(int64_t)value};
}

static ilc_value byref_value(ilc_array *cell)
{
    return (ilc_value){.storage = cell->elem, .is_array = true, .is_byref = true, .u.array = cell};
}

static void parameters_say_that_they_are_by_refs(void **state)
{
    fixture     f;
    ilc_param   param;
    const char *display;
    (void)state;
    fixture_open(&f, "MemoryVb.dll");
    ilc_method *method = fixture_method(&f, "DivMod(Int32,Int32,Int32&,Int32&)");
    assert_int_equal(ilc_method_display(&display, method), ILC_OK);
    assert_string_equal(display, "Memory.DivMod(Int32,Int32,Int32&,Int32&)");
    assert_int_equal(ilc_method_param(&param, method, 0), ILC_OK);
    assert_false(param.is_byref || param.is_array);
    assert_int_equal(ilc_method_param(&param, method, 2), ILC_OK);
    assert_true(param.is_byref && !param.is_array);
    assert_int_equal(param.storage, ILC_I32);
    assert_string_equal(param.type, "Int32&");
    fixture_close(&f);
}

static void a_call_leaves_its_values_in_the_cells(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "MemoryVb.dll");
    ilc_method *method = fixture_method(&f, "DivMod");
    EACH_ENGINE(&f, engine)
    {
        int32_t     q = 99, r = 99;
        ilc_array   cells[] = {{ILC_I32, 1, &q}, {ILC_I32, 1, &r}};
        ilc_value   args[] = {int_value(17), int_value(5), byref_value(&cells[0]), byref_value(&cells[1])};
        ilc_outcome outcome;
        assert_int_equal(call_on(engine, method, args, 4, &outcome), ILC_OK);
        assert_false(outcome.trapped);
        assert_int_equal(outcome.ret.storage, ILC_VOID);
        assert_true(q == 3 && r == 2);
        /* What was written before an exception stays. */
        args[1] = int_value(0);
        assert_int_equal(call_on(engine, method, args, 4, &outcome), ILC_OK);
        assert_true(outcome.trapped && q == 3 && r == 2);
    }
    fixture_close(&f);
}

static void two_by_refs_may_be_one_cell(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "MemoryVb.dll");
    ilc_method *method = fixture_method(&f, "AddBoth");
    EACH_ENGINE(&f, engine)
    {
        int32_t     a = 1, b = 2;
        ilc_array   cells[] = {{ILC_I32, 1, &a}, {ILC_I32, 1, &b}};
        ilc_value   args[] = {byref_value(&cells[0]), byref_value(&cells[1])};
        ilc_outcome outcome;
        assert_int_equal(call_on(engine, method, args, 2, &outcome), ILC_OK);
        assert_true(outcome.ret.u.bits == 2 && a == 2 && b == 12);
        args[1] = args[0];
        assert_int_equal(call_on(engine, method, args, 2, &outcome), ILC_OK);
        assert_true(outcome.ret.u.bits == 13 && a == 13 && b == 12);
    }
    fixture_close(&f);
}

static void what_is_no_cell_of_one_value_is_refused(void **state)
{
    fixture     f;
    int32_t     data[2] = {0};
    ilc_array   cell = {ILC_I32, 1, data}, two = {ILC_I32, 2, data}, lost = {ILC_I32, 1, NULL}, floats = {ILC_F32, 1, data};
    ilc_outcome outcome;
    (void)state;
    fixture_open(&f, "MemoryVb.dll");
    ilc_method *method = fixture_method(&f, "Inc");
    ilc_value   wrong[] = {int_value(1),
                           {.storage = ILC_I32, .is_array = true, .u.array = &cell},
                           {.storage = ILC_I32, .is_array = true, .is_byref = true},
                           byref_value(&two),
                           byref_value(&lost),
                           byref_value(&floats)};
    EACH_ENGINE(&f, engine)
    {
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            assert_int_equal(call_on(engine, method, &wrong[i], 1, &outcome), ILC_INVALID);
            assert_says(&f, "argument n");
        }
    }
    /* And a by-ref is no array. */
    ilc_value args[] = {byref_value(&cell), int_value(1), int_value(1)};
    assert_int_equal(ilc_call(&outcome, fixture_method(&f, "DivModInto"), args, 3, NULL), ILC_INVALID);
    assert_says(&f, "argument x must be Int32[]");
    fixture_close(&f);
}

static ilc_buffer *ints(ilc_engine *engine, const int32_t *data, int64_t count)
{
    ilc_buffer *buffer = NULL;
    assert_int_equal(ilc_buffer_create(&buffer, engine, ILC_I32, count), ILC_OK);
    if (data) assert_int_equal(ilc_buffer_write(buffer, 0, data, count), ILC_OK);
    return buffer;
}

static void an_elementwise_kernel_writes_arrays_of_results(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "MemoryVb.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "DivMod");
    assert_int_equal(ilc_kernel_index_mode(kernel), ILC_INDEX_ELEMENTWISE);
    EACH_ENGINE(&f, engine)
    {
        const int32_t     a[3] = {17, -17, 9}, b[3] = {5, 5, 2};
        int32_t           q[3], r[3];
        ilc_buffer       *out[] = {ints(engine, NULL, 3), ints(engine, NULL, 3)};
        ilc_argument      args[] = {ilc_arg_buffer("a", ints(engine, a, 3)), ilc_arg_buffer("b", ints(engine, b, 3)),
                                    ilc_arg_buffer("q", out[0]), ilc_arg_buffer("r", out[1])};
        const int64_t     extent = 3;
        ilc_launch_result result;
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 4, &extent, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(out[0], 0, q, 3), ILC_OK);
        assert_int_equal(ilc_buffer_read(out[1], 0, r, 3), ILC_OK);
        assert_true(q[0] == 3 && q[1] == -3 && q[2] == 4);
        assert_true(r[0] == 2 && r[1] == -2 && r[2] == 1);
        if (ilc_engine_kind_of(engine) == ILC_ENGINE_CPU) assert_true(result.self_checked);
    }
    fixture_close(&f);
}

/* Elements that raise leave theirs as they were; the others are right. */
static void an_elements_exception_leaves_its_places(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "MemoryVb.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "DivMod");
    EACH_ENGINE(&f, engine)
    {
        const int32_t     a[3] = {17, 1, 9}, b[3] = {5, 0, 2}, before[3] = {-1, -2, -3};
        int32_t           q[3];
        ilc_buffer       *out = ints(engine, before, 3);
        ilc_argument      args[] = {ilc_arg_buffer("a", ints(engine, a, 3)), ilc_arg_buffer("b", ints(engine, b, 3)),
                                    ilc_arg_buffer("q", out), ilc_arg_buffer("r", ints(engine, NULL, 3))};
        const int64_t     extent = 3;
        ilc_launch_result result;
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 4, &extent, 1, NULL), ILC_TRAP);
        assert_int_equal(result.element, 1);
        assert_int_equal(ilc_buffer_read(out, 0, q, 3), ILC_OK);
        assert_true(q[0] == 3 && q[1] == -2 && q[2] == 4);
    }
    fixture_close(&f);
}

static void what_is_written_takes_no_scalar(void **state)
{
    fixture            f;
    ilc_kernel_options options;
    ilc_kernel        *kernel;
    (void)state;
    fixture_open(&f, "MemoryVb.dll");
    ilc_kernel_options_init(&options);
    options.scalars = "b,q";
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "DivMod"), &options), ILC_INVALID);
    assert_says(&f, "parameter q of Memory.DivMod is passed by reference");
    options = (ilc_kernel_options){.size = sizeof options, .mode = "exact", .checks = true, .index = "a"};
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "DivMod"), &options), ILC_UNSUPPORTED);
    assert_says(&f, "parameter 'q' is passed by reference in a kernel with an index");
    ilc_engine       *engine = fixture_engine(&f, ILC_ENGINE_IL);
    ilc_argument      args[] = {ilc_arg_buffer("n", ints(engine, NULL, 2))};
    const int64_t     extent = 3;
    ilc_launch_result result;
    kernel = fixture_kernel(&f, "Inc");
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 1, &extent, 1, NULL), ILC_INVALID);
    args[0] = ilc_arg_int("n", 1);
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 1, &extent, 1, NULL), ILC_INVALID);
    args[0] = ilc_arg_null("n");
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 1, &extent, 1, NULL), ILC_INVALID);
    fixture_close(&f);
}

static void engines_agree_on_generated_by_refs(void **state)
{
    static const char *const names[] = {"DivMod", "MinMax", "RunningMean", "AddBoth", "AddAll", "WriteThenRaise",
                                        "SwapElements", "Lengths", "NestedFields", "Turned"};
    fixture           f;
    ilc_check_options options;
    ilc_check_result  result;
    (void)state;
    fixture_open(&f, "MemoryVb.dll");
    ilc_engine *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    ilc_check_options_init(&options);
    options.engines = &engine;
    options.engine_count = 1;
    options.fuel = 20000;
    uint64_t trapped = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool stores_anywhere = strcmp(names[i], "SwapElements") == 0;
        assert_int_equal(ilc_check(&result, fixture_method(&f, names[i]), &options), stores_anywhere ? ILC_UNSUPPORTED : ILC_OK);
        assert_true(stores_anywhere || result.rounds + result.limited >= 24);
        trapped += result.trapped;
    }
    assert_true(trapped > 8);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_say_that_they_are_by_refs),
        cmocka_unit_test(a_call_leaves_its_values_in_the_cells),
        cmocka_unit_test(two_by_refs_may_be_one_cell),
        cmocka_unit_test(what_is_no_cell_of_one_value_is_refused),
        cmocka_unit_test(an_elementwise_kernel_writes_arrays_of_results),
        cmocka_unit_test(an_elements_exception_leaves_its_places),
        cmocka_unit_test(what_is_written_takes_no_scalar),
        cmocka_unit_test(engines_agree_on_generated_by_refs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
