/* range.c - what is known of a value without looking at control flow: constants, truth values, ranges. */
#include "opt/edit.h"

enum { MAX_DEPTH = 8, MAX_JOINED = 4, MAX_LENGTH = 0x7FFFFFC7 }; /* .NET's largest array */

bool ilc__edit_is_const(const ilc__ir_func *func, ilc__ref ref, uint64_t bits)
{
    const ilc__ir_value *value = &func->values.items[ref];
    return value->op == ILC__OP_CONST && value->u.bits == bits;
}

bool ilc__edit_is_truth(const ilc__ir_func *func, ilc__ref ref)
{
    const ilc__ir_value *value = &func->values.items[ref];
    if (value->op == ILC__OP_ISNULL || value->op == ILC__OP_SAMEREF) return true;
    return (ilc__op_info_of(value->op)->flags & ILC__OPF_COMPARE) != 0;
}

ilc__range ilc__storage_range(ilc_storage storage)
{
    switch (storage) {
    case ILC_BOOL:
    case ILC_U8: return (ilc__range){0, 255};
    case ILC_I8: return (ilc__range){-128, 127};
    case ILC_I16: return (ilc__range){-32768, 32767};
    case ILC_CHAR:
    case ILC_U16: return (ilc__range){0, 65535};
    case ILC_I32:
    case ILC_U32: return (ilc__range){INT32_MIN, INT32_MAX};
    default: return (ilc__range){INT64_MIN, INT64_MAX};
    }
}

static ilc__range range_of(const ilc__ir_func *func, ilc__ref ref, int depth);

/* A variable holds values of its storage; a temporary one's values may be narrower than that. */
static ilc__range version_range(const ilc__ir_func *func, const ilc__ir_value *value, int depth)
{
    const ilc__ir_var *var = &func->vars.items[value->var];
    ilc__range         range = ilc__storage_range(var->storage), joined = {INT64_MAX, INT64_MIN};
    if (!var->is_temp || value->op == ILC__OP_PARAM || depth <= 0 || value->arg_count > MAX_JOINED) return range;
    depth -= value->arg_count > 2 ? 2 : 1; /* so that no more than 256 values are looked at */
    for (uint32_t i = 0; i < value->arg_count; i++) {
        ilc__range one = range_of(func, value->args[i], depth);
        if (one.low < joined.low) joined.low = one.low;
        if (one.high > joined.high) joined.high = one.high;
    }
    return joined.low > joined.high ? range : joined;
}

/* x And c, c not negative, lies in 0..c. */
static ilc__range mask_range(const ilc__ir_func *func, const ilc__ir_value *value, ilc__range whole)
{
    for (uint32_t i = 0; i < 2; i++) {
        const ilc__ir_value *mask = &func->values.items[value->args[i]];
        if (mask->op == ILC__OP_CONST && (int64_t)mask->u.bits >= 0)
            return (ilc__range){0, (int64_t)mask->u.bits};
    }
    return whole;
}

static ilc__range range_of(const ilc__ir_func *func, ilc__ref ref, int depth)
{
    const ilc__ir_value *value = &func->values.items[ref];
    ilc__range           whole = ilc__storage_range(value->type == ILC__IR_I32 ? ILC_I32 : ILC_I64);
    if (ilc__edit_is_truth(func, ref)) return (ilc__range){0, 1};
    switch (value->op) {
    case ILC__OP_CONST: return (ilc__range){(int64_t)value->u.bits, (int64_t)value->u.bits};
    case ILC__OP_PARAM:
    case ILC__OP_COPY:
    case ILC__OP_PHI: return version_range(func, value, depth);
    case ILC__OP_LOAD:
    case ILC__OP_LOADIND: return ilc__storage_range(value->storage);
    case ILC__OP_CALL: return ilc__storage_range(value->u.callee->ret);
    case ILC__OP_DIM:
    case ILC__OP_LEN: return (ilc__range){0, MAX_LENGTH};
    case ILC__OP_I8_I32:
    case ILC__OP_OVF_I8_I32:
    case ILC__OP_OVF_I8_I64:
    case ILC__OP_OVF_I8_F64: return ilc__storage_range(ILC_I8);
    case ILC__OP_U8_I32:
    case ILC__OP_OVF_U8_I32:
    case ILC__OP_OVF_U8_I64:
    case ILC__OP_OVF_U8_F64:
    case ILC__OP_OVF_U8_U32:
    case ILC__OP_OVF_U8_U64: return ilc__storage_range(ILC_U8);
    case ILC__OP_I16_I32:
    case ILC__OP_OVF_I16_I32:
    case ILC__OP_OVF_I16_I64:
    case ILC__OP_OVF_I16_F64: return ilc__storage_range(ILC_I16);
    case ILC__OP_U16_I32:
    case ILC__OP_OVF_U16_I32:
    case ILC__OP_OVF_U16_I64:
    case ILC__OP_OVF_U16_F64:
    case ILC__OP_OVF_U16_U32:
    case ILC__OP_OVF_U16_U64: return ilc__storage_range(ILC_U16);
    case ILC__OP_AND_I32:
    case ILC__OP_AND_I64: return mask_range(func, value, whole);
    case ILC__OP_I64_I32:
        return depth > 0 ? range_of(func, value->args[0], depth - 1) : ilc__storage_range(ILC_I32);
    case ILC__OP_SIGN_I32:
    case ILC__OP_SIGN_I64:
    case ILC__OP_SIGN_F32:
    case ILC__OP_SIGN_F64: return (ilc__range){-1, 1};
    default: return whole;
    }
}

ilc__range ilc__edit_range(const ilc__ir_func *func, ilc__ref ref)
{
    return range_of(func, ref, MAX_DEPTH);
}
