/* interpret.c - a launch, or single elements of one, in the interpreters; elements of dense storage as bits. */
#include <stdio.h>

#include "api/launch.h"

uint64_t ilc__load_bits(const void *data, int64_t index, ilc_storage storage)
{
    const uint8_t *at = (const uint8_t *)data + (size_t)index * ilc_storage_size(storage);
    switch (storage) {
    case ILC_I8: return (uint64_t)(int64_t)(int8_t)*at;
    case ILC_BOOL:
    case ILC_U8: return *at;
    case ILC_I16: {
        int16_t v;
        memcpy(&v, at, sizeof v);
        return (uint64_t)(int64_t)v;
    }
    case ILC_CHAR:
    case ILC_U16: {
        uint16_t v;
        memcpy(&v, at, sizeof v);
        return v;
    }
    case ILC_I32: {
        int32_t v;
        memcpy(&v, at, sizeof v);
        return (uint64_t)(int64_t)v;
    }
    case ILC_U32:
    case ILC_F32: {
        uint32_t v;
        memcpy(&v, at, sizeof v);
        return v;
    }
    default: {
        uint64_t v;
        memcpy(&v, at, sizeof v);
        return v;
    }
    }
}

/* Cut to the element's width: the low bytes, as the host is little-endian. */
void ilc__store_bits(void *data, int64_t index, ilc_storage storage, uint64_t bits)
{
    size_t size = ilc_storage_size(storage);
    memcpy((uint8_t *)data + (size_t)index * size, &bits, size);
}

static bool is_nan(ilc_storage storage, uint64_t bits)
{
    if (storage == ILC_F32) return ((uint32_t)bits & 0x7fffffffu) > 0x7f800000u;
    return storage == ILC_F64 && (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000);
}

bool ilc__same_bits(ilc_storage storage, uint64_t a, uint64_t b)
{
    if (storage == ILC_VOID) return true;
    uint32_t size = ilc_storage_size(storage);
    uint64_t mask = size >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * size)) - 1;
    return (a & mask) == (b & mask) || (is_nan(storage, a) && is_nan(storage, b));
}

char *ilc__show_bits(ilc__arena *arena, ilc_storage storage, uint64_t bits)
{
    int      digits = (int)ilc_storage_size(storage) * 2;
    uint64_t cell = 0;
    ilc__store_bits(&cell, 0, storage, bits);
    unsigned long long shown = cell;
    if (storage == ILC_F32) {
        float    single;
        uint32_t low = (uint32_t)bits;
        memcpy(&single, &low, sizeof single);
        return ilc__arena_printf(arena, "#%0*llx (%.9g)", digits, shown, (double)single);
    }
    if (storage == ILC_F64) {
        double number;
        memcpy(&number, &bits, sizeof number);
        return ilc__arena_printf(arena, "#%0*llx (%.17g)", digits, shown, number);
    }
    if (storage == ILC_U64 || storage == ILC_UINT) return ilc__arena_printf(arena, "#%0*llx (%llu)", digits, shown, shown);
    long long extended = (long long)ilc__load_bits(&cell, 0, storage);
    return ilc__arena_printf(arena, "#%0*llx (%lld)", digits, shown, extended);
}

/* The indices of an element, in the order i, j, k. */
static void indices_of(const ilc__plan *plan, int64_t element, int64_t indices[3])
{
    for (uint32_t k = plan->dims; k-- > 0;) {
        indices[k] = element % plan->extents[k];
        element /= plan->extents[k];
    }
}

/* cell: what a by-ref is given, the place of its element. */
static ilc_value argument_of(const ilc__element_call *call, uint32_t number, int64_t element, const int64_t indices[3],
                             ilc_array *cell)
{
    const ilc__plan  *plan = call->plan;
    const ilc_kernel *kernel = plan->kernel;
    const ilc_param  *param = &kernel->method->params[number];
    ilc_value         value = {.storage = param->storage, .is_array = param->is_array};
    uint32_t          size = ilc__element_size(param->storage, param->layout);
    uint8_t          *place = NULL;
    for (uint32_t k = 0; k < kernel->spec.index_count; k++) {
        if (kernel->spec.index_params[k] != number) continue;
        value.u.bits = (uint64_t)indices[k];
        return value;
    }
    bool own = ilc__param_is_elementwise(kernel, number);
    if (own) place = (uint8_t *)call->arrays[number]->data + (size_t)element * size;
    if (param->is_byref) {
        *cell = (ilc_array){.elem = param->storage, .length = 1, .data = place, .layout = param->layout};
        value.is_array = value.is_byref = true;
        value.u.array = cell;
    } else if (param->is_array) {
        value.u.array = call->arrays[number];
    } else if (param->layout) {
        value.layout = param->layout;
        value.u.data = own ? place : plan->params[number].data;
    } else if (own)
        value.u.bits = ilc__load_bits(call->arrays[number]->data, element, param->storage);
    else
        value.u.bits = plan->params[number].bits;
    return value;
}

