/* tidy.c - what structuring left over goes: labels that nothing uses, statements that nothing reaches, empty
 * arms; and the counts of the finished tree. Recursion is as deep as statements nest. */
#include "ast/build.h"

typedef struct tidier {
    ilc__builder *b;
    const ilc__stmt *loops[ILC__AST_MAX_STMT_DEPTH + 1];
    bool             broken[ILC__AST_MAX_STMT_DEPTH + 1];
    uint32_t         depth;
} tidier;

static bool tidy_list(tidier *t, ilc__block *list);

static bool is_used_label(const ilc__builder *b, const ilc__stmt *s)
{
    return b->label_uses[s->label] > 0;
}

/* What is dropped no longer jumps. */
static void forget_gotos(ilc__builder *b, const ilc__block *list)
{
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        if (s->kind == ILC__ST_GOTO) b->label_uses[s->label]--;
        forget_gotos(b, &s->body);
        forget_gotos(b, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) forget_gotos(b, &s->cases[k].body);
    }
}

static bool tidy_loop(tidier *t, ilc__stmt *s)
{
    t->loops[t->depth] = s;
    t->broken[t->depth++] = false;
    tidy_list(t, &s->body);
    return t->broken[--t->depth] || s->kind != ILC__ST_LOOP;
}

static bool tidy_if(tidier *t, ilc__stmt *s)
{
    bool falls = tidy_list(t, &s->body);
    falls = tidy_list(t, &s->other) || falls;
    if (!s->body.first && s->other.first) {
        s->body = s->other;
        s->other = (ilc__block){0};
        s->a = ilc__expr_negate(t->b->arena, s->a);
    }
    return falls;
}

/* True when control may come to what follows s. */
static bool tidy_stmt(tidier *t, ilc__stmt *s)
{
    bool falls;
    switch (s->kind) {
    case ILC__ST_IF: return tidy_if(t, s);
    case ILC__ST_LOOP: case ILC__ST_WHILE: case ILC__ST_DO: case ILC__ST_FOR: return tidy_loop(t, s);
    case ILC__ST_SWITCH:
        falls = tidy_list(t, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) falls = tidy_list(t, &s->cases[k].body) || falls;
        return falls;
    case ILC__ST_BREAK:
        for (uint32_t k = 0; k < t->depth; k++)
            if (t->loops[k] == s->target) t->broken[k] = true;
        return false;
    case ILC__ST_CONTINUE: case ILC__ST_RETURN: case ILC__ST_THROW: case ILC__ST_GOTO: return false;
    default: return true;
    }
}

static bool is_void(const ilc__stmt *s)
{
    if (s->kind == ILC__ST_IF) return !s->body.first && !s->other.first && !s->a->has_effect;
    if (s->kind == ILC__ST_EVAL) return !s->a->has_effect;
    return s->kind == ILC__ST_GOTO && s->next && s->next->kind == ILC__ST_LABEL && s->next->label == s->label;
}

static bool tidy_list(tidier *t, ilc__block *list)
{
    ilc__builder *b = t->b;
    ilc__block    kept = {0};
    bool          falls = true;
    for (ilc__stmt *s = list->first, *next; s; s = next) {
        next = s->next;
        ilc__block one = {s, s};
        if (s->kind == ILC__ST_LABEL) {
            if (!is_used_label(b, s)) continue;
            falls = true;
        } else if (!falls || is_void(s)) {
            s->next = NULL;
            forget_gotos(b, &one);
            continue;
        } else {
            falls = tidy_stmt(t, s);
            if (s->kind == ILC__ST_IF && !s->body.first) s->kind = ILC__ST_EVAL;
        }
        ilc__block_append(&kept, s);
    }
    *list = kept;
    return falls;
}

void ilc__ast_tidy(ilc__builder *b)
{
    tidier t = {.b = b};
    bool   falls = true;
    /* a dropped goto may leave a label unused, and what follows that one unreached */
    for (uint32_t turn = 0; turn < 3; turn++) falls = tidy_list(&t, &b->func->body);
    ilc__stmt *last = b->func->body.last;
    if (falls || !last || last->kind != ILC__ST_RETURN || last->a) return;
    if (b->func->body.first == last) {
        b->func->body = (ilc__block){0};
        return;
    }
    ilc__stmt *before = b->func->body.first;
    while (before->next != last) before = before->next;
    if (before->kind == ILC__ST_LABEL) return; /* a label needs a statement */
    before->next = NULL;
    b->func->body.last = before;
}

/* --- counts -------------------------------------------------------------------------------------------------- */

typedef struct counter {
    ilc__builder *b;
    uint32_t      labels;
    uint32_t     *number; /* per label: its number in the tree */
} counter;

static void count_expr(counter *c, const ilc__expr *e)
{
    if (!e) return;
    if (e->kind == ILC__EX_VAR || e->kind == ILC__EX_SLOTADDR || e->kind == ILC__EX_NEWARR)
        c->b->info.items[e->u.var->index].uses++;
    for (uint32_t i = 0; i < e->arg_count; i++) count_expr(c, e->args[i]);
}

static void count_list(counter *c, const ilc__block *list)
{
    for (ilc__stmt *s = list->first; s; s = s->next) {
        count_expr(c, s->a);
        count_expr(c, s->b);
        count_expr(c, s->c);
        if (s->kind == ILC__ST_ASSIGN) s->var->assignments++;
        if (s->kind == ILC__ST_FOR) s->var->assignments += 2;
        if (s->kind == ILC__ST_GOTO) c->b->func->has_goto = true;
        if (s->kind == ILC__ST_GOTO || s->kind == ILC__ST_LABEL) {
            if (!c->number[s->label]) c->number[s->label] = ++c->labels;
            s->label = c->number[s->label];
        }
        count_list(c, &s->body);
        count_list(c, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) count_list(c, &s->cases[k].body);
    }
}

/* Variables that went are taken out of the list, and the rest numbered anew. */
void ilc__ast_count(ilc__builder *b)
{
    counter    c = {b, 0, ILC__NEW_ARRAY(b->arena, uint32_t, b->label_count)};
    ilc__func *func = b->func;
    for (uint32_t i = 0; i < func->vars.count; i++) {
        b->info.items[i].uses = 0;
        func->vars.items[i]->assignments = func->vars.items[i]->is_param ? 1 : 0;
    }
    count_list(&c, &func->body);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < func->vars.count; i++) {
        ilc__var *var = func->vars.items[i];
        if (!var->is_param && var->assignments == 0 && b->info.items[i].uses == 0) continue;
        func->vars.items[kept] = var;
        b->info.items[kept] = b->info.items[i];
        var->index = kept++;
    }
    func->vars.count = b->info.count = kept;
}
