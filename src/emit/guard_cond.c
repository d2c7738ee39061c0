/* guard_cond.c - what a condition says of the variables in it (guard.h). */
#include "emit/guard.h"

/* --- conditions -------------------------------------------------------------------------------------------
 */

enum { SIMPLE_NODES = 32 };

/* Small and straight: evaluated once more when a condition is used. */
static bool is_simple(const ilc__expr *expr, uint32_t *budget)
{
    bool straight = expr->kind == ILC__EX_CONST || expr->kind == ILC__EX_VAR || expr->kind == ILC__EX_OP ||
                    expr->kind == ILC__EX_LOAD || expr->kind == ILC__EX_LEN || expr->kind == ILC__EX_DIM;
    if (!straight || *budget == 0) return false;
    --*budget;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (!is_simple(expr->args[i], budget)) return false;
    return true;
}

ilc__relation ilc__relation_of(ilc__op op)
{
    switch (op) {
    case ILC__OP_LT_I32:
    case ILC__OP_LT_I64: return ILC__REL_LT;
    case ILC__OP_LE_I32:
    case ILC__OP_LE_I64: return ILC__REL_LE;
    case ILC__OP_GT_I32:
    case ILC__OP_GT_I64: return ILC__REL_GT;
    case ILC__OP_GE_I32:
    case ILC__OP_GE_I64: return ILC__REL_GE;
    case ILC__OP_EQ_I32:
    case ILC__OP_EQ_I64: return ILC__REL_EQ;
    case ILC__OP_NE_I32:
    case ILC__OP_NE_I64: return ILC__REL_NE;
    case ILC__OP_LT_UN_I32:
    case ILC__OP_LT_UN_I64: return ILC__REL_BELOW;
    case ILC__OP_LE_UN_I32:
    case ILC__OP_LE_UN_I64: return ILC__REL_NOT_ABOVE;
    case ILC__OP_GT_UN_I32:
    case ILC__OP_GT_UN_I64: return ILC__REL_ABOVE;
    case ILC__OP_GE_UN_I32:
    case ILC__OP_GE_UN_I64: return ILC__REL_NOT_BELOW;
    default: return ILC__REL_NONE;
    }
}

static const struct {
    ilc__relation negated, swapped;
} relations[] = {
    [ILC__REL_NONE] = {ILC__REL_NONE, ILC__REL_NONE},
    [ILC__REL_LT] = {ILC__REL_GE, ILC__REL_GT},
    [ILC__REL_LE] = {ILC__REL_GT, ILC__REL_GE},
    [ILC__REL_GT] = {ILC__REL_LE, ILC__REL_LT},
    [ILC__REL_GE] = {ILC__REL_LT, ILC__REL_LE},
    [ILC__REL_EQ] = {ILC__REL_NE, ILC__REL_EQ},
    [ILC__REL_NE] = {ILC__REL_EQ, ILC__REL_NE},
    [ILC__REL_BELOW] = {ILC__REL_NOT_BELOW, ILC__REL_ABOVE},
    [ILC__REL_NOT_ABOVE] = {ILC__REL_ABOVE, ILC__REL_NOT_BELOW},
    [ILC__REL_ABOVE] = {ILC__REL_NOT_ABOVE, ILC__REL_BELOW},
    [ILC__REL_NOT_BELOW] = {ILC__REL_BELOW, ILC__REL_NOT_ABOVE},
};

static void bound_above(ilc__range *range, ilc__wide hi, bool known)
{
    if (hi < range->hi) range->hi = hi;
    if (known) range->hi_known = true;
}

static void bound_below(ilc__range *range, ilc__wide lo, bool known)
{
    if (lo > range->lo) range->lo = lo;
    if (known) range->lo_known = true;
}

/* left `rel` right, where left's range may shrink. */
static ilc__range narrowed(ilc__range left, ilc__relation rel, ilc__range right)
{
    if (rel != ILC__REL_NONE) left.launch = left.launch || right.launch;
    switch (rel) {
    case ILC__REL_LT: bound_above(&left, right.hi - 1, right.hi_known); break;
    case ILC__REL_LE: bound_above(&left, right.hi, right.hi_known); break;
    case ILC__REL_GT: bound_below(&left, right.lo + 1, right.lo_known); break;
    case ILC__REL_GE: bound_below(&left, right.lo, right.lo_known); break;
    case ILC__REL_EQ:
        bound_above(&left, right.hi, right.hi_known);
        bound_below(&left, right.lo, right.lo_known);
        break;
    case ILC__REL_NE:
        if (right.lo != right.hi) break;
        if (left.lo == right.lo) left.lo++;
        if (left.hi == right.lo) left.hi--;
        break;
    case ILC__REL_BELOW:
    case ILC__REL_NOT_ABOVE: /* as unsigned numbers: below a natural bound means from 0 on */
        if (right.lo < 0) {
            left.lo_known = left.lo_known || right.hi_known;
            left.hi_known = left.hi_known || right.hi_known;
            break;
        }
        bound_above(&left, rel == ILC__REL_BELOW ? right.hi - 1 : right.hi, right.hi_known);
        bound_below(&left, 0, right.hi_known);
        break;
    case ILC__REL_ABOVE:
    case ILC__REL_NOT_BELOW:
    case ILC__REL_NONE: break;
    }
    return left;
}

