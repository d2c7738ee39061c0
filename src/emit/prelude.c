/* prelude.c - what emitted text leans on, per dialect: how a function is declared, bits, square roots, helpers
 * of lib/helpers.def, the error slot. Only what the text mentions is printed, in a fixed order. */
#include "base/mode.h"
#include "emit/rows.h"

#include <ctype.h>

typedef struct definition {
    const char *word, *c, *cuda; /* the word that asks for it; NULL: nothing in that dialect */
} definition;

/* tcc has no square root: digit by digit, exact (the classic restoring method), rounded to even. */
static const char tcc_sqrt[] =
    "#ifdef __TINYC__\n"
    "static double il_sqrt64(double a) {\n"
    "    unsigned long long m, q = 0, s = 0, r = 1ULL << 53, t;\n"
    "    int e;\n"
    "    if (a != a || a == 0.0 || a > 1.7976931348623157e308) return a;\n"
    "    if (a < 0.0) return IL_F64(0x7ff8000000000000LL);\n"
    "    m = (unsigned long long)IL_I64(a);\n"
    "    e = (int)(m >> 52);\n"
    "    if (e == 0) {\n"
    "        m = (unsigned long long)IL_I64(a * 18014398509481984.0);\n"
    "        e = (int)(m >> 52) - 54;\n"
    "    }\n"
    "    e -= 1023;\n"
    "    m = (m & 0xfffffffffffffULL) | 0x10000000000000ULL;\n"
    "    if (e & 1) { m <<= 1; e -= 1; }\n"
    "    m <<= 1;\n"
    "    while (r != 0) {\n"
    "        t = s + r;\n"
    "        if (t <= m) { s = t + r; m -= t; q += r; }\n"
    "        m <<= 1;\n"
    "        r >>= 1;\n"
    "    }\n"
    "    if (m != 0) q += q & 1;\n"
    "    return IL_F64((long long)((q >> 1) + ((unsigned long long)(1022 + e / 2) << 52)));\n"
    "}\n"
    "#define IL_SQRT64(a) il_sqrt64(a)\n"
    "#define IL_SQRT32(a) ((float)il_sqrt64((double)(a)))\n"
    "#else\n"
    "#define IL_SQRT64(a) __builtin_sqrt(a)\n"
    "#define IL_SQRT32(a) __builtin_sqrtf(a)\n"
    "#endif\n";

/* Compilers name the instruction by either; without it the helpers stand in. */
static const char fma_text[] =
    "#if defined __FMA__ || defined __FP_FAST_FMA\n"
    "#define IL_FMA32(a, b, c) __builtin_fmaf(a, b, c)\n"
    "#define IL_FMA64(a, b, c) __builtin_fma(a, b, c)\n"
    "#else\n"
    "#define IL_FMA32(a, b, c) il_fma_f32(a, b, c)\n"
    "#define IL_FMA64(a, b, c) il_fma_f64(a, b, c)\n"
    "#endif\n";

static const definition definitions[] = {
    {"IL_FN", "#define IL_FN static inline\n", "#define IL_FN static __device__ inline\n"},
    {"IL_F32",
     "static inline float il_f32_of(int a) { union { int i; float f; } u; u.i = a; return u.f; }\n"
     "#define IL_F32(a) il_f32_of(a)\n",
     "#define IL_F32(a) __int_as_float(a)\n"},
    {"IL_I32",
     "static inline int il_i32_of(float a) { union { int i; float f; } u; u.f = a; return u.i; }\n"
     "#define IL_I32(a) il_i32_of(a)\n",
     "#define IL_I32(a) __float_as_int(a)\n"},
    {"IL_F64",
     "static inline double il_f64_of(long long a) { union { long long i; double f; } u; u.i = a; return u.f; }\n"
     "#define IL_F64(a) il_f64_of(a)\n",
     "#define IL_F64(a) __longlong_as_double(a)\n"},
    {"IL_I64",
     "static inline long long il_i64_of(double a) { union { long long i; double f; } u; u.f = a; return u.i; }\n"
     "#define IL_I64(a) il_i64_of(a)\n",
     "#define IL_I64(a) __double_as_longlong(a)\n"},
    {"IL_ABS32", "#define IL_ABS32(a) IL_F32(IL_I32(a) & 0x7fffffff)\n", "#define IL_ABS32(a) fabsf(a)\n"},
    {"IL_ABS64", "#define IL_ABS64(a) IL_F64(IL_I64(a) & 0x7fffffffffffffffLL)\n", "#define IL_ABS64(a) fabs(a)\n"},
    {"IL_SQRT", tcc_sqrt, "#define IL_SQRT32(a) __fsqrt_rn(a)\n#define IL_SQRT64(a) __dsqrt_rn(a)\n"},
    {"IL_FMA", fma_text, "#define IL_FMA32(a, b, c) __fmaf_rn(a, b, c)\n#define IL_FMA64(a, b, c) __fma_rn(a, b, c)\n"},
};

