/* idioms.c - statements that are one in C#: `for` with any test and step, `x[i++] = y`, `while (n-- > 0)`, and several
 * variables that change at once. */
#include "write/internal.h"

/* Of the lifter's or the compiler's, set here and read once behind it? */
static bool is_passing(const ilc__writer *w, const ilc__var *var)
{
    return !var->is_named && !var->is_param && !var->is_addr && !var->is_slot && ilc__var_uses(w, var) == 2;
}

static bool same_type(const ilc__writer *w, const ilc__var *x, const ilc__var *y)
{
    return ilc__wtype_same(ilc__var_type(w->func, x), ilc__var_type(w->func, y));
}

static bool is_plain_assign(const ilc__stmt *s)
{
    return s && s->kind == ILC__ST_ASSIGN && !s->var->is_addr && !s->var->is_slot;
}

/* --- for (int gap = n / 2; gap > 0; gap /= 2): all three stand in one line of the source ---------------------------------- */

enum { MOST_PARTS = 4 };

static bool goes_on(const ilc__block *list, const ilc__stmt *loop)
{
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        if (s->kind == ILC__ST_CONTINUE && s->target == loop) return true;
        if (goes_on(&s->body, loop) || goes_on(&s->other, loop)) return true;
        for (uint32_t k = 0; k < s->case_count; k++)
            if (goes_on(&s->cases[k].body, loop)) return true;
    }
    return false;
}

/* The first of the steps at the end of the body. */
static const ilc__stmt *find_steps(ilc__writer *w, const ilc__stmt *loop)
{
    const ilc__stmt *first = NULL;
    for (const ilc__stmt *s = loop->body.first; s; s = s->next) {
        bool step = is_plain_assign(s) && s->line == loop->line && !ilc__declares(w, s, s->var) && !ilc__declared_at(w, s) &&
                    !ilc__reads_inner(w, s->a, &loop->body);
        if (!step) first = NULL;
        else if (!first) first = s;
    }
    return first != loop->body.first ? first : NULL;
}

static uint32_t mentions_in(const ilc__expr *e, const ilc__var *var)
{
    if (!e) return 0;
    uint32_t count = (e->kind == ILC__EX_VAR || e->kind == ILC__EX_SLOTADDR) && e->u.var == var;
    for (uint32_t i = 0; i < e->arg_count; i++) count += mentions_in(e->args[i], var);
    return count;
}

/* As ilc__var_uses counts them. */
static uint32_t uses_in(const ilc__stmt *first, const ilc__stmt *end, const ilc__var *var)
{
    uint32_t count = 0;
    for (const ilc__stmt *s = first; s != end; s = s->next) {
        count += mentions_in(s->a, var) + mentions_in(s->b, var) + mentions_in(s->c, var);
        count += (s->kind == ILC__ST_ASSIGN || s->kind == ILC__ST_FOR) && s->var == var;
        count += uses_in(s->body.first, NULL, var) + uses_in(s->other.first, NULL, var);
        for (uint32_t k = 0; k < s->case_count; k++) count += uses_in(s->cases[k].body.first, NULL, var);
    }
    return count;
}

/* Do all or none of the assignments from s to the loop declare their variable, which then is the loop's alone? */
static bool start_together(ilc__writer *w, const ilc__stmt *s, const ilc__stmt *loop)
{
    bool declares = ilc__declares(w, s, s->var);
    for (const ilc__stmt *at = s; at != loop; at = at->next) {
        if (ilc__declares(w, at, at->var) != declares || at->var->is_array || (at != s && ilc__declared_at(w, at))) return false;
        if (declares && (!same_type(w, at->var, s->var) || uses_in(s, loop->next, at->var) != ilc__var_uses(w, at->var))) return false;
    }
    return !ilc__declared_at(w, loop);
}

/* What the statement is between semicolons. */
static void put_part(ilc__writer *w, const ilc__stmt *s)
{
    ilc__text text = {.arena = w->arena}, *out = w->out;
    ilc__wtype type = ilc__var_type(w->func, s->var);
    w->out = &text;
    ilc__put_assignment(w, ilc__term_name(w, type, w->var_names[s->var->index]), ilc__view_for(w, s->a, type));
    w->out = out;
    size_t indent = strspn(ilc__text_string(&text), " "), tail = strlen(";\n");
    ilc__text_add(w->out, text.data + indent, text.length - indent - tail);
}

