/* branch.c - branches and switches that always go one way become jumps; blocks not reached any more go. */
#include "opt/edit.h"

static bool all_same(const ilc__ir_block *block)
{
    for (uint32_t i = 1; i < block->succs.count; i++)
        if (block->succs.items[i] != block->succs.items[0]) return false;
    return true;
}

/* Which target is always taken; UINT32_MAX when that is not known. */
static uint32_t only_way(const ilc__ir_func *func, const ilc__ir_block *block, const ilc__ir_value *end)
{
    if (end->op != ILC__OP_BRANCH && end->op != ILC__OP_SWITCH) return UINT32_MAX;
    if (all_same(block)) return 0;
    const ilc__ir_value *condition = &func->values.items[end->args[0]];
    if (condition->op != ILC__OP_CONST) return UINT32_MAX;
    uint32_t number = (uint32_t)condition->u.bits, last = block->succs.count - 1;
    if (end->op == ILC__OP_BRANCH) return number ? 0 : 1;
    return number < last ? number : last; /* III.3.66: unsigned; the default stands last */
}

/* branch (x = 0), t, f with a truth value x is branch x, f, t. */
static bool turn_around(ilc__ir_func *func, ilc__ir_block *block, ilc__ir_value *end)
{
    if (end->op != ILC__OP_BRANCH) return false;
    const ilc__ir_value *condition = &func->values.items[end->args[0]];
    if (condition->op != ILC__OP_EQ_I32 || !ilc__edit_is_const(func, condition->args[1], 0)) return false;
    const ilc__ir_value *truth = &func->values.items[condition->args[0]];
    if (truth->var || !ilc__edit_is_truth(func, condition->args[0])) return false;
    end->args[0] = condition->args[0];
    uint32_t taken = block->succs.items[0];
    block->succs.items[0] = block->succs.items[1];
    block->succs.items[1] = taken;
    return true;
}

bool ilc__pass_branch(ilc__ir_func *func)
{
    bool progress = false, cut = false;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        ilc__ir_block *block = &func->blocks.items[b];
        ilc__ir_value *end = &func->values.items[ilc__ir_terminator(func, b)];
        uint32_t       way = only_way(func, block, end);
        if (way == UINT32_MAX) {
            progress |= turn_around(func, block, end);
            continue;
        }
        for (uint32_t n = block->succs.count; n-- > 0;)
            if (n != way) ilc__edit_cut(func, b, n);
        end->op = ILC__OP_JUMP;
        end->arg_count = 0;
        progress = cut = true;
    }
    if (cut) ilc__edit_sweep_blocks(func);
    return progress;
}
