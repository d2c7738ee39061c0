/* il_exceptions_test.c - messages of exceptions against CoreCLR's own (tools/arith-answers). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "interp/il_exceptions.h"

/* Cuts a line at its tabs. */
static int split(char *line, char *fields[4])
{
    int count = 0;
    for (char *at = line; at && count < 4; count++) {
        fields[count] = at;
        at = count < 3 ? strchr(at, '\t') : NULL;
        if (at) *at++ = 0;
    }
    return count;
}

static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from != '\\') *to++ = *from;
        else *to++ = *++from == 'n' ? '\n' : *from;
    }
    *to = 0;
}

/* "first,-" as two strings, the second null. */
static void read_strings(char *text, const char *kinds, const char *strings[2])
{
    char *comma = strchr(text, ',');
    if (comma) *comma++ = 0;
    strings[0] = strcmp(text, "-") == 0 ? NULL : text;
    strings[1] = comma && strcmp(comma, "-") != 0 ? comma : NULL;
    if (kinds[0] != 's') strings[0] = NULL;
}

static void every_constructor_gives_the_message_that_dotnet_gives(void **state)
{
    (void)state;
    ilc__heap  heap;
    ilc__arena arena;
    char       line[1024], *fields[4];
    int        checked = 0;
    ilc__heap_init(&heap);
    ilc__arena_init(&arena, &heap);
    FILE *f = fopen(ILCUDA_SOURCE_DIR "/tests/unit/interp/data/exceptions.txt", "rb");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        line[strcspn(line, "\n")] = 0;
        assert_int_equal(split(line, fields), 4);
        unescape(fields[3]);
        const char *strings[2];
        read_strings(fields[2], fields[1], strings);
        assert_true(ilc__il_exception_known(fields[0]));
        const char *message = ilc__il_exception_message(&arena, fields[0], fields[1], strings);
        if (!message) fail_msg("%s(%s) is not known", fields[0], fields[1]);
        assert_string_equal(message, fields[3]);
        checked++;
    }
    fclose(f);
    ilc__arena_free(&arena);
    assert_true(checked > 250);
}

static void constructors_that_are_not_known_give_no_message(void **state)
{
    (void)state;
    const char *strings[2] = {"a", "b"};
    assert_null(ilc__il_exception_message(NULL, "Own.Exception", "s", strings));
    assert_null(ilc__il_exception_message(NULL, "System.OverflowException", "ss", strings));
    assert_null(ilc__il_exception_message(NULL, "System.OverflowException", "i", strings));
    assert_null(ilc__il_exception_message(NULL, "System.ObjectDisposedException", "", strings));
    assert_false(ilc__il_exception_known("System.String"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_constructor_gives_the_message_that_dotnet_gives),
        cmocka_unit_test(constructors_that_are_not_known_give_no_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
