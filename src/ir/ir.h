/* ir.h - typed SSA over a control-flow graph.
 *
 * A function is an array of values; a value is an index. A block lists its values in program order: phis,
 * then the rest, then one terminator. Operations that may trap, loads, stores and calls keep their order in
 * the list: that is the effect chain (docs/semantics.md, Traps). A pass may remove such a value only when it
 * is proved not to trap, and never moves it across another.
 *
 * Every value may belong to a source variable (var). Versions of one variable never live at the same time
 * (conventional SSA; the verifier checks it), so leaving SSA is: one variable for all its versions. A `stloc`
 * or `starg` is a COPY with that variable; where an older version is still on the evaluation stack, the lifter
 * first copies that into a temporary variable. Stack values that cross a block edge live in temporary
 * variables, too. Phis join versions of one variable only. */
#ifndef ILC_IR_IR_H
#define ILC_IR_IR_H

#include "il/il.h"
#include "il/statics.h"
#include "lib/lib.h"

typedef enum ilc__ir_type {
    ILC__IR_VOID, ILC__IR_I32, ILC__IR_I64, ILC__IR_F32, ILC__IR_F64,
    ILC__IR_REF, /* an array object                                      */
    ILC__IR_EXC, /* an exception object: made by NEWEXC, used by THROW only */
    ILC__IR_ADDR /* a by-ref or an unmanaged pointer (docs/memory.md)       */
} ilc__ir_type;

typedef enum ilc__op {
    ILC__OP_NONE,
#define OP(id, text, result, operands, flags, infix, value, traps) ILC__OP_##id,
#include "ir/ops.def"
#undef OP
    ILC__OP_LAST_COMPUTE, /* below: operations that are not a function of their operands' values */
#define SPECIAL(id, text, result, operands, effects) ILC__OP_##id,
#include "ir/special.def"
#undef SPECIAL
    ILC__OP_COUNT
} ilc__op;

#define ILC__NO_BLOCK UINT32_MAX
enum { ILC__ANALYSIS_CFG = 1 };

typedef uint32_t ilc__ref; /* a value: index into func->values; 0 is none */

typedef struct ilc__ir_func  ilc__ir_func;
typedef struct ilc__ir_block ilc__ir_block;

/* An exception that code throws: what `newobj` of an exception class means. Strings that are not the same each time
 * (open) are operands of NEWEXC, in their order: numbers in func->strings; the message is then NULL. */
enum { ILC__EXCEPTION_ARGS = 3 };
typedef struct ilc__exception {
    const char *type, *message;
    const char *base;  /* the class whose constructor gets the arguments, where that is another (lib.h) */
    const char *kinds; /* of the constructor's arguments: lib.h. NULL: the message is all that is known */
    const char *strings[ILC__EXCEPTION_ARGS]; /* the string arguments in their order */
    bool        open[ILC__EXCEPTION_ARGS];
} ilc__exception;

/* The strings of a unit that are not constant where they are thrown; number 0 is the null reference. */
typedef ILC__VEC(const char *) ilc__strings;

typedef struct ilc_struct ilc__layout; /* meta/layout.h */

typedef struct ilc__ir_value { /* every pass goes through all of them: kept small */
    ilc__op      op : 16;
    ilc__ir_type type : 8;
    ilc_storage  storage : 8; /* LOAD, STORE, LEN, NEWARR: the element                            */
    uint32_t     block;
    ilc__ref    *args;        /* PHI: in the order of the block's predecessors                    */
    uint32_t     arg_count;
    uint32_t     var;         /* variable this is a version of; 0 none. PARAM: its variable       */
    uint32_t     il;          /* IL offset                                                        */
    bool         has_il : 1;
    bool         again : 1;   /* CALL of the function itself that is to go round (opt/tail.c)      */
    bool         safe : 1;    /* LOAD, STORE, ELEMADDR, LEN, DIM, divisions: no check of it can fail here; ADD, SUB, MUL: it does not wrap */
    bool         nonzero : 1; /* a division: by what is not zero here                              */
    bool         stacked : 1; /* it lay on the stack before its variable got it (opt/coalesce.c): not in the text */
    uint8_t      nested;      /* LOAD of an array (type REF): how deep that one is nested           */
    union {
        uint64_t              bits;     /* CONST: the value's bits; F32 in the low 32             */
        const ilc__ir_func   *callee;   /* CALL                                                   */
        const ilc__exception *exc;      /* NEWEXC                                                 */
        uint32_t              slot;     /* SLOTADDR, NEWARR: index in func->slots                         */
        uint32_t              field;    /* FIELDADDR: number of the field in layout               */
    } u;
    const ilc__layout *layout; /* ELEMADDR, ADDADDR, DATAADDR, SPANAT, NEWARR, a null address: what is there, NULL for scalars (storage);
                                  FIELDADDR: the struct that the address is of; COPYMEM, ZEROMEM: the struct */
} ilc__ir_value;

