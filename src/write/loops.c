/* loops.c - loops, and what leaves them, in a language's words. */
#include "write/internal.h"

void ilc__put_exit(ilc__writer *w, const ilc__stmt *s)
{
    ilc__begin_line(w);
    if (w->syntax->put_exit(w, s)) return;
    uint32_t at = w->loop_count;
    while (at > 0 && w->loops[at - 1].stmt != s->target) at--;
    ilc__loop_name *name = &w->loops[at ? at - 1 : 0];
    bool            breaks = s->kind == ILC__ST_BREAK;
    if (!name->number) name->number = ++w->exit_count;
    if (breaks) name->wants_end = true;
    else name->wants_turn = true;
    w->syntax->put_goto(w, ilc__arena_printf(w->arena, "%s%u", breaks ? "EndLoop" : "NextTurn", name->number));
}

void ilc__put_turn_label(ilc__writer *w)
{
    const ilc__loop_name *name = &w->loops[w->loop_count - 1];
    if (name->wants_turn) ilc__put_numbered_label(w, "NextTurn", name->number);
}

void ilc__end_loop(ilc__writer *w)
{
    const ilc__loop_name *name = &w->loops[--w->loop_count];
    if (name->wants_end) ilc__put_numbered_label(w, "EndLoop", name->number);
}

static ilc__term *counter(ilc__writer *w, const ilc__stmt *s)
{
    return ilc__term_name(w, ilc__var_type(w->func, s->var), w->var_names[s->var->index]);
}

bool ilc__steps_plainly(const ilc__writer *w, const ilc__stmt *s)
{
    switch (s->step) {
    case ILC__OP_ADD_OVF_I32: case ILC__OP_ADD_OVF_I64: case ILC__OP_ADD_OVF_UN_I32: case ILC__OP_ADD_OVF_UN_I64: return w->checked;
    case ILC__OP_ADD_I32: case ILC__OP_ADD_I64: return !w->checked || ilc__checks_at(w->body, s->step_il);
    default: return false;
    }
}

static ilc__expr counter_expr(const ilc__stmt *s)
{
    return (ilc__expr){.kind = ILC__EX_VAR, .type = s->b->type, .storage = s->var->storage, .u.var = s->var};
}

ilc__term *ilc__for_test(ilc__writer *w, const ilc__stmt *s)
{
    ilc__expr var = counter_expr(s);
    if (s->ends != ILC__FOR_BY_SIGN) return ilc__view_compare(w, s->compare, &var, s->b);
    bool       wide = s->b->type == ILC__IR_I64;
    ilc__op    ge = wide ? ILC__OP_GE_I64 : ILC__OP_GE_I32, le = wide ? ILC__OP_LE_I64 : ILC__OP_LE_I32;
    ilc__expr  zero = {.kind = ILC__EX_CONST, .type = s->c->type};
    ilc__expr *up[] = {s->c, &zero}, *ends[] = {&var, s->b};
    ilc__expr  tests[] = {{.kind = ILC__EX_OP, .type = ILC__IR_I32, .op = ge, .arg_count = 2, .args = up},
                          {.kind = ILC__EX_OP, .type = ILC__IR_I32, .op = le, .arg_count = 2, .args = ends},
                          {.kind = ILC__EX_OP, .type = ILC__IR_I32, .op = ge, .arg_count = 2, .args = ends}};
    ilc__expr *arms[] = {&tests[0], &tests[1], &tests[2]};
    ilc__expr  choice = {.kind = ILC__EX_SELECT, .type = ILC__IR_I32, .arg_count = 3, .args = arms};
    return ilc__view_truth(w, &choice);
}

ilc__term *ilc__for_next(ilc__writer *w, const ilc__stmt *s)
{
    ilc__expr  var = counter_expr(s);
    ilc__expr *args[2] = {&var, s->c};
    ilc__expr  next = {.kind = ILC__EX_OP, .type = s->b->type, .op = s->step, .arg_count = 2, .args = args, .il = s->step_il, .has_il = true};
    return ilc__view_for(w, &next, ilc__var_type(w->func, s->var));
}

/* A For that the language has no words for: its parts. */
static void put_last_turn(ilc__writer *w, const ilc__stmt *s, bool declares)
{
    ilc__expr var = counter_expr(s);
    ilc__stmt leave = {.kind = ILC__ST_BREAK, .target = (ilc__stmt *)s};
    if (!declares) ilc__cannot(w, "a For up to the limit of its type whose counter is used outside");
    ilc__begin_line(w);
    w->syntax->put_if(w, ilc__view_compare(w, s->b->type == ILC__IR_I64 ? ILC__OP_EQ_I64 : ILC__OP_EQ_I32, &var, s->b), false);
    w->indent++;
    ilc__put_exit(w, &leave);
    w->indent--;
    w->syntax->put_end_if(w);
}

