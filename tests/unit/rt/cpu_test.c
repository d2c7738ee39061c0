/* The CPU engine: compilers, exact coverage of the index ranges, the error slot, failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>
#include <unistd.h>

#include "rt/rt.h"

/* Those of gcc, clang and tcc that are there; what is missing is said. */
static const char *compilers[3], *any; /* any: the quickest of them */
static int         compiler_count;
/* One cache for all tests, so that each source is compiled once by each compiler. */
static ilc__context shared;
static char        *cache_folder;

static int find_compilers(void **state)
{
    (void)state;
    static const char *const known[] = {"gcc", "clang", "tcc"};
    ilc__context             ctx;
    ilc__context_init(&ctx);
    for (int i = 0; i < 3; i++) {
        const char *argv[] = {known[i], "--version", NULL};
        int         code;
        char       *output;
        if (ilc__process_run(&ctx.arena, argv, 20, 100, &code, &output) && code == 0)
            compilers[compiler_count++] = any = known[i];
        else
            print_message("skipped with %s: it is not there\n", known[i]);
    }
    ilc__context_free(&ctx);
    ilc__context_init(&shared);
    cache_folder = ilc__temporary_make(&shared.arena);
    return compiler_count && cache_folder ? 0 : -1;
}

static int remove_cache(void **state)
{
    (void)state;
    ilc__temporary_remove(cache_folder);
    ilc__context_free(&shared);
    return 0;
}

/* Each element counts how often it is visited; 2-D and 3-D likewise, by row-major index. */
static const char count_source[] =
    "typedef long long ll;\n"
    "void one(const void *const *args, const ll *begin, const ll *end) {\n"
    "    int *hits = *(int *const *)args[0];\n"
    "    for (ll i = begin[0]; i < end[0]; i++) hits[i] += 1;\n"
    "}\n"
    "void two(const void *const *args, const ll *begin, const ll *end) {\n"
    "    int *hits = *(int *const *)args[0]; ll cols = *(const ll *)args[1];\n"
    "    for (ll i = begin[0]; i < end[0]; i++)\n"
    "        for (ll j = begin[1]; j < end[1]; j++) hits[i * cols + j] += 1;\n"
    "}\n"
    "void three(const void *const *args, const ll *begin, const ll *end) {\n"
    "    int *hits = *(int *const *)args[0]; ll nj = *(const ll *)args[1], nk = *(const ll *)args[2];\n"
    "    for (ll i = begin[0]; i < end[0]; i++)\n"
    "        for (ll j = begin[1]; j < end[1]; j++)\n"
    "            for (ll k = begin[2]; k < end[2]; k++) hits[(i * nj + j) * nk + k] += 1;\n"
    "}\n"
    "void slow(const void *const *args, const ll *begin, const ll *end) {\n"
    "    int *hits = *(int *const *)args[0]; volatile int spin;\n"
    "    for (ll i = begin[0]; i < end[0]; i++) { for (spin = 0; spin < 2000; spin++) ; hits[i] += 1; }\n"
    "}\n"
    "void trap(const void *const *args, const ll *begin, const ll *end) {\n"
    "    unsigned long long *slot = *(unsigned long long *const *)args[0]; volatile int spin;\n"
    "    for (ll i = begin[0]; i < end[0]; i++) {\n"
    "        unsigned long long mine = (unsigned long long)i << 16 | 7;\n"
    "        for (spin = 0; spin < 500; spin++) ;\n"
    "        if (i % 1000 == 777 && mine < *slot) *slot = mine;\n"
    "    }\n"
    "}\n";
static const char *const count_entries[] = {"one", "two", "three", "slow", "trap"};

static ilc__engine *engine_of(ilc__context *ctx, const char *compiler, uint32_t threads)
{
    ilc__engine_options options = {.compiler = compiler, .threads = threads, .cache_dir = cache_folder};
    ilc__engine        *engine;
    ilc_status          status = ilc__engine_create(ctx, &options, &engine);
    if (status != ILC_OK) {
        print_message("%s\n", ctx->diags.items[ctx->diags.count - 1].text);
        fail();
    }
    return engine;
}

static ilc__module *module_of(ilc__engine *engine, const char *source, const char *const *entries,
                              uint32_t count)
{
    ilc__module *module;
    const char  *log;
    ilc_status   status = ilc__engine_compile(engine, "counting", source, entries, count, &module, &log);
    if (log) print_message("%s\n", log);
    assert_int_equal(status, ILC_OK);
    assert_null(log);
    return module;
}

