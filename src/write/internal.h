/* internal.h - what the files of this layer share. Private to src/write.
 *
 *   type.c       types as the source languages have them, and what they do to each other
 *   operations.c ops.def's rows as operators, conversions and library calls
 *   view.c       tree expressions -> terms, each with its source type and with all conversions said
 *   convert.c    conversions between terms; bounds.c: which of them lose nothing
 *   place.c      addresses -> places, references and pointers
 *   print.c      terms -> text, by a language's table of operators
 *   literal.c    numbers, characters and strings
 *   homes.c      where variables are declared
 *   stmt.c       statements, by a language's words; loops.c, jumps.c: loops, gotos and labels
 *   idioms.c     statements that are one in C#; results.c: struct results
 *   names.c      identifiers that mean in the language what they mean in the tree
 *   vb.c cs.c    the languages
 *   helper.c     what the languages have no words for (helpers.def)
 *   unit.c       methods as a whole that compiles; declare.c: the types that it declares */
#ifndef ILC_WRITE_INTERNAL_H
#define ILC_WRITE_INTERNAL_H

#include "meta/layout.h"
#include "write/write.h"

/* --- types ------------------------------------------------------------------------------------------------------- */

/* A type of the source: a scalar, a struct (layout), an array of them, a pointer to one, a string. */
typedef struct ilc__wtype {
    ilc_storage        storage;
    const ilc__layout *layout;
    uint8_t            dims;   /* of an array, the outermost; 0: none */
    uint8_t            nested; /* further arrays in it, of one dimension */
    bool               is_pointer, is_string;
    bool               is_span, is_readonly; /* of one dimension: Span(Of T), ReadOnlySpan(Of T) */
} ilc__wtype;

static inline ilc__wtype ilc__scalar(ilc_storage storage)
{
    return (ilc__wtype){.storage = storage};
}
static inline bool ilc__is_scalar(ilc__wtype t)
{
    return !t.dims && !t.is_pointer && !t.is_string && !t.layout;
}
bool       ilc__wtype_same(ilc__wtype a, ilc__wtype b);
bool       ilc__is_integer(ilc_storage s);  /* Char among them, Boolean not */
bool       ilc__is_unsigned(ilc_storage s);
bool       ilc__is_float(ilc_storage s);
bool       ilc__is_small(ilc_storage s);    /* narrower than Int32; Boolean not */
bool       ilc__is_native(ilc_storage s);
uint32_t   ilc__bits_of(ilc_storage s);
bool       ilc__holds(ilc_storage to, ilc_storage from); /* every integer of from is one of to */
ilc__wtype ilc__var_type(const ilc__func *func, const ilc__var *var);
ilc__wtype ilc__result_type(const ilc__func *func); /* of a by-ref: what it is to */
bool       ilc__is_by_ref(const ilc__func *func, const ilc__var *var);

/* --- terms: expressions as the source language reads them ----------------------------------------------------------- */

typedef enum ilc__operator {
    ILC__OPR_ADD, ILC__OPR_SUB, ILC__OPR_MUL, ILC__OPR_DIV, /* of floats */ ILC__OPR_QUOTIENT, ILC__OPR_MOD,
    ILC__OPR_POWER, ILC__OPR_AND, ILC__OPR_OR, ILC__OPR_XOR, ILC__OPR_SHL, ILC__OPR_SHR, ILC__OPR_EQ, ILC__OPR_NE,
    ILC__OPR_LT, ILC__OPR_LE, ILC__OPR_GT, ILC__OPR_GE, ILC__OPR_ANDALSO, ILC__OPR_ORELSE, ILC__OPR_SAME,
    ILC__OPR_OTHER, /* references */
    ILC__OPR_NEG, ILC__OPR_NOT, /* of bits */ ILC__OPR_DENY, /* of a truth */ ILC__OPR_COUNT
} ilc__operator;

/* What overflow does to an operator or a conversion. */
typedef enum ilc__overflow { ILC__ANY, ILC__WRAPS, ILC__CHECKS } ilc__overflow;

