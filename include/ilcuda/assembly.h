/* assembly.h - a compiled .NET assembly: opened, enumerated, searched. It belongs to its session. */
#ifndef ILCUDA_ASSEMBLY_H
#define ILCUDA_ASSEMBLY_H

#include "session.h"
#include "value.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ilc_assembly ilc_assembly;
typedef struct ilc_method   ilc_method; /* method.h */

typedef struct ilc_assembly_options {
    size_t             size;
    const char *const *references;      /* folders searched for referenced assemblies, after the file's own */
    size_t             reference_count;
    const char *const *sources;         /* folders searched for source files that are not where they were compiled */
    size_t             source_count;
} ilc_assembly_options;

ILC_API void ilc_assembly_options_init(ilc_assembly_options *options);

/* Opens a file; debug information is taken from the file or from the .pdb beside it.
 * ILC_OK, ILC_IO (not readable), ILC_FORMAT (not a .NET assembly, or a broken one), ILC_INVALID. */
ILC_API ilc_status ilc_assembly_open(ilc_assembly **out, ilc_session *session, const char *path,
                             const ilc_assembly_options *options);
/* The same from memory. bytes (and pdb, which may be NULL) are borrowed: they must outlive the session. name
 * stands in diagnostics. */
ILC_API ilc_status ilc_assembly_open_memory(ilc_assembly **out, ilc_session *session, const char *name, const void *bytes,
                                    size_t size, const void *pdb, size_t pdb_size,
                                    const ilc_assembly_options *options);

ILC_API const char *ilc_assembly_path(const ilc_assembly *assembly);
ILC_API const char *ilc_assembly_name(const ilc_assembly *assembly); /* the simple name, "MyMath" */
/* Is there debug information (a portable PDB, beside or embedded)? */
ILC_API bool        ilc_assembly_has_debug(ilc_assembly *assembly);

/* Methods are numbered from 0 in the order of the metadata. ILC_NOT_FOUND past the end, ILC_FORMAT. */
ILC_API uint32_t   ilc_assembly_method_count(const ilc_assembly *assembly);
ILC_API ilc_status ilc_assembly_method(ilc_method **out, ilc_assembly *assembly, uint32_t index);

/* The layout of a structure that the assembly defines; types are numbered from 0 in the order of the metadata.
 * ILC_OK, ILC_NOT_FOUND (past the end), ILC_INVALID (no structure, or a generic one), ILC_UNSUPPORTED (one without a layout
 * that a kernel can use; the diagnostic names type and field), ILC_FORMAT. */
ILC_API ilc_status ilc_assembly_struct(const ilc_struct **out, ilc_assembly *assembly, uint32_t type);

/* Finds a method by any unambiguous tail of Namespace.Type.Method, with + for nested types, and with parameter
 * types where overloads need them: "Gram", "Stats.Gram", "Outer+Inner.F(Int32,Single[])".
 * ILC_OK, ILC_NOT_FOUND, ILC_AMBIGUOUS (the diagnostic lists the candidates), ILC_FORMAT. */
ILC_API ilc_status ilc_assembly_find(ilc_method **out, ilc_assembly *assembly, const char *name);

/* All methods that the name fits: *count of them, the first `capacity` into out (which may be NULL for 0).
 * ILC_OK (*count 0 where there is none), ILC_UNSUPPORTED, ILC_FORMAT. */
ILC_API ilc_status ilc_assembly_find_all(ilc_method **out, size_t capacity, size_t *count, ilc_assembly *assembly,
                                 const char *name);

#ifdef __cplusplus
}
#endif
#endif
