/* values.c - arguments from JSON (values.h). */
#include "values.h"

#include <ctype.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- pool -------------------------------------------------------------------------------------------------------- */

void *pool_alloc(value_pool *pool, size_t size)
{
    if (pool->count == pool->capacity) {
        int    wanted = pool->capacity ? pool->capacity * 2 : 16;
        void **grown = realloc(pool->blocks, sizeof *grown * (size_t)wanted);
        if (!grown) abort();
        pool->blocks = grown;
        pool->capacity = wanted;
    }
    void *block = calloc(1, size ? size : 1);
    if (!block) abort();
    return pool->blocks[pool->count++] = block;
}

char *pool_format(value_pool *pool, const char *format, ...)
{
    char    text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *copy = pool_alloc(pool, strlen(text) + 1);
    return strcpy(copy, text);
}

void pool_clear(value_pool *pool)
{
    for (int i = 0; i < pool->count; i++) free(pool->blocks[i]);
    pool->count = 0;
}

void pool_free(value_pool *pool)
{
    pool_clear(pool);
    free(pool->blocks);
    *pool = (value_pool){0};
}

/* --- JSON whose numbers keep their digits ------------------------------------------------------------------------ */

static bool fits_json_integer(const char *digits, size_t count, bool negative)
{
    static const char most_positive[] = "18446744073709551615", most_negative[] = "9223372036854775808";
    const char       *most = negative ? most_negative : most_positive;
    size_t            most_count = strlen(most);
    if (count != most_count) return count < most_count;
    return memcmp(digits, most, count) <= 0;
}

static bool are_digits(const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (text[i] < '0' || text[i] > '9') return false;
    return count > 0;
}

/* The parser would read -0 as 0 and cut long integers; with ".0" behind them it keeps their text. Returns a new text
 * (freed by the caller) in which such literals stand so. */
static char *protect_integers(const char *text, size_t length, size_t *out_length)
{
    char *out = malloc(length * 3 + 1);
    if (!out) abort();
    size_t used = 0;
    bool   in_string = false;
    for (size_t i = 0; i < length;) {
        char c = text[i];
        if (in_string && c == '\\' && i + 1 < length) out[used++] = text[i++];
        if (c == '"') in_string = !in_string;
        bool starts = !in_string && (c == '-' || (c >= '0' && c <= '9'));
        if (!starts) {
            out[used++] = text[i++];
            continue;
        }
        size_t end = i;
        while (end < length && (isalnum((unsigned char)text[end]) || strchr("+-.", text[end]))) {
            if (text[end] == 0) break;
            end++;
        }
        size_t sign = c == '-', digits = i + sign, count = end - digits;
        memcpy(out + used, text + i, end - i);
        used += end - i;
        bool plain = are_digits(text + digits, count);
        bool minus_zero = sign && count == 1 && text[digits] == '0';
        if (plain && (minus_zero || !fits_json_integer(text + digits, count, sign))) {
            out[used++] = '.';
            out[used++] = '0';
        }
        i = end;
    }
    out[used] = 0;
    *out_length = used;
    return out;
}

struct json_object *json_parse_exact(const char *text, size_t length, const char **reason)
{
    for (size_t i = 0; i < length; i++) {
        /* The parser lets these stand in strings (RFC 8259, 7 does not). */
        if ((unsigned char)text[i] >= 0x20 || strchr("\t\r\n", text[i] ? text[i] : 'x')) continue;
        *reason = "a control character";
        return NULL;
    }
    if (length > 1u << 30) {
        *reason = "too long";
        return NULL;
    }
    size_t               protected_length;
    char                *protected_text = protect_integers(text, length, &protected_length);
    struct json_tokener *tokener = json_tokener_new_ex(16);
    if (!tokener) abort();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    struct json_object *json = json_tokener_parse_ex(tokener, protected_text, (int)protected_length + 1);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    /* Read to its end, the terminating zero aside? */
    size_t at = json_tokener_get_parse_end(tokener);
    while (at < protected_length && isspace((unsigned char)protected_text[at])) at++;
    bool whole = error == json_tokener_success && at >= protected_length;
    *reason = error == json_tokener_success ? "text behind the JSON value" : json_tokener_error_desc(error);
    json_tokener_free(tokener);
    free(protected_text);
    if (whole) return json;
    json_object_put(json);
    return NULL;
}

/* --- scalars ------------------------------------------------------------------------------------------------------ */

