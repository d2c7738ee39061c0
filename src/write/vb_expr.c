/* vb_expr.c - expressions, literals and names in VB's spelling. Parentheses only where VB's precedence asks for
 * them. What VB has no operator for is written as a call whose name says it (LessUnsigned, WrapInteger). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "write/vb.h"
#include "meta/layout.h"

enum { /* VB's precedence, loosest first */
    LEVEL_NONE, LEVEL_XOR, LEVEL_OR, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_SHIFT, LEVEL_ADD, LEVEL_MOD,
    LEVEL_INT_DIVIDE, LEVEL_MULTIPLY, LEVEL_NEGATE, LEVEL_POWER, LEVEL_PRIMARY
};

typedef enum spelling_kind { CALL, INFIX, PREFIX, UNSIGNED, NOT_INFIX, WIDEN_UNSIGNED, ROUNDING } spelling_kind;

typedef struct spelling {
    spelling_kind kind;
    const char   *text;  /* the operator, or the name of the call                                     */
    uint8_t       level; /* of the operator                                                           */
    const char   *plain; /* UNSIGNED: the operator when both operands are unsigned anyway             */
} spelling;

#define BOTH(id, ...) [ILC__OP_##id##_I32] = {__VA_ARGS__}, [ILC__OP_##id##_I64] = {__VA_ARGS__}
#define FLOATS(id, ...) [ILC__OP_##id##_F32] = {__VA_ARGS__}, [ILC__OP_##id##_F64] = {__VA_ARGS__}
#define ALL(id, ...) BOTH(id, __VA_ARGS__), FLOATS(id, __VA_ARGS__)
#define MATH(id, name) [ILC__OP_##id##_F32] = {CALL, "MathF." name, 0, NULL}, [ILC__OP_##id##_F64] = {CALL, "Math." name, 0, NULL}
#define TO(id, name) [ILC__OP_##id] = {CALL, name, 0, NULL}

