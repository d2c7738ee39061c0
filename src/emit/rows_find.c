/* rows_find.c - does a kernel of one index read rows that the index selects, in loops at its top? (rows.h) */
#include "emit/rows.h"

typedef struct finder {
    ilc__emitter   *em;
    const ilc__func *func;
    ilc__rows_loop *loop; /* the one looked at */
    ilc__poly_scope scope;
    ilc__place     *places;
    bool            raises; /* a function that it calls */
    bool            alone; /* all threads that run the function together run it for one element */
} finder;

/* --- may a thread leave before the others? ------------------------------------------------------------------- */

static bool is_index(const finder *f, const ilc__var *var)
{
    return var->is_param && var->index == f->em->spec->index_params[0];
}

/* The same for all elements, and raises nothing. */
static bool is_of_launch(const finder *f, const ilc__expr *e)
{
    switch (e->kind) {
    case ILC__EX_CONST: return true;
    case ILC__EX_VAR: return e->u.var->is_param && !e->u.var->is_array && !is_index(f, e->u.var) && e->u.var->assignments <= 1;
    case ILC__EX_LEN: case ILC__EX_DIM: return e->args[0]->kind == ILC__EX_VAR && e->args[0]->u.var->is_param && (e->proved || e->covered);
    case ILC__EX_OP:
        if (ilc__op_info_of(e->op)->trap_count && !(e->proved || e->covered)) return false;
        break;
    case ILC__EX_AND: case ILC__EX_OR: case ILC__EX_NOT: break;
    default: return false;
    }
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!is_of_launch(f, e->args[i])) return false;
    return true;
}

/* Raises nothing that the function could not go on after. */
static bool goes_on(const ilc__expr *e)
{
    bool settled = e->proved || e->covered;
    switch (e->kind) {
    case ILC__EX_CONST: case ILC__EX_AND: case ILC__EX_OR: case ILC__EX_NOT: case ILC__EX_SELECT: case ILC__EX_SUBSCRIPTS: break;
    case ILC__EX_VAR: return !e->u.var->is_array && !e->u.var->is_addr && !e->u.var->is_slot && !e->u.var->is_string;
    case ILC__EX_LEN: case ILC__EX_DIM: return settled && e->args[0]->kind == ILC__EX_VAR && e->args[0]->u.var->is_param;
    case ILC__EX_LOAD:
        return settled && e->args[0]->kind == ILC__EX_VAR && e->args[0]->u.var->is_param && e->type != ILC__IR_REF && goes_on(e->args[1]);
    case ILC__EX_OP:
        if (ilc__op_info_of(e->op)->trap_count && !settled && !ilc__op_may_wrap(e->op)) return false;
        break;
    default: return false;
    }
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!goes_on(e->args[i])) return false;
    return true;
}

static bool block_goes_on(const ilc__block *block);

/* A loop is left by its own condition. */
static bool stmt_goes_on(const ilc__stmt *s)
{
    switch (s->kind) {
    case ILC__ST_ASSIGN:
        if (s->var->is_array || s->var->is_addr || s->var->is_slot) return false;
        break;
    case ILC__ST_IF: case ILC__ST_SWITCH: case ILC__ST_EVAL: case ILC__ST_CONTINUE: case ILC__ST_BREAK: case ILC__ST_FOR: case ILC__ST_WHILE:
    case ILC__ST_DO: break;
    default: return false;
    }
    if ((s->a && !goes_on(s->a)) || (s->b && !goes_on(s->b)) || (s->c && !goes_on(s->c))) return false;
    for (uint32_t i = 0; i < s->case_count; i++)
        if (!block_goes_on(&s->cases[i].body)) return false;
    return block_goes_on(&s->body) && block_goes_on(&s->other);
}

static bool block_goes_on(const ilc__block *block)
{
    for (const ilc__stmt *s = block->first; s; s = s->next)
        if (!stmt_goes_on(s)) return false;
    return true;
}

static bool has_loop(const ilc__stmt *s)
{
    ilc__stmt one = *s;
    one.next = NULL;
    return ilc__block_has_loop(&(ilc__block){&one, &one});
}

/* Threads return together where the launch alone decides, or where they are of one element. */
static bool all_return(const finder *f, const ilc__stmt *s)
{
    if (f->alone) return !has_loop(s);
    if (s->kind == ILC__ST_RETURN) return !s->a || goes_on(s->a);
    if (s->kind != ILC__ST_IF || !is_of_launch(f, s->a)) return stmt_goes_on(s);
    for (const ilc__stmt *in = s->body.first; in; in = in->next)
        if (!all_return(f, in)) return false;
    for (const ilc__stmt *in = s->other.first; in; in = in->next)
        if (!all_return(f, in)) return false;
    return true;
}

