/* lift_guard.c - the framework's helpers that throw if something holds (ArgumentOutOfRangeException.ThrowIfNegative and
 * its kind), known by name: a compare, a branch and a throw at the call. Messages are .NET's, but for the numbers that
 * are not known here, which read "..." (docs/semantics.md, Traps). */
#include "ir/lift.h"

typedef struct guard {
    const char *name;
    bool        has_other; /* compared with a second argument, not with zero */
    ilc__op     ops[4];    /* int32, int64, unsigned ones: throws where it holds; NONE: never */
    const char *text;      /* what the value must be                         */
} guard;

static const guard guards[] = {
    {"ThrowIfZero", false, {ILC__OP_EQ_I32, ILC__OP_EQ_I64, ILC__OP_EQ_I32, ILC__OP_EQ_I64},
     "%s ('0') must be a non-zero value. (Parameter '%s')\nActual value was 0."},
    {"ThrowIfNegative", false, {ILC__OP_LT_I32, ILC__OP_LT_I64, ILC__OP_NONE, ILC__OP_NONE},
     "%s ('...') must be a non-negative value. (Parameter '%s')\nActual value was ...."},
    {"ThrowIfNegativeOrZero", false, {ILC__OP_LE_I32, ILC__OP_LE_I64, ILC__OP_EQ_I32, ILC__OP_EQ_I64},
     "%s ('...') must be a non-negative and non-zero value. (Parameter '%s')\nActual value was ...."},
    {"ThrowIfEqual", true, {ILC__OP_EQ_I32, ILC__OP_EQ_I64, ILC__OP_EQ_I32, ILC__OP_EQ_I64},
     "%s ('...') must not be equal to '...'. (Parameter '%s')\nActual value was ...."},
    {"ThrowIfNotEqual", true, {ILC__OP_NE_I32, ILC__OP_NE_I64, ILC__OP_NE_I32, ILC__OP_NE_I64},
     "%s ('...') must be equal to '...'. (Parameter '%s')\nActual value was ...."},
    {"ThrowIfGreaterThan", true, {ILC__OP_GT_I32, ILC__OP_GT_I64, ILC__OP_GT_UN_I32, ILC__OP_GT_UN_I64},
     "%s ('...') must be less than or equal to '...'. (Parameter '%s')\nActual value was ...."},
    {"ThrowIfGreaterThanOrEqual", true, {ILC__OP_GE_I32, ILC__OP_GE_I64, ILC__OP_GE_UN_I32, ILC__OP_GE_UN_I64},
     "%s ('...') must be less than '...'. (Parameter '%s')\nActual value was ...."},
    {"ThrowIfLessThan", true, {ILC__OP_LT_I32, ILC__OP_LT_I64, ILC__OP_LT_UN_I32, ILC__OP_LT_UN_I64},
     "%s ('...') must be greater than or equal to '...'. (Parameter '%s')\nActual value was ...."},
    {"ThrowIfLessThanOrEqual", true, {ILC__OP_LE_I32, ILC__OP_LE_I64, ILC__OP_LE_UN_I32, ILC__OP_LE_UN_I64},
     "%s ('...') must be greater than '...'. (Parameter '%s')\nActual value was ...."},
};

static bool is_null_guard(const ilc__callee *callee)
{
    return strcmp(callee->type_name, "System.ArgumentNullException") == 0 && strcmp(callee->name, "ThrowIfNull") == 0 &&
           !callee->sig.has_this && callee->sig.param_count == 2 && callee->sig.params[1]->kind == ILC__ET_STRING;
}

/* Which of a guard's operations is for numbers of the type; -1: none. */
static int column_of(ilc_storage storage)
{
    switch (storage) {
    case ILC_I8: case ILC_U8: case ILC_I16: case ILC_U16: case ILC_CHAR: case ILC_I32: return 0;
    case ILC_I64: case ILC_INT: return 1;
    case ILC_U32: return 2;
    case ILC_U64: case ILC_UINT: return 3;
    default: return -1;
    }
}

static bool is_float(ilc_storage storage)
{
    return storage == ILC_F32 || storage == ILC_F64;
}

/* Is there an order of floats for it? IsNegative looks at the sign alone, which a NaN has, too, and no engine keeps. */
static bool has_floats(const guard *g)
{
    return g->has_other || g->ops[0] == ILC__OP_EQ_I32;
}

static const guard *find_guard(const ilc__callee *callee)
{
    const ilc__signature *sig = &callee->sig;
    if (strcmp(callee->type_name, "System.ArgumentOutOfRangeException") != 0 || sig->has_this || sig->param_count < 2) return NULL;
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
        uint32_t count = guards[i].has_other ? 3 : 2;
        if (strcmp(callee->name, guards[i].name) != 0 || sig->param_count != count) continue;
        ilc_storage storage = ilc__type_storage(sig->params[0]);
        return (is_float(storage) ? has_floats(&guards[i]) : column_of(storage) >= 0) ? &guards[i] : NULL;
    }
    return NULL;
}

