/* tile.h - pairwise tiles (docs/schedules.md), for the tile_*.c files. */
#ifndef ILC_EMIT_TILE_H
#define ILC_EMIT_TILE_H

#include "emit/internal.h"
#include "emit/poly.h"

enum { ILC__TILE_LOADS = 6 };
/* Nodes of a turn, which is printed once and compiled for each cell and each turn of a part. */
enum { ILC__TILE_LIGHT = 24, ILC__TILE_HEAVIEST = 160 };

/* An element read in the loop: line * stride + start + turn, where line is i or j of the output's element. */
typedef struct ilc__tile_load {
    const ilc__var *array;
    ilc_storage     storage;
    ilc__poly       index;  /* as it is written, in i or j and the counter                                */
    ilc__poly       stride; /* of the line                                                                */
    ilc__poly       column; /* without a loop, where the line is i: the stride of j, none or 1            */
    ilc__poly       start;  /* without line and counter                                                   */
    bool            by_j;
    const char     *name;   /* "x_i": the value in text                                                   */
} ilc__tile_load;

/* A kernel of two indices whose elements are: what stands before the loop, the loop, what stands behind it. */
typedef struct ilc__tile_shape {
    const ilc__func *func;      /* the guarded view                                                       */
    ilc__stmt       *loop;      /* one of the statements of func->body                                    */
    uint32_t         at;        /* its number among them                                                  */
    ilc__poly        first, turns; /* of the counter                                                      */
    bool            *cell;      /* by variable: an element's own value, kept from turn to turn            */
    bool            *carried;   /* of these: assigned in the loop                                         */
    uint32_t         cells;
    bool             starts_constant; /* every cell is set to a constant before the loop, whatever else happens there */
    bool             reads_indices;   /* the body reads i or j, beside its subscripts                       */
    bool             fused;     /* it multiplies and adds in one                                           */
    bool             symmetric; /* (j, i) has the cell of (i, j)                                          */
    bool             one_matrix; /* symmetric: where the matrices of a row pair are one                   */
    uint32_t         weight;    /* nodes of the loop's body                                               */
    uint32_t         load_count;
    ilc__tile_load   loads[ILC__TILE_LOADS];
} ilc__tile_shape;

/* False where the function is of another shape. */
bool ilc__tile_find(ilc__emitter *em, const ilc__func_info *root, ilc__tile_shape *out);

/* notes.c: "i * cols + k", "x(i * cols + k), y(j)", in the source's names. */
const char *ilc__poly_words(ilc__emitter *em, const ilc__func *func, const ilc__poly *poly);
const char *ilc__loads_words(ilc__emitter *em, const ilc__func *func, const ilc__tile_load *loads, uint32_t count);
/* What speaks against every schedule, as a note says it; NULL: nothing. calls: callees are welcome. */
const char *ilc__tile_unfit(ilc__emitter *em, const ilc__func *func, bool calls);

/* tile_symmetric.c: symmetric and one_matrix. */
void ilc__tile_find_half(ilc__emitter *em, ilc__tile_shape *shape);
/* When a half is enough, in C. */
const char *ilc__tile_half_text(ilc__emitter *em, const ilc__tile_shape *shape, const ilc__func_info *root);

/* The function cut at its loop, not yet printed. Variables that are cells are written "il_cell.sum", in C "il_cell->sum". */
typedef struct ilc__tile_parts {
    const char    *cell; /* "il_GramDot_cell"                                                             */
    ilc__func_info begin, step, end;
    uint32_t      *step_reads; /* by variable: what the step takes besides cell and loads                  */
} ilc__tile_parts;
void ilc__tile_cut(ilc__emitter *em, const ilc__tile_shape *shape, const ilc__func_info *root, ilc__tile_parts *out);

/* Builds the entry "il_GramDot_<suffix>" of out->tile. */
void ilc__tile_start(ilc__emitter *em, const ilc__func_info *root, const char *suffix, ilc__kernel *out);

