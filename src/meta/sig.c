/* sig.c - signatures (ECMA-335 II.23.2): methods, fields, locals, type and method specifications. Generic
 * arguments in force are put in while reading. Every recursion counts its depth. */
#include "meta/image.h"

enum { FIELD = 0x06, LOCALS = 0x07, INSTANCE = 0x0A, GENERIC = 0x10, HAS_THIS = 0x20, EXPLICIT_THIS = 0x40 };
enum { CONVENTION = 0x0F, VARARG = 0x05, UNMANAGED = 0x09, RANK_MAX = 32, COUNT_MAX = 0xFFFF };

typedef struct parser {
    ilc__image          *image;
    ilc__set            *set;
    ilc__reader          r;
    const ilc__generics *generics;
    uint32_t             depth;
} parser;

static ilc_status parse_type(parser *p, const ilc__type **out);

static ilc_status fail(const parser *p, const char *what)
{
    return ilc__metadata_fail(&p->image->md, ilc__left(&p->r) ? p->r.at : NULL, "a signature was broken: %s",
                              what);
}

static ilc_status cut(const parser *p)
{
    return fail(p, "it was cut short");
}

static bool peek(const parser *p, uint8_t *out)
{
    if (p->r.at == p->r.end) return false;
    *out = *p->r.at;
    return true;
}

/* II.23.2.7 custom modifiers, and PINNED (II.23.2.9) where it may stand. */
static ilc_status skip_modifiers(parser *p, bool *pinned)
{
    uint8_t  kind;
    uint32_t token;
    while (peek(p, &kind)) {
        bool modifier = kind == ILC__ET_CMOD_REQD || kind == ILC__ET_CMOD_OPT;
        if (!modifier && !(kind == ILC__ET_PINNED && pinned)) break;
        ilc__skip(&p->r, 1);
        if (modifier && !ilc__read_compressed(&p->r, &token)) return cut(p);
        if (!modifier) *pinned = true;
    }
    return ILC_OK;
}

static ilc_status read_count(parser *p, uint32_t least_bytes, uint32_t *out)
{
    if (!ilc__read_compressed(&p->r, out)) return cut(p);
    /* Each element takes at least least_bytes, so that a count cannot ask for more memory than the file has.
     */
    if (*out > COUNT_MAX || *out * (size_t)least_bytes > ilc__left(&p->r))
        return fail(p, "a count was too large");
    return ILC_OK;
}

static ilc_status parse_types(parser *p, uint32_t count, const ilc__type *const **out)
{
    const ilc__type **types = ILC__NEW_ARRAY(&p->set->arena, const ilc__type *, count);
    for (uint32_t i = 0; i < count; i++)
        ILC__TRY(parse_type(p, &types[i]));
    *out = types;
    return ILC_OK;
}

static ilc_status parse_named(parser *p, bool value_type, const ilc__type **out)
{
    uint32_t coded;
    if (!ilc__read_compressed(&p->r, &coded)) return cut(p);
    uint32_t token = ilc__coded_token(&p->image->md, ILC__CODED_TYPEDEF_OR_REF, coded);
    /* A TypeSpec here could name itself; compilers never write one. */
    if (token >> 24 != ILC__T_TYPEDEF && token >> 24 != ILC__T_TYPEREF) return fail(p, "it named no type");
    return ilc__token_type(p->image, token, NULL, value_type, out);
}

static ilc_status parse_generic(parser *p, const ilc__type **out)
{
    uint8_t       kind;
    ilc__type_key key = {.kind = ILC__ET_GENERICINST};
    if (!ilc__read_u8(&p->r, &kind)) return cut(p);
    if (kind != ILC__ET_CLASS && kind != ILC__ET_VALUETYPE)
        return fail(p, "a generic type was not a class or struct");
    ILC__TRY(parse_named(p, kind == ILC__ET_VALUETYPE, &key.elem));
    ILC__TRY(read_count(p, 1, &key.arg_count));
    ILC__TRY(parse_types(p, key.arg_count, &key.args));
    return ilc__type_intern(p->set, &key, out);
}

/* II.23.2.13: rank, sizes, lower bounds; only the rank is kept. */
static ilc_status parse_array(parser *p, const ilc__type **out)
{
    ilc__type_key key = {.kind = ILC__ET_ARRAY};
    uint32_t      count, ignored;
    ILC__TRY(parse_type(p, &key.elem));
    if (!ilc__read_compressed(&p->r, &key.rank)) return cut(p);
    if (key.rank < 1 || key.rank > RANK_MAX) return fail(p, "an array's rank was out of range");
    for (int list = 0; list < 2; list++) {
        ILC__TRY(read_count(p, 1, &count));
        for (uint32_t i = 0; i < count; i++)
            if (!ilc__read_compressed(&p->r, &ignored)) return cut(p);
    }
    return ilc__type_intern(p->set, &key, out);
}

static ilc_status parse_variable(parser *p, ilc__element kind, const ilc__type **out)
{
    const ilc__generics *g = p->generics;
    ilc__type_key        key = {.kind = kind};
    if (!ilc__read_compressed(&p->r, &key.number)) return cut(p);
    uint32_t                count = !g ? 0 : kind == ILC__ET_VAR ? g->type_arg_count : g->method_arg_count;
    const ilc__type *const *args = !g ? NULL : kind == ILC__ET_VAR ? g->type_args : g->method_args;
    if (key.number < count) {
        *out = args[key.number];
        return ILC_OK;
    }
    if (count || key.number > COUNT_MAX) return fail(p, "a generic parameter did not exist");
    return ilc__type_intern(p->set, &key, out);
}

