/* method.c - methods: signatures, index modes, the syntax tree, and whether there is one. */
#include "api/api.h"
#include "base/reasons.h"

#include "il/instance.h"
#include "opt/pass.h"

const char *ilc_index_mode_name(ilc_index_mode mode)
{
    return ilc__index_mode_name((ilc__index_mode)mode);
}

_Static_assert((int)ILC_INDEX_DEVICE == (int)ILC__MODE_DEVICE && (int)ILC_INDEX_1D == (int)ILC__MODE_1D &&
                   (int)ILC_INDEX_2D == (int)ILC__MODE_2D && (int)ILC_INDEX_3D == (int)ILC__MODE_3D &&
                   (int)ILC_INDEX_ELEMENTWISE == (int)ILC__MODE_ELEMENTWISE,
               "the public index modes are the emitter's");

const char *ilc_method_name(const ilc_method *method)
{
    return method->def->name;
}

const char *ilc_method_type(const ilc_method *method)
{
    return method->def->type_name;
}

const char *ilc_method_full_name(const ilc_method *method)
{
    return method->def->full_name;
}

bool ilc_method_is_static(const ilc_method *method)
{
    return (ilc__method_origin(method->def)->flags & ILC__METHOD_STATIC) != 0;
}

bool ilc_method_has_body(const ilc_method *method)
{
    return method->def->rva != 0 && (method->def->flags & (ILC__METHOD_ABSTRACT | ILC__METHOD_PINVOKE)) == 0;
}

/* An open type's own name ends in `n, and those of the types nested in it hold it ("List`1+Enumerator"). */
bool ilc_method_is_generic(const ilc_method *method)
{
    bool is_open = method->def->sig.generic_count != 0 && method->def->method_arg_count == 0;
    return is_open || strchr(method->def->type_name, '`') != NULL;
}

const char *ilc__method_display_of(ilc_method *method)
{
    if (!method->display) method->display = ilc__method_display(&method->session->ctx.arena, ilc__method_origin(method->def));
    return method->display;
}

static ilc_status display(const char **out, ilc_method *method)
{
    *out = ilc__method_display_of(method);
    return ILC_OK;
}

ilc_status ilc_method_display(const char **out, ilc_method *method)
{
    ILC__LAND(method->session, display(out, method));
}

uint32_t ilc_method_param_count(const ilc_method *method)
{
    return method->def->sig.param_count;
}

static ilc_status run_infer(ilc_method *method, const char *index, ilc__kernel_spec *spec)
{
    return ilc__kernel_infer(&method->session->ctx, method->def, index, spec);
}

/* Asks without leaving a diagnostic. */
static ilc_status infer_quietly(ilc_method *method, ilc__kernel_spec *spec, ilc__diag *refusal)
{
    ilc__context *ctx = &method->session->ctx;
    uint32_t      before = ctx->diags.count;
    ilc_status    status = run_infer(method, NULL, spec);
    if (ctx->diags.count > before && refusal) *refusal = ctx->diags.items[before];
    ctx->diags.count = before;
    return status;
}

