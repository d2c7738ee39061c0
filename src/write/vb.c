/* vb.c - VB: its operators, types, literals and conversions. vb_stmt.c has its statements. */
#include <ctype.h>

#include "write/vb.h"

enum { /* loosest first */
    XORED = 1, ORED, ANDED, DENIED, COMPARED, SHIFTED, SUM, REMAINDER, WHOLE, PRODUCT, NEGATED, RAISED, PRIMARY
};

static const char keywords[] =
    " addhandler addressof alias and andalso as boolean byref byte byval call case catch cbool cbyte cchar cdate cdbl "
    "cdec char cint class clng cobj const continue csbyte cshort csng cstr ctype cuint culng cushort date decimal "
    "declare default delegate dim directcast do double each else elseif end endif enum erase error event exit false "
    "finally for friend function get gettype getxmlnamespace global gosub goto handles if implements imports in "
    "inherits integer interface is isnot let lib like long loop me mod module mustinherit mustoverride mybase myclass "
    "namespace narrowing new next not nothing notinheritable notoverridable object of on operator option optional or "
    "orelse overloads overridable overrides paramarray partial private property protected public raiseevent readonly "
    "redim rem removehandler resume return sbyte select set shadows shared short single static step stop string "
    "structure sub synclock then throw to true try trycast typeof uinteger ulong ushort using variant wend when while "
    "widening with withevents writeonly xor ";

static bool is_number(ilc_storage s)
{
    return s != ILC_CHAR && s != ILC_BOOL && s != ILC_VOID && !ilc__is_native(s);
}

/* Visual Basic Language Specification 11.13.1: the narrowest type that holds both. */
static ilc_storage promote(ilc__operator opr, ilc_storage x, ilc_storage y)
{
    static const ilc_storage wider[] = {ILC_I16, ILC_U16, ILC_I32, ILC_U32, ILC_I64, ILC_U64};
    if (!is_number(x) || !is_number(y)) return ILC_VOID;
    if (opr == ILC__OPR_SHL || opr == ILC__OPR_SHR) return x;
    if (x == ILC_F64 || y == ILC_F64 || opr == ILC__OPR_POWER) return ILC_F64;
    if (x == ILC_F32 || y == ILC_F32) return ILC_F32;
    if (opr == ILC__OPR_DIV) return ILC_F64;
    if (ilc__holds(x, y)) return x;
    if (ilc__holds(y, x)) return y;
    for (size_t i = 0; i < sizeof wider / sizeof wider[0]; i++)
        if (ilc__holds(wider[i], x) && ilc__holds(wider[i], y)) return wider[i];
    return ILC_VOID;
}

static bool widens(ilc_storage from, ilc_storage to)
{
    if (!is_number(from) || !is_number(to)) return false;
    if (from == ILC_F32) return to == ILC_F64;
    if (ilc__is_float(to)) return ilc__is_integer(from);
    return ilc__holds(to, from);
}

/* Char by Integer, native integers by Long and ULong. */
static ilc_storage converts_by(ilc_storage from, ilc_storage to)
{
    if (from == ILC_CHAR && to != ILC_I32) return ILC_I32;
    if (to == ILC_CHAR && from != ILC_I32) return ILC_I32;
    if (from == ILC_INT && to != ILC_I64) return ILC_I64;
    if (from == ILC_UINT && to != ILC_U64) return ILC_U64;
    if (to == ILC_INT && from != ILC_I64) return ILC_I64;
    if (to == ILC_UINT && from != ILC_U64) return ILC_U64;
    return ILC_VOID;
}

static bool is_keyword(const char *name)
{
    char   folded[24] = " ";
    size_t length = strlen(name);
    if (length + 3 > sizeof folded) return false;
    for (size_t i = 0; i < length; i++) folded[i + 1] = (char)tolower((unsigned char)name[i]);
    folded[length + 1] = ' ';
    return strstr(keywords, folded) != NULL;
}

/* In brackets where VB reserves it. One underscore alone is no name. */
static void put_name(ilc__text *out, const char *name)
{
    bool reserved = is_keyword(name) && strcmp(name, "Me") != 0;
    if (strspn(name, "_") == strlen(name)) ilc__text_puts(out, "V");
    ilc__text_printf(out, reserved ? "[%s]" : "%s", name);
}

