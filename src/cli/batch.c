/* batch.c - request lines: read, run, answered (batch.h). */
#include "batch.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"
#include "text.h"

void batch_free(cli_batch *batch)
{
    for (uint32_t i = 0; i < batch->known_capacity; i++) free(batch->known[i].name);
    free(batch->known);
    pool_free(&batch->pool);
}

int batch_open(cli_batch *batch, const cli_settings *settings, const char *file)
{
    *batch = (cli_batch){.limit = settings->limit, .trace = settings->trace, .host_libm = host_libm(settings), .unchecked = is_off(settings->checks), .mode = settings->mode,
                         .session = session_open()};
    if (!batch->session) return EXIT_BUG;
    int code = assembly_open(batch->session, settings, file, &batch->assembly);
    /* Without --engine the judge answers (docs/cli.md). */
    if (code == EXIT_DONE && settings->engine && strcmp(settings->engine, "il") != 0)
        code = engine_open(batch->session, settings, false, &batch->engine);
    return code;
}

/* --- methods by name ------------------------------------------------------------------------------------------------ */

static known_method *known_slot(const cli_batch *batch, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *at = name; *at; at++) hash = (hash ^ (uint8_t)*at) * 16777619u;
    for (uint32_t i = hash & (batch->known_capacity - 1);; i = (i + 1) & (batch->known_capacity - 1))
        if (!batch->known[i].name || strcmp(batch->known[i].name, name) == 0) return &batch->known[i];
}

static void grow_known(cli_batch *batch)
{
    known_method *old = batch->known;
    uint32_t      old_capacity = batch->known_capacity;
    batch->known_capacity = old_capacity ? old_capacity * 2 : 64;
    batch->known = must_alloc(sizeof *batch->known * batch->known_capacity);
    for (uint32_t i = 0; i < old_capacity; i++)
        if (old[i].name) *known_slot(batch, old[i].name) = old[i];
    free(old);
}

ilc_status batch_find(cli_batch *batch, const char *name, ilc_method **out)
{
    if (batch->known_count * 2 >= batch->known_capacity) grow_known(batch);
    known_method *slot = known_slot(batch, name);
    if (!slot->name) {
        ilc_method *method;
        ilc_status  status = ilc_assembly_find(&method, batch->assembly, name);
        if (status != ILC_OK) return status;
        slot->name = must_format("%s", name);
        slot->method = method;
        batch->known_count++;
    }
    *out = slot->method;
    return ILC_OK;
}

/* --- reading a request ---------------------------------------------------------------------------------------------- */

static const char *read_fields(cli_batch *batch, cli_request *out, const char **method, struct json_object **args,
                               struct json_object **fields)
{
    json_object_object_foreach(out->json, key, value)
    {
        if (strcmp(key, "id") == 0)
            out->id = value;
        else if (strcmp(key, "method") == 0 && json_object_get_type(value) == json_type_string)
            *method = json_object_get_string(value);
        else if (strcmp(key, "args") == 0 && json_object_get_type(value) == json_type_array)
            *args = value;
        else if (strcmp(key, "fields") == 0 && json_object_get_type(value) == json_type_array)
            *fields = value;
        else if (strcmp(key, "method") == 0 || strcmp(key, "args") == 0 || strcmp(key, "fields") == 0)
            return pool_format(&batch->pool, "%s is not %s", key, *key == 'm' ? "a string" : "an array");
        else
            return pool_format(&batch->pool, "unknown field %.60s", key);
    }
    if (!*method || !*args) return "method or args is missing";
    return NULL;
}

/* "CS$<>8__locals1.weight": the way to the field that a parameter stands for; "" where it stands for none. */
static const char *field_path(cli_batch *batch, const ilc_method *method, uint32_t param)
{
    ilc_captured step;
    const char  *path = "";
    for (uint32_t k = 0; ilc_method_captured(&step, method, param, k) == ILC_OK; k++)
        path = pool_format(&batch->pool, "%s%s%s", path, k ? "." : "", step.name);
    return path;
}

