/* bench_il.h - methods that `bench translate --scale` makes, as IL and as an assembly in memory. */
#ifndef CLI_BENCH_IL_H
#define CLI_BENCH_IL_H

#include <stddef.h>
#include <stdint.h>

typedef struct il_bytes {
    unsigned char *data;
    size_t         size;
} il_bytes;

/* The body of
 *   static int32 M(int32[] x, int32 n, int32 i)     with locals of type int32; beside it there is
 *   static int32 H(int32 a)                         a Xor 5 */
typedef struct il_code {
    il_bytes b;
    uint32_t instructions, blocks, locals;
} il_code;

enum { IL_X = 0, IL_N = 1, IL_I = 2 /* arguments */, IL_ACC = 0, IL_K = 1 /* locals */, IL_STACK = 512 };

void il_put(il_bytes *b, uint64_t value, unsigned size);
void il_put_at(il_bytes *b, size_t at, uint64_t value, unsigned size);
void il_put_text(il_bytes *b, const void *text, size_t size);

typedef struct bench_shape {
    const char *name;
    void (*make)(il_code *c, uint32_t size); /* about so many blocks; of shapes without blocks, statements */
} bench_shape;
extern const bench_shape bench_shapes[]; /* the last one has no name */

/* A body of the shape, and room for it; to be freed. */
il_code  bench_body(const bench_shape *shape, uint32_t size);
il_bytes bench_assembly(const il_code *c);

#endif
