/* Two tiers of code on the CPU engine: what runs until the compiler is through, where a launch goes over to the other code, and what
 * is left of a compilation that nobody waited for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/rt.h"

enum { FIRST_TIER_IS_MISSING = 77 };
static char  original_path[4096];
static char *scratch; /* a folder of the test's own */
static ilc__context shared;

/* number makes the text another one. */
static const char *source_of(ilc__context *ctx, int number)
{
    return ilc__arena_printf(&ctx->arena,
                             "typedef long long ll;\n"
                             "void count(const void *const *args, const ll *begin, const ll *end) {\n"
                             "    int *hits = *(int *const *)args[0]; volatile int spin;\n"
                             "    for (ll i = begin[0]; i < end[0]; i++) { for (spin = 0; spin < 20000; spin++) ; hits[i] += 1 + 0 * %d; }\n"
                             "}\n"
                             "void trap(const void *const *args, const ll *begin, const ll *end) {\n"
                             "    unsigned long long *slot = *(unsigned long long *const *)args[0]; volatile int spin;\n"
                             "    for (ll i = begin[0]; i < end[0]; i++) {\n"
                             "        unsigned long long mine = (unsigned long long)i << 16 | 7;\n"
                             "        for (spin = 0; spin < 300; spin++) ;\n"
                             "        if (i %% 1000 == 777 && mine < *slot) *slot = mine;\n"
                             "    }\n"
                             "}\n", number);
}
static const char *const entries[] = {"count", "trap"};

static ilc__engine *engine_in(ilc__context *ctx, const char *cache, uint32_t threads)
{
    ilc__engine_options options = {.compiler = "auto", .threads = threads, .cache_dir = cache};
    ilc__engine        *engine;
    assert_int_equal(ilc__engine_create(ctx, &options, &engine), ILC_OK);
    return engine;
}

static char *folder(const char *name)
{
    char *path = ilc__arena_printf(&shared.arena, "%s/%s", scratch, name);
    assert_true(ilc__directory_make(path, 0700));
    return path;
}

static void remember(void *user, const char *name)
{
    if (name[0] != '.') ilc__text_printf(user, "%s\n", name);
}

static const char *files_in(const char *path)
{
    ilc__text names = {.arena = &shared.arena};
    assert_true(ilc__directory_each(&shared.arena, path, remember, &names));
    return ilc__text_string(&names);
}

static ilc__module *first_module(ilc__engine *engine, const char *source)
{
    ilc__module *module = NULL;
    assert_true(ilc__engine_compile_first(engine, "counting", source, entries, 2, &module));
    return module;
}

static ilc__module *best_module(ilc__engine *engine, const char *source)
{
    ilc__module *module = NULL;
    const char  *log;
    assert_int_equal(ilc__engine_compile(engine, "counting", source, entries, 2, &module, &log), ILC_OK);
    return module;
}

static int set_up(void **state)
{
    (void)state;
    ilc__context_init(&shared);
    scratch = ilc__temporary_make(&shared.arena);
    snprintf(original_path, sizeof original_path, "%s", getenv("PATH"));
    unsetenv("ILCUDA_TIER");
    return scratch ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char *command = ilc__arena_printf(&shared.arena, "rm -rf '%s'", scratch);
    int   code = system(command);
    ilc__context_free(&shared);
    return code;
}

static bool tcc_is_there(void)
{
    ilc__context ctx;
    ilc__context_init(&ctx);
    bool         works;
    ilc__engine *engine = engine_in(&ctx, folder("asked"), 1);
    bool         there = ilc__engine_first_tier(engine, &works) && works;
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
    return there;
}

/* --- tests --- */