/* The fields that a caller says the last arguments are for must be those that they are. */
static const char *check_fields(cli_batch *batch, const cli_request *request, struct json_object *fields)
{
    uint32_t count = ilc_method_captured_count(request->method), given = (uint32_t)json_object_array_length(fields);
    uint32_t first = ilc_method_param_count(request->method) - count;
    if (given != count) return pool_format(&batch->pool, "%u fields for %u that the method reads", given, count);
    for (uint32_t i = 0; i < count; i++) {
        struct json_object *field = json_object_array_get_idx(fields, i);
        const char         *path = field_path(batch, request->method, first + i);
        if (json_object_get_type(field) != json_type_string || strcmp(json_object_get_string(field), path) != 0)
            return pool_format(&batch->pool, "field %u of the method is %s", i, path);
    }
    return NULL;
}

static const char *read_args(cli_batch *batch, cli_request *out, struct json_object *args)
{
    out->arg_count = (uint32_t)json_object_array_length(args);
    uint32_t wanted = ilc_method_param_count(out->method);
    if (out->arg_count != wanted)
        return pool_format(&batch->pool, "%u arguments for %u parameters", out->arg_count, wanted);
    out->args = pool_alloc(&batch->pool, sizeof *out->args * wanted);
    for (uint32_t i = 0; i < wanted; i++) {
        ilc_param param;
        if (ilc_method_param(&param, out->method, i) != ILC_OK) return "the parameter is not readable";
        /* The call refuses the type itself, by name. */
        if (param.storage >= ILC_STORAGE_COUNT || param.storage == ILC_VOID) {
            out->args[i].storage = ILC_VOID;
            continue;
        }
        const char *why =
            value_parse(&batch->pool, json_object_array_get_idx(args, i), &param, out->args, i, &out->args[i]);
        if (why) return why;
    }
    return NULL;
}

void request_read(cli_batch *batch, const char *line, size_t length, cli_request *out)
{
    const char         *reason, *method = NULL;
    struct json_object *args = NULL, *fields = NULL;
    *out = (cli_request){.json = json_parse_exact(line, length, &reason)};
    if (!out->json || json_object_get_type(out->json) != json_type_object) {
        out->error = out->json ? "not a JSON object" : pool_format(&batch->pool, "not a JSON object: %s", reason);
        return;
    }
    out->error = read_fields(batch, out, &method, &args, &fields);
    if (out->error) return;
    out->status = batch_find(batch, method, &out->method);
    if (out->status == ILC_OK && fields) out->error = check_fields(batch, out, fields);
    if (out->status == ILC_OK && !out->error) out->error = read_args(batch, out, args);
}

void request_forget(cli_batch *batch, cli_request *request)
{
    json_object_put(request->json);
    pool_clear(&batch->pool);
    ilc_session_clear_diagnostics(batch->session);
}

/* --- the call under a time limit ------------------------------------------------------------------------------------ */

static ilc_session *volatile running;
static volatile bool         is_late;

static void time_is_up(void)
{
    is_late = true;
    if (running) ilc_session_stop(running);
}

bool call_was_late(ilc_status status)
{
    return status == ILC_LIMIT && is_late;
}

static void print_trace(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "%s\n", line);
}

void batch_call_options(const cli_batch *batch, ilc_call_options *out)
{
    ilc_call_options_init(out);
    out->engine = batch->engine;
    out->host_libm = batch->host_libm;
    out->unchecked = batch->unchecked;
    out->mode = batch->mode;
    if (batch->trace) out->trace = print_trace;
}

ilc_status call_limited(cli_batch *batch, ilc_method *method, const ilc_value *args, uint32_t count, ilc_outcome *out)
{
    ilc_call_options options;
    batch_call_options(batch, &options);
    running = batch->session;
    is_late = false;
    platform_timer(batch->limit, time_is_up);
    ilc_status status = ilc_call(out, method, args, count, &options);
    platform_timer(0, NULL);
    ilc_session_resume(batch->session);
    return status;
}

/* --- answers -------------------------------------------------------------------------------------------------------- */

void json_string_write(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20)
            fprintf(out, "\\u%04x", *at);
        else
            putc(*at, out);
    }
    putc('"', out);
}