static void put_for_as_while(ilc__writer *w, const ilc__stmt *s, bool declares, const ilc__term *from)
{
    w->loops[w->loop_count - 1].as_while = true;
    if (declares) w->syntax->put_declaration(w, s->var, from, false);
    else w->syntax->put_assign(w, counter(w, s), from);
    ilc__begin_line(w);
    w->syntax->put_while(w, ilc__for_test(w, s));
    ilc__put_body(w, &s->body);
    ilc__put_turn_label(w);
    w->indent++;
    if (s->ends == ILC__FOR_AT_LIMIT) put_last_turn(w, s, declares);
    ilc__note_il(w, s->has_il, s->step_il);
    ilc__put_assignment(w, counter(w, s), ilc__for_next(w, s));
    w->indent--;
    w->syntax->put_end_while(w, false);
}

/* The step stands in the head of a loop in C#, at VB's Next. */
static void note_step(ilc__writer *w, const ilc__stmt *s, ilc__language here)
{
    if (w->syntax->language == here) ilc__note_il(w, s->has_il, s->step_il);
}

/* --- For Each ----------------------------------------------------------------------------------------------------------- */

/* The same array in each turn? */
static bool is_lasting(const ilc__stmt *s, const ilc__expr *array)
{
    if (array->kind == ILC__EX_NEWARR) return array->u.var->table != NULL;
    return array->kind == ILC__EX_VAR && !ilc__assigned_in(&s->body, array->u.var);
}

/* For k = 0 To x.Length - 1, where k is no variable of the source and only read by `item = x(k)` at the start of the body. */
static bool is_each(ilc__writer *w, const ilc__stmt *s)
{
    const ilc__stmt *take = s->body.first;
    bool counts = s->kind == ILC__ST_FOR && s->ends == ILC__FOR_BY_COMPARE && s->compare == ILC__OP_LT_I32 && ilc__expr_is_const(s->a, 0) &&
                  ilc__expr_is_const(s->c, 1) && s->b->kind == ILC__EX_LEN;
    if (!counts || s->var->is_named || !take || take->kind != ILC__ST_ASSIGN || take->a->kind != ILC__EX_LOAD) return false;
    const ilc__expr *array = s->b->args[0], *index = take->a->args[1];
    ilc__wtype       type = ilc__var_type(w->func, take->var), holds = ilc__array_type_of(array);
    bool same = array->kind == ILC__EX_NEWARR ? take->a->args[0]->kind == ILC__EX_NEWARR && take->a->args[0]->u.var == array->u.var : ilc__expr_same(array, take->a->args[0]);
    if (!is_lasting(s, array) || !same || index->kind != ILC__EX_VAR || index->u.var != s->var) return false;
    if (ilc__var_uses(w, s->var) != 2 || holds.dims != 1) return false; /* the For itself, and here */
    if (holds.nested) holds.nested--;
    else holds.dims = 0;
    if (take->var->is_addr || !ilc__wtype_same(type, holds)) return false;
    bool fixed = take->var->assignments == 1 && ilc__declares(w, take, take->var);
    return fixed || w->syntax->language == ILC__LANGUAGE_VB;
}

static void put_each(ilc__writer *w, const ilc__stmt *s)
{
    const ilc__stmt *take = s->body.first;
    ilc__begin_line(w);
    ilc__note(w, take);
    note_step(w, s, ILC__LANGUAGE_CS);
    w->syntax->put_each(w, take->var, ilc__declares(w, take, take->var), ilc__array(w, s->b->args[0]));
    ilc__put_inside(w, take->next, NULL);
    ilc__put_turn_label(w);
    note_step(w, s, ILC__LANGUAGE_VB);
    w->syntax->put_end_for(w);
}

static void put_for(ilc__writer *w, const ilc__stmt *s)
{
    if (is_each(w, s)) {
        put_each(w, s);
        return;
    }
    bool       declares = ilc__declares(w, s, s->var);
    ilc__term *from = ilc__view_for(w, s->a, ilc__var_type(w->func, s->var));
    ilc__begin_line(w);
    if (!w->syntax->has_for(w, s)) {
        put_for_as_while(w, s, declares, from);
        return;
    }
    note_step(w, s, ILC__LANGUAGE_CS);
    w->syntax->put_for(w, s, declares, from);
    ilc__put_body(w, &s->body);
    ilc__put_turn_label(w);
    note_step(w, s, ILC__LANGUAGE_VB);
    w->syntax->put_end_for(w);
}

void ilc__put_loop(ilc__writer *w, const ilc__stmt *s)
{
    const ilc__syntax *syntax = w->syntax;
    w->loops[w->loop_count++] = (ilc__loop_name){.stmt = s};
    if (s->kind == ILC__ST_FOR) {
        put_for(w, s);
    } else if (s->kind == ILC__ST_DO) {
        ilc__begin_line(w);
        syntax->put_do(w);
        ilc__put_body(w, &s->body);
        ilc__put_turn_label(w);
        ilc__note(w, s);
        ilc__begin_line(w);
        syntax->put_end_do(w, ilc__view_truth(w, s->a));
    } else if (syntax->language != ILC__LANGUAGE_CS || !ilc__put_counted_while(w, s)) {
        ilc__begin_line(w);
        syntax->put_while(w, s->kind == ILC__ST_WHILE ? ilc__view_truth(w, s->a) : NULL);
        ilc__put_body(w, &s->body);
        ilc__put_turn_label(w);
        syntax->put_end_while(w, s->kind == ILC__ST_LOOP);
    }
    ilc__end_loop(w);
}

