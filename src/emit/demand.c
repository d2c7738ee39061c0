/* demand.c - variables whose value reaches a subscript, a checked operation, a divisor or a loop's bounds, also in a
 * function called. An integer operation that wraps on the way there would spoil the proof, so the guard may ask that it
 * does not; one that wraps elsewhere (a hash, say) is nobody's business. Precision only: any answer is sound. */
#include "emit/internal.h"
#include "emit/range.h"

typedef struct demander {
    ilc__demands *all;
    bool         *wanted;
    bool          result; /* the function's result, too */
    bool          grew;
} demander;

enum { MAX_ROUNDS = 8, MAX_CALLS = 8 };

static void want_all(demander *d, const ilc__expr *expr)
{
    if (!expr) return;
    if (expr->kind == ILC__EX_VAR && !d->wanted[expr->u.var->index]) {
        d->wanted[expr->u.var->index] = true;
        d->grew = true;
    }
    for (uint32_t i = 0; i < expr->arg_count; i++) want_all(d, expr->args[i]);
}

static void scan_call(demander *d, const ilc__expr *call)
{
    const ilc__func *callee = call->u.callee;
    if (callee->cycle || d->all->depth >= MAX_CALLS || callee->param_count != call->arg_count) return;
    d->all->depth++;
    const bool *wanted = ilc__demand_vars(d->all, callee, false);
    d->all->depth--;
    for (uint32_t i = 0; i < call->arg_count; i++)
        if (wanted[i]) want_all(d, call->args[i]);
}

static void scan_expr(void *user, const ilc__expr *expr)
{
    if (expr->kind == ILC__EX_LOAD || expr->kind == ILC__EX_ELEMADDR) want_all(user, expr->args[1]);
    if (expr->kind == ILC__EX_OP && ilc__range_traps(expr->op)) want_all(user, expr);
    if (expr->kind == ILC__EX_CALL) scan_call(user, expr);
}

static void scan_stmt(void *user, const ilc__stmt *stmt)
{
    demander *d = user;
    ilc__stmt_exprs(stmt, scan_expr, d);
    if (stmt->kind == ILC__ST_STORE) want_all(d, stmt->b);
    if (stmt->kind == ILC__ST_FOR) {
        want_all(d, stmt->a);
        want_all(d, stmt->b);
        want_all(d, stmt->c);
    }
    if (stmt->kind == ILC__ST_ASSIGN && d->wanted[stmt->var->index]) want_all(d, stmt->a);
    if (stmt->kind == ILC__ST_RETURN && d->result) want_all(d, stmt->a);
}

const bool *ilc__demand_vars(ilc__demands *all, const ilc__func *func, bool result)
{
    ilc__map *known = &all->known[result];
    demander  d = {all, ilc__map_get(known, &func, sizeof func), result, true};
    if (d.wanted) return d.wanted;
    known->arena = all->arena;
    d.wanted = ILC__NEW_ARRAY(all->arena, bool, func->vars.count + 1);
    for (int round = 0; d.grew && round < MAX_ROUNDS; round++) {
        d.grew = false;
        ilc__block_each(&func->body, scan_stmt, &d);
    }
    ilc__map_put(known, &func, sizeof func, d.wanted);
    return d.wanted;
}
