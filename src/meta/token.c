/* token.c - what the tokens in IL and in signatures name (ECMA-335 III.1.9): types, methods, fields, locals,
 * strings. Members are looked for by name and signature, then in the base classes (II.22.25). */
#include "meta/image.h"

enum { TYPEREF_SCOPE, TYPEREF_NAME, TYPEREF_NS };
enum { MEMBERREF_CLASS, MEMBERREF_NAME, MEMBERREF_SIGNATURE };
enum { METHODSPEC_METHOD, METHODSPEC_INSTANCE };
enum { METHODDEF_NAME = 3, FIELD_NAME = 1 };
enum { TOKEN_USER_STRING = 0x70 };

static ilc_status bad_token(const ilc__image *image, uint32_t token, const char *wanted)
{
    return ilc__metadata_fail(&image->md, NULL, "token 0x%08x named no %s", token, wanted);
}

ilc__generics ilc__generics_of(const ilc__method *within)
{
    if (!within) return (ilc__generics){0};
    return (ilc__generics){within->type_args, within->type_arg_count, within->method_args,
                           within->method_arg_count};
}

static ilc__generics generics_of_type(const ilc__type *type)
{
    if (type->kind != ILC__ET_GENERICINST) return (ilc__generics){0};
    return (ilc__generics){.type_args = type->args, .type_arg_count = type->arg_count};
}

/* --- types ---------------------------------------------------------------------------------------------- */

/* II.22.38. def is NULL where the assembly was not found; *full_name then still says what it is. */
static ilc_status typeref_definition(ilc__image *image, uint32_t row, unsigned depth,
                                     const ilc__typedef **def, const char **full_name)
{
    const ilc__metadata *md = &image->md;
    ilc__arena          *arena = &image->set->arena;
    const char          *name = ilc__heap_string(md, ilc__table_get(md, ILC__T_TYPEREF, row, TYPEREF_NAME));
    const char          *ns = ilc__heap_string(md, ilc__table_get(md, ILC__T_TYPEREF, row, TYPEREF_NS));
    uint32_t scope = ilc__table_token(md, ILC__T_TYPEREF, row, TYPEREF_SCOPE, ILC__CODED_RESOLUTION_SCOPE);
    *def = NULL;
    if (!name || !ns) return ilc__row_fail(md, ILC__T_TYPEREF, row, "its name was not readable");
    if (depth > ILC__ENCLOSING_MAX) return ilc__row_fail(md, ILC__T_TYPEREF, row, "it was nested too deep");
    if (scope >> 24 == ILC__T_TYPEREF) {
        const ilc__typedef *outer;
        const char         *outer_name;
        ILC__TRY(typeref_definition(image, scope & 0xFFFFFF, depth + 1, &outer, &outer_name));
        *full_name = ilc__arena_printf(arena, "%s+%s", outer_name, name);
        uint32_t found = outer ? ilc__name_find(outer->image, "", name, outer->row) : 0;
        if (outer && !found) found = ilc__name_find(outer->image, ns, name, outer->row);
        return found ? ilc__image_typedef(outer->image, found & 0xFFFFFF, def) : ILC_OK;
    }
    *full_name = *ns ? ilc__arena_printf(arena, "%s.%s", ns, name) : name;
    ilc__image *target = image;
    if (scope >> 24 == ILC__T_ASSEMBLYREF) target = ilc__set_reference(image, scope & 0xFFFFFF);
    if (scope >> 24 == ILC__T_MODULEREF) target = NULL;
    if (target) *def = ilc__set_find_type(target, ns, name);
    return ILC_OK;
}

