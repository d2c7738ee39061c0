/* options.c - static tables of options, from which reading, usage and help are made. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* OPT_NUMBER: from 0 to INT32_MAX; OPT_SIZE: from 1 on; OPT_SEED: any from 0 on. */
typedef enum option_kind { OPT_FLAG, OPT_TEXT, OPT_LIST, OPT_NUMBER, OPT_SIZE, OPT_SEED, OPT_SECONDS } option_kind;

struct cli_option {
    const char *name;
    const char *value;   /* "FILE"; choices as "a|b|c" are checked; NULL for flags */
    const char *help;
    option_kind kind;
    size_t      offset;
    bool        open;    /* other values than the choices are allowed, too */
};

#define AT(field) offsetof(cli_settings, field)
#define PLAN(help) {"--plan", NULL, help, OPT_FLAG, AT(plan), false}
#define ROWS                                                                                                                 \
    {"--rows", "NAMES", "one or two array parameters that are rows of matrices, i of the first and j of the second", OPT_TEXT, AT(row_params), false}
#define END {NULL, NULL, NULL, OPT_FLAG, 0, false}

static const cli_option common[] = {
    {"--help", NULL, "this text", OPT_FLAG, AT(help), false},
    {"--json", NULL, "machine-readable output", OPT_FLAG, AT(json), false},
    END,
};
static const cli_option assemblies[] = {
    {"--ref", "DIR", "a folder with referenced assemblies (may be repeated)", OPT_LIST, AT(refs), false},
    END,
};
static const cli_option bundles[] = {
    {"--bundle", "BUNDLE", "a bundle (ilcuda build) takes the place of FILE", OPT_TEXT, AT(bundle), false},
    END,
};
static const cli_option no_jit[] = {
    {"--no-jit", NULL, "compile nothing: what is not in the bundle is an error", OPT_FLAG, AT(no_jit), false},
    END,
};
static const cli_option build_options[] = {
    {"--out", "BUNDLE", "where it is written (default: NAME.ilcuda here)", OPT_LIST, AT(out), false},
    {"--isa", "LEVEL", "CPU code for x86-64, x86-64-v2, -v3, -v4 (may be repeated; default x86-64 and -v3); none", OPT_LIST, AT(isas), false},
    {"--arch", "sm_NN", "CUDA code for this device and those above it (may be repeated; default none)", OPT_LIST, AT(archs), false},
    {"--checks", "on|off", "test for overflow, bounds and null (default on)", OPT_TEXT, AT(checks), false},
    {"--index", "NAMES", "the index parameters, in the order i,j,k", OPT_TEXT, AT(index), false},
    ROWS,
    {"--scalars", "NAMES", "of element-wise methods: the parameters that are given as scalars", OPT_TEXT, AT(scalars), false},
    {"--no-debug", NULL, "leave the PDB out: messages have IL offsets instead of lines", OPT_FLAG, AT(no_debug), false},
    {"--cpu-compiler", "auto|gcc|clang|tcc", "or the path of a C compiler", OPT_TEXT, AT(cpu_compiler), true},
    {"--cuda-compiler", "auto|nvrtc|clang", "or the path of a clang", OPT_TEXT, AT(cuda_compiler), true},
    {"--optimise", "-O0|-O1|-O2|-O3", "level of the C compiler", OPT_TEXT, AT(optimise), false},
    {"--cuda-path", "DIR", "folder with the CUDA libraries", OPT_TEXT, AT(cuda_path), false},
    {"--cache-dir", "DIR", "folder of the cache of compiled kernels; empty: none", OPT_TEXT, AT(cache_dir), false},
    END,
};
static const cli_option source_places[] = {
    {"--source", "DIR", "a folder with source files, for listings and traces (may be repeated)", OPT_LIST, AT(sources), false},
    END,
};
#define MODE \
    {"--mode", "exact|fma|fast", "of floats: .NET's bits (default); products and sums that round once; near is enough", OPT_TEXT, AT(mode), false}
