/* ast_graphs_test.c - random functions, reducible and not, run straight from the IR by a small interpreter of
 * this test's own and from their tree: value, trap with its IL offset, and arrays must agree.
 * `ast_graphs_test COUNT [FIRST_SEED]` runs more of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/interp.h"
#include "write/write.h"

enum { ARRAY = 24, LOCALS = 6, MAX_BLOCKS = 60, PARAMS = 3, FUEL = 100000 };

/* --- random functions ------------------------------------------------------------------------------------------ */

/* What a structured function wants of a block: its last assignment, and its test. */
typedef struct plan {
    bool     ticks;  /* counts, so that its loop ends                        */
    uint32_t locked; /* set of variables that its other statements leave alone */
    uint32_t limit;  /* variable that is set to a checked sum first; 0: none */
    uint32_t set;    /* variable that is assigned last; 0: none              */
    bool     steps;  /* by adding `by`, else to `by`                         */
    int32_t  by;
    uint32_t tests;  /* variable that the branch compares; 0: anything       */
    uint32_t against; /* variable that holds the limit, or 0: `bound`        */
    int32_t  bound;
    ilc__op  compare;
} plan;

typedef struct maker {
    uint64_t      seed;
    plan          plans[MAX_BLOCKS];
    ilc__ir_func *f;
    uint32_t      blocks; /* made by the generator; splits come behind */
    uint32_t      vars[LOCALS + 2];
    uint32_t      var_count;
    ilc__ref    (*end)[LOCALS + 2]; /* version of each variable at the end of each block */
    bool          structured;
    uint32_t      locked; /* counters of the loops around, mostly */
    bool          stale; /* also uses versions that are no longer current: not conventional SSA */
    uint32_t      il;
} maker;

static uint32_t roll(maker *m, uint32_t sides)
{
    m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->seed >> 33) % sides;
}

static ilc__ref emit(maker *m, uint32_t block, ilc__op op, ilc__ir_type type, uint32_t n, const ilc__ref *args)
{
    ilc__ref       ref = ilc__ir_emit(m->f, block, op, type, n, args);
    ilc__ir_value *v = &m->f->values.items[ref];
    v->il = ++m->il;
    v->has_il = true;
    if (op == ILC__OP_LOAD || op == ILC__OP_STORE) v->storage = ILC_I32;
    return ref;
}

static ilc__ref constant(maker *m, uint32_t block, int32_t value)
{
    ilc__ref ref = ilc__ir_const(m->f, ILC__IR_I32, (uint64_t)(int64_t)value);
    ilc__ir_append(m->f, block, ref);
    return ref;
}

/* Edges: mostly forward and near, some back, some far. */
static void make_edges(maker *m)
{
    for (uint32_t b = 0; b < m->blocks; b++) {
        uint32_t kind = roll(m, 16), count = kind < 5 ? 1 : kind < 14 ? 2 : kind == 14 ? 3 + roll(m, 3) : 0;
        if (b + 1 >= m->blocks) count = 0;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t way = roll(m, 10), to = b + 1 + (k ? roll(m, 4) : 0);
            if (way == 0) to = 1 + roll(m, m->blocks - 1);
            else if (way <= 2) to = b > 4 ? b - roll(m, 4) : 1 + roll(m, b + 1);
            if (to >= m->blocks) to = m->blocks - 1;
            ILC__PUSH(m->f->arena, &m->f->blocks.items[b].succs, to ? to : 1);
        }
    }
}

/* Only what the entry reaches stays. */
static void drop_unreached(maker *m)
{
    uint32_t number[MAX_BLOCKS], stack[MAX_BLOCKS * 8], depth = 1, count = 0;
    bool     seen[MAX_BLOCKS] = {true};
    stack[0] = 0;
    while (depth) {
        ilc__ir_block *b = &m->f->blocks.items[stack[--depth]];
        for (uint32_t k = 0; k < b->succs.count; k++) {
            if (seen[b->succs.items[k]]) continue;
            seen[b->succs.items[k]] = true;
            stack[depth++] = b->succs.items[k];
        }
    }
    for (uint32_t b = 0; b < m->blocks; b++) number[b] = seen[b] ? count++ : 0;
    for (uint32_t b = 0; b < m->blocks; b++) {
        if (!seen[b]) continue;
        ilc__ir_block *block = &m->f->blocks.items[b];
        for (uint32_t k = 0; k < block->succs.count; k++) block->succs.items[k] = number[block->succs.items[k]];
        block->id = number[b];
        m->f->blocks.items[number[b]] = *block;
        m->plans[number[b]] = m->plans[b];
    }
    m->f->blocks.count = m->blocks = count;
}

