/* inline_test.c - which calls are replaced by what the callee does, over methods of the fixtures. */
#include "../ir/fixtures.h"

#include "opt/pass.h"

typedef struct found {
    const char *name;
    unsigned    methods, functions, calls, slots;
} found;

static void simplify_named(fixture *f, const ilc__method *method, void *user)
{
    found       *out = user;
    ilc__arena   arena;
    ilc__ir_unit unit;
    if (strcmp(method->name, out->name) != 0) return;
    ilc__arena_init(&arena, &f->ctx.heap);
    assert_ok(f, ilc__ir_lift(&f->ctx, &arena, method, &unit));
    assert_ok(f, ilc__opt_run(&f->ctx, &unit, NULL, NULL));
    out->methods++;
    out->functions += unit.funcs.count;
    for (uint32_t i = 0; i < unit.funcs.count; i++) {
        ilc__ir_func *func = unit.funcs.items[i];
        check_function(f, &arena, func);
        for (uint32_t b = 0; b < func->blocks.count; b++)
            for (uint32_t k = 0; k < func->blocks.items[b].list.count; k++) {
                ilc__op op = func->values.items[func->blocks.items[b].list.items[k]].op;
                out->calls += op == ILC__OP_CALL;
                out->slots += op == ILC__OP_SLOTADDR;
            }
    }
    ilc__arena_free(&arena);
}

static found simplified(fixture *f, const char *assembly, const char *name)
{
    found out = {.name = name};
    each_method_of(f, ilc__arena_printf(&f->ctx.arena, ILCUDA_FIXTURES "/bin/%s.dll", assembly), simplify_named, &out);
    assert_int_equal(out.methods, 1);
    return out;
}

static void accessors_and_operators_of_structs_stand_at_their_calls(void **state)
{
    static const char *const cases[][2] = {{"InlineCs", "Vectors"}, {"InlineCs", "Walk"}, {"InlineCs", "Reflects"},
                                           {"InlineCs", "Counts"}, {"InlineCs", "Keeps"}, {"InlineCs", "KeepsStructs"},
                                           {"InlineCsDebug", "Vectors"}, {"InlineCsDebug", "Reflects"},
                                           {"InlineCsDebug", "Keeps"}, {"InlineVb", "Escapes"}, {"InlineVbDebug", "Escapes"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found out = simplified(*state, cases[i][0], cases[i][1]);
        if (out.functions != 1 || out.calls || out.slots)
            fail_msg("%s %s: %u functions, %u calls, %u addresses of slots", cases[i][0], cases[i][1], out.functions, out.calls,
                     out.slots);
    }
}

static void what_may_trap_or_takes_no_struct_stays_a_function(void **state)
{
    static const struct {
        const char *assembly, *name;
        unsigned    functions, calls;
    } cases[] = {{"InlineCs", "Traps", 3, 2}, {"InlineCs", "NestedSquares", 3, 5}, {"InlineCs", "LargerOfThree", 2, 2},
                 {"InlineVb", "Sums", 3, 2},  {"InlineCs", "Turns", 2, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        found out = simplified(*state, cases[i].assembly, cases[i].name);
        assert_int_equal(out.functions, cases[i].functions);
        assert_int_equal(out.calls, cases[i].calls);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(accessors_and_operators_of_structs_stand_at_their_calls),
                                       TEST(what_may_trap_or_takes_no_struct_stays_a_function)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
