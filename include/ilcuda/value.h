/* value.h - arguments and results of one call, and traps.
 *
 * A value is a scalar, a struct, an array of one to three dimensions, an array of arrays, a null array reference, or
 * a by-ref: an array of one element, which holds afterwards what the method left there. Scalars are held as their bits in the width of their
 * type, so that a NaN's payload survives; structs as the bytes that CoreCLR has in memory (x64), described by their
 * layout. */
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
/* Size in bytes of one element; 0 for ILC_VOID, and for ILC_STRUCT, whose layout has it. */
ILC_API uint32_t ilc_storage_size(ilc_storage storage);

/* The layout of a struct, as CoreCLR on x64 lays it out: name, size, fields. ilc_method_param and
 * ilc_method_result_struct give it; it belongs to the session and never changes. Tuples and records are structs, too
 * (a tuple's fields are Item1, Item2, ...). */
typedef struct ilc_struct ilc_struct;

typedef struct ilc_field {
    const char       *name;    /* of a property kept by the compiler: the property's              */
    uint32_t          offset;  /* in bytes                                                        */
    ilc_storage       storage; /* of a scalar, an enum's is its integer's; else ILC_STRUCT        */
    const ilc_struct *layout;  /* of a struct in the struct; else NULL                            */
} ilc_field;

/* "Geometry.Vec2", "System.ValueTuple`2<System.Double,System.Int32>": reflection's full name. */
ILC_API const char *ilc_struct_name(const ilc_struct *layout);
/* In bytes, padding included: also from one element of an array to the next. */
ILC_API uint32_t    ilc_struct_size(const ilc_struct *layout);
ILC_API uint32_t    ilc_struct_field_count(const ilc_struct *layout);
/* Fields in the order of the source. ILC_OK, ILC_NOT_FOUND past the last one. */
ILC_API ilc_status  ilc_struct_field(ilc_field *out, const ilc_struct *layout, uint32_t index);

/* An array object. Whoever makes it owns both it and data; data holds length elements, row-major, host byte order.
 * Two values that point to one ilc_array are the same .NET object. */
typedef struct ilc_array {
    ilc_storage       elem;    /* ILC_STRUCT: layout says it                                   */
    int64_t           length; /* of all elements                                              */
    void             *data;
    const ilc_struct *layout;  /* elements are structs of this layout; NULL where elem says it */
    uint32_t          rank;    /* 2 or 3; 0 or 1: one-dimensional, dims is not used            */
    int64_t           dims[3]; /* of each rank, outermost first; their product is length       */
} ilc_array;

typedef struct ilc_value {
    ilc_storage storage;  /* the scalar's type, ILC_STRUCT, or the array's element type   */
    bool        is_array; /* then .array, where NULL is the null reference                */
    bool        is_byref; /* a by-ref: is_array, too, with an array of one element        */
    union {
        uint64_t   bits; /* integers sign- or zero-extended per storage; Single in low 32 */
        ilc_array *array; /* a result's belongs to the method and stays until it is called again */
        void      *data; /* a struct: its bytes. An argument's are the caller's and only read; a result's
                            belong to the method and stay until it is called again               */
    } u;
    const ilc_struct *layout; /* of a struct that is no array and no by-ref: of those array->layout says it */
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
