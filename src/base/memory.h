/* memory.h - the allocator of a session, arenas, growing arrays and text.
 *
 * Nothing here returns NULL: when memory runs out, or a size overflows, control goes to the landing pad
 * that api/ set (heap.landing). So the code above needs no out-of-memory paths, and because everything
 * lives in arenas, nothing leaks on the way. Never jump over a lock, an open file or a running thread. */
#ifndef ILC_BASE_MEMORY_H
#define ILC_BASE_MEMORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__MINGW32__)
#define ILC__PRINTF(fmt, first) __attribute__((format(gnu_printf, fmt, first)))
#define ILC__NORETURN __attribute__((noreturn))
#elif defined(__GNUC__)
#define ILC__PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define ILC__NORETURN __attribute__((noreturn))
#else
#define ILC__PRINTF(fmt, first)
#define ILC__NORETURN
#endif

/* The one allocator of a session. resize(user, NULL, n) allocates, resize(user, p, 0) frees. */
typedef struct ilc__heap {
    void *(*resize)(void *user, void *ptr, size_t size);
    void    *user;
    jmp_buf *landing; /* where out-of-memory goes; set by api/session.c around every public call */
} ilc__heap;

void                ilc__heap_init(ilc__heap *heap); /* malloc's family, no landing pad (aborts)    */
ILC__NORETURN void  ilc__heap_exhausted(ilc__heap *heap);

typedef struct ilc__chunk ilc__chunk;
typedef struct ilc__arena {
    ilc__heap  *heap;
    ilc__chunk *chunks; /* newest first */
    uint8_t    *at, *end;
    size_t      chunk_size; /* of the newest that is shared; 0: none */
} ilc__arena;

void  ilc__arena_init(ilc__arena *arena, ilc__heap *heap);
void  ilc__arena_free(ilc__arena *arena); /* everything at once; usable again afterwards */
/* Zeroed bytes, aligned to 16. */
void *ilc__arena_alloc(ilc__arena *arena, size_t size);
/* count * size with the overflow checked. */
void *ilc__arena_array(ilc__arena *arena, size_t count, size_t size);
void *ilc__arena_copy(ilc__arena *arena, const void *bytes, size_t size);
char *ilc__arena_strndup(ilc__arena *arena, const char *text, size_t length);
char *ilc__arena_strdup(ilc__arena *arena, const char *text);
char *ilc__arena_printf(ilc__arena *arena, const char *format, ...) ILC__PRINTF(2, 3);
char *ilc__arena_vprintf(ilc__arena *arena, const char *format, va_list args);

#define ILC__NEW(arena, T) ((T *)ilc__arena_alloc((arena), sizeof(T)))
#define ILC__NEW_ARRAY(arena, T, n) ((T *)ilc__arena_array((arena), (n), sizeof(T)))

/* A growing array in an arena: ILC__VEC(int) v = {0}; ILC__PUSH(arena, &v, 7); v.items[0], v.count */
#define ILC__VEC(T)                                                                                          \
    struct {                                                                                                 \
        T       *items;                                                                                      \
        uint32_t count, capacity;                                                                            \
    }
#define ILC__PUSH(arena, vec, ...)                                                                           \
    (ilc__vec_reserve((arena), (void **)&(vec)->items, &(vec)->capacity, (vec)->count, sizeof *(vec)->items), \
     (vec)->items[(vec)->count++] = (__VA_ARGS__))
void ilc__vec_reserve(ilc__arena *arena, void **items, uint32_t *capacity, uint32_t count, size_t size);

/* Growing text in an arena, always NUL-terminated once something was added. */
typedef struct ilc__text {
    ilc__arena *arena;
    char       *data; /* NULL while empty */
    size_t      length, capacity;
} ilc__text;

void        ilc__text_add(ilc__text *text, const char *bytes, size_t length);
void        ilc__text_puts(ilc__text *text, const char *string);
void        ilc__text_putc(ilc__text *text, char c);
void        ilc__text_printf(ilc__text *text, const char *format, ...) ILC__PRINTF(2, 3);
const char *ilc__text_string(const ilc__text *text); /* "" while empty */

/* string or number -> pointer; keys are copied into the arena. */
typedef struct ilc__map {
    ilc__arena *arena;
    struct ilc__map_slot *slots;
    uint32_t    count, capacity;
} ilc__map;

void  ilc__map_put(ilc__map *map, const void *key, size_t key_size, void *value);
void *ilc__map_get(const ilc__map *map, const void *key, size_t key_size); /* NULL where absent */

#endif
