/* edit.c - changing functions: replacing values, taking out values, edges and blocks. */
#include "opt/edit.h"

/* versions: how many values each variable has; may be NULL */
static uint32_t *count_uses(ilc__ir_func *func, uint32_t *versions)
{
    uint32_t *uses = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, func->values.count);
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *value = &func->values.items[block->list.items[i]];
            for (uint32_t k = 0; k < value->arg_count; k++)
                uses[value->args[k]]++;
            if (versions) versions[value->var]++;
        }
    }
    return uses;
}

uint32_t *ilc__edit_use_counts(ilc__ir_func *func)
{
    return count_uses(func, NULL);
}

/* --- values ------------------------------------------------------------------------------------------------
 */

ilc__ref *ilc__edit_map(ilc__ir_func *func)
{
    return ILC__NEW_ARRAY(&func->ctx->scratch, ilc__ref, func->values.count);
}

ilc__ref ilc__edit_find(ilc__ref *map, ilc__ref ref)
{
    ilc__ref last = ref;
    while (map[last])
        last = map[last];
    while (map[ref] && map[ref] != last) {
        ilc__ref next = map[ref];
        map[ref] = last;
        ref = next;
    }
    return last;
}

/* Compilers copy what `Return x` says to a variable and return that from the end of the method: where the copy goes, the
 * return stands in its place. */
void ilc__edit_replace_args(ilc__ir_func *func, ilc__ir_value *value, ilc__ref *map)
{
    for (uint32_t k = 0; k < value->arg_count; k++) {
        const ilc__ir_value *old = &func->values.items[value->args[k]];
        if (value->op == ILC__OP_RETURN && map[value->args[k]] && old->op == ILC__OP_COPY && old->has_il) value->il = old->il;
        value->args[k] = ilc__edit_find(map, value->args[k]);
    }
}

void ilc__edit_apply(ilc__ir_func *func, ilc__ref *map)
{
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++)
            ilc__edit_replace_args(func, &func->values.items[block->list.items[i]], map);
    }
}

void ilc__edit_drop(ilc__ir_func *func, const bool *drop)
{
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        ilc__ir_block *block = &func->blocks.items[b];
        uint32_t       kept = 0;
        for (uint32_t i = 0; i < block->list.count; i++)
            if (!drop[block->list.items[i]]) block->list.items[kept++] = block->list.items[i];
        block->list.count = kept;
    }
}

void ilc__edit_insert(ilc__ir_func *func, uint32_t block, uint32_t position, ilc__ref ref)
{
    ilc__ir_append(func, block, ref);
    ilc__ref *items = func->blocks.items[block].list.items;
    uint32_t  last = func->blocks.items[block].list.count - 1;
    memmove(items + position + 1, items + position, (last - position) * sizeof *items);
    items[position] = ref;
}

void ilc__edit_add_phi_arg(ilc__ir_func *func, ilc__ref phi, ilc__ref arg)
{
    ilc__ir_value *value = &func->values.items[phi];
    ilc__ref      *args = ILC__NEW_ARRAY(func->arena, ilc__ref, (size_t)value->arg_count + 1);
    if (value->arg_count) memcpy(args, value->args, value->arg_count * sizeof *args);
    args[value->arg_count++] = arg;
    value->args = args;
}

/* --- versions
 * ------------------------------------------------------------------------------------------------ */

enum { LOOK_AHEAD = 512 }; /* values; so that a long block does not take quadratic time */

void ilc__site_init(ilc__site *site, ilc__ir_func *func)
{
    *site = (ilc__site){.func = func, .versions = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, func->vars.count)};
    site->uses = count_uses(func, site->versions);
}

/* The variable whose next version ends other's life, or 0. */
static uint32_t watched_var(const ilc__site *site, ilc__ref other)
{
    uint32_t var = site->func->values.items[other].var;
    return var && site->versions[var] > 1 ? var : 0;
}

bool ilc__site_reads(const ilc__site *site, ilc__ref via, ilc__ref other)
{
    const ilc__ir_block *block = &site->func->blocks.items[site->block];
    uint32_t             var = watched_var(site, other);
    if (!var) return true;
    for (uint32_t i = site->index, left = LOOK_AHEAD; i-- > 0 && left; left--) {
        if (block->list.items[i] == via) return true;
        if (site->func->values.items[block->list.items[i]].var == var) return false;
    }
    return false;
}

