/* typedef.c - definitions of types: TypeDef rows, nesting, names, base types, and finding them by name
 * (ECMA-335 II.22.37, II.22.32, II.22.14). */
#include "meta/image.h"

enum { TYPEDEF_FLAGS, TYPEDEF_NAME, TYPEDEF_NS, TYPEDEF_EXTENDS, TYPEDEF_FIELDS, TYPEDEF_METHODS };
enum { EXPORTED_NAME = 2, EXPORTED_NS, EXPORTED_WHERE };
enum { NESTED, ENCLOSING };
enum { FIELD_FLAGS, FIELD_NAME, FIELD_SIGNATURE, FIELD_STATIC = 0x10 };

const ilc__row_index *ilc__row_index_of(ilc__image *image, ilc__row_index *index, uint32_t table,
                                        uint32_t column, uint32_t parent)
{
    if (index->first) return index;
    uint32_t parents = image->md.tables[parent].count, rows = image->md.tables[table].count;
    index->next = ILC__NEW_ARRAY(&image->set->arena, uint32_t, (size_t)rows + 1);
    index->first = ILC__NEW_ARRAY(&image->set->arena, uint32_t, (size_t)parents + 1);
    for (uint32_t row = rows; row >= 1; row--) {
        uint32_t owner = ilc__table_get(&image->md, table, row, column);
        if (owner == 0 || owner > parents) continue;
        index->next[row] = index->first[owner];
        index->first[owner] = row;
    }
    return index;
}

static uint32_t enclosing_of(ilc__image *image, uint32_t row)
{
    if (!image->md.tables[ILC__T_NESTEDCLASS].count) return 0;
    if (!image->enclosing) {
        uint32_t count = image->md.tables[ILC__T_TYPEDEF].count;
        image->enclosing = ILC__NEW_ARRAY(&image->set->arena, uint32_t, (size_t)count + 1);
        for (uint32_t i = 1; i <= image->md.tables[ILC__T_NESTEDCLASS].count; i++) {
            uint32_t nested = ilc__table_get(&image->md, ILC__T_NESTEDCLASS, i, NESTED);
            uint32_t outer = ilc__table_get(&image->md, ILC__T_NESTEDCLASS, i, ENCLOSING);
            if (nested >= 1 && nested <= count && outer <= count) image->enclosing[nested] = outer;
        }
    }
    return image->enclosing[row];
}

/* In an uncompressed stream the lists go through a table of pointers (II.22's FieldPtr, MethodPtr). */
static uint32_t pointer_table(const ilc__image *image, uint32_t table)
{
    uint32_t pointers = table == ILC__T_METHODDEF ? ILC__T_METHODPTR : ILC__T_FIELDPTR;
    return image->md.tables[pointers].count ? pointers : table;
}

uint32_t ilc__typedef_member(const ilc__typedef *def, uint32_t table, uint32_t number)
{
    uint32_t row = (table == ILC__T_METHODDEF ? def->first_method : def->first_field) + number;
    uint32_t pointers = pointer_table(def->image, table);
    return pointers == table ? row : ilc__table_get(&def->image->md, pointers, row, 0);
}

