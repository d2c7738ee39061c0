/* cuda.c - the CUDA engine: one device's primary context or one of the caller's, one stream, modules, buffers, launches. Its
 * code comes from cuda_code.c.
 *
 * The primary context is retained when it is first needed. Each call pushes the context and pops it again, so that the
 * caller's current context is left as found. A fault on the device destroys the context for good (CUDA Driver
 * API, "sticky" errors); the engine then says so at every call, and a new one can be made once it is
 * destroyed. */
#include "rt/cuda_code.h"
#include "rt/driver.h"
#include "rt/planner.h"

#include <stdlib.h>

enum { JIT_LOG_SIZE = 8192 };

typedef struct cuda {
    ilc__driver      driver;
    ilc__device      device;
    ilc__cuda_code   code;
    CUcontext        context; /* NULL until needed */
    CUstream         stream;
    bool             pushed, retained;
    size_t           stack, stack_before; /* per thread: what we asked for, and what it was; 0: never asked */
    const char      *lost;    /* what destroyed the context; NULL while it is well */
    CUmodule         module;  /* held while it is loaded */
    CUcontext        given; /* the caller's; NULL: the primary one */
    CUstream         given_stream;
    ILC__VEC(CUdeviceptr) buffers;
    ILC__VEC(CUevent) events;
    ilc__timer       timer; /* of launches on the engine's stream that bring none */
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
    for (uint32_t i = 0; i < own->events.count; i++) (void)driver->cuEventDestroy_v2(own->events.items[i]);
    own->events.count = 0;
    if (own->timer.start) (void)driver->cuEventDestroy_v2(own->timer.start);
    if (own->timer.stop) (void)driver->cuEventDestroy_v2(own->timer.stop);
    own->timer = (ilc__timer){0};
    if (own->stream && own->stream != own->given_stream) (void)driver->cuStreamDestroy_v2(own->stream);
    own->stream = NULL;
    leave(own);
    if (own->retained) (void)driver->cuDevicePrimaryCtxRelease_v2(own->device.handle);
    own->retained = false;
    own->context = NULL;
}

static CUresult make_context(cuda *own)
{
    const ilc__driver *driver = &own->driver;
    CUresult           error = CUDA_SUCCESS;
    own->context = own->given;
    if (!own->given) error = driver->cuDevicePrimaryCtxRetain(&own->context, own->device.handle);
    if (error) {
        own->context = NULL;
        return error;
    }
    own->retained = !own->given;
    error = driver->cuCtxPushCurrent_v2(own->context);
    own->pushed = error == CUDA_SUCCESS;
    own->stream = own->given_stream;
    if (!error && !own->stream) error = driver->cuStreamCreate(&own->stream, CU_STREAM_NON_BLOCKING);
    CUevent start = NULL, stop = NULL;
    if (!error) error = driver->cuEventCreate(&start, CU_EVENT_DEFAULT);
    if (!error) error = driver->cuEventCreate(&stop, CU_EVENT_DEFAULT);
    own->timer = (ilc__timer){.start = start, .stop = stop};
    if (error) drop_context(own);
    return error;
}

/* Makes the context current, and the context itself where there is none yet. */
static ilc_status enter(ilc__engine *engine)
{
    cuda *own = engine->own;
    if (engine->options.compile_only)
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "this engine only compiles; it has no device");
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

/* "sm_86" or "86"; 0 where nothing is asked for, -1 where it is nothing of the kind. */
static int arch_number(const char *text)
{
    if (!text) return 0;
    if (strncmp(text, "sm_", 3) == 0) text += 3;
    char *end;
    long  number = strtol(text, &end, 10);
    return end == text || *end || number < 20 || number > 999 ? -1 : (int)number;
}

/* Devices are their ordinals. */
static bool device_of_given(cuda *own, int *ordinal)
{
    CUcontext ours;
    CUdevice  device = 0;
    if (own->driver.cuCtxPushCurrent_v2(own->given)) return false;
    CUresult error = own->driver.cuCtxGetDevice(&device);
    (void)own->driver.cuCtxPopCurrent_v2(&ours);
    *ordinal = device;
    return error == CUDA_SUCCESS;
}

