/* lift_span.c - System.Span`1 and ReadOnlySpan`1 (docs/memory.md, Spans): a span is a REF that is never null, part of an
 * array or of other memory. Its members are known by name; what they check is a compare and a throw before. */
#include "ir/lift.h"

/* --- which member ----------------------------------------------------------------------------------------- */

typedef enum member {
    NONE, ITEM, LENGTH, IS_EMPTY, SLICE, SLICE_TO, OF_ARRAY, OF_PART, OF_MEMORY, CONVERT, COPY_TO, FILL, CLEAR, FIRST, EMPTY,
    AS_SPAN, AS_PART, AS_REST, OF_REF, OF_DATA
} member;

/* Parameters by letter: i an int32, a an array, s a span, p a pointer, e the element, r a by-ref, h a field's handle. */
typedef struct row {
    const char *type, *name, *params;
    member      which;
    bool        has_this;
} row;

static const row rows[] = {
    {"System.MemoryExtensions", "AsSpan", "a", AS_SPAN, false},
    {"System.MemoryExtensions", "AsSpan", "ai", AS_REST, false},
    {"System.MemoryExtensions", "AsSpan", "aii", AS_PART, false},
    {"System.Runtime.InteropServices.MemoryMarshal", "GetReference", "s", FIRST, false},
    {"System.Runtime.InteropServices.MemoryMarshal", "CreateSpan", "ri", OF_REF, false},
    {"System.Runtime.InteropServices.MemoryMarshal", "CreateReadOnlySpan", "ri", OF_REF, false},
    {"System.Runtime.CompilerServices.RuntimeHelpers", "CreateSpan", "h", OF_DATA, false},
    {NULL, "get_Item", "i", ITEM, true},
    {NULL, "get_Length", "", LENGTH, true},
    {NULL, "get_IsEmpty", "", IS_EMPTY, true},
    {NULL, "Slice", "i", SLICE, true},
    {NULL, "Slice", "ii", SLICE_TO, true},
    {NULL, "CopyTo", "s", COPY_TO, true},
    {NULL, "Fill", "e", FILL, true},
    {NULL, "Clear", "", CLEAR, true},
    {NULL, "GetPinnableReference", "", FIRST, true},
    {NULL, ".ctor", "a", OF_ARRAY, true},
    {NULL, ".ctor", "aii", OF_PART, true},
    {NULL, ".ctor", "pi", OF_MEMORY, true},
    {NULL, ".ctor", "r", OF_REF, true},
    {NULL, "op_Implicit", "a", OF_ARRAY, false},
    {NULL, "op_Implicit", "s", CONVERT, false},
    {NULL, "get_Empty", "", EMPTY, false},
};

static char letter_of(const ilc__type *type, const ilc__type *elem)
{
    if (type->kind == ILC__ET_SZARRAY) return 'a';
    if (type->kind == ILC__ET_PTR) return 'p';
    if (type->kind == ILC__ET_BYREF) return 'r';
    if (ilc__type_span(type)) return 's';
    if (type == elem) return 'e';
    if (type->kind == ILC__ET_I4) return 'i';
    return strcmp(type->name, "System.RuntimeFieldHandle") == 0 ? 'h' : '?';
}

static bool fits(const row *r, const ilc__callee *callee, const ilc__type *elem)
{
    const ilc__signature *sig = &callee->sig;
    if (strcmp(r->name, callee->name) != 0 || r->has_this != sig->has_this || strlen(r->params) != sig->param_count) return false;
    if (r->type ? strcmp(r->type, callee->type_name) != 0 : !elem) return false;
    for (uint32_t i = 0; i < sig->param_count; i++) {
        bool is_element = r->params[i] == 'e' && sig->params[i] == elem;
        if (!is_element && letter_of(sig->params[i], r->params[i] == 'e' ? elem : NULL) != r->params[i]) return false;
    }
    return true;
}