static const spelling spellings[ILC__OP_LAST_COMPUTE] = {
    ALL(ADD, INFIX, "+", LEVEL_ADD, NULL), BOTH(ADD_OVF, INFIX, "+", LEVEL_ADD, NULL),
    ALL(SUB, INFIX, "-", LEVEL_ADD, NULL), BOTH(SUB_OVF, INFIX, "-", LEVEL_ADD, NULL),
    ALL(MUL, INFIX, "*", LEVEL_MULTIPLY, NULL), BOTH(MUL_OVF, INFIX, "*", LEVEL_MULTIPLY, NULL),
    BOTH(DIV, INFIX, "\\", LEVEL_INT_DIVIDE, NULL), FLOATS(DIV, INFIX, "/", LEVEL_MULTIPLY, NULL),
    BOTH(DIV_NZ, INFIX, "\\", LEVEL_INT_DIVIDE, NULL), BOTH(REM_NZ, INFIX, "Mod", LEVEL_MOD, NULL),
    BOTH(DIV_UN_NZ, UNSIGNED, "DivideUnsigned", LEVEL_INT_DIVIDE, "\\"),
    BOTH(REM_UN_NZ, UNSIGNED, "ModUnsigned", LEVEL_MOD, "Mod"),
    ALL(REM, INFIX, "Mod", LEVEL_MOD, NULL), ALL(NEG, PREFIX, "-", LEVEL_NEGATE, NULL),
    BOTH(AND, INFIX, "And", LEVEL_AND, NULL), BOTH(OR, INFIX, "Or", LEVEL_OR, NULL),
    BOTH(XOR, INFIX, "Xor", LEVEL_XOR, NULL), BOTH(NOT, PREFIX, "Not ", LEVEL_NOT, NULL),
    BOTH(SHL, INFIX, "<<", LEVEL_SHIFT, NULL), BOTH(SHR, INFIX, ">>", LEVEL_SHIFT, NULL),
    BOTH(SHR_UN, UNSIGNED, "ShiftRightUnsigned", LEVEL_SHIFT, ">>"),
    BOTH(DIV_UN, UNSIGNED, "DivideUnsigned", LEVEL_INT_DIVIDE, "\\"),
    BOTH(REM_UN, UNSIGNED, "ModUnsigned", LEVEL_MOD, "Mod"),
    BOTH(ADD_OVF_UN, UNSIGNED, "AddUnsigned", LEVEL_ADD, "+"),
    BOTH(SUB_OVF_UN, UNSIGNED, "SubtractUnsigned", LEVEL_ADD, "-"),
    BOTH(MUL_OVF_UN, UNSIGNED, "MultiplyUnsigned", LEVEL_MULTIPLY, "*"),
    ALL(EQ, INFIX, "=", LEVEL_COMPARE, NULL), ALL(NE, INFIX, "<>", LEVEL_COMPARE, NULL),
    ALL(LT, INFIX, "<", LEVEL_COMPARE, NULL), ALL(LE, INFIX, "<=", LEVEL_COMPARE, NULL),
    ALL(GT, INFIX, ">", LEVEL_COMPARE, NULL), ALL(GE, INFIX, ">=", LEVEL_COMPARE, NULL),
    BOTH(LT_UN, UNSIGNED, "LessUnsigned", LEVEL_COMPARE, "<"),
    BOTH(LE_UN, UNSIGNED, "LessOrEqualUnsigned", LEVEL_COMPARE, "<="),
    BOTH(GT_UN, UNSIGNED, "GreaterUnsigned", LEVEL_COMPARE, ">"),
    BOTH(GE_UN, UNSIGNED, "GreaterOrEqualUnsigned", LEVEL_COMPARE, ">="),
    /* true on NaN: the opposite test, denied */
    FLOATS(LT_UN, NOT_INFIX, ">=", LEVEL_NOT, NULL), FLOATS(LE_UN, NOT_INFIX, ">", LEVEL_NOT, NULL),
    FLOATS(GT_UN, NOT_INFIX, "<=", LEVEL_NOT, NULL), FLOATS(GE_UN, NOT_INFIX, "<", LEVEL_NOT, NULL),

    TO(I8_I32, "WrapSByte"), TO(U8_I32, "WrapByte"), TO(I16_I32, "WrapShort"), TO(U16_I32, "WrapUShort"),
    TO(I64_I32, "CLng"), TO(I32_I64, "WrapInteger"), TO(F32_I32, "CSng"), TO(F32_I64, "CSng"), TO(F64_I32, "CDbl"),
    TO(F64_I64, "CDbl"), TO(F64_F32, "CDbl"), TO(F32_F64, "CSng"),
    [ILC__OP_I64_U32] = {WIDEN_UNSIGNED, "CLng", 0, NULL}, [ILC__OP_F32_U32] = {WIDEN_UNSIGNED, "CSng", 0, NULL},
    [ILC__OP_F32_U64] = {WIDEN_UNSIGNED, "CSng", 0, NULL}, [ILC__OP_F64_U32] = {WIDEN_UNSIGNED, "CDbl", 0, NULL},
    [ILC__OP_F64_U64] = {WIDEN_UNSIGNED, "CDbl", 0, NULL},
    [ILC__OP_I32_F64] = {ROUNDING, "CInt", 0, "SaturateInteger"}, [ILC__OP_U32_F64] = {ROUNDING, "CUInt", 0, "SaturateUInteger"},
    [ILC__OP_I64_F64] = {ROUNDING, "CLng", 0, "SaturateLong"}, [ILC__OP_U64_F64] = {ROUNDING, "CULng", 0, "SaturateULong"},
    TO(OVF_I8_I32, "CSByte"), TO(OVF_U8_I32, "CByte"), TO(OVF_I16_I32, "CShort"), TO(OVF_U16_I32, "CUShort"),
    TO(OVF_U32_I32, "CUInt"), TO(OVF_U64_I32, "CULng"), TO(OVF_I8_U32, "CSByte"), TO(OVF_U8_U32, "CByte"),
    TO(OVF_I16_U32, "CShort"), TO(OVF_U16_U32, "CUShort"), TO(OVF_I32_U32, "CInt"), TO(OVF_I8_I64, "CSByte"),
    TO(OVF_U8_I64, "CByte"), TO(OVF_I16_I64, "CShort"), TO(OVF_U16_I64, "CUShort"), TO(OVF_I32_I64, "CInt"),
    TO(OVF_U32_I64, "CUInt"), TO(OVF_U64_I64, "CULng"), TO(OVF_I8_U64, "CSByte"), TO(OVF_U8_U64, "CByte"),
    TO(OVF_I16_U64, "CShort"), TO(OVF_U16_U64, "CUShort"), TO(OVF_I32_U64, "CInt"), TO(OVF_U32_U64, "CUInt"),
    TO(OVF_I64_U64, "CLng"),
#define ROUNDED(id, name) [ILC__OP_OVF_##id##_F64] = {ROUNDING, name, 0, NULL}
    ROUNDED(I8, "CSByte"), ROUNDED(U8, "CByte"), ROUNDED(I16, "CShort"), ROUNDED(U16, "CUShort"),
    ROUNDED(I32, "CInt"), ROUNDED(U32, "CUInt"), ROUNDED(I64, "CLng"), ROUNDED(U64, "CULng"),

    MATH(ABS, "Abs"), MATH(SQRT, "Sqrt"), MATH(MIN, "Min"), MATH(MAX, "Max"), MATH(FLOOR, "Floor"), MATH(CEIL, "Ceiling"),
    MATH(TRUNC, "Truncate"), MATH(ROUND, "Round"), MATH(SIGN, "Sign"),
    MATH(EXP, "Exp"), MATH(LOG, "Log"), MATH(LOG2, "Log2"), MATH(LOG10, "Log10"), MATH(SIN, "Sin"), MATH(COS, "Cos"),
    MATH(TAN, "Tan"), MATH(ATAN, "Atan"), MATH(ATAN2, "Atan2"), MATH(ASIN, "Asin"), MATH(ACOS, "Acos"), MATH(SINH, "Sinh"),
    MATH(COSH, "Cosh"), MATH(TANH, "Tanh"), MATH(CBRT, "Cbrt"), TO(POW_F32, "MathF.Pow"),
    [ILC__OP_POW_F64] = {INFIX, "^", LEVEL_POWER, NULL}, TO(CHRW_I32, "ChrW"),
    TO(ABS_I8, "Math.Abs"), TO(ABS_I16, "Math.Abs"), TO(ABS_I32, "Math.Abs"), TO(ABS_I64, "Math.Abs"),
    TO(SIGN_I32, "Math.Sign"), TO(SIGN_I64, "Math.Sign"), TO(MIN_I32, "Math.Min"), TO(MIN_I64, "Math.Min"),
    TO(MAX_I32, "Math.Max"), TO(MAX_I64, "Math.Max"), TO(MIN_UN_I32, "Math.Min"), TO(MIN_UN_I64, "Math.Min"),
    TO(MAX_UN_I32, "Math.Max"), TO(MAX_UN_I64, "Math.Max"),
};

