/* type.c - types as interned nodes: equal types are equal pointers. Making them, naming them, substituting
 * generic arguments. Reading them from signatures is in sig.c. */
#include "meta/image.h"

enum { ARGS_MAX = 256 };

static const struct {
    ilc__element kind;
    const char  *name; /* in namespace System */
} primitives[] = {
    {ILC__ET_VOID, "Void"}, {ILC__ET_BOOLEAN, "Boolean"}, {ILC__ET_CHAR, "Char"},
    {ILC__ET_I1, "SByte"},  {ILC__ET_U1, "Byte"},         {ILC__ET_I2, "Int16"},
    {ILC__ET_U2, "UInt16"}, {ILC__ET_I4, "Int32"},        {ILC__ET_U4, "UInt32"},
    {ILC__ET_I8, "Int64"},  {ILC__ET_U8, "UInt64"},       {ILC__ET_R4, "Single"},
    {ILC__ET_R8, "Double"}, {ILC__ET_STRING, "String"},   {ILC__ET_TYPEDBYREF, "TypedReference"},
    {ILC__ET_I, "IntPtr"},  {ILC__ET_U, "UIntPtr"},       {ILC__ET_OBJECT, "Object"},
};

const ilc__type *ilc__set_primitive(ilc__set *set, ilc__element kind)
{
    if ((unsigned)kind > ILC__ET_OBJECT) return NULL;
    if (set->primitives[kind]) return set->primitives[kind];
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++) {
        if (primitives[i].kind != kind) continue;
        ilc__type *type = ILC__NEW(&set->arena, ilc__type);
        type->kind = kind;
        type->name = ilc__arena_printf(&set->arena, "System.%s", primitives[i].name);
        return set->primitives[kind] = type;
    }
    return NULL;
}

const ilc__type *ilc__type_of_primitive_name(ilc__set *set, const char *ns, const char *name)
{
    if (strcmp(ns, "System") != 0) return NULL;
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        if (strcmp(name, primitives[i].name) == 0) return ilc__set_primitive(set, primitives[i].kind);
    return NULL;
}

static void add_names(ilc__text *text, const ilc__type *const *types, uint32_t count)
{
    for (uint32_t i = 0; i < count && text->length <= ILC__TYPE_NAME_MAX; i++) {
        if (i) ilc__text_putc(text, ',');
        ilc__text_puts(text, types[i]->name);
    }
}

static void add_rank(ilc__text *text, uint32_t rank)
{
    ilc__text_putc(text, '[');
    if (rank == 1) ilc__text_putc(text, '*');
    for (uint32_t i = 1; i < rank; i++)
        ilc__text_putc(text, ',');
    ilc__text_putc(text, ']');
}

static void add_type_name(ilc__text *text, const ilc__type_key *key)
{
    if (key->elem) ilc__text_puts(text, key->elem->name);
    switch ((int)key->kind) {
    case ILC__ET_PTR: ilc__text_putc(text, '*'); break;
    case ILC__ET_BYREF: ilc__text_putc(text, '&'); break;
    case ILC__ET_SZARRAY: ilc__text_puts(text, "[]"); break;
    case ILC__ET_ARRAY: add_rank(text, key->rank); break;
    case ILC__ET_VAR: ilc__text_printf(text, "!%u", key->number); break;
    case ILC__ET_MVAR: ilc__text_printf(text, "!!%u", key->number); break;
    case ILC__ET_GENERICINST:
    case ILC__ET_FNPTR:
        ilc__text_putc(text, key->kind == ILC__ET_FNPTR ? '(' : '<');
        add_names(text, key->args, key->arg_count);
        ilc__text_puts(text, key->kind == ILC__ET_FNPTR ? ")*" : ">");
        break;
    default: break;
    }
}

static uint32_t depth_of(const ilc__type_key *key)
{
    uint32_t depth = key->elem ? key->elem->depth : 0;
    for (uint32_t i = 0; i < key->arg_count; i++)
        if (key->args[i]->depth > depth) depth = key->args[i]->depth;
    return depth + 1;
}