static member member_of(const ilc__callee *callee)
{
    const ilc__type *elem = callee->type ? ilc__type_span(callee->type) : NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (fits(&rows[i], callee, elem)) return rows[i].which;
    return NONE;
}

bool ilc__lift_is_span_call(const ilc__callee *callee)
{
    return member_of(callee) != NONE;
}

/* --- values ----------------------------------------------------------------------------------------------- */

bool ilc__lift_span_type(ilc__lifter *unit, const ilc__type *type, const ilc__where *where, ilc__ir_var *out, ilc_status *status)
{
    const ilc__type *elem = ilc__type_span(type);
    *status = ILC_OK;
    if (!elem) return false;
    out->is_array = out->is_span = true;
    out->storage = ilc__type_storage(elem);
    if (out->storage != ILC_STORAGE_COUNT && out->storage != ILC_VOID) return true;
    out->storage = ILC_STRUCT;
    if (ilc__type_is_struct(elem) && !ilc__type_span(elem)) *status = ilc__layout_of(unit->layouts, elem, where, &out->layout);
    else *status = ilc__refuse(unit->ctx, where, "%s", type->name);
    return true;
}

ilc__ref ilc__lift_span_value(ilc__lift *l, ilc__op op, const ilc__lift_slot *like, uint32_t count, ilc__ref a, ilc__ref b, ilc__ref c)
{
    ilc__ref       args[3] = {a, b, c};
    ilc__ref       ref = ilc__ir_emit(l->func, l->ir, op, op == ILC__OP_DATAADDR || op == ILC__OP_ELEMADDR ? ILC__IR_ADDR : ILC__IR_REF, count, args);
    ilc__ir_value *value = &l->func->values.items[ref];
    value->storage = ILC_STRUCT;
    if (!like->layout) value->storage = like->elem;
    value->layout = like->layout;
    if (l->insn) value->il = l->insn->offset, value->has_il = true;
    return ref;
}

ilc__ref ilc__lift_empty_span(ilc__lift *l, ilc_storage elem, const ilc__layout *layout)
{
    ilc__lift_slot like = {.elem = elem, .layout = layout};
    return ilc__lift_span_value(l, ILC__OP_SPANOF, &like, 1, ilc__lift_const(l, ILC__IR_REF, 0), 0, 0);
}

static ilc__lift_slot span_of(const ilc__lift_slot *like, ilc__ref ref)
{
    return (ilc__lift_slot){.type = ILC__IR_REF, .ref = ref, .elem = like->elem, .layout = like->layout, .is_span = true};
}

static ilc__ref length_of(ilc__lift *l, ilc__ref span)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_LEN, ILC__IR_I32, 1, span, 0);
    l->func->values.items[ref].safe = true; /* never null */
    return ref;
}

static ilc_status refuse_member(ilc__lift *l, const ilc__callee *callee, ilc__lift_slot on)
{
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "call to %s.%s on %s", callee->type_name, callee->name, ilc__lift_slot_name(l, on));
}

/* The span whose variable's address, or which itself, is on the stack. */
static ilc_status pop_span(ilc__lift *l, const ilc__callee *callee, ilc__lift_slot *out)
{
    ILC__TRY(ilc__lift_pop(l, out));
    if (out->span_var) {
        const ilc__ir_var *var = &l->func->vars.items[out->span_var];
        *out = (ilc__lift_slot){.type = ILC__IR_REF, .ref = l->vars[out->span_var], .elem = var->storage, .layout = var->layout, .is_span = true};
    }
    return out->type == ILC__IR_REF && out->is_span ? ILC_OK : refuse_member(l, callee, *out);
}

static ilc_status pop_int(ilc__lift *l, ilc__ref *out)
{
    ilc__lift_slot slot;
    ILC__TRY(ilc__lift_pop(l, &slot));
    return ilc__lift_coerce(l, slot, ILC_I32, out);
}

