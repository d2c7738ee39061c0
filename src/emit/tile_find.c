/* tile_find.c - is a kernel of two indices one loop over rows that the indices select? (tile.h) */
#include "emit/tile.h"

typedef struct finder {
    ilc__emitter    *em;
    ilc__tile_shape *shape;
    ilc__poly_scope  scope;
    ilc__place      *places;
    uint32_t        *inside; /* by variable: how often it is read in the loop's body, subscripts apart     */
    bool             fits;
} finder;

/* --- what values always are ------------------------------------------------------------------------------- */

ilc__poly_scope ilc__tile_scope(ilc__emitter *em, const ilc__func *func, const ilc__stmt *loop)
{
    const ilc__expr **defined = ILC__NEW_ARRAY(em->arena, const ilc__expr *, func->vars.count + 1);
    for (const ilc__stmt *s = func->body.first; s && s != loop; s = s->next)
        if (s->kind == ILC__ST_ASSIGN && s->var->assignments == 1 && !s->var->is_param) defined[s->var->index] = s->a;
    return (ilc__poly_scope){em->spec, loop ? loop->var : NULL, defined};
}

/* --- the loop's body ---------------------------------------------------------------------------------------- */

static void count_read(void *user, const ilc__expr *e)
{
    if (e->kind == ILC__EX_VAR) ((uint32_t *)user)[e->u.var->index]++;
}

static void count_in_stmt(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, count_read, user);
}

uint32_t *ilc__tile_reads(ilc__emitter *em, const ilc__func *func, const ilc__block *block)
{
    uint32_t *counts = ILC__NEW_ARRAY(em->arena, uint32_t, func->vars.count + 1);
    ilc__block_each(block, count_in_stmt, counts);
    return counts;
}

const ilc__tile_load *ilc__tile_load_of(const ilc__tile_load *loads, uint32_t count, const ilc__poly *index, const ilc__var *array)
{
    for (uint32_t i = 0; i < count; i++)
        if (loads[i].array->index == array->index && ilc__poly_same(&loads[i].index, index)) return &loads[i];
    return NULL;
}

bool ilc__tile_split(ilc__tile_load *load)
{
    ilc__poly by_counter, by_i, by_j;
    load->start = load->index;
    if (!ilc__poly_split(&load->start, ILC__SYM_COUNTER, &by_counter) || !ilc__poly_split(&load->start, ILC__SYM_I, &by_i) ||
        !ilc__poly_split(&load->start, ILC__SYM_J, &by_j))
        return false;
    load->by_j = by_i.count == 0;
    load->stride = load->by_j ? by_j : by_i;
    bool one = (by_i.count == 0) != (by_j.count == 0);
    return one && ilc__poly_is_const(&by_counter, 1) && !ilc__poly_has(&load->stride, ILC__SYM_I) && !ilc__poly_has(&load->stride, ILC__SYM_J);
}

static bool take_load(finder *f, const ilc__expr *e)
{
    ilc__tile_load load = {.storage = e->storage};
    if (e->type == ILC__IR_REF || e->args[0]->kind != ILC__EX_VAR || !(e->proved || e->covered)) return false;
    load.array = e->args[0]->u.var;
    if (!load.array->is_param || load.array->assignments > 1) return false;
    if (!ilc__poly_of_index(&f->scope, e->args[0], e->args[1], &load.index)) return false;
    if (ilc__tile_load_of(f->shape->loads, f->shape->load_count, &load.index, load.array)) return true;
    if (!ilc__tile_split(&load) || f->shape->load_count == ILC__TILE_LOADS) return false;
    f->shape->loads[f->shape->load_count++] = load;
    return true;
}

/* Subscripts of loads are not looked into: they go. */
static void look_at(finder *f, const ilc__expr *e)
{
    f->shape->weight++;
    if (e->kind == ILC__EX_OP && e->arg_count == 3) f->shape->fused = true;
    switch (e->kind) {
    case ILC__EX_LOAD:
        f->fits = f->fits && take_load(f, e);
        return;
    case ILC__EX_VAR:
        if (e->u.var->is_array || e->u.var->is_addr || e->u.var->is_slot || e->u.var->is_string) f->fits = false;
        f->inside[e->u.var->index]++;
        return;
    case ILC__EX_CONST: case ILC__EX_OP: case ILC__EX_AND: case ILC__EX_OR: case ILC__EX_NOT: case ILC__EX_SELECT: break;
    default: f->fits = false;
    }
    for (uint32_t i = 0; i < e->arg_count; i++) look_at(f, e->args[i]);
}

