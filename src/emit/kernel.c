/* kernel.c - how a method becomes a kernel: index mode from its signature (docs/semantics.md, Kernels). */
#include "emit/internal.h"
#include "il/instance.h"
#include "meta/layout.h"

#include <ctype.h>

const char *ilc__index_mode_name(ilc__index_mode mode)
{
    switch (mode) {
    case ILC__MODE_1D: case ILC__MODE_ELEMENTWISE: return "Grid1D";
    case ILC__MODE_2D: return "Grid2D";
    case ILC__MODE_3D: return "Grid3D";
    default: return "Device";
    }
}

static bool equals(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i]) || !a[i]) return false;
    return a[length] == 0;
}

static bool is_index_type(const ilc__type *type)
{
    return type->kind == ILC__ET_I4 || type->kind == ILC__ET_I8 || type->kind == ILC__ET_U4;
}

enum { NO_PARAM = -1, SEVERAL_PARAMS = -2 };

static int param_among(const ilc__method *method, uint32_t count, const char *name, size_t length)
{
    int found = NO_PARAM;
    for (uint32_t i = 0; i < count; i++) {
        const char *own = method->param_names[i];
        if (strncmp(own, name, length) == 0 && own[length] == 0) return (int)i;
        if (equals(own, name, length)) found = found == NO_PARAM ? (int)i : SEVERAL_PARAMS;
    }
    return found;
}

int ilc__kernel_param(const ilc__method *method, const char *name, size_t length)
{
    return param_among(method, method->sig.param_count, name, length);
}

/* The method's own parameters: what it captures is no index and never read at one. */
static uint32_t own_count(const ilc__method *method)
{
    const ilc__method *origin = ilc__method_origin(method);
    bool               of_struct = method != origin && origin->sig.has_this && ilc__type_is_value(origin->owner->type);
    return origin->sig.param_count + of_struct; /* `this` is the form's first one */
}

static int own_param(const ilc__method *method, const char *name, size_t length)
{
    return param_among(method, own_count(method), name, length);
}

static const ilc__type *by_ref_to(const ilc__type *type)
{
    return type->kind == ILC__ET_BYREF ? type->elem : NULL;
}

/* --- --index i,j ------------------------------------------------------------------------------------------ */

static ilc_status add_named(ilc__context *ctx, const ilc__method *method, const char *name, size_t length,
                            ilc__kernel_spec *out)
{
    ilc__where where = ilc__method_where(method, 0);
    where.has_il = false;
    int param = own_param(method, name, length);
    if (param == SEVERAL_PARAMS)
        return ilc__fail(ctx, ILC_INVALID, &where, "--index names '%.*s': parameters differ from it by case only", (int)length,
                         name);
    if (length == 0 || param == NO_PARAM)
        return ilc__fail(ctx, ILC_INVALID, &where, "--index names '%.*s', which is not a parameter", (int)length, name);
    if (out->index_count == 3) return ilc__fail(ctx, ILC_INVALID, &where, "--index names more than three parameters");
    for (uint32_t d = 0; d < out->index_count; d++)
        if (out->index_params[d] == (uint32_t)param)
            return ilc__fail(ctx, ILC_INVALID, &where, "--index names parameter '%s' twice", method->param_names[param]);
    if (!is_index_type(method->sig.params[param]))
        return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "index '%s' is neither Int32, Int64 nor UInt32 by value",
                         method->param_names[param]);
    out->index_params[out->index_count++] = (uint32_t)param;
    return ILC_OK;
}

/* Every element would write the one place of a by-ref. */
static ilc_status refuse_params(ilc__context *ctx, const ilc__method *method, const ilc__kernel_spec *spec)
{
    ilc__where where = ilc__method_where(method, 0);
    where.has_il = false;
    for (uint32_t i = 0; spec->index_count && i < method->sig.param_count; i++) {
        if (by_ref_to(method->sig.params[i]))
            return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "parameter '%s' is passed by reference in a kernel with an index",
                             method->param_names[i]);
    }
    return ILC_OK;
}

static ilc_status infer_named(ilc__context *ctx, const ilc__method *method, const char *index, ilc__kernel_spec *out)
{
    for (const char *at = index;; at++) {
        size_t length = strcspn(at, ",");
        const char *name = at;
        size_t      size = length;
        while (size && *name == ' ') name++, size--;
        while (size && name[size - 1] == ' ') size--;
        ILC__TRY(add_named(ctx, method, name, size, out));
        at += length;
        if (!*at) break;
    }
    out->mode = out->index_count == 1 ? ILC__MODE_1D : out->index_count == 2 ? ILC__MODE_2D : ILC__MODE_3D;
    return refuse_params(ctx, method, out);
}

/* --- from names ------------------------------------------------------------------------------------------- */