/* What the span type is of, as a stack slot says it. */
ilc_status ilc__lift_span_element(ilc__lift *l, const ilc__type *span, ilc__lift_slot *out)
{
    ilc__ir_var var = {0};
    ilc_status  status;
    ilc__where  where = ilc__method_where(l->method, l->insn->offset);
    *out = (ilc__lift_slot){0};
    if (!ilc__lift_span_type(l->unit, span, &where, &var, &status)) return ilc__lift_refuse(l, ILC_UNSUPPORTED, "a span of %s", span->name);
    ILC__TRY(status);
    *out = (ilc__lift_slot){.type = ILC__IR_REF, .elem = var.storage, .layout = var.layout, .is_span = true};
    return ILC_OK;
}

/* An array, or null, as the whole of it. */
static ilc_status pop_array(ilc__lift *l, const ilc__callee *callee, const ilc__type *span, ilc__lift_slot *out)
{
    ilc__lift_slot array;
    ILC__TRY(ilc__lift_pop(l, &array));
    ILC__TRY(ilc__lift_span_element(l, span, out));
    bool same = array.elem == out->elem && array.layout == out->layout && array.rank < 2 && !array.nested && !array.is_span;
    if (array.type != ILC__IR_REF || (!same && !ilc__lift_is_null(&array))) return refuse_member(l, callee, array);
    out->ref = ilc__lift_span_value(l, ILC__OP_SPANOF, out, 1, array.ref, 0, 0);
    return ILC_OK;
}

static ilc_status throw_range(ilc__lift *l, ilc__ref passes)
{
    const char *type = "System.ArgumentOutOfRangeException";
    return ilc__lift_throw_unless(l, passes, type, ilc__lib_exception_message(l->func->arena, type, "", NULL));
}

static ilc__ref wide(ilc__lift *l, ilc__ref ref)
{
    return ilc__lift_emit(l, ILC__OP_I64_U32, ILC__IR_I64, 1, ref, 0);
}

/* From start on, as far as length says; 0: all the rest. As CoreCLR has it: start and length unsigned, their sum in 64 bits. */
static ilc_status push_part(ilc__lift *l, ilc__lift_slot span, ilc__ref start, ilc__ref length)
{
    ilc__ref whole = length_of(l, span.ref), passes;
    if (!length) {
        passes = ilc__lift_emit(l, ILC__OP_LE_UN_I32, ILC__IR_I32, 2, start, whole);
    } else {
        ilc__ref end = ilc__lift_emit(l, ILC__OP_ADD_I64, ILC__IR_I64, 2, wide(l, start), wide(l, length));
        passes = ilc__lift_emit(l, ILC__OP_LE_I64, ILC__IR_I32, 2, end, wide(l, whole));
    }
    ILC__TRY(throw_range(l, passes));
    if (!length) length = ilc__lift_emit(l, ILC__OP_SUB_I32, ILC__IR_I32, 2, whole, start);
    return ilc__lift_push(l, span_of(&span, ilc__lift_span_value(l, ILC__OP_SPAN, &span, 3, span.ref, start, length)));
}

/* --- elements --------------------------------------------------------------------------------------------- */

/* get_Item with the ldind or ldobj behind it is a load: of static data nothing else is known not to be a store. */
static bool loads_next(const ilc__lift *l, const ilc__lift_slot *span)
{
    uint32_t         next = (uint32_t)(l->insn - l->body.insns) + 1;
    const ilc__type *type;
    if (span->layout || next >= l->blocks[l->current].end) return false;
    switch (l->body.insns[next].op) {
    case ILC__IL_LDIND_I1: return span->elem == ILC_I8;
    case ILC__IL_LDIND_U1: return span->elem == ILC_U8 || span->elem == ILC_BOOL;
    case ILC__IL_LDIND_I2: return span->elem == ILC_I16;
    case ILC__IL_LDIND_U2: return span->elem == ILC_U16 || span->elem == ILC_CHAR;
    case ILC__IL_LDIND_I4: return span->elem == ILC_I32 || span->elem == ILC_U32;
    case ILC__IL_LDIND_U4: return span->elem == ILC_U32 || span->elem == ILC_I32;
    case ILC__IL_LDIND_I8: return span->elem == ILC_I64 || span->elem == ILC_U64;
    case ILC__IL_LDIND_R4: return span->elem == ILC_F32;
    case ILC__IL_LDIND_R8: return span->elem == ILC_F64;
    case ILC__IL_LDOBJ:
        return ilc__resolve_type(l->method->image, l->body.insns[next].u.token, l->method, &type) == ILC_OK && ilc__type_storage(type) == span->elem;
    default: return false;
    }
}

