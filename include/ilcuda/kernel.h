/* kernel.h - a method translated: names, parameters, and its text in every form. It belongs to its session. */
#ifndef ILCUDA_KERNEL_H
#define ILCUDA_KERNEL_H

#include "method.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ilc_kernel ilc_kernel;

typedef struct ilc_kernel_options {
    size_t      size;
    const char *mode;    /* "exact" (default): .NET's bits; "fma": products and sums that round once together, the same on
                            all engines; "fast": as fma, and what is quick and near on each (docs/semantics.md) */
    bool        checks;  /* default true: overflow, bounds, null and division are tested as .NET does    */
    const char *index;   /* NULL: inferred; else the index parameters in the order i, j, k: "row,col"    */
    const char *scalars; /* element-wise: names of parameters that stay plain scalars, "a,b"; NULL: none */
    bool        line_directives; /* #line in CUDA and C text, which is then compiled with line tables: debuggers,
                                    profilers and compilers name the lines of the source                */
    const char *schedule; /* "auto" (default): blocks of a matrix of results together where the method's loop allows it and
                             the launch is large enough; "tile": whatever its size; "plain": each element by itself;
                             "ROWSxCOLSxDEPTH/ROW_CELLSxCOL_CELLS/BLOCKS", CUDA, to measure */
} ilc_kernel_options;

ILC_API void ilc_kernel_options_init(ilc_kernel_options *options);

/* ILC_OK, ILC_UNSUPPORTED (the diagnostic has method, opcode or callee, IL offset and line), ILC_INVALID
 * (options), ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_kernel_translate(ilc_kernel **out, ilc_method *method, const ilc_kernel_options *options);

ILC_API ilc_method    *ilc_kernel_method(const ilc_kernel *kernel);
ILC_API ilc_index_mode ilc_kernel_index_mode(const ilc_kernel *kernel);
ILC_API uint32_t       ilc_kernel_dims(const ilc_kernel *kernel); /* extents of a launch: 1 to 3; 0 for Device */

/* The number of the method's parameter that is index `dim` (0, 1, 2: i, j, k); -1 past the last one, and of element-wise
 * kernels, whose index is no parameter. */
ILC_API int32_t        ilc_kernel_index_param(const ilc_kernel *kernel, uint32_t dim);

/* "il_Gram_scalar", "il_Gram_kernel", "il_Gram_checked_kernel" (NULL where one body is all there is). */
ILC_API ilc_status ilc_kernel_device_name(const char **out, ilc_kernel *kernel);
ILC_API ilc_status ilc_kernel_name(const char **out, ilc_kernel *kernel);
ILC_API ilc_status ilc_kernel_checked_name(const char **out, ilc_kernel *kernel);

typedef enum ilc_text {
    ILC_TEXT_IL,        /* disassembly                                                     */
    ILC_TEXT_IR,        /* SSA after simplification                                        */
    ILC_TEXT_VB,        /* VB: the method and what it calls, as it runs where the launch guard holds */
    ILC_TEXT_VB_CHECKED, /* the same with every value where it is computed: the order of exceptions */
    ILC_TEXT_CS,        /* C#, likewise                                                    */
    ILC_TEXT_CS_CHECKED,
    ILC_TEXT_CUDA,      /* CUDA C to read: the guarded body alone                          */
    ILC_TEXT_C,         /* C11 to read                                                     */
    ILC_TEXT_CUDA_UNIT, /* CUDA C as it is compiled: both bodies and all that they need    */
    ILC_TEXT_C_UNIT,
    ILC_TEXT_CUDA_TILE, /* CUDA C of the kernel that makes results in blocks, as it is compiled for large matrices;
                           ILC_UNSUPPORTED where there is none (docs/schedules.md) */
    ILC_TEXT_C_TILE     /* the same for the CPU, C11 with vector types                     */
} ilc_text;

/* The text lives as long as the session; the same kernel always gives the same bytes. */
ILC_API ilc_status ilc_kernel_text(const char **out, ilc_kernel *kernel, ilc_text form);
/* Where a line of such a text comes from. */
typedef struct ilc_line {
    uint32_t    line;      /* of the text, from 1                                  */
    const char *method;    /* "Ns.Stats.Gram"                                      */
    uint32_t    il_offset; /* in the method                                        */
    const char *file;      /* as the debug information names it; NULL: not known   */
    uint32_t    source;    /* line of file; 0: not known                           */
} ilc_line;

/* The line map of VB, CUDA and C text: rows by line, several where a line holds what several lines of the source say
 * (the main one first), none for lines that come from no method, such as brackets. Made when first asked for; it lives as
 * long as the session. ILC_OK, ILC_INVALID (IL and IR say their offsets themselves), ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_kernel_lines(const ilc_line **out, size_t *count, ilc_kernel *kernel, ilc_text form);
/* VB or C# (form) that a compiler takes as it is: the method, all that it calls, the structs, exceptions and tables that
 * they use, and helpers for what the language has no operator for. The text lives as long as the session. ILC_OK,
 * ILC_INVALID (another form), ILC_UNSUPPORTED (as for a kernel, or the language cannot say it; the diagnostic names why),
 * ILC_FORMAT, ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_method_source(const char **out, ilc_method *method, ilc_text form);
/* The same of all static methods of an assembly that have a tree. Those that the language cannot say are left out;
 * comments in the text's head say which and why. */
ILC_API ilc_status ilc_assembly_source(const char **out, ilc_assembly *assembly, ilc_text form);
/* The disassembly of any method with a body, whether or not it is supported. */
ILC_API ilc_status ilc_method_il(const char **out, ilc_method *method);

/* What each pass does to the method and what it calls: the SSA form and, as pseudo-code, the tree that would be made of it,
 * as lifted and then, pass by pass, as lines that go and come. ILC_OK, ILC_UNSUPPORTED, ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_method_passes(const char **out, ilc_method *method, const char *mode, bool ir, bool tree);

/* What a parameter of the compiled entry is. */
typedef enum ilc_entry_param_kind {
    ILC_ENTRY_SCALAR, ILC_ENTRY_ARRAY, ILC_ENTRY_OUT, ILC_ENTRY_EXTENT, ILC_ENTRY_LENGTH, ILC_ENTRY_TRAP
} ilc_entry_param_kind;

typedef struct ilc_entry_param {
    ilc_entry_param_kind kind;
    const char          *name;    /* "p_x", "il_out", "il_nRows"...                                      */
    ilc_storage          storage; /* of the scalar or of the elements pointed to                         */
    uint32_t             param;   /* SCALAR, ARRAY, LENGTH: number of the method's parameter             */
    uint32_t             dim;     /* EXTENT, LENGTH of an array of several dimensions: 0, 1, 2           */
    bool                 written; /* ARRAY: a store may reach it                                         */
} ilc_entry_param;

/* Parameters of the CUDA entry `checked ? il_..._checked_kernel : il_..._kernel`, in order.
 * ILC_NOT_FOUND past the end, or where there is no such entry. */
ILC_API ilc_status ilc_kernel_entry_param(ilc_entry_param *out, ilc_kernel *kernel, bool checked, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
