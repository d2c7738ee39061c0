/* values.h - arguments read from JSON, results written as JSON: the values of `call` and its lines. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include <ilcuda/ilcuda.h>
#include <stdio.h>

struct json_object;

/* What the values of one request are made of; freed at once. */
typedef struct value_pool {
    void **blocks;
    int    count, capacity;
} value_pool;

void *pool_alloc(value_pool *pool, size_t size);
char *pool_format(value_pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));
void  pool_clear(value_pool *pool); /* everything; usable again */
void  pool_free(value_pool *pool);

/* Parses JSON text (RFC 8259), keeping every number's digits: integers of any length and "-0" come as doubles whose
 * text is kept. Returns NULL, and the reason in *reason. */
struct json_object *json_parse_exact(const char *text, size_t length, const char **reason);

/* A scalar in decimal text, as "NaN", "Infinity", "-Infinity", or "#" and its bits. False: not a value of it. */
bool scalar_parse(const char *text, ilc_storage storage, uint64_t *bits);

/* The value of one parameter, a by-ref's as a cell of its own; earlier are the arguments before it, for {"same":0}. Returns NULL, or why not. */
const char *value_parse(value_pool *pool, struct json_object *json, const ilc_param *param, const ilc_value *earlier,
                        uint32_t earlier_count, ilc_value *out);

/* An array that is neither null nor {"same":0}: of the parameter's rank and depth (arrays.c). */
const char *array_parse(value_pool *pool, struct json_object *json, const ilc_param *param, ilc_array **out);

/* Of one dimension, and zero (arrays.c). */
ilc_array *array_new(value_pool *pool, ilc_storage elem, const ilc_struct *layout, int64_t length);

/* How an array is written: as bits in JSON, or as text; most: so many elements of a row at most, 0 all. */
typedef struct array_style {
    FILE       *out;
    bool        as_text;
    const char *comma;
    int64_t     most;
} array_style;
void array_write(const array_style *style, const ilc_array *array);

/* One element: a number, or a struct as the array of its fields. */
void element_write(const array_style *style, ilc_storage storage, const ilc_struct *layout, const void *at);
/* The same from JSON, to where it is to lie. Returns NULL, or why not. */
const char *element_of_json(value_pool *pool, struct json_object *json, ilc_storage storage, const ilc_struct *layout,
                            void *at);

/* One element of an array, extended as values are; where it lies; in bytes. */
uint64_t    element_bits(const ilc_array *array, int64_t index);
const void *element_at(const ilc_array *array, int64_t index);
size_t      element_size(ilc_storage storage, const ilc_struct *layout);
/* The number that lies there, extended as values are. */
uint64_t    bits_at(const void *at, ilc_storage storage);

#endif
