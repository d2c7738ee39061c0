/* pass.h - passes over the IR and the analyses they need, declared in passes.def. */
#ifndef ILC_OPT_PASS_H
#define ILC_OPT_PASS_H

#include "ir/ir.h"

/* Runs the passes of passes.def over every function, callees first, until none reports progress (bounded).
 * ILC_UNSUPPORTED for a function that calls itself and is no loop. Debug builds verify after each pass. after
 * (may be NULL) is told each pass that changed a function. */
typedef void ilc__pass_listener(void *user, const char *pass, const ilc__ir_func *func);
ilc_status ilc__opt_run(ilc__context *ctx, ilc__ir_unit *unit, ilc__pass_listener *after, void *user);
/* One pass by its name, over one function; *progress says whether it changed it. ILC_NOT_FOUND. */
ilc_status ilc__opt_run_one(ilc__ir_func *func, const char *pass, bool *progress);

#endif
