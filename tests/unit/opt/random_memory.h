/* random_memory.h - makes random functions over slots, structs, by-refs and elements of arrays, with branches, loops
 * and calls, and runs them; for tests only. */
#ifndef ILC_TESTS_UNIT_OPT_RANDOM_MEMORY_H
#define ILC_TESTS_UNIT_OPT_RANDOM_MEMORY_H

#include "ir_run.h"

enum { FUEL = 4000, MAX_BLOCKS = 40 };
enum { PARAM_X = 1, PARAM_R, PARAM_V, PARAM_N, PARAM_M, PARAM_S, VAR_I, VAR_W };
enum { SLOT_M = 1, SLOT_S, SLOT_A, SLOT_B, SLOT_P, SLOT_Q, SLOT_T, SLOTS };

/* What the functions begin with; the callee writes through what it gets. */
static const char head[] =
    "layout \"In\" size 8 align 4 (c: Int32 @0, d: Int16 @4)\n"
    "layout \"Out\" size 16 align 4 (a: Int32 @0, b: \"In\" @4, e: Byte @12)\n"
    "func \"F\" (x: Int32[], r: Int32&, v: Int32&, n: Int32, m: Int32, s: \"Out\") Int32 traps\n"
    "  var i: Int32 local 0 named\n  var w: Int32& local 1 named\n"
    "  slot m: Int32 param 4 named\n  slot s: \"Out\" param 5 named\n  slot a: Int32 local 2 named\n  slot "
    "b: Int16 local 3\n"
    "  slot p: \"Out\" local 4 named\n  slot q: \"Out\" local 5\n  slot t: \"In\" temp\n"
    "b0:\n  %1 = param x\n  %2 = param r\n  %3 = param v\n  %4 = param n\n  jump b1\nb1:\n  return %4\n";
static const char callee_text[] =
    "layout \"In\" size 8 align 4 (c: Int32 @0, d: Int16 @4)\n"
    "func \"G\" (p: \"In\"&, r: Int32&, n: Int32) Int32\n"
    "b0:\n  %1 = param p\n  %2 = param r\n  %3 = param n\n  %4 = fieldaddr %1, c\n  %5 = loadind.Int32 %4\n"
    "  %6 = add.i32 %5, %3\n  storeind.Int32 %2, %6\n  %7 = fieldaddr %1, d\n  storeind.Int16 %7, %3\n"
    "  %8 = loadind.Int32 %4\n  return %8\n";

typedef struct maker {
    fixture           *f;
    ilc__ir_func      *func, *callee;
    const ilc__layout *in, *out;
    uint32_t           seed, block, il, depth;
    ilc__ref           params[5];
    ilc__ref           version;  /* of i, where the block made one */
    ilc__ref           pool[32]; /* numbers of this block */
    uint32_t           pool_count;
} maker;

static uint32_t pick(maker *m, uint32_t below)
{
    m->seed = m->seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(m->seed >> 4) * below >> 28);
}

static ilc__ref put_op(maker *m, ilc__op op, ilc__ir_type type, uint32_t count, ilc__ref a, ilc__ref b)
{
    ilc__ref args[2] = {a, b}, ref = ilc__ir_emit(m->func, m->block, op, type, count, args);
    m->func->values.items[ref].il = ++m->il;
    m->func->values.items[ref].has_il = true;
    return ref;
}

static ilc__ref number(maker *m)
{
    if (m->pool_count && pick(m, 3)) return m->pool[pick(m, m->pool_count)];
    if (pick(m, 4) == 0) return m->params[PARAM_N];
    ilc__ref ref = ilc__ir_const(m->func, ILC__IR_I32, pick(m, 4) ? pick(m, 9) : pick(m, 1u << 27) * 31u);
    ilc__ir_append(m->func, m->block, ref);
    return ref;
}

static void keep(maker *m, ilc__ref ref)
{
    if (m->pool_count < 32) m->pool[m->pool_count++] = ref;
}

