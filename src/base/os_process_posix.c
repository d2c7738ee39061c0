/* os_process_posix.c - other programs and shared libraries on POSIX (os.h). The one caller of dlopen. */
#define _GNU_SOURCE
#include "base/os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* --- processes --------------------------------------------------------------------------------------------
 */

static bool make_pipe(int ends[2])
{
#ifdef __linux__
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
#else
    if (pipe(ends) != 0) return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return true;
}

/* Starts argv with both streams into output; -1 is /dev/null. It leads a process group of its own, so that its children
 * (cc1, ld) can be stopped with it and a terminal's signals to ours do not reach it, and starts with no signal blocked or ignored. */
static bool start(const char *const *argv, int input, int output, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t          attributes;
    sigset_t                   none, ignored;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return false;
    }
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    sigaddset(&ignored, SIGCHLD);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (input < 0) posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    else posix_spawn_file_actions_adddup2(&actions, input, 0);
    for (int stream = 1; stream <= 2; stream++) {
        if (output < 0) posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
        else posix_spawn_file_actions_adddup2(&actions, output, stream);
    }
    /* posix_spawnp takes char *const argv[] and does not write to it. */
    char **words;
    memcpy(&words, &argv, sizeof words);
    int error = posix_spawnp(pid, argv[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error == 0;
}

typedef struct child {
    pid_t  pid;
    int    output;
    char  *text;
    size_t length, limit;
    bool   ended, closed;
    int    status;
} child;

static void drain(child *c)
{
    char spill[4096];
    for (;;) {
        size_t  room = c->limit - c->length;
        ssize_t got = read(c->output, room ? c->text + c->length : spill, room ? room : sizeof spill);
        if (got > 0) {
            if (room) c->length += (size_t)got;
        } else if (got == 0) {
            c->closed = true;
            return;
        } else if (errno != EINTR) {
            return;
        }
    }
}

static void reap(child *c, bool wait_for_it)
{
    pid_t got;
    do
        got = waitpid(c->pid, &c->status, wait_for_it ? 0 : WNOHANG);
    while (got < 0 && errno == EINTR);
    if (got == c->pid) c->ended = true;
    /* A host program that ignores SIGCHLD leaves no status to fetch; who needs the result looks for it. */
    if (got < 0) c->ended = true, c->status = 0;
}

/* Until the child has ended, or false at the deadline. A grandchild may hold the pipe open for longer than
 * the child lives, so the pipe's end alone is not waited for. */
static bool follow(child *c, double deadline)
{
    int wait_ms = 1;
    while (!c->ended) {
        struct pollfd wanted = {c->output, POLLIN, 0};
        if (c->closed)
            poll(NULL, 0, 1);
        else if (poll(&wanted, 1, wait_ms) > 0)
            drain(c);
        reap(c, false);
        if (!c->ended && ilc__clock_seconds() > deadline) return false;
        if (wait_ms < 20) wait_ms++;
    }
    if (!c->closed) drain(c);
    return true;
}

bool ilc__process_run(ilc__arena *arena, const char *const *argv, double limit_seconds, size_t max_output,
                      int *exit_code, char **output)
{
    int   ends[2];
    child c = {.text = ilc__arena_alloc(arena, max_output + 1), .limit = max_output};
    *output = c.text;
    *exit_code = -1;
    if (!make_pipe(ends)) return false;
    c.output = ends[0];
    bool started = start(argv, -1, ends[1], &c.pid);
    close(ends[1]);
    bool finished = started && follow(&c, ilc__clock_seconds() + limit_seconds);
    if (started && !finished) {
        kill(-c.pid, SIGKILL);
        drain(&c);
        reap(&c, true);
    }
    close(ends[0]);
    c.text[c.length] = 0;
    if (!finished) return false;
    *exit_code = WIFEXITED(c.status) ? WEXITSTATUS(c.status) : 128 + WTERMSIG(c.status);
    return true;
}

/* --- scripts that outlive this process --- */

enum { WORDS_MAX = 64 };

struct ilc__feed {
    int to;
};

/* A socket, because a pipe that nobody reads raises SIGPIPE in the host program. */
static bool make_sockets(int ends[2])
{
#ifdef SOCK_CLOEXEC
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
#else
    const int on = 1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on) == 0;
#endif
}