typedef enum ilc__term_kind {
    ILC__W_LITERAL,  /* bits of a scalar type, or null                                     */
    ILC__W_TEXT,     /* text: a string                                                     */
    ILC__W_NAME,     /* text: a variable, a table, or a word of the language               */
    ILC__W_UNARY, ILC__W_BINARY, /* opr                                                    */
    ILC__W_CHOICE,   /* args: truth, then, else                                            */
    ILC__W_CAST,     /* args: one; to type                                                 */
    ILC__W_LIBRARY,  /* text(args): "Math.Sqrt"                                            */
    ILC__W_HELPER,   /* text(args): one of helpers.def                                     */
    ILC__W_CALL,     /* func(args); receiver: args[0].func(...)                            */
    ILC__W_MEMBER,   /* args[0].text; of a pointer: args[0]->text                          */
    ILC__W_INDEX,    /* args[0][args[1], ...]                                              */
    ILC__W_METHOD,   /* args[0].text(args[1]...)                                           */
    ILC__W_NEWARRAY, /* args: length, and its elements where they are given                */
    ILC__W_DEFAULT,  /* the zero of a struct                                               */
    ILC__W_DEREF, ILC__W_ADDRESSOF, ILC__W_REF /* an argument by reference                 */
} ilc__term_kind;

typedef struct ilc__term ilc__term;
struct ilc__term {
    ilc__term_kind   kind;
    ilc__wtype       type;
    ilc__operator    opr;
    ilc__overflow    overflow;
    bool             exact;     /* CAST: loses nothing, and the language does it by itself where it is wanted */
    bool             truncates; /* CAST of a float to an integer: towards zero, also where the language rounds */
    bool             calls;     /* something in it calls a method */
    bool             effects;   /* something in it may raise, or read what others write */
    uint64_t         bits;
    const char      *text;
    const ilc__func *func;
    uint32_t         arg_count;
    ilc__term      **args;
};

/* --- a language --------------------------------------------------------------------------------------------------- */

typedef struct ilc__writer   ilc__writer;
typedef struct ilc__syntax   ilc__syntax;

typedef struct ilc__spelling {
    const char *text;  /* with its spaces */
    uint8_t     level; /* loosest first; 0: the language has no such operator */
} ilc__spelling;

/* What a language has of its own. Statements are written by functions that put one line each. */
struct ilc__syntax {
    ilc__language      language;
    const char        *comment; /* "//" */
    bool               ignores_case, checks; /* checks: integer overflow, unless told not to */
    const char        *type_names[ILC_STORAGE_COUNT];
    const char        *null;
    char               single_suffix;
    const char        *hex, *unsigned_suffix, *ulong_suffix;
    ilc__spelling      operators[ILC__OPR_COUNT];
    uint8_t            level_choice, level_primary, level_unary;
    /* The type of x opr y; VOID where the language does not take them so. */
    ilc_storage (*promote)(ilc__operator opr, ilc_storage x, ilc_storage y);
    /* A type that a conversion goes by, where the language has none between the two; VOID else. */
    ilc_storage (*converts_by)(ilc_storage from, ilc_storage to);
    bool (*widens)(ilc_storage from, ilc_storage to); /* by itself, where an operand or a place wants it */
    void (*put_name)(ilc__text *out, const char *name);
    void (*put_type)(ilc__writer *w, ilc__wtype type);
    void (*put_literal)(ilc__writer *w, const ilc__term *t, bool bare); /* bare: the place says the type */
    void (*put_cast)(ilc__writer *w, const ilc__term *t);
    void (*put_choice)(ilc__writer *w, const ilc__term *t);
    void (*put_new_array)(ilc__writer *w, const ilc__term *t);
    void (*put_default)(ilc__writer *w, const ilc__term *t);
    void (*put_text)(ilc__text *out, const char *text);
    /* How the language says what it has no operator for, or NULL where it has one. */
    const char *(*helper_for)(ilc__writer *w, const ilc__term *t);
    uint8_t (*cast_level)(ilc__writer *w, const ilc__term *t);
    /* statements */
    void (*put_head)(ilc__writer *w);
    void (*put_tail)(ilc__writer *w);
    void (*put_declaration)(ilc__writer *w, const ilc__var *var, const ilc__term *value, bool zero);
    void (*put_assign)(ilc__writer *w, const ilc__term *place, const ilc__term *value);
    void (*put_compound)(ilc__writer *w, const ilc__term *place, ilc__operator opr, const ilc__term *value);
    void (*put_bind)(ilc__writer *w, const ilc__var *var, const ilc__term *place, bool declares); /* of a by-ref local */
    void (*put_drop)(ilc__writer *w, const ilc__term *value); /* evaluated for what it may raise */
    void (*put_if)(ilc__writer *w, const ilc__term *truth, bool again);
    void (*put_else)(ilc__writer *w);
    void (*put_end_if)(ilc__writer *w);
    void (*put_while)(ilc__writer *w, const ilc__term *truth); /* NULL: for ever */
    void (*put_end_while)(ilc__writer *w, bool forever);
    void (*put_do)(ilc__writer *w);
    void (*put_end_do)(ilc__writer *w, const ilc__term *truth);
    bool (*has_for)(ilc__writer *w, const ilc__stmt *s); /* can the language's For say it? else it is a While */
    void (*put_for)(ilc__writer *w, const ilc__stmt *s, bool declares, const ilc__term *from);
    void (*put_end_for)(ilc__writer *w);
    void (*put_each)(ilc__writer *w, const ilc__var *var, bool declares, const ilc__term *array);
    void (*put_switch)(ilc__writer *w, const ilc__term *value);
    void (*put_case)(ilc__writer *w, ilc_storage type, const ilc__interval *ranges, uint32_t count); /* 0: the default */
    void (*put_end_case)(ilc__writer *w, bool falls_out);
    void (*put_end_switch)(ilc__writer *w);
    /* The word that leaves or goes on with a loop of that kind, NULL where only a label does. */
    bool (*put_exit)(ilc__writer *w, const ilc__stmt *s);
    void (*put_return)(ilc__writer *w, const ilc__term *value);
    void (*put_throw)(ilc__writer *w, const char *type, ilc__term *const *args, uint32_t count);
    void (*put_goto)(ilc__writer *w, const char *label);
    void (*put_label)(ilc__writer *w, const char *label);
};
extern const ilc__syntax ilc__syntax_vb, ilc__syntax_cs;

