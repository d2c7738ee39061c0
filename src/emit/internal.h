/* internal.h - what the files of the emit layer share. Nothing outside src/emit includes it.
 *
 * A translation unit is: helpers that are used, functions (callees first), the root once per body (guarded,
 * checked), one entry per body. A function's text is made by a printer, whose statements (stmt.c) may need
 * other statements before them: that is how a trapping operation is tested (trap.c). */
#ifndef ILC_EMIT_INTERNAL_H
#define ILC_EMIT_INTERNAL_H

#include "emit/emit.h"

/* Deeper trees are refused: the layer recurses along them. */
enum { ILC__EMIT_MAX_EXPR = 1000, ILC__EMIT_MAX_STMT = 200, ILC__EMIT_MAX_SITES = 65535 };

typedef struct ilc__emitter     ilc__emitter;
typedef struct ilc__printer     ilc__printer;
typedef struct ilc__func_info   ilc__func_info;

/* --- lines.c: where each line of text came from; does nothing where no map is made ---------------------- */

typedef struct ilc__in_expr { /* an expression while it is printed */
    const ilc__expr *expr;    /* it, or the one around it that has an IL offset; NULL: the statement itself */
    uint32_t         depth;   /* 0: the statement */
    uint32_t         first;   /* of printer.offsets that are its own or its operands' */
} ilc__in_expr;
ilc__in_expr ilc__lines_enter(ilc__printer *p, const ilc__expr *expr);
void         ilc__lines_leave(ilc__printer *p, ilc__in_expr around);
/* The line that was just put out, and the end of a statement. */
void         ilc__lines_note(ilc__printer *p, const char *text);
void         ilc__lines_end_stmt(ilc__printer *p, uint32_t first_line);
/* A function's lines: its head is line `head` of em->out, its body begins at line `start`. */
void         ilc__lines_of_func(ilc__printer *p, uint32_t head, uint32_t start);
/* The finished text with directives, the map's lines moved accordingly; own: what the text itself is called. */
const char  *ilc__lines_direct(ilc__emitter *em, const char *text, const char *own);

/* --- names.c: ASCII, never a word of C, C++ or CUDA, unique in their scope ------------------------------ */

typedef struct ilc__names {
    ilc__arena *arena;
    ilc__map    taken;
} ilc__names;

/* The source's name in ASCII letters, digits and '_'; two different names never give the same text for long
 * (ilc__name_unique sees to the rest). */
const char *ilc__name_mangle(ilc__arena *arena, const char *source);
/* wanted, or wanted_2, wanted_3, ...; marks it as taken. */
const char *ilc__name_unique(ilc__names *names, const char *wanted);
/* A local variable's name: mangled, kept off reserved words and our own prefixes, unique. */
const char *ilc__name_local(ilc__names *names, const char *source);

/* --- literal.c ------------------------------------------------------------------------------------------ */

/* A constant that reads back to the same bits. *primary is false when it needs parentheses as an operand. */
const char *ilc__literal(ilc__arena *arena, ilc__ir_type type, uint64_t bits, bool *primary);

/* --- scope.c: where a variable is declared -------------------------------------------------------------- */

typedef enum ilc__place_kind {
    ILC__PLACE_NONE,   /* never mentioned, or a parameter           */
    ILC__PLACE_TOP,    /* at the top of the function                */
    ILC__PLACE_BEFORE, /* before statement `at`                     */
    ILC__PLACE_AT,     /* by `at`, an assignment or a For           */
    ILC__PLACE_FORS    /* by each For that counts with it           */
} ilc__place_kind;
typedef struct ilc__place {
    ilc__place_kind  kind;
    const ilc__stmt *at;
    uint32_t         next; /* BEFORE: another variable of this kind and statement, or 0; see ilc__printer.before */
} ilc__place;
/* One per variable of func->vars. */
ilc__place *ilc__scope_places(ilc__arena *arena, const ilc__func *func);

/* --- walking (scope.c) ---------------------------------------------------------------------------------- */

