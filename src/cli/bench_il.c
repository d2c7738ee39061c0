/* bench_il.c - a small assembly in memory around the body of a method (ECMA-335 II.24, II.25). */
#include "bench_il.h"

#include <string.h>

#include "cli.h"

enum { RAW = 0x200, RVA = 0x2000, HEADER = 0x48, BODY_OF_M = 8 /* behind that of H */ };

void il_put(il_bytes *b, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        b->data[b->size++] = (unsigned char)(value >> (8 * i));
}

void il_put_at(il_bytes *b, size_t at, uint64_t value, unsigned size)
{
    il_bytes part = {b->data + at, 0};
    il_put(&part, value, size);
}

void il_put_text(il_bytes *b, const void *text, size_t size)
{
    memcpy(b->data + b->size, text, size);
    b->size += size;
}

static const char          names[] = "\0<Module>\0T\0M\0x\0n\0i\0H"; /* 1, 10, 12, 14, 16, 18, 20 */
static const unsigned char body_of_h[BODY_OF_M] = {0x12, 0x02, 0x1b, 0x61,
                                                   0x2a}; /* tiny: ldarg.0 ldc.i4.5 xor ret */
/* Signatures: of M at 1, of H at 9; of M's locals at 14, written as the method has them (II.23.2.6). */
static const unsigned char blobs[] = {0, 7, 0x00, 3, 0x08, 0x1d, 0x08, 0x08, 0x08, 4, 0x00, 1, 0x08, 0x08};

/* II.23.2: in two bytes from 128 on. */
static void put_compressed(il_bytes *b, uint32_t number)
{
    if (number < 0x80)
        il_put(b, number, 1);
    else
        il_put(b, 0x80 | number >> 8, 1), il_put(b, number & 0xFF, 1);
}

static void put_blobs(il_bytes *b, uint32_t locals)
{
    il_put_text(b, blobs, sizeof blobs);
    put_compressed(b, 1u + (locals < 0x80 ? 1 : 2) + locals);
    il_put(b, 0x07, 1), put_compressed(b, locals);
    for (uint32_t i = 0; i < locals; i++)
        il_put(b, 0x08, 1);
}

static void put_tables(il_bytes *b, uint32_t body)
{
    const uint32_t counts[] = {1, 2, 2, 3, 1, 1};
    il_put(b, 0, 4), il_put(b, 2, 1), il_put(b, 0, 2), il_put(b, 1, 1);
    il_put(b, 1ull | 1ull << 2 | 1ull << 6 | 1ull << 8 | 1ull << 0x11 | 1ull << 0x20, 8), il_put(b, 0, 8);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        il_put(b, counts[i], 4);
    il_put(b, 0, 2), il_put(b, 1, 2), il_put(b, 1, 2), il_put(b, 0, 4); /* Module             */
    il_put(b, 0, 4), il_put(b, 1, 2), il_put(b, 0, 2), il_put(b, 0, 2), il_put(b, 1, 2),
        il_put(b, 1, 2); /* TypeDef <Module>   */
    il_put(b, 1, 4), il_put(b, 10, 2), il_put(b, 0, 2), il_put(b, 0, 2), il_put(b, 1, 2),
        il_put(b, 1, 2); /* TypeDef T         */
    il_put(b, body + BODY_OF_M, 4), il_put(b, 0, 2), il_put(b, 0x16, 2), il_put(b, 12, 2), il_put(b, 1, 2),
        il_put(b, 1, 2); /* MethodDef M */
    il_put(b, body, 4), il_put(b, 0, 2), il_put(b, 0x16, 2), il_put(b, 20, 2), il_put(b, 9, 2),
        il_put(b, 4, 2); /* H */
    for (unsigned p = 1; p <= 3; p++)
        il_put(b, 0, 2), il_put(b, p, 2), il_put(b, 12 + 2 * p, 2); /* Param            */
    il_put(b, 14, 2);                                               /* StandAloneSig      */
    il_put(b, 0, 4), il_put(b, 0, 8), il_put(b, 0, 4), il_put(b, 0, 2), il_put(b, 10, 2),
        il_put(b, 0, 2); /* Assembly           */
    while (b->size % 4)
        il_put(b, 0, 1);
}