/* --- what a text is written with ------------------------------------------------------------------------------------ */

/* Shared by the functions of one text. */
typedef struct ilc__names {
    ilc__arena        *arena;
    const ilc__syntax *syntax;
    ilc__map           funcs;    /* ilc__func_key -> its name                                           */
    ilc__map           members;  /* "Owner.name(types)" -> taken                                        */
    bool              *helpers;  /* by number: is it used?                                             */
    ILC__VEC(const ilc__layout *) used_structs;
    ILC__VEC(const ilc__static *) used_tables;
    ILC__VEC(const ilc__exception *) used_exceptions;
} ilc__names;

typedef struct ilc__loop_name {
    const ilc__stmt *stmt;
    bool             wants_end, wants_turn, is_switch; /* labels for exits that the language has no word for */
    bool             as_while; /* a For that is written as a While */
    ilc_storage      type;     /* of a switch: its cases'          */
    uint32_t         number;
} ilc__loop_name;

typedef struct ilc__home  ilc__home;
typedef struct ilc__label ilc__label;

enum { ILC__MAX_LISTS = 2 * ILC__AST_MAX_STMT_DEPTH + 4 };

struct ilc__writer {
    ilc__context      *ctx;
    ilc__arena        *arena;
    ilc__text         *out;
    const ilc__syntax *syntax;
    ilc__names        *names;
    const ilc__func   *func;
    bool               checked;  /* what + means in this text                              */
    bool               state;    /* what it means at the place that is printed              */
    bool               is_unsafe, in_unit;
    bool               returns_values; /* ilc__returns_values */
    const ilc__body   *body;     /* the method's IL; NULL where there is none                */
    const char        *refusal;  /* the first thing that the language cannot say            */
    const char       **var_names; /* per variable                                           */
    ilc__home         *homes;
    ilc__map           declared;  /* statement -> first variable declared there             */
    ilc__label        *labels;    /* by number; of a function with gotos */
    ilc__loop_name     loops[ILC__MAX_LISTS];
    uint32_t           loop_count, exit_count;
    uint32_t           indent, outermost; /* of the function's own list */
    bool               mapped;    /* make the line map */
    ilc__line_map      map;       /* of the function's text, from 0 */
    size_t             counted;   /* of out, and the line ends in it */
    uint32_t           lines;
};