/* ILC_UNSUPPORTED when the tree is deeper than the layer's bounds. */
ilc_status ilc__tree_check(ilc__context *ctx, const ilc__func *func);
/* Does a BREAK (or CONTINUE) in the block aim at the loop? */
bool ilc__block_jumps_to(const ilc__block *block, const ilc__stmt *loop, ilc__stmt_kind kind);
/* The function's place in unit->funcs, where callees come first; UINT32_MAX where it is none of them. */
uint32_t ilc__func_number(const ilc__unit *unit, const ilc__func *func);
/* Calls visit for each statement in program order, nested ones after their parent. */
void ilc__block_each(const ilc__block *block, void (*visit)(void *user, const ilc__stmt *stmt), void *user);
bool ilc__block_has_loop(const ilc__block *block);
/* Calls visit for each expression node under the statement's own expressions, operands first. */
void ilc__stmt_exprs(const ilc__stmt *stmt, void (*visit)(void *user, const ilc__expr *expr), void *user);

/* --- dialects (c.c, cuda.c) ----------------------------------------------------------------------------- */

typedef struct ilc__dialect_desc {
    const char *function;  /* before the result type of a function: "static inline "                       */
    const char *apart;     /* before that, where the function shall not be inlined (growth.c)              */
    const char *restricted; /* between '*' and the name: " __restrict__ "                                  */
    void (*entry)(ilc__emitter *emitter, const ilc__entry *entry, const ilc__func_info *root);
} ilc__dialect_desc;
extern const ilc__dialect_desc ilc__dialect_c, ilc__dialect_cuda;
/* c.c: the parameters of an entry out of il_args; whole: the first extent, too, which is else a range. */
void ilc__c_unpack(ilc__emitter *em, const ilc__entry *entry, bool whole);

/* --- what callers know of a printed function ------------------------------------------------------------ */

typedef enum ilc__traps_by {
    ILC__TRAPS_RAISE, /* the error slot is written, and the function returns                                */
    ILC__TRAPS_STOP,  /* the function returns: another part of it finds the same exception (tile_cut.c)     */
    ILC__TRAPS_MARK   /* il_failed, and where the wrapped result is a value to go on with, it goes on        */
} ilc__traps_by;

struct ilc__func_info {
    const ilc__func    *func;
    const char         *name;      /* "il_RowSum_scalar"                                                    */
    const char *const  *var_names; /* by variable number                                                    */
    const char *const  *len_names; /* of array variables: [3 * number + dimension]                          */
    bool               *written;   /* by variable number: an array's or by-ref's pointer is not const       */
    bool               *needs_len; /* [3 * number + dimension]: that length goes with it                    */
    bool                traps;     /* takes il_state *il_at                                                 */
    bool                stores;    /* it or a callee may store                                              */
    bool                aliased;   /* arrays also live in locals or are chosen by ?:                        */
    ilc__traps_by       traps_by;
    bool                marks;     /* MARK: something may raise                                             */
    const char         *cell_param, *cell_arg; /* of a part of a tile: what comes before the parameters; NULL   */
    const struct ilc__rows *rows;  /* of a function that the threads of a warp run together (rows.h); NULL      */
    uint64_t            frame, below, stack; /* bytes, at most: its own, of callees out of its cycle, of all */
};

/* --- struct.c: structs as C types ------------------------------------------------------------------------ */

typedef struct ilc__struct_info {
    const ilc__layout  *layout;
    const char         *name;        /* "il_Vec2"                                                           */
    const char *const  *field_names; /* by field number                                                     */
} ilc__struct_info;
/* Prints the types that a unit uses, those inside others first. ILC_UNSUPPORTED when C has no such struct. */
ilc_status              ilc__structs_print(ilc__emitter *em);
uint64_t                ilc__slot_bytes(const ilc__var *var); /* on the stack; 0 for what is no slot */
void                    ilc__tables_print(ilc__emitter *em); /* table.c */
const char             *ilc__static_name(ilc__emitter *em, const ilc__static *table);
const ilc__struct_info *ilc__struct_of(ilc__emitter *em, const ilc__layout *layout);

typedef struct ilc__twin { /* which bodies of a function the text holds */
    bool differs;          /* the guard covers something in it, or in what it calls */
    bool guarded, checked;
} ilc__twin;

