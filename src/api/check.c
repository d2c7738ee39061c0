/* check.c - IL interpreter = tree interpreter = engines, on generated arguments: results, arrays afterwards, and
 * exceptions with the element and place that raised them. */
#include "api/check.h"

void ilc_check_options_init(ilc_check_options *options)
{
    *options = (ilc_check_options){.size = sizeof *options, .rounds = 24, .seed = 1, .fuel = 1000000};
}

/* What one engine made of one round. In mode fma the tree's is the right one, in others the judge's. */
typedef struct observed {
    bool       trapped;
    ilc_trap   trap;
    int64_t    element;
    ilc_array *outs;   /* results; of one element for a call */
    uint32_t   out_count;
    ilc_array *arrays; /* per parameter, afterwards */
    bool       guarded;
} observed;

typedef struct checker {
    ilc_session       *session;
    ilc_kernel        *kernel, *exact; /* exact: of mode exact, maybe the same one */
    const char        *mode;
    ilc_check_options  options;
    ilc_engine        *judge;   /* the IL interpreter */
    ilc_engine       **engines; /* the tree, and the caller's */
    uint32_t           engine_count;
    uint32_t           out_count; /* of a launch */
    ilc_check_result  *result;
    ilc__samples       samples;
} checker;

static ilc_array empty_like(ilc__arena *arena, ilc_storage elem, const ilc_struct *layout, int64_t length)
{
    ilc_array array = {.elem = elem, .length = length, .layout = layout};
    array.data = ilc__arena_array(arena, (size_t)length, ilc__element_size(elem, layout));
    return array;
}

/* --- one round on one engine: a launch -------------------------------------------------------------------------------- */

static ilc_status make_outs(const checker *check, ilc_engine *engine, ilc_argument *args, size_t *count, ilc_buffer **outs)
{
    ilc_method *method = check->kernel->method;
    ilc_storage storage = ilc_method_result(method);
    if (storage == ILC_STRUCT) ILC__TRY(ilc__method_outputs(method));
    for (uint32_t o = 0; o < check->out_count; o++) {
        ILC__TRY(ilc_buffer_create(&outs[o], engine, storage == ILC_STRUCT ? method->outputs[o].storage : storage,
                                   check->samples.total));
        args[(*count)++] = ilc_arg_output(o, outs[o]);
    }
    return ILC_OK;
}

/* An array on the engine; what lies in an array of arrays each object once. */
static ilc_status make_buffer(ilc_engine *engine, const ilc_param *param, const ilc_array *array, uint32_t nested,
                              ilc__map *made, ilc_buffer **out)
{
    *out = ilc__map_get(made, &array, sizeof array);
    if (*out) return ILC_OK;
    if (nested) {
        ilc_buffer **rows = ILC__NEW_ARRAY(&engine->session->scratch, ilc_buffer *, (size_t)array->length);
        for (int64_t i = 0; i < array->length; i++) {
            const ilc_array *inner = ((ilc_array *const *)array->data)[i];
            if (inner) ILC__TRY(make_buffer(engine, param, inner, nested - 1, made, &rows[i]));
        }
        ILC__TRY(ilc_buffer_create_arrays(out, engine, param->innermost, nested, rows, array->length));
    } else {
        ILC__TRY(ilc__buffer_make(out, engine, param->innermost, param->layout, array->length));
        ILC__TRY(ilc_buffer_write(*out, 0, array->data, array->length));
        if (array->rank > 1) ILC__TRY(ilc_buffer_reshape(*out, array->rank, array->dims));
    }
    ilc__map_put(made, &array, sizeof array, *out);
    return ILC_OK;
}

static ilc_status make_buffers(const checker *check, ilc_engine *engine, ilc_argument *args, size_t *count)
{
    const ilc_method *method = check->kernel->method;
    *count = 0;
    for (uint32_t i = 0; i < check->samples.count; i++) {
        const ilc__sample *sample = &check->samples.items[i];
        const ilc_param   *param = &method->params[i];
        if (sample->skipped) continue;
        ilc_argument *arg = &args[(*count)++];
        if (sample->is_null) {
            *arg = ilc_arg_at(i, ilc_arg_null(param->name));
        } else if (sample->is_array) {
            ilc__map    made = {.arena = &check->session->scratch};
            ilc_buffer *buffer;
            ILC__TRY(make_buffer(engine, param, &sample->array, param->nested, &made, &buffer));
            *arg = ilc_arg_at(i, ilc_arg_buffer(param->name, buffer));
        } else {
            ilc_value value = {.storage = param->storage, .u.bits = sample->bits, .layout = param->layout};
            if (param->layout) value.u.data = sample->array.data;
            *arg = ilc_arg_at(i, ilc_arg_value(param->name, value));
        }
    }
    return ILC_OK;
}

