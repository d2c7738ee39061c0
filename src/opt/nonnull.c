/* nonnull.c - tests of addresses that cannot be null, or were tested on every way here. */
#include "opt/edit.h"

bool ilc__pass_nonnull(ilc__ir_func *func)
{
    return ilc__ir_drop_nonnull(func);
}
