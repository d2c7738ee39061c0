/* loops.c - endless loops become while, do and the counted For, where that is what they are. */
#include "ast/build.h"

typedef ILC__VEC(ilc__stmt *) stmt_vec; /* statements of a list, up to the one at hand */

enum { LOOK_BACK = 4 }; /* statements between the assignment of a limit and its loop */

static bool is_break_if(const ilc__stmt *s, const ilc__stmt *loop)
{
    return s && s->kind == ILC__ST_IF && !s->other.first && s->body.first && s->body.first == s->body.last &&
           s->body.first->kind == ILC__ST_BREAK && s->body.first->target == loop;
}

static ilc__stmt *before_last(const ilc__block *list)
{
    ilc__stmt *s = list->first;
    if (!s || s == list->last) return NULL;
    while (s->next != list->last) s = s->next;
    return s;
}

static void drop_last(ilc__block *list)
{
    ilc__stmt *before = before_last(list);
    if (before) before->next = NULL;
    else list->first = NULL;
    list->last = before;
}

/* --- what a body does ------------------------------------------------------------------------------------------ */

typedef struct census {
    const ilc__stmt *loop;
    const ilc__var  *var;
    uint32_t         label;
    uint32_t continues; /* of the loop         */
    uint32_t assigns;   /* of var              */
    uint32_t gotos;     /* to label            */
    bool     turn;      /* gotos become continues */
} census;

static void survey(census *c, ilc__block *list)
{
    for (ilc__stmt *s = list->first; s; s = s->next) {
        if (s->kind == ILC__ST_CONTINUE && s->target == c->loop) c->continues++;
        if ((s->kind == ILC__ST_ASSIGN || s->kind == ILC__ST_FOR) && s->var == c->var) c->assigns++;
        if (s->kind == ILC__ST_GOTO && s->label == c->label) {
            c->gotos++;
            if (c->turn) {
                s->kind = ILC__ST_CONTINUE;
                s->target = (ilc__stmt *)(uintptr_t)c->loop;
            }
        }
        survey(c, &s->body);
        survey(c, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) survey(c, &s->cases[k].body);
    }
}

static census survey_of(ilc__stmt *loop, const ilc__var *var, uint32_t label, bool turn)
{
    census c = {loop, var, label, 0, 0, 0, turn};
    survey(&c, &loop->body);
    return c;
}

static bool assigns_any(ilc__stmt *loop, const ilc__expr *e)
{
    if (e->kind == ILC__EX_VAR) return survey_of(loop, e->u.var, ILC__NO_NODE, false).assigns > 0;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (assigns_any(loop, e->args[i])) return true;
    return false;
}

/* The same value each turn: nothing it reads is assigned in the loop, and it reads no element. */
static bool is_invariant(ilc__stmt *loop, const ilc__expr *e)
{
    return !ilc__expr_loads(e) && !assigns_any(loop, e);
}

/* The gotos to a label that stands right before the last statement of a loop: all must come from inside. */
static bool turn_gotos(ilc__builder *b, ilc__stmt *loop, ilc__stmt *label)
{
    if (!label || label->kind != ILC__ST_LABEL) return true;
    census c = survey_of(loop, NULL, label->label, false);
    if (c.gotos != b->label_uses[label->label]) return false;
    survey_of(loop, NULL, label->label, true);
    b->label_uses[label->label] = 0;
    return true;
}

/* --- while, do --------------------------------------------------------------------------------------------------- */

static void try_while(ilc__builder *b, ilc__stmt *loop)
{
    ilc__stmt *test = loop->body.first;
    if (!is_break_if(test, loop)) return;
    loop->kind = ILC__ST_WHILE;
    loop->a = ilc__expr_negate(b->arena, test->a);
    loop->il = test->il;
    loop->has_il = test->has_il;
    loop->line = test->line;
    loop->body.first = test->next;
    if (!loop->body.first) loop->body.last = NULL;
}

