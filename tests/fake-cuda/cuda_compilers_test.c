/* Which compiler of CUDA C there is: clang where it is asked for, and machines that have none but hold in their cache what
 * others compiled. On the fake driver, with the real clang. */
#include "fake_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "rt/rt.h"

static ilc__context ctx;
static bool         no_clang;

static const char source[] = "extern \"C\" __global__ void halves(float *x, int n) {\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n) x[i] = x[i] * x[i] + 0.5f / x[i];\n"
                             "}\n";
static const char *const entries[] = {"halves"};

static int load_fakes(void **state)
{
    (void)state;
    fake_load(FAKE_CUDA_FOLDER "/libcuda.so.1");
    int   exit_code = 0;
    char *text;
    ilc__context_init(&ctx);
    const char *argv[] = {"clang", "--version", NULL};
    no_clang = !ilc__process_run(&ctx.arena, argv, 20, 1000, &exit_code, &text) || exit_code != 0;
    ilc__context_free(&ctx);
    return 0;
}

static int fresh(void **state)
{
    (void)state;
    reset();
    ilc__context_init(&ctx);
    return 0;
}

static int done(void **state)
{
    (void)state;
    ilc__context_free(&ctx);
    return 0;
}

#define NEEDS_CLANG()                                                                                                    \
    if (no_clang) {                                                                                                      \
        print_message("skipped: clang is not installed\n");                                                              \
        return;                                                                                                          \
    }

static ilc_status make_engine(const char *compiler, const char *cache_dir, const char *arch, ilc__engine **engine)
{
    ilc__engine_options options = {.kind = ILC__ENGINE_CUDA,
                                   .compiler = compiler,
                                   .cache_dir = cache_dir,
                                   .cuda_path = FAKE_CUDA_FOLDER,
                                   .arch = arch};
    return ilc__engine_create(&ctx, &options, engine);
}

static ilc_status compile(ilc__engine *engine, const char *text, ilc__module **module)
{
    const char *log;
    return ilc__engine_compile(engine, "halves", text, entries, 1, module, &log);
}

static void expect_text(const char *text, const char *part)
{
    if (!strstr(text, part)) print_error("'%s' is not in '%s'\n", part, text);
    assert_non_null(strstr(text, part));
}

static const char *newest(void)
{
    return ctx.diags.count ? ctx.diags.items[ctx.diags.count - 1].text : "";
}

static void clang_makes_ptx_that_the_driver_takes(void **state)
{
    (void)state;
    NEEDS_CLANG();
    ilc__engine *engine;
    ilc__module *module;
    fake->major = 7;
    fake->minor = 5;
    assert_int_equal(make_engine("clang", "", NULL, &engine), ILC_OK);
    expect_text(ilc__engine_describe(engine), "sm_75, driver");
    expect_text(ilc__engine_describe(engine), ", clang ");
    expect_text(ilc__engine_describe(engine), "(PTX sm_75)");
    assert_int_equal(compile(engine, source, &module), ILC_OK);
    assert_int_equal(fake->modules, 1);
    assert_null(ilc__module_ptx(module)); /* that is for engines that only compile */
    ilc__engine_destroy(engine);
    assert_int_equal(make_engine("clang", "", "sm_60", &engine), ILC_OK);
    expect_text(ilc__engine_describe(engine), "(PTX sm_60)");
    ilc__engine_destroy(engine);
    expect_nothing_alive();
}

static void what_clang_refuses_comes_with_its_log(void **state)
{
    (void)state;
    NEEDS_CLANG();
    ilc__engine *engine;
    ilc__module *module;
    assert_int_equal(make_engine("clang", "", "sm_70", &engine), ILC_OK);
    assert_int_equal(compile(engine, "syntax error\n", &module), ILC_COMPILER);
    expect_text(newest(), "clang ");
    expect_text(newest(), "did not compile halves: halves.cu:1:1: error: ");
    ilc__engine_destroy(engine);
}

static void compilers_and_architectures_that_are_not_there_are_refused(void **state)
{
    (void)state;
    ilc__engine *engine;
    assert_int_equal(make_engine("/no/clang-99", "", NULL, &engine), ILC_NO_ENGINE);
    assert_string_equal(newest(), "/no/clang-99 was not found");
    assert_int_equal(make_engine("nvcc", "", NULL, &engine), ILC_INVALID);
    assert_int_equal(make_engine("auto", "", "9.0", &engine), ILC_INVALID);
    assert_string_equal(newest(), "the architecture of a device is written as sm_86, not 9.0");
    assert_int_equal(make_engine("auto", "", "sm_100", &engine), ILC_INVALID);
    assert_string_equal(newest(), "NVIDIA Fake is sm_90 and does not run code for sm_100");
    assert_int_equal(make_engine("nvrtc", "", "sm_88", &engine), ILC_NO_ENGINE);
    assert_string_equal(newest(), "NVRTC 12.8 does not compile for sm_88");
}