/* Mode fast: what the compiler makes of it is up to its options. */
static const char near_sqrt[] = "#define IL_SQRT32(a) sqrtf(a)\n#define IL_SQRT64(a) __dsqrt_rn(a)\n";

/* What an array of arrays holds; null: length -1. */
static const definition pair = {"il_array", "typedef struct il_array { void *data; long long length; } il_array;\n",
                                "struct il_array { void *data; long long length; };\n"};

/* element << 16 | site, the least of all: the plain read keeps the atomic off the usual path. */
static const definition state = {
    "il_state",
    "typedef struct il_state { unsigned long long *slot; long long element; int failed; unsigned char *at, *end; } il_state;\n"
    "static inline void il_raise(il_state *il_at, unsigned site) {\n"
    "    unsigned long long key = (unsigned long long)il_at->element << 16 | site;\n"
    "    if (key < *il_at->slot) *il_at->slot = key;\n"
    "    il_at->failed = 1;\n"
    "}\n",
    "struct il_state { unsigned long long *slot; long long element; int failed; unsigned char *at, *end; };\n"
    "static __device__ inline void il_raise(il_state *il_at, unsigned site) {\n"
    "    unsigned long long key = (unsigned long long)il_at->element << 16 | site;\n"
    "    if (key < *(volatile unsigned long long *)il_at->slot) atomicMin(il_at->slot, key);\n"
    "    il_at->failed = 1;\n"
    "}\n"};

/* An array of any length, zeroed: 16 bytes at least, as each has an address of its own. Site 65535: no memory is left. */
#define NEW_BODY                                                                                             \
    "    long long bytes = length > 0 ? (length * size + 15) & -16LL : 16;\n"                                \
    "    if (length > 0x7FFFFFC7 || bytes > state->end - state->at) {\n"                                     \
    "        il_raise(state, 65535);\n"                                                                      \
    "        return 0;\n"                                                                                    \
    "    }\n"                                                                                                \
    "    unsigned long long *made = (unsigned long long *)state->at;\n"                                      \
    "    state->at += bytes;\n"                                                                              \
    "    for (long long k = 0; k < bytes / 8; k++) made[k] = 0;\n"                                           \
    "    return made;\n"                                                                                     \
    "}\n"
static const definition heap = {"il_new", "static inline void *il_new(il_state *state, long long length, long long size) {\n" NEW_BODY,
                                "static __device__ inline void *il_new(il_state *state, long long length, long long size) {\n" NEW_BODY};
#define OF_BODY "    il_array array;\n    array.data = (void *)data;\n    array.length = length;\n    return array;\n}\n"
static const definition array_of = {"il_array_of", "static inline il_array il_array_of(const void *data, long long length) {\n" OF_BODY,
                                    "static __device__ inline il_array il_array_of(const void *data, long long length) {\n" OF_BODY};

#define COPY_BODY                                                                                            \
    "    unsigned char *data = array.length < 0 || state->failed ? 0 : (unsigned char *)il_new(state, array.length, size);\n" \
    "    for (long long k = 0; data && k < array.length * size; k++) data[k] = ((const unsigned char *)array.data)[k];\n" \
    "    array.data = data;\n"                                                                               \
    "    return array;\n"                                                                                    \
    "}\n"
static const definition array_copy = {"il_array_copy", "static inline il_array il_array_copy(il_state *state, il_array array, long long size) {\n" COPY_BODY,
                                      "static __device__ inline il_array il_array_copy(il_state *state, il_array array, long long size) {\n" COPY_BODY};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

bool ilc__text_mentions(const char *text, const char *word, bool prefix)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length)
        if ((at == text || !is_word(at[-1])) && (prefix || !is_word(at[length]))) return true;
    return false;
}

/* The words of the text that may ask for something, each once: there are many definitions, and the text may be long. */
static ilc__map words_of(const char *text, ilc__text *list)
{
    ilc__map words = {.arena = list->arena};
    while (*text) {
        size_t length = 0;
        while (is_word(text[length])) length++;
        bool asks = length > 3 && (memcmp(text, "il_", 3) == 0 || memcmp(text, "IL_", 3) == 0);
        if (asks && !ilc__map_get(&words, text, length)) {
            ilc__map_put(&words, text, length, list->arena);
            ilc__text_add(list, text, length);
            ilc__text_putc(list, ' ');
        }
        text += length ? length : 1;
    }
    return words;
}

/* The definition of IL_FMA leans on them in C. */
static bool is_for_fma(const char *name, const char *text)
{
    return (strcmp(name, "il_fma_f32") == 0 && ilc__text_mentions(text, "IL_FMA32", false)) ||
           (strcmp(name, "il_fma_f64") == 0 && ilc__text_mentions(text, "IL_FMA64", false));
}

