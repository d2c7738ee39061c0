/* emit.h - kernels from trees: index mode, launch guard, and source text in the C and CUDA dialects.
 *
 * Entries. A null array is passed as the null pointer with length -1; every array object has an address of its
 * own, empty ones too (SAMEREF compares addresses). The error slot (KP_TRAP) holds all ones before the launch
 * and afterwards element << 16 | site of the lowest element that failed. A failing element's output is zero.
 * With spec.mode ILC__MODE_DEVICE the entry is il_<Method>_call: the function runs once, every parameter as it
 * is, and il_out[0] is its result; the C entry is given the range 0..1. An element-wise kernel's extent is an
 * Int32, il_n. A by-ref parameter is an array that is written, of one element in the Device entry and of one per
 * element in an element-wise kernel; a failing element leaves there what it had stored. C entries take no extent of
 * dimension 0 from the arguments but all of [begin, end). */
#ifndef ILC_EMIT_EMIT_H
#define ILC_EMIT_EMIT_H

#include "ast/ast.h"
#include "meta/line_map.h"

typedef enum ilc__index_mode { ILC__MODE_DEVICE, ILC__MODE_1D, ILC__MODE_2D, ILC__MODE_3D, ILC__MODE_ELEMENTWISE } ilc__index_mode;
/* "Device", "Grid1D", "Grid2D", "Grid3D"; element-wise is "Grid1D". */
const char *ilc__index_mode_name(ilc__index_mode mode);

/* What may happen to floating-point arithmetic (docs/semantics.md, Modes and arithmetic). */
typedef enum ilc__floats { ILC__FLOATS_EXACT, ILC__FLOATS_FMA, ILC__FLOATS_FAST } ilc__floats;

/* How a method becomes a kernel (DESIGN 3). */
typedef struct ilc__kernel_spec {
    ilc__index_mode mode;
    uint32_t        index_count;
    uint32_t        index_params[3]; /* parameter numbers in the order i, j, k                            */
    const bool     *kept_scalar;     /* element-wise: parameters that stay scalars; NULL: none            */
} ilc__kernel_spec;

/* index: NULL to infer, or names as "i,j". ILC_UNSUPPORTED / ILC_INVALID with a diagnostic. Works from the
 * signature alone. */
ilc_status ilc__kernel_infer(ilc__context *ctx, const ilc__method *method, const char *index,
                             ilc__kernel_spec *out);

typedef enum ilc__dialect { ILC__DIALECT_C, ILC__DIALECT_CUDA } ilc__dialect;

/* What a kernel parameter is, so that a launch can be checked and packed. */
typedef enum ilc__kparam_kind {
    ILC__KP_SCALAR,  /* parameter `param` by value, in its storage                                        */
    ILC__KP_ARRAY,   /* pointer to the data of array parameter `param`, or of an element-wise scalar      */
    ILC__KP_OUT,     /* pointer to the output, storage of the result; of a struct result one for each of its scalars,
                        in Device mode one pointer to the struct                                          */
    ILC__KP_EXTENT,  /* extent `dim` (0..), in the storage of its index parameter                         */
    ILC__KP_LENGTH,  /* int64: length of array parameter `param` (of dimension `dim` of several), -1 null */
    ILC__KP_TRAP,    /* pointer to the 64-bit error slot                                                  */
    ILC__KP_HEAP     /* of calls alone: ILC__HEAP_SIZE bytes for arrays of any length                     */
} ilc__kparam_kind;
enum { ILC__HEAP_SIZE = 1 << 26, ILC__SITE_NO_MEMORY = 65535 /* of no exception: the heap was too small */ };

typedef struct ilc__kparam {
    ilc__kparam_kind kind;
    ilc_storage      storage;
    const ilc__layout *layout; /* SCALAR, ARRAY: a struct, structs; OUT: the struct, in Device mode       */
    uint32_t         param, dim;
    uint32_t         leaf;  /* OUT: number of the scalar of a struct result, as ilc__layout_leaves counts  */
    const char      *name;  /* as emitted: "p_x", "il_out", "il_n"                                        */
    bool             written; /* ARRAY: some store may reach it                                           */
} ilc__kparam;

typedef struct ilc__entry {
    const char  *name;        /* "il_RowSum_kernel", "il_RowSum_checked_kernel"                           */
    uint32_t     param_count;
    ilc__kparam *params;
} ilc__entry;

/* A block of threads computes rows x cols elements of the output, `depth` turns of their loop at a time, each thread
 * row_cells x col_cells of them. */
