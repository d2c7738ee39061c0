/* affine_kernels.h - random kernels in IL whose subscripts are affine in indices and counters, with coefficients that
 * are products of scalars; loops as VB, C# and F# compile them. Each is a small assembly of its own:
 *
 *   int32 M(int32[] x, int32[] y, int32 n, int32 m, int32 s, int32 t, int32 first, int32 by, int32 i, int32 j)
 *
 * Some elements are read by a function that is called, int32 S(int32[] a, int32 place, int32 factor, int32 more), which
 * returns a[place * factor + more].
 *
 * The box of a kernel is the same kernel without early exits, its inner loops as wide as the outer ones let them
 * be: what its arrays must be long for. */
#ifndef TEST_INTERP_AFFINE_KERNELS_H
#define TEST_INTERP_AFFINE_KERNELS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../meta/image_builder.h"

enum { ARG_X, ARG_Y, ARG_N, ARG_M, ARG_S, ARG_T, ARG_FIRST, ARG_BY, ARG_I, ARG_J, ARG_COUNT, AFFINE_LOCALS = 30 };

enum { /* opcodes, ECMA-335 III */
       OP_LDC = 0x20, OP_CALL = 0x28, OP_RET = 0x2a, OP_BR = 0x38, OP_BEQ = 0x3b, OP_BGE = 0x3c, OP_BGT = 0x3d, OP_BLE = 0x3e, OP_BLT = 0x3f,
       OP_BNE_UN = 0x40, OP_ADD = 0x58, OP_SUB = 0x59, OP_MUL = 0x5a, OP_AND = 0x5f, OP_XOR = 0x61, OP_SHR = 0x63,
       OP_LDELEM_I4 = 0x94, OP_ADD_OVF = 0xd6, OP_MUL_OVF = 0xd8, OP_SUB_OVF = 0xda, OP_LDARG_S = 0x0e, OP_LDLOC_S = 0x11,
       OP_STLOC_S = 0x13 };

static uint64_t affine_state;
static uint32_t roll(uint32_t sides)
{
    affine_state = affine_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(affine_state >> 33) % sides;
}

enum { MAX_LABELS = 64, MAX_FIXUPS = 128, MAX_DEPTH = 3 };

typedef struct affine_loop {
    uint8_t  counter, from, to, carried; /* locals; carried: what goes by s each turn, 0: none */
    bool         up, outside; /* outside: it runs once at least, wherever it starts */
    uint32_t next, end;                  /* labels */
} affine_loop;

typedef struct affine {
    uint8_t     code[8192];
    uint32_t    size, labels[MAX_LABELS], label_count, fixups[MAX_FIXUPS][2], fixup_count, accesses;
    uint8_t     locals;
    bool        checked; /* VB's operations; else C#'s */
    bool        box, uses_by;
    affine_loop loops[MAX_DEPTH];
    uint32_t    depth, by_counter, by_carried; /* loops that the subscript at hand depends on so */
} affine;

/* --- code -------------------------------------------------------------------------------------------------------- */

static void code(affine *a, uint8_t byte) { a->code[a->size++] = byte; }
static void code1(affine *a, uint8_t byte, uint8_t operand) { code(a, byte), code(a, operand); }
static void arg(affine *a, uint8_t n) { code1(a, OP_LDARG_S, n); }
static void get(affine *a, uint8_t local) { code1(a, OP_LDLOC_S, local); }
static void set(affine *a, uint8_t local) { code1(a, OP_STLOC_S, local); }
static void number(affine *a, int32_t value)
{
    code(a, OP_LDC);
    for (int i = 0; i < 4; i++) code(a, (uint8_t)((uint32_t)value >> (8 * i)));
}
static void add(affine *a) { code(a, a->checked ? OP_ADD_OVF : OP_ADD); }
static void mul(affine *a) { code(a, a->checked ? OP_MUL_OVF : OP_MUL); }
static void subtract(affine *a) { code(a, a->checked ? OP_SUB_OVF : OP_SUB); }
static uint32_t label(affine *a) { return a->label_count++; }
static void     here(affine *a, uint32_t which) { a->labels[which] = a->size; }
static void     go(affine *a, uint8_t byte, uint32_t to)
{
    code(a, byte);
    a->fixups[a->fixup_count][0] = a->size;
    a->fixups[a->fixup_count++][1] = to;
    a->size += 4;
}
static void fix(affine *a)
{
    for (uint32_t f = 0; f < a->fixup_count; f++) {
        uint32_t at = a->fixups[f][0], offset = a->labels[a->fixups[f][1]] - (at + 4);
        for (int i = 0; i < 4; i++) a->code[at + (uint32_t)i] = (uint8_t)(offset >> (8 * i));
    }
}

/* --- subscripts -------------------------------------------------------------------------------------------------- */

