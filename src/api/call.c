/* call.c - one call of a method: arguments checked, then interpreted, or run as a kernel of one element. */
#include "api/api.h"

void ilc_call_options_init(ilc_call_options *options)
{
    *options = (ilc_call_options){.size = sizeof *options};
}

/* An array of that element (or null inside another), rank and depth. */
static bool is_usable(const ilc_array *array, ilc_storage elem, uint32_t rank, uint32_t nested)
{
    if (array->elem != (nested ? ILC_ARRAY : elem) || array->length < 0 || array->length > ILC__MAX_ARRAY_LENGTH) return false;
    if (array->length && !array->data) return false;
    if ((array->rank > 1 ? array->rank : 1) != (rank > 1 ? rank : 1)) return false;
    uint32_t wrong;
    if (rank > 1 && ilc__shape_length(rank, array->dims, &wrong) != array->length) return false;
    for (int64_t i = 0; nested && i < array->length; i++) {
        const ilc_array *inner = ((ilc_array *const *)array->data)[i];
        if (inner && !is_usable(inner, elem, 1, nested - 1)) return false;
    }
    return true;
}

/* Small integers are kept extended to their stack type, floats in the low bits (value.h). */
static ilc_status check_arguments(ilc_method *method, const ilc_value *args, size_t count)
{
    ilc__context *ctx = &method->session->ctx;
    const char   *name = method->def->full_name;
    ILC__TRY(ilc__method_describe(method));
    if (count != method->def->sig.param_count)
        return ilc__fail(ctx, ILC_INVALID, NULL, "%s takes %u argument%s, not %zu", name, method->def->sig.param_count,
                         method->def->sig.param_count == 1 ? "" : "s", count);
    for (size_t i = 0; i < count; i++) {
        const ilc_param *param = &method->params[i];
        const ilc_value *arg = &args[i];
        if (param->storage >= ILC_STORAGE_COUNT || param->storage == ILC_VOID)
            return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "%s: parameter %s of type %s is not supported", name, param->name,
                             param->type);
        bool             has_array = param->is_array || param->is_byref;
        if (arg->is_array != has_array || arg->is_byref != param->is_byref || arg->storage != param->storage)
            return ilc__fail(ctx, ILC_INVALID, NULL, "%s: argument %s must be %s", name, param->name, param->type);
        bool is_struct = param->layout && !has_array;
        if (is_struct && (!arg->u.data || !ilc__layout_same(arg->layout, param->layout)))
            return ilc__fail(ctx, ILC_INVALID, NULL, "%s: argument %s is not a usable %s", name, param->name, param->type);
        if (!arg->is_array || (!arg->u.array && !arg->is_byref)) continue;
        const ilc_array *array = arg->u.array;
        if (arg->is_byref && (!array || array->length != 1))
            return ilc__fail(ctx, ILC_INVALID, NULL, "%s: argument %s must be one %s", name, param->name,
                             param->layout ? param->layout->name : ilc_storage_name(param->storage));
        if (param->layout && !ilc__layout_same(array->layout, param->layout))
            return ilc__fail(ctx, ILC_INVALID, NULL, "%s: argument %s is not an array of %s", name, param->name,
                             param->layout->name);
        bool usable = param->is_byref ? is_usable(array, param->storage, 0, 0)
                                      : is_usable(array, param->innermost, param->rank, param->nested);
        if (!usable)
            return ilc__fail(ctx, ILC_INVALID, NULL, "%s: argument %s is not a usable %s", name, param->name, param->type);
    }
    return ILC_OK;
}

static ilc_status call_by_tree(ilc_method *method, ilc__floats floats, const ilc_value *args, uint32_t count,
                               const ilc__interp_options *options, ilc_outcome *out)
{
    ilc__ast_machine *tree;
    ILC__TRY(ilc__method_tree(method, floats, &tree));
    return ilc__ast_machine_call(tree, args, count, options, out);
}

void *ilc__method_result_room(ilc_method *method, const ilc_struct *layout)
{
    if (!method->result) method->result = ilc__struct_room(&method->session->ctx.arena, layout->size);
    return method->result;
}

