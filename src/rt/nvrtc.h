/* nvrtc.h - inside rt: NVIDIA's run-time compiler, a library that may lie in many places. */
#ifndef ILC_RT_NVRTC_H
#define ILC_RT_NVRTC_H

#include "rt/cuda_target.h"
#include "rt/cuda_types.h"

typedef struct ilc__nvrtc {
    void *library;
#define CUDA_NVRTC(result, name, parameters) result(*name) parameters;
#include "rt/cuda.def"
#undef CUDA_NVRTC
    int         major, minor;
    const char *place; /* its path, or the name the loader found it by */
} ilc__nvrtc;

/* The first NVRTC whose major version the driver (as 12080) can serve, else the first at all. False with one
 * line in *reason. folder: searched first, may be NULL. */
bool ilc__nvrtc_find(ilc__arena *arena, const char *folder, int driver_version, ilc__nvrtc *out,
                     const char **reason);
/* The architectures that it compiles for; the count, -1 with one line in *reason. */
int ilc__nvrtc_archs(const ilc__nvrtc *nvrtc, ilc__arena *arena, int archs[ILC__ARCHS_MAX], const char **reason);

/* The options of mode exact or fast (docs/semantics.md, Modes and arithmetic) for target; the count. Mode fma is exact's: its
 * operations are written out. */
enum { ILC__NVRTC_OPTIONS = 5 };
void ilc__nvrtc_options(ilc__arena *arena, const ilc__cuda_target *target, bool fast,
                        const char *options[ILC__NVRTC_OPTIONS]);

/* Compiles to a cubin or PTX in arena. False with the compiler's log, or another reason, in *log. *program
 * holds what the caller must destroy should memory run out meanwhile, else NULL. */
bool ilc__nvrtc_compile(const ilc__nvrtc *nvrtc, ilc__arena *arena, const ilc__cuda_target *target,
                        const char *name, const char *source, nvrtcProgram *program, const void **image,
                        size_t *size, const char **log);

#endif
