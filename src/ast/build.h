/* build.h - what the files of this layer share while one function becomes a tree. Private to src/ast.
 *
 *   vars.c      values -> variables, or expressions rebuilt in place
 *   memory.c    slots -> variables; addresses
 *   blocks.c    a block's values -> statements and the expression of its terminator
 *   sets.c      for which numbers a test is true
 *   cases.c     tests of one value against constants -> switch
 *   reduce.c    nodes of the graph merged: && || ?:, chains, tiny returns
 *   graph.c     order, dominators, loops of what is left
 *   shared.c    loops that share a header
 *   structure.c nodes -> if, loop, switch, break, continue, return, goto
 *   cut.c       what nests too deeply, or is jumped into -> goto
 *   loops.c     loop -> while, do, For
 *   own.c       arrays that the function made
 *   tidy.c      labels, dead ends, counts */
#ifndef ILC_AST_BUILD_H
#define ILC_AST_BUILD_H

#include "ast/ast.h"

/* Room is left for the negations that structuring adds. */
enum { ILC__AST_FOLD_DEPTH = ILC__AST_MAX_EXPR_DEPTH - 8 };
#define ILC__NO_NODE UINT32_MAX

typedef enum ilc__node_kind {
    ILC__NODE_JUMP,   /* succs[0]                                             */
    ILC__NODE_COND,   /* value: succs[0] when it is not 0, else succs[1]      */
    ILC__NODE_SWITCH, /* value: succs[value], the last one is the default; after cases.c each successor stands
                         once, and is taken when the value is in cases[k].ranges */
    ILC__NODE_RETURN, /* value, or NULL                                       */
    ILC__NODE_THROW,  /* exc; value, second: its open strings, or NULL        */
    ILC__NODE_GONE    /* merged into another, or not reachable                */
} ilc__node_kind;

/* Statements of a node, linked both ways, so that nodes join in no time. */
typedef struct ilc__item {
    ilc__stmt        *stmt;
    struct ilc__item *prev, *next;
} ilc__item;

typedef struct ilc__node {
    ilc__node_kind        kind;
    ilc__item            *first, *last;
    ilc__expr            *value, *second;
    const ilc__exception *exc;
    uint32_t              il;
    uint32_t              start_il; /* of its first instruction */
    bool                  has_il;
    uint32_t              succ_count;
    uint32_t             *succs;
    ilc__case            *cases;      /* SWITCH, see there: their bodies are empty still */
    uint32_t              pred_edges; /* edges into it, as reduce.c goes      */
    bool                  case_first; /* COND: a switch of one case, which is taken */
    /* graph.c */
    ILC__VEC(uint32_t) preds;         /* each predecessor once                */
    ILC__VEC(uint32_t) children;      /* dominator tree, in reverse postorder */
    uint32_t rpo, idom, depth, enter, leave;
    bool     is_header;               /* a back edge comes in                 */
    uint32_t loop;                    /* innermost header whose loop holds it */
    uint32_t low;                     /* see ilc__node_terminates             */
} ilc__node;

typedef struct ilc__var_info {
    bool     foldable; /* no variable of the source: may vanish into its one use */
    uint32_t defs, uses; /* in the statements that exist                          */
} ilc__var_info;

/* Where a value is read: its place in the block's list; a phi reads at the end of the predecessor, UINT32_MAX. */
typedef struct ilc__use {
    uint32_t block, place;
} ilc__use;

/* Uses of all values, one after the other: uses[first[v]] .. uses[first[v + 1]]. */
typedef struct ilc__use_table {
    uint32_t *first;
    ilc__use *uses;
} ilc__use_table;

typedef struct ilc__builder {
    ilc__context       *ctx;
    ilc__arena         *arena;
    const ilc__ir_unit *ir_unit;
    ilc__unit          *unit;
    const ilc__ir_func *ir;
    ilc__func          *func;
    bool                has_debug; /* some local has a name of the source */
    ILC__VEC(ilc__var_info) info;  /* beside func->vars                   */
    ilc__map            names;     /* folded to lower case                */
    uint32_t            temps;

    /* vars.c, per IR value */
    bool      *live;
    uint32_t  *use_count;
    bool      *inlined;   /* goes into its one use, in its own block                */
    ilc__var **value_var; /* the variable that holds it                             */
    ilc__var **phi_in;    /* isolated phis: assigned at the end of each predecessor */
    ilc__var **ir_var;    /* per IR variable                                        */
    ilc__var **slot_var;  /* per IR slot                                            */
    bool      *anew;      /* per IR value: an address, built at each of its uses    */
    uint32_t  *same_var;  /* per IR variable: the first of its name that it is one with */

    uint32_t   node_count;
    ilc__node *nodes;
    uint32_t   order_count;
    uint32_t  *order; /* nodes in reverse postorder */
    uint32_t   label_count; /* those of the nodes first */
    uint32_t  *label_uses;  /* per label */
} ilc__builder;

