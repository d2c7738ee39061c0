/* api_memory_test.c - the n-th allocation fails, n = 1, 2, ..., until everything succeeds: each failure is a status,
 * nothing is lost, and the session can be destroyed or go on. */
#include <stdlib.h>

#include "../../../src/api/dlpack.h"
#include "api_fixture.h"

typedef struct allocator {
    unsigned long calls, fail_at; /* 0: never */
    long          alive;
} allocator;

static void *counting_resize(void *user, void *ptr, size_t size)
{
    allocator *a = user;
    if (size == 0) {
        if (ptr) a->alive--;
        free(ptr);
        return NULL;
    }
    if (++a->calls == a->fail_at) return NULL;
    void *result = realloc(ptr, size);
    if (result && !ptr) a->alive++;
    return result;
}

#define STEP(call)                                                                                           \
    do {                                                                                                     \
        ilc_status step_ = (call);                                                                           \
        if (step_ != ILC_OK) return step_;                                                                   \
    } while (0)

static ilc_status open_engine(ilc_engine **out, ilc_session *session, ilc_engine_kind kind)
{
    ilc_engine_options options;
    ilc_engine_options_init(&options);
    options.kind = kind;
    options.cache_dir = ILCUDA_CACHE;
    return ilc_engine_create(out, session, &options);
}

/* The same launch made ready, over the caller's memory; and its outcome as a tensor, which is let go and taken again. */
static ilc_status use_tasks(ilc_engine *engine, ilc_kernel *kernel, ilc_buffer *x)
{
    float             sums[2];
    ilc_task         *task;
    ilc_buffer       *out, *again;
    DLManagedTensor  *tensor;
    ilc_launch_result result;
    const int64_t     extents[] = {2};
    STEP(ilc_buffer_wrap(&out, engine, ILC_F32, sums, 1, extents, NULL));
    ilc_argument args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", 2), ilc_arg_result(out)};
    STEP(ilc_task_create(&task, engine, kernel, args, 3, extents, 1, NULL));
    STEP(ilc_task_start(task, NULL));
    STEP(ilc_engine_wait(engine));
    STEP(ilc_task_result(&result, task));
    assert_true(sums[0] == 3 && sums[1] == 7);
    STEP(ilc_buffer_to_dlpack(&tensor, out));
    ilc_status status = ilc_buffer_from_dlpack(&again, engine, tensor);
    if (status != ILC_OK) tensor->deleter(tensor); /* it stays the caller's */
    if (status == ILC_OK) ilc_buffer_destroy(again);
    return status; /* the task is left to the engine */
}

static ilc_status launch_on(ilc_session *session, ilc_kernel *kernel, ilc_engine_kind kind)
{
    const float       data[4] = {1, 2, 3, 4};
    float             sums[2];
    ilc_engine       *engine;
    ilc_buffer       *x, *out;
    ilc_launch_result result;
    const int64_t     extents[] = {2};
    STEP(open_engine(&engine, session, kind));
    STEP(ilc_buffer_create(&x, engine, ILC_F32, 4));
    STEP(ilc_buffer_create(&out, engine, ILC_F32, 2));
    STEP(ilc_buffer_write(x, 0, data, 4));
    ilc_argument args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", 2), ilc_arg_buffer("il_out", out)};
    STEP(ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL));
    STEP(ilc_buffer_read(out, 0, sums, 2));
    assert_true(sums[0] == 3 && sums[1] == 7);
    STEP(use_tasks(engine, kernel, x));
    ilc_buffer_destroy(x);
    ilc_engine_destroy(engine);
    return ILC_OK;
}

static ilc_status use_calls(ilc_session *session, ilc_method *method)
{
    float             data[4] = {1, 2, 3, 4};
    ilc_array         x = {ILC_F32, 4, data};
    ilc_value         args[3] = {{.storage = ILC_F32, .is_array = true, .u.array = &x},
                                 {.storage = ILC_I32, .u.bits = 2},
                                 {.storage = ILC_I32, .u.bits = 5}};
    ilc_outcome       outcome;
    ilc_engine       *engine;
    ilc_call_options  options;
    STEP(ilc_call(&outcome, method, args, 3, NULL));
    assert_true(outcome.trapped);
    ilc_call_options_init(&options);
    STEP(open_engine(&engine, session, ILC_ENGINE_AST));
    options.engine = engine;
    args[2].u.bits = 1;
    STEP(ilc_call(&outcome, method, args, 3, &options));
    assert_int_equal(outcome.ret.u.bits, 0x40e00000); /* 7 */
    STEP(open_engine(&engine, session, ILC_ENGINE_CPU));
    options.engine = engine;
    STEP(ilc_call_prepare(&method, 1, &options));
    STEP(ilc_call(&outcome, method, args, 3, &options));
    assert_int_equal(outcome.ret.u.bits, 0x40e00000);
    return ILC_OK;
}