/* --- a loop ---------------------------------------------------------------------------------------------------- */

static void take_load(void *user, const ilc__expr *e)
{
    finder        *f = user;
    ilc__tile_load load = {.storage = e->storage};
    uint32_t       size = ilc_storage_size(e->storage);
    if (e->kind != ILC__EX_LOAD) return;
    load.array = e->args[0]->u.var;
    if (load.array->assignments > 1 || (size != 4 && size != 8) || f->loop->load_count == ILC__TILE_LOADS) return;
    if (!ilc__poly_of_index(&f->scope, e->args[0], e->args[1], &load.index) || !ilc__tile_split(&load) || load.by_j) return;
    if (ilc__tile_load_of(f->loop->loads, f->loop->load_count, &load.index, load.array)) return;
    f->loop->loads[f->loop->load_count++] = load;
}

/* What an inner loop reads is not read once a turn. */
static void take_from(finder *f, const ilc__block *block)
{
    for (const ilc__stmt *s = block->first; s; s = s->next) {
        if (ilc__stmt_is_loop(s)) continue;
        ilc__stmt_exprs(s, take_load, f);
        take_from(f, &s->body);
        take_from(f, &s->other);
        for (uint32_t i = 0; i < s->case_count; i++) take_from(f, &s->cases[i].body);
    }
}

static bool take_loop(finder *f, ilc__stmt *loop)
{
    *f->loop = (ilc__rows_loop){.loop = loop};
    f->scope = ilc__tile_scope(f->em, f->func, loop);
    if (loop->var->is_param || !ilc__tile_head(&f->scope, loop, &f->loop->first, &f->loop->turns)) return false;
    if (ilc__block_jumps_to(&loop->body, loop, ILC__ST_BREAK)) return false;
    ilc__block         rest = {loop->next, NULL};
    const ilc__place *place = &f->places[loop->var->index];
    bool              own = place->kind == ILC__PLACE_FORS || (place->kind == ILC__PLACE_AT && place->at == loop);
    if (!own && ilc__tile_reads(f->em, f->func, &rest)[loop->var->index]) return false; /* where it ends */
    take_from(f, &loop->body);
    return f->alone || f->loop->load_count > 0;
}

/* Callees raise by themselves. */
static void see_call(void *user, const ilc__expr *e)
{
    finder *f = user;
    if (e->kind != ILC__EX_CALL) return;
    const ilc__func_info *callee = ilc__callee_info(f->em, true, e);
    f->raises = f->raises || !callee || callee->traps;
}

static void see_calls(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, see_call, user);
}

static bool none(const finder *f, const ilc__stmt *at, const char *why)
{
    ilc__note_add(f->em, f->alone ? "split" : "rows", false, at, "%s", why);
    return false;
}

static bool found(const finder *f, const struct ilc__rows *rows)
{
    for (uint32_t i = 0; i < rows->loop_count; i++) {
        const ilc__rows_loop *loop = &rows->loops[i];
        ilc__note_add(f->em, "loop", true, loop->loop, "this loop, of %s turns, reads %s", ilc__poly_words(f->em, f->func, &loop->turns),
                      loop->load_count ? ilc__loads_words(f->em, f->func, loop->loads, loop->load_count) : "no row");
    }
    return rows->loop_count > 0 || none(f, NULL, "there is no loop at its top over a row that i selects");
}

bool ilc__rows_find(ilc__emitter *em, const ilc__func *func, struct ilc__rows *out)
{
    finder f = {.em = em, .func = func, .places = ilc__scope_places(em->arena, func), .alone = out->split != 0};
    out->loop_count = 0;
    if (em->spec->mode != ILC__MODE_1D) return false;
    ilc__block_each(&func->body, see_calls, &f);
    const char *why = f.raises ? "it calls what may raise by itself" : ilc__tile_unfit(em, func, true);
    if (why) return none(&f, NULL, why);
    for (ilc__stmt *s = func->body.first; s; s = s->next) {
        bool together = all_return(&f, s), room = out->loop_count < ILC__ROWS_LOOPS;
        if (!together && !f.alone) { /* threads may part here, as nothing behind waits for all */
            if (out->loop_count) break;
            return none(&f, s, "elements may go different ways from here on");
        }
        if (s->kind == ILC__ST_FOR && room && stmt_goes_on(s)) {
            f.loop = &out->loops[out->loop_count];
            if (take_loop(&f, s)) {
                out->loop_count++;
                continue;
            }
        }
        if (!together) return none(&f, s, "all threads of a row would run all turns of this loop"); /* it is none of theirs */
    }
    return found(&f, out);
}
