/* Files, folders, processes, libraries, threads and the floating-point environment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <fenv.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/os.h"

static ilc__context ctx;
static char        *folder;

static int setup(void **state)
{
    (void)state;
    ilc__context_init(&ctx);
    folder = ilc__temporary_make(&ctx.arena);
    return folder ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    ilc__temporary_remove(folder);
    assert_false(ilc__directory_exists(folder));
    ilc__context_free(&ctx);
    return 0;
}

static const char *in_folder(const char *name)
{
    return ilc__arena_printf(&ctx.arena, "%s/%s", folder, name);
}

static void expect_content(const char *path, const void *bytes, size_t size)
{
    ilc__file file;
    assert_int_equal(ilc__file_map(&ctx, path, &file), ILC_OK);
    assert_int_equal(file.size, size);
    assert_memory_equal(file.bytes, bytes, size);
    ilc__file_unmap(&file);
    assert_null(file.bytes);
    ilc__file_unmap(&file); /* twice is harmless */
}

static void files_come_back_as_written(void **state)
{
    (void)state;
    const char *path = in_folder("f");
    expect_content("/proc/self/maps", "", 0); /* says it has no size: an empty file */
    assert_int_equal(ilc__file_write(&ctx, path, "hello", 5, 0600), ILC_OK);
    expect_content(path, "hello", 5);
    assert_int_equal(ilc__file_write(&ctx, path, "", 0, 0600), ILC_OK);
    expect_content(path, "", 0);
    uint64_t size;
    int64_t  used;
    assert_true(ilc__file_stat(path, &size, &used));
    assert_int_equal(size, 0);
    assert_true(ilc__file_exists(path));
    ilc__file_remove(path);
    assert_false(ilc__file_exists(path));
    assert_false(ilc__file_stat(path, &size, &used));
}

static void a_large_file_is_mapped_and_right_to_its_end(void **state)
{
    (void)state;
    const char *path = in_folder("large");
    size_t      size = (64u << 20) + 4097;
    assert_int_equal(ilc__file_write(&ctx, path, "start", 5, 0600), ILC_OK);
    assert_int_equal(truncate(path, (off_t)size), 0);
    ilc__file file;
    assert_int_equal(ilc__file_map(&ctx, path, &file), ILC_OK);
    assert_int_equal(file.size, size);
    assert_memory_equal(file.bytes, "start", 5);
    assert_int_equal(file.bytes[size - 1], 0);
    ilc__file_unmap(&file);
}

static void what_is_no_readable_file_gives_one_clear_line(void **state)
{
    (void)state;
    const char *fifo = in_folder("fifo"), *file = in_folder("file");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(ilc__file_write(&ctx, file, "x", 1, 0600), ILC_OK);
    const struct {
        const char *path, *reason;
    } bad[] = {{in_folder("none"), "there is no such file"},
               {folder, "it is a folder"},
               {fifo, "it is not a regular file"},
               {"/dev/zero", "it is not a regular file"},
               {ilc__arena_printf(&ctx.arena, "%s/x", file), "a part of the path is not a folder"},
               {"", "there is no such file"}};
    for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ilc__file got;
        assert_int_equal(ilc__file_map(&ctx, bad[i].path, &got), ILC_IO);
        assert_null(got.bytes);
        assert_int_equal(ctx.diags.count, i + 1);
        assert_non_null(strstr(ctx.diags.items[i].text, bad[i].reason));
    }
}

static void a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(void **state)
{
    (void)state;
    assert_int_equal(ilc__file_write(&ctx, folder, "x", 1, 0600), ILC_IO);
    assert_int_equal(ilc__file_write(&ctx, in_folder("no/file"), "x", 1, 0600), ILC_IO);
    assert_int_equal(ilc__file_write(&ctx, "/proc/nothing", "x", 1, 0600), ILC_IO);
    assert_int_equal(ctx.diags.count, 3);
    assert_non_null(strstr(ctx.diags.items[0].text, "the file could not be written: it is a folder"));
}

static void a_device_is_written_to_and_a_link_stays_a_link(void **state)
{
    (void)state;
    struct stat info;
    const char *target = in_folder("target"), *link = in_folder("link");
    assert_int_equal(ilc__file_write(&ctx, "/dev/null", "x", 1, 0600), ILC_OK);
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    assert_int_equal(ilc__file_write(&ctx, target, "old", 3, 0600), ILC_OK);
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(ilc__file_write(&ctx, link, "new", 3, 0600), ILC_OK);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    expect_content(target, "new", 3);
}

static void count_name(void *user, const char *name)
{
    assert_true(strcmp(name, "a") == 0 || strcmp(name, "b") == 0);
    ++*(int *)user;
}

