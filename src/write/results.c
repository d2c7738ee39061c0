/* results.c - struct results, which the tree puts together in the place that the caller gives: where each way does that
 * right before it returns, the text returns the value, as `New Point With {...}`, a tuple, what a call gives, or a copy. */
#include "write/internal.h"

enum { MOST_PARTS = 16 };

/* Statements that make the result and return it. */
typedef struct making {
    const ilc__stmt *first, *last, *end; /* last: the one that makes the last part; end: behind the return      */
    uint32_t         temp_count, part_count; /* of fields: values in temporaries first, then a store for each   */
    const ilc__stmt *temps[MOST_PARTS], *parts[MOST_PARTS];
} making;

static const ilc__var *result_of(const ilc__writer *w)
{
    return w->func->ret_layout ? w->func->vars.items[w->func->param_count - 1] : NULL;
}

static bool is_result(const ilc__writer *w, const ilc__expr *e)
{
    return e->kind == ILC__EX_VAR && e->u.var == result_of(w);
}

static bool is_temp(ilc__writer *w, const ilc__stmt *s)
{
    bool plain = s->kind == ILC__ST_ASSIGN && !s->var->is_named && !s->var->is_param && !s->var->is_addr && !s->var->is_array;
    return plain && ilc__var_uses(w, s->var) == 2 && ilc__declares(w, s, s->var);
}

/* result.field = value: the number of the field; UINT32_MAX for others. */
static uint32_t field_of(const ilc__writer *w, const ilc__stmt *s)
{
    if (s->kind != ILC__ST_STOREIND || s->a->kind != ILC__EX_FIELDADDR || !is_result(w, s->a->args[0])) return UINT32_MAX;
    const ilc__layout_field *field = &s->a->layout->fields[s->a->u.field];
    return !field->layout && field->storage == s->storage && !ilc__mentions(s->b, result_of(w)) ? s->a->u.field : UINT32_MAX;
}

static uint32_t temp_at(const making *m, const ilc__expr *e)
{
    for (uint32_t i = 0; i < m->temp_count; i++)
        if (e->kind == ILC__EX_VAR && e->u.var == m->temps[i]->var) return i;
    return UINT32_MAX;
}

/* Stores of fields, each once, whose values are computed in the same order as the tree does. */
static bool take_fields(ilc__writer *w, making *m, const ilc__stmt *s, const ilc__stmt **behind)
{
    uint64_t seen = 0;
    uint32_t next = 0;
    for (; s && is_temp(w, s) && m->temp_count < MOST_PARTS; s = s->next) {
        if (s != m->first && ilc__declared_at(w, s)) return false;
        m->temps[m->temp_count++] = s;
    }
    for (; s && m->part_count < MOST_PARTS; s = s->next) {
        uint32_t field = field_of(w, s), temp = field != UINT32_MAX ? temp_at(m, s->b) : UINT32_MAX;
        if (field >= 64) break;
        bool in_turn = !ilc__is_tuple(w->func->ret_layout) || field == m->part_count;
        if (!in_turn || seen >> field & 1 || (s != m->first && ilc__declared_at(w, s))) return false;
        if (temp != UINT32_MAX ? temp != next++ || m->temps[temp]->var->storage != s->storage : m->temp_count && s->b->has_effect) return false;
        seen |= (uint64_t)1 << field;
        m->parts[m->part_count++] = s;
        m->last = s;
    }
    const ilc__layout *layout = w->func->ret_layout;
    bool all = !ilc__is_tuple(layout) || (m->part_count == layout->field_count && layout->field_count > 1 && layout->field_count < 8);
    *behind = m->last->next;
    return m->part_count && next == m->temp_count && all;
}

static bool makes_whole(const ilc__writer *w, const ilc__stmt *s)
{
    if (s->kind == ILC__ST_COPYMEM || s->kind == ILC__ST_ZEROMEM) return is_result(w, s->a) && !ilc__mentions(s->b, result_of(w));
    if (s->kind != ILC__ST_EVAL || s->a->kind != ILC__EX_CALL || !s->a->u.callee->ret_layout || !s->a->arg_count) return false;
    for (uint32_t i = 0; i + 1 < s->a->arg_count; i++)
        if (ilc__mentions(s->a->args[i], result_of(w))) return false;
    return is_result(w, s->a->args[s->a->arg_count - 1]);
}