static const cli_option kernels[] = {
    MODE,
    {"--checks", "on|off", "test for overflow, bounds and null (default on)", OPT_TEXT, AT(checks), false},
    {"--index", "NAMES", "the index parameters, in the order i,j,k", OPT_TEXT, AT(index), false},
    ROWS,
    {"--schedule", "KIND", "auto; plain: each element by itself; tile: in blocks, however small", OPT_TEXT, AT(schedule), false},
    END,
};
#define CUDA_COMPILER                                                                                                        \
    {"--cuda-compiler", "auto|nvrtc|clang|none", "or the path of a clang; none: only what was compiled before", OPT_TEXT,     \
     AT(cuda_compiler), true},                                                                                               \
    {"--arch", "sm_NN", "compile for this device or those above it (default: the device here)", OPT_TEXT, AT(arch), false}
#define CUDA_PLACES                                                                                                          \
    {"--cuda-path", "DIR", "folder with the CUDA libraries", OPT_TEXT, AT(cuda_path), false},                                \
    {"--cache-dir", "DIR", "folder of the cache of compiled kernels; empty: none", OPT_TEXT, AT(cache_dir), false}
#define ENGINE(help) {"--engine", "auto|il|ast|cpu|cuda", help, OPT_TEXT, AT(engine), false}, END
static const cli_option engine_best[] = {ENGINE("where kernels run (default: the best that works)")};
static const cli_option engine_judge[] = {ENGINE("where it runs (default: il)")};
static const cli_option engine_every[] = {ENGINE("which one (default: every compiled engine that works)")};
static const cli_option engine_bench[] = {ENGINE("of checks: which one (default: every compiled engine that works)")};
static const cli_option engines[] = {
    {"--cpu-compiler", "auto|gcc|clang|tcc", "or the path of a C compiler", OPT_TEXT, AT(cpu_compiler), true},
    CUDA_COMPILER,
    {"--optimise", "-O0|-O1|-O2|-O3", "level of the C compiler", OPT_TEXT, AT(optimise), false},
    {"--threads", "N", "threads of the CPU engine (default: one for each processor)", OPT_NUMBER, AT(threads), false},
    {"--device", "N", "number of the CUDA device", OPT_NUMBER, AT(device), false},
    CUDA_PLACES,
    END,
};
static const cli_option tiers[] = {
    {"--tier", "auto|best", "of the CPU engine: code that is made in milliseconds (tcc) until the compiler is through, or wait for it", OPT_TEXT, AT(tier), false},
    END,
};
static const cli_option cache_place[] = {
    {"--cache-dir", "DIR", "folder of the cache of compiled kernels", OPT_TEXT, AT(cache_dir), false},
    END,
};
static const cli_option list_options[] = {
    {"--summary", NULL, "counts only: supported, refused, and the reasons", OPT_FLAG, AT(summary), false},
    {"--all", NULL, "instance methods and type initialisers, too", OPT_FLAG, AT(all), false},
    {"--strict", NULL, "exit 1 when a method is not supported", OPT_FLAG, AT(strict), false},
    ROWS,
    {"--marked", NULL, "only methods with <Kernel> ([Kernel]), of any namespace, on them or on their type", OPT_FLAG, AT(marked), false},
    {"--msbuild", NULL, "only what is refused, as lines that builds take for warnings", OPT_FLAG, AT(msbuild), false},
    END,
};
static const cli_option show_options[] = {
    {"--as", "vb|cs|cuda|c|il|ir|tile|ctile|ptx", "which form (default vb); tile, ctile: the schedule that a launch prefers, CUDA and C; ptx: compiled, and kept in the cache", OPT_TEXT, AT(as), false},
    {"--unit", NULL, "vb, cs: with all that a compiler needs; without METHOD all methods of the file", OPT_FLAG, AT(unit), false},
    MODE,
    {"--checks", "on|off|show", "show: pseudo-code with every value where it is computed; both bodies, as compiled", OPT_TEXT, AT(checks), false},
    {"--index", "NAMES", "the index parameters, in the order i,j,k", OPT_TEXT, AT(index), false},
    ROWS,
    {"--schedule", "KIND", "auto; plain: each element by itself; tile: in blocks, however small", OPT_TEXT, AT(schedule), false},
    {"--lines", NULL, "of vb, cs, cuda and c: where each line comes from, in a margin; with --json as an array", OPT_FLAG, AT(lines), false},
    PLAN("what the schedules of the CPU and of CUDA make of it, and why, in place of a text"),
    {"--passes", NULL, "what each pass changes in SSA and pseudo-code (--as ir, --as vb: in one of them)", OPT_FLAG, AT(passes), false},
    {"--color", "auto|always|never", "keywords, literals and comments in colour (auto: on a terminal, unless NO_COLOR)", OPT_TEXT, AT(color), false},
    {"--line-directives", NULL, "of cuda, c and ptx: #line directives, which name the source's lines", OPT_FLAG, AT(line_directives), false},
    CUDA_COMPILER,
    CUDA_PLACES,
    END,
};
static const cli_option call_options[] = {
    {"--batch", "FILE", "many calls: one JSON object a line, in and out; - is standard input", OPT_TEXT, AT(batch), false},
    {"--limit", "SECONDS", "for each call (default 10)", OPT_SECONDS, AT(limit), false},
    {"--trace", NULL, "each instruction with its stack, on standard error", OPT_FLAG, AT(trace), false},
    {"--libm", "own|host", "of the IL interpreter: our exp, sin, pow, or the C library's", OPT_TEXT, AT(libm), false},
    {"--checks", "on|off", "of compiled engines: test for overflow, bounds and null (default on)", OPT_TEXT, AT(checks), false},
    MODE,
    END,
};
static const cli_option check_options[] = {
    MODE,
    {"--rounds", "N", "sets of arguments for each method (default 24)", OPT_SIZE, AT(rounds), false},
    {"--seed", "N", "of the generated arguments (default 1)", OPT_SEED, AT(seed), false},
    {"--libm", "own|host", "of the IL interpreter: our exp, sin, pow, or the C library's", OPT_TEXT, AT(libm), false},
    {"--index", "NAMES", "the index parameters, in the order i,j,k", OPT_TEXT, AT(index), false},
    ROWS,
    {"--schedule", "KIND", "auto; plain: each element by itself; tile: in blocks, however small", OPT_TEXT, AT(schedule), false},
    END,
};
static const cli_option run_options[] = {
    {"--in", "NAME=FILE.npy", "an input array", OPT_LIST, AT(in), false},
    {"--shape", "NAME=ROWS,COLS", "names for an input's dimensions, as scalars and extents", OPT_LIST, AT(shape), false},
    {"--set", "NAME=VALUE", "a scalar", OPT_LIST, AT(set), false},
    {"--out", "NAME=FILE.npy", "write a result, or a Sub's array parameter", OPT_LIST, AT(out), false},
    {"--keep-partial", NULL, "write results even after a kernel trapped", OPT_FLAG, AT(keep_partial), false},
    {"--line-directives", NULL, "compile with line tables: debuggers and profilers name the source's lines", OPT_FLAG, AT(line_directives), false},
    PLAN("behind each kernel: which schedule it runs by, and why"),
    {"--quiet", NULL, "no progress on standard error", OPT_FLAG, AT(quiet), false},
    END,
};
static const cli_option demo_options[] = {
    {"--rows", "N", "rows of the matrix (default 1024)", OPT_SIZE, AT(rows), false},
    {"--cols", "N", "columns of the matrix (default 1024)", OPT_SIZE, AT(cols), false},
    {"--quiet", NULL, "the summary only", OPT_FLAG, AT(quiet), false},
    {"--compile-only", NULL, "fill the cache of compiled CUDA kernels, for a machine elsewhere", OPT_FLAG, AT(compile_only), false},
    END,
};
static const cli_option bench_options[] = {
    {"--repeat", "N", "how many times (default 20; of checks 7)", OPT_SIZE, AT(repeat), false},
    {"--scale", NULL, "of translate: methods of 10 to 10,000 parts, made for it", OPT_FLAG, AT(scale), false},
    PLAN("of checks: which schedule each kernel runs by, and why"),
    {"--size", "N", "of checks: rows and columns of the matrix (default 1024)", OPT_SIZE, AT(size), false},
    MODE,
    END,
};

