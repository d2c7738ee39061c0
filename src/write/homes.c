/* homes.c - where variables are declared: before, or in, the first statement of the innermost list that holds all
 * their uses, and at the top where a label stands behind that in its list: a jump to it would miss the declaration. VB keeps the value of a variable declared in a loop from turn to turn, and so does the tree; in C# one
 * that no assignment declares stands outside of the loops. */
#include "write/internal.h"

/* A list of statements while it is walked. */
typedef struct open_list {
    uint32_t         id, place; /* of the statement at hand, by its number */
    const ilc__stmt *at;
} open_list;

struct ilc__home {
    uint32_t         list; /* 0: not used */
    uint32_t         uses, place; /* place: the first statement's number */
    const ilc__stmt *first;
    bool             at_top;
    bool             elsewhere; /* used outside of the Fors that count with it */
    const ilc__var  *next;      /* declared at the same statement */
};

typedef struct walker {
    ilc__writer *w;
    ILC__VEC(uint32_t) parent, level; /* per list */
    ILC__VEC(uint32_t) last_label;    /* per list: the number of the last label in it */
    ILC__VEC(bool) in_loop;           /* is the list a loop's body?                   */
    open_list        lists[ILC__MAX_LISTS];
    uint32_t         depth, next_list, stmts;
    bool             second; /* the walk that finds the first statements */
    const ilc__stmt *head;   /* the For whose start and limit are visited */
} walker;

static void walk_list(walker *k, const ilc__block *list, bool loop);

static uint32_t common_list(const walker *k, uint32_t x, uint32_t y)
{
    while (x != y) {
        if (k->level.items[x] >= k->level.items[y]) x = k->parent.items[x];
        else y = k->parent.items[y];
    }
    return x;
}

/* Is the place at hand in a For over var, or its counter? The For's own start and limit are not. */
static bool in_own_for(const walker *k, const ilc__var *var)
{
    for (uint32_t i = 0; i < k->depth; i++) {
        const ilc__stmt *s = k->lists[i].at;
        if (s->kind == ILC__ST_FOR && s->var == var && s != k->head && k->w->syntax->has_for(k->w, s)) return true;
    }
    return false;
}

static void visit_var(walker *k, const ilc__var *var)
{
    if (var->is_param) return;
    ilc__home *h = &k->w->homes[var->index];
    if (!k->second) {
        uint32_t here = k->lists[k->depth - 1].id;
        h->uses++;
        h->list = h->list ? common_list(k, h->list, here) : here;
        return;
    }
    if (!in_own_for(k, var)) h->elsewhere = true;
    if (h->first) return;
    h->first = k->lists[k->level.items[h->list]].at;
    h->place = k->lists[k->level.items[h->list]].place;
}

static void visit_expr(walker *k, const ilc__expr *e)
{
    if (!e) return;
    if (e->kind == ILC__EX_VAR || e->kind == ILC__EX_SLOTADDR) visit_var(k, e->u.var);
    for (uint32_t i = 0; i < e->arg_count; i++) visit_expr(k, e->args[i]);
}

static void walk_stmt(walker *k, const ilc__stmt *s)
{
    bool loop = s->kind == ILC__ST_LOOP || s->kind == ILC__ST_WHILE || s->kind == ILC__ST_DO || s->kind == ILC__ST_FOR;
    k->head = s;
    visit_expr(k, s->a);
    visit_expr(k, s->b);
    visit_expr(k, s->c);
    k->head = NULL;
    if (s->kind == ILC__ST_ASSIGN || s->kind == ILC__ST_FOR) visit_var(k, s->var);
    walk_list(k, &s->body, loop);
    walk_list(k, &s->other, false);
    for (uint32_t i = 0; i < s->case_count; i++) walk_list(k, &s->cases[i].body, false);
}

/* All walks meet the lists in the same order, so their numbers agree. List 0 is none. */
static void walk_list(walker *k, const ilc__block *list, bool loop)
{
    if (!list->first) return;
    uint32_t id = ++k->next_list;
    if (!k->second) {
        ILC__PUSH(k->w->arena, &k->parent, k->depth ? k->lists[k->depth - 1].id : 0);
        ILC__PUSH(k->w->arena, &k->level, k->depth);
        ILC__PUSH(k->w->arena, &k->last_label, 0);
        ILC__PUSH(k->w->arena, &k->in_loop, loop);
    }
    open_list *here = &k->lists[k->depth++];
    here->id = id;
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        here->at = s;
        here->place = ++k->stmts;
        if (s->kind == ILC__ST_LABEL) k->last_label.items[id] = here->place;
        walk_stmt(k, s);
    }
    k->depth--;
}