ilc_status ilc__type_intern(ilc__set *set, const ilc__type_key *key, const ilc__type **out)
{
    uintptr_t bytes[4 + ARGS_MAX] = {(uintptr_t)key->kind, (uintptr_t)key->elem, key->rank, key->number};
    if (key->arg_count > ARGS_MAX)
        return ilc__fail(set->ctx, ILC_FORMAT, NULL, "a type had %u arguments", key->arg_count);
    for (uint32_t i = 0; i < key->arg_count; i++)
        bytes[4 + i] = (uintptr_t)key->args[i];
    size_t size = (4 + key->arg_count) * sizeof *bytes;
    if ((*out = ilc__map_get(&set->types, bytes, size))) return ILC_OK;

    uint32_t depth = depth_of(key);
    if (depth > ILC__TYPE_DEPTH_MAX)
        return ilc__fail(set->ctx, ILC_FORMAT, NULL, "a type was nested too deep");
    ilc__text name = {.arena = &set->arena};
    add_type_name(&name, key);
    if (name.length > ILC__TYPE_NAME_MAX)
        return ilc__fail(set->ctx, ILC_FORMAT, NULL, "a type's name was too long");
    ilc__type *type = ILC__NEW(&set->arena, ilc__type);
    *type = (ilc__type){.kind = key->kind,
                        .name = ilc__text_string(&name),
                        .elem = key->elem,
                        .rank = key->rank,
                        .number = key->number,
                        .arg_count = key->arg_count,
                        .depth = depth};
    type->args = ilc__arena_copy(&set->arena, key->args, key->arg_count * sizeof *key->args);
    if (key->kind == ILC__ET_GENERICINST) {
        type->def = key->elem->def;
        type->is_enum = key->elem->is_enum;
        type->underlying = key->elem->underlying;
    }
    ilc__map_put(&set->types, bytes, size, type);
    *out = type;
    return ILC_OK;
}

const ilc__type *ilc__set_szarray(ilc__set *set, const ilc__type *elem)
{
    const ilc__type *type = NULL;
    return ilc__type_intern(set, &(ilc__type_key){.kind = ILC__ET_SZARRAY, .elem = elem}, &type) == ILC_OK
               ? type
               : NULL;
}

ilc__type *ilc__type_missing(ilc__set *set, const char *full_name, bool value_type)
{
    size_t     size = strlen(full_name);
    ilc__type *type = ilc__map_get(&set->missing, full_name, size);
    if (!type) {
        type = ILC__NEW(&set->arena, ilc__type);
        type->kind = ILC__ET_CLASS;
        type->name = ilc__arena_strdup(&set->arena, full_name);
        ilc__map_put(&set->missing, full_name, size, type);
    }
    /* A reference does not say which; a signature does. */
    if (value_type) type->kind = ILC__ET_VALUETYPE;
    return type;
}

static bool is_open(const ilc__type *type)
{
    return strchr(type->name, '!') != NULL;
}

static ilc_status substitute_all(ilc__set *set, const ilc__type *type, const ilc__generics *generics,
                                 const ilc__type ***out)
{
    *out = ILC__NEW_ARRAY(&set->arena, const ilc__type *, type->arg_count);
    for (uint32_t i = 0; i < type->arg_count; i++)
        ILC__TRY(ilc__type_substitute(set, type->args[i], generics, &(*out)[i]));
    return ILC_OK;
}

/* Recursion ends by ILC__TYPE_DEPTH_MAX, time by ILC__TYPE_NAME_MAX: each node of the tree has a letter. */
ilc_status ilc__type_substitute(ilc__set *set, const ilc__type *type, const ilc__generics *generics,
                                const ilc__type **out)
{
    *out = type;
    if (type->kind == ILC__ET_VAR) {
        if (type->number < generics->type_arg_count) *out = generics->type_args[type->number];
        return ILC_OK;
    }
    if (type->kind == ILC__ET_MVAR) {
        if (type->number < generics->method_arg_count) *out = generics->method_args[type->number];
        return ILC_OK;
    }
    if ((!type->elem && !type->arg_count) || !is_open(type)) return ILC_OK;
    ilc__type_key     key = {.kind = type->kind, .rank = type->rank, .arg_count = type->arg_count};
    const ilc__type **args;
    if (type->elem) ILC__TRY(ilc__type_substitute(set, type->elem, generics, &key.elem));
    ILC__TRY(substitute_all(set, type, generics, &args));
    key.args = args;
    return ilc__type_intern(set, &key, out);
}

const ilc__type *ilc__type_span(const ilc__type *type)
{
    if (type->kind != ILC__ET_GENERICINST || type->arg_count != 1) return NULL;
    bool known = strcmp(type->elem->name, "System.ReadOnlySpan`1") == 0 || strcmp(type->elem->name, "System.Span`1") == 0;
    return known ? type->args[0] : NULL;
}
