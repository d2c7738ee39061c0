/* copy.c - copies to variables without a name of the source's: one that is used once, further down its block,
 * is read through; so are copies of constants, of addresses, and of variables that never change. What a named
 * variable holds stays in it, for the reader. */
#include "opt/edit.h"

/* Is the value's only use further down its block? */
static bool used_right_here(const ilc__site *site)
{
    const ilc__ir_block *block = &site->func->blocks.items[site->block];
    ilc__ref             ref = block->list.items[site->index];
    if (site->uses[ref] != 1) return false;
    for (uint32_t i = site->index + 1; i < block->list.count; i++) {
        const ilc__ir_value *value = &site->func->values.items[block->list.items[i]];
        for (uint32_t k = 0; k < value->arg_count; k++)
            if (value->args[k] == ref) return true;
    }
    return false;
}

static bool reads_through(const ilc__site *site, const bool *feeds_phi)
{
    ilc__ref             ref = site->func->blocks.items[site->block].list.items[site->index];
    const ilc__ir_value *copy = &site->func->values.items[ref];
    if (copy->op != ILC__OP_COPY || site->func->vars.items[copy->var].is_named || feeds_phi[ref])
        return false;
    const ilc__ir_value *source = &site->func->values.items[copy->args[0]];
    bool                 is_fixed = source->var && site->versions[source->var] == 1;
    bool                 is_address = copy->type == ILC__IR_ADDR && !source->var;
    if (source->op != ILC__OP_CONST && !is_fixed && !is_address && !used_right_here(site)) return false;
    return ilc__site_yields(site, copy->args[0]);
}

static bool *find_phi_args(const ilc__ir_func *func)
{
    bool *feeds = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count);
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *phi = &func->values.items[block->list.items[i]];
            if (phi->op != ILC__OP_PHI) break;
            for (uint32_t k = 0; k < phi->arg_count; k++)
                feeds[phi->args[k]] = true;
        }
    }
    return feeds;
}

bool ilc__pass_copy(ilc__ir_func *func)
{
    ilc__site site;
    ilc__ref *map = ilc__edit_map(func);
    bool     *drop = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count), *feeds_phi = find_phi_args(func);
    bool      progress = false;
    ilc__site_init(&site, func);
    for (site.block = 0; site.block < func->blocks.count; site.block++) {
        const ilc__ir_block *block = &func->blocks.items[site.block];
        for (site.index = 0; site.index < block->list.count; site.index++) {
            ilc__ref       ref = block->list.items[site.index];
            ilc__ir_value *value = &func->values.items[ref];
            ilc__edit_replace_args(func, value, map);
            if (!reads_through(&site, feeds_phi)) continue;
            map[ref] = value->args[0];
            site.uses[value->args[0]] += site.uses[ref];
            drop[ref] = progress = true;
        }
    }
    if (!progress) return false;
    ilc__edit_apply(func, map);
    ilc__edit_drop(func, drop);
    return true;
}
