/* run_ready.c - what `run` says of its launches; and those of a device, which are made ready one after the other, started
 * together and waited for once (run.h). */
#include <json-c/json.h>
#include <string.h>

#include "run.h"

/* --- what is said ------------------------------------------------------------------------------------------------------ */

static void report_measure(const run_state *run, const run_measure *m, struct json_object *step)
{
    if (!run->settings->quiet && m->why) fprintf(stderr, "  not measured: %s\n", m->why);
    if (!run->settings->quiet && !m->why) fprintf(stderr, "  %s (%.3f ms in mode exact)\n", deviation_text(&m->deviation), m->seconds * 1e3);
    if (m->why) json_object_object_add(step, "notMeasured", json_object_new_string(m->why));
    else json_object_object_add(step, "deviation", deviation_json(&m->deviation));
}

/* measure: of mode fast; else NULL. */
static void report_step(run_state *run, const program_step *step, const ilc_kernel *kernel, const ilc_launch_result *result,
                        const run_measure *measure)
{
    const char *body = result->entry ? result->entry : ilc_engine_kind_name(ilc_engine_kind_of(run->engine));
    if (!run->settings->quiet)
        fprintf(stderr, "%s%s%s  %s  %.3f ms%s%s\n", step->statement.result ? step->statement.result : "",
                step->statement.result ? " = " : "", step->statement.method, body, result->seconds * 1e3,
                result->first_tier ? "  (first tier)" : result->cached ? "  (from the cache)" : "",
                result->self_checked ? "  self-checked" : "");
    if (step->plan && !run->settings->quiet) plan_print(stderr, "  ", step->plan, step->plan_count);
    struct json_object *one = json_object_new_object();
    json_object_object_add(one, "method", json_object_new_string(ilc_method_full_name(step->method)));
    json_object_object_add(one, "mode", json_object_new_string(ilc_index_mode_name(ilc_kernel_index_mode(kernel))));
    json_object_object_add(one, "entry", result->entry ? json_object_new_string(result->entry) : NULL);
    json_object_object_add(one, "guarded", json_object_new_boolean(result->guarded));
    json_object_object_add(one, "cached", json_object_new_boolean(result->cached));
    json_object_object_add(one, "firstTier", json_object_new_boolean(result->first_tier));
    json_object_object_add(one, "seconds", json_object_new_double(result->seconds));
    json_object_object_add(one, "selfChecked", json_object_new_boolean(result->self_checked));
    if (step->plan) json_object_object_add(one, "plan", plan_json(step->plan, step->plan_count));
    if (result->trapped) {
        struct json_object *trap = json_object_new_object();
        json_object_object_add(trap, "exception", json_object_new_string(result->trap.exception));
        json_object_object_add(trap, "message", json_object_new_string(result->trap.message ? result->trap.message : ""));
        json_object_object_add(trap, "element", json_object_new_int64(result->element));
        json_object_object_add(trap, "il", json_object_new_int64(result->trap.il_offset));
        json_object_object_add(trap, "line", json_object_new_int64(result->trap.line));
        json_object_object_add(one, "trap", trap);
    }
    if (measure) report_measure(run, measure, one);
    json_object_array_add(run->report, one);
}

/* Once, before the first kernel's line. */
void run_print_engine(run_state *run)
{
    if (!run->settings->quiet && !run->engine_said)
        fprintf(stderr, "engine: %s (%s)\n", ilc_engine_describe(run->engine), ilc_engine_reason(run->engine));
    run->engine_said = true;
}

void run_report(run_state *run, const program_step *step, const ilc_kernel *kernel, ilc_status status, const ilc_launch_result *result,
                          const run_measure *measure)
{
    /* What is wrong with the command is said alone. */
    if (status != ILC_INVALID) run_print_engine(run);
    if (status == ILC_OK || status == ILC_TRAP) report_step(run, step, kernel, result, measure);
}

/* --- a pipeline ---------------------------------------------------------------------------------------------------------- */

int run_ready(run_state *run)
{
    ilc_status status = ILC_OK;
    int        code = EXIT_DONE;
    for (int i = run->first_ready; i < run->step_count && run->steps[i].task && status == ILC_OK; i++) status = ilc_task_start(run->steps[i].task, NULL);
    if (status == ILC_OK && run->first_ready < run->step_count && run->steps[run->first_ready].task) status = ilc_engine_wait(run->engine);
    if (status != ILC_OK) code = fail(run->session, status);
    for (; run->first_ready < run->step_count && run->steps[run->first_ready].task; run->first_ready++) {
        program_step     *step = &run->steps[run->first_ready];
        ilc_launch_result result = {0};
        step->dropped = code != EXIT_DONE;
        if (!step->dropped) {
            status = ilc_task_result(&result, step->task);
            run_report(run, step, step->kernel, status, &result, NULL);
            if (status != ILC_OK) code = fail(run->session, status);
        }
        ilc_task_destroy(step->task);
        step->task = NULL;
    }
    return code;
}

/* Does some element write to an argument? */
bool run_writes_arguments(const run_state *run, ilc_kernel *kernel)
{
    ilc_entry_param param;
    bool            found = false;
    for (uint32_t i = 0; ilc_kernel_entry_param(&param, kernel, false, i) == ILC_OK; i++)
        found = found || (param.kind == ILC_ENTRY_ARRAY && param.written);
    ilc_session_clear_diagnostics(run->session);
    return found;
}

bool run_may_wait(const run_state *run, ilc_kernel *kernel, bool measured)
{
    return ilc_engine_kind_of(run->engine) == ILC_ENGINE_CUDA && !measured && !run_writes_arguments(run, kernel);
}

bool run_replaces(const run_state *run, const statement *s)
{
    size_t length = s->result ? strlen(s->result) : 0;
    for (int i = 0; length && i < run->names.array_count; i++) {
        const char *name = run->names.arrays[i].name;
        if (strncmp(name, s->result, length) == 0 && (!name[length] || name[length] == '.')) return true;
    }
    return false;
}
