/* lanes.h - code over vectors: each variable holds the values of LANES elements side by side (C with the vector types of gcc
 * and clang). lanes.c prints the body of a function so, conditions as masks; every operation is done for all lanes, and
 * nothing raises: what would is remembered in a mask. */
#ifndef ILC_EMIT_LANES_H
#define ILC_EMIT_LANES_H

#include "emit/internal.h"

/* Has every statement and operation a vector form? loads: the caller takes care of LOADs. raises: what may raise is allowed.
 * schedule: of the note that says why not; NULL: none. */
bool ilc__lanes_fit(ilc__emitter *em, const ilc__block *block, bool loads, bool raises, const char *schedule);

typedef struct ilc__lanes {
    const bool *uniform; /* by variable: a scalar in the text, the same for all lanes                     */
    /* The text of a LOAD, a vector or where *uniform is set a scalar; NULL: there is none. */
    const char *(*load)(void *user, const ilc__expr *load, bool *uniform);
    void       *user;
    bool        wide;    /* out: something is of 64 bits                                                   */
    bool        marks;   /* out: il_failed, a mask, may be set                                             */
    const char *text;    /* out: the statements; a value that is returned is in il_result                  */
} ilc__lanes;
/* Prints the body of info->func, which fits; info->var_names are its variables' names. */
ilc_status ilc__lanes_print(ilc__emitter *em, ilc__func_info *info, ilc__lanes *lanes);

/* "il_f32v" */
const char *ilc__lanes_type(ilc__ir_type type);
/* Puts the types and the helpers that text mentions into out; LANES is a constant. */
void ilc__lanes_prelude(const char *text, ilc__text *out);

#endif