/* The device, unless only code is wanted and its architecture is known. False with one line in *reason. */
static bool find_device(ilc__engine *engine, int arch, const char **reason)
{
    cuda                      *own = engine->own;
    const ilc__engine_options *options = &engine->options;
    if (options->compile_only && arch) return true;
    if (!ilc__driver_open(&engine->arena, options->cuda_path, &own->driver, reason)) return false;
    int ordinal = options->device;
    if (own->given && !device_of_given(own, &ordinal)) {
        *reason = "the CUDA context given is not one that can be entered";
        return false;
    }
    if (!ilc__driver_device(&own->driver, &engine->arena, ordinal, &own->device, reason)) return false;
    if (!own->device.prohibited || options->compile_only) return true;
    *reason = ilc__arena_printf(&engine->arena, "the compute mode of %s is prohibited", own->device.name);
    return false;
}

static void describe_parts(ilc__engine *engine)
{
    const cuda        *own = engine->own;
    const ilc__cudacc *cc = &own->code.cc;
    engine->parts = (ilc__engine_parts){0};
    if (!engine->options.compile_only) {
        engine->parts.device = own->device.name;
        engine->parts.driver = own->driver.text;
        engine->parts.multiprocessors = own->device.multiprocessors;
        engine->parts.ordinal = own->device.handle;
    }
    if (cc->kind == ILC__CUDACC_NONE) return;
    engine->parts.compiler = cc->name;
    engine->parts.form = cc->target.binary ? "cubin" : "PTX";
    engine->parts.arch = ilc__arena_printf(&engine->arena, "sm_%d", cc->target.number);
    engine->parts.path = cc->kind == ILC__CUDACC_NVRTC ? cc->nvrtc.place : cc->clang.command;
}

static void describe(ilc__engine *engine)
{
    cuda           *own = engine->own;
    ilc__arena     *arena = &engine->arena;
    ilc__cuda_code *code = &own->code;
    const char     *compiler = code->cc.kind != ILC__CUDACC_NONE ? ilc__cudacc_describe(&code->cc, arena)
                               : code->whose ? ilc__arena_printf(arena, "compiled before by %s", code->whose)
                                             : "no CUDA compiler, what was compiled before";
    if (engine->options.compile_only)
        engine->describe = ilc__arena_printf(arena, "cuda, compiling only, %s", compiler);
    else
        engine->describe = ilc__arena_printf(arena, "%s, sm_%d, %s, %s", own->device.name, own->device.arch,
                                             own->driver.text, compiler);
}

static ilc_status check_options(ilc__engine *engine)
{
    const ilc__engine_options *options = &engine->options;
    if (options->compiler && !ilc__cudacc_is_name(options->compiler))
        return ilc__fail(engine->ctx, ILC_INVALID, NULL,
                         "the CUDA compiler is auto, nvrtc, clang, none or the path of a clang, not %s",
                         options->compiler);
    if (arch_number(options->arch) < 0)
        return ilc__fail(engine->ctx, ILC_INVALID, NULL, "the architecture of a device is written as sm_86, not %s",
                         options->arch);
    return ILC_OK;
}

