/* guard_loops.c - loops in the walk of the launch guard (guard.h).
 *
 * A counter is an integer variable that a loop changes only by adding to it. Until an update wraps, its value
 * at the head lies on one side of its start; so the body is walked on trial under that assumption, which says
 * what the counter can be on the way back to the head, and whether an update may wrap. What holds until the
 * first wrap, and proves that there is none, always holds. A counter whose update may wrap is not followed.
 */
#include "emit/guard.h"

enum { MAX_COUNTERS = 16, MAX_TRIALS = 3, MAX_ATTEMPTS = 3 };
#define MAX_TRIAL_WORK 200000u
#define NO_TURNS ((ilc__wide)1 << 62) /* how often the body runs is not known */

typedef struct counter {
    const ilc__var *var;
    ilc__range      start, step;     /* step: of any update, by sign                                        */
    ilc__range      head, entry;     /* at the head; after its test                                         */
    ilc__range      next, back, out; /* at a continue, on the ways back to the head, at a break             */
    bool            has_next, has_back, has_out;
    uint32_t        updates;
    bool            inner;      /* an update stands in an inner loop                                   */
    bool            every_turn; /* an update is a statement of the body itself                         */
    bool            checked;    /* each update traps where it would wrap                               */
    bool            covered;    /* or the guard tests that it does not                                 */
    bool proved, provable;      /* on trial                                                            */
    bool dropped;
} counter;

struct ilc__guard_loop {
    const ilc__stmt *stmt;
    ilc__guard_loop *outer;
    counter          counters[MAX_COUNTERS];
    uint32_t         count, level; /* level: trial walks under way when its turn is walked */
    ilc__range       var;          /* FOR: its counter in the body */
    ilc__wide        turns, heads; /* the body runs, the head is reached, at most so often */
    bool             turns_known;
    bool             continues; /* a CONTINUE of the loop stands in its body */
    bool             fresh; /* no counter has been updated in this turn */
};

const ilc__guard_loop *ilc__guard_outer_loop(const ilc__guard_loop *loop)
{
    return loop->outer;
}

/* --- updates ----------------------------------------------------------------------------------------------
 */

static bool is_add(ilc__op op)
{
    return op == ILC__OP_ADD_I32 || op == ILC__OP_ADD_OVF_I32 || op == ILC__OP_ADD_I64 ||
           op == ILC__OP_ADD_OVF_I64;
}

static bool is_sub(ilc__op op)
{
    return op == ILC__OP_SUB_I32 || op == ILC__OP_SUB_OVF_I32 || op == ILC__OP_SUB_I64 ||
           op == ILC__OP_SUB_OVF_I64;
}

static bool is_var(const ilc__expr *expr, const ilc__var *var)
{
    return expr->kind == ILC__EX_VAR && expr->u.var == var;
}

/* v = v + c, v = c + v, v = v - c: c; else NULL. */
static ilc__expr *step_of(const ilc__stmt *stmt)
{
    const ilc__expr *sum = stmt->a;
    if (stmt->kind != ILC__ST_ASSIGN || sum->kind != ILC__EX_OP || !(is_add(sum->op) || is_sub(sum->op)))
        return NULL;
    if (is_var(sum->args[0], stmt->var)) return sum->args[1];
    return is_add(sum->op) && is_var(sum->args[1], stmt->var) ? sum->args[0] : NULL;
}

static ilc__range signed_step(const ilc__stmt *stmt, ilc__range by)
{
    if (!is_sub(stmt->a->op)) return by;
    return (ilc__range){-by.hi, -by.lo, by.hi_known, by.lo_known, by.launch};
}

static counter *counter_of(ilc__guard_loop *loop, const ilc__var *var)
{
    for (uint32_t i = 0; i < loop->count; i++)
        if (loop->counters[i].var == var) return &loop->counters[i];
    return NULL;
}

/* A variable of full width: its check is that of the operation. */
static bool is_wide(const ilc__var *var)
{
    return !ilc__range_known(ilc__guard_unknown(var));
}

/* A goto may pass it. */
static bool skipped_by_goto(const ilc__guard *w, const ilc__stmt *stmt)
{
    for (stmt = stmt->next; stmt; stmt = stmt->next)
        if (ilc__guard_has_label(w, stmt)) return true;
    return false;
}

