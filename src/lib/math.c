/* math.c - library methods by name (math.def). */
#include "lib/lib.h"

static const ilc__lib_row rows[] = {
#define LIBRARY(type, method, params, operation) {type, method, params, operation},
#include "lib/math.def"
#undef LIBRARY
};

uint32_t ilc__lib_row_count(void)
{
    return (uint32_t)(sizeof rows / sizeof rows[0]);
}

const ilc__lib_row *ilc__lib_row_at(uint32_t index)
{
    return index < ilc__lib_row_count() ? &rows[index] : NULL;
}

const char *ilc__lib_operation(const char *type_name, const char *method, const char *params)
{
    if (strncmp(type_name, "System.", 7) != 0 && strncmp(type_name, "Microsoft.VisualBasic.", 22) != 0) return NULL;
    for (uint32_t i = 0; i < ilc__lib_row_count(); i++)
        if (strcmp(rows[i].method, method) == 0 && strcmp(rows[i].params, params) == 0 &&
            strcmp(rows[i].type_name, type_name) == 0)
            return rows[i].operation;
    return NULL;
}
