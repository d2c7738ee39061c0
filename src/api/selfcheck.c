/* selfcheck.c - 16 elements of an actual launch against the IL interpreter, once for each kernel text.
 *
 * Before the launch the elements are interpreted over copies of the inputs; after it, their results, and every
 * place they stored to, are read back and compared. */
#include "api/launch.h"

enum { SELF_CHECK_ELEMENTS = 16 };
/* Fuel of one element in IL instructions; and the bytes of input worth copying for it. */
#define SELF_CHECK_FUEL UINT64_C(4000000)
#define SELF_CHECK_BYTES ((int64_t)1 << 30)

/* An array of numbers or structs, read from where the launch has it. */
typedef struct copied {
    const ilc_buffer *buffer;
    const char       *name;   /* of a parameter that it is, or lies in */
    ilc_array         work;   /* what the interpreter works on         */
    const void       *before; /* as it was; NULL: nothing stores to it */
} copied;

typedef struct stored { /* one number, perhaps of a struct */
    uint32_t    copy;
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
    bool            *verdict;
    ilc_array      **arrays; /* per parameter: what the interpreter works on */
    ilc__map         objects; /* ilc_buffer * -> its ilc_array                */
    ILC__VEC(copied *) copies;
    uint32_t         count;
    expected         elements[SELF_CHECK_ELEMENTS];
};

/* With the zero behind it a text is another key. */
bool *ilc__verdict_of(ilc_kernel *kernel, const char *source, bool first_tier)
{
    if (kernel->verdict_of == source && kernel->verdict_first == first_tier) return kernel->verdict;
    ilc_session *session = kernel->session;
    size_t       length = strlen(source) + first_tier;
    bool        *verdict = ilc__map_get(&session->verdicts, source, length);
    if (!verdict) {
        verdict = ILC__NEW(&session->ctx.arena, bool);
        ilc__map_put(&session->verdicts, source, length, verdict);
    }
    kernel->verdict_of = source;
    kernel->verdict_first = first_tier;
    kernel->verdict = verdict;
    return verdict;
}

static size_t bytes_of(const ilc_array *array)
{
    return (size_t)array->length * ilc__element_size(array->elem, array->layout);
}

/* Input data where the interpreter can read it: in place on the CPU when nothing stores to it, else a copy. */
static ilc_status host_copy(ilc__self_check *check, const ilc_buffer *buffer, bool written, const char *name, ilc_array **out)
{
    ilc_engine *engine = check->plan->engine;
    ilc__arena *scratch = &engine->session->scratch;
    copied     *copy = ILC__NEW(scratch, copied);
    *copy = (copied){.buffer = buffer, .name = name, .work = buffer->array};
    size_t bytes = bytes_of(&copy->work);
    *out = &copy->work;
    ILC__PUSH(scratch, &check->copies, copy);
    if (engine->kind == ILC_ENGINE_CPU && !written) {
        copy->work.data = (void *)(uintptr_t)buffer->address;
        return ILC_OK;
    }
    copy->work.data = ilc__arena_alloc(scratch, bytes);
    if (bytes) ILC__TRY(ilc__engine_read(engine->rt, copy->work.data, buffer->address, bytes));
    if (written) copy->before = ilc__arena_copy(scratch, copy->work.data, bytes);
    return ILC_OK;
}

/* The array object of a buffer, one for each; written: the buffers that are stored to. */
static ilc_status copy_object(ilc__self_check *check, const ilc_buffer *buffer, const ilc__map *written, const char *name,
                              ilc_array **out)
{
    ilc__arena *scratch = &check->plan->engine->session->scratch;
    *out = ilc__map_get(&check->objects, &buffer, sizeof buffer);
    if (*out) return ILC_OK;
    if (buffer->nested) {
        ilc_array **inner = ILC__NEW_ARRAY(scratch, ilc_array *, (size_t)buffer->array.length);
        for (int64_t i = 0; i < buffer->array.length; i++)
            if (buffer->rows[i]) ILC__TRY(copy_object(check, buffer->rows[i], written, name, &inner[i])); /* a depth of three */
        *out = ILC__NEW(scratch, ilc_array);
        **out = buffer->array;
        (*out)->data = inner;
    } else {
        bool is_written = ilc__map_get(written, &buffer, sizeof buffer) != NULL;
        ILC__TRY(host_copy(check, buffer, is_written, name, out));
    }
    ilc__map_put(&check->objects, &buffer, sizeof buffer, *out);
    return ILC_OK;
}

/* writes: per parameter. What one name stores to another may only read. */
static ilc_status copy_inputs(ilc__self_check *check, const bool *writes)
{
    const ilc__plan *plan = check->plan;
    ilc__arena      *scratch = &plan->engine->session->scratch;
    uint32_t         count = plan->kernel->method->def->sig.param_count;
    ilc__map         written = {.arena = scratch};
    for (uint32_t i = 0; i < count; i++) {
        ilc__leaf_arrays leaves = {0};
        if (plan->params[i].buffer && writes && writes[i]) ilc__buffer_leaves(scratch, plan->params[i].buffer, &leaves);
        for (uint32_t k = 0; k < leaves.count; k++)
            ilc__map_put(&written, &leaves.items[k], sizeof leaves.items[k], leaves.items[k]);
    }
    for (uint32_t i = 0; i < count; i++) {
        const ilc_buffer *buffer = plan->params[i].buffer;
        const ilc_param  *param = &plan->kernel->method->params[i];
        if (!buffer) continue;
        ILC__TRY(copy_object(check, buffer, &written, param->name, &check->arrays[i]));
        if (param->rank < 2) check->arrays[i]->rank = 0;
    }
    return ILC_OK;
}

