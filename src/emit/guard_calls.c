/* guard_calls.c - functions called in the walk of the launch guard (guard.h).
 *
 * Each call that is followed walks the function called with the ranges of its arguments. The guarded body calls such a
 * function's guarded twin, in which a check is left out only where every walk of it says so; at launch each walk tests
 * what is left out. A call that is not followed goes to the function with every check. */
#include "emit/guard.h"

enum { MAX_DEPTH = 6, MAX_LOOPS_AROUND = 12 };
/* Statements walked in functions called: a launch should not wait for more. */
#define MAX_CALL_WORK 100000u
/* Variables times labels. */
#define MAX_FORGETTING 100000u

static uint32_t loops_around(const ilc__guard *w)
{
    uint32_t count = w->loops_around;
    for (const ilc__guard_loop *loop = w->loop; loop; loop = ilc__guard_outer_loop(loop)) count++;
    return count;
}

static bool follows(const ilc__guard *w, const ilc__expr *call)
{
    const ilc__func *callee = call->u.callee;
    return !w->dead && !callee->cycle && callee->param_count == call->arg_count && w->depth < MAX_DEPTH &&
           w->calls->work < MAX_CALL_WORK && loops_around(w) < MAX_LOOPS_AROUND;
}

/* What the parameters of the function called start with. */
static void give_arguments(ilc__guard *w, ilc__guard *inner, const ilc__expr *call, const ilc__range *ranges)
{
    inner->arrays = ILC__NEW_ARRAY(w->arena, const ilc__var *, call->arg_count + 1);
    for (uint32_t i = 0; i < call->arg_count; i++) {
        const ilc__var *param = inner->func->vars.items[i];
        if (param->is_array || param->is_pointer) inner->arrays[i] = ilc__guard_array(w, call->args[i]);
        ilc__range width = ilc__guard_unknown(param);
        bool       fits = ilc__guard_is_integer(param) && ilc__range_within(ranges[i], width);
        inner->env[i] = inner->initial[i] = fits ? ranges[i] : width;
    }
}

static ilc__range walk(ilc__guard *w, const ilc__expr *call, const ilc__range *ranges, bool wanted)
{
    const ilc__func *callee = call->u.callee;
    ilc__range       unknown = ilc__range_of_storage(callee->ret);
    ilc__guard       inner = {.arena = w->arena, .func = callee, .spec = w->spec, .facts = w->facts, .calls = w->calls,
                              .depth = w->depth + 1, .loops_around = loops_around(w), .trials = w->trials, .work = w->work,
                              .marking = w->marking, .wants_result = wanted};
    inner.quiet = w->quiet || (!w->marking && !call->covered); /* it goes to the function with every check */
    inner.again = ilc__map_get(&w->calls->walked, &callee, sizeof callee) != NULL;
    if (w->marking && !w->quiet && !inner.again) ilc__map_put(&w->calls->walked, &callee, sizeof callee, w->calls);
    w->calls->work += callee->vars.count;
    ilc__guard_begin(&inner);
    give_arguments(w, &inner, call, ranges);
    ilc__guard_block(&inner, &callee->body);
    w->work = inner.work;
    w->failed = w->failed || inner.failed;
    return inner.has_result && ilc__range_within(inner.result, unknown) ? inner.result : unknown;
}

ilc__range ilc__guard_eval_call(ilc__guard *w, ilc__expr *call, bool wanted)
{
    bool        may = follows(w, call);
    const bool *demand = may ? ilc__demand_vars(&w->calls->demands, call->u.callee, wanted) : NULL;
    ilc__range *ranges = ILC__NEW_ARRAY(w->arena, ilc__range, call->arg_count + 1);
    for (uint32_t i = 0; i < call->arg_count; i++) ranges[i] = ilc__guard_eval(w, call->args[i], demand && demand[i]);
    may = may && follows(w, call); /* the arguments' own calls may have spent the rest */
    if (may && call->u.callee->has_goto) {
        ilc__guard_labels *labels = ilc__guard_find_labels(w->arena, call->u.callee);
        may = (uint64_t)ilc__guard_label_count(labels) * call->u.callee->vars.count <= MAX_FORGETTING;
    }
    ilc__guard_cover(w, &call->covered, may, may);
    if (!may || w->dead) return ilc__range_of_storage(call->u.callee->ret);
    return walk(w, call, ranges, wanted);
}

void ilc__guard_return(ilc__guard *w, ilc__stmt *stmt)
{
    if (!stmt->a) return;
    ilc__range value = ilc__guard_eval(w, stmt->a, w->wants_result);
    if (w->dead) return;
    w->result = w->has_result ? ilc__range_join(w->result, value) : value;
    w->has_result = true;
}
