/* phi.c - takes out phis that join one value only (with themselves): the others read that value.
 * It is a version of the same variable, so nothing else can be live where the phi was. */
#include "opt/edit.h"

enum { SWEEPS = 16 };

/* The one value that a phi joins, or 0. */
static ilc__ref only_value(const ilc__ir_func *func, ilc__ref *map, ilc__ref ref)
{
    const ilc__ir_value *phi = &func->values.items[ref];
    ilc__ref             only = 0;
    for (uint32_t i = 0; i < phi->arg_count; i++) {
        ilc__ref arg = ilc__edit_find(map, phi->args[i]);
        if (arg == ref || arg == only) continue;
        if (only) return 0;
        only = arg;
    }
    return only;
}

static bool sweep(ilc__ir_func *func, ilc__ref *map, bool *drop, bool backward)
{
    bool progress = false;
    for (uint32_t n = 0; n < func->blocks.count; n++) {
        const ilc__ir_block *block = &func->blocks.items[backward ? func->blocks.count - 1 - n : n];
        for (uint32_t i = 0; i < block->list.count; i++) {
            ilc__ref ref = block->list.items[i];
            if (func->values.items[ref].op != ILC__OP_PHI) break;
            if (drop[ref]) continue;
            ilc__ref only = only_value(func, map, ref);
            if (!only) continue;
            map[ref] = only;
            drop[ref] = progress = true;
        }
    }
    return progress;
}

bool ilc__pass_phi(ilc__ir_func *func)
{
    ilc__ref *map = ilc__edit_map(func);
    bool     *drop = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count);
    bool      progress = false;
    /* Of loops in each other the inner ones settle first, of tests after each other the first ones. */
    for (int i = 0; i < SWEEPS && sweep(func, map, drop, i % 2 == 1); i++)
        progress = true;
    if (!progress) return false;
    ilc__edit_apply(func, map);
    ilc__edit_drop(func, drop);
    return true;
}
