/* engine.c - engines: which there is and why, compiled modules. */
#include "api/api.h"

static const char *const kind_names[] = {"auto", "il", "ast", "cpu", "cuda"};

const char *ilc_engine_kind_name(ilc_engine_kind kind)
{
    return (unsigned)kind <= ILC_ENGINE_CUDA ? kind_names[kind] : "?";
}

void ilc_engine_options_init(ilc_engine_options *options)
{
    *options = (ilc_engine_options){.size = sizeof *options, .kind = ILC_ENGINE_AUTO};
}

bool ilc__engine_is_compiled(const ilc_engine *engine)
{
    return engine->rt != NULL;
}

ilc__dialect ilc__engine_dialect(const ilc_engine *engine)
{
    return engine->kind == ILC_ENGINE_CUDA ? ILC__DIALECT_CUDA : ILC__DIALECT_C;
}

void ilc__engine_options_of(const ilc_session *session, const ilc_engine_options *options, ilc_engine_kind kind,
                            ilc__engine_options *out)
{
    bool        cuda = kind == ILC_ENGINE_CUDA;
    const char *compiler = cuda ? options->cuda_compiler : options->cpu_compiler;
    *out = (ilc__engine_options){.kind = cuda ? ILC__ENGINE_CUDA : ILC__ENGINE_CPU,
                                 .compiler = compiler ? compiler : "auto",
                                 .optimise = options->optimise,
                                 .device = options->device,
                                 .threads = options->threads,
                                 .cache_dir = options->cache_dir,
                                 .cuda_path = options->cuda_path,
                                 .arch = options->arch,
                                 .best_code = options->best_code,
                                 .compile_only = cuda && options->compile_only,
                                 .bundles = &session->bundles,
                                 .no_compile = options->no_compile,
                                 .context = cuda ? options->cuda_context : NULL,
                                 .stream = cuda ? options->cuda_stream : NULL,
                                 .device_alloc = cuda ? options->device_alloc : NULL,
                                 .device_free = cuda ? options->device_free : NULL,
                                 .device_user = options->device_user,
                                 /* Where a choice is left, what can run only what was compiled before is none. */
                                 .compiler_needed = options->kind == ILC_ENGINE_AUTO &&
                                                    !ilc__bundles_have(session->bundles, ILC__FORM_CUDA, NULL)};
}

static ilc_status create_compiled(ilc_engine *engine, const ilc_engine_options *options, ilc_engine_kind kind)
{
    ilc__engine_options chosen;
    ilc__engine_options_of(engine->session, options, kind, &chosen);
    ILC__TRY(ilc__engine_create(&engine->session->ctx, &chosen, &engine->rt));
    engine->kind = kind;
    return ILC_OK;
}

static void become_interpreter(ilc_engine *engine, ilc_engine_kind kind)
{
    engine->kind = kind;
    engine->description = kind == ILC_ENGINE_IL ? "il, the IL interpreter" : "ast, the tree interpreter";
}

/* Tries one kind and, if it is not to be had, adds why to the reasons. What was asked for by name is no choice of ours:
 * its failure stays. */
static ilc_status try_kind(ilc_engine *engine, const ilc_engine_options *options, ilc_engine_kind kind, const char *asked,
                           ilc__text *reasons, bool *works)
{
    ilc__context *ctx = &engine->session->ctx;
    uint32_t      before = ctx->diags.count;
    ilc_status    status = create_compiled(engine, options, kind);
    *works = status == ILC_OK;
    if (status == ILC_OK || status == ILC_INVALID || ilc__compiler_is_named(asked)) return status;
    const char *why = ctx->diags.count > before ? ctx->diags.items[before].reason : "not available";
    ilc__text_printf(reasons, "%sno %s: %s", reasons->length ? "; " : "", kind_names[kind], why);
    ctx->diags.count = before;
    return ILC_OK;
}

static ilc_status choose_best(ilc_engine *engine, const ilc_engine_options *options)
{
    ilc__text reasons = {.arena = &engine->session->ctx.arena};
    bool      works;
    ILC__TRY(try_kind(engine, options, ILC_ENGINE_CUDA, NULL, &reasons, &works));
    engine->reason = "a CUDA device works here";
    if (works) return ILC_OK;
    ILC__TRY(try_kind(engine, options, ILC_ENGINE_CPU, options->cpu_compiler, &reasons, &works));
    if (!works) become_interpreter(engine, ILC_ENGINE_AST);
    engine->reason = ilc__text_string(&reasons);
    return ILC_OK;
}

