/* guard.c - the launch guard (docs/semantics.md, Launch guards).
 *
 * One walk over the root's tree, and those of the functions it calls (guard_calls.c), follows the interval of every integer variable. At compile time (marking) it
 * decides which checks launch constants could prove and marks them covered; at launch the same walk, with the
 * numbers filled in, tests each covered check where it stands. Covered and not proved means false. A bound
 * that the walk holds is always true of the value, so what is not followed costs precision, never soundness.
 * Expressions are in guard_expr.c, conditions in guard_cond.c, loops in guard_loops.c. */
#include "emit/guard.h"

/* A tree that takes more statements to walk has no guard. */
#define MAX_WORK 4000000u
/* Variables times labels. */
#define MAX_FORGETTING 1000000u
/* What more cases assign is forgotten behind them, where that of fewer is joined. */
enum { MAX_WAYS = 64 };

/* --- state ------------------------------------------------------------------------------------------------
 */

void ilc__guard_set(ilc__guard *w, const ilc__var *var, ilc__range range)
{
    ILC__PUSH(w->arena, &w->trail, (ilc__guard_change){var->index, w->env[var->index]});
    w->env[var->index] = range;
}

void ilc__guard_undo(ilc__guard *w, uint32_t mark)
{
    while (w->trail.count > mark) {
        ilc__guard_change c = w->trail.items[--w->trail.count];
        w->env[c.var] = c.old;
    }
}

ilc__range ilc__guard_unknown(const ilc__var *var)
{
    return ilc__range_of_storage(var->storage);
}

static void forget_stmt(void *user, const ilc__stmt *stmt)
{
    ilc__guard *w = user;
    if (stmt->var && !stmt->var->is_array && !stmt->var->is_addr)
        ilc__guard_set(w, stmt->var, ilc__guard_unknown(stmt->var));
}

/* What a block assigns is unknown at the head of the loop that repeats it. */
void ilc__guard_forget(ilc__guard *w, const ilc__block *block)
{
    ilc__block_each(block, forget_stmt, w);
}

/* Where a goto may come from anywhere: only what nothing assigns is as it was. */
void ilc__guard_forget_all(ilc__guard *w)
{
    for (uint32_t i = 0; i < w->func->vars.count; i++) {
        const ilc__var *var = w->func->vars.items[i];
        ilc__guard_set(
            w, var, var->assignments > (var->is_param ? 1u : 0u) ? ilc__guard_unknown(var) : w->initial[i]);
    }
}

bool ilc__guard_is_integer(const ilc__var *var)
{
    return !var->is_array && !var->is_addr && !var->is_slot && var->storage != ILC_F32 &&
           var->storage != ILC_F64;
}

/* --- covering ---------------------------------------------------------------------------------------------
 */

/* Marking: the check is covered when launch constants may prove it, or nothing is left to prove, for every call of its
 * function. At launch: a covered check must be proved. */
void ilc__guard_cover(ilc__guard *w, bool *covered, bool provable, bool proved)
{
    if (w->quiet || w->dead) return;
    if (!w->marking) {
        if (*covered && !proved) w->failed = true;
        return;
    }
    *covered = (provable || proved) && (*covered || !w->again);
}

/* --- statements -------------------------------------------------------------------------------------------
 */

static void walk_if(ilc__guard *w, ilc__stmt *stmt)
{
    ilc__guard_eval(w, stmt->a, false);
    uint32_t           mark = w->trail.count, count[2];
    ilc__guard_change *ways[2];
    bool               dead[2], was_dead = w->dead;
    for (int way = 0; way < 2; way++) {
        ilc__guard_refine(w, stmt->a, way == 0);
        w->guarded = way == 0 ? stmt->body.first : NULL;
        w->when = stmt->a;
        ilc__guard_block(w, way == 0 ? &stmt->body
                                     : &stmt->other); /* a label in it may be reached in other ways */
        dead[way] = w->dead;
        count[way] = ilc__guard_take_way(w, mark, &ways[way]);
        w->dead = was_dead;
    }
    ilc__guard_join_ways(w, ways[0], count[0], dead[0], ways[1], count[1], dead[1]);
}

