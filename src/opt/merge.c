/* merge.c - a block and the only one that it jumps to become one; empty blocks that several ways only pass
 * go. */
#include "opt/edit.h"

static void replace_pred(ilc__ir_func *func, uint32_t block, uint32_t old, uint32_t new)
{
    ilc__ir_block *b = &func->blocks.items[block];
    for (uint32_t i = 0; i < b->preds.count; i++)
        if (b->preds.items[i] == old) b->preds.items[i] = new;
}

static bool starts_with_phi(const ilc__ir_func *func, uint32_t block)
{
    return func->values.items[func->blocks.items[block].list.items[0]].op == ILC__OP_PHI;
}

static bool join_next(ilc__ir_func *func, uint32_t block)
{
    ilc__ir_block *b = &func->blocks.items[block];
    if (b->succs.count != 1 || func->values.items[ilc__ir_terminator(func, block)].op != ILC__OP_JUMP)
        return false;
    uint32_t       next = b->succs.items[0];
    ilc__ir_block *n = &func->blocks.items[next];
    if (next == block || next == 0 || n->preds.count != 1 || starts_with_phi(func, next)) return false;
    b->list.count--; /* the jump */
    for (uint32_t i = 0; i < n->list.count; i++)
        ilc__ir_append(func, block, n->list.items[i]);
    b->succs.count = 0;
    for (uint32_t i = 0; i < n->succs.count; i++) {
        ILC__PUSH(func->arena, &b->succs, n->succs.items[i]);
        replace_pred(func, n->succs.items[i], next, block);
    }
    n->list.count = n->succs.count = n->preds.count = 0;
    return true;
}

/* Only a jump, reached by jumps only: each of them can go on to the target itself, with the same values. */
static bool pass_by(ilc__ir_func *func, uint32_t block)
{
    ilc__ir_block *b = &func->blocks.items[block];
    if (block == 0 || b->list.count != 1 || b->succs.count != 1 || !b->preds.count ||
        b->succs.items[0] == block)
        return false;
    uint32_t to = b->succs.items[0];
    for (uint32_t i = 0; i < b->preds.count; i++)
        if (func->blocks.items[b->preds.items[i]].succs.count != 1 || b->preds.items[i] == block)
            return false;
    const ilc__ir_block *target = &func->blocks.items[to];
    uint32_t             edge = 0;
    while (target->preds.items[edge] != block)
        edge++;
    for (uint32_t i = 0; i < target->list.count; i++) {
        ilc__ref phi = target->list.items[i];
        if (func->values.items[phi].op != ILC__OP_PHI) break;
        ilc__ref arg = func->values.items[phi].args[edge];
        for (uint32_t k = 0; k < b->preds.count; k++)
            ilc__edit_add_phi_arg(func, phi, arg);
    }
    while (b->preds.count)
        ilc__edit_redirect(func, b->preds.items[0], 0, to);
    return true;
}

bool ilc__pass_merge(ilc__ir_func *func)
{
    bool progress = false;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        if (!func->blocks.items[b].list.count) continue; /* joined to another already */
        while (join_next(func, b))
            progress = true;
        if (func->blocks.items[b].preds.count && pass_by(func, b)) progress = true;
    }
    if (progress) ilc__edit_sweep_blocks(func);
    return progress;
}
