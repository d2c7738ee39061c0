/* launch.c - a launch on a compiled engine: the guard picks the body, arguments are packed, traps come back. */
#include <stdarg.h>

#include "api/launch.h"

void ilc_launch_options_init(ilc_launch_options *options)
{
    *options = (ilc_launch_options){.size = sizeof *options, .self_check = true};
}

ilc_status ilc__fail_trap(ilc_session *session, const ilc_launch_result *result)
{
    const ilc_trap *trap = &result->trap;
    ilc__where      where = {.method = trap->method, .source = trap->file, .line = trap->line};
    return ilc__fail(&session->ctx, ILC_TRAP, &where, "%s in element %lld at IL_%04x: %s", trap->exception,
                     (long long)result->element, trap->il_offset, trap->message ? trap->message : "");
}

/* --- which body ------------------------------------------------------------------------------------------------ */

static ilc__launch_facts launch_facts(const ilc__plan *plan)
{
    ilc_session *session = plan->engine->session;
    uint32_t     count = plan->kernel->method->def->sig.param_count;
    int64_t     *scalars = ILC__NEW_ARRAY(&session->scratch, int64_t, count);
    int64_t     *lengths = ILC__NEW_ARRAY(&session->scratch, int64_t, count);
    int64_t     *dims = ILC__NEW_ARRAY(&session->scratch, int64_t, 3 * (size_t)count);
    for (uint32_t i = 0; i < count; i++) {
        const ilc__bound *bound = &plan->params[i];
        scalars[i] = (int64_t)bound->bits;
        bool none = plan->kernel->method->params[i].is_span; /* null: a span of nothing */
        lengths[i] = bound->buffer ? bound->buffer->array.length : none ? 0 : -1;
        for (uint32_t k = 0; k < 3; k++) dims[3 * i + k] = bound->buffer ? bound->buffer->array.dims[k] : -1;
    }
    ilc__launch_facts facts = {.scalars = scalars, .lengths = lengths, .dims = dims};
    memcpy(facts.extents, plan->extents, sizeof facts.extents);
    return facts;
}

static bool guard_holds(const ilc__plan *plan, const ilc__kernel *emitted)
{
    ilc_session *session = plan->engine->session;
    return ilc__guard_holds(&session->ctx, &session->scratch, emitted, &plan->facts);
}

/* --- packing --------------------------------------------------------------------------------------------------- */

/* The value of one entry parameter, in the low bytes of a cell. */
static uint64_t pack(const ilc__plan *plan, const ilc__kparam *param, ilc__address slot)
{
    const ilc__bound *bound = &plan->params[param->param];
    switch (param->kind) {
    case ILC__KP_SCALAR: return bound->bits;
    case ILC__KP_ARRAY: return bound->buffer ? bound->buffer->address : 0;
    case ILC__KP_OUT: return plan->outs[param->leaf]->address;
    case ILC__KP_EXTENT: return (uint64_t)plan->extents[param->dim];
    case ILC__KP_LENGTH:
        if (!bound->buffer) return plan->kernel->method->params[param->param].is_span ? 0 : (uint64_t)-1;
        return (uint64_t)(plan->kernel->method->params[param->param].rank > 1 ? bound->buffer->array.dims[param->dim]
                                                                              : bound->buffer->array.length);
    case ILC__KP_TRAP: return slot;
    case ILC__KP_HEAP: return 0; /* of calls alone */
    }
    return 0;
}

static ilc_status reset_trap_slot(ilc_engine *engine)
{
    if (!engine->trap_slot) ILC__TRY(ilc__engine_alloc(engine->rt, sizeof(uint64_t), &engine->trap_slot));
    return ilc__engine_fill(engine->rt, engine->trap_slot, 0xFF, sizeof(uint64_t));
}

ilc_trap ilc__trap_at(const ilc__site *site)
{
    return (ilc_trap){.exception = site->exception,
                      .message = site->message,
                      .method = site->method ? site->method->full_name : NULL,
                      .il_offset = site->il,
                      .line = site->line,
                      .file = site->file};
}

