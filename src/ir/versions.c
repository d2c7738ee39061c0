/* versions.c - the conventional property: versions of one variable are never live together, so that all of
 * them may be one variable of the tree (ir.h; Sreedhar et al. 1999).
 *
 * For each variable: first the spans of its versions, in reverse postorder; where no two overlap, none meet, at the cost
 * of the events alone. Else where each version is live (up from its uses), one version at most at any block's start;
 * then each block's events backward, at the cost of the length of the live ranges. */
#include "ir/verify.h"

#include <stdlib.h>

typedef struct event { /* a definition or a use, in program order within its block */
    ilc__ref ref;      /* the version                                              */
    uint32_t block;
    bool     is_def;
} event;

typedef struct live_at { /* the version of the current variable that lives */
    ilc__ref start, end;
} live_at;

typedef struct span { /* a version lives nowhere else; a place is a block's number in reverse postorder, then an event's */
    uint64_t first, last;
} span;

typedef struct live {
    const ilc__ir_func *func;
    ilc__arena         *arena;
    const uint32_t     *classes; /* variable -> what stands for it and others; NULL: each for itself */
    const bool         *counted; /* values that count; NULL: all                                     */
    uint32_t            only;    /* the one variable looked at; 0: all                               */
    event              *events;  /* of each variable first[var] .. first[var + 1], ordered by block, then position; a phi's
                                    use is its predecessor's */
    uint32_t           *first, *fill;
    live_at            *at; /* per block */
    uint32_t           *first_pred, *preds;
    uint32_t           *work, *touched;
    uint32_t            depth, touched_count;
    uint32_t           *number; /* by version: its span; 0: none yet                                */
    span               *spans;  /* from 1 on                                                        */
    uint32_t          **reach;  /* reach[k][p]: the last place with an edge back to places p .. p + 2^k - 1 */
    uint32_t            levels;
} live;

static void add_event(live *l, ilc__ref version, uint32_t block, bool is_def)
{
    uint32_t var = l->func->values.items[version].var;
    if (!var || (l->only && var != l->only) || (l->counted && !l->counted[version])) return;
    if (l->classes) var = l->classes[var];
    if (l->events) l->events[l->fill[var]] = (event){.ref = version, .block = block, .is_def = is_def};
    l->fill[var]++;
}

/* Per block, the versions that phis of its successors read at its end: of block b those from first[b] on. */
typedef struct edge_uses {
    uint32_t *first;
    ilc__ref *refs;
} edge_uses;

static void each_edge_use(const live *l, edge_uses *uses, uint32_t *fill)
{
    const ilc__ir_func *f = l->func;
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        const ilc__ir_block *block = &f->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *phi = &f->values.items[block->list.items[i]];
            if (phi->op != ILC__OP_PHI) break;
            if (l->counted && !l->counted[block->list.items[i]]) continue;
            for (uint32_t k = 0; k < phi->arg_count; k++) {
                uint32_t from = block->preds.items[k];
                if (fill) uses->refs[fill[from]++] = phi->args[k];
                else uses->first[from + 1]++;
            }
        }
    }
}

static edge_uses find_edge_uses(const live *l)
{
    uint32_t  n = l->func->blocks.count;
    edge_uses uses = {ILC__NEW_ARRAY(l->arena, uint32_t, (size_t)n + 1), NULL};
    each_edge_use(l, &uses, NULL);
    for (uint32_t b = 0; b < n; b++) uses.first[b + 1] += uses.first[b];
    uses.refs = ILC__NEW_ARRAY(l->arena, ilc__ref, uses.first[n]);
    each_edge_use(l, &uses, ilc__arena_copy(l->arena, uses.first, (size_t)n * sizeof *uses.first));
    return uses;
}

