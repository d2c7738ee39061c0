/* kernel.c - kernels: a method with its index mode and options, and its texts, each made when asked for. */
#include "api/api.h"

#include <stdio.h>

void ilc_kernel_options_init(ilc_kernel_options *options)
{
    *options = (ilc_kernel_options){.size = sizeof *options, .mode = "exact", .checks = true};
}

static ilc_status mark_scalar(ilc_method *method, const char *name, size_t length, bool *kept)
{
    uint32_t found;
    ILC__TRY(ilc__method_param_named(method, name, length, &found));
    if (method->def->sig.params[found]->kind == ILC__ET_BYREF)
        return ilc__fail(&method->session->ctx, ILC_INVALID, NULL,
                         "parameter %s of %s is passed by reference: it is an array of results, no scalar",
                         method->def->param_names[found], method->def->full_name);
    kept[found] = true;
    return ILC_OK;
}

/* "a,b": the element-wise parameters that stay scalars. */
static ilc_status take_scalars(ilc_method *method, const char *names, ilc__kernel_spec *spec)
{
    ilc__context *ctx = &method->session->ctx;
    if (!names || !*names) return ILC_OK;
    if (spec->mode != ILC__MODE_ELEMENTWISE)
        return ilc__fail(ctx, ILC_INVALID, NULL, "%s is not element-wise: its scalars are scalars already",
                         method->def->full_name);
    uint32_t count = method->def->sig.param_count;
    bool    *kept = ILC__NEW_ARRAY(&ctx->arena, bool, count);
    for (uint32_t i = 0; spec->kept_scalar && i < count; i++) kept[i] = spec->kept_scalar[i];
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, ",");
        ILC__TRY(mark_scalar(method, at, length, kept));
        at += length;
        if (*at) at++;
    }
    spec->kept_scalar = kept;
    return ILC_OK;
}

static const char *const float_modes[] = {"exact", "fma", "fast"};

ilc_status ilc__floats_take(ilc__context *ctx, const char *mode, ilc__floats *out)
{
    for (uint32_t i = 0; i < sizeof float_modes / sizeof *float_modes; i++) {
        if (strcmp(mode ? mode : "exact", float_modes[i]) != 0) continue;
        *out = (ilc__floats)i;
        return ILC_OK;
    }
    return ilc__fail(ctx, ILC_INVALID, NULL, "there is no mode %s; modes are exact, fma and fast", mode);
}

const char *ilc__floats_name(ilc__floats floats)
{
    return float_modes[floats];
}

ilc_status ilc__floats_check(const ilc_engine *engine, ilc__floats floats, const ilc_method *method)
{
    if (floats == ILC__FLOATS_EXACT || (engine && engine->kind != ILC_ENGINE_IL)) return ILC_OK;
    ilc__where where = {.method = method->def->full_name};
    return ilc__fail(&method->session->ctx, ILC_UNSUPPORTED, &where,
                     "the IL interpreter computes in mode exact alone; mode %s is of the engines ast, cpu and cuda", float_modes[floats]);
}

static ilc_status take_schedule(ilc__context *ctx, const char *schedule, ilc_kernel *kernel)
{
    static const char whole[] = "/whole";
    ilc__tile_size    size = {0};
    int               end = 0;
    kernel->tiles = !schedule || strcmp(schedule, "plain") != 0;
    if (schedule && kernel->tiles) {
        kernel->tiles_always = strncmp(schedule, "tile", 4) == 0;
        bool by_size = !kernel->tiles_always && strncmp(schedule, "auto", 4) != 0;
        if (by_size) sscanf(schedule, "%ux%ux%u/%ux%u/%u%n", &size.rows, &size.cols, &size.depth, &size.row_cells, &size.col_cells, &size.blocks, &end);
        else end = 4;
        kernel->whole_tiles = strcmp(schedule + end, whole) == 0;
        bool ends = kernel->whole_tiles || !schedule[end];
        if (end == 0 || !ends || (by_size && !ilc__tile_size_fits(&size)))
            return ilc__fail(ctx, ILC_INVALID, NULL, "there is no schedule %s; schedules are auto, plain and tile", schedule);
    }
    kernel->tile_size = size;
    return ILC_OK;
}

