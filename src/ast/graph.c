/* graph.c - reverse postorder, dominators and natural loops of the reduced graph, without recursion.
 * Dominators as in Cooper, Harvey, Kennedy, A Simple, Fast Dominance Algorithm, 2001. */
#include "ast/build.h"

static void order_nodes(ilc__builder *b)
{
    uint32_t *stack = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    uint32_t *next = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    bool     *seen = ILC__NEW_ARRAY(b->arena, bool, b->node_count);
    uint32_t *post = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    uint32_t  depth = 1, count = 0;
    stack[0] = 0;
    seen[0] = true;
    while (depth) {
        uint32_t         at = stack[depth - 1];
        const ilc__node *n = &b->nodes[at];
        if (next[at] == n->succ_count) {
            post[count++] = at;
            depth--;
            continue;
        }
        /* the branch taken first, so that what follows in the text comes earlier in reverse postorder */
        uint32_t to = n->succs[next[at]++];
        if (seen[to]) continue;
        seen[to] = true;
        stack[depth++] = to;
    }
    b->order = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    b->order_count = count;
    for (uint32_t i = 0; i < count; i++) {
        b->order[i] = post[count - 1 - i];
        b->nodes[b->order[i]].rpo = i;
    }
    for (uint32_t i = 0; i < b->node_count; i++)
        if (!seen[i]) b->nodes[i].kind = ILC__NODE_GONE;
}

static void link_preds(ilc__builder *b)
{
    for (uint32_t i = 0; i < b->order_count; i++) {
        const ilc__node *n = &b->nodes[b->order[i]];
        for (uint32_t k = 0; k < n->succ_count; k++) {
            ilc__node *to = &b->nodes[n->succs[k]];
            if (to->preds.count && to->preds.items[to->preds.count - 1] == b->order[i]) continue;
            ILC__PUSH(b->arena, &to->preds, b->order[i]);
        }
    }
}

static uint32_t common(const ilc__builder *b, uint32_t x, uint32_t y)
{
    while (x != y) {
        while (b->nodes[x].rpo > b->nodes[y].rpo) x = b->nodes[x].idom;
        while (b->nodes[y].rpo > b->nodes[x].rpo) y = b->nodes[y].idom;
    }
    return x;
}

static bool find_idom(ilc__builder *b, ilc__node *n)
{
    uint32_t idom = ILC__NO_NODE;
    /* nearest predecessors first: a join of n exits of one chain then costs n steps, not n * n */
    for (uint32_t k = n->preds.count; k-- > 0;) {
        uint32_t p = n->preds.items[k];
        if (b->nodes[p].idom == ILC__NO_NODE) continue;
        idom = idom == ILC__NO_NODE ? p : common(b, p, idom);
    }
    if (n->idom == idom) return false;
    n->idom = idom;
    return true;
}

static void find_dominators(ilc__builder *b)
{
    for (uint32_t i = 0; i < b->node_count; i++) b->nodes[i].idom = ILC__NO_NODE;
    b->nodes[0].idom = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < b->order_count; i++)
            if (find_idom(b, &b->nodes[b->order[i]])) changed = true;
    }
    for (uint32_t i = 1; i < b->order_count; i++) {
        ilc__node *n = &b->nodes[b->order[i]];
        n->depth = b->nodes[n->idom].depth + 1;
        ILC__PUSH(b->arena, &b->nodes[n->idom].children, b->order[i]);
    }
}

static void number_tree(ilc__builder *b)
{
    uint32_t *stack = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    uint32_t *next = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    uint32_t  depth = 1, clock = 0;
    stack[0] = 0;
    b->nodes[0].enter = clock++;
    while (depth) {
        uint32_t   at = stack[depth - 1];
        ilc__node *n = &b->nodes[at];
        if (next[at] == n->children.count) {
            n->leave = clock++;
            depth--;
            continue;
        }
        uint32_t child = n->children.items[next[at]++];
        b->nodes[child].enter = clock++;
        stack[depth++] = child;
    }
}

bool ilc__node_dominates(const ilc__node *x, const ilc__node *y)
{
    return x->enter <= y->enter && y->leave <= x->leave;
}

/* low: an edge that leaves what x dominates leaves it exactly if the edge's level is less than x's depth. */
static void find_exits(ilc__builder *b)
{
    for (uint32_t i = b->order_count; i-- > 0;) {
        ilc__node *n = &b->nodes[b->order[i]];
        n->low = UINT32_MAX;
        for (uint32_t k = 0; k < n->succ_count; k++) {
            const ilc__node *to = &b->nodes[n->succs[k]];
            uint32_t level = ilc__node_dominates(to, n) ? to->depth : b->nodes[to->idom].depth;
            if (level < n->low) n->low = level;
        }
        for (uint32_t k = 0; k < n->children.count; k++) {
            const ilc__node *child = &b->nodes[n->children.items[k]];
            if (child->low < n->low) n->low = child->low;
        }
    }
}

bool ilc__node_terminates(const ilc__node *x)
{
    return x->low >= x->depth;
}

/* The outermost loop found so far that holds n, or n itself; with path halving. */
static uint32_t outermost(uint32_t *outer, uint32_t n)
{
    while (outer[n] != n) {
        outer[n] = outer[outer[n]];
        n = outer[n];
    }
    return n;
}

static void find_loops(ilc__builder *b)
{
    uint32_t *outer = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    for (uint32_t i = 0; i < b->node_count; i++) {
        outer[i] = i;
        b->nodes[i].loop = ILC__NO_NODE;
    }
    ILC__VEC(uint32_t) work = {0};
    for (uint32_t i = b->order_count; i-- > 0;) { /* inner headers first */
        uint32_t   header = b->order[i];
        ilc__node *h = &b->nodes[header];
        for (uint32_t k = 0; k < h->preds.count; k++) {
            if (!ilc__node_dominates(h, &b->nodes[h->preds.items[k]])) continue;
            h->is_header = true;
            ILC__PUSH(b->arena, &work, h->preds.items[k]);
        }
        while (work.count) {
            uint32_t n = outermost(outer, work.items[--work.count]);
            if (n == header) continue;
            outer[n] = header;
            b->nodes[n].loop = header;
            for (uint32_t k = 0; k < b->nodes[n].preds.count; k++)
                ILC__PUSH(b->arena, &work, b->nodes[n].preds.items[k]);
        }
    }
}

void ilc__ast_analyse(ilc__builder *b)
{
    order_nodes(b);
    link_preds(b);
    find_dominators(b);
    number_tree(b);
    find_exits(b);
    find_loops(b);
}
