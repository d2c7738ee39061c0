/* cases.c - tests of one value against constants become a switch: the tree of compares that C# and VB make of sparse
 * cases, VB's chain of Case after Case, and the jump table with what surrounds it.
 *
 * A node that only tests the variable, and that one edge leads to, belongs to the tree of the node where that edge
 * leaves. Ways through the tree are intervals with a target, in an order in which the first that holds a number is the
 * right one: an interval cut out of another comes before it. Painted on the line of all numbers in that order, they give
 * each target its ranges, in k log k steps for k ways. */
#include <stdlib.h>

#include "ast/build.h"

enum { MIN_LABELS = 3, TRIES = 2, MAX_AROUND = 3 };

typedef struct way {
    int64_t  first, last;
    uint32_t target, test; /* test: which of the tests it leaves */
    bool     ends;         /* out of the tree, whatever target is: several ways lead there */
} way;

typedef struct tree {
    ilc__builder   *b;
    const ilc__var *var;
    ilc__ir_type    type;
    ILC__VEC(way) open;        /* to be followed, the next one last     */
    ILC__VEC(way) ways;        /* that leave the tree, in their order   */
    ILC__VEC(uint32_t) tests;  /* nodes of the tree, the root first     */
    ILC__VEC(way) lines;       /* painted: ascending, neighbours differ */
    uint32_t otherwise;
    bool    *is_apart; /* per node: no part of a tree after all, or of one that is no switch */
    uint8_t *around;   /* per node: how many tests were found to stand around its tree */
    bool     has_table, has_pivot;
    uint32_t points, orders; /* tests of one number; by < and its kind */
} tree;

/* --- jump tables --------------------------------------------------------------------------------------------- */

static int compare_ranges(const void *x, const void *y)
{
    const ilc__interval *a = x, *b = y;
    return (a->first > b->first) - (a->first < b->first);
}

/* switch (x - 3) is what compilers make of cases from 3 on; a number that wraps stays in order. */
static void take_offset(ilc__builder *b, ilc__node *n)
{
    ilc__expr *e = n->value;
    if (e->kind != ILC__EX_OP || (e->op != ILC__OP_SUB_I32 && e->op != ILC__OP_SUB_I64) || e->args[1]->kind != ILC__EX_CONST) return;
    for (uint32_t k = 0; k + 1 < n->succ_count; k++) {
        ilc__interval *moved = ilc__arena_copy(b->arena, n->cases[k].ranges, n->cases[k].count * sizeof *moved);
        for (uint32_t i = 0; i < n->cases[k].count; i++) {
            moved[i].first = ilc__ast_wrap(e->type, (uint64_t)moved[i].first + e->args[1]->u.bits);
            moved[i].last = ilc__ast_wrap(e->type, (uint64_t)moved[i].last + e->args[1]->u.bits);
            if (moved[i].first > moved[i].last) return;
        }
        qsort(moved, n->cases[k].count, sizeof *moved, compare_ranges);
        n->cases[k].ranges = moved;
    }
    n->value = e->args[0];
}

typedef struct order {
    uint32_t target, il, test, from; /* from: the first of its tests, whether the order says something or not */
    int64_t  first;
    ILC__VEC(ilc__interval) ranges;
} order;

static int compare_orders(const void *x, const void *y)
{
    const order *a = x, *b = y;
    if (a->test != b->test) return a->test < b->test ? -1 : 1;
    if (a->il != b->il) return a->il < b->il ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* Lines into cases, one for each target but the default, in the order of their tests, where that says something, or of
 * their code. */
static void set_cases(ilc__builder *b, ilc__node *n, const tree *t, uint32_t otherwise, bool by_test)
{
    const way *lines = t->lines.items;
    uint32_t   count = t->lines.count;
    ILC__VEC(order) orders = {0};
    ilc__map at = {.arena = b->arena};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t target = lines[i].target, test = by_test ? lines[i].test : 0, *known = ilc__map_get(&at, &target, sizeof target);
        if (target == otherwise) continue;
        if (!known) {
            known = ILC__NEW(b->arena, uint32_t);
            *known = orders.count;
            ilc__map_put(&at, &target, sizeof target, known);
            ILC__PUSH(b->arena, &orders, (order){target, b->nodes[target].start_il, test, lines[i].test, lines[i].first, {0}});
        }
        if (test < orders.items[*known].test) orders.items[*known].test = test;
        if (lines[i].test < orders.items[*known].from) orders.items[*known].from = lines[i].test;
        ILC__PUSH(b->arena, &orders.items[*known].ranges, (ilc__interval){lines[i].first, lines[i].last});
    }
    if (orders.count) qsort(orders.items, orders.count, sizeof *orders.items, compare_orders);
    n->kind = ILC__NODE_SWITCH;
    n->succ_count = orders.count + 1;
    n->succs = ILC__NEW_ARRAY(b->arena, uint32_t, n->succ_count);
    n->cases = ILC__NEW_ARRAY(b->arena, ilc__case, n->succ_count);
    for (uint32_t k = 0; k < orders.count; k++) {
        n->succs[k] = orders.items[k].target;
        n->cases[k] = (ilc__case){.count = orders.items[k].ranges.count, .ranges = orders.items[k].ranges.items};
        if (orders.items[k].from >= t->tests.count) continue; /* of a table alone */
        const ilc__node *test = &b->nodes[t->tests.items[orders.items[k].from]];
        n->cases[k].il = test->il;
        n->cases[k].has_il = test->has_il;
    }
    n->succs[orders.count] = otherwise;
    take_offset(b, n);
}

