/* meta.h - assemblies, types, methods and debug information, read from bytes (ECMA-335 II.22-II.25,
 * portable PDB 1.0). Everything returned lives as long as the assembly set. Hostile input gives
 * ILC_FORMAT with path and byte or row. */
#ifndef ILC_META_META_H
#define ILC_META_META_H

#include "base/diag.h"

typedef struct ilc__set      ilc__set;      /* assemblies that resolve against each other          */
typedef struct ilc__image    ilc__image;    /* one assembly: borrowed or mapped bytes              */
typedef struct ilc__type     ilc__type;     /* interned in its set: equal types are equal pointers */
typedef struct ilc__typedef  ilc__typedef;  /* one TypeDef row                                     */
typedef struct ilc__method   ilc__method;   /* one MethodDef row, perhaps instantiated             */
typedef struct ilc__field    ilc__field;
typedef struct ilc__captured ilc__captured; /* a field that a parameter stands for              */

/* ELEMENT_TYPE_* of II.23.1.16, by value. */
typedef enum ilc__element {
    ILC__ET_VOID = 0x01, ILC__ET_BOOLEAN = 0x02, ILC__ET_CHAR = 0x03, ILC__ET_I1 = 0x04, ILC__ET_U1 = 0x05,
    ILC__ET_I2 = 0x06, ILC__ET_U2 = 0x07, ILC__ET_I4 = 0x08, ILC__ET_U4 = 0x09, ILC__ET_I8 = 0x0a,
    ILC__ET_U8 = 0x0b, ILC__ET_R4 = 0x0c, ILC__ET_R8 = 0x0d, ILC__ET_STRING = 0x0e, ILC__ET_PTR = 0x0f,
    ILC__ET_BYREF = 0x10, ILC__ET_VALUETYPE = 0x11, ILC__ET_CLASS = 0x12, ILC__ET_VAR = 0x13,
    ILC__ET_ARRAY = 0x14, ILC__ET_GENERICINST = 0x15, ILC__ET_TYPEDBYREF = 0x16, ILC__ET_I = 0x18,
    ILC__ET_U = 0x19, ILC__ET_FNPTR = 0x1b, ILC__ET_OBJECT = 0x1c, ILC__ET_SZARRAY = 0x1d, ILC__ET_MVAR = 0x1e,
    ILC__ET_CMOD_REQD = 0x1f, ILC__ET_CMOD_OPT = 0x20, ILC__ET_SENTINEL = 0x41, ILC__ET_PINNED = 0x45
} ilc__element;

struct ilc__type {
    ilc__element            kind;
    const char             *name; /* "System.Single", "Ns.Outer+Inner", "System.Single[]", "System.Int32&",
                                     "System.Span`1<System.Single>": reflection's full names                   */
    const ilc__type        *elem;     /* PTR, BYREF, SZARRAY, ARRAY; GENERICINST: the open type                */
    uint32_t                depth;    /* of its nesting: 0 for a name                                          */
    uint32_t                rank;     /* ARRAY                                                                 */
    uint32_t                number;   /* VAR, MVAR                                                             */
    const ilc__type *const *args;     /* GENERICINST                                                           */
    uint32_t                arg_count;
    const ilc__typedef     *def;      /* VALUETYPE, CLASS: its definition, NULL when its assembly is not found */
    bool                    is_enum;  /* then underlying is its integer type                                   */
    const ilc__type        *underlying;
};

struct ilc__typedef {
    ilc__image         *image;
    uint32_t            row;
    const char         *ns, *name; /* nested types: ns of the outermost                                        */
    const ilc__typedef *enclosing;
    uint32_t            flags;
    uint32_t            first_method, method_count, first_field, field_count; /* rows                          */
    const ilc__type    *type;
};

typedef struct ilc__signature {
    bool                    has_this, explicit_this, vararg;
    uint32_t                generic_count;
    const ilc__type        *ret;
    uint32_t                param_count;
    const ilc__type *const *params;
} ilc__signature;

enum {
    ILC__METHOD_STATIC = 0x0010,
    ILC__METHOD_FINAL = 0x0020,
    ILC__METHOD_VIRTUAL = 0x0040,
    ILC__METHOD_ABSTRACT = 0x0400,
    ILC__METHOD_PINVOKE = 0x2000
};

