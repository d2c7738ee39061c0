/* image.h - the insides of a set and its images, and what the files of meta ask of each other. Private. */
#ifndef ILC_META_IMAGE_H
#define ILC_META_IMAGE_H

#include "base/os.h"
#include "meta/meta.h"
#include "meta/tables.h"

enum {
    ILC__SECTIONS_MAX = 96,
    ILC__TYPE_DEPTH_MAX = 64,  /* of nested types                                   */
    ILC__TYPE_NAME_MAX = 8192, /* bounds the size of a type as a tree, too          */
    ILC__ENCLOSING_MAX = 32,   /* nested classes                                    */
    ILC__FORWARDS_MAX = 8,     /* type forwarding from assembly to assembly         */
    ILC__BASES_MAX = 64        /* base classes                                      */
};

typedef struct ilc__section {
    uint32_t va, virtual_size, raw, raw_size;
} ilc__section;

typedef struct ilc__pdb ilc__pdb;

/* Rows of a table by the row of another that a column names: first[parent], next[row]; 0 ends. */
typedef struct ilc__row_index {
    uint32_t *first, *next;
} ilc__row_index;

struct ilc__image {
    ilc__set      *set;
    const char    *path, *name, *directory; /* directory NULL for images in memory */
    const uint8_t *bytes;
    size_t         size;
    ilc__file      file;
    bool           r2r, is_core; /* is_core: refers to no other assembly, so System.Int32 is here */
    ilc__section   sections[ILC__SECTIONS_MAX];
    uint32_t       section_count;
    uint32_t       debug_rva, debug_size;
    ilc__metadata  md;
    /* caches, one pointer per row, allocated when first asked for */
    ilc__method       **methods;
    ilc__field        **fields;
    ilc__typedef      **typedefs;
    const ilc__type   **typerefs;
    const ilc__callee **callees;    /* of MemberRef rows, where no generic argument is in force */
    ilc__image        **references; /* of AssemblyRef rows; the image itself stands for "not found" */
    ilc__row_index      rva_of_field, layout_of_type, offset_of_field, impls_of_type, interfaces_of_type;
    uint32_t           *enclosing; /* of each TypeDef row; 0 none */
    uint32_t           *name_slots, name_slot_count;
    const uint8_t      *given_pdb;
    size_t              given_pdb_size;
    ilc__pdb           *pdb;
    bool                pdb_sought;
};

struct ilc__set {
    ilc__context *ctx;
    ilc__arena    arena;
    ilc__map      types;     /* by structure                        */
    ilc__map      instances; /* methods and fields of generic types */
    ilc__map      missing;   /* unresolved types, by name           */
    ilc__map      by_path, by_name;
    ILC__VEC(ilc__image *) images;
    ILC__VEC(const char *) directories, sources;
    const char      *framework;
    bool             framework_sought;
    const ilc__type *primitives[ILC__ET_OBJECT + 1];
    struct ilc__layouts *layouts; /* made when asked for */
    struct ilc__statics *statics;
    ilc__map uses, forms; /* il/instance.h: const ilc__method * -> what it does with `this`; key of a form -> its method */
};

/* Generic arguments in force; counts 0 where there are none: VAR and MVAR then stay open. */
typedef struct ilc__generics {
    const ilc__type *const *type_args;
    uint32_t                type_arg_count;
    const ilc__type *const *method_args;
    uint32_t                method_arg_count;
} ilc__generics;
ilc__generics ilc__generics_of(const ilc__method *within);

/* pe.c */
ilc_status ilc__pe_open(ilc__image *image);
bool       ilc__pe_bytes(const ilc__image *image, uint32_t rva, ilc__reader *out); /* to the section's end */
bool ilc__pe_data(const ilc__image *image, uint32_t rva, size_t size, const uint8_t **out); /* zeros too */

/* tables.c */
ilc_status ilc__tables_open(ilc__metadata *md, ilc__heap_view stream);

/* typedef.c */
const ilc__row_index *ilc__row_index_of(ilc__image *image, ilc__row_index *index, uint32_t table,
                                        uint32_t column, uint32_t parent);
uint32_t ilc__typedef_owner(const ilc__image *image, uint32_t table, uint32_t row); /* of a method or field */
uint32_t ilc__typedef_member(const ilc__typedef *def, uint32_t table, uint32_t number); /* its n-th row */
/* A TypeDef token, or the ExportedType token of a forwarded type; 0 when the image has neither. */
uint32_t   ilc__name_find(ilc__image *image, const char *ns, const char *name, uint32_t enclosing);

/* token.c: the same types, by name where they are of two sets */
/* One type, perhaps of two sets; NULL is none. */
bool ilc__type_same(const ilc__type *a, const ilc__type *b);
bool ilc__signature_same(const ilc__signature *a, const ilc__signature *b);

/* attribute.c: a custom attribute of a type of that name (no namespace) on the parent (coded, II.24.2.6); 0: none. */
uint32_t ilc__attribute_find(const ilc__image *image, uint32_t parent, const char *name);

/* type.c: interning */
typedef struct ilc__type_key {
    ilc__element            kind;
    const ilc__type        *elem;
    uint32_t                rank, number;
    const ilc__type *const *args;
    uint32_t                arg_count;
} ilc__type_key;
ilc_status       ilc__type_intern(ilc__set *set, const ilc__type_key *key, const ilc__type **out);
const ilc__type *ilc__type_of_primitive_name(ilc__set *set, const char *ns, const char *name);
ilc__type       *ilc__type_missing(ilc__set *set, const char *full_name, bool value_type);
ilc_status       ilc__type_substitute(ilc__set *set, const ilc__type *type, const ilc__generics *generics,
                                      const ilc__type **out);

/* sig.c */
ilc_status ilc__sig_method(ilc__image *image, ilc__reader blob, const ilc__generics *generics,
                           ilc__signature *out);
ilc_status ilc__sig_field(ilc__image *image, ilc__reader blob, const ilc__generics *generics,
                          const ilc__type **out);
ilc_status ilc__sig_type(ilc__image *image, ilc__reader blob, const ilc__generics *generics,
                         const ilc__type **out);
ilc_status ilc__sig_locals(ilc__image *image, ilc__reader blob, const ilc__generics *generics,
                           uint32_t *count, const ilc__type *const **types, const bool **pinned);
ilc_status ilc__sig_instance(ilc__image *image, ilc__reader blob, const ilc__generics *generics,
                             uint32_t *count, const ilc__type *const **types);

/* assembly-set.c */
const char *ilc__set_framework(ilc__set *set); /* folder of the newest shared framework, or NULL */
ilc__image *ilc__set_reference(ilc__image *image, uint32_t assembly_ref); /* NULL when not found */
/* A type of an image by name, through ExportedType: its definition or NULL. */
const ilc__typedef *ilc__set_find_type(ilc__image *image, const char *ns, const char *name);

/* token.c */
ilc_status ilc__token_type(ilc__image *image, uint32_t token, const ilc__generics *generics, bool value_type,
                           const ilc__type **out);

/* member.c */
ilc_status ilc__method_instance(const ilc__method *open, const ilc__generics *generics,
                                const ilc__method **out);
ilc_status ilc__field_of_row(ilc__image *image, uint32_t row, const ilc__field **out);
ilc_status ilc__field_instance(const ilc__field *open, const ilc__generics *generics, const ilc__field **out);

/* pdb.c */
ilc__pdb *ilc__pdb_of(ilc__image *image); /* NULL without */
void      ilc__pdb_close(ilc__image *image);

#endif
