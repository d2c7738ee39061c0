/* emit.c - a translation unit: prelude, functions, the root once per body, one entry per body. */
#include "emit/tile.h"
#include "meta/layout.h"

static const char *display_name(ilc__emitter *em)
{
    return em->root->method ? em->root->method->full_name : em->root->name;
}

static const char *file_name(ilc__emitter *em, const ilc__func *func, const char *suffix)
{
    const char *prefix = em->options->prefix ? em->options->prefix : "";
    const char *name = strcmp(func->name, ".ctor") == 0 ? "New" : func->name;
    return ilc__name_unique(&em->names, ilc__arena_printf(em->arena, "il_%s%s%s", prefix,
                                                          ilc__name_mangle(em->arena, name), suffix));
}

/* Comments are in people's words, yet ASCII: a source name may be anything. */
static void heading(ilc__emitter *em, const char *entry, const char *device, const char *what)
{
    const char *name = display_name(em);
    ilc__text   safe = {.arena = em->arena};
    for (; *name; name++) {
        bool plain = *name >= ' ' && *name < 127 && *name != '\\';
        if (plain)
            ilc__text_putc(&safe, *name);
        else
            ilc__text_printf(&safe, "<%02X>", (unsigned)(unsigned char)*name);
    }
    ilc__out(em, "// %s, %s: %s over %s%s\n", ilc__text_string(&safe), ilc__index_mode_name(em->spec->mode), entry, device,
             what);
}

static ilc_status print_twin(ilc__emitter *em, uint32_t number)
{
    ilc__func_info *twin = &em->twins[number];
    ilc__func_info_init(em, ilc__guarded_view(em->arena, em->unit->funcs.items[number]), twin->name, twin);
    ILC__TRY(ilc__func_print(em, twin, true));
    twin->stack = twin->frame + twin->below; /* in no cycle */
    return ILC_OK;
}

static ilc_status print_callees(ilc__emitter *em)
{
    for (uint32_t i = 0; i + 1 < em->unit->funcs.count; i++) {
        const ilc__func *func = em->infos[i].func;
        if (em->needs[i].guarded) em->twins[i].name = file_name(em, func, "_scalar");
        if (em->needs[i].checked) em->infos[i].name = file_name(em, func, em->needs[i].guarded ? "_checked_scalar" : "_scalar");
    }
    for (uint32_t i = 0; i + 1 < em->unit->funcs.count; i++) {
        ilc__func_info *info = &em->infos[i];
        ilc__func_info_init(em, info->func, info->name, info);
        if (em->needs[i].checked) {
            ilc__cycle_declare(em, i);
            ILC__TRY(ilc__func_print(em, info, false));
        }
        ilc__stack_settle(em, i);
        if (em->needs[i].guarded) ILC__TRY(print_twin(em, i));
    }
    return ILC_OK;
}

static ilc_status print_body(ilc__emitter *em, bool guarded, const char *device, const char *entry_name, ilc__entry *entry,
                             bool *traps)
{
    uint32_t        last = em->unit->funcs.count - 1;
    ilc__func_info *info = &em->infos[last];
    ilc__func_info_init(em, guarded ? ilc__guarded_view(em->arena, em->root) : em->root, device, info);
    ILC__TRY(ilc__func_print(em, info, guarded));
    ilc__stack_settle(em, last);
    ilc__entry_build(em, info, entry_name, entry);
    em->dialect->entry(em, entry, info);
    if (traps) *traps = info->traps;
    return ILC_OK;
}

/* The guarded function, which a thread falls back to, and the tile; no other entry. Without a guard it is the function with all
 * its checks, for an element-wise kernel. */
static ilc_status print_tile(ilc__emitter *em, ilc__kernel *out)
{
    ilc__func_info *info = &em->infos[em->unit->funcs.count - 1];
    bool            guarded = out->has_guard || !em->options->checks;
    ilc__func_info_init(em, guarded ? ilc__guarded_view(em->arena, em->root) : em->root, out->device_name, info);
    heading(em, out->device_name, "each element", out->has_guard ? ", where the launch guard holds" : "");
    ILC__TRY(ilc__func_print(em, info, guarded));
    out->guarded.name = out->checked.name = NULL;
    return ilc__tile_print(em, info, out);
}

/* The root's names come first: an overload among its callees is the one to be told apart. */
static void name_root(ilc__emitter *em, ilc__kernel *out)
{
    bool call = em->spec->mode == ILC__MODE_DEVICE;
    out->device_name = file_name(em, em->root, "_scalar");
    out->guarded.name = file_name(em, em->root, call ? "_call" : "_kernel");
    if (!out->has_guard) return;
    out->checked.name = file_name(em, em->root, call ? "_checked_call" : "_checked_kernel");
}

