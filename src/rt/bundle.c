/* bundle.c - the file of a bundle: read, with every field checked, and written (bundle.h). */
#include "rt/bundle.h"

#include <stdlib.h>

#include "base/reader.h"
#include "ilcuda/session.h"
#include "rt/cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    FORMAT = 1,
    HEADER = 64,
    ROW = 24,
    ALIGNMENT = 16,
    VERSION_SIZE = 16,
    VERSION_AT = 24,
    HASH_AT = 40,
    HASH_SIZE = 16,
    PARTS_MAX = 1 << 20,
    NAME_MAX_BYTES = 255,
    MAKER_MAX = 200,
    CODE_NAME = 32
};
static const char magic[] = "ilcuda-b";

static void hash_of(const uint8_t *bytes, size_t size, uint8_t out[HASH_SIZE])
{
    XXH3_state_t       state;
    XXH128_canonical_t canonical;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, bytes, HASH_AT);
    XXH3_128bits_update(&state, bytes + HASH_AT + HASH_SIZE, size - HASH_AT - HASH_SIZE);
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
    memcpy(out, canonical.digest, HASH_SIZE);
}

void ilc__bundle_seal(void *bytes, size_t size)
{
    uint8_t hash[HASH_SIZE];
    hash_of(bytes, size, hash);
    memcpy((uint8_t *)bytes + HASH_AT, hash, sizeof hash);
}

