/* lift_edges.c - block borders: versions and stack values where ways join, terminators, critical edges.
 *
 * A stack value that is the same on every way stays as it is. Another gets a temporary variable of this join:
 * a copy at the end of each way, a phi at the start. */
#include "ir/lift.h"

enum { MAX_CELLS = 1 << 20 };

static bool is_join(const ilc__lift *l, uint32_t block)
{
    return l->blocks[block].edges.count + (block == 0 ? 1 : 0) > 1;
}

/* --- a block's start
 * ---------------------------------------------------------------------------------------- */

static ilc__ref add_phi(ilc__lift *l, uint32_t var)
{
    const ilc__ir_var *variable = &l->func->vars.items[var];
    ilc__ir_value      phi = {.op = ILC__OP_PHI, .var = var};
    phi.type = ilc__ir_var_type(variable);
    if (variable->is_array) phi.storage = variable->storage;
    ilc__ref ref = ilc__ir_add(l->func, phi);
    ilc__ir_append(l->func, l->ir, ref);
    return ref;
}

/* --- versions in pages ------------------------------------------------------------------------------------ */

uint32_t ilc__lift_page_count(const ilc__lift *l)
{
    return l->var_count / ILC__LIFT_PAGE + 1;
}

ilc__ref *ilc__lift_new_versions(ilc__lift *l)
{
    return ILC__NEW_ARRAY(l->arena, ilc__ref, (size_t)ilc__lift_page_count(l) * ILC__LIFT_PAGE);
}

static const ilc__ref *exit_page(const ilc__lift *l, const ilc__lift_edge *edge, uint32_t page)
{
    return edge ? l->blocks[edge->from].exit_vars[page] : l->initial + (size_t)page * ILC__LIFT_PAGE;
}

/* The pages at the block's end. */
static const ilc__ref **keep_vars(ilc__lift *l)
{
    const ilc__ref **pages = ILC__NEW_ARRAY(l->arena, const ilc__ref *, ilc__lift_page_count(l));
    for (uint32_t k = 0; k < ilc__lift_page_count(l); k++) {
        const ilc__ref *now = l->vars + (size_t)k * ILC__LIFT_PAGE;
        size_t          size = ILC__LIFT_PAGE * sizeof *now;
        bool            same = l->pages[k] && memcmp(l->pages[k], now, size) == 0;
        pages[k] = same ? l->pages[k] : ilc__arena_copy(l->arena, now, size);
    }
    return pages;
}

/* The version that every way brings, or 0. It must not become a phi: it may also stand on the stack, where a
 * newer version of its variable beside it would live together with it. */
static ilc__ref same_version(const ilc__lift *l, uint32_t number, uint32_t var)
{
    const ilc__lift_block *block = &l->blocks[number];
    ilc__ref               same = 0;
    for (uint32_t e = 0; e < block->edges.count; e++) {
        const ilc__lift_block *from = &l->blocks[block->edges.items[e].from];
        if (number == 0 || !from->lifted) return 0;
        ilc__ref version = from->exit_vars[var / ILC__LIFT_PAGE][var % ILC__LIFT_PAGE];
        if (e && version != same) return 0;
        same = version;
    }
    return same;
}

/* The page that every way brings, or NULL. */
static const ilc__ref *same_page(const ilc__lift *l, uint32_t number, uint32_t page)
{
    const ilc__lift_block *block = &l->blocks[number];
    const ilc__ref        *same = NULL;
    for (uint32_t e = 0; e < block->edges.count; e++) {
        const ilc__lift_block *from = &l->blocks[block->edges.items[e].from];
        if (number == 0 || !from->lifted || (e && from->exit_vars[page] != same)) return NULL;
        same = from->exit_vars[page];
    }
    return same;
}

static void join_var(ilc__lift *l, uint32_t number, uint32_t var)
{
    ilc__lift_block *block = &l->blocks[number];
    l->vars[var] = 0;
    if (!ilc__lift_is_live(block, var)) return;
    l->vars[var] = same_version(l, number, var);
    if (l->vars[var]) return;
    l->vars[var] = add_phi(l, var);
    ILC__PUSH(l->arena, &block->phis, (ilc__lift_phi){var, l->vars[var]});
}

static void enter_vars(ilc__lift *l, uint32_t number)
{
    const ilc__lift_block *block = &l->blocks[number];
    const ilc__lift_edge  *edge = block->edges.count ? &block->edges.items[0] : NULL;
    bool                   join = is_join(l, number);
    for (uint32_t k = 0; k < ilc__lift_page_count(l); k++) {
        uint32_t        from = k * ILC__LIFT_PAGE, to = from + ILC__LIFT_PAGE;
        const ilc__ref *page = join ? same_page(l, number, k) : exit_page(l, edge, k);
        l->pages[k] = page;
        if (page) {
            memcpy(l->vars + from, page, ILC__LIFT_PAGE * sizeof *page);
            continue;
        }
        for (uint32_t var = from ? from : 1; var < to && var <= l->var_count; var++) join_var(l, number, var);
    }
}

