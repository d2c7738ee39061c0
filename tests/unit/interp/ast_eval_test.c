/* ast_eval_test.c - the tree interpreter on compiled methods: values, traps and where they are, arrays in place,
 * fuel, stop, arguments that do not fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/interp.h"
#include "opt/pass.h"

typedef struct fixture {
    ilc__context      ctx;
    ilc__set         *set;
    ilc__unit         unit;
    ilc__ast_machine *machine;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    ilc__context_init(&f->ctx);
    f->set = ilc__set_create(&f->ctx);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    ilc__set_destroy(f->set);
    ilc__context_free(&f->ctx);
    free(f);
    return 0;
}

#define assert_ok(f, expr)                                                                                   \
    do {                                                                                                     \
        if ((expr) != ILC_OK) fail_msg("%s", (f)->ctx.diags.items[(f)->ctx.diags.count - 1].text);           \
    } while (0)

static void load(fixture *f, const char *assembly, const char *name)
{
    ilc__image        *image = NULL;
    const ilc__method *method = NULL;
    ilc__ir_unit       ir = {0};
    char               path[512];
    snprintf(path, sizeof path, "%s/bin/%s.dll", ILCUDA_FIXTURES, assembly);
    assert_ok(f, ilc__set_open(f->set, path, &image));
    for (uint32_t row = 1; row <= ilc__image_method_count(image); row++) {
        assert_ok(f, ilc__image_method(image, row, &method));
        if (strcmp(method->name, name) == 0) break;
    }
    assert_string_equal(method->name, name);
    assert_ok(f, ilc__ir_lift(&f->ctx, &f->ctx.arena, method, &ir));
    assert_ok(f, ilc__opt_run(&f->ctx, &ir, NULL, NULL));
    assert_ok(f, ilc__ast_build(&f->ctx, &f->ctx.arena, &ir, &f->unit));
    assert_ok(f, ilc__ast_machine_create(&f->ctx, &f->ctx.arena, &f->unit, &f->machine));
}

static ilc_value i32(int32_t value)
{
    return (ilc_value){.storage = ILC_I32, .u.bits = (uint64_t)(int64_t)value};
}

static ilc_value array_of(ilc_array *array, ilc_storage elem)
{
    return (ilc_value){.storage = elem, .is_array = true, .u.array = array};
}

static ilc_outcome call(fixture *f, const ilc_value *args, uint32_t count)
{
    ilc_outcome out = {0};
    assert_ok(f, ilc__ast_machine_call(f->machine, args, count, NULL, &out));
    return out;
}

static void a_row_is_summed_in_order(void **state)
{
    fixture  *f = *state;
    float     data[6] = {1e8f, 1, -1e8f, 0.5f, 2, 3};
    ilc_array x = {ILC_F32, 6, data};
    load(f, "Tutorial", "RowSum");
    ilc_value args[3] = {array_of(&x, ILC_F32), i32(3), i32(0)};
    for (int turn = 0; turn < 3; turn++) { /* a machine may be called again */
        ilc_outcome out = call(f, args, 3);
        float       sum = 5;
        assert_false(out.trapped);
        memcpy(&sum, &out.ret.u.bits, sizeof sum);
        assert_true(sum == 0.0f); /* 1e8f + 1 is 1e8f */
    }
    args[2] = i32(1);
    ilc_outcome out = call(f, args, 3);
    assert_int_equal(out.ret.u.bits, 0x40b00000); /* 5.5F */
}

static void assert_trap(const ilc_outcome *out, const char *exception, const char *method)
{
    assert_true(out->trapped);
    assert_string_equal(out->trap.exception, exception);
    assert_non_null(strstr(out->trap.method, method));
    assert_true(out->trap.line > 0);
    assert_non_null(out->trap.file);
}

static void traps_say_what_and_where(void **state)
{
    fixture  *f = *state;
    float     data[6] = {0};
    ilc_array x = {ILC_F32, 6, data};
    load(f, "Tutorial", "RowSum");
    ilc_value   past[3] = {array_of(&x, ILC_F32), i32(4), i32(1)}, null[3] = {array_of(NULL, ILC_F32), i32(4), i32(1)};
    ilc_value   large[3] = {array_of(&x, ILC_F32), i32(1 << 20), i32(1 << 20)}, least[3] = {array_of(&x, ILC_F32), i32(INT32_MIN), i32(0)};
    ilc_outcome out = call(f, past, 3);
    assert_trap(&out, "System.IndexOutOfRangeException", "RowSum");
    uint32_t at_load = out.trap.il_offset;
    out = call(f, null, 3);
    assert_trap(&out, "System.NullReferenceException", "RowSum");
    assert_int_equal(out.trap.il_offset, at_load);
    out = call(f, large, 3);
    assert_trap(&out, "System.OverflowException", "RowSum");
    assert_true(out.trap.il_offset < at_load);
    out = call(f, least, 3); /* cols - 1 */
    assert_trap(&out, "System.OverflowException", "RowSum");
    assert_string_equal(out.trap.message, "Arithmetic operation resulted in an overflow.");
}

