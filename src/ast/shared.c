/* shared.c - a loop that begins another one's body has its header: `Do: While c: x: End While: y: Loop`. The graph says
 * one loop with two ways back; here the inner one gets a header of its own.
 *
 * The header is a test; one way from it, few nodes, comes back to it and leads nowhere else, and the other way stays in the
 * loop. That could also be an If whose body ends in `continue`; compilers put the test of a While behind its body. */
#include "ast/build.h"

enum { MAX_BODY = 64 }; /* nodes of an inner body: more are not looked at, so that all headers together take linear time */

static bool is_in_loop(const ilc__builder *b, uint32_t n, uint32_t header)
{
    for (uint32_t steps = 0; n != ILC__NO_NODE && steps < MAX_BODY; n = b->nodes[n].loop, steps++)
        if (n == header) return true;
    return false;
}

/* Do all ways from `first` come back to the header, and does no other way lead among them? `last_il`: the last of them. */
static bool comes_back(const ilc__builder *b, uint32_t header, uint32_t first, uint32_t *last_il)
{
    uint32_t         stack[MAX_BODY], seen[MAX_BODY], depth = 1, count = 1;
    const ilc__node *top = &b->nodes[first];
    stack[0] = seen[0] = first;
    while (depth) {
        const ilc__node *n = &b->nodes[stack[--depth]];
        if (n->succ_count == 0 || !n->has_il) return false;
        if (n->il > *last_il) *last_il = n->il;
        for (uint32_t k = 0; k < n->succ_count; k++) {
            uint32_t to = n->succs[k], at = 0;
            if (to == header) continue;
            if (!ilc__node_dominates(top, &b->nodes[to])) return false;
            while (at < count && seen[at] != to) at++;
            if (at < count) continue;
            if (count == MAX_BODY) return false;
            seen[count++] = stack[depth++] = to;
        }
    }
    return true;
}

static uint32_t new_header(ilc__builder *b, uint32_t inner)
{
    uint32_t   id = b->node_count++;
    ilc__node *n = &b->nodes[id];
    *n = (ilc__node){.kind = ILC__NODE_JUMP, .succ_count = 1, .start_il = b->nodes[inner].start_il};
    n->succs = ILC__NEW_ARRAY(b->arena, uint32_t, 1);
    n->succs[0] = inner;
    return id;
}

/* What does not come from the inner body goes to a header before it. */
static void split(ilc__builder *b, uint32_t header, uint32_t first)
{
    uint32_t    outer = new_header(b, header);
    ilc__node *h = &b->nodes[header];
    for (uint32_t k = 0; k < h->preds.count; k++) {
        ilc__node *from = &b->nodes[h->preds.items[k]];
        if (ilc__node_dominates(&b->nodes[first], from) && first != header) continue;
        for (uint32_t i = 0; i < from->succ_count; i++)
            if (from->succs[i] == header && (first != header || from != h)) from->succs[i] = outer;
    }
}

static bool try_split(ilc__builder *b, uint32_t header)
{
    const ilc__node *h = &b->nodes[header];
    if (!h->is_header || header == 0 || h->kind != ILC__NODE_COND || !h->has_il) return false;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t first = h->succs[side], other = h->succs[1 - side], last_il = 0;
        if (other == header || !is_in_loop(b, other, header)) continue;
        if (first == header || (b->nodes[first].idom == header && comes_back(b, header, first, &last_il) && last_il < h->il)) {
            split(b, header, first);
            return true;
        }
    }
    return false;
}

bool ilc__ast_split_headers(ilc__builder *b)
{
    uint32_t count = b->order_count, headers = 0;
    bool     any = false;
    for (uint32_t i = 0; i < count; i++) headers += b->nodes[b->order[i]].is_header;
    if (!headers) return false;
    ilc__node *grown = ILC__NEW_ARRAY(b->arena, ilc__node, (size_t)b->node_count + headers);
    memcpy(grown, b->nodes, b->node_count * sizeof *grown);
    b->nodes = grown;
    for (uint32_t i = 0; i < count; i++) any = try_split(b, b->order[i]) || any;
    return any;
}
