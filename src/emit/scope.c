/* scope.c - walks over a tree, its bounds, and where each variable is declared: by the assignment or For that
 * first writes it when all its uses follow there, else in the innermost block that holds them all. */
#include "emit/internal.h"

/* --- walking -------------------------------------------------------------------------------------------- */

static void each_expr(const ilc__expr *expr, void (*visit)(void *, const ilc__expr *), void *user)
{
    if (!expr) return;
    for (uint32_t i = 0; i < expr->arg_count; i++) each_expr(expr->args[i], visit, user);
    visit(user, expr);
}

void ilc__stmt_exprs(const ilc__stmt *stmt, void (*visit)(void *user, const ilc__expr *expr), void *user)
{
    each_expr(stmt->a, visit, user);
    each_expr(stmt->b, visit, user);
    each_expr(stmt->c, visit, user);
}

void ilc__block_each(const ilc__block *block, void (*visit)(void *user, const ilc__stmt *stmt), void *user)
{
    for (const ilc__stmt *stmt = block->first; stmt; stmt = stmt->next) {
        visit(user, stmt);
        ilc__block_each(&stmt->body, visit, user);
        for (uint32_t i = 0; i < stmt->case_count; i++) ilc__block_each(&stmt->cases[i].body, visit, user);
        ilc__block_each(&stmt->other, visit, user);
    }
}

static void see_loop(void *user, const ilc__stmt *stmt)
{
    if (ilc__stmt_is_loop(stmt)) *(bool *)user = true;
}

bool ilc__block_has_loop(const ilc__block *block)
{
    bool found = false;
    ilc__block_each(block, see_loop, &found);
    return found;
}

uint32_t ilc__func_number(const ilc__unit *unit, const ilc__func *func)
{
    if (func && func->view_of) func = func->view_of;
    for (uint32_t i = 0; i < unit->funcs.count; i++)
        if (unit->funcs.items[i] == func) return i;
    return UINT32_MAX;
}

bool ilc__block_jumps_to(const ilc__block *block, const ilc__stmt *loop, ilc__stmt_kind kind)
{
    for (const ilc__stmt *stmt = block->first; stmt; stmt = stmt->next) {
        if (stmt->kind == kind && stmt->target == loop) return true;
        if (ilc__block_jumps_to(&stmt->body, loop, kind) || ilc__block_jumps_to(&stmt->other, loop, kind)) return true;
        for (uint32_t i = 0; i < stmt->case_count; i++)
            if (ilc__block_jumps_to(&stmt->cases[i].body, loop, kind)) return true;
    }
    return false;
}

/* --- bounds --------------------------------------------------------------------------------------------- */

static bool expr_fits(const ilc__expr *expr, uint32_t depth)
{
    if (!expr) return true;
    if (depth > ILC__EMIT_MAX_EXPR) return false;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (!expr_fits(expr->args[i], depth + 1)) return false;
    return true;
}

/* An Else that holds a single If continues a chain and nests no deeper. */
static bool continues_chain(const ilc__stmt *stmt)
{
    const ilc__stmt *inner = stmt->other.first;
    return stmt->kind == ILC__ST_IF && inner && !inner->next && inner->kind == ILC__ST_IF;
}

enum { MAX_CHAIN = 2000 };

static bool block_fits(const ilc__block *block, uint32_t depth, uint32_t chain)
{
    if (depth > ILC__EMIT_MAX_STMT || chain > MAX_CHAIN) return false;
    for (const ilc__stmt *stmt = block->first; stmt; stmt = stmt->next) {
        if (!expr_fits(stmt->a, 0) || !expr_fits(stmt->b, 0) || !expr_fits(stmt->c, 0)) return false;
        if (!block_fits(&stmt->body, depth + 1, chain)) return false;
        for (uint32_t i = 0; i < stmt->case_count; i++)
            if (!block_fits(&stmt->cases[i].body, depth + 1, chain)) return false;
        bool chained = continues_chain(stmt);
        if (!block_fits(&stmt->other, depth + !chained, chain + chained)) return false;
    }
    return true;
}

ilc_status ilc__tree_check(ilc__context *ctx, const ilc__func *func)
{
    if (block_fits(&func->body, 0, 0)) return ILC_OK;
    ilc__where where = {.method = func->name};
    if (func->method) where = ilc__method_where(func->method, 0);
    return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "statements or expressions nested too deeply for a kernel");
}

/* --- places --------------------------------------------------------------------------------------------- */