static void folders_are_made_with_parents_and_listed(void **state)
{
    (void)state;
    int         count = 0;
    const char *deep = in_folder("x/y/z");
    assert_true(ilc__directory_make(deep, 0700));
    assert_true(ilc__directory_make(deep, 0700));
    assert_true(ilc__directory_private(deep));
    assert_false(ilc__directory_make("", 0700));
    assert_int_equal(ilc__file_write(&ctx, in_folder("x/y/z/a"), "", 0, 0600), ILC_OK);
    assert_int_equal(ilc__file_write(&ctx, in_folder("x/y/z/b"), "", 0, 0600), ILC_OK);
    assert_false(ilc__directory_make(in_folder("x/y/z/a"), 0700));
    assert_true(ilc__directory_each(&ctx.arena, deep, count_name, &count));
    assert_int_equal(count, 2);
    assert_false(ilc__directory_each(&ctx.arena, in_folder("none"), count_name, &count));
    assert_int_equal(chmod(deep, 0770), 0);
    assert_false(ilc__directory_private(deep));
    ilc__temporary_remove(deep);
    ilc__temporary_remove(in_folder("x/y"));
    ilc__temporary_remove(in_folder("x"));
}

static void peeking_reads_what_has_no_size(void **state)
{
    (void)state;
    char text[64], tiny[4];
    assert_true(ilc__file_peek("/proc/self/comm", text, sizeof text) > 0);
    assert_non_null(strstr(text, "os_test"));
    assert_int_equal(ilc__file_peek("/proc/self/comm", tiny, sizeof tiny), 3);
    assert_string_equal(tiny, "os_");
    assert_int_equal(ilc__file_peek(in_folder("none"), text, sizeof text), 0);
    assert_string_equal(text, "");
}

/* --- processes --------------------------------------------------------------------------------------------
 */

static bool run(const char *script, double limit, size_t max, int *exit_code, char **output)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    return ilc__process_run(&ctx.arena, argv, limit, max, exit_code, output);
}

static void a_process_gives_its_output_and_exit_code(void **state)
{
    (void)state;
    int   code;
    char *output;
    assert_true(run("echo out; echo err >&2; cat; exit 3", 10, 1000, &code, &output));
    assert_int_equal(code, 3);
    assert_string_equal(output, "out\nerr\n");
    assert_true(run("kill -9 $$", 10, 1000, &code, &output));
    assert_int_equal(code, 128 + 9);
    assert_true(run("yes | head -c 300000", 10, 100, &code, &output)); /* the rest is read and dropped */
    assert_int_equal(code, 0);
    assert_int_equal(strlen(output), 100);
    const char *words[] = {"printf", "%s|", "two words", "$HOME", "*", NULL};
    assert_true(ilc__process_run(&ctx.arena, words, 10, 1000, &code, &output));
    assert_string_equal(output, "two words|$HOME|*|"); /* no shell in between */
}

static void a_process_that_cannot_start_or_does_not_end_is_false(void **state)
{
    (void)state;
    int         code;
    char       *output;
    const char *absent[] = {"/nowhere/program", NULL};
    assert_false(ilc__process_run(&ctx.arena, absent, 10, 100, &code, &output));
    double start = ilc__clock_seconds();
    assert_false(run("echo started; sleep 100 & sleep 100", 0.3, 100, &code, &output));
    assert_true(ilc__clock_seconds() - start < 5);
    assert_string_equal(output, "started\n");
    /* A grandchild that keeps the pipe open is not waited for. */
    start = ilc__clock_seconds();
    assert_true(run("(sleep 3 &) ; echo done", 10, 100, &code, &output));
    assert_true(ilc__clock_seconds() - start < 2.5);
    assert_string_equal(output, "done\n");
}

static void a_host_that_ignores_child_signals_can_run_processes(void **state)
{
    (void)state;
    int   code;
    char *output;
    void (*before)(int) = signal(SIGCHLD, SIG_IGN);
    assert_true(run("echo here", 10, 100, &code, &output));
    signal(SIGCHLD, before);
    assert_string_equal(output, "here\n");
}

/* --- libraries --------------------------------------------------------------------------------------------
 */

static void a_library_is_loaded_from_memory_again_and_again(void **state)
{
    (void)state;
    enum { LIBRARIES = 10 };
    void *loaded[LIBRARIES];
    int   code;
    char *output;
    for (int i = 0; i < LIBRARIES; i++) {
        /* The values differ, so that one library for another would show. */
        char script[300];
        snprintf(script, sizeof script,
                 "cd '%s' && echo 'int value = %d;' > v.c && cc -shared -fPIC -o v.so v.c", folder, i);
        assert_true(run(script, 20, 1000, &code, &output));
        assert_int_equal(code, 0);
        ilc__file file;
        assert_int_equal(ilc__file_map(&ctx, in_folder("v.so"), &file), ILC_OK);
        loaded[i] = ilc__library_load(file.bytes, file.size);
        ilc__file_unmap(&file);
        ilc__file_remove(in_folder("v.so"));
        assert_non_null(loaded[i]);
    }
    for (int i = 0; i < LIBRARIES; i++) {
        int *value = ilc__library_find(loaded[i], "value");
        assert_non_null(value);
        assert_int_equal(*value, i);
        assert_null(ilc__library_find(loaded[i], "nothing_of_the_kind"));
        ilc__library_close(loaded[i]);
    }
    assert_null(ilc__library_load("not an ELF file", 15));
    assert_null(ilc__library_open("/nowhere/lib.so"));
    assert_null(ilc__library_loaded("libof-nothing.so.1"));
    void *libc = ilc__library_loaded("libc.so.6");
    assert_non_null(libc);
    ilc__library_close(libc);
}

