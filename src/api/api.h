/* api.h - what stands behind the public handles, and the landing pad that every public call goes through.
 * Private to src/api*.c. */
#ifndef ILC_API_H
#define ILC_API_H

#include "emit/emit.h"
#include "ilcuda/ilcuda.h"
#include "interp/interp.h"
#include "meta/layout.h"
#include "rt/rt.h"
#include "write/write.h"

struct ilc_session {
    ilc__context     ctx;
    ilc__arena       scratch; /* empty between public calls */
    volatile bool    stop;
    ilc_assembly    *assemblies;
    ilc_engine      *engines;
    ilc__arena       machine_arena;
    ilc__il_machine *machine;
    ilc__layouts    *layouts;  /* of structs at the border; NULL until asked for */
    ilc__map         verdicts; /* kernel text -> bool: it agreed with the IL interpreter */
    ilc_bundle      *opened;   /* bundles, for the end of the session */
    ilc__bundle     *bundles;  /* what engines look into */
    void           (*log)(void *user, const char *text); /* NULL: nobody listens */
    void            *log_user;
};

struct ilc_assembly {
    ilc_session  *session;
    ilc_assembly *next;
    ilc__set     *set;
    ilc__image   *image;
    ilc_method  **methods; /* by row - 1; made when asked for */
    uint32_t      method_count;
    bool          all_made;
    ilc_method   *forms; /* made by ilc_method_counted and ilc_method_by_rows, and instances of generic ones */
};

struct ilc_method {
    ilc_session       *session;
    ilc_assembly      *assembly;
    const ilc__method *def;     /* its static form, where it is an instance method of a class that has one */
    ilc_method        *next;    /* of the assembly's forms                                                */
    bool               settled; /* def is what it stays                                                   */
    const char        *display;
    const char        *il_text;
    ilc_param         *params; /* NULL until described */
    uint64_t          *result;  /* of the last call, when it is a struct */
    ilc__arena         result_arena; /* the same when it is an array */
    const ilc_field   *outputs; /* of a struct result; NULL until described */
    uint32_t           output_count;
    ilc__arena         arena; /* of units */
    ilc__unit         *units[2]; /* the syntax tree of mode exact, of the others; NULL until asked for */
    ilc__ast_machine  *trees[2]; /* run units; NULL until asked for */
    bool               refused, support_known;
    ilc_support        support;
    struct ilc__compiled *compiled; /* for calls by engines (compiled.c) */
};

struct ilc_bundle {
    ilc_session  *session;
    ilc_bundle   *next;
    const char   *path;
    ilc__file     file; /* none where the bytes are borrowed */
    ilc__bundle   parts;
    ilc_assembly *assembly; /* NULL until asked for */
};

/* Numbers of tiles: first the sizes of CUDA, then that of the CPU. */
enum { ILC__TILED_CPU = ILC__TILE_SIZES, ILC__TILED_COUNT };

/* The emitted form of a kernel in one dialect. */
typedef struct ilc__emitted {
    ilc__kernel kernel;
    const char *display; /* made when asked for */
    bool        ready;
} ilc__emitted;

typedef struct ilc__lines {
    ilc_line *rows;
    size_t    count;
} ilc__lines;

struct ilc_kernel {
    /* Found for the last launch: finding them again reads the whole text. */
    const ilc_engine  *module_engine;
    const ilc__kernel *module_of;
    ilc__module       *module;
    const char        *verdict_of;
    bool               verdict_first;
    bool              *verdict;

    ilc_session     *session;
    ilc_method      *method;
    ilc__kernel_spec spec;
    ilc__floats      floats;
    bool             checks, line_directives;
    bool             tiles;      /* schedule auto, tile, or one by its size */
    bool             tiles_always; /* wherever a tile may run */
    bool             whole_tiles; /* half of a symmetric square is not left out */
    ilc__tile_size   tile_size;  /* rows 0: auto */
    ilc__emitted     emitted[2]; /* by ilc__dialect */
    ilc__emitted     tiled[ILC__TILED_COUNT];
    const ilc_engine *tile_engine; /* was asked whether it has the CPU's tile compiled already */
    bool             tile_compiled;
    const char      *texts[ILC_TEXT_C_TILE + 1];
    ilc__lines      *lines[ILC_TEXT_C_TILE + 1]; /* line maps, made when asked for */
};

