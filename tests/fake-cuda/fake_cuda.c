/* fake_cuda.c - a libcuda.so.1 that keeps books: memory operations are real. Kernels do nothing in the libraries of
 * lib/; those of lib-run/ (FAKE_RUN) run them on the fibre harness (fake_run.c). PTX is loaded, and does nothing.
 *
 * Calls that give something back do so even when they are made to fail, as the real driver's do. */
#include "fake_cuda.h"
#ifdef FAKE_RUN
#include "fake_run.h"
#endif

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUDA_DRIVER(result, name, parameters) result name parameters;
#include "rt/cuda.def"
#undef CUDA_DRIVER

enum { BUFFERS_MAX = 1024 };

struct CUctx_st {
    int dummy;
};
enum { CAPTURED_MAX = 16 };
typedef struct captured { /* a launch; its arguments stay the caller's, as no sizes are known */
    CUfunction function;
    unsigned   grid[3], block[3];
    void     **parameters;
} captured;
struct CUgraph_st {
    int      count;
    captured launches[CAPTURED_MAX];
};
struct CUstream_st {
    struct CUgraph_st *capturing; /* NULL: what is asked of it is done */
};
struct CUevent_st {
    int recorded;
};
struct CUmod_st {
    char             *source; /* NULL where it really runs */
    struct CUfunc_st *functions;
    void             *run; /* fake_run_module */
};
struct CUfunc_st {
    struct CUfunc_st *next;
    CUmodule          module;
    void             *entry; /* NULL: does nothing */
};

typedef struct buffer {
    char  *bytes;
    size_t size;
} buffer;

static fake_control    control;
static buffer          buffers[BUFFERS_MAX];
static struct CUctx_st context, given; /* the primary one, and the test's own */
static CUcontext       stack[64];

fake_control *fake_cuda_control(void)
{
    return &control;
}

void fake_cuda_reset(void)
{
    for (int i = 0; i < BUFFERS_MAX; i++)
        free(buffers[i].bytes);
    memset(buffers, 0, sizeof buffers);
    control = (fake_control){.driver_version = 12080,
                             .device_count = 1,
                             .major = 9,
                             .multiprocessors = 132,
                             .kernel_block_max = 1024,
                             .memory = (size_t)1 << 24,
                             .stack = 1024,
                             .kernel_local = 96,
                             .nvrtc_major = 12,
                             .nvrtc_minor = 8,
                             .arch_count = 5,
                             .archs = {75, 80, 86, 89, 90}};
#ifdef FAKE_RUN
    control.memory = (size_t)1 << 32;
    control.nvrtc_minor = FAKE_RUN_VERSION; /* so that what another harness compiled is not taken from the cache */
#endif
}

/* For programs that know nothing of a fake. */
__attribute__((constructor)) static void begin(void)
{
    fake_cuda_reset();
}

int fake_cuda_step(const char *name)
{
    if (control.calls < FAKE_LOG_MAX) control.log[control.calls] = name;
    control.calls++;
    return control.calls == control.fail_at ? control.error : 0;
}

/* The result of a call that needs a current context. */
static CUresult step_inside(const char *name)
{
    CUresult error = fake_cuda_step(name);
    if (error) return error;
    if (control.depth < 1) {
        control.misuse++;
        return 201; /* CUDA_ERROR_INVALID_CONTEXT */
    }
    return control.faulted ? CUDA_ERROR_ILLEGAL_ADDRESS : 0;
}

#define STEP()                                                                                               \
    do {                                                                                                     \
        CUresult error_ = fake_cuda_step(__func__);                                                          \
        if (error_) return error_;                                                                           \
    } while (0)
#define STEP_INSIDE()                                                                                        \
    do {                                                                                                     \
        CUresult error_ = step_inside(__func__);                                                             \
        if (error_) return error_;                                                                           \
    } while (0)

static CUresult misused(void)
{
    control.misuse++;
    return CUDA_ERROR_INVALID_VALUE;
}

/* --- driver and devices -----------------------------------------------------------------------------------
 */