static bool is_signed(ilc_storage storage)
{
    return storage == ILC_I8 || storage == ILC_I16 || storage == ILC_I32 || storage == ILC_I64 || storage == ILC_INT;
}

static uint64_t extend(ilc_storage storage, uint64_t bits)
{
    unsigned width = 8 * ilc_storage_size(storage);
    if (width >= 64) return bits;
    bits &= (UINT64_C(1) << width) - 1;
    if (is_signed(storage) && bits >> (width - 1)) bits |= ~UINT64_C(0) << width;
    return bits;
}

static bool parse_bits(const char *hex, ilc_storage storage, uint64_t *bits)
{
    size_t digits = 2 * (size_t)ilc_storage_size(storage);
    if (strlen(hex) != digits || strspn(hex, "0123456789abcdefABCDEF") != digits) return false;
    *bits = extend(storage, strtoull(hex, NULL, 16));
    return true;
}

static bool parse_integer(const char *text, ilc_storage storage, uint64_t *bits)
{
    const char *digits = text + (*text == '-' || *text == '+');
    if (!*digits || strspn(digits, "0123456789") != strlen(digits)) return false;
    errno = 0;
    unsigned long long magnitude = strtoull(digits, NULL, 10);
    if (errno) return false;
    uint64_t value = *text == '-' ? 0 - (uint64_t)magnitude : magnitude;
    *bits = extend(storage, value);
    if (*text == '-' && magnitude) return is_signed(storage) && magnitude <= UINT64_C(1) << 63 && *bits == value;
    return *bits == value && !(is_signed(storage) && value >> 63);
}

/* Decimals round once, to the type itself. NaN has the bits of .NET's own constant, sign set. */
static bool parse_float(const char *text, ilc_storage storage, uint64_t *bits)
{
    bool   single = storage == ILC_F32;
    float  f;
    double d;
    if (strcmp(text, "NaN") == 0) {
        *bits = single ? 0xffc00000u : UINT64_C(0xfff8000000000000);
        return true;
    }
    const char *number = text + (*text == '-' || *text == '+');
    if (strcmp(number, "Infinity") != 0 && strspn(number, "0123456789.eE+-") != strlen(number)) return false;
    char *end;
    *bits = 0;
    if (single) {
        f = strtof(text, &end);
        memcpy(bits, &f, sizeof f);
    } else {
        d = strtod(text, &end);
        memcpy(bits, &d, sizeof d);
    }
    return end != text && *end == 0;
}

bool scalar_parse(const char *text, ilc_storage storage, uint64_t *bits)
{
    if (*text == '#') return parse_bits(text + 1, storage, bits);
    switch (storage) {
    case ILC_BOOL:
        *bits = strcmp(text, "true") == 0 || strcmp(text, "True") == 0;
        return *bits || strcmp(text, "false") == 0 || strcmp(text, "False") == 0;
    case ILC_F32:
    case ILC_F64: return parse_float(text, storage, bits);
    default: return parse_integer(text, storage, bits);
    }
}

