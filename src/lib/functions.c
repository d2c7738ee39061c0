/* functions.c - the elementary functions of functions.def, compiled. Built with -ffp-contract=off. */
#include "lib/functions.h"

#include "lib/host.h"

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
