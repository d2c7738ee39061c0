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

static const guard *find_guard(const ilc__callee *callee)
{
    const ilc__signature *sig = &callee->sig;
    if (strcmp(callee->type_name, "System.ArgumentOutOfRangeException") != 0 || sig->has_this || sig->param_count < 2) return NULL;
    for (size_t i = 0; i < sizeof guards / sizeof *guards; i++) {
        uint32_t count = guards[i].has_other ? 3 : 2;
        if (strcmp(callee->name, guards[i].name) != 0 || sig->param_count != count) continue;
        return column_of(ilc__type_storage(sig->params[0])) >= 0 ? &guards[i] : NULL;
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
static ilc_status throw_unless(ilc__lift *l, ilc__ref condition, const char *type, const char *message)
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
    return throw_unless(l, there, type, ilc__lib_exception_message(l->func->arena, type, "s", &name));
}

ilc_status ilc__lift_guard(ilc__lift *l, const ilc__callee *callee)
{
    const guard *g = find_guard(callee);
    if (!g) return lift_null_guard(l, callee);
    ilc_storage    storage = ilc__type_storage(callee->sig.params[0]);
    ilc__op        op = g->ops[column_of(storage)];
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
    if (!g->has_other) other = ilc__lift_const(l, wide ? ILC__IR_I64 : ILC__IR_I32, 0);
    ilc__ref condition = ilc__lift_emit(l, ilc__op_negated(op), ILC__IR_I32, 2, value, other);
    return throw_unless(l, condition, "System.ArgumentOutOfRangeException",
                    ilc__arena_printf(l->func->arena, g->text, name, name));
}
