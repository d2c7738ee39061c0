/* guard.h - the walk of the launch guard, for the guard_*.c files. */
#ifndef ILC_EMIT_GUARD_H
#define ILC_EMIT_GUARD_H

#include "emit/internal.h"
#include "emit/range.h"

typedef struct ilc__guard_change {
    uint32_t   var;
    ilc__range old;
} ilc__guard_change;

typedef struct ilc__guard_loop   ilc__guard_loop;
typedef struct ilc__guard_labels ilc__guard_labels;

typedef struct ilc__guard_calls { /* of a walk with all functions called in it */
    ilc__demands demands;
    ilc__map     walked; /* marking: functions that have been walked */
    uint64_t     work;   /* statements walked in them                */
} ilc__guard_calls;

typedef struct ilc__guard {
    ilc__arena              *arena;
    ilc__guard_calls        *calls;
    const ilc__func         *func;
    const ilc__kernel_spec  *spec;
    const ilc__launch_facts *facts;    /* NULL while marking                                              */
    ilc__range              *env;      /* by variable number                                              */
    ilc__range              *initial;  /* env at the entry                                                */
    const bool              *wanted;   /* demand.c                                                        */
    const ilc__var         **arrays;   /* of a function called: by parameter, the root's parameter or the own array that
                                          it is; NULL: not known                                          */
    uint32_t                 depth, loops_around; /* of the call; 0 in the root                           */
    ilc__range               result;   /* of all returns so far                                           */
    ILC__VEC(ilc__guard_change) trail; /* what to put back, newest last                                  */
    ilc__guard_loop *loop;             /* the innermost loop around                                       */
    ilc__guard_labels *labels;
    const ilc__stmt *guarded; /* first in the body of an If, whose condition is `when` */
    const ilc__expr *when;
    uint32_t         trials;           /* trial walks under way                                           */
    uint64_t         work;             /* statements walked                                               */
    bool             marking, quiet;   /* quiet: evaluate without marking or testing                      */
    bool             dead;             /* the point at hand is not reached                                */
    bool             failed;           /* a covered check was not proved                                  */
    bool             again;            /* marking a function that has been walked before                  */
    bool             has_result, wants_result;
    uint32_t        *stamp, now;       /* by variable number: last seen in the list being made            */
} ilc__guard;

/* guard.c: the state */
void       ilc__guard_set(ilc__guard *w, const ilc__var *var, ilc__range range);
void       ilc__guard_undo(ilc__guard *w, uint32_t mark); /* to what the trail held at mark      */
void       ilc__guard_forget(ilc__guard *w, const ilc__block *block); /* what it assigns is unknown */
void       ilc__guard_forget_all(ilc__guard *w);                      /* only what the entry says is known */
ilc__range ilc__guard_unknown(const ilc__var *var);
bool       ilc__guard_is_integer(const ilc__var *var); /* has a range */
/* Marking: the check is covered when launch constants may prove it, or nothing is left to prove. At launch: a
 * covered check must be proved. */
void ilc__guard_cover(ilc__guard *w, bool *covered, bool provable, bool proved);
void ilc__guard_begin(ilc__guard *w); /* the state where a function starts, apart from its parameters */
void ilc__guard_block(ilc__guard *w, const ilc__block *block);

/* guard_calls.c */
ilc__range ilc__guard_eval_call(ilc__guard *w, ilc__expr *call, bool wanted);
void       ilc__guard_return(ilc__guard *w, ilc__stmt *stmt);

/* guard_expr.c */
/* The array parameter of the root, or own array of known length, that an expression always is; NULL. */
const ilc__var *ilc__guard_array(const ilc__guard *w, const ilc__expr *array);
ilc__range ilc__guard_eval(ilc__guard *w, ilc__expr *expr, bool wanted);
void ilc__guard_access(ilc__guard *w, bool *covered, const ilc__expr *array, const ilc__range *index,
                       uint32_t count);
/* The subscripts' intervals; how many there are. */
uint32_t ilc__guard_index(ilc__guard *w, ilc__expr *index, ilc__range out[3]);
/* Takes the variables changed since mark, each once, with their values now, and undoes them. */
uint32_t ilc__guard_take_way(ilc__guard *w, uint32_t mark, ilc__guard_change **out);
/* The state after either of two ways from the state at hand; a way that ended in a jump has no say. */
void ilc__guard_join_ways(ilc__guard *w, const ilc__guard_change *first, uint32_t first_count,
                          bool first_dead, const ilc__guard_change *second, uint32_t second_count,
                          bool second_dead);

/* guard_cond.c: narrows the variables by what a condition says when it is true (or false). */
void ilc__guard_refine(ilc__guard *w, ilc__expr *cond, bool truth);
typedef enum ilc__relation {
    ILC__REL_NONE,
    ILC__REL_LT,
    ILC__REL_LE,
    ILC__REL_GT,
    ILC__REL_GE,
    ILC__REL_EQ,
    ILC__REL_NE,
    ILC__REL_BELOW,
    ILC__REL_NOT_ABOVE,
    ILC__REL_ABOVE,
    ILC__REL_NOT_BELOW /* unsigned */
} ilc__relation;
ilc__relation ilc__relation_of(ilc__op op);

/* guard_labels.c */
ilc__guard_labels *ilc__guard_find_labels(ilc__arena *arena, const ilc__func *func);
uint32_t           ilc__guard_label_count(const ilc__guard_labels *all);
bool               ilc__guard_has_label(const ilc__guard *w, const ilc__stmt *stmt);
bool               ilc__guard_is_entered(const ilc__guard *w, const ilc__stmt *loop); /* by a goto, in its middle */
void               ilc__guard_jump(ilc__guard *w, const ilc__stmt *jump);
void               ilc__guard_arrive(ilc__guard *w, const ilc__stmt *at);

/* guard_loops.c */
const ilc__guard_loop *ilc__guard_outer_loop(const ilc__guard_loop *loop);
void ilc__guard_walk_loop(ilc__guard *w, ilc__stmt *stmt);
void ilc__guard_walk_labelled(ilc__guard *w, ilc__stmt *stmt); /* one that ilc__guard_is_entered */
/* A counter goes by whole steps from its start: the range without what they leave out. */
ilc__range ilc__guard_align(const ilc__guard *w, const ilc__var *var, ilc__range range);
/* A condition may have said how many turns there have been: that bounds the other counters. */
void ilc__guard_catch_up(ilc__guard *w);
/* What the loops around must know of a jump, and of an assignment with the value before it. */
void ilc__guard_note_jump(ilc__guard *w, const ilc__stmt *jump);
void ilc__guard_note_assign(ilc__guard *w, ilc__stmt *assign);

#endif
