/* place.c - addresses as places that are read and assigned, as references, and as pointers. */
#include "write/internal.h"

ilc__wtype ilc__pointee_of(const ilc__expr *e)
{
    ilc__wtype t = {.storage = e->storage, .layout = e->layout};
    switch (e->kind) {
    case ILC__EX_VAR:
        t.storage = e->u.var->storage;
        t.layout = e->u.var->layout;
        break;
    case ILC__EX_SLOTADDR:
        t.storage = e->u.var->storage;
        t.layout = e->u.var->layout;
        break;
    case ILC__EX_FIELDADDR:
        if (e->u.field < e->layout->field_count) {
            const ilc__layout_field *f = &e->layout->fields[e->u.field];
            t.storage = f->storage;
            t.layout = f->layout;
        }
        break;
    case ILC__EX_CALL:
        if (e->u.callee->ret_to) {
            t.storage = e->u.callee->ret_to->storage;
            t.layout = e->u.callee->ret_to->layout;
        }
        break;
    case ILC__EX_SELECT: return ilc__pointee_of(e->args[1]->kind == ILC__EX_CONST ? e->args[2] : e->args[1]);
    default: break;
    }
    if (t.layout) t.storage = ILC_STRUCT;
    return t;
}

static bool is_buffer_field(const ilc__expr *e)
{
    return e->kind == ILC__EX_FIELDADDR && strcmp(e->layout->fields[e->u.field].name, "FixedElementField") == 0;
}

/* Is the address a pointer's value, not the place of something? */
static bool is_pointer_value(const ilc__writer *w, const ilc__expr *e)
{
    bool block = e->kind == ILC__EX_SLOTADDR && e->u.var->is_array;
    return block || (e->kind == ILC__EX_VAR && ilc__var_type(w->func, e->u.var).is_pointer) || e->kind == ILC__EX_ADDADDR || e->kind == ILC__EX_CONST ||
           (e->kind == ILC__EX_SELECT && (is_pointer_value(w, e->args[1]) || is_pointer_value(w, e->args[2])));
}

static ilc__term *one(ilc__writer *w, ilc__term_kind kind, ilc__wtype type, ilc__term *x)
{
    ilc__term *t = ilc__term_new(w, kind, type, 1);
    t->args[0] = x;
    t->calls = x->calls;
    t->effects = x->effects;
    return t;
}

static ilc__wtype pointer_to(ilc__wtype t)
{
    t.is_pointer = true;
    return t;
}

/* --- pointers ---------------------------------------------------------------------------------------------------------- */

static void needs_pointers(ilc__writer *w)
{
    w->is_unsafe = true;
    if (w->syntax->language == ILC__LANGUAGE_VB) ilc__cannot(w, "pointers");
}

static ilc__term *pointer_cast(ilc__writer *w, ilc__term *t, ilc__wtype to)
{
    if (ilc__wtype_same(t->type, pointer_to(to)) || t->kind == ILC__W_LITERAL) return t;
    return one(w, ILC__W_CAST, pointer_to(to), t);
}

/* By elements where the bytes are an index times their size, else by bytes. */
static ilc__term *moved(ilc__writer *w, const ilc__expr *e, ilc__wtype to)
{
    uint32_t         size = to.layout ? to.layout->size : ilc_storage_size(to.storage);
    const ilc__expr *bytes = e->args[1], *index = size ? ilc__bytes_index(bytes, size) : NULL;
    bool             constant = bytes->kind == ILC__EX_CONST;
    int64_t          distance = constant ? (int64_t)bytes->u.bits : 0;
    if (constant && distance == 0) return pointer_cast(w, ilc__pointer(w, e->args[0], to), to);
    ilc__wtype unit = to;
    ilc__term *count;
    if (index) {
        count = ilc__convert(w, ilc__view(w, index, ILC_VOID), ILC_I64);
    } else if (constant && size && distance % size == 0) {
        count = ilc__term_literal(w, ILC_I64, (uint64_t)(distance / size));
    } else {
        unit = ilc__scalar(ILC_U8);
        count = ilc__convert(w, ilc__view(w, bytes, ILC_VOID), ILC_I64);
    }
    ilc__term *base = pointer_cast(w, ilc__pointer(w, e->args[0], unit), unit);
    count = ilc__relax(w, count, ILC_I64);
    bool          back = count->kind == ILC__W_LITERAL && (int64_t)count->bits < 0 && count->bits != (uint64_t)INT64_MIN;
    if (back) count = ilc__term_literal(w, ILC_I64, (uint64_t) - (int64_t)count->bits);
    if (count->kind == ILC__W_LITERAL && count->bits <= INT32_MAX) count = ilc__term_literal(w, ILC_I32, count->bits);
    ilc__term *t = ilc__term_binary(w, back ? ILC__OPR_SUB : ILC__OPR_ADD, ILC_VOID, base, count);
    t->type = pointer_to(unit);
    return pointer_cast(w, t, to);
}

