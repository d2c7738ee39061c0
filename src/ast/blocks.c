/* blocks.c - the values of each block become statements, and the expression its terminator tests.
 *
 * Values that go into their one use wait, in the order they were computed. One that may trap, loads or calls
 * may only be evaluated after every such value before it and before every such value after it; so what a use
 * takes must be the end of what waits, in order, or else what comes before is assigned to temporaries first.
 * Before a variable is assigned, what waits and reads it is assigned to a temporary, too. */
#include "ast/build.h"

typedef struct waiting {
    ilc__ref   ref;
    ilc__expr *e;
} waiting;

typedef struct block_state {
    ilc__builder       *b;
    const ilc__ir_func *ir;
    ilc__node          *node;
    ILC__VEC(waiting)   wait;
    uint32_t           *reads; /* per variable: how often what waits reads it */
    uint32_t            reads_count;
} block_state;

static uint32_t *reads_of(block_state *s, const ilc__var *var)
{
    if (var->index >= s->reads_count) {
        uint32_t  count = (var->index + 8) * 2;
        uint32_t *grown = ILC__NEW_ARRAY(s->b->arena, uint32_t, count);
        if (s->reads_count) memcpy(grown, s->reads, s->reads_count * sizeof *grown);
        s->reads = grown;
        s->reads_count = count;
    }
    return &s->reads[var->index];
}

static void count_reads(block_state *s, const ilc__expr *e, int by)
{
    if (e->kind == ILC__EX_VAR) *reads_of(s, e->u.var) += (uint32_t)by;
    for (uint32_t i = 0; i < e->arg_count; i++) count_reads(s, e->args[i], by);
}

static void emit(block_state *s, ilc__stmt *stmt)
{
    ilc__node_append(s->b, s->node, stmt);
}

static void add_assign(block_state *s, ilc__var *var, ilc__expr *e, const ilc__ir_value *v)
{
    if (e->kind == ILC__EX_VAR && e->u.var == var) { /* a copy of a version of itself */
        s->b->info.items[var->index].uses--;
        return;
    }
    ilc__stmt *stmt = ilc__stmt_assign(s->b, var, ilc__expr_value(s->b->arena, e), v->il, v->has_il);
    stmt->stacked = v->stacked;
    emit(s, stmt);
}

/* Takes entry k out of what waits and gives it a variable. */
static void settle(block_state *s, uint32_t k)
{
    waiting w = s->wait.items[k];
    memmove(&s->wait.items[k], &s->wait.items[k + 1], (s->wait.count - k - 1) * sizeof w);
    s->wait.count--;
    count_reads(s, w.e, -1);
    ilc__var *var = ilc__var_temp(s->b, w.ref, w.e);
    s->b->value_var[w.ref] = var;
    s->b->inlined[w.ref] = false;
    add_assign(s, var, w.e, &s->ir->values.items[w.ref]);
}

/* Settles all with an effect among the first `end` that wait. */
static void settle_effects(block_state *s, uint32_t end)
{
    for (uint32_t k = 0; k < end;) {
        if (s->wait.items[k].e->has_effect) {
            settle(s, k);
            end--;
        } else {
            k++;
        }
    }
}

static bool is_waiting(const block_state *s, ilc__ref ref)
{
    return s->b->inlined[ref] && s->ir->values.items[ref].op != ILC__OP_CONST;
}

static uint32_t find(const block_state *s, ilc__ref ref)
{
    for (uint32_t k = s->wait.count; k-- > 0;)
        if (s->wait.items[k].ref == ref) return k;
    return UINT32_MAX;
}

/* Makes the arguments of v that wait the last ones with an effect, in order, by settling what stands in the
 * way. last: v ends the statement, so nothing with an effect may go on waiting before it. */
static void line_up(block_state *s, const ilc__ir_value *v, bool last)
{
    uint32_t arg = v->arg_count;
    for (uint32_t k = s->wait.count; k-- > 0;) {
        if (!s->wait.items[k].e->has_effect) continue;
        ilc__ref wanted = 0;
        while (arg > 0 && !wanted) {
            ilc__ref candidate = v->args[arg - 1];
            uint32_t at = is_waiting(s, candidate) ? find(s, candidate) : UINT32_MAX;
            if (at != UINT32_MAX && s->wait.items[at].e->has_effect) wanted = candidate;
            else arg--;
        }
        if (wanted == s->wait.items[k].ref) {
            arg--;
            continue;
        }
        if (wanted || last) settle_effects(s, k + 1);
        return;
    }
}

