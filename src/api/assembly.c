/* assembly.c - assemblies: opened, enumerated, and searched by the names that people write. */
#include "api/api.h"

#include "il/instance.h"

void ilc_assembly_options_init(ilc_assembly_options *options)
{
    *options = (ilc_assembly_options){.size = sizeof *options};
}

/* The assembly's block, in the session's list before its files are opened, so that nothing is lost on the way. */
static ilc_status make_assembly(ilc_session *session, const ilc_assembly_options *given, ilc_assembly **out)
{
    ilc__context        *ctx = &session->ctx;
    ilc_assembly_options options;
    ilc_assembly_options_init(&options);
    ILC__TRY(ilc__options_take(ctx, &options, sizeof options, given, "assembly options"));
    ilc_assembly *assembly = ILC__NEW(&ctx->arena, ilc_assembly);
    assembly->session = session;
    assembly->next = session->assemblies;
    session->assemblies = assembly;
    assembly->set = ilc__set_create(ctx);
    for (size_t i = 0; i < options.reference_count; i++) ilc__set_add_directory(assembly->set, options.references[i]);
    for (size_t i = 0; i < options.source_count; i++) ilc__set_add_sources(assembly->set, options.sources[i]);
    *out = assembly;
    return ILC_OK;
}

static ilc_status take_image(ilc_assembly *assembly, ilc__image *image, ilc_assembly **out)
{
    ilc__statics_run_by(ilc__image_statics(image), ilc__il_initialise);
    ilc__arena *arena = &assembly->session->ctx.arena;
    assembly->image = image;
    assembly->method_count = ilc__image_method_count(image);
    assembly->methods = ILC__NEW_ARRAY(arena, ilc_method *, assembly->method_count);
    *out = assembly;
    return ILC_OK;
}

static ilc_status open_file(ilc_assembly **out, ilc_session *session, const char *path,
                            const ilc_assembly_options *options)
{
    ilc_assembly *assembly;
    ilc__image   *image;
    ILC__TRY(make_assembly(session, options, &assembly));
    ILC__TRY(ilc__set_open(assembly->set, path, &image));
    return take_image(assembly, image, out);
}

static ilc_status open_memory(ilc_assembly **out, ilc_session *session, const char *name, const void *bytes, size_t size,
                              const void *pdb, size_t pdb_size, const ilc_assembly_options *options)
{
    ilc_assembly *assembly;
    ilc__image   *image;
    ILC__TRY(make_assembly(session, options, &assembly));
    name = ilc__arena_strdup(&session->ctx.arena, name);
    ILC__TRY(ilc__set_open_memory(assembly->set, name, bytes, size, pdb, pdb_size, &image));
    return take_image(assembly, image, out);
}

ilc_status ilc__assembly_of_images(ilc_assembly **out, ilc_session *session, const ilc__given_image *images, uint32_t count)
{
    ilc_assembly *assembly;
    ilc__image   *first = NULL, *image;
    ILC__TRY(make_assembly(session, NULL, &assembly));
    ilc__set_close(assembly->set);
    for (uint32_t i = 0; i < count; i++) {
        const ilc__given_image *given = &images[i];
        ILC__TRY(ilc__set_open_memory(assembly->set, given->name, given->bytes, given->size, given->pdb, given->pdb_size, &image));
        if (!first) first = image;
    }
    return take_image(assembly, first, out);
}

ilc_status ilc_assembly_open(ilc_assembly **out, ilc_session *session, const char *path,
                             const ilc_assembly_options *options)
{
    ILC__LAND(session, open_file(out, session, path, options));
}

ilc_status ilc_assembly_open_memory(ilc_assembly **out, ilc_session *session, const char *name, const void *bytes,
                                    size_t size, const void *pdb, size_t pdb_size,
                                    const ilc_assembly_options *options)
{
    ILC__LAND(session, open_memory(out, session, name, bytes, size, pdb, pdb_size, options));
}