#define TABLES(...) (const cli_option *const[]){common, __VA_ARGS__, NULL}

const cli_command commands[] = {
    {"list", "FILE [PATTERN]", "the methods: signature, index mode, supported or why not",
     "ilcuda list MyMath.dll                       every static method\n"
     "ilcuda list MyMath.dll Stats --json          those with Stats in their name\n"
     "ilcuda list MyMath.dll --summary             how many, and why not the others\n"
     "ilcuda list MyMath.dll --marked --msbuild    what is no kernel but should be: file(line,column): warning ILC0007: ...\n",
     TABLES(assemblies, bundles, list_options), 1, 2, cmd_list},
    {"show", "FILE METHOD", "a method as VB, C#, CUDA C, PTX, C, IL or SSA",
     "ilcuda show MyMath.dll Stats.Gram --as cuda  the kernel\n"
     "ilcuda show MyMath.dll Gram                  VB\n"
     "ilcuda show MyMath.dll --as cs --unit        C# that compiles, of all methods\n"
     "ilcuda show MyMath.dll 'Dot(Single[],Single[])' --as il\n"
     "ilcuda show MyMath.dll Gram --as ptx --arch sm_86 --cuda-compiler clang\n",
     TABLES(assemblies, bundles, source_places, show_options), 1, 2, cmd_show},
    {"check", "FILE [METHOD...]", "IL interpreter = tree = engines, on generated arguments",
     "ilcuda check MyMath.dll                      every supported method\n"
     "ilcuda check MyMath.dll Gram --engine cuda   one method, on the device\n",
     TABLES(assemblies, bundles, check_options, engine_every, engines, no_jit), 1, -1, cmd_check},
    {"run", "FILE STATEMENT...", "kernels over .npy arrays",
     "ilcuda run MyMath.dll 'sum = RowSum[rows]' --in x=x.npy --shape x=rows,cols --out sum=sum.npy\n"
     "ilcuda run MyMath.dll 'dot = Gram[rows,rows]' 'd = Dist[rows,rows]' --in x=x.npy --shape x=rows,cols --out d=d.npy\n"
     "ilcuda run MyMath.dll 'Saxpy[n]' --in x=x.npy --in y=y.npy --shape x=n --set a=1.5 --out y=new.npy\n",
     TABLES(assemblies, bundles, run_options, kernels, engine_best, engines, tiers, no_jit), 2, -1, cmd_run},
    {"call", "FILE [METHOD ARG...]", "one call, as in a debugger: the value, its bits, or the exception",
     "ilcuda call MyMath.dll Stats.Dot '[1,2,3]' '[0.5,2,3]'\n"
     "ilcuda call MyMath.dll Half 7                --trace shows each instruction\n"
     "ilcuda call MyMath.dll --batch calls.jsonl   many calls, answers in order\n",
     TABLES(assemblies, bundles, source_places, call_options, engine_judge, engines, no_jit), 1, -1, cmd_call},
    {"build", "FILE [METHOD...]", "a bundle: IL and compiled code in one file, for where no compiler and no .NET is",
     "ilcuda build MyMath.dll --out MyMath.ilcuda  every method marked <Kernel>\n"
     "ilcuda build MyMath.dll Gram RowSum --isa x86-64-v3 --arch sm_86\n"
     "ilcuda run --bundle MyMath.ilcuda --no-jit 'sum = RowSum[rows]' --in x=x.npy --shape x=rows,cols --out sum=sum.npy\n",
     TABLES(assemblies, build_options), 1, -1, cmd_build},
    {"demo", "", "the tutorial, whole: six methods become kernels, run, and are verified",
     "ilcuda demo                                  on the best engine there is\n"
     "ilcuda demo --quiet --engine cpu             the summary only\n"
     "ilcuda demo --compile-only --arch sm_86      fill the cache for a GPU elsewhere (--cuda-compiler clang: no CUDA needed)\n",
     TABLES(demo_options, engine_best, engines, tiers), 0, 0, cmd_demo},
    {"doctor", "", "what this machine offers: device, compilers, cache; and what would help",
     "ilcuda doctor                                0: a GPU works; 1: the CPU only; 5: nothing does\n",
     TABLES(engine_best, engines, tiers), 0, 0, cmd_doctor},
    {"cache", "info|clear", "the cache of compiled kernels",
     "ilcuda cache info                            where it is and how large\n"
     "ilcuda cache clear                           remove every entry\n",
     TABLES(cache_place), 1, 1, cmd_cache},
    {"bench", "translate|checks [FILE METHOD...]", "how long translating takes; what checks cost",
     "ilcuda bench translate                       the tutorial's six methods\n"
     "ilcuda bench translate MyMath.dll Gram       one of yours\n"
     "ilcuda bench translate --scale [SHAPE...]    how the time grows with a method, for several shapes\n"
     "ilcuda bench checks                          the tutorial's kernels with checks on, off, and all\n",
     TABLES(assemblies, bench_options, engine_bench, engines), 1, -1, cmd_bench},
};
const int command_count = (int)(sizeof commands / sizeof *commands);

