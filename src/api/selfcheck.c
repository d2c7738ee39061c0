/* selfcheck.c - 16 elements of an actual launch against the IL interpreter, once for each kernel text.
 *
 * Before the launch the elements are interpreted over copies of the inputs; after it, their results, and every
 * place they stored to, are read back and compared. */
#include "api/launch.h"

enum { SELF_CHECK_ELEMENTS = 16 };
/* Fuel of one element in IL instructions; and the bytes of input worth copying for it. */
#define SELF_CHECK_FUEL UINT64_C(4000000)
#define SELF_CHECK_BYTES ((int64_t)1 << 30)

typedef struct stored { /* one number, perhaps of a struct */
    uint32_t    param;
    ilc_storage storage;
    size_t      offset;
    uint64_t    bits;
} stored;

typedef struct expected {
    int64_t   element;
    bool      trapped;
    uint64_t *bits; /* of each output */
    ILC__VEC(stored) stores;
} expected;

struct ilc__self_check {
    const ilc__plan *plan;
    const char      *source;
    ilc_array      **before;  /* per parameter: the inputs as they were; parameters that share a buffer share this */
    ilc_array      **arrays;  /* what the interpreter works on                                                     */
    bool            *written;
    uint32_t         count;
    expected         elements[SELF_CHECK_ELEMENTS];
};

bool ilc__self_check_passed(const ilc_session *session, const char *source)
{
    return ilc__map_get(&session->verdicts, source, strlen(source)) != NULL;
}

static size_t bytes_of(const ilc_array *array)
{
    return (size_t)array->length * ilc__element_size(array->elem, array->layout);
}

/* Input data where the interpreter can read it: in place on the CPU when nothing stores to it, else a copy. */
static ilc_status host_copy(ilc_buffer *buffer, bool written, ilc_array *out)
{
    ilc_engine *engine = buffer->engine;
    *out = buffer->array;
    if (engine->kind == ILC_ENGINE_CPU && !written) {
        out->data = (void *)(uintptr_t)buffer->address;
        return ILC_OK;
    }
    out->data = ilc__arena_alloc(&engine->session->scratch, bytes_of(out));
    if (bytes_of(out) == 0) return ILC_OK;
    return ilc__engine_read(engine->rt, out->data, buffer->address, bytes_of(out));
}

static ilc_status copy_inputs(ilc__self_check *check)
{
    const ilc__plan *plan = check->plan;
    ilc__arena      *scratch = &plan->engine->session->scratch;
    uint32_t         count = plan->kernel->method->def->sig.param_count;
    for (uint32_t i = 0; i < count; i++) {
        ilc_buffer *buffer = plan->params[i].buffer;
        if (!buffer) continue;
        for (uint32_t k = 0; k < i && !check->arrays[i]; k++) {
            if (plan->params[k].buffer != buffer) continue;
            check->arrays[i] = check->arrays[k];
            check->before[i] = check->before[k];
        }
        if (check->arrays[i]) continue;
        check->arrays[i] = ILC__NEW(scratch, ilc_array);
        check->before[i] = check->arrays[i];
        ILC__TRY(host_copy(buffer, check->written[i], check->arrays[i]));
        if (plan->kernel->method->params[i].rank < 2) check->arrays[i]->rank = 0;
        if (!check->written[i]) continue;
        check->before[i] = ILC__NEW(scratch, ilc_array);
        *check->before[i] = *check->arrays[i];
        check->before[i]->data = ilc__arena_copy(scratch, check->arrays[i]->data, bytes_of(check->arrays[i]));
    }
    return ILC_OK;
}

static bool is_affordable(const ilc__plan *plan)
{
    int64_t bytes = 0;
    for (uint32_t i = 0; i < plan->kernel->method->def->sig.param_count; i++) {
        const ilc_buffer *buffer = plan->params[i].buffer;
        if (buffer) bytes += (int64_t)bytes_of(&buffer->array);
    }
    return bytes <= SELF_CHECK_BYTES;
}

static void note_stores(ilc__self_check *check, uint32_t param, expected *element)
{
    ilc__arena      *scratch = &check->plan->engine->session->scratch;
    const ilc_array *work = check->arrays[param];
    uint32_t         count;
    const ilc__leaf *cells = ilc__cells_of(scratch, work->elem, work->layout, &count);
    size_t           size = ilc__element_size(work->elem, work->layout);
    for (int64_t at = 0; at < work->length; at++)
        for (uint32_t c = 0; c < count; c++) {
            stored   store = {.param = param, .storage = cells[c].storage, .offset = (size_t)at * size + cells[c].offset};
            uint64_t before = ilc__load_bits((const uint8_t *)check->before[param]->data + store.offset, 0, store.storage);
            store.bits = ilc__load_bits((const uint8_t *)work->data + store.offset, 0, store.storage);
            if (store.bits != before) ILC__PUSH(scratch, &element->stores, store);
        }
}

/* Notes what the element stored and puts the arrays back as they were. */
static void take_stores(ilc__self_check *check, expected *element)
{
    const ilc__plan *plan = check->plan;
    for (uint32_t i = 0; i < plan->kernel->method->def->sig.param_count; i++) {
        if (!check->written[i] || !check->arrays[i]) continue;
        ilc_array *work = check->arrays[i];
        if (bytes_of(work) == 0 || memcmp(work->data, check->before[i]->data, bytes_of(work)) == 0) continue;
        note_stores(check, i, element);
        memcpy(work->data, check->before[i]->data, bytes_of(work));
    }
}

