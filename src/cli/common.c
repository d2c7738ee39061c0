/* common.c - errors, files, sessions, assemblies and engines for the commands. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "platform.h"

static bool something_said;

bool was_said(void)
{
    return something_said;
}

int say(int code, const char *format, ...)
{
    va_list args;
    something_said = true;
    fflush(stdout);
    fputs("ilcuda: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return code;
}

int fail(ilc_session *session, ilc_status status)
{
    const char *text = status == ILC_OUT_OF_MEMORY ? "" : ilc_session_error(session);
    return say(ilc_status_exit_code(status), "%s", *text ? text : ilc_status_text(status));
}

void *must_alloc(size_t size)
{
    void *result = calloc(1, size ? size : 1);
    if (!result) exit(say(EXIT_BUG, "out of memory"));
    return result;
}

void *must_grow(void *ptr, size_t size)
{
    void *result = realloc(ptr, size ? size : 1);
    if (!result) exit(say(EXIT_BUG, "out of memory"));
    return result;
}

char *must_format(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = must_alloc((size_t)(length < 0 ? 0 : length) + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

/* --- interruption ----------------------------------------------------------------------------------------------- */

static const char *volatile unfinished;

void interrupt_removes(const char *path)
{
    unfinished = path;
}

static void interrupted(int number)
{
    (void)number;
    const char *path = unfinished;
    if (path) platform_remove(path);
    _Exit(EXIT_STOPPED);
}

ilc_session *session_open(void)
{
    ilc_session *session;
    ilc_status   status = ilc_session_create(&session, NULL);
    if (status != ILC_OK) {
        say(ilc_status_exit_code(status), "%s", ilc_status_text(status));
        return NULL;
    }
    signal(SIGINT, interrupted);
    return session;
}

/* --- files ------------------------------------------------------------------------------------------------------ */

static int read_stream(FILE *file, const char *path, char **bytes, size_t *size)
{
    size_t capacity = 0;
    *bytes = NULL;
    *size = 0;
    for (;;) {
        if (*size == capacity) {
            capacity = capacity ? capacity * 2 : 64 * 1024;
            *bytes = must_grow(*bytes, capacity);
        }
        size_t got = fread(*bytes + *size, 1, capacity - *size, file);
        *size += got;
        if (got == 0) break;
    }
    if (!ferror(file)) return EXIT_DONE;
    free(*bytes);
    return say(EXIT_INPUT, "%s: %s", path, strerror(errno));
}

int file_read(const char *path, char **bytes, size_t *size)
{
    if (strcmp(path, "-") == 0) return read_stream(stdin, "standard input", bytes, size);
    FILE *file = platform_open(path, "rb");
    if (!file) return say(EXIT_INPUT, "%s: %s", path, strerror(errno));
    int code = read_stream(file, path, bytes, size);
    fclose(file);
    return code;
}

/* --- assemblies and engines ------------------------------------------------------------------------------------- */

int assembly_open(ilc_session *session, const cli_settings *settings, const char *file, ilc_assembly **out)
{
    ilc_assembly_options options;
    ilc_assembly_options_init(&options);
    options.references = settings->refs.items;
    options.reference_count = (size_t)settings->refs.count;
    options.sources = settings->sources.items;
    options.source_count = (size_t)settings->sources.count;
    ilc_status status;
    if (settings->bundle) {
        ilc_bundle *bundle;
        status = ilc_bundle_open(&bundle, session, settings->bundle);
        if (status == ILC_OK) status = ilc_bundle_assembly(out, bundle);
    } else if (strcmp(file, "-") == 0) {
        static char *bytes; /* as long as the program: the session borrows them */
        size_t       size;
        int          code = file_read(file, &bytes, &size);
        if (code != EXIT_DONE) return code;
        status = ilc_assembly_open_memory(out, session, "standard input", bytes, size, NULL, 0, &options);
    } else {
        status = ilc_assembly_open(out, session, file, &options);
    }
    return status == ILC_OK ? EXIT_DONE : fail(session, status);
}

ilc_engine_kind engine_kind(const cli_settings *settings)
{
    for (int kind = ILC_ENGINE_AUTO; settings->engine && kind <= ILC_ENGINE_CUDA; kind++)
        if (strcmp(settings->engine, ilc_engine_kind_name((ilc_engine_kind)kind)) == 0) return (ilc_engine_kind)kind;
    return ILC_ENGINE_AUTO;
}

bool host_libm(const cli_settings *settings)
{
    return settings->libm && strcmp(settings->libm, "host") == 0;
}

void engine_options(const cli_settings *settings, ilc_engine_options *out)
{
    ilc_engine_options_init(out);
    out->kind = engine_kind(settings);
    out->cpu_compiler = settings->cpu_compiler;
    out->cuda_compiler = settings->cuda_compiler;
    out->arch = settings->arch;
    out->optimise = settings->optimise;
    out->threads = (uint32_t)settings->threads;
    out->device = (int)settings->device;
    out->cache_dir = settings->cache_dir;
    out->cuda_path = settings->cuda_path;
    out->no_compile = settings->no_jit;
    out->best_code = settings->tier && strcmp(settings->tier, "best") == 0;
}

int engine_open(ilc_session *session, const cli_settings *settings, bool compile_only, ilc_engine **out)
{
    ilc_engine_options options;
    engine_options(settings, &options);
    options.compile_only = compile_only;
    ilc_status status = ilc_engine_create(out, session, &options);
    return status == ILC_OK ? EXIT_DONE : fail(session, status);
}

const char *faster_engine(ilc_session *session, const cli_settings *settings)
{
    ilc_engine_options options;
    ilc_probe_result   probe;
    engine_options(settings, &options);
    ilc_status status = ilc_probe(&probe, session, &options);
    ilc_session_clear_diagnostics(session);
    if (status != ILC_OK) return "--engine cpu";
    if (probe.cuda_works) return "--engine cuda";
    if (probe.cpu_works) return "--engine cpu";
    for (uint32_t i = 0; i < probe.count; i++)
        if (strcmp(probe.findings[i].subject, "CPU engine") == 0 && probe.findings[i].command) return probe.findings[i].command;
    return "ilcuda doctor says what is missing";
}

bool is_off(const char *choice)
{
    return choice && strcmp(choice, "off") == 0;
}

int kernel_options(const cli_settings *settings, ilc_kernel_options *out)
{
    ilc_kernel_options_init(out);
    if (settings->mode) out->mode = settings->mode;
    out->line_directives = settings->line_directives;
    out->checks = !is_off(settings->checks);
    out->index = settings->index;
    out->schedule = settings->schedule;
    return EXIT_DONE;
}

bool is_initialiser(const ilc_method *method)
{
    return strcmp(ilc_method_name(method), ".cctor") == 0;
}

void signature_print(FILE *out, ilc_method *method)
{
    const char *type;
    fprintf(out, "%s(", ilc_method_full_name(method));
    for (uint32_t i = 0; i < ilc_method_param_count(method); i++) {
        ilc_param param;
        if (ilc_method_param(&param, method, i) != ILC_OK) break;
        fprintf(out, "%s%s %s", i ? ", " : "", param.type, param.name);
    }
    fputc(')', out);
    if (ilc_method_result_type(&type, method) == ILC_OK && strcmp(type, "Void") != 0) fprintf(out, " As %s", type);
}