static void put_scalar(ilc__writer *w, ilc__wtype type)
{
    if (type.is_string) ilc__text_puts(w->out, "String");
    else if (!type.layout) ilc__text_puts(w->out, ilc__syntax_vb.type_names[type.storage]);
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

void ilc__vb_put_brackets(ilc__writer *w, ilc__wtype type)
{
    for (uint32_t i = 0; type.dims && !type.is_span && i <= type.nested; i++)
        ilc__text_puts(w->out, i || type.dims == 1 ? "()" : type.dims == 3 ? "(,,)" : "(,)");
}

static void put_type(ilc__writer *w, ilc__wtype type)
{
    if (type.is_span) {
        ilc__text_puts(w->out, type.is_readonly ? "ReadOnlySpan(Of " : "Span(Of ");
        ilc__cannot(w, "a span, which VB has not");
    }
    if (type.is_pointer) ilc__text_puts(w->out, "Pointer(Of ");
    put_scalar(w, type);
    if (type.is_pointer || type.is_span) ilc__text_putc(w->out, ')');
    ilc__vb_put_brackets(w, type);
}

/* --- literals ---------------------------------------------------------------------------------------------------------- */

static void put_literal(ilc__writer *w, const ilc__term *t, bool bare)
{
    ilc__text *out = w->out;
    int64_t    value = (int64_t)t->bits;
    switch (t->type.storage) {
    case ILC_VOID: ilc__text_puts(out, "Nothing"); return;
    case ILC_BOOL: ilc__text_puts(out, t->bits ? "True" : "False"); return;
    case ILC_CHAR:
        if (value == '"') ilc__text_puts(out, "\"\"\"\"c");
        else if (value >= 0x20 && value < 0x7f) ilc__text_printf(out, "\"%c\"c", (char)value);
        else ilc__text_printf(out, "ChrW(%d)", (int)value);
        return;
    case ILC_F32: case ILC_F64: ilc__put_float(w, t); return;
    case ILC_U64:
        bare = bare && value >= 0 && value <= INT32_MAX;
        ilc__text_printf(out, bare ? "%llu" : "%lluUL", (unsigned long long)t->bits);
        return;
    case ILC_U32:
        bare = bare && value <= INT32_MAX;
        ilc__text_printf(out, bare ? "%u" : "%uUI", (unsigned)t->bits);
        return;
    case ILC_INT: ilc__text_printf(out, value == INT64_MIN ? "New IntPtr(Long.MinValue)" : "New IntPtr(%lldL)", (long long)value); return;
    case ILC_UINT: ilc__text_printf(out, "New UIntPtr(%lluUL)", (unsigned long long)t->bits); return;
    case ILC_I64:
        bare = bare && value > INT32_MIN && value <= INT32_MAX;
        if (value == INT64_MIN) ilc__text_puts(out, "Long.MinValue");
        else ilc__text_printf(out, bare ? "%lld" : "%lldL", (long long)value);
        return;
    default:
        if (value == INT32_MIN) ilc__text_puts(out, "Integer.MinValue");
        else if (value == INT32_MAX) ilc__text_puts(out, "Integer.MaxValue");
        else ilc__text_printf(out, "%lld", (long long)value);
    }
}

static void put_text(ilc__text *out, const char *text)
{
    ilc__text_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"') ilc__text_puts(out, "\"\"");
        else if ((unsigned char)*text >= 0x20) ilc__text_putc(out, *text);
        else ilc__text_printf(out, "\" & ChrW(%d) & \"", *text);
    }
    ilc__text_putc(out, '"');
}

/* --- conversions -------------------------------------------------------------------------------------------------------- */

static const char *const conversions[ILC_STORAGE_COUNT] = {
    [ILC_I8] = "CSByte", [ILC_U8] = "CByte", [ILC_I16] = "CShort", [ILC_U16] = "CUShort", [ILC_I32] = "CInt",
    [ILC_U32] = "CUInt", [ILC_I64] = "CLng", [ILC_U64] = "CULng", [ILC_F32] = "CSng", [ILC_F64] = "CDbl"};

