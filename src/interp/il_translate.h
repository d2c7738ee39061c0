/* il_translate.h - the state shared by the parts of the translator: the walk over blocks (il_translate.c) and single
 * instructions (il_step.c, il_calls.c). */
#ifndef ILC_INTERP_IL_TRANSLATE_H
#define ILC_INTERP_IL_TRANSLATE_H

#include "interp/il_code.h"

/* What is known of a stack slot before it runs. */
typedef struct ilc__il_cell {
    uint8_t     kind;   /* ilc__il_kind                                     */
    uint8_t     elem;   /* ARRAY: ilc_storage                               */
    bool        known;  /* I4: number; STRING: text                         */
    int32_t     number;
    const char *text;
} ilc__il_cell;

typedef struct ilc__il_entry { /* the stack where an instruction is branched to */
    bool     present, queued;
    uint32_t depth;
    ilc__il_cell *cells;
} ilc__il_entry;

typedef struct ilc__il_translator {
    ilc__il_machine *machine;
    ilc__il_code    *code;
    ilc__arena      *arena;
    const ilc__insn *insn; /* at work   */
    uint32_t         number;
    bool             emitting;
    ilc__il_cell    *cells; /* max_stack */
    uint32_t         depth;
    bool            *leaders, *reached;
    ilc__il_entry   *entries;
    uint64_t         cell_count; /* of all entries */
    ILC__VEC(uint32_t) work;
    uint32_t        *op_at; /* first op of each instruction */
    bool             first; /* the next op is its instruction's first */
    ILC__VEC(uint32_t) patches; /* ops whose target is still an instruction's number */
    ilc__il_op       nowhere;
} ilc__il_translator;

ilc_status ilc__il_step(ilc__il_translator *t);
ilc_status ilc__il_step_call(ilc__il_translator *t);
ilc_status ilc__il_step_instance_call(ilc__il_translator *t);
ilc_status ilc__il_step_new(ilc__il_translator *t);

/* The stack before it runs. `below` counts from the top, which is 0. */
ilc_status    ilc__il_need(ilc__il_translator *t, uint32_t count);
ilc_status    ilc__il_push(ilc__il_translator *t, ilc__il_kind kind);
uint32_t      ilc__il_slot_at(const ilc__il_translator *t, uint32_t below);
ilc__il_cell *ilc__il_cell_at(ilc__il_translator *t, uint32_t below);
/* Pushes a constant. */
ilc_status ilc__il_constant(ilc__il_translator *t, ilc__il_cell value, uint64_t bits);
/* Emits what makes the value in a slot one of a storage, or of an array type. */
ilc_status ilc__il_assign(ilc__il_translator *t, const ilc__il_cell *value, uint32_t slot, const ilc__il_variable *to);
/* ILC_UNSUPPORTED or ILC_FORMAT at the instruction at work. */
ilc_status ilc__il_refuse(ilc__il_translator *t, ilc_status status, const char *format, ...) ILC__PRINTF(3, 4);
/* Adds an operation while emitting; in the first walk an op that is thrown away. */
ilc__il_op *ilc__il_emit(ilc__il_translator *t, uint32_t op, uint32_t d);
/* The stack as it is now reaches an instruction. */
ilc_status ilc__il_reach(ilc__il_translator *t, uint32_t target);
/* A branch operation (a row or DO_JUMP) to an instruction: joins its stack, by way of conversions if need be. */
ilc_status ilc__il_branch(ilc__il_translator *t, uint32_t op, uint32_t d, uint32_t target);
ilc_status ilc__il_branch_table(ilc__il_translator *t, uint32_t d, uint32_t count, const uint32_t *targets);

#endif
