/* interp.h - the two interpreters: the judge, straight from IL (il_interp.h, which sees nothing of the tree), and
 * the tree's. They share no semantics, only the shape of a call: arguments are values (ilcuda/value.h) in the
 * order of the parameters; arrays are changed in place; an exception of the program is outcome->trapped. */
#ifndef ILC_INTERP_INTERP_H
#define ILC_INTERP_INTERP_H

#include "ast/ast.h"
#include "interp/il_interp.h"

/* The tree interpreter. */
ilc_status ilc__ast_call(ilc__context *ctx, ilc__arena *arena, const ilc__unit *unit, const ilc_value *args,
                         uint32_t arg_count, const ilc__interp_options *options, ilc_outcome *out);

#endif
