// two_streams.cpp - a program with a CUDA context, memory and two streams of its own runs a compiled VB function in them: half of a
// matrix's rows on each stream, without a copy and without waiting; then both as one CUDA graph, again and again.
//
//     two_streams ASSEMBLY METHOD [CUDA_FOLDER]
//
// METHOD takes (x As Single(), cols As Integer, i As Integer) and gives a Single, as the tutorial's RowSum. The driver's functions
// are declared here, so that no CUDA toolkit is needed; a program that has cuda.h includes it instead.
#include <ilcuda/ilcuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUgraph_st *CUgraph;
typedef unsigned long long CUdeviceptr;
extern "C" {
int cuInit(unsigned);
int cuCtxCreate_v2(CUcontext *, unsigned, int);
int cuCtxDestroy_v2(CUcontext);
int cuCtxGetCurrent(CUcontext *);
int cuStreamCreate(CUstream *, unsigned);
int cuStreamSynchronize(CUstream);
int cuStreamBeginCapture_v2(CUstream, int);
int cuStreamEndCapture(CUstream, CUgraph *);
int cuGraphInstantiateWithFlags(CUgraph *, CUgraph, unsigned long long);
int cuGraphLaunch(CUgraph, CUstream);
int cuMemAlloc_v2(CUdeviceptr *, size_t);
int cuMemcpyHtoDAsync_v2(CUdeviceptr, const void *, size_t, CUstream);
int cuMemcpyDtoHAsync_v2(void *, CUdeviceptr, size_t, CUstream);
}

static ilc_session *session;

static void driver(int error, const char *what)
{
    if (!error) return;
    std::fprintf(stderr, "two_streams: %s failed with %d\n", what, error);
    std::exit(1);
}

static void must(ilc_status status)
{
    if (status == ILC_OK) return;
    std::fprintf(stderr, "two_streams: %s\n", session ? ilc_session_error(session) : ilc_status_text(status));
    std::exit(ilc_status_exit_code(status));
}

int main(int argc, char **argv)
{
    const int64_t rows = 1000, cols = 1023, half = rows / 2;
    CUcontext     mine, now;
    CUstream      streams[2];
    CUdeviceptr   x, sums;
    if (argc < 3) return std::fprintf(stderr, "usage: two_streams ASSEMBLY METHOD [CUDA_FOLDER]\n"), 2;
    driver(cuInit(0), "cuInit");
    driver(cuCtxCreate_v2(&mine, 0, 0), "cuCtxCreate");
    for (CUstream &stream : streams) driver(cuStreamCreate(&stream, 1 /* non-blocking */), "cuStreamCreate");
    driver(cuMemAlloc_v2(&x, sizeof(float) * size_t(rows * cols)), "cuMemAlloc");
    driver(cuMemAlloc_v2(&sums, sizeof(float) * size_t(rows)), "cuMemAlloc");
    std::vector<float> data(size_t(rows * cols), 1.0f), found(static_cast<size_t>(rows));

    // An engine in this context, and the function as a kernel.
    ilc_engine_options options;
    ilc_engine        *engine;
    ilc_assembly      *assembly;
    ilc_method        *method;
    ilc_kernel        *kernel;
    must(ilc_session_create(&session, nullptr));
    ilc_engine_options_init(&options);
    options.kind = ILC_ENGINE_CUDA;
    options.cuda_context = mine;
    options.cuda_stream = streams[0];
    options.cuda_path = argc > 3 ? argv[3] : nullptr;
    must(ilc_engine_create(&engine, session, &options));
    must(ilc_assembly_open(&assembly, session, argv[1], nullptr));
    must(ilc_assembly_find(&method, assembly, argv[2]));
    must(ilc_kernel_translate(&kernel, method, nullptr));

    // Each half of the rows is a launch made ready, over this program's memory.
    ilc_task          *tasks[2];
    ilc_launch_options launch;
    ilc_launch_options_init(&launch);
    launch.self_check = false;
    for (int h = 0; h < 2; h++) {
        ilc_buffer   *part, *out;
        const int64_t dims[] = {half, cols};
        must(ilc_buffer_wrap(&part, engine, ILC_F32, reinterpret_cast<void *>(x + sizeof(float) * size_t(h * half * cols)), 2, dims, nullptr));
        must(ilc_buffer_wrap(&out, engine, ILC_F32, reinterpret_cast<void *>(sums + sizeof(float) * size_t(h * half)), 1, dims, nullptr));
        const ilc_argument args[] = {ilc_arg_buffer("x", part), ilc_arg_int("cols", cols), ilc_arg_result(out)};
        must(ilc_task_create(&tasks[h], engine, kernel, args, 3, &half, 1, &launch));
    }

    driver(cuMemcpyHtoDAsync_v2(x, data.data(), sizeof(float) * data.size(), streams[0]), "copying");
    driver(cuStreamSynchronize(streams[0]), "waiting");
    for (int h = 0; h < 2; h++) must(ilc_task_start(tasks[h], streams[h]));
    for (CUstream stream : streams) driver(cuStreamSynchronize(stream), "waiting");
    for (ilc_task *task : tasks) {
        ilc_launch_result result;
        must(ilc_task_result(&result, task));
        std::printf("%s: no exception\n", result.entry);
    }

    // The same as a graph; it reads what is there when it runs.
    CUgraph graph, ready;
    driver(cuStreamBeginCapture_v2(streams[1], 0), "capturing");
    for (ilc_task *task : tasks) must(ilc_task_start(task, streams[1]));
    driver(cuStreamEndCapture(streams[1], &graph), "capturing");
    driver(cuGraphInstantiateWithFlags(&ready, graph, 0), "making the graph");
    for (int turn = 2; turn < 4; turn++) {
        data.assign(data.size(), float(turn));
        driver(cuMemcpyHtoDAsync_v2(x, data.data(), sizeof(float) * data.size(), streams[1]), "copying");
        driver(cuGraphLaunch(ready, streams[1]), "launching the graph");
        driver(cuMemcpyDtoHAsync_v2(found.data(), sums, sizeof(float) * found.size(), streams[1]), "copying");
        driver(cuStreamSynchronize(streams[1]), "waiting");
        for (ilc_task *task : tasks) {
            ilc_launch_result result;
            must(ilc_task_result(&result, task));
        }
        std::printf("turn %d: row 0 %g, row %d %g\n", turn, double(found[0]), int(rows - 1), double(found[size_t(rows - 1)]));
    }
    driver(cuCtxGetCurrent(&now), "asking for the context");
    std::printf("%s\n", now == mine ? "the context is as it was" : "ANOTHER CONTEXT");
    ilc_session_destroy(session);
    driver(cuCtxDestroy_v2(mine), "cuCtxDestroy");
    return now == mine ? 0 : 1;
}