ilc_status ilc__cuda_create(ilc__engine *engine)
{
    cuda                      *own = ILC__NEW(&engine->arena, cuda);
    const ilc__engine_options *options = &engine->options;
    const char                *reason = NULL;
    engine->own = own;
    own->given = options->context;
    own->given_stream = options->stream;
    ILC__TRY(check_options(engine));
    int arch = arch_number(options->arch);
    if (!find_device(engine, arch, &reason)) {
        if (!options->compile_only) return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s", reason);
        return ilc__fail(engine->ctx, ILC_INVALID, NULL, "%s: name the architecture to compile for, as --arch sm_86", reason);
    }
    ilc__cudacc_wish wish = {.compiler = options->compiler,
                             .folder = options->cuda_path,
                             .driver_version = own->driver.version,
                             .device = own->device.arch,
                             .arch = arch,
                             .portable = options->compile_only};
    if (arch && own->device.arch && arch > own->device.arch)
        return ilc__fail(engine->ctx, ILC_INVALID, NULL, "%s is sm_%d and does not run code for sm_%d", own->device.name,
                         own->device.arch, arch);
    if (!ilc__cudacc_find(&engine->arena, &wish, &own->code.cc, &reason))
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s", reason);
    own->code.device = own->device.arch ? own->device.arch : arch;
    if (own->code.cc.kind == ILC__CUDACC_NONE && (options->compiler_needed || options->compile_only))
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s", own->code.cc.missing);
    describe_parts(engine);
    describe(engine);
    return ILC_OK;
}

