/* engine.h - where kernels run: the IL interpreter, the tree interpreter, the CPU, a CUDA device.
 *
 *     ilc_engine *engine;   ilc_engine_create(&engine, session, NULL);
 *     ilc_buffer *x, *sum;  ilc_buffer_create(&x, engine, ILC_F32, rows * cols); ...
 *     ilc_buffer_write(x, 0, data, rows * cols);
 *     ilc_argument args[] = {ilc_arg_buffer("x", x), ilc_arg_int("cols", cols), ilc_arg_result(sum)};
 *     int64_t extents[] = {rows};
 *     ilc_launch_result result;
 *     ilc_launch(&result, engine, kernel, args, 3, extents, 1, NULL);
 *     ilc_buffer_read(sum, 0, out, rows);
 *
 * Elements are counted in elements, not bytes; arrays are dense, matrices row-major. */
#ifndef ILCUDA_ENGINE_H
#define ILCUDA_ENGINE_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ilc_engine ilc_engine;
typedef struct ilc_buffer ilc_buffer;

typedef enum ilc_engine_kind {
    ILC_ENGINE_AUTO, /* cuda if it works, else cpu, else ast; ilc_engine_reason says why */
    ILC_ENGINE_IL,   /* the IL interpreter, the judge: slow                              */
    ILC_ENGINE_AST,  /* the tree interpreter: slow                                       */
    ILC_ENGINE_CPU,  /* compiled C on the processors                                     */
    ILC_ENGINE_CUDA  /* compiled CUDA on a device; never anything else                   */
} ilc_engine_kind;

/* "auto", "il", "ast", "cpu", "cuda" */
ILC_API const char *ilc_engine_kind_name(ilc_engine_kind kind);

typedef struct ilc_engine_options {
    size_t          size;
    ilc_engine_kind kind;
    const char     *cpu_compiler;  /* "auto", "gcc", "clang", "tcc", or a path; NULL: "auto" */
    const char     *cuda_compiler; /* "auto" (NVRTC, else clang), "nvrtc", "clang" or a clang's path; "none": only
                                      what was compiled before; NULL: "auto"                   */
    const char     *optimise;      /* "-O0".."-O3" for the CPU; NULL: the engine's choice    */
    int             device;        /* CUDA ordinal                                           */
    uint32_t        threads;       /* CPU: 0 is one for each processor                       */
    const char     *cache_dir;     /* NULL: the user's; "": memory only                      */
    const char     *cuda_path;     /* folder with the CUDA libraries, searched first         */
    const char     *arch;          /* CUDA: compile for this, "sm_86"; NULL: the best for the device */
    bool            compile_only;  /* CUDA: makes PTX and runs nothing; needs no device where arch is given.
                                      For ilc_engine_prepare, which fills the cache, and ilc_engine_ptx */
    bool            no_compile;    /* only code of the session's bundles (bundle.h) and, for CUDA, of the cache: a kernel
                                      that is not there is ILC_NO_ENGINE, and named */
    bool            best_code;     /* CPU: each launch waits for the compiler's code (ilc_engine_first_tier) */
    void           *cuda_context;  /* CUDA: a CUcontext of the caller's, which outlives the engine; NULL: the device's primary one.
                                      Calls leave the context that is current as they found it */
    void           *cuda_stream;   /* CUDA: a CUstream of that context, for all that is asked of the engine; NULL: one of its own */
    /* CUDA: where memory of the device comes from; NULL: the driver. Called with the engine's context current; an address of 0
       is out of memory. Both or none. */
    uint64_t      (*device_alloc)(void *user, size_t bytes);
    void          (*device_free)(void *user, uint64_t address);
    void           *device_user;
} ilc_engine_options;

ILC_API void ilc_engine_options_init(ilc_engine_options *options);

/* ILC_OK, ILC_NO_ENGINE (the reason is in the diagnostic; with ILC_ENGINE_AUTO only for a cpu_compiler that was asked
 * for), ILC_INVALID (such as too many threads). */
ILC_API ilc_status ilc_engine_create(ilc_engine **out, ilc_session *session, const ilc_engine_options *options);
/* Frees its buffers, too. NULL is allowed. */
ILC_API void       ilc_engine_destroy(ilc_engine *engine);

