/* poly.h - subscripts and bounds as sums of products of indices, counters, scalars and lengths of the launch. */
#ifndef ILC_EMIT_POLY_H
#define ILC_EMIT_POLY_H

#include "emit/emit.h"

enum { ILC__POLY_TERMS = 8, ILC__POLY_FACTORS = 4 };

/* What a term is a product of. Of parameter p: ILC__SYM_PARAM + ILC__SYM_PARTS * p + a part: its value, the length of a
 * dimension of its array, or the length of its array of one. */
enum { ILC__SYM_I, ILC__SYM_J, ILC__SYM_COUNTER, ILC__SYM_PARAM };
enum { ILC__SYM_VALUE, ILC__SYM_DIM, ILC__SYM_LENGTH = ILC__SYM_DIM + 3, ILC__SYM_PARTS };
static inline uint32_t ilc__symbol_param(uint32_t symbol)
{
    return (symbol - ILC__SYM_PARAM) / ILC__SYM_PARTS;
}
static inline uint32_t ilc__symbol_part(uint32_t symbol)
{
    return (symbol - ILC__SYM_PARAM) % ILC__SYM_PARTS;
}

typedef struct ilc__term {
    int64_t  factor;
    uint32_t count;
    uint32_t symbols[ILC__POLY_FACTORS]; /* ascending */
} ilc__term;

typedef struct ilc__poly {
    uint32_t  count;
    ilc__term terms[ILC__POLY_TERMS];
} ilc__poly;

typedef struct ilc__poly_scope {
    const ilc__kernel_spec *spec;
    const ilc__var         *counter; /* NULL: none                                                        */
    const ilc__expr *const *defined; /* by variable: what it always is; NULL: not known                   */
} ilc__poly_scope;

/* The expression, which is exact where its value fits its type: sums and products of Int32 and Int64 wrap alike.
 * False where it is none, or too long. */
bool ilc__poly_of(const ilc__poly_scope *scope, const ilc__expr *expr, ilc__poly *out);
/* The subscript of an array's element, counted through all its dimensions. */
bool ilc__poly_of_index(const ilc__poly_scope *scope, const ilc__expr *array, const ilc__expr *index, ilc__poly *out);
bool ilc__poly_add(ilc__poly *to, const ilc__poly *from, int64_t times);
bool ilc__poly_add_const(ilc__poly *to, int64_t value);
bool ilc__poly_same(const ilc__poly *a, const ilc__poly *b);
/* Is the symbol in it? */
bool ilc__poly_has(const ilc__poly *poly, uint32_t symbol);
/* Takes the terms that hold the symbol out of poly, divided by it. False where it stands twice in one. */
bool ilc__poly_split(ilc__poly *poly, uint32_t symbol, ilc__poly *out);
bool ilc__poly_is_const(const ilc__poly *poly, int64_t value);
/* Its value at a launch; indices and counter must not be in it. False: more than 64 bits. */
bool ilc__poly_value(const ilc__poly *poly, const ilc__launch_facts *facts, int64_t *out);

#endif
