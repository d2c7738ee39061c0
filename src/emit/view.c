/* view.c - a function as its guarded body is read: where the launch guard covers every check of what a temporary holds,
 * the temporary goes into its one use, past loads and checks that stood between. In the tree itself it may not: there
 * the first check that fails names the exception. Only what the source has no variable for goes. */
#include "emit/internal.h"
#include "emit/range.h"

enum { REACH = 16 }; /* statements looked over */

typedef struct viewer {
    ilc__arena *arena;
    ilc__func  *func;
    uint32_t   *uses;      /* by variable                                            */
    bool        has_debug; /* some local has a name of the source: those without have none there */
} viewer;

/* --- what may go ---------------------------------------------------------------------------------------------- */

static void count_use(void *user, const ilc__expr *expr)
{
    viewer *v = user;
    if (expr->kind == ILC__EX_VAR || expr->kind == ILC__EX_SLOTADDR || expr->kind == ILC__EX_NEWARR)
        v->uses[expr->u.var->index]++;
}

static void count_uses(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, count_use, user);
}

/* Has it a value and nothing else in the guarded body? */
static bool is_pure(const ilc__expr *e)
{
    bool passes = e->proved || e->covered;
    switch (e->kind) {
    case ILC__EX_CONST: case ILC__EX_VAR: case ILC__EX_SUBSCRIPTS: case ILC__EX_ISNULL: case ILC__EX_SAMEREF:
    case ILC__EX_SPANOF: case ILC__EX_SPAN:
    case ILC__EX_AND: case ILC__EX_OR: case ILC__EX_NOT: case ILC__EX_SELECT: break;
    case ILC__EX_OP:
        if (ilc__range_traps(e->op) && !e->covered) return false;
        break;
    case ILC__EX_LOAD: case ILC__EX_LEN: case ILC__EX_DIM:
        if (!passes) return false;
        break;
    default: return false;
    }
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!is_pure(e->args[i])) return false;
    return e->type != ILC__IR_ADDR;
}

static bool is_candidate(const viewer *v, const ilc__stmt *s)
{
    if (s->kind != ILC__ST_ASSIGN) return false;
    const ilc__var *var = s->var;
    bool            has_name = var->is_named || !(var->is_temp || v->has_debug);
    return !has_name && !var->is_param && !var->is_slot && !var->is_array && !var->is_addr && var->assignments == 1 &&
           v->uses[var->index] == 1 && is_pure(s->a);
}

/* --- what it may pass ------------------------------------------------------------------------------------------- */

static bool calls(const ilc__expr *e)
{
    if (!e) return false;
    if (e->kind == ILC__EX_CALL || e->kind == ILC__EX_NEWARR) return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (calls(e->args[i])) return true;
    return false;
}

/* Is e the same after s? Only straight statements are passed. */
static bool passes(const ilc__expr *e, const ilc__stmt *s)
{
    if (s->kind != ILC__ST_ASSIGN && s->kind != ILC__ST_EVAL) return s->kind == ILC__ST_STORE && !ilc__expr_loads(e);
    if (s->kind == ILC__ST_ASSIGN && ilc__expr_reads(e, s->var)) return false;
    return !ilc__expr_loads(e) || !calls(s->a);
}

/* --- the use ------------------------------------------------------------------------------------------------------ */

/* Puts e in the variable's place; depths grow on the way to it. */
static bool replace(ilc__expr **slot, const ilc__var *var, ilc__expr *e)
{
    ilc__expr *at = *slot;
    if (at->kind == ILC__EX_VAR && at->u.var == var) {
        *slot = e;
        return true;
    }
    for (uint32_t i = 0; i < at->arg_count; i++) {
        if (!replace(&at->args[i], var, e)) continue;
        if (at->depth <= at->args[i]->depth) at->depth = at->args[i]->depth + 1;
        return true;
    }
    return false;
}

/* The expressions that a statement evaluates once, before it does anything. */
static uint32_t roots_of(ilc__stmt *s, ilc__expr **roots[3])
{
    uint32_t count = 0;
    bool     loops = s->kind == ILC__ST_WHILE || s->kind == ILC__ST_DO || s->kind == ILC__ST_LOOP;
    if (s->a && !loops) roots[count++] = &s->a;
    if (s->b && !loops && s->kind != ILC__ST_FOR) roots[count++] = &s->b;
    if (s->c && !loops && s->kind != ILC__ST_FOR) roots[count++] = &s->c;
    return count;
}