static ilc_status read_buffer(ilc__arena *arena, ilc_buffer *buffer, ilc_array *out)
{
    *out = empty_like(arena, buffer->array.elem, buffer->array.layout, buffer->array.length);
    if (!buffer->nested) return ilc_buffer_read(buffer, 0, out->data, buffer->array.length);
    for (int64_t i = 0; i < buffer->array.length; i++) {
        if (!buffer->rows[i]) continue;
        ilc_array *inner = ((ilc_array **)out->data)[i] = ILC__NEW(arena, ilc_array);
        ILC__TRY(read_buffer(arena, buffer->rows[i], inner)); /* a depth of three */
    }
    return ILC_OK;
}

static ilc_status read_buffers(const checker *check, const ilc_argument *args, ilc_buffer *const *outs, observed *seen)
{
    ilc__arena *scratch = &check->session->scratch;
    size_t      number = 0;
    seen->arrays = ILC__NEW_ARRAY(scratch, ilc_array, check->samples.count);
    for (uint32_t i = 0; i < check->samples.count; i++) {
        if (check->samples.items[i].skipped) continue;
        ilc_buffer *buffer = args[number++].buffer;
        if (buffer) ILC__TRY(read_buffer(scratch, buffer, &seen->arrays[i]));
    }
    seen->outs = ILC__NEW_ARRAY(scratch, ilc_array, check->out_count);
    seen->out_count = check->out_count;
    for (uint32_t o = 0; o < check->out_count; o++) ILC__TRY(read_buffer(scratch, outs[o], &seen->outs[o]));
    return ILC_OK;
}

static ilc_status observe_launch(const checker *check, ilc_kernel *kernel, ilc_engine *engine, ilc_body_choice body, observed *seen)
{
    uint32_t      outs_count = check->out_count;
    ilc_argument *args = ILC__NEW_ARRAY(&check->session->scratch, ilc_argument, check->samples.count + outs_count);
    ilc_buffer  **outs = ILC__NEW_ARRAY(&check->session->scratch, ilc_buffer *, outs_count);
    ilc_buffer   *earlier = engine->buffers;
    size_t        count;
    ilc_status    status = make_buffers(check, engine, args, &count);
    if (status == ILC_OK) status = make_outs(check, engine, args, &count, outs);
    if (status == ILC_OK) {
        ilc_launch_options options;
        ilc_launch_options_init(&options);
        options.self_check = false;
        options.body = body;
        options.fuel = check->options.fuel;
        ilc_launch_result result;
        status = ilc_launch(&result, engine, kernel, args, count, check->samples.extents,
                            ilc_kernel_dims(check->kernel), &options);
        if (status == ILC_OK || status == ILC_TRAP) {
            *seen = (observed){
                .trapped = result.trapped, .trap = result.trap, .element = result.element, .guarded = result.guarded};
            status = read_buffers(check, args, outs, seen);
        }
    }
    while (engine->buffers != earlier) ilc_buffer_destroy(engine->buffers);
    return status;
}

/* --- ... or a call, for a device function --------------------------------------------------------------------------------- */

