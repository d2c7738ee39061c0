/* notes.c - what a schedule found, or why there is none, said where it is decided (docs/schedules.md, Plan). */
#include <stdarg.h>

#include "emit/tile.h"

void ilc__note_add(ilc__emitter *em, const char *schedule, bool holds, const ilc__stmt *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = ilc__arena_vprintf(em->arena, format, args);
    va_end(args);
    ILC__PUSH(em->arena, &em->notes, ((ilc__note){schedule, text, holds, at ? at->line : 0}));
}

/* --- polynomials in the source's names ------------------------------------------------------------------------------- */

static const char *symbol_words(ilc__emitter *em, const ilc__func *func, uint32_t symbol)
{
    if (symbol < ILC__SYM_PARAM) return symbol == ILC__SYM_I ? "i" : symbol == ILC__SYM_J ? "j" : "k";
    const char *name = func->vars.items[ilc__symbol_param(symbol)]->name;
    uint32_t    part = ilc__symbol_part(symbol);
    if (part == ILC__SYM_VALUE) return name;
    if (part == ILC__SYM_LENGTH) return ilc__arena_printf(em->arena, "%s.Length", name);
    return ilc__arena_printf(em->arena, "%s.GetLength(%u)", name, part - ILC__SYM_DIM);
}

const char *ilc__poly_words(ilc__emitter *em, const ilc__func *func, const ilc__poly *poly)
{
    ilc__text text = {.arena = em->arena};
    if (poly->count == 0) return "0";
    for (uint32_t i = poly->count; i-- > 0;) {
        const ilc__term *term = &poly->terms[i];
        long long        factor = term->factor < 0 ? -term->factor : term->factor;
        bool             first = i + 1 == poly->count;
        ilc__text_puts(&text, first ? term->factor < 0 ? "-" : "" : term->factor < 0 ? " - " : " + ");
        if (factor != 1 || term->count == 0) ilc__text_printf(&text, "%lld%s", factor, term->count ? " * " : "");
        for (uint32_t k = 0; k < term->count; k++) ilc__text_printf(&text, "%s%s", k ? " * " : "", symbol_words(em, func, term->symbols[k]));
    }
    return ilc__text_string(&text);
}

/* "x(i * cols + k)" */
static const char *load_words(ilc__emitter *em, const ilc__func *func, const ilc__tile_load *load)
{
    return ilc__arena_printf(em->arena, "%s(%s)", load->array->name, ilc__poly_words(em, func, &load->index));
}

const char *ilc__loads_words(ilc__emitter *em, const ilc__func *func, const ilc__tile_load *loads, uint32_t count)
{
    ilc__text text = {.arena = em->arena};
    for (uint32_t i = 0; i < count; i++) ilc__text_printf(&text, "%s%s", i ? ", " : "", load_words(em, func, &loads[i]));
    return ilc__text_string(&text);
}
