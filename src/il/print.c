/* print.c - a body as text: `show --as il`. Names instead of tokens, labels, variables and source lines as
 * comments. A token that cannot be resolved is printed as a number: a listing never fails half-way. */
#include "il/decode.h"

#include <stdio.h>

enum { MNEMONIC_WIDTH = 14, COMMENT_COLUMN = 48, COMMENT_CONTINUES = 2 };

typedef struct printer {
    ilc__context    *ctx;
    ilc__arena      *arena;
    const ilc__body *body;
    ilc__text       *text;
    ilc__point       last; /* the last one whose source was printed */
} printer;

static const char *short_name(const printer *p, const ilc__type *type)
{
    return ilc__type_short_name(p->arena, type);
}

/* --- variables ------------------------------------------------------------------------------------------ */

static bool has_implicit_this(const ilc__method *method)
{
    return method->sig.has_this && !method->sig.explicit_this;
}

static const char *argument_name(const printer *p, uint32_t number)
{
    const ilc__method *method = p->body->method;
    if (has_implicit_this(method)) {
        if (number == 0) return "this";
        number--;
    }
    return number < method->sig.param_count ? method->param_names[number] : NULL;
}

/* A store's scope often starts behind it, so that offset is asked first. */
static const char *local_name(const printer *p, uint32_t number, const ilc__insn *insn)
{
    const char *name = NULL;
    if (insn) name = ilc__debug_local(p->body->method, number, insn->next);
    if (insn && !name) name = ilc__debug_local(p->body->method, number, insn->offset);
    return name ? name : ilc__debug_local(p->body->method, number, ILC__ANY_OFFSET);
}

static const char *variable_name(const printer *p, const ilc__insn *insn)
{
    switch (ilc__opcode_variable(insn->op)) {
    case ILC__VARIABLE_ARG: return argument_name(p, (uint32_t)insn->u.i);
    case ILC__VARIABLE_LOCAL: return local_name(p, (uint32_t)insn->u.i, insn);
    default: return NULL;
    }
}

/* --- operands ------------------------------------------------------------------------------------------- */

static void add_string(ilc__text *text, const char *string)
{
    ilc__text_putc(text, '"');
    for (; *string; string++) {
        uint8_t c = (uint8_t)*string;
        if (c == '"' || c == '\\')
            ilc__text_printf(text, "\\%c", c);
        else if (c == '\n')
            ilc__text_puts(text, "\\n");
        else if (c < 0x20 || c == 0x7F)
            ilc__text_printf(text, "\\u%04x", c);
        else
            ilc__text_putc(text, (char)c);
    }
    ilc__text_putc(text, '"');
}

static void add_types(const printer *p, const ilc__type *const *types, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ilc__text_printf(p->text, "%s%s", i ? "," : "", short_name(p, types[i]));
}

static ilc_status add_callee(const printer *p, uint32_t token)
{
    ilc__callee        callee;
    const ilc__method *method = p->body->method;
    ILC__TRY(ilc__resolve_callee(method->image, token, method, &callee));
    if (callee.sig.has_this) ilc__text_puts(p->text, "instance ");
    ilc__text_printf(p->text, "%s %s.%s", short_name(p, callee.sig.ret),
                     callee.type ? callee.type->name : callee.type_name, callee.name);
    if (callee.def && callee.def->method_arg_count) {
        ilc__text_putc(p->text, '<');
        add_types(p, callee.def->method_args, callee.def->method_arg_count);
        ilc__text_putc(p->text, '>');
    }
    ilc__text_putc(p->text, '(');
    add_types(p, callee.sig.params, callee.sig.param_count);
    ilc__text_putc(p->text, ')');
    return ILC_OK;
}

static ilc_status add_field(const printer *p, uint32_t token)
{
    const ilc__field *field;
    const char       *type_name, *name;
    ILC__TRY(ilc__resolve_field(p->body->method->image, token, p->body->method, &field, &type_name, &name));
    if (field) ilc__text_printf(p->text, "%s ", short_name(p, field->type));
    ilc__text_printf(p->text, "%s.%s", type_name, name);
    return ILC_OK;
}

