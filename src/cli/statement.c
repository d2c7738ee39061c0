/* statement.c - the grammar of `run` (statement.h):
 *
 *     [name =] METHOD [(types)] [(arguments)] [ [extents] ]
 *
 * A first parenthesis that holds only type names selects the overload. */
#include "statement.h"

#include <ilcuda/value.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static char *copy_trimmed(const char *from, size_t length)
{
    while (length && strchr(" \t", *from)) from++, length--;
    while (length && strchr(" \t", from[length - 1])) length--;
    return must_format("%.*s", (int)length, from);
}

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t");
}

/* "Int32", "Single[]": a type that a kernel can take. */
static bool is_type(const char *text)
{
    size_t length = strlen(text);
    if (length > 2 && strcmp(text + length - 2, "[]") == 0) length -= 2;
    for (int storage = ILC_BOOL; storage < ILC_STORAGE_COUNT; storage++) {
        const char *name = ilc_storage_name((ilc_storage)storage);
        if (strlen(name) == length && strncmp(name, text, length) == 0) return true;
    }
    return false;
}

/* The items between *at and its closing bracket; *at is moved behind it. */
static const char *take_list(const char **at, char open, char close, char **items, int most, int *count)
{
    if (**at != open) return "a bracket is missing";
    const char *from = ++*at;
    *count = 0;
    if (*skip_space(from) == close) {
        *at = skip_space(from) + 1;
        return NULL;
    }
    for (int depth = 0;; ++*at) {
        char c = **at;
        if (!c) return "a bracket is not closed";
        bool ends = depth == 0 && (c == ',' || c == close);
        if (c == '[' || c == '(') depth++;
        if ((c == ']' || c == ')') && !ends) depth--;
        if (!ends) continue;
        if (*count == most) return "there are too many items in brackets";
        items[(*count)++] = copy_trimmed(from, (size_t)(*at - from));
        if (!*items[*count - 1]) return "an item in brackets is empty";
        from = *at + 1;
        if (c == close) break;
    }
    ++*at;
    return NULL;
}

static bool all_types(char *const *items, int count)
{
    for (int i = 0; i < count; i++)
        if (!is_type(items[i])) return false;
    return count > 0;
}

/* Puts the types back behind the method's name, as an overload is written. */
static void append_types(statement *out)
{
    size_t length = strlen(out->method) + 3;
    for (int i = 0; i < out->arg_count; i++) length += strlen(out->args[i]) + 1;
    char *whole = must_alloc(length);
    strcpy(whole, out->method);
    strcat(whole, "(");
    for (int i = 0; i < out->arg_count; i++) {
        if (i) strcat(whole, ",");
        strcat(whole, out->args[i]);
        free(out->args[i]);
        out->args[i] = NULL;
    }
    strcat(whole, ")");
    free(out->method);
    out->method = whole;
    out->arg_count = 0;
}

const char *statement_parse(const char *text, statement *out)
{
    *out = (statement){0};
    const char *at = skip_space(text), *why;
    size_t      length = strcspn(at, "=([");
    if (at[length] == '=') {
        out->result = copy_trimmed(at, length);
        if (!*out->result) return "the result has no name";
        at = skip_space(at + length + 1);
        length = strcspn(at, "([=");
    }
    out->method = copy_trimmed(at, length);
    if (!*out->method) return "the method is missing";
    at += length;
    for (int round = 0; round < 2 && *at == '('; round++) {
        if ((why = take_list(&at, '(', ')', out->args, STATEMENT_MAX_ARGS, &out->arg_count))) return why;
        at = skip_space(at);
        if (round == 0 && all_types(out->args, out->arg_count)) {
            append_types(out);
            continue;
        }
        out->has_args = true;
        break;
    }
    if (*at == '[') {
        out->has_extents = true;
        if ((why = take_list(&at, '[', ']', out->extents, STATEMENT_MAX_EXTENTS, &out->extent_count))) return why;
        at = skip_space(at);
    }
    return *at ? "there is text behind the statement" : NULL;
}

void statement_free(statement *s)
{
    free(s->result);
    free(s->method);
    for (int i = 0; i < STATEMENT_MAX_ARGS; i++) free(s->args[i]);
    for (int i = 0; i < STATEMENT_MAX_EXTENTS; i++) free(s->extents[i]);
}
