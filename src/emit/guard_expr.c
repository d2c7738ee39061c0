/* guard_expr.c - the interval of an expression, its checks, and the ways of ?: && || (guard.h). */
#include "emit/guard.h"

/* --- expressions ------------------------------------------------------------------------------------------
 */

const ilc__var *ilc__guard_array(const ilc__guard *w, const ilc__expr *array)
{
    if (array->kind == ILC__EX_NEWARR && array->u.var->table) return array->u.var;
    if (array->kind != ILC__EX_VAR) return NULL;
    const ilc__var *var = array->u.var;
    if (var->is_own && var->own_length >= 0) return var; /* always of that length */
    if (!var->is_param || var->assignments > 1) return NULL;
    return w->depth ? w->arrays[var->index] : var;
}

/* -1 null, so that no index is below it. */
static ilc__range length_of(const ilc__guard *w, const ilc__var *array)
{
    if (array && !array->is_param) return ilc__range_point(array->own_length);
    if (array && w->facts) return ilc__range_from_launch(ilc__range_point(w->facts->lengths[array->index]));
    return (ilc__range){-1, INT64_MAX, array != NULL, array != NULL, array != NULL};
}

/* Of one dimension all elements are its length. */
static ilc__range dimension_of(const ilc__guard *w, const ilc__var *array, uint32_t k)
{
    if (!array || !w->facts || ilc__rank_of(array) == 1) return length_of(w, array);
    return ilc__range_from_launch(ilc__range_point(w->facts->dims[3 * array->index + k]));
}

uint32_t ilc__guard_index(ilc__guard *w, ilc__expr *index, ilc__range out[3])
{
    if (index->kind != ILC__EX_SUBSCRIPTS) {
        out[0] = ilc__guard_eval(w, index, true);
        return 1;
    }
    for (uint32_t k = 0; k < index->arg_count; k++)
        out[k] = ilc__guard_eval(w, index->args[k], true);
    return index->arg_count;
}

void ilc__guard_access(ilc__guard *w, bool *covered, const ilc__expr *array, const ilc__range *index,
                       uint32_t count)
{
    const ilc__var *var = ilc__guard_array(w, array);
    bool            provable = var != NULL, proved = var != NULL;
    for (uint32_t k = 0; k < count; k++) {
        proved = proved && index[k].lo >= 0 && index[k].hi < dimension_of(w, var, k).lo;
        provable = provable && ilc__range_known(index[k]);
    }
    ilc__guard_cover(w, covered, provable, proved);
}

/* An address has no range; what is read through one may be anything that its storage holds: other addresses
 * may reach the same place. */
static ilc__range eval_load(ilc__guard *w, ilc__expr *expr)
{
    ilc__guard_eval(w, expr->args[0], false);
    ilc__range index[3];
    uint32_t   count = ilc__guard_index(w, expr->args[1], index);
    if (!expr->proved) ilc__guard_access(w, &expr->covered, expr->args[0], index, count);
    return ilc__range_of_storage(expr->storage);
}

static ilc__range eval_len(ilc__guard *w, ilc__expr *expr)
{
    const ilc__var *var = ilc__guard_array(w, expr->args[0]);
    ilc__range      length = length_of(w, var), type = ilc__range_of_type(expr->type);
    ilc__guard_eval(w, expr->args[0], false);
    if (!expr->proved) ilc__guard_cover(w, &expr->covered, var != NULL, length.lo >= 0);
    if (w->facts && var && length.hi > type.hi && !w->quiet)
        w->failed = true;             /* no array of .NET is that long */
    if (length.lo < 0) length.lo = 0; /* what passes the check */
    if (length.hi > type.hi) length.hi = type.hi;
    if (length.lo > length.hi) length.lo = length.hi = 0;
    return length;
}

/* Of a constant dimension that is there; other ones are looked at where they stand. */
static ilc__range eval_dim(ilc__guard *w, ilc__expr *expr)
{
    const ilc__var  *var = ilc__guard_array(w, expr->args[0]);
    const ilc__expr *number = expr->args[1];
    ilc__guard_eval(w, expr->args[0], false);
    ilc__guard_eval(w, expr->args[1], false);
    bool known = var && number->kind == ILC__EX_CONST && (uint32_t)number->u.bits < ilc__rank_of(var);
    ilc__range length = dimension_of(w, known ? var : NULL, known ? (uint32_t)number->u.bits : 0);
    ilc__guard_cover(w, &expr->covered, known, known && length.lo >= 0);
    if (length.lo < 0) length.lo = 0; /* what passes the check */
    if (length.hi > INT32_MAX) length.hi = INT32_MAX;
    return length.lo > length.hi ? ilc__range_between(0, 0) : length;
}

/* A pointer parameter that is never set is null when the launch gave null. */
static ilc__range eval_nonnull(ilc__guard *w, ilc__expr *expr)
{
    const ilc__expr *addr = expr->args[0];
    bool             is_pointer = addr->kind == ILC__EX_VAR && addr->u.var->is_pointer;
    const ilc__var  *var = is_pointer ? ilc__guard_array(w, addr) : NULL;
    ilc__range       length = length_of(w, var);
    ilc__guard_eval(w, expr->args[0], false);
    ilc__guard_cover(w, &expr->covered, var != NULL, length.lo >= 0);
    return ilc__range_between(0, 1);
}

