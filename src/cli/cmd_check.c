/* cmd_check.c - `check`: IL interpreter = tree = engines, on generated arguments. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { MOST_ENGINES = 2 };

typedef struct check_state {
    const cli_settings *settings;
    ilc_session        *session;
    ilc_assembly       *assembly;
    ilc_engine         *engines[MOST_ENGINES];
    size_t              engine_count;
    uint32_t            same, different, skipped, failed, empty;
    int                 code; /* of the first method that could not be checked */
    struct json_object *report;
} check_state;

static bool is_exact(const check_state *check)
{
    return !check->settings->mode || strcmp(check->settings->mode, "exact") == 0;
}

static bool is_fast(const check_state *check)
{
    return check->settings->mode && strcmp(check->settings->mode, "fast") == 0;
}

/* Without --engine: whatever works; what does not is said and left out. */
static int open_engines(check_state *check)
{
    static const ilc_engine_kind kinds[] = {ILC_ENGINE_CPU, ILC_ENGINE_CUDA};
    ilc_engine_kind              wanted = engine_kind(check->settings);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (wanted != ILC_ENGINE_AUTO && wanted != kinds[i]) continue;
        ilc_engine_options options;
        engine_options(check->settings, &options);
        options.kind = kinds[i];
        options.best_code = true;
        ilc_status status = ilc_engine_create(&check->engines[check->engine_count], check->session, &options);
        if (status == ILC_OK) {
            check->engine_count++;
            continue;
        }
        /* A compiler that was asked for is never done without. */
        const char *asked = kinds[i] == ILC_ENGINE_CPU ? options.cpu_compiler : NULL;
        if (wanted == kinds[i] || status == ILC_INVALID || (asked && strcmp(asked, "auto") != 0))
            return fail(check->session, status);
        fprintf(stderr, "ilcuda: without %s: %s\n", ilc_engine_kind_name(kinds[i]), ilc_session_error(check->session));
        ilc_session_clear_diagnostics(check->session);
    }
    if (is_exact(check) || is_fast(check) || check->engine_count) return EXIT_DONE;
    return say(EXIT_USAGE, "--mode %s compares ast with cpu and cuda: with none of them there is nothing to compare", check->settings->mode);
}

static struct json_object *text_or_null(const char *text)
{
    return text ? json_object_new_string(text) : NULL;
}

static void report(check_state *check, const char *name, const ilc_check_result *result)
{
    struct json_object *one = json_object_new_object();
    json_object_object_add(one, "method", json_object_new_string(name));
    json_object_object_add(one, "same", json_object_new_boolean(!is_fast(check) && !result->different && result->rounds));
    json_object_object_add(one, "rounds", json_object_new_int64(result->rounds));
    json_object_object_add(one, "elements", json_object_new_uint64(result->elements));
    json_object_object_add(one, "trapped", json_object_new_uint64(result->trapped));
    json_object_object_add(one, "limited", json_object_new_uint64(result->limited));
    json_object_object_add(one, "unpromised", json_object_new_uint64(result->unpromised));
    if (is_fast(check)) json_object_object_add(one, "deviation", deviation_json(&result->deviation));
    if (result->different) {
        json_object_object_add(one, "engine", text_or_null(result->engine));
        json_object_object_add(one, "what", text_or_null(result->what));
        json_object_object_add(one, "element", json_object_new_int64(result->element));
        json_object_object_add(one, "expected", text_or_null(result->expected));
        json_object_object_add(one, "actual", text_or_null(result->actual));
        json_object_object_add(one, "arguments", text_or_null(result->arguments));
        json_object_object_add(one, "line", json_object_new_int64(result->line));
    }
    json_object_array_add(check->report, one);
}

static void print_result(const check_state *check, const char *name, const ilc_check_result *result)
{
    if (!result->different && !result->rounds) {
        printf("not compared  %s: %llu rounds left out, each took too long or its elements were not independent\n", name,
               (unsigned long long)result->limited);
        return;
    }
    if (!result->different) {
        printf("%s %s: %u rounds, %llu elements", is_fast(check) ? "measured  " : "same      ", name, result->rounds,
               (unsigned long long)result->elements);
        if (is_fast(check)) printf(", %s", deviation_text(&result->deviation));
        if (result->trapped) printf(", an exception in %llu rounds", (unsigned long long)result->trapped);
        if (result->limited) printf(", %llu rounds left out", (unsigned long long)result->limited);
        if (result->unpromised) printf(", %llu values of the bits of a computed NaN", (unsigned long long)result->unpromised);
        putchar('\n');
        return;
    }
    printf("DIFFERENT  %s: %s of element %lld\n", name, result->what, (long long)result->element);
    printf("           %s in the %s interpreter\n           %s on %s\n", result->expected, is_exact(check) ? "IL" : "tree", result->actual,
           result->engine);
    printf("           with %s\n", result->arguments);
    if (result->line) printf("           %s line %u\n", result->source ? result->source : "source", result->line);
}

/* A method that cannot be checked keeps no other from it. */
static int note_failure(check_state *check, const char *name, ilc_status status)
{
    if (status == ILC_OUT_OF_MEMORY || status == ILC_LIMIT) return fail(check->session, status);
    int code = fail(check->session, status);
    if (!check->failed++) check->code = code;
    if (check->settings->json) {
        struct json_object *one = json_object_new_object();
        json_object_object_add(one, "method", json_object_new_string(name));
        json_object_object_add(one, "error", json_object_new_string(ilc_session_error(check->session)));
        json_object_array_add(check->report, one);
    }
    ilc_session_clear_diagnostics(check->session);
    return EXIT_DONE;
}

