/* cuda.c - the CUDA engine: one device's primary context, one stream, modules, buffers, launches.
 *
 * The context is retained when it is first needed. Each call pushes it and pops it again, so that the
 * caller's current context is left as found. A fault on the device destroys the context for good (CUDA Driver
 * API, "sticky" errors); the engine then says so at every call, and a new one can be made once it is
 * destroyed. */
#include "rt/driver.h"
#include "rt/engine.h"
#include "rt/nvrtc.h"
#include "rt/planner.h"

enum { JIT_LOG_SIZE = 8192 };

typedef struct cuda {
    ilc__driver      driver;
    ilc__device      device;
    ilc__nvrtc       nvrtc;
    ilc__cuda_target target;
    CUcontext        context; /* NULL until needed */
    CUstream         stream;
    CUevent          start, stop;
    bool             pushed, retained, launched;
    size_t           stack, stack_before; /* per thread: what we asked for, and what it was; 0: never asked */
    const char      *lost;    /* what destroyed the context; NULL while it is well */
    nvrtcProgram     program; /* held during a compilation */
    CUmodule         module;  /* likewise */
    ILC__VEC(CUdeviceptr) buffers;
} cuda;

/* --- errors and the current context -----------------------------------------------------------------------
 */

/* After these nothing works in the context any more. */
static bool is_sticky(CUresult error)
{
    switch (error) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED: return true;
    default: return false;
    }
}

static ilc_status cuda_failed(ilc__engine *engine, CUresult error, const char *what)
{
    cuda       *own = engine->own;
    const char *text = ilc__driver_error(&own->driver, &engine->ctx->arena, error);
    if (is_sticky(error) && !own->lost) own->lost = ilc__arena_strdup(&engine->arena, text);
    return ilc__fail(engine->ctx, error == CUDA_ERROR_OUT_OF_MEMORY ? ILC_OUT_OF_MEMORY : ILC_DEVICE, NULL,
                     "%s failed on the CUDA device: %s", what, text);
}

static void leave(cuda *own)
{
    CUcontext ours;
    if (own->pushed) (void)own->driver.cuCtxPopCurrent_v2(&ours);
    own->pushed = false;
}

/* leave() and the status of a call that ends. */
static ilc_status done(ilc__engine *engine, CUresult error, const char *what)
{
    leave(engine->own);
    return error == CUDA_SUCCESS ? ILC_OK : cuda_failed(engine, error, what);
}

/* Gives everything of the context back; called with it pushed, or where it cannot be. */
static void drop_context(cuda *own)
{
    const ilc__driver *driver = &own->driver;
    if (own->stack) (void)driver->cuCtxSetLimit(CU_LIMIT_STACK_SIZE, own->stack_before);
    own->stack = 0;
    if (own->start) (void)driver->cuEventDestroy_v2(own->start);
    if (own->stop) (void)driver->cuEventDestroy_v2(own->stop);
    if (own->stream) (void)driver->cuStreamDestroy_v2(own->stream);
    own->start = own->stop = NULL;
    own->stream = NULL;
    leave(own);
    if (own->retained) (void)driver->cuDevicePrimaryCtxRelease_v2(own->device.handle);
    own->retained = false;
    own->context = NULL;
}

static CUresult make_context(cuda *own)
{
    const ilc__driver *driver = &own->driver;
    CUresult           error = driver->cuDevicePrimaryCtxRetain(&own->context, own->device.handle);
    if (error) {
        own->context = NULL;
        return error;
    }
    own->retained = true;
    error = driver->cuCtxPushCurrent_v2(own->context);
    own->pushed = error == CUDA_SUCCESS;
    if (!error) error = driver->cuStreamCreate(&own->stream, CU_STREAM_NON_BLOCKING);
    if (!error) error = driver->cuEventCreate(&own->start, CU_EVENT_DEFAULT);
    if (!error) error = driver->cuEventCreate(&own->stop, CU_EVENT_DEFAULT);
    if (error) drop_context(own);
    return error;
}

