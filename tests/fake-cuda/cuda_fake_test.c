/* The CUDA engine on the fake driver and NVRTC: its whole life, every call failing in turn, what NVRTC and
 * the driver are asked for. */
#include "fake_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "rt/rt.h"

static const char        source[] = "extern \"C\" __global__ void add(float *x, int n) {}\n";
static const char *const entries[] = {"add"};

static int load_fakes(void **state)
{
    (void)state;
    fake_load(FAKE_CUDA_FOLDER "/libcuda.so.1");
    return 0;
}

static int fresh(void **state)
{
    (void)state;
    reset();
    return 0;
}

static ilc_status make_engine(ilc__context *ctx, const char *cache_dir, ilc__engine **engine)
{
    ilc__engine_options options = {
        .kind = ILC__ENGINE_CUDA, .compiler = "nvrtc", .cache_dir = cache_dir, .cuda_path = FAKE_CUDA_FOLDER};
    return ilc__engine_create(ctx, &options, engine);
}

static int calls_of(const char *name)
{
    int count = 0;
    for (int i = 0; i < fake->calls; i++)
        count += strcmp(fake->log[i], name) == 0;
    return count;
}

/* All of an engine's life but its beginning and end; stops at the first failure. */
static ilc_status live(ilc__engine *engine)
{
    ilc__module *module;
    ilc__address x;
    const char  *log;
    float        values[10] = {1, 2, 3}, got[10];
    int          n = 10;
    ILC__TRY(ilc__engine_compile(engine, "adding", source, entries, 1, &module, &log));
    ILC__TRY(ilc__engine_alloc(engine, sizeof values, &x));
    ILC__TRY(ilc__engine_fill(engine, x, 0xff, sizeof values));
    ILC__TRY(ilc__engine_write(engine, x, values, sizeof values));
    const void *args[] = {&x, &n};
    ilc__launch launch = {.dims = 1, .extents = {n}, .args = args, .arg_count = 2, .trap_arg = -1, .stack = 20000};
    ILC__TRY(ilc__engine_launch(engine, module, 0, &launch));
    ILC__TRY(ilc__engine_synchronize(engine));
    ILC__TRY(ilc__engine_read(engine, got, x, sizeof got));
    assert_memory_equal(got, values, sizeof got);
    double seconds = ilc__engine_last_seconds(engine);
    assert_true(seconds == 0.0015 || (fake->fail_at && seconds == 0));
    ilc__engine_free(engine, x);
    ilc__module_release(module);
    ILC__TRY(ilc__engine_alloc(engine, 5, &x)); /* left to the engine */
    return ILC_OK;
}

static void an_engine_lives_and_leaves_nothing(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    fake->arg_sizes[0] = 8;
    fake->arg_sizes[1] = 4;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    assert_int_equal(ilc__engine_kind_of(engine), ILC__ENGINE_CUDA);
    assert_non_null(strstr(ilc__engine_describe(engine), "NVIDIA Fake, sm_90, driver "));
    assert_non_null(strstr(ilc__engine_describe(engine), ", NVRTC 12.8 (cubin)"));
    const ilc__engine_parts *parts = ilc__engine_parts_of(engine);
    assert_string_equal(parts->device, "NVIDIA Fake");
    assert_string_equal(parts->compiler, "NVRTC 12.8");
    assert_string_equal(parts->form, "cubin");
    assert_string_equal(parts->arch, "sm_90");
    assert_non_null(strstr(parts->path, "nvrtc"));
    assert_int_equal(fake->retained, 0); /* no context before it is needed */
    assert_int_equal(live(engine), ILC_OK);
    assert_int_equal(fake->retained, 1);
    assert_int_equal(fake->depth, 0);
    assert_int_equal(fake->launches, 1);
    assert_int_equal(*(int *)fake->args[1], 10);
    ilc__engine_destroy(engine);
    expect_nothing_alive();
    assert_int_equal(ctx.diags.count, 0);
    ilc__context_free(&ctx);
}

static ilc_status launch_with_stack(ilc__engine *engine, ilc__module *module, uint64_t stack)
{
    int          n = 10;
    ilc__address x = 0;
    const void  *args[] = {&x, &n};
    ilc__launch  launch = {.dims = 1, .extents = {n}, .args = args, .arg_count = 2, .trap_arg = -1, .stack = stack};
    return ilc__engine_launch(engine, module, 0, &launch);
}