static ilc_status lift_item(ilc__lift *l, const ilc__callee *callee)
{
    ilc__ref       index, ref;
    ilc__lift_slot span;
    ILC__TRY(pop_int(l, &index));
    ILC__TRY(pop_span(l, callee, &span));
    if (loads_next(l, &span)) {
        l->skip_next = true;
        ref = ilc__lift_emit(l, ILC__OP_LOAD, ilc__storage_ir_type(span.elem), 2, span.ref, index);
        l->func->values.items[ref].storage = span.elem;
        return ilc__lift_push_ref(l, ref);
    }
    ref = ilc__lift_span_value(l, ILC__OP_ELEMADDR, &span, 2, span.ref, index, 0);
    return ilc__lift_push_addr(l, ref, span.elem, span.layout);
}

/* The address of the first element; null where there is none, and of that may be made any other. */
static ilc_status lift_first(ilc__lift *l, const ilc__callee *callee)
{
    ilc__lift_slot span;
    ILC__TRY(pop_span(l, callee, &span));
    ILC__TRY(ilc__lift_push_addr(l, ilc__lift_span_value(l, ILC__OP_DATAADDR, &span, 1, span.ref, 0, 0), span.elem, span.layout));
    l->stack[l->depth - 1].is_pointer = true;
    return ILC_OK;
}

/* --- all elements ----------------------------------------------------------------------------------------- */

typedef struct each { /* a loop over k = first, first + step, .. that ends where it is last */
    uint32_t head, after, var;
    ilc__ref k;
} each;

static ilc__ref number(ilc__lift *l, int32_t value)
{
    return ilc__lift_const(l, ILC__IR_I32, (uint64_t)(int64_t)value);
}

/* The body comes next. */
static void open_each(ilc__lift *l, each *e, ilc__ref first, ilc__ref last)
{
    uint32_t body = 0;
    e->var = ilc__lift_new_temp(l, (ilc__lift_slot){.type = ILC__IR_I32});
    ilc__ref start = ilc__lift_copy(l, first, e->var);
    e->head = ilc__ir_add_block(l->func, l->insn->offset);
    body = ilc__ir_add_block(l->func, l->insn->offset);
    e->after = ilc__ir_add_block(l->func, l->insn->offset);
    ilc__lift_emit(l, ILC__OP_JUMP, ILC__IR_VOID, 0, 0, 0);
    ilc__ir_connect(l->func, l->ir, e->head);
    l->ir = e->head;
    ilc__ref args[2] = {start, start}; /* the second is known at the end */
    e->k = ilc__ir_add(l->func, (ilc__ir_value){.op = ILC__OP_PHI, .type = ILC__IR_I32, .var = e->var, .arg_count = 2, .args = args});
    ilc__ir_append(l->func, l->ir, e->k);
    ilc__ref more = ilc__lift_emit(l, ILC__OP_NE_I32, ILC__IR_I32, 2, e->k, last);
    ilc__lift_emit(l, ILC__OP_BRANCH, ILC__IR_VOID, 1, more, 0);
    ilc__ir_connect(l->func, l->ir, body);
    ilc__ir_connect(l->func, l->ir, e->after);
    l->ir = body;
}

