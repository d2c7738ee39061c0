/* function.c - one function of a unit as text: its names, its signature, its body, and the lines it came from. */
#include "emit/internal.h"

#include <stdio.h>

static const char *const c_types[] = {
    [ILC_VOID] = "void", [ILC_BOOL] = "unsigned char", [ILC_CHAR] = "unsigned short", [ILC_I8] = "signed char",
    [ILC_U8] = "unsigned char", [ILC_I16] = "short", [ILC_U16] = "unsigned short", [ILC_I32] = "int",
    [ILC_U32] = "unsigned", [ILC_I64] = "long long", [ILC_U64] = "unsigned long long", [ILC_INT] = "long long",
    [ILC_UINT] = "unsigned long long", [ILC_F32] = "float", [ILC_F64] = "double", [ILC_ARRAY] = "il_array",
    [ILC_STRUCT] = "struct", /* always by its layout */
};
_Static_assert(sizeof c_types / sizeof *c_types == ILC_STORAGE_COUNT, "a C type for every storage");

const char *ilc__c_type(ilc_storage storage)
{
    return c_types[storage];
}

const char *ilc__c_stack_type(ilc__ir_type type)
{
    switch (type) {
    case ILC__IR_I64: return "long long";
    case ILC__IR_F32: return "float";
    case ILC__IR_F64: return "double";
    default: return "int";
    }
}

/* --- text ----------------------------------------------------------------------------------------------- */

const char *ilc__print(ilc__printer *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = ilc__arena_vprintf(p->em->arena, format, args);
    va_end(args);
    return text;
}

