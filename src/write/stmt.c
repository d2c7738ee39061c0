/* stmt.c - statements in a language's words. */
#include "write/internal.h"

void ilc__begin_line(ilc__writer *w)
{
    for (uint32_t i = 0; i < w->indent; i++) ilc__text_puts(w->out, "    ");
}

void ilc__put_line(ilc__writer *w, const char *text)
{
    ilc__begin_line(w);
    ilc__text_puts(w->out, text);
    ilc__text_putc(w->out, '\n');
}

/* The number of the line being written, from 0. */
static uint32_t line_number(ilc__writer *w)
{
    for (; w->counted < w->out->length; w->counted++) w->lines += w->out->data[w->counted] == '\n';
    return w->lines;
}

/* The next line comes from the statement, or from one of its offsets. */
void ilc__note(ilc__writer *w, const ilc__stmt *s)
{
    if (w->mapped) ilc__stmt_lines(&w->map, line_number(w), w->func, s);
}

void ilc__note_il(ilc__writer *w, bool has_il, uint32_t il)
{
    if (w->mapped && has_il) ilc__line_map_add(&w->map, line_number(w), w->func->place, il);
}

void ilc__put_body(ilc__writer *w, const ilc__block *list)
{
    ilc__put_inside(w, list->first, NULL);
}

void ilc__put_inside(ilc__writer *w, const ilc__stmt *first, const ilc__stmt *end)
{
    w->indent++;
    ilc__put_stmts(w, first, end);
    w->indent--;
}

/* --- assignments ---------------------------------------------------------------------------------------------------------- */

static bool is_commonly_compound(ilc__operator opr)
{
    return opr == ILC__OPR_ADD || opr == ILC__OPR_SUB || opr == ILC__OPR_MUL || opr == ILC__OPR_DIV ||
           opr == ILC__OPR_QUOTIENT || opr == ILC__OPR_SHL || opr == ILC__OPR_SHR || opr == ILC__OPR_POWER;
}

static bool is_compound(const ilc__writer *w, ilc__operator opr)
{
    if (w->syntax->language == ILC__LANGUAGE_VB) return is_commonly_compound(opr);
    return opr != ILC__OPR_POWER && (is_commonly_compound(opr) || opr == ILC__OPR_MOD || opr == ILC__OPR_AND ||
                                     opr == ILC__OPR_OR || opr == ILC__OPR_XOR);
}

static bool as_everywhere(const ilc__writer *w, ilc__overflow overflow)
{
    return overflow == ILC__ANY || (overflow == ILC__CHECKS) == w->checked;
}

/* C#: x op= y also cuts what is computed in Int32 to a narrow x. */
static const ilc__term *without_cut(const ilc__writer *w, const ilc__term *place, const ilc__term *value)
{
    bool cut = w->syntax->language == ILC__LANGUAGE_CS && value->kind == ILC__W_CAST && ilc__is_scalar(place->type) &&
               ilc__is_small(place->type.storage) && place->type.storage != ILC_CHAR && as_everywhere(w, value->overflow) &&
               value->args[0]->kind == ILC__W_BINARY && value->args[0]->type.storage == ILC_I32;
    if (!cut) return value;
    const ilc__term *inner = value->args[0], *y = inner->args[1];
    bool shift = inner->opr == ILC__OPR_SHL || inner->opr == ILC__OPR_SHR;
    bool fits = shift || ilc__holds(place->type.storage, y->type.storage) || (y->kind == ILC__W_LITERAL && y->bits < 128);
    /* what the operation does on overflow, it would do to the narrow value as well */
    return fits && y->type.storage != ILC_CHAR ? inner : value;
}

/* place op= ... ? */
static bool is_update(const ilc__writer *w, const ilc__term *place, const ilc__term *value)
{
    const ilc__term *v = without_cut(w, place, value);
    return v->kind == ILC__W_BINARY && is_compound(w, v->opr) && as_everywhere(w, v->overflow) &&
           (v != value || ilc__wtype_same(v->type, place->type)) && ilc__same_place(v->args[0], place);
}

void ilc__put_assignment(ilc__writer *w, const ilc__term *place, const ilc__term *value)
{
    const ilc__term *v = without_cut(w, place, value);
    ilc__begin_line(w);
    if (is_update(w, place, value)) w->syntax->put_compound(w, place, v->opr, v->args[1]);
    else w->syntax->put_assign(w, place, value);
}