static ilc_status print_bodies(ilc__emitter *em, ilc__kernel *out)
{
    bool        traps = false;
    const char *checked = out->checked.name;
    out->checked.name = NULL;
    heading(em, out->guarded.name, out->device_name, out->has_guard ? ", where the launch guard holds" : "");
    ILC__TRY(print_body(em, out->has_guard, out->device_name, out->guarded.name, &out->guarded, &traps));
    out->covers_all = !traps;
    if (!out->has_guard || em->options->display) return ILC_OK;
    const char *device = file_name(em, em->root, "_checked_scalar");
    ilc__out(em, "\n");
    heading(em, checked, device, ", with every check");
    return print_body(em, false, device, checked, &out->checked, NULL);
}

/* --- what the root does to each parameter's array --------------------------------------------------------- */

typedef struct access_survey {
    const ilc__func *root;
    bool            *reads;
} access_survey;

static void survey_read(void *user, const ilc__expr *expr)
{
    access_survey *s = user;
    bool           reads = expr->kind == ILC__EX_LOAD || expr->kind == ILC__EX_CALL || expr->kind == ILC__EX_ELEMADDR || expr->kind == ILC__EX_DATAADDR || ilc__is_span_made(expr);
    for (uint32_t i = 0; reads && i < expr->arg_count; i++) {
        const ilc__expr *arg = expr->args[i];
        if (arg->type == ILC__IR_REF && arg->kind == ILC__EX_VAR && arg->u.var->is_param) s->reads[arg->u.var->index] = true;
    }
}

static void survey_stmt(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, survey_read, user);
}

static void accesses(ilc__emitter *em, const ilc__func_info *info, ilc__kernel *out)
{
    uint32_t count = em->root->param_count;
    out->reads = ILC__NEW_ARRAY(em->arena, bool, count + 1);
    out->writes = ILC__NEW_ARRAY(em->arena, bool, count + 1);
    access_survey s = {em->root, out->reads};
    ilc__block_each(&em->root->body, survey_stmt, &s);
    for (uint32_t i = 0; i < count; i++) {
        const ilc__var *var = em->root->vars.items[i];
        out->writes[i] = (var->is_addr && !var->is_pointer) || ((var->is_array || var->is_addr) && info->written[i]);
        if (var->is_addr) out->reads[i] = true; /* what is not written keeps its value */
        else if (var->is_array ? info->aliased : em->spec->mode == ILC__MODE_ELEMENTWISE) out->reads[i] = true;
    }
}

/* --- checks ----------------------------------------------------------------------------------------------- */

typedef struct dynamic_search {
    const ilc__expr *found;
} dynamic_search;

static void find_dynamic(void *user, const ilc__expr *expr)
{
    dynamic_search *s = user;
    if (!s->found && expr->kind == ILC__EX_NEWARR && expr->u.var->is_dynamic) s->found = expr;
}

static void find_dynamic_in(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, find_dynamic, user);
}

/* The first array of the unit that has no place in the frame. */
static const ilc__expr *dynamic_in(const ilc__func *func)
{
    dynamic_search s = {NULL};
    ilc__block_each(&func->body, find_dynamic_in, &s);
    return s.found;
}

static bool has_table(const ilc__func *func)
{
    for (uint32_t i = 0; i < func->vars.count; i++)
        if (func->vars.items[i]->table) return true;
    return false;
}

/* Elements of a launch have no memory for arrays of any length: those are of calls alone. */
static ilc_status check_arrays(ilc__context *ctx, const ilc__func *func, const ilc__kernel_spec *spec)
{
    const ilc__expr *made = spec->mode == ILC__MODE_DEVICE ? NULL : dynamic_in(func);
    bool             has_rank = func->ret_array && func->ret_array->rank > 1;
    if (!made && !has_rank) return ILC_OK;
    ilc__where where = {.method = func->name};
    if (func->place) where = ilc__method_where(func->place, made ? made->il : 0);
    if (made) return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "a new array of a length that is not known to be small");
    return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "an array of several dimensions as a result");
}

