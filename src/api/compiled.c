/* compiled.c - calls by compiled engines: a method as a device function that is run once, many methods to a
 * translation unit. */
#include "api/launch.h"

/* Methods to one translation unit: starting a compiler costs more than compiling one method. */
enum { GROUP_SIZE = 200 };

typedef struct ilc__compiled {
    ilc_engine           *engine;
    bool                  unchecked;
    ilc__floats           floats;
    ilc_method           *method;
    struct ilc__compiled *next;
    ilc__kernel           emitted;
    ilc_status            status; /* of emission or compilation; its diagnostic is `why` */
    ilc__diag             why;
    ilc__module          *module;
    uint32_t              entry, checked; /* of module: where the guard holds, and with every check */
} compiled;

static compiled *find_compiled(const ilc_method *method, const ilc_call_options *options, ilc__floats floats)
{
    for (compiled *c = method->compiled; c; c = c->next)
        if (c->engine == options->engine && c->unchecked == options->unchecked && c->floats == floats) return c;
    return NULL;
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (is_name_char(at[length])) length++;
    return length;
}

static bool is_ours(const char *name, size_t length)
{
    return length > 3 && strncmp(name, "il_", 3) == 0;
}

/* The names that units share, those of their common prelude, are left as they are. */
static void add_names(ilc__map *shared, const char *prelude)
{
    for (const char *at = prelude; *at;) {
        size_t length = name_length(at);
        if (is_ours(at, length)) ilc__map_put(shared, at, length, shared);
        at += length ? length : 1;
    }
}

/* Every other il_ name gets the unit's number, so that units can stand in one file. */
static void rename_apart(ilc__text *out, const char *source, const ilc__map *shared, uint32_t number)
{
    for (const char *at = source; *at;) {
        size_t length = name_length(at);
        bool   apart = is_ours(at, length) && !ilc__map_get(shared, at, length);
        if (length == 0) length = 1;
        ilc__text_add(out, at, length);
        if (apart) ilc__text_printf(out, "_%u", number);
        at += length;
    }
}

static ilc_status emit_call(ilc_method *method, ilc__floats floats, ilc__dialect dialect, bool checks, bool lines, ilc__kernel *out)
{
    ilc__context    *ctx = &method->session->ctx;
    const ilc__unit *unit;
    ILC__TRY(ilc__method_describe(method));
    ILC__TRY(ilc__method_unit(method, floats, &unit));
    ilc__kernel_spec  spec = {.mode = ILC__MODE_DEVICE};
    ilc__emit_options options = {.dialect = dialect, .checks = checks, .lines = lines, .fast = floats == ILC__FLOATS_FAST};
    return ilc__emit_kernel(ctx, &method->session->scratch, unit, &spec, &options, out);
}

static ilc_status emit_for_call(ilc_method *method, compiled *c)
{
    ilc__kernel made;
    ILC__TRY(emit_call(method, c->floats, ilc__engine_dialect(c->engine), !c->unchecked, false, &made));
    ilc__kernel_keep(&method->session->ctx.arena, &method->session->scratch, &made, &c->emitted);
    return ILC_OK;
}

/* Runs a step whose failure is kept for the call to report. */
static void keep_failure(ilc__context *ctx, compiled *c, ilc_status status, uint32_t before)
{
    c->status = status;
    if (status == ILC_OK) return;
    if (ctx->diags.count > before) c->why = ctx->diags.items[before];
    ctx->diags.count = before;
}

static compiled *make_compiled(const ilc_call_options *options, ilc__floats floats, ilc_method *method)
{
    ilc__context *ctx = &method->session->ctx;
    compiled     *c = ILC__NEW(&ctx->arena, compiled);
    c->engine = options->engine;
    c->unchecked = options->unchecked;
    c->floats = floats;
    c->method = method;
    uint32_t before = ctx->diags.count;
    keep_failure(ctx, c, emit_for_call(method, c), before);
    return c;
}