static void walk_again(walker *k)
{
    k->second = true;
    k->next_list = k->stmts = 0;
    walk_list(k, &k->w->func->body, false);
}

/* --- what a statement declares by itself --------------------------------------------------------------------------------- */

bool ilc__mentions(const ilc__expr *e, const ilc__var *var)
{
    if (!e) return false;
    if ((e->kind == ILC__EX_SLOTADDR || e->kind == ILC__EX_VAR) && e->u.var == var) return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (ilc__mentions(e->args[i], var)) return true;
    return false;
}

uint32_t ilc__var_uses(const ilc__writer *w, const ilc__var *var)
{
    return w->homes[var->index].uses;
}

/* var = F(...), of a struct */
static bool fills_by_call(const ilc__stmt *s, const ilc__var *var)
{
    const ilc__expr *e = s->a;
    if (s->kind != ILC__ST_EVAL || e->kind != ILC__EX_CALL || !e->u.callee->ret_layout || !e->arg_count) return false;
    const ilc__expr *to = e->args[e->arg_count - 1];
    if (to->kind != ILC__EX_SLOTADDR || to->u.var != var) return false;
    for (uint32_t i = 0; i + 1 < e->arg_count; i++)
        if (ilc__mentions(e->args[i], var)) return false;
    return true;
}

/* Does it give the whole slot a value that is not made of the slot's own? */
static bool fills(const ilc__stmt *s, const ilc__var *var)
{
    if (fills_by_call(s, var)) return true;
    bool memory = s->kind == ILC__ST_STOREIND || s->kind == ILC__ST_COPYMEM || s->kind == ILC__ST_ZEROMEM;
    if (!memory || s->a->kind != ILC__EX_SLOTADDR || s->a->u.var != var || ilc__mentions(s->b, var)) return false;
    return s->kind != ILC__ST_STOREIND || (!var->layout && ilc_storage_size(s->storage) == ilc_storage_size(var->storage));
}

bool ilc__declares(ilc__writer *w, const ilc__stmt *s, const ilc__var *var)
{
    const ilc__home *h = &w->homes[var->index];
    if (h->at_top || var->is_param) return false;
    if (var->is_slot) return h->first == s && fills(s, var);
    if (s->var != var) return false;
    if (s->kind == ILC__ST_FOR && !h->elsewhere) return true;
    if (s->kind == ILC__ST_FOR) return h->first == s && !w->syntax->has_for(w, s) && !ilc__expr_reads(s->a, var);
    return h->first == s && s->kind == ILC__ST_ASSIGN && !ilc__expr_reads(s->a, var);
}

static bool declares_itself(ilc__writer *w, const ilc__var *var)
{
    const ilc__home *h = &w->homes[var->index];
    return !h->elsewhere || (h->first && ilc__declares(w, h->first, var));
}

/* --- which are assigned before they are read, as C# sees it ---------------------------------------------------------------- */

static bool list_mentions(const ilc__block *list, const ilc__var *var);

static bool stmt_mentions(const ilc__stmt *s, const ilc__var *var)
{
    if (s->var == var || ilc__mentions(s->a, var) || ilc__mentions(s->b, var) || ilc__mentions(s->c, var)) return true;
    if (list_mentions(&s->body, var) || list_mentions(&s->other, var)) return true;
    for (uint32_t k = 0; k < s->case_count; k++)
        if (list_mentions(&s->cases[k].body, var)) return true;
    return false;
}

static bool list_mentions(const ilc__block *list, const ilc__var *var)
{
    for (const ilc__stmt *s = list->first; s; s = s->next)
        if (stmt_mentions(s, var)) return true;
    return false;
}

static bool leaves(const ilc__stmt *s)
{
    return s->kind == ILC__ST_RETURN || s->kind == ILC__ST_THROW || s->kind == ILC__ST_BREAK || s->kind == ILC__ST_CONTINUE;
}

