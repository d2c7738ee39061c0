/* structure.c - the graph becomes if, loop, switch, break, continue, return; goto where nothing else says it.
 *
 * Every node is placed once. A node with one forward edge is placed where that edge leaves. A node where paths
 * meet is placed after the statement of its immediate dominator (N. Ramsey, Beyond Relooper, 2022) or, when
 * that lies in a loop that the node does not, after the outermost such loop. An edge then is nothing when its
 * target comes next anyway, else break, continue, a tiny return again, or goto. So any graph comes out right,
 * irreducible ones too, and each edge costs constant time but for the loops around it. Lists nest as deep as the graph
 * does; cut.c bounds that. */
#include "ast/build.h"

enum { MAX_DEPTH = 60 /* of recursion */, MAX_LOOPS = ILC__AST_MAX_STMT_DEPTH /* that a break or continue looks over */ };

typedef struct open_loop {
    uint32_t          header, follow;
    ilc__stmt        *stmt;
    bool              broken; /* a break leaves it */
    struct open_loop *outer;
} open_loop;

typedef struct put_off { /* a list that is filled later: recursion has gone deep enough */
    ilc__block *list;
    uint32_t    node, next;
    bool        entered;
    open_loop  *loop;
} put_off;

typedef struct structurer {
    ilc__builder *b;
    ILC__VEC(uint32_t) *after;      /* per node: placed after it, in reverse postorder          */
    ILC__VEC(uint32_t) *after_loop; /* per header: placed after its loop                        */
    bool               *is_apart;   /* placed by one of these lists, not where an edge leaves   */
    ILC__VEC(uint32_t) waiting;     /* to be placed after what is placed now, the next one last */
    open_loop          *loop;    /* the innermost */
    ILC__VEC(put_off) deferred;
} structurer;

/* --- where each node goes ------------------------------------------------------------------------------------ */

static uint32_t loop_around(const ilc__builder *b, uint32_t n)
{
    return b->nodes[n].is_header ? n : b->nodes[n].loop;
}

static bool in_loop(const ilc__builder *b, uint32_t n, uint32_t header)
{
    for (uint32_t at = loop_around(b, n); at != ILC__NO_NODE; at = b->nodes[at].loop) {
        if (at == header) return true;
        if (b->nodes[at].depth < b->nodes[header].depth) return false;
    }
    return false;
}

/* The outermost loop that holds `from` and not `n`; ILC__NO_NODE when there is none. */
static uint32_t loop_left(const ilc__builder *b, uint32_t from, uint32_t n)
{
    uint32_t left = ILC__NO_NODE;
    for (uint32_t at = loop_around(b, from); at != ILC__NO_NODE && !in_loop(b, n, at); at = b->nodes[at].loop)
        left = at;
    return left;
}

static bool is_join(const ilc__builder *b, uint32_t n)
{
    uint32_t forward = 0;
    for (uint32_t k = 0; k < b->nodes[n].preds.count; k++)
        if (!ilc__node_dominates(&b->nodes[n], &b->nodes[b->nodes[n].preds.items[k]])) forward++;
    return forward > 1;
}

/* The step of a counted loop around: other ways to it will be `continue`. */
static bool is_step(const ilc__builder *b, uint32_t id)
{
    const ilc__node *n = &b->nodes[id];
    return n->kind == ILC__NODE_JUMP && n->first && n->first == n->last && n->first->stmt->kind == ILC__ST_ASSIGN &&
           n->succs[0] == b->nodes[id].loop;
}

enum { HEAD_TEST = 4, LATCH_TEST = 3, GOES_ON = 2, TERMINATES = 1, ANY_EXIT = 0 };

/* Which of two single exits of a loop its follow should be: that of the test at its head, then that of the test
 * at its end, then the one that goes on furthest. */
static uint32_t exit_rank(const ilc__builder *b, uint32_t header, uint32_t exit)
{
    uint32_t         from = b->nodes[exit].idom;
    const ilc__node *n = &b->nodes[from], *x = &b->nodes[exit];
    if (n->kind != ILC__NODE_COND) return ANY_EXIT;
    if (from == header && !n->first) return HEAD_TEST;
    for (uint32_t k = 0; k < n->succ_count; k++)
        if (n->succs[k] == header) return LATCH_TEST;
    return ilc__node_terminates(x) ? TERMINATES : GOES_ON;
}

