/* plan.c - what was decided about a kernel, collected from where it is: the emitter's notes, and those of a launch. */
#include "api/launch.h"

static void add(ilc__plan_notes *notes, ilc_session *session, const char *schedule, bool holds, const char *text)
{
    ILC__PUSH(&session->ctx.arena, notes, ((ilc_plan_note){.schedule = schedule, .text = text, .holds = holds}));
}

/* of_guard: the guard's; else all others. */
static void add_emitted(ilc__plan_notes *notes, ilc_session *session, const ilc__kernel *emitted, bool of_guard)
{
    for (uint32_t i = 0; i < emitted->note_count; i++) {
        const ilc__note *note = &emitted->notes[i];
        if ((strcmp(note->schedule, "guard") == 0) != of_guard) continue;
        bool again = false; /* what two schedules found alike */
        for (uint32_t k = 0; k < notes->count && !again; k++)
            again = strcmp(notes->items[k].text, note->text) == 0 && strcmp(notes->items[k].schedule, note->schedule) == 0 && notes->items[k].line == note->line;
        if (again) continue;
        ilc_plan_note to = {.schedule = note->schedule, .text = note->text, .holds = note->holds, .line = note->line};
        ILC__PUSH(&session->ctx.arena, notes, to);
    }
}

static ilc_status add_tiled(ilc__plan_notes *notes, ilc_kernel *kernel, uint32_t number)
{
    const ilc__kernel *tiled;
    ILC__TRY(ilc__kernel_tiled(kernel, number, &tiled));
    add_emitted(notes, kernel->session, tiled, false);
    return ILC_OK;
}

static ilc_status add_kernel(ilc__plan_notes *notes, ilc_kernel *kernel, ilc_engine_kind kind)
{
    bool               cuda = kind == ILC_ENGINE_CUDA, elementwise = kernel->spec.mode == ILC__MODE_ELEMENTWISE;
    const ilc__kernel *emitted;
    uint32_t           dims = ilc_kernel_dims(kernel);
    if (kind != ILC_ENGINE_CPU && !cuda) {
        add(notes, kernel->session, "plain", true, "interpreters run one element after the other");
        return ILC_OK;
    }
    ILC__TRY(ilc__kernel_emitted(kernel, cuda ? ILC__DIALECT_CUDA : ILC__DIALECT_C, &emitted));
    add_emitted(notes, kernel->session, emitted, true);
    if (dims == 0) add(notes, kernel->session, "plain", true, "a device function only");
    else if (!kernel->tiles) add(notes, kernel->session, "plain", true, "asked for");
    else if (!cuda && dims == 2) return add_tiled(notes, kernel, ILC__TILED_CPU);
    else if (!cuda) add(notes, kernel->session, "plain", true, "on the CPU kernels of two indices have other schedules");
    else if (dims == 3) add(notes, kernel->session, "plain", true, "kernels of three indices have no other schedule");
    else if (dims == 1 && !elementwise) ILC__TRY(add_tiled(notes, kernel, ILC__TILED_SPLIT));
    return cuda && kernel->tiles && (dims == 1 || dims == 2) ? add_tiled(notes, kernel, 0) : ILC_OK;
}

static ilc_status kernel_plan(const ilc_plan_note **out, size_t *count, ilc_kernel *kernel, ilc_engine_kind kind)
{
    ilc__plan_notes notes = {0};
    if (kind == ILC_ENGINE_AUTO) return ilc__fail(&kernel->session->ctx, ILC_INVALID, NULL, "a plan is of one kind of engine");
    ILC__TRY(add_kernel(&notes, kernel, kind));
    *out = notes.items;
    *count = notes.count;
    return ILC_OK;
}

ilc_status ilc_kernel_plan(const ilc_plan_note **out, size_t *count, ilc_kernel *kernel, ilc_engine_kind kind)
{
    ILC__LAND(kernel->session, kernel_plan(out, count, kernel, kind));
}

static ilc_status launch_plan(const ilc_plan_note **out, size_t *count, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args,
                              size_t arg_count, const int64_t *extents, size_t dims, const ilc_launch_options *options)
{
    ilc__plan_notes    notes = {0};
    ilc__plan          plan;
    ilc__choice        choice;
    const ilc__kernel *tiled;
    bool               awaited;
    ILC__TRY(ilc__plan_make(&plan, engine, kernel, args, arg_count, extents, dims, options));
    ILC__TRY(add_kernel(&notes, kernel, engine->kind));
    plan.notes = &notes;
    if (plan.total && engine->rt) ILC__TRY(ilc__plan_text(&plan, &choice, &tiled, &awaited));
    *out = notes.items;
    *count = notes.count;
    return ILC_OK;
}

ilc_status ilc_launch_plan(const ilc_plan_note **out, size_t *count, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args,
                           size_t arg_count, const int64_t *extents, size_t dims, const ilc_launch_options *options)
{
    ILC__LAND(engine->session, launch_plan(out, count, engine, kernel, args, arg_count, extents, dims, options));
}
