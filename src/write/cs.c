/* cs.c - C#: its operators, types, literals and statements. */
#include <stdio.h>

#include "write/internal.h"

enum { /* loosest first */
    CHOICE = 1, OR_ELSE, AND_ALSO, BIT_OR, BIT_XOR, BIT_AND, EQUALITY, RELATION, SHIFTED, SUM, PRODUCT, UNARY, PRIMARY
};

static const char keywords[] =
    " abstract as base bool break byte case catch char checked class const continue decimal default delegate do double "
    "else enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal "
    "is lock long namespace new null object operator out override params private protected public readonly ref return "
    "sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked "
    "unsafe ushort using virtual void volatile while ";

/* ECMA-334 12.4.7: binary numeric promotion. */
static ilc_storage promote(ilc__operator opr, ilc_storage x, ilc_storage y)
{
    if (ilc__is_native(x) || ilc__is_native(y)) return ILC_VOID; /* said in Int64 */
    if (opr == ILC__OPR_SHL || opr == ILC__OPR_SHR) return ilc__is_small(x) ? ILC_I32 : x;
    if (x == ILC_F64 || y == ILC_F64) return ILC_F64;
    if (x == ILC_F32 || y == ILC_F32) return ILC_F32;
    bool signs = !ilc__is_unsigned(x) || !ilc__is_unsigned(y);
    if (x == ILC_U64 || y == ILC_U64) return signs ? ILC_VOID : ILC_U64;
    if (x == ILC_I64 || y == ILC_I64) return ILC_I64;
    if (x == ILC_U32 || y == ILC_U32) return signs ? ILC_I64 : ILC_U32;
    return ILC_I32;
}

static bool widens(ilc_storage from, ilc_storage to)
{
    if (from == ILC_BOOL || to == ILC_BOOL || to == ILC_CHAR) return false;
    if (from == ILC_F32) return to == ILC_F64;
    if (ilc__is_float(to)) return ilc__is_integer(from) && !ilc__is_native(from);
    if (ilc__is_native(to) && ilc__bits_of(from) == 64) return from == to;
    return ilc__holds(to, from) && !(to == ILC_INT && from == ILC_U32);
}

static bool is_keyword(const char *name)
{
    char   word[24];
    size_t length = strlen(name);
    if (length + 3 > sizeof word) return false;
    snprintf(word, sizeof word, " %s ", name);
    return strstr(keywords, word) != NULL;
}

static void put_name(ilc__text *out, const char *name)
{
    if (is_keyword(name)) ilc__text_putc(out, '@');
    ilc__text_puts(out, name);
}

static void put_scalar(ilc__writer *w, ilc__wtype type)
{
    if (type.is_string) ilc__text_puts(w->out, "string");
    else if (!type.layout) ilc__text_puts(w->out, ilc__syntax_cs.type_names[type.storage]);
    else if (ilc__is_tuple(type.layout) && type.layout->field_count > 1 && type.layout->field_count < 8) {
        for (uint32_t i = 0; i < type.layout->field_count; i++) {
            const ilc__layout_field *f = &type.layout->fields[i];
            ilc__text_puts(w->out, i ? ", " : "(");
            put_scalar(w, (ilc__wtype){.storage = f->storage, .layout = f->layout});
        }
        ilc__text_putc(w->out, ')');
        ilc__use_struct(w->names, type.layout);
    } else {
        ilc__put_struct_name(w, type.layout);
    }
}

static void put_type(ilc__writer *w, ilc__wtype type)
{
    if (type.is_span) ilc__text_puts(w->out, type.is_readonly ? "System.ReadOnlySpan<" : "System.Span<");
    put_scalar(w, type);
    if (type.is_pointer) {
        w->is_unsafe = true;
        ilc__text_putc(w->out, '*');
    }
    if (type.is_span) ilc__text_putc(w->out, '>');
    else if (type.dims) ilc__text_puts(w->out, type.dims == 3 ? "[,,]" : type.dims == 2 ? "[,]" : "[]");
    for (uint32_t i = 0; type.dims && i < type.nested; i++) ilc__text_puts(w->out, "[]");
}

/* --- literals ---------------------------------------------------------------------------------------------------------- */

