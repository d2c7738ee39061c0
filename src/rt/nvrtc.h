/* nvrtc.h - inside rt: NVIDIA's run-time compiler, a library that may lie in many places. */
#ifndef ILC_RT_NVRTC_H
#define ILC_RT_NVRTC_H

#include "base/os.h"
#include "rt/cuda_types.h"

typedef struct ilc__nvrtc {
    void *library;
#define CUDA_NVRTC(result, name, parameters) result(*name) parameters;
#include "rt/cuda.def"
#undef CUDA_NVRTC
    int         major, minor;
    const char *place; /* its path, or the name the loader found it by */
} ilc__nvrtc;

/* What code is made for a device. */
typedef struct ilc__cuda_target {
    const char *arch;   /* "sm_90" or "compute_80" */
    bool        binary; /* cubin; else PTX, which the driver compiles */
} ilc__cuda_target;

/* The first NVRTC whose major version the driver (as 12080) can serve, else the first at all. False with one
 * line in *reason. folder: searched first, may be NULL. */
bool ilc__nvrtc_find(ilc__arena *arena, const char *folder, int driver_version, ilc__nvrtc *out,
                     const char **reason);
/* Machine code where NVRTC knows the device, else PTX of the highest architecture below it. */
bool ilc__nvrtc_target(const ilc__nvrtc *nvrtc, ilc__arena *arena, int device_arch, ilc__cuda_target *out,
                       const char **reason);

/* The options of mode exact (DESIGN 4.1) for target; the count. */
enum { ILC__NVRTC_OPTIONS = 5 };
void ilc__nvrtc_options(ilc__arena *arena, const ilc__cuda_target *target,
                        const char *options[ILC__NVRTC_OPTIONS]);

/* Compiles to a cubin or PTX in arena. False with the compiler's log, or another reason, in *log. *program
 * holds what the caller must destroy should memory run out meanwhile, else NULL. */
bool ilc__nvrtc_compile(const ilc__nvrtc *nvrtc, ilc__arena *arena, const ilc__cuda_target *target,
                        const char *name, const char *source, nvrtcProgram *program, const void **image,
                        size_t *size, const char **log);

#endif
