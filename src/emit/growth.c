/* growth.c - which functions compilers shall not put where they are called. CUDA's inline nearly everything, so a few dozen
 * small functions that call each other more than once would become millions of instructions (docs/design.md, Growth). */
#include "emit/internal.h"

enum { COPIES_MAX = 1000 }; /* nodes of the tree that all copies of one function may be together */

typedef struct growth {
    ilc__emitter *em;
    uint64_t     *sizes; /* by function: nodes, with those of the callees that stand in it */
    uint32_t     *sites; /* by function: how many calls there are of it                    */
    uint32_t      at;
} growth;

static void count_call(void *user, const ilc__expr *expr)
{
    growth  *g = user;
    uint32_t callee = expr->kind == ILC__EX_CALL ? ilc__func_number(g->em->unit, expr->u.callee) : UINT32_MAX;
    if (callee != UINT32_MAX) g->sites[callee]++;
}

static void count_calls(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, count_call, user);
}

static void size_expr(void *user, const ilc__expr *expr)
{
    growth  *g = user;
    uint32_t callee = expr->kind == ILC__EX_CALL ? ilc__func_number(g->em->unit, expr->u.callee) : UINT32_MAX;
    g->sizes[g->at]++;
    if (callee < g->at && !g->em->apart[callee]) g->sizes[g->at] += g->sizes[callee];
}

static void size_stmt(void *user, const ilc__stmt *stmt)
{
    growth *g = user;
    g->sizes[g->at]++;
    ilc__stmt_exprs(stmt, size_expr, g);
}

/* Inlining one member of a cycle in another brings the calls of the first, and so on round. */
static bool is_among_several(const ilc__unit *unit, uint32_t number)
{
    const ilc__func *func = unit->funcs.items[number];
    return (number > 0 && ilc__is_inside(func, unit->funcs.items[number - 1])) ||
           (number + 1 < unit->funcs.count && ilc__is_inside(func, unit->funcs.items[number + 1]));
}

void ilc__growth_bound(ilc__emitter *em)
{
    const ilc__unit *unit = em->unit;
    growth           g = {.em = em};
    em->apart = ILC__NEW_ARRAY(em->arena, bool, unit->funcs.count);
    g.sizes = ILC__NEW_ARRAY(em->arena, uint64_t, unit->funcs.count);
    g.sites = ILC__NEW_ARRAY(em->arena, uint32_t, unit->funcs.count);
    for (uint32_t i = 0; i < unit->funcs.count; i++) ilc__block_each(&unit->funcs.items[i]->body, count_calls, &g);
    for (g.at = 0; g.at < unit->funcs.count; g.at++) {
        ilc__block_each(&unit->funcs.items[g.at]->body, size_stmt, &g);
        bool several = g.sites[g.at] > 1 && g.sizes[g.at] * g.sites[g.at] > COPIES_MAX;
        em->apart[g.at] = several || is_among_several(unit, g.at);
    }
}