bool ilc__site_yields(const ilc__site *site, ilc__ref other)
{
    const ilc__ir_block *block = &site->func->blocks.items[site->block];
    ilc__ref             ref = block->list.items[site->index];
    uint32_t             var = watched_var(site, other), seen = 0;
    if (!var) return true;
    for (uint32_t i = site->index + 1, left = LOOK_AHEAD; i < block->list.count && left; i++, left--) {
        const ilc__ir_value *value = &site->func->values.items[block->list.items[i]];
        for (uint32_t k = 0; k < value->arg_count; k++)
            seen += value->args[k] == ref;
        if (seen == site->uses[ref]) return true;
        if (value->var == var) return false;
    }
    return false;
}

/* --- edges -------------------------------------------------------------------------------------------------
 */

static void remove_pred(ilc__ir_func *func, uint32_t from, uint32_t to)
{
    ilc__ir_block *target = &func->blocks.items[to];
    uint32_t       place = 0;
    while (target->preds.items[place] != from)
        place++;
    for (uint32_t i = 0; i < target->list.count; i++) {
        ilc__ir_value *phi = &func->values.items[target->list.items[i]];
        if (phi->op != ILC__OP_PHI) break;
        memmove(phi->args + place, phi->args + place + 1, (phi->arg_count - place - 1) * sizeof *phi->args);
        phi->arg_count--;
    }
    uint32_t *items = target->preds.items;
    memmove(items + place, items + place + 1, (target->preds.count - place - 1) * sizeof *items);
    target->preds.count--;
    func->analyses = 0;
}

void ilc__edit_cut(ilc__ir_func *func, uint32_t from, uint32_t n)
{
    ilc__ir_block *block = &func->blocks.items[from];
    remove_pred(func, from, block->succs.items[n]);
    memmove(block->succs.items + n, block->succs.items + n + 1,
            (block->succs.count - n - 1) * sizeof *block->succs.items);
    block->succs.count--;
}

void ilc__edit_redirect(ilc__ir_func *func, uint32_t from, uint32_t n, uint32_t to)
{
    ilc__ir_block *block = &func->blocks.items[from];
    remove_pred(func, from, block->succs.items[n]);
    block->succs.items[n] = to;
    ILC__PUSH(func->arena, &func->blocks.items[to].preds, from);
}

/* --- blocks
 * ------------------------------------------------------------------------------------------------- */

static void cut_unreached(ilc__ir_func *func)
{
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        ilc__ir_block *block = &func->blocks.items[b];
        if (block->rpo != ILC__NO_BLOCK) continue;
        for (uint32_t n = block->succs.count; n-- > 0;)
            if (func->blocks.items[block->succs.items[n]].rpo != ILC__NO_BLOCK)
                remove_pred(func, b, block->succs.items[n]);
        block->succs.count = 0;
    }
}

bool ilc__edit_sweep_blocks(ilc__ir_func *func)
{
    uint32_t n = func->blocks.count, kept = 0;
    ilc__ir_compute_cfg(func);
    if (func->order.count == n) return false;
    cut_unreached(func);
    uint32_t *number = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, n);
    for (uint32_t b = 0; b < n; b++) {
        if (func->blocks.items[b].rpo == ILC__NO_BLOCK) continue;
        number[b] = kept;
        func->blocks.items[kept++] = func->blocks.items[b];
    }
    func->blocks.count = kept;
    for (uint32_t b = 0; b < kept; b++) {
        ilc__ir_block *block = &func->blocks.items[b];
        block->id = b;
        for (uint32_t i = 0; i < block->preds.count; i++)
            block->preds.items[i] = number[block->preds.items[i]];
        for (uint32_t i = 0; i < block->succs.count; i++)
            block->succs.items[i] = number[block->succs.items[i]];
        for (uint32_t i = 0; i < block->list.count; i++)
            func->values.items[block->list.items[i]].block = b;
    }
    func->analyses = 0;
    ilc__ir_compute_cfg(func);
    return true;
}
