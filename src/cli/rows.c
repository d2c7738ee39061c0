/* rows.c - --rows: methods over the rows of matrices (docs/rows.md). One list of names serves all methods of a command: each
 * takes those that its array parameters have. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"

/* The parameter may be a row: an array or span of one dimension. */
static bool may_be_row(const ilc_param *param)
{
    return param->is_array && param->rank == 1 && !param->nested && !param->is_pointer;
}

static bool has_row(ilc_method *method, const char *name, size_t length)
{
    for (uint32_t i = 0; i < ilc_method_param_count(method); i++) {
        ilc_param param;
        if (ilc_method_param(&param, method, i) != ILC_OK) return false;
        if (may_be_row(&param) && strncasecmp(param.name, name, length) == 0 && !param.name[length]) return true;
    }
    return false;
}

/* The next name of the list, from *at on; NULL at its end. */
static const char *next_name(const char **at, size_t *length)
{
    *at += strspn(*at, ", ");
    *length = strcspn(*at, ", ");
    const char *name = *length ? *at : NULL;
    *at += *length;
    return name;
}

ilc_status rows_apply(const cli_settings *settings, ilc_method **method)
{
    char  *names = must_format("%s", "");
    size_t length;
    for (const char *at = settings->row_params, *name; at && (name = next_name(&at, &length));) {
        if (!has_row(*method, name, length)) continue;
        char *longer = must_format("%s%s%.*s", names, *names ? "," : "", (int)length, name);
        free(names);
        names = longer;
    }
    ilc_status status = *names ? ilc_method_by_rows(method, *method, names) : ILC_OK;
    free(names);
    return status;
}

int rows_check(const cli_settings *settings, ilc_method *const *methods, size_t count)
{
    size_t      length;
    const char *first = settings->row_params;
    if (first && !next_name(&first, &length)) return say(EXIT_USAGE, "--rows takes the names of parameters, not '%s'", settings->row_params);
    for (const char *at = settings->row_params, *name; at && (name = next_name(&at, &length));) {
        bool used = false;
        for (size_t m = 0; m < count; m++) used = used || has_row(methods[m], name, length);
        if (!used) return say(EXIT_USAGE, "--rows names %.*s: no method named here has an array parameter of that name", (int)length, name);
    }
    return EXIT_DONE;
}