static void recursion_gets_its_stack_until_the_engine_goes(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    ilc__module *module;
    const char  *log;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    assert_int_equal(ilc__engine_compile(engine, "adding", source, entries, 1, &module, &log), ILC_OK);
    assert_int_equal(launch_with_stack(engine, module, 0), ILC_OK); /* the driver knows what is needed */
    assert_int_equal(fake->stack, 1024);
    assert_int_equal(launch_with_stack(engine, module, 50000), ILC_OK);
    assert_int_equal(fake->stack, 50000 + fake->kernel_local);
    assert_int_equal(launch_with_stack(engine, module, 30000), ILC_OK); /* never lowered in between */
    assert_int_equal(fake->stack, 50000 + fake->kernel_local);
    assert_int_equal(launch_with_stack(engine, module, 600 << 10), ILC_DEVICE);
    assert_non_null(strstr(ctx.diags.items[0].text, "taking a stack of 614496 bytes a thread, for recursion, failed"));
    assert_int_equal(fake->depth, 0);
    ilc__engine_destroy(engine);
    assert_int_equal(fake->stack, 1024);
    expect_nothing_alive();
    ilc__context_free(&ctx);
}

static void every_call_that_fails_gives_one_clear_line_and_leaves_nothing(void **state)
{
    (void)state;
    static const int errors[] = {999, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_ILLEGAL_ADDRESS};
    for (int e = 0; e < 3; e++) {
        for (int k = 1;; k++) {
            ilc__context ctx;
            ilc__context_init(&ctx);
            reset();
            fake->fail_at = k;
            fake->error = errors[e];
            ilc__engine *engine;
            ilc_status   status = make_engine(&ctx, "", &engine);
            if (status == ILC_OK) {
                status = live(engine);
                assert_int_equal(fake->depth, 0);
                ilc__engine_destroy(engine);
            } else {
                assert_null(engine);
            }
            bool reached = fake->calls >= k;
            if (status != ILC_OK) {
                assert_true(status == ILC_NO_ENGINE || status == ILC_DEVICE || status == ILC_COMPILER ||
                            status == ILC_OUT_OF_MEMORY);
                assert_int_equal(ctx.diags.count, 1);
                assert_int_equal(ctx.diags.items[0].status, status);
                assert_true(strlen(ctx.diags.items[0].text) > 20);
            } else {
                assert_int_equal(ctx.diags.count, 0);
            }
            expect_nothing_alive();
            /* As usable as before. */
            fake->fail_at = 0;
            assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
            assert_int_equal(live(engine), ILC_OK);
            ilc__engine_destroy(engine);
            expect_nothing_alive();
            ilc__context_free(&ctx);
            if (!reached) {
                assert_true(k > 60); /* all calls were tried */
                break;
            }
        }
    }
}

/* An allocator that fails the n-th request. */
typedef struct scarce {
    int left;
} scarce;

static void *scarce_resize(void *user, void *ptr, size_t size)
{
    scarce *s = user;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    if (s->left-- == 0) return NULL;
    return realloc(ptr, size);
}

static void memory_that_runs_out_anywhere_leaves_nothing(void **state)
{
    (void)state;
    volatile bool finished = false;
    for (volatile int n = 0; !finished; n++) {
        reset();
        jmp_buf      landing;
        scarce       s = {n};
        ilc__context ctx;
        ilc__context_init(&ctx);
        ctx.heap.resize = scarce_resize;
        ctx.heap.user = &s;
        ctx.heap.landing = &landing;
        ilc__engine *volatile engine = NULL;
        if (setjmp(landing) == 0) {
            ilc__engine *made = NULL;
            assert_int_equal(make_engine(&ctx, "", &made), ILC_OK);
            engine = made;
            assert_int_equal(live(made), ILC_OK);
            finished = true;
            assert_true(n >= 3); /* the engine, its arena, its scratch */
        }
        assert_ptr_equal(ctx.heap.landing, &landing);
        assert_int_equal(fake->depth, 0);
        ilc__engine_destroy(engine);
        expect_nothing_alive();
        ilc__context_free(&ctx);
    }
}

