/* helper.c - the helpers that a text calls, printed with it. */
#include "write/internal.h"

static const struct {
    const char *name, *uses, *vb, *cs;
} helpers[] = {
#define HELPER(name, uses, vb, cs) {#name, uses, vb, cs},
#include "write/helpers.def"
#undef HELPER
};

enum { COUNT = sizeof helpers / sizeof helpers[0] };

static void use(ilc__names *names, const char *name, size_t length)
{
    if (!names->helpers) names->helpers = ILC__NEW_ARRAY(names->arena, bool, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        if (strlen(helpers[i].name) != length || strncmp(helpers[i].name, name, length) != 0 || names->helpers[i]) continue;
        names->helpers[i] = true;
        for (const char *u = helpers[i].uses; *u;) {
            size_t word = strcspn(u, " ");
            use(names, u, word);
            u += word + (u[word] != '\0');
        }
    }
}

const char *ilc__helper_use(ilc__writer *w, const char *name)
{
    use(w->names, name, strlen(name));
    return name;
}

static void put_indented(ilc__text *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (length) ilc__text_printf(out, "    %.*s", (int)length, text);
        ilc__text_putc(out, '\n');
        text += length + 1;
    }
}

void ilc__put_helpers(ilc__names *names, ilc__text *out)
{
    bool vb = names->syntax->language == ILC__LANGUAGE_VB, any = false;
    for (size_t i = 0; names->helpers && i < COUNT; i++) {
        const char *text = vb ? helpers[i].vb : helpers[i].cs;
        if (!names->helpers[i] || !*text) continue;
        if (!any) ilc__text_puts(out, vb ? "\nFriend Module IlHelpers\n" : "\ninternal static class IlHelpers\n{\n");
        else ilc__text_putc(out, '\n');
        any = true;
        if (!vb) ilc__text_puts(out, "    internal ");
        const char *first = strchr(text, '\n');
        if (vb) {
            put_indented(out, text);
        } else {
            ilc__text_printf(out, "%.*s\n", (int)(first - text), text);
            put_indented(out, first + 1);
        }
    }
    if (any) ilc__text_puts(out, vb ? "End Module\n" : "}\n");
}
