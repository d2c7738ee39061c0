/* same_results_test.c - methods of the fixtures and of the core library, run on random arguments: the IR as
 * it was lifted, as it is simplified, and simplified with one variable for all versions of each (as it leaves
 * SSA) give the same value or exception, from the same place, and leave the same arrays. */
#include "../ir/fixtures.h"
#include "ir_run.h"

#include "opt/pass.h"

enum { TRIES = 24, FUEL = 20000 };

typedef struct tally {
    unsigned methods, runs, trapped, out_of_fuel;
    uint32_t seed;
} tally;

static uint32_t next_random(tally *t, uint32_t below)
{
    t->seed = t->seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(t->seed >> 4) * below >> 28);
}

static uint64_t random_number(tally *t, ilc_storage storage)
{
    static const uint64_t ints[] = {0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    5,
                                    7,
                                    UINT64_MAX,
                                    (uint64_t)-2,
                                    127,
                                    128,
                                    255,
                                    256,
                                    32767,
                                    65535,
                                    INT32_MAX,
                                    (uint64_t)INT32_MIN,
                                    INT64_MAX,
                                    (uint64_t)INT64_MIN,
                                    0x80000000,
                                    31,
                                    32,
                                    33,
                                    63,
                                    64,
                                    1000};
    static const double   floats[] = {0,    -0.0,  1,     -1,  0.5,   1.5,   -2.5, 3,
                                      1e10, -1e10, 1e-10, 3e9, 1e300, -7.25, 0.1,  100};
    if (storage == ILC_F32 || storage == ILC_F64) {
        double   d = floats[next_random(t, 16)];
        uint64_t bits = 0;
        if (next_random(t, 12) == 0) return storage == ILC_F32 ? 0x7fc00000 : 0x7ff8000000000000;
        if (next_random(t, 12) == 0) return storage == ILC_F32 ? 0xff800000 : 0x7ff0000000000000;
        if (storage == ILC_F64) return memcpy(&bits, &d, 8), bits;
        float    single = d > 1e38 ? 3e38f : (float)d;
        uint32_t low;
        return memcpy(&low, &single, 4), low;
    }
    uint64_t bits = ints[next_random(t, next_random(t, 2) ? 8 : 26)];
    return run_cut(storage, storage == ILC_BOOL ? bits & 1 : bits);
}

/* At most RUN_LENGTH elements. */
static int64_t random_shape(tally *t, run_array *array)
{
    int64_t length = 1;
    for (uint32_t k = 0; k < array->rank; k++) {
        array->dims[k] = next_random(t, 8) ? 2 : next_random(t, 3);
        length *= array->dims[k];
    }
    return length;
}

static void random_array(tally *t, run_array *array, const ilc__ir_var *var)
{
    ilc_storage elem = var->storage;
    array->elem = elem;
    array->rank = var->rank;
    array->length = next_random(t, 3) ? RUN_LENGTH : next_random(t, RUN_LENGTH + 1);
    if (array->rank > 1) array->length = random_shape(t, array);
    for (int i = 0; i < RUN_LENGTH; i++)
        array->data[i] = i < array->length ? random_number(t, elem) : 0;
}

typedef struct situation {
    run_value args[16];
    run_array arrays[16];
    uint64_t  cells[16];
} situation;

/* A by-ref to a variable of its own, to the one before, or into an array before it. */
static void random_address(tally *t, const ilc__ir_func *func, situation *s, uint32_t i)
{
    ilc_storage storage = func->vars.items[i + 1].storage;
    s->cells[i] = random_number(t, storage);
    s->args[i].cell = &s->cells[i];
    if (!i || next_random(t, 3)) return;
    const ilc__ir_var *before = &func->vars.items[i];
    if (before->storage != storage) return;
    if (before->is_addr) s->args[i] = s->args[i - 1];
    if (before->is_array) s->args[i].cell = &s->arrays[i - 1].data[next_random(t, RUN_LENGTH)];
}

/* Each array is its own object, or null, or now and then the one before. */
static void make_situation(tally *t, const ilc__ir_func *func, situation *s)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < func->param_count; i++) {
        const ilc__ir_var *var = &func->vars.items[i + 1];
        if (var->is_addr) {
            random_address(t, func, s, i);
            continue;
        }
        if (!var->is_array) {
            s->args[i].bits = random_number(t, var->storage);
            continue;
        }
        random_array(t, &s->arrays[i], var);
        s->args[i].array = next_random(t, 12) || var->is_span ? &s->arrays[i] : NULL;
        if (i && next_random(t, 8) == 0 && func->vars.items[i].is_array &&
            func->vars.items[i].storage == var->storage && func->vars.items[i].is_span == var->is_span && func->vars.items[i].rank == var->rank)
            s->args[i] = s->args[i - 1];
    }
}

