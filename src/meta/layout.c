/* layout.c - how structs lie in memory: sequential, automatic and explicit layouts as CoreCLR on x64 makes
 * them (ECMA-335 II.10.1.2, II.10.7, II.22.8, II.22.16). */
#include "meta/layout.h"

#include "meta/image.h"

enum { FIELD_FLAGS, FIELD_STATIC = 0x10 };
enum { CLASS_PACKING, CLASS_SIZE, CLASS_PARENT };
enum { ATTRIBUTE_TAG_BITS = 5, ATTRIBUTE_TAG_TYPEDEF = 3 }; /* II.24.2.6, HasCustomAttribute */
enum { FIELDLAYOUT_OFFSET, FIELDLAYOUT_FIELD };
enum { LAYOUT_MASK = 0x18, LAYOUT_AUTO = 0, LAYOUT_SEQUENTIAL = 0x08, LAYOUT_EXPLICIT = 0x10 };
enum { MAX_FIELDS = 256, MAX_SIZE = 1 << 16, MAX_NESTING = ILC__MAX_NESTING, POINTER_SIZE = 8 };

struct ilc__layouts {
    ilc__context *ctx;
    ilc__arena   *arena;
    ilc__map      by_type; /* const ilc__type * -> const ilc__layout * */
};

/* One layout being made. */
typedef struct maker {
    ilc__layouts       *all;
    const ilc__type    *type;
    const ilc__typedef *def;
    const ilc__where   *where;
    uint32_t            packing, stated_size, flags, count;
    ilc__layout_field  *fields;
    uint32_t           *sizes, *aligns, *rows; /* of each field; its row in Field */
    unsigned            depth;
} maker;

static ilc_status make(maker *m, const ilc__layout **out);

ilc__layouts *ilc__layouts_create(ilc__context *ctx, ilc__arena *arena)
{
    ilc__layouts *layouts = ILC__NEW(arena, ilc__layouts);
    *layouts = (ilc__layouts){.ctx = ctx, .arena = arena, .by_type = {.arena = arena}};
    return layouts;
}

ilc__layouts *ilc__image_layouts(ilc__image *image)
{
    ilc__set *set = image->set;
    if (!set->layouts) set->layouts = ilc__layouts_create(set->ctx, &set->arena);
    return set->layouts;
}

bool ilc__type_is_struct(const ilc__type *type)
{
    const ilc__type *open = type->kind == ILC__ET_GENERICINST ? type->elem : type;
    return open->kind == ILC__ET_VALUETYPE && !open->is_enum;
}

bool ilc__type_is_value(const ilc__type *type)
{
    ilc_storage storage = ilc__type_storage(type);
    return ilc__type_is_struct(type) || (storage != ILC_STORAGE_COUNT && storage != ILC_VOID);
}

static ilc_status refuse(const maker *m, const char *what, const char *field)
{
    if (field)
        return ilc__refuse(m->all->ctx, m->where, "the struct %s: %s (field %s)", m->type->name, what, field);
    return ilc__refuse(m->all->ctx, m->where, "the struct %s: %s", m->type->name, what);
}

/* --- fields ----------------------------------------------------------------------------------------------
 */

