/* children.c - `call --batch` by a compiled engine: a child process answers and is killed when a line takes longer
 * than the limit; the next child goes on behind that line.
 *
 * The child writes to a pipe: 'S' when a call begins, 'A', a length and the answer when it has ended, 'X' and an
 * exit code when the engine cannot be had. */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch.h"
#include "platform.h"

/* Lines whose methods are compiled together; bytes that are written, or read, at once. */
enum { CHUNK = 4000, PIECE = 64 * 1024 };

typedef struct batch_task {
    const cli_settings *settings;
    const char         *file;
    const line_set     *lines;
} batch_task;

/* --- the child ---------------------------------------------------------------------------------------------------- */

typedef struct outbox { /* written in one piece, so that a line costs one system call */
    int    fd;
    char  *bytes;
    size_t size, capacity;
} outbox;

static void put(outbox *box, const void *bytes, size_t size)
{
    if (box->size + size > box->capacity) {
        box->capacity = (box->size + size) * 2;
        box->bytes = must_grow(box->bytes, box->capacity);
    }
    memcpy(box->bytes + box->size, bytes, size);
    box->size += size;
}

static void flush(outbox *box)
{
    for (size_t at = 0; at < box->size;) {
        size_t  left = box->size - at;
        ssize_t written = write(box->fd, box->bytes + at, left < PIECE ? (unsigned)left : PIECE);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _Exit(EXIT_BUG);
        at += (size_t)written;
    }
    box->size = 0;
}

static void prepare_chunk(cli_batch *batch, const line_set *lines, uint32_t from)
{
    ilc_method **methods = must_alloc(sizeof *methods * CHUNK);
    size_t       count = 0;
    ilc_call_options options;
    batch_call_options(batch, &options);
    for (uint32_t i = from; i < lines->count && i < from + CHUNK; i++) {
        cli_request request;
        request_read(batch, lines->items[i], lines->lengths[i], &request);
        if (!request.error && request.status == ILC_OK) methods[count++] = request.method;
        request_forget(batch, &request);
    }
    /* What cannot be compiled is said by its own line. */
    ilc_call_prepare(methods, count, &options);
    ilc_session_clear_diagnostics(batch->session);
    free(methods);
}

static void answer_line(cli_batch *batch, const line_set *lines, uint32_t i, outbox *box)
{
    platform_memory answer;
    cli_request     request;
    request_read(batch, lines->items[i], lines->lengths[i], &request);
    put(box, "S", 1);
    flush(box);
    if (!platform_memory_open(&answer)) _Exit(EXIT_BUG);
    request_answer(batch, &request, answer.file);
    if (!platform_memory_close(&answer)) _Exit(EXIT_BUG);
    request_forget(batch, &request);
    uint32_t length = (uint32_t)answer.size;
    put(box, "A", 1);
    put(box, &length, sizeof length);
    put(box, answer.text, length);
    free(answer.text);
}

static void run_child(void *user, uint32_t from, int fd)
{
    const batch_task *task = user;
    const line_set   *lines = task->lines;
    outbox            box = {.fd = fd};
    cli_batch         batch;
    int               code = batch_open(&batch, task->settings, task->file);
    if (code != EXIT_DONE) {
        char byte = (char)code;
        put(&box, "X", 1);
        put(&box, &byte, 1);
        flush(&box);
        _Exit(code);
    }
    /* The parent holds the time. */
    batch.limit = 0;
    for (uint32_t i = from; i < lines->count; i++) {
        if ((i - from) % CHUNK == 0) {
            flush(&box);
            prepare_chunk(&batch, lines, i);
        }
        answer_line(&batch, lines, i, &box);
    }
    flush(&box);
    _Exit(EXIT_DONE);
}

/* --- the parent --------------------------------------------------------------------------------------------------- */

typedef struct worker {
    platform_child process;
    uint32_t line;    /* the one that it is at */
    bool     running; /* a call */
    double   since;
    char    *bytes; /* received and not yet understood */
    size_t   size, capacity;
} worker;

/* Takes whole messages out of what was received. Returns an exit code when the child said that it cannot go on. */
static int take_messages(worker *child)
{
    size_t at = 0;
    int    code = EXIT_DONE;
    while (at < child->size && code == EXIT_DONE) {
        char     kind = child->bytes[at];
        uint32_t length;
        if (kind == 'S') {
            child->running = true;
            child->since = platform_seconds();
            at++;
        } else if (kind == 'X') {
            if (child->size - at < 2) break;
            code = (unsigned char)child->bytes[at + 1];
            at += 2;
        } else {
            if (child->size - at < 1 + sizeof length) break;
            memcpy(&length, child->bytes + at + 1, sizeof length);
            if (child->size - at < 1 + sizeof length + length) break;
            fwrite(child->bytes + at + 1 + sizeof length, 1, length, stdout);
            at += 1 + sizeof length + length;
            child->running = false;
            child->line++;
        }
    }
    memmove(child->bytes, child->bytes + at, child->size - at);
    child->size -= at;
    return code;
}

/* Waits for bytes: 1 some came, 0 the child is gone, -1 the running call took too long. */
static int receive(worker *child, double limit)
{
    double left = child->running ? child->since + limit - platform_seconds() : -1;
    if (child->running && left < 0) left = 0;
    if (child->capacity - child->size < PIECE) {
        child->capacity = child->capacity * 2 + PIECE;
        child->bytes = must_grow(child->bytes, child->capacity);
    }
    long got = platform_child_receive(&child->process, child->bytes + child->size, child->capacity - child->size, left);
    if (got <= 0) return (int)got;
    child->size += (size_t)got;
    return 1;
}

static void answer_failure(const line_set *lines, uint32_t i, const char *reason)
{
    const char         *why;
    struct json_object *json = json_parse_exact(lines->items[i], lines->lengths[i], &why), *id = NULL;
    if (json && json_object_get_type(json) == json_type_object) json_object_object_get_ex(json, "id", &id);
    printf("{\"id\":%s,\"error\":{\"reason\":\"%s\"}}\n",
           json_object_to_json_string_ext(id, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE), reason);
    json_object_put(json);
}

int batch_in_children(const cli_settings *settings, const char *file, const line_set *lines)
{
    batch_task task = {settings, file, lines};
    worker     child = {0};
    uint32_t   from;
    int        fd, code = EXIT_DONE;
    if (platform_is_child(&from, &fd)) run_child(&task, from, fd);
    for (uint32_t next = 0; next < lines->count && code == EXIT_DONE;) {
        int state = 1;
        child = (worker){.line = next, .bytes = child.bytes, .capacity = child.capacity};
        if (!platform_child_start(&child.process, run_child, &task, next, lines->bytes, lines->size)) {
            code = say(EXIT_BUG, "no process: %s", strerror(errno));
            break;
        }
        while (code == EXIT_DONE && child.line < lines->count && (state = receive(&child, settings->limit)) > 0)
            code = take_messages(&child);
        platform_child_end(&child.process);
        next = child.line;
        if (code != EXIT_DONE || next >= lines->count) break;
        answer_failure(lines, next++, state < 0 ? "time limit" : "the compiled code ended the process");
    }
    free(child.bytes);
    return code;
}
