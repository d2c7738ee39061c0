/* Method bodies: headers, operands, branch targets, clauses, and everything that must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../meta/image_builder.h"
#include "il/il.h"

typedef struct fixture {
    ilc__context ctx;
    ilc__set    *set;
    uint8_t      image[IMAGE_MAX];
    ilc__body    body;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    ilc__context_init(&f->ctx);
    f->set = ilc__set_create(&f->ctx);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    ilc__set_destroy(f->set);
    ilc__context_free(&f->ctx);
    free(f);
    return 0;
}

static ilc_status decode(fixture *f, const uint8_t *bytes, size_t size)
{
    ilc__image        *image;
    const ilc__method *method;
    size_t             image_size = image_with_body(f->image, bytes, size);
    assert_int_equal(ilc__set_open_memory(f->set, "body.dll", f->image, image_size, NULL, 0, &image), ILC_OK);
    assert_int_equal(ilc__image_method(image, 1, &method), ILC_OK);
    return ilc__body_decode(&f->ctx, &f->ctx.arena, method, &f->body);
}

#define DECODE(...) decode(f, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))
#define TINY(size) (uint8_t)((size) << 2 | 2)
#define FAT(flags, size)                                                                                     \
    0x03 | (flags), 0x30 | (flags) >> 8, 8, 0, (uint8_t)(size), (uint8_t)((size) >> 8), 0, 0
#define LOCALS 1, 0, 0, 0x11
#define NO_LOCALS 0, 0, 0, 0

static void assert_refused(fixture *f, ilc_status status, const char *what)
{
    assert_int_equal(status, ILC_FORMAT);
    assert_int_equal(f->ctx.diags.count, 1);
    const char *text = f->ctx.diags.items[0].text;
    if (!strstr(text, what)) fail_msg("\"%s\" does not say \"%s\"", text, what);
}

static void a_tiny_body_has_a_stack_of_eight_and_no_locals(void **state)
{
    fixture *f = *state;
    assert_int_equal(DECODE(TINY(2), 0x17, 0x2A), ILC_OK);
    assert_int_equal(f->body.max_stack, 8);
    assert_int_equal(f->body.local_count, 0);
    assert_int_equal(f->body.code_size, 2);
    assert_int_equal(f->body.insn_count, 2);
    assert_int_equal(f->body.insns[0].op, ILC__IL_LDC_I4_1);
    assert_int_equal(f->body.insns[1].op, ILC__IL_RET);
    assert_int_equal(f->body.insns[1].offset, 1);
    assert_int_equal(f->body.insns[1].next, 2);
}

static void a_fat_body_has_the_locals_of_its_signature(void **state)
{
    fixture *f = *state;
    assert_int_equal(DECODE(FAT(0x10, 3), LOCALS, 0x06, 0x26, 0x2A), ILC_OK);
    assert_true(f->body.init_locals);
    assert_int_equal(f->body.local_count, 2);
    assert_int_equal(f->body.locals[0]->kind, ILC__ET_I4);
    assert_int_equal(f->body.locals[1]->kind, ILC__ET_R8);
    assert_false(f->body.pinned[0]);
}

static void short_forms_hold_their_number(void **state)
{
    fixture *f = *state;
    assert_int_equal(DECODE(FAT(0, 20), LOCALS, 0x02, 0x26, 0x07, 0x0B, 0x15, 0x0A, 0x1E, 0x0A, 0x1F, 0x80,
                            0x0A, 0x11, 1, 0xFE, 0x0E, 1, 0, 0x16, 0x2A, 0x2A),
                     ILC_OK);
    static const int64_t numbers[] = {0, 0, 1, 1, -1, 0, 8, 0, -128, 0, 1, 1, 0};
    for (uint32_t i = 0; i < 13; i++)
        assert_int_equal(f->body.insns[i].u.i, numbers[i]);
}

static void constants_keep_their_bits(void **state)
{
    fixture *f = *state;
    uint32_t r4;
    uint64_t r8;
    assert_int_equal(DECODE(FAT(0, 28), NO_LOCALS, 0x22, 1, 0, 0xA0, 0x7F, 0x23, 2, 0, 0, 0, 0, 0, 0xF4, 0xFF,
                            0x21, 1, 2, 3, 4, 5, 6, 7, 0x88, 0x26, 0x26, 0x26, 0x16, 0x2A),
                     ILC_OK);
    memcpy(&r4, &f->body.insns[0].u.r4, 4);
    memcpy(&r8, &f->body.insns[1].u.r8, 8);
    assert_true(r4 == 0x7FA00001);
    assert_true(r8 == UINT64_C(0xFFF4000000000002));
    assert_true((uint64_t)f->body.insns[2].u.i == UINT64_C(0x8807060504030201));
}

static void branches_and_switches_have_absolute_targets(void **state)
{
    fixture *f = *state;
    /* 0: ldarg.0; 1: switch (17, 0); 14: br.s 17; 16: nop; 17: ldc.i4.0; 18: ret */
    assert_int_equal(DECODE(FAT(0, 19), NO_LOCALS, 0x02, 0x45, 2, 0, 0, 0, 3, 0, 0, 0, 0xF2, 0xFF, 0xFF, 0xFF,
                            0x2B, 1, 0x00, 0x16, 0x2A),
                     ILC_OK);
    assert_int_equal(f->body.insns[1].u.branch.count, 2);
    assert_int_equal(f->body.insns[1].u.branch.targets[0], 17);
    assert_int_equal(f->body.insns[1].u.branch.targets[1], 0);
    assert_int_equal(f->body.insns[2].u.branch.targets[0], 17);
    assert_int_equal(f->body.index[17], 4);
    assert_int_equal(f->body.index[2], UINT32_MAX);
}

