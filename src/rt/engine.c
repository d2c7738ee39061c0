/* engine.c - the calls of rt.h: checks what both kinds need, then passes on to the kind (engine.h).
 *
 * Where a call may hold a file, a thread or a device context, memory running out lands here first, so that
 * the kind can give those back; then it goes on to the landing pad of whoever called. */
#include "rt/engine.h"

/* Evaluates to the status of call, with a landing pad of our own around it. cleanup must not ask for memory.
 */
#define GUARDED(heap, status, call, cleanup)                                                                 \
    do {                                                                                                     \
        jmp_buf  pad_;                                                                                       \
        jmp_buf *outer_ = (heap)->landing;                                                                   \
        if (setjmp(pad_)) {                                                                                  \
            (heap)->landing = outer_;                                                                        \
            cleanup;                                                                                         \
            ilc__heap_exhausted(heap);                                                                       \
        }                                                                                                    \
        (heap)->landing = &pad_;                                                                             \
        *(status) = (call);                                                                                  \
        (heap)->landing = outer_;                                                                            \
    } while (0)

static const char *copied(ilc__arena *arena, const char *text)
{
    return text ? ilc__arena_strdup(arena, text) : NULL;
}

static ilc_status make(ilc__engine *engine, const ilc__engine_options *options)
{
    engine->options = *options;
    engine->options.compiler = copied(&engine->arena, options->compiler);
    engine->options.optimise = copied(&engine->arena, options->optimise);
    engine->options.cache_dir = copied(&engine->arena, options->cache_dir);
    engine->options.arch = copied(&engine->arena, options->arch);
    engine->options.isa = copied(&engine->arena, options->isa);
    engine->options.cuda_path = copied(&engine->arena, options->cuda_path);
    if (options->no_compile && engine->kind == ILC__ENGINE_CUDA) engine->options.compiler = "none";
    ilc__cache_open(&engine->cache, engine->ctx, &engine->arena, engine->options.cache_dir);
    return engine->kind == ILC__ENGINE_CUDA ? ilc__cuda_create(engine) : ilc__cpu_create(engine);
}

ilc_status ilc__engine_create(ilc__context *ctx, const ilc__engine_options *options, ilc__engine **out)
{
    *out = NULL;
    ilc__heap   *heap = &ctx->heap;
    ilc__engine *engine = heap->resize(heap->user, NULL, sizeof *engine);
    if (!engine) ilc__heap_exhausted(heap);
    *engine = (ilc__engine){.kind = options->kind, .ctx = ctx};
    engine->ops = engine->kind == ILC__ENGINE_CUDA ? &ilc__cuda_ops : &ilc__cpu_ops;
    ilc__arena_init(&engine->arena, heap);
    ilc__arena_init(&engine->scratch, heap);
    ilc_status status;
    GUARDED(heap, &status, make(engine, options), ilc__engine_destroy(engine));
    ilc__arena_free(&engine->scratch);
    if (status != ILC_OK) {
        ilc__engine_destroy(engine);
        return status;
    }
    *out = engine;
    return ILC_OK;
}

void ilc__engine_destroy(ilc__engine *engine)
{
    if (!engine) return;
    while (engine->modules)
        ilc__module_release(engine->modules);
    engine->ops->destroy(engine);
    ilc__heap *heap = engine->arena.heap;
    ilc__arena_free(&engine->scratch);
    ilc__arena_free(&engine->arena);
    heap->resize(heap->user, engine, 0);
}

const char *ilc__engine_describe(const ilc__engine *engine)
{
    return engine->describe;
}

const ilc__engine_parts *ilc__engine_parts_of(const ilc__engine *engine)
{
    return &engine->parts;
}

ilc__engine_kind ilc__engine_kind_of(const ilc__engine *engine)
{
    return engine->kind;
}

/* --- modules ----------------------------------------------------------------------------------------------
 */

ilc_status ilc__compile_failed(ilc__engine *engine, const char *compiler, const char *name,
                               const char *printed, const char **log)
{
    enum { SHOWN = 200 };
    const char *line = printed, *error = strstr(printed, "error");
    for (const char *at = printed; error && at < error; at++)
        if (*at == '\n') line = at + 1;
    size_t length = strcspn(line, "\r\n");
    *log = ilc__arena_strdup(&engine->arena, printed);
    return ilc__fail(engine->ctx, ILC_COMPILER, NULL, "%s did not compile %s: %.*s", compiler, name,
                     (int)(length < SHOWN ? length : SHOWN), line);
}

