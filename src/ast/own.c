/* own.c - which array variables hold nothing but arrays that the function made itself (docs/memory.md, Local arrays),
 * and how long those are. No caller sees them, and they are no parameter's. */
#include "ast/build.h"

typedef struct finder {
    bool changed;
} finder;

enum { UNKNOWN = -1, NOT_YET = -2 };

bool ilc__is_own_array(const ilc__expr *array)
{
    return array->kind == ILC__EX_NEWARR || (array->kind == ILC__EX_VAR && array->u.var->is_own) ||
           (array->kind == ILC__EX_CALL && array->u.callee->gives_own);
}

static void learn(finder *f, ilc__var *var, bool own, int64_t length)
{
    int64_t joined = var->own_length == NOT_YET ? length : length == NOT_YET || length == var->own_length ? var->own_length : UNKNOWN;
    if (var->is_own == own && var->own_length == joined) return;
    var->is_own = var->is_own && own;
    var->own_length = joined;
    f->changed = true;
}

static int64_t length_in(const ilc__expr *e)
{
    return e->kind == ILC__EX_CONST ? (int64_t)(int32_t)(uint32_t)e->u.bits : UNKNOWN;
}

static bool is_of_frame(const ilc__expr *addr)
{
    while (addr->kind == ILC__EX_ADDADDR || addr->kind == ILC__EX_FIELDADDR) addr = addr->args[0];
    return addr->kind == ILC__EX_SLOTADDR;
}

static void assign(finder *f, ilc__var *var, const ilc__expr *value)
{
    if (!var->is_array || !var->is_own) return;
    if (value->kind == ILC__EX_SPANAT) {
        learn(f, var, is_of_frame(value->args[0]), length_in(value->args[1]));
        return;
    }
    while (value->kind == ILC__EX_SPANOF) value = value->args[0];
    if (value->kind == ILC__EX_SPAN) {
        const ilc__expr *of = value;
        while (of->kind == ILC__EX_SPAN || of->kind == ILC__EX_SPANOF) of = of->args[0];
        bool own = of->kind == ILC__EX_NEWARR || (of->kind == ILC__EX_VAR && of->u.var->is_own);
        learn(f, var, own, length_in(value->args[2]));
        return;
    }
    if (value->kind == ILC__EX_NEWARR)
        learn(f, var, true, value->args[0]->kind == ILC__EX_CONST ? (int64_t)value->args[0]->u.bits : UNKNOWN);
    else if (value->kind == ILC__EX_CONST) learn(f, var, true, UNKNOWN);
    else if (value->kind == ILC__EX_VAR) learn(f, var, value->u.var->is_own, value->u.var->own_length);
    else if (value->kind == ILC__EX_CALL) learn(f, var, value->u.callee->gives_own, UNKNOWN);
    else learn(f, var, false, UNKNOWN);
}

static void walk(finder *f, const ilc__block *block)
{
    for (const ilc__stmt *s = block->first; s; s = s->next) {
        if (s->kind == ILC__ST_ASSIGN) assign(f, s->var, s->a);
        walk(f, &s->body);
        walk(f, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) walk(f, &s->cases[k].body);
    }
}

static bool has_table(const ilc__func *func)
{
    for (uint32_t i = 0; i < func->vars.count; i++)
        if (func->vars.items[i]->table) return true;
    return false;
}

/* Null is nobody's. */
static bool returns_own(const ilc__block *block)
{
    for (const ilc__stmt *s = block->first; s; s = s->next) {
        const ilc__expr *value = s->kind == ILC__ST_RETURN ? s->a : NULL;
        bool             table = value && value->kind == ILC__EX_NEWARR && value->u.var->table;
        bool             own = !value || value->kind == ILC__EX_CONST || (ilc__is_own_array(value) && !table);
        if (!own || !returns_own(&s->body) || !returns_own(&s->other)) return false;
        for (uint32_t k = 0; k < s->case_count; k++)
            if (!returns_own(&s->cases[k].body)) return false;
    }
    return true;
}

void ilc__ast_find_own(ilc__builder *b)
{
    finder f = {true};
    for (uint32_t i = 0; i < b->func->vars.count; i++) {
        ilc__var *var = b->func->vars.items[i];
        var->is_own = var->is_array && !var->is_param;
        var->own_length = NOT_YET;
    }
    while (f.changed) {
        f.changed = false;
        walk(&f, &b->func->body);
    }
    for (uint32_t i = 0; i < b->func->vars.count; i++) {
        ilc__var *var = b->func->vars.items[i];
        if (var->table) var->own_length = var->count;
        if (var->own_length < 0 || var->needs_zero) var->own_length = UNKNOWN;
    }
    b->func->gives_own = b->func->ret_array && !has_table(b->func) && returns_own(&b->func->body);
}
