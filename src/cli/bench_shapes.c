/* bench_shapes.c - the bodies of methods that `bench translate --scale` translates: each grows in one way. */
#include <stdlib.h>

#include "bench_il.h"
#include "cli.h"

enum {
    DUP = 0x25,
    LDC = 0x20,
    CALL = 0x28,
    RET = 0x2a,
    BR = 0x38, BRFALSE = 0x39, CGT = 0x02,
    BEQ = 0x3b,
    BGT = 0x3d,
    BLE = 0x3e,
    BLT = 0x3f,
    SWITCH = 0x45,
    XOR = 0x61,
    LDELEM_I4 = 0x94,
    STELEM_I4 = 0x9e,
    ADD_OVF = 0xd6,
    WIDE = 0xfe,
    LDARG = 0x09,
    LDLOC = 0x0c,
    STLOC = 0x0e
};
enum { MOST_OF_UNIT = 96, TOKEN_OF_H = 0x06000002 };

static void op(il_code *c, unsigned char opcode)
{
    il_put(&c->b, opcode, 1);
    c->instructions++;
}

static void of(il_code *c, unsigned char opcode, uint32_t number) /* ldarg, ldloc, stloc */
{
    op(c, WIDE);
    il_put(&c->b, opcode, 1);
    il_put(&c->b, number, 2);
}

static void with(il_code *c, unsigned char opcode, uint32_t operand)
{
    op(c, opcode);
    il_put(&c->b, operand, 4);
}

/* A forward branch: where its offset stands. */
static size_t branch(il_code *c, unsigned char opcode)
{
    with(c, opcode, 0);
    return c->b.size - 4;
}

static void land(il_code *c, size_t at)
{
    il_put_at(&c->b, at, c->b.size - (at + 4), 4);
    c->blocks++;
}

static void back(il_code *c, unsigned char opcode, size_t to)
{
    op(c, opcode);
    il_put(&c->b, to - (c->b.size + 4), 4);
    c->blocks++;
}

/* x(i + plus) */
static void element(il_code *c, uint32_t plus)
{
    of(c, LDARG, IL_X), of(c, LDARG, IL_I);
    if (plus) with(c, LDC, plus), op(c, ADD_OVF);
    op(c, LDELEM_I4);
}

/* to = from Xor x(i + plus) */
static void mix(il_code *c, uint32_t to, uint32_t from, uint32_t plus)
{
    of(c, LDLOC, from), element(c, plus), op(c, XOR), of(c, STLOC, to);
}

/* If x(i) > k Then */
static size_t test(il_code *c, uint32_t k)
{
    element(c, 0), with(c, LDC, k);
    c->blocks++;
    return branch(c, BLE);
}

static void counted_loop(il_code *c, uint32_t k)
{
    with(c, LDC, 0), of(c, STLOC, k);
    size_t start = branch(c, BR), head = c->b.size;
    c->blocks++;
    of(c, LDLOC, IL_ACC), of(c, LDARG, IL_X), of(c, LDLOC, k), op(c, LDELEM_I4), op(c, XOR),
        of(c, STLOC, IL_ACC);
    of(c, LDLOC, k), with(c, LDC, 1), op(c, ADD_OVF), of(c, STLOC, k);
    land(c, start);
    of(c, LDLOC, k), of(c, LDARG, IL_N), back(c, BLT, head);
}

/* A test after the other, and a counted loop for every eighth. */
static void chain(il_code *c, uint32_t size)
{
    for (uint32_t k = 1; c->blocks < size; k++) {
        size_t past = test(c, k);
        mix(c, IL_ACC, IL_ACC, k % 7);
        land(c, past);
        if (k % 8 == 0) counted_loop(c, IL_K);
    }
}

/* A test in the other. */
static void nest(il_code *c, uint32_t size)
{
    uint32_t depth = size / 2;
    size_t  *ends = must_alloc(sizeof *ends * (depth + 1));
    for (uint32_t k = 0; k < depth; k++)
        ends[k] = test(c, k + 1);
    for (uint32_t k = depth; k-- > 0;)
        mix(c, IL_ACC, IL_ACC, k % 7), land(c, ends[k]);
    free(ends);
}

/* A loop in the other: Do ... Loop While acc > k. */
static void loops(il_code *c, uint32_t size)
{
    uint32_t depth = size / 2;
    size_t  *heads = must_alloc(sizeof *heads * (depth + 1));
    for (uint32_t k = 0; k < depth; k++)
        heads[k] = c->b.size, c->blocks++, mix(c, IL_ACC, IL_ACC, k % 7);
    for (uint32_t k = depth; k-- > 0;)
        of(c, LDLOC, IL_ACC), with(c, LDC, k), back(c, BGT, heads[k]);
    free(heads);
}

