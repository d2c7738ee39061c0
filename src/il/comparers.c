/* comparers.c - EqualityComparer(Of T).Default and Comparer(Of T).Default where T is a number or a struct: what is asked of
 * them is asked of the values (IEquatable, IComparable). The comparer itself is a number that nobody looks at. */
#include "il/fold.h"

#include "meta/image.h"
#include "meta/layout.h"

static const struct {
    const char *comparer, *asked; /* Comparer`1.Compare */
    const char *interface, *name; /* IComparable`1.CompareTo; NULL: of Object */
} rows[] = {
    {"System.Collections.Generic.EqualityComparer`1", "Equals", "IEquatable`1", "Equals"},
    {"System.Collections.Generic.EqualityComparer`1", "GetHashCode", NULL, "GetHashCode"},
    {"System.Collections.Generic.Comparer`1", "Compare", "IComparable`1", "CompareTo"},
};

/* The method of that name in the type; NULL where there is none. */
static ilc_status method_named(const ilc__typedef *def, const char *name, const ilc__generics *generics, const ilc__method **out)
{
    *out = NULL;
    for (uint32_t i = 0; def && i < def->method_count && !*out; i++) {
        const ilc__method *open;
        ILC__TRY(ilc__image_method(def->image, ilc__typedef_member(def, ILC__T_METHODDEF, i), &open));
        if (strcmp(open->name, name) == 0) ILC__TRY(ilc__method_instance(open, generics, out));
    }
    return ILC_OK;
}

/* T's own method for it; NULL where T has none. */
static ilc_status own_method(ilc__image *core, const char *interface, const char *name, const ilc__type *const *t, const ilc__method **out)
{
    const ilc__typedef *def = ilc__set_find_type(core, "System", interface ? interface : "Object");
    ilc__generics       generics = {.type_args = t, .type_arg_count = interface ? 1 : 0};
    const ilc__method  *declared;
    *out = NULL;
    ILC__TRY(method_named(def, name, &generics, &declared));
    if (!declared) return ILC_OK;
    ilc__callee callee = {.type_name = declared->type_name, .name = name, .sig = declared->sig, .def = declared};
    ILC__TRY(ilc__method_this_type(declared, &callee.type));
    return ilc__method_implementing(t[0], &callee, out);
}

static bool is_default(const ilc__callee *callee)
{
    return strcmp(callee->name, "get_Default") == 0 && callee->sig.param_count == 0 && !callee->sig.has_this;
}

/* The comparer and one or two values leave the stack; the method gets the first by reference. */
static void ask(ilc__folder *f, const ilc__type *t, uint32_t count, const ilc__method *method)
{
    uint32_t second = count == 2 ? ilc__fold_local(f, t) : 0, first = ilc__fold_local(f, t);
    if (count == 2) ilc__fold_add(f, ILC__IL_STLOC)->u.i = second;
    ilc__fold_add(f, ILC__IL_STLOC)->u.i = first;
    ilc__fold_add(f, ILC__IL_POP);
    ilc__fold_add(f, ILC__IL_LDLOCA)->u.i = first;
    if (count == 2) ilc__fold_add(f, ILC__IL_LDLOC)->u.i = second;
    ilc__fold_add(f, ILC__IL_CALL)->u.call.form = method;
}

ilc_status ilc__fold_comparer(ilc__folder *f, const ilc__callee *callee, bool *done)
{
    const ilc__type   *type = callee->type;
    const ilc__method *method;
    uint32_t           size;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(callee->type_name, rows[i].comparer) != 0) continue;
        if (!type || type->kind != ILC__ET_GENERICINST || !callee->def || type->args[0]->is_enum || !ilc__fold_size(f, type->args[0], &size))
            return ILC_OK;
        if (is_default(callee)) {
            ilc__fold_add(f, ILC__IL_LDC_I4)->u.i = 0;
            *done = true;
            return ILC_OK;
        }
        bool asked = callee->sig.has_this && strcmp(callee->name, rows[i].asked) == 0 && callee->sig.param_count >= 1 &&
                     ilc__type_same(callee->sig.params[0], type->args[0]);
        if (!asked) continue;
        ILC__TRY(own_method(callee->def->image, rows[i].interface, rows[i].name, type->args, &method));
        if (!method) return ILC_OK;
        ask(f, type->args[0], callee->sig.param_count, method);
        *done = true;
        return ILC_OK;
    }
    return ILC_OK;
}
