/* cpu_code.c - the CPU engine's code: which compiler makes it, the cache, bundles, modules. */
#include "rt/cpu.h"

/* --- the compiler ---------------------------------------------------------------------------------------------------- */

void ilc__cpu_drop_folder(ilc__cpu *own)
{
    if (own->folder) ilc__temporary_remove(own->folder);
    own->folder = NULL;
}

ilc__cache_key ilc__cpu_key_of(ilc__arena *arena, const ilc__hostcc *cc, const char *source)
{
    ilc__text options = {.arena = arena};
    for (uint32_t i = 0; i < cc->option_count; i++)
        ilc__text_printf(&options, "%s ", cc->options[i]);
    const char *parts[] = {"cpu",        source,        ilc__text_string(&options), cc->isa, cc->name,
                           cc->identity, ILC_VERSION};
    return ilc__cache_key_of(parts, sizeof parts / sizeof parts[0]);
}

/* The best that a bundle has for this processor; NULL where there is none. */
static const ilc__part *bundled(ilc__engine *engine, const char *source)
{
    const ilc__bundle *first = engine->options.compile_only ? NULL : ilc__engine_bundle(engine);
    const ilc__part   *found = NULL;
    for (const char *level = ilc__isa_level(); first && level && !found; level = ilc__isa_below(level))
        found = ilc__bundles_code(first, ilc__code_name(&engine->scratch, ILC__FORM_CPU, level, source));
    return found;
}

const char *ilc__cpu_made_path(const ilc__cpu *own, ilc__arena *arena, const ilc__cache_key *key)
{
    return ilc__arena_printf(arena, "%s/%s.ilc.made.tmp", own->place, key->text);
}

/* From the cache, or where a compilation beside has left it. */
static const void *stored(ilc__engine *engine, const ilc__cache_key *key, size_t *size)
{
    const ilc__cpu *own = engine->own;
    const void     *object = NULL;
    if (ilc__cache_get(&engine->cache, key, &engine->scratch, &object, size)) return object;
    if (!own->place) return NULL;
    return ilc__cache_take_in(&engine->cache, key, ilc__cpu_made_path(own, &engine->scratch, key), &engine->scratch, size);
}

static bool is_stored(ilc__engine *engine, const ilc__cache_key *key)
{
    const ilc__cpu *own = engine->own;
    if (ilc__cache_holds(&engine->cache, &engine->scratch, key)) return true;
    return own->place && ilc__file_exists(ilc__cpu_made_path(own, &engine->scratch, key));
}

/* The shared object for source, from the cache or the compiler; NULL with what went wrong in *log. */
static const void *object_of(ilc__engine *engine, const ilc__hostcc *cc, const char *source, size_t *size,
                             bool *cached, const char **log)
{
    ilc__cpu      *own = engine->own;
    ilc__cache_key key = ilc__cpu_key_of(&engine->scratch, cc, source);
    const void    *object = stored(engine, &key, size);
    if (!object) {
        ilc__tiers_await(engine, &key);
        object = stored(engine, &key, size);
    }
    *cached = object != NULL;
    if (*cached) return object;
    own->folder = ilc__temporary_make(&engine->scratch);
    if (!own->folder) {
        *log = "no temporary folder could be made (TMPDIR, /tmp)";
        return NULL;
    }
    bool done =
        ilc__hostcc_compile(cc, engine->ctx, &engine->scratch, own->folder, source, &object, size, log);
    ilc__cpu_drop_folder(own);
    if (!done) return NULL;
    ilc__cache_put(&engine->cache, &engine->scratch, &key, object, *size);
    return object;
}

/* A compiler may be there without its assembler or linker. So each is tried; the answer is in the cache. */
static const char trial[] = "int il_trial(void) { return 0; }\n";

const char *ilc__cpu_why_unfit(ilc__engine *engine, const ilc__hostcc *cc)
{
    size_t            size;
    bool              cached;
    const char       *log = NULL;
    const void       *object = object_of(engine, cc, trial, &size, &cached, &log);
    if (!object) return log;
    void *library = ilc__library_load(object, size);
    if (!library) return "what it compiles cannot be loaded into this process";
    ilc__library_close(library);
    return NULL;
}

/* Trying gcc takes as long as a kernel. Where a first tier bridges that, it is tried beside. */
static bool try_beside(ilc__engine *engine)
{
    ilc__cpu      *own = engine->own;
    bool           works = false;
    ilc__cache_key key = ilc__cpu_key_of(&engine->scratch, &own->cc, trial);
    if (!own->tiers || is_stored(engine, &key)) return false;
    (void)ilc__tiers_first(engine, &works);
    own->on_trial = works ? ilc__tiers_coming(engine, trial) : NULL;
    return own->on_trial != NULL;
}

/* Commands stand in the order of preference, but one that turns out to be tcc, as `cc` may, comes last: it has no
 * optimiser. */
static ilc_status find_compiler(ilc__engine *engine, bool beside)
{
    ilc__cpu          *own = engine->own;
    const char        *wanted = engine->options.compiler;
    const char *const *commands = ilc__hostcc_candidates(&engine->arena, wanted);
    const char        *failed = NULL, *reason = NULL;
    uint32_t           count = 0, put_off = 0;
    while (commands[count]) count++;
    ilc__hostcc *tccs = ILC__NEW_ARRAY(&engine->arena, ilc__hostcc, count);
    for (uint32_t i = 0; i < count + put_off; i++) {
        if (i >= count) {
            own->cc = tccs[i - count];
        } else if (!ilc__hostcc_ask(&engine->arena, commands[i], engine->options.optimise, engine->options.isa, &own->cc)) {
            continue;
        } else if (own->cc.kind == ILC__CC_TCC) {
            tccs[put_off++] = own->cc;
            continue;
        }
        if (beside && own->cc.kind != ILC__CC_TCC && try_beside(engine)) return ILC_OK;
        const char *unfit = ilc__cpu_why_unfit(engine, &own->cc);
        if (!unfit) return ILC_OK;
        if (!failed) failed = own->cc.command, reason = unfit;
    }
    if (failed)
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "the C compiler %s did not work: %.200s", failed,
                         reason);
    if (ilc__compiler_is_named(wanted))
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL,
                         "the C compiler %s was not found, or is none of gcc, clang and tcc", wanted);
    return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "no C compiler was found (cc, gcc, clang, tcc)");
}

