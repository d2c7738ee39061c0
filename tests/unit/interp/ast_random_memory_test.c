/* ast_random_memory_test.c - random functions over memory (opt/random_memory.h), as their IR says, as trees, and as
 * emitted C: one result, one trap from one place, and the same memory afterwards, optimised or not. A root fills a
 * struct and passes it by value. */
#include "../emit/build.h"
#include "../opt/random_memory.h"
#include "interp/interp.h"
#include "opt/pass.h"

enum { FUNCTIONS = 40, RUNS = 6, PARAMS = 9 };

static const char root_text[] =
    "layout \"In\" size 8 align 4 (c: Int32 @0, d: Int16 @4)\n"
    "layout \"Out\" size 16 align 4 (a: Int32 @0, b: \"In\" @4, e: Byte @12)\n"
    "func \"H\" (x: Int32[], r: Int32&, v: Int32&, n: Int32, m: Int32, a: Int32, c: Int32, d: Int32, e: Int32) Int32 traps\n"
    "  slot s: \"Out\" local 0\n"
    "b0:\n  %1 = param x\n  %2 = param r\n  %3 = param v\n  %4 = param n\n  %5 = param m\n  %6 = param a\n"
    "  %7 = param c\n  %8 = param d\n  %9 = param e\n  %10 = slotaddr s\n  %11 = fieldaddr %10, a\n"
    "  storeind.Int32 %11, %6\n  %12 = fieldaddr %10, b\n  %13 = fieldaddr %12, c\n  storeind.Int32 %13, %7\n"
    "  %14 = fieldaddr %12, d\n  storeind.Int16 %14, %8\n  %15 = fieldaddr %10, e\n  storeind.Byte %15, %9\n"
    "  %16 = call Int32 traps \"F\" (%1, %2, %3, %4, %5, %10)\n  return %16\n";

/* The callee, the function, and a root that calls it; with one layout for one struct. */
static ilc__ir_unit unit_from(fixture *f, uint32_t seed, ilc__ir_func **func)
{
    ilc__ir_unit  unit = {0};
    ilc__ir_func *root = NULL;
    maker         m = {.seed = seed};
    make(&m, f, func);
    (*func)->name = "F";
    assert_ok(f, ilc__ir_parse(&f->ctx, &f->ctx.arena, root_text, &root));
    root->slots.items[1].layout = m.out;
    for (ilc__ref ref = 1; ref < root->values.count; ref++) {
        ilc__ir_value *v = &root->values.items[ref];
        if (v->op == ILC__OP_FIELDADDR) v->layout = strcmp(v->layout->name, "In") == 0 ? m.in : m.out;
        if (v->op == ILC__OP_CALL) v->u.callee = *func;
    }
    ILC__PUSH(&f->ctx.arena, &unit.funcs, m.callee);
    ILC__PUSH(&f->ctx.arena, &unit.funcs, *func);
    ILC__PUSH(&f->ctx.arena, &unit.funcs, root);
    return unit;
}

/* What run_on starts from, and what there is afterwards. */
typedef struct memory {
    int32_t x[RUN_LENGTH], r, v, rest[6];
    int64_t length; /* -1 null */
} memory;

static memory memory_of(uint32_t seed)
{
    memory m = {.length = seed % 11 == 0 ? -1 : seed % 5 ? RUN_LENGTH : 3, .r = (int32_t)seed};
    for (uint32_t i = 0; i < RUN_LENGTH; i++) m.x[i] = (int32_t)(seed * (i + 3));
    m.rest[0] = (int32_t)(seed % 7);
    m.rest[1] = (int32_t)(seed >> 3);
    m.rest[2] = (int32_t)(seed * 7);
    m.rest[3] = (int32_t)(seed * 8);
    m.rest[4] = (int16_t)(seed * 9);
    m.rest[5] = (uint8_t)(seed * 10);
    return m;
}

static int32_t *second_by_ref(memory *m, uint32_t seed)
{
    return seed % 3 == 0 ? &m->r : seed % 3 == 1 ? &m->x[1] : &m->v;
}

static ilc_status run_tree(ilc__ast_machine *tree, memory *m, uint32_t seed, ilc_outcome *out)
{
    ilc_array           x = {ILC_I32, m->length, m->x}, r = {ILC_I32, 1, &m->r}, v = {ILC_I32, 1, second_by_ref(m, seed)};
    ilc_array          *arrays[3] = {m->length < 0 ? NULL : &x, &r, &v};
    ilc_value           args[PARAMS] = {{0}};
    ilc__interp_options options = {.fuel = 100 * FUEL};
    for (int i = 0; i < PARAMS; i++) {
        args[i] = (ilc_value){.storage = ILC_I32, .is_array = i < 3, .is_byref = i == 1 || i == 2};
        if (i < 3) args[i].u.array = arrays[i];
        else args[i].u.bits = (uint64_t)(int64_t)m->rest[i - 3];
    }
    return ilc__ast_machine_call(tree, args, PARAMS, &options, out);
}

