/* view.c - tree expressions as terms: each has the type that the source language's rules give it. */
#include <stdarg.h>

#include "write/internal.h"

void ilc__cannot(ilc__writer *w, const char *format, ...)
{
    if (w->refusal) return;
    va_list args;
    va_start(args, format);
    w->refusal = ilc__arena_vprintf(w->arena, format, args);
    va_end(args);
}

/* --- making terms ---------------------------------------------------------------------------------------------------- */

ilc__term *ilc__term_new(ilc__writer *w, ilc__term_kind kind, ilc__wtype type, uint32_t arg_count)
{
    ilc__term *t = ILC__NEW(w->arena, ilc__term);
    t->kind = kind;
    t->type = type;
    t->arg_count = arg_count;
    if (arg_count) t->args = ILC__NEW_ARRAY(w->arena, ilc__term *, arg_count);
    return t;
}

static void inherit(ilc__term *t, const ilc__term *arg)
{
    t->calls = t->calls || arg->calls;
    t->effects = t->effects || arg->effects;
}

ilc__term *ilc__term_name(ilc__writer *w, ilc__wtype type, const char *text)
{
    ilc__term *t = ilc__term_new(w, ILC__W_NAME, type, 0);
    t->text = text;
    return t;
}

ilc__term *ilc__term_unary(ilc__writer *w, ilc__operator opr, ilc__wtype type, ilc__term *x)
{
    ilc__term *t = ilc__term_new(w, ILC__W_UNARY, type, 1);
    t->opr = opr;
    t->args[0] = x;
    inherit(t, x);
    return t;
}

ilc__term *ilc__term_binary(ilc__writer *w, ilc__operator opr, ilc_storage type, ilc__term *x, ilc__term *y)
{
    ilc__term *t = ilc__term_new(w, ILC__W_BINARY, ilc__scalar(type), 2);
    t->opr = opr;
    t->args[0] = x;
    t->args[1] = y;
    inherit(t, x);
    inherit(t, y);
    return t;
}

ilc__term *ilc__term_library(ilc__writer *w, const char *text, ilc__wtype type, ilc__term *x, ilc__term *y)
{
    ilc__term *t = ilc__term_new(w, ILC__W_LIBRARY, type, y ? 2 : x ? 1 : 0);
    t->text = text;
    if (x) inherit(t, t->args[0] = x);
    if (y) inherit(t, t->args[1] = y);
    return t;
}

ilc__term *ilc__term_library3(ilc__writer *w, const char *text, ilc__wtype type, ilc__term *const *args)
{
    ilc__term *t = ilc__term_new(w, ILC__W_LIBRARY, type, 3);
    t->text = text;
    for (uint32_t i = 0; i < 3; i++) inherit(t, t->args[i] = args[i]);
    return t;
}

ilc__term *ilc__term_helper(ilc__writer *w, const char *name, ilc__wtype type, ilc__term *x, ilc__term *y)
{
    ilc__term *t = ilc__term_library(w, ilc__helper_use(w, name), type, x, y);
    t->kind = ILC__W_HELPER;
    return t;
}

static ilc__term *with(ilc__writer *w, ilc__term_kind kind, ilc__wtype type, ilc__term *x, ilc__term *y)
{
    ilc__term *t = ilc__term_library(w, NULL, type, x, y);
    t->kind = kind;
    return t;
}

/* --- literals and choices ------------------------------------------------------------------------------------------- */

static ilc__term *constant(ilc__writer *w, const ilc__expr *e)
{
    switch (e->type) {
    case ILC__IR_F32: return ilc__term_literal(w, ILC_F32, e->u.bits);
    case ILC__IR_F64: return ilc__term_literal(w, ILC_F64, e->u.bits);
    case ILC__IR_I64: return ilc__term_literal(w, ILC_I64, e->u.bits);
    case ILC__IR_REF: case ILC__IR_ADDR: return ilc__term_literal(w, ILC_VOID, 0);
    default: return ilc__term_literal(w, ILC_I32, e->u.bits);
    }
}

static bool is_truth(const ilc__term *t)
{
    return ilc__is_scalar(t->type) && t->type.storage == ILC_BOOL;
}

static bool is_bit(const ilc__term *t)
{
    return t->kind == ILC__W_LITERAL && t->bits <= 1;
}

