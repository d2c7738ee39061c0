/* versions.c - the conventional property: versions of one variable are never live together, so that all of
 * them may be one variable of the tree (ir.h; Sreedhar et al. 1999).
 *
 * For each variable: where each version is live (up from its uses), one version at most at any block's start;
 * then each block's events backward. The cost is the length of the live ranges. */
#include "ir/verify.h"

typedef struct event { /* a definition or a use, in program order within its block */
    ilc__ref ref;      /* the version                                              */
    uint32_t block;
    bool     is_def;
} event;

typedef ILC__VEC(event) event_list;
typedef ILC__VEC(ilc__ref) ref_list;

typedef struct live {
    ilc__ir_func *func;
    uint32_t      only; /* the one variable looked at; 0: all */
    event_list *events; /* per variable, ordered by block, then position; a phi's use is its predecessor's */
    ilc__ref   *at_start, *at_end; /* per block, of the current variable */
    uint32_t   *work, *touched;
    uint32_t    depth, touched_count;
} live;

static void add_event(live *l, ilc__ref version, uint32_t block, bool is_def)
{
    uint32_t var = l->func->values.items[version].var;
    if (!var || (l->only && var != l->only)) return;
    ILC__PUSH(l->func->arena, &l->events[var], (event){.ref = version, .block = block, .is_def = is_def});
}

/* Per block, the versions that phis of its successors read at its end. */
static ref_list *phi_uses(const ilc__ir_func *f)
{
    ref_list *uses = ILC__NEW_ARRAY(f->arena, ref_list, f->blocks.count);
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        const ilc__ir_block *block = &f->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *phi = &f->values.items[block->list.items[i]];
            if (phi->op != ILC__OP_PHI) break;
            for (uint32_t k = 0; k < phi->arg_count; k++)
                ILC__PUSH(f->arena, &uses[block->preds.items[k]], phi->args[k]);
        }
    }
    return uses;
}

static void collect_events(live *l)
{
    ilc__ir_func *f = l->func;
    ref_list     *at_end = phi_uses(f);
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        const ilc__ir_block *block = &f->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *value = &f->values.items[block->list.items[i]];
            for (uint32_t k = 0; value->op != ILC__OP_PHI && k < value->arg_count; k++)
                add_event(l, value->args[k], b, false);
            add_event(l, block->list.items[i], b, true);
        }
        for (uint32_t i = 0; i < at_end[b].count; i++)
            add_event(l, at_end[b].items[i], b, false);
    }
}

/* Marks a version live at the end of a block; false when another one is. */
static bool mark_end(live *l, uint32_t block, ilc__ref version)
{
    if (l->at_end[block] == version) return true;
    if (l->at_end[block]) return false;
    if (!l->at_start[block]) l->touched[l->touched_count++] = block;
    l->at_end[block] = version;
    l->work[l->depth++] = block;
    return true;
}

static bool mark_start(live *l, uint32_t block, ilc__ref version)
{
    if (l->at_start[block] == version) return true;
    if (l->at_start[block]) return false;
    if (!l->at_end[block]) l->touched[l->touched_count++] = block;
    l->at_start[block] = version;
    const ilc__ir_block *b = &l->func->blocks.items[block];
    for (uint32_t i = 0; i < b->preds.count; i++)
        if (!mark_end(l, b->preds.items[i], version)) return false;
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
    ilc__ref current = l->at_end[events[first].block];
    for (uint32_t i = last; i-- > first;) {
        const event *e = &events[i];
        if (current && current != e->ref) return e->ref;
        current = e->is_def ? 0 : e->ref;
    }
    return 0;
}

/* The version at fault, or 0. A phi's use comes after every event of its block; the terminator before it
 * defines nothing. */
static ilc__ref check_variable(live *l, uint32_t var)
{
    const event_list *list = &l->events[var];
    ilc__ref          fault = 0;
    bool              several = false;
    for (uint32_t i = 1; i < list->count; i++)
        several |= list->items[i].ref != list->items[0].ref;
    if (!several) return 0;
    for (uint32_t i = 0; i < list->count && !fault; i++) {
        const event *e = &list->items[i];
        if (!e->is_def && !spread(l, *e)) fault = e->ref;
    }
    l->depth = 0;
    for (uint32_t i = 0; i < list->count && !fault;) {
        uint32_t end = i + 1;
        while (end < list->count && list->items[end].block == list->items[i].block)
            end++;
        fault = scan_block(l, list->items, i, end);
        i = end;
    }
    for (uint32_t i = 0; i < l->touched_count; i++)
        l->at_start[l->touched[i]] = l->at_end[l->touched[i]] = 0;
    l->touched_count = 0;
    return fault;
}

static void prepare(live *l, ilc__ir_func *f, uint32_t only)
{
    uint32_t n = f->blocks.count;
    *l = (live){.func = f,
                .only = only,
                .events = ILC__NEW_ARRAY(f->arena, event_list, f->vars.count),
                .at_start = ILC__NEW_ARRAY(f->arena, ilc__ref, n),
                .at_end = ILC__NEW_ARRAY(f->arena, ilc__ref, n),
                .work = ILC__NEW_ARRAY(f->arena, uint32_t, (size_t)n + 1),
                .touched = ILC__NEW_ARRAY(f->arena, uint32_t, (size_t)n + 1)};
    collect_events(l);
}

bool ilc__ir_versions_apart(ilc__ir_func *func, uint32_t var)
{
    live l;
    prepare(&l, func, var);
    return check_variable(&l, var) == 0;
}

ilc_status ilc__verify_versions(ilc__verifier *v)
{
    live l;
    prepare(&l, v->func, 0);
    for (uint32_t var = 1; var < v->func->vars.count; var++) {
        ilc__ref fault = check_variable(&l, var);
        if (fault)
            return ilc__verify_fail(v, fault, v->func->values.items[fault].block,
                                    "versions of one variable are not live together");
    }
    return ILC_OK;
}