static void free_method(ilc_method *method)
{
    ilc__arena_free(&method->arena);
    ilc__arena_free(&method->result_arena);
}

void ilc__assembly_destroy(ilc_assembly *assembly)
{
    for (uint32_t i = 0; assembly->methods && i < assembly->method_count; i++)
        if (assembly->methods[i]) free_method(assembly->methods[i]);
    for (ilc_method *method = assembly->forms; method; method = method->next) free_method(method);
    if (assembly->set) ilc__set_destroy(assembly->set);
}

const char *ilc_assembly_path(const ilc_assembly *assembly)
{
    return ilc__image_path(assembly->image);
}

const char *ilc_assembly_name(const ilc_assembly *assembly)
{
    return ilc__image_name(assembly->image);
}

static ilc_status has_debug(ilc_assembly *assembly, bool *out)
{
    *out = ilc__debug_available(assembly->image);
    return ILC_OK;
}

static ilc_status landed_has_debug(ilc_assembly *assembly, bool *out)
{
    ILC__LAND(assembly->session, has_debug(assembly, out));
}

bool ilc_assembly_has_debug(ilc_assembly *assembly)
{
    bool available = false;
    return landed_has_debug(assembly, &available) == ILC_OK && available;
}

uint32_t ilc_assembly_method_count(const ilc_assembly *assembly)
{
    return assembly->method_count;
}

static ilc_method *make_method(ilc_assembly *assembly, const ilc__method *def)
{
    ilc_session *session = assembly->session;
    ilc_method  *method = ILC__NEW(&session->ctx.arena, ilc_method);
    method->session = session;
    method->assembly = assembly;
    method->def = def;
    ilc__arena_init(&method->arena, &session->ctx.heap);
    ilc__arena_init(&method->result_arena, &session->ctx.heap);
    return method;
}

ilc_method *ilc__method_of(ilc_assembly *assembly, const ilc__method *def)
{
    ilc_method *made = assembly->forms;
    while (made && made->def != def) made = made->next;
    if (made) return made;
    made = make_method(assembly, def);
    made->next = assembly->forms;
    return assembly->forms = made;
}

ilc_status ilc__assembly_method(ilc_assembly *assembly, uint32_t row, ilc_method **out)
{
    ilc_session *session = assembly->session;
    if (row == 0 || row > assembly->method_count)
        return ilc__fail(&session->ctx, ILC_NOT_FOUND, NULL, "%s has no method number %u",
                         ilc__image_path(assembly->image), row);
    ilc_method *method = assembly->methods[row - 1];
    if (!method) {
        const ilc__method *def;
        ILC__TRY(ilc__image_method(assembly->image, row, &def));
        assembly->methods[row - 1] = method = make_method(assembly, def);
    }
    *out = method;
    return ILC_OK;
}

/* Before a caller has the method: that of an object is taken as its static form. Where it has none, what asks for more than
 * its name says why. */
static void settle(ilc_method *method)
{
    ilc__context      *ctx = &method->session->ctx;
    uint32_t           before = ctx->diags.count;
    const ilc__method *form;
    if (method->settled) return;
    if (method->def->sig.has_this && ilc__static_form(&method->session->scratch, method->def, &form) == ILC_OK) method->def = form;
    ctx->diags.count = before;
    method->settled = true;
}

static ilc_status method_at(ilc_method **out, ilc_assembly *assembly, uint32_t index)
{
    ILC__TRY(ilc__assembly_method(assembly, index == UINT32_MAX ? 0 : index + 1, out));
    settle(*out);
    return ILC_OK;
}

ilc_status ilc_assembly_method(ilc_method **out, ilc_assembly *assembly, uint32_t index)
{
    ILC__LAND(assembly->session, method_at(out, assembly, index));
}

