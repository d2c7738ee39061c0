/* bind.c - the arguments of a launch, bound to parameters by name and checked against the signature. */
#include "api/launch.h"

ilc_argument ilc_arg_buffer(const char *name, ilc_buffer *buffer)
{
    return (ilc_argument){.name = name, .buffer = buffer};
}

ilc_argument ilc_arg_null(const char *name)
{
    return (ilc_argument){.name = name, .is_null = true};
}

ilc_argument ilc_arg_int(const char *name, int64_t value)
{
    return (ilc_argument){.name = name, .value = {.storage = ILC_I64, .u.bits = (uint64_t)value}};
}

ilc_argument ilc_arg_float(const char *name, double value)
{
    ilc_argument arg = {.name = name, .value = {.storage = ILC_F64}};
    memcpy(&arg.value.u.bits, &value, sizeof value);
    return arg;
}

ilc_argument ilc_arg_value(const char *name, ilc_value value)
{
    return (ilc_argument){.name = name, .value = value};
}

ilc_argument ilc_arg_at(uint32_t param, ilc_argument argument)
{
    argument.place = ILC_ARGUMENT_NUMBER;
    argument.number = param;
    return argument;
}

ilc_argument ilc_arg_result(ilc_buffer *buffer)
{
    return (ilc_argument){.name = "il_out", .buffer = buffer, .place = ILC_ARGUMENT_RESULT};
}

ilc_argument ilc_arg_output(uint32_t output, ilc_buffer *buffer)
{
    return (ilc_argument){.name = "il_out", .buffer = buffer, .place = ILC_ARGUMENT_RESULT, .number = output};
}

bool ilc__param_is_index(const ilc_kernel *kernel, uint32_t param)
{
    for (uint32_t i = 0; i < kernel->spec.index_count; i++)
        if (kernel->spec.index_params[i] == param) return true;
    return false;
}

bool ilc__param_is_elementwise(const ilc_kernel *kernel, uint32_t param)
{
    return kernel->spec.mode == ILC__MODE_ELEMENTWISE && !kernel->method->params[param].is_array &&
           !(kernel->spec.kept_scalar && kernel->spec.kept_scalar[param]);
}

static bool is_float(ilc_storage storage)
{
    return storage == ILC_F32 || storage == ILC_F64;
}

static bool is_signed(ilc_storage storage)
{
    return storage == ILC_I8 || storage == ILC_I16 || storage == ILC_I32 || storage == ILC_I64 || storage == ILC_INT;
}

