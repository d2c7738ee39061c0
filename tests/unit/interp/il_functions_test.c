/* il_functions_test.c - exp, log, pow, sin and their kind: what the judge and the operations' rows have in common, and
 * both against CoreCLR's answers (tools/arith-answers): special values bit by bit, others within the C library's ulps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "interp/il_arith.h"
#include "ir/ir.h"

static const struct {
    const char *name, *row;
    uint64_t    apart; /* ulps of Double that the C library may be from ours: its own error and less than one of ours */
} functions[] = {{"Exp", "exp", 1},   {"Log", "log", 1},     {"Log2", "log2", 1}, {"Log10", "log10", 2},
                 {"Pow", "pow", 1},   {"Sin", "sin", 1},     {"Cos", "cos", 1},   {"Tan", "tan", 1},
                 {"Atan", "atan", 1}, {"Atan2", "atan2", 1}, {"Asin", "asin", 1}, {"Acos", "acos", 1},
                 {"Sinh", "sinh", 2}, {"Cosh", "cosh", 2},   {"Tanh", "tanh", 2}, {"Cbrt", "cbrt", 4}};

typedef struct answers {
    unsigned special, other, wrong, own_differ, host_differ;
    uint64_t host_apart;
} answers;

static uint64_t bits_of(const char *text, bool single)
{
    if (strcmp(text, "N") == 0) return single ? 0x7fc00000u : 0x7ff8000000000000u;
    return strtoull(text, NULL, 16);
}

static bool is_nan(uint64_t bits, bool single)
{
    return single ? (bits & 0x7fffffff) > 0x7f800000 : (bits & INT64_MAX) > 0x7ff0000000000000u;
}

static uint64_t apart(uint64_t a, uint64_t b, bool single)
{
    int64_t x = single ? (int32_t)(uint32_t)a : (int64_t)a, y = single ? (int32_t)(uint32_t)b : (int64_t)b;
    int64_t lowest = single ? INT32_MIN : INT64_MIN;
    if (is_nan(a, single) || is_nan(b, single)) return is_nan(a, single) && is_nan(b, single) ? 0 : UINT64_MAX;
    if (x < 0) x = lowest - x;
    if (y < 0) y = lowest - y;
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static uint64_t judge(ilc__il_row row, const uint64_t *args, bool single)
{
    ilc__il_slot slots[2] = {0};
    uint64_t     bits = 0;
    for (int i = 0; i < 2; i++) memcpy(&slots[i], &args[i], sizeof slots[i]);
    assert_int_equal(ilc__il_row_run(row, slots), ILC__IL_TRAP_NONE);
    memcpy(&bits, &slots[0], single ? 4 : 8);
    return bits;
}

static void check_line(answers *seen, size_t f, bool single, char *line)
{
    char        text[32];
    const char *type = single ? "System.MathF" : "System.Math";
    ilc_storage storage = single ? ILC_F32 : ILC_F64;
    uint64_t    args[2] = {0}, row_bits = 0;
    uint32_t    count = 0;
    char       *word = strtok(line, " "), *next;
    for (; (next = strtok(NULL, " ")) != NULL; word = next) args[count++] = bits_of(word, single);
    bool     other = *word == '~';
    uint64_t expected = bits_of(word + other, single);

    ilc__il_row row = ilc__il_known_callee(type, functions[f].name, storage, count), host = ilc__il_host_row(row);
    if (row == ILC__ROW_NONE || host == row) fail_msg("%s.%s of %u: row %d, %d", type, functions[f].name, count, (int)row, (int)host);
    uint64_t own = judge(row, args, single), theirs = judge(host, args, single);
    snprintf(text, sizeof text, "%s.%s", functions[f].row, single ? "f32" : "f64");
    ilc__exception_id exception;
    assert_true(ilc__op_eval(ilc__op_by_text(text), args[0], args[1], &row_bits, &exception));
    assert_true(row_bits == own || (is_nan(row_bits, single) && is_nan(own, single)));

    uint64_t distance = apart(own, expected, single), host_distance = apart(theirs, expected, single);
    uint64_t allowed = !other ? 0 : single ? 1 : functions[f].apart;
    if (distance > allowed)
        print_error("%s(%s) of %llx %llx: %llx, CoreCLR %llx\n", type, functions[f].name, (unsigned long long)args[0],
                    (unsigned long long)args[1], (unsigned long long)own, (unsigned long long)expected);
    seen->wrong += distance > allowed;
    *(other ? &seen->other : &seen->special) += 1;
    seen->own_differ += distance != 0;
    seen->host_differ += host_distance != 0;
    if (host_distance > seen->host_apart) seen->host_apart = host_distance;
}

static size_t function_named(const char *name)
{
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        if (strcmp(functions[f].name, name) == 0) return f;
    fail_msg("no function %s", name);
    return 0;
}

static void results_are_coreclrs_where_they_are_special_and_near_them_elsewhere(void **state)
{
    (void)state;
    FILE *file = fopen(ILCUDA_SOURCE_DIR "/tests/unit/interp/data/functions.txt", "rb");
    assert_non_null(file);
    char    line[512];
    answers seen = {0};
    size_t  f = 0, sections = 0;
    bool    single = false;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (*line == '#') continue;
        if (*line == 'M') {
            single = line[4] == 'F';
            f = function_named(strchr(line, '.') + 1);
            sections++;
        } else {
            check_line(&seen, f, single, line);
        }
    }
    fclose(file);
    assert_int_equal(sections, 2 * sizeof functions / sizeof *functions);
    print_message("%u special results equal, %u others of which %u differ; the C library differs in %u from CoreCLR's\n",
                  seen.special, seen.other, seen.own_differ, seen.host_differ);
    assert_int_equal(seen.wrong, 0);
    assert_true(seen.special > 3000 && seen.other > 3000);
    /* CoreCLR's C library on Linux is the system's; another version may round a few differently. */
    assert_true(seen.host_apart <= 1);
}

