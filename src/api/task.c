/* task.c - launches made ready: bound and packed in memory of their own, each with a slot for what it raises; slots lie side by
 * side, so that those of a pipeline are one copy. */
#include "api/launch.h"

enum { SLOTS = 64 };

struct ilc__slots {
    ilc__slots  *next;
    ilc__address address;
    uint64_t     used;        /* a bit each */
    uint64_t     host[SLOTS]; /* as they were when the engine was waited for last */
};

struct ilc_task {
    ilc_engine       *engine;
    ilc_task         *next, **link;
    ilc__arena        arena; /* of plan and launch */
    ilc__plan         plan;
    ilc__choice       choice; /* CUDA */
    ilc__launch       launch;
    ilc__timer        timer;
    ilc__slots       *slots; /* NULL: it raises nothing */
    uint32_t          slot;
    bool              started, elsewhere; /* last on a stream of the caller's */
    uint64_t          waits;              /* the engine's, when it was started */
    ilc_launch_result result;             /* of engines that run it when it is started */
};

/* --- slots ----------------------------------------------------------------------------------------------------------- */

static ilc_status add_slots(ilc_engine *engine)
{
    ilc__heap  *heap = &engine->session->ctx.heap;
    ilc__slots *made = heap->resize(heap->user, NULL, sizeof *made);
    if (!made) ilc__heap_exhausted(heap);
    *made = (ilc__slots){.next = engine->slots};
    engine->slots = made; /* in the list first: running out of memory then loses nothing */
    ILC__TRY(ilc__engine_alloc(engine->rt, sizeof made->host, &made->address));
    ILC__TRY(ilc__engine_fill(engine->rt, made->address, 0xFF, sizeof made->host));
    return ilc__engine_synchronize(engine->rt); /* before another stream looks at them */
}

static ilc_status take_slot(ilc_task *task)
{
    ilc_engine *engine = task->engine;
    if (!engine->slots || !engine->slots->address || engine->slots->used == UINT64_MAX) ILC__TRY(add_slots(engine));
    task->slots = engine->slots;
    while (task->slots->used >> task->slot & 1) task->slot++;
    task->slots->used |= (uint64_t)1 << task->slot;
    return ILC_OK;
}

static ilc__address slot_address(const ilc_task *task)
{
    return task->slots ? task->slots->address + task->slot * sizeof(uint64_t) : 0;
}

void ilc__slots_free(ilc_engine *engine)
{
    ilc__heap *heap = &engine->session->ctx.heap;
    for (ilc__slots *slots = engine->slots, *next; slots; slots = next) {
        next = slots->next;
        ilc__engine_free(engine->rt, slots->address);
        heap->resize(heap->user, slots, 0);
    }
    engine->slots = NULL;
}

/* --- made, started, destroyed ------------------------------------------------------------------------------------------ */

static ilc_status make_ready(ilc_task *task)
{
    ilc_engine *engine = task->engine;
    ILC__TRY(ilc__plan_choose(&task->plan, &task->choice));
    if (ilc__entry_traps(task->choice.entry) && !task->slots) ILC__TRY(take_slot(task));
    ilc__plan_pack(&task->plan, &task->choice, slot_address(task), &task->launch);
    if (!task->timer.start) ILC__TRY(ilc__engine_timer(engine->rt, &task->timer));
    return ilc__engine_reserve(engine->rt, task->choice.module, ilc__choice_number(&task->choice), &task->launch);
}

/* Twice: what translation and compilation leave in scratch is not the task's; what the second time leaves there is. */
static ilc_status fill(ilc_task *task, ilc_kernel *kernel, const ilc_argument *args, size_t arg_count, const int64_t *extents, size_t dims,
                       const ilc_launch_options *options)
{
    ilc_session *session = task->engine->session;
    bool         cuda = task->engine->kind == ILC_ENGINE_CUDA;
    for (int turn = 0; turn < 2; turn++) {
        ilc__arena_free(&session->scratch);
        ILC__TRY(ilc__plan_make(&task->plan, task->engine, kernel, args, arg_count, extents, dims, options));
        if (cuda && task->plan.total) ILC__TRY(make_ready(task));
    }
    task->arena = session->scratch;
    ilc__arena_init(&session->scratch, &session->ctx.heap);
    return ILC_OK;
}

static ilc_status create(ilc_task **out, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args, size_t arg_count,
                         const int64_t *extents, size_t dims, const ilc_launch_options *options)
{
    ilc__heap *heap = &engine->session->ctx.heap;
    ilc_task  *task = heap->resize(heap->user, NULL, sizeof *task);
    if (!task) ilc__heap_exhausted(heap);
    *task = (ilc_task){.engine = engine, .next = engine->tasks, .link = &engine->tasks};
    ilc__arena_init(&task->arena, heap);
    if (task->next) task->next->link = &task->next;
    engine->tasks = task;
    ilc_status status = fill(task, kernel, args, arg_count, extents, dims, options);
    if (status == ILC_OK) *out = task;
    else ilc_task_destroy(task);
    return status;
}

