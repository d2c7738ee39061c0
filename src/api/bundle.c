/* bundle.c - bundles: opened, the assembly in one, and built (docs/bundle.md). */
#include "api/api.h"

#include "rt/hostcc.h"

/* --- opening ---------------------------------------------------------------------------------------------------- */

/* In the session's list before its file is mapped, so that nothing is lost on the way. */
static ilc_bundle *make_bundle(ilc_session *session, const char *path)
{
    ilc_bundle *bundle = ILC__NEW(&session->ctx.arena, ilc_bundle);
    bundle->session = session;
    bundle->path = ilc__arena_strdup(&session->ctx.arena, path);
    bundle->next = session->opened;
    session->opened = bundle;
    return bundle;
}

static ilc_status take(ilc_bundle *bundle, const void *bytes, size_t size, ilc_bundle **out)
{
    ilc_session *session = bundle->session;
    ILC__TRY(ilc__bundle_read(&session->ctx, &session->ctx.arena, bundle->path, bytes, size, &bundle->parts));
    bundle->parts.next = session->bundles;
    session->bundles = &bundle->parts;
    *out = bundle;
    return ILC_OK;
}

static ilc_status open_file(ilc_bundle **out, ilc_session *session, const char *path)
{
    ilc_bundle *bundle = make_bundle(session, path);
    ILC__TRY(ilc__file_map(&session->ctx, path, &bundle->file));
    return take(bundle, bundle->file.bytes, bundle->file.size, out);
}

static ilc_status open_memory(ilc_bundle **out, ilc_session *session, const char *name, const void *bytes, size_t size)
{
    return take(make_bundle(session, name), bytes, size, out);
}

ilc_status ilc_bundle_open(ilc_bundle **out, ilc_session *session, const char *path)
{
    ILC__LAND(session, open_file(out, session, path));
}

ilc_status ilc_bundle_open_memory(ilc_bundle **out, ilc_session *session, const char *name, const void *bytes, size_t size)
{
    ILC__LAND(session, open_memory(out, session, name, bytes, size));
}

void ilc__bundles_destroy(ilc_session *session)
{
    for (ilc_bundle *bundle = session->opened; bundle; bundle = bundle->next)
        if (bundle->file.bytes) ilc__file_unmap(&bundle->file);
}

static ilc_status assembly_of(ilc_assembly **out, ilc_bundle *bundle)
{
    ilc_session       *session = bundle->session;
    const ilc__bundle *parts = &bundle->parts;
    if (!bundle->assembly) {
        ilc__given_image *images = ILC__NEW_ARRAY(&session->scratch, ilc__given_image, parts->count);
        uint32_t          count = 0;
        for (uint32_t i = 0; i < parts->count && parts->parts[i].kind <= ILC__PART_REFERENCE; i++) {
            const ilc__part *image = &parts->parts[i], *pdb = ilc__bundle_find(parts, ILC__PART_PDB, image->name);
            images[count++] = (ilc__given_image){
                .name = ilc__arena_printf(&session->scratch, "%s(%s.dll)", bundle->path, image->name),
                .bytes = image->bytes,
                .size = image->size,
                .pdb = pdb ? pdb->bytes : NULL,
                .pdb_size = pdb ? pdb->size : 0};
        }
        ILC__TRY(ilc__assembly_of_images(&bundle->assembly, session, images, count)); /* assemblies sort first */
    }
    *out = bundle->assembly;
    return ILC_OK;
}

ilc_status ilc_bundle_assembly(ilc_assembly **out, ilc_bundle *bundle)
{
    ILC__LAND(bundle->session, assembly_of(out, bundle));
}

ilc_status ilc_bundle_part_get(ilc_bundle_part *out, const ilc_bundle *bundle, uint32_t index)
{
    static const char *const kinds[] = {"", "assembly", "reference", "pdb", "code"};
    if (index >= bundle->parts.count) return ILC_NOT_FOUND;
    const ilc__part *part = &bundle->parts.parts[index];
    *out = (ilc_bundle_part){.kind = kinds[part->kind], .name = part->name, .maker = part->maker, .size = part->size};
    return ILC_OK;
}

/* --- building: the images --------------------------------------------------------------------------------------- */

void ilc_bundle_options_init(ilc_bundle_options *options)
{
    *options = (ilc_bundle_options){.size = sizeof *options, .checks = true};
}

typedef struct building {
    ilc_session              *session;
    ilc_assembly             *given; /* as the caller opened it */
    ilc_method *const        *methods;
    size_t                    count;
    const ilc_bundle_options *options;
    ilc_assembly             *closed; /* of the bundle's images alone */
    ILC__VEC(ilc__part) parts;        /* in the session's scratch, as their bytes */
    uint32_t images;
} building;