static ilc__expr *build(block_state *s, const ilc__ir_value *v);

static ilc__expr *constant(block_state *s, const ilc__ir_value *v)
{
    ilc__expr *e = ilc__expr_const(s->b->arena, v->type, v->u.bits);
    if (v->type != ILC__IR_ADDR) return e;
    e->storage = v->storage; /* a null address is of something */
    e->layout = v->layout;
    return e;
}

/* The expression for one use of a value; what waited stops waiting. */
static ilc__expr *take(block_state *s, ilc__ref ref)
{
    const ilc__ir_value *v = &s->ir->values.items[ref];
    if (s->b->value_var[ref]) return ilc__expr_var(s->b, s->b->value_var[ref]);
    if (v->op == ILC__OP_CONST) return constant(s, v);
    if (s->b->anew[ref]) return build(s, v);
    uint32_t k = find(s, ref);
    if (k == UINT32_MAX) return ilc__expr_const(s->b->arena, v->type, 0); /* not reached on verified IR */
    waiting w = s->wait.items[k];
    memmove(&s->wait.items[k], &s->wait.items[k + 1], (s->wait.count - k - 1) * sizeof w);
    s->wait.count--;
    count_reads(s, w.e, -1);
    return w.e;
}

static const ilc__func *callee_of(const ilc__builder *b, const ilc__ir_func *callee)
{
    for (uint32_t i = 0; i < b->ir_unit->funcs.count; i++)
        if (b->ir_unit->funcs.items[i] == callee) return b->unit->funcs.items[i];
    return NULL;
}

static ilc__expr_kind kind_of(ilc__op op)
{
    switch (op) {
    case ILC__OP_LOAD: return ILC__EX_LOAD;
    case ILC__OP_LEN: return ILC__EX_LEN;
    case ILC__OP_DIM: return ILC__EX_DIM;
    case ILC__OP_ISNULL: return ILC__EX_ISNULL;
    case ILC__OP_SAMEREF: return ILC__EX_SAMEREF;
    case ILC__OP_SPANOF: return ILC__EX_SPANOF;
    case ILC__OP_SPAN: return ILC__EX_SPAN;
    case ILC__OP_SPANAT: return ILC__EX_SPANAT;
    case ILC__OP_DATAADDR: return ILC__EX_DATAADDR;
    case ILC__OP_CALL: return ILC__EX_CALL;
    case ILC__OP_NEWARR: return ILC__EX_NEWARR;
    case ILC__OP_SLOTADDR: return ILC__EX_SLOTADDR;
    case ILC__OP_ELEMADDR: return ILC__EX_ELEMADDR;
    case ILC__OP_FIELDADDR: return ILC__EX_FIELDADDR;
    case ILC__OP_ADDADDR: return ILC__EX_ADDADDR;
    case ILC__OP_ADDRINT: return ILC__EX_ADDRINT;
    case ILC__OP_NONNULL: return ILC__EX_NONNULL;
    case ILC__OP_LOADIND: return ILC__EX_LOADIND;
    default: return ILC__EX_OP;
    }
}

/* The index of an access: its `count` subscripts, behind the array. */
static ilc__expr *take_index(block_state *s, const ilc__ir_value *v, uint32_t count)
{
    if (count == 1) return take(s, v->args[1]);
    ilc__expr *e = ilc__expr_new(s->b->arena, ILC__EX_SUBSCRIPTS, ILC__IR_I64, count);
    for (uint32_t i = 0; i < count; i++) e->args[i] = take(s, v->args[1 + i]);
    ilc__expr_update(e);
    return e;
}

