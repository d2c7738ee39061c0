/* os.h - what the operating system is asked for; only the *_posix.c and *_win32.c files beside it know how.
 * (Loading libraries, mapping files, atomic rename, processes, clocks, the environment.) Paths and other text are UTF-8, and '/'
 * parts a path on every system. */
#ifndef ILC_BASE_OS_H
#define ILC_BASE_OS_H

#include "base/diag.h"

#ifdef _WIN32
#define ILC__WINDOWS 1
#else
#define ILC__WINDOWS 0
#endif

/* Reads or maps a whole file, read-only. Regular files only. ILC_IO with a diagnostic. */
typedef struct ilc__file {
    const uint8_t *bytes;
    size_t         size;
    void          *handle;
} ilc__file;
ilc_status ilc__file_map(ilc__context *ctx, const char *path, ilc__file *out);
void       ilc__file_unmap(ilc__file *file);
bool       ilc__file_exists(const char *path);
bool       ilc__directory_exists(const char *path);
/* Writes beside and renames: path is whole afterwards or as it was. mode as 0600. */
ilc_status ilc__file_write(ilc__context *ctx, const char *path, const void *bytes, size_t size, unsigned mode);
/* Ours or root's, and nobody else can write to it: code found there may be run. */
bool       ilc__directory_private(const char *path);
bool       ilc__directory_make(const char *path, unsigned mode); /* parents too; true if it is there afterwards */
/* The names of its entries, one behind the other, each with its NUL, as many as there is room for; without names, how much
 * they take. False if the folder cannot be read. */
bool       ilc__directory_names(const char *path, char *names, size_t room, size_t *length);
/* Calls visit for each entry's name, in no order; false if the folder cannot be read. It is closed then, and the names are
 * in arena: visit may ask for memory, and jump away. */
bool       ilc__directory_each(ilc__arena *arena, const char *path, void (*visit)(void *user, const char *name), void *user);
void       ilc__file_remove(const char *path);
void       ilc__file_touch(const char *path); /* sets the access time, for the cache's order */
bool       ilc__file_stat(const char *path, uint64_t *size, int64_t *used_ns);
/* The first bytes of any readable file (also of /proc and /sys); NUL-terminated. The count, 0 on failure. */
size_t     ilc__file_peek(const char *path, char *buffer, size_t size);
/* A new private folder (0700) for temporary files; NULL if there can be none. Removed with what is in it, which
 * must be files. */
char      *ilc__temporary_make(ilc__arena *arena);
void       ilc__temporary_remove(const char *path);

void       *ilc__library_open(const char *path);   /* NULL if it cannot be loaded */
void       *ilc__library_loaded(const char *name); /* only if the process has it already; close it as well */
void       *ilc__library_load(const void *bytes, size_t size); /* an image in memory; NULL if it cannot be */
void       *ilc__library_find(void *library, const char *symbol);
void        ilc__library_close(void *library);

/* Runs argv[0] (searched in PATH) without a shell, standard input empty; its output (both streams, at most
 * max_output bytes) goes to *output. Returns false if it could not be started or ran past the limit. */
bool ilc__process_run(ilc__arena *arena, const char *const *argv, double limit_seconds, size_t max_output,
                      int *exit_code, char **output);

/* A script of the shell that nobody waits for: no child of this process, without its output, signals of its terminal and end.
 * It reads the lines that it is sent until the feed is closed or this process has ended, and then finishes. NULL where it could not
 * be started; on Windows always. words are the script's "$@". */
typedef struct ilc__feed ilc__feed;
ilc__feed *ilc__feed_start(const char *script, const char *const *words);
bool       ilc__feed_send(ilc__feed *feed, const char *line); /* false: nobody reads it, or does not keep up */
void       ilc__feed_close(ilc__feed *feed);

/* The folder for what programs keep between runs: $XDG_CACHE_HOME or ~/.cache; on Windows %LOCALAPPDATA%. NULL: none. */
const char *ilc__cache_home(ilc__arena *arena);
const char *ilc__environment(const char *name); /* NULL when unset or empty; the one place that reads it */
double      ilc__clock_seconds(void);           /* monotonic */
void        ilc__sleep_ms(unsigned milliseconds);
unsigned    ilc__processor_count(void);
uint64_t    ilc__process_id(void);

/* Threads and locks. */
typedef struct ilc__thread ilc__thread;
typedef struct ilc__mutex ilc__mutex;
typedef struct ilc__condition ilc__condition;
/* stack: bytes for it to have, 0 for the system's choice. NULL if it cannot start. */
ilc__thread    *ilc__thread_start(void (*run)(void *user), void *user, size_t stack);
void            ilc__thread_join(ilc__thread *thread);
ilc__mutex     *ilc__mutex_create(void);
void            ilc__mutex_destroy(ilc__mutex *mutex);
void            ilc__mutex_lock(ilc__mutex *mutex);
void            ilc__mutex_unlock(ilc__mutex *mutex);
ilc__condition *ilc__condition_create(void);
void            ilc__condition_destroy(ilc__condition *condition);
void            ilc__condition_wait(ilc__condition *condition, ilc__mutex *mutex);
void            ilc__condition_broadcast(ilc__condition *condition);

/* Sets round-to-nearest with denormals kept and exceptions masked; returns what restores the caller's. */
uint32_t ilc__fp_enter(void);
void     ilc__fp_leave(uint32_t saved);

#endif