/* The slot holds element << 16 | site; all ones: nothing trapped. */
ilc_status ilc__read_slot(const ilc__plan *plan, const ilc__kernel *emitted, uint64_t slot, ilc_launch_result *result)
{
    if (slot == UINT64_MAX) return ILC_OK;
    uint32_t number = (uint32_t)(slot & 0xFFFF);
    if (number >= emitted->site_count)
        return ilc__fail(&plan->engine->session->ctx, ILC_INTERNAL, NULL, "%s reported trap site %u of %u",
                         emitted->device_name, number, emitted->site_count);
    result->trapped = true;
    result->element = (int64_t)(slot >> 16);
    result->trap = ilc__trap_at(&emitted->sites[number]);
    return ILC_OK;
}

/* Rows of blocks lie along y, of which there are 65,535 at most. */
static bool plan_tile(const ilc__plan *plan, const ilc__kernel *emitted, ilc__launch *launch)
{
    const ilc__tile_size *size = &emitted->tile.size;
    launch->grid[1] = launch->grid[2] = launch->block[1] = launch->block[2] = 1;
    if (emitted->tile.rows || emitted->tile.quads) {
        int64_t elements = (int64_t)size->rows * (emitted->tile.quads ? 4 : 1);
        launch->block[0] = emitted->tile.rows ? ilc__rows_threads(emitted->tile.rows) : size->rows;
        launch->grid[0] = (uint32_t)((plan->extents[0] - 1) / elements + 1);
        return true;
    }
    int64_t down = (plan->extents[0] - 1) / size->rows + 1, across = (plan->extents[1] - 1) / size->cols + 1;
    if (down > 65535 || across > INT32_MAX) return false;
    launch->block[0] = size->rows / size->row_cells * (size->cols / size->col_cells);
    launch->grid[0] = (uint32_t)across;
    launch->grid[1] = (uint32_t)down;
    return true;
}

void ilc__plan_pack(const ilc__plan *plan, const ilc__choice *choice, ilc__address slot, ilc__launch *out)
{
    const ilc__entry *entry = choice->entry;
    ilc_engine_kind   kind = plan->engine->kind;
    ilc__arena       *scratch = &plan->engine->session->scratch;
    uint64_t         *cells = ILC__NEW_ARRAY(scratch, uint64_t, entry->param_count);
    const void      **pointers = ILC__NEW_ARRAY(scratch, const void *, entry->param_count);
    bool              tiled = entry == &choice->emitted->tile.entry;
    *out = (ilc__launch){.dims = plan->dims, .args = pointers, .arg_count = entry->param_count, .trap_arg = -1, .stack = choice->emitted->stack};
    memcpy(out->extents, plan->extents, sizeof out->extents);
    for (uint32_t i = 0; i < entry->param_count; i++) {
        const ilc__kparam *param = &entry->params[i];
        cells[i] = pack(plan, param, slot);
        pointers[i] = &cells[i];
        if (param->kind == ILC__KP_SCALAR && param->layout) pointers[i] = plan->params[param->param].data;
        if (param->kind == ILC__KP_TRAP) out->trap_arg = (int32_t)i;
    }
    if (tiled && kind == ILC_ENGINE_CUDA) plan_tile(plan, choice->emitted, out);
    out->in_rounds = tiled && kind == ILC_ENGINE_CPU && !choice->emitted->tile.lanes;
}

bool ilc__entry_traps(const ilc__entry *entry)
{
    for (uint32_t i = 0; i < entry->param_count; i++)
        if (entry->params[i].kind == ILC__KP_TRAP) return true;
    return false;
}

uint32_t ilc__choice_number(const ilc__choice *choice)
{
    return choice->entry == &choice->emitted->checked;
}

/* A part of the elements: from where another run of the same entry ended, until a compilation has come to its end. */
typedef struct part {
    int64_t            from;
    const ilc__coming *until;
} part;

static const part all_of_it = {0, NULL};

static ilc_status run_entry(const ilc__plan *plan, const ilc__choice *choice, const part *wanted, ilc_launch_result *result)
{
    ilc_engine *engine = plan->engine;
    ilc__launch launch;
    uint64_t    slot = UINT64_MAX;
    bool        traps = ilc__entry_traps(choice->entry);
    if (traps && wanted->from == 0) ILC__TRY(reset_trap_slot(engine));
    ilc__plan_pack(plan, choice, engine->trap_slot, &launch);
    launch.from = wanted->from;
    launch.until = wanted->until;
    ILC__TRY(ilc__engine_launch(engine->rt, choice->module, ilc__choice_number(choice), &launch));
    ILC__TRY(ilc__engine_synchronize(engine->rt));
    result->seconds += ilc__engine_last_seconds(engine->rt);
    result->entry = choice->entry->name;
    if (traps) ILC__TRY(ilc__engine_read(engine->rt, &slot, engine->trap_slot, sizeof slot));
    return ilc__read_slot(plan, choice->emitted, slot, result);
}