/* The type of a choice between numbers: the arms' own where they agree; narrow ones are Int32, as operands are. */
static ilc_storage choice_type(const ilc__expr *e, const ilc__term *x, const ilc__term *y, ilc_storage hint)
{
    if (e->type == ILC__IR_F32) return ILC_F32;
    if (e->type == ILC__IR_F64) return ILC_F64;
    if ((is_truth(x) && (is_truth(y) || is_bit(y))) || (is_truth(y) && is_bit(x))) return ILC_BOOL;
    ilc_storage a = x->type.storage, b = y->type.storage;
    bool        literals = x->kind == ILC__W_LITERAL && y->kind == ILC__W_LITERAL;
    bool        wide = e->type == ILC__IR_I64;
    if (literals && hint == ILC_BOOL && is_bit(x) && is_bit(y)) return ILC_BOOL;
    ilc_storage one = x->kind == ILC__W_LITERAL ? b : y->kind == ILC__W_LITERAL || a == b ? a : ILC_VOID;
    if (literals) one = hint;
    if (one == (wide ? ILC_U64 : ILC_U32)) return one;
    return wide ? ILC_I64 : ILC_I32;
}

static ilc__term *choice(ilc__writer *w, const ilc__expr *e, ilc_storage hint)
{
    ilc__term *truth = ilc__view_truth(w, e->args[0]), *x, *y, *t;
    if (e->type == ILC__IR_REF) {
        x = ilc__array(w, e->args[1]);
        y = ilc__array(w, e->args[2]);
        t = ilc__term_new(w, ILC__W_CHOICE, x->kind == ILC__W_LITERAL ? y->type : x->type, 3);
    } else {
        x = ilc__view(w, e->args[1], hint);
        y = ilc__view(w, e->args[2], hint);
        ilc_storage type = choice_type(e, x, y, hint);
        t = ilc__term_new(w, ILC__W_CHOICE, ilc__scalar(type), 3);
        if (!ilc__is_float(type)) {
            x = ilc__convert(w, x, type);
            y = ilc__convert(w, y, type);
        }
    }
    t->args[0] = truth;
    t->args[1] = x;
    t->args[2] = y;
    for (uint32_t i = 0; i < 3; i++) inherit(t, t->args[i]);
    return t;
}

static ilc__term *chain(ilc__writer *w, const ilc__expr *e)
{
    ilc__operator opr = e->kind == ILC__EX_AND ? ILC__OPR_ANDALSO : ILC__OPR_ORELSE;
    return ilc__term_binary(w, opr, ILC_BOOL, ilc__view_truth(w, e->args[0]), ilc__view_truth(w, e->args[1]));
}

/* --- arrays ----------------------------------------------------------------------------------------------------------- */

ilc__wtype ilc__array_type_of(const ilc__expr *e)
{
    if (e->kind == ILC__EX_VAR) return ilc__var_type(NULL, e->u.var);
    if (e->kind == ILC__EX_SELECT) {
        ilc__wtype t = ilc__array_type_of(e->args[1]);
        return t.dims ? t : ilc__array_type_of(e->args[2]);
    }
    if (e->kind == ILC__EX_NEWARR) return (ilc__wtype){.storage = e->u.var->storage, .layout = e->u.var->layout, .dims = 1};
    if (e->kind == ILC__EX_CALL) return ilc__result_type(e->u.callee);
    if (e->kind == ILC__EX_SPANOF || e->kind == ILC__EX_SPAN || e->kind == ILC__EX_SPANAT)
        return (ilc__wtype){.storage = e->storage, .layout = e->layout, .dims = 1, .is_span = true};
    if (e->kind == ILC__EX_LOAD) {
        ilc__wtype t = ilc__array_type_of(e->args[0]);
        t.dims = 1;
        if (t.nested) t.nested--;
        return t;
    }
    return (ilc__wtype){0};
}

ilc__term *ilc__array(ilc__writer *w, const ilc__expr *e)
{
    if (e->kind == ILC__EX_CONST) return constant(w, e);
    return ilc__view(w, e, ILC_VOID);
}

/* A null that something is done to says what type it is of. */
static ilc__term *array_of(ilc__writer *w, const ilc__expr *e, ilc_storage elem, uint32_t dims, ilc__wtype type)
{
    if (e->kind != ILC__EX_CONST) return ilc__array(w, e);
    ilc__wtype array = {.storage = elem ? elem : ILC_I32, .layout = type.layout, .dims = (uint8_t)dims};
    ilc__term *t = ilc__term_new(w, ILC__W_CAST, array, 1);
    t->args[0] = constant(w, e);
    return t;
}