static void put_starts(ilc__writer *w, const ilc__stmt *s, const ilc__stmt *loop)
{
    bool declares = ilc__declares(w, s, s->var);
    ilc__text_puts(w->out, "for (");
    if (declares) w->syntax->put_type(w, ilc__var_type(w->func, s->var));
    for (const ilc__stmt *at = s; at != loop; at = at->next) {
        ilc__text_puts(w->out, at != s ? ", " : declares ? " " : "");
        put_part(w, at);
    }
    ilc__text_puts(w->out, "; ");
}

static const ilc__stmt *put_for(ilc__writer *w, const ilc__stmt *s, const ilc__stmt *end)
{
    const ilc__stmt *loop = s;
    uint32_t         parts = 0;
    while (loop != end && is_plain_assign(loop) && loop->line == s->line && parts < MOST_PARTS) loop = loop->next, parts++;
    if (loop == end || loop == s || !s->line || loop->kind != ILC__ST_WHILE || loop->line != s->line) return NULL;
    const ilc__stmt *steps = find_steps(w, loop);
    if (!steps || !start_together(w, s, loop) || goes_on(&loop->body, loop)) return NULL;
    for (const ilc__stmt *at = s->next; at != loop->next; at = at->next) ilc__note(w, at);
    for (const ilc__stmt *at = steps; at; at = at->next) ilc__note(w, at);
    w->loops[w->loop_count++] = (ilc__loop_name){.stmt = loop};
    ilc__begin_line(w);
    put_starts(w, s, loop);
    ilc__put(w, ilc__view_truth(w, loop->a), ILC__LEVEL_NONE);
    for (const ilc__stmt *at = steps; at; at = at->next) {
        ilc__text_puts(w->out, at == steps ? "; " : ", ");
        put_part(w, at);
    }
    ilc__text_puts(w->out, ")\n");
    ilc__put_line(w, "{");
    ilc__put_inside(w, loop->body.first, steps);
    w->syntax->put_end_while(w, false);
    ilc__end_loop(w);
    return loop;
}

/* --- n--, where its value before is what is used ----------------------------------------------------------------------------- */

/* t = v and v = v + 1, or - 1: "v++"; else NULL. */
static const char *stepped(const ilc__writer *w, const ilc__stmt *s, const ilc__stmt *end)
{
    const ilc__stmt *step = s->next;
    if (!is_plain_assign(s) || !is_passing(w, s->var) || s->a->kind != ILC__EX_VAR || s->a->u.var->is_addr) return NULL;
    const ilc__var *var = s->a->u.var;
    if (step == end || !is_plain_assign(step) || step->var != var || !same_type(w, s->var, var) || step->a->kind != ILC__EX_OP) return NULL;
    const ilc__expr *e = step->a;
    bool adds = e->op == ILC__OP_ADD_I32 || e->op == ILC__OP_ADD_I64, takes = e->op == ILC__OP_SUB_I32 || e->op == ILC__OP_SUB_I64;
    bool whole = !ilc__is_small(var->storage) && var->storage != ILC_BOOL;
    if (!(adds || takes) || !whole || (w->checked && !e->proved)) return NULL;
    if (e->args[0]->kind != ILC__EX_VAR || e->args[0]->u.var != var || e->args[1]->kind != ILC__EX_CONST) return NULL;
    bool up = ilc__expr_is_const(e->args[1], 1), down = ilc__expr_is_const(e->args[1], e->type == ILC__IR_I64 ? UINT64_MAX : UINT32_MAX) ||
                                                       ilc__expr_is_const(e->args[1], UINT64_MAX);
    if (!up && !down) return NULL;
    return ilc__arena_printf(w->arena, "%s%s", w->var_names[var->index], adds == up ? "++" : "--");
}

/* Is the variable read once in it, whatever else is evaluated? */
static bool reads_always(const ilc__expr *e, const ilc__var *var)
{
    if (!e) return false;
    if (e->kind == ILC__EX_VAR) return e->u.var == var;
    bool chooses = e->kind == ILC__EX_AND || e->kind == ILC__EX_OR || e->kind == ILC__EX_SELECT;
    for (uint32_t i = 0; i < (chooses ? 1 : e->arg_count); i++)
        if (reads_always(e->args[i], var)) return true;
    return false;
}

