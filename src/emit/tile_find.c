/* tile_find.c - is a kernel of two indices one loop over rows that the indices select? (tile.h) */
#include "emit/tile.h"

typedef struct finder {
    ilc__emitter    *em;
    ilc__tile_shape *shape;
    ilc__poly_scope  scope;
    ilc__place      *places;
    uint32_t        *inside; /* by variable: how often it is read in the loop's body, subscripts apart     */
    bool             fits;
    const ilc__stmt *at;  /* looked at */
} finder;

/* The first reason is the one that is told. */
static void refuse(finder *f, const char *why)
{
    if (f->fits) ilc__note_add(f->em, "tile", false, f->at, "%s", why);
    f->fits = false;
}

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

/* NULL, or why it is none. */
static const char *take_load(finder *f, const ilc__expr *e)
{
    ilc__tile_load load = {.storage = e->storage};
    if (e->type == ILC__IR_REF || e->args[0]->kind != ILC__EX_VAR) return "it reads what is no array of numbers among the parameters";
    load.array = e->args[0]->u.var;
    if (!load.array->is_param || load.array->assignments > 1)
        return ilc__arena_printf(f->em->arena, "it reads %s, which is not the same array for all elements", load.array->name);
    if (!(e->proved || e->covered)) return ilc__arena_printf(f->em->arena, "reading %s may raise, whatever the launch is", load.array->name);
    if (!ilc__poly_of_index(&f->scope, e->args[0], e->args[1], &load.index))
        return ilc__arena_printf(f->em->arena, "the subscript of %s is no sum of products of indices, counter and scalars", load.array->name);
    if (ilc__tile_load_of(f->shape->loads, f->shape->load_count, &load.index, load.array)) return NULL;
    if (!ilc__tile_split(&load))
        return ilc__arena_printf(f->em->arena, "%s(%s) is no element of a row that i alone or j alone selects", load.array->name,
                                 ilc__poly_words(f->em, f->shape->func, &load.index));
    if (f->shape->load_count == ILC__TILE_LOADS) return "a turn reads more than 6 elements";
    f->shape->loads[f->shape->load_count++] = load;
    return NULL;
}

