/* batch.h - one request line in, one answer line out: `call --batch` (docs/cli.md). */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "cli.h"
#include "values.h"

struct json_object;

typedef struct known_method { /* a method by the name that requests use */
    char       *name;
    ilc_method *method;
} known_method;

typedef struct cli_batch {
    ilc_session  *session;
    ilc_assembly *assembly;
    ilc_engine   *engine; /* NULL: the IL interpreter */
    double        limit;  /* seconds for each call; interpreters */
    bool          trace, host_libm, unchecked;
    const char   *mode;
    known_method *known;
    uint32_t      known_count, known_capacity;
    value_pool    pool;
} cli_batch;

void batch_free(cli_batch *batch);

/* A request understood, or why not. Everything in it lives until batch_forget. */
typedef struct cli_request {
    struct json_object *json, *id;
    ilc_method         *method;
    ilc_value          *args;
    uint32_t            arg_count;
    const char         *error;  /* a bad request */
    ilc_status          status; /* of finding the method: the session's diagnostic says why */
} cli_request;

void request_read(cli_batch *batch, const char *line, size_t length, cli_request *out);
void request_forget(cli_batch *batch, cli_request *request);
/* Runs it and writes the answer's line, newline included. */
void request_answer(cli_batch *batch, const cli_request *request, FILE *out);

/* How the batch calls. */
void       batch_call_options(const cli_batch *batch, ilc_call_options *out);
/* The call itself under the time limit; what an outcome looks like in an answer, from `"ret":` on. */
ilc_status call_limited(cli_batch *batch, ilc_method *method, const ilc_value *args, uint32_t count, ilc_outcome *out);
void       outcome_write(FILE *out, ilc_method *method, const ilc_outcome *outcome, const ilc_value *args, uint32_t count);
/* The last call's; else it asked for too much memory. */
bool       call_was_late(ilc_status status);
/* `"unsupported":{...}` or `"error":{...}` for a status that is no outcome. */
void failure_write(FILE *out, ilc_session *session, ilc_status status);
/* A value as people read it: .NET's shortest text of a number, "(3, 4)" for a struct. */
void text_write(FILE *out, ilc_storage storage, const ilc_struct *layout, const void *at);
void json_string_write(FILE *out, const char *text);

typedef struct line_set { /* those of bytes that are not blank */
    const char        *bytes;
    size_t             size;
    const char *const *items;
    const size_t      *lengths;
    uint32_t           count;
} line_set;

/* A compiled engine cannot be stopped: a child process answers, and is replaced when a line takes too long. */
int batch_in_children(const cli_settings *settings, const char *file, const line_set *lines);
/* Opens assembly and engine; EXIT_DONE or an exit code, said. */
int batch_open(cli_batch *batch, const cli_settings *settings, const char *file);
/* Finds a method as requests name it. */
ilc_status batch_find(cli_batch *batch, const char *name, ilc_method **out);

#endif
