/* thread.c - a block of phis that only branches on one of them: a way in that brings a constant goes straight
 * on. This is what `a AndAlso b` kept in a temporary variable compiles to. Loop headers stay as they are, so
 * that no loop gets a second entry. */
#include "opt/edit.h"

/* The constant that a value is, perhaps through copies to temporaries. */
static const ilc__ir_value *constant_behind(const ilc__ir_func *func, ilc__ref ref)
{
    const ilc__ir_value *value = &func->values.items[ref];
    for (int i = 0; value->op == ILC__OP_COPY && i < 8; i++)
        value = &func->values.items[value->args[0]];
    return value->op == ILC__OP_CONST ? value : NULL;
}

static uint32_t place_of(const uint32_t *items, uint32_t count, uint32_t wanted)
{
    uint32_t place = 0;
    while (place < count && items[place] != wanted)
        place++;
    return place;
}

/* Uses of a value by the phis of the blocks that this one leads to, at its edges. */
static uint32_t uses_on_edges(const ilc__ir_func *func, const ilc__ir_block *block, ilc__ref ref)
{
    uint32_t uses = 0;
    for (uint32_t s = 0; s < block->succs.count; s++) {
        const ilc__ir_block *to = &func->blocks.items[block->succs.items[s]];
        uint32_t             place = place_of(to->preds.items, to->preds.count, block->id);
        for (uint32_t i = 0; i < to->list.count; i++) {
            const ilc__ir_value *phi = &func->values.items[to->list.items[i]];
            if (phi->op != ILC__OP_PHI) break;
            uses += phi->args[place] == ref;
        }
    }
    return uses;
}

static bool is_candidate(const ilc__ir_func *func, const ilc__ir_block *block, const uint32_t *uses)
{
    ilc__ref end = ilc__ir_terminator(func, block->id), condition;
    if (block->id == 0 || block->preds.count < 2 || block->loop_header == block->id) return false;
    if (func->values.items[end].op != ILC__OP_BRANCH || block->succs.items[0] == block->succs.items[1])
        return false;
    condition = func->values.items[end].args[0];
    if (func->values.items[condition].op != ILC__OP_PHI || func->values.items[condition].block != block->id ||
        func->vars.items[func->values.items[condition].var].is_named)
        return false; /* a flag of the source stays one */
    for (uint32_t i = 0; i + 1 < block->list.count; i++) {
        ilc__ref ref = block->list.items[i];
        if (func->values.items[ref].op != ILC__OP_PHI) return false;
        if (uses[ref] != (ref == condition ? 1u : 0u) + uses_on_edges(func, block, ref)) return false;
    }
    return true;
}

/* A block of its own on the edge to a target that is about to get another way in. */
static void split_edge(ilc__ir_func *func, uint32_t from, uint32_t n)
{
    uint32_t       to = func->blocks.items[from].succs.items[n];
    uint32_t       middle = ilc__ir_add_block(func, func->blocks.items[to].il);
    ilc__ir_block *target = &func->blocks.items[to];
    ilc__ir_emit(func, middle, ILC__OP_JUMP, ILC__IR_VOID, 0, NULL);
    target->preds.items[place_of(target->preds.items, target->preds.count, from)] = middle;
    ILC__PUSH(func->arena, &func->blocks.items[middle].succs, to);
    ILC__PUSH(func->arena, &func->blocks.items[middle].preds, from);
    func->blocks.items[from].succs.items[n] = middle;
}

/* The way from a predecessor (which only jumps) leads past the block to its n-th target. */
static void go_past(ilc__ir_func *func, uint32_t block, uint32_t pred, uint32_t n, uint32_t *uses)
{
    uint32_t             to = func->blocks.items[block].succs.items[n];
    const ilc__ir_block *b = &func->blocks.items[block], *target = &func->blocks.items[to];
    uint32_t             way = place_of(b->preds.items, b->preds.count, pred);
    uint32_t             edge = place_of(target->preds.items, target->preds.count, block);
    for (uint32_t i = 0; i < target->list.count; i++) {
        ilc__ref phi = target->list.items[i];
        if (func->values.items[phi].op != ILC__OP_PHI) break;
        ilc__ref             arg = func->values.items[phi].args[edge];
        const ilc__ir_value *brought = &func->values.items[arg];
        if (brought->op == ILC__OP_PHI && brought->block == block) arg = brought->args[way];
        ilc__edit_add_phi_arg(func, phi, arg);
        uses[arg]++;
    }
    for (uint32_t i = 0; i < b->list.count; i++) {
        const ilc__ir_value *phi = &func->values.items[b->list.items[i]];
        if (phi->op == ILC__OP_PHI) uses[phi->args[way]]--;
    }
    ilc__edit_redirect(func, pred, 0, to);
    split_edge(func, block, n);
}

static bool thread_block(ilc__ir_func *func, uint32_t block, uint32_t *uses)
{
    bool     progress = false;
    ilc__ref condition = func->values.items[ilc__ir_terminator(func, block)].args[0];
    for (uint32_t i = func->blocks.items[block].preds.count; i-- > 0;) {
        uint32_t             pred = func->blocks.items[block].preds.items[i];
        const ilc__ir_value *constant = constant_behind(func, func->values.items[condition].args[i]);
        if (!constant || func->blocks.items[pred].succs.count != 1 || pred == block) continue;
        go_past(func, block, pred, (uint32_t)constant->u.bits ? 0 : 1, uses);
        progress = true;
    }
    return progress;
}

bool ilc__pass_thread(ilc__ir_func *func)
{
    uint32_t  count = func->blocks.count;
    uint32_t *uses = ilc__edit_use_counts(func);
    bool      progress = false;
    /* No header of a loop comes to be on the way, where loops have one entry; else the next one needs new loops. */
    for (uint32_t b = 0; b < count && !(progress && func->irreducible); b++)
        if (is_candidate(func, &func->blocks.items[b], uses) && thread_block(func, b, uses)) progress = true;
    if (progress) ilc__edit_sweep_blocks(func);
    return progress;
}
