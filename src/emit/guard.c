/* guard.c - the launch guard (docs/semantics.md, Launch guards).
 *
 * One walk over the root's tree follows the interval of every integer variable. At compile time (marking) it
 * decides which checks launch constants could prove and marks them covered; at launch the same walk, with the
 * numbers filled in, tests each covered check where it stands. Covered and not proved means false. A bound that
 * the walk holds is always true of the value, so what is not followed costs precision, never soundness. */
#include "emit/internal.h"
#include "emit/range.h"

typedef struct change {
    uint32_t   var;
    ilc__range old;
} change;

typedef struct walker {
    ilc__arena              *arena;
    const ilc__func         *func;
    const ilc__kernel_spec  *spec;
    const ilc__launch_facts *facts;   /* NULL while marking                                              */
    ilc__range              *env;     /* by variable number                                              */
    bool                    *wanted;  /* demand.c                                                        */
    ILC__VEC(change) trail;           /* what to put back, newest last                                   */
    bool marking, quiet;              /* quiet: evaluate without marking or testing                      */
    bool dead;                        /* the point at hand is not reached                                */
    bool failed;                      /* a covered check was not proved                                  */
    bool covers_check;                /* some operation that may trap was marked                         */
    uint32_t *stamp, now;             /* by variable number: last seen in the list being made            */
} walker;

static void walk_block(walker *w, const ilc__block *block);

/* --- state ------------------------------------------------------------------------------------------------ */

static void set_var(walker *w, const ilc__var *var, ilc__range range)
{
    ILC__PUSH(w->arena, &w->trail, (change){var->index, w->env[var->index]});
    w->env[var->index] = range;
}

static void undo(walker *w, uint32_t mark)
{
    while (w->trail.count > mark) {
        change c = w->trail.items[--w->trail.count];
        w->env[c.var] = c.old;
    }
}

static ilc__range unknown_var(const ilc__var *var)
{
    return ilc__range_of_storage(var->storage);
}

static void forget_stmt(void *user, const ilc__stmt *stmt)
{
    walker *w = user;
    if (stmt->var && !stmt->var->is_array && !stmt->var->is_addr) set_var(w, stmt->var, unknown_var(stmt->var));
}

/* What a block assigns is unknown at the head of the loop that repeats it. */
static void forget_assigned(walker *w, const ilc__block *block)
{
    ilc__block_each(block, forget_stmt, w);
}

typedef struct assigned_query {
    const ilc__var *var;
    bool            found;
} assigned_query;

static void query_stmt(void *user, const ilc__stmt *stmt)
{
    assigned_query *q = user;
    if (stmt->var == q->var) q->found = true;
}

static bool assigns(const ilc__block *block, const ilc__var *var)
{
    assigned_query q = {var, false};
    ilc__block_each(block, query_stmt, &q);
    return q.found;
}

/* --- covering --------------------------------------------------------------------------------------------- */

/* Marking: the check is covered when launch constants may prove it, or nothing is left to prove. At launch: a
 * covered check must be proved. */
static void cover(walker *w, bool *covered, bool provable, bool proved, bool is_check)
{
    if (w->quiet || w->dead) return;
    if (!w->marking) {
        if (*covered && !proved) w->failed = true;
        return;
    }
    *covered = provable || proved;
    if (*covered && is_check) w->covers_check = true;
}

/* --- expressions ------------------------------------------------------------------------------------------ */

static ilc__range eval(walker *w, ilc__expr *expr, bool wanted);
static void       refine(walker *w, ilc__expr *cond, bool truth);

/* The one array parameter that an expression names, never assigned; NULL. */
static const ilc__var *fixed_array(const ilc__expr *array)
{
    if (array->kind != ILC__EX_VAR) return NULL;
    const ilc__var *var = array->u.var;
    return var->is_param && var->assignments <= 1 ? var : NULL;
}

static ilc__range from_launch(ilc__range range)
{
    range.launch = true;
    return range;
}

/* -1 null, so that no index is below it. */
static ilc__range length_of(const walker *w, const ilc__var *array)
{
    if (array && w->facts) return from_launch(ilc__range_point(w->facts->lengths[array->index]));
    return (ilc__range){-1, INT64_MAX, array != NULL, array != NULL, array != NULL};
}