static uint32_t count_lines(const char *text)
{
    uint32_t lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

void ilc__out_text(ilc__emitter *em, const char *text)
{
    ilc__text_puts(&em->out, text);
    em->out_line += count_lines(text);
}

void ilc__out(ilc__emitter *em, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ilc__out_text(em, ilc__arena_vprintf(em->arena, format, args));
    va_end(args);
}

void ilc__line_out(ilc__printer *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = ilc__arena_vprintf(p->em->arena, format, args);
    va_end(args);
    uint32_t indent = p->indent < 16 ? p->indent : 16;
    ilc__text_printf(&p->body, "%*s%s\n", (int)(4 * indent), "", text);
    ilc__lines_note(p, text);
    p->line++;
}

ilc__piece ilc__temp(ilc__printer *p, const char *c_type, const char *value)
{
    const char *name = ilc__print(p, "il_t%u", ++p->labels);
    const char *space = c_type[strlen(c_type) - 1] == '*' ? "" : " ";
    if (p->func->has_goto) { /* a goto must pass no initialiser (C++ [stmt.dcl]) */
        ilc__text_printf(&p->top, "    %s%s%s;\n", c_type, space, name);
        p->top_line++;
        if (value) ilc__line_out(p, "%s = %s;", name, value);
    } else if (value) {
        ilc__line_out(p, "%s%s%s = %s;", c_type, space, name, value);
    } else {
        ilc__line_out(p, "%s%s%s;", c_type, space, name);
    }
    return (ilc__piece){.text = name, .prec = ILC__PREC_PRIMARY, .leaf = true};
}

/* --- what a function does to its arrays ------------------------------------------------------------------ */

typedef struct survey {
    ilc__emitter   *em;
    ilc__func_info *info;
    bool            flows; /* one array variable is assigned to another */
} survey;

void ilc__mark_written(ilc__func_info *info, const ilc__expr *array)
{
    while (array->kind == ILC__EX_SPANOF || array->kind == ILC__EX_SPAN) array = array->args[0];
    if (array->kind == ILC__EX_SPANAT) {
        ilc__mark_address(info, array->args[0]);
        return;
    }
    bool own = ilc__is_own_array(array); /* no caller sees it */
    while (array->kind == ILC__EX_LOAD) array = array->args[0];   /* what lies in an array of arrays counts as of it */
    info->stores = info->stores || !own;
    if (array->kind == ILC__EX_VAR) info->written[array->u.var->index] = true;
}

static void survey_expr(void *user, const ilc__expr *expr)
{
    survey *s = user;
    if (expr->type == ILC__IR_REF && (expr->kind == ILC__EX_SELECT || expr->kind == ILC__EX_SPAN || expr->kind == ILC__EX_SPANOF)) s->info->aliased = true;
    if (expr->kind != ILC__EX_CALL) return;
    uint32_t              number = ilc__func_number(s->em->unit, expr->u.callee);
    const ilc__func_info *callee = number == UINT32_MAX ? NULL : &s->em->infos[number];
    for (uint32_t i = 0; callee && i < expr->arg_count && i < callee->func->param_count; i++)
        if (!callee->written[i]) continue;
        else if (expr->args[i]->type == ILC__IR_ADDR) ilc__mark_address(s->info, expr->args[i]);
        else if (expr->args[i]->type == ILC__IR_REF) ilc__mark_written(s->info, expr->args[i]);
}

static void survey_stmt(void *user, const ilc__stmt *stmt)
{
    survey *s = user;
    if (stmt->kind == ILC__ST_STORE) ilc__mark_written(s->info, stmt->a);
    ilc__survey_memory(s->info, stmt);
    if (stmt->kind == ILC__ST_ASSIGN && stmt->var->is_array && !stmt->var->is_own) s->info->aliased = true;
    bool is_table = stmt->kind == ILC__ST_ASSIGN && ((stmt->a->kind == ILC__EX_NEWARR && stmt->a->u.var->table) || stmt->a->kind == ILC__EX_VAR);
    if (stmt->kind == ILC__ST_ASSIGN && stmt->var->is_own && !is_table) s->info->written[stmt->var->index] = true;
    if (stmt->kind == ILC__ST_ASSIGN && stmt->var->is_own && stmt->a->kind == ILC__EX_VAR) {
        s->flows = true;
        if (s->info->written[stmt->var->index]) s->info->written[stmt->a->u.var->index] = true;
    }
    ilc__stmt_exprs(stmt, survey_expr, s);
}

static void name_variables(ilc__emitter *em, const ilc__func *func, ilc__func_info *info)
{
    ilc__names   names = {.arena = em->arena};
    const char **vars = ILC__NEW_ARRAY(em->arena, const char *, func->vars.count + 1);
    const char **lens = ILC__NEW_ARRAY(em->arena, const char *, 3 * (size_t)func->vars.count + 3);
    for (uint32_t i = 0; i < func->vars.count; i++) {
        const ilc__var *var = func->vars.items[i];
        const char     *mangled = ilc__name_mangle(em->arena, var->name);
        vars[i] = var->is_param ? ilc__name_unique(&names, ilc__arena_printf(em->arena, "p_%s", mangled))
                                : ilc__name_local(&names, var->name);
        bool several = ilc__rank_of(var) > 1;
        for (uint32_t k = 0; var->is_array && k < ilc__rank_of(var); k++) {
            const char *wanted = several ? ilc__arena_printf(em->arena, "il_len_%s_%u", mangled, k)
                                         : ilc__arena_printf(em->arena, "il_len_%s", mangled);
            lens[3 * i + k] = ilc__name_unique(&names, wanted);
        }
    }
    info->var_names = vars;
    info->len_names = lens;
}

uint32_t ilc__func_info_marks(const ilc__func_info *info)
{
    uint32_t marks = (uint32_t)info->stores + info->aliased;
    for (uint32_t i = 0; i < info->func->vars.count; i++) marks += info->written[i];
    return marks;
}

void ilc__func_info_init(ilc__emitter *em, const ilc__func *func, const char *name, ilc__func_info *info)
{
    *info = (ilc__func_info){.func = func, .name = name};
    info->written = ILC__NEW_ARRAY(em->arena, bool, func->vars.count + 1);
    info->needs_len = ILC__NEW_ARRAY(em->arena, bool, 3 * (size_t)func->vars.count + 3);
    name_variables(em, func, info);
    const bool *through = ilc__written_in(em->unit, em->through, func);
    uint32_t known = func->view_of ? func->view_of->vars.count : func->vars.count; /* a view may have more */
    for (uint32_t i = 0; through && i < known; i++) info->written[i] = through[i];
    survey   s = {em, info, false};
    uint32_t marks;
    for (uint32_t i = 0; func->cycle && i < func->param_count; i++)
        for (uint32_t k = 0; func->vars.items[i]->is_array && k < ilc__rank_of(func->vars.items[i]); k++)
            info->needs_len[3 * i + k] = true;
    info->traps = func->cycle != 0 || (em->copies_result && func == em->root);
    do { /* a function that calls itself learns from itself, an array from the variables that it is assigned to */
        marks = ilc__func_info_marks(info);
        ilc__block_each(&func->body, survey_stmt, &s);
    } while ((func->cycle || s.flows) && ilc__func_info_marks(info) != marks);
    for (uint32_t i = 0; info->aliased && info->stores && i < func->vars.count; i++) info->written[i] = true;
}

/* --- printing ------------------------------------------------------------------------------------------- */

static const char *param_text(ilc__emitter *em, const ilc__func_info *info, uint32_t index)
{
    const ilc__var *var = info->func->vars.items[index];
    const char     *type = ilc__target_type(em, var->storage, var->layout);
    if (var->is_addr)
        return ilc__arena_printf(em->arena, "%s%s *%s", info->written[index] ? "" : "const ", type, info->var_names[index]);
    if (!var->is_array) return ilc__arena_printf(em->arena, "%s %s", type, info->var_names[index]);
    return ilc__arena_printf(em->arena, "%s%s *%s%s", info->written[index] ? "" : "const ", ilc__element_type(em, var),
                             em->pure && !info->stores ? em->dialect->restricted : "", info->var_names[index]);
}

void ilc__signature_print(ilc__emitter *em, const ilc__func_info *info, const char *end)
{
    const ilc__func *func = info->func;
    const char      *comma = "";
    const char      *type = ilc__c_type(func->ret);
    if (func->ret_to) type = ilc__arena_printf(em->arena, "%s *", ilc__target_type(em, func->ret_to->storage, func->ret_to->layout));
    if (func->ret_array) type = "il_array";
    const char *apart = em->apart[ilc__func_number(em->unit, func)] ? em->dialect->apart : "";
    ilc__out(em, "%s%s%s%s%s(", apart, em->dialect->function, type, func->ret_to ? "" : " ", info->name);
    if (info->cell_param) {
        ilc__out(em, "%s", info->cell_param);
        comma = ", ";
    }
    for (uint32_t i = 0; i < func->param_count; i++, comma = ", ") ilc__out(em, "%s%s", comma, param_text(em, info, i));
    for (uint32_t i = 0; i < func->param_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            if (!info->needs_len[3 * i + k]) continue;
            ilc__out(em, "%slong long %s", comma, info->len_names[3 * i + k]);
            comma = ", ";
        }
    if (info->traps) {
        ilc__out(em, "%sil_state *il_at", comma);
        comma = ", ";
    }
    if (func->cycle) ilc__out(em, ", int il_depth"); /* it raises: il_at stands before it */
    ilc__out(em, "%s)%s", *comma ? "" : "void", end);
}

ilc_status ilc__func_print(ilc__emitter *em, ilc__func_info *info, bool guarded)
{
    ilc__printer p = {.em = em, .info = info, .func = info->func, .guarded = guarded, .indent = 1,
                      .body = {.arena = em->arena}, .top = {.arena = em->arena}, .lines = {.arena = em->arena}};
    p.aligns = ilc__aligns_of(em, info->func);
    p.places = ilc__scope_places(em->arena, info->func);
    p.before.arena = em->arena;
    for (uint32_t i = info->func->vars.count; i-- > 0;) {
        ilc__place *place = &p.places[i], *first;
        if (place->kind != ILC__PLACE_BEFORE) continue;
        first = ilc__map_get(&p.before, &place->at, sizeof place->at);
        place->next = first ? (uint32_t)(first - p.places) : 0;
        ilc__map_put(&p.before, &place->at, sizeof place->at, place);
    }
    ilc__block_print(&p, &info->func->body);
    ILC__TRY(p.status);
    ilc__frame_note(&p);
    uint32_t head = em->out_line;
    ilc__signature_print(em, info, " {\n");
    ilc__out_text(em, ilc__text_string(&p.top));
    ilc__lines_of_func(&p, head, em->out_line);
    ilc__out_text(em, ilc__text_string(&p.body));
    ilc__out_text(em, "}\n\n");
    return ILC_OK;
}