/* --- names ----------------------------------------------------------------------------------------------------- */

static const char *const types[ILC_STORAGE_COUNT] = {
    [ILC_VOID] = "Void", [ILC_BOOL] = "Boolean", [ILC_CHAR] = "Char", [ILC_I8] = "SByte", [ILC_U8] = "Byte",
    [ILC_I16] = "Short", [ILC_U16] = "UShort", [ILC_I32] = "Integer", [ILC_U32] = "UInteger", [ILC_I64] = "Long",
    [ILC_U64] = "ULong", [ILC_INT] = "IntPtr", [ILC_UINT] = "UIntPtr", [ILC_F32] = "Single", [ILC_F64] = "Double",
    [ILC_STRUCT] = "Struct"};

const char *ilc__vb_type(ilc_storage storage)
{
    return (unsigned)storage < ILC_STORAGE_COUNT ? types[storage] : "?";
}

/* "Ns.Outer+Vec2" is Vec2 to the reader. */
void ilc__vb_put_type(ilc__text *out, ilc_storage storage, const ilc__layout *layout)
{
    if (!layout) {
        ilc__text_puts(out, ilc__vb_type(storage));
        return;
    }
    const char *name = layout->name;
    size_t      length = strcspn(name, "<`");
    for (size_t i = 0; i < length; i++)
        if (layout->name[i] == '.' || layout->name[i] == '+') name = layout->name + i + 1;
    ilc__vb_name(out, name);
}

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

static bool is_keyword(const char *name)
{
    char   folded[24] = " ";
    size_t length = strlen(name);
    if (length + 3 > sizeof folded) return false;
    for (size_t i = 0; i < length; i++) folded[i + 1] = (char)tolower((unsigned char)name[i]);
    folded[length + 1] = ' ';
    return strstr(keywords, folded) != NULL;
}

void ilc__vb_name(ilc__text *out, const char *name)
{
    bool reserved = is_keyword(name);
    if (reserved) ilc__text_putc(out, '[');
    if (isdigit((unsigned char)*name)) ilc__text_putc(out, '_');
    for (const char *c = name; *c; c++)
        ilc__text_putc(out, isalnum((unsigned char)*c) || (unsigned char)*c >= 0x80 ? *c : '_');
    if (reserved) ilc__text_putc(out, ']');
}

static bool is_me(const ilc__var *var)
{
    return var->is_param && var->is_addr && var->layout && var->index == 0 && strcmp(var->name, "this") == 0;
}

void ilc__vb_var(ilc__text *out, const ilc__var *var)
{
    if (is_me(var)) ilc__text_puts(out, "Me");
    else ilc__vb_name(out, var->name);
}

uint32_t ilc__vb_instance(const ilc__func *func)
{
    return func->param_count && is_me(func->vars.items[0]) ? 0 : UINT32_MAX;
}

void ilc__vb_func(ilc__text *out, const ilc__func *func)
{
    if (strcmp(func->name, ".ctor") == 0) ilc__text_puts(out, "New");
    else ilc__vb_name(out, func->name);
}

/* A compiler keeps property X in <X>k__BackingField. */
static void put_field(ilc__text *out, const ilc__expr *e)
{
    if (!e->layout || e->u.field >= e->layout->field_count) return;
    const char *name = e->layout->fields[e->u.field].name, *end = strchr(name, '>');
    char        property[128];
    if (name[0] == '<' && end && end - name > 1 && (size_t)(end - name) < sizeof property) {
        snprintf(property, sizeof property, "%.*s", (int)(end - name - 1), name + 1);
        name = property;
    }
    ilc__vb_name(out, name);
}

void ilc__vb_string(ilc__text *out, const char *text)
{
    ilc__text_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"') ilc__text_puts(out, "\"\"");
        else if ((unsigned char)*text >= 0x20) ilc__text_putc(out, *text);
        else ilc__text_printf(out, "\" & ChrW(%d) & \"", *text);
    }
    ilc__text_putc(out, '"');
}

/* --- literals -------------------------------------------------------------------------------------------------- */

/* The fewest digits that read back as the same number. snprintf and strtod agree on the locale's point, which
 * is then left out of the digits. */
static int shortest_digits(double value, bool single, char digits[24])
{
    char text[48];
    for (int precision = 0; precision < 17; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value) break;
    }
    int         count = 0;
    const char *c = text;
    for (; *c && *c != 'e'; c++)
        if (isdigit((unsigned char)*c)) digits[count++] = *c;
    while (count > 1 && digits[count - 1] == '0') count--;
    digits[count] = '\0';
    return *c ? atoi(c + 1) : 0;
}