static void add_image(building *b, ilc__image *image, ilc__part_kind kind)
{
    ilc__part part = {.kind = kind, .name = ilc__image_name(image)};
    part.bytes = ilc__image_bytes(image, &part.size);
    ILC__PUSH(&b->session->scratch, &b->parts, part);
    b->images++;
    part.kind = ILC__PART_PDB;
    part.bytes = b->options->no_debug ? NULL : ilc__image_pdb_bytes(image, &part.size);
    if (part.bytes) ILC__PUSH(&b->session->scratch, &b->parts, part);
}

/* The assembly and what was opened for it so far; the closed world of these. */
static ilc_status take_images(building *b, bool framework)
{
    ilc__image *image;
    b->parts.count = b->images = 0;
    add_image(b, b->given->image, ILC__PART_ASSEMBLY);
    for (uint32_t i = 0; (image = ilc__set_image(b->given->set, i)); i++) {
        bool again = image == b->given->image;
        for (uint32_t k = 0; k < b->parts.count && !again; k++) again = strcmp(b->parts.items[k].name, ilc__image_name(image)) == 0;
        if (!again && (framework || !ilc__image_is_framework(image))) add_image(b, image, ILC__PART_REFERENCE);
    }
    ilc__given_image *images = ILC__NEW_ARRAY(&b->session->scratch, ilc__given_image, b->parts.count);
    uint32_t          count = 0;
    for (uint32_t i = 0; i < b->parts.count; i++) {
        const ilc__part *part = &b->parts.items[i];
        if (part->kind == ILC__PART_PDB) { /* of the image before; names of locals come from it */
            images[count - 1].pdb = part->bytes;
            images[count - 1].pdb_size = part->size;
        } else {
            images[count++] = (ilc__given_image){.name = part->name, .bytes = part->bytes, .size = part->size};
        }
    }
    return ilc__assembly_of_images(&b->closed, b->session, images, count);
}

/* A method's place in the metadata is the same in both worlds. */
static ilc_status closed_method(const building *b, size_t number, ilc_method **out)
{
    ILC__TRY(ilc__assembly_method(b->closed, b->methods[number]->def->row, out));
    return ilc__method_rows_as(out, *out, b->methods[number]);
}

static ilc_status kernel_of(const building *b, ilc_method *method, ilc_kernel **out)
{
    ilc_kernel_options options;
    ilc_mark           mark;
    ilc_kernel_options_init(&options);
    options.checks = b->options->checks;
    options.index = b->options->index;
    ILC__TRY(ilc_method_mark(&mark, method, "KernelAttribute"));
    if (mark.index) options.index = mark.index;
    options.scalars = b->options->scalars;
    return ilc__kernel_make(out, method, &options);
}

/* Can all be translated from these images? */
static ilc_status try_closed(const building *b)
{
    for (size_t i = 0; i < b->count; i++) {
        ilc_method *method;
        ilc_kernel *kernel;
        ILC__TRY(closed_method(b, i, &method));
        ILC__TRY(kernel_of(b, method, &kernel));
    }
    return ILC_OK;
}

static ilc_status choose_images(building *b)
{
    ilc__context *ctx = &b->session->ctx;
    for (size_t i = 0; i < b->count; i++) { /* opens what they need */
        ilc_kernel *kernel;
        if (b->methods[i]->assembly != b->given)
            return ilc__fail(ctx, ILC_INVALID, NULL, "%s is a method of another assembly", b->methods[i]->def->full_name);
        ILC__TRY(kernel_of(b, b->methods[i], &kernel));
    }
    uint32_t before = ctx->diags.count;
    ILC__TRY(take_images(b, false));
    if (try_closed(b) == ILC_OK) return ILC_OK;
    ctx->diags.count = before;
    ILC__TRY(take_images(b, true));
    return try_closed(b);
}

/* --- building: the code ----------------------------------------------------------------------------------------- */

static void add_code(building *b, const char *source, ilc__made made)
{
    ilc__arena *scratch = &b->session->scratch;
    ilc__part   part = {.kind = ILC__PART_CODE,
                        .name = ilc__code_name(scratch, made.form, made.arch, source),
                        .maker = ilc__code_maker(scratch, made.form, made.arch, made.maker),
                        .bytes = ilc__arena_copy(scratch, made.bytes, made.size),
                        .size = made.size};
    for (uint32_t i = 0; i < b->parts.count; i++) /* two methods of one text */
        if (b->parts.items[i].kind == ILC__PART_CODE && strcmp(b->parts.items[i].name, part.name) == 0) return;
    ILC__PUSH(scratch, &b->parts, part);
}

static ilc_status compile(building *b, ilc__engine *engine, const char *name, const char *source, const char *const *entries,
                          uint32_t entry_count)
{
    const char  *log;
    ilc__module *module;
    ILC__TRY(ilc__engine_compile(engine, name, source, entries, entry_count, &module, &log));
    add_code(b, source, ilc__module_made(module));
    return ILC_OK;
}

static ilc_status compile_kernel(building *b, ilc__engine *engine, const ilc__kernel *emitted)
{
    const ilc__entry *all[] = {&emitted->guarded, &emitted->checked, &emitted->tile.entry};
    const char       *entries[3];
    uint32_t          count = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (all[i]->name) entries[count++] = all[i]->name;
    return compile(b, engine, entries[0], emitted->source, entries, count);
}