static void an_older_architecture_can_be_asked_of_nvrtc(void **state)
{
    (void)state;
    ilc__engine *engine;
    ilc__module *module;
    assert_int_equal(make_engine("nvrtc", "", "sm_80", &engine), ILC_OK);
    assert_int_equal(compile(engine, source, &module), ILC_OK);
    expect_text(fake->options, "--gpu-architecture=compute_80 ");
    ilc__engine_destroy(engine);
}

/* PTX for sm_70 by an engine that has no device; then a device sm_90 and no compiler. */
static void without_a_compiler_what_clang_made_elsewhere_is_used_and_named(void **state)
{
    (void)state;
    NEEDS_CLANG();
    char               *folder = ilc__temporary_make(&ctx.arena);
    ilc__engine        *engine;
    ilc__module        *module;
    ilc__engine_options only = {.kind = ILC__ENGINE_CUDA, .compiler = "clang", .cache_dir = folder, .arch = "sm_70", .compile_only = true};
    ilc__address        address;
    assert_int_equal(ilc__engine_create(&ctx, &only, &engine), ILC_OK);
    assert_int_equal(compile(engine, source, &module), ILC_OK);
    expect_text(ilc__module_ptx(module), ".target sm_70");
    expect_text(ilc__module_ptx(module), ".entry halves(");
    assert_null(strstr(ilc__module_ptx(module), "fma."));
    expect_text(ilc__module_ptx(module), "div.rn.f32");
    assert_int_equal(ilc__engine_alloc(engine, 4, &address), ILC_NO_ENGINE);
    ilc__engine_destroy(engine);
    assert_int_equal(fake->calls, 0); /* the driver was not asked for anything */

    assert_int_equal(make_engine("none", folder, NULL, &engine), ILC_OK);
    expect_text(ilc__engine_describe(engine), "sm_90, driver for CUDA 12.8, no CUDA compiler, what was compiled before");
    assert_int_equal(compile(engine, source, &module), ILC_OK);
    assert_true(ilc__module_was_cached(module));
    expect_text(ilc__engine_describe(engine), ", compiled before by clang ");
    expect_text(ilc__engine_describe(engine), "(PTX sm_70)");
    assert_int_equal(compile(engine, "another source", &module), ILC_NO_ENGINE);
    expect_text(newest(), "halves was not compiled before, and there is no CUDA compiler here");
    ilc__engine_destroy(engine);

    /* A device below it cannot run it. */
    fake->major = 6;
    assert_int_equal(make_engine("none", folder, NULL, &engine), ILC_OK);
    assert_int_equal(compile(engine, source, &module), ILC_NO_ENGINE);
    ilc__engine_destroy(engine);
    expect_nothing_alive();
    ilc__temporary_remove(folder);
}

static void without_a_compiler_what_nvrtc_made_for_the_device_is_used_and_named(void **state)
{
    (void)state;
    char        *folder = ilc__temporary_make(&ctx.arena);
    ilc__engine *engine;
    ilc__module *module;
    assert_int_equal(make_engine("nvrtc", folder, NULL, &engine), ILC_OK);
    assert_int_equal(compile(engine, source, &module), ILC_OK);
    ilc__engine_destroy(engine);
    assert_int_equal(make_engine("none", folder, NULL, &engine), ILC_OK);
    assert_int_equal(compile(engine, source, &module), ILC_OK);
    expect_text(ilc__engine_describe(engine), "compiled before by NVRTC 12.8 (cubin)");
    ilc__engine_destroy(engine);
    fake->major = 10; /* machine code of another major version */
    assert_int_equal(make_engine("none", folder, NULL, &engine), ILC_OK);
    assert_int_equal(compile(engine, source, &module), ILC_NO_ENGINE);
    ilc__engine_destroy(engine);
    expect_nothing_alive();
    ilc__temporary_remove(folder);
}

static void where_a_choice_is_left_no_compiler_is_no_engine(void **state)
{
    (void)state;
    ilc__engine        *engine;
    ilc__engine_options options = {.kind = ILC__ENGINE_CUDA, .compiler = "none", .cache_dir = "", .cuda_path = FAKE_CUDA_FOLDER, .compiler_needed = true};
    assert_int_equal(ilc__engine_create(&ctx, &options, &engine), ILC_NO_ENGINE);
    assert_string_equal(newest(), "no CUDA compiler was asked for");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, done)
        TEST(clang_makes_ptx_that_the_driver_takes),
        TEST(what_clang_refuses_comes_with_its_log),
        TEST(compilers_and_architectures_that_are_not_there_are_refused),
        TEST(an_older_architecture_can_be_asked_of_nvrtc),
        TEST(without_a_compiler_what_clang_made_elsewhere_is_used_and_named),
        TEST(without_a_compiler_what_nvrtc_made_for_the_device_is_used_and_named),
        TEST(where_a_choice_is_left_no_compiler_is_no_engine),
    };
    return cmocka_run_group_tests_name("compilers of CUDA C", tests, load_fakes, NULL);
}
