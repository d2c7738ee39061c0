/* image_builder.h - a small assembly made by hand, with a body and signatures that a test chooses:
 *
 *   class T { S F;  static int32 M(int32 x) { body }  S S(); }     S: the signature given
 *   TypeRefs [Absent]System.Object, [Absent]System.Int32; MemberRefs Foo (of System.Object) and Bar (of the
 *   TypeSpec); a StandAloneSig, a TypeSpec and a MethodSpec, all three the signature given. */
#ifndef ILC_TESTS_IMAGE_BUILDER_H
#define ILC_TESTS_IMAGE_BUILDER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    IMAGE_BODY_MAX = 16 * 1024,
    IMAGE_BLOB_MAX = 8 * 1024,
    IMAGE_MAX = 64 * 1024,
    IMAGE_RAW = 0x200,
    IMAGE_RVA = 0x2000
};

typedef struct image_bytes {
    uint8_t *at;
} image_bytes;

static void put(image_bytes *b, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        *b->at++ = (uint8_t)(i < 8 ? value >> (8 * i) : 0);
}

static void put_row(image_bytes *b, unsigned count, const uint32_t *columns)
{
    /* All columns are two bytes, except where a test writes 0x10000 | column for four. */
    for (unsigned i = 0; i < count; i++)
        put(b, columns[i] & 0xFFFF, columns[i] >> 16 ? 4 : 2);
}

#define ROW(...) put_row(b, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (uint32_t[]){__VA_ARGS__})
#define WIDE(x) (0x10000u | (uint32_t)(x))

/* Names in the #Strings heap, by offset. */
static const char image_strings[] =
    "\0<Module>\0T\0M\0S\0x\0F\0Object\0Int32\0System\0Absent\0walked\0Foo\0Bar\0V\0";
enum {
    NAME_MODULE = 1,
    NAME_T = 10,
    NAME_M = 12,
    NAME_S = 14,
    NAME_X = 16,
    NAME_F = 18,
    NAME_OBJECT = 20,
    NAME_INT32 = 27,
    NAME_SYSTEM = 33,
    NAME_ABSENT = 40,
    NAME_WALKED = 47,
    NAME_FOO = 54,
    NAME_BAR = 58
};
enum { BLOB_METHOD = 1 }; /* blob heap: 0; M's signature, without its length; then the one given */
/* M's signature; what a test sets stays until it sets another. */
static const uint8_t  image_takes_int[] = {0x00, 1, 0x08, 0x08};
static const uint8_t *image_method = image_takes_int;
static uint8_t        image_method_size = sizeof image_takes_int;
#define BLOB_GIVEN (2u + image_method_size)

/* S's signature and where its body stands in the one given, when a test sets them; else S has the signature given and no
 * body. */
static const uint8_t *image_second;
static uint8_t        image_second_size;
static uint32_t       image_second_at, image_blob_size;
#define BLOB_SECOND (BLOB_GIVEN + (image_blob_size < 0x80 ? 1 : 2) + image_blob_size)

/* Set: an uncompressed stream, #-, with a table MethodPtr that lists the methods backwards. */
static bool image_uncompressed;

static void put_tables(image_bytes *b, uint32_t body_rva)
{
    static const uint8_t present[] = {0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x08,
                                      0x0a, 0x11, 0x1b, 0x20, 0x23, 0x2b};
    uint8_t              counts[] = {1, 2, 2, 1, image_uncompressed ? 2 : 0, 2, 1, 2, 1, 1, 1, 1, 1};
    uint64_t             valid = 0;
    for (unsigned i = 0; i < sizeof present; i++)
        if (counts[i]) valid |= UINT64_C(1) << present[i];
    put(b, 0, 4), put(b, 2, 1), put(b, 0, 1), put(b, 0, 1), put(b, 1, 1), put(b, valid, 8), put(b, 0, 8);
    for (unsigned i = 0; i < sizeof counts; i++)
        if (counts[i]) put(b, counts[i], 4);
    ROW(0, NAME_WALKED, 1, 0, 0);
    ROW(1 << 2 | 2, NAME_OBJECT, NAME_SYSTEM);
    ROW(1 << 2 | 2, NAME_INT32, NAME_SYSTEM);
    ROW(WIDE(0), NAME_MODULE, 0, 0, 1, 1);
    ROW(WIDE(1), NAME_T, 0, 1 << 2 | 1, 1, 1);
    ROW(0x10, NAME_F, BLOB_GIVEN);
    if (image_uncompressed) ROW(2, 1);
    put(b, body_rva, 4), ROW(0, 0x16, NAME_M, BLOB_METHOD, 1);
    put(b, image_second ? body_rva + image_second_at : 0, 4);
    ROW(0, 0x16, NAME_S, image_second ? BLOB_SECOND : BLOB_GIVEN, 2);
    ROW(0, 1, NAME_X);
    ROW(1 << 3 | 1, NAME_FOO, BLOB_GIVEN);
    ROW(1 << 3 | 4, NAME_BAR, BLOB_METHOD);
    ROW(BLOB_GIVEN);
    ROW(BLOB_GIVEN);
    ROW(WIDE(0), 1, 0, 0, 0, WIDE(0), 0, NAME_WALKED, 0);
    ROW(4, 0, 0, 0, WIDE(0), 0, NAME_ABSENT, 0, 0);
    ROW(1 << 1, BLOB_GIVEN);
}