CUresult cuInit(unsigned int flags)
{
    STEP();
    if (flags) return misused();
    return control.device_count ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDriverGetVersion(int *version)
{
    STEP();
    *version = control.driver_version;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    STEP();
    switch (error) {
    case CUDA_ERROR_OUT_OF_MEMORY: *name = "CUDA_ERROR_OUT_OF_MEMORY"; break;
    case CUDA_ERROR_ILLEGAL_ADDRESS: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; break;
    case 999: *name = "CUDA_ERROR_UNKNOWN"; break;
    default: *name = "CUDA_ERROR_OF_THE_FAKE"; break;
    }
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    STEP();
    *text = error == 999 ? "unknown error" : "text of the fake";
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    STEP();
    *count = control.device_count;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    STEP();
    if (ordinal < 0 || ordinal >= control.device_count) return misused();
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    STEP();
    (void)device;
    snprintf(name, (size_t)length, "NVIDIA Fake");
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    STEP();
    (void)device;
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = 1024; break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = control.multiprocessors; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE: *value = control.compute_mode; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = control.major; break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = control.minor; break;
    default: return misused();
    }
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    STEP();
    (void)device;
    *bytes = control.memory;
    return CUDA_SUCCESS;
}

/* --- contexts ---------------------------------------------------------------------------------------------
 */

CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device)
{
    STEP();
    (void)device;
    control.retained++;
    *out = &context;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    CUresult error = fake_cuda_step(__func__);
    (void)device;
    if (control.retained < 1) return misused();
    if (--control.retained > 0) return error;
    /* The context dies, and with it what was made in it. */
    control.faulted = 0;
    return error;
}

CUresult cuCtxPushCurrent_v2(CUcontext wanted)
{
    STEP();
    bool alive = wanted == &context ? control.retained > 0 : wanted == &given && control.created > 0;
    if (!alive || control.depth == 64) return misused();
    stack[control.depth++] = wanted;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *out)
{
    CUresult error = fake_cuda_step(__func__);
    if (control.depth < 1) return misused();
    *out = stack[--control.depth];
    return error;
}

/* Not in cuda.def: what programs of their own ask. The new context is current. */
CUresult cuCtxCreate_v2(CUcontext *out, unsigned int flags, CUdevice device);
CUresult cuCtxCreate_v2(CUcontext *out, unsigned int flags, CUdevice device)
{
    STEP();
    if (control.created || control.depth == 64 || device) return misused();
    (void)flags;
    control.created++;
    stack[control.depth++] = *out = &given;
    return CUDA_SUCCESS;
}

CUresult cuCtxDestroy_v2(CUcontext old);
CUresult cuCtxDestroy_v2(CUcontext old)
{
    STEP();
    if (old != &given || !control.created) return misused();
    if (control.depth && stack[control.depth - 1] == &given) control.depth--;
    control.created--;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *out);
CUresult cuCtxGetCurrent(CUcontext *out)
{
    STEP();
    *out = control.depth ? stack[control.depth - 1] : NULL;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    STEP_INSIDE();
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    STEP_INSIDE();
    if (limit != CU_LIMIT_STACK_SIZE) return misused();
    *value = control.stack;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    STEP_INSIDE();
    if (limit != CU_LIMIT_STACK_SIZE) return misused();
    if (value > (size_t)512 << 10) return CUDA_ERROR_INVALID_VALUE; /* what a thread has of local memory */
    control.stack = value;
    return CUDA_SUCCESS;
}

/* --- modules ----------------------------------------------------------------------------------------------
 */

/* The architecture that PTX names; 0: it is none. */
static int ptx_arch(const char *image)
{
    const char *target = strstr(image, "\n.target sm_");
    return target && strstr(image, "\n.version ") ? atoi(target + 12) : 0;
}

