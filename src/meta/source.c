/* source.c - the text of the source, for listings: from the debug information itself, or from the file that it names, which
 * must be the very one that was compiled. */
#include "base/sha256.h"
#include "meta/pdb.h"

enum { MAX_SOURCE = 16 << 20, MAX_LINES = 24 /* of one point */, MAX_WIDTH = 400 };
enum { CUSTOM_PARENT, CUSTOM_KIND, CUSTOM_VALUE, TAG_BITS = 5, TAG_DOCUMENT = 22 };

/* Portable PDB 1.0: embedded source; Document.HashAlgorithm SHA-256. As GUIDs lie in the heap. */
static const uint8_t embedded_source[16] = {0x1b, 0x57, 0x8a, 0x0e, 0x26, 0x69, 0x6e, 0x46, 0xb4, 0xad, 0x8a, 0xb0, 0x46, 0x11, 0xf5, 0xfe};
static const uint8_t hash_sha256[16] = {0x0f, 0xd0, 0x29, 0x88, 0xb8, 0x11, 0x13, 0x42, 0x87, 0x8b, 0x77, 0x0e, 0x85, 0x97, 0xac, 0x16};

typedef struct ilc__source {
    const char *text; /* NULL: not to be had */
    size_t      size;
    ILC__VEC(uint32_t) starts; /* of its lines */
} ilc__source;

/* --- in the debug information ----------------------------------------------------------------------------------- */

