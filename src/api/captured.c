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

static ilc_status counted(ilc_method **out, ilc_method *method, const char *index)
{
    ilc__kernel_spec   spec;
    const ilc__method *form;
    ILC__TRY(ilc__kernel_infer(&method->session->ctx, method->def, index, &spec));
    ILC__TRY(ilc__counted_form(method->def, spec.index_params, spec.index_count, &form));
    for (ilc_method *made = method->assembly->counted; made; made = made->next) {
        *out = made;
        if (made->def == form) return ILC_OK;
    }
    ilc_method *made = ilc__method_make(method->assembly, form);
    made->settled = true;
    made->next = method->assembly->counted;
    *out = method->assembly->counted = made;
    return ILC_OK;
}

ilc_status ilc_method_counted(ilc_method **out, ilc_method *method, const char *index)
{
    ILC__LAND(method->session, counted(out, method, index));
}