static const char calls_name[] = "il_calls";

/* One text of them all; each learns which entries are its own. */
static const char *join(ilc_session *session, ilc__dialect dialect, compiled *const *group, uint32_t count, const char **names,
                        uint32_t *name_count)
{
    ilc__arena *scratch = &session->scratch;
    ilc__text   bodies = {.arena = scratch}, text = {.arena = scratch};
    ilc__map    shared = {.arena = scratch};
    *name_count = 0;
    for (uint32_t i = 0; i < count; i++) ilc__text_puts(&bodies, group[i]->emitted.source + group[i]->emitted.prelude_size);
    ilc__text_puts(&text, ilc__emit_prelude(scratch, dialect, group[0]->floats == ILC__FLOATS_FAST, ilc__text_string(&bodies)));
    add_names(&shared, ilc__text_string(&text));
    for (uint32_t i = 0; i < count; i++) {
        rename_apart(&text, group[i]->emitted.source + group[i]->emitted.prelude_size, &shared, i);
        ilc__text_putc(&text, '\n');
        const char *entries[] = {group[i]->emitted.guarded.name, group[i]->emitted.checked.name};
        group[i]->entry = group[i]->checked = *name_count;
        for (uint32_t e = 0; e < 2 && entries[e]; e++) {
            group[i]->checked = *name_count;
            names[(*name_count)++] = ilc__arena_printf(&session->ctx.arena, "%s_%u", entries[e], i);
        }
    }
    return ilc__text_string(&text);
}

static ilc_status compile_together(ilc_engine *engine, compiled *const *group, uint32_t count)
{
    const char  **names = ILC__NEW_ARRAY(&engine->session->scratch, const char *, 2 * (size_t)count);
    uint32_t      name_count;
    const char   *source = join(engine->session, ilc__engine_dialect(engine), group, count, names, &name_count);
    ilc__module  *module;
    ILC__TRY(ilc__engine_module(engine, calls_name, source, names, name_count, &module));
    for (uint32_t i = 0; i < count; i++) group[i]->module = module;
    return ILC_OK;
}

ilc_status ilc__call_source(ilc_method *method, ilc__dialect dialect, bool checks, const char **source, const char **names,
                            uint32_t *name_count)
{
    compiled  one = {.method = method, .unchecked = !checks};
    compiled *group[] = {&one};
    ILC__TRY(emit_call(method, ILC__FLOATS_EXACT, dialect, checks, false, &one.emitted));
    *source = join(method->session, dialect, group, 1, names, name_count);
    return ILC_OK;
}

static int64_t count_lines(const char *text, size_t length)
{
    int64_t lines = 0;
    for (size_t i = 0; i < length; i++) lines += text[i] == '\n';
    return lines;
}

/* The compiler's message about a method that was compiled alone; its text stood behind another prelude than its own. */
static ilc_status blame_call(ilc_engine *engine, const compiled *c, ilc_status status, uint32_t before)
{
    ilc_session *session = engine->session;
    ilc__kernel  mapped;
    if (status != ILC_COMPILER || emit_call(c->method, c->floats, ilc__engine_dialect(engine), !c->unchecked, true, &mapped) != ILC_OK) return status;
    const char *prelude = ilc__emit_prelude(&session->scratch, ilc__engine_dialect(engine), c->floats == ILC__FLOATS_FAST, mapped.source + mapped.prelude_size);
    int64_t     shift = count_lines(prelude, strlen(prelude)) - count_lines(mapped.source, mapped.prelude_size);
    return ilc__blame_source(&session->ctx, status, before, ilc__engine_file(engine, calls_name), &mapped, shift);
}

