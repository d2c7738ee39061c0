/* lanes_prelude.c - the types and helpers that text over vectors leans on (lanes.h). Only what is mentioned is printed. */
#include "emit/lanes.h"

typedef struct definition {
    const char *word, *text;
} definition;

#define PICK(type, mask)                                                                                                         \
    {#type "_pick", "static IL_INLINE " #type " " #type "_pick(" #mask " m, " #type " a, " #type " b) {\n"                       \
                    "    return (" #type ")((m & (" #mask ")a) | (~m & (" #mask ")b));\n}\n"}
#define ALL(type, scalar) {#type "_all", "static IL_INLINE " #type " " #type "_all(" #scalar " a) { return (" #type "){IL_ALL(a)}; }\n"}
/* .NET's: a NaN goes through, -0 < +0 */
#define LEAST(type, bits)                                                                                                        \
    {#type "_min", "static IL_INLINE " #type " " #type "_min(" #type " a, " #type " b) {\n"                                      \
                   "    return " #type "_pick((a < b) | (a != a) | ((a == b) & ((" #bits ")a < 0)), a, b);\n}\n"}
#define MOST(type, bits)                                                                                                         \
    {#type "_max", "static IL_INLINE " #type " " #type "_max(" #type " a, " #type " b) {\n"                                      \
                   "    return " #type "_pick((a > b) | (a != a) | ((a == b) & ((" #bits ")b < 0)), a, b);\n}\n"}
/* No compiler has a square root of these types; the instruction is exact. */
#define SQRT(type, suffix, builtin, bytes)                                                                                       \
    {#type "_sqrt", "static IL_INLINE " #type " " #type "_sqrt(" #type " a) {\n    " #type " r;\n"                               \
                    "#if defined(__AVX__) && IL_LANES * " bytes " >= 16\n"                                                       \
                    "    __asm__(\"vsqrtp" suffix " %1, %0\" : \"=v\"(r) : \"v\"(a));\n"                                         \
                    "#elif defined(__SSE2__) && IL_LANES * " bytes " == 16\n"                                                    \
                    "    __asm__(\"sqrtp" suffix " %1, %0\" : \"=x\"(r) : \"x\"(a));\n"                                          \
                    "#else\n    for (int l = 0; l < IL_LANES; l++) r[l] = " builtin "(a[l]);\n#endif\n    return r;\n}\n"}

/* Nor an fma; where there is no instruction, that of the prelude for each lane. */
#define FMA(type, suffix, scalar, bytes)                                                                                         \
    {#type "_fma", "static IL_INLINE " #type " " #type "_fma(" #type " a, " #type " b, " #type " c) {\n"                         \
                   "#if defined(__FMA__) && IL_LANES * " bytes " >= 16\n"                                                        \
                   "    __asm__(\"vfmadd231p" suffix " %2, %1, %0\" : \"+v\"(c) : \"v\"(a), \"v\"(b));\n    return c;\n"            \
                   "#else\n    " #type " r;\n    for (int l = 0; l < IL_LANES; l++) r[l] = " scalar "(a[l], b[l], c[l]);\n"      \
                   "    return r;\n#endif\n}\n"}

/* Each after what it leans on. */
static const definition definitions[] = {
    {"IL_ALL", "#if IL_LANES == 16\n#define IL_ALL(a) a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a\n"
               "#elif IL_LANES == 8\n#define IL_ALL(a) a, a, a, a, a, a, a, a\n"
               "#elif IL_LANES == 4\n#define IL_ALL(a) a, a, a, a\n"
               "#else\n#define IL_ALL(a) a, a\n#endif\n"},
    {"IL_COUNT", "#if IL_LANES == 16\n#define IL_COUNT 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
                 "#elif IL_LANES == 8\n#define IL_COUNT 0, 1, 2, 3, 4, 5, 6, 7\n"
                 "#elif IL_LANES == 4\n#define IL_COUNT 0, 1, 2, 3\n"
                 "#else\n#define IL_COUNT 0, 1\n#endif\n"},
    {"IL_INLINE", "#define IL_INLINE inline __attribute__((always_inline))\n"},
    {"il_f32v", "typedef float il_f32v __attribute__((vector_size(IL_LANES * 4)));\n"},
    {"il_f64v", "typedef double il_f64v __attribute__((vector_size(IL_LANES * 8)));\n"},
    {"il_i32v", "typedef int il_i32v __attribute__((vector_size(IL_LANES * 4)));\n"},
    {"il_i64v", "typedef long long il_i64v __attribute__((vector_size(IL_LANES * 8)));\n"},
    {"il_u32v", "typedef unsigned il_u32v __attribute__((vector_size(IL_LANES * 4)));\n"},
    {"il_u64v", "typedef unsigned long long il_u64v __attribute__((vector_size(IL_LANES * 8)));\n"},
    /* at any address */
    {"il_f32u", "typedef il_f32v il_f32u __attribute__((aligned(4)));\n"},
    {"il_f64u", "typedef il_f64v il_f64u __attribute__((aligned(8)));\n"},
    {"il_i32u", "typedef il_i32v il_i32u __attribute__((aligned(4)));\n"},
    {"il_i64u", "typedef il_i64v il_i64u __attribute__((aligned(8)));\n"},
    ALL(il_f32v, float),
    ALL(il_f64v, double),
    ALL(il_i32v, int),
    ALL(il_i64v, long long),
    {"il_i32v_from", "static IL_INLINE il_i32v il_i32v_from(long long first) { return il_i32v_all((int)first) + (il_i32v){IL_COUNT}; }\n"},
    {"il_i64v_from", "static IL_INLINE il_i64v il_i64v_from(long long first) { return il_i64v_all(first) + (il_i64v){IL_COUNT}; }\n"},
    PICK(il_f32v, il_i32v),
    PICK(il_f64v, il_i64v),
    PICK(il_i32v, il_i32v),
    PICK(il_i64v, il_i64v),
    LEAST(il_f32v, il_i32v),
    LEAST(il_f64v, il_i64v),
    MOST(il_f32v, il_i32v),
    MOST(il_f64v, il_i64v),
    SQRT(il_f32v, "s", "__builtin_sqrtf", "4"),
    SQRT(il_f64v, "d", "__builtin_sqrt", "8"),
    FMA(il_f32v, "s", "IL_FMA32", "4"),
    FMA(il_f64v, "d", "IL_FMA64", "8"),
    {"il_any", "static inline int il_any(il_i32v m) {\n    int any = 0;\n    for (int l = 0; l < IL_LANES; l++) any |= m[l];\n    return any;\n}\n"},
};

enum { COUNT = sizeof definitions / sizeof *definitions };

void ilc__lanes_prelude(const char *text, ilc__text *out)
{
    bool used[COUNT] = {false};
    for (size_t i = COUNT; i-- > 0;) {
        used[i] = ilc__text_mentions(text, definitions[i].word, false);
        for (size_t k = i + 1; k < COUNT; k++) used[i] = used[i] || (used[k] && ilc__text_mentions(definitions[k].text, definitions[i].word, false));
    }
    for (size_t i = 0; i < COUNT; i++)
        if (used[i]) ilc__text_puts(out, definitions[i].text);
}