static void split_edges(maker *m)
{
    uint32_t preds[MAX_BLOCKS] = {0};
    for (uint32_t b = 0; b < m->blocks; b++)
        for (uint32_t k = 0; k < m->f->blocks.items[b].succs.count; k++) preds[m->f->blocks.items[b].succs.items[k]]++;
    for (uint32_t b = 0; b < m->blocks; b++) {
        for (uint32_t k = 0; k < m->f->blocks.items[b].succs.count; k++) {
            uint32_t to = m->f->blocks.items[b].succs.items[k];
            if (m->f->blocks.items[b].succs.count < 2 || preds[to] < 2) continue;
            uint32_t middle = ilc__ir_add_block(m->f, 0);
            ILC__PUSH(m->f->arena, &m->f->blocks.items[middle].succs, to);
            m->f->blocks.items[b].succs.items[k] = middle;
        }
    }
}

/* --- structured functions: what compilers make ------------------------------------------------------------------ */

static uint32_t new_block(maker *m)
{
    uint32_t id = ilc__ir_add_block(m->f, 0);
    m->plans[id].locked = m->locked;
    return id;
}

static void edge(maker *m, uint32_t from, uint32_t to)
{
    ILC__PUSH(m->f->arena, &m->f->blocks.items[from].succs, to);
}

static bool has_room(const maker *m, uint32_t blocks)
{
    return m->f->blocks.count + blocks + 12 < MAX_BLOCKS;
}

static uint32_t region(maker *m, uint32_t at, uint32_t depth, uint32_t again, uint32_t out);

static uint32_t make_if(maker *m, uint32_t at, uint32_t depth, uint32_t again, uint32_t out)
{
    uint32_t then = new_block(m), end = new_block(m), other = roll(m, 2) ? new_block(m) : end;
    edge(m, at, roll(m, 2) ? then : other);
    edge(m, at, m->f->blocks.items[at].succs.items[0] == then ? other : then);
    uint32_t way = roll(m, 6);
    if (way == 0 && again) {
        edge(m, then, again);
    } else if (way == 1 && out) {
        edge(m, then, out);
    } else if (way != 2) { /* 2: returns or throws */
        edge(m, region(m, then, depth + 1, again, out), end);
    }
    if (other != end) edge(m, region(m, other, depth + 1, again, out), end);
    return end;
}

static uint32_t make_loop(maker *m, uint32_t at, uint32_t depth)
{
    static const ilc__op compares[] = {ILC__OP_LE_I32, ILC__OP_LT_I32, ILC__OP_GE_I32, ILC__OP_NE_I32};
    bool     counted = roll(m, 4) != 0, at_end = roll(m, 3) == 0;
    uint32_t counter = 3 + roll(m, m->var_count - 3), kind = roll(m, 8), locked = m->locked, end = new_block(m);
    if (roll(m, 8)) m->locked |= 1u << counter;
    uint32_t head = new_block(m), step = new_block(m), body = new_block(m);
    plan     test = {.tests = counted ? counter : 0, .against = roll(m, 2) ? 1 + roll(m, m->var_count - 1) : 0,
                     .bound = (int32_t)roll(m, 6), .compare = compares[kind < 4 ? 0 : kind < 6 ? 1 : kind - 4]};
    if (counted) {
        m->plans[at].set = counter;
        m->plans[at].by = (int32_t)roll(m, 3);
        m->plans[at].limit = roll(m, 2) ? test.against : 0;
        m->plans[step] = (plan){.locked = m->locked, .set = counter, .steps = true,
                                .by = kind == 6 ? -1 : 1 + (int32_t)roll(m, 2)};
    }
    m->plans[body].ticks = true;
    edge(m, at, at_end ? body : head);
    if (at_end) { /* body; step; if (test) body */
        edge(m, region(m, body, depth + 1, roll(m, 2) ? step : head, end), step);
        edge(m, step, head);
    } else {
        edge(m, region(m, body, depth + 1, step, end), step);
        edge(m, step, head);
    }
    edge(m, head, body);
    edge(m, head, end);
    m->locked = locked;
    m->plans[head].tests = test.tests;
    m->plans[head].against = test.against;
    m->plans[head].bound = test.bound;
    m->plans[head].compare = test.compare;
    return end;
}

