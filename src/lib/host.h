/* host.h - what helpers.def and functions.def are compiled with in the library itself: the dialect of this compiler.
 * Built with -ffp-contract=off, so that each operation rounds by itself. */
#ifndef ILC_LIB_HOST_H
#define ILC_LIB_HOST_H

#include <string.h>

/* A value's bits read as another type of the same width. */
static inline float ilc__f32_of(int bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int ilc__i32_of(float value)
{
    int bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double ilc__f64_of(long long bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline long long ilc__i64_of(double value)
{
    long long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define IL_FN static inline
#define IL_F32(x) ilc__f32_of(x)
#define IL_I32(x) ilc__i32_of(x)
#define IL_F64(x) ilc__f64_of(x)
#define IL_I64(x) ilc__i64_of(x)
#define IL_ABS32(x) __builtin_fabsf(x)
#define IL_ABS64(x) __builtin_fabs(x)
#define IL_SQRT32(x) __builtin_sqrtf(x)
#define IL_SQRT64(x) __builtin_sqrt(x)
/* Not the C library's: some of them round twice. */
#define IL_FMA32(x, y, z) il_fma_f32(x, y, z)
#define IL_FMA64(x, y, z) il_fma_f64(x, y, z)

#endif
