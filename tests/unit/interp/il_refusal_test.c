/* il_refusal_test.c - what the judge refuses, before anything runs: methods that hold what it does not know, and
 * IL that is not valid. Code is put into IlCases.Template's body byte by byte. */
#include "il_cases.h"

enum { NOP = 0x00, LDNULL = 0x14, POP = 0x26, RET = 0x2a, ADD = 0x58, THROW = 0x7a };

static const char *last_reason(const cases *c)
{
    assert_true(c->ctx.diags.count > 0);
    return c->ctx.diags.items[c->ctx.diags.count - 1].reason;
}

static ilc_status call_zero(const cases *c, const char *name, ilc_outcome *out)
{
    static ilc_value   args[8];
    static uint64_t    zero;
    static ilc_array   one[8];
    const ilc__method *method = find_method(c, name);
    for (uint32_t i = 0; i < method->sig.param_count; i++) {
        const ilc__type *type = method->sig.params[i];
        bool             is_byref = type->kind == ILC__ET_BYREF, is_array = type->kind == ILC__ET_SZARRAY || is_byref;
        ilc_storage      storage = ilc__type_storage(is_array ? type->elem : type);
        args[i] = (ilc_value){.storage = storage, .is_array = is_array, .is_byref = is_byref};
        one[i] = (ilc_array){.elem = storage, .length = 1, .data = &zero};
        if (is_byref) args[i].u.array = &one[i];
    }
    return ilc__il_call(c->machine, method, args, method->sig.param_count, NULL, out);
}

static void check_refused(const cases *c, const char *name, const char *reason, const char *in, uint32_t il)
{
    ilc_outcome out;
    assert_int_equal(call_zero(c, name, &out), ILC_UNSUPPORTED);
    const ilc__diag *diag = &c->ctx.diags.items[c->ctx.diags.count - 1];
    assert_memory_equal(diag->reason, reason, strlen(reason)); /* of the framework's code, why in brackets behind it */
    assert_string_equal(diag->where.method, in);
    assert_true(diag->where.has_il);
    assert_int_equal(diag->where.il, il);
}

static void what_is_not_supported_is_refused_by_name_and_place(void **state)
{
    const cases *c = *state;
    check_refused(c, "CallsOther", "call to System.Math.Atanh", "IlCases.CallsOther", 1);
    check_refused(c, "StaticField", "the static field System.String.Empty of type System.String", "IlCases.StaticField", 0);
    check_refused(c, "MakesObject", "creation of System.Object", "IlCases.MakesObject", 0);
}

static void a_string_may_be_chosen_before_it_is_thrown(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    assert_int_equal(call_zero(c, "ThrowsComputed", &out), ILC_OK);
    assert_true(out.trapped);
    assert_string_equal(out.trap.exception, "System.Exception");
    assert_string_equal(out.trap.message, "a");
}

/* CoreCLR stores what the register's upper half held: nothing that could be answered. */
static void an_int32_is_not_stored_into_64_bits(void **state)
{
    const cases *c = *state;
    check_refused(c, "NativeElementOfInt", "stelem.i of int32", "IlCases.NativeElementOfInt", 4);
    check_refused(c, "UnsignedElementOfInt", "stelem.i of int32", "IlCases.UnsignedElementOfInt", 4);
    check_refused(c, "LongElementOfInt", "stelem.i8 of int32", "IlCases.LongElementOfInt", 4);
    check_refused(c, "RefNativeOfInt", "stind.i of int32", "IlCases.RefNativeOfInt", 3);
    check_refused(c, "LongRefOfInt", "stind.i8 of int32", "IlCases.LongRefOfInt", 3);
    check_refused(c, "LengthStored", "stelem.i of int32", "IlCases.LengthStored", 4);
}

static void addresses_are_no_numbers_and_lead_to_their_type_only(void **state)
{
    const cases *c = *state;
    check_refused(c, "RefToNumber", "conv.i4 of a by-ref", "IlCases.RefToNumber", 2);
    check_refused(c, "RefAsFloat", "ldind.r4 at the address of Int32", "IlCases.RefAsFloat", 1);
    check_refused(c, "RefAsLong", "ldind.i8 at the address of Int32", "IlCases.RefAsLong", 1);
    check_refused(c, "RefOfObject", "instruction ldind.ref", "IlCases.RefOfObject", 1);
    check_refused(c, "AddressOfArray", "ldarga.s of a variable of type System.Int32[]", "IlCases.AddressOfArray", 0);
    check_refused(c, "AddressOfRef", "ldarga.s of a variable of type System.Int32&", "IlCases.AddressOfRef", 0);
    check_refused(c, "WrongRefPassed", "call of a by-ref as System.Double&", "IlCases.WrongRefPassed", 2);
    check_refused(c, "RefsJoinDiffer",
                  "values of different types on the stack on two ways to one instruction", "IlCases.RefsJoinDiffer", 12);
}