static int is_program(const char *image)
{
    char binary[32];
    snprintf(binary, sizeof binary, "FAKE sm_%d%d\n", control.major, control.minor);
    if (strncmp(image, binary, strlen(binary)) == 0 || strncmp(image, "FAKE compute_", 13) == 0) return 1;
    int arch = ptx_arch(image);
    return arch > 0 && arch <= control.major * 10 + control.minor;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options,
                            void **values)
{
    STEP_INSIDE();
    if (count != 2 || options[0] != CU_JIT_ERROR_LOG_BUFFER ||
        options[1] != CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
        return misused();
    struct CUmod_st made = {0};
#ifdef FAKE_RUN
    made.run = fake_run_load(image);
#endif
    if (!made.run && !is_program(image)) {
        snprintf(values[0], (size_t)(uintptr_t)values[1], "the fake knows no such image");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    if (!made.run) {
        size_t length = strlen(image) + 1;
        made.source = malloc(length);
        memcpy(made.source, image, length);
    }
    *module = malloc(sizeof **module);
    **module = made;
    control.modules++;
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module)
{
    CUresult error = step_inside(__func__);
    while (module->functions) {
        CUfunction next = module->functions->next;
        free(module->functions);
        module->functions = next;
    }
#ifdef FAKE_RUN
    fake_run_unload(module->run);
#endif
    free(module->source);
    free(module);
    control.modules--;
    return error;
}

CUresult cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name)
{
    STEP_INSIDE();
    void *entry = NULL;
#ifdef FAKE_RUN
    if (module->run) entry = fake_run_find(module->run, name);
#endif
    if (!entry && !(module->source && strstr(module->source, name))) return CUDA_ERROR_NOT_FOUND;
    CUfunction made = malloc(sizeof *made);
    *made = (struct CUfunc_st){module->functions, module, entry};
    *out = module->functions = made;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction wanted)
{
    STEP_INSIDE();
    if (!wanted) return misused();
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = control.kernel_block_max; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = control.kernel_local; break;
    default: return misused();
    }
    return CUDA_SUCCESS;
}

/* --- memory -----------------------------------------------------------------------------------------------
 */

CUresult cuMemGetInfo_v2(size_t *available, size_t *total)
{
    STEP_INSIDE();
    *total = control.memory;
    *available = control.memory - control.used;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    STEP_INSIDE();
    if (!bytes) return misused();
    if (bytes > control.memory - control.used) return CUDA_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < BUFFERS_MAX; i++) {
        if (buffers[i].bytes) continue;
        buffers[i] = (buffer){malloc(bytes), bytes};
        *address = (uintptr_t)buffers[i].bytes;
        control.buffers++;
        control.used += bytes;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

static buffer *buffer_of(CUdeviceptr address, size_t bytes)
{
    for (int i = 0; i < BUFFERS_MAX; i++) {
        uintptr_t start = (uintptr_t)buffers[i].bytes;
        if (start && address >= start && address - start <= buffers[i].size &&
            bytes <= buffers[i].size - (address - start))
            return &buffers[i];
    }
    control.misuse++;
    return NULL;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    CUresult error = step_inside(__func__);
    buffer  *b = buffer_of(address, 0);
    if (!b || (uintptr_t)b->bytes != address) return misused();
    control.buffers--;
    control.used -= b->size;
    free(b->bytes);
    *b = (buffer){NULL, 0};
    return error;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    STEP_INSIDE();
    if (!stream || stream->capturing || !buffer_of(to, bytes)) return misused();
    memcpy((void *)(uintptr_t)to, from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    STEP_INSIDE();
    if (!stream || stream->capturing || !buffer_of(from, bytes)) return misused();
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream)
{
    STEP_INSIDE();
    if (!stream || stream->capturing || !buffer_of(to, bytes)) return misused();
    memset((void *)(uintptr_t)to, byte, bytes);
    return CUDA_SUCCESS;
}

/* --- streams, events, launches ----------------------------------------------------------------------------
 */

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    STEP_INSIDE();
    (void)flags;
    *stream = calloc(1, sizeof **stream);
    control.streams++;
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    STEP_INSIDE();
    return stream && !stream->capturing ? CUDA_SUCCESS : misused();
}

/* --- graphs, not in cuda.def ---------------------------------------------------------------------------------
 */

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode)
{
    STEP_INSIDE();
    (void)mode;
    if (!stream || stream->capturing) return misused();
    stream->capturing = calloc(1, sizeof *stream->capturing);
    return CUDA_SUCCESS;
}

