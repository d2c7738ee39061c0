/* cache.c - compiled code on disk (cache.h): one file per entry, verified whole before it is used.
 *
 * Entry:  magic "ilcuda-c", version (4), 0 (4), payload length (8), xxh3-128 of key and payload (16),
 * payload. */
#include "rt/cache.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FORMAT = 1, HEADER_SIZE = 40, KEY_LENGTH = 32 };
static const char     magic[] = "ilcuda-c";
static const char     suffix[] = ".ilc";
static const uint64_t default_limit = 1000000000;
/* A larger image is no kernel's. */
static const uint64_t payload_max = 32u << 20, memory_max = 64u << 20;

typedef struct header {
    char     magic[8];
    uint32_t version, zero;
    uint64_t length;
    uint8_t  hash[16];
} header;
_Static_assert(sizeof(header) == HEADER_SIZE, "the header is written as it lies in memory");

const char *ilc__cache_directory(ilc__arena *arena, const char *directory)
{
    if (directory) return *directory ? directory : NULL;
    const char *home = ilc__cache_home(arena);
    return home ? ilc__arena_printf(arena, "%s/ilcuda", home) : NULL;
}

void ilc__cache_open(ilc__cache *cache, ilc__context *ctx, ilc__arena *arena, const char *directory)
{
    *cache = (ilc__cache){.ctx = ctx, .arena = arena, .limit = default_limit, .memory = {.arena = arena}};
    const char *path = ilc__cache_directory(arena, directory);
    /* What lies there is run: so nobody else may be able to put it there. */
    if (path && ilc__directory_make(path, 0700) && ilc__directory_private(path))
        cache->directory = ilc__arena_strdup(arena, path);
}

static void to_hex(const uint8_t *bytes, size_t size, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = 0;
}

ilc__cache_key ilc__cache_key_of(const char *const *parts, uint32_t count)
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t length = strlen(parts[i]);
        XXH3_128bits_update(&state, &length, sizeof length);
        XXH3_128bits_update(&state, parts[i], (size_t)length);
    }
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(&state));
    ilc__cache_key key;
    to_hex(bytes.digest, sizeof bytes.digest, key.text);
    return key;
}

static void payload_hash(const ilc__cache_key *key, const void *bytes, size_t size, uint8_t out[16])
{
    XXH3_state_t       state;
    XXH128_canonical_t canonical;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, key->text, KEY_LENGTH);
    XXH3_128bits_update(&state, bytes, size);
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
    memcpy(out, canonical.digest, 16);
}

static const char *entry_path(ilc__arena *arena, const ilc__cache *cache, const ilc__cache_key *key)
{
    return ilc__arena_printf(arena, "%s/%s%s", cache->directory, key->text, suffix);
}

/* --- reading ----------------------------------------------------------------------------------------------
 */

typedef struct blob {
    const void *bytes;
    size_t      size;
} blob;

static bool entry_is_whole(const ilc__file *file, const ilc__cache_key *key)
{
    header  h;
    uint8_t hash[16];
    if (file->size < HEADER_SIZE) return false;
    memcpy(&h, file->bytes, HEADER_SIZE);
    if (memcmp(h.magic, magic, sizeof h.magic) != 0 || h.version != FORMAT || h.zero != 0) return false;
    if (h.length != file->size - HEADER_SIZE || h.length > payload_max) return false;
    payload_hash(key, file->bytes + HEADER_SIZE, (size_t)h.length, hash);
    return memcmp(hash, h.hash, sizeof hash) == 0;
}

