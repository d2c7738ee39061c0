/* texts.c - texts that the framework makes for its exceptions: resources by their key, and what is put together of them.
 * Nothing but an exception may get one, so what is not known here reads "..." (docs/semantics.md, Traps). */
#include "il/fold.h"

#include "meta/image.h"

static const struct {
    const char *key, *text;
} texts[] = {
#define TEXT(key, text) {key, text},
#include "il/texts.def"
#undef TEXT
};

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* SR of any of the framework's assemblies. */
static bool is_resources(const ilc__callee *callee)
{
    return callee->def && ilc__image_is_framework(callee->def->image) &&
           (strcmp(callee->type_name, "SR") == 0 || ends_with(callee->type_name, ".SR"));
}

static const char *text_of(const char *key)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(texts[i].key, key) == 0) return texts[i].text;
    return "...";
}

/* Texts of calls that need their arguments no more. */
static bool makes_text(const ilc__callee *callee, bool is_framework)
{
    const char *type = callee->type_name, *name = callee->name;
    if (callee->sig.has_this) return false;
    if (strcmp(type, "System.String") == 0) return strcmp(name, "Concat") == 0 || strcmp(name, "Format") == 0;
    bool helper = is_framework && strcmp(type, "System.ThrowHelper") == 0;
    return helper && (strcmp(name, "GetArgumentName") == 0 || strcmp(name, "GetResourceString") == 0);
}

static void add_text(ilc__folder *f, const char *text)
{
    ilc__fold_add(f, ILC__IL_LDSTR)->u.named.text = text;
}

/* The arguments are scalars, strings and objects: an array or a span of them is made of instructions of its own. */
static bool takes_values(const ilc__callee *callee)
{
    for (uint32_t i = 0; i < callee->sig.param_count; i++) {
        const ilc__type *type = callee->sig.params[i];
        bool             text = type->kind == ILC__ET_STRING || type->kind == ILC__ET_OBJECT;
        if (!text && ilc__type_storage(type) == ILC_STORAGE_COUNT) return false;
    }
    return true;
}

ilc_status ilc__fold_text(ilc__folder *f, const ilc__callee *callee, bool *done)
{
    uint32_t count = callee->sig.param_count;
    if (callee->sig.ret->kind != ILC__ET_STRING || !takes_values(callee)) return ILC_OK;
    bool resources = is_resources(callee);
    if (resources && count == 0 && strncmp(callee->name, "get_", 4) == 0) {
        add_text(f, text_of(callee->name + 4));
        *done = true;
    } else if (resources && count > 1 && strcmp(callee->name, "Format") == 0) {
        for (uint32_t i = 1; i < count; i++) ilc__fold_add(f, ILC__IL_POP); /* the text has "..." for them */
        *done = true;
    } else if (makes_text(callee, callee->def && ilc__image_is_framework(callee->def->image))) {
        for (uint32_t i = 0; i < count; i++) ilc__fold_add(f, ILC__IL_POP);
        add_text(f, "...");
        *done = true;
    }
    return ILC_OK;
}
