/* ast_judge_test.c - every method of the fixtures that is supported, on arguments of all kinds: the tree and the
 * judge give the same value, the same trap at the same IL offset of the same method, and the same arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/interp.h"
#include "opt/pass.h"
#include "write/write.h"

enum { ROUNDS = 24, LENGTH = 9, FUEL = 200000, MAX_PARAMS = 16 };

static const char *const assemblies[] = {"Tutorial",    "TutorialDebug",   "TutorialNoChecks", "TutorialCs",
                                         "TutorialFs",  "CasesVb",         "CasesVbDebug",     "CasesVbNoChecks",
                                         "CasesCs",     "CasesCsDebug",    "CasesFs",          "CasesFsDebug",
                                         "MemoryVb",    "MemoryVbDebug",   "MemoryCs",         "MemoryCsDebug",
                                         "PointersCs",  "PointersCsDebug", "SpansCs", "SpansCsDebug", "VectorsCs", "VectorsVb", "Memory2Vb", "Memory2VbDebug", "Memory2Cs", "Memory2CsDebug",
                                         "LocalArraysVb", "LocalArraysVbDebug", "LocalArraysCs", "LocalArraysCsDebug"};

typedef struct arguments {
    ilc_value values[MAX_PARAMS];
    ilc_array arrays[MAX_PARAMS];
    uint64_t  data[MAX_PARAMS][LENGTH];
} arguments;

static uint64_t seed = 1;

static uint32_t roll(uint32_t sides)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % sides;
}

static uint64_t float_bits(double value)
{
    float    f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t cut(ilc_storage s, int64_t v)
{
    switch (s) {
    case ILC_BOOL: return (uint64_t)(v & 1);
    case ILC_I8: return (uint64_t)(int64_t)(int8_t)v;
    case ILC_U8: return (uint8_t)v;
    case ILC_I16: return (uint64_t)(int64_t)(int16_t)v;
    case ILC_U16: case ILC_CHAR: return (uint16_t)v;
    case ILC_I32: return (uint64_t)(int64_t)(int32_t)v;
    case ILC_U32: return (uint32_t)v;
    default: return (uint64_t)v;
    }
}

static uint64_t scalar(ilc_storage s)
{
    static const double  reals[] = {0, -0.0, 1, -1, 0.5, 2.5, 1.5, 1e-13, 3e9, -3e9, 1e20, 255.5, 127.9, 1e300};
    static const int64_t whole[] = {0, 1, 2, 3, 4, 5, 7, -1, -7, 8, 20, 100, 200, 46341, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    uint32_t pick = roll(20);
    double   real = pick < 14 ? reals[pick] : pick == 14 ? (double)NAN : pick == 15 ? (double)INFINITY : (double)roll(1000) / 8 - 50;
    if (s == ILC_F32) return float_bits(real);
    if (s == ILC_F64) return double_bits(real);
    return cut(s, roll(3) ? (int64_t)roll(9) : whole[roll(sizeof whole / sizeof whole[0])]);
}

static void make_arguments(const ilc__func *f, arguments *a)
{
    memset(a, 0, sizeof *a);
    for (uint32_t i = 0; i < f->param_count; i++) {
        const ilc__var *v = f->vars.items[i];
        a->values[i] = (ilc_value){.storage = v->storage, .is_array = v->is_array || v->is_addr, .is_byref = v->is_addr && !v->is_pointer};
        if (!a->values[i].is_array) {
            a->values[i].u.bits = scalar(v->storage);
            continue;
        }
        uint32_t size = ilc_storage_size(v->storage);
        a->arrays[i] = (ilc_array){v->storage, a->values[i].is_byref ? 1 : roll(6) ? LENGTH : roll(4), a->data[i]};
        for (int k = 0; k < LENGTH; k++) {
            uint64_t bits = scalar(v->storage);
            memcpy((uint8_t *)a->data[i] + (uint32_t)k * size, &bits, size);
        }
        if (roll(10) || a->values[i].is_byref) a->values[i].u.array = &a->arrays[i];
        if (i > 0 && roll(6) == 0 && a->values[i - 1].is_array && a->values[i - 1].storage == v->storage &&
            a->values[i].is_byref == a->values[i - 1].is_byref)
            a->values[i].u.array = a->values[i - 1].u.array;
    }
}

/* The same arguments again, with arrays of their own. */
static void copy_arguments(const arguments *from, arguments *to)
{
    *to = *from;
    for (int i = 0; i < MAX_PARAMS; i++) {
        to->arrays[i].data = to->data[i];
        if (from->values[i].is_array && from->values[i].u.array)
            to->values[i].u.array = &to->arrays[from->values[i].u.array - from->arrays];
    }
}

static bool same_bits(ilc_storage s, uint64_t x, uint64_t y)
{
    bool nan32 = s == ILC_F32 && (x & 0x7fffffff) > 0x7f800000 && (y & 0x7fffffff) > 0x7f800000;
    bool nan64 = s == ILC_F64 && (x & INT64_MAX) > 0x7ff0000000000000 && (y & INT64_MAX) > 0x7ff0000000000000;
    return x == y || nan32 || nan64;
}

