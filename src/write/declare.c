/* declare.c - what a unit declares besides functions: scopes, structs, tables, exceptions. */
#include "write/internal.h"

/* --- scopes: "Ns.Sub.Outer+Inner" is a namespace and two classes --------------------------------------------------------- */

const char *ilc__owner_scope(ilc__names *names, const ilc__func *func)
{
    const ilc__method *m = func->method;
    const ilc__type   *type;
    if (!m) return "Functions";
    if (ilc__image_is_framework(m->image) || strncmp(m->type_name, "Microsoft.", 10) == 0) return ilc__owner_name(names, func);
    return m->type_arg_count && ilc__method_this_type(m, &type) == ILC_OK ? type->name : m->type_name;
}

/* The namespace's length, without its point. */
static size_t namespace_length(const char *scope)
{
    size_t end = strcspn(scope, "+<"), last = 0;
    for (size_t i = 0; i < end; i++)
        if (scope[i] == '.') last = i;
    return last;
}

static size_t class_length(const char *at)
{
    size_t nested = strcspn(at, "+<");
    return at[nested] == '<' ? strlen(at) : nested;
}

uint32_t ilc__scope_depth(const char *scope)
{
    uint32_t depth = namespace_length(scope) > 0;
    for (const char *at = scope;; at++) {
        at += class_length(at);
        depth++;
        if (!*at) return depth;
    }
}

static void indent(ilc__text *out, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++) ilc__text_puts(out, "    ");
}

static bool is_struct_path(const ilc__names *names, const char *path)
{
    for (uint32_t i = 0; i < names->used_structs.count; i++)
        if (strcmp(ilc__path(names->arena, names->used_structs.items[i]->name), path) == 0) return true;
    return false;
}

static void put_class(ilc__names *names, const char *path, const char *name, uint32_t depth, ilc__text *out)
{
    bool vb = names->syntax->language == ILC__LANGUAGE_VB, is_struct = is_struct_path(names, path);
    indent(out, depth);
    if (vb) ilc__text_puts(out, is_struct ? "Partial Public Structure " : "Partial Public Class ");
    else ilc__text_puts(out, is_struct ? "public partial struct " : "public partial class ");
    names->syntax->put_name(out, name);
    ilc__text_putc(out, '\n');
    if (vb) return;
    indent(out, depth);
    ilc__text_puts(out, "{\n");
}

void ilc__open_scope(ilc__names *names, const char *scope, ilc__text *out)
{
    size_t   space = namespace_length(scope);
    uint32_t depth = space > 0;
    bool     vb = names->syntax->language == ILC__LANGUAGE_VB;
    ilc__text_putc(out, '\n');
    if (space) ilc__text_printf(out, vb ? "Namespace %s\n" : "namespace %s\n{\n", ilc__path(names->arena, ilc__arena_strndup(names->arena, scope, space)));
    if (!*scope) return;
    for (const char *at = scope + (space ? space + 1 : 0);; at++) {
        size_t      length = class_length(at);
        const char *path = ilc__path(names->arena, ilc__arena_strndup(names->arena, scope, (size_t)(at - scope) + length));
        const char *last = strrchr(path, '.');
        put_class(names, path, last ? last + 1 : path, depth++, out);
        at += length;
        if (!*at) return;
    }
}

void ilc__close_scope(ilc__names *names, const char *scope, ilc__text *out)
{
    size_t   space = namespace_length(scope);
    uint32_t depth = *scope ? ilc__scope_depth(scope) : 0;
    bool     vb = names->syntax->language == ILC__LANGUAGE_VB;
    while (depth > (space > 0)) {
        indent(out, --depth);
        if (!vb) {
            ilc__text_puts(out, "}\n");
            continue;
        }
        const char *upto = scope + (space ? space + 1 : 0);
        for (uint32_t k = space > 0;; k++, upto++) {
            upto += class_length(upto);
            if (k == depth) break;
        }
        const char *path = ilc__path(names->arena, ilc__arena_strndup(names->arena, scope, (size_t)(upto - scope)));
        ilc__text_puts(out, is_struct_path(names, path) ? "End Structure\n" : "End Class\n");
    }
    if (space) ilc__text_puts(out, vb ? "End Namespace\n" : "}\n");
}