/* A run of statements that starts in `at`; again and out are the innermost loop's. Returns its last block. */
static uint32_t region(maker *m, uint32_t at, uint32_t depth, uint32_t again, uint32_t out)
{
    for (uint32_t n = 1 + roll(m, 3); n > 0 && depth < 5; n--) {
        uint32_t kind = roll(m, 5);
        if (kind < 2 && has_room(m, 4)) at = make_if(m, at, depth, again, out);
        else if (kind < 4 && has_room(m, 6)) at = make_loop(m, at, depth);
    }
    return at;
}

/* An operand: a constant, the current version of a variable, or an older value that dominates. */
static ilc__ref operand(maker *m, uint32_t block, const ilc__ref *now)
{
    uint32_t kind = roll(m, 8);
    if (kind == 0) return constant(m, block, (int32_t)roll(m, 9) - 3);
    if (kind < 5) return now[1 + roll(m, m->var_count - 1)];
    uint32_t from = block;
    for (uint32_t up = roll(m, 3); up > 0 && from; up--) from = m->f->blocks.items[from].idom;
    const ilc__ir_block *b = &m->f->blocks.items[from];
    for (uint32_t tries = 0; tries < 6 && b->list.count; tries++) {
        ilc__ref ref = b->list.items[roll(m, b->list.count)];
        const ilc__ir_value *v = &m->f->values.items[ref];
        if (v->type == ILC__IR_I32 && (!v->var || m->stale)) return ref;
    }
    return now[1 + roll(m, m->var_count - 1)];
}

static ilc__ref compute(maker *m, uint32_t block, const ilc__ref *now)
{
    static const ilc__op ops[] = {ILC__OP_ADD_I32, ILC__OP_SUB_I32, ILC__OP_MUL_I32, ILC__OP_XOR_I32,
                                  ILC__OP_ADD_OVF_I32, ILC__OP_MUL_OVF_I32, ILC__OP_DIV_I32, ILC__OP_LT_I32,
                                  ILC__OP_EQ_I32, ILC__OP_GE_I32, ILC__OP_LT_UN_I32, ILC__OP_MIN_I32};
    ilc__ref args[2] = {operand(m, block, now), operand(m, block, now)};
    uint32_t pick = roll(m, 16);
    if (pick < 12) return emit(m, block, ops[pick], ILC__IR_I32, 2, args);
    if (pick == 12) return emit(m, block, ILC__OP_LEN, ILC__IR_I32, 1, &now[0]);
    ilc__ref mask = constant(m, block, roll(m, 6) ? 15 : 31), and[2] = {args[0], mask};
    ilc__ref load[2] = {now[0], emit(m, block, ILC__OP_AND_I32, ILC__IR_I32, 2, and)};
    return emit(m, block, ILC__OP_LOAD, ILC__IR_I32, 2, load);
}

/* Counts in the array's first element and traps past its end, so that every cycle ends. */
static void put_tick(maker *m, uint32_t block, ilc__ref array)
{
    ilc__ref zero = constant(m, block, 0), one = constant(m, block, 1);
    ilc__ref load[2] = {array, zero}, count = emit(m, block, ILC__OP_LOAD, ILC__IR_I32, 2, load);
    ilc__ref add[2] = {count, one}, more = emit(m, block, ILC__OP_ADD_I32, ILC__IR_I32, 2, add);
    ilc__ref store[3] = {array, zero, more}, past[2] = {array, more};
    emit(m, block, ILC__OP_STORE, ILC__IR_VOID, 3, store);
    emit(m, block, ILC__OP_LOAD, ILC__IR_I32, 2, past);
}