static ilc_status use_texts(ilc_method *method, ilc_kernel *kernel)
{
    const char     *text;
    ilc_entry_param param;
    ilc_support     support;
    ilc_param       described;
    const ilc_line *lines;
    size_t          line_count;
    STEP(ilc_method_display(&text, method));
    STEP(ilc_method_result_type(&text, method));
    STEP(ilc_method_param(&described, method, 0));
    STEP(ilc_method_support(&support, method));
    assert_true(support.supported);
    for (int form = ILC_TEXT_IL; form <= ILC_TEXT_C_UNIT; form++) STEP(ilc_kernel_text(&text, kernel, (ilc_text)form));
    STEP(ilc_kernel_lines(&lines, &line_count, kernel, ILC_TEXT_CUDA_UNIT));
    STEP(ilc_kernel_lines(&lines, &line_count, kernel, ILC_TEXT_VB));
    STEP(ilc_method_passes(&text, method, "fma", true, true));
    STEP(ilc_kernel_name(&text, kernel));
    STEP(ilc_kernel_entry_param(&param, kernel, false, 0));
    return ILC_OK;
}

static ilc_status use_everything(ilc_session *session)
{
    ilc_assembly     *assembly;
    ilc_method       *method;
    ilc_kernel       *kernel;
    ilc_check_options options;
    ilc_check_result  checked;
    ilc_cache_info    cache;
    size_t            count;
    STEP(ilc_assembly_open(&assembly, session, FIXTURE_BIN "Tutorial.dll", NULL));
    STEP(ilc_assembly_find(&method, assembly, "RowSum"));
    STEP(ilc_assembly_find_all(NULL, 0, &count, assembly, "RowSum"));
    STEP(ilc_kernel_translate(&kernel, method, NULL));
    STEP(use_texts(method, kernel));
    STEP(launch_on(session, kernel, ILC_ENGINE_IL));
    STEP(launch_on(session, kernel, ILC_ENGINE_AST));
    STEP(launch_on(session, kernel, ILC_ENGINE_CPU));
    STEP(use_calls(session, method));
    ilc_check_options_init(&options);
    options.rounds = 2;
    STEP(ilc_check(&checked, method, &options));
    return ilc_cache_info_get(&cache, session, ILCUDA_CACHE);
}

/* A struct as a result, as an argument, and in an array. */
static ilc_status call_structs(ilc_session *session, ilc_method *const *methods, ilc_engine_kind kind)
{
    int32_t          numbers[4] = {1, 2, 3, 6};
    float            pair[2] = {1.5f, -2}, swapped[2];
    double           mean, points[4] = {1, 2, 4, 5};
    ilc_array        x = {ILC_I32, 4, numbers};
    ilc_array        vectors = {.elem = ILC_STRUCT, .length = 2, .data = points};
    ilc_value        list = {.storage = ILC_I32, .is_array = true, .u.array = &x};
    ilc_value        one = {.storage = ILC_STRUCT, .u.data = pair};
    ilc_value        copies[2] = {{.storage = ILC_STRUCT, .is_array = true, .u.array = &vectors}, {.storage = ILC_I32, .u.bits = 1}};
    ilc_param        described;
    ilc_outcome      outcome;
    ilc_call_options options;
    ilc_call_options_init(&options);
    STEP(open_engine(&options.engine, session, kind));
    STEP(ilc_call_prepare(methods, 3, &options));
    STEP(ilc_call(&outcome, methods[0], &list, 1, &options));
    memcpy(&mean, outcome.ret.u.data, sizeof mean);
    assert_true(!outcome.trapped && mean == 3);
    STEP(ilc_method_param(&described, methods[1], 0));
    one.layout = described.layout;
    STEP(ilc_call(&outcome, methods[1], &one, 1, &options));
    memcpy(swapped, outcome.ret.u.data, sizeof swapped);
    assert_true(swapped[0] == -2 && swapped[1] == 1.5f);
    STEP(ilc_method_param(&described, methods[2], 0));
    vectors.layout = described.layout;
    STEP(ilc_call(&outcome, methods[2], copies, 2, &options));
    memcpy(&mean, &outcome.ret.u.bits, sizeof mean);
    assert_true(!outcome.trapped && mean == 469 && points[2] == 9);
    ilc_engine_destroy(options.engine);
    return ILC_OK;
}

static ilc_status use_structs(ilc_session *session)
{
    ilc_assembly *assembly;
    ilc_method   *methods[3];
    STEP(ilc_assembly_open(&assembly, session, FIXTURE_BIN "StructsCs.dll", NULL));
    STEP(ilc_assembly_find(&methods[0], assembly, "Mean"));
    STEP(ilc_assembly_find(&methods[1], assembly, "SwapPair"));
    STEP(ilc_assembly_find(&methods[2], assembly, "CopyIsApart"));
    STEP(call_structs(session, methods, ILC_ENGINE_IL));
    STEP(call_structs(session, methods, ILC_ENGINE_AST));
    return call_structs(session, methods, ILC_ENGINE_CPU);
}