static bool leaves_to_join(const ilc__builder *b, const ilc__node *test, uint32_t header)
{
    for (uint32_t k = 0; test->kind == ILC__NODE_COND && k < 2; k++)
        if (!in_loop(b, test->succs[k], header) && is_join(b, test->succs[k])) return true;
    return false;
}

/* The rank of the loop's own test, when that leaves to where other ways meet: an exit of less rank does not follow then. */
static uint32_t test_rank(const ilc__builder *b, uint32_t header)
{
    const ilc__node *h = &b->nodes[header];
    if (!h->first && leaves_to_join(b, h, header)) return HEAD_TEST;
    for (uint32_t k = 0; k < h->preds.count; k++) {
        const ilc__node *latch = &b->nodes[h->preds.items[k]];
        if (ilc__node_dominates(h, latch) && leaves_to_join(b, latch, header)) return LATCH_TEST;
    }
    return ANY_EXIT;
}

static void choose_follow(structurer *s, uint32_t *best, uint32_t header, uint32_t exit)
{
    const ilc__builder *b = s->b;
    uint32_t            old = best[header];
    if (old != ILC__NO_NODE) {
        uint32_t old_rank = exit_rank(b, header, old), rank = exit_rank(b, header, exit);
        if (rank < old_rank) return;
        const ilc__node *x = &b->nodes[exit], *y = &b->nodes[old];
        if (rank == old_rank && x->leave - x->enter <= y->leave - y->enter) return;
    }
    best[header] = exit;
}

static bool is_case(const ilc__node *n, uint32_t to)
{
    for (uint32_t k = 0; k + 1 < n->succ_count; k++)
        if (n->succs[k] == to) return true;
    return false;
}

/* What cases come together at last follows the switch; where they come together before, it is a case's code that others
 * go on with: it stays there. */
static void place_shared_cases(structurer *s, uint32_t id)
{
    const ilc__node *n = &s->b->nodes[id];
    uint32_t         kept = 0, count = s->after[id].count, *items = s->after[id].items;
    if (n->kind != ILC__NODE_SWITCH || count < 2) return;
    for (uint32_t k = 0; k < count; k++) {
        if (k + 1 < count && is_case(n, items[k])) s->is_apart[items[k]] = false;
        else items[kept++] = items[k];
    }
    s->after[id].count = kept;
}

/* Ways out of the loop come together behind it: may the exit of its own test stand there before them? What else leaves
 * it then says continue, or returns. */
static bool goes_first(const structurer *s, uint32_t header, uint32_t exit)
{
    const ilc__builder *b = s->b;
    uint32_t            joined = s->after_loop[header].items[0];
    if (exit_rank(b, header, exit) != HEAD_TEST) return false;
    return is_step(b, joined) || (s->after_loop[header].count == 1 && ilc__node_is_tiny_return(&b->nodes[joined]));
}

static void place_apart(structurer *s)
{
    ilc__builder *b = s->b;
    uint32_t     *best = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    for (uint32_t i = 0; i < b->node_count; i++) best[i] = ILC__NO_NODE;
    for (uint32_t i = 1; i < b->order_count; i++) {
        uint32_t n = b->order[i], left = loop_left(b, b->nodes[n].idom, n);
        if (is_join(b, n)) {
            s->is_apart[n] = true;
            if (left == ILC__NO_NODE) ILC__PUSH(b->arena, &s->after[b->nodes[n].idom], n);
            else ILC__PUSH(b->arena, &s->after_loop[left], n);
        } else if (left != ILC__NO_NODE) {
            choose_follow(s, best, left, n);
        }
    }
    for (uint32_t i = 0; i < b->order_count; i++) place_shared_cases(s, b->order[i]);
    for (uint32_t i = 0; i < b->order_count; i++) {
        uint32_t header = b->order[i], exit = best[header];
        if (exit == ILC__NO_NODE || exit_rank(b, header, exit) < test_rank(b, header)) continue;
        if (s->after_loop[header].count && !goes_first(s, header, exit)) continue;
        s->is_apart[exit] = true;
        ILC__PUSH(b->arena, &s->after_loop[header], exit);
        for (uint32_t k = s->after_loop[header].count; k-- > 1;)
            s->after_loop[header].items[k] = s->after_loop[header].items[k - 1];
        s->after_loop[header].items[0] = exit;
    }
}

