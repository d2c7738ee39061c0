/* source.c - methods as VB or C# that a compiler takes. */
#include "api/api.h"

static ilc_status language_of(ilc_session *session, ilc_text form, ilc__language *out)
{
    *out = form == ILC_TEXT_CS ? ILC__LANGUAGE_CS : ILC__LANGUAGE_VB;
    if (form == ILC_TEXT_CS || form == ILC_TEXT_VB) return ILC_OK;
    return ilc__fail(&session->ctx, ILC_INVALID, NULL, "source is VB or C#");
}

static const char *print(ilc_session *session, ilc__write_unit *unit)
{
    ilc__text text = {.arena = &session->scratch};
    ilc__write_unit_print(unit, &text);
    return ilc__arena_strdup(&session->ctx.arena, ilc__text_string(&text));
}

static ilc_status method_source(const char **out, ilc_method *method, ilc_text form)
{
    ilc_session     *session = method->session;
    ilc__language    language;
    const ilc__unit *tree;
    ILC__TRY(language_of(session, form, &language));
    ILC__TRY(ilc__method_unit(method, ILC__FLOATS_EXACT, &tree));
    ilc__write_unit *unit = ilc__write_unit_create(&session->ctx, &session->scratch, language);
    ilc__write_unit_add(unit, tree);
    *out = print(session, unit);
    const char *refusal = ilc__write_unit_refusal(unit, 0);
    ilc__where  where = ilc__method_where(method->def, ILC__ANY_OFFSET);
    if (refusal)
        return ilc__fail(&session->ctx, ILC_UNSUPPORTED, &where, "%s has no words for %s", language == ILC__LANGUAGE_CS ? "C#" : "VB", refusal);
    return ILC_OK;
}

ilc_status ilc_method_source(const char **out, ilc_method *method, ilc_text form)
{
    ILC__LAND(method->session, method_source(out, method, form));
}

static ilc_status assembly_source(const char **out, ilc_assembly *assembly, ilc_text form)
{
    ilc_session  *session = assembly->session;
    ilc__context *ctx = &session->ctx;
    ilc__language language;
    ILC__TRY(language_of(session, form, &language));
    ilc__write_unit *unit = ilc__write_unit_create(ctx, &session->scratch, language);
    for (uint32_t row = 1; row <= assembly->method_count; row++) {
        ilc_method      *method;
        const ilc__unit *tree;
        uint32_t         before = ctx->diags.count;
        ILC__TRY(ilc__assembly_method(assembly, row, &method));
        if (!ilc_method_is_static(method) || !ilc_method_has_body(method) || ilc_method_is_generic(method)) continue;
        if (strcmp(method->def->name, ".cctor") == 0) continue;
        ilc_status status = ilc__method_unit(method, ILC__FLOATS_EXACT, &tree);
        if (status == ILC_OK) ilc__write_unit_add(unit, tree);
        else if (status != ILC_UNSUPPORTED) return status;
        ctx->diags.count = before;
    }
    *out = print(session, unit);
    return ILC_OK;
}

ilc_status ilc_assembly_source(const char **out, ilc_assembly *assembly, ilc_text form)
{
    ILC__LAND(assembly->session, assembly_source(out, assembly, form));
}
