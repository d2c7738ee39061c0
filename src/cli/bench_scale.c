/* bench_scale.c - `bench translate --scale`: how the time of translation grows with a method. The methods are made here,
 * each a small assembly in memory (ECMA-335 II.24, II.25) with
 *
 *   static int32 M(int32[] x, int32 n, int32 i)
 *       a chain of: If x(i) > k Then acc = acc Xor x(i + k Mod 7), with a counted loop for every eighth */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { IL_OF_UNIT = 64, RAW = 0x200, RVA = 0x2000, HEADER = 0x48, REPEATS = 3, LARGEST = 10000 };

typedef struct bytes {
    unsigned char *data;
    size_t         size;
} bytes;

static void put(bytes *b, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++) b->data[b->size++] = (unsigned char)(value >> (8 * i));
}

static void put_at(bytes *b, size_t at, uint64_t value, unsigned size)
{
    bytes part = {b->data + at, 0};
    put(&part, value, size);
}

static void put_text(bytes *b, const void *text, size_t size)
{
    memcpy(b->data + b->size, text, size);
    b->size += size;
}

/* --- the body ------------------------------------------------------------------------------------------------------ */

enum { LDARG_X = 0x02, LDARG_N = 0x03, LDARG_I = 0x04, LDLOC_ACC = 0x06, LDLOC_K = 0x07, STLOC_ACC = 0x0a, STLOC_K = 0x0b,
       LDC = 0x20, RET = 0x2a, BR = 0x38, BLE = 0x3e, BLT = 0x3f, XOR = 0x61, LDELEM_I4 = 0x94, ADD_OVF = 0xd6 };

typedef struct code {
    bytes    b;
    uint32_t instructions, blocks;
} code;

static void op(code *c, unsigned char opcode)
{
    put(&c->b, opcode, 1);
    c->instructions++;
}

static void number(code *c, uint32_t value)
{
    op(c, LDC);
    put(&c->b, value, 4);
}

/* A forward branch: where its offset stands. */
static size_t branch(code *c, unsigned char opcode)
{
    op(c, opcode);
    put(&c->b, 0, 4);
    return c->b.size - 4;
}

static void land(code *c, size_t at)
{
    put_at(&c->b, at, c->b.size - (at + 4), 4);
    c->blocks++;
}

/* acc = acc Xor x(place) */
static void mix(code *c, unsigned char place, uint32_t plus)
{
    op(c, LDLOC_ACC), op(c, LDARG_X), op(c, place);
    if (plus) number(c, plus), op(c, ADD_OVF);
    op(c, LDELEM_I4), op(c, XOR), op(c, STLOC_ACC);
}

static void unit(code *c, uint32_t k)
{
    op(c, LDARG_X), op(c, LDARG_I), op(c, LDELEM_I4), number(c, k);
    size_t past = branch(c, BLE);
    c->blocks++;
    mix(c, LDARG_I, k % 7);
    land(c, past);
    if (k % 8) return;
    number(c, 0), op(c, STLOC_K);
    size_t test = branch(c, BR), head = c->b.size;
    c->blocks++;
    mix(c, LDLOC_K, 0);
    op(c, LDLOC_K), number(c, 1), op(c, ADD_OVF), op(c, STLOC_K);
    land(c, test);
    op(c, LDLOC_K), op(c, LDARG_N), op(c, BLT);
    put(&c->b, head - (c->b.size + 4), 4);
    c->blocks++;
}

static void make_body(code *c, uint32_t blocks)
{
    c->blocks = 1;
    for (uint32_t k = 1; c->blocks < blocks; k++) unit(c, k);
    op(c, LDLOC_ACC), op(c, RET);
}

/* --- the assembly -------------------------------------------------------------------------------------------------- */

static const char names[] = "\0<Module>\0T\0M\0x\0n\0i"; /* 1, 10, 12, 14, 16, 18 */
static const unsigned char blobs[] = {0, 7, 0x00, 3, 0x08, 0x1d, 0x08, 0x08, 0x08, 4, 0x07, 2, 0x08, 0x08}; /* M's; its locals' at 9 */

static void put_tables(bytes *b, uint32_t body)
{
    const uint32_t counts[] = {1, 2, 1, 3, 1, 1};
    put(b, 0, 4), put(b, 2, 1), put(b, 0, 2), put(b, 1, 1);
    put(b, 1ull | 1ull << 2 | 1ull << 6 | 1ull << 8 | 1ull << 0x11 | 1ull << 0x20, 8), put(b, 0, 8);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) put(b, counts[i], 4);
    put(b, 0, 2), put(b, 1, 2), put(b, 1, 2), put(b, 0, 4);                            /* Module             */
    put(b, 0, 4), put(b, 1, 2), put(b, 0, 2), put(b, 0, 2), put(b, 1, 2), put(b, 1, 2); /* TypeDef <Module>   */
    put(b, 1, 4), put(b, 10, 2), put(b, 0, 2), put(b, 0, 2), put(b, 1, 2), put(b, 1, 2); /* TypeDef T         */
    put(b, body, 4), put(b, 0, 2), put(b, 0x16, 2), put(b, 12, 2), put(b, 1, 2), put(b, 1, 2); /* MethodDef M */
    for (unsigned p = 1; p <= 3; p++) put(b, 0, 2), put(b, p, 2), put(b, 12 + 2 * p, 2); /* Param            */
    put(b, 9, 2);                                                                       /* StandAloneSig      */
    put(b, 0, 4), put(b, 0, 8), put(b, 0, 4), put(b, 0, 2), put(b, 10, 2), put(b, 0, 2); /* Assembly           */
    while (b->size % 4) put(b, 0, 1);
}