static void each_event(live *l, const edge_uses *at_end)
{
    const ilc__ir_func *f = l->func;
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        const ilc__ir_block *block = &f->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *value = &f->values.items[block->list.items[i]];
            if (l->counted && !l->counted[block->list.items[i]]) continue;
            for (uint32_t k = 0; value->op != ILC__OP_PHI && k < value->arg_count; k++)
                add_event(l, value->args[k], b, false);
            add_event(l, block->list.items[i], b, true);
        }
        for (uint32_t i = at_end->first[b]; i < at_end->first[b + 1]; i++)
            add_event(l, at_end->refs[i], b, false);
    }
}

/* Counted first, so that they lie one after the other. */
static void collect_events(live *l)
{
    uint32_t  vars = l->func->vars.count;
    edge_uses at_end = find_edge_uses(l);
    l->fill = ILC__NEW_ARRAY(l->arena, uint32_t, vars);
    each_event(l, &at_end);
    l->first = ILC__NEW_ARRAY(l->arena, uint32_t, (size_t)vars + 1);
    for (uint32_t v = 0; v < vars; v++) l->first[v + 1] = l->first[v] + l->fill[v];
    l->events = ILC__NEW_ARRAY(l->arena, event, l->first[vars]);
    memcpy(l->fill, l->first, vars * sizeof *l->fill);
    each_event(l, &at_end);
}

/* Marks a version live at the end of a block; false when another one is. */
static bool mark_end(live *l, uint32_t block, ilc__ref version)
{
    live_at *at = &l->at[block];
    if (at->end == version) return true;
    if (at->end) return false;
    if (!at->start) l->touched[l->touched_count++] = block;
    at->end = version;
    l->work[l->depth++] = block;
    return true;
}

static bool mark_start(live *l, uint32_t block, ilc__ref version)
{
    live_at *at = &l->at[block];
    if (at->start == version) return true;
    if (at->start) return false;
    if (!at->end) l->touched[l->touched_count++] = block;
    at->start = version;
    for (uint32_t i = l->first_pred[block]; i < l->first_pred[block + 1]; i++)
        if (!mark_end(l, l->preds[i], version)) return false;
    return true;
}

/* Up from one use to the definition. */
static bool spread(live *l, event use)
{
    const ilc__ir_func *f = l->func;
    uint32_t            home = f->values.items[use.ref].block;
    if (home != use.block) {
        if (!mark_start(l, use.block, use.ref)) return false;
    }
    while (l->depth) {
        uint32_t block = l->work[--l->depth];
        if (block != home && !mark_start(l, block, use.ref)) return false;
    }
    return true;
}

/* One block's events backward from what is live at its end. Returns the version at fault, or 0. */
static ilc__ref scan_block(live *l, const event *events, uint32_t first, uint32_t last)
{
    ilc__ref current = l->at[events[first].block].end;
    for (uint32_t i = last; i-- > first;) {
        const event *e = &events[i];
        if (current && current != e->ref) return e->ref;
        current = e->is_def ? 0 : e->ref;
    }
    return 0;
}

/* --- spans ---------------------------------------------------------------------------------------------------- */

static void find_reach(live *l)
{
    const ilc__ir_func *f = l->func;
    uint32_t            n = f->blocks.count, *last = ILC__NEW_ARRAY(l->arena, uint32_t, n);
    bool                loops = false;
    for (uint32_t b = 0; b < n; b++) {
        const ilc__ir_block *block = &f->blocks.items[b];
        for (uint32_t i = 0; i < block->preds.count; i++) {
            uint32_t from = f->blocks.items[block->preds.items[i]].rpo;
            if (from < block->rpo || from == ILC__NO_BLOCK) continue;
            loops = true;
            if (from > last[block->rpo]) last[block->rpo] = from;
        }
    }
    if (!loops) return;
    while (n >> l->levels) l->levels++;
    l->reach = ILC__NEW_ARRAY(l->arena, uint32_t *, l->levels);
    l->reach[0] = last;
    for (uint32_t k = 1; k < l->levels; k++) {
        uint32_t half = 1u << (k - 1);
        l->reach[k] = ILC__NEW_ARRAY(l->arena, uint32_t, n);
        for (uint32_t p = 0; p + 2 * half <= n; p++)
            l->reach[k][p] = l->reach[k - 1][p] > l->reach[k - 1][p + half] ? l->reach[k - 1][p] : l->reach[k - 1][p + half];
    }
}