static bool serves_this_processor(const ilc__bundle *first)
{
    for (const char *level = ilc__isa_level(); level; level = ilc__isa_below(level))
        if (ilc__bundles_have(first, ILC__FORM_CPU, level)) return true;
    return false;
}

/* Where a bundle has code, an engine without a compiler is one all the same. */
ilc_status ilc__cpu_choose_compiler(ilc__engine *engine)
{
    ilc__cpu       *own = engine->own;
    bool       serves = !engine->options.compile_only && serves_this_processor(ilc__engine_bundle(engine));
    uint32_t   before = engine->ctx->diags.count;
    ilc_status status = ILC_OK;
    if (!engine->options.no_compile) {
        status = find_compiler(engine, true);
        own->compiles = status == ILC_OK;
        if (own->compiles || !serves || ilc__compiler_is_named(engine->options.compiler)) return status;
        engine->ctx->diags.count = before;
    } else if (!serves) {
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s for this processor, %s, and nothing may be compiled",
                         ilc__engine_bundle(engine) ? "the bundle has no code" : "there is no bundle with code", ilc__isa_level());
    }
    own->cc = (ilc__hostcc){.isa = ilc__isa_level()};
    return ILC_OK;
}

/* Before the compiler is waited for: is it one? Where it is not, the next is, and all that follows waits for that. */
static ilc_status settle(ilc__engine *engine)
{
    ilc__cpu *own = engine->own;
    if (!own->on_trial) return ILC_OK;
    ilc__engine_await(own->on_trial);
    own->on_trial = NULL;
    const char *unfit = ilc__cpu_why_unfit(engine, &own->cc);
    if (!unfit) return ILC_OK;
    ilc__tiers_give_up(engine, unfit);
    ILC__TRY(find_compiler(engine, false));
    ilc__cpu_describe(engine);
    return ILC_OK;
}

const char *ilc__cpu_first_tier(ilc__engine *engine, bool *works)
{
    *works = false;
    return settle(engine) == ILC_OK ? ilc__tiers_first(engine, works) : NULL;
}

/* --- modules --------------------------------------------------------------------------------------------------------- */

/* Loads object, or says why it is not there. */
static ilc_status take_object(ilc__engine *engine, const ilc__hostcc *cc, const char *name, const void *object, size_t size,
                              ilc__module *module, const char *const *entries, const char *wrong, const char **log)
{
    if (!object)
        return ilc__compile_failed(engine, ilc__arena_printf(&engine->scratch, "%s %s", cc->name, cc->version), name, wrong, log);
    if (engine->options.compile_only) {
        module->made = (ilc__made){.bytes = ilc__arena_copy(&engine->arena, object, size),
                                   .size = size,
                                   .form = ILC__FORM_CPU,
                                   .arch = cc->isa,
                                   .maker = engine->parts.compiler};
        module->handle = module; /* nothing is loaded */
        return ILC_OK;
    }
    void *library = ilc__library_load(object, size);
    if (!library)
        return ilc__fail(engine->ctx, ILC_COMPILER, NULL, "the object of %s could not be loaded", name);
    for (uint32_t i = 0; i < module->entry_count; i++) {
        module->entries[i] = ilc__library_find(library, entries[i]);
        if (module->entries[i]) continue;
        ilc__library_close(library);
        return ilc__fail(engine->ctx, ILC_COMPILER, NULL, "%s defines no %s", name, entries[i]);
    }
    module->handle = library;
    return ILC_OK;
}

ilc_status ilc__cpu_compile_by(ilc__engine *engine, const ilc__hostcc *cc, const char *name, const char *source, ilc__module *module,
                               const char *const *entries, const char **log)
{
    size_t      size;
    const char *wrong = NULL;
    const void *object = object_of(engine, cc, source, &size, &module->cached, &wrong);
    return take_object(engine, cc, name, object, size, module, entries, wrong, log);
}

ilc_status ilc__cpu_compile(ilc__engine *engine, const char *name, const char *source, ilc__module *module,
                            const char *const *entries, const char **log)
{
    ilc__cpu        *own = engine->own;
    const ilc__part *part = bundled(engine, source);
    if (part) {
        module->cached = true;
        return take_object(engine, &own->cc, name, part->bytes, part->size, module, entries, NULL, log);
    }
    if (own->compiles) ILC__TRY(settle(engine));
    if (own->compiles) return ilc__cpu_compile_by(engine, &own->cc, name, source, module, entries, log);
    return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s is not in the bundle, and %s", name,
                     engine->options.no_compile ? "nothing may be compiled" : "there is no C compiler here");
}

bool ilc__cpu_has(ilc__engine *engine, const char *source)
{
    ilc__cpu *own = engine->own;
    if (bundled(engine, source)) return true;
    if (!own->compiles) return false;
    ilc__cache_key key = ilc__cpu_key_of(&engine->scratch, &own->cc, source);
    return is_stored(engine, &key);
}
