/* il_arith.c - choosing a row of il_arith.def for an instruction and the kinds on the stack, and running one
 * row alone. The machine runs the same rows inline (il_machine.c). */
#include "interp/il_arith.h"

static const ilc__il_kind results[ILC__ROW_COUNT] = {
#define UNARY(id, opcode, kind, result, expr) [ILC__ROW_##id] = ILC__K_##result,
#define BINARY(id, opcode, left, right, result, expr) [ILC__ROW_##id] = ILC__K_##result,
#define FUNC1(id, kind, result, expr) [ILC__ROW_##id] = ILC__K_##result,
#define FUNC2(id, kind, result, expr) [ILC__ROW_##id] = ILC__K_##result,
#define BRANCH(id, opcode, kind, expr) [ILC__ROW_##id] = ILC__K_NONE,
#define BRANCH1(id, opcode, kind, expr) [ILC__ROW_##id] = ILC__K_NONE,
#include "interp/il_arith.def"
};

ilc__il_kind ilc__il_row_result(ilc__il_row row)
{
    return results[row];
}

static ilc__opcode long_form(ilc__opcode opcode)
{
    switch (opcode) {
    case ILC__IL_BRFALSE_S: return ILC__IL_BRFALSE;
    case ILC__IL_BRTRUE_S: return ILC__IL_BRTRUE;
    case ILC__IL_BEQ_S: return ILC__IL_BEQ;
    case ILC__IL_BGE_S: return ILC__IL_BGE;
    case ILC__IL_BGT_S: return ILC__IL_BGT;
    case ILC__IL_BLE_S: return ILC__IL_BLE;
    case ILC__IL_BLT_S: return ILC__IL_BLT;
    case ILC__IL_BNE_UN_S: return ILC__IL_BNE_UN;
    case ILC__IL_BGE_UN_S: return ILC__IL_BGE_UN;
    case ILC__IL_BGT_UN_S: return ILC__IL_BGT_UN;
    case ILC__IL_BLE_UN_S: return ILC__IL_BLE_UN;
    case ILC__IL_BLT_UN_S: return ILC__IL_BLT_UN;
    default: return opcode;
    }
}

#define KEY(opcode, left, right) ((opcode)*64 + (left)*8 + (right))
_Static_assert(ILC__K_R8 < 8, "a kind of a number fits three bits of a key");

