/* memory_lift_test.c - by-refs and structs as C# compiles them (data/Memory.cs), optimised and not: what
 * lifts is right IR that reads back the same; what does not is refused, once, with its reason. */
#include "fixtures.h"

enum { ACCESS_MASK = 7, PUBLIC = 6 };

typedef struct tally {
    unsigned lifted, refused;
} tally;

static const struct {
    const char *name, *reason;
} refused[] = {
    {"HasRef", "the struct WithRef: a field of type System.Single[] (field A)"},
    {"RefReturn", "a result of type System.Single&"},
    {"ThisOf", "parameter o of type System.Object"},
};

static void lift_root(fixture *f, ilc__arena *arena, const ilc__method *method, tally *t)
{
    ilc__ir_unit unit;
    if (ilc__ir_lift(&f->ctx, arena, method, &unit) != ILC_OK) fail_msg("%s", last_diag(f));
    for (uint32_t i = 0; i < unit.funcs.count; i++)
        check_function(f, arena, unit.funcs.items[i]);
    t->lifted++;
}

static const char *reason_of(const ilc__method *method)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(method->name, refused[i].name) == 0) return refused[i].reason;
    return NULL;
}

static void visit(fixture *f, const ilc__method *method, void *user)
{
    tally       *t = user;
    ilc__arena   arena;
    ilc__ir_unit unit;
    uint32_t     diags = f->ctx.diags.count;
    const char  *reason = reason_of(method);
    if ((method->flags & ACCESS_MASK) != PUBLIC) return;
    ilc__arena_init(&arena, &f->ctx.heap);
    if (strcmp(method->type_name, "Lifts") == 0) lift_root(f, &arena, method, t);
    if (strcmp(method->type_name, "Refused") == 0 && reason) {
        assert_int_equal(ilc__ir_lift(&f->ctx, &arena, method, &unit), ILC_UNSUPPORTED);
        assert_int_equal(f->ctx.diags.count, diags + 1);
        assert_contains(last_diag(f), reason);
        t->refused++;
    }
    ilc__arena_free(&arena);
}

static void visit_all(fixture *f, tally *t, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, ILCUDA_SOURCE_DIR "/tests/unit/ir/data/%s", name);
    each_method_of(f, path, visit, t);
    printf("%s: %u lifted, %u refused\n", name, t->lifted, t->refused);
}

/* Where the framework is not here, the tuples' layouts are not known, nor calls into it by name. */
static bool has_framework(void)
{
    char path[1024];
    if (find_core_library(path, sizeof path)) return true;
    printf("no .NET 10 here: skipped\n");
    return false;
}

static void roots_over_memory_lift_or_are_refused(void **state)
{
    tally t = {0};
    if (!has_framework()) skip();
    visit_all(*state, &t, "Memory.dll");
    assert_true(t.lifted >= 30);
    assert_int_equal(t.refused, sizeof refused / sizeof refused[0]);
}

static void so_they_do_without_optimisation(void **state)
{
    tally t = {0};
    if (!has_framework()) skip();
    visit_all(*state, &t, "MemoryDebug.dll");
    assert_true(t.lifted >= 27);
    assert_int_equal(t.refused, sizeof refused / sizeof refused[0]);
}

static size_t read_file(const char *path, uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, size, file);
    fclose(file);
    return length;
}

static void damaged_methods_lift_to_right_ir_or_get_a_status(void **state)
{
    static uint8_t bytes[1 << 16], copy[1 << 16];
    fixture       *f = *state;
    size_t         size = read_file(ILCUDA_SOURCE_DIR "/tests/unit/ir/data/Memory.dll", bytes, sizeof bytes);
    uint32_t       seed = 11;
    unsigned       lifted = 0, failed = 0;
    for (int round = 0; round < 150; round++) {
        ilc__set   *set = ilc__set_create(&f->ctx);
        ilc__image *image;
        memcpy(copy, bytes, size);
        for (int k = 0; k < 12; k++) {
            seed = seed * 1664525u + 1013904223u;
            copy[0x250 + (seed >> 8) % (size / 2)] = (uint8_t)(seed >> 24); /* bodies, then the tables */
        }
        bool opened = ilc__set_open_memory(set, "damaged", copy, size, NULL, 0, &image) == ILC_OK;
        for (uint32_t row = 1; opened && row <= ilc__image_method_count(image); row++) {
            const ilc__method *method;
            ilc__ir_unit       unit;
            ilc__arena         arena;
            if (ilc__image_method(image, row, &method) != ILC_OK) continue;
            ilc__arena_init(&arena, &f->ctx.heap);
            bool ok = ilc__ir_lift(&f->ctx, &arena, method, &unit) == ILC_OK;
            for (uint32_t i = 0; ok && i < unit.funcs.count; i++)
                assert_ok(f, ilc__ir_verify(unit.funcs.items[i]));
            *(ok ? &lifted : &failed) += 1;
            ilc__arena_free(&arena);
        }
        ilc__set_destroy(set);
    }
    printf("%u lifted, %u failed\n", lifted, failed);
    assert_true(lifted > 100 && failed > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(roots_over_memory_lift_or_are_refused),
        TEST(damaged_methods_lift_to_right_ir_or_get_a_status),
        TEST(so_they_do_without_optimisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
