/* cudacc.h - inside rt: which compiler of CUDA C there is, NVRTC or clang, and what it is told to make. */
#ifndef ILC_RT_CUDACC_H
#define ILC_RT_CUDACC_H

#include "rt/cuda_clang.h"
#include "rt/nvrtc.h"

typedef enum ilc__cudacc_kind { ILC__CUDACC_NONE, ILC__CUDACC_NVRTC, ILC__CUDACC_CLANG } ilc__cudacc_kind;

typedef struct ilc__cudacc {
    ilc__cudacc_kind kind;
    ilc__nvrtc       nvrtc;
    ilc__cuda_clang  clang;
    ilc__cuda_target target;
    const char      *name;    /* "NVRTC 12.8", "clang 14.0.6"                   */
    const char      *missing; /* NONE: why there is none, in one line           */
} ilc__cudacc;

typedef struct ilc__cudacc_wish {
    const char *compiler;       /* "auto", "nvrtc", "clang", "none", or the path of a clang */
    const char *folder;         /* with the CUDA libraries, searched first; may be NULL     */
    int         driver_version; /* 12080; 0: not known                                      */
    int         device;         /* 90; 0: none, then arch is needed                         */
    int         arch;           /* asked for; 0: the best for the device                    */
    bool        portable;       /* PTX, also where machine code could be had                */
} ilc__cudacc_wish;

bool ilc__cudacc_is_name(const char *compiler);

/* With "auto" or "none" there may be none: then kind says so, and it is no error. False with one line in *reason. Memory
 * from arena. */
bool ilc__cudacc_find(ilc__arena *arena, const ilc__cudacc_wish *wish, ilc__cudacc *out, const char **reason);

/* Everything of it, target and options included, that may change what it makes; NULL-terminated parts. */
const char *const *ilc__cudacc_parts(const ilc__cudacc *cc, ilc__arena *arena);
/* "NVRTC 12.8 (cubin)", "clang 14.0.6 (PTX sm_86)" */
const char *ilc__cudacc_describe(const ilc__cudacc *cc, ilc__arena *arena);

#endif
