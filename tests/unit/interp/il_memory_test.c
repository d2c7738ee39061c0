/* il_memory_test.c - by-refs and structures in the judge, beside CoreCLR's answers (il_machine_test.c): by-refs from
 * outside, fuel, traces, and the memory of frames. */
#include "il_cases.h"
#include "interp/il_code.h"

typedef struct place { /* what a by-ref from outside leads to */
    ilc_array object;
    uint64_t  data[2];
} place;

static ilc_value reference(place *p, ilc_storage storage, uint64_t bits)
{
    p->data[0] = bits;
    p->object = (ilc_array){.elem = storage, .length = 1, .data = p->data};
    return (ilc_value){.storage = storage, .is_array = true, .is_byref = true, .u.array = &p->object};
}

static ilc_status call(const cases *c, const char *name, ilc_value *args, const ilc__interp_options *options,
                       ilc_outcome *out)
{
    const ilc__method *method = find_method(c, name);
    return ilc__il_call(c->machine, method, args, method->sig.param_count, options, out);
}

static void two_by_refs_of_one_place_are_one_variable(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    place        p;
    ilc_value    args[2] = {reference(&p, ILC_I64, 5), reference(&p, ILC_I64, 5)};
    assert_int_equal(call(c, "CopyI8", args, NULL, &out), ILC_OK);
    assert_int_equal(p.data[0], 5);
    double    data[2] = {1.5, 2.0}, sum = 1.5 + 1.5;
    ilc_array whole = {.elem = ILC_F64, .length = 1, .data = &data[0]}, again = whole;
    args[0] = args[1] = (ilc_value){.storage = ILC_F64, .is_array = true, .is_byref = true, .u.array = &whole};
    args[1].u.array = &again; /* another header of the same memory */
    assert_int_equal(call(c, "AddTo", args, NULL, &out), ILC_OK);
    assert_true(data[0] == sum * sum);
    assert_true(data[1] == 2.0);
}

static void a_by_ref_may_lead_into_an_array_that_is_passed_too(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    int16_t      data[3] = {1, 2, 3};
    ilc_array    element = {.elem = ILC_I16, .length = 1, .data = &data[1]};
    ilc_value    args[2] = {{.storage = ILC_I16, .is_array = true, .is_byref = true}, number(ILC_I32, 70000)};
    args[0].u.array = &element;
    assert_int_equal(call(c, "RefI2", args, NULL, &out), ILC_OK);
    assert_int_equal(data[0], 1);
    assert_int_equal(data[1], (int16_t)70000);
    assert_int_equal(data[2], 3);
}

static void what_a_trap_left_behind_a_by_ref_stays(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    place        p;
    ilc_value    args[2] = {reference(&p, ILC_I32, 7), number(ILC_I32, 0)};
    assert_int_equal(call(c, "DivRef", args, NULL, &out), ILC_OK);
    assert_true(out.trapped);
    assert_int_equal(p.data[0], 7);
}

static void arguments_that_are_no_by_ref_of_the_type_are_refused(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    place        p;
    int32_t      data[2] = {0};
    ilc_array    object = {.elem = ILC_I32, .length = 2, .data = data};
    ilc_value    args[2] = {reference(&p, ILC_I32, 7), number(ILC_I32, 1)}, good = args[0];
    args[0].is_byref = false; /* an array */
    assert_int_equal(call(c, "RefI4", args, NULL, &out), ILC_INVALID);
    args[0] = number(ILC_I32, 7);
    assert_int_equal(call(c, "RefI4", args, NULL, &out), ILC_INVALID);
    args[0] = good;
    args[0].u.array = NULL;
    assert_int_equal(call(c, "RefI4", args, NULL, &out), ILC_INVALID);
    args[0].u.array = &object; /* two elements */
    assert_int_equal(call(c, "RefI4", args, NULL, &out), ILC_INVALID);
    args[0] = reference(&p, ILC_U32, 7);
    assert_int_equal(call(c, "RefI4", args, NULL, &out), ILC_INVALID);
    args[0] = good;
    p.object.elem = ILC_I32;
    assert_int_equal(call(c, "RefI4", args, NULL, &out), ILC_OK);
    assert_int_equal(call(c, "Inner", args, NULL, &out), ILC_INVALID); /* wants an array */
}

static void moving_parameters_to_memory_takes_no_fuel(void **state)
{
    const cases        *c = *state;
    ilc_outcome         out;
    ilc_value           arg = number(ILC_I32, 5);
    ilc__interp_options options = {.fuel = 7};
    assert_int_equal(call(c, "ArgumentAddress", &arg, &options, &out), ILC_LIMIT);
    options.fuel = 8;
    assert_int_equal(call(c, "ArgumentAddress", &arg, &options, &out), ILC_OK);
    assert_int_equal(out.ret.u.bits, 6);
}

typedef struct lines {
    char     text[40][160];
    uint32_t count;
} lines;

static void keep_line(void *user, const char *line)
{
    lines *l = user;
    if (l->count < 40) snprintf(l->text[l->count++], sizeof l->text[0], "%s", line);
}

static bool has_line(const lines *l, const char *text)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (strcmp(l->text[i], text) == 0) return true;
    return false;
}