static ilc_status parse_method(parser *p, ilc__signature *out);

static ilc_status parse_pointer_to_method(parser *p, const ilc__type **out)
{
    ilc__signature sig;
    ILC__TRY(parse_method(p, &sig));
    ilc__type_key key = {
        .kind = ILC__ET_FNPTR, .elem = sig.ret, .args = sig.params, .arg_count = sig.param_count};
    return ilc__type_intern(p->set, &key, out);
}

static ilc_status parse_element(parser *p, uint8_t kind, const ilc__type **out)
{
    ilc__type_key key = {.kind = kind};
    switch (kind) {
    case ILC__ET_PTR:
    case ILC__ET_BYREF:
    case ILC__ET_SZARRAY: ILC__TRY(parse_type(p, &key.elem)); return ilc__type_intern(p->set, &key, out);
    case ILC__ET_VALUETYPE:
    case ILC__ET_CLASS: return parse_named(p, kind == ILC__ET_VALUETYPE, out);
    case ILC__ET_VAR:
    case ILC__ET_MVAR: return parse_variable(p, kind, out);
    case ILC__ET_ARRAY: return parse_array(p, out);
    case ILC__ET_GENERICINST: return parse_generic(p, out);
    case ILC__ET_FNPTR: return parse_pointer_to_method(p, out);
    default:
        *out = ilc__set_primitive(p->set, kind);
        return *out ? ILC_OK : fail(p, "it held an unknown element type");
    }
}

static ilc_status parse_type(parser *p, const ilc__type **out)
{
    uint8_t kind;
    if (p->depth >= ILC__TYPE_DEPTH_MAX) return fail(p, "it was nested too deep");
    ILC__TRY(skip_modifiers(p, NULL));
    if (!ilc__read_u8(&p->r, &kind)) return cut(p);
    p->depth++;
    ilc_status status = parse_element(p, kind, out);
    p->depth--;
    return status;
}

/* II.23.2.1 to II.23.2.3 */
static ilc_status parse_method(parser *p, ilc__signature *out)
{
    uint8_t  convention, next;
    uint32_t count;
    *out = (ilc__signature){0};
    if (!ilc__read_u8(&p->r, &convention)) return cut(p);
    unsigned kind = convention & CONVENTION;
    if (kind > VARARG && kind != UNMANAGED) return fail(p, "it was not a method's");
    out->has_this = convention & HAS_THIS;
    out->explicit_this = convention & EXPLICIT_THIS;
    out->vararg = kind == VARARG;
    if (convention & GENERIC && !ilc__read_compressed(&p->r, &out->generic_count)) return cut(p);
    if (!ilc__read_compressed(&p->r, &count)) return cut(p);
    ILC__TRY(parse_type(p, &out->ret));
    if (count > COUNT_MAX || count > ilc__left(&p->r)) return fail(p, "a count was too large");
    const ilc__type **params = ILC__NEW_ARRAY(&p->set->arena, const ilc__type *, count);
    for (uint32_t i = 0; i < count; i++) {
        if (peek(p, &next) && next == ILC__ET_SENTINEL) ilc__skip(&p->r, 1);
        ILC__TRY(parse_type(p, &params[i]));
    }
    out->params = params;
    out->param_count = count;
    return ILC_OK;
}

static parser parser_of(ilc__image *image, ilc__reader blob, const ilc__generics *generics)
{
    return (parser){image, image->set, blob, generics, 0};
}

static ilc_status expect(parser *p, uint8_t kind, const char *what)
{
    uint8_t found;
    if (!ilc__read_u8(&p->r, &found)) return cut(p);
    return found == kind ? ILC_OK : fail(p, what);
}

ilc_status ilc__sig_method(ilc__image *image, ilc__reader blob, const ilc__generics *generics,
                           ilc__signature *out)
{
    parser p = parser_of(image, blob, generics);
    return parse_method(&p, out);
}

ilc_status ilc__sig_field(ilc__image *image, ilc__reader blob, const ilc__generics *generics,
                          const ilc__type **out)
{
    parser p = parser_of(image, blob, generics);
    ILC__TRY(expect(&p, FIELD, "it was not a field's"));
    return parse_type(&p, out);
}

ilc_status ilc__sig_type(ilc__image *image, ilc__reader blob, const ilc__generics *generics,
                         const ilc__type **out)
{
    parser p = parser_of(image, blob, generics);
    return parse_type(&p, out);
}

ilc_status ilc__sig_locals(ilc__image *image, ilc__reader blob, const ilc__generics *generics,
                           uint32_t *count, const ilc__type *const **types, const bool **pinned)
{
    parser p = parser_of(image, blob, generics);
    ILC__TRY(expect(&p, LOCALS, "it was not of locals"));
    ILC__TRY(read_count(&p, 1, count));
    const ilc__type **list = ILC__NEW_ARRAY(&p.set->arena, const ilc__type *, *count);
    bool             *pins = ILC__NEW_ARRAY(&p.set->arena, bool, *count);
    for (uint32_t i = 0; i < *count; i++) {
        ILC__TRY(skip_modifiers(&p, &pins[i]));
        ILC__TRY(parse_type(&p, &list[i]));
    }
    *types = list;
    *pinned = pins;
    return ILC_OK;
}

ilc_status ilc__sig_instance(ilc__image *image, ilc__reader blob, const ilc__generics *generics,
                             uint32_t *count, const ilc__type *const **types)
{
    parser p = parser_of(image, blob, generics);
    ILC__TRY(expect(&p, INSTANCE, "it was not of generic arguments"));
    ILC__TRY(read_count(&p, 1, count));
    return parse_types(&p, *count, types);
}