static ilc__term *value_for(ilc__writer *w, const ilc__expr *e, ilc__wtype type)
{
    if (type.is_pointer) {
        type.is_pointer = false;
        return ilc__pointer(w, e, type);
    }
    return ilc__view_for(w, e, type);
}

static void put_assign(ilc__writer *w, const ilc__stmt *s)
{
    const ilc__var *var = s->var;
    bool            declares = ilc__declares(w, s, var);
    if (ilc__is_by_ref(w->func, var)) {
        ilc__term *place = ilc__place(w, s->a, ilc__var_type(w->func, var));
        ilc__begin_line(w);
        w->syntax->put_bind(w, var, place, declares);
        return;
    }
    ilc__term *value = value_for(w, s->a, ilc__var_type(w->func, var));
    if (declares) {
        ilc__begin_line(w);
        w->syntax->put_declaration(w, var, value, false);
        return;
    }
    ilc__put_assignment(w, ilc__term_name(w, ilc__var_type(w->func, var), w->var_names[var->index]), value);
}

/* --- arrays with their elements --------------------------------------------------------------------------------------- */

enum { MAX_LITERAL = 256 };

static bool fills_element(const ilc__stmt *s, const ilc__var *var, int64_t from, int64_t length)
{
    if (s->kind != ILC__ST_STORE || s->a->kind != ILC__EX_VAR || s->a->u.var != var || s->b->kind != ILC__EX_CONST) return false;
    int64_t index = (int32_t)(uint32_t)s->b->u.bits;
    return index >= from && index < length && !s->c->has_effect && !ilc__mentions(s->c, var);
}

/* An array that a line of the source makes and fills, element after element: its literal. The last statement of it, or NULL. */
static const ilc__stmt *put_array_literal(ilc__writer *w, const ilc__stmt *s)
{
    if (s->kind != ILC__ST_ASSIGN || !s->var->is_array || s->a->kind != ILC__EX_NEWARR || s->a->u.var->table || s->a->u.var->layout) return NULL;
    if (s->a->args[0]->kind != ILC__EX_CONST || s->a->args[0]->u.bits > MAX_LITERAL) return NULL;
    int64_t          length = (int64_t)s->a->args[0]->u.bits, next = 0, count = 0;
    const ilc__stmt *last = NULL;
    for (const ilc__stmt *at = s->next; at && at->line == s->line && fills_element(at, s->var, next, length) && !ilc__declared_at(w, at); at = at->next) {
        next = (int32_t)(uint32_t)at->b->u.bits + 1;
        last = at;
        count++;
    }
    if (count < 2 || count * 2 < length) return NULL;
    ilc__wtype  array = ilc__array_type_of(s->a), elem = ilc__scalar(array.storage);
    ilc__term  *value = ilc__term_new(w, ILC__W_NEWARRAY, array, (uint32_t)length + 1);
    value->args[0] = ilc__term_literal(w, ILC_I32, (uint64_t)length);
    for (int64_t i = 0; i < length; i++) value->args[i + 1] = ilc__term_literal(w, array.storage, 0);
    for (const ilc__stmt *at = s->next; count-- > 0; at = at->next) value->args[at->b->u.bits + 1] = ilc__view_for(w, at->c, elem);
    ilc__begin_line(w);
    if (ilc__declares(w, s, s->var)) w->syntax->put_declaration(w, s->var, value, false);
    else w->syntax->put_assign(w, ilc__term_name(w, ilc__var_type(w->func, s->var), w->var_names[s->var->index]), value);
    return last;
}

static void put_store(ilc__writer *w, const ilc__stmt *s)
{
    ilc__term *place = ilc__element_at(w, s->a, s->b, ilc__scalar(s->storage));
    ilc__put_assignment(w, place, value_for(w, s->c, place->type));
}

/* The place is looked at before the value is made; the languages' assignment to an element looks after it. */
static void put_kept_place(ilc__writer *w, ilc__term *place, ilc__term *value)
{
    ilc__term *ref = ilc__term_new(w, ILC__W_REF, place->type, 1);
    ref->args[0] = place;
    ilc__begin_line(w);
    w->syntax->put_drop(w, ilc__term_helper(w, "Assign", ilc__scalar(ILC_VOID), ref, value));
}

