/* carry.c - a struct that a slot without a name of the source's only carries from one place in memory to another (ldloc,
 * stloc, the result on its way to the one ret) goes there at once, where nothing happens between. */
#include "opt/edit.h"

static uint32_t slot_at(const ilc__ir_func *func, ilc__ref addr)
{
    const ilc__ir_value *value = &func->values.items[addr];
    if (value->op != ILC__OP_SLOTADDR || value->var) return 0;
    const ilc__ir_slot *slot = &func->slots.items[value->u.slot];
    return slot->is_named || slot->is_param ? 0 : value->u.slot;
}

/* By slot: how many operands are its address. */
static uint32_t *count_uses(const ilc__ir_func *func)
{
    uint32_t *uses = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, func->slots.count);
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *value = &func->values.items[block->list.items[i]];
            for (uint32_t k = 0; k < value->arg_count; k++) uses[slot_at(func, value->args[k])]++;
        }
    }
    return uses;
}

/* The copy into the slot that is the effect right before the site, where what it read can be read here; or 0. */
static ilc__ref filled_right_before(const ilc__site *site, uint32_t slot)
{
    const ilc__ir_block *block = &site->func->blocks.items[site->block];
    for (uint32_t i = site->index; i-- > 0;) {
        ilc__ref             ref = block->list.items[i];
        const ilc__ir_value *value = &site->func->values.items[ref];
        if ((ilc__op_info_of(value->op)->flags & ILC__OPF_EFFECT) == 0) continue;
        bool fills = value->op == ILC__OP_COPYMEM && slot_at(site->func, value->args[0]) == slot;
        return fills && ilc__site_reads(site, ref, value->args[1]) ? ref : 0;
    }
    return 0;
}

/* Does the function return right behind the site? Then nothing reads the slot any more. */
static bool returns_behind(const ilc__site *site)
{
    const ilc__ir_block *block = &site->func->blocks.items[site->block];
    return site->index + 2 == block->list.count &&
           site->func->values.items[block->list.items[site->index + 1]].op == ILC__OP_RETURN;
}

bool ilc__pass_carry(ilc__ir_func *func)
{
    ilc__site site;
    bool      progress = false;
    if (func->slots.count <= 1) return false;
    uint32_t *uses = count_uses(func);
    bool     *drop = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count);
    ilc__site_init(&site, func);
    for (site.block = 0; site.block < func->blocks.count; site.block++) {
        const ilc__ir_block *block = &func->blocks.items[site.block];
        for (site.index = 0; site.index < block->list.count; site.index++) {
            ilc__ir_value *value = &func->values.items[block->list.items[site.index]];
            if (value->op != ILC__OP_COPYMEM) continue;
            uint32_t slot = slot_at(func, value->args[1]);
            if (!slot || (uses[slot] != 2 && !returns_behind(&site))) continue;
            ilc__ref filled = filled_right_before(&site, slot);
            if (!filled || drop[filled]) continue;
            value->args[1] = func->values.items[filled].args[1];
            value->il = func->values.items[filled].il; /* `Return x`, not the method's end */
            value->has_il = func->values.items[filled].has_il;
            drop[filled] = progress = true;
        }
    }
    if (progress) ilc__edit_drop(func, drop);
    return progress;
}
