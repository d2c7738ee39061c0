/* opt_test.c - every method of the fixtures and of the core library that lifts: right IR after every pass,
 * the text reads back the same, and a second run finds nothing to do. */
#include "../ir/fixtures.h"

#include "opt/pass.h"

typedef struct tally {
    unsigned functions, before, after;
} tally;

typedef struct watch {
    fixture *f;
    unsigned changes;
} watch;

static void check_after_pass(void *user, const char *pass, const ilc__ir_func *func)
{
    watch *w = user;
    w->changes++;
    if (ilc__ir_verify((ilc__ir_func *)(uintptr_t)func) != ILC_OK)
        fail_msg("after %s: %s", pass, last_diag(w->f));
}

static unsigned count_values(const ilc__ir_func *func)
{
    unsigned count = 0;
    for (uint32_t b = 0; b < func->blocks.count; b++)
        count += func->blocks.items[b].list.count;
    return count;
}

static void simplify_one(fixture *f, const ilc__method *method, void *user)
{
    tally       *t = user;
    ilc__arena   arena;
    ilc__ir_unit unit;
    watch        w = {.f = f};
    ilc__arena_init(&arena, &f->ctx.heap);
    if (ilc__ir_lift(&f->ctx, &arena, method, &unit) == ILC_OK) {
        for (uint32_t i = 0; i < unit.funcs.count; i++)
            t->before += count_values(unit.funcs.items[i]);
        if (ilc__opt_run(&f->ctx, &unit, check_after_pass, &w) == ILC_UNSUPPORTED) {
            assert_contains(last_diag(f), "recursion");
            ilc__arena_free(&arena);
            return;
        }
        for (uint32_t i = 0; i < unit.funcs.count; i++) {
            t->after += count_values(unit.funcs.items[i]);
            t->functions++;
            check_function(f, &arena, unit.funcs.items[i]);
        }
        w.changes = 0;
        assert_ok(f, ilc__opt_run(&f->ctx, &unit, check_after_pass, &w));
        assert_int_equal(w.changes, 0);
    }
    ilc__arena_free(&arena);
}

static void methods_of_the_fixtures_stay_right(void **state)
{
    tally t = {0};
    if (!each_method_of_the_fixtures(*state, simplify_one, NULL, &t)) skip();
    printf("%u functions, %u values before, %u after\n", t.functions, t.before, t.after);
    assert_true(t.functions > 100 && t.after < t.before);
}

static void methods_of_the_core_library_stay_right(void **state)
{
    tally t = {0};
    char  path[1024];
    if (!find_core_library(path, sizeof path)) {
        printf("no .NET 10 here: skipped\n");
        skip();
    }
    each_method_of(*state, path, simplify_one, &t);
    printf("%u functions, %u values before, %u after\n", t.functions, t.before, t.after);
    assert_true(t.functions > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(methods_of_the_fixtures_stay_right),
        TEST(methods_of_the_core_library_stay_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
