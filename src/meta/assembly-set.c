/* assembly-set.c - the images that resolve against each other: opening, references by assembly name, types by
 * name through forwarding (ECMA-335 II.22.5, II.22.14). */
#include "meta/image.h"
#include "meta/pdb.h"

enum { ASSEMBLY_NAME = 7, ASSEMBLYREF_NAME = 6, EXPORTED_WHERE = 4, MODULE_NAME = 1, PATH_SIZE_MAX = 4096 };

ilc__set *ilc__set_create(ilc__context *ctx)
{
    ilc__set *set = ILC__NEW(&ctx->arena, ilc__set);
    set->ctx = ctx;
    ilc__arena_init(&set->arena, &ctx->heap);
    set->types.arena = set->instances.arena = set->missing.arena = &set->arena;
    set->by_path.arena = set->by_name.arena = set->uses.arena = set->forms.arena = &set->arena;
    return set;
}

void ilc__set_destroy(ilc__set *set)
{
    if (!set) return;
    for (uint32_t i = 0; i < set->images.count; i++) {
        ilc__image *image = set->images.items[i];
        ilc__pdb_close(image);
        if (image->file.bytes) ilc__file_unmap(&image->file);
    }
    set->images.count = 0;
    ilc__arena_free(&set->arena);
}

ilc__context *ilc__set_context(ilc__set *set)
{
    return set->ctx;
}

void ilc__set_add_directory(ilc__set *set, const char *directory)
{
    ILC__PUSH(&set->arena, &set->directories, ilc__arena_strdup(&set->arena, directory));
}

void ilc__set_add_sources(ilc__set *set, const char *directory)
{
    ILC__PUSH(&set->arena, &set->sources, ilc__arena_strdup(&set->arena, directory));
}

void ilc__set_close(ilc__set *set)
{
    set->framework_sought = true;
}

ilc__image *ilc__set_image(const ilc__set *set, uint32_t number)
{
    return number < set->images.count ? set->images.items[number] : NULL;
}

/* --- opening -------------------------------------------------------------------------------------------- */

static ilc__image *add_image(ilc__set *set, const char *path)
{
    ilc__image *image = ILC__NEW(&set->arena, ilc__image);
    image->set = set;
    image->path = ilc__arena_strdup(&set->arena, path);
    image->name = "";
    ILC__PUSH(&set->arena, &set->images, image);
    return image;
}

static ilc_status open_bytes(ilc__image *image)
{
    ilc__set            *set = image->set;
    const ilc__metadata *md = &image->md;
    ILC__TRY(ilc__pe_open(image));
    bool     assembly = md->tables[ILC__T_ASSEMBLY].count != 0;
    uint32_t index = assembly ? ilc__table_get(md, ILC__T_ASSEMBLY, 1, ASSEMBLY_NAME)
                              : ilc__table_get(md, ILC__T_MODULE, 1, MODULE_NAME);
    image->name = ilc__heap_string(md, index);
    if (!image->name)
        return ilc__row_fail(md, assembly ? ILC__T_ASSEMBLY : ILC__T_MODULE, 1, "its name was not readable");
    image->is_core = md->tables[ILC__T_ASSEMBLYREF].count == 0;
    size_t size = strlen(image->name);
    if (!ilc__map_get(&set->by_name, image->name, size))
        ilc__map_put(&set->by_name, image->name, size, image);
    return ILC_OK;
}

static const char *directory_of(ilc__arena *arena, const char *path)
{
    const char *slash = NULL;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\') slash = at;
    return slash ? ilc__arena_strndup(arena, path, (size_t)(slash - path)) : ".";
}

ilc_status ilc__set_open(ilc__set *set, const char *path, ilc__image **out)
{
    if ((*out = ilc__map_get(&set->by_path, path, strlen(path)))) return ILC_OK;
    ilc__image *image = add_image(set, path);
    image->directory = directory_of(&set->arena, path);
    ILC__TRY(ilc__file_map(set->ctx, path, &image->file));
    image->bytes = image->file.bytes;
    image->size = image->file.size;
    ilc_status status = open_bytes(image);
    if (status != ILC_OK) {
        ilc__file_unmap(&image->file);
        image->file = (ilc__file){0};
        return status;
    }
    ilc__map_put(&set->by_path, path, strlen(path), image);
    *out = image;
    return ILC_OK;
}

ilc_status ilc__set_open_memory(ilc__set *set, const char *name, const uint8_t *bytes, size_t size,
                                const uint8_t *pdb, size_t pdb_size, ilc__image **out)
{
    ilc__image *image = add_image(set, name);
    *out = image;
    image->bytes = bytes;
    image->size = size;
    image->given_pdb = pdb;
    image->given_pdb_size = pdb_size;
    return open_bytes(image);
}

const char *ilc__image_path(const ilc__image *image)
{
    return image->path;
}

const char *ilc__image_name(const ilc__image *image)
{
    return image->name;
}

const uint8_t *ilc__image_bytes(const ilc__image *image, size_t *size)
{
    *size = image->size;
    return image->bytes;
}

const uint8_t *ilc__image_pdb_bytes(ilc__image *image, size_t *size)
{
    *size = 0;
    if (!ilc__debug_available(image)) return NULL;
    *size = image->given_pdb ? image->given_pdb_size : image->pdb->file.size;
    return image->given_pdb ? image->given_pdb : image->pdb->file.bytes;
}

bool ilc__image_is_r2r(const ilc__image *image)
{
    return image->r2r;
}