static int note_interpreted(check_state *check, const char *name)
{
    int code = say(ilc_status_exit_code(ILC_UNSUPPORTED), "%s makes arrays of a length that is not known to be small: it runs on the interpreters alone (--engine ast)", name);
    if (!check->failed++) check->code = code;
    return EXIT_DONE;
}

static int check_method(check_state *check, ilc_method *method)
{
    ilc_check_options options;
    ilc_check_result  result;
    const char       *name = ilc_method_full_name(method);
    ilc_check_options_init(&options);
    options.engines = check->engines;
    options.engine_count = check->engine_count;
    options.rounds = (uint32_t)check->settings->rounds;
    options.seed = (uint64_t)check->settings->seed;
    options.index = check->settings->index;
    options.mode = check->settings->mode;
    options.schedule = check->settings->schedule;
    options.host_libm = host_libm(check->settings);
    ilc_status status = ilc_method_display(&name, method);
    if (status == ILC_OK) status = rows_apply(check->settings, &method);
    ilc_support support = {0};
    if (status == ILC_OK && check->engine_count) status = ilc_method_support(&support, method);
    if (support.interpreted) return note_interpreted(check, name);
    if (status == ILC_OK) status = ilc_check(&result, method, &options);
    if (status != ILC_OK && status != ILC_DIFFERENT) return note_failure(check, name, status);
    if (status == ILC_DIFFERENT)
        check->different++;
    else if (!result.rounds)
        check->empty++;
    else
        check->same++;
    if (check->settings->json)
        report(check, name, &result);
    else
        print_result(check, name, &result);
    fflush(stdout);
    return EXIT_DONE;
}

static int check_all(check_state *check)
{
    int code = open_engines(check);
    if (code != EXIT_DONE) return code;
    for (uint32_t i = 0; i < ilc_assembly_method_count(check->assembly); i++) {
        ilc_method *method;
        ilc_support support;
        ilc_status  status = ilc_assembly_method(&method, check->assembly, i);
        if (status == ILC_OK && is_initialiser(method)) continue;
        if (status == ILC_OK) status = ilc_method_support(&support, method);
        if (status != ILC_OK) return fail(check->session, status);
        if (!support.supported || (support.interpreted && check->engine_count)) {
            check->skipped += ilc_method_is_static(method);
            continue;
        }
        code = check_method(check, method);
        if (code != EXIT_DONE) return code;
    }
    return EXIT_DONE;
}

/* All names are looked up before any method is checked. */
static int check_named(check_state *check)
{
    const text_list *words = &check->settings->operands;
    ilc_method     **methods = must_alloc(sizeof(ilc_method *) * (size_t)words->count);
    int              code = EXIT_DONE;
    for (int i = 1; i < words->count && code == EXIT_DONE; i++) {
        ilc_status status = ilc_assembly_find(&methods[i], check->assembly, words->items[i]);
        if (status != ILC_OK) code = fail(check->session, status);
    }
    if (code == EXIT_DONE) code = rows_check(check->settings, methods + 1, (size_t)words->count - 1);
    if (code == EXIT_DONE) code = open_engines(check);
    for (int i = 1; i < words->count && code == EXIT_DONE; i++) code = check_method(check, methods[i]);
    free(methods);
    return code;
}

static void print_summary(const check_state *check)
{
    char names[64];
    snprintf(names, sizeof names, "%s", is_exact(check) ? "il, ast" : "ast");
    for (size_t i = 0; i < check->engine_count; i++) {
        strcat(names, ", ");
        strcat(names, ilc_engine_kind_name(ilc_engine_kind_of(check->engines[i])));
    }
    if (!check->settings->json) {
        if (is_fast(check)) printf("%u method%s measured on %s against mode exact; ", check->same, check->same == 1 ? "" : "s", names);
        else printf("%u method%s the same on %s; %u different; ", check->same, check->same == 1 ? "" : "s", names, check->different);
        if (!is_exact(check)) printf("mode %s, whose bits are not CoreCLR's; ", check->settings->mode);
        if (check->failed) printf("%u could not be checked; ", check->failed);
        if (check->empty) printf("%u not compared; ", check->empty);
        printf("%u unsupported left out\n", check->skipped);
        return;
    }
    struct json_object *whole = json_object_new_object();
    json_object_object_add(whole, "engines", json_object_new_string(names));
    json_object_object_add(whole, "mode", json_object_new_string(is_exact(check) ? "exact" : check->settings->mode));
    json_object_object_add(whole, is_fast(check) ? "measured" : "same", json_object_new_int64(check->same));
    json_object_object_add(whole, "different", json_object_new_int64(check->different));
    json_object_object_add(whole, "notCompared", json_object_new_int64(check->empty));
    json_object_object_add(whole, "failed", json_object_new_int64(check->failed));
    json_object_object_add(whole, "unsupported", json_object_new_int64(check->skipped));
    json_object_object_add(whole, "methods", json_object_get(check->report));
    puts(json_object_to_json_string_ext(whole, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(whole);
}

int cmd_check(const cli_settings *settings)
{
    check_state check = {.settings = settings, .session = session_open()};
    if (!check.session) return EXIT_BUG;
    check.report = json_object_new_array();
    int code = assembly_open(check.session, settings, settings->operands.items[0], &check.assembly);
    if (code == EXIT_DONE) code = settings->operands.count > 1 ? check_named(&check) : check_all(&check);
    if (code == EXIT_DONE) {
        bool nothing = check.failed && settings->operands.count == 2;
        if (!nothing || settings->json) print_summary(&check);
        code = check.different ? EXIT_NO : check.code ? check.code : check.empty ? EXIT_NO : EXIT_DONE;
    }
    json_object_put(check.report);
    ilc_session_destroy(check.session);
    return code;
}