static bool same_slot(const ilc__lift_slot *a, const ilc__lift_slot *b)
{
    if (a->type != b->type || a->ref != b->ref || a->span_var != b->span_var) return false;
    return a->text == b->text || (a->text && b->text && strcmp(a->text, b->text) == 0);
}

/* Widens *into so that it also holds from. */
static bool join_slot(ilc__lift_slot *into, const ilc__lift_slot *from)
{
    ilc__ir_type a = into->type, b = from->type;
    if ((a == ILC__IR_VOID || ilc__lift_is_null(into)) && (b == ILC__IR_VOID || ilc__lift_is_null(from)) &&
        (a == ILC__IR_VOID || b == ILC__IR_VOID)) {
        into->type = ILC__IR_VOID; /* of a string only which one matters, and null is one */
        return true;
    }
    if (into->span_var || from->span_var || into->is_span != from->is_span) return false;
    if (a == ILC__IR_VOID || b == ILC__IR_VOID || a == ILC__IR_EXC || b == ILC__IR_EXC) return false;
    if (a == ILC__IR_REF && b == ILC__IR_REF) {
        if (into->elem == ILC_VOID) {
            into->elem = from->elem;
            into->rank = from->rank;
            into->nested = from->nested;
            into->layout = from->layout;
        }
        return from->elem == ILC_VOID || (from->elem == into->elem && from->rank == into->rank &&
                                          from->nested == into->nested && from->layout == into->layout);
    }
    if (into->is_struct != from->is_struct || into->layout != from->layout) return false;
    if (a == ILC__IR_ADDR && b == ILC__IR_ADDR) {
        into->is_pointer = into->is_pointer || from->is_pointer;
        return into->elem == from->elem;
    }
    bool integers = (a == ILC__IR_I32 || a == ILC__IR_I64) && (b == ILC__IR_I32 || b == ILC__IR_I64);
    bool floats = (a == ILC__IR_F32 || a == ILC__IR_F64) && (b == ILC__IR_F32 || b == ILC__IR_F64);
    if (!integers && !floats) return false;
    if (b > a) into->type = b;
    return true;
}

/* The slot at the start of a join: taken over, or a phi of a new variable. */
static ilc_status enter_slot(ilc__lift *l, ilc__lift_block *block, uint32_t d)
{
    ilc__lift_slot joined = {0};
    bool           any = false, same = true;
    for (uint32_t e = 0; e < block->edges.count; e++) {
        const ilc__lift_block *from = &l->blocks[block->edges.items[e].from];
        if (!from->lifted) {
            same = false; /* a way back: what it brings is not known yet */
            continue;
        }
        const ilc__lift_slot *slot = &from->exit_stack[d];
        if (!any) joined = *slot;
        same = same && same_slot(&joined, slot);
        if (any && !same && !join_slot(&joined, slot))
            return ilc__lift_refuse(l, ILC_UNSUPPORTED,
                                    "values of different types on the stack on two ways to one instruction");
        any = true;
    }
    if (!same) {
        if (joined.span_var)
            return ilc__lift_refuse(l, ILC_UNSUPPORTED, "the address of a span on the stack at a backward branch");
        if (joined.type == ILC__IR_EXC)
            return ilc__lift_refuse(l, ILC_UNSUPPORTED, "an exception on the stack at a backward branch");
        joined.text = NULL;
        if (joined.is_struct) {
            block->temp_slots[d] = ilc__lift_new_temp_slot(l, joined.layout);
            block->stack[d] = joined;
            return ILC_OK;
        }
        block->temps[d] = ilc__lift_new_temp(l, joined);
        joined.ref = block->stack_phis[d] = add_phi(l, block->temps[d]);
        if (joined.type == ILC__IR_REF) {
            joined.elem = l->func->vars.items[block->temps[d]].storage;
            joined.layout = l->func->vars.items[block->temps[d]].layout;
        }
    }
    block->stack[d] = joined;
    return ILC_OK;
}

