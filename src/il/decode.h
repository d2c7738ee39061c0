/* decode.h - one instruction from its bytes. Private to il. */
#ifndef ILC_IL_DECODE_H
#define ILC_IL_DECODE_H

#include "base/reader.h"
#include "il/il.h"

typedef enum ilc__decode_fault {
    ILC__DECODE_OK,
    ILC__DECODE_CUT,     /* the code ends inside the instruction */
    ILC__DECODE_UNKNOWN, /* there is no such opcode              */
    ILC__DECODE_TARGETS  /* a switch has more targets than code  */
} ilc__decode_fault;

/* Reads the instruction at code->at; base is the first byte of the code. Branch targets are made absolute but
 * not checked. */
ilc__decode_fault ilc__insn_decode(ilc__arena *arena, ilc__reader *code, const uint8_t *base, ilc__insn *out);

/* Whether the operand is the number of an argument or of a local. */
typedef enum ilc__variable { ILC__VARIABLE_NONE, ILC__VARIABLE_ARG, ILC__VARIABLE_LOCAL } ilc__variable;
ilc__variable ilc__opcode_variable(ilc__opcode op);

#endif