/* --- finding -------------------------------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool same_text(const char *a, const char *b, size_t length, bool ignore_case)
{
    for (size_t i = 0; i < length; i++)
        if (ignore_case ? lower(a[i]) != lower(b[i]) : a[i] != b[i]) return false;
    return true;
}

/* Is tail the end of full, from a name's beginning on? */
static bool is_tail(const char *full, const char *tail, size_t tail_length, bool ignore_case)
{
    size_t length = strlen(full);
    if (tail_length == 0 || tail_length > length) return false;
    const char *from = full + (length - tail_length);
    if (from > full && from[-1] != '.' && from[-1] != '+') return false;
    return same_text(from, tail, tail_length, ignore_case);
}

/* Do the parameter types stand as "(Int32,Single[])", spaces aside? */
static bool same_params(const char *display, const char *params)
{
    const char *at = strchr(display, '(');
    if (!at) return false;
    for (;; at++, params++) {
        while (*params == ' ') params++;
        while (*at == ' ') at++;
        if (*at != *params) return false;
        if (!*at) return true;
    }
}

typedef ILC__VEC(ilc_method *) method_list;

static ilc_status collect(ilc_assembly *assembly, const char *name, size_t name_length, const char *params,
                          bool ignore_case, method_list *found)
{
    ilc__arena *scratch = &assembly->session->scratch;
    for (uint32_t row = 1; row <= assembly->method_count; row++) {
        ilc_method *method;
        ILC__TRY(ilc__assembly_method(assembly, row, &method));
        if (!is_tail(method->def->full_name, name, name_length, ignore_case)) continue;
        if (params && !same_params(ilc__method_display_of(method), params)) continue;
        ILC__PUSH(scratch, found, method);
    }
    return ILC_OK;
}

/* A whole name is meant where there is one: else "A.F" could never be said beside "B.A.F". */
static void prefer_whole_names(method_list *found, size_t name_length)
{
    uint32_t whole = 0;
    for (uint32_t i = 0; i < found->count; i++)
        if (strlen(found->items[i]->def->full_name) == name_length) found->items[whole++] = found->items[i];
    if (whole) found->count = whole;
}

static ilc_status fail_ambiguous(ilc_assembly *assembly, const char *name, const method_list *found)
{
    enum { MAX_SHOWN = 8 };
    ilc__text text = {.arena = &assembly->session->scratch};
    for (uint32_t i = 0; i < found->count && i < MAX_SHOWN; i++)
        ilc__text_printf(&text, "%s%s", i ? ", " : "", ilc__method_display_of(found->items[i]));
    if (found->count > MAX_SHOWN) ilc__text_printf(&text, " and %u more", found->count - MAX_SHOWN);
    return ilc__fail(&assembly->session->ctx, ILC_AMBIGUOUS, NULL, "%s fits %u methods: %s", name, found->count,
                     ilc__text_string(&text));
}

