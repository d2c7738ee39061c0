/* cmd_show.c - `show`: a method as pseudo-code, CUDA C, C, IL, SSA or PTX. */
#include <json-c/json.h>
#include <string.h>

#include "cli.h"
#include "color.h"

typedef struct form {
    const char *name;
    ilc_text    text, whole; /* whole: with --checks=show */
    bool        has_lines;   /* a line map */
} form;

static const form forms[] = {
    {"vb", ILC_TEXT_VB, ILC_TEXT_VB_CHECKED, true}, {"cs", ILC_TEXT_CS, ILC_TEXT_CS_CHECKED, true},
    {"cuda", ILC_TEXT_CUDA, ILC_TEXT_CUDA_UNIT, true}, {"c", ILC_TEXT_C, ILC_TEXT_C_UNIT, true},
    {"il", ILC_TEXT_IL, ILC_TEXT_IL, false}, {"ir", ILC_TEXT_IR, ILC_TEXT_IR, false},
    {"tile", ILC_TEXT_CUDA_TILE, ILC_TEXT_CUDA_TILE, false}, {"ctile", ILC_TEXT_C_TILE, ILC_TEXT_C_TILE, false},
    {"ptx", ILC_TEXT_CUDA_UNIT, ILC_TEXT_CUDA_UNIT, false},
};

static const form *form_of(const cli_settings *settings)
{
    const form *at = forms;
    while (settings->as && strcmp(at->name, settings->as) != 0) at++;
    return at;
}

typedef struct shown {
    const char     *text;
    const ilc_line *lines;
    size_t          line_count;
} shown;

static ilc_status make_text(const cli_settings *settings, const form *as, ilc_method *method, ilc_engine *compiler, shown *out)
{
    if (settings->passes) {
        bool all = !settings->as;
        return ilc_method_passes(&out->text, method, settings->mode, all || as->text == ILC_TEXT_IR, all || as->text == ILC_TEXT_VB);
    }
    /* Any method's IL can be seen, supported or not. */
    if (as->text == ILC_TEXT_IL) return ilc_method_il(&out->text, method);
    ilc_kernel_options options;
    kernel_options(settings, &options);
    ilc_kernel *kernel;
    ilc_status  status = ilc_kernel_translate(&kernel, method, &options);
    if (status != ILC_OK) return status;
    if (compiler) return ilc_engine_ptx(&out->text, compiler, kernel);
    bool     whole = settings->checks && strcmp(settings->checks, "show") == 0;
    ilc_text which = whole ? as->whole : as->text;
    status = ilc_kernel_text(&out->text, kernel, which);
    if (status != ILC_OK || !settings->lines) return status;
    return ilc_kernel_lines(&out->lines, &out->line_count, kernel, which);
}

static struct json_object *text_or_null(const char *text)
{
    return text ? json_object_new_string(text) : NULL;
}

static void print_json(const cli_settings *settings, const form *as, ilc_method *method, const shown *what)
{
    struct json_object *object = json_object_new_object();
    const char         *display;
    if (ilc_method_display(&display, method) == ILC_OK)
        json_object_object_add(object, "method", json_object_new_string(display));
    json_object_object_add(object, "as", json_object_new_string(settings->passes ? "passes" : as->name));
    json_object_object_add(object, "text", json_object_new_string(what->text));
    struct json_object *lines = settings->lines ? json_object_new_array() : NULL;
    for (size_t i = 0; i < what->line_count; i++) {
        const ilc_line     *line = &what->lines[i];
        struct json_object *row = json_object_new_object();
        json_object_object_add(row, "line", json_object_new_int64(line->line));
        json_object_object_add(row, "method", text_or_null(line->method));
        json_object_object_add(row, "il", json_object_new_int64(line->il_offset));
        json_object_object_add(row, "file", text_or_null(line->file));
        json_object_object_add(row, "source", line->source ? json_object_new_int64(line->source) : NULL);
        json_object_array_add(lines, row);
    }
    if (lines) json_object_object_add(object, "lines", lines);
    puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

/* --- the margin -------------------------------------------------------------------------------------------------- */

static const char *file_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\') name = at + 1;
    return name;
}

/* "Stats.vb:14,16 IL_0006": all source lines of a text line's rows that are of the first one's file. */
static int margin(char *out, size_t size, const ilc_line *rows, size_t count)
{
    int at = 0;
    out[0] = 0;
    if (count == 0) return 0;
    if (rows[0].file && rows[0].source) at = snprintf(out, size, "%s:%u", file_name(rows[0].file), rows[0].source);
    for (size_t i = 1; i < count && at > 0 && (size_t)at < size / 2; i++) {
        bool seen = !rows[i].source || !rows[i].file || strcmp(rows[i].file, rows[0].file) != 0;
        for (size_t k = 0; k < i; k++) seen = seen || rows[k].source == rows[i].source;
        if (!seen) at += snprintf(out + at, size - (size_t)at, ",%u", rows[i].source);
    }
    if ((size_t)at < size) at += snprintf(out + at, size - (size_t)at, "%sIL_%04x", at ? " " : "", rows[0].il_offset);
    return (size_t)at < size ? at : (int)size - 1;
}

/* The rows of line number `line`, of those from *at on. */
static size_t rows_of(const shown *what, uint32_t line, size_t *at)
{
    while (*at < what->line_count && what->lines[*at].line < line) ++*at;
    size_t end = *at;
    while (end < what->line_count && what->lines[end].line == line) end++;
    return end - *at;
}

typedef struct listing {
    bool                  on, passes;
    const color_language *language;
} listing;

static void put_line(const listing *colors, const char *text, size_t length)
{
    if (colors->on && colors->passes) color_passes_line(stdout, text, length);
    else if (colors->on && colors->language) color_line(stdout, colors->language, text, length);
    else fwrite(text, 1, length, stdout);
    putchar('\n');
}

