/* scale_shapes.h - functions of any size as IR: nested and consecutive statements, long expressions. Each says what it
 * leaves in a(0), which is 0 before, for n = 5. */
#ifndef TEST_INTERP_SCALE_SHAPES_H
#define TEST_INTERP_SCALE_SHAPES_H

#include "ast/ast.h"

typedef struct maker {
    ilc__ir_func *f;
    ilc__ref      array, n, zero;
    uint32_t      count;
} maker;

static ilc__ref put(maker *m, uint32_t block, ilc__op op, ilc__ir_type type, uint32_t count, const ilc__ref *args)
{
    ilc__ref ref = ilc__ir_emit(m->f, block, op, type, count, args);
    if (op == ILC__OP_LOAD || op == ILC__OP_STORE) m->f->values.items[ref].storage = ILC_I32;
    return ref;
}

static ilc__ref number(maker *m, uint32_t block, int32_t value)
{
    ilc__ref ref = ilc__ir_const(m->f, ILC__IR_I32, (uint64_t)(int64_t)value);
    ilc__ir_append(m->f, block, ref);
    return ref;
}

/* a(0) += 1 */
static void count_one(maker *m, uint32_t block)
{
    ilc__ref load[2] = {m->array, number(m, block, 0)};
    ilc__ref add[2] = {put(m, block, ILC__OP_LOAD, ILC__IR_I32, 2, load), number(m, block, 1)};
    ilc__ref store[3] = {m->array, load[1], put(m, block, ILC__OP_ADD_I32, ILC__IR_I32, 2, add)};
    put(m, block, ILC__OP_STORE, ILC__IR_VOID, 3, store);
}

static uint32_t block(maker *m)
{
    return ilc__ir_add_block(m->f, 0);
}

static void go_to(maker *m, uint32_t from, uint32_t to)
{
    put(m, from, ILC__OP_JUMP, ILC__IR_VOID, 0, NULL);
    ilc__ir_connect(m->f, from, to);
}

/* n > limit ? yes : no */
static void test(maker *m, uint32_t from, int32_t limit, uint32_t yes, uint32_t no)
{
    ilc__ref compare[2] = {m->n, number(m, from, limit)}, c = put(m, from, ILC__OP_GT_I32, ILC__IR_I32, 2, compare);
    put(m, from, ILC__OP_BRANCH, ILC__IR_VOID, 1, &c);
    ilc__ir_connect(m->f, from, yes);
    ilc__ir_connect(m->f, from, no);
}

/* n = value, or n <= value, ? yes : no */
static void test_n(maker *m, uint32_t from, ilc__op op, int32_t value, uint32_t yes, uint32_t no)
{
    ilc__ref compare[2] = {m->n, number(m, from, value)}, c = put(m, from, op, ILC__IR_I32, 2, compare);
    put(m, from, ILC__OP_BRANCH, ILC__IR_VOID, 1, &c);
    ilc__ir_connect(m->f, from, yes);
    ilc__ir_connect(m->f, from, no);
}

/* a(0) < limit ? yes : no */
static void test_count(maker *m, uint32_t from, int32_t limit, uint32_t yes, uint32_t no)
{
    ilc__ref load[2] = {m->array, number(m, from, 0)};
    ilc__ref compare[2] = {put(m, from, ILC__OP_LOAD, ILC__IR_I32, 2, load), number(m, from, limit)};
    ilc__ref c = put(m, from, ILC__OP_LT_I32, ILC__IR_I32, 2, compare);
    put(m, from, ILC__OP_BRANCH, ILC__IR_VOID, 1, &c);
    ilc__ir_connect(m->f, from, yes);
    ilc__ir_connect(m->f, from, no);
}

static void leave(maker *m, uint32_t from)
{
    put(m, from, ILC__OP_RETURN, ILC__IR_VOID, 0, NULL);
}

/* --- shapes ------------------------------------------------------------------------------------------------------ */

static int32_t ifs_in_a_row(maker *m, uint32_t at)
{
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t then = block(m), next = block(m);
        test(m, at, (int32_t)(i % 10), then, next);
        count_one(m, then);
        go_to(m, then, next);
        at = next;
    }
    leave(m, at);
    return (int32_t)(m->count / 10 * 5);
}

static int32_t nested_ifs(maker *m, uint32_t at)
{
    uint32_t out = block(m);
    leave(m, out);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t then = block(m), after = block(m);
        count_one(m, at);
        test(m, at, 0, then, after);
        count_one(m, after);
        go_to(m, after, out);
        at = then;
        out = after;
    }
    go_to(m, at, out);
    return (int32_t)m->count * 2;
}

