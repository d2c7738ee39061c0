/* Arenas, growing arrays, text and the map. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/memory.h"

typedef struct counting {
    long live, fail_at, requests;
} counting;

static void *counting_resize(void *user, void *ptr, size_t size)
{
    counting *c = user;
    if (size == 0) {
        if (ptr) c->live--;
        free(ptr);
        return NULL;
    }
    if (++c->requests == c->fail_at) return NULL;
    if (!ptr) c->live++;
    return realloc(ptr, size);
}

static counting   counts;
static ilc__heap  heap;
static ilc__arena arena;

static int setup(void **state)
{
    (void)state;
    counts = (counting){0};
    ilc__heap_init(&heap);
    heap.resize = counting_resize;
    heap.user = &counts;
    ilc__arena_init(&arena, &heap);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ilc__arena_free(&arena);
    assert_int_equal(counts.live, 0);
    return 0;
}

static void allocations_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 15, 16, 17, 1000, 16384, 16385, 100000, 1 << 20};
    uint8_t            *blocks[10];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 10; i++) {
            blocks[i] = ilc__arena_alloc(&arena, sizes[i]);
            assert_int_equal((uintptr_t)blocks[i] % 16, 0);
            for (size_t b = 0; b < sizes[i]; b++)
                assert_int_equal(blocks[i][b], 0);
            memset(blocks[i], i + 1, sizes[i]);
        }
        for (int i = 0; i < 10; i++)
            for (size_t b = 0; b < sizes[i]; b++)
                assert_int_equal(blocks[i][b], i + 1);
        /* Used memory that comes again is zeroed as well. */
        ilc__arena_free(&arena);
        assert_int_equal(counts.live, 0);
    }
}

static void many_small_allocations_take_few_chunks(void **state)
{
    (void)state;
    for (int i = 0; i < 10000; i++)
        assert_non_null(ilc__arena_alloc(&arena, 32));
    assert_true(counts.requests <= 10);
}

static void running_out_lands_at_the_pad_and_leaks_nothing(void **state)
{
    (void)state;
    for (volatile long n = 1; n < 5; n++) {
        jmp_buf       pad;
        volatile bool landed = false;
        counts.requests = 0;
        counts.fail_at = n;
        heap.landing = &pad;
        if (setjmp(pad) == 0)
            for (int i = 0; i < 10; i++)
                ilc__arena_alloc(&arena, 40000);
        else
            landed = true;
        assert_true(landed);
        assert_int_equal(counts.live, n - 1);
        ilc__arena_free(&arena);
        assert_int_equal(counts.live, 0);
    }
    heap.landing = NULL;
}

static void a_size_that_overflows_lands_at_the_pad(void **state)
{
    (void)state;
    static const struct {
        size_t count, size;
    } bad[] = {
        {SIZE_MAX, 2}, {SIZE_MAX / 8 + 2, 8}, {1, SIZE_MAX}, {1, SIZE_MAX - 16}, {2, SIZE_MAX / 2 + 1}};
    for (volatile size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        jmp_buf       pad;
        volatile bool landed = false;
        heap.landing = &pad;
        counts.fail_at = counts.requests + 1; /* what gets as far as the allocator fails there */
        if (setjmp(pad) == 0)
            ilc__arena_array(&arena, bad[i].count, bad[i].size);
        else
            landed = true;
        assert_true(landed);
    }
    heap.landing = NULL;
}

static void copies_and_printed_text_are_terminated(void **state)
{
    (void)state;
    assert_string_equal(ilc__arena_strdup(&arena, "abc"), "abc");
    assert_string_equal(ilc__arena_strndup(&arena, "abcdef", 3), "abc");
    assert_string_equal(ilc__arena_strndup(&arena, NULL, 0), "");
    assert_string_equal(ilc__arena_printf(&arena, "%d-%s", 42, "x"), "42-x");
    const uint8_t bytes[] = {1, 0, 2};
    assert_memory_equal(ilc__arena_copy(&arena, bytes, 3), bytes, 3);
}

static void vectors_grow_and_keep_their_items(void **state)
{
    (void)state;
    ILC__VEC(int) v = {0};
    for (int i = 0; i < 10000; i++)
        ILC__PUSH(&arena, &v, i * 3);
    assert_int_equal(v.count, 10000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(v.items[i], i * 3);
}

static void text_grows_over_short_and_long_pieces(void **state)
{
    (void)state;
    ilc__text text = {.arena = &arena};
    assert_string_equal(ilc__text_string(&text), "");
    char expected[6000] = "";
    for (int i = 0; i < 100; i++) {
        ilc__text_printf(&text, "%d,", i);
        sprintf(expected + strlen(expected), "%d,", i);
    }
    char wide[1001];
    memset(wide, 'w', 1000);
    wide[1000] = 0;
    ilc__text_printf(&text, "<%s>", wide); /* more than the buffer on the stack */
    ilc__text_putc(&text, '!');
    ilc__text_puts(&text, "end");
    ilc__text_add(&text, "", 0);
    sprintf(expected + strlen(expected), "<%s>!end", wide);
    assert_string_equal(ilc__text_string(&text), expected);
    assert_int_equal(text.length, strlen(expected));
}

static void the_map_finds_every_key_and_only_these(void **state)
{
    (void)state;
    ilc__map   map = {.arena = &arena};
    static int values[5000];
    char       key[20];
    assert_null(ilc__map_get(&map, "x", 1));
    for (int i = 0; i < 5000; i++) {
        int length = sprintf(key, "key%d", i);
        ilc__map_put(&map, key, (size_t)length, &values[i]);
    }
    assert_int_equal(map.count, 5000);
    for (int i = 0; i < 5000; i++) {
        int length = sprintf(key, "key%d", i);
        assert_ptr_equal(ilc__map_get(&map, key, (size_t)length), &values[i]);
        assert_null(ilc__map_get(&map, key, (size_t)length + 1)); /* its NUL is another key */
    }
    assert_null(ilc__map_get(&map, "key5000", 7));
    ilc__map_put(&map, "key7", 4, &values[0]);
    assert_ptr_equal(ilc__map_get(&map, "key7", 4), &values[0]);
    assert_int_equal(map.count, 5000);
    ilc__map_put(&map, "", 0, &values[1]); /* an empty key is a key */
    assert_ptr_equal(ilc__map_get(&map, "", 0), &values[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(allocations_are_zeroed_aligned_and_apart),       TEST(many_small_allocations_take_few_chunks),
        TEST(running_out_lands_at_the_pad_and_leaks_nothing), TEST(a_size_that_overflows_lands_at_the_pad),
        TEST(copies_and_printed_text_are_terminated),         TEST(vectors_grow_and_keep_their_items),
        TEST(text_grows_over_short_and_long_pieces),          TEST(the_map_finds_every_key_and_only_these),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