static void put_finite(ilc__text *out, double value, bool single)
{
    char digits[24];
    int  exponent = shortest_digits(value, single, digits), count = (int)strlen(digits);
    if (exponent < -5 || exponent > (single ? 8 : 15)) {
        ilc__text_printf(out, "%c.%sE%s%02d", digits[0], count > 1 ? digits + 1 : "0", exponent < 0 ? "-" : "+",
                         abs(exponent));
    } else if (exponent < 0) {
        ilc__text_puts(out, "0.");
        for (int i = 1; i < -exponent; i++) ilc__text_putc(out, '0');
        ilc__text_puts(out, digits);
    } else {
        for (int i = 0; i <= exponent; i++) ilc__text_putc(out, i < count ? digits[i] : '0');
        ilc__text_putc(out, '.');
        ilc__text_puts(out, count > exponent + 1 ? digits + exponent + 1 : "0");
    }
    if (single) ilc__text_putc(out, 'F');
}

static int put_f32(ilc__text *out, uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    if ((bits & 0x7f800000u) == 0x7f800000u) {
        if (bits == 0xffc00000u) ilc__text_puts(out, "Single.NaN");
        else if (bits == 0x7f800000u) ilc__text_puts(out, "Single.PositiveInfinity");
        else if (bits == 0xff800000u) ilc__text_puts(out, "Single.NegativeInfinity");
        else ilc__text_printf(out, "BitConverter.Int32BitsToSingle(&H%08X)", (unsigned)bits);
        return LEVEL_PRIMARY;
    }
    if (bits >> 31) {
        ilc__text_putc(out, '-');
        value = -value;
    }
    put_finite(out, (double)value, true);
    return bits >> 31 ? LEVEL_NEGATE : LEVEL_PRIMARY;
}

static int put_f64(ilc__text *out, uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    if ((bits & 0x7ff0000000000000u) == 0x7ff0000000000000u) {
        if (bits == 0xfff8000000000000u) ilc__text_puts(out, "Double.NaN");
        else if (bits == 0x7ff0000000000000u) ilc__text_puts(out, "Double.PositiveInfinity");
        else if (bits == 0xfff0000000000000u) ilc__text_puts(out, "Double.NegativeInfinity");
        else ilc__text_printf(out, "BitConverter.Int64BitsToDouble(&H%016llXL)", (unsigned long long)bits);
        return LEVEL_PRIMARY;
    }
    if (bits >> 63) {
        ilc__text_putc(out, '-');
        value = -value;
    }
    put_finite(out, value, false);
    return bits >> 63 ? LEVEL_NEGATE : LEVEL_PRIMARY;
}

static int put_const(ilc__text *out, const ilc__expr *e)
{
    switch (e->type) {
    case ILC__IR_F32: return put_f32(out, (uint32_t)e->u.bits);
    case ILC__IR_F64: return put_f64(out, e->u.bits);
    case ILC__IR_REF:
    case ILC__IR_ADDR: ilc__text_puts(out, "Nothing"); return LEVEL_PRIMARY;
    case ILC__IR_I64:
        if (e->u.bits == (uint64_t)INT64_MIN) ilc__text_puts(out, "Long.MinValue");
        else ilc__text_printf(out, "%lldL", (long long)e->u.bits);
        return (int64_t)e->u.bits < 0 ? LEVEL_NEGATE : LEVEL_PRIMARY;
    default: break;
    }
    int32_t value = (int32_t)(uint32_t)e->u.bits;
    if (value == INT32_MIN) ilc__text_puts(out, "Integer.MinValue");
    else ilc__text_printf(out, "%d", value);
    return value < 0 ? LEVEL_NEGATE : LEVEL_PRIMARY;
}

/* --- expressions ----------------------------------------------------------------------------------------------- */

static int  level_of(const ilc__expr *e, ilc__vb_want want);
static void put(ilc__text *out, const ilc__expr *e, ilc__vb_want want);

static bool is_unsigned_storage(ilc_storage s)
{
    return s == ILC_U8 || s == ILC_U16 || s == ILC_U32 || s == ILC_U64 || s == ILC_UINT || s == ILC_CHAR;
}

/* Would VB's own operators take it as unsigned? */
static bool is_unsigned(const ilc__expr *e)
{
    switch (e->kind) {
    case ILC__EX_VAR: return is_unsigned_storage(e->u.var->storage);
    case ILC__EX_LOADIND:
    case ILC__EX_LOAD: return is_unsigned_storage(e->storage);
    case ILC__EX_CALL: return e->u.callee && is_unsigned_storage(e->u.callee->ret);
    case ILC__EX_CONST: return e->type == ILC__IR_I64 ? (int64_t)e->u.bits >= 0 : (int32_t)(uint32_t)e->u.bits >= 0;
    case ILC__EX_OP: break;
    default: return false;
    }
    const spelling *s = &spellings[e->op];
    if (s->kind == PREFIX || (s->kind != INFIX && s->kind != UNSIGNED) || s->level == LEVEL_COMPARE) return false;
    if (s->level == LEVEL_SHIFT) return is_unsigned(e->args[0]);
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (!is_unsigned(e->args[i])) return false;
    return true;
}

static bool is_plain_unsigned(const ilc__expr *e, const spelling *s)
{
    if (s->level == LEVEL_SHIFT) return is_unsigned(e->args[0]);
    return is_unsigned(e->args[0]) && is_unsigned(e->args[1]);
}