ILC_API ilc_engine_kind ilc_engine_kind_of(const ilc_engine *engine);
/* "NVIDIA H200, sm_90, driver 570.86, NVRTC 12.8 (cubin)", "cpu, 16 threads, gcc 12.2.0 -O2". Of a CUDA engine that found
 * no compiler it says, once there was one, who compiled the kernels before: "..., compiled before by clang 14.0.6 (PTX
 * sm_86)". The text lives as long as the engine. */
ILC_API const char     *ilc_engine_describe(const ilc_engine *engine);
/* The same in parts; those that do not apply are NULL. Strings live as long as the engine. */
typedef struct ilc_engine_parts {
    const char *device;   /* "NVIDIA H200"; "cpu, 16 threads"; "il, the IL interpreter"; NULL: only compiles */
    const char *driver;   /* "driver 570.86"                                                              */
    const char *compiler; /* "NVRTC 12.8", "clang 14.0.6", "gcc 12.2.0 -O2"; NULL: interprets, or there is none */
    const char *form;     /* what the compiler makes: "cubin", "PTX", "shared object"                      */
    const char *arch;     /* what it makes it for: "sm_90", "x86-64-v4"                                    */
    const char *path;     /* where the compiler was found: "/usr/lib/libnvrtc.so.12", "gcc"                */
} ilc_engine_parts;
ILC_API void            ilc_engine_parts_get(ilc_engine_parts *out, const ilc_engine *engine);
/* A compiler that optimises takes a good part of a second. Until it is through, launches of a CPU engine that may choose its compiler
 * run code of one that takes milliseconds, "tcc 0.9.27", and end with the other's as soon as that is there; the bits are the same. The
 * name of that first tier, or, where *works is false, what is wrong with it; NULL: there is none, launches wait. They do as well with
 * best_code in the engine's options or a launch's, or where the environment variable ILCUDA_TIER is best. Compilations that are not
 * through when the engine or the process ends go on, and are found in the cache. */
ILC_API const char     *ilc_engine_first_tier(ilc_engine *engine, bool *works);
/* Why this engine: "asked for", or what kept the better ones away. */
ILC_API const char     *ilc_engine_reason(const ilc_engine *engine);

/* --- buffers ---
 * length elements of elem, zeroed. ILC_OK, ILC_INVALID (negative, or above 0x7FFFFFC7 elements, which no .NET
 * array has), ILC_DEVICE (out of device memory), ILC_OUT_OF_MEMORY. */
ILC_API ilc_status  ilc_buffer_create(ilc_buffer **out, ilc_engine *engine, ilc_storage elem, int64_t length);
/* The buffer is an array of rank 2 or 3, its elements row-major; a parameter of that rank takes no other. One of one
 * dimension takes it as well. rank 1: one dimension again. ILC_OK, ILC_INVALID (the product is not the length). */
ILC_API ilc_status  ilc_buffer_reshape(ilc_buffer *buffer, uint32_t rank, const int64_t *dims);
/* The same, of structs: their bytes as CoreCLR has them in memory, ilc_struct_size from one to the next. */
ILC_API ilc_status  ilc_buffer_create_structs(ilc_buffer **out, ilc_engine *engine, const ilc_struct *layout,
                                              int64_t length);
/* An array of one dimension and another length, at most the one that it was created with, for callers that keep buffers
 * from launch to launch. What it holds stays. ILC_OK, ILC_INVALID (more than that, or negative; or it is an array of
 * arrays, or lies in one). */
ILC_API ilc_status  ilc_buffer_resize(ilc_buffer *buffer, int64_t length);
/* Instead of its own memory, length elements at data, which stay the caller's: nothing is copied. Of the CUDA engine data is an
 * address of its device (a CUdeviceptr), at a multiple of an element's size. They must stay there, and no
 * other buffer of a launch may have a part of them, until the buffer is lent others, or is destroyed, or data is NULL: then it
 * has its own memory again, and the length that it was created with. Launches of tasks do not see the change. ILC_OK,
 * ILC_INVALID (no .NET array has that length; it is not aligned; or it is an array of arrays, or lies in one). */
