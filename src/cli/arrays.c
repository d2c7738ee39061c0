/* arrays.c - arrays of any rank, and arrays of arrays, from JSON and to JSON (docs/cli.md). */
#include <json-c/json.h>
#include <string.h>

#include "text.h"
#include "values.h"

enum { MAX_RANK = 3 };

/* .NET's largest array has this many elements. */
static const int64_t most_elements = 0x7FFFFFC7;

/* --- from JSON
 * -------------------------------------------------------------------------------------------------------- */

ilc_array *array_new(value_pool *pool, ilc_storage elem, const ilc_struct *layout, int64_t length)
{
    ilc_array *array = pool_alloc(pool, sizeof *array);
    *array = (ilc_array){.elem = elem, .length = length, .layout = layout};
    array->data = pool_alloc(pool, (size_t)length * element_size(elem, layout));
    return array;
}

static bool is_list(struct json_object *json)
{
    return json_object_get_type(json) == json_type_array;
}

static const char *fill(value_pool *pool, struct json_object *list, ilc_array *array, int64_t at)
{
    size_t   count = json_object_array_length(list);
    size_t   size = element_size(array->elem, array->layout);
    for (size_t i = 0; i < count; i++) {
        const char *why = element_of_json(pool, json_object_array_get_idx(list, i), array->elem, array->layout,
                                          (char *)array->data + ((size_t)at + i) * size);
        if (why) return why;
    }
    return NULL;
}

/* Lists in lists that have one shape; a dimension behind one of no elements is 0. */
static bool measure(struct json_object *list, uint32_t rank, int64_t *dims)
{
    for (uint32_t k = 0; k < rank; k++) {
        if (!is_list(list)) return false;
        dims[k] = (int64_t)json_object_array_length(list);
        if (dims[k] == 0) break;
        list = json_object_array_get_idx(list, 0);
    }
    return true;
}

/* Looked at before anything is allocated: a long first row promises nothing about the others. */
static bool has_shape(struct json_object *list, uint32_t rank, const int64_t *dims, uint32_t level)
{
    if (!is_list(list) || (int64_t)json_object_array_length(list) != dims[level]) return false;
    for (int64_t i = 0; level + 1 < rank && i < dims[level]; i++)
        if (!has_shape(json_object_array_get_idx(list, (size_t)i), rank, dims, level + 1)) return false;
    return true;
}

static const char *fill_nested(value_pool *pool, struct json_object *list, ilc_array *array, uint32_t level,
                               int64_t *at)
{
    if (level + 1 == array->rank) {
        const char *why = fill(pool, list, array, *at);
        *at += array->dims[level];
        return why;
    }
    for (int64_t i = 0; i < array->dims[level]; i++) {
        const char *why = fill_nested(pool, json_object_array_get_idx(list, (size_t)i), array, level + 1, at);
        if (why) return why;
    }
    return NULL;
}

/* -1: more elements than an array of .NET has. */
static int64_t product(uint32_t rank, const int64_t *dims)
{
    int64_t length = 1;
    for (uint32_t k = 0; k < rank; k++) {
        if (dims[k] < 0 || dims[k] > most_elements || (dims[k] && length > most_elements / dims[k]))
            return -1;
        length *= dims[k];
    }
    return length;
}

static const char *make_shaped(value_pool *pool, ilc_storage elem, uint32_t rank, const int64_t *dims,
                               ilc_array **out)
{
    int64_t length = product(rank, dims);
    if (length < 0) return "the array is too large";
    *out = array_new(pool, elem, NULL, length);
    (*out)->rank = rank;
    memcpy((*out)->dims, dims, rank * sizeof *dims);
    return NULL;
}

/* {"shape":[0,5],"data":[]} */
static const char *parse_shape(value_pool *pool, struct json_object *json, ilc_storage elem, uint32_t rank,
                               ilc_array **out)
{
    static const char   wanted[] = "an array is written as lists in lists or {\"shape\":[..],\"data\":[..]}";
    struct json_object *shape, *data;
    int64_t             dims[MAX_RANK];
    if (json_object_object_length(json) != 2 || !json_object_object_get_ex(json, "shape", &shape) ||
        !json_object_object_get_ex(json, "data", &data) || !is_list(shape) || !is_list(data) ||
        json_object_array_length(shape) != rank)
        return wanted;
    for (uint32_t k = 0; k < rank; k++) {
        struct json_object *dim = json_object_array_get_idx(shape, k);
        if (json_object_get_type(dim) != json_type_int) return wanted;
        dims[k] = json_object_get_int64(dim);
    }
    int64_t count = product(rank, dims);
    if (count < 0) return "the array is too large";
    if (count != (int64_t)json_object_array_length(data)) return "the array's data do not fill its shape";
    const char *why = make_shaped(pool, elem, rank, dims, out);
    return why ? why : fill(pool, data, *out, 0);
}

