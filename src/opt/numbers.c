/* numbers.c - value numbers, and the ranges of values from what is known of them (checks.h). */
#include "opt/checks.h"

#include <string.h>

enum { MAX_DEPTH = 5, RANGE_DEPTH = 2, MAX_COPIES = 64, MAX_LENGTH = 0x7FFFFFC7 };

bool ilc__checks_is_add(ilc__op op)
{
    return op == ILC__OP_ADD_I32 || op == ILC__OP_ADD_OVF_I32 || op == ILC__OP_ADD_I64 || op == ILC__OP_ADD_OVF_I64;
}

bool ilc__checks_is_sub(ilc__op op)
{
    return op == ILC__OP_SUB_I32 || op == ILC__OP_SUB_OVF_I32 || op == ILC__OP_SUB_I64 || op == ILC__OP_SUB_OVF_I64;
}

void ilc__checks_begin(ilc__checks *c, ilc__ir_func *func)
{
    *c = (ilc__checks){.func = func, .arena = &func->ctx->scratch, .known = {.arena = &func->ctx->scratch}};
    c->numbers = ILC__NEW_ARRAY(c->arena, uint32_t, func->values.count + 1);
    ILC__PUSH(c->arena, &c->facts, ((ilc__fact){0}));
    ILC__PUSH(c->arena, &c->bounds, ((ilc__bound){0}));
}

/* --- numbers ----------------------------------------------------------------------------------------------------- */

static uint32_t add_number(ilc__checks *c)
{
    ILC__PUSH(c->arena, &c->facts, ((ilc__fact){.low = INT64_MIN, .high = INT64_MAX}));
    return c->facts.count - 1;
}

typedef struct key {
    uint64_t bits;
    uint32_t op, type, a, b;
} key;

static uint32_t number_of_key(ilc__checks *c, key k)
{
    uintptr_t found = (uintptr_t)ilc__map_get(&c->known, &k, sizeof k);
    if (found) return (uint32_t)found;
    uint32_t number = add_number(c);
    ilc__map_put(&c->known, &k, sizeof k, (void *)(uintptr_t)number);
    return number;
}

uint32_t ilc__checks_pair(ilc__checks *c, ilc__op op, uint32_t a, uint32_t b)
{
    return number_of_key(c, (key){.op = ILC__OP_COUNT + (uint32_t)op, .a = a, .b = b});
}

uint32_t ilc__checks_length(ilc__checks *c, uint32_t array)
{
    return number_of_key(c, (key){.op = ILC__OP_LEN, .a = array});
}

/* A copy into a variable of full width is the value itself. */
static bool is_plain_copy(const ilc__ir_func *func, const ilc__ir_value *value)
{
    if (value->op != ILC__OP_COPY) return false;
    if (value->type != ILC__IR_I32 || !value->var) return true;
    ilc_storage storage = func->vars.items[value->var].storage;
    return storage == ILC_I32 || storage == ILC_U32;
}

ilc__ref ilc__checks_source(const ilc__checks *c, ilc__ref ref)
{
    for (int i = 0; i < MAX_COPIES && is_plain_copy(c->func, &c->func->values.items[ref]); i++) ref = c->func->values.items[ref].args[0];
    return ref;
}

static uint32_t make_number(ilc__checks *c, ilc__ref ref, int depth);

static uint32_t number(ilc__checks *c, ilc__ref ref, int depth)
{
    ref = ilc__checks_source(c, ref);
    if (!c->numbers[ref]) c->numbers[ref] = make_number(c, ref, depth);
    return c->numbers[ref];
}

static uint32_t make_number(ilc__checks *c, ilc__ref ref, int depth)
{
    const ilc__ir_value *value = &c->func->values.items[ref];
    ilc__op              plain = ilc__op_unchecked(value->op), op = plain ? plain : value->op;
    if (op == ILC__OP_CONST) return number_of_key(c, (key){value->u.bits, op, value->type, 0, 0});
    if (op == ILC__OP_LEN && depth < MAX_DEPTH) return ilc__checks_length(c, number(c, value->args[0], depth + 1));
    bool computes = op < ILC__OP_LAST_COMPUTE && value->arg_count >= 1 && value->arg_count <= 2;
    if (!computes || depth >= MAX_DEPTH) return add_number(c);
    uint32_t a = number(c, value->args[0], depth + 1), b = value->arg_count > 1 ? number(c, value->args[1], depth + 1) : 0;
    return number_of_key(c, (key){.op = op, .type = value->type, .a = a, .b = b});
}