static void close_each(ilc__lift *l, const each *e, int32_t step)
{
    ilc__ref next = ilc__lift_emit(l, ILC__OP_ADD_I32, ILC__IR_I32, 2, e->k, number(l, step));
    l->func->values.items[next].safe = true;
    next = ilc__lift_copy(l, next, e->var);
    l->func->values.items[e->k].args[1] = next;
    ilc__lift_emit(l, ILC__OP_JUMP, ILC__IR_VOID, 0, 0, 0);
    ilc__ir_connect(l->func, l->ir, e->head);
    l->ir = e->after;
}

/* An element of the one span becomes the value, the struct at it, or zero. */
static void put_element(ilc__lift *l, const ilc__lift_slot *span, ilc__ref k, ilc__ref value)
{
    if (span->layout) {
        ilc__ref to = ilc__lift_span_value(l, ILC__OP_ELEMADDR, span, 2, span->ref, k, 0);
        l->func->values.items[to].safe = true;
        if (value) ilc__lift_copy_struct(l, to, value, span->layout);
        else ilc__lift_zero_struct(l, to, span->layout);
        return;
    }
    if (!value) value = ilc__lift_const(l, ilc__storage_ir_type(span->elem), 0);
    ilc__ref ref = ilc__lift_span_value(l, ILC__OP_STORE, span, 3, span->ref, k, value);
    l->func->values.items[ref].type = ILC__IR_VOID;
    l->func->values.items[ref].safe = true;
}

static ilc_status lift_fill(ilc__lift *l, const ilc__callee *callee, bool clears)
{
    ilc__lift_slot value = {0}, span;
    ilc__ref       ref = 0;
    each           e;
    if (!clears) ILC__TRY(ilc__lift_pop(l, &value));
    ILC__TRY(pop_span(l, callee, &span));
    if (!clears && span.layout) {
        ILC__TRY(ilc__lift_check_struct(l, value, span.layout));
        ref = value.ref;
    } else if (!clears) {
        ILC__TRY(ilc__lift_coerce(l, value, span.elem, &ref));
    }
    open_each(l, &e, number(l, 0), length_of(l, span.ref));
    put_element(l, &span, e.k, ref);
    close_each(l, &e, 1);
    return ILC_OK;
}

static ilc__ref get_element(ilc__lift *l, const ilc__lift_slot *span, ilc__ref k)
{
    ilc__ref ref = ilc__lift_span_value(l, span->layout ? ILC__OP_ELEMADDR : ILC__OP_LOAD, span, 2, span->ref, k, 0);
    l->func->values.items[ref].safe = true;
    if (!span->layout) l->func->values.items[ref].type = ilc__storage_ir_type(span->elem);
    return ref;
}

static void copy_all(ilc__lift *l, const ilc__lift_slot *from, const ilc__lift_slot *to, bool forward)
{
    each     e;
    ilc__ref length = length_of(l, from->ref), one = number(l, 1);
    if (forward) open_each(l, &e, number(l, 0), length);
    else open_each(l, &e, ilc__lift_emit(l, ILC__OP_SUB_I32, ILC__IR_I32, 2, length, one), number(l, -1));
    put_element(l, to, e.k, get_element(l, from, e.k));
    close_each(l, &e, forward ? 1 : -1);
}

static ilc__ref place_of(ilc__lift *l, const ilc__lift_slot *span)
{
    ilc__ref data = ilc__lift_span_value(l, ILC__OP_DATAADDR, span, 1, span->ref, 0, 0);
    return ilc__lift_emit(l, ILC__OP_ADDRINT, ILC__IR_I64, 1, data, 0);
}