/* --- edges --------------------------------------------------------------------------------------------------- */

static ilc__stmt *new_stmt(structurer *s, ilc__stmt_kind kind, const ilc__node *at)
{
    return ilc__stmt_new(s->b, kind, at ? at->il : 0, at && at->has_il);
}

static void put_return(structurer *s, ilc__block *list, const ilc__node *n, bool again)
{
    ilc__stmt *r = new_stmt(s, ILC__ST_RETURN, n);
    r->a = n->value;
    if (again && n->value && n->value->kind == ILC__EX_VAR) r->a = ilc__expr_var(s->b, n->value->u.var);
    else if (again && n->value) r->a = ilc__expr_const(s->b->arena, n->value->type, n->value->u.bits);
    ilc__block_append(list, r);
}

static bool put_exit(structurer *s, ilc__block *list, open_loop *loop, uint32_t to, const ilc__node *at)
{
    if (loop->follow != to && loop->header != to) return false;
    bool       is_break = loop->follow == to;
    ilc__stmt *x = new_stmt(s, is_break ? ILC__ST_BREAK : ILC__ST_CONTINUE, at);
    x->target = loop->stmt;
    loop->broken = loop->broken || is_break;
    ilc__block_append(list, x);
    return true;
}

/* An edge to a node that is placed elsewhere. True when control goes on after the list, to `next`. */
static bool put_jump(structurer *s, ilc__block *list, uint32_t to, uint32_t next, const ilc__node *at)
{
    if (to == next) return true;
    if (s->loop && put_exit(s, list, s->loop, to, at)) return false;
    if (ilc__node_is_tiny_return(&s->b->nodes[to])) {
        put_return(s, list, &s->b->nodes[to], true);
        return false;
    }
    uint32_t over = 0;
    for (open_loop *loop = s->loop; loop && over < MAX_LOOPS; loop = loop->outer, over++)
        if (put_exit(s, list, loop, to, at)) return false;
    ilc__stmt *go = new_stmt(s, ILC__ST_GOTO, at);
    go->label = to;
    s->b->label_uses[to]++;
    ilc__block_append(list, go);
    return false;
}

static bool owns(const structurer *s, uint32_t from, uint32_t to)
{
    const ilc__node *t = &s->b->nodes[to];
    return !s->is_apart[to] && t->idom == from && to != from && to != 0;
}

/* --- placing ------------------------------------------------------------------------------------------------- */

typedef struct cursor {
    ilc__block *list;
    uint32_t    base;  /* of s->waiting */
    uint32_t    next;  /* what comes after the list */
    uint32_t    depth;
} cursor;

static bool place(structurer *s, cursor c, uint32_t n, bool entered);

static uint32_t next_of(const structurer *s, const cursor *c)
{
    return s->waiting.count > c->base ? s->waiting.items[s->waiting.count - 1] : c->next;
}

/* One arm in a list of its own. */
static bool put_arm(structurer *s, const cursor *c, ilc__block *list, uint32_t from, uint32_t to)
{
    uint32_t next = next_of(s, c);
    if (!owns(s, from, to)) return put_jump(s, list, to, next, &s->b->nodes[from]);
    if (c->depth < MAX_DEPTH) {
        cursor inner = {list, s->waiting.count, next, c->depth + 1};
        return place(s, inner, to, false);
    }
    ILC__PUSH(s->b->arena, &s->deferred, ((put_off){list, to, next, false, s->loop}));
    return !ilc__node_terminates(&s->b->nodes[to]);
}

static ilc__stmt *put_if(structurer *s, const cursor *c, const ilc__node *n, bool negate)
{
    ilc__stmt *stmt = new_stmt(s, ILC__ST_IF, n);
    stmt->a = negate ? ilc__expr_negate(s->b->arena, n->value) : n->value;
    ilc__block_append(c->list, stmt);
    return stmt;
}

/* Arms come in the order of their code, which mostly is the source's; but a test of floats comes so that it need
 * not be denied: Not (a > b) is no a <= b. */