static ilc__term *new_array(ilc__writer *w, const ilc__expr *e)
{
    ilc__wtype type = ilc__array_type_of(e);
    if (e->u.var->table) {
        ilc__term *t = ilc__term_name(w, type, ilc__table_path(w->names, e->u.var->table));
        return t;
    }
    if (type.layout) ilc__use_struct(w->names, type.layout);
    if (e->args[0]->type == ILC__IR_I64) ilc__cannot(w, "an array whose length has 64 bits");
    return with(w, ILC__W_NEWARRAY, type, ilc__view_as(w, e->args[0], ILC_I32), NULL);
}

/* An index as the language takes it: one that is no Int32 fails in every array, so -1 stands for it in VB. */
static ilc__term *subscript(ilc__writer *w, const ilc__expr *e)
{
    if (e->type != ILC__IR_I64) return ilc__relax(w, ilc__view_as(w, e, ILC_I32), ILC_I32);
    ilc__term *t = ilc__view(w, e, ILC_VOID);
    if (t->kind == ILC__W_CAST && t->exact && t->args[0]->type.storage == ILC_I32) return t->args[0];
    if (t->kind == ILC__W_LITERAL && t->bits < INT32_MAX) return ilc__term_literal(w, ILC_I32, t->bits);
    if (w->syntax->language == ILC__LANGUAGE_CS) return ilc__convert(w, t, ILC_I64);
    return ilc__term_helper(w, "Subscript", ilc__scalar(ILC_I32), ilc__convert(w, t, ILC_I64), NULL);
}

ilc__term *ilc__element_at(ilc__writer *w, const ilc__expr *array, const ilc__expr *index, ilc__wtype type)
{
    ilc__wtype own = ilc__array_type_of(array);
    if (own.dims && !own.nested && !type.dims) { /* what is loaded and what the array holds may differ in their sign */
        if (ilc_storage_size(own.storage) != ilc_storage_size(type.storage) || ilc__is_float(own.storage) != ilc__is_float(type.storage))
            ilc__cannot(w, "an element read as another type");
        type = (ilc__wtype){.storage = own.storage, .layout = own.layout};
    }
    bool       several = index->kind == ILC__EX_SUBSCRIPTS;
    uint32_t   count = several ? index->arg_count : 1;
    ilc__term *t = ilc__term_new(w, ILC__W_INDEX, type, count + 1);
    t->args[0] = array_of(w, array, type.dims ? ILC_I32 : type.storage, count, type);
    for (uint32_t i = 0; i < count; i++) t->args[i + 1] = subscript(w, several ? index->args[i] : index);
    for (uint32_t i = 0; i <= count; i++) inherit(t, t->args[i]);
    t->effects = true;
    return t;
}

static ilc__term *load(ilc__writer *w, const ilc__expr *e)
{
    ilc__wtype type = e->type == ILC__IR_REF ? ilc__array_type_of(e) : ilc__scalar(e->storage);
    return ilc__element_at(w, e->args[0], e->args[1], type);
}

static ilc__term *length(ilc__writer *w, const ilc__expr *e)
{
    bool       wide = e->type == ILC__IR_I64;
    ilc__term *t = with(w, ILC__W_MEMBER, ilc__scalar(wide ? ILC_I64 : ILC_I32), array_of(w, e->args[0], ILC_I32, 1, ilc__scalar(ILC_I32)), NULL);
    t->text = wide ? "LongLength" : "Length";
    t->effects = true;
    return t;
}

static ilc__term *dimension(ilc__writer *w, const ilc__expr *e)
{
    ilc__term *t = with(w, ILC__W_METHOD, ilc__scalar(ILC_I32), array_of(w, e->args[0], ILC_I32, 1, ilc__scalar(ILC_I32)), ilc__view_as(w, e->args[1], ILC_I32));
    t->text = "GetLength";
    t->effects = true;
    return t;
}

static ilc__term *same_reference(ilc__writer *w, const ilc__expr *e)
{
    ilc__term *null = ilc__term_literal(w, ILC_VOID, 0);
    ilc__term *y = e->kind == ILC__EX_ISNULL ? null : ilc__array(w, e->args[1]);
    return ilc__term_binary(w, ILC__OPR_SAME, ILC_BOOL, ilc__array(w, e->args[0]), y);
}

/* The index of the row that the part of a matrix is (opt/rows.c); NULL where it is something else. */
static const ilc__expr *row_of(const ilc__expr *e)
{
    bool is_part = e->kind == ILC__EX_SPAN && e->args[0]->kind == ILC__EX_VAR && e->args[0]->u.var->rank == 2;
    return is_part && e->args[1]->kind == ILC__EX_OP && e->args[1]->op == ILC__OP_MUL_I64 ? e->args[1]->args[0] : NULL;
}

