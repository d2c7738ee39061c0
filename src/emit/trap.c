/* trap.c - tests of operations that may raise an exception: which stay in the text, and how they read.
 *
 * A test is a statement of its own before the expression that uses the operation, in the order of evaluation,
 * so no full expression holds two. A failing test writes the error slot, marks the element failed and returns
 * zero; each caller asks il_at->failed at once and returns, too (docs/semantics.md, Traps). */
#include "emit/internal.h"

/* Overflow, bounds and null go with --checks=off; a division by zero has no value to go on with. */
static bool is_division(ilc__op op)
{
    switch (op) {
    case ILC__OP_DIV_I32: case ILC__OP_REM_I32: case ILC__OP_DIV_UN_I32: case ILC__OP_REM_UN_I32:
    case ILC__OP_DIV_I64: case ILC__OP_REM_I64: case ILC__OP_DIV_UN_I64: case ILC__OP_REM_UN_I64: return true;
    default: return false;
    }
}

bool ilc__trap_goes_on(const ilc__printer *p, ilc__op op)
{
    return p->info->traps_by == ILC__TRAPS_MARK && ilc__op_may_wrap(op);
}

bool ilc__expr_settled(const ilc__printer *p, const ilc__expr *expr)
{
    return expr->proved || (p->guarded && expr->covered);
}

bool ilc__op_kept(const ilc__printer *p, const ilc__expr *expr)
{
    if (ilc__op_info_of(expr->op)->trap_count == 0 || ilc__expr_settled(p, expr)) return false;
    return p->em->options->checks || is_division(expr->op);
}

bool ilc__expr_checked(const ilc__printer *p, const ilc__expr *expr)
{
    if (expr->kind == ILC__EX_OP) return ilc__op_kept(p, expr);
    if (expr->kind != ILC__EX_LOAD && expr->kind != ILC__EX_LEN && expr->kind != ILC__EX_DIM && expr->kind != ILC__EX_ELEMADDR &&
        expr->kind != ILC__EX_NONNULL)
        return false;
    if (expr->kind == ILC__EX_LEN && expr->args[0]->kind == ILC__EX_NEWARR) return false;
    return p->em->options->checks && !ilc__expr_settled(p, expr);
}

static ilc__site site_at(const ilc__printer *p, const char *exception, const char *message, uint32_t il, bool has_il)
{
    ilc__site site = {exception, message, p->func->place, has_il ? il : 0, p->at ? p->at->line : 0, NULL};
    if (!p->func->place) return site;
    uint32_t line = ilc__debug_line(p->func->place, site.il, &site.file);
    if (line) site.line = line;
    return site;
}

static uint32_t add_site(ilc__printer *p, ilc__site site)
{
    ilc__emitter *em = p->em;
    if (em->sites.count >= ILC__EMIT_MAX_SITES) {
        if (!p->status)
            p->status = ilc__fail(em->ctx, ILC_UNSUPPORTED, NULL, "%s holds more than %d places that may raise an exception",
                                  p->func->name, ILC__EMIT_MAX_SITES);
        return 0;
    }
    ILC__PUSH(em->arena, &em->sites, site);
    return em->sites.count - 1;
}

uint32_t ilc__site_new(ilc__printer *p, const char *exception, const char *message, uint32_t il, bool has_il)
{
    return add_site(p, site_at(p, exception, message, il, has_il));
}

uint32_t ilc__site_of(ilc__printer *p, const char *exception, const char *message, uint32_t il, bool has_il)
{
    ilc__map   *numbers = &p->em->site_numbers;
    ilc__site   site = site_at(p, exception, message, il, has_il);
    const char *key = ilc__print(p, "%p %u %u %s %s", (const void *)site.method, site.il, site.line, exception, message ? message : "");
    uintptr_t   found = (uintptr_t)ilc__map_get(numbers, key, strlen(key));
    if (found) return (uint32_t)found - 1;
    uint32_t number = add_site(p, site);
    ilc__map_put(numbers, key, strlen(key), (void *)(uintptr_t)(number + 1));
    return number;
}

const char *ilc__trap_return(ilc__printer *p)
{
    if (p->func->ret_array) return "return il_array_of(0, -1);";
    return p->func->ret == ILC_VOID ? "return;" : "return 0;";
}

const char *ilc__trap_raise(ilc__printer *p, const char *site)
{
    switch (p->info->traps_by) {
    case ILC__TRAPS_STOP: return "";
    case ILC__TRAPS_MARK:
        p->info->marks = true;
        return "il_failed = true; ";
    case ILC__TRAPS_RAISE: break;
    }
    p->info->traps = true;
    return ilc__print(p, "il_raise(il_at, %s); ", site);
}

const char *ilc__trap_action(ilc__printer *p, uint32_t site)
{
    return ilc__print(p, "%s%s", ilc__trap_raise(p, ilc__print(p, "%u", site)), ilc__trap_return(p));
}

void ilc__trap_test(ilc__printer *p, const char *condition, uint32_t site)
{
    ilc__line_out(p, "if (%s) { %s }", condition, ilc__trap_action(p, site));
}

uint32_t ilc__site_known(ilc__printer *p, ilc__exception_id id, uint32_t il, bool has_il)
{
    return ilc__site_of(p, ilc__exception_type(id), ilc__exception_message(id), il, has_il);
}

/* A null reference has length -1, so one test finds both; which of them it was is asked afterwards. */
void ilc__trap_bounds(ilc__printer *p, ilc__piece index, const ilc__array_text *array, uint32_t il, bool has_il)
{
    const char *length = array->lengths[0];
    bool        there = array->is_span || (length[0] >= '0' && length[0] <= '9'); /* a number */
    uint32_t    null = there ? 0 : ilc__site_known(p, ILC__EXC_NULL_REFERENCE, il, has_il);
    uint32_t    bounds = ilc__site_known(p, ILC__EXC_INDEX, il, has_il);
    const char *i = ilc__piece_at(p, index, ILC__PREC_SHIFT);
    const char *site = there ? ilc__print(p, "%u", bounds) : ilc__print(p, "%s < 0 ? %u : %u", length, null, bounds);
    ilc__line_out(p, "if (%s < 0 || %s >= %s) { %s%s }", i, i, length, ilc__trap_raise(p, site), ilc__trap_return(p));
}

void ilc__trap_null(ilc__printer *p, const char *length, uint32_t il, bool has_il)
{
    ilc__trap_test(p, ilc__print(p, "%s < 0", length), ilc__site_known(p, ILC__EXC_NULL_REFERENCE, il, has_il));
}

bool ilc__trap_kept(const ilc__expr *expr, const ilc__op_trap *trap)
{
    return !(expr->nonzero && trap->exception == ILC__EXC_DIVIDE_BY_ZERO);
}

void ilc__trap_op(ilc__printer *p, const ilc__expr *expr, const ilc__piece *operands)
{
    const ilc__op_info *info = ilc__op_info_of(expr->op);
    for (uint32_t t = 0; t < info->trap_count; t++) {
        const ilc__op_trap *trap = &info->traps[t];
        if (!ilc__trap_kept(expr, trap)) continue;
        const char *condition = ilc__substitute(p, trap->condition, operands);
        if (ilc__trap_goes_on(p, expr->op)) {
            p->info->marks = true;
            ilc__line_out(p, "il_failed |= %s;", condition);
        } else {
            ilc__trap_test(p, condition, ilc__site_known(p, trap->exception, expr->il, expr->has_il));
        }
    }
}
