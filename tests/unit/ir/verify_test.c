/* verify_test.c - functions that break one rule each: the verifier names the rule and shows it at its value.
 */
#include "unit.h"

#include "ir/ir.h"

static ilc__ir_func *parse(fixture *f, const char *text)
{
    ilc__ir_func *func = NULL;
    assert_ok(f, ilc__ir_parse(&f->ctx, &f->ctx.arena, text, &func));
    return func;
}

static void check_broken(fixture *f, ilc__ir_func *func, const char *rule)
{
    assert_int_equal(ilc__ir_verify(func), ILC_INTERNAL);
    assert_contains(last_diag(f), rule);
}

#define HEAD                                                                                                 \
    "func \"F\" (a: Int32, x: Int32[], d: Double) Int32 traps\n  var v: Int32 local 0\nb0:\n  %1 = param "   \
    "a\n  %2 = param x\n  %3 = param d\n"

static const struct {
    const char *rule, *body;
} broken[] = {
    {"a block ends with its one terminator", "  %4 = neg.i32 %1\n"},
    {"a block ends with its one terminator", "  return %1\n  return %1\n"},
    {"a block is not empty", "  jump b1\nb1:\n"},
    {"phis stand first", "  jump b1\nb1:\n  %4 = neg.i32 %1\n  %5 = phi.i32 b0 %1 [a]\n  return %4\n"},
    {"a branch has two targets", "  branch %1, b1\nb1:\n  return %1\n"},
    {"a jump has one target", "  jump b1, b1\nb1:\n  return %1\n"},
    {"the entry has no predecessors", "  jump b0\n"},
    {"a critical edge is split", "  branch %1, b1, b2\nb1:\n  jump b2\nb2:\n  return %1\n"},
    {"a block is reached from the entry", "  return %1\nb1:\n  return %1\n"},
    {"an operation has its number of operands", "  %4 = add.i32 %1\n  return %4\n"},
    {"an operand has the type of its place", "  %4 = add.i32 %1, %3\n  return %4\n"},
    {"an operand has the type of its place", "  %4 = len.i32 %1\n  return %4\n"},
    {"an operand has the type of its place", "  branch %3, b1, b2\nb1:\n  return %1\nb2:\n  return %1\n"},
    {"an operand has the type of its place", "  throw %1\n"},
    {"an operand has the type of its place", "  %4 = newexc \"T\" \"m\"\n  return %4\n"},
    {"a return has a value where the function has", "  return\n"},
    {"a return has the result's type", "  return %3\n"},
    {"an operand has the type of its place", "  %4 = load.Int32 %2, %3\n  return %4\n"},
    {"a store takes its element's type", "  store.Int32 %2, %1, %3\n  return %1\n"},
    {"a length is an integer", "  %4 = len.f32 %2\n  return %1\n"},
    {"a parameter stands once", "  %4 = param a\n  return %1\n"},
    {"a parameter is one of the function's", "  %4 = param v\n  return %1\n"},
    {"parameters stand in the entry", "  jump b1\nb1:\n  %4 = param a\n  return %1\n"},
    {"a copy belongs to a variable", "  %4 = copy.i32 %1\n  return %4\n"},
    {"a copy has its operand's type", "  %4 = copy.i32 %3 [v]\n  return %1\n"},
    {"a version has its variable's type", "  %4 = copy.f64 %3 [v]\n  return %1\n"},
    {"a phi belongs to a variable", "  jump b1\nb1:\n  %4 = phi.i32 b0 %1\n  return %4\n"},
    {"a phi joins versions of its own variable", "  jump b1\nb1:\n  %4 = phi.i32 b0 %1 [v]\n  return %4\n"},
    {"a phi's arguments have its type", "  jump b1\nb1:\n  %4 = phi.i32 b0 %3 [a]\n  return %4\n"},
    {"an operand is computed on every path to its use",
     "  %4 = neg.i32 %5\n  %5 = neg.i32 %1\n  return %4\n"},
    {"an operand is computed on every path to its use",
     "  branch %1, b1, b2\nb1:\n  %4 = neg.i32 %1\n  jump b3\nb2:\n  jump b3\nb3:\n  return %4\n"},
    {"an operand is computed on every path to its use",
     "  branch %1, b1, b2\nb1:\n  %4 = copy.i32 %1 [v]\n  jump b3\nb2:\n  jump b3\nb3:\n  %5 = phi.i32 b1 "
     "%4, b2 %4 [v]\n  return %5\n"},
    {"a division that cannot trap", "  %4 = const.i32 0\n  %5 = div.nz.i32 %1, %4\n  return %5\n"},
    {"a division that cannot trap", "  %4 = const.i32 -1\n  %5 = rem.nz.i32 %1, %4\n  return %5\n"},
    {"a division that cannot trap", "  %5 = div.nz.i32 %1, %1\n  return %5\n"},
    {"versions of one variable are not live together",
     "  %4 = neg.i32 %1 [a]\n  %5 = add.i32 %1, %4\n  return %5\n"},
    {"versions of one variable are not live together", "  %4 = neg.i32 %1 [a]\n  return %1\n"},
    /* the old version is read in the block behind */
    {"versions of one variable are not live together",
     "  %4 = neg.i32 %1 [a]\n  jump b1\nb1:\n  %5 = add.i32 %1, %4\n  return %5\n"},
    /* lost copy: the phi is read after its next version was made */
    {"versions of one variable are not live together",
     "  %4 = copy.i32 %1 [v]\n  jump b1\nb1:\n  %5 = phi.i32 b0 %4, b2 %6 [v]\n  %6 = neg.i32 %5 [v]\n"
     "  branch %6, b2, b3\nb2:\n  jump b1\nb3:\n  return %5\n"},
    /* both versions flow into one phi's block */
    {"versions of one variable are not live together",
     "  branch %1, b1, b2\nb1:\n  %4 = neg.i32 %1 [a]\n  jump b3\nb2:\n  jump b3\nb3:\n  %5 = phi.i32 b1 %4, "
     "b2 %1 [a]\n"
     "  %6 = add.i32 %5, %1\n  return %6\n"},
};

