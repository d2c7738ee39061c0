/* through.c - which by-refs are written through: the rest may point to what is constant, and reading an element
 * through one is no store to its array. */
#include "emit/internal.h"

enum { MAX_ROUNDS = 32 };

typedef struct search {
    const ilc__unit *unit;
    bool           **written; /* by function and variable */
    uint32_t         at;      /* the function walked      */
    bool             grew;
} search;

static void mark(search *s, const ilc__expr *addr)
{
    const ilc__expr *root = ilc__addr_root(addr);
    if (root->kind != ILC__EX_VAR || s->written[s->at][root->u.var->index]) return;
    s->written[s->at][root->u.var->index] = s->grew = true;
}

const bool *ilc__written_in(const ilc__unit *unit, bool *const *written, const ilc__func *func)
{
    uint32_t number = ilc__func_number(unit, func);
    return number == UINT32_MAX ? NULL : written[number];
}

static void visit_expr(void *user, const ilc__expr *expr)
{
    search *s = user;
    if (expr->kind != ILC__EX_CALL) return;
    const bool *callee = ilc__written_in(s->unit, s->written, expr->u.callee);
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (expr->args[i]->type == ILC__IR_ADDR && (!callee || callee[i])) mark(s, expr->args[i]);
}

static void visit_stmt(void *user, const ilc__stmt *stmt)
{
    search *s = user;
    bool    hands_on = stmt->kind == ILC__ST_ASSIGN && stmt->var->is_addr && s->written[s->at][stmt->var->index];
    bool    returns = stmt->kind == ILC__ST_RETURN && stmt->a && stmt->a->type == ILC__IR_ADDR; /* the caller may store there */
    if (ilc__writes_memory(stmt) || hands_on || returns) mark(s, stmt->a);
    ilc__stmt_exprs(stmt, visit_expr, s);
}

bool **ilc__written_through(ilc__arena *arena, const ilc__unit *unit)
{
    search s = {.unit = unit, .written = ILC__NEW_ARRAY(arena, bool *, unit->funcs.count + 1), .grew = true};
    for (uint32_t f = 0; f < unit->funcs.count; f++)
        s.written[f] = ILC__NEW_ARRAY(arena, bool, unit->funcs.items[f]->vars.count + 1);
    for (int round = 0; s.grew && round < MAX_ROUNDS; round++) {
        s.grew = false;
        for (s.at = 0; s.at < unit->funcs.count; s.at++) ilc__block_each(&unit->funcs.items[s.at]->body, visit_stmt, &s);
    }
    for (uint32_t f = 0; s.grew && f < unit->funcs.count; f++) /* not found out: all of them */
        memset(s.written[f], true, unit->funcs.items[f]->vars.count);
    return s.written;
}
