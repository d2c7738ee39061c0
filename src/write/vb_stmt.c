/* vb_stmt.c - VB's statements. */
#include "write/vb.h"

static void end(ilc__writer *w)
{
    ilc__text_putc(w->out, '\n');
}

static void put_value(ilc__writer *w, const ilc__term *t)
{
    ilc__put(w, t, ILC__LEVEL_NONE);
}

/* VB writes an array's brackets behind the name of a local, and behind the type of a parameter. */
static void put_typed(ilc__writer *w, const ilc__var *var)
{
    ilc__wtype type = ilc__var_type(w->func, var), bare = type;
    ilc__text_puts(w->out, w->var_names[var->index]);
    if (!var->is_param) {
        ilc__vb_put_brackets(w, type);
        bare.dims = bare.nested = 0;
    }
    ilc__text_puts(w->out, " As ");
    w->syntax->put_type(w, bare);
}

static bool is_sub(const ilc__func *f)
{
    return f->ret == ILC_VOID && !f->ret_layout && !f->ret_to;
}

void ilc__vb_put_head(ilc__writer *w)
{
    const ilc__func *f = w->func;
    bool             instance = ilc__is_instance(f);
    const char      *comma = "";
    ilc__begin_line(w);
    ilc__operator opr;
    if (ilc__is_operator(w->names, f, &opr)) {
        const char *text = w->syntax->operators[opr].text;
        ilc__text_printf(w->out, "Public Shared Operator %.*s", (int)strcspn(text + (*text == ' '), " "), text + (*text == ' '));
    } else {
        ilc__text_printf(w->out, "%s%s%s ", w->in_unit ? "Public " : "", instance ? "" : "Shared ", is_sub(f) ? "Sub" : "Function");
        w->syntax->put_name(w->out, ilc__func_name(w->names, f));
    }
    ilc__text_putc(w->out, '(');
    for (uint32_t i = instance; i < ilc__arg_count(f); i++) {
        const ilc__var *var = f->vars.items[i];
        ilc__text_puts(w->out, comma);
        comma = ", ";
        if (ilc__is_by_ref(w->func, var)) ilc__text_puts(w->out, "ByRef ");
        put_typed(w, var);
    }
    ilc__text_putc(w->out, ')');
    if (!is_sub(f)) {
        ilc__text_puts(w->out, f->ret_to ? " As ByRef " : " As ");
        w->syntax->put_type(w, ilc__result_type(f));
    }
    end(w);
    if (f->ret_to) ilc__cannot(w, "a result by reference");
}

void ilc__vb_put_tail(ilc__writer *w)
{
    ilc__operator opr;
    bool          is_operator = ilc__is_operator(w->names, w->func, &opr);
    ilc__put_line(w, is_operator ? "End Operator" : is_sub(w->func) ? "End Sub" : "End Function");
}

void ilc__vb_put_declaration(ilc__writer *w, const ilc__var *var, const ilc__term *value, bool zero)
{
    (void)zero; /* a local of VB is zero until it is assigned */
    bool by_ref = ilc__is_by_ref(w->func, var) && !ilc__is_result(w->func, var);
    if (by_ref) ilc__cannot(w, "a local by reference");
    ilc__text_puts(w->out, by_ref ? "Dim ByRef " : "Dim ");
    put_typed(w, var);
    if (value) {
        ilc__text_puts(w->out, " = ");
        ilc__put_value(w, value, ilc__var_type(w->func, var));
    }
    end(w);
}

void ilc__vb_put_assign(ilc__writer *w, const ilc__term *place, const ilc__term *value)
{
    if (place->kind == ILC__W_NAME && strcmp(place->text, "Me") == 0) ilc__cannot(w, "an assignment to Me");
    put_value(w, place);
    ilc__text_puts(w->out, " = ");
    ilc__put_value(w, value, place->type);
    end(w);
}

void ilc__vb_put_compound(ilc__writer *w, const ilc__term *place, ilc__operator opr, const ilc__term *value)
{
    const char *text = w->syntax->operators[opr].text;
    put_value(w, place);
    ilc__text_printf(w->out, "%.*s= ", (int)strlen(text) - 1, text);
    if (value->type.storage == ILC_U8 || !ilc__vb_put_narrow(w, value)) put_value(w, value);
    end(w);
}

void ilc__vb_put_bind(ilc__writer *w, const ilc__var *var, const ilc__term *place, bool declares)
{
    ilc__cannot(w, "a local by reference");
    ilc__text_puts(w->out, declares ? "Dim ByRef " : "ByRef ");
    if (declares) put_typed(w, var);
    else ilc__text_puts(w->out, w->var_names[var->index]);
    ilc__text_puts(w->out, " = ");
    put_value(w, place);
    end(w);
}

void ilc__vb_put_drop(ilc__writer *w, const ilc__term *value)
{
    bool call = value->kind == ILC__W_CALL || (value->kind == ILC__W_HELPER && ilc__is_scalar(value->type) && value->type.storage == ILC_VOID);
    if (!call) ilc__text_printf(w->out, "%s(", ilc__helper_use(w, "Evaluate"));
    put_value(w, value);
    ilc__text_puts(w->out, call ? "\n" : ")\n");
}

