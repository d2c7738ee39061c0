/* ops_test.c - the table of operations: names, operands, negation, and that each row's expressions compile in
 * every language that kernels are emitted in. What rows compute is held against CoreCLR in coreclr_test.c. */
#include "compile.h"

#include "ir/ir.h"

static void names_are_found_again_and_are_unique(void **state)
{
    (void)state;
    for (int op = 1; op < ILC__OP_COUNT; op++) {
        if (op == ILC__OP_LAST_COMPUTE) continue;
        const ilc__op_info *info = ilc__op_info_of((ilc__op)op);
        assert_int_equal(ilc__op_by_text(info->text), op);
        if (op < ILC__OP_LAST_COMPUTE) assert_non_null(info->value);
        assert_int_equal(info->trap_count != 0,
                         op < ILC__OP_LAST_COMPUTE && (info->flags & ILC__OPF_TRAPS) != 0);
    }
    assert_int_equal(ilc__op_by_text("add.i16"), ILC__OP_NONE);
    assert_string_equal(ilc__op_info_of(ILC__OP_NONE)->text, "none");
    assert_string_equal(ilc__op_info_of((ilc__op)9999)->text, "none");
}

static void negation_is_the_opposite_for_every_pair_of_values(void **state)
{
    static const uint64_t f32[] = {0x7fc00000, 0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000};
    static const uint64_t f64[] = {0x7ff8000000000000, 0, 0x8000000000000000, 0x3ff0000000000000,
                                   0xbff0000000000000};
    static const uint64_t ints[] = {0, 1, 0x7fffffff, 0xffffffff80000000, UINT64_MAX, 0x7fffffffffffffff};
    unsigned              compares = 0;
    (void)state;
    for (int op = 1; op < ILC__OP_LAST_COMPUTE; op++) {
        const ilc__op_info *info = ilc__op_info_of((ilc__op)op);
        ilc__op             negated = ilc__op_negated((ilc__op)op), swapped = ilc__op_swapped((ilc__op)op);
        assert_int_equal(negated != ILC__OP_NONE, (info->flags & ILC__OPF_COMPARE) != 0);
        if (!negated) continue;
        compares++;
        const uint64_t *values = info->operands[0] == 'f' ? f32 : info->operands[0] == 'd' ? f64 : ints;
        for (int i = 0; i < 5; i++) {
            for (int k = 0; k < 5; k++) {
                uint64_t          plain, other, turned;
                ilc__exception_id exception;
                assert_true(ilc__op_eval((ilc__op)op, values[i], values[k], &plain, &exception));
                assert_true(ilc__op_eval(negated, values[i], values[k], &other, &exception));
                assert_true(ilc__op_eval(swapped, values[k], values[i], &turned, &exception));
                assert_int_equal(plain, !other);
                assert_int_equal(plain, turned);
            }
        }
    }
    assert_int_equal(compares, 40);
}

static bool both_nan(ilc__ir_type type, uint64_t a, uint64_t b)
{
    uint64_t infinity = type == ILC__IR_F32 ? 0x7f800000 : 0x7ff0000000000000,
             rest = type == ILC__IR_F32 ? 0x7fffffff : INT64_MAX;
    return (type == ILC__IR_F32 || type == ILC__IR_F64) && (a & rest) > infinity && (b & rest) > infinity;
}

static void rows_that_commute_give_the_same_bits_either_way(void **state)
{
    static const uint64_t values[] = {0,
                                      1,
                                      2,
                                      0x80000000,
                                      0x7fffffff,
                                      0x3f800000,
                                      0xbf000000,
                                      0x8000000000000000,
                                      0x3ff8000000000000,
                                      UINT64_MAX >> 12};
    (void)state;
    for (int op = 1; op < ILC__OP_LAST_COMPUTE; op++) {
        if (!(ilc__op_info_of((ilc__op)op)->flags & ILC__OPF_COMMUTES)) continue;
        for (size_t i = 0; i < 10; i++) {
            for (size_t k = 0; k < 10; k++) {
                uint64_t          ab = 0, ba = 0;
                ilc__exception_id exception;
                bool              done = ilc__op_eval((ilc__op)op, values[i], values[k], &ab, &exception);
                assert_int_equal(done, ilc__op_eval((ilc__op)op, values[k], values[i], &ba, &exception));
                if (!both_nan(ilc__op_info_of((ilc__op)op)->result, ab, ba)) assert_int_equal(ab, ba);
            }
        }
    }
}

