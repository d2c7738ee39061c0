/* functions.h - the elementary functions as compiled for this machine: what the judge calls, as there is neither IL
 * nor an IEEE definition to judge them by (docs/design.md). Nothing else of lib's semantics is here. */
#ifndef ILC_LIB_FUNCTIONS_H
#define ILC_LIB_FUNCTIONS_H

/* By name: FUNCTION1(name) of one double, FUNCTION2(name) of two. */
#define ILC__FUNCTIONS(FUNCTION1, FUNCTION2)                                                                 \
    FUNCTION1(exp) FUNCTION1(log) FUNCTION1(log2) FUNCTION1(log10) FUNCTION2(pow) FUNCTION1(sin) FUNCTION1(cos) \
    FUNCTION1(tan) FUNCTION1(atan) FUNCTION2(atan2) FUNCTION1(asin) FUNCTION1(acos) FUNCTION1(sinh)           \
    FUNCTION1(cosh) FUNCTION1(tanh) FUNCTION1(cbrt)

#define ILC__FUNCTION1(name) double ilc__function_##name(double a);
#define ILC__FUNCTION2(name) double ilc__function_##name(double a, double b);
ILC__FUNCTIONS(ILC__FUNCTION1, ILC__FUNCTION2)
#undef ILC__FUNCTION1
#undef ILC__FUNCTION2

#endif
