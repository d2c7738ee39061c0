/* cli_values_test.c - values of requests: exact integers, decimals rounded once, bits, arrays, sharing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <json-c/json.h>
#include <string.h>

#include "values.h"

/* The value of the JSON text as one of that type, or a failure. */
static bool take(const char *text, ilc_storage storage, uint64_t *bits)
{
    const char         *reason;
    struct json_object *json = json_parse_exact(text, strlen(text), &reason);
    value_pool          pool = {0};
    ilc_param           param = {.name = "x", .type = "T", .storage = storage};
    ilc_value           value;
    bool                null = strcmp(text, "null") == 0;
    bool                taken = (json || null) && !value_parse(&pool, json, &param, NULL, 0, &value);
    if (taken) *bits = value.u.bits;
    pool_free(&pool);
    json_object_put(json);
    return taken;
}

static void expect(const char *text, ilc_storage storage, uint64_t wanted)
{
    uint64_t bits = 0;
    if (!take(text, storage, &bits)) fail_msg("%s was refused", text);
    assert_int_equal(bits, wanted);
}

static void refuse(const char *text, ilc_storage storage)
{
    uint64_t bits;
    if (take(text, storage, &bits)) fail_msg("%s was taken", text);
}

static void integers_are_exact_to_64_bits(void **state)
{
    (void)state;
    expect("9223372036854775807", ILC_I64, INT64_MAX);
    expect("-9223372036854775808", ILC_I64, (uint64_t)INT64_MIN);
    expect("18446744073709551615", ILC_U64, UINT64_MAX);
    expect("\"18446744073709551615\"", ILC_U64, UINT64_MAX);
    expect("-1", ILC_I8, UINT64_MAX);
    expect("255", ILC_U8, 255);
    refuse("256", ILC_U8);
    refuse("-1", ILC_U8);
    refuse("-129", ILC_I8);
    refuse("2147483648", ILC_I32);
    refuse("9223372036854775808", ILC_I64);
    refuse("18446744073709551616", ILC_U64);
    refuse("1.0", ILC_I32);
    refuse("\"1e3\"", ILC_I32);
    refuse("\"\"", ILC_I32);
    refuse("\"-\"", ILC_I32);
    refuse("true", ILC_I32);
    refuse("null", ILC_I32);
}

static void decimals_round_once_to_the_type(void **state)
{
    (void)state;
    expect("0.1", ILC_F32, 0x3dcccccd);
    /* Halfway between two Singles but for a digit that a Double drops. */
    expect("1.00000005960464477539062500000000000001", ILC_F32, 0x3f800001);
    expect("16777217", ILC_F32, 0x4b800000);
    expect("-0", ILC_F32, 0x80000000);
    expect("-0", ILC_F64, 0x8000000000000000u);
    expect("-0.0", ILC_F32, 0x80000000);
    expect("123456789012345678901234567890", ILC_F64, 0x45f8ee90ff6c373eu);
    expect("1e400", ILC_F64, 0x7ff0000000000000u);
    expect("9007199254740993", ILC_F64, 0x4340000000000000u);
}

static void special_numbers_and_bits_are_strings(void **state)
{
    (void)state;
    expect("\"NaN\"", ILC_F32, 0xffc00000);
    expect("\"Infinity\"", ILC_F64, 0x7ff0000000000000u);
    expect("\"-Infinity\"", ILC_F32, 0xff800000);
    expect("\"#80000000\"", ILC_F32, 0x80000000);
    expect("\"#80\"", ILC_I8, 0xffffffffffffff80u);
    expect("\"#02\"", ILC_BOOL, 2);
    expect("true", ILC_BOOL, 1);
    refuse("1", ILC_BOOL);
    refuse("\"#8000000\"", ILC_F32);
    refuse("\"#800000000\"", ILC_F32);
    refuse("\"#8000000g\"", ILC_F32);
    refuse("\"nan\"", ILC_F32);
    refuse("\"inf\"", ILC_F32);
    refuse("\"0x1p3\"", ILC_F32);
    refuse("\" 1\"", ILC_F32);
    refuse("\"1 \"", ILC_F64);
    refuse("[1]", ILC_F32);
}

static const char *parse_array(value_pool *pool, const char *text, const ilc_value *earlier, uint32_t count, ilc_value *out)
{
    const char         *reason;
    struct json_object *json = json_parse_exact(text, strlen(text), &reason);
    ilc_param           param = {.name = "x", .type = "Int16[]", .storage = ILC_I16, .is_array = true};
    const char         *why = value_parse(pool, json, &param, earlier, count, out);
    json_object_put(json);
    return why;
}

static void arrays_may_be_null_empty_or_shared(void **state)
{
    value_pool pool = {0};
    ilc_value  values[3];
    (void)state;
    assert_null(parse_array(&pool, "[1,-2,\"#7fff\"]", NULL, 0, &values[0]));
    assert_int_equal(values[0].u.array->length, 3);
    assert_int_equal(element_bits(values[0].u.array, 1), (uint64_t)-2);
    assert_int_equal(element_bits(values[0].u.array, 2), 0x7fff);
    assert_null(parse_array(&pool, "{\"same\":0}", values, 1, &values[1]));
    assert_ptr_equal(values[1].u.array, values[0].u.array);
    assert_null(parse_array(&pool, "null", NULL, 0, &values[2]));
    assert_null(values[2].u.array);
    assert_null(parse_array(&pool, "[]", NULL, 0, &values[2]));
    assert_int_equal(values[2].u.array->length, 0);
    assert_non_null(parse_array(&pool, "{\"same\":1}", values, 1, &values[2]));
    assert_non_null(parse_array(&pool, "{\"same\":-1}", values, 1, &values[2]));
    assert_non_null(parse_array(&pool, "{\"same\":\"0\"}", values, 1, &values[2]));
    assert_non_null(parse_array(&pool, "{\"same\":0,\"x\":1}", values, 1, &values[2]));
    assert_non_null(parse_array(&pool, "{}", values, 1, &values[2]));
    assert_non_null(parse_array(&pool, "[1,70000]", NULL, 0, &values[2]));
    assert_non_null(parse_array(&pool, "[[1]]", NULL, 0, &values[2]));
    assert_non_null(parse_array(&pool, "5", NULL, 0, &values[2]));
    ilc_value other = {.storage = ILC_I32, .is_array = true};
    assert_non_null(parse_array(&pool, "{\"same\":0}", &other, 1, &values[2]));
    pool_free(&pool);
}

static void malformed_json_is_refused(void **state)
{
    static const char *const texts[] = {"",      "{",     "[1,]",   "[1 2]",  "01",     "1 2",         "{\"a\":1,}",
                                        "'a'",   "\"\\",  "nul",    "[1",     "\"a",    "\"\x01\"",    "{\"a\" 1}",
                                        "-",     "[-]",   "1.2.3",  "+1",     "\xff",   "[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char         *reason = NULL;
        struct json_object *json = json_parse_exact(texts[i], strlen(texts[i]), &reason);
        if (json) fail_msg("%s was taken", texts[i]);
        assert_non_null(reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_exact_to_64_bits),
        cmocka_unit_test(decimals_round_once_to_the_type),
        cmocka_unit_test(special_numbers_and_bits_are_strings),
        cmocka_unit_test(arrays_may_be_null_empty_or_shared),
        cmocka_unit_test(malformed_json_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
