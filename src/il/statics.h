/* statics.h - what a type initialiser leaves in a static read-only field: a number, or an array of numbers. The
 * initialiser (.cctor) is read, not run: what it sets before it branches, and nothing later may change (docs/memory.md). */
#ifndef ILC_IL_STATICS_H
#define ILC_IL_STATICS_H

#include "il/il.h"

typedef struct ilc__static {
    const char *name; /* "Signals.Weights"                                               */
    bool        is_array;
    ilc_storage storage; /* of the number                                                */
    uint64_t    bits;    /* as storage has them, cut to its width; zeros above           */
    ilc_array   array;
} ilc__static;

typedef struct ilc__statics ilc__statics;
ilc__statics *ilc__image_statics(ilc__image *image); /* the set's: they live as long */
ilc__statics *ilc__statics_create(ilc__context *ctx, ilc__arena *arena);
/* Instructions that make the field's value, a number or a struct, of constants, by calls that can be made again; *count 0: there
 * are none. *is_zero: it is a struct that nothing is set in. */
ilc_status ilc__static_code(ilc__statics *statics, const ilc__field *field, const ilc__insn **out, uint32_t *count, bool *is_zero);
/* Who runs initialisers that reading does not get through, the IL interpreter: all fields that are set; false where it cannot, too. */
typedef struct ilc__initialised {
    const ilc__field *field;
    bool              is_known;
    uint64_t          bits;
    ilc_array         array; /* in arena */
} ilc__initialised;
typedef bool (*ilc__initialise)(ilc__context *ctx, ilc__arena *arena, const ilc__method *initialiser, uint32_t *count, ilc__initialised **out);
void ilc__statics_run_by(ilc__statics *statics, ilc__initialise run);
/* The same for the same field. ILC_UNSUPPORTED, naming field and reason: not read-only, of another type, or set by
 * code that is not as above. */
ilc_status ilc__static_of(ilc__statics *statics, const ilc__field *field, const ilc__where *where, const ilc__static **out);

/* May the call, or what it may run, name an array in a static field of the type? (reach.c) */
bool ilc__reaches_arrays(ilc__context *ctx, ilc__arena *arena, const ilc__callee *callee, const ilc__typedef *owner);
/* The bytes that the assembly has for a field, as numbers of that type. The same for the same field and type. */
ilc_status ilc__static_data(ilc__statics *statics, const ilc__field *field, ilc_storage elem, const ilc__where *where, const ilc__static **out);

#endif
