/* `show --as il`: the text of a body. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../meta/image_builder.h"
#include "il/il.h"
#include "meta/image.h"

static void assert_prints(const uint8_t *bytes, size_t size, const char *expected)
{
    static uint8_t     image_bytes_of[IMAGE_MAX];
    ilc__context       ctx;
    ilc__image        *image;
    const ilc__method *method;
    ilc__body          body;
    ilc__context_init(&ctx);
    ilc__set *set = ilc__set_create(&ctx);
    ilc__text text = {.arena = &ctx.arena};
    set->framework_sought = true;
    size_t image_size = image_with_body(image_bytes_of, bytes, size);
    assert_int_equal(ilc__set_open_memory(set, "body.dll", image_bytes_of, image_size, NULL, 0, &image),
                     ILC_OK);
    assert_int_equal(ilc__image_method(image, 1, &method), ILC_OK);
    assert_int_equal(ilc__body_decode(&ctx, &ctx.arena, method, &body), ILC_OK);
    assert_int_equal(ilc__body_print(&ctx, &ctx.arena, &body, &text), ILC_OK);
    assert_string_equal(text.data, expected);
    assert_int_equal(ctx.diags.count, 0);
    ilc__set_destroy(set);
    ilc__context_free(&ctx);
}

static void names_labels_and_constants_are_printed(void **state)
{
    (void)state;
    static const uint8_t code[] = {
        0x13, 0x30, 8,   0, 35,   0,    0, 0,    1,    0,    0,    0x11, /* fat, init locals       */
        0x02, 0x0A,                                                      /* ldarg.0; stloc.0       */
        0x72, 1,    0,   0, 0x70, 0x26,                                  /* ldstr; pop             */
        0x23, 0,    0,   0, 0,    0,    0, 0xE0, 0x3F, 0x0B,             /* ldc.r8 0.5; stloc.1    */
        0x06, 0x45, 2,   0, 0,    0,    0, 0,    0,    0,    0xE2, 0xFF, 0xFF, 0xFF, /* ldloc.0; switch     */
        0x1F, 0xFE, 0x2A}; /* ldc.i4.s -2; ret       */
    assert_prints(code, sizeof code,
                  ".method static Int32 T.M(Int32 x)\n"
                  "{\n"
                  "    .maxstack 8\n"
                  "    .locals init (\n"
                  "        [0] Int32 V_0,\n"
                  "        [1] Double V_1)\n"
                  "    IL_0000: ldarg.0                            // x\n"
                  "    IL_0001: stloc.0\n"
                  "    IL_0002: ldstr          \"hi\"\n"
                  "    IL_0007: pop\n"
                  "    IL_0008: ldc.r8         0.5\n"
                  "    IL_0011: stloc.1\n"
                  "    IL_0012: ldloc.0\n"
                  "    IL_0013: switch         (IL_0020, IL_0002)\n"
                  "    IL_0020: ldc.i4.s       -2\n"
                  "    IL_0022: ret\n"
                  "}\n");
}

static void calls_are_named_and_broken_tokens_are_numbers(void **state)
{
    (void)state;
    static const uint8_t code[] = {0x13, 0x30, 8,    0,    30,   0,    0, 0, 0,    0,
                                   0,    0,    0x02, 0x28, 1,    0,    0, 6, 0x26, /* ldarg.0; call M; pop */
                                   0x28, 0xFF, 0,    0,    6,                      /* call of nothing      */
                                   0x7E, 1,    0,    0,    4,    0x26,             /* ldsfld: broken blob  */
                                   0x8D, 2,    0,    0,    1,    0x26,             /* newarr Int32; pop    */
                                   0x22, 0,    0,    0xC0, 0x7F, 0x2A};            /* ldc.r4 NaN; ret      */
    assert_prints(code, sizeof code,
                  ".method static Int32 T.M(Int32 x)\n"
                  "{\n"
                  "    .maxstack 8\n"
                  "    IL_0000: ldarg.0                            // x\n"
                  "    IL_0001: call           Int32 T.M(Int32)\n"
                  "    IL_0006: pop\n"
                  "    IL_0007: call           0x060000ff\n"
                  "    IL_000c: ldsfld         0x04000001\n"
                  "    IL_0011: pop\n"
                  "    IL_0012: newarr         Int32\n"
                  "    IL_0017: pop\n"
                  "    IL_0018: ldc.r4         nan (0x7fc00000)\n"
                  "    IL_001d: ret\n"
                  "}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_labels_and_constants_are_printed),
        cmocka_unit_test(calls_are_named_and_broken_tokens_are_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