static void copy_situation(situation *to, const situation *from, const ilc__ir_func *func)
{
    *to = *from;
    for (uint32_t i = 0; i < func->param_count; i++) {
        const ilc__ir_var *var = &func->vars.items[i + 1];
        if (var->is_array && from->args[i].array)
            to->args[i].array =
                (run_array *)((char *)to + ((const char *)from->args[i].array - (const char *)from));
        if (var->is_addr)
            to->args[i].cell =
                (uint64_t *)((char *)to + ((const char *)from->args[i].cell - (const char *)from));
    }
}

static bool same_bits(ilc_storage storage, uint64_t a, uint64_t b)
{
    uint64_t rest = storage == ILC_F32 ? 0x7fffffff : INT64_MAX,
             infinity = storage == ILC_F32 ? 0x7f800000 : 0x7ff0000000000000;
    bool is_float = storage == ILC_F32 || storage == ILC_F64;
    return a == b || (is_float && (a & rest) > infinity && (b & rest) > infinity);
}

static run_end run_copy(const ilc__ir_func *func, const situation *before, situation *after,
                        ilc__arena *arena, bool by_variable, run *r)
{
    copy_situation(after, before, func);
    *r = (run){.arena = arena, .fuel = FUEL, .by_variable = by_variable};
    return run_function(r, func, after->args);
}

static void compare(const char *what, const ilc__ir_func *func, run_end ends[2], const run runs[2],
                    const situation *a, const situation *b)
{
    const char *name = func->method->full_name;
    if (ends[0] == RUN_FUEL || ends[1] == RUN_FUEL) return;
    if (ends[0] != ends[1])
        fail_msg("%s, %s: one trapped (%s), one did not", name, what,
                 ends[0] == RUN_TRAPPED ? runs[0].message : runs[1].message);
    if (ends[0] == RUN_TRAPPED) {
        if (strcmp(runs[0].exception, runs[1].exception) != 0 ||
            strcmp(runs[0].message, runs[1].message) != 0 || runs[0].il != runs[1].il ||
            strcmp(runs[0].where, runs[1].where) != 0)
            fail_msg("%s, %s: %s at %x against %s at %x", name, what, runs[0].message, runs[0].il,
                     runs[1].message, runs[1].il);
        return;
    }
    if (!same_bits(func->ret, runs[0].result.bits, runs[1].result.bits))
        fail_msg("%s, %s: %llx against %llx", name, what, (unsigned long long)runs[0].result.bits,
                 (unsigned long long)runs[1].result.bits);
    for (uint32_t i = 0; i < func->param_count; i++)
        if (!same_bits(func->vars.items[i + 1].storage, a->cells[i], b->cells[i]))
            fail_msg("%s, %s: by-refs differ", name, what);
    for (uint32_t i = 0; i < func->param_count; i++)
        for (int k = 0; k < RUN_LENGTH; k++)
            if (!same_bits(func->vars.items[i + 1].storage, a->arrays[i].data[k], b->arrays[i].data[k]))
                fail_msg("%s, %s: arrays differ", name, what);
}

/* Arrays of arrays are for the interpreters' tests. */
static bool takes_jagged(const ilc__method *method)
{
    for (uint32_t i = 0; i < method->sig.param_count; i++) {
        const ilc__type *type = method->sig.params[i];
        if (type->kind == ILC__ET_SZARRAY && type->elem->kind == ILC__ET_SZARRAY) return true;
    }
    return false;
}

/* Addresses are of cells here, not of bytes; slots hold no arrays, nothing is part of one, and none is a result. */
static bool counts_bytes(const ilc__ir_unit *unit)
{
    for (uint32_t i = 0; i < unit->funcs.count; i++) {
        if (unit->funcs.items[i]->ret_array) return true;
        for (uint32_t v = 1; v < unit->funcs.items[i]->values.count; v++)
            switch (unit->funcs.items[i]->values.items[v].op) {
            case ILC__OP_NEWARR:
            case ILC__OP_SPAN:
            case ILC__OP_SPANAT:
            case ILC__OP_DATAADDR:
            case ILC__OP_ADDADDR:
            case ILC__OP_ADDRINT:
            case ILC__OP_COPYBYTES:
            case ILC__OP_FILLBYTES: return true;
            default: break;
            }
    }
    return false;
}