struct ilc__emitter {
    ilc__context            *ctx;
    ilc__arena              *arena;
    const ilc__unit         *unit;
    const ilc__func         *root;
    const ilc__kernel_spec  *spec;
    const ilc__emit_options *options;
    const ilc__dialect_desc *dialect;
    ilc__names               names;    /* of file scope                                                     */
    ilc__func_info          *infos;    /* of unit->funcs as printed                                         */
    ilc__func_info          *twins;    /* of unit->funcs: without the checks that the guard covers          */
    struct ilc__twin        *needs;    /* of unit->funcs                                                    */
    ilc__map                 structs;  /* layout -> ilc__struct_info                                        */
    ilc__map                 tables;   /* static array -> its name                                          */
    uint8_t                **aligns;   /* pointer.c: per function of the unit and variable                  */
    bool                   **through;  /* ilc__written_through                                              */
    bool                    *apart;    /* of unit->funcs: growth.c                                          */
    bool                     pure;     /* nothing stores and there is a result: inputs may be restrict      */
    ilc__text                out;      /* functions and entries, without the prelude                        */
    uint32_t                 out_line; /* lines in out                                                      */
    bool                     mapped;   /* make the line map                                                 */
    ilc__line_map            lines;    /* of out                                                            */
    bool                     copies_result; /* an array that may be a table, which no engine reads from: into il_heap   */
    bool                     has_heap; /* some array of the unit has no place in a frame: il_heap            */
    ILC__VEC(ilc__site) sites;
    ilc__map                 site_numbers; /* what a site says -> its number + 1                          */
    ILC__VEC(ilc__note) notes;
};

/* notes.c */
void ilc__note_add(ilc__emitter *em, const char *schedule, bool holds, const ilc__stmt *at, const char *format, ...) ILC__PRINTF(5, 6);

/* --- function.c ----------------------------------------------------------------------------------------- */

/* Adds text to em->out, counting lines. */
void ilc__out_text(ilc__emitter *em, const char *text);
void ilc__out(ilc__emitter *em, const char *format, ...) ILC__PRINTF(2, 3);
/* The C type of a storage ("unsigned char"), "void" for ILC_VOID. */
const char *ilc__c_type(ilc_storage storage);
/* The C type of a value on the stack: "int". */
const char *ilc__c_stack_type(ilc__ir_type type);
/* Fills an info's names, writes and stores from the tree. */
void ilc__func_info_init(ilc__emitter *em, const ilc__func *func, const char *name, ilc__func_info *info);
uint32_t ilc__func_info_marks(const ilc__func_info *info); /* how much of that is true */
/* Prints one function into em->out and completes info (traps, needs_len). guarded: covered checks are out. */
ilc_status ilc__func_print(ilc__emitter *em, ilc__func_info *info, bool guarded);
/* The function may store to an array, through an address. */
void            ilc__mark_written(ilc__func_info *info, const ilc__expr *array);
/* twins.c: of the function that a call in the text at hand goes to; the guarded twin, maybe. NULL: not in the unit. */
const ilc__func_info *ilc__call_info(const ilc__printer *p, const ilc__expr *call);
const ilc__func_info *ilc__callee_info(const ilc__emitter *em, bool guarded, const ilc__expr *call); /* NULL: a call out */
/* Which functions have a guarded twin, and which bodies the text needs. has_guard: its root has a guarded body;
 * checked: and one with every check. */
void ilc__twins_find(ilc__emitter *em, bool has_guard, bool checked);

/* view.c: the function as its guarded body is read, after ilc__guard_mark. */
const ilc__func *ilc__guarded_view(ilc__arena *arena, const ilc__func *func);

void            ilc__signature_print(ilc__emitter *em, const ilc__func_info *info, const char *end);

/* Settles em->apart. */
void ilc__growth_bound(ilc__emitter *em); /* growth.c */

/* --- recursion.c ---------------------------------------------------------------------------------------- */

/* Does the call stay in the function's own cycle? */
bool ilc__is_inside(const ilc__func *func, const ilc__func *callee);
/* Before a call in a cycle: the test whether there may be one activation more. */
void ilc__depth_test(ilc__printer *p, const ilc__expr *call);
/* Declarations of the functions of a cycle from `first` on, where they are several. */
void ilc__cycle_declare(ilc__emitter *em, uint32_t first);
/* How much stack the function that has been printed takes at most. */
void ilc__frame_note(ilc__printer *p);
/* After function `index` has been printed: how much stack it takes, once its whole cycle has been. */
void ilc__stack_settle(ilc__emitter *em, uint32_t index);
/* What a thread needs where the unit recurses, else 0. ILC_UNSUPPORTED when that is more than any engine has. */
ilc_status ilc__stack_of_unit(ilc__emitter *em, uint64_t *out);

