/* value.h - arguments and results of one call, and traps.
 *
 * A value is a scalar, a one-dimensional array, a null array reference, or a by-ref: an array of one element,
 * which holds afterwards what the method left there. Scalars are held as their bits in the width of their type,
 * so that a NaN's payload survives. */
#ifndef ILCUDA_VALUE_H
#define ILCUDA_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Storage types: what a parameter, an element or a result is kept as (ECMA-335 I.12.1).
 * The CLR name, the size in bytes, and whether the integer is signed are in storage.def. */
typedef enum ilc_storage {
#define ILC_STORAGE(name, clr, size, is_signed, is_float) ILC_##name,
#include "storage.def"
#undef ILC_STORAGE
    ILC_STORAGE_COUNT
} ilc_storage;

/* "Int32", "Single"...; "Void" for ILC_VOID. */
ILC_API const char *ilc_storage_name(ilc_storage storage);
/* Size in bytes of one element; 0 for ILC_VOID. */
ILC_API uint32_t ilc_storage_size(ilc_storage storage);

/* The layout of a struct: name, size, fields. It belongs to the session that made it. */
typedef struct ilc_struct ilc_struct;

/* An array object. Whoever makes it owns both it and data; data holds length elements, row-major, host byte order.
 * Two values that point to one ilc_array are the same .NET object. */
typedef struct ilc_array {
    ilc_storage       elem;
    int64_t           length; /* of all elements                                              */
    void             *data;
    const ilc_struct *layout;  /* elements are structs of this layout; NULL where elem says it */
    uint32_t          rank;    /* 2 or 3; 0 or 1: one-dimensional, dims is not used            */
    int64_t           dims[3]; /* of each rank, outermost first; their product is length       */
} ilc_array;

typedef struct ilc_value {
    ilc_storage storage;  /* the scalar's type, or the array's element type               */
    bool        is_array; /* then .array, where NULL is the null reference                */
    bool        is_byref; /* a by-ref: is_array, too, with an array of one element        */
    union {
        uint64_t   bits; /* integers sign- or zero-extended per storage; Single in low 32 */
        ilc_array *array;
    } u;
} ilc_value;

/* An exception that left the method, and where it was raised. Strings live as long as the outcome's
 * owner says (the arena or result handle they came from). */
typedef struct ilc_trap {
    const char *exception; /* "System.OverflowException"                                  */
    const char *message;   /* .NET's invariant text                                       */
    const char *method;    /* "Stats.Dot"                                                 */
    uint32_t    il_offset;
    uint32_t    line; /* 0 where there is no debug information                            */
    const char *file; /* document name, or NULL                                           */
} ilc_trap;

/* What one call came to. */
typedef struct ilc_outcome {
    bool      trapped;
    ilc_value ret; /* ILC_VOID for a Sub */
    ilc_trap  trap;
} ilc_outcome;

#ifdef __cplusplus
}
#endif
#endif