/* One method that does not compile must not take the others down: the halves are tried, down to it. */
static void compile_group(ilc_engine *engine, compiled *const *group, uint32_t count)
{
    ilc__context *ctx = &engine->session->ctx;
    uint32_t      before = ctx->diags.count, half = count / 2;
    if (count == 0) return;
    ilc_status status = compile_together(engine, group, count);
    if (count == 1) {
        status = ilc__say_not_bundled(engine, group[0]->method, status, before);
        keep_failure(ctx, group[0], blame_call(engine, group[0], status, before), before);
    }
    if (count == 1 || status == ILC_OK) return;
    ctx->diags.count = before;
    compile_group(engine, group, half);
    compile_group(engine, group + half, count - half);
}

static ilc_status prepare(ilc_method *const *methods, size_t count, const ilc_call_options *options, ilc__floats floats)
{
    ilc_engine *engine = options->engine;
    compiled   *group[GROUP_SIZE];
    uint32_t    filled = 0;
    for (size_t i = 0; i < count; i++) {
        if (find_compiled(methods[i], options, floats)) continue;
        compiled *c = make_compiled(options, floats, methods[i]);
        c->next = methods[i]->compiled;
        methods[i]->compiled = c;
        if (c->status != ILC_OK) continue;
        group[filled++] = c;
        if (filled < GROUP_SIZE) continue;
        compile_group(engine, group, filled);
        filled = 0;
    }
    compile_group(engine, group, filled);
    return ILC_OK;
}

static ilc_status prepare_given(ilc_method *const *methods, size_t count, const ilc_call_options *given)
{
    ilc_call_options options;
    ilc_call_options_init(&options);
    ILC__TRY(ilc__options_take(&methods[0]->session->ctx, &options, sizeof options, given, "call options"));
    ilc__floats floats;
    ILC__TRY(ilc__floats_take(&methods[0]->session->ctx, options.mode, &floats));
    if (!options.engine || !ilc__engine_is_compiled(options.engine)) return ILC_OK;
    return prepare(methods, count, &options, floats);
}

ilc_status ilc_call_prepare(ilc_method *const *methods, size_t count, const ilc_call_options *options)
{
    if (count == 0) return ILC_OK;
    ILC__LAND(methods[0]->session, prepare_given(methods, count, options));
}

/* --- one call ---------------------------------------------------------------------------------------------------- */

typedef struct placed { /* a copy on a device */
    ilc_array   *array;
    ilc__address address;
} placed;

typedef struct device_call {
    ilc_engine      *engine;
    ilc_method      *method;
    const ilc_value *args;
    uint32_t         count;
    bool             force_checked;
    ilc__address    *addresses; /* per parameter; 0 for scalars and null */
    ilc__map         objects;   /* ilc_array * -> its address */
    ILC__VEC(placed) placed;
    ilc__address     out;
    const ilc_struct *result; /* of a struct; NULL of a scalar */
    ilc__address heap; /* for arrays of any length; 0: none is made */
} device_call;

void *ilc__struct_copy(ilc__arena *arena, const void *data, const ilc__layout *layout)
{
    return memcpy(ilc__struct_room(arena, layout->size), data, layout->size);
}

/* The bytes of an array as the engine holds them; of an array of arrays those of its pairs. */
static size_t placed_size(const ilc_array *array)
{
    return (size_t)array->length * (array->elem == ILC_ARRAY ? sizeof(ilc__pair) : ilc__element_size(array->elem, array->layout));
}

/* On the CPU data are used where they are; a device gets one copy of each object. */
static ilc_status place_bytes(device_call *call, ilc_array *array, const void *bytes, ilc__address *out)
{
    ilc__engine    *rt = call->engine->rt;
    size_t          size = placed_size(array);
    if (call->engine->kind == ILC_ENGINE_CPU) {
        /* an array of no elements has an address of its own, too */
        *out = (ilc__address)(uintptr_t)(size ? bytes : (const void *)ILC__NEW(&call->engine->session->scratch, uint64_t));
        return ILC_OK;
    }
    ILC__TRY(ilc__engine_alloc(rt, size ? size : 1, out));
    placed one = {array, *out};
    ILC__PUSH(&call->engine->session->scratch, &call->placed, one);
    return size ? ilc__engine_write(rt, *out, bytes, size) : ILC_OK;
}