bool ilc__cache_get(ilc__cache *cache, const ilc__cache_key *key, ilc__arena *arena, const void **bytes,
                    size_t *size)
{
    const blob *kept = ilc__map_get(&cache->memory, key->text, KEY_LENGTH);
    if (kept) {
        *bytes = kept->bytes;
        *size = kept->size;
        return true;
    }
    if (!cache->directory) return false;
    const char *path = entry_path(arena, cache, key);
    uint64_t    length;
    int64_t     used;
    if (!ilc__file_stat(path, &length, &used) || length > payload_max + HEADER_SIZE) return false;
    /* Room first: with the file in hand nothing may jump away. */
    uint8_t  *copy = ilc__arena_alloc(arena, (size_t)length);
    ilc__file file;
    uint32_t  diagnostics = cache->ctx->diags.count;
    if (ilc__file_map(cache->ctx, path, &file) != ILC_OK) {
        cache->ctx->diags.count = diagnostics; /* a miss, no fault */
        return false;
    }
    bool whole = file.size <= length && entry_is_whole(&file, key);
    if (whole) {
        *size = file.size - HEADER_SIZE;
        memcpy(copy, file.bytes + HEADER_SIZE, *size);
        *bytes = copy;
    }
    ilc__file_unmap(&file);
    if (whole)
        ilc__file_touch(path);
    else
        ilc__file_remove(path);
    return whole;
}

bool ilc__cache_holds(const ilc__cache *cache, ilc__arena *arena, const ilc__cache_key *key)
{
    if (ilc__map_get(&cache->memory, key->text, KEY_LENGTH)) return true;
    return cache->directory && ilc__file_exists(entry_path(arena, cache, key));
}

/* --- writing, and staying under the limit -----------------------------------------------------------------
 */

static bool has_suffix(const char *name, const char *end)
{
    size_t length = strlen(name), wanted = strlen(end);
    return length >= wanted && strcmp(name + length - wanted, end) == 0;
}

/* Entries, and what a killed writer left: "<key>.ilc" and "<key>.ilc.<pid>.<n>.tmp". */
static bool is_ours(const char *name, bool *temporary)
{
    for (int i = 0; i < KEY_LENGTH; i++)
        if (!strchr("0123456789abcdef", name[i]) || !name[i]) return false;
    if (strncmp(name + KEY_LENGTH, suffix, sizeof suffix - 1) != 0) return false;
    *temporary = has_suffix(name, ".tmp");
    return *temporary || name[KEY_LENGTH + sizeof suffix - 1] == 0;
}

typedef struct listed {
    const char *path;
    uint64_t    size;
    int64_t     used;
} listed;

typedef struct listing {
    ilc__arena *arena;
    const char *directory;
    uint64_t    bytes;
    ILC__VEC(listed) entries, leftovers;
} listing;

static void list_one(void *user, const char *name)
{
    listing *list = user;
    listed   entry;
    bool     temporary;
    if (!is_ours(name, &temporary)) return;
    entry.path = ilc__arena_printf(list->arena, "%s/%s", list->directory, name);
    if (!ilc__file_stat(entry.path, &entry.size, &entry.used)) return;
    if (temporary) {
        ILC__PUSH(list->arena, &list->leftovers, entry);
        return;
    }
    list->bytes += entry.size;
    ILC__PUSH(list->arena, &list->entries, entry);
}

static int older_first(const void *a, const void *b)
{
    const listed *x = a, *y = b;
    if (x->used != y->used) return x->used < y->used ? -1 : 1;
    return strcmp(x->path, y->path);
}

static void make_room(ilc__cache *cache, ilc__arena *arena)
{
    listing list = {.arena = arena, .directory = cache->directory};
    if (!ilc__directory_each(arena, cache->directory, list_one, &list) || list.bytes <= cache->limit) return;
    qsort(list.entries.items, list.entries.count, sizeof(listed), older_first);
    /* A tenth is freed at once, so that a full cache is not listed for nothing at every entry. */
    uint64_t target = cache->limit - cache->limit / 10;
    for (uint32_t i = 0; i < list.entries.count && list.bytes > target; i++) {
        ilc__file_remove(list.entries.items[i].path);
        list.bytes -= list.entries.items[i].size;
    }
    for (uint32_t i = 0; i < list.leftovers.count; i++)
        ilc__file_remove(list.leftovers.items[i].path);
}

static void keep_in_memory(ilc__cache *cache, const ilc__cache_key *key, const void *bytes, size_t size)
{
    if (cache->memory_bytes + size > memory_max) return;
    blob *kept = ILC__NEW(cache->arena, blob);
    kept->bytes = ilc__arena_copy(cache->arena, bytes, size);
    kept->size = size;
    cache->memory_bytes += size;
    ilc__map_put(&cache->memory, key->text, KEY_LENGTH, kept);
}

