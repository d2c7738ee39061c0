/* pe.c - the PE file, its CLI header (ECMA-335 II.25) and where the metadata lies. PE32, PE32+, ReadyToRun
 * images of any machine: the IL is read, native code never is. */
#include "meta/image.h"

enum { MZ = 0x5A4D, PE = 0x00004550, PE32 = 0x10B, PE32_PLUS = 0x20B, LFANEW = 0x3C, RTR = 0x00525452 };
enum { DIRECTORY_DEBUG = 6, DIRECTORY_CLI = 14, COFF_SIZE = 20, SECTION_SIZE = 40, CLI_SIZE = 72 };

static ilc_status fail(const ilc__image *image, size_t byte, const char *what)
{
    ilc__where where = {.path = image->path, .has_byte = byte != 0, .byte = byte};
    return ilc__fail(image->set->ctx, ILC_FORMAT, &where, "%s", what);
}

static size_t position(const ilc__image *image, const ilc__reader *r)
{
    return (size_t)(r->at - image->bytes);
}

static ilc_status read_sections(ilc__image *image, ilc__reader *r, unsigned count)
{
    if (count > ILC__SECTIONS_MAX) return fail(image, position(image, r), "the file had too many sections");
    for (unsigned i = 0; i < count; i++) {
        ilc__reader   at = *r;
        ilc__section *s = &image->sections[i];
        if (!ilc__skip(&at, 8) || !ilc__read_u32(&at, &s->virtual_size) || !ilc__read_u32(&at, &s->va) ||
            !ilc__read_u32(&at, &s->raw_size) || !ilc__read_u32(&at, &s->raw) || !ilc__skip(r, SECTION_SIZE))
            return fail(image, position(image, r), "the section table was cut short");
        /* A file cut short keeps the part that is there. */
        if (s->raw > image->size) s->raw = (uint32_t)image->size;
        if (s->raw_size > image->size - s->raw) s->raw_size = (uint32_t)(image->size - s->raw);
        image->section_count++;
    }
    return ILC_OK;
}

static const ilc__section *section_of(const ilc__image *image, uint32_t rva)
{
    for (uint32_t i = 0; i < image->section_count; i++) {
        const ilc__section *s = &image->sections[i];
        uint32_t            extent = s->virtual_size > s->raw_size ? s->virtual_size : s->raw_size;
        if (rva >= s->va && rva - s->va < extent) return s;
    }
    return NULL;
}

bool ilc__pe_bytes(const ilc__image *image, uint32_t rva, ilc__reader *out)
{
    const ilc__section *s = section_of(image, rva);
    if (!s || rva - s->va >= s->raw_size) return false;
    *out = ilc__reader_of(image->bytes + s->raw + (rva - s->va), s->raw_size - (rva - s->va));
    return true;
}

/* Data may lie in the part of a section that is not in the file, where it is zero. */
bool ilc__pe_data(const ilc__image *image, uint32_t rva, size_t size, const uint8_t **out)
{
    enum { ZEROS_MAX = 1 << 20 };
    ilc__reader         r;
    const ilc__section *s = section_of(image, rva);
    if (ilc__pe_bytes(image, rva, &r) && ilc__left(&r) >= size) {
        *out = r.at;
        return true;
    }
    if (!s || s->virtual_size < size || rva - s->va > s->virtual_size - size || size > ZEROS_MAX)
        return false;
    uint8_t *copy = ilc__arena_alloc(&image->set->arena, size);
    if (ilc__pe_bytes(image, rva, &r)) memcpy(copy, r.at, ilc__left(&r) < size ? ilc__left(&r) : size);
    *out = copy;
    return true;
}

/* II.25.3.3 */
static ilc_status read_cli_header(ilc__image *image, uint32_t rva)
{
    enum { NATIVE_HEADER = 64 };
    ilc__reader r, at, data;
    uint32_t    size, metadata, metadata_size, native, signature;
    if (!ilc__pe_bytes(image, rva, &r) || ilc__left(&r) < CLI_SIZE)
        return fail(image, 0, "the CLI header lay outside the file");
    at = r;
    if (!ilc__read_u32(&at, &size) || !ilc__skip(&at, 4) || !ilc__read_u32(&at, &metadata) ||
        !ilc__read_u32(&at, &metadata_size))
        return fail(image, position(image, &r), "the CLI header was cut short");
    at = r;
    if (ilc__skip(&at, NATIVE_HEADER) && ilc__read_u32(&at, &native) && native &&
        ilc__pe_bytes(image, native, &data))
        image->r2r = ilc__read_u32(&data, &signature) && signature == RTR;
    if (!ilc__pe_bytes(image, metadata, &data) || ilc__left(&data) < metadata_size)
        return fail(image, position(image, &r), "the metadata lay outside the file");
    image->md = (ilc__metadata){.ctx = image->set->ctx,
                                .path = image->path,
                                .file = image->bytes,
                                .bytes = data.at,
                                .size = metadata_size};
    return ilc__metadata_open(&image->md, false);
}

static bool read_directory(ilc__reader r, unsigned number, uint32_t *rva, uint32_t *size)
{
    return ilc__skip(&r, (size_t)number * 8) && ilc__read_u32(&r, rva) && ilc__read_u32(&r, size);
}

ilc_status ilc__pe_open(ilc__image *image)
{
    ilc__reader r = ilc__reader_of(image->bytes, image->size), optional;
    uint16_t    mz, sections, optional_size, magic;
    uint32_t    lfanew, signature, directories, cli = 0, cli_size = 0;
    if (!ilc__read_u16(&r, &mz) || mz != MZ) return fail(image, 0, "not a .NET assembly");
    r = ilc__reader_of(image->bytes, image->size);
    if (!ilc__skip(&r, LFANEW) || !ilc__read_u32(&r, &lfanew))
        return fail(image, 0, "the file was cut short");
    r = ilc__reader_of(image->bytes, image->size);
    if (!ilc__skip(&r, lfanew) || !ilc__read_u32(&r, &signature))
        return fail(image, 0, "the file was cut short");
    if (signature != PE) return fail(image, 0, "not a .NET assembly");
    /* COFF header (II.25.2.2). The machine is not looked at: ReadyToRun images XOR it with an OS number. */
    if (!ilc__skip(&r, 2) || !ilc__read_u16(&r, &sections) || !ilc__skip(&r, 12) ||
        !ilc__read_u16(&r, &optional_size) || !ilc__skip(&r, 2))
        return fail(image, 0, "the file was cut short");
    optional = ilc__reader_of(r.at, optional_size < ilc__left(&r) ? optional_size : ilc__left(&r));
    ILC__TRY(ilc__skip(&r, optional_size)
                 ? read_sections(image, &r, sections)
                 : fail(image, position(image, &r), "the optional header was cut short"));
    if (!ilc__read_u16(&optional, &magic) || (magic != PE32 && magic != PE32_PLUS))
        return fail(image, position(image, &optional), "the optional header was not readable");
    if (!ilc__skip(&optional, magic == PE32 ? 90 : 106) || !ilc__read_u32(&optional, &directories))
        return fail(image, position(image, &optional), "the optional header was cut short");
    if (directories <= DIRECTORY_CLI || !read_directory(optional, DIRECTORY_CLI, &cli, &cli_size) || !cli ||
        !cli_size)
        return fail(image, 0, "not a .NET assembly (a native program or library)");
    read_directory(optional, DIRECTORY_DEBUG, &image->debug_rva, &image->debug_size);
    return read_cli_header(image, cli);
}