/* One Select Case. */
static void cases(il_code *c, uint32_t size)
{
    size_t *ends = must_alloc(sizeof *ends * (size + 1));
    of(c, LDARG, IL_N), with(c, SWITCH, size);
    size_t table = c->b.size, after = table + 4 * (size_t)size;
    c->b.size = after;
    size_t otherwise = branch(c, BR);
    for (uint32_t k = 0; k < size; k++) {
        il_put_at(&c->b, table + 4 * (size_t)k, c->b.size - after, 4);
        c->blocks++;
        mix(c, IL_ACC, IL_ACC, k % 7);
        with(c, LDC, k), of(c, LDLOC, IL_ACC), op(c, XOR), of(c, STLOC, IL_ACC);
        ends[k] = branch(c, BR);
    }
    land(c, otherwise);
    for (uint32_t k = 0; k < size; k++)
        il_put_at(&c->b, ends[k], c->b.size - (ends[k] + 4), 4);
    free(ends);
}

/* Tests of n for every third number from `from` on: a few in a row, more in two halves. As deep as halving goes. */
static void tests_of(il_code *c, uint32_t from, uint32_t to, size_t *cases, size_t *others, uint32_t *other_count)
{
    c->blocks++;
    if (to - from <= 3) {
        for (uint32_t k = from; k < to; k++) of(c, LDARG, IL_N), with(c, LDC, 3 * k), cases[k] = branch(c, BEQ);
        others[(*other_count)++] = branch(c, BR);
        return;
    }
    uint32_t middle = from + (to - from) / 2;
    of(c, LDARG, IL_N), with(c, LDC, 3 * middle - 1);
    size_t above = branch(c, BGT);
    tests_of(c, from, middle, cases, others, other_count);
    land(c, above);
    tests_of(c, middle, to, cases, others, other_count);
}

/* One Select Case of numbers far apart. */
static void sparse(il_code *c, uint32_t size)
{
    uint32_t count = size / 2 + 1, others = 0;
    size_t  *cases = must_alloc(sizeof *cases * count), *ends = must_alloc(sizeof *ends * (count + 1) * 2);
    tests_of(c, 0, count, cases, ends, &others);
    for (uint32_t k = 0; k < count; k++) {
        land(c, cases[k]);
        mix(c, IL_ACC, IL_ACC, k % 7);
        ends[others++] = branch(c, BR);
    }
    for (uint32_t k = 0; k < others; k++)
        il_put_at(&c->b, ends[k], c->b.size - (ends[k] + 4), 4);
    free(cases);
    free(ends);
}

/* If x(i) > k Then ... ElseIf */
static void else_ifs(il_code *c, uint32_t size)
{
    uint32_t count = size / 2;
    size_t  *ends = must_alloc(sizeof *ends * (count + 1));
    for (uint32_t k = 0; k < count; k++) {
        size_t past = test(c, k);
        mix(c, IL_ACC, IL_ACC, k % 7);
        ends[k] = branch(c, BR);
        land(c, past);
    }
    for (uint32_t k = 0; k < count; k++)
        il_put_at(&c->b, ends[k], c->b.size - (ends[k] + 4), 4);
    free(ends);
}

/* Loops with two entries, one after the other: into the middle, or to the head. */
static void irreducible(il_code *c, uint32_t size)
{
    for (uint32_t k = 1; c->blocks < size; k++) {
        size_t into = test(c, k), head = c->b.size;
        mix(c, IL_ACC, IL_ACC, k % 7);
        land(c, into);
        mix(c, IL_ACC, IL_ACC, (k + 1) % 7);
        of(c, LDLOC, IL_ACC), with(c, LDC, k), back(c, BGT, head);
    }
}

/* A local for every ten blocks, each read at the end, so that all live all along. */
static void locals(il_code *c, uint32_t size)
{
    uint32_t count = size / 10 + 1;
    c->locals += count;
    for (uint32_t k = 1; c->blocks < size; k++) {
        size_t past = test(c, k);
        mix(c, 2 + k % count, 2 + k * 7 % count, k % 7);
        land(c, past);
    }
    for (uint32_t k = 0; k < count; k++)
        of(c, LDLOC, IL_ACC), of(c, LDLOC, 2 + k), op(c, XOR), of(c, STLOC, IL_ACC);
}