/* Makes the context current, and the context itself where there is none yet. */
static ilc_status enter(ilc__engine *engine)
{
    cuda *own = engine->own;
    if (own->lost)
        return ilc__fail(engine->ctx, ILC_DEVICE, NULL,
                         "the CUDA context was lost through an earlier failure, %s; CUDA serves a new process only", own->lost);
    if (!own->context) {
        CUresult error = make_context(own);
        if (!error) return ILC_OK;
        /* The driver keeps such a failure for the whole process: every context of it is lost (seen on 580). */
        return cuda_failed(engine, error,
                           is_sticky(error) ? "making a context after a kernel that faulted in this process"
                                            : "making a context");
    }
    CUresult error = own->driver.cuCtxPushCurrent_v2(own->context);
    if (error) return cuda_failed(engine, error, "entering the context");
    own->pushed = true;
    return ILC_OK;
}

/* --- making one -------------------------------------------------------------------------------------------
 */

ilc_status ilc__cuda_create(ilc__engine *engine)
{
    cuda       *own = ILC__NEW(&engine->arena, cuda);
    const char *reason = NULL, *wanted = engine->options.compiler, *folder = engine->options.cuda_path;
    ilc__arena *arena = &engine->arena;
    engine->own = own;
    if (wanted && strcmp(wanted, "auto") != 0 && strcmp(wanted, "nvrtc") != 0)
        return ilc__fail(engine->ctx, ILC_INVALID, NULL, "the CUDA compiler is auto or nvrtc, not %s",
                         wanted);
    if (!ilc__driver_open(arena, folder, &own->driver, &reason) ||
        !ilc__driver_device(&own->driver, arena, engine->options.device, &own->device, &reason) ||
        !ilc__nvrtc_find(arena, folder, own->driver.version, &own->nvrtc, &reason) ||
        !ilc__nvrtc_target(&own->nvrtc, arena, own->device.arch, &own->target, &reason))
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s", reason);
    if (own->device.prohibited)
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "the compute mode of %s is prohibited",
                         own->device.name);
    engine->describe = ilc__arena_printf(arena, "%s, sm_%d, %s, NVRTC %d.%d (%s)", own->device.name,
                                         own->device.arch, own->driver.text, own->nvrtc.major,
                                         own->nvrtc.minor, own->target.binary ? "cubin" : "PTX");
    return ILC_OK;
}

/* --- modules ----------------------------------------------------------------------------------------------
 */

static ilc__cache_key key_of(const cuda *own, ilc__arena *arena, const char *source)
{
    const char *options[ILC__NVRTC_OPTIONS];
    ilc__text   joined = {.arena = arena};
    ilc__nvrtc_options(arena, &own->target, options);
    for (int i = 0; i < ILC__NVRTC_OPTIONS; i++)
        ilc__text_printf(&joined, "%s ", options[i]);
    const char *version = ilc__arena_printf(arena, "%d.%d", own->nvrtc.major, own->nvrtc.minor);
    const char *parts[] = {"cuda",  source,        ilc__text_string(&joined), own->target.arch, "nvrtc",
                           version, ILCUDA_VERSION};
    return ilc__cache_key_of(parts, sizeof parts / sizeof parts[0]);
}

/* Loads image, which PTX makes a compilation by the driver. log: an arena buffer of JIT_LOG_SIZE. */
static CUresult load_image(cuda *own, const void *image, char *log)
{
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void        *values[] = {log, (void *)(uintptr_t)(JIT_LOG_SIZE - 1)}; /* a size is passed by value */
    return own->driver.cuModuleLoadDataEx(&own->module, image, 2, options, values);
}

static void drop_module(cuda *own)
{
    if (own->module) (void)own->driver.cuModuleUnload(own->module);
    own->module = NULL;
}

