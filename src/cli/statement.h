/* statement.h - the statements of `run`: "dot = Stats.Gram(Single[],Int32,Int32,Int32)(x, cols)[rows,rows]". */
#ifndef CLI_STATEMENT_H
#define CLI_STATEMENT_H

#include <stdbool.h>

enum { STATEMENT_MAX_ARGS = 64, STATEMENT_MAX_EXTENTS = 3 };

typedef struct statement {
    char *result; /* NULL: none named */
    char *method; /* with parameter types where they were given */
    bool  has_args, has_extents;
    int   arg_count, extent_count;
    char *args[STATEMENT_MAX_ARGS];
    char *extents[STATEMENT_MAX_EXTENTS];
} statement;

/* Returns NULL, or what is wrong. statement_free in any case. */
const char *statement_parse(const char *text, statement *out);
void        statement_free(statement *statement);

#endif