static void a_throw_is_a_trap_with_its_message(void **state)
{
    fixture  *f = *state;
    int32_t   data[2] = {4, -1};
    ilc_array n = {ILC_I32, 2, data};
    load(f, "CasesVb", "Case26_Guard");
    ilc_value   args[2] = {array_of(&n, ILC_I32), i32(0)};
    ilc_outcome out = call(f, args, 2);
    assert_false(out.trapped);
    assert_int_equal(out.ret.u.bits, 8);
    args[1] = i32(1);
    out = call(f, args, 2);
    assert_trap(&out, "System.ArgumentException", "Case26_Guard");
    assert_string_equal(out.trap.message, "n");
}

static void arrays_are_changed_in_place_and_may_be_the_same(void **state)
{
    fixture  *f = *state;
    int32_t   data[1] = {6};
    ilc_array a = {ILC_I32, 1, data};
    load(f, "CasesVb", "Case30_Alias");
    ilc_value   args[2] = {array_of(&a, ILC_I32), array_of(&a, ILC_I32)};
    ilc_outcome out = call(f, args, 2);
    assert_int_equal(data[0], 7);
    assert_int_equal(out.ret.u.bits, 706);
}

static void callees_run_and_small_results_are_cut(void **state)
{
    static const int32_t cases[][3] = {{5, 1, 51}, {5, 0, -48}, {2, 1, 23}, {2, 0, -16}};
    fixture *f = *state;
    load(f, "CasesVb", "Case05_Pick");
    for (size_t i = 0; i < 4; i++) {
        ilc_value   args[2] = {i32(cases[i][0]), {.storage = ILC_BOOL, .u.bits = (uint64_t)cases[i][1]}};
        ilc_outcome out = call(f, args, 2);
        assert_int_equal((int64_t)out.ret.u.bits, cases[i][2]);
    }
}

static void a_loop_without_end_runs_out_of_fuel_or_is_stopped(void **state)
{
    static const char text[] = "func \"F\" (n: Int32) Int32\n"
                               "b0: @0000\n"
                               "  %1 = param n\n"
                               "  jump b1\n"
                               "b1: @0001\n"
                               "  %2 = const.i32 0\n"
                               "  %3 = lt.i32 %1, %2\n"
                               "  branch %3, b3, b2\n"
                               "b2: @0002\n"
                               "  jump b1\n"
                               "b3: @0003\n"
                               "  return %1\n";
    fixture      *f = *state;
    ilc__ir_func *func = NULL;
    ilc__ir_unit  ir = {0};
    assert_ok(f, ilc__ir_parse(&f->ctx, &f->ctx.arena, text, &func));
    ILC__PUSH(&f->ctx.arena, &ir.funcs, func);
    assert_ok(f, ilc__ast_build(&f->ctx, &f->ctx.arena, &ir, &f->unit));
    assert_ok(f, ilc__ast_machine_create(&f->ctx, &f->ctx.arena, &f->unit, &f->machine));
    ilc_value           arg = i32(1);
    ilc_outcome         out = {0};
    ilc__interp_options fuel = {.fuel = 5000};
    assert_int_equal(ilc__ast_machine_call(f->machine, &arg, 1, &fuel, &out), ILC_LIMIT);
    volatile bool       stop = true;
    ilc__interp_options stopped = {.stop = &stop};
    assert_int_equal(ilc__ast_machine_call(f->machine, &arg, 1, &stopped, &out), ILC_LIMIT);
    arg = i32(-1);
    assert_int_equal(ilc__ast_machine_call(f->machine, &arg, 1, &fuel, &out), ILC_OK);
    assert_int_equal((int64_t)out.ret.u.bits, -1);
}

static void arguments_that_do_not_fit_are_refused(void **state)
{
    fixture    *f = *state;
    double      data[2] = {0};
    ilc_array   wide = {ILC_F64, 2, data};
    ilc_outcome out = {0};
    load(f, "Tutorial", "RowSum");
    ilc_value few[1] = {i32(0)}, scalar[3] = {i32(0), i32(1), i32(0)}, other[3] = {array_of(&wide, ILC_F64), i32(1), i32(0)};
    assert_int_equal(ilc__ast_machine_call(f->machine, few, 1, NULL, &out), ILC_INVALID);
    assert_int_equal(ilc__ast_machine_call(f->machine, scalar, 3, NULL, &out), ILC_INVALID);
    assert_int_equal(ilc__ast_machine_call(f->machine, other, 3, NULL, &out), ILC_INVALID);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_row_is_summed_in_order), TEST(traps_say_what_and_where), TEST(a_throw_is_a_trap_with_its_message),
        TEST(arrays_are_changed_in_place_and_may_be_the_same), TEST(callees_run_and_small_results_are_cut),
        TEST(a_loop_without_end_runs_out_of_fuel_or_is_stopped), TEST(arguments_that_do_not_fit_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
