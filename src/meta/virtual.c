/* virtual.c - which method of a value type a virtual call runs (ECMA-335 I.12.4.2.3, II.12.2, III.2.1): the one that a
 * MethodImpl names for what is called, else its own of that name and signature. */
#include "meta/image.h"

enum { IMPL_CLASS, IMPL_BODY, IMPL_DECLARATION, METHOD_NAME = 3 };
enum { INTERFACE_CLASS, INTERFACE_TYPE };

/* With the arguments of a generic method in the place of its parameters. */
static ilc_status closed(ilc__set *set, ilc__signature *sig, const ilc__generics *generics)
{
    const ilc__type **params = ILC__NEW_ARRAY(&set->arena, const ilc__type *, sig->param_count);
    if (!generics->method_arg_count) return ILC_OK;
    for (uint32_t i = 0; i < sig->param_count; i++) ILC__TRY(ilc__type_substitute(set, sig->params[i], generics, &params[i]));
    sig->params = params;
    return ilc__type_substitute(set, sig->ret, generics, &sig->ret);
}

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
        ILC__TRY(closed(def->image->set, &declaration.sig, generics));
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
        if (open->sig.generic_count != generics->method_arg_count) continue;
        ILC__TRY(ilc__method_instance(open, generics, &method));
        if (!ilc__signature_same(&method->sig, &callee->sig)) continue;
        *out = method;
        return ILC_OK;
    }
    return ILC_OK;
}

/* The definition of a value type; of a number in the assembly that has the interface, or its own, which have no other. */
static const ilc__typedef *definition_of(const ilc__type *type, const ilc__callee *callee)
{
    ilc_storage storage = ilc__type_storage(type);
    const char *name = strchr(type->name, '.');
    if (type->kind == ILC__ET_VALUETYPE) return type->is_enum ? NULL : type->def;
    if (storage == ILC_STORAGE_COUNT || storage == ILC_VOID || !callee->def || !callee->def->image->is_core || !name) return NULL;
    return ilc__set_find_type(callee->def->image, "System", name + 1);
}

/* What an interface of the type has for a static method of another one (II.12.2): C# has it in the most derived. */
static ilc_status default_method(const ilc__typedef *def, const ilc__generics *generics, const ilc__callee *callee,
                                 const ilc__method **out)
{
    const ilc__metadata  *md = &def->image->md;
    ilc__set             *set = def->image->set;
    const ilc__row_index *index = ilc__row_index_of(def->image, &def->image->interfaces_of_type, ILC__T_INTERFACEIMPL, INTERFACE_CLASS,
                                                    ILC__T_TYPEDEF);
    for (uint32_t row = index->first[def->row]; row && !*out; row = index->next[row]) {
        const ilc__type *open, *type;
        uint32_t token = ilc__table_token(md, ILC__T_INTERFACEIMPL, row, INTERFACE_TYPE, ILC__CODED_TYPEDEF_OR_REF);
        ILC__TRY(ilc__token_type(def->image, token, generics, false, &open));
        ILC__TRY(ilc__type_substitute(set, open, generics, &type));
        if (!type->def) continue;
        ilc__generics own = {.method_args = generics->method_args, .method_arg_count = generics->method_arg_count};
        if (type->kind == ILC__ET_GENERICINST) own.type_args = type->args, own.type_arg_count = type->arg_count;
        ILC__TRY(explicit_method(type->def, &own, callee, out));
    }
    return ILC_OK;
}

ilc_status ilc__method_implementing(const ilc__type *type, const ilc__callee *callee, const ilc__method **out)
{
    const ilc__type    *open = type->kind == ILC__ET_GENERICINST ? type->elem : type;
    const ilc__typedef *def = definition_of(open, callee);
    ilc__generics       generics = {0};
    *out = NULL;
    if (!def || (callee->sig.generic_count && !callee->def)) return ILC_OK;
    if (type->kind == ILC__ET_GENERICINST) {
        generics.type_args = type->args;
        generics.type_arg_count = type->arg_count;
    }
    if (callee->sig.generic_count) {
        generics.method_args = callee->def->method_args;
        generics.method_arg_count = callee->def->method_arg_count;
    }
    ILC__TRY(explicit_method(def, &generics, callee, out));
    if (!*out) ILC__TRY(own_method(def, &generics, callee, out));
    return *out || callee->sig.has_this ? ILC_OK : default_method(def, &generics, callee, out);
}