/* Lines that touch and go the same way are one. */
static void put_line(ilc__builder *b, tree *t, way line)
{
    way *before = t->lines.count ? &t->lines.items[t->lines.count - 1] : NULL;
    if (before && before->target == line.target && before->last + 1 == line.first) before->last = line.last;
    else ILC__PUSH(b->arena, &t->lines, line);
}

static void read_table(ilc__builder *b, ilc__node *n)
{
    tree     t = {.b = b};
    uint32_t cases = n->succ_count - 1;
    for (uint32_t k = 0; k < cases; k++) put_line(b, &t, (way){k, k, n->succs[k], 0, true});
    set_cases(b, n, &t, n->succs[cases], false);
}

/* A switch of one number is a test. */
static void test_one(ilc__builder *b, ilc__node *n)
{
    ilc__ir_type type = n->value->type;
    if (n->succ_count != 2 || n->cases[0].count != 1 || n->cases[0].ranges[0].first != n->cases[0].ranges[0].last) return;
    ilc__expr *number = ilc__expr_const(b->arena, type, (uint64_t)n->cases[0].ranges[0].first);
    n->value = ilc__expr_binary(b->arena, ILC__EX_OP, n->value, number);
    n->value->op = type == ILC__IR_I64 ? ILC__OP_EQ_I64 : ILC__OP_EQ_I32;
    n->kind = ILC__NODE_COND;
    n->case_first = true;
}

/* --- following the tests -------------------------------------------------------------------------------------- */

/* A table of the variable, or of its low half where no more is left of it: the number of its first case. */
static bool is_table_of(const tree *t, const ilc__node *n, int64_t first, int64_t last, int64_t *start)
{
    const ilc__expr *e = n->value;
    const ilc__var  *var;
    int64_t          plus;
    bool             narrows = e->kind == ILC__EX_OP && e->op == ILC__OP_I32_I64;
    if (!ilc__ast_linear(narrows ? e->args[0] : e, &var, &plus) || var != t->var) return false;
    *start = ilc__ast_wrap(t->type, 0 - (uint64_t)plus);
    if (!narrows) return t->type == ILC__IR_I32;
    return t->type == ILC__IR_I64 && plus == 0 && first >= INT32_MIN && last <= INT32_MAX;
}

static bool is_test(const tree *t, uint32_t id)
{
    const ilc__node *n = &t->b->nodes[id];
    if (n->pred_edges != 1 || n->first || t->is_apart[id] || id == t->tests.items[0]) return false;
    int64_t start;
    if (n->kind == ILC__NODE_SWITCH) return is_table_of(t, n, 0, 0, &start);
    return n->kind == ILC__NODE_COND && ilc__ast_tested(n->value) == t->var;
}

static void open_way(tree *t, int64_t first, int64_t last, uint32_t target, bool ends)
{
    ILC__PUSH(t->b->arena, &t->open, (way){first, last, target, t->tests.count - 1, ends});
}

