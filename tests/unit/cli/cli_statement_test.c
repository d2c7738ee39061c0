/* cli_statement_test.c - the statements of `run`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "statement.h"

static void a_statement_has_result_method_and_extents(void **state)
{
    statement s;
    (void)state;
    assert_null(statement_parse(" dot = Stats.Gram [ rows , rows ] ", &s));
    assert_string_equal(s.result, "dot");
    assert_string_equal(s.method, "Stats.Gram");
    assert_false(s.has_args);
    assert_int_equal(s.extent_count, 2);
    assert_string_equal(s.extents[1], "rows");
    statement_free(&s);
    assert_null(statement_parse("Saxpy", &s));
    assert_null(s.result);
    assert_false(s.has_extents);
    statement_free(&s);
}

static void a_parenthesis_of_types_selects_the_overload(void **state)
{
    statement s;
    (void)state;
    assert_null(statement_parse("Canberra(Double[], Double[])(x, x)[rows,rows]", &s));
    assert_string_equal(s.method, "Canberra(Double[],Double[])");
    assert_int_equal(s.arg_count, 2);
    assert_string_equal(s.args[0], "x");
    statement_free(&s);
    assert_null(statement_parse("F(Single)[n]", &s));
    assert_string_equal(s.method, "F(Single)");
    assert_false(s.has_args);
    statement_free(&s);
    assert_null(statement_parse("F(Single, y)[n]", &s));
    assert_string_equal(s.method, "F");
    assert_int_equal(s.arg_count, 2);
    statement_free(&s);
    assert_null(statement_parse("F()", &s));
    assert_true(s.has_args);
    assert_int_equal(s.arg_count, 0);
    statement_free(&s);
}

static void malformed_statements_are_refused(void **state)
{
    static const char *const texts[] = {"",       " ",       "= F[n]",   "x =",      "F[n",      "F(a",      "F(a,)[n]",
                                        "F[,]",   "F[n]]",   "F[n] x",   "F[a,b,c,d]", "x = y = F", "F(a)(b)(c)", "[n]",
                                        "(a)[n]"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        statement s;
        if (!statement_parse(texts[i], &s)) fail_msg("taken: %s", texts[i]);
        statement_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_statement_has_result_method_and_extents),
        cmocka_unit_test(a_parenthesis_of_types_selects_the_overload),
        cmocka_unit_test(malformed_statements_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
