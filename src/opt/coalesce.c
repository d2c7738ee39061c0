/* coalesce.c - `x = If(a, b, c)`: the value of a merge goes through a temporary variable into x. Where their
 * versions are never live together, the temporary becomes x and the copy goes. */
#include "opt/edit.h"

enum { MOST = 64 }; /* tries for one function: each looks at the whole of it */

static bool in_range(const ilc__ir_func *func, ilc__ref ref, ilc_storage storage)
{
    if (ilc_storage_size(storage) >= 4) return true;
    ilc__range have = ilc__edit_range(func, ref), fits = ilc__storage_range(storage);
    return have.low >= fits.low && have.high <= fits.high;
}

/* May every version of the temporary be held by the variable? */
static bool fits(const ilc__ir_func *func, uint32_t temp, uint32_t var)
{
    const ilc__ir_var *t = &func->vars.items[temp], *x = &func->vars.items[var];
    bool               is_reference = t->is_array || t->is_addr;
    if (t->is_array != x->is_array || t->is_addr != x->is_addr || t->layout != x->layout) return false;
    if (is_reference && (t->storage != x->storage || t->rank != x->rank || t->nested != x->nested)) return false;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            ilc__ref ref = block->list.items[i];
            if (func->values.items[ref].var == temp && !is_reference && !in_range(func, ref, x->storage))
                return false;
        }
    }
    return true;
}

static void rename_versions(ilc__ir_func *func, const bool *which, uint32_t var)
{
    for (ilc__ref ref = 1; ref < func->values.count; ref++)
        if (which[ref]) func->values.items[ref].var = var;
}

static bool try_copy(ilc__ir_func *func, ilc__ref copy)
{
    ilc__ref source = func->values.items[copy].args[0];
    uint32_t temp = func->values.items[source].var, var = func->values.items[copy].var;
    if (!temp || temp == var || !func->vars.items[temp].is_temp || !fits(func, temp, var)) return false;
    bool *which = ILC__NEW_ARRAY(func->arena, bool, func->values.count);
    for (ilc__ref ref = 1; ref < func->values.count; ref++)
        which[ref] = func->values.items[ref].var == temp;
    rename_versions(func, which, var);
    if (!ilc__ir_versions_apart(func, var)) {
        rename_versions(func, which, temp);
        return false;
    }
    ilc__ref *map = ilc__edit_map(func);
    bool     *drop = ILC__NEW_ARRAY(func->arena, bool, func->values.count);
    map[copy] = source;
    drop[copy] = true;
    ilc__edit_apply(func, map);
    ilc__edit_drop(func, drop);
    return true;
}

bool ilc__pass_coalesce(ilc__ir_func *func)
{
    bool progress = false;
    int  tries = 0;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count && tries < MOST; i++) {
            ilc__ref             ref = block->list.items[i];
            const ilc__ir_value *value = &func->values.items[ref];
            if (value->op != ILC__OP_COPY ||
                !func->vars.items[func->values.items[value->args[0]].var].is_temp)
                continue;
            tries++;
            if (!try_copy(func, ref)) continue;
            progress = true;
            i--; /* the copy is gone from the list */
        }
    }
    return progress;
}
