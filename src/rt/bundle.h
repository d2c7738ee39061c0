/* bundle.h - images and compiled code in one file, read-only (docs/bundle.md has the format). */
#ifndef ILC_RT_BUNDLE_H
#define ILC_RT_BUNDLE_H

#include "base/diag.h"

typedef enum ilc__part_kind {
    ILC__PART_ASSEMBLY = 1,
    ILC__PART_REFERENCE,
    ILC__PART_PDB,
    ILC__PART_CODE
} ilc__part_kind;

typedef struct ilc__part {
    ilc__part_kind kind;
    const char    *name;  /* zero-terminated, in the reader's arena      */
    const char    *maker; /* of code: "gcc 12.2.0 -O2"; else NULL        */
    const uint8_t *bytes; /* of code: the object, behind the maker's line */
    size_t         size;
} ilc__part;

typedef struct ilc__bundle {
    struct ilc__bundle *next; /* the session's others */
    uint32_t            count;
    ilc__part          *parts; /* by kind and name */
} ilc__bundle;

/* Checks all of it. bytes are borrowed; path stands in diagnostics. ILC_FORMAT. */
ilc_status ilc__bundle_read(ilc__context *ctx, ilc__arena *arena, const char *path, const void *bytes, size_t size,
                            ilc__bundle *out);
/* NULL where there is none. */
const ilc__part *ilc__bundle_find(const ilc__bundle *bundle, ilc__part_kind kind, const char *name);

/* What code is, and what it was compiled for: "x86-64-v3"; "sm_90" of machine code, "compute_86" of PTX. */
#define ILC__FORM_CUDA "cuda"
#if defined(_WIN32)
#define ILC__FORM_CPU "cpu pe"
#elif defined(__APPLE__)
#define ILC__FORM_CPU "cpu mach-o"
#else
#define ILC__FORM_CPU "cpu elf"
#endif

/* What code is called. */
const char *ilc__code_name(ilc__arena *arena, const char *form, const char *arch, const char *source);
/* What its maker is in a bundle: "cpu elf x86-64-v3, gcc 12.2.0 -O2". */
const char *ilc__code_maker(ilc__arena *arena, const char *form, const char *arch, const char *compiler);
/* Is there any code of the form, for arch (NULL: whatever it is for)? */
bool ilc__bundles_have(const ilc__bundle *first, const char *form, const char *arch);
/* Code of that name in a list of bundles; the first. */
const ilc__part *ilc__bundles_code(const ilc__bundle *first, const char *name);

/* The file of these parts, which are sorted here; names are unique for each kind. In arena. */
void ilc__bundle_write(ilc__arena *arena, ilc__part *parts, uint32_t count, const void **bytes, size_t *size);
/* The hash of a file of at least a header's size is set right: for ilc__bundle_write and tests. */
void ilc__bundle_seal(void *bytes, size_t size);

#endif
