/* contract_test.c - mode fma: which products and sums become one operation, and which stay two. */
#include "ast/build.h"
#include "unit.h"

static int setup(void **state)
{
    static ilc__context ctx;
    ilc__context_init(&ctx);
    *state = &ctx;
    return 0;
}

static int teardown(void **state)
{
    ilc__context_free(*state);
    return 0;
}

/* a, b, c, d are Single, x, y Double. */
static const char head[] = "func \"F\" (a: Single, b: Single, c: Single, d: Single, x: Double, y: Double) %s\n"
                           "b0: @0000\n"
                           "  %%1 = param a\n  %%2 = param b\n  %%3 = param c\n  %%4 = param d\n  %%5 = param x\n  %%6 = param y\n";

typedef struct example {
    const char *result, *body, *exact, *fma;
} example;

static const example examples[] = {
    /* what contracts */
    {"Single", "%10 = mul.f32 %1, %2\n%11 = add.f32 %10, %3\nreturn %11", "a * b + c", "MathF.FusedMultiplyAdd(a, b, c)"},
    {"Single", "%10 = mul.f32 %1, %2\n%11 = add.f32 %3, %10\nreturn %11", "c + a * b", "MathF.FusedMultiplyAdd(a, b, c)"},
    {"Single", "%10 = mul.f32 %1, %2\n%11 = sub.f32 %10, %3\nreturn %11", "a * b - c", "MathF.FusedMultiplyAdd(a, b, -c)"},
    {"Single", "%10 = mul.f32 %1, %2\n%11 = sub.f32 %3, %10\nreturn %11", "c - a * b", "MathF.FusedMultiplyAdd(-a, b, c)"},
    {"Double", "%10 = mul.f64 %5, %6\n%11 = add.f64 %10, %5\nreturn %11", "x * y + x", "Math.FusedMultiplyAdd(x, y, x)"},
    {"Double", "%10 = mul.f64 %5, %6\n%11 = sub.f64 %6, %10\nreturn %11", "y - x * y", "Math.FusedMultiplyAdd(-x, y, y)"},
    /* the opposite of a product is a product; two minus signs are none */
    {"Single", "%10 = mul.f32 %1, %2\n%11 = neg.f32 %10\n%12 = add.f32 %11, %3\nreturn %12", "-(a * b) + c", "MathF.FusedMultiplyAdd(-a, b, c)"},
    {"Single", "%10 = mul.f32 %1, %2\n%11 = neg.f32 %10\n%12 = sub.f32 %3, %11\nreturn %12", "c - -(a * b)", "MathF.FusedMultiplyAdd(a, b, c)"},
    {"Single", "%10 = neg.f32 %1\n%11 = mul.f32 %10, %2\n%12 = sub.f32 %3, %11\nreturn %12", "c - -a * b", "MathF.FusedMultiplyAdd(a, b, c)"},
    {"Single", "%10 = mul.f32 %1, %2\n%11 = const.f32 0x40000000\n%12 = sub.f32 %10, %11\nreturn %12", "a * b - 2.0F", "MathF.FusedMultiplyAdd(a, b, -2.0F)"},
    /* of two products the left one; of a chain each sum its own */
    {"Single", "%10 = mul.f32 %1, %2\n%11 = mul.f32 %3, %4\n%12 = add.f32 %10, %11\nreturn %12", "a * b + c * d", "MathF.FusedMultiplyAdd(a, b, c * d)"},
    {"Single", "%10 = mul.f32 %1, %2\n%11 = mul.f32 %3, %4\n%12 = sub.f32 %10, %11\nreturn %12", "a * b - c * d", "MathF.FusedMultiplyAdd(a, b, -(c * d))"},
    {"Single", "%10 = mul.f32 %1, %2\n%11 = add.f32 %10, %3\n%12 = mul.f32 %3, %4\n%13 = add.f32 %11, %12\nreturn %13", "a * b + c + c * d",
     "MathF.FusedMultiplyAdd(c, d, MathF.FusedMultiplyAdd(a, b, c))"},
    {"Single", "%10 = mul.f32 %1, %2\n%11 = add.f32 %10, %3\n%12 = mul.f32 %11, %4\n%13 = add.f32 %12, %1\nreturn %13", "(a * b + c) * d + a",
     "MathF.FusedMultiplyAdd(MathF.FusedMultiplyAdd(a, b, c), d, a)"},
    /* what does not: a conversion between, no sum, a quotient */
    {"Double", "%10 = mul.f32 %1, %2\n%11 = f64.f32 %10\n%12 = add.f64 %11, %5\nreturn %12", NULL, NULL},
    {"Single", "%10 = mul.f64 %5, %6\n%11 = f32.f64 %10\n%12 = add.f32 %11, %3\nreturn %12", NULL, NULL},
    {"Single", "%10 = mul.f32 %1, %2\n%11 = mul.f32 %10, %3\nreturn %11", "a * b * c", NULL},
    {"Single", "%10 = div.f32 %1, %2\n%11 = add.f32 %10, %3\nreturn %11", "a / b + c", NULL},
    {"Single", "%10 = add.f32 %1, %2\n%11 = mul.f32 %10, %3\nreturn %11", "(a + b) * c", NULL},
};

