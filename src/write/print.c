/* print.c - terms as text: parentheses where the language's precedence asks for them, `checked` and helpers where an
 * operator does not mean at its place what the tree means. */
#include "write/internal.h"

static bool is_cs(const ilc__writer *w)
{
    return w->syntax->language == ILC__LANGUAGE_CS;
}

static bool is_number(const ilc__term *t)
{
    return t->kind == ILC__W_LITERAL && ilc__is_scalar(t->type) && t->type.storage != ILC_BOOL && t->type.storage != ILC_VOID;
}

static bool is_negative(const ilc__term *t)
{
    if (t->kind != ILC__W_LITERAL || !is_number(t)) return false;
    if (t->type.storage == ILC_F32) return (uint32_t)t->bits >> 31 && !ilc__is_nan_or_infinite(t);
    if (t->type.storage == ILC_F64) return t->bits >> 63 && !ilc__is_nan_or_infinite(t);
    return !ilc__is_unsigned(t->type.storage) && (int64_t)t->bits < 0;
}

/* Does the operator need another state than the place is in? C# says it around the operation. */
static bool wants_other_state(const ilc__writer *w, const ilc__term *t)
{
    if (!is_cs(w) || t->overflow == ILC__ANY) return false;
    if (t->kind != ILC__W_BINARY && t->kind != ILC__W_UNARY && t->kind != ILC__W_CAST) return false;
    return (t->overflow == ILC__CHECKS) != w->state;
}

uint8_t ilc__level_of(ilc__writer *w, const ilc__term *t)
{
    const ilc__syntax *syntax = w->syntax;
    if (syntax->helper_for(w, t) || wants_other_state(w, t)) return syntax->level_primary;
    switch (t->kind) {
    case ILC__W_LITERAL: return is_negative(t) ? syntax->level_unary : syntax->level_primary;
    case ILC__W_UNARY: case ILC__W_BINARY: return syntax->operators[t->opr].level;
    case ILC__W_CHOICE: return syntax->level_choice;
    case ILC__W_CAST: return syntax->cast_level(w, t);
    case ILC__W_DEREF: case ILC__W_ADDRESSOF: return syntax->level_unary;
    default: return syntax->level_primary;
    }
}

/* --- operators ------------------------------------------------------------------------------------------------------------ */

/* A literal takes the type of what stands beside it, where the language does so. */
static bool is_bare_beside(const ilc__writer *w, const ilc__term *t, const ilc__term *other)
{
    ilc_storage type = t->type.storage;
    if (t->kind != ILC__W_LITERAL || other->kind == ILC__W_LITERAL || other->type.storage != type) return false;
    if (type == ILC_I64) return (int64_t)t->bits >= INT32_MIN && (int64_t)t->bits <= INT32_MAX;
    return is_cs(w) && (type == ILC_U32 || type == ILC_U64) && t->bits <= INT32_MAX;
}

static void put_operand(ilc__writer *w, const ilc__term *t, const ilc__term *other, uint8_t level)
{
    if (!is_cs(w) && ilc__vb_put_narrow(w, t)) return;
    if (is_bare_beside(w, t, other) && !is_negative(t)) {
        w->syntax->put_literal(w, t, true);
    } else {
        ilc__put(w, t, level);
    }
}

static bool is_associative(const ilc__term *t)
{
    switch (t->opr) {
    case ILC__OPR_ANDALSO: case ILC__OPR_ORELSE: case ILC__OPR_AND: case ILC__OPR_OR: case ILC__OPR_XOR: return true;
    default: return false;
    }
}

static void put_binary(ilc__writer *w, const ilc__term *t)
{
    const ilc__spelling *s = &w->syntax->operators[t->opr];
    const ilc__term     *x = t->args[0], *y = t->args[1];
    bool                 right = is_associative(t) && y->kind == ILC__W_BINARY && y->opr == t->opr;
    put_operand(w, x, y, s->level);
    ilc__text_puts(w->out, s->text);
    bool shift = t->opr == ILC__OPR_SHL || t->opr == ILC__OPR_SHR;
    if (shift) ilc__put(w, y, (uint8_t)(s->level + 1));
    else put_operand(w, y, x, (uint8_t)(s->level + (right ? 0 : 1)));
}

