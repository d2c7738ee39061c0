/* cli_text_test.c - .NET's invariant text; expected texts are what .NET 10 prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text.h"

static const struct {
    ilc_storage storage;
    uint64_t    bits;
    const char *text;
} rows[] = {
    {ILC_F64, 0x4341c37937e08000u, "10000000000000000"},
    {ILC_F64, 0x4376345785d8a000u, "1E+17"},
    {ILC_F64, 0x3ee4f8b588e368f1u, "1E-05"},
    {ILC_F64, 0x3f1a36e2eb1c432du, "0.0001"},
    {ILC_F64, 0x3fb999999999999au, "0.1"},
    {ILC_F64, 0x8000000000000000u, "-0"},
    {ILC_F64, 0x7ff8000000000000u, "NaN"},
    {ILC_F64, 0xfff8000000000000u, "NaN"},
    {ILC_F64, 0x7ff0000000000000u, "Infinity"},
    {ILC_F64, 0xfff0000000000000u, "-Infinity"},
    {ILC_F64, 1, "5E-324"},
    {ILC_F64, 0x7fefffffffffffffu, "1.7976931348623157E+308"},
    {ILC_F64, 0x0060000000000000u, "7.120236347223045E-307"}, /* the farther decimal: 2^-1017 */
    {ILC_F64, 0x3ef0000000000000u, "1.52587890625E-05"},
    {ILC_F32, 0x4b800000u, "16777216"},
    {ILC_F32, 0x7f7fffffu, "3.4028235E+38"},
    {ILC_F32, 0x80000000u, "-0"},
    {ILC_F32, 0x3dcccccdu, "0.1"},
    {ILC_F32, 1, "1E-45"},
    {ILC_F32, 0x7fc00000u, "NaN"},
    {ILC_F32, 0x4e6e6b28u, "1E+09"},
    {ILC_F32, 0xbfc00000u, "-1.5"},
    {ILC_I32, 0xffffffff80000000u, "-2147483648"},
    {ILC_I64, 0x8000000000000000u, "-9223372036854775808"},
    {ILC_U64, 0xffffffffffffffffu, "18446744073709551615"},
    {ILC_U8, 255, "255"},
    {ILC_I8, 0xffffffffffffff80u, "-128"},
    {ILC_CHAR, 65535, "65535"},
    {ILC_BOOL, 2, "True"},
    {ILC_BOOL, 0, "False"},
};

static void scalars_read_as_dotnet_writes_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT_SIZE];
        assert_string_equal(text_of_scalar(text, rows[i].storage, rows[i].bits), rows[i].text);
    }
}

static void bits_have_the_width_of_their_type(void **state)
{
    char text[TEXT_SIZE];
    (void)state;
    assert_string_equal(text_of_bits(text, ILC_I8, 0xffffffffffffff80u), "#80");
    assert_string_equal(text_of_bits(text, ILC_CHAR, 0x41), "#0041");
    assert_string_equal(text_of_bits(text, ILC_F32, 0x3f800000), "#3f800000");
    assert_string_equal(text_of_bits(text, ILC_I64, 1), "#0000000000000001");
    assert_string_equal(text_of_bits(text, ILC_BOOL, 1), "#01");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_read_as_dotnet_writes_them),
        cmocka_unit_test(bits_have_the_width_of_their_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
