/* os_glibc_floor.c - for packages (ILCUDA_GLIBC_FLOOR): the old versions of the functions that newer glibcs have under new ones,
 * so that what is built on a new system loads on every glibc since 2.27, .NET's own floor.
 *
 * The names below are ours alone (hidden): the linker binds every caller in the program or library to them, static libraries
 * included. Each passes its arguments on to the version that has been there since 2.2.5. Before 2.34 some lived in libdl and
 * libpthread, which newer glibcs still have, empty: CMakeLists.txt links both. */
#ifdef ILCUDA_GLIBC_FLOOR
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#pragma GCC visibility push(hidden)

/* What name@GLIBC_2.2.5 is called here. */
#define OLD(result, ours, name, parameters)                    \
    __asm__(".symver " #ours "," #name "@GLIBC_2.2.5");        \
    extern __attribute__((visibility("default"))) result ours parameters

#define FLOOR(result, name, parameters, ...)   \
    OLD(result, old_##name, name, parameters); \
    result name parameters                     \
    {                                          \
        return old_##name(__VA_ARGS__);        \
    }

/* 2.34 */
FLOOR(void *, dlopen, (const char *path, int mode), path, mode)
FLOOR(void *, dlsym, (void *restrict library, const char *restrict symbol), library, symbol)
FLOOR(int, dlclose, (void *library), library)
FLOOR(int, pthread_join, (pthread_t thread, void **result), thread, result)
FLOOR(int, pthread_attr_setstacksize, (pthread_attr_t *attributes, size_t size), attributes, size)
FLOOR(int, pthread_create,
      (pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*run)(void *), void *restrict user),
      thread, attributes, run, user)
/* 2.32 */
FLOOR(int, pthread_sigmask, (int how, const sigset_t *restrict set, sigset_t *restrict old), how, set, old)
/* 2.29: those of before look for more errors; the values are the same. */
FLOOR(double, exp, (double x), x)
FLOOR(double, log, (double x), x)
FLOOR(double, log2, (double x), x)
FLOOR(double, pow, (double x, double y), x, y)

/* 2.33: before it these took the version of the structure, which is 1 on x86-64. */
enum { STAT_VERSION = 1 };
OLD(int, old_stat, __xstat, (int version, const char *path, struct stat *info));
OLD(int, old_lstat, __lxstat, (int version, const char *path, struct stat *info));
OLD(int, old_fstat, __fxstat, (int version, int fd, struct stat *info));

int stat(const char *restrict path, struct stat *restrict info)
{
    return old_stat(STAT_VERSION, path, info);
}

int lstat(const char *restrict path, struct stat *restrict info)
{
    return old_lstat(STAT_VERSION, path, info);
}

int fstat(int fd, struct stat *info)
{
    return old_fstat(STAT_VERSION, fd, info);
}

/* --- how a program starts --------------------------------------------------------------------------------------------------
 * Since 2.34 the C library finds a program's constructors itself, unless it is given a function that calls them, which the
 * one of before must be given. The library has no start: there both symbols are absent. */

typedef void constructor(int argc, char **argv, char **environment);
extern constructor *__init_array_start[] __attribute__((weak)), *__init_array_end[] __attribute__((weak));

typedef int main_function(int argc, char **argv, char **environment);
int __libc_start_main(main_function *run, int argc, char **argv, constructor *init, void (*fini)(void), void (*loader_fini)(void),
                      void *stack_end);
OLD(int, old_start, __libc_start_main,
    (main_function *run, int argc, char **argv, constructor *init, void (*fini)(void), void (*loader_fini)(void), void *stack_end));

static void construct(int argc, char **argv, char **environment)
{
    for (constructor **each = __init_array_start; each != __init_array_end; each++) (*each)(argc, argv, environment);
}

int __libc_start_main(main_function *run, int argc, char **argv, constructor *init, void (*fini)(void), void (*loader_fini)(void),
                      void *stack_end)
{
    return old_start(run, argc, argv, init ? init : construct, fini, loader_fini, stack_end);
}

#pragma GCC visibility pop
#else
typedef int ilc__glibc_floor_unused; /* a translation unit is not empty */
#endif