static ilc_status typeref_type(ilc__image *image, uint32_t row, bool value_type, const ilc__type **out)
{
    const ilc__metadata *md = &image->md;
    if (!image->typerefs)
        image->typerefs = ILC__NEW_ARRAY(&image->set->arena, const ilc__type *,
                                         (size_t)md->tables[ILC__T_TYPEREF].count + 1);
    if (image->typerefs[row]) {
        *out = image->typerefs[row];
        if (value_type && (*out)->kind == ILC__ET_CLASS && !(*out)->def)
            *out = ilc__type_missing(image->set, (*out)->name, true);
        return ILC_OK;
    }
    uint32_t scope = ilc__table_token(md, ILC__T_TYPEREF, row, TYPEREF_SCOPE, ILC__CODED_RESOLUTION_SCOPE);
    if (scope >> 24 == ILC__T_ASSEMBLYREF) {
        const char *name = ilc__heap_string(md, ilc__table_get(md, ILC__T_TYPEREF, row, TYPEREF_NAME));
        const char *ns = ilc__heap_string(md, ilc__table_get(md, ILC__T_TYPEREF, row, TYPEREF_NS));
        *out = name && ns ? ilc__type_of_primitive_name(image->set, ns, name) : NULL;
        if (*out) {
            image->typerefs[row] = *out;
            return ILC_OK;
        }
    }
    const ilc__typedef *def;
    const char         *full_name;
    ILC__TRY(typeref_definition(image, row, 0, &def, &full_name));
    *out = image->typerefs[row] = def ? def->type : ilc__type_missing(image->set, full_name, value_type);
    return ILC_OK;
}

ilc_status ilc__token_type(ilc__image *image, uint32_t token, const ilc__generics *generics, bool value_type,
                           const ilc__type **out)
{
    uint32_t table = token >> 24, row = token & 0xFFFFFF;
    if (!ilc__row_exists(&image->md, table, row)) return bad_token(image, token, "type");
    if (table == ILC__T_TYPEREF) return typeref_type(image, row, value_type, out);
    if (table == ILC__T_TYPEDEF) {
        const ilc__typedef *def;
        ILC__TRY(ilc__image_typedef(image, row, &def));
        *out = def->type;
        return ILC_OK;
    }
    ilc__reader blob;
    if (table != ILC__T_TYPESPEC) return bad_token(image, token, "type");
    if (!ilc__heap_blob(&image->md, ilc__table_get(&image->md, table, row, 0), &blob))
        return ilc__row_fail(&image->md, table, row, "its signature was not readable");
    return ilc__sig_type(image, blob, generics, out);
}

ilc_status ilc__resolve_type(ilc__image *image, uint32_t token, const ilc__method *within,
                             const ilc__type **out)
{
    ilc__generics generics = ilc__generics_of(within);
    return ilc__token_type(image, token, &generics, false, out);
}

/* The definition behind a type; a primitive's is found through the reference that named it, if any. */
static ilc_status definition_of(ilc__image *image, uint32_t token, const ilc__type *type,
                                const ilc__typedef **out)
{
    const char *ignored;
    *out = type->def;
    if (*out) return ILC_OK;
    if (token >> 24 == ILC__T_TYPEDEF) return ilc__image_typedef(image, token & 0xFFFFFF, out);
    if (token >> 24 == ILC__T_TYPEREF) return typeref_definition(image, token & 0xFFFFFF, 0, out, &ignored);
    return ILC_OK;
}

/* --- members by name ------------------------------------------------------------------------------------ */

bool ilc__type_same(const ilc__type *a, const ilc__type *b)
{
    return a == b || (a && b && strcmp(a->name, b->name) == 0);
}

bool ilc__signature_same(const ilc__signature *a, const ilc__signature *b)
{
    if (a->param_count != b->param_count || a->generic_count != b->generic_count ||
        a->has_this != b->has_this || !ilc__type_same(a->ret, b->ret))
        return false;
    for (uint32_t i = 0; i < a->param_count; i++)
        if (!ilc__type_same(a->params[i], b->params[i])) return false;
    return true;
}

static ilc_status method_in(const ilc__typedef *def, const char *name, const ilc__signature *sig,
                            const ilc__method **out)
{
    const ilc__metadata *md = &def->image->md;
    *out = NULL;
    for (uint32_t i = 0; i < def->method_count; i++) {
        uint32_t           row = ilc__typedef_member(def, ILC__T_METHODDEF, i);
        const ilc__method *method;
        const char *other = ilc__heap_string(md, ilc__table_get(md, ILC__T_METHODDEF, row, METHODDEF_NAME));
        if (!other || strcmp(name, other) != 0) continue;
        ILC__TRY(ilc__image_method(def->image, row, &method));
        if (!ilc__signature_same(sig, &method->sig)) continue;
        *out = method;
        return ILC_OK;
    }
    return ILC_OK;
}