/* outermost: does the list end where the function does? */
static bool find_making(ilc__writer *w, const ilc__stmt *s, bool outermost, making *m)
{
    *m = (making){.first = s, .last = s};
    const ilc__stmt *behind = s->next;
    if (!makes_whole(w, s) && !take_fields(w, m, s, &behind)) return false;
    bool returns = behind && behind->kind == ILC__ST_RETURN && !ilc__declared_at(w, behind);
    m->end = returns ? behind->next : NULL;
    return returns || (!behind && outermost);
}

/* Is the result mentioned, or returned, anywhere else? */
static bool used_elsewhere(ilc__writer *w, const ilc__block *list, bool outermost)
{
    making m;
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        if (find_making(w, s, outermost, &m)) {
            while (s->next != m.end) s = s->next;
            continue;
        }
        if (s->kind == ILC__ST_RETURN || ilc__mentions(s->a, result_of(w)) || ilc__mentions(s->b, result_of(w)) || ilc__mentions(s->c, result_of(w))) return true;
        if (used_elsewhere(w, &s->body, false) || used_elsewhere(w, &s->other, false)) return true;
        for (uint32_t k = 0; k < s->case_count; k++)
            if (used_elsewhere(w, &s->cases[k].body, false)) return true;
    }
    return false;
}

/* Does control never come to what stands behind the list? As far as the languages see it, too. */
static bool leaves(const ilc__block *list)
{
    const ilc__stmt *last = list->last;
    if (!last) return false;
    if (last->kind == ILC__ST_IF) return leaves(&last->body) && leaves(&last->other);
    if (last->kind != ILC__ST_SWITCH) return last->kind == ILC__ST_RETURN || last->kind == ILC__ST_THROW;
    for (uint32_t k = 0; k < last->case_count; k++)
        if (!leaves(&last->cases[k].body)) return false;
    return leaves(&last->other);
}

static bool always_leaves(const ilc__writer *w)
{
    const ilc__stmt *last = w->func->body.last;
    return last && (leaves(&w->func->body) || makes_whole(w, last) || field_of(w, last) != UINT32_MAX);
}

bool ilc__returns_values(ilc__writer *w)
{
    return result_of(w) && !w->func->has_goto && always_leaves(w) && !used_elsewhere(w, &w->func->body, true);
}

static const char *text_of_fields(ilc__writer *w, const making *m)
{
    ilc__text          text = {.arena = w->arena}, *out = w->out;
    const ilc__layout *layout = w->func->ret_layout;
    bool               vb = w->syntax->language == ILC__LANGUAGE_VB, tuple = ilc__is_tuple(layout);
    w->out = &text;
    if (!tuple) {
        ilc__text_puts(&text, vb ? "New " : "new ");
        w->syntax->put_type(w, (ilc__wtype){.storage = ILC_STRUCT, .layout = layout});
        ilc__text_puts(&text, vb ? " With {" : " { ");
    }
    for (uint32_t i = 0; i < m->part_count; i++) {
        const ilc__stmt *s = m->parts[i];
        uint32_t         temp = temp_at(m, s->b);
        ilc__wtype       type = ilc__scalar(s->storage);
        ilc__text_puts(&text, i ? ", " : tuple ? "(" : "");
        if (!tuple && vb) ilc__text_putc(&text, '.');
        if (!tuple) {
            w->syntax->put_name(&text, ilc__member_name(w, layout, s->a->u.field));
            ilc__text_puts(&text, " = ");
        }
        ilc__put_value(w, ilc__view_for(w, temp != UINT32_MAX ? m->temps[temp]->a : s->b, type), type);
    }
    ilc__text_puts(&text, tuple ? ")" : vb ? "}" : " }");
    w->out = out;
    return ilc__text_string(&text);
}

static ilc__term *value_of(ilc__writer *w, const making *m)
{
    const ilc__stmt *s = m->first;
    ilc__wtype       type = {.storage = ILC_STRUCT, .layout = w->func->ret_layout};
    if (m->part_count) return ilc__term_name(w, type, text_of_fields(w, m));
    if (s->kind == ILC__ST_COPYMEM) return ilc__place(w, s->b, type);
    return s->kind == ILC__ST_EVAL ? ilc__view_call(w, s->a) : ilc__term_new(w, ILC__W_DEFAULT, type, 0);
}

const ilc__stmt *ilc__put_made(ilc__writer *w, const ilc__stmt *s, bool outermost)
{
    making m;
    if (!find_making(w, s, outermost, &m)) return NULL;
    if (w->func->ret_layout) ilc__use_struct(w->names, w->func->ret_layout);
    const ilc__stmt *last = s;
    while (last->next != m.end) ilc__note(w, last = last->next);
    ilc__term *value = value_of(w, &m);
    ilc__begin_line(w);
    w->syntax->put_return(w, value);
    return last;
}