static ilc_status observe_call(const checker *check, const char *mode, ilc_engine *engine, ilc_body_choice body, observed *seen)
{
    ilc__arena *scratch = &check->session->scratch;
    ilc_value  *args = ILC__NEW_ARRAY(scratch, ilc_value, check->samples.count);
    seen->arrays = ILC__NEW_ARRAY(scratch, ilc_array, check->samples.count);
    for (uint32_t i = 0; i < check->samples.count; i++) {
        const ilc__sample *sample = &check->samples.items[i];
        const ilc_param   *param = &check->kernel->method->params[i];
        args[i] = (ilc_value){.storage = param->storage, .is_array = sample->is_array, .is_byref = param->is_byref};
        args[i].layout = param->layout;
        if (!sample->is_array && param->layout) args[i].u.data = sample->array.data;
        else if (!sample->is_array) args[i].u.bits = sample->bits;
        if (!sample->is_array || sample->is_null) continue;
        ilc__map copies = {.arena = scratch};
        seen->arrays[i] = ilc__copy_array(scratch, &sample->array, &copies);
        args[i].u.array = &seen->arrays[i];
    }
    ilc_call_options options;
    ilc_call_options_init(&options);
    options.engine = engine;
    options.fuel = check->options.fuel;
    options.body = body;
    options.mode = mode;
    ilc_outcome outcome;
    ILC__TRY(ilc_call(&outcome, check->kernel->method, args, check->samples.count, &options));
    seen->trapped = outcome.trapped;
    seen->guarded = ilc__engine_is_compiled(engine) && body == ILC_BODY_AUTO; /* it may have been */
    seen->trap = outcome.trap;
    ilc_storage storage = ilc_method_result(check->kernel->method);
    if (storage == ILC_VOID) return ILC_OK;
    const ilc_struct *layout;
    ILC__TRY(ilc_method_result_struct(&layout, check->kernel->method));
    seen->outs = ILC__NEW(scratch, ilc_array);
    *seen->outs = empty_like(scratch, storage, layout, 1);
    seen->out_count = 1;
    if (outcome.trapped) return ILC_OK;
    if (storage == ILC_ARRAY) {
        ilc_array **result = seen->outs->data;
        ilc__map    copies = {.arena = scratch};
        if (!outcome.ret.u.array) return ILC_OK;
        *result = ILC__NEW(scratch, ilc_array);
        **result = ilc__copy_array(scratch, outcome.ret.u.array, &copies);
        return ILC_OK;
    }
    if (layout) memcpy(seen->outs->data, outcome.ret.u.data, layout->size);
    else ilc__store_bits(seen->outs->data, 0, storage, outcome.ret.u.bits);
    return ILC_OK;
}

static ilc_status observe(const checker *check, ilc_engine *engine, ilc_body_choice body, observed *seen)
{
    *seen = (observed){0};
    if (ilc_kernel_dims(check->kernel)) return observe_launch(check, check->kernel, engine, body, seen);
    return observe_call(check, check->mode, engine, body, seen);
}

/* The judge's answer in mode exact; other_nan: with other bits in the NaNs that arithmetic makes. */
static ilc_status observe_judge(const checker *check, bool other_nan, observed *seen)
{
    *seen = (observed){0};
    check->judge->other_nan = other_nan;
    ilc_status status = ilc_kernel_dims(check->exact) ? observe_launch(check, check->exact, check->judge, ILC_BODY_AUTO, seen)
                                                      : observe_call(check, NULL, check->judge, ILC_BODY_AUTO, seen);
    check->judge->other_nan = false;
    return status;
}

/* --- comparing ------------------------------------------------------------------------------------------------------------ */

static ilc_status differ(checker *check, const ilc_engine *engine, const char *what, int64_t element,
                         const char *expected, const char *actual, const ilc_trap *trap)
{
    ilc__context     *ctx = &check->session->ctx;
    ilc_check_result *result = check->result;
    const ilc_method *method = check->kernel->method;
    result->different = true;
    result->engine = ilc_engine_kind_name(engine->kind);
    result->what = ilc__arena_strdup(&ctx->arena, what);
    result->expected = ilc__arena_strdup(&ctx->arena, expected);
    result->actual = ilc__arena_strdup(&ctx->arena, actual);
    result->arguments = ilc__samples_text(&ctx->arena, check->kernel, &check->samples);
    result->element = element;
    result->line = trap && trap->line ? trap->line : ilc__debug_line(method->def, 0, &result->source);
    if (trap && trap->line) result->source = trap->file;
    ilc__where where = {.method = method->def->full_name, .source = result->source, .line = result->line};
    return ilc__fail(ctx, ILC_DIFFERENT, &where, "%s of element %lld is %s in the %s interpreter, %s on %s; %s", result->what,
                     (long long)element, result->expected, check->kernel == check->exact ? "IL" : "tree", result->actual, result->engine,
                     result->arguments);
}