static void put_char(ilc__text *out, uint32_t c)
{
    if (c == '\'' || c == '\\') ilc__text_printf(out, "'\\%c'", (char)c);
    else if (c >= 0x20 && c < 0x7f) ilc__text_printf(out, "'%c'", (char)c);
    else ilc__text_printf(out, "'\\u%04x'", (unsigned)c);
}

static void put_literal(ilc__writer *w, const ilc__term *t, bool bare)
{
    ilc__text *out = w->out;
    int64_t    value = (int64_t)t->bits;
    switch (t->type.storage) {
    case ILC_VOID: ilc__text_puts(out, "null"); return;
    case ILC_BOOL: ilc__text_puts(out, t->bits ? "true" : "false"); return;
    case ILC_CHAR: put_char(out, (uint32_t)t->bits); return;
    case ILC_F32: case ILC_F64: ilc__put_float(w, t); return;
    case ILC_UINT: ilc__text_printf(out, "unchecked((nuint)%lluUL)", (unsigned long long)t->bits); return;
    case ILC_INT: ilc__text_printf(out, value == INT64_MIN ? "unchecked((nint)long.MinValue)" : "unchecked((nint)(%lldL))", (long long)value); return;
    case ILC_U64: ilc__text_printf(out, bare ? "%llu" : "%lluUL", (unsigned long long)t->bits); return;
    case ILC_U32: ilc__text_printf(out, bare ? "%u" : "%uU", (unsigned)t->bits); return;
    case ILC_I64:
        if (value == INT64_MIN) ilc__text_puts(out, "long.MinValue");
        else ilc__text_printf(out, bare ? "%lld" : "%lldL", (long long)value);
        return;
    default:
        if (value == INT32_MIN) ilc__text_puts(out, "int.MinValue");
        else if (value == INT32_MAX) ilc__text_puts(out, "int.MaxValue");
        else ilc__text_printf(out, "%lld", (long long)value);
    }
}

static void put_text(ilc__text *out, const char *text)
{
    ilc__text_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') ilc__text_printf(out, "\\%c", *text);
        else if (*text == '\n') ilc__text_puts(out, "\\n");
        else if (*text == '\r') ilc__text_puts(out, "\\r");
        else if (*text == '\t') ilc__text_puts(out, "\\t");
        else if ((unsigned char)*text < 0x20) ilc__text_printf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else ilc__text_putc(out, *text);
    }
    ilc__text_putc(out, '"');
}

/* --- expressions -------------------------------------------------------------------------------------------------------- */

static void put_cast(ilc__writer *w, const ilc__term *t)
{
    const ilc__term *x = t->args[0];
    ilc__text_putc(w->out, '(');
    put_type(w, t->type);
    ilc__text_putc(w->out, ')');
    /* (Point*)-x would read as a difference */
    bool word = ilc__is_scalar(t->type) && !ilc__is_native(t->type.storage);
    bool minus = (x->kind == ILC__W_LITERAL || x->kind == ILC__W_UNARY) && !word;
    ilc__put(w, x, minus ? PRIMARY : UNARY);
}

static uint8_t cast_level(ilc__writer *w, const ilc__term *t)
{
    (void)w;
    (void)t;
    return UNARY;
}

static const char *helper_for(ilc__writer *w, const ilc__term *t)
{
    (void)w;
    (void)t;
    return NULL;
}

static void put_choice(ilc__writer *w, const ilc__term *t)
{
    ilc__put(w, t->args[0], CHOICE + 1);
    ilc__text_puts(w->out, " ? ");
    ilc__put(w, t->args[1], CHOICE);
    ilc__text_puts(w->out, " : ");
    ilc__put(w, t->args[2], CHOICE);
}

static void put_new_array(ilc__writer *w, const ilc__term *t)
{
    ilc__text_puts(w->out, "new ");
    put_scalar(w, t->type);
    if (t->arg_count > 1) {
        ilc__text_puts(w->out, "[] { ");
        ilc__put_elements(w, t);
        ilc__text_puts(w->out, " }");
        return;
    }
    ilc__text_putc(w->out, '[');
    ilc__put(w, t->args[0], ILC__LEVEL_NONE);
    ilc__text_putc(w->out, ']');
}