/* As memmove: what lies in both is read before it is written. */
static ilc_status lift_copy_to(ilc__lift *l, const ilc__callee *callee)
{
    ilc__lift_slot to, from;
    ILC__TRY(pop_span(l, callee, &to));
    ILC__TRY(pop_span(l, callee, &from));
    if (to.elem != from.elem || to.layout != from.layout) return refuse_member(l, callee, to);
    ilc__ref    fits_in = ilc__lift_emit(l, ILC__OP_LE_I32, ILC__IR_I32, 2, length_of(l, from.ref), length_of(l, to.ref));
    const char *type = "System.ArgumentException";
    ILC__TRY(ilc__lift_throw_unless(l, fits_in, type, "Destination is too short. (Parameter 'destination')"));
    uint32_t up = ilc__ir_add_block(l->func, l->insn->offset), down = ilc__ir_add_block(l->func, l->insn->offset), end;
    ilc__ref before = ilc__lift_emit(l, ILC__OP_LE_UN_I64, ILC__IR_I32, 2, place_of(l, &to), place_of(l, &from));
    ilc__lift_emit(l, ILC__OP_BRANCH, ILC__IR_VOID, 1, before, 0);
    ilc__ir_connect(l->func, l->ir, up);
    ilc__ir_connect(l->func, l->ir, down);
    l->ir = up;
    copy_all(l, &from, &to, true);
    up = l->ir;
    l->ir = down;
    copy_all(l, &from, &to, false);
    end = ilc__ir_add_block(l->func, l->insn->offset);
    ilc__lift_emit(l, ILC__OP_JUMP, ILC__IR_VOID, 0, 0, 0);
    ilc__ir_connect(l->func, l->ir, end);
    l->ir = up;
    ilc__lift_emit(l, ILC__OP_JUMP, ILC__IR_VOID, 0, 0, 0);
    ilc__ir_connect(l->func, l->ir, end);
    l->ir = end;
    return ILC_OK;
}

/* --- made ------------------------------------------------------------------------------------------------- */

/* Elements are read as whole ones, so where they lie must be known: in a slot, an array, or where a pointer of the root to
 * that type leads. */
static bool is_aligned(const ilc__lift *l, ilc__ref addr, uint32_t size)
{
    const ilc__ir_func *f = l->func;
    bool                is_root = l->unit->funcs.count && l->unit->funcs.items[0] == l->entry;
    for (;;) {
        const ilc__ir_value *value = &f->values.items[addr];
        if (size == 1 || value->op == ILC__OP_CONST) return true;
        switch (value->op) {
        case ILC__OP_SLOTADDR: return f->slots.items[value->u.slot].is_array || ilc_storage_size(f->slots.items[value->u.slot].storage) == size;
        case ILC__OP_ELEMADDR:
        case ILC__OP_DATAADDR: return !value->layout && ilc_storage_size(value->storage) == size;
        case ILC__OP_PARAM: return is_root && !f->vars.items[value->var].layout && ilc_storage_size(f->vars.items[value->var].storage) == size;
        case ILC__OP_ADDADDR: {
            const ilc__ir_value *by = &f->values.items[value->args[1]];
            if (by->op != ILC__OP_CONST || by->u.bits % size) return false;
        } /* fall through */
        case ILC__OP_COPY: addr = value->args[0]; break;
        default: return false;
        }
    }
}

static ilc_status span_at(ilc__lift *l, const ilc__callee *callee, ilc__lift_slot addr, ilc__ref length, ilc__lift_slot *like)
{
    bool is_addr = addr.type == ILC__IR_ADDR && !addr.is_struct;
    const ilc__ir_value *null = &l->func->values.items[addr.ref];
    bool is_null = (addr.type == ILC__IR_I64 || addr.type == ILC__IR_I32) && null->op == ILC__OP_CONST && null->u.bits == 0;
    if (!is_addr && !is_null) return refuse_member(l, callee, addr);
    if (is_null) {
        like->ref = ilc__lift_empty_span(l, like->elem, like->layout);
        return ILC_OK;
    }
    const ilc__ir_value *value = &l->func->values.items[addr.ref];
    bool                 same = value->layout == like->layout && (like->layout || ilc_storage_size(value->storage) == ilc_storage_size(like->elem));
    if (like->layout ? addr.layout != like->layout : !is_aligned(l, addr.ref, ilc_storage_size(like->elem)))
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "a span of memory that may not be aligned");
    if (value->op == ILC__OP_DATAADDR && same) { /* of that span: a part of it */
        like->ref = ilc__lift_span_value(l, ILC__OP_SPAN, like, 3, value->args[0], number(l, 0), length);
        return ILC_OK;
    }
    bool is_typed = like->layout ? addr.layout == like->layout : !addr.layout && addr.elem == like->elem;
    if (!is_typed) addr.ref = ilc__lift_retype(l, addr.ref, (ilc__pointee){.storage = like->elem, .layout = like->layout});
    like->ref = ilc__lift_span_value(l, ILC__OP_SPANAT, like, 2, addr.ref, length, 0);
    return ILC_OK;
}

