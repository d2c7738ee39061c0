/* il_graphs_test.c - methods in IL whose control flow is random: graphs of up to 60 blocks, reducible and not, with tests of
 * one value in them, and nests of the statements that compilers make. The judge runs the IL, and the tree that comes of
 * it must give the same value, the same trap and the same arrays.
 * ILCUDA_GRAPHS=COUNT[,FIRST] runs others than the few of the inner loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "../meta/image_builder.h"
#include "interp/interp.h"
#include "opt/pass.h"
#include "write/write.h"

enum { COUNT = 3000, BATCH = 20, MAX_BLOCKS = 60, LENGTH = 40, PARAMS = 3, FUEL = 200000 };
enum { INTS = 7, LONG = INTS, SPARE, LOCALS = SPARE + 8 }; /* locals: 0 counts turns; LONG is an int64; loops have the spare ones */
enum { MAX_LABELS = 400, MAX_FIXUPS = 800 };

enum { /* opcodes, ECMA-335 III */
       LDARG_S = 0x0e, LDLOC_S = 0x11, STLOC_S = 0x13, LDC_I4 = 0x20, LDC_I8 = 0x21, RET = 0x2a, BR = 0x38, BRFALSE = 0x39, BRTRUE = 0x3a,
       BEQ = 0x3b, BGE = 0x3c, BGT = 0x3d, BLE = 0x3e, BLT = 0x3f, BNE_UN = 0x40, BLE_UN = 0x43, BLT_UN = 0x44, SWITCH = 0x45, ADD = 0x58,
       SUB = 0x59, MUL = 0x5a, AND = 0x5f, OR = 0x60, XOR = 0x61, SHR = 0x63, CONV_I8 = 0x6a, LDELEM_I4 = 0x94, STELEM_I4 = 0x9e, ADD_OVF = 0xd6 };

typedef struct maker {
    uint64_t seed;
    uint8_t  code[16000];
    uint32_t size, labels[MAX_LABELS], label_count, fixups[MAX_FIXUPS][3], fixup_count;
    uint8_t  spare; /* locals of loops in use */
    uint32_t end;   /* label of the last return */
    uint32_t statements;
    struct { uint32_t again, out; } loops[8];
    uint32_t depth;
} maker;

static uint32_t roll(maker *m, uint32_t sides)
{
    m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->seed >> 33) % sides;
}

/* --- code -------------------------------------------------------------------------------------------------------- */

static void byte(maker *m, uint8_t value)
{
    m->code[m->size++] = value;
}

static void word(maker *m, uint32_t value)
{
    for (int i = 0; i < 4; i++) byte(m, (uint8_t)(value >> (8 * i)));
}

static void get(maker *m, uint32_t local)
{
    byte(m, LDLOC_S), byte(m, (uint8_t)local);
}

static void set(maker *m, uint32_t local)
{
    byte(m, STLOC_S), byte(m, (uint8_t)local);
}

static void argument(maker *m, uint8_t n)
{
    byte(m, LDARG_S), byte(m, n);
}

static void number(maker *m, int32_t value)
{
    byte(m, LDC_I4), word(m, (uint32_t)value);
}

static uint32_t label(maker *m)
{
    return m->label_count++;
}

static void here(maker *m, uint32_t at)
{
    m->labels[at] = m->size;
}

/* The offset counts from `from` bytes behind where it stands. */
static void offset_to(maker *m, uint32_t to, uint32_t from)
{
    uint32_t *f = m->fixups[m->fixup_count++];
    f[0] = m->size, f[1] = to, f[2] = m->size + from;
    m->size += 4;
}

static void go(maker *m, uint8_t opcode, uint32_t to)
{
    byte(m, opcode);
    offset_to(m, to, 4);
}

static void table(maker *m, const uint32_t *to, uint32_t count)
{
    byte(m, SWITCH), word(m, count);
    for (uint32_t k = 0; k < count; k++) offset_to(m, to[k], 4 * (count - k));
}

static void fix(maker *m)
{
    for (uint32_t i = 0; i < m->fixup_count; i++) {
        uint32_t offset = m->labels[m->fixups[i][1]] - m->fixups[i][2];
        for (int k = 0; k < 4; k++) m->code[m->fixups[i][0] + (uint32_t)k] = (uint8_t)(offset >> (8 * k));
    }
}

/* --- statements and tests ------------------------------------------------------------------------------------------ */

static uint32_t any_int(maker *m)
{
    return 1 + roll(m, INTS - 1);
}

