/* cli.h - what the commands share: settings from the command line, errors, opening assemblies and engines. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <ilcuda/ilcuda.h>
#include <stdio.h>

/* Exit codes that are no status' own (docs/cli.md). */
enum { EXIT_DONE = 0, EXIT_NO = 1, EXIT_USAGE = 2, EXIT_INPUT = 3, EXIT_BROKEN = 5, EXIT_BUG = 70, EXIT_STOPPED = 130 };

typedef struct text_list {
    const char **items;
    int          count;
} text_list;

struct json_object;

/* Every option of every command; a command's table (options.c) says which it knows. */
typedef struct cli_settings {
    bool        help, json, quiet;
    bool        summary, strict, all, marked, msbuild; /* list       */
    bool        trace;                  /* call                      */
    bool        keep_partial;           /* run                       */
    bool        compile_only;           /* demo                      */
    bool        scale;                  /* bench                     */
    const char *as;                     /* show                      */
    bool        lines, passes;          /* show                      */
    const char *color;                  /* show                      */
    bool        line_directives;        /* show, run                 */
    bool        unit;                   /* show                      */
    bool        plan;                   /* show, run, bench          */
    const char *batch;                  /* call                      */
    const char *libm;                   /* call, check               */
    const char *engine, *mode, *checks; /* common                    */
    const char *cpu_compiler, *cuda_compiler, *arch, *optimise, *tier, *index, *schedule;
    const char *row_params;             /* --rows, but of demo       */
    const char *cache_dir, *cuda_path;
    const char *bundle;                 /* list, show, check, run, call */
    bool        no_jit;                 /* check, run, call          */
    text_list   isas, archs;            /* build                     */
    const char *scalars;                /* build                     */
    bool        no_debug;               /* build                     */
    text_list   refs, sources;
    text_list   in, shape, set, out;    /* run                       */
    double      limit;                  /* seconds                   */
    int64_t     rows, cols, seed, rounds, repeat, size, threads, device; /* repeat, size 0: not given */
    text_list   operands;
} cli_settings;

typedef struct cli_option cli_option;
typedef struct cli_command {
    const char          *name;
    const char          *operands; /* "FILE [PATTERN]" */
    const char          *summary;
    const char          *examples; /* lines, each "command   what it does" */
    const cli_option *const *options;  /* tables, NULL at the end */
    int                  least, most; /* operands; most -1: any number */
    int (*run)(const cli_settings *settings);
} cli_command;

extern const cli_command commands[];
extern const int     command_count;

/* --- options.c --- */

/* Reads argv after the command's name. Returns EXIT_DONE, or EXIT_USAGE with one line on standard error. */
int  options_read(const cli_command *command, int argc, char **argv, cli_settings *out);
void options_free(cli_settings *settings);
void options_print_help(const cli_command *command);
void options_print_commands(void);
/* The name in the list that is nearest to what was typed, or NULL. */
const char *options_nearest(const char *typed, const char *const *names, int count);

/* --- common.c --- */

/* One line on standard error: "ilcuda: ...". Returns code. */
int say(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Has it been called? An exit code without a line is an answer, not an error. */
bool was_said(void);
/* The session's newest diagnostic on standard error; returns the status' exit code. */
int fail(ilc_session *session, ilc_status status);
/* A session that SIGINT ends with exit 130 (common.c); NULL after a line on standard error. */
ilc_session *session_open(void);
/* Opens FILE, or standard input for "-". Returns EXIT_DONE or an exit code, said. */
int assembly_open(ilc_session *session, const cli_settings *settings, const char *file, ilc_assembly **out);
/* The engine that the settings ask for. compile_only: CUDA's, which makes PTX for --arch, or the device here, and runs
 * nothing. */
int engine_open(ilc_session *session, const cli_settings *settings, bool compile_only, ilc_engine **out);
/* To be said of an interpreter: the option that makes it faster here, or the command that gives a compiler. */
const char *faster_engine(ilc_session *session, const cli_settings *settings);
/* What --engine says; ILC_ENGINE_AUTO without it. */
ilc_engine_kind engine_kind(const cli_settings *settings);
/* --libm=host */
bool            host_libm(const cli_settings *settings);
void            engine_options(const cli_settings *settings, ilc_engine_options *out);
bool is_off(const char *choice); /* "off", and not NULL */
int             kernel_options(const cli_settings *settings, ilc_kernel_options *out);

/* plan.c. One reason a line behind the indent; as a JSON array; --plan of `show`. */
void                plan_print(FILE *out, const char *indent, const ilc_plan_note *notes, size_t count);
struct json_object *plan_json(const ilc_plan_note *notes, size_t count);
int                 plan_show(const cli_settings *settings, ilc_session *session, ilc_method *method);

/* rows.c. The method over the rows that --rows says: those of its names that the method's array parameters have. */
ilc_status rows_apply(const cli_settings *settings, ilc_method **method);
/* Is each name of --rows one of some of these methods? EXIT_DONE or EXIT_USAGE, said. */
int        rows_check(const cli_settings *settings, ilc_method *const *methods, size_t count);

/* All of a file, or of standard input for "-"; the caller frees. Said on failure. */
int file_read(const char *path, char **bytes, size_t *size);
/* Memory or exit: the program has no use without. */
void *must_alloc(size_t size);
void *must_grow(void *ptr, size_t size);
char *must_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A file being written under another name: removed when the program is interrupted. NULL: none. */
void interrupt_removes(const char *path);

/* "from exact at most 1.2e-07, relative 3e-07, 2 ulp"; until it is called again. (deviation.c) */
const char         *deviation_text(const ilc_deviation *deviation);
struct json_object *deviation_json(const ilc_deviation *deviation);

/* A type's .cctor, which nobody calls. */
bool is_initialiser(const ilc_method *method);
/* "Stats.Gram(x As Single(), i As Integer) As Single" */
void signature_print(FILE *out, ilc_method *method);

/* --- commands --- */
int cmd_build(const cli_settings *settings);
int cmd_list(const cli_settings *settings);
int cmd_show(const cli_settings *settings);
int cmd_call(const cli_settings *settings);
int cmd_check(const cli_settings *settings);
int cmd_run(const cli_settings *settings);
int cmd_demo(const cli_settings *settings);
int cmd_doctor(const cli_settings *settings);
int cmd_cache(const cli_settings *settings);
int cmd_bench(const cli_settings *settings);

#endif