/* --- threads, clocks, environment, floating point ---------------------------------------------------------
 */

typedef struct baton {
    ilc__mutex     *mutex;
    ilc__condition *changed;
    int             turn, total;
} baton;

static void pass_on(void *user)
{
    baton *b = user;
    for (int i = 0; i < 100; i++) {
        ilc__mutex_lock(b->mutex);
        while (b->turn != 1)
            ilc__condition_wait(b->changed, b->mutex);
        b->turn = 0;
        b->total++;
        ilc__condition_broadcast(b->changed);
        ilc__mutex_unlock(b->mutex);
    }
}

static void threads_wait_for_each_other(void **state)
{
    (void)state;
    baton        b = {ilc__mutex_create(), ilc__condition_create(), 0, 0};
    ilc__thread *thread = ilc__thread_start(pass_on, &b, 0);
    assert_non_null(thread);
    for (int i = 0; i < 100; i++) {
        ilc__mutex_lock(b.mutex);
        while (b.turn != 0)
            ilc__condition_wait(b.changed, b.mutex);
        b.turn = 1;
        b.total++;
        ilc__condition_broadcast(b.changed);
        ilc__mutex_unlock(b.mutex);
    }
    ilc__thread_join(thread);
    assert_int_equal(b.total, 200);
    ilc__condition_destroy(b.changed);
    ilc__mutex_destroy(b.mutex);
    ilc__mutex_destroy(NULL);
    ilc__condition_destroy(NULL);
}

static void empty_variables_count_as_unset(void **state)
{
    (void)state;
    setenv("ILCUDA_OS_TEST", "", 1);
    assert_null(ilc__environment("ILCUDA_OS_TEST"));
    setenv("ILCUDA_OS_TEST", "x", 1);
    assert_string_equal(ilc__environment("ILCUDA_OS_TEST"), "x");
    unsetenv("ILCUDA_OS_TEST");
    assert_null(ilc__environment("ILCUDA_OS_TEST"));
    assert_true(ilc__processor_count() >= 1);
    assert_int_equal(ilc__process_id(), getpid());
}

static void a_temporary_folder_is_private_and_made_where_it_can_be(void **state)
{
    (void)state;
    const char *before = getenv("TMPDIR");
    char       *kept = before ? ilc__arena_strdup(&ctx.arena, before) : NULL;
    setenv("TMPDIR", "/nowhere", 1);
    char *path = ilc__temporary_make(&ctx.arena);
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    struct stat info;
    assert_non_null(path);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    ilc__temporary_remove(path);
}

static void the_floating_point_environment_is_set_and_restored(void **state)
{
    (void)state;
    /* Each result is volatile, so that it is computed where it is written. */
    volatile float one = 1.0f, three = 3.0f, least = 1.17549435e-38f;
    volatile float nearest = one / three;
    assert_int_equal(fesetround(FE_DOWNWARD), 0);
    volatile float downward = one / three;
    assert_true(downward != nearest);
    uint32_t       saved = ilc__fp_enter();
    volatile float inside = one / three, half = least * 0.5f;
    ilc__fp_leave(saved);
    volatile float after = one / three;
    assert_true(fegetround() == FE_DOWNWARD);
    fesetround(FE_TONEAREST);
    assert_true(inside == nearest);
    assert_true(after == downward);
    assert_true(half > 0);
#if defined(__x86_64__)
    /* Denormals flushed and taken as zero, as -ffast-math programs start. */
    uint32_t mxcsr = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(mxcsr | 0x8040);
    volatile float flushed = least * 0.5f;
    saved = ilc__fp_enter();
    volatile float kept = least * 0.5f;
    ilc__fp_leave(saved);
    uint32_t left = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(mxcsr);
    assert_true(flushed == 0 && kept > 0);
    assert_int_equal(left & 0x8040, 0x8040);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(files_come_back_as_written),
        TEST(a_large_file_is_mapped_and_right_to_its_end),
        TEST(what_is_no_readable_file_gives_one_clear_line),
        TEST(a_write_that_fails_leaves_the_old_file_and_nothing_beside_it),
        TEST(a_device_is_written_to_and_a_link_stays_a_link),
        TEST(folders_are_made_with_parents_and_listed),
        TEST(peeking_reads_what_has_no_size),
        TEST(a_process_gives_its_output_and_exit_code),
        TEST(a_process_that_cannot_start_or_does_not_end_is_false),
        TEST(a_host_that_ignores_child_signals_can_run_processes),
        TEST(a_library_is_loaded_from_memory_again_and_again),
        TEST(threads_wait_for_each_other),
        TEST(empty_variables_count_as_unset),
        TEST(a_temporary_folder_is_private_and_made_where_it_can_be),
        TEST(the_floating_point_environment_is_set_and_restored),
    };
    return cmocka_run_group_tests_name("operating system", tests, NULL, NULL);
}