static void cover_access(walker *w, bool *covered, const ilc__expr *array, ilc__range index)
{
    const ilc__var *var = fixed_array(array);
    bool            proved = var && index.lo >= 0 && index.hi < length_of(w, var).lo;
    cover(w, covered, var && ilc__range_known(index), proved, true);
}

/* An address has no range; what is read through one may be anything that its storage holds: other addresses may
 * reach the same place. */
static ilc__range eval_load(walker *w, ilc__expr *expr)
{
    eval(w, expr->args[0], false);
    ilc__range index = eval(w, expr->args[1], true);
    cover_access(w, &expr->covered, expr->args[0], index);
    return ilc__range_of_storage(expr->storage);
}

static ilc__range eval_len(walker *w, ilc__expr *expr)
{
    const ilc__var *var = fixed_array(expr->args[0]);
    ilc__range      length = length_of(w, var), type = ilc__range_of_type(expr->type);
    eval(w, expr->args[0], false);
    cover(w, &expr->covered, var != NULL, length.lo >= 0, true);
    if (w->facts && var && length.hi > type.hi && !w->quiet) w->failed = true; /* no array of .NET is that long */
    if (length.lo < 0) length.lo = 0;                                          /* what passes the check */
    if (length.hi > type.hi) length.hi = type.hi;
    if (length.lo > length.hi) length.lo = length.hi = 0;
    return length;
}

static ilc__range eval_op(walker *w, ilc__expr *expr, bool wanted)
{
    bool       traps = ilc__range_traps(expr->op), wraps = ilc__range_wraps(expr->op);
    ilc__range a = eval(w, expr->args[0], wanted || traps), b = a;
    if (expr->arg_count > 1) b = eval(w, expr->args[1], wanted || traps);
    ilc__range_result result = ilc__range_op(expr->op, a, b);
    if (traps || (wraps && wanted)) cover(w, &expr->covered, ilc__range_provable(expr->op, a, b), result.proved, traps);
    return result.value;
}

/* The variables changed since mark, each once, with their values now; undone. */
static uint32_t take_way(walker *w, uint32_t mark, change **out)
{
    ILC__VEC(change) list = {0};
    w->now++;
    for (uint32_t i = mark; i < w->trail.count; i++) {
        uint32_t var = w->trail.items[i].var;
        if (w->stamp[var] == w->now) continue;
        w->stamp[var] = w->now;
        ILC__PUSH(w->arena, &list, (change){var, w->env[var]});
    }
    undo(w, mark);
    *out = list.items;
    return list.count;
}

static void put_way(walker *w, const change *way, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) set_var(w, w->func->vars.items[way[i].var], way[i].old);
}

/* The state after either of two ways from the state at hand; a way that ended in a jump has no say. */
static void join_ways(walker *w, const change *first, uint32_t first_count, bool first_dead, const change *second,
                      uint32_t second_count, bool second_dead)
{
    w->dead = first_dead && second_dead;
    if (first_dead || second_dead) {
        put_way(w, first_dead ? second : first, first_dead ? second_count : first_count);
        return;
    }
    /* put the first way in, and join the second into it: what the first did not change is as it was */
    ilc__range *before = ILC__NEW_ARRAY(w->arena, ilc__range, (size_t)first_count + 1);
    for (uint32_t i = 0; i < first_count; i++) before[i] = w->env[first[i].var];
    put_way(w, first, first_count);
    w->now++;
    for (uint32_t i = 0; i < second_count; i++) {
        uint32_t var = second[i].var;
        w->stamp[var] = w->now;
        set_var(w, w->func->vars.items[var], ilc__range_join(w->env[var], second[i].old));
    }
    for (uint32_t i = 0; i < first_count; i++) /* changed on the first way alone */
        if (w->stamp[first[i].var] != w->now)
            set_var(w, w->func->vars.items[first[i].var], ilc__range_join(first[i].old, before[i]));
}

