/* pdb.c - debug information: portable PDB 1.0, beside the assembly or embedded in it; the names of locals by
 * scope, lines by sequence point. Broken or foreign debug information counts as absent. */
#include "meta/pdb.h"

#include <zlib.h>

enum {
    CODEVIEW = 2,
    EMBEDDED = 17,
    ENTRY_SIZE = 28,
    RSDS = 0x53445352,
    MPDB = 0x4244504D,
    PORTABLE = 0x504D
};
enum { ENTRIES_MAX = 64, INFLATED_MAX = 256 << 20, RATIO_MAX = 1100 /* deflate's best is 1,032 */ };
enum { SCOPE_METHOD, SCOPE_IMPORT, SCOPE_VARIABLES, SCOPE_CONSTANTS, SCOPE_START, SCOPE_LENGTH };
enum { VARIABLE_ATTRIBUTES, VARIABLE_INDEX, VARIABLE_NAME, VARIABLE_HIDDEN = 1, SLOTS_MAX = 0x10000 };
enum { INFO_DOCUMENT, INFO_POINTS };

typedef struct debug_entry {
    uint32_t    stamp, type;
    uint16_t    minor;
    ilc__reader data;
} debug_entry;

/* --- finding it ----------------------------------------------------------------------------------------- */

/* The PE debug directory; data by file position. */
static bool read_entry(const ilc__image *image, ilc__reader *r, debug_entry *out)
{
    ilc__reader at = *r;
    uint32_t    size = 0, position = 0;
    if (!ilc__skip(r, ENTRY_SIZE)) return false;
    ilc__skip(&at, 4);
    ilc__read_u32(&at, &out->stamp);
    ilc__skip(&at, 2);
    ilc__read_u16(&at, &out->minor);
    ilc__read_u32(&at, &out->type);
    ilc__read_u32(&at, &size);
    ilc__skip(&at, 4);
    ilc__read_u32(&at, &position);
    if (position > image->size || size > image->size - position) size = position = 0;
    out->data = ilc__reader_of(image->bytes + position, size);
    return true;
}

static bool find_entry(const ilc__image *image, uint32_t type, debug_entry *out)
{
    ilc__reader r;
    if (!image->debug_rva || !ilc__pe_bytes(image, image->debug_rva, &r)) return false;
    if (image->debug_size < ilc__left(&r)) r.end = r.at + image->debug_size;
    for (unsigned i = 0; i < ENTRIES_MAX && read_entry(image, &r, out); i++)
        if (out->type == type && (type != CODEVIEW || out->minor == PORTABLE)) return true;
    return false;
}

static void *zlib_alloc(void *arena, unsigned count, unsigned size)
{
    return ilc__arena_array(arena, count, size);
}

static void zlib_free(void *arena, void *bytes)
{
    (void)arena;
    (void)bytes;
}

bool ilc__pdb_inflate(ilc__arena *arena, ilc__reader data, uint32_t declared, const uint8_t **bytes, size_t *size)
{
    if (declared == 0 || declared > INFLATED_MAX || declared / RATIO_MAX > ilc__left(&data)) return false;
    uint8_t *out = ilc__arena_alloc(arena, declared);
    z_stream stream = {.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = arena};
    stream.next_in = (z_const Bytef *)(uintptr_t)data.at;
    stream.avail_in = (uInt)ilc__left(&data);
    stream.next_out = out;
    stream.avail_out = declared;
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
    int result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    *bytes = out;
    *size = declared;
    return result == Z_STREAM_END && stream.avail_out == 0;
}

/* "MPDB", size, raw deflate. */
static bool inflate_embedded(ilc__arena *arena, ilc__reader data, const uint8_t **bytes, size_t *size)
{
    uint32_t signature, declared;
    return ilc__read_u32(&data, &signature) && signature == MPDB && ilc__read_u32(&data, &declared) &&
           ilc__pdb_inflate(arena, data, declared, bytes, size);
}

static bool open_metadata(ilc__pdb *pdb, const char *path, const uint8_t *bytes, size_t size)
{
    pdb->md = (ilc__metadata){
        .ctx = pdb->image->set->ctx, .path = path, .file = bytes, .bytes = bytes, .size = size};
    return ilc__metadata_open(&pdb->md, true) == ILC_OK && pdb->md.pdb.bytes;
}