static ilc__expr *build(block_state *s, const ilc__ir_value *v)
{
    if (v->op == ILC__OP_CONST) return constant(s, v);
    if (v->op == ILC__OP_COPY) return take(s, v->args[0]);
    bool       accesses = v->op == ILC__OP_LOAD || v->op == ILC__OP_ELEMADDR;
    ilc__expr *e = ilc__expr_new(s->b->arena, kind_of(v->op), v->type, accesses ? 2 : v->arg_count);
    e->nested = v->nested;
    e->op = v->op;
    e->storage = v->storage;
    e->il = v->il;
    e->has_il = v->has_il;
    e->layout = v->layout;
    e->proved = v->safe;
    e->nonzero = v->nonzero;
    if (v->op == ILC__OP_CALL) e->u.callee = callee_of(s->b, v->u.callee);
    if (v->op == ILC__OP_FIELDADDR) e->u.field = v->u.field;
    if (v->op == ILC__OP_SLOTADDR || v->op == ILC__OP_NEWARR) e->u.var = s->b->slot_var[v->u.slot];
    if (accesses) {
        e->args[0] = take(s, v->args[0]);
        e->args[1] = take_index(s, v, v->arg_count - 1);
    }
    for (uint32_t i = 0; !accesses && i < v->arg_count; i++) e->args[i] = take(s, v->args[i]);
    ilc__expr_update(e);
    return ilc__expr_value(s->b->arena, e);
}

static void settle_readers(block_state *s, const ilc__var *var)
{
    if (!*reads_of(s, var)) return;
    uint32_t end = 0;
    for (uint32_t k = 0; k < s->wait.count; k++)
        if (s->wait.items[k].e->has_effect && ilc__expr_reads(s->wait.items[k].e, var)) end = k + 1;
    settle_effects(s, end);
    for (uint32_t k = 0; k < s->wait.count;) {
        if (ilc__expr_reads(s->wait.items[k].e, var)) settle(s, k);
        else k++;
    }
}

static void put_store(block_state *s, const ilc__ir_value *v)
{
    line_up(s, v, true);
    ilc__stmt *stmt = ilc__stmt_new(s->b, ILC__ST_STORE, v->il, v->has_il);
    stmt->storage = v->storage;
    stmt->proved = v->safe;
    stmt->a = take(s, v->args[0]);
    stmt->b = take_index(s, v, v->arg_count - 2);
    stmt->c = take(s, v->args[v->arg_count - 1]);
    emit(s, stmt);
}

static void put_memory(block_state *s, const ilc__ir_value *v)
{
    ilc__stmt_kind kind = v->op == ILC__OP_STOREIND    ? ILC__ST_STOREIND
                          : v->op == ILC__OP_COPYMEM   ? ILC__ST_COPYMEM
                          : v->op == ILC__OP_COPYBYTES ? ILC__ST_COPYBYTES
                          : v->op == ILC__OP_FILLBYTES ? ILC__ST_FILLBYTES
                                                       : ILC__ST_ZEROMEM;
    line_up(s, v, true);
    ilc__stmt *stmt = ilc__stmt_new(s->b, kind, v->il, v->has_il);
    stmt->storage = v->storage;
    stmt->layout = v->layout;
    stmt->a = take(s, v->args[0]);
    if (v->arg_count > 1) stmt->b = take(s, v->args[1]);
    if (v->arg_count > 2) stmt->c = take(s, v->args[2]);
    emit(s, stmt);
}

static void put_value(block_state *s, ilc__ref ref)
{
    const ilc__ir_value *v = &s->ir->values.items[ref];
    line_up(s, v, false);
    ilc__expr *e = build(s, v);
    /* what has an effect comes after all that waits and has one, whether it waits too or not */
    bool wait = s->b->inlined[ref] && e->depth < ILC__AST_FOLD_DEPTH;
    if (wait) {
        ILC__PUSH(s->b->arena, &s->wait, (waiting){ref, e});
        count_reads(s, e, 1);
        return;
    }
    if (e->has_effect) settle_effects(s, s->wait.count);
    bool named = v->var && !s->b->info.items[s->b->value_var[ref]->index].foldable;
    if (s->b->use_count[ref] == 0 && !named) {
        ilc__stmt *stmt = ilc__stmt_new(s->b, ILC__ST_EVAL, v->il, v->has_il);
        stmt->a = e;
        emit(s, stmt);
        return;
    }
    ilc__var *var = s->b->value_var[ref];
    if (!var) var = s->b->value_var[ref] = ilc__var_temp(s->b, ref, e);
    s->b->inlined[ref] = false;
    settle_readers(s, var);
    add_assign(s, var, e, v);
}

static void set_succs(block_state *s, const ilc__ir_block *block)
{
    s->node->succ_count = block->succs.count;
    s->node->succs = ilc__arena_copy(s->b->arena, block->succs.items, block->succs.count * sizeof(uint32_t));
}