static ilc__range eval_op(ilc__guard *w, ilc__expr *expr, bool wanted)
{
    bool       traps = ilc__range_traps(expr->op), wraps = ilc__range_wraps(expr->op);
    ilc__range a = ilc__guard_eval(w, expr->args[0], wanted || traps), b = a;
    if (expr->arg_count > 1) b = ilc__guard_eval(w, expr->args[1], wanted || traps);
    if (expr->arg_count > 2) ilc__guard_eval(w, expr->args[2], wanted || traps);
    ilc__range_result result = ilc__range_op(expr->op, a, b);
    /* another call of the function may want it: what is covered is tested for every call */
    if ((traps && !expr->proved) || (wraps && (wanted || (!w->marking && expr->covered))))
        ilc__guard_cover(w, &expr->covered, ilc__range_provable(expr->op, a, b), result.proved);
    return result.value;
}

/* The variables changed since mark, each once, with their values now; undone. */
uint32_t ilc__guard_take_way(ilc__guard *w, uint32_t mark, ilc__guard_change **out)
{
    ILC__VEC(ilc__guard_change) list = {0};
    w->now++;
    for (uint32_t i = mark; i < w->trail.count; i++) {
        uint32_t var = w->trail.items[i].var;
        if (w->stamp[var] == w->now) continue;
        w->stamp[var] = w->now;
        ILC__PUSH(w->arena, &list, (ilc__guard_change){var, w->env[var]});
    }
    ilc__guard_undo(w, mark);
    *out = list.items;
    return list.count;
}

static void put_way(ilc__guard *w, const ilc__guard_change *way, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ilc__guard_set(w, w->func->vars.items[way[i].var], way[i].old);
}

/* The state after either of two ways from the state at hand; a way that ended in a jump has no say. */
void ilc__guard_join_ways(ilc__guard *w, const ilc__guard_change *first, uint32_t first_count,
                          bool first_dead, const ilc__guard_change *second, uint32_t second_count,
                          bool second_dead)
{
    w->dead = first_dead && second_dead;
    if (first_dead || second_dead) {
        put_way(w, first_dead ? second : first, first_dead ? second_count : first_count);
        return;
    }
    /* put the first way in, and join the second into it: what the first did not change is as it was */
    ilc__range *before = ILC__NEW_ARRAY(w->arena, ilc__range, (size_t)first_count + 1);
    for (uint32_t i = 0; i < first_count; i++)
        before[i] = w->env[first[i].var];
    put_way(w, first, first_count);
    w->now++;
    for (uint32_t i = 0; i < second_count; i++) {
        uint32_t var = second[i].var;
        w->stamp[var] = w->now;
        ilc__guard_set(w, w->func->vars.items[var], ilc__range_join(w->env[var], second[i].old));
    }
    for (uint32_t i = 0; i < first_count; i++) /* changed on the first way alone */
        if (w->stamp[first[i].var] != w->now)
            ilc__guard_set(w, w->func->vars.items[first[i].var], ilc__range_join(first[i].old, before[i]));
}

static ilc__range eval_select(ilc__guard *w, ilc__expr *expr, bool wanted)
{
    bool was_dead = w->dead;
    ilc__guard_eval(w, expr->args[0], false);
    uint32_t   mark = w->trail.count;
    ilc__range ways[2];
    bool       dead[2];
    for (int arm = 0; arm < 2; arm++) {
        ilc__guard_refine(w, expr->args[0], arm == 0);
        ways[arm] = ilc__guard_eval(w, expr->args[arm + 1], wanted);
        dead[arm] = w->dead;
        w->dead = was_dead;
        ilc__guard_undo(w, mark);
    }
    if (dead[0] != dead[1]) return dead[0] ? ways[1] : ways[0];
    return ilc__range_join(ways[0], ways[1]);
}

static ilc__range eval_short(ilc__guard *w, ilc__expr *expr)
{
    bool was_dead = w->dead;
    ilc__guard_eval(w, expr->args[0], false);
    uint32_t mark = w->trail.count;
    ilc__guard_refine(w, expr->args[0], expr->kind == ILC__EX_AND);
    ilc__guard_eval(w, expr->args[1], false);
    ilc__guard_undo(w, mark);
    w->dead = was_dead;
    return ilc__range_between(0, 1);
}

ilc__range ilc__guard_eval(ilc__guard *w, ilc__expr *expr, bool wanted)
{
    switch (expr->kind) {
    case ILC__EX_CONST:
        if (expr->type == ILC__IR_I32) return ilc__range_point((int32_t)(uint32_t)expr->u.bits);
        if (expr->type == ILC__IR_I64) return ilc__range_point((int64_t)expr->u.bits);
        break;
    case ILC__EX_VAR:
        if (expr->type == ILC__IR_I32 || expr->type == ILC__IR_I64) return w->env[expr->u.var->index];
        break;
    case ILC__EX_OP: return eval_op(w, expr, wanted);
    case ILC__EX_LOAD:
    case ILC__EX_ELEMADDR: return eval_load(w, expr);
    case ILC__EX_LOADIND:
        ilc__guard_eval(w, expr->args[0], false);
        return ilc__range_of_storage(expr->storage);
    case ILC__EX_ADDRINT: ilc__guard_eval(w, expr->args[0], false); break;
    case ILC__EX_NONNULL: return eval_nonnull(w, expr);
    case ILC__EX_LEN: return eval_len(w, expr);
    case ILC__EX_DIM: return eval_dim(w, expr);
    case ILC__EX_SELECT: return eval_select(w, expr, wanted);
    case ILC__EX_AND:
    case ILC__EX_OR: return eval_short(w, expr);
    case ILC__EX_CALL: return ilc__guard_eval_call(w, expr, wanted);
    default:
        for (uint32_t i = 0; i < expr->arg_count; i++)
            ilc__guard_eval(w, expr->args[i], false);
        return ilc__range_between(0, 1);
    }
    return ilc__range_of_type(expr->type);
}
