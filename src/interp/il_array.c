/* il_array.c - arrays of two and three dimensions and jagged ones to the judge: Get, Set, Address (II.14.2),
 * what System.Array's members answer as in CoreCLR, ldelem.ref. */
#include "il/instance.h"
#include "interp/il_translate.h"

enum { MAX_RANK = 3, MAX_NESTED = 2 };

bool ilc__il_describe_array(const ilc__type *type, ilc__il_variable *out)
{
    const ilc__type *elem = type;
    uint32_t         nested = 0, rank = type->kind == ILC__ET_ARRAY ? type->rank : 0;
    if (type->kind == ILC__ET_ARRAY) {
        if (rank < 2 || rank > MAX_RANK) return false;
        elem = type->elem;
    } else if (type->kind == ILC__ET_SZARRAY) {
        for (elem = type->elem; elem->kind == ILC__ET_SZARRAY && nested < MAX_NESTED; elem = elem->elem)
            nested++;
    } else {
        return false;
    }
    ilc_storage storage = ilc__type_storage(elem);
    if (storage == ILC_STORAGE_COUNT || storage == ILC_VOID) return false;
    *out = (ilc__il_variable){.kind = ILC__K_ARRAY, .storage = storage, .type = type};
    out->rank = (uint8_t)rank;
    out->nested = (uint8_t)nested;
    return true;
}

bool ilc__il_is_array_of(const ilc__il_cell *cell, const ilc__il_variable *v)
{
    if (cell->kind == ILC__K_NULL) return !v->is_span;
    return cell->kind == ILC__K_ARRAY && cell->span == v->is_span && cell->elem == v->storage && cell->layout == v->layout &&
           cell->rank == v->rank && cell->nested == v->nested;
}

/* --- Get, Set, Address
 * -------------------------------------------------------------------------------------- */

static ilc_status wrong_array(ilc__il_translator *t, const ilc__callee *callee, const ilc__il_cell *cell)
{
    return ilc__il_refuse(t, ILC_UNSUPPORTED, "call to %s.%s on %s", callee->type_name, callee->name,
                          ilc__il_kind_name(cell->kind));
}

/* Subscripts are int32: II.14.2 declares them so. Those end at `below`, counted from the top. */
static ilc_status check_place(ilc__il_translator *t, const ilc__callee *callee, const ilc__il_variable *array,
                              uint32_t below)
{
    static const ilc__il_variable index = {.kind = ILC__K_I4, .storage = ILC_I32};
    ILC__TRY(ilc__il_need(t, below + array->rank + 1));
    for (uint32_t i = below; i < below + array->rank; i++)
        ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, i), ilc__il_slot_at(t, i), &index));
    const ilc__il_cell *cell = ilc__il_cell_at(t, below + array->rank);
    return ilc__il_is_array_of(cell, array) ? ILC_OK : wrong_array(t, callee, cell);
}

/* The address of the element, in the array's slot. */
static uint32_t emit_place(ilc__il_translator *t, const ilc__il_variable *array, uint32_t below)
{
    uint32_t    d = ilc__il_slot_at(t, below + array->rank);
    ilc__il_op *op = ilc__il_emit(t, ILC__DO_PLACE, d);
    op->u.copy.to = array->rank;
    op->u.copy.size = ilc_storage_size(array->storage);
    return d;
}

static ilc_status get(ilc__il_translator *t, const ilc__callee *callee, const ilc__il_variable *array,
                      bool address)
{
    ilc__il_variable element = {.kind = ilc__il_storage_kind(array->storage), .storage = array->storage};
    ILC__TRY(check_place(t, callee, array, 0));
    uint32_t d = emit_place(t, array, 0);
    t->depth -= array->rank + 1;
    if (address)
        return ilc__il_push_cell(t, (ilc__il_cell){.kind = ILC__K_ADDR, .elem = (uint8_t)array->storage});
    ilc__il_get(t, &element, d, d, 0);
    return ilc__il_push_cell(t, ilc__il_cell_of(&element));
}

/* The value is there before the array and its subscripts are looked at. */
static ilc_status set(ilc__il_translator *t, const ilc__callee *callee, const ilc__il_variable *array)
{
    ilc__il_variable element = {.kind = ilc__il_storage_kind(array->storage), .storage = array->storage};
    ILC__TRY(ilc__il_need(t, 1));
    if (element.kind == ILC__K_I8 && ilc__il_cell_at(t, 0)->kind == ILC__K_I4)
        return ilc__il_wrong_kinds(t, ILC__K_I4, ILC__K_NONE);
    ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, 0), ilc__il_slot_at(t, 0), &element));
    ILC__TRY(check_place(t, callee, array, 1));
    uint32_t value = ilc__il_slot_at(t, 0), d = emit_place(t, array, 1);
    ilc__il_put(t, &element, value, d, 0);
    t->depth -= array->rank + 2;
    return ILC_OK;
}

/* --- System.Array
 * ------------------------------------------------------------------------------------------- */

static bool is_any_array(const ilc__il_cell *cell)
{
    return cell->kind == ILC__K_ARRAY || cell->kind == ILC__K_NULL;
}

