/* cmd_call.c - `call`: one call, or many from a file. */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "platform.h"
#include "text.h"

static bool is_compiled(const cli_settings *settings)
{
    ilc_engine_kind kind = settings->engine ? engine_kind(settings) : ILC_ENGINE_IL;
    return kind == ILC_ENGINE_AUTO || kind == ILC_ENGINE_CPU || kind == ILC_ENGINE_CUDA;
}

/* --- many ------------------------------------------------------------------------------------------------------------ */

static bool is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r\n", line[i])) return false;
    return true;
}

/* One line without its end; false at the end of the file. */
static bool read_line(FILE *in, char **line, size_t *capacity, size_t *length)
{
    int c;
    *length = 0;
    while ((c = getc(in)) != EOF && c != '\n') {
        if (*length == *capacity) {
            *capacity = *capacity ? *capacity * 2 : 256;
            *line = must_grow(*line, *capacity);
        }
        (*line)[(*length)++] = (char)c;
    }
    return *length || c != EOF;
}

/* Interpreters answer line by line, so that a program may wait for each answer before it asks again. */
static int answer_stream(cli_batch *batch, FILE *in, const char *name)
{
    bool   interactive = !platform_is_regular(in);
    char  *line = NULL;
    size_t capacity = 0, length;
    while (read_line(in, &line, &capacity, &length)) {
        if (is_blank(line, length)) continue;
        while (length && line[length - 1] == '\r') length--;
        cli_request request;
        request_read(batch, line, length, &request);
        request_answer(batch, &request, stdout);
        request_forget(batch, &request);
        if (interactive) fflush(stdout);
    }
    free(line);
    return ferror(in) ? say(EXIT_INPUT, "%s: %s", name, strerror(errno)) : EXIT_DONE;
}

static int batch_interpreted(const cli_settings *settings)
{
    cli_batch batch;
    FILE *in = stdin;
    bool  from_stdin = strcmp(settings->batch, "-") == 0;
    if (!from_stdin) in = platform_open(settings->batch, "rb");
    if (!in) return say(EXIT_INPUT, "%s: %s", settings->batch, strerror(errno));
    int code = batch_open(&batch, settings, settings->operands.items[0]);
    if (code == EXIT_DONE) code = answer_stream(&batch, in, settings->batch);
    if (!from_stdin) fclose(in);
    batch_free(&batch);
    ilc_session_destroy(batch.session);
    return code;
}

static int batch_compiled(const cli_settings *settings)
{
    char    *bytes;
    size_t   size;
    uint32_t from;
    int      fd;
    /* A child that was started again is given the lines. */
    int code = file_read(platform_is_child(&from, &fd) ? "-" : settings->batch, &bytes, &size);
    if (code != EXIT_DONE) return code;
    const char **lines = NULL;
    size_t      *lengths = NULL;
    uint32_t     count = 0, capacity = 0;
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(bytes + at, '\n', size - at);
        size_t      length = newline ? (size_t)(newline - (bytes + at)) : size - at;
        if (!is_blank(bytes + at, length)) {
            if (count == capacity) {
                capacity = capacity ? capacity * 2 : 1024;
                lines = must_grow(lines, sizeof *lines * capacity);
                lengths = must_grow(lengths, sizeof *lengths * capacity);
            }
            lines[count] = bytes + at;
            lengths[count++] = length;
        }
        at += length + 1;
    }
    code = batch_in_children(settings, settings->operands.items[0], &(line_set){bytes, size, lines, lengths, count});
    free(lines);
    free(lengths);
    free(bytes);
    return code;
}

/* --- one ------------------------------------------------------------------------------------------------------------- */

/* "[1,2]", "{...}", "\"...\"", null, true and false are JSON; anything else is a scalar's text. */
static struct json_object *argument_json(const char *text, const char **reason)
{
    static const char *const words[] = {"null", "true", "false"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) return json_parse_exact(text, strlen(text), reason);
    if (*text && strchr("[{\"", *text)) return json_parse_exact(text, strlen(text), reason);
    return json_object_new_string(text);
}

static int read_arguments(cli_batch *batch, const cli_settings *settings, ilc_method *method, ilc_value *args)
{
    uint32_t count = ilc_method_param_count(method);
    int      given = settings->operands.count - 2;
    if ((uint32_t)given != count)
        return say(EXIT_USAGE, "%s takes %u argument%s, %d %s given", ilc_method_full_name(method), count,
                   count == 1 ? "" : "s", given, given == 1 ? "was" : "were");
    for (uint32_t i = 0; i < count; i++) {
        ilc_param   param;
        const char *text = settings->operands.items[2 + i], *reason = NULL;
        ilc_status  status = ilc_method_param(&param, method, i);
        if (status != ILC_OK) return fail(batch->session, status);
        if (param.storage >= ILC_STORAGE_COUNT || param.storage == ILC_VOID) continue; /* the call refuses it */
        struct json_object *json = argument_json(text, &reason);
        if (!json && strcmp(text, "null") != 0)
            return say(EXIT_USAGE, "argument %s is not a JSON value: %s", param.name, reason);
        const char *why = value_parse(&batch->pool, json, &param, args, i, &args[i]);
        json_object_put(json);
        bool names_it = why && strncmp(why, "argument ", 9) == 0;
        if (why && names_it) return say(EXIT_USAGE, "%s", why);
        if (why) return say(EXIT_USAGE, "argument %s: %s", param.name, why);
    }
    return EXIT_DONE;
}

static void put_array(const ilc_array *array)
{
    enum { MOST = 32 };
    array_write(&(array_style){.out = stdout, .as_text = true, .comma = ", ", .most = MOST}, array);
}

