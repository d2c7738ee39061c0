/* The cache of compiled code: keys, damage, folders that cannot be used, the limit; and the probe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "rt/cache.h"

typedef struct fixture {
    ilc__context ctx;
    char        *folder;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    ilc__context_init(&f->ctx);
    f->folder = ilc__temporary_make(&f->ctx.arena);
    *state = f;
    return f->folder ? 0 : -1;
}

static int teardown(void **state)
{
    fixture *f = *state;
    ilc__temporary_remove(f->folder);
    ilc__context_free(&f->ctx);
    free(f);
    return 0;
}

static ilc__cache_key key_of(const char *text)
{
    return ilc__cache_key_of(&text, 1);
}

static void open_cache(fixture *f, ilc__cache *cache)
{
    ilc__cache_open(cache, &f->ctx, &f->ctx.arena, f->folder);
}

static void put(fixture *f, ilc__cache *cache, const char *key, const char *value)
{
    ilc__cache_key k = key_of(key);
    ilc__cache_put(cache, &f->ctx.arena, &k, value, strlen(value) + 1);
}

static const char *get(fixture *f, ilc__cache *cache, const char *key)
{
    ilc__cache_key k = key_of(key);
    const void    *bytes;
    size_t         size;
    if (!ilc__cache_get(cache, &k, &f->ctx.arena, &bytes, &size)) return NULL;
    assert_int_equal(size, strlen(bytes) + 1);
    return bytes;
}

static const char *path_of(fixture *f, const char *key)
{
    return ilc__arena_printf(&f->ctx.arena, "%s/%s.ilc", f->folder, key_of(key).text);
}

static void what_is_put_is_got_also_by_another_cache(void **state)
{
    fixture   *f = *state;
    ilc__cache one, two;
    open_cache(f, &one);
    assert_string_equal(one.directory, f->folder);
    assert_null(get(f, &one, "a"));
    put(f, &one, "a", "alpha");
    put(f, &one, "b", "");
    open_cache(f, &two);
    assert_string_equal(get(f, &two, "a"), "alpha");
    assert_string_equal(get(f, &two, "b"), "");
    assert_null(get(f, &two, "c"));
    put(f, &two, "a", "beta");
    assert_string_equal(get(f, &one, "a"), "beta");
    struct stat info;
    assert_int_equal(stat(path_of(f, "a"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(f->ctx.diags.count, 0);
}

static void keys_keep_their_parts_apart(void **state)
{
    (void)state;
    const char    *ab[] = {"ab", "c"}, *a[] = {"a", "bc"}, *abc[] = {"abc"}, *empty[] = {"ab", "c", ""};
    ilc__cache_key keys[] = {ilc__cache_key_of(ab, 2), ilc__cache_key_of(a, 2), ilc__cache_key_of(abc, 1),
                             ilc__cache_key_of(empty, 3)};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(keys[i].text, keys[j].text);
    assert_string_equal(keys[0].text, ilc__cache_key_of(ab, 2).text);
    assert_int_equal(strlen(keys[0].text), 32);
}

static void damage_at_any_byte_is_a_miss_and_is_removed(void **state)
{
    fixture   *f = *state;
    ilc__cache cache;
    open_cache(f, &cache);
    put(f, &cache, "a", "some code");
    const char *path = path_of(f, "a");
    ilc__file   file;
    assert_int_equal(ilc__file_map(&f->ctx, path, &file), ILC_OK);
    size_t   size = file.size;
    uint8_t *whole = ilc__arena_copy(&f->ctx.arena, file.bytes, size);
    ilc__file_unmap(&file);
    for (size_t i = 0; i < size; i++)
        for (int bit = 0; bit < 8; bit += 7) {
            uint8_t *bad = ilc__arena_copy(&f->ctx.arena, whole, size);
            bad[i] = (uint8_t)(bad[i] ^ (1u << bit));
            assert_int_equal(ilc__file_write(&f->ctx, path, bad, size, 0600), ILC_OK);
            assert_null(get(f, &cache, "a"));
            assert_false(ilc__file_exists(path));
        }
    for (size_t length = 0; length < size; length++) { /* torn */
        assert_int_equal(ilc__file_write(&f->ctx, path, whole, length, 0600), ILC_OK);
        assert_null(get(f, &cache, "a"));
    }
    uint8_t *longer = ilc__arena_alloc(&f->ctx.arena, size + 1);
    memcpy(longer, whole, size);
    assert_int_equal(ilc__file_write(&f->ctx, path, longer, size + 1, 0600), ILC_OK);
    assert_null(get(f, &cache, "a"));
    /* Another entry's bytes under this name. */
    assert_int_equal(ilc__file_write(&f->ctx, path_of(f, "b"), whole, size, 0600), ILC_OK);
    assert_null(get(f, &cache, "b"));
    assert_int_equal(ilc__file_write(&f->ctx, path, whole, size, 0600), ILC_OK);
    assert_string_equal(get(f, &cache, "a"), "some code");
    assert_int_equal(f->ctx.diags.count, 0);
}