static ilc__ref field(maker *m, ilc__ref addr, const ilc__layout *layout, uint32_t number_of)
{
    ilc__ref ref = put_op(m, ILC__OP_FIELDADDR, ILC__IR_ADDR, 1, addr, 0);
    m->func->values.items[ref].layout = layout;
    m->func->values.items[ref].u.field = number_of;
    return ref;
}

static ilc__ref slot(maker *m, uint32_t which)
{
    ilc__ref ref = put_op(m, ILC__OP_SLOTADDR, ILC__IR_ADDR, 0, 0, 0);
    m->func->values.items[ref].u.slot = which;
    return ref;
}

static ilc__ref out_struct(maker *m)
{
    static const uint32_t which[] = {SLOT_P, SLOT_Q, SLOT_S};
    return slot(m, which[pick(m, 3)]);
}

static ilc__ref in_struct(maker *m)
{
    return pick(m, 3) ? field(m, out_struct(m), m->out, 1) : slot(m, SLOT_T);
}

/* The index is a version of i now and then: it may get its next one while the address is used. */
static ilc__ref element(maker *m)
{
    if (pick(m, 2)) {
        m->version = put_op(m, ILC__OP_COPY, ILC__IR_I32, 1, number(m), 0);
        m->func->values.items[m->version].var = VAR_I;
    }
    ilc__ref ref = put_op(m, ILC__OP_ELEMADDR, ILC__IR_ADDR, 2, m->params[PARAM_X],
                        m->version && pick(m, 2) ? m->version : number(m));
    m->func->values.items[ref].storage = ILC_I32;
    return ref;
}

static ilc__ref plain_address(maker *m)
{
    switch (pick(m, 9)) {
    case 0: return m->params[PARAM_R];
    case 1: return m->params[PARAM_V];
    case 2: return slot(m, SLOT_A);
    case 3: return slot(m, SLOT_B);
    case 4: return slot(m, SLOT_M);
    case 5: return field(m, out_struct(m), m->out, pick(m, 2) ? 0 : 2);
    case 6: return field(m, in_struct(m), m->in, pick(m, 2));
    default: return element(m);
    }
}

/* Now and then as a pointer has it: moved by nothing, and tested, also where that cannot fail. */
static ilc__ref address(maker *m)
{
    ilc__ref     addr = plain_address(m);
    ilc__pointee what = ilc__ir_pointee(m->func, addr);
    if (pick(m, 6) == 0) {
        ilc__ref bytes = ilc__ir_const(m->func, ILC__IR_I64, 0);
        ilc__ir_append(m->func, m->block, bytes);
        addr = put_op(m, ILC__OP_ADDADDR, ILC__IR_ADDR, 2, addr, bytes);
        m->func->values.items[addr].storage = what.storage;
    }
    if (pick(m, 6) == 0) put_op(m, ILC__OP_NONNULL, ILC__IR_VOID, 1, addr, 0);
    return addr;
}

static ilc__ref int_address(maker *m)
{
    for (;;) {
        ilc__ref ref = address(m);
        if (ilc__ir_pointee(m->func, ref).storage == ILC_I32) return ref;
    }
}

static ilc__ref put_load(maker *m, ilc__ref addr)
{
    ilc__ref ref = put_op(m, ILC__OP_LOADIND, ILC__IR_I32, 1, addr, 0);
    m->func->values.items[ref].storage = ilc__ir_pointee(m->func, addr).storage;
    keep(m, ref);
    return ref;
}

static void put_store(maker *m, ilc__ref addr, ilc__ref value)
{
    ilc__ref ref = put_op(m, ILC__OP_STOREIND, ILC__IR_VOID, 2, addr, value);
    m->func->values.items[ref].storage = ilc__ir_pointee(m->func, addr).storage;
}