void ilc__cache_put(ilc__cache *cache, ilc__arena *scratch, const ilc__cache_key *key, const void *bytes,
                    size_t size)
{
    if (size > payload_max) return;
    if (!cache->directory) {
        keep_in_memory(cache, key, bytes, size);
        return;
    }
    uint8_t *entry = ilc__arena_alloc(scratch, HEADER_SIZE + size);
    header   h = {.version = FORMAT, .length = size};
    memcpy(h.magic, magic, sizeof h.magic);
    payload_hash(key, bytes, size, h.hash);
    memcpy(entry, &h, HEADER_SIZE);
    if (size) memcpy(entry + HEADER_SIZE, bytes, size);
    uint32_t diagnostics = cache->ctx->diags.count;
    if (ilc__file_write(cache->ctx, entry_path(scratch, cache, key), entry, HEADER_SIZE + size, 0600) ==
        ILC_OK) {
        make_room(cache, scratch);
    } else {
        /* Read-only or full: from now on memory serves. */
        cache->ctx->diags.count = diagnostics;
        keep_in_memory(cache, key, bytes, size);
    }
}

const void *ilc__cache_take_in(ilc__cache *cache, const ilc__cache_key *key, const char *path, ilc__arena *arena, size_t *size)
{
    uint64_t  length;
    int64_t   used;
    ilc__file file;
    uint32_t  diagnostics = cache->ctx->diags.count;
    if (!ilc__file_stat(path, &length, &used) || length == 0 || length > payload_max) return NULL;
    uint8_t *copy = ilc__arena_alloc(arena, (size_t)length);
    if (ilc__file_map(cache->ctx, path, &file) != ILC_OK) {
        cache->ctx->diags.count = diagnostics; /* another process was faster */
        return NULL;
    }
    bool whole = file.size == length;
    if (whole) memcpy(copy, file.bytes, file.size);
    ilc__file_unmap(&file);
    if (!whole) return NULL;
    *size = (size_t)length;
    ilc__cache_put(cache, arena, key, copy, *size);
    ilc__file_remove(path);
    return copy;
}

/* --- what `cache info` and `cache clear` ask for ----------------------------------------------------------
 */

ilc_status ilc__cache_info_get(ilc__context *ctx, const char *cache_dir, ilc__cache_info *out)
{
    *out = (ilc__cache_info){.limit = default_limit};
    const char *path = ilc__cache_directory(&ctx->arena, cache_dir);
    listing     list = {.arena = &ctx->arena, .directory = path};
    if (!path || (ilc__directory_exists(path) && !ilc__directory_private(path))) return ILC_OK;
    out->directory = path;
    if (!ilc__directory_each(list.arena, path, list_one, &list)) return ILC_OK; /* not made yet: empty */
    out->entries = list.entries.count;
    out->bytes = list.bytes;
    return ILC_OK;
}

ilc_status ilc__cache_clear(ilc__context *ctx, const char *cache_dir, uint64_t *removed)
{
    *removed = 0;
    const char *path = ilc__cache_directory(&ctx->arena, cache_dir);
    listing     list = {.arena = &ctx->arena, .directory = path};
    if (!path || !ilc__directory_each(list.arena, path, list_one, &list)) return ILC_OK;
    for (uint32_t i = 0; i < list.entries.count; i++)
        ilc__file_remove(list.entries.items[i].path);
    for (uint32_t i = 0; i < list.leftovers.count; i++)
        ilc__file_remove(list.leftovers.items[i].path);
    for (uint32_t i = 0; i < list.entries.count; i++)
        if (ilc__file_exists(list.entries.items[i].path)) {
            ilc__where where = {.path = list.entries.items[i].path};
            return ilc__fail(ctx, ILC_IO, &where, "the cache entry could not be removed");
        }
    *removed = list.entries.count;
    return ILC_OK;
}