uint32_t ilc__checks_number(ilc__checks *c, ilc__ref ref)
{
    return number(c, ref, 0);
}

/* --- ranges ------------------------------------------------------------------------------------------------------ */

static ilc__range type_range(ilc__ir_type type)
{
    return type == ILC__IR_I32 ? (ilc__range){INT32_MIN, INT32_MAX} : (ilc__range){INT64_MIN, INT64_MAX};
}

static ilc__range cut(ilc__range range, ilc__range by)
{
    if (by.low > range.low) range.low = by.low;
    if (by.high < range.high) range.high = by.high;
    return range;
}

static int64_t clip(__int128 value, ilc__range type)
{
    return value < type.low ? type.low : value > type.high ? type.high : (int64_t)value;
}

typedef struct exact {
    __int128 low, high;
    bool     known;
} exact;

static exact exactly(ilc__op plain, ilc__range a, ilc__range b)
{
    switch (plain) {
    case ILC__OP_ADD_I32: case ILC__OP_ADD_I64: return (exact){(__int128)a.low + b.low, (__int128)a.high + b.high, true};
    case ILC__OP_SUB_I32: case ILC__OP_SUB_I64: return (exact){(__int128)a.low - b.high, (__int128)a.high - b.low, true};
    case ILC__OP_MUL_I32: case ILC__OP_MUL_I64: {
        __int128 all[4] = {(__int128)a.low * b.low, (__int128)a.low * b.high, (__int128)a.high * b.low, (__int128)a.high * b.high};
        exact    e = {all[0], all[0], true};
        for (int i = 1; i < 4; i++) {
            if (all[i] < e.low) e.low = all[i];
            if (all[i] > e.high) e.high = all[i];
        }
        return e;
    }
    default: return (exact){0, 0, false};
    }
}

bool ilc__checks_is_unsigned(ilc__op op)
{
    return op == ILC__OP_ADD_OVF_UN_I32 || op == ILC__OP_SUB_OVF_UN_I32 || op == ILC__OP_MUL_OVF_UN_I32 ||
           op == ILC__OP_ADD_OVF_UN_I64 || op == ILC__OP_SUB_OVF_UN_I64 || op == ILC__OP_MUL_OVF_UN_I64;
}

static ilc__range range_of(ilc__checks *c, ilc__ref ref, int depth);

static ilc__range remainder_range(ilc__range a, ilc__range b)
{
    int64_t    by_high = b.high > 0 ? b.high - 1 : 0, by_low = b.low < 0 ? -(b.low + 1) : 0;
    int64_t    size = by_high > by_low ? by_high : by_low;
    ilc__range range = {-size, size};
    if (a.low >= 0) range.low = 0;
    if (a.high <= 0) range.high = 0;
    if (a.low >= 0 && a.high < range.high) range.high = a.high;
    return range;
}

