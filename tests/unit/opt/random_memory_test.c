/* random_memory_test.c - random functions over slots, structs, by-refs and elements of arrays, with branches,
 * loops and calls: as they are made, simplified, and with one variable for all versions of each, they give
 * the same result or trap, from the same place, and leave the same memory. */
#include <stdio.h>

#include "random_memory.h"

#include "opt/pass.h"

enum { FUNCTIONS = 500, RUNS = 6 };

static void compare(fixture *f, const char *text, const ilc__ir_func *func, run_end a, const run *ra,
                    const state_of *sa, run_end b, const run *rb, const state_of *sb)
{
    ilc__text now = {.arena = &f->ctx.arena};
    bool      same =
        a == b && memcmp(sa->x.data, sb->x.data, sizeof sa->x.data) == 0 && sa->r == sb->r && sa->v == sb->v;
    if (a == RUN_FUEL || b == RUN_FUEL) return;
    if (same && a == RUN_DONE) same = (uint32_t)ra->result.bits == (uint32_t)rb->result.bits;
    if (same && a == RUN_TRAPPED) same = ra->il == rb->il && strcmp(ra->exception, rb->exception) == 0;
    if (same) return;
    ilc__ir_print(func, &now);
    fail_msg("%s\nbecame\n%s\nends %d %d, il %x %x, results %llx %llx", text, ilc__text_string(&now), a, b,
             ra->il, rb->il, (unsigned long long)ra->result.bits, (unsigned long long)rb->result.bits);
}

static void random_functions_keep_their_results(void **state)
{
    fixture *f = *state;
    unsigned trapped = 0, done = 0, in_memory = 0, elements = 0;
    for (uint32_t n = 0; n < FUNCTIONS; n++) {
        maker         plain = {.seed = n * 77u + 5}, again = plain;
        ilc__ir_func *before, *after;
        ilc__text     text = {.arena = &f->ctx.arena};
        ilc__ir_unit  unit = {0};
        make(&plain, f, &before);
        make(&again, f, &after);
        ilc__ir_print(before, &text);
        ILC__PUSH(&f->ctx.arena, &unit.funcs, after);
        assert_ok(f, ilc__opt_run(&f->ctx, &unit, NULL, NULL));
        assert_ok(f, ilc__ir_verify(after));
        in_memory += after->slots.count - 1;
        for (ilc__ref ref = 1; ref < after->values.count; ref++)
            elements += after->values.items[ref].op == ILC__OP_LOAD;
        for (uint32_t i = 0; i < RUNS; i++) {
            state_of   s[4];
            run        r[4];
            ilc__arena arena;
            ilc__arena_init(&arena, &f->ctx.heap);
            uint32_t seed = n * 131u + i * 7919u;
            run_end  ends[4] = {run_on(before, &s[0], seed, false, &arena, &r[0]),
                                run_on(after, &s[1], seed, false, &arena, &r[1]),
                                run_on(after, &s[2], seed, true, &arena, &r[2]),
                                run_on(before, &s[3], seed, true, &arena, &r[3])};
            for (int k = 1; k < 4; k++)
                compare(f, ilc__text_string(&text), k == 3 ? before : after, ends[0], &r[0], &s[0], ends[k],
                        &r[k], &s[k]);
            trapped += ends[0] == RUN_TRAPPED;
            done += ends[0] == RUN_DONE;
            ilc__arena_free(&arena);
        }
    }
    printf("%u functions, %u runs done, %u trapped; %u slots stayed, %u loads\n", FUNCTIONS, done, trapped,
           in_memory, elements);
    assert_true(done > FUNCTIONS && trapped > FUNCTIONS && in_memory < FUNCTIONS * (SLOTS - 1) &&
                elements > FUNCTIONS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(random_functions_keep_their_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
