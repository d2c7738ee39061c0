/* text_test.c - the text form prints, parses, prints the same; malformed text is refused. */
#include "unit.h"

#include "ir/ir.h"

static const char loop[] = "func \"RowSum\" (x: Single[], cols: Int32, i: Int32) Single traps\n"
                           "  var sum: Single local 0 named\n"
                           "  var $5 \"gr\xc3\xb6\xc3\x9f"
                           "e\": Int32 local 1 named\n"
                           "  var S_1: Int32 temp\n"
                           "b0: @0000\n"
                           "  %1 = param x\n"
                           "  %2 = param cols\n"
                           "  %3 = param i\n"
                           "  %4 = const.f32 0x00000000\n"
                           "  %5 = copy.f32 %4 [sum] @0006\n"
                           "  %6 = const.i32 0\n"
                           "  %7 = copy.i32 %6 [$5] @0008\n"
                           "  jump b1\n"
                           "b1: @0014\n"
                           "  %8 = phi.f32 b0 %5, b2 %15 [sum]\n"
                           "  %9 = phi.i32 b0 %7, b2 %17 [$5]\n"
                           "  %10 = lt.i32 %9, %2 @0018\n"
                           "  branch %10, b2, b3 @001a\n"
                           "b2: @0009\n"
                           "  %11 = mul.ovf.i32 %3, %2 @000c\n"
                           "  %12 = add.ovf.i32 %11, %9 @000e\n"
                           "  %13 = load.Single %1, %12 @0010\n"
                           "  %14 = add.f32 %8, %13 @0011\n"
                           "  %15 = copy.f32 %14 [sum] @0012\n"
                           "  %16 = const.i32 1\n"
                           "  %17 = add.ovf.i32 %9, %16 [$5] @0013\n"
                           "  jump b1\n"
                           "b3: @001c\n"
                           "  return %8 @001d\n";

static ilc__ir_func *parse(fixture *f, const char *text)
{
    ilc__ir_func *func = NULL;
    assert_ok(f, ilc__ir_parse(&f->ctx, &f->ctx.arena, text, &func));
    return func;
}

static const char *print(fixture *f, const ilc__ir_func *func)
{
    ilc__text text = {.arena = &f->ctx.arena};
    ilc__ir_print(func, &text);
    return ilc__text_string(&text);
}

static void text_survives_parsing_and_printing(void **state)
{
    fixture      *f = *state;
    ilc__ir_func *func = parse(f, loop);
    assert_string_equal(print(f, func), loop);
    assert_ok(f, ilc__ir_verify(func));
    assert_int_equal(func->param_count, 3);
    assert_string_equal(func->vars.items[5].name, "gr\xc3\xb6\xc3\x9f"
                                                  "e");
}

static void every_special_operation_survives(void **state)
{
    static const char text[] = "func \"F\" (a: Int32[], b: Int32[], n: Int32) Int32 traps\n"
                               "b0: @0000\n"
                               "  %1 = param a\n"
                               "  %2 = param b\n"
                               "  %3 = param n\n"
                               "  %4 = isnull %1\n"
                               "  %5 = sameref %1, %2\n"
                               "  %6 = len.i64 %1 @0001\n"
                               "  store.Int32 %1, %6, %3 @0002\n"
                               "  %7 = call Double traps \"G\\x22\" (%1, %6) @0003\n"
                               "  %8 = const.i64 -9223372036854775808\n"
                               "  %9 = const.ref null\n"
                               "  %10 = const.f64 0x7ff8000000000001\n"
                               "  switch %3, b1, b2, b3\n"
                               "b1: @0010\n"
                               "  %11 = newexc \"System.ArgumentException\" \"bad\" @0011\n"
                               "  throw %11 @0012\n"
                               "b2: @0020\n"
                               "  return %4 @0021\n"
                               "b3: @0030\n"
                               "  return %5 @0031\n";
    fixture          *f = *state;
    ilc__ir_func     *func = parse(f, text);
    assert_string_equal(print(f, func), text);
    assert_ok(f, ilc__ir_verify(func));
}

