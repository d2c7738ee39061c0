/* hostcc.h - inside rt: the C compiler of this machine, as a process. */
#ifndef ILC_RT_HOSTCC_H
#define ILC_RT_HOSTCC_H

#include "base/os.h"

typedef enum ilc__hostcc_kind { ILC__CC_GCC, ILC__CC_CLANG, ILC__CC_TCC } ilc__hostcc_kind;

typedef struct ilc__hostcc {
    ilc__hostcc_kind kind;
    const char      *command;  /* as it was found: "cc", "/opt/bin/gcc-14" */
    const char      *name;     /* "gcc", "clang", "tcc" */
    const char      *version;  /* "12.2.0" */
    const char      *identity; /* the whole of what it says it is */
    const char      *isa;      /* "x86-64-v3": what it is told to use, and may be named in a cache key */
    const char      *optimise; /* "-O2"; "" where it has no optimiser */
    uint32_t         option_count;
    const char      *options[24]; /* everything but file names */
} ilc__hostcc;

/* Asks command who it is. False if there is no such program, or it is no compiler that we know. optimise and isa
 * as in ilc__engine_options. Memory from arena. */
bool ilc__hostcc_ask(ilc__arena *arena, const char *command, const char *optimise, const char *isa, ilc__hostcc *out);

/* Does it know the vector types of gcc and clang, and __builtin_convertvector? */
bool ilc__hostcc_has_vectors(const ilc__hostcc *cc);

/* The commands that `wanted` ("auto", "gcc", or a path) stands for, best first; NULL-terminated. */
const char *const *ilc__hostcc_candidates(ilc__arena *arena, const char *wanted);

/* Compiles source to a shared object in memory of arena, through the private folder. False with what the
 * compiler printed, or why there is nothing, in *log. */
bool ilc__hostcc_compile(const ilc__hostcc *cc, ilc__context *ctx, ilc__arena *arena, const char *folder,
                         const char *source, const void **object, size_t *size, const char **log);

/* Runs a compiler, argv, which reads input and writes output below the private folder, both given with it: source is
 * put into input first, and output's bytes come back in memory of arena. False as above. */
bool ilc__compiler_run(ilc__context *ctx, ilc__arena *arena, const char *const *argv, const char *folder,
                       const char *input, const char *source, const char *output, const void **bytes,
                       size_t *size, const char **log);

/* The micro-architecture level of this processor: "x86-64-v3"; never "native". */
const char *ilc__isa_level(void);
/* The next level whose code a processor of this one runs, too; NULL below the lowest. */
const char *ilc__isa_below(const char *level);
/* Is there such a level for processors of this kind? */
bool        ilc__isa_is_known(const char *level);

#endif