static bool is_inside(const ilc__block *block, const ilc__stmt *stmt)
{
    for (const ilc__stmt *s = block->first; s; s = s->next) {
        if (s == stmt || is_inside(&s->body, stmt) || is_inside(&s->other, stmt)) return true;
        for (uint32_t i = 0; i < s->case_count; i++)
            if (is_inside(&s->cases[i].body, stmt)) return true;
    }
    return false;
}

bool ilc__tile_is_placed_in(const ilc__place *place, const ilc__block *block)
{
    return (place->kind == ILC__PLACE_AT || place->kind == ILC__PLACE_BEFORE) && is_inside(block, place->at);
}

/* A cell, unless its life is within a turn. */
static void keep(finder *f, const ilc__var *var, bool carried)
{
    if (ilc__tile_is_placed_in(&f->places[var->index], &f->shape->loop->body)) return;
    f->shape->cells += !f->shape->cell[var->index];
    f->shape->cell[var->index] = true;
    if (carried) f->shape->carried[var->index] = true;
}

static void look_at_block(finder *f, const ilc__block *block);

static void look_at_stmt(finder *f, const ilc__stmt *s)
{
    f->shape->weight++;
    switch (s->kind) {
    case ILC__ST_ASSIGN:
        if (s->var->is_array || s->var->is_addr || s->var->is_param || s->var->is_slot || s->var == f->shape->loop->var) f->fits = false;
        keep(f, s->var, true);
        break;
    case ILC__ST_CONTINUE: f->fits = f->fits && s->target == f->shape->loop; break;
    case ILC__ST_IF: case ILC__ST_SWITCH: case ILC__ST_EVAL: break;
    default: f->fits = false;
    }
    if (s->a) look_at(f, s->a);
    look_at_block(f, &s->body);
    look_at_block(f, &s->other);
    for (uint32_t i = 0; i < s->case_count; i++) look_at_block(f, &s->cases[i].body);
}

static void look_at_block(finder *f, const ilc__block *block)
{
    for (const ilc__stmt *s = block->first; s && f->fits; s = s->next) look_at_stmt(f, s);
}

/* --- the loop's head ---------------------------------------------------------------------------------------- */

static bool is_launch_constant(const ilc__poly *poly)
{
    return !ilc__poly_has(poly, ILC__SYM_I) && !ilc__poly_has(poly, ILC__SYM_J) && !ilc__poly_has(poly, ILC__SYM_COUNTER);
}

bool ilc__tile_head(const ilc__poly_scope *scope, const ilc__stmt *loop, ilc__poly *first, ilc__poly *turns)
{
    ilc__op op = loop->compare;
    bool    below = op == ILC__OP_LT_I32 || op == ILC__OP_LT_I64, up_to = op == ILC__OP_LE_I32 || op == ILC__OP_LE_I64;
    bool    checked = loop->step == ILC__OP_ADD_OVF_I32 || loop->step == ILC__OP_ADD_OVF_I64;
    bool    adds = checked || loop->step == ILC__OP_ADD_I32 || loop->step == ILC__OP_ADD_I64;
    if (!(below || up_to) || !adds || loop->ends == ILC__FOR_BY_SIGN || !ilc__expr_is_const(loop->c, 1)) return false;
    if (loop->ends != ILC__FOR_AT_LIMIT && up_to && !(loop->proved || loop->covered)) return false;
    if (!ilc__poly_of(scope, loop->a, first) || !ilc__poly_of(scope, loop->b, turns)) return false;
    if (!is_launch_constant(first) || !is_launch_constant(turns)) return false;
    return ilc__poly_add(turns, first, -1) && ilc__poly_add_const(turns, up_to);
}

/* Read in the loop, and no scalar of the launch: an element's own, or what the counter is. */
static void take_reads(finder *f)
{
    const ilc__func *func = f->shape->func;
    for (uint32_t i = 0; i < func->vars.count; i++) {
        const ilc__var *var = func->vars.items[i];
        if (f->inside[i] && !var->is_param && var != f->shape->loop->var) keep(f, var, false);
    }
}

typedef struct starts {
    const ilc__tile_shape *shape;
    uint32_t              *counts; /* by variable: assignments before the loop */
} starts;

static void count_start(void *user, const ilc__stmt *stmt)
{
    const starts *s = user;
    if (stmt->var && s->shape->cell[stmt->var->index]) s->counts[stmt->var->index]++;
}