static void describe_param(ilc_method *method, uint32_t number, const ilc__kernel_spec *spec, ilc_param *out)
{
    const ilc__type *type = method->def->sig.params[number];
    out->name = method->def->param_names[number];
    out->type = ilc__type_short_name(&method->session->ctx.arena, type);
    ilc__ir_var array = {0};
    out->is_array = type->kind == ILC__ET_SZARRAY || type->kind == ILC__ET_ARRAY || type->kind == ILC__ET_PTR;
    out->is_pointer = type->kind == ILC__ET_PTR;
    out->is_byref = type->kind == ILC__ET_BYREF;
    const ilc__type *span = ilc__type_span(type);
    out->is_span = span != NULL;
    out->is_array = out->is_array || span;
    const ilc__type *target = span ? span : out->is_array || out->is_byref ? type->elem : type;
    bool             is_struct = type->kind != ILC__ET_ARRAY && ilc__type_is_struct(target);
    out->storage = ilc__type_storage(target);
    if (is_struct) out->layout = ilc__session_layout_quietly(method->session, target);
    if (out->layout) out->storage = ILC_STRUCT;
    if (out->is_pointer && out->storage == ILC_VOID) out->storage = ILC_U8; /* void* is an array of bytes */
    if (out->is_array) out->rank = 1;
    if (out->is_array && !out->is_pointer && !is_struct && !span) {
        bool known = ilc__ir_array_type(type, &array);
        out->rank = array.rank > 1 ? array.rank : 1;
        out->nested = array.nested;
        if (array.nested) out->storage = ILC_ARRAY;
        if (!known) out->storage = ILC_STORAGE_COUNT;
    }
    out->innermost = array.nested && out->storage == ILC_ARRAY ? array.storage : out->storage;
    out->index = -1;
    for (uint32_t k = 0; k < spec->index_count; k++)
        if (spec->index_params[k] == number) out->index = (int32_t)k;
}

ilc_status ilc__method_describe(ilc_method *method)
{
    if (method->params) return ILC_OK;
    const ilc__signature *sig = &method->def->sig;
    ilc__kernel_spec      spec = {0};
    if (infer_quietly(method, &spec, NULL) != ILC_OK) spec = (ilc__kernel_spec){0};
    ilc_param *params = ILC__NEW_ARRAY(&method->session->ctx.arena, ilc_param, sig->param_count);
    for (uint32_t i = 0; i < sig->param_count; i++) describe_param(method, i, &spec, &params[i]);
    method->params = params;
    return ILC_OK;
}

static ilc_status param(ilc_param *out, ilc_method *method, uint32_t index)
{
    if (index >= method->def->sig.param_count)
        return ilc__fail(&method->session->ctx, ILC_NOT_FOUND, NULL, "%s has no parameter number %u",
                         method->def->full_name, index);
    ILC__TRY(ilc__method_describe(method));
    *out = method->params[index];
    return ILC_OK;
}

ilc_status ilc_method_param(ilc_param *out, ilc_method *method, uint32_t index)
{
    ILC__LAND(method->session, param(out, method, index));
}

ilc_status ilc__method_param_named(ilc_method *method, const char *name, size_t length, uint32_t *out)
{
    ilc__context *ctx = &method->session->ctx;
    int           found = ilc__kernel_param(method->def, name, length);
    if (found == -2)
        return ilc__fail(ctx, ILC_AMBIGUOUS, NULL, "%s has several parameters %.*s that differ by case only",
                         method->def->full_name, (int)length, name);
    if (found < 0)
        return ilc__fail(ctx, ILC_NOT_FOUND, NULL, "%s has no parameter %.*s", method->def->full_name, (int)length, name);
    *out = (uint32_t)found;
    return ILC_OK;
}

ilc_status ilc_method_param_named(uint32_t *out, ilc_method *method, const char *name)
{
    ILC__LAND(method->session, ilc__method_param_named(method, name, strlen(name), out));
}

ilc_storage ilc_method_result(const ilc_method *method)
{
    const ilc__type *type = method->def->sig.ret;
    if (ilc__type_is_struct(type)) return ILC_STRUCT;
    if (type->kind == ILC__ET_SZARRAY || type->kind == ILC__ET_ARRAY) return ILC_ARRAY;
    return type->kind == ILC__ET_VOID ? ILC_VOID : ilc__type_storage(type);
}

static ilc_status result_type(const char **out, ilc_method *method)
{
    *out = ilc__type_short_name(&method->session->ctx.arena, method->def->sig.ret);
    return ILC_OK;
}

ilc_status ilc_method_result_type(const char **out, ilc_method *method)
{
    ILC__LAND(method->session, result_type(out, method));
}

typedef struct place {
    uint32_t    line;
    const char *source;
} place;

static ilc_status first_line(const ilc_method *method, place *out)
{
    out->line = ilc__debug_line(method->def, 0, &out->source);
    return ILC_OK;
}

