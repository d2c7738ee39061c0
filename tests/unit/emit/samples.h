/* samples.h - values of each type on which operations are tried. */
#ifndef TEST_EMIT_SAMPLES_H
#define TEST_EMIT_SAMPLES_H

#include "trees.h"

/* Which row an operand letter selects. */
static const uint64_t ints[] = {0, 1, 2, 3, 31, 33, 100, 127, 128, 200, 255, 256, 32767, 32768, 46341, 65535, 65536, 2147483647u,
                                2147483648u, 4294967295u, 4294967294u, 4294967168u, 4294934528u};
static const uint64_t longs[] = {0, 1, 2, 63, 65, 127, 255, 65536, 2147483647u, 2147483648u, 4294967295u, 4294967296u,
                                 3037000499u, 3037000500u, 9007199254740993u, 0x7fffffffffffffffu, 0x8000000000000000u,
                                 0xffffffffffffffffu, 0xfffffffffffffffeu, 0xffffffff80000000u, 0x8000000000000401u,
                                 0xffffff7fffffffffu};
static const uint32_t floats[] = {0, 0x80000000, 1, 0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000,
                                  0x4b800001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x3effffff,
                                  0x4f000000, 0xcf000000, 0x00800000, 0x42c7fae1};
static const uint64_t doubles[] = {0, 0x8000000000000000u, 1, 0x3ff0000000000000u, 0xbff0000000000000u, 0x3fe0000000000000u,
                                   0x3ff8000000000000u, 0x4004000000000000u, 0xc004000000000000u, 0x3fdfffffffffffffu,
                                   0x4330000000000001u, 0x7fefffffffffffffu, 0x7ff0000000000000u, 0xfff0000000000000u,
                                   0x7ff8000000000000u, 0x41dfffffffffffffu, 0x41e0000000000000u, 0xc1e0000000000000u,
                                   0x41efffffffe00000u, 0x41f0000000000000u, 0x43e0000000000000u, 0x43f0000000000000u,
                                   0xc3e0000000000000u, 0x000fffffffffffffu, 0x0010000000000000u, 0x405fe66666666666u,
                                   0xc060200000000000u};

static inline uint32_t samples(ilc__ir_type type)
{
    switch (type) {
    case ILC__IR_I32: return sizeof ints / sizeof *ints;
    case ILC__IR_I64: return sizeof longs / sizeof *longs;
    case ILC__IR_F32: return sizeof floats / sizeof *floats;
    default: return sizeof doubles / sizeof *doubles;
    }
}

static inline uint64_t sample(ilc__ir_type type, uint32_t k)
{
    switch (type) {
    case ILC__IR_I32: return (uint64_t)(int64_t)(int32_t)ints[k];
    case ILC__IR_I64: return longs[k];
    case ILC__IR_F32: return floats[k];
    default: return doubles[k];
    }
}

static inline ilc__ir_type letter_type(char c)
{
    return c == 'i' ? ILC__IR_I32 : c == 'l' ? ILC__IR_I64 : c == 'f' ? ILC__IR_F32 : ILC__IR_F64;
}

static inline ilc_storage storage_of(ilc__ir_type type)
{
    return type == ILC__IR_I32 ? ILC_I32 : type == ILC__IR_I64 ? ILC_I64 : type == ILC__IR_F32 ? ILC_F32 : ILC_F64;
}

static inline bool is_nan(ilc__ir_type type, uint64_t bits)
{
    if (type == ILC__IR_F32) return (bits & 0x7fffffff) > 0x7f800000;
    return type == ILC__IR_F64 && (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u;
}

static inline uint64_t cut(ilc__ir_type type, uint64_t bits)
{
    return type == ILC__IR_I32 || type == ILC__IR_F32 ? bits & 0xffffffffu : bits;
}

#endif
