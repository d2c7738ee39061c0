/* ast_memory_test.c - memory of the tree interpreter: by-ref arguments, slots, structs, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "interp/interp.h"

typedef struct fixture {
    ilc__context      ctx;
    ilc__unit         unit;
    ilc__ast_machine *machine;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    ilc__context_init(&f->ctx);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    ilc__context_free(&f->ctx);
    free(f);
    return 0;
}

#define assert_ok(f, expr)                                                                                   \
    do {                                                                                                     \
        if ((expr) != ILC_OK) fail_msg("%s", (f)->ctx.diags.items[(f)->ctx.diags.count - 1].text);           \
    } while (0)

static ilc_status build(fixture *f, const char *text)
{
    ilc__ir_func *func = NULL;
    ilc__ir_unit  ir = {0};
    assert_ok(f, ilc__ir_parse(&f->ctx, &f->ctx.arena, text, &func));
    assert_ok(f, ilc__ir_verify(func));
    ILC__PUSH(&f->ctx.arena, &ir.funcs, func);
    assert_ok(f, ilc__ast_build(&f->ctx, &f->ctx.arena, &ir, &f->unit));
    return ilc__ast_machine_create(&f->ctx, &f->ctx.arena, &f->unit, &f->machine);
}

static ilc_value i32(int32_t value)
{
    return (ilc_value){.storage = ILC_I32, .u.bits = (uint64_t)(int64_t)value};
}

static ilc_value array_of(ilc_array *array)
{
    return (ilc_value){.storage = array->elem, .is_array = true, .u.array = array};
}

static ilc_value by_ref_to(ilc_array *array)
{
    ilc_value value = array_of(array);
    value.is_byref = true;
    return value;
}

static const char sum_through[] = "func \"F\" (r: Int16&, s: Int16&, n: Int32) Int32\n"
                                  "b0: @0000\n"
                                  "  %1 = param r\n"
                                  "  %2 = param s\n"
                                  "  %3 = param n\n"
                                  "  storeind.Int16 %1, %3\n"
                                  "  %4 = loadind.Int16 %2\n"
                                  "  %5 = loadind.Int16 %1\n"
                                  "  storeind.Int16 %2, %5\n"
                                  "  return %4\n";

static void by_refs_are_changed_in_place_and_may_be_the_same(void **state)
{
    fixture    *f = *state;
    int16_t     x = 1, y = 2;
    ilc_array   a = {ILC_I16, 1, &x}, b = {ILC_I16, 1, &y};
    ilc_outcome out = {0};
    assert_ok(f, build(f, sum_through));
    ilc_value args[3] = {by_ref_to(&a), by_ref_to(&b), i32(65535)};
    assert_ok(f, ilc__ast_machine_call(f->machine, args, 3, NULL, &out));
    assert_int_equal(out.ret.u.bits, 2);
    assert_int_equal(x, -1);
    assert_int_equal(y, -1);
    args[1] = args[0];
    args[2] = i32(7);
    assert_ok(f, ilc__ast_machine_call(f->machine, args, 3, NULL, &out));
    assert_int_equal(out.ret.u.bits, 7);
}

static void by_refs_that_do_not_fit_are_refused(void **state)
{
    fixture    *f = *state;
    int16_t     x = 1;
    int32_t     w = 1;
    ilc_array   one = {ILC_I16, 1, &x}, none = {ILC_I16, 0, &x}, wide = {ILC_I32, 1, &w};
    ilc_outcome out = {0};
    assert_ok(f, build(f, sum_through));
    ilc_value null = by_ref_to(&one);
    null.u.array = NULL;
    const ilc_value wrong[] = {array_of(&one), i32(1), by_ref_to(&none), by_ref_to(&wide), null};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ilc_value args[3] = {by_ref_to(&one), wrong[i], i32(1)};
        assert_int_equal(ilc__ast_machine_call(f->machine, args, 3, NULL, &out), ILC_INVALID);
    }
    ilc_value args[3] = {by_ref_to(&one), by_ref_to(&one), by_ref_to(&wide)};
    assert_int_equal(ilc__ast_machine_call(f->machine, args, 3, NULL, &out), ILC_INVALID);
}

static void slots_are_zero_at_each_entry_and_parameters_start_with_their_value(void **state)
{
    static const char text[] = "func \"F\" (p: Byte, x: Int64[], i: Int64) Int32 traps\n"
                               "  slot p: Byte param 0 named\n"
                               "  slot s: Int32 local 0 named\n"
                               "b0: @0000\n"
                               "  %1 = param x\n"
                               "  %2 = param i\n"
                               "  %3 = slotaddr p\n"
                               "  %4 = slotaddr s\n"
                               "  %5 = loadind.Int32 %4\n"
                               "  %6 = const.i32 100\n"
                               "  storeind.Int32 %4, %6\n"
                               "  %7 = loadind.Byte %3\n"
                               "  storeind.Byte %3, %6\n"
                               "  %8 = add.i32 %5, %7\n"
                               "  %9 = elemaddr.Int64 %1, %2 @0007\n"
                               "  %10 = i64.i32 %8\n"
                               "  storeind.Int64 %9, %10\n"
                               "  return %8\n";
    fixture    *f = *state;
    int64_t     data[3] = {1, 2, 3};
    ilc_array   x = {ILC_I64, 3, data};
    ilc_outcome out = {0};
    assert_ok(f, build(f, text));
    ilc_value args[3] = {{.storage = ILC_U8, .u.bits = 200}, array_of(&x), {.storage = ILC_I64, .u.bits = 2}};
    for (int turn = 0; turn < 2; turn++) {
        assert_ok(f, ilc__ast_machine_call(f->machine, args, 3, NULL, &out));
        assert_int_equal(out.ret.u.bits, 200);
        assert_int_equal(data[2], 200);
    }
    args[2].u.bits = 0x100000002; /* not 2 */
    assert_ok(f, ilc__ast_machine_call(f->machine, args, 3, NULL, &out));
    assert_true(out.trapped);
    assert_string_equal(out.trap.exception, "System.IndexOutOfRangeException");
    assert_int_equal(out.trap.il_offset, 7);
    args[1].u.array = NULL;
    assert_ok(f, ilc__ast_machine_call(f->machine, args, 3, NULL, &out));
    assert_string_equal(out.trap.exception, "System.NullReferenceException");
}