static bool begins_with_minus(ilc__writer *w, const ilc__term *t)
{
    return is_negative(t) || (t->kind == ILC__W_UNARY && t->opr == ILC__OPR_NEG && !wants_other_state(w, t) && !w->syntax->helper_for(w, t));
}

static void put_unary(ilc__writer *w, const ilc__term *t)
{
    const ilc__spelling *s = &w->syntax->operators[t->opr];
    ilc__text_puts(w->out, s->text);
    ilc__put(w, t->args[0], t->opr == ILC__OPR_NEG && begins_with_minus(w, t->args[0]) ? w->syntax->level_primary : s->level);
}

/* --- calls, members ---------------------------------------------------------------------------------------------------- */

void ilc__put_args(ilc__writer *w, ilc__term *const *args, uint32_t count)
{
    ilc__text_putc(w->out, '(');
    for (uint32_t i = 0; i < count; i++) {
        if (i) ilc__text_puts(w->out, ", ");
        /* F(a < b, c > (d)) would read as a generic call */
        bool angle = is_cs(w) && args[i]->kind == ILC__W_BINARY && (args[i]->opr == ILC__OPR_LT || args[i]->opr == ILC__OPR_GT);
        ilc__put(w, args[i], angle && count > 1 ? w->syntax->level_primary : ILC__LEVEL_NONE);
    }
    ilc__text_putc(w->out, ')');
}

static void put_call(ilc__writer *w, const ilc__term *t)
{
    const ilc__func *func = t->func;
    bool             instance = func->method && !(func->method->flags & ILC__METHOD_STATIC) && t->arg_count;
    if (instance) {
        const ilc__term *receiver = t->args[0]->kind == ILC__W_REF ? t->args[0]->args[0] : t->args[0];
        if (!receiver->type.is_pointer) {
            ilc__put(w, receiver, w->syntax->level_primary);
            ilc__text_putc(w->out, '.');
        } else {
            ilc__put(w, receiver, w->syntax->level_primary);
            ilc__text_puts(w->out, "->");
        }
        w->syntax->put_name(w->out, ilc__func_name(w->names, func));
        ilc__put_args(w, t->args + 1, t->arg_count - 1);
        return;
    }
    const char *name = ilc__func_name(w->names, func), *owner = ilc__owner_name(w->names, func);
    if (*owner && strcmp(owner, ilc__owner_name(w->names, w->func)) != 0) ilc__text_printf(w->out, "%s.", owner);
    w->syntax->put_name(w->out, name);
    ilc__put_args(w, t->args, t->arg_count);
}

static void put_index(ilc__writer *w, const ilc__term *t)
{
    ilc__put(w, t->args[0], w->syntax->level_primary);
    ilc__text_putc(w->out, is_cs(w) ? '[' : '(');
    for (uint32_t i = 1; i < t->arg_count; i++) {
        if (i > 1) ilc__text_puts(w->out, ", ");
        ilc__put(w, t->args[i], ILC__LEVEL_NONE);
    }
    ilc__text_putc(w->out, is_cs(w) ? ']' : ')');
}