/* Through an address: the place that it names is assigned to. */
static void put_memory(ilc__writer *w, const ilc__stmt *s)
{
    ilc__wtype type = s->kind == ILC__ST_STOREIND ? ilc__scalar(s->storage)
                                                  : (ilc__wtype){.storage = ILC_STRUCT, .layout = s->layout};
    ilc__term *place = ilc__place(w, s->a, type), *value;
    if (s->kind == ILC__ST_STOREIND) value = value_for(w, s->b, place->type);
    else if (s->kind == ILC__ST_COPYMEM) value = ilc__place(w, s->b, type);
    else value = ilc__term_new(w, ILC__W_DEFAULT, type, 0);
    if (s->a->kind == ILC__EX_SLOTADDR && ilc__declares(w, s, s->a->u.var)) {
        ilc__begin_line(w);
        w->syntax->put_declaration(w, s->a->u.var, value, false);
        return;
    }
    if (place->kind == ILC__W_INDEX && place->args[0]->type.dims && value->effects && !is_update(w, place, value)) {
        put_kept_place(w, place, value);
        return;
    }
    ilc__put_assignment(w, place, value);
}

static void put_bytes(ilc__writer *w, const ilc__stmt *s)
{
    ilc__wtype byte = ilc__scalar(ILC_U8);
    bool       copy = s->kind == ILC__ST_COPYBYTES;
    ilc__term *t = ilc__term_helper(w, copy ? "CopyBytes" : "FillBytes", ilc__scalar(ILC_VOID), NULL, NULL);
    ilc__term *args[3] = {ilc__pointer(w, s->a, byte), copy ? ilc__pointer(w, s->b, byte) : ilc__view_as(w, s->b, ILC_U8),
                          ilc__view_as(w, s->c, ILC_U32)};
    t->args = args;
    t->arg_count = 3;
    ilc__begin_line(w);
    w->syntax->put_drop(w, t);
}

/* place = F(...): the place is looked at after the call, so nothing may fail there. */
static void put_struct_call(ilc__writer *w, const ilc__stmt *s)
{
    const ilc__expr *to = s->a->args[s->a->arg_count - 1];
    ilc__term       *call = ilc__view_call(w, s->a);
    ilc__term       *place = ilc__place(w, to, call->type);
    const ilc__term *base = place;
    while (base->kind == ILC__W_MEMBER) base = base->args[0];
    if (base->kind != ILC__W_NAME) ilc__cannot(w, "a struct result that is made in an element");
    ilc__begin_line(w);
    if (to->kind == ILC__EX_SLOTADDR && ilc__declares(w, s, to->u.var)) w->syntax->put_declaration(w, to->u.var, call, false);
    else w->syntax->put_assign(w, place, call);
}

/* A test of a pointer that the next statement reads through: a text to read has no need of it. */
static bool is_tested_again(const ilc__writer *w, const ilc__stmt *s)
{
    const ilc__stmt *next = s->next;
    if (w->in_unit || s->a->kind != ILC__EX_NONNULL || s->a->args[0]->kind != ILC__EX_VAR || !next) return false;
    const ilc__var *var = s->a->args[0]->u.var;
    return ilc__mentions(next->a, var) || ilc__mentions(next->b, var) || ilc__mentions(next->c, var);
}

static void put_eval(ilc__writer *w, const ilc__stmt *s)
{
    const ilc__expr *e = s->a;
    if (is_tested_again(w, s)) return;
    if (e->kind == ILC__EX_CALL && e->u.callee->ret_layout && e->arg_count) {
        put_struct_call(w, s);
        return;
    }
    ilc__term *t;
    if (e->kind == ILC__EX_NONNULL) {
        ilc__wtype of = ilc__pointee_of(e->args[0]);
        if (of.storage == ILC_VOID && !of.layout) of = ilc__scalar(ILC_U8);
        t = ilc__place(w, e->args[0], of);
    } else if (e->type == ILC__IR_REF) {
        t = ilc__array(w, e);
    } else if (e->type == ILC__IR_ADDR) {
        t = ilc__place(w, e, ilc__pointee_of(e));
    } else {
        t = ilc__view(w, e, ILC_VOID);
    }
    ilc__begin_line(w);
    w->syntax->put_drop(w, t);
}

/* --- branches -------------------------------------------------------------------------------------------------------------- */

static void put_if(ilc__writer *w, const ilc__stmt *s)
{
    bool again = false;
    for (;; again = true) {
        if (again && w->syntax->language == ILC__LANGUAGE_CS) ilc__put_line(w, "}");
        if (again) ilc__note(w, s);
        ilc__begin_line(w);
        w->syntax->put_if(w, ilc__view_truth(w, s->a), again);
        ilc__put_body(w, &s->body);
        const ilc__stmt *inner = s->other.first;
        bool chain = inner && inner->kind == ILC__ST_IF && !inner->next && !ilc__declared_at(w, inner);
        if (!chain) break;
        s = inner;
    }
    if (s->other.first) {
        w->syntax->put_else(w);
        ilc__put_body(w, &s->other);
    }
    w->syntax->put_end_if(w);
}

