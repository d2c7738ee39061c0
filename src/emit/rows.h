/* rows.h - rows read together (docs/schedules.md), for rows_*.c. */
#ifndef ILC_EMIT_ROWS_H
#define ILC_EMIT_ROWS_H

#include "emit/tile.h"

enum { ILC__ROWS_LOOPS = 4, ILC__ROWS_LANES = 32, ILC__ROWS_PARTS = 4, ILC__ROWS_FEW = 8 };

/* One of the loops at the top of a function, whose turns are the same for all elements. */
typedef struct ilc__rows_loop {
    ilc__stmt *loop;
    ilc__poly  first, turns; /* of the counter */
    uint32_t   load_count;
    ilc__tile_load loads[ILC__TILE_LOADS];
} ilc__rows_loop;

/* A kernel of one index that reads rows of arrays in such loops. */
struct ilc__rows {
    uint32_t       loop_count;
    uint32_t       rows;  /* of a warp: fewer keep more multiprocessors busy */
    uint32_t       parts; /* of 32 turns in shared memory at a time; all but one are on their way */
    ilc__rows_loop loops[ILC__ROWS_LOOPS];
};

/* False where the function is of another shape. func: the guarded view, or a copy of it. */
bool ilc__rows_find(ilc__emitter *em, const ilc__func *func, struct ilc__rows *out);

/* Prints a function that the threads of a warp run together, and its kernel, as ilc__tile_print does. */
ilc_status ilc__rows_print(ilc__emitter *em, const ilc__func_info *root, ilc__kernel *out);
/* At a launch: as ilc__tile_holds. */
bool ilc__rows_hold(const struct ilc__rows *rows, const ilc__launch_facts *facts);
extern const char ilc__rows_prelude[];

/* What stands before the body of such a loop, in place of its own for; false: it is none. And what stands behind it. */
bool ilc__rows_loop_head(ilc__printer *p, const ilc__stmt *loop);
void ilc__rows_loop_end(ilc__printer *p);

#endif
