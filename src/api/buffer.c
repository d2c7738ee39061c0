/* buffer.c - arrays on an engine: of numbers and structs, shaped, and arrays of arrays. */
#include "api/launch.h"

/* Memory for its elements, all zero. */
static ilc_status fill_buffer(ilc_buffer *buffer)
{
    ilc_engine *engine = buffer->engine;
    size_t      bytes = (size_t)buffer->array.length * buffer->size;
    if (bytes == 0) bytes = 1;
    if (engine->rt) {
        ILC__TRY(ilc__engine_alloc(engine->rt, bytes, &buffer->address));
        return ilc__engine_fill(engine->rt, buffer->address, 0, bytes);
    }
    ilc__heap *heap = &engine->session->ctx.heap;
    buffer->array.data = heap->resize(heap->user, NULL, bytes);
    if (!buffer->array.data)
        return ilc__fail(&engine->session->ctx, ILC_OUT_OF_MEMORY, NULL, "no memory for an array of %lld elements",
                         (long long)buffer->array.length);
    memset(buffer->array.data, 0, bytes);
    return ILC_OK;
}

static ilc_status fail_length(ilc__context *ctx, int64_t length)
{
    return ilc__fail(ctx, ILC_INVALID, NULL, "an array of %lld elements is not possible: .NET's hold 0 to %lld", (long long)length,
                     (long long)ILC__MAX_ARRAY_LENGTH);
}

/* Of that length, in the engine's list; the caller fills it. */
static ilc_status new_buffer(ilc_buffer **out, ilc_engine *engine, const ilc_array *array, uint32_t size)
{
    ilc__context *ctx = &engine->session->ctx;
    int64_t       length = array->length;
    if (length < 0 || length > ILC__MAX_ARRAY_LENGTH) return fail_length(ctx, length);
    ilc_buffer *buffer = ctx->heap.resize(ctx->heap.user, NULL, sizeof *buffer);
    if (!buffer) ilc__heap_exhausted(&ctx->heap);
    *buffer = (ilc_buffer){.engine = engine, .size = size, .capacity = length, .array = *array};
    /* In the engine's list first, so that running out of memory later loses nothing. */
    buffer->next = engine->buffers;
    buffer->link = &engine->buffers;
    if (buffer->next) buffer->next->link = &buffer->next;
    engine->buffers = buffer;
    *out = buffer;
    return ILC_OK;
}

/* Gives it to the caller, or back where a step failed. */
static ilc_status hand_over(ilc_buffer **out, ilc_buffer *buffer, ilc_status status)
{
    if (status == ILC_OK) *out = buffer;
    else ilc_buffer_destroy(buffer);
    return status;
}

ilc_status ilc__buffer_make(ilc_buffer **out, ilc_engine *engine, ilc_storage elem, const ilc_struct *layout,
                            int64_t length)
{
    ilc_array   array = {.elem = elem, .length = length, .layout = layout};
    ilc_buffer *buffer;
    if ((unsigned)elem >= ILC_STORAGE_COUNT || elem == ILC_VOID || elem == ILC_ARRAY || (elem == ILC_STRUCT) != (layout != NULL))
        return ilc__fail(&engine->session->ctx, ILC_INVALID, NULL, "an array cannot have elements of type %s",
                         ilc_storage_name(elem));
    ILC__TRY(new_buffer(&buffer, engine, &array, ilc__element_size(elem, layout)));
    return hand_over(out, buffer, fill_buffer(buffer));
}

ilc_status ilc_buffer_create(ilc_buffer **out, ilc_engine *engine, ilc_storage elem, int64_t length)
{
    ILC__LAND(engine->session, ilc__buffer_make(out, engine, elem, NULL, length));
}

ilc_status ilc_buffer_create_structs(ilc_buffer **out, ilc_engine *engine, const ilc_struct *layout, int64_t length)
{
    ILC__LAND(engine->session, ilc__buffer_make(out, engine, ILC_STRUCT, layout, length));
}