static const plan *plan_of(const maker *m, uint32_t block)
{
    static const plan none = {0};
    return block < m->blocks ? &m->plans[block] : &none;
}

static void put_statement(maker *m, uint32_t block, ilc__ref *now);

/* Several values wait on the stack, with statements between them, and are combined in their order, mostly. */
static ilc__ref on_the_stack(maker *m, uint32_t block, ilc__ref *now)
{
    static const ilc__op ops[] = {ILC__OP_ADD_I32, ILC__OP_XOR_I32, ILC__OP_SUB_I32, ILC__OP_ADD_OVF_I32};
    ilc__ref stack[4];
    uint32_t depth = 2 + roll(m, 3);
    for (uint32_t i = 0; i < depth; i++) {
        stack[i] = compute(m, block, now);
        if (roll(m, 8) == 0) put_statement(m, block, now);
    }
    while (depth > 1) {
        uint32_t swap = roll(m, 10) == 0;
        ilc__ref args[2] = {stack[depth - 2 + swap], stack[depth - 1 - swap]};
        stack[depth - 2] = emit(m, block, ops[roll(m, 4)], ILC__IR_I32, 2, args);
        depth--;
    }
    return stack[0];
}

static void assign(maker *m, uint32_t block, ilc__ref *now, uint32_t var, ilc__ref value)
{
    ilc__ref copy = emit(m, block, ILC__OP_COPY, ILC__IR_I32, 1, &value);
    m->f->values.items[copy].var = m->vars[var];
    now[var] = copy;
}

static void put_statement(maker *m, uint32_t block, ilc__ref *now)
{
    uint32_t kind = roll(m, 8), var = 1 + roll(m, m->var_count - 1);
    if (plan_of(m, block)->locked >> var & 1) return;
    ilc__ref value = kind == 7 ? operand(m, block, now) : kind > 3 ? on_the_stack(m, block, now) : compute(m, block, now);
    if (kind == 0) return;
    if (kind == 1) {
        ilc__ref one = constant(m, block, 1 + (int32_t)roll(m, 14)), store[3] = {now[0], one, value};
        emit(m, block, ILC__OP_STORE, ILC__IR_VOID, 3, store);
        return;
    }
    assign(m, block, now, var, value);
}

static void put_plan(maker *m, uint32_t block, ilc__ref *now)
{
    const plan *p = plan_of(m, block);
    if (p->limit) {
        ilc__ref add[2] = {now[1 + roll(m, m->var_count - 1)], constant(m, block, (int32_t)roll(m, 3) - 1)};
        assign(m, block, now, p->limit, emit(m, block, ILC__OP_ADD_OVF_I32, ILC__IR_I32, 2, add));
    }
    if (!p->set) return;
    ilc__ref by = constant(m, block, p->by), add[2] = {now[p->set], by};
    if (p->steps) by = emit(m, block, roll(m, 2) ? ILC__OP_ADD_OVF_I32 : ILC__OP_ADD_I32, ILC__IR_I32, 2, add);
    else if (roll(m, 4) == 0) by = compute(m, block, now);
    assign(m, block, now, p->set, by);
}

static ilc__ref put_test(maker *m, uint32_t block, const ilc__ref *now)
{
    const plan *p = plan_of(m, block);
    if (!p->tests) return roll(m, 3) ? compute(m, block, now) : operand(m, block, now);
    ilc__ref args[2] = {now[p->tests], p->against ? now[p->against] : constant(m, block, p->bound)};
    return emit(m, block, p->compare, ILC__IR_I32, 2, args);
}