static void try_do(ilc__builder *b, ilc__stmt *loop)
{
    ilc__stmt *test = loop->body.last;
    if (!is_break_if(test, loop)) return;
    ilc__stmt *label = before_last(&loop->body);
    if (survey_of(loop, NULL, ILC__NO_NODE, false).continues) return;
    if (!turn_gotos(b, loop, label)) return;
    loop->kind = ILC__ST_DO;
    loop->a = ilc__expr_negate(b->arena, test->a);
    loop->il = test->il;
    loop->has_il = test->has_il;
    loop->line = test->line;
    drop_last(&loop->body);
    if (label && label->kind == ILC__ST_LABEL) drop_last(&loop->body);
}

/* --- For ------------------------------------------------------------------------------------------------------- */

static bool is_counter(const ilc__expr *e)
{
    return e->kind == ILC__EX_VAR && !e->u.var->is_array &&
           (e->type == ILC__IR_I32 || e->type == ILC__IR_I64);
}

static bool is_ordering(ilc__op op)
{
    switch (op) {
#define ORDERING(T)                                                                                          \
    case ILC__OP_LT_##T: case ILC__OP_LE_##T: case ILC__OP_GT_##T: case ILC__OP_GE_##T:                      \
    case ILC__OP_LT_UN_##T: case ILC__OP_LE_UN_##T: case ILC__OP_GT_UN_##T: case ILC__OP_GE_UN_##T
    ORDERING(I32):
    ORDERING(I64): return true;
#undef ORDERING
    default: return false;
    }
}

static bool is_var(const ilc__expr *e, const ilc__var *var)
{
    return e->kind == ILC__EX_VAR && e->u.var == var;
}

/* k = k + c, also written as k - c; the step is made an addition, which overflows exactly when it did. by: the variable
 * that c is, or NULL where it is a number. */
static bool take_step(ilc__builder *b, const ilc__stmt *s, const ilc__var *k, const ilc__var *by, ilc__op *op, ilc__expr **amount)
{
    if (!s || s->kind != ILC__ST_ASSIGN || s->var != k || s->a->kind != ILC__EX_OP || s->a->arg_count != 2) return false;
    const ilc__expr *x = s->a->args[0];
    ilc__expr       *c = s->a->args[1];
    *op = s->a->op;
    if (*op != ILC__OP_ADD_I32 && *op != ILC__OP_ADD_OVF_I32 && *op != ILC__OP_ADD_I64 && *op != ILC__OP_ADD_OVF_I64 &&
        *op != ILC__OP_SUB_I32 && *op != ILC__OP_SUB_OVF_I32 && *op != ILC__OP_SUB_I64 && *op != ILC__OP_SUB_OVF_I64)
        return false;
    bool subtracts = (ilc__op_info_of(*op)->flags & ILC__OPF_COMMUTES) == 0;
    if (!subtracts && x->kind == ILC__EX_CONST) {
        x = s->a->args[1];
        c = s->a->args[0];
    }
    if (by && !subtracts && is_var(x, by)) {
        x = s->a->args[1];
        c = s->a->args[0];
    }
    if (!is_var(x, k)) return false;
    *amount = c;
    if (by) return !subtracts && is_var(c, by);
    if (c->kind != ILC__EX_CONST) return false;
    bool     wide = c->type == ILC__IR_I64;
    uint64_t bits = wide ? c->u.bits : (uint64_t)(int64_t)(int32_t)(uint32_t)c->u.bits;
    if (bits == 0 || bits == (wide ? (uint64_t)INT64_MIN : (uint64_t)(int64_t)INT32_MIN)) return false;
    if (!subtracts) return true;
    bool checked = ilc__op_info_of(*op)->trap_count > 0;
    if (wide) *op = checked ? ILC__OP_ADD_OVF_I64 : ILC__OP_ADD_I64;
    else *op = checked ? ILC__OP_ADD_OVF_I32 : ILC__OP_ADD_I32;
    *amount = ilc__expr_const(b->arena, c->type, 0 - bits);
    return true;
}

/* A compiler leaves out the first test where it knows the answer. */
static bool starts_true(ilc__op compare, const ilc__expr *first, const ilc__expr *limit)
{
    uint64_t          answer = 0;
    ilc__exception_id exception;
    if (first->kind != ILC__EX_CONST || limit->kind != ILC__EX_CONST) return false;
    return ilc__op_eval(compare, first->u.bits, limit->u.bits, &answer, &exception) && answer;
}