static int32_t any_number(maker *m)
{
    static const int32_t odd[] = {INT32_MIN, INT32_MAX, -1, 100, 1000, 31};
    return roll(m, 12) ? (int32_t)roll(m, 14) - 3 : odd[roll(m, 6)];
}

static void operand(maker *m)
{
    if (roll(m, 3)) get(m, any_int(m));
    else number(m, any_number(m));
}

static void element(maker *m) /* the array and a place in it */
{
    argument(m, 0), get(m, any_int(m)), number(m, 7), byte(m, AND);
}

static void statement(maker *m)
{
    static const uint8_t ops[] = {ADD, SUB, MUL, AND, OR, XOR, ADD, ADD_OVF};
    switch (roll(m, 6)) {
    case 0: element(m), byte(m, LDELEM_I4), set(m, any_int(m)); break;
    case 1: element(m), operand(m), byte(m, STELEM_I4); break;
    case 2: get(m, any_int(m)), byte(m, CONV_I8), set(m, LONG); break;
    case 3: operand(m), set(m, any_int(m)); break;
    default: operand(m), operand(m), byte(m, ops[roll(m, 8)]), set(m, any_int(m)); break;
    }
}

/* Jumps to `to` where a test holds. Half of them ask for one value of local 1, as the cases of a switch do. */
static void test(maker *m, uint32_t to)
{
    static const uint8_t branches[] = {BEQ, BEQ, BEQ, BNE_UN, BGE, BGT, BLE, BLE, BLT, BLE_UN, BLT_UN};
    uint32_t kind = roll(m, 12);
    if (kind == 0) {
        get(m, any_int(m)), go(m, roll(m, 2) ? BRTRUE : BRFALSE, to);
    } else if (kind == 1) {
        get(m, LONG), byte(m, LDC_I8), word(m, roll(m, 12)), word(m, 0), go(m, branches[roll(m, 11)], to);
    } else {
        get(m, kind < 7 ? 1 : any_int(m));
        if (roll(m, 10) == 0) number(m, (int32_t)roll(m, 5)), byte(m, roll(m, 2) ? SUB : ADD);
        if (kind < 11) number(m, any_number(m));
        else get(m, any_int(m));
        go(m, branches[roll(m, 11)], to);
    }
}

static void choose(maker *m, const uint32_t *to, uint32_t count)
{
    get(m, roll(m, 2) ? 1 : any_int(m));
    if (roll(m, 2)) number(m, (int32_t)roll(m, 9) - 3), byte(m, SUB);
    table(m, to, count);
}

static void give_back(maker *m)
{
    operand(m), byte(m, RET);
}

/* Counts; past so many turns the method is over, one way or the other. */
static void tick(maker *m)
{
    get(m, 0), number(m, 1), byte(m, ADD), set(m, 0);
    if (roll(m, 2)) {
        get(m, 0), number(m, LENGTH), go(m, BGT, m->end);
    } else {
        argument(m, 0), get(m, 0), byte(m, LDELEM_I4), set(m, any_int(m));
    }
}

/* --- random graphs ------------------------------------------------------------------------------------------------ */

static uint32_t any_block(maker *m, uint32_t at, uint32_t count)
{
    uint32_t way = roll(m, 10), to = at + 1 + roll(m, 4);
    if (way == 0) to = roll(m, count);
    if (way == 1 || way == 2) to = at > 4 ? at - roll(m, 5) : roll(m, at + 1);
    return to < count ? to : count - 1;
}

static void graph(maker *m)
{
    uint32_t blocks = 2 + roll(m, roll(m, 3) ? 14 : MAX_BLOCKS - 1), first = m->label_count, targets[8];
    uint32_t empty = roll(m, 4); /* the more blocks that only test, the more of them belong to one value */
    m->label_count += blocks;
    for (uint32_t at = 0; at < blocks; at++) {
        uint32_t kind = roll(m, 20), count = kind < 12 || kind > 14 ? 1 : 1 + roll(m, 6);
        bool     back = false;
        for (uint32_t k = 0; k < count; k++) targets[k] = first + any_block(m, at, blocks), back = back || targets[k] <= first + at;
        here(m, first + at);
        if (back) tick(m);
        for (uint32_t n = roll(m, 4) > empty ? roll(m, 4) : 0; n; n--) statement(m);
        if (kind < 12) test(m, targets[0]);
        else if (kind < 15) choose(m, targets, count);
        else if (kind < 18) go(m, BR, targets[0]);
        else if (kind == 18) give_back(m);
    }
}

/* --- nests of statements --------------------------------------------------------------------------------------------- */

static void statements(maker *m);