/* Damerau's distance without exchanges, cut at 3; names longer than the table are not compared. */
static uint32_t distance(const char *a, size_t a_length, const char *b)
{
    enum { LONGEST = 63 };
    size_t b_length = strlen(b);
    if (a_length > LONGEST || b_length > LONGEST) return UINT32_MAX;
    uint32_t row[LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++) row[j] = (uint32_t)j;
    for (size_t i = 1; i <= a_length; i++) {
        uint32_t diagonal = row[0];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= b_length; j++) {
            uint32_t best = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = row[j];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[b_length];
}

static bool starts_with(const char *name, const char *typed, size_t length)
{
    return length >= 3 && strlen(name) > length && same_text(name, typed, length, true);
}

static ilc_status fail_not_found(ilc_assembly *assembly, const char *name, size_t name_length, bool overload)
{
    ilc__context *ctx = &assembly->session->ctx;
    const char   *path = ilc__image_path(assembly->image);
    if (overload) {
        method_list found = {0};
        ILC__TRY(collect(assembly, name, name_length, NULL, true, &found));
        if (found.count)
            return ilc__fail(ctx, ILC_NOT_FOUND, NULL, "%s: no method %s; there is %s", path, name,
                             ilc__method_display_of(found.items[0]));
    }
    const char *last = name;
    for (size_t i = 0; i < name_length; i++)
        if (name[i] == '.' || name[i] == '+') last = name + i + 1;
    size_t             last_length = name_length - (size_t)(last - name);
    uint32_t           best_distance = 3;
    const ilc__method *best = NULL;
    for (uint32_t row = 1; row <= assembly->method_count; row++) {
        const ilc__method *def = assembly->methods[row - 1]->def;
        uint32_t           d = starts_with(def->name, last, last_length) ? 2 : distance(last, last_length, def->name);
        if (d < best_distance && d < last_length) {
            best_distance = d;
            best = def;
        }
    }
    if (best) return ilc__fail(ctx, ILC_NOT_FOUND, NULL, "%s: no method %s; did you mean %s?", path, name, best->full_name);
    return ilc__fail(ctx, ILC_NOT_FOUND, NULL, "%s: no method %s", path, name);
}

/* Of the methods that the name before the brackets fits, those for the types in them: Name<Single>. */
static ilc_status collect_instances(ilc_assembly *assembly, const char *name, size_t length, const char *params, method_list *found)
{
    size_t      base = ilc__generic_base(name, length);
    method_list open = {0};
    if (base == length) return ILC_OK;
    ILC__TRY(collect(assembly, name, base, NULL, false, &open));
    if (!open.count) ILC__TRY(collect(assembly, name, base, NULL, true, &open));
    for (uint32_t i = 0; i < open.count; i++) {
        ilc_method *made;
        ILC__TRY(ilc__generic_instance(assembly, open.items[i], name + base + 1, length - base - 2, &made));
        if (made && (!params || same_params(ilc__method_display_of(made), params))) ILC__PUSH(&assembly->session->scratch, found, made);
    }
    return ILC_OK;
}

/* The methods that a name fits: with exact case, or, where there is none, ignoring it. */
static ilc_status matches(ilc_assembly *assembly, const char *name, size_t *length, bool *overload, method_list *found)
{
    const char *params = strchr(name, '(');
    *overload = params != NULL;
    *length = params ? (size_t)(params - name) : strlen(name);
    while (*length && name[*length - 1] == ' ') --*length;
    ILC__TRY(collect(assembly, name, *length, params, false, found));
    if (!found->count) ILC__TRY(collect(assembly, name, *length, params, true, found));
    if (!found->count) ILC__TRY(collect_instances(assembly, name, *length, params, found)); /* compilers' own names have <, too */
    prefer_whole_names(found, *length);
    return ILC_OK;
}

static ilc_status find(ilc_method **out, ilc_assembly *assembly, const char *name)
{
    method_list found = {0};
    size_t      length;
    bool        overload;
    ILC__TRY(matches(assembly, name, &length, &overload, &found));
    if (!found.count) return fail_not_found(assembly, name, length, overload);
    if (found.count > 1) return fail_ambiguous(assembly, name, &found);
    *out = found.items[0];
    settle(*out);
    return ILC_OK;
}

static ilc_status find_all(ilc_method **out, size_t capacity, size_t *count, ilc_assembly *assembly, const char *name)
{
    method_list found = {0};
    size_t      length;
    bool        overload;
    ILC__TRY(matches(assembly, name, &length, &overload, &found));
    for (size_t i = 0; i < found.count && i < capacity; i++) {
        out[i] = found.items[i];
        settle(out[i]);
    }
    *count = found.count;
    return ILC_OK;
}

ilc_status ilc_assembly_find(ilc_method **out, ilc_assembly *assembly, const char *name)
{
    ILC__LAND(assembly->session, find(out, assembly, name));
}

ilc_status ilc_assembly_find_all(ilc_method **out, size_t capacity, size_t *count, ilc_assembly *assembly,
                                 const char *name)
{
    ILC__LAND(assembly->session, find_all(out, capacity, count, assembly, name));
}
