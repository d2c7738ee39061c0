/* lift_flow.c - blocks of IL, their edges, what is reachable, and which variables are live at each block's
 * start. Nothing recurses. */
#include "ir/lift.h"

#include "il/decode.h"

/* Variables times blocks: the size of the tables of liveness and versions. */
enum { MAX_STATE = 1 << 24 };

/* --- blocks -----------------------------------------------------------------------------------------------
 */

static bool falls_through(const ilc__insn *insn)
{
    ilc__flow flow = ilc__opcode_flow(insn->op);
    return flow != ILC__FLOW_BRANCH && flow != ILC__FLOW_RETURN && flow != ILC__FLOW_THROW;
}

static bool has_targets(const ilc__insn *insn)
{
    ilc__operand operand = ilc__opcode_operand(insn->op);
    return operand == ILC__OPERAND_BR1 || operand == ILC__OPERAND_BR4 || operand == ILC__OPERAND_SWITCH;
}

static void find_leaders(ilc__lift *l, bool *leaders)
{
    leaders[0] = true;
    for (uint32_t i = 0; i < l->body.insn_count; i++) {
        const ilc__insn *insn = &l->body.insns[i];
        if (has_targets(insn))
            for (uint32_t k = 0; k < insn->u.branch.count; k++)
                leaders[l->body.index[insn->u.branch.targets[k]]] = true;
        if ((has_targets(insn) || !falls_through(insn)) && i + 1 < l->body.insn_count) leaders[i + 1] = true;
    }
}

static void find_succs(ilc__lift *l, ilc__lift_block *block)
{
    const ilc__insn *last = &l->body.insns[block->end - 1];
    uint32_t         count = has_targets(last) ? last->u.branch.count : 0;
    block->succs = ILC__NEW_ARRAY(l->arena, uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i < count; i++)
        block->succs[block->succ_count++] = l->block_at[l->body.index[last->u.branch.targets[i]]];
    if (falls_through(last) && block->end < l->body.insn_count)
        block->succs[block->succ_count++] = l->block_at[block->end];
    for (uint32_t i = 1; i < block->succ_count; i++)
        block->branches |= block->succs[i] != block->succs[0];
}