/* Which arrays of the launch lie in several of its parameters, or twice in one. */
static void find_shared(const ilc__plan *plan, uint32_t places, bool *shared, bool *twice)
{
    typedef struct holder {
        uint32_t       param;
        struct holder *next;
    } holder;
    ilc__arena *scratch = &plan->engine->session->scratch;
    ilc__map    holders = {.arena = scratch}; /* innermost array -> the parameters that it lies in */
    for (uint32_t p = 0; p < plan->kernel->method->def->sig.param_count; p++) {
        ilc__leaf_arrays leaves = {0};
        if (plan->params[p].buffer) ilc__buffer_leaves(scratch, plan->params[p].buffer, &leaves);
        for (uint32_t i = 0; i < leaves.count; i++) {
            holder *first = ilc__map_get(&holders, &leaves.items[i], sizeof leaves.items[i]), *own = ILC__NEW(scratch, holder);
            for (holder *h = first; h; h = h->next) {
                if (h->param == p) twice[p] = true;
                else shared[h->param * places + p] = shared[p * places + h->param] = true;
            }
            *own = (holder){p, first};
            if (!first || first->param != p) ilc__map_put(&holders, &leaves.items[i], sizeof leaves.items[i], own);
        }
    }
}

/* What the proof of independent elements left to the launch (docs/semantics.md, Arrays); no engine has a say. */
static ilc_status check_independent(const ilc__plan *plan)
{
    ilc_session     *session = plan->engine->session;
    ilc_method      *method = plan->kernel->method;
    uint32_t         count = method->def->sig.param_count;
    const ilc__unit *unit;
    ILC__TRY(ilc__method_unit(method, plan->kernel->floats, &unit));
    ilc__launch_facts facts = plan->facts;
    uint32_t          places = unit->funcs.items[unit->funcs.count - 1]->param_count; /* one more for a struct result */
    bool             *same = ILC__NEW_ARRAY(&session->scratch, bool, (size_t)places * places);
    bool             *shared = ILC__NEW_ARRAY(&session->scratch, bool, (size_t)places * places);
    bool             *twice = ILC__NEW_ARRAY(&session->scratch, bool, places);
    bool              nested = false;
    for (uint32_t p = 0; p < count; p++) {
        nested = nested || method->params[p].nested;
        for (uint32_t q = 0; q < count; q++)
            same[p * places + q] = p != q && plan->params[p].buffer && plan->params[p].buffer == plan->params[q].buffer;
    }
    if (nested) find_shared(plan, places, shared, twice);
    facts.same = same;
    facts.shared = shared;
    facts.twice = twice;
    return ilc__check_independent_at(&session->ctx, &session->scratch, unit, &plan->kernel->spec, &facts);
}

/* Turns of all elements together from which a tile is faster than waking it up, and from which it pays to compile one; elements
 * without a loop are longer than a turn. */
static const double tile_pays = 1 << 16, tile_pays_compiler = 1 << 25, lanes_pay = 1 << 14, lanes_pay_compiler = 1 << 19;
/* From so many on the first tier's code would still be running when the tile's compiler is through, and do nothing but disturb it. */
static const double tile_awaited = 1 << 27;

/* What a launch decides is told where somebody asks (plan.c). */
static void note(const ilc__plan *plan, const char *schedule, bool holds, const char *format, ...) ILC__PRINTF(4, 5);
static void note(const ilc__plan *plan, const char *schedule, bool holds, const char *format, ...)
{
    ilc__arena *arena = &plan->engine->session->ctx.arena;
    va_list     args;
    if (!plan->notes) return;
    va_start(args, format);
    ILC__PUSH(arena, plan->notes, ((ilc_plan_note){.schedule = schedule, .text = ilc__arena_vprintf(arena, format, args), .holds = holds, .of_launch = true}));
    va_end(args);
}

static const char *schedule_of(const ilc__tile *tile)
{
    return tile->rows ? ilc__rows_split(tile->rows) ? "split" : "rows" : tile->quads ? "quads" : tile->lanes ? "lanes" : "tile";
}