/* --- tree.c: making and asking ------------------------------------------------------------------------- */
ilc__expr *ilc__expr_new(ilc__arena *arena, ilc__expr_kind kind, ilc__ir_type type, uint32_t arg_count);
ilc__expr *ilc__expr_var(ilc__builder *b, const ilc__var *var); /* counts the use */
ilc__expr *ilc__expr_binary(ilc__arena *arena, ilc__expr_kind kind, ilc__expr *x, ilc__expr *y);
void       ilc__expr_update(ilc__expr *e); /* has_effect and depth, from its operands */
ilc__expr *ilc__expr_negate(ilc__arena *arena, ilc__expr *e); /* as a condition; e is used up */
ilc__expr *ilc__expr_condition(ilc__arena *arena, ilc__expr *e); /* simpler, same truth; e is used up */
ilc__expr *ilc__expr_value(ilc__arena *arena, ilc__expr *e); /* simpler, same value; e is used up */
ilc__stmt *ilc__stmt_new(ilc__builder *b, ilc__stmt_kind kind, uint32_t il, bool has_il);
ilc__stmt *ilc__stmt_assign(ilc__builder *b, ilc__var *var, ilc__expr *value, uint32_t il, bool has_il);
void       ilc__block_append(ilc__block *block, ilc__stmt *stmt);
ilc__var  *ilc__var_new(ilc__builder *b, const char *name, ilc_storage storage, bool is_array);
ilc__var  *ilc__var_array(ilc__builder *b, const char *name, ilc__array_shape shape);
ilc__var  *ilc__var_temp(ilc__builder *b, ilc__ref value, const ilc__expr *e);

/* memory.c: the variables of slots that the source names (then of the lifter's own); what an address points to */
void         ilc__ast_make_slots(ilc__builder *b, bool temps);
ilc__pointee ilc__ast_pointee(const ilc__ir_func *ir, ilc__ref addr);
void         ilc__ast_choose_addresses(ilc__builder *b, const ilc__use_table *t, const bool *isolated);

/* --- sets.c: tests of one variable against constants --------------------------------------------------------- */
typedef struct ilc__set_of { /* the numbers of var for which something is true */
    ilc__interval  *items;
    uint32_t        count, capacity;
    const ilc__var *var;
    ilc__ir_type    type; /* I32 or I64 */
} ilc__set_of;

/* False: it is no test of one integer variable against constants. */
bool            ilc__ast_set_of(ilc__builder *b, const ilc__expr *e, ilc__set_of *out);
ilc__set_of     ilc__ast_set_not(ilc__builder *b, const ilc__set_of *s);
const ilc__var *ilc__ast_tested(const ilc__expr *e); /* the variable of such a test, or NULL */
bool            ilc__ast_linear(const ilc__expr *e, const ilc__var **var, int64_t *plus); /* var + plus, which wraps */
int64_t         ilc__ast_wrap(ilc__ir_type type, uint64_t bits); /* to the type's width, signed */

/* --- the steps, in order -------------------------------------------------------------------------------- */
void ilc__ast_assign_vars(ilc__builder *b);
void ilc__ast_build_nodes(ilc__builder *b);
void ilc__node_append(ilc__builder *b, ilc__node *node, ilc__stmt *stmt);
/* Temporaries into their one use, in the statements from `from` on and in the terminator. */
void ilc__ast_fold_node(ilc__builder *b, ilc__node *node, ilc__item *from);
/* All switches get their cases; trees and chains of tests of one value become switches. post: `count` nodes in postorder. */
void ilc__ast_find_cases(ilc__builder *b, const uint32_t *post, uint32_t count);
void ilc__ast_reduce(ilc__builder *b);
void ilc__ast_analyse(ilc__builder *b); /* anew, when the graph has changed */
bool ilc__ast_split_headers(ilc__builder *b); /* true: the graph has changed */
void ilc__ast_structure(ilc__builder *b);
void ilc__ast_cut(ilc__builder *b);
void ilc__ast_tidy(ilc__builder *b); /* unused labels and dead ends; again after loops.c */
void ilc__ast_shape_loops(ilc__builder *b);
void ilc__ast_count(ilc__builder *b);
void ilc__ast_find_own(ilc__builder *b); /* own.c */
void ilc__ast_name_temps(ilc__builder *b); /* t1, t2, ... in the order of what is left */

bool ilc__node_dominates(const ilc__node *x, const ilc__node *y);
/* No edge leaves what x dominates: it always ends in a return or a throw, or never ends. */
bool ilc__node_terminates(const ilc__node *x);
bool ilc__node_is_tiny_return(const ilc__node *x);

#endif