static void addresses_compare_and_move_but_never_leave_the_arrays(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    assert_int_equal(call_zero(c, "CompareRefs", &out), ILC_OK);
    assert_int_equal(out.ret.u.bits, 1); /* both are of one place here */
    assert_int_equal(call_zero(c, "RefIsTrue", &out), ILC_OK);
    assert_int_equal(out.ret.u.bits, 1);
    assert_int_equal(call_zero(c, "RefPlus", &out), ILC_INVALID);
    const ilc__diag *diag = &c->ctx.diags.items[c->ctx.diags.count - 1];
    assert_string_equal(diag->reason, "an address outside every array");
    assert_string_equal(diag->where.method, "IlCases.RefPlus");
}

static void structures_are_of_one_type(void **state)
{
    const cases *c = *state;
    check_refused(c, "RefAsStruct", "ldfld V2.x of a by-ref", "IlCases.RefAsStruct", 1);
    check_refused(c, "OtherStruct", "ldfld V2.x of a structure One", "IlCases.OtherStruct", 2);
    check_refused(c, "OtherStructPassed", "call of a structure as V2", "IlCases.OtherStructPassed", 6);
    check_refused(c, "ValueIsNoAddress", "ldflda V2.x of a structure", "IlCases.ValueIsNoAddress", 1);
    check_refused(c, "StructWithString", "the struct Holds: a field of type System.String (field s)",
                  "IlCases.StructWithString", 0);
    check_refused(c, "EqualsOfTuple", "call to System.ValueTuple`2.GetHashCode", "IlCases.EqualsOfTuple", 2);
    check_refused(c, "RefResult", "a result of type System.Int32&", "IlCases.RefResult", 0);
}

static void what_a_caller_prepared_is_refused_from_outside_all_the_same(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    assert_int_equal(call_zero(c, "ArgumentIsACopy", &out), ILC_OK);
    assert_int_equal(call_zero(c, "NewInLocal", &out), ILC_OK);
    check_refused(c, "RefResult", "a result of type System.Int32&", "IlCases.RefResult", 0);
    assert_int_equal(call_zero(c, "ArgumentIsACopy", &out), ILC_OK);
}

static void refusal_reaches_callees_and_arms_that_do_not_run(void **state)
{
    const cases *c = *state;
    check_refused(c, "CallsCallsOther", "call to System.Math.Atanh", "IlCases.CallsOther", 1);
    check_refused(c, "CallsCallsOther", "call to System.Math.Atanh", "IlCases.CallsOther", 1);
    check_refused(c, "UnreachedOther", "call to System.Math.Atanh", "IlCases.UnreachedOther", 7);
}

static void code_that_no_branch_reaches_is_no_reason_to_refuse(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    assert_int_equal(call_zero(c, "DeadCode", &out), ILC_OK);
}

/* --- hand-assembled bodies: int32 Template(int32, int64, float32, float64, int32[], uint8) ------------------- */

static uint8_t *template_code(cases *c)
{
    const uint8_t *bytes;
    size_t         size;
    assert_int_equal(ilc__image_body_bytes(c->image, find_method(c, "Template"), &bytes, &size), ILC_OK);
    assert_int_equal(bytes[0] & 3, 3); /* fat: II.25.4.3 */
    return c->bytes + (bytes - c->bytes) + 12;
}

/* Puts code in front of the nops; what follows is 0 as int32, ret. */
static ilc_status run_code(cases *c, const uint8_t *code, size_t size, ilc_outcome *out)
{
    memcpy(template_code(c), code, size);
    return call_zero(c, "Template", out);
}

#define RUN(status, ...)                                                                                     \
    do {                                                                                                     \
        void         *opened = NULL;                                                                         \
        ilc_outcome   out_;                                                                                  \
        const uint8_t code_[] = {__VA_ARGS__};                                                               \
        open_cases(&opened);                                                                                 \
        assert_int_equal(run_code(opened, code_, sizeof code_, &out_), status);                              \
        close_cases(&opened);                                                                                \
    } while (0)