/* --- one function being printed ------------------------------------------------------------------------- */

typedef struct ilc__piece { /* a printed expression */
    const char *text;
    int         prec;  /* of its outermost operator; PREC_PRIMARY for names and literals */
    bool        leaf;  /* free to repeat: a name or a literal                            */
    bool        loads; /* reads memory                                                   */
    uint32_t    depth; /* of nesting                                                     */
} ilc__piece;

enum {
    ILC__PREC_COND = 3, ILC__PREC_OR, ILC__PREC_AND, ILC__PREC_BITOR, ILC__PREC_XOR, ILC__PREC_BITAND,
    ILC__PREC_EQ, ILC__PREC_REL, ILC__PREC_SHIFT, ILC__PREC_ADD, ILC__PREC_MUL, ILC__PREC_UNARY,
    ILC__PREC_PRIMARY
};

typedef struct ilc__nest { /* an enclosing loop, or a C switch (stmt kind SWITCH) */
    const ilc__stmt *stmt;
    uint32_t         break_label, next_label; /* 0: none */
    bool             c_continue; /* C's continue does it */
    struct ilc__nest *outer;
} ilc__nest;

struct ilc__printer {
    ilc__emitter    *em;
    ilc__func_info  *info;
    const ilc__func *func;
    bool             guarded;
    ilc__text        body;
    ilc__text        top;      /* declarations that must stand at the top                                   */
    uint32_t         line;     /* of body                                                                   */
    uint32_t         top_line;
    uint32_t         indent;
    ilc__line_map    lines;    /* of body, from 0                                                           */
    ilc__in_expr     in;       /* what is being printed                                                     */
    ILC__VEC(uint32_t) offsets; /* IL offsets of what is printed, and in no line of its statement yet       */
    ilc__names       names;
    ilc__place      *places;
    ilc__map         before;   /* statement -> place of the first variable that is declared before it       */
    const uint8_t   *aligns;   /* by variable: what an address in it is a multiple of                       */
    uint32_t         labels;
    const ilc__stmt *at;       /* the statement being printed                                               */
    ilc__nest       *nest;
    ilc_status       status;   /* of the first failure; printing goes on harmlessly                         */
};

/* One line of the body at the current depth, without its newline. */
void        ilc__line_out(ilc__printer *p, const char *format, ...) ILC__PRINTF(2, 3);
/* A fresh temporary initialised with the text (NULL: declared only). */
ilc__piece  ilc__temp(ilc__printer *p, const char *c_type, const char *value);
const char *ilc__print(ilc__printer *p, const char *format, ...) ILC__PRINTF(2, 3);

/* print.c */
ilc__piece  ilc__expr_print(ilc__printer *p, const ilc__expr *expr);
/* Integer operations whose C operator has no meaning where the result does not fit; their rows' text has. */
bool        ilc__op_may_wrap(ilc__op op);
bool        ilc__expr_needs_statements(ilc__printer *p, const ilc__expr *expr);
/* p's text, in parentheses when its operator binds looser than prec. */
const char *ilc__piece_at(ilc__printer *p, ilc__piece piece, int prec);
/* The row's text with the operands put in for a, b and c. */
const char *ilc__substitute(ilc__printer *p, const char *text, const ilc__piece *operands);
/* array.c */
typedef struct ilc__array_text { /* of an array expression; the first length is -1 for null */
    const char *pointer, *lengths[3];
    bool        is_span; /* never null */
    bool       *needs; /* of a variable: which lengths the text uses, by dimension; else NULL */
} ilc__array_text;
typedef struct ilc__index { /* printed subscripts */
    uint32_t   count;
    ilc__piece at[3];
    bool       loads;
    uint32_t   depth;
} ilc__index;
/* Prints the operands in order, those of a call's that are arrays into arrays; what an operand loaded before a later
 * one stores goes into a temporary. (print.c) */
