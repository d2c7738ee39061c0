/* layout.h - how a struct lies in memory, as CoreCLR on x64 lays it out (docs/memory.md). */
#ifndef ILC_META_LAYOUT_H
#define ILC_META_LAYOUT_H

#include "meta/meta.h"

typedef struct ilc_struct ilc__layout; /* the public handle is the layout itself */

typedef struct ilc__layout_field {
    const char        *name;    /* "x"; compiler-made names as they stand                          */
    uint32_t           offset;  /* bytes                                                           */
    ilc_storage        storage; /* when layout is NULL                                             */
    const ilc__layout *layout;  /* a struct in the struct                                          */
    const char        *shown;   /* the name as the source has it: of a property, "X"               */
} ilc__layout_field;

struct ilc_struct {
    const ilc__type         *type;
    const char              *name; /* type's name: "Ns.Vec2"                                       */
    uint32_t                 size, align, field_count;
    const ilc__layout_field *fields; /* in metadata's order; offsets need not ascend                */
    /* by ilc__layout_settle: */
    bool     is_whole; /* bytes that lie in several fields, or in none behind the last: copied whole only */
    bool     is_blob;  /* emitted as bytes: is_whole by itself, or a field off its natural alignment      */
    uint32_t text_align; /* of the emitted type; it divides size                                           */
};
void ilc__layout_settle(ilc__layout *layout); /* the structs inside are settled */

/* The layout of a value type; the same pointer for the same type. ILC_UNSUPPORTED, naming type and field, for
 * references, inline arrays, generic parameters that are open, definitions not found. */
typedef struct ilc__layouts ilc__layouts;
ilc__layouts *ilc__layouts_create(ilc__context *ctx, ilc__arena *arena);
/* Those of the image's set, which live as long as it does. */
ilc__layouts *ilc__image_layouts(ilc__image *image);
ilc_status    ilc__layout_of(ilc__layouts *layouts, const ilc__type *type, const ilc__where *where,
                             const ilc__layout **out);
/* The number of the field that a token named, by its name; UINT32_MAX when there is none. */
uint32_t      ilc__layout_field_named(const ilc__layout *layout, const char *name);
/* Is it a value type that is neither a primitive nor an enum? */
bool          ilc__type_is_struct(const ilc__type *type);
/* A struct, or a number: what has methods that take it by reference. */
bool          ilc__type_is_value(const ilc__type *type);
/* A scalar of a struct or of the structs in it, which are MAX_NESTING deep at most. */
enum { ILC__MAX_NESTING = 16, ILC__MAX_LEAVES = 64 };
typedef struct ilc__leaf {
    ilc_storage storage;
    uint32_t    offset, depth;
    uint32_t    path[ILC__MAX_NESTING + 1]; /* numbers of fields, outermost first */
} ilc__leaf;
/* The first `most` scalars, in the order of the fields; out may be NULL. Gives how many there are, or most + 1. */
uint32_t    ilc__layout_leaves(const ilc__layout *layout, ilc__leaf *out, uint32_t most);
/* "centre_x": the names of its fields. */
const char *ilc__leaf_name(ilc__arena *arena, const ilc__layout *layout, const ilc__leaf *leaf);

/* One struct? Layouts made apart are equal where their types are. */
static inline bool ilc__layout_same(const ilc__layout *a, const ilc__layout *b)
{
    return a == b || (a && b && a->type && a->type == b->type);
}
/* The type that declares a method, with its generic arguments: what an instance method's `this` is (of). */
ilc_status    ilc__method_this_type(const ilc__method *method, const ilc__type **out);

#endif