static void put_at(ilc__text *out, const ilc__expr *e, ilc__vb_want want, int level)
{
    bool wrap = level_of(e, want) < level;
    if (wrap) ilc__text_putc(out, '(');
    put(out, e, want);
    if (wrap) ilc__text_putc(out, ')');
}

/* All but one of them. */
static void put_args_but(ilc__text *out, const ilc__expr *e, uint32_t but)
{
    ilc__text_putc(out, '(');
    const char *comma = "";
    for (uint32_t i = 0; i < e->arg_count; i++) {
        if (i == but) continue;
        ilc__text_puts(out, comma);
        comma = ", ";
        if (e->kind == ILC__EX_CALL && e->u.callee && i < e->u.callee->param_count &&
            e->u.callee->vars.items[i]->is_string)
            ilc__vb_text(out, e->u.callee, e->args[i]);
        else if (e->kind == ILC__EX_CALL && e->u.callee && i < e->u.callee->param_count &&
            e->args[i]->type != ILC__IR_REF && e->args[i]->type != ILC__IR_ADDR)
            ilc__vb_value(out, e->args[i], e->u.callee->vars.items[i]->storage);
        else if (e->kind == ILC__EX_CALL && e->u.callee && i < e->u.callee->param_count &&
                 e->u.callee->vars.items[i]->is_pointer)
            ilc__vb_pointer(out, e->args[i]);
        else put(out, e->args[i], ILC__VB_VALUE);
    }
    ilc__text_putc(out, ')');
}

static void put_args(ilc__text *out, const ilc__expr *e)
{
    put_args_but(out, e, UINT32_MAX);
}

static void put_method(ilc__text *out, const ilc__expr *e)
{
    const ilc__func *callee = e->u.callee;
    uint32_t         instance = callee ? ilc__vb_instance(callee) : UINT32_MAX;
    if (instance < e->arg_count) {
        put_at(out, e->args[instance], ILC__VB_VALUE, LEVEL_PRIMARY);
        ilc__text_putc(out, '.');
    }
    if (callee) ilc__vb_func(out, callee);
    else ilc__text_putc(out, '?');
    put_args_but(out, e, instance);
}

/* VB masks a shift's count itself. */
static const ilc__expr *shift_count(const ilc__expr *e)
{
    const ilc__expr *count = e->args[1];
    bool             wide = e->type == ILC__IR_I64;
    if (count->kind == ILC__EX_OP && count->op == ILC__OP_AND_I32 && ilc__expr_is_const(count->args[1], wide ? 63 : 31))
        return count->args[0];
    return count;
}

/* Both sides of a bitwise operation or compare of truths are written as truths. */
static bool on_truths(const ilc__expr *e, const spelling *s)
{
    if (s->level != LEVEL_AND && s->level != LEVEL_OR && s->level != LEVEL_XOR &&
        e->op != ILC__OP_EQ_I32 && e->op != ILC__OP_NE_I32)
        return false;
    const ilc__expr *x = e->args[0], *y = e->args[1];
    bool             tx = ilc__expr_is_bool(x), ty = ilc__expr_is_bool(y);
    return (tx && (ty || ilc__expr_is_const(y, 0) || ilc__expr_is_const(y, 1))) ||
           (ty && (ilc__expr_is_const(x, 0) || ilc__expr_is_const(x, 1)));
}

static void put_truth_side(ilc__text *out, const ilc__expr *e, int level)
{
    if (e->kind == ILC__EX_CONST) ilc__text_puts(out, (uint32_t)e->u.bits ? "True" : "False");
    else put_at(out, e, ILC__VB_TRUTH, level);
}

static void put_infix(ilc__text *out, const ilc__expr *e, const spelling *s, const char *text)
{
    int level = s->kind == NOT_INFIX ? LEVEL_COMPARE : s->level;
    if (on_truths(e, s)) {
        put_truth_side(out, e->args[0], level);
        ilc__text_printf(out, " %s ", text);
        put_truth_side(out, e->args[1], level + 1);
        return;
    }
    put_at(out, e->args[0], ILC__VB_VALUE, level);
    ilc__text_printf(out, " %s ", text);
    put_at(out, level == LEVEL_SHIFT ? shift_count(e) : e->args[1], ILC__VB_VALUE, level + 1);
}

static bool is_op(const ilc__expr *e, ilc__op op)
{
    return e->kind == ILC__EX_OP && e->op == op;
}

/* CInt(x) rounds; without the rounding it is CInt(Fix(x)). */
static void put_rounding(ilc__text *out, const ilc__expr *e, const spelling *s)
{
    const ilc__expr *x = e->args[0];
    bool             rounds = is_op(x, ILC__OP_ROUND_F64);
    if (rounds) x = x->args[0];
    if (is_op(x, ILC__OP_F64_F32)) x = x->args[0];
    bool saturates = !rounds && s->plain;
    ilc__text_printf(out, "%s(", saturates ? s->plain : s->text);
    if (!rounds && !saturates) ilc__text_puts(out, "Fix(");
    put(out, x, ILC__VB_VALUE);
    ilc__text_puts(out, !rounds && !saturates ? "))" : ")");
}

