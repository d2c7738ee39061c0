/* cmd_list.c - `list`: the methods of an assembly, their index mode, and whether they are supported. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"

typedef struct tally {
    const char *reason;
    uint32_t    count;
} tally;

enum { MOST_SUGGESTED = 3 };

typedef struct suggestion {
    const char *method;
    uint32_t    loop_depth;
} suggestion;

typedef struct listing {
    const cli_settings *settings;
    const char         *pattern;
    struct json_object *methods; /* with --json */
    uint32_t            listed, supported, refused, interpreted, left_out;
    tally              *reasons;
    uint32_t            reason_count;
    suggestion          suggested[MOST_SUGGESTED]; /* kernels: the deeper loops first */
} listing;

static bool is_wanted(const listing *list, ilc_method *method)
{
    if (!list->pattern) return true;
    size_t length = strlen(list->pattern);
    for (const char *at = ilc_method_full_name(method); strlen(at) >= length; at++)
        if (strncasecmp(at, list->pattern, length) == 0) return true;
    return false;
}

static void count_reason(listing *list, const char *reason)
{
    for (uint32_t i = 0; i < list->reason_count; i++) {
        if (strcmp(list->reasons[i].reason, reason) != 0) continue;
        list->reasons[i].count++;
        return;
    }
    if ((list->reason_count & (list->reason_count + 1)) == 0)
        list->reasons = must_grow(list->reasons, sizeof *list->reasons * (list->reason_count * 2 + 2));
    list->reasons[list->reason_count++] = (tally){reason, 1};
}

/* Work for a GPU is where loops are. */
static void suggest(listing *list, ilc_method *method, const ilc_support *support)
{
    if (support->mode == ILC_INDEX_DEVICE || support->interpreted) return;
    suggestion one = {ilc_method_full_name(method), support->loop_depth};
    for (int i = 0; i < MOST_SUGGESTED; i++) { /* of overloads the first that is met, or deeper */
        if (list->suggested[i].method && strcmp(list->suggested[i].method, one.method) == 0) {
            if (list->suggested[i].loop_depth < one.loop_depth) list->suggested[i] = one;
            return;
        }
        if (list->suggested[i].method && list->suggested[i].loop_depth >= one.loop_depth) continue;
        suggestion next = list->suggested[i];
        list->suggested[i] = one, one = next;
        if (!one.method) break;
    }
}

static struct json_object *json_text(const char *text)
{
    return text ? json_object_new_string(text) : NULL;
}

static void add_json(listing *list, ilc_method *method, const ilc_support *support)
{
    struct json_object *object = json_object_new_object(), *params = json_object_new_array();
    const char         *display, *type;
    if (ilc_method_display(&display, method) == ILC_OK)
        json_object_object_add(object, "method", json_object_new_string(display));
    for (uint32_t i = 0; i < ilc_method_param_count(method); i++) {
        ilc_param param;
        if (ilc_method_param(&param, method, i) != ILC_OK) continue;
        struct json_object *one = json_object_new_object();
        json_object_object_add(one, "name", json_object_new_string(param.name));
        json_object_object_add(one, "type", json_object_new_string(param.type));
        json_object_array_add(params, one);
    }
    json_object_object_add(object, "params", params);
    if (ilc_method_result_type(&type, method) == ILC_OK)
        json_object_object_add(object, "result", json_object_new_string(type));
    const char *source;
    uint32_t    line = ilc_method_line(method, &source);
    if (line) json_object_object_add(object, "line", json_object_new_int64(line));
    json_object_object_add(object, "mode", support->has_mode ? json_text(ilc_index_mode_name(support->mode)) : NULL);
    json_object_object_add(object, "supported", json_object_new_boolean(support->supported));
    if (support->supported) json_object_object_add(object, "loop_depth", json_object_new_int64(support->loop_depth));
    if (support->interpreted) json_object_object_add(object, "interpreted", json_object_new_boolean(true));
    if (!support->supported) {
        struct json_object *refusal = json_object_new_object();
        json_object_object_add(refusal, "reason", json_text(support->refusal.reason));
        json_object_object_add(refusal, "method", json_text(support->refusal.method));
        if (support->refusal.has_il) json_object_object_add(refusal, "il", json_object_new_int64(support->refusal.il));
        if (support->refusal.line) json_object_object_add(refusal, "line", json_object_new_int64(support->refusal.line));
        json_object_object_add(object, "unsupported", refusal);
    }
    json_object_array_add(list->methods, object);
}