/* The variable is in one of the case's ranges. */
static void enter_case(ilc__guard *w, const ilc__var *var, const ilc__case *one)
{
    ilc__range value = w->env[var->index];
    int64_t    low = INT64_MAX, high = INT64_MIN;
    for (uint32_t i = 0; i < one->count; i++) {
        if (one->ranges[i].first < low) low = one->ranges[i].first;
        if (one->ranges[i].last > high) high = one->ranges[i].last;
    }
    value.lo_known |= low >= value.lo;
    value.hi_known |= high <= value.hi;
    if (low > value.lo) value.lo = low;
    if (high < value.hi) value.hi = high;
    if (value.lo > value.hi) w->dead = true;
    else ilc__guard_set(w, var, value);
}

static void walk_cases_apart(ilc__guard *w, ilc__stmt *stmt, const ilc__var *var)
{
    uint32_t mark = w->trail.count;
    for (uint32_t i = 0; i <= stmt->case_count; i++) {
        if (var && i < stmt->case_count) enter_case(w, var, &stmt->cases[i]);
        ilc__guard_block(w, i < stmt->case_count ? &stmt->cases[i].body : &stmt->other);
        ilc__guard_undo(w, mark);
        w->dead = false;
    }
    for (uint32_t i = 0; i < stmt->case_count; i++)
        ilc__guard_forget(w, &stmt->cases[i].body);
    ilc__guard_forget(w, &stmt->other);
}

static void walk_switch(ilc__guard *w, ilc__stmt *stmt)
{
    ilc__guard_eval(w, stmt->a, false);
    const ilc__var *var = stmt->a->kind == ILC__EX_VAR && ilc__guard_is_integer(stmt->a->u.var) ? stmt->a->u.var : NULL;
    if (stmt->case_count > MAX_WAYS) {
        walk_cases_apart(w, stmt, var);
        return;
    }
    uint32_t           mark = w->trail.count, count[2] = {0, 0};
    ilc__guard_change *ways[2] = {NULL, NULL};
    bool               dead[2] = {true, true}, was_dead = w->dead;
    for (uint32_t i = 0; i <= stmt->case_count; i++) {
        if (var && i < stmt->case_count) enter_case(w, var, &stmt->cases[i]);
        ilc__guard_block(w, i < stmt->case_count ? &stmt->cases[i].body : &stmt->other);
        dead[1] = w->dead;
        count[1] = ilc__guard_take_way(w, mark, &ways[1]);
        w->dead = was_dead;
        ilc__guard_join_ways(w, ways[0], count[0], dead[0], ways[1], count[1], dead[1]);
        dead[0] = w->dead;
        count[0] = ilc__guard_take_way(w, mark, &ways[0]);
        w->dead = was_dead;
    }
    ilc__guard_join_ways(w, ways[0], count[0], dead[0], NULL, 0, true);
}

/* A small variable keeps its width. */
static void walk_assign(ilc__guard *w, ilc__stmt *stmt)
{
    ilc__guard_note_assign(w, stmt);
    ilc__range value = ilc__guard_eval(w, stmt->a, w->wanted[stmt->var->index]),
               width = ilc__guard_unknown(stmt->var);
    if (stmt->var->is_array || stmt->var->is_addr) return;
    ilc__guard_set(w, stmt->var, ilc__range_within(value, width) ? value : width);
}

static void walk_store(ilc__guard *w, ilc__stmt *stmt)
{
    ilc__guard_eval(w, stmt->a, false);
    ilc__range index[3];
    uint32_t   count = ilc__guard_index(w, stmt->b, index);
    ilc__guard_eval(w, stmt->c, false);
    if (!stmt->proved) ilc__guard_access(w, &stmt->covered, stmt->a, index, count);
}

/* Slots have no ranges, so there is none to forget. */
static void walk_memory(ilc__guard *w, ilc__stmt *stmt)
{
    ilc__guard_eval(w, stmt->a, false);
    if (stmt->b) ilc__guard_eval(w, stmt->b, false);
    if (stmt->c) ilc__guard_eval(w, stmt->c, false);
}

