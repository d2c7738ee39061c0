/* os_posix.c - files, folders, the environment and clocks on POSIX (os.h).
 *
 * Processes and libraries are in os_process_posix.c, threads in threads_posix.c. No descriptor is open while
 * arena memory is asked for: that may jump to the landing pad. */
#define _GNU_SOURCE
#include "base/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Up to this size a file is read, so that a writer that truncates it meanwhile (a build in progress) cannot
 * fault us; larger ones, as an installed .NET's (15 MB, 8 ms to read), are mapped. */
enum { READ_LIMIT = 1024 * 1024 };

/* What ilc__file.handle points to. */
typedef struct storage {
    void  *mapping; /* or NULL: the bytes follow this header */
    size_t size;
} storage;

static const char *why(int error)
{
    switch (error) {
    case ENOENT: return "there is no such file";
    case EACCES: return "permission was denied";
    case EISDIR: return "it is a folder";
    case ENOSPC: return "the disk is full";
    case EROFS: return "the file system is read-only";
    case ENOTDIR: return "a part of the path is not a folder";
    case ENAMETOOLONG: return "the name is too long";
    default: return "the system reported an error";
    }
}

static ilc_status file_failed(ilc__context *ctx, const char *path, const char *verb, int error)
{
    ilc__where where = {.path = path};
    return ilc__fail(ctx, ILC_IO, &where, "the file could not be %s: %s", verb, why(error));
}

/* Reads until size bytes are there or the file ends. -1 on error. */
static ssize_t read_whole(int fd, void *to, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(fd, (char *)to + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* 0, or an errno. */
static int take_contents(int fd, size_t size, ilc__file *out)
{
    bool     mapped = size > READ_LIMIT;
    storage *keep = malloc(sizeof *keep + (mapped ? 0 : size + 1));
    if (!keep) return ENOMEM;
    *keep = (storage){NULL, size};
    if (mapped) {
        keep->mapping = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (keep->mapping == MAP_FAILED) {
            int error = errno;
            free(keep);
            return error;
        }
        *out = (ilc__file){keep->mapping, size, keep};
        return 0;
    }
    ssize_t got = read_whole(fd, keep + 1, size);
    if (got < 0) {
        int error = errno;
        free(keep);
        return error;
    }
    *out = (ilc__file){(const uint8_t *)(keep + 1), (size_t)got, keep};
    return 0;
}

ilc_status ilc__file_map(ilc__context *ctx, const char *path, ilc__file *out)
{
    *out = (ilc__file){0};
    /* O_NONBLOCK, so that opening a FIFO does not wait for its writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return file_failed(ctx, path, "read", errno);
    struct stat info;
    int         error = 0;
    bool        regular = true;
    if (fstat(fd, &info) != 0)
        error = errno;
    else if (S_ISDIR(info.st_mode))
        error = EISDIR;
    else if (!S_ISREG(info.st_mode))
        regular = false;
    else if ((uint64_t)info.st_size > SIZE_MAX / 2)
        error = EFBIG;
    else
        error = take_contents(fd, (size_t)info.st_size, out);
    close(fd);
    ilc__where where = {.path = path};
    if (!regular)
        return ilc__fail(ctx, ILC_IO, &where, "the file could not be read: it is not a regular file");
    if (error == ENOMEM)
        return ilc__fail(ctx, ILC_OUT_OF_MEMORY, &where, "there was no memory to read the file");
    if (error) return file_failed(ctx, path, "read", error);
    return ILC_OK;
}

void ilc__file_unmap(ilc__file *file)
{
    storage *keep = file->handle;
    if (keep && keep->mapping) munmap(keep->mapping, keep->size);
    free(keep);
    *file = (ilc__file){0};
}

bool ilc__file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool ilc__directory_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool ilc__directory_private(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) return false;
    return (info.st_uid == geteuid() || info.st_uid == 0) && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* 0, or an errno. */
static int write_whole(int fd, const void *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t put = write(fd, (const char *)bytes + done, size - done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return errno;
        done += (size_t)put;
    }
    return 0;
}

/* A device or pipe cannot be replaced by renaming, only written to. */
static int write_through(const char *path, const void *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return errno;
    int error = write_whole(fd, bytes, size);
    if (close(fd) != 0 && !error) error = errno;
    return error;
}

static int write_beside(const char *path, const char *beside, const void *bytes, size_t size, unsigned mode)
{
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, (mode_t)mode);
    if (fd < 0) return errno;
    int error = write_whole(fd, bytes, size);
    if (close(fd) != 0 && !error) error = errno;
    if (!error && rename(beside, path) != 0) error = errno;
    if (error) unlink(beside);
    return error;
}

ilc_status ilc__file_write(ilc__context *ctx, const char *path, const void *bytes, size_t size, unsigned mode)
{
    static atomic_uint counter;
    struct stat        info;
    int                error;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return file_failed(ctx, path, "written", EISDIR);
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        error = write_through(path, bytes, size);
    } else {
        /* Where path is a link, what it points to is replaced and the link stays. */
        char *real = realpath(path, NULL);
        char *target = ilc__arena_strdup(&ctx->arena, real ? real : path);
        free(real);
        char *beside = ilc__arena_printf(&ctx->arena, "%s.%ld.%u.tmp", target, (long)getpid(),
                                         atomic_fetch_add(&counter, 1));
        error = write_beside(target, beside, bytes, size, mode);
    }
    return error ? file_failed(ctx, path, "written", error) : ILC_OK;
}

bool ilc__directory_make(const char *path, unsigned mode)
{
    size_t length = strlen(path);
    char   part[4096];
    if (length == 0 || length >= sizeof part) return false;
    memcpy(part, path, length + 1);
    for (size_t i = 1; i < length; i++) {
        if (part[i] != '/') continue;
        part[i] = 0;
        (void)mkdir(part, (mode_t)mode); /* what really failed shows at the end */
        part[i] = '/';
    }
    (void)mkdir(part, (mode_t)mode);
    return ilc__directory_exists(path);
}

bool ilc__directory_names(const char *path, char *names, size_t room, size_t *length)
{
    DIR *folder = opendir(path);
    *length = 0;
    if (!folder) return false;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t size = strlen(entry->d_name) + 1;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (names && *length + size > room) break;
        if (names) memcpy(names + *length, entry->d_name, size);
        *length += size;
    }
    closedir(folder);
    return true;
}