static void print_method(ilc_method *method, const ilc_support *support)
{
    printf("%-8s ", support->supported ? ilc_index_mode_name(support->mode) : "refused");
    signature_print(stdout, method);
    putchar('\n');
    if (!support->supported) printf("         %s\n", support->refusal.text ? support->refusal.text : "not supported");
    if (support->interpreted) puts("         on the interpreters alone: it makes arrays of a length that is not known to be small");
}

/* The line without its place: "Stats.RowSum: call to ... is not supported in a kernel". */
static const char *without_place(const ilc_diagnostic *refusal)
{
    const char *text = refusal->text ? refusal->text : "not supported";
    const char *from = refusal->method ? strstr(text, refusal->method) : NULL;
    while (from && strncmp(from + strlen(refusal->method), ": ", 2) != 0) from = strstr(from + 1, refusal->method);
    return from ? from : text;
}

/* MSBuild's canonical form, "origin(line,column): category code: text". Without debug information the method is the
 * origin; a refusal without a line of its own, as of a signature, is said where the method begins. */
static void print_msbuild(ilc_method *method, const ilc_diagnostic *refusal)
{
    const char *source = refusal->source, *name = ilc_method_full_name(method);
    uint32_t    line = refusal->line, column = refusal->column;
    if (!line) line = ilc_method_line(method, &source), column = 0;
    if (line && column)
        printf("%s(%u,%u): ", source, line, column);
    else if (line)
        printf("%s(%u): ", source, line);
    else
        printf("%s : ", name);
    const char *text = without_place(refusal);
    bool        named = strncmp(text, name, strlen(name)) == 0;
    printf("warning %s: %s", refusal->id, text);
    if (!named) printf(" (in the kernel %s)", name);
    putchar('\n');
}

static ilc_status ask(const listing *list, ilc_support *out, ilc_method *method, const ilc_mark *mark)
{
    return list->settings->marked && (mark->on_method || mark->index) ? ilc_method_kernel_support(out, method, mark->index)
                                                                      : ilc_method_support(out, method);
}

static int list_method(listing *list, ilc_session *session, ilc_method *method, const ilc_mark *mark)
{
    ilc_support support;
    ilc_status  status = rows_apply(list->settings, &method);
    if (status == ILC_UNSUPPORTED) { /* its array has no rows: it is listed as it is */
        ilc_session_clear_diagnostics(session);
        status = ILC_OK;
    }
    if (status == ILC_OK) status = ask(list, &support, method, mark);
    if (status != ILC_OK) return fail(session, status);
    list->listed++;
    if (support.supported)
        list->supported++, list->interpreted += support.interpreted, suggest(list, method, &support);
    else
        list->refused++;
    if (list->settings->msbuild) {
        if (!support.supported) print_msbuild(method, &support.refusal);
    } else if (list->settings->summary) {
        if (!support.supported) count_reason(list, support.refusal.reason ? support.refusal.reason : "not supported");
    } else if (list->settings->json) {
        add_json(list, method, &support);
    } else {
        print_method(method, &support);
    }
    return EXIT_DONE;
}

static int by_count(const void *a, const void *b)
{
    const tally *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return strcmp(x->reason, y->reason);
}