/* Puts e where the statement reads the variable, if it does. */
static bool put_into(ilc__stmt *s, const ilc__var *var, ilc__expr *e)
{
    ilc__expr **roots[3];
    uint32_t    count = roots_of(s, roots);
    for (uint32_t i = 0; ilc__expr_loads(e) && i < count; i++)
        if (calls(*roots[i])) return false;
    for (uint32_t i = 0; i < count; i++)
        if (ilc__expr_reads(*roots[i], var)) return (*roots[i])->depth + e->depth < ILC__AST_MAX_EXPR_DEPTH && replace(roots[i], var, e);
    return false;
}

static bool move_down(ilc__stmt *s)
{
    uint32_t steps = 0;
    for (ilc__stmt *at = s->next; at && steps < REACH; at = at->next, steps++) {
        if (put_into(at, s->var, s->a)) return true;
        if (!passes(s->a, at)) return false;
    }
    return false;
}

static void view_list(viewer *v, ilc__block *list)
{
    ilc__block kept = {0};
    for (ilc__stmt *s = list->first, *next; s; s = next) {
        next = s->next;
        if (is_candidate(v, s) && move_down(s)) {
            s->var->assignments = 0;
            v->uses[s->var->index] = 0;
            continue;
        }
        view_list(v, &s->body);
        view_list(v, &s->other);
        for (uint32_t i = 0; i < s->case_count; i++) view_list(v, &s->cases[i].body);
        s->next = NULL;
        if (kept.last) kept.last->next = s;
        else kept.first = s;
        kept.last = s;
    }
    *list = kept;
}

/* t1, t2, ... again without those that went. */
static void rename_temps(viewer *v)
{
    uint32_t from = 0, count = v->func->vars.count;
    for (uint32_t i = 0; i < count; i++) {
        ilc__var *var = v->func->vars.items[i];
        if (!var->is_temp || var->is_param || (var->assignments == 0 && v->uses[i] == 0)) continue;
        while (!v->func->vars.items[from]->is_temp || v->func->vars.items[from]->is_param) from++;
        var->name = v->func->view_of->vars.items[from++]->name;
    }
}

const ilc__func *ilc__guarded_view(ilc__arena *arena, const ilc__func *func)
{
    if (func->has_goto) return func;
    viewer v = {.arena = arena, .func = ilc__ast_copy_func(arena, func)};
    v.func->view_of = func;
    v.uses = ILC__NEW_ARRAY(arena, uint32_t, (size_t)func->vars.count + 1);
    for (uint32_t i = 0; i < func->vars.count; i++)
        v.has_debug = v.has_debug || (func->vars.items[i]->is_named && !func->vars.items[i]->is_param);
    ilc__block_each(&v.func->body, count_uses, &v);
    view_list(&v, &v.func->body);
    rename_temps(&v);
    return v.func;
}

/* --- a unit as it is read ------------------------------------------------------------------------------------------ */

typedef struct caller {
    const ilc__unit *unit;
    bool            *guarded; /* by function: all calls of it go to its guarded twin */
    bool             here;    /* of the function at hand                             */
} caller;

static void see_call(void *user, const ilc__expr *expr)
{
    caller  *c = user;
    uint32_t number = expr->kind == ILC__EX_CALL ? ilc__func_number(c->unit, expr->u.callee) : UINT32_MAX;
    if (number != UINT32_MAX && !(c->here && expr->covered)) c->guarded[number] = false;
}

static void see_stmt(void *user, const ilc__stmt *stmt)
{
    ilc__stmt_exprs(stmt, see_call, user);
}

void ilc__emit_guarded_view(ilc__context *ctx, ilc__arena *arena, const ilc__unit *unit, const ilc__kernel_spec *spec,
                            ilc__unit *out)
{
    uint32_t count = unit->funcs.count;
    bool     covers = count && !unit->funcs.items[count - 1]->cycle && ilc__guard_mark(ctx, arena, unit, spec);
    caller   c = {unit, ILC__NEW_ARRAY(arena, bool, (size_t)count + 1), false};
    memset(c.guarded, covers, count);
    *out = (ilc__unit){0};
    for (uint32_t i = count; i-- > 0;) { /* callers come behind */
        const ilc__func *func = unit->funcs.items[i];
        c.here = c.guarded[i] = c.guarded[i] && !func->cycle;
        ilc__block_each(&func->body, see_stmt, &c);
    }
    for (uint32_t i = 0; i < count; i++) {
        ilc__func *func = unit->funcs.items[i];
        ILC__PUSH(arena, &out->funcs, c.guarded[i] ? (ilc__func *)ilc__guarded_view(arena, func) : func);
    }
}