static void nvrtc_is_told_when_near_is_enough(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    ilc__module *module;
    const char  *log;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    const char *fast = ilc__arena_printf(&ctx.arena, "%s%s", ILC__FAST_MARK, source);
    assert_int_equal(ilc__engine_compile(engine, "adding", fast, entries, 1, &module, &log), ILC_OK);
    assert_string_equal(fake->options, "--gpu-architecture=sm_90 --fmad=false --ftz=true --prec-div=false "
                                       "--prec-sqrt=false ");
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

static void nvrtc_is_asked_for_exact_arithmetic_and_the_devices_own_code(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    assert_int_equal(live(engine), ILC_OK);
    assert_string_equal(fake->options, "--gpu-architecture=sm_90 --fmad=false --ftz=false --prec-div=true "
                                       "--prec-sqrt=true ");
    assert_string_equal(fake->program_name, "adding.cu");
    assert_int_equal(calls_of("nvrtcGetCUBIN"), 1);
    assert_int_equal(calls_of("nvrtcGetPTX"), 0);
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

static void a_device_that_nvrtc_does_not_know_gets_the_nearest_ptx(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    fake->major = 8;
    fake->minor = 7;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    assert_non_null(strstr(ilc__engine_describe(engine), "sm_87"));
    assert_non_null(strstr(ilc__engine_describe(engine), "(PTX sm_86)"));
    assert_int_equal(live(engine), ILC_OK);
    assert_non_null(strstr(fake->options, "--gpu-architecture=compute_86 "));
    assert_int_equal(calls_of("nvrtcGetPTX"), 1);
    ilc__engine_destroy(engine);
    fake->major = 7;
    fake->minor = 0;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_NO_ENGINE);
    assert_non_null(strstr(ctx.diags.items[0].text, "does not compile for this device, sm_70"));
    expect_nothing_alive();
    ilc__context_free(&ctx);
}

static void no_device_a_wrong_ordinal_or_a_closed_one_is_no_engine(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine        *engine;
    ilc__engine_options options = {
        .kind = ILC__ENGINE_CUDA, .cache_dir = "", .cuda_path = FAKE_CUDA_FOLDER, .device = 1};
    assert_int_equal(ilc__engine_create(&ctx, &options, &engine), ILC_NO_ENGINE);
    assert_string_equal(ctx.diags.items[0].text, "there is no CUDA device 1; there are 1");
    fake->compute_mode = CU_COMPUTEMODE_PROHIBITED;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_NO_ENGINE);
    assert_string_equal(ctx.diags.items[1].text, "the compute mode of NVIDIA Fake is prohibited");
    fake->device_count = 0;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_NO_ENGINE);
    assert_string_equal(ctx.diags.items[2].text, "the CUDA driver found no device");
    options.compiler = "icc";
    assert_int_equal(ilc__engine_create(&ctx, &options, &engine), ILC_INVALID);
    ilc__context_free(&ctx);
}

static void a_source_that_does_not_compile_gives_nvrtcs_log(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    ilc__module *module;
    const char  *log;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    assert_int_equal(ilc__engine_compile(engine, "bad", "syntax error", entries, 1, &module, &log),
                     ILC_COMPILER);
    assert_null(module);
    assert_string_equal(log, "kernel.cu(1): error: this is a syntax error");
    assert_string_equal(ctx.diags.items[0].text, "NVRTC 12.8 did not compile bad: "
                                                 "kernel.cu(1): error: this is a syntax error");
    const char *other[] = {"add", "subtract"};
    assert_int_equal(ilc__engine_compile(engine, "adding", source, other, 2, &module, &log), ILC_COMPILER);
    assert_string_equal(ctx.diags.items[1].text, "adding defines no subtract");
    assert_int_equal(fake->modules, 0);
    assert_int_equal(live(engine), ILC_OK);
    ilc__engine_destroy(engine);
    expect_nothing_alive();
    ilc__context_free(&ctx);
}

static void out_of_memory_names_the_sizes_and_the_engine_goes_on(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    ilc__address address;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    assert_int_equal(ilc__engine_alloc(engine, 1000, &address), ILC_OK);
    assert_int_equal(ilc__engine_alloc(engine, 20000000, &address), ILC_OUT_OF_MEMORY);
    assert_int_equal(address, 0);
    assert_string_equal(ctx.diags.items[0].text,
                        "there was no room for a buffer of 20000000 bytes on NVIDIA Fake, "
                        "where 16776216 of 16777216 are free");
    assert_int_equal(ilc__engine_alloc(engine, 0, &address), ILC_OK);
    assert_int_equal(live(engine), ILC_OK);
    ilc__engine_destroy(engine);
    expect_nothing_alive();
    ilc__context_free(&ctx);
}