static int32_t nested_loops(maker *m, uint32_t at)
{
    uint32_t out = block(m);
    leave(m, out);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t head = block(m), body = block(m);
        go_to(m, at, head);
        test_count(m, head, 3, body, out);
        at = body;
        out = head;
    }
    count_one(m, at);
    go_to(m, at, out);
    return 3;
}

static int32_t loops_in_a_row(maker *m, uint32_t at)
{
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t head = block(m), body = block(m), next = block(m);
        go_to(m, at, head);
        test_count(m, head, (int32_t)i + 1, body, next);
        count_one(m, body);
        go_to(m, body, head);
        at = next;
    }
    leave(m, at);
    return (int32_t)m->count;
}

static int32_t else_if_chain(maker *m, uint32_t at)
{
    uint32_t end = block(m);
    leave(m, end);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t then = block(m), next = block(m);
        test(m, at, (int32_t)(m->count - i), then, next);
        count_one(m, then);
        go_to(m, then, end);
        at = next;
    }
    count_one(m, at);
    go_to(m, at, end);
    return 1;
}

static int32_t exits_to_one_place(maker *m, uint32_t at)
{
    uint32_t end = block(m);
    count_one(m, end);
    leave(m, end);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t next = block(m);
        count_one(m, at);
        test(m, at, 7, end, next);
        at = next;
    }
    go_to(m, at, end);
    return (int32_t)m->count + 1;
}

static int32_t long_and(maker *m, uint32_t at)
{
    uint32_t no = block(m);
    leave(m, no);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t next = block(m);
        test(m, at, -(int32_t)i, next, no);
        at = next;
    }
    count_one(m, at);
    go_to(m, at, no);
    return 1;
}

static int32_t continues_in_one_loop(maker *m, uint32_t at)
{
    uint32_t head = block(m), out = block(m);
    go_to(m, at, head);
    leave(m, out);
    at = block(m);
    test_count(m, head, 2, at, out);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t next = block(m);
        test(m, at, (int32_t)i + 7, head, next);
        at = next;
    }
    count_one(m, at);
    go_to(m, at, head);
    return 2;
}

/* Two ways into each cycle. */
static int32_t irreducible_row(maker *m, uint32_t at)
{
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t left = block(m), right = block(m), next = block(m);
        test(m, at, 3, left, right);
        count_one(m, left);
        go_to(m, left, right);
        test_count(m, right, (int32_t)i * 3 + 3, left, next);
        at = next;
    }
    leave(m, at);
    return (int32_t)m->count * 3;
}

static int32_t wide_switch(maker *m, uint32_t at)
{
    uint32_t end = block(m);
    leave(m, end);
    put(m, at, ILC__OP_SWITCH, ILC__IR_VOID, 1, &m->n);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t body = block(m);
        ilc__ir_connect(m->f, at, body);
        count_one(m, body);
        go_to(m, body, end);
    }
    ilc__ir_connect(m->f, at, end);
    return 1;
}

/* Case 0, Case 2, Case 4, ... one after the other */
static int32_t chain_of_cases(maker *m, uint32_t at)
{
    uint32_t end = block(m);
    leave(m, end);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t body = block(m), next = block(m);
        test_n(m, at, ILC__OP_EQ_I32, (int32_t)i * 2 - 1, body, next);
        count_one(m, body);
        go_to(m, body, end);
        at = next;
    }
    go_to(m, at, end);
    return 1;
}

static void tree_of(maker *m, uint32_t at, int32_t from, int32_t to, uint32_t body, uint32_t end)
{
    uint32_t below = block(m), above = block(m);
    if (from + 1 >= to) {
        test_n(m, at, ILC__OP_EQ_I32, from * 3 - 1, below, above);
        count_one(m, below);
        go_to(m, below, from % 2 ? end : body);
        go_to(m, above, end);
        return;
    }
    int32_t middle = from + (to - from) / 2;
    test_n(m, at, ILC__OP_LT_I32, middle * 3 - 1, below, above);
    tree_of(m, below, from, middle, body, end);
    tree_of(m, above, middle, to, body, end);
}

