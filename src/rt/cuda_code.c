/* cuda_code.c - compiles, or finds what was compiled (cuda_code.h).
 *
 * An entry of the cache is found by everything that can change the code, the compiler among it. For machines that have
 * none, a second entry is found by source and target alone: "COMPILER\n" and the key of the first. */
#include "rt/cuda_code.h"

enum { KEY_LENGTH = 32 };

static ilc__cache_key key_of(const ilc__cuda_code *code, ilc__arena *arena, const char *source)
{
    const char *const *cc = ilc__cudacc_parts(&code->cc, arena);
    const char        *parts[] = {"cuda", source, cc[0], cc[1], cc[2], cc[3], ILC_VERSION};
    return ilc__cache_key_of(parts, sizeof parts / sizeof parts[0]);
}

static ilc__cache_key anyones_key(const char *arch, const char *source)
{
    const char *parts[] = {"cuda by any compiler", "exact", source, arch, ILC_VERSION};
    return ilc__cache_key_of(parts, sizeof parts / sizeof parts[0]);
}

/* --- without a compiler --------------------------------------------------------------------------------------- */

static void note_maker(ilc__engine *engine, ilc__cuda_code *code, const char *name, size_t length)
{
    static const char more[] = " and others";
    ilc__arena       *arena = &engine->arena;
    if (!code->whose)
        code->whose = ilc__arena_strndup(arena, name, length);
    else if (!strstr(code->whose, more) && (strlen(code->whose) != length || memcmp(code->whose, name, length) != 0))
        code->whose = ilc__arena_printf(arena, "%s%s", code->whose, more);
}

static bool in_bundle(ilc__engine *engine, ilc__cuda_code *code, const char *arch, const char *source, const void **image,
                      size_t *size)
{
    if (!ilc__engine_bundle(engine)) return false;
    const ilc__part *part = ilc__bundles_code(ilc__engine_bundle(engine), ilc__code_name(&engine->scratch, ILC__FORM_CUDA, arch, source));
    if (!part) return false;
    *image = part->bytes;
    *size = part->size;
    note_maker(engine, code, part->maker, strlen(part->maker));
    return true;
}

static bool follow(ilc__engine *engine, ilc__cuda_code *code, const char *arch, const char *source, const void **image,
                   size_t *size)
{
    const void    *bytes;
    size_t         length;
    ilc__cache_key key = anyones_key(arch, source), own;
    if (!ilc__cache_get(&engine->cache, &key, &engine->scratch, &bytes, &length)) return false;
    const char *line_end = memchr(bytes, '\n', length);
    if (!line_end || length - (size_t)(line_end - (const char *)bytes) - 1 != KEY_LENGTH) return false;
    memcpy(own.text, line_end + 1, KEY_LENGTH);
    own.text[KEY_LENGTH] = 0;
    for (int i = 0; i < KEY_LENGTH; i++)
        if (!own.text[i] || !strchr("0123456789abcdef", own.text[i])) return false;
    if (!ilc__cache_get(&engine->cache, &own, &engine->scratch, image, size)) return false;
    note_maker(engine, code, bytes, (size_t)(line_end - (const char *)bytes));
    return true;
}

typedef bool find_code(ilc__engine *engine, ilc__cuda_code *code, const char *arch, const char *source, const void **image,
                       size_t *size);

/* Machine code runs on devices of its own major version that are not below it, PTX on all that are not below it (CUDA
 * C++ Programming Guide, binary and PTX compatibility). */
static bool for_this_device(ilc__engine *engine, ilc__cuda_code *code, find_code *find, const char *source, const void **image,
                            size_t *size)
{
    ilc__arena *arena = &engine->scratch;
    for (int arch = code->device; arch >= code->device / 10 * 10 && arch > 0; arch--)
        if (find(engine, code, ilc__arena_printf(arena, "sm_%d", arch), source, image, size)) return true;
    for (int arch = code->device; arch >= ILC__ARCH_LEAST; arch--)
        if (find(engine, code, ilc__arena_printf(arena, "compute_%d", arch), source, image, size)) return true;
    return false;
}

static ilc_status from_anyone(ilc__engine *engine, ilc__cuda_code *code, const char *name, const char *source,
                              const void **image, size_t *size)
{
    if (for_this_device(engine, code, follow, source, image, size)) return ILC_OK;
    return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s was not compiled before, and there is no CUDA compiler here: %s",
                     name, code->cc.missing);
}

/* --- with one --------------------------------------------------------------------------------------------------- */

static bool compile(ilc__engine *engine, ilc__cuda_code *code, const char *name, const char *source, const void **image,
                    size_t *size, const char **wrong)
{
    ilc__cudacc *cc = &code->cc;
    if (cc->kind == ILC__CUDACC_NVRTC)
        return ilc__nvrtc_compile(&cc->nvrtc, &engine->scratch, &cc->target, name, source, &code->program, image, size,
                                  wrong);
    code->folder = ilc__temporary_make(&engine->scratch);
    if (!code->folder) {
        *wrong = "no temporary folder could be made (TMPDIR, /tmp)";
        return false;
    }
    bool done = ilc__cuda_clang_compile(&cc->clang, engine->ctx, &engine->scratch, code->folder, &cc->target, name, source,
                                        image, size, wrong);
    ilc__temporary_remove(code->folder);
    code->folder = NULL;
    return done;
}

static void keep(ilc__engine *engine, const ilc__cuda_code *code, const ilc__cache_key *key, const char *source,
                 const void *image, size_t size)
{
    ilc__arena    *scratch = &engine->scratch;
    ilc__cache_key anyones = anyones_key(code->cc.target.arch, source);
    const char *line = ilc__arena_printf(scratch, "%s\n%s", ilc__cudacc_describe(&code->cc, scratch), key->text);
    ilc__cache_put(&engine->cache, scratch, key, image, size);
    ilc__cache_put(&engine->cache, scratch, &anyones, line, strlen(line));
}

ilc_status ilc__cuda_code_get(ilc__engine *engine, ilc__cuda_code *code, const char *name, const char *source,
                              const void **image, size_t *size, bool *cached, const char **log)
{
    const char *wrong = NULL;
    *cached = true;
    if (!engine->options.compile_only && ilc__engine_bundle(engine) && for_this_device(engine, code, in_bundle, source, image, size))
        return ILC_OK;
    if (code->cc.kind == ILC__CUDACC_NONE) return from_anyone(engine, code, name, source, image, size);
    ilc__cache_key key = key_of(code, &engine->scratch, source);
    if (ilc__cache_get(&engine->cache, &key, &engine->scratch, image, size)) return ILC_OK;
    *cached = false;
    if (!compile(engine, code, name, source, image, size, &wrong))
        return ilc__compile_failed(engine, code->cc.name, name, wrong, log);
    keep(engine, code, &key, source, *image, *size);
    return ILC_OK;
}

void ilc__cuda_code_unwind(ilc__cuda_code *code)
{
    if (code->program) (void)code->cc.nvrtc.nvrtcDestroyProgram(&code->program);
    code->program = NULL;
    if (code->folder) ilc__temporary_remove(code->folder);
    code->folder = NULL;
}
