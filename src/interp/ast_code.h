/* ast_code.h - the flat form of a tree that ast_eval.c runs: registers instead of nesting, jumps instead of
 * structure. One instruction for each node that computes; order is the tree's. Private to ast_*.c. */
#ifndef ILC_INTERP_AST_CODE_H
#define ILC_INTERP_AST_CODE_H

#include "interp/interp.h"

typedef enum ilc__ast_do {
    ILC__AST_OP,      /* to = op(a, b)                                        */
    ILC__AST_MOVE,    /* to = a                                               */
    ILC__AST_NOT,     /* to = a is 0                                          */
    ILC__AST_LOAD,    /* to = a[b]                                            */
    ILC__AST_STORE,   /* a[b] = to                                            */
    ILC__AST_LEN,     /* to = length of a                                     */
    ILC__AST_ISNULL,  /* to = a is null                                       */
    ILC__AST_SAMEREF, /* to = a is b                                          */
    ILC__AST_CALL,    /* to = function a with args[b ..]                      */
    ILC__AST_JUMP,    /* to instruction a                                     */
    ILC__AST_JUMP_IF, /* to instruction b when a is not 0                     */
    ILC__AST_JUMP_NOT,
    ILC__AST_SWITCH,  /* to case a - low of the table, or the default         */
    ILC__AST_RETURN,  /* a                                                    */
    ILC__AST_LEAVE,   /* without a value                                      */
    ILC__AST_THROW
} ilc__ast_do;

typedef struct ilc__ast_insn {
    uint8_t     what;
    bool        has_il, wide_index; /* LOAD, STORE: the index is an i64 */
    ilc_storage storage;
    ilc__op     op;
    uint32_t    to, a, b, il;
} ilc__ast_insn;

typedef struct ilc__ast_case {
    int32_t  value;
    uint32_t label;
} ilc__ast_case;

typedef struct ilc__ast_table { /* of a SWITCH: sorted by value */
    uint32_t       count, otherwise;
    ilc__ast_case *cases;
} ilc__ast_table;

typedef struct ilc__ast_code {
    const ilc__func *func;
    ILC__VEC(ilc__ast_insn) insns;
    ILC__VEC(uint32_t) args;       /* registers of calls' arguments        */
    ILC__VEC(ilc__ast_table) tables;
    ILC__VEC(const ilc__exception *) thrown;
    uint64_t *consts;              /* copied behind the variables at entry */
    uint32_t  var_count, const_count, frame; /* registers */
    uint64_t  need;                /* registers of it and its deepest callees */
    uint32_t  call_depth;
} ilc__ast_code;

struct ilc__ast_machine {
    ilc__context  *ctx;
    ilc__arena    *arena;
    uint32_t       count;
    ilc__ast_code *codes; /* as the unit's functions */
    uint64_t      *registers;
    struct ilc__ast_frame *frames;
};

ilc_status ilc__ast_compile(ilc__ast_machine *machine, const ilc__unit *unit, uint32_t index);

#endif