static bool ends_in_jump(const ilc__block *list)
{
    if (!list->last) return false;
    switch (list->last->kind) {
    case ILC__ST_RETURN: case ILC__ST_THROW: case ILC__ST_GOTO: case ILC__ST_CONTINUE: case ILC__ST_BREAK: return true;
    default: return false;
    }
}

/* Is every number of the cases one of the narrow type? */
static bool holds_cases(const ilc__stmt *s, ilc_storage type)
{
    int64_t most = ((int64_t)1 << (ilc__bits_of(type) - !ilc__is_unsigned(type))) - 1, least = ilc__is_unsigned(type) ? 0 : -most - 1;
    for (uint32_t k = 0; k < s->case_count; k++)
        for (uint32_t i = 0; i < s->cases[k].count; i++)
            if (s->cases[k].ranges[i].first < least || s->cases[k].ranges[i].last > most) return false;
    return true;
}

/* C#: switch (c | 32) has cases that are characters, where all of them can be read. */
static bool has_character_cases(const ilc__writer *w, const ilc__stmt *s, const ilc__term *value)
{
    bool bits = value->kind == ILC__W_BINARY && (value->opr == ILC__OPR_OR || value->opr == ILC__OPR_AND) && value->type.storage == ILC_I32;
    if (w->syntax->language != ILC__LANGUAGE_CS || !bits || (value->args[0]->type.storage != ILC_CHAR && value->args[1]->type.storage != ILC_CHAR)) return false;
    for (uint32_t k = 0; k < s->case_count; k++)
        for (uint32_t i = 0; i < s->cases[k].count; i++)
            if (s->cases[k].ranges[i].first <= ' ' || s->cases[k].ranges[i].last >= 127) return false;
    return true;
}

/* Ranges are of signed numbers; the source's type holds them where none is negative, or is made one that does. */
static ilc_storage switch_type(const ilc__stmt *s, ilc_storage type)
{
    bool wide = s->a->type == ILC__IR_I64;
    if (type == ILC_CHAR || type == (wide ? ILC_I64 : ILC_I32)) return type;
    if (ilc__is_small(type) && holds_cases(s, type)) return type;
    if (type != (wide ? ILC_U64 : ILC_U32)) return wide ? ILC_I64 : ILC_I32;
    for (uint32_t k = 0; k < s->case_count; k++)
        for (uint32_t i = 0; i < s->cases[k].count; i++)
            if (s->cases[k].ranges[i].first < 0) return wide ? ILC_I64 : ILC_I32;
    return type;
}

static void put_goto_word(ilc__writer *w, const char *word, uint32_t number)
{
    ilc__begin_line(w);
    w->syntax->put_goto(w, ilc__arena_printf(w->arena, "%s%u", word, number));
}

/* The cases that others jump to, behind the Select. */
static void put_cases_apart(ilc__writer *w, const ilc__stmt *s)
{
    uint32_t end = ++w->exit_count;
    bool     falls = true;
    for (uint32_t k = 0; k <= s->case_count; k++) {
        const ilc__block *body = k == s->case_count ? &s->other : &s->cases[k].body;
        if (!ilc__case_stands_apart(w, body)) continue;
        if (falls) put_goto_word(w, "EndSelect", end);
        ilc__put_list(w, body);
        falls = !ends_in_jump(body);
    }
    ilc__put_numbered_label(w, "EndSelect", end);
}