/* The scope that holds a type: what stands before its own name. */
static const char *container_of(ilc__arena *arena, const char *name)
{
    size_t end = strcspn(name, "<"), last = 0;
    bool   nested = false;
    for (size_t i = 0; i < end; i++)
        if (name[i] == '+' || (name[i] == '.' && !nested)) {
            nested = nested || name[i] == '+';
            last = i;
        }
    return ilc__arena_strndup(arena, name, last);
}

/* A container that is a namespace alone has no class. */
static void open_container(ilc__names *names, const char *name, ilc__text *out, const char **scope)
{
    const char *container = container_of(names->arena, name);
    size_t      length = strlen(container);
    bool        space = length && name[length] == '.';
    *scope = space ? ilc__arena_printf(names->arena, "%s.", container) : container;
    if (!space) {
        ilc__open_scope(names, container, out);
        return;
    }
    ilc__text_printf(out, names->syntax->language == ILC__LANGUAGE_VB ? "\nNamespace %s\n" : "\nnamespace %s\n{\n", ilc__path(names->arena, container));
}

static uint32_t container_depth(const char *scope)
{
    size_t length = strlen(scope);
    if (!length) return 0;
    return scope[length - 1] == '.' ? 1 : ilc__scope_depth(scope);
}

static void close_container(ilc__names *names, const char *scope, ilc__text *out)
{
    size_t length = strlen(scope);
    if (!length) return;
    if (scope[length - 1] != '.') ilc__close_scope(names, scope, out);
    else ilc__text_puts(out, names->syntax->language == ILC__LANGUAGE_VB ? "End Namespace\n" : "}\n");
}

/* --- structs ------------------------------------------------------------------------------------------------------------ */

static bool is_buffer(const ilc__layout *layout)
{
    return layout && layout->field_count == 1 && strcmp(layout->fields[0].name, "FixedElementField") == 0;
}

static uint32_t field_align(const ilc__layout_field *f)
{
    if (is_buffer(f->layout)) return ilc_storage_size(f->layout->fields[0].storage);
    return f->layout ? f->layout->align : ilc_storage_size(f->storage);
}

/* Does it lie so by itself, field after field? */
static bool is_sequential(const ilc__layout *layout)
{
    uint32_t at = 0, most = 1;
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const ilc__layout_field *f = &layout->fields[i];
        uint32_t                 align = field_align(f), size = f->layout ? f->layout->size : ilc_storage_size(f->storage);
        at = (at + align - 1) / align * align;
        if (f->offset != at) return false;
        at += size;
        if (align > most) most = align;
    }
    return layout->size == (at ? (at + most - 1) / most * most : 1);
}

static void put_field(ilc__writer *w, const ilc__layout *layout, uint32_t number, bool explicit, uint32_t depth)
{
    const ilc__layout_field *f = &layout->fields[number];
    bool                     vb = w->syntax->language == ILC__LANGUAGE_VB;
    const char              *name = ilc__field_name(w->names, layout, number);
    indent(w->out, depth);
    if (explicit) ilc__text_printf(w->out, vb ? "<FieldOffset(%u)> " : "[FieldOffset(%u)] ", f->offset);
    ilc__text_puts(w->out, vb ? "Public " : "public ");
    if (is_buffer(f->layout)) {
        ilc_storage elem = f->layout->fields[0].storage;
        ilc__text_puts(w->out, "unsafe fixed ");
        w->syntax->put_type(w, ilc__scalar(elem));
        ilc__text_printf(w->out, " %s[%u];\n", name, f->layout->size / ilc_storage_size(elem));
        return;
    }
    ilc__wtype type = {.storage = f->storage, .layout = f->layout};
    if (vb) {
        w->syntax->put_name(w->out, name);
        ilc__text_puts(w->out, " As ");
        w->syntax->put_type(w, type);
        ilc__text_putc(w->out, '\n');
        return;
    }
    w->syntax->put_type(w, type);
    ilc__text_putc(w->out, ' ');
    w->syntax->put_name(w->out, name);
    ilc__text_puts(w->out, ";\n");
}