static double float_of(ilc_storage storage, uint64_t bits)
{
    if (storage == ILC_F32) {
        float    single;
        uint32_t low = (uint32_t)bits;
        memcpy(&single, &low, sizeof single);
        return (double)single;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* An integer argument keeps its value or is refused: is it still the same after storage's width cut it? */
static bool convert_integer(ilc_storage from, uint64_t bits, ilc_storage to, uint64_t *out)
{
    uint64_t cell = 0;
    ilc__store_bits(&cell, 0, to, bits);
    *out = ilc__load_bits(&cell, 0, to);
    bool from_negative = is_signed(from) && (int64_t)bits < 0;
    bool to_negative = is_signed(to) && (int64_t)*out < 0;
    return *out == bits && from_negative == to_negative && (to != ILC_BOOL || bits <= 1);
}

static ilc_status convert_scalar(const ilc__plan *plan, const ilc_param *param, const ilc_value *value, uint64_t *out)
{
    ilc__context *ctx = &plan->engine->session->ctx;
    if (value->storage == param->storage) {
        *out = value->u.bits;
        return ILC_OK;
    }
    if (is_float(param->storage)) {
        double number = is_float(value->storage)    ? float_of(value->storage, value->u.bits)
                        : is_signed(value->storage) ? (double)(int64_t)value->u.bits
                                                    : (double)value->u.bits;
        float  single = (float)number;
        *out = 0;
        if (param->storage == ILC_F32)
            memcpy(out, &single, sizeof single);
        else
            memcpy(out, &number, sizeof number);
        return ILC_OK;
    }
    if (!is_float(value->storage) && value->storage != ILC_VOID &&
        convert_integer(value->storage, value->u.bits, param->storage, out))
        return ILC_OK;
    return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s does not fit %s", param->name, param->type);
}

static const char *element_name(ilc_storage storage, const ilc_struct *layout)
{
    return layout ? layout->name : ilc_storage_name(storage);
}

/* "Single[][]" */
static const char *kind_text(ilc__context *ctx, const ilc_buffer *buffer)
{
    const char *text = element_name(buffer->nested ? buffer->innermost : buffer->array.elem, buffer->array.layout);
    for (uint32_t k = 0; k <= buffer->nested; k++) text = ilc__arena_printf(&ctx->arena, "%s[]", text);
    return text;
}

/* A struct by value, copied to where it may stand. */
static ilc_status bind_struct(const ilc__plan *plan, const ilc_param *param, const ilc_value *value, ilc__bound *bound)
{
    if (value->storage != ILC_STRUCT || !value->u.data || !ilc__layout_same(value->layout, param->layout))
        return ilc__fail(&plan->engine->session->ctx, ILC_INVALID, NULL, "argument %s must be a %s", param->name, param->type);
    bound->data = ilc__struct_copy(&plan->engine->session->scratch, value->u.data, param->layout);
    return ILC_OK;
}

/* An array of several dimensions may also be looked at as one of one dimension, but not as both at once: in .NET
 * that would be two objects. */
static ilc_status check_rank(const ilc__plan *plan, const ilc_param *param, const ilc_buffer *buffer)
{
    ilc__context *ctx = &plan->engine->session->ctx;
    uint32_t      rank = buffer->array.rank > 1 ? buffer->array.rank : 1;
    if (param->rank > 1 && rank != param->rank)
        return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s has %u dimension%s, %s was expected", param->name, rank,
                         rank == 1 ? "" : "s", param->type);
    for (uint32_t i = 0; i < plan->kernel->method->def->sig.param_count; i++) {
        const ilc_param *other = &plan->kernel->method->params[i];
        if (plan->params[i].buffer == buffer && other->is_array && other->rank != param->rank)
            return ilc__fail(ctx, ILC_INVALID, NULL, "arguments %s and %s are one array, of which they want different ranks",
                             other->name, param->name);
    }
    return ILC_OK;
}

static ilc_status bind_buffer(const ilc__plan *plan, const ilc_param *param, bool elementwise, ilc_buffer *buffer,
                              ilc__bound *bound)
{
    ilc__context *ctx = &plan->engine->session->ctx;
    if (buffer->engine != plan->engine)
        return ilc__fail(ctx, ILC_INVALID, NULL, "the buffer of %s belongs to another engine", param->name);
    if (!param->is_array && !elementwise)
        return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s must be one %s, not an array", param->name, param->type);
    if (param->is_array) ILC__TRY(check_rank(plan, param, buffer));
    if (param->nested && (buffer->nested != param->nested || buffer->innermost != param->innermost))
        return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s is %s, %s was expected", param->name, kind_text(ctx, buffer), param->type);
    if (buffer->array.elem != param->storage || !ilc__layout_same(buffer->array.layout, param->layout))
        return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s is an array of %s, %s was expected", param->name,
                         element_name(buffer->array.elem, buffer->array.layout),
                         element_name(param->storage, param->layout));
    if (elementwise && buffer->array.length < plan->total)
        return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s holds %lld elements, the launch has %lld", param->name,
                         (long long)buffer->array.length, (long long)plan->total);
    bound->buffer = buffer;
    return ILC_OK;
}

static ilc_status bind_one(ilc__plan *plan, uint32_t number, const ilc_argument *arg)
{
    ilc__context    *ctx = &plan->engine->session->ctx;
    const ilc_param *param = &plan->kernel->method->params[number];
    ilc__bound      *bound = &plan->params[number];
    bool             elementwise = ilc__param_is_elementwise(plan->kernel, number);
    if (ilc__param_is_index(plan->kernel, number))
        return ilc__fail(ctx, ILC_INVALID, NULL, "%s is an index: it comes from the extents", param->name);
    if (bound->given) return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s was given twice", param->name);
    bound->given = true;
    if (arg->buffer) return bind_buffer(plan, param, elementwise, arg->buffer, bound);
    if (arg->is_null && param->is_array) {
        bound->is_null = true;
        return ILC_OK;
    }
    if (param->is_array || arg->is_null || arg->value.is_array)
        return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s must be a buffer of %s", param->name,
                         element_name(param->storage, param->layout));
    if (elementwise)
        return ilc__fail(ctx, ILC_INVALID, NULL,
                         "argument %s must be a buffer: translate with it among the scalars to give one value",
                         param->name);
    if (param->layout) return bind_struct(plan, param, &arg->value, bound);
    return convert_scalar(plan, param, &arg->value, &bound->bits);
}

