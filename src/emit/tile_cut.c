/* tile_cut.c - the function cut at its loop (tile.h): what each element does before it, in a turn of it, and after it.
 *
 *   begin   the statements before the loop, or where each cell starts as a constant that alone; an element that is done by
 *           then leaves its cell as it is
 *   step    the body, with the values that it loads as parameters
 *   end     the whole function with the loop's outcome in the loop's place; so early returns need no memory
 *
 * What may raise does so in `end` alone: `begin` stops there, and `step` sets il_failed, whereupon the thread's elements are
 * run by the function as it is. */
#include "emit/tile.h"

/* --- statements ----------------------------------------------------------------------------------------------- */

static ilc__stmt *loop_of(const ilc__func *func, uint32_t at, ilc__stmt **before)
{
    ilc__stmt *s = func->body.first;
    *before = NULL;
    for (; at > 0; at--) {
        *before = s;
        s = s->next;
    }
    return s;
}

static void return_nothing(ilc__block *block)
{
    for (ilc__stmt *s = block->first; s; s = s->next) {
        if (s->kind == ILC__ST_RETURN) s->a = NULL;
        if (s->kind == ILC__ST_CONTINUE) *s = (ilc__stmt){.kind = ILC__ST_RETURN, .next = s->next, .il = s->il, .line = s->line, .has_il = s->has_il};
        return_nothing(&s->body);
        return_nothing(&s->other);
        for (uint32_t i = 0; i < s->case_count; i++) return_nothing(&s->cases[i].body);
    }
}

/* --- loads become parameters ------------------------------------------------------------------------------------ */

typedef struct putter {
    const ilc__poly_scope *scope;
    const ilc__tile_load  *loads;
    uint32_t               count;
    ilc__var *const       *values;
} putter;

static void put_value(const putter *u, ilc__expr *e)
{
    ilc__poly             index;
    const ilc__tile_load *load = NULL;
    if (!e) return;
    if (e->kind == ILC__EX_LOAD && ilc__poly_of_index(u->scope, e->args[0], e->args[1], &index))
        load = ilc__tile_load_of(u->loads, u->count, &index, e->args[0]->u.var);
    if (load) *e = (ilc__expr){.kind = ILC__EX_VAR, .type = e->type, .il = e->il, .has_il = e->has_il, .depth = 1, .u.var = u->values[load - u->loads]};
    for (uint32_t i = 0; i < e->arg_count; i++) put_value(u, e->args[i]);
}

static void put_into(const putter *u, ilc__block *block)
{
    for (ilc__stmt *s = block->first; s; s = s->next) {
        put_value(u, s->a);
        put_value(u, s->b);
        put_value(u, s->c);
        put_into(u, &s->body);
        put_into(u, &s->other);
        for (uint32_t i = 0; i < s->case_count; i++) put_into(u, &s->cases[i].body);
    }
}

void ilc__tile_put_values(const ilc__poly_scope *scope, const ilc__tile_load *loads, uint32_t count, ilc__var *const *values, ilc__block *block)
{
    const putter u = {scope, loads, count, values};
    put_into(&u, block);
}

typedef struct cutter {
    ilc__emitter          *em;
    const ilc__tile_shape *shape;
    const ilc__func_info  *root; /* the function whole, whose names the parts keep */
    ilc__func             *func;
} cutter;

/* --- parts ------------------------------------------------------------------------------------------------------- */

ilc__var *ilc__tile_add_var(ilc__emitter *em, ilc__func *func, const char *name, ilc_storage storage)
{
    ilc__var *var = ILC__NEW(em->arena, ilc__var);
    *var = (ilc__var){.name = name, .storage = storage, .is_param = true, .index = func->vars.count, .assignments = 1};
    ILC__PUSH(em->arena, &func->vars, var);
    return var;
}

static const char *part_name(cutter *c, const char *suffix)
{
    return ilc__name_unique(&c->em->names, ilc__arena_printf(c->em->arena, "il_%s_%s", ilc__name_mangle(c->em->arena, c->em->root->name), suffix));
}

static bool is_c(const cutter *c)
{
    return c->em->options->dialect == ILC__DIALECT_C;
}

static const char *field_text(const cutter *c, uint32_t var)
{
    return ilc__arena_printf(c->em->arena, "il_cell%s%s", is_c(c) ? "->" : ".", c->root->var_names[var]);
}

/* As a parameter. */
static const char *cell_text(const cutter *c, const char *constant, const char *cell)
{
    return ilc__arena_printf(c->em->arena, "%s%s %sil_cell", constant, cell, is_c(c) ? "*" : "&");
}