/* The last place with an edge back into first .. last. */
static uint32_t reach_of(const live *l, uint32_t first, uint32_t last)
{
    uint32_t k = 0;
    while (2u << k <= last - first + 1) k++;
    uint32_t a = l->reach[k][first], b = l->reach[k][last + 1 - (1u << k)];
    return a > b ? a : b;
}

/* A definition comes before all blocks that it dominates, and so before all where it lives. A way from there to the last
 * use that passes it comes back by an edge to a place between them. */
static void close_span(const live *l, span *s)
{
    uint32_t from = (uint32_t)(s->first >> 32), last = (uint32_t)(s->last >> 32);
    for (bool further = l->reach; further && last > from;) {
        uint32_t more = reach_of(l, from + 1, last);
        if (more >= last) s->last = (uint64_t)more << 32 | UINT32_MAX;
        further = more > last;
        if (further) last = more;
    }
}

static int by_first(const void *a, const void *b)
{
    uint64_t x = ((const span *)a)->first, y = ((const span *)b)->first;
    return (x > y) - (x < y);
}

/* Where the events of a block are: its own place, or, where it has one predecessor and does not define the variable, the
 * end of that one: the other way of a branch, which may, lies between them. */
static uint64_t place_of(const live *l, uint32_t block, bool defines)
{
    const ilc__ir_block *b = &l->func->blocks.items[block];
    if (defines || b->preds.count != 1) return (uint64_t)b->rpo << 32;
    return (uint64_t)l->func->blocks.items[b->preds.items[0]].rpo << 32 | UINT32_MAX;
}

/* Behind the last event of the block that event i is in; has it a definition? */
static uint32_t end_of_block(const event *events, uint32_t events_count, uint32_t i, bool *defines)
{
    uint32_t block = events[i].block;
    for (*defines = false; i < events_count && events[i].block == block; i++) *defines = *defines || events[i].is_def;
    return i;
}

/* The spans of a variable's versions, from 1 on; false when a use has no definition before it. */
static bool find_spans(live *l, const event *events, uint32_t events_count, uint32_t *count)
{
    bool known = true, defines;
    for (uint32_t i = 0; i < events_count; i++) {
        if (!events[i].is_def) continue;
        uint64_t at = place_of(l, events[i].block, true) | i;
        l->number[events[i].ref] = ++*count;
        l->spans[*count] = (span){at, at};
    }
    for (uint32_t i = 0, end; i < events_count; i = end) {
        end = end_of_block(events, events_count, i, &defines);
        known = known && l->func->blocks.items[events[i].block].rpo != ILC__NO_BLOCK;
        uint64_t place = place_of(l, events[i].block, defines);
        for (uint32_t k = i; k < end; k++) {
            span    *s = &l->spans[l->number[events[k].ref]];
            uint64_t at = place | k;
            known = known && l->number[events[k].ref] && at >= s->first;
            if (at > s->last) s->last = at;
        }
    }
    for (uint32_t i = 0; i < events_count; i++) l->number[events[i].ref] = 0;
    return known;
}

static bool may_meet(live *l, const event *events, uint32_t events_count)
{
    uint32_t count = 0;
    if (!find_spans(l, events, events_count, &count)) return true;
    for (uint32_t i = 1; i <= count; i++) close_span(l, &l->spans[i]);
    qsort(l->spans + 1, count, sizeof *l->spans, by_first);
    for (uint32_t i = 1; i < count; i++)
        if (l->spans[i].last >= l->spans[i + 1].first) return true;
    return false;
}