static const char *parse_lists(value_pool *pool, struct json_object *json, ilc_storage elem, uint32_t rank,
                               ilc_array **out)
{
    int64_t dims[MAX_RANK] = {0}, at = 0;
    if (!measure(json, rank, dims))
        return pool_format(pool, "an array of %u dimensions is written as lists in lists", rank);
    if (!has_shape(json, rank, dims, 0)) return "the array's rows are not of one length";
    const char *why = make_shaped(pool, elem, rank, dims, out);
    return why ? why : fill_nested(pool, json, *out, 0, &at);
}

static const char *parse_jagged(value_pool *pool, struct json_object *json, ilc_storage elem, uint32_t nested,
                                ilc_array **out)
{
    *out = NULL;
    if (json_object_get_type(json) == json_type_null) return NULL;
    if (!is_list(json)) return "an array of arrays is written as lists in lists, or null";
    size_t count = json_object_array_length(json);
    *out = array_new(pool, nested ? ILC_ARRAY : elem, NULL, (int64_t)count);
    if (!nested) return fill(pool, json, *out, 0);
    ilc_array **inner = (*out)->data;
    for (size_t i = 0; i < count; i++) {
        const char *why = parse_jagged(pool, json_object_array_get_idx(json, i), elem, nested - 1, &inner[i]);
        if (why) return why;
    }
    return NULL;
}

static const char *parse_structs(value_pool *pool, struct json_object *json, const ilc_param *param, ilc_array **out)
{
    *out = array_new(pool, ILC_STRUCT, param->layout, (int64_t)json_object_array_length(json));
    return fill(pool, json, *out, 0);
}

const char *array_parse(value_pool *pool, struct json_object *json, const ilc_param *param, ilc_array **out)
{
    bool is_object = json_object_get_type(json) == json_type_object;
    if (param->rank > 1 && param->rank <= MAX_RANK)
        return is_object ? parse_shape(pool, json, param->storage, param->rank, out)
                         : parse_lists(pool, json, param->storage, param->rank, out);
    if (param->layout) return parse_structs(pool, json, param, out);
    return parse_jagged(pool, json, param->nested ? param->innermost : param->storage, param->nested, out);
}

/* --- to JSON
 * ----------------------------------------------------------------------------------------------------------
 */

/* Of a struct "[..]" in JSON, "(3, 4)" as text; structs are 16 deep at most. */
void element_write(const array_style *style, ilc_storage storage, const ilc_struct *layout, const void *at)
{
    char text[TEXT_SIZE];
    if (!layout && style->as_text) fputs(text_of_scalar(text, storage, bits_at(at, storage)), style->out);
    else if (!layout) fprintf(style->out, "\"%s\"", text_of_bits(text, storage, bits_at(at, storage)));
    if (!layout) return;
    putc(style->as_text ? '(' : '[', style->out);
    for (uint32_t i = 0; i < ilc_struct_field_count(layout); i++) {
        ilc_field field;
        ilc_struct_field(&field, layout, i);
        if (i) fputs(style->comma, style->out);
        element_write(style, field.storage, field.layout, (const char *)at + field.offset);
    }
    putc(style->as_text ? ')' : ']', style->out);
}

static void write_list(const array_style *style, const ilc_array *array, int64_t at, int64_t count)
{
    putc('[', style->out);
    for (int64_t i = 0; i < count && (style->most == 0 || i < style->most); i++) {
        if (i) fputs(style->comma, style->out);
        element_write(style, array->elem, array->layout, element_at(array, at + i));
    }
    if (style->most && count > style->most) fprintf(style->out, ", ... %lld in all", (long long)count);
    putc(']', style->out);
}

static int64_t write_level(const array_style *style, const ilc_array *array, uint32_t level, int64_t at)
{
    int64_t count = array->dims[level];
    if (level + 1 == array->rank) {
        write_list(style, array, at, count);
        return at + count;
    }
    putc('[', style->out);
    for (int64_t i = 0; i < count; i++) {
        if (i) fputs(style->comma, style->out);
        at = write_level(style, array, level + 1, at);
    }
    putc(']', style->out);
    return at;
}

/* Do lists in lists say it? Not where a dimension behind one of no elements has some. */
static bool lists_say_it(const ilc_array *array)
{
    bool none = false;
    for (uint32_t k = 0; k < array->rank; k++) {
        if (none && array->dims[k]) return false;
        none = none || array->dims[k] == 0;
    }
    return true;
}

static void write_shape(const array_style *style, const ilc_array *array)
{
    fputs("{\"shape\":[", style->out);
    for (uint32_t k = 0; k < array->rank; k++)
        fprintf(style->out, "%s%lld", k ? "," : "", (long long)array->dims[k]);
    fputs("],\"data\":[]}", style->out);
}

void array_write(const array_style *style, const ilc_array *array)
{
    if (!array) {
        fputs("null", style->out);
    } else if (array->rank > 1) {
        if (lists_say_it(array))
            write_level(style, array, 0, 0);
        else
            write_shape(style, array);
    } else if (array->elem == ILC_ARRAY) {
        putc('[', style->out);
        for (int64_t i = 0; i < array->length; i++) {
            if (i) fputs(style->comma, style->out);
            array_write(style, ((ilc_array *const *)array->data)[i]);
        }
        putc(']', style->out);
    } else {
        write_list(style, array, 0, array->length);
    }
}
