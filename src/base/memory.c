/* memory.c - arenas, growing arrays, text, hash map (memory.h). */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct ilc__chunk {
    ilc__chunk *next;
    size_t      size; /* of the payload */
};

enum { FIRST_CHUNK = 4 * 1024, CHUNK_SIZE = 64 * 1024, ALIGNMENT = 16, HEADER = (sizeof(ilc__chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

static void *libc_resize(void *user, void *ptr, size_t size)
{
    (void)user;
    if (size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, size);
}

void ilc__heap_init(ilc__heap *heap)
{
    heap->resize = libc_resize;
    heap->user = NULL;
    heap->landing = NULL;
}

void ilc__heap_exhausted(ilc__heap *heap)
{
    if (heap->landing) longjmp(*heap->landing, 1);
    abort();
}

void ilc__arena_init(ilc__arena *arena, ilc__heap *heap)
{
    *arena = (ilc__arena){.heap = heap};
}

void ilc__arena_free(ilc__arena *arena)
{
    ilc__chunk *chunk = arena->chunks;
    while (chunk) {
        ilc__chunk *next = chunk->next;
        arena->heap->resize(arena->heap->user, chunk, 0);
        chunk = next;
    }
    arena->chunks = NULL;
    arena->chunk_size = 0;
    arena->at = arena->end = NULL;
}

static uint8_t *add_chunk(ilc__arena *arena, size_t payload)
{
    if (payload > SIZE_MAX - HEADER) ilc__heap_exhausted(arena->heap);
    ilc__chunk *chunk = arena->heap->resize(arena->heap->user, NULL, HEADER + payload);
    if (!chunk) ilc__heap_exhausted(arena->heap);
    chunk->next = arena->chunks;
    chunk->size = payload;
    arena->chunks = chunk;
    return (uint8_t *)chunk + HEADER;
}

void *ilc__arena_alloc(ilc__arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT) ilc__heap_exhausted(arena->heap);
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size == 0) size = ALIGNMENT;
    uint8_t *result;
    if (size > CHUNK_SIZE / 4) {
        /* A chunk of its own, so that the current one keeps its rest. */
        result = add_chunk(arena, size);
    } else {
        if (size > (size_t)(arena->end - arena->at)) {
            /* Small at first: a session keeps an arena for each method. */
            arena->chunk_size = !arena->chunk_size ? FIRST_CHUNK : arena->chunk_size < CHUNK_SIZE ? 2 * arena->chunk_size : CHUNK_SIZE;
            while (arena->chunk_size < size) arena->chunk_size *= 2;
            arena->at = add_chunk(arena, arena->chunk_size);
            arena->end = arena->at + arena->chunk_size;
        }
        result = arena->at;
        arena->at += size;
    }
    memset(result, 0, size);
    return result;
}

void *ilc__arena_array(ilc__arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) ilc__heap_exhausted(arena->heap);
    return ilc__arena_alloc(arena, count * size);
}