static void put_switch(ilc__writer *w, const ilc__stmt *s)
{
    ilc__term *value = ilc__view(w, s->a, ILC_VOID);
    while (value->kind == ILC__W_CAST && value->exact && ilc__is_scalar(value->args[0]->type) && ilc__is_small(value->args[0]->type.storage))
        value = value->args[0];
    ilc_storage type = switch_type(s, value->type.storage);
    bool        any_apart = false;
    value = ilc__convert(w, value, type);
    if (has_character_cases(w, s, value)) type = ILC_CHAR;
    ilc__begin_line(w);
    w->syntax->put_switch(w, value);
    w->loops[w->loop_count++] = (ilc__loop_name){.stmt = s, .is_switch = true, .type = type};
    w->indent++;
    for (uint32_t k = 0; k <= s->case_count; k++) {
        bool              last = k == s->case_count;
        const ilc__block *body = last ? &s->other : &s->cases[k].body;
        if (last && !body->first) break;
        if (!last) ilc__note_il(w, s->cases[k].has_il, s->cases[k].il);
        if (last) w->syntax->put_case(w, type, NULL, 0);
        else w->syntax->put_case(w, type, s->cases[k].ranges, s->cases[k].count);
        bool apart = ilc__case_stands_apart(w, body);
        any_apart = any_apart || apart;
        w->indent += apart;
        if (apart) ilc__put_goto(w, body->first->label);
        w->indent -= apart;
        if (!apart) ilc__put_body(w, body);
        w->syntax->put_end_case(w, !ends_in_jump(body));
    }
    w->indent--;
    w->loop_count--;
    w->syntax->put_end_switch(w);
    if (any_apart) put_cases_apart(w, s);
}

ilc__shape_of_range ilc__range_shape(ilc_storage type, ilc__interval range)
{
    int64_t least = type == ILC_I64 ? INT64_MIN : INT32_MIN, most = type == ILC_I64 ? INT64_MAX : INT32_MAX;
    bool    bounded = type == ILC_I32 || type == ILC_I64;
    if (range.first == range.last) return ILC__RANGE_ONE;
    if (bounded && range.first == least) return ILC__RANGE_BELOW;
    if (bounded && range.last == most) return ILC__RANGE_ABOVE;
    return ILC__RANGE_BETWEEN;
}

/* The constructor's arguments; a message alone where no more is known of them. */
static void put_throw(ilc__writer *w, const ilc__stmt *s)
{
    const ilc__exception *exc = s->exc;
    ilc__wtype            text = {.is_string = true};
    ilc__term            *args[8];
    uint32_t              count = 0, opened = 0, number = 0;
    ilc__begin_line(w);
    if (!exc) {
        w->syntax->put_throw(w, "Exception", NULL, 0);
        return;
    }
    bool own = exc->base && strcmp(exc->base, exc->type) != 0;
    if ((own || !exc->kinds) && exc->message) {
        /* these take the parameter's name first */
        bool parameter = !own && (strstr(exc->type, "ArgumentNull") || strstr(exc->type, "ArgumentOutOfRange"));
        if (parameter) args[count++] = ilc__term_new(w, ILC__W_TEXT, text, 0);
        args[count] = ilc__term_new(w, ILC__W_TEXT, text, 0);
        args[count++]->text = exc->message;
    } else if (exc->kinds) {
        for (const char *k = exc->kinds; *k && count < 8; k++) {
            bool is_text = *k == 's' || *k == 'o';
            if (*k == 'i') args[count++] = ilc__term_literal(w, ILC_I32, 0);
            else if (is_text && exc->open[number]) args[count++] = ilc__view_string(w, w->func, opened++ ? s->b : s->a);
            else {
                args[count] = ilc__term_new(w, ILC__W_TEXT, text, 0);
                if (is_text) args[count]->text = exc->strings[number];
                count++;
            }
            number += is_text;
        }
    }
    w->syntax->put_throw(w, ilc__exception_name(w->names, exc), args, count);
}

/* --- one list, one function -------------------------------------------------------------------------------------------------- */

static const ilc__var *result_var(const ilc__func *func)
{
    return func->ret_layout ? func->vars.items[func->param_count - 1] : NULL;
}

static ilc__term *result_place(ilc__writer *w, const ilc__var *var)
{
    return ilc__term_name(w, ilc__var_type(w->func, var), w->var_names[var->index]);
}

static void put_return(ilc__writer *w, const ilc__stmt *s)
{
    const ilc__func *f = w->func;
    const ilc__var  *result = result_var(f);
    ilc__term       *value = NULL;
    if (result) {
        value = result_place(w, result);
    } else if (s->a && f->ret_to) {
        ilc__wtype type = ilc__result_type(f);
        value = ilc__term_new(w, ILC__W_REF, type, 1);
        value->args[0] = ilc__place(w, s->a, type);
    } else if (s->a) {
        value = ilc__view_for(w, s->a, ilc__result_type(f));
    }
    ilc__begin_line(w);
    w->syntax->put_return(w, value);
}

