/* interp.h - the two interpreters: the judge, straight from IL (il_interp.h, which sees nothing of the tree), and
 * the tree's. They share no semantics, only the shape of a call: arguments are values (ilcuda/value.h) in the
 * order of the parameters; arrays are changed in place; an exception of the program is outcome->trapped. */
#ifndef ILC_INTERP_INTERP_H
#define ILC_INTERP_INTERP_H

#include "ast/ast.h"
#include "interp/il_interp.h"

/* The tree interpreter. A machine keeps a unit's trees in the form that it runs; calls may be many. The unit
 * outlives it. */
typedef struct ilc__ast_machine ilc__ast_machine;
ilc_status ilc__ast_machine_create(ilc__context *ctx, ilc__arena *arena, const ilc__unit *unit,
                                   ilc__ast_machine **out);
/* Takes no memory but for the trap's strings. ILC_INVALID when the arguments do not fit the root's parameters. */
ilc_status ilc__ast_machine_call(ilc__ast_machine *machine, const ilc_value *args, uint32_t arg_count,
                                 const ilc__interp_options *options, ilc_outcome *out);
/* Both at once. */
ilc_status ilc__ast_call(ilc__context *ctx, ilc__arena *arena, const ilc__unit *unit, const ilc_value *args,
                         uint32_t arg_count, const ilc__interp_options *options, ilc_outcome *out);

#endif