/* Such roots are compared by tests/differential. */
static bool takes_structs(const ilc__ir_func *root)
{
    for (uint32_t i = 1; i <= root->param_count; i++)
        if (root->vars.items[i].layout) return true;
    return false;
}

static void compare_one(fixture *f, const ilc__method *method, void *user)
{
    tally       *t = user;
    ilc__arena   arena;
    ilc__ir_unit plain, simple;
    ilc__arena_init(&arena, &f->ctx.heap);
    if (ilc__ir_lift(&f->ctx, &arena, method, &plain) != ILC_OK || method->sig.param_count > 16 || takes_jagged(method) ||
        counts_bytes(&plain) || takes_structs(plain.funcs.items[plain.funcs.count - 1])) {
        ilc__arena_free(&arena);
        return;
    }
    assert_ok(f, ilc__ir_lift(&f->ctx, &arena, method, &simple));
    if (ilc__opt_run(&f->ctx, &simple, NULL, NULL) == ILC_UNSUPPORTED) {
        assert_contains(last_diag(f), "recursion");
        ilc__arena_free(&arena);
        return;
    }
    const ilc__ir_func *p = plain.funcs.items[plain.funcs.count - 1],
                       *s = simple.funcs.items[simple.funcs.count - 1];
    t->methods++;
    for (int i = 0; i < TRIES; i++) {
        situation before, after[3];
        run       runs[3];
        run_end   ends[3];
        make_situation(t, p, &before);
        ends[0] = run_copy(p, &before, &after[0], &arena, false, &runs[0]);
        ends[1] = run_copy(s, &before, &after[1], &arena, false, &runs[1]);
        compare("simplified", p, ends, runs, &after[0], &after[1]);
        runs[2] = runs[0], ends[2] = ends[0];
        ends[1] = run_copy(s, &before, &after[1], &arena, true, &runs[1]);
        compare("as variables", p, ends, runs, &after[0], &after[1]);
        ends[1] = run_copy(p, &before, &after[1], &arena, true, &runs[1]);
        compare("lifted, as variables", p, ends, runs, &after[0], &after[1]);
        t->runs++;
        t->trapped += ends[0] == RUN_TRAPPED;
        t->out_of_fuel += ends[0] == RUN_FUEL;
        if (!s->may_trap) assert_int_not_equal(ends[0], RUN_TRAPPED);
    }
    ilc__arena_free(&arena);
}

static void methods_of_the_fixtures_give_the_same_results(void **state)
{
    tally t = {.seed = 1};
    if (!each_method_of_the_fixtures(*state, compare_one, NULL, &t)) skip();
    printf("%u methods, %u runs, %u trapped, %u out of fuel\n", t.methods, t.runs, t.trapped, t.out_of_fuel);
    assert_true(t.runs > 1000 && t.trapped * 2 < t.runs);
}

static void methods_of_the_core_library_give_the_same_results(void **state)
{
    tally t = {.seed = 2};
    char  path[1024];
    if (!find_core_library(path, sizeof path)) {
        printf("no .NET 10 here: skipped\n");
        skip();
    }
    each_method_of(*state, path, compare_one, &t);
    printf("%u methods, %u runs, %u trapped, %u out of fuel\n", t.methods, t.runs, t.trapped, t.out_of_fuel);
}

static void methods_over_memory_give_the_same_results(void **state)
{
    tally t = {.seed = 3};
    each_method_of(*state, ILCUDA_SOURCE_DIR "/tests/unit/ir/data/Memory.dll", compare_one, &t);
    each_method_of(*state, ILCUDA_SOURCE_DIR "/tests/unit/ir/data/MemoryDebug.dll", compare_one, &t);
    printf("%u methods, %u runs, %u trapped, %u out of fuel\n", t.methods, t.runs, t.trapped, t.out_of_fuel);
    assert_true(t.methods >= 50 && t.trapped * 2 < t.runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(methods_of_the_fixtures_give_the_same_results),
        TEST(methods_over_memory_give_the_same_results),
        TEST(methods_of_the_core_library_give_the_same_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