static void put_end(maker *m, uint32_t block, const ilc__ref *now)
{
    uint32_t targets = m->f->blocks.items[block].succs.count;
    ilc__ref value;
    if (targets == 1) {
        emit(m, block, ILC__OP_JUMP, ILC__IR_VOID, 0, NULL);
    } else if (targets) {
        value = put_test(m, block, now);
        emit(m, block, targets == 2 ? ILC__OP_BRANCH : ILC__OP_SWITCH, ILC__IR_VOID, 1, &value);
    } else if (roll(m, 8) == 0) {
        static const ilc__exception bad = {"System.ArgumentException", "bad"};
        value = emit(m, block, ILC__OP_NEWEXC, ILC__IR_EXC, 0, NULL);
        m->f->values.items[value].u.exc = &bad;
        emit(m, block, ILC__OP_THROW, ILC__IR_VOID, 1, &value);
    } else {
        value = operand(m, block, now);
        emit(m, block, ILC__OP_RETURN, ILC__IR_VOID, 1, &value);
    }
}

static void start_versions(maker *m, uint32_t block, ilc__ref *now)
{
    const ilc__ir_block *b = &m->f->blocks.items[block];
    if (b->preds.count == 1) {
        memcpy(now, m->end[b->preds.items[0]], sizeof m->end[0]);
        return;
    }
    for (uint32_t v = 1; v < m->var_count; v++) {
        ilc__ref none[MAX_BLOCKS * 8] = {0}; /* arguments are filled in when every block is made */
        now[v] = emit(m, block, ILC__OP_PHI, ILC__IR_I32, m->f->blocks.items[block].preds.count, none);
        m->f->values.items[now[v]].var = m->vars[v];
    }
    now[0] = m->end[0][0];
}

static void make_block(maker *m, uint32_t block)
{
    ilc__ref now[LOCALS + 2];
    if (block == 0) {
        for (uint32_t v = 0; v < m->var_count; v++) {
            ilc__ref zero = v >= PARAMS ? constant(m, 0, (int32_t)v) : 0;
            bool     is_param = v < PARAMS;
            now[v] = emit(m, 0, is_param ? ILC__OP_PARAM : ILC__OP_COPY, v ? ILC__IR_I32 : ILC__IR_REF,
                          is_param ? 0 : 1, is_param ? NULL : &zero);
            m->f->values.items[now[v]].var = m->vars[v];
        }
        memcpy(m->end[0], now, sizeof now);
    } else {
        start_versions(m, block, now);
    }
    bool back = plan_of(m, block)->ticks;
    for (uint32_t k = 0; k < m->f->blocks.items[block].succs.count && !m->structured; k++)
        back = back || m->f->blocks.items[m->f->blocks.items[block].succs.items[k]].rpo <= m->f->blocks.items[block].rpo;
    if (back) put_tick(m, block, now[0]);
    bool only_tests = plan_of(m, block)->tests != 0;
    for (uint32_t n = block < m->blocks && !only_tests ? roll(m, 4) : 0; n > 0; n--) put_statement(m, block, now);
    put_plan(m, block, now);
    put_end(m, block, now);
    memcpy(m->end[block], now, sizeof now);
}

static void fill_phis(maker *m)
{
    for (uint32_t b = 1; b < m->f->blocks.count; b++) {
        const ilc__ir_block *block = &m->f->blocks.items[b];
        for (uint32_t k = 0; k < block->list.count; k++) {
            ilc__ir_value *v = &m->f->values.items[block->list.items[k]];
            for (uint32_t a = 0; v->op == ILC__OP_PHI && a < v->arg_count; a++)
                for (uint32_t i = 1; i < m->var_count; i++)
                    if (m->vars[i] == v->var) v->args[a] = m->end[block->preds.items[a]][i];
        }
    }
}

