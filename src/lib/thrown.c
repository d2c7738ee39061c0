/* thrown.c - the messages of exceptions that code throws by itself (thrown.def). */
#include "lib/lib.h"

typedef enum constructors { MESSAGE, NAMED, ARGUMENT, PARAMETER } constructors;

static const struct {
    const char  *type;
    constructors kind;
    const char  *text;
} thrown[] = {
#define THROWN(type, kind, text) {type, kind, text},
#include "lib/thrown.def"
#undef THROWN
};

/* "message (Parameter 'name')", as ArgumentException.Message says it. */
static const char *with_parameter(ilc__arena *arena, const char *message, const char *parameter)
{
    if (!parameter || !*parameter) return message;
    return ilc__arena_printf(arena, "%s (Parameter '%s')", message, parameter);
}

const char *ilc__lib_exception_message(ilc__arena *arena, const char *type_name, const char *kinds,
                                       const char *const *strings)
{
    size_t row = 0, count = sizeof thrown / sizeof thrown[0], given = strlen(kinds);
    while (row < count && strcmp(thrown[row].type, type_name) != 0) row++;
    if (row == count || strspn(kinds, "s") != given) return NULL;
    const char  *text = thrown[row].text;
    constructors kind = thrown[row].kind;
    if (given == 0) return text;
    if (given > (kind == ARGUMENT || kind == PARAMETER ? 2u : 1u)) return NULL;
    if (kind == PARAMETER) {
        if (given == 2 && strings[1]) text = strings[1];
        return with_parameter(arena, text, strings[0]);
    }
    if (strings[0])
        text = strings[0];
    else if (kind == NAMED)
        text = ilc__arena_printf(arena, "Exception of type '%s' was thrown.", type_name);
    return with_parameter(arena, text, given == 2 ? strings[1] : NULL);
}