static void follow_table(tree *t, uint32_t id, way in)
{
    const ilc__node *n = &t->b->nodes[id];
    uint32_t         cases = n->succ_count - 1;
    int64_t          start = 0;
    t->has_table = true;
    is_table_of(t, n, in.first, in.last, &start);
    open_way(t, in.first, in.last, n->succs[cases], false);
    for (uint32_t k = 0; k < cases; k++) {
        int64_t at = ilc__ast_wrap(t->type, (uint64_t)start + k);
        if (at < in.first || at > in.last || n->succs[k] == n->succs[cases]) continue;
        way *before = &t->open.items[t->open.count - 1];
        if (before->target == n->succs[k] && before->last + 1 == at) before->last = at;
        else open_way(t, at, at, n->succs[k], true);
        t->points++;
    }
}

static ilc__set_of within(tree *t, const ilc__set_of *s, way in)
{
    ilc__set_of out = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        ilc__interval one = s->items[i];
        if (one.last < in.first || one.first > in.last) continue;
        if (one.first < in.first) one.first = in.first;
        if (one.last > in.last) one.last = in.last;
        ILC__PUSH(t->b->arena, &out, one);
    }
    return out;
}

static uint32_t points_of(const ilc__set_of *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) count += s->items[i].first == s->items[i].last;
    return count;
}

/* What is cut out comes first; then what is left, by way of `rest`. */
static void cut_out(tree *t, const ilc__set_of *s, way in, uint32_t target, uint32_t rest)
{
    open_way(t, in.first, in.last, rest, false);
    for (uint32_t i = s->count; i-- > 0;) open_way(t, s->items[i].first, s->items[i].last, target, s->count > 1);
    t->points += points_of(s);
}

static void follow_test(tree *t, uint32_t id, way in)
{
    const ilc__node *n = &t->b->nodes[id];
    ilc__set_of      set, yes, no = {0};
    int64_t          from = in.first;
    ilc__ast_set_of(t->b, n->value, &set);
    yes = within(t, &set, in);
    for (uint32_t i = 0; i < yes.count; i++) { /* the gaps */
        if (yes.items[i].first > from) ILC__PUSH(t->b->arena, &no, (ilc__interval){from, yes.items[i].first - 1});
        from = yes.items[i].last == in.last ? in.first : yes.items[i].last + 1;
    }
    if (!yes.count || yes.items[yes.count - 1].last != in.last) ILC__PUSH(t->b->arena, &no, (ilc__interval){from, in.last});
    uint32_t taken = n->succs[0], other = n->succs[1];
    if (!yes.count || !no.count) {
        open_way(t, in.first, in.last, yes.count ? taken : other, false);
    } else if (yes.count == 1 && no.count == 1) {
        if (is_test(t, taken) && is_test(t, other)) t->has_pivot = true;
        bool point = yes.items[0].first == yes.items[0].last || no.items[0].first == no.items[0].last;
        if (point) t->points++;
        else t->orders++;
        open_way(t, no.items[0].first, no.items[0].last, other, false);
        open_way(t, yes.items[0].first, yes.items[0].last, taken, false);
    } else if (yes.count == 1 || (no.count != 1 && !is_test(t, taken) && (is_test(t, other) || points_of(&yes) >= points_of(&no)))) {
        cut_out(t, &yes, in, taken, other);
    } else {
        cut_out(t, &no, in, other, taken);
    }
}

static void follow_all(tree *t, uint32_t root)
{
    bool wide = t->type == ILC__IR_I64;
    way  all = {wide ? INT64_MIN : INT32_MIN, wide ? INT64_MAX : INT32_MAX, root, 0, false};
    ILC__PUSH(t->b->arena, &t->tests, root);
    bool first = true;
    do {
        way at = first ? all : t->open.items[--t->open.count];
        if (!first && (at.ends || !is_test(t, at.target))) {
            ILC__PUSH(t->b->arena, &t->ways, at);
            continue;
        }
        if (!first) ILC__PUSH(t->b->arena, &t->tests, at.target);
        first = false;
        if (t->b->nodes[at.target].kind == ILC__NODE_SWITCH) follow_table(t, at.target, at);
        else follow_test(t, at.target, at);
    } while (t->open.count);
}