static ilc__unit example_unit(ilc__context *ctx, const example *e)
{
    ilc__text text = {.arena = &ctx->arena};
    ilc__text_printf(&text, head, e->result);
    ilc__text_puts(&text, e->body);
    ilc__text_putc(&text, '\n');
    return unit_of(ctx, ilc__text_string(&text));
}

static void sums_and_products_become_one_operation(void **state)
{
    ilc__context *ctx = *state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        ilc__unit   unit = example_unit(ctx, &examples[i]);
        const char *before = vb_of(ctx, unit.funcs.items[0]);
        if (examples[i].exact && !strstr(before, ilc__arena_printf(&ctx->arena, "Return %s\n", examples[i].exact)))
            fail_msg("%s is not %s", before, examples[i].exact);
        ilc__ast_contract(&ctx->arena, &unit);
        const char *after = vb_of(ctx, unit.funcs.items[0]);
        if (!examples[i].fma) assert_string_equal(before, after);
        else if (!strstr(after, ilc__arena_printf(&ctx->arena, "Return %s\n", examples[i].fma))) fail_msg("%s is not %s", after, examples[i].fma);
    }
}

/* A product that has another use is a variable, whose value rounds. */
static void a_product_in_a_variable_stays_one(void **state)
{
    ilc__context *ctx = *state;
    example       e = {"Single", "%10 = mul.f32 %1, %2\n%11 = add.f32 %10, %3\n%12 = div.f32 %11, %10\nreturn %12", NULL, NULL};
    ilc__unit     unit = example_unit(ctx, &e);
    const char   *before = vb_of(ctx, unit.funcs.items[0]);
    ilc__ast_contract(&ctx->arena, &unit);
    assert_string_equal(before, vb_of(ctx, unit.funcs.items[0]));
}

/* Negations would make it deeper than trees may be. */
static void what_would_nest_too_deeply_stays_as_it_is(void **state)
{
    ilc__context *ctx = *state;
    ilc__text     body = {.arena = &ctx->arena};
    uint32_t      last = 3;
    for (uint32_t k = 0; k < 40; k++) { /* a * b - (a * b - (... - c)) */
        ilc__text_printf(&body, "%%%u = mul.f32 %%1, %%2\n%%%u = sub.f32 %%%u, %%%u\n", 10 + 2 * k, 11 + 2 * k, 10 + 2 * k, last);
        last = 11 + 2 * k;
    }
    ilc__text_printf(&body, "return %%%u", last);
    example     e = {"Single", ilc__text_string(&body), NULL, NULL};
    ilc__unit   unit = example_unit(ctx, &e);
    const char *before = vb_of(ctx, unit.funcs.items[0]);
    ilc__ast_contract(&ctx->arena, &unit);
    assert_string_equal(before, vb_of(ctx, unit.funcs.items[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums_and_products_become_one_operation, setup, teardown),
        cmocka_unit_test_setup_teardown(a_product_in_a_variable_stays_one, setup, teardown),
        cmocka_unit_test_setup_teardown(what_would_nest_too_deeply_stays_as_it_is, setup, teardown),
    };
    return cmocka_run_group_tests_name("contraction", tests, NULL, NULL);
}
