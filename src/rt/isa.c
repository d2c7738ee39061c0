/* isa.c - the instruction set this processor has, as a level that compilers know by name (hostcc.h). */
#include "rt/hostcc.h"

#if defined(__x86_64__)
#include <cpuid.h>

typedef struct need {
    unsigned leaf, reg, bit; /* reg: 0 eax, 1 ebx, 2 ecx, 3 edx of cpuid(leaf, 0) */
} need;

/* System V ABI for x86-64, table 3.1: micro-architecture levels. */
static const need level2[] = {
    {1, 2, 0},          /* sse3    */
    {1, 2, 9},          /* ssse3   */
    {1, 2, 13},         /* cx16    */
    {1, 2, 19},         /* sse4.1  */
    {1, 2, 20},         /* sse4.2  */
    {1, 2, 23},         /* popcnt  */
    {0x80000001, 2, 0}, /* lahf    */
};
static const need level3[] = {
    {1, 2, 12},         /* fma     */
    {1, 2, 22},         /* movbe   */
    {1, 2, 27},         /* osxsave */
    {1, 2, 28},         /* avx     */
    {1, 2, 29},         /* f16c    */
    {7, 1, 3},          /* bmi1    */
    {7, 1, 5},          /* avx2    */
    {7, 1, 8},          /* bmi2    */
    {0x80000001, 2, 5}, /* lzcnt   */
};
static const need level4[] = {
    {7, 1, 16}, /* avx512f  */
    {7, 1, 17}, /* avx512dq */
    {7, 1, 28}, /* avx512cd */
    {7, 1, 30}, /* avx512bw */
    {7, 1, 31}, /* avx512vl */
};

static bool has(const need *needs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned r[4];
        if (!__get_cpuid_count(needs[i].leaf, 0, &r[0], &r[1], &r[2], &r[3])) return false;
        if (!(r[needs[i].reg] >> needs[i].bit & 1)) return false;
    }
    return true;
}

/* What the system saves when it switches threads: bits 1, 2 for AVX, 5..7 as well for AVX-512. */
static unsigned saved_state(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

#define HAS(level) has(level, sizeof(level) / sizeof(level)[0])

const char *ilc__isa_level(void)
{
    if (!HAS(level2)) return "x86-64";
    if (!HAS(level3) || (saved_state() & 0x6) != 0x6) return "x86-64-v2";
    if (!HAS(level4) || (saved_state() & 0xe0) != 0xe0) return "x86-64-v3";
    return "x86-64-v4";
}
#elif defined(__aarch64__)
const char *ilc__isa_level(void)
{
    return "armv8-a";
}
#else
const char *ilc__isa_level(void)
{
    return "baseline";
}
#endif

/* Highest first. */
static const char *const levels[] = {
#if defined(__x86_64__)
    "x86-64-v4", "x86-64-v3", "x86-64-v2", "x86-64",
#elif defined(__aarch64__)
    "armv8-a",
#else
    "baseline",
#endif
    NULL};

static size_t number_of(const char *level)
{
    size_t i = 0;
    while (levels[i] && strcmp(levels[i], level) != 0) i++;
    return i;
}

bool ilc__isa_is_known(const char *level)
{
    return levels[number_of(level)] != NULL;
}

const char *ilc__isa_below(const char *level)
{
    size_t i = number_of(level);
    return levels[i] ? levels[i + 1] : NULL;
}