void        ilc__operands_print(ilc__printer *p, const ilc__expr *expr, ilc__piece *out, ilc__array_text *arrays);
uint32_t    ilc__rank_of(const ilc__var *var);                            /* 1 to 3 */
const char *ilc__element_type(ilc__emitter *em, const ilc__var *array);
bool        ilc__is_span_made(const ilc__expr *array); /* SPANOF, SPAN or SPANAT */
ilc__piece  ilc__data_print(ilc__printer *p, const ilc__expr *expr); /* DATAADDR */
void        ilc__array_print(ilc__printer *p, const ilc__expr *array, bool want_length, ilc__array_text *out);
void        ilc__return_array(ilc__printer *p, const ilc__expr *array);
void        ilc__index_print(ilc__printer *p, const ilc__expr *index, bool keep, ilc__index *out); /* keep: as leaves */
const char *ilc__index_text(ilc__printer *p, const ilc__index *index, const ilc__array_text *array);
/* The tests of null and of each dimension; the subscripts are leaves. */
void        ilc__trap_place(ilc__printer *p, const ilc__index *index, const ilc__array_text *array, uint32_t il, bool has_il);
/* The element that a LOAD or ELEMADDR is of, after its tests. */
ilc__piece  ilc__element_print(ilc__printer *p, const ilc__expr *expr, const char *type);
const char *ilc__element_text(ilc__printer *p, const ilc__expr *array, const char *pointer, const char *index,
                              const char *type);
ilc__piece  ilc__len_print(ilc__printer *p, const ilc__expr *expr);
ilc__piece  ilc__dim_print(ilc__printer *p, const ilc__expr *expr);

/* memory.c */
const ilc__expr *ilc__addr_root(const ilc__expr *addr); /* without its fields */
const char      *ilc__target_type(ilc__emitter *em, ilc_storage storage, const ilc__layout *layout);
ilc__pointee     ilc__addr_target(const ilc__expr *addr);
bool             ilc__writes_memory(const ilc__stmt *stmt); /* through the address stmt->a */
void             ilc__mark_address(ilc__func_info *info, const ilc__expr *addr);
void             ilc__survey_memory(ilc__func_info *info, const ilc__stmt *stmt);
ilc__piece       ilc__place_print(ilc__printer *p, const ilc__expr *addr); /* "p_x[i].re"; loads: to find it */
ilc__piece       ilc__addr_print(ilc__printer *p, const ilc__expr *addr);
const char      *ilc__addr_as(ilc__printer *p, const ilc__expr *addr, ilc__piece piece, const ilc__var *var);
ilc__piece  ilc__call_print(ilc__printer *p, const ilc__expr *expr);
const char *ilc__addr_to(ilc__printer *p, const ilc__expr *addr, ilc__piece piece, ilc__pointee to);
ilc__piece       ilc__addr_argument(ilc__printer *p, const ilc__expr *addr, const ilc__var *param);
void             ilc__memory_print(ilc__printer *p, const ilc__stmt *stmt); /* STOREIND, COPYMEM, ZEROMEM */
void             ilc__slots_declare(ilc__printer *p);

/* pointer.c */
void       ilc__settle_aligns(ilc__emitter *em);
const uint8_t *ilc__aligns_of(const ilc__emitter *em, const ilc__func *func);
bool       ilc__addr_is_aligned(ilc__printer *p, const ilc__expr *addr, ilc_storage storage, const ilc__layout *layout);
ilc__piece ilc__moved_place(ilc__printer *p, const ilc__expr *addr); /* of an ADDADDR */
ilc__piece ilc__moved_addr(ilc__printer *p, const ilc__expr *addr);
ilc__piece ilc__number_print(ilc__printer *p, const ilc__expr *expr);
void       ilc__nonnull_print(ilc__printer *p, const ilc__expr *expr);
ilc__piece ilc__bytewise_load(ilc__printer *p, const ilc__expr *expr);
void       ilc__bytewise_store(ilc__printer *p, const ilc__stmt *stmt); /* STOREIND, COPYMEM, ZEROMEM */
void       ilc__bytes_print(ilc__printer *p, const ilc__stmt *stmt);    /* COPYBYTES, FILLBYTES */

