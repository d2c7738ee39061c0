/* member.c - methods and fields: their rows (ECMA-335 II.22.26, II.22.15), names, parameters, instances of
 * generic ones, and the data of initialised fields. */
#include "meta/image.h"

enum { METHOD_RVA, METHOD_IMPL, METHOD_FLAGS, METHOD_NAME, METHOD_SIGNATURE, METHOD_PARAMS };
enum { PARAM_FLAGS, PARAM_SEQUENCE, PARAM_NAME };
enum { FIELD_FLAGS, FIELD_NAME, FIELD_SIGNATURE };
enum { FIELDRVA_RVA, FIELDRVA_FIELD };
enum { LAYOUT_PACKING, LAYOUT_SIZE, LAYOUT_PARENT };
enum { KEY_MAX = 2 + 2 * 256 };

static ilc_status owner_of(ilc__image *image, uint32_t table, uint32_t row, const ilc__typedef **out)
{
    uint32_t owner = ilc__typedef_owner(image, table, row);
    if (!owner) return ilc__row_fail(&image->md, table, row, "it belonged to no type");
    return ilc__image_typedef(image, owner, out);
}

/* II.22.33: rows with their sequence numbers, of which 0 is the result; any may be missing. */
static ilc_status read_param_names(ilc__image *image, ilc__method *method)
{
    const ilc__metadata *md = &image->md;
    ilc__arena          *arena = &image->set->arena;
    uint32_t             first, count, params = method->sig.param_count;
    const char         **names = ILC__NEW_ARRAY(arena, const char *, params);
    bool                 pointers = md->tables[ILC__T_PARAMPTR].count != 0;
    ilc__table_list(md, ILC__T_METHODDEF, method->row, METHOD_PARAMS,
                    pointers ? ILC__T_PARAMPTR : ILC__T_PARAM, &first, &count);
    if (count > params + 1) count = params + 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = pointers ? ilc__table_get(md, ILC__T_PARAMPTR, first + i, 0) : first + i;
        uint32_t sequence = ilc__table_get(md, ILC__T_PARAM, row, PARAM_SEQUENCE);
        if (sequence < 1 || sequence > params) continue;
        const char *name = ilc__heap_string(md, ilc__table_get(md, ILC__T_PARAM, row, PARAM_NAME));
        if (!name) return ilc__row_fail(md, ILC__T_PARAM, row, "its name was not readable");
        if (*name) names[sequence - 1] = name;
    }
    for (uint32_t i = 0; i < params; i++)
        if (!names[i]) names[i] = ilc__arena_printf(arena, "arg%u", i);
    method->param_names = names;
    return ILC_OK;
}

static ilc_status read_method(ilc__image *image, uint32_t row, ilc__method *method)
{
    const ilc__metadata *md = &image->md;
    ilc__reader          blob;
    *method = (ilc__method){.image = image, .row = row};
    method->name = ilc__heap_string(md, ilc__table_get(md, ILC__T_METHODDEF, row, METHOD_NAME));
    method->rva = ilc__table_get(md, ILC__T_METHODDEF, row, METHOD_RVA);
    method->impl_flags = ilc__table_get(md, ILC__T_METHODDEF, row, METHOD_IMPL);
    method->flags = ilc__table_get(md, ILC__T_METHODDEF, row, METHOD_FLAGS);
    if (!method->name ||
        !ilc__heap_blob(md, ilc__table_get(md, ILC__T_METHODDEF, row, METHOD_SIGNATURE), &blob))
        return ilc__row_fail(md, ILC__T_METHODDEF, row, "its name or signature was not readable");
    ILC__TRY(owner_of(image, ILC__T_METHODDEF, row, &method->owner));
    method->type_name = method->owner->type->name;
    method->full_name = ilc__arena_printf(&image->set->arena, "%s.%s", method->type_name, method->name);
    ILC__TRY(ilc__sig_method(image, blob, NULL, &method->sig));
    return read_param_names(image, method);
}

uint32_t ilc__image_method_count(const ilc__image *image)
{
    return image->md.tables[ILC__T_METHODDEF].count;
}

ilc_status ilc__image_method(ilc__image *image, uint32_t row, const ilc__method **out)
{
    const ilc__metadata *md = &image->md;
    if (!ilc__row_exists(md, ILC__T_METHODDEF, row))
        return ilc__metadata_fail(md, NULL, "there was no MethodDef row %u", row);
    if (!image->methods)
        image->methods =
            ILC__NEW_ARRAY(&image->set->arena, ilc__method *, (size_t)md->tables[ILC__T_METHODDEF].count + 1);
    if (!image->methods[row]) {
        ilc__method *method = ILC__NEW(&image->set->arena, ilc__method);
        ILC__TRY(read_method(image, row, method));
        image->methods[row] = method;
    }
    *out = image->methods[row];
    return ILC_OK;
}

/* --- instances ------------------------------------------------------------------------------------------ */

static ilc_status key_of(ilc__set *set, const void *open, const ilc__generics *g, uintptr_t key[KEY_MAX],
                         size_t *size)
{
    size_t count = 2;
    if (g->type_arg_count + (uint64_t)g->method_arg_count > KEY_MAX - 2)
        return ilc__fail(set->ctx, ILC_FORMAT, NULL, "a member had too many generic arguments");
    key[0] = (uintptr_t)open;
    key[1] = g->type_arg_count;
    for (uint32_t i = 0; i < g->type_arg_count; i++)
        key[count++] = (uintptr_t)g->type_args[i];
    for (uint32_t i = 0; i < g->method_arg_count; i++)
        key[count++] = (uintptr_t)g->method_args[i];
    *size = count * sizeof *key;
    return ILC_OK;
}

