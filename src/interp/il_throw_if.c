/* il_throw_if.c - the framework's methods that throw if something holds, by name: ArgumentNullException.ThrowIfNull, and
 * ArgumentOutOfRangeException.ThrowIfZero and its kind over numbers. Those that a message shows read "...". */
#include <math.h>

#include "interp/il_exceptions.h"
#include "interp/il_translate.h"

static const struct {
    const char *name;
    uint32_t    operands;
    ilc__il_relation throws;
    const char *must;
} rows[] = {
    {"ThrowIfNegative", 1, ILC__IL_LESS, "must be a non-negative value"},
    {"ThrowIfNegativeOrZero", 1, ILC__IL_LESS | ILC__IL_EQUAL, "must be a non-negative and non-zero value"},
    {"ThrowIfZero", 1, ILC__IL_EQUAL, "must be a non-zero value"},
    {"ThrowIfEqual", 2, ILC__IL_EQUAL, "must not be equal to '...'"},
    {"ThrowIfNotEqual", 2, ILC__IL_LESS | ILC__IL_GREATER, "must be equal to '...'"},
    {"ThrowIfGreaterThan", 2, ILC__IL_GREATER, "must be less than or equal to '...'"},
    {"ThrowIfGreaterThanOrEqual", 2, ILC__IL_GREATER | ILC__IL_EQUAL, "must be less than '...'"},
    {"ThrowIfLessThan", 2, ILC__IL_LESS, "must be greater than or equal to '...'"},
    {"ThrowIfLessThanOrEqual", 2, ILC__IL_LESS | ILC__IL_EQUAL, "must be greater than '...'"},
};

enum { NO_ROW = -1 };

static int row_of(const ilc__callee *callee)
{
    const ilc__signature *sig = &callee->sig;
    if (strcmp(callee->type_name, "System.ArgumentOutOfRangeException") != 0 || sig->has_this || sig->param_count < 2)
        return NO_ROW;
    ilc_storage  storage = ilc__type_storage(sig->params[0]);
    ilc__il_kind kind = ilc__il_storage_kind(storage);
    bool         is_float = kind == ILC__K_R4 || kind == ILC__K_R8;
    if (storage == ILC_STORAGE_COUNT || storage == ILC_BOOL || (!is_float && kind != ILC__K_I4 && kind != ILC__K_I8)) return NO_ROW;
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++)
        if (is_float && rows[i].operands == 1 && rows[i].throws != ILC__IL_EQUAL) continue; /* a NaN's sign decides */
        else if (strcmp(rows[i].name, callee->name) == 0 && rows[i].operands + 1 == sig->param_count) return i;
    return NO_ROW;
}

static bool is_null_test(const ilc__callee *callee)
{
    return strcmp(callee->type_name, "System.ArgumentNullException") == 0 && strcmp(callee->name, "ThrowIfNull") == 0 &&
           !callee->sig.has_this && callee->sig.param_count == 2 && callee->sig.params[1]->kind == ILC__ET_STRING;
}

bool ilc__il_is_throw_if(const ilc__callee *callee)
{
    return is_null_test(callee) || row_of(callee) != NO_ROW;
}

static ilc__il_test *new_test(ilc__il_translator *t, const char *type, const char *message)
{
    ilc__arena        *arena = t->machine->arena;
    ilc__il_test      *test = ILC__NEW(arena, ilc__il_test);
    ilc__il_exception *made = ILC__NEW(arena, ilc__il_exception);
    made->type = type;
    made->message = message;
    test->exception = made;
    return test;
}

static ilc__il_test *number_test(ilc__il_translator *t, const ilc__callee *callee, const char *name)
{
    int           row = row_of(callee);
    ilc_storage   storage = ilc__type_storage(callee->sig.params[0]);
    ilc__il_kind  kind = ilc__il_storage_kind(storage);
    bool          is_float = kind == ILC__K_R4 || kind == ILC__K_R8; /* zero may be -0 */
    const char   *value = !is_float && rows[row].operands == 1 && rows[row].throws == ILC__IL_EQUAL ? "0" : "...";
    ilc__il_test *test = new_test(t, "System.ArgumentOutOfRangeException",
                                  ilc__arena_printf(t->machine->arena, "%s ('%s') %s. (Parameter '%s')\nActual value was %s.",
                                                    name, value, rows[row].must, name, value));
    test->throws = rows[row].throws;
    test->wide = ilc__il_storage_kind(storage) == ILC__K_I8;
    test->is_unsigned = storage == ILC_U32 || storage == ILC_U64 || storage == ILC_UINT;
    test->has_other = rows[row].operands == 2;
    test->is_single = kind == ILC__K_R4;
    test->is_double = kind == ILC__K_R8;
    return test;
}

ilc_status ilc__il_throw_if(ilc__il_translator *t, const ilc__callee *callee)
{
    uint32_t             count = callee->sig.param_count;
    ilc__il_test        *test;
    ILC__TRY(ilc__il_need(t, count));
    const ilc__il_cell *name = ilc__il_cell_at(t, 0), *value = ilc__il_cell_at(t, count - 1);
    if (name->kind != ILC__K_STRING || !name->known)
        return ilc__il_refuse(t, ILC_UNSUPPORTED, "call to %s.%s with a name that is not constant", callee->type_name,
                              callee->name);
    const char *text = name->text;
    if (is_null_test(callee)) {
        if (value->kind != ILC__K_ARRAY && value->kind != ILC__K_NULL)
            return ilc__il_refuse(t, ILC_UNSUPPORTED, "call to %s.%s of %s", callee->type_name, callee->name,
                                  ilc__il_kind_name(value->kind));
        const char *type = "System.ArgumentNullException";
        test = new_test(t, type, ilc__il_exception_message(t->machine->arena, type, "s", &text));
        test->throws = ILC__IL_EQUAL;
        test->wide = true; /* a reference's bits */
    } else {
        for (uint32_t i = 0; i + 1 < count; i++) {
            ilc__il_variable to;
            ILC__TRY(ilc__il_describe(t, callee->sig.params[i], &to));
            ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, count - 1 - i), ilc__il_slot_at(t, count - 1 - i), &to));
        }
        test = number_test(t, callee, text);
    }
    ilc__il_emit(t, ILC__DO_THROW_IF, ilc__il_slot_at(t, count - 1))->u.test = test;
    t->depth -= count;
    return ILC_OK;
}

/* Double.CompareTo: a NaN comes before all numbers, and is equal to a NaN. */
static ilc__il_relation compare_floats(double a, double b)
{
    if (a < b) return ILC__IL_LESS;
    if (a > b) return ILC__IL_GREATER;
    if (a == b) return ILC__IL_EQUAL;
    if (isnan(a)) return isnan(b) ? ILC__IL_EQUAL : ILC__IL_LESS;
    return ILC__IL_GREATER;
}

bool ilc__il_test_holds(const ilc__il_test *test, const ilc__il_slot *d)
{
    if (test->is_single) return (test->throws & compare_floats(d[0].r4, test->has_other ? d[1].r4 : 0)) != 0;
    if (test->is_double) return (test->throws & compare_floats(d[0].r8, test->has_other ? d[1].r8 : 0)) != 0;
    int64_t a = test->wide ? d[0].i8 : d[0].i4, b = !test->has_other ? 0 : test->wide ? d[1].i8 : d[1].i4;
    bool    less = test->is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
    return (test->throws & (a == b ? ILC__IL_EQUAL : less ? ILC__IL_LESS : ILC__IL_GREATER)) != 0;
}