/* Copies to the target's temporary variables at the end of one edge. */
static ilc_status fill_edge(ilc__lift *l, ilc__lift_block *to, ilc__lift_edge *edge)
{
    const ilc__lift_block *from = &l->blocks[edge->from];
    if (from->exit_depth != to->depth)
        return ilc__lift_refuse(l, ILC_FORMAT,
                                "the stack's depth differs between two ways to one instruction");
    if (!to->depth) return ILC_OK;
    const ilc__insn      *insn = l->insn;
    uint32_t              ir = l->ir;
    const ilc__lift_slot *slots = from->exit_stack;
    ilc__ir_block        *place = &l->func->blocks.items[edge->place];
    ilc__ref              last = place->list.items[--place->list.count];
    edge->stack_args = ILC__NEW_ARRAY(l->arena, ilc__ref, to->depth);
    l->insn = NULL;
    l->ir = edge->place;
    for (uint32_t d = 0; d < to->depth; d++) {
        uint32_t temp = to->temps[d];
        if (to->temp_slots[d] && slots[d].is_struct && slots[d].layout == to->stack[d].layout) {
            bool same = slots[d].ref == to->stack[d].ref; /* it never left */
            if (!same)
                ilc__lift_copy_struct(l, ilc__lift_slot_addr(l, to->temp_slots[d]), slots[d].ref,
                                      slots[d].layout);
            continue;
        }
        if (!temp) {
            if (same_slot(&slots[d], &to->stack[d])) continue;
            l->insn = insn;
            return ilc__lift_refuse(l, ILC_UNSUPPORTED,
                                    "values of different types on the stack on two ways to one instruction");
        }
        edge->stack_args[d] = slots[d].ref;
        if (slots[d].ref && l->func->values.items[slots[d].ref].var == temp) continue; /* it never left */
        ilc__lift_slot both = to->stack[d];
        if (!join_slot(&both, &slots[d]) || both.type != to->stack[d].type) {
            l->insn = insn;
            return ilc__lift_refuse(l, ILC_UNSUPPORTED,
                                    "values of different types on the stack on two ways to one instruction");
        }
        if (both.type == ILC__IR_VOID) {
            edge->stack_args[d] = ilc__lift_copy(l, ilc__lift_string_ref(l, &slots[d]), temp);
            continue;
        }
        /* No later copy reads a version of temp: what lies above a value that changed was pushed after it. */
        edge->stack_args[d] = ilc__lift_copy(l, ilc__lift_widen(l, slots[d], to->stack[d].type), temp);
    }
    ilc__ir_append(l->func, edge->place, last);
    l->insn = insn;
    l->ir = ir;
    return ILC_OK;
}

static ilc_status enter_stack(ilc__lift *l, uint32_t number)
{
    ilc__lift_block *block = &l->blocks[number];
    block->depth = 0;
    for (uint32_t e = block->edges.count; number != 0 && e-- > 0;) {
        const ilc__lift_block *from = &l->blocks[block->edges.items[e].from];
        if (from->lifted) block->depth = from->exit_depth; /* the first, after the loop */
    }
    for (uint32_t e = 0; e < block->edges.count; e++) {
        const ilc__lift_block *from = &l->blocks[block->edges.items[e].from];
        if (from->lifted && from->exit_depth != block->depth)
            return ilc__lift_refuse(l, ILC_FORMAT,
                                    "the stack's depth differs between two ways to one instruction");
    }
    l->cell_count += (uint64_t)block->depth * (block->edges.count + 1u);
    if (l->cell_count > MAX_CELLS)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED,
                                "a body with too many values on the stack across branches");
    block->stack = ILC__NEW_ARRAY(l->arena, ilc__lift_slot, block->depth);
    block->temps = ILC__NEW_ARRAY(l->arena, uint32_t, block->depth);
    block->temp_slots = ILC__NEW_ARRAY(l->arena, uint32_t, block->depth);
    block->stack_phis = ILC__NEW_ARRAY(l->arena, ilc__ref, block->depth);
    for (uint32_t d = 0; d < block->depth; d++)
        ILC__TRY(enter_slot(l, block, d));
    for (uint32_t d = 0; d < block->depth; d++) /* behind the phis */
        if (block->temp_slots[d]) block->stack[d].ref = ilc__lift_slot_addr(l, block->temp_slots[d]);
    block->has_stack = true;
    for (uint32_t e = 0; e < block->edges.count; e++)
        if (l->blocks[block->edges.items[e].from].lifted)
            ILC__TRY(fill_edge(l, block, &block->edges.items[e]));
    l->depth = block->depth;
    if (block->depth) memcpy(l->stack, block->stack, block->depth * sizeof *l->stack);
    for (uint32_t d = 0; d < l->depth; d++) l->stack[d].is_ldc = false; /* what stays over a branch is in a variable */
    return ILC_OK;
}

ilc_status ilc__lift_enter(ilc__lift *l, uint32_t block)
{
    l->current = block;
    l->ir = l->blocks[block].ir;
    l->insn = NULL;
    enter_vars(l, block);
    l->insn = &l->body.insns[l->blocks[block].first];
    return enter_stack(l, block);
}

