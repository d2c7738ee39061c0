/* rows.h - rows read together, and rows split among threads (docs/schedules.md), for rows_*.c and split_*.c. */
#ifndef ILC_EMIT_ROWS_H
#define ILC_EMIT_ROWS_H

#include "emit/tile.h"

enum { ILC__ROWS_LOOPS = 4, ILC__ROWS_SUMS = 6, ILC__ROWS_LANES = 32, ILC__ROWS_PARTS = 8, ILC__SPLIT_PAYS = 128 /* turns */, ILC__SPLIT_FEW = 4, ILC__SPLIT_FEWER = 2 /* rows for each multiprocessor */ };

/* What a loop adds up, or finds the least or most of: a part in each thread, put together behind it. */
typedef struct ilc__sum {
    ilc__var *var;
    ilc__op   whole;      /* puts two parts together: ADD_F32, MIN_I32; by_compare: what wins against the sum is the sum */
    bool      by_compare, sum_right; /* the sum is the right operand of the compare                         */
    bool      known;      /* the fields above are                                                         */
    bool      same;       /* each part begins with what there is, as the one of thread 0; else with identity */
    uint64_t  identity;
    ilc__var *reach;      /* of a checked sum: its operands without their signs together; NULL             */
    ilc__var *other, *reach_other; /* another thread's                                                    */
} ilc__sum;

/* One of the loops at the top of a function, whose turns are the same for all elements. */
typedef struct ilc__rows_loop {
    ilc__stmt *loop;
    ilc__poly  first, turns; /* of the counter */
    uint32_t   load_count;
    ilc__tile_load loads[ILC__TILE_LOADS];
    uint32_t   sum_count; /* split */
    ilc__sum   sums[ILC__ROWS_SUMS];
} ilc__rows_loop;

/* A kernel of one index that reads rows of arrays in such loops. */
struct ilc__rows {
    uint32_t       loop_count;
    uint32_t       rows;  /* of a warp: fewer keep more multiprocessors busy */
    bool           light; /* a turn is so short that the lanes without a row are not missed, and 32 of them are unrolled */
    uint32_t       split; /* threads that share a row; 0: rows are read together                          */
    uint32_t       parts; /* of 32 turns in shared memory at a time; all but one are on their way */
    ilc__rows_loop loops[ILC__ROWS_LOOPS];
};

/* False where the function is of another shape. func: the guarded view, or a copy of it. out->split says what for. */
bool ilc__rows_find(ilc__emitter *em, const ilc__func *func, struct ilc__rows *out);

/* Prints a function that the threads of a warp run together, and its kernel, as ilc__tile_print does. */
ilc_status ilc__rows_print(ilc__emitter *em, const ilc__func_info *root, ilc__kernel *out);
/* At a launch: as ilc__tile_holds. */
bool ilc__rows_hold(const struct ilc__rows *rows, const ilc__launch_facts *facts, const char **why);
/* The number of the tile for so many rows (ILC__TILED_SPLIT). */
uint32_t ilc__rows_choose(const struct ilc__rows *rows, int64_t extent, uint32_t multiprocessors);
extern const char ilc__rows_prelude[];

/* What stands before the body of such a loop, in place of its own for; false: it is none. And what stands behind it. */
bool ilc__rows_loop_head(ilc__printer *p, const ilc__stmt *loop);
void ilc__rows_loop_end(ilc__printer *p, const ilc__stmt *loop);
/* A function named "il_<root>_<suffix>" in whose loops values are read beforehand; rows was found in func, which is changed. */
ilc_status ilc__rows_print_func(ilc__emitter *em, const struct ilc__rows *rows, ilc__func *func, const ilc__func_info *root, const char *suffix,
                                ilc__func_info *out);
void ilc__rows_settle(ilc__emitter *em, struct ilc__rows *rows, ilc__kernel *out); /* out->tile.rows */
/* The counter's declaration, where the body reads it; turn: its text. */
void ilc__rows_counter(ilc__printer *p, const ilc__stmt *loop, const char *turn);

/* May all its loops be split among threads? Their checked sums then wrap, beside what shows whether they may have. */
bool       ilc__split_find(ilc__emitter *em, ilc__func *func, struct ilc__rows *rows);
ilc_status ilc__split_print(ilc__emitter *em, const ilc__func_info *root, ilc__kernel *out);
void       ilc__split_loop_head(ilc__printer *p, const ilc__rows_loop *loop);
void       ilc__split_loop_end(ilc__printer *p, const ilc__rows_loop *loop);

#endif
