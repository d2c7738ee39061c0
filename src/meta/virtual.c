/* virtual.c - which method of a value type a virtual call runs (ECMA-335 I.12.4.2.3, II.12.2, III.2.1): the one that a
 * MethodImpl names for what is called, else its own of that name and signature. */
#include "meta/image.h"

enum { IMPL_CLASS, IMPL_BODY, IMPL_DECLARATION, METHOD_NAME = 3 };

static bool declares(const ilc__callee *declaration, const ilc__callee *callee)
{
    return strcmp(declaration->name, callee->name) == 0 && ilc__type_same(declaration->type, callee->type) &&
           ilc__signature_same(&declaration->sig, &callee->sig);
}

/* What MethodImpl names is in the generic arguments of the type. */
static ilc_status explicit_method(const ilc__typedef *def, const ilc__generics *generics, const ilc__callee *callee,
                                  const ilc__method **out)
{
    const ilc__metadata *md = &def->image->md;
    *out = NULL;
    const ilc__row_index *index =
        ilc__row_index_of(def->image, &def->image->impls_of_type, ILC__T_METHODIMPL, IMPL_CLASS, ILC__T_TYPEDEF);
    for (uint32_t row = index->first[def->row]; row; row = index->next[row]) {
        uint32_t body = ilc__table_token(md, ILC__T_METHODIMPL, row, IMPL_BODY, ILC__CODED_METHODDEF_OR_REF);
        uint32_t token = ilc__table_token(md, ILC__T_METHODIMPL, row, IMPL_DECLARATION, ILC__CODED_METHODDEF_OR_REF);
        const ilc__method *open, *method;
        ilc__callee        declaration;
        if (body >> 24 != ILC__T_METHODDEF || !token) continue;
        ILC__TRY(ilc__image_method(def->image, body & 0xFFFFFF, &open));
        ILC__TRY(ilc__method_instance(open, generics, &method));
        ILC__TRY(ilc__resolve_callee(def->image, token, method, &declaration));
        if (!declares(&declaration, callee)) continue;
        *out = method;
        return ILC_OK;
    }
    return ILC_OK;
}

static ilc_status own_method(const ilc__typedef *def, const ilc__generics *generics, const ilc__callee *callee,
                             const ilc__method **out)
{
    const ilc__metadata *md = &def->image->md;
    *out = NULL;
    for (uint32_t i = 0; i < def->method_count; i++) {
        uint32_t    row = ilc__typedef_member(def, ILC__T_METHODDEF, i);
        const char *name = ilc__heap_string(md, ilc__table_get(md, ILC__T_METHODDEF, row, METHOD_NAME));
        const ilc__method *open, *method;
        if (!name || strcmp(name, callee->name) != 0) continue;
        ILC__TRY(ilc__image_method(def->image, row, &open));
        if (open->sig.generic_count) continue;
        ILC__TRY(ilc__method_instance(open, generics, &method));
        if (!ilc__signature_same(&method->sig, &callee->sig)) continue;
        *out = method;
        return ILC_OK;
    }
    return ILC_OK;
}

ilc_status ilc__method_implementing(const ilc__type *type, const ilc__callee *callee, const ilc__method **out)
{
    const ilc__type *open = type->kind == ILC__ET_GENERICINST ? type->elem : type;
    ilc__generics    generics = {0};
    *out = NULL;
    if (open->kind != ILC__ET_VALUETYPE || open->is_enum || !open->def || callee->sig.generic_count) return ILC_OK;
    if (type->kind == ILC__ET_GENERICINST) {
        generics.type_args = type->args;
        generics.type_arg_count = type->arg_count;
    }
    ILC__TRY(explicit_method(open->def, &generics, callee, out));
    return *out ? ILC_OK : own_method(open->def, &generics, callee, out);
}