static void a_folder_that_cannot_be_used_means_memory_only(void **state)
{
    fixture    *f = *state;
    const char *file = ilc__arena_printf(&f->ctx.arena, "%s/file", f->folder);
    assert_int_equal(ilc__file_write(&f->ctx, file, "x", 1, 0600), ILC_OK);
    const char *below = ilc__arena_printf(&f->ctx.arena, "%s/below", file);
    const char *unusable[] = {"", file, below, "/proc/ilcuda", "/dev/null"};
    for (int i = 0; i < 5; i++) {
        ilc__cache cache;
        ilc__cache_open(&cache, &f->ctx, &f->ctx.arena, unusable[i]);
        assert_null(cache.directory);
        put(f, &cache, "a", "alpha");
        assert_string_equal(get(f, &cache, "a"), "alpha");
        assert_null(get(f, &cache, "b"));
    }
    assert_int_equal(f->ctx.diags.count, 0);
}

static void a_read_only_folder_serves_what_it_has_and_memory_the_rest(void **state)
{
    fixture   *f = *state;
    ilc__cache cache;
    open_cache(f, &cache);
    put(f, &cache, "a", "alpha");
    assert_int_equal(chmod(f->folder, 0500), 0);
    if (getuid() == 0) cache.directory = "/proc/sys"; /* root may write anywhere but there */
    put(f, &cache, "b", "beta");
    assert_string_equal(get(f, &cache, "b"), "beta");
    assert_int_equal(chmod(f->folder, 0700), 0);
    assert_false(ilc__file_exists(path_of(f, "b")));
    cache.directory = f->folder;
    assert_string_equal(get(f, &cache, "a"), "alpha");
    assert_int_equal(f->ctx.diags.count, 0);
}

static void a_folder_that_others_can_write_to_is_not_trusted(void **state)
{
    fixture   *f = *state;
    ilc__cache cache;
    assert_int_equal(chmod(f->folder, 0777), 0);
    open_cache(f, &cache);
    assert_null(cache.directory);
    assert_int_equal(chmod(f->folder, 0720), 0);
    open_cache(f, &cache);
    assert_null(cache.directory);
    assert_int_equal(chmod(f->folder, 0700), 0);
    open_cache(f, &cache);
    assert_non_null(cache.directory);
}

static void the_folder_is_made_with_its_parents_and_private(void **state)
{
    fixture    *f = *state;
    const char *parent = ilc__arena_printf(&f->ctx.arena, "%s/p", f->folder);
    const char *path = ilc__arena_printf(&f->ctx.arena, "%s/q", parent);
    ilc__cache  cache;
    struct stat info;
    ilc__cache_open(&cache, &f->ctx, &f->ctx.arena, path);
    assert_string_equal(cache.directory, path);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    rmdir(path);
    rmdir(parent);
}