struct ilc__method {
    ilc__image             *image;
    uint32_t                row;   /* of MethodDef; token = 0x06000000 | row                                    */
    const char             *name;
    const char             *type_name;  /* "Ns.Type" or "Ns.Outer+Inner"                                        */
    const char             *full_name;  /* "Ns.Type.Method"                                                     */
    const ilc__typedef     *owner;
    uint32_t                flags, impl_flags, rva;
    ilc__signature          sig;        /* generic arguments substituted                                        */
    const char *const      *param_names; /* param_count names; "arg<n>" where metadata has none                 */
    const ilc__type *const *type_args;
    uint32_t                type_arg_count;
    const ilc__type *const *method_args;
    uint32_t                method_arg_count;
    /* Of a form of a method (il/instance.h); else NULL and 0. Its last parameters are the captured ones, or those that
     * the index parameters `counted` count from. */
    const ilc__method      *form_of;
    const ilc__captured    *captured;
    uint32_t                captured_count;
    const uint32_t         *counted;
    uint32_t                counted_count;
    /* Parameters that are matrices in the form, of which the method has a row; the index of each stands from row_first on. */
    const uint32_t         *rows;
    uint32_t                row_count, row_first;
};

/* A field of `this`, or of an object in a field of it, and so on. */
struct ilc__captured {
    const ilc__field *const *path;
    uint32_t                 length;
};

struct ilc__field {
    ilc__image         *image;
    uint32_t            row, flags;
    const char         *name;
    const ilc__typedef *owner;
    const ilc__type    *type;
    uint32_t            rva; /* 0 where the field has no data */
};

/* What a call names. def is NULL when the assembly it lives in was not found; the names and the signature
 * are there all the same, so that known methods match by name whatever the scope. */
typedef struct ilc__callee {
    const char         *type_name; /* "System.Math"; without generic arguments: "System.Span`1" */
    const char         *name;      /* "Sqrt"        */
    ilc__signature      sig;
    const ilc__type    *type;      /* declaring type */
    const ilc__method  *def;
} ilc__callee;

/* --- the set ------------------------------------------------------------------------------------------ */

ilc__set *ilc__set_create(ilc__context *ctx);
void      ilc__set_destroy(ilc__set *set); /* unmaps files; memory goes with the context's heap */
/* Folders searched for references, after the folder of the assembly itself, in order. */
void       ilc__set_add_directory(ilc__set *set, const char *directory);
/* A folder searched for source files that are not where the compiler found them. */
void       ilc__set_add_sources(ilc__set *set, const char *directory);
ilc_status ilc__set_open(ilc__set *set, const char *path, ilc__image **out);
/* No folder and no installed .NET is searched: what is not opened is not found. */
void       ilc__set_close(ilc__set *set);
/* Images in the order in which they were opened; NULL past the last. */
ilc__image *ilc__set_image(const ilc__set *set, uint32_t number);
/* bytes are borrowed and must outlive the set; pdb may be NULL. name stands in diagnostics. */
ilc_status ilc__set_open_memory(ilc__set *set, const char *name, const uint8_t *bytes, size_t size,
                                const uint8_t *pdb, size_t pdb_size, ilc__image **out);
/* A primitive by element type (also STRING, OBJECT), and the one-dimensional array of a type (NULL only where
 * types are nested too deep). */
const ilc__type *ilc__set_primitive(ilc__set *set, ilc__element kind);
const ilc__type *ilc__set_szarray(ilc__set *set, const ilc__type *elem);
ilc__context    *ilc__set_context(ilc__set *set);

/* --- an image ----------------------------------------------------------------------------------------- */

const char *ilc__image_path(const ilc__image *image);
const char *ilc__image_name(const ilc__image *image); /* simple assembly name */
bool        ilc__image_is_r2r(const ilc__image *image);
/* The file's bytes; those of the PDB beside it, NULL and 0 where there is none, or it is in the image. */
const uint8_t *ilc__image_bytes(const ilc__image *image, size_t *size);
const uint8_t *ilc__image_pdb_bytes(ilc__image *image, size_t *size);
/* One of the framework's own assemblies, by name: its code is known by name or not at all, and touches no program's
 * fields. */
bool        ilc__image_is_framework(const ilc__image *image);
uint32_t    ilc__image_method_count(const ilc__image *image); /* MethodDef rows; 1 is the first */
ilc_status  ilc__image_method(ilc__image *image, uint32_t row, const ilc__method **out);
uint32_t    ilc__image_typedef_count(const ilc__image *image);
ilc_status  ilc__image_typedef(ilc__image *image, uint32_t row, const ilc__typedef **out);
ilc_status  ilc__typedef_base(const ilc__typedef *def, const ilc__type **out); /* NULL without */
ilc_status  ilc__typedef_method(const ilc__typedef *def, uint32_t number, const ilc__method **out); /* its n-th, from 0 */
bool        ilc__typedef_has_method(const ilc__typedef *def, const char *name);
/* The body's bytes at the method's RVA up to the end of its section; header included (II.25.4). */
ilc_status  ilc__image_body_bytes(const ilc__image *image, const ilc__method *method, const uint8_t **bytes,
                                  size_t *size);

/* --- tokens, as they stand in IL ----------------------------------------------------------------------
 * within: the method whose body holds the token (its generic arguments apply); may be NULL. */