/* --- nearest name --------------------------------------------------------------------------------------------- */

static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t a_length = strlen(a), b_length = strlen(b);
    int    row[LONGEST + 1];
    if (a_length > LONGEST || b_length > LONGEST) return LONGEST;
    for (size_t j = 0; j <= b_length; j++) row[j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[b_length];
}

const char *options_nearest(const char *typed, const char *const *names, int count)
{
    const char *best = NULL;
    int         least = 3;
    for (int i = 0; i < count; i++) {
        int distance = edit_distance(typed, names[i]);
        if (distance < least && distance < (int)strlen(names[i])) {
            least = distance;
            best = names[i];
        }
    }
    return best;
}

/* --- reading -------------------------------------------------------------------------------------------------- */

enum { MOST_OPTIONS = 64 };

static const cli_option *find_option(const cli_command *command, const char *name, size_t length)
{
    for (const cli_option *const *table = command->options; *table; table++)
        for (const cli_option *at = *table; at->name; at++)
            if (strlen(at->name) == length && strncmp(at->name, name, length) == 0) return at;
    return NULL;
}

static int unknown_option(const cli_command *command, const char *typed)
{
    const char *names[MOST_OPTIONS];
    int         count = 0;
    for (const cli_option *const *table = command->options; *table; table++)
        for (const cli_option *at = *table; at->name && count < MOST_OPTIONS; at++) names[count++] = at->name;
    char   name[64];
    size_t length = strcspn(typed, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, typed);
    const char *nearest = options_nearest(name, names, count);
    if (nearest)
        return say(EXIT_USAGE, "%s: unknown option %s; did you mean %s?", command->name, name, nearest);
    return say(EXIT_USAGE, "%s: unknown option %s; see ilcuda %s --help", command->name, name, command->name);
}

