/* il.h - the instruction set and method bodies (ECMA-335 III, II.25.4). No meaning lives here. */
#ifndef ILC_IL_IL_H
#define ILC_IL_IL_H

#include "meta/meta.h"

/* ILC__IL_ADD_OVF_UN and so on, from opcodes.def: OPCODE(ID, "name", code, operand, pop, push, flow) */
typedef enum ilc__opcode {
#define OPCODE(id, name, code, operand, pop, push, flow) ILC__IL_##id,
#include "il/opcodes.def"
#undef OPCODE
    ILC__IL_COUNT
} ilc__opcode;

/* Kinds of operand (III.1.9, opcode.def's third column elsewhere). */
typedef enum ilc__operand {
    ILC__OPERAND_NONE, ILC__OPERAND_I1, ILC__OPERAND_U1, ILC__OPERAND_I4, ILC__OPERAND_I8, ILC__OPERAND_R4,
    ILC__OPERAND_R8, ILC__OPERAND_VAR1, ILC__OPERAND_VAR2, ILC__OPERAND_BR1, ILC__OPERAND_BR4,
    ILC__OPERAND_SWITCH, ILC__OPERAND_METHOD, ILC__OPERAND_FIELD, ILC__OPERAND_TYPE, ILC__OPERAND_STRING,
    ILC__OPERAND_SIG, ILC__OPERAND_TOKEN
} ilc__operand;

typedef enum ilc__flow {
    ILC__FLOW_NEXT, ILC__FLOW_BRANCH, ILC__FLOW_COND, ILC__FLOW_SWITCH, ILC__FLOW_RETURN, ILC__FLOW_THROW,
    ILC__FLOW_CALL, ILC__FLOW_META /* prefixes */
} ilc__flow;

const char  *ilc__opcode_name(ilc__opcode op);
ilc__operand ilc__opcode_operand(ilc__opcode op);
ilc__flow    ilc__opcode_flow(ilc__opcode op);
/* How many values it takes from the stack and leaves there; -1: that depends on the operand or the method. */
int          ilc__opcode_pops(ilc__opcode op);
int          ilc__opcode_pushes(ilc__opcode op);

/* One decoded instruction. Short forms keep their own opcode; the macro forms' operand (ldarg.0, ldc.i4.m1,
 * ldloc.s...) is also in u.i, so that a reader need not tell the forms apart. */
typedef struct ilc__insn {
    uint32_t    offset, next; /* IL offsets of this and of the following instruction */
    ilc__opcode op;
    union {
        int64_t  i;      /* integer constants, argument and local numbers       */
        float    r4;     /* exact bits of the operand                           */
        double   r8;
        uint32_t token;
        struct {
            uint32_t           token;
            const ilc__method *form; /* of calls: what is called instead, as a form, or NULL */
        } call;
        struct {
            uint32_t         token;
            const ilc__type *type; /* where no token names it (fold.c), or NULL */
            const char      *text; /* ldstr's, likewise                         */
        } named;
        struct {
            uint32_t        count;   /* SWITCH: absolute IL offsets             */
            const uint32_t *targets; /* BR*: count 1                            */
        } branch;
    } u;
} ilc__insn;

typedef struct ilc__clause {
    uint32_t kind; /* 0 catch, 1 filter, 2 finally, 4 fault */
    uint32_t try_start, try_end, handler_start, handler_end, filter_start;
    uint32_t class_token;
} ilc__clause;

typedef struct ilc__body {
    const ilc__method      *method;
    uint32_t                max_stack, code_size;
    bool                    init_locals;
    uint32_t                local_count;
    const ilc__type *const *locals;
    const bool             *pinned;
    uint32_t                insn_count;
    const ilc__insn        *insns; /* in order of offset; every branch target is the offset of one of them */
    const uint32_t         *index; /* index[il offset] = instruction number, or UINT32_MAX; code_size entries */
    uint32_t                clause_count;
    const ilc__clause      *clauses;
} ilc__body;

/* Decodes a whole body into the arena; of a form (il/instance.h) that of its method, changed. ILC_FORMAT: broken bytes; ILC_UNSUPPORTED: no IL (abstract, extern). */
ilc_status ilc__body_decode(ilc__context *ctx, ilc__arena *arena, const ilc__method *method, ilc__body *out);

/* Decides in the body what the types of its method decide, now that they are known: typeof, boxes that only ask, vector
 * instructions that are not supported, and the branches on them; and has calls without IL of meaning as what they are. */
ilc_status ilc__body_fold(ilc__context *ctx, ilc__arena *arena, ilc__body *body);

/* Has the runtime another meaning for the method than its IL says? Methods of the framework marked [Intrinsic] that only
 * call themselves or throw. */
bool ilc__method_is_runtimes(ilc__context *ctx, ilc__arena *arena, const ilc__method *method);

/* The type, and the string, that an instruction of the body names. */
ilc_status ilc__body_type(const ilc__body *body, const ilc__insn *insn, const ilc__type **out);
ilc_status ilc__body_string(const ilc__body *body, const ilc__insn *insn, const char **out);

/* Has the body a `newarr`? */
bool ilc__body_makes_arrays(const ilc__body *body);
/* Does nothing stand from that instruction on but the return of what lies on the stack, by way of locals and jumps as
 * Debug builds have them? */
bool ilc__body_only_returns(const ilc__body *body, uint32_t number);

/* What a call instruction of the body calls, as ilc__resolve_callee; behind `constrained.` by a value type its own
 * method, where it has one. */
ilc_status ilc__body_callee(const ilc__body *body, const ilc__insn *insn, ilc__callee *out);

/* One instruction with its operand in words: "ldloc.0 sum", "ldfld Double Vec2.X", "br.s IL_0014". */
void ilc__insn_print(ilc__context *ctx, ilc__arena *arena, const ilc__body *body, const ilc__insn *insn, ilc__text *out);
/* The disassembly with resolved names, labels, locals and (where known) source lines: `show --as il`. */
ilc_status ilc__body_print(ilc__context *ctx, ilc__arena *arena, const ilc__body *body, ilc__text *out);

#endif