static void copy_struct(maker *m)
{
    bool     whole = pick(m, 2), zero = pick(m, 4) == 0;
    ilc__ref to = whole ? out_struct(m) : in_struct(m), from = zero    ? 0
                                                               : whole ? out_struct(m)
                                                                       : in_struct(m);
    ilc__ref ref = put_op(m, zero ? ILC__OP_ZEROMEM : ILC__OP_COPYMEM, ILC__IR_VOID, zero ? 1 : 2, to, from);
    m->func->values.items[ref].layout = whole ? m->out : m->in;
}

static void put_call(maker *m)
{
    ilc__ref args[3] = {in_struct(m), int_address(m), number(m)};
    ilc__ref ref = ilc__ir_emit(m->func, m->block, ILC__OP_CALL, ILC__IR_I32, 3, args);
    m->func->values.items[ref].u.callee = m->callee;
    keep(m, ref);
}

static void compound(maker *m)
{
    ilc__ref addr = address(m), value = put_load(m, addr);
    if (pick(m, 3) == 0) value = put_op(m, ILC__OP_ADD_I32, ILC__IR_I32, 2, value, put_load(m, address(m)));
    put_store(m, addr, put_op(m, ILC__OP_ADD_I32, ILC__IR_I32, 2, value, number(m)));
}

static void statement(maker *m, bool calls)
{
    switch (pick(m, 10)) {
    case 0:
    case 1: put_load(m, address(m)); return;
    case 2:
    case 3: put_store(m, address(m), number(m)); return;
    case 4:
    case 5: compound(m); return;
    case 6:
        keep(m,
             put_op(m, pick(m, 2) ? ILC__OP_XOR_I32 : ILC__OP_MUL_I32, ILC__IR_I32, 2, number(m), number(m)));
        return;
    case 7:
        if (calls) put_call(m);
        return;
    default: copy_struct(m);
    }
}

static void begin(maker *m, uint32_t block)
{
    m->block = block;
    m->pool_count = 0;
    m->version = 0;
}

static void put_jump(maker *m, uint32_t to)
{
    put_op(m, ILC__OP_JUMP, ILC__IR_VOID, 0, 0, 0);
    ilc__ir_connect(m->func, m->block, to);
}

static void put_branch(maker *m, uint32_t to, uint32_t other)
{
    put_op(m, ILC__OP_BRANCH, ILC__IR_VOID, 1,
         put_op(m, ILC__OP_LT_I32, ILC__IR_I32, 2, put_load(m, address(m)), number(m)), 0);
    ilc__ir_connect(m->func, m->block, to);
    ilc__ir_connect(m->func, m->block, other);
}

static ilc__ref by_ref(maker *m, ilc__ref addr)
{
    ilc__ref ref = put_op(m, ILC__OP_COPY, ILC__IR_ADDR, 1, addr, 0);
    m->func->values.items[ref].var = VAR_W;
    return ref;
}

static ilc__ref null_address(maker *m)
{
    ilc__ref ref = ilc__ir_const(m->func, ILC__IR_ADDR, 0);
    m->func->values.items[ref].storage = ILC_I32;
    ilc__ir_append(m->func, m->block, ref);
    return ref;
}

static void body(maker *m, bool calls);

/* Both ways may bring an address to one by-ref variable. */
static void put_if(maker *m, bool calls)
{
    uint32_t yes = ilc__ir_add_block(m->func, 0), no = ilc__ir_add_block(m->func, 0),
             join = ilc__ir_add_block(m->func, 0);
    bool     address_joins = pick(m, 5) == 0;
    ilc__ref args[2] = {0};
    put_branch(m, yes, no);
    begin(m, yes);
    if (pick(m, 3)) body(m, calls);
    if (address_joins) args[0] = by_ref(m, int_address(m));
    put_jump(m, join);
    begin(m, no);
    if (pick(m, 2)) body(m, calls);
    if (address_joins) args[1] = by_ref(m, pick(m, 4) ? int_address(m) : null_address(m));
    put_jump(m, join);
    begin(m, join);
    if (!address_joins) return;
    ilc__ref phi = ilc__ir_emit(m->func, join, ILC__OP_PHI, ILC__IR_ADDR, 2, args);
    m->func->values.items[phi].var = VAR_W;
    put_op(m, ILC__OP_NONNULL, ILC__IR_VOID, 1, phi, 0);
    put_store(m, phi, put_load(m, address(m)));
}

