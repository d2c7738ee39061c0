/* The CUDA engine inside a program that has its own context, streams, memory and tensors: on the driver that runs kernels (lib-run). */
#include "../unit/api/api_fixture.h"

#include <stdlib.h>

#include "api/dlpack.h"
#include "fake_test.h"

/* The program's own driver calls. */
#define DRIVER(name, ...) static CUresult (*name)(__VA_ARGS__);
DRIVER(cuCtxCreate_v2, CUcontext *, unsigned, CUdevice)
DRIVER(cuCtxDestroy_v2, CUcontext)
DRIVER(cuCtxGetCurrent, CUcontext *)
DRIVER(cuStreamCreate, CUstream *, unsigned)
DRIVER(cuStreamDestroy_v2, CUstream)
DRIVER(cuStreamSynchronize, CUstream)
DRIVER(cuMemAlloc_v2, CUdeviceptr *, size_t)
DRIVER(cuMemFree_v2, CUdeviceptr)
DRIVER(cuStreamBeginCapture_v2, CUstream, int)
DRIVER(cuStreamEndCapture, CUstream, void **)
DRIVER(cuGraphInstantiateWithFlags, void **, void *, unsigned long long)
DRIVER(cuGraphLaunch, void *, CUstream)
DRIVER(cuGraphDestroy, void *)
DRIVER(cuGraphExecDestroy, void *)

static void *library;