static void add_update(ilc__guard *w, ilc__guard_loop *loop, const ilc__stmt *stmt, uint32_t depth,
                       bool in_loop)
{
    counter *c = counter_of(loop, stmt->var);
    if (!c && loop->count == MAX_COUNTERS) return;
    if (!c) {
        c = &loop->counters[loop->count++];
        *c = (counter){.var = stmt->var, .start = w->env[stmt->var->index], .checked = true, .covered = true};
        c->dropped = !ilc__range_within(c->start, ilc__guard_unknown(stmt->var));
    }
    if (!step_of(stmt) || stmt == loop->stmt) {
        c->dropped = true;
        return;
    }
    c->updates++;
    c->inner |= in_loop;
    c->every_turn |= depth == 0 && !skipped_by_goto(w, stmt);
    c->checked &= is_wide(stmt->var) && ilc__range_traps(stmt->a->op);
    c->covered &= is_wide(stmt->var) && stmt->a->covered;
}

static void find_updates(ilc__guard *w, ilc__guard_loop *loop, const ilc__block *block, uint32_t depth,
                         bool in_loop)
{
    for (const ilc__stmt *stmt = block->first; stmt; stmt = stmt->next) {
        bool assigns = stmt->var && (stmt->kind == ILC__ST_ASSIGN || stmt->kind == ILC__ST_FOR);
        if (assigns && ilc__guard_is_integer(stmt->var)) add_update(w, loop, stmt, depth, in_loop);
        loop->continues |= stmt->kind == ILC__ST_CONTINUE && stmt->target == loop->stmt;
        bool inner = in_loop || ilc__stmt_is_loop(stmt);
        find_updates(w, loop, &stmt->body, depth + 1, inner);
        for (uint32_t i = 0; i < stmt->case_count; i++)
            find_updates(w, loop, &stmt->cases[i].body, depth + 1, inner);
        find_updates(w, loop, &stmt->other, depth + 1, inner);
    }
}

/* With everything unknown that the body assigns: what holds then holds at any place of it. */
static void find_steps(ilc__guard *w, ilc__guard_loop *loop, const ilc__block *block)
{
    for (const ilc__stmt *stmt = block->first; stmt; stmt = stmt->next) {
        counter *c = stmt->kind == ILC__ST_ASSIGN ? counter_of(loop, stmt->var) : NULL;
        if (c && !c->dropped) {
            ilc__range step = signed_step(stmt, ilc__guard_eval(w, step_of(stmt), false));
            c->step = c->step.hi == 0 && c->step.lo == 0 && !c->step.lo_known
                          ? step
                          : ilc__range_join(c->step, step);
        }
        find_steps(w, loop, &stmt->body);
        for (uint32_t i = 0; i < stmt->case_count; i++)
            find_steps(w, loop, &stmt->cases[i].body);
        find_steps(w, loop, &stmt->other);
    }
}

void ilc__guard_note_assign(ilc__guard *w, ilc__stmt *assign)
{
    for (ilc__guard_loop *loop = w->loop; loop; loop = loop->outer)
        if (counter_of(loop, assign->var)) loop->fresh = false;
    if (!w->trials || w->dead) return;
    for (ilc__guard_loop *loop = w->loop; loop; loop = loop->outer) {
        counter *c = counter_of(loop, assign->var);
        if (!c || c->dropped || loop->level != w->trials) continue;
        ilc__range a = ilc__guard_eval(w, assign->a->args[0], false),
                   b = ilc__guard_eval(w, assign->a->args[1], false);
        ilc__range_result sum = ilc__range_op(assign->a->op, a, b);
        c->proved &= sum.proved && ilc__range_within(sum.value, ilc__guard_unknown(assign->var));
        c->provable &= ilc__range_provable(assign->a->op, a, b) && is_wide(assign->var);
    }
}

/* --- jumps ------------------------------------------------------------------------------------------------
 */

static void join_into(ilc__range *range, bool *has, ilc__range value)
{
    *range = *has ? ilc__range_join(*range, value) : value;
    *has = true;
}

void ilc__guard_note_jump(ilc__guard *w, const ilc__stmt *jump)
{
    for (ilc__guard_loop *loop = w->loop; loop; loop = loop->outer) {
        if (loop->stmt != jump->target) continue;
        for (uint32_t i = 0; loop->level == w->trials && i < loop->count; i++) {
            counter   *c = &loop->counters[i];
            ilc__range value = w->env[c->var->index];
            if (jump->kind == ILC__ST_BREAK)
                join_into(&c->out, &c->has_out, value);
            else
                join_into(&c->next, &c->has_next, value);
        }
        return;
    }
}

