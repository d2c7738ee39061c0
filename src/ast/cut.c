/* cut.c - bounds how deep statements nest, and sees to it that each goto leads to a label of a list around it, as VB and
 * C# ask. What is in the way is cut: it becomes jumps, and its lists go into the list that it stood in. Cut are the outer
 * ones of what nests too deeply, so no jump leads into what is left. No recursion is deeper than the bound. */
#include "ast/build.h"

enum { MAX_HEIGHT = ILC__AST_MAX_STMT_DEPTH - 4 };

typedef struct place { /* a list in the tree */
    uint32_t   outer; /* list */
    uint32_t   enter, leave;
    ilc__stmt *owner, *first;
} place;

typedef struct jump {
    const ilc__stmt *stmt;
    uint32_t         list;
} jump;

typedef struct cutter {
    ilc__builder *b;
    uint32_t      label_room;
    ILC__VEC(place) lists;
    ILC__VEC(jump) gotos;
    uint32_t     *list_of; /* label -> list, 0: none */
    uint32_t      clock;
} cutter;

/* Calls visit for each list of the statement. */
static void each_list(ilc__stmt *s, void (*visit)(void *user, ilc__stmt *owner, ilc__block *list), void *user)
{
    visit(user, s, &s->body);
    visit(user, s, &s->other);
    for (uint32_t k = 0; k < s->case_count; k++) visit(user, s, &s->cases[k].body);
}

static bool is_compound(const ilc__stmt *s)
{
    return s->kind == ILC__ST_IF || s->kind == ILC__ST_LOOP || s->kind == ILC__ST_SWITCH;
}

/* --- heights: how many lists nest in a statement -------------------------------------------------------------------- */

static uint32_t height_of(const ilc__block *list)
{
    uint32_t height = 0;
    for (const ilc__stmt *s = list->first; s; s = s->next)
        if (s->height > height) height = s->height;
    return height;
}

typedef struct compound_list {
    ilc__arena *arena;
    ILC__VEC(ilc__stmt *) stmts;
} compound_list;

static void add_compounds(void *user, ilc__stmt *owner, ilc__block *list)
{
    compound_list *all = user;
    (void)owner;
    for (ilc__stmt *s = list->first; s; s = s->next)
        if (is_compound(s)) ILC__PUSH(all->arena, &all->stmts, s);
}

static void raise_owner(void *user, ilc__stmt *owner, ilc__block *list)
{
    uint32_t height = height_of(list) + 1;
    (void)user;
    if (height > owner->height) owner->height = height;
}

static void measure(cutter *c)
{
    compound_list all = {.arena = c->b->arena};
    add_compounds(&all, NULL, &c->b->func->body);
    for (uint32_t i = 0; i < all.stmts.count; i++) each_list(all.stmts.items[i], add_compounds, &all);
    for (uint32_t i = all.stmts.count; i-- > 0;) each_list(all.stmts.items[i], raise_owner, NULL); /* inner ones first */
}

/* --- one statement --------------------------------------------------------------------------------------------------- */

static uint32_t new_label(cutter *c)
{
    ilc__builder *b = c->b;
    if (b->label_count == c->label_room) {
        uint32_t *grown = ILC__NEW_ARRAY(b->arena, uint32_t, 2 * (size_t)c->label_room + 8);
        memcpy(grown, b->label_uses, b->label_count * sizeof *grown);
        b->label_uses = grown;
        c->label_room = 2 * c->label_room + 8;
    }
    return b->label_count++;
}

static ilc__stmt *put(cutter *c, ilc__block *list, ilc__stmt_kind kind, uint32_t label)
{
    ilc__stmt *s = ilc__stmt_new(c->b, kind, 0, false);
    s->label = label;
    if (kind == ILC__ST_GOTO) c->b->label_uses[label]++;
    ilc__block_append(list, s);
    return s;
}

static void append_list(ilc__block *to, const ilc__block *list)
{
    if (!list->first) return;
    if (to->last) to->last->next = list->first;
    else to->first = list->first;
    to->last = list->last;
}