/* --- painting -------------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static uint32_t place_of(const int64_t *starts, uint32_t count, int64_t at)
{
    uint32_t low = 0, high = count;
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        if (starts[middle] <= at) low = middle;
        else high = middle;
    }
    return low;
}

static uint32_t next_free(uint32_t *next, uint32_t at)
{
    while (next[at] != at) at = next[at] = next[next[at]];
    return at;
}

/* owner: of each piece of the line, the number of the way that it belongs to. */
static void paint(tree *t)
{
    ilc__arena *arena = t->b->arena;
    int64_t    *starts = ILC__NEW_ARRAY(arena, int64_t, (size_t)t->ways.count * 2 + 1);
    int64_t     end = t->type == ILC__IR_I64 ? INT64_MAX : INT32_MAX;
    uint32_t    count = 0, kept = 0;
    for (uint32_t i = 0; i < t->ways.count; i++) {
        starts[count++] = t->ways.items[i].first;
        if (t->ways.items[i].last < end) starts[count++] = t->ways.items[i].last + 1;
    }
    qsort(starts, count, sizeof *starts, compare_numbers);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || starts[i] != starts[i - 1]) starts[kept++] = starts[i];
    uint32_t *next = ILC__NEW_ARRAY(arena, uint32_t, (size_t)kept + 1), *owner = ILC__NEW_ARRAY(arena, uint32_t, (size_t)kept + 1);
    for (uint32_t i = 0; i <= kept; i++) next[i] = i;
    for (uint32_t i = 0; i < t->ways.count; i++) {
        uint32_t last = place_of(starts, kept, t->ways.items[i].last);
        for (uint32_t at = next_free(next, place_of(starts, kept, t->ways.items[i].first)); at <= last; at = next_free(next, at)) {
            owner[at] = i;
            next[at] = at + 1;
        }
    }
    t->lines.count = 0;
    for (uint32_t i = 0; i < kept; i++) {
        way line = t->ways.items[owner[i]];
        line.first = starts[i];
        line.last = i + 1 < kept ? starts[i + 1] - 1 : end;
        put_line(t->b, t, line);
    }
}

/* --- is it a switch? ------------------------------------------------------------------------------------------- */

static double size_of(way line)
{
    return (double)line.last - (double)line.first + 1;
}

/* The default has most numbers. */
static void choose_default(tree *t)
{
    ilc__map at = {.arena = t->b->arena};
    double   best = -1;
    for (uint32_t i = 0; i < t->lines.count; i++) {
        double *sum = ilc__map_get(&at, &t->lines.items[i].target, sizeof(uint32_t));
        if (!sum) {
            sum = ILC__NEW(t->b->arena, double);
            ilc__map_put(&at, &t->lines.items[i].target, sizeof(uint32_t), sum);
        }
        *sum += size_of(t->lines.items[i]);
        if (*sum <= best) continue;
        best = *sum;
        t->otherwise = t->lines.items[i].target;
    }
}

/* Does the line hold all that a test tells apart in one piece? */
static bool is_whole(const tree *t, const ilc__node *test, way line)
{
    ilc__set_of sets[2];
    ilc__ast_set_of(t->b, test->value, &sets[0]);
    sets[1] = ilc__ast_set_not(t->b, &sets[0]);
    for (int side = 0; side < 2; side++)
        for (uint32_t k = 0; k < sets[side].count; k++)
            if (line.first <= sets[side].items[k].first && sets[side].items[k].last <= line.last) return true;
    return false;
}

/* A range that others have taken numbers from is a test of its own, behind the cases: true when there is one. */
static bool part_ranges(tree *t)
{
    bool any = false;
    for (uint32_t i = 0; i < t->lines.count; i++) {
        way line = t->lines.items[i];
        if (line.target == t->otherwise || line.test == 0) continue;
        const ilc__node *test = &t->b->nodes[t->tests.items[line.test]];
        if (test->kind != ILC__NODE_COND) continue;
        if (line.first == line.last || t->has_pivot || is_whole(t, test, line)) continue;
        t->is_apart[t->tests.items[line.test]] = any = true;
    }
    return any;
}

static bool is_switch(const tree *t)
{
    uint32_t labels = 0, longest = 0, first = ILC__NO_NODE;
    bool     several = false;
    for (uint32_t i = 0; i < t->lines.count; i++) {
        way line = t->lines.items[i];
        if (line.target == t->otherwise) continue;
        labels++;
        if (first == ILC__NO_NODE) first = line.target;
        several = several || line.target != first;
        if (size_of(line) > ILC__AST_LONG_RANGE) longest++;
    }
    if (t->tests.count < 2 || labels == 0) return false;
    if (longest && t->lines.count > ILC__AST_MAX_TESTED_CASES) return false;
    if (t->has_table) return true;
    if (t->has_pivot) return t->points >= MIN_LABELS && t->points > t->orders;
    return labels >= MIN_LABELS && t->points >= 2 && several;
}

