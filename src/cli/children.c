/* children.c - `call --batch` by a compiled engine: a child process answers and is killed when a line takes longer
 * than the limit; the next child goes on behind that line.
 *
 * The child writes to a pipe: 'S' when a call begins, 'A', a length and the answer when it has ended, 'X' and an
 * exit code when the engine cannot be had. */
#include <errno.h>
#include <json-c/json.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "batch.h"

/* Lines whose methods are compiled together. */
enum { CHUNK = 4000 };

typedef struct line_set {
    const cli_settings *settings;
    const char        *file;
    const char *const *items;
    const size_t      *lengths;
    uint32_t           count;
} line_set;

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
        ssize_t written = write(box->fd, box->bytes + at, box->size - at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) _exit(EXIT_BUG);
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
    char   *text = NULL;
    size_t  size = 0;
    cli_request request;
    request_read(batch, lines->items[i], lines->lengths[i], &request);
    put(box, "S", 1);
    flush(box);
    FILE *out = open_memstream(&text, &size);
    if (!out) _exit(EXIT_BUG);
    request_answer(batch, &request, out);
    fclose(out);
    request_forget(batch, &request);
    uint32_t length = (uint32_t)size;
    put(box, "A", 1);
    put(box, &length, sizeof length);
    put(box, text, size);
    free(text);
}

static void run_child(const line_set *lines, uint32_t from, int fd)
{
    outbox box = {.fd = fd};
    cli_batch batch;
    int    code = batch_open(&batch, lines->settings, lines->file);
    if (code != EXIT_DONE) {
        char byte = (char)code;
        put(&box, "X", 1);
        put(&box, &byte, 1);
        flush(&box);
        _exit(code);
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
    _exit(EXIT_DONE);
}

/* --- the parent --------------------------------------------------------------------------------------------------- */

typedef struct worker {
    pid_t    pid;
    int      fd;
    uint32_t line;    /* the one that it is at */
    bool     running; /* a call */
    double   since;
    char    *bytes; /* received and not yet understood */
    size_t   size, capacity;
} worker;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int start(const line_set *lines, uint32_t from, worker *out)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) return say(EXIT_BUG, "no pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (pid < 0) return say(EXIT_BUG, "no process: %s", strerror(errno));
    if (pid == 0) {
        close(ends[0]);
        run_child(lines, from, ends[1]);
    }
    close(ends[1]);
    *out = (worker){.pid = pid, .fd = ends[0], .line = from, .bytes = out->bytes, .capacity = out->capacity};
    return EXIT_DONE;
}

static void end(worker *child)
{
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
    close(child->fd);
}

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
            child->since = now();
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
    enum { PIECE = 64 * 1024 };
    struct pollfd waiting = {.fd = child->fd, .events = POLLIN};
    int           left = -1;
    if (child->running) {
        double seconds = child->since + limit - now();
        left = seconds <= 0 ? 0 : (int)(seconds * 1000) + 1;
    }
    int ready = poll(&waiting, 1, left);
    if (ready < 0) return 1;
    if (ready == 0) return -1;
    if (child->capacity - child->size < PIECE) {
        child->capacity = child->capacity * 2 + PIECE;
        child->bytes = must_grow(child->bytes, child->capacity);
    }
    ssize_t got = read(child->fd, child->bytes + child->size, child->capacity - child->size);
    if (got < 0) return errno == EINTR;
    child->size += (size_t)got;
    return got > 0;
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

int batch_in_children(const cli_settings *settings, const char *file, const char *const *items, const size_t *lengths,
                      uint32_t count)
{
    line_set lines = {settings, file, items, lengths, count};
    worker child = {0};
    for (uint32_t next = 0; next < count;) {
        int code = start(&lines, next, &child);
        int state = 1;
        while (code == EXIT_DONE && child.line < count && (state = receive(&child, settings->limit)) > 0)
            code = take_messages(&child);
        if (child.pid) end(&child);
        if (code != EXIT_DONE) {
            free(child.bytes);
            return code;
        }
        next = child.line;
        if (next >= count) break;
        answer_failure(&lines, next++, state < 0 ? "time limit" : "the compiled code ended the process");
    }
    free(child.bytes);
    return EXIT_DONE;
}
