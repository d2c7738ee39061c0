/* range.h - integer intervals for the launch guard: in 128 bits, each bound with a flag that says whether it
 * comes from launch constants, literals or a narrow type (else it is the whole type's). A bound is always true of
 * the value, flag or not. */
#ifndef ILC_EMIT_RANGE_H
#define ILC_EMIT_RANGE_H

#include "emit/emit.h"

typedef __int128 ilc__wide;

typedef struct ilc__range {
    ilc__wide lo, hi;
    bool      lo_known, hi_known;
    bool      launch; /* some launch constant has a part in it: without one there is nothing to wait for */
} ilc__range;

ilc__range ilc__range_of_type(ilc__ir_type type);          /* unknown                              */
ilc__range ilc__range_point(ilc__wide value);              /* known                                */
ilc__range ilc__range_between(ilc__wide lo, ilc__wide hi); /* known                                */
ilc__range ilc__range_from_launch(ilc__range range);       /* a launch constant has a part in it */
/* The values of a storage as they stand on the stack (UInt32 as Int32). */
ilc__range ilc__range_of_storage(ilc_storage storage);
bool       ilc__range_known(ilc__range range);
bool       ilc__range_within(ilc__range range, ilc__range outer);
ilc__range ilc__range_join(ilc__range a, ilc__range b);

/* What an operation gives. exact: the mathematical result before it is cut to the type; proved: the operation
 * neither traps nor wraps for any operands in the ranges. */
typedef struct ilc__range_result {
    ilc__range value;
    bool       proved;
} ilc__range_result;
ilc__range_result ilc__range_op(ilc__op op, ilc__range a, ilc__range b);

/* Can a proof for this operation come from launch constants, given which operand bounds do? known: whether the
 * result's bounds do then. The rules are those of ilc__range_op, over flags alone. */
bool ilc__range_provable(ilc__op op, ilc__range a, ilc__range b);
bool ilc__range_traps(ilc__op op); /* the operation has a check                            */
bool ilc__range_wraps(ilc__op op); /* + - * and negation, checked or not                   */

#endif