/* As source would have it; which of the two types it is the tree does not say. */
static ilc__term *span(ilc__writer *w, const ilc__expr *e)
{
    ilc__wtype       type = ilc__array_type_of(e);
    const ilc__expr *row = row_of(e);
    ilc__cannot(w, row ? "a row of a matrix" : "a span of unknown type");
    if (row) {
        ilc__term *t = with(w, ILC__W_METHOD, type, ilc__array(w, e->args[0]), ilc__view_as(w, row->arg_count ? row->args[0] : row, ILC_I32));
        t->text = "Row";
        return t;
    }
    if (e->kind == ILC__EX_SPANAT) {
        ilc__term *t = with(w, ILC__W_METHOD, type, ilc__pointer(w, e->args[0], ilc__pointee_of(e->args[0])), ilc__view_as(w, e->args[1], ILC_I32));
        t->text = "ToSpan";
        return t;
    }
    ilc__term *t = ilc__term_new(w, ILC__W_METHOD, type, e->arg_count);
    t->text = e->kind == ILC__EX_SPAN ? "Slice" : "AsSpan";
    t->args[0] = ilc__array(w, e->args[0]);
    for (uint32_t i = 1; i < e->arg_count; i++) t->args[i] = ilc__view_as(w, e->args[i], ILC_I32);
    for (uint32_t i = 0; i < e->arg_count; i++) inherit(t, t->args[i]);
    return t;
}

/* --- calls --------------------------------------------------------------------------------------------------------------- */

static ilc__term *argument(ilc__writer *w, const ilc__func *callee, const ilc__expr *e, uint32_t number)
{
    const ilc__var *param = callee->vars.items[number];
    ilc__wtype      type = ilc__var_type(callee, param);
    if (param->is_string) return ilc__view_string(w, w->func, e);
    if (param->is_array) return ilc__array(w, e);
    if (param->is_slot && param->layout) return ilc__place(w, e, type); /* a struct by value */
    if (!param->is_addr) {
        ilc__term *t = ilc__view_for(w, e, type);
        return t;
    }
    if (type.is_pointer) {
        type.is_pointer = false;
        return ilc__pointer(w, e, type);
    }
    ilc__term *t = with(w, ILC__W_REF, type, ilc__place(w, e, type), NULL);
    return t;
}

ilc__term *ilc__view_call(ilc__writer *w, const ilc__expr *e)
{
    const ilc__func *callee = e->u.callee;
    uint32_t         count = ilc__arg_count(callee);
    ilc__term       *t = ilc__term_new(w, ILC__W_CALL, ilc__result_type(callee), count);
    t->func = callee;
    for (uint32_t i = 0; i < count && i < e->arg_count; i++) t->args[i] = argument(w, callee, e->args[i], i);
    ilc__operator opr;
    if (ilc__is_operator(w->names, callee, &opr)) {
        t->kind = count == 2 ? ILC__W_BINARY : ILC__W_UNARY;
        t->opr = opr;
    }
    t->calls = t->effects = true;
    return t;
}

/* --- expressions ----------------------------------------------------------------------------------------------------------- */

static ilc__term *variable(ilc__writer *w, const ilc__var *var)
{
    return ilc__term_name(w, ilc__var_type(w->func, var), w->var_names[var->index]);
}

static ilc__term *address_number(ilc__writer *w, const ilc__expr *e)
{
    ilc__term *t = ilc__term_new(w, ILC__W_CAST, ilc__scalar(ILC_I64), 1);
    t->args[0] = ilc__pointer(w, e->args[0], ilc__pointee_of(e->args[0]));
    t->overflow = ILC__WRAPS;
    return t;
}

ilc__term *ilc__view(ilc__writer *w, const ilc__expr *e, ilc_storage hint)
{
    switch (e->kind) {
    case ILC__EX_CONST: return constant(w, e);
    case ILC__EX_VAR: return variable(w, e->u.var);
    case ILC__EX_OP: return ilc__view_op(w, e, hint);
    case ILC__EX_LOAD: return load(w, e);
    case ILC__EX_LEN: return length(w, e);
    case ILC__EX_DIM: return dimension(w, e);
    case ILC__EX_ISNULL: case ILC__EX_SAMEREF: return same_reference(w, e);
    case ILC__EX_SPANOF: case ILC__EX_SPAN: case ILC__EX_SPANAT: return span(w, e);
    case ILC__EX_ADDRINT: return address_number(w, e);
    case ILC__EX_LOADIND: return ilc__place(w, e->args[0], ilc__scalar(e->storage));
    case ILC__EX_NEWARR: return new_array(w, e);
    case ILC__EX_CALL: return ilc__view_call(w, e);
    case ILC__EX_AND: case ILC__EX_OR: return chain(w, e);
    case ILC__EX_NOT: return ilc__deny(w, ilc__view_truth(w, e->args[0]));
    case ILC__EX_SELECT: return choice(w, e, hint);
    case ILC__EX_NONNULL: case ILC__EX_SUBSCRIPTS: case ILC__EX_SLOTADDR: case ILC__EX_ELEMADDR: case ILC__EX_FIELDADDR:
    case ILC__EX_ADDADDR: case ILC__EX_DATAADDR: break;
    }
    ilc__cannot(w, "an address as a number");
    return ilc__term_literal(w, ILC_I32, 0);
}