typedef struct ilc__tile_size {
    uint32_t rows, cols, depth, row_cells, col_cells;
    uint32_t blocks; /* on one multiprocessor at a time, that the compiler plans for                      */
} ilc__tile_size;

/* Which is wanted. Large blocks read each element less often, small ones keep more multiprocessors busy. */
enum { ILC__TILE_SIZES = 5 };
/* Of a kernel of one index: rows read together, many or few a warp, then rows split among the threads of a warp, a block, a large block. */
enum { ILC__TILED_SPLIT = 2, ILC__TILED_ROWS = 5 };
typedef struct ilc__tile_plan {
    uint32_t       number; /* of the sizes that what an element keeps allows: 0 is the largest, see ilc__tile_sizes */
    bool           whole;  /* of a symmetric square, too, all elements are computed, to measure            */
    ilc__tile_size size;   /* rows 0: by number                                                           */
} ilc__tile_plan;
/* Can a block be made of it? */
bool ilc__tile_size_fits(const ilc__tile_size *size);

/* The sizes for an element of that kind, largest first; and by how many blocks a launch has for each multiprocessor which
 * one it takes: the first that is listed with as many tenths or fewer. */
typedef struct ilc__tile_choice {
    uint8_t number, tenths;
} ilc__tile_choice;
typedef struct ilc__tile_sizes {
    uint32_t         count;
    ilc__tile_size   sizes[ILC__TILE_SIZES];
    ilc__tile_choice full[ILC__TILE_SIZES], half[ILC__TILE_SIZES]; /* half: where mirror images are not computed */
} ilc__tile_sizes;

/* The pairwise tile of a kernel of two indices, its elements side by side, the rows of one of one index, read together or split, or
 * quads of an element-wise one (docs/schedules.md). */
typedef struct ilc__tile {
    ilc__entry        entry; /* "il_GramDot_tile", "il_CorrelationCell_lanes", "il_RowSum_rows", "il_RowSum_split", "il_Blend_quads"; NULL: there is none */
    bool              lanes; /* no loop, elements side by side; CPU                                       */
    const struct ilc__rows *rows; /* of a kernel of one index; the rest is of a tile                      */
    bool              quads; /* of an element-wise kernel: size.rows threads a block, four elements each  */
    ilc__tile_size    size;
    const ilc__tile_sizes *choice;
    bool              symmetric; /* of a square of elements only half are computed                        */
    bool              one_matrix; /* where the two matrices of a row pair are one                         */
    uint32_t          load_count;
    const struct ilc__tile_load *loads;
    const struct ilc__poly *first, *turns;
} ilc__tile;

/* A place that may trap: what the low 16 bits of the error slot index. */
typedef struct ilc__site {
    const char        *exception, *message;
    const ilc__method *method;
    uint32_t           il, line;
    const char        *file;
} ilc__site;

/* What a schedule found, or why there is none; the reasons are those of the code that decides (docs/schedules.md, Plan). */
typedef struct ilc__note {
    const char *schedule; /* "guard", "loop", "tile", "symmetric", "lanes", "rows", "split", "quads"      */
    const char *text;
    bool        holds;    /* it is one                                                                    */
    uint32_t    line;     /* of the source, 0: of none                                                    */
} ilc__note;

typedef struct ilc__kernel {
    ilc__kernel_spec  spec;
    const ilc__unit  *unit;
    const char       *device_name;  /* "il_RowSum_scalar"                                                 */
    bool              has_guard;    /* entry `guarded` leaves out the checks the guard covers; else it holds all */
    bool              covers_all;   /* the guarded entry holds no check and takes no il_trap               */
    ilc__entry        guarded;      /* il_<Method>_kernel                                                 */
    ilc__entry        checked;      /* il_<Method>_checked_kernel; name NULL when has_guard is false      */
    ilc__tile         tile;         /* where asked for: the guarded entry's results, made in blocks       */
    const char       *source;       /* the whole translation unit                                         */
    size_t            prelude_size; /* its first bytes: definitions that other units need as well         */
    uint32_t          site_count;
    const ilc__site  *sites;
    uint32_t          line_count;   /* rows of the line map of source; 0 where none was asked for         */
    const ilc__line  *lines;
    uint32_t          note_count;
    const ilc__note  *notes;
    bool             *reads, *writes; /* per parameter: its array is read / stored to                     */
    uint64_t          stack;        /* bytes that a thread may need, where functions call each other in cycles; else 0 */
} ilc__kernel;

