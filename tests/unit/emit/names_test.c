/* Names and literals of emitted text. */
#include <math.h>

#include "build.h"
#include "emit/internal.h"

static int setup(void **state)
{
    (void)state;
    trees_reset();
    return 0;
}

static void test_names_are_ascii_and_stay_apart(void **state)
{
    (void)state;
    static const char *const sources[] = {"sum", "gr\xc3\xb6\xc3\x9f" "e", "gr\xc3\xb6sse", "\xe5\x90\x8d", "a_b", "a.b", "<x>5__2", "op_Addition", "$VB$Local", "_", ""};
    ilc__names names = {.arena = ARENA};
    const char *made[sizeof sources / sizeof *sources];
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        made[i] = ilc__name_local(&names, sources[i]);
        assert_true(strspn(made[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(made[i]));
        assert_false(made[i][0] >= '0' && made[i][0] <= '9');
        for (size_t k = 0; k < i; k++) assert_string_not_equal(made[i], made[k]);
    }
    assert_string_equal(made[0], "sum");
    assert_string_equal(made[4], "a_b");
}

static void test_words_of_the_languages_are_kept_off(void **state)
{
    (void)state;
    static const char *const words[] = {"register", "float", "threadIdx", "blockIdx", "NULL", "int32_t", "asm", "min", "max",
                                        "float4", "class", "restrict", "_Bool", "__global__", "il_state", "IL_FN", "and", "linux", "EOF", "xor_eq"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ilc__names names = {.arena = ARENA};
        assert_string_not_equal(ilc__name_local(&names, words[i]), words[i]);
    }
}

/* Every name at once, as parameter, local and method, through all compilers. */
static void test_any_source_name_compiles(void **state)
{
    (void)state;
    static const char *const words[] = {"register", "float", "threadIdx", "NULL", "int32_t", "asm", "gr\xc3\xb6\xc3\x9f" "e", "\xe5\x90\x8d", "p_float", "il_out", "x", "il_len_x", "il_t1", "args", "il_i", "signed", "thread_local"};
    enum { WORDS = sizeof words / sizeof *words };
    ilc__func *f = func_new("operator\xc3\xa4+", ILC_I32);
    ilc__var  *params[2] = {PARAM(f, "float", ILC_I32), ARRAY(f, "X", ILC_I32)}, *locals[WORDS];
    for (int i = 0; i < WORDS; i++) locals[i] = LOCAL(f, words[i], ILC_I32);
    ilc__expr *sum = LOAD(params[1], I(0));
    for (int i = 0; i < WORDS; i++) {
        append(&f->body, assign(locals[i], OP(ADD_I32, V(params[0]), I(i))));
        sum = OP(ADD_OVF_I32, sum, V(locals[i]));
    }
    append(&f->body, ret(sum));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    for (const char *at = kernel.source; *at; at++) assert_true((unsigned char)*at < 128);
    FOR_EACH_COMPILER(library, kernel.source) {
        int32_t data = 1000, out;
        launch  l = {.scalar = {2}, .array = {NULL, &data}, .length = {0, 1}, .out = &out, .extents = {1}};
        run_entry(library, kernel.has_guard ? &kernel.checked : &kernel.guarded, &l);
        assert_int_equal(out, 1000 + WORDS * 2 + WORDS * (WORDS - 1) / 2);
    }
}

static void test_overloads_get_names_of_their_own(void **state)
{
    (void)state;
    ilc__func *g = func_new("Half", ILC_F64), *f = func_new("Half", ILC_F64);
    ilc__var  *gv = PARAM(g, "v", ILC_F64), *x = ARRAY(f, "x", ILC_F64), *i = PARAM(f, "i", ILC_I32);
    g->body = BLOCK(ret(OP(MUL_F64, V(gv), D(0.5))));
    f->body = BLOCK(ret(CALL(g, LOAD(x, V(i)))));
    ilc__kernel kernel = emit(unit_of(g, f), spec_1d(1), ILC__DIALECT_C);
    assert_string_equal(kernel.device_name, "il_Half_scalar");
    assert_non_null(strstr(kernel.source, "double il_Half_scalar_2(double p_v)"));
    FOR_EACH_COMPILER(library, kernel.source) {
        double data[2] = {3, 5}, out[2];
        launch l = {.array = {data}, .length = {2}, .out = out, .extents = {2}};
        run_entry(library, &kernel.guarded, &l);
        assert_true(out[0] == 1.5 && out[1] == 2.5);
    }
}

static void assert_literal(ilc__expr *e, const char *expected)
{
    bool primary;
    assert_string_equal(ilc__literal(ARENA, e->type, e->u.bits, &primary), expected);
}

static void test_literals_are_decimal_where_that_is_exact(void **state)
{
    (void)state;
    assert_literal(F(0.0f), "0.0f");
    assert_literal(F(-0.0f), "-0.0f");
    assert_literal(F(1e-12f), "1e-12f");
    assert_literal(F(0.1f), "0.1f");
    assert_literal(F(16777216.0f), "16777216.0f");
    assert_literal(D(0.1), "0.1");
    assert_literal(D(1e300), "1e+300");
    assert_literal(D(5e-324), "5e-324");
    assert_literal(D(-INFINITY), "IL_F64((long long)0xfff0000000000000ULL)");
    assert_literal(constant(ILC__IR_F32, 0x7fc00001), "IL_F32(0x7fc00001)");
    assert_literal(I(-5), "-5");
    assert_literal(I(INT32_MIN), "(-2147483647 - 1)");
    assert_literal(L(INT64_MIN), "(-9223372036854775807LL - 1)");
    assert_literal(L(7), "7LL");
}

static void test_brackets_stand_only_where_precedence_needs_them(void **state)
{
    (void)state;
    ilc__func *f = func_new("Plain", ILC_F32);
    ilc__var  *a = PARAM(f, "a", ILC_F32), *b = PARAM(f, "b", ILC_F32), *n = PARAM(f, "n", ILC_I32);
    ilc__expr *product = OP(MUL_F32, OP(SUB_F32, V(a), V(b)), OP(DIV_F32, V(a), OP(MUL_F32, V(b), V(b))));
    ilc__expr *sum = OP(ADD_F32, OP(ADD_F32, V(a), V(b)), OP(ADD_F32, product, UN(F32_I32, OP(AND_I32, V(n), I(3)))));
    f->body = BLOCK(ret(sum));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    assert_non_null(strstr(kernel.source, "return p_a + p_b + ((p_a - p_b) * (p_a / (p_b * p_b)) + (float)(p_n & 3));"));
}

static void test_only_helpers_in_use_are_printed(void **state)
{
    (void)state;
    ilc__func *f = func_new("Clamp", ILC_F32);
    ilc__var  *a = PARAM(f, "a", ILC_F32);
    f->body = BLOCK(ret(OP(MAX_F32, V(a), F(0))));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_CUDA);
    assert_non_null(strstr(kernel.source, "float il_max_f32(float a, float b)"));
    assert_non_null(strstr(kernel.source, "return il_max_f32(p_a, 0.0f);"));
    assert_null(strstr(kernel.source, "il_min_f32"));
    assert_null(strstr(kernel.source, "il_state"));
    assert_null(strstr(kernel.source, "IL_F64"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) {#name, name, setup, NULL, NULL}
        T(test_names_are_ascii_and_stay_apart),
        T(test_words_of_the_languages_are_kept_off),
        T(test_any_source_name_compiles),
        T(test_overloads_get_names_of_their_own),
        T(test_literals_are_decimal_where_that_is_exact),
        T(test_brackets_stand_only_where_precedence_needs_them),
        T(test_only_helpers_in_use_are_printed),
    };
    return cmocka_run_group_tests_name("names and literals", tests, NULL, NULL);
}