/* Subscripts of loads are not looked into: they go. */
static void look_at(finder *f, const ilc__expr *e)
{
    const char *why;
    f->shape->weight++;
    if (e->kind == ILC__EX_OP && e->arg_count == 3) f->shape->fused = true;
    switch (e->kind) {
    case ILC__EX_LOAD:
        if (f->fits && (why = take_load(f, e))) refuse(f, why);
        return;
    case ILC__EX_VAR:
        if (e->u.var->is_array || e->u.var->is_addr || e->u.var->is_slot || e->u.var->is_string)
            refuse(f, ilc__arena_printf(f->em->arena, "a turn reads %s, which is no number", e->u.var->name));
        f->inside[e->u.var->index]++;
        return;
    case ILC__EX_CONST: case ILC__EX_OP: case ILC__EX_AND: case ILC__EX_OR: case ILC__EX_NOT: case ILC__EX_SELECT: break;
    case ILC__EX_LEN: case ILC__EX_DIM: refuse(f, "a turn asks for the length of an array"); break;
    default: refuse(f, "a turn does more than compute with numbers");
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
    f->at = s;
    switch (s->kind) {
    case ILC__ST_ASSIGN:
        if (s->var->is_array || s->var->is_addr || s->var->is_param || s->var->is_slot || s->var == f->shape->loop->var)
            refuse(f, ilc__arena_printf(f->em->arena, "a turn changes %s, which is no number of the element's own", s->var->name));
        keep(f, s->var, true);
        break;
    case ILC__ST_CONTINUE:
        if (s->target != f->shape->loop) refuse(f, "a turn goes on in another loop");
        break;
    case ILC__ST_IF: case ILC__ST_SWITCH: case ILC__ST_EVAL: break;
    case ILC__ST_FOR: case ILC__ST_WHILE: case ILC__ST_DO: case ILC__ST_LOOP: refuse(f, "a turn has a loop of its own"); break;
    case ILC__ST_BREAK: case ILC__ST_RETURN: case ILC__ST_GOTO: refuse(f, "a turn may leave the loop"); break;
    case ILC__ST_THROW: refuse(f, "a turn throws"); break;
    default: refuse(f, "a turn stores to memory");
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

static ilc__stmt *no_loop(ilc__emitter *em, const ilc__stmt *at, const char *why)
{
    ilc__note_add(em, "tile", false, at, "%s", why);
    return NULL;
}

static ilc__stmt *only_loop(ilc__emitter *em, const ilc__func *func, uint32_t *at)
{
    ilc__stmt *found = NULL;
    uint32_t   number = 0;
    for (ilc__stmt *s = func->body.first; s; s = s->next, number++) {
        if (s->kind == ILC__ST_LOOP || s->kind == ILC__ST_WHILE || s->kind == ILC__ST_DO) return no_loop(em, s, "this loop does not count");
        if (s->kind != ILC__ST_FOR) continue;
        if (found) return no_loop(em, s, "this is a second loop");
        found = s;
        *at = number;
    }
    return found ? found : no_loop(em, NULL, "there is no loop at its top");
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
    if (e->kind == ILC__EX_CALL) *(const ilc__func **)user = e->u.callee;
}

static void see_calls(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, see_call, user);
}

const char *ilc__tile_unfit(ilc__emitter *em, const ilc__func *func, bool calls)
{
    const ilc__func *callee = NULL;
    ilc__block_each(&func->body, see_calls, &callee);
    if (callee && !calls) return ilc__arena_printf(em->arena, "it calls %s", callee->name);
    if (!em->pure) return "it stores to an array, or has no result";
    if (func->cycle) return "it is recursive";
    if (func->has_goto) return "it jumps";
    if (func->ret_layout || func->ret_to) return "its result is no number";
    for (uint32_t i = 0; i < func->vars.count; i++) {
        const ilc__var *var = func->vars.items[i];
        if (var->is_slot || var->is_own) return ilc__arena_printf(em->arena, "%s lies in memory", var->name);
    }
    return NULL;
}

static bool none(ilc__emitter *em, const ilc__stmt *at, const char *why)
{
    ilc__note_add(em, "tile", false, at, "%s", why);
    return false;
}

bool ilc__tile_find(ilc__emitter *em, const ilc__func_info *root, ilc__tile_shape *out)
{
    const ilc__func *func = root->func;
    *out = (ilc__tile_shape){.func = func};
    if (em->spec->mode != ILC__MODE_2D) return false;
    const char *why = ilc__tile_unfit(em, func, false);
    if (why) return none(em, NULL, why);
    out->loop = only_loop(em, func, &out->at);
    if (!out->loop) return false;
    uint32_t count = func->vars.count;
    out->cell = ILC__NEW_ARRAY(em->arena, bool, count + 1);
    out->carried = ILC__NEW_ARRAY(em->arena, bool, count + 1);
    finder f = {.em = em, .shape = out, .fits = true, .scope = ilc__tile_scope(em, func, out->loop), .places = ilc__scope_places(em->arena, func),
                .inside = ILC__NEW_ARRAY(em->arena, uint32_t, count + 1)};
    f.at = out->loop;
    if (!ilc__tile_head(&f.scope, out->loop, &out->first, &out->turns))
        return none(em, out->loop, "this loop does not count up by 1 between bounds that are the same for all elements");
    look_at_block(&f, &out->loop->body);
    if (!f.fits) return false;
    take_reads(&f);
    /* Behind the loop the counter is what ended it. */
    ilc__block rest = {out->loop->next, NULL};
    if (ilc__tile_reads(em, func, &rest)[out->loop->var->index] || out->loop->var->is_param)
        return none(em, out->loop, "the counter of this loop is read behind it, or is a parameter");
    bool by_i = false, by_j = false;
    for (uint32_t i = 0; i < out->load_count; i++) *(out->loads[i].by_j ? &by_j : &by_i) = true;
    name_loads(em, out, root);
    out->starts_constant = starts_constant(&f);
    out->reads_indices = f.inside[em->spec->index_params[0]] || f.inside[em->spec->index_params[1]];
    if (!by_i || !by_j) return none(em, out->loop, by_i ? "this loop reads no row that j selects" : by_j ? "this loop reads no row that i selects" : "this loop reads no rows");
    if (!out->cells) return none(em, out->loop, "this loop keeps nothing from turn to turn");
    if (out->weight > ILC__TILE_HEAVIEST) return none(em, out->loop, "a turn of this loop is too long");
    ilc__note_add(em, "loop", true, out->loop, "this loop, of %s turns, reads %s", ilc__poly_words(em, func, &out->turns),
                  ilc__loads_words(em, func, out->loads, out->load_count));
    ilc__tile_find_half(em, out);
    return true;
}