ILC_API ilc_status  ilc_buffer_lend(ilc_buffer *buffer, void *data, int64_t length);
/* A buffer without memory of its own, over the caller's at data (as ilc_buffer_lend), of rank 1 to 3. strides count elements; NULL: row
 * after row. ILC_OK, as ilc_buffer_create and ilc_buffer_lend, ILC_UNSUPPORTED (strides that leave gaps or go another way: .NET's
 * arrays have none). */
ILC_API ilc_status  ilc_buffer_wrap(ilc_buffer **out, ilc_engine *engine, ilc_storage elem, void *data, uint32_t rank, const int64_t *dims,
                                    const int64_t *strides);
/* A tensor of DLPack (dlpack.h, DLManagedTensor), in place: its memory is the buffer's until that is destroyed, which then calls the tensor's
 * deleter. It must be on the engine's device (the CPU engine and the interpreters: in the host's memory), dense, row after row, of numbers
 * or Booleans, of rank 1 to 3; what its producer's streams still do is the caller's to wait for. Where the call fails the tensor stays the
 * caller's. ILC_OK, ILC_UNSUPPORTED, ILC_INVALID. */
struct DLManagedTensor;
ILC_API ilc_status  ilc_buffer_from_dlpack(ilc_buffer **out, ilc_engine *engine, struct DLManagedTensor *tensor);
/* The buffer as such a tensor, without a copy, for whoever calls its deleter when done, on the session's thread. The buffer keeps its length until
 * then, and its memory, even when it is destroyed before; the engine must not be. ILC_OK, ILC_UNSUPPORTED (structs, Char, arrays of arrays). */
ILC_API ilc_status  ilc_buffer_to_dlpack(struct DLManagedTensor **out, ilc_buffer *buffer);
/* An array of count arrays: of innermost where nested is 1, of arrays of it where it is 2 (ilc_param's innermost and nested).
 * A row may be NULL, the null reference, or stand there twice; each is a buffer of one dimension of this engine. It stays
 * the caller's, read and written as ever, may be an argument beside, and may be destroyed first: it then lives as long as
 * what holds it. The rows never change. ILC_OK, ILC_INVALID (another type, engine or rank), as ilc_buffer_create. */
ILC_API ilc_status  ilc_buffer_create_arrays(ilc_buffer **out, ilc_engine *engine, ilc_storage innermost, uint32_t nested,
                                             ilc_buffer *const *rows, int64_t count);
ILC_API void        ilc_buffer_destroy(ilc_buffer *buffer);
/* ILC_ARRAY for arrays of arrays. ILC_STRUCT for structs, whose layout ilc_buffer_struct gives (NULL for others). */
ILC_API ilc_storage ilc_buffer_elem(const ilc_buffer *buffer);
ILC_API const ilc_struct *ilc_buffer_struct(const ilc_buffer *buffer);
ILC_API int64_t     ilc_buffer_length(const ilc_buffer *buffer);
/* The rank, 1 to 3, and as many dimensions. */
ILC_API uint32_t    ilc_buffer_shape(const ilc_buffer *buffer, int64_t dims[3]);
/* count elements from offset on. ILC_OK, ILC_INVALID (past the end, or an array of arrays), ILC_DEVICE. */
ILC_API ilc_status  ilc_buffer_write(ilc_buffer *buffer, int64_t offset, const void *from, int64_t count);
ILC_API ilc_status  ilc_buffer_read(ilc_buffer *buffer, int64_t offset, void *to, int64_t count);

/* --- launch --- */

typedef enum ilc_argument_place {
    ILC_ARGUMENT_NAMED,  /* name is the parameter's in the source, or "il_out"        */
    ILC_ARGUMENT_NUMBER, /* number is the parameter's; names do not matter            */
    ILC_ARGUMENT_RESULT  /* the result; of a struct, number is the output's           */
} ilc_argument_place;

/* A name is found with its case, or, where nothing has it so, ignoring case if that leaves one parameter (else
 * ILC_AMBIGUOUS). "il_out" is the result where no parameter is called that; ilc_arg_result always is. buffer is
 * borrowed for the launch. A buffer of NULL with is_null is the null reference. */
typedef struct ilc_argument {
    const char        *name;
    ilc_buffer        *buffer;
    bool               is_null;
    ilc_value          value; /* when buffer is NULL and is_null false: a scalar, or a struct, whose bytes are copied */
    ilc_argument_place place;
    uint32_t           number;
} ilc_argument;

