/* exception.c - exceptions whose strings are known only when they are thrown. */
#include "ir/ir.h"

uint32_t ilc__exception_open(const ilc__exception *exception)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ILC__EXCEPTION_ARGS; i++)
        count += exception->open[i];
    return count;
}

const char *ilc__exception_compose(ilc__arena *arena, const ilc__exception *exception,
                                   const char *const *open)
{
    const char *strings[ILC__EXCEPTION_ARGS];
    if (exception->message) return exception->message;
    for (uint32_t i = 0; i < ILC__EXCEPTION_ARGS; i++)
        strings[i] = exception->open[i] ? *open++ : exception->strings[i];
    const char *base = exception->base ? exception->base : exception->type;
    const char *message = ilc__lib_exception_message_of(arena, exception->type, base, exception->kinds, strings);
    return message ? message : "";
}