static bool taken_first(const structurer *s, const ilc__node *n)
{
    const ilc__expr *e = n->value;
    if (n->case_first) return true;
    if (e->kind == ILC__EX_OP && (ilc__op_info_of(e->op)->flags & ILC__OPF_COMPARE)) {
        bool floats = e->args[0]->type == ILC__IR_F32 || e->args[0]->type == ILC__IR_F64;
        bool equality = (ilc__op_info_of(e->op)->flags & ILC__OPF_COMMUTES) != 0;
        if (floats && !equality) return strstr(ilc__op_info_of(e->op)->text, ".un.") == NULL;
    }
    return s->b->nodes[n->succs[0]].start_il < s->b->nodes[n->succs[1]].start_il;
}

/* Is it plain that control does not come from here to `next`? Then what follows need not nest. */
static bool leaves(const structurer *s, uint32_t id, uint32_t next)
{
    const ilc__node *n = &s->b->nodes[id];
    if (ilc__node_terminates(n)) return true;
    return n->kind == ILC__NODE_JUMP && n->succs[0] != next && !owns(s, id, n->succs[0]);
}

/* The two ways out of a test. *on: the node that the list goes on with, or ILC__NO_NODE; the result tells
 * whether control comes to the end of the list otherwise. */
static bool put_test(structurer *s, const cursor *c, uint32_t id, uint32_t *on)
{
    const ilc__node *n = &s->b->nodes[id];
    uint32_t         taken = n->succs[0], other = n->succs[1], next = next_of(s, c);
    bool             own_taken = owns(s, id, taken), own_other = owns(s, id, other);
    if (!own_taken && taken != next) {
        ilc__stmt *stmt = put_if(s, c, n, false);
        put_jump(s, &stmt->body, taken, ILC__NO_NODE, n);
        if (own_other) *on = other;
        return !own_other && put_jump(s, c->list, other, next, n);
    }
    if (!own_other && other != next) {
        ilc__stmt *stmt = put_if(s, c, n, true);
        put_jump(s, &stmt->body, other, ILC__NO_NODE, n);
        if (own_taken) *on = taken;
        return !own_taken;
    }
    bool taken_leaves = own_taken && leaves(s, taken, next), other_leaves = own_other && leaves(s, other, next);
    if (!own_other || (taken_leaves && !other_leaves)) {
        ilc__stmt *stmt = put_if(s, c, n, false);
        bool       falls = put_arm(s, c, &stmt->body, id, taken);
        if (own_other) *on = other;
        return !own_other || falls;
    }
    bool       swap = own_taken && other_leaves == taken_leaves && taken_first(s, n);
    uint32_t   first = swap ? taken : other, second = swap ? other : taken;
    ilc__stmt *stmt = put_if(s, c, n, !swap);
    bool       falls = put_arm(s, c, &stmt->body, id, first);
    if (!own_taken) return put_jump(s, &stmt->other, taken, next, n) || falls;
    if (!falls) {
        *on = second;
        return false;
    }
    put_arm(s, c, &stmt->other, id, second);
    return true;
}

static bool is_end(const ilc__node *n)
{
    return n->kind == ILC__NODE_RETURN || n->kind == ILC__NODE_THROW;
}

/* --- switch -------------------------------------------------------------------------------------------------- */

static bool put_switch(structurer *s, const cursor *c, uint32_t id, uint32_t *on)
{
    const ilc__node *n = &s->b->nodes[id];
    uint32_t         cases = n->succ_count - 1, otherwise = n->succs[cases];
    ilc__stmt       *stmt = new_stmt(s, ILC__ST_SWITCH, n);
    stmt->a = n->value;
    stmt->case_count = cases;
    stmt->cases = n->cases;
    ilc__block_append(c->list, stmt);
    bool falls = false;
    for (uint32_t k = 0; k < cases; k++)
        if (put_arm(s, c, &stmt->cases[k].body, id, n->succs[k])) falls = true;
    /* where no case goes on, what follows need not nest */
    if (!falls && owns(s, id, otherwise) && !is_end(&s->b->nodes[otherwise])) {
        *on = otherwise;
        return false;
    }
    return put_arm(s, c, &stmt->other, id, otherwise) || falls;
}