static ilc__range eval_select(walker *w, ilc__expr *expr, bool wanted)
{
    bool was_dead = w->dead;
    eval(w, expr->args[0], false);
    uint32_t   mark = w->trail.count;
    ilc__range ways[2];
    bool       dead[2];
    for (int arm = 0; arm < 2; arm++) {
        refine(w, expr->args[0], arm == 0);
        ways[arm] = eval(w, expr->args[arm + 1], wanted);
        dead[arm] = w->dead;
        w->dead = was_dead;
        undo(w, mark);
    }
    if (dead[0] != dead[1]) return dead[0] ? ways[1] : ways[0];
    return ilc__range_join(ways[0], ways[1]);
}

static ilc__range eval_short(walker *w, ilc__expr *expr)
{
    bool was_dead = w->dead;
    eval(w, expr->args[0], false);
    uint32_t mark = w->trail.count;
    refine(w, expr->args[0], expr->kind == ILC__EX_AND);
    eval(w, expr->args[1], false);
    undo(w, mark);
    w->dead = was_dead;
    return ilc__range_between(0, 1);
}

static ilc__range eval(walker *w, ilc__expr *expr, bool wanted)
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
    case ILC__EX_LOAD: case ILC__EX_ELEMADDR: return eval_load(w, expr);
    case ILC__EX_LOADIND:
        eval(w, expr->args[0], false);
        return ilc__range_of_storage(expr->storage);
    case ILC__EX_LEN: return eval_len(w, expr);
    case ILC__EX_SELECT: return eval_select(w, expr, wanted);
    case ILC__EX_AND: case ILC__EX_OR: return eval_short(w, expr);
    default:
        for (uint32_t i = 0; i < expr->arg_count; i++) eval(w, expr->args[i], false);
        if (expr->kind == ILC__EX_CALL) return ilc__range_of_storage(expr->u.callee->ret);
        return ilc__range_between(0, 1);
    }
    return ilc__range_of_type(expr->type);
}

/* --- conditions ------------------------------------------------------------------------------------------- */

enum { SIMPLE_NODES = 32 };

/* Small and straight: evaluated once more when a condition is used. */
static bool is_simple(const ilc__expr *expr, uint32_t *budget)
{
    bool straight = expr->kind == ILC__EX_CONST || expr->kind == ILC__EX_VAR || expr->kind == ILC__EX_OP ||
                    expr->kind == ILC__EX_LOAD || expr->kind == ILC__EX_LEN;
    if (!straight || *budget == 0) return false;
    --*budget;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (!is_simple(expr->args[i], budget)) return false;
    return true;
}

typedef enum relation { REL_NONE, REL_LT, REL_LE, REL_GT, REL_GE, REL_EQ, REL_NE, REL_BELOW, REL_NOT_ABOVE, REL_ABOVE,
                       REL_NOT_BELOW /* unsigned */ } relation;

static relation relation_of(ilc__op op)
{
    switch (op) {
    case ILC__OP_LT_I32: case ILC__OP_LT_I64: return REL_LT;
    case ILC__OP_LE_I32: case ILC__OP_LE_I64: return REL_LE;
    case ILC__OP_GT_I32: case ILC__OP_GT_I64: return REL_GT;
    case ILC__OP_GE_I32: case ILC__OP_GE_I64: return REL_GE;
    case ILC__OP_EQ_I32: case ILC__OP_EQ_I64: return REL_EQ;
    case ILC__OP_NE_I32: case ILC__OP_NE_I64: return REL_NE;
    case ILC__OP_LT_UN_I32: case ILC__OP_LT_UN_I64: return REL_BELOW;
    case ILC__OP_LE_UN_I32: case ILC__OP_LE_UN_I64: return REL_NOT_ABOVE;
    case ILC__OP_GT_UN_I32: case ILC__OP_GT_UN_I64: return REL_ABOVE;
    case ILC__OP_GE_UN_I32: case ILC__OP_GE_UN_I64: return REL_NOT_BELOW;
    default: return REL_NONE;
    }
}