#define REFUSES(expected, ...)                                                                               \
    do {                                                                                                     \
        void         *opened = NULL;                                                                         \
        ilc_outcome   out_;                                                                                  \
        const uint8_t code_[] = {__VA_ARGS__};                                                               \
        open_cases(&opened);                                                                                 \
        assert_int_equal(run_code(opened, code_, sizeof code_, &out_), ILC_UNSUPPORTED);                     \
        assert_string_equal(last_reason(opened), expected);                                                  \
        close_cases(&opened);                                                                                \
    } while (0)

static void valid_bytes_run(void **state)
{
    (void)state;
    RUN(ILC_OK, NOP);
    RUN(ILC_OK, 0x02, POP);             /* ldarg.0; pop */
    RUN(ILC_OK, 0x0f, 0x00, 0x4a, POP); /* ldarga.s 0; ldind.i4; pop */
    RUN(ILC_OK, 0x0f, 0x05, 0x47, POP); /* ldarga.s 5; ldind.u1 */
    RUN(ILC_OK, 0x12, 0x03, 0x05, NOP, 0x57); /* ldloca.s 3; ldarg.3; nop; stind.r8 */
    RUN(ILC_OK, 0x0e, 0x04, POP);       /* ldarg.s 4 */
    RUN(ILC_OK, 0xfe, 0x14, NOP);       /* tail. */
    RUN(ILC_OK, LDNULL, THROW);         /* traps */
    RUN(ILC_OK, 0x02, 0x45, 0, 0, 0, 0); /* switch of no targets */
}

/* CoreCLR's code for a debugger has 2^31 for 0 - Int32.MinValue where it is divided (docs/testing.md). */
static void zero_less_the_least_integer_is_the_least_integer_where_it_is_divided(void **state)
{
    ilc_outcome out;
    (void)state;
    for (int divisor = 1; divisor <= 3; divisor += 2) {
        const uint8_t code[] = {0x16, 0x20, 0, 0, 0, 0x80, 0x59, (uint8_t)(0x16 + divisor), 0x5b, RET};
        void         *opened = NULL;
        open_cases(&opened);
        assert_int_equal(run_code(opened, code, sizeof code, &out), ILC_OK);
        assert_int_equal((int32_t)out.ret.u.bits, INT32_MIN / divisor);
        close_cases(&opened);
    }
}

static void stacks_that_do_not_fit_are_broken_input(void **state)
{
    (void)state;
    RUN(ILC_FORMAT, ADD);                         /* too few values */
    RUN(ILC_FORMAT, POP);
    RUN(ILC_FORMAT, RET);                         /* no result */
    RUN(ILC_FORMAT, THROW);
    RUN(ILC_FORMAT, 0x25);                        /* dup of nothing */
    RUN(ILC_FORMAT, 0x8e);                        /* ldlen of nothing */
    RUN(ILC_FORMAT, 0x4a);                        /* ldind.i4 of nothing */
    RUN(ILC_FORMAT, 0x02, 0x54);                  /* stind.i4 of one value */
    RUN(ILC_FORMAT, 0x0f, 0x00, 0x54);
    RUN(ILC_FORMAT, 0x02, 0x02, RET);             /* two values at ret */
    RUN(ILC_FORMAT, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02); /* deeper than declared */
    RUN(ILC_FORMAT, 0x02, 0x2d, 0x01, 0x02, NOP, RET); /* brtrue past ldarg.0: depth 0 or 1 */
    RUN(ILC_FORMAT, 0x02, 0x2b, 0xfd);            /* ldarg.0; br back to it: deeper each turn */
}

static void variables_that_do_not_exist_are_broken_input(void **state)
{
    (void)state;
    RUN(ILC_FORMAT, 0x0e, 0x06);       /* ldarg.s 6 */
    RUN(ILC_FORMAT, 0x0f, 0x06);       /* ldarga.s 6 */
    RUN(ILC_FORMAT, 0x12, 0x06);       /* ldloca.s 6 */
    RUN(ILC_FORMAT, 0x11, 0x06);       /* ldloc.s 6 */
    RUN(ILC_FORMAT, 0x02, 0x13, 0xff); /* stloc.s 255 */
    RUN(ILC_FORMAT, 0x02, 0xfe, 0x0b, 0xff, 0xff); /* starg 65535 */
}