static ilc_status load_failed(ilc__engine *engine, CUresult error, const char *name, const char *jit_log,
                              const char **log)
{
    cuda *own = engine->own;
    leave(own);
    if (*jit_log) *log = ilc__arena_strdup(&engine->arena, jit_log);
    bool newer = own->nvrtc.major > own->driver.version / 1000;
    if (newer || error == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
        return ilc__fail(engine->ctx, ILC_DEVICE, NULL,
                         "the driver did not take %s: NVRTC %d.%d is newer than it (CUDA %d.%d): %s", name,
                         own->nvrtc.major, own->nvrtc.minor, own->driver.version / 1000,
                         own->driver.version % 1000 / 10,
                         ilc__driver_error(&own->driver, &engine->ctx->arena, error));
    return cuda_failed(engine, error, ilc__arena_printf(&engine->scratch, "loading %s", name));
}

static ilc_status find_entries(ilc__engine *engine, const char *name, const char *const *entries,
                               ilc__module *module)
{
    cuda *own = engine->own;
    for (uint32_t i = 0; i < module->entry_count; i++) {
        CUfunction function = NULL;
        CUresult   error = own->driver.cuModuleGetFunction(&function, own->module, entries[i]);
        module->entries[i] = function;
        if (!error) continue;
        drop_module(own);
        leave(own);
        if (error == CUDA_ERROR_NOT_FOUND)
            return ilc__fail(engine->ctx, ILC_COMPILER, NULL, "%s defines no %s", name, entries[i]);
        return cuda_failed(engine, error, ilc__arena_printf(&engine->scratch, "finding %s", entries[i]));
    }
    return ILC_OK;
}

static ilc_status cuda_compile(ilc__engine *engine, const char *name, const char *source, ilc__module *module,
                               const char *const *entries, const char **log)
{
    cuda          *own = engine->own;
    const void    *image = NULL;
    size_t         size = 0;
    const char    *wrong = NULL;
    char          *jit_log = ilc__arena_alloc(&engine->scratch, JIT_LOG_SIZE);
    ilc__cache_key key = key_of(own, &engine->scratch, source);
    module->cached = ilc__cache_get(&engine->cache, &key, &engine->scratch, &image, &size);
    if (!module->cached) {
        if (!ilc__nvrtc_compile(&own->nvrtc, &engine->scratch, &own->target, name, source, &own->program,
                                &image, &size, &wrong))
            return ilc__compile_failed(
                engine,
                ilc__arena_printf(&engine->scratch, "NVRTC %d.%d", own->nvrtc.major, own->nvrtc.minor), name,
                wrong, log);
        ilc__cache_put(&engine->cache, &engine->scratch, &key, image, size);
    }
    ILC__TRY(enter(engine));
    CUresult error = load_image(own, image, jit_log);
    if (error) {
        own->module = NULL;
        return load_failed(engine, error, name, jit_log, log);
    }
    ILC__TRY(find_entries(engine, name, entries, module));
    leave(own);
    module->handle = own->module;
    own->module = NULL;
    return ILC_OK;
}

/* For what gives back, which has nobody to tell: without a message, but not given up at the first refusal
 * (the driver reports earlier failures at any call). */
static bool enter_quietly(cuda *own)
{
    for (int attempt = 0; own->context && !own->pushed && attempt < 2; attempt++)
        own->pushed = own->driver.cuCtxPushCurrent_v2(own->context) == CUDA_SUCCESS;
    return own->pushed;
}

static void cuda_unload(ilc__engine *engine, ilc__module *module)
{
    cuda *own = engine->own;
    if (!enter_quietly(own)) return;
    (void)own->driver.cuModuleUnload(module->handle);
    leave(own);
}

/* --- buffers ----------------------------------------------------------------------------------------------
 */

static ilc_status cuda_alloc(ilc__engine *engine, size_t bytes, ilc__address *out)
{
    cuda       *own = engine->own;
    CUdeviceptr address = 0;
    size_t      available = 0, total = 0;
    /* The place in the list first: with the buffer in hand nothing may jump away. */
    ilc__vec_reserve(&engine->arena, (void **)&own->buffers.items, &own->buffers.capacity, own->buffers.count,
                     sizeof *own->buffers.items);
    ILC__TRY(enter(engine));
    CUresult error = own->driver.cuMemAlloc_v2(&address, bytes ? bytes : 1);
    if (error == CUDA_ERROR_OUT_OF_MEMORY) (void)own->driver.cuMemGetInfo_v2(&available, &total);
    if (!error) {
        own->buffers.items[own->buffers.count++] = address;
        *out = address;
    }
    if (error != CUDA_ERROR_OUT_OF_MEMORY) return done(engine, error, "making a buffer");
    leave(own);
    return ilc__fail(engine->ctx, ILC_OUT_OF_MEMORY, NULL,
                     "there was no room for a buffer of %zu bytes on %s, where %zu of %zu are free", bytes,
                     own->device.name, available, total);
}

static void cuda_free(ilc__engine *engine, ilc__address address)
{
    cuda *own = engine->own;
    for (uint32_t i = 0; i < own->buffers.count; i++) {
        if (own->buffers.items[i] != address) continue;
        own->buffers.items[i] = own->buffers.items[--own->buffers.count];
        break;
    }
    if (!enter_quietly(own)) return;
    (void)own->driver.cuMemFree_v2(address);
    leave(own);
}

/* Copies go through the engine's stream, so that they are ordered with its launches, and are waited for. */
static CUresult finish(cuda *own, CUresult error)
{
    return error ? error : own->driver.cuStreamSynchronize(own->stream);
}

static ilc_status cuda_write(ilc__engine *engine, ilc__address to, const void *from, size_t bytes)
{
    cuda *own = engine->own;
    ILC__TRY(enter(engine));
    return done(engine, finish(own, own->driver.cuMemcpyHtoDAsync_v2(to, from, bytes, own->stream)),
                "copying to a buffer");
}

static ilc_status cuda_read(ilc__engine *engine, void *to, ilc__address from, size_t bytes)
{
    cuda *own = engine->own;
    ILC__TRY(enter(engine));
    return done(engine, finish(own, own->driver.cuMemcpyDtoHAsync_v2(to, from, bytes, own->stream)),
                "copying from a buffer");
}

static ilc_status cuda_fill(ilc__engine *engine, ilc__address to, uint8_t byte, size_t bytes)
{
    cuda *own = engine->own;
    ILC__TRY(enter(engine));
    return done(engine, own->driver.cuMemsetD8Async(to, byte, bytes, own->stream), "filling a buffer");
}

/* --- launches ---------------------------------------------------------------------------------------------
 */

/* The driver knows the stack of a kernel that does not recurse. For others the limit of the context is raised, and stays
 * so until the engine goes: setting it makes the driver wait for the device and allocate anew. */
static ilc_status reserve_stack(ilc__engine *engine, CUfunction function, uint64_t wanted)
{
    cuda  *own = engine->own;
    int    local = 0;
    size_t limit = 0;
    if (wanted == 0) return ILC_OK;
    CUresult error = own->driver.cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function);
    if (!error) error = own->driver.cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE);
    if (local > 0) wanted += (uint64_t)local; /* the kernel's own frame */
    if (!error && limit < wanted) {
        error = own->driver.cuCtxSetLimit(CU_LIMIT_STACK_SIZE, (size_t)wanted);
        if (!error && !own->stack) own->stack_before = limit;
        if (!error) own->stack = (size_t)wanted;
    }
    if (!error) return ILC_OK;
    leave(own);
    return cuda_failed(engine, error,
                       ilc__arena_printf(&engine->scratch, "taking a stack of %llu bytes a thread, for recursion,",
                                         (unsigned long long)wanted));
}

