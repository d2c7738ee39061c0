/* dlpack.c - buffers over tensors of other libraries, and tensors over buffers. */
#include "api/dlpack.h"
#include "api/api.h"

struct ilc__export {
    DLManagedTensor tensor;
    int64_t         shape[3], strides[3];
    ilc_buffer     *buffer; /* NULL: its engine is gone */
    ilc__export    *next;   /* of the buffer */
    ilc__heap       heap;
};

static const struct {
    ilc_storage storage;
    uint8_t     code, bits;
} types[] = {{ILC_BOOL, DL_BOOL, 8}, {ILC_I8, DL_INT, 8},    {ILC_U8, DL_UINT, 8},   {ILC_I16, DL_INT, 16},   {ILC_U16, DL_UINT, 16},   {ILC_I32, DL_INT, 32},
             {ILC_U32, DL_UINT, 32}, {ILC_I64, DL_INT, 64}, {ILC_U64, DL_UINT, 64}, {ILC_F32, DL_FLOAT, 32}, {ILC_F64, DL_FLOAT, 64},
             {ILC_INT, DL_INT, 64},  {ILC_UINT, DL_UINT, 64}};
enum { TYPES = sizeof types / sizeof *types };

static bool is_here(const ilc_engine *engine, const DLTensor *t)
{
    bool cuda = engine->kind == ILC_ENGINE_CUDA;
    if (cuda) return (t->device.type == DL_CUDA || t->device.type == DL_CUDA_MANAGED) && t->device.id == ilc__engine_parts_of(engine->rt)->ordinal;
    return t->device.type == DL_CPU || t->device.type == DL_CUDA_HOST;
}

static ilc_status from_dlpack(ilc_buffer **out, ilc_engine *engine, DLManagedTensor *tensor)
{
    ilc__context   *ctx = &engine->session->ctx;
    const DLTensor *t = &tensor->dl_tensor;
    uint32_t        k = 0;
    while (k < TYPES && (types[k].code != t->dtype.code || types[k].bits != t->dtype.bits)) k++;
    if (k == TYPES || t->dtype.lanes != 1)
        return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "a tensor of DLPack type %u, %u bits, %u lanes is no array of .NET's", t->dtype.code, t->dtype.bits, t->dtype.lanes);
    if (!is_here(engine, t))
        return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "the tensor is on DLPack device %d, number %d, and not where the %s engine is", t->device.type, t->device.id,
                         ilc_engine_kind_name(engine->kind));
    if (t->ndim < 1 || t->ndim > 3) return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "a tensor of %d dimensions is no array here: 1 to 3", t->ndim);
    void *data = t->data ? (char *)t->data + t->byte_offset : NULL;
    ILC__TRY(ilc__buffer_wrap(out, engine, types[k].storage, data, (uint32_t)t->ndim, t->shape, t->strides));
    (*out)->tensor = tensor;
    return ILC_OK;
}

ilc_status ilc_buffer_from_dlpack(ilc_buffer **out, ilc_engine *engine, struct DLManagedTensor *tensor)
{
    ILC__LAND(engine->session, from_dlpack(out, engine, tensor));
}

void ilc__tensor_release(ilc_buffer *buffer)
{
    DLManagedTensor *tensor = buffer->tensor;
    buffer->tensor = NULL;
    if (tensor && tensor->deleter) tensor->deleter(tensor);
}

/* --- the other way ------------------------------------------------------------------------------------------------------- */

static void delete_export(DLManagedTensor *tensor)
{
    ilc__export *made = tensor->manager_ctx;
    ilc_buffer  *buffer = made->buffer;
    ilc__heap    heap = made->heap;
    if (buffer) {
        ilc__export **link = &buffer->exports;
        while (*link != made) link = &(*link)->next;
        *link = made->next;
        if (buffer->dropped) ilc_buffer_destroy(buffer);
    }
    heap.resize(heap.user, made, 0);
}

void ilc__exports_forget(ilc_buffer *buffer)
{
    for (ilc__export *made = buffer->exports; made; made = made->next) made->buffer = NULL;
    buffer->exports = NULL;
}

static ilc_status to_dlpack(DLManagedTensor **out, ilc_buffer *buffer)
{
    ilc_engine   *engine = buffer->engine;
    ilc__context *ctx = &engine->session->ctx;
    uint32_t      k = 0, rank;
    while (k < TYPES && types[k].storage != buffer->array.elem) k++;
    if (k == TYPES) return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "an array of %s is no tensor", ilc_storage_name(buffer->array.elem));
    ilc__export *made = ctx->heap.resize(ctx->heap.user, NULL, sizeof *made);
    if (!made) ilc__heap_exhausted(&ctx->heap);
    bool cuda = engine->kind == ILC_ENGINE_CUDA;
    *made = (ilc__export){.buffer = buffer, .next = buffer->exports, .heap = ctx->heap};
    rank = ilc_buffer_shape(buffer, made->shape);
    for (uint32_t d = rank; d-- > 0;) made->strides[d] = d + 1 == rank ? 1 : made->strides[d + 1] * made->shape[d + 1];
    DLTensor *t = &made->tensor.dl_tensor;
    t->data = engine->rt ? (void *)(uintptr_t)buffer->address : buffer->array.data;
    t->device.type = cuda ? DL_CUDA : DL_CPU;
    t->device.id = cuda ? ilc__engine_parts_of(engine->rt)->ordinal : 0;
    t->ndim = (int32_t)rank;
    t->dtype.code = types[k].code;
    t->dtype.bits = types[k].bits;
    t->dtype.lanes = 1;
    t->shape = made->shape;
    t->strides = made->strides;
    made->tensor.manager_ctx = made;
    made->tensor.deleter = delete_export;
    buffer->exports = made;
    *out = &made->tensor;
    return ILC_OK;
}

ilc_status ilc_buffer_to_dlpack(struct DLManagedTensor **out, ilc_buffer *buffer)
{
    ILC__LAND(buffer->engine->session, to_dlpack(out, buffer));
}