ilc_status ilc__kernel_make(ilc_kernel **out, ilc_method *method, const ilc_kernel_options *given)
{
    ilc__context      *ctx = &method->session->ctx;
    ilc_kernel_options options;
    ilc_kernel_options_init(&options);
    ILC__TRY(ilc__options_take(ctx, &options, sizeof options, given, "kernel options"));
    ilc_kernel *kernel = ILC__NEW(&ctx->arena, ilc_kernel);
    ILC__TRY(ilc__floats_take(ctx, options.mode, &kernel->floats));
    kernel->session = method->session;
    kernel->method = method;
    kernel->checks = options.checks;
    kernel->line_directives = options.line_directives;
    ILC__TRY(take_schedule(ctx, options.schedule, kernel));
    ILC__TRY(ilc__kernel_infer(ctx, method->def, options.index, &kernel->spec));
    ILC__TRY(take_scalars(method, options.scalars, &kernel->spec));
    ILC__TRY(ilc__method_describe(method));
    const ilc__unit *unit;
    ILC__TRY(ilc__method_unit(method, kernel->floats, &unit));
    if (kernel->spec.mode != ILC__MODE_DEVICE) ILC__TRY(ilc__check_independent(ctx, &method->session->scratch, unit, &kernel->spec));
    const ilc__kernel *emitted; /* says whether rows are only read, for interpreters, too */
    if (method->def->row_count) ILC__TRY(ilc__kernel_emitted(kernel, ILC__DIALECT_C, &emitted));
    *out = kernel;
    return ILC_OK;
}

ilc_status ilc_kernel_translate(ilc_kernel **out, ilc_method *method, const ilc_kernel_options *options)
{
    ILC__LAND(method->session, ilc__kernel_make(out, method, options));
}

ilc_method *ilc_kernel_method(const ilc_kernel *kernel)
{
    return kernel->method;
}

ilc_index_mode ilc_kernel_index_mode(const ilc_kernel *kernel)
{
    return (ilc_index_mode)kernel->spec.mode;
}

uint32_t ilc_kernel_dims(const ilc_kernel *kernel)
{
    switch (kernel->spec.mode) {
    case ILC__MODE_1D:
    case ILC__MODE_ELEMENTWISE: return 1;
    case ILC__MODE_2D: return 2;
    case ILC__MODE_3D: return 3;
    case ILC__MODE_DEVICE: break;
    }
    return 0;
}

int32_t ilc_kernel_index_param(const ilc_kernel *kernel, uint32_t dim)
{
    return dim < kernel->spec.index_count ? (int32_t)kernel->spec.index_params[dim] : -1;
}

/* --- emitted text ------------------------------------------------------------------------------------------ */

void ilc__kernel_emit_options(const ilc_kernel *kernel, ilc__dialect dialect, const ilc__kernel *emitted, ilc__tile_plan *plan,
                              ilc__emit_options *out)
{
    *out = (ilc__emit_options){.dialect = dialect, .checks = kernel->checks, .line_directives = kernel->line_directives,
                               .fast = kernel->floats == ILC__FLOATS_FAST};
    for (uint32_t i = 0; i < ILC__TILED_COUNT; i++) {
        if (emitted != &kernel->tiled[i].kernel) continue;
        *plan = (ilc__tile_plan){.number = i, .whole = kernel->whole_tiles, .size = kernel->tile_size};
        out->tile = plan;
    }
}

static ilc_status emit_into(ilc_kernel *kernel, ilc__dialect dialect, ilc__emitted *emitted, const ilc__kernel **out)
{
    if (!emitted->ready) {
        const ilc__unit *unit;
        ILC__TRY(ilc__method_unit(kernel->method, kernel->floats, &unit));
        ilc__emit_options options;
        ilc__tile_plan    plan;
        ilc__kernel_emit_options(kernel, dialect, &emitted->kernel, &plan, &options);
        ilc_session *session = kernel->session;
        ilc__kernel  made;
        ILC__TRY(ilc__emit_kernel(&session->ctx, &session->scratch, unit, &kernel->spec, &options, &made));
        ilc__kernel_keep(&session->ctx.arena, &session->scratch, &made, &emitted->kernel);
        emitted->ready = true;
    }
    *out = &emitted->kernel;
    return ILC_OK;
}

ilc_status ilc__kernel_emitted(ilc_kernel *kernel, ilc__dialect dialect, const ilc__kernel **out)
{
    return emit_into(kernel, dialect, &kernel->emitted[dialect], out);
}

_Static_assert((int)ILC__TILED_ROWS <= (int)ILC__TILE_SIZES, "a kernel has room for its tiles");

uint32_t ilc__kernel_tile_count(const ilc_kernel *kernel)
{
    if (!kernel->tiles) return 0;
    if (kernel->spec.mode == ILC__MODE_ELEMENTWISE) return 1;
    return kernel->spec.mode == ILC__MODE_1D ? ILC__TILED_ROWS : kernel->spec.mode == ILC__MODE_2D ? ILC__TILE_SIZES : 0;
}

