/* ast_fma_test.c - mode fma in the tree interpreter: a product and its sum round once. */
#include <math.h>

#include "../ast/unit.h"
#include "interp/interp.h"

static const char *const bodies[] = {"%4 = mul.f32 %1, %2\n%5 = add.f32 %4, %3\n", "%4 = mul.f32 %1, %2\n%5 = add.f32 %3, %4\n",
                                     "%4 = mul.f32 %1, %2\n%5 = sub.f32 %4, %3\n", "%4 = mul.f32 %1, %2\n%5 = sub.f32 %3, %4\n"};

static float run(ilc__context *ctx, const ilc__unit *unit, float a, float b, float c)
{
    ilc__ast_machine *machine;
    float             in[] = {a, b, c}, out;
    ilc_value         args[3] = {{0}};
    ilc_outcome       outcome = {0};
    for (int i = 0; i < 3; i++) {
        args[i].storage = ILC_F32;
        memcpy(&args[i].u.bits, &in[i], sizeof in[i]);
    }
    assert_ok(ctx, ilc__ast_machine_create(ctx, &ctx->arena, unit, &machine));
    assert_ok(ctx, ilc__ast_machine_call(machine, args, 3, &(ilc__interp_options){0}, &outcome));
    memcpy(&out, &outcome.ret.u.bits, sizeof out);
    return out;
}

/* (1 + u) * (1 - u) - 1 is -u * u, which a product that rounds loses. */
static void a_product_and_its_sum_round_once(void **state)
{
    ilc__context ctx;
    float        u = ldexpf(1, -13);
    (void)state;
    ilc__context_init(&ctx);
    for (size_t i = 0; i < 4; i++) {
        ilc__unit unit = unit_of(&ctx, ilc__arena_printf(&ctx.arena, "func \"F\" (a: Single, b: Single, c: Single) Single\nb0: @0000\n"
                                                                     "%%1 = param a\n%%2 = param b\n%%3 = param c\n%sreturn %%5\n", bodies[i]));
        float     c = i >= 2 ? 1 : -1, sign = i == 3 ? -1 : 1;
        assert_true(run(&ctx, &unit, 1 + u, 1 - u, c) == 0);
        ilc__ast_contract(&ctx.arena, &unit);
        assert_true(run(&ctx, &unit, 1 + u, 1 - u, c) == sign * -u * u);
    }
    ilc__context_free(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_product_and_its_sum_round_once)};
    return cmocka_run_group_tests_name("fma in the tree interpreter", tests, NULL, NULL);
}
