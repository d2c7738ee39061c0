/* affine_guard_test.c - the launch guard over generated kernels (affine_kernels.h): the judge runs each element from
 * the IL; the tree, the checked body and, where the guard holds, the guarded body must give the same values and the
 * same lowest trap. Ordinary launches have arrays as long as the loops span: there the guard must hold.
 * ILCUDA_AFFINE=COUNT[,FIRST] runs more kernels than the few of the inner loop. */
#include "../emit/build.h"
#include "affine_kernels.h"
#include "interp/interp.h"
#include "opt/pass.h"
#include "write/write.h"

enum { KERNELS = 300, BATCH = 100, LAUNCHES = 8, ORDINARY = 4, EXTENT = 3, FUEL = 20000, LONGEST = 1 << 15 };

typedef struct kernel {
    uint64_t           seed;
    uint8_t           *image, *box_image;
    const ilc__method *method, *box;
    ilc__unit          unit;
    ilc__kernel        emitted;
    ilc__ast_machine  *tree;
    bool               uses_by;
} kernel;

typedef struct tally {
    uint32_t kernels, guarded, launches, trapped, skipped, held, ordinary, ordinary_held;
} tally;

static int32_t elements[2][LONGEST];

/* --- kernels ----------------------------------------------------------------------------------------------------- */

static const ilc__method *method_of(ilc__set *set, const affine *a, uint8_t **bytes)
{
    ilc__image        *image;
    const ilc__method *method;
    *bytes = malloc(IMAGE_MAX);
    size_t size = affine_image(a, *bytes);
    assert_int_equal(ilc__set_open_memory(set, "Affine.dll", *bytes, size, NULL, 0, &image), ILC_OK);
    assert_int_equal(ilc__image_method(image, 1, &method), ILC_OK);
    return method;
}

static void make(kernel *k, ilc__set *set, uint64_t seed)
{
    static affine a;
    *k = (kernel){.seed = seed};
    affine_make(&a, seed, true);
    k->box = method_of(set, &a, &k->box_image);
    affine_make(&a, seed, false);
    k->method = method_of(set, &a, &k->image);
    k->uses_by = a.uses_by;
    ilc__ir_unit ir = {0};
    ilc_status   status = ilc__ir_lift(&trees, ARENA, k->method, &ir);
    if (status == ILC_OK) status = ilc__opt_run(&trees, &ir, NULL, NULL);
    if (status == ILC_OK) status = ilc__ast_build(&trees, ARENA, &ir, &k->unit);
    ilc__kernel_spec  spec = {ILC__MODE_2D, 2, {ARG_I, ARG_J}, NULL};
    ilc__emit_options options = {.dialect = ILC__DIALECT_C, .checks = true, .prefix = ilc__arena_printf(ARENA, "k%llu_", (unsigned long long)seed)};
    if (status == ILC_OK) status = ilc__emit_kernel(&trees, ARENA, &k->unit, &spec, &options, &k->emitted);
    if (status == ILC_OK) status = ilc__ast_machine_create(&trees, ARENA, &k->unit, &k->tree);
    if (status != ILC_OK) fail_msg("kernel %llu: %s", (unsigned long long)seed, trees.diags.items[trees.diags.count - 1].text);
}

static void *compile(const kernel *kernels, uint32_t count)
{
    ilc__text   bodies = {.arena = ARENA}, text = {.arena = ARENA};
    static char tcc[] = "tcc", gcc[] = "gcc";
    for (uint32_t i = 0; i < count; i++) ilc__text_puts(&bodies, kernels[i].emitted.source + kernels[i].emitted.prelude_size);
    ilc__text_puts(&text, ilc__emit_prelude(ARENA, ILC__DIALECT_C, false, ilc__text_string(&bodies)));
    ilc__text_puts(&text, ilc__text_string(&bodies));
    bool     fast = shell("command -v tcc >/dev/null 2>&1") == 0;
    compiler c = {fast ? tcc : gcc, fast ? "-w -shared" : "-O0 " ENGINE_FLAGS};
    return compile_c(&c, ilc__text_string(&text));
}

/* --- launches ---------------------------------------------------------------------------------------------------- */

typedef struct shape {
    int32_t scalars[ARG_COUNT];
    int64_t lengths[2], extents[2];
} shape;

static int32_t extreme(void)
{
    static const int32_t values[] = {INT32_MIN, INT32_MIN + 1, -65536, -46341, -3, -1, 0, 1, 2, 46340, 46341, 65536, INT32_MAX - 1, INT32_MAX};
    return values[roll(sizeof values / sizeof *values)];
}

