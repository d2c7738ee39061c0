/* fake_run.c - programs of the device are shared objects, made by g++ through cuda_harness.h (fake_run.h). */
#define _GNU_SOURCE
#include "fake_run.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

static const char header[] = "FAKE-RUN %31s %zu\n";

/* --- compiling ------------------------------------------------------------------------------------------------------ */

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)length + 1);
    *size = fread(bytes, 1, (size_t)length, file);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

/* Behind the text: an entry for each kernel in it. */
static void write_entries(FILE *file, const char *source)
{
    static const char word[] = "__global__ void ";
    for (const char *at = source; (at = strstr(at, word)) != NULL;) {
        at += sizeof word - 1;
        if (strncmp(at, "__launch_bounds__", 17) == 0) at += strcspn(at, ")") + 2;
        fprintf(file, "HARNESS_ENTRY(%.*s)\n", (int)strcspn(at, "("), at);
    }
}

static int run_compiler(const char *folder)
{
    char text[512], object[512], printed[512];
    snprintf(text, sizeof text, "%s/kernel.cpp", folder);
    snprintf(object, sizeof object, "%s/kernel.so", folder);
    snprintf(printed, sizeof printed, "%s/log", folder);
    const char *argv[] = {FAKE_RUN_COMPILER, FAKE_RUN_OPTIONS, "-I", FAKE_RUN_INCLUDE, "-o", object, text, NULL};
    char      **words;
    const void *from = argv;
    memcpy(&words, &from, sizeof words);
    pid_t child = fork();
    if (child == 0) {
        int log = open(printed, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(log, 1);
        dup2(log, 2);
        execvp(words[0], words);
        _exit(127);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *compile_in(const char *folder, const char *source, size_t *size, char **log)
{
    char path[512];
    snprintf(path, sizeof path, "%s/kernel.cpp", folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "#include \"cuda_harness.h\"\n#line 1 \"kernel.cu\"\n%s\n", source);
    write_entries(file, source);
    fclose(file);
    int exit_code = run_compiler(folder);
    snprintf(path, sizeof path, "%s/%s", folder, exit_code ? "log" : "kernel.so");
    char *bytes = read_all(path, size);
    if (!exit_code) return bytes;
    *log = bytes ? bytes : strdup("error: " FAKE_RUN_COMPILER " could not be run");
    return NULL;
}

static char *compile(const char *source, size_t *size, char **log)
{
    static const char *const files[] = {"kernel.cpp", "kernel.so", "log"};
    const char              *base = getenv("TMPDIR");
    char                     folder[256], path[512];
    snprintf(folder, sizeof folder, "%s/fake-nvrtc-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(folder)) return NULL;
    char *object = compile_in(folder, source, size, log);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
    return object;
}

/* What was compiled before. */
static struct memo {
    struct memo *next;
    char        *source, *object;
    size_t       size;
} *memos;
static pthread_mutex_t memo_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct memo *compile_once(const char *source, char **log)
{
    for (struct memo *m = memos; m; m = m->next)
        if (strcmp(m->source, source) == 0) return m;
    size_t size;
    char  *object = compile(source, &size, log);
    if (!object) return NULL;
    struct memo *made = malloc(sizeof *made);
    *made = (struct memo){memos, strdup(source), object, size};
    return memos = made;
}

char *fake_run_compile(const char *arch, const char *source, size_t *size, char **log)
{
    *log = NULL;
    pthread_mutex_lock(&memo_lock);
    const struct memo *made = compile_once(source, log);
    pthread_mutex_unlock(&memo_lock);
    if (!made) return NULL;
    char *image = malloc(made->size + 128);
    int   length = snprintf(image, 128, "FAKE-RUN %s %zu\n", arch, made->size);
    memcpy(image + length, made->object, made->size);
    *size = (size_t)length + made->size;
    return image;
}

/* --- loading and running ---------------------------------------------------------------------------------------------- */

struct fake_run_module {
    void          *library;
    harness_kernel kernel;
};

/* The loader knows libraries by their names, and numbers of descriptors come again: so each name is made different, by
 * "./" for a set bit of a counter and "/" for a clear one. */
static void *load_library(const char *bytes, size_t size)
{
    static unsigned counter;
    char            path[128] = "/proc/self/fd/";
    size_t          at = strlen(path);
    int             fd = memfd_create("fake-cuda-module", MFD_CLOEXEC);
    if (fd < 0) return NULL;
    void    *library = NULL;
    unsigned number = __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
    for (unsigned bit = 0; bit < 32; bit++) {
        if (number >> bit & 1) path[at++] = '.';
        path[at++] = '/';
    }
    snprintf(path + at, sizeof path - at, "%d", fd);
    if (write(fd, bytes, size) == (ssize_t)size) library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "fake-cuda: %s\n", dlerror());
    close(fd);
    return library;
}

fake_run_module *fake_run_load(const char *image)
{
    char   arch[32];
    size_t size = 0;
    void (*shared)(char **, char **);
    if (sscanf(image, header, arch, &size) != 2) return NULL;
    void *library = load_library(strchr(image, '\n') + 1, size);
    if (!library) return NULL;
    fake_run_module *module = calloc(1, sizeof *module);
    module->library = library;
    module->kernel.here = dlsym(library, "harness_here");
    module->kernel.table = dlsym(library, "harness_rt");
    void *symbol = dlsym(library, "harness_shared");
    memcpy(&shared, &symbol, sizeof shared);
    shared(&module->kernel.shared, &module->kernel.shared_end);
    return module;
}

void fake_run_unload(fake_run_module *module)
{
    if (!module) return;
    dlclose(module->library);
    free(module);
}

void *fake_run_find(fake_run_module *module, const char *name)
{
    char symbol[512];
    snprintf(symbol, sizeof symbol, "harness_entry_%s", name);
    return dlsym(module->library, symbol);
}

int fake_run_launch(fake_run_module *module, void *function, const unsigned grid[3], const unsigned block[3], void **parameters)
{
    harness_kernel kernel = module->kernel;
    memcpy(&kernel.entry, &function, sizeof kernel.entry);
    const char *error = harness_launch(&kernel, parameters, grid, block);
    if (error) fprintf(stderr, "fake-cuda: %s\n", error);
    return error != NULL;
}