void ilc__file_remove(const char *path)
{
    unlink(path);
}

void ilc__file_touch(const char *path)
{
    const struct timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
    utimensat(AT_FDCWD, path, times, 0);
}

bool ilc__file_stat(const char *path, uint64_t *size, int64_t *used_ns)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    *size = (uint64_t)info.st_size;
    *used_ns = (int64_t)info.st_atim.tv_sec * 1000000000 + info.st_atim.tv_nsec;
    return true;
}

size_t ilc__file_peek(const char *path, char *buffer, size_t size)
{
    buffer[0] = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return 0;
    ssize_t got = read_whole(fd, buffer, size - 1);
    close(fd);
    if (got < 0) got = 0;
    buffer[got] = 0;
    return (size_t)got;
}

char *ilc__temporary_make(ilc__arena *arena)
{
    const char *base = ilc__environment("TMPDIR");
    char       *path = ilc__arena_printf(arena, "%s/ilcuda-XXXXXX", base ? base : "/tmp");
    char       *fallback = ilc__arena_strdup(arena, "/tmp/ilcuda-XXXXXX");
    if (mkdtemp(path)) return path;
    return mkdtemp(fallback);
}

void ilc__temporary_remove(const char *path)
{
    DIR *folder = opendir(path);
    if (folder) {
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
        closedir(folder);
    }
    rmdir(path);
}

/* XDG base directory specification: a relative path is to be ignored. */
const char *ilc__cache_home(ilc__arena *arena)
{
    const char *base = ilc__environment("XDG_CACHE_HOME");
    if (base && base[0] == '/') return base;
    const char *home = ilc__environment("HOME");
    return home && home[0] == '/' ? ilc__arena_printf(arena, "%s/.cache", home) : NULL;
}

const char *ilc__environment(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

double ilc__clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A container's share of the processors (cgroup v2 cpu.max: "quota period", in microseconds); 0: no limit. */
static unsigned processor_quota(void)
{
    char      text[64];
    long long quota, period;
    if (!ilc__file_peek("/sys/fs/cgroup/cpu.max", text, sizeof text)) return 0;
    if (sscanf(text, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0) return 0;
    long long whole = (quota + period - 1) / period;
    return whole > 4096 ? 0 : (unsigned)whole;
}

void ilc__sleep_ms(unsigned milliseconds)
{
    struct timespec rest = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) continue;
}

unsigned ilc__processor_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) count = CPU_COUNT(&allowed);
#endif
    unsigned quota = processor_quota();
    if (quota && (long)quota < count) count = (long)quota;
    return count > 0 ? (unsigned)count : 1;
}

uint64_t ilc__process_id(void)
{
    return (uint64_t)getpid();
}