static void each_broken_rule_is_named(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        ilc__text text = {.arena = &f->ctx.arena};
        ilc__text_puts(&text, HEAD);
        ilc__text_puts(&text, broken[i].body);
        check_broken(f, parse(f, ilc__text_string(&text)), broken[i].rule);
    }
}

#define SHAPES                                                                                               \
    "func \"F\" (a: Int32, m: Single[,], j: Single[][], x: Single[]) Int32 traps\n  var v: Single[,] local 0\n"     \
    "b0:\n  %1 = param a\n  %2 = param m\n  %3 = param j\n  %4 = param x\n"

static const struct {
    const char *rule, *body;
} broken_shapes[] = {
    {"there is a subscript for each dimension", "  %5 = load.Single %2, %1\n  return %1\n"},
    {"there is a subscript for each dimension", "  %5 = load.Single %2, %1, %1, %1\n  return %1\n"},
    {"there is a subscript for each dimension", "  %5 = elemaddr.Single %4, %1, %1\n  return %1\n"},
    {"an operation has its number of operands", "  %5 = load.Single %2\n  return %1\n"},
    {"an operation has its number of operands", "  %5 = load.Single %2, %1, %1, %1, %1\n  return %1\n"},
    {"an operation has its number of operands", "  %5 = dim %2\n  return %5\n"},
    {"an operand has the type of its place", "  %5 = dim %1, %1\n  return %5\n"},
    {"what a jagged array holds is known", "  %5 = load.Single[] %4, %1\n  return %1\n"},
    {"what a jagged array holds is known", "  %5 = load.Double[] %3, %1\n  return %1\n"},
    {"a load has its element's type", "  %5 = load.Single %3, %1\n  return %1\n"},
    {"no array is stored into another", "  %5 = const.f32 0x00000000\n  store.Single %3, %1, %5\n  return %1\n"},
    {"an array variable holds arrays of one shape", "  %5 = copy.ref %4 [v]\n  return %1\n"},
    {"an array variable holds arrays of one shape", "  %5 = load.Single[] %3, %1\n  %6 = copy.ref %5 [v]\n  return %1\n"},
};

static void each_broken_rule_of_arrays_is_named(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof broken_shapes / sizeof broken_shapes[0]; i++) {
        ilc__text text = {.arena = &f->ctx.arena};
        ilc__text_puts(&text, SHAPES);
        ilc__text_puts(&text, broken_shapes[i].body);
        check_broken(f, parse(f, ilc__text_string(&text)), broken_shapes[i].rule);
    }
}

#define MEMORY                                                                                               \
    "layout \"V\" size 8 align 4 (x: Single @0, y: Single @4)\nlayout \"W\" size 8 align 8 (z: Int64 @0)\n"  \
    "func \"F\" (a: Int32, r: Int32&, v: \"V\"&, p: \"V\", x: Int32[]) Int32\n  var q: Int64& local 0\n  "   \
    "slot p: \"V\" param 3\n"                                                                                \
    "  slot w: \"W\" temp\n  slot s: Int32 temp\nb0:\n  %1 = param a\n  %2 = param r\n  %3 = param v\n  %4 " \
    "= slotaddr p\n"                                                                                         \
    "  %5 = slotaddr w\n  %6 = param x\n"