static void put_compressed(image_bytes *b, size_t value)
{
    if (value < 0x80) {
        put(b, value, 1);
    } else {
        put(b, 0x80 | value >> 8, 1);
        put(b, value & 0xFF, 1);
    }
}

static void put_blob_heap(image_bytes *b, const uint8_t *blob, size_t size)
{
    put(b, 0, 1);
    put(b, image_method_size, 1);
    memcpy(b->at, image_method, image_method_size);
    b->at += image_method_size;
    put_compressed(b, size);
    memcpy(b->at, blob, size);
    b->at += size;
    if (image_second) {
        put(b, image_second_size, 1);
        memcpy(b->at, image_second, image_second_size);
        b->at += image_second_size;
    }
    put(b, 0, 4);
}

static void put_stream(uint8_t *header, const uint8_t *root, const uint8_t *start, const uint8_t *end)
{
    image_bytes h = {header};
    put(&h, (uint64_t)(start - root), 4);
    put(&h, (uint64_t)(end - start), 4);
}

static void put_metadata(image_bytes *b, uint32_t body_rva, const uint8_t *blob, size_t size)
{
    static const char *const names[] = {"#~\0\0", "#Strings\0\0\0\0", "#US\0", "#GUID\0\0\0", "#Blob\0\0\0"};
    static const uint8_t     widths[] = {4, 12, 4, 8, 8};
    static const uint8_t     user[] = {0, 5, 'h', 0, 'i', 0, 0, 0};
    uint8_t                 *root = b->at, *headers[5], *starts[6];
    put(b, 0x424A5342, 4), put(b, 1, 2), put(b, 1, 2), put(b, 0, 4), put(b, 4, 4);
    memcpy(b->at, "v4.0", 4), b->at += 4;
    put(b, 0, 2), put(b, 5, 2);
    for (int i = 0; i < 5; i++) {
        headers[i] = b->at;
        b->at += 8;
        memcpy(b->at, names[i], widths[i]);
        if (i == 0 && image_uncompressed) b->at[1] = '-';
        b->at += widths[i];
    }
    starts[0] = b->at;
    put_tables(b, body_rva);
    starts[1] = b->at;
    memcpy(b->at, image_strings, sizeof image_strings), b->at += sizeof image_strings;
    starts[2] = b->at;
    memcpy(b->at, user, sizeof user), b->at += sizeof user;
    starts[3] = b->at;
    memset(b->at, 7, 16), b->at += 16;
    starts[4] = b->at;
    put_blob_heap(b, blob, size);
    starts[5] = b->at;
    for (int i = 0; i < 5; i++)
        put_stream(headers[i], root, starts[i], starts[i + 1]);
}

static void put_headers(uint8_t *image, size_t section_size)
{
    image_bytes b = {image};
    put(&b, 0x5A4D, 2);
    b.at = image + 0x3C, put(&b, 0x80, 4);
    b.at = image + 0x80;
    put(&b, 0x4550, 4), put(&b, 0x14C, 2), put(&b, 1, 2), put(&b, 0, 12), put(&b, 0xE0, 2),
        put(&b, 0x2102, 2);
    uint8_t *optional = b.at;
    put(&b, 0x10B, 2);
    b.at = optional + 92, put(&b, 16, 4);
    b.at = optional + 96 + 14 * 8, put(&b, IMAGE_RVA, 4), put(&b, 72, 4);
    b.at = optional + 0xE0;
    memcpy(b.at, ".text", 5), b.at += 8;
    put(&b, section_size, 4), put(&b, IMAGE_RVA, 4), put(&b, section_size, 4), put(&b, IMAGE_RAW, 4);
}

/* Builds into image, IMAGE_MAX bytes; returns the size. */
static size_t image_build(uint8_t *image, const uint8_t *body, size_t body_size, const uint8_t *blob,
                          size_t blob_size)
{
    memset(image, 0, IMAGE_MAX);
    image_blob_size = (uint32_t)blob_size;
    uint8_t    *section = image + IMAGE_RAW;
    image_bytes b = {section + 80};
    uint8_t    *root = b.at;
    /* The body comes last, so that it ends with the section. */
    put_metadata(&b, 0, blob, blob_size);
    size_t   metadata_size = (size_t)(b.at - root);
    uint32_t body_at = (uint32_t)(b.at - section + 3) & ~3u;
    b.at = root;
    put_metadata(&b, IMAGE_RVA + body_at, blob, blob_size);
    memcpy(section + body_at, body, body_size);
    b.at = section, put(&b, 72, 4), put(&b, 2, 2), put(&b, 5, 2), put(&b, IMAGE_RVA + 80, 4),
    put(&b, metadata_size, 4);
    put(&b, 1, 4);
    size_t size = body_at + body_size;
    put_headers(image, size);
    return IMAGE_RAW + size;
}

static inline size_t image_with_body(uint8_t *image, const uint8_t *body, size_t size)
{
    static const uint8_t locals[] = {0x07, 2, 0x08, 0x0D}; /* int32, float64 */
    return image_build(image, body, size, locals, sizeof locals);
}

static inline size_t image_with_blob(uint8_t *image, const uint8_t *blob, size_t size)
{
    static const uint8_t code[] = {0x0A, 0x16, 0x2A}; /* tiny: ldc.i4.0; ret */
    return image_build(image, code, sizeof code, blob, size);
}

#endif