static bool same_arrays(const ilc__func *f, const arguments *x, const arguments *y)
{
    for (uint32_t i = 0; i < f->param_count; i++) {
        uint32_t size = ilc_storage_size(f->vars.items[i]->storage);
        for (int k = 0; k < LENGTH && x->values[i].is_array; k++) {
            uint64_t p = 0, q = 0;
            memcpy(&p, (const uint8_t *)x->data[i] + (uint32_t)k * size, size);
            memcpy(&q, (const uint8_t *)y->data[i] + (uint32_t)k * size, size);
            if (!same_bits(f->vars.items[i]->storage, p, q)) return false;
        }
    }
    return true;
}

static bool same_outcome(const ilc_outcome *x, const ilc_outcome *y)
{
    if (x->trapped != y->trapped) return false;
    if (!x->trapped) return x->ret.storage == y->ret.storage && same_bits(x->ret.storage, x->ret.u.bits, y->ret.u.bits);
    return strcmp(x->trap.exception, y->trap.exception) == 0 && strcmp(x->trap.method, y->trap.method) == 0 &&
           strcmp(x->trap.message, y->trap.message) == 0 && x->trap.il_offset == y->trap.il_offset && x->trap.line == y->trap.line;
}

static void describe(const char *who, const ilc_outcome *o)
{
    if (o->trapped)
        fprintf(stderr, "%s: %s (%s) in %s at IL_%04x line %u\n", who, o->trap.exception, o->trap.message, o->trap.method,
                o->trap.il_offset, o->trap.line);
    else fprintf(stderr, "%s: %llx\n", who, (unsigned long long)o->ret.u.bits);
}

typedef struct tally {
    uint32_t methods, calls, traps, limits;
} tally;

static void compare_method(ilc__context *ctx, ilc__il_machine *judge, const ilc__method *method, tally *t)
{
    ilc__ir_unit      ir = {0};
    ilc__unit         unit = {0};
    ilc__ast_machine *tree = NULL;
    if (!(method->flags & ILC__METHOD_STATIC) || ilc__ir_lift(ctx, &ctx->arena, method, &ir) != ILC_OK) return;
    ilc_status status = ilc__opt_run(ctx, &ir, NULL, NULL);
    if (status == ILC_UNSUPPORTED) return;
    if (status != ILC_OK || ilc__ast_build(ctx, &ctx->arena, &ir, &unit) != ILC_OK ||
        ilc__ast_machine_create(ctx, &ctx->arena, &unit, &tree) != ILC_OK)
        fail_msg("%s: %s", method->full_name, ctx->diags.items[ctx->diags.count - 1].text);
    const ilc__func *f = unit.funcs.items[unit.funcs.count - 1];
    if (f->param_count > MAX_PARAMS) return;
    t->methods++;
    for (int round = 0; round < (f->param_count ? ROUNDS : 1); round++) {
        static arguments    left, right;
        ilc_outcome         expected = {0}, got = {0};
        ilc__interp_options options = {.fuel = FUEL}, more = {.fuel = 20 * FUEL};
        make_arguments(f, &left);
        copy_arguments(&left, &right);
        if (ilc__il_call(judge, method, left.values, f->param_count, &options, &expected) != ILC_OK) {
            t->limits++;
            continue;
        }
        status = ilc__ast_machine_call(tree, right.values, f->param_count, &more, &got);
        t->calls++;
        if (expected.trapped) t->traps++;
        if (status == ILC_OK && same_outcome(&expected, &got) && same_arrays(f, &left, &right)) continue;
        describe("judge", &expected);
        describe("tree", &got);
        ilc__text vb = {.arena = &ctx->arena};
        ilc__write_func(ctx, f, ILC__LANGUAGE_VB, &vb);
        fail_msg("%s: they differ (status %d)\n%s", method->full_name, (int)status, ilc__text_string(&vb));
    }
}

/* What no fixture's compiler would write: IL made by hand (tools/arith-answers). */
static void compare_file(const char *path, tally *t)
{
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__set        *set = ilc__set_create(&ctx);
    ilc__image      *image = NULL;
    ilc__il_machine *judge = ilc__il_machine_create(&ctx, &ctx.arena);
    assert_int_equal(ilc__set_open(set, path, &image), ILC_OK);
    for (uint32_t row = 1; row <= ilc__image_method_count(image); row++) {
        const ilc__method *m = NULL;
        if (ilc__image_method(image, row, &m) == ILC_OK) compare_method(&ctx, judge, m, t);
    }
    ilc__set_destroy(set);
    ilc__context_free(&ctx);
}

static void trees_agree_with_the_judge_on_il_made_by_hand(void **state)
{
    (void)state;
    tally t = {0};
    compare_file(ILCUDA_SOURCE_DIR "/tests/unit/interp/data/IlCases.dll", &t);
    printf("%u methods, %u calls, %u of them trapped, %u over the limit\n", t.methods, t.calls, t.traps, t.limits);
    assert_true(t.methods > 100 && t.traps > 100);
}

static void trees_agree_with_the_judge_on_every_fixture(void **state)
{
    (void)state;
    tally t = {0};
    for (size_t i = 0; i < sizeof assemblies / sizeof assemblies[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/bin/%s.dll", ILCUDA_FIXTURES, assemblies[i]);
        compare_file(path, &t);
    }
    printf("%u methods, %u calls, %u of them trapped, %u over the limit\n", t.methods, t.calls, t.traps, t.limits);
    assert_true(t.methods > 500 && t.calls > 5000 && t.traps > 500);
}

int main(int argc, char **argv)
{
    if (argc > 1) seed = (uint64_t)atoll(argv[1]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_agree_with_the_judge_on_every_fixture),
                                       cmocka_unit_test(trees_agree_with_the_judge_on_il_made_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
