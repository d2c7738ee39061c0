/* lines.c - the line map of emitted text, and #line directives made from it.
 *
 * A line comes from the expression that it was put out for (a check, a temporary) or else from its statement. What else
 * stands in it, operands of other source lines among it, follows in its rows. Brackets come from nothing. */
#include "emit/internal.h"

ilc__in_expr ilc__lines_enter(ilc__printer *p, const ilc__expr *expr)
{
    ilc__in_expr around = p->in;
    if (!p->em->mapped) return around;
    p->in.depth++;
    p->in.first = p->offsets.count;
    if (!expr->has_il) return around;
    p->in.expr = expr;
    ILC__PUSH(p->em->arena, &p->offsets, expr->il);
    return around;
}

void ilc__lines_leave(ilc__printer *p, ilc__in_expr around)
{
    p->in = around;
}

static bool is_bracket(const char *text, size_t length)
{
    static const char *const words[] = {"} else {", "do {", "for (;;) {"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (length == strlen(words[i]) && memcmp(text, words[i], length) == 0) return true;
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '{' && text[i] != '}') return false;
    return true;
}

void ilc__lines_note(ilc__printer *p, const char *text)
{
    const ilc__method *method = p->func->place;
    if (!p->em->mapped || is_bracket(text, strlen(text))) return;
    if (p->in.expr)
        ilc__line_map_add(&p->lines, p->line, method, p->in.expr->il);
    else if (p->at && p->at->has_il)
        ilc__line_map_add(&p->lines, p->line, method, p->at->il);
    for (uint32_t i = p->in.depth ? p->in.first : 0; i < p->offsets.count; i++)
        ilc__line_map_add(&p->lines, p->line, method, p->offsets.items[i]);
    if (!p->in.depth) p->offsets.count = 0;
}

/* What a statement that is all expression has left over belongs to its last line, where it has one. */
void ilc__lines_end_stmt(ilc__printer *p, uint32_t first_line)
{
    uint32_t last = p->lines.count ? p->lines.items[p->lines.count - 1].line : 0;
    bool     own = p->lines.count && last >= first_line;
    for (uint32_t i = 0; own && i < p->offsets.count; i++)
        ilc__line_map_add(&p->lines, last, p->func->place, p->offsets.items[i]);
    p->offsets.count = 0;
}

void ilc__lines_of_func(ilc__printer *p, uint32_t head, uint32_t start)
{
    ilc__point first = {0};
    if (!p->em->mapped) return;
    if (p->func->method && p->func->place == p->func->method) {
        (void)ilc__debug_point(p->func->method, 0, &first);
        ilc__line_map_add(&p->em->lines, head, p->func->method, first.il);
    }
    for (uint32_t i = 0; i < p->lines.count; i++) {
        ilc__line line = p->lines.items[i];
        line.line += start;
        ILC__PUSH(p->em->arena, &p->em->lines, line);
    }
}

/* --- directives ------------------------------------------------------------------------------------------- */

static bool can_name(const char *file)
{
    for (; *file; file++)
        if ((unsigned char)*file < 0x20) return false;
    return true;
}

static void put_directive(ilc__text *out, uint32_t line, const char *file)
{
    ilc__text_printf(out, "#line %u \"", line);
    for (; *file; file++) {
        if (*file == '"' || *file == '\\') ilc__text_putc(out, '\\');
        ilc__text_putc(out, *file);
    }
    ilc__text_puts(out, "\"\n");
}

/* Compilers count on by themselves: a directive stands where they would count wrong. */
const char *ilc__lines_direct(ilc__emitter *em, const char *text, const char *own)
{
    ilc__text   out = {.arena = em->arena};
    const char *file = NULL; /* what the compiler counts in; NULL: this text */
    uint32_t    next = 0, row = 0, put = 0;
    for (uint32_t line = 1; *text; line++) {
        size_t           length = strcspn(text, "\n");
        uint32_t         first = row;
        const ilc__line *from = NULL;
        while (row < em->lines.count && em->lines.items[row].line == line) row++;
        if (row > first && em->lines.items[first].source && em->lines.items[first].file && can_name(em->lines.items[first].file))
            from = &em->lines.items[first];
        if (from && (file != from->file || next != from->source)) {
            put_directive(&out, from->source, file = from->file);
            next = from->source;
            put++;
        } else if (!from && file && !is_bracket(text, length)) {
            put_directive(&out, line + put + 1, own);
            file = NULL;
            put++;
        }
        for (uint32_t i = first; i < row; i++) em->lines.items[i].line = line + put;
        bool ended = text[length] == '\n';
        ilc__text_add(&out, text, length + ended);
        text += length + ended;
        next++;
    }
    return ilc__text_string(&out);
}