static void a_fault_on_the_device_is_told_at_every_call_and_a_new_engine_works(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    ilc__address address;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    fake->fault = 1;
    assert_int_equal(live(engine), ILC_DEVICE);
    assert_int_equal(ctx.diags.count, 1);
    assert_non_null(strstr(ctx.diags.items[0].text, "CUDA_ERROR_ILLEGAL_ADDRESS"));
    assert_int_equal(ilc__engine_alloc(engine, 10, &address), ILC_DEVICE);
    assert_non_null(strstr(ctx.diags.items[1].text, "was lost through an earlier failure"));
    assert_int_equal(ilc__engine_synchronize(engine), ILC_DEVICE);
    assert_true(ilc__engine_last_seconds(engine) == 0);
    ilc__engine_destroy(engine);
    expect_nothing_alive();
    fake->fault = 0;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    assert_int_equal(live(engine), ILC_OK);
    ilc__engine_destroy(engine);
    ilc__context_free(&ctx);
}

static void the_callers_context_is_left_as_found(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    fake->depth = 1; /* a context of the caller's is current */
    fake->retained = 1;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    assert_int_equal(live(engine), ILC_OK);
    assert_int_equal(fake->depth, 1);
    ilc__engine_destroy(engine);
    assert_int_equal(fake->depth, 1);
    assert_int_equal(fake->retained, 1);
    ilc__context_free(&ctx);
}

static void expect_plan(ilc__engine *engine, ilc__module *module, ilc__launch launch, const unsigned grid[3],
                        const unsigned block[3])
{
    int         n = 0;
    const void *args[] = {&n, &n};
    launch.args = args;
    launch.arg_count = 2;
    launch.trap_arg = -1;
    assert_int_equal(ilc__engine_launch(engine, module, 0, &launch), ILC_OK);
    for (int a = 0; a < 3; a++) {
        assert_int_equal(fake->grid[a], grid[a]);
        assert_int_equal(fake->block[a], block[a]);
    }
}

static void launches_take_grids_the_device_has(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    ilc__module *module;
    const char  *log;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    assert_int_equal(ilc__engine_compile(engine, "adding", source, entries, 1, &module, &log), ILC_OK);
#define U3(...) ((const unsigned[3]){__VA_ARGS__})
    expect_plan(engine, module, (ilc__launch){.dims = 1, .extents = {1024}}, U3(16, 1, 1), U3(64, 1, 1));
    expect_plan(engine, module, (ilc__launch){.dims = 1, .extents = {1000003}}, U3(3907, 1, 1),
                U3(256, 1, 1));
    expect_plan(engine, module, (ilc__launch){.dims = 2, .extents = {1024, 512}}, U3(32, 64, 1),
                U3(16, 16, 1));
    expect_plan(engine, module, (ilc__launch){.dims = 2, .extents = {2000000, 3}}, U3(1, 31250, 1),
                U3(4, 64, 1));
    expect_plan(engine, module, (ilc__launch){.dims = 2, .extents = {20000000, 16}}, U3(1, 65535, 1),
                U3(16, 16, 1));
    expect_plan(engine, module, (ilc__launch){.dims = 3, .extents = {10, 20, 64}}, U3(2, 5, 5), U3(32, 4, 2));
    expect_plan(engine, module, (ilc__launch){.dims = 1, .extents = {1000}, .block = {128}}, U3(8, 1, 1),
                U3(128, 1, 1));
    expect_plan(engine, module, (ilc__launch){.dims = 2, .extents = {100, 100}, .block = {32, 8}},
                U3(4, 13, 1), U3(32, 8, 1));
    fake->kernel_block_max = 128; /* a kernel with many registers */
    expect_plan(engine, module, (ilc__launch){.dims = 1, .extents = {1000003}}, U3(7813, 1, 1),
                U3(128, 1, 1));
    expect_plan(engine, module, (ilc__launch){.dims = 2, .extents = {64, 64}}, U3(4, 8, 1), U3(16, 8, 1));
    ilc__launch wide = {.dims = 1, .extents = {1000}, .block = {256}, .trap_arg = -1};
    assert_int_equal(ilc__engine_launch(engine, module, 0, &wide), ILC_INVALID);
    /* Nothing to do is nothing launched. */
    int         before = fake->launches;
    ilc__launch empty = {.dims = 2, .extents = {5, 0}, .trap_arg = -1};
    assert_int_equal(ilc__engine_launch(engine, module, 0, &empty), ILC_OK);
    assert_int_equal(fake->launches, before);
    assert_true(ilc__engine_last_seconds(engine) == 0);
    ilc__engine_destroy(engine);
    expect_nothing_alive();
    ilc__context_free(&ctx);
}