/* The index parameter under either name. Both, or one passed by reference, is refused. */
static ilc_status find_index(ilc__context *ctx, const ilc__method *method, const char *first, const char *second,
                             int *out)
{
    ilc__where where = ilc__method_where(method, 0);
    where.has_il = false;
    const char *names[2] = {first, second};
    *out = NO_PARAM;
    for (int n = 0; n < 2 && names[n]; n++) {
        int param = own_param(method, names[n], strlen(names[n]));
        if (param == NO_PARAM) continue;
        if (param == SEVERAL_PARAMS)
            return ilc__fail(ctx, ILC_UNSUPPORTED, &where,
                             "several parameters are called '%s' but for case; choose the index with --index", names[n]);
        const ilc__type *type = method->sig.params[param], *target = by_ref_to(type);
        if (target && is_index_type(target))
            return ilc__fail(ctx, ILC_UNSUPPORTED, &where,
                             "index '%s' is passed by reference; name the index parameters with --index",
                             method->param_names[param]);
        if (!is_index_type(type)) continue;
        if (*out != NO_PARAM)
            return ilc__fail(ctx, ILC_UNSUPPORTED, &where,
                             "parameters '%s' and '%s' could both be the index; choose with --index",
                             method->param_names[*out], method->param_names[param]);
        *out = param;
    }
    return ILC_OK;
}

/* A number, or a struct of them. */
static bool is_scalar(const ilc__type *type)
{
    ilc_storage storage = ilc__type_storage(type);
    return (ilc__type_is_struct(type) && !ilc__type_span(type)) || (storage != ILC_STORAGE_COUNT && storage != ILC_VOID);
}

/* No index and no array: every parameter is read at the element, and what is passed by reference written there. */
static bool is_elementwise(const ilc__method *method)
{
    bool results = is_scalar(method->sig.ret);
    if (!results && ilc__type_storage(method->sig.ret) != ILC_VOID) return false;
    for (uint32_t i = 0; i < method->sig.param_count; i++) {
        const ilc__type *type = method->sig.params[i], *target = by_ref_to(type);
        if (!is_scalar(target ? target : type)) return false;
        results = results || target;
    }
    return results && own_count(method) > 0 && !method->sig.has_this;
}

/* What an element-wise method captures stays a scalar. */
static void keep_captured(ilc__context *ctx, const ilc__method *method, ilc__kernel_spec *out)
{
    uint32_t own = own_count(method), count = method->sig.param_count;
    if (own == count) return;
    bool *kept = ILC__NEW_ARRAY(&ctx->arena, bool, count);
    for (uint32_t i = own; i < count; i++) kept[i] = true;
    out->kept_scalar = kept;
}

/* --- from rows ---------------------------------------------------------------------------------------------- */

/* The indices of the rows are there by the form, whatever the names of others. */
static ilc_status infer_rows(ilc__context *ctx, const ilc__method *method, const char *index, ilc__kernel_spec *out)
{
    ilc__where where = ilc__method_where(method, 0);
    where.has_il = false;
    if (index) return ilc__fail(ctx, ILC_INVALID, &where, "--index goes without --rows: the rows are the indices");
    out->index_count = method->row_count;
    for (uint32_t d = 0; d < method->row_count; d++) out->index_params[d] = method->row_first + d;
    out->mode = method->row_count == 1 ? ILC__MODE_1D : ILC__MODE_2D;
    return refuse_params(ctx, method, out);
}

ilc_status ilc__kernel_infer(ilc__context *ctx, const ilc__method *method, const char *index, ilc__kernel_spec *out)
{
    bool gives_array = method->sig.ret->kind == ILC__ET_SZARRAY || method->sig.ret->kind == ILC__ET_ARRAY;
    *out = (ilc__kernel_spec){.mode = ILC__MODE_DEVICE};
    if ((index || method->row_count) && gives_array) {
        ilc__where where = ilc__method_where(method, 0);
        where.has_il = false;
        return ilc__fail(ctx, ILC_UNSUPPORTED, &where, "a kernel with a result of type %s", method->sig.ret->name);
    }
    if (method->row_count) return infer_rows(ctx, method, index, out);
    if (index) return infer_named(ctx, method, index, out);
    if (gives_array) return ILC_OK;
    int i, j, k;
    ILC__TRY(find_index(ctx, method, "i", "row", &i));
    ILC__TRY(find_index(ctx, method, "j", "col", &j));
    if (i == NO_PARAM && j != NO_PARAM) {
        ilc__where where = ilc__method_where(method, 0);
        where.has_il = false;
        return ilc__fail(ctx, ILC_UNSUPPORTED, &where,
                         "parameter '%s' is a second index without a first, 'i' or 'row'; choose with --index",
                         method->param_names[j]);
    }
    if (i == NO_PARAM) {
        if (!is_elementwise(method)) return ILC_OK;
        out->mode = ILC__MODE_ELEMENTWISE;
        keep_captured(ctx, method, out);
        return ILC_OK;
    }
    out->index_params[out->index_count++] = (uint32_t)i;
    out->mode = ILC__MODE_1D;
    if (j == NO_PARAM) return refuse_params(ctx, method, out);
    out->index_params[out->index_count++] = (uint32_t)j;
    out->mode = ILC__MODE_2D;
    ILC__TRY(find_index(ctx, method, "k", NULL, &k));
    if (k == NO_PARAM) return refuse_params(ctx, method, out);
    out->index_params[out->index_count++] = (uint32_t)k;
    out->mode = ILC__MODE_3D;
    return refuse_params(ctx, method, out);
}
