/* il_span.c - System.Span`1 and ReadOnlySpan`1 in the judge. A span is an array's address, of an array that nothing else
 * knows, or null for one of nothing; a variable of that type lies in memory, so that its address is one. Members are known
 * by name and do what CoreCLR's do. */
#include "interp/il_translate.h"

enum { CHECKS_LENGTH = 1, IS_DATA = 2 };

bool ilc__il_describe_span(const ilc__type *type, ilc__il_variable *out)
{
    const ilc__type *elem = ilc__type_span(type);
    if (!elem) return false;
    *out = (ilc__il_variable){.kind = ILC__K_ARRAY, .storage = ilc__type_storage(elem), .type = type, .is_span = true};
    if (out->storage == ILC_STORAGE_COUNT && ilc__type_is_struct(elem) && !ilc__type_span(elem)) return true;
    if (out->storage == ILC_STORAGE_COUNT || out->storage == ILC_VOID) out->kind = ILC__K_NONE;
    return true;
}

/* Its element, once the layout of a structure is known. */
static ilc_status describe(ilc__il_translator *t, const ilc__type *type, ilc__il_variable *out)
{
    ILC__TRY(ilc__il_describe(t, type, out));
    if (out->is_span && out->kind == ILC__K_ARRAY) return ILC_OK;
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "%s", type->name);
}

static uint32_t size_of(const ilc__il_variable *span)
{
    return span->layout ? span->layout->size : ilc_storage_size(span->storage);
}

/* --- operands --------------------------------------------------------------------------------------------- */

static const ilc__il_variable word = {.kind = ILC__K_I8, .storage = ILC_I64}, number = {.kind = ILC__K_I4, .storage = ILC_I32};

static ilc_status wrong(ilc__il_translator *t, const ilc__callee *callee, const ilc__il_cell *on)
{
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "call to %s.%s on %s", callee->type_name, callee->name, ilc__il_kind_name(on->kind));
}

/* The span at `below`, or that in the variable whose address is there, is one of the type. */
static ilc_status take_span(ilc__il_translator *t, const ilc__callee *callee, uint32_t below, const ilc__il_variable *type)
{
    ilc__il_cell *cell = ilc__il_cell_at(t, below);
    uint32_t      d = ilc__il_slot_at(t, below);
    bool          of = cell->span && cell->elem == type->storage && cell->layout == type->layout;
    if (!of || (cell->kind != ILC__K_ADDR && cell->kind != ILC__K_ARRAY)) return wrong(t, callee, cell);
    if (cell->kind == ILC__K_ADDR) ilc__il_get(t, &word, d, d, 0);
    return ILC_OK;
}

static ilc_status take_array(ilc__il_translator *t, const ilc__callee *callee, uint32_t below, const ilc__il_variable *type)
{
    const ilc__il_cell *cell = ilc__il_cell_at(t, below);
    bool                same = cell->elem == type->storage && cell->layout == type->layout && cell->rank < 2 && !cell->nested && !cell->span;
    return cell->kind == ILC__K_NULL || (cell->kind == ILC__K_ARRAY && same) ? ILC_OK : wrong(t, callee, cell);
}

static ilc_status take_number(ilc__il_translator *t, uint32_t below)
{
    return ilc__il_assign(t, ilc__il_cell_at(t, below), ilc__il_slot_at(t, below), &number);
}

/* The address of one element at least: a by-ref or pointer. */
static ilc_status take_address(ilc__il_translator *t, const ilc__callee *callee, uint32_t below, bool *is_data)
{
    const ilc__il_cell *cell = ilc__il_cell_at(t, below);
    bool                zero = (cell->kind == ILC__K_I8 || cell->kind == ILC__K_I4) && cell->known && cell->number == 0;
    *is_data = cell->kind == ILC__K_ADDR && cell->known;
    return zero || (cell->kind == ILC__K_ADDR && !cell->span) ? ILC_OK : wrong(t, callee, cell);
}

/* --- members ---------------------------------------------------------------------------------------------- */

typedef enum kind {
    NONE, ITEM, LENGTH, IS_EMPTY, PART, COPY, FILL, CLEAR, FIRST, /* of a span */
    WHOLE, RANGE, MEMORY, ONE, SAME, NOTHING, REF, DATA           /* what makes one */
} kind;

typedef struct member {
    const char *owner, *name, *params; /* owner NULL: the span types; params as of take */
    kind        what;
} member;