static ilc__range operation_range(ilc__checks *c, const ilc__ir_value *value, int depth)
{
    ilc__range whole = type_range(value->type), a = range_of(c, value->args[0], depth + 1), b = range_of(c, value->args[1], depth + 1);
    ilc__op    plain = ilc__op_unchecked(value->op);
    bool       checked = plain != ILC__OP_NONE && !ilc__checks_is_unsigned(value->op);
    exact      e = exactly(plain ? plain : value->op, a, b);
    if (e.known && !ilc__checks_is_unsigned(value->op) && (checked || (e.low >= whole.low && e.high <= whole.high)))
        return (ilc__range){clip(e.low, whole), clip(e.high, whole)};
    switch (value->op) {
    case ILC__OP_REM_I32: case ILC__OP_REM_I64: case ILC__OP_REM_NZ_I32: case ILC__OP_REM_NZ_I64:
        return cut(whole, remainder_range(a, b));
    case ILC__OP_REM_UN_I32: case ILC__OP_REM_UN_I64: case ILC__OP_REM_UN_NZ_I32: case ILC__OP_REM_UN_NZ_I64:
        return b.low > 0 ? (ilc__range){0, b.high - 1} : whole;
    case ILC__OP_AND_I32: case ILC__OP_AND_I64:
        if (a.low >= 0 && b.low >= 0) return (ilc__range){0, a.high < b.high ? a.high : b.high};
        if (a.low >= 0 || b.low >= 0) return (ilc__range){0, a.low >= 0 ? a.high : b.high};
        return whole;
    case ILC__OP_MIN_I32: case ILC__OP_MIN_I64: return (ilc__range){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
    case ILC__OP_MAX_I32: case ILC__OP_MAX_I64: return (ilc__range){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    case ILC__OP_SHR_I32: case ILC__OP_SHR_I64:
        return a.low >= 0 ? (ilc__range){0, a.high} : whole;
    case ILC__OP_DIV_NZ_I32: case ILC__OP_DIV_NZ_I64: case ILC__OP_DIV_I32: case ILC__OP_DIV_I64:
        return a.low >= 0 && b.low > 0 ? (ilc__range){0, a.high} : whole;
    default: return whole;
    }
}

static ilc__range range_of(ilc__checks *c, ilc__ref ref, int depth)
{
    ref = ilc__checks_source(c, ref);
    const ilc__ir_value *value = &c->func->values.items[ref];
    ilc__range           range = cut(ilc__edit_range(c->func, ref), type_range(value->type));
    uint32_t             own = ilc__checks_number(c, ref);
    range = cut(range, (ilc__range){c->facts.items[own].low, c->facts.items[own].high});
    for (uint32_t at = c->facts.items[own].bounds; at; at = c->bounds.items[at].next)
        if (c->bounds.items[at].plus < 0 && range.high > MAX_LENGTH + c->bounds.items[at].plus) range.high = MAX_LENGTH + c->bounds.items[at].plus;
    if (depth < RANGE_DEPTH && value->op < ILC__OP_LAST_COMPUTE && value->arg_count == 2 &&
        (value->type == ILC__IR_I32 || value->type == ILC__IR_I64) &&
        c->func->values.items[value->args[0]].type == value->type)
        range = cut(range, operation_range(c, value, depth));
    return range;
}

ilc__range ilc__checks_range(ilc__checks *c, ilc__ref ref)
{
    return range_of(c, ref, 0);
}

ilc__ref ilc__checks_base(ilc__checks *c, ilc__ref ref, int64_t *offset)
{
    for (int i = 0; i < MAX_DEPTH; i++) {
        ref = ilc__checks_source(c, ref);
        const ilc__ir_value *value = &c->func->values.items[ref];
        bool                 plus = ilc__checks_is_add(value->op), minus = ilc__checks_is_sub(value->op);
        if (!plus && !minus) return ref;
        const ilc__ir_value *by = &c->func->values.items[ilc__checks_source(c, value->args[1])];
        if (by->op != ILC__OP_CONST || (int64_t)by->u.bits > INT32_MAX || (int64_t)by->u.bits < -INT32_MAX) return ref;
        ilc__range a = ilc__checks_range(c, value->args[0]), whole = type_range(value->type);
        int64_t    amount = plus ? (int64_t)by->u.bits : -(int64_t)by->u.bits;
        bool       fits = (__int128)a.low + amount >= whole.low && (__int128)a.high + amount <= whole.high;
        if (!fits && !ilc__op_unchecked(value->op)) return ref; /* it may wrap */
        *offset += amount;
        ref = value->args[0];
    }
    return ref;
}

bool ilc__checks_fits(ilc__checks *c, ilc__ref ref)
{
    const ilc__ir_value *value = &c->func->values.items[ref];
    ilc__range           a = ilc__checks_range(c, value->args[0]), b = ilc__checks_range(c, value->args[1]), whole = type_range(value->type);
    ilc__op              plain = ilc__op_unchecked(value->op);
    exact                e = exactly(plain ? plain : value->op, a, b);
    if (e.known && ilc__checks_is_unsigned(value->op)) return a.low >= 0 && b.low >= 0 && e.low >= 0 && e.high <= whole.high;
    return e.known && e.low >= whole.low && e.high <= whole.high;
}