static void count_reads(const tree *t, const ilc__expr *e, uint32_t *reads)
{
    if (e->kind == ILC__EX_VAR && e->u.var == t->var) ++*reads;
    for (uint32_t i = 0; i < e->arg_count; i++) count_reads(t, e->args[i], reads);
}

static void make_switch(tree *t)
{
    ilc__builder *b = t->b;
    ilc__node    *root = &b->nodes[t->tests.items[0]];
    uint32_t      reads = 0;
    for (uint32_t i = 0; i < t->tests.count; i++) {
        count_reads(t, b->nodes[t->tests.items[i]].value, &reads);
        if (i) b->nodes[t->tests.items[i]].kind = ILC__NODE_GONE;
    }
    b->info.items[t->var->index].uses -= reads;
    root->value = ilc__expr_var(b, t->var);
    set_cases(b, root, t, t->otherwise, !t->has_pivot && !t->has_table);
    ilc__ast_fold_node(b, root, NULL);
    take_offset(b, root);
}

static const ilc__var *tested_by(const ilc__node *n, ilc__ir_type *type)
{
    const ilc__var *var = NULL;
    int64_t         plus;
    if (n->kind == ILC__NODE_COND) var = ilc__ast_tested(n->value);
    if (n->kind == ILC__NODE_SWITCH && !ilc__ast_linear(n->value, &var, &plus)) var = NULL;
    if (var) *type = ilc__storage_ir_type(var->storage);
    return var;
}

/* If x > 4 Then Select Case x ...: one way of a first test by order leads to where not only tests lead. */
static bool is_around(const tree *t)
{
    const ilc__node *n = &t->b->nodes[t->tests.items[0]];
    ilc__set_of      yes, no;
    if (n->kind != ILC__NODE_COND) return false;
    ilc__ast_set_of(t->b, n->value, &yes);
    no = ilc__ast_set_not(t->b, &yes);
    if (points_of(&yes) || points_of(&no)) return false;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t edges = t->b->nodes[n->succs[side]].pred_edges;
        for (uint32_t i = 0; i < t->tests.count && edges; i++) {
            const ilc__node *test = &t->b->nodes[t->tests.items[i]];
            for (uint32_t k = 0; k < test->succ_count; k++) edges -= test->succs[k] == n->succs[side];
        }
        if (edges) return true;
    }
    return false;
}

/* The tree starts behind its first test; after a few of those it is none, or a chain would be followed from each. */
static void start_later(tree *t)
{
    for (uint32_t i = 1; i < t->tests.count; i++)
        if (++t->around[t->tests.items[i]] == MAX_AROUND) t->is_apart[t->tests.items[i]] = true;
}

static void try_tree(ilc__builder *b, uint32_t root, bool *is_apart, uint8_t *around)
{
    tree t = {.b = b, .is_apart = is_apart, .around = around};
    t.var = tested_by(&b->nodes[root], &t.type);
    if (!t.var) return;
    for (int turn = 0; turn < TRIES; turn++) {
        t.tests.count = t.ways.count = t.points = t.orders = 0;
        t.has_table = t.has_pivot = false;
        follow_all(&t, root);
        if (t.tests.count < 2) return;
        if (turn == 0 && is_around(&t)) {
            start_later(&t);
            return;
        }
        paint(&t);
        choose_default(&t);
        if (!part_ranges(&t)) break;
        if (turn + 1 == TRIES) return;
    }
    if (is_switch(&t)) {
        make_switch(&t);
        return;
    }
    for (uint32_t i = 1; i < t.tests.count; i++) is_apart[t.tests.items[i]] = true; /* or a chain would be tried from each */
}

void ilc__ast_find_cases(ilc__builder *b, const uint32_t *post, uint32_t count)
{
    bool    *is_apart = ILC__NEW_ARRAY(b->arena, bool, b->node_count);
    uint8_t *around = ILC__NEW_ARRAY(b->arena, uint8_t, b->node_count);
    for (uint32_t i = count; i-- > 0;) { /* roots first */
        ilc__node *n = &b->nodes[post[i]];
        bool tests = n->kind == ILC__NODE_COND || n->kind == ILC__NODE_SWITCH;
        if (tests && !is_apart[post[i]]) try_tree(b, post[i], is_apart, around);
        if (n->kind == ILC__NODE_SWITCH && !n->cases) read_table(b, n);
        if (n->kind == ILC__NODE_SWITCH) test_one(b, n);
    }
}