/* --- one variable --------------------------------------------------------------------------------------------- */

/* The version at fault, or 0. A phi's use comes after every event of its block; the terminator before it
 * defines nothing. */
static ilc__ref check_variable(live *l, uint32_t var)
{
    const event *events = l->events + l->first[var];
    uint32_t     count = l->first[var + 1] - l->first[var];
    ilc__ref     fault = 0;
    bool         several = false;
    for (uint32_t i = 1; i < count; i++)
        several |= events[i].ref != events[0].ref;
    if (!several || !may_meet(l, events, count)) return 0;
    for (uint32_t i = 0; i < count && !fault; i++)
        if (!events[i].is_def && !spread(l, events[i])) fault = events[i].ref;
    l->depth = 0;
    for (uint32_t i = 0; i < count && !fault;) {
        uint32_t end = i + 1;
        while (end < count && events[end].block == events[i].block)
            end++;
        fault = scan_block(l, events, i, end);
        i = end;
    }
    for (uint32_t i = 0; i < l->touched_count; i++)
        l->at[l->touched[i]] = (live_at){0, 0};
    l->touched_count = 0;
    return fault;
}

/* One after the other, as live ranges are walked along them. */
static void list_preds(live *l)
{
    uint32_t n = l->func->blocks.count;
    l->first_pred = ILC__NEW_ARRAY(l->arena, uint32_t, (size_t)n + 1);
    for (uint32_t b = 0; b < n; b++) l->first_pred[b + 1] = l->first_pred[b] + l->func->blocks.items[b].preds.count;
    l->preds = ILC__NEW_ARRAY(l->arena, uint32_t, l->first_pred[n]);
    for (uint32_t b = 0; b < n; b++) {
        const ilc__ir_block *block = &l->func->blocks.items[b];
        if (block->preds.count) memcpy(l->preds + l->first_pred[b], block->preds.items, block->preds.count * sizeof *l->preds);
    }
}

static void prepare(live *l)
{
    uint32_t n = l->func->blocks.count;
    l->at = ILC__NEW_ARRAY(l->arena, live_at, n);
    list_preds(l);
    l->work = ILC__NEW_ARRAY(l->arena, uint32_t, (size_t)n + 1);
    l->touched = ILC__NEW_ARRAY(l->arena, uint32_t, (size_t)n + 1);
    collect_events(l);
    uint32_t most = 0;
    for (uint32_t v = 0; v < l->func->vars.count; v++)
        if (l->first[v + 1] - l->first[v] > most) most = l->first[v + 1] - l->first[v];
    l->number = ILC__NEW_ARRAY(l->arena, uint32_t, l->func->values.count);
    l->spans = ILC__NEW_ARRAY(l->arena, span, (size_t)most + 1);
    find_reach(l);
}

bool ilc__ir_versions_apart(ilc__ir_func *func, uint32_t var)
{
    live l = {.func = func, .arena = func->arena, .only = var};
    prepare(&l);
    return check_variable(&l, var) == 0;
}

void ilc__ir_find_meeting(const ilc__ir_func *func, ilc__arena *arena, const uint32_t *classes, const bool *counted, bool *meet)
{
    live l = {.func = func, .arena = arena, .classes = classes, .counted = counted};
    prepare(&l);
    for (uint32_t var = 1; var < func->vars.count; var++)
        if (check_variable(&l, var)) meet[var] = true;
}

ilc_status ilc__verify_versions(ilc__verifier *v)
{
    live l = {.func = v->func, .arena = v->func->arena};
    prepare(&l);
    for (uint32_t var = 1; var < v->func->vars.count; var++) {
        ilc__ref fault = check_variable(&l, var);
        if (fault)
            return ilc__verify_fail(v, fault, v->func->values.items[fault].block,
                                    "versions of one variable are not live together");
    }
    return ILC_OK;
}