static ilc_status bind_out(ilc__plan *plan, const ilc_argument *arg)
{
    ilc__context *ctx = &plan->engine->session->ctx;
    ilc_method   *method = plan->kernel->method;
    ilc_storage   storage = ilc_method_result(method);
    if (storage == ILC_VOID)
        return ilc__fail(ctx, ILC_INVALID, NULL, "%s is a Sub: it has no il_out", method->def->full_name);
    if (arg->number >= plan->out_count)
        return ilc__fail(ctx, ILC_INVALID, NULL, "%s has no output number %u", method->def->full_name, arg->number);
    if (storage == ILC_STRUCT) storage = method->outputs[arg->number].storage;
    if (plan->outs[arg->number]) return ilc__fail(ctx, ILC_INVALID, NULL, "il_out was given twice");
    if (!arg->buffer || arg->buffer->engine != plan->engine)
        return ilc__fail(ctx, ILC_INVALID, NULL, "il_out must be a buffer of this engine");
    if (arg->buffer->array.elem != storage)
        return ilc__fail(ctx, ILC_INVALID, NULL, "il_out is an array of %s, %s was expected",
                         ilc_storage_name(arg->buffer->array.elem), ilc_storage_name(storage));
    if (arg->buffer->array.length < plan->total)
        return ilc__fail(ctx, ILC_INVALID, NULL, "il_out holds %lld elements, the launch has %lld",
                         (long long)arg->buffer->array.length, (long long)plan->total);
    plan->outs[arg->number] = arg->buffer;
    return ILC_OK;
}

static ilc_status bind_named(ilc__plan *plan, const ilc_argument *arg)
{
    ilc__context *ctx = &plan->engine->session->ctx;
    ilc_method   *method = plan->kernel->method;
    uint32_t      number, before = ctx->diags.count;
    ilc_status    status = ilc__method_param_named(method, arg->name, strlen(arg->name), &number);
    bool          exact = status == ILC_OK && strcmp(method->params[number].name, arg->name) == 0;
    if (!exact && strcmp(arg->name, "il_out") == 0) {
        ctx->diags.count = before;
        return bind_out(plan, arg);
    }
    if (status == ILC_NOT_FOUND) {
        ctx->diags.count = before;
        return ilc__fail(ctx, ILC_INVALID, NULL, "%s has no parameter %s", method->def->full_name, arg->name);
    }
    return status == ILC_OK ? bind_one(plan, number, arg) : status;
}

static ilc_status bind_argument(ilc__plan *plan, const ilc_argument *arg)
{
    ilc__context *ctx = &plan->engine->session->ctx;
    ilc_method   *method = plan->kernel->method;
    switch (arg->place) {
    case ILC_ARGUMENT_RESULT: return bind_out(plan, arg);
    case ILC_ARGUMENT_NAMED: return arg->name ? bind_named(plan, arg) : ilc__fail(ctx, ILC_INVALID, NULL, "an argument has no name");
    case ILC_ARGUMENT_NUMBER:
        if (arg->number < method->def->sig.param_count) return bind_one(plan, arg->number, arg);
        return ilc__fail(ctx, ILC_INVALID, NULL, "%s has no parameter number %u", method->def->full_name, arg->number);
    }
    return ilc__fail(ctx, ILC_INVALID, NULL, "there is no place %d for an argument", (int)arg->place);
}

/* Does an output lie in the array, or is it that? */
static bool holds_output(const ilc__plan *plan, const ilc_buffer *buffer)
{
    for (uint32_t o = 0; o < plan->out_count; o++)
        if (plan->outs[o] == buffer) return true;
    for (int64_t i = 0; buffer->nested && i < buffer->array.length; i++)
        if (buffer->rows[i] && holds_output(plan, buffer->rows[i])) return true; /* a depth of three */
    return false;
}

static ilc_status make_outs(ilc__plan *plan)
{
    ilc_method *method = plan->kernel->method;
    ilc_storage storage = ilc_method_result(method);
    plan->out_count = storage == ILC_VOID ? 0 : 1;
    if (storage == ILC_STRUCT) {
        ILC__TRY(ilc__method_outputs(method));
        plan->out_count = method->output_count;
    }
    plan->outs = ILC__NEW_ARRAY(&plan->engine->session->scratch, ilc_buffer *, plan->out_count);
    return ILC_OK;
}