static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (const char *at = choices; *at;) {
        size_t this_length = strcspn(at, "|");
        if (this_length == length && strncmp(at, value, length) == 0) return true;
        at += this_length;
        if (*at == '|') at++;
    }
    return false;
}

static void push_text(text_list *list, const char *text)
{
    list->items = must_grow(list->items, sizeof *list->items * (size_t)(list->count + 1));
    list->items[list->count++] = text;
}

static int take_count(const cli_option *option, const char *value, int64_t *out)
{
    char   *end;
    int64_t least = option->kind == OPT_SIZE, most = option->kind == OPT_SEED ? INT64_MAX : INT32_MAX;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (*end || end == value || number < least)
        return say(EXIT_USAGE, "%s takes a number from %d on, not %s", option->name, (int)least, value);
    if (errno || number > most)
        return say(EXIT_USAGE, "%s takes a number up to %lld, not %s", option->name, (long long)most, value);
    *out = number;
    return EXIT_DONE;
}

static int take_seconds(const cli_option *option, const char *value, double *out)
{
    char  *end;
    double seconds = strtod(value, &end);
    if (*end || end == value || !(seconds > 0) || seconds > 1e6)
        return say(EXIT_USAGE, "%s takes seconds above 0, not %s", option->name, value);
    *out = seconds;
    return EXIT_DONE;
}

static int take_value(const cli_option *option, const char *value, cli_settings *out)
{
    void *field = (char *)out + option->offset;
    switch (option->kind) {
    case OPT_FLAG: *(bool *)field = true; return EXIT_DONE;
    case OPT_TEXT:
        if (strchr(option->value, '|') && !option->open && !is_choice(option->value, value))
            return say(EXIT_USAGE, "%s takes %s, not %s", option->name, option->value, value);
        *(const char **)field = value;
        return EXIT_DONE;
    case OPT_LIST: push_text(field, value); return EXIT_DONE;
    case OPT_NUMBER:
    case OPT_SIZE:
    case OPT_SEED: return take_count(option, value, field);
    case OPT_SECONDS: return take_seconds(option, value, field);
    }
    return EXIT_BUG;
}

