/* lift_test.c - every method of the fixtures and of the framework's core library: what lifts is right IR, and
 * its text reads back the same; the rest is refused with one diagnostic. */
#include "fixtures.h"

typedef struct tally {
    unsigned methods, lifted, refused, malformed;
    unsigned all_lifted;
} tally;

static void lift_one(fixture *f, const ilc__method *method, void *user)
{
    tally       *t = user;
    ilc__arena   arena;
    ilc__ir_unit unit;
    uint32_t     diags = f->ctx.diags.count;
    ilc__arena_init(&arena, &f->ctx.heap);
    ilc_status status = ilc__ir_lift(&f->ctx, &arena, method, &unit);
    t->methods++;
    if (status == ILC_OK) {
        t->lifted++;
        assert_int_equal(f->ctx.diags.count, diags);
        for (uint32_t i = 0; i < unit.funcs.count; i++)
            check_function(f, &arena, unit.funcs.items[i]);
    } else {
        if (getenv("ILC_SHOW")) printf("%s\n", last_diag(f));
        assert_int_equal(f->ctx.diags.count, diags + 1);
        assert_true(status == ILC_UNSUPPORTED || status == ILC_FORMAT);
        if (status == ILC_UNSUPPORTED)
            t->refused++;
        else
            t->malformed++;
    }
    ilc__arena_free(&arena);
}

static void after_assembly(const char *name, void *user)
{
    tally *t = user;
    printf("%-24s %4u static methods: %4u lifted, %4u refused\n", name, t->methods, t->lifted, t->refused);
    if (strncmp(name, "Tutorial", 8) == 0) assert_int_equal(t->lifted, 6);
    if (strncmp(name, "Cases", 5) == 0) assert_int_equal(t->refused, 0);
    assert_int_equal(t->malformed, 0);
    *t = (tally){.all_lifted = t->all_lifted + t->lifted};
}

static void each_method_of_the_fixtures_lifts_or_is_refused(void **state)
{
    tally t = {0};
    if (!each_method_of_the_fixtures(*state, lift_one, after_assembly, &t)) skip();
    assert_true(t.all_lifted > 100);
}

static void each_static_method_of_the_core_library_lifts_or_is_refused(void **state)
{
    tally t = {0};
    char  path[1024];
    if (!find_core_library(path, sizeof path)) {
        printf("no .NET 10 here: skipped\n");
        skip();
    }
    each_method_of(*state, path, lift_one, &t);
    printf("System.Private.CoreLib: %u static methods, %u lifted, %u refused, %u malformed\n", t.methods,
           t.lifted, t.refused, t.malformed);
    assert_true(t.lifted > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_method_of_the_fixtures_lifts_or_is_refused),
        TEST(each_static_method_of_the_core_library_lifts_or_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
