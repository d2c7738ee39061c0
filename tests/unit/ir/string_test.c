/* string_test.c - strings on their way to an exception, as IR: numbers, and the exception's open arguments. */
#include "fixtures.h"

static const char text[] = "func \"F\" (n: Int32, s: Int32) Void traps\n"
                           "b0: @0000\n"
                           "  %1 = param n\n"
                           "  %2 = param s\n"
                           "  branch %1, b1, b2\n"
                           "b1: @0002\n"
                           "  %3 = newexc \"System.ArgumentException\" (\"text\", %2) @0004\n"
                           "  throw %3 @0009\n"
                           "b2: @000a\n"
                           "  %4 = newexc \"System.ArgumentOutOfRangeException\" (%2, %1, x) @000c\n"
                           "  throw %4 @0011\n";

static void strings_meet_as_numbers_and_read_back(void **state)
{
    fixture      *f = *state;
    ilc__arena    arena;
    ilc__ir_func *func = NULL;
    ilc__arena_init(&arena, &f->ctx.heap);
    assert_ok(f, ilc__ir_parse(&f->ctx, &arena, text, &func));
    assert_ok(f, ilc__ir_verify(func));
    ilc__text out = {.arena = &arena};
    ilc__ir_print(func, &out);
    assert_string_equal(ilc__text_string(&out), text);
    ilc__ref              made = func->values.items[ilc__ir_terminator(func, 1)].args[0];
    const ilc__exception *exc = func->values.items[made].u.exc;
    const char           *open[] = {"n"};
    assert_int_equal(ilc__exception_open(exc), 1);
    assert_string_equal(ilc__exception_compose(&arena, exc, open), "text (Parameter 'n')");
    open[0] = NULL;
    assert_string_equal(ilc__exception_compose(&arena, exc, open), "text");
    ilc__arena_free(&arena);
}

static void an_own_exception_names_its_class_and_reads_back(void **state)
{
    static const char own[] = "func \"F\" (s: Int32) Void traps\n"
                              "b0: @0000\n"
                              "  %1 = param s\n"
                              "  %2 = newexc \"Own.Error\" of \"System.Exception\" (%1) @0004\n"
                              "  throw %2 @0009\n";
    fixture      *f = *state;
    ilc__arena    arena;
    ilc__ir_func *func = NULL;
    ilc__arena_init(&arena, &f->ctx.heap);
    assert_ok(f, ilc__ir_parse(&f->ctx, &arena, own, &func));
    assert_ok(f, ilc__ir_verify(func));
    ilc__text out = {.arena = &arena};
    ilc__ir_print(func, &out);
    assert_string_equal(ilc__text_string(&out), own);
    const ilc__exception *exc = func->values.items[func->values.items[ilc__ir_terminator(func, 0)].args[0]].u.exc;
    const char           *open[] = {NULL};
    assert_string_equal(ilc__exception_compose(&arena, exc, open), "Exception of type 'Own.Error' was thrown.");
    open[0] = "text";
    assert_string_equal(ilc__exception_compose(&arena, exc, open), "text");
    ilc__arena_free(&arena);
}

static void a_value_without_an_arm_is_said_behind_the_message(void **state)
{
    static const char source[] = "func \"F\" (s: Int32) Void traps\n"
                                 "b0: @0000\n"
                                 "  %1 = param s\n"
                                 "  %2 = newexc \"System.Runtime.CompilerServices.SwitchExpressionException\" (o %1) @0004\n"
                                 "  throw %2 @0009\n";
    fixture      *f = *state;
    ilc__arena    arena;
    ilc__ir_func *func = NULL;
    ilc__arena_init(&arena, &f->ctx.heap);
    assert_ok(f, ilc__ir_parse(&f->ctx, &arena, source, &func));
    assert_ok(f, ilc__ir_verify(func));
    ilc__text out = {.arena = &arena};
    ilc__ir_print(func, &out);
    assert_string_equal(ilc__text_string(&out), source);
    const ilc__exception *exc = func->values.items[func->values.items[ilc__ir_terminator(func, 0)].args[0]].u.exc;
    const char           *open[] = {"..."};
    assert_string_equal(ilc__exception_compose(&arena, exc, open),
                        "Non-exhaustive switch expression failed to match its input.\nUnmatched value was ....");
    open[0] = NULL;
    assert_string_equal(ilc__exception_compose(&arena, exc, open), "Non-exhaustive switch expression failed to match its input.");
    ilc__arena_free(&arena);
}

static void bad_exceptions_are_faults_of_form(void **state)
{
    static const char *const bad[] = {"(\"a\", \"b\", \"c\", \"d\")", "(", "(%2", "(%2 \"a\")", "()", "of \"System.Exception\"", "of (%2)", "(o)"};
    fixture                 *f = *state;
    ilc__arena               arena;
    ilc__arena_init(&arena, &f->ctx.heap);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ilc__ir_func *func = NULL;
        const char   *source = ilc__arena_printf(
            &arena, "func \"F\" () Void\nb0: @0000\n  %%1 = newexc \"System.Exception\" %s\n  throw %%1\n", bad[i]);
        assert_int_equal(ilc__ir_parse(&f->ctx, &arena, source, &func), ILC_FORMAT);
    }
    ilc__arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(strings_meet_as_numbers_and_read_back), TEST(an_own_exception_names_its_class_and_reads_back),
                                       TEST(a_value_without_an_arm_is_said_behind_the_message), TEST(bad_exceptions_are_faults_of_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