static void put_default(ilc__writer *w, const ilc__term *t)
{
    (void)t;
    ilc__text_puts(w->out, "default");
}

/* --- statements ----------------------------------------------------------------------------------------------------------- */

static void end(ilc__writer *w)
{
    ilc__text_puts(w->out, ";\n");
}

static void open(ilc__writer *w)
{
    ilc__text_putc(w->out, '\n');
    ilc__put_line(w, "{");
}

static void put_param(ilc__writer *w, const ilc__var *var, uint32_t index)
{
    bool by_ref = ilc__is_by_ref(w->func, var);
    if (by_ref) ilc__text_puts(w->out, "ref ");
    put_type(w, ilc__var_type(w->func, var));
    ilc__text_printf(w->out, " %s", w->var_names[index]);
}

static void put_head(ilc__writer *w)
{
    const ilc__func *f = w->func;
    bool             instance = ilc__is_instance(f);
    const char      *comma = "";
    ilc__text        params = {.arena = w->arena}, *out = w->out;
    w->out = &params;
    for (uint32_t i = instance; i < ilc__arg_count(f); i++) {
        ilc__text_puts(w->out, comma);
        comma = ", ";
        put_param(w, f->vars.items[i], i);
    }
    w->out = out;
    ilc__begin_line(w);
    ilc__operator opr;
    bool          is_operator = ilc__is_operator(w->names, f, &opr);
    if (w->in_unit || is_operator) ilc__text_puts(out, "public ");
    if (!instance) ilc__text_puts(out, "static ");
    if (w->is_unsafe) ilc__text_puts(out, "unsafe ");
    if (f->ret_to) ilc__text_puts(out, "ref ");
    put_type(w, ilc__result_type(f));
    ilc__text_putc(out, ' ');
    if (is_operator) {
        const char *text = ilc__syntax_cs.operators[opr].text;
        ilc__text_printf(out, "operator %.1s", text + (*text == ' '));
    } else {
        put_name(out, ilc__func_name(w->names, f));
    }
    ilc__text_printf(out, "(%s)\n", ilc__text_string(&params));
    ilc__put_line(w, "{");
}

static void put_tail(ilc__writer *w)
{
    ilc__put_line(w, "}");
}

static void put_zero(ilc__writer *w, const ilc__var *var)
{
    ilc__wtype type = ilc__var_type(w->func, var);
    if (!ilc__is_scalar(type) || ilc__is_native(type.storage)) {
        ilc__text_puts(w->out, type.dims || type.is_pointer || type.is_string ? "null" : "default");
        return;
    }
    put_literal(w, ilc__term_literal(w, type.storage, 0), true);
}

static void put_declaration(ilc__writer *w, const ilc__var *var, const ilc__term *value, bool zero)
{
    ilc__wtype type = ilc__var_type(w->func, var);
    if (ilc__is_by_ref(w->func, var) && !(var->is_param && ilc__is_result(w->func, var))) { /* bound later */
        ilc__text_puts(w->out, "ref ");
        put_type(w, type);
        ilc__text_printf(w->out, " %s = ref Unsafe.NullRef<", w->var_names[var->index]);
        put_type(w, type);
        ilc__text_puts(w->out, ">();\n");
        return;
    }
    put_type(w, type);
    ilc__text_printf(w->out, " %s", w->var_names[var->index]);
    if (var->is_slot && var->is_array) {
        ilc__text_puts(w->out, " = stackalloc ");
        put_type(w, ilc__scalar(type.storage));
        ilc__text_printf(w->out, "[%u];\n", var->count);
        return;
    }
    if (value) {
        ilc__text_puts(w->out, " = ");
        ilc__put_value(w, value, type);
    } else if (zero && !ilc__assigned_first(w, var)) {
        ilc__text_puts(w->out, " = ");
        put_zero(w, var);
    }
    end(w);
}

static void put_assign(ilc__writer *w, const ilc__term *place, const ilc__term *value)
{
    ilc__put(w, place, ILC__LEVEL_NONE);
    ilc__text_puts(w->out, " = ");
    ilc__put_value(w, value, place->type);
    end(w);
}

