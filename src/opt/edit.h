/* edit.h - what the passes share: uses, replacement, edges, ranges. Private to opt. */
#ifndef ILC_OPT_EDIT_H
#define ILC_OPT_EDIT_H

#include "opt/pass.h"

#define PASS(name, requires, preserves) bool ilc__pass_##name(ilc__ir_func *func);
#include "opt/passes.def"
#undef PASS

/* inline.c. Replaces calls of small functions by what those do: whether there were any. */
bool ilc__opt_inline(ilc__ir_func *func);
void ilc__opt_drop_uncalled(ilc__arena *arena, ilc__ir_unit *unit);

/* rows.c. Rows of matrices give way to the matrices: whether there were any. */
bool ilc__opt_rows(ilc__ir_func *func);

/* How often each value is an operand. */
uint32_t *ilc__edit_use_counts(ilc__ir_func *func);

/* Replacements collected first and made together: map[v] is what v becomes, 0: itself. */
ilc__ref *ilc__edit_map(ilc__ir_func *func);
ilc__ref  ilc__edit_find(ilc__ref *map, ilc__ref ref); /* follows chains */
void      ilc__edit_apply(ilc__ir_func *func, ilc__ref *map);
void      ilc__edit_replace_args(ilc__ir_func *func, ilc__ir_value *value, ilc__ref *map); /* of one value */

/* A place in a function, for questions about versions: versions of one variable must not come to live together
 * (ir.h), so a value that belongs to a variable with several versions may be read only until the next one. */
typedef struct ilc__site {
    const ilc__ir_func *func;
    uint32_t           *uses;     /* ilc__edit_use_counts                */
    uint32_t           *versions; /* how many values each variable has   */
    uint32_t            block, index;
} ilc__site;
void ilc__site_init(ilc__site *site, ilc__ir_func *func);
/* May the value at the site read other, an operand of an earlier value (via) that it looks through? */
bool ilc__site_reads(const ilc__site *site, ilc__ref via, ilc__ref other);
/* May all uses of the value at the site read other in its stead? other is readable at the site. */
bool ilc__site_yields(const ilc__site *site, ilc__ref other);

/* Takes out of the lists the values for which drop is true. */
void ilc__edit_drop(ilc__ir_func *func, const bool *drop);
/* Inserts a value into its block before the value that stands at position. */
void ilc__edit_insert(ilc__ir_func *func, uint32_t block, uint32_t position, ilc__ref ref);
/* Takes out one edge, with its phi arguments: the n-th of from's targets. */
void ilc__edit_cut(ilc__ir_func *func, uint32_t from, uint32_t n);
/* The edge that was from's n-th goes to another block, as its last predecessor; phis there get no argument. */
void ilc__edit_redirect(ilc__ir_func *func, uint32_t from, uint32_t n, uint32_t to);
void ilc__edit_add_phi_arg(ilc__ir_func *func, ilc__ref phi, ilc__ref arg);
/* Takes out the blocks that the entry does not reach, and numbers the others anew in their order. */
bool ilc__edit_sweep_blocks(ilc__ir_func *func);

/* Is it a constant of its type? */
bool ilc__edit_is_const(const ilc__ir_func *func, ilc__ref ref, uint64_t bits);
/* Is the result 0 or 1? */
bool ilc__edit_is_truth(const ilc__ir_func *func, ilc__ref ref);
/* What an i32 or i64 value is known to lie in. */
typedef struct ilc__range {
    int64_t low, high;
} ilc__range;
ilc__range ilc__edit_range(const ilc__ir_func *func, ilc__ref ref);
ilc__range ilc__storage_range(ilc_storage storage);

#endif