static void if_else(maker *m)
{
    uint32_t other = label(m), end = label(m), both = label(m), kind = roll(m, 4);
    if (kind == 0) test(m, both), test(m, other), here(m, both); /* or */
    else if (kind == 1) test(m, other), test(m, other);          /* and */
    else test(m, other);
    statements(m);
    if (roll(m, 2)) go(m, BR, end), here(m, other), statements(m);
    else here(m, other);
    here(m, end);
}

static void many_cases(maker *m)
{
    uint32_t end = label(m), cases = 2 + roll(m, 5), to[8], next;
    bool     dense = roll(m, 2);
    for (uint32_t k = 0; k < cases; k++) to[k] = label(m);
    uint32_t of = any_int(m);
    if (dense) {
        get(m, of), number(m, (int32_t)roll(m, 3)), byte(m, SUB), table(m, to, cases);
    } else {
        for (uint32_t k = 0; k < cases; k++) { /* Case n, Case n To n + 2 */
            int32_t from = (int32_t)(k * 4) - 3;
            next = label(m);
            get(m, of), number(m, from);
            if (roll(m, 3)) go(m, BEQ, to[k]);
            else go(m, BLT, next), get(m, of), number(m, from + 1 + (int32_t)roll(m, 30)), go(m, BLE, to[k]);
            here(m, next);
        }
    }
    if (roll(m, 2)) statements(m);
    go(m, BR, end);
    for (uint32_t k = 0; k < cases; k++) {
        here(m, to[k]);
        if (roll(m, 5)) statements(m);
        if (roll(m, 6) == 0 && k + 1 < cases) go(m, BR, to[k + 1]); /* goto case */
        else if (roll(m, 8) == 0) give_back(m);
        else go(m, BR, end);
    }
    here(m, end);
}

static void open_loop(maker *m, uint32_t again, uint32_t out)
{
    m->loops[m->depth].again = again;
    m->loops[m->depth++].out = out;
}

static void limit(maker *m)
{
    if (roll(m, 5) == 0) number(m, INT32_MAX - (int32_t)roll(m, 2));
    else if (roll(m, 5) == 0) number(m, INT32_MIN + (int32_t)roll(m, 2));
    else number(m, (int32_t)roll(m, 7) - 1);
}

/* VB's For, with a step that is a number or not; F#'s, up or down. */
static void counted(maker *m)
{
    uint32_t k = SPARE + m->spare, to = k + 1, by = k + 2, top = label(m), again = label(m), at = label(m), out = label(m), kind = roll(m, 4);
    bool     down = kind == 3 && roll(m, 2);
    m->spare += 3;
    if (kind == 3) limit(m), set(m, k), limit(m), set(m, to);
    else limit(m), set(m, to);
    if (kind == 2) operand(m), number(m, 3), byte(m, AND), number(m, 1), byte(m, SUB), set(m, by);
    if (kind != 3) limit(m), set(m, k), go(m, BR, at);
    else get(m, to), get(m, k), go(m, down ? BGT : BLT, out);
    here(m, top);
    tick(m);
    open_loop(m, again, out);
    statements(m);
    m->depth--;
    here(m, again);
    get(m, k);
    if (kind == 2) get(m, by);
    else number(m, kind == 3 && down ? -1 : 1);
    byte(m, kind == 3 || roll(m, 2) ? ADD : ADD_OVF), set(m, k);
    here(m, at);
    if (kind == 3) {
        get(m, k), get(m, to), number(m, 1), byte(m, down ? SUB : ADD), go(m, BNE_UN, top);
    } else if (kind == 2) {
        get(m, by), number(m, 31), byte(m, SHR), get(m, k), byte(m, XOR);
        get(m, by), number(m, 31), byte(m, SHR), get(m, to), byte(m, XOR), go(m, BLE, top);
    } else {
        get(m, k), get(m, to), go(m, BLE, top);
    }
    here(m, out);
    m->spare -= 3;
}

static void until(maker *m)
{
    uint32_t top = label(m), again = label(m), out = label(m);
    if (roll(m, 2)) go(m, BR, again); /* While; else Do */
    here(m, top);
    tick(m);
    open_loop(m, again, out);
    statements(m);
    m->depth--;
    here(m, again);
    if (roll(m, 3) == 0) test(m, out);
    test(m, top);
    here(m, out);
}

/* A jump out of a loop, or to its next turn, or a return. */
static void jump(maker *m)
{
    uint32_t past = label(m), kind = roll(m, 4);
    test(m, past);
    if (kind == 0 || !m->depth) give_back(m);
    else if (kind == 1) go(m, BR, m->loops[m->depth - 1].again);
    else go(m, BR, m->loops[kind == 2 ? m->depth - 1 : roll(m, m->depth)].out);
    here(m, past);
}