static ilc_status field_in(const ilc__typedef *def, const char *name, const ilc__field **out)
{
    const ilc__metadata *md = &def->image->md;
    *out = NULL;
    for (uint32_t i = 0; i < def->field_count; i++) {
        uint32_t    row = ilc__typedef_member(def, ILC__T_FIELD, i);
        const char *other = ilc__heap_string(md, ilc__table_get(md, ILC__T_FIELD, row, FIELD_NAME));
        if (other && strcmp(name, other) == 0) return ilc__field_of_row(def->image, row, out);
    }
    return ILC_OK;
}

/* Where a search stands: a definition with the generic arguments in force there, and its type. */
typedef struct place {
    const ilc__typedef *def;
    const ilc__type    *type;
    ilc__generics       generics;
} place;

static ilc_status step_to_base(ilc__set *set, place *at)
{
    const ilc__type *base;
    ILC__TRY(ilc__typedef_base(at->def, &base));
    at->def = NULL;
    if (!base) return ILC_OK;
    ILC__TRY(ilc__type_substitute(set, base, &at->generics, &at->type));
    at->generics = generics_of_type(at->type);
    at->def = at->type->def;
    return ILC_OK;
}

static ilc_status find_method(ilc__set *set, place *at, const char *name, const ilc__signature *sig,
                              const ilc__method **out)
{
    *out = NULL;
    for (unsigned i = 0; at->def && i < ILC__BASES_MAX; i++) {
        ILC__TRY(method_in(at->def, name, sig, out));
        if (*out) return ILC_OK;
        ILC__TRY(step_to_base(set, at));
    }
    return ILC_OK;
}

static ilc_status find_field(ilc__set *set, place *at, const char *name, const ilc__field **out)
{
    *out = NULL;
    for (unsigned i = 0; at->def && i < ILC__BASES_MAX; i++) {
        ILC__TRY(field_in(at->def, name, out));
        if (*out) return ILC_OK;
        ILC__TRY(step_to_base(set, at));
    }
    return ILC_OK;
}

/* --- methods -------------------------------------------------------------------------------------------- */

static const char *open_name(const ilc__type *type)
{
    return type->kind == ILC__ET_GENERICINST ? type->elem->name : type->name;
}

static ilc_status callee_of_method(ilc__image *image, uint32_t row, const ilc__generics *method_args,
                                   ilc__callee *out)
{
    const ilc__method *open;
    ILC__TRY(ilc__image_method(image, row, &open));
    ILC__TRY(ilc__method_instance(open, method_args, &out->def));
    out->type_name = open->type_name;
    out->name = open->name;
    out->type = open->owner->type;
    out->sig = out->def->sig;
    return ILC_OK;
}

/* The class of a MemberRef as a type; NULL for a module's global methods. */
static ilc_status member_class(ilc__image *image, uint32_t token, const ilc__generics *within,
                               const ilc__type **out)
{
    uint32_t table = token >> 24;
    *out = NULL;
    if (table == ILC__T_TYPEDEF || table == ILC__T_TYPEREF || table == ILC__T_TYPESPEC)
        return ilc__token_type(image, token, within, false, out);
    return ILC_OK;
}

