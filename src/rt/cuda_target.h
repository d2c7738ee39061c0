/* cuda_target.h - inside rt: what code is made for a device. */
#ifndef ILC_RT_CUDA_TARGET_H
#define ILC_RT_CUDA_TARGET_H

#include "base/os.h"

enum { ILC__ARCHS_MAX = 256, ILC__ARCH_LEAST = 50 };

typedef struct ilc__cuda_target {
    const char *arch;   /* "sm_90" for machine code, "compute_80" for PTX */
    int         number; /* 90 */
    bool        binary; /* cubin; else PTX, which the driver compiles */
} ilc__cuda_target;

#endif
