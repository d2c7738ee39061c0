/* thrown.c - the messages of exceptions that code throws by itself (thrown.def). */
#include "lib/lib.h"

typedef enum constructors { MESSAGE, NAMED, ARGUMENT, PARAMETER, OBJECT, UNMATCHED } constructors;

static const struct {
    const char  *type;
    constructors kind;
    const char  *text;
} thrown[] = {
#define THROWN(type, kind, text) {type, kind, text},
#define MAKER(type, method, exception)
#include "lib/thrown.def"
#undef THROWN
#undef MAKER
};

static const struct {
    const char *type, *method, *exception;
} makers[] = {
#define THROWN(type, kind, text)
#define MAKER(type, method, exception) {type, method, exception},
#include "lib/thrown.def"
#undef THROWN
#undef MAKER
};

static int row_of(const char *type_name)
{
    for (size_t i = 0; i < sizeof thrown / sizeof thrown[0]; i++)
        if (strcmp(thrown[i].type, type_name) == 0) return (int)i;
    return -1;
}

bool ilc__lib_is_exception(const char *type_name)
{
    return row_of(type_name) >= 0;
}

const char *ilc__lib_exception_maker(const char *type_name, const char *method)
{
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        if (strcmp(makers[i].type, type_name) == 0 && strcmp(makers[i].method, method) == 0)
            return makers[i].exception;
    return NULL;
}

static bool has_text(const char *text)
{
    return text && *text;
}

/* As ArgumentException.Message and ObjectDisposedException.Message put it together. */
static const char *with_parameter(ilc__arena *arena, const char *message, const char *parameter)
{
    return has_text(parameter) ? ilc__arena_printf(arena, "%s (Parameter '%s')", message, parameter)
                               : message;
}

static const char *with_object(ilc__arena *arena, const char *message, const char *object)
{
    return has_text(object) ? ilc__arena_printf(arena, "%s\nObject name: '%s'.", message, object) : message;
}

/* IOException and InvalidCastException take a number (HRESULT) that the message does not show. */
static bool takes_number(const char *type_name)
{
    return strcmp(type_name, "System.IO.IOException") == 0 ||
           strcmp(type_name, "System.InvalidCastException") == 0;
}

static const char *named(ilc__arena *arena, const char *type_name)
{
    return ilc__arena_printf(arena, "Exception of type '%s' was thrown.", type_name);
}

const char *ilc__lib_exception_message(ilc__arena *arena, const char *type_name, const char *kinds,
                                       const char *const *strings)
{
    return ilc__lib_exception_message_of(arena, type_name, type_name, kinds, strings);
}

const char *ilc__lib_exception_message_of(ilc__arena *arena, const char *type_name, const char *base, const char *kinds,
                                          const char *const *strings)
{
    int row = row_of(base);
    if (row < 0) return NULL;
    const char  *text = thrown[row].text;
    constructors kind = thrown[row].kind;
    bool one = strcmp(kinds, "s") == 0, two = strcmp(kinds, "ss") == 0, inner = strcmp(kinds, "sx") == 0;
    if (!*kinds && strcmp(base, "System.Exception") == 0) return named(arena, type_name);
    if (!*kinds) return kind == OBJECT ? NULL : text;
    if (kind == UNMATCHED) {
        if (strcmp(kinds, "o") != 0) return NULL;
        return strings[0] ? ilc__arena_printf(arena, "%s\nUnmatched value was %s.", text, strings[0]) : text;
    }
    if (kind == ARGUMENT && (two || strcmp(kinds, "ssx") == 0))
        return with_parameter(arena, strings[0] ? strings[0] : text, strings[1]);
    if (kind == PARAMETER && two) return with_parameter(arena, strings[1] ? strings[1] : text, strings[0]);
    if (kind == PARAMETER && one) return with_parameter(arena, text, strings[0]);
    if (kind == OBJECT && two) return with_object(arena, strings[1] ? strings[1] : text, strings[0]);
    if (kind == OBJECT && one) return with_object(arena, text, strings[0]);
    if (!one && !inner && !(strcmp(kinds, "si") == 0 && takes_number(base))) return NULL;
    if (strings[0]) return strings[0];
    return kind == NAMED ? named(arena, type_name) : text;
}
