/* il_interp.h - the judge: runs a method straight from its IL (ECMA-335 III, as CoreCLR 10 does on x64).
 *
 * Independent on purpose: nothing below sees the IR, its operations or the library's expressions. Arguments
 * are values (ilcuda/value.h) in the order of the parameters; arrays are changed in place. An exception of the
 * program is not a failure: outcome->trapped. */
#ifndef ILC_INTERP_IL_INTERP_H
#define ILC_INTERP_IL_INTERP_H

#include "il/il.h"
#include "il/statics.h"
#include "ilcuda/value.h"

/* Fuel is counted in IL instructions or tree nodes; ILC_LIMIT when it runs out (0: no limit) or when *stop
 * becomes true. */
typedef struct ilc__interp_options {
    uint64_t            fuel;
    volatile const bool *stop;
    /* Called before each instruction when set: `call --trace`. */
    void (*trace)(void *user, const char *line);
    void *trace_user;
    /* The C library's exp, sin, pow and their kind instead of ours: CoreCLR's own on Linux (docs/functions.md). */
    bool host_libm;
    /* NaNs that arithmetic makes get other bits than x64's, a GPU's: what then comes out otherwise is not promised
     * (docs/semantics.md, NaN). Of the IL interpreter alone. */
    bool other_nan;
} ilc__interp_options;

/* Bodies are decoded and checked once and kept in the machine; calls may be many. Everything lives in arena. */
typedef struct ilc__il_machine ilc__il_machine;
ilc__il_machine *ilc__il_machine_create(ilc__context *ctx, ilc__arena *arena);
/* options may be NULL. ILC_UNSUPPORTED before anything runs when the method or one that it can reach holds what
 * the judge does not know; ILC_FORMAT for IL that is not valid; ILC_INVALID for arguments of other types. */
ilc_status       ilc__il_call(ilc__il_machine *machine, const ilc__method *method, const ilc_value *args,
                              uint32_t arg_count, const ilc__interp_options *options, ilc_outcome *out);

/* What statics.c has run: an initialiser, in a machine of its own. (il_init.c) */
bool ilc__il_initialise(ilc__context *ctx, ilc__arena *arena, const ilc__method *initialiser, uint32_t *count, ilc__initialised **out);

/* Is it null, or an array of that element, rank (0: one dimension) and depth of arrays in arrays? (arguments.c) */
bool ilc__array_is(const ilc_array *array, ilc_storage elem, uint32_t rank, uint32_t nested);

#endif