static void print_json(listing *list, const char *file)
{
    struct json_object *whole = json_object_new_object();
    json_object_object_add(whole, "file", json_object_new_string(file));
    json_object_object_add(whole, "listed", json_object_new_int64(list->listed));
    json_object_object_add(whole, "supported", json_object_new_int64(list->supported));
    json_object_object_add(whole, "refused", json_object_new_int64(list->refused));
    if (!list->settings->summary) {
        json_object_object_add(whole, "methods", json_object_get(list->methods));
    } else {
        struct json_object *reasons = json_object_new_array();
        for (uint32_t i = 0; i < list->reason_count; i++) {
            struct json_object *one = json_object_new_object();
            json_object_object_add(one, "reason", json_object_new_string(list->reasons[i].reason));
            json_object_object_add(one, "count", json_object_new_int64(list->reasons[i].count));
            json_object_array_add(reasons, one);
        }
        json_object_object_add(whole, "reasons", reasons);
    }
    puts(json_object_to_json_string_ext(whole, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(whole);
}

static void print_counts(const listing *list)
{
    enum { MOST_REASONS = 20 };
    for (uint32_t i = 0; i < list->reason_count && i < MOST_REASONS; i++)
        printf("%7u  %s\n", list->reasons[i].count, list->reasons[i].reason);
    if (list->reason_count > MOST_REASONS) printf("         and %u other reasons\n", list->reason_count - MOST_REASONS);
    printf("%u method%s: %u supported, %u refused", list->listed, list->listed == 1 ? "" : "s", list->supported,
           list->refused);
    if (list->left_out) printf("; %u instance method%s not listed (--all)", list->left_out, list->left_out == 1 ? "" : "s");
    putchar('\n');
    if (list->supported == list->interpreted) return;
    printf("%u of %u method%s can run on the GPU", list->supported - list->interpreted, list->listed, list->listed == 1 ? "" : "s");
    for (int i = 0; i < MOST_SUGGESTED && list->suggested[i].method; i++)
        printf("%s%s", i ? ", " : "; try: ", list->suggested[i].method);
    putchar('\n');
}

static int list_assembly(listing *list, ilc_session *session, ilc_assembly *assembly)
{
    for (uint32_t i = 0; i < ilc_assembly_method_count(assembly); i++) {
        ilc_method *method;
        ilc_status  status = ilc_assembly_method(&method, assembly, i);
        if (status != ILC_OK) return fail(session, status);
        if (!is_wanted(list, method)) continue;
        if (is_initialiser(method) && !list->settings->all) continue;
        ilc_mark mark = {0};
        if (list->settings->marked && (status = ilc_method_mark(&mark, method, "KernelAttribute")) != ILC_OK)
            return fail(session, status);
        if (list->settings->marked && !mark.on_method && !mark.on_type) continue;
        if (!ilc_method_is_static(method) && !list->settings->all && !mark.on_method) {
            list->left_out++;
            continue;
        }
        int code = list_method(list, session, method, &mark);
        if (code != EXIT_DONE) return code;
    }
    return EXIT_DONE;
}

int cmd_list(const cli_settings *settings)
{
    if (settings->msbuild && (settings->json || settings->summary))
        return say(EXIT_USAGE, "list: --msbuild goes with neither --json nor --summary");
    ilc_session *session = session_open();
    if (!session) return EXIT_BUG;
    const char   *file = settings->operands.items[0];
    ilc_assembly *assembly;
    listing       list = {.settings = settings, .methods = json_object_new_array()};
    if (settings->operands.count > 1) list.pattern = settings->operands.items[1];
    int code = assembly_open(session, settings, file, &assembly);
    if (code == EXIT_DONE) code = list_assembly(&list, session, assembly);
    if (code == EXIT_DONE) {
        if (list.reason_count) qsort(list.reasons, list.reason_count, sizeof *list.reasons, by_count);
        if (settings->json)
            print_json(&list, file);
        else if (!settings->msbuild)
            print_counts(&list);
        if (settings->strict && list.refused) code = EXIT_NO;
    }
    json_object_put(list.methods);
    free(list.reasons);
    ilc_session_destroy(session);
    return code;
}
