/* helpers.c - the text of the helper functions that emitted code may use (helpers.def, functions.def). */
#include "lib/lib.h"

static const ilc__helper helpers[] = {
#define HELPER(name, uses, ...) {#name, uses, #__VA_ARGS__},
#include "lib/helpers.def"
#include "lib/functions.def"
#undef HELPER
};

uint32_t ilc__helper_count(void)
{
    return (uint32_t)(sizeof helpers / sizeof helpers[0]);
}

const ilc__helper *ilc__helper_at(uint32_t index)
{
    return index < ilc__helper_count() ? &helpers[index] : NULL;
}