static void choose(shape *s, bool ordinary)
{
    static const uint8_t lengths[] = {0, 1, 3, 9, 30, 100};
    *s = (shape){.extents = {1 + (int64_t)roll(EXTENT), 1 + (int64_t)roll(EXTENT)}};
    for (int p = ARG_N; p <= ARG_T; p++) s->scalars[p] = (int32_t)roll(8) + 1;
    s->scalars[ARG_FIRST] = (int32_t)roll(4);
    s->scalars[ARG_BY] = (int32_t)roll(3) + 1;
    if (roll(3) == 0) s->scalars[ARG_BY] = -s->scalars[ARG_BY];
    for (int a = 0; a < 2; a++) s->lengths[a] = LONGEST;
    if (ordinary) return;
    for (int p = ARG_N; p <= ARG_BY; p++) {
        if (roll(2)) s->scalars[p] = extreme();
        else if (roll(3) == 0) s->scalars[p] = -s->scalars[p];
    }
    if (roll(3) == 0) { /* a loop that ends, or begins, at the end of Integer */
        int32_t end = roll(2) ? INT32_MAX : INT32_MIN + 8;
        s->scalars[ARG_N] = end - (int32_t)roll(3);
        s->scalars[ARG_M] = end - (int32_t)roll(6);
        s->scalars[ARG_FIRST] = end - (int32_t)roll(7);
    }
    for (int a = 0; a < 2; a++) s->lengths[a] = roll(12) == 0 ? -1 : roll(3) ? lengths[roll(6)] : LONGEST;
}

typedef struct outcome {
    bool        over; /* out of fuel */
    int64_t     trap; /* lowest element; -1: none */
    const char *exception;
    uint32_t    il;
    int32_t     out[EXTENT * EXTENT];
} outcome;

typedef ilc_status caller(void *machine, const ilc__method *method, const ilc_value *args, const ilc__interp_options *options, ilc_outcome *out);

static ilc_status call_il(void *machine, const ilc__method *method, const ilc_value *args, const ilc__interp_options *options, ilc_outcome *out)
{
    return ilc__il_call(machine, method, args, ARG_COUNT, options, out);
}

static ilc_status call_tree(void *machine, const ilc__method *method, const ilc_value *args, const ilc__interp_options *options, ilc_outcome *out)
{
    (void)method;
    return ilc__ast_machine_call(machine, args, ARG_COUNT, options, out);
}

static outcome interpret(caller *call, void *machine, const ilc__method *method, const shape *s, uint64_t fuel)
{
    outcome             result = {.trap = -1};
    ilc_array           arrays[2];
    ilc_value           args[ARG_COUNT] = {0};
    ilc__interp_options options = {.fuel = fuel};
    for (int p = 0; p < ARG_COUNT; p++) args[p] = (ilc_value){.storage = ILC_I32, .u.bits = (uint64_t)(int64_t)s->scalars[p]};
    for (int a = 0; a < 2; a++) {
        arrays[a] = (ilc_array){.elem = ILC_I32, .length = s->lengths[a], .data = elements[a]};
        args[a] = (ilc_value){.storage = ILC_I32, .is_array = true, .u.array = s->lengths[a] < 0 ? NULL : &arrays[a]};
    }
    for (int64_t e = 0; e < s->extents[0] * s->extents[1] && !result.over; e++) {
        ilc_outcome one = {0};
        args[ARG_I].u.bits = (uint64_t)(e / s->extents[1]);
        args[ARG_J].u.bits = (uint64_t)(e % s->extents[1]);
        ilc_status status = call(machine, method, args, &options, &one);
        if (status == ILC_LIMIT) trees.diags.count = 0;
        result.over = status != ILC_OK;
        if (one.trapped && result.trap < 0) {
            result.trap = e;
            result.exception = one.trap.exception;
            result.il = one.trap.il_offset;
        }
        result.out[e] = one.trapped ? 0 : (int32_t)one.ret.u.bits;
    }
    return result;
}

/* The shortest arrays with which the box does not trap; false: it traps anyway. */
static bool fit_lengths(ilc__il_machine *judge, const kernel *k, shape *s)
{
    outcome all = interpret(call_il, judge, k->box, s, 20 * FUEL);
    if (all.over || all.trap >= 0) return false;
    for (int a = 0; a < 2; a++) {
        int64_t low = 0, high = s->lengths[a];
        while (low < high) {
            s->lengths[a] = (low + high) / 2;
            outcome some = interpret(call_il, judge, k->box, s, 20 * FUEL);
            if (some.trap >= 0) low = s->lengths[a] + 1;
            else high = s->lengths[a];
        }
        s->lengths[a] = low;
    }
    return true;
}

/* --- comparing --------------------------------------------------------------------------------------------------- */

static void differ(const kernel *k, const shape *s, const char *what, const outcome *want, int64_t trap, const char *exception)
{
    print_error("kernel %llu, %s:", (unsigned long long)k->seed, what);
    for (int p = ARG_N; p <= ARG_BY; p++) print_error(" %d", s->scalars[p]);
    print_error("; lengths %lld %lld; extents %lld %lld\n", (long long)s->lengths[0], (long long)s->lengths[1], (long long)s->extents[0],
                (long long)s->extents[1]);
    print_error("element %lld: %s at IL_%04x; not %lld: %s\n", (long long)want->trap, want->exception ? want->exception : "-", want->il,
                (long long)trap, exception ? exception : "-");
    ilc__text text = {.arena = ARENA};
    ilc__write_func(&trees, k->unit.funcs.items[k->unit.funcs.count - 1], ILC__LANGUAGE_VB, &text);
    fail_msg("%s", ilc__text_string(&text));
}