/* CoreCLR gives these sizes and alignments that their fields do not say. */
static bool is_special(const char *name)
{
    static const char *const names[] = {"System.Int128", "System.UInt128", "System.Numerics.Vector`1"};
    if (strncmp(name, "System.Runtime.Intrinsics.", 26) == 0) return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* [InlineArray(n)]: the type's one field stands n times. */
static bool is_inline_array(const maker *m)
{
    uint32_t parent = m->def->row << ATTRIBUTE_TAG_BITS | ATTRIBUTE_TAG_TYPEDEF;
    return m->count == 1 && ilc__attribute_find(m->def->image, parent, "InlineArrayAttribute");
}

static ilc_status field_type(maker *m, const ilc__field *field, const ilc__type **out)
{
    ilc__generics generics = {0};
    *out = field->type;
    if (m->type->kind != ILC__ET_GENERICINST) return ILC_OK;
    generics.type_args = m->type->args;
    generics.type_arg_count = m->type->arg_count;
    return ilc__type_substitute(m->def->image->set, field->type, &generics, out);
}

/* A compiler keeps property X in <X>k__BackingField, F# in X@. */
static const char *shown_name(ilc__arena *arena, const char *name)
{
    const char *end = strchr(name, '>');
    size_t      length = strlen(name);
    if (name[0] == '<' && end && end - name > 1)
        return ilc__arena_strndup(arena, name + 1, (size_t)(end - name - 1));
    if (length > 1 && name[length - 1] == '@') return ilc__arena_strndup(arena, name, length - 1);
    return name;
}

static ilc_status add_field(maker *m, const char *name, uint32_t row, const ilc__type *type)
{
    ilc__layout_field *out = &m->fields[m->count];
    out->name = name;
    out->shown = shown_name(m->all->arena, name);
    m->rows[m->count] = row;
    out->storage = ilc__type_storage(type);
    if (out->storage != ILC_STORAGE_COUNT && out->storage != ILC_VOID) {
        m->sizes[m->count] = m->aligns[m->count] = ilc_storage_size(out->storage);
        m->count++;
        return ILC_OK;
    }
    if (!ilc__type_is_struct(type))
        return refuse(m, ilc__arena_printf(m->all->arena, "a field of type %s", type->name), name);
    maker nested = {.all = m->all, .type = type, .where = m->where, .depth = m->depth + 1};
    out->storage = ILC_VOID;
    ILC__TRY(make(&nested, &out->layout));
    m->sizes[m->count] = out->layout->size;
    m->aligns[m->count] = out->layout->align;
    m->count++;
    return ILC_OK;
}

static void make_room(maker *m, uint32_t n)
{
    m->fields = ILC__NEW_ARRAY(m->all->arena, ilc__layout_field, n);
    m->sizes = ILC__NEW_ARRAY(m->all->arena, uint32_t, n);
    m->aligns = ILC__NEW_ARRAY(m->all->arena, uint32_t, n);
    m->rows = ILC__NEW_ARRAY(m->all->arena, uint32_t, n);
}

static ilc_status read_fields(maker *m)
{
    const ilc__metadata *md = &m->def->image->md;
    make_room(m, m->def->field_count < MAX_FIELDS ? m->def->field_count : MAX_FIELDS);
    for (uint32_t i = 0; i < m->def->field_count; i++) {
        uint32_t          row = ilc__typedef_member(m->def, ILC__T_FIELD, i);
        const ilc__field *field;
        if (ilc__table_get(md, ILC__T_FIELD, row, FIELD_FLAGS) & FIELD_STATIC) continue;
        if (m->count == MAX_FIELDS) return refuse(m, "too many fields", NULL);
        ILC__TRY(ilc__field_of_row(m->def->image, row, &field));
        const ilc__type *type;
        ILC__TRY(field_type(m, field, &type));
        ILC__TRY(add_field(m, field->name, row, type));
    }
    return ILC_OK;
}

/* System.ValueTuple of one to seven: known by name, so that tuples need no installed .NET. Its layout is automatic. */
static bool is_tuple(const ilc__type *type)
{
    static const char prefix[] = "System.ValueTuple`";
    return type->kind == ILC__ET_GENERICINST && strncmp(type->elem->name, prefix, sizeof prefix - 1) == 0 &&
           type->arg_count >= 1 && type->arg_count <= 7;
}

static ilc_status read_tuple(maker *m)
{
    make_room(m, m->type->arg_count);
    m->flags = LAYOUT_AUTO;
    for (uint32_t i = 0; i < m->type->arg_count; i++)
        ILC__TRY(add_field(m, ilc__arena_printf(m->all->arena, "Item%u", i + 1), i + 1, m->type->args[i]));
    return ILC_OK;
}

static void read_class_layout(maker *m)
{
    ilc__image           *image = m->def->image;
    const ilc__row_index *index =
        ilc__row_index_of(image, &image->layout_of_type, ILC__T_CLASSLAYOUT, CLASS_PARENT, ILC__T_TYPEDEF);
    uint32_t row = index->first[m->def->row];
    m->packing = ilc__table_get(&image->md, ILC__T_CLASSLAYOUT, row, CLASS_PACKING);
    m->stated_size = ilc__table_get(&image->md, ILC__T_CLASSLAYOUT, row, CLASS_SIZE);
    m->flags = m->def->flags & LAYOUT_MASK;
}

/* --- placing -------------------------------------------------------------------------------------------- */

static uint32_t align_up(uint32_t offset, uint32_t align)
{
    return (offset + align - 1) / align * align;
}

static uint32_t packed(const maker *m, uint32_t align)
{
    return m->packing && m->packing < align ? m->packing : align;
}

static void place_at(maker *m, uint32_t field, uint32_t offset, ilc__layout *out)
{
    m->fields[field].offset = offset;
    uint32_t align = packed(m, m->aligns[field]), end = offset + m->sizes[field];
    if (align > out->align) out->align = align;
    if (end > out->size) out->size = end;
}

static void place_sequential(maker *m, ilc__layout *out)
{
    for (uint32_t i = 0; i < m->count; i++)
        place_at(m, i, align_up(out->size, packed(m, m->aligns[i])), out);
}

/* The widest first, structs last; with a struct inside, as wide as a pointer: as CoreCLR's class loader does
 * it. */
static void place_automatic(maker *m, ilc__layout *out)
{
    m->packing = 0;
    for (uint32_t size = POINTER_SIZE; size; size /= 2)
        for (uint32_t i = 0; i < m->count; i++)
            if (!m->fields[i].layout && m->sizes[i] == size) place_at(m, i, align_up(out->size, size), out);
    for (uint32_t i = 0; i < m->count; i++)
        if (m->fields[i].layout) {
            place_at(m, i, align_up(out->size, m->aligns[i]), out);
            out->align = POINTER_SIZE;
        }
}

static ilc_status place_explicit(maker *m, ilc__layout *out)
{
    ilc__image           *image = m->def->image;
    const ilc__metadata  *md = &image->md;
    const ilc__row_index *index = ilc__row_index_of(image, &image->offset_of_field, ILC__T_FIELDLAYOUT,
                                                    FIELDLAYOUT_FIELD, ILC__T_FIELD);
    for (uint32_t i = 0; i < m->count; i++) {
        uint32_t row = index->first[m->rows[i]];
        if (!row) return refuse(m, "an offset was missing", m->fields[i].name);
        uint32_t offset = ilc__table_get(md, ILC__T_FIELDLAYOUT, row, FIELDLAYOUT_OFFSET);
        if (offset > MAX_SIZE) return refuse(m, "too large", m->fields[i].name);
        place_at(m, i, offset, out);
    }
    return ILC_OK;
}

/* --- as kernels see it ----------------------------------------------------------------------------------- */

static uint32_t field_size(const ilc__layout_field *field)
{
    return field->layout ? field->layout->size : ilc_storage_size(field->storage);
}

static uint32_t field_align(const ilc__layout_field *field)
{
    return field->layout ? field->layout->text_align : ilc_storage_size(field->storage);
}

static bool overlaps(const ilc__layout *layout, uint32_t field)
{
    uint32_t from = layout->fields[field].offset, to = from + field_size(&layout->fields[field]);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const ilc__layout_field *other = &layout->fields[i];
        if (i != field && from < other->offset + field_size(other) && other->offset < to) return true;
    }
    return false;
}

