/* cfg.c - predecessors, reverse postorder, dominators and natural loops.
 *
 * Nothing recurses. Dominators: Lengauer and Tarjan 1979 with path compression, O(E log V). Loops: from each
 * back edge backward, inner headers first, jumping over loops already found (Havlak 1997), near-linear. */
#include "ir/verify.h"

typedef struct walk { /* the dominator computation; all by depth-first number, 0 is the entry */
    uint32_t  count;
    uint32_t *vertex; /* number -> block                     */
    uint32_t *number; /* block -> number, or NO_BLOCK        */
    uint32_t *parent, *semi, *ancestor, *label, *idom;
    uint32_t *bucket, *next; /* lists of vertices by semidominator */
    uint32_t *path;
} walk;

/* --- predecessors --------------------------------------------------------------------------------------- */

/* Linear: per target, the number and two sums over the mixed ids of its sources must agree. */
bool ilc__ir_preds_match(const ilc__ir_func *func)
{
    uint32_t  n = func->blocks.count;
    uint32_t *seen = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, n);
    uint64_t *sums = ILC__NEW_ARRAY(&func->ctx->scratch, uint64_t, (size_t)n * 2 + 1);
    for (uint32_t b = 0; b < n; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->succs.count; i++) {
            uint32_t to = block->succs.items[i];
            uint64_t mixed = ((uint64_t)b + 1) * 0x9E3779B97F4A7C15u;
            seen[to]++;
            sums[to * 2] += mixed;
            sums[to * 2 + 1] += (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9u;
        }
    }
    for (uint32_t b = 0; b < n; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        if (seen[b] != block->preds.count) return false;
        for (uint32_t i = 0; i < block->preds.count; i++) {
            uint64_t mixed = ((uint64_t)block->preds.items[i] + 1) * 0x9E3779B97F4A7C15u;
            sums[b * 2] -= mixed;
            sums[b * 2 + 1] -= (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9u;
        }
        if (sums[b * 2] || sums[b * 2 + 1]) return false;
    }
    return true;
}

static void build_preds(ilc__ir_func *func)
{
    uint32_t n = func->blocks.count;
    if (ilc__ir_preds_match(func)) return;
    for (uint32_t b = 0; b < n; b++)
        func->blocks.items[b].preds.count = 0;
    for (uint32_t b = 0; b < n; b++) {
        ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->succs.count; i++)
            ILC__PUSH(func->arena, &func->blocks.items[block->succs.items[i]].preds, b);
    }
}

/* --- orders --------------------------------------------------------------------------------------------- */

/* Depth-first from the entry: numbers and parents for the dominators, and the postorder. */
static uint32_t depth_first(ilc__ir_func *func, walk *w, uint32_t *postorder)
{
    uint32_t  n = func->blocks.count, depth = 0, finished = 0;
    uint32_t *stack = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, n + 1);
    uint32_t *at = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, n + 1); /* next successor to look at */
    for (uint32_t b = 0; b < n; b++)
        w->number[b] = ILC__NO_BLOCK;
    w->number[0] = 0;
    w->vertex[0] = 0;
    w->count = 1;
    stack[depth++] = 0;
    while (depth) {
        uint32_t             b = stack[depth - 1];
        const ilc__ir_block *block = &func->blocks.items[b];
        if (at[b] == block->succs.count) {
            postorder[finished++] = b;
            depth--;
            continue;
        }
        uint32_t to = block->succs.items[at[b]++];
        if (w->number[to] != ILC__NO_BLOCK) continue;
        w->number[to] = w->count;
        w->vertex[w->count] = to;
        w->parent[w->count++] = w->number[b];
        stack[depth++] = to;
    }
    return finished;
}

/* --- dominators ----------------------------------------------------------------------------------------- */

/* The vertex of least semidominator on v's path in the forest, compressing the path. */
static uint32_t evaluate(walk *w, uint32_t v)
{
    if (w->ancestor[v] == ILC__NO_BLOCK) return w->label[v];
    uint32_t depth = 0;
    for (uint32_t at = v; w->ancestor[w->ancestor[at]] != ILC__NO_BLOCK; at = w->ancestor[at])
        w->path[depth++] = at;
    while (depth) {
        uint32_t at = w->path[--depth], up = w->ancestor[at];
        if (w->semi[w->label[up]] < w->semi[w->label[at]]) w->label[at] = w->label[up];
        w->ancestor[at] = w->ancestor[up];
    }
    return w->label[v];
}

