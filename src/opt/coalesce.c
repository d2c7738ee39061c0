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

static bool is_reference(const ilc__ir_var *var)
{
    return var->is_array || var->is_addr;
}

static bool same_kind(const ilc__ir_func *func, uint32_t temp, uint32_t var)
{
    const ilc__ir_var *t = &func->vars.items[temp], *x = &func->vars.items[var];
    if (t->is_array != x->is_array || t->is_span != x->is_span || t->is_addr != x->is_addr || t->layout != x->layout) return false;
    return !is_reference(t) || (t->storage == x->storage && t->rank == x->rank && t->nested == x->nested);
}

/* May every version of the temporary be held by the variable? */
static bool fits(const ilc__ir_func *func, uint32_t temp, uint32_t var)
{
    const ilc__ir_var *t = &func->vars.items[temp], *x = &func->vars.items[var];
    if (!same_kind(func, temp, var)) return false;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            ilc__ref ref = block->list.items[i];
            if (func->values.items[ref].var == temp && !is_reference(t) && !in_range(func, ref, x->storage))
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
    bool *which = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count);
    for (ilc__ref ref = 1; ref < func->values.count; ref++)
        which[ref] = func->values.items[ref].var == temp;
    rename_versions(func, which, var);
    if (!ilc__ir_versions_apart(func, var)) {
        rename_versions(func, which, temp);
        return false;
    }
    for (ilc__ref ref = 1; ref < func->values.count; ref++)
        if (which[ref]) func->values.items[ref].stacked = true;
    ilc__ref *map = ilc__edit_map(func);
    bool     *drop = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count);
    map[copy] = source;
    drop[copy] = true;
    ilc__edit_apply(func, map);
    ilc__edit_drop(func, drop);
    return true;
}

/* --- all at once -------------------------------------------------------------------------------------------- */

static bool is_copy_of_temp(const ilc__ir_func *func, ilc__ref ref)
{
    const ilc__ir_value *value = &func->values.items[ref];
    if (value->op != ILC__OP_COPY || !value->var) return false;
    uint32_t from = func->values.items[value->args[0]].var;
    return from && from != value->var && func->vars.items[from].is_temp;
}

/* into[temp]: the variable that it is copied to first. None is both a temporary that goes and a variable that stays. */
static uint32_t choose_variables(const ilc__ir_func *func, uint32_t *into)
{
    bool    *stays = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->vars.count);
    uint32_t chosen = 0;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            if (!is_copy_of_temp(func, block->list.items[i])) continue;
            const ilc__ir_value *copy = &func->values.items[block->list.items[i]];
            uint32_t             temp = func->values.items[copy->args[0]].var;
            if (into[temp] || stays[temp] || into[copy->var] || !same_kind(func, temp, copy->var)) continue;
            into[temp] = copy->var;
            stays[copy->var] = true;
            chosen++;
        }
    }
    return chosen;
}

static void leave_out(const ilc__ir_func *func, uint32_t *into)
{
    uint32_t *classes = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, func->vars.count);
    bool     *meet = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->vars.count);
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            uint32_t temp = func->values.items[block->list.items[i]].var;
            if (into[temp] && !is_reference(&func->vars.items[temp]) && !in_range(func, block->list.items[i], func->vars.items[into[temp]].storage))
                into[temp] = 0;
        }
    }
    for (uint32_t v = 0; v < func->vars.count; v++) classes[v] = into[v] ? into[v] : v;
    ilc__ir_find_meeting(func, &func->ctx->scratch, classes, NULL, meet);
    for (uint32_t v = 0; v < func->vars.count; v++)
        if (meet[into[v]]) into[v] = 0;
}

/* The temporaries of all variables whose versions stay apart from all of their temporaries'. */
static bool join_all(ilc__ir_func *func)
{
    uint32_t *into = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, func->vars.count);
    if (!choose_variables(func, into)) return false;
    leave_out(func, into);
    ilc__ref *map = ilc__edit_map(func);
    bool     *drop = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count), progress = false;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            ilc__ref             ref = block->list.items[i];
            const ilc__ir_value *value = &func->values.items[ref];
            if (!is_copy_of_temp(func, ref) || into[func->values.items[value->args[0]].var] != value->var) continue;
            map[ref] = value->args[0];
            drop[ref] = progress = true;
        }
    }
    if (!progress) return false;
    for (ilc__ref ref = 1; ref < func->values.count; ref++) {
        ilc__ir_value *value = &func->values.items[ref];
        if (!into[value->var]) continue;
        value->var = into[value->var];
        value->stacked = true;
    }
    ilc__edit_apply(func, map);
    ilc__edit_drop(func, drop);
    return true;
}

bool ilc__pass_coalesce(ilc__ir_func *func)
{
    if (join_all(func)) return true;
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