static const struct {
    relation negated, swapped;
} relations[] = {
    [REL_NONE] = {REL_NONE, REL_NONE},   [REL_LT] = {REL_GE, REL_GT},
    [REL_LE] = {REL_GT, REL_GE},         [REL_GT] = {REL_LE, REL_LT},
    [REL_GE] = {REL_LT, REL_LE},         [REL_EQ] = {REL_NE, REL_EQ},
    [REL_NE] = {REL_EQ, REL_NE},         [REL_BELOW] = {REL_NOT_BELOW, REL_ABOVE},
    [REL_NOT_ABOVE] = {REL_ABOVE, REL_NOT_BELOW}, [REL_ABOVE] = {REL_NOT_ABOVE, REL_BELOW},
    [REL_NOT_BELOW] = {REL_BELOW, REL_NOT_ABOVE},
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
static ilc__range narrowed(ilc__range left, relation rel, ilc__range right)
{
    if (rel != REL_NONE) left.launch = left.launch || right.launch;
    switch (rel) {
    case REL_LT: bound_above(&left, right.hi - 1, right.hi_known); break;
    case REL_LE: bound_above(&left, right.hi, right.hi_known); break;
    case REL_GT: bound_below(&left, right.lo + 1, right.lo_known); break;
    case REL_GE: bound_below(&left, right.lo, right.lo_known); break;
    case REL_EQ:
        bound_above(&left, right.hi, right.hi_known);
        bound_below(&left, right.lo, right.lo_known);
        break;
    case REL_NE:
        if (right.lo != right.hi) break;
        if (left.lo == right.lo) left.lo++;
        if (left.hi == right.lo) left.hi--;
        break;
    case REL_BELOW: case REL_NOT_ABOVE: /* as unsigned numbers: below a natural bound means from 0 on */
        if (right.lo < 0) {
            left.lo_known = left.lo_known || right.hi_known;
            left.hi_known = left.hi_known || right.hi_known;
            break;
        }
        bound_above(&left, rel == REL_BELOW ? right.hi - 1 : right.hi, right.hi_known);
        bound_below(&left, 0, right.hi_known);
        break;
    case REL_ABOVE: case REL_NOT_BELOW: case REL_NONE: break;
    }
    return left;
}

/* "v" or "v + c" where the sum cannot have wrapped: the variable, and c in *offset. */
static const ilc__var *shifted_var(walker *w, ilc__expr *expr, ilc__wide *offset)
{
    *offset = 0;
    if (expr->kind == ILC__EX_VAR) return expr->u.var;
    if (expr->kind != ILC__EX_OP || expr->arg_count != 2 || expr->args[0]->kind != ILC__EX_VAR ||
        expr->args[1]->kind != ILC__EX_CONST)
        return NULL;
    bool plus = expr->op == ILC__OP_ADD_OVF_I32 || expr->op == ILC__OP_ADD_I32 || expr->op == ILC__OP_ADD_OVF_I64 ||
                expr->op == ILC__OP_ADD_I64;
    bool minus = expr->op == ILC__OP_SUB_OVF_I32 || expr->op == ILC__OP_SUB_I32 || expr->op == ILC__OP_SUB_OVF_I64 ||
                 expr->op == ILC__OP_SUB_I64;
    ilc__range a = eval(w, expr->args[0], false), b = eval(w, expr->args[1], false);
    if (!(plus || minus) || !(ilc__range_traps(expr->op) || ilc__range_op(expr->op, a, b).proved)) return NULL;
    *offset = plus ? b.lo : -b.lo;
    return expr->args[0]->u.var;
}

static void refine_side(walker *w, ilc__expr *side, relation rel, ilc__range other)
{
    ilc__wide       offset;
    const ilc__var *var = shifted_var(w, side, &offset);
    if (!var || rel == REL_NONE) return;
    if (offset && rel >= REL_BELOW) return; /* unsigned compares are not shifted */
    ilc__range range = w->env[var->index];
    other.lo -= offset;
    other.hi -= offset;
    ilc__range next = narrowed(range, rel, other);
    if (next.lo > next.hi) {
        w->dead = true;
        return;
    }
    set_var(w, var, next);
}

static void refine_compare(walker *w, ilc__expr *cond, bool truth)
{
    relation rel = relation_of(cond->op);
    uint32_t budget = SIMPLE_NODES;
    if (!truth) rel = relations[rel].negated;
    if (rel == REL_NONE || !is_simple(cond, &budget)) return;
    bool was_quiet = w->quiet;
    w->quiet = true;
    ilc__range a = eval(w, cond->args[0], false), b = eval(w, cond->args[1], false);
    refine_side(w, cond->args[0], rel, b);
    if (!w->dead) refine_side(w, cond->args[1], relations[rel].swapped, a);
    w->quiet = was_quiet;
}

/* Narrows the variables by what a condition says when it is true (or false). */
static void refine(walker *w, ilc__expr *cond, bool truth)
{
    if (w->dead) return;
    if (cond->kind == ILC__EX_NOT) {
        refine(w, cond->args[0], !truth);
    } else if ((cond->kind == ILC__EX_AND && truth) || (cond->kind == ILC__EX_OR && !truth)) {
        refine(w, cond->args[0], truth);
        refine(w, cond->args[1], truth);
    } else if (cond->kind == ILC__EX_OP && cond->arg_count == 2) {
        refine_compare(w, cond, truth);
    }
}

/* --- loops ------------------------------------------------------------------------------------------------ */

/* +1: the compare goes up and the step adds; -1 the other way round; 0: not followed. */
static int direction_of(const ilc__stmt *stmt, ilc__range step)
{
    relation rel = relation_of(stmt->compare);
    if ((rel == REL_LT || rel == REL_LE) && step.lo >= 1) return 1;
    if ((rel == REL_GT || rel == REL_GE) && step.hi <= -1) return -1;
    return 0;
}

static bool is_add(ilc__op op)
{
    return op == ILC__OP_ADD_I32 || op == ILC__OP_ADD_OVF_I32 || op == ILC__OP_ADD_I64 || op == ILC__OP_ADD_OVF_I64;
}

static bool is_sub(ilc__op op)
{
    return op == ILC__OP_SUB_I32 || op == ILC__OP_SUB_OVF_I32 || op == ILC__OP_SUB_I64 || op == ILC__OP_SUB_OVF_I64;
}

/* The counter's values in the body: from its start to the limit. That holds only while no step wraps: a checked
 * step traps instead, another one must be proved. */
static ilc__range counter_range(const ilc__stmt *stmt, ilc__range start, ilc__range limit, int direction)
{
    ilc__range range = start;
    range.launch = start.launch || limit.launch;
    relation   rel = relation_of(stmt->compare);
    if (direction > 0) {
        range.hi = rel == REL_LT ? limit.hi - 1 : limit.hi;
        range.hi_known = limit.hi_known;
    } else {
        range.lo = rel == REL_GT ? limit.lo + 1 : limit.lo;
        range.lo_known = limit.lo_known;
    }
    return range;
}

static void walk_body(walker *w, ilc__stmt *stmt, uint32_t head)
{
    walk_block(w, &stmt->body);
    undo(w, head);
    w->dead = false;
}

static void walk_for(walker *w, ilc__stmt *stmt)
{
    ilc__range start = eval(w, stmt->a, true), unknown = unknown_var(stmt->var);
    bool       integer = stmt->var->storage != ILC_F32 && stmt->var->storage != ILC_F64;
    forget_assigned(w, &stmt->body);
    set_var(w, stmt->var, unknown);
    ilc__range limit = eval(w, stmt->b, true), by = eval(w, stmt->c, true);
    ilc__range step = is_sub(stmt->step) ? (ilc__range){-by.hi, -by.lo, by.hi_known, by.lo_known, by.launch} : by;
    bool       follows = integer && (is_add(stmt->step) || is_sub(stmt->step)) && !assigns(&stmt->body, stmt->var) &&
                   ilc__range_within(start, unknown);
    int        direction = follows ? direction_of(stmt, step) : 0;
    uint32_t   head = w->trail.count;
    if (direction) {
        ilc__range body = counter_range(stmt, start, limit, direction);
        /* no turn for any element: nothing of the body is run (marking looks at it all the same) */
        if (!w->marking && body.lo > body.hi) return;
        if (body.lo > body.hi) body = (ilc__range){unknown.lo, unknown.hi, body.lo_known, body.hi_known, body.launch};
        ilc__range_result next = ilc__range_op(ILC__OP_ADD_I64, body, step);
        bool proved = ilc__range_within(next.value, unknown) && next.proved;
        bool traps = ilc__range_traps(stmt->step);
        bool provable = ilc__range_known(body) && ilc__range_known(step) && (body.launch || step.launch);
        cover(w, &stmt->covered, provable, proved, traps);
        /* a check keeps a counter of full width from wrapping; a covered step is proved or the guard fails */
        bool wide = !ilc__range_known(unknown);
        if ((traps && wide) || proved || stmt->covered) set_var(w, stmt->var, body);
    }
    walk_body(w, stmt, head);
}

static void walk_while(walker *w, ilc__stmt *stmt)
{
    forget_assigned(w, &stmt->body);
    uint32_t head = w->trail.count;
    if (stmt->kind == ILC__ST_WHILE) {
        eval(w, stmt->a, false);
        refine(w, stmt->a, true);
    }
    walk_body(w, stmt, head);
    if (stmt->kind == ILC__ST_DO) eval(w, stmt->a, false);
    if (stmt->kind == ILC__ST_WHILE && !ilc__block_jumps_to(&stmt->body, stmt, ILC__ST_BREAK)) {
        refine(w, stmt->a, false);
        w->dead = false;
    }
}

/* --- statements ------------------------------------------------------------------------------------------- */

static void walk_if(walker *w, ilc__stmt *stmt)
{
    eval(w, stmt->a, false);
    uint32_t mark = w->trail.count, count[2];
    change  *ways[2];
    bool     dead[2];
    for (int way = 0; way < 2; way++) {
        refine(w, stmt->a, way == 0);
        if (!w->dead) walk_block(w, way == 0 ? &stmt->body : &stmt->other);
        dead[way] = w->dead;
        count[way] = take_way(w, mark, &ways[way]);
        w->dead = false;
    }
    join_ways(w, ways[0], count[0], dead[0], ways[1], count[1], dead[1]);
}

static void walk_switch(walker *w, ilc__stmt *stmt)
{
    eval(w, stmt->a, false);
    uint32_t mark = w->trail.count;
    for (uint32_t i = 0; i <= stmt->case_count; i++) {
        walk_block(w, i < stmt->case_count ? &stmt->cases[i].body : &stmt->other);
        undo(w, mark);
        w->dead = false;
    }
    for (uint32_t i = 0; i < stmt->case_count; i++) forget_assigned(w, &stmt->cases[i].body);
    forget_assigned(w, &stmt->other);
}

/* A small variable keeps its width. */
static void walk_assign(walker *w, ilc__stmt *stmt)
{
    ilc__range value = eval(w, stmt->a, w->wanted[stmt->var->index]), width = unknown_var(stmt->var);
    if (stmt->var->is_array || stmt->var->is_addr) return;
    set_var(w, stmt->var, ilc__range_within(value, width) ? value : width);
}

static void walk_store(walker *w, ilc__stmt *stmt)
{
    eval(w, stmt->a, false);
    ilc__range index = eval(w, stmt->b, true);
    eval(w, stmt->c, false);
    cover_access(w, &stmt->covered, stmt->a, index);
}

/* Slots have no ranges, so there is none to forget. */
static void walk_memory(walker *w, ilc__stmt *stmt)
{
    eval(w, stmt->a, false);
    if (stmt->b) eval(w, stmt->b, false);
}

static void walk_stmt(walker *w, ilc__stmt *stmt)
{
    switch (stmt->kind) {
    case ILC__ST_ASSIGN: walk_assign(w, stmt); break;
    case ILC__ST_STORE: walk_store(w, stmt); break;
    case ILC__ST_STOREIND: case ILC__ST_COPYMEM: case ILC__ST_ZEROMEM: walk_memory(w, stmt); break;
    case ILC__ST_EVAL: eval(w, stmt->a, false); break;
    case ILC__ST_IF: walk_if(w, stmt); break;
    case ILC__ST_FOR: walk_for(w, stmt); break;
    case ILC__ST_LOOP: case ILC__ST_WHILE: case ILC__ST_DO: walk_while(w, stmt); break;
    case ILC__ST_SWITCH: walk_switch(w, stmt); break;
    case ILC__ST_RETURN:
        if (stmt->a) eval(w, stmt->a, false);
        w->dead = true;
        break;
    case ILC__ST_BREAK: case ILC__ST_CONTINUE: case ILC__ST_THROW: w->dead = true; break;
    case ILC__ST_LABEL: case ILC__ST_GOTO: break; /* such functions are not followed */
    }
}

static void walk_block(walker *w, const ilc__block *block)
{
    for (ilc__stmt *stmt = block->first; stmt && !w->dead && !w->failed; stmt = stmt->next) walk_stmt(w, stmt);
}

/* --- the start -------------------------------------------------------------------------------------------- */

static int64_t scalar_on_stack(ilc_storage storage, int64_t value)
{
    switch (storage) {
    case ILC_BOOL: case ILC_U8: return (uint8_t)value;
    case ILC_CHAR: case ILC_U16: return (uint16_t)value;
    case ILC_I8: return (int8_t)value;
    case ILC_I16: return (int16_t)value;
    case ILC_I32: case ILC_U32: return (int32_t)value;
    default: return value;
    }
}

static ilc__range param_range(const walker *w, uint32_t param)
{
    const ilc__var *var = w->func->vars.items[param];
    ilc__range      range = unknown_var(var);
    for (uint32_t d = 0; d < w->spec->index_count; d++) {
        if (w->spec->index_params[d] != param) continue;
        ilc__range index = {0, range.hi, true, true, true};
        if (w->facts) index.hi = (ilc__wide)w->facts->extents[d] - 1;
        return index.hi <= range.hi ? index : range; /* a UInt32 index past 2^31 reads as negative */
    }
    bool kept = w->spec->mode != ILC__MODE_ELEMENTWISE || (w->spec->kept_scalar && w->spec->kept_scalar[param]);
    if (!kept || var->is_array || var->is_addr || var->storage == ILC_F32 || var->storage == ILC_F64) return range;
    if (w->facts) return from_launch(ilc__range_point(scalar_on_stack(var->storage, w->facts->scalars[param])));
    range.lo_known = range.hi_known = range.launch = true;
    return range;
}

static void start(walker *w)
{
    w->env = ILC__NEW_ARRAY(w->arena, ilc__range, w->func->vars.count + 1);
    w->wanted = ilc__demand_vars(w->arena, w->func);
    w->stamp = ILC__NEW_ARRAY(w->arena, uint32_t, w->func->vars.count + 1);
    for (uint32_t i = 0; i < w->func->vars.count; i++) {
        const ilc__var *var = w->func->vars.items[i];
        bool            zero = var->needs_zero && !var->is_array && var->storage != ILC_F32 && var->storage != ILC_F64;
        w->env[i] = i < w->func->param_count ? param_range(w, i) : zero ? ilc__range_point(0) : unknown_var(var);
    }
}

static void clear_expr(ilc__expr *expr)
{
    if (!expr) return;
    expr->covered = false;
    for (uint32_t i = 0; i < expr->arg_count; i++) clear_expr(expr->args[i]);
}

static void clear_block(ilc__block *block)
{
    for (ilc__stmt *stmt = block->first; stmt; stmt = stmt->next) {
        stmt->covered = false;
        clear_expr(stmt->a);
        clear_expr(stmt->b);
        clear_expr(stmt->c);
        clear_block(&stmt->body);
        for (uint32_t i = 0; i < stmt->case_count; i++) clear_block(&stmt->cases[i].body);
        clear_block(&stmt->other);
    }
}

bool ilc__guard_mark(ilc__context *ctx, ilc__arena *scratch, const ilc__unit *unit, const ilc__kernel_spec *spec)
{
    (void)ctx;
    ilc__func *root = unit->funcs.items[unit->funcs.count - 1];
    clear_block(&root->body);
    if (root->has_goto) return false;
    walker w = {.arena = scratch, .func = root, .spec = spec, .marking = true};
    start(&w);
    walk_block(&w, &root->body);
    return w.covers_check;
}

/* Marks anew first: the same tree may have been emitted for another launch shape since. */
bool ilc__guard_holds(ilc__context *ctx, ilc__arena *scratch, const ilc__kernel *kernel, const ilc__launch_facts *facts)
{
    if (!kernel->has_guard) return true;
    const ilc__unit *unit = kernel->unit;
    for (uint32_t d = 0; d < kernel->spec.index_count; d++)
        if (facts->extents[d] <= 0) return true; /* no element */
    ilc__guard_mark(ctx, scratch, unit, &kernel->spec);
    walker w = {.arena = scratch, .func = unit->funcs.items[unit->funcs.count - 1], .spec = &kernel->spec, .facts = facts};
    start(&w);
    walk_block(&w, &w.func->body);
    return !w.failed;
}