/* Of a tile that there is, and that this launch does not take. */
static void note_left(const ilc__plan *plan, const ilc__kernel *tiled, const char *why)
{
    if (why) note(plan, schedule_of(&tiled->tile), false, "not taken: %s", why);
}

static void note_taken(const ilc__plan *plan, const ilc__kernel *tiled)
{
    if (!plan->notes) return;
    const ilc__tile *tile = &tiled->tile;
    const uint32_t  *rows = plan->kernel->method->def->rows;
    bool             one = !tile->one_matrix || plan->params[rows[0]].buffer == plan->params[rows[1]].buffer;
    bool             half = tile->symmetric && one && plan->extents[0] == plan->extents[1];
    const char      *much = half ? ", half of a square" : "", *name = tile->entry.name;
    if (plan->engine->kind == ILC_ENGINE_CUDA && !tile->rows && !tile->quads)
        note(plan, "tile", true, "%s: blocks of %u x %u elements, %u turns at a time, %u x %u elements a thread%s", name, tile->size.rows, tile->size.cols,
             tile->size.depth, tile->size.row_cells, tile->size.col_cells, much);
    else if (plan->engine->kind == ILC_ENGINE_CUDA)
        note(plan, schedule_of(tile), true, "%s: %u %s a %s", name, tile->quads ? 4 : tile->size.rows, tile->quads ? "elements" : tile->size.rows == 1 ? "row" : "rows",
             tile->quads ? "thread" : ilc__rows_split(tile->rows) ? "block" : "warp");
    else
        note(plan, schedule_of(tile), true, "%s%s", name, much);
}

/* Asked once of each kernel and engine: the text is long. */
static bool is_compiled(ilc_kernel *kernel, ilc_engine *engine, const ilc__kernel *tiled)
{
    if (kernel->tile_engine != engine) {
        kernel->tile_engine = engine;
        kernel->tile_compiled = ilc__map_get(&engine->modules, tiled->source, strlen(tiled->source)) || ilc__engine_has(engine->rt, tiled->source);
    }
    return kernel->tile_compiled || (kernel->module_engine == engine && kernel->module_of == tiled);
}

static ilc_status pick_cpu_tile(const ilc__plan *plan, const ilc__kernel **out, bool *awaited)
{
    ilc_engine        *engine = plan->engine;
    const ilc__kernel *tiled;
    const char        *why;
    double             work;
    if (!ilc__engine_parts_of(engine->rt)->vectors) {
        note(plan, "tile", false, "the C compiler has no vectors");
        return ILC_OK;
    }
    ILC__TRY(ilc__kernel_tiled(plan->kernel, ILC__TILED_CPU, &tiled));
    if (!ilc__tile_holds(tiled, &plan->facts, &work, &why)) {
        note_left(plan, tiled, why);
        return ILC_OK;
    }
    bool lanes = tiled->tile.lanes, pays = plan->kernel->tiles_always || work >= (lanes ? lanes_pay_compiler : tile_pays_compiler);
    if (!pays && work >= (lanes ? lanes_pay : tile_pays)) pays = is_compiled(plan->kernel, engine, tiled);
    if (!pays) {
        note(plan, schedule_of(&tiled->tile), false, "not taken: %.0f %s of all elements; it pays from %.0f on, from %.0f where it was compiled before", work,
             lanes ? "places" : "turns", lanes ? lanes_pay_compiler : tile_pays_compiler, lanes ? lanes_pay : tile_pays);
        return ILC_OK;
    }
    plan->kernel->tile_engine = engine;
    plan->kernel->tile_compiled = true;
    *awaited = !lanes && work >= tile_awaited;
    *out = tiled;
    note_taken(plan, tiled);
    return ILC_OK;
}

/* Where the guard holds: quads, rows split among threads, rows read together, few of them a warp until every multiprocessor has
 * two warps, or blocks by size. NULL: none. awaited: nothing else is to run until it is compiled. */