static ilc__ir_func *make_func(ilc__context *ctx, uint64_t seed, uint32_t most, bool structured, bool stale)
{
    maker m = {.seed = seed * 2654435761u + 1, .stale = stale};
    m.f = ilc__ir_func_create(ctx, &ctx->arena, "F");
    m.f->ret = ILC_I32;
    m.f->param_count = PARAMS;
    m.var_count = PARAMS + 1 + roll(&m, LOCALS + 2 - PARAMS - 1);
    for (uint32_t v = 0; v < m.var_count; v++) {
        bool is_temp = v >= PARAMS && roll(&m, 3) == 0;
        m.vars[v] = ilc__ir_add_var(m.f, (ilc__ir_var){.name = ilc__arena_printf(&ctx->arena, "v%u", v), .storage = ILC_I32,
                                                       .is_array = v == 0, .is_param = v < PARAMS, .is_temp = is_temp,
                                                       .is_named = !is_temp && roll(&m, 2) == 0, .slot = v});
    }
    m.structured = structured;
    if (structured) {
        region(&m, new_block(&m), 0, 0, 0);
        m.blocks = m.f->blocks.count;
    } else {
        m.blocks = 2 + roll(&m, most - 1);
        for (uint32_t b = 0; b < m.blocks; b++) new_block(&m);
        make_edges(&m);
    }
    drop_unreached(&m);
    split_edges(&m);
    ilc__ir_compute_cfg(m.f);
    m.end = ilc__arena_array(&ctx->arena, m.f->blocks.count, sizeof *m.end);
    for (uint32_t i = 0; i < m.f->order.count; i++) make_block(&m, m.f->order.items[i]);
    fill_phis(&m);
    m.f->may_trap = true;
    return m.f;
}

/* --- the IR, run as it stands ------------------------------------------------------------------------------------ */

typedef struct machine {
    const ilc__ir_func *f;
    uint64_t           *values, *phis;
    int32_t            *array;
    const int32_t      *scalars;
} machine;

static bool trapped(ilc_outcome *out, const char *type, uint32_t il)
{
    *out = (ilc_outcome){.trapped = true};
    out->trap.exception = type;
    out->trap.il_offset = il;
    return false;
}

static bool step(machine *m, const ilc__ir_value *v, uint64_t *result, ilc_outcome *out)
{
    uint64_t          a = v->arg_count ? m->values[v->args[0]] : 0, b = v->arg_count > 1 ? m->values[v->args[1]] : 0;
    ilc__exception_id id;
    switch (v->op) {
    case ILC__OP_CONST: *result = v->u.bits; return true;
    case ILC__OP_PARAM: *result = v->var == 1 ? 0 : (uint64_t)(int64_t)m->scalars[v->var - 2]; return true;
    case ILC__OP_COPY: *result = a; return true;
    case ILC__OP_NEWEXC: return true;
    case ILC__OP_LEN: *result = ARRAY; return true;
    case ILC__OP_LOAD: case ILC__OP_STORE:
        if ((uint32_t)b >= ARRAY) return trapped(out, ilc__exception_type(ILC__EXC_INDEX), v->il);
        if (v->op == ILC__OP_LOAD) *result = (uint64_t)(int64_t)m->array[(uint32_t)b];
        else m->array[(uint32_t)b] = (int32_t)(uint32_t)m->values[v->args[2]];
        return true;
    default:
        if (ilc__op_eval(v->op, a, b, result, &id)) return true;
        return trapped(out, ilc__exception_type(id), v->il);
    }
}

static uint32_t enter_block(machine *m, uint32_t from, uint32_t to)
{
    const ilc__ir_block *b = &m->f->blocks.items[to];
    uint32_t             count = 0, pred = 0;
    while (b->preds.items[pred] != from) pred++;
    for (; m->f->values.items[b->list.items[count]].op == ILC__OP_PHI; count++)
        m->phis[count] = m->values[m->f->values.items[b->list.items[count]].args[pred]];
    for (uint32_t k = 0; k < count; k++) m->values[b->list.items[k]] = m->phis[k];
    return count;
}

