/* platform.h - what the commands ask of the operating system; platform_posix.c and platform_win32.c know how. Paths and
 * arguments are UTF-8. */
#ifndef CLI_PLATFORM_H
#define CLI_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Called first: arguments and the console in UTF-8, standard streams of bytes as they are. */
void platform_begin(int *argc, char ***argv);

FILE *platform_open(const char *path, const char *mode); /* as fopen */
void  platform_remove(const char *path);                 /* also from a signal handler */
/* On standard error, also from a signal handler. */
void  platform_last_words(const char *line);
bool  platform_is_terminal(FILE *file);
bool  platform_is_regular(FILE *file);
/* Do both name one regular file, there or to be made? */
bool platform_same_file(const char *a, const char *b);

double platform_seconds(void);                             /* monotonic */
void   platform_cost(double *seconds, long *faults);       /* of this process, so far; pages that the system brought */
void   platform_keep_memory(void); /* what is freed from now on stays with this process, where the C library lets one say so */
/* Calls fire after so many seconds, on another thread or in a signal handler; one timer at a time. 0: not any more. */
void platform_timer(double seconds, void (*fire)(void));

/* A file that is whole at the end or as it was: written beside and renamed; a link stays, what it points to is replaced. Devices
 * and pipes are written to. Both return NULL, or why not; what is closed as not whole is removed. */
typedef struct platform_output {
    FILE *file;
    char *target, *beside; /* beside NULL: a device */
    bool  made;            /* target was, to be replaced */
} platform_output;
const char *platform_output_open(platform_output *out, const char *path);
const char *platform_output_close(platform_output *out, bool whole);

/* A stream into memory; its text, which the caller frees, after the closing. */
typedef struct platform_memory {
    FILE  *file;
    char  *text;
    size_t size;
} platform_memory;
bool platform_memory_open(platform_memory *out);
bool platform_memory_close(platform_memory *memory);

/* A child process that runs `run` with a descriptor to write to, and ends. On Windows it is this program, started again with the
 * same arguments and `input` as its standard input, which comes to platform_is_child by itself. */
typedef struct platform_child {
    intptr_t process, pipe;
} platform_child;
bool platform_child_start(platform_child *out, void (*run)(void *user, uint32_t from, int fd), void *user, uint32_t from,
                          const void *input, size_t size);
bool platform_is_child(uint32_t *from, int *fd); /* Windows alone */
/* Waits for bytes, at most so many seconds (< 0: any): their count, 0 the child is gone, -1 time is up. */
long platform_child_receive(const platform_child *child, void *bytes, size_t size, double seconds);
void platform_child_end(const platform_child *child);

#endif