static void put_loop(maker *m, bool calls)
{
    uint32_t header = ilc__ir_add_block(m->func, 0), inside = ilc__ir_add_block(m->func, 0),
             after = ilc__ir_add_block(m->func, 0);
    put_jump(m, header);
    begin(m, header);
    if (pick(m, 2)) statement(m, calls);
    put_branch(m, inside, after);
    begin(m, inside);
    body(m, calls);
    put_jump(m, header);
    begin(m, after);
}

static void body(maker *m, bool calls)
{
    m->depth++;
    for (uint32_t n = 1 + pick(m, 5); n; n--) {
        bool     deep = m->depth > 4 || m->func->blocks.count > MAX_BLOCKS;
        uint32_t kind = deep ? 9 : pick(m, 10);
        if (kind == 0)
            put_if(m, calls);
        else if (kind == 1)
            put_loop(m, calls);
        else
            statement(m, calls);
    }
    m->depth--;
}

static void make(maker *m, fixture *f, ilc__ir_func **out)
{
    m->f = f;
    assert_ok(f, ilc__ir_parse(&f->ctx, &f->ctx.arena, head, &m->func));
    assert_ok(f, ilc__ir_parse(&f->ctx, &f->ctx.arena, callee_text, &m->callee));
    m->out = m->func->slots.items[SLOT_P].layout;
    m->in = m->func->slots.items[SLOT_T].layout;
    m->callee->vars.items[1].layout = m->in; /* one layout for one struct, as in a unit */
    for (ilc__ref ref = 1; ref < m->callee->values.count; ref++)
        if (m->callee->values.items[ref].op == ILC__OP_FIELDADDR) m->callee->values.items[ref].layout = m->in;
    for (uint32_t i = 0; i < 4; i++)
        m->params[i + 1] = m->func->blocks.items[0].list.items[i];
    m->func->blocks.items[1].list.count = 0;
    begin(m, 1);
    bool calls = pick(m, 2);
    body(m, calls);
    body(m, calls);
    put_op(m, ILC__OP_RETURN, ILC__IR_VOID, 1, put_load(m, address(m)), 0);
    ilc__ir_compute_cfg(m->func);
    ilc__ir_compute_traps(m->func);
    assert_ok(f, ilc__ir_verify(m->func));
    *out = m->func;
}

/* --- running -------------------------------------------------------------------------------------------- */

typedef struct state_of {
    run_array x;
    uint64_t  r, v, s[4];
} state_of;

static run_end run_on(const ilc__ir_func *func, state_of *s, uint32_t seed, bool by_variable,
                      ilc__arena *arena, run *r)
{
    run_value args[6];
    memset(s, 0, sizeof *s);
    s->x.elem = ILC_I32;
    s->x.length = seed % 5 ? RUN_LENGTH : 3;
    for (uint32_t i = 0; i < RUN_LENGTH; i++)
        s->x.data[i] = run_cut(ILC_I32, seed * (i + 3));
    for (uint32_t i = 0; i < 4; i++)
        s->s[i] = run_cut(i == 2 ? ILC_I16 : i == 3 ? ILC_U8 : ILC_I32, seed * (i + 7));
    s->r = run_cut(ILC_I32, seed);
    args[0].array = seed % 11 ? &s->x : NULL;
    args[1].cell = &s->r;
    args[2].cell = seed % 3 == 0 ? &s->r : seed % 3 == 1 ? &s->x.data[1] : &s->v;
    args[3].bits = seed % 7;
    args[4].bits = run_cut(ILC_I32, seed >> 3);
    args[5].cell = s->s;
    *r = (run){.arena = arena, .fuel = FUEL, .by_variable = by_variable};
    return run_function(r, func, args);
}

#endif
