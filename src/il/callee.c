/* callee.c - what a call calls: by `constrained.` a value type's own method (ECMA-335 III.2.1). */
#include "il/il.h"

#include "meta/image.h"
#include "meta/layout.h"

static bool is_prefix(ilc__opcode op)
{
    return op == ILC__IL_TAIL || op == ILC__IL_READONLY || op == ILC__IL_VOLATILE;
}

ilc_status ilc__body_type(const ilc__body *body, const ilc__insn *insn, const ilc__type **out)
{
    *out = insn->u.named.type;
    return *out ? ILC_OK : ilc__resolve_type(body->method->image, insn->u.token, body->method, out);
}

ilc_status ilc__body_string(const ilc__body *body, const ilc__insn *insn, const char **out)
{
    *out = insn->u.named.text;
    return *out ? ILC_OK : ilc__resolve_string(body->method->image, insn->u.token, out);
}

/* The token of the constrained. before it; 0 where there is none. */
static uint32_t constraint_of(const ilc__body *body, const ilc__insn *insn)
{
    while (insn > body->insns && is_prefix(insn[-1].op)) insn--;
    return insn > body->insns && insn[-1].op == ILC__IL_CONSTRAINED ? insn[-1].u.token : 0;
}

ilc_status ilc__body_callee(const ilc__body *body, const ilc__insn *insn, ilc__callee *out)
{
    const ilc__method *method = body->method, *own;
    const ilc__type   *type;
    bool is_call = insn->op == ILC__IL_CALL || insn->op == ILC__IL_CALLVIRT || insn->op == ILC__IL_NEWOBJ;
    if (is_call && insn->u.call.form) {
        own = insn->u.call.form;
        *out = (ilc__callee){.type_name = own->type_name, .name = own->name, .sig = own->sig, .def = own};
        return ilc__method_this_type(own, &out->type);
    }
    ILC__TRY(ilc__resolve_callee(method->image, insn->u.token, method, out));
    uint32_t token = constraint_of(body, insn);
    if (!token) return ILC_OK;
    ILC__TRY(ilc__resolve_type(method->image, token, method, &type));
    ILC__TRY(ilc__method_implementing(type, out, &own));
    if (!own) return ILC_OK; /* what is called then has no body of a value type: refused by name */
    *out = (ilc__callee){.type_name = own->type_name, .name = own->name, .sig = own->sig, .type = type, .def = own};
    return ILC_OK;
}

/* --- whose meaning it is ---------------------------------------------------------------------------------- */

enum { TAG_BITS = 5 }; /* II.24.2.6, HasCustomAttribute: of a method 0 */

static bool calls_itself(const ilc__body *body)
{
    for (uint32_t i = 0; i < body->insn_count; i++) {
        ilc__callee callee;
        bool        is_call = body->insns[i].op == ILC__IL_CALL || body->insns[i].op == ILC__IL_CALLVIRT;
        if (is_call && ilc__resolve_callee(body->method->image, body->insns[i].u.token, body->method, &callee) == ILC_OK &&
            callee.def && callee.def->image == body->method->image && callee.def->row == body->method->row)
            return true;
    }
    return false;
}

static bool only_throws(const ilc__body *body)
{
    for (uint32_t i = 0; i < body->insn_count; i++)
        if (ilc__opcode_flow(body->insns[i].op) == ILC__FLOW_RETURN) return false;
    return true;
}

bool ilc__method_is_runtimes(ilc__context *ctx, ilc__arena *arena, const ilc__method *method)
{
    ilc__body body;
    uint32_t  diags = ctx->diags.count;
    if (!ilc__image_is_framework(method->image) ||
        !ilc__attribute_find(method->image, method->row << TAG_BITS, "IntrinsicAttribute"))
        return false;
    bool is = ilc__body_decode(ctx, arena, method, &body) != ILC_OK || calls_itself(&body) || only_throws(&body);
    ctx->diags.count = diags;
    return is;
}
