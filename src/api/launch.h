/* launch.h - one launch: arguments bound to parameters, shared by engines, interpreters and the self-check.
 * Private to src/api. */
#ifndef ILC_API_LAUNCH_H
#define ILC_API_LAUNCH_H

#include "api/api.h"

/* What one parameter of the method is bound to; index parameters are bound to nothing. */
typedef struct ilc__bound {
    bool        given, is_null;
    ilc_buffer *buffer;
    uint64_t    bits; /* scalars, as ilc_value holds them */
    void       *data; /* structs                          */
} ilc__bound;

typedef ILC__VEC(ilc_plan_note) ilc__plan_notes;

typedef struct ilc__plan {
    ilc_kernel *kernel;
    ilc_engine *engine;
    ilc__bound *params; /* per parameter of the method */
    ilc_buffer **outs;  /* of the result; one for each number of a struct */
    uint32_t    out_count; /* 0 for a Sub */
    uint32_t    dims;
    int64_t     extents[3];
    int64_t     total; /* elements */
    bool        self_check;
    bool        force_checked, best_code;
    uint64_t    fuel;
    ilc__launch_facts facts; /* once everything is bound */
    ilc__plan_notes  *notes; /* what is decided is told there; NULL: nobody asks */
} ilc__plan;

/* The innermost arrays that lie in one, each place of them; an array of numbers or structs is its own. */
typedef ILC__VEC(ilc_buffer *) ilc__leaf_arrays;
void ilc__buffer_leaves(ilc__arena *arena, ilc_buffer *buffer, ilc__leaf_arrays *out);

/* What a compiled engine runs for a plan: which text, its entry in it, and its module. */
typedef struct ilc__choice {
    const ilc__kernel *emitted;
    const ilc__entry  *entry;
    ilc__module       *module;
    bool               guarded;
} ilc__choice;

/* From the arguments of a launch, checked; plan->total is 0 where there is nothing to do. */
ilc_status ilc__plan_make(ilc__plan *plan, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args, size_t arg_count,
                          const int64_t *extents, size_t dims, const ilc_launch_options *given);
/* The plain text with its entry, and tiled, of schedules the one that is faster, or NULL. awaited: nothing else is to run until that
 * is compiled. */
ilc_status ilc__plan_text(const ilc__plan *plan, ilc__choice *out, const ilc__kernel **tiled, bool *awaited);
ilc_status ilc__plan_choose(const ilc__plan *plan, ilc__choice *out);
bool       ilc__entry_traps(const ilc__entry *entry);
uint32_t   ilc__choice_number(const ilc__choice *choice); /* of its entry, in its module */
/* The launch with its arguments, in scratch; slot: where it notes what it raises. */
void       ilc__plan_pack(const ilc__plan *plan, const ilc__choice *choice, ilc__address slot, ilc__launch *out);
/* Runs it and waits. */
ilc_status ilc__plan_run(const ilc__plan *plan, ilc_launch_result *result);
/* What stands in the slot: all ones where nothing was raised. */
ilc_status ilc__read_slot(const ilc__plan *plan, const ilc__kernel *emitted, uint64_t slot, ilc_launch_result *result);

/* The array object of a parameter, of the parameter's rank; parameters of one buffer share it. NULL: null. */
ilc_array *ilc__plan_array(const ilc__plan *plan, ilc_array *const *earlier, uint32_t param);
ilc_status ilc__plan_bind(ilc__plan *plan, const ilc_argument *args, size_t count);

/* One element in an interpreter. arrays[param] is the array object of each array parameter (NULL: null reference);
 * element-wise parameters are read from theirs. */
typedef struct ilc__element_call {
    const ilc__plan *plan;
    ilc_array      **arrays;
    bool             by_tree;
    uint64_t         fuel;
} ilc__element_call;
ilc_status ilc__element_run(const ilc__element_call *call, int64_t element, ilc_outcome *out);
/* What output number `output` gets from an element's outcome. */
uint64_t   ilc__output_bits(const ilc__plan *plan, const ilc_outcome *outcome, uint32_t output);
ilc_status ilc__interpret_launch(const ilc__plan *plan, ilc_launch_result *result);

/* The self-check around a launch: begin computes what is expected, end compares. NULL when there is nothing to do. */
typedef struct ilc__self_check ilc__self_check;
ilc_status ilc__self_check_begin(const ilc__plan *plan, bool *verdict, ilc__self_check **out);
ilc_status ilc__self_check_end(ilc__self_check *check, ilc_launch_result *result);
/* Has the code of a kernel's text agreed with the interpreter in this session? Of each tier by itself. */
bool      *ilc__verdict_of(ilc_kernel *kernel, const char *source, bool first_tier);

bool ilc__param_is_elementwise(const ilc_kernel *kernel, uint32_t param);
bool ilc__param_is_index(const ilc_kernel *kernel, uint32_t param);
/* A matrix whose rows are taken by index *dim. */
bool ilc__param_is_rows(const ilc_kernel *kernel, uint32_t param, uint32_t *dim);
/* Are two results the same? Bits, but any two NaNs of one type are. */
bool ilc__same_bits(ilc_storage storage, uint64_t a, uint64_t b);
/* Reads and writes one element of dense storage, extended as ilc_value is. */
uint64_t ilc__load_bits(const void *data, int64_t index, ilc_storage storage);
void     ilc__store_bits(void *data, int64_t index, ilc_storage storage, uint64_t bits);
/* The numbers in an element of storage or layout: for a scalar itself. */
const ilc__leaf *ilc__cells_of(ilc__arena *arena, ilc_storage storage, const ilc_struct *layout, uint32_t *count);
/* "#3f800000 (1)" */
char *ilc__show_bits(ilc__arena *arena, ilc_storage storage, uint64_t bits);
/* The exception of a place in emitted text. */
ilc_trap   ilc__trap_at(const ilc__site *site);
ilc_status ilc__fail_trap(ilc_session *session, const ilc_launch_result *result);

#endif