/* Of all doubles this one lies nearest to a multiple of pi/2 (cos is -4.687165924254627611e-19, mpmath), and libraries
 * lose their last bits there. */
static void the_hardest_argument_of_cos_is_reduced_right(void **state)
{
    (void)state;
    double   cosine = ilc__function_cos(5.319372648326541e255);
    uint64_t bits;
    memcpy(&bits, &cosine, sizeof bits);
    assert_true(bits == 0xbc214ae72e6ba22fu);
}

/* Whole powers, powers of ten and two and cubes that are doubles. */
static void what_is_exact_comes_out_exact(void **state)
{
    (void)state;
    unsigned powers = 0;
    for (int64_t base = -40; base <= 40; base++) {
        int64_t power = base;
        for (int n = 1; n < 60 && power > -(INT64_C(1) << 53) && power < INT64_C(1) << 53; n++, power *= base, powers++)
            assert_true(ilc__function_pow((double)base, n) == (double)power);
    }
    assert_true(powers > 1000);
    double ten = 1;
    for (int k = 0; k <= 22; k++, ten *= 10) {
        assert_true(ilc__function_log10(ten) == k);
        assert_true(ilc__function_pow(10, k) == ten);
    }
    for (int k = -1074; k <= 1023; k++) {
        double two = ldexp(1, k);
        assert_true(ilc__function_log2(two) == k);
        assert_true(ilc__function_pow(2, k) == two);
    }
    for (int k = -200; k <= 200; k++) assert_true(ilc__function_cbrt((double)k * k * k) == k);
    for (int k = 0; k <= 200; k++) assert_true(ilc__function_pow((double)k * k, 0.5) == k);
    assert_true(ilc__function_exp(0) == 1 && ilc__function_log(1) == 0 && ilc__function_cos(0) == 1);
}

static void only_functions_have_a_row_of_the_c_library(void **state)
{
    (void)state;
    for (int row = ILC__ROW_NONE; row < ILC__ROW_COUNT; row++) {
        ilc__il_row host = ilc__il_host_row((ilc__il_row)row);
        if (host != (ilc__il_row)row) assert_int_equal(ilc__il_row_result(host), ilc__il_row_result((ilc__il_row)row));
        assert_int_equal(ilc__il_host_row(host), host);
    }
    assert_int_equal(ilc__il_host_row(ILC__ROW_SQRT_R8), ILC__ROW_SQRT_R8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_coreclrs_where_they_are_special_and_near_them_elsewhere),
        cmocka_unit_test(the_hardest_argument_of_cos_is_reduced_right),
        cmocka_unit_test(what_is_exact_comes_out_exact),
        cmocka_unit_test(only_functions_have_a_row_of_the_c_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
