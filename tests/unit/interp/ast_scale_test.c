/* ast_scale_test.c - shapes of any size (scale_shapes.h) become trees and text in every writer's language: in memory per
 * part that does not grow, and without recursion as deep as the shape. Trees and C text are run, too, against what the
 * shape must do. `ast_scale_test FOLDER COUNT` writes the texts for tests/scale/compile; `bench translate --scale` has the
 * time. */
#include "../emit/build.h"

#include "interp/interp.h"
#include "scale_shapes.h"
#include "write/write.h"

enum { SHAPES = sizeof shapes / sizeof *shapes, SOME = 500, MANY = 10000 };

typedef enum work { TREE, VB, CS, C, CUDA, WORKS } work;
static const char *const works[] = {"tree", "VB", "C#", "C", "CUDA"}, *const suffixes[] = {"", "vb", "cs", "c", "cu"};

typedef struct made {
    int32_t     expected;
    size_t      bytes[WORKS]; /* of memory, asked for on the way */
    const char *text[WORKS];
    ilc__unit   unit;
    ilc__kernel kernel; /* C */
} made;

static size_t asked;

static void *counting_resize(void *libc, void *ptr, size_t size)
{
    asked += size;
    return (*(void *(**)(void *, void *, size_t))libc)(NULL, ptr, size);
}

static void count_memory(void)
{
    static void *(*libc)(void *, void *, size_t);
    libc = trees.heap.resize;
    trees.heap.resize = counting_resize;
    trees.heap.user = &libc;
}

static void build_tree(ilc__ir_func *f, made *m)
{
    ilc__ir_unit ir = {0};
    ILC__PUSH(ARENA, &ir.funcs, f);
    asked = 0;
    assert_int_equal(ilc__ast_build(&trees, ARENA, &ir, &m->unit), ILC_OK);
    m->bytes[TREE] = asked;
}

static void write_tree(made *m, work w)
{
    ilc__text text = {.arena = ARENA};
    asked = 0;
    ilc__write_unit *unit = ilc__write_unit_create(&trees, ARENA, w == VB ? ILC__LANGUAGE_VB : ILC__LANGUAGE_CS);
    ilc__write_unit_add(unit, &m->unit);
    ilc__write_unit_print(unit, &text);
    m->bytes[w] = asked;
    m->text[w] = ilc__text_string(&text);
    if (ilc__write_unit_refusal(unit, 0)) fail_msg("%s: %s", works[w], ilc__write_unit_refusal(unit, 0));
}

static void emit_tree(made *m, work w)
{
    asked = 0;
    ilc__kernel kernel = emit(&m->unit, spec_call(), w == C ? ILC__DIALECT_C : ILC__DIALECT_CUDA);
    m->bytes[w] = asked;
    m->text[w] = kernel.source;
    if (w == C) m->kernel = kernel;
}

/* Until the next one is made. */
static made make_all(size_t which, uint32_t count)
{
    made m = {0};
    trees_reset();
    count_memory();
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

/* The same numbers in every run. */
static void assert_grows_not(const made *some, const made *many, const char *name)
{
    printf("%-18s", name);
    for (work w = TREE; w < WORKS; w++) {
        size_t before = some->bytes[w] / SOME, now = many->bytes[w] / MANY;
        printf("  %s %5zu %5zu", works[w], before, now);
        if (now > before * 2) fail_msg("%s as %s: %zu bytes a part, %zu before", name, works[w], now, before);
    }
    printf("  bytes a part at %d, %d\n", SOME, MANY);
}

/* clang stops at 256 brackets, the least of the compilers. Of those, only tcc takes ten thousand of each in no time: the
 * others are asked in tests/scale. */
static void ten_thousand_nested_or_consecutive_constructs_work_in_every_writer(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        made some = make_all(i, SOME), m = make_all(i, MANY);
        assert_grows_not(&some, &m, shapes[i].name);
        for (work w = VB; w < WORKS; w++)
            if (nesting(m.text[w]) > 200) fail_msg("%s: brackets nest %u deep in %s", shapes[i].name, nesting(m.text[w]), works[w]);
        run_tree(&m, shapes[i].name);
        run_text(&m, &compilers[0], shapes[i].name);
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