struct ilc__ir_block {
    uint32_t id, il;
    ILC__VEC(ilc__ref) list;
    ILC__VEC(uint32_t) preds; /* block ids; a block that branches twice to one target stands twice */
    ILC__VEC(uint32_t) succs; /* JUMP: 1. BRANCH: taken, not taken. SWITCH: cases 0.., then default   */
    /* analyses (cfg.c); valid when func->analyses has ILC__ANALYSIS_CFG; ILC__NO_BLOCK in blocks that the
     * entry does not reach */
    uint32_t idom;        /* the entry's is itself                                                     */
    uint32_t rpo;         /* number in reverse postorder, the entry's is 0                             */
    uint32_t loop_header; /* header of the innermost natural loop it is in (a header: itself); or NO_BLOCK */
    uint32_t loop_depth;  /* 0 outside loops                                                           */
    uint32_t dom_in, dom_out; /* for ilc__ir_dominates                                                 */
};

typedef struct ilc__ir_var {
    const char *name;     /* the source's (PDB) or "V_<slot>", "S_<n>" for stack temporaries           */
    ilc_storage storage;  /* its scalar storage, or its array's element (STRUCT where layout says it) */
    bool        is_array, is_param, is_temp;
    bool        is_span;  /* is_array: a part of an array or of other memory, never null (docs/memory.md, Spans) */
    bool        is_string; /* a string: an Int32, its number in func->strings                      */
    bool        is_addr;  /* a by-ref to storage, or to layout when that is not NULL              */
    uint8_t     rank;     /* of an array: 2 or 3 dimensions; 0: one                               */
    uint8_t     nested;   /* of an array: 1 for Single[][], 2 for Single[][][]; storage is Single  */
    bool        is_pointer; /* is_addr: unmanaged, so it may be null                              */
    const ilc__layout *layout; /* of the struct: an array's element, what a by-ref is to; else (parameters only) a
                                  struct by value, see ilc__ir_slot */
    bool        is_named; /* the name is the source's                                                 */
    uint32_t    slot;     /* parameter or local number                                                */
} ilc__ir_var;

/* A local or parameter that lives in memory: its address is taken, or it is a struct. Slot 0 is unused.
 * A parameter's slot holds the argument at the entry, and no PARAM stands for that parameter: a scalar arrives as
 * its value, a struct as the ADDR of the caller's private copy. All other slots are zero at the entry. */
typedef struct ilc__ir_slot {
    const char        *name;
    ilc_storage        storage; /* when layout is NULL                                            */
    const ilc__layout *layout;
    bool               is_param, is_temp, is_named;
    bool               is_array; /* the memory of an array that NEWARR makes: `count` elements    */
    bool               is_dynamic; /* is_array: of any length, other memory each time, until the call ends; count is 0 */
    uint32_t           count;
    const ilc__static *table;   /* is_array: a static read-only array, filled already; never stored to */
    uint32_t           slot;    /* local number; of a parameter: its variable's index less 1      */
} ilc__ir_slot;

typedef struct ilc__pointee { /* what an address is of */
    ilc_storage        storage;
    const ilc__layout *layout;
} ilc__pointee;

struct ilc__ir_func {
    ilc__context       *ctx;
    ilc__arena         *arena;
    const ilc__method  *method;
    const ilc__method  *place; /* whose offsets its values have: of the framework's code the program's method that calls it; NULL: method */
    const char         *name;       /* method name                                                    */
    ilc_storage         ret;        /* ILC_VOID for a Sub                                             */
    uint32_t            param_count;
    ILC__VEC(ilc__ir_var) vars;     /* 0 unused; 1..param_count parameters; then locals; then temps   */
    ILC__VEC(ilc__ir_value) values; /* 0 unused                                                       */
    ILC__VEC(ilc__ir_block) blocks; /* 0 is the entry and has no predecessors                         */
    ILC__VEC(ilc__ir_slot) slots;   /* 0 unused                                                       */
    ilc__strings       *strings;    /* the unit's; may be NULL where there are none                   */
    const ilc__layout  *ret_layout; /* a struct result: through the last parameter, an ADDR; ret is VOID */
    const ilc__pointee *ret_to;     /* a by-ref result: of what; ret is UIntPtr; NULL else            */
    const ilc__ir_var  *ret_array;  /* an array result: of what (storage, layout, rank, nested); ret is UIntPtr; NULL else */
    bool                ret_null;   /* that may be null (nonnull.c)                                   */
    bool                may_trap;   /* its own operations or a callee's; always when in a cycle       */
    uint32_t            cycle;      /* functions of one number call each other in a cycle; 0: in none */
    uint32_t            loop_depth; /* of ilc__ir_loop_depth                                          */
    uint32_t            analyses;   /* bit set of valid analyses: ILC__ANALYSIS_*                     */
    /* analyses */
    ILC__VEC(uint32_t)  order;      /* reachable blocks in reverse postorder                          */
    bool                irreducible; /* some cycle has two entries                                    */
};