/* The shell goes into the background and ends; what it leaves there belongs to nobody, and no host has to wait for it. */
ilc__feed *ilc__feed_start(const char *script, const char *const *words)
{
    static const char into_background[] = "exec 3<&0; { eval \"$0\"; } <&3 3<&- &";
    const char       *argv[WORDS_MAX + 5] = {"sh", "-c", into_background, script};
    size_t            count = 0;
    int               ends[2], status;
    pid_t             pid;
    for (; words[count]; count++) {
        if (count == WORDS_MAX) return NULL;
        argv[4 + count] = words[count];
    }
    ilc__feed *feed = malloc(sizeof *feed);
    if (!feed || !make_sockets(ends)) {
        free(feed);
        return NULL;
    }
    feed->to = ends[0];
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    bool started = start(argv, ends[1], -1, &pid);
    close(ends[1]);
    if (started) {
        pid_t got;
        do got = waitpid(pid, &status, 0);
        while (got < 0 && errno == EINTR);
        started = got < 0 || status == 0; /* a host that ignores SIGCHLD leaves no status */
    }
    if (started) return feed;
    ilc__feed_close(feed);
    return NULL;
}

bool ilc__feed_send(ilc__feed *feed, const char *line)
{
    size_t  length = strlen(line);
    ssize_t sent;
#ifdef MSG_NOSIGNAL
    do sent = send(feed->to, line, length, MSG_NOSIGNAL);
#else
    do sent = send(feed->to, line, length, 0);
#endif
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)length;
}

void ilc__feed_close(ilc__feed *feed)
{
    if (!feed) return;
    close(feed->to);
    free(feed);
}

/* --- libraries --------------------------------------------------------------------------------------------
 */

void *ilc__library_open(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

void *ilc__library_loaded(const char *name)
{
#ifdef RTLD_NOLOAD
    return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
#else
    (void)name;
    return NULL;
#endif
}

static bool write_fully(int fd, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = write(fd, (const char *)bytes + done, size - done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return false;
        done += (size_t)put;
    }
    return true;
}

static atomic_uint image_counter;

#ifdef __linux__
/* A number as "/" and "./", which change nothing of a path. */
static size_t put_bits(char *path, size_t at, uint64_t number, unsigned bits)
{
    for (unsigned bit = 0; bit < bits; bit++) {
        if (number >> bit & 1) path[at++] = '.';
        path[at++] = '/';
    }
    return at;
}

/* An anonymous file needs no folder that can be written to and executed from. The loader knows libraries by
 * their name as given, and descriptor numbers come back; so each name is made different, by "./" for a set
 * bit of a counter and "/" for a clear one; and of its address, as the process may hold another copy of this library. */
static void *load_anonymous(const void *bytes, size_t size)
{
    int fd = memfd_create("ilcuda-module", MFD_CLOEXEC);
    if (fd < 0) return NULL;
    void *library = NULL;
    if (write_fully(fd, bytes, size)) {
        char   path[192] = "/proc/self/fd/";
        size_t at = strlen(path);
        at = put_bits(path, at, atomic_fetch_add(&image_counter, 1), 32);
        at = put_bits(path, at, (uint64_t)(uintptr_t)&image_counter >> 2, 46);
        snprintf(path + at, sizeof path - at, "%d", fd);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    close(fd);
    return library;
}
#else
static void *load_anonymous(const void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    return NULL;
}
#endif

static void *load_from_file(const void *bytes, size_t size)
{
    char        path[512];
    const char *base = ilc__environment("TMPDIR");
    int length = snprintf(path, sizeof path, "%s/ilcuda-%ld-%u-XXXXXX", base ? base : "/tmp", (long)getpid(),
                          atomic_fetch_add(&image_counter, 1));
    if (length < 0 || (size_t)length >= sizeof path) return NULL;
    int fd = mkstemp(path); /* 0600 */
    if (fd < 0) return NULL;
    bool  written = write_fully(fd, bytes, size);
    void *library = NULL;
    if (close(fd) == 0 && written) library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    unlink(path);
    return library;
}

void *ilc__library_load(const void *bytes, size_t size)
{
    void *library = load_anonymous(bytes, size);
    return library ? library : load_from_file(bytes, size);
}

void *ilc__library_find(void *library, const char *symbol)
{
    return dlsym(library, symbol);
}

void ilc__library_close(void *library)
{
    if (library) dlclose(library);
}
