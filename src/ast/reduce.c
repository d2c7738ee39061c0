/* reduce.c - nodes of the graph that belong to one expression or one straight run are merged: empty nodes,
 * chains, && and || (a node that only tests, with one predecessor), ?: (two arms that only assign one stack
 * temporary), and `r = e; goto end` with `end: return r`. Each merge removes a node, so this is linear. */
#include "ast/build.h"

static bool is_empty_jump(const ilc__node *n)
{
    return n->kind == ILC__NODE_JUMP && !n->first;
}

bool ilc__node_is_tiny_return(const ilc__node *x)
{
    return x->kind == ILC__NODE_RETURN && !x->first &&
           (!x->value || x->value->kind == ILC__EX_CONST || x->value->kind == ILC__EX_VAR);
}

static void set_jump(ilc__builder *b, ilc__node *n, uint32_t target)
{
    n->kind = ILC__NODE_JUMP;
    n->value = NULL;
    n->succ_count = 1;
    n->succs = ILC__NEW_ARRAY(b->arena, uint32_t, 1);
    n->succs[0] = target;
}

/* A test whose answers lead to one place is evaluated for its traps only. */
static void drop_equal_test(ilc__builder *b, ilc__node *n)
{
    for (uint32_t i = 1; i < n->succ_count; i++)
        if (n->succs[i] != n->succs[0]) return;
    if ((n->kind != ILC__NODE_COND && n->kind != ILC__NODE_SWITCH) || n->succ_count == 0) return;
    uint32_t target = n->succs[0];
    b->nodes[target].pred_edges -= n->succ_count - 1;
    if (n->value->has_effect) {
        ilc__stmt *s = ilc__stmt_new(b, ILC__ST_EVAL, n->il, n->has_il);
        s->a = n->value;
        ilc__node_append(b, n, s);
    }
    set_jump(b, n, target);
}

/* --- empty nodes --------------------------------------------------------------------------------------------- */

static void thread_jumps(ilc__builder *b)
{
    uint32_t *final = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    uint32_t *seen = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    for (uint32_t i = 0; i < b->node_count; i++) {
        uint32_t at = i;
        while (is_empty_jump(&b->nodes[at]) && !final[at] && seen[at] != i + 1) {
            seen[at] = i + 1;
            at = b->nodes[at].succs[0];
        }
        uint32_t end = final[at] ? final[at] - 1 : at; /* a ring of empty nodes ends at one of them */
        for (at = i; seen[at] == i + 1 && !final[at]; at = b->nodes[at].succs[0]) final[at] = end + 1;
    }
    for (uint32_t i = 0; i < b->node_count; i++)
        for (uint32_t k = 0; k < b->nodes[i].succ_count; k++) {
            uint32_t to = b->nodes[i].succs[k];
            if (final[to]) b->nodes[i].succs[k] = final[to] - 1;
        }
}

/* --- order --------------------------------------------------------------------------------------------------- */

/* Marks what is reached, counts edges, and gives the nodes in postorder. */
static uint32_t walk(ilc__builder *b, uint32_t *post)
{
    uint32_t *stack = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    uint32_t *next = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    bool     *seen = ILC__NEW_ARRAY(b->arena, bool, b->node_count);
    uint32_t  depth = 1, count = 0;
    for (uint32_t i = 0; i < b->node_count; i++) b->nodes[i].pred_edges = 0;
    stack[0] = 0;
    seen[0] = true;
    while (depth) {
        ilc__node *n = &b->nodes[stack[depth - 1]];
        if (next[stack[depth - 1]] == n->succ_count) {
            post[count++] = stack[--depth];
            continue;
        }
        uint32_t to = n->succs[next[stack[depth - 1]]++];
        b->nodes[to].pred_edges++;
        if (seen[to]) continue;
        seen[to] = true;
        stack[depth++] = to;
    }
    for (uint32_t i = 0; i < b->node_count; i++)
        if (!seen[i]) b->nodes[i].kind = ILC__NODE_GONE;
    return count;
}

/* --- the patterns: each returns true when it changed n ------------------------------------------------------- */

static bool join_chain(ilc__builder *b, ilc__node *n)
{
    if (n->kind != ILC__NODE_JUMP) return false;
    ilc__node *m = &b->nodes[n->succs[0]];
    if (m == n || m->pred_edges != 1) return false;
    ilc__item *from = m->first;
    if (m->first) {
        m->first->prev = n->last;
        if (n->last) n->last->next = m->first;
        else n->first = m->first;
        n->last = m->last;
    }
    n->kind = m->kind;
    n->value = m->value;
    n->second = m->second;
    n->exc = m->exc;
    n->il = m->il;
    n->has_il = m->has_il;
    n->succ_count = m->succ_count;
    n->succs = m->succs;
    n->cases = m->cases;
    n->case_first = m->case_first;
    m->kind = ILC__NODE_GONE;
    m->first = m->last = NULL;
    ilc__ast_fold_node(b, n, from);
    return true;
}