void ilc__put_stmt(ilc__writer *w, const ilc__stmt *s)
{
    switch (s->kind) {
    case ILC__ST_ASSIGN: put_assign(w, s); return;
    case ILC__ST_STORE: put_store(w, s); return;
    case ILC__ST_STOREIND: case ILC__ST_COPYMEM: case ILC__ST_ZEROMEM: put_memory(w, s); return;
    case ILC__ST_COPYBYTES: case ILC__ST_FILLBYTES: put_bytes(w, s); return;
    case ILC__ST_EVAL: put_eval(w, s); return;
    case ILC__ST_IF: put_if(w, s); return;
    case ILC__ST_LOOP: case ILC__ST_WHILE: case ILC__ST_DO: case ILC__ST_FOR: ilc__put_loop(w, s); return;
    case ILC__ST_SWITCH: put_switch(w, s); return;
    case ILC__ST_BREAK: case ILC__ST_CONTINUE: ilc__put_exit(w, s); return;
    case ILC__ST_RETURN: put_return(w, s); return;
    case ILC__ST_THROW: put_throw(w, s); return;
    case ILC__ST_LABEL: ilc__put_label(w, s->label); return;
    case ILC__ST_GOTO: ilc__put_goto(w, s->label); return;
    }
}

static void put_dim(ilc__writer *w, const ilc__var *var)
{
    ilc__begin_line(w);
    w->syntax->put_declaration(w, var, NULL, true);
}

static const ilc__stmt *put_several(ilc__writer *w, const ilc__stmt *s, const ilc__stmt *end)
{
    const ilc__stmt *last = w->returns_values ? ilc__put_made(w, s, w->indent == w->outermost) : NULL;
    if (!last) last = put_array_literal(w, s);
    if (!last && w->syntax->language == ILC__LANGUAGE_CS) last = ilc__put_cs_idiom(w, s, end);
    return last;
}

/* Up to end, which is NULL or stands behind first. */
void ilc__put_stmts(ilc__writer *w, const ilc__stmt *first, const ilc__stmt *end)
{
    for (const ilc__stmt *s = first; s != end; s = s->next) {
        for (const ilc__var *v = ilc__declared_at(w, s); v; v = ilc__declared_next(w, v)) put_dim(w, v);
        if (s->kind != ILC__ST_DO) ilc__note(w, s);
        const ilc__stmt *last = put_several(w, s, end);
        if (last) s = last;
        else ilc__put_stmt(w, s);
    }
}

void ilc__put_list(ilc__writer *w, const ilc__block *list)
{
    ilc__put_stmts(w, list->first, NULL);
}

/* The head's line comes from the method; the body's, counted in a text of its own so far, stand below it. */
static void settle_lines(ilc__writer *w, uint32_t head, uint32_t start)
{
    ilc__line_map body = w->map;
    ilc__point    first = {0};
    w->map = (ilc__line_map){.arena = w->arena};
    if (!w->func->method) return;
    if (w->func->place == w->func->method) {
        (void)ilc__debug_point(w->func->method, 0, &first);
        ilc__line_map_add(&w->map, head, w->func->method, first.il);
    }
    for (uint32_t i = 0; i < body.count; i++) {
        body.items[i].line += start;
        ILC__PUSH(w->arena, &w->map, body.items[i]);
    }
}

void ilc__put_function(ilc__writer *w)
{
    const ilc__func *f = w->func;
    const ilc__var  *result = result_var(f);
    if (f->has_goto) ilc__find_labels(w);
    w->state = w->checked;
    ilc__names_of_func(w);
    ilc__place_vars(w);
    ilc__text body = {.arena = w->arena}, *out = w->out;
    w->out = &body;
    w->outermost = ++w->indent;
    w->returns_values = ilc__returns_values(w);
    if (result && !w->returns_values) put_dim(w, result);
    for (uint32_t i = f->param_count; i < f->vars.count; i++)
        if (ilc__declared_on_top(w, f->vars.items[i])) put_dim(w, f->vars.items[i]);
    ilc__put_list(w, &f->body);
    const ilc__stmt *last = f->body.last;
    bool             ends = last && (last->kind == ILC__ST_RETURN || last->kind == ILC__ST_THROW);
    if (result && !ends && !w->returns_values) {
        ilc__begin_line(w);
        w->syntax->put_return(w, result_place(w, result));
    }
    w->indent--;
    w->out = out;
    w->counted = w->lines = 0;
    uint32_t head = w->mapped ? line_number(w) : 0;
    w->syntax->put_head(w); /* last: it says what the body needs */
    if (w->mapped) settle_lines(w, head, line_number(w));
    ilc__text_puts(out, ilc__text_string(&body));
    w->syntax->put_tail(w);
}
