/* reader.h - a bounded cursor over borrowed bytes, little-endian.
 *
 * Each read moves the cursor on and returns true, or returns false, leaving the cursor where it was. */
#ifndef ILC_BASE_READER_H
#define ILC_BASE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ilc__reader {
    const uint8_t *at, *end;
} ilc__reader;

static inline ilc__reader ilc__reader_of(const uint8_t *bytes, size_t size)
{
    return (ilc__reader){bytes, size ? bytes + size : bytes};
}

static inline size_t ilc__left(const ilc__reader *r)
{
    return (size_t)(r->end - r->at);
}

static inline bool ilc__skip(ilc__reader *r, size_t size)
{
    if (ilc__left(r) < size) return false;
    r->at += size;
    return true;
}

static inline bool ilc__read_uint(ilc__reader *r, unsigned size, uint64_t *out)
{
    if (ilc__left(r) < size) return false;
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++) value |= (uint64_t)r->at[i] << (8 * i);
    r->at += size;
    *out = value;
    return true;
}

static inline bool ilc__read_u8(ilc__reader *r, uint8_t *out)
{
    uint64_t v;
    if (!ilc__read_uint(r, 1, &v)) return false;
    *out = (uint8_t)v;
    return true;
}

static inline bool ilc__read_u16(ilc__reader *r, uint16_t *out)
{
    uint64_t v;
    if (!ilc__read_uint(r, 2, &v)) return false;
    *out = (uint16_t)v;
    return true;
}

static inline bool ilc__read_u32(ilc__reader *r, uint32_t *out)
{
    uint64_t v;
    if (!ilc__read_uint(r, 4, &v)) return false;
    *out = (uint32_t)v;
    return true;
}

/* ECMA-335 II.23.2: compressed unsigned integer of 1, 2 or 4 bytes. */
static inline bool ilc__read_compressed(ilc__reader *r, uint32_t *out)
{
    size_t left = ilc__left(r);
    if (left < 1) return false;
    uint8_t b = r->at[0];
    if ((b & 0x80) == 0) {
        *out = b;
        r->at += 1;
        return true;
    }
    if ((b & 0xC0) == 0x80) {
        if (left < 2) return false;
        *out = (uint32_t)(b & 0x3F) << 8 | r->at[1];
        r->at += 2;
        return true;
    }
    if ((b & 0xE0) != 0xC0 || left < 4) return false;
    *out = (uint32_t)(b & 0x1F) << 24 | (uint32_t)r->at[1] << 16 | (uint32_t)r->at[2] << 8 | r->at[3];
    r->at += 4;
    return true;
}

#endif