/* Inner arrays first; a depth of three at most. */
static ilc_status place_object(device_call *call, ilc_array *array, ilc__address *out)
{
    ilc__arena *scratch = &call->engine->session->scratch;
    uintptr_t   known = (uintptr_t)ilc__map_get(&call->objects, &array, sizeof array);
    if (known) {
        *out = (ilc__address)known;
        return ILC_OK;
    }
    const void *bytes = array->data;
    if (array->elem == ILC_ARRAY) {
        ilc__pair *pairs = ILC__NEW_ARRAY(scratch, ilc__pair, (size_t)array->length);
        for (int64_t i = 0; i < array->length; i++) {
            ilc_array *inner = ((ilc_array **)array->data)[i];
            pairs[i].length = inner ? inner->length : -1;
            if (inner) ILC__TRY(place_object(call, inner, &pairs[i].data));
        }
        bytes = pairs;
    }
    ILC__TRY(place_bytes(call, array, bytes, out));
    ilc__map_put(&call->objects, &array, sizeof array, (void *)(uintptr_t)*out);
    return ILC_OK;
}

static ilc_status place_arguments(device_call *call)
{
    call->objects = (ilc__map){.arena = &call->engine->session->scratch};
    for (uint32_t i = 0; i < call->count; i++)
        if (call->args[i].is_array && call->args[i].u.array)
            ILC__TRY(place_object(call, call->args[i].u.array, &call->addresses[i]));
    size_t bytes = call->result ? call->result->size : sizeof(ilc__pair);
    ILC__TRY(ilc__engine_alloc(call->engine->rt, bytes, &call->out));
    ILC__TRY(ilc__engine_fill(call->engine->rt, call->out, 0, bytes));
    if (!call->engine->trap_slot)
        ILC__TRY(ilc__engine_alloc(call->engine->rt, sizeof(uint64_t), &call->engine->trap_slot));
    return ilc__engine_fill(call->engine->rt, call->engine->trap_slot, 0xFF, sizeof(uint64_t));
}

static ilc_status take_back(device_call *call)
{
    for (uint32_t i = 0; i < call->placed.count; i++) {
        placed *one = &call->placed.items[i];
        size_t  size = placed_size(one->array);
        if (size && one->array->elem != ILC_ARRAY)
            ILC__TRY(ilc__engine_read(call->engine->rt, one->array->data, one->address, size));
    }
    return ILC_OK;
}

static void release(device_call *call)
{
    if (call->out) ilc__engine_free(call->engine->rt, call->out);
    if (call->heap) ilc__engine_free(call->engine->rt, call->heap);
    for (uint32_t i = 0; i < call->placed.count; i++)
        ilc__engine_free(call->engine->rt, call->placed.items[i].address);
}

/* Nested arrays lie there as pairs; a depth of three at most. */
static ilc_status read_array(device_call *call, const ilc__ir_var *like, uint32_t nested, ilc__pair pair, ilc_array **out)
{
    ilc__arena *arena = &call->method->result_arena;
    *out = NULL;
    if (pair.length < 0) return ILC_OK;
    if (pair.length > ILC__MAX_ARRAY_LENGTH) /* without checks a result may be anything */
        return ilc__fail(&call->engine->session->ctx, ILC_INVALID, NULL, "%s returned no array", call->method->def->full_name);
    ilc_array *array = *out = ILC__NEW(arena, ilc_array);
    *array = (ilc_array){.elem = nested ? ILC_ARRAY : like->storage, .length = pair.length, .layout = like->layout};
    size_t size = nested ? sizeof(ilc__pair) : ilc__element_size(like->storage, like->layout);
    void  *data = ilc__arena_array(arena, (size_t)pair.length, size);
    if (pair.length) ILC__TRY(ilc__engine_read(call->engine->rt, data, pair.data, (size_t)pair.length * size));
    array->data = nested ? ilc__arena_array(arena, (size_t)pair.length, sizeof(ilc_array *)) : data;
    for (int64_t i = 0; nested && i < pair.length; i++)
        ILC__TRY(read_array(call, like, nested - 1, ((ilc__pair *)data)[i], &((ilc_array **)array->data)[i]));
    return ILC_OK;
}

