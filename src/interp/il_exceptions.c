/* il_exceptions.c - the messages of exceptions that code makes, by the constructor and its strings. */
#include "interp/il_exceptions.h"

typedef enum shape { MESSAGE, UNNAMED, ARGUMENT, PARAMETER, OBJECT, SWITCH } shape;

static const struct {
    const char *type, *message;
    shape       shape;
} rows[] = {
#define EXCEPTION(type, message, shape) {type, message, shape},
#include "interp/il_exceptions.def"
#undef EXCEPTION
};

static bool is_empty(const char *text)
{
    return !text || !*text;
}

static const char *with_parameter(ilc__arena *arena, const char *message, const char *parameter)
{
    return is_empty(parameter) ? message : ilc__arena_printf(arena, "%s (Parameter '%s')", message, parameter);
}

static const char *with_object(ilc__arena *arena, const char *message, const char *object)
{
    return is_empty(object) ? message : ilc__arena_printf(arena, "%s\nObject name: '%s'.", message, object);
}

static const char *unnamed(ilc__arena *arena, const char *type)
{
    return ilc__arena_printf(arena, "Exception of type '%s' was thrown.", type);
}

/* Strings first and second of a constructor whose only other arguments are a null inner exception (x) or a
 * number that the message does not show (i, IOException's and InvalidCastException's HRESULT). */
static const char *compose(ilc__arena *arena, const char *derived, const char *type, const char *fallback, shape kind,
                           const char *kinds, const char *first, const char *second)
{
    if (strcmp(kinds, "o") == 0 && kind == SWITCH)
        return first ? ilc__arena_printf(arena, "%s\nUnmatched value was %s.", fallback, first) : fallback;
    if (kind == SWITCH) return NULL;
    bool two = strcmp(kinds, "ss") == 0, with_inner = strcmp(kinds, "sx") == 0;
    if (kind == ARGUMENT && (two || strcmp(kinds, "ssx") == 0))
        return with_parameter(arena, first ? first : fallback, second);
    if (kind == PARAMETER && two) return with_parameter(arena, second ? second : fallback, first);
    if (kind == OBJECT && two) return with_object(arena, second ? second : fallback, first);
    if (kind == PARAMETER && strcmp(kinds, "s") == 0) return with_parameter(arena, fallback, first);
    if (kind == OBJECT && strcmp(kinds, "s") == 0) return with_object(arena, fallback, first);
    bool has_code = strcmp(type, "System.IO.IOException") == 0 || strcmp(type, "System.InvalidCastException") == 0;
    if (strcmp(kinds, "s") != 0 && !with_inner && !(has_code && strcmp(kinds, "si") == 0)) return NULL;
    if (first) return first;
    return kind == UNNAMED ? unnamed(arena, derived) : fallback;
}

bool ilc__il_exception_known(const char *type)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].type, type) == 0) return true;
    return false;
}

const char *ilc__il_exception_message(ilc__arena *arena, const char *type, const char *kinds,
                                      const char *const *strings)
{
    return ilc__il_exception_message_of(arena, type, type, kinds, strings);
}

const char *ilc__il_exception_message_of(ilc__arena *arena, const char *derived, const char *type, const char *kinds,
                                         const char *const *strings)
{
    if (!*kinds && strcmp(type, "System.Exception") == 0) return unnamed(arena, derived);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].type, type) != 0) continue;
        if (!*kinds) return rows[i].shape == OBJECT ? NULL : rows[i].message;
        bool two = kinds[0] == 's' && kinds[1] == 's';
        return compose(arena, derived, type, rows[i].message, rows[i].shape, kinds, strings[0], two ? strings[1] : NULL);
    }
    return NULL;
}