/* get_Length, get_LongLength, get_Rank: the first is what asks for null. */
static ilc_status property(ilc__il_translator *t, const ilc__callee *callee)
{
    ILC__TRY(ilc__il_need(t, 1));
    ilc__il_cell array = *ilc__il_cell_at(t, 0);
    uint32_t     d = ilc__il_slot_at(t, 0);
    bool         is_long = strcmp(callee->name, "get_LongLength") == 0;
    if (!is_any_array(&array)) return wrong_array(t, callee, &array);
    ilc__il_emit(t, ILC__DO_LENGTH, d);
    if (is_long) ilc__il_emit(t, ILC__ROW_CONV_I8_I4, d);
    t->depth--;
    if (strcmp(callee->name, "get_Rank") == 0)
        return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_I4}, array.rank > 1 ? array.rank : 1);
    return ilc__il_push(t, is_long ? ILC__K_I8 : ILC__K_I4);
}

static ilc_status bound(ilc__il_translator *t, const ilc__callee *callee)
{
    static const ilc__il_variable index = {.kind = ILC__K_I4, .storage = ILC_I32};
    static const char *const      names[] = {"GetLength", "GetUpperBound", "GetLowerBound"};
    ILC__TRY(ilc__il_need(t, 2));
    ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, 0), ilc__il_slot_at(t, 0), &index));
    const ilc__il_cell *array = ilc__il_cell_at(t, 1);
    if (!is_any_array(array)) return wrong_array(t, callee, array);
    ilc__il_op *op = ilc__il_emit(t, ILC__DO_BOUND, ilc__il_slot_at(t, 1));
    for (uint32_t i = 0; i < 3; i++)
        if (strcmp(names[i], callee->name) == 0) op->u.bits = i;
    t->depth -= 2;
    return ilc__il_push(t, ILC__K_I4);
}

typedef struct member {
    const char *name;
    uint32_t    params;
    ilc_status (*step)(ilc__il_translator *t, const ilc__callee *callee);
} member;

static const member members[] = {{"get_Length", 0, property}, {"get_LongLength", 0, property},
                                 {"get_Rank", 0, property},   {"GetLength", 1, bound},
                                 {"GetUpperBound", 1, bound}, {"GetLowerBound", 1, bound}};

static ilc_status member_of_type(ilc__il_translator *t, const ilc__callee *callee, bool *known)
{
    ilc__il_variable array;
    uint32_t         count = callee->sig.param_count, rank = callee->type->rank;
    bool             is_set = strcmp(callee->name, "Set") == 0, is_get = strcmp(callee->name, "Get") == 0;
    bool             is_address = strcmp(callee->name, "Address") == 0;
    *known = (is_set || is_get || is_address) && count == rank + (is_set ? 1 : 0) &&
             ilc__il_describe_array(callee->type, &array);
    if (!*known) return ILC_OK;
    return is_set ? set(t, callee, &array) : get(t, callee, &array, is_address);
}

ilc_status ilc__il_step_array_call(ilc__il_translator *t, const ilc__callee *callee, bool *known)
{
    *known = false;
    if (!callee->sig.has_this) return ILC_OK;
    if (callee->type && callee->type->kind == ILC__ET_ARRAY) return member_of_type(t, callee, known);
    if (strcmp(callee->type_name, "System.Array") != 0) return ILC_OK;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (strcmp(members[i].name, callee->name) != 0 || members[i].params != callee->sig.param_count)
            continue;
        *known = true;
        return members[i].step(t, callee);
    }
    return ILC_OK;
}

/* A form's row of a matrix (il/instance.h), as an array of its own. */
static ilc_status row(ilc__il_translator *t, const ilc__type *type)
{
    ilc__il_cell cell = *ilc__il_cell_at(t, 1);
    ilc__il_op  *op = ilc__il_emit(t, ILC__DO_ROW, ilc__il_slot_at(t, 1));
    op->u.copy.to = cell.elem;
    op->u.copy.size = ilc_storage_size((ilc_storage)cell.elem);
    cell.rank = 0;
    cell.span = ilc__type_span(type) != NULL;
    t->depth -= 2;
    return ilc__il_push_cell(t, cell);
}

/* III.4.7 on an array of arrays: its elements are addresses of arrays, or null. */
ilc_status ilc__il_step_inner_array(ilc__il_translator *t)
{
    ILC__TRY(ilc__il_need(t, 2));
    if (ilc__row_type(t->insn)) return row(t, ilc__row_type(t->insn));
    ilc__il_cell        inner = *ilc__il_cell_at(t, 1);
    const ilc__il_cell *index = ilc__il_cell_at(t, 0);
    bool                null = inner.kind == ILC__K_NULL;
    if ((!null && (inner.kind != ILC__K_ARRAY || !inner.nested)) ||
        (index->kind != ILC__K_I4 && index->kind != ILC__K_I8))
        return ilc__il_wrong_kinds(t, (ilc__il_kind)inner.kind, (ilc__il_kind)index->kind);
    uint32_t wide = index->kind == ILC__K_I8;
    ilc__il_emit(t, wide ? ILC__DO_LOAD_WIDE_I8 : ILC__DO_LOAD_I8, ilc__il_slot_at(t, 1));
    if (!null) inner.nested--; /* of null it raises */
    t->depth -= 2;
    return ilc__il_push_cell(t, inner);
}
