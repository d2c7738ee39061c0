/* guard_labels.c - labels and gotos in the walk of the launch guard (guard.h).
 *
 * A label that gotos reach only from before it, and from inside its own loop, joins their states. At any other
 * nothing is known, and the loops around it are not followed. */
#include "emit/guard.h"

typedef struct nest { /* the loops around a place */
    const struct nest *outer;
    const ilc__stmt   *loop;
    uint32_t           depth;
} nest;

typedef struct label {
    bool        placed, bad, jumped;
    const nest *from;    /* the loops around all gotos so far      */
    bool        has;     /* env holds a state                      */
    uint32_t    trials;  /* under which trial walks it was made    */
    ilc__range *env;
} label;

struct ilc__guard_labels {
    ilc__arena *arena;
    ILC__VEC(label) list;
};

static label *label_of(ilc__guard_labels *all, uint32_t number)
{
    while (all->list.count <= number) ILC__PUSH(all->arena, &all->list, (label){0});
    return &all->list.items[number];
}

static const nest *common(const nest *a, const nest *b)
{
    while (a->depth > b->depth) a = a->outer;
    while (b->depth > a->depth) b = b->outer;
    while (a != b) {
        a = a->outer;
        b = b->outer;
    }
    return a;
}

static void scan(ilc__guard_labels *all, const ilc__block *block, const nest *around)
{
    for (const ilc__stmt *stmt = block->first; stmt; stmt = stmt->next) {
        const nest *inner = around;
        if (stmt->kind == ILC__ST_GOTO) {
            label *l = label_of(all, stmt->label);
            l->bad |= l->placed;
            l->from = l->jumped ? common(l->from, around) : around;
            l->jumped = true;
        } else if (stmt->kind == ILC__ST_LABEL) {
            label *l = label_of(all, stmt->label);
            l->placed = true;
            l->bad |= l->jumped && common(l->from, around) != around;
        } else if (ilc__stmt_is_loop(stmt)) {
            nest *n = ILC__NEW(all->arena, nest);
            *n = (nest){around, stmt, around->depth + 1};
            inner = n;
        }
        scan(all, &stmt->body, inner);
        for (uint32_t i = 0; i < stmt->case_count; i++) scan(all, &stmt->cases[i].body, inner);
        scan(all, &stmt->other, inner);
    }
}

ilc__guard_labels *ilc__guard_find_labels(ilc__arena *arena, const ilc__func *func)
{
    static const nest  outside = {0};
    ilc__guard_labels *all = ILC__NEW(arena, ilc__guard_labels);
    all->arena = arena;
    if (func->has_goto) scan(all, &func->body, &outside);
    return all;
}

uint32_t ilc__guard_label_count(const ilc__guard_labels *all)
{
    return all->list.count;
}

static bool holds(const ilc__guard *w, const ilc__block *block, bool bad);

static bool has(const ilc__guard *w, const ilc__stmt *stmt, bool bad)
{
    if (stmt->kind == ILC__ST_LABEL) return !bad || label_of(w->labels, stmt->label)->bad;
    if (holds(w, &stmt->body, bad) || holds(w, &stmt->other, bad)) return true;
    for (uint32_t i = 0; i < stmt->case_count; i++)
        if (holds(w, &stmt->cases[i].body, bad)) return true;
    return false;
}

static bool holds(const ilc__guard *w, const ilc__block *block, bool bad)
{
    for (const ilc__stmt *stmt = block->first; stmt; stmt = stmt->next)
        if (has(w, stmt, bad)) return true;
    return false;
}

bool ilc__guard_has_label(const ilc__guard *w, const ilc__stmt *stmt)
{
    return w->func->has_goto && has(w, stmt, false);
}

bool ilc__guard_is_entered(const ilc__guard *w, const ilc__stmt *loop)
{
    return w->func->has_goto && holds(w, &loop->body, true);
}

void ilc__guard_jump(ilc__guard *w, const ilc__stmt *jump)
{
    label   *l = label_of(w->labels, jump->label);
    uint32_t vars = w->func->vars.count;
    if (l->bad || w->dead || (l->has && l->trials < w->trials)) return;
    bool join = l->has && l->trials == w->trials;
    if (!l->env) l->env = ILC__NEW_ARRAY(w->arena, ilc__range, vars + 1);
    for (uint32_t i = 0; i < vars; i++) l->env[i] = join ? ilc__range_join(l->env[i], w->env[i]) : w->env[i];
    l->has = true;
    l->trials = w->trials;
}

void ilc__guard_arrive(ilc__guard *w, const ilc__stmt *at)
{
    label *l = label_of(w->labels, at->label);
    if (l->bad) {
        ilc__guard_forget_all(w);
        w->dead = false;
    } else if (l->has) {
        for (uint32_t i = 0; i < w->func->vars.count; i++)
            ilc__guard_set(w, w->func->vars.items[i], w->dead ? l->env[i] : ilc__range_join(l->env[i], w->env[i]));
        w->dead = false;
    }
    l->has = false;
}
