/* lift_test.c - every method of the fixtures and of the framework's core library: what lifts is right IR, and
 * its text reads back the same. */
#include "unit.h"

#include <dirent.h>
#include <stdio.h>

#include "ir/ir.h"

typedef struct tally {
    unsigned methods, lifted, refused, malformed;
} tally;

static void check_text(fixture *f, ilc__arena *arena, ilc__ir_func *func)
{
    ilc__text     first = {.arena = arena}, second = {.arena = arena};
    ilc__ir_func *again;
    ilc__ir_print(func, &first);
    assert_ok(f, ilc__ir_parse(&f->ctx, arena, ilc__text_string(&first), &again));
    ilc__ir_print(again, &second);
    assert_string_equal(ilc__text_string(&first), ilc__text_string(&second));
    assert_ok(f, ilc__ir_verify(again));
}

static void lift_one(fixture *f, const ilc__method *method, tally *t)
{
    ilc__arena   arena;
    ilc__ir_unit unit;
    uint32_t     diags = f->ctx.diags.count;
    ilc__arena_init(&arena, &f->ctx.heap);
    ilc_status status = ilc__ir_lift(&f->ctx, &arena, method, &unit);
    t->methods++;
    if (status == ILC_OK) {
        t->lifted++;
        assert_int_equal(f->ctx.diags.count, diags);
        for (uint32_t i = 0; i < unit.funcs.count; i++) {
            assert_ok(f, ilc__ir_verify(unit.funcs.items[i]));
            check_text(f, &arena, unit.funcs.items[i]);
        }
    } else {
        if (getenv("ILC_SHOW")) printf("%s\n", last_diag(f));
        assert_int_equal(f->ctx.diags.count, diags + 1); /* one diagnostic for one fault */
        if (status == ILC_UNSUPPORTED)
            t->refused++;
        else if (status == ILC_FORMAT)
            t->malformed++;
        else
            fail_msg("%s", last_diag(f));
    }
    ilc__arena_free(&arena);
}

static void lift_file(fixture *f, const char *path, tally *t)
{
    ilc__set   *set = ilc__set_create(&f->ctx);
    ilc__image *image;
    assert_ok(f, ilc__set_open(set, path, &image));
    for (uint32_t row = 1; row <= ilc__image_method_count(image); row++) {
        const ilc__method *method;
        assert_ok(f, ilc__image_method(image, row, &method));
        if (method->flags & ILC__METHOD_STATIC) lift_one(f, method, t);
    }
    ilc__set_destroy(set);
}

static void each_method_of_the_fixtures_lifts_or_is_refused(void **state)
{
    fixture       *f = *state;
    tally          t = {0};
    struct dirent *entry;
    DIR           *folder = opendir(ILCUDA_FIXTURES "/bin");
    if (!folder) skip();
    while ((entry = readdir(folder))) {
        char   path[1024];
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".dll") != 0) continue;
        snprintf(path, sizeof path, ILCUDA_FIXTURES "/bin/%s", entry->d_name);
        tally one = {0};
        lift_file(f, path, &one);
        printf("%-24s %4u static methods: %4u lifted, %4u refused\n", entry->d_name, one.methods, one.lifted, one.refused);
        if (strncmp(entry->d_name, "Tutorial", 8) == 0) assert_true(one.lifted >= 6);
        t.lifted += one.lifted;
        t.malformed += one.malformed;
    }
    closedir(folder);
    assert_int_equal(t.malformed, 0);
    assert_true(t.lifted > 100);
}

/* The newest core library of an installed .NET. */
static bool find_core_library(char *out, size_t size)
{
    static const char *const roots[] = {"/usr/share/dotnet", "/usr/lib/dotnet", "/usr/local/share/dotnet"};
    bool                     found = false;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0] && !found; i++) {
        char           folder_name[512];
        struct dirent *entry;
        snprintf(folder_name, sizeof folder_name, "%s/shared/Microsoft.NETCore.App", roots[i]);
        DIR *folder = opendir(folder_name);
        if (!folder) continue;
        while ((entry = readdir(folder))) {
            if (strncmp(entry->d_name, "10.", 3) != 0) continue;
            snprintf(out, size, "%s/%s/System.Private.CoreLib.dll", folder_name, entry->d_name);
            found = true;
        }
        closedir(folder);
    }
    return found;
}

static void each_static_method_of_the_core_library_lifts_or_is_refused(void **state)
{
    fixture *f = *state;
    tally    t = {0};
    char     path[1024];
    if (!find_core_library(path, sizeof path)) {
        printf("no .NET 10 here: skipped\n");
        skip();
    }
    lift_file(f, path, &t);
    printf("System.Private.CoreLib: %u static methods, %u lifted, %u refused, %u malformed\n", t.methods, t.lifted,
           t.refused, t.malformed);
    assert_true(t.lifted > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_method_of_the_fixtures_lifts_or_is_refused),
        TEST(each_static_method_of_the_core_library_lifts_or_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
