/* diff_test.c - differences of texts, line by line. */
#include "../context.h"

#include "base/diff.h"

static void assert_diff(void **state, const char *a, const char *b, const char *wanted)
{
    fixture  *f = *state;
    ilc__text out = {.arena = &f->ctx.arena};
    assert_int_equal(ilc__diff(&f->ctx.arena, a, b, &out), strcmp(a, b) != 0);
    assert_string_equal(ilc__text_string(&out), wanted);
}

static void lines_that_go_and_come_are_marked(void **state)
{
    assert_diff(state, "a\nb\nc\n", "a\nb\nc\n", "");
    assert_diff(state, "a\nb\nc\n", "a\nx\nc\n", " a\n-b\n+x\n c\n");
    assert_diff(state, "", "a\n", "+a\n");
    assert_diff(state, "a\n", "", "-a\n");
    assert_diff(state, "a\nb", "b", "-a\n b\n");
}

static void two_lines_around_a_difference_are_shown(void **state)
{
    assert_diff(state, "1\n2\n3\n4\nx\n5\n6\n7\n8\n", "1\n2\n3\n4\ny\n5\n6\n7\n8\n",
                " ...\n 3\n 4\n-x\n+y\n 5\n 6\n ...\n");
    assert_diff(state, "x\n1\n2\n3\n4\n5\nx\n", "y\n1\n2\n3\n4\n5\ny\n", "-x\n+y\n 1\n 2\n ...\n 4\n 5\n-x\n+y\n");
}

static void long_texts_differ_in_little_time(void **state)
{
    fixture  *f = *state;
    ilc__text a = {.arena = &f->ctx.arena}, b = {.arena = &f->ctx.arena}, out = {.arena = &f->ctx.arena};
    for (int i = 0; i < 20000; i++) {
        ilc__text_printf(&a, "a%d\n", i);
        ilc__text_printf(&b, "b%d\n", i);
    }
    assert_true(ilc__diff(&f->ctx.arena, a.data, b.data, &out));
    assert_int_equal(out.length, a.length + b.length + 40000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(lines_that_go_and_come_are_marked), TEST(two_lines_around_a_difference_are_shown),
                                       TEST(long_texts_differ_in_little_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