/* II.22.25: a reference to a method, or the place of a call with variable arguments. */
static ilc_status callee_of_memberref(ilc__image *image, uint32_t row, const ilc__generics *within,
                                      const ilc__generics *method_args, ilc__callee *out)
{
    const ilc__metadata *md = &image->md;
    const char *name = ilc__heap_string(md, ilc__table_get(md, ILC__T_MEMBERREF, row, MEMBERREF_NAME));
    uint32_t    token =
        ilc__table_token(md, ILC__T_MEMBERREF, row, MEMBERREF_CLASS, ILC__CODED_MEMBERREF_PARENT);
    ilc__reader blob;
    if (!name || !ilc__heap_blob(md, ilc__table_get(md, ILC__T_MEMBERREF, row, MEMBERREF_SIGNATURE), &blob))
        return ilc__row_fail(md, ILC__T_MEMBERREF, row, "its name or signature was not readable");
    if (token >> 24 == ILC__T_METHODDEF) return callee_of_method(image, token & 0xFFFFFF, method_args, out);

    ilc__signature open;
    place          at = {0};
    ILC__TRY(member_class(image, token, within, &at.type));
    if (!at.type) return ilc__row_fail(md, ILC__T_MEMBERREF, row, "its class was not readable");
    *out = (ilc__callee){.type_name = open_name(at.type), .name = name, .type = at.type};
    ilc__generics own = generics_of_type(at.type);
    ILC__TRY(ilc__sig_method(image, blob, NULL, &open));
    own.method_args = method_args->method_args;
    own.method_arg_count = method_args->method_arg_count;
    ILC__TRY(ilc__sig_method(image, blob, &own, &out->sig));

    const ilc__method *def;
    at.generics = generics_of_type(at.type);
    ILC__TRY(definition_of(image, token, at.type, &at.def));
    ILC__TRY(find_method(image->set, &at, name, &open, &def));
    if (!def) return ILC_OK;
    at.generics.method_args = method_args->method_args;
    at.generics.method_arg_count = method_args->method_arg_count;
    ILC__TRY(ilc__method_instance(def, &at.generics, &out->def));
    out->type = at.type;
    out->type_name = def->type_name;
    return ILC_OK;
}

/* Where no generic argument is in force a MemberRef always means the same; it is looked up once. */
static ilc_status cached_memberref(ilc__image *image, uint32_t row, ilc__callee *out)
{
    const ilc__generics none = {0};
    ilc__arena         *arena = &image->set->arena;
    if (!image->callees)
        image->callees =
            ILC__NEW_ARRAY(arena, const ilc__callee *, (size_t)image->md.tables[ILC__T_MEMBERREF].count + 1);
    if (!image->callees[row]) {
        ILC__TRY(callee_of_memberref(image, row, &none, &none, out));
        image->callees[row] = ilc__arena_copy(arena, out, sizeof *out);
    }
    *out = *image->callees[row];
    return ILC_OK;
}

ilc_status ilc__resolve_callee(ilc__image *image, uint32_t token, const ilc__method *within, ilc__callee *out)
{
    const ilc__metadata *md = &image->md;
    uint32_t             table = token >> 24, row = token & 0xFFFFFF;
    ilc__generics        generics = ilc__generics_of(within), args = {0};
    *out = (ilc__callee){0};
    if (!ilc__row_exists(md, table, row)) return bad_token(image, token, "method");
    if (table == ILC__T_METHODSPEC) {
        ilc__reader blob;
        token = ilc__table_token(md, table, row, METHODSPEC_METHOD, ILC__CODED_METHODDEF_OR_REF);
        if (!token || !ilc__heap_blob(md, ilc__table_get(md, table, row, METHODSPEC_INSTANCE), &blob))
            return ilc__row_fail(md, table, row, "its method or arguments were not readable");
        ILC__TRY(ilc__sig_instance(image, blob, &generics, &args.method_arg_count, &args.method_args));
        table = token >> 24;
        row = token & 0xFFFFFF;
    }
    if (table == ILC__T_METHODDEF) return callee_of_method(image, row, &args, out);
    if (table != ILC__T_MEMBERREF) return bad_token(image, token, "method");
    if (!generics.type_arg_count && !generics.method_arg_count && !args.method_arg_count)
        return cached_memberref(image, row, out);
    return callee_of_memberref(image, row, &generics, &args, out);
}

/* --- fields, locals, strings ---------------------------------------------------------------------------- */