static ilc_status landed_first_line(const ilc_method *method, place *out)
{
    ILC__LAND(method->session, first_line(method, out));
}

uint32_t ilc_method_line(const ilc_method *method, const char **source)
{
    place found = {0};
    if (landed_first_line(method, &found) != ILC_OK) found = (place){0};
    if (source) *source = found.source;
    return found.line;
}

/* --- translation as far as the tree ----------------------------------------------------------------------- */

ilc_status ilc__method_lift(ilc_method *method, ilc__arena *arena, ilc__ir_unit *out)
{
    ilc__context *ctx = &method->session->ctx;
    *out = (ilc__ir_unit){0};
    ILC__TRY(ilc__ir_lift(ctx, arena, method->def, out));
    return ilc__opt_run(ctx, out, NULL, NULL);
}

static ilc_status make_unit(ilc_method *method, ilc__unit *out)
{
    /* What an earlier try that ran out of memory left behind goes first. */
    ilc__arena_free(&method->arena);
    ilc__arena  *scratch = &method->session->scratch;
    ilc__ir_unit ir;
    ilc__unit    built;
    ILC__TRY(ilc__method_lift(method, scratch, &ir));
    ILC__TRY(ilc__ast_build(&method->session->ctx, scratch, &ir, &built));
    ilc__ast_copy(&method->arena, scratch, &built, out);
    return ILC_OK;
}

ilc_status ilc__method_unit(ilc_method *method, ilc__floats floats, const ilc__unit **out)
{
    ilc__unit made = {0};
    if (!method->units[0]) {
        ILC__TRY(make_unit(method, &made));
        method->units[0] = ilc__arena_copy(&method->arena, &made, sizeof made);
    }
    if (floats != ILC__FLOATS_EXACT && !method->units[1]) {
        ilc__ast_copy(&method->arena, &method->session->scratch, method->units[0], &made);
        ilc__ast_contract(&method->arena, &made);
        method->units[1] = ilc__arena_copy(&method->arena, &made, sizeof made);
    }
    *out = method->units[floats != ILC__FLOATS_EXACT];
    return ILC_OK;
}

ilc_status ilc__method_tree(ilc_method *method, ilc__floats floats, ilc__ast_machine **out)
{
    ilc__ast_machine **tree = &method->trees[floats != ILC__FLOATS_EXACT];
    if (!*tree) {
        const ilc__unit *unit;
        ILC__TRY(ilc__method_unit(method, floats, &unit));
        ILC__TRY(ilc__ast_machine_create(&method->session->ctx, &method->arena, unit, tree));
    }
    *out = *tree;
    return ILC_OK;
}

static bool is_store(ilc__op op)
{
    return op == ILC__OP_STORE || op == ILC__OP_STOREIND || op == ILC__OP_COPYMEM || op == ILC__OP_ZEROMEM;
}

static bool stores(const ilc__ir_unit *ir)
{
    for (uint32_t f = 0; f < ir->funcs.count; f++) {
        const ilc__ir_func *func = ir->funcs.items[f];
        for (uint32_t v = 1; v < func->values.count; v++)
            if (is_store(func->values.items[v].op)) return true;
    }
    return false;
}

static bool makes_arrays(const ilc__ir_unit *ir)
{
    for (uint32_t f = 0; f < ir->funcs.count; f++)
        for (uint32_t s = 0; s < ir->funcs.items[f]->slots.count; s++)
            if (ir->funcs.items[f]->slots.items[s].is_dynamic) return true;
    return false;
}

