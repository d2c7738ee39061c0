/* heaps.c - the metadata root, its streams, and the heaps #Strings, #Blob, #GUID and #US
 * (ECMA-335 II.24.2.1 to II.24.2.5). The tables stream is read in tables.c. */
#include "meta/tables.h"
#include "meta/image.h"

enum { SIGNATURE = 0x424A5342, VERSION_MAX = 255, STREAMS_MAX = 64, STREAM_NAME_MAX = 32 };

ilc_status ilc__metadata_fail(const ilc__metadata *md, const void *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *reason = ilc__arena_vprintf(&md->ctx->arena, format, args);
    va_end(args);
    ilc__where where = {.path = md->path};
    if (at) {
        where.has_byte = true;
        where.byte = (uint64_t)((const uint8_t *)at - md->file);
    }
    return ilc__fail(md->ctx, ILC_FORMAT, &where, "%s", reason);
}

static bool read_stream_name(ilc__reader *r, char name[STREAM_NAME_MAX + 1])
{
    for (unsigned i = 0; i <= STREAM_NAME_MAX; i++) {
        uint8_t c;
        if (!ilc__read_u8(r, &c)) return false;
        name[i] = (char)c;
        if (c == 0) return ilc__skip(r, (4 - (i + 1) % 4) % 4);
    }
    return false;
}

static ilc__heap_view *heap_of(ilc__metadata *md, const char *name, ilc__heap_view *tables)
{
    static const char uncompressed[] = "#-";
    if (strcmp(name, "#Strings") == 0) return &md->strings;
    if (strcmp(name, "#Blob") == 0) return &md->blob;
    if (strcmp(name, "#GUID") == 0) return &md->guid;
    if (strcmp(name, "#US") == 0) return &md->us;
    if (strcmp(name, "#Pdb") == 0) return &md->pdb;
    if (strcmp(name, uncompressed) == 0) md->uncompressed = true;
    return strcmp(name, "#~") == 0 || strcmp(name, uncompressed) == 0 ? tables : NULL;
}

static ilc_status read_streams(ilc__metadata *md, ilc__reader *r, unsigned count, ilc__heap_view *tables)
{
    if (count > STREAMS_MAX) return ilc__metadata_fail(md, r->at, "the metadata had %u streams", count);
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *at = r->at;
        uint32_t       offset, size;
        char           name[STREAM_NAME_MAX + 1];
        if (!ilc__read_u32(r, &offset) || !ilc__read_u32(r, &size) || !read_stream_name(r, name))
            return ilc__metadata_fail(md, at, "a metadata stream header was cut short");
        if (offset > md->size || size > md->size - offset)
            return ilc__metadata_fail(md, at, "a metadata stream lay outside the metadata");
        ilc__heap_view *heap = heap_of(md, name, tables);
        if (heap && !heap->bytes) *heap = (ilc__heap_view){md->bytes + offset, size};
    }
    /* So that every string inside ends inside. */
    while (md->strings.size && md->strings.bytes[md->strings.size - 1] != 0)
        md->strings.size--;
    return ILC_OK;
}

ilc_status ilc__metadata_open(ilc__metadata *md, bool quiet)
{
    ilc__reader r = ilc__reader_of(md->bytes, md->size);
    uint32_t    signature, version_length;
    uint16_t    streams;
    uint32_t    diags = md->ctx->diags.count;
    ilc_status  status;
    if (!ilc__read_u32(&r, &signature) || signature != SIGNATURE || !ilc__skip(&r, 8) ||
        !ilc__read_u32(&r, &version_length) || version_length > VERSION_MAX + 1 ||
        !ilc__skip(&r, (version_length + 3) & ~3u) || !ilc__skip(&r, 2) || !ilc__read_u16(&r, &streams)) {
        status = ilc__metadata_fail(md, md->bytes, "the metadata root was not readable");
    } else {
        ilc__heap_view tables = {0};
        status = read_streams(md, &r, streams, &tables);
        if (status == ILC_OK) status = ilc__tables_open(md, tables);
    }
    if (quiet) md->ctx->diags.count = diags;
    return status;
}

const char *ilc__heap_string(const ilc__metadata *md, uint32_t index)
{
    if (index >= md->strings.size) return index == 0 ? "" : NULL;
    const char *text = (const char *)md->strings.bytes + index;
    size_t      left = md->strings.size - index;
    if (left > ILC__NAME_MAX + 1) left = ILC__NAME_MAX + 1;
    return memchr(text, 0, left) ? text : NULL;
}

static bool counted_bytes(const ilc__heap_view *heap, uint32_t index, ilc__reader *out)
{
    if (index >= heap->size) {
        *out = ilc__reader_of((const uint8_t *)"", 0);
        return index == 0;
    }
    ilc__reader r = ilc__reader_of(heap->bytes + index, heap->size - index);
    uint32_t    size;
    if (!ilc__read_compressed(&r, &size) || size > ilc__left(&r)) return false;
    *out = ilc__reader_of(r.at, size);
    return true;
}

bool ilc__heap_blob(const ilc__metadata *md, uint32_t index, ilc__reader *out)
{
    return counted_bytes(&md->blob, index, out);
}

bool ilc__heap_user_string(const ilc__metadata *md, uint32_t index, ilc__reader *out)
{
    return counted_bytes(&md->us, index, out);
}

const uint8_t *ilc__heap_guid(const ilc__metadata *md, uint32_t index)
{
    if (index == 0 || index > md->guid.size / 16) return NULL;
    return md->guid.bytes + (size_t)(index - 1) * 16;
}