static CUresult start_kernel(cuda *own, CUfunction function, const ilc__plan *plan, const ilc__launch *launch)
{
    const ilc__driver *driver = &own->driver;
    void             **parameters; /* the driver reads them only */
    memcpy(&parameters, &launch->args, sizeof parameters);
    CUresult error = driver->cuEventRecord(own->start, own->stream);
    if (!error)
        error = driver->cuLaunchKernel(function, plan->grid[0], plan->grid[1], plan->grid[2], plan->block[0],
                                       plan->block[1], plan->block[2], 0, own->stream, parameters, NULL);
    if (!error) error = driver->cuEventRecord(own->stop, own->stream);
    return error;
}

static ilc_status cuda_launch(ilc__engine *engine, ilc__module *module, uint32_t entry,
                              const ilc__launch *launch)
{
    cuda      *own = engine->own;
    CUfunction function = module->entries[entry];
    int        block_max = 0;
    ilc__plan  plan;
    own->launched = false;
    for (uint32_t d = 0; d < launch->dims; d++)
        if (launch->extents[d] == 0) return ILC_OK;
    ILC__TRY(enter(engine));
    /* A kernel with many registers takes smaller blocks than the device. */
    CUresult error =
        own->driver.cuFuncGetAttribute(&block_max, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (error) return done(engine, error, "asking for the kernel's block size");
    if (block_max < 1 || (uint32_t)block_max > own->device.block_max) block_max = (int)own->device.block_max;
    if (!ilc__plan_launch(launch, own->device.multiprocessors, (uint32_t)block_max, &plan)) {
        leave(own);
        return ilc__fail(engine->ctx, ILC_INVALID, NULL,
                         "a block of %u x %u x %u threads is more than the kernel takes (%d)",
                         launch->block[0], launch->block[1], launch->block[2], block_max);
    }
    ILC__TRY(reserve_stack(engine, function, launch->stack));
    error = start_kernel(own, function, &plan, launch);
    own->launched = error == CUDA_SUCCESS;
    return done(engine, error, "the launch");
}

static ilc_status cuda_synchronize(ilc__engine *engine)
{
    cuda *own = engine->own;
    if (!own->context && !own->lost) return ILC_OK; /* nothing was ever started */
    ILC__TRY(enter(engine));
    return done(engine, own->driver.cuStreamSynchronize(own->stream), "the kernel");
}

static double cuda_last_seconds(ilc__engine *engine)
{
    cuda *own = engine->own;
    float milliseconds = 0;
    if (!own->launched || own->lost || !enter_quietly(own)) return 0;
    CUresult error = own->driver.cuEventSynchronize(own->stop);
    if (!error) error = own->driver.cuEventElapsedTime(&milliseconds, own->start, own->stop);
    leave(own);
    return error ? 0 : (double)milliseconds * 1e-3;
}

/* --- the end ----------------------------------------------------------------------------------------------
 */

static void cuda_unwind(ilc__engine *engine)
{
    cuda *own = engine->own;
    if (!own) return;
    if (own->program) (void)own->nvrtc.nvrtcDestroyProgram(&own->program);
    own->program = NULL;
    if (own->module && (own->pushed || enter_quietly(own))) drop_module(own);
    leave(own);
}

static void cuda_destroy(ilc__engine *engine)
{
    cuda *own = engine->own;
    if (!own) return;
    cuda_unwind(engine);
    if (!own->context) return;
    (void)enter_quietly(own);
    for (uint32_t i = 0; i < own->buffers.count; i++)
        (void)own->driver.cuMemFree_v2(own->buffers.items[i]);
    drop_context(own);
}

const ilc__engine_ops ilc__cuda_ops = {
    .compile = cuda_compile,
    .unload = cuda_unload,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .write = cuda_write,
    .read = cuda_read,
    .fill = cuda_fill,
    .launch = cuda_launch,
    .synchronize = cuda_synchronize,
    .last_seconds = cuda_last_seconds,
    .unwind = cuda_unwind,
    .destroy = cuda_destroy,
};