static void walk_stmt(ilc__guard *w, ilc__stmt *stmt)
{
    switch (stmt->kind) {
    case ILC__ST_ASSIGN: walk_assign(w, stmt); break;
    case ILC__ST_STORE: walk_store(w, stmt); break;
    case ILC__ST_STOREIND:
    case ILC__ST_COPYMEM:
    case ILC__ST_COPYBYTES:
    case ILC__ST_FILLBYTES:
    case ILC__ST_ZEROMEM: walk_memory(w, stmt); break;
    case ILC__ST_EVAL: ilc__guard_eval(w, stmt->a, false); break;
    case ILC__ST_IF: walk_if(w, stmt); break;
    case ILC__ST_FOR:
    case ILC__ST_LOOP:
    case ILC__ST_WHILE:
    case ILC__ST_DO:
        if (ilc__guard_is_entered(w, stmt))
            ilc__guard_walk_labelled(w, stmt);
        else
            ilc__guard_walk_loop(w, stmt);
        break;
    case ILC__ST_SWITCH: walk_switch(w, stmt); break;
    case ILC__ST_RETURN:
        ilc__guard_return(w, stmt);
        w->dead = true;
        break;
    case ILC__ST_BREAK:
    case ILC__ST_CONTINUE:
        ilc__guard_note_jump(w, stmt);
        w->dead = true;
        break;
    case ILC__ST_GOTO: ilc__guard_jump(w, stmt); w->dead = true; break;
    case ILC__ST_THROW: w->dead = true; break;
    case ILC__ST_LABEL: ilc__guard_arrive(w, stmt); break;
    }
}

void ilc__guard_block(ilc__guard *w, const ilc__block *block)
{
    for (ilc__stmt *stmt = block->first; stmt && !w->failed; stmt = stmt->next) {
        if (w->dead && !ilc__guard_has_label(w, stmt)) continue;
        if (++w->work > MAX_WORK) w->failed = true;
        if (w->depth) w->calls->work++;
        walk_stmt(w, stmt);
    }
}

/* --- the start --------------------------------------------------------------------------------------------
 */

static int64_t scalar_on_stack(ilc_storage storage, int64_t value)
{
    switch (storage) {
    case ILC_BOOL:
    case ILC_U8: return (uint8_t)value;
    case ILC_CHAR:
    case ILC_U16: return (uint16_t)value;
    case ILC_I8: return (int8_t)value;
    case ILC_I16: return (int16_t)value;
    case ILC_I32:
    case ILC_U32: return (int32_t)value;
    default: return value;
    }
}

static ilc__range param_range(const ilc__guard *w, uint32_t param)
{
    const ilc__var *var = w->func->vars.items[param];
    ilc__range      range = ilc__guard_unknown(var);
    for (uint32_t d = 0; d < w->spec->index_count; d++) {
        if (w->spec->index_params[d] != param) continue;
        ilc__range index = {0, range.hi, true, true, true};
        if (w->facts) index.hi = (ilc__wide)w->facts->extents[d] - 1;
        return index.hi <= range.hi ? index : range; /* a UInt32 index past 2^31 reads as negative */
    }
    if (var->is_array || var->is_addr || var->layout || var->storage == ILC_F32 || var->storage == ILC_F64)
        return range;
    bool kept =
        w->spec->mode != ILC__MODE_ELEMENTWISE || (w->spec->kept_scalar && w->spec->kept_scalar[param]);
    if (!kept) return range;
    if (w->facts)
        return ilc__range_from_launch(ilc__range_point(scalar_on_stack(var->storage, w->facts->scalars[param])));
    range.lo_known = range.hi_known = range.launch = true;
    return range;
}