/* A root method and every function it calls, callees before callers, those of a cycle side by side; the root is
 * last. */
typedef struct ilc__ir_unit {
    ILC__VEC(ilc__ir_func *) funcs;
} ilc__ir_unit;

/* --- operations ------------------------------------------------------------------------------------------ */

enum { ILC__OPF_COMMUTES = 1, ILC__OPF_COMPARE = 2, ILC__OPF_TRAPS = 4, ILC__OPF_EFFECT = 8, ILC__OPF_TERMINATOR = 16, ILC__OPF_TRUTH = 32 };

typedef struct ilc__op_trap {
    const char      *condition; /* C text over a and b                        */
    ilc__exception_id exception;
} ilc__op_trap;

typedef struct ilc__op_info {
    const char  *text;     /* "add.i32"                                       */
    ilc__ir_type result;
    const char  *operands; /* "ii"; three at most                             */
    uint32_t     flags;
    const char  *infix;    /* NULL where there is none                        */
    const char  *value;    /* C text over a, b and c; NULL for special ones   */
    uint32_t     trap_count;
    ilc__op_trap traps[2];
} ilc__op_info;

const ilc__op_info *ilc__op_info_of(ilc__op op);
ilc__op             ilc__op_by_text(const char *text); /* ILC__OP_NONE when there is none */
ilc__op             ilc__op_unchecked(ilc__op op);      /* ADD_OVF_I32 -> ADD_I32; ILC__OP_NONE */
bool                ilc__op_wraps(ilc__op op);          /* ADD, SUB, MUL without a check        */
ilc__op             ilc__op_negated(ilc__op compare);  /* LT_F32 -> GE_UN_F32             */
ilc__op             ilc__op_swapped(ilc__op compare);  /* a < b -> b > a                  */
/* Computes a row's value from bits (F32 in the low 32; I32 zero- or sign-extended: upper half ignored and
 * returned sign-extended). Returns false and the exception when it traps. Rows of ops.def only. */
/* It computes with the caller's floating-point environment, which must be the default one. */
bool ilc__op_eval3(ilc__op op, uint64_t a, uint64_t b, uint64_t c, uint64_t *result, ilc__exception_id *exception);
/* Of one operand or two. */
static inline bool ilc__op_eval(ilc__op op, uint64_t a, uint64_t b, uint64_t *result, ilc__exception_id *exception)
{
    return ilc__op_eval3(op, a, b, 0, result, exception);
}
/* The message, with the open strings put in. */
const char *ilc__exception_compose(ilc__arena *arena, const ilc__exception *exception, const char *const *open);
uint32_t    ilc__exception_open(const ilc__exception *exception); /* how many strings are open */
ilc__ir_type ilc__storage_ir_type(ilc_storage storage);
const char  *ilc__ir_type_name(ilc__ir_type type); /* "i32" */

/* --- making, checking, printing -------------------------------------------------------------------------- */

/* Lifts a method and its callees. ILC_UNSUPPORTED names method, opcode or callee, IL offset and line. */
ilc_status ilc__ir_lift(ilc__context *ctx, ilc__arena *arena, const ilc__method *root, ilc__ir_unit *out);

/* An empty function: value 0 and variable 0 are there, no block. */
ilc__ir_func *ilc__ir_func_create(ilc__context *ctx, ilc__arena *arena, const char *name);
uint32_t ilc__ir_add_var(ilc__ir_func *func, ilc__ir_var var);
uint32_t ilc__ir_add_block(ilc__ir_func *func, uint32_t il);
ilc__ref ilc__ir_add(ilc__ir_func *func, ilc__ir_value value);  /* not yet in a block; args are copied */
void     ilc__ir_append(ilc__ir_func *func, uint32_t block, ilc__ref ref); /* at the end of its list     */
/* Makes a value and appends it. The row's result is its type; the type given counts where that is "any". */
ilc__ref ilc__ir_emit(ilc__ir_func *func, uint32_t block, ilc__op op, ilc__ir_type type, uint32_t arg_count,
                      const ilc__ref *args);