ilc__term *ilc__pointer(ilc__writer *w, const ilc__expr *e, ilc__wtype to)
{
    needs_pointers(w);
    switch (e->kind) {
    case ILC__EX_CONST: return ilc__term_literal(w, ILC_VOID, 0);
    case ILC__EX_ADDADDR: return moved(w, e, to);
    case ILC__EX_SELECT: {
        ilc__term *t = ilc__term_new(w, ILC__W_CHOICE, pointer_to(to), 3);
        t->args[0] = ilc__view_truth(w, e->args[0]);
        for (uint32_t i = 1; i < 3; i++) t->args[i] = ilc__pointer(w, e->args[i], to);
        return t;
    }
    case ILC__EX_VAR: case ILC__EX_SLOTADDR:
        if (ilc__var_type(w->func, e->u.var).is_pointer) return pointer_cast(w, ilc__term_name(w, ilc__var_type(w->func, e->u.var), w->var_names[e->u.var->index]), to);
        break;
    case ILC__EX_ELEMADDR: ilc__cannot(w, "a pointer into an array"); break;
    default: break;
    }
    /* what it points into must lie still */
    const ilc__expr *base = e;
    while (base->kind == ILC__EX_FIELDADDR) base = base->args[0];
    if (base->kind != ILC__EX_SLOTADDR && !is_pointer_value(w, base)) ilc__cannot(w, "a pointer made of a reference");
    ilc__wtype of = ilc__pointee_of(e);
    ilc__term *place = ilc__place(w, e, of);
    /* a buffer's name is its address already */
    if (is_buffer_field(e)) return pointer_cast(w, place->args[0], to);
    return pointer_cast(w, one(w, ILC__W_ADDRESSOF, pointer_to(of), place), to);
}

/* --- places ------------------------------------------------------------------------------------------------------------ */

static ilc__term *through(ilc__writer *w, ilc__term *pointer, ilc__wtype type)
{
    /* *(p + k) is p[k] */
    if (pointer->kind == ILC__W_BINARY && pointer->opr == ILC__OPR_ADD) {
        ilc__term *t = ilc__term_new(w, ILC__W_INDEX, type, 2);
        t->args[0] = pointer->args[0];
        t->args[1] = pointer->args[1];
        t->calls = pointer->calls;
        t->effects = true;
        return t;
    }
    if (pointer->kind == ILC__W_ADDRESSOF && ilc__wtype_same(pointer->args[0]->type, type)) return pointer->args[0];
    ilc__term *t = one(w, ILC__W_DEREF, type, pointer);
    t->effects = true;
    return t;
}

static ilc__term *field(ilc__writer *w, const ilc__expr *e, ilc__wtype type)
{
    ilc__wtype       whole = {.storage = ILC_STRUCT, .layout = e->layout};
    const ilc__expr *base = e->args[0];
    bool             arrow = is_pointer_value(w, base);
    ilc__term       *x = arrow ? ilc__pointer(w, base, whole) : ilc__place(w, base, whole);
    ilc__use_struct(w->names, e->layout);
    if (is_buffer_field(e)) { /* the struct that C# makes of a buffer: its elements */
        ilc__term *t = ilc__term_new(w, ILC__W_INDEX, type, 2);
        t->args[0] = x;
        t->args[1] = ilc__term_literal(w, ILC_I32, 0);
        t->effects = x->effects;
        w->is_unsafe = true;
        return t;
    }
    if (arrow && x->kind == ILC__W_ADDRESSOF) x = x->args[0];
    ilc__term *t = one(w, ILC__W_MEMBER, type, x);
    t->text = ilc__member_name(w, e->layout, e->u.field);
    t->effects = t->effects || arrow;
    return t;
}

