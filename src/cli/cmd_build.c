/* cmd_build.c - `build`: a bundle of an assembly's kernels, compiled ahead of time. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct method_set {
    ilc_method **items;
    size_t       count;
} method_set;

static void add_method(method_set *set, ilc_method *method)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] == method) return;
    set->items = must_grow(set->items, sizeof *set->items * (set->count + 1));
    set->items[set->count++] = method;
}

static int take_named(const cli_settings *settings, ilc_session *session, ilc_assembly *assembly, method_set *out)
{
    ilc_method **plain = must_alloc(sizeof(ilc_method *) * (size_t)settings->operands.count);
    for (int i = 1; i < settings->operands.count; i++) {
        ilc_method *method;
        ilc_status  status = ilc_assembly_find(&method, assembly, settings->operands.items[i]);
        if (status == ILC_OK) plain[i - 1] = method, status = rows_apply(settings, &method);
        if (status != ILC_OK) {
            free(plain);
            return fail(session, status);
        }
        add_method(out, method);
    }
    int code = rows_check(settings, plain, (size_t)settings->operands.count - 1);
    free(plain);
    return code;
}

/* Of a marked type those that are kernels or device functions; a method marked itself must be. */
static int take_marked(ilc_session *session, ilc_assembly *assembly, method_set *out)
{
    for (uint32_t i = 0; i < ilc_assembly_method_count(assembly); i++) {
        ilc_method *method;
        ilc_mark    mark;
        ilc_support support;
        ilc_status  status = ilc_assembly_method(&method, assembly, i);
        if (status == ILC_OK) status = ilc_method_mark(&mark, method, "KernelAttribute");
        if (status != ILC_OK) return fail(session, status);
        if (mark.on_method) add_method(out, method);
        if (mark.on_method || !mark.on_type || !ilc_method_is_static(method) || is_initialiser(method)) continue;
        status = ilc_method_support(&support, method);
        if (status != ILC_OK) return fail(session, status);
        if (support.supported) add_method(out, method);
    }
    if (out->count) return EXIT_DONE;
    return say(EXIT_USAGE, "%s has no method marked <Kernel>: name the methods to build", ilc_assembly_path(assembly));
}

/* NAME.ilcuda in this folder, called as the assembly. */
static char *default_path(const ilc_assembly *assembly)
{
    return must_format("%s.ilcuda", ilc_assembly_name(assembly));
}

static void report(const cli_settings *settings, const char *path, const method_set *methods, const ilc_bundle_result *built)
{
    if (!settings->json) {
        printf("%s: %zu method%s, %u image%s, %u compiled, %llu bytes\n", path, methods->count, methods->count == 1 ? "" : "s",
               built->images, built->images == 1 ? "" : "s", built->codes, (unsigned long long)built->size);
        return;
    }
    struct json_object *whole = json_object_new_object(), *names = json_object_new_array();
    json_object_object_add(whole, "bundle", json_object_new_string(path));
    for (size_t i = 0; i < methods->count; i++) {
        const char *display;
        if (ilc_method_display(&display, methods->items[i]) == ILC_OK) json_object_array_add(names, json_object_new_string(display));
    }
    json_object_object_add(whole, "methods", names);
    json_object_object_add(whole, "images", json_object_new_int64(built->images));
    json_object_object_add(whole, "compiled", json_object_new_int64(built->codes));
    json_object_object_add(whole, "bytes", json_object_new_int64((int64_t)built->size));
    puts(json_object_to_json_string_ext(whole, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(whole);
}

static int build(const cli_settings *settings, ilc_session *session, ilc_assembly *assembly, const method_set *methods)
{
    static const char *const portable[] = {
#if defined(__x86_64__)
        "x86-64", "x86-64-v3"
#else
        "armv8-a"
#endif
    };
    ilc_bundle_options options;
    ilc_bundle_result  built;
    bool               none = settings->isas.count == 1 && strcmp(settings->isas.items[0], "none") == 0;
    ilc_bundle_options_init(&options);
    options.isas = settings->isas.count ? settings->isas.items : portable;
    options.isa_count = none ? 0 : settings->isas.count ? (size_t)settings->isas.count : sizeof portable / sizeof *portable;
    options.archs = settings->archs.items;
    options.arch_count = (size_t)settings->archs.count;
    options.cpu_compiler = settings->cpu_compiler;
    options.cuda_compiler = settings->cuda_compiler;
    options.optimise = settings->optimise;
    options.cache_dir = settings->cache_dir;
    options.cuda_path = settings->cuda_path;
    options.checks = !is_off(settings->checks);
    options.index = settings->index;
    options.scalars = settings->scalars;
    options.no_debug = settings->no_debug;
    char       *own = settings->out.count ? NULL : default_path(assembly);
    const char *path = own ? own : settings->out.items[0];
    ilc_status  status = ilc_bundle_build(&built, path, assembly, methods->items, methods->count, &options);
    int         code = status == ILC_OK ? EXIT_DONE : fail(session, status);
    if (code == EXIT_DONE) report(settings, path, methods, &built);
    free(own);
    return code;
}

int cmd_build(const cli_settings *settings)
{
    if (settings->out.count > 1) return say(EXIT_USAGE, "build: --out names one bundle");
    ilc_session *session = session_open();
    if (!session) return EXIT_BUG;
    ilc_assembly *assembly;
    method_set    methods = {0};
    int           code = assembly_open(session, settings, settings->operands.items[0], &assembly);
    if (code == EXIT_DONE && settings->row_params && settings->operands.count < 2) code = say(EXIT_USAGE, "--rows goes with METHOD names");
    if (code == EXIT_DONE)
        code = settings->operands.count > 1 ? take_named(settings, session, assembly, &methods) : take_marked(session, assembly, &methods);
    if (code == EXIT_DONE) code = build(settings, session, assembly, &methods);
    free(methods.items);
    ilc_session_destroy(session);
    return code;
}