static void make_blocks(ilc__lift *l)
{
    uint32_t n = l->body.insn_count;
    bool    *leaders = ILC__NEW_ARRAY(l->arena, bool, n);
    find_leaders(l, leaders);
    l->block_at = ILC__NEW_ARRAY(l->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        l->block_at[i] = leaders[i] ? l->block_count++ : ILC__NO_BLOCK;
    l->blocks = ILC__NEW_ARRAY(l->arena, ilc__lift_block, l->block_count);
    for (uint32_t i = 0, b = 0; i < n; b++) {
        l->blocks[b].first = i;
        do
            i++;
        while (i < n && !leaders[i]);
        l->blocks[b].end = i;
    }
    for (uint32_t b = 0; b < l->block_count; b++)
        find_succs(l, &l->blocks[b]);
}

/* Reverse postorder of what the first block reaches. */
static void make_order(ilc__lift *l)
{
    uint32_t *stack = ILC__NEW_ARRAY(l->arena, uint32_t, l->block_count);
    uint32_t *at = ILC__NEW_ARRAY(l->arena, uint32_t, l->block_count);
    uint32_t *postorder = ILC__NEW_ARRAY(l->arena, uint32_t, l->block_count);
    uint32_t  depth = 0, finished = 0;
    stack[depth++] = 0;
    l->blocks[0].reachable = true;
    while (depth) {
        uint32_t         b = stack[depth - 1];
        ilc__lift_block *block = &l->blocks[b];
        if (at[b] == block->succ_count) {
            postorder[finished++] = b;
            depth--;
            continue;
        }
        uint32_t to = block->succs[at[b]++];
        if (l->blocks[to].reachable) continue;
        l->blocks[to].reachable = true;
        stack[depth++] = to;
    }
    for (uint32_t i = finished; i-- > 0;) {
        l->blocks[postorder[i]].order = l->order.count;
        ILC__PUSH(l->arena, &l->order, postorder[i]);
    }
}

static void make_edges(ilc__lift *l)
{
    uint32_t *last = ILC__NEW_ARRAY(l->arena, uint32_t, l->block_count); /* 1 + the last source seen */
    for (uint32_t i = 0; i < l->order.count; i++) {
        uint32_t         b = l->order.items[i];
        ilc__lift_block *block = &l->blocks[b];
        for (uint32_t k = 0; k < block->succ_count; k++) {
            uint32_t to = block->succs[k];
            if (last[to] == b + 1) continue;
            last[to] = b + 1;
            ILC__PUSH(l->arena, &l->blocks[to].edges, (ilc__lift_edge){.from = b, .place = ILC__NO_BLOCK});
        }
    }
}

/* The first thing in the order of the code that cannot be lifted is what is reported. */
static ilc_status check_support(ilc__lift *l)
{
    for (uint32_t b = 0; b < l->block_count; b++) {
        const ilc__lift_block *block = &l->blocks[b];
        if (!block->reachable) continue;
        for (uint32_t i = block->first; i < block->end; i++) {
            l->insn = &l->body.insns[i];
            ilc__opcode op = l->insn->op;
            if (op == ILC__IL_CALL || op == ILC__IL_CALLVIRT || op == ILC__IL_NEWOBJ)
                ILC__TRY(ilc__lift_check_call(l)); /* names the callee */
            const ilc__static *value;
            if (op == ILC__IL_LDSFLD) ILC__TRY(ilc__lift_static_value(l, &value)); /* names the field */
            if (!ilc__lift_in_subset(op))
                return ilc__lift_refuse(l, ILC_UNSUPPORTED, "instruction %s", ilc__opcode_name(op));
        }
        if (block->end == l->body.insn_count && falls_through(&l->body.insns[block->end - 1]))
            return ilc__lift_refuse(l, ILC_FORMAT, "control left the end of the code");
    }
    return ILC_OK;
}

ilc_status ilc__lift_flow(ilc__lift *l)
{
    make_blocks(l);
    make_order(l);
    make_edges(l);
    return check_support(l);
}

/* --- liveness ---------------------------------------------------------------------------------------------
 */

uint32_t ilc__lift_variable(const ilc__lift *l, const ilc__insn *insn, bool *writes)
{
    ilc__variable kind = ilc__opcode_variable(insn->op);
    uint64_t      number = (uint64_t)insn->u.i;
    if (kind == ILC__VARIABLE_NONE) return 0;
    *writes = (insn->op >= ILC__IL_STLOC_0 && insn->op <= ILC__IL_STLOC_3) || insn->op == ILC__IL_STLOC_S ||
              insn->op == ILC__IL_STLOC || insn->op == ILC__IL_STARG_S || insn->op == ILC__IL_STARG;
    if (kind == ILC__VARIABLE_ARG)
        return number < l->arg_count && !l->arg_slots[number]
                   ? (uint32_t)number + 1
                   : 0;
    return number < l->body.local_count ? l->local_vars[number] : 0;
}

bool ilc__lift_is_live(const ilc__lift_block *block, uint32_t var)
{
    return block->live[var / 64] >> (var % 64) & 1;
}

/* What a block reads before it writes it (into gen), and what it writes. */
static void scan_block(ilc__lift *l, ilc__lift_block *block, uint64_t *gen, uint64_t *kill)
{
    for (uint32_t i = block->first; i < block->end; i++) {
        bool     writes = false;
        uint32_t var = ilc__lift_variable(l, &l->body.insns[i], &writes);
        if (!var) continue;
        uint64_t bit = UINT64_C(1) << (var % 64);
        if (writes)
            kill[var / 64] |= bit;
        else if (!(kill[var / 64] & bit))
            gen[var / 64] |= bit;
    }
}

/* Backward, with a list of the blocks whose successors changed; each block changes at most once per variable.
 */
static void solve(ilc__lift *l, uint64_t *const *kill, uint32_t words)
{
    uint32_t *work = ILC__NEW_ARRAY(l->arena, uint32_t, l->block_count);
    bool     *queued = ILC__NEW_ARRAY(l->arena, bool, l->block_count);
    uint32_t  head = 0, count = 0;
    for (uint32_t i = l->order.count; i-- > 0;) {
        work[count++] = l->order.items[i];
        queued[l->order.items[i]] = true;
    }
    while (count) {
        uint32_t         b = work[head];
        ilc__lift_block *block = &l->blocks[b];
        head = (head + 1) % l->block_count;
        count--;
        queued[b] = false;
        for (uint32_t e = 0; e < block->edges.count; e++) {
            uint32_t         p = block->edges.items[e].from;
            ilc__lift_block *pred = &l->blocks[p];
            bool             changed = false;
            for (uint32_t w = 0; w < words; w++) {
                uint64_t more = block->live[w] & ~kill[p][w] & ~pred->live[w];
                pred->live[w] |= more;
                changed |= more != 0;
            }
            if (!changed || queued[p]) continue;
            work[(head + count++) % l->block_count] = p;
            queued[p] = true;
        }
    }
}

ilc_status ilc__lift_liveness(ilc__lift *l)
{
    uint32_t words = l->var_count / 64 + 1;
    if ((uint64_t)l->block_count * (l->var_count + 1) > MAX_STATE)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "a method with %u blocks and %u variables is too large",
                                l->block_count, l->var_count);
    uint64_t **kill = ILC__NEW_ARRAY(l->arena, uint64_t *, l->block_count);
    for (uint32_t b = 0; b < l->block_count; b++) {
        ilc__lift_block *block = &l->blocks[b];
        if (!block->reachable) continue;
        block->live = ILC__NEW_ARRAY(l->arena, uint64_t, words);
        kill[b] = ILC__NEW_ARRAY(l->arena, uint64_t, words);
        scan_block(l, block, block->live, kill[b]);
    }
    solve(l, kill, words);
    return ILC_OK;
}