/* Do the statements from s on assign it before they read it, on every way that goes on behind them? */
static bool assigns_first(const ilc__stmt *s, const ilc__var *var)
{
    for (; s; s = s->next) {
        if (!stmt_mentions(s, var)) {
            if (leaves(s)) return true;
            continue;
        }
        if (s->kind == ILC__ST_ASSIGN) return s->var == var && !ilc__mentions(s->a, var);
        if (ilc__mentions(s->a, var) || (s->kind != ILC__ST_IF && s->kind != ILC__ST_SWITCH)) return false;
        if (!assigns_first(s->other.first, var) || (s->kind == ILC__ST_IF && !assigns_first(s->body.first, var))) return false;
        for (uint32_t k = 0; k < s->case_count; k++)
            if (!assigns_first(s->cases[k].body.first, var)) return false;
        return true;
    }
    return false;
}

bool ilc__assigned_first(const ilc__writer *w, const ilc__var *var)
{
    return !w->func->has_goto && !var->is_slot && !var->is_param && assigns_first(w->homes[var->index].first, var);
}

/* --- all of them ------------------------------------------------------------------------------------------------------------ */

static bool leave_loops(walker *k, ilc__home *h)
{
    uint32_t out = h->list;
    for (uint32_t at = h->list; at; at = k->parent.items[at])
        if (k->in_loop.items[at]) out = k->parent.items[at];
    if (out == h->list) return false;
    h->list = out;
    return true;
}

void ilc__place_vars(ilc__writer *w)
{
    const ilc__func *f = w->func;
    walker          *k = ILC__NEW(w->arena, walker);
    k->w = w;
    w->homes = ILC__NEW_ARRAY(w->arena, ilc__home, (size_t)f->vars.count + 1);
    w->declared = (ilc__map){.arena = w->arena};
    ILC__PUSH(w->arena, &k->parent, 0);
    ILC__PUSH(w->arena, &k->level, 0);
    ILC__PUSH(w->arena, &k->last_label, 0);
    ILC__PUSH(w->arena, &k->in_loop, false);
    walk_list(k, &f->body, false);
    walk_again(k);
    bool moved = false;
    for (uint32_t i = f->param_count; w->syntax->language == ILC__LANGUAGE_CS && i < f->vars.count; i++)
        if (w->homes[i].list && !declares_itself(w, f->vars.items[i])) moved = leave_loops(k, &w->homes[i]) || moved;
    if (moved) {
        for (uint32_t i = 0; i < f->vars.count; i++) w->homes[i].first = NULL;
        walk_again(k);
    }
    for (uint32_t i = f->param_count; i < f->vars.count; i++) {
        ilc__home *h = &w->homes[i];
        if (!h->first) continue;
        h->at_top = h->elsewhere && k->last_label.items[h->list] > h->place;
        h->next = ilc__map_get(&w->declared, &h->first, sizeof h->first);
        ilc__map_put(&w->declared, &h->first, sizeof h->first, f->vars.items[i]);
    }
}

bool ilc__declared_on_top(const ilc__writer *w, const ilc__var *var)
{
    return w->homes[var->index].at_top;
}

static const ilc__var *apart(ilc__writer *w, const ilc__stmt *s, const ilc__var *var)
{
    while (var && (!w->homes[var->index].elsewhere || w->homes[var->index].at_top || ilc__declares(w, s, var))) var = w->homes[var->index].next;
    return var;
}

const ilc__var *ilc__declared_at(ilc__writer *w, const ilc__stmt *s)
{
    return apart(w, s, ilc__map_get(&w->declared, &s, sizeof s));
}

const ilc__var *ilc__declared_next(ilc__writer *w, const ilc__var *var)
{
    return apart(w, w->homes[var->index].first, w->homes[var->index].next);
}

bool ilc__reads_inner(const ilc__writer *w, const ilc__expr *e, const ilc__block *body)
{
    if (e->kind == ILC__EX_VAR && !e->u.var->is_param && !w->homes[e->u.var->index].at_top)
        for (const ilc__stmt *s = body->first; s; s = s->next)
            if (w->homes[e->u.var->index].first == s) return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (ilc__reads_inner(w, e->args[i], body)) return true;
    return false;
}

bool ilc__assigned_in(const ilc__block *body, const ilc__var *var)
{
    for (const ilc__stmt *s = body->first; s; s = s->next) {
        if ((s->kind == ILC__ST_ASSIGN || s->kind == ILC__ST_FOR) && s->var == var) return true;
        if (ilc__assigned_in(&s->body, var) || ilc__assigned_in(&s->other, var)) return true;
        for (uint32_t i = 0; i < s->case_count; i++)
            if (ilc__assigned_in(&s->cases[i].body, var)) return true;
    }
    return false;
}