static ilc_status add_type(const printer *p, uint32_t token)
{
    const ilc__type *type;
    ILC__TRY(ilc__resolve_type(p->body->method->image, token, p->body->method, &type));
    ilc__text_puts(p->text, short_name(p, type));
    return ILC_OK;
}

static ilc_status add_user_string(const printer *p, uint32_t token)
{
    const char *string;
    ILC__TRY(ilc__resolve_string(p->body->method->image, token, &string));
    add_string(p->text, string);
    return ILC_OK;
}

/* ldtoken names a type, a field or a method; a MemberRef may be either of the last two. */
static ilc_status add_any(const printer *p, uint32_t token)
{
    enum { FIELD = 0x04, METHODDEF = 0x06, MEMBERREF = 0x0A, METHODSPEC = 0x2B };
    uint32_t   table = token >> 24, diags = p->ctx->diags.count;
    ilc_status status;
    if (table == METHODDEF || table == METHODSPEC) return add_callee(p, token);
    if (table == FIELD) return add_field(p, token);
    if (table != MEMBERREF) return add_type(p, token);
    status = add_callee(p, token);
    if (status == ILC_OK) return status;
    p->ctx->diags.count = diags;
    return add_field(p, token);
}

static ilc_status add_token(const printer *p, const ilc__insn *insn)
{
    switch (ilc__opcode_operand(insn->op)) {
    case ILC__OPERAND_METHOD: return add_callee(p, insn->u.token);
    case ILC__OPERAND_FIELD: return add_field(p, insn->u.token);
    case ILC__OPERAND_TYPE: return add_type(p, insn->u.token);
    case ILC__OPERAND_STRING: return add_user_string(p, insn->u.token);
    case ILC__OPERAND_TOKEN: return add_any(p, insn->u.token);
    default: break;
    }
    ilc__text_printf(p->text, "0x%08x", insn->u.token);
    return ILC_OK;
}

static void add_targets(const printer *p, const ilc__insn *insn)
{
    bool list = ilc__opcode_operand(insn->op) == ILC__OPERAND_SWITCH;
    if (list) ilc__text_putc(p->text, '(');
    for (uint32_t i = 0; i < insn->u.branch.count; i++)
        ilc__text_printf(p->text, "%sIL_%04x", i ? ", " : "", insn->u.branch.targets[i]);
    if (list) ilc__text_putc(p->text, ')');
}

static void add_r4(const printer *p, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    ilc__text_printf(p->text, "%.9g", (double)value);
    if (value != value) ilc__text_printf(p->text, " (0x%08x)", bits);
}

static void add_r8(const printer *p, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ilc__text_printf(p->text, "%.17g", value);
    if (value != value) ilc__text_printf(p->text, " (0x%016llx)", (unsigned long long)bits);
}