static void dominators(ilc__ir_func *func, walk *w)
{
    for (uint32_t v = 0; v < w->count; v++) {
        w->semi[v] = w->label[v] = v;
        w->ancestor[v] = w->bucket[v] = ILC__NO_BLOCK;
    }
    for (uint32_t v = w->count; v-- > 1;) {
        const ilc__ir_block *block = &func->blocks.items[w->vertex[v]];
        for (uint32_t i = 0; i < block->preds.count; i++) {
            uint32_t from = w->number[block->preds.items[i]];
            if (from == ILC__NO_BLOCK) continue;
            uint32_t least = evaluate(w, from);
            if (w->semi[least] < w->semi[v]) w->semi[v] = w->semi[least];
        }
        w->next[v] = w->bucket[w->semi[v]];
        w->bucket[w->semi[v]] = v;
        w->ancestor[v] = w->parent[v];
        for (uint32_t u = w->bucket[w->parent[v]]; u != ILC__NO_BLOCK; u = w->next[u]) {
            uint32_t least = evaluate(w, u);
            w->idom[u] = w->semi[least] < w->semi[u] ? least : w->parent[v];
        }
        w->bucket[w->parent[v]] = ILC__NO_BLOCK;
    }
    w->idom[0] = 0;
    for (uint32_t v = 1; v < w->count; v++)
        if (w->idom[v] != w->semi[v]) w->idom[v] = w->idom[w->idom[v]];
    for (uint32_t v = 0; v < w->count; v++)
        func->blocks.items[w->vertex[v]].idom = w->vertex[w->idom[v]];
}

/* Entry and exit times in the dominator tree, for dominance in constant time. */
static void dominator_times(ilc__ir_func *func, uint32_t *in, uint32_t *out)
{
    uint32_t  n = func->blocks.count, clock = 0, depth = 0;
    uint32_t *child = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, n + 1);
    uint32_t *sibling = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, n + 1);
    uint32_t *stack = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, n + 1);
    for (uint32_t b = 0; b < n; b++)
        child[b] = ILC__NO_BLOCK;
    for (uint32_t i = func->order.count; i-- > 1;) {
        uint32_t b = func->order.items[i], up = func->blocks.items[b].idom;
        sibling[b] = child[up];
        child[up] = b;
    }
    stack[depth++] = 0;
    in[0] = clock++;
    while (depth) {
        uint32_t b = stack[depth - 1], down = child[b];
        if (down == ILC__NO_BLOCK) {
            out[b] = clock++;
            depth--;
            continue;
        }
        child[b] = sibling[down];
        in[down] = clock++;
        stack[depth++] = down;
    }
}

bool ilc__ir_dominates(const ilc__ir_func *func, uint32_t a, uint32_t b)
{
    const ilc__ir_block *blocks = func->blocks.items;
    if (blocks[b].rpo == ILC__NO_BLOCK || blocks[a].rpo == ILC__NO_BLOCK) return false;
    return blocks[a].dom_in <= blocks[b].dom_in && blocks[b].dom_out <= blocks[a].dom_out;
}

/* --- loops ---------------------------------------------------------------------------------------------- */

typedef struct loops {
    uint32_t *outer;  /* union-find: block -> header of the outermost loop found so far that holds it */
    uint32_t *inside; /* the header it was put under: its innermost loop, for headers the next outer  */
    uint32_t *work;
} loops;

static uint32_t outermost(uint32_t *outer, uint32_t b)
{
    uint32_t root = b;
    while (outer[root] != root)
        root = outer[root];
    while (outer[b] != root) {
        uint32_t up = outer[b];
        outer[b] = root;
        b = up;
    }
    return root;
}

