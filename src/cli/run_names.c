/* run_names.c - the arrays and scalars of `run`, from --in, --shape and --set (run.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "run.h"

size_t name_length(const char *text)
{
    size_t length = strcspn(text, "=");
    return text[length] == '=' ? length : 0;
}

static run_array *exact_array(const run_names *names, const char *name)
{
    for (int i = 0; i < names->array_count; i++)
        if (strcmp(names->arrays[i].name, name) == 0) return &names->arrays[i];
    return NULL;
}

static const char *exact_scalar(const run_names *names, const char *name)
{
    for (int i = 0; i < names->scalar_count; i++)
        if (strcmp(names->scalars[i].name, name) == 0) return names->scalars[i].text;
    return NULL;
}

run_array *names_array(const run_names *names, const char *name)
{
    run_array *found = exact_array(names, name);
    if (found) return found;
    for (int i = 0; i < names->array_count; i++) {
        if (strcasecmp(names->arrays[i].name, name) != 0) continue;
        if (found) return NULL;
        found = &names->arrays[i];
    }
    return found;
}

const char *names_scalar(const run_names *names, const char *name)
{
    const char *found = exact_scalar(names, name);
    if (found) return found;
    for (int i = 0; i < names->scalar_count; i++) {
        if (strcasecmp(names->scalars[i].name, name) != 0) continue;
        if (found) return NULL;
        found = names->scalars[i].text;
    }
    return found;
}

named names_find(const run_names *names, const char *name, bool exact)
{
    named found = {.array = exact_array(names, name)};
    if (!found.array) found.scalar = exact_scalar(names, name);
    if (found.array || found.scalar || exact) return found;
    found = (named){names_array(names, name), names_scalar(names, name)};
    return found.array && found.scalar ? (named){0} : found;
}

run_array *names_put(run_names *names, const char *name)
{
    run_array *array = exact_array(names, name);
    if (array) {
        free(array->bytes);
        free(array->rows);
        *array = (run_array){.name = array->name};
        return array;
    }
    names->arrays = must_grow(names->arrays, sizeof *names->arrays * (size_t)(names->array_count + 1));
    array = &names->arrays[names->array_count++];
    *array = (run_array){.name = must_format("%s", name)};
    return array;
}

static int put_scalar(run_names *names, const char *name, char *text)
{
    const char *earlier = exact_scalar(names, name);
    if (earlier) {
        int same = strcmp(earlier, text) == 0;
        if (!same) say(EXIT_USAGE, "%s is both %s and %s", name, earlier, text);
        free(text);
        return same ? EXIT_DONE : EXIT_USAGE;
    }
    names->scalars = must_grow(names->scalars, sizeof *names->scalars * (size_t)(names->scalar_count + 1));
    names->scalars[names->scalar_count++] = (run_scalar){must_format("%s", name), text};
    return EXIT_DONE;
}

bool names_extent(const run_names *names, const char *text, int64_t *out)
{
    const char *number = names_scalar(names, text);
    char       *end;
    errno = 0;
    long long value = strtoll(number ? number : text, &end, 10);
    if (errno == 0 && *end == 0 && end != (number ? number : text)) {
        *out = value;
        return true;
    }
    if (number)
        say(EXIT_USAGE, "%s is %s, not a number of elements", text, number);
    else
        say(EXIT_USAGE, "the extent %s is not known; give it with --set or --shape", text);
    return false;
}

static int read_input(run_names *names, const char *text)
{
    char   why[160];
    size_t size, length = name_length(text);
    if (!length) return say(EXIT_USAGE, "--in takes NAME=FILE.npy, not %s", text);
    const char *path = text + length + 1;
    char       *name = must_format("%.*s", (int)length, text);
    bool        twice = exact_array(names, name) != NULL;
    run_array  *array = twice ? NULL : names_put(names, name);
    int         code = twice ? say(EXIT_USAGE, "--in %s was given twice", name) : file_read(path, &array->bytes, &size);
    free(name);
    if (code != EXIT_DONE) return code;
    const char *wrong = npy_parse(array->bytes, size, &array->shape, why);
    return wrong ? say(EXIT_INPUT, "%s: %s", path, wrong) : EXIT_DONE;
}

/* "x=rows,cols": each dimension's size under its name; a number must be the size. */
static int read_shape(run_names *names, const char *text)
{
    size_t length = name_length(text);
    if (!length) return say(EXIT_USAGE, "--shape takes NAME=ROWS,COLS, not %s", text);
    char            *name = must_format("%.*s", (int)length, text);
    const run_array *array = names_array(names, name);
    free(name);
    if (!array) return say(EXIT_USAGE, "--shape %s: there is no such input", text);
    int dim = 0;
    for (const char *at = text + length + 1; *at || dim == 0; dim++) {
        size_t item = strcspn(at, ",");
        if (dim >= array->shape.dims || item == 0)
            return say(EXIT_USAGE, "--shape %s: the input has %d dimension%s", text, array->shape.dims,
                       array->shape.dims == 1 ? "" : "s");
        char *label = must_format("%.*s", (int)item, at);
        char *number = must_format("%lld", (long long)array->shape.shape[dim]);
        int   code;
        if (*label >= '0' && *label <= '9') {
            code = strcmp(label, number) == 0 ? EXIT_DONE
                                              : say(EXIT_USAGE, "--shape %s: dimension %d is %s", text, dim, number);
            free(number);
        } else {
            code = put_scalar(names, label, number);
        }
        free(label);
        if (code != EXIT_DONE) return code;
        at += item;
        if (*at) at++;
    }
    if (dim < array->shape.dims)
        return say(EXIT_USAGE, "--shape %s: the input has %d dimensions", text, array->shape.dims);
    return EXIT_DONE;
}

static int read_scalar(run_names *names, const char *text)
{
    size_t length = name_length(text);
    if (!length || !text[length + 1]) return say(EXIT_USAGE, "--set takes NAME=VALUE, not %s", text);
    char *name = must_format("%.*s", (int)length, text);
    int   code = put_scalar(names, name, must_format("%s", text + length + 1));
    free(name);
    return code;
}

static int read_each(run_names *names, const text_list *list, int (*read)(run_names *names, const char *text))
{
    for (int i = 0; i < list->count; i++) {
        int code = read(names, list->items[i]);
        if (code != EXIT_DONE) return code;
    }
    return EXIT_DONE;
}

int names_read(run_names *names, const cli_settings *settings)
{
    int code = read_each(names, &settings->in, read_input);
    if (code == EXIT_DONE) code = read_each(names, &settings->shape, read_shape);
    if (code == EXIT_DONE) code = read_each(names, &settings->set, read_scalar);
    return code;
}

void names_free(run_names *names)
{
    for (int i = 0; i < names->array_count; i++) {
        free(names->arrays[i].name);
        free(names->arrays[i].bytes);
        free(names->arrays[i].rows);
    }
    for (int i = 0; i < names->scalar_count; i++) {
        free(names->scalars[i].name);
        free(names->scalars[i].text);
    }
    free(names->arrays);
    free(names->scalars);
}