/* The first 20 bytes of #Pdb are the id: the CodeView entry's GUID, then its time stamp. */
static bool matches(const ilc__pdb *pdb, const debug_entry *codeview)
{
    ilc__reader r = codeview->data, id = ilc__reader_of(pdb->md.pdb.bytes, pdb->md.pdb.size);
    uint32_t    signature, stamp;
    if (!ilc__read_u32(&r, &signature) || signature != RSDS || ilc__left(&r) < 16 || ilc__left(&id) < 20)
        return false;
    if (memcmp(r.at, id.at, 16) != 0) return false;
    ilc__skip(&id, 16);
    return ilc__read_u32(&id, &stamp) && stamp == codeview->stamp;
}

static bool open_given(ilc__pdb *pdb)
{
    ilc__image *image = pdb->image;
    debug_entry codeview;
    if (!image->given_pdb || !open_metadata(pdb, image->path, image->given_pdb, image->given_pdb_size))
        return false;
    return !find_entry(image, CODEVIEW, &codeview) || matches(pdb, &codeview);
}

static bool open_embedded(ilc__pdb *pdb)
{
    debug_entry    entry;
    const uint8_t *bytes;
    size_t         size;
    return find_entry(pdb->image, EMBEDDED, &entry) &&
           inflate_embedded(&pdb->image->set->arena, entry.data, &bytes, &size) &&
           open_metadata(pdb, pdb->image->path, bytes, size);
}

static bool open_side_file(ilc__pdb *pdb, const char *path, const debug_entry *codeview)
{
    ilc__context *ctx = pdb->image->set->ctx;
    uint32_t      diags = ctx->diags.count;
    if (!ilc__file_exists(path)) return false;
    if (ilc__file_map(ctx, path, &pdb->file) != ILC_OK) {
        ctx->diags.count = diags;
        return false;
    }
    if (open_metadata(pdb, path, pdb->file.bytes, pdb->file.size) && matches(pdb, codeview)) return true;
    ilc__file_unmap(&pdb->file);
    pdb->file = (ilc__file){0};
    return false;
}

/* Beside the assembly, under its own name or under the one that the compiler wrote down. */
static bool open_beside(ilc__pdb *pdb)
{
    ilc__image *image = pdb->image;
    ilc__arena *arena = &image->set->arena;
    debug_entry codeview;
    if (!image->directory || !find_entry(image, CODEVIEW, &codeview)) return false;
    const char *dot = strrchr(image->path, '.');
    size_t      stem = dot && !strpbrk(dot, "/\\") ? (size_t)(dot - image->path) : strlen(image->path);
    if (open_side_file(pdb, ilc__arena_printf(arena, "%.*s.pdb", (int)stem, image->path), &codeview))
        return true;
    ilc__reader r = codeview.data;
    if (!ilc__skip(&r, 24)) return false;
    const char *name = ilc__arena_strndup(arena, (const char *)r.at, ilc__left(&r));
    for (const char *at = name; *at; at++)
        if (*at == '/' || *at == '\\') name = at + 1;
    return *name && open_side_file(pdb, ilc__arena_printf(arena, "%s/%s", image->directory, name), &codeview);
}

ilc__pdb *ilc__pdb_of(ilc__image *image)
{
    if (image->pdb_sought) return image->pdb;
    image->pdb_sought = true;
    ilc__pdb *pdb = ILC__NEW(&image->set->arena, ilc__pdb);
    pdb->image = image;
    if (open_given(pdb) || open_embedded(pdb) || open_beside(pdb)) image->pdb = pdb;
    return image->pdb;
}

void ilc__pdb_close(ilc__image *image)
{
    if (image->pdb && image->pdb->file.bytes) ilc__file_unmap(&image->pdb->file);
    image->pdb = NULL;
}

bool ilc__debug_available(ilc__image *image)
{
    return ilc__pdb_of(image) != NULL;
}

/* --- locals --------------------------------------------------------------------------------------------- */

/* Compilers mark what they made with characters that no source name has: "CS$<>8__locals0", "i@12-1". */
static bool is_source_name(const char *name)
{
    return name && *name && !strpbrk(name, "<>$@");
}

static const char *name_in_scope(const ilc__pdb *pdb, uint32_t scope, uint32_t slot, bool *found)
{
    const ilc__metadata *md = &pdb->md;
    uint32_t             first, count;
    ilc__table_list(md, ILC__T_LOCALSCOPE, scope, SCOPE_VARIABLES, ILC__T_LOCALVARIABLE, &first, &count);
    if (count > SLOTS_MAX) count = SLOTS_MAX;
    for (uint32_t row = first; row < first + count; row++) {
        if (ilc__table_get(md, ILC__T_LOCALVARIABLE, row, VARIABLE_INDEX) != slot) continue;
        *found = true;
        if (ilc__table_get(md, ILC__T_LOCALVARIABLE, row, VARIABLE_ATTRIBUTES) & VARIABLE_HIDDEN) return NULL;
        const char *name = ilc__heap_string(md, ilc__table_get(md, ILC__T_LOCALVARIABLE, row, VARIABLE_NAME));
        return is_source_name(name) ? name : NULL;
    }
    return NULL;
}

