/* rt.h - engines: compile source, hold buffers, launch. Knows source text and bytes, nothing of methods.
 *
 * A kernel's arguments are an array of pointers to the values, one per entry parameter, as cuLaunchKernel
 * takes them; a buffer's argument is a pointer to its ilc__address. Calls may come from several threads on
 * different engines; one engine is used by one thread at a time. */
#ifndef ILC_RT_RT_H
#define ILC_RT_RT_H

#include "base/mode.h"
#include "base/os.h"
#include "rt/bundle.h"

typedef enum ilc__engine_kind { ILC__ENGINE_CPU, ILC__ENGINE_CUDA } ilc__engine_kind;

typedef struct ilc__engine_options {
    ilc__engine_kind kind;
    const char      *compiler;    /* CPU: "auto", "gcc", "clang", "tcc", or a path. CUDA: "auto", "nvrtc",
                                     "clang", "none" (only what was compiled before), or a clang's path */
    const char      *optimise;    /* CPU: "-O0".."-O3"; NULL: the engine's choice                         */
    int              device;      /* CUDA ordinal                                                         */
    uint32_t         threads;     /* CPU: 0 = processors                                                  */
    const char      *cache_dir;   /* NULL: $XDG_CACHE_HOME/ilcuda or ~/.cache/ilcuda; "": memory only     */
    const char      *cuda_path;   /* folder with the CUDA libraries, searched first; NULL                 */
    const char      *arch;        /* CUDA: "sm_86" to compile for; NULL: the best for the device          */
    const char      *isa;         /* CPU: "x86-64-v2" to compile for; NULL: this processor's              */
    ilc__bundle *const *bundles;  /* looked into first: where the list's first will be; NULL              */
    bool             best_code;       /* CPU: no launch runs the first tier's code while the compiler is at work */
    bool             no_compile;      /* only what is in bundles and, for CUDA, in the cache                 */
    bool             compile_only;    /* nothing is loaded. CUDA: needs no device and no driver where arch is
                                         given; PTX                                                         */
    bool             compiler_needed; /* CUDA: code compiled before is not enough                         */
    void            *context, *stream; /* CUDA: a CUcontext and CUstream of the caller's; NULL: the engine's own  */
    uint64_t       (*device_alloc)(void *user, size_t bytes); /* CUDA: NULL: the driver's */
    void           (*device_free)(void *user, uint64_t address);
    void            *device_user;
} ilc__engine_options;

/* Was one asked for by its name or path? */
static inline bool ilc__compiler_is_named(const char *compiler)
{
    return compiler && strcmp(compiler, "auto") != 0;
}

typedef struct ilc__engine ilc__engine;
typedef struct ilc__module ilc__module;
typedef uint64_t ilc__address; /* device address, or host pointer on the CPU */

/* ILC_NO_ENGINE with the reason in the diagnostic. */
ilc_status ilc__engine_create(ilc__context *ctx, const ilc__engine_options *options, ilc__engine **out);
void       ilc__engine_destroy(ilc__engine *engine);
/* What the description is made of, as ilc_engine_parts has it; NULL where it does not apply. */
typedef struct ilc__engine_parts {
    const char *device, *driver, *compiler, *form, *arch, *path;
    uint32_t    multiprocessors; /* of a device; else 0 */
    int         ordinal;         /* of a device         */
    bool        vectors;         /* CPU: text may have the vector types of gcc and clang */
    bool        tiers;           /* CPU: other code may run until the compiler's is there */
} ilc__engine_parts;
const ilc__engine_parts *ilc__engine_parts_of(const ilc__engine *engine);
/* "NVIDIA H200, sm_90, driver 570.86, NVRTC 12.8 (cubin)" or "cpu, 16 threads, gcc 12.2.0 -O2 x86-64-v4" */
const char      *ilc__engine_describe(const ilc__engine *engine);
ilc__engine_kind ilc__engine_kind_of(const ilc__engine *engine);

/* Has the text #line directives? It is then compiled with line tables. */
static inline bool ilc__has_line_directives(const char *source)
{
    return strncmp(source, "#line ", 6) == 0 || strstr(source, "\n#line ") != NULL;
}

/* Is the text of mode fast? Its first line says so, and what CUDA's compilers may do with it. */
static inline bool ilc__is_fast(const char *source)
{
    return strstr(source, ILC__FAST_MARK) != NULL;
}

/* Compiles (or takes from the cache) one translation unit that defines entries. The compiler's log, when it
 * fails (ILC_COMPILER), is in *log (arena of the engine), else NULL. The module belongs to the engine. */
ilc_status ilc__engine_compile(ilc__engine *engine, const char *name, const char *source,
                               const char *const *entries, uint32_t entry_count, ilc__module **out,
                               const char **log);
bool       ilc__module_was_cached(const ilc__module *module);

/* CPU, whose compiler takes its time: what it makes of source when other code may run until then. The compilation begins at the first
 * call and goes on beside. NULL: it is here, or has to be waited for (ilc__engine_compile). Lives as long as the engine. */
typedef struct ilc__coming ilc__coming;
const ilc__coming *ilc__engine_coming(ilc__engine *engine, const char *source);
/* Sleeps until it is here. */
void ilc__engine_await(const ilc__coming *coming);
/* The other code, by a compiler that takes milliseconds. False: it did not work, and waiting is what is left. */
bool        ilc__engine_compile_first(ilc__engine *engine, const char *name, const char *source, const char *const *entries,
                                      uint32_t entry_count, ilc__module **out);