void ilc__vb_put_if(ilc__writer *w, const ilc__term *truth, bool again)
{
    ilc__text_puts(w->out, again ? "ElseIf " : "If ");
    put_value(w, truth);
    ilc__text_puts(w->out, " Then\n");
}

void ilc__vb_put_else(ilc__writer *w)
{
    ilc__put_line(w, "Else");
}

void ilc__vb_put_end_if(ilc__writer *w)
{
    ilc__put_line(w, "End If");
}

void ilc__vb_put_while(ilc__writer *w, const ilc__term *truth)
{
    ilc__text_puts(w->out, truth ? "While " : "Do");
    if (truth) put_value(w, truth);
    end(w);
}

void ilc__vb_put_end_while(ilc__writer *w, bool forever)
{
    ilc__put_line(w, forever ? "Loop" : "End While");
}

void ilc__vb_put_do(ilc__writer *w)
{
    ilc__text_puts(w->out, "Do\n");
}

void ilc__vb_put_end_do(ilc__writer *w, const ilc__term *truth)
{
    ilc__text_puts(w->out, "Loop While ");
    put_value(w, truth);
    end(w);
}

/* --- For ------------------------------------------------------------------------------------------------------------------- */

/* The same value each turn: nothing in it is assigned, stored or called in the loop. */
static bool is_steady(const ilc__stmt *s, const ilc__expr *e)
{
    switch (e->kind) {
    case ILC__EX_CONST: break;
    case ILC__EX_VAR:
        if (e->u.var == s->var || e->u.var->is_addr || ilc__assigned_in(&s->body, e->u.var)) return false;
        break;
    case ILC__EX_NEWARR: return e->u.var->table != NULL;
    case ILC__EX_OP: case ILC__EX_LEN: case ILC__EX_DIM: case ILC__EX_SELECT: break;
    default: return false;
    }
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!is_steady(s, e->args[i])) return false;
    return true;
}

static int64_t constant(const ilc__expr *e)
{
    return e->type == ILC__IR_I64 ? (int64_t)e->u.bits : (int32_t)(uint32_t)e->u.bits;
}

typedef enum direction { UP, UP_TO, DOWN, DOWN_TO, NEITHER } direction;

static direction direction_of(ilc__op compare)
{
    switch (compare) {
    case ILC__OP_LT_I32: case ILC__OP_LT_I64: return UP;
    case ILC__OP_LE_I32: case ILC__OP_LE_I64: return UP_TO;
    case ILC__OP_GT_I32: case ILC__OP_GT_I64: return DOWN;
    case ILC__OP_GE_I32: case ILC__OP_GE_I64: return DOWN_TO;
    default: return NEITHER;
    }
}

/* VB's To includes the limit; a text to read says n - 1 for it, whatever n may be. NULL where its For would not turn as the tree's does. */
static ilc__term *limit_of(ilc__writer *w, const ilc__stmt *s, direction d)
{
    ilc_storage type = s->var->storage;
    ilc__term  *b = ilc__view_as(w, s->b, type), *one = ilc__term_literal(w, type, 1);
    if (d == UP_TO || d == DOWN_TO) return ilc__view_for(w, s->b, ilc__scalar(type));
    if (s->b->kind == ILC__EX_CONST) {
        int64_t value = constant(s->b), least = type == ILC_I64 ? INT64_MIN : INT32_MIN, most = type == ILC_I64 ? INT64_MAX : INT32_MAX;
        if (value == (d == UP ? least : most)) return NULL;
        return ilc__term_literal(w, type, (uint64_t)(d == UP ? value - 1 : value + 1));
    }
    if (!w->in_unit || ilc__expr_steps_past(s->b)) return ilc__operate(w, d == UP ? ILC__OPR_SUB : ILC__OPR_ADD, type, ILC__ANY, b, one);
    /* what lies before the start has no turn, however far */
    if (s->a->kind != ILC__EX_CONST || constant(s->a) <= INT32_MIN || constant(s->a) >= INT32_MAX) return NULL;
    ilc__term *start = ilc__term_literal(w, type, (uint64_t)constant(s->a));
    b = ilc__term_library(w, d == UP ? "Math.Max" : "Math.Min", ilc__scalar(type), b, start);
    return ilc__operate(w, d == UP ? ILC__OPR_SUB : ILC__OPR_ADD, type, ILC__ANY, b, one);
}

bool ilc__vb_has_for(ilc__writer *w, const ilc__stmt *s)
{
    direction d = direction_of(s->compare);
    bool      whole = s->var->storage == ILC_I32 || s->var->storage == ILC_I64;
    if (d == NEITHER || !whole || !is_steady(s, s->b)) return false;
    if (s->ends == ILC__FOR_BY_SIGN) return ilc__steps_plainly(w, s) && is_steady(s, s->c);
    if (s->ends == ILC__FOR_AT_LIMIT) return !w->in_unit;
    if (!ilc__steps_plainly(w, s) || s->c->kind != ILC__EX_CONST) return false;
    if (constant(s->c) == 0 || (constant(s->c) > 0) != (d == UP || d == UP_TO)) return false;
    return limit_of(w, s, d) != NULL;
}