bool ilc__lift_is_guard(const ilc__callee *callee)
{
    return is_null_guard(callee) || find_guard(callee);
}

static ilc_status pop_name(ilc__lift *l, const ilc__callee *callee, const char **name)
{
    ilc__lift_slot slot;
    ILC__TRY(ilc__lift_pop(l, &slot));
    *name = slot.text;
    if (slot.type == ILC__IR_VOID && slot.text) return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "call to %s.%s with a name that is not constant", callee->type_name,
                            callee->name);
}

/* What follows stands in a block of its own. */
ilc_status ilc__lift_throw_unless(ilc__lift *l, ilc__ref condition, const char *type, const char *message)
{
    uint32_t thrown = ilc__ir_add_block(l->func, l->insn->offset), next = ilc__ir_add_block(l->func, l->insn->offset);
    ilc__lift_emit(l, ILC__OP_BRANCH, ILC__IR_VOID, 1, condition, 0);
    ilc__ir_connect(l->func, l->ir, next); /* as compilers have it for If .. Then Throw */
    ilc__ir_connect(l->func, l->ir, thrown);
    l->ir = thrown;
    ilc__exception *exception = ILC__NEW(l->func->arena, ilc__exception);
    exception->type = type;
    exception->message = message;
    ilc__ref made = ilc__lift_emit(l, ILC__OP_NEWEXC, ILC__IR_EXC, 0, 0, 0);
    l->func->values.items[made].u.exc = exception;
    ilc__lift_emit(l, ILC__OP_THROW, ILC__IR_VOID, 1, made, 0);
    l->ir = next;
    return ILC_OK;
}

static ilc_status lift_null_guard(ilc__lift *l, const ilc__callee *callee)
{
    const char    *name;
    ilc__lift_slot value;
    ILC__TRY(pop_name(l, callee, &name));
    ILC__TRY(ilc__lift_pop(l, &value));
    if (value.type != ILC__IR_REF)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "call to %s.%s of %s", callee->type_name, callee->name,
                                ilc__lift_slot_name(l, value));
    const char *type = "System.ArgumentNullException";
    ilc__ref    null = ilc__lift_emit(l, ILC__OP_ISNULL, ILC__IR_I32, 1, value.ref, 0);
    ilc__ref    there = ilc__lift_emit(l, ILC__OP_EQ_I32, ILC__IR_I32, 2, null, ilc__lift_const(l, ILC__IR_I32, 0));
    return ilc__lift_throw_unless(l, there, type, ilc__lib_exception_message(l->func->arena, type, "s", &name));
}

/* An operation on int32 as one on floats. */
static ilc__ref compare_floats(ilc__lift *l, ilc__op like, bool is_single, ilc__ref a, ilc__ref b)
{
    ilc__op op = ILC__OP_NONE;
    switch (like) {
    case ILC__OP_EQ_I32: op = is_single ? ILC__OP_EQ_F32 : ILC__OP_EQ_F64; break;
    case ILC__OP_NE_I32: op = is_single ? ILC__OP_NE_F32 : ILC__OP_NE_F64; break;
    case ILC__OP_LT_I32: op = is_single ? ILC__OP_LT_F32 : ILC__OP_LT_F64; break;
    case ILC__OP_LE_I32: op = is_single ? ILC__OP_LE_F32 : ILC__OP_LE_F64; break;
    case ILC__OP_GT_I32: op = is_single ? ILC__OP_GT_F32 : ILC__OP_GT_F64; break;
    default: op = is_single ? ILC__OP_GE_F32 : ILC__OP_GE_F64; break;
    }
    return ilc__lift_emit(l, op, ILC__IR_I32, 2, a, b);
}

static ilc__ref both(ilc__lift *l, ilc__op op, ilc__ref a, ilc__ref b)
{
    return ilc__lift_emit(l, op, ILC__IR_I32, 2, a, b);
}