static const struct {
    const char *rule, *body;
} broken_memory[] = {
    {"an operand has the type of its place", "  %7 = loadind.Int32 %1\n  return %7\n"},
    {"an operand has the type of its place", "  %7 = loadind.Int32 %6\n  return %7\n"},
    {"an operand has the type of its place", "  %7 = add.i32 %1, %2\n  return %7\n"},
    {"what is loaded is what its address is of", "  %7 = loadind.Single %2\n  return %1\n"},
    {"what is loaded is what its address is of", "  %7 = loadind.Single %3\n  return %1\n"},
    {"what is stored is what its address is of", "  storeind.UInt32 %2, %1\n  return %1\n"},
    {"a store takes its element's type", "  storeind.Int64 %2, %1\n  return %1\n"},
    {"memory is of the struct at its address", "  copymem %4, %5\n  return %1\n"},
    {"memory is of the struct at its address", "  zeromem %2\n  return %1\n"},
    {"an operand has the type of its place", "  %7 = elemaddr.Int32 %6, %2\n  return %1\n"},
    {"a part has one start", "  %7 = span.Int32 %6, %1, %1, %1\n  return %1\n"},
    {"a parameter in memory is reached through its slot", "  %7 = param p\n  return %1\n"},
    {"a by-ref variable holds addresses of one type", "  %7 = copy.addr %2 [q]\n  return %1\n"},
    {"a version has its variable's type", "  %7 = copy.addr %2 [a]\n  return %1\n"},
    {"a return has the result's type", "  return %2\n"},
    {"what is loaded is what its address is of", "  %7 = const.addr null of Double\n  %8 = loadind.Int32 %7\n  return %1\n"},
    {"an operand has the type of its place", "  %7 = addaddr.Int32 %2, %1\n  return %1\n"},
};

static void each_broken_rule_of_memory_is_named(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof broken_memory / sizeof broken_memory[0]; i++) {
        ilc__text text = {.arena = &f->ctx.arena};
        ilc__text_puts(&text, MEMORY);
        ilc__text_puts(&text, broken_memory[i].body);
        check_broken(f, parse(f, ilc__text_string(&text)), broken_memory[i].rule);
    }
    assert_ok(f, ilc__ir_verify(parse(f, MEMORY "  copymem %3, %4\n  storeind.Int32 %2, %1\n  return %1\n")));
    check_broken(f, parse(f, "func \"F\" (a: Int32) Void\n  slot a: Int64 param 0\nb0:\n  return\n"),
                 "a parameter's slot has its type");
    check_broken(f, parse(f, "func \"F\" (a: Int32) Void\n  slot a: Int32 param 1\nb0:\n  return\n"),
                 "one of the function's");
}

static void the_fault_is_shown_where_it_is(void **state)
{
    fixture      *f = *state;
    ilc__ir_func *func = parse(f, HEAD "  %4 = neg.i32 %1\n  %5 = add.i32 %4, %3\n  return %5\n");
    assert_int_equal(ilc__ir_verify(func), ILC_INTERNAL);
    assert_contains(last_diag(f), "%5 = add.i32 %4, %3   ; <-- an operand has the type of its place");
}

static void predecessors_must_match_the_targets(void **state)
{
    fixture      *f = *state;
    ilc__ir_func *func = parse(f, HEAD "  branch %1, b1, b2\nb1:\n  return %1\nb2:\n  return %1\n");
    assert_ok(f, ilc__ir_verify(func));
    func->blocks.items[2].preds.items[0] = 1;
    check_broken(f, func, "predecessors match the targets");
}

static void calls_are_held_against_the_function_called(void **state)
{
    fixture      *f = *state;
    ilc__ir_func *callee = parse(f, "func \"G\" (x: Single[], n: Int64) Int32\nb0:\n  %1 = param x\n  %2 = "
                                    "param n\n  %3 = const.i32 1\n  return %3\n");
    ilc__ir_func *func = parse(f, HEAD "  %4 = call Int32 \"G\" (%2, %1)\n  return %4\n");
    assert_ok(f, ilc__ir_verify(func));
    for (ilc__ref ref = 1; ref < func->values.count; ref++)
        if (func->values.items[ref].op == ILC__OP_CALL) func->values.items[ref].u.callee = callee;
    check_broken(f, func, "an argument has its parameter's type");
}

static void right_functions_pass(void **state)
{
    fixture *f = *state;
    /* swap through a temporary, in a loop; a switch with two ways to one target */
    assert_ok(
        f,
        ilc__ir_verify(parse(
            f,
            "func \"F\" (a: Int32, b: Int32) Int32\n  var t: Int32 local 0\nb0:\n  %1 = param a\n  %2 = "
            "param b\n  jump b1\n"
            "b1:\n  %3 = phi.i32 b0 %1, b2 %6 [a]\n  %4 = phi.i32 b0 %2, b2 %7 [b]\n  %5 = copy.i32 %3 [t]\n"
            "  %6 = copy.i32 %4 [a]\n  %7 = copy.i32 %5 [b]\n  branch %7, b2, b3\nb2:\n  jump b1\nb3:\n  "
            "return %6\n")));
    assert_ok(f,
              ilc__ir_verify(parse(f, HEAD "  switch %1, b1, b1, b2\nb1:\n  return %1\nb2:\n  return %1\n")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_broken_rule_is_named),
        TEST(each_broken_rule_of_memory_is_named), TEST(each_broken_rule_of_arrays_is_named),
        TEST(the_fault_is_shown_where_it_is),
        TEST(predecessors_must_match_the_targets),
        TEST(calls_are_held_against_the_function_called),
        TEST(right_functions_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
