/* run_check.c - what `run` asks before anything runs: inputs that are used, outputs that exist, in files of their own
 * (run.h). */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "platform.h"
#include "run.h"

/* --- every name that a statement uses ------------------------------------------------------------------------------- */

typedef struct name_visit {
    void (*see)(void *user, const char *name, bool is_result);
    void *user;
} name_visit;

/* A parameter's expression; what is passed by reference may be a result. Types may yet choose among overloads. */
static void visit_arguments(const run_state *run, const statement *s, const name_visit *visit)
{
    ilc_method *found[MOST_CANDIDATES];
    size_t      count = 0;
    if (run_find_all(run, s->method, found, MOST_CANDIDATES, &count) != ILC_OK) count = 0;
    for (size_t m = 0; m < count && m < MOST_CANDIDATES; m++) {
        for (uint32_t i = 0; i < ilc_method_param_count(found[m]); i++) {
            ilc_param param;
            if (ilc_method_param(&param, found[m], i) != ILC_OK) break;
            if (!run_is_index(run, found[m], i)) visit->see(visit->user, run_expression(run, s, found[m], i), param.is_byref);
        }
    }
}

static void visit_outputs(const statement *s, ilc_method *method, const name_visit *visit)
{
    ilc_field output;
    if (ilc_method_result(method) != ILC_STRUCT) {
        visit->see(visit->user, s->result, true);
        return;
    }
    for (uint32_t i = 0; ilc_method_output(&output, method, i) == ILC_OK; i++) {
        char *name = must_format("%s.%s", s->result, output.name);
        visit->see(visit->user, name, true);
        free(name);
    }
}

/* A struct's result is an array for each of its numbers. */
static void visit_result(const run_state *run, const statement *s, const name_visit *visit)
{
    ilc_method *found[MOST_CANDIDATES];
    size_t      count = 0;
    if (run_find_all(run, s->method, found, MOST_CANDIDATES, &count) != ILC_OK) count = 0;
    for (size_t m = 0; m < count && m < MOST_CANDIDATES; m++) visit_outputs(s, found[m], visit);
    ilc_session_clear_diagnostics(run->session);
}

static void visit_names(const run_state *run, const name_visit *visit)
{
    for (int i = 0; i < run->step_count; i++) {
        const statement *s = &run->steps[i].statement;
        if (s->result) visit_result(run, s, visit);
        for (int k = 0; k < s->extent_count; k++) visit->see(visit->user, s->extents[k], false);
        visit_arguments(run, s, visit);
    }
}

/* --- outputs -------------------------------------------------------------------------------------------------------- */

/* Arrays that an --out may mean. */
typedef struct output_search {
    const char *wanted;
    char        found[256]; /* "": nothing yet */
    bool        exact, several;
} output_search;

static void see_array(void *user, const char *name, bool is_result)
{
    output_search *search = user;
    if (!is_result || strcasecmp(name, search->wanted) != 0) return;
    search->exact = search->exact || strcmp(name, search->wanted) == 0;
    search->several = search->several || (*search->found && strcmp(name, search->found) != 0);
    snprintf(search->found, sizeof search->found, "%s", name);
}

/* What is wrong with a statement says why it has no result. */
static int say_missing(const run_state *run, const char *name)
{
    ilc_method *found[MOST_CANDIDATES];
    size_t      count;
    for (int i = 0; i < run->step_count; i++) {
        ilc_status status = run_find_all(run, run->steps[i].statement.method, found, MOST_CANDIDATES, &count);
        if (status != ILC_OK) return fail(run->session, status);
    }
    return say(EXIT_USAGE, "--out %s: there is no array of that name", name);
}

static int check_output_name(const run_state *run, const char *name)
{
    output_search    search = {.wanted = name};
    const name_visit visit = {see_array, &search};
    for (int i = 0; i < run->names.array_count; i++) see_array(&search, run->names.arrays[i].name, true);
    visit_names(run, &visit);
    if (!*search.found) return say_missing(run, name);
    if (search.several && !search.exact) return say(EXIT_USAGE, "--out %s: several arrays have that name but for case", name);
    return EXIT_DONE;
}

