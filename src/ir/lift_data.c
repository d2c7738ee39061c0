/* lift_data.c - data that the assembly has for literals, read in place: RuntimeHelpers.CreateSpan, ldsflda of a field with
 * data, and properties that give a span of it. */
#include "ir/lift.h"

ilc_status ilc__lift_field_data(ilc__lift *l, const ilc__field *field, ilc__lift_slot *span)
{
    const ilc__static *table;
    ilc__where         where = ilc__method_where(l->method, l->insn->offset);
    if (span->layout) return ilc__lift_refuse(l, ILC_UNSUPPORTED, "data as a span of %s", span->layout->name);
    ILC__TRY(ilc__static_data(l->unit->statics, field, span->elem, &where, &table));
    span->ref = ilc__lift_span_value(l, ILC__OP_SPANOF, span, 1, ilc__lift_table(l, table), 0, 0);
    return ILC_OK;
}

/* Nothing writes there: compilers name such fields themselves. */
static bool is_literal(const ilc__field *field)
{
    return field->rva && strncmp(field->owner->name, "<PrivateImplementationDetails>", 30) == 0;
}

ilc_status ilc__lift_static_address(ilc__lift *l)
{
    const ilc__field  *field;
    const ilc__static *table;
    const char        *type_name, *name;
    ilc__where         where = ilc__method_where(l->method, l->insn->offset);
    ILC__TRY(ilc__resolve_field(l->method->image, l->insn->u.token, l->method, &field, &type_name, &name));
    if (!field || !is_literal(field)) return ilc__lift_refuse(l, ILC_UNSUPPORTED, "ldsflda of %s.%s", type_name, name);
    ILC__TRY(ilc__static_data(l->unit->statics, field, ILC_U8, &where, &table));
    ilc__lift_slot bytes = {.type = ILC__IR_REF, .elem = ILC_U8};
    ilc__ref       addr = ilc__lift_span_value(l, ILC__OP_DATAADDR, &bytes, 1, ilc__lift_table(l, table), 0, 0);
    ILC__TRY(ilc__lift_push_addr(l, addr, ILC_U8, NULL));
    l->stack[l->depth - 1].is_pointer = true;
    return ILC_OK;
}

/* --- properties ------------------------------------------------------------------------------------------- */

typedef struct data { /* what such a property gives: all of the field's data, or `length` bytes */
    const ilc__field *field;
    int64_t           length; /* -1: all */
} data;

static bool int_of(const ilc__insn *insn, int64_t *out)
{
    if (insn->op >= ILC__IL_LDC_I4_0 && insn->op <= ILC__IL_LDC_I4_8) *out = (int64_t)insn->op - ILC__IL_LDC_I4_0;
    else if (insn->op == ILC__IL_LDC_I4_S || insn->op == ILC__IL_LDC_I4) *out = (int32_t)insn->u.i;
    else return false;
    return true;
}

/* `ldtoken field; call CreateSpan; ret` or `ldsflda field; ldc length; newobj ReadOnlySpan(void*, int); ret` */
static bool read_body(ilc__lift *l, const ilc__method *method, data *out)
{
    ilc__body        body;
    ilc__callee      made;
    const char      *type_name, *name;
    ilc__context    *ctx = l->func->ctx;
    const ilc__insn *at;
    if (ilc__body_decode(ctx, l->arena, method, &body) != ILC_OK) return false;
    at = body.insns;
    uint32_t left = body.insn_count;
    while (left && at->op == ILC__IL_NOP) at++, left--;
    bool is_token = left == 3 && at->op == ILC__IL_LDTOKEN && at[1].op == ILC__IL_CALL && at->u.token >> 24 == 4;
    bool is_bytes = left == 4 && at->op == ILC__IL_LDSFLDA && at[2].op == ILC__IL_NEWOBJ;
    if ((!is_token && !is_bytes) || at[left - 1].op != ILC__IL_RET) return false;
    out->length = -1;
    if (is_bytes && !int_of(&at[1], &out->length)) return false;
    if (ilc__body_callee(&body, &at[left - 2], &made) != ILC_OK) return false;
    if (ilc__resolve_field(method->image, at->u.token, method, &out->field, &type_name, &name) != ILC_OK || !out->field) return false;
    if (is_token) return strcmp(made.name, "CreateSpan") == 0 && strcmp(made.type_name, "System.Runtime.CompilerServices.RuntimeHelpers") == 0;
    return made.type && ilc__type_span(made.type) && is_literal(out->field);
}

static bool find(ilc__lift *l, const ilc__callee *callee, data *out)
{
    const ilc__method *def = callee->def;
    if (!def || callee->sig.param_count || callee->sig.has_this || !ilc__type_span(callee->sig.ret) || !def->rva) return false;
    uint32_t before = l->func->ctx->diags.count;
    bool     found = read_body(l, def, out);
    l->func->ctx->diags.count = before;
    return found;
}

bool ilc__lift_is_data(ilc__lift *l, const ilc__callee *callee)
{
    data of;
    return find(l, callee, &of);
}

ilc_status ilc__lift_data(ilc__lift *l, const ilc__callee *callee)
{
    data           of;
    ilc__lift_slot span;
    if (!find(l, callee, &of)) return ilc__lift_refuse(l, ILC_UNSUPPORTED, "call to %s.%s", callee->type_name, callee->name);
    ILC__TRY(ilc__lift_span_element(l, callee->sig.ret, &span));
    ILC__TRY(ilc__lift_field_data(l, of.field, &span));
    if (of.length >= 0)
        span.ref = ilc__lift_span_value(l, ILC__OP_SPAN, &span, 3, span.ref, ilc__lift_const(l, ILC__IR_I32, 0), ilc__lift_const(l, ILC__IR_I32, (uint64_t)of.length));
    return ilc__lift_push(l, span);
}