static void a_launch_goes_over_to_the_compilers_code_and_does_each_element_once(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        ilc__context ctx;
        ilc__context_init(&ctx);
        ilc__engine       *engine = engine_in(&ctx, "", threads);
        const char        *source = source_of(&ctx, (int)threads);
        const ilc__coming *coming = ilc__engine_coming(engine, source);
        assert_non_null(coming);
        assert_ptr_equal(ilc__engine_coming(engine, source), coming);
        ilc__module *module = first_module(engine, source);
        ilc__address hits;
        int64_t      n = 1 << 20; /* of 20 microseconds or more each */
        assert_int_equal(ilc__engine_alloc(engine, (size_t)n * sizeof(int), &hits), ILC_OK);
        const void *args[] = {&hits};
        ilc__launch launch = {.dims = 1, .extents = {n}, .args = args, .arg_count = 1, .trap_arg = -1, .until = coming};
        int         turns = 0;
        ilc__engine_fill(engine, hits, 0, (size_t)n * sizeof(int));
        assert_int_equal(ilc__engine_launch(engine, module, 0, &launch), ILC_OK);
        for (; ilc__engine_reached(engine) >= 0; turns++) {
            int64_t reached = ilc__engine_reached(engine);
            assert_true(reached > launch.from && reached < n);
            launch.from = reached;
            launch.until = NULL;
            launch.extents[0] = reached + 2000 < n ? reached + 2000 : n; /* all that is left would take long */
            assert_null(ilc__engine_coming(engine, source));
            assert_int_equal(ilc__engine_launch(engine, best_module(engine, source), 0, &launch), ILC_OK);
        }
        assert_int_equal(turns, 1);
        int *found = malloc((size_t)n * sizeof *found);
        ilc__engine_read(engine, found, hits, (size_t)n * sizeof(int));
        for (int64_t i = 0; i < n; i++) assert_int_equal(found[i], i < launch.extents[0]);
        free(found);
        ilc__engine_destroy(engine);
        ilc__context_free(&ctx);
    }
}