typedef ilc_status (*user)(ilc_session *session);

/* A bundle is built, and runs what was compiled for it. */
static ilc_status use_bundle(ilc_session *session)
{
    static const char *const isas[] = {"x86-64"};
    const char              *path = ILCUDA_CACHE "-memory.ilcuda";
    ilc_assembly            *assembly;
    ilc_method              *method;
    ilc_bundle              *bundle;
    ilc_engine              *engine;
    ilc_kernel              *kernel;
    ilc_bundle_options       options;
    ilc_engine_options       engine_options;
    bool                     cached;
    STEP(ilc_assembly_open(&assembly, session, ILCUDA_FIXTURES "/bin/Tutorial.dll", NULL));
    STEP(ilc_assembly_find(&method, assembly, "RowSum"));
    ilc_bundle_options_init(&options);
    options.isas = isas;
    options.isa_count = 1;
    options.cache_dir = ILCUDA_CACHE;
    STEP(ilc_bundle_build(NULL, path, assembly, &method, 1, &options));
    STEP(ilc_bundle_open(&bundle, session, path));
    STEP(ilc_bundle_assembly(&assembly, bundle));
    STEP(ilc_assembly_find(&method, assembly, "RowSum"));
    STEP(ilc_kernel_translate(&kernel, method, NULL));
    ilc_engine_options_init(&engine_options);
    engine_options.kind = ILC_ENGINE_CPU;
    engine_options.no_compile = true;
    engine_options.threads = 1;
    STEP(ilc_engine_create(&engine, session, &engine_options));
    STEP(ilc_engine_prepare(engine, kernel, &cached));
    assert_true(cached);
    ilc_engine_destroy(engine);
    return ILC_OK;
}

static ilc_status run_with(allocator *a, user use)
{
    ilc_session        *session;
    ilc_session_options options;
    ilc_session_options_init(&options);
    options.resize = counting_resize;
    options.resize_user = a;
    ilc_status status = ilc_session_create(&session, &options);
    if (status != ILC_OK) return status;
    status = use(session);
    ilc_session_destroy(session);
    return status;
}

static void fail_each(user use)
{
    for (unsigned long n = 1;; n++) {
        allocator  a = {.fail_at = n};
        ilc_status status = run_with(&a, use);
        assert_int_equal(a.alive, 0);
        if (a.calls < n) {
            assert_int_equal(status, ILC_OK);
            print_message("%lu allocations\n", n - 1);
            return;
        }
        /* An engine may do without what it could not get; otherwise the call says so. */
        if (status != ILC_OK) assert_int_equal(status, ILC_OUT_OF_MEMORY);
    }
}

static void every_failing_allocation_is_a_status_and_nothing_is_lost(void **state)
{
    (void)state;
    fail_each(use_everything);
}

static void every_failing_allocation_of_calls_with_structs_is_a_status(void **state)
{
    (void)state;
    fail_each(use_structs);
}

static void every_failing_allocation_of_a_bundle_is_a_status(void **state)
{
    (void)state;
    fail_each(use_bundle);
}

static void go_on_after_each(user use)
{
    for (unsigned long n = 2;; n++) {
        allocator           a = {.fail_at = n};
        ilc_session        *session;
        ilc_session_options options;
        ilc_session_options_init(&options);
        options.resize = counting_resize;
        options.resize_user = &a;
        assert_int_equal(ilc_session_create(&session, &options), ILC_OK);
        ilc_status status = use(session);
        if (status != ILC_OK) {
            assert_int_equal(status, ILC_OUT_OF_MEMORY);
            status = use(session);
        }
        assert_int_equal(status, ILC_OK);
        ilc_session_destroy(session);
        assert_int_equal(a.alive, 0);
        if (a.calls < n) return;
    }
}

static void a_session_goes_on_after_it_ran_out_of_memory(void **state)
{
    (void)state;
    go_on_after_each(use_everything);
}

static void a_session_goes_on_after_calls_with_structs_ran_out_of_memory(void **state)
{
    (void)state;
    go_on_after_each(use_structs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failing_allocation_is_a_status_and_nothing_is_lost),
        cmocka_unit_test(a_session_goes_on_after_it_ran_out_of_memory),
        cmocka_unit_test(every_failing_allocation_of_calls_with_structs_is_a_status),
        cmocka_unit_test(a_session_goes_on_after_calls_with_structs_ran_out_of_memory),
#ifdef __x86_64__
        cmocka_unit_test(every_failing_allocation_of_a_bundle_is_a_status),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
