/* attribute.c - custom attributes (ECMA-335 II.22.10, II.23.3): is there one of a name, the names that the source gave to a
 * tuple's elements, and the mark on a kernel. */
#include "meta/image.h"

enum { ATTRIBUTE_PARENT, ATTRIBUTE_TYPE, ATTRIBUTE_VALUE };
enum { MEMBERREF_CLASS = 0, TYPE_NAME = 1, METHOD_PARAMS = 5, PARAM_SEQUENCE = 1 };
enum { TAG_BITS = 5, TAG_PARAM = 4 }; /* II.24.2.6, HasCustomAttribute */
enum { PROLOG = 1, NULL_STRING = 0xFF, MAX_NAMES = 4096 };

/* The first attribute of the parent, or where it would stand: the table is sorted by its parents. */
static uint32_t first_of(const ilc__metadata *md, uint32_t parent)
{
    uint32_t low = 1, high = md->tables[ILC__T_CUSTOMATTRIBUTE].count + 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ilc__table_get(md, ILC__T_CUSTOMATTRIBUTE, middle, ATTRIBUTE_PARENT) < parent)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The name of the type whose constructor makes the attribute, without its namespace. */
static const char *type_of(const ilc__image *image, uint32_t row)
{
    const ilc__metadata *md = &image->md;
    uint32_t member = ilc__table_token(md, ILC__T_CUSTOMATTRIBUTE, row, ATTRIBUTE_TYPE, ILC__CODED_CUSTOM_ATTRIBUTE_TYPE);
    uint32_t table = member >> 24, type = 0;
    if (table == ILC__T_MEMBERREF)
        type = ilc__table_token(md, table, member & 0xFFFFFF, MEMBERREF_CLASS, ILC__CODED_MEMBERREF_PARENT);
    if (table == ILC__T_METHODDEF)
        type = (uint32_t)ILC__T_TYPEDEF << 24 | ilc__typedef_owner(image, ILC__T_METHODDEF, member & 0xFFFFFF);
    if (type >> 24 != ILC__T_TYPEREF && type >> 24 != ILC__T_TYPEDEF) return NULL;
    return ilc__heap_string(md, ilc__table_get(md, type >> 24, type & 0xFFFFFF, TYPE_NAME));
}

uint32_t ilc__attribute_find(const ilc__image *image, uint32_t parent, const char *name)
{
    const ilc__metadata *md = &image->md;
    for (uint32_t row = first_of(md, parent);
         parent && ilc__table_get(md, ILC__T_CUSTOMATTRIBUTE, row, ATTRIBUTE_PARENT) == parent; row++) {
        const char *found = type_of(image, row);
        if (found && strcmp(found, name) == 0) return row;
    }
    return 0;
}

/* II.22.33: the result's row of Param has sequence number 0; 0 where there is none. */
static uint32_t result_param(const ilc__method *method)
{
    const ilc__metadata *md = &method->image->md;
    uint32_t             first, count;
    bool                 pointers = md->tables[ILC__T_PARAMPTR].count != 0;
    ilc__table_list(md, ILC__T_METHODDEF, method->row, METHOD_PARAMS, pointers ? ILC__T_PARAMPTR : ILC__T_PARAM, &first,
                    &count);
    if (!count) return 0;
    uint32_t row = pointers ? ilc__table_get(md, ILC__T_PARAMPTR, first, 0) : first;
    return ilc__table_get(md, ILC__T_PARAM, row, PARAM_SEQUENCE) == 0 ? row : 0;
}

/* II.23.3, SerString: NULL where the element has no name. */
static bool read_string(ilc__reader *blob, ilc__arena *arena, const char **out)
{
    uint32_t length;
    *out = NULL;
    if (ilc__left(blob) && blob->at[0] == NULL_STRING) return ilc__skip(blob, 1);
    if (!ilc__read_compressed(blob, &length) || length > ilc__left(blob)) return false;
    *out = ilc__arena_strndup(arena, (const char *)blob->at, length);
    return ilc__skip(blob, length);
}

ilc_status ilc__method_tuple_names(const ilc__method *method, ilc__arena *arena, const char *const **out, uint32_t *count)
{
    const ilc__metadata *md = &method->image->md;
    uint32_t             param = result_param(method), total;
    uint32_t             row = param ? ilc__attribute_find(method->image, param << TAG_BITS | TAG_PARAM,
                                                           "TupleElementNamesAttribute")
                                     : 0;
    ilc__reader          blob;
    uint16_t             prolog;
    *count = 0;
    if (!row) return ILC_OK;
    bool good = ilc__heap_blob(md, ilc__table_get(md, ILC__T_CUSTOMATTRIBUTE, row, ATTRIBUTE_VALUE), &blob) &&
                ilc__read_u16(&blob, &prolog) && prolog == PROLOG && ilc__read_u32(&blob, &total) &&
                total <= MAX_NAMES && total <= ilc__left(&blob);
    const char **names = good ? ILC__NEW_ARRAY(arena, const char *, total) : NULL;
    for (uint32_t i = 0; good && i < total; i++) good = read_string(&blob, arena, &names[i]);
    if (!good) return ilc__row_fail(md, ILC__T_CUSTOMATTRIBUTE, row, "its value was not readable");
    *out = names;
    *count = total;
    return ILC_OK;
}

