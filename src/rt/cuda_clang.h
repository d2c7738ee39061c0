/* cuda_clang.h - inside rt: clang as a compiler of CUDA C, a process that makes PTX; no toolkit is needed. */
#ifndef ILC_RT_CUDA_CLANG_H
#define ILC_RT_CUDA_CLANG_H

#include "rt/cuda_target.h"

typedef struct ilc__cuda_clang {
    const char *command;  /* "clang", "/opt/bin/clang-17" */
    const char *version;  /* "14.0.6" */
    const char *identity; /* the whole of what it says it is */
    int         arch_count, archs[ILC__ARCHS_MAX];
} ilc__cuda_clang;

/* Asks command who it is and which devices it compiles for. False with one line in *reason. */
bool ilc__cuda_clang_ask(ilc__arena *arena, const char *command, ilc__cuda_clang *out, const char **reason);

/* What it is told, but for file names, in one line. */
const char *ilc__cuda_clang_options(ilc__arena *arena, const ilc__cuda_target *target);

/* Compiles source to PTX, zero-terminated, in memory of arena, through the private folder. False with what clang printed,
 * or why there is nothing, in *log. */
bool ilc__cuda_clang_compile(const ilc__cuda_clang *clang, ilc__context *ctx, ilc__arena *arena, const char *folder,
                             const ilc__cuda_target *target, const char *name, const char *source,
                             const void **image, size_t *size, const char **log);

#endif