/* --- arrays of arrays --------------------------------------------------------------------------------------------- */

enum { MOST_NESTED = 2 };

static ilc_status check_row(const ilc_buffer *buffer, const ilc_buffer *row, int64_t number)
{
    ilc__context *ctx = &buffer->engine->session->ctx;
    if (row->engine != buffer->engine)
        return ilc__fail(ctx, ILC_INVALID, NULL, "array number %lld belongs to another engine", (long long)number);
    if (row->lent) return ilc__fail(ctx, ILC_INVALID, NULL, "array number %lld has memory of the caller", (long long)number);
    if (row->array.rank > 1)
        return ilc__fail(ctx, ILC_INVALID, NULL, "array number %lld has %u dimensions: one was expected", (long long)number,
                         row->array.rank);
    ilc_storage innermost = row->nested ? row->innermost : row->array.elem;
    if (row->nested != buffer->nested - 1 || innermost != buffer->innermost)
        return ilc__fail(ctx, ILC_INVALID, NULL, "array number %lld is no array%s of %s", (long long)number,
                         buffer->nested > 1 ? " of arrays" : "", ilc_storage_name(buffer->innermost));
    return ILC_OK;
}

/* Interpreters find the array objects, compiled code pairs. */
static ilc_status fill_rows(ilc_buffer *buffer)
{
    ilc_engine *engine = buffer->engine;
    int64_t     length = buffer->array.length;
    ILC__TRY(fill_buffer(buffer));
    if (!engine->rt) {
        for (int64_t i = 0; i < length; i++)
            ((ilc_array **)buffer->array.data)[i] = buffer->rows[i] ? &buffer->rows[i]->array : NULL;
        return ILC_OK;
    }
    ilc__pair *pairs = ILC__NEW_ARRAY(&engine->session->scratch, ilc__pair, (size_t)length);
    for (int64_t i = 0; i < length; i++) {
        const ilc_buffer *row = buffer->rows[i];
        pairs[i] = row ? (ilc__pair){row->address, row->array.length} : (ilc__pair){0, -1};
    }
    return length ? ilc__engine_write(engine->rt, buffer->address, pairs, (size_t)length * sizeof *pairs) : ILC_OK;
}

static ilc_status take_rows(ilc_buffer *buffer, ilc_buffer *const *rows)
{
    ilc__heap *heap = &buffer->engine->session->ctx.heap;
    size_t     count = (size_t)buffer->array.length;
    for (size_t i = 0; i < count; i++)
        if (rows[i]) ILC__TRY(check_row(buffer, rows[i], (int64_t)i));
    buffer->rows = heap->resize(heap->user, NULL, count ? count * sizeof *rows : 1);
    if (!buffer->rows)
        return ilc__fail(&buffer->engine->session->ctx, ILC_OUT_OF_MEMORY, NULL, "no memory for an array of %zu arrays", count);
    for (size_t i = 0; i < count; i++) {
        buffer->rows[i] = rows[i];
        if (rows[i]) rows[i]->holders++;
    }
    return fill_rows(buffer);
}

static ilc_status create_arrays(ilc_buffer **out, ilc_engine *engine, ilc_storage innermost, uint32_t nested,
                                ilc_buffer *const *rows, int64_t count)
{
    ilc__context *ctx = &engine->session->ctx;
    ilc_array     array = {.elem = ILC_ARRAY, .length = count};
    ilc_buffer   *buffer;
    if (nested < 1 || nested > MOST_NESTED)
        return ilc__fail(ctx, ILC_INVALID, NULL, "arrays nested %u deep are not possible here", nested);
    if ((unsigned)innermost >= ILC_STORAGE_COUNT || ilc_storage_size(innermost) == 0 || innermost == ILC_ARRAY)
        return ilc__fail(ctx, ILC_INVALID, NULL, "an array of arrays cannot be of %s", ilc_storage_name(innermost));
    ILC__TRY(new_buffer(&buffer, engine, &array, engine->rt ? sizeof(ilc__pair) : sizeof(ilc_array *)));
    buffer->nested = nested;
    buffer->innermost = innermost;
    return hand_over(out, buffer, take_rows(buffer, rows));
}