static void put_margin(const char *text, bool before_text, const listing *colors)
{
    if (colors->on) color_faint(stdout, text);
    else fputs(text, stdout);
    fputs(before_text ? " | " : " |", stdout);
}

static void print_with_margin(const shown *what, const listing *colors)
{
    char   room[256];
    int    widest = 0;
    size_t at = 0;
    for (size_t i = 0; i < what->line_count; i += rows_of(what, what->lines[i].line, &i)) {
        size_t count = rows_of(what, what->lines[i].line, &i);
        int    width = margin(room, sizeof room, &what->lines[i], count);
        if (width > widest) widest = width;
    }
    const char *text = what->text;
    for (uint32_t line = 1; *text; line++) {
        size_t count = rows_of(what, line, &at), length = strcspn(text, "\n");
        int    width = margin(room, sizeof room, what->lines + at, count);
        for (; width < widest && (size_t)width + 1 < sizeof room; width++) room[width] = ' ';
        room[width] = 0;
        put_margin(room, length > 0, colors);
        put_line(colors, text, length);
        text += length + (text[length] == '\n');
    }
}

static void print_text(const cli_settings *settings, const form *as, const shown *what)
{
    listing colors = {.on = color_wanted(settings->color), .passes = settings->passes, .language = color_language_named(as->name)};
    if (settings->lines) {
        print_with_margin(what, &colors);
        return;
    }
    if (colors.on) {
        for (const char *text = what->text; *text;) {
            size_t length = strcspn(text, "\n");
            put_line(&colors, text, length);
            text += length + (text[length] == '\n');
        }
        return;
    }
    size_t length = strlen(what->text);
    fwrite(what->text, 1, length, stdout);
    if (length && what->text[length - 1] != '\n') putchar('\n');
}

static int check_usage(const cli_settings *settings, const form *as)
{
    if (settings->json && settings->color && strcmp(settings->color, "always") == 0)
        return say(EXIT_USAGE, "--color always goes without --json");
    if (settings->passes && as->text != ILC_TEXT_IR && as->text != ILC_TEXT_VB)
        return say(EXIT_USAGE, "--passes shows ir and vb, not %s", as->name);
    const char *beside = settings->lines ? "lines" : settings->checks ? "checks" : settings->index ? "index" : settings->row_params ? "rows" : settings->unit ? "unit" : NULL;
    if (settings->passes && beside) return say(EXIT_USAGE, "--passes goes without --%s", beside);
    if (settings->lines && !as->has_lines)
        return say(EXIT_USAGE, as->text == ILC_TEXT_CUDA_UNIT ? "--lines goes with --as vb, cs, cuda or c, not with %s"
                                                                : "--lines goes with --as vb, cs, cuda or c: %s says its lines itself",
                   as->name);
    if (settings->line_directives && as->text != ILC_TEXT_CUDA && as->text != ILC_TEXT_C && as->text != ILC_TEXT_CUDA_UNIT)
        return say(EXIT_USAGE, "--line-directives goes with --as cuda, c or ptx, not with %s", as->name);
    if (settings->unit && as->text != ILC_TEXT_VB && as->text != ILC_TEXT_CS) return say(EXIT_USAGE, "--unit is of --as vb and --as cs");
    if (settings->plan && (settings->as || settings->lines || settings->passes || settings->unit))
        return say(EXIT_USAGE, "--plan goes without --as, --lines, --passes and --unit");
    if (settings->unit && settings->row_params) return say(EXIT_USAGE, "--rows goes without --unit");
    if (settings->unit && settings->lines) return say(EXIT_USAGE, "--lines goes without --unit");
    if (settings->operands.count < 2 && !settings->unit) return say(EXIT_USAGE, "show takes FILE METHOD; see ilcuda show --help");
    return EXIT_DONE;
}

/* Source that a compiler takes: of the method, or of all. */
static ilc_status make_unit(const form *as, ilc_assembly *assembly, ilc_method *method, shown *out)
{
    return method ? ilc_method_source(&out->text, method, as->text) : ilc_assembly_source(&out->text, assembly, as->text);
}

static int show(const cli_settings *settings, ilc_session *session)
{
    const form   *as = form_of(settings);
    ilc_assembly *assembly;
    ilc_method   *method = NULL;
    ilc_engine   *compiler = NULL;
    shown         what = {0};
    int           code = check_usage(settings, as);
    if (code == EXIT_DONE) code = assembly_open(session, settings, settings->operands.items[0], &assembly);
    /* PTX is made by an engine, of the unit as it is compiled for a launch. */
    if (code == EXIT_DONE && strcmp(as->name, "ptx") == 0) code = engine_open(session, settings, true, &compiler);
    if (code != EXIT_DONE) return code;
    ilc_status status = settings->operands.count > 1 ? ilc_assembly_find(&method, assembly, settings->operands.items[1]) : ILC_OK;
    if (status == ILC_OK && method) code = rows_check(settings, &method, 1);
    if (code != EXIT_DONE) return code;
    if (status == ILC_OK && method) status = rows_apply(settings, &method);
    if (status == ILC_OK && settings->plan) return plan_show(settings, session, method);
    if (status == ILC_OK)
        status = settings->unit ? make_unit(as, assembly, method, &what) : make_text(settings, as, method, compiler, &what);
    if (status != ILC_OK) return fail(session, status);
    if (settings->json && method) print_json(settings, as, method, &what);
    else print_text(settings, as, &what);
    return EXIT_DONE;
}

int cmd_show(const cli_settings *settings)
{
    ilc_session *session = session_open();
    if (!session) return EXIT_BUG;
    int code = show(settings, session);
    ilc_session_destroy(session);
    return code;
}