/* A literal of a narrow type: by itself it would be an Integer. */
bool ilc__vb_put_narrow(ilc__writer *w, const ilc__term *t)
{
    if (t->kind != ILC__W_LITERAL || !ilc__is_small(t->type.storage) || t->type.storage == ILC_CHAR) return false;
    ilc__text_printf(w->out, "%s(", conversions[t->type.storage]);
    put_literal(w, t, true);
    ilc__text_putc(w->out, ')');
    return true;
}

static bool is_rounded(const ilc__term *t)
{
    return t->kind == ILC__W_LIBRARY && t->arg_count == 1 && (strcmp(t->text, "Math.Round") == 0 || strcmp(t->text, "MathF.Round") == 0);
}

/* CInt(x) rounds; without the rounding it is CInt(Fix(x)). */
static void put_cast(ilc__writer *w, const ilc__term *t)
{
    const ilc__term *x = t->args[0];
    ilc_storage      to = t->type.storage, from = x->type.storage;
    if (t->type.dims) { /* null, of a type */
        ilc__text_puts(w->out, "CType(Nothing, ");
        put_type(w, t->type);
        ilc__text_putc(w->out, ')');
        return;
    }
    if (t->type.is_pointer) {
        ilc__text_puts(w->out, "CType(");
        ilc__put(w, x, ILC__LEVEL_NONE);
        ilc__text_puts(w->out, ", ");
        put_type(w, t->type);
        ilc__text_putc(w->out, ')');
        return;
    }
    bool fix = t->truncates && !is_rounded(x);
    if (t->truncates && is_rounded(x)) x = x->args[0];
    if (to == ILC_CHAR) ilc__text_puts(w->out, "ChrW(");
    else if (from == ILC_CHAR) ilc__text_puts(w->out, "AscW(");
    else if (ilc__is_native(to)) ilc__text_puts(w->out, "CType(");
    else ilc__text_printf(w->out, "%s(%s", conversions[to], fix ? "Fix(" : "");
    ilc__put(w, x, ILC__LEVEL_NONE);
    if (ilc__is_native(to)) ilc__text_puts(w->out, to == ILC_INT ? ", IntPtr" : ", UIntPtr");
    ilc__text_puts(w->out, fix ? "))" : ")");
}

static uint8_t cast_level(ilc__writer *w, const ilc__term *t)
{
    (void)w;
    (void)t;
    return PRIMARY;
}

/* The helper's name by the type that it gives. */
#define NAMES(prefix)                                                                                               \
    {[ILC_CHAR] = prefix "Char", [ILC_I8] = prefix "SByte", [ILC_U8] = prefix "Byte", [ILC_I16] = prefix "Short",   \
     [ILC_U16] = prefix "UShort", [ILC_I32] = prefix "Integer", [ILC_U32] = prefix "UInteger", [ILC_I64] = prefix "Long", \
     [ILC_U64] = prefix "ULong"}

static const char *helper_for(ilc__writer *w, const ilc__term *t)
{
    static const char *const wraps[ILC_STORAGE_COUNT] = NAMES("Wrap"), *const checks[ILC_STORAGE_COUNT] = NAMES("Check"),
                      *const saturates[ILC_STORAGE_COUNT] = NAMES("Saturate");
    bool checked = t->overflow == ILC__CHECKS;
    if (t->overflow == ILC__ANY) return NULL;
    if (t->kind == ILC__W_CAST && t->type.storage == ILC_CHAR) return "WrapChar";
    if (checked == w->checked) return NULL;
    switch (t->kind) {
    case ILC__W_CAST:
        if (!ilc__is_integer(t->type.storage) || ilc__is_native(t->type.storage)) return NULL;
        if (checked) return checks[t->type.storage];
        return ilc__is_float(t->args[0]->type.storage) ? saturates[t->type.storage] : wraps[t->type.storage];
    case ILC__W_UNARY: return t->opr == ILC__OPR_NEG ? (checked ? "NegateChecked" : "NegateWrapped") : NULL;
    case ILC__W_BINARY:
        if (t->opr == ILC__OPR_ADD) return checked ? "AddChecked" : "AddWrapped";
        if (t->opr == ILC__OPR_SUB) return checked ? "SubtractChecked" : "SubtractWrapped";
        if (t->opr == ILC__OPR_MUL) return checked ? "MultiplyChecked" : "MultiplyWrapped";
        return NULL;
    default: return NULL;
    }
}

