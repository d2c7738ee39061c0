/* cfg_test.c - reverse postorder, dominators and loops, against definitions computed the slow way. */
#include "unit.h"

#include "ir/ir.h"

enum { MOST = 14 };

static uint32_t seed = 12345;

static uint32_t next_random(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static ilc__ir_func *random_graph(fixture *f, uint32_t n)
{
    ilc__ir_func *func = ilc__ir_func_create(&f->ctx, &f->ctx.arena, "F");
    for (uint32_t b = 0; b < n; b++)
        ilc__ir_add_block(func, 0);
    for (uint32_t b = 0; b < n; b++) {
        uint32_t count = next_random(3);
        for (uint32_t i = 0; i < count && n > 1; i++)
            ilc__ir_connect(func, b, 1 + next_random(n - 1));
    }
    return func;
}

/* Blocks that the entry reaches when one is taken out. */
static void reach(const ilc__ir_func *func, uint32_t without, bool *seen)
{
    uint32_t stack[MOST * 4], depth = 0;
    memset(seen, 0, MOST);
    if (without == 0) return;
    stack[depth++] = 0;
    seen[0] = true;
    while (depth) {
        const ilc__ir_block *block = &func->blocks.items[stack[--depth]];
        for (uint32_t i = 0; i < block->succs.count; i++) {
            uint32_t to = block->succs.items[i];
            if (to == without || seen[to]) continue;
            seen[to] = true;
            stack[depth++] = to;
        }
    }
}

static void dominators_are_those_of_the_definition(void **state)
{
    fixture *f = *state;
    for (int round = 0; round < 2000; round++) {
        uint32_t      n = 1 + next_random(MOST - 1);
        ilc__ir_func *func = random_graph(f, n);
        bool          all[MOST], seen[MOST];
        ilc__ir_compute_cfg(func);
        reach(func, ILC__NO_BLOCK, all);
        for (uint32_t b = 0; b < n; b++)
            assert_int_equal(func->blocks.items[b].rpo != ILC__NO_BLOCK, all[b]);
        for (uint32_t a = 0; a < n; a++) {
            reach(func, a, seen);
            for (uint32_t b = 0; b < n; b++)
                assert_int_equal(ilc__ir_dominates(func, a, b), all[a] && all[b] && (a == b || !seen[b]));
        }
        for (uint32_t b = 1; b < n; b++) { /* the immediate one is dominated by every other */
            if (!all[b]) continue;
            uint32_t idom = func->blocks.items[b].idom;
            assert_true(idom != b && ilc__ir_dominates(func, idom, b));
            for (uint32_t a = 0; a < n; a++)
                if (a != b && ilc__ir_dominates(func, a, b)) assert_true(ilc__ir_dominates(func, a, idom));
        }
    }
}

/* Does b reach a latch of header without passing header? Then it is in header's loop. */
static bool in_loop(const ilc__ir_func *func, uint32_t header, uint32_t b)
{
    bool     seen[MOST] = {0};
    uint32_t stack[MOST], depth = 0;
    if (!ilc__ir_dominates(func, header, b)) return false;
    stack[depth++] = b;
    seen[b] = true;
    while (depth) {
        const ilc__ir_block *block = &func->blocks.items[stack[--depth]];
        for (uint32_t i = 0; i < block->succs.count; i++) {
            uint32_t to = block->succs.items[i];
            if (to == header) return true;
            if (seen[to] || !ilc__ir_dominates(func, header, to)) continue;
            seen[to] = true;
            stack[depth++] = to;
        }
    }
    return false;
}

static void loops_are_those_of_the_definition(void **state)
{
    fixture *f = *state;
    for (int round = 0; round < 2000; round++) {
        uint32_t      n = 1 + next_random(MOST - 1);
        ilc__ir_func *func = random_graph(f, n);
        ilc__ir_compute_cfg(func);
        for (uint32_t b = 0; b < n; b++) {
            const ilc__ir_block *block = &func->blocks.items[b];
            uint32_t             depth = 0, innermost = ILC__NO_BLOCK;
            if (block->rpo == ILC__NO_BLOCK) continue;
            for (uint32_t h = 0; h < n; h++) {
                if (func->blocks.items[h].rpo == ILC__NO_BLOCK || !in_loop(func, h, b)) continue;
                depth++;
                if (innermost == ILC__NO_BLOCK || ilc__ir_dominates(func, innermost, h)) innermost = h;
            }
            assert_int_equal(block->loop_depth, depth);
            assert_int_equal(block->loop_header, innermost);
        }
    }
}

static void reverse_postorder_puts_blocks_before_their_forward_targets(void **state)
{
    fixture *f = *state;
    for (int round = 0; round < 500; round++) {
        uint32_t      n = 1 + next_random(MOST - 1);
        ilc__ir_func *func = random_graph(f, n);
        ilc__ir_compute_cfg(func);
        for (uint32_t i = 0; i < func->order.count; i++) {
            const ilc__ir_block *block = &func->blocks.items[func->order.items[i]];
            assert_int_equal(block->rpo, i);
            for (uint32_t k = 0; !func->irreducible && k < block->succs.count; k++) {
                uint32_t to = block->succs.items[k];
                if (!ilc__ir_dominates(func, to, block->id)) assert_true(func->blocks.items[to].rpo > i);
            }
        }
    }
}

static void a_loop_with_two_entries_is_irreducible(void **state)
{
    fixture      *f = *state;
    ilc__ir_func *func = ilc__ir_func_create(&f->ctx, &f->ctx.arena, "F");
    for (int b = 0; b < 4; b++)
        ilc__ir_add_block(func, 0);
    ilc__ir_connect(func, 0, 1);
    ilc__ir_connect(func, 0, 2);
    ilc__ir_connect(func, 1, 2);
    ilc__ir_connect(func, 2, 1);
    ilc__ir_connect(func, 2, 3);
    ilc__ir_compute_cfg(func);
    assert_true(func->irreducible);
}

static void a_chain_of_a_hundred_thousand_blocks_does_not_recurse(void **state)
{
    fixture      *f = *state;
    ilc__ir_func *func = ilc__ir_func_create(&f->ctx, &f->ctx.arena, "F");
    for (uint32_t b = 0; b < 100000; b++) {
        ilc__ir_add_block(func, 0);
        if (b) ilc__ir_connect(func, b - 1, b);
        if (b > 1) ilc__ir_connect(func, b, 1);
    }
    ilc__ir_compute_cfg(func);
    assert_int_equal(func->blocks.items[99999].idom, 99998);
    assert_int_equal(func->blocks.items[99999].loop_depth, 1);
}

static void predecessors_that_match_keep_their_order(void **state)
{
    fixture      *f = *state;
    ilc__ir_func *func = ilc__ir_func_create(&f->ctx, &f->ctx.arena, "F");
    for (int b = 0; b < 4; b++)
        ilc__ir_add_block(func, 0);
    ilc__ir_connect(func, 2, 3);
    ilc__ir_connect(func, 1, 3);
    ilc__ir_connect(func, 0, 1);
    ilc__ir_connect(func, 0, 2);
    ilc__ir_compute_cfg(func);
    assert_int_equal(func->blocks.items[3].preds.items[0], 2);
    func->blocks.items[3].preds.items[0] = 0; /* no longer matches: built anew, by block */
    ilc__ir_compute_cfg(func);
    assert_int_equal(func->blocks.items[3].preds.items[0], 1);
    assert_int_equal(func->blocks.items[3].preds.items[1], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(dominators_are_those_of_the_definition),
        TEST(loops_are_those_of_the_definition),
        TEST(reverse_postorder_puts_blocks_before_their_forward_targets),
        TEST(a_loop_with_two_entries_is_irreducible),
        TEST(a_chain_of_a_hundred_thousand_blocks_does_not_recurse),
        TEST(predecessors_that_match_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