/* The same as a tree of compares. */
static int32_t tree_of_cases(maker *m, uint32_t at)
{
    uint32_t end = block(m), body = block(m);
    leave(m, end);
    count_one(m, body);
    go_to(m, body, end);
    tree_of(m, at, 0, (int32_t)m->count, body, end);
    return 2;
}

static int32_t nested_switches(maker *m, uint32_t at)
{
    uint32_t out = block(m);
    leave(m, out);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t other = block(m), inner = block(m);
        count_one(m, at);
        put(m, at, ILC__OP_SWITCH, ILC__IR_VOID, 1, &m->n);
        ilc__ir_connect(m->f, at, other);
        ilc__ir_connect(m->f, at, out);
        ilc__ir_connect(m->f, at, inner);
        count_one(m, other);
        go_to(m, other, out);
        at = inner;
    }
    go_to(m, at, out);
    return (int32_t)m->count;
}

static int32_t long_expression(maker *m, uint32_t at)
{
    ilc__ref sum = number(m, at, 0);
    for (uint32_t i = 0; i < m->count; i++) {
        ilc__ref add[2] = {m->n, sum};
        sum = put(m, at, ILC__OP_ADD_I32, ILC__IR_I32, 2, add);
    }
    ilc__ref store[3] = {m->array, number(m, at, 0), sum};
    put(m, at, ILC__OP_STORE, ILC__IR_VOID, 3, store);
    leave(m, at);
    return (int32_t)m->count * 5;
}

/* t = n > i ? t + 1 : t, values on the stack across edges */
static int32_t choices_in_a_row(maker *m, uint32_t at)
{
    uint32_t var = ilc__ir_add_var(m->f, (ilc__ir_var){.name = "S_1", .storage = ILC_I32, .is_temp = true});
    ilc__ref now = m->zero;
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t yes = block(m), no = block(m), next = block(m);
        test(m, at, (int32_t)(i % 10), yes, no);
        ilc__ref add[2] = {now, number(m, yes, 1)}, sum = put(m, yes, ILC__OP_ADD_I32, ILC__IR_I32, 2, add);
        ilc__ref phi[2] = {put(m, yes, ILC__OP_COPY, ILC__IR_I32, 1, &sum), put(m, no, ILC__OP_COPY, ILC__IR_I32, 1, &now)};
        go_to(m, yes, next);
        go_to(m, no, next);
        m->f->values.items[phi[0]].var = m->f->values.items[phi[1]].var = var;
        now = put(m, next, ILC__OP_PHI, ILC__IR_I32, 2, phi);
        m->f->values.items[now].var = var;
        at = next;
    }
    ilc__ref store[3] = {m->array, m->zero, now};
    put(m, at, ILC__OP_STORE, ILC__IR_VOID, 3, store);
    leave(m, at);
    return (int32_t)(m->count / 10 * 5);
}

typedef int32_t shape(maker *m, uint32_t at);

static const struct {
    const char *name;
    shape      *make;
} shapes[] = {{"ifs in a row", ifs_in_a_row},       {"nested ifs", nested_ifs},
              {"nested loops", nested_loops},       {"loops in a row", loops_in_a_row},
              {"else-if chain", else_if_chain},     {"exits to one place", exits_to_one_place},
              {"long And", long_and},               {"continues", continues_in_one_loop},
              {"irreducible row", irreducible_row}, {"wide switch", wide_switch},
              {"chain of cases", chain_of_cases},   {"tree of cases", tree_of_cases},
              {"nested switches", nested_switches},
              {"long expression", long_expression}, {"choices in a row", choices_in_a_row}};

static ilc__ir_func *make(ilc__context *ctx, shape *build, uint32_t count, int32_t *expected)
{
    maker m = {.count = count};
    m.f = ilc__ir_func_create(ctx, &ctx->arena, "F");
    m.f->param_count = 2;
    ilc__ir_add_var(m.f, (ilc__ir_var){.name = "a", .storage = ILC_I32, .is_array = true, .is_param = true});
    ilc__ir_add_var(m.f, (ilc__ir_var){.name = "n", .storage = ILC_I32, .is_param = true, .slot = 1});
    uint32_t at = block(&m);
    m.array = put(&m, at, ILC__OP_PARAM, ILC__IR_REF, 0, NULL);
    m.f->values.items[m.array].var = 1;
    m.n = put(&m, at, ILC__OP_PARAM, ILC__IR_I32, 0, NULL);
    m.f->values.items[m.n].var = 2;
    m.zero = number(&m, at, 0);
    *expected = build(&m, at);
    return m.f;
}

#endif