static void put_choice(ilc__writer *w, const ilc__term *t)
{
    ilc__text_puts(w->out, "If");
    ilc__put_args(w, t->args, 3);
}

static void put_new_array(ilc__writer *w, const ilc__term *t)
{
    const ilc__term *n = t->args[0];
    ilc__text_puts(w->out, "New ");
    put_scalar(w, t->type);
    if (t->arg_count > 1) {
        ilc__text_puts(w->out, "() {");
        ilc__put_elements(w, t);
        ilc__text_putc(w->out, '}');
        return;
    }
    ilc__text_putc(w->out, '('); /* by the last index */
    if (n->kind == ILC__W_LITERAL) {
        ilc__text_printf(w->out, "%lld", (long long)n->bits - 1);
    } else {
        ilc__put(w, n, SUM);
        ilc__text_puts(w->out, " - 1");
    }
    ilc__text_puts(w->out, ") {}");
}

static void put_default(ilc__writer *w, const ilc__term *t)
{
    ilc__text_puts(w->out, "New ");
    put_type(w, t->type);
    ilc__text_puts(w->out, "()");
}

const ilc__syntax ilc__syntax_vb = {
    .language = ILC__LANGUAGE_VB, .comment = "'", .single_suffix = 'F', .hex = "&H", .unsigned_suffix = "UI", .ulong_suffix = "UL", .ignores_case = true, .checks = true,
    .type_names = {[ILC_VOID] = "Void", [ILC_BOOL] = "Boolean", [ILC_CHAR] = "Char", [ILC_I8] = "SByte", [ILC_U8] = "Byte",
                   [ILC_I16] = "Short", [ILC_U16] = "UShort", [ILC_I32] = "Integer", [ILC_U32] = "UInteger",
                   [ILC_I64] = "Long", [ILC_U64] = "ULong", [ILC_INT] = "IntPtr", [ILC_UINT] = "UIntPtr",
                   [ILC_F32] = "Single", [ILC_F64] = "Double", [ILC_ARRAY] = "Array", [ILC_STRUCT] = "Structure"},
    .null = "Nothing",
    .operators = {[ILC__OPR_ADD] = {" + ", SUM}, [ILC__OPR_SUB] = {" - ", SUM}, [ILC__OPR_MUL] = {" * ", PRODUCT},
                  [ILC__OPR_DIV] = {" / ", PRODUCT}, [ILC__OPR_QUOTIENT] = {" \\ ", WHOLE}, [ILC__OPR_MOD] = {" Mod ", REMAINDER},
                  [ILC__OPR_POWER] = {" ^ ", RAISED}, [ILC__OPR_AND] = {" And ", ANDED}, [ILC__OPR_OR] = {" Or ", ORED},
                  [ILC__OPR_XOR] = {" Xor ", XORED}, [ILC__OPR_SHL] = {" << ", SHIFTED}, [ILC__OPR_SHR] = {" >> ", SHIFTED},
                  [ILC__OPR_EQ] = {" = ", COMPARED}, [ILC__OPR_NE] = {" <> ", COMPARED}, [ILC__OPR_LT] = {" < ", COMPARED},
                  [ILC__OPR_LE] = {" <= ", COMPARED}, [ILC__OPR_GT] = {" > ", COMPARED}, [ILC__OPR_GE] = {" >= ", COMPARED},
                  [ILC__OPR_ANDALSO] = {" AndAlso ", ANDED}, [ILC__OPR_ORELSE] = {" OrElse ", ORED},
                  [ILC__OPR_SAME] = {" Is ", COMPARED}, [ILC__OPR_OTHER] = {" IsNot ", COMPARED},
                  [ILC__OPR_NEG] = {"-", NEGATED}, [ILC__OPR_NOT] = {"Not ", DENIED}, [ILC__OPR_DENY] = {"Not ", DENIED}},
    .level_choice = PRIMARY, .level_primary = PRIMARY, .level_unary = NEGATED,
    .promote = promote, .converts_by = converts_by, .widens = widens, .put_name = put_name, .put_type = put_type,
    .put_literal = put_literal, .put_cast = put_cast, .put_choice = put_choice, .put_new_array = put_new_array,
    .put_default = put_default, .put_text = put_text, .helper_for = helper_for, .cast_level = cast_level,
    ILC__VB_STATEMENTS
};