ilc__term *ilc__view_as(ilc__writer *w, const ilc__expr *e, ilc_storage type)
{
    ilc__term *t = ilc__view(w, e, type);
    return ilc__is_float(type) ? t : ilc__convert(w, t, type);
}

/* What is kept as a Boolean must be one: IL keeps any byte. */
static ilc__term *stored_truth(ilc__writer *w, ilc__term *t)
{
    const ilc__term *x = t;
    while (x->kind == ILC__W_CAST && ilc__is_integer(x->type.storage) && ilc__is_scalar(x->args[0]->type)) x = x->args[0];
    bool chosen = x->kind == ILC__W_CHOICE && is_bit(x->args[1]) && is_bit(x->args[2]);
    if (chosen && x->args[1]->bits == 1 && x->args[2]->bits == 0) return x->args[0];
    bool known = is_truth(x) || is_bit(x) || chosen;
    bool masked = x->kind == ILC__W_BINARY && x->opr == ILC__OPR_AND && is_bit(x->args[1]);
    if (!known && !masked) ilc__cannot(w, "a Boolean that may be neither true nor false");
    return t;
}

ilc__term *ilc__view_for(ilc__writer *w, const ilc__expr *e, ilc__wtype type)
{
    if (!ilc__is_scalar(type)) return type.is_string ? ilc__view_string(w, w->func, e) : ilc__array(w, e);
    ilc__term *t = ilc__view(w, e, type.storage);
    if (ilc__is_scalar(t->type) && t->type.storage != type.storage && t->kind != ILC__W_LITERAL &&
        ilc__holds(type.storage, t->type.storage) && w->syntax->widens(t->type.storage, type.storage))
        return t;
    if (type.storage == ILC_BOOL) t = stored_truth(w, t);
    if (!ilc__is_float(type.storage)) t = ilc__convert(w, t, type.storage);
    return ilc__relax(w, t, type.storage);
}

ilc__term *ilc__view_truth(ilc__writer *w, const ilc__expr *e)
{
    if (e->type == ILC__IR_REF) {
        ilc__term *null = ilc__term_literal(w, ILC_VOID, 0);
        return ilc__term_binary(w, ILC__OPR_OTHER, ILC_BOOL, ilc__array(w, e), null);
    }
    return ilc__convert(w, ilc__view(w, e, ILC_BOOL), ILC_BOOL);
}

/* A string by its number; 0 is null. */
static ilc__term *text_of(ilc__writer *w, const ilc__func *func, uint64_t number)
{
    ilc__term *t = ilc__term_new(w, ILC__W_TEXT, (ilc__wtype){.is_string = true}, 0);
    if (number && func->strings && number < func->strings->count) t->text = func->strings->items[number];
    return t;
}

ilc__term *ilc__view_string(ilc__writer *w, const ilc__func *func, const ilc__expr *e)
{
    ilc__wtype type = {.is_string = true};
    if (e->kind == ILC__EX_SELECT) {
        ilc__term *t = ilc__term_new(w, ILC__W_CHOICE, type, 3);
        t->args[0] = ilc__view_truth(w, e->args[0]);
        for (uint32_t i = 1; i < 3; i++) t->args[i] = ilc__view_string(w, func, e->args[i]);
        return t;
    }
    if (e->kind == ILC__EX_CONST) return text_of(w, func, e->u.bits);
    if (ilc__expr_is_truth(e)) { /* a choice of the strings of these numbers, folded */
        ilc__term *t = ilc__term_new(w, ILC__W_CHOICE, type, 3);
        t->args[0] = ilc__view_truth(w, e);
        t->args[1] = text_of(w, func, 1);
        t->args[2] = text_of(w, func, 0);
        return t;
    }
    return ilc__view(w, e, ILC_VOID);
}
