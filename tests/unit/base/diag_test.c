/* Diagnostics, statuses, storage names, and the bounded reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/diag.h"
#include "base/reader.h"

static void a_diagnostic_says_where_in_one_line(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    static const struct {
        ilc__where  where;
        const char *line;
    } cases[] = {
        {{0}, "no 7"},
        {{.path = "dir/a.dll"}, "dir/a.dll: no 7"},
        {{.path = "a.dll", .byte = 255, .has_byte = true}, "a.dll: byte 0xff: no 7"},
        {{.path = "a.dll", .method = "Stats.Sum", .il = 31, .has_il = true},
         "a.dll: Stats.Sum: no 7 at IL_001f"},
        {{.path = "a.dll", .source = "/src/Stats.vb", .line = 41, .method = "Sum"}, "Stats.vb:41: Sum: no 7"},
        {{.path = "a.dll", .source = "C:\\src\\Stats.vb", .line = 41}, "Stats.vb:41: no 7"},
        {{.path = "a.dll", .source = "Stats.vb"}, "a.dll: no 7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(ilc__fail(&ctx, ILC_UNSUPPORTED, &cases[i].where, "no %d", 7), ILC_UNSUPPORTED);
        assert_int_equal(ctx.diags.count, i + 1);
        assert_string_equal(ctx.diags.items[i].text, cases[i].line);
        assert_string_equal(ctx.diags.items[i].reason, "no 7");
        assert_int_equal(ctx.diags.items[i].status, ILC_UNSUPPORTED);
    }
    assert_int_equal(ilc__fail(&ctx, ILC_IO, NULL, "plain"), ILC_IO);
    ilc__context_free(&ctx);
    assert_int_equal(ctx.diags.count, 0);
}

static void statuses_have_names_texts_and_exit_codes(void **state)
{
    (void)state;
    assert_string_equal(ilc_status_name(ILC_OK), "OK");
    assert_string_equal(ilc_status_name(ILC_UNSUPPORTED), "UNSUPPORTED");
    assert_int_equal(ilc_status_exit_code(ILC_OK), 0);
    assert_int_equal(ilc_status_exit_code(ILC_UNSUPPORTED), 4);
    assert_int_equal(ilc_status_exit_code(ILC_TRAP), 6);
    for (int i = 0; i < ILC_STATUS_COUNT; i++)
        assert_true(*ilc_status_text((ilc_status)i) != 0);
    for (int bad = -1; bad <= 1000; bad += 1001) {
        assert_string_equal(ilc_status_name((ilc_status)bad), "UNKNOWN");
        assert_string_equal(ilc_status_text((ilc_status)bad), "unknown status");
        assert_int_equal(ilc_status_exit_code((ilc_status)bad), 70);
    }
}

static void storage_types_have_their_clr_names_and_sizes(void **state)
{
    (void)state;
    assert_string_equal(ilc_storage_name(ILC_F32), "Single");
    assert_int_equal(ilc_storage_size(ILC_F32), 4);
    assert_string_equal(ilc_storage_name(ILC_VOID), "Void");
    assert_int_equal(ilc_storage_size(ILC_VOID), 0);
    assert_string_equal(ilc_storage_name((ilc_storage)99), "?");
    assert_int_equal(ilc_storage_size((ilc_storage)99), 0);
}

static void the_reader_stops_at_the_end_and_stays_where_it_was(void **state)
{
    (void)state;
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7};
    ilc__reader   r = ilc__reader_of(bytes, sizeof bytes);
    uint8_t       u8;
    uint16_t      u16;
    uint32_t      u32;
    uint64_t      u64;
    assert_false(ilc__read_uint(&r, 8, &u64));
    assert_int_equal(ilc__left(&r), 7);
    assert_true(ilc__read_u32(&r, &u32));
    assert_int_equal(u32, 0x04030201);
    assert_false(ilc__read_u32(&r, &u32));
    assert_true(ilc__read_u16(&r, &u16));
    assert_int_equal(u16, 0x0605);
    assert_true(ilc__read_u8(&r, &u8));
    assert_int_equal(u8, 7);
    assert_false(ilc__read_u8(&r, &u8));
    assert_false(ilc__skip(&r, 1));
    assert_true(ilc__skip(&r, 0));
}

/* The examples of ECMA-335 II.23.2. */
static void compressed_integers_are_read_as_the_standard_shows(void **state)
{
    (void)state;
    static const struct {
        uint8_t  bytes[4];
        size_t   size;
        uint32_t value;
    } good[] = {
        {{0x03}, 1, 0x03},
        {{0x7F}, 1, 0x7F},
        {{0x80, 0x80}, 2, 0x80},
        {{0xAE, 0x57}, 2, 0x2E57},
        {{0xBF, 0xFF}, 2, 0x3FFF},
        {{0xC0, 0x00, 0x40, 0x00}, 4, 0x4000},
        {{0xDF, 0xFF, 0xFF, 0xFF}, 4, 0x1FFFFFFF},
    };
    uint32_t value;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ilc__reader r = ilc__reader_of(good[i].bytes, good[i].size);
        assert_true(ilc__read_compressed(&r, &value));
        assert_int_equal(value, good[i].value);
        assert_int_equal(ilc__left(&r), 0);
        for (size_t cut = 0; cut < good[i].size; cut++) {
            r = ilc__reader_of(good[i].bytes, cut);
            assert_false(ilc__read_compressed(&r, &value));
            assert_int_equal(ilc__left(&r), cut);
        }
    }
    for (unsigned first = 0xE0; first <= 0xFF; first++) {
        const uint8_t bad[4] = {(uint8_t)first, 0, 0, 0};
        ilc__reader   r = ilc__reader_of(bad, 4);
        assert_false(ilc__read_compressed(&r, &value));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diagnostic_says_where_in_one_line),
        cmocka_unit_test(statuses_have_names_texts_and_exit_codes),
        cmocka_unit_test(storage_types_have_their_clr_names_and_sizes),
        cmocka_unit_test(the_reader_stops_at_the_end_and_stays_where_it_was),
        cmocka_unit_test(compressed_integers_are_read_as_the_standard_shows),
    };
    return cmocka_run_group_tests_name("diagnostics", tests, NULL, NULL);
}