/* "v" or "v + c" where the sum cannot have wrapped: the variable, and c in *offset. */
static const ilc__var *shifted_var(ilc__guard *w, ilc__expr *expr, ilc__wide *offset)
{
    *offset = 0;
    if (expr->kind == ILC__EX_VAR) return expr->u.var;
    if (expr->kind != ILC__EX_OP || expr->arg_count != 2 || expr->args[0]->kind != ILC__EX_VAR ||
        expr->args[1]->kind != ILC__EX_CONST)
        return NULL;
    bool plus = expr->op == ILC__OP_ADD_OVF_I32 || expr->op == ILC__OP_ADD_I32 ||
                expr->op == ILC__OP_ADD_OVF_I64 || expr->op == ILC__OP_ADD_I64;
    bool minus = expr->op == ILC__OP_SUB_OVF_I32 || expr->op == ILC__OP_SUB_I32 ||
                 expr->op == ILC__OP_SUB_OVF_I64 || expr->op == ILC__OP_SUB_I64;
    ilc__range a = ilc__guard_eval(w, expr->args[0], false), b = ilc__guard_eval(w, expr->args[1], false);
    if (!(plus || minus) || !(ilc__range_traps(expr->op) || ilc__range_op(expr->op, a, b).proved))
        return NULL;
    *offset = plus ? b.lo : -b.lo;
    return expr->args[0]->u.var;
}

/* VB's For with a step that is no constant compares (step >> 31 Xor counter) with (step >> 31 Xor limit). */
static ilc__expr *masked(ilc__expr *side, ilc__expr **mask)
{
    if (side->kind != ILC__EX_OP || (side->op != ILC__OP_XOR_I32 && side->op != ILC__OP_XOR_I64)) return NULL;
    uint32_t at = side->args[1]->kind == ILC__EX_VAR ? 1 : 0;
    *mask = side->args[1 - at];
    return side->args[at]->kind == ILC__EX_VAR ? side->args[at] : NULL;
}

static void refine_var(ilc__guard *w, const ilc__var *var, ilc__relation rel, ilc__range other)
{
    ilc__range next = ilc__guard_align(w, var, narrowed(w->env[var->index], rel, other));
    if (next.lo > next.hi)
        w->dead = true;
    else
        ilc__guard_set(w, var, next);
}

static void refine_masked(ilc__guard *w, const ilc__var *var, ilc__range mask, ilc__relation rel,
                          ilc__range other)
{
    if (rel >= ILC__REL_BELOW) return;
    if (mask.lo == 0 && mask.hi == 0) refine_var(w, var, rel, other);
    if (mask.lo == -1 && mask.hi == -1)
        refine_var(w, var, relations[rel].swapped,
                   (ilc__range){-1 - other.hi, -1 - other.lo, other.hi_known, other.lo_known, other.launch});
    if (mask.lo == mask.hi || !w->marking || !ilc__range_known(mask)) return;
    ilc__range next = w->env[var->index]; /* one of both bounds, at the launch */
    next.lo_known |= ilc__range_known(other);
    next.hi_known |= ilc__range_known(other);
    next.launch |= other.launch;
    ilc__guard_set(w, var, next);
}

static void refine_side(ilc__guard *w, ilc__expr *side, ilc__relation rel, ilc__range other)
{
    ilc__wide       offset;
    const ilc__var *var = shifted_var(w, side, &offset);
    ilc__expr      *mask = NULL, *inner = var ? NULL : masked(side, &mask);
    if (rel == ILC__REL_NONE) return;
    if (inner) refine_masked(w, inner->u.var, ilc__guard_eval(w, mask, false), rel, other);
    if (!var || (offset && rel >= ILC__REL_BELOW)) return; /* unsigned compares are not shifted */
    other.lo -= offset;
    other.hi -= offset;
    refine_var(w, var, rel, other);
}

static void refine_compare(ilc__guard *w, ilc__expr *cond, bool truth)
{
    ilc__relation rel = ilc__relation_of(cond->op);
    uint32_t      budget = SIMPLE_NODES;
    if (!truth) rel = relations[rel].negated;
    if (rel == ILC__REL_NONE || !is_simple(cond, &budget)) return;
    bool was_quiet = w->quiet;
    w->quiet = true;
    ilc__range a = ilc__guard_eval(w, cond->args[0], false), b = ilc__guard_eval(w, cond->args[1], false);
    refine_side(w, cond->args[0], rel, b);
    if (!w->dead) refine_side(w, cond->args[1], relations[rel].swapped, a);
    w->quiet = was_quiet;
}

/* Narrows the variables by what a condition says when it is true (or false). */
void ilc__guard_refine(ilc__guard *w, ilc__expr *cond, bool truth)
{
    if (w->dead) return;
    if (cond->kind == ILC__EX_NOT) {
        ilc__guard_refine(w, cond->args[0], !truth);
    } else if ((cond->kind == ILC__EX_AND && truth) || (cond->kind == ILC__EX_OR && !truth)) {
        ilc__guard_refine(w, cond->args[0], truth);
        ilc__guard_refine(w, cond->args[1], truth);
    } else if (cond->kind == ILC__EX_OP && cond->arg_count == 2) {
        refine_compare(w, cond, truth);
        ilc__guard_catch_up(w);
    }
}
