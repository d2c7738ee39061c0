/* il_calls.c - what a call means to the judge: a method it knows by name, or a body to interpret, or neither. */
#include "interp/il_code.h"

ilc__il_row ilc__il_callee_row(const ilc__callee *callee, ilc_storage *storage)
{
    const ilc__signature *sig = &callee->sig;
    if (sig->has_this || sig->vararg || sig->generic_count || sig->param_count == 0) return ILC__ROW_NONE;
    *storage = ilc__type_storage(sig->params[0]);
    for (uint32_t i = 0; i < sig->param_count; i++)
        if (sig->params[i] != sig->params[0] || sig->params[i]->is_enum) return ILC__ROW_NONE;
    return ilc__il_known_callee(callee->type_name, callee->name, *storage, sig->param_count);
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The framework's own assemblies, by name: their code is known by name or not at all. */
static bool is_framework(const ilc__image *image)
{
    static const char *const names[] = {"System", "mscorlib", "netstandard", "WindowsBase",
                                        "Microsoft.VisualBasic", "Microsoft.VisualBasic.Core", "Microsoft.CSharp"};
    const char *name = ilc__image_name(image);
    if (starts_with(name, "System.") || starts_with(name, "Microsoft.Win32.")) return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

const ilc__method *ilc__il_callee_body(const ilc__callee *callee, const ilc__method *caller)
{
    const ilc__method *def = callee->def;
    if (!def || callee->sig.has_this || callee->sig.vararg || !(def->flags & ILC__METHOD_STATIC)) return NULL;
    if (def->rva == 0 || (def->flags & (ILC__METHOD_ABSTRACT | ILC__METHOD_PINVOKE))) return NULL;
    if (def->image != caller->image && is_framework(def->image)) return NULL;
    return def;
}