static ilc_status check_unit(ilc__context *ctx, const ilc__unit *unit, const ilc__kernel_spec *spec)
{
    if (unit->funcs.count == 0) return ilc__fail(ctx, ILC_INTERNAL, NULL, "a unit without functions cannot be emitted");
    const ilc__func *root = unit->funcs.items[unit->funcs.count - 1];
    for (uint32_t i = 0; i < unit->funcs.count; i++) ILC__TRY(ilc__tree_check(ctx, unit->funcs.items[i]));
    for (uint32_t i = 0; i < unit->funcs.count; i++) ILC__TRY(check_arrays(ctx, unit->funcs.items[i], spec));
    for (uint32_t d = 0; d < spec->index_count; d++) {
        bool ok = d < 3 && spec->index_params[d] < root->param_count &&
                  !root->vars.items[spec->index_params[d]]->is_array;
        if (!ok) return ilc__fail(ctx, ILC_INVALID, NULL, "%s has no index parameter %u", root->name, spec->index_params[d < 3 ? d : 0]);
    }
    bool     by_refs = false;
    uint32_t count = ilc__arg_count(root);
    for (uint32_t i = 0; i < count; i++) {
        const ilc__var *var = root->vars.items[i];
        bool            kept = spec->mode == ILC__MODE_ELEMENTWISE && spec->kept_scalar && spec->kept_scalar[i];
        by_refs = by_refs || (var->is_addr && !var->is_pointer);
        if (var->is_addr && !var->is_pointer && (spec->index_count || kept))
            return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "parameter '%s' of %s is passed by reference", var->name, root->name);
    }
    bool nothing = spec->mode == ILC__MODE_ELEMENTWISE && root->ret == ILC_VOID && !root->ret_layout && !by_refs;
    if (spec->mode != ILC__MODE_DEVICE && ilc__layout_leaves(root->ret_layout, NULL, ILC__MAX_LEAVES) > ILC__MAX_LEAVES)
        return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "%s returns a struct of more than %d numbers", root->name, ILC__MAX_LEAVES);
    if (nothing) return ilc__fail(ctx, ILC_UNSUPPORTED, NULL, "%s returns nothing, so it has no element-wise kernel", root->name);
    return ILC_OK;
}

/* Whether there are two bodies, and why not. */
static void note_guard(ilc__emitter *em, bool covered, const ilc__kernel *kernel)
{
    const char *why = !em->options->checks ? "checks are off" : em->root->cycle ? "it is recursive" : !covered ? "no check depends on the launch alone" : "asked for";
    if (kernel->has_guard) ilc__note_add(em, "guard", true, NULL, "checks that the scalars, lengths and extents of a launch prove are left out");
    else ilc__note_add(em, "guard", false, NULL, "one body for all launches: %s", why);
}

static void see_sameref(void *user, const ilc__expr *expr)
{
    if (expr->kind == ILC__EX_SAMEREF) *(bool *)user = true;
}

static void see_samerefs(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, see_sameref, user);
}

/* A row is an input: elements of a kernel of two indices share it. It is an object of its own, which its place in memory does
 * not tell: where opt/rows.c left a comparison of references it is refused. */
static ilc_status check_rows(ilc__context *ctx, const ilc__unit *unit, const ilc__kernel *kernel)
{
    const ilc__method *method = unit->funcs.items[unit->funcs.count - 1]->method;
    if (!method || !method->row_count) return ILC_OK;
    for (uint32_t i = 0; i < unit->funcs.count; i++) {
        const ilc__func *func = unit->funcs.items[i];
        bool             compares = false;
        ilc__block_each(&func->body, see_samerefs, &compares);
        ilc__where where = ilc__method_where(func->place ? func->place : method, 0);
        where.has_il = false;
        if (compares) return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "%s asks whether two arrays are one object, of which some may be rows", func->name);
    }
    for (uint32_t k = 0; k < method->row_count; k++) {
        ilc__where where = ilc__method_where(method, 0);
        where.has_il = false;
        if (kernel->writes[method->rows[k]])
            return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "it stores to parameter '%s', which is a row of its input",
                             method->param_names[method->rows[k]]);
    }
    return ILC_OK;
}

/* Whether anything in the unit stores, before a line is printed. */
static void survey_unit(ilc__emitter *em, ilc__func_info *root)
{
    ilc__settle_aligns(em);
    for (uint32_t i = 0; i < em->unit->funcs.count; i++) {
        const ilc__func *func = em->unit->funcs.items[i];
        em->has_heap = em->has_heap || dynamic_in(func);
        em->copies_result = em->copies_result || (em->root->ret_array && !em->root->ret_array->nested && has_table(func));
    }
    em->has_heap = em->has_heap || em->copies_result;
    em->through = ilc__written_through(em->arena, em->unit);
    for (uint32_t i = 0; i < em->unit->funcs.count; i++) {
        em->infos[i].func = em->unit->funcs.items[i];
        em->infos[i].written = ILC__NEW_ARRAY(em->arena, bool, em->infos[i].func->vars.count + 1);
    }
    uint32_t marks = 0, before;
    do { /* again only for cycles, where a callee may stand behind its caller */
        before = marks;
        marks = 0;
        for (uint32_t i = 0; i < em->unit->funcs.count; i++) {
            ilc__func_info_init(em, em->infos[i].func, "", &em->infos[i]);
            if (em->infos[i].func->cycle) marks += ilc__func_info_marks(&em->infos[i]);
        }
    } while (marks != before);
    *root = em->infos[em->unit->funcs.count - 1];
    em->pure = !root->stores && (em->root->ret != ILC_VOID || em->root->ret_layout);
    for (uint32_t i = 0; i < ilc__arg_count(em->root); i++)
        if (em->root->vars.items[i]->is_addr) em->pure = false;
}