static const ilc__site *run_text(const ilc__kernel *kernel, void *library, memory *m, uint32_t seed, int32_t *result)
{
    const ilc__entry *entry = kernel->has_guard ? &kernel->checked : &kernel->guarded;
    void             *arrays[3] = {m->length < 0 ? NULL : m->x, &m->r, second_by_ref(m, seed)};
    uint64_t          slot = UINT64_MAX, values[2 * PARAMS + 5];
    const void       *args[2 * PARAMS + 5];
    const long long   begin[3] = {0}, end[3] = {1, 1, 1};
    for (uint32_t i = 0; i < entry->param_count; i++) {
        const ilc__kparam *p = &entry->params[i];
        args[i] = &values[i];
        if (p->kind == ILC__KP_SCALAR) values[i] = (uint64_t)(int64_t)m->rest[p->param - 3];
        else if (p->kind == ILC__KP_ARRAY) values[i] = (uintptr_t)arrays[p->param];
        else if (p->kind == ILC__KP_LENGTH) values[i] = (uint64_t)m->length;
        else values[i] = p->kind == ILC__KP_OUT ? (uintptr_t)result : (uintptr_t)&slot;
    }
    entry_function *run_entry_of;
    *(void **)&run_entry_of = dlsym(library, entry->name);
    assert_non_null(run_entry_of);
    run_entry_of(args, begin, end);
    return site_of(kernel, slot);
}

typedef struct tally {
    uint32_t done, trapped;
} tally;

static void compare_run(fixture *f, const ilc__ir_func *func, ilc__ast_machine *tree, const ilc__kernel *kernel, void *library,
                        uint32_t seed, tally *t)
{
    state_of    expected;
    run         r;
    ilc__arena  arena;
    memory      left = memory_of(seed), right = left;
    ilc_outcome out = {0};
    int32_t     result = 0;
    ilc__arena_init(&arena, &f->ctx.heap);
    run_end end = run_on(func, &expected, seed, false, &arena, &r);
    if (end != RUN_FUEL) {
        assert_ok(f, run_tree(tree, &left, seed, &out));
        const ilc__site *site = run_text(kernel, library, &right, seed, &result);
        bool             same = out.trapped == (end == RUN_TRAPPED) && out.trapped == (site != NULL);
        for (uint32_t i = 0; i < RUN_LENGTH; i++) same = same && left.x[i] == (int32_t)expected.x.data[i];
        same = same && left.r == (int32_t)expected.r && left.v == (int32_t)expected.v;
        same = same && memcmp(left.x, right.x, sizeof left.x) == 0 && left.r == right.r && left.v == right.v;
        if (same && site) {
            same = strcmp(out.trap.exception, r.exception) == 0 && out.trap.il_offset == r.il &&
                   strcmp(site->exception, r.exception) == 0 && site->il == r.il;
        } else if (same) {
            same = (int32_t)out.ret.u.bits == (int32_t)r.result.bits && result == (int32_t)r.result.bits;
        }
        if (!same) fail_msg("seed %u: they differ\n%s", seed, kernel->source);
        t->trapped += site != NULL;
        t->done += site == NULL;
    }
    ilc__arena_free(&arena);
}

static void compare_function(fixture *f, uint32_t n, bool optimised, tally *t)
{
    ilc__ir_func     *func, *plain;
    ilc__unit         unit = {0};
    ilc__ast_machine *tree = NULL;
    ilc__kernel       kernel;
    ilc__kernel_spec  spec = spec_call();
    ilc__emit_options options = {.dialect = ILC__DIALECT_C, .checks = true};
    ilc__ir_unit      ir = unit_from(f, n * 77u + 5, &func);
    unit_from(f, n * 77u + 5, &plain);
    if (optimised) assert_ok(f, ilc__opt_run(&f->ctx, &ir, NULL, NULL));
    assert_ok(f, ilc__ast_build(&f->ctx, &f->ctx.arena, &ir, &unit));
    assert_ok(f, ilc__ast_machine_create(&f->ctx, &f->ctx.arena, &unit, &tree));
    assert_ok(f, ilc__emit_kernel(&f->ctx, &f->ctx.arena, &unit, &spec, &options, &kernel));
    const int others = COMPILER_COUNT - 1;
    for (int c = 0; c < (others && n % 4 == 0 ? 2 : 1); c++) { /* tcc, and now and then one of the others */
        void *library = compile_c(&compilers[c ? 1 + (int)(n / 4) % others : 0], kernel.source);
        for (uint32_t i = 0; library && i < RUNS; i++) compare_run(f, plain, tree, &kernel, library, n * 131u + i * 7919u, t);
        if (library) dlclose(library);
    }
}

static void ir_tree_and_text_agree_on_random_memory(void **state)
{
    tally t = {0};
    for (uint32_t n = 0; n < FUNCTIONS; n++)
        for (int optimised = 0; optimised < 2; optimised++) compare_function(*state, n, optimised, &t);
    print_message("%u runs done, %u trapped\n", t.done, t.trapped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(ir_tree_and_text_agree_on_random_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
