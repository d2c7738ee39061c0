/* checks.h - value numbers and what is known of them, for checks.c (numbers.c). */
#ifndef ILC_OPT_CHECKS_H
#define ILC_OPT_CHECKS_H

#include "opt/edit.h"

typedef struct ilc__bound { /* at most the length of array (its number) plus `plus`; next: 0 none */
    uint32_t array;
    int64_t  plus;
    uint32_t next;
} ilc__bound;

typedef struct ilc__fact { /* of one number */
    int64_t  low, high;
    uint32_t bounds; /* in ilc__checks.bounds                                                 */
    bool     done;   /* a check: passed; a length: its array is not null                      */
    bool     nonzero;
} ilc__fact;

typedef struct ilc__fact_change {
    uint32_t  number;
    ilc__fact old;
} ilc__fact_change;

typedef struct ilc__checks {
    ilc__ir_func *func;
    ilc__arena   *arena;
    ilc__map      known;   /* what a value is -> its number                                   */
    uint32_t     *numbers; /* by value; 0: none yet                                           */
    ILC__VEC(ilc__fact) facts;         /* by number; 0 unused                                 */
    ILC__VEC(ilc__bound) bounds;       /* 0 unused                                            */
    ILC__VEC(ilc__fact_change) trail;
} ilc__checks;

void     ilc__checks_begin(ilc__checks *c, ilc__ir_func *func);
/* Equal numbers: equal values wherever both are there. */
uint32_t ilc__checks_number(ilc__checks *c, ilc__ref ref);
uint32_t ilc__checks_pair(ilc__checks *c, ilc__op op, uint32_t a, uint32_t b);
uint32_t ilc__checks_length(ilc__checks *c, uint32_t array); /* of the array's length */
ilc__ref ilc__checks_source(const ilc__checks *c, ilc__ref ref); /* through copies    */
/* The value that ref is a constant more than. */
ilc__ref   ilc__checks_base(ilc__checks *c, ilc__ref ref, int64_t *offset);
ilc__range ilc__checks_range(ilc__checks *c, ilc__ref ref);
bool       ilc__checks_is_add(ilc__op op);
bool       ilc__checks_is_sub(ilc__op op);
bool       ilc__checks_is_unsigned(ilc__op op); /* ADD_OVF_UN, ... */
/* Is the exact result of an addition, subtraction or multiplication, checked or not, one of the type? */
bool       ilc__checks_fits(ilc__checks *c, ilc__ref ref);

#endif
