/* lib_test.c - library rows, exception messages, helper texts. */
#include "../ir/unit.h"

static void library_methods_are_found_by_type_name_and_parameters(void **state)
{
    (void)state;
    assert_string_equal(ilc__lib_operation("System.Math", "Max", "Single,Single"), "max.f32");
    assert_string_equal(ilc__lib_operation("System.Math", "Abs", "Int16"), "abs.i16");
    assert_string_equal(ilc__lib_operation("System.Math", "Min", "UInt64,UInt64"), "min.un.i64");
    assert_string_equal(ilc__lib_operation("System.MathF", "Round", "Single"), "round.f32");
    assert_null(ilc__lib_operation("System.Math", "Max", "Decimal,Decimal"));
    assert_null(ilc__lib_operation("System.Math", "Exp", "Double"));
    assert_null(ilc__lib_operation("System.Math", "Round", "Double,Int32"));
    assert_null(ilc__lib_operation("System.MathF", "Sqrt", "Double"));
    assert_null(ilc__lib_operation("MySystem.Math", "Sqrt", "Double"));
    assert_null(ilc__lib_operation("System.MathX", "Sqrt", "Double"));
}

static void exceptions_say_what_dotnet_10_says(void **state)
{
    static const struct {
        const char *type, *kinds, *strings[2], *message;
    } cases[] = {
        {"System.Exception", "", {0}, "Exception of type 'System.Exception' was thrown."},
        {"System.ApplicationException",
         "s",
         {0},
         "Exception of type 'System.ApplicationException' was thrown."},
        {"System.ArgumentException", "s", {"n"}, "n"},
        {"System.ArgumentException", "s", {0}, "Value does not fall within the expected range."},
        {"System.ArgumentException", "ss", {"A", "B"}, "A (Parameter 'B')"},
        {"System.ArgumentException",
         "ss",
         {0, "B"},
         "Value does not fall within the expected range. (Parameter 'B')"},
        {"System.ArgumentException", "ss", {"A", ""}, "A"},
        {"System.ArgumentException", "ss", {"", "B"}, " (Parameter 'B')"},
        {"System.ArgumentNullException", "s", {"A"}, "Value cannot be null. (Parameter 'A')"},
        {"System.ArgumentNullException", "ss", {"A", "B"}, "B (Parameter 'A')"},
        {"System.ArgumentNullException", "ss", {0, "B"}, "B"},
        {"System.ArgumentOutOfRangeException",
         "s",
         {"A"},
         "Specified argument was out of the range of valid values. (Parameter 'A')"},
        {"System.ArgumentOutOfRangeException",
         "ss",
         {"A", 0},
         "Specified argument was out of the range of valid values. (Parameter 'A')"},
        {"System.InvalidOperationException",
         "s",
         {0},
         "Operation is not valid due to the current state of the object."},
        {"System.OverflowException", "s", {""}, ""},
        {"System.DivideByZeroException", "", {0}, "Attempted to divide by zero."},
    };
    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(
            ilc__lib_exception_message(&f->ctx.arena, cases[i].type, cases[i].kinds, cases[i].strings),
            cases[i].message);
}

static void unknown_exceptions_and_constructors_have_no_message(void **state)
{
    fixture          *f = *state;
    const char *const two[2] = {"A", "B"};
    assert_null(ilc__lib_exception_message(&f->ctx.arena, "My.Exception", "", two));
    assert_null(ilc__lib_exception_message(&f->ctx.arena, "System.OverflowException", "ss", two));
    assert_null(ilc__lib_exception_message(&f->ctx.arena, "System.ArgumentException", "i", two));
    assert_null(ilc__lib_exception_message(&f->ctx.arena, "System.ArgumentException", "sss", two));
}

static const ilc__helper *helper_by_name(const char *name, size_t length)
{
    for (uint32_t i = 0; i < ilc__helper_count(); i++)
        if (strncmp(ilc__helper_at(i)->name, name, length) == 0 && !ilc__helper_at(i)->name[length])
            return ilc__helper_at(i);
    return NULL;
}

static void helpers_name_every_helper_that_they_call(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ilc__helper_count(); i++) {
        const ilc__helper *helper = ilc__helper_at(i);
        assert_null(strchr(helper->text, '#'));
        size_t length = 0;
        for (const char *at = helper->text; (at = strstr(at, "il_")) != NULL; at += length) {
            length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
            const ilc__helper *called = helper_by_name(at, length);
            assert_non_null(called);
            if (called == helper) continue;
            const char *use = strstr(helper->uses, called->name);
            if (!use) fail_msg("%s does not name %s", helper->name, called->name);
        }
        for (const char *at = helper->uses; *at;) { /* what it names stands before it */
            length = strcspn(at, " ");
            const ilc__helper *used = helper_by_name(at, length);
            assert_non_null(used);
            assert_true(used < helper);
            at += length + (at[length] == ' ');
        }
    }
}

static void each_exception_has_a_type_and_a_message(void **state)
{
    (void)state;
    assert_string_equal(ilc__exception_type(ILC__EXC_INDEX), "System.IndexOutOfRangeException");
    assert_string_equal(ilc__exception_message(ILC__EXC_DIVIDE_BY_ZERO), "Attempted to divide by zero.");
    assert_string_equal(ilc__exception_message(ILC__EXC_COUNT), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(library_methods_are_found_by_type_name_and_parameters),
        TEST(exceptions_say_what_dotnet_10_says),
        TEST(unknown_exceptions_and_constructors_have_no_message),
        TEST(helpers_name_every_helper_that_they_call),
        TEST(each_exception_has_a_type_and_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