static void memory_survives(void **state)
{
    static const char text[] = "layout \"Ns.Vec2\" size 8 align 4 (x: Single @0, y: Single @4)\n"
                               "layout \"Pair`1<System.Int32>\" size 24 align 8 (v: \"Ns.Vec2\" @0, "
                               "\"<n>k__BackingField\": Int64 @8, b: Boolean @16)\n"
                               "func \"F\" (result: \"Ns.Vec2\"&, x: Single[], r: Int32&, p: "
                               "\"Pair`1<System.Int32>\", n: Int32) Void \"Ns.Vec2\" traps\n"
                               "  var q: \"Ns.Vec2\"& local 0 named\n"
                               "  slot p: \"Pair`1<System.Int32>\" param 3 named\n"
                               "  slot $2 \"a b\": Single local 1\n"
                               "  slot S_0: \"Ns.Vec2\" temp\n"
                               "b0: @0000\n"
                               "  %1 = param result\n"
                               "  %2 = param x\n"
                               "  %3 = param r\n"
                               "  %4 = param n\n"
                               "  %5 = slotaddr p\n"
                               "  %6 = fieldaddr %5, v @0001\n"
                               "  %7 = fieldaddr %6, y\n"
                               "  %8 = loadind.Single %7 @0002\n"
                               "  %9 = elemaddr.Single %2, %4 @0003\n"
                               "  storeind.Single %9, %8 @0004\n"
                               "  %10 = fieldaddr %5, \"<n>k__BackingField\"\n"
                               "  %11 = slotaddr S_0\n"
                               "  copymem %11, %6\n"
                               "  %12 = copy.addr %6 [q]\n"
                               "  jump b1\n"
                               "b1: @0010\n"
                               "  %13 = phi.addr b0 %12, b2 %15 [q]\n"
                               "  branch %4, b2, b3\n"
                               "b2: @0012\n"
                               "  %14 = loadind.Int32 %3\n"
                               "  %15 = copy.addr %13 [q]\n"
                               "  jump b1\n"
                               "b3: @0020\n"
                               "  zeromem %13\n"
                               "  %16 = slotaddr $2\n"
                               "  storeind.Single %16, %8\n"
                               "  copymem %1, %13 @0021\n"
                               "  return @0022\n";
    fixture          *f = *state;
    ilc__ir_func     *func = parse(f, text);
    assert_string_equal(print(f, func), text);
    assert_ok(f, ilc__ir_verify(func));
    assert_int_equal(func->slots.count, 4);
    assert_int_equal(ilc__ir_param_slot(func, 4), 1);
    assert_int_equal(ilc__ir_param_slot(func, 5), 0);
}

static void malformed_text_is_refused_with_line_and_column(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "line 1, column 1: 'func' was expected"},
        {"func \"F\" () Single2\nb0:\n", "a storage type was expected"},
        {"func \"F\" () Void\n", "there is no block"},
        {"func \"F\" () Void\nb1:\n  return\n", "blocks are numbered"},
        {"func \"F\" () Void\nb0:\n  jump b4000000000\n", "block b4000000000 does not exist"},
        {"func \"F\" () Void\nb0:\n  jump b99999999999\n", "a block was expected"},
        {"func \"F\" () Void\nb0:\n  %1 = neg.i32 %2\n  return\n", "used but not defined"},
        {"func \"F\" () Void\nb0:\n  %1 = const.i32 2147483648\n  return\n", "too large"},
        {"func \"F\" () Void\nb0:\n  %1 = const.i32 1\n  %1 = const.i32 1\n  return\n", "defined twice"},
        {"func \"F\" () Void\nb0:\n  %1 = frob.i32 %2\n", "no such operation"},
        {"func \"F\" () Void\nb0:\n  const.i32 1\n", "named exactly where"},
        {"func \"F\" () Void\nb0:\n  %1 = param x\n", "no such variable"},
        {"func \"F\" (x: Int32, x: Int32) Void\n", "declared twice"},
        {"func \"F\" (x: Int32) Void\nb0:\n  %1 = phi.i32 b0 %1 [x]\n  return\n", "has 1 arguments for 0"},
        {"func \"F\" () Void\nb0:\n  return ] \n", "line 3, column 10: the end of the line"},
        {"func \"F", "was not closed"},
        {"func \"F\" (p: \"V\") Void\n", "no such layout"},
        {"layout \"V\" size 4 align 4 (x: Int64 @0)\n", "lies outside its layout"},
        {"layout \"V\" size 4 align 4 (x: Int32 @4294967295)\n", "lies outside its layout"},
        {"layout \"V\" size 0 align 4 ()\n", "a size was expected"},
        {"layout \"V\" size 4 align 4 (x: \"V\" @0)\n", "no such layout"},
        {"layout \"V\" size 1 align 1 ()\nlayout \"V\" size 1 align 1 ()\n", "declared twice"},
        {"func \"F\" () Void\n  slot s: Int32\n", "'temp', 'param' or 'local'"},
        {"func \"F\" () Void\nb0:\n  %1 = slotaddr s\n", "no such slot"},
        {"func \"F\" (r: Int32&) Void\nb0:\n  %1 = param r\n  %2 = fieldaddr %1, x\n  return\n",
         "no field x"},
        {"func \"F\" () Void\nb0:\n  %1 = fieldaddr %2, x\n  %2 = fieldaddr %1, x\n  return\n", "no field x"},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ilc__ir_func *func = NULL;
        assert_int_equal(ilc__ir_parse(&f->ctx, &f->ctx.arena, cases[i].text, &func), ILC_FORMAT);
        assert_contains(f->ctx.diags.items[f->ctx.diags.count - 1].text, cases[i].reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(text_survives_parsing_and_printing),
        TEST(every_special_operation_survives),
        TEST(memory_survives),
        TEST(malformed_text_is_refused_with_line_and_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