typedef struct ilc__slots ilc__slots;
struct ilc_engine {
    ilc_session    *session;
    ilc_engine     *next, **link;
    ilc_engine_kind kind;
    ilc__engine    *rt; /* NULL for interpreters */
    const char     *reason, *description;
    ilc_buffer     *buffers;
    ilc__map        modules; /* kernel source -> ilc__module */
    ilc__map        first_modules; /* the same, by the first tier */
    ilc__address    trap_slot;
    ilc_task       *tasks;
    ilc__slots     *slots; /* of tasks (task.c) */
    uint64_t        waits; /* how often it was waited for */
    bool            host_libm, other_nan; /* of the IL interpreter: interp/il_interp.h */
    bool            no_compile;
};

typedef struct ilc__export ilc__export;
struct ilc_buffer {
    ilc_engine  *engine;
    uint32_t     size;     /* of an element */
    int64_t      capacity; /* elements that it was made with; array.length may be fewer */
    ilc_buffer  *next, **link;
    ilc_array    array;   /* interpreters: its data is here; else data is NULL */
    ilc__address address; /* compiled engines */
    ilc__export *exports; /* tensors of it (dlpack.c)                                       */
    struct DLManagedTensor *tensor; /* whose memory it has; NULL                            */
    bool         lent;    /* address or array.data is the caller's; own: what it was before */
    ilc__address own_address;
    void        *own_data;

    /* Of an array of arrays, nested and innermost as ilc_param has them; rows: on the heap, NULL for null. */
    uint32_t     nested;
    ilc_storage  innermost;
    ilc_buffer **rows;
    uint32_t     holders; /* how often it lies in arrays of arrays */
    bool         dropped; /* destroyed, but for them               */
};

/* What compiled code finds in an array of arrays (emit/prelude.c); null: length -1. */
typedef struct ilc__pair {
    uint64_t data;
    int64_t  length;
} ilc__pair;

/* --- the landing pad ------------------------------------------------------------------------------------
 * Around every public call: where out-of-memory lands (base/memory.h), the default floating-point environment,
 * and the scratch arena emptied. */

typedef struct ilc__landing {
    jmp_buf  pad;
    jmp_buf *previous;
    uint32_t fp;
} ilc__landing;

void       ilc__landing_enter(ilc_session *session, ilc__landing *landing);
ilc_status ilc__landing_leave(ilc_session *session, ilc__landing *landing, ilc_status status);

#define ILC__LAND(session, call)                                                                             \
    do {                                                                                                     \
        ilc__landing landing_;                                                                               \
        ilc__landing_enter((session), &landing_);                                                            \
        if (setjmp(landing_.pad)) return ilc__landing_leave((session), &landing_, ILC_OUT_OF_MEMORY);        \
        ilc_status status_ = (call);                                                                         \
        return ilc__landing_leave((session), &landing_, status_);                                            \
    } while (0)

/* --- between the files of the API ----------------------------------------------------------------------- */

/* Fills options (struct of `size` bytes, defaults from init) from what the caller gave; ILC_INVALID. */
ilc_status ilc__options_take(ilc__context *ctx, void *options, size_t size, const void *given, const char *what);

void ilc__log(ilc_session *session, const char *format, ...) ILC__PRINTF(2, 3);

void ilc__diagnostic_of(ilc_diagnostic *out, const ilc__diag *diag);

