/* cuda_code.h - inside rt: code for a device, from the cache or the compiler there is. */
#ifndef ILC_RT_CUDA_CODE_H
#define ILC_RT_CUDA_CODE_H

#include "rt/cudacc.h"
#include "rt/engine.h"

typedef struct ilc__cuda_code {
    ilc__cudacc  cc;
    int          device;  /* 90; 0: none */
    const char  *whose;   /* without a compiler: who made what was used so far, or NULL */
    nvrtcProgram program; /* held during a compilation */
    const char  *folder;  /* likewise */
} ilc__cuda_code;

/* The code for source, in the engine's scratch. Without a compiler: what any compiler made of the same source for this
 * device or one below it; ILC_NO_ENGINE where there is none. ILC_COMPILER with the log. */
ilc_status ilc__cuda_code_get(ilc__engine *engine, ilc__cuda_code *code, const char *name, const char *source,
                              const void **image, size_t *size, bool *cached, const char **log);

/* Gives back what a compilation held that memory's end broke off. */
void ilc__cuda_code_unwind(ilc__cuda_code *code);

#endif