void ilc__guard_begin(ilc__guard *w)
{
    w->env = ILC__NEW_ARRAY(w->arena, ilc__range, w->func->vars.count + 1);
    w->labels = ilc__guard_find_labels(w->arena, w->func);
    w->wanted = ilc__demand_vars(&w->calls->demands, w->func, w->wants_result);
    w->initial = ILC__NEW_ARRAY(w->arena, ilc__range, w->func->vars.count + 1);
    w->stamp = ILC__NEW_ARRAY(w->arena, uint32_t, w->func->vars.count + 1);
    for (uint32_t i = w->func->param_count; i < w->func->vars.count; i++) {
        const ilc__var *var = w->func->vars.items[i];
        bool zero = var->needs_zero && !var->is_array && var->storage != ILC_F32 && var->storage != ILC_F64;
        w->env[i] = w->initial[i] = zero ? ilc__range_point(0) : ilc__guard_unknown(var);
    }
}

static void start(ilc__guard *w)
{
    w->calls = ILC__NEW(w->arena, ilc__guard_calls);
    w->calls->demands.arena = w->calls->walked.arena = w->arena;
    ilc__guard_begin(w);
    for (uint32_t i = 0; i < w->func->param_count; i++) w->env[i] = w->initial[i] = param_range(w, i);
}

static void clear_expr(ilc__expr *expr)
{
    if (!expr) return;
    expr->covered = false;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        clear_expr(expr->args[i]);
}

static void clear_block(ilc__block *block)
{
    for (ilc__stmt *stmt = block->first; stmt; stmt = stmt->next) {
        stmt->covered = false;
        clear_expr(stmt->a);
        clear_expr(stmt->b);
        clear_expr(stmt->c);
        clear_block(&stmt->body);
        for (uint32_t i = 0; i < stmt->case_count; i++)
            clear_block(&stmt->cases[i].body);
        clear_block(&stmt->other);
    }
}

static void clear_unit(const ilc__unit *unit)
{
    for (uint32_t i = 0; i < unit->funcs.count; i++) clear_block(&unit->funcs.items[i]->body);
}

static void find_check(void *user, const ilc__expr *expr)
{
    bool *found = user, is_check = expr->kind != ILC__EX_CALL && (expr->kind != ILC__EX_OP || ilc__range_traps(expr->op));
    *found = *found || (expr->covered && is_check);
}

static void find_stmt(void *user, const ilc__stmt *stmt)
{
    bool *found = user, is_check = stmt->kind != ILC__ST_FOR || ilc__range_traps(stmt->step) || stmt->ends == ILC__FOR_AT_LIMIT;
    *found = *found || (stmt->covered && is_check);
    ilc__stmt_exprs(stmt, find_check, found);
}

bool ilc__guard_mark(ilc__context *ctx, ilc__arena *scratch, const ilc__unit *unit,
                     const ilc__kernel_spec *spec)
{
    (void)ctx;
    ilc__func *root = unit->funcs.items[unit->funcs.count - 1];
    clear_unit(unit);
    ilc__guard w = {.arena = scratch, .func = root, .spec = spec, .marking = true};
    start(&w);
    if ((uint64_t)ilc__guard_label_count(w.labels) * root->vars.count > MAX_FORGETTING) return false;
    ilc__guard_block(&w, &root->body);
    if (w.failed) clear_unit(unit);
    bool covers = false;
    for (uint32_t i = 0; i < unit->funcs.count && !covers; i++)
        ilc__block_each(&unit->funcs.items[i]->body, find_stmt, &covers);
    return covers;
}

/* Marks anew first: the same tree may have been emitted for another launch shape since. */
bool ilc__guard_holds(ilc__context *ctx, ilc__arena *scratch, const ilc__kernel *kernel,
                      const ilc__launch_facts *facts)
{
    if (!kernel->has_guard) return true;
    const ilc__unit *unit = kernel->unit;
    for (uint32_t d = 0; d < kernel->spec.index_count; d++)
        if (facts->extents[d] <= 0) return true; /* no element */
    ilc__guard_mark(ctx, scratch, unit, &kernel->spec);
    ilc__guard w = {.arena = scratch,
                    .func = unit->funcs.items[unit->funcs.count - 1],
                    .spec = &kernel->spec,
                    .facts = facts};
    start(&w);
    ilc__guard_block(&w, &w.func->body);
    return !w.failed;
}
