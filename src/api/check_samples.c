/* check_samples.c - arguments for checks: mostly such that the method runs to its end, some at the edges of
 * their types, some that make it raise. */
#include "api/check.h"

typedef struct source { /* splitmix64 (Steele, Lea, Flood, 2014) */
    uint64_t state;
} source;

static uint64_t next(source *s)
{
    uint64_t z = s->state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t below(source *s, uint32_t limit)
{
    return (uint32_t)(next(s) % limit);
}

static bool chance(source *s, uint32_t percent)
{
    return below(s, 100) < percent;
}

static bool is_float(ilc_storage storage)
{
    return storage == ILC_F32 || storage == ILC_F64;
}

static uint64_t bits_of_double(ilc_storage storage, double value)
{
    uint64_t bits = 0;
    float    single = (float)value;
    if (storage == ILC_F32)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

static uint64_t edge_float(source *s, ilc_storage storage)
{
    static const uint64_t singles[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                       0x00000001, 0x007fffff, 0x7f7fffff, 0x4f000000, 0xcf000000, 0x3effffff, 0x4b000001};
    static const uint64_t doubles[] = {0,
                                       0x8000000000000000u,
                                       0x3ff0000000000000u,
                                       0x7ff0000000000000u,
                                       0xfff0000000000000u,
                                       0x7ff8000000000000u,
                                       1,
                                       0x7fefffffffffffffu,
                                       0x41e0000000000000u,
                                       0xc1e0000000000000u,
                                       0x43e0000000000000u,
                                       0x3fdfffffffffffffu,
                                       0x4330000000000001u,
                                       0x3fb999999999999au};
    return storage == ILC_F32 ? singles[below(s, sizeof singles / sizeof *singles)]
                              : doubles[below(s, sizeof doubles / sizeof *doubles)];
}

static uint64_t edge_integer(source *s, ilc_storage storage)
{
    unsigned width = 8 * ilc_storage_size(storage);
    uint64_t top = UINT64_C(1) << (width - 1);
    uint64_t values[] = {0, 1, (uint64_t)-1, top, top - 1, top + 1, 2, (uint64_t)-2};
    uint64_t cell = values[below(s, sizeof values / sizeof *values)];
    return ilc__load_bits(&cell, 0, storage);
}

static uint64_t sample_float(source *s, ilc_storage storage, uint32_t edges)
{
    if (chance(s, edges)) return edge_float(s, storage);
    if (chance(s, 50)) return bits_of_double(storage, ((double)below(s, 65) - 32) / 8);
    return bits_of_double(storage, ((double)(next(s) >> 11) / 9007199254740992.0 - 0.5) * 8);
}

/* most: small integers stay below it, so that subscripts and counts made of them are usable. */
static uint64_t sample_integer(source *s, ilc_storage storage, uint32_t edges, uint32_t most)
{
    if (storage == ILC_BOOL) return below(s, 2);
    if (chance(s, edges)) return edge_integer(s, storage);
    uint64_t cell = chance(s, 10) ? (uint64_t)((int64_t)below(s, 40) - 20) : below(s, most);
    return ilc__load_bits(&cell, 0, storage);
}

static uint64_t sample_scalar(source *s, ilc_storage storage, uint32_t edges, uint32_t most)
{
    return is_float(storage) ? sample_float(s, storage, edges) : sample_integer(s, storage, edges, most);
}

/* Of structs each number; what lies between them stays zero. */
static void sample_array(ilc__arena *arena, source *s, ilc_storage storage, const ilc_struct *layout, int64_t length,
                         uint32_t edges, uint32_t most, ilc_array *out)
{
    uint32_t         count, size = ilc__element_size(storage, layout);
    const ilc__leaf *cells = ilc__cells_of(arena, storage, layout, &count);
    *out = (ilc_array){.elem = storage, .length = length, .layout = layout};
    out->data = ilc__arena_array(arena, (size_t)length, size);
    for (int64_t i = 0; i < length; i++)
        for (uint32_t c = 0; c < count; c++)
            ilc__store_bits((uint8_t *)out->data + (size_t)i * size + cells[c].offset, 0, cells[c].storage,
                            sample_scalar(s, cells[c].storage, edges, most));
}

/* Most arrays are long enough for subscripts made of small indices and counts (6 * 6 + 6); some are not. */
static int64_t array_length(source *s, int64_t total)
{
    enum { LONG_ENOUGH = 64 };
    if (!chance(s, 15)) return total > LONG_ENOUGH ? total : LONG_ENOUGH;
    switch (below(s, 4)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return total;
    default: return below(s, 20);
    }
}

/* A dimension that the launch's indices fit into, most of the time. */
static int64_t dimension(source *s, const ilc__samples *samples, uint32_t dims, uint32_t k)
{
    enum { LONG_ENOUGH = 7 };
    if (chance(s, 10)) return below(s, 6);
    int64_t extent = k < dims ? samples->extents[k] : 0;
    return (extent > LONG_ENOUGH ? extent : LONG_ENOUGH) + (int64_t)below(s, 2);
}

static void sample_shaped(ilc__arena *arena, source *s, const ilc_param *param, const ilc__samples *samples, uint32_t dims,
                          uint32_t edges, ilc_array *out)
{
    int64_t sizes[3], length = 1;
    for (uint32_t k = 0; k < param->rank; k++) length *= sizes[k] = dimension(s, samples, dims, k);
    sample_array(arena, s, param->storage, NULL, length, edges, 8, out);
    out->rank = param->rank;
    memcpy(out->dims, sizes, param->rank * sizeof *sizes);
}

/* Rows for each index, most of the time of one length in all matrices: a launch of more rows than there are is refused. */
static void sample_rows(ilc__arena *arena, source *s, const ilc_param *param, int64_t rows, int64_t cols, uint32_t edges, ilc_array *out)
{
    if (edges && chance(s, 5)) cols = below(s, 9);
    rows += below(s, 2);
    sample_array(arena, s, param->storage, NULL, rows * cols, edges, 8, out);
    out->rank = 2;
    out->dims[0] = rows;
    out->dims[1] = cols;
}

/* Rows of several lengths, some null; of some arrays some rows are one array. level: how many indices lead here. */
static void sample_jagged(ilc__arena *arena, source *s, const ilc_param *param, const ilc__samples *samples, uint32_t dims,
                          uint32_t level, uint32_t edges, ilc_array *out)
{
    int64_t     length = dimension(s, samples, dims, level);
    ilc_array **inner = ILC__NEW_ARRAY(arena, ilc_array *, (size_t)length);
    uint32_t    alike = chance(s, 25) ? 20 : 0;
    *out = (ilc_array){.elem = ILC_ARRAY, .length = length, .data = inner};
    for (int64_t i = 0; i < length; i++) {
        if (edges && chance(s, 5)) continue;
        if (i && chance(s, alike)) {
            inner[i] = inner[below(s, (uint32_t)i)];
            continue;
        }
        inner[i] = ILC__NEW(arena, ilc_array);
        if (level + 1 < param->nested) sample_jagged(arena, s, param, samples, dims, level + 1, edges, inner[i]);
        else sample_array(arena, s, param->innermost, NULL, dimension(s, samples, dims, level + 1), edges, 8, inner[i]);
    }
}

void ilc__samples_make(ilc__arena *arena, const ilc_kernel *kernel, uint64_t seed, uint32_t round, ilc__samples *out)
{
    const ilc_method *method = kernel->method;
    source            s = {.state = seed * 0x100000001b3u + round};
    uint32_t          dims = ilc_kernel_dims(kernel);
    /* The first rounds are plain, later ones go to the edges. */
    uint32_t edges = round < 4 ? 0 : round % 3 == 0 ? 25 : 4;
    uint32_t most = 1 + below(&s, 7);
    *out = (ilc__samples){.count = method->def->sig.param_count, .total = 1};
    out->items = ILC__NEW_ARRAY(arena, ilc__sample, out->count);
    for (uint32_t k = 0; k < dims; k++) {
        out->extents[k] = dims == 1 ? 1 + (int64_t)below(&s, 40) : 1 + (int64_t)below(&s, 6);
        out->total *= out->extents[k];
    }
    int64_t cols = method->def->row_count ? below(&s, 40) : 0;
    for (uint32_t i = 0; i < out->count; i++) {
        const ilc_param *param = &method->params[i];
        ilc__sample     *sample = &out->items[i];
        uint32_t         dim;
        bool             rows = ilc__param_is_rows(kernel, i, &dim);
        bool             elementwise = ilc__param_is_elementwise(kernel, i);
        sample->skipped = ilc__param_is_index(kernel, i);
        sample->is_array = param->is_array || param->is_byref || elementwise;
        if (sample->skipped) continue;
        sample->is_null = param->is_array && !rows && edges && chance(&s, 2);
        if (sample->is_null) continue;
        if (!sample->is_array && param->layout)
            sample_array(arena, &s, param->storage, param->layout, 1, edges, most, &sample->array);
        else if (!sample->is_array)
            sample->bits = sample_scalar(&s, param->storage, edges, most);
        else if (rows)
            sample_rows(arena, &s, param, out->extents[dim], cols, edges, &sample->array);
        else if (param->rank > 1)
            sample_shaped(arena, &s, param, out, dims, edges, &sample->array);
        else if (param->nested)
            sample_jagged(arena, &s, param, out, dims, 0, edges, &sample->array);
        else
            sample_array(arena, &s, param->storage, param->layout,
                         elementwise ? out->total : param->is_byref ? 1 : array_length(&s, out->total), edges, 8,
                         &sample->array);
    }
}

/* "[#3f800000 (1), #40000000 (2)]" for a struct, as `call` takes it without what is in parentheses. */
static void element_text(ilc__arena *arena, ilc__text *text, ilc_storage storage, const ilc_struct *layout, const uint8_t *at)
{
    if (!layout) {
        ilc__text_puts(text, ilc__show_bits(arena, storage, ilc__load_bits(at, 0, storage)));
        return;
    }
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const ilc__layout_field *field = &layout->fields[i];
        ilc__text_puts(text, i ? ", " : "[");
        element_text(arena, text, field->storage, field->layout, at + field->offset); /* 16 deep at most */
    }
    ilc__text_puts(text, layout->field_count ? "]" : "[]");
}

/* The first elements, and how many there are: "[..](2x3)". */
static void array_text(ilc__text *text, const ilc_array *array)
{
    enum { MOST = 16 };
    ilc__text_putc(text, '[');
    for (int64_t k = 0; k < array->length && k < MOST; k++) {
        if (k) ilc__text_puts(text, ", ");
        const ilc_array *inner = array->elem == ILC_ARRAY ? ((ilc_array *const *)array->data)[k] : NULL;
        if (inner) array_text(text, inner); /* a depth of three */
        else if (array->elem == ILC_ARRAY) ilc__text_puts(text, "null");
        else element_text(text->arena, text, array->elem, array->layout,
                          (const uint8_t *)array->data + (size_t)k * ilc__element_size(array->elem, array->layout));
    }
    ilc__text_puts(text, array->length > MOST ? ", ...](" : "](");
    if (array->rank < 2) ilc__text_printf(text, "%lld)", (long long)array->length);
    for (uint32_t k = 0; array->rank > 1 && k < array->rank; k++)
        ilc__text_printf(text, "%lld%s", (long long)array->dims[k], k + 1 < array->rank ? "x" : ")");
}

char *ilc__samples_text(ilc__arena *arena, const ilc_kernel *kernel, const ilc__samples *samples)
{
    ilc__text text = {.arena = arena};
    for (uint32_t i = 0; i < samples->count; i++) {
        const ilc__sample *sample = &samples->items[i];
        const ilc_param   *param = &kernel->method->params[i];
        if (sample->skipped) continue;
        ilc__text_printf(&text, "%s%s = ", text.length ? ", " : "", param->name);
        if (sample->is_null) {
            ilc__text_puts(&text, "null");
        } else if (!sample->is_array && param->layout) {
            element_text(arena, &text, param->storage, param->layout, sample->array.data);
        } else if (!sample->is_array) {
            ilc__text_puts(&text, ilc__show_bits(arena, param->storage, sample->bits));
        } else {
            array_text(&text, &sample->array);
        }
    }
    for (uint32_t k = 0; k < ilc_kernel_dims(kernel); k++)
        ilc__text_printf(&text, "%s%lld", k ? ", " : "; extents ", (long long)samples->extents[k]);
    return text.data ? text.data : ilc__arena_strdup(arena, "");
}