static bool is_affordable(const ilc__plan *plan)
{
    int64_t          bytes = 0;
    ilc__leaf_arrays leaves = {0};
    for (uint32_t i = 0; i < plan->kernel->method->def->sig.param_count; i++)
        if (plan->params[i].buffer) ilc__buffer_leaves(&plan->engine->session->scratch, plan->params[i].buffer, &leaves);
    for (uint32_t k = 0; k < leaves.count; k++) bytes += (int64_t)bytes_of(&leaves.items[k]->array);
    return bytes <= SELF_CHECK_BYTES;
}

/* From element `at` on; the length if there is none. An element changes few of many. */
static int64_t first_changed(const copied *c, size_t size, int64_t at)
{
    enum { BLOCK = 512 };
    const uint8_t *now = c->work.data, *before = c->before;
    for (; at + BLOCK <= c->work.length; at += BLOCK)
        if (memcmp(now + (size_t)at * size, before + (size_t)at * size, BLOCK * size) != 0) break;
    for (; at < c->work.length; at++)
        if (memcmp(now + (size_t)at * size, before + (size_t)at * size, size) != 0) break;
    return at;
}

static void note_stores(ilc__self_check *check, uint32_t copy, expected *element)
{
    ilc__arena      *scratch = &check->plan->engine->session->scratch;
    const copied    *c = check->copies.items[copy];
    const ilc_array *work = &c->work;
    uint32_t         count;
    const ilc__leaf *cells = ilc__cells_of(scratch, work->elem, work->layout, &count);
    size_t           size = ilc__element_size(work->elem, work->layout);
    for (int64_t at = first_changed(c, size, 0); at < work->length; at = first_changed(c, size, at + 1))
        for (uint32_t n = 0; n < count; n++) {
            stored   store = {.copy = copy, .storage = cells[n].storage, .offset = (size_t)at * size + cells[n].offset};
            uint64_t before = ilc__load_bits((const uint8_t *)c->before + store.offset, 0, store.storage);
            store.bits = ilc__load_bits((const uint8_t *)work->data + store.offset, 0, store.storage);
            if (store.bits != before) ILC__PUSH(scratch, &element->stores, store);
        }
}

/* Notes what the element stored and puts the arrays back as they were. */
static void take_stores(ilc__self_check *check, expected *element)
{
    for (uint32_t i = 0; i < check->copies.count; i++) {
        copied *c = check->copies.items[i];
        size_t  bytes = bytes_of(&c->work);
        if (!c->before || bytes == 0 || memcmp(c->work.data, c->before, bytes) == 0) continue;
        note_stores(check, i, element);
        memcpy(c->work.data, c->before, bytes);
    }
}

/* Elements that the interpreter cannot finish within the fuel are left out. */
static ilc_status interpret(ilc__self_check *check, int64_t number)
{
    ilc__context     *ctx = &check->plan->engine->session->ctx;
    /* in another mode than the judge's, beside the tree of that mode */
    ilc__element_call call = {.plan = check->plan, .arrays = check->arrays, .fuel = SELF_CHECK_FUEL,
                              .by_tree = check->plan->kernel->floats != ILC__FLOATS_EXACT};
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

ilc_status ilc__self_check_begin(const ilc__plan *plan, bool *verdict, ilc__self_check **out)
{
    ilc__arena *scratch = &plan->engine->session->scratch;
    uint32_t    count = plan->kernel->method->def->sig.param_count;
    *out = NULL;
    if (plan->kernel->floats == ILC__FLOATS_FAST) return ILC_OK; /* no bits are promised */
    if (*verdict || !is_affordable(plan)) return ILC_OK;
    ilc__self_check *check = ILC__NEW(scratch, ilc__self_check);
    check->plan = plan;
    check->verdict = verdict;
    check->arrays = ILC__NEW_ARRAY(scratch, ilc_array *, count);
    check->objects.arena = scratch;
    const ilc__kernel *emitted;
    ILC__TRY(ilc__kernel_emitted(plan->kernel, ilc__engine_dialect(plan->engine), &emitted));
    ILC__TRY(copy_inputs(check, emitted->writes));
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
                     "self-check of %s: %s of element %lld is %s in the %s interpreter, %s on %s",
                     plan->kernel->method->def->full_name, what, (long long)element, wanted,
                     plan->kernel->floats == ILC__FLOATS_EXACT ? "IL" : "tree", got,
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
        const copied *copy = check->copies.items[store->copy];
        ILC__TRY(compare_bits(check, copy->buffer, store->offset, store->storage, store->bits, copy->name, element->element));
    }
    return ILC_OK;
}

ilc_status ilc__self_check_end(ilc__self_check *check, ilc_launch_result *result)
{
    for (uint32_t i = 0; i < check->count; i++) ILC__TRY(compare(check, &check->elements[i], result));
    result->checked = check->count;
    if (check->count) *check->verdict = true;
    return ILC_OK;
}
