/* plan.c - --plan: why a kernel runs by the schedule that it does, one reason a line, and as JSON. */
#include <json-c/json.h>

#include "cli.h"

void plan_print(FILE *out, const char *indent, const ilc_plan_note *notes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char line[24] = "";
        if (notes[i].line) snprintf(line, sizeof line, "line %u: ", notes[i].line);
        fprintf(out, "%s%-9s %-3s %s%s%s\n", indent, notes[i].schedule, notes[i].holds ? "yes" : "no", notes[i].of_launch ? "this launch: " : "", line,
                notes[i].text);
    }
}

struct json_object *plan_json(const ilc_plan_note *notes, size_t count)
{
    struct json_object *all = json_object_new_array();
    for (size_t i = 0; i < count; i++) {
        struct json_object *one = json_object_new_object();
        json_object_object_add(one, "schedule", json_object_new_string(notes[i].schedule));
        json_object_object_add(one, "holds", json_object_new_boolean(notes[i].holds));
        json_object_object_add(one, "launch", json_object_new_boolean(notes[i].of_launch));
        json_object_object_add(one, "text", json_object_new_string(notes[i].text));
        json_object_object_add(one, "line", notes[i].line ? json_object_new_int64(notes[i].line) : NULL);
        json_object_array_add(all, one);
    }
    return all;
}

/* Of both compiled engines, or of the one that --as names. */
int plan_show(const cli_settings *settings, ilc_session *session, ilc_method *method)
{
    static const ilc_engine_kind kinds[] = {ILC_ENGINE_CPU, ILC_ENGINE_CUDA};
    struct json_object *plans = json_object_new_object(), *whole = json_object_new_object();
    ilc_kernel_options options;
    ilc_kernel        *kernel;
    const char        *display;
    kernel_options(settings, &options);
    ilc_status status = ilc_kernel_translate(&kernel, method, &options);
    if (status == ILC_OK) status = ilc_method_display(&display, method);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == ILC_OK; i++) {
        const ilc_plan_note *notes;
        size_t               count;
        status = ilc_kernel_plan(&notes, &count, kernel, kinds[i]);
        if (status != ILC_OK) break;
        json_object_object_add(plans, ilc_engine_kind_name(kinds[i]), plan_json(notes, count));
        if (settings->json) continue;
        printf("%s on %s\n", display, ilc_engine_kind_name(kinds[i]));
        plan_print(stdout, "  ", notes, count);
    }
    if (status == ILC_OK && settings->json) {
        json_object_object_add(whole, "method", json_object_new_string(display));
        json_object_object_add(whole, "plan", json_object_get(plans));
        puts(json_object_to_json_string_ext(whole, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    }
    json_object_put(plans);
    json_object_put(whole);
    return status == ILC_OK ? EXIT_DONE : fail(session, status);
}