static ilc_status choose(ilc_engine *engine, const ilc_engine_options *options)
{
    bool only_code = options->compile_only;
    if (only_code && options->kind != ILC_ENGINE_AUTO && options->kind != ILC_ENGINE_CUDA)
        return ilc__fail(&engine->session->ctx, ILC_INVALID, NULL, "only the CUDA engine compiles for machines elsewhere");
    switch (only_code ? ILC_ENGINE_CUDA : options->kind) {
    case ILC_ENGINE_IL:
    case ILC_ENGINE_AST: become_interpreter(engine, options->kind); break;
    case ILC_ENGINE_CPU:
    case ILC_ENGINE_CUDA: ILC__TRY(create_compiled(engine, options, only_code ? ILC_ENGINE_CUDA : options->kind)); break;
    case ILC_ENGINE_AUTO: return choose_best(engine, options);
    default: return ilc__fail(&engine->session->ctx, ILC_INVALID, NULL, "there is no engine kind %d", (int)options->kind);
    }
    engine->reason = "asked for";
    return ILC_OK;
}

static ilc_status create(ilc_engine **out, ilc_session *session, const ilc_engine_options *given)
{
    ilc_engine_options options;
    ilc_engine_options_init(&options);
    ILC__TRY(ilc__options_take(&session->ctx, &options, sizeof options, given, "engine options"));
    ilc_engine *engine = ILC__NEW(&session->ctx.arena, ilc_engine);
    engine->session = session;
    engine->modules.arena = engine->first_modules.arena = &session->ctx.arena;
    engine->no_compile = options.no_compile;
    if (!options.device_alloc != !options.device_free)
        return ilc__fail(&session->ctx, ILC_INVALID, NULL, "device memory that is allocated by the caller must be given back by it, too");
    ILC__TRY(choose(engine, &options));
    ilc__log(session, "engine: %s (%s)", ilc_engine_describe(engine), engine->reason);
    engine->next = session->engines;
    engine->link = &session->engines;
    if (engine->next) engine->next->link = &engine->next;
    session->engines = engine;
    *out = engine;
    return ILC_OK;
}

ilc_status ilc_engine_create(ilc_engine **out, ilc_session *session, const ilc_engine_options *options)
{
    ILC__LAND(session, create(out, session, options));
}

void ilc_engine_destroy(ilc_engine *engine)
{
    if (!engine) return;
    for (ilc_buffer *buffer = engine->buffers; buffer; buffer = buffer->next) ilc__exports_forget(buffer);
    while (engine->tasks) ilc_task_destroy(engine->tasks);
    ilc__slots_free(engine);
    while (engine->buffers) ilc_buffer_destroy(engine->buffers); /* newest first: what holds others before them */
    *engine->link = engine->next;
    if (engine->next) engine->next->link = engine->link;
    if (engine->rt) ilc__engine_destroy(engine->rt);
    engine->rt = NULL;
}

ilc_engine_kind ilc_engine_kind_of(const ilc_engine *engine)
{
    return engine->kind;
}

const char *ilc_engine_describe(const ilc_engine *engine)
{
    return engine->rt ? ilc__engine_describe(engine->rt) : engine->description;
}

void ilc_engine_parts_get(ilc_engine_parts *out, const ilc_engine *engine)
{
    *out = (ilc_engine_parts){.device = engine->description};
    if (!engine->rt) return;
    const ilc__engine_parts *parts = ilc__engine_parts_of(engine->rt);
    *out = (ilc_engine_parts){.device = parts->device, .driver = parts->driver, .compiler = parts->compiler,
                              .form = parts->form, .arch = parts->arch, .path = parts->path};
}

static ilc_status first_tier(ilc_engine *engine, const char **out, bool *works)
{
    *out = engine->rt ? ilc__engine_first_tier(engine->rt, works) : NULL;
    return ILC_OK;
}

static ilc_status first_tier_landed(ilc_engine *engine, const char **out, bool *works)
{
    ILC__LAND(engine->session, first_tier(engine, out, works));
}

const char *ilc_engine_first_tier(ilc_engine *engine, bool *works)
{
    const char *text = NULL;
    *works = false;
    return first_tier_landed(engine, &text, works) == ILC_OK ? text : NULL;
}

const char *ilc_engine_reason(const ilc_engine *engine)
{
    return engine->reason;
}

/* --- modules ------------------------------------------------------------------------------------------------- */