typedef struct spot { /* a block and the statement that holds it */
    const struct spot *outer;
    const ilc__stmt   *stmt; /* the statement of `outer` that this block belongs to; NULL at the root */
    uint32_t           depth;
} spot;

typedef struct use {
    const spot      *home;  /* innermost block that holds all uses so far  */
    const ilc__stmt *first; /* statement of home with the first use        */
    const ilc__stmt *last;
    bool             only_fors; /* each statement of home that mentions it is a For that counts with it */
} use;

typedef struct finder {
    ilc__arena *arena;
    use        *uses;
    const spot *here;
    const ilc__stmt *stmt;
} finder;

/* A For over the variable whose start does not read it. */
static bool mentions(const ilc__expr *expr, const ilc__var *var)
{
    if (!expr) return false;
    if (expr->kind == ILC__EX_VAR && expr->u.var == var) return true;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (mentions(expr->args[i], var)) return true;
    return false;
}

static bool counts_with(const ilc__stmt *stmt, const ilc__var *var)
{
    return stmt->kind == ILC__ST_FOR && stmt->var == var && !mentions(stmt->a, var);
}

static void note(finder *f, const ilc__var *var)
{
    use             *u = &f->uses[var->index];
    const spot      *here = f->here;
    const ilc__stmt *stmt = f->stmt;
    if (!u->home) {
        *u = (use){here, stmt, stmt, counts_with(stmt, var)};
        return;
    }
    bool lifted = false;
    while (u->home->depth > here->depth) {
        u->first = u->home->stmt;
        u->home = u->home->outer;
        lifted = true;
    }
    while (here->depth > u->home->depth) {
        stmt = here->stmt;
        here = here->outer;
    }
    while (u->home != here) {
        u->first = u->home->stmt;
        u->home = u->home->outer;
        stmt = here->stmt;
        here = here->outer;
        lifted = true;
    }
    u->last = stmt;
    if (lifted) u->only_fors = counts_with(u->first, var);
    u->only_fors = u->only_fors && counts_with(stmt, var);
}

static void note_expr(void *user, const ilc__expr *expr)
{
    if (expr->kind == ILC__EX_VAR) note(user, expr->u.var);
}

static void find_in(finder *f, const ilc__block *block, const spot *here);

static void find_nested(finder *f, const ilc__block *block, const ilc__stmt *stmt, const spot *outer)
{
    if (!block->first) return;
    spot *inner = ILC__NEW(f->arena, spot);
    *inner = (spot){outer, stmt, outer->depth + 1};
    find_in(f, block, inner);
}

static void find_in(finder *f, const ilc__block *block, const spot *here)
{
    for (const ilc__stmt *stmt = block->first; stmt; stmt = stmt->next) {
        f->here = here;
        f->stmt = stmt;
        if (stmt->var) note(f, stmt->var);
        ilc__stmt_exprs(stmt, note_expr, f);
        find_nested(f, &stmt->body, stmt, here);
        for (uint32_t i = 0; i < stmt->case_count; i++) find_nested(f, &stmt->cases[i].body, stmt, here);
        find_nested(f, &stmt->other, stmt, here);
    }
}

static ilc__place place_of(const ilc__func *func, const ilc__var *var, const use *u)
{
    if (var->is_param || !u->home) return (ilc__place){ILC__PLACE_NONE, NULL, 0};
    if (var->needs_zero || func->has_goto) return (ilc__place){ILC__PLACE_TOP, NULL, 0};
    const ilc__stmt *first = u->first;
    if (u->only_fors) return (ilc__place){ILC__PLACE_FORS, NULL, 0};
    if (first->kind == ILC__ST_ASSIGN && first->var == var && !mentions(first->a, var))
        return (ilc__place){ILC__PLACE_AT, first, 0};
    return (ilc__place){ILC__PLACE_BEFORE, first, 0};
}

ilc__place *ilc__scope_places(ilc__arena *arena, const ilc__func *func)
{
    uint32_t    count = func->vars.count;
    finder      f = {.arena = arena, .uses = ILC__NEW_ARRAY(arena, use, count + 1)};
    spot        root = {0};
    ilc__place *places = ILC__NEW_ARRAY(arena, ilc__place, count + 1);
    find_in(&f, &func->body, &root);
    for (uint32_t i = 0; i < count; i++) places[i] = place_of(func, func->vars.items[i], &f.uses[i]);
    return places;
}
