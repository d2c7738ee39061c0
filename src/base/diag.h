/* diag.h - diagnostics: one line each, in plain words, past tense, with where.
 *
 * A function that fails returns the status of the diagnostic it added:
 *     return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "call to %s", name);
 * and a caller passes the status on with ILC__TRY. Never two diagnostics for one fault. */
#ifndef ILC_BASE_DIAG_H
#define ILC_BASE_DIAG_H

#include "base/memory.h"
#include "ilcuda/status.h"
#include "ilcuda/value.h"

/* Where a fault lies; fields that do not apply stay 0 or NULL. */
typedef struct ilc__where {
    const char *path;    /* the assembly, or another input file          */
    const char *method;  /* "Stats.Gram"                                 */
    const char *source;  /* source document, from the PDB                */
    uint32_t    line;    /* source line                                  */
    uint32_t    column;  /* of it, from 1; 0: unknown                    */
    uint32_t    il;      /* IL offset, meaningful when has_il            */
    uint32_t    token;   /* metadata token                               */
    uint64_t    byte;    /* file offset, meaningful when has_byte        */
    bool        has_il, has_byte;
} ilc__where;

typedef struct ilc__diag {
    ilc_status status;
    ilc__where where;
    char      *reason; /* without where: "call to System.String.Concat"  */
    char      *text;   /* the whole line                                 */
} ilc__diag;

/* What all layers share of a session: its memory and its diagnostics. Not thread-safe: one per thread. */
typedef struct ilc__context {
    ilc__heap  heap;
    ilc__arena arena;   /* lives as long as the session */
    ilc__arena scratch; /* of the pass that runs over a function: emptied when it ends */
    ILC__VEC(ilc__diag) diags;
} ilc__context;

void ilc__context_init(ilc__context *ctx); /* with libc's allocator; api/session.c may replace heap.resize first */
void ilc__context_free(ilc__context *ctx);

/* Adds a diagnostic (where may be NULL) and returns status. */
ilc_status ilc__fail(ilc__context *ctx, ilc_status status, const ilc__where *where, const char *format, ...)
    ILC__PRINTF(4, 5);

/* The same for what cannot become a kernel: reason "call to System.Math.Exp" becomes the line
 * "Stats.vb:41: Stats.RowSum: call to System.Math.Exp at IL_001f is not supported in a kernel". */
ilc_status ilc__refuse(ilc__context *ctx, const ilc__where *where, const char *format, ...) ILC__PRINTF(3, 4);

#define ILC__TRY(expr)                                                                                       \
    do {                                                                                                     \
        ilc_status try_status_ = (expr);                                                                     \
        if (try_status_ != ILC_OK) return try_status_;                                                       \
    } while (0)

#endif