/* For people: the name a dialect gives to what the prelude calls IL_... */
static const char *readable(ilc__emitter *em, const char *text)
{
    static const struct {
        const char *word, *c, *cuda;
    } rows[] = {{"IL_SQRT32(", "sqrtf(", "__fsqrt_rn("},
                {"IL_SQRT64(", "sqrt(", "__dsqrt_rn("},
                {"IL_FMA32(", "fmaf(", "__fmaf_rn("},
                {"IL_FMA64(", "fma(", "__fma_rn("},
                {"IL_F32(", "il_f32_of(", "__int_as_float("},
                {"IL_I32(", "il_i32_of(", "__float_as_int("},
                {"IL_I64(", "il_i64_of(", "__double_as_longlong("},
                {"IL_F64(", "il_f64_of(", "__longlong_as_double("}};
    ilc__text out = {.arena = em->arena};
    while (*text) {
        size_t r = 0, count = sizeof rows / sizeof *rows;
        while (r < count && strncmp(text, rows[r].word, strlen(rows[r].word)) != 0) r++;
        if (r == count) {
            ilc__text_putc(&out, *text++);
            continue;
        }
        bool as_c = em->options->dialect == ILC__DIALECT_C || (em->options->fast && strcmp(rows[r].c, "sqrtf(") == 0);
        ilc__text_puts(&out, as_c ? rows[r].c : rows[r].cuda);
        text += strlen(rows[r].word);
    }
    return ilc__text_string(&out);
}

/* Puts the prelude before the text and moves the line map down by its length. */
static void finish(ilc__emitter *em, ilc__kernel *out)
{
    ilc__text whole = {.arena = em->arena};
    if (!em->options->display) ilc__prelude(em, ilc__text_string(&em->out), &whole);
    out->prelude_size = whole.length;
    uint32_t lines = 0;
    for (const char *at = ilc__text_string(&whole); *at; at++) lines += *at == '\n';
    const char *text = ilc__text_string(&em->out);
    ilc__text_puts(&whole, em->options->display ? readable(em, text) : text);
    for (uint32_t i = 0; i < em->lines.count; i++) em->lines.items[i].line += lines + 1; /* lines count from 1 */
    out->source = ilc__text_string(&whole);
    if (em->options->line_directives) {
        const char *suffix = em->options->dialect == ILC__DIALECT_C ? "c" : "cu";
        out->source = ilc__lines_direct(em, out->source, ilc__arena_printf(em->arena, "%s.%s", out->guarded.name, suffix));
    }
    out->lines = em->lines.items;
    out->line_count = em->lines.count;
    out->sites = em->sites.items;
    out->site_count = em->sites.count;
    out->notes = em->notes.items;
    out->note_count = em->notes.count;
}

ilc_status ilc__emit_kernel(ilc__context *ctx, ilc__arena *arena, const ilc__unit *unit,
                            const ilc__kernel_spec *spec, const ilc__emit_options *options, ilc__kernel *out)
{
    *out = (ilc__kernel){.spec = *spec, .unit = unit};
    ILC__TRY(check_unit(ctx, unit, spec));
    ilc__emitter em = {.ctx = ctx, .arena = arena, .unit = unit, .spec = spec, .options = options,
                       .root = unit->funcs.items[unit->funcs.count - 1], .names = {.arena = arena}, .site_numbers = {.arena = arena}, .out = {.arena = arena},
                       .mapped = options->lines || options->line_directives, .lines = {.arena = arena},
                       .dialect = options->dialect == ILC__DIALECT_C ? &ilc__dialect_c : &ilc__dialect_cuda};
    em.infos = ILC__NEW_ARRAY(arena, ilc__func_info, unit->funcs.count);
    ilc__func_info root;
    survey_unit(&em, &root);
    bool covered = ilc__guard_mark(ctx, arena, unit, spec);
    out->has_guard = covered && options->checks && !options->no_guard && !em.root->cycle;
    note_guard(&em, covered, out);
    accesses(&em, &root, out);
    ILC__TRY(check_rows(ctx, unit, out));
    name_root(&em, out);
    em.infos[unit->funcs.count - 1].name = out->device_name;
    ilc__growth_bound(&em);
    ilc__twins_find(&em, out->has_guard, !options->display && !options->tile);
    ILC__TRY(ilc__structs_print(&em));
    ilc__tables_print(&em);
    ILC__TRY(print_callees(&em));
    ILC__TRY(options->tile ? print_tile(&em, out) : print_bodies(&em, out));
    finish(&em, out);
    return ilc__stack_of_unit(&em, &out->stack);
}
