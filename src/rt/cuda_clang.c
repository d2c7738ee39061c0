/* cuda_clang.c - compiles CUDA C with clang to PTX (cuda_clang.h). What a CUDA toolkit's headers would define is a
 * short text of our own, on clang's builtins. */
#include "rt/cuda_clang.h"

#include "rt/hostcc.h"
#include "rt/rt.h"

#include <stdlib.h>

enum { WORDS_MAX = 40 };
static const double ask_limit = 20; /* seconds */

/* The names are those of the CUDA C++ Programming Guide; only what emitted text uses. */
static const char shim[] =
    "#define __device__ __attribute__((device))\n"
    "#define __global__ __attribute__((global))\n"
    "#define __shared__ __attribute__((shared))\n"
    "#define __noinline__ __attribute__((noinline))\n"
    "#define __align__(bytes) __attribute__((aligned(bytes)))\n"
    "#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))\n"
    "#define IL_SHIM static __attribute__((device, always_inline)) inline\n"
    "struct il_shim_dim { unsigned x, y, z; };\n"
    "#define IL_SHIM_DIM(name) il_shim_dim{(unsigned)__nvvm_read_ptx_sreg_##name##_x(), "
    "(unsigned)__nvvm_read_ptx_sreg_##name##_y(), (unsigned)__nvvm_read_ptx_sreg_##name##_z()}\n"
    "#define threadIdx (IL_SHIM_DIM(tid))\n"
    "#define blockIdx (IL_SHIM_DIM(ctaid))\n"
    "#define blockDim (IL_SHIM_DIM(ntid))\n"
    "#define gridDim (IL_SHIM_DIM(nctaid))\n"
    "IL_SHIM unsigned long long atomicMin(unsigned long long *at, unsigned long long value) "
    "{ return __nvvm_atom_min_gen_ull(at, value); }\n"
    "IL_SHIM void __syncwarp() { __nvvm_bar_warp_sync(0xffffffffu); }\n"
    "IL_SHIM int __any_sync(unsigned mask, int a) { return __nvvm_vote_any_sync(mask, a); }\n"
    "IL_SHIM int __syncthreads_or(int a) { return __nvvm_bar0_or(a); }\n"
    "IL_SHIM int __shfl_xor_sync(unsigned mask, int a, int with) { return __nvvm_shfl_sync_bfly_i32(mask, a, with, 31); }\n"
    "IL_SHIM int __shfl_sync(unsigned mask, int a, int from) { return __nvvm_shfl_sync_idx_i32(mask, a, from, 31); }\n"
    "#define IL_SHIM_SHUFFLE(name) \\\n"
    "IL_SHIM long long name(unsigned mask, long long a, int lane) "
    "{ return (long long)name(mask, (int)(a >> 32), lane) << 32 | (unsigned)name(mask, (int)a, lane); } \\\n"
    "IL_SHIM float name(unsigned mask, float a, int lane) "
    "{ return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(int, a), lane)); } \\\n"
    "IL_SHIM double name(unsigned mask, double a, int lane) "
    "{ return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(long long, a), lane)); }\n"
    "IL_SHIM_SHUFFLE(__shfl_xor_sync)\n"
    "IL_SHIM_SHUFFLE(__shfl_sync)\n"
    "IL_SHIM float __int_as_float(int a) { return __builtin_bit_cast(float, a); }\n"
    "IL_SHIM int __float_as_int(float a) { return __builtin_bit_cast(int, a); }\n"
    "IL_SHIM double __longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }\n"
    "IL_SHIM long long __double_as_longlong(double a) { return __builtin_bit_cast(long long, a); }\n"
    "IL_SHIM float fabsf(float a) { return __builtin_fabsf(a); }\n"
    "IL_SHIM double fabs(double a) { return __builtin_fabs(a); }\n"
    "IL_SHIM float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }\n"
    "IL_SHIM double __dsqrt_rn(double a) { return __nvvm_sqrt_rn_d(a); }\n"
    "IL_SHIM float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }\n"
    "IL_SHIM double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }\n"
    "IL_SHIM float sqrtf(float a) { return __nvvm_sqrt_approx_f(a); }\n"
    "IL_SHIM float __log2f(float a) { return __nvvm_lg2_approx_f(a); }\n"
    "IL_SHIM float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0.693147182f; }\n"
    "IL_SHIM float __log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.301029995f; }\n"
    "IL_SHIM float __expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269502f); }\n"
    "IL_SHIM float __sinf(float a) { return __nvvm_sin_approx_f(a); }\n"
    "IL_SHIM float __cosf(float a) { return __nvvm_cos_approx_f(a); }\n";

/* Mode exact (docs/semantics.md, Modes and arithmetic): division and square root are IEEE's and subnormals are kept unless
 * clang is told otherwise. */
static const char *const meaning[] = {
    "-x",          "cuda",      "--cuda-device-only",  "-nocudainc",  "-nocudalib",           "-S",
    "-O3",         "-std=c++17", "-ffp-contract=off",  "-fwrapv",     "-fno-strict-aliasing", "-fno-math-errno",
    "-w",          "-Wno-unknown-cuda-version",
};