static bool return_at_once(ilc__builder *b, ilc__node *n, bool last)
{
    if (n->kind != ILC__NODE_JUMP || !n->last) return false;
    ilc__node       *m = &b->nodes[n->succs[0]];
    const ilc__stmt *s = n->last->stmt;
    if (!ilc__node_is_tiny_return(m) || !m->value || m->value->kind != ILC__EX_VAR) return false;
    if (s->kind != ILC__ST_ASSIGN || s->var != m->value->u.var || !b->info.items[s->var->index].foldable) return false;
    bool is_truth = ilc__expr_is_const(s->a, 0) || ilc__expr_is_const(s->a, 1);
    if ((s->var->is_temp || s->stacked) && is_truth && !last) return false; /* it may be a condition's value */
    n->kind = ILC__NODE_RETURN;
    n->value = ilc__expr_var(b, s->var);
    n->succ_count = 0;
    n->il = m->il;
    n->has_il = m->has_il;
    if (--m->pred_edges == 0) {
        m->kind = ILC__NODE_GONE;
        b->info.items[s->var->index].uses--;
    }
    ilc__ast_fold_node(b, n, NULL);
    return true;
}

/* Compilers make the tests of && and || in the order in which they stand; a test that stands before the other, and is
 * made after it, is a statement of its own: an exit at the start of a loop, whose test stands at the end. */
static bool are_one_condition(const ilc__node *n, const ilc__node *m)
{
    return !n->has_il || !m->has_il || n->il <= m->il;
}

static bool join_tests(ilc__builder *b, ilc__node *n)
{
    if (n->kind != ILC__NODE_COND) return false;
    for (uint32_t side = 0; side < 2; side++) {
        ilc__node *m = &b->nodes[n->succs[side]];
        uint32_t   other = n->succs[1 - side];
        if (m->kind != ILC__NODE_COND || m->pred_edges != 1 || m->first || m == n) continue;
        if ((m->succs[0] != other && m->succs[1] != other) || !are_one_condition(n, m)) continue;
        if (n->value->depth >= ILC__AST_FOLD_DEPTH - 1 || m->value->depth >= ILC__AST_FOLD_DEPTH - 1) continue;
        bool       meets_true = m->succs[0] == other; /* m's true answer leads where n's other answer does */
        ilc__expr *first = n->value;
        /* to reach m, n's value was true (side 0) or false (side 1) */
        if ((side == 1) != meets_true) first = ilc__expr_negate(b->arena, first);
        n->value = ilc__expr_binary(b->arena, meets_true ? ILC__EX_OR : ILC__EX_AND, first, m->value);
        n->value->il = m->il;
        n->value->has_il = m->has_il;
        n->succs[0] = m->succs[0];
        n->succs[1] = m->succs[1];
        b->nodes[other].pred_edges--;
        m->kind = ILC__NODE_GONE;
        return true;
    }
    return false;
}

/* A choice between addresses stays a statement: neither VB nor a place in C has an expression for it. */
static bool is_arm(const ilc__node *n)
{
    return n->kind == ILC__NODE_JUMP && n->pred_edges == 1 && n->first && n->first == n->last &&
           n->first->stmt->kind == ILC__ST_ASSIGN && !n->first->stmt->var->is_addr;
}

/* One of two truths is known, the other is computed: && or ||. */
static bool is_logic(const ilc__expr *x, const ilc__expr *y)
{
    return ilc__expr_is_truth(x) && ilc__expr_is_truth(y) && (x->kind == ILC__EX_CONST) != (y->kind == ILC__EX_CONST);
}

/* arm: an assignment that the choice takes the place of. */
static void put_select(ilc__builder *b, ilc__node *n, const ilc__stmt *arm, ilc__expr *yes, ilc__expr *no, uint32_t to)
{
    ilc__var  *var = arm->var;
    ilc__expr *e = ilc__expr_select(b->arena, n->value, yes, no);
    ilc__stmt *s = ilc__stmt_assign(b, var, ilc__expr_value(b->arena, e), n->il, n->has_il);
    s->stacked = arm->stacked;
    b->info.items[var->index].defs -= 2;
    ilc__node_append(b, n, s);
    b->nodes[to].pred_edges--;
    set_jump(b, n, to);
    ilc__ast_fold_node(b, n, n->last);
}

static bool has_room(const ilc__expr *x, const ilc__expr *y, const ilc__expr *z)
{
    return x->depth < ILC__AST_FOLD_DEPTH && y->depth < ILC__AST_FOLD_DEPTH && z->depth < ILC__AST_FOLD_DEPTH;
}