/* --- modules ----------------------------------------------------------------------------------------------
 */

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
    const ilc__cudacc *cc = &own->code.cc;
    bool newer = cc->kind == ILC__CUDACC_NVRTC && cc->nvrtc.major > own->driver.version / 1000;
    if (newer || error == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
        return ilc__fail(engine->ctx, ILC_DEVICE, NULL,
                         "the driver did not take %s: %s is newer than it (CUDA %d.%d): %s", name,
                         cc->name ? cc->name : own->code.whose, own->driver.version / 1000, own->driver.version % 1000 / 10,
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
    cuda       *own = engine->own;
    const void *image = NULL;
    size_t      size = 0;
    char       *jit_log = ilc__arena_alloc(&engine->scratch, JIT_LOG_SIZE);
    const char *whose = own->code.whose;
    ILC__TRY(ilc__cuda_code_get(engine, &own->code, name, source, &image, &size, &module->cached, log));
    if (whose != own->code.whose) describe(engine);
    if (engine->options.compile_only) {
        const ilc__cudacc *cc = &own->code.cc;
        module->made = (ilc__made){.bytes = ilc__arena_copy(&engine->arena, image, size),
                                   .size = size,
                                   .form = ILC__FORM_CUDA,
                                   .arch = cc->target.arch,
                                   .maker = cc->name};
        module->handle = module; /* nothing is loaded */
        return ILC_OK;
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
    if (engine->options.compile_only || !enter_quietly(own)) return;
    (void)own->driver.cuModuleUnload(module->handle);
    leave(own);
}

/* --- buffers ----------------------------------------------------------------------------------------------
 */

static CUresult take_memory(ilc__engine *engine, CUdeviceptr *address, size_t bytes)
{
    const ilc__engine_options *options = &engine->options;
    cuda                      *own = engine->own;
    if (!options->device_alloc) return own->driver.cuMemAlloc_v2(address, bytes);
    *address = options->device_alloc(options->device_user, bytes);
    return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static void give_memory(ilc__engine *engine, CUdeviceptr address)
{
    const ilc__engine_options *options = &engine->options;
    cuda                      *own = engine->own;
    if (options->device_free) options->device_free(options->device_user, address);
    else (void)own->driver.cuMemFree_v2(address);
}

static ilc_status cuda_alloc(ilc__engine *engine, size_t bytes, ilc__address *out)
{
    cuda       *own = engine->own;
    CUdeviceptr address = 0;
    size_t      available = 0, total = 0;
    /* The place in the list first: with the buffer in hand nothing may jump away. */
    ilc__vec_reserve(&engine->arena, (void **)&own->buffers.items, &own->buffers.capacity, own->buffers.count,
                     sizeof *own->buffers.items);
    ILC__TRY(enter(engine));
    CUresult error = take_memory(engine, &address, bytes ? bytes : 1);
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
    give_memory(engine, address);
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
    ilc__timer        *timer = launch->timer || launch->stream ? launch->timer : &own->timer;
    CUstream           stream = launch->stream ? launch->stream : own->stream;
    CUresult           error = CUDA_SUCCESS;
    void             **parameters; /* the driver reads them only */
    memcpy(&parameters, &launch->args, sizeof parameters);
    if (timer) error = driver->cuEventRecord(timer->start, stream);
    if (!error)
        error = driver->cuLaunchKernel(function, plan->grid[0], plan->grid[1], plan->grid[2], plan->block[0],
                                       plan->block[1], plan->block[2], 0, stream, parameters, NULL);
    if (!error && timer) error = driver->cuEventRecord(timer->stop, stream);
    if (timer) timer->used = error == CUDA_SUCCESS;
    return error;
}

static ilc_status cuda_reserve(ilc__engine *engine, ilc__module *module, uint32_t entry, const ilc__launch *launch)
{
    ILC__TRY(enter(engine));
    ILC__TRY(reserve_stack(engine, module->entries[entry], launch->stack));
    return done(engine, CUDA_SUCCESS, "");
}

static ilc_status cuda_launch(ilc__engine *engine, ilc__module *module, uint32_t entry,
                              const ilc__launch *launch)
{
    cuda      *own = engine->own;
    CUfunction function = module->entries[entry];
    int        block_max = 0;
    ilc__plan  plan;
    if (launch->timer) launch->timer->used = false;
    else if (!launch->stream) own->timer.used = false;
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
    return done(engine, start_kernel(own, function, &plan, launch), "the launch");
}

static ilc_status cuda_synchronize(ilc__engine *engine)
{
    cuda *own = engine->own;
    if (!own->context && !own->lost) return ILC_OK; /* nothing was ever started */
    ILC__TRY(enter(engine));
    return done(engine, own->driver.cuStreamSynchronize(own->stream), "the kernel");
}

static ilc_status cuda_timer(ilc__engine *engine, ilc__timer *out)
{
    cuda   *own = engine->own;
    CUevent made[2] = {NULL, NULL};
    ILC__TRY(enter(engine));
    CUresult error = CUDA_SUCCESS;
    for (int i = 0; i < 2 && !error; i++) { /* the place in the list first: with the event in hand nothing may jump away */
        ilc__vec_reserve(&engine->arena, (void **)&own->events.items, &own->events.capacity, own->events.count, sizeof *own->events.items);
        error = own->driver.cuEventCreate(&made[i], CU_EVENT_DEFAULT);
        if (!error) own->events.items[own->events.count++] = made[i];
    }
    if (!error) *out = (ilc__timer){.start = made[0], .stop = made[1]};
    return done(engine, error, "making an event");
}

static void cuda_timer_free(ilc__engine *engine, ilc__timer *timer)
{
    cuda *own = engine->own;
    void *const events[] = {timer->start, timer->stop};
    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < own->events.count; i++) {
            if (own->events.items[i] != events[k]) continue;
            own->events.items[i] = own->events.items[--own->events.count];
            if (enter_quietly(own)) (void)own->driver.cuEventDestroy_v2(events[k]);
            break;
        }
    leave(own);
}

static double cuda_timer_seconds(ilc__engine *engine, const ilc__timer *timer)
{
    cuda *own = engine->own;
    float milliseconds = 0;
    if (own->lost || !enter_quietly(own)) return 0;
    CUresult error = own->driver.cuEventSynchronize(timer->stop);
    if (!error) error = own->driver.cuEventElapsedTime(&milliseconds, timer->start, timer->stop);
    leave(own);
    return error ? 0 : (double)milliseconds * 1e-3;
}

static double cuda_last_seconds(ilc__engine *engine)
{
    const cuda *own = engine->own;
    return ilc__engine_timer_seconds(engine, &own->timer);
}

/* --- the end ----------------------------------------------------------------------------------------------
 */

static void cuda_unwind(ilc__engine *engine)
{
    cuda *own = engine->own;
    if (!own) return;
    ilc__cuda_code_unwind(&own->code);
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
        give_memory(engine, own->buffers.items[i]);
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
    .reserve = cuda_reserve,
    .timer = cuda_timer,
    .timer_free = cuda_timer_free,
    .timer_seconds = cuda_timer_seconds,
    .unwind = cuda_unwind,
    .destroy = cuda_destroy,
};
