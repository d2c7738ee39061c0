/* The harness by hand-written kernels (kernels.cpp): what they share, agree on and do wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

extern harness_place        harness_here;
extern const harness_table *harness_rt;
void                        harness_shared(char **from, char **to);

static const char *launch(void (*entry)(void **), const unsigned grid[3], const unsigned block[3], void **parameters)
{
    harness_kernel kernel = {.entry = entry, .here = &harness_here, .table = &harness_rt};
    harness_shared(&kernel.shared, &kernel.shared_end);
    return harness_launch(&kernel, parameters, grid, block);
}

#define U3(...) ((const unsigned[3]){__VA_ARGS__})
#define RUN(name, grid, block, ...)                                                                                    \
    launch(harness_entry_##name, U3 grid, U3 block, (void *[]){__VA_ARGS__})
#define ENTRY(name) void harness_entry_##name(void **parameters)
ENTRY(places);
ENTRY(block_sum);
ENTRY(warp_sums);
ENTRY(half_warps);
ENTRY(votes);
ENTRY(least);
ENTRY(tiles);
ENTRY(left_over);
ENTRY(unordered);
ENTRY(skips_barrier);
ENTRY(two_barriers);
ENTRY(misses_lane);
ENTRY(wrong_mask);
ENTRY(writes_past);
ENTRY(shared_past);
ENTRY(stack_past);
ENTRY(overflows);
ENTRY(instructions);

static void *room(size_t bytes)
{
    void *memory = calloc(1, bytes);
    assert_non_null(memory);
    return memory;
}

static float *numbers(size_t count)
{
    float *x = room(count * sizeof *x);
    for (size_t i = 0; i < count; i++) x[i] = (float)((double)(i * 2654435761u % 1000) / 7.0 - 60.0);
    return x;
}

static void every_thread_of_every_block_has_its_place(void **state)
{
    (void)state;
    unsigned *out = room(2 * 3 * 2 * 60 * sizeof *out);
    assert_null(RUN(places, (2, 3, 2), (5, 4, 3), &out));
    for (unsigned i = 0; i < 2 * 3 * 2 * 60; i++) assert_int_equal(out[i], i / 60 * 1000 + i % 60);
    free(out);
}

static void a_block_adds_up_through_shared_memory(void **state)
{
    (void)state;
    float *x = numbers(1024), *sums = room(4 * sizeof *sums), part[256];
    assert_null(RUN(block_sum, (4, 1, 1), (256, 1, 1), &x, &sums));
    for (int b = 0; b < 4; b++) {
        memcpy(part, x + b * 256, sizeof part);
        for (int half = 128; half > 0; half /= 2)
            for (int t = 0; t < half; t++) part[t] += part[t + half];
        assert_memory_equal(&part[0], &sums[b], sizeof(float));
    }
    free(x);
    free(sums);
}

static void a_warp_adds_up_by_shuffles(void **state)
{
    (void)state;
    float     *x = numbers(64), *by_xor = room(64 * sizeof *by_xor);
    double    *by_down = room(64 * sizeof *by_down);
    long long *prefix = room(64 * sizeof *prefix);
    assert_null(RUN(warp_sums, (1, 1, 1), (64, 1, 1), &x, &by_xor, &by_down, &prefix));
    for (int w = 0; w < 64; w += 32) {
        float  a[32], next[32];
        double b[32];
        for (int t = 0; t < 32; t++) b[t] = a[t] = x[w + t];
        for (int by = 16; by > 0; by /= 2) {
            for (int t = 0; t < 32; t++) next[t] = a[t] + a[t ^ by];
            memcpy(a, next, sizeof a);
            for (int t = 0; t < 32; t++) b[t] += t + by < 32 ? b[t + by] : b[t];
        }
        for (int t = 0; t < 32; t++) assert_true(by_xor[w + t] == a[t]);
        assert_true(by_down[w] == b[0]);
        for (int t = 0; t < 32; t++) assert_int_equal(prefix[w + t], (w + w + t) * (t + 1) / 2);
    }
    free(x);
    free(by_xor);
    free(by_down);
    free(prefix);
}

static void parts_of_a_warp_meet_by_their_own_masks(void **state)
{
    (void)state;
    int *out = room(64 * sizeof *out);
    assert_null(RUN(half_warps, (1, 1, 1), (64, 1, 1), &out));
    for (int t = 0; t < 64; t++) {
        int w = t / 32 * 32, from = 31 - t % 32;
        assert_int_equal(out[t], from < 16 ? (w + 3) * 10 : (w + 21) * 10 + 1);
    }
    free(out);
}

static void warps_and_blocks_vote(void **state)
{
    (void)state;
    unsigned *ballot = room(64 * sizeof *ballot);
    int      *rest = room(64 * sizeof *rest);
    assert_null(RUN(votes, (1, 1, 1), (64, 1, 1), &ballot, &rest));
    for (int t = 0; t < 64; t++) {
        unsigned expected = 0;
        for (int k = 0; k < 32; k++) expected |= (unsigned)((t / 32 * 32 + k) % 3 == 0) << k;
        assert_int_equal(ballot[t], expected);
        assert_int_equal(rest[t], (t >= 32 ? 1 : 2) + 20 + 1000);
    }
    free(ballot);
    free(rest);
}

static void atomics_give_the_least_and_the_sum(void **state)
{
    (void)state;
    unsigned long long *slot = room(sizeof *slot);
    int                *count = room(sizeof *count);
    double             *sum = room(sizeof *sum);
    *slot = ~0ull;
    assert_null(RUN(least, (3, 1, 1), (100, 1, 1), &slot, &count, &sum));
    assert_true(*slot == ((1000ull - 299) << 16 | 99));
    assert_int_equal(*count, 300);
    assert_true(*sum == 150);
    free(slot);
    free(count);
    free(sum);
}

static void tiles_give_the_bits_of_the_plain_loop(void **state)
{
    (void)state;
    enum { N = 64 };
    int    n = N;
    float *x = numbers(N * N), *out = room(N * N * sizeof *out);
    assert_null(RUN(tiles, (N / 16, N / 16, 1), (16, 16, 1), &x, &out, &n));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++) sum += x[i * N + k] * x[j * N + k];
            assert_memory_equal(&sum, &out[i * N + j], sizeof sum);
        }
    free(x);
    free(out);
}

static void a_block_finds_nothing_of_the_block_before(void **state)
{
    (void)state;
    float *out = room(96 * sizeof *out);
    assert_null(RUN(left_over, (3, 1, 1), (32, 1, 1), &out));
    for (int i = 0; i < 96; i++) assert_false(out[i] == 7.0f || out[i] == 0.0f);
    free(out);
}

static void what_depends_on_the_order_of_threads_shows(void **state)
{
    (void)state;
    int *out = room(128 * sizeof *out), wrong = 0;
    assert_null(RUN(unordered, (2, 1, 1), (64, 1, 1), &out));
    for (int i = 0; i < 128; i++) wrong += out[i] != i % 64 - 1;
    assert_int_equal(wrong, 63);
    free(out);
}

static void instructions_mean_what_they_say(void **state)
{
    (void)state;
    float  *f = room(4 * sizeof *f);
    double *d = room(4 * sizeof *d);
    int    *i = room(3 * sizeof *i);
    f[0] = 1.1f, f[1] = 3.3f, d[0] = 1.1, d[1] = 3.3;
    assert_null(RUN(instructions, (1, 1, 1), (1, 1, 1), &f, &d, &i));
    assert_true(f[2] == fmaf(f[0], f[1], -(f[0] * f[1])) && f[2] != 0);
    assert_true(d[2] == fma(d[0], d[1], -(d[0] * d[1])) && d[2] != 0);
    assert_true(f[3] == sqrtf(f[0] + f[1]) && d[3] == sqrt(d[0]) / d[1]);
    assert_int_equal(i[0], 40000 + 800 + 31);
    assert_int_equal(i[1], 1);
    assert_int_equal(i[2], 0x7fc12345);
    free(f);
    free(d);
    free(i);
}

static void expect_error(const char *error, const char *part)
{
    assert_non_null(error);
    if (!strstr(error, part)) print_error("'%s' is not in '%s'\n", part, error);
    assert_non_null(strstr(error, part));
}

static void threads_that_miss_one_another_are_an_error_and_the_next_launch_runs(void **state)
{
    (void)state;
    int *out = room(64 * sizeof *out), zero = 0;
    expect_error(RUN(skips_barrier, (1, 1, 1), (64, 1, 1), &out), "of 64 threads 63 wait at __syncthreads");
    expect_error(RUN(two_barriers, (1, 1, 1), (64, 1, 1), &out), "were taken for one another");
    expect_error(RUN(misses_lane, (1, 1, 1), (64, 1, 1), &out), "wait at __syncthreads and 31 at a warp operation");
    unsigned mask = 0xffffffff;
    expect_error(RUN(wrong_mask, (1, 1, 1), (40, 1, 1), &out, &mask, &zero), "names lanes that the block has not (000000ff)");
    mask = 1;
    expect_error(RUN(wrong_mask, (1, 1, 1), (2, 1, 1), &out, &mask, &zero), "lane 1 is not in the mask 00000001 that it gives");
    int three = 3;
    expect_error(RUN(wrong_mask, (1, 1, 1), (1, 1, 1), &out, &mask, &three), "takes a value from lane 3, which is not in the mask");
    assert_null(RUN(half_warps, (1, 1, 1), (64, 1, 1), &out));
    expect_error(RUN(half_warps, (1, 1, 1), (64, 32, 1), &out), "1024 threads");
    free(out);
}

#ifdef HARNESS_SANITIZED
/* What a child that runs the kernel says before it is ended. */
static void expect_death(void (*entry)(void **), int argument, const char *part)
{
    int  ends[2];
    char text[8192] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        int *out = room(64 * sizeof *out);
        dup2(ends[1], 2);
        close(ends[0]);
        (void)launch(entry, U3(1, 1, 1), U3(64, 1, 1), (void *[]){&out, &argument});
        free(out);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;) length += (size_t)got;
    text[length] = 0;
    char rest[4096];
    while (read(ends[0], rest, sizeof rest) > 0) continue;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!strstr(text, part)) print_error("'%s' is not in:\n%s\n", part, text);
    assert_non_null(strstr(text, part));
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void the_sanitizers_see_what_kernels_do(void **state)
{
    (void)state;
    expect_death(harness_entry_writes_past, 64, "heap-buffer-overflow");
    expect_death(harness_entry_shared_past, 9, "global-buffer-overflow");
    expect_death(harness_entry_stack_past, 8, "stack-buffer-overflow");
    expect_death(harness_entry_overflows, 2147483647, "signed integer overflow");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_of_every_block_has_its_place),
        cmocka_unit_test(a_block_adds_up_through_shared_memory),
        cmocka_unit_test(a_warp_adds_up_by_shuffles),
        cmocka_unit_test(parts_of_a_warp_meet_by_their_own_masks),
        cmocka_unit_test(warps_and_blocks_vote),
        cmocka_unit_test(atomics_give_the_least_and_the_sum),
        cmocka_unit_test(tiles_give_the_bits_of_the_plain_loop),
        cmocka_unit_test(a_block_finds_nothing_of_the_block_before),
        cmocka_unit_test(what_depends_on_the_order_of_threads_shows),
        cmocka_unit_test(instructions_mean_what_they_say),
        cmocka_unit_test(threads_that_miss_one_another_are_an_error_and_the_next_launch_runs),
#ifdef HARNESS_SANITIZED
        cmocka_unit_test(the_sanitizers_see_what_kernels_do),
#endif
    };
    return cmocka_run_group_tests_name("the fibre harness", tests, NULL, NULL);
}
