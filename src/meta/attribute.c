/* attribute.c - custom attributes (ECMA-335 II.22.10, II.23.3): is there one of a name, and the names that the source
 * gave to a tuple's elements. */
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
