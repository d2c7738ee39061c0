/* fold.c - temporaries that are written once and read once go into their use, across statements of a node.
 *
 * `t = e; ...; s` becomes `...; s` with e in t's place only if nothing that e depends on, and nothing that
 * depends on e's effects, is evaluated between the two places. */
#include "ast/build.h"

enum { REACH = 8, SMALL_DEPTH = 4 }; /* statements looked back over; what counts as small without names */

typedef struct place {
    const ilc__var *var;
    ilc__expr     **slot;       /* where the variable is read                             */
    bool            effect;     /* something with an effect is evaluated before           */
    bool            conditional; /* it is evaluated only sometimes                         */
} place;

/* Depth-first in order of evaluation; stops at the place. */
static bool locate(ilc__expr **slot, place *p)
{
    ilc__expr *e = *slot;
    if (e->kind == ILC__EX_VAR) {
        if (e->u.var == p->var) p->slot = slot;
        return p->slot != NULL;
    }
    bool lazy = e->kind == ILC__EX_AND || e->kind == ILC__EX_OR || e->kind == ILC__EX_SELECT;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        bool inside = p->conditional;
        if (lazy && i > 0) p->conditional = true;
        if (locate(&e->args[i], p)) return true;
        p->conditional = inside;
        p->effect = p->effect || e->args[i]->has_effect;
    }
    return false;
}

static void refresh(ilc__expr *e, ilc__expr *const *slot)
{
    if (&e == slot) return;
    for (uint32_t i = 0; i < e->arg_count; i++) refresh(e->args[i], slot);
    if (e->arg_count) ilc__expr_update(e);
}

static bool has_room(const ilc__expr *root, const ilc__expr *e)
{
    return root->depth + e->depth < ILC__AST_FOLD_DEPTH;
}

/* Tries the expressions that a statement evaluates first and once, in order. */
static bool fold_into(ilc__builder *b, ilc__expr **roots[], uint32_t count, const ilc__var *var, ilc__expr *e)
{
    place p = {var, NULL, false, false};
    for (uint32_t i = 0; i < count; i++) {
        ilc__expr *root = *roots[i];
        if (!locate(roots[i], &p)) {
            p.effect = p.effect || root->has_effect;
            continue;
        }
        if (e->has_effect && (p.effect || p.conditional)) return false;
        if (!has_room(root, e)) return false;
        *p.slot = e;
        if (*roots[i] != e) refresh(*roots[i], p.slot);
        b->info.items[var->index].uses--;
        return true;
    }
    return false;
}

static uint32_t roots_of(ilc__stmt *s, ilc__expr **roots[3])
{
    uint32_t count = 0;
    if (s->a) roots[count++] = &s->a;
    if (s->b) roots[count++] = &s->b;
    if (s->c) roots[count++] = &s->c;
    return count;
}

static bool reads(ilc__stmt *s, const ilc__var *var)
{
    ilc__expr **roots[3];
    uint32_t    count = roots_of(s, roots);
    for (uint32_t i = 0; i < count; i++)
        if (ilc__expr_reads(*roots[i], var)) return true;
    return false;
}

/* May e be evaluated after s instead of before it? Only straight statements come here. */
static bool passes(const ilc__expr *e, const ilc__stmt *s)
{
    if (s->kind == ILC__ST_ASSIGN) {
        if (ilc__expr_reads(e, s->var)) return false;
        return !(e->has_effect && s->a->has_effect);
    }
    return !e->has_effect;
}

static bool is_candidate(const ilc__builder *b, const ilc__stmt *s)
{
    if (s->kind != ILC__ST_ASSIGN || s->var->is_param) return false;
    const ilc__var_info *info = &b->info.items[s->var->index];
    if (!info->foldable || info->defs != 1 || info->uses != 1) return false;
    return b->has_debug || s->var->is_temp || s->a->depth <= SMALL_DEPTH;
}

static void take_out(ilc__node *node, ilc__item *item)
{
    if (item->prev) item->prev->next = item->next;
    else node->first = item->next;
    if (item->next) item->next->prev = item->prev;
    else node->last = item->prev;
}

/* What is returned is not read again, however often it was written. */
static bool is_result(const ilc__builder *b, const ilc__stmt *s, const ilc__expr *returned)
{
    return s->kind == ILC__ST_ASSIGN && !s->var->is_param && b->info.items[s->var->index].foldable &&
           returned->kind == ILC__EX_VAR && returned->u.var == s->var;
}

/* Folds one of the few statements up to `end` into the roots of what follows it; true when one went. */
static bool fold_one(ilc__builder *b, ilc__node *node, ilc__item *end, ilc__expr **roots[], uint32_t count,
                     bool returns)
{
    uint32_t back = 0;
    for (ilc__item *at = end; at && back < REACH; at = at->prev, back++) {
        ilc__stmt *s = at->stmt;
        if (!is_candidate(b, s) && !(returns && back == 0 && is_result(b, s, *roots[0]))) continue;
        bool clear = true;
        for (ilc__item *k = at; clear && k != end; k = k->next)
            clear = passes(s->a, k->next->stmt) && !reads(k->next->stmt, s->var);
        if (!clear || !fold_into(b, roots, count, s->var, s->a)) continue;
        b->info.items[s->var->index].defs--;
        take_out(node, at);
        return true;
    }
    return false;
}

static void fold_stmt(ilc__builder *b, ilc__node *node, ilc__item *item)
{
    ilc__expr **roots[3];
    uint32_t    count = roots_of(item->stmt, roots);
    while (fold_one(b, node, item->prev, roots, count, false)) continue;
    if (item->stmt->kind == ILC__ST_ASSIGN) item->stmt->a = ilc__expr_value(b->arena, item->stmt->a);
}

void ilc__ast_fold_node(ilc__builder *b, ilc__node *node, ilc__item *from)
{
    uint32_t steps = 0;
    bool     joined = from != node->first;
    for (; from && !(joined && steps == REACH); from = from->next, steps++) fold_stmt(b, node, from);
    if (!node->value) return;
    ilc__expr **root = &node->value;
    while (fold_one(b, node, node->last, &root, 1, node->kind == ILC__NODE_RETURN)) continue;
    if (node->kind == ILC__NODE_COND) node->value = ilc__expr_condition(b->arena, node->value);
    else node->value = ilc__expr_value(b->arena, node->value);
}

void ilc__node_append(ilc__builder *b, ilc__node *node, ilc__stmt *stmt)
{
    ilc__item *item = ILC__NEW(b->arena, ilc__item);
    item->stmt = stmt;
    item->prev = node->last;
    if (node->last) node->last->next = item;
    else node->first = item;
    node->last = item;
}