static void select_helpers(const ilc__map *words, const char *text, bool c, bool *used)
{
    uint32_t count = ilc__helper_count();
    for (uint32_t i = 0; i < count; i++) {
        const char *name = ilc__helper_at(i)->name;
        used[i] = ilc__map_get(words, name, strlen(name)) != NULL || (c && is_for_fma(name, text));
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; used[i] && k < count; k++)
                if (!used[k] && ilc__text_mentions(ilc__helper_at(i)->uses, ilc__helper_at(k)->name, false)) used[k] = more = true;
    }
}

/* Each helper after those it calls; the table lists them in such an order but for a few. */
static void add_helper(uint32_t index, bool *used, ilc__text *out)
{
    const ilc__helper *helper = ilc__helper_at(index);
    if (!used[index]) return;
    used[index] = false;
    for (uint32_t k = 0; k < ilc__helper_count(); k++)
        if (used[k] && ilc__text_mentions(helper->uses, ilc__helper_at(k)->name, false)) add_helper(k, used, out);
    ilc__text_puts(out, helper->text);
    ilc__text_putc(out, '\n');
}

/* In C absolute values and square roots are made of bits. */
static bool is_brought(const char *word, const char *text, const char *helpers)
{
    bool single = strcmp(word, "IL_F32") == 0 || strcmp(word, "IL_I32") == 0, twice = strcmp(word, "IL_F64") == 0 || strcmp(word, "IL_I64") == 0;
    if (single) return ilc__text_mentions(text, "IL_ABS32", false) || ilc__text_mentions(helpers, "IL_ABS32", false);
    if (!twice) return false;
    return ilc__text_mentions(text, "IL_ABS64", false) || ilc__text_mentions(helpers, "IL_ABS64", false) || ilc__text_mentions(text, "IL_SQRT", true) ||
           ilc__text_mentions(helpers, "IL_SQRT", true);
}

/* Asked for by the text, or by a definition that another one brings. */
static bool is_wanted(const char *word, const char *text, const char *helpers, bool c)
{
    bool prefix = strcmp(word, "IL_SQRT") == 0 || strcmp(word, "IL_FMA") == 0;
    if (ilc__text_mentions(text, word, prefix) || ilc__text_mentions(helpers, word, prefix)) return true;
    return c && is_brought(word, text, helpers);
}

void ilc__prelude(ilc__emitter *em, const char *whole, ilc__text *out)
{
    bool      c = em->options->dialect == ILC__DIALECT_C;
    uint32_t  count = ilc__helper_count();
    bool     *used = ILC__NEW_ARRAY(em->arena, bool, count + 1);
    ilc__text helpers = {.arena = em->arena}, list = {.arena = em->arena};
    ilc__map    words = words_of(whole, &list);
    const char *text = ilc__text_string(&list);
    select_helpers(&words, text, c, used);
    if (em->options->fast) ilc__text_puts(out, ILC__FAST_MARK);
    for (uint32_t i = 0; i < count; i++) add_helper(i, used, &helpers);
    for (size_t i = 0; i < sizeof definitions / sizeof *definitions; i++) {
        const definition *d = &definitions[i];
        bool              near = !c && em->options->fast && strcmp(d->word, "IL_SQRT") == 0;
        if (is_wanted(d->word, text, ilc__text_string(&helpers), c)) ilc__text_puts(out, c ? d->c : near ? near_sqrt : d->cuda);
    }
    ilc__text_puts(out, ilc__text_string(&helpers));
    if (ilc__text_mentions(text, state.word, false)) ilc__text_puts(out, c ? state.c : state.cuda);
    if (ilc__text_mentions(text, "il_quad", false)) ilc__text_puts(out, ilc__quad_prelude);
    if (ilc__text_mentions(text, "il_part", false)) ilc__text_puts(out, ilc__tile_prelude);
    if (ilc__text_mentions(text, "il_warp_rows", false)) ilc__text_puts(out, ilc__rows_prelude);
    bool copies = ilc__text_mentions(text, array_copy.word, false);
    if (copies || ilc__text_mentions(text, heap.word, false)) ilc__text_puts(out, c ? heap.c : heap.cuda);
    if (ilc__text_mentions(text, pair.word, false)) ilc__text_puts(out, c ? pair.c : pair.cuda);
    if (ilc__text_mentions(text, array_of.word, false)) ilc__text_puts(out, c ? array_of.c : array_of.cuda);
    if (copies) ilc__text_puts(out, c ? array_copy.c : array_copy.cuda);
    if (out->length) ilc__text_putc(out, '\n');
}

const char *ilc__emit_prelude(ilc__arena *arena, ilc__dialect dialect, bool fast, const char *text)
{
    ilc__emit_options options = {.dialect = dialect, .fast = fast};
    ilc__emitter      em = {.arena = arena, .options = &options};
    ilc__text         out = {.arena = arena};
    ilc__prelude(&em, text, &out);
    return ilc__text_string(&out);
}