static const char *trap_text(ilc__arena *arena, const observed *seen)
{
    if (!seen->trapped) return "none";
    return ilc__arena_printf(arena, "%s (%s) in element %lld at IL_%04x", seen->trap.exception,
                             seen->trap.message ? seen->trap.message : "", (long long)seen->element, seen->trap.il_offset);
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_trap(const observed *a, const observed *b)
{
    if (a->trapped != b->trapped) return false;
    return !a->trapped ||
           (a->element == b->element && a->trap.il_offset == b->trap.il_offset && a->trap.line == b->trap.line &&
            same_text(a->trap.exception, b->trap.exception) && same_text(a->trap.message, b->trap.message) &&
            same_text(a->trap.method, b->trap.method));
}

/* What the judge has in mode exact, and what with other bits in NaNs that arithmetic makes; or NULL. What depends on them
 * is not promised (docs/semantics.md, NaN), in no mode. */
typedef struct doubt {
    const observed *one, *other;
} doubt;
typedef struct doubt_array {
    const ilc_array *one, *other;
} doubt_array;

static const char *length_text(ilc__arena *arena, const ilc_array *array)
{
    return array ? ilc__arena_printf(arena, "%lld", (long long)array->length) : "null";
}

static ilc_status compare_arrays(checker *check, const ilc_engine *engine, const char *name, const ilc_array *a,
                                 const ilc_array *b, doubt_array d)
{
    ilc__arena      *scratch = &check->session->scratch;
    uint32_t         count, size = ilc__element_size(a->elem, a->layout);
    const ilc__leaf *cells = ilc__cells_of(scratch, a->elem, a->layout, &count);
    for (int64_t k = 0; k < a->length; k++)
        for (uint32_t c = 0; c < count; c++) {
            ilc_storage storage = cells[c].storage;
            if (storage == ILC_ARRAY) {
                const ilc_array *x = ((ilc_array *const *)a->data)[k], *y = ((ilc_array *const *)b->data)[k];
                doubt_array      inner = {0};
                const char      *whole = name ? ilc__arena_printf(scratch, "%s[%lld]", name, (long long)k) : "the result";
                if (!x != !y || (x && x->length != y->length))
                    return differ(check, engine, ilc__arena_printf(scratch, "the length of %s", whole), k, length_text(scratch, x), length_text(scratch, y), NULL);
                if (d.one) inner = (doubt_array){((ilc_array *const *)d.one->data)[k], ((ilc_array *const *)d.other->data)[k]};
                if (x && y) ILC__TRY(compare_arrays(check, engine, whole, x, y, inner));
                continue;
            }
            size_t      at = (size_t)k * size + cells[c].offset;
            uint64_t    wanted = ilc__load_bits((const uint8_t *)a->data + at, 0, storage);
            uint64_t    got = ilc__load_bits((const uint8_t *)b->data + at, 0, storage);
            if (ilc__same_bits(storage, wanted, got)) continue;
            if (d.one && !ilc__same_bits(storage, ilc__load_bits((const uint8_t *)d.one->data + at, 0, storage),
                                         ilc__load_bits((const uint8_t *)d.other->data + at, 0, storage))) {
                check->result->unpromised++;
                continue;
            }
            const char *what = name ? ilc__arena_printf(scratch, "%s[%lld]", name, (long long)k) : "the result";
            if (a->layout) what = ilc__arena_printf(scratch, "%s.%s", what, ilc__leaf_name(scratch, a->layout, &cells[c]));
            return differ(check, engine, what, k, ilc__show_bits(scratch, storage, wanted),
                          ilc__show_bits(scratch, storage, got), NULL);
        }
    return ILC_OK;
}

static ilc_status compare_with(checker *check, const ilc_engine *engine, const observed *judge, const observed *seen,
                               doubt d)
{
    ilc__arena *scratch = &check->session->scratch;
    if (!same_trap(judge, seen)) {
        if (d.one && !same_trap(d.one, d.other)) {
            check->result->unpromised++;
            return ILC_OK;
        }
        return differ(check, engine, "the exception", judge->trapped ? judge->element : seen->element,
                      trap_text(scratch, judge), trap_text(scratch, seen), judge->trapped ? &judge->trap : &seen->trap);
    }
    for (uint32_t o = 0; o < judge->out_count && o < seen->out_count; o++)
        ILC__TRY(compare_arrays(check, engine, NULL, &judge->outs[o], &seen->outs[o],
                                d.one ? (doubt_array){&d.one->outs[o], &d.other->outs[o]} : (doubt_array){0}));
    /* After a call that raised, arrays are as they were when it did: the same everywhere, too. */
    for (uint32_t i = 0; i < check->samples.count; i++)
        ILC__TRY(compare_arrays(check, engine, check->kernel->method->params[i].name, &judge->arrays[i], &seen->arrays[i],
                                d.one ? (doubt_array){&d.one->arrays[i], &d.other->arrays[i]} : (doubt_array){0}));
    return ILC_OK;
}

/* --- mode fast: how far ---------------------------------------------------------------------------------------------------- */

static void measure_arrays(checker *check, const ilc_array *exact, const ilc_array *other)
{
    uint32_t         count, size = ilc__element_size(exact->elem, exact->layout);
    const ilc__leaf *cells = ilc__cells_of(&check->session->scratch, exact->elem, exact->layout, &count);
    for (int64_t k = 0; k < exact->length; k++)
        for (uint32_t c = 0; c < count; c++) {
            if (cells[c].storage == ILC_ARRAY) {
                const ilc_array *x = ((ilc_array *const *)exact->data)[k], *y = ((ilc_array *const *)other->data)[k];
                if (x && y) measure_arrays(check, x, y); /* a depth of three */
                continue;
            }
            size_t at = (size_t)k * size + cells[c].offset;
            ilc__deviation_note(&check->result->deviation, cells[c].storage, ilc__load_bits((const uint8_t *)exact->data + at, 0, cells[c].storage),
                                ilc__load_bits((const uint8_t *)other->data + at, 0, cells[c].storage));
        }
}

static void measure(checker *check, const observed *exact, const observed *seen)
{
    if (!same_trap(exact, seen)) {
        check->result->deviation.unlike++;
        return;
    }
    for (uint32_t o = 0; o < exact->out_count && o < seen->out_count; o++) measure_arrays(check, &exact->outs[o], &seen->outs[o]);
    for (uint32_t i = 0; i < check->samples.count; i++) measure_arrays(check, &exact->arrays[i], &seen->arrays[i]);
}

/* What differs is compared again beside the judge with other bits in its NaNs. */
static ilc_status compare(checker *check, const ilc_engine *engine, const observed *judge, const observed *seen)
{
    if (check->kernel->floats == ILC__FLOATS_FAST) {
        measure(check, judge, seen);
        return ILC_OK;
    }
    uint32_t   before = check->session->ctx.diags.count;
    ilc_status status = compare_with(check, engine, judge, seen, (doubt){0});
    if (status != ILC_DIFFERENT) return status;
    observed one, other;
    status = observe_judge(check, false, &one);
    if (status == ILC_OK) status = observe_judge(check, true, &other);
    if (status != ILC_OK) {
        check->session->ctx.diags.count = before + 1; /* what differs, alone */
        return ILC_DIFFERENT;
    }
    check->session->ctx.diags.count = before;
    check->result->different = false;
    return compare_with(check, engine, judge, seen, (doubt){&one, &other});
}

/* --- rounds ----------------------------------------------------------------------------------------------------------------- */

/* Out of fuel, or elements that are not independent with these arguments: no answer to compare. */
static bool is_left_out(ilc_status status)
{
    return status == ILC_LIMIT || status == ILC_UNSUPPORTED;
}

static ilc_status compare_engine(checker *check, ilc_engine *engine, const observed *judge, bool *left_out)
{
    observed   seen;
    uint32_t   before = check->session->ctx.diags.count;
    ilc_status status = observe(check, engine, ILC_BODY_AUTO, &seen);
    if (is_left_out(status)) {
        check->session->ctx.diags.count = before;
        *left_out = true;
        return ILC_OK;
    }
    if (status != ILC_OK) return status;
    check->session->ctx.diags.count = before;
    ILC__TRY(compare(check, engine, judge, &seen));
    if (!seen.guarded) return ILC_OK;
    status = observe(check, engine, ILC_BODY_CHECKED, &seen);
    if (status != ILC_OK) return status;
    check->session->ctx.diags.count = before;
    return compare(check, engine, judge, &seen);
}

static ilc_status run_round(checker *check, uint32_t round)
{
    ilc__context *ctx = &check->session->ctx;
    uint32_t      before = ctx->diags.count;
    observed      judge;
    bool          left_out = false;
    ilc__samples_make(&check->session->scratch, check->kernel, check->options.seed, round, &check->samples);
    bool       by_judge = check->kernel->floats != ILC__FLOATS_FMA;
    ilc_status status = by_judge ? observe_judge(check, false, &judge) : observe(check, check->engines[0], ILC_BODY_AUTO, &judge);
    if (is_left_out(status) || status == ILC_INVALID) { /* a pointer of these arguments led outside every array */
        ctx->diags.count = before;
        check->result->limited++;
        return ILC_OK;
    }
    if (status != ILC_OK) return status;
    ctx->diags.count = before;
    for (uint32_t e = by_judge ? 0 : 1; e < check->engine_count; e++)
        ILC__TRY(compare_engine(check, check->engines[e], &judge, &left_out));
    if (left_out) {
        check->result->limited++;
        return ILC_OK;
    }
    check->result->rounds++;
    check->result->elements += (uint64_t)check->samples.total;
    check->result->trapped += judge.trapped;
    return ILC_OK;
}

static ilc_status open_interpreter(checker *check, ilc_engine_kind kind, ilc_engine **out)
{
    ilc_engine_options options;
    ilc_engine_options_init(&options);
    options.kind = kind;
    return ilc_engine_create(out, check->session, &options);
}

static ilc_status run_rounds(checker *check)
{
    for (uint32_t round = 0; round < check->options.rounds; round++) {
        ILC__TRY(run_round(check, round));
        /* What a round took goes with it; the kernel and its texts are in the session's arena. */
        if (round + 1 < check->options.rounds && check->session->stop)
            return ilc__fail(&check->session->ctx, ILC_LIMIT, NULL, "the check was stopped");
    }
    return ILC_OK;
}

static ilc_status run_check(ilc_check_result *result, ilc_method *method, const ilc_check_options *given)
{
    ilc_session *session = method->session;
    checker      check = {.session = session, .result = result};
    ilc_check_options_init(&check.options);
    ILC__TRY(ilc__options_take(&session->ctx, &check.options, sizeof check.options, given, "check options"));
    *result = (ilc_check_result){0};
    ilc_kernel_options options;
    ilc_kernel_options_init(&options);
    options.index = check.options.index;
    if (check.options.schedule) options.schedule = check.options.schedule;
    ILC__TRY(ilc__kernel_make(&check.exact, method, &options));
    options.mode = check.mode = check.options.mode ? check.options.mode : "exact";
    check.kernel = check.exact;
    if (strcmp(options.mode, "exact") != 0) ILC__TRY(ilc__kernel_make(&check.kernel, method, &options));
    ilc_storage result_storage = ilc_method_result(method);
    check.out_count = result_storage == ILC_VOID ? 0 : 1;
    if (result_storage == ILC_STRUCT && ilc_kernel_dims(check.kernel)) {
        ILC__TRY(ilc__method_outputs(method));
        check.out_count = method->output_count;
    }
    check.engine_count = 1 + (uint32_t)check.options.engine_count;
    check.engines = ILC__NEW_ARRAY(&session->ctx.arena, ilc_engine *, check.engine_count);
    ILC__TRY(open_interpreter(&check, ILC_ENGINE_IL, &check.judge));
    check.judge->host_libm = check.options.host_libm;
    ilc_status status = open_interpreter(&check, ILC_ENGINE_AST, &check.engines[0]);
    for (size_t i = 0; i < check.options.engine_count; i++) check.engines[1 + i] = check.options.engines[i];
    if (status == ILC_OK) status = run_rounds(&check);
    ilc_engine_destroy(check.judge);
    ilc_engine_destroy(check.engines[0]);
    return status;
}

ilc_status ilc_check(ilc_check_result *result, ilc_method *method, const ilc_check_options *options)
{
    ILC__LAND(method->session, run_check(result, method, options));
}
