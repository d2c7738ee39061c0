/* platform_posix.c - what the commands ask of POSIX (platform.h). */
#include "platform.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

void platform_begin(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

FILE *platform_open(const char *path, const char *mode)
{
    return fopen(path, mode);
}

void platform_remove(const char *path)
{
    unlink(path);
}

void platform_last_words(const char *line)
{
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written;
}

bool platform_is_terminal(FILE *file)
{
    return isatty(fileno(file)) != 0;
}

bool platform_is_regular(FILE *file)
{
    struct stat info;
    return fstat(fileno(file), &info) != 0 || S_ISREG(info.st_mode);
}

/* Where a file that is not there yet would be: its folder as the system has it, and its name. The caller frees. */
static char *future_path(const char *path)
{
    char *copy = must_format("%s", path), *other = must_format("%s", path);
    char *folder = realpath(dirname(copy), NULL);
    char *whole = must_format("%s/%s", folder ? folder : "", basename(other));
    free(folder);
    free(copy);
    free(other);
    return whole;
}

bool platform_same_file(const char *a, const char *b)
{
    struct stat x, y;
    bool        x_there = stat(a, &x) == 0, y_there = stat(b, &y) == 0;
    if (x_there && y_there) return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    if (x_there || y_there) return false;
    char *x_path = future_path(a), *y_path = future_path(b);
    bool  same = strcmp(x_path, y_path) == 0;
    free(x_path);
    free(y_path);
    return same;
}

/* --- time ---------------------------------------------------------------------------------------------------------------- */

double platform_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void platform_cost(double *seconds, long *faults)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    *seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    *faults = usage.ru_minflt;
}

void platform_keep_memory(void)
{
#ifdef __GLIBC__ /* others have no say */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

static void (*volatile fired)(void);

static void on_alarm(int number)
{
    (void)number;
    if (fired) fired();
}

void platform_timer(double seconds, void (*fire)(void))
{
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval timer = {0};
    if (seconds > 0) {
        fired = fire;
        sigaction(SIGALRM, &action, NULL);
    }
    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec = (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6);
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* --- files that are whole ------------------------------------------------------------------------------------------------ */

/* errno stays. */
static void forget(platform_output *out, bool remove_target)
{
    int saved = errno;
    if (remove_target && out->made) unlink(out->target);
    free(out->target);
    free(out->beside);
    *out = (platform_output){0};
    errno = saved;
}

static const char *open_descriptor(platform_output *out, int fd)
{
    out->file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (out->file) return NULL;
    forget(out, true);
    return strerror(errno ? errno : EIO);
}

const char *platform_output_open(platform_output *out, const char *path)
{
    struct stat info, link;
    *out = (platform_output){0};
    bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode)) return strerror(EISDIR);
    if (there && !S_ISREG(info.st_mode)) return open_descriptor(out, open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY));
    mode_t mode = there ? info.st_mode & 0777 : 0666;
    if (!there && lstat(path, &link) == 0) { /* a link to what is not there yet */
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
        if (fd < 0) return strerror(errno);
        close(fd);
        out->made = true;
    }
    char *real = realpath(path, NULL);
    out->target = must_format("%s", real ? real : path);
    free(real);
    out->beside = must_format("%s.%ld.tmp", out->target, (long)getpid());
    const char *why = open_descriptor(out, open(out->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!why) interrupt_removes(out->beside);
    return why;
}

const char *platform_output_close(platform_output *out, bool whole)
{
    int error = whole ? 0 : errno ? errno : EIO;
    if (fclose(out->file) != 0 && !error) error = errno ? errno : EIO;
    if (out->beside) {
        if (!error && rename(out->beside, out->target) != 0) error = errno;
        if (error) unlink(out->beside);
        interrupt_removes(NULL);
    }
    forget(out, error != 0);
    return error ? strerror(error) : NULL;
}

bool platform_memory_open(platform_memory *out)
{
    *out = (platform_memory){0};
    out->file = open_memstream(&out->text, &out->size);
    return out->file != NULL;
}

bool platform_memory_close(platform_memory *memory)
{
    return fclose(memory->file) == 0;
}

/* --- children ------------------------------------------------------------------------------------------------------------ */

bool platform_child_start(platform_child *out, void (*run)(void *user, uint32_t from, int fd), void *user, uint32_t from,
                          const void *input, size_t size)
{
    int ends[2];
    (void)input; /* the child has our memory */
    (void)size;
    fflush(stdout);
    if (pipe(ends) != 0) return false;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        run(user, from, ends[1]);
        _exit(EXIT_DONE);
    }
    int error = errno;
    close(ends[1]);
    if (pid < 0) close(ends[0]);
    errno = error;
    *out = (platform_child){pid, ends[0]};
    return pid > 0;
}

bool platform_is_child(uint32_t *from, int *fd)
{
    (void)from;
    (void)fd;
    return false;
}

long platform_child_receive(const platform_child *child, void *bytes, size_t size, double seconds)
{
    double until = platform_seconds() + seconds;
    for (;;) {
        struct pollfd waiting = {.fd = (int)child->pipe, .events = POLLIN};
        double        left = seconds < 0 ? -1 : until - platform_seconds();
        int           ready = poll(&waiting, 1, seconds < 0 ? -1 : left <= 0 ? 0 : (int)(left * 1000) + 1);
        if (ready == 0) return -1;
        ssize_t got = ready < 0 ? -1 : read((int)child->pipe, bytes, size);
        if (got >= 0) return (long)got;
        if (errno != EINTR) return 0;
    }
}

void platform_child_end(const platform_child *child)
{
    kill((pid_t)child->process, SIGKILL);
    waitpid((pid_t)child->process, NULL, 0);
    close((int)child->pipe);
}
