/* ret.c - the one `ret` at the end that compilers jump to with the result in a variable without a name: each
 * way returns its value itself, as the source said it. 0 and 1 that lie on the stack there are a condition's value. */
#include "opt/edit.h"

static bool all_jump_to(const ilc__ir_func *func, const ilc__ir_block *block)
{
    for (uint32_t i = 0; i < block->preds.count; i++)
        if (func->blocks.items[block->preds.items[i]].succs.count != 1) return false;
    return true;
}

static bool is_no_variable(const ilc__ir_func *func, const ilc__ir_value *phi)
{
    bool is_condition = func->vars.items[phi->var].is_temp || phi->stacked;
    for (uint32_t i = 0; is_condition && i < phi->arg_count; i++) {
        const ilc__ir_value *arg = &func->values.items[phi->args[i]];
        ilc__ref             ref = arg->op == ILC__OP_COPY ? arg->args[0] : phi->args[i];
        is_condition = ilc__edit_is_const(func, ref, 0) || ilc__edit_is_const(func, ref, 1);
    }
    return !func->vars.items[phi->var].is_named && !is_condition;
}

/* The phi that a block of nothing else returns, where every way in only jumps; or 0. */
static ilc__ref returned_phi(const ilc__ir_func *func, const ilc__ir_block *block)
{
    if (block->list.count != 2 || block->preds.count < 2) return 0;
    const ilc__ir_value *end = &func->values.items[block->list.items[1]];
    const ilc__ir_value *phi = &func->values.items[block->list.items[0]];
    if (end->op != ILC__OP_RETURN || phi->op != ILC__OP_PHI || end->arg_count != 1) return 0;
    if (end->args[0] != block->list.items[0] || !is_no_variable(func, phi)) return 0;
    return all_jump_to(func, block) ? block->list.items[0] : 0;
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

/* --- struct results ------------------------------------------------------------------------------------------- */

enum { MOST_VALUES = 40, MOST_COPIES = 400 }; /* of such a block; of all that take its place */

/* Does the block only put the result together, from phis or a slot that are no variables of the source, and return? */
static bool returns_struct(const ilc__ir_func *func, const ilc__ir_block *block)
{
    uint32_t count = block->list.count, parts = 0;
    if (!func->ret_layout || !block->preds.count || count > MOST_VALUES || count * block->preds.count > MOST_COPIES) return false;
    for (uint32_t i = 0; i < count; i++) {
        const ilc__ir_value *value = &func->values.items[block->list.items[i]];
        switch (value->op) {
        case ILC__OP_PHI:
            if (!is_no_variable(func, value)) return false;
            parts++;
            break;
        case ILC__OP_SLOTADDR:
            if (func->slots.items[value->u.slot].is_named || func->slots.items[value->u.slot].is_param) return false;
            parts++;
            break;
        case ILC__OP_FIELDADDR: case ILC__OP_STOREIND: case ILC__OP_COPYMEM: break;
        case ILC__OP_RETURN: return parts > 0 && value->arg_count == 0 && all_jump_to(func, block);
        default: return false;
        }
    }
    return false;
}

static void copy_to_end(ilc__ir_func *func, uint32_t from, uint32_t number, ilc__ref *map)
{
    uint32_t pred = func->blocks.items[from].preds.items[number];
    ilc__ir_value jump = func->values.items[ilc__ir_terminator(func, pred)]; /* it stands where the source returns */
    func->blocks.items[pred].list.count--;
    for (uint32_t i = 0; i < func->blocks.items[from].list.count; i++) {
        ilc__ref      ref = func->blocks.items[from].list.items[i];
        ilc__ir_value value = func->values.items[ref];
        if (value.op == ILC__OP_PHI) {
            map[ref] = value.args[number];
            continue;
        }
        value.args = ilc__arena_copy(func->arena, value.args, value.arg_count * sizeof *value.args);
        for (uint32_t k = 0; k < value.arg_count; k++) {
            bool here = func->values.items[value.args[k]].block == from;
            if (here) value.args[k] = map[value.args[k]];
        }
        if (jump.has_il) value.il = jump.il;
        value.has_il = value.has_il || jump.has_il;
        map[ref] = ilc__ir_add(func, value);
        ilc__ir_append(func, pred, map[ref]);
    }
    func->blocks.items[pred].succs.count = 0;
}

static void return_struct_early(ilc__ir_func *func, uint32_t block)
{
    ilc__ref *map = ILC__NEW_ARRAY(func->arena, ilc__ref, func->values.count);
    for (uint32_t i = 0; i < func->blocks.items[block].preds.count; i++) copy_to_end(func, block, i, map);
    func->blocks.items[block].preds.count = func->blocks.items[block].list.count = 0;
    func->analyses = 0;
}

bool ilc__pass_ret(ilc__ir_func *func)
{
    bool progress = false;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        ilc__ref phi = returned_phi(func, &func->blocks.items[b]);
        bool     is_struct = !phi && returns_struct(func, &func->blocks.items[b]);
        if (!phi && !is_struct) continue;
        if (is_struct) return_struct_early(func, b);
        else return_early(func, b, phi);
        progress = true;
    }
    if (progress) ilc__edit_sweep_blocks(func);
    return progress;
}