/* 1 where a and b stand so, in CompareTo's order: a NaN is less than all numbers, and equal to a NaN. */
static ilc__ref relation(ilc__lift *l, ilc__op like, bool is_single, ilc__ref a, ilc__ref b)
{
    ilc__ref holds = compare_floats(l, like == ILC__OP_NE_I32 ? ILC__OP_EQ_I32 : like, is_single, a, b), more;
    ilc__op  is_nan = ILC__OP_NE_I32, is_number = ILC__OP_EQ_I32;
    switch (like) {
    case ILC__OP_LT_I32:
        more = both(l, ILC__OP_AND_I32, compare_floats(l, is_nan, is_single, a, a), compare_floats(l, is_number, is_single, b, b));
        break;
    case ILC__OP_GT_I32:
        more = both(l, ILC__OP_AND_I32, compare_floats(l, is_nan, is_single, b, b), compare_floats(l, is_number, is_single, a, a));
        break;
    case ILC__OP_LE_I32: more = compare_floats(l, is_nan, is_single, a, a); break;
    case ILC__OP_GE_I32: more = compare_floats(l, is_nan, is_single, b, b); break;
    default:
        more = both(l, ILC__OP_AND_I32, compare_floats(l, is_nan, is_single, a, a), compare_floats(l, is_nan, is_single, b, b));
        break;
    }
    return both(l, ILC__OP_OR_I32, holds, more);
}

static bool is_number_constant(const ilc__lift *l, ilc__ref ref, bool is_single)
{
    const ilc__ir_value *value = &l->func->values.items[ref];
    uint64_t             magnitude = value->u.bits & (is_single ? 0x7FFFFFFF : 0x7FFFFFFFFFFFFFFF);
    return value->op == ILC__OP_CONST && magnitude <= (is_single ? 0x7F800000 : 0x7FF0000000000000);
}

/* What holds where the relation to a constant that is a number does not. */
static ilc__op otherwise(ilc__op like, bool is_single)
{
    switch (like) {
    case ILC__OP_EQ_I32: return is_single ? ILC__OP_NE_F32 : ILC__OP_NE_F64;
    case ILC__OP_NE_I32: return is_single ? ILC__OP_EQ_F32 : ILC__OP_EQ_F64;
    case ILC__OP_LT_I32: return is_single ? ILC__OP_GE_F32 : ILC__OP_GE_F64;
    case ILC__OP_LE_I32: return is_single ? ILC__OP_GT_F32 : ILC__OP_GT_F64;
    case ILC__OP_GT_I32: return is_single ? ILC__OP_LE_UN_F32 : ILC__OP_LE_UN_F64;
    default: return is_single ? ILC__OP_LT_UN_F32 : ILC__OP_LT_UN_F64;
    }
}

/* 1 where the guard does not throw. */
static ilc__ref float_passes(ilc__lift *l, const guard *g, bool is_single, ilc__ref value, ilc__ref other)
{
    ilc__op like = g->ops[0];
    if (!g->has_other) other = ilc__lift_const(l, is_single ? ILC__IR_F32 : ILC__IR_F64, 0);
    if (is_number_constant(l, other, is_single)) return ilc__lift_emit(l, otherwise(like, is_single), ILC__IR_I32, 2, value, other);
    ilc__ref holds = relation(l, like, is_single, value, other);
    if (like == ILC__OP_NE_I32) return holds;
    return ilc__lift_emit(l, ILC__OP_EQ_I32, ILC__IR_I32, 2, holds, ilc__lift_const(l, ILC__IR_I32, 0));
}

ilc_status ilc__lift_guard(ilc__lift *l, const ilc__callee *callee)
{
    const guard *g = find_guard(callee);
    if (!g) return lift_null_guard(l, callee);
    ilc_storage    storage = ilc__type_storage(callee->sig.params[0]);
    ilc__op        op = is_float(storage) ? g->ops[0] : g->ops[column_of(storage)];
    bool           wide = ilc__storage_ir_type(storage) == ILC__IR_I64;
    const char    *name;
    ilc__lift_slot slot;
    ilc__ref       other = 0, value;
    ILC__TRY(pop_name(l, callee, &name));
    if (g->has_other) {
        ILC__TRY(ilc__lift_pop(l, &slot));
        ILC__TRY(ilc__lift_coerce(l, slot, storage, &other));
    }
    ILC__TRY(ilc__lift_pop(l, &slot));
    ILC__TRY(ilc__lift_coerce(l, slot, storage, &value));
    if (op == ILC__OP_NONE) return ILC_OK;
    const char *out_of_range = "System.ArgumentOutOfRangeException";
    if (is_float(storage)) { /* zero may be -0 */
        const char *text = g->has_other ? g->text : "%s ('...') must be a non-zero value. (Parameter '%s')\nActual value was ....";
        return ilc__lift_throw_unless(l, float_passes(l, g, storage == ILC_F32, value, other), out_of_range,
                            ilc__arena_printf(l->func->arena, text, name, name));
    }
    if (!g->has_other) other = ilc__lift_const(l, wide ? ILC__IR_I64 : ILC__IR_I32, 0);
    ilc__ref condition = ilc__lift_emit(l, ilc__op_negated(op), ILC__IR_I32, 2, value, other);
    return ilc__lift_throw_unless(l, condition, out_of_range,
                    ilc__arena_printf(l->func->arena, g->text, name, name));
}
