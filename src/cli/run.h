/* run.h - what `run` works on: arrays and scalars by name (run_names.c) and on the engine (run_arrays.c),
 * what is asked before anything runs (run_check.c), its launches (run_ready.c), and its statements (cmd_run.c). */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli.h"
#include "npy.h"
#include "statement.h"
#include "values.h"

typedef struct run_array {
    char       *name;
    npy_array   shape; /* elem, dims, shape, count; data: the input's bytes, NULL for results */
    char       *bytes; /* of the input's file */
    ilc_buffer *buffer; /* made when first used */

    /* As an array of arrays: how deep, and the innermost ones, each a row of the file. */
    uint32_t     nested;
    ilc_buffer **rows;
    int64_t      row_count;

    const struct program_step *bound;   /* the statement that it was last an argument of */
    const struct program_step *made_by; /* whose result it is; NULL: an input's          */
} run_array;

typedef struct run_scalar {
    char *name;
    char *text; /* decimal text, "#bits", or "null" for an array parameter */
} run_scalar;

typedef struct run_names {
    run_array  *arrays;
    int         array_count;
    run_scalar *scalars;
    int         scalar_count;
} run_names;

/* What a name is: an array, a scalar's text, or nothing. */
typedef struct named {
    run_array  *array;
    const char *scalar;
} named;

/* With its case; or, where nothing has it so and exact is false, ignoring case if that leaves one. */
named       names_find(const run_names *names, const char *name, bool exact);
run_array  *names_array(const run_names *names, const char *name); /* the same among arrays; NULL */
const char *names_scalar(const run_names *names, const char *name);
/* A new array of that name, case and all, in place of any earlier one. */
run_array *names_put(run_names *names, const char *name);
/* Reads --in, --shape and --set. EXIT_DONE or an exit code, said. */
int  names_read(run_names *names, const cli_settings *settings);
void names_free(run_names *names);
/* "NAME=REST": the name's length, or 0 when there is no name. */
size_t name_length(const char *text);
/* A number, or the name of an integer scalar. False, said. */
bool names_extent(const run_names *names, const char *text, int64_t *out);

enum { MOST_CANDIDATES = 64 };

struct json_object;

typedef struct program_step {
    statement   statement;
    ilc_method *method;
    ilc_kernel *kernel;  /* of task, or translated beforehand; NULL */
    ilc_task   *task;    /* ready to be started; NULL */
    const ilc_plan_note *plan; /* --plan */
    size_t      plan_count;
    bool        dropped; /* a statement before it raised an exception or failed: its results are none */
} program_step;

typedef struct run_state {
    const cli_settings *settings;
    ilc_session        *session;
    ilc_assembly       *assembly;
    ilc_engine         *engine;
    run_names           names;
    program_step       *steps;
    int                 step_count;
    int                 first_ready; /* of the steps with a task, which stand in a row */
    struct json_object *report;
    bool                engine_said, tier_said;
    value_pool          pool; /* of structs given by value */
} run_state;

/* The methods that a statement's name fits, over the rows that --rows says; as ilc_assembly_find_all. */
ilc_status run_find_all(const run_state *run, const char *name, ilc_method **out, size_t capacity, size_t *count);
bool run_is_index(const run_state *run, ilc_method *method, uint32_t number);
/* What stands for a parameter: its name, or, by position among those that are no index, the statement's. */
const char *run_expression(const run_state *run, const statement *s, ilc_method *method, uint32_t number);

/* --- launches and what is said of them (run_ready.c) --- */
struct run_measure;
void run_print_engine(run_state *run); /* once, before the first kernel's line */
/* measure: of mode fast; else NULL. */
void run_report(run_state *run, const program_step *step, const ilc_kernel *kernel, ilc_status status, const ilc_launch_result *result,
                const struct run_measure *measure);
/* Does some element write to an argument? */
bool run_writes_arguments(const run_state *run, ilc_kernel *kernel);
/* May the launch be made ready and wait for others? On a device, where nobody needs its outcome, and a later one undoes nothing. */
bool run_may_wait(const run_state *run, ilc_kernel *kernel, bool measured);
/* Is there an array already of a name that the statement gives? */
bool run_replaces(const run_state *run, const statement *s);
/* Starts what is ready, waits, and reports it in its order; behind what raised there are no results. EXIT_DONE or an exit code, said. */
int  run_ready(run_state *run);

/* --- arrays on the engine (run_arrays.c) --- */
ilc_status run_make_buffer(run_state *run, const ilc_param *param, int64_t count, ilc_buffer **out);
/* The array as the parameter takes it: an array of arrays has the rows of a file of two or three dimensions. EXIT_DONE or an
 * exit code, said. */
int        run_upload(run_state *run, const program_step *step, run_array *array, const ilc_param *param, ilc_buffer **out);
/* All its elements, row after row. */
ilc_status run_array_read(const run_array *array, void *out);

enum { MOST_PARAMS = 256, MOST_OUTPUTS = 64 /* of a struct result (ilcuda/method.h) */ };

/* --- mode fast beside mode exact (run_measure.c) --- */
typedef struct run_measure {
    const char   *why; /* it could not be measured; NULL */
    size_t        count;
    ilc_buffer   *fast[MOST_PARAMS + MOST_OUTPUTS], *exact[MOST_PARAMS + MOST_OUTPUTS]; /* what the launch writes, and copies */
    double        seconds; /* of mode exact */
    ilc_deviation deviation;
} run_measure;
/* Before the launch with these arguments; exact: the same kernel in mode exact. */
void run_measure_start(run_state *run, ilc_kernel *exact, const ilc_argument *args, size_t count, const int64_t *extents, size_t dims,
                       run_measure *out);
void run_measure_end(run_state *run, run_measure *measure); /* after it */
void run_measure_free(run_measure *measure);

/* Before anything runs: is every input used, has every --out something to write, and a file of its own? EXIT_DONE or an exit code, said. */
int run_check(const run_state *run);

#endif
