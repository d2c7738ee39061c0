/* build.h - compiles emitted C with the compilers there are, loads it and runs entries. */
#ifndef TEST_EMIT_BUILD_H
#define TEST_EMIT_BUILD_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trees.h"

typedef struct compiler {
    const char *name, *options;
} compiler;

/* As the CPU engine compiles (docs/semantics.md, Modes). */
#define ENGINE_FLAGS                                                                                                   \
    "-std=c11 -ffp-contract=off -fwrapv -fno-strict-aliasing -fno-math-errno -fno-delete-null-pointer-checks -fPIC "  \
    "-shared -w"
static const compiler compilers[] = {
    {"tcc", "-w -shared"},
#ifndef __SANITIZE_ADDRESS__ /* what is compiled is not what the sanitizers look at: there, the quickest does */
    {"gcc", "-O0 " ENGINE_FLAGS}, {"gcc", "-O3 " ENGINE_FLAGS}, {"clang", "-O0 " ENGINE_FLAGS}, {"clang", "-O3 " ENGINE_FLAGS},
#endif
};
enum { COMPILER_COUNT = sizeof compilers / sizeof *compilers };

static inline int shell(const char *command)
{
    int status = system(command);
    return status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static inline bool have(const char *program)
{
    char command[128];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    if (shell(command) == 0) return true;
    print_message("skipped: %s is not installed\n", program);
    return false;
}

static inline const char *scratch_path(const char *suffix)
{
    static char path[4][256];
    static int  turn;
    turn = (turn + 1) % 4;
    const char *folder = getenv("TMPDIR");
    snprintf(path[turn], sizeof path[turn], "%s/ilcuda-emit-%ld%s", folder ? folder : "/tmp", (long)getpid(), suffix);
    return path[turn];
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* NULL where the compiler is missing. Fails the test where it is there and does not accept the text. */
static inline void *compile_c(const compiler *c, const char *source)
{
    char        command[1024];
    const char *in = scratch_path(".c");
    static int  number;
    char        name[32];
    snprintf(name, sizeof name, "-%d.so", number++);
    const char *out = scratch_path(name);
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", c->name);
    if (shell(command) != 0) return NULL;
    write_text(in, source);
    snprintf(command, sizeof command, "%s %s -o %s %s", c->name, c->options, out, in);
    if (shell(command) != 0) {
        print_error("%s %s refused:\n%s\n", c->name, c->options, source);
        fail();
    }
    void *library = dlopen(out, RTLD_NOW | RTLD_LOCAL);
    if (!library) print_error("%s\n", dlerror());
    assert_non_null(library);
    unlink(out);
    unlink(in);
    return library;
}

/* What a launch passes; by parameter number. */
typedef struct launch {
    int64_t  scalar[16]; /* integers, or the bits of a float                      */
    void    *array[16];
    int64_t  length[16];
    void    *out;
    int64_t  extents[3];
    uint64_t slot;      /* all ones before; afterwards the lowest failure, if any */
} launch;

typedef void entry_function(const void *const *args, const long long *begin, const long long *end);

/* 32 of each. */
static inline void pack_args(const ilc__entry *entry, launch *l, uint64_t *values, const void **args)
{
    assert_true(entry->param_count <= 32);
    l->slot = UINT64_MAX;
    for (uint32_t i = 0; i < entry->param_count; i++) {
        const ilc__kparam *p = &entry->params[i];
        switch (p->kind) {
        case ILC__KP_SCALAR: values[i] = (uint64_t)l->scalar[p->param]; break;
        case ILC__KP_ARRAY: values[i] = (uintptr_t)l->array[p->param]; break;
        case ILC__KP_OUT: values[i] = (uintptr_t)l->out; break;
        case ILC__KP_EXTENT: values[i] = (uint64_t)l->extents[p->dim]; break;
        case ILC__KP_LENGTH: values[i] = (uint64_t)l->length[p->param]; break;
        case ILC__KP_TRAP: values[i] = (uintptr_t)&l->slot; break;
        case ILC__KP_HEAP: fail_msg("an entry of no call took a heap"); break;
        }
        args[i] = &values[i];
    }
}

static inline void run_entry(void *library, const ilc__entry *entry, launch *l)
{
    const void *args[32];
    uint64_t    values[32];
    entry_function *run;
    *(void **)&run = dlsym(library, entry->name);
    assert_non_null(run);
    pack_args(entry, l, values, args);
    const long long begin[3] = {0, 0, 0}, end[3] = {l->extents[0], l->extents[1], l->extents[2]};
    run(args, begin, end);
}

static inline ilc__kernel emit(const ilc__unit *unit, ilc__kernel_spec spec, ilc__dialect dialect)
{
    ilc__emit_options options = {.dialect = dialect, .checks = true};
    ilc__kernel       kernel;
    ilc_status        status = ilc__emit_kernel(&trees, ARENA, unit, &spec, &options, &kernel);
    if (status != ILC_OK) print_error("%s\n", trees.diags.items[trees.diags.count - 1].text);
    assert_int_equal(status, ILC_OK);
    return kernel;
}

/* Says which are missing. */
static inline void name_the_missing(void)
{
    for (int c = 0; c < COMPILER_COUNT; c++)
        if (c == 0 || strcmp(compilers[c].name, compilers[c - 1].name) != 0) have(compilers[c].name);
}

/* Runs the checks for every compiler that is installed. */
#define FOR_EACH_COMPILER(library, source)                                                                             \
    for (int c_ = 0; c_ < COMPILER_COUNT; c_++)                                                                        \
        for (void *library = compile_c(&compilers[c_], source); library; dlclose(library), library = NULL)

static inline ilc__kernel_spec spec_1d(uint32_t i) { return (ilc__kernel_spec){ILC__MODE_1D, 1, {i}, NULL}; }
static inline ilc__kernel_spec spec_2d(uint32_t i, uint32_t j) { return (ilc__kernel_spec){ILC__MODE_2D, 2, {i, j}, NULL}; }
static inline ilc__kernel_spec spec_call(void) { return (ilc__kernel_spec){ILC__MODE_DEVICE, 0, {0}, NULL}; }

/* The site that a slot names, NULL when nothing failed. */
static inline const ilc__site *site_of(const ilc__kernel *kernel, uint64_t slot)
{
    if (slot == UINT64_MAX) return NULL;
    assert_true((slot & 0xffff) < kernel->site_count);
    return &kernel->sites[slot & 0xffff];
}

#endif
