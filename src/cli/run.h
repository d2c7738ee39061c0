/* run.h - what `run` works on: arrays and scalars by name (run_names.c), and its statements (cmd_run.c). */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli.h"
#include "npy.h"

typedef struct run_array {
    char       *name;
    npy_array   shape; /* elem, dims, shape, count; data: the input's bytes, NULL for results */
    char       *bytes; /* of the input's file */
    ilc_buffer *buffer; /* made when first used */
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

#endif