/* Each cell has one assignment before the loop, at the top, of a constant. */
static bool starts_constant(const finder *f)
{
    ilc__tile_shape *shape = f->shape;
    starts           s = {shape, ILC__NEW_ARRAY(f->em->arena, uint32_t, shape->func->vars.count + 1)};
    uint32_t         constants = 0;
    for (ilc__stmt *at = shape->func->body.first; at != shape->loop; at = at->next) {
        ilc__stmt  alone = *at;
        ilc__block one = {&alone, &alone};
        alone.next = NULL;
        ilc__block_each(&one, count_start, &s);
        constants += at->kind == ILC__ST_ASSIGN && shape->cell[at->var->index] && at->a->kind == ILC__EX_CONST;
    }
    for (uint32_t i = 0; i < shape->func->vars.count; i++)
        if (shape->cell[i] && (s.counts[i] != 1 || !shape->carried[i])) return false;
    return constants == shape->cells;
}

static ilc__stmt *only_loop(const ilc__func *func, uint32_t *at)
{
    ilc__stmt *found = NULL;
    uint32_t   number = 0;
    for (ilc__stmt *s = func->body.first; s; s = s->next, number++) {
        if (s->kind == ILC__ST_LOOP || s->kind == ILC__ST_WHILE || s->kind == ILC__ST_DO) return NULL;
        if (s->kind != ILC__ST_FOR) continue;
        if (found) return NULL;
        found = s;
        *at = number;
    }
    return found;
}

static void name_loads(ilc__emitter *em, ilc__tile_shape *shape, const ilc__func_info *root)
{
    ilc__names names = {.arena = em->arena};
    for (uint32_t i = 0; i < shape->func->vars.count; i++) ilc__name_unique(&names, root->var_names[i]);
    for (uint32_t i = 0; i < shape->load_count; i++) {
        ilc__tile_load *load = &shape->loads[i];
        const char     *name = ilc__arena_printf(em->arena, "%s_%c", ilc__name_mangle(em->arena, load->array->name), load->by_j ? 'j' : 'i');
        load->name = ilc__name_unique(&names, ilc__arena_printf(em->arena, "p_%s", name));
    }
}

static void see_call(void *user, const ilc__expr *e)
{
    if (e->kind == ILC__EX_CALL) *(bool *)user = true;
}

static void see_calls(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, see_call, user);
}

bool ilc__tile_find(ilc__emitter *em, const ilc__func_info *root, ilc__tile_shape *out)
{
    const ilc__func *func = root->func;
    bool             calls = false;
    *out = (ilc__tile_shape){.func = func};
    ilc__block_each(&func->body, see_calls, &calls);
    if (calls) return false;
    if (em->spec->mode != ILC__MODE_2D || !em->pure || func->has_goto || func->cycle || func->ret_layout || func->ret_to) return false;
    for (uint32_t i = 0; i < func->vars.count; i++)
        if (func->vars.items[i]->is_slot || func->vars.items[i]->is_own) return false;
    out->loop = only_loop(func, &out->at);
    if (!out->loop) return false;
    uint32_t count = func->vars.count;
    out->cell = ILC__NEW_ARRAY(em->arena, bool, count + 1);
    out->carried = ILC__NEW_ARRAY(em->arena, bool, count + 1);
    finder f = {.em = em, .shape = out, .fits = true, .scope = ilc__tile_scope(em, func, out->loop), .places = ilc__scope_places(em->arena, func),
                .inside = ILC__NEW_ARRAY(em->arena, uint32_t, count + 1)};
    if (!ilc__tile_head(&f.scope, out->loop, &out->first, &out->turns)) return false;
    look_at_block(&f, &out->loop->body);
    if (!f.fits) return false;
    take_reads(&f);
    /* Behind the loop the counter is what ended it. */
    ilc__block rest = {out->loop->next, NULL};
    if (ilc__tile_reads(em, func, &rest)[out->loop->var->index] || out->loop->var->is_param) return false;
    bool by_i = false, by_j = false;
    for (uint32_t i = 0; i < out->load_count; i++) *(out->loads[i].by_j ? &by_j : &by_i) = true;
    name_loads(em, out, root);
    out->starts_constant = starts_constant(&f);
    out->reads_indices = f.inside[em->spec->index_params[0]] || f.inside[em->spec->index_params[1]];
    out->symmetric = ilc__tile_is_symmetric(em, out);
    return out->weight <= ILC__TILE_HEAVIEST && by_i && by_j && out->cells > 0;
}