static void small_and_fat_clauses_are_read(void **state)
{
    fixture *f = *state;
    /* 0: nop; 1: leave.s 5; 3: endfinally; 4: nop; 5: ldc.i4.0; 6: ret */
    assert_int_equal(DECODE(FAT(8, 7), NO_LOCALS, 0x00, 0xDE, 2, 0xDC, 0x00, 0x16, 0x2A, 0, /* pad */
                            0x01, 16, 0, 0, 2, 0, 0, 0, 3, 3, 0, 1, 0, 0, 0, 0),
                     ILC_OK);
    assert_int_equal(f->body.clause_count, 1);
    assert_int_equal(f->body.clauses[0].kind, 2);
    assert_int_equal(f->body.clauses[0].try_end, 3);
    assert_int_equal(f->body.clauses[0].handler_end, 4);
    assert_int_equal(DECODE(FAT(8, 7), NO_LOCALS, 0x00, 0xDE, 2, 0xDC, 0x00, 0x16, 0x2A, 0, 0x41, 28, 0, 0, 0,
                            0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1),
                     ILC_OK);
    assert_int_equal(f->body.clauses[0].kind, 0);
    assert_int_equal(f->body.clauses[0].class_token, 0x01000001);
}

static void a_branch_into_an_instruction_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(TINY(9), 0x2B, 1, 0x20, 1, 2, 3, 4, 0x26, 0x2A),
                   "a branch led to no instruction at IL_0000");
}

static void a_branch_outside_the_code_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(TINY(3), 0x2B, 1, 0x2A), "a branch led to no instruction");
}

static void a_branch_before_the_code_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(TINY(3), 0x2B, 0x80, 0x2A), "a branch led to no instruction");
}

static void control_that_runs_off_the_end_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(TINY(2), 0x16, 0x26), "control ran off its end at IL_0001");
}

static void an_unknown_instruction_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(TINY(2), 0x24, 0x2A), "there was no such instruction at IL_0000");
}

static void an_instruction_cut_short_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(TINY(3), 0x20, 1, 2), "an instruction was cut short");
}

static void a_switch_with_more_targets_than_code_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(TINY(7), 0x16, 0x45, 0xFF, 0xFF, 0xFF, 0xFF, 0x2A), "a switch had more targets");
}

static void code_past_the_end_of_the_file_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(FAT(0, 5), NO_LOCALS, 0x2A), "its code ran past the end");
}