static void set_used(const char *path, long seconds)
{
    const struct timespec times[2] = {{seconds, 0}, {seconds, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void over_the_limit_the_least_recently_used_goes_first(void **state)
{
    fixture   *f = *state;
    ilc__cache cache;
    char       value[1001], name[2] = "a";
    memset(value, 'x', 1000);
    value[1000] = 0;
    open_cache(f, &cache);
    cache.limit = 10 * 1041;
    for (int i = 0; i < 10; i++) {
        name[0] = (char)('a' + i);
        put(f, &cache, name, value);
        set_used(path_of(f, name), 1000 + i);
    }
    assert_non_null(get(f, &cache, "a")); /* used now: the newest */
    put(f, &cache, "k", value);
    /* One too many, and a tenth besides. */
    assert_null(get(f, &cache, "b"));
    assert_null(get(f, &cache, "c"));
    for (const char *left = "adefghijk"; *left; left++) {
        name[0] = *left;
        assert_non_null(get(f, &cache, name));
    }
}

static void info_counts_and_clear_removes_entries_and_nothing_else(void **state)
{
    fixture   *f = *state;
    ilc__cache cache;
    open_cache(f, &cache);
    put(f, &cache, "a", "alpha");
    put(f, &cache, "b", "beta");
    const char *other = ilc__arena_printf(&f->ctx.arena, "%s/notes.txt", f->folder);
    const char *left = ilc__arena_printf(&f->ctx.arena, "%s.123.4.tmp", path_of(f, "a"));
    assert_int_equal(ilc__file_write(&f->ctx, other, "x", 1, 0600), ILC_OK);
    assert_int_equal(ilc__file_write(&f->ctx, left, "x", 1, 0600), ILC_OK);
    ilc__cache_info info;
    uint64_t        removed;
    assert_int_equal(ilc__cache_info_get(&f->ctx, f->folder, &info), ILC_OK);
    assert_string_equal(info.directory, f->folder);
    assert_int_equal(info.entries, 2);
    assert_int_equal(info.bytes, 2 * 40 + 6 + 5);
    assert_int_equal(info.limit, 1000000000);
    assert_int_equal(ilc__cache_clear(&f->ctx, f->folder, &removed), ILC_OK);
    assert_int_equal(removed, 2);
    assert_false(ilc__file_exists(path_of(f, "a")) || ilc__file_exists(left));
    assert_true(ilc__file_exists(other));
    assert_int_equal(ilc__cache_clear(&f->ctx, f->folder, &removed), ILC_OK);
    assert_int_equal(removed, 0);
    assert_int_equal(ilc__cache_info_get(&f->ctx, "", &info), ILC_OK);
    assert_null(info.directory);
}

/* --- the engine's use of it -------------------------------------------------------------------------------
 */

static const char source[] = "void f(const void *const *a, const long long *b, const long long *e) {}\n";
static const char *const entries[] = {"f"};

static bool compile_was_cached(fixture *f, const char *folder, const char *compiler, const char *optimise)
{
    ilc__engine_options options = {
        .compiler = compiler, .optimise = optimise, .threads = 1, .cache_dir = folder};
    ilc__engine *engine;
    ilc__module *module;
    const char  *log;
    assert_int_equal(ilc__engine_create(&f->ctx, &options, &engine), ILC_OK);
    assert_int_equal(ilc__engine_compile(engine, "f", source, entries, 1, &module, &log), ILC_OK);
    bool        cached = ilc__module_was_cached(module);
    ilc__launch launch = {.dims = 1, .extents = {3}, .trap_arg = -1};
    assert_int_equal(ilc__engine_launch(engine, module, 0, &launch), ILC_OK);
    ilc__engine_destroy(engine);
    return cached;
}

static void the_second_compilation_comes_from_the_cache(void **state)
{
    fixture *f = *state;
    assert_false(compile_was_cached(f, f->folder, "cc", NULL));
    assert_true(compile_was_cached(f, f->folder, "cc", NULL));
    /* Whatever can change the result is another entry. */
    assert_false(compile_was_cached(f, f->folder, "cc", "-O1"));
    assert_true(compile_was_cached(f, f->folder, "cc", "-O1"));
    assert_false(compile_was_cached(f, "", "cc", NULL));
    const char *tcc[] = {"tcc", "--version", NULL};
    int         code;
    char       *output;
    if (!ilc__process_run(&f->ctx.arena, tcc, 20, 100, &code, &output)) {
        print_message("skipped with tcc: it is not there\n");
        return;
    }
    assert_false(compile_was_cached(f, f->folder, "tcc", NULL));
    assert_true(compile_was_cached(f, f->folder, "tcc", NULL));
}

static fixture *damaging;
static void     damage_one(void *user, const char *name)
{
    (void)user;
    const char *path = ilc__arena_printf(&damaging->ctx.arena, "%s/%s", damaging->folder, name);
    assert_int_equal(truncate(path, 100), 0);
}

static void a_damaged_entry_is_built_anew(void **state)
{
    fixture *f = damaging = *state;
    assert_false(compile_was_cached(f, f->folder, "cc", NULL));
    assert_true(ilc__directory_each(&f->ctx.arena, f->folder, damage_one, NULL));
    assert_false(compile_was_cached(f, f->folder, "cc", NULL));
    assert_true(compile_was_cached(f, f->folder, "cc", NULL));
    assert_int_equal(f->ctx.diags.count, 0);
}

/* --- the probe --------------------------------------------------------------------------------------------
 */

static void the_probe_names_what_is_there_and_one_command_for_what_is_not(void **state)
{
    fixture            *f = *state;
    ilc__engine_options options = {.compiler = "cc", .cache_dir = f->folder};
    ilc__engine_options cuda = {.kind = ILC__ENGINE_CUDA, .cache_dir = f->folder};
    ilc__probe          probe;
    assert_int_equal(ilc__probe_run(&f->ctx, &f->ctx.arena, &options, &cuda, &probe), ILC_OK);
    assert_true(probe.cpu_ok);
    bool seen_cpu = false, seen_cache = false, seen_driver = false;
    for (uint32_t i = 0; i < probe.count; i++) {
        const ilc__finding *finding = &probe.findings[i];
        print_message("%s %s: %s%s%s\n", finding->ok ? "ok " : "-- ", finding->subject, finding->detail,
                      finding->command ? " -> " : "", finding->command ? finding->command : "");
        if (finding->ok) assert_null(finding->command);
        seen_cpu |= strcmp(finding->subject, "CPU engine") == 0 && strstr(finding->detail, "-O2");
        seen_cache |= strcmp(finding->subject, "cache") == 0 && strstr(finding->detail, f->folder);
        seen_driver |= strcmp(finding->subject, "NVIDIA driver") == 0;
    }
    assert_true(seen_cpu && seen_cache && seen_driver);
    options.compiler = "/nowhere/cc";
    options.cache_dir = "/proc/nothing";
    assert_int_equal(ilc__probe_run(&f->ctx, &f->ctx.arena, &options, &cuda, &probe), ILC_OK);
    assert_false(probe.cpu_ok);
    assert_false(probe.findings[probe.count - 1].ok);
    assert_string_equal(probe.findings[probe.count - 1].command, "mkdir -p -m 700 '/proc/nothing'");
    assert_int_equal(f->ctx.diags.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(what_is_put_is_got_also_by_another_cache),
        TEST(keys_keep_their_parts_apart),
        TEST(damage_at_any_byte_is_a_miss_and_is_removed),
        TEST(a_folder_that_cannot_be_used_means_memory_only),
        TEST(a_read_only_folder_serves_what_it_has_and_memory_the_rest),
        TEST(a_folder_that_others_can_write_to_is_not_trusted),
        TEST(the_folder_is_made_with_its_parents_and_private),
        TEST(over_the_limit_the_least_recently_used_goes_first),
        TEST(info_counts_and_clear_removes_entries_and_nothing_else),
        TEST(the_second_compilation_comes_from_the_cache),
        TEST(a_damaged_entry_is_built_anew),
        TEST(the_probe_names_what_is_there_and_one_command_for_what_is_not),
    };
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