static void place(affine *a) /* what varies */
{
    uint32_t which = roll(a->depth + 2);
    if (which < a->depth) {
        affine_loop *l = &a->loops[which];
        bool         carried = l->carried && roll(2) == 0;
        uint32_t    *mine = carried ? &a->by_carried : &a->by_counter, other = carried ? a->by_counter : a->by_carried;
        if (other >> which & 1) { /* both: one may go up and the other down */
            arg(a, ARG_I);
            return;
        }
        *mine |= 1u << which;
        get(a, carried ? l->carried : l->counter);
    } else {
        arg(a, which == a->depth ? ARG_I : ARG_J);
    }
}

static void factor(affine *a)
{
    static const uint8_t scalars[] = {ARG_N, ARG_M, ARG_S, ARG_T};
    if (roll(5) == 0) number(a, (int32_t)roll(4) + 1);
    else arg(a, scalars[roll(4)]);
}

static void term(affine *a)
{
    place(a);
    for (uint32_t factors = roll(8) == 0 ? 2 : roll(2); factors; factors--) factor(a), mul(a);
}

static void subscript(affine *a)
{
    a->by_counter = a->by_carried = 0;
    term(a);
    for (uint32_t terms = roll(3); terms; terms--) term(a), add(a);
    if (roll(4) == 0) arg(a, ARG_FIRST), add(a);
    if (roll(6) == 0) number(a, (int32_t)roll(3)), roll(2) ? add(a) : subtract(a);
}

static void element(affine *a)
{
    a->accesses++;
    arg(a, roll(3) ? ARG_X : ARG_Y);
    if (roll(4) == 0) {
        a->by_counter = a->by_carried = 0;
        place(a), factor(a), term(a);
        code(a, OP_CALL), code(a, 2), code(a, 0), code(a, 0), code(a, 6); /* the second row of table 6: S */
        return;
    }
    subscript(a);
    code(a, OP_LDELEM_I4);
}

/* --- loops ------------------------------------------------------------------------------------------------------- */

/* True: it varies, and so may miss the last value of the box by steps of more than one. */
static bool bound(affine *a, bool upper)
{
    const affine_loop *outer = a->depth && roll(4) == 0 ? &a->loops[roll(a->depth)] : NULL;
    uint32_t           kind = roll(8);
    if (outer && !outer->outside) { /* a triangle */
        bool high = outer->up == upper;
        if (a->box) get(a, high ? outer->to : outer->from);
        else get(a, outer->counter);
        return true;
    }
    if (!upper) {
        if (kind < 4) number(a, (int32_t)roll(2));
        else if (kind < 6) arg(a, ARG_FIRST);
        else if (a->box) number(a, 0);
        else arg(a, ARG_I);
        return kind >= 6;
    }
    arg(a, roll(2) ? ARG_N : ARG_M);
    if (kind < 5) number(a, 1), subtract(a);
    return false;
}

static void body(affine *a);

static void turn(affine *a, affine_loop *l)
{
    a->depth++;
    body(a);
    here(a, l->next);
    a->depth--;
    if (!l->carried) return;
    get(a, l->carried), arg(a, roll(2) ? ARG_S : ARG_T), add(a), set(a, l->carried);
}

static void step(affine *a, const affine_loop *l, int32_t by)
{
    get(a, l->counter), number(a, by), add(a), set(a, l->counter);
}

/* VB: For k = from To to Step by, a constant or not. */
static void loop_for(affine *a, affine_loop *l, int32_t by, bool variable)
{
    uint32_t test = label(a), head = label(a);
    go(a, OP_BR, test);
    here(a, head);
    turn(a, l);
    if (variable) {
        a->uses_by = true;
        get(a, l->counter), arg(a, ARG_BY), add(a), set(a, l->counter);
    } else {
        step(a, l, by);
    }
    here(a, test);
    for (int side = 0; side < 2; side++) {
        if (variable) arg(a, ARG_BY), number(a, 31), code(a, OP_SHR);
        get(a, side ? l->to : l->counter);
        if (variable) code(a, OP_XOR);
    }
    go(a, variable || by > 0 ? OP_BLE : OP_BGE, head);
}

/* while (k < to) { ...; k += by; } */
static void loop_while(affine *a, affine_loop *l, int32_t by)
{
    uint32_t head = label(a);
    here(a, head);
    get(a, l->counter), get(a, l->to);
    go(a, by > 0 ? OP_BGE : OP_BLE, l->end);
    turn(a, l);
    step(a, l, by);
    go(a, OP_BR, head);
}

/* do { ...; k += by; } while (k < to), which runs once at least */
static void loop_do(affine *a, affine_loop *l, int32_t by)
{
    uint32_t head = label(a);
    here(a, head);
    turn(a, l);
    step(a, l, by);
    get(a, l->counter), get(a, l->to);
    go(a, by > 0 ? OP_BLT : OP_BGT, head);
}

