/* ast.h - the method as a syntax tree: what people read, what the tree interpreter runs, what is emitted.
 *
 * Expressions are evaluated as they nest, operands left to right, before their operator; && || and ?: evaluate
 * only the arm taken. Operations are the rows of ir/ops.def. A tree has no phi. A goto leads to a label of a list around
 * it, or to the start of a case of the switch around it; where there is one, has_goto says so. */
#ifndef ILC_AST_AST_H
#define ILC_AST_AST_H

#include "ir/ir.h"
#include "meta/line_map.h"

/* Trees are walked by recursion, and compilers take no text that nests without bound: ilc__ast_build nests no deeper.
 * Deeper values go through temporaries; of deeper statements the outer ones are jumps. */
enum { ILC__AST_MAX_EXPR_DEPTH = 64, ILC__AST_MAX_STMT_DEPTH = 64 };
/* A longer range of a SWITCH has no labels in C: it is tested, in a switch of few cases. */
enum { ILC__AST_LONG_RANGE = 16, ILC__AST_MAX_TESTED_CASES = 48 };

typedef struct ilc__expr ilc__expr;
typedef struct ilc__stmt ilc__stmt;
typedef struct ilc__func ilc__func;

typedef struct ilc__var {
    const char *name;      /* source name, unique in its function ignoring case; no prefix            */
    ilc_storage storage;   /* scalar, or the element of the array                                     */
    bool        is_array, is_param;
    bool        is_span;     /* is_array: never null                                              */
    bool        is_named;  /* the name is that of a variable of the source                        */
    bool        is_temp;   /* no local of the method: made by the lifter or on leaving SSA            */
    bool        is_string; /* a string: its number in func->strings                                   */
    bool        is_addr;   /* a by-ref to storage, or to layout when that is not NULL                 */
    bool        is_pointer; /* is_addr: unmanaged, may be null                                        */
    bool        is_slot;   /* lives in memory: reached by SLOTADDR only; a parameter among them is a
                              scalar whose address is taken, or a struct that the caller made a copy of */
    uint8_t     rank, nested; /* of an array, as in ilc__ir_var                                       */
    bool        is_own;    /* an array variable that only holds arrays the function made (own.c)      */
    uint32_t    count;     /* is_slot and is_array: elements of the array that NEWARR makes           */
    bool        is_dynamic; /* that array has memory of its own, of any length                        */
    const ilc__static *table; /* that array is a static read-only one                                 */
    int64_t     own_length; /* is_own: the length of all of them; -1 not known                         */
    const ilc__layout *layout;
    uint32_t    index;     /* in func->vars; parameters come first                                    */
    uint32_t    assignments; /* how many statements (For counts as two) write it; parameters start at 1 */
    bool        needs_zero;  /* may be read before it is written: declared with its zero               */
} ilc__var;

typedef enum ilc__expr_kind {
    ILC__EX_CONST,  /* bits, of type                                                                  */
    ILC__EX_VAR,    /* var                                                                            */
    ILC__EX_OP,     /* op over args (1 to 3)                                                          */
    ILC__EX_LOAD,   /* args: array, index; storage; of type REF from a jagged array, then nested      */
    ILC__EX_LEN,    /* args: array                                                                    */
    ILC__EX_DIM,    /* args: array, dimension                                                         */
    ILC__EX_SUBSCRIPTS, /* args: 2 or 3: the index of a LOAD, ELEMADDR or STORE in an array of that rank.
                       They are evaluated in order; what holds this node makes the checks, in order   */
    ILC__EX_ISNULL, /* args: array                                                                    */
    ILC__EX_SAMEREF,
    ILC__EX_SPANOF,    /* args: array: all of it, nothing of null; storage, or layout: the element        */
    ILC__EX_SPAN,      /* args: span, start, length                                                   */
    ILC__EX_SPANAT,    /* args: address, length                                                       */
    ILC__EX_DATAADDR,  /* args: array: the address of its first element; null where there is none       */
    ILC__EX_SLOTADDR,  /* address of var                                                              */
    ILC__EX_ELEMADDR,  /* args: array, index; storage, or layout: address of the element              */
    ILC__EX_FIELDADDR, /* args: address of a layout; field: address of the field                      */
    ILC__EX_ADDADDR,   /* args: address, bytes: address of storage or layout                          */
    ILC__EX_ADDRINT,   /* args: address: its number, for compares and differences                     */
    ILC__EX_NONNULL,   /* args: address: raises when it is null; no value                             */
    ILC__EX_LOADIND,   /* args: address; storage                                                      */
    ILC__EX_NEWARR, /* args: length: the array in slot var, zeroed anew; dynamic: in memory of its own */
    ILC__EX_CALL,   /* callee over args                                                               */
    ILC__EX_AND,    /* args: short-circuit, each 0 or not; result 0 or 1                              */
    ILC__EX_OR,
    ILC__EX_NOT,    /* args: 1 for 0, else 0                                                          */
    ILC__EX_SELECT  /* args: condition, then, else                                                    */
} ilc__expr_kind;