ilc_status ilc__kernel_tiled(ilc_kernel *kernel, uint32_t number, const ilc__kernel **out)
{
    return emit_into(kernel, number == ILC__TILED_CPU ? ILC__DIALECT_C : ILC__DIALECT_CUDA, &kernel->tiled[number], out);
}

static ilc_status emit_display(ilc_kernel *kernel, ilc__dialect dialect, const char **out)
{
    ilc__emitted *emitted = &kernel->emitted[dialect];
    if (!emitted->display) {
        const ilc__unit *unit;
        ILC__TRY(ilc__method_unit(kernel->method, kernel->floats, &unit));
        ilc__emit_options options = {.dialect = dialect, .checks = kernel->checks, .display = true,
                                     .fast = kernel->floats == ILC__FLOATS_FAST, .line_directives = kernel->line_directives};
        ilc__kernel       shown;
        ILC__TRY(ilc__emit_kernel(&kernel->session->ctx, &kernel->session->scratch, unit, &kernel->spec, &options, &shown));
        emitted->display = ilc__arena_strdup(&kernel->session->ctx.arena, shown.source);
    }
    *out = emitted->display;
    return ILC_OK;
}

static ilc_status print_ir(ilc_kernel *kernel, const char **out)
{
    ilc_session *session = kernel->session;
    ilc__ir_unit ir;
    ILC__TRY(ilc__method_lift(kernel->method, &session->scratch, &ir));
    ilc__text text = {.arena = &session->scratch};
    for (uint32_t i = 0; i < ir.funcs.count; i++) {
        if (i) ilc__text_putc(&text, '\n');
        ilc__ir_print_sourced(ir.funcs.items[i], &text);
    }
    *out = ilc__arena_strdup(&kernel->session->ctx.arena, ilc__text_string(&text));
    return ILC_OK;
}

ilc_status ilc__kernel_tree(ilc_kernel *kernel, ilc__language language, bool checked, ilc__line_map *map, const char **out)
{
    const ilc__unit *unit;
    ILC__TRY(ilc__method_unit(kernel->method, kernel->floats, &unit));
    ilc__context *ctx = &kernel->session->ctx;
    ilc__unit     view = *unit;
    if (!checked) ilc__emit_guarded_view(ctx, &kernel->session->scratch, unit, &kernel->spec, &view);
    ilc__text text = {.arena = &kernel->session->scratch};
    ilc__write_tree(ctx, &view, language, map, &text);
    *out = ilc__arena_strdup(&kernel->session->ctx.arena, ilc__text_string(&text));
    return ILC_OK;
}

static ilc_status emit_unit(ilc_kernel *kernel, ilc__dialect dialect, const char **out)
{
    const ilc__kernel *emitted;
    ILC__TRY(ilc__kernel_emitted(kernel, dialect, &emitted));
    *out = emitted->source;
    return ILC_OK;
}

static ilc_status emit_tile(ilc_kernel *kernel, uint32_t number, const char **out)
{
    const ilc__kernel *emitted, *other;
    bool               rows = kernel->spec.mode == ILC__MODE_1D && number == 0;
    ILC__TRY(ilc__kernel_tiled(kernel, rows ? ILC__TILED_SPLIT : number, &emitted));
    if (rows && !emitted->tile.entry.name) ILC__TRY(ilc__kernel_tiled(kernel, number, &emitted));
    *out = emitted->source;
    if (emitted->tile.entry.name) return ILC_OK;
    ILC__TRY(ilc__kernel_tiled(kernel, 0, &other));
    ilc__context *ctx = &kernel->session->ctx;
    const char   *name = kernel->method->def->full_name;
    if (number == ILC__TILED_CPU && ilc_kernel_dims(kernel) != 2)
        return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "%s has no tile: on the CPU engine kernels of two indices have one", name);
    if (number == ILC__TILED_CPU && other->tile.entry.name)
        return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "%s has no tile: its loop has an operation that is not done on vectors", name);
    return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "%s has no tile: it is no loop over rows of arrays that the indices select", name);
}