static bool stays(const ilc__block *list)
{
    return height_of(list) < MAX_HEIGHT && !(list->first && list->first->is_entered);
}

/* The list becomes a jump to where it will stand, in `behind`. */
static void move_out(cutter *c, ilc__block *list, ilc__block *behind, uint32_t end)
{
    uint32_t label = new_label(c);
    put(c, behind, ILC__ST_LABEL, label);
    append_list(behind, list);
    put(c, behind, ILC__ST_GOTO, end);
    *list = (ilc__block){0};
    put(c, list, ILC__ST_GOTO, label);
}

/* if (a) { body; goto end } other; end: */
static void cut_if(cutter *c, ilc__stmt *s, ilc__block *out)
{
    uint32_t   end = new_label(c);
    ilc__block behind = {0}, other = s->other;
    if (!stays(&s->body)) {
        other = s->body;
        s->body = s->other;
        s->a = ilc__expr_negate(c->b->arena, s->a);
    }
    s->other = (ilc__block){0};
    if (!stays(&s->body)) move_out(c, &s->body, &behind, end);
    else put(c, &s->body, ILC__ST_GOTO, end);
    ilc__block_append(out, s);
    append_list(out, &other);
    if (behind.first) put(c, out, ILC__ST_GOTO, end);
    append_list(out, &behind);
    put(c, out, ILC__ST_LABEL, end);
}

static void cut_switch(cutter *c, ilc__stmt *s, ilc__block *out)
{
    uint32_t   end = new_label(c);
    ilc__block behind = {0};
    for (uint32_t k = 0; k < s->case_count; k++)
        if (!stays(&s->cases[k].body)) move_out(c, &s->cases[k].body, &behind, end);
    if (!stays(&s->other)) move_out(c, &s->other, &behind, end);
    ilc__block_append(out, s);
    put(c, out, ILC__ST_GOTO, end);
    append_list(out, &behind);
    put(c, out, ILC__ST_LABEL, end);
}

/* head: body; goto head; end: - the statement itself becomes its first label, for what breaks or continues it. */
static void cut_loop(cutter *c, ilc__stmt *s, ilc__block *out)
{
    uint32_t   head = new_label(c), end = new_label(c);
    ilc__block body = s->body;
    s->kind = ILC__ST_LABEL;
    s->label = head;
    s->body = (ilc__block){0};
    ilc__block_append(out, s);
    append_list(out, &body);
    put(c, out, ILC__ST_GOTO, head);
    put(c, out, ILC__ST_LABEL, end);
}

static void see_list(void *user, ilc__stmt *owner, ilc__block *list)
{
    (void)owner;
    if (list->first && list->first->is_entered) *(bool *)user = true;
}

static bool must_go(ilc__stmt *s)
{
    bool entered = false;
    if (!is_compound(s)) return false;
    each_list(s, see_list, &entered);
    return entered || s->height > MAX_HEIGHT;
}

/* What comes out of a statement that is cut is looked at in its turn. */
static void cut_list(cutter *c, ilc__block *list)
{
    ilc__block out = {0};
    for (ilc__stmt *s = list->first, *rest; s; s = rest) {
        rest = s->next;
        if (!must_go(s)) {
            ilc__block_append(&out, s);
            continue;
        }
        ilc__block parts = {0};
        if (s->kind == ILC__ST_IF) cut_if(c, s, &parts);
        else if (s->kind == ILC__ST_SWITCH) cut_switch(c, s, &parts);
        else cut_loop(c, s, &parts);
        s->height = 1;
        parts.last->next = rest;
        rest = parts.first;
    }
    *list = out;
}

/* --- jumps into lists -------------------------------------------------------------------------------------------------- */