/* False when it runs for too long. */
static bool run_ir(machine *m, ilc_outcome *out)
{
    uint32_t block = 0, at = 0;
    for (uint32_t fuel = FUEL; fuel > 0; fuel--) {
        const ilc__ir_block *b = &m->f->blocks.items[block];
        const ilc__ir_value *v = &m->f->values.items[b->list.items[at]];
        uint32_t             next = UINT32_MAX;
        uint64_t             a = v->arg_count ? m->values[v->args[0]] : 0;
        switch (v->op) {
        case ILC__OP_JUMP: next = 0; break;
        case ILC__OP_BRANCH: next = (uint32_t)a ? 0 : 1; break;
        case ILC__OP_SWITCH: next = (uint32_t)a < b->succs.count - 1 ? (uint32_t)a : b->succs.count - 1; break;
        case ILC__OP_RETURN:
            *out = (ilc_outcome){.ret = {.storage = ILC_I32}};
            out->ret.u.bits = (uint64_t)(int64_t)(int32_t)(uint32_t)a;
            return true;
        case ILC__OP_THROW: trapped(out, m->f->values.items[v->args[0]].u.exc->type, v->il); return true;
        default:
            if (!step(m, v, &m->values[b->list.items[at]], out)) return true;
        }
        at++;
        if (next == UINT32_MAX) continue;
        at = enter_block(m, block, b->succs.items[next]);
        block = b->succs.items[next];
    }
    return false;
}

/* --- comparing ----------------------------------------------------------------------------------------------------- */

typedef struct tally {
    uint32_t kinds[ILC__ST_GOTO + 1], graphs, irreducible, with_goto, returned, trapped, endless;
} tally;

static void show(ilc__context *ctx, ilc__ir_func *f, const ilc__func *tree)
{
    ilc__text text = {.arena = &ctx->arena};
    ilc__ir_print(f, &text);
    if (tree) ilc__write_func(ctx, tree, ILC__LANGUAGE_VB, &text);
    fprintf(stderr, "%s\n", ilc__text_string(&text));
}

static void compare_one(ilc__context *ctx, ilc__ir_func *f, ilc__ast_machine *tree, const ilc__func *func,
                        const int32_t scalars[2], tally *t, uint64_t seed)
{
    int32_t   left[ARRAY], right[ARRAY];
    ilc_array array = {ILC_I32, ARRAY, right};
    machine   m = {f, ILC__NEW_ARRAY(&ctx->arena, uint64_t, f->values.count), ILC__NEW_ARRAY(&ctx->arena, uint64_t, 64),
                   left, scalars};
    for (int i = 0; i < ARRAY; i++) left[i] = right[i] = i ? i * 5 % 7 - 2 : 0;
    ilc_outcome expected = {0}, got = {0};
    if (!run_ir(&m, &expected)) {
        t->endless++;
        return;
    }
    ilc_value args[PARAMS] = {{.storage = ILC_I32, .is_array = true, .u.array = &array}, {.storage = ILC_I32}, {.storage = ILC_I32}};
    for (int i = 0; i < 2; i++) args[i + 1].u.bits = (uint64_t)(int64_t)scalars[i];
    ilc__interp_options options = {.fuel = 20 * FUEL};
    bool same = ilc__ast_machine_call(tree, args, PARAMS, &options, &got) == ILC_OK && expected.trapped == got.trapped &&
                memcmp(left, right, sizeof left) == 0;
    if (same && expected.trapped)
        same = strcmp(expected.trap.exception, got.trap.exception) == 0 && expected.trap.il_offset == got.trap.il_offset;
    else if (same) same = expected.ret.u.bits == got.ret.u.bits;
    if (expected.trapped) t->trapped++;
    else t->returned++;
    if (same) return;
    show(ctx, f, func);
    fprintf(stderr, "IR: %s il %u ret %lld; tree: %s il %u ret %lld\n", expected.trapped ? expected.trap.exception : "value",
            expected.trap.il_offset, (long long)expected.ret.u.bits, got.trapped ? got.trap.exception : "value",
            got.trap.il_offset, (long long)got.ret.u.bits);
    fail_msg("seed %llu: tree and IR differ", (unsigned long long)seed);
}

static void count_kinds(tally *t, const ilc__block *list)
{
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        t->kinds[s->kind]++;
        count_kinds(t, &s->body);
        count_kinds(t, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) count_kinds(t, &s->cases[k].body);
    }
}