static void add_operand(const printer *p, const ilc__insn *insn)
{
    uint32_t diags = p->ctx->diags.count;
    size_t   length = p->text->length;
    switch (ilc__opcode_operand(insn->op)) {
    case ILC__OPERAND_NONE: return;
    case ILC__OPERAND_I1:
    case ILC__OPERAND_U1:
    case ILC__OPERAND_I4:
    case ILC__OPERAND_I8:
    case ILC__OPERAND_VAR1:
    case ILC__OPERAND_VAR2: ilc__text_printf(p->text, "%lld", (long long)insn->u.i); return;
    case ILC__OPERAND_R4: add_r4(p, insn->u.r4); return;
    case ILC__OPERAND_R8: add_r8(p, insn->u.r8); return;
    case ILC__OPERAND_BR1:
    case ILC__OPERAND_BR4:
    case ILC__OPERAND_SWITCH: add_targets(p, insn); return;
    default: break;
    }
    if (add_token(p, insn) == ILC_OK) return;
    p->ctx->diags.count = diags;
    p->text->length = length;
    ilc__text_printf(p->text, "0x%08x", insn->u.token);
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static void add_insn(printer *p, const ilc__insn *insn)
{
    ilc__source_comment(p->text, "    //", p->body->method, insn->offset, &p->last);
    size_t start = p->text->length;
    ilc__text_printf(p->text, "    IL_%04x: ", insn->offset);
    if (ilc__opcode_operand(insn->op) == ILC__OPERAND_NONE)
        ilc__text_puts(p->text, ilc__opcode_name(insn->op));
    else
        ilc__text_printf(p->text, "%-*s ", MNEMONIC_WIDTH, ilc__opcode_name(insn->op));
    add_operand(p, insn);
    const char *name = variable_name(p, insn);
    if (name) {
        size_t width = p->text->length - start;
        int    gap =
            width + COMMENT_CONTINUES < COMMENT_COLUMN ? (int)(COMMENT_COLUMN - width) : COMMENT_CONTINUES;
        ilc__text_printf(p->text, "%*s// %s", gap, "", name);
    }
    ilc__text_putc(p->text, '\n');
}

void ilc__insn_print(ilc__context *ctx, ilc__arena *arena, const ilc__body *body, const ilc__insn *insn, ilc__text *out)
{
    printer     p = {.ctx = ctx, .arena = arena, .body = body, .text = out};
    const char *name = variable_name(&p, insn);
    ilc__text_puts(out, ilc__opcode_name(insn->op));
    if (name || ilc__opcode_operand(insn->op) != ILC__OPERAND_NONE) ilc__text_putc(out, ' ');
    if (name) ilc__text_puts(out, name);
    else add_operand(&p, insn);
}

static void add_header(const printer *p)
{
    const ilc__method *method = p->body->method;
    ilc__text_printf(p->text, ".method %s%s %s.%s",
                     method->flags & ILC__METHOD_STATIC ? "static " : "instance ",
                     short_name(p, method->sig.ret), method->type_name, method->name);
    if (method->method_arg_count) {
        ilc__text_putc(p->text, '<');
        add_types(p, method->method_args, method->method_arg_count);
        ilc__text_putc(p->text, '>');
    }
    ilc__text_putc(p->text, '(');
    for (uint32_t i = 0; i < method->sig.param_count; i++)
        ilc__text_printf(p->text, "%s%s %s", i ? ", " : "", short_name(p, method->sig.params[i]),
                         method->param_names[i]);
    ilc__text_puts(p->text, ")\n{\n");
}

static void add_locals(const printer *p)
{
    const ilc__body *body = p->body;
    ilc__text_printf(p->text, "    .maxstack %u\n", body->max_stack);
    if (!body->local_count) return;
    ilc__text_printf(p->text, "    .locals%s (\n", body->init_locals ? " init" : "");
    for (uint32_t i = 0; i < body->local_count; i++) {
        const char *name = local_name(p, i, NULL);
        ilc__text_printf(p->text, "        [%u] %s%s", i, short_name(p, body->locals[i]),
                         body->pinned[i] ? " pinned" : "");
        if (name)
            ilc__text_printf(p->text, " %s", name);
        else
            ilc__text_printf(p->text, " V_%u", i);
        ilc__text_puts(p->text, i + 1 < body->local_count ? ",\n" : ")\n");
    }
}

static void add_clause(const printer *p, const ilc__clause *clause)
{
    static const char *const kinds[] = {"catch", "filter", "finally", "", "fault"};
    ilc__text_printf(p->text, "    .try IL_%04x to IL_%04x %s", clause->try_start, clause->try_end,
                     kinds[clause->kind]);
    if (clause->kind == 0) {
        uint32_t diags = p->ctx->diags.count;
        ilc__text_putc(p->text, ' ');
        if (add_type(p, clause->class_token) != ILC_OK) {
            p->ctx->diags.count = diags;
            ilc__text_printf(p->text, "0x%08x", clause->class_token);
        }
    }
    if (clause->kind == 1) ilc__text_printf(p->text, " IL_%04x", clause->filter_start);
    ilc__text_printf(p->text, " handler IL_%04x to IL_%04x\n", clause->handler_start, clause->handler_end);
}

ilc_status ilc__body_print(ilc__context *ctx, ilc__arena *arena, const ilc__body *body, ilc__text *out)
{
    printer p = {.ctx = ctx, .arena = arena, .body = body, .text = out};
    add_header(&p);
    add_locals(&p);
    for (uint32_t i = 0; i < body->insn_count; i++)
        add_insn(&p, &body->insns[i]);
    for (uint32_t i = 0; i < body->clause_count; i++)
        add_clause(&p, &body->clauses[i]);
    ilc__text_puts(out, "}\n");
    return ILC_OK;
}