bool ilc__is_library_struct(const ilc__layout *layout)
{
    const ilc__type *type = layout->type->kind == ILC__ET_GENERICINST ? layout->type->elem : layout->type;
    return type->def && ilc__image_is_framework(type->def->image) && !ilc__is_tuple(layout);
}

const char *ilc__struct_refusal(const ilc__syntax *syntax, const ilc__layout *layout)
{
    if (ilc__is_tuple(layout)) return NULL;
    if (ilc__is_library_struct(layout)) return "a struct of the library";
    if (syntax->language == ILC__LANGUAGE_VB)
        for (uint32_t i = 0; i < layout->field_count; i++)
            if (is_buffer(layout->fields[i].layout)) return "a fixed buffer";
    return NULL;
}

static void put_struct(ilc__writer *w, const ilc__layout *layout)
{
    const char *scope;
    bool        vb = w->syntax->language == ILC__LANGUAGE_VB, sequential = is_sequential(layout);
    open_container(w->names, layout->name, w->out, &scope);
    uint32_t    depth = container_depth(scope);
    const char *path = ilc__path(w->arena, layout->name), *last = strrchr(path, '.');
    if (!sequential) {
        indent(w->out, depth);
        ilc__text_printf(w->out, vb ? "<StructLayout(LayoutKind.Explicit, Size:=%u)>\n" : "[StructLayout(LayoutKind.Explicit, Size = %u)]\n", layout->size);
    }
    put_class(w->names, path, last ? last + 1 : path, depth, w->out);
    for (uint32_t i = 0; i < layout->field_count; i++) put_field(w, layout, i, !sequential, depth + 1);
    indent(w->out, depth);
    ilc__text_puts(w->out, vb ? "End Structure\n" : "}\n");
    close_container(w->names, scope, w->out);
}

static ilc__writer *writer_for(ilc__context *ctx, ilc__names *names, ilc__text *out)
{
    ilc__writer *w = ILC__NEW(names->arena, ilc__writer);
    w->ctx = ctx;
    w->arena = names->arena;
    w->out = out;
    w->syntax = names->syntax;
    w->names = names;
    w->in_unit = true;
    return w;
}

void ilc__put_structs(ilc__context *ctx, ilc__names *names, ilc__text *out)
{
    ilc__writer *w = writer_for(ctx, names, out);
    for (uint32_t i = 0; i < names->used_structs.count; i++) {
        const ilc__layout *layout = names->used_structs.items[i];
        if (ilc__is_tuple(layout) || is_buffer(layout) || ilc__struct_refusal(names->syntax, layout)) continue;
        put_struct(w, layout);
    }
}

/* --- tables -------------------------------------------------------------------------------------------------------------- */

static uint64_t element_bits(const ilc_array *array, ilc_storage storage, uint64_t number)
{
    uint32_t size = ilc_storage_size(storage);
    uint64_t bits = 0;
    memcpy(&bits, (const uint8_t *)array->data + number * size, size);
    if (!ilc__is_unsigned(storage) && !ilc__is_float(storage) && storage != ILC_BOOL && size < 8) {
        uint64_t sign = (uint64_t)1 << (8 * size - 1);
        bits = (bits ^ sign) - sign;
    }
    return bits;
}