/* Names of cells as fields; they are declared nowhere. */
static void start_part(cutter *c, ilc__func *func, const char *name, bool by_field, ilc__func_info *info)
{
    for (uint32_t i = 0; by_field && i < c->shape->func->vars.count; i++)
        if (c->shape->cell[i]) func->vars.items[i]->is_param = true;
    ilc__func_info_init(c->em, func, name, info);
    const char **names = ILC__NEW_ARRAY(c->em->arena, const char *, func->vars.count + 1);
    memcpy(names, c->root->var_names, c->shape->func->vars.count * sizeof *names);
    for (uint32_t i = 0; i < func->vars.count; i++) {
        if (by_field && i < c->shape->func->vars.count && c->shape->cell[i])
            names[i] = field_text(c, i);
        if (i >= c->shape->func->vars.count) names[i] = func->vars.items[i]->name; /* made here, named in C */
    }
    info->var_names = names;
}

static void keep_starts(const cutter *c, ilc__block *block)
{
    ilc__block kept = {0};
    for (ilc__stmt *s = block->first, *next; s; s = next) {
        next = s->next;
        if (s->kind != ILC__ST_ASSIGN || !c->shape->cell[s->var->index]) continue;
        s->next = NULL;
        if (kept.last) kept.last->next = s;
        else kept.first = s;
        kept.last = s;
    }
    *block = kept;
}

static void cut_begin(cutter *c, ilc__tile_parts *out)
{
    ilc__func *func = ilc__ast_copy_func(c->em->arena, c->shape->func);
    ilc__stmt *before;
    loop_of(func, c->shape->at, &before);
    if (before) before->next = NULL;
    else func->body.first = NULL;
    func->body.last = before;
    if (c->shape->starts_constant) keep_starts(c, &func->body);
    return_nothing(&func->body);
    func->ret = ILC_VOID;
    start_part(c, func, part_name(c, "begin"), true, &out->begin);
    out->begin.cell_param = cell_text(c, "", out->cell);
    out->begin.cell_arg = is_c(c) ? "&il_cell" : "il_cell";
    out->begin.traps_by = ILC__TRAPS_STOP;
}

static void cut_step(cutter *c, ilc__tile_parts *out)
{
    c->func = ilc__ast_copy_func(c->em->arena, c->shape->func);
    ilc__stmt *before, *loop = loop_of(c->func, c->shape->at, &before);
    ilc__poly_scope scope = ilc__tile_scope(c->em, c->func, loop);
    ilc__var       *values[ILC__TILE_LOADS];
    for (uint32_t i = 0; i < c->shape->load_count; i++)
        values[i] = ilc__tile_add_var(c->em, c->func, c->shape->loads[i].name, c->shape->loads[i].storage);
    ilc__tile_put_values(&scope, c->shape->loads, c->shape->load_count, values, &loop->body);
    return_nothing(&loop->body);
    c->func->body = loop->body;
    c->func->ret = ILC_VOID;
    loop->var->is_param = true;
    uint32_t *reads = ilc__tile_reads(c->em, c->func, &c->func->body);
    start_part(c, c->func, part_name(c, "step"), true, &out->step);
    for (uint32_t i = 0; i < c->func->vars.count; i++)
        if (!(i < c->func->param_count || i == c->shape->loop->var->index)) reads[i] = 0;
    out->step_reads = reads;
    c->func->param_count = 0; /* all are in cell_param */
    out->step.traps_by = ILC__TRAPS_MARK;
}

static void cut_end(cutter *c, ilc__tile_parts *out)
{
    ilc__func *func = ilc__ast_copy_func(c->em->arena, c->shape->func);
    ilc__stmt *before, *loop = loop_of(func, c->shape->at, &before), *last = before;
    ilc__stmt *behind = loop->next;
    for (uint32_t i = 0; i < c->shape->func->vars.count; i++) {
        if (!c->shape->carried[i]) continue;
        ilc__var  *var = func->vars.items[i];
        ilc__expr *value = ilc__expr_of(c->em->arena, ilc__tile_add_var(c->em, func, field_text(c, i), var->storage));
        ilc__stmt *take = ILC__NEW(c->em->arena, ilc__stmt);
        *take = (ilc__stmt){.kind = ILC__ST_ASSIGN, .var = var, .a = value, .il = loop->il, .line = loop->line, .has_il = loop->has_il};
        if (last) last->next = take;
        else func->body.first = take;
        last = take;
    }
    last->next = behind;
    if (!behind) func->body.last = last;
    start_part(c, func, part_name(c, "end"), false, &out->end);
    out->end.cell_param = cell_text(c, "const ", out->cell);
    out->end.cell_arg = is_c(c) ? "&il_cell" : "il_cell";
}

void ilc__tile_cut(ilc__emitter *em, const ilc__tile_shape *shape, const ilc__func_info *root, ilc__tile_parts *out)
{
    cutter c = {.em = em, .shape = shape, .root = root};
    *out = (ilc__tile_parts){.cell = part_name(&c, "cell")};
    cut_begin(&c, out);
    cut_step(&c, out);
    cut_end(&c, out);
}