struct ilc__expr { /* as many as a tree has leaves and more: kept small, as statements are */
    ilc__expr_kind kind : 8;
    ilc__ir_type   type : 8;
    ilc__op        op : 16;
    ilc_storage    storage : 8;
    bool           has_il : 1;
    bool           proved : 1;     /* opt proved that no check of LOAD, LEN, DIM, ELEMADDR, a division can fail, that a sum does not wrap */
    bool           nonzero : 1;    /* a division: opt proved that it is not by zero                   */
    bool           has_effect : 1; /* ilc__ast_build: it or an operand may trap, loads, or calls      */
    bool           covered;        /* set by emit: its check is proved by the launch guard            */
    uint8_t        nested;         /* LOAD of an array: how deep that one is nested                   */
    uint32_t       il;             /* IL offset of the instruction it came from                       */
    uint32_t       depth;      /* ilc__ast_build: 1 for a leaf; at most ILC__AST_MAX_EXPR_DEPTH       */
    uint32_t       arg_count;
    ilc__expr    **args;
    union {
        uint64_t         bits;
        const ilc__var  *var;
        const ilc__func *callee;
        uint32_t         field;  /* FIELDADDR                                                     */
    } u;
    const ilc__layout *layout; /* ELEMADDR, ADDADDR, null of structs: what is there; FIELDADDR: the struct */
};

typedef enum ilc__stmt_kind {
    ILC__ST_ASSIGN,   /* var = a                                                                      */
    ILC__ST_STORE,    /* a[b] = c (array, index, value evaluated in that order), storage              */
    ILC__ST_STOREIND, /* *a = b, storage                                                              */
    ILC__ST_COPYMEM,  /* *a = *b, layout                                                              */
    ILC__ST_ZEROMEM,  /* *a = zero, layout                                                            */
    ILC__ST_COPYBYTES, /* c bytes at a = those at b                                                   */
    ILC__ST_FILLBYTES, /* c bytes at a = the low byte of b                                            */
    ILC__ST_EVAL,     /* a, for its traps                                                             */
    ILC__ST_IF,       /* if (a) body else other                                                       */
    ILC__ST_LOOP,     /* for (;;) body                                                                */
    ILC__ST_WHILE,    /* while (a) body                                                               */
    ILC__ST_DO,       /* do body while (a); continue goes to the test                                 */
    ILC__ST_FOR,      /* for (var = a; var <compare> b; var = var + c by op) body: b and c evaluated anew
                         each turn; continue goes to the step; after the loop var holds the failing
                         value. `ends` says more of the test                                          */
    ILC__ST_SWITCH,   /* switch (a): cases[k] when a is in one of its ranges; other is the default     */
    ILC__ST_BREAK,    /* out of loop `target` (may be an outer one)                                   */
    ILC__ST_CONTINUE, /* next turn of loop `target`                                                   */
    ILC__ST_RETURN,   /* a, or NULL in a Sub                                                          */
    ILC__ST_THROW,    /* exc; a, b: its open strings, or NULL                                         */
    ILC__ST_LABEL, ILC__ST_GOTO /* label                                                              */
} ilc__stmt_kind;

typedef enum ilc__for_end {
    ILC__FOR_BY_COMPARE,
    ILC__FOR_BY_SIGN, /* VB, a step that is no constant: c is evaluated before b; where it is negative the test
                         is >= instead of <=                                                          */
    ILC__FOR_AT_LIMIT /* F#: c is 1 or -1, and the turn in which var is b is the last one, even where the step
                         wraps                                                                        */
} ilc__for_end;

typedef struct ilc__block { /* a statement list, linked by next */
    ilc__stmt *first, *last;
} ilc__block;

typedef struct ilc__interval { /* both ends are in it */
    int64_t first, last;
} ilc__interval;

/* Ranges as the signed numbers of the switch's type, I32 or I64; no value is in two. */
typedef struct ilc__case {
    uint32_t             count;
    const ilc__interval *ranges;
    ilc__block           body; /* falls out of the switch at its end */
    uint32_t             il;   /* where the test of it stands in the IL  */
    bool                 has_il;
} ilc__case;

struct ilc__stmt {
    ilc__stmt_kind        kind : 8;
    ilc__for_end          ends : 8;       /* FOR                                                      */
    ilc_storage           storage : 8;
    bool                  has_il : 1;
    bool                  proved : 1;     /* opt proved that no check of STORE can fail, that the step of FOR does not wrap */
    bool                  stacked : 1;    /* ASSIGN: of a value that lay on the stack: part of one expression of the source */
    bool                  is_entered : 1; /* cut.c: the first of a list that is jumped into           */
    ilc__op               compare : 16, step : 16; /* FOR: LE_I32 and so on; ADD_OVF_I32, ADD_I32, ... */
    uint32_t              il, line;       /* line 0: unknown                                          */
    uint32_t              test_il, step_il; /* FOR: IL offsets of its test and of the step operation  */
    uint32_t              height;         /* cut.c: how many lists nest in it                         */
    uint32_t              label;          /* LABEL, GOTO                                              */
    uint32_t              case_count;
    bool                  covered;        /* set by emit: the check of STORE, or of FOR's step, is proved by the
                                             launch guard                                             */
    ilc__stmt            *next;
    ilc__var             *var;
    ilc__expr            *a, *b, *c;
    ilc__block            body, other;
    ilc__case            *cases;
    ilc__stmt            *target;         /* BREAK, CONTINUE                                          */
    const ilc__exception *exc;
    const ilc__layout    *layout;         /* COPYMEM, ZEROMEM                                         */
};