static void expect_each_once(ilc__engine *engine, ilc__module *module, uint32_t entry,
                             const int64_t extents[3], uint32_t dims)
{
    int64_t total = 1;
    for (uint32_t d = 0; d < dims; d++)
        total *= extents[d];
    ilc__address hits;
    size_t       bytes = (size_t)total * sizeof(int);
    assert_int_equal(ilc__engine_alloc(engine, bytes + sizeof(int), &hits), ILC_OK);
    assert_int_equal(hits % 64, 0);
    assert_int_equal(ilc__engine_fill(engine, hits, 0, bytes + sizeof(int)), ILC_OK);
    int64_t     inner[2] = {extents[1], extents[2]};
    const void *args[] = {&hits, &inner[0], &inner[1]};
    ilc__launch launch = {.dims = dims, .args = args, .arg_count = 3, .trap_arg = -1};
    memcpy(launch.extents, extents, sizeof launch.extents);
    assert_int_equal(ilc__engine_launch(engine, module, entry, &launch), ILC_OK);
    assert_int_equal(ilc__engine_synchronize(engine), ILC_OK);
    int *seen = malloc(bytes + sizeof(int));
    assert_int_equal(ilc__engine_read(engine, seen, hits, bytes + sizeof(int)), ILC_OK);
    for (int64_t i = 0; i < total; i++)
        if (seen[i] != 1)
            fail_msg("element %lld of %lld was run %d times", (long long)i, (long long)total, seen[i]);
    assert_int_equal(seen[total], 0);
    free(seen);
    ilc__engine_free(engine, hits);
}

static void every_index_is_run_once_by_any_number_of_threads(void **state)
{
    (void)state;
    static const int64_t  sizes[] = {0, 1, 31, 32, 33, 1023, 65537, 1000003};
    static const int64_t  shapes[][3] = {{0, 5, 1},     {5, 0, 1},    {1, 1, 1},     {1, 100003, 1},
                                         {3, 70001, 1}, {1000, 1, 1}, {1023, 511, 1}};
    static const int64_t  boxes[][3] = {{3, 5, 7}, {1, 1, 5000}, {1, 300, 20}, {64, 32, 16}};
    static const uint32_t threads[] = {1, 2, 3, 8};
    for (int c = 0; c < compiler_count; c++)
        for (int t = 0; t < 4; t++) {
            ilc__context ctx;
            ilc__context_init(&ctx);
            ilc__engine *engine = engine_of(&ctx, compilers[c], threads[t]);
            ilc__module *module = module_of(engine, count_source, count_entries, 5);
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
                expect_each_once(engine, module, 0, (int64_t[3]){sizes[i], 1, 1}, 1);
            for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
                expect_each_once(engine, module, 1, shapes[i], 2);
            for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++)
                expect_each_once(engine, module, 2, boxes[i], 3);
            expect_each_once(engine, module, 3, (int64_t[3]){1023, 1, 1}, 1);
            ilc__engine_destroy(engine);
            ilc__context_free(&ctx);
        }
}

static void the_error_slot_holds_the_lowest_failing_element(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    for (uint32_t threads = 1; threads <= 8; threads *= 2) {
        ilc__engine *engine = engine_of(&ctx, compilers[0], threads);
        ilc__module *module = module_of(engine, count_source, count_entries, 5);
        ilc__address slot;
        assert_int_equal(ilc__engine_alloc(engine, 8, &slot), ILC_OK);
        const void *args[] = {&slot};
        ilc__launch launch = {.dims = 1, .extents = {20000}, .args = args, .arg_count = 1, .trap_arg = 0};
        uint64_t    value = UINT64_MAX;
        ilc__engine_write(engine, slot, &value, 8);
        assert_int_equal(ilc__engine_launch(engine, module, 4, &launch), ILC_OK);
        ilc__engine_read(engine, &value, slot, 8);
        assert_int_equal(value, 777u << 16 | 7);
        /* A lower one from before stays, and a range without failures leaves the slot alone. */
        value = 5;
        ilc__engine_write(engine, slot, &value, 8);
        assert_int_equal(ilc__engine_launch(engine, module, 4, &launch), ILC_OK);
        ilc__engine_read(engine, &value, slot, 8);
        assert_int_equal(value, 5);
        value = UINT64_MAX;
        ilc__engine_write(engine, slot, &value, 8);
        launch.extents[0] = 700;
        assert_int_equal(ilc__engine_launch(engine, module, 4, &launch), ILC_OK);
        ilc__engine_read(engine, &value, slot, 8);
        assert_true(value == UINT64_MAX);
        ilc__engine_destroy(engine);
    }
    ilc__context_free(&ctx);
}