/* s >> 31, or 63: s; else NULL. */
static const ilc__var *sign_of(const ilc__expr *e)
{
    bool shifts = e->kind == ILC__EX_OP && (e->op == ILC__OP_SHR_I32 || e->op == ILC__OP_SHR_I64) && e->args[0]->kind == ILC__EX_VAR;
    return shifts && ilc__expr_is_const(e->args[1], e->op == ILC__OP_SHR_I32 ? 31 : 63) ? e->args[0]->u.var : NULL;
}

/* sign Xor x: x; else NULL. */
static ilc__expr *under_sign(ilc__expr *e, const ilc__var **sign)
{
    if (e->kind != ILC__EX_OP || (e->op != ILC__OP_XOR_I32 && e->op != ILC__OP_XOR_I64)) return NULL;
    uint32_t at = sign_of(e->args[0]) ? 0 : 1;
    *sign = sign_of(e->args[at]);
    return *sign ? e->args[1 - at] : NULL;
}

/* (s >> 31 Xor k) <= (s >> 31 Xor limit), as VB tests a counter whose step is no number. */
static const ilc__var *match_by_sign(ilc__builder *b, const ilc__expr *test, ilc__expr **k, ilc__expr **limit)
{
    const ilc__var *sign = NULL, *other = NULL;
    if (test->op != ILC__OP_LE_I32 && test->op != ILC__OP_LE_I64) return NULL;
    ilc__expr *left = under_sign(test->args[0], &sign), *right = under_sign(test->args[1], &other);
    if (!left || left->kind != ILC__EX_VAR) return NULL;
    if (!right && (other = sign_of(test->args[1])) != NULL) right = ilc__expr_const(b->arena, test->args[1]->type, 0);
    if (!right || other != sign || left->u.var == sign) return NULL;
    *k = left;
    *limit = right;
    return sign;
}

static void count_reads(ilc__builder *b, const ilc__expr *e, int by)
{
    if (e->kind == ILC__EX_VAR) b->info.items[e->u.var->index].uses += (uint32_t)by;
    for (uint32_t i = 0; i < e->arg_count; i++) count_reads(b, e->args[i], by);
}

static void become_for(ilc__builder *b, ilc__stmt *loop, const ilc__stmt *init)
{
    const ilc__stmt *last = loop->body.last, *label = before_last(&loop->body);
    loop->test_il = loop->a->has_il ? loop->a->il : loop->il;
    loop->kind = ILC__ST_FOR;
    loop->var = init->var;
    loop->proved = last->a->proved;
    loop->step_il = last->a->has_il ? last->a->il : last->il;
    count_reads(b, loop->a, -1);
    count_reads(b, loop->b, 1);
    loop->a = init->a;
    loop->il = init->il;
    loop->has_il = init->has_il;
    loop->line = init->line;
    drop_last(&loop->body);
    if (label && label->kind == ILC__ST_LABEL) drop_last(&loop->body);
}

/* init: the statement right before the loop; it goes into the For. */
static bool try_for(ilc__builder *b, ilc__stmt *loop, const ilc__stmt *init)
{
    if (!init || init->kind != ILC__ST_ASSIGN || loop->a->kind != ILC__EX_OP || !is_ordering(loop->a->op)) return false;
    ilc__expr *k = loop->a->args[0], *limit = loop->a->args[1], *amount;
    ilc__op    compare = loop->a->op, step;
    const ilc__var *by = loop->kind == ILC__ST_WHILE ? match_by_sign(b, loop->a, &k, &limit) : NULL;
    if (!is_counter(k) || k->u.var != init->var) {
        k = loop->a->args[1];
        limit = loop->a->args[0];
        compare = ilc__op_swapped(compare);
    }
    if (!is_counter(k) || k->u.var != init->var || ilc__expr_reads(limit, init->var)) return false;
    ilc__stmt *last = loop->body.last, *label = before_last(&loop->body);
    if (!take_step(b, last, init->var, by, &step, &amount)) return false;
    census c = survey_of(loop, init->var, ILC__NO_NODE, false);
    if (c.assigns != 1 || c.continues || !is_invariant(loop, limit) || !is_invariant(loop, amount)) return false;
    if (loop->kind == ILC__ST_DO && !starts_true(compare, init->a, limit)) return false;
    if (!turn_gotos(b, loop, label)) return false;
    loop->b = limit;
    loop->c = amount;
    loop->compare = compare;
    loop->step = step;
    loop->ends = by ? ILC__FOR_BY_SIGN : ILC__FOR_BY_COMPARE;
    become_for(b, loop, init);
    return true;
}