uint32_t ilc__typedef_owner(const ilc__image *image, uint32_t table, uint32_t row)
{
    uint32_t column = table == ILC__T_METHODDEF ? TYPEDEF_METHODS : TYPEDEF_FIELDS;
    uint32_t pointers = pointer_table(image, table), low = 0, high = image->md.tables[ILC__T_TYPEDEF].count;
    if (pointers != table) {
        uint32_t at = 1;
        while (at <= image->md.tables[pointers].count && ilc__table_get(&image->md, pointers, at, 0) != row)
            at++;
        row = at;
    }
    /* The last row whose list starts at or before row: the starts ascend (tables.c checked it). */
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (ilc__table_get(&image->md, ILC__T_TYPEDEF, middle, column) <= row)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static bool named(const char *ns, const char *name, const char *wanted)
{
    return ns && name && strcmp(ns, "System") == 0 && strcmp(name, wanted) == 0;
}

/* I.8.9.7: what extends System.ValueType is a value type, what extends System.Enum an enumeration. */
static void base_name(const ilc__image *image, uint32_t row, const char **ns, const char **name)
{
    const ilc__metadata *md = &image->md;
    uint32_t token = ilc__table_token(md, ILC__T_TYPEDEF, row, TYPEDEF_EXTENDS, ILC__CODED_TYPEDEF_OR_REF);
    uint32_t table = token >> 24, base = token & 0xFFFFFF;
    *ns = *name = NULL;
    if (table != ILC__T_TYPEDEF && table != ILC__T_TYPEREF) return;
    *name = ilc__heap_string(md, ilc__table_get(md, table, base, 1));
    *ns = ilc__heap_string(md, ilc__table_get(md, table, base, 2));
}

/* II.14.3: an enumeration has one instance field, of its underlying type. */
static const ilc__type *underlying_of(const ilc__typedef *def)
{
    const ilc__metadata *md = &def->image->md;
    for (uint32_t i = 0; i < def->field_count; i++) {
        uint32_t    row = ilc__typedef_member(def, ILC__T_FIELD, i);
        ilc__reader blob;
        uint8_t     kind, element;
        if (ilc__table_get(md, ILC__T_FIELD, row, FIELD_FLAGS) & FIELD_STATIC) continue;
        if (!ilc__heap_blob(md, ilc__table_get(md, ILC__T_FIELD, row, FIELD_SIGNATURE), &blob) ||
            !ilc__read_u8(&blob, &kind) || !ilc__read_u8(&blob, &element))
            return NULL;
        bool integer = (element >= ILC__ET_BOOLEAN && element <= ILC__ET_U8) || element == ILC__ET_I ||
                       element == ILC__ET_U;
        return integer ? ilc__set_primitive(def->image->set, element) : NULL;
    }
    return NULL;
}

static const ilc__type *make_type(ilc__typedef *def)
{
    ilc__set        *set = def->image->set;
    const ilc__type *primitive = NULL;
    if (def->image->is_core && !def->enclosing)
        primitive = ilc__type_of_primitive_name(set, def->ns, def->name);
    if (primitive) return primitive;
    const char *ns, *name;
    base_name(def->image, def->row, &ns, &name);
    ilc__type *type = ILC__NEW(&set->arena, ilc__type);
    bool       is_system_enum = def->image->is_core && named(def->ns, def->name, "Enum");
    type->def = def;
    type->kind = (named(ns, name, "ValueType") && !is_system_enum) || named(ns, name, "Enum")
                     ? ILC__ET_VALUETYPE
                     : ILC__ET_CLASS;
    if (named(ns, name, "Enum")) type->underlying = underlying_of(def);
    type->is_enum = type->underlying != NULL;
    if (def->enclosing)
        type->name = ilc__arena_printf(&set->arena, "%s+%s", def->enclosing->type->name, def->name);
    else
        type->name = *def->ns ? ilc__arena_printf(&set->arena, "%s.%s", def->ns, def->name) : def->name;
    return type;
}

static ilc_status typedef_of_row(ilc__image *image, uint32_t row, unsigned depth, const ilc__typedef **out)
{
    const ilc__metadata *md = &image->md;
    ilc__arena          *arena = &image->set->arena;
    if (!ilc__row_exists(md, ILC__T_TYPEDEF, row))
        return ilc__metadata_fail(md, NULL, "there was no TypeDef row %u", row);
    if (!image->typedefs)
        image->typedefs = ILC__NEW_ARRAY(arena, ilc__typedef *, (size_t)md->tables[ILC__T_TYPEDEF].count + 1);
    if ((*out = image->typedefs[row])) return ILC_OK;
    if (depth > ILC__ENCLOSING_MAX) return ilc__row_fail(md, ILC__T_TYPEDEF, row, "it was nested too deep");

    const char         *name = ilc__heap_string(md, ilc__table_get(md, ILC__T_TYPEDEF, row, TYPEDEF_NAME));
    const char         *ns = ilc__heap_string(md, ilc__table_get(md, ILC__T_TYPEDEF, row, TYPEDEF_NS));
    const ilc__typedef *enclosing = NULL;
    uint32_t            outer = enclosing_of(image, row);
    if (!name || !ns) return ilc__row_fail(md, ILC__T_TYPEDEF, row, "its name was not readable");
    if (outer) ILC__TRY(typedef_of_row(image, outer, depth + 1, &enclosing));

    ilc__typedef *def = ILC__NEW(arena, ilc__typedef);
    *def = (ilc__typedef){.image = image,
                          .row = row,
                          .ns = enclosing ? enclosing->ns : ns,
                          .name = name,
                          .enclosing = enclosing,
                          .flags = ilc__table_get(md, ILC__T_TYPEDEF, row, TYPEDEF_FLAGS)};
    ilc__table_list(md, ILC__T_TYPEDEF, row, TYPEDEF_METHODS, pointer_table(image, ILC__T_METHODDEF),
                    &def->first_method, &def->method_count);
    ilc__table_list(md, ILC__T_TYPEDEF, row, TYPEDEF_FIELDS, pointer_table(image, ILC__T_FIELD),
                    &def->first_field, &def->field_count);
    def->type = make_type(def);
    *out = image->typedefs[row] = def;
    return ILC_OK;
}

uint32_t ilc__image_typedef_count(const ilc__image *image)
{
    return image->md.tables[ILC__T_TYPEDEF].count;
}

ilc_status ilc__image_typedef(ilc__image *image, uint32_t row, const ilc__typedef **out)
{
    return typedef_of_row(image, row, 0, out);
}

ilc_status ilc__typedef_base(const ilc__typedef *def, const ilc__type **out)
{
    const ilc__metadata *md = &def->image->md;
    uint32_t             token =
        ilc__table_token(md, ILC__T_TYPEDEF, def->row, TYPEDEF_EXTENDS, ILC__CODED_TYPEDEF_OR_REF);
    *out = NULL;
    return token ? ilc__token_type(def->image, token, NULL, false, out) : ILC_OK;
}

bool ilc__typedef_has_method(const ilc__typedef *def, const char *name)
{
    for (uint32_t i = 0; i < def->method_count; i++) {
        uint32_t           row = ilc__typedef_member(def, ILC__T_METHODDEF, i);
        const ilc__method *method;
        if (row && ilc__image_method(def->image, row, &method) == ILC_OK && strcmp(method->name, name) == 0) return true;
    }
    return false;
}

/* --- by name -------------------------------------------------------------------------------------------- */

static uint32_t hash_name(const char *ns, const char *name, uint32_t enclosing)
{
    uint32_t hash = 2166136261u ^ enclosing * 2654435761u;
    for (; *ns; ns++)
        hash = (hash ^ (uint8_t)*ns) * 16777619u;
    hash = (hash ^ '.') * 16777619u;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash ^ hash >> 15;
}

/* Name, namespace and enclosing row of a TypeDef or a top-level ExportedType token. */
static bool name_of(ilc__image *image, uint32_t token, const char **ns, const char **name,
                    uint32_t *enclosing)
{
    uint32_t table = token >> 24, row = token & 0xFFFFFF;
    bool     exported = table == ILC__T_EXPORTEDTYPE;
    *name = ilc__heap_string(&image->md,
                             ilc__table_get(&image->md, table, row, exported ? EXPORTED_NAME : TYPEDEF_NAME));
    *ns = ilc__heap_string(&image->md,
                           ilc__table_get(&image->md, table, row, exported ? EXPORTED_NS : TYPEDEF_NS));
    *enclosing = exported ? 0 : enclosing_of(image, row);
    return *name && *ns;
}

static uint32_t *find_slot(ilc__image *image, const char *ns, const char *name, uint32_t enclosing)
{
    uint32_t mask = image->name_slot_count - 1;
    for (uint32_t i = hash_name(ns, name, enclosing) & mask;; i = (i + 1) & mask) {
        const char *other_ns, *other_name;
        uint32_t    other_enclosing, token = image->name_slots[i];
        if (!token) return &image->name_slots[i];
        if (name_of(image, token, &other_ns, &other_name, &other_enclosing) && other_enclosing == enclosing &&
            strcmp(name, other_name) == 0 && strcmp(ns, other_ns) == 0)
            return &image->name_slots[i];
    }
}

static void add_name(ilc__image *image, uint32_t token)
{
    const char *ns, *name;
    uint32_t    enclosing;
    if (!name_of(image, token, &ns, &name, &enclosing)) return;
    uint32_t *slot = find_slot(image, ns, name, enclosing);
    if (!*slot) *slot = token; /* the first of a name counts */
}

static void build_names(ilc__image *image)
{
    uint32_t types = image->md.tables[ILC__T_TYPEDEF].count,
             exported = image->md.tables[ILC__T_EXPORTEDTYPE].count;
    uint32_t capacity = 16;
    while (capacity < (types + exported) * 2)
        capacity *= 2;
    image->name_slots = ILC__NEW_ARRAY(&image->set->arena, uint32_t, capacity);
    image->name_slot_count = capacity;
    for (uint32_t row = 1; row <= types; row++)
        add_name(image, (uint32_t)ILC__T_TYPEDEF << 24 | row);
    for (uint32_t row = 1; row <= exported; row++) {
        uint32_t where =
            ilc__table_token(&image->md, ILC__T_EXPORTEDTYPE, row, EXPORTED_WHERE, ILC__CODED_IMPLEMENTATION);
        if (where >> 24 == ILC__T_ASSEMBLYREF) add_name(image, (uint32_t)ILC__T_EXPORTEDTYPE << 24 | row);
    }
}

uint32_t ilc__name_find(ilc__image *image, const char *ns, const char *name, uint32_t enclosing)
{
    if (!image->name_slots) build_names(image);
    return *find_slot(image, ns, name, enclosing);
}

ilc_status ilc__typedef_method(const ilc__typedef *def, uint32_t number, const ilc__method **out)
{
    return ilc__image_method(def->image, ilc__typedef_member(def, ILC__T_METHODDEF, number), out);
}
