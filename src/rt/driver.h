/* driver.h - inside rt: the CUDA driver's library and what it says of its devices. */
#ifndef ILC_RT_DRIVER_H
#define ILC_RT_DRIVER_H

#include "base/os.h"
#include "rt/cuda_types.h"

typedef struct ilc__driver {
    void *library;
#define CUDA_DRIVER(result, name, parameters) result(*name) parameters;
#include "rt/cuda.def"
#undef CUDA_DRIVER
    int         version; /* of CUDA that it supports: 12080 for 12.8 */
    int         devices;
    const char *text; /* "driver 570.86.10", or "driver for CUDA 12.8" where its own number is not known */
} ilc__driver;

typedef struct ilc__device {
    CUdevice    handle;
    const char *name;
    int         arch; /* 90 for compute capability 9.0 */
    uint32_t    multiprocessors, block_max;
    uint64_t    memory;
    bool        prohibited; /* its compute mode lets no one in */
} ilc__device;

/* Finds, loads and initialises the driver. False with one line in *reason. folder: searched first, may be
 * NULL. *out may be partly filled in then. */
bool ilc__driver_open(ilc__arena *arena, const char *folder, ilc__driver *out, const char **reason);
bool ilc__driver_device(const ilc__driver *driver, ilc__arena *arena, int ordinal, ilc__device *out,
                        const char **reason);
/* "CUDA_ERROR_OUT_OF_MEMORY (out of memory)" */
const char *ilc__driver_error(const ilc__driver *driver, ilc__arena *arena, CUresult error);

#endif