static void a_failing_source_gives_the_compilers_log(void **state)
{
    (void)state;
    for (int c = 0; c < compiler_count; c++) {
        ilc__context ctx;
        ilc__context_init(&ctx);
        ilc__engine *engine = engine_of(&ctx, compilers[c], 1);
        ilc__module *module;
        const char  *log, *entries[] = {"f"};
        assert_int_equal(
            ilc__engine_compile(engine, "bad", "void f( { nonsense }", entries, 1, &module, &log),
            ILC_COMPILER);
        assert_null(module);
        assert_non_null(log);
        assert_non_null(strstr(log, "kernel.c:1"));
        assert_null(strstr(log, "/ilcuda-")); /* no temporary folder's name */
        assert_int_equal(ctx.diags.count, 1);
        assert_non_null(strstr(ctx.diags.items[0].text, " did not compile bad: "));
        assert_non_null(strstr(ctx.diags.items[0].text, "error"));
        assert_null(strchr(ctx.diags.items[0].text, '\n'));
        /* An entry that is not there is a fault of the source as well. */
        assert_int_equal(ilc__engine_compile(engine, "other", "void g(void) {}", entries, 1, &module, &log),
                         ILC_COMPILER);
        assert_non_null(strstr(ctx.diags.items[1].text, "other defines no f"));
        /* The engine is as good as before. */
        module_of(engine, count_source, count_entries, 5);
        ilc__engine_destroy(engine);
        ilc__context_free(&ctx);
    }
}

static void a_missing_compiler_is_no_engine(void **state)
{
    (void)state;
    static const char *const absent[] = {"/nowhere/gcc", "no-such-compiler-here", "/bin/true", "/bin/false",
                                         "/tmp"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        ilc__context ctx;
        ilc__context_init(&ctx);
        ilc__engine_options options = {.compiler = absent[i], .cache_dir = ""};
        ilc__engine        *engine;
        assert_int_equal(ilc__engine_create(&ctx, &options, &engine), ILC_NO_ENGINE);
        assert_null(engine);
        assert_int_equal(ctx.diags.count, 1);
        assert_non_null(strstr(ctx.diags.items[0].text, absent[i]));
        ilc__context_free(&ctx);
    }
}

static void options_out_of_range_are_refused(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine        *engine;
    ilc__engine_options options = {.compiler = "gcc", .optimise = "-Ofast", .cache_dir = ""};
    assert_int_equal(ilc__engine_create(&ctx, &options, &engine), ILC_INVALID);
    options.optimise = "-O1 -ffast-math";
    assert_int_equal(ilc__engine_create(&ctx, &options, &engine), ILC_INVALID);
    options.optimise = NULL;
    options.threads = 100000;
    assert_int_equal(ilc__engine_create(&ctx, &options, &engine), ILC_INVALID);
    ilc__context_free(&ctx);
}