static void put_compound(ilc__writer *w, const ilc__term *place, ilc__operator opr, const ilc__term *value)
{
    bool one = value->kind == ILC__W_LITERAL && !ilc__is_float(value->type.storage) && value->bits == 1;
    ilc__put(w, place, ILC__LEVEL_NONE);
    if (one && (opr == ILC__OPR_ADD || opr == ILC__OPR_SUB)) {
        ilc__text_puts(w->out, opr == ILC__OPR_ADD ? "++" : "--");
    } else {
        const char *text = ilc__syntax_cs.operators[opr].text;
        ilc__text_printf(w->out, "%.*s= ", (int)strlen(text) - 1, text);
        ilc__put_value(w, value, place->type);
    }
    end(w);
}

static void put_bind(ilc__writer *w, const ilc__var *var, const ilc__term *place, bool declares)
{
    if (declares) {
        ilc__text_puts(w->out, "ref ");
        put_type(w, ilc__var_type(w->func, var));
        ilc__text_putc(w->out, ' ');
    }
    ilc__text_printf(w->out, "%s = ref ", w->var_names[var->index]);
    /* A local lives as long as its method; C# sees its block alone. */
    const ilc__term *base = place;
    while (base->kind == ILC__W_MEMBER && !base->args[0]->type.is_pointer) base = base->args[0];
    bool narrow = !declares && base->kind == ILC__W_NAME;
    if (narrow) ilc__text_puts(w->out, "Unsafe.AsRef(ref ");
    ilc__put_place(w, place);
    if (narrow) ilc__text_putc(w->out, ')');
    end(w);
}

static void put_drop(ilc__writer *w, const ilc__term *value)
{
    if (value->kind != ILC__W_CALL && value->kind != ILC__W_HELPER) ilc__text_puts(w->out, "_ = ");
    ilc__put(w, value, ILC__LEVEL_NONE);
    end(w);
}

static void put_if(ilc__writer *w, const ilc__term *truth, bool again)
{
    ilc__text_puts(w->out, again ? "else if (" : "if (");
    ilc__put(w, truth, ILC__LEVEL_NONE);
    ilc__text_putc(w->out, ')');
    open(w);
}

static void put_close(ilc__writer *w)
{
    ilc__put_line(w, "}");
}

static void put_else(ilc__writer *w)
{
    put_close(w);
    ilc__put_line(w, "else");
    ilc__put_line(w, "{");
}

static void put_while(ilc__writer *w, const ilc__term *truth)
{
    ilc__text_puts(w->out, "while (");
    if (truth) ilc__put(w, truth, ILC__LEVEL_NONE);
    else ilc__text_puts(w->out, "true");
    ilc__text_putc(w->out, ')');
    open(w);
}

static void put_end_while(ilc__writer *w, bool forever)
{
    (void)forever;
    put_close(w);
}

static void put_do(ilc__writer *w)
{
    ilc__text_puts(w->out, "do");
    open(w);
}

static void put_end_do(ilc__writer *w, const ilc__term *truth)
{
    ilc__text_puts(w->out, "} while (");
    ilc__put(w, truth, ILC__LEVEL_NONE);
    ilc__text_puts(w->out, ");\n");
}

static void put_step(ilc__writer *w, const ilc__stmt *s)
{
    const char *name = w->var_names[s->var->index];
    bool        constant = s->c->kind == ILC__EX_CONST;
    int64_t     by = !constant ? 0 : s->c->type == ILC__IR_I64 ? (int64_t)s->c->u.bits : (int32_t)(uint32_t)s->c->u.bits;
    bool        whole = s->var->storage == ILC_I32 || s->var->storage == ILC_I64 || s->var->storage == ILC_U32 || s->var->storage == ILC_U64;
    if (ilc__steps_plainly(w, s) && constant && whole && by > INT32_MIN && by <= INT32_MAX && by != 0 &&
        (by > 0 || !ilc__is_unsigned(s->var->storage))) {
        if (by == 1 || by == -1) ilc__text_printf(w->out, "%s%s", name, by > 0 ? "++" : "--");
        else ilc__text_printf(w->out, "%s %c= %lld", name, by > 0 ? '+' : '-', (long long)(by > 0 ? by : -by));
        return;
    }
    ilc__text_printf(w->out, "%s = ", name);
    ilc__put(w, ilc__for_next(w, s), ILC__LEVEL_NONE);
}