/* The PTX version that an architecture needs at least (PTX ISA, table of release notes). clang takes this from a toolkit's
 * version, and there is none. */
static const struct {
    int arch;
    int ptx;
} ptx_versions[] = {{50, 40}, {52, 41}, {53, 42}, {60, 50}, {61, 50}, {62, 50}, {70, 60}, {72, 61},  {75, 63},  {80, 70},
                    {86, 71}, {87, 74}, {89, 78}, {90, 78}, {100, 86}, {101, 86}, {103, 88}, {120, 87}, {121, 88}};

static int ptx_version(int arch)
{
    for (size_t i = 0; i < sizeof ptx_versions / sizeof *ptx_versions; i++)
        if (ptx_versions[i].arch == arch) return ptx_versions[i].ptx;
    return 0;
}

/* --- who is it? ---------------------------------------------------------------------------------------------- */

/* Lines "\tsm_86"; letters behind the number stand for code that only one device runs. */
static void take_archs(const char *text, ilc__cuda_clang *out)
{
    for (const char *at = text; (at = strstr(at, "sm_")) != NULL && out->arch_count < ILC__ARCHS_MAX;) {
        char *end;
        long  number = strtol(at + 3, &end, 10);
        bool  plain = *end == 0 || *end == '\n' || *end == '\r' || *end == ' ';
        if (plain && number >= ILC__ARCH_LEAST && ptx_version((int)number)) out->archs[out->arch_count++] = (int)number;
        at = end;
    }
}

bool ilc__cuda_clang_ask(ilc__arena *arena, const char *command, ilc__cuda_clang *out, const char **reason)
{
    static const char word[] = "clang version ";
    const char       *who[] = {command, "--version", NULL};
    const char       *devices[] = {command, "--target=nvptx64-nvidia-cuda", "--print-supported-cpus", NULL};
    int               exit_code;
    char             *text;
    *out = (ilc__cuda_clang){.command = command};
    bool found = ilc__process_run(arena, who, ask_limit, 4096, &exit_code, &text);
    if (!found || exit_code != 0 || !strstr(text, word)) {
        *reason = ilc__arena_printf(arena, found ? "%s is no clang, or does not run" : "%s was not found", command);
        return false;
    }
    const char *version = strstr(text, word) + sizeof word - 1;
    out->version = ilc__arena_strndup(arena, version, strcspn(version, " \t\r\n("));
    out->identity = text;
    if (ilc__process_run(arena, devices, ask_limit, 16384, &exit_code, &text)) take_archs(text, out);
    if (out->arch_count) return true;
    *reason = ilc__arena_printf(arena, "%s %s does not compile for NVIDIA's devices", command, out->version);
    return false;
}

/* --- compiling ----------------------------------------------------------------------------------------------- */

static uint32_t add_options(ilc__arena *arena, const ilc__cuda_target *target, const char **words)
{
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof meaning / sizeof *meaning; i++) words[count++] = meaning[i];
    words[count++] = ilc__arena_printf(arena, "--cuda-gpu-arch=sm_%d", target->number);
    words[count++] = "-Xclang";
    words[count++] = "-target-feature";
    words[count++] = "-Xclang";
    words[count++] = ilc__arena_printf(arena, "+ptx%d", ptx_version(target->number));
    return count;
}

const char *ilc__cuda_clang_options(ilc__arena *arena, const ilc__cuda_target *target)
{
    const char *words[WORDS_MAX];
    ilc__text   line = {.arena = arena};
    uint32_t    count = add_options(arena, target, words);
    for (uint32_t i = 0; i < count; i++) ilc__text_printf(&line, "%s ", words[i]);
    ilc__text_puts(&line, shim); /* another shim, another code */
    return ilc__text_string(&line);
}

bool ilc__cuda_clang_compile(const ilc__cuda_clang *clang, ilc__context *ctx, ilc__arena *arena, const char *folder,
                             const ilc__cuda_target *target, const char *name, const char *source,
                             const void **image, size_t *size, const char **log)
{
    const char *input = ilc__arena_printf(arena, "%s/kernel.cu", folder);
    const char *output = ilc__arena_printf(arena, "%s/kernel.ptx", folder);
    const char *text = ilc__arena_printf(arena, "%s#line 1 \"%s.cu\"\n%s", shim, name, source);
    const char *argv[WORDS_MAX] = {clang->command};
    uint32_t    count = 1 + add_options(arena, target, argv + 1);
    if (ilc__has_line_directives(source)) argv[count++] = "-gline-tables-only";
    argv[count++] = "-o";
    argv[count++] = output;
    argv[count++] = input;
    argv[count] = NULL;
    const void *bytes;
    if (!ilc__compiler_run(ctx, arena, argv, folder, input, text, output, &bytes, size, log)) return false;
    char *ptx = ilc__arena_alloc(arena, *size + 1);
    memcpy(ptx, bytes, *size);
    *image = ptx;
    *size += 1;
    return true;
}