/* All blocks that reach a back edge to header without passing it; false when there is no back edge. */
static bool collect_loop(ilc__ir_func *func, loops *l, uint32_t header)
{
    ilc__ir_block *head = &func->blocks.items[header];
    uint32_t       depth = 0;
    bool           is_loop = false;
    for (uint32_t i = 0; i < head->preds.count; i++) {
        uint32_t from = head->preds.items[i];
        if (func->blocks.items[from].rpo == ILC__NO_BLOCK) continue;
        if (!ilc__ir_dominates(func, header, from)) {
            if (func->blocks.items[from].rpo >= head->rpo) func->irreducible = true;
            continue;
        }
        is_loop = true;
        uint32_t root = outermost(l->outer, from);
        if (root == header) continue;
        l->outer[root] = l->inside[root] = header;
        l->work[depth++] = root;
    }
    while (depth) {
        const ilc__ir_block *block = &func->blocks.items[l->work[--depth]];
        for (uint32_t i = 0; i < block->preds.count; i++) {
            uint32_t from = block->preds.items[i];
            if (func->blocks.items[from].rpo == ILC__NO_BLOCK) continue;
            uint32_t root = outermost(l->outer, from);
            if (root == header) continue;
            l->outer[root] = l->inside[root] = header;
            l->work[depth++] = root;
        }
    }
    return is_loop;
}

static void find_loops(ilc__ir_func *func)
{
    uint32_t n = func->blocks.count;
    loops    l = {.outer = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, n),
                  .inside = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, n),
                  .work = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, n)};
    bool    *is_header = ILC__NEW_ARRAY(&func->ctx->scratch, bool, n);
    for (uint32_t b = 0; b < n; b++) {
        l.outer[b] = b;
        l.inside[b] = ILC__NO_BLOCK;
    }
    for (uint32_t i = func->order.count; i-- > 0;) {
        uint32_t b = func->order.items[i];
        is_header[b] = collect_loop(func, &l, b);
    }
    for (uint32_t i = 0; i < func->order.count; i++) { /* outer headers come first in reverse postorder */
        uint32_t       b = func->order.items[i], up = l.inside[b];
        ilc__ir_block *block = &func->blocks.items[b];
        uint32_t       depth = up == ILC__NO_BLOCK ? 0 : func->blocks.items[up].loop_depth;
        block->loop_header = is_header[b] ? b : up;
        block->loop_depth = depth + (is_header[b] ? 1 : 0);
    }
}

void ilc__ir_compute_cfg(ilc__ir_func *func)
{
    uint32_t n = func->blocks.count;
    func->order.count = 0;
    func->irreducible = false;
    func->analyses |= ILC__ANALYSIS_CFG;
    if (!n) return;
    build_preds(func);
    uint32_t *all = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, (size_t)n * 11);
    walk      w = {.vertex = all,
                   .number = all + n,
                   .parent = all + (size_t)n * 2,
                   .semi = all + (size_t)n * 3,
                   .ancestor = all + (size_t)n * 4,
                   .label = all + (size_t)n * 5,
                   .idom = all + (size_t)n * 6,
                   .bucket = all + (size_t)n * 7,
                   .next = all + (size_t)n * 8,
                   .path = all + (size_t)n * 9};
    uint32_t *postorder = all + (size_t)n * 10;
    uint32_t  count = depth_first(func, &w, postorder);
    for (uint32_t b = 0; b < n; b++) {
        ilc__ir_block *block = &func->blocks.items[b];
        block->id = b;
        block->idom = block->rpo = block->loop_header = ILC__NO_BLOCK;
        block->loop_depth = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t b = postorder[count - 1 - i];
        func->blocks.items[b].rpo = i;
        ILC__PUSH(func->arena, &func->order, b);
    }
    dominators(func, &w);
    dominator_times(func, w.parent, w.semi);
    for (uint32_t b = 0; b < n; b++) {
        func->blocks.items[b].dom_in = w.parent[b];
        func->blocks.items[b].dom_out = w.semi[b];
    }
    find_loops(func);
}

uint32_t ilc__ir_loop_depth(const ilc__ir_unit *unit)
{
    for (uint32_t f = 0; f < unit->funcs.count; f++) {
        ilc__ir_func *func = unit->funcs.items[f];
        if (!(func->analyses & ILC__ANALYSIS_CFG)) ilc__ir_compute_cfg(func);
        func->loop_depth = 0;
        for (uint32_t b = 0; b < func->blocks.count; b++) {
            const ilc__ir_block *block = &func->blocks.items[b];
            uint32_t             below = 0;
            for (uint32_t i = 0; i < block->list.count; i++) {
                const ilc__ir_value *value = &func->values.items[block->list.items[i]];
                if (value->op == ILC__OP_CALL && value->u.callee->loop_depth > below) below = value->u.callee->loop_depth;
            }
            if (block->loop_depth + below > func->loop_depth) func->loop_depth = block->loop_depth + below;
        }
    }
    return unit->funcs.items[unit->funcs.count - 1]->loop_depth;
}