static ilc__term *reference(ilc__writer *w, const ilc__expr *e, ilc__wtype type)
{
    switch (e->kind) {
    case ILC__EX_SLOTADDR:
    case ILC__EX_VAR: {
        ilc__term *t = ilc__term_name(w, type, w->var_names[e->u.var->index]);
        t->effects = e->kind == ILC__EX_VAR;
        return t;
    }
    case ILC__EX_ELEMADDR: return ilc__element_at(w, e->args[0], e->args[1], type);
    case ILC__EX_DATAADDR: {
        const ilc__expr first = {.kind = ILC__EX_CONST, .type = ILC__IR_I32};
        return ilc__element_at(w, e->args[0], &first, type);
    }
    case ILC__EX_FIELDADDR: return field(w, e, type);
    case ILC__EX_CALL: return ilc__view_call(w, e);
    case ILC__EX_SELECT: {
        ilc__term *t = ilc__term_new(w, ILC__W_CHOICE, type, 3);
        if (w->syntax->language == ILC__LANGUAGE_VB) ilc__cannot(w, "a choice between places");
        t->args[0] = ilc__view_truth(w, e->args[0]);
        for (uint32_t i = 1; i < 3; i++) {
            t->args[i] = ilc__term_new(w, ILC__W_REF, type, 1);
            t->args[i]->args[0] = ilc__place(w, e->args[i], type);
        }
        t->effects = true;
        return t;
    }
    default: break;
    }
    ilc__cannot(w, "an address of this kind");
    return ilc__term_literal(w, ILC_I32, 0);
}

/* Another number that is read or written at the place: of its own width and sort. */
static ilc__term *reread(ilc__writer *w, const ilc__expr *e, ilc__wtype of, ilc__wtype type)
{
    if (w->syntax->language == ILC__LANGUAGE_VB) {
        ilc__cannot(w, "memory read as another type");
        return reference(w, e, of);
    }
    const ilc__expr *base = e;
    while (base->kind == ILC__EX_FIELDADDR) base = base->args[0];
    if (base->kind == ILC__EX_SLOTADDR || is_pointer_value(w, base)) return through(w, ilc__pointer(w, e, type), type);
    ilc__cannot(w, "a reference read as another type");
    return reference(w, e, of);
}

/* Same width and both integers: the place's own type says it. */
static bool is_likewise(ilc__wtype a, ilc__wtype b)
{
    if (!ilc__is_scalar(a) || !ilc__is_scalar(b)) return false;
    bool ints = (ilc__is_integer(a.storage) || a.storage == ILC_BOOL) && (ilc__is_integer(b.storage) || b.storage == ILC_BOOL);
    return ints && ilc_storage_size(a.storage) == ilc_storage_size(b.storage);
}

ilc__term *ilc__place(ilc__writer *w, const ilc__expr *e, ilc__wtype type)
{
    type.is_pointer = false;
    if (type.layout) ilc__use_struct(w->names, type.layout);
    if (is_pointer_value(w, e)) return through(w, ilc__pointer(w, e, type), type);
    ilc__wtype of = ilc__pointee_of(e);
    if (ilc__wtype_same(of, type) || is_likewise(of, type)) return reference(w, e, of);
    return reread(w, e, of, type);
}

bool ilc__same_place(const ilc__term *x, const ilc__term *y)
{
    if (x->kind != y->kind || x->arg_count != y->arg_count || x->calls || y->calls) return false;
    if (!ilc__wtype_same(x->type, y->type)) return false;
    switch (x->kind) {
    case ILC__W_LITERAL: if (x->bits != y->bits) return false; break;
    case ILC__W_NAME: case ILC__W_MEMBER: case ILC__W_METHOD: case ILC__W_HELPER: case ILC__W_LIBRARY:
        if (strcmp(x->text, y->text) != 0) return false;
        break;
    case ILC__W_UNARY: case ILC__W_BINARY: if (x->opr != y->opr || x->overflow != y->overflow) return false; break;
    case ILC__W_CAST: if (x->overflow != y->overflow) return false; break;
    case ILC__W_CHOICE: case ILC__W_INDEX: case ILC__W_DEREF: case ILC__W_ADDRESSOF: break;
    default: return false;
    }
    for (uint32_t i = 0; i < x->arg_count; i++)
        if (!ilc__same_place(x->args[i], y->args[i])) return false;
    return true;
}