static void put_call(ilc__text *out, const ilc__expr *e, const spelling *s)
{
    ilc__text_puts(out, s->text ? s->text : ilc__op_info_of(e->op)->text);
    bool widens = e->arg_count == 1 && is_op(e->args[0], ILC__OP_F64_F32) && s->text && strncmp(s->text, "Math.", 5) == 0;
    if (!widens) {
        put_args(out, e);
        return;
    }
    ilc__text_putc(out, '('); /* a Single widens by itself */
    put(out, e->args[0]->args[0], ILC__VB_VALUE);
    ilc__text_putc(out, ')');
}

static void put_op(ilc__text *out, const ilc__expr *e)
{
    const spelling *s = &spellings[e->op];
    switch (s->kind) {
    case INFIX: put_infix(out, e, s, s->text); return;
    case PREFIX:
        ilc__text_puts(out, s->text);
        put_at(out, e->args[0], ILC__VB_VALUE, s->level);
        return;
    case NOT_INFIX:
        ilc__text_puts(out, "Not ");
        put_infix(out, e, s, s->text);
        return;
    case UNSIGNED:
        if (is_plain_unsigned(e, s)) put_infix(out, e, s, s->plain);
        else put_call(out, e, s);
        return;
    case WIDEN_UNSIGNED:
        ilc__text_printf(out, "%s%s", s->text, is_unsigned(e->args[0]) ? "" : "Unsigned");
        put_args(out, e);
        return;
    case ROUNDING: put_rounding(out, e, s); return;
    case CALL: break;
    }
    put_call(out, e, s);
}

/* How a truth or a number is turned into what the place wants. */
typedef enum turn { AS_IT_IS, TEST, CHOOSE, DENY } turn;

static bool is_denial(const ilc__expr *e)
{
    return is_op(e, ILC__OP_EQ_I32) && ilc__expr_is_const(e->args[1], 0) && ilc__expr_is_bool(e->args[0]);
}

static turn turn_for(const ilc__expr *e, ilc__vb_want want)
{
    bool truth = ilc__expr_is_bool(e);
    if (want == ILC__VB_TRUTH && is_denial(e)) return DENY;
    if (want == ILC__VB_TRUTH && !truth) return e->kind == ILC__EX_SELECT ? AS_IT_IS : TEST;
    if (want == ILC__VB_VALUE && truth) return CHOOSE;
    return AS_IT_IS;
}

static int level_of(const ilc__expr *e, ilc__vb_want want)
{
    switch (turn_for(e, want)) {
    case DENY: return LEVEL_NOT;
    case TEST: return LEVEL_COMPARE;
    case CHOOSE: return LEVEL_PRIMARY;
    case AS_IT_IS: break;
    }
    switch (e->kind) {
    case ILC__EX_AND: return LEVEL_AND;
    case ILC__EX_OR: return LEVEL_OR;
    case ILC__EX_NOT: return LEVEL_NOT;
    case ILC__EX_ISNULL: case ILC__EX_SAMEREF: return LEVEL_COMPARE;
    case ILC__EX_CONST: {
        bool negative = e->type == ILC__IR_I64   ? (int64_t)e->u.bits < 0
                        : e->type == ILC__IR_F64 ? e->u.bits >> 63 != 0
                                                 : (uint32_t)e->u.bits >> 31 != 0;
        return negative ? LEVEL_NEGATE : LEVEL_PRIMARY;
    }
    case ILC__EX_OP: break;
    default: return LEVEL_PRIMARY;
    }
    const spelling *s = &spellings[e->op];
    if (s->kind == UNSIGNED) return is_plain_unsigned(e, s) ? s->level : LEVEL_PRIMARY;
    return s->kind == INFIX || s->kind == PREFIX || s->kind == NOT_INFIX ? s->level : LEVEL_PRIMARY;
}

static void put_select(ilc__text *out, const ilc__expr *e, ilc__vb_want want)
{
    ilc__text_puts(out, "If(");
    put(out, e->args[0], ILC__VB_TRUTH);
    for (uint32_t i = 1; i < 3; i++) {
        ilc__text_puts(out, ", ");
        if (want == ILC__VB_TRUTH) put_truth_side(out, e->args[i], LEVEL_NONE);
        else put(out, e->args[i], want);
    }
    ilc__text_putc(out, ')');
}

static void put_chain(ilc__text *out, const ilc__expr *e)
{
    int level = e->kind == ILC__EX_AND ? LEVEL_AND : LEVEL_OR;
    put_at(out, e->args[0], ILC__VB_TRUTH, level);
    ilc__text_puts(out, e->kind == ILC__EX_AND ? " AndAlso " : " OrElse ");
    /* a And (b And c) is (a And b) And c */
    put_at(out, e->args[1], ILC__VB_TRUTH, e->args[1]->kind == e->kind ? level : level + 1);
}

/* The first element of what C# writes as `fixed float taps[4]`: taps(0). */
static bool is_buffer(const ilc__expr *e)
{
    return e->kind == ILC__EX_FIELDADDR && strcmp(e->layout->fields[e->u.field].name, "FixedElementField") == 0;
}

/* What is counted in elements, where the bytes are an index times their size; NULL else. */
static const ilc__expr *index_of(const ilc__expr *e)
{
    const ilc__expr *base = e->args[0];
    bool same = base->kind == ILC__EX_VAR && base->u.var->is_pointer && base->u.var->layout == e->layout &&
                (e->layout || base->u.var->storage == e->storage);
    same = same || (is_buffer(base) && base->layout->fields[0].storage == e->storage && !e->layout);
    uint32_t size = e->layout ? e->layout->size : ilc_storage_size(e->storage);
    return same ? ilc__bytes_index(e->args[1], size) : NULL;
}

