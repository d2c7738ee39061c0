/* cmd_show.c - `show`: a method as pseudo-code, CUDA C, C, IL, SSA or PTX. */
#include <json-c/json.h>
#include <string.h>

#include "cli.h"

static const struct {
    const char *name;
    ilc_text    form, whole; /* whole: with --checks=show */
} forms[] = {
    {"vb", ILC_TEXT_VB, ILC_TEXT_VB_CHECKED}, {"cs", ILC_TEXT_CS, ILC_TEXT_CS_CHECKED},
    {"cuda", ILC_TEXT_CUDA, ILC_TEXT_CUDA_UNIT}, {"c", ILC_TEXT_C, ILC_TEXT_C_UNIT},
    {"il", ILC_TEXT_IL, ILC_TEXT_IL},
    {"ir", ILC_TEXT_IR, ILC_TEXT_IR},
};

/* PTX is made by an engine, of the unit as it is compiled for a launch. */
static bool wants_ptx(const cli_settings *settings)
{
    return settings->as && strcmp(settings->as, "ptx") == 0;
}

static ilc_status make_text(const cli_settings *settings, ilc_method *method, ilc_engine *compiler, const char **text)
{
    const char *as = settings->as ? settings->as : "vb";
    size_t      number = 0;
    while (!compiler && strcmp(forms[number].name, as) != 0) number++;
    /* Any method's IL can be seen, supported or not. */
    if (!compiler && forms[number].form == ILC_TEXT_IL) return ilc_method_il(text, method);
    ilc_kernel_options options;
    kernel_options(settings, &options);
    ilc_kernel *kernel;
    ilc_status  status = ilc_kernel_translate(&kernel, method, &options);
    if (status != ILC_OK) return status;
    if (compiler) return ilc_engine_ptx(text, compiler, kernel);
    bool whole = settings->checks && strcmp(settings->checks, "show") == 0;
    return ilc_kernel_text(text, kernel, whole ? forms[number].whole : forms[number].form);
}

static void print_json(const cli_settings *settings, ilc_method *method, const char *text)
{
    struct json_object *object = json_object_new_object();
    const char         *display;
    if (ilc_method_display(&display, method) == ILC_OK)
        json_object_object_add(object, "method", json_object_new_string(display));
    json_object_object_add(object, "as", json_object_new_string(settings->as ? settings->as : "vb"));
    json_object_object_add(object, "text", json_object_new_string(text));
    puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

static int put(const char *text)
{
    size_t length = strlen(text);
    fwrite(text, 1, length, stdout);
    if (length && text[length - 1] != '\n') putchar('\n');
    return EXIT_DONE;
}

/* Source that a compiler takes. */
static int show_unit(const cli_settings *settings, ilc_session *session, ilc_assembly *assembly, ilc_method *method)
{
    const char *as = settings->as ? settings->as : "vb", *text;
    bool        cs = strcmp(as, "cs") == 0;
    if (!cs && strcmp(as, "vb") != 0) return say(EXIT_USAGE, "--unit is of --as vb and --as cs");
    ilc_text   form = cs ? ILC_TEXT_CS : ILC_TEXT_VB;
    ilc_status status = method ? ilc_method_source(&text, method, form) : ilc_assembly_source(&text, assembly, form);
    if (status != ILC_OK) return fail(session, status);
    if (settings->json && method) {
        print_json(settings, method, text);
        return EXIT_DONE;
    }
    return put(text);
}

static int show(const cli_settings *settings, ilc_session *session)
{
    ilc_assembly *assembly;
    ilc_method   *method = NULL;
    ilc_engine   *compiler = NULL;
    const char   *text;
    if (settings->operands.count < 2 && !settings->unit) return say(EXIT_USAGE, "show takes FILE METHOD; see ilcuda show --help");
    int code = assembly_open(session, settings, settings->operands.items[0], &assembly);
    if (code == EXIT_DONE && wants_ptx(settings)) code = engine_open(session, settings, true, &compiler);
    if (code != EXIT_DONE) return code;
    ilc_status status = settings->operands.count > 1 ? ilc_assembly_find(&method, assembly, settings->operands.items[1]) : ILC_OK;
    if (status == ILC_OK && settings->unit) return show_unit(settings, session, assembly, method);
    if (status == ILC_OK) status = make_text(settings, method, compiler, &text);
    if (status != ILC_OK) return fail(session, status);
    if (settings->json) {
        print_json(settings, method, text);
        return EXIT_DONE;
    }
    return put(text);
}

int cmd_show(const cli_settings *settings)
{
    ilc_session *session = session_open();
    if (!session) return EXIT_BUG;
    int code = show(settings, session);
    ilc_session_destroy(session);
    return code;
}