void       ilc__assembly_destroy(ilc_assembly *assembly);
/* An assembly of images in memory alone: the first of them, and its references among the others. */
typedef struct ilc__given_image {
    const char    *name; /* in diagnostics */
    const uint8_t *bytes, *pdb;
    size_t         size, pdb_size;
} ilc__given_image;
ilc_status ilc__assembly_of_images(ilc_assembly **out, ilc_session *session, const ilc__given_image *images, uint32_t count);
void       ilc__bundles_destroy(ilc_session *session);
ilc_status ilc__assembly_method(ilc_assembly *assembly, uint32_t row, ilc_method **out);
/* Arrays in it are copied, too, each object once: copies knows which. */
ilc_array   ilc__copy_array(ilc__arena *arena, const ilc_array *array, ilc__map *copies);
/* Of a form or an instance, made once. */
ilc_method *ilc__method_of(ilc_assembly *assembly, const ilc__method *def);
/* generic.c: where the name ends that generic arguments stand behind, as "Name<Single>": length where there are none. */
size_t      ilc__generic_base(const char *name, size_t length);
/* The instance for the types that are named; *out NULL where the method takes others. ILC_NOT_FOUND: there is no such type. */
ilc_status  ilc__generic_instance(ilc_assembly *assembly, ilc_method *open, const char *text, size_t length, ilc_method **out);
ilc_status ilc__method_describe(ilc_method *method);
/* The method over the rows that the other, a form of the same one elsewhere, is over; else itself. */
ilc_status ilc__method_rows_as(ilc_method **out, ilc_method *method, const ilc_method *other);
/* As ilc_method_param_named. */
ilc_status ilc__method_param_named(ilc_method *method, const char *name, size_t length, uint32_t *out);
const char *ilc__method_display_of(ilc_method *method);
/* The syntax tree of a mode, made once. */
ilc_status ilc__method_unit(ilc_method *method, ilc__floats floats, const ilc__unit **out);
/* The tree interpreter's machine over it, made once. */
ilc_status ilc__method_tree(ilc_method *method, ilc__floats floats, ilc__ast_machine **out);
/* "fma"; NULL is exact. ILC_INVALID where there is no such mode. */
ilc_status  ilc__floats_take(ilc__context *ctx, const char *mode, ilc__floats *out);
const char *ilc__floats_name(ilc__floats floats);
/* The IL interpreter has mode exact alone: ILC_UNSUPPORTED. */
ilc_status  ilc__floats_check(const ilc_engine *engine, ilc__floats floats, const ilc_method *method);
ilc_status ilc__method_lift(ilc_method *method, ilc__arena *arena, ilc__ir_unit *out);
ilc__il_machine *ilc__session_machine(ilc_session *session);

/* One number; bits as in ilc_value. */
void ilc__deviation_note(ilc_deviation *deviation, ilc_storage storage, uint64_t exact, uint64_t other);

ilc_status ilc__kernel_emitted(ilc_kernel *kernel, ilc__dialect dialect, const ilc__kernel **out);
/* So many that of CUDA's a launch may choose from. */
uint32_t   ilc__kernel_tile_count(const ilc_kernel *kernel);
/* Its tile of a number; out->tile.entry.name is NULL where it has none. */
ilc_status ilc__kernel_tiled(ilc_kernel *kernel, uint32_t number, const ilc__kernel **out);
/* How the text of such a kernel was emitted. plan: room for what options->tile points to. */
void       ilc__kernel_emit_options(const ilc_kernel *kernel, ilc__dialect dialect, const ilc__kernel *emitted, ilc__tile_plan *plan,
                                    ilc__emit_options *out);
/* VB or C#; map: NULL without. */
ilc_status ilc__kernel_tree(ilc_kernel *kernel, ilc__language language, bool checked, ilc__line_map *map, const char **out);
/* A compiler's message about a line of emitted text, the diagnostic number `before`, is said of the source line that it
 * comes from. emitted has the map; its line n is line n + shift of what was compiled as `file`. Returns status. */
ilc_status ilc__blame_source(ilc__context *ctx, ilc_status status, uint32_t before, const char *file, const ilc__kernel *emitted,
                             int64_t shift);
ilc_status ilc__kernel_make(ilc_kernel **out, ilc_method *method, const ilc_kernel_options *options);

void          ilc__slots_free(ilc_engine *engine);
bool          ilc__engine_is_compiled(const ilc_engine *engine);
/* What of them is for engines of that kind, CPU or CUDA. */
void          ilc__engine_options_of(const ilc_session *session, const ilc_engine_options *options, ilc_engine_kind kind,
                                     ilc__engine_options *out);