/* LocalScope rows by method (they are sorted by it, but nothing relies on that). */
static void index_scopes(ilc__pdb *pdb, uint32_t methods)
{
    ilc__arena *arena = &pdb->image->set->arena;
    uint32_t    rows = pdb->md.tables[ILC__T_LOCALSCOPE].count;
    pdb->scopes.next = ILC__NEW_ARRAY(arena, uint32_t, (size_t)rows + 1);
    pdb->scopes.first = ILC__NEW_ARRAY(arena, uint32_t, (size_t)methods + 1);
    for (uint32_t row = rows; row >= 1; row--) {
        uint32_t method = ilc__table_get(&pdb->md, ILC__T_LOCALSCOPE, row, SCOPE_METHOD);
        if (method < 1 || method > methods) continue;
        pdb->scopes.next[row] = pdb->scopes.first[method];
        pdb->scopes.first[method] = row;
    }
}

const char *ilc__debug_local(const ilc__method *method, uint32_t slot, uint32_t il_offset)
{
    ilc__pdb   *pdb = ilc__pdb_of(method->image);
    const char *name = NULL;
    uint32_t    smallest = UINT32_MAX;
    if (!pdb) return NULL;
    if (!pdb->scopes.first) index_scopes(pdb, method->image->md.tables[ILC__T_METHODDEF].count);
    for (uint32_t row = pdb->scopes.first[method->row]; row; row = pdb->scopes.next[row]) {
        uint32_t start = ilc__table_get(&pdb->md, ILC__T_LOCALSCOPE, row, SCOPE_START);
        uint32_t length = ilc__table_get(&pdb->md, ILC__T_LOCALSCOPE, row, SCOPE_LENGTH);
        bool     inside = il_offset >= start && il_offset - start < length, found = false;
        if ((!inside && il_offset != ILC__ANY_OFFSET) || length > smallest) continue;
        const char *here = name_in_scope(pdb, row, slot, &found);
        if (!found) continue;
        name = here;
        if (il_offset == ILC__ANY_OFFSET) break;
        smallest = length;
    }
    return name;
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static bool read_signed(ilc__reader *r, int32_t *out)
{
    const uint8_t *at = r->at;
    uint32_t       value;
    if (!ilc__read_compressed(r, &value)) return false;
    /* II.23.2: the sign bit is rotated to the lowest bit; the width is that of the encoding. */
    unsigned bits = r->at - at == 1 ? 6 : r->at - at == 2 ? 13 : 28;
    *out = (int32_t)(value >> 1) - (value & 1 ? (int32_t)(1u << bits) : 0);
    return true;
}

/* One record of the sequence points blob (portable PDB 1.0). */
typedef struct point_reader {
    ilc__reader r;
    uint32_t    il, line, lines, column, document; /* lines: how many the point spans beyond its first */
    bool        first, seen_line;
} point_reader;

typedef enum record { RECORD_END, RECORD_DOCUMENT, RECORD_HIDDEN, RECORD_POINT } record;

static record read_record(point_reader *p)
{
    uint32_t delta_il, lines, columns;
    int32_t  delta, delta_column, ignored;
    if (!ilc__read_compressed(&p->r, &delta_il)) return RECORD_END;
    if (delta_il == 0 && !p->first)
        return ilc__read_compressed(&p->r, &p->document) ? RECORD_DOCUMENT : RECORD_END;
    if (delta_il > UINT32_MAX - p->il) return RECORD_END; /* offsets ascend: they are searched */
    p->il += delta_il;
    p->first = false;
    if (!ilc__read_compressed(&p->r, &lines)) return RECORD_END;
    if (lines == 0) {
        if (!ilc__read_compressed(&p->r, &columns)) return RECORD_END;
        if (columns == 0) return RECORD_HIDDEN;
    } else if (!read_signed(&p->r, &ignored)) {
        return RECORD_END;
    }
    p->lines = lines;
    if (!p->seen_line) {
        if (!ilc__read_compressed(&p->r, &p->line) || !ilc__read_compressed(&p->r, &p->column))
            return RECORD_END;
        p->seen_line = true;
        return RECORD_POINT;
    }
    if (!read_signed(&p->r, &delta) || !read_signed(&p->r, &delta_column)) return RECORD_END;
    p->line += (uint32_t)delta;
    p->column += (uint32_t)delta_column;
    return RECORD_POINT;
}

static ilc__points *read_points(ilc__pdb *pdb, uint32_t row)
{
    const ilc__metadata *md = &pdb->md;
    ilc__arena          *arena = &pdb->image->set->arena;
    ilc__points         *out = ILC__NEW(arena, ilc__points);
    point_reader         p = {.first = true};
    uint32_t             ignored;
    ILC__VEC(ilc__pdb_point) list = {0};
    p.document = ilc__table_get(md, ILC__T_METHODDEBUGINFORMATION, row, INFO_DOCUMENT);
    bool readable =
        ilc__heap_blob(md, ilc__table_get(md, ILC__T_METHODDEBUGINFORMATION, row, INFO_POINTS), &p.r) &&
        ilc__read_compressed(&p.r, &ignored) && (p.document || ilc__read_compressed(&p.r, &p.document));
    record kind;
    while (readable && (kind = read_record(&p)) != RECORD_END)
        if (kind == RECORD_POINT) ILC__PUSH(arena, &list, (ilc__pdb_point){p.il, p.line, p.line + p.lines, p.column, p.document});
    *out = (ilc__points){list.count, list.items};
    return out;
}

/* A document's name: a separator, then blob indices of the parts between. */
static const char *read_document(ilc__pdb *pdb, uint32_t row)
{
    enum { PATH_MAX_BYTES = 4096 };
    const ilc__metadata *md = &pdb->md;
    ilc__text            text = {.arena = &pdb->image->set->arena};
    ilc__reader          blob, part;
    uint8_t              separator;
    uint32_t             index;
    if (!ilc__heap_blob(md, ilc__table_get(md, ILC__T_DOCUMENT, row, ILC__DOCUMENT_NAME), &blob)) return "";
    if (!ilc__read_u8(&blob, &separator)) return "";
    for (bool first = true; ilc__read_compressed(&blob, &index); first = false) {
        if (!first && separator) ilc__text_putc(&text, (char)separator);
        if (!ilc__heap_blob(md, index, &part)) break;
        ilc__text_add(&text, (const char *)part.at, ilc__left(&part));
        if (text.length > PATH_MAX_BYTES) break;
    }
    return ilc__text_string(&text);
}

static const char *document_of(ilc__pdb *pdb, uint32_t row)
{
    uint32_t count = pdb->md.tables[ILC__T_DOCUMENT].count;
    if (row < 1 || row > count) return NULL;
    if (!pdb->documents)
        pdb->documents = ILC__NEW_ARRAY(&pdb->image->set->arena, const char *, (size_t)count + 1);
    if (!pdb->documents[row]) pdb->documents[row] = read_document(pdb, row);
    return pdb->documents[row];
}

static const ilc__points *points_of(ilc__pdb *pdb, uint32_t row)
{
    uint32_t count = pdb->md.tables[ILC__T_METHODDEBUGINFORMATION].count;
    if (row < 1 || row > count) return NULL;
    if (!pdb->points) pdb->points = ILC__NEW_ARRAY(&pdb->image->set->arena, ilc__points *, (size_t)count + 1);
    if (!pdb->points[row]) pdb->points[row] = read_points(pdb, row);
    return pdb->points[row];
}

static const ilc__points *points_of_method(const ilc__method *method)
{
    ilc__pdb *pdb = ilc__pdb_of(method->image);
    return pdb ? points_of(pdb, method->row) : NULL;
}

bool ilc__debug_point(const ilc__method *method, uint32_t number, ilc__point *out)
{
    const ilc__points *all = points_of_method(method);
    if (!all || number >= all->count) return false;
    const ilc__pdb_point *p = &all->items[number];
    *out = (ilc__point){.il = p->il,
                        .end = number + 1 < all->count ? p[1].il : UINT32_MAX,
                        .line = p->line,
                        .last_line = p->last_line,
                        .column = p->column,
                        .document = document_of(method->image->pdb, p->document),
                        .document_row = p->document};
    return true;
}

bool ilc__debug_point_at(const ilc__method *method, uint32_t il_offset, ilc__point *out)
{
    const ilc__points *all = points_of_method(method);
    uint32_t      low = 0, high = all ? all->count : 0; /* points before low lie at or before il_offset */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (all->items[middle].il <= il_offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low && ilc__debug_point(method, il_offset == ILC__ANY_OFFSET ? 0 : low - 1, out);
}

uint32_t ilc__debug_line(const ilc__method *method, uint32_t il_offset, const char **document)
{
    ilc__point found = {0};
    (void)ilc__debug_point_at(method, il_offset, &found);
    if (document) *document = found.document;
    return found.line;
}