void *ilc__arena_copy(ilc__arena *arena, const void *bytes, size_t size)
{
    void *copy = ilc__arena_alloc(arena, size);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

char *ilc__arena_strndup(ilc__arena *arena, const char *text, size_t length)
{
    char *copy = ilc__arena_alloc(arena, length + 1);
    if (length) memcpy(copy, text, length);
    return copy;
}

char *ilc__arena_strdup(ilc__arena *arena, const char *text)
{
    return ilc__arena_strndup(arena, text, strlen(text));
}

char *ilc__arena_vprintf(ilc__arena *arena, const char *format, va_list args)
{
    char    small[256]; /* most fit, and are made once */
    va_list again;
    va_copy(again, args);
    int   length = vsnprintf(small, sizeof small, format, args);
    char *text = length < 0                         ? ilc__arena_strndup(arena, "", 0)
                 : (size_t)length < sizeof small ? ilc__arena_strndup(arena, small, (size_t)length)
                                                    : ilc__arena_alloc(arena, (size_t)length + 1);
    if (length >= 0 && (size_t)length >= sizeof small) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *ilc__arena_printf(ilc__arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = ilc__arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

void ilc__vec_reserve(ilc__arena *arena, void **items, uint32_t *capacity, uint32_t count, size_t size)
{
    if (count < *capacity) return;
    if (*capacity > UINT32_MAX / 2) ilc__heap_exhausted(arena->heap);
    uint32_t wanted = *capacity ? *capacity * 2 : 8;
    void    *grown = ilc__arena_array(arena, wanted, size);
    if (count) memcpy(grown, *items, count * size);
    *items = grown;
    *capacity = wanted;
}

void ilc__text_add(ilc__text *text, const char *bytes, size_t length)
{
    size_t needed = text->length + length + 1;
    if (needed < length) ilc__heap_exhausted(text->arena->heap);
    if (needed > text->capacity) {
        size_t wanted = text->capacity ? text->capacity * 2 : 256;
        if (wanted < needed) wanted = needed;
        char *grown = ilc__arena_alloc(text->arena, wanted);
        if (text->length) memcpy(grown, text->data, text->length);
        text->data = grown;
        text->capacity = wanted;
    }
    if (length) memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = 0;
}

void ilc__text_puts(ilc__text *text, const char *string)
{
    ilc__text_add(text, string, strlen(string));
}

void ilc__text_putc(ilc__text *text, char c)
{
    ilc__text_add(text, &c, 1);
}

void ilc__text_printf(ilc__text *text, const char *format, ...)
{
    char    small[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (length < 0) return;
    if ((size_t)length < sizeof small) {
        ilc__text_add(text, small, (size_t)length);
        return;
    }
    va_start(args, format);
    char *large = ilc__arena_vprintf(text->arena, format, args);
    va_end(args);
    ilc__text_add(text, large, (size_t)length);
}

const char *ilc__text_string(const ilc__text *text)
{
    return text->data ? text->data : "";
}

struct ilc__map_slot {
    uint64_t    hash;
    const void *key;
    size_t      key_size;
    void       *value; /* NULL: free */
};

/* FNV-1a, with a final mix: the low bits choose the slot. */
static uint64_t hash_of(const void *key, size_t size)
{
    const uint8_t *at = key;
    uint64_t       hash = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 1099511628211u;
    return hash ^ (hash >> 29);
}

static struct ilc__map_slot *find_slot(const ilc__map *map, const void *key, size_t size, uint64_t hash)
{
    uint32_t mask = map->capacity - 1;
    for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask) {
        struct ilc__map_slot *slot = &map->slots[i];
        if (!slot->value) return slot;
        if (slot->hash == hash && slot->key_size == size && memcmp(slot->key, key, size) == 0) return slot;
    }
}

void *ilc__map_get(const ilc__map *map, const void *key, size_t key_size)
{
    if (!map->capacity) return NULL;
    return find_slot(map, key, key_size, hash_of(key, key_size))->value;
}

static void grow_map(ilc__map *map)
{
    ilc__map old = *map;
    uint32_t wanted = old.capacity ? old.capacity * 2 : 16;
    /* The map stays whole when there is no memory for this. */
    map->slots = ILC__NEW_ARRAY(map->arena, struct ilc__map_slot, wanted);
    map->capacity = wanted;
    for (uint32_t i = 0; i < old.capacity; i++) {
        struct ilc__map_slot *slot = &old.slots[i];
        if (slot->value) *find_slot(map, slot->key, slot->key_size, slot->hash) = *slot;
    }
}

void ilc__map_put(ilc__map *map, const void *key, size_t key_size, void *value)
{
    if (map->count * 4 >= map->capacity * 3) grow_map(map);
    uint64_t              hash = hash_of(key, key_size);
    struct ilc__map_slot *slot = find_slot(map, key, key_size, hash);
    if (!slot->value) {
        slot->key = ilc__arena_copy(map->arena, key, key_size);
        slot->key_size = key_size;
        slot->hash = hash;
        map->count++;
    }
    slot->value = value;
}