/* Bytes that no field holds and no copy need keep. */
static bool has_holes(const ilc__layout *layout)
{
    uint32_t held = 0;
    if (layout->is_whole) return false;
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const ilc__layout_field *field = &layout->fields[i];
        if (field->layout && has_holes(field->layout)) return true;
        held += field_size(field);
    }
    return held < layout->size;
}

/* Kernels read and write fields in their own width, so a field off its alignment needs care, whatever Pack says. */
void ilc__layout_settle(ilc__layout *layout)
{
    uint32_t natural = 1, end = 0;
    bool     whole = false, nested = false, off = false;
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const ilc__layout_field *field = &layout->fields[i];
        uint32_t                 align = field_align(field);
        whole = whole || overlaps(layout, i);
        nested = nested || (field->layout && field->layout->is_whole);
        off = off || field->offset % align != 0;
        if (align > natural) natural = align;
        if (field->offset + field_size(field) > end) end = field->offset + field_size(field);
    }
    whole = whole || layout->size > align_up(end ? end : 1, layout->align > natural ? layout->align : natural);
    layout->is_whole = whole || nested;
    layout->is_blob = whole || off || layout->size % natural || layout->align < natural;
    layout->text_align = natural;
    if (!layout->is_blob) return;
    uint32_t align = layout->align < POINTER_SIZE ? layout->align : POINTER_SIZE;
    while (layout->size % align || (align & (align - 1))) align--;
    layout->text_align = align;
}

/* What a copy leaves in the holes of a struct is nobody's promise, so no other field may read it. */
static ilc_status check_holes(const maker *m, const ilc__layout *layout)
{
    for (uint32_t i = 0; i < layout->field_count; i++)
        if (layout->fields[i].layout && has_holes(layout->fields[i].layout) && overlaps(layout, i))
            return refuse(m, "fields over the padding of another", layout->fields[i].name);
    return ILC_OK;
}