/* taps(2): a constant place in a buffer. */
static bool put_buffer_at(ilc__text *out, const ilc__expr *e)
{
    const ilc__expr *base = e->args[0], *bytes = e->args[1];
    int64_t          size = ilc_storage_size(e->storage);
    if (!is_buffer(base) || e->layout || base->layout->fields[0].storage != e->storage) return false;
    if (bytes->kind != ILC__EX_CONST || (int64_t)bytes->u.bits % size) return false;
    put_at(out, base->args[0], ILC__VB_VALUE, LEVEL_PRIMARY);
    ilc__text_printf(out, "(%lld)", (long long)((int64_t)bytes->u.bits / size));
    return true;
}

static void put_moved(ilc__text *out, const ilc__expr *e)
{
    const ilc__expr *index = index_of(e);
    if (put_buffer_at(out, e)) return;
    if (index) {
        if (is_buffer(e->args[0])) put_at(out, e->args[0]->args[0], ILC__VB_VALUE, LEVEL_PRIMARY);
        else ilc__vb_var(out, e->args[0]->u.var);
        ilc__text_putc(out, '(');
        put(out, index, ILC__VB_VALUE);
    } else {
        ilc__text_puts(out, "At(Of ");
        ilc__vb_put_type(out, e->storage, e->layout);
        ilc__text_puts(out, ")(");
        ilc__vb_pointer(out, e);
    }
    ilc__text_putc(out, ')');
}

/* Of bytes: `p + 4`; the address of a place is AddressOf it. */
void ilc__vb_pointer(ilc__text *out, const ilc__expr *e)
{
    if (e->kind == ILC__EX_VAR && e->u.var->is_pointer) {
        ilc__vb_var(out, e->u.var);
    } else if (e->kind == ILC__EX_CONST) {
        put(out, e, ILC__VB_VALUE);
    } else if (e->kind == ILC__EX_ADDADDR && ilc__expr_is_const(e->args[1], 0)) {
        ilc__vb_pointer(out, e->args[0]);
    } else if (e->kind == ILC__EX_ADDADDR) {
        ilc__vb_pointer(out, e->args[0]);
        ilc__text_puts(out, " + ");
        put_at(out, e->args[1], ILC__VB_VALUE, LEVEL_ADD + 1);
    } else {
        ilc__text_puts(out, "AddressOf ");
        put(out, e, ILC__VB_VALUE);
    }
}

static void put_plain(ilc__text *out, const ilc__expr *e, ilc__vb_want want)
{
    switch (e->kind) {
    case ILC__EX_CONST: put_const(out, e); return;
    case ILC__EX_VAR:
    case ILC__EX_SLOTADDR:
        ilc__vb_var(out, e->u.var);
        if (e->kind == ILC__EX_VAR && e->u.var->is_pointer) ilc__text_puts(out, "(0)");
        return;
    case ILC__EX_ADDADDR: put_moved(out, e); return;
    case ILC__EX_ADDRINT:
    case ILC__EX_NONNULL:
        ilc__text_puts(out, e->kind == ILC__EX_ADDRINT ? "Address(" : "NotNothing(");
        ilc__vb_pointer(out, e->args[0]);
        ilc__text_putc(out, ')');
        return;
    case ILC__EX_LOADIND: put_at(out, e->args[0], ILC__VB_VALUE, LEVEL_PRIMARY); return;
    case ILC__EX_FIELDADDR:
        put_at(out, e->args[0], ILC__VB_VALUE, LEVEL_PRIMARY);
        if (is_buffer(e)) {
            ilc__text_puts(out, "(0)");
            return;
        }
        ilc__text_putc(out, '.');
        put_field(out, e);
        return;
    case ILC__EX_OP: put_op(out, e); return;
    case ILC__EX_ELEMADDR:
    case ILC__EX_LOAD:
        put_at(out, e->args[0], ILC__VB_VALUE, LEVEL_PRIMARY);
        ilc__text_putc(out, '(');
        put(out, e->args[1], ILC__VB_VALUE);
        ilc__text_putc(out, ')');
        return;
    case ILC__EX_LEN:
        put_at(out, e->args[0], ILC__VB_VALUE, LEVEL_PRIMARY);
        ilc__text_puts(out, e->type == ILC__IR_I64 ? ".LongLength" : ".Length");
        return;
    case ILC__EX_SUBSCRIPTS:
        for (uint32_t i = 0; i < e->arg_count; i++) {
            if (i) ilc__text_puts(out, ", ");
            put(out, e->args[i], ILC__VB_VALUE);
        }
        return;
    case ILC__EX_DIM:
        put_at(out, e->args[0], ILC__VB_VALUE, LEVEL_PRIMARY);
        ilc__text_puts(out, ".GetLength(");
        put(out, e->args[1], ILC__VB_VALUE);
        ilc__text_putc(out, ')');
        return;
    case ILC__EX_ISNULL:
    case ILC__EX_SAMEREF:
        put_at(out, e->args[0], ILC__VB_VALUE, LEVEL_COMPARE);
        ilc__text_puts(out, " Is ");
        if (e->kind == ILC__EX_ISNULL) ilc__text_puts(out, "Nothing");
        else put_at(out, e->args[1], ILC__VB_VALUE, LEVEL_COMPARE + 1);
        return;
    case ILC__EX_NEWARR:
        if (e->u.var->table) {
            ilc__text_puts(out, e->u.var->table->name);
            return;
        }
        ilc__text_puts(out, "New ");
        ilc__vb_put_type(out, e->u.var->storage, NULL);
        if (e->args[0]->kind == ILC__EX_CONST) { /* by the last index */
            ilc__text_printf(out, "(%d) {}", (int32_t)(uint32_t)e->args[0]->u.bits - 1);
            return;
        }
        ilc__text_putc(out, '(');
        put_at(out, e->args[0], ILC__VB_VALUE, LEVEL_ADD);
        ilc__text_puts(out, " - 1) {}");
        return;
    case ILC__EX_CALL: put_method(out, e); return;
    case ILC__EX_AND:
    case ILC__EX_OR: put_chain(out, e); return;
    case ILC__EX_NOT:
        ilc__text_puts(out, "Not ");
        put_at(out, e->args[0], ILC__VB_TRUTH, LEVEL_NOT);
        return;
    case ILC__EX_SELECT: put_select(out, e, want); return;
    }
}