/* tile.c: prints parts and kernel where the root, which has been printed as `root`, has the shape; out->tile says so. */
ilc_status ilc__tile_print(ilc__emitter *em, const ilc__func_info *root, ilc__kernel *out);
/* In 64 bits: the host found that its value fits. */
const char *ilc__tile_poly_text(ilc__emitter *em, const ilc__func_info *root, const ilc__poly *poly);
/* " float sum; int count;" */
const char *ilc__tile_fields(ilc__emitter *em, const ilc__tile_shape *shape, const ilc__func_info *root);

/* By dialect: can it be printed, and how it is. */
bool       ilc__tile_fits_cuda(ilc__emitter *em, ilc__tile_shape *shape, ilc__tile *tile);
ilc_status ilc__tile_print_cuda(ilc__emitter *em, const ilc__tile_shape *shape, ilc__tile_parts *parts, const ilc__func_info *root,
                                ilc__tile *tile);
bool       ilc__tile_fits_cpu(ilc__emitter *em, const ilc__tile_shape *shape);
ilc_status ilc__tile_print_cpu(ilc__emitter *em, const ilc__tile_shape *shape, ilc__tile_parts *parts, const ilc__func_info *root,
                               ilc__tile *tile);

/* lanes_cpu.c: kernels without a loop. Of the shape there are func, loads and weight; one turn. */
bool       ilc__lanes_find(ilc__emitter *em, const ilc__func_info *root, ilc__tile_shape *out);
ilc_status ilc__lanes_print_cpu(ilc__emitter *em, const ilc__tile_shape *shape, const ilc__func_info *root, const ilc__entry *entry);

/* The load that a LOAD at that index is, of the array itself or of a copy's; NULL: none. */
const ilc__tile_load *ilc__tile_load_of(const ilc__tile_load *loads, uint32_t count, const ilc__poly *index, const ilc__var *array);
/* The LOADs in the block that are of these read the variables of the same number instead. */
void ilc__tile_put_values(const ilc__poly_scope *scope, const ilc__tile_load *loads, uint32_t count, ilc__var *const *values, ilc__block *block);
/* What the kernels lean on, put before all where the text mentions il_quad, il_part. */
extern const char ilc__quad_prelude[], ilc__tile_prelude[];

/* quads_cuda.c: the same for an element-wise kernel whose threads do four elements each, next to each other. */
enum { ILC__QUADS_PAY = 1 << 18 }; /* elements; fewer are to keep all multiprocessors busy */
ilc_status ilc__quads_print(ilc__emitter *em, const ilc__func_info *root, ilc__kernel *out);

/* A loop that counts up by 1 between bounds that are the same for all elements: its counter's first value, and its turns. */
bool ilc__tile_head(const ilc__poly_scope *scope, const ilc__stmt *loop, ilc__poly *first, ilc__poly *turns);
/* Takes load->index apart: the line by i or by j, the start, and the counter by itself. */
bool ilc__tile_split(ilc__tile_load *load);
/* At a launch: does all that the load may read in so many turns lie in its array? */
bool ilc__tile_load_holds(const ilc__tile_load *load, const ilc__poly *first, int64_t turns, const ilc__launch_facts *facts);
/* A variable that is in scope under a name that is C. */
ilc__var *ilc__tile_add_var(ilc__emitter *em, ilc__func *func, const char *name, ilc_storage storage);
/* Is that where a variable lives, within the block? */
bool ilc__tile_is_placed_in(const ilc__place *place, const ilc__block *block);
/* By variable: how often the block reads it. */
uint32_t *ilc__tile_reads(ilc__emitter *em, const ilc__func *func, const ilc__block *block);
/* What a subscript in the loop, or where that is NULL in the body, is made of. */
ilc__poly_scope ilc__tile_scope(ilc__emitter *em, const ilc__func *func, const ilc__stmt *loop);

#endif