/* A counter goes by whole steps from its start. */
static ilc__range aligned(ilc__range range, ilc__range start, ilc__range step)
{
    ilc__wide size = step.lo < 0 ? -step.lo : step.lo;
    if (start.lo != start.hi || step.lo != step.hi || size <= 1 || range.hi < start.lo || range.lo > start.hi) return range;
    range.hi -= (range.hi - start.lo) % size;
    range.lo += (start.lo - range.lo) % size;
    return range;
}

ilc__range ilc__guard_align(const ilc__guard *w, const ilc__var *var, ilc__range range)
{
    for (ilc__guard_loop *loop = w->loop; loop; loop = loop->outer) {
        counter *c = counter_of(loop, var);
        if (c && !c->dropped) range = aligned(range, c->start, c->step);
    }
    return range;
}

/* --- what is assumed --------------------------------------------------------------------------------------
 */

static void cut_to(ilc__range *range, ilc__range by)
{
    if (by.lo > range->lo) range->lo = by.lo;
    if (by.hi < range->hi) range->hi = by.hi;
    range->lo_known |= by.lo_known;
    range->hi_known |= by.hi_known;
    range->launch |= by.launch;
}

static void assume_heads(ilc__guard *w, ilc__guard_loop *loop)
{
    for (uint32_t i = 0; i < loop->count; i++) {
        counter   *c = &loop->counters[i];
        ilc__range full = ilc__guard_unknown(c->var), head = full;
        bool       up = c->step.lo >= 0, down = c->step.hi <= 0;
        bool       by_launch = w->marking && !up && !down && ilc__range_known(c->step);
        if (up) head.lo = c->start.lo;
        if (down) head.hi = c->start.hi;
        head.lo_known |= (up || by_launch) && c->start.lo_known;
        head.hi_known |= (down || by_launch) && c->start.hi_known;
        head.launch = c->start.launch || c->step.launch;
        c->head = head;
        c->entry = full;
    }
}

/* F# tests last >= first before a loop that ends where the counter is last + 1, which must not wrap. */
static bool starts_inside(ilc__guard *w, const ilc__guard_loop *loop, const counter *c, ilc__expr *limit, bool up)
{
    const ilc__expr *when = w->guarded == loop->stmt ? w->when : NULL, *by = limit->arg_count == 2 ? limit->args[1] : NULL;
    if (!when || when->kind != ILC__EX_OP || when->arg_count != 2 || limit->kind != ILC__EX_OP || by->kind != ILC__EX_CONST) return false;
    ilc__relation rel = ilc__relation_of(when->op);
    int           at = is_var(when->args[0], c->var) ? 0 : 1; /* where the counter stands */
    bool ordered = up == (at == 0) ? rel == ILC__REL_LE || rel == ILC__REL_LT : rel == ILC__REL_GE || rel == ILC__REL_GT;
    ilc__wide        one = (is_add(limit->op) ? 1 : -1) * (ilc__wide)(int64_t)by->u.bits;
    if (!(is_add(limit->op) || is_sub(limit->op)) || one != (up ? 1 : -1) || !ordered || !is_var(when->args[at], c->var)) return false;
    ilc__range a = ilc__guard_eval(w, limit->args[0], false), b = ilc__guard_eval(w, limit->args[1], false);
    return ilc__expr_same(when->args[1 - at], limit->args[0]) && (w->marking || ilc__range_op(limit->op, a, b).proved);
}

/* at_head: the test stands at the head, where the counter may be the limit itself. */
static void bound_by_limit(ilc__guard *w, const ilc__guard_loop *loop, counter *c, ilc__expr *expr, int at_head)
{
    ilc__range limit = ilc__guard_eval(w, expr, false), full = ilc__guard_unknown(c->var), head = full, entry = full;
    bool       up = c->step.lo == 1 && c->step.hi == 1, down = c->step.lo == -1 && c->step.hi == -1;
    bool       known = ilc__range_known(limit) && ilc__range_known(c->start);
    if (!up && !down) return;
    bool inside = up ? c->start.hi < limit.lo + at_head : c->start.lo > limit.hi - at_head;
    if (!inside && !starts_inside(w, loop, c, expr, up) && !(w->marking && known)) return;
    if (!w->marking && up) head.hi = limit.hi - 1 + at_head, entry.hi = limit.hi - 1;
    if (!w->marking && down) head.lo = limit.lo + 1 - at_head, entry.lo = limit.lo + 1;
    head.hi_known |= up && known;
    head.lo_known |= down && known;
    entry.hi_known |= up && known;
    entry.lo_known |= down && known;
    head.launch = entry.launch = limit.launch;
    cut_to(&c->head, head);
    cut_to(&c->entry, entry);
}