static void statements(maker *m)
{
    for (uint32_t n = 1 + roll(m, 3); n; n--) {
        bool     room = m->statements < 40 && m->size < 9000 && m->label_count + 40 < MAX_LABELS;
        uint32_t kind = roll(m, 10);
        m->statements++;
        if (!room || kind < 4) statement(m);
        else if (kind < 6) if_else(m);
        else if (kind == 6) many_cases(m);
        else if (kind == 7 && m->spare < 6) counted(m);
        else if (kind == 8 && m->depth < 4) until(m);
        else jump(m);
    }
}

/* --- the assembly ---------------------------------------------------------------------------------------------------- */

static void make_method(maker *m, uint64_t seed)
{
    *m = (maker){.seed = seed * 2654435761u + 99};
    for (int i = 0; i < 4; i++) roll(m, 2);
    m->end = label(m);
    for (uint32_t k = 1; k < INTS; k++) argument(m, (uint8_t)(1 + k % 2)), number(m, (int32_t)k / 2), byte(m, ADD), set(m, k);
    if (seed % 2) graph(m);
    else statements(m);
    here(m, m->end);
    get(m, 1 + roll(m, INTS - 1)), byte(m, RET);
    fix(m);
}

static size_t make_image(const maker *m, uint8_t *image)
{
    static const uint8_t signature[] = {0x00, PARAMS, 0x08, 0x1d, 0x08, 0x08, 0x08};
    static uint8_t       whole[IMAGE_BODY_MAX];
    uint8_t              locals[2 + LOCALS] = {0x07, LOCALS};
    memset(locals + 2, 0x08, LOCALS);
    locals[2 + LONG] = 0x0a;
    image_bytes b = {whole};
    put(&b, 0x3013, 2), put(&b, 8, 2), put(&b, m->size, 4), put(&b, 0x11000001, 4); /* II.25.4.3 */
    memcpy(b.at, m->code, m->size);
    image_method = signature;
    image_method_size = sizeof signature;
    return image_build(image, whole, 12 + m->size, locals, sizeof locals);
}

/* --- comparing --------------------------------------------------------------------------------------------------------- */

typedef struct tally {
    uint32_t methods, jumping, irreducible, returned, trapped, endless, kinds[ILC__ST_GOTO + 1], ends[ILC__FOR_AT_LIMIT + 1];
} tally;

static void count(tally *t, const ilc__block *list)
{
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        t->kinds[s->kind]++;
        if (s->kind == ILC__ST_FOR) t->ends[s->ends]++;
        count(t, &s->body);
        count(t, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) count(t, &s->cases[k].body);
    }
}

static void differ(ilc__context *ctx, uint64_t seed, const ilc__func *func, const int32_t *in, const ilc_outcome *want, const ilc_outcome *got)
{
    ilc__text text = {.arena = &ctx->arena};
    ilc__write_func(ctx, func, ILC__LANGUAGE_VB, &text);
    fail_msg("method %llu (%d, %d): %s %lld at IL_%04x, not %s %lld at IL_%04x\n%s", (unsigned long long)seed, in[0], in[1],
             want->trapped ? want->trap.exception : "value", (long long)want->ret.u.bits, want->trap.il_offset,
             got->trapped ? got->trap.exception : "value", (long long)got->ret.u.bits, got->trap.il_offset, ilc__text_string(&text));
}

static void compare(ilc__context *ctx, uint64_t seed, ilc__il_machine *judge, const ilc__method *method, ilc__ast_machine *tree,
                    const ilc__func *func, tally *t)
{
    static const int32_t inputs[][2] = {{0, 0}, {1, 5}, {-3, 2}, {7, INT32_MAX}};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        int32_t             left[LENGTH], right[LENGTH];
        ilc_array           array = {.elem = ILC_I32, .length = LENGTH, .data = left};
        ilc_value           args[PARAMS] = {{.storage = ILC_I32, .is_array = true, .u.array = &array}, {.storage = ILC_I32}, {.storage = ILC_I32}};
        ilc_outcome         want = {0}, got = {0};
        ilc__interp_options options = {.fuel = FUEL}, more = {.fuel = 20 * FUEL};
        for (int k = 0; k < LENGTH; k++) left[k] = right[k] = k * 5 % 11 - 2;
        for (int k = 0; k < 2; k++) args[k + 1].u.bits = (uint64_t)(int64_t)inputs[i][k];
        if (ilc__il_call(judge, method, args, PARAMS, &options, &want) != ILC_OK) {
            t->endless++;
            ctx->diags.count = 0;
            continue;
        }
        array.data = right;
        if (ilc__ast_machine_call(tree, args, PARAMS, &more, &got) != ILC_OK) fail_msg("method %llu: the tree does not end", (unsigned long long)seed);
        bool same = want.trapped == got.trapped && memcmp(left, right, sizeof left) == 0;
        if (same && want.trapped)
            same = want.trap.il_offset == got.trap.il_offset && strcmp(want.trap.exception, got.trap.exception) == 0;
        else if (same) same = (uint32_t)want.ret.u.bits == (uint32_t)got.ret.u.bits;
        if (!same) differ(ctx, seed, func, inputs[i], &want, &got);
        if (want.trapped) t->trapped++;
        else t->returned++;
    }
}

