/* subset.c - which instructions the lifter takes (subset.def). */
#include <assert.h>

#include "ir/lift.h"

typedef enum support { NO, LIMITED, YES } support;

static const struct {
    ilc__opcode op;
    support     support;
} subset[] = {
#define SUBSET(id, support, text) {ILC__IL_##id, support},
#include "ir/subset.def"
#undef SUBSET
};

static_assert(sizeof subset / sizeof subset[0] == ILC__IL_COUNT, "a row for each row of il/opcodes.def");

bool ilc__lift_in_subset(ilc__opcode op)
{
    return (unsigned)op < ILC__IL_COUNT && subset[op].op == op && subset[op].support != NO;
}
