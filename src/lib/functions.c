/* functions.c - the elementary functions of functions.def, compiled. Built with -ffp-contract=off. */
#include "lib/functions.h"

#include <string.h>

static inline double f64_of(long long bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline long long i64_of(double value)
{
    long long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define IL_FN static inline
#define IL_F64(x) f64_of(x)
#define IL_I64(x) i64_of(x)
#define IL_SQRT64(x) __builtin_sqrt(x)
#define HELPER(name, uses, ...) __VA_ARGS__
#include "lib/functions.def"
#undef HELPER

#define FUNCTION1(name)                                                                                      \
    double ilc__function_##name(double a)                                                                    \
    {                                                                                                        \
        return il_##name##_f64(a);                                                                           \
    }
#define FUNCTION2(name)                                                                                      \
    double ilc__function_##name(double a, double b)                                                          \
    {                                                                                                        \
        return il_##name##_f64(a, b);                                                                        \
    }
ILC__FUNCTIONS(FUNCTION1, FUNCTION2)