static void put_metadata(il_bytes *b, uint32_t body, uint32_t locals)
{
    static const char *const streams[] = {"#~\0\0", "#Strings\0\0\0\0", "#GUID\0\0\0", "#Blob\0\0\0"};
    static const size_t      widths[] = {4, 12, 8, 8};
    size_t                   root = b->size, heads[4], starts[5];
    il_put(b, 0x424A5342, 4), il_put(b, 1, 2), il_put(b, 1, 2), il_put(b, 0, 4), il_put(b, 4, 4),
        il_put_text(b, "v4.0", 4);
    il_put(b, 0, 2), il_put(b, 4, 2);
    for (int i = 0; i < 4; i++) {
        heads[i] = b->size;
        il_put(b, 0, 8);
        il_put_text(b, streams[i], widths[i]);
    }
    starts[0] = b->size, put_tables(b, body);
    starts[1] = b->size, il_put_text(b, names, sizeof names);
    while (b->size % 4)
        il_put(b, 0, 1);
    starts[2] = b->size, il_put(b, 7, 8), il_put(b, 7, 8);
    starts[3] = b->size, put_blobs(b, locals);
    while (b->size % 4)
        il_put(b, 0, 1);
    starts[4] = b->size;
    for (int i = 0; i < 4; i++) {
        il_put_at(b, heads[i], starts[i] - root, 4);
        il_put_at(b, heads[i] + 4, starts[i + 1] - starts[i], 4);
    }
}

static void put_headers(il_bytes *b, size_t section)
{
    il_put_at(b, 0, 0x5A4D, 2), il_put_at(b, 0x3C, 0x80, 4);
    il_put_at(b, 0x80, 0x4550, 4), il_put_at(b, 0x84, 0x14C, 2), il_put_at(b, 0x86, 1, 2),
        il_put_at(b, 0x94, 0xE0, 2), il_put_at(b, 0x96, 0x2102, 2);
    il_put_at(b, 0x98, 0x10B, 2), il_put_at(b, 0x98 + 92, 16, 4), il_put_at(b, 0x98 + 96 + 14 * 8, RVA, 4),
        il_put_at(b, 0x98 + 100 + 14 * 8, HEADER, 4);
    size_t row = 0x98 + 0xE0;
    memcpy(b->data + row, ".text", 5);
    il_put_at(b, row + 8, section, 4), il_put_at(b, row + 12, RVA, 4), il_put_at(b, row + 16, section, 4),
        il_put_at(b, row + 20, RAW, 4);
}

il_bytes bench_assembly(const il_code *c)
{
    il_bytes b = {must_alloc(RAW + 4096 + c->b.size + c->locals), RAW};
    memset(b.data, 0, RAW + 4096);
    il_put(&b, HEADER, 4), il_put(&b, 2, 2), il_put(&b, 5, 2);
    b.size = RAW + HEADER;
    il_put_text(&b, body_of_h, sizeof body_of_h);
    il_put(&b, 0x3013, 2), il_put(&b, IL_STACK, 2), il_put(&b, c->b.size, 4),
        il_put(&b, 0x11000001, 4); /* II.25.4.3: fat, locals zeroed */
    il_put_text(&b, c->b.data, c->b.size);
    while (b.size % 4)
        il_put(&b, 0, 1);
    size_t root = b.size;
    memset(b.data + root, 0, 2048 + c->locals);
    put_metadata(&b, RVA + HEADER, c->locals);
    il_put_at(&b, RAW + 8, RVA + root - RAW, 4), il_put_at(&b, RAW + 12, b.size - root, 4),
        il_put_at(&b, RAW + 16, 1, 4);
    put_headers(&b, b.size - RAW);
    return b;
}
