/* generic.c - methods by name with generic arguments: Name<Single,Int32>(..). Each instance is a method of its own. */
#include "api/api.h"

#include "meta/image.h"

enum { MAX_ARGS = 16, MAX_NAME = 512 };

/* A primitive by its short name, or a type of the assembly by its full one. */
static ilc_status plain_type(ilc_assembly *assembly, const char *text, size_t length, const ilc__type **out)
{
    char  name[MAX_NAME];
    char *dot;
    *out = NULL;
    if (length == 0 || length >= sizeof name) return ILC_OK;
    memcpy(name, text, length);
    name[length] = 0;
    if (strncmp(name, "System.", 7) == 0 && !strchr(name + 7, '.')) memmove(name, name + 7, length - 6);
    *out = ilc__type_of_primitive_name(assembly->set, "System", name);
    if (*out) return ILC_OK;
    dot = strrchr(name, '.');
    if (dot) *dot = 0;
    const ilc__typedef *def = ilc__set_find_type(assembly->image, dot ? name : "", dot ? dot + 1 : name);
    if (def && !strchr(def->name, '`')) *out = def->type;
    return ILC_OK;
}

static ilc_status named_type(ilc_assembly *assembly, const char *text, size_t length, const ilc__type **out)
{
    uint32_t rank = 0;
    while (length && *text == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    for (; length > 2 && text[length - 1] == ']' && text[length - 2] == '['; length -= 2) rank++;
    ILC__TRY(plain_type(assembly, text, length, out));
    for (; *out && rank; rank--) *out = ilc__set_szarray(assembly->set, *out);
    return ILC_OK;
}

size_t ilc__generic_base(const char *name, size_t length)
{
    uint32_t depth = 0;
    if (!length || name[length - 1] != '>') return length;
    for (size_t i = length; i-- > 1;) {
        depth += name[i] == '>';
        depth -= name[i] == '<';
        if (depth == 0) return i;
    }
    return length;
}

/* The types between the brackets; NULL and the one that is not there. */
static ilc_status arguments(ilc_assembly *assembly, const char *text, size_t length, const ilc__type **args, uint32_t *count)
{
    const char *end = text + length;
    bool        more = length != 0;
    for (*count = 0; more; text++) {
        const char *comma = text < end ? memchr(text, ',', (size_t)(end - text)) : NULL;
        size_t      size = (size_t)((comma ? comma : end) - text);
        const char *path = ilc__image_path(assembly->image);
        if (*count == MAX_ARGS) return ilc__fail(&assembly->session->ctx, ILC_NOT_FOUND, NULL, "%s: too many generic arguments", path);
        ILC__TRY(named_type(assembly, text, size, &args[*count]));
        if (!args[*count])
            return ilc__fail(&assembly->session->ctx, ILC_NOT_FOUND, NULL, "%s: no type %.*s", path, (int)size, text);
        ++*count;
        more = comma != NULL;
        text += size;
    }
    return ILC_OK;
}

ilc_status ilc__generic_instance(ilc_assembly *assembly, ilc_method *open, const char *text, size_t length, ilc_method **out)
{
    const ilc__type   *args[MAX_ARGS];
    ilc__generics      generics = {0};
    const ilc__method *def;
    *out = NULL;
    if (!open->def->sig.generic_count || open->def->sig.has_this || strchr(open->def->type_name, '`')) return ILC_OK;
    ILC__TRY(arguments(assembly, text, length, args, &generics.method_arg_count));
    if (generics.method_arg_count != open->def->sig.generic_count) return ILC_OK;
    generics.method_args = ilc__arena_copy(&assembly->session->ctx.arena, args, generics.method_arg_count * sizeof *args);
    ILC__TRY(ilc__method_instance(open->def, &generics, &def));
    *out = ilc__method_of(assembly, def);
    return ILC_OK;
}