static ilc__expr *compare_of(const ilc__stmt *stmt, ilc__relation rel)
{
    return stmt->a && stmt->a->kind == ILC__EX_OP && ilc__relation_of(stmt->a->op) == rel ? stmt->a : NULL;
}

/* `If v = L Then leave` at the end of the body: as good as Loop While v <> L. */
static ilc__expr *leaves_when_equal(const ilc__guard_loop *walked)
{
    const ilc__stmt *loop = walked->stmt, *last = loop->body.last;
    const ilc__stmt *leaves = last && last->kind == ILC__ST_IF && !last->other.first ? last->body.last : NULL;
    if (!leaves || loop->kind == ILC__ST_DO || loop->kind == ILC__ST_FOR) return NULL;
    bool gone = leaves->kind == ILC__ST_RETURN || leaves->kind == ILC__ST_THROW || (leaves->kind == ILC__ST_BREAK && leaves->target == loop);
    return gone && !walked->continues ? compare_of(last, ILC__REL_EQ) : NULL;
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

/* False: it has the same value wherever the loop evaluates it, and reads no element. */
static bool reads_changing(const ilc__stmt *loop, const ilc__expr *expr)
{
    if (expr->kind == ILC__EX_VAR) return assigns(&loop->body, expr->u.var);
    if (expr->kind != ILC__EX_CONST && expr->kind != ILC__EX_OP && expr->kind != ILC__EX_LEN &&
        expr->kind != ILC__EX_DIM)
        return true;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (reads_changing(loop, expr->args[i])) return true;
    return false;
}

/* A counter that goes by ones and starts below L stays below it where the loop goes on while it is not L. */
static void bound_by_compare(ilc__guard *w, ilc__guard_loop *loop, ilc__expr *cond, int at_head)
{
    bool was_quiet = w->quiet;
    w->quiet = true;
    for (int side = 0; cond && side < 2; side++) {
        const ilc__expr *var = cond->args[side];
        counter         *c = var->kind == ILC__EX_VAR ? counter_of(loop, var->u.var) : NULL;
        bool             single = c && !c->dropped && !c->inner && c->updates == 1;
        if (single && !reads_changing(loop->stmt, cond->args[1 - side])) bound_by_limit(w, loop, c, cond->args[1 - side], at_head);
    }
    w->quiet = was_quiet;
}

static void bound_by_inequality(ilc__guard *w, ilc__guard_loop *loop)
{
    ilc__stmt_kind kind = loop->stmt->kind;
    if (kind == ILC__ST_DO || kind == ILC__ST_WHILE) bound_by_compare(w, loop, compare_of(loop->stmt, ILC__REL_NE), kind == ILC__ST_WHILE);
    bound_by_compare(w, loop, leaves_when_equal(loop), 0);
}

/* Start, and as many updates as `turns` turns make. */
static ilc__range after_turns(const counter *c, ilc__wide turns, bool turns_known)
{
    ilc__wide each = c->updates;
    ilc__wide down = c->step.lo < 0 ? c->step.lo * each : 0, up = c->step.hi > 0 ? c->step.hi * each : 0;
    if (down < -NO_TURNS || up > NO_TURNS) return ilc__guard_unknown(c->var);
    bool known = turns_known && ilc__range_known(c->step);
    return (ilc__range){c->start.lo + down * turns, c->start.hi + up * turns, known && c->start.lo_known,
                        known && c->start.hi_known, c->start.launch || c->step.launch};
}

/* Whether the number of turns says something new. */
static bool bound_by_turns(ilc__guard *w, ilc__guard_loop *loop)
{
    bool narrower = false;
    if (loop->turns >= NO_TURNS && !(w->marking && loop->turns_known)) return false;
    ilc__wide turns = loop->turns < NO_TURNS ? loop->turns : 0;
    ilc__wide updates = loop->heads <= turns ? loop->heads - 1 : turns; /* before the head is reached */
    for (uint32_t i = 0; i < loop->count; i++) {
        counter *c = &loop->counters[i];
        if (c->dropped || c->inner) continue;
        ilc__range head = after_turns(c, updates, loop->turns_known),
                   entry = after_turns(c, turns ? turns - 1 : 0, loop->turns_known);
        if (loop->turns >= NO_TURNS) { /* marking: only that it will be known */
            head.lo = entry.lo = ilc__guard_unknown(c->var).lo;
            head.hi = entry.hi = ilc__guard_unknown(c->var).hi;
        }
        ilc__range before = c->head;
        cut_to(&c->head, head);
        cut_to(&c->entry, entry);
        narrower |= c->head.lo != before.lo || c->head.hi != before.hi ||
                    ilc__range_known(c->head) != ilc__range_known(before);
    }
    return narrower;
}

/* Updated once in every turn: it says how many turns there have been. */
static bool is_clock(const ilc__guard_loop *loop, const counter *c)
{
    return !c->dropped && c->every_turn && c->updates == 1 && !c->inner && !loop->continues;
}

/* How many turns at most came before this one, as the clock shows the value. */
static ilc__wide turns_before(const counter *clock, ilc__range value)
{
    ilc__wide up = clock->step.lo, down = -clock->step.hi;
    ilc__wide way = up >= 1 ? value.hi - clock->start.lo : clock->start.hi - value.lo;
    if (up < 1 && down < 1) return NO_TURNS;
    return way < 0 ? 0 : way / (up >= 1 ? up : down);
}

void ilc__guard_catch_up(ilc__guard *w)
{
    ilc__guard_loop *loop = w->loop;
    for (uint32_t i = 0; loop && loop->fresh && i < loop->count; i++) {
        const counter *clock = &loop->counters[i];
        if (!is_clock(loop, clock)) continue;
        ilc__range shown = w->env[clock->var->index];
        ilc__wide  turns = turns_before(clock, shown);
        bool       known = ilc__range_known(shown) && ilc__range_known(clock->start) && ilc__range_known(clock->step);
        for (uint32_t k = 0; k < loop->count; k++) {
            const counter *c = &loop->counters[k];
            if (k == i || c->dropped || c->inner || turns >= NO_TURNS) continue;
            ilc__range value = w->env[c->var->index], by = after_turns(c, turns, known);
            cut_to(&value, by);
            if (value.lo <= value.hi) ilc__guard_set(w, c->var, value);
        }
    }
}

static ilc__wide count_of(ilc__range range, ilc__range step)
{
    ilc__wide size = step.lo >= 1 ? step.lo : step.hi <= -1 ? -step.hi : 0;
    return size == 0 || range.hi < range.lo ? NO_TURNS : (range.hi - range.lo) / size + 1;
}

static void note_turns(ilc__guard_loop *loop, ilc__range range, ilc__range step)
{
    ilc__wide turns = count_of(range, step);
    if (ilc__range_known(range) && ilc__range_known(step)) loop->turns_known = true;
    if (turns < loop->turns) loop->turns = turns;
}

/* --- a turn -----------------------------------------------------------------------------------------------
 */

static void enter_body(ilc__guard *w, ilc__guard_loop *loop)
{
    const ilc__stmt *stmt = loop->stmt;
    for (uint32_t i = 0; i < loop->count; i++)
        if (!loop->counters[i].dropped) ilc__guard_set(w, loop->counters[i].var, loop->counters[i].head);
    if (stmt->kind == ILC__ST_FOR) ilc__guard_set(w, stmt->var, loop->var);
    if (stmt->kind == ILC__ST_WHILE) {
        ilc__guard_eval(w, stmt->a, false);
        ilc__guard_refine(w, stmt->a, true);
    }
    for (uint32_t i = 0; i < loop->count && !w->dead; i++) {
        counter   *c = &loop->counters[i];
        ilc__range value = w->env[c->var->index];
        if (c->dropped) continue;
        cut_to(&value, c->entry);
        value = aligned(value, c->start, c->step);
        if (value.lo > value.hi)
            w->dead = true; /* no turn */
        else
            ilc__guard_set(w, c->var, value);
        c->entry = value;
    }
}

/* Where the test of a Do stands: after the body and its continues. */
static void reach_test(ilc__guard *w, ilc__guard_loop *loop)
{
    bool by_end = !w->dead, by_next = false;
    for (uint32_t i = 0; i < loop->count; i++)
        by_next |= loop->counters[i].has_next;
    if (loop->continues) {
        ilc__range ends[MAX_COUNTERS];
        for (uint32_t i = 0; i < loop->count; i++)
            ends[i] = w->env[loop->counters[i].var->index];
        ilc__guard_forget(w, &loop->stmt->body);
        for (uint32_t i = 0; i < loop->count; i++) {
            counter *c = &loop->counters[i];
            if (by_end) join_into(&c->next, &c->has_next, ends[i]);
            if (c->has_next && !c->dropped) ilc__guard_set(w, c->var, c->next);
        }
        w->dead = !by_end && !by_next && loop->count > 0;
    }
}

static void turn_back(ilc__guard *w, ilc__guard_loop *loop)
{
    for (uint32_t i = 0; i < loop->count; i++) {
        counter *c = &loop->counters[i];
        if (loop->stmt->kind != ILC__ST_DO && c->has_next) join_into(&c->back, &c->has_back, c->next);
        if (!w->dead) join_into(&c->back, &c->has_back, w->env[c->var->index]);
    }
}

/* From the head through the body to the head again; the state is left at the test of a Do. */
static void walk_turn(ilc__guard *w, ilc__guard_loop *loop)
{
    loop->level = w->trials;
    for (uint32_t i = 0; i < loop->count; i++) {
        counter *c = &loop->counters[i];
        c->has_next = c->has_back = c->has_out = false;
        c->proved = c->provable = true;
    }
    loop->fresh = !w->func->has_goto;
    enter_body(w, loop);
    if (!w->dead) ilc__guard_block(w, &loop->stmt->body);
    if (loop->stmt->kind == ILC__ST_DO) {
        reach_test(w, loop);
        ilc__guard_eval(w, loop->stmt->a, false);
    }
}

static void try_turn(ilc__guard *w, ilc__guard_loop *loop)
{
    bool     was_quiet = w->quiet;
    uint32_t mark = w->trail.count;
    w->quiet = true;
    w->trials++;
    walk_turn(w, loop);
    if (loop->stmt->kind == ILC__ST_DO && !w->dead) ilc__guard_refine(w, loop->stmt->a, true);
    turn_back(w, loop);
    ilc__guard_undo(w, mark);
    w->dead = false;
    w->quiet = was_quiet;
    w->trials--;
    for (uint32_t i = 0; i < loop->count; i++) { /* only what comes back, and the start, is at the head */
        counter   *c = &loop->counters[i];
        ilc__range head = c->has_back ? ilc__range_join(c->start, c->back) : c->start;
        if (!c->dropped) cut_to(&c->head, head);
        c->head = aligned(c->head, c->start, c->step);
        cut_to(&c->entry, c->head);
    }
    for (uint32_t i = 0; i < loop->count; i++) {
        counter *c = &loop->counters[i];
        if (is_clock(loop, c)) {
            ilc__wide heads = count_of(c->head, c->step);
            note_turns(loop, c->entry, c->step);
            if (heads < loop->heads) loop->heads = heads;
        }
    }
}

static bool is_sure(const ilc__guard *w, const counter *c, bool tried)
{
    return c->dropped || c->checked || (tried && (c->proved || (w->marking ? c->provable : c->covered)));
}

static bool all_sure(const ilc__guard *w, const ilc__guard_loop *loop)
{
    for (uint32_t i = 0; i < loop->count; i++)
        if (!is_sure(w, &loop->counters[i], true)) return false;
    return true;
}

static bool drop_unsure(ilc__guard *w, ilc__guard_loop *loop, bool tried)
{
    bool any = false;
    for (uint32_t i = 0; i < loop->count; i++) {
        counter *c = &loop->counters[i];
        if (is_sure(w, c, tried)) continue;
        c->dropped = any = true;
    }
    return any;
}

static bool wants_trial(const ilc__guard_loop *loop)
{
    for (uint32_t i = 0; i < loop->count; i++) {
        const counter *c = &loop->counters[i];
        if (!c->dropped && (!c->checked || loop->stmt->kind != ILC__ST_FOR)) return true;
    }
    return false;
}

static void assume(ilc__guard *w, ilc__guard_loop *loop, ilc__wide turns)
{
    loop->turns = turns;
    loop->heads = NO_TURNS;
    assume_heads(w, loop);
    bound_by_inequality(w, loop);
    bound_by_turns(w, loop);
}

/* Finds out what holds of the counters at the head. */
static void settle(ilc__guard *w, ilc__guard_loop *loop)
{
    ilc__wide turns = loop->turns;
    bool      turns_known = loop->turns_known;
    for (int attempt = 0; attempt < MAX_ATTEMPTS && wants_trial(loop); attempt++) {
        if (w->trials >= MAX_TRIALS || w->work > MAX_TRIAL_WORK) break;
        loop->turns_known = turns_known;
        assume(w, loop, turns);
        try_turn(w, loop);
        if (bound_by_turns(w, loop) || !all_sure(w, loop)) try_turn(w, loop); /* with what the first try said */
        if (!drop_unsure(w, loop, true)) return;
    }
    loop->turns_known = turns_known;
    drop_unsure(w, loop, false);
    assume(w, loop, turns);
}

/* --- For --------------------------------------------------------------------------------------------------
 */

/* +1: the compare goes up and the step adds; -1 the other way round; 0: not followed. An unsigned compare is
 * a signed one where neither side is negative: known at the launch. */
static int direction_of(const ilc__guard *w, const ilc__stmt *stmt, ilc__range start, ilc__range limit,
                        ilc__range step)
{
    ilc__relation rel = ilc__relation_of(stmt->compare);
    bool          natural = w->marking || (start.lo >= 0 && limit.lo >= 0);
    bool          below = rel == ILC__REL_BELOW || rel == ILC__REL_NOT_ABOVE;
    if (stmt->ends == ILC__FOR_BY_SIGN) return step.lo >= 0 ? 1 : step.hi < 0 ? -1 : 0;
    if ((rel == ILC__REL_LT || rel == ILC__REL_LE || (below && natural)) && step.lo >= 1) return 1;
    if ((rel == ILC__REL_GT || rel == ILC__REL_GE) && step.hi <= -1) return -1;
    return 0;
}

/* The counter's values in the body: from its start to the limit. That holds only while no step wraps: a
 * checked step traps instead, another one must be proved. */
static ilc__range counter_range(const ilc__stmt *stmt, ilc__range start, ilc__range limit, ilc__range step, int direction)
{
    ilc__range    range = start;
    ilc__relation rel = ilc__relation_of(stmt->compare);
    range.launch = start.launch || limit.launch;
    if (direction > 0) {
        range.hi = rel == ILC__REL_LT || rel == ILC__REL_BELOW ? limit.hi - 1 : limit.hi;
        range.hi_known = limit.hi_known;
    } else {
        range.lo = rel == ILC__REL_GT ? limit.lo + 1 : limit.lo;
        range.lo_known = limit.lo_known;
    }
    return range.lo > range.hi ? range : aligned(range, start, step);
}

/* False: no element runs the body. *after is the counter behind the loop. */
static bool enter_for(ilc__guard *w, ilc__guard_loop *loop, ilc__stmt *stmt, ilc__range start,
                      ilc__range *after)
{
    ilc__range unknown = ilc__guard_unknown(stmt->var);
    loop->var = *after = unknown;
    ilc__range limit = ilc__guard_eval(w, stmt->b, true), by = ilc__guard_eval(w, stmt->c, true);
    ilc__range step =
        is_sub(stmt->step) ? (ilc__range){-by.hi, -by.lo, by.hi_known, by.lo_known, by.launch} : by;
    bool follows = ilc__guard_is_integer(stmt->var) && (is_add(stmt->step) || is_sub(stmt->step)) &&
                   !assigns(&stmt->body, stmt->var) && ilc__range_within(start, unknown);
    int  direction = follows ? direction_of(w, stmt, start, limit, step) : 0;
    bool at_launch = follows && !direction && stmt->ends == ILC__FOR_BY_SIGN && w->marking; /* its sign is known then */
    if (!direction && !at_launch) {
        if (!w->marking && stmt->covered && !w->quiet && !w->dead) w->failed = true;
        return true;
    }
    ilc__range body = counter_range(stmt, start, limit, step, direction);
    if (at_launch) {
        bool known = ilc__range_known(start) && ilc__range_known(limit) && ilc__range_known(step);
        body = (ilc__range){unknown.lo, unknown.hi, known, known, start.launch || limit.launch || step.launch};
    }
    /* no turn for any element: nothing of the body is run (marking looks at it all the same) */
    if (!w->marking && body.lo > body.hi) {
        *after = start;
        return false;
    }
    if (body.lo > body.hi)
        body = (ilc__range){unknown.lo, unknown.hi, body.lo_known, body.hi_known, body.launch};
    ilc__range_result next = ilc__range_op(ILC__OP_ADD_I64, body, step);
    bool              proved = ilc__range_within(next.value, unknown) && next.proved;
    bool              traps = ilc__range_traps(stmt->step);
    bool provable = ilc__range_known(body) && ilc__range_known(step) && (body.launch || step.launch);
    ilc__guard_cover(w, &stmt->covered, provable, proved);
    /* a check keeps a counter of full width from wrapping; a covered step is proved or the guard fails; one that ends at
     * its limit is not read behind it */
    if (!((traps && is_wide(stmt->var)) || proved || stmt->covered || stmt->ends == ILC__FOR_AT_LIMIT)) return true;
    loop->var = body;
    note_turns(loop, body, step);
    ilc__range end = ilc__range_join(start, next.value);
    if (proved) *after = end;
    return true;
}

/* --- loops ------------------------------------------------------------------------------------------------
 */

static void leave(ilc__guard *w, ilc__guard_loop *loop, const ilc__range *ends, bool by_test)
{
    for (uint32_t i = 0; i < loop->count; i++) {
        counter   *c = &loop->counters[i];
        ilc__range value = by_test ? ends[i] : c->out;
        if (c->dropped || !(by_test || c->has_out)) continue;
        if (by_test && c->has_out) value = ilc__range_join(value, c->out);
        ilc__guard_set(w, c->var, value);
    }
}

static void current(const ilc__guard *w, const ilc__guard_loop *loop, ilc__range *values)
{
    for (uint32_t i = 0; i < loop->count; i++)
        values[i] = w->env[loop->counters[i].var->index];
}

/* The state at the head, or at the test of a Do, for the last time; *by_test: the loop ends there. */
static void end_by_test(ilc__guard *w, ilc__guard_loop *loop, uint32_t head, ilc__range *ends, bool *by_test)
{
    const ilc__stmt *stmt = loop->stmt;
    bool             breaks = ilc__block_jumps_to(&stmt->body, stmt, ILC__ST_BREAK);
    *by_test = stmt->kind != ILC__ST_LOOP && !(stmt->kind == ILC__ST_DO && w->dead);
    if (stmt->kind != ILC__ST_DO) {
        ilc__guard_undo(w, head);
        w->dead = false;
        for (uint32_t i = 0; i < loop->count; i++)
            if (!loop->counters[i].dropped) ilc__guard_set(w, loop->counters[i].var, loop->counters[i].head);
    }
    if (*by_test && stmt->kind != ILC__ST_FOR) {
        ilc__guard_refine(w, stmt->a, false);
        if (w->dead) *by_test = false;
    }
    w->dead = false;
    current(w, loop, ends);
    if (stmt->kind == ILC__ST_WHILE && !breaks && *by_test)
        return; /* what the test says of others stays said */
    ilc__guard_undo(w, head);
}

void ilc__guard_walk_loop(ilc__guard *w, ilc__stmt *stmt)
{
    ilc__guard_loop here = {.stmt = stmt, .outer = w->loop, .turns = NO_TURNS, .heads = NO_TURNS}, *loop = &here;
    ilc__range      start = {0}, after = {0}, ends[MAX_COUNTERS];
    bool            by_test, was_quiet = w->quiet;
    if (w->loop) w->loop->fresh = false;
    if (stmt->kind == ILC__ST_FOR) start = ilc__guard_eval(w, stmt->a, true);
    find_updates(w, loop, &stmt->body, 0, false);
    ilc__guard_forget(w, &stmt->body);
    if (stmt->kind == ILC__ST_FOR) {
        ilc__guard_set(w, stmt->var, ilc__guard_unknown(stmt->var));
        counter *c = counter_of(loop, stmt->var);
        if (c) c->dropped = true;
    }
    w->quiet = true;
    find_steps(w, loop, &stmt->body);
    w->quiet = was_quiet;
    if (stmt->kind == ILC__ST_FOR && !enter_for(w, loop, stmt, start, &after)) {
        for (uint32_t i = 0; i < loop->count; i++)
            ilc__guard_set(w, loop->counters[i].var, loop->counters[i].start);
        ilc__guard_set(w, stmt->var, after);
        return;
    }
    uint32_t head = w->trail.count;
    w->loop = loop;
    settle(w, loop);
    walk_turn(w, loop);
    w->loop = loop->outer;
    end_by_test(w, loop, head, ends, &by_test);
    leave(w, loop, ends, by_test);
    if (stmt->kind == ILC__ST_FOR) ilc__guard_set(w, stmt->var, after);
}

/* A loop that is entered by goto, too, or left so: nothing is known inside or behind. */
void ilc__guard_walk_labelled(ilc__guard *w, ilc__stmt *stmt)
{
    ilc__guard_loop here = {.stmt = stmt, .outer = w->loop};
    w->loop = &here;
    ilc__guard_forget_all(w);
    w->dead = false;
    if (stmt->a) ilc__guard_eval(w, stmt->a, false);
    if (stmt->b) ilc__guard_eval(w, stmt->b, false);
    if (stmt->c) ilc__guard_eval(w, stmt->c, false);
    ilc__guard_block(w, &stmt->body);
    ilc__guard_forget_all(w);
    w->dead = false;
    w->loop = here.outer;
}
