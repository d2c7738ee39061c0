/* bundle.h - images and compiled code in one file, made ahead of time (docs/bundle.md).
 *
 *     ilc_bundle   *bundle;     ilc_bundle_open(&bundle, session, "Stats.ilcuda");
 *     ilc_assembly *assembly;   ilc_bundle_assembly(&assembly, bundle);
 *     ilc_engine_options options;   ilc_engine_options_init(&options);
 *     options.no_compile = true;    what is not in the bundle is an error
 *     ilc_engine *engine;       ilc_engine_create(&engine, session, &options); */
#ifndef ILCUDA_BUNDLE_H
#define ILCUDA_BUNDLE_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ilc_bundle ilc_bundle; /* belongs to its session */

/* All of the file is checked. Every engine of the session finds its code from now on, before the cache's.
 * ILC_OK, ILC_IO, ILC_FORMAT (no bundle, a damaged one, or one of another version), ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_bundle_open(ilc_bundle **out, ilc_session *session, const char *path);
/* The same from memory. bytes are borrowed: they must outlive the session. name stands in diagnostics. */
ILC_API ilc_status ilc_bundle_open_memory(ilc_bundle **out, ilc_session *session, const char *name, const void *bytes,
                                          size_t size);
/* The assembly that the bundle was built from, with the references in the bundle and no others. The same each time.
 * ILC_OK, ILC_FORMAT, ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_bundle_assembly(ilc_assembly **out, ilc_bundle *bundle);

/* One part: "assembly", "reference", "pdb" or "code"; what it is called; who compiled code, for what ("cpu elf x86-64-v3, gcc
 * 12.2.0 -O2"), else NULL; bytes. ILC_OK, ILC_NOT_FOUND past the last. Strings live as long as the session. */
typedef struct ilc_bundle_part {
    const char *kind, *name, *maker;
    uint64_t    size;
} ilc_bundle_part;
ILC_API ilc_status ilc_bundle_part_get(ilc_bundle_part *out, const ilc_bundle *bundle, uint32_t index);

/* --- building --- */

typedef struct ilc_bundle_options {
    size_t             size;
    const char *const *isas;  /* "x86-64", "x86-64-v2", ...: levels that CPU code is made for, lowest first or not */
    size_t             isa_count; /* 0: no CPU code                                                                */
    const char *const *archs; /* "sm_86": architectures that CUDA code is made for                                */
    size_t             arch_count;
    const char        *cpu_compiler, *cuda_compiler, *optimise, *cache_dir, *cuda_path; /* as of an engine        */
    bool               checks;         /* as of a kernel */
    const char        *index, *scalars; /* as of a kernel; index: also of methods whose mark names none           */
    bool               no_debug;       /* without PDB: messages have IL offsets instead of lines                  */
} ilc_bundle_options;

ILC_API void ilc_bundle_options_init(ilc_bundle_options *options);

typedef struct ilc_bundle_result {
    uint32_t images, codes;
    uint64_t size; /* of the file, in bytes */
} ilc_bundle_result;

/* Writes a bundle of an assembly and these of its methods; the file is whole or not there. result may be NULL.
 * ILC_OK, ILC_UNSUPPORTED (a method that is no kernel and no device function), ILC_INVALID (an unknown level, methods of
 * another assembly), ILC_NO_ENGINE (no compiler), ILC_COMPILER, ILC_IO, ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_bundle_build(ilc_bundle_result *result, const char *path, ilc_assembly *assembly,
                                    ilc_method *const *methods, size_t count, const ilc_bundle_options *options);

#ifdef __cplusplus
}
#endif
#endif
