/* callee.c - what a call calls: by `constrained.` a value type's own method (ECMA-335 III.2.1). */
#include "il/il.h"

static bool is_prefix(ilc__opcode op)
{
    return op == ILC__IL_TAIL || op == ILC__IL_READONLY || op == ILC__IL_VOLATILE;
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
    bool               is_call = insn->op == ILC__IL_CALL || insn->op == ILC__IL_CALLVIRT;
    if (is_call && insn->u.call.form) {
        own = insn->u.call.form;
        *out = (ilc__callee){.type_name = own->type_name, .name = own->name, .sig = own->sig, .type = own->owner->type, .def = own};
        return ILC_OK;
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