/* Elements that the interpreter cannot finish within the fuel are left out. */
static ilc_status interpret(ilc__self_check *check, int64_t number)
{
    ilc__context     *ctx = &check->plan->engine->session->ctx;
    ilc__element_call call = {.plan = check->plan, .arrays = check->arrays, .fuel = SELF_CHECK_FUEL};
    ilc_outcome       outcome;
    uint32_t          before = ctx->diags.count;
    ilc_status        status = ilc__element_run(&call, number, &outcome);
    expected          element = {.element = number, .trapped = outcome.trapped};
    element.bits = ILC__NEW_ARRAY(&check->plan->engine->session->scratch, uint64_t, check->plan->out_count);
    for (uint32_t o = 0; status == ILC_OK && o < check->plan->out_count; o++)
        element.bits[o] = ilc__output_bits(check->plan, &outcome, o);
    take_stores(check, &element);
    if (status == ILC_OK) check->elements[check->count++] = element;
    if (status == ILC_OK || status == ILC_LIMIT) {
        ctx->diags.count = before;
        return ILC_OK;
    }
    return status;
}

ilc_status ilc__self_check_begin(const ilc__plan *plan, const char *source, ilc__self_check **out)
{
    ilc__arena *scratch = &plan->engine->session->scratch;
    uint32_t    count = plan->kernel->method->def->sig.param_count;
    *out = NULL;
    if (ilc__self_check_passed(plan->engine->session, source) || !is_affordable(plan)) return ILC_OK;
    ilc__self_check *check = ILC__NEW(scratch, ilc__self_check);
    check->plan = plan;
    check->source = source;
    check->before = ILC__NEW_ARRAY(scratch, ilc_array *, count);
    check->arrays = ILC__NEW_ARRAY(scratch, ilc_array *, count);
    check->written = ILC__NEW_ARRAY(scratch, bool, count);
    const ilc__kernel *emitted;
    ILC__TRY(ilc__kernel_emitted(plan->kernel, ilc__engine_dialect(plan->engine), &emitted));
    for (uint32_t i = 0; i < count; i++) check->written[i] = emitted->writes && emitted->writes[i];
    ILC__TRY(copy_inputs(check));
    /* The first, the last, and others spread between them. */
    int64_t last = -1;
    for (int64_t k = 0; k < SELF_CHECK_ELEMENTS; k++) {
        int64_t number = (int64_t)((double)(plan->total - 1) * (double)k / (SELF_CHECK_ELEMENTS - 1));
        if (number != last) ILC__TRY(interpret(check, number));
        last = number;
    }
    *out = check;
    return ILC_OK;
}

static ilc_status read_number(const ilc_buffer *buffer, size_t offset, ilc_storage storage, uint64_t *bits)
{
    uint64_t cell = 0;
    ILC__TRY(ilc__engine_read(buffer->engine->rt, &cell, buffer->address + offset, ilc_storage_size(storage)));
    *bits = ilc__load_bits(&cell, 0, storage);
    return ILC_OK;
}

static ilc_status differ(const ilc__self_check *check, const char *what, int64_t element, const char *wanted,
                         const char *got)
{
    const ilc__plan *plan = check->plan;
    return ilc__fail(&plan->engine->session->ctx, ILC_DIFFERENT, NULL,
                     "self-check of %s: %s of element %lld is %s in the IL interpreter, %s on %s",
                     plan->kernel->method->def->full_name, what, (long long)element, wanted, got,
                     ilc_engine_kind_name(plan->engine->kind));
}

static ilc_status compare_bits(const ilc__self_check *check, const ilc_buffer *buffer, size_t offset, ilc_storage storage,
                               uint64_t wanted, const char *what, int64_t element)
{
    ilc__arena *scratch = &check->plan->engine->session->scratch;
    uint64_t    got;
    ILC__TRY(read_number(buffer, offset, storage, &got));
    if (ilc__same_bits(storage, wanted, got)) return ILC_OK;
    return differ(check, what, element, ilc__show_bits(scratch, storage, wanted), ilc__show_bits(scratch, storage, got));
}

static ilc_status compare(const ilc__self_check *check, const expected *element, const ilc_launch_result *result)
{
    const ilc__plan *plan = check->plan;
    bool             trapped_here = result->trapped && result->element == element->element;
    /* Only the lowest failing element is reported. */
    bool missed = element->trapped && (!result->trapped || result->element > element->element);
    if (missed || (trapped_here && !element->trapped))
        return differ(check, "the exception", element->element, missed ? "raised" : "not raised",
                      missed ? "not raised" : "raised");
    for (uint32_t o = 0; o < plan->out_count; o++) {
        const ilc_buffer *out = plan->outs[o];
        size_t            offset = (size_t)element->element * out->size;
        const char *what = plan->kernel->method->outputs ? plan->kernel->method->outputs[o].name : "the result";
        ILC__TRY(compare_bits(check, out, offset, out->array.elem, element->bits[o], what, element->element));
    }
    for (uint32_t k = 0; k < element->stores.count; k++) {
        const stored *store = &element->stores.items[k];
        ILC__TRY(compare_bits(check, plan->params[store->param].buffer, store->offset, store->storage, store->bits,
                              plan->kernel->method->params[store->param].name, element->element));
    }
    return ILC_OK;
}

ilc_status ilc__self_check_end(ilc__self_check *check, ilc_launch_result *result)
{
    ilc_session *session = check->plan->engine->session;
    for (uint32_t i = 0; i < check->count; i++) ILC__TRY(compare(check, &check->elements[i], result));
    result->checked = check->count;
    if (check->count) ilc__map_put(&session->verdicts, check->source, strlen(check->source), session);
    return ILC_OK;
}