static void number_list(cutter *c, ilc__stmt *owner, ilc__block *list, uint32_t outer)
{
    uint32_t id = c->lists.count;
    ILC__PUSH(c->b->arena, &c->lists, ((place){outer, ++c->clock, 0, owner, list->first}));
    for (ilc__stmt *s = list->first; s; s = s->next) {
        if (s->kind == ILC__ST_LABEL) c->list_of[s->label] = id;
        if (s->kind == ILC__ST_GOTO) ILC__PUSH(c->b->arena, &c->gotos, ((jump){s, id}));
        if (!is_compound(s)) continue;
        number_list(c, s, &s->body, id);
        number_list(c, s, &s->other, id);
        for (uint32_t k = 0; k < s->case_count; k++) number_list(c, s, &s->cases[k].body, id);
    }
    c->lists.items[id].leave = ++c->clock;
}

static bool is_around(const place *outer, const place *inner)
{
    return outer->enter <= inner->enter && inner->leave <= outer->leave;
}

static bool has_one_number(const ilc__case *one)
{
    for (uint32_t i = 0; i < one->count; i++)
        if (one->ranges[i].first == one->ranges[i].last) return true;
    return false;
}

static bool starts_with(const ilc__block *list, uint32_t label)
{
    return list->first && list->first->kind == ILC__ST_LABEL && list->first->label == label;
}

/* Is the list a case of the switch that the goto stands in, and the label its start? Languages say that: goto case 5. */
static bool is_goto_case(const cutter *c, const jump *j, uint32_t list)
{
    const ilc__stmt *sw = c->lists.items[list].owner;
    if (!list || sw->kind != ILC__ST_SWITCH) return false;
    bool starts = starts_with(&sw->other, j->stmt->label);
    for (uint32_t k = 0; k < sw->case_count && !starts; k++)
        starts = starts_with(&sw->cases[k].body, j->stmt->label) && has_one_number(&sw->cases[k]);
    uint32_t from = j->list;
    while (from && c->lists.items[from].owner->kind != ILC__ST_SWITCH) from = c->lists.items[from].outer;
    return starts && from && c->lists.items[from].owner == sw;
}

/* Finds the lists that are jumped into. */
static bool find_entered(cutter *c)
{
    bool any = false;
    for (uint32_t i = 0; i < c->gotos.count; i++) {
        const jump *j = &c->gotos.items[i];
        uint32_t    at = c->list_of[j->stmt->label];
        if (is_goto_case(c, j, at)) continue;
        for (; !is_around(&c->lists.items[at], &c->lists.items[j->list]); at = c->lists.items[at].outer)
            c->lists.items[at].first->is_entered = any = true;
    }
    return any;
}

static void cut_inside(cutter *c, ilc__block *list)
{
    cut_list(c, list);
    for (ilc__stmt *s = list->first; s; s = s->next) {
        if (!is_compound(s)) continue;
        cut_inside(c, &s->body);
        cut_inside(c, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) cut_inside(c, &s->cases[k].body);
    }
}

/* --- what breaks or continues a loop that is none any more --------------------------------------------------------------- */

static void mend_exits(cutter *c, ilc__block *list)
{
    for (ilc__stmt *s = list->first; s; s = s->next) {
        bool exits = s->kind == ILC__ST_BREAK || s->kind == ILC__ST_CONTINUE;
        if (exits && s->target->kind == ILC__ST_LABEL) {
            s->label = s->target->label + (s->kind == ILC__ST_BREAK);
            s->kind = ILC__ST_GOTO;
            s->target = NULL;
            c->b->label_uses[s->label]++;
        }
        if (!is_compound(s)) continue;
        mend_exits(c, &s->body);
        mend_exits(c, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) mend_exits(c, &s->cases[k].body);
    }
}

void ilc__ast_cut(ilc__builder *b)
{
    cutter c = {.b = b, .label_room = b->label_count};
    measure(&c);
    if (height_of(&b->func->body) > MAX_HEIGHT) {
        cut_list(&c, &b->func->body);
        mend_exits(&c, &b->func->body);
    }
    c.list_of = ILC__NEW_ARRAY(b->arena, uint32_t, (size_t)b->label_count + 1);
    number_list(&c, NULL, &b->func->body, 0);
    if (!find_entered(&c)) return;
    cut_inside(&c, &b->func->body);
    mend_exits(&c, &b->func->body);
}