static void put_plain(ilc__writer *w, const ilc__term *t)
{
    const ilc__syntax *syntax = w->syntax;
    switch (t->kind) {
    case ILC__W_LITERAL: syntax->put_literal(w, t, false); return;
    case ILC__W_TEXT:
        if (t->text) syntax->put_text(w->out, t->text);
        else ilc__text_puts(w->out, syntax->null);
        return;
    case ILC__W_NAME: ilc__text_puts(w->out, t->text); return;
    case ILC__W_UNARY: put_unary(w, t); return;
    case ILC__W_BINARY: put_binary(w, t); return;
    case ILC__W_CHOICE: syntax->put_choice(w, t); return;
    case ILC__W_CAST: syntax->put_cast(w, t); return;
    case ILC__W_LIBRARY: case ILC__W_HELPER:
        ilc__text_puts(w->out, t->text);
        ilc__put_args(w, t->args, t->arg_count);
        return;
    case ILC__W_CALL: put_call(w, t); return;
    case ILC__W_MEMBER:
        ilc__put(w, t->args[0], syntax->level_primary);
        ilc__text_puts(w->out, t->args[0]->type.is_pointer ? "->" : ".");
        syntax->put_name(w->out, t->text);
        return;
    case ILC__W_INDEX: put_index(w, t); return;
    case ILC__W_METHOD:
        ilc__put(w, t->args[0], syntax->level_primary);
        ilc__text_printf(w->out, ".%s", t->text);
        ilc__put_args(w, t->args + 1, t->arg_count - 1);
        return;
    case ILC__W_NEWARRAY: syntax->put_new_array(w, t); return;
    case ILC__W_DEFAULT: syntax->put_default(w, t); return;
    case ILC__W_DEREF:
        if (is_cs(w)) ilc__text_putc(w->out, '*');
        ilc__put(w, t->args[0], is_cs(w) ? syntax->level_unary : syntax->level_primary);
        if (!is_cs(w)) ilc__text_puts(w->out, "(0)");
        return;
    case ILC__W_ADDRESSOF:
        ilc__text_puts(w->out, is_cs(w) ? "&" : "AddressOf ");
        ilc__put(w, t->args[0], syntax->level_unary);
        return;
    case ILC__W_REF:
        if (is_cs(w)) ilc__text_puts(w->out, "ref ");
        ilc__put_place(w, t->args[0]);
        return;
    }
}

/* What is behind "ref": C# gives none into a read-only span. */
void ilc__put_place(ilc__writer *w, const ilc__term *place)
{
    const ilc__term *base = place;
    while (base->kind == ILC__W_MEMBER) base = base->args[0];
    bool read_only = is_cs(w) && base->kind == ILC__W_INDEX && base->args[0]->type.is_readonly;
    if (read_only) ilc__text_puts(w->out, "Unsafe.AsRef(in ");
    ilc__put(w, place, ILC__LEVEL_NONE);
    if (read_only) ilc__text_putc(w->out, ')');
}

void ilc__put(ilc__writer *w, const ilc__term *t, uint8_t level)
{
    const char *helper = w->syntax->helper_for(w, t);
    if (helper) {
        ilc__text_puts(w->out, ilc__helper_use(w, helper));
        ilc__put_args(w, t->args, t->arg_count);
        return;
    }
    bool other = wants_other_state(w, t), before = w->state;
    bool wrap = !other && ilc__level_of(w, t) < level;
    if (other) {
        w->state = !w->state;
        ilc__text_puts(w->out, w->state ? "checked(" : "unchecked(");
    } else if (wrap) {
        ilc__text_putc(w->out, '(');
    }
    put_plain(w, t);
    if (other || wrap) ilc__text_putc(w->out, ')');
    w->state = before;
}

void ilc__put_value(ilc__writer *w, const ilc__term *t, ilc__wtype place)
{
    bool bare = t->kind == ILC__W_LITERAL && ilc__is_scalar(place) && t->type.storage == place.storage;
    if (bare) w->syntax->put_literal(w, t, true);
    else ilc__put(w, t, ILC__LEVEL_NONE);
}

void ilc__put_elements(ilc__writer *w, const ilc__term *t)
{
    for (uint32_t i = 1; i < t->arg_count; i++) {
        if (i > 1) ilc__text_puts(w->out, ", ");
        ilc__put_value(w, t->args[i], ilc__scalar(t->type.storage));
    }
}