static void put_table(ilc__writer *w, const ilc__static *table)
{
    const char *path = ilc__table_path(w->names, table), *last = strrchr(path, '.');
    const char *dot = strrchr(table->name, '.');
    const char *scope = dot ? ilc__arena_strndup(w->arena, table->name, (size_t)(dot - table->name)) : "Tables";
    bool        vb = w->syntax->language == ILC__LANGUAGE_VB;
    ilc_storage storage = table->array.elem;
    ilc__open_scope(w->names, scope, w->out);
    indent(w->out, ilc__scope_depth(scope));
    ilc__wtype type = {.storage = storage, .dims = 1};
    ilc__text_puts(w->out, vb ? "Public Shared ReadOnly " : "public static readonly ");
    if (!vb) {
        w->syntax->put_type(w, type);
        ilc__text_printf(w->out, " %s = {", last + 1);
    } else {
        ilc__text_printf(w->out, "%s As ", last + 1);
        w->syntax->put_type(w, type);
        ilc__text_puts(w->out, " = {");
    }
    for (int64_t i = 0; i < table->array.length; i++) {
        if (i) ilc__text_puts(w->out, ", ");
        w->syntax->put_literal(w, ilc__term_literal(w, storage, element_bits(&table->array, storage, (uint64_t)i)), true);
    }
    ilc__text_puts(w->out, vb ? "}\n" : "};\n");
    ilc__close_scope(w->names, scope, w->out);
}

void ilc__put_tables(ilc__context *ctx, ilc__names *names, ilc__text *out)
{
    ilc__writer *w = writer_for(ctx, names, out);
    for (uint32_t i = 0; i < names->used_tables.count; i++) put_table(w, names->used_tables.items[i]);
}

/* --- exceptions ----------------------------------------------------------------------------------------------------------- */

/* Own classes: of the base that is known, with the constructors that are called. */
static void put_exception(ilc__names *names, uint32_t first, ilc__text *out)
{
    const ilc__exception *e = names->used_exceptions.items[first];
    bool                  vb = names->syntax->language == ILC__LANGUAGE_VB;
    const char           *base = e->base && strncmp(e->base, "System.", 7) == 0 ? e->base : "System.Exception", *scope;
    open_container(names, e->type, out, &scope);
    uint32_t    depth = container_depth(scope);
    const char *path = ilc__path(names->arena, e->type), *last = strrchr(path, '.'), *name = last ? last + 1 : path;
    indent(out, depth);
    ilc__text_printf(out, vb ? "Public Class %s\n" : "public class %s", name);
    if (vb) indent(out, depth + 1);
    ilc__text_printf(out, vb ? "Inherits %s\n" : " : %s\n", base);
    if (!vb) {
        indent(out, depth);
        ilc__text_puts(out, "{\n");
    }
    for (uint32_t count = 0; count <= ILC__EXCEPTION_ARGS; count++) {
        indent(out, depth + 1);
        ilc__text_puts(out, vb ? "Public Sub New(" : "public ");
        if (!vb) ilc__text_printf(out, "%s(", name);
        for (uint32_t i = 0; i < count; i++) ilc__text_printf(out, vb ? "%sa%u As String" : "%sstring a%u", i ? ", " : "", i);
        ilc__text_puts(out, vb ? ")\n" : ") ");
        /* a message that is known whole is the one argument; PARAMETER classes take it second */
        bool parameter = strstr(base, "ArgumentNull") || strstr(base, "ArgumentOutOfRange");
        if (vb) indent(out, depth + 2);
        ilc__text_puts(out, vb ? "MyBase.New(" : ": base(");
        if (count == 1 && parameter) ilc__text_puts(out, vb ? "Nothing, a0" : "null, a0");
        else if (count == 1) ilc__text_puts(out, "a0");
        else if (count == 2 && strstr(base, "Argument")) ilc__text_puts(out, "a0, a1");
        else if (count >= 2) ilc__text_puts(out, "a0");
        ilc__text_puts(out, vb ? ")\n" : ") { }\n");
        if (vb) {
            indent(out, depth + 1);
            ilc__text_puts(out, "End Sub\n");
        }
    }
    indent(out, depth);
    ilc__text_puts(out, vb ? "End Class\n" : "}\n");
    close_container(names, scope, out);
}

void ilc__put_exceptions(ilc__names *names, ilc__text *out)
{
    for (uint32_t i = 0; i < names->used_exceptions.count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < i; k++)
            known = known || strcmp(names->used_exceptions.items[k]->type, names->used_exceptions.items[i]->type) == 0;
        if (!known) put_exception(names, i, out);
    }
}