static void write_trap(FILE *out, const ilc_trap *trap)
{
    fputs("\"trap\":{\"exception\":", out);
    json_string_write(out, trap->exception ? trap->exception : "");
    fputs(",\"message\":", out);
    json_string_write(out, trap->message ? trap->message : "");
    if (trap->method) {
        fputs(",\"method\":", out);
        json_string_write(out, trap->method);
        fprintf(out, ",\"il\":%u,\"line\":%u", trap->il_offset, trap->line);
    }
    putc('}', out);
}

static void write_bits(FILE *out, ilc_storage storage, const ilc_struct *layout, const void *at)
{
    element_write(&(array_style){.out = out, .comma = ","}, storage, layout, at);
}

void text_write(FILE *out, ilc_storage storage, const ilc_struct *layout, const void *at)
{
    element_write(&(array_style){.out = out, .as_text = true, .comma = ", "}, storage, layout, at);
}

void outcome_write(FILE *out, ilc_method *method, const ilc_outcome *outcome, const ilc_value *args, uint32_t count)
{
    char text[TEXT_SIZE];
    if (outcome->trapped) {
        write_trap(out, &outcome->trap);
        return;
    }
    ilc_storage storage = ilc_method_result(method);
    if (storage == ILC_VOID || (storage == ILC_ARRAY && !outcome->ret.u.array))
        fputs("\"ret\":null", out);
    else if (storage == ILC_ARRAY) {
        fputs("\"ret\":", out);
        array_write(&(array_style){.out = out, .comma = ","}, outcome->ret.u.array);
    } else if (storage == ILC_STRUCT) {
        fputs("\"ret\":", out);
        write_bits(out, storage, outcome->ret.layout, outcome->ret.u.data);
        fputs(",\"text\":\"", out);
        text_write(out, storage, outcome->ret.layout, outcome->ret.u.data);
        putc('"', out);
    } else {
        fprintf(out, "\"ret\":\"%s\"", text_of_bits(text, storage, outcome->ret.u.bits));
        fprintf(out, ",\"text\":\"%s\"", text_of_scalar(text, storage, outcome->ret.u.bits));
    }
    fputs(",\"args\":[", out);
    for (uint32_t i = 0; i < count; i++) {
        if (i) putc(',', out);
        if (args[i].is_byref)
            write_bits(out, args[i].storage, args[i].u.array->layout, args[i].u.array->data);
        else if (args[i].is_array && args[i].u.array)
            array_write(&(array_style){.out = out, .comma = ","}, args[i].u.array);
        else
            fputs("null", out);
    }
    putc(']', out);
}

void failure_write(FILE *out, ilc_session *session, ilc_status status)
{
    ilc_diagnostic why = {0};
    uint32_t       count = ilc_session_diagnostic_count(session);
    if (count) ilc_session_diagnostic(&why, session, count - 1);
    const char *reason = call_was_late(status)                   ? "time limit"
                         : why.reason && status != ILC_OUT_OF_MEMORY ? why.reason
                                                                     : ilc_status_text(status);
    fprintf(out, status == ILC_UNSUPPORTED ? "\"unsupported\":{\"reason\":" : "\"error\":{\"reason\":");
    json_string_write(out, reason);
    if (status == ILC_UNSUPPORTED && why.method) {
        fputs(",\"method\":", out);
        json_string_write(out, why.method);
        if (why.has_il) fprintf(out, ",\"il\":%u", why.il);
        if (why.line) fprintf(out, ",\"line\":%u", why.line);
    }
    putc('}', out);
}

void request_answer(cli_batch *batch, const cli_request *request, FILE *out)
{
    fprintf(out, "{\"id\":%s,",
            json_object_to_json_string_ext(request->id, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    if (request->error) {
        fputs("\"error\":{\"reason\":", out);
        json_string_write(out, request->error);
        putc('}', out);
    } else if (request->status != ILC_OK) {
        failure_write(out, batch->session, request->status);
    } else {
        ilc_outcome outcome;
        ilc_status  status = call_limited(batch, request->method, request->args, request->arg_count, &outcome);
        if (status == ILC_OK)
            outcome_write(out, request->method, &outcome, request->args, request->arg_count);
        else
            failure_write(out, batch->session, status);
    }
    fputs("}\n", out);
}