typedef struct ilc__emit_options {
    ilc__dialect dialect;
    bool         checks;       /* default true                                                            */
    bool         no_guard;     /* one body with all checks                                                */
    bool         display;      /* text for people: the guarded body alone, without the prelude's plumbing */
    bool         lines;        /* make the line map                                                       */
    bool         line_directives; /* #line before what comes from the source                              */
    const ilc__tile_plan *tile; /* the tile of a kernel that can be tiled, and nothing else; NULL: its other bodies */
    bool         fast;         /* mode fast: approximations are welcome (on CUDA; schedules may reassociate sums)   */
    const char  *prefix;       /* prepended to il_ names of helpers' users to scope them; NULL: none      */
} ilc__emit_options;
ilc_status ilc__emit_kernel(ilc__context *ctx, ilc__arena *arena, const ilc__unit *unit,
                            const ilc__kernel_spec *spec, const ilc__emit_options *options, ilc__kernel *out);
/* The same kernel in another arena, with all that it refers to but the unit and metadata. */
void       ilc__kernel_keep(ilc__arena *arena, ilc__arena *scratch, const ilc__kernel *from, ilc__kernel *out);
/* The unit as it is read where the launch guard holds: temporaries that the source has not stand in their one use where
 * every check of them is covered (view.c). Functions that are called with every check, too, stay as they are. */
void       ilc__emit_guarded_view(ilc__context *ctx, ilc__arena *arena, const ilc__unit *unit,
                                  const ilc__kernel_spec *spec, ilc__unit *out);
/* What must stand before text that holds the rest of several units. */
const char *ilc__emit_prelude(ilc__arena *arena, ilc__dialect dialect, bool fast, const char *text);

/* The scalars and sizes of one launch, for the guard. */
typedef struct ilc__launch_facts {
    const int64_t *scalars;  /* per parameter, integers only; others ignored                              */
    const int64_t *lengths;  /* per parameter: array length (of all dimensions), -1 null                  */
    const int64_t *dims;     /* three per parameter: of each dimension, -1 null; asked for several only   */
    const bool    *same;     /* same[p * param_count + q]: parameters p and q are one array object; NULL:
                                no two are. Asked by ilc__check_independent_at only, as the next ones    */
    const bool    *shared;   /* the same: some array lies in both, or is one of them                      */
    const bool    *twice;    /* per parameter, an array of arrays: some innermost array lies there twice  */
    int64_t        extents[3];
} ilc__launch_facts;
/* True when every covered check is proved for this launch: the guarded entry may run. Interval arithmetic over
 * the tree in 128 bits; anything not representable is false. Sufficient only. */
bool ilc__guard_holds(ilc__context *ctx, ilc__arena *scratch, const ilc__kernel *kernel,
                      const ilc__launch_facts *facts);

/* A row of fewer elements is no vector. */
enum { ILC__LANES_MOST = 16 };
/* Where the guard holds: may the tile run, too? It reads whole rows and columns, whatever an element returns early.
 * work: how many turns of the loop all elements have together. why: it may not; NULL: there is no tile. */
bool ilc__tile_holds(const ilc__kernel *kernel, const ilc__launch_facts *facts, double *work, const char **why);
/* How many threads share a row; 0: rows are read together. */
uint32_t ilc__rows_split(const struct ilc__rows *rows);
/* Of a block. */
uint32_t ilc__rows_threads(const struct ilc__rows *rows);
/* The number of the size for such a launch. */
uint32_t ilc__tile_choose(const ilc__tile *tile, const int64_t extents[2], uint32_t multiprocessors);

/* The parameter of that name: with its case, or, where none has that, ignoring case; -1: none, -2: several. */
int ilc__kernel_param(const ilc__method *method, const char *name, size_t length);

/* Are the elements of a Sub independent (DESIGN 4.7)? ILC_UNSUPPORTED naming both lines when not proved. */
ilc_status ilc__check_independent(ilc__context *ctx, ilc__arena *scratch, const ilc__unit *unit, const ilc__kernel_spec *spec);
/* What that left to the launch: places such as i * n + j meet once with its extents and scalars, and no stored array
 * is the same object as one that is accessed at other places. ILC_UNSUPPORTED naming both lines when not proved;
 * every engine refuses then, as a kernel that stores may run only where this is proved. */
ilc_status ilc__check_independent_at(ilc__context *ctx, ilc__arena *scratch, const ilc__unit *unit,
                                     const ilc__kernel_spec *spec, const ilc__launch_facts *facts);

#endif