/* F#: for k in from .. to, which ends where k is to + 1 or to - 1. */
static void loop_fsharp(affine *a, affine_loop *l)
{
    uint32_t head = label(a);
    get(a, l->to), get(a, l->counter);
    go(a, l->up ? OP_BLT : OP_BGT, l->end);
    here(a, head);
    turn(a, l);
    get(a, l->counter), number(a, 1), code(a, l->up ? OP_ADD : OP_SUB), set(a, l->counter);
    get(a, l->counter), get(a, l->to), number(a, 1), code(a, l->up ? OP_ADD : OP_SUB);
    go(a, OP_BNE_UN, head);
}

static void loop(affine *a)
{
    affine_loop *l = &a->loops[a->depth];
    int32_t      by = (int32_t)roll(3) + 1;
    *l = (affine_loop){.counter = a->locals, .from = (uint8_t)(a->locals + 1), .to = (uint8_t)(a->locals + 2), .up = roll(4) != 0};
    l->next = label(a);
    l->end = label(a);
    a->locals = (uint8_t)(a->locals + 3);
    bool varies = bound(a, !l->up);
    set(a, l->from);
    varies |= bound(a, l->up);
    set(a, l->to);
    if (varies) by = 1;
    if (!l->up) by = -by;
    get(a, l->from), set(a, l->counter);
    if (roll(4) == 0) {
        l->carried = a->locals++;
        if (roll(2)) number(a, 0);
        else arg(a, ARG_FIRST);
        set(a, l->carried);
    }
    uint32_t kind = roll(5);
    l->outside = kind == 3 && !varies;
    switch (kind) {
    case 0: case 1: loop_for(a, l, by, roll(3) == 0 && !varies); break;
    case 2: loop_while(a, l, by); break;
    case 3: varies ? loop_while(a, l, by) : loop_do(a, l, by); break; /* a Do runs outside its bounds, once */
    default: loop_fsharp(a, l); break;
    }
    here(a, l->end);
}

/* If (element And 7) = 5 Then leave. */
static void early(affine *a)
{
    const affine_loop *l = &a->loops[roll(a->depth)];
    uint32_t           past = label(a), to = roll(2) ? l->next : l->end;
    element(a), number(a, 7), code(a, OP_AND), number(a, 5);
    go(a, OP_BNE_UN, past);
    if (!a->box) go(a, OP_BR, to);
    here(a, past);
}

static void body(affine *a)
{
    if (roll(5) == 0) early(a);
    if (a->depth < MAX_DEPTH && roll(a->depth) == 0 && a->locals + 8 < AFFINE_LOCALS) loop(a);
    for (uint32_t count = roll(2) + (a->accesses == 0); count; count--) get(a, 0), element(a), code(a, OP_XOR), set(a, 0);
}

/* --- the assembly ------------------------------------------------------------------------------------------------ */

static void affine_make(affine *a, uint64_t seed, bool box)
{
    *a = (affine){.locals = 1, .box = box};
    affine_state = seed * 2654435761u + 12345;
    for (int k = 0; k < 4; k++) roll(2);
    a->checked = roll(2);
    loop(a);
    get(a, 0);
    code(a, OP_RET);
    fix(a);
}

/* Into image, IMAGE_MAX bytes; its size. */
static size_t affine_image(const affine *a, uint8_t *image)
{
    static const uint8_t signature[] = {0x00, ARG_COUNT, 0x08, 0x1d, 0x08, 0x1d, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08, 0x08};
    static uint8_t       whole[IMAGE_BODY_MAX];
    static const uint8_t reader[] = {0x00, 4, 0x08, 0x1d, 0x08, 0x08, 0x08, 0x08};
    const uint8_t        reads[] = {8 << 2 | 2, 0x02, 0x03, 0x04, a->checked ? OP_MUL_OVF : OP_MUL, 0x05, a->checked ? OP_ADD_OVF : OP_ADD,
                                    OP_LDELEM_I4, OP_RET}; /* tiny: ldarg.0, ldarg.1, ... */
    uint8_t              locals[2 + AFFINE_LOCALS] = {0x07, AFFINE_LOCALS};
    memset(locals + 2, 0x08, AFFINE_LOCALS);
    image_bytes b = {whole};
    put(&b, 0x3013, 2), put(&b, 8, 2), put(&b, a->size, 4), put(&b, 0x11000001, 4); /* II.25.4.3 */
    memcpy(b.at, a->code, a->size);
    image_method = signature;
    image_method_size = sizeof signature;
    image_second = reader;
    image_second_size = sizeof reader;
    image_second_at = 12 + a->size; /* a tiny body stands anywhere */
    memcpy(whole + image_second_at, reads, sizeof reads);
    return image_build(image, whole, image_second_at + sizeof reads, locals, sizeof locals);
}

#endif