ilc__dialect  ilc__engine_dialect(const ilc_engine *engine);
ilc_status    ilc__engine_module(ilc_engine *engine, const char *name, const char *source, const char *const *entries,
                                 uint32_t entry_count, ilc__module **out);
/* The text that is compiled for a call of the method alone (compiled.c), in scratch, with the names of its entries. */
ilc_status    ilc__call_source(ilc_method *method, ilc__dialect dialect, bool checks, const char **source, const char **names,
                               uint32_t *name_count);
/* Where nothing may be compiled and a kernel was not to be had: the diagnostic number `before` then names the method. */
ilc_status    ilc__say_not_bundled(const ilc_engine *engine, const ilc_method *method, ilc_status status, uint32_t before);
/* What compilers call the text that is compiled under that name. */
const char   *ilc__engine_file(const ilc_engine *engine, const char *name);
/* The module of a kernel's text; its entries are those that it has, in the order guarded, checked, tile. */
ilc_status    ilc__kernel_module(ilc_engine *engine, ilc_kernel *kernel, const ilc__kernel *emitted, ilc__module **out);
/* Is the compiler at work on it, beside? NULL: no, and ilc__kernel_module has it, or waits for it. */
const ilc__coming *ilc__kernel_coming(ilc_engine *engine, const ilc_kernel *kernel, const ilc__kernel *wanted);
/* The plain kernel by the first tier; NULL: it does not work, and says why (ilc_engine_first_tier). */
ilc__module  *ilc__kernel_first_module(ilc_engine *engine, const ilc__kernel *emitted);
/* Its length and memory stay as they are: it lies in an array of arrays, or is one, or a tensor has it. NULL: they may change. */
const char   *ilc__buffer_is_kept(const ilc_buffer *buffer);
void          ilc__exports_forget(ilc_buffer *buffer); /* whose engine goes: their deleters then find nothing */
void          ilc__tensor_release(ilc_buffer *buffer);
ilc_status    ilc__buffer_wrap(ilc_buffer **out, ilc_engine *engine, ilc_storage elem, void *data, uint32_t rank, const int64_t *dims,
                               const int64_t *strides);
ilc_status    ilc__buffer_make(ilc_buffer **out, ilc_engine *engine, ilc_storage elem, const ilc_struct *layout,
                               int64_t length);

/* The layout of a struct type for callers; the second leaves no diagnostic and is NULL where there is none. */
ilc_status         ilc__session_layout(ilc_session *session, const ilc__type *type, const ilc__where *where,
                                       const ilc__layout **out);
const ilc__layout *ilc__session_layout_quietly(ilc_session *session, const ilc__type *type);
/* Describes the arrays that a kernel writes for a struct result: method->outputs. */
ilc_status         ilc__method_outputs(ilc_method *method);
/* The same bytes where a struct may stand. */
void              *ilc__struct_copy(ilc__arena *arena, const void *data, const ilc__layout *layout);
/* In bytes, of a scalar or a struct. */
static inline uint32_t ilc__element_size(ilc_storage storage, const ilc__layout *layout)
{
    return layout ? layout->size : ilc_storage_size(storage);
}

/* One call by a compiled engine: the method as a kernel of one element (compiled.c). */
ilc_status    ilc__engine_call(ilc_method *method, const ilc_value *args, uint32_t count, const ilc_call_options *options,
                               ilc__floats floats, ilc_outcome *out);

/* Where a struct of so many bytes may stand. */
static inline void *ilc__struct_room(ilc__arena *arena, uint32_t size)
{
    return ILC__NEW_ARRAY(arena, uint64_t, ((size_t)size + 7) / 8);
}
/* Where the struct that a method returns is kept until it is called again. */
void         *ilc__method_result_room(ilc_method *method, const ilc_struct *layout);

/* The elements of an array of these dimensions; -1 where .NET has none such: *wrong is then the dimension's number. */
int64_t       ilc__shape_length(uint32_t rank, const int64_t *dims, uint32_t *wrong);

/* .NET arrays have at most this many elements (CoreCLR's Array.MaxLength for elements of more than a byte). */
#define ILC__MAX_ARRAY_LENGTH 0x7FFFFFC7

#endif