static void compare_tree(const kernel *k, const shape *s, const outcome *want)
{
    outcome got = interpret(call_tree, k->tree, k->method, s, 20 * FUEL);
    if (got.over || got.trap != want->trap || memcmp(got.out, want->out, sizeof got.out) != 0 ||
        (want->trap >= 0 && (got.il != want->il || strcmp(got.exception, want->exception) != 0)))
        differ(k, s, "tree", want, got.trap, got.exception);
}

static void compare_body(const kernel *k, void *library, const ilc__entry *entry, const shape *s, const outcome *want)
{
    int32_t out[EXTENT * EXTENT] = {0};
    launch  l = {.out = out, .extents = {s->extents[0], s->extents[1], 1}};
    for (int p = 0; p < ARG_COUNT; p++) l.scalar[p] = s->scalars[p];
    for (int a = 0; a < 2; a++) {
        l.array[a] = s->lengths[a] < 0 ? NULL : elements[a];
        l.length[a] = s->lengths[a];
    }
    run_entry(library, entry, &l);
    const ilc__site *site = site_of(&k->emitted, l.slot);
    int64_t          trap = site ? (int64_t)(l.slot >> 16) : -1;
    bool same = trap == want->trap && (!site || (site->il == want->il && strcmp(site->exception, want->exception) == 0));
    if (!same || memcmp(out, want->out, sizeof out) != 0) differ(k, s, entry->name, want, trap, site ? site->exception : NULL);
}

static bool guard_of(const kernel *k, const shape *s)
{
    int64_t scalars[ARG_COUNT], lengths[ARG_COUNT] = {0};
    for (int p = 0; p < ARG_COUNT; p++) scalars[p] = s->scalars[p];
    for (int a = 0; a < 2; a++) lengths[a] = s->lengths[a];
    ilc__launch_facts facts = {.scalars = scalars, .lengths = lengths, .extents = {s->extents[0], s->extents[1], 1}};
    return ilc__guard_holds(&trees, ARENA, &k->emitted, &facts);
}

static void try_launch(const kernel *k, void *library, ilc__il_machine *judge, bool ordinary, tally *t)
{
    shape s;
    choose(&s, ordinary);
    if (ordinary && !fit_lengths(judge, k, &s)) return;
    outcome want = interpret(call_il, judge, k->method, &s, FUEL);
    if (want.over) {
        t->skipped++;
        return;
    }
    bool holds = k->emitted.has_guard && guard_of(k, &s);
    t->launches++;
    t->trapped += want.trap >= 0;
    t->held += holds;
    compare_tree(k, &s, &want);
    if (holds) compare_body(k, library, &k->emitted.guarded, &s, &want);
    compare_body(k, library, k->emitted.has_guard ? &k->emitted.checked : &k->emitted.guarded, &s, &want);
    if (!ordinary || want.trap >= 0 || !k->emitted.has_guard) return;
    t->ordinary++;
    t->ordinary_held += holds;
}

static void run_batch(uint64_t first, uint32_t count, tally *t)
{
    static kernel kernels[BATCH];
    trees_reset();
    ilc__set        *set = ilc__set_create(&trees);
    ilc__il_machine *judge = ilc__il_machine_create(&trees, ARENA);
    for (uint32_t i = 0; i < count; i++) make(&kernels[i], set, first + i);
    void *library = compile(kernels, count);
    assert_non_null(library);
    for (uint32_t i = 0; i < count; i++) {
        affine_state = (first + i) * 977 + 5;
        t->kernels++;
        t->guarded += kernels[i].emitted.has_guard;
        for (int l = 0; l < LAUNCHES; l++) try_launch(&kernels[i], library, judge, l < ORDINARY, t);
    }
    dlclose(library);
    ilc__set_destroy(set);
    for (uint32_t i = 0; i < count; i++) {
        free(kernels[i].image);
        free(kernels[i].box_image);
    }
}

static void test_both_bodies_of_affine_kernels_give_what_the_il_means(void **state)
{
    (void)state;
    unsigned long long count = KERNELS, first = 1;
    const char        *wanted = getenv("ILCUDA_AFFINE");
    if (wanted) sscanf(wanted, "%llu,%llu", &count, &first);
    affine_state = 1;
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < LONGEST; k++) elements[a][k] = (int32_t)roll(1000);
    tally t = {0};
    for (uint64_t at = 0; at < count; at += BATCH) run_batch(first + at, count - at < BATCH ? (uint32_t)(count - at) : BATCH, &t);
    print_message("%u kernels, %u with a guard; %u launches (%u trapped; %u more ran too long), the guard held for %u; "
                  "%u ordinary ones without a trap, the guard held for %u\n",
                  t.kernels, t.guarded, t.launches, t.trapped, t.skipped, t.held, t.ordinary, t.ordinary_held);
    assert_true(t.guarded * 100 >= t.kernels * 99);
    assert_true((uint64_t)t.ordinary_held * 100 >= (uint64_t)t.ordinary * 99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_both_bodies_of_affine_kernels_give_what_the_il_means)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