/* Letters: i int32, a array, s span, e element, p pointer, r by-ref, h a field's handle; a leading ! for an instance. */
static const member members[] = {
    {NULL, "get_Item", "!i", ITEM}, {NULL, "get_Length", "!", LENGTH}, {NULL, "get_IsEmpty", "!", IS_EMPTY},
    {NULL, "Slice", "!i", PART}, {NULL, "Slice", "!ii", PART}, {NULL, "CopyTo", "!s", COPY}, {NULL, "Fill", "!e", FILL},
    {NULL, "Clear", "!", CLEAR}, {NULL, "GetPinnableReference", "!", FIRST}, {NULL, ".ctor", "!a", WHOLE},
    {NULL, ".ctor", "!aii", RANGE}, {NULL, ".ctor", "!pi", MEMORY}, {NULL, ".ctor", "!r", ONE}, {NULL, "op_Implicit", "a", WHOLE},
    {NULL, "op_Implicit", "s", SAME}, {NULL, "get_Empty", "", NOTHING},
    {"System.MemoryExtensions", "AsSpan", "a", WHOLE}, {"System.MemoryExtensions", "AsSpan", "ai", RANGE},
    {"System.MemoryExtensions", "AsSpan", "aii", RANGE},
    {"System.Runtime.InteropServices.MemoryMarshal", "GetReference", "s", FIRST},
    {"System.Runtime.InteropServices.MemoryMarshal", "CreateSpan", "ri", REF},
    {"System.Runtime.InteropServices.MemoryMarshal", "CreateReadOnlySpan", "ri", REF},
    {"System.Runtime.CompilerServices.RuntimeHelpers", "CreateSpan", "h", DATA},
};

static bool is_of(char letter, const ilc__type *type, const ilc__type *elem)
{
    switch (letter) {
    case 'i': return type->kind == ILC__ET_I4;
    case 'a': return type->kind == ILC__ET_SZARRAY;
    case 's': return ilc__type_span(type) != NULL;
    case 'e': return type == elem;
    case 'p': return type->kind == ILC__ET_PTR;
    case 'r': return type->kind == ILC__ET_BYREF;
    default: return strcmp(type->name, "System.RuntimeFieldHandle") == 0;
    }
}

static kind find(const ilc__callee *callee)
{
    const ilc__type *elem = callee->type ? ilc__type_span(callee->type) : NULL;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const member *m = &members[i];
        const char   *letters = m->params + (m->params[0] == '!');
        bool          same = strcmp(m->name, callee->name) == 0 && (m->owner ? strcmp(m->owner, callee->type_name) == 0 : elem != NULL);
        same = same && callee->sig.has_this == (m->params[0] == '!') && callee->sig.param_count == strlen(letters);
        for (uint32_t k = 0; same && letters[k]; k++) same = is_of(letters[k], callee->sig.params[k], elem);
        if (same) return m->what;
    }
    return NONE;
}

static void emit(ilc__il_translator *t, uint32_t op, uint32_t d, uint32_t to, uint32_t size)
{
    ilc__il_copy(t, op, d, to, size);
}

/* What is asked of a span or done to it: the result, if any, stands where the span was. */
static ilc_status use(ilc__il_translator *t, const ilc__callee *callee, kind what)
{
    ilc__il_variable span;
    uint32_t         count = callee->sig.param_count, below = callee->sig.has_this ? count : 0;
    const ilc__type *of = callee->sig.has_this ? callee->type : callee->sig.params[0];
    ILC__TRY(ilc__il_need(t, below + 1));
    ILC__TRY(describe(t, of, &span));
    for (uint32_t i = 0; i < below; i++) {
        if (what == COPY) ILC__TRY(take_span(t, callee, i, &span));
        else if (what == FILL) {
            ilc__il_variable element = {.kind = span.layout ? ILC__K_STRUCT : ilc__il_storage_kind(span.storage), .storage = span.storage, .layout = span.layout};
            ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, i), ilc__il_slot_at(t, i), &element));
        } else ILC__TRY(take_number(t, i));
    }
    ILC__TRY(take_span(t, callee, below, &span));
    uint32_t     d = ilc__il_slot_at(t, below), size = size_of(&span);
    ilc__il_cell address = {.kind = ILC__K_ADDR, .elem = (uint8_t)span.storage, .layout = span.layout};
    t->depth -= below + 1;
    switch (what) {
    case ITEM: emit(t, ILC__DO_SPAN_ITEM, d, 0, size); return ilc__il_push_cell(t, address);
    case LENGTH: emit(t, ILC__DO_SPAN_LENGTH, d, 0, 0); return ilc__il_push(t, ILC__K_I4);
    case IS_EMPTY: emit(t, ILC__DO_SPAN_LENGTH, d, 1, 0); return ilc__il_push(t, ILC__K_I4);
    case PART: emit(t, ILC__DO_SPAN_PART, d, count - 1, size); return ilc__il_push_cell(t, ilc__il_cell_of(&span));
    case COPY: emit(t, ILC__DO_SPAN_COPY, d, 0, size); return ILC_OK;
    case FILL: emit(t, ILC__DO_SPAN_FILL, d, (uint32_t)(span.layout ? ILC_STRUCT : span.storage), size); return ILC_OK;
    case CLEAR: emit(t, ILC__DO_SPAN_CLEAR, d, 0, size); return ILC_OK;
    default:
        address.pointer = true;
        emit(t, ILC__DO_SPAN_FIRST, d, 0, 0);
        return ilc__il_push_cell(t, address);
    }
}