static bool has_for(ilc__writer *w, const ilc__stmt *s)
{
    return s->ends != ILC__FOR_AT_LIMIT || !w->in_unit;
}

static void put_for(ilc__writer *w, const ilc__stmt *s, bool declares, const ilc__term *from)
{
    ilc__text_puts(w->out, "for (");
    if (declares) {
        put_type(w, ilc__var_type(w->func, s->var));
        ilc__text_putc(w->out, ' ');
    }
    ilc__text_printf(w->out, "%s = ", w->var_names[s->var->index]);
    ilc__put_value(w, from, ilc__var_type(w->func, s->var));
    ilc__text_puts(w->out, "; ");
    ilc__put(w, ilc__for_test(w, s), ILC__LEVEL_NONE);
    ilc__text_puts(w->out, "; ");
    put_step(w, s);
    ilc__text_putc(w->out, ')');
    open(w);
}

static void put_each(ilc__writer *w, const ilc__var *var, bool declares, const ilc__term *array)
{
    (void)declares; /* it always does */
    ilc__text_puts(w->out, "foreach (");
    put_type(w, ilc__var_type(w->func, var));
    ilc__text_printf(w->out, " %s in ", w->var_names[var->index]);
    ilc__put(w, array, ILC__LEVEL_NONE);
    ilc__text_putc(w->out, ')');
    open(w);
}

static void put_switch(ilc__writer *w, const ilc__term *value)
{
    ilc__text_puts(w->out, "switch (");
    ilc__put(w, value, ILC__LEVEL_NONE);
    ilc__text_putc(w->out, ')');
    open(w);
}

static void put_bound(ilc__writer *w, const char *text, ilc_storage type, int64_t value)
{
    ilc__text_puts(w->out, text);
    put_literal(w, ilc__term_literal(w, type, (uint64_t)value), true);
}

static void put_case(ilc__writer *w, ilc_storage type, const ilc__interval *ranges, uint32_t count)
{
    if (!count) ilc__put_line(w, "default:");
    for (uint32_t i = 0; i < count; i++) {
        ilc__begin_line(w);
        switch (ilc__range_shape(type, ranges[i])) {
        case ILC__RANGE_ONE: put_bound(w, "case ", type, ranges[i].first); break;
        case ILC__RANGE_BELOW: put_bound(w, "case <= ", type, ranges[i].last); break;
        case ILC__RANGE_ABOVE: put_bound(w, "case >= ", type, ranges[i].first); break;
        case ILC__RANGE_BETWEEN:
            if (ranges[i].last == ranges[i].first + 1) {
                put_bound(w, "case ", type, ranges[i].first);
                ilc__text_puts(w->out, ":\n");
                ilc__begin_line(w);
                put_bound(w, "case ", type, ranges[i].last);
                break;
            }
            put_bound(w, "case >= ", type, ranges[i].first);
            put_bound(w, " and <= ", type, ranges[i].last);
            break;
        }
        ilc__text_puts(w->out, ":\n");
    }
}

static void put_end_case(ilc__writer *w, bool falls_out)
{
    w->indent++;
    if (falls_out) ilc__put_line(w, "break;");
    w->indent--;
}

/* break and continue mean the innermost; a switch takes break as well. */
static bool put_exit(ilc__writer *w, const ilc__stmt *s)
{
    bool     breaks = s->kind == ILC__ST_BREAK;
    uint32_t at = w->loop_count;
    while (at > 0 && !breaks && w->loops[at - 1].is_switch) at--;
    const ilc__loop_name *inner = at ? &w->loops[at - 1] : NULL;
    if (!inner || inner->stmt != s->target || (!breaks && inner->as_while)) return false;
    ilc__text_puts(w->out, breaks ? "break;\n" : "continue;\n");
    return true;
}

static void put_return(ilc__writer *w, const ilc__term *value)
{
    ilc__text_puts(w->out, "return");
    if (value) {
        ilc__text_putc(w->out, ' ');
        ilc__put_value(w, value, value->type);
    }
    end(w);
}

