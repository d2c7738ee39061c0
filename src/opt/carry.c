/* carry.c - a struct that a temporary slot only carries from one place in memory to another (ldloc, stloc)
 * goes there at once, where nothing happens between. */
#include "opt/edit.h"

typedef struct carrier { /* of a slot: how its address is used */
    ilc__ref filled;     /* the copy into it                   */
    uint32_t uses;       /* operands that are its address      */
} carrier;

static uint32_t slot_at(const ilc__ir_func *func, ilc__ref addr)
{
    const ilc__ir_value *value = &func->values.items[addr];
    return value->op == ILC__OP_SLOTADDR && !value->var && func->slots.items[value->u.slot].is_temp
               ? value->u.slot
               : 0;
}

static carrier *find_carriers(ilc__ir_func *func)
{
    carrier *carriers = ILC__NEW_ARRAY(func->arena, carrier, func->slots.count);
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            ilc__ref             ref = block->list.items[i];
            const ilc__ir_value *value = &func->values.items[ref];
            for (uint32_t k = 0; k < value->arg_count; k++) {
                uint32_t slot = slot_at(func, value->args[k]);
                carriers[slot].uses++;
                if (value->op == ILC__OP_COPYMEM && k == 0) carriers[slot].filled = ref;
            }
        }
    }
    return carriers;
}

/* Is `filled` the effect right before the site, and can what it read be read here? */
static bool is_right_before(const ilc__site *site, ilc__ref filled)
{
    const ilc__ir_block *block = &site->func->blocks.items[site->block];
    for (uint32_t i = site->index; i-- > 0;) {
        ilc__ref ref = block->list.items[i];
        if (ref == filled) return ilc__site_reads(site, filled, site->func->values.items[filled].args[1]);
        if ((ilc__op_info_of(site->func->values.items[ref].op)->flags & ILC__OPF_EFFECT) != 0) return false;
    }
    return false;
}

bool ilc__pass_carry(ilc__ir_func *func)
{
    ilc__site site;
    bool      progress = false;
    if (func->slots.count <= 1) return false;
    carrier *carriers = find_carriers(func);
    bool    *drop = ILC__NEW_ARRAY(func->arena, bool, func->values.count);
    ilc__site_init(&site, func);
    for (site.block = 0; site.block < func->blocks.count; site.block++) {
        const ilc__ir_block *block = &func->blocks.items[site.block];
        for (site.index = 0; site.index < block->list.count; site.index++) {
            ilc__ir_value *value = &func->values.items[block->list.items[site.index]];
            if (value->op != ILC__OP_COPYMEM) continue;
            uint32_t slot = slot_at(func, value->args[1]);
            ilc__ref filled = carriers[slot].filled;
            if (!slot || carriers[slot].uses != 2 || !filled || drop[filled] ||
                !is_right_before(&site, filled))
                continue;
            value->args[1] = func->values.items[filled].args[1];
            value->il = func->values.items[filled].il; /* `Return x`, not the method's end */
            value->has_il = func->values.items[filled].has_il;
            drop[filled] = progress = true;
        }
    }
    if (progress) ilc__edit_drop(func, drop);
    return progress;
}