static void check_method(ilc__context *ctx, ilc__set *set, ilc__il_machine *judge, uint64_t seed, uint8_t *bytes, tally *t)
{
    static maker       m;
    ilc__image        *image = NULL;
    const ilc__method *method = NULL;
    ilc__ir_unit       ir = {0};
    ilc__unit          unit = {0};
    ilc__ast_machine  *tree = NULL;
    make_method(&m, seed);
    ilc_status status = ilc__set_open_memory(set, "Graphs.dll", bytes, make_image(&m, bytes), NULL, 0, &image);
    if (status == ILC_OK) status = ilc__image_method(image, 1, &method);
    if (status == ILC_OK) status = ilc__ir_lift(ctx, &ctx->arena, method, &ir);
    if (status == ILC_OK) t->irreducible += ir.funcs.items[0]->irreducible;
    if (status == ILC_OK) status = ilc__opt_run(ctx, &ir, NULL, NULL);
    if (status == ILC_OK) status = ilc__ast_build(ctx, &ctx->arena, &ir, &unit);
    if (status == ILC_OK) status = ilc__ast_machine_create(ctx, &ctx->arena, &unit, &tree);
    if (status != ILC_OK) fail_msg("method %llu: %s", (unsigned long long)seed, ctx->diags.items[ctx->diags.count - 1].text);
    const ilc__func *func = unit.funcs.items[0];
    t->methods++;
    t->jumping += func->has_goto;
    count(t, &func->body);
    compare(ctx, seed, judge, method, tree, func, t);
}

static void check_batch(uint64_t first, uint32_t methods, tally *t)
{
    static uint8_t images[BATCH][IMAGE_MAX];
    ilc__context   ctx;
    ilc__context_init(&ctx);
    ilc__set        *set = ilc__set_create(&ctx);
    ilc__il_machine *judge = ilc__il_machine_create(&ctx, &ctx.arena);
    for (uint32_t i = 0; i < methods; i++) check_method(&ctx, set, judge, first + i, images[i], t);
    ilc__set_destroy(set);
    ilc__context_free(&ctx);
}

static void trees_do_what_the_il_of_random_graphs_does(void **state)
{
    (void)state;
    unsigned long long all = COUNT, first = 1;
    const char        *wanted = getenv("ILCUDA_GRAPHS");
    if (wanted) sscanf(wanted, "%llu,%llu", &all, &first);
    tally t = {0};
    for (uint64_t at = 0; at < all; at += BATCH) check_batch(first + at, all - at < BATCH ? (uint32_t)(all - at) : BATCH, &t);
    printf("%u methods, %u irreducible, %u with goto; %u calls returned, %u trapped, %u ran too long\n", t.methods, t.irreducible, t.jumping,
           t.returned, t.trapped, t.endless);
    printf("%u if, %u switch, %u while, %u do, %u endless, %u For and %u by sign and %u to the limit, %u goto\n", t.kinds[ILC__ST_IF],
           t.kinds[ILC__ST_SWITCH], t.kinds[ILC__ST_WHILE], t.kinds[ILC__ST_DO], t.kinds[ILC__ST_LOOP], t.ends[ILC__FOR_BY_COMPARE],
           t.ends[ILC__FOR_BY_SIGN], t.ends[ILC__FOR_AT_LIMIT], t.kinds[ILC__ST_GOTO]);
    assert_true(t.irreducible > 0 && t.jumping < t.methods / 2 && t.endless < t.methods / 10);
    for (int k = 0; k <= ILC__FOR_AT_LIMIT; k++) assert_true(t.ends[k] > 0 || t.methods < 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_do_what_the_il_of_random_graphs_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