static void a_second_engine_takes_the_code_from_the_cache(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    char        *folder = ilc__temporary_make(&ctx.arena);
    ilc__engine *engine;
    ilc__module *module;
    const char  *log;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(make_engine(&ctx, folder, &engine), ILC_OK);
        assert_int_equal(ilc__engine_compile(engine, "adding", source, entries, 1, &module, &log), ILC_OK);
        assert_int_equal(ilc__module_was_cached(module), i == 1);
        assert_int_equal(calls_of("nvrtcCompileProgram"), 1);
        ilc__engine_destroy(engine);
    }
    /* Another NVRTC, another device: other code. */
    fake->nvrtc_minor = 9;
    assert_int_equal(make_engine(&ctx, folder, &engine), ILC_OK);
    assert_int_equal(ilc__engine_compile(engine, "adding", source, entries, 1, &module, &log), ILC_OK);
    assert_false(ilc__module_was_cached(module));
    ilc__engine_destroy(engine);
    fake->major = 8;
    assert_int_equal(make_engine(&ctx, folder, &engine), ILC_OK);
    assert_int_equal(ilc__engine_compile(engine, "adding", source, entries, 1, &module, &log), ILC_OK);
    assert_false(ilc__module_was_cached(module));
    ilc__engine_destroy(engine);
    expect_nothing_alive();
    ilc__temporary_remove(folder);
    ilc__context_free(&ctx);
}

static void an_nvrtc_newer_than_the_driver_is_named_when_its_code_is_refused(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    ilc__engine *engine;
    ilc__module *module;
    const char  *log;
    fake->driver_version = 11080;
    assert_int_equal(make_engine(&ctx, "", &engine), ILC_OK);
    fake->minor = 5; /* so that the driver refuses the image */
    assert_int_equal(ilc__engine_compile(engine, "adding", source, entries, 1, &module, &log), ILC_DEVICE);
    assert_non_null(strstr(ctx.diags.items[0].text, "NVRTC 12.8 is newer than it (CUDA 11.8)"));
    assert_string_equal(log, "the fake knows no such image");
    ilc__engine_destroy(engine);
    expect_nothing_alive();
    ilc__context_free(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_engine_lives_and_leaves_nothing, fresh),
        cmocka_unit_test_setup(recursion_gets_its_stack_until_the_engine_goes, fresh),
        cmocka_unit_test_setup(every_call_that_fails_gives_one_clear_line_and_leaves_nothing, fresh),
        cmocka_unit_test_setup(memory_that_runs_out_anywhere_leaves_nothing, fresh),
        cmocka_unit_test_setup(nvrtc_is_told_when_near_is_enough, fresh),
        cmocka_unit_test_setup(nvrtc_is_asked_for_exact_arithmetic_and_the_devices_own_code, fresh),
        cmocka_unit_test_setup(a_device_that_nvrtc_does_not_know_gets_the_nearest_ptx, fresh),
        cmocka_unit_test_setup(no_device_a_wrong_ordinal_or_a_closed_one_is_no_engine, fresh),
        cmocka_unit_test_setup(a_source_that_does_not_compile_gives_nvrtcs_log, fresh),
        cmocka_unit_test_setup(out_of_memory_names_the_sizes_and_the_engine_goes_on, fresh),
        cmocka_unit_test_setup(a_fault_on_the_device_is_told_at_every_call_and_a_new_engine_works, fresh),
        cmocka_unit_test_setup(the_callers_context_is_left_as_found, fresh),
        cmocka_unit_test_setup(launches_take_grids_the_device_has, fresh),
        cmocka_unit_test_setup(a_second_engine_takes_the_code_from_the_cache, fresh),
        cmocka_unit_test_setup(an_nvrtc_newer_than_the_driver_is_named_when_its_code_is_refused, fresh),
    };
    return cmocka_run_group_tests_name("cuda engine, fake driver", tests, load_fakes, NULL);
}