/* --- marks ------------------------------------------------------------------------------------------------- */

enum { TAG_METHOD = 0, TAG_TYPE = 3, NAMED_FIELD = 0x53, NAMED_PROPERTY = 0x54, METHOD_SIGNATURE = 4, MEMBERREF_SIGNATURE = 2 };

/* Is the constructor's one parameter a string? II.23.2.1: HASTHIS, one parameter, void, string. */
static bool takes_one_string(const ilc__image *image, uint32_t row, uint32_t *params)
{
    static const uint8_t one_string[] = {0x20, 1, ILC__ET_VOID, ILC__ET_STRING};
    const ilc__metadata *md = &image->md;
    uint32_t    member = ilc__table_token(md, ILC__T_CUSTOMATTRIBUTE, row, ATTRIBUTE_TYPE, ILC__CODED_CUSTOM_ATTRIBUTE_TYPE);
    uint32_t    table = member >> 24;
    ilc__reader blob;
    *params = UINT32_MAX;
    if (table != ILC__T_MEMBERREF && table != ILC__T_METHODDEF) return false;
    uint32_t column = table == ILC__T_MEMBERREF ? MEMBERREF_SIGNATURE : METHOD_SIGNATURE;
    if (!ilc__heap_blob(md, ilc__table_get(md, table, member & 0xFFFFFF, column), &blob) || ilc__left(&blob) < 2) return false;
    if (blob.at[1] < 0x80) *params = blob.at[1];
    return ilc__left(&blob) == sizeof one_string && memcmp(blob.at, one_string, sizeof one_string) == 0;
}

static bool is_index_name(const char *name)
{
    static const char wanted[] = "index";
    size_t            i = 0;
    for (; name[i] && wanted[i]; i++)
        if ((name[i] | 0x20) != wanted[i]) return false;
    return name[i] == wanted[i];
}

/* II.23.3, NamedArg; any that is no string ends the search, as what lies behind it is not found. */
static bool read_named(ilc__reader *blob, ilc__arena *arena, const char **index)
{
    uint16_t count;
    if (!ilc__read_u16(blob, &count)) return false;
    for (uint16_t i = 0; i < count && !*index; i++) {
        uint8_t     kind, type;
        const char *name, *value;
        if (!ilc__read_u8(blob, &kind) || !ilc__read_u8(blob, &type) || (kind != NAMED_FIELD && kind != NAMED_PROPERTY))
            return false;
        if (type != ILC__ET_STRING) return true;
        if (!read_string(blob, arena, &name) || !read_string(blob, arena, &value)) return false;
        if (name && is_index_name(name)) *index = value;
    }
    return true;
}

static ilc_status read_mark(const ilc__image *image, uint32_t row, ilc__arena *arena, const char **index)
{
    const ilc__metadata *md = &image->md;
    ilc__reader          blob;
    uint16_t             prolog;
    uint32_t             params;
    bool                 one_string = takes_one_string(image, row, &params);
    if (!one_string && params != 0) return ILC_OK; /* other arguments of its own */
    if (!ilc__heap_blob(md, ilc__table_get(md, ILC__T_CUSTOMATTRIBUTE, row, ATTRIBUTE_VALUE), &blob))
        return ilc__row_fail(md, ILC__T_CUSTOMATTRIBUTE, row, "its value was not readable");
    if (!ilc__left(&blob)) return ILC_OK; /* II.22.10: may be null */
    bool good = ilc__read_u16(&blob, &prolog) && prolog == PROLOG && (!one_string || read_string(&blob, arena, index)) &&
                read_named(&blob, arena, index);
    return good ? ILC_OK : ilc__row_fail(md, ILC__T_CUSTOMATTRIBUTE, row, "its value was not readable");
}

ilc_status ilc__method_mark(const ilc__method *method, const char *attribute, ilc__arena *arena, ilc__mark *out)
{
    const ilc__image *image = method->image;
    uint32_t          own = ilc__attribute_find(image, method->row << TAG_BITS | TAG_METHOD, attribute);
    uint32_t          owners = ilc__attribute_find(image, method->owner->row << TAG_BITS | TAG_TYPE, attribute);
    *out = (ilc__mark){.on_method = own != 0, .on_type = owners != 0};
    if (own) ILC__TRY(read_mark(image, own, arena, &out->index));
    if (owners && !out->index) ILC__TRY(read_mark(image, owners, arena, &out->index));
    if (out->index && !*out->index) out->index = NULL;
    return ILC_OK;
}