CUresult cuStreamEndCapture(CUstream stream, struct CUgraph_st **out);
CUresult cuStreamEndCapture(CUstream stream, struct CUgraph_st **out)
{
    STEP_INSIDE();
    if (!stream || !stream->capturing) return misused();
    *out = stream->capturing;
    stream->capturing = NULL;
    return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(struct CUgraph_st **out, struct CUgraph_st *graph, unsigned long long flags);
CUresult cuGraphInstantiateWithFlags(struct CUgraph_st **out, struct CUgraph_st *graph, unsigned long long flags)
{
    STEP_INSIDE();
    (void)flags;
    *out = malloc(sizeof **out);
    **out = *graph;
    return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(struct CUgraph_st *graph);
CUresult cuGraphDestroy(struct CUgraph_st *graph)
{
    STEP();
    free(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(struct CUgraph_st *graph);
CUresult cuGraphExecDestroy(struct CUgraph_st *graph)
{
    return cuGraphDestroy(graph);
}

CUresult cuGraphLaunch(struct CUgraph_st *graph, CUstream stream);
CUresult cuGraphLaunch(struct CUgraph_st *graph, CUstream stream)
{
    STEP_INSIDE();
    for (int i = 0; i < graph->count; i++) {
        const captured *c = &graph->launches[i];
        CUresult error = cuLaunchKernel(c->function, c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1], c->block[2], 0, stream, c->parameters, NULL);
        if (error) return error;
    }
    return CUDA_SUCCESS;
}


CUresult cuStreamDestroy_v2(CUstream stream)
{
    CUresult error = step_inside(__func__);
    free(stream);
    control.streams--;
    return error;
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    STEP_INSIDE();
    (void)flags;
    *event = calloc(1, sizeof **event);
    control.events++;
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    STEP_INSIDE();
    if (!stream || stream->capturing) return misused();
    event->recorded = 1;
    return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event)
{
    STEP_INSIDE();
    return event->recorded ? CUDA_SUCCESS : misused();
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    STEP_INSIDE();
    if (!start->recorded || !end->recorded) return misused();
    *milliseconds = 1.5f;
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event)
{
    CUresult error = step_inside(__func__);
    free(event);
    control.events--;
    return error;
}

CUresult cuLaunchKernel(CUfunction wanted, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z,
                        unsigned int shared_bytes, CUstream stream, void **parameters, void **extra)
{
    STEP_INSIDE();
    if (!wanted || shared_bytes || !stream || extra) return misused();
    if (!grid_x || !grid_y || !grid_z || grid_x > 2147483647u || grid_y > 65535 || grid_z > 65535)
        return misused();
    if (!block_x || !block_y || !block_z || (int)(block_x * block_y * block_z) > control.kernel_block_max)
        return misused();
    const unsigned grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};
    if (stream->capturing) {
        captured *c = &stream->capturing->launches[stream->capturing->count++];
        if (stream->capturing->count > CAPTURED_MAX) return misused();
        *c = (captured){.function = wanted, .parameters = parameters};
        memcpy(c->grid, grid, sizeof grid);
        memcpy(c->block, block, sizeof block);
        return CUDA_SUCCESS;
    }
    memcpy(control.grid, grid, sizeof grid);
    memcpy(control.block, block, sizeof block);
    for (int i = 0; i < FAKE_ARGS_MAX && control.arg_sizes[i]; i++)
        memcpy(control.args[i], parameters[i], control.arg_sizes[i]);
    control.launches++;
    control.faulted = control.fault;
#ifdef FAKE_RUN
    if (wanted->entry && fake_run_launch(wanted->module->run, wanted->entry, grid, block, parameters))
        control.faulted = 1;
#endif
    return CUDA_SUCCESS;
}