/* A span of what is on the stack, in the slot of the first argument. */
static ilc_status make(ilc__il_translator *t, const ilc__callee *callee, kind what, const ilc__il_variable *span)
{
    uint32_t count = callee->sig.param_count, d = t->code->stack_first + t->depth - count, size = size_of(span);
    bool     is_data = false;
    ILC__TRY(ilc__il_need(t, count));
    switch (what) {
    case WHOLE: return take_array(t, callee, 0, span);
    case SAME: return take_span(t, callee, 0, span);
    case NOTHING: {
        ilc__il_op *op = ilc__il_emit(t, ILC__DO_CONST, d);
        op->u.bits = 0;
        return ILC_OK;
    }
    case RANGE:
        for (uint32_t i = 0; i + 1 < count; i++) ILC__TRY(take_number(t, i));
        ILC__TRY(take_array(t, callee, count - 1, span));
        emit(t, ILC__DO_SPAN_PART, d, count - 2, size);
        return ILC_OK;
    case DATA:
        if (ilc__il_cell_at(t, 0)->kind != ILC__K_TOKEN || !ilc__il_cell_at(t, 0)->known || span->layout) return wrong(t, callee, ilc__il_cell_at(t, 0));
        emit(t, ILC__DO_SPAN_DATA, d, (uint32_t)span->storage, 0);
        return ILC_OK;
    case ONE:
        ILC__TRY(take_address(t, callee, 0, &is_data));
        ilc__il_emit(t, ILC__DO_CONST, d + 1)->u.bits = 1;
        break;
    default:
        ILC__TRY(take_number(t, 0));
        ILC__TRY(take_address(t, callee, 1, &is_data));
        break;
    }
    emit(t, ILC__DO_SPAN_AT, d, (what == MEMORY ? CHECKS_LENGTH : 0) | (is_data ? IS_DATA : 0), size);
    return ILC_OK;
}

ilc_status ilc__il_step_span_call(ilc__il_translator *t, const ilc__callee *callee, bool *known)
{
    kind             what = find(callee);
    ilc__il_variable span;
    *known = what != NONE;
    if (!*known) return ILC_OK;
    if (what < WHOLE) return use(t, callee, what);
    bool             is_constructor = callee->sig.has_this, is_called = is_constructor && t->insn->op != ILC__IL_NEWOBJ;
    const ilc__type *type = is_constructor || what == NOTHING ? callee->type : callee->sig.ret;
    uint32_t         count = callee->sig.param_count;
    ILC__TRY(describe(t, type, &span));
    ILC__TRY(make(t, callee, what, &span));
    uint32_t made = t->code->stack_first + t->depth - count;
    t->depth -= count;
    if (!is_called) return ilc__il_push_cell(t, ilc__il_cell_of(&span));
    ILC__TRY(ilc__il_need(t, 1));
    const ilc__il_cell *at = ilc__il_cell_at(t, 0);
    if (at->kind != ILC__K_ADDR || !at->span || at->elem != span.storage || at->layout != span.layout) return wrong(t, callee, at);
    ilc__il_put(t, &word, made, ilc__il_slot_at(t, 0), 0);
    t->depth--;
    return ILC_OK;
}

/* --- at run time ------------------------------------------------------------------------------------------ */

static int64_t length_of(const ilc__il_slot *slot)
{
    const ilc_array *array = ilc__il_array_at(slot);
    return array ? array->length : 0;
}

static ilc__il_trap set_span(ilc__il_machine *machine, ilc__il_slot *d, void *data, int64_t length)
{
    uint8_t *at = ilc__il_heap_take(machine, sizeof(ilc_array));
    if (!at) return ILC__IL_TRAP_MEMORY;
    ilc_array *array = (ilc_array *)(void *)at;
    *array = (ilc_array){.length = length, .data = data};
    d->i8 = (int64_t)(uintptr_t)array;
    return ILC__IL_TRAP_NONE;
}

static ilc__il_trap item(ilc__il_slot *d, uint32_t size)
{
    uint32_t at = (uint32_t)d[1].i4;
    if (at >= (uint64_t)length_of(d)) return ILC__IL_TRAP_INDEX;
    d->i8 = (int64_t)(uintptr_t)((uint8_t *)ilc__il_array_at(d)->data + (uint64_t)at * size);
    return ILC__IL_TRAP_NONE;
}