static void launches_out_of_range_are_refused(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine = engine_of(&ctx, any, 1);
    ilc__module *module = module_of(engine, count_source, count_entries, 5);
    const void  *args[] = {NULL};
    const struct {
        uint32_t    entry;
        ilc__launch launch;
    } bad[] = {
        {5, {.dims = 1, .extents = {1}, .trap_arg = -1}},
        {0, {.dims = 0, .extents = {1}, .trap_arg = -1}},
        {0, {.dims = 4, .extents = {1, 1, 1}, .trap_arg = -1}},
        {0, {.dims = 1, .extents = {-1}, .trap_arg = -1}},
        {0, {.dims = 2, .extents = {0, -5}, .trap_arg = -1}},
        {0, {.dims = 1, .extents = {INT64_MAX}, .trap_arg = -1}},
        {0, {.dims = 3, .extents = {1 << 20, 1 << 20, 1 << 20}, .trap_arg = -1}},
        {0, {.dims = 1, .extents = {1}, .trap_arg = 1, .arg_count = 1, .args = args}},
        {0, {.dims = 1, .extents = {1}, .trap_arg = -2}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(ilc__engine_launch(engine, module, bad[i].entry, &bad[i].launch), ILC_INVALID);
        assert_int_equal(ctx.diags.count, i + 1);
    }
    ilc__module_release(module);
    assert_int_equal(ilc__engine_launch(engine, module, 0, &(ilc__launch){.dims = 1, .trap_arg = -1}),
                     ILC_INVALID);
    ilc__module_release(module); /* twice is harmless */
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

static void a_buffer_too_large_is_out_of_memory_and_the_engine_stays_usable(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine = engine_of(&ctx, any, 1);
    ilc__address address;
    assert_int_equal(ilc__engine_alloc(engine, SIZE_MAX - 8, &address), ILC_OUT_OF_MEMORY);
    assert_int_equal(address, 0);
    assert_int_equal(ilc__engine_alloc(engine, 0, &address), ILC_OK);
    assert_true(address != 0);
    ilc__engine_free(engine, address);
    /* Buffers that are left go with the engine (the leak checker is the judge). */
    for (int i = 0; i < 3; i++)
        assert_int_equal(ilc__engine_alloc(engine, 100, &address), ILC_OK);
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

/* An allocator that fails the n-th request. */
static void *scarce_resize(void *user, void *ptr, size_t size)
{
    int *left = user;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    if ((*left)-- == 0) return NULL;
    return realloc(ptr, size);
}

static void no_name(void *user, const char *name)
{
    (void)user;
    fail_msg("%s was left in the temporary folder", name);
}

static void memory_that_runs_out_anywhere_leaves_nothing(void **state)
{
    (void)state;
    ilc__context outer;
    ilc__context_init(&outer);
    const char *before = ilc__environment("TMPDIR");
    char       *kept = before ? ilc__arena_strdup(&outer.arena, before) : NULL;
    char       *folder = ilc__temporary_make(&outer.arena);
    setenv("TMPDIR", folder, 1);
    volatile bool finished = false;
    for (volatile int n = 0; !finished; n++) {
        jmp_buf      landing;
        int          left = n;
        ilc__context ctx;
        ilc__context_init(&ctx);
        ctx.heap.resize = scarce_resize;
        ctx.heap.user = &left;
        ctx.heap.landing = &landing;
        ilc__engine *volatile engine = NULL;
        if (setjmp(landing) == 0) {
            ilc__engine_options options = {.compiler = any, .threads = 2, .cache_dir = ""};
            ilc__engine        *made;
            assert_int_equal(ilc__engine_create(&ctx, &options, &made), ILC_OK);
            engine = made;
            ilc__module *module = module_of(made, count_source, count_entries, 5);
            ilc__address hits;
            ilc_status   status = ilc__engine_alloc(made, 4000, &hits);
            if (status == ILC_OK) {
                const void *args[] = {&hits};
                ilc__launch launch = {
                    .dims = 1, .extents = {1000}, .args = args, .arg_count = 1, .trap_arg = -1};
                assert_int_equal(ilc__engine_fill(made, hits, 0, 4000), ILC_OK);
                assert_int_equal(ilc__engine_launch(made, module, 3, &launch), ILC_OK);
                finished = true;
            } else {
                assert_int_equal(status, ILC_OUT_OF_MEMORY);
            }
        }
        assert_ptr_equal(ctx.heap.landing, &landing);
        ilc__engine_destroy(engine);
        ilc__context_free(&ctx);
        assert_true(ilc__directory_each(&outer.arena, folder, no_name, NULL));
    }
    if (kept)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    ilc__temporary_remove(folder);
    ilc__context_free(&outer);
}

static void many_modules_of_one_process_are_kept_apart(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine = engine_of(&ctx, any, 1);
    ilc__address out;
    const char  *entries[] = {"value"};
    ilc__module *modules[20];
    assert_int_equal(ilc__engine_alloc(engine, 4, &out), ILC_OK);
    for (int i = 0; i < 20; i++) {
        char source[200];
        snprintf(source, sizeof source,
                 "void value(const void *const *a, const long long *b, const long long *e) "
                 "{ **(int *const *)a[0] = %d; }",
                 i);
        modules[i] = module_of(engine, source, entries, 1);
    }
    for (int i = 19; i >= 0; i--) {
        const void *args[] = {&out};
        ilc__launch launch = {.dims = 1, .extents = {1}, .args = args, .arg_count = 1, .trap_arg = -1};
        int         value = -1;
        assert_int_equal(ilc__engine_launch(engine, modules[i], 0, &launch), ILC_OK);
        ilc__engine_read(engine, &value, out, 4);
        assert_int_equal(value, i);
        if (i % 3 == 0) ilc__module_release(modules[i]);
    }
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

/* `cc` may be any compiler: tcc, which has no optimiser, comes last whatever its name. */
static void a_cc_that_is_tcc_comes_last(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    const char *path = getenv("PATH"), *tcc = NULL;
    for (const char *at = path; at && *at && !tcc;) {
        size_t      length = strcspn(at, ":");
        const char *file = ilc__arena_printf(&ctx.arena, "%.*s/tcc", (int)length, at);
        if (ilc__file_exists(file)) tcc = file;
        at += length + (at[length] == ':');
    }
    bool others = false;
    for (int c = 0; c < compiler_count; c++) others = others || strcmp(compilers[c], "tcc") != 0;
    if (!tcc || !others) {
        print_message("skipped: this needs tcc and another compiler\n");
        ilc__context_free(&ctx);
        return;
    }
    char       *folder = ilc__temporary_make(&ctx.arena);
    const char *old = ilc__arena_strdup(&ctx.arena, path);
    assert_int_equal(symlink(tcc, ilc__arena_printf(&ctx.arena, "%s/cc", folder)), 0);
    assert_int_equal(setenv("PATH", ilc__arena_printf(&ctx.arena, "%s:%s", folder, old), 1), 0);
    ilc__engine *engine = engine_of(&ctx, "auto", 1);
    assert_null(strstr(ilc__engine_describe(engine), "tcc"));
    assert_int_equal(setenv("PATH", old, 1), 0);
    ilc__engine_destroy(engine);
    ilc__temporary_remove(folder);
    ilc__context_free(&ctx);
}

/* Contraction would give 0 or another residue; flushing would give 0. */
static void results_are_neither_contracted_nor_flushed(void **state)
{
    (void)state;
    static const char source[] =
        "void f(const void *const *a, const long long *b, const long long *e) {\n"
        "    float *x = *(float *const *)a[0];\n"
        "    for (long long i = b[0]; i < e[0]; i++) x[i] = x[i] * x[i] - 1.0000002f;\n"
        "}\n"
        "void g(const void *const *a, const long long *b, const long long *e) {\n"
        "    float *x = *(float *const *)a[0];\n"
        "    for (long long i = b[0]; i < e[0]; i++) x[i] = x[i] * 0.5f;\n"
        "}\n"
        "void h(const void *const *a, const long long *b, const long long *e) {\n" /* a difference beside a sum */
        "    double *x = *(double *const *)a[0], p = x[0] * x[0], q = x[1] * x[1];\n"
        "    x[2] = p - x[0];\n"
        "    x[3] = q + x[1];\n"
        "    x[4] = 0.0 - (double)(int)(x[0] - x[1]);\n" /* 0, not -0 */
        "}\n";
    ilc__context ctx;
    ilc__context_init(&ctx);
    const char *entries[] = {"f", "g", "h"};
    for (int c = 0; c < compiler_count; c++) {
        ilc__engine *engine = engine_of(&ctx, compilers[c], 2);
        ilc__module *module = module_of(engine, source, entries, 3);
        ilc__address out;
        float        values[64];
        assert_int_equal(ilc__engine_alloc(engine, sizeof values, &out), ILC_OK);
        const void *args[] = {&out};
        ilc__launch launch = {.dims = 1, .extents = {64}, .args = args, .arg_count = 1, .trap_arg = -1};
        for (int i = 0; i < 64; i++)
            values[i] = 1.00000012f;
        ilc__engine_write(engine, out, values, sizeof values);
        assert_int_equal(ilc__engine_launch(engine, module, 0, &launch), ILC_OK);
        ilc__engine_read(engine, values, out, sizeof values);
        volatile float product = 1.00000012f * 1.00000012f;
        for (int i = 0; i < 64; i++)
            assert_true(values[i] == product - 1.0000002f);
        for (int i = 0; i < 64; i++)
            values[i] = 1.17549435e-38f; /* half of it is subnormal */
        ilc__engine_write(engine, out, values, sizeof values);
        assert_int_equal(ilc__engine_launch(engine, module, 1, &launch), ILC_OK);
        ilc__engine_read(engine, values, out, sizeof values);
        for (int i = 0; i < 64; i++)
            assert_true(values[i] == 5.87747175e-39f);
        double          wide[5] = {1 + 0x1p-30, 1 + 0x1p-30};
        volatile double square = wide[0] * wide[0];
        ilc__engine_write(engine, out, wide, sizeof wide);
        launch.extents[0] = 1;
        assert_int_equal(ilc__engine_launch(engine, module, 2, &launch), ILC_OK);
        ilc__engine_read(engine, wide, out, sizeof wide);
        assert_true(wide[2] == square - wide[0] && wide[3] == square + wide[1]);
        assert_true(wide[4] == 0 && !signbit(wide[4]));
        ilc__engine_destroy(engine);
    }
    ilc__context_free(&ctx);
}

/* tcc's objects, as they come, make the loader turn the stacks executable. */
static void no_compilers_code_makes_the_stack_executable(void **state)
{
    (void)state;
    static char  maps[1 << 18];
    ilc__context ctx;
    ilc__context_init(&ctx);
    for (int c = 0; c < compiler_count; c++) {
        ilc__engine *engine = engine_of(&ctx, compilers[c], 1);
        module_of(engine, count_source, count_entries, 5);
        ilc__file_peek("/proc/self/maps", maps, sizeof maps);
        char *line = strstr(maps, "[stack]");
        assert_non_null(line);
        while (line > maps && line[-1] != '\n')
            line--;
        assert_non_null(strstr(line, "rw-p"));
        assert_true(strstr(line, "rw-p") < strstr(line, "[stack]"));
        ilc__engine_destroy(engine);
    }
    ilc__context_free(&ctx);
}

static void run_everything(void *user)
{
    int         *done = user;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine = engine_of(&ctx, compilers[0], 3);
    ilc__module *module = module_of(engine, count_source, count_entries, 5);
    for (int i = 0; i < 20; i++)
        expect_each_once(engine, module, 3, (int64_t[3]){257, 1, 1}, 1);
    *done = 1;
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

static void two_engines_work_in_two_threads_at_once(void **state)
{
    (void)state;
    int          done[2] = {0, 0};
    ilc__thread *thread = ilc__thread_start(run_everything, &done[0], 0);
    assert_non_null(thread);
    run_everything(&done[1]);
    ilc__thread_join(thread);
    assert_true(done[0] && done[1]);
}

static void the_description_names_compiler_and_instruction_set(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    for (int c = 0; c < compiler_count; c++) {
        ilc__engine *engine = engine_of(&ctx, compilers[c], 2);
        const char  *text = ilc__engine_describe(engine);
        print_message("%s\n", text);
        assert_non_null(strstr(text, "cpu, 2 threads, "));
        assert_non_null(strstr(text, compilers[c]));
        assert_null(strstr(text, "native"));
        assert_int_equal(ilc__engine_kind_of(engine), ILC__ENGINE_CPU);
        ilc__engine_destroy(engine);
    }
    ilc__context_free(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_run_once_by_any_number_of_threads),
        cmocka_unit_test(the_error_slot_holds_the_lowest_failing_element),
        cmocka_unit_test(a_failing_source_gives_the_compilers_log),
        cmocka_unit_test(a_missing_compiler_is_no_engine),
        cmocka_unit_test(options_out_of_range_are_refused),
        cmocka_unit_test(launches_out_of_range_are_refused),
        cmocka_unit_test(a_buffer_too_large_is_out_of_memory_and_the_engine_stays_usable),
        cmocka_unit_test(memory_that_runs_out_anywhere_leaves_nothing),
        cmocka_unit_test(many_modules_of_one_process_are_kept_apart),
        cmocka_unit_test(a_cc_that_is_tcc_comes_last),
        cmocka_unit_test(results_are_neither_contracted_nor_flushed),
        cmocka_unit_test(no_compilers_code_makes_the_stack_executable),
        cmocka_unit_test(two_engines_work_in_two_threads_at_once),
        cmocka_unit_test(the_description_names_compiler_and_instruction_set),
    };
    return cmocka_run_group_tests_name("cpu engine", tests, find_compilers, remove_cache);
}
