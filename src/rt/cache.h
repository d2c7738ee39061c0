/* cache.h - inside rt: compiled code on disk, found by what it was made from.
 *
 * A folder that cannot be used is no error: then entries live in memory, as long as the engine. */
#ifndef ILC_RT_CACHE_H
#define ILC_RT_CACHE_H

#include "rt/rt.h"

/* Of an entry's file name, without ".ilc": 128 bits in hex. */
typedef struct ilc__cache_key {
    char text[33];
} ilc__cache_key;

typedef struct ilc__cache {
    ilc__context *ctx;
    ilc__arena   *arena;
    const char   *directory; /* NULL: memory only */
    uint64_t      limit;     /* bytes */
    ilc__map      memory;
    uint64_t      memory_bytes;
} ilc__cache;

/* The folder that directory (as in ilc__engine_options) means; NULL: none. Not made by this. */
const char *ilc__cache_directory(ilc__arena *arena, const char *directory);

void ilc__cache_open(ilc__cache *cache, ilc__context *ctx, ilc__arena *arena, const char *directory);

/* Names everything that can change the result. Each part counts on its own: "ab", "c" is not "a", "bc". */
ilc__cache_key ilc__cache_key_of(const char *const *parts, uint32_t count);

/* True where a whole and undamaged entry was there; the bytes are in arena. */
bool ilc__cache_get(ilc__cache *cache, const ilc__cache_key *key, ilc__arena *arena, const void **bytes,
                    size_t *size);
/* Is there an entry, be it damaged? */
bool ilc__cache_holds(const ilc__cache *cache, ilc__arena *arena, const ilc__cache_key *key);
void ilc__cache_put(ilc__cache *cache, ilc__arena *scratch, const ilc__cache_key *key, const void *bytes,
                    size_t size);
/* The file at path, where there is one, as an entry of its bytes; it is gone afterwards. The bytes in arena, or NULL. */
const void *ilc__cache_take_in(ilc__cache *cache, const ilc__cache_key *key, const char *path, ilc__arena *arena, size_t *size);

#endif