ilc_status ilc_buffer_create_arrays(ilc_buffer **out, ilc_engine *engine, ilc_storage innermost, uint32_t nested,
                                    ilc_buffer *const *rows, int64_t count)
{
    ILC__LAND(engine->session, create_arrays(out, engine, innermost, nested, rows, count));
}

void ilc__buffer_leaves(ilc__arena *arena, ilc_buffer *buffer, ilc__leaf_arrays *out)
{
    if (!buffer->nested) ILC__PUSH(arena, out, buffer);
    for (int64_t i = 0; buffer->nested && i < buffer->array.length; i++)
        if (buffer->rows[i]) ilc__buffer_leaves(arena, buffer->rows[i], out); /* a depth of three */
}

/* --- shapes, the end, elements --------------------------------------------------------------------------------------- */

int64_t ilc__shape_length(uint32_t rank, const int64_t *dims, uint32_t *wrong)
{
    int64_t product = 1;
    for (uint32_t k = 0; k < rank; k++) {
        *wrong = k;
        if (dims[k] < 0 || dims[k] > ILC__MAX_ARRAY_LENGTH || (dims[k] && product > ILC__MAX_ARRAY_LENGTH / dims[k])) return -1;
        product *= dims[k];
    }
    return product;
}

const char *ilc__buffer_is_kept(const ilc_buffer *buffer)
{
    if (buffer->nested) return "an array of arrays";
    if (buffer->holders) return "an array in an array of arrays";
    return buffer->exports ? "an array that a tensor has" : NULL;
}

static ilc_status reshape(ilc_buffer *buffer, uint32_t rank, const int64_t *dims)
{
    ilc__context *ctx = &buffer->engine->session->ctx;
    ilc_array    *array = &buffer->array, shaped = *array;
    uint32_t      wrong;
    if (rank > 1 && (buffer->holders || buffer->nested))
        return ilc__fail(ctx, ILC_INVALID, NULL, "an array %s has one dimension", buffer->nested ? "of arrays" : "in an array of arrays");
    if (rank < 1 || rank > 3) return ilc__fail(ctx, ILC_INVALID, NULL, "an array of rank %u is not possible here", rank);
    int64_t product = ilc__shape_length(rank, dims, &wrong);
    if (product < 0)
        return ilc__fail(ctx, ILC_INVALID, NULL, "a dimension of %lld elements is not possible", (long long)dims[wrong]);
    if (product != array->length)
        return ilc__fail(ctx, ILC_INVALID, NULL, "the dimensions hold %lld elements, the array %lld", (long long)product,
                         (long long)array->length);
    memcpy(shaped.dims, dims, rank * sizeof *dims);
    shaped.rank = rank > 1 ? rank : 0;
    *array = shaped;
    return ILC_OK;
}

ilc_status ilc_buffer_reshape(ilc_buffer *buffer, uint32_t rank, const int64_t *dims)
{
    ILC__LAND(buffer->engine->session, reshape(buffer, rank, dims));
}

static ilc_status resize(ilc_buffer *buffer, int64_t length)
{
    ilc__context *ctx = &buffer->engine->session->ctx;
    if (ilc__buffer_is_kept(buffer)) return ilc__fail(ctx, ILC_INVALID, NULL, "%s keeps its length", ilc__buffer_is_kept(buffer));
    if (buffer->lent) return ilc__fail(ctx, ILC_INVALID, NULL, "an array in the caller's memory keeps its length");
    if (length < 0 || length > buffer->capacity)
        return ilc__fail(ctx, ILC_INVALID, NULL, "an array made with %lld elements cannot have %lld",
                         (long long)buffer->capacity, (long long)length);
    buffer->array.length = length;
    buffer->array.rank = 0;
    return ILC_OK;
}