static void a_trace_shows_what_by_refs_lead_to_and_structures_hold(void **state)
{
    const cases        *c = *state;
    lines               l = {.count = 0};
    ilc_outcome         out;
    place               p;
    ilc__interp_options options = {.trace = keep_line, .trace_user = &l};
    ilc_value           args[2] = {reference(&p, ILC_I16, 5), number(ILC_I32, 0xffff)};
    assert_int_equal(call(c, "ObjI2", args, &options, &out), ILC_OK);
    assert_string_equal(l.text[0], "IlCases.ObjI2 IL_0000 ldarg.0 p0 []");
    assert_string_equal(l.text[1], "IlCases.ObjI2 IL_0001 ldarg.1 p1 [&5]");
    assert_true(has_line(&l, "IlCases.ObjI2 IL_0007 ldarg.0 p0 []"));
    assert_true(has_line(&l, "IlCases.ObjI2 IL_0008 ldobj Int16 [&-1]"));
    l.count = 0;
    args[0] = number(ILC_F32, 0x40400000), args[1] = number(ILC_F32, 0x3f000000);
    assert_int_equal(call(c, "NewInLocal", args, &options, &out), ILC_OK);
    assert_true(has_line(&l, "V2.Sum IL_0000 ldarg.0 this []"));
    assert_true(has_line(&l, "V2.Sum IL_0001 ldfld Single V2.x [&{x: 6f, y: 1f}]"));
    l.count = 0;
    assert_int_equal(call(c, "NewStruct", args, &options, &out), ILC_OK);
    assert_true(has_line(&l, "IlCases.NewStruct IL_0007 ldfld Single V2.y [{x: 3f, y: 0.5f}]"));
    l.count = 0;
    assert_int_equal(call(c, "NullRefRead", args, &options, &out), ILC_OK);
    assert_true(has_line(&l, "IlCases.NullRefRead IL_0001 ldind.i4 [&null]"));
}

static void recursion_with_memory_ends_at_256_activations_and_leaves_nothing(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    place        p;
    ilc_value    args[2] = {number(ILC_I32, 255), reference(&p, ILC_I32, 1)};
    for (int i = 0; i < 3; i++) {
        args[0] = number(ILC_I32, 255);
        assert_int_equal(call(c, "DeepRefs", args, NULL, &out), ILC_OK);
        assert_false(out.trapped);
        args[0] = number(ILC_I32, 256);
        assert_int_equal(call(c, "DeepRefs", args, NULL, &out), ILC_OK);
        assert_true(out.trapped);
        assert_string_equal(out.trap.exception, "System.InsufficientExecutionStackException");
    }
    assert_int_equal(c->machine->memory.blocks.count, 1);
    args[0] = number(ILC_I32, 5);
    assert_int_equal(call(c, "TailOwnLocal", args, NULL, &out), ILC_OK); /* a call each, not a loop */
    args[0] = number(ILC_I32, 256);
    assert_int_equal(call(c, "TailOwnLocal", args, NULL, &out), ILC_OK);
    assert_true(out.trapped);
}

static void frames_memory_never_moves_and_is_taken_again(void **state)
{
    const cases     *c = *state;
    ilc__il_machine *machine = c->machine;
    uint8_t         *taken[64];
    uint32_t         sizes[4] = {8, 5000, 40000, 100000};
    for (uint32_t i = 0; i < 64; i++) {
        taken[i] = ilc__il_memory_take(machine, sizes[i % 4]);
        assert_non_null(taken[i]);
        memset(taken[i], (int)i + 1, sizes[i % 4]);
    }
    for (uint32_t i = 0; i < 64; i++)
        for (uint32_t k = 0; k < sizes[i % 4]; k += sizes[i % 4] - 1) assert_int_equal(taken[i][k], i + 1);
    uint64_t total = machine->memory.total;
    for (uint32_t i = 0; i < 32; i++) ilc__il_memory_give_back(machine);
    for (uint32_t i = 32; i < 64; i++) assert_ptr_equal(ilc__il_memory_take(machine, sizes[i % 4]), taken[i]);
    ilc__il_memory_reset(machine);
    for (uint32_t i = 0; i < 64; i++) assert_ptr_equal(ilc__il_memory_take(machine, sizes[i % 4]), taken[i]);
    assert_int_equal(machine->memory.total, total);
}

static void frames_memory_has_an_end(void **state)
{
    const cases *c = *state;
    uint32_t     count = 0;
    while (count < 1000 && ilc__il_memory_take(c->machine, 1 << 20)) count++;
    assert_in_range(count, 16, 64);
    ilc__il_memory_reset(c->machine);
    assert_non_null(ilc__il_memory_take(c->machine, 16));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_cases, close_cases)
    const struct CMUnitTest tests[] = {
        TEST(two_by_refs_of_one_place_are_one_variable),
        TEST(a_by_ref_may_lead_into_an_array_that_is_passed_too),
        TEST(what_a_trap_left_behind_a_by_ref_stays),
        TEST(arguments_that_are_no_by_ref_of_the_type_are_refused),
        TEST(moving_parameters_to_memory_takes_no_fuel),
        TEST(a_trace_shows_what_by_refs_lead_to_and_structures_hold),
        TEST(recursion_with_memory_ends_at_256_activations_and_leaves_nothing),
        TEST(frames_memory_never_moves_and_is_taken_again),
        TEST(frames_memory_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
