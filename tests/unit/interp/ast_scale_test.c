/* ast_scale_test.c - shapes of any size (scale_shapes.h) become trees and text in every writer's language: in time per
 * block that does not grow, and without recursion as deep as the shape. Trees and C text are run, too, against what the
 * shape must do. `ast_scale_test FOLDER COUNT` writes the texts for tests/scale/compile. */
#include "../emit/build.h"

#include <time.h>

#include "interp/interp.h"
#include "scale_shapes.h"
#include "write/write.h"

enum { SHAPES = sizeof shapes / sizeof *shapes, SOME = 500, MANY = 10000 };

typedef enum work { TREE, VB, CS, C, CUDA, WORKS } work;
static const char *const works[] = {"tree", "VB", "C#", "C", "CUDA"}, *const suffixes[] = {"", "vb", "cs", "c", "cu"};

typedef struct made {
    int32_t     expected;
    double      seconds[WORKS];
    const char *text[WORKS];
    ilc__unit   unit;
    ilc__kernel kernel; /* C */
} made;

static double since(clock_t start)
{
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void build_tree(ilc__ir_func *f, made *m)
{
    ilc__ir_unit ir = {0};
    ILC__PUSH(ARENA, &ir.funcs, f);
    clock_t start = clock();
    assert_int_equal(ilc__ast_build(&trees, ARENA, &ir, &m->unit), ILC_OK);
    m->seconds[TREE] = since(start);
}

static void write_tree(made *m, work w)
{
    clock_t   start = clock();
    ilc__text text = {.arena = ARENA};
    ilc__write_unit *unit = ilc__write_unit_create(&trees, ARENA, w == VB ? ILC__LANGUAGE_VB : ILC__LANGUAGE_CS);
    ilc__write_unit_add(unit, &m->unit);
    ilc__write_unit_print(unit, &text);
    m->seconds[w] = since(start);
    m->text[w] = ilc__text_string(&text);
    if (ilc__write_unit_refusal(unit, 0)) fail_msg("%s: %s", works[w], ilc__write_unit_refusal(unit, 0));
}

static void emit_tree(made *m, work w)
{
    clock_t     start = clock();
    ilc__kernel kernel = emit(&m->unit, spec_call(), w == C ? ILC__DIALECT_C : ILC__DIALECT_CUDA);
    m->seconds[w] = since(start);
    m->text[w] = kernel.source;
    if (w == C) m->kernel = kernel;
}

/* Until the next one is made. */
static made make_all(size_t which, uint32_t count)
{
    made m = {0};
    trees_reset();
    build_tree(make(&trees, shapes[which].make, count, &m.expected), &m);
    write_tree(&m, VB);
    write_tree(&m, CS);
    emit_tree(&m, C);
    emit_tree(&m, CUDA);
    return m;
}

/* --- what must hold of it ------------------------------------------------------------------------------------------ */

static void run_tree(const made *m, const char *name)
{
    int32_t     data[1] = {0};
    ilc_array   array = {ILC_I32, 1, data};
    ilc_value   args[2] = {{.storage = ILC_I32, .is_array = true, .u.array = &array}, {.storage = ILC_I32, .u.bits = 5}};
    ilc_outcome out = {0};
    if (ilc__ast_call(&trees, ARENA, &m->unit, args, 2, NULL, &out) != ILC_OK) fail_msg("%s", trees.diags.items[0].text);
    if (out.trapped || data[0] != m->expected) fail_msg("%s: %d, not %d", name, (int)data[0], (int)m->expected);
}

static void run_text(const made *m, const compiler *c, const char *name)
{
    void *library = compile_c(c, m->text[C]);
    if (!library) return;
    int32_t data[1] = {0};
    launch  l = {.scalar = {[1] = 5}, .array = {data}, .length = {1}, .extents = {1, 1, 1}};
    run_entry(library, &m->kernel.guarded, &l);
    dlclose(library);
    if (l.slot != UINT64_MAX || data[0] != m->expected) fail_msg("%s by %s: %d, not %d", name, c->name, (int)data[0], (int)m->expected);
}

/* How deep brackets and braces nest. */
static uint32_t nesting(const char *text)
{
    uint32_t depth = 0, most = 0;
    for (; *text; text++) {
        if (strchr("([{", *text)) depth++;
        if (strchr(")]}", *text)) depth--;
        if (depth > most) most = depth;
    }
    return most;
}

/* --- tests ----------------------------------------------------------------------------------------------------------- */

static void least(double *best, const made *m)
{
    for (work w = TREE; w < WORKS; w++)
        if (best[w] == 0 || m->seconds[w] < best[w]) best[w] = m->seconds[w];
}

static void assert_grows_not(const double *some, const double *many, const char *name)
{
    printf("%-18s", name);
    for (work w = TREE; w < WORKS; w++) {
        double before = some[w] / SOME * 1e6, now = many[w] / MANY * 1e6;
        printf("  %s %5.1f %5.1f", works[w], before, now);
        if (now > before * 8 && now > 40) fail_msg("%s as %s: %g us a block, %g before", name, works[w], now, before);
    }
    printf("  us a block at %d, %d\n", SOME, MANY);
}

/* clang stops at 256 brackets, the least of the compilers. Of those, only tcc takes ten thousand of each in no time: the
 * others are asked in tests/scale. */
static void ten_thousand_nested_or_consecutive_constructs_work_in_every_writer(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        double some[WORKS] = {0}, many[WORKS] = {0};
        for (int turn = 0; turn < 3; turn++) {
            made m = make_all(i, SOME);
            least(some, &m);
        }
        made m = make_all(i, MANY);
        least(many, &m);
        assert_grows_not(some, many, shapes[i].name);
        for (work w = VB; w < WORKS; w++)
            if (nesting(m.text[w]) > 200) fail_msg("%s: brackets nest %u deep in %s", shapes[i].name, nesting(m.text[w]), works[w]);
        run_tree(&m, shapes[i].name);
        run_text(&m, &compilers[COMPILER_COUNT - 1], shapes[i].name);
    }
}

static void write_all(const char *folder, uint32_t count)
{
    for (size_t i = 0; i < SHAPES; i++) {
        made m = make_all(i, count);
        for (work w = VB; w < WORKS; w++)
            write_text(ilc__arena_printf(ARENA, "%s/shape_%zu.%s", folder, i, suffixes[w]), m.text[w]);
        printf("%zu\t%s\t%d\t%s\n", i, shapes[i].name, (int)m.expected, m.kernel.guarded.name);
    }
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        write_all(argv[1], (uint32_t)strtoul(argv[2], NULL, 10));
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(ten_thousand_nested_or_consecutive_constructs_work_in_every_writer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
