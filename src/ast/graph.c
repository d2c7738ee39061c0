/* graph.c - reverse postorder, dominators and natural loops of the reduced graph, without recursion.
 * Dominators as in Lengauer, Tarjan, A Fast Algorithm for Finding Dominators in a Flowgraph, 1979 (the simple
 * one, in O(edges log nodes)): iterating would take quadratic time where long chains meet. */
#include "ast/build.h"

/* Of the depth-first walk; all are numbers in its preorder. */
typedef struct walk {
    uint32_t  count;
    uint32_t *node;   /* preorder number -> node */
    uint32_t *number; /* node -> preorder number */
    uint32_t *parent, *semi, *ancestor, *label, *dom, *bucket, *next, *path;
} walk;

static void order_nodes(ilc__builder *b, walk *w)
{
    uint32_t *stack = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    uint32_t *next = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    bool     *seen = ILC__NEW_ARRAY(b->arena, bool, b->node_count);
    uint32_t *post = ILC__NEW_ARRAY(b->arena, uint32_t, b->node_count);
    uint32_t  depth = 1, count = 0;
    stack[0] = 0;
    seen[0] = true;
    w->count = 1;
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
        w->parent[w->count] = w->number[at];
        w->number[to] = w->count;
        w->node[w->count++] = to;
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

/* The node of least semidominator on the way up from v to the root of its tree, with path compression. */
static uint32_t eval(walk *w, uint32_t v)
{
    uint32_t depth = 0;
    if (w->ancestor[v] == ILC__NO_NODE) return v;
    for (uint32_t at = v; w->ancestor[w->ancestor[at]] != ILC__NO_NODE; at = w->ancestor[at]) w->path[depth++] = at;
    while (depth) {
        uint32_t at = w->path[--depth], up = w->ancestor[at];
        if (w->semi[w->label[up]] < w->semi[w->label[at]]) w->label[at] = w->label[up];
        w->ancestor[at] = w->ancestor[up];
    }
    return w->label[v];
}

static void find_semidominator(const ilc__builder *b, walk *w, uint32_t v)
{
    const ilc__node *n = &b->nodes[w->node[v]];
    for (uint32_t k = 0; k < n->preds.count; k++) {
        uint32_t u = eval(w, w->number[n->preds.items[k]]);
        if (w->semi[u] < w->semi[v]) w->semi[v] = w->semi[u];
    }
    w->next[v] = w->bucket[w->semi[v]];
    w->bucket[w->semi[v]] = v;
    w->ancestor[v] = w->parent[v];
}

static void find_dominators(ilc__builder *b, walk *w)
{
    for (uint32_t v = 0; v < w->count; v++) {
        w->semi[v] = w->label[v] = v;
        w->ancestor[v] = w->bucket[v] = ILC__NO_NODE;
    }
    for (uint32_t v = w->count; v-- > 1;) {
        find_semidominator(b, w, v);
        uint32_t parent = w->parent[v];
        for (uint32_t x = w->bucket[parent]; x != ILC__NO_NODE; x = w->next[x]) {
            uint32_t u = eval(w, x);
            w->dom[x] = w->semi[u] < w->semi[x] ? u : parent;
        }
        w->bucket[parent] = ILC__NO_NODE;
    }
    for (uint32_t v = 1; v < w->count; v++) {
        if (w->dom[v] != w->semi[v]) w->dom[v] = w->dom[w->dom[v]];
        b->nodes[w->node[v]].idom = w->node[w->dom[v]];
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
    for (uint32_t i = 0; i < b->node_count; i++) {
        b->nodes[i].preds.count = b->nodes[i].children.count = 0;
        b->nodes[i].is_header = false;
    }
    walk       w = {0};
    uint32_t **arrays[] = {&w.node, &w.number, &w.parent, &w.semi, &w.ancestor, &w.label, &w.dom, &w.bucket, &w.next, &w.path};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = ILC__NEW_ARRAY(b->arena, uint32_t, (size_t)b->node_count + 1);
    order_nodes(b, &w);
    link_preds(b);
    find_dominators(b, &w);
    number_tree(b);
    find_exits(b);
    find_loops(b);
}