struct ilc__func {
    const ilc__method *method;   /* NULL for a tree made by a test                                    */
    const ilc__method *place;    /* as in ilc__ir_func, never NULL where method is not                */
    const char        *name;     /* "RowSum"                                                          */
    ilc_storage        ret;
    const ilc__layout *ret_layout; /* a struct result: through the last parameter, a by-ref; ret is VOID */
    const ilc__pointee *ret_to;    /* a by-ref result: of what; ret is UIntPtr                         */
    const ilc__ir_var  *ret_array; /* an array result: of what; ret is UIntPtr                         */
    bool               gives_own;  /* what it returns is an array that it, or what it called, made     */
    bool               has_goto;
    const ilc__strings *strings;   /* the unit's, or NULL                                             */
    const ilc__func   *view_of;    /* the function of a unit that this one shows in another way; or NULL */
    uint32_t           cycle;      /* functions of one number call each other in a cycle; 0: in none  */
    uint32_t           param_count;
    ILC__VEC(ilc__var *) vars;
    ilc__block         body;
};

/* Without the place of a struct result. */
static inline uint32_t ilc__arg_count(const ilc__func *func)
{
    return func->param_count - (func->ret_layout ? 1 : 0);
}

/* Is the variable the place of a struct result? */
static inline bool ilc__is_result(const ilc__func *func, const ilc__var *var)
{
    return func->ret_layout && var->index + 1 == func->param_count;
}

/* A root method and the functions that it calls, callees first, those of a cycle side by side, the root last. */
typedef struct ilc__unit {
    ILC__VEC(ilc__func *) funcs;
} ilc__unit;

/* Structures a lifted and simplified unit. Never fails on verified IR but for limits (ILC_UNSUPPORTED). */
ilc_status ilc__ast_build(ilc__context *ctx, ilc__arena *arena, ilc__ir_unit *ir, ilc__unit *out);
/* Mode fma: products and the sums that they go into become FMA and ADDMUL, in place (contract.c). */
void ilc__ast_contract(ilc__arena *arena, const ilc__unit *unit);
/* The same tree in another arena, with all that it refers to but metadata and layouts, which are the set's. */
void ilc__ast_copy(ilc__arena *arena, ilc__arena *scratch, const ilc__unit *from, ilc__unit *out);
/* One function, for another view of it: its calls go where those of the original go. */
ilc__func *ilc__ast_copy_func(ilc__arena *arena, const ilc__func *from);

static inline bool ilc__stmt_is_loop(const ilc__stmt *s)
{
    return s->kind == ILC__ST_FOR || s->kind == ILC__ST_WHILE || s->kind == ILC__ST_DO || s->kind == ILC__ST_LOOP;
}

/* Does the function make the array itself, or get one that nobody else has? Not asked of spans. (own.c) */
bool ilc__is_own_array(const ilc__expr *array);
bool ilc__expr_loads(const ilc__expr *e); /* LOAD, LOADIND or CALL in it */
bool ilc__expr_is_bool(const ilc__expr *e); /* always 0 or 1, and meant so */
bool ilc__expr_is_truth(const ilc__expr *e); /* 0 or 1 whatever a Boolean in memory may hold */
/* A constant; an operation of one operand (b: NULL) or two; a choice; the value of a scalar variable. */
ilc__expr *ilc__expr_const(ilc__arena *arena, ilc__ir_type type, uint64_t bits);
ilc__expr *ilc__expr_op(ilc__arena *arena, ilc__op op, ilc__expr *a, ilc__expr *b);
ilc__expr *ilc__expr_select(ilc__arena *arena, ilc__expr *test, ilc__expr *yes, ilc__expr *no);
ilc__expr *ilc__expr_of(ilc__arena *arena, ilc__var *var);
bool ilc__expr_reads(const ilc__expr *e, const ilc__var *var);
/* Written alike, of constants, variables, lengths and operations alone. */
bool ilc__expr_same(const ilc__expr *x, const ilc__expr *y);
bool ilc__expr_is_const(const ilc__expr *e, uint64_t bits);
bool ilc__expr_steps_past(const ilc__expr *e); /* never the least or most of its type: a step past it does not wrap */
/* The index that the bytes of an ADDADDR are, times the size; NULL where they are not written so. */
const ilc__expr *ilc__bytes_index(const ilc__expr *bytes, uint32_t size);

/* Adds to the line where the statement, up to its blocks, comes from. */
void ilc__stmt_lines(ilc__line_map *map, uint32_t line, const ilc__func *func, const ilc__stmt *stmt);

#endif