ILC_API ilc_argument ilc_arg_buffer(const char *name, ilc_buffer *buffer);
ILC_API ilc_argument ilc_arg_null(const char *name);
ILC_API ilc_argument ilc_arg_int(const char *name, int64_t value);    /* Int32, Int64, ...: must fit the parameter */
ILC_API ilc_argument ilc_arg_float(const char *name, double value);   /* Single, Double: rounded once              */
ILC_API ilc_argument ilc_arg_value(const char *name, ilc_value value); /* the parameter's own storage              */

/* The same argument for a parameter by its number: ilc_arg_at(0, ilc_arg_buffer(NULL, x)). */
ILC_API ilc_argument ilc_arg_at(uint32_t param, ilc_argument argument);
ILC_API ilc_argument ilc_arg_result(ilc_buffer *buffer);
/* The array for number `output` of a struct result (ilc_method_output). Every one must be given. */
ILC_API ilc_argument ilc_arg_output(uint32_t output, ilc_buffer *buffer);

typedef enum ilc_body_choice {
    ILC_BODY_AUTO,   /* the guard decides                                        */
    ILC_BODY_CHECKED /* the body with all checks, whatever the guard says         */
} ilc_body_choice;

typedef struct ilc_launch_options {
    size_t          size;
    ilc_body_choice body;
    bool            self_check; /* default true: 16 elements against the IL interpreter, once per kernel text */
    uint64_t        fuel;       /* of the interpreters, per element; 0: no limit for a launch                */
    bool            best_code;  /* CPU: waits for the compiler's code (ilc_engine_first_tier)                */
} ilc_launch_options;

ILC_API void ilc_launch_options_init(ilc_launch_options *options);

typedef struct ilc_launch_result {
    bool        trapped;
    ilc_trap    trap;     /* of the lowest failing element; strings live as long as the session */
    int64_t     element;  /* its row-major linear index                                         */
    const char *entry;    /* the entry that ran, or NULL (interpreters, nothing to do)          */
    bool        guarded;  /* the guard held: the body without the covered checks ran            */
    bool        cached;   /* its compiled form came from the cache                              */
    double      seconds;  /* on the device                                                      */
    uint32_t    checked;  /* elements that this launch compared with the IL interpreter         */
    bool        self_checked; /* this kernel text has agreed with the IL interpreter            */
    bool        first_tier;   /* it began with code of ilc_engine_first_tier                    */
} ilc_launch_result;

/* Runs the kernel over extents[0..dims) and waits for it. A failing element's output is all-zero bits, elements
 * independent of it are right. An output that is not long enough, an argument missing, unknown or of the wrong
 * type, an output that is also an input: ILC_INVALID.
 * ILC_OK, ILC_TRAP (result filled; the diagnostic has exception, element and line), ILC_DIFFERENT (the self-check
 * found a difference), ILC_INVALID, ILC_UNSUPPORTED, ILC_COMPILER, ILC_DEVICE, ILC_LIMIT, ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_launch(ilc_launch_result *result, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args,
                      size_t arg_count, const int64_t *extents, size_t dims, const ilc_launch_options *options);

/* Compiles without running, so that the first launch does not wait; where there is a first tier, by that, and what launches will want
 * of the compiler is begun. *cached may be NULL. */
ILC_API ilc_status ilc_engine_prepare(ilc_engine *engine, ilc_kernel *kernel, bool *cached);

/* Of an engine with a first tier: has the compiler begin with what launches of the kernel will want, and does not wait. Others do nothing.
 * ILC_OK, ILC_UNSUPPORTED, ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_engine_begin(ilc_engine *engine, ilc_kernel *kernel);

/* The kernel as PTX, by an engine with compile_only; the text lives as long as the engine. ILC_OK, ILC_UNSUPPORTED (a device
 * function only), ILC_INVALID (another engine), ILC_COMPILER, ILC_NO_ENGINE. */
ILC_API ilc_status ilc_engine_ptx(const char **out, ilc_engine *engine, ilc_kernel *kernel);

#ifdef __cplusplus
}
#endif
#endif