static ilc_status place(maker *m, ilc__layout *out)
{
    out->align = 1;
    if (m->flags == LAYOUT_EXPLICIT)
        ILC__TRY(place_explicit(m, out));
    else if (m->flags == LAYOUT_SEQUENTIAL)
        place_sequential(m, out);
    else
        place_automatic(m, out);
    out->size = align_up(out->size ? out->size : 1, out->align);
    if (m->stated_size > out->size && m->flags != LAYOUT_AUTO) out->size = m->stated_size;
    if (out->size > MAX_SIZE) return refuse(m, "too large", NULL);
    if (out->size % out->align) return refuse(m, "a size that is not aligned", NULL);
    out->fields = m->fields;
    out->field_count = m->count;
    ilc__layout_settle(out);
    return check_holes(m, out);
}

/* --- the whole ------------------------------------------------------------------------------------------ */

static ilc_status make(maker *m, const ilc__layout **out)
{
    const ilc__type *type = m->type;
    if ((*out = ilc__map_get(&m->all->by_type, &type, sizeof type))) return ILC_OK;
    m->def = type->def;
    if (!ilc__type_is_struct(type)) return ilc__refuse(m->all->ctx, m->where, "%s as a struct", type->name);
    if (!m->def && !is_tuple(type)) return refuse(m, "its assembly was not found", NULL);
    if (is_special(type->kind == ILC__ET_GENERICINST ? type->elem->name : type->name))
        return refuse(m, "a vector or wide integer", NULL);
    if (m->depth >= MAX_NESTING) return refuse(m, "structs nested too deep", NULL);
    if (strchr(type->name, '!') || (type->kind != ILC__ET_GENERICINST && strchr(type->name, '`')))
        return refuse(m, "a generic parameter that is open", NULL);
    if (is_tuple(type)) {
        ILC__TRY(read_tuple(m));
    } else {
        read_class_layout(m);
        ILC__TRY(read_fields(m));
        if (is_inline_array(m)) return refuse(m, "an inline array", NULL);
    }
    ilc__layout *layout = ILC__NEW(m->all->arena, ilc__layout);
    layout->type = type;
    layout->name = type->name;
    ILC__TRY(place(m, layout));
    ilc__map_put(&m->all->by_type, &type, sizeof type, layout);
    *out = layout;
    return ILC_OK;
}

ilc_status ilc__layout_of(ilc__layouts *layouts, const ilc__type *type, const ilc__where *where,
                          const ilc__layout **out)
{
    static const ilc__where nowhere;
    maker                   m = {.all = layouts, .type = type, .where = where ? where : &nowhere};
    return make(&m, out);
}

static void add_leaves(const ilc__layout *layout, ilc__leaf at, ilc__leaf *out, uint32_t most, uint32_t *count)
{
    uint32_t base = at.offset, depth = at.depth++;
    for (uint32_t i = 0; i < layout->field_count && *count <= most; i++) {
        const ilc__layout_field *field = &layout->fields[i];
        at.offset = base + field->offset;
        at.storage = field->storage;
        at.path[depth] = i;
        if (field->layout && at.depth <= ILC__MAX_NESTING) {
            add_leaves(field->layout, at, out, most, count);
        } else if (!field->layout) {
            if (out && *count < most) out[*count] = at;
            ++*count;
        }
    }
}

uint32_t ilc__layout_leaves(const ilc__layout *layout, ilc__leaf *out, uint32_t most)
{
    uint32_t count = 0;
    if (layout) add_leaves(layout, (ilc__leaf){0}, out, most, &count);
    return count;
}

const char *ilc__leaf_name(ilc__arena *arena, const ilc__layout *layout, const ilc__leaf *leaf)
{
    const char *name = NULL;
    for (uint32_t d = 0; d < leaf->depth; d++) {
        const ilc__layout_field *field = &layout->fields[leaf->path[d]];
        const char              *own = field->shown ? field->shown : field->name;
        name = name ? ilc__arena_printf(arena, "%s_%s", name, own) : own;
        layout = field->layout;
    }
    return name;
}

uint32_t ilc__layout_field_named(const ilc__layout *layout, const char *name)
{
    for (uint32_t i = 0; i < layout->field_count; i++)
        if (strcmp(layout->fields[i].name, name) == 0) return i;
    return UINT32_MAX;
}

ilc_status ilc__method_this_type(const ilc__method *method, const ilc__type **out)
{
    *out = method->owner->type;
    if (!method->type_arg_count) return ILC_OK;
    ilc__type_key key = {.kind = ILC__ET_GENERICINST,
                         .elem = *out,
                         .args = method->type_args,
                         .arg_count = method->type_arg_count};
    return ilc__type_intern(method->image->set, &key, out);
}
