/* interp.h - the two interpreters: the judge, straight from IL, and the tree's. They share no semantics.
 *
 * Arguments are values (ilcuda/value.h) in the order of the parameters; arrays are changed in place. Fuel is
 * counted in IL instructions or tree nodes; ILC_LIMIT when it runs out (0: no limit) or when *stop becomes
 * true. An exception of the program is not a failure: outcome->trapped. */
#ifndef ILC_INTERP_INTERP_H
#define ILC_INTERP_INTERP_H

#include "ast/ast.h"
#include "il/il.h"
#include "ilcuda/value.h"

typedef struct ilc__interp_options {
    uint64_t            fuel;
    volatile const bool *stop;
    /* Called before each instruction when set: `call --trace`. */
    void (*trace)(void *user, const char *line);
    void *trace_user;
} ilc__interp_options;

/* The judge. Bodies are decoded once and kept in the machine; calls may be many. */
typedef struct ilc__il_machine ilc__il_machine;
ilc__il_machine *ilc__il_machine_create(ilc__context *ctx, ilc__arena *arena);
ilc_status       ilc__il_call(ilc__il_machine *machine, const ilc__method *method, const ilc_value *args,
                              uint32_t arg_count, const ilc__interp_options *options, ilc_outcome *out);

/* The tree interpreter. */
ilc_status ilc__ast_call(ilc__context *ctx, ilc__arena *arena, const ilc__unit *unit, const ilc_value *args,
                         uint32_t arg_count, const ilc__interp_options *options, ilc_outcome *out);

#endif