static ilc_status make_text(ilc_kernel *kernel, ilc_text form, const char **out)
{
    switch (form) {
    case ILC_TEXT_IL: break; /* made below: it needs no kernel */
    case ILC_TEXT_IR: return print_ir(kernel, out);
    case ILC_TEXT_VB: return ilc__kernel_tree(kernel, ILC__LANGUAGE_VB, false, NULL, out);
    case ILC_TEXT_VB_CHECKED: return ilc__kernel_tree(kernel, ILC__LANGUAGE_VB, true, NULL, out);
    case ILC_TEXT_CS: return ilc__kernel_tree(kernel, ILC__LANGUAGE_CS, false, NULL, out);
    case ILC_TEXT_CS_CHECKED: return ilc__kernel_tree(kernel, ILC__LANGUAGE_CS, true, NULL, out);
    case ILC_TEXT_CUDA: return emit_display(kernel, ILC__DIALECT_CUDA, out);
    case ILC_TEXT_C: return emit_display(kernel, ILC__DIALECT_C, out);
    case ILC_TEXT_CUDA_UNIT: return emit_unit(kernel, ILC__DIALECT_CUDA, out);
    case ILC_TEXT_C_UNIT: return emit_unit(kernel, ILC__DIALECT_C, out);
    case ILC_TEXT_CUDA_TILE: return emit_tile(kernel, 0, out);
    case ILC_TEXT_C_TILE: return emit_tile(kernel, ILC__TILED_CPU, out);
    }
    return ilc_method_il(out, kernel->method);
}

static ilc_status text_of(const char **out, ilc_kernel *kernel, ilc_text form)
{
    if ((unsigned)form > ILC_TEXT_C_TILE)
        return ilc__fail(&kernel->session->ctx, ILC_INVALID, NULL, "there is no text form %d", (int)form);
    if (!kernel->texts[form]) ILC__TRY(make_text(kernel, form, &kernel->texts[form]));
    *out = kernel->texts[form];
    return ILC_OK;
}

ilc_status ilc_kernel_text(const char **out, ilc_kernel *kernel, ilc_text form)
{
    ILC__LAND(kernel->session, text_of(out, kernel, form));
}

/* --- names and entry parameters ------------------------------------------------------------------------------ */

typedef enum name_kind { NAME_DEVICE, NAME_KERNEL, NAME_CHECKED } name_kind;

static ilc_status name_of(const char **out, ilc_kernel *kernel, name_kind kind)
{
    const ilc__kernel *emitted;
    ILC__TRY(ilc__kernel_emitted(kernel, ILC__DIALECT_CUDA, &emitted));
    *out = kind == NAME_DEVICE   ? emitted->device_name
           : kind == NAME_KERNEL ? emitted->guarded.name
                                 : emitted->checked.name;
    return ILC_OK;
}

ilc_status ilc_kernel_device_name(const char **out, ilc_kernel *kernel)
{
    ILC__LAND(kernel->session, name_of(out, kernel, NAME_DEVICE));
}

ilc_status ilc_kernel_name(const char **out, ilc_kernel *kernel)
{
    ILC__LAND(kernel->session, name_of(out, kernel, NAME_KERNEL));
}

ilc_status ilc_kernel_checked_name(const char **out, ilc_kernel *kernel)
{
    ILC__LAND(kernel->session, name_of(out, kernel, NAME_CHECKED));
}

_Static_assert((int)ILC_ENTRY_SCALAR == (int)ILC__KP_SCALAR && (int)ILC_ENTRY_ARRAY == (int)ILC__KP_ARRAY &&
                   (int)ILC_ENTRY_OUT == (int)ILC__KP_OUT && (int)ILC_ENTRY_EXTENT == (int)ILC__KP_EXTENT &&
                   (int)ILC_ENTRY_LENGTH == (int)ILC__KP_LENGTH && (int)ILC_ENTRY_TRAP == (int)ILC__KP_TRAP,
               "the public parameter kinds are the emitter's");

static ilc_status entry_param(ilc_entry_param *out, ilc_kernel *kernel, bool checked, uint32_t index)
{
    const ilc__kernel *emitted;
    ILC__TRY(ilc__kernel_emitted(kernel, ILC__DIALECT_CUDA, &emitted));
    const ilc__entry *entry = checked ? &emitted->checked : &emitted->guarded;
    if (!entry->name || index >= entry->param_count)
        return ilc__fail(&kernel->session->ctx, ILC_NOT_FOUND, NULL, "%s has no entry parameter number %u",
                         kernel->method->def->full_name, index);
    const ilc__kparam *param = &entry->params[index];
    *out = (ilc_entry_param){.kind = (ilc_entry_param_kind)param->kind,
                             .name = param->name,
                             .storage = param->storage,
                             .param = param->param,
                             .dim = param->dim,
                             .written = param->written};
    return ILC_OK;
}

ilc_status ilc_kernel_entry_param(ilc_entry_param *out, ilc_kernel *kernel, bool checked, uint32_t index)
{
    ILC__LAND(kernel->session, entry_param(out, kernel, checked, index));
}
