/* names.c - names of emitted text: ASCII, no word that C, C++ or CUDA takes, unique in their scope. */
#include "emit/internal.h"

#include <stdlib.h>

/* Keywords of C11 and C++20, and what CUDA, NVRTC and hosted headers define as macros or builtins. Sorted. */
static const char *const reserved[] = {
    "EOF", "INFINITY", "NAN", "NULL", "abs", "alignas", "alignof", "and", "and_eq", "asm", "assert", "atomicAdd",
    "atomicMin", "auto", "bitand", "bitor", "blockDim", "blockIdx", "bool", "break", "case", "catch", "ceil",
    "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept",
    "const", "const_cast", "consteval", "constexpr", "constinit", "continue", "cosf", "cudaError_t", "decltype",
    "default", "delete", "dim3", "do", "double", "double2", "double3", "double4", "dynamic_cast", "else", "enum",
    "errno", "explicit", "export", "extern", "fabs", "false", "final", "float", "float2", "float3", "float4",
    "floor", "fma", "fmax", "fmin", "for", "friend", "goto", "gridDim", "half", "i386", "if", "inline", "int",
    "int16_t", "int2", "int3", "int32_t", "int4", "int64_t", "int8_t", "linux", "long", "main", "max", "min",
    "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "offsetof", "operator", "or", "or_eq",
    "override", "printf", "private", "protected", "ptrdiff_t", "public", "register", "reinterpret_cast",
    "requires", "restrict", "return", "rsqrtf", "short", "signed", "sinf", "size_t", "sizeof", "sqrt", "sqrtf",
    "static", "static_assert", "static_cast", "stderr", "stdin", "stdout", "struct", "switch", "template",
    "this", "thread_local", "threadIdx", "throw", "true", "try", "typedef", "typeid", "typename", "typeof",
    "uint16_t", "uint2", "uint3", "uint32_t", "uint4", "uint64_t", "uint8_t", "union", "unix", "unsigned",
    "using", "virtual", "void", "volatile", "warpSize", "wchar_t", "while", "xor", "xor_eq",
};

static int compare_words(const void *key, const void *entry)
{
    return strcmp(key, *(const char *const *)entry);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Other bytes become their hex between underscores, "_xC3B6_": UTF-8 byte by byte, runs joined. */
const char *ilc__name_mangle(ilc__arena *arena, const char *source)
{
    ilc__text text = {.arena = arena};
    for (const char *at = source; *at; at++) {
        if (is_letter(*at) || is_digit(*at)) {
            ilc__text_putc(&text, *at);
            continue;
        }
        ilc__text_puts(&text, "_x");
        for (; *at && !is_letter(*at) && !is_digit(*at); at++)
            ilc__text_printf(&text, "%02X", (unsigned)(unsigned char)*at);
        ilc__text_putc(&text, '_');
        at--;
    }
    return text.length ? text.data : "_";
}

const char *ilc__name_unique(ilc__names *names, const char *wanted)
{
    const char *name = wanted;
    names->taken.arena = names->arena;
    uint32_t *number = ilc__map_get(&names->taken, name, strlen(name)), *last = number; /* the last that a name was given */
    while (number) {
        name = ilc__arena_printf(names->arena, "%s_%u", wanted, ++*last);
        number = ilc__map_get(&names->taken, name, strlen(name));
    }
    number = ILC__NEW(names->arena, uint32_t);
    *number = 1;
    ilc__map_put(&names->taken, name, strlen(name), number);
    return name;
}

/* NULL, EOF and their kind: any library may define such a macro. */
static bool looks_like_macro(const char *name)
{
    size_t length = 0, letters = 0;
    for (; name[length]; length++) {
        if (name[length] >= 'a' && name[length] <= 'z') return false;
        letters += name[length] >= 'A' && name[length] <= 'Z';
    }
    return letters >= 3;
}

const char *ilc__name_local(ilc__names *names, const char *source)
{
    const char *name = ilc__name_mangle(names->arena, source);
    bool        ours = strncmp(name, "il_", 3) == 0 || strncmp(name, "IL_", 3) == 0;
    if (!is_letter(name[0]) || name[0] == '_' || ours) name = ilc__arena_printf(names->arena, "v_%s", name);
    bool taken = bsearch(name, reserved, sizeof reserved / sizeof *reserved, sizeof *reserved, compare_words);
    if (taken || looks_like_macro(name)) name = ilc__arena_printf(names->arena, "%s_", name);
    return ilc__name_unique(names, name);
}