static void print_array(const char *name, const ilc_array *array)
{
    printf("%s = ", name);
    put_array(array);
    putchar('\n');
}

static void print_byref(const char *name, const ilc_array *cell)
{
    char text[TEXT_SIZE], bits[TEXT_SIZE];
    if (cell->layout) {
        printf("%s = ", name);
        text_write(stdout, cell->elem, cell->layout, cell->data);
        printf("  %s\n", ilc_struct_name(cell->layout));
        return;
    }
    uint64_t held = element_bits(cell, 0);
    printf("%s = %s  %s  %s\n", name, text_of_scalar(text, cell->elem, held), text_of_bits(bits, cell->elem, held),
           ilc_storage_name(cell->elem));
}

static void print_outcome(ilc_method *method, const ilc_outcome *outcome, const ilc_value *args)
{
    char        text[TEXT_SIZE], bits[TEXT_SIZE];
    ilc_storage storage = ilc_method_result(method);
    if (outcome->trapped) {
        const ilc_trap *trap = &outcome->trap;
        printf("%s: %s\n", trap->exception, trap->message ? trap->message : "");
        if (trap->method) printf("  in %s at IL_%04x", trap->method, trap->il_offset);
        if (trap->method && trap->line) printf(", %s line %u", trap->file ? trap->file : "source", trap->line);
        if (trap->method) putchar('\n');
        return;
    }
    if (storage == ILC_ARRAY) {
        if (outcome->ret.u.array) put_array(outcome->ret.u.array);
        else fputs("null", stdout);
        const char *type;
        if (ilc_method_result_type(&type, method) == ILC_OK) printf("  %s\n", type);
    } else if (storage == ILC_STRUCT) {
        text_write(stdout, storage, outcome->ret.layout, outcome->ret.u.data);
        printf("  %s\n", ilc_struct_name(outcome->ret.layout));
    } else if (storage != ILC_VOID)
        printf("%s  %s  %s\n", text_of_scalar(text, storage, outcome->ret.u.bits),
               text_of_bits(bits, storage, outcome->ret.u.bits), ilc_storage_name(storage));
    for (uint32_t i = 0; i < ilc_method_param_count(method); i++) {
        ilc_param param;
        if (!args[i].is_array || !args[i].u.array || ilc_method_param(&param, method, i) != ILC_OK) continue;
        if (args[i].is_byref)
            print_byref(param.name, args[i].u.array);
        else
            print_array(param.name, args[i].u.array);
    }
}

/* A compiled engine cannot be stopped; one call is all there is to lose. */
static void time_is_up(void)
{
    platform_last_words("ilcuda: time limit\n");
    _Exit(ilc_status_exit_code(ILC_LIMIT));
}

static ilc_status run_call(cli_batch *batch, const cli_settings *settings, ilc_method *method, const ilc_value *args,
                           ilc_outcome *outcome)
{
    uint32_t count = ilc_method_param_count(method);
    if (!is_compiled(settings)) return call_limited(batch, method, args, count, outcome);
    ilc_call_options options;
    batch_call_options(batch, &options);
    ilc_call_prepare(&method, 1, &options);
    platform_timer(settings->limit + 1, time_is_up);
    ilc_status status = ilc_call(outcome, method, args, count, &options);
    platform_timer(0, NULL);
    return status;
}

static int call_one(cli_batch *batch, const cli_settings *settings)
{
    ilc_method *method;
    ilc_outcome outcome;
    ilc_status  status = ilc_assembly_find(&method, batch->assembly, settings->operands.items[1]);
    if (status != ILC_OK) return fail(batch->session, status);
    uint32_t   count = ilc_method_param_count(method);
    ilc_value *args = pool_alloc(&batch->pool, sizeof *args * count);
    int        code = read_arguments(batch, settings, method, args);
    if (code != EXIT_DONE) return code;
    status = run_call(batch, settings, method, args, &outcome);
    if (status != ILC_OK) {
        if (settings->json) {
            putchar('{');
            failure_write(stdout, batch->session, status);
            puts("}");
        }
        if (call_was_late(status)) return say(ilc_status_exit_code(status), "time limit");
        return fail(batch->session, status);
    }
    if (settings->json) {
        putchar('{');
        outcome_write(stdout, method, &outcome, args, count);
        puts("}");
    } else {
        print_outcome(method, &outcome, args);
    }
    return outcome.trapped ? ilc_status_exit_code(ILC_TRAP) : EXIT_DONE;
}

int cmd_call(const cli_settings *settings)
{
    if (!settings->engine && (settings->cpu_compiler || settings->threads))
        return say(EXIT_USAGE, "%s is for --engine cpu; call runs in the IL interpreter",
                   settings->cpu_compiler ? "--cpu-compiler" : "--threads");
    if (host_libm(settings) && settings->engine && strcmp(settings->engine, "il") != 0)
        return say(EXIT_USAGE, "--libm=host is for the IL interpreter, not for --engine %s", settings->engine);
    if (is_off(settings->checks) && !is_compiled(settings))
        return say(EXIT_USAGE, "--checks off is for compiled engines; interpreters have every check");
    if (settings->batch) {
        if (settings->operands.count != 1) return say(EXIT_USAGE, "call --batch takes FILE alone");
        return is_compiled(settings) ? batch_compiled(settings) : batch_interpreted(settings);
    }
    if (settings->operands.count < 2) return say(EXIT_USAGE, "call takes FILE METHOD ARG...; see ilcuda call --help");
    cli_batch batch;
    int   code = batch_open(&batch, settings, settings->operands.items[0]);
    if (code == EXIT_DONE) code = call_one(&batch, settings);
    batch_free(&batch);
    ilc_session_destroy(batch.session);
    return code;
}
