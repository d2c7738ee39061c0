/* helpers_test.c - the helper functions compile without includes or libc in every language that kernels are
 * emitted in: C11 with gcc, clang and tcc, C++17 as the common subset of CUDA, and clang's CUDA front end. */
#include "../ir/compile.h"

static void helpers_are_c11_for_gcc(void **state)
{
    (void)state;
    TRY_COMPILER("gcc", GCC, C_PRELUDE, ".c", NULL);
}

static void helpers_are_c11_for_clang(void **state)
{
    (void)state;
    TRY_COMPILER("clang", CLANG, C_PRELUDE, ".c", NULL);
}

static void helpers_are_c_for_tcc(void **state)
{
    (void)state;
    TRY_COMPILER("tcc", TCC, C_PRELUDE, ".c", NULL);
}

static void helpers_are_cxx17(void **state)
{
    (void)state;
    TRY_COMPILER("g++", CXX, C_PRELUDE, ".cpp", NULL);
}

static void helpers_are_cuda_for_clang(void **state)
{
    (void)state;
    TRY_COMPILER("clang", CUDA, CUDA_PRELUDE, ".cu", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(helpers_are_c11_for_gcc), TEST(helpers_are_c11_for_clang),  TEST(helpers_are_c_for_tcc),
        TEST(helpers_are_cxx17),       TEST(helpers_are_cuda_for_clang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
