/* decode.c - the table of instructions, and one instruction from its bytes (ECMA-335 III). */
#include "il/decode.h"

static const struct {
    const char  *name;
    uint16_t     code;
    ilc__operand operand;
    int8_t       pops, pushes;
    ilc__flow    flow;
} opcodes[] = {
#define OPCODE(id, name, code, operand, pop, push, flow)                                                     \
    {name, code, ILC__OPERAND_##operand, pop, push, ILC__FLOW_##flow},
#include "il/opcodes.def"
#undef OPCODE
};

enum { PREFIX = 0xFE };

const char *ilc__opcode_name(ilc__opcode op)
{
    return (unsigned)op < ILC__IL_COUNT ? opcodes[op].name : "?";
}

ilc__operand ilc__opcode_operand(ilc__opcode op)
{
    return (unsigned)op < ILC__IL_COUNT ? opcodes[op].operand : ILC__OPERAND_NONE;
}

ilc__flow ilc__opcode_flow(ilc__opcode op)
{
    return (unsigned)op < ILC__IL_COUNT ? opcodes[op].flow : ILC__FLOW_NEXT;
}

int ilc__opcode_pops(ilc__opcode op)
{
    return (unsigned)op < ILC__IL_COUNT ? opcodes[op].pops : -1;
}

int ilc__opcode_pushes(ilc__opcode op)
{
    return (unsigned)op < ILC__IL_COUNT ? opcodes[op].pushes : -1;
}

ilc__variable ilc__opcode_variable(ilc__opcode op)
{
    switch (op) {
    case ILC__IL_LDARG_0:
    case ILC__IL_LDARG_1:
    case ILC__IL_LDARG_2:
    case ILC__IL_LDARG_3:
    case ILC__IL_LDARG_S:
    case ILC__IL_LDARGA_S:
    case ILC__IL_STARG_S:
    case ILC__IL_LDARG:
    case ILC__IL_LDARGA:
    case ILC__IL_STARG: return ILC__VARIABLE_ARG;
    case ILC__IL_LDLOC_0:
    case ILC__IL_LDLOC_1:
    case ILC__IL_LDLOC_2:
    case ILC__IL_LDLOC_3:
    case ILC__IL_STLOC_0:
    case ILC__IL_STLOC_1:
    case ILC__IL_STLOC_2:
    case ILC__IL_STLOC_3:
    case ILC__IL_LDLOC_S:
    case ILC__IL_LDLOCA_S:
    case ILC__IL_STLOC_S:
    case ILC__IL_LDLOC:
    case ILC__IL_LDLOCA:
    case ILC__IL_STLOC: return ILC__VARIABLE_LOCAL;
    default: return ILC__VARIABLE_NONE;
    }
}

/* The rows stand in order of their code. */
static bool find_opcode(unsigned code, ilc__opcode *out)
{
    unsigned low = 0, high = ILC__IL_COUNT;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (opcodes[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    *out = (ilc__opcode)low;
    return low < ILC__IL_COUNT && opcodes[low].code == code;
}

/* What the short forms of III.3 without an operand say by their code: an argument, a local, a constant. */
static int64_t implied(ilc__opcode op)
{
    if (op >= ILC__IL_LDARG_0 && op <= ILC__IL_LDARG_3) return op - ILC__IL_LDARG_0;
    if (op >= ILC__IL_LDLOC_0 && op <= ILC__IL_LDLOC_3) return op - ILC__IL_LDLOC_0;
    if (op >= ILC__IL_STLOC_0 && op <= ILC__IL_STLOC_3) return op - ILC__IL_STLOC_0;
    if (op >= ILC__IL_LDC_I4_M1 && op <= ILC__IL_LDC_I4_8) return (int64_t)op - ILC__IL_LDC_I4_0;
    return 0;
}

static uint32_t operand_size(ilc__operand operand)
{
    switch (operand) {
    case ILC__OPERAND_NONE: return 0;
    case ILC__OPERAND_I1:
    case ILC__OPERAND_U1:
    case ILC__OPERAND_VAR1:
    case ILC__OPERAND_BR1: return 1;
    case ILC__OPERAND_VAR2: return 2;
    case ILC__OPERAND_I8:
    case ILC__OPERAND_R8: return 8;
    default: return 4;
    }
}

static int64_t sign_extend(uint64_t bits, uint32_t size)
{
    uint64_t sign = UINT64_C(1) << (8 * size - 1);
    return (int64_t)((bits ^ sign) - sign);
}

/* III.3.66: count, then offsets from the next instruction. An offset out of range wraps and is refused later.
 */
static ilc__decode_fault read_switch(ilc__arena *arena, ilc__reader *code, uint32_t count, uint32_t at,
                                     ilc__insn *out)
{
    if (count > ilc__left(code) / 4) return ILC__DECODE_TARGETS;
    uint32_t *targets = ILC__NEW_ARRAY(arena, uint32_t, count);
    uint32_t  next = at + 4 * count;
    for (uint32_t i = 0; i < count; i++) {
        ilc__read_u32(code, &targets[i]);
        targets[i] += next;
    }
    out->u.branch.count = count;
    out->u.branch.targets = targets;
    return ILC__DECODE_OK;
}

static void set_branch(ilc__arena *arena, uint32_t target, ilc__insn *out)
{
    out->u.branch.count = 1;
    out->u.branch.targets = ilc__arena_copy(arena, &target, sizeof target);
}

ilc__decode_fault ilc__insn_decode(ilc__arena *arena, ilc__reader *code, const uint8_t *base, ilc__insn *out)
{
    uint8_t  first, second;
    unsigned number;
    uint64_t bits = 0;
    *out = (ilc__insn){.offset = (uint32_t)(code->at - base)};
    if (!ilc__read_u8(code, &first)) return ILC__DECODE_CUT;
    number = first;
    if (first == PREFIX) {
        if (!ilc__read_u8(code, &second)) return ILC__DECODE_CUT;
        number = PREFIX << 8 | second;
    }
    if (!find_opcode(number, &out->op)) return ILC__DECODE_UNKNOWN;
    ilc__operand operand = opcodes[out->op].operand;
    uint32_t     size = operand_size(operand);
    if (!ilc__read_uint(code, size, &bits)) return ILC__DECODE_CUT;
    uint32_t after = (uint32_t)(code->at - base);
    switch (operand) {
    case ILC__OPERAND_NONE: out->u.i = implied(out->op); break;
    case ILC__OPERAND_I1:
    case ILC__OPERAND_I4:
    case ILC__OPERAND_I8: out->u.i = sign_extend(bits, size); break;
    case ILC__OPERAND_U1:
    case ILC__OPERAND_VAR1:
    case ILC__OPERAND_VAR2: out->u.i = (int64_t)bits; break;
    case ILC__OPERAND_R4: memcpy(&out->u.r4, &(uint32_t){(uint32_t)bits}, sizeof out->u.r4); break;
    case ILC__OPERAND_R8: memcpy(&out->u.r8, &bits, sizeof out->u.r8); break;
    case ILC__OPERAND_BR1:
    case ILC__OPERAND_BR4: set_branch(arena, after + (uint32_t)sign_extend(bits, size), out); break;
    case ILC__OPERAND_SWITCH: {
        ilc__decode_fault fault = read_switch(arena, code, (uint32_t)bits, after, out);
        if (fault != ILC__DECODE_OK) return fault;
        break;
    }
    default: out->u.token = (uint32_t)bits; break;
    }
    out->next = (uint32_t)(code->at - base);
    return ILC__DECODE_OK;
}