/* --- F#'s For ---------------------------------------------------------------------------------------------------- */

/* Is `past` the number one step behind `limit`? */
static bool is_past(const ilc__expr *past, const ilc__expr *limit, bool up)
{
    bool wide = past->type == ILC__IR_I64;
    if (past->kind == ILC__EX_CONST && limit->kind == ILC__EX_CONST)
        return past->type == limit->type && ilc__expr_is_const(past, limit->u.bits + (up ? 1 : (uint64_t)-1));
    if (past->kind != ILC__EX_OP || past->arg_count != 2 || past->args[1]->kind != ILC__EX_CONST) return false;
    bool adds = past->op == (wide ? ILC__OP_ADD_I64 : ILC__OP_ADD_I32), takes = past->op == (wide ? ILC__OP_SUB_I64 : ILC__OP_SUB_I32);
    return (adds || takes) && ilc__expr_is_const(past->args[1], adds == up ? 1 : (uint64_t)-1) && ilc__expr_same(past->args[0], limit);
}

/* The assignment of k, which may as well stand right before the loop. */
static uint32_t find_init(const stmt_vec *behind, const ilc__var *k)
{
    for (uint32_t back = 0; back < LOOK_BACK && back < behind->count; back++) {
        uint32_t         at = behind->count - 1 - back;
        const ilc__stmt *init = behind->items[at];
        if (init->kind != ILC__ST_ASSIGN) return UINT32_MAX;
        if (init->var != k) continue;
        for (uint32_t i = at + 1; i < behind->count; i++) {
            const ilc__stmt *s = behind->items[i];
            if (ilc__expr_reads(init->a, s->var) || ilc__expr_reads(s->a, k)) return UINT32_MAX;
            if (init->a->has_effect && s->a->has_effect) return UINT32_MAX;
        }
        return at;
    }
    return UINT32_MAX;
}

static void take_from(stmt_vec *behind, uint32_t at)
{
    memmove(&behind->items[at], &behind->items[at + 1], (behind->count - at - 1) * sizeof *behind->items);
    behind->count--;
}

/* if (k <= limit) { do { ...; k = k + 1 } while (k != limit + 1) } and its like downwards; the loop, or NULL. */
static ilc__stmt *try_at_limit(ilc__builder *b, const ilc__stmt *s, stmt_vec *behind)
{
    ilc__stmt *loop = s->body.first;
    if (s->kind != ILC__ST_IF || s->other.first || !loop || loop->next || loop->kind != ILC__ST_DO) return NULL;
    ilc__expr *test = loop->a, *when = s->a, *amount;
    if (test->kind != ILC__EX_OP || (test->op != ILC__OP_NE_I32 && test->op != ILC__OP_NE_I64)) return NULL;
    if (when->kind != ILC__EX_OP || !is_ordering(when->op) || !is_counter(test->args[0])) return NULL;
    const ilc__var *k = test->args[0]->u.var;
    bool            left = is_var(when->args[0], k);
    ilc__expr      *limit = when->args[left ? 1 : 0];
    ilc__op         compare = left ? when->op : ilc__op_swapped(when->op), step;
    bool            up = compare == ILC__OP_LE_I32 || compare == ILC__OP_LE_I64;
    if (!is_var(when->args[left ? 0 : 1], k) || (!up && compare != ILC__OP_GE_I32 && compare != ILC__OP_GE_I64)) return NULL;
    if (!take_step(b, loop->body.last, k, NULL, &step, &amount) || !ilc__expr_is_const(amount, up ? 1 : (uint64_t)-1)) return NULL;
    if (!is_past(test->args[1], limit, up) || ilc__expr_reads(limit, k) || !is_invariant(loop, limit)) return NULL;
    census   c = survey_of(loop, k, ILC__NO_NODE, false);
    uint32_t at = find_init(behind, k);
    if (c.assigns != 1 || c.continues || at == UINT32_MAX || !turn_gotos(b, loop, before_last(&loop->body))) return NULL;
    loop->b = limit;
    loop->c = amount;
    loop->compare = compare;
    loop->step = step;
    loop->ends = ilc__expr_steps_past(limit) ? ILC__FOR_BY_COMPARE : ILC__FOR_AT_LIMIT;
    count_reads(b, when, -1);
    become_for(b, loop, behind->items[at]);
    take_from(behind, at);
    return loop;
}