static void kinds_that_an_instruction_does_not_take_are_refused(void **state)
{
    (void)state;
    REFUSES("add of int32 and float32", 0x02, 0x04, ADD);
    REFUSES("add of an array and int32", 0x0e, 0x04, 0x02, ADD);
    REFUSES("and of float64 and float64", 0x05, 0x05, 0x5f);
    REFUSES("brtrue.s of float64", 0x05, 0x2d, 0x00);
    REFUSES("clt of an array and null", 0x0e, 0x04, LDNULL, 0xfe, 0x04);
    REFUSES("ldlen of int32", 0x02, 0x8e);
    REFUSES("throw of int32", 0x02, THROW);
    REFUSES("switch of int64", 0x03, 0x45, 0, 0, 0, 0);
    REFUSES("ldelem.r4 on an array of Int32", 0x0e, 0x04, 0x02, 0x98);
    REFUSES("ldelem.i1 on an array of Int32", 0x0e, 0x04, 0x02, 0x90);
    REFUSES("ldelem.i4 with float64 as index", 0x0e, 0x04, 0x05, 0x94);
    REFUSES("stelem.i4 of float32", 0x0e, 0x04, 0x02, 0x04, 0x9e);
    REFUSES("stloc.0 of float32 as System.Int32", 0x04, 0x0a);
    REFUSES("stloc.s of int32 as System.Int32[]", 0x02, 0x13, 0x05);
    REFUSES("ret of float64 as System.Int32", 0x05, RET);
    REFUSES("values of different types on the stack on two ways to one instruction",
            0x02, 0x2d, 0x03, 0x02, 0x2b, 0x01, 0x05, POP); /* int32 or float64 */
}

static void instructions_outside_the_numeric_core_are_refused(void **state)
{
    (void)state;
    REFUSES("localloc of float32", 0x22, 0x00, 0x00, 0x80, 0x3f, 0xfe, 0x0f);
    REFUSES("ldind.i4 of int32", 0x02, 0x4a);
    REFUSES("stind.i4 of int32", 0x02, 0x02, 0x54);
    REFUSES("stind.i4 of float32 as Int32", 0x0f, 0x00, 0x04, 0x54);
    REFUSES("stloc.0 of a by-ref as System.Int32", 0x0f, 0x00, 0x0a);
    REFUSES("ret of a by-ref as System.Int32", 0x0f, 0x00, RET);
    REFUSES("throw of a by-ref", 0x0f, 0x00, THROW);
    REFUSES("ldlen of a by-ref", 0x0f, 0x00, 0x8e);
    REFUSES("instruction ckfinite", 0x05, 0xc3);
    REFUSES("instruction arglist", 0xfe, 0x00);
    REFUSES("instruction rethrow", 0xfe, 0x1a);
    REFUSES("instruction break", 0x01);
    REFUSES("ldelem.ref of an array and int32", 0x0e, 0x04, 0x02, 0x9a);
}

static void tokens_that_lead_nowhere_are_failures(void **state)
{
    (void)state;
    void       *opened = NULL;
    ilc_outcome out;
    const uint8_t codes[][5] = {
        {0x28, 0xff, 0xff, 0x00, 0x0a}, {0x28, 0, 0, 0, 0}, {0x73, 0xff, 0xff, 0xff, 0x06}, {0x72, 0xff, 0xff, 0xff, 0x70},
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        open_cases(&opened);
        assert_int_not_equal(run_code(opened, codes[i], 5, &out), ILC_OK);
        close_cases(&opened);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_cases, close_cases)
    const struct CMUnitTest tests[] = {
        TEST(what_is_not_supported_is_refused_by_name_and_place),
        TEST(a_string_may_be_chosen_before_it_is_thrown),
        TEST(an_int32_is_not_stored_into_64_bits),
        TEST(addresses_are_no_numbers_and_lead_to_their_type_only),
        TEST(addresses_compare_and_move_but_never_leave_the_arrays),
        TEST(structures_are_of_one_type),
        TEST(what_a_caller_prepared_is_refused_from_outside_all_the_same),
        TEST(refusal_reaches_callees_and_arms_that_do_not_run),
        TEST(code_that_no_branch_reaches_is_no_reason_to_refuse),
        cmocka_unit_test(valid_bytes_run),
        cmocka_unit_test(zero_less_the_least_integer_is_the_least_integer_where_it_is_divided),
        cmocka_unit_test(stacks_that_do_not_fit_are_broken_input),
        cmocka_unit_test(variables_that_do_not_exist_are_broken_input),
        cmocka_unit_test(kinds_that_an_instruction_does_not_take_are_refused),
        cmocka_unit_test(instructions_outside_the_numeric_core_are_refused),
        cmocka_unit_test(tokens_that_lead_nowhere_are_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