static ilc_status take_array(device_call *call, const ilc__kernel *emitted, ilc_outcome *out)
{
    const ilc__unit   *unit = emitted->unit;
    const ilc__ir_var *like = unit->funcs.items[unit->funcs.count - 1]->ret_array;
    ilc__pair          pair;
    ILC__TRY(ilc__engine_read(call->engine->rt, &pair, call->out, sizeof pair));
    ilc__arena_free(&call->method->result_arena);
    out->ret = (ilc_value){.storage = like->nested ? ILC_ARRAY : like->storage, .is_array = true};
    return read_array(call, like, like->nested, pair, &out->ret.u.array);
}

static uint64_t pack(const device_call *call, const ilc__kparam *param)
{
    const ilc_value *arg = param->param < call->count ? &call->args[param->param] : NULL;
    switch (param->kind) {
    case ILC__KP_SCALAR: return arg->u.bits;
    case ILC__KP_ARRAY: return call->addresses[param->param];
    case ILC__KP_OUT: return call->out;
    case ILC__KP_EXTENT: return 1;
    case ILC__KP_LENGTH:
        if (!arg->u.array) return call->method->params[param->param].is_span ? 0 : (uint64_t)-1;
        return (uint64_t)(arg->u.array->rank > 1 ? arg->u.array->dims[param->dim] : arg->u.array->length);
    case ILC__KP_TRAP: return call->engine->trap_slot;
    case ILC__KP_HEAP: return call->heap;
    }
    return 0;
}

static bool guard_holds(const device_call *call, const ilc__kernel *emitted)
{
    ilc_session *session = call->engine->session;
    int64_t     *scalars = ILC__NEW_ARRAY(&session->scratch, int64_t, call->count);
    int64_t     *lengths = ILC__NEW_ARRAY(&session->scratch, int64_t, call->count);
    int64_t     *dims = ILC__NEW_ARRAY(&session->scratch, int64_t, 3 * (size_t)call->count);
    for (uint32_t i = 0; i < call->count; i++) {
        const ilc_value *arg = &call->args[i];
        const ilc_array *array = arg->is_array ? arg->u.array : NULL;
        lengths[i] = array ? array->length : call->method->params[i].is_span ? 0 : -1;
        for (uint32_t k = 0; k < 3; k++) dims[3 * i + k] = array ? array->dims[k] : -1;
        if (!arg->is_array) scalars[i] = (int64_t)arg->u.bits;
    }
    ilc__launch_facts facts = {.scalars = scalars, .lengths = lengths, .dims = dims, .extents = {1, 1, 1}};
    return ilc__guard_holds(&session->ctx, &session->scratch, emitted, &facts);
}