ilc_status ilc_buffer_resize(ilc_buffer *buffer, int64_t length)
{
    ILC__LAND(buffer->engine->session, resize(buffer, length));
}

static void give_back(ilc_buffer *buffer)
{
    if (!buffer->lent) return;
    buffer->address = buffer->own_address;
    buffer->array.data = buffer->own_data;
    buffer->array.length = buffer->capacity;
    buffer->array.rank = 0;
    buffer->lent = false;
}

static ilc_status lend(ilc_buffer *buffer, void *data, int64_t length)
{
    ilc_engine   *engine = buffer->engine;
    ilc__context *ctx = &engine->session->ctx;
    uint32_t      size = ilc_storage_size(buffer->array.elem);
    if (ilc__buffer_is_kept(buffer)) return ilc__fail(ctx, ILC_INVALID, NULL, "%s keeps its memory", ilc__buffer_is_kept(buffer));
    if (engine->kind == ILC_ENGINE_CUDA && size && (uintptr_t)data % size != 0)
        return ilc__fail(ctx, ILC_INVALID, NULL, "memory lent to an array of %s must be at a multiple of %u bytes", ilc_storage_name(buffer->array.elem), size);
    if (data && (length < 0 || length > ILC__MAX_ARRAY_LENGTH)) return fail_length(ctx, length);
    give_back(buffer);
    if (!data) return ILC_OK;
    buffer->own_address = buffer->address;
    buffer->own_data = buffer->array.data;
    if (engine->rt) buffer->address = (uintptr_t)data;
    else buffer->array.data = data;
    buffer->array.length = length;
    buffer->array.rank = 0;
    buffer->lent = true;
    return ILC_OK;
}

ilc_status ilc_buffer_lend(ilc_buffer *buffer, void *data, int64_t length)
{
    ILC__LAND(buffer->engine->session, lend(buffer, data, length));
}

/* A dimension of one element is stepped over by whatever stride. */
static bool is_dense(uint32_t rank, const int64_t *dims, const int64_t *strides)
{
    int64_t step = 1;
    for (uint32_t k = rank; strides && k-- > 0; step *= dims[k])
        if (dims[k] != 1 && strides[k] != step) return false;
    return true;
}

ilc_status ilc__buffer_wrap(ilc_buffer **out, ilc_engine *engine, ilc_storage elem, void *data, uint32_t rank, const int64_t *dims,
                            const int64_t *strides)
{
    ilc__context *ctx = &engine->session->ctx;
    ilc_buffer   *buffer;
    uint32_t      wrong;
    if (rank < 1 || rank > 3) return ilc__fail(ctx, ILC_INVALID, NULL, "an array of rank %u is not possible here", rank);
    int64_t length = ilc__shape_length(rank, dims, &wrong);
    if (length < 0) return ilc__fail(ctx, ILC_INVALID, NULL, "a dimension of %lld elements is not possible", (long long)dims[wrong]);
    if (length && !is_dense(rank, dims, strides))
        return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "the array's strides are not those of rows one after the other, which .NET's arrays have: make it contiguous");
    if (length && !data) return ilc__fail(ctx, ILC_INVALID, NULL, "an array of %lld elements has no memory", (long long)length);
    ILC__TRY(ilc__buffer_make(&buffer, engine, elem, NULL, 0));
    ilc_status status = length ? lend(buffer, data, length) : ILC_OK;
    if (status == ILC_OK && rank > 1) status = reshape(buffer, rank, dims);
    return hand_over(out, buffer, status);
}

ilc_status ilc_buffer_wrap(ilc_buffer **out, ilc_engine *engine, ilc_storage elem, void *data, uint32_t rank, const int64_t *dims,
                           const int64_t *strides)
{
    ILC__LAND(engine->session, ilc__buffer_wrap(out, engine, elem, data, rank, dims, strides));
}

