/* cmd_doctor.c - `doctor` and `cache`: what this machine offers, and what was compiled for it. */
#include <json-c/json.h>
#include <string.h>

#include "cli.h"

static void put_text(struct json_object *object, const char *key, const char *text)
{
    json_object_object_add(object, key, text ? json_object_new_string(text) : NULL);
}

static void print_object(struct json_object *object)
{
    puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

/* none: why there is no engine */
static void print_probe_json(const ilc_probe_result *probe, ilc_engine *engine, const char *none)
{
    struct json_object *object = json_object_new_object(), *findings = json_object_new_array();
    put_text(object, "version", ilc_version());
    put_text(object, "engine", engine ? ilc_engine_kind_name(ilc_engine_kind_of(engine)) : NULL);
    put_text(object, "description", engine ? ilc_engine_describe(engine) : NULL);
    put_text(object, "reason", engine ? ilc_engine_reason(engine) : none);
    json_object_object_add(object, "cuda", json_object_new_boolean(probe->cuda_works));
    json_object_object_add(object, "cpu", json_object_new_boolean(probe->cpu_works));
    for (uint32_t i = 0; i < probe->count; i++) {
        struct json_object *one = json_object_new_object();
        put_text(one, "subject", probe->findings[i].subject);
        json_object_object_add(one, "ok", json_object_new_boolean(probe->findings[i].ok));
        put_text(one, "detail", probe->findings[i].detail);
        put_text(one, "command", probe->findings[i].command);
        json_object_array_add(findings, one);
    }
    json_object_object_add(object, "findings", findings);
    print_object(object);
}

static void print_probe(const ilc_probe_result *probe, ilc_engine *engine, const char *none)
{
    const char *command = NULL;
    for (uint32_t i = 0; i < probe->count; i++) {
        const ilc_finding *finding = &probe->findings[i];
        printf("%-3s  %-14s  %s\n", finding->ok ? "ok" : "--", finding->subject, finding->detail);
        if (!command) command = finding->command;
    }
    printf("\nengine: %s\n", engine ? ilc_engine_describe(engine) : "none");
    printf("reason: %s\n", engine ? ilc_engine_reason(engine) : none);
    if (command) printf("better: %s\n", command);
}

static int doctor(const cli_settings *settings, ilc_session *session)
{
    ilc_engine_options options;
    ilc_probe_result   probe;
    ilc_engine        *engine = NULL;
    engine_options(settings, &options);
    ilc_status status = ilc_probe(&probe, session, &options);
    if (status != ILC_OK) return fail(session, status);
    status = ilc_engine_create(&engine, session, &options);
    if (status != ILC_OK && status != ILC_NO_ENGINE) return fail(session, status);
    if (settings->json)
        print_probe_json(&probe, engine, ilc_session_error(session));
    else
        print_probe(&probe, engine, ilc_session_error(session));
    if (!engine) return EXIT_BROKEN;
    return probe.cuda_works ? EXIT_DONE : probe.cpu_works ? EXIT_NO : EXIT_BROKEN;
}

int cmd_doctor(const cli_settings *settings)
{
    ilc_session *session = session_open();
    if (!session) return EXIT_BUG;
    int code = doctor(settings, session);
    ilc_session_destroy(session);
    return code;
}

/* --- cache ------------------------------------------------------------------------------------------------------- */

static int cache_info(const cli_settings *settings, ilc_session *session)
{
    ilc_cache_info info;
    ilc_status     status = ilc_cache_info_get(&info, session, settings->cache_dir);
    if (status != ILC_OK) return fail(session, status);
    if (settings->json) {
        struct json_object *object = json_object_new_object();
        put_text(object, "directory", info.directory);
        json_object_object_add(object, "entries", json_object_new_uint64(info.entries));
        json_object_object_add(object, "bytes", json_object_new_uint64(info.bytes));
        json_object_object_add(object, "limit", json_object_new_uint64(info.limit));
        print_object(object);
        return EXIT_DONE;
    }
    if (!info.directory) {
        puts("no folder can be used: kernels are compiled anew by each program");
        return EXIT_DONE;
    }
    printf("%s\n%llu entries, %.1f MB of at most %.0f MB\n", info.directory, (unsigned long long)info.entries,
           (double)info.bytes / 1e6, (double)info.limit / 1e6);
    return EXIT_DONE;
}

static int cache_clear(const cli_settings *settings, ilc_session *session)
{
    uint64_t   removed = 0;
    ilc_status status = ilc_cache_clear(&removed, session, settings->cache_dir);
    if (status != ILC_OK) return fail(session, status);
    if (settings->json)
        printf("{\"removed\":%llu}\n", (unsigned long long)removed);
    else
        printf("%llu entries removed\n", (unsigned long long)removed);
    return EXIT_DONE;
}

int cmd_cache(const cli_settings *settings)
{
    const char *what = settings->operands.items[0];
    bool        info = strcmp(what, "info") == 0;
    if (!info && strcmp(what, "clear") != 0) return say(EXIT_USAGE, "cache takes info or clear, not %s", what);
    ilc_session *session = session_open();
    if (!session) return EXIT_BUG;
    int code = info ? cache_info(settings, session) : cache_clear(settings, session);
    ilc_session_destroy(session);
    return code;
}
