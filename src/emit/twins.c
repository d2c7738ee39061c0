/* twins.c - guarded twins: a function called by the guarded body may stand in the text twice, without the checks that
 * the launch guard covers and with them (guard_calls.c says which calls go where). */
#include "emit/internal.h"

static ilc__twin *needs_of(const ilc__emitter *em, const ilc__func *func)
{
    uint32_t number = ilc__func_number(em->unit, func);
    return &em->needs[number == UINT32_MAX ? em->unit->funcs.count - 1 : number];
}

const ilc__func_info *ilc__callee_info(const ilc__emitter *em, bool guarded, const ilc__expr *call)
{
    uint32_t number = ilc__func_number(em->unit, call->u.callee);
    if (number == UINT32_MAX) return NULL;
    bool twin = guarded && call->covered && em->needs[number].differs;
    return twin ? &em->twins[number] : &em->infos[number];
}

const ilc__func_info *ilc__call_info(const ilc__printer *p, const ilc__expr *call)
{
    return ilc__callee_info(p->em, p->guarded, call);
}

typedef struct finder {
    ilc__emitter *em;
    bool          differs, guarded, grew;
} finder;

static void differs_expr(void *user, const ilc__expr *expr)
{
    finder *f = user;
    bool    differs = expr->covered;
    if (differs && expr->kind == ILC__EX_CALL) differs = needs_of(f->em, expr->u.callee)->differs;
    f->differs = f->differs || differs;
}

static void differs_stmt(void *user, const ilc__stmt *stmt)
{
    finder *f = user;
    f->differs = f->differs || stmt->covered;
    ilc__stmt_exprs(stmt, differs_expr, f);
}

static void need_expr(void *user, const ilc__expr *expr)
{
    finder *f = user;
    if (expr->kind != ILC__EX_CALL) return;
    ilc__twin *callee = needs_of(f->em, expr->u.callee);
    bool      *need = f->guarded && expr->covered && callee->differs ? &callee->guarded : &callee->checked;
    f->grew = f->grew || !*need;
    *need = true;
}

static void need_stmt(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, need_expr, user);
}

static void need_callees(finder *f, const ilc__func *func, bool guarded)
{
    f->guarded = guarded;
    ilc__block_each(&func->body, need_stmt, f);
}

void ilc__twins_find(ilc__emitter *em, bool has_guard, bool checked)
{
    uint32_t root = em->unit->funcs.count - 1;
    finder   f = {.em = em, .grew = true};
    em->twins = ILC__NEW_ARRAY(em->arena, ilc__func_info, root + 1);
    em->needs = ILC__NEW_ARRAY(em->arena, ilc__twin, root + 1);
    for (uint32_t i = 0; i < root && has_guard; i++) {
        f.differs = false;
        if (!em->unit->funcs.items[i]->cycle) ilc__block_each(&em->unit->funcs.items[i]->body, differs_stmt, &f);
        em->needs[i].differs = f.differs;
    }
    em->needs[root] = (ilc__twin){.guarded = has_guard, .checked = !has_guard || checked};
    while (f.grew) { /* more than once for cycles alone */
        f.grew = false;
        for (uint32_t i = root + 1; i-- > 0;) {
            if (em->needs[i].guarded) need_callees(&f, em->unit->funcs.items[i], true);
            if (em->needs[i].checked) need_callees(&f, em->unit->funcs.items[i], false);
        }
    }
}