/* Loops one after the other, each with a counter of its own, up to a hundred of them. */
static void counters(il_code *c, uint32_t size)
{
    uint32_t count = size / 3 < 100 ? size / 3 + 1 : 100;
    c->locals += count;
    for (uint32_t k = 0; c->blocks < size; k++) counted_loop(c, 2 + k % count);
}

/* acc = If(x(i) > k, x(i + k), acc) */
static void choices(il_code *c, uint32_t size)
{
    for (uint32_t k = 1; c->blocks < size; k++) {
        size_t past = test(c, k);
        element(c, k % 7);
        size_t end = branch(c, BR);
        land(c, past);
        of(c, LDLOC, IL_ACC);
        land(c, end);
        of(c, STLOC, IL_ACC);
    }
}

/* If x(i) > k AndAlso x(i + 1) > k Then, as compilers without optimization make it: by way of a truth value. */
static void conditions(il_code *c, uint32_t size)
{
    for (uint32_t k = 1; c->blocks < size; k++) {
        size_t past = test(c, k);
        element(c, 1), with(c, LDC, k), op(c, WIDE), op(c, CGT), c->instructions--;
        size_t end = branch(c, BR);
        land(c, past);
        with(c, LDC, 0);
        land(c, end);
        size_t not = branch(c, BRFALSE);
        c->blocks++;
        mix(c, IL_ACC, IL_ACC, k % 7);
        land(c, not);
    }
}

/* acc Xor (x(i) Xor (x(i + 1) Xor (...))), as deep as a stack may be */
static void deep(il_code *c, uint32_t size)
{
    for (uint32_t from = 0, count; from < size; from += count) {
        count = size - from < IL_STACK - 8 ? size - from : IL_STACK - 8;
        of(c, LDLOC, IL_ACC);
        for (uint32_t k = 0; k < count; k++)
            element(c, k % 7);
        for (uint32_t k = 0; k < count; k++)
            op(c, XOR);
        of(c, STLOC, IL_ACC);
    }
}

/* ((acc + 1) Xor i) + 2 ... */
static void wide(il_code *c, uint32_t size)
{
    of(c, LDLOC, IL_ACC);
    for (uint32_t k = 0; k < size; k++)
        with(c, LDC, k), op(c, ADD_OVF), of(c, LDARG, IL_I), op(c, XOR);
    of(c, STLOC, IL_ACC);
}

/* acc = acc Xor x(i + k), a line after the other. */
static void line(il_code *c, uint32_t size)
{
    for (uint32_t k = 0; k < size; k++)
        mix(c, IL_ACC, IL_ACC, k % 1000);
}

/* x(i) = x(i + k) Xor acc needs another element: x(i) = x(i) Xor k */
static void stores(il_code *c, uint32_t size)
{
    for (uint32_t k = 0; k < size; k++)
        of(c, LDARG, IL_X), of(c, LDARG, IL_I), element(c, 0), with(c, LDC, k), op(c, XOR), op(c, STELEM_I4);
}

static void calls(il_code *c, uint32_t size)
{
    for (uint32_t k = 0; k < size; k++)
        of(c, LDLOC, IL_ACC), with(c, LDC, k), op(c, XOR), with(c, CALL, TOKEN_OF_H), of(c, STLOC, IL_ACC);
}

const bench_shape bench_shapes[] = {
    {"chain", chain},           /* tests and loops one after the other */
    {"nest", nest},             /* tests in each other */
    {"loops", loops},           /* loops in each other */
    {"cases", cases},           /* one Select Case */
    {"sparse", sparse},         /* one Select Case of numbers far apart */
    {"elseifs", else_ifs},      /* one If with many ElseIf */
    {"irreducible", irreducible}, /* loops with two entries */
    {"locals", locals},         /* a local for every ten blocks */
    {"counters", counters},     /* loops with counters of their own */
    {"choices", choices},       /* values chosen by tests */
    {"conditions", conditions}, /* tests of two conditions */
    {"deep", deep},             /* one expression, its right operands nested */
    {"wide", wide},             /* one expression, its left operands nested */
    {"line", line},             /* assignments */
    {"stores", stores},         /* stores */
    {"calls", calls},           /* calls */
    {NULL, NULL},
};

il_code bench_body(const bench_shape *shape, uint32_t size)
{
    il_code c = {.b = {must_alloc((size_t)size * MOST_OF_UNIT + 1024), 0}, .blocks = 1, .locals = 2};
    shape->make(&c, size);
    of(&c, LDLOC, IL_ACC), op(&c, RET);
    return c;
}