#define LOAD(name)                                                                                                     \
    do {                                                                                                               \
        void *symbol = dlsym(library, #name);                                                                          \
        assert_non_null(symbol);                                                                                       \
        memcpy(&name, &symbol, sizeof symbol);                                                                         \
    } while (0)

static int load_fakes(void **state)
{
    (void)state;
    fake_load(FAKE_RUN_FOLDER "/libcuda.so.1");
    library = dlopen(FAKE_RUN_FOLDER "/libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    LOAD(cuCtxCreate_v2);
    LOAD(cuCtxDestroy_v2);
    LOAD(cuCtxGetCurrent);
    LOAD(cuStreamCreate);
    LOAD(cuStreamDestroy_v2);
    LOAD(cuStreamSynchronize);
    LOAD(cuMemAlloc_v2);
    LOAD(cuMemFree_v2);
    LOAD(cuStreamBeginCapture_v2);
    LOAD(cuStreamEndCapture);
    LOAD(cuGraphInstantiateWithFlags);
    LOAD(cuGraphLaunch);
    LOAD(cuGraphDestroy);
    LOAD(cuGraphExecDestroy);
    return 0;
}

enum { ROWS = 3, COLS = 4 };
static const float matrix[ROWS * COLS] = {1, 2, 3, 4, 10, 20, 30, 40, 5, 6, 7, 8};

static ilc_engine *make_engine(fixture *f, const ilc_engine_options *wanted)
{
    ilc_engine_options options = *wanted;
    ilc_engine        *engine = NULL;
    options.kind = ILC_ENGINE_CUDA;
    options.cuda_path = FAKE_RUN_FOLDER;
    options.cuda_compiler = "nvrtc";
    options.cache_dir = ILCUDA_CACHE;
    assert_int_equal(ilc_engine_create(&engine, f->session, &options), ILC_OK);
    return engine;
}

/* A program's context with two streams. */
typedef struct program {
    CUcontext context;
    CUstream  streams[2];
} program;

static program start_program(void)
{
    program p;
    assert_int_equal(cuCtxCreate_v2(&p.context, 0, 0), 0);
    for (int i = 0; i < 2; i++) assert_int_equal(cuStreamCreate(&p.streams[i], 1), 0);
    return p;
}

static void end_program(program *p)
{
    CUcontext current;
    assert_int_equal(cuCtxGetCurrent(&current), 0);
    assert_ptr_equal(current, p->context); /* as it was */
    for (int i = 0; i < 2; i++) cuStreamDestroy_v2(p->streams[i]);
    cuCtxDestroy_v2(p->context);
    expect_nothing_alive();
}

static ilc_task *row_sums(fixture *f, ilc_engine *engine, ilc_buffer *x, ilc_buffer *out, int64_t rows)
{
    ilc_argument       args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", COLS), ilc_arg_result(out)};
    ilc_launch_options options;
    ilc_task          *task = NULL;
    ilc_launch_options_init(&options);
    options.self_check = false;
    assert_int_equal(ilc_task_create(&task, engine, fixture_kernel(f, "RowSum"), args, 3, &rows, 1, &options), ILC_OK);
    return task;
}

static void an_engine_lives_in_the_callers_context_and_streams(void **state)
{
    fixture            f;
    ilc_engine_options options;
    ilc_launch_result  result;
    CUdeviceptr        memory, sums;
    (void)state;
    reset();
    fixture_open(&f, "Tutorial.dll");
    program p = start_program();
    assert_int_equal(cuMemAlloc_v2(&memory, sizeof matrix), 0);
    assert_int_equal(cuMemAlloc_v2(&sums, ROWS * sizeof(float)), 0);
    memcpy((void *)(uintptr_t)memory, matrix, sizeof matrix);
    ilc_engine_options_init(&options);
    options.cuda_context = p.context;
    options.cuda_stream = p.streams[0];
    ilc_engine   *engine = make_engine(&f, &options);
    const int64_t dims[] = {ROWS * COLS}, rows[] = {ROWS};
    ilc_buffer   *x, *out;
    assert_int_equal(ilc_buffer_wrap(&x, engine, ILC_F32, (void *)(uintptr_t)memory, 1, dims, NULL), ILC_OK);
    assert_int_equal(ilc_buffer_wrap(&out, engine, ILC_F32, (void *)(uintptr_t)sums, 1, rows, NULL), ILC_OK);
    ilc_task *task = row_sums(&f, engine, x, out, ROWS);
    assert_int_equal(fake->retained, 0);
    assert_int_equal(fake->streams, 2);
    const float *found = (const float *)(uintptr_t)sums;
    /* on another stream, without anything but the launch */
    int before = fake->calls;
    assert_int_equal(ilc_task_start(task, p.streams[1]), ILC_OK);
    for (int c = before; c < fake->calls; c++)
        assert_true(strncmp(fake->log[c], "cuCtxP", 6) == 0 || strcmp(fake->log[c], "cuFuncGetAttribute") == 0 || strcmp(fake->log[c], "cuLaunchKernel") == 0);
    assert_int_equal(cuStreamSynchronize(p.streams[1]), 0);
    assert_int_equal(ilc_task_result(&result, task), ILC_OK);
    assert_true(found[0] == 10 && found[1] == 100 && found[2] == 26 && result.seconds == 0);
    /* captured into a graph, and replayed over other values */
    void *graph, *ready;
    assert_int_equal(cuStreamBeginCapture_v2(p.streams[1], 0), 0);
    assert_int_equal(ilc_task_start(task, p.streams[1]), ILC_OK);
    assert_int_equal(cuStreamEndCapture(p.streams[1], &graph), 0);
    assert_int_equal(cuGraphInstantiateWithFlags(&ready, graph, 0), 0);
    for (int turn = 1; turn < 3; turn++) {
        *(float *)(uintptr_t)memory = (float)turn * 1000;
        assert_int_equal(cuGraphLaunch(ready, p.streams[1]), 0);
        assert_int_equal(cuStreamSynchronize(p.streams[1]), 0);
        assert_int_equal(ilc_task_result(&result, task), ILC_OK);
        assert_true(found[0] == (float)turn * 1000 + 9);
    }
    cuGraphExecDestroy(ready);
    cuGraphDestroy(graph);
    ilc_engine_destroy(engine);
    assert_int_equal(fake->streams, 2);
    fixture_close(&f);
    cuMemFree_v2(memory);
    cuMemFree_v2(sums);
    end_program(&p);
}

static void memory_of_the_caller_must_fit_an_array(void **state)
{
    fixture            f;
    ilc_engine_options options;
    ilc_buffer        *x;
    CUdeviceptr        memory;
    (void)state;
    reset();
    fixture_open(&f, "Tutorial.dll");
    program p = start_program();
    assert_int_equal(cuMemAlloc_v2(&memory, sizeof matrix), 0);
    ilc_engine_options_init(&options);
    options.cuda_context = p.context;
    ilc_engine   *engine = make_engine(&f, &options);
    char         *data = (char *)(uintptr_t)memory;
    const int64_t dims[] = {3, 1, 4}, dense[] = {4, 99, 1}, gaps[] = {8, 8, 1}, turned[] = {1, 1, 3}, none[] = {0, 5}, large[] = {1 << 20, 1 << 20};
    int64_t       shape[3];
    assert_int_equal(ilc_buffer_wrap(&x, engine, ILC_F32, data, 3, dims, dense), ILC_OK);
    assert_int_equal(ilc_buffer_shape(x, shape), 3);
    assert_true(shape[0] == 3 && shape[1] == 1 && shape[2] == 4);
    assert_int_equal(ilc_buffer_wrap(&x, engine, ILC_F32, data, 3, dims, gaps), ILC_UNSUPPORTED);
    assert_says(&f, "make it contiguous");
    assert_int_equal(ilc_buffer_wrap(&x, engine, ILC_F32, data, 3, dims, turned), ILC_UNSUPPORTED);
    assert_int_equal(ilc_buffer_wrap(&x, engine, ILC_F32, data + 2, 3, dims, NULL), ILC_INVALID);
    assert_says(&f, "at a multiple of 4 bytes");
    assert_int_equal(ilc_buffer_wrap(&x, engine, ILC_F32, NULL, 2, none, NULL), ILC_OK);
    assert_int_equal(ilc_buffer_wrap(&x, engine, ILC_F32, data, 2, large, NULL), ILC_INVALID);
    assert_int_equal(ilc_buffer_wrap(&x, engine, ILC_F32, data, 4, dims, NULL), ILC_INVALID);
    fixture_close(&f);
    cuMemFree_v2(memory);
    end_program(&p);
}

static int released;

static void release(DLManagedTensor *tensor)
{
    (void)tensor;
    released++;
}

static void tensors_go_in_and_out_in_place(void **state)
{
    fixture            f;
    ilc_engine_options options;
    ilc_launch_result  result;
    ilc_buffer        *x, *out, *wrong;
    DLManagedTensor   *sums;
    CUdeviceptr        memory;
    (void)state;
    reset();
    released = 0;
    fixture_open(&f, "Tutorial.dll");
    program p = start_program();
    assert_int_equal(cuMemAlloc_v2(&memory, sizeof matrix + 8), 0);
    memcpy((char *)(uintptr_t)memory + 8, matrix, sizeof matrix);
    ilc_engine_options_init(&options);
    options.cuda_context = p.context;
    ilc_engine     *engine = make_engine(&f, &options);
    int64_t         shape[] = {ROWS, COLS};
    DLManagedTensor tensor = {.dl_tensor = {.data = (void *)(uintptr_t)memory, .device = {DL_CUDA, 0}, .ndim = 2, .dtype = {DL_FLOAT, 32, 1}, .shape = shape, .byte_offset = 8},
                              .deleter = release};
    assert_int_equal(ilc_buffer_from_dlpack(&x, engine, &tensor), ILC_OK);
    assert_int_equal(ilc_buffer_create(&out, engine, ILC_F32, ROWS), ILC_OK);
    ilc_task *task = row_sums(&f, engine, x, out, ROWS);
    assert_int_equal(ilc_task_start(task, NULL), ILC_OK);
    assert_int_equal(ilc_engine_wait(engine), ILC_OK);
    assert_int_equal(ilc_task_result(&result, task), ILC_OK);
    ilc_task_destroy(task);
    assert_int_equal(ilc_buffer_to_dlpack(&sums, out), ILC_OK);
    assert_true(sums->dl_tensor.ndim == 1 && sums->dl_tensor.shape[0] == ROWS && sums->dl_tensor.strides[0] == 1 && sums->dl_tensor.device.type == DL_CUDA);
    assert_true(((const float *)sums->dl_tensor.data)[1] == 100);
    assert_int_equal(ilc_buffer_resize(out, 1), ILC_INVALID);
    assert_says(&f, "an array that a tensor has keeps its length");
    ilc_buffer_destroy(out); /* stays as long as the tensor */
    assert_true(((const float *)sums->dl_tensor.data)[2] == 26);
    sums->deleter(sums);
    tensor.dl_tensor.dtype.bits = 16;
    assert_int_equal(ilc_buffer_from_dlpack(&wrong, engine, &tensor), ILC_UNSUPPORTED);
    tensor.dl_tensor.dtype.bits = 32;
    tensor.dl_tensor.device.type = DL_CPU;
    assert_int_equal(ilc_buffer_from_dlpack(&wrong, engine, &tensor), ILC_UNSUPPORTED);
    assert_int_equal(released, 0);
    ilc_buffer_destroy(x);
    assert_int_equal(released, 1);
    /* an engine that goes first takes the memory, and what it gave out may still be let go */
    assert_int_equal(ilc_buffer_create(&out, engine, ILC_F64, ROWS), ILC_OK);
    assert_int_equal(ilc_buffer_to_dlpack(&sums, out), ILC_OK);
    ilc_engine_destroy(engine);
    fixture_close(&f);
    sums->deleter(sums);
    cuMemFree_v2(memory);
    end_program(&p);
}

typedef struct books {
    int taken, given, lines;
} books;

static uint64_t take(void *user, size_t bytes)
{
    CUdeviceptr address = 0;
    ((books *)user)->taken++;
    return cuMemAlloc_v2(&address, bytes) ? 0 : address;
}

static void give(void *user, uint64_t address)
{
    ((books *)user)->given++;
    cuMemFree_v2(address);
}

static void hear(void *user, const char *text)
{
    ((books *)user)->lines += strstr(text, "engine: ") != NULL || strstr(text, "il_RowSum_kernel: compiled") != NULL;
}

static void memory_and_what_is_logged_go_through_the_caller(void **state)
{
    fixture             f;
    books               pool = {0};
    ilc_engine_options  options;
    ilc_session_options wanted;
    ilc_engine         *engine;
    ilc_buffer         *x;
    (void)state;
    reset();
    ilc_session_options_init(&wanted);
    wanted.log = hear;
    wanted.log_user = &pool;
    assert_int_equal(ilc_session_create(&f.session, &wanted), ILC_OK);
    assert_int_equal(ilc_assembly_open(&f.assembly, f.session, FIXTURE_BIN "Tutorial.dll", NULL), ILC_OK);
    ilc_engine_options_init(&options);
    options.device_alloc = take;
    options.kind = ILC_ENGINE_CUDA;
    assert_int_equal(ilc_engine_create(&engine, f.session, &options), ILC_INVALID);
    options.device_free = give;
    options.device_user = &pool;
    engine = make_engine(&f, &options);
    assert_int_equal(ilc_buffer_create(&x, engine, ILC_F32, 100), ILC_OK);
    assert_int_equal(ilc_buffer_create(&x, engine, ILC_F32, 200), ILC_OK);
    ilc_buffer_destroy(x);
    assert_int_equal(ilc_buffer_create(&x, engine, ILC_F32, 1 << 30), ILC_OUT_OF_MEMORY);
    assert_int_equal(ilc_engine_prepare(engine, fixture_kernel(&f, "RowSum"), NULL), ILC_OK);
    fixture_close(&f);
    assert_int_equal(pool.taken, 3);
    assert_int_equal(pool.given, 2);
    assert_int_equal(pool.lines, 2);
    expect_nothing_alive();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_lives_in_the_callers_context_and_streams),
        cmocka_unit_test(memory_of_the_caller_must_fit_an_array),
        cmocka_unit_test(tensors_go_in_and_out_in_place),
        cmocka_unit_test(memory_and_what_is_logged_go_through_the_caller),
    };
    return cmocka_run_group_tests_name("embedding, fake driver", tests, load_fakes, NULL);
}