bool ilc__param_is_rows(const ilc_kernel *kernel, uint32_t param, uint32_t *dim)
{
    const ilc__method *method = kernel->method->def;
    for (uint32_t k = 0; k < method->row_count; k++)
        if ((*dim = k, method->rows[k]) == param) return true;
    return false;
}

/* Every row that an index names is there. */
static ilc_status check_rows(const ilc__plan *plan)
{
    ilc__context      *ctx = &plan->engine->session->ctx;
    const ilc__method *method = plan->kernel->method->def;
    for (uint32_t k = 0; k < method->row_count; k++) {
        const ilc_param  *param = &plan->kernel->method->params[method->rows[k]];
        const ilc_buffer *buffer = plan->params[method->rows[k]].buffer;
        if (!buffer) return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s has no rows: it is null", param->name);
        if (buffer->array.dims[0] < plan->extents[k])
            return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s has %lld rows, the launch is over %lld", param->name,
                             (long long)buffer->array.dims[0], (long long)plan->extents[k]);
    }
    return ILC_OK;
}

/* il_out never overlaps an input, and every parameter has its argument. */
static ilc_status check_bound(const ilc__plan *plan)
{
    ilc__context *ctx = &plan->engine->session->ctx;
    ilc_method   *method = plan->kernel->method;
    for (uint32_t o = 0; o < plan->out_count; o++)
        if (!plan->outs[o]) return ilc__fail(ctx, ILC_INVALID, NULL, "argument il_out is missing");
    for (uint32_t o = 1; o < plan->out_count; o++)
        for (uint32_t p = 0; p < o; p++)
            if (plan->outs[o] == plan->outs[p])
                return ilc__fail(ctx, ILC_INVALID, NULL, "outputs %s and %s are one array", method->outputs[p].name,
                                 method->outputs[o].name);
    for (uint32_t i = 0; i < method->def->sig.param_count; i++) {
        const ilc__bound *bound = &plan->params[i];
        if (ilc__param_is_index(plan->kernel, i)) continue;
        if (!bound->given) return ilc__fail(ctx, ILC_INVALID, NULL, "argument %s is missing", method->params[i].name);
        if (bound->buffer && holds_output(plan, bound->buffer))
            return ilc__fail(ctx, ILC_INVALID, NULL, "il_out is also the input %s: it must be an array of its own",
                             method->params[i].name);
    }
    return ILC_OK;
}

/* The last index must fit its parameter, and so must the extent, which the kernel takes in the same type. */
static ilc_status check_extents(ilc__plan *plan)
{
    static const int64_t highest[ILC_STORAGE_COUNT] = {[ILC_I32] = INT32_MAX, [ILC_U32] = UINT32_MAX};
    /* An element's number shares 64 bits with the site that trapped (docs/semantics.md, Traps). */
    const int64_t most = (INT64_C(1) << 47) - 1;
    ilc__context *ctx = &plan->engine->session->ctx;
    plan->total = 1;
    for (uint32_t k = 0; k < plan->dims; k++) {
        int64_t extent = plan->extents[k], limit = most;
        if (k < plan->kernel->spec.index_count) {
            int64_t of_type = highest[plan->kernel->method->params[plan->kernel->spec.index_params[k]].storage];
            if (of_type) limit = of_type;
        } else {
            limit = INT32_MAX;
        }
        if (extent < 0 || extent > limit)
            return ilc__fail(ctx, ILC_INVALID, NULL, "extent %lld is not between 0 and %lld", (long long)extent,
                             (long long)limit);
        if (extent && plan->total > most / extent) return ilc__fail(ctx, ILC_INVALID, NULL, "the extents are too large");
        plan->total *= extent;
    }
    return ILC_OK;
}

ilc_status ilc__plan_bind(ilc__plan *plan, const ilc_argument *args, size_t count)
{
    ilc_method *method = plan->kernel->method;
    ILC__TRY(ilc__method_describe(method));
    ILC__TRY(check_extents(plan));
    plan->params = ILC__NEW_ARRAY(&plan->engine->session->scratch, ilc__bound, method->def->sig.param_count);
    ILC__TRY(make_outs(plan));
    for (size_t i = 0; i < count; i++) ILC__TRY(bind_argument(plan, &args[i]));
    ILC__TRY(check_bound(plan));
    return check_rows(plan);
}