static ilc_status pick_tile(const ilc__plan *plan, const ilc__kernel **out, bool *awaited)
{
    ilc__launch        launch = {0};
    const ilc__kernel *tiled;
    const char        *why;
    double             work;
    *out = NULL;
    *awaited = false;
    if (!plan->kernel->tiles || plan->force_checked) return ILC_OK;
    if (plan->engine->kind == ILC_ENGINE_CPU) return plan->dims == 2 ? pick_cpu_tile(plan, out, awaited) : ILC_OK;
    if (!ilc__kernel_tile_count(plan->kernel)) return ILC_OK;
    ILC__TRY(ilc__kernel_tiled(plan->kernel, plan->kernel->spec.mode == ILC__MODE_1D ? ILC__TILED_SPLIT : 0, &tiled));
    bool holds = ilc__tile_holds(tiled, &plan->facts, &work, &why);
    if (!holds) note_left(plan, tiled, why);
    if (!holds && plan->kernel->spec.mode == ILC__MODE_1D) {
        ILC__TRY(ilc__kernel_tiled(plan->kernel, 0, &tiled));
        holds = ilc__tile_holds(tiled, &plan->facts, &work, &why);
        if (!holds) note_left(plan, tiled, why);
    }
    if (!holds) return ILC_OK;
    if (!plan->kernel->tile_size.rows && !tiled->tile.quads) {
        uint32_t multiprocessors = ilc__engine_parts_of(plan->engine->rt)->multiprocessors;
        ILC__TRY(ilc__kernel_tiled(plan->kernel, ilc__tile_choose(&tiled->tile, plan->extents, multiprocessors), &tiled));
    }
    if (tiled->tile.entry.name && plan_tile(plan, tiled, &launch)) *out = tiled;
    if (*out) note_taken(plan, tiled);
    else note_left(plan, tiled, "its blocks are more than a grid has");
    return ILC_OK;
}

/* The text and its entry, and of schedules the one that is faster. */
ilc_status ilc__plan_text(const ilc__plan *plan, ilc__choice *out, const ilc__kernel **tiled, bool *awaited)
{
    *out = (ilc__choice){0};
    *tiled = NULL;
    *awaited = false;
    ILC__TRY(ilc__kernel_emitted(plan->kernel, ilc__engine_dialect(plan->engine), &out->emitted));
    out->guarded = out->emitted->has_guard && !plan->force_checked && guard_holds(plan, out->emitted);
    out->entry = out->emitted->has_guard && !out->guarded ? &out->emitted->checked : &out->emitted->guarded;
    bool unguarded = !plan->kernel->checks || (!out->emitted->has_guard && plan->kernel->spec.mode == ILC__MODE_ELEMENTWISE);
    if (out->emitted->has_guard) note(plan, "guard", out->guarded, out->guarded ? "it holds: %s" : "it does not hold: %s, with every check", out->entry->name);
    ILC__TRY(out->guarded || unguarded ? pick_tile(plan, tiled, awaited) : ILC_OK);
    if (!*tiled) note(plan, "plain", true, "%s: each element by itself", out->entry->name);
    return ILC_OK;
}

/* The schedule's code, or the plain text's where that was not compiled before and there is no compiler here. */
static ilc_status take_best(const ilc__plan *plan, const ilc__kernel *tiled, ilc__choice *choice)
{
    ilc__context *ctx = &plan->engine->session->ctx;
    uint32_t      before = ctx->diags.count;
    ilc_status    status = tiled ? ilc__kernel_module(plan->engine, plan->kernel, tiled, &choice->module) : ILC_NO_ENGINE;
    if (status == ILC_OK) {
        choice->emitted = tiled;
        choice->entry = &tiled->tile.entry;
        return ILC_OK;
    }
    if (status != ILC_NO_ENGINE) return status;
    ctx->diags.count = before;
    return ilc__kernel_module(plan->engine, plan->kernel, choice->emitted, &choice->module);
}

ilc_status ilc__plan_choose(const ilc__plan *plan, ilc__choice *out)
{
    const ilc__kernel *tiled;
    bool               awaited;
    ILC__TRY(ilc__plan_text(plan, out, &tiled, &awaited));
    return take_best(plan, tiled, out);
}

/* Runs the first tier's code until the compiler is through. What is left then is done by the compiler's code of the same text, or all
 * of it by the tile, which stores to its result alone. A trap of the first part is in the slot, or comes again. */
static ilc_status run_first(const ilc__plan *plan, const ilc__kernel *tiled, const ilc__choice *first, const ilc__coming *coming,
                            ilc_launch_result *result)
{
    const part  begin = {.until = coming};
    ilc__choice best = *first;
    result->first_tier = true;
    ILC__TRY(run_entry(plan, first, &begin, result));
    int64_t reached = ilc__engine_reached(plan->engine->rt);
    if (reached < 0) return ILC_OK;
    ILC__TRY(take_best(plan, tiled, &best));
    const part rest = {.from = best.emitted == first->emitted ? reached : 0};
    return run_entry(plan, &best, &rest, result);
}