static ilc_status field_of_memberref(ilc__image *image, uint32_t row, const ilc__generics *within,
                                     const ilc__field **out, const char **type_name, const char **name)
{
    const ilc__metadata *md = &image->md;
    uint32_t             token =
        ilc__table_token(md, ILC__T_MEMBERREF, row, MEMBERREF_CLASS, ILC__CODED_MEMBERREF_PARENT);
    const ilc__field *open;
    place             at = {0};
    *name = ilc__heap_string(md, ilc__table_get(md, ILC__T_MEMBERREF, row, MEMBERREF_NAME));
    if (!*name) return ilc__row_fail(md, ILC__T_MEMBERREF, row, "its name was not readable");
    ILC__TRY(member_class(image, token, within, &at.type));
    if (!at.type) return ilc__row_fail(md, ILC__T_MEMBERREF, row, "its class was not readable");
    *type_name = open_name(at.type);
    at.generics = generics_of_type(at.type);
    ILC__TRY(definition_of(image, token, at.type, &at.def));
    ILC__TRY(find_field(image->set, &at, *name, &open));
    return open ? ilc__field_instance(open, &at.generics, out) : ILC_OK;
}

ilc_status ilc__resolve_field(ilc__image *image, uint32_t token, const ilc__method *within,
                              const ilc__field **out, const char **type_name, const char **name)
{
    uint32_t      table = token >> 24, row = token & 0xFFFFFF;
    ilc__generics generics = ilc__generics_of(within);
    *out = NULL;
    if (!ilc__row_exists(&image->md, table, row)) return bad_token(image, token, "field");
    if (table == ILC__T_MEMBERREF) return field_of_memberref(image, row, &generics, out, type_name, name);
    if (table != ILC__T_FIELD) return bad_token(image, token, "field");
    ILC__TRY(ilc__field_of_row(image, row, out));
    *type_name = (*out)->owner->type->name;
    *name = (*out)->name;
    return ILC_OK;
}

ilc_status ilc__resolve_locals(ilc__image *image, uint32_t token, const ilc__method *within, uint32_t *count,
                               const ilc__type *const **types, const bool **pinned)
{
    ilc__generics generics = ilc__generics_of(within);
    ilc__reader   blob;
    uint32_t      table = token >> 24, row = token & 0xFFFFFF;
    if (table != ILC__T_STANDALONESIG || !ilc__row_exists(&image->md, table, row))
        return bad_token(image, token, "signature of locals");
    if (!ilc__heap_blob(&image->md, ilc__table_get(&image->md, table, row, 0), &blob))
        return ilc__row_fail(&image->md, table, row, "its signature was not readable");
    return ilc__sig_locals(image, blob, &generics, count, types, pinned);
}

static void add_utf8(ilc__text *text, uint32_t c)
{
    if (c < 0x80) {
        ilc__text_putc(text, (char)c);
        return;
    }
    unsigned             more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    ilc__text_putc(text, (char)(lead[more] | c >> (6 * more)));
    while (more--)
        ilc__text_putc(text, (char)(0x80 | (c >> (6 * more) & 0x3F)));
}

/* II.24.2.4: UTF-16, then one byte that says whether any character is special. */
ilc_status ilc__resolve_string(ilc__image *image, uint32_t token, const char **out)
{
    ilc__reader blob;
    ilc__text   text = {.arena = &image->set->arena};
    uint16_t    unit, low;
    if (token >> 24 != TOKEN_USER_STRING || !ilc__heap_user_string(&image->md, token & 0xFFFFFF, &blob))
        return bad_token(image, token, "string");
    while (ilc__read_u16(&blob, &unit)) {
        uint32_t    c = unit;
        ilc__reader ahead = blob;
        if (unit >= 0xD800 && unit < 0xE000) {
            c = 0xFFFD;
            if (unit < 0xDC00 && ilc__read_u16(&ahead, &low) && low >= 0xDC00 && low < 0xE000) {
                c = 0x10000 + ((uint32_t)(unit - 0xD800) << 10) + (low - 0xDC00u);
                blob = ahead;
            }
        }
        add_utf8(&text, c);
    }
    *out = ilc__text_string(&text);
    return ILC_OK;
}