/* trap.c */
/* Is this expression's own check part of the text? */
bool ilc__expr_checked(const ilc__printer *p, const ilc__expr *expr);
bool ilc__op_kept(const ilc__printer *p, const ilc__expr *expr);
/* Does it need no check here: proved by opt, or by the launch guard in a guarded body? */
bool ilc__expr_settled(const ilc__printer *p, const ilc__expr *expr);
void ilc__trap_test(ilc__printer *p, const char *condition, uint32_t site);
/* if (index < 0 || index >= length) the right one of null and bounds. */
void     ilc__trap_bounds(ilc__printer *p, ilc__piece index, const ilc__array_text *array, uint32_t il, bool has_il);
void     ilc__trap_null(ilc__printer *p, const char *length, uint32_t il, bool has_il);
void     ilc__trap_op(ilc__printer *p, const ilc__expr *expr, const ilc__piece *operands);
/* Of the traps of an operation that has its check: may this one come? */
bool     ilc__trap_kept(const ilc__expr *expr, const ilc__op_trap *trap);
uint32_t ilc__site_of(ilc__printer *p, const char *exception, const char *message, uint32_t il, bool has_il);
uint32_t ilc__site_known(ilc__printer *p, ilc__exception_id id, uint32_t il, bool has_il); /* of the runtime's own */
/* As ilc__site_of, and never one that is there already: those made one after the other have numbers one after the other. */
uint32_t ilc__site_new(ilc__printer *p, const char *exception, const char *message, uint32_t il, bool has_il);
/* Is what may have failed computed all the same? */
bool        ilc__trap_goes_on(const ilc__printer *p, ilc__op op);
/* "il_raise(il_at, 3);", or what is done instead (ilc__traps_by); goes before ilc__trap_return. */
const char *ilc__trap_raise(ilc__printer *p, const char *site);
/* "il_raise(il_at, 3); return 0;" */
const char *ilc__trap_action(ilc__printer *p, uint32_t site);
const char *ilc__trap_return(ilc__printer *p);

/* stmt.c */
void ilc__block_print(ilc__printer *p, const ilc__block *block);

/* prelude.c: definitions that the text mentions, to be put before it. */
void ilc__prelude(ilc__emitter *em, const char *text, ilc__text *out);
/* Does the text hold the word, as a whole or (prefix) as the start of one? */
bool ilc__text_mentions(const char *text, const char *word, bool prefix);

/* through.c: the by-ref variables that may be written through, by function of the unit and by variable. */
bool      **ilc__written_through(ilc__arena *arena, const ilc__unit *unit);
const bool *ilc__written_in(const ilc__unit *unit, bool *const *written, const ilc__func *func);

/* entry.c: the parameters of an entry in their order (DESIGN 3). */
void        ilc__entry_build(ilc__emitter *em, const ilc__func_info *root, const char *name, ilc__entry *out);
const char *ilc__kparam_type(ilc__emitter *em, const ilc__kparam *param);
void        ilc__entry_params(ilc__emitter *em, const ilc__entry *entry); /* "int p_cols, float *il_out" */
/* The call of the root's function for one element; index expressions by position i, j, k. */
const char *ilc__entry_call(ilc__emitter *em, const ilc__entry *entry, const ilc__func_info *root,
                            const char *const *index);
/* The lines that run one element at `indent`: state, call, store of the result. */
void        ilc__entry_element(ilc__emitter *em, const ilc__entry *entry, const ilc__func_info *root,
                               const char *const *index, const char *element, uint32_t indent);

/* guard.c: marks expr->covered and stmt->covered of the root and of what it calls; true when a trapping check is covered.
 * A covered CALL goes to the guarded twin of the function, the others to the one with every check. */
bool ilc__guard_mark(ilc__context *ctx, ilc__arena *scratch, const ilc__unit *unit, const ilc__kernel_spec *spec);

/* demand.c: variables whose value reaches a subscript or a bound (result: or the function's result), so that a wrapped
 * one is of no use. */
typedef struct ilc__demands {
    ilc__arena *arena;
    ilc__map    known[2]; /* func -> its variables */
    uint32_t    depth;
} ilc__demands;
const bool *ilc__demand_vars(ilc__demands *all, const ilc__func *func, bool result);

#endif