ilc_status ilc_task_create(ilc_task **out, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args, size_t arg_count,
                           const int64_t *extents, size_t dims, const ilc_launch_options *options)
{
    ILC__LAND(engine->session, create(out, engine, kernel, args, arg_count, extents, dims, options));
}

/* Engines that know no stream run it now; what it raised is told when it is asked for. */
static ilc_status run_now(ilc_task *task)
{
    ilc__context *ctx = &task->engine->session->ctx;
    uint32_t      before = ctx->diags.count;
    ilc_status    status = ilc__plan_run(&task->plan, &task->result);
    if (status != ILC_TRAP) return status;
    ctx->diags.count = before;
    return ILC_OK;
}

static ilc_status start(ilc_task *task, void *stream)
{
    ilc_engine *engine = task->engine;
    if (stream && engine->kind != ILC_ENGINE_CUDA)
        return ilc__fail(&engine->session->ctx, ILC_INVALID, NULL, "only the CUDA engine has streams");
    task->started = true;
    task->elsewhere = stream != NULL;
    task->waits = engine->waits;
    if (task->plan.total == 0) return ILC_OK;
    if (engine->kind != ILC_ENGINE_CUDA) return run_now(task);
    task->launch.stream = stream;
    task->launch.timer = stream ? NULL : &task->timer;
    return ilc__engine_launch(engine->rt, task->choice.module, ilc__choice_number(&task->choice), &task->launch);
}

ilc_status ilc_task_start(ilc_task *task, void *stream)
{
    ILC__LAND(task->engine->session, start(task, stream));
}

void ilc_task_destroy(ilc_task *task)
{
    if (!task) return;
    ilc__heap *heap = &task->engine->session->ctx.heap;
    if (task->engine->rt) ilc__engine_timer_free(task->engine->rt, &task->timer);
    if (task->slots) task->slots->used &= ~((uint64_t)1 << task->slot);
    ilc__arena_free(&task->arena);
    *task->link = task->next;
    if (task->next) task->next->link = task->link;
    heap->resize(heap->user, task, 0);
}

/* --- asked afterwards --------------------------------------------------------------------------------------------------- */

static ilc_status wait_for(ilc_engine *engine)
{
    if (engine->kind != ILC_ENGINE_CUDA) return ILC_OK;
    engine->waits++;
    for (ilc__slots *slots = engine->slots; slots; slots = slots->next)
        if (slots->used) ILC__TRY(ilc__engine_read(engine->rt, slots->host, slots->address, sizeof slots->host));
    return ilc__engine_synchronize(engine->rt);
}

ilc_status ilc_engine_wait(ilc_engine *engine)
{
    ILC__LAND(engine->session, wait_for(engine));
}

/* What was raised since the slot was read last, which it then forgets. */
static ilc_status read_slot(ilc_task *task, ilc_launch_result *result)
{
    ilc_engine *engine = task->engine;
    if (!task->slots) return ILC_OK;
    uint64_t *slot = &task->slots->host[task->slot];
    if (task->elsewhere || engine->waits == task->waits) ILC__TRY(ilc__engine_read(engine->rt, slot, slot_address(task), sizeof *slot));
    uint64_t found = *slot;
    if (found == UINT64_MAX) return ILC_OK;
    *slot = UINT64_MAX;
    ILC__TRY(ilc__engine_fill(engine->rt, slot_address(task), 0xFF, sizeof *slot));
    ILC__TRY(ilc__engine_synchronize(engine->rt));
    return ilc__read_slot(&task->plan, task->choice.emitted, found, result);
}

static bool writes_arguments(const ilc_task *task)
{
    const bool *writes = task->choice.emitted->writes;
    for (uint32_t i = 0; i < task->plan.kernel->method->def->sig.param_count; i++)
        if (task->plan.params[i].buffer && writes[i]) return true;
    return false;
}

static ilc_status result_of(ilc_launch_result *result, ilc_task *task)
{
    ilc_engine      *engine = task->engine;
    ilc__self_check *check = NULL;
    if (!task->started) return ilc__fail(&engine->session->ctx, ILC_INVALID, NULL, "the task was not started");
    *result = task->result;
    if (engine->kind == ILC_ENGINE_CUDA && task->plan.total) {
        bool *verdict = ilc__verdict_of(task->plan.kernel, task->choice.emitted->source, false);
        result->entry = task->choice.entry->name;
        result->guarded = task->choice.guarded;
        result->cached = ilc__module_was_cached(task->choice.module);
        ILC__TRY(read_slot(task, result));
        if (!task->elsewhere) result->seconds = ilc__engine_timer_seconds(engine->rt, &task->timer);
        if (task->plan.self_check && task->plan.kernel->checks && !writes_arguments(task)) {
            ILC__TRY(ilc__self_check_begin(&task->plan, verdict, &check));
            if (check) ILC__TRY(ilc__self_check_end(check, result));
        }
        result->self_checked = *verdict;
    }
    return result->trapped ? ilc__fail_trap(engine->session, result) : ILC_OK;
}

ilc_status ilc_task_result(ilc_launch_result *result, ilc_task *task)
{
    ILC__LAND(task->engine->session, result_of(result, task));
}