/* Isolated phis of the successors get their second variable here. */
static void put_phi_copies(block_state *s, uint32_t id)
{
    const ilc__ir_block *block = &s->ir->blocks.items[id];
    for (uint32_t e = 0; e < block->succs.count; e++) {
        const ilc__ir_block *succ = &s->ir->blocks.items[block->succs.items[e]];
        for (uint32_t k = 0; k < succ->list.count; k++) {
            ilc__ref             ref = succ->list.items[k];
            const ilc__ir_value *phi = &s->ir->values.items[ref];
            if (phi->op != ILC__OP_PHI) break;
            if (!s->b->phi_in[ref]) continue;
            for (uint32_t a = 0; a < phi->arg_count; a++) {
                if (succ->preds.items[a] != id) continue;
                add_assign(s, s->b->phi_in[ref], take(s, phi->args[a]), phi);
                break;
            }
        }
    }
}

static void put_terminator(block_state *s, uint32_t id, const ilc__ir_value *v)
{
    static const ilc__node_kind kinds[] = {
        [ILC__OP_JUMP - ILC__OP_JUMP] = ILC__NODE_JUMP,     [ILC__OP_BRANCH - ILC__OP_JUMP] = ILC__NODE_COND,
        [ILC__OP_SWITCH - ILC__OP_JUMP] = ILC__NODE_SWITCH, [ILC__OP_RETURN - ILC__OP_JUMP] = ILC__NODE_RETURN,
        [ILC__OP_THROW - ILC__OP_JUMP] = ILC__NODE_THROW};
    put_phi_copies(s, id);
    line_up(s, v, true);
    s->node->kind = kinds[v->op - ILC__OP_JUMP];
    s->node->il = v->il;
    s->node->has_il = v->has_il;
    if (v->op == ILC__OP_THROW) s->node->exc = s->ir->values.items[v->args[0]].u.exc;
    else if (v->arg_count) s->node->value = take(s, v->args[0]);
    if (s->node->kind == ILC__NODE_COND) s->node->value = ilc__expr_condition(s->b->arena, s->node->value);
    set_succs(s, &s->ir->blocks.items[id]);
}

static void put(block_state *s, uint32_t id, ilc__ref ref)
{
    const ilc__ir_value *v = &s->ir->values.items[ref];
    if (!s->b->live[ref]) return;
    switch (v->op) {
    case ILC__OP_PARAM: return;
    case ILC__OP_NEWEXC: /* the throw stands in the same block */
        line_up(s, v, true);
        if (v->arg_count > 0) s->node->value = take(s, v->args[0]);
        if (v->arg_count > 1) s->node->second = take(s, v->args[1]);
        return;
    case ILC__OP_PHI:
        if (s->b->phi_in[ref])
            add_assign(s, s->b->value_var[ref], ilc__expr_var(s->b, s->b->phi_in[ref]), v);
        return;
    case ILC__OP_CONST:
        if (v->var) put_value(s, ref);
        return;
    case ILC__OP_STORE: put_store(s, v); return;
    case ILC__OP_STOREIND: case ILC__OP_COPYMEM: case ILC__OP_ZEROMEM: case ILC__OP_COPYBYTES: case ILC__OP_FILLBYTES:
        put_memory(s, v);
        return;
    case ILC__OP_JUMP: case ILC__OP_BRANCH: case ILC__OP_SWITCH: case ILC__OP_RETURN: case ILC__OP_THROW:
        put_terminator(s, id, v);
        return;
    default:
        if (!s->b->anew[ref]) put_value(s, ref);
        return;
    }
}

void ilc__ast_build_nodes(ilc__builder *b)
{
    const ilc__ir_func *ir = b->ir;
    block_state         s = {.b = b, .ir = ir};
    b->node_count = ir->blocks.count;
    b->nodes = ILC__NEW_ARRAY(b->arena, ilc__node, b->node_count);
    for (uint32_t i = 0; i < b->node_count; i++) {
        s.node = &b->nodes[i];
        s.node->kind = ILC__NODE_GONE;
        s.node->start_il = ir->blocks.items[i].il;
        for (uint32_t k = 0; k < ir->blocks.items[i].list.count; k++) put(&s, i, ir->blocks.items[i].list.items[k]);
        s.wait.count = 0;
    }
}
