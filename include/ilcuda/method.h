/* method.h - one method: its signature, its index mode, and whether it can become a kernel. */
#ifndef ILCUDA_METHOD_H
#define ILCUDA_METHOD_H

#include "assembly.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a method becomes a kernel (docs/semantics.md, Kernels). Extents are in the order of the indices i, j, k. */
typedef enum ilc_index_mode {
    ILC_INDEX_DEVICE,      /* a device function only: callable from other kernels      */
    ILC_INDEX_1D,          /* i                                                        */
    ILC_INDEX_2D,          /* i on rows, j on columns                                  */
    ILC_INDEX_3D,          /* i, j, k                                                  */
    ILC_INDEX_ELEMENTWISE  /* no index and no array: each scalar is read at the index  */
} ilc_index_mode;

/* "Device", "Grid1D", "Grid2D", "Grid3D"; element-wise is "Grid1D". */
ILC_API const char *ilc_index_mode_name(ilc_index_mode mode);

typedef struct ilc_param {
    const char *name;      /* as in the source                                              */
    const char *type;      /* "Single[]", "Int32", "Int32&"                                 */
    ilc_storage storage;   /* of the scalar, of the array's elements (ILC_ARRAY for arrays of arrays), or of what a
                              by-ref points to; ILC_STRUCT for structs; ILC_STORAGE_COUNT for a type that a kernel
                              cannot take                                                   */
    const ilc_struct *layout; /* of the struct, the array's or the by-ref's; else NULL      */
    bool        is_array;   /* also a pointer: an array that it points to the start of        */
    bool        is_pointer; /* "Single*"; "Void*" is of bytes                                 */
    bool        is_byref;  /* ByRef, ref, out or in: a scalar or struct that the method may write */
    int32_t     index;     /* 0, 1, 2: this is the index i, j, k of the inferred mode; else -1 */
    uint32_t    rank;      /* of an array: 1, 2 or 3 dimensions; else 0                     */
    uint32_t    nested;    /* 1 for Single[][], 2 for Single[][][]; else 0                  */
    ilc_storage innermost; /* of an array of arrays: what the innermost ones hold; else as storage */
    bool        is_span;   /* "Span<Single>", "ReadOnlySpan<Single>": is_array too, and null is one of no elements */
} ilc_param;

ILC_API const char *ilc_method_name(const ilc_method *method);      /* "Gram"                                 */
ILC_API const char *ilc_method_type(const ilc_method *method);      /* "Ns.Stats", nested "Ns.Outer+Inner"    */
ILC_API const char *ilc_method_full_name(const ilc_method *method); /* "Ns.Stats.Gram"                        */
ILC_API bool        ilc_method_is_static(const ilc_method *method);
ILC_API bool        ilc_method_has_body(const ilc_method *method);
/* Has it generic parameters of its own or of its type? */
ILC_API bool        ilc_method_is_generic(const ilc_method *method);

/* "Ns.Stats.Gram(Single[],Int32,Int32,Int32)": what ilc_assembly_find takes. */
ILC_API ilc_status  ilc_method_display(const char **out, ilc_method *method);
ILC_API uint32_t    ilc_method_param_count(const ilc_method *method);
/* ILC_OK, ILC_NOT_FOUND. */
ILC_API ilc_status  ilc_method_param(ilc_param *out, ilc_method *method, uint32_t index);
/* The number of the parameter of that name: with its case, or, where none has that, ignoring case.
 * ILC_OK, ILC_NOT_FOUND, ILC_AMBIGUOUS. */
ILC_API ilc_status  ilc_method_param_named(uint32_t *out, ilc_method *method, const char *name);
/* The result's type; ILC_VOID for a Sub; ILC_STRUCT for structs, tuples and records; ILC_ARRAY for an array of any kind
 * (ilc_call's ret.u.array says of what; a method with such a result is no kernel); ILC_STORAGE_COUNT for a type
 * that a kernel cannot return. */
ILC_API ilc_storage ilc_method_result(const ilc_method *method);
/* The layout of a struct result; *out is NULL for any other. ILC_OK, ILC_UNSUPPORTED (the struct has no layout that a
 * kernel can use; the diagnostic names type and field), ILC_OUT_OF_MEMORY. */
ILC_API ilc_status  ilc_method_result_struct(const ilc_struct **out, ilc_method *method);
/* What a kernel makes of a struct result: one array for each number in it, in order (ilc_arg_output). Its name is the
 * field's, a tuple's element has the name that the source gave it, else Item1, ...; fields of a struct in the struct
 * are joined by '_': "centre_x". offset: in the struct.
 * ILC_OK, ILC_NOT_FOUND (no more of them, or no struct), ILC_UNSUPPORTED (as above, or more than 64 numbers),
 * ILC_FORMAT, ILC_OUT_OF_MEMORY. */