/* Two rows of one key would not compile. */
static ilc__il_row row_of(ilc__opcode opcode, ilc__il_kind left, ilc__il_kind right)
{
    switch (KEY((int)opcode, (int)left, (int)right)) {
#define UNARY(id, opcode, kind, result, expr)                                                                \
    case KEY(ILC__IL_##opcode, ILC__K_##kind, ILC__K_NONE): return ILC__ROW_##id;
#define BINARY(id, opcode, left, right, result, expr)                                                        \
    case KEY(ILC__IL_##opcode, ILC__K_##left, ILC__K_##right): return ILC__ROW_##id;
#define FUNC1(id, kind, result, expr)
#define FUNC2(id, kind, result, expr)
#define BRANCH(id, opcode, kind, expr)                                                                       \
    case KEY(ILC__IL_##opcode, ILC__K_##kind, ILC__K_##kind): return ILC__ROW_##id;
#define BRANCH1(id, opcode, kind, expr)                                                                      \
    case KEY(ILC__IL_##opcode, ILC__K_##kind, ILC__K_NONE): return ILC__ROW_##id;
#include "interp/il_arith.def"
    default: return ILC__ROW_NONE;
    }
}

/* int32 beside native int: CoreCLR widens by sign, for these by zeros, in branches all but constants (as its answers
 * show). */
static bool widens_unsigned(ilc__opcode opcode, bool is_ldc)
{
    switch (opcode) {
    case ILC__IL_ADD_OVF_UN:
    case ILC__IL_SUB_OVF_UN:
    case ILC__IL_MUL_OVF_UN: return true;
    case ILC__IL_BGE_UN:
    case ILC__IL_BGT_UN:
    case ILC__IL_BLE_UN:
    case ILC__IL_BLT_UN:
    case ILC__IL_BNE_UN: return !is_ldc;
    default: return false;
    }
}

static bool is_number(ilc__il_kind kind)
{
    return kind >= ILC__K_I4 && kind <= ILC__K_R8;
}

/* References compare by identity (III.1.5, table III.4). */
static bool compares_references(ilc__opcode opcode)
{
    switch (opcode) {
    case ILC__IL_CEQ:
    case ILC__IL_CGT_UN:
    case ILC__IL_BEQ:
    case ILC__IL_BNE_UN:
    case ILC__IL_BRTRUE:
    case ILC__IL_BRFALSE: return true;
    default: return false;
    }
}

static bool is_reference(ilc__il_kind kind)
{
    return kind == ILC__K_ARRAY || kind == ILC__K_NULL;
}

static bool is_shift(ilc__opcode opcode)
{
    return opcode == ILC__IL_SHL || opcode == ILC__IL_SHR || opcode == ILC__IL_SHR_UN;
}

bool ilc__il_plan_find(ilc__opcode opcode, ilc__il_kind left, ilc__il_kind right, bool has_ldc, ilc__il_plan *out)
{
    *out = (ilc__il_plan){.row = ILC__ROW_NONE};
    opcode = long_form(opcode);
    /* Two references are ordered as their objects lie in memory, which nothing promises; against null it is a test. */
    if (opcode == ILC__IL_CGT_UN && left == ILC__K_ARRAY && right == ILC__K_ARRAY) return false;
    if (compares_references(opcode) && is_reference(left) && (right == ILC__K_NONE || is_reference(right))) {
        left = ILC__K_I8;
        if (right != ILC__K_NONE) right = ILC__K_I8;
    }
    if (!is_number(left) || (right != ILC__K_NONE && !is_number(right))) return false;
    if (is_shift(opcode)) {
        if (right == ILC__K_I8) out->widen_right = ILC__ROW_CONV_I4_I8, right = ILC__K_I4;
    } else if (left == ILC__K_I4 && right == ILC__K_I8) {
        out->widen_left = widens_unsigned(opcode, has_ldc) ? ILC__ROW_CONV_U8_I4 : ILC__ROW_CONV_I8_I4;
        left = ILC__K_I8;
    } else if (left == ILC__K_I8 && right == ILC__K_I4) {
        out->widen_right = widens_unsigned(opcode, has_ldc) ? ILC__ROW_CONV_U8_I4 : ILC__ROW_CONV_I8_I4;
        right = ILC__K_I8;
    } else if (left == ILC__K_R4 && right == ILC__K_R8) {
        out->widen_left = ILC__ROW_CONV_R8_R4, left = ILC__K_R8;
    } else if (left == ILC__K_R8 && right == ILC__K_R4) {
        out->widen_right = ILC__ROW_CONV_R8_R4, right = ILC__K_R8;
    }
    out->row = row_of(opcode, left, right);
    out->result = results[out->row];
    return out->row != ILC__ROW_NONE;
}

ilc__il_kind ilc__il_storage_kind(ilc_storage storage)
{
    switch (storage) {
    case ILC_BOOL:
    case ILC_CHAR:
    case ILC_I8:
    case ILC_U8:
    case ILC_I16:
    case ILC_U16:
    case ILC_I32:
    case ILC_U32: return ILC__K_I4;
    case ILC_I64:
    case ILC_U64:
    case ILC_INT:
    case ILC_UINT: return ILC__K_I8;
    case ILC_F32: return ILC__K_R4;
    case ILC_F64: return ILC__K_R8;
    default: return ILC__K_NONE;
    }
}

/* What cuts a number to a storage of less than 32 bits, so that its slot holds what a load would give. */
static ilc__il_row cut_row(ilc_storage to, bool wide)
{
    switch (to) {
    case ILC_BOOL:
    case ILC_U8: return wide ? ILC__ROW_CONV_U1_I8 : ILC__ROW_CONV_U1_I4;
    case ILC_I8: return wide ? ILC__ROW_CONV_I1_I8 : ILC__ROW_CONV_I1_I4;
    case ILC_CHAR:
    case ILC_U16: return wide ? ILC__ROW_CONV_U2_I8 : ILC__ROW_CONV_U2_I4;
    case ILC_I16: return wide ? ILC__ROW_CONV_I2_I8 : ILC__ROW_CONV_I2_I4;
    default: return wide ? ILC__ROW_CONV_I4_I8 : ILC__ROW_NONE;
    }
}

bool ilc__il_coerce(ilc__il_kind from, ilc_storage to, ilc__il_row *row, bool *same)
{
    ilc__il_kind kind = ilc__il_storage_kind(to);
    *row = ILC__ROW_NONE;
    if (kind == ILC__K_I4 && (from == ILC__K_I4 || from == ILC__K_I8)) *row = cut_row(to, from == ILC__K_I8);
    else if (kind == ILC__K_I8 && from == ILC__K_I4) *row = ILC__ROW_CONV_I8_I4;
    else if (kind == ILC__K_R4 && from == ILC__K_R8) *row = ILC__ROW_CONV_R4_R8;
    else if (kind == ILC__K_R8 && from == ILC__K_R4) *row = ILC__ROW_CONV_R8_R4;
    else if (kind != from || kind == ILC__K_NONE) return false;
    *same = *row == ILC__ROW_NONE;
    return true;
}

ilc__il_trap ilc__il_row_run(ilc__il_row row, ilc__il_slot *slots)
{
    ilc__il_trap t = ILC__IL_TRAP_NONE;
    switch (row) {
#define COMPUTE(left, result, expr)                                                                          \
    ILC__CTYPE_##left   a = slots[0].ILC__SLOT_##left;                                                       \
    ILC__CTYPE_##result r = (ILC__CTYPE_##result)(expr);                                                     \
    if (t == ILC__IL_TRAP_NONE) slots[0].ILC__SLOT_##result = r;                                             \
    break;
#define UNARY(id, opcode, kind, result, expr) case ILC__ROW_##id: { COMPUTE(kind, result, expr) }
#define FUNC1(id, kind, result, expr) case ILC__ROW_##id: { COMPUTE(kind, result, expr) }
#define BINARY(id, opcode, left, right, result, expr)                                                        \
    case ILC__ROW_##id: {                                                                                    \
        ILC__CTYPE_##right b = slots[1].ILC__SLOT_##right;                                                   \
        COMPUTE(left, result, expr)                                                                          \
    }
#define FUNC2(id, kind, result, expr) BINARY(id, , kind, kind, result, expr)
#define BRANCH(id, opcode, kind, expr) BINARY(id, , kind, kind, I4, expr)
#define BRANCH1(id, opcode, kind, expr) case ILC__ROW_##id: { COMPUTE(kind, I4, expr) }
#include "interp/il_arith.def"
#undef COMPUTE
    case ILC__ROW_NONE:
    case ILC__ROW_COUNT: break;
    }
    return t;
}

/* Exceptions that instructions raise by themselves; the texts are .NET's. */
static const struct {
    const char *exception, *message;
} traps[ILC__IL_TRAP_COUNT] = {
    [ILC__IL_TRAP_OVERFLOW] = {"System.OverflowException", "Arithmetic operation resulted in an overflow."},
    [ILC__IL_TRAP_DIVIDE] = {"System.DivideByZeroException", "Attempted to divide by zero."},
    [ILC__IL_TRAP_INDEX] = {"System.IndexOutOfRangeException", "Index was outside the bounds of the array."},
    [ILC__IL_TRAP_RANGE] = {"System.ArgumentOutOfRangeException", "Specified argument was out of the range of valid values."},
    [ILC__IL_TRAP_SHORT] = {"System.ArgumentException", "Destination is too short. (Parameter 'destination')"},
    [ILC__IL_TRAP_DIMENSION] = {"System.IndexOutOfRangeException", "Array does not have that many dimensions."},
    [ILC__IL_TRAP_NULL] = {"System.NullReferenceException",
                           "Object reference not set to an instance of an object."},
    [ILC__IL_TRAP_ABS] = {"System.OverflowException",
                          "Negating the minimum value of a twos complement number is invalid."},
    [ILC__IL_TRAP_NAN] = {"System.ArithmeticException",
                          "Function does not accept floating point Not-a-Number values."},
    [ILC__IL_TRAP_STACK] = {"System.InsufficientExecutionStackException",
                            "Insufficient stack to continue executing the program safely. This can happen from "
                            "having too many functions on the call stack or function on the stack using too "
                            "much stack space."},
    [ILC__IL_TRAP_CHAR] = {"System.ArgumentException", "Argument 'CharCode' must be within the range of -32768 to "
                                                       "65535. (Parameter 'CharCode')"},
};

void ilc__il_trap_text(ilc__il_trap trap, const char **exception, const char **message)
{
    *exception = traps[trap].exception;
    *message = traps[trap].message;
}