static ilc_status make_of_memory(ilc__lift *l, const ilc__callee *callee, ilc__lift_slot *out)
{
    ilc__ref       length;
    ilc__lift_slot addr;
    ILC__TRY(pop_int(l, &length));
    ILC__TRY(ilc__lift_pop(l, &addr));
    ILC__TRY(ilc__lift_span_element(l, callee->type, out));
    const ilc__ir_value *value = &l->func->values.items[length];
    if (value->op != ILC__OP_CONST || (int32_t)(uint32_t)value->u.bits < 0)
        ILC__TRY(throw_range(l, ilc__lift_emit(l, ILC__OP_GE_I32, ILC__IR_I32, 2, length, number(l, 0))));
    return span_at(l, callee, addr, length, out);
}

/* MemoryMarshal.CreateSpan looks at nothing; Span(ref T) has one element. */
static ilc_status make_of_ref(ilc__lift *l, const ilc__callee *callee, ilc__lift_slot *out)
{
    ilc__ref       length = 0;
    ilc__lift_slot addr;
    bool           is_one = callee->sig.param_count == 1;
    if (!is_one) ILC__TRY(pop_int(l, &length));
    ILC__TRY(ilc__lift_pop(l, &addr));
    ILC__TRY(ilc__lift_span_element(l, is_one ? callee->type : callee->sig.ret, out));
    if (is_one) length = number(l, 1);
    const ilc__ir_value *value = &l->func->values.items[length];
    if (value->op != ILC__OP_CONST || (int32_t)(uint32_t)value->u.bits < 0)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "call to %s.%s with a length that is not constant", callee->type_name, callee->name);
    return span_at(l, callee, addr, length, out);
}

static ilc_status make_of_data(ilc__lift *l, const ilc__callee *callee, ilc__lift_slot *out)
{
    ilc__lift_slot token;
    ILC__TRY(ilc__lift_pop(l, &token));
    ILC__TRY(ilc__lift_span_element(l, callee->sig.ret, out));
    return token.field ? ilc__lift_field_data(l, token.field, out) : refuse_member(l, callee, token);
}

static ilc_status make_of_part(ilc__lift *l, const ilc__callee *callee, const ilc__type *span, uint32_t count, ilc__lift_slot *out)
{
    ilc__ref start, length = 0;
    if (count == 3) ILC__TRY(pop_int(l, &length));
    ILC__TRY(pop_int(l, &start));
    ILC__TRY(pop_array(l, callee, span, out));
    ILC__TRY(push_part(l, *out, start, length));
    return ilc__lift_pop(l, out);
}

/* The value of a constructor or of what makes a span of something. */
static ilc_status make_span(ilc__lift *l, const ilc__callee *callee, member which, ilc__lift_slot *out)
{
    switch (which) {
    case OF_ARRAY: return pop_array(l, callee, callee->sig.has_this ? callee->type : callee->sig.ret, out);
    case AS_SPAN: return pop_array(l, callee, callee->sig.ret, out);
    case OF_PART: return make_of_part(l, callee, callee->type, 3, out);
    case AS_REST: return make_of_part(l, callee, callee->sig.ret, 2, out);
    case AS_PART: return make_of_part(l, callee, callee->sig.ret, 3, out);
    case OF_MEMORY: return make_of_memory(l, callee, out);
    case OF_REF: return make_of_ref(l, callee, out);
    case OF_DATA: return make_of_data(l, callee, out);
    case EMPTY:
        ILC__TRY(ilc__lift_span_element(l, callee->type, out));
        out->ref = ilc__lift_empty_span(l, out->elem, out->layout);
        return ILC_OK;
    default: return pop_span(l, callee, out); /* a Span as a ReadOnlySpan */
    }
}