static void structs_are_copied_and_zeroed_whole(void **state)
{
    static const char text[] = "layout \"V\" size 8 align 4 (x: Int32 @0, y: Int32 @4)\n"
                               "layout \"W\" size 12 align 4 (k: Int32 @8, v: \"V\" @0)\n"
                               "func \"F\" (a: Int32) Int32\n"
                               "  slot w: \"W\" local 0 named\n"
                               "  slot v: \"V\" local 1 named\n"
                               "b0: @0000\n"
                               "  %1 = param a\n"
                               "  %2 = slotaddr w\n"
                               "  %3 = slotaddr v\n"
                               "  %4 = fieldaddr %2, v\n"
                               "  %5 = fieldaddr %4, y\n"
                               "  %6 = fieldaddr %2, k\n"
                               "  storeind.Int32 %5, %1\n"
                               "  storeind.Int32 %6, %1\n"
                               "  copymem %3, %4\n"
                               "  copymem %4, %4\n"
                               "  zeromem %4\n"
                               "  %7 = loadind.Int32 %5\n"
                               "  %8 = loadind.Int32 %6\n"
                               "  %9 = fieldaddr %3, y\n"
                               "  %10 = loadind.Int32 %9\n"
                               "  %11 = add.i32 %7, %8\n"
                               "  %12 = shl.i32 %10, %1\n"
                               "  %13 = add.i32 %11, %12\n"
                               "  return %13\n";
    fixture    *f = *state;
    ilc_outcome out = {0};
    assert_ok(f, build(f, text));
    ilc_value arg = i32(3);
    assert_ok(f, ilc__ast_machine_call(f->machine, &arg, 1, NULL, &out));
    assert_int_equal(out.ret.u.bits, 0 + 3 + 24);
}

static void a_struct_is_no_argument_of_a_call_from_outside(void **state)
{
    static const char by_value[] = "layout \"V\" size 4 align 4 (x: Int32 @0)\n"
                                   "func \"F\" (v: \"V\") Int32\n"
                                   "  slot v: \"V\" param 0 named\n"
                                   "b0: @0000\n"
                                   "  %1 = const.i32 1\n"
                                   "  return %1\n";
    static const char by_ref[] = "layout \"V\" size 4 align 4 (x: Int32 @0)\n"
                                 "func \"F\" (v: \"V\"&) Int32\n"
                                 "b0: @0000\n"
                                 "  %1 = param v\n"
                                 "  %2 = fieldaddr %1, x\n"
                                 "  %3 = loadind.Int32 %2\n"
                                 "  return %3\n";
    fixture    *f = *state;
    int32_t     x = 1;
    ilc_array   one = {ILC_I32, 1, &x};
    ilc_outcome out = {0};
    ilc_value   args[3] = {i32(1), by_ref_to(&one), array_of(&one)};
    for (int i = 0; i < 6; i++) {
        assert_ok(f, build(f, i % 2 ? by_ref : by_value));
        assert_int_equal(ilc__ast_machine_call(f->machine, &args[i / 2], 1, NULL, &out), ILC_INVALID);
    }
}

static void frames_of_too_much_memory_are_refused(void **state)
{
    fixture    *f = *state;
    ilc__text   text = {.arena = &f->ctx.arena};
    ilc__text_puts(&text, "layout \"Big\" size 60000 align 4 (x: Int32 @0)\nfunc \"F\" () Int32\n");
    for (int i = 0; i < 1200; i++) ilc__text_printf(&text, "  slot s%d: \"Big\" local %d\n", i, i);
    ilc__text_puts(&text, "b0: @0000\n  %1 = const.i32 1\n");
    for (int i = 0; i < 1200; i++) ilc__text_printf(&text, "  %%%d = slotaddr s%d\n  zeromem %%%d\n", i + 2, i, i + 2);
    ilc__text_puts(&text, "  return %1\n");
    assert_int_equal(build(f, ilc__text_string(&text)), ILC_LIMIT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(by_refs_are_changed_in_place_and_may_be_the_same), TEST(by_refs_that_do_not_fit_are_refused),
        TEST(slots_are_zero_at_each_entry_and_parameters_start_with_their_value), TEST(structs_are_copied_and_zeroed_whole),
        TEST(a_struct_is_no_argument_of_a_call_from_outside), TEST(frames_of_too_much_memory_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