ilc_status ilc__element_run(const ilc__element_call *call, int64_t element, ilc_outcome *out)
{
    enum { FEW = 16 };
    ilc_session *session = call->plan->engine->session;
    ilc_method  *method = call->plan->kernel->method;
    uint32_t     count = method->def->sig.param_count;
    ilc_value    few[FEW], *args = few;
    ilc_array    few_cells[FEW], *cells = few_cells;
    int64_t      indices[3] = {0};
    if (count > FEW) {
        args = ILC__NEW_ARRAY(&session->scratch, ilc_value, count);
        cells = ILC__NEW_ARRAY(&session->scratch, ilc_array, count);
    }
    indices_of(call->plan, element, indices);
    for (uint32_t i = 0; i < count; i++) args[i] = argument_of(call, i, element, indices, &cells[i]);
    const ilc_engine   *engine = call->plan->engine;
    ilc__interp_options options = {
        .fuel = call->fuel, .stop = &session->stop, .host_libm = engine->host_libm, .other_nan = engine->other_nan};
    *out = (ilc_outcome){0};
    if (!call->by_tree) return ilc__il_call(ilc__session_machine(session), method->def, args, count, &options, out);
    ilc__ast_machine *tree;
    ILC__TRY(ilc__method_tree(method, call->plan->kernel->floats, &tree));
    return ilc__ast_machine_call(tree, args, count, &options, out);
}

uint64_t ilc__output_bits(const ilc__plan *plan, const ilc_outcome *outcome, uint32_t output)
{
    if (outcome->trapped) return 0;
    if (outcome->ret.storage != ILC_STRUCT) return outcome->ret.u.bits;
    const ilc_field *field = &plan->kernel->method->outputs[output];
    return ilc__load_bits((const uint8_t *)outcome->ret.u.data + field->offset, 0, field->storage);
}

ilc_array *ilc__plan_array(const ilc__plan *plan, ilc_array *const *earlier, uint32_t param)
{
    ilc_buffer *buffer = plan->params[param].buffer;
    if (!buffer) return NULL;
    for (uint32_t k = 0; k < param; k++)
        if (plan->params[k].buffer == buffer) return earlier[k];
    if (buffer->array.rank < 2 || plan->kernel->method->params[param].rank > 1) return &buffer->array;
    ilc_array *flat = ILC__NEW(&plan->engine->session->scratch, ilc_array);
    *flat = buffer->array;
    flat->rank = 0;
    return flat;
}

ilc_status ilc__interpret_launch(const ilc__plan *plan, ilc_launch_result *result)
{
    ilc_session *session = plan->engine->session;
    uint32_t     count = plan->kernel->method->def->sig.param_count;
    ilc_array  **arrays = ILC__NEW_ARRAY(&session->scratch, ilc_array *, count);
    for (uint32_t i = 0; i < count; i++) arrays[i] = ilc__plan_array(plan, arrays, i);
    ilc__element_call call = {
        .plan = plan, .arrays = arrays, .by_tree = plan->engine->kind == ILC_ENGINE_AST, .fuel = plan->fuel};
    double started = ilc__clock_seconds();
    for (int64_t e = 0; e < plan->total; e++) {
        ilc_outcome outcome;
        ILC__TRY(ilc__element_run(&call, e, &outcome));
        if (outcome.trapped && !result->trapped) {
            result->trapped = true;
            result->trap = outcome.trap;
            result->element = e;
        }
        for (uint32_t o = 0; o < plan->out_count; o++)
            ilc__store_bits(plan->outs[o]->array.data, e, plan->outs[o]->array.elem, ilc__output_bits(plan, &outcome, o));
    }
    result->seconds = ilc__clock_seconds() - started;
    return ILC_OK;
}
