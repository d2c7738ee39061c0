/* jumps.c - gotos. The tree jumps to labels of the lists around, and from one case of a switch to the start of another
 * (ast/cut.c). C# says that by `goto case`; VB has no word for it, so there such a case stands behind its Select. */
#include "write/internal.h"

struct ilc__label {
    const ilc__stmt *starts;   /* a switch: the label is the start of its case `which` */
    uint32_t         which;
    bool             crossed;  /* jumped to from another case of the switch            */
    bool             is_named; /* some jump needs its name                             */
};

enum { SWITCHES = ILC__MAX_LISTS };

typedef struct finder {
    ilc__writer *w;
    uint32_t     count;
    bool         second; /* the walk that looks at gotos */
    struct {
        const ilc__stmt *stmt;
        uint32_t         which;
    } inside[SWITCHES];
    uint32_t depth;
} finder;

static const ilc__block *case_of(const ilc__stmt *sw, uint32_t which)
{
    return which < sw->case_count ? &sw->cases[which].body : &sw->other;
}

static void see_goto(finder *f, uint32_t number)
{
    ilc__label *label = &f->w->labels[number];
    bool        from_case = f->depth && label->starts && f->inside[f->depth - 1].stmt == label->starts;
    if (!from_case || f->w->syntax->language == ILC__LANGUAGE_VB) label->is_named = true;
    if (from_case && f->inside[f->depth - 1].which != label->which) label->crossed = true;
}

static void walk(finder *f, const ilc__block *list)
{
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        if (!f->second && (s->kind == ILC__ST_LABEL || s->kind == ILC__ST_GOTO) && s->label >= f->count) f->count = s->label + 1;
        if (f->second && s->kind == ILC__ST_GOTO) see_goto(f, s->label);
        walk(f, &s->body);
        if (s->kind != ILC__ST_SWITCH) {
            walk(f, &s->other);
            continue;
        }
        for (uint32_t k = 0; k <= s->case_count; k++) {
            const ilc__block *body = case_of(s, k);
            bool              starts = body->first && body->first->kind == ILC__ST_LABEL;
            if (f->second && starts) f->w->labels[body->first->label].starts = s, f->w->labels[body->first->label].which = k;
        }
        for (uint32_t k = 0; k <= s->case_count; k++) {
            f->inside[f->depth].stmt = s;
            f->inside[f->depth++].which = k;
            walk(f, case_of(s, k));
            f->depth--;
        }
    }
}

void ilc__find_labels(ilc__writer *w)
{
    finder *f = ILC__NEW(w->arena, finder);
    f->w = w;
    walk(f, &w->func->body);
    w->labels = ILC__NEW_ARRAY(w->arena, ilc__label, (size_t)f->count + 1);
    f->second = true;
    walk(f, &w->func->body);
}

bool ilc__case_stands_apart(const ilc__writer *w, const ilc__block *body)
{
    bool starts = w->func->has_goto && w->syntax->language == ILC__LANGUAGE_VB && body->first && body->first->kind == ILC__ST_LABEL;
    return starts && w->labels[body->first->label].crossed;
}

/* "case 5", "default" */
static const char *case_text(ilc__writer *w, const ilc__label *label, ilc_storage type)
{
    if (label->which == label->starts->case_count) return "default";
    const ilc__case *one = &label->starts->cases[label->which];
    uint32_t         k = 0;
    while (k + 1 < one->count && one->ranges[k].first != one->ranges[k].last) k++;
    ilc__text text = {.arena = w->arena}, *out = w->out;
    w->out = &text;
    w->syntax->put_literal(w, ilc__term_literal(w, type, (uint64_t)one->ranges[k].first), true);
    w->out = out;
    return ilc__arena_printf(w->arena, "case %s", ilc__text_string(&text));
}

void ilc__put_goto(ilc__writer *w, uint32_t number)
{
    const ilc__label *label = &w->labels[number];
    uint32_t          at = w->loop_count;
    while (at && !w->loops[at - 1].is_switch) at--;
    bool to_case = w->syntax->language == ILC__LANGUAGE_CS && at && w->loops[at - 1].stmt == label->starts;
    ilc__begin_line(w);
    w->syntax->put_goto(w, to_case ? case_text(w, label, w->loops[at - 1].type) : ilc__arena_printf(w->arena, "L%u", number));
}

void ilc__put_numbered_label(ilc__writer *w, const char *word, uint32_t number)
{
    ilc__begin_line(w);
    w->syntax->put_label(w, ilc__arena_printf(w->arena, "%s%u", word, number));
}

void ilc__put_label(ilc__writer *w, uint32_t number)
{
    if (w->labels[number].is_named) ilc__put_numbered_label(w, "L", number);
}