static void an_empty_body_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(TINY(0)), "it had no code");
}

static void an_unknown_header_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(0x00, 0x2A), "its header was of an unknown kind");
}

static void a_local_that_does_not_exist_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(FAT(0, 3), LOCALS, 0x08, 0x26, 0x2A), "there was no such local at IL_0000");
}

static void an_argument_that_does_not_exist_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(TINY(3), 0x03, 0x26, 0x2A), "there was no such argument at IL_0000");
}

static void a_clause_that_cuts_an_instruction_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f,
                   DECODE(FAT(8, 7), NO_LOCALS, 0x00, 0xDE, 2, 0xDC, 0x00, 0x16, 0x2A, 0, 0x01, 16, 0, 0, 2,
                          0, 0, 0, 2, 3, 0, 1, 0, 0, 0, 0),
                   "an exception clause was not valid");
}

static void a_section_cut_short_is_refused(void **state)
{
    fixture *f = *state;
    assert_refused(f, DECODE(FAT(8, 2), NO_LOCALS, 0x16, 0x2A, 0, 0, 0x41, 28, 0, 0, 0, 0),
                   "a section was cut short");
}

static void a_method_without_code_is_unsupported_and_says_why(void **state)
{
    fixture             *f = *state;
    static const uint8_t code[] = {TINY(2), 0x16, 0x2A}, sig[] = {0x00, 0, 0x08};
    ilc__image          *image;
    const ilc__method   *method;
    size_t               size = image_build(f->image, code, sizeof code, sig, sizeof sig);
    assert_int_equal(ilc__set_open_memory(f->set, "body.dll", f->image, size, NULL, 0, &image), ILC_OK);
    assert_int_equal(ilc__image_method(image, 2, &method), ILC_OK);
    assert_int_equal(ilc__body_decode(&f->ctx, &f->ctx.arena, method, &f->body), ILC_UNSUPPORTED);
    assert_non_null(strstr(f->ctx.diags.items[0].text, "T.S: the method has no IL"));
}

static void opcodes_stand_in_the_order_of_their_codes(void **state)
{
    (void)state;
    static const int codes[] = {
#define OPCODE(id, name, code, operand, pop, push, flow) code,
#include "il/opcodes.def"
#undef OPCODE
    };
    assert_int_equal(sizeof codes / sizeof *codes, 219);
    for (size_t i = 1; i < sizeof codes / sizeof *codes; i++)
        assert_true(codes[i] > codes[i - 1]);
    assert_string_equal(ilc__opcode_name(ILC__IL_CONV_OVF_U2_UN), "conv.ovf.u2.un");
    assert_int_equal(ilc__opcode_flow(ILC__IL_BLE_S), ILC__FLOW_COND);
    assert_int_equal(ilc__opcode_operand(ILC__IL_CALLVIRT), ILC__OPERAND_METHOD);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_tiny_body_has_a_stack_of_eight_and_no_locals),
        TEST(a_fat_body_has_the_locals_of_its_signature),
        TEST(short_forms_hold_their_number),
        TEST(constants_keep_their_bits),
        TEST(branches_and_switches_have_absolute_targets),
        TEST(small_and_fat_clauses_are_read),
        TEST(a_branch_into_an_instruction_is_refused),
        TEST(a_branch_outside_the_code_is_refused),
        TEST(a_branch_before_the_code_is_refused),
        TEST(control_that_runs_off_the_end_is_refused),
        TEST(an_unknown_instruction_is_refused),
        TEST(an_instruction_cut_short_is_refused),
        TEST(a_switch_with_more_targets_than_code_is_refused),
        TEST(code_past_the_end_of_the_file_is_refused),
        TEST(an_empty_body_is_refused),
        TEST(an_unknown_header_is_refused),
        TEST(a_local_that_does_not_exist_is_refused),
        TEST(an_argument_that_does_not_exist_is_refused),
        TEST(a_clause_that_cuts_an_instruction_is_refused),
        TEST(a_section_cut_short_is_refused),
        TEST(a_method_without_code_is_unsupported_and_says_why),
        TEST(opcodes_stand_in_the_order_of_their_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