/* A scalar's bits. Returns NULL, or why not. */
static const char *scalar_of_json(value_pool *pool, struct json_object *json, ilc_storage storage, uint64_t *bits)
{
    const char *text = json ? json_object_get_string(json) : "null";
    bool        usable = false;
    switch (json_object_get_type(json)) {
    case json_type_boolean:
        *bits = json_object_get_boolean(json) ? 1 : 0;
        usable = storage == ILC_BOOL;
        break;
    case json_type_int: usable = storage != ILC_BOOL && scalar_parse(text, storage, bits); break;
    case json_type_double:
        usable = (storage == ILC_F32 || storage == ILC_F64) && scalar_parse(text, storage, bits);
        break;
    case json_type_string: usable = scalar_parse(text, storage, bits); break;
    default: break;
    }
    return usable ? NULL : pool_format(pool, "%.60s is not a value of %s", text, ilc_storage_name(storage));
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */

uint64_t bits_at(const void *at, ilc_storage storage)
{
    uint64_t bits = 0;
    memcpy(&bits, at, ilc_storage_size(storage));
    return extend(storage, bits);
}

uint64_t element_bits(const ilc_array *array, int64_t index)
{
    return bits_at(element_at(array, index), array->elem);
}

size_t element_size(ilc_storage storage, const ilc_struct *layout)
{
    return layout ? ilc_struct_size(layout) : ilc_storage_size(storage);
}

const void *element_at(const ilc_array *array, int64_t index)
{
    return (const char *)array->data + (size_t)index * element_size(array->elem, array->layout);
}

/* A struct: the array of its fields in order. Structs are 16 deep at most. */
static const char *parse_struct(value_pool *pool, struct json_object *json, const ilc_struct *layout, char *at)
{
    uint32_t count = ilc_struct_field_count(layout);
    if (json_object_get_type(json) != json_type_array || json_object_array_length(json) != count)
        return pool_format(pool, "%.60s is not an array of the %u field%s of %s", json ? json_object_get_string(json) : "null",
                           count, count == 1 ? "" : "s", ilc_struct_name(layout));
    for (uint32_t i = 0; i < count; i++) {
        ilc_field field;
        ilc_struct_field(&field, layout, i);
        const char *why = element_of_json(pool, json_object_array_get_idx(json, i), field.storage, field.layout, at + field.offset);
        if (why) return why;
    }
    return NULL;
}

const char *element_of_json(value_pool *pool, struct json_object *json, ilc_storage storage, const ilc_struct *layout,
                            void *at)
{
    uint64_t bits;
    if (layout) return parse_struct(pool, json, layout, at);
    const char *why = scalar_of_json(pool, json, storage, &bits);
    if (!why) memcpy(at, &bits, ilc_storage_size(storage));
    return why;
}

/* Is an earlier argument's array (or null) of the parameter's type? How deep it is nested its innermost elements say. */
static bool same_shape(const ilc_array *array, const ilc_param *param)
{
    if (!array) return true;
    if ((array->rank > 1 ? array->rank : 1) != (param->rank > 1 ? param->rank : 1)) return false;
    return array->elem == param->storage && array->layout == param->layout;
}

/* {"same":0}: the same object as an earlier argument. */
static const char *parse_same(value_pool *pool, struct json_object *json, const ilc_param *param,
                              const ilc_value *earlier, uint32_t earlier_count, ilc_value *out)
{
    struct json_object *number;
    if (json_object_object_length(json) != 1 || !json_object_object_get_ex(json, "same", &number) ||
        json_object_get_type(number) != json_type_int)
        return pool_format(pool, "argument %s is not %s or {\"same\":number}", param->name,
                           param->is_byref ? "a value" : "an array, null");
    int64_t index = json_object_get_int64(number);
    if (index < 0 || index >= (int64_t)earlier_count)
        return pool_format(pool, "argument %s: there is no earlier argument %lld", param->name, (long long)index);
    const ilc_value *other = &earlier[index];
    if (!other->is_array || other->is_byref != param->is_byref || other->storage != param->storage ||
        !same_shape(other->u.array, param))
        return pool_format(pool, "argument %s: argument %lld has another type", param->name, (long long)index);
    out->u.array = other->u.array;
    return NULL;
}

/* A by-ref: one value, in and out. */
static const char *parse_byref(value_pool *pool, struct json_object *json, const ilc_param *param, ilc_value *out)
{
    ilc_array *cell = array_new(pool, param->storage, param->layout, 1);
    out->u.array = cell;
    return element_of_json(pool, json, param->storage, param->layout, cell->data);
}

const char *value_parse(value_pool *pool, struct json_object *json, const ilc_param *param, const ilc_value *earlier,
                        uint32_t earlier_count, ilc_value *out)
{
    *out = (ilc_value){
        .storage = param->storage, .is_array = param->is_array || param->is_byref, .is_byref = param->is_byref};
    if (param->is_byref && json_object_get_type(json) == json_type_object)
        return parse_same(pool, json, param, earlier, earlier_count, out);
    if (param->is_byref) return parse_byref(pool, json, param, out);
    if (!param->is_array && param->layout) {
        out->layout = param->layout;
        out->u.data = pool_alloc(pool, ilc_struct_size(param->layout));
        return parse_struct(pool, json, param->layout, out->u.data);
    }
    if (!param->is_array) return scalar_of_json(pool, json, param->storage, &out->u.bits);
    switch (json_object_get_type(json)) {
    case json_type_null: return NULL;
    case json_type_array: return array_parse(pool, json, param, &out->u.array);
    case json_type_object:
        if (param->rank > 1 && json_object_object_length(json) == 2) return array_parse(pool, json, param, &out->u.array);
        return parse_same(pool, json, param, earlier, earlier_count, out);
    default: return pool_format(pool, "argument %s is not an array", param->name);
    }
}