/* VB evaluates the limit once, into a variable of its own, before the counter is set. It goes into the loop when
 * evaluating it there, and again each turn, is the same. between: what stands between it and the loop. */
static bool takes_limit(ilc__builder *b, ilc__stmt *loop, const ilc__expr *limit, const ilc__stmt *set,
                        ilc__stmt *const *between, uint32_t count)
{
    const ilc__expr     *other = limit == loop->b ? loop->c : loop->b;
    const ilc__var_info *info = &b->info.items[set->var->index];
    if (set->kind != ILC__ST_ASSIGN || set->var != limit->u.var || set->var->is_param) return false;
    if (!info->foldable || info->defs != 1 || info->uses != 1) return false;
    if (!is_invariant(loop, set->a) || ilc__expr_reads(set->a, loop->var)) return false;
    if (set->a->has_effect && (loop->a->has_effect || other->has_effect)) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (between[i]->kind != ILC__ST_ASSIGN || ilc__expr_reads(set->a, between[i]->var)) return false;
        if (set->a->has_effect && between[i]->a->has_effect) return false;
    }
    return true;
}

/* --- the walk ---------------------------------------------------------------------------------------------------- */

/* limit: b or c of the loop. */
static void take_limit(ilc__builder *b, ilc__stmt *loop, ilc__expr **limit, stmt_vec *behind)
{
    if ((*limit)->kind != ILC__EX_VAR) return;
    for (uint32_t back = 0; back < LOOK_BACK && back < behind->count; back++) {
        uint32_t   at = behind->count - 1 - back;
        ilc__stmt *set = behind->items[at];
        if (set->kind != ILC__ST_ASSIGN) return;
        if (!takes_limit(b, loop, *limit, set, &behind->items[at + 1], back)) continue;
        *limit = set->a;
        take_from(behind, at);
        return;
    }
}

static void shape_loop(ilc__builder *b, ilc__stmt *loop, stmt_vec *behind)
{
    try_while(b, loop);
    if (loop->kind == ILC__ST_LOOP) try_do(b, loop);
    if (loop->kind != ILC__ST_WHILE && loop->kind != ILC__ST_DO) return;
    if (!try_for(b, loop, behind->count ? behind->items[behind->count - 1] : NULL)) return;
    behind->count--;
    take_limit(b, loop, &loop->b, behind);
    if (loop->ends == ILC__FOR_BY_SIGN) take_limit(b, loop, &loop->c, behind);
}

/* Inner loops first. */
static void shape_list(ilc__builder *b, ilc__block *list)
{
    stmt_vec kept = {0};
    for (ilc__stmt *s = list->first; s;) {
        shape_list(b, &s->body);
        shape_list(b, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) shape_list(b, &s->cases[k].body);
        ilc__stmt *next = s->next, *counted = try_at_limit(b, s, &kept);
        if (s->kind == ILC__ST_LOOP) shape_loop(b, s, &kept);
        if (counted) take_limit(b, counted, &counted->b, &kept);
        ILC__PUSH(b->arena, &kept, counted ? counted : s);
        s = next;
    }
    *list = (ilc__block){0};
    for (uint32_t k = 0; k < kept.count; k++) ilc__block_append(list, kept.items[k]);
}

void ilc__ast_shape_loops(ilc__builder *b)
{
    shape_list(b, &b->func->body);
}
