/* ret.c - the one `ret` at the end that compilers jump to with the result in a variable without a name: each
 * way returns its value itself, as the source said it. */
#include "opt/edit.h"

/* The phi that a block of nothing else returns, where every way in only jumps; or 0. */
static ilc__ref returned_phi(const ilc__ir_func *func, const ilc__ir_block *block)
{
    if (block->list.count != 2 || block->preds.count < 2) return 0;
    const ilc__ir_value *end = &func->values.items[block->list.items[1]];
    const ilc__ir_value *phi = &func->values.items[block->list.items[0]];
    if (end->op != ILC__OP_RETURN || phi->op != ILC__OP_PHI || end->arg_count != 1) return 0;
    if (end->args[0] != block->list.items[0] || func->vars.items[phi->var].is_named) return 0;
    for (uint32_t i = 0; i < block->preds.count; i++) {
        const ilc__ir_block *pred = &func->blocks.items[block->preds.items[i]];
        if (pred->succs.count != 1) return 0;
    }
    return block->list.items[0];
}

static void return_early(ilc__ir_func *func, uint32_t block, ilc__ref phi)
{
    ilc__ir_block *b = &func->blocks.items[block];
    ilc__ir_value  end = func->values.items[b->list.items[1]];
    for (uint32_t i = 0; i < b->preds.count; i++) {
        ilc__ir_block *pred = &func->blocks.items[b->preds.items[i]];
        ilc__ir_value *jump = &func->values.items[pred->list.items[pred->list.count - 1]];
        ilc__ref       arg = func->values.items[phi].args[i];
        jump->op = ILC__OP_RETURN;
        jump->arg_count = 1;
        jump->args = ilc__arena_copy(func->arena, &arg, sizeof arg);
        if (!jump->has_il) {
            jump->il = end.il;
            jump->has_il = end.has_il;
        }
        pred->succs.count = 0;
    }
    b->preds.count = b->list.count = 0;
    func->analyses = 0;
}

bool ilc__pass_ret(ilc__ir_func *func)
{
    bool progress = false;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        ilc__ref phi = returned_phi(func, &func->blocks.items[b]);
        if (!phi) continue;
        return_early(func, b, phi);
        progress = true;
    }
    if (progress) ilc__edit_sweep_blocks(func);
    return progress;
}
