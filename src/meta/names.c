/* names.c - types and methods as users write them (docs/cli.md): "Int32", "Span<Single>",
 * "Stats.Dot(Single[],Single[])"; storage of scalar types; where a method stands. */
#include "meta/image.h"

static void add_short(ilc__text *text, const ilc__type *type);

static void add_list(ilc__text *text, char open, const ilc__type *const *types, uint32_t count, char close)
{
    ilc__text_putc(text, open);
    for (uint32_t i = 0; i < count; i++) {
        if (i) ilc__text_putc(text, ',');
        add_short(text, types[i]);
    }
    ilc__text_putc(text, close);
}

/* Types of namespace System, not of those below it, without the namespace; no `1 before arguments. */
static void add_plain(ilc__text *text, const char *name, bool cut_arity)
{
    static const char system[] = "System.";
    size_t            prefix = sizeof system - 1;
    if (strncmp(name, system, prefix) == 0 && !strchr(name + prefix, '.')) name += prefix;
    const char *tick = cut_arity ? strrchr(name, '`') : NULL;
    ilc__text_add(text, name, tick ? (size_t)(tick - name) : strlen(name));
}

/* Recursion and length are bounded as the type itself is (type.c). */
static void add_short(ilc__text *text, const ilc__type *type)
{
    switch ((int)type->kind) {
    case ILC__ET_PTR: add_short(text, type->elem), ilc__text_putc(text, '*'); break;
    case ILC__ET_BYREF: add_short(text, type->elem), ilc__text_putc(text, '&'); break;
    case ILC__ET_SZARRAY: add_short(text, type->elem), ilc__text_puts(text, "[]"); break;
    case ILC__ET_ARRAY:
        add_short(text, type->elem);
        ilc__text_puts(text, type->rank == 1 ? "[*" : "[");
        for (uint32_t i = 1; i < type->rank; i++)
            ilc__text_putc(text, ',');
        ilc__text_putc(text, ']');
        break;
    case ILC__ET_GENERICINST:
        add_plain(text, type->elem->name, true);
        add_list(text, '<', type->args, type->arg_count, '>');
        break;
    default: add_plain(text, type->name, false); break;
    }
}

const char *ilc__type_short_name(ilc__arena *arena, const ilc__type *type)
{
    ilc__text text = {.arena = arena};
    add_short(&text, type);
    return ilc__text_string(&text);
}

const char *ilc__method_display(ilc__arena *arena, const ilc__method *method)
{
    ilc__text text = {.arena = arena};
    ilc__text_puts(&text, method->type_name);
    if (method->type_arg_count) add_list(&text, '<', method->type_args, method->type_arg_count, '>');
    ilc__text_printf(&text, ".%s", method->name);
    if (method->method_arg_count) add_list(&text, '<', method->method_args, method->method_arg_count, '>');
    add_list(&text, '(', method->sig.params, method->sig.param_count, ')');
    return text.data;
}

ilc_storage ilc__type_storage(const ilc__type *type)
{
    if (type->is_enum) type = type->underlying;
    switch ((int)type->kind) {
    case ILC__ET_VOID: return ILC_VOID;
    case ILC__ET_BOOLEAN: return ILC_BOOL;
    case ILC__ET_CHAR: return ILC_CHAR;
    case ILC__ET_I1: return ILC_I8;
    case ILC__ET_U1: return ILC_U8;
    case ILC__ET_I2: return ILC_I16;
    case ILC__ET_U2: return ILC_U16;
    case ILC__ET_I4: return ILC_I32;
    case ILC__ET_U4: return ILC_U32;
    case ILC__ET_I8: return ILC_I64;
    case ILC__ET_U8: return ILC_U64;
    case ILC__ET_R4: return ILC_F32;
    case ILC__ET_R8: return ILC_F64;
    case ILC__ET_I: return ILC_INT;
    case ILC__ET_U: return ILC_UINT;
    default: return ILC_STORAGE_COUNT;
    }
}

ilc__where ilc__method_where(const ilc__method *method, uint32_t il_offset)
{
    ilc__where where = {.path = ilc__image_path(method->image),
                        .method = method->full_name,
                        .il = il_offset,
                        .has_il = il_offset != ILC__ANY_OFFSET,
                        .token = 0x06000000u | method->row};
    ilc__point point = {0};
    (void)ilc__debug_point_at(method, il_offset, &point);
    where.line = point.line;
    where.column = point.column;
    where.source = point.document;
    return where;
}