ilc__term *ilc__for_test(ilc__writer *w, const ilc__stmt *s);
ilc__term *ilc__for_next(ilc__writer *w, const ilc__stmt *s); /* the counter behind its step */
/* Does the step of a For overflow as + does in this text? */
bool ilc__steps_plainly(const ilc__writer *w, const ilc__stmt *s);
/* Is the instruction at the offset one that checks? Then so does the source, whatever has been proved since. */
bool ilc__checks_at(const ilc__body *body, uint32_t il);
const ilc__body *ilc__body_of(ilc__context *ctx, ilc__arena *arena, const ilc__func *func);
void ilc__cannot(ilc__writer *w, const char *format, ...) ILC__PRINTF(2, 3);

/* --- view.c, convert.c, place.c --------------------------------------------------------------------------------------- */
ilc__term *ilc__term_new(ilc__writer *w, ilc__term_kind kind, ilc__wtype type, uint32_t arg_count);
ilc__term *ilc__term_literal(ilc__writer *w, ilc_storage type, uint64_t bits);
ilc__term *ilc__term_name(ilc__writer *w, ilc__wtype type, const char *text);
ilc__term *ilc__term_unary(ilc__writer *w, ilc__operator opr, ilc__wtype type, ilc__term *x);
ilc__term *ilc__term_binary(ilc__writer *w, ilc__operator opr, ilc_storage type, ilc__term *x, ilc__term *y);
ilc__term *ilc__term_library(ilc__writer *w, const char *text, ilc__wtype type, ilc__term *x, ilc__term *y);
ilc__term *ilc__term_library3(ilc__writer *w, const char *text, ilc__wtype type, ilc__term *const *args);
ilc__term *ilc__term_helper(ilc__writer *w, const char *name, ilc__wtype type, ilc__term *x, ilc__term *y);
ilc__term *ilc__opaque(ilc__writer *w, ilc__term *t);
bool       ilc__fits(const ilc__term *t, ilc_storage type); /* is its value one of the type's? */
/* Can x opr y not overflow in the type? */
bool       ilc__stays_within(ilc__operator opr, ilc_storage type, const ilc__term *x, const ilc__term *y);
bool       ilc__negates_within(const ilc__term *t); /* is -t no overflow, whatever t is? */
/* In the type that the source has for it. hint: what the place would like, VOID when it does not care. */
ilc__term *ilc__view(ilc__writer *w, const ilc__expr *e, ilc_storage hint);
ilc__term *ilc__view_as(ilc__writer *w, const ilc__expr *e, ilc_storage type); /* of exactly that type */
/* As the right side of an assignment, an argument or a result: conversions that the language makes are left out. */
ilc__term *ilc__view_for(ilc__writer *w, const ilc__expr *e, ilc__wtype type);
ilc__term *ilc__view_truth(ilc__writer *w, const ilc__expr *e);
ilc__term *ilc__view_string(ilc__writer *w, const ilc__func *func, const ilc__expr *e);
ilc__term *ilc__view_compare(ilc__writer *w, ilc__op op, const ilc__expr *x, const ilc__expr *y);
ilc__term *ilc__view_op(ilc__writer *w, const ilc__expr *e, ilc_storage hint);    /* operations.c */
ilc__term *ilc__view_call(ilc__writer *w, const ilc__expr *e);                    /* call.c */

ilc__term *ilc__convert(ilc__writer *w, ilc__term *t, ilc_storage type); /* same bits, cut to the type's width */
ilc__term *ilc__cast(ilc__writer *w, ilc__term *t, ilc_storage type, ilc__overflow overflow);
ilc__term *ilc__relax(ilc__writer *w, ilc__term *t, ilc_storage type);   /* for a place of the type */
ilc__term *ilc__deny(ilc__writer *w, ilc__term *t);
/* x opr y, computed in type, whatever the operands' types are. */
ilc__term *ilc__operate(ilc__writer *w, ilc__operator opr, ilc_storage type, ilc__overflow overflow, ilc__term *x,
                        ilc__term *y);