static void put(ilc__text *out, const ilc__expr *e, ilc__vb_want want)
{
    switch (turn_for(e, want)) {
    case DENY:
        ilc__text_puts(out, "Not ");
        put_at(out, e->args[0], ILC__VB_TRUTH, LEVEL_NOT);
        return;
    case TEST:
        put_at(out, e, ILC__VB_VALUE, LEVEL_COMPARE);
        ilc__text_puts(out, e->type == ILC__IR_REF ? " IsNot Nothing" : " <> 0");
        return;
    case CHOOSE:
        ilc__text_puts(out, "If(");
        put_plain(out, e, ILC__VB_TRUTH);
        ilc__text_puts(out, ", 1, 0)");
        return;
    case AS_IT_IS: put_plain(out, e, want); return;
    }
}

void ilc__vb_expr(ilc__text *out, const ilc__expr *e, ilc__vb_want want)
{
    put(out, e, want);
}

void ilc__vb_text(ilc__text *out, const ilc__func *func, const ilc__expr *e)
{
    if (e->kind == ILC__EX_SELECT) {
        ilc__text_puts(out, "If(");
        put(out, e->args[0], ILC__VB_TRUTH);
        for (uint32_t i = 1; i < 3; i++) {
            ilc__text_puts(out, ", ");
            ilc__vb_text(out, func, e->args[i]);
        }
        ilc__text_putc(out, ')');
    } else if (e->kind != ILC__EX_CONST) {
        put(out, e, ILC__VB_VALUE);
    } else if (e->u.bits && func->strings && e->u.bits < func->strings->count) {
        ilc__vb_string(out, func->strings->items[e->u.bits]);
    } else {
        ilc__text_puts(out, "Nothing");
    }
}

void ilc__vb_value(ilc__text *out, const ilc__expr *e, ilc_storage storage)
{
    if (e->kind == ILC__EX_CONST && storage == ILC_U64 && (int64_t)e->u.bits < 0) {
        ilc__text_printf(out, "%lluUL", (unsigned long long)e->u.bits);
    } else if (e->kind == ILC__EX_CONST && storage == ILC_U32 && (int32_t)(uint32_t)e->u.bits < 0) {
        ilc__text_printf(out, "%uUI", (unsigned)e->u.bits);
    } else if (storage != ILC_BOOL) {
        put(out, e, ILC__VB_VALUE);
    } else if (ilc__expr_is_bool(e)) {
        put(out, e, ILC__VB_TRUTH);
    } else if (e->kind == ILC__EX_CONST) {
        ilc__text_puts(out, (uint32_t)e->u.bits ? "True" : "False");
    } else {
        ilc__text_puts(out, "CBool(");
        put(out, e, ILC__VB_VALUE);
        ilc__text_putc(out, ')');
    }
}

const char *ilc__vb_compound(ilc__op op)
{
    const spelling *s = &spellings[op];
    if (s->kind != INFIX) return NULL;
    return s->level == LEVEL_ADD || s->level == LEVEL_MULTIPLY || s->level == LEVEL_INT_DIVIDE ||
                   s->level == LEVEL_SHIFT
               ? s->text
               : NULL;
}

bool ilc__vb_same(const ilc__expr *x, const ilc__expr *y)
{
    if (x->kind != y->kind || x->type != y->type || x->op != y->op || x->arg_count != y->arg_count) return false;
    if (x->kind == ILC__EX_CALL) return false;
    if (x->kind == ILC__EX_CONST) return x->u.bits == y->u.bits;
    if (x->kind == ILC__EX_VAR || x->kind == ILC__EX_SLOTADDR) return x->u.var == y->u.var;
    if (x->kind == ILC__EX_FIELDADDR && x->u.field != y->u.field) return false;
    for (uint32_t i = 0; i < x->arg_count; i++)
        if (!ilc__vb_same(x->args[i], y->args[i])) return false;
    return true;
}