bool ilc__image_is_framework(const ilc__image *image)
{
    static const char *const names[] = {"System",
                                        "mscorlib",
                                        "netstandard",
                                        "WindowsBase",
                                        "Microsoft.VisualBasic",
                                        "Microsoft.VisualBasic.Core",
                                        "Microsoft.CSharp"};
    if (strncmp(image->name, "System.", 7) == 0 || strncmp(image->name, "Microsoft.Win32.", 16) == 0) return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(image->name, names[i]) == 0) return true;
    return false;
}

/* --- an installed .NET ---------------------------------------------------------------------------------- */

typedef struct newest {
    char     name[64];
    uint32_t parts[3];
    bool     release, found;
} newest;

static bool is_newer(const newest *a, const newest *b)
{
    if (!b->found) return true;
    for (int i = 0; i < 3; i++)
        if (a->parts[i] != b->parts[i]) return a->parts[i] > b->parts[i];
    return a->release && !b->release;
}

/* "10.0.12", "11.0.0-preview.3" */
static void visit_version(void *user, const char *name)
{
    newest     *best = user, candidate = {.found = true};
    const char *at = name;
    if (strlen(name) >= sizeof candidate.name) return;
    for (int i = 0; i < 3; i++) {
        if (*at < '0' || *at > '9') return;
        while (*at >= '0' && *at <= '9')
            candidate.parts[i] = candidate.parts[i] * 10 + (uint32_t)(*at++ - '0');
        if (i < 2 && *at++ != '.') return;
    }
    candidate.release = *at == 0;
    memcpy(candidate.name, name, strlen(name) + 1);
    if (is_newer(&candidate, best)) *best = candidate;
}

static const char *framework_in(ilc__set *set, const char *root)
{
    newest best = {0};
    if (!root || strlen(root) > PATH_SIZE_MAX) return NULL;
    const char *shared = ilc__arena_printf(&set->arena, "%s/shared/Microsoft.NETCore.App", root);
    if (!ilc__directory_each(&set->arena, shared, visit_version, &best) || !best.found) return NULL;
    return ilc__arena_printf(&set->arena, "%s/%s", shared, best.name);
}

const char *ilc__set_framework(ilc__set *set)
{
    if (set->framework_sought) return set->framework;
    set->framework_sought = true;
    const char *const roots[] = {ilc__environment("DOTNET_ROOT"), "/usr/share/dotnet", "/usr/lib/dotnet",
                                 "/usr/local/share/dotnet", "C:/Program Files/dotnet"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots && !set->framework; i++)
        set->framework = framework_in(set, roots[i]);
    return set->framework;
}

/* --- references ----------------------------------------------------------------------------------------- */

static ilc__image *open_in(ilc__set *set, const char *directory, const char *name)
{
    static const char *const extensions[] = {"dll", "exe"};
    if (!directory) return NULL;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        ilc__image *image;
        const char *path = ilc__arena_printf(&set->arena, "%s/%s.%s", directory, name, extensions[i]);
        uint32_t    diags = set->ctx->diags.count;
        if (!ilc__file_exists(path)) continue;
        if (ilc__set_open(set, path, &image) == ILC_OK && strcmp(image->name, name) == 0) return image;
        set->ctx->diags.count = diags; /* a reference that cannot be read counts as not found */
    }
    return NULL;
}

static ilc__image *find_reference(ilc__image *image, const char *name)
{
    ilc__set *set = image->set;
    /* The name becomes part of a path. */
    if (!*name || strpbrk(name, "/\\:") || *name == '.') return NULL;
    ilc__image *found = ilc__map_get(&set->by_name, name, strlen(name));
    if (!found) found = open_in(set, image->directory, name);
    for (uint32_t i = 0; !found && i < set->directories.count; i++)
        found = open_in(set, set->directories.items[i], name);
    return found ? found : open_in(set, ilc__set_framework(set), name);
}

ilc__image *ilc__set_reference(ilc__image *image, uint32_t row)
{
    const ilc__metadata *md = &image->md;
    if (!ilc__row_exists(md, ILC__T_ASSEMBLYREF, row)) return NULL;
    if (!image->references)
        image->references = ILC__NEW_ARRAY(&image->set->arena, ilc__image *,
                                           (size_t)md->tables[ILC__T_ASSEMBLYREF].count + 1);
    ilc__image **slot = &image->references[row];
    if (!*slot) {
        const char *name =
            ilc__heap_string(md, ilc__table_get(md, ILC__T_ASSEMBLYREF, row, ASSEMBLYREF_NAME));
        *slot = name ? find_reference(image, name) : NULL;
        if (!*slot) *slot = image;
    }
    return *slot == image ? NULL : *slot;
}

const ilc__typedef *ilc__set_find_type(ilc__image *image, const char *ns, const char *name)
{
    const ilc__typedef *def;
    for (unsigned i = 0; image && i < ILC__FORWARDS_MAX; i++) {
        uint32_t token = ilc__name_find(image, ns, name, 0), row = token & 0xFFFFFF;
        uint32_t diags = image->set->ctx->diags.count;
        if (token >> 24 == ILC__T_TYPEDEF) {
            if (ilc__image_typedef(image, row, &def) == ILC_OK) return def;
            image->set->ctx->diags.count = diags;
            return NULL;
        }
        if (!token) return NULL;
        uint32_t where =
            ilc__table_token(&image->md, ILC__T_EXPORTEDTYPE, row, EXPORTED_WHERE, ILC__CODED_IMPLEMENTATION);
        image = ilc__set_reference(image, where & 0xFFFFFF);
    }
    return NULL;
}