ilc_array ilc__copy_array(ilc__arena *arena, const ilc_array *array, ilc__map *copies)
{
    ilc_array copy = *array;
    size_t    bytes = (size_t)array->length * ilc__element_size(array->elem, array->layout);
    copy.data = ilc__arena_array(arena, (size_t)array->length, ilc__element_size(array->elem, array->layout));
    if (bytes) memcpy(copy.data, array->data, bytes);
    for (int64_t i = 0; array->elem == ILC_ARRAY && i < array->length; i++) {
        ilc_array **inner = (ilc_array **)copy.data + i, *known = *inner ? ilc__map_get(copies, inner, sizeof *inner) : NULL;
        if (!*inner) continue;
        if (!known) {
            known = ILC__NEW(arena, ilc_array);
            *known = ilc__copy_array(arena, *inner, copies);
            ilc__map_put(copies, inner, sizeof *inner, known);
        }
        *inner = known;
    }
    return copy;
}

/* A result lies where an interpreter had it; it is to stay until the method is called again. Compiled engines leave
 * structs and arrays in their room. */
static ilc_status keep_result(ilc_method *method, bool is_compiled, ilc_outcome *out)
{
    const ilc_struct *layout;
    if (out->ret.is_array && is_compiled) return ILC_OK;
    ilc__arena_free(&method->result_arena);
    if (!out->trapped && out->ret.is_array && out->ret.u.array) {
        ilc__map  copies = {.arena = &method->session->scratch};
        ilc_array copy = ilc__copy_array(&method->result_arena, out->ret.u.array, &copies);
        out->ret.u.array = ilc__arena_copy(&method->result_arena, &copy, sizeof copy);
    }
    if (out->ret.is_array) return ILC_OK;
    if (out->trapped || out->ret.storage != ILC_STRUCT || out->ret.u.data == method->result) return ILC_OK; /* kept */
    ILC__TRY(ilc_method_result_struct(&layout, method));
    out->ret.u.data = memcpy(ilc__method_result_room(method, layout), out->ret.u.data, layout->size);
    out->ret.layout = layout;
    return ILC_OK;
}

static ilc_status run(ilc_outcome *out, ilc_method *method, const ilc_value *args, uint32_t count,
                      const ilc_call_options *options, const ilc__interp_options *interp)
{
    ilc_engine     *engine = options->engine;
    ilc_engine_kind kind = engine ? engine->kind : ILC_ENGINE_IL;
    ilc__floats     floats;
    ILC__TRY(ilc__floats_take(&method->session->ctx, options->mode, &floats));
    ILC__TRY(ilc__floats_check(engine, floats, method));
    if (kind == ILC_ENGINE_IL)
        return ilc__il_call(ilc__session_machine(method->session), method->def, args, count, interp, out);
    if (kind == ILC_ENGINE_AST) return call_by_tree(method, floats, args, count, interp, out);
    return ilc__engine_call(method, args, count, options, floats, out);
}

static ilc_status call(ilc_outcome *out, ilc_method *method, const ilc_value *args, size_t count,
                       const ilc_call_options *given)
{
    ilc_session     *session = method->session;
    ilc_call_options options;
    ilc_call_options_init(&options);
    ILC__TRY(ilc__options_take(&session->ctx, &options, sizeof options, given, "call options"));
    ILC__TRY(check_arguments(method, args, count));
    ilc__interp_options interp = {
        .fuel = options.fuel, .stop = &session->stop, .trace = options.trace, .trace_user = options.trace_user,
        .host_libm = options.host_libm || (options.engine && options.engine->host_libm),
        .other_nan = options.engine && options.engine->other_nan};
    *out = (ilc_outcome){0};
    ILC__TRY(run(out, method, args, (uint32_t)count, &options, &interp));
    return keep_result(method, options.engine && ilc__engine_is_compiled(options.engine), out);
}

ilc_status ilc_call(ilc_outcome *out, ilc_method *method, const ilc_value *args, size_t arg_count,
                    const ilc_call_options *options)
{
    ILC__LAND(method->session, call(out, method, args, arg_count, options));
}