ILC_API ilc_status  ilc_method_output(ilc_field *out, ilc_method *method, uint32_t index);
ILC_API ilc_status  ilc_method_result_type(const char **out, ilc_method *method);
/* The line of the method's first instruction; 0 and NULL without debug information. */
ILC_API uint32_t    ilc_method_line(const ilc_method *method, const char **source);

/* Instance methods of classes, lambdas and closures among them, are taken as static methods: each field of `this` that the
 * method, or an instance method that it calls on the same objects, reads is a parameter behind its own, named after the
 * captured variable; a field of a class type stands for the fields that are read through it. They come in the order of
 * their declaration. One step of the way to such a field: */
typedef struct ilc_captured {
    const char *name;     /* as in metadata: "scale", "$VB$Local_scale", "CS$<>8__locals1" */
    const char *type;     /* that declares it: "Ns.Outer+<>c__DisplayClass1_0"             */
    const char *assembly; /* that the type is in, simple name                             */
    uint32_t    token;    /* of the field there: 0x04......                               */
} ilc_captured;

/* How many of the method's parameters stand for fields: the last ones, or those before the parameters that
 * ilc_method_counted adds. */
ILC_API uint32_t   ilc_method_captured_count(const ilc_method *method);
/* Step number `step`, from 0 at `this`, of the way to the field that parameter number `param` stands for.
 * ILC_OK, ILC_NOT_FOUND (past the last step, or the parameter is the method's own). */
ILC_API ilc_status ilc_method_captured(ilc_captured *out, const ilc_method *method, uint32_t param, uint32_t step);
/* The method with indices that begin elsewhere than at 0: index names them as kernel options do ("i", "i,j"); for each
 * there is one more parameter, behind all others, from_i of i's type, and where the method reads i it gets i + from_i.
 * Elements of a launch, also those that traps name, still begin at 0. It belongs to the session and is made once.
 * ILC_OK, ILC_INVALID (no such parameter), ILC_UNSUPPORTED (its type is no index's), ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_method_counted(ilc_method **out, ilc_method *method, const char *index);

/* The method over the rows of matrices: rows names one or two of its array or span parameters, "a" or "a,b". There they are
 * matrices, of type T[,], each with a row for each index; behind all parameters stand the indices, i for the first and j for
 * the second. So f(a(), b()) is a kernel of two indices whose element (i, j) is f of row i of a and row j of b, as long as the
 * matrix has columns; a launch of more rows than there are is refused, as is a method that stores to a row. It belongs to the
 * session and is made once.
 * ILC_OK, ILC_INVALID (no such parameter, or more than two), ILC_UNSUPPORTED (no array or span of numbers), ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_method_by_rows(ilc_method **out, ilc_method *method, const char *rows);

/* The answer of `list`: mode is what the conventions infer (Device where they fit none). When supported is
 * false, refusal says why. */
typedef struct ilc_support {
    bool           supported;
    bool           has_mode; /* false when the signature itself is refused */
    bool           interpreted; /* as a kernel it runs on the interpreters alone: it makes arrays of any length */
    ilc_index_mode mode;
    uint32_t       loop_depth; /* loops in loops, those of methods called there among them; 0 when not supported */
    ilc_diagnostic refusal;
} ilc_support;

/* Translates the method as far as its syntax tree to find out; a refusal is an answer, not a failure, and leaves
 * no diagnostic; it always has an id. Remembered. ILC_OK, ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_method_support(ilc_support *out, ilc_method *method);

/* The same of a method that is to be a kernel with these indices (as in ilc_kernel_options; NULL: inferred): a device
 * function only is refused, too, and so is what CUDA C cannot say. Not remembered. */
ILC_API ilc_status ilc_method_kernel_support(ilc_support *out, ilc_method *method, const char *index);

/* Custom attributes whose type has the name `attribute`, "KernelAttribute", in any namespace: on the method itself, or on
 * its type. index: a text given to the attribute as its one argument or as Index, "i,j"; or NULL. */
typedef struct ilc_mark {
    bool        on_method, on_type;
    const char *index;
} ilc_mark;
/* ILC_OK (nothing may be marked), ILC_FORMAT, ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_method_mark(ilc_mark *out, ilc_method *method, const char *attribute);

#ifdef __cplusplus
}
#endif
#endif