ilc_status ilc__resolve_callee(ilc__image *image, uint32_t token, const ilc__method *within, ilc__callee *out);
ilc_status ilc__resolve_type(ilc__image *image, uint32_t token, const ilc__method *within, const ilc__type **out);
ilc_status ilc__resolve_field(ilc__image *image, uint32_t token, const ilc__method *within, const ilc__field **out,
                              const char **type_name, const char **name); /* *out NULL when not found */
/* What a virtual call of callee runs on a value of a value type: its own method; *out NULL where it has none. */
ilc_status ilc__method_implementing(const ilc__type *type, const ilc__callee *callee, const ilc__method **out);
/* StandAloneSig: the locals of a body. pinned[i] for pinned locals. */
ilc_status ilc__resolve_locals(ilc__image *image, uint32_t token, const ilc__method *within, uint32_t *count,
                               const ilc__type *const **types, const bool **pinned);
/* A user string as UTF-8 (II.24.2.4); invalid surrogates become U+FFFD. */
ilc_status ilc__resolve_string(ilc__image *image, uint32_t token, const char **out);
/* The bytes of a field with an RVA (initialised data); size from its type's layout. */
ilc_status ilc__field_data(const ilc__field *field, const uint8_t **bytes, size_t *size);

/* --- debug information (side file, embedded, or none) --------------------------------------------------- */

bool ilc__debug_available(ilc__image *image);
/* The source's name of a local slot at an IL offset (innermost scope), or NULL. Hidden names are NULL.
 * ILC__ANY_OFFSET: the first scope that has the slot. */
#define ILC__ANY_OFFSET UINT32_MAX
const char *ilc__debug_local(const ilc__method *method, uint32_t slot, uint32_t il_offset);
/* The last sequence point at or before il_offset that is not hidden; 0 where there is none. ILC__ANY_OFFSET: the
 * method's first. */
uint32_t ilc__debug_line(const ilc__method *method, uint32_t il_offset, const char **document);

/* One sequence point that is not hidden: the instructions from il to end, and the source lines that they are. */
typedef struct ilc__point {
    uint32_t    il, end; /* end: of the next visible point, or UINT32_MAX */
    uint32_t    line, last_line, column; /* column: where it starts in line, from 1 */
    const char *document;
    uint32_t    document_row;
} ilc__point;
/* The point number `number` of the method, in the order of offsets; false past the last. */
bool ilc__debug_point(const ilc__method *method, uint32_t number, ilc__point *out);
/* The one that ilc__debug_line tells the line of. */
bool ilc__debug_point_at(const ilc__method *method, uint32_t il_offset, ilc__point *out);

/* The source of a line as comments of a listing, one for each of its lines: "Stats.vb:14: sum += x(k)", or "Stats.vb:14" where
 * the text is not to be had: it is in the debug information, or in the file that this names, or in one of that name in a folder
 * given with ilc__set_add_sources; of a file the hash must fit. Nothing where the offset is still in *last. */
void ilc__source_comment(ilc__text *out, const char *lead, const ilc__method *method, uint32_t il_offset, ilc__point *last);

/* The names that the source gave to the elements of a tuple result (TupleElementNamesAttribute), NULL for each that
 * has none; those of a tuple in the tuple come behind the outer's. *count 0 where there are none. */
ilc_status ilc__method_tuple_names(const ilc__method *method, ilc__arena *arena, const char *const **out,
                                   uint32_t *count);

/* Custom attributes whose type has this name, whatever its namespace: on the method, or on its type. index: the text that
 * the attribute, the method's before the type's, was given first or as its property or field Index, or NULL. */
typedef struct ilc__mark {
    bool        on_method, on_type;
    const char *index;
} ilc__mark;
ilc_status ilc__method_mark(const ilc__method *method, const char *attribute, ilc__arena *arena, ilc__mark *out);

/* --- names ---------------------------------------------------------------------------------------------- */

/* As parameters are spelt: "Int32", "Single[]", "Int32&", "Span<Single>"; other types by full name. */
const char *ilc__type_short_name(ilc__arena *arena, const ilc__type *type);
/* "Stats.Dot(Single[],Single[])" */
const char *ilc__method_display(ilc__arena *arena, const ilc__method *method);
/* The storage of a scalar type (enums by their underlying type); ILC_STORAGE_COUNT when it is not scalar. */
ilc_storage ilc__type_storage(const ilc__type *type);
/* What System.Span`1 and ReadOnlySpan`1 are of, whatever the assembly; NULL for other types. (type.c) */
const ilc__type *ilc__type_span(const ilc__type *type);
/* Path, name, il, source, line; ILC__ANY_OFFSET: the method as a whole, without il. */
ilc__where  ilc__method_where(const ilc__method *method, uint32_t il_offset);

#endif