static const ilc__stmt *put_stepped(ilc__writer *w, const ilc__stmt *s, const ilc__stmt *end)
{
    const char      *text = s->next ? stepped(w, s, end) : NULL;
    const ilc__stmt *use = text ? s->next->next : NULL;
    if (!use || use == end || !ilc__declares(w, s, s->var) || ilc__declared_at(w, s->next) || ilc__declared_at(w, use)) return NULL;
    const ilc__var *var = s->a->u.var;
    bool fits = is_plain_assign(use) || use->kind == ILC__ST_STORE || use->kind == ILC__ST_RETURN;
    bool reads = reads_always(use->a, s->var) || reads_always(use->b, s->var) || reads_always(use->c, s->var);
    if (!fits || !reads || uses_in(use, use->next, var)) return NULL;
    const char *name = w->var_names[s->var->index];
    w->var_names[s->var->index] = text;
    ilc__note(w, s->next);
    ilc__note(w, use);
    ilc__put_stmt(w, use);
    w->var_names[s->var->index] = name;
    return use;
}

bool ilc__put_counted_while(ilc__writer *w, const ilc__stmt *s)
{
    const ilc__stmt *take = s->body.first, *test = take && take->next ? take->next->next : NULL;
    if (s->kind != ILC__ST_LOOP || !test || test->kind != ILC__ST_IF || test->other.first) return false;
    const ilc__stmt *leave = test->body.first;
    const char      *text = leave && !leave->next && leave->kind == ILC__ST_BREAK && leave->target == s ? stepped(w, take, NULL) : NULL;
    if (!text || test->a->kind != ILC__EX_OP || test->a->has_effect || mentions_in(test->a, take->a->u.var) || !reads_always(test->a, take->var)) return false;
    if (ilc__declared_at(w, take) || ilc__declared_at(w, take->next) || ilc__declared_at(w, test)) return false;
    const char *name = w->var_names[take->var->index];
    w->var_names[take->var->index] = text;
    ilc__term *truth = ilc__deny(w, ilc__view_truth(w, test->a));
    for (const ilc__stmt *at = take; at != test->next; at = at->next) ilc__note(w, at);
    ilc__begin_line(w);
    w->syntax->put_while(w, truth);
    w->var_names[take->var->index] = name;
    ilc__put_inside(w, test->next, NULL);
    ilc__put_turn_label(w);
    w->syntax->put_end_while(w, false);
    return true;
}

/* --- (a, b) = (b, a % b) -------------------------------------------------------------------------------------------------- */

/* t = e: a = b: b = t */
static const ilc__stmt *put_at_once(ilc__writer *w, const ilc__stmt *s, const ilc__stmt *end)
{
    const ilc__stmt *last = s->next;
    uint32_t         parts = 1;
    if (!is_plain_assign(s) || !is_passing(w, s->var) || s->var->is_array || !ilc__declares(w, s, s->var)) return NULL;
    for (; last != end && is_plain_assign(last) && last->a->kind == ILC__EX_VAR && parts <= MOST_PARTS; last = last->next, parts++) {
        if (last->var->is_array || !same_type(w, last->var, s->var) || ilc__declares(w, last, last->var) || ilc__declared_at(w, last)) return NULL;
        if (last->a->u.var == s->var) break;
        if (last->a->u.var->is_addr || !last->next || !is_plain_assign(last->next) || last->next->var != last->a->u.var) return NULL;
        for (const ilc__stmt *before = s->next; before != last; before = before->next)
            if (before->var == last->a->u.var) return NULL;
    }
    if (last == end || parts < 2 || parts > MOST_PARTS || !is_plain_assign(last) || last->a->kind != ILC__EX_VAR || last->a->u.var != s->var) return NULL;
    if (ilc__mentions(s->a, s->var)) return NULL;
    for (const ilc__stmt *at = s->next; at != last->next; at = at->next) ilc__note(w, at);
    ilc__wtype type = ilc__var_type(w->func, s->var);
    ilc__begin_line(w);
    for (const ilc__stmt *at = s->next; at != last->next; at = at->next)
        ilc__text_printf(w->out, "%s%s", at == s->next ? "(" : ", ", w->var_names[at->var->index]);
    ilc__text_puts(w->out, ") = (");
    for (const ilc__stmt *at = s->next; at != last; at = at->next) ilc__text_printf(w->out, "%s, ", w->var_names[at->a->u.var->index]);
    ilc__put_value(w, ilc__view_for(w, s->a, type), type);
    ilc__text_puts(w->out, ");\n");
    return last;
}

const ilc__stmt *ilc__put_cs_idiom(ilc__writer *w, const ilc__stmt *s, const ilc__stmt *end)
{
    if (s->kind != ILC__ST_ASSIGN) return NULL;
    const ilc__stmt *last = put_for(w, s, end);
    if (!last) last = put_stepped(w, s, end);
    return last ? last : put_at_once(w, s, end);
}