static void check_graph(uint64_t seed, uint32_t most, bool structured, bool stale, tally *t)
{
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__ir_func *f = make_func(&ctx, seed, most, structured, stale);
    ilc__ir_unit  ir = {0};
    ilc__unit     unit = {0};
    if (!stale && ilc__ir_verify(f) != ILC_OK) fail_msg("%s", ctx.diags.items[0].text);
    t->graphs++;
    if (f->irreducible) t->irreducible++;
    ILC__PUSH(&ctx.arena, &ir.funcs, f);
    assert_int_equal(ilc__ast_build(&ctx, &ctx.arena, &ir, &unit), ILC_OK);
    if (unit.funcs.items[0]->has_goto) t->with_goto++;
    count_kinds(t, &unit.funcs.items[0]->body);
    if (seed % 16 == 0) {
        ilc__text vb = {.arena = &ctx.arena};
        ilc__write_func(&ctx, unit.funcs.items[0], ILC__LANGUAGE_VB, &vb);
    }
    ilc__ast_machine *tree = NULL;
    if (ilc__ast_machine_create(&ctx, &ctx.arena, &unit, &tree) != ILC_OK) fail_msg("%s", ctx.diags.items[0].text);
    static const int32_t inputs[][2] = {{0, 0}, {1, 2}, {-3, 7}, {5, 1}, {2147483647, -1}};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
        compare_one(&ctx, f, tree, unit.funcs.items[0], inputs[i], t, seed);
    ilc__context_free(&ctx);
}

static uint32_t graph_count = 1500;
static uint64_t first_seed = 1;

static void report(const char *what, const tally *t)
{
    printf("%s: %u graphs, %u irreducible, %u with goto; %u returned, %u trapped, %u endless\n", what, t->graphs,
           t->irreducible, t->with_goto, t->returned, t->trapped, t->endless);
    printf("  %u For, %u while, %u do, %u endless, %u switch, %u break, %u continue, %u goto\n", t->kinds[ILC__ST_FOR],
           t->kinds[ILC__ST_WHILE], t->kinds[ILC__ST_DO], t->kinds[ILC__ST_LOOP], t->kinds[ILC__ST_SWITCH],
           t->kinds[ILC__ST_BREAK], t->kinds[ILC__ST_CONTINUE], t->kinds[ILC__ST_GOTO]);
}

static void trees_of_random_graphs_do_what_the_graphs_do(void **state)
{
    (void)state;
    tally t = {0};
    for (uint32_t i = 0; i < graph_count; i++) check_graph(first_seed + i, i % 3 ? 12 : MAX_BLOCKS, false, false, &t);
    report("conventional", &t);
    assert_true(t.irreducible > 0 && t.with_goto < t.graphs);
    assert_true(t.returned > t.graphs / 4 && t.trapped > t.graphs / 4);
}

static void trees_of_structured_functions_do_what_their_graphs_do(void **state)
{
    (void)state;
    tally t = {0};
    for (uint32_t i = 0; i < graph_count; i++) check_graph(first_seed + i, MAX_BLOCKS, true, false, &t);
    report("structured", &t);
    assert_true(t.kinds[ILC__ST_FOR] > t.graphs / 10 && t.kinds[ILC__ST_WHILE] > 0 && t.kinds[ILC__ST_DO] > 0);
    assert_true(t.kinds[ILC__ST_CONTINUE] > 0 && t.kinds[ILC__ST_BREAK] > 0);
}

static void versions_that_meet_are_kept_apart(void **state)
{
    (void)state;
    tally t = {0};
    for (uint32_t i = 0; i < graph_count; i++) check_graph(first_seed + i, i % 3 ? 12 : MAX_BLOCKS, i % 2, true, &t);
    report("versions meet", &t);
}

int main(int argc, char **argv)
{
    if (argc > 1) graph_count = (uint32_t)atoi(argv[1]);
    if (argc > 2) first_seed = (uint64_t)atoll(argv[2]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_of_random_graphs_do_what_the_graphs_do),
                                       cmocka_unit_test(trees_of_structured_functions_do_what_their_graphs_do),
                                       cmocka_unit_test(versions_that_meet_are_kept_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