/* A number that is 0 for plain bytes, else the size of what deflate gives. */
static bool read_embedded(ilc__pdb *pdb, uint32_t document, const uint8_t **bytes, size_t *size)
{
    const ilc__metadata *md = &pdb->md;
    for (uint32_t row = 1; row <= md->tables[ILC__T_CUSTOMDEBUGINFORMATION].count; row++) {
        if (ilc__table_get(md, ILC__T_CUSTOMDEBUGINFORMATION, row, CUSTOM_PARENT) != (document << TAG_BITS | TAG_DOCUMENT)) continue;
        const uint8_t *kind = ilc__heap_guid(md, ilc__table_get(md, ILC__T_CUSTOMDEBUGINFORMATION, row, CUSTOM_KIND));
        ilc__reader    blob;
        uint32_t       declared;
        if (!kind || memcmp(kind, embedded_source, sizeof embedded_source) != 0) continue;
        if (!ilc__heap_blob(md, ilc__table_get(md, ILC__T_CUSTOMDEBUGINFORMATION, row, CUSTOM_VALUE), &blob)) return false;
        if (!ilc__read_u32(&blob, &declared)) return false;
        if (declared) return declared <= MAX_SOURCE && ilc__pdb_inflate(&pdb->image->set->arena, blob, declared, bytes, size);
        *bytes = blob.at;
        *size = ilc__left(&blob);
        return true;
    }
    return false;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static bool fits(ilc__pdb *pdb, uint32_t document, const uint8_t *bytes, size_t size)
{
    const ilc__metadata *md = &pdb->md;
    const uint8_t       *kind = ilc__heap_guid(md, ilc__table_get(md, ILC__T_DOCUMENT, document, ILC__DOCUMENT_HASH_KIND));
    uint8_t              hash[ILC__SHA256_SIZE];
    ilc__reader          wanted;
    if (!kind || memcmp(kind, hash_sha256, sizeof hash_sha256) != 0) return false;
    if (!ilc__heap_blob(md, ilc__table_get(md, ILC__T_DOCUMENT, document, ILC__DOCUMENT_HASH), &wanted)) return false;
    if (ilc__left(&wanted) != sizeof hash) return false;
    ilc__sha256(bytes, size, hash);
    return memcmp(wanted.at, hash, sizeof hash) == 0;
}

/* The room comes first: memory must not run out while the file is held. */
static bool read_file(ilc__pdb *pdb, uint32_t document, const char *path, const uint8_t **bytes, size_t *size)
{
    ilc__context *ctx = pdb->image->set->ctx;
    uint64_t      length;
    int64_t       used;
    ilc__file     file;
    if (!ilc__file_exists(path) || !ilc__file_stat(path, &length, &used) || length > MAX_SOURCE) return false;
    uint8_t *copy = ilc__arena_alloc(&pdb->image->set->arena, (size_t)length + 1);
    uint32_t diags = ctx->diags.count;
    if (ilc__file_map(ctx, path, &file) != ILC_OK) {
        ctx->diags.count = diags;
        return false;
    }
    *size = file.size < length ? file.size : (size_t)length;
    if (*size) memcpy(copy, file.bytes, *size);
    ilc__file_unmap(&file);
    *bytes = copy;
    return fits(pdb, document, copy, *size);
}

/* Where the compiler found it, or its name, with more and more of its path, in a folder that was given. */
static bool find_file(ilc__pdb *pdb, uint32_t document, const char *name, const uint8_t **bytes, size_t *size)
{
    ilc__set   *set = pdb->image->set;
    ilc__arena *arena = &set->arena;
    char       *path = ilc__arena_strdup(arena, name);
    if (read_file(pdb, document, path, bytes, size)) return true;
    for (char *at = path; *at; at++)
        if (*at == '\\') *at = '/';
    for (uint32_t i = 0; i < set->sources.count; i++)
        for (const char *at = path + strlen(path); at > path; at--)
            if ((at == path || at[-1] == '/') && *at &&
                read_file(pdb, document, ilc__arena_printf(arena, "%s/%s", set->sources.items[i], at), bytes, size))
                return true;
    return false;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static ilc__source *source_of(ilc__pdb *pdb, uint32_t document, const char *name)
{
    ilc__arena *arena = &pdb->image->set->arena;
    uint32_t    count = pdb->md.tables[ILC__T_DOCUMENT].count;
    if (document < 1 || document > count) return NULL;
    if (!pdb->sources) pdb->sources = ILC__NEW_ARRAY(arena, ilc__source *, (size_t)count + 1);
    if (pdb->sources[document]) return pdb->sources[document];
    ilc__source   *source = pdb->sources[document] = ILC__NEW(arena, ilc__source);
    const uint8_t *bytes;
    size_t         size;
    if (!read_embedded(pdb, document, &bytes, &size) && !find_file(pdb, document, name, &bytes, &size)) return source;
    bool mark = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0;
    source->text = (const char *)bytes + (mark ? 3 : 0);
    source->size = size - (mark ? 3 : 0);
    ILC__PUSH(arena, &source->starts, 0);
    for (size_t i = 0; i < source->size; i++)
        if (source->text[i] == '\n') ILC__PUSH(arena, &source->starts, (uint32_t)i + 1);
    return source;
}

/* Without its indentation up to `indent`, and without what ends it. */
static void put_line(ilc__text *out, const ilc__source *source, uint32_t line, size_t indent)
{
    const char *at = source->text + source->starts.items[line - 1], *end = source->text + source->size;
    for (size_t i = 0; i < indent && at < end && (*at == ' ' || *at == '\t'); i++) at++;
    size_t length = 0;
    while (at + length < end && at[length] != '\n' && length < MAX_WIDTH) length++;
    while (length && (at[length - 1] == ' ' || at[length - 1] == '\t' || at[length - 1] == '\r')) length--;
    for (size_t i = 0; i < length; i++) ilc__text_putc(out, (unsigned char)at[i] < 0x20 ? ' ' : at[i]);
}

static size_t indent_of(const ilc__source *source, uint32_t line)
{
    size_t start = source->starts.items[line - 1], at = start;
    while (at < source->size && (source->text[at] == ' ' || source->text[at] == '\t')) at++;
    return at - start;
}

static const char *file_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\') name = at + 1;
    return name;
}

void ilc__source_comment(ilc__text *out, const char *lead, const ilc__method *method, uint32_t il_offset, ilc__point *last)
{
    ilc__point point;
    if (!ilc__debug_point_at(method, il_offset, &point) || point.line == 0) return;
    if (last->line == point.line && last->document == point.document) return;
    *last = point;
    const ilc__source *source = point.document ? source_of(method->image->pdb, point.document_row, point.document) : NULL;
    const char        *name = point.document ? file_name(point.document) : "?";
    bool               known = source && source->text && point.line <= source->starts.count;
    size_t             indent = known ? indent_of(source, point.line) : 0;
    if (point.last_line < point.line) point.last_line = point.line; /* of hostile debug information */
    for (uint32_t line = point.line; line <= point.last_line && line - point.line < MAX_LINES; line++) {
        bool has_text = known && line <= source->starts.count;
        if (line > point.line && !has_text) break;
        ilc__text_printf(out, "%s %s:%u%s", lead, name, line, has_text ? ": " : "");
        if (has_text) put_line(out, source, line, indent);
        ilc__text_putc(out, '\n');
    }
}