static void divisions_that_cannot_trap_agree_with_those_that_can(void **state)
{
    static const struct {
        ilc__op plain, safe;
    } rows[] = {{ILC__OP_DIV_I32, ILC__OP_DIV_NZ_I32},       {ILC__OP_REM_I32, ILC__OP_REM_NZ_I32},
                {ILC__OP_DIV_UN_I32, ILC__OP_DIV_UN_NZ_I32}, {ILC__OP_REM_UN_I32, ILC__OP_REM_UN_NZ_I32},
                {ILC__OP_DIV_I64, ILC__OP_DIV_NZ_I64},       {ILC__OP_REM_I64, ILC__OP_REM_NZ_I64},
                {ILC__OP_DIV_UN_I64, ILC__OP_DIV_UN_NZ_I64}, {ILC__OP_REM_UN_I64, ILC__OP_REM_UN_NZ_I64}};
    static const uint64_t values[] = {0,         1, 7, (uint64_t)-7, (uint64_t)INT32_MIN, (uint64_t)INT64_MIN,
                                      0x7fffffff};
    static const uint64_t divisors[] = {
        1, 2, 3, (uint64_t)-2, (uint64_t)-10, 0x7fffffff, (uint64_t)INT32_MIN};
    (void)state;
    for (size_t r = 0; r < 8; r++) {
        for (size_t i = 0; i < 7; i++) {
            for (size_t k = 0; k < 7; k++) {
                uint64_t          a = 1, b = 2;
                ilc__exception_id exception;
                assert_true(ilc__op_eval(rows[r].plain, values[i], divisors[k], &a, &exception));
                assert_true(ilc__op_eval(rows[r].safe, values[i], divisors[k], &b, &exception));
                assert_int_equal(a, b);
            }
        }
    }
}

/* --- every row as a function of its own
 * ------------------------------------------------------------------------ */

static const char *c_type(char letter)
{
    return letter == 'i' ? "int" : letter == 'l' ? "long long" : letter == 'f' ? "float" : "double";
}

static const char *rows_as_functions(fixture *f)
{
    static const char letters[] = {
        [ILC__IR_I32] = 'i', [ILC__IR_I64] = 'l', [ILC__IR_F32] = 'f', [ILC__IR_F64] = 'd'};
    ilc__text text = {.arena = &f->ctx.arena};
    for (int op = 1; op < ILC__OP_LAST_COMPUTE; op++) {
        const ilc__op_info *info = ilc__op_info_of((ilc__op)op);
        bool                two = info->operands[1] != 0, three = two && info->operands[2] != 0;
        for (uint32_t k = 0; k <= info->trap_count; k++) {
            bool is_value = k == info->trap_count;
            ilc__text_printf(&text, "IL_FN %s row_%d_%u(%s a",
                             is_value ? c_type(letters[info->result]) : "int", op, k,
                             c_type(info->operands[0]));
            if (two) ilc__text_printf(&text, ", %s b", c_type(info->operands[1]));
            if (three) ilc__text_printf(&text, ", %s c", c_type(info->operands[2]));
            ilc__text_printf(&text, ") { %sreturn %s; }\n", two ? "(void)a; (void)b; " : "",
                             is_value ? info->value : info->traps[k].condition);
        }
    }
    return ilc__text_string(&text);
}

static void rows_are_c11_for_gcc(void **state)
{
    TRY_COMPILER("gcc", GCC, C_PRELUDE, ".c", rows_as_functions(*state));
}
static void rows_are_c11_for_clang(void **state)
{
    TRY_COMPILER("clang", CLANG, C_PRELUDE, ".c", rows_as_functions(*state));
}
static void rows_are_c_for_tcc(void **state)
{
    TRY_COMPILER("tcc", TCC, C_PRELUDE, ".c", rows_as_functions(*state));
}
static void rows_are_cxx17(void **state)
{
    TRY_COMPILER("g++", CXX, C_PRELUDE, ".cpp", rows_as_functions(*state));
}
static void rows_are_cuda_for_clang(void **state)
{
    TRY_COMPILER("clang", CUDA, CUDA_PRELUDE, ".cu", rows_as_functions(*state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_are_found_again_and_are_unique),
        TEST(negation_is_the_opposite_for_every_pair_of_values),
        TEST(rows_that_commute_give_the_same_bits_either_way),
        TEST(divisions_that_cannot_trap_agree_with_those_that_can),
        TEST(rows_are_c11_for_gcc),
        TEST(rows_are_c11_for_clang),
        TEST(rows_are_c_for_tcc),
        TEST(rows_are_cxx17),
        TEST(rows_are_cuda_for_clang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