static ilc_status run(device_call *call, const compiled *c, ilc_outcome *out)
{
    bool              guarded = c->emitted.has_guard && !call->force_checked && guard_holds(call, &c->emitted);
    bool              whole = c->emitted.has_guard && !guarded;
    const ilc__entry *entry = whole ? &c->emitted.checked : &c->emitted.guarded;
    ilc__engine      *rt = call->engine->rt;
    ilc__arena       *scratch = &call->engine->session->scratch;
    uint64_t         *cells = ILC__NEW_ARRAY(scratch, uint64_t, entry->param_count);
    const void      **pointers = ILC__NEW_ARRAY(scratch, const void *, entry->param_count);
    int32_t           trap_arg = -1;
    for (uint32_t i = 0; i < entry->param_count; i++) {
        if (entry->params[i].kind == ILC__KP_HEAP) ILC__TRY(ilc__engine_alloc(rt, ILC__HEAP_SIZE, &call->heap));
        cells[i] = pack(call, &entry->params[i]);
        pointers[i] = &cells[i];
        if (entry->params[i].kind == ILC__KP_SCALAR && entry->params[i].layout)
            pointers[i] = ilc__struct_copy(scratch, call->args[entry->params[i].param].u.data, entry->params[i].layout);
        if (entry->params[i].kind == ILC__KP_TRAP) trap_arg = (int32_t)i;
    }
    ilc__launch launch = {
        .dims = 1, .extents = {1, 1, 1}, .args = pointers, .arg_count = entry->param_count, .trap_arg = trap_arg,
        .stack = c->emitted.stack};
    ILC__TRY(ilc__engine_launch(rt, c->module, whole ? c->checked : c->entry, &launch));
    ILC__TRY(ilc__engine_synchronize(rt));
    uint64_t slot = UINT64_MAX, bits = 0;
    if (trap_arg >= 0) ILC__TRY(ilc__engine_read(rt, &slot, call->engine->trap_slot, sizeof slot));
    ILC__TRY(take_back(call));
    if (slot != UINT64_MAX && (slot & 0xFFFF) == ILC__SITE_NO_MEMORY) {
        ilc__where where = {.method = call->method->def->full_name};
        return ilc__fail(&call->engine->session->ctx, ILC_LIMIT, &where, "the memory that the call asks for is too much");
    }
    if (slot != UINT64_MAX) {
        out->trapped = true;
        out->trap = ilc__trap_at(&c->emitted.sites[slot & 0xFFFF]);
        return ILC_OK;
    }
    out->ret.storage = ilc_method_result(call->method);
    if (out->ret.storage == ILC_VOID) return ILC_OK;
    if (out->ret.storage == ILC_ARRAY) return take_array(call, &c->emitted, out);
    if (call->result) {
        out->ret.layout = call->result;
        out->ret.u.data = ilc__method_result_room(call->method, call->result);
        return ilc__engine_read(rt, out->ret.u.data, call->out, call->result->size);
    }
    ILC__TRY(ilc__engine_read(rt, &bits, call->out, sizeof bits));
    out->ret.u.bits = ilc__load_bits(&bits, 0, out->ret.storage);
    return ILC_OK;
}

/* Says again what went wrong when the method was compiled. */
static ilc_status fail_again(ilc__context *ctx, const compiled *c)
{
    if (!c->why.text) return ilc__fail(ctx, c->status, &c->why.where, "did not compile");
    ILC__PUSH(&ctx->arena, &ctx->diags, c->why);
    return c->status;
}

ilc_status ilc__engine_call(ilc_method *method, const ilc_value *args, uint32_t count, const ilc_call_options *options,
                            ilc__floats floats, ilc_outcome *out)
{
    ilc_engine *engine = options->engine;
    ILC__TRY(prepare(&method, 1, options, floats));
    compiled *c = find_compiled(method, options, floats);
    /* Running out of memory may have come between emission and compilation. */
    if (c->status == ILC_OK && !c->module) compile_group(engine, &c, 1);
    if (c->status != ILC_OK) return fail_again(&engine->session->ctx, c);
    device_call call = {.engine = engine, .method = method, .args = args, .count = count,
                        .force_checked = options->body == ILC_BODY_CHECKED};
    ILC__TRY(ilc_method_result_struct(&call.result, method));
    call.addresses = ILC__NEW_ARRAY(&engine->session->scratch, ilc__address, count);
    ilc_status status = place_arguments(&call);
    if (status == ILC_OK) status = run(&call, c, out);
    release(&call);
    return status;
}