static ilc_status run_compiled(const ilc__plan *plan, ilc_launch_result *result)
{
    ilc_engine        *engine = plan->engine;
    ilc__choice        choice;
    const ilc__kernel *tiled;
    const ilc__coming *coming = NULL;
    ilc__self_check   *check = NULL;
    bool               awaited;
    ILC__TRY(ilc__plan_text(plan, &choice, &tiled, &awaited));
    result->guarded = choice.guarded;
    if (!plan->best_code) coming = ilc__kernel_coming(engine, plan->kernel, tiled ? tiled : choice.emitted);
    if (coming && awaited) {
        ilc__engine_await(coming);
        coming = NULL;
    }
    choice.module = coming ? ilc__kernel_first_module(engine, choice.emitted) : NULL;
    bool first = choice.module != NULL;
    if (!first) ILC__TRY(take_best(plan, tiled, &choice));
    result->cached = !first && ilc__module_was_cached(choice.module);
    bool *verdict = ilc__verdict_of(plan->kernel, choice.emitted->source, first);
    if (plan->self_check && plan->kernel->checks) ILC__TRY(ilc__self_check_begin(plan, verdict, &check));
    if (first) ILC__TRY(run_first(plan, tiled, &choice, coming, result));
    else ILC__TRY(run_entry(plan, &choice, &all_of_it, result));
    if (check) ILC__TRY(ilc__self_check_end(check, result));
    result->self_checked = *verdict;
    return ILC_OK;
}

/* --- the launch ------------------------------------------------------------------------------------------------- */

ilc_status ilc__plan_make(ilc__plan *plan, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args, size_t arg_count,
                          const int64_t *extents, size_t dims, const ilc_launch_options *given)
{
    ilc__context      *ctx = &engine->session->ctx;
    ilc_launch_options options;
    ilc_launch_options_init(&options);
    ILC__TRY(ilc__options_take(ctx, &options, sizeof options, given, "launch options"));
    uint32_t wanted = ilc_kernel_dims(kernel);
    if (wanted == 0)
        return ilc__fail(ctx, ILC_UNSUPPORTED, NULL,
                         "%s is a device function only: it has no index parameter (give one with --index)",
                         kernel->method->def->full_name);
    if (dims != wanted)
        return ilc__fail(ctx, ILC_INVALID, NULL, "%s takes %u extent%s, not %zu", kernel->method->def->full_name, wanted,
                         wanted == 1 ? "" : "s", dims);
    if (kernel->session != engine->session)
        return ilc__fail(ctx, ILC_INVALID, NULL, "kernel and engine belong to different sessions");
    ILC__TRY(ilc__floats_check(engine, kernel->floats, kernel->method));
    *plan = (ilc__plan){.kernel = kernel,
                        .engine = engine,
                        .dims = wanted,
                        .self_check = options.self_check,
                        .force_checked = options.body == ILC_BODY_CHECKED,
                        .best_code = options.best_code,
                        .fuel = options.fuel};
    memcpy(plan->extents, extents, dims * sizeof *extents);
    ILC__TRY(ilc__plan_bind(plan, args, arg_count));
    if (plan->total == 0) return ILC_OK;
    plan->facts = launch_facts(plan);
    return check_independent(plan); /* before an engine is asked: all refuse the same */
}

ilc_status ilc__plan_run(const ilc__plan *plan, ilc_launch_result *result)
{
    *result = (ilc_launch_result){0};
    if (plan->total == 0) return ILC_OK;
    ILC__TRY(plan->engine->rt ? run_compiled(plan, result) : ilc__interpret_launch(plan, result));
    return result->trapped ? ilc__fail_trap(plan->engine->session, result) : ILC_OK;
}

static ilc_status launch(ilc_launch_result *result, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args,
                         size_t arg_count, const int64_t *extents, size_t dims, const ilc_launch_options *options)
{
    ilc__plan plan;
    ILC__TRY(ilc__plan_make(&plan, engine, kernel, args, arg_count, extents, dims, options));
    return ilc__plan_run(&plan, result);
}

ilc_status ilc_launch(ilc_launch_result *result, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args,
                      size_t arg_count, const int64_t *extents, size_t dims, const ilc_launch_options *options)
{
    ILC__LAND(engine->session, launch(result, engine, kernel, args, arg_count, extents, dims, options));
}