/* The first lines of a compiler's log say what is wrong; the rest does not fit a line. */
static ilc_status fail_compiler(ilc_engine *engine, ilc_status status, const char *name, const char *log, uint32_t before)
{
    if (engine->session->ctx.diags.count > before) return status;
    size_t length = log ? strcspn(log, "\n") : 0;
    return ilc__fail(&engine->session->ctx, status, NULL, "%s did not compile: %.*s", name, (int)length, log ? log : "");
}

ilc_status ilc__engine_module(ilc_engine *engine, const char *name, const char *source, const char *const *entries,
                              uint32_t entry_count, ilc__module **out)
{
    size_t length = strlen(source);
    *out = ilc__map_get(&engine->modules, source, length);
    if (*out) return ILC_OK;
    const char *log = NULL;
    uint32_t    before = engine->session->ctx.diags.count;
    ilc_status  status = ilc__engine_compile(engine->rt, name, source, entries, entry_count, out, &log);
    if (status != ILC_OK) return fail_compiler(engine, status, name, log, before);
    ilc__log(engine->session, "%s: %s", name, ilc__module_was_cached(*out) ? "compiled before" : "compiled");
    ilc__map_put(&engine->modules, source, length, *out);
    return ILC_OK;
}

ilc_status ilc__say_not_bundled(const ilc_engine *engine, const ilc_method *method, ilc_status status, uint32_t before)
{
    ilc__context *ctx = &engine->session->ctx;
    if (status != ILC_NO_ENGINE || !engine->no_compile || ctx->diags.count <= before) return status;
    ctx->diags.count = before;
    ilc__where where = ilc__method_where(method->def, ILC__ANY_OFFSET);
    if (!engine->session->bundles)
        return ilc__fail(ctx, ILC_NO_ENGINE, &where, "the kernel was not compiled before, and nothing may be compiled");
    return ilc__fail(ctx, ILC_NO_ENGINE, &where, "the kernel is not in the bundle as it is needed here, and nothing may be compiled");
}

static ilc_status blame_kernel(ilc_engine *engine, ilc_kernel *kernel, const ilc__kernel *emitted, ilc_status status, uint32_t before)
{
    ilc_session      *session = engine->session;
    ilc__emit_options options;
    ilc__tile_plan    plan;
    const ilc__unit  *unit;
    ilc__kernel       mapped;
    ilc__kernel_emit_options(kernel, ilc__engine_dialect(engine), emitted, &plan, &options);
    options.lines = true;
    if (ilc__method_unit(kernel->method, kernel->floats, &unit) != ILC_OK ||
        ilc__emit_kernel(&session->ctx, &session->scratch, unit, &kernel->spec, &options, &mapped) != ILC_OK)
        return status;
    const char *file = ilc__engine_file(engine, options.tile ? mapped.tile.entry.name : mapped.guarded.name);
    return ilc__blame_source(&session->ctx, status, before, file, &mapped, 0);
}

const char *ilc__engine_file(const ilc_engine *engine, const char *name)
{
    if (engine->kind != ILC_ENGINE_CUDA) return "kernel.c";
    return ilc__arena_printf(&engine->session->scratch, "%s.cu", name);
}

static uint32_t entries_of(const ilc__kernel *emitted, const char *entries[3])
{
    const ilc__entry *all[] = {&emitted->guarded, &emitted->checked, &emitted->tile.entry};
    uint32_t          count = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (all[i]->name) entries[count++] = all[i]->name;
    return count;
}

ilc_status ilc__kernel_module(ilc_engine *engine, ilc_kernel *kernel, const ilc__kernel *emitted, ilc__module **out)
{
    *out = kernel->module;
    if (kernel->module_engine == engine && kernel->module_of == emitted) return ILC_OK;
    uint32_t    before = engine->session->ctx.diags.count;
    const char *entries[3];
    uint32_t    count = entries_of(emitted, entries);
    ilc_status  status = ilc__engine_module(engine, entries[0], emitted->source, entries, count, out);
    status = ilc__say_not_bundled(engine, kernel->method, status, before);
    if (status == ILC_OK) {
        kernel->module_engine = engine;
        kernel->module_of = emitted;
        kernel->module = *out;
    }
    return status == ILC_COMPILER ? blame_kernel(engine, kernel, emitted, status, before) : status;
}

