/* struct.c - structs at the border: their layouts as callers see them, and which arrays a kernel that returns one
 * writes. */
#include "api/launch.h"

const char *ilc_struct_name(const ilc_struct *layout)
{
    return layout->name;
}

uint32_t ilc_struct_size(const ilc_struct *layout)
{
    return layout->size;
}

uint32_t ilc_struct_field_count(const ilc_struct *layout)
{
    return layout->field_count;
}

ilc_status ilc_struct_field(ilc_field *out, const ilc_struct *layout, uint32_t index)
{
    if (index >= layout->field_count) return ILC_NOT_FOUND;
    const ilc__layout_field *field = &layout->fields[index];
    *out = (ilc_field){.name = field->shown,
                       .offset = field->offset,
                       .storage = field->layout ? ILC_STRUCT : field->storage,
                       .layout = field->layout};
    return ILC_OK;
}

ilc_status ilc__session_layout(ilc_session *session, const ilc__type *type, const ilc__where *where,
                               const ilc__layout **out)
{
    static const ilc__where nowhere;
    if (!session->layouts) session->layouts = ilc__layouts_create(&session->ctx, &session->ctx.arena);
    ILC__TRY(ilc__layout_of(session->layouts, type, where, out));
    if ((*out)->is_whole) /* a caller gives and gets a struct field by field */
        return ilc__refuse(&session->ctx, where ? where : &nowhere, "%s, a struct with bytes of several fields or of none, in the signature",
                           (*out)->name);
    return ILC_OK;
}

const ilc__layout *ilc__session_layout_quietly(ilc_session *session, const ilc__type *type)
{
    const ilc__layout *layout = NULL;
    uint32_t           before = session->ctx.diags.count;
    if (ilc__session_layout(session, type, NULL, &layout) != ILC_OK) layout = NULL;
    session->ctx.diags.count = before;
    return layout;
}

static ilc_status assembly_struct(const ilc_struct **out, ilc_assembly *assembly, uint32_t number)
{
    ilc__context       *ctx = &assembly->session->ctx;
    const ilc__typedef *def;
    if (number >= ilc__image_typedef_count(assembly->image))
        return ilc__fail(ctx, ILC_NOT_FOUND, NULL, "%s has no type number %u", ilc__image_path(assembly->image), number);
    ILC__TRY(ilc__image_typedef(assembly->image, number + 1, &def));
    if (!ilc__type_is_struct(def->type)) return ilc__fail(ctx, ILC_INVALID, NULL, "%s is no structure", def->type->name);
    if (strchr(def->name, '`')) return ilc__fail(ctx, ILC_INVALID, NULL, "%s is generic: it has no layout without its arguments", def->type->name);
    return ilc__session_layout(assembly->session, def->type, NULL, out);
}

ilc_status ilc_assembly_struct(const ilc_struct **out, ilc_assembly *assembly, uint32_t type)
{
    ILC__LAND(assembly->session, assembly_struct(out, assembly, type));
}

static ilc_status result_struct(const ilc_struct **out, ilc_method *method)
{
    const ilc__type *type = method->def->sig.ret;
    *out = NULL;
    if (!ilc__type_is_struct(type)) return ILC_OK;
    ilc__where where = ilc__method_where(method->def, ILC__ANY_OFFSET);
    return ilc__session_layout(method->session, type, &where, out);
}

ilc_status ilc_method_result_struct(const ilc_struct **out, ilc_method *method)
{
    ILC__LAND(method->session, result_struct(out, method));
}

const ilc__leaf *ilc__cells_of(ilc__arena *arena, ilc_storage storage, const ilc_struct *layout, uint32_t *count)
{
    *count = layout ? ilc__layout_leaves(layout, NULL, layout->size) : 1;
    ilc__leaf *cells = ILC__NEW_ARRAY(arena, ilc__leaf, *count);
    if (layout) ilc__layout_leaves(layout, cells, *count);
    else cells[0].storage = storage;
    return cells;
}

/* --- outputs --------------------------------------------------------------------------------------------------- */

/* A tuple's names in the source stand beside the method, those of a tuple inside one behind the outer's. */
typedef struct namer {
    ilc__arena        *arena;
    const char *const *names;
    uint32_t           count, next;
} namer;

static bool is_tuple(const ilc__layout *layout)
{
    static const char prefix[] = "System.ValueTuple`";
    return strncmp(layout->name, prefix, sizeof prefix - 1) == 0;
}

static void name_leaves(namer *n, const ilc__layout *layout, const char *prefix, const char **out, uint32_t most,
                        uint32_t *count)
{
    uint32_t first = n->next;
    if (is_tuple(layout)) n->next += layout->field_count;
    for (uint32_t i = 0; i < layout->field_count && *count < most; i++) {
        const ilc__layout_field *field = &layout->fields[i];
        const char              *own = field->shown;
        if (is_tuple(layout) && first + i < n->count && n->names[first + i]) own = n->names[first + i];
        const char *name = prefix ? ilc__arena_printf(n->arena, "%s_%s", prefix, own) : own;
        if (field->layout) name_leaves(n, field->layout, name, out, most, count); /* layouts are 16 deep at most */
        else out[(*count)++] = name;
    }
}

static ilc_status make_outputs(ilc_method *method)
{
    ilc__arena        *arena = &method->session->ctx.arena;
    const ilc__layout *layout;
    ilc__leaf          leaves[ILC__MAX_LEAVES];
    const char        *names[ILC__MAX_LEAVES];
    uint32_t           named = 0;
    ILC__TRY(result_struct(&layout, method));
    if (!layout) return ILC_OK;
    uint32_t count = ilc__layout_leaves(layout, leaves, ILC__MAX_LEAVES);
    if (count > ILC__MAX_LEAVES)
        return ilc__fail(&method->session->ctx, ILC_UNSUPPORTED, NULL, "%s returns a struct of more than %d numbers",
                         method->def->full_name, ILC__MAX_LEAVES);
    namer n = {.arena = arena};
    ILC__TRY(ilc__method_tuple_names(method->def, arena, &n.names, &n.count));
    name_leaves(&n, layout, NULL, names, ILC__MAX_LEAVES, &named);
    ilc_field *outputs = ILC__NEW_ARRAY(arena, ilc_field, count);
    for (uint32_t i = 0; i < count; i++)
        outputs[i] = (ilc_field){.name = names[i], .offset = leaves[i].offset, .storage = leaves[i].storage};
    method->output_count = count;
    method->outputs = outputs;
    return ILC_OK;
}

ilc_status ilc__method_outputs(ilc_method *method)
{
    return method->outputs ? ILC_OK : make_outputs(method);
}

static ilc_status output(ilc_field *out, ilc_method *method, uint32_t index)
{
    ILC__TRY(ilc__method_outputs(method));
    if (index >= method->output_count) return ILC_NOT_FOUND;
    *out = method->outputs[index];
    return ILC_OK;
}

ilc_status ilc_method_output(ilc_field *out, ilc_method *method, uint32_t index)
{
    ILC__LAND(method->session, output(out, method, index));
}
