/* exceptions.c - exceptions that operations raise, by id (exceptions.def). */
#include "lib/lib.h"

static const struct {
    const char *type, *message;
} exceptions[] = {
#define EXCEPTION(id, type, message) {type, message},
#include "lib/exceptions.def"
#undef EXCEPTION
};

const char *ilc__exception_type(ilc__exception_id id)
{
    return (unsigned)id < ILC__EXC_COUNT ? exceptions[id].type : "?";
}

const char *ilc__exception_message(ilc__exception_id id)
{
    return (unsigned)id < ILC__EXC_COUNT ? exceptions[id].message : "?";
}