static ilc__il_trap part(ilc__il_machine *machine, ilc__il_slot *d, bool has_length, uint32_t size)
{
    uint64_t start = (uint32_t)d[1].i4, whole = (uint64_t)length_of(d);
    if (start > whole) return ILC__IL_TRAP_RANGE;
    uint64_t length = has_length ? (uint32_t)d[2].i4 : whole - start;
    if (length > whole - start) return ILC__IL_TRAP_RANGE;
    const ilc_array *of = ilc__il_array_at(d);
    return set_span(machine, d, of && of->data ? (uint8_t *)of->data + start * size : NULL, (int64_t)length);
}

static ilc__il_trap span_at(ilc__il_machine *machine, ilc__il_slot *d, uint32_t how, uint32_t size)
{
    int32_t length = d[1].i4;
    if (length < 0) return how & CHECKS_LENGTH ? ILC__IL_TRAP_RANGE : ILC__IL_TRAP_FAULT;
    if (!(how & IS_DATA) && d->i8 && !ilc__il_is_inside(machine, (uint64_t)d->i8, (uint64_t)length * size)) return ILC__IL_TRAP_FAULT;
    if (!d->i8 && length) return ILC__IL_TRAP_FAULT;
    return set_span(machine, d, ilc__il_address_in(d), length);
}

static void fill(ilc__il_slot *d, ilc_storage storage, uint32_t size)
{
    const ilc_array *array = ilc__il_array_at(d);
    const void      *value = storage == ILC_STRUCT ? (const void *)ilc__il_address_in(&d[1]) : (const void *)&d[1];
    for (int64_t i = 0; i < length_of(d); i++) memcpy((uint8_t *)array->data + (uint64_t)i * size, value, size);
}

static ilc__il_trap row(ilc__il_machine *machine, ilc__il_slot *d, ilc_storage storage, uint32_t size)
{
    const ilc_array *matrix = ilc__il_array_at(d);
    if (!matrix || d[1].i4 < 0 || d[1].i4 >= matrix->dims[0]) return ILC__IL_TRAP_FAULT;
    int64_t      length = matrix->dims[1];
    ilc__il_trap trap = set_span(machine, d, (uint8_t *)matrix->data + (uint64_t)d[1].i4 * (uint64_t)length * size, length);
    if (trap == ILC__IL_TRAP_NONE) ((ilc_array *)(uintptr_t)d->i8)->elem = storage;
    return trap;
}

ilc__il_trap ilc__il_span_run(ilc__il_machine *machine, ilc__il_slot *fp, const ilc__il_op *op)
{
    ilc__il_slot     *d = &fp[op->d];
    uint32_t          to = op->u.copy.to, size = op->u.copy.size;
    int64_t           length = 0;
    const ilc__where  nowhere = {0};
    const ilc__static *data;
    switch (op->code) {
    case ILC__DO_SPAN_ITEM: return item(d, size);
    case ILC__DO_SPAN_LENGTH:
        length = length_of(d);
        d->i8 = 0;
        d->i4 = to ? length == 0 : (int32_t)length;
        return ILC__IL_TRAP_NONE;
    case ILC__DO_SPAN_PART: return part(machine, d, to == 1, size);
    case ILC__DO_SPAN_AT: return span_at(machine, d, to, size);
    case ILC__DO_SPAN_FIRST: d->i8 = length_of(d) ? (int64_t)(uintptr_t)ilc__il_array_at(d)->data : 0; return ILC__IL_TRAP_NONE;
    case ILC__DO_SPAN_COPY:
        length = length_of(d);
        if (length > length_of(&d[1])) return ILC__IL_TRAP_SHORT;
        if (length) memmove(ilc__il_array_at(&d[1])->data, ilc__il_array_at(d)->data, (uint64_t)length * size);
        return ILC__IL_TRAP_NONE;
    case ILC__DO_SPAN_FILL: fill(d, (ilc_storage)to, size); return ILC__IL_TRAP_NONE;
    case ILC__DO_SPAN_CLEAR:
        length = length_of(d);
        if (length) memset(ilc__il_array_at(d)->data, 0, (uint64_t)length * size);
        return ILC__IL_TRAP_NONE;
    case ILC__DO_SPAN_DATA:
        if (ilc__static_data(machine->statics, (const ilc__field *)(uintptr_t)d->i8, (ilc_storage)to, &nowhere, &data) != ILC_OK) return ILC__IL_TRAP_MEMORY;
        d->i8 = (int64_t)(uintptr_t)&data->array;
        return ILC__IL_TRAP_NONE;
    case ILC__DO_ROW: return row(machine, d, (ilc_storage)to, size);
    default: return ILC__IL_TRAP_COUNT;
    }
}