/* "-5", "-.5", "-Infinity" and "-" are operands. */
static bool is_operand(const char *arg)
{
    return arg[0] != '-' || arg[1] == 0 || arg[1] == '.' || arg[1] == 'I' || (arg[1] >= '0' && arg[1] <= '9');
}

static int read_option(const cli_command *command, int argc, char **argv, int *at, cli_settings *out)
{
    const char   *arg = argv[*at];
    size_t        length = strcspn(arg, "=");
    const cli_option *option = strcmp(arg, "-h") == 0 ? &common[0] : find_option(command, arg, length);
    if (!option) return unknown_option(command, arg);
    const char *value = arg[length] == '=' ? arg + length + 1 : NULL;
    if (option->kind == OPT_FLAG && value) return say(EXIT_USAGE, "%s takes no value", option->name);
    if (option->kind != OPT_FLAG && !value) {
        if (*at + 1 >= argc) return say(EXIT_USAGE, "%s needs a value: %s", option->name, option->value);
        value = argv[++*at];
    }
    return take_value(option, value, out);
}

int options_read(const cli_command *command, int argc, char **argv, cli_settings *out)
{
    *out = (cli_settings){.limit = 10, .seed = 1, .rounds = 24};
    bool operands_only = false;
    for (int i = 0; i < argc; i++) {
        if (operands_only || is_operand(argv[i])) {
            push_text(&out->operands, argv[i]);
        } else if (strcmp(argv[i], "--") == 0) {
            operands_only = true;
        } else {
            int code = read_option(command, argc, argv, &i, out);
            if (code != EXIT_DONE) return code;
        }
    }
    if (out->help) return EXIT_DONE;
    if (out->bundle) { /* in FILE's place */
        push_text(&out->operands, out->bundle);
        memmove(out->operands.items + 1, out->operands.items, sizeof *out->operands.items * (size_t)(out->operands.count - 1));
        out->operands.items[0] = out->bundle;
    }
    bool too_few = out->operands.count < command->least;
    bool too_many = command->most >= 0 && out->operands.count > command->most;
    if (too_few || too_many)
        return say(EXIT_USAGE, "%s takes %s; see ilcuda %s --help", command->name,
                   *command->operands ? command->operands : "no operands", command->name);
    return EXIT_DONE;
}

void options_free(cli_settings *settings)
{
    text_list *lists[] = {&settings->refs, &settings->sources, &settings->in, &settings->shape, &settings->set, &settings->out, &settings->operands, &settings->isas, &settings->archs};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free(lists[i]->items);
}

/* --- help ----------------------------------------------------------------------------------------------------- */

void options_print_help(const cli_command *command)
{
    printf("usage: ilcuda %s%s%s [option...]\n\n%s\n\n", command->name, *command->operands ? " " : "", command->operands,
           command->summary);
    for (const cli_option *const *table = command->options; *table; table++) {
        for (const cli_option *at = *table; at->name; at++) {
            char left[64];
            snprintf(left, sizeof left, "%s%s%s", at->name, at->value ? " " : "", at->value ? at->value : "");
            printf("  %-34s  %s\n", left, at->help);
        }
    }
    printf("\nexamples:\n");
    for (const char *line = command->examples; *line;) {
        size_t length = strcspn(line, "\n");
        printf("  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void options_print_commands(void)
{
    printf("usage: ilcuda COMMAND ... [option...]\n\n"
           "Compiled .NET methods become CUDA kernels, or run as compiled C on the CPU, with the same bits.\n\n");
    for (int i = 0; i < command_count; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", commands[i].name, commands[i].operands);
        printf("  %-28s  %s\n", left, commands[i].summary);
    }
    printf("\n`ilcuda COMMAND --help` has options and examples. METHOD is any unambiguous tail of\n"
           "Namespace.Type.Method, with (Int32,Single[]) where overloads need it.\n"
           "Exit: 0 done, 1 the answer is no, 2 usage, 3 input unreadable, 4 method unsupported, 5 no such engine,\n"
           "6 the kernel trapped, 7 compiler failed, 8 a limit was reached, 70 our bug, 130 interrupted.\n");
}