static bool choose_value(ilc__builder *b, ilc__node *n)
{
    if (n->kind != ILC__NODE_COND) return false;
    ilc__node *yes = &b->nodes[n->succs[0]], *no = &b->nodes[n->succs[1]];
    if (yes == no || !is_arm(yes) || !is_arm(no) || yes->succs[0] != no->succs[0]) return false;
    ilc__stmt *s = yes->first->stmt, *t = no->first->stmt;
    if (s->var != t->var || !has_room(n->value, s->a, t->a)) return false;
    bool is_one = s->var->is_temp || (s->stacked && t->stacked);
    if (!is_one && !(s->var->storage == ILC_BOOL && is_logic(s->a, t->a))) return false;
    yes->kind = no->kind = ILC__NODE_GONE;
    put_select(b, n, s, s->a, t->a, yes->succs[0]);
    return true;
}

/* t = e; if (c) t = f  ->  t = c ? f : e, where e may as well be evaluated after c */
static bool choose_or_keep(ilc__builder *b, ilc__node *n)
{
    if (n->kind != ILC__NODE_COND || !n->last || n->last->stmt->kind != ILC__ST_ASSIGN) return false;
    ilc__stmt *s = n->last->stmt;
    if (!s->var->is_temp && !s->stacked) return false;
    for (uint32_t side = 0; side < 2; side++) {
        ilc__node *arm = &b->nodes[n->succs[side]];
        uint32_t   other = n->succs[1 - side];
        if (!is_arm(arm) || arm->succs[0] != other || arm->first->stmt->var != s->var) continue;
        if (!s->var->is_temp && !arm->first->stmt->stacked) continue;
        ilc__expr *f = arm->first->stmt->a;
        if (s->a->has_effect || !has_room(n->value, s->a, f)) continue;
        if (ilc__expr_reads(n->value, s->var) || ilc__expr_reads(f, s->var)) continue;
        arm->kind = ILC__NODE_GONE;
        n->last = n->last->prev;
        if (n->last) n->last->next = NULL;
        else n->first = NULL;
        put_select(b, n, s, side == 0 ? f : s->a, side == 0 ? s->a : f, other);
        return true;
    }
    return false;
}

static bool returns_value(const ilc__node *n)
{
    return n->kind == ILC__NODE_RETURN && n->pred_edges == 1 && !n->first && n->value && n->has_il;
}

/* Return a AndAlso b: the truth that is known without b is returned from behind the other. An early return stands before it. */
static bool choose_return(ilc__builder *b, ilc__node *n)
{
    if (n->kind != ILC__NODE_COND || b->func->ret != ILC_BOOL) return false;
    ilc__node *yes = &b->nodes[n->succs[0]], *no = &b->nodes[n->succs[1]];
    if (yes == no || !returns_value(yes) || !returns_value(no) || !is_logic(yes->value, no->value)) return false;
    if (yes->value->kind == ILC__EX_CONST ? yes->il < no->il : no->il < yes->il) return false;
    if (!has_room(n->value, yes->value, no->value)) return false;
    ilc__expr *e = ilc__expr_select(b->arena, n->value, yes->value, no->value);
    n->value = ilc__expr_value(b->arena, e);
    n->kind = ILC__NODE_RETURN;
    n->succ_count = 0;
    yes->kind = no->kind = ILC__NODE_GONE;
    return true;
}

/* x = 1 Or x = 2, x >= 3 And x <= 5: what may be a Case is one test. */
static bool join_tests_of_one(ilc__builder *b, ilc__node *n)
{
    if (n->kind != ILC__NODE_COND) return false;
    const ilc__var *var = ilc__ast_tested(n->value);
    for (uint32_t side = 0; var && side < 2; side++) {
        const ilc__node *m = &b->nodes[n->succs[side]];
        if (m->kind == ILC__NODE_COND && m->pred_edges == 1 && ilc__ast_tested(m->value) == var && join_tests(b, n)) return true;
    }
    return false;
}

void ilc__ast_reduce(ilc__builder *b)
{
    uint32_t *post = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    for (uint32_t i = 0; i < b->node_count; i++) ilc__ast_fold_node(b, &b->nodes[i], b->nodes[i].first);
    thread_jumps(b);
    uint32_t count = walk(b, post);
    for (uint32_t i = 0; i < count; i++)
        while (join_tests_of_one(b, &b->nodes[post[i]])) continue;
    ilc__ast_find_cases(b, post, count);
    count = walk(b, post);
    for (uint32_t i = 0; i < count; i++) {
        ilc__node *n = &b->nodes[post[i]];
        if (n->kind == ILC__NODE_GONE) continue;
        do drop_equal_test(b, n);
        while (join_chain(b, n) || return_at_once(b, n, false) || join_tests(b, n) || choose_value(b, n) ||
               choose_or_keep(b, n) || choose_return(b, n));
    }
    for (uint32_t i = 0; i < count; i++) return_at_once(b, &b->nodes[post[i]], true);
}