/* "tcc 0.9.27" that works, or why it does not; NULL: launches wait. */
const char *ilc__engine_first_tier(ilc__engine *engine, bool *works);
/* CPU: would that take no compiler? */
bool       ilc__engine_has(ilc__engine *engine, const char *source);
/* What an engine that only compiles made; lives as long as the engine. bytes NULL on others. PTX ends in a zero. */
typedef struct ilc__made {
    const void *bytes;
    size_t      size;
    const char *form, *arch; /* as in ilc__code_name */
    const char *maker;       /* "gcc 12.2.0 -O2"     */
} ilc__made;
ilc__made   ilc__module_made(const ilc__module *module);
const char *ilc__module_ptx(const ilc__module *module);
void       ilc__module_release(ilc__module *module);

ilc_status ilc__engine_alloc(ilc__engine *engine, size_t bytes, ilc__address *out);
void       ilc__engine_free(ilc__engine *engine, ilc__address address);
ilc_status ilc__engine_write(ilc__engine *engine, ilc__address to, const void *from, size_t bytes);
ilc_status ilc__engine_read(ilc__engine *engine, void *to, ilc__address from, size_t bytes);
ilc_status ilc__engine_fill(ilc__engine *engine, ilc__address to, uint8_t byte, size_t bytes);

/* Extents in the order i, j, k (dims of them): 1-D {n}; 2-D {rows, cols}; 3-D {ni, nj, nk}. */
typedef struct ilc__launch {
    uint32_t     dims;
    int64_t      extents[3];
    uint32_t     block[3]; /* threads in x, y, z; 0: the planner chooses */
    uint32_t     grid[3];  /* CUDA: blocks in x, y, z, with block; 0: the planner chooses */
    const void *const *args;
    uint32_t     arg_count;
    int32_t      trap_arg; /* which argument is the error slot's address; -1: none                        */
    uint64_t     stack;    /* bytes that recursion may take in each thread; 0: the compiler knows it       */
    const ilc__coming *until; /* CPU: the launch ends when that is here, and ilc__engine_reached says where; NULL */
    int64_t      from;     /* CPU: it begins there, where another of the same extents ended               */
    bool        in_rounds; /* CPU: the entry takes an ilc__rounds                                        */
    void       *stream;   /* CUDA: a CUstream of the caller's; NULL: the engine's                         */
    struct ilc__timer *timer; /* CUDA: what the launch's time is asked of; NULL: ilc__engine_last_seconds, or of another stream none */
} ilc__launch;
ilc_status ilc__engine_launch(ilc__engine *engine, ilc__module *module, uint32_t entry, const ilc__launch *launch);
/* What is left of the last launch begins there (from); -1: nothing is left. */
int64_t    ilc__engine_reached(ilc__engine *engine);
ilc_status ilc__engine_synchronize(ilc__engine *engine);
/* CUDA: takes from the context what such a launch needs, so that the launch itself takes nothing and waits for nothing. */
ilc_status ilc__engine_reserve(ilc__engine *engine, ilc__module *module, uint32_t entry, const ilc__launch *launch);
/* Seconds that the last launch without a timer took on the engine's stream (CUDA events), or by the clock on the CPU; waits. */
double     ilc__engine_last_seconds(ilc__engine *engine);

/* CUDA: the time of one launch on the engine's stream. Goes with the engine, or earlier. */
typedef struct ilc__timer {
    void *start, *stop; /* CUevents */
    bool  used;
} ilc__timer;
ilc_status ilc__engine_timer(ilc__engine *engine, ilc__timer *out);
void       ilc__engine_timer_free(ilc__engine *engine, ilc__timer *timer);
double     ilc__engine_timer_seconds(ilc__engine *engine, const ilc__timer *timer); /* waits */

/* CPU entries are: void name(const void *const *args, const long long *begin, const long long *end), the range
 * of indices in the order i, j, k that this worker runs (2-D: rows begin[0]..end[0], all columns given too).
 * The KP_TRAP argument of a CPU launch points to one slot; the engine gives each worker its own and merges.
 *
 * An entry in rounds is: void name(const void *const *args, ilc__rounds *rounds). Asked with round -1 it answers with rounds and
 * the memory that it wants, with piece -1 with the pieces of the round; else it does that piece. Pieces of a round go to workers
 * in any order; a round begins when the one before is done. */
typedef struct ilc__rounds {
    long long round, piece;
    char     *shared, *own; /* of all workers, of this one; at multiples of 64                             */
    long long shared_bytes, own_bytes, rounds, pieces;
} ilc__rounds;

/* --- cache, probe --------------------------------------------------------------------------------------- */

typedef struct ilc__cache_info {
    const char *directory; /* NULL: none usable */
    uint64_t    entries, bytes, limit;
} ilc__cache_info;
ilc_status ilc__cache_info_get(ilc__context *ctx, const char *cache_dir, ilc__cache_info *out);
ilc_status ilc__cache_clear(ilc__context *ctx, const char *cache_dir, uint64_t *removed);

/* What `doctor` shows: one finding per line, and the one command that would make it better (or NULL). */
typedef struct ilc__finding {
    const char *subject, *detail, *command;
    bool        ok;
} ilc__finding;
typedef struct ilc__probe {
    uint32_t      count;
    ilc__finding *findings;
    bool          cuda_ok, cpu_ok;
} ilc__probe;
/* options of each kind: their compilers differ. */
ilc_status ilc__probe_run(ilc__context *ctx, ilc__arena *arena, const ilc__engine_options *cpu,
                          const ilc__engine_options *cuda, ilc__probe *out);

#endif