/* A method that stores is a kernel only if its elements are independent (docs/semantics.md, Arrays). */
static ilc_status find_refusal(ilc_method *method, const char *index, bool as_kernel, ilc_support *support)
{
    ilc__context    *ctx = &method->session->ctx;
    ilc__arena      *scratch = &method->session->scratch;
    ilc__kernel_spec spec = {0};
    as_kernel = as_kernel || method->def->row_count; /* what it is for; it may store to a row */
    ILC__TRY(run_infer(method, index, &spec));
    support->has_mode = true;
    support->mode = (ilc_index_mode)spec.mode;
    ilc__ir_unit ir;
    ilc__unit    unit = {0};
    ILC__TRY(ilc__method_lift(method, scratch, &ir));
    support->loop_depth = ilc__ir_loop_depth(&ir);
    support->interpreted = spec.mode != ILC__MODE_DEVICE && makes_arrays(&ir);
    if (!as_kernel && (spec.mode == ILC__MODE_DEVICE || !stores(&ir))) return ILC_OK;
    if (spec.mode == ILC__MODE_DEVICE) {
        ilc__where where = ilc__method_where(method->def, ILC__ANY_OFFSET);
        return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "a device function only: no parameter is an index");
    }
    ILC__TRY(ilc__ast_build(ctx, scratch, &ir, &unit));
    ILC__TRY(ilc__check_independent(ctx, scratch, &unit, &spec));
    if (!as_kernel) return ILC_OK;
    ilc__emit_options options = {.dialect = ILC__DIALECT_CUDA, .checks = true};
    ilc__kernel       made;
    return ilc__emit_kernel(ctx, scratch, &unit, &spec, &options, &made);
}

static void ask_support(ilc_method *method, const char *index, bool as_kernel, ilc_support *out)
{
    ilc__context *ctx = &method->session->ctx;
    uint32_t      before = ctx->diags.count;
    *out = (ilc_support){0};
    out->supported = find_refusal(method, index, as_kernel, out) == ILC_OK;
    if (!out->supported) out->loop_depth = 0, out->interpreted = false;
    if (!out->supported && ctx->diags.count > before) {
        ilc__diagnostic_of(&out->refusal, &ctx->diags.items[before]);
        out->refusal.id = ilc__reason_id(out->refusal.reason);
    }
    ctx->diags.count = before;
}

static ilc_status find_support(ilc_method *method, ilc_support *out)
{
    if (!method->support_known) {
        ask_support(method, NULL, false, &method->support);
        method->support_known = true;
    }
    *out = method->support;
    return ILC_OK;
}

ilc_status ilc_method_support(ilc_support *out, ilc_method *method)
{
    ILC__LAND(method->session, find_support(method, out));
}

static ilc_status find_kernel_support(ilc_method *method, const char *index, ilc_support *out)
{
    ask_support(method, index, true, out);
    return ILC_OK;
}

ilc_status ilc_method_kernel_support(ilc_support *out, ilc_method *method, const char *index)
{
    ILC__LAND(method->session, find_kernel_support(method, index, out));
}

static ilc_status find_mark(ilc_method *method, const char *attribute, ilc_mark *out)
{
    ilc__mark mark;
    *out = (ilc_mark){0};
    ILC__TRY(ilc__method_mark(method->def, attribute, &method->session->ctx.arena, &mark));
    *out = (ilc_mark){.on_method = mark.on_method, .on_type = mark.on_type, .index = mark.index};
    return ILC_OK;
}

ilc_status ilc_method_mark(ilc_mark *out, ilc_method *method, const char *attribute)
{
    ILC__LAND(method->session, find_mark(method, attribute, out));
}

/* --- disassembly ------------------------------------------------------------------------------------------- */

static ilc_status disassemble(const char **out, ilc_method *method)
{
    if (!method->il_text) {
        ilc__context *ctx = &method->session->ctx;
        ilc__body     body;
        ILC__TRY(ilc__body_decode(ctx, &method->session->scratch, ilc__method_origin(method->def), &body));
        ilc__text text = {.arena = &ctx->arena};
        ILC__TRY(ilc__body_print(ctx, &method->session->scratch, &body, &text));
        method->il_text = ilc__text_string(&text);
    }
    *out = method->il_text;
    return ILC_OK;
}

ilc_status ilc_method_il(const char **out, ilc_method *method)
{
    ILC__LAND(method->session, disassemble(out, method));
}
