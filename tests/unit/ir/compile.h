/* compile.h - compiling the helpers' text, and more beside it, in every language that kernels are emitted in.
 */
#ifndef ILC_TESTS_UNIT_IR_COMPILE_H
#define ILC_TESTS_UNIT_IR_COMPILE_H

#include <stdio.h>
#include <unistd.h>

#include "unit.h"

#define SQUARE_ROOTS                                                                                         \
    "IL_FN float il_sqrt_f32(float a) { return a; }\nIL_FN double il_sqrt_f64(double a) { return a; }\n"     \
    "#define IL_ABS32(x) __builtin_fabsf(x)\n#define IL_ABS64(x) __builtin_fabs(x)\n"                        \
    "#define IL_SQRT32(x) il_sqrt_f32(x)\n#define IL_SQRT64(x) il_sqrt_f64(x)\n"                             \
    "#define IL_FMA32(x, y, z) il_fma_f32(x, y, z)\n#define IL_FMA64(x, y, z) il_fma_f64(x, y, z)\n"

#define C_PRELUDE                                                                                            \
    "#define IL_FN static inline\n"                                                                          \
    "static inline float il_bits_f32(int x) { union { int i; float f; } u; u.i = x; return u.f; }\n"         \
    "static inline int il_bits_i32(float x) { union { int i; float f; } u; u.f = x; return u.i; }\n"         \
    "static inline double il_bits_f64(long long x) { union { long long i; double f; } u; u.i = x; return "   \
    "u.f; }\n"                                                                                               \
    "static inline long long il_bits_i64(double x) { union { long long i; double f; } u; u.f = x; return "   \
    "u.i; }\n"                                                                                               \
    "#define IL_F32(x) il_bits_f32(x)\n#define IL_I32(x) il_bits_i32(x)\n"                                   \
    "#define IL_F64(x) il_bits_f64(x)\n#define IL_I64(x) il_bits_i64(x)\n" SQUARE_ROOTS

#define CUDA_PRELUDE                                                                                         \
    "#define __device__ __attribute__((device))\n"                                                           \
    "#define IL_FN static __device__ inline\n"                                                               \
    "#define IL_F32(x) __nvvm_bitcast_i2f(x)\n#define IL_I32(x) __nvvm_bitcast_f2i(x)\n"                     \
    "#define IL_F64(x) __nvvm_bitcast_ll2d(x)\n#define IL_I64(x) __nvvm_bitcast_d2ll(x)\n" SQUARE_ROOTS

/* Compiles the helpers and more, which may be NULL. */
static inline bool run_compiler(const char *command, const char *prelude, const char *suffix,
                                const char *more)
{
    char path[] = "/tmp/ilcuda_helpers_XXXXXX", line[512], name[96];
    int  fd = mkstemp(path);
    assert_true(fd >= 0);
    snprintf(name, sizeof name, "%s%s", path, suffix);
    assert_int_equal(rename(path, name), 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    fputs(prelude, file);
    for (uint32_t i = 0; i < ilc__helper_count(); i++)
        fprintf(file, "%s\n", ilc__helper_at(i)->text);
    if (more) fputs(more, file);
    fclose(file);
    /* An output of its own: tcc unlinks what it writes to, and that must not be a device. */
    snprintf(line, sizeof line, command, name, name);
    int code = system(line);
    unlink(name);
    strcat(name, ".out");
    unlink(name);
    return code == 0;
}

static inline bool have(const char *program)
{
    char line[128];
    snprintf(line, sizeof line, "command -v %s >/dev/null 2>&1", program);
    return system(line) == 0;
}

#define TRY_COMPILER(program, command, prelude, suffix, more)                                                \
    do {                                                                                                     \
        if (!have(program)) {                                                                                \
            printf("no %s here: skipped\n", program);                                                        \
            skip();                                                                                          \
        }                                                                                                    \
        assert_true(run_compiler(command, prelude, suffix, more));                                           \
    } while (0)

#define FLAGS "-Wall -Wextra -Wno-unused-function -Werror"
#define GCC "gcc -std=c11 -ffreestanding -nostdinc " FLAGS " -c -o %s.out %s"
#define CLANG "clang -std=c11 -ffreestanding -nostdinc " FLAGS " -c -o %s.out %s"
#define TCC "tcc -nostdinc -Wall -Werror -c -o %s.out %s"
#define CXX "g++ -std=c++17 -ffreestanding -nostdinc " FLAGS " -c -o %s.out %s"
#define CUDA                                                                                                 \
    "clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -nostdinc " FLAGS          \
    " -Wno-unknown-cuda-version -S -o %s.out %s"

#endif