uint32_t ilc_buffer_shape(const ilc_buffer *buffer, int64_t dims[3])
{
    uint32_t rank = buffer->array.rank > 1 ? buffer->array.rank : 1;
    dims[0] = buffer->array.length;
    if (rank > 1) memcpy(dims, buffer->array.dims, rank * sizeof *dims);
    return rank;
}

/* Of an array of arrays that goes: what only it still held goes as well. */
static void let_go(ilc_buffer *row)
{
    row->holders--;
    if (row->dropped && row->holders == 0) ilc_buffer_destroy(row); /* a depth of three */
}

void ilc_buffer_destroy(ilc_buffer *buffer)
{
    if (!buffer) return;
    ilc__heap *heap = &buffer->engine->session->ctx.heap;
    buffer->dropped = true;
    if (buffer->holders || buffer->exports) return;
    give_back(buffer);
    ilc__tensor_release(buffer);
    for (int64_t i = 0; buffer->rows && i < buffer->array.length; i++)
        if (buffer->rows[i]) let_go(buffer->rows[i]);
    if (buffer->rows) heap->resize(heap->user, buffer->rows, 0);
    if (buffer->address) ilc__engine_free(buffer->engine->rt, buffer->address);
    if (buffer->array.data) heap->resize(heap->user, buffer->array.data, 0);
    *buffer->link = buffer->next;
    if (buffer->next) buffer->next->link = buffer->link;
    heap->resize(heap->user, buffer, 0);
}

ilc_storage ilc_buffer_elem(const ilc_buffer *buffer)
{
    return buffer->array.elem;
}

const ilc_struct *ilc_buffer_struct(const ilc_buffer *buffer)
{
    return buffer->array.layout;
}

int64_t ilc_buffer_length(const ilc_buffer *buffer)
{
    return buffer->array.length;
}

static ilc_status check_range(const ilc_buffer *buffer, int64_t offset, int64_t count)
{
    if (buffer->nested)
        return ilc__fail(&buffer->engine->session->ctx, ILC_INVALID, NULL,
                         "an array of arrays is neither read nor written: the arrays in it are");
    if (offset >= 0 && count >= 0 && count <= buffer->array.length && offset <= buffer->array.length - count) return ILC_OK;
    return ilc__fail(&buffer->engine->session->ctx, ILC_INVALID, NULL,
                     "elements %lld to %lld are not inside an array of %lld", (long long)offset,
                     (long long)(offset + count), (long long)buffer->array.length);
}

static ilc_status write_buffer(ilc_buffer *buffer, int64_t offset, const void *from, int64_t count)
{
    ILC__TRY(check_range(buffer, offset, count));
    size_t size = buffer->size, bytes = (size_t)count * size, at = (size_t)offset * size;
    if (bytes == 0) return ILC_OK;
    if (buffer->engine->rt) return ilc__engine_write(buffer->engine->rt, buffer->address + at, from, bytes);
    memcpy((char *)buffer->array.data + at, from, bytes);
    return ILC_OK;
}

static ilc_status read_buffer(ilc_buffer *buffer, int64_t offset, void *to, int64_t count)
{
    ILC__TRY(check_range(buffer, offset, count));
    size_t size = buffer->size, bytes = (size_t)count * size, at = (size_t)offset * size;
    if (bytes == 0) return ILC_OK;
    if (buffer->engine->rt) return ilc__engine_read(buffer->engine->rt, to, buffer->address + at, bytes);
    memcpy(to, (const char *)buffer->array.data + at, bytes);
    return ILC_OK;
}

ilc_status ilc_buffer_write(ilc_buffer *buffer, int64_t offset, const void *from, int64_t count)
{
    ILC__LAND(buffer->engine->session, write_buffer(buffer, offset, from, count));
}

ilc_status ilc_buffer_read(ilc_buffer *buffer, int64_t offset, void *to, int64_t count)
{
    ILC__LAND(buffer->engine->session, read_buffer(buffer, offset, to, count));
}