const ilc__coming *ilc__kernel_coming(ilc_engine *engine, const ilc_kernel *kernel, const ilc__kernel *wanted)
{
    if (kernel->module_engine == engine && kernel->module_of == wanted) return NULL;
    if (ilc__map_get(&engine->modules, wanted->source, strlen(wanted->source))) return NULL;
    return ilc__engine_coming(engine->rt, wanted->source);
}

ilc__module *ilc__kernel_first_module(ilc_engine *engine, const ilc__kernel *emitted)
{
    size_t       length = strlen(emitted->source);
    ilc__module *module = ilc__map_get(&engine->first_modules, emitted->source, length);
    const char  *entries[3];
    uint32_t     count = entries_of(emitted, entries);
    if (module || !ilc__engine_compile_first(engine->rt, entries[0], emitted->source, entries, count, &module)) return module;
    ilc__map_put(&engine->first_modules, emitted->source, length, module);
    return module;
}

/* Has the compiler begin with what a launch will want, a large one where there is a tile. *coming: it is at work. */
static ilc_status begin(ilc_engine *engine, ilc_kernel *kernel, bool *coming)
{
    const ilc__kernel *wanted;
    *coming = false;
    if (engine->kind != ILC_ENGINE_CPU || ilc_kernel_dims(kernel) == 0) return ILC_OK;
    ILC__TRY(ilc__kernel_emitted(kernel, ILC__DIALECT_C, &wanted));
    if (kernel->tiles && ilc_kernel_dims(kernel) == 2 && ilc__engine_parts_of(engine->rt)->vectors) {
        const ilc__kernel *tiled;
        ILC__TRY(ilc__kernel_tiled(kernel, ILC__TILED_CPU, &tiled));
        if (tiled->tile.entry.name) wanted = tiled;
    }
    *coming = ilc__kernel_coming(engine, kernel, wanted) != NULL;
    return ILC_OK;
}

ilc_status ilc_engine_begin(ilc_engine *engine, ilc_kernel *kernel)
{
    bool coming;
    ILC__LAND(engine->session, begin(engine, kernel, &coming));
}

/* NULL for interpreters. */
static ilc_status prepare_module(ilc_engine *engine, ilc_kernel *kernel, ilc__module **out)
{
    *out = NULL;
    if (ilc_kernel_dims(kernel) == 0)
        return ilc__fail(&engine->session->ctx, ILC_UNSUPPORTED, NULL, "%s is a device function only",
                         kernel->method->def->full_name);
    if (!ilc__engine_is_compiled(engine)) return ILC_OK;
    const ilc__kernel *emitted;
    ILC__TRY(ilc__kernel_emitted(kernel, ilc__engine_dialect(engine), &emitted));
    bool coming;
    ILC__TRY(begin(engine, kernel, &coming));
    if (coming) *out = ilc__kernel_first_module(engine, emitted);
    if (*out) return ILC_OK;
    ILC__TRY(ilc__kernel_module(engine, kernel, emitted, out));
    /* For a machine elsewhere everything is compiled that a launch there may want. */
    for (uint32_t number = 0; number < ilc__kernel_tile_count(kernel) && ilc__module_ptx(*out); number++) {
        ilc__module *tile;
        ILC__TRY(ilc__kernel_tiled(kernel, number, &emitted));
        if (emitted->tile.entry.name) ILC__TRY(ilc__kernel_module(engine, kernel, emitted, &tile));
    }
    return ILC_OK;
}

static ilc_status prepare(ilc_engine *engine, ilc_kernel *kernel, bool *cached)
{
    ilc__module *module;
    if (cached) *cached = false;
    ILC__TRY(prepare_module(engine, kernel, &module));
    if (cached && module) *cached = ilc__module_was_cached(module);
    return ILC_OK;
}

ilc_status ilc_engine_prepare(ilc_engine *engine, ilc_kernel *kernel, bool *cached)
{
    ILC__LAND(engine->session, prepare(engine, kernel, cached));
}

static ilc_status ptx_of(const char **out, ilc_engine *engine, ilc_kernel *kernel)
{
    ilc__module *module;
    ILC__TRY(prepare_module(engine, kernel, &module));
    *out = module ? ilc__module_ptx(module) : NULL;
    if (*out) return ILC_OK;
    return ilc__fail(&engine->session->ctx, ILC_INVALID, NULL, "only a CUDA engine that compiles and does no more gives PTX");
}

ilc_status ilc_engine_ptx(const char **out, ilc_engine *engine, ilc_kernel *kernel)
{
    ILC__LAND(engine->session, ptx_of(out, engine, kernel));
}