/* --- a block's end
 * -------------------------------------------------------------------------------------------- */

/* The edge from the block that is being left. Blocks are left in the order in which their edges stand. */
static ilc__lift_edge *edge_to(ilc__lift *l, uint32_t to)
{
    ilc__lift_block *target = &l->blocks[to];
    if (target->next_edge && target->edges.items[target->next_edge - 1].from == l->current)
        return &target->edges.items[target->next_edge - 1];
    return &target->edges.items[target->next_edge++];
}

/* The IR block that an edge leads to: the target, or a block of its own where the edge is critical. */
static uint32_t edge_target(ilc__lift *l, uint32_t to)
{
    ilc__lift_edge *edge = edge_to(l, to);
    uint32_t        target = l->blocks[to].ir;
    if (!is_join(l, to) || !l->blocks[l->current].branches) {
        edge->place = l->ir;
        return target;
    }
    if (edge->place == ILC__NO_BLOCK) {
        edge->place = ilc__ir_add_block(l->func, l->func->blocks.items[target].il);
        ilc__ir_emit(l->func, edge->place, ILC__OP_JUMP, ILC__IR_VOID, 0, NULL);
        ilc__ir_connect(l->func, edge->place, target);
    }
    return edge->place;
}

static void terminate(ilc__lift *l, const ilc__lift_block *block)
{
    if (!block->branches) {
        ilc__lift_emit(l, ILC__OP_JUMP, ILC__IR_VOID, 0, 0, 0);
        ilc__ir_connect(l->func, l->ir, edge_target(l, block->succs[0]));
        return;
    }
    bool is_switch = l->insn->op == ILC__IL_SWITCH;
    ilc__lift_emit(l, is_switch ? ILC__OP_SWITCH : ILC__OP_BRANCH, ILC__IR_VOID, 1, l->condition, 0);
    for (uint32_t i = 0; i < block->succ_count; i++) {
        uint32_t which = !is_switch && l->inverted ? 1 - i : i;
        uint32_t target = edge_target(l, block->succs[which]);
        ilc__ir_connect(l->func, l->ir, target);
    }
}

ilc_status ilc__lift_leave(ilc__lift *l)
{
    ilc__lift_block *block = &l->blocks[l->current];
    block->exit_depth = l->depth;
    block->exit_stack = ilc__arena_copy(l->arena, l->stack, l->depth * sizeof *l->stack);
    block->exit_vars = keep_vars(l);
    block->lifted = true;
    if (block->succ_count) terminate(l, block);
    for (uint32_t i = 0; i < block->succ_count; i++) {
        ilc__lift_block *to = &l->blocks[block->succs[i]];
        ilc__lift_edge  *edge = edge_to(l, block->succs[i]);
        if (to->has_stack && !edge->stack_args) ILC__TRY(fill_edge(l, to, edge));
    }
    return ILC_OK;
}

/* --- phis
 * --------------------------------------------------------------------------------------------------- */

static void finish_block(ilc__lift *l, ilc__lift_block *block, ilc__lift_edge **edge_of)
{
    const ilc__ir_block *b = &l->func->blocks.items[block->ir];
    for (uint32_t e = 0; e < block->edges.count; e++)
        edge_of[block->edges.items[e].place] = &block->edges.items[e];
    for (uint32_t i = 0; i < b->list.count; i++) {
        ilc__ir_value *phi = &l->func->values.items[b->list.items[i]];
        if (phi->op != ILC__OP_PHI) break;
        phi->arg_count = b->preds.count;
        phi->args = ILC__NEW_ARRAY(l->func->arena, ilc__ref, b->preds.count);
    }
    for (uint32_t p = 0; p < b->preds.count; p++) {
        const ilc__lift_edge *edge = edge_of[b->preds.items[p]]; /* none: from the entry */
        for (uint32_t i = 0; i < block->phis.count; i++) {
            ilc__lift_phi phi = block->phis.items[i];
            l->func->values.items[phi.ref].args[p] = exit_page(l, edge, phi.var / ILC__LIFT_PAGE)[phi.var % ILC__LIFT_PAGE];
        }
        for (uint32_t d = 0; d < block->depth; d++)
            if (block->stack_phis[d] && edge)
                l->func->values.items[block->stack_phis[d]].args[p] = edge->stack_args[d];
    }
}

void ilc__lift_finish_phis(ilc__lift *l)
{
    ilc__lift_edge **edge_of = ILC__NEW_ARRAY(l->arena, ilc__lift_edge *, l->func->blocks.count);
    for (uint32_t i = 0; i < l->order.count; i++)
        if (is_join(l, l->order.items[i])) finish_block(l, &l->blocks[l->order.items[i]], edge_of);
}