/* --- calls ------------------------------------------------------------------------------------------------ */

static ilc_status slice(ilc__lift *l, const ilc__callee *callee, member which)
{
    ilc__ref       start, length = 0;
    ilc__lift_slot span;
    if (which == SLICE_TO) ILC__TRY(pop_int(l, &length));
    ILC__TRY(pop_int(l, &start));
    ILC__TRY(pop_span(l, callee, &span));
    return push_part(l, span, start, length);
}

static ilc_status lift_length(ilc__lift *l, const ilc__callee *callee, bool is_empty)
{
    ilc__lift_slot span;
    ILC__TRY(pop_span(l, callee, &span));
    ilc__ref length = length_of(l, span.ref);
    if (is_empty) length = ilc__lift_emit(l, ILC__OP_EQ_I32, ILC__IR_I32, 2, length, number(l, 0));
    return ilc__lift_push_ref(l, length);
}

/* A constructor that is called makes what its variable holds. */
static ilc_status construct(ilc__lift *l, const ilc__callee *callee, ilc__lift_slot span)
{
    ilc__lift_slot at;
    ILC__TRY(ilc__lift_pop(l, &at));
    if (!at.span_var) return refuse_member(l, callee, at);
    ILC__TRY(ilc__lift_push(l, span));
    return ilc__lift_store_var(l, at.span_var);
}

ilc_status ilc__lift_span_call(ilc__lift *l, const ilc__callee *callee)
{
    member         which = member_of(callee);
    ilc__lift_slot span;
    switch (which) {
    case ITEM: return lift_item(l, callee);
    case LENGTH:
    case IS_EMPTY: return lift_length(l, callee, which == IS_EMPTY);
    case SLICE:
    case SLICE_TO: return slice(l, callee, which);
    case COPY_TO: return lift_copy_to(l, callee);
    case FILL:
    case CLEAR: return lift_fill(l, callee, which == CLEAR);
    case FIRST: return lift_first(l, callee);
    default: break;
    }
    ILC__TRY(make_span(l, callee, which, &span));
    bool is_called = strcmp(callee->name, ".ctor") == 0 && l->insn->op != ILC__IL_NEWOBJ;
    return is_called ? construct(l, callee, span) : ilc__lift_push(l, span);
}

/* --- a span's variable by its address ---------------------------------------------------------------------- */

bool ilc__lift_is_span_place(const ilc__lift *l)
{
    ilc__opcode op = l->insn->op;
    uint32_t    below = op == ILC__IL_STOBJ ? 1 : 0;
    if (op != ILC__IL_LDOBJ && op != ILC__IL_STOBJ && op != ILC__IL_INITOBJ) return false;
    return l->depth > below && l->stack[l->depth - 1 - below].span_var;
}

ilc_status ilc__lift_span_place(ilc__lift *l)
{
    ilc__lift_slot value = {0}, at;
    if (l->insn->op == ILC__IL_STOBJ) ILC__TRY(ilc__lift_pop(l, &value));
    ILC__TRY(ilc__lift_pop(l, &at));
    if (l->insn->op == ILC__IL_LDOBJ) return ilc__lift_load_var(l, at.span_var);
    const ilc__ir_var *var = &l->func->vars.items[at.span_var];
    if (l->insn->op == ILC__IL_INITOBJ) {
        value = (ilc__lift_slot){.type = ILC__IR_REF, .elem = var->storage, .layout = var->layout, .is_span = true};
        value.ref = ilc__lift_empty_span(l, var->storage, var->layout);
    }
    ILC__TRY(ilc__lift_push(l, value));
    return ilc__lift_store_var(l, at.span_var);
}