ilc_status ilc__method_instance(const ilc__method *open, const ilc__generics *generics,
                                const ilc__method **out)
{
    ilc__image *image = open->image;
    uintptr_t   key[KEY_MAX];
    size_t      size;
    *out = open;
    if (!generics->type_arg_count && !generics->method_arg_count) return ILC_OK;
    ILC__TRY(key_of(image->set, open, generics, key, &size));
    if ((*out = ilc__map_get(&image->set->instances, key, size))) return ILC_OK;
    ilc__reader  blob;
    ilc__method *method = ilc__arena_copy(&image->set->arena, open, sizeof *open);
    uint32_t     index = ilc__table_get(&image->md, ILC__T_METHODDEF, open->row, METHOD_SIGNATURE);
    method->type_args = generics->type_args;
    method->type_arg_count = generics->type_arg_count;
    method->method_args = generics->method_args;
    method->method_arg_count = generics->method_arg_count;
    if (!ilc__heap_blob(&image->md, index, &blob))
        return ilc__row_fail(&image->md, ILC__T_METHODDEF, open->row, "its signature was not readable");
    ILC__TRY(ilc__sig_method(image, blob, generics, &method->sig));
    ilc__map_put(&image->set->instances, key, size, method);
    *out = method;
    return ILC_OK;
}

/* --- fields --------------------------------------------------------------------------------------------- */

static ilc_status read_field(ilc__image *image, uint32_t row, ilc__field *field)
{
    const ilc__metadata *md = &image->md;
    ilc__reader          blob;
    *field = (ilc__field){.image = image, .row = row};
    field->name = ilc__heap_string(md, ilc__table_get(md, ILC__T_FIELD, row, FIELD_NAME));
    field->flags = ilc__table_get(md, ILC__T_FIELD, row, FIELD_FLAGS);
    if (!field->name || !ilc__heap_blob(md, ilc__table_get(md, ILC__T_FIELD, row, FIELD_SIGNATURE), &blob))
        return ilc__row_fail(md, ILC__T_FIELD, row, "its name or signature was not readable");
    ILC__TRY(owner_of(image, ILC__T_FIELD, row, &field->owner));
    const ilc__row_index *index =
        ilc__row_index_of(image, &image->rva_of_field, ILC__T_FIELDRVA, FIELDRVA_FIELD, ILC__T_FIELD);
    field->rva = ilc__table_get(md, ILC__T_FIELDRVA, index->first[row], FIELDRVA_RVA);
    return ilc__sig_field(image, blob, NULL, &field->type);
}

ilc_status ilc__field_of_row(ilc__image *image, uint32_t row, const ilc__field **out)
{
    const ilc__metadata *md = &image->md;
    if (!ilc__row_exists(md, ILC__T_FIELD, row))
        return ilc__metadata_fail(md, NULL, "there was no Field row %u", row);
    if (!image->fields)
        image->fields =
            ILC__NEW_ARRAY(&image->set->arena, ilc__field *, (size_t)md->tables[ILC__T_FIELD].count + 1);
    if (!image->fields[row]) {
        ilc__field *field = ILC__NEW(&image->set->arena, ilc__field);
        ILC__TRY(read_field(image, row, field));
        image->fields[row] = field;
    }
    *out = image->fields[row];
    return ILC_OK;
}

ilc_status ilc__field_instance(const ilc__field *open, const ilc__generics *generics, const ilc__field **out)
{
    ilc__set *set = open->image->set;
    uintptr_t key[KEY_MAX];
    size_t    size;
    *out = open;
    if (!generics->type_arg_count) return ILC_OK;
    ILC__TRY(key_of(set, open, generics, key, &size));
    if ((*out = ilc__map_get(&set->instances, key, size))) return ILC_OK;
    ilc__field *field = ilc__arena_copy(&set->arena, open, sizeof *open);
    ILC__TRY(ilc__type_substitute(set, open->type, generics, &field->type));
    ilc__map_put(&set->instances, key, size, field);
    *out = field;
    return ILC_OK;
}

/* II.22.18: the size is the type's: a primitive's, or the one its ClassLayout row states (II.22.8). */
static size_t data_size(const ilc__type *type)
{
    ilc_storage storage = ilc__type_storage(type);
    if (storage != ILC_STORAGE_COUNT) return ilc_storage_size(storage);
    if (!type->def) return 0;
    ilc__image           *image = type->def->image;
    const ilc__row_index *index =
        ilc__row_index_of(image, &image->layout_of_type, ILC__T_CLASSLAYOUT, LAYOUT_PARENT, ILC__T_TYPEDEF);
    return ilc__table_get(&image->md, ILC__T_CLASSLAYOUT, index->first[type->def->row], LAYOUT_SIZE);
}

ilc_status ilc__field_data(const ilc__field *field, const uint8_t **bytes, size_t *size)
{
    const ilc__metadata *md = &field->image->md;
    *size = data_size(field->type);
    if (!field->rva || !*size) return ilc__row_fail(md, ILC__T_FIELD, field->row, "it had no data");
    if (!ilc__pe_data(field->image, field->rva, *size, bytes))
        return ilc__row_fail(md, ILC__T_FIELD, field->row, "its data lay outside the file");
    return ILC_OK;
}

ilc_status ilc__image_body_bytes(const ilc__image *image, const ilc__method *method, const uint8_t **bytes,
                                 size_t *size)
{
    ilc__reader r;
    if (!method->rva || !ilc__pe_bytes(image, method->rva, &r))
        return ilc__row_fail(&image->md, ILC__T_METHODDEF, method->row, "its body lay outside the file");
    *bytes = r.at;
    *size = ilc__left(&r);
    return ILC_OK;
}
