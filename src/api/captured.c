/* captured.c - forms of methods (il/instance.h) for callers: which fields parameters stand for, and indices that begin
 * elsewhere than at 0. */
#include "api/api.h"

#include "il/instance.h"

/* The form whose parameters stand for fields; NULL where none does. */
static const ilc__method *capturing(const ilc_method *method)
{
    const ilc__method *def = method->def;
    while (def && !def->captured_count) def = def->form_of;
    return def;
}

uint32_t ilc_method_captured_count(const ilc_method *method)
{
    const ilc__method *form = capturing(method);
    return form ? form->captured_count : 0;
}

ilc_status ilc_method_captured(ilc_captured *out, const ilc_method *method, uint32_t param, uint32_t step)
{
    const ilc__method *form = capturing(method);
    uint32_t           first = form ? form->sig.param_count - form->captured_count : 0;
    if (!form || param < first || param - first >= form->captured_count) return ILC_NOT_FOUND;
    const ilc__captured *captured = &form->captured[param - first];
    if (step >= captured->length) return ILC_NOT_FOUND;
    const ilc__field *field = captured->path[step];
    *out = (ilc_captured){.name = field->name,
                          .type = field->owner->type->name,
                          .assembly = ilc__image_name(field->image),
                          .token = 0x04000000u | field->row};
    return ILC_OK;
}

static ilc_status give(ilc_method **out, ilc_method *method, const ilc__method *form)
{
    *out = ilc__method_of(method->assembly, form);
    (*out)->settled = true;
    return ILC_OK;
}

static ilc_status counted(ilc_method **out, ilc_method *method, const char *index)
{
    ilc__kernel_spec   spec;
    const ilc__method *form;
    ILC__TRY(ilc__kernel_infer(&method->session->ctx, method->def, index, &spec));
    if (method->def->row_count) return ilc__fail(&method->session->ctx, ILC_INVALID, NULL, "the indices of rows begin at 0");
    ILC__TRY(ilc__counted_form(method->def, spec.index_params, spec.index_count, &form));
    return give(out, method, form);
}

static ilc_status by_rows(ilc_method **out, ilc_method *method, const char *rows)
{
    enum { MOST = 2 };
    ilc__context      *ctx = &method->session->ctx;
    const ilc__method *form;
    uint32_t           params[MOST], count = 0;
    if (method->def->row_count) return ilc__fail(ctx, ILC_INVALID, NULL, "%s is by rows already", method->def->full_name);
    for (const char *at = rows; *at || !count; at += *at == ',') {
        at += strspn(at, " ");
        size_t length = strcspn(at, ", ");
        if (count == MOST) return ilc__fail(ctx, ILC_INVALID, NULL, "--rows names more than two parameters of %s", method->def->full_name);
        ILC__TRY(ilc__method_param_named(method, at, length, &params[count]));
        if (count && params[0] == params[1])
            return ilc__fail(ctx, ILC_INVALID, NULL, "--rows names parameter '%s' twice", method->def->param_names[params[0]]);
        count++;
        at += length;
        at += strspn(at, " ");
    }
    ILC__TRY(ilc__rows_form(method->def, params, count, &form));
    return give(out, method, form);
}

ilc_status ilc__method_rows_as(ilc_method **out, ilc_method *method, const ilc_method *other)
{
    const ilc__method *form;
    *out = method;
    if (!other->def->row_count) return ILC_OK;
    ILC__TRY(ilc__rows_form(method->def, other->def->rows, other->def->row_count, &form));
    return give(out, method, form);
}

ilc_status ilc_method_by_rows(ilc_method **out, ilc_method *method, const char *rows)
{
    ILC__LAND(method->session, by_rows(out, method, rows));
}

ilc_status ilc_method_counted(ilc_method **out, ilc_method *method, const char *index)
{
    ILC__LAND(method->session, counted(out, method, index));
}