static int check_output_names(const run_state *run)
{
    for (int i = 0; i < run->settings->out.count; i++) {
        const char *text = run->settings->out.items[i];
        size_t      length = name_length(text);
        if (!length || !text[length + 1]) return say(EXIT_USAGE, "--out takes NAME=FILE.npy, not %s", text);
        char *name = must_format("%.*s", (int)length, text);
        int   code = check_output_name(run, name);
        free(name);
        if (code != EXIT_DONE) return code;
    }
    return EXIT_DONE;
}

/* --- files ---------------------------------------------------------------------------------------------------------- */

/* Devices and pipes may be named as often as one likes. */
static bool same_file(const char *a, const char *b)
{
    return strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && platform_same_file(a, b);
}

static const char *path_of(const char *option)
{
    return option + name_length(option) + 1;
}

static int check_output_file(const run_state *run, int number)
{
    const cli_settings *settings = run->settings;
    const char         *path = path_of(settings->out.items[number]), *assembly = settings->operands.items[0];
    if (same_file(path, assembly)) return say(EXIT_USAGE, "--out %s is the assembly %s", settings->out.items[number], assembly);
    for (int i = 0; i < settings->in.count; i++)
        if (same_file(path, path_of(settings->in.items[i])))
            return say(EXIT_USAGE, "--out %s is the file of --in %s: inputs are not modified", settings->out.items[number],
                       settings->in.items[i]);
    for (int i = 0; i < number; i++)
        if (same_file(path, path_of(settings->out.items[i])))
            return say(EXIT_USAGE, "--out %s is the file of --out %s", settings->out.items[number], settings->out.items[i]);
    return EXIT_DONE;
}

/* --- inputs --------------------------------------------------------------------------------------------------------- */

/* Is this array or scalar what some name means? */
typedef struct input_search {
    const run_names *names;
    named            input;
    bool             used;
} input_search;

static void see_use(void *user, const char *name, bool is_result)
{
    input_search *search = user;
    named         found = names_find(search->names, name, false);
    (void)is_result;
    if (search->input.array && found.array == search->input.array) search->used = true;
    if (search->input.scalar && (found.scalar == search->input.scalar || names_scalar(search->names, name) == search->input.scalar))
        search->used = true;
}

/* --shape and --out use arrays, too. */
static void see_options(input_search *search, const text_list *list)
{
    for (int i = 0; i < list->count; i++) {
        char *name = must_format("%.*s", (int)name_length(list->items[i]), list->items[i]);
        see_use(search, name, false);
        free(name);
    }
}

static int check_input(const run_state *run, const char *option, const char *text)
{
    char        *name = must_format("%.*s", (int)name_length(text), text);
    bool         is_array = strcmp(option, "--in") == 0;
    input_search search = {.names = &run->names};
    if (is_array)
        search.input.array = names_array(&run->names, name);
    else
        search.input.scalar = names_scalar(&run->names, name);
    const name_visit visit = {see_use, &search};
    visit_names(run, &visit);
    if (is_array) see_options(&search, &run->settings->shape);
    if (is_array) see_options(&search, &run->settings->out);
    if (!search.used) say(EXIT_USAGE, "%s %s: nothing uses that name", option, name);
    free(name);
    return search.used ? EXIT_DONE : EXIT_USAGE;
}

static int check_inputs(const run_state *run)
{
    const cli_settings *settings = run->settings;
    int                 code = EXIT_DONE;
    for (int i = 0; i < settings->in.count && code == EXIT_DONE; i++) code = check_input(run, "--in", settings->in.items[i]);
    for (int i = 0; i < settings->set.count && code == EXIT_DONE; i++) code = check_input(run, "--set", settings->set.items[i]);
    return code;
}

int run_check(const run_state *run)
{
    int code = check_inputs(run);
    if (code == EXIT_DONE) code = check_output_names(run);
    for (int i = 0; i < run->settings->out.count && code == EXIT_DONE; i++) code = check_output_file(run, i);
    return code;
}