static void give_up(ilc__engine *engine)
{
    engine->ops->unwind(engine);
    ilc__arena_free(&engine->scratch);
}

static ilc__module *new_module(ilc__engine *engine, uint32_t entry_count)
{
    ilc__module *module = ILC__NEW(&engine->arena, ilc__module);
    module->engine = engine;
    module->entry_count = entry_count;
    module->entries = ILC__NEW_ARRAY(&engine->arena, void *, entry_count);
    return module;
}

static void keep_module(ilc__engine *engine, ilc__module *module, ilc__module **out)
{
    module->next = engine->modules;
    engine->modules = module;
    *out = module;
}

ilc_status ilc__engine_compile(ilc__engine *engine, const char *name, const char *source,
                               const char *const *entries, uint32_t entry_count, ilc__module **out,
                               const char **log)
{
    *out = NULL;
    *log = NULL;
    ilc__module *module = new_module(engine, entry_count);
    ilc_status   status;
    GUARDED(engine->arena.heap, &status, engine->ops->compile(engine, name, source, module, entries, log),
            give_up(engine));
    ilc__arena_free(&engine->scratch);
    if (status == ILC_OK) keep_module(engine, module, out);
    return status;
}

const ilc__coming *ilc__engine_coming(ilc__engine *engine, const char *source)
{
    const ilc__coming *coming;
    if (!engine->ops->coming) return NULL;
    GUARDED(engine->arena.heap, &coming, engine->ops->coming(engine, source), give_up(engine));
    ilc__arena_free(&engine->scratch);
    return coming;
}

bool ilc__engine_compile_first(ilc__engine *engine, const char *name, const char *source, const char *const *entries,
                               uint32_t entry_count, ilc__module **out)
{
    bool         done;
    ilc__module *module = new_module(engine, entry_count);
    GUARDED(engine->arena.heap, &done, engine->ops->compile_first(engine, name, source, module, entries), give_up(engine));
    ilc__arena_free(&engine->scratch);
    if (done) keep_module(engine, module, out);
    return done;
}

const char *ilc__engine_first_tier(ilc__engine *engine, bool *works)
{
    const char *said;
    *works = false;
    if (!engine->ops->first_tier) return NULL;
    GUARDED(engine->arena.heap, &said, engine->ops->first_tier(engine, works), give_up(engine));
    ilc__arena_free(&engine->scratch);
    return said;
}

bool ilc__engine_has(ilc__engine *engine, const char *source)
{
    bool found = engine->ops->has && engine->ops->has(engine, source);
    ilc__arena_free(&engine->scratch);
    return found;
}

bool ilc__module_was_cached(const ilc__module *module)
{
    return module->cached;
}

ilc__made ilc__module_made(const ilc__module *module)
{
    return module->made;
}

const char *ilc__module_ptx(const ilc__module *module)
{
    return module->made.bytes;
}

void ilc__module_release(ilc__module *module)
{
    if (!module || !module->handle) return;
    ilc__module **link = &module->engine->modules;
    while (*link != module)
        link = &(*link)->next;
    *link = module->next;
    module->engine->ops->unload(module->engine, module);
    module->handle = NULL;
}

/* --- buffers ----------------------------------------------------------------------------------------------
 */

ilc_status ilc__engine_alloc(ilc__engine *engine, size_t bytes, ilc__address *out)
{
    *out = 0;
    ilc_status status;
    GUARDED(engine->arena.heap, &status, engine->ops->alloc(engine, bytes, out), give_up(engine));
    return status;
}

void ilc__engine_free(ilc__engine *engine, ilc__address address)
{
    if (address) engine->ops->free(engine, address);
}

ilc_status ilc__engine_write(ilc__engine *engine, ilc__address to, const void *from, size_t bytes)
{
    ilc_status status = ILC_OK;
    if (bytes)
        GUARDED(engine->arena.heap, &status, engine->ops->write(engine, to, from, bytes), give_up(engine));
    return status;
}