ilc__ref ilc__ir_const(ilc__ir_func *func, ilc__ir_type type, uint64_t bits);
void     ilc__ir_connect(ilc__ir_func *func, uint32_t from, uint32_t to); /* adds the edge at both ends   */
/* What array a REF is: its elements' storage, VOID for null, which fits all; rank and nested as in ilc__ir_var. */
typedef struct ilc__array_shape {
    ilc_storage elem;
    uint8_t     rank, nested;
} ilc__array_shape;
ilc__array_shape ilc__ir_array(const ilc__ir_func *func, ilc__ref ref);
/* What the value is a copy of; itself where it is none. (memory.c) */
const ilc__ir_value *ilc__ir_uncopied(const ilc__ir_func *func, ilc__ref ref);
/* Is the REF a span, so that it is never null? (memory.c) */
bool             ilc__ir_is_span(const ilc__ir_func *func, ilc__ref ref);
/* Element, rank and nested of a variable of an array type; false where its elements are no numbers. (lift_array.c) */
bool             ilc__ir_array_type(const ilc__type *type, ilc__ir_var *out);
/* What an ADDR points to: a struct's layout, or NULL and the scalar's storage. (memory.c) */
ilc__pointee ilc__ir_pointee(const ilc__ir_func *func, ilc__ref addr);
ilc__ir_type ilc__ir_ret_type(const ilc__ir_func *func); /* of a call's value */
/* Can the address not be null, as far as its own making says? (nonnull.c) */
bool         ilc__ir_is_nonnull(const ilc__ir_func *func, ilc__ref addr);
/* Drops the tests (NONNULL) of addresses that cannot be null or were tested before. */
bool         ilc__ir_drop_nonnull(ilc__ir_func *func);
/* Marks the by-ref parameters (is_pointer) that some call gives an address that may be null; then drops tests. */
void         ilc__ir_settle_nulls(ilc__ir_func *const *funcs, uint32_t count);
/* tables.c: a store that may reach a static read-only array: refused. */
ilc_status   ilc__ir_check_tables(ilc__context *ctx, ilc__ir_func *const *funcs, uint32_t count);
/* The IR type of a variable's values, or of a parameter's argument. */
ilc__ir_type ilc__ir_var_type(const ilc__ir_var *var);
uint32_t     ilc__ir_add_slot(ilc__ir_func *func, ilc__ir_slot slot);
/* The slot that a parameter (its variable's index) lives in; 0 when it is no slot. */
uint32_t     ilc__ir_param_slot(const ilc__ir_func *func, uint32_t var);
/* The terminator of a block; 0 while it has none. */
ilc__ref ilc__ir_terminator(const ilc__ir_func *func, uint32_t block);
/* Can this value raise an exception here (a division by a constant cannot)? */
bool     ilc__ir_value_traps(const ilc__ir_func *func, ilc__ref ref);
/* func->may_trap from its values and callees. */
void     ilc__ir_compute_traps(ilc__ir_func *func);
/* Reverse postorder, dominators, loops. The preds are built when they do not match the succs: then in the
 * order of block ids; otherwise they keep their order, which is that of the phis' arguments. */
void     ilc__ir_compute_cfg(ilc__ir_func *func);
/* Loops in loops of the root, those of callees counted where they are called; of a cycle each function by itself. */
uint32_t ilc__ir_loop_depth(const ilc__ir_unit *unit);
bool     ilc__ir_dominates(const ilc__ir_func *func, uint32_t a, uint32_t b); /* reflexive, O(1) */

/* ILC_INTERNAL with the broken rule and the printed function when the IR is not as ir.h says. */
ilc_status ilc__ir_verify(ilc__ir_func *func);
/* Are the versions of this one variable never live together? */
bool       ilc__ir_versions_apart(ilc__ir_func *func, uint32_t var);
/* The same for classes of variables, classes[var], by the values that count: meet[class] becomes true. */
void       ilc__ir_find_meeting(const ilc__ir_func *func, ilc__arena *arena, const uint32_t *classes, const bool *counted, bool *meet);
void       ilc__ir_print(const ilc__ir_func *func, ilc__text *out);
/* The same with lines of the source as comments. */
void       ilc__ir_print_sourced(const ilc__ir_func *func, ilc__text *out);
/* The same with values under the numbers that they keep from pass to pass. */
void       ilc__ir_print_stable(const ilc__ir_func *func, ilc__text *out);
/* Reads what ilc__ir_print wrote. ILC_FORMAT with line and column. */
ilc_status ilc__ir_parse(ilc__context *ctx, ilc__arena *arena, const char *text, ilc__ir_func **out);

#endif