/* The kernel, with its tiles where a launch may choose one, and what single calls run. */
static ilc_status compile_method(building *b, ilc__engine *engine, ilc__dialect dialect, ilc_method *method)
{
    ilc_kernel        *kernel;
    const ilc__kernel *emitted;
    const char        *source, *names[2];
    uint32_t           name_count;
    ILC__TRY(kernel_of(b, method, &kernel));
    if (ilc_kernel_dims(kernel)) {
        ILC__TRY(ilc__kernel_emitted(kernel, dialect, &emitted));
        ILC__TRY(compile_kernel(b, engine, emitted));
    }
    uint32_t number = 0, end = ilc__kernel_tile_count(kernel);
    if (dialect == ILC__DIALECT_C) {
        number = end = ILC__TILED_CPU;
        end += kernel->tiles && ilc_kernel_dims(kernel) == 2 && ilc__engine_parts_of(engine)->vectors;
    }
    for (; number < end; number++) {
        ILC__TRY(ilc__kernel_tiled(kernel, number, &emitted));
        if (emitted->tile.entry.name) ILC__TRY(compile_kernel(b, engine, emitted));
    }
    ILC__TRY(ilc__call_source(method, dialect, b->options->checks, &source, names, &name_count));
    return compile(b, engine, names[0], source, names, name_count);
}

/* The engine is in the session's list, so that running out of memory below loses nothing. */
static ilc_status compile_all(building *b, const ilc__engine_options *options, ilc__dialect dialect)
{
    ilc_session *session = b->session;
    ilc_engine  *engine = ILC__NEW(&session->ctx.arena, ilc_engine);
    *engine = (ilc_engine){.session = session, .next = session->engines, .link = &session->engines};
    if (engine->next) engine->next->link = &engine->next;
    session->engines = engine;
    ilc_status status = ilc__engine_create(&session->ctx, options, &engine->rt);
    for (size_t i = 0; i < b->count && status == ILC_OK; i++) {
        ilc_method *method;
        status = closed_method(b, i, &method);
        if (status == ILC_OK) status = compile_method(b, engine->rt, dialect, method);
    }
    ilc_engine_destroy(engine);
    return status;
}

static ilc_status compile_for_cpu(building *b, const char *isa)
{
    const ilc_bundle_options *given = b->options;
    ilc__engine_options       options = {.kind = ILC__ENGINE_CPU, .compiler = given->cpu_compiler ? given->cpu_compiler : "auto",
                                         .optimise = given->optimise, .threads = 1, .cache_dir = given->cache_dir, .isa = isa,
                                         .compile_only = true};
    if (!ilc__isa_is_known(isa))
        return ilc__fail(&b->session->ctx, ILC_INVALID, NULL, "there is no level %s of this machine's instruction set", isa);
    return compile_all(b, &options, ILC__DIALECT_C);
}

static ilc_status compile_for_cuda(building *b, const char *arch)
{
    const ilc_bundle_options *given = b->options;
    ilc__engine_options       options = {.kind = ILC__ENGINE_CUDA, .compiler = given->cuda_compiler ? given->cuda_compiler : "auto",
                                         .cache_dir = given->cache_dir, .cuda_path = given->cuda_path, .arch = arch,
                                         .compile_only = true};
    return compile_all(b, &options, ILC__DIALECT_CUDA);
}

static ilc_status build(ilc_bundle_result *result, const char *path, ilc_assembly *assembly, ilc_method *const *methods,
                        size_t count, const ilc_bundle_options *given)
{
    ilc_session       *session = assembly->session;
    ilc_bundle_options options;
    ilc_bundle_options_init(&options);
    ILC__TRY(ilc__options_take(&session->ctx, &options, sizeof options, given, "bundle options"));
    building b = {.session = session, .given = assembly, .methods = methods, .count = count, .options = &options};
    ILC__TRY(choose_images(&b));
    uint32_t without = b.parts.count;
    for (size_t i = 0; i < options.isa_count; i++) ILC__TRY(compile_for_cpu(&b, options.isas[i]));
    for (size_t i = 0; i < options.arch_count; i++) ILC__TRY(compile_for_cuda(&b, options.archs[i]));
    const void *bytes;
    size_t      size;
    uint32_t    parts = b.parts.count;
    ilc__bundle_write(&session->scratch, b.parts.items, parts, &bytes, &size);
    ILC__TRY(ilc__file_write(&session->ctx, path, bytes, size, 0644));
    if (result) *result = (ilc_bundle_result){.images = b.images, .codes = parts - without, .size = size};
    return ILC_OK;
}

ilc_status ilc_bundle_build(ilc_bundle_result *result, const char *path, ilc_assembly *assembly, ilc_method *const *methods,
                            size_t count, const ilc_bundle_options *options)
{
    ILC__LAND(assembly->session, build(result, path, assembly, methods, count, options));
}
