/* verify.h - what the parts of the verifier share (verify.c, versions.c). */
#ifndef ILC_IR_VERIFY_H
#define ILC_IR_VERIFY_H

#include "ir/text.h"

typedef struct ilc__verifier {
    ilc__ir_func *func;
    uint32_t     *position;   /* of a value in its block; UINT32_MAX: in none */
    bool         *branches;   /* blocks with more than one target              */
    bool         *param_seen;
} ilc__verifier;

/* Are the predecessors of every block the sources of the edges to it? Every target must exist. (cfg.c) */
bool ilc__ir_preds_match(const ilc__ir_func *func);
ilc_status ilc__verify_fail(ilc__verifier *v, ilc__ref ref, uint32_t block, const char *rule);
/* No two versions of a variable live at the same time. */
ilc_status ilc__verify_versions(ilc__verifier *v);

#endif