static void put_throw(ilc__writer *w, const char *type, ilc__term *const *args, uint32_t count)
{
    ilc__text_printf(w->out, "throw new %s", type);
    ilc__put_args(w, args, count);
    end(w);
}

static void put_goto(ilc__writer *w, const char *label)
{
    ilc__text_printf(w->out, "goto %s;\n", label);
}

static void put_label(ilc__writer *w, const char *label)
{
    ilc__text_printf(w->out, "%s:;\n", label);
}

const ilc__syntax ilc__syntax_cs = {
    .language = ILC__LANGUAGE_CS, .comment = "//", .single_suffix = 'f', .hex = "0x", .unsigned_suffix = "u", .ulong_suffix = "ul",
    .type_names = {[ILC_VOID] = "void", [ILC_BOOL] = "bool", [ILC_CHAR] = "char", [ILC_I8] = "sbyte", [ILC_U8] = "byte",
                   [ILC_I16] = "short", [ILC_U16] = "ushort", [ILC_I32] = "int", [ILC_U32] = "uint", [ILC_I64] = "long",
                   [ILC_U64] = "ulong", [ILC_INT] = "nint", [ILC_UINT] = "nuint", [ILC_F32] = "float", [ILC_F64] = "double",
                   [ILC_ARRAY] = "Array", [ILC_STRUCT] = "struct"},
    .null = "null",
    .operators = {[ILC__OPR_ADD] = {" + ", SUM}, [ILC__OPR_SUB] = {" - ", SUM}, [ILC__OPR_MUL] = {" * ", PRODUCT},
                  [ILC__OPR_DIV] = {" / ", PRODUCT}, [ILC__OPR_QUOTIENT] = {" / ", PRODUCT}, [ILC__OPR_MOD] = {" % ", PRODUCT},
                  [ILC__OPR_AND] = {" & ", BIT_AND}, [ILC__OPR_OR] = {" | ", BIT_OR}, [ILC__OPR_XOR] = {" ^ ", BIT_XOR},
                  [ILC__OPR_SHL] = {" << ", SHIFTED}, [ILC__OPR_SHR] = {" >> ", SHIFTED}, [ILC__OPR_EQ] = {" == ", EQUALITY},
                  [ILC__OPR_NE] = {" != ", EQUALITY}, [ILC__OPR_LT] = {" < ", RELATION}, [ILC__OPR_LE] = {" <= ", RELATION},
                  [ILC__OPR_GT] = {" > ", RELATION}, [ILC__OPR_GE] = {" >= ", RELATION}, [ILC__OPR_ANDALSO] = {" && ", AND_ALSO},
                  [ILC__OPR_ORELSE] = {" || ", OR_ELSE}, [ILC__OPR_SAME] = {" == ", EQUALITY}, [ILC__OPR_OTHER] = {" != ", EQUALITY},
                  [ILC__OPR_NEG] = {"-", UNARY}, [ILC__OPR_NOT] = {"~", UNARY}, [ILC__OPR_DENY] = {"!", UNARY}},
    .level_choice = CHOICE, .level_primary = PRIMARY, .level_unary = UNARY,
    .promote = promote, .widens = widens, .put_name = put_name, .put_type = put_type, .put_literal = put_literal,
    .put_cast = put_cast, .put_choice = put_choice, .put_new_array = put_new_array, .put_default = put_default,
    .put_text = put_text, .helper_for = helper_for, .cast_level = cast_level, .put_head = put_head, .put_tail = put_tail,
    .put_declaration = put_declaration, .put_assign = put_assign, .put_compound = put_compound, .put_bind = put_bind,
    .put_drop = put_drop, .put_if = put_if, .put_else = put_else, .put_end_if = put_close, .put_while = put_while,
    .put_end_while = put_end_while, .put_do = put_do, .put_end_do = put_end_do, .has_for = has_for, .put_for = put_for, .put_end_for = put_close, .put_each = put_each,
    .put_switch = put_switch, .put_case = put_case, .put_end_case = put_end_case, .put_end_switch = put_close,
    .put_exit = put_exit, .put_return = put_return, .put_throw = put_throw, .put_goto = put_goto, .put_label = put_label,
};