/* --- one list ------------------------------------------------------------------------------------------------ */

static void wait_for(structurer *s, const uint32_t *nodes, uint32_t count)
{
    while (count-- > 0) ILC__PUSH(s->b->arena, &s->waiting, nodes[count]);
}

static void put_label(structurer *s, ilc__block *list, uint32_t id)
{
    ilc__stmt *label = ilc__stmt_new(s->b, ILC__ST_LABEL, 0, false);
    label->label = id;
    ilc__block_append(list, label);
}

static bool put_loop(structurer *s, const cursor *c, uint32_t header)
{
    ilc__stmt *stmt = new_stmt(s, ILC__ST_LOOP, &s->b->nodes[header]);
    open_loop *loop = ILC__NEW(s->b->arena, open_loop);
    ilc__block_append(c->list, stmt);
    wait_for(s, s->after_loop[header].items, s->after_loop[header].count);
    *loop = (open_loop){header, next_of(s, c), stmt, false, s->loop};
    if (c->depth >= MAX_DEPTH) {
        ILC__PUSH(s->b->arena, &s->deferred, ((put_off){&stmt->body, header, header, true, loop}));
        return true;
    }
    cursor   inner = {&stmt->body, s->waiting.count, header, c->depth + 1};
    uint32_t before = s->deferred.count;
    s->loop = loop;
    place(s, inner, header, true);
    s->loop = loop->outer;
    return loop->broken || s->deferred.count > before; /* what is put off may break it */
}

static bool put_end(structurer *s, const cursor *c, uint32_t id, uint32_t *on)
{
    const ilc__node *n = &s->b->nodes[id];
    switch (n->kind) {
    case ILC__NODE_JUMP:
        if (owns(s, id, n->succs[0])) {
            *on = n->succs[0];
            return false;
        }
        return put_jump(s, c->list, n->succs[0], next_of(s, c), n);
    case ILC__NODE_COND: return put_test(s, c, id, on);
    case ILC__NODE_SWITCH: return put_switch(s, c, id, on);
    case ILC__NODE_RETURN: put_return(s, c->list, n, false); return false;
    case ILC__NODE_THROW: {
        ilc__stmt *stmt = new_stmt(s, ILC__ST_THROW, n);
        stmt->exc = n->exc;
        stmt->a = n->value;
        stmt->b = n->second;
        ilc__block_append(c->list, stmt);
        return false;
    }
    default: return false;
    }
}

/* Places n and all that it dominates; entered: n is a header whose loop is open. True when control may come to the end of
 * the list. */
static bool place(structurer *s, cursor c, uint32_t n, bool entered)
{
    for (;;) {
        const ilc__node *node = &s->b->nodes[n];
        uint32_t         on = ILC__NO_NODE;
        bool             falls = false;
        if (!entered) put_label(s, c.list, n);
        if (node->is_header && !entered) {
            falls = put_loop(s, &c, n);
        } else {
            wait_for(s, s->after[n].items, s->after[n].count);
            for (const ilc__item *item = node->first; item; item = item->next)
                ilc__block_append(c.list, item->stmt);
            falls = put_end(s, &c, n, &on);
        }
        entered = false;
        if (on != ILC__NO_NODE) {
            n = on;
        } else if (s->waiting.count > c.base) {
            n = s->waiting.items[--s->waiting.count];
        } else {
            return falls;
        }
    }
}

void ilc__ast_structure(ilc__builder *b)
{
    structurer s = {.b = b};
    b->label_count = b->node_count;
    b->label_uses = ILC__NEW_ARRAY(b->arena, uint32_t, b->label_count);
    s.after = ilc__arena_array(b->arena, b->node_count, sizeof *s.after);
    s.after_loop = ilc__arena_array(b->arena, b->node_count, sizeof *s.after_loop);
    s.is_apart = ILC__NEW_ARRAY(b->arena, bool, b->node_count);
    place_apart(&s);
    place(&s, (cursor){&b->func->body, 0, ILC__NO_NODE, 0}, 0, false);
    while (s.deferred.count) {
        put_off d = s.deferred.items[--s.deferred.count];
        s.loop = d.loop;
        place(&s, (cursor){d.list, 0, d.next, 0}, d.node, d.entered);
    }
}