void ilc__vb_put_for(ilc__writer *w, const ilc__stmt *s, bool declares, const ilc__term *from)
{
    ilc__text_puts(w->out, "For ");
    if (declares) put_typed(w, s->var);
    else ilc__text_puts(w->out, w->var_names[s->var->index]);
    ilc__text_puts(w->out, " = ");
    ilc__put_value(w, from, ilc__var_type(w->func, s->var));
    ilc__text_puts(w->out, " To ");
    ilc__put_value(w, limit_of(w, s, direction_of(s->compare)), ilc__var_type(w->func, s->var));
    if (!ilc__expr_is_const(s->c, 1)) {
        ilc__text_puts(w->out, " Step ");
        ilc__put_value(w, ilc__view_for(w, s->c, ilc__var_type(w->func, s->var)), ilc__var_type(w->func, s->var));
    }
    end(w);
}

void ilc__vb_put_each(ilc__writer *w, const ilc__var *var, bool declares, const ilc__term *array)
{
    ilc__text_puts(w->out, "For Each ");
    if (declares) put_typed(w, var);
    else ilc__text_puts(w->out, w->var_names[var->index]);
    ilc__text_puts(w->out, " In ");
    put_value(w, array);
    end(w);
}

void ilc__vb_put_end_for(ilc__writer *w)
{
    ilc__put_line(w, "Next");
}

/* --- Select, exits ------------------------------------------------------------------------------------------------------- */

void ilc__vb_put_switch(ilc__writer *w, const ilc__term *value)
{
    ilc__text_puts(w->out, "Select Case ");
    put_value(w, value);
    end(w);
}

static void put_bound(ilc__writer *w, const char *text, ilc_storage type, int64_t value)
{
    ilc__text_puts(w->out, text);
    w->syntax->put_literal(w, ilc__term_literal(w, type, (uint64_t)value), true);
}

void ilc__vb_put_case(ilc__writer *w, ilc_storage type, const ilc__interval *ranges, uint32_t count)
{
    ilc__begin_line(w);
    ilc__text_puts(w->out, count ? "Case " : "Case Else");
    for (uint32_t i = 0; i < count; i++) {
        if (i) ilc__text_puts(w->out, ", ");
        switch (ilc__range_shape(type, ranges[i])) {
        case ILC__RANGE_ONE: put_bound(w, "", type, ranges[i].first); break;
        case ILC__RANGE_BELOW: put_bound(w, "Is < ", type, ranges[i].last + 1); break;
        case ILC__RANGE_ABOVE: put_bound(w, "Is > ", type, ranges[i].first - 1); break;
        case ILC__RANGE_BETWEEN:
            put_bound(w, "", type, ranges[i].first);
            put_bound(w, ranges[i].last == ranges[i].first + 1 ? ", " : " To ", type, ranges[i].last);
            break;
        }
    }
    end(w);
}

void ilc__vb_put_end_case(ilc__writer *w, bool falls_out)
{
    (void)w;
    (void)falls_out;
}

void ilc__vb_put_end_switch(ilc__writer *w)
{
    ilc__put_line(w, "End Select");
}

static const char *loop_word(const ilc__loop_name *loop)
{
    if (loop->is_switch) return "Select";
    if (loop->stmt->kind == ILC__ST_FOR) return loop->as_while ? "While" : "For";
    return loop->stmt->kind == ILC__ST_WHILE ? "While" : "Do";
}

/* VB's Exit For leaves the innermost For; an exit that means another is a jump to a label. */
bool ilc__vb_put_exit(ilc__writer *w, const ilc__stmt *s)
{
    bool     breaks = s->kind == ILC__ST_BREAK;
    uint32_t target = w->loop_count;
    while (target > 0 && w->loops[target - 1].stmt != s->target) target--;
    if (!target || (!breaks && w->loops[target - 1].as_while)) return false;
    const char *word = loop_word(&w->loops[target - 1]);
    for (uint32_t at = w->loop_count; at > target; at--)
        if (strcmp(loop_word(&w->loops[at - 1]), word) == 0) return false;
    ilc__text_printf(w->out, "%s %s\n", breaks ? "Exit" : "Continue", word);
    return true;
}

void ilc__vb_put_return(ilc__writer *w, const ilc__term *value)
{
    ilc__text_puts(w->out, "Return");
    if (value) {
        ilc__text_putc(w->out, ' ');
        ilc__put_value(w, value, value->type);
    }
    end(w);
}

void ilc__vb_put_throw(ilc__writer *w, const char *type, ilc__term *const *args, uint32_t count)
{
    ilc__text_printf(w->out, "Throw New %s", type);
    ilc__put_args(w, args, count);
    end(w);
}

void ilc__vb_put_goto(ilc__writer *w, const char *label)
{
    ilc__text_printf(w->out, "GoTo %s\n", label);
}

void ilc__vb_put_label(ilc__writer *w, const char *label)
{
    ilc__text_printf(w->out, "%s:\n", label);
}