static uint64_t rounded(uint64_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* --- reading ---------------------------------------------------------------------------------------------------- */

typedef struct opening {
    ilc__context  *ctx;
    ilc__arena    *arena;
    const char    *path;
    const uint8_t *bytes;
    size_t         size;
    uint64_t       at; /* where the next part must begin */
} opening;

static ilc_status wrong(const opening *o, uint64_t byte, const char *what)
{
    ilc__where where = {.path = o->path, .byte = byte, .has_byte = true};
    return ilc__fail(o->ctx, ILC_FORMAT, &where, "%s", what);
}

static ilc_status check_version(const opening *o)
{
    const char *text = (const char *)o->bytes + VERSION_AT;
    char        own[VERSION_SIZE] = ILC_VERSION;
    if (memcmp(text, own, sizeof own) == 0) return ILC_OK;
    bool is_text = text[VERSION_SIZE - 1] == 0 && *text;
    for (int i = 0; is_text && text[i]; i++) is_text = text[i] > ' ' && text[i] < 0x7f;
    if (!is_text) return wrong(o, VERSION_AT, "the bundle's version of ilcuda was not readable");
    ilc__where where = {.path = o->path};
    return ilc__fail(o->ctx, ILC_FORMAT, &where, "the bundle was made by ilcuda %s, this is %s: build it again", text, ILC_VERSION);
}

static ilc_status check_header(const opening *o, uint32_t *count)
{
    uint32_t    format = 0;
    uint64_t    length = 0, zero = 0;
    uint8_t     hash[HASH_SIZE];
    ilc__reader r = ilc__reader_of(o->bytes, o->size);
    ilc__where  where = {.path = o->path};
    if (o->size < HEADER || memcmp(o->bytes, magic, sizeof magic - 1) != 0)
        return ilc__fail(o->ctx, ILC_FORMAT, &where, "the file is no bundle of ilcuda");
    (void)ilc__skip(&r, sizeof magic - 1);
    (void)(ilc__read_u32(&r, &format) && ilc__read_u32(&r, count) && ilc__read_uint(&r, 8, &length));
    if (format != FORMAT) return wrong(o, 8, "the bundle is of a version of the format that is not known");
    ILC__TRY(check_version(o));
    if (length != o->size) return wrong(o, 16, "the bundle is not as long as it says");
    hash_of(o->bytes, o->size, hash);
    if (memcmp(hash, o->bytes + HASH_AT, sizeof hash) != 0) return wrong(o, HASH_AT, "the bundle is damaged: its hash is another one");
    r = ilc__reader_of(o->bytes + HASH_AT + HASH_SIZE, 8);
    (void)ilc__read_uint(&r, 8, &zero);
    if (zero) return wrong(o, HASH_AT + HASH_SIZE, "the bundle's header has a field that is not known");
    if (*count > PARTS_MAX || (o->size - HEADER) / ROW < *count) return wrong(o, 12, "the bundle has more parts than there is room for");
    return ILC_OK;
}

static bool are_zeros(const opening *o, uint64_t from, uint64_t to)
{
    for (; from < to; from++)
        if (o->bytes[from]) return false;
    return true;
}

static bool is_hash(const char *name)
{
    return strlen(name) == CODE_NAME && strspn(name, "0123456789abcdef") == CODE_NAME;
}

/* Names stand in messages and are looked up; those of assemblies are no paths. */
static bool is_good_name(const ilc__part *part, uint32_t length)
{
    if (strlen(part->name) != length || strpbrk(part->name, "/\\:")) return false;
    for (const char *at = part->name; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f) return false;
    return part->kind != ILC__PART_CODE || is_hash(part->name);
}

static bool take_maker(const opening *o, ilc__part *part)
{
    size_t         most = part->size < MAKER_MAX ? part->size : MAKER_MAX;
    const uint8_t *end = most ? memchr(part->bytes, '\n', most) : NULL;
    if (!end) return false;
    size_t length = (size_t)(end - part->bytes);
    for (size_t i = 0; i < length; i++)
        if (part->bytes[i] < ' ' || part->bytes[i] == 0x7f) return false;
    part->maker = ilc__arena_strndup(o->arena, (const char *)part->bytes, length);
    part->bytes += length + 1;
    part->size -= length + 1;
    return true;
}

static ilc_status read_part(opening *o, uint32_t number, ilc__part *part)
{
    uint64_t    row = HEADER + (uint64_t)number * ROW, size = 0, at = 0;
    uint32_t    kind = 0, name_length = 0;
    ilc__reader r = ilc__reader_of(o->bytes + row, ROW);
    (void)(ilc__read_u32(&r, &kind) && ilc__read_u32(&r, &name_length) && ilc__read_uint(&r, 8, &size) && ilc__read_uint(&r, 8, &at));
    if (kind < ILC__PART_ASSEMBLY || kind > ILC__PART_CODE) return wrong(o, row, "a part of the bundle is of a kind that is not known");
    if (name_length < 1 || name_length > NAME_MAX_BYTES) return wrong(o, row + 4, "a part's name is too long, or none");
    if (at != o->at) return wrong(o, row + 16, "a part of the bundle does not begin where the one before it ends");
    uint64_t content = rounded(at + name_length);
    if (content > o->size || size > o->size - content || rounded(content + size) > o->size)
        return wrong(o, row + 8, "a part of the bundle ends past the file's end");
    if (!are_zeros(o, at + name_length, content) || !are_zeros(o, content + size, rounded(content + size)))
        return wrong(o, at, "a part of the bundle has something behind it");
    *part = (ilc__part){.kind = (ilc__part_kind)kind,
                        .name = ilc__arena_strndup(o->arena, (const char *)o->bytes + at, name_length),
                        .bytes = o->bytes + content,
                        .size = (size_t)size};
    if (!is_good_name(part, name_length)) return wrong(o, at, "a part's name is not readable");
    if (part->kind == ILC__PART_CODE && !take_maker(o, part)) return wrong(o, content, "code of the bundle does not say who compiled it");
    o->at = rounded(content + size);
    return ILC_OK;
}

static int by_kind_and_name(const void *a, const void *b)
{
    const ilc__part *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return strcmp(x->name, y->name);
}

ilc_status ilc__bundle_read(ilc__context *ctx, ilc__arena *arena, const char *path, const void *bytes, size_t size,
                            ilc__bundle *out)
{
    opening  o = {.ctx = ctx, .arena = arena, .path = path, .bytes = bytes, .size = size};
    uint32_t count = 0, assemblies = 0;
    ILC__TRY(check_header(&o, &count));
    o.at = rounded(HEADER + (uint64_t)count * ROW);
    if (o.at > size || !are_zeros(&o, HEADER + (uint64_t)count * ROW, o.at)) return wrong(&o, 12, "the bundle's table is cut short");
    *out = (ilc__bundle){.count = count, .parts = ILC__NEW_ARRAY(arena, ilc__part, count)};
    for (uint32_t i = 0; i < count; i++) {
        ILC__TRY(read_part(&o, i, &out->parts[i]));
        assemblies += out->parts[i].kind == ILC__PART_ASSEMBLY;
        if (i && by_kind_and_name(&out->parts[i - 1], &out->parts[i]) >= 0)
            return wrong(&o, HEADER + (uint64_t)i * ROW, "the bundle's parts are not in order");
    }
    if (o.at != size) return wrong(&o, o.at, "the bundle goes on behind its last part");
    if (assemblies != 1) return wrong(&o, HEADER, "the bundle has no assembly, or several");
    return ILC_OK;
}

const ilc__part *ilc__bundle_find(const ilc__bundle *bundle, ilc__part_kind kind, const char *name)
{
    if (!bundle->count) return NULL;
    const ilc__part wanted = {.kind = kind, .name = name};
    return bsearch(&wanted, bundle->parts, bundle->count, sizeof *bundle->parts, by_kind_and_name);
}

const ilc__part *ilc__bundles_code(const ilc__bundle *first, const char *name)
{
    const ilc__part *found = NULL;
    for (; first && !found; first = first->next) found = ilc__bundle_find(first, ILC__PART_CODE, name);
    return found;
}

const char *ilc__code_name(ilc__arena *arena, const char *form, const char *arch, const char *source)
{
    const char    *parts[] = {"bundle", form, "exact", source, arch, ILC_VERSION};
    ilc__cache_key key = ilc__cache_key_of(parts, sizeof parts / sizeof parts[0]);
    return ilc__arena_strdup(arena, key.text);
}

const char *ilc__code_maker(ilc__arena *arena, const char *form, const char *arch, const char *compiler)
{
    return ilc__arena_printf(arena, "%s %s, %s", form, arch, compiler);
}

static bool begins(const char **text, const char *with)
{
    size_t length = strlen(with);
    if (strncmp(*text, with, length) != 0) return false;
    *text += length;
    return true;
}

bool ilc__bundles_have(const ilc__bundle *first, const char *form, const char *arch)
{
    for (; first; first = first->next)
        for (uint32_t i = 0; i < first->count; i++) {
            const char *text = first->parts[i].maker;
            if (text && begins(&text, form) && *text == ' ' && (!arch || (text++, begins(&text, arch) && *text == ','))) return true;
        }
    return false;
}

/* --- writing ---------------------------------------------------------------------------------------------------- */

static void put(uint8_t *at, unsigned size, uint64_t value)
{
    for (unsigned i = 0; i < size; i++) at[i] = (uint8_t)(value >> (8 * i));
}

static size_t maker_size(const ilc__part *part)
{
    return part->maker ? strlen(part->maker) + 1 : 0;
}

void ilc__bundle_write(ilc__arena *arena, ilc__part *parts, uint32_t count, const void **bytes, size_t *size)
{
    qsort(parts, count, sizeof *parts, by_kind_and_name);
    uint64_t first = rounded(HEADER + (uint64_t)count * ROW), length = first;
    for (uint32_t i = 0; i < count; i++)
        length = rounded(rounded(length + strlen(parts[i].name)) + maker_size(&parts[i]) + parts[i].size);
    uint8_t *file = ilc__arena_alloc(arena, length), *row = file + HEADER;
    memset(file, 0, length);
    memcpy(file, magic, sizeof magic - 1);
    put(file + 8, 4, FORMAT);
    put(file + 12, 4, count);
    put(file + 16, 8, length);
    memcpy(file + VERSION_AT, ILC_VERSION, sizeof ILC_VERSION);
    uint64_t at = first;
    for (uint32_t i = 0; i < count; i++, row += ROW) {
        const ilc__part *part = &parts[i];
        size_t           name = strlen(part->name), maker = maker_size(part);
        uint64_t         content = rounded(at + name);
        put(row, 4, part->kind);
        put(row + 4, 4, name);
        put(row + 8, 8, maker + part->size);
        put(row + 16, 8, at);
        memcpy(file + at, part->name, name);
        if (maker) {
            memcpy(file + content, part->maker, maker - 1);
            file[content + maker - 1] = '\n';
        }
        if (part->size) memcpy(file + content + maker, part->bytes, part->size);
        at = rounded(content + maker + part->size);
    }
    ilc__bundle_seal(file, length);
    *bytes = file;
    *size = length;
}