ilc_status ilc__engine_read(ilc__engine *engine, void *to, ilc__address from, size_t bytes)
{
    ilc_status status = ILC_OK;
    if (bytes)
        GUARDED(engine->arena.heap, &status, engine->ops->read(engine, to, from, bytes), give_up(engine));
    return status;
}

ilc_status ilc__engine_fill(ilc__engine *engine, ilc__address to, uint8_t byte, size_t bytes)
{
    ilc_status status = ILC_OK;
    if (bytes)
        GUARDED(engine->arena.heap, &status, engine->ops->fill(engine, to, byte, bytes), give_up(engine));
    return status;
}

/* --- launches ---------------------------------------------------------------------------------------------
 */

static ilc_status check_launch(ilc__engine *engine, const ilc__module *module, uint32_t entry,
                               const ilc__launch *launch)
{
    ilc__context *ctx = engine->ctx;
    if (!module->handle || module->engine != engine)
        return ilc__fail(ctx, ILC_INVALID, NULL, "the kernel was released, or belongs to another engine");
    if (entry >= module->entry_count)
        return ilc__fail(ctx, ILC_INVALID, NULL, "the module has no kernel number %u", entry);
    if (launch->dims < 1 || launch->dims > 3)
        return ilc__fail(ctx, ILC_INVALID, NULL, "a launch has 1 to 3 dimensions, not %u", launch->dims);
    if (launch->trap_arg < -1 || (launch->trap_arg >= 0 && (uint32_t)launch->trap_arg >= launch->arg_count))
        return ilc__fail(ctx, ILC_INVALID, NULL, "the error slot is argument %d of %u", launch->trap_arg,
                         launch->arg_count);
    int64_t elements = 1;
    for (uint32_t d = 0; d < launch->dims; d++)
        if (launch->extents[d] < 0)
            return ilc__fail(ctx, ILC_INVALID, NULL, "extent %u of the launch is %lld", d + 1,
                             (long long)launch->extents[d]);
    for (uint32_t d = 0; d < launch->dims; d++) {
        if (launch->extents[d] != 0 && elements > ILC__ELEMENTS_MAX / launch->extents[d])
            return ilc__fail(ctx, ILC_INVALID, NULL, "a launch of more than 2^47 elements is out of range");
        elements *= launch->extents[d];
    }
    return ILC_OK;
}

ilc_status ilc__engine_launch(ilc__engine *engine, ilc__module *module, uint32_t entry,
                              const ilc__launch *launch)
{
    ILC__TRY(check_launch(engine, module, entry, launch));
    ilc_status status;
    GUARDED(engine->arena.heap, &status, engine->ops->launch(engine, module, entry, launch), give_up(engine));
    ilc__arena_free(&engine->scratch);
    return status;
}

ilc_status ilc__engine_synchronize(ilc__engine *engine)
{
    ilc_status status;
    GUARDED(engine->arena.heap, &status, engine->ops->synchronize(engine), give_up(engine));
    return status;
}

ilc_status ilc__engine_reserve(ilc__engine *engine, ilc__module *module, uint32_t entry, const ilc__launch *launch)
{
    ILC__TRY(check_launch(engine, module, entry, launch));
    ilc_status status = ILC_OK;
    if (engine->ops->reserve)
        GUARDED(engine->arena.heap, &status, engine->ops->reserve(engine, module, entry, launch), give_up(engine));
    ilc__arena_free(&engine->scratch);
    return status;
}

int64_t ilc__engine_reached(ilc__engine *engine)
{
    return engine->ops->reached ? engine->ops->reached(engine) : -1;
}

double ilc__engine_last_seconds(ilc__engine *engine)
{
    return engine->ops->last_seconds(engine);
}

ilc_status ilc__engine_timer(ilc__engine *engine, ilc__timer *out)
{
    *out = (ilc__timer){0};
    ilc_status status = ILC_OK;
    if (engine->ops->timer) GUARDED(engine->arena.heap, &status, engine->ops->timer(engine, out), give_up(engine));
    return status;
}

void ilc__engine_timer_free(ilc__engine *engine, ilc__timer *timer)
{
    if (timer->start) engine->ops->timer_free(engine, timer);
    *timer = (ilc__timer){0};
}

double ilc__engine_timer_seconds(ilc__engine *engine, const ilc__timer *timer)
{
    return timer->used ? engine->ops->timer_seconds(engine, timer) : 0;
}