static void put_metadata(bytes *b, uint32_t body)
{
    static const char *const streams[] = {"#~\0\0", "#Strings\0\0\0\0", "#GUID\0\0\0", "#Blob\0\0\0"};
    static const size_t      widths[] = {4, 12, 8, 8};
    size_t                   root = b->size, heads[4], starts[5];
    put(b, 0x424A5342, 4), put(b, 1, 2), put(b, 1, 2), put(b, 0, 4), put(b, 4, 4), put_text(b, "v4.0", 4);
    put(b, 0, 2), put(b, 4, 2);
    for (int i = 0; i < 4; i++) {
        heads[i] = b->size;
        put(b, 0, 8);
        put_text(b, streams[i], widths[i]);
    }
    starts[0] = b->size, put_tables(b, body);
    starts[1] = b->size, put_text(b, names, sizeof names);
    while (b->size % 4) put(b, 0, 1);
    starts[2] = b->size, put(b, 7, 8), put(b, 7, 8);
    starts[3] = b->size, put_text(b, blobs, sizeof blobs);
    while (b->size % 4) put(b, 0, 1);
    starts[4] = b->size;
    for (int i = 0; i < 4; i++) {
        put_at(b, heads[i], starts[i] - root, 4);
        put_at(b, heads[i] + 4, starts[i + 1] - starts[i], 4);
    }
}

static void put_headers(bytes *b, size_t section)
{
    put_at(b, 0, 0x5A4D, 2), put_at(b, 0x3C, 0x80, 4);
    put_at(b, 0x80, 0x4550, 4), put_at(b, 0x84, 0x14C, 2), put_at(b, 0x86, 1, 2), put_at(b, 0x94, 0xE0, 2), put_at(b, 0x96, 0x2102, 2);
    put_at(b, 0x98, 0x10B, 2), put_at(b, 0x98 + 92, 16, 4), put_at(b, 0x98 + 96 + 14 * 8, RVA, 4), put_at(b, 0x98 + 100 + 14 * 8, HEADER, 4);
    size_t row = 0x98 + 0xE0;
    memcpy(b->data + row, ".text", 5);
    put_at(b, row + 8, section, 4), put_at(b, row + 12, RVA, 4), put_at(b, row + 16, section, 4), put_at(b, row + 20, RAW, 4);
}

static bytes make_assembly(const code *c)
{
    bytes b = {must_alloc(RAW + 4096 + c->b.size), RAW};
    memset(b.data, 0, RAW + 4096);
    put(&b, HEADER, 4), put(&b, 2, 2), put(&b, 5, 2);
    b.size = RAW + HEADER;
    put(&b, 0x3013, 2), put(&b, 8, 2), put(&b, c->b.size, 4), put(&b, 0x11000001, 4); /* II.25.4.3: fat, locals zeroed */
    put_text(&b, c->b.data, c->b.size);
    while (b.size % 4) put(&b, 0, 1);
    size_t root = b.size;
    memset(b.data + root, 0, 2048);
    put_metadata(&b, RVA + HEADER);
    put_at(&b, RAW + 8, RVA + root - RAW, 4), put_at(&b, RAW + 12, b.size - root, 4), put_at(&b, RAW + 16, 1, 4);
    put_headers(&b, b.size - RAW);
    return b;
}

/* --- measuring ------------------------------------------------------------------------------------------------------ */

static int translate(const bytes *assembly, double *seconds)
{
    ilc_session  *session = session_open();
    ilc_assembly *opened;
    ilc_method   *method;
    ilc_kernel   *kernel;
    const char   *text;
    if (!session) return EXIT_BUG;
    double     started = bench_now();
    ilc_status status = ilc_assembly_open_memory(&opened, session, "Scale.dll", assembly->data, assembly->size, NULL, 0, NULL);
    if (status == ILC_OK) status = ilc_assembly_method(&method, opened, 0);
    if (status == ILC_OK) status = ilc_kernel_translate(&kernel, method, NULL);
    if (status == ILC_OK) status = ilc_kernel_text(&text, kernel, ILC_TEXT_CUDA_UNIT);
    *seconds = bench_now() - started;
    int exit_code = status == ILC_OK ? EXIT_DONE : fail(session, status);
    ilc_session_destroy(session);
    return exit_code;
}

int bench_scale(const cli_settings *settings)
{
    int64_t repeats = bench_repeats(settings, REPEATS);
    int     exit_code = EXIT_DONE;
    if (!settings->json) printf("%8s %14s %12s %14s %18s\n", "blocks", "instructions", "least, ms", "us per block", "ns per instruction");
    for (uint32_t blocks = 10; blocks <= LARGEST && exit_code == EXIT_DONE; blocks *= 10) {
        code   c = {.b = {must_alloc((size_t)blocks * IL_OF_UNIT + 64), 0}};
        double least = 0;
        make_body(&c, blocks);
        bytes assembly = make_assembly(&c);
        for (int64_t i = 0; i < repeats && exit_code == EXIT_DONE; i++) {
            double seconds = 0;
            exit_code = translate(&assembly, &seconds);
            if (i == 0 || seconds < least) least = seconds;
        }
        double per_block = least * 1e6 / c.blocks, per_instruction = least * 1e9 / c.instructions;
        if (exit_code == EXIT_DONE && settings->json)
            printf("{\"blocks\":%u,\"instructions\":%u,\"least\":%.6f}\n", c.blocks, c.instructions, least);
        else if (exit_code == EXIT_DONE)
            printf("%8u %14u %12.3f %14.2f %18.0f\n", c.blocks, c.instructions, least * 1e3, per_block, per_instruction);
        free(c.b.data);
        free(assembly.data);
    }
    return exit_code;
}
