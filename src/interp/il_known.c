/* il_known.c - the methods of the framework that the judge computes itself, by name (il_calls.def). */
#include "interp/il_arith.h"

static const struct {
    const char *type_name, *name;
    ilc_storage storage;
    uint32_t    count;
    ilc__il_row row;
} known[] = {
#define CALLEE(type, method, storage, count, row) {type, method, ILC_##storage, count, ILC__ROW_##row},
#define HOST(row)
#include "interp/il_calls.def"
};

ilc__il_row ilc__il_known_callee(const char *type_name, const char *name, ilc_storage storage, uint32_t count)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].storage == storage && known[i].count == count && strcmp(known[i].name, name) == 0 &&
            strcmp(known[i].type_name, type_name) == 0)
            return known[i].row;
    return ILC__ROW_NONE;
}

ilc__il_row ilc__il_host_row(ilc__il_row row)
{
    static const struct {
        ilc__il_row own, host;
    } rows[] = {
#define CALLEE(type, method, storage, count, row)
#define HOST(row) {ILC__ROW_##row##_R4, ILC__ROW_HOST_##row##_R4}, {ILC__ROW_##row##_R8, ILC__ROW_HOST_##row##_R8},
#include "interp/il_calls.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].own == row) return rows[i].host;
    return row;
}