static void the_lowest_failing_element_is_that_of_both_parts(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine = engine_in(&ctx, "", 2);
    assert_non_null(ilc__engine_coming(engine, source_of(&ctx, 10)));
    ilc__module *module = first_module(engine, source_of(&ctx, 10));
    ilc__address slot;
    uint64_t     value = UINT64_MAX;
    assert_int_equal(ilc__engine_alloc(engine, 8, &slot), ILC_OK);
    const void *args[] = {&slot};
    ilc__launch launch = {.dims = 1, .extents = {5000}, .from = 2000, .args = args, .arg_count = 1, .trap_arg = 0};
    ilc__engine_write(engine, slot, &value, 8);
    assert_int_equal(ilc__engine_launch(engine, module, 1, &launch), ILC_OK);
    ilc__engine_read(engine, &value, slot, 8);
    assert_int_equal(value, 2777u << 16 | 7);
    launch.from = 3000;
    assert_int_equal(ilc__engine_launch(engine, module, 1, &launch), ILC_OK);
    ilc__engine_read(engine, &value, slot, 8);
    assert_int_equal(value, 2777u << 16 | 7);
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

static void wait_for_files(const char *path, const char *wanted, const char *unwanted)
{
    for (int i = 0; i < 3000; i++) {
        const char *names = files_in(path);
        if (strstr(names, wanted) && !strstr(names, unwanted)) return;
        ilc__sleep_ms(10);
    }
    fail_msg("%s has %s", path, files_in(path));
}

static void what_nobody_waited_for_is_in_the_cache_of_the_next_engine(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    const char  *place = folder("left");
    ilc__engine *engine = engine_in(&ctx, place, 1);
    for (int i = 20; i < 26; i++) assert_non_null(ilc__engine_coming(engine, source_of(&ctx, i)));
    ilc__engine_destroy(engine); /* waits for nothing */
    wait_for_files(place, ".made.tmp", ".c.tmp");
    engine = engine_in(&ctx, place, 1);
    for (int i = 20; i < 26; i++) {
        assert_true(ilc__engine_has(engine, source_of(&ctx, i)));
        assert_null(ilc__engine_coming(engine, source_of(&ctx, i)));
        assert_true(ilc__module_was_cached(best_module(engine, source_of(&ctx, i))));
    }
    ilc__engine_destroy(engine);
    assert_null(strstr(files_in(place), ".tmp"));
    ilc__context_free(&ctx);
}

static void without_a_cache_nothing_is_left(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    const char *place = folder("temporary");
    setenv("TMPDIR", place, 1);
    ilc__engine *engine = engine_in(&ctx, "", 1);
    assert_non_null(ilc__engine_coming(engine, source_of(&ctx, 30)));
    assert_non_null(strstr(files_in(place), "ilcuda-"));
    ilc__engine_destroy(engine);
    for (int i = 0; i < 3000 && strstr(files_in(place), "ilcuda-"); i++) ilc__sleep_ms(10); /* a compiler may still be at work */
    assert_null(strstr(files_in(place), "ilcuda-"));
    unsetenv("TMPDIR");
    ilc__context_free(&ctx);
}

static void what_the_compiler_refuses_is_waited_for_and_said(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    const char  *place = folder("refused"), *log;
    ilc__engine *engine = engine_in(&ctx, place, 1);
    ilc__module *module;
    const char  *source = "void count( { nonsense }";
    const ilc__coming *coming = ilc__engine_coming(engine, source);
    assert_non_null(coming);
    ilc__engine_await(coming);
    assert_null(ilc__engine_coming(engine, source));
    assert_int_equal(ilc__engine_compile(engine, "bad", source, entries, 1, &module, &log), ILC_COMPILER);
    assert_non_null(log);
    assert_null(strstr(files_in(place), ".tmp"));
    assert_null(ilc__engine_coming(engine, source)); /* and once more */
    assert_int_equal(ilc__engine_compile(engine, "bad", source, entries, 1, &module, &log), ILC_COMPILER);
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

/* Its file is gone then, and no entry of a cache tells that it was there. */
static void what_was_taken_into_memory_is_not_waited_for_again(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine = engine_in(&ctx, "", 1);
    const char  *source = source_of(&ctx, 40);
    assert_non_null(ilc__engine_coming(engine, source));
    (void)best_module(engine, source);
    assert_null(ilc__engine_coming(engine, source));
    (void)best_module(engine, source);
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

/* As `cache clear` beside does. */
static void a_source_that_somebody_removes_ends_the_waiting(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    const char        *place = folder("cleared");
    ilc__engine       *engine = engine_in(&ctx, place, 1);
    const char        *source = source_of(&ctx, 41);
    const ilc__coming *coming = ilc__engine_coming(engine, source);
    assert_non_null(coming);
    uint64_t removed;
    assert_int_equal(ilc__cache_clear(&ctx, place, &removed), ILC_OK);
    ilc__engine_await(coming);
    assert_true(best_module(engine, source) != NULL);
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

static void write_script(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
}

/* Says that it is tcc, and then either does nothing, or works until it is given a kernel. */
static void a_first_tier_that_does_not_work_is_told_and_launches_wait(void **state)
{
    (void)state;
    static const char never[] = "#!/bin/sh\n[ \"$1\" = --version ] && echo 'tcc version 0.0.1 (broken)' && exit\necho no assembler; exit 1\n";
    static const char no_kernels[] = "#!/bin/sh\n[ \"$1\" = --version ] && echo 'tcc version 0.0.2 (broken)' && exit\n"
                                     "for word; do last=$word; done\ngrep -q il_trial \"$last\" || { echo error: too hard; exit 1; }\nexec gcc \"$@\"\n";
    ilc__context ctx;
    bool         works;
    ilc__context_init(&ctx);
    const char *place = folder("path"), *cache = folder("broken");
    const char *path = ilc__arena_printf(&ctx.arena, "%s/tcc", place);
    setenv("PATH", ilc__arena_printf(&ctx.arena, "%s:%s", place, original_path), 1);
    write_script(path, never);
    ilc__engine *engine = engine_in(&ctx, cache, 1);
    assert_null(ilc__engine_coming(engine, source_of(&ctx, 40)));
    assert_string_equal(ilc__engine_first_tier(engine, &works), "tcc 0.0.1 did not work: no assembler");
    assert_false(works);
    best_module(engine, source_of(&ctx, 40));
    ilc__engine_destroy(engine);
    write_script(path, no_kernels);
    engine = engine_in(&ctx, cache, 1);
    ilc__module *module = NULL;
    assert_non_null(ilc__engine_coming(engine, source_of(&ctx, 41)));
    assert_false(ilc__engine_compile_first(engine, "hard", source_of(&ctx, 41), entries, 2, &module));
    assert_non_null(strstr(ilc__engine_first_tier(engine, &works), "tcc 0.0.2 did not compile hard: error: too hard"));
    assert_false(works);
    assert_null(ilc__engine_coming(engine, source_of(&ctx, 42)));
    assert_int_equal(ctx.diags.count, 0);
    best_module(engine, source_of(&ctx, 41));
    ilc__engine_destroy(engine);
    setenv("PATH", original_path, 1);
    ilc__context_free(&ctx);
}

/* It is tried beside, as that takes long. */
static void a_compiler_that_does_not_work_gives_way_to_the_next(void **state)
{
    (void)state;
    static const char no_assembler[] = "#!/bin/sh\n[ \"$1\" = --version ] && exec gcc --version\necho no assembler; exit 1\n";
    ilc__context ctx;
    bool         works;
    ilc__context_init(&ctx);
    const char *place = folder("other"), *cache = folder("next");
    setenv("PATH", ilc__arena_printf(&ctx.arena, "%s:%s", place, original_path), 1);
    write_script(ilc__arena_printf(&ctx.arena, "%s/cc", place), no_assembler);
    ilc__engine *engine = engine_in(&ctx, cache, 1);
    const char  *source = source_of(&ctx, 60);
    assert_string_equal(ilc__engine_parts_of(engine)->path, "cc");
    const ilc__coming *coming = ilc__engine_coming(engine, source);
    assert_non_null(coming);
    first_module(engine, source);
    ilc__engine_await(coming);
    assert_null(ilc__engine_coming(engine, source));
    best_module(engine, source);
    assert_string_equal(ilc__engine_parts_of(engine)->path, "gcc");
    assert_string_equal(ilc__engine_first_tier(engine, &works), "the C compiler cc did not work: no assembler");
    assert_false(works);
    assert_null(ilc__engine_coming(engine, source_of(&ctx, 61)));
    best_module(engine, source_of(&ctx, 61));
    assert_int_equal(ctx.diags.count, 0);
    ilc__engine_destroy(engine);
    setenv("PATH", original_path, 1);
    ilc__context_free(&ctx);
}

static void who_names_a_compiler_or_wants_its_code_gets_that(void **state)
{
    (void)state;
    const ilc__engine_options all[] = {{.compiler = "gcc"}, {.compiler = "auto", .best_code = true}, {.compiler = "auto", .optimise = "-O1"},
                                       {.compiler = "auto"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ilc__context        ctx;
        ilc__engine_options options = all[i];
        ilc__engine        *engine;
        bool                works;
        ilc__context_init(&ctx);
        options.cache_dir = folder("asked");
        if (i == 3) setenv("ILCUDA_TIER", "best", 1);
        assert_int_equal(ilc__engine_create(&ctx, &options, &engine), ILC_OK);
        assert_null(ilc__engine_first_tier(engine, &works));
        assert_null(ilc__engine_coming(engine, source_of(&ctx, 50)));
        ilc__engine_destroy(engine);
        ilc__context_free(&ctx);
    }
    unsetenv("ILCUDA_TIER");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_goes_over_to_the_compilers_code_and_does_each_element_once),
        cmocka_unit_test(the_lowest_failing_element_is_that_of_both_parts),
        cmocka_unit_test(what_nobody_waited_for_is_in_the_cache_of_the_next_engine),
        cmocka_unit_test(without_a_cache_nothing_is_left),
        cmocka_unit_test(what_the_compiler_refuses_is_waited_for_and_said),
        cmocka_unit_test(what_was_taken_into_memory_is_not_waited_for_again),
        cmocka_unit_test(a_source_that_somebody_removes_ends_the_waiting),
        cmocka_unit_test(a_first_tier_that_does_not_work_is_told_and_launches_wait),
        cmocka_unit_test(a_compiler_that_does_not_work_gives_way_to_the_next),
        cmocka_unit_test(who_names_a_compiler_or_wants_its_code_gets_that),
    };
    set_up(NULL);
    bool there = tcc_is_there();
    if (!there) print_message("skipped: tcc is not there, or gcc or clang\n");
    int failed = there ? cmocka_run_group_tests(tests, NULL, NULL) : FIRST_TIER_IS_MISSING;
    tear_down(NULL);
    return failed;
}