ilc__wtype ilc__pointee_of(const ilc__expr *address); /* what an address is of */
/* The place at the address, read or written as type. */
ilc__term *ilc__place(ilc__writer *w, const ilc__expr *address, ilc__wtype type);
ilc__term *ilc__pointer(ilc__writer *w, const ilc__expr *address, ilc__wtype to); /* to: what it is to point to */
ilc__term *ilc__array(ilc__writer *w, const ilc__expr *e);
ilc__term *ilc__element_at(ilc__writer *w, const ilc__expr *array, const ilc__expr *index, ilc__wtype type);
ilc__wtype ilc__array_type_of(const ilc__expr *array);
bool       ilc__same_place(const ilc__term *x, const ilc__term *y); /* alike, and without a call */

/* --- print.c, literal.c ----------------------------------------------------------------------------------------------- */
enum { ILC__LEVEL_NONE = 0 };
void ilc__put(ilc__writer *w, const ilc__term *t, uint8_t level); /* in parentheses where it binds looser */
void ilc__put_place(ilc__writer *w, const ilc__term *place);
void ilc__put_value(ilc__writer *w, const ilc__term *t, ilc__wtype place); /* a literal without its suffix */
bool ilc__vb_put_narrow(ilc__writer *w, const ilc__term *t);
void ilc__put_elements(ilc__writer *w, const ilc__term *t); /* of a NEWARRAY: those behind its length */
void ilc__put_args(ilc__writer *w, ilc__term *const *args, uint32_t count);
void ilc__put_float(ilc__writer *w, const ilc__term *t); /* a literal of Single or Double, any bits */
bool ilc__is_nan_or_infinite(const ilc__term *t);
uint8_t ilc__level_of(ilc__writer *w, const ilc__term *t);

/* --- homes.c, stmt.c, names.c ----------------------------------------------------------------------------------------- */
void ilc__place_vars(ilc__writer *w);
bool ilc__declares(ilc__writer *w, const ilc__stmt *s, const ilc__var *var); /* does the statement itself? */
const ilc__var *ilc__declared_at(ilc__writer *w, const ilc__stmt *s);        /* those before it ... */
bool ilc__declared_on_top(const ilc__writer *w, const ilc__var *var);
/* Does it read what a statement of the body declares? A head of the loop does not see that. */
bool ilc__reads_inner(const ilc__writer *w, const ilc__expr *e, const ilc__block *body);
const ilc__var *ilc__declared_next(ilc__writer *w, const ilc__var *var);
bool ilc__mentions(const ilc__expr *e, const ilc__var *var);
uint32_t ilc__var_uses(const ilc__writer *w, const ilc__var *var); /* in the whole function, assignments among them */
bool ilc__assigned_first(const ilc__writer *w, const ilc__var *var); /* before it is read, on every way */
bool ilc__assigned_in(const ilc__block *body, const ilc__var *var);
/* How a range of a case is said: as one number, as all below or above a bound, or from one to another. */
typedef enum ilc__shape_of_range { ILC__RANGE_ONE, ILC__RANGE_BELOW, ILC__RANGE_ABOVE, ILC__RANGE_BETWEEN } ilc__shape_of_range;
ilc__shape_of_range ilc__range_shape(ilc_storage type, ilc__interval range);
void ilc__note(ilc__writer *w, const ilc__stmt *s); /* the next line comes from the statement, or from the offset */
void ilc__note_il(ilc__writer *w, bool has_il, uint32_t il);
void ilc__put_stmt(ilc__writer *w, const ilc__stmt *s);
void ilc__put_stmts(ilc__writer *w, const ilc__stmt *first, const ilc__stmt *end);
void ilc__put_list(ilc__writer *w, const ilc__block *list);
void ilc__put_body(ilc__writer *w, const ilc__block *list); /* one step further in */
void ilc__put_inside(ilc__writer *w, const ilc__stmt *first, const ilc__stmt *end);
void ilc__put_assignment(ilc__writer *w, const ilc__term *place, const ilc__term *value); /* place op= ..., where it is one */
void ilc__begin_line(ilc__writer *w);
void ilc__put_line(ilc__writer *w, const char *text);
void ilc__put_function(ilc__writer *w);

/* --- loops.c, idioms.c ---------------------------------------------------------------------------------------------------- */
void ilc__put_loop(ilc__writer *w, const ilc__stmt *s);
void ilc__put_exit(ilc__writer *w, const ilc__stmt *s);
/* Statements that are one in C#, from s on: the last of them; NULL where there are none. */
const ilc__stmt *ilc__put_cs_idiom(ilc__writer *w, const ilc__stmt *s, const ilc__stmt *end);
bool ilc__put_counted_while(ilc__writer *w, const ilc__stmt *s); /* while (n-- > 0); false: it is none */
void ilc__put_turn_label(ilc__writer *w);
void ilc__end_loop(ilc__writer *w);

/* --- results.c ------------------------------------------------------------------------------------------------------------ */
bool ilc__returns_values(ilc__writer *w); /* a struct result: does each way return it as one value? */
/* From s on, the value is made and returned: the last of these statements, or NULL. outermost: s stands in the function's list. */
const ilc__stmt *ilc__put_made(ilc__writer *w, const ilc__stmt *s, bool outermost);

/* --- jumps.c ------------------------------------------------------------------------------------------------------------ */
void ilc__find_labels(ilc__writer *w);
bool ilc__case_stands_apart(const ilc__writer *w, const ilc__block *body); /* behind the Select, under a label */
void ilc__put_goto(ilc__writer *w, uint32_t number);
void ilc__put_label(ilc__writer *w, uint32_t number); /* where some jump needs it */
void ilc__put_numbered_label(ilc__writer *w, const char *word, uint32_t number); /* of the writer's own */

void        ilc__names_init(ilc__names *names, ilc__arena *arena, const ilc__syntax *syntax);
void        ilc__names_of_func(ilc__writer *w); /* fills w->var_names */
bool        ilc__is_instance(const ilc__func *func); /* has it a `this`, its first parameter? */
const char *ilc__func_key(ilc__arena *arena, const ilc__func *func); /* the same for the same method */
const char *ilc__func_name(ilc__names *names, const ilc__func *func);   /* alone */
const char *ilc__owner_name(ilc__names *names, const ilc__func *func);  /* "Ns.Outer.Inner" of what declares it */
const char *ilc__struct_path(ilc__names *names, const ilc__layout *layout); /* "Ns.Outer.Inner" */
bool        ilc__is_operator(ilc__names *names, const ilc__func *func, ilc__operator *opr);
bool        ilc__is_tuple(const ilc__layout *layout);
void        ilc__put_struct_name(ilc__writer *w, const ilc__layout *layout); /* as it reads at the function at hand */
const char *ilc__field_name(ilc__names *names, const ilc__layout *layout, uint32_t field);
const char *ilc__member_name(ilc__writer *w, const ilc__layout *layout, uint32_t field);
const char *ilc__identifier(ilc__arena *arena, const char *name, size_t length); /* letters, digits and _ only */
const char *ilc__path(ilc__arena *arena, const char *name); /* "Ns.Outer+In`1<X>" -> "Ns.Outer.In_X" */
const char *ilc__table_path(ilc__names *names, const ilc__static *table);
const char *ilc__exception_name(ilc__names *names, const ilc__exception *exception);
bool        ilc__is_own_exception(const ilc__exception *exception);
void        ilc__use_struct(ilc__names *names, const ilc__layout *layout);

/* --- helper.c, declare.c ----------------------------------------------------------------------------------------------- */
const char *ilc__helper_use(ilc__writer *w, const char *name); /* the name, marked as used */
void        ilc__put_helpers(ilc__names *names, ilc__text *out);
/* "Ns.Outer+Inner": what declares the function, as it is opened and closed. */
const char *ilc__owner_scope(ilc__names *names, const ilc__func *func);
uint32_t    ilc__scope_depth(const char *scope);
void        ilc__open_scope(ilc__names *names, const char *scope, ilc__text *out);
void        ilc__close_scope(ilc__names *names, const char *scope, ilc__text *out);
void        ilc__put_structs(ilc__context *ctx, ilc__names *names, ilc__text *out);
void        ilc__put_tables(ilc__context *ctx, ilc__names *names, ilc__text *out);
void        ilc__put_exceptions(ilc__names *names, ilc__text *out);
bool        ilc__is_library_struct(const ilc__layout *layout); /* whose fields only the library names */
const char *ilc__struct_refusal(const ilc__syntax *syntax, const ilc__layout *layout); /* NULL: it can be declared */

#endif
