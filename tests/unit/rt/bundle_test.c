/* Bundles: what is written is read, whatever was changed in between is refused, in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/os.h"
#include "rt/bundle.h"

typedef struct fixture {
    ilc__context ctx;
    uint8_t     *bytes; /* of a bundle */
    size_t       size;
} fixture;

#define CODE "00112233445566778899aabbccddeeff"

static int setup(void **state)
{
    fixture    *f = calloc(1, sizeof *f);
    ilc__part   parts[] = {
        {.kind = ILC__PART_CODE, .name = CODE, .maker = "cpu elf x86-64, gcc 12.2.0 -O2", .bytes = (const uint8_t *)"object", .size = 6},
        {.kind = ILC__PART_PDB, .name = "Stats", .bytes = (const uint8_t *)"debug", .size = 5},
        {.kind = ILC__PART_ASSEMBLY, .name = "Stats", .bytes = (const uint8_t *)"image of 16 byte", .size = 16},
        {.kind = ILC__PART_REFERENCE, .name = "Other", .bytes = (const uint8_t *)"", .size = 0}};
    const void *bytes;
    ilc__context_init(&f->ctx);
    ilc__bundle_write(&f->ctx.arena, parts, sizeof parts / sizeof *parts, &bytes, &f->size);
    f->bytes = ilc__arena_copy(&f->ctx.arena, bytes, f->size);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    ilc__context_free(&f->ctx);
    free(f);
    return 0;
}

static ilc_status read_bytes(fixture *f, const void *bytes, size_t size, ilc__bundle *out)
{
    return ilc__bundle_read(&f->ctx, &f->ctx.arena, "Stats.ilcuda", bytes, size, out);
}

static void what_is_written_is_read(void **state)
{
    fixture    *f = *state;
    ilc__bundle bundle;
    assert_int_equal(read_bytes(f, f->bytes, f->size, &bundle), ILC_OK);
    assert_int_equal(bundle.count, 4);
    assert_int_equal(bundle.parts[0].kind, ILC__PART_ASSEMBLY);
    const ilc__part *code = ilc__bundles_code(&bundle, CODE);
    assert_string_equal(code->maker, "cpu elf x86-64, gcc 12.2.0 -O2");
    assert_int_equal(code->size, 6);
    assert_memory_equal(code->bytes, "object", 6);
    assert_int_equal(ilc__bundle_find(&bundle, ILC__PART_REFERENCE, "Other")->size, 0);
    assert_null(ilc__bundle_find(&bundle, ILC__PART_REFERENCE, "Stats"));
    assert_true(ilc__bundles_have(&bundle, "cpu elf", "x86-64"));
    assert_false(ilc__bundles_have(&bundle, "cpu elf", "x86-64-v2"));
    assert_false(ilc__bundles_have(&bundle, "cuda", NULL));
}

static void a_bundle_cut_short_anywhere_is_refused(void **state)
{
    fixture    *f = *state;
    ilc__bundle bundle;
    for (size_t size = 0; size < f->size; size++) {
        uint8_t *cut = malloc(size ? size : 1); /* so that reading past the end is seen */
        memcpy(cut, f->bytes, size);
        assert_int_equal(read_bytes(f, cut, size, &bundle), ILC_FORMAT);
        free(cut);
    }
}

static void a_changed_byte_anywhere_is_refused(void **state)
{
    fixture    *f = *state;
    ilc__bundle bundle;
    for (size_t at = 0; at < f->size; at++) {
        f->bytes[at] ^= 0x41;
        assert_int_equal(read_bytes(f, f->bytes, f->size, &bundle), ILC_FORMAT);
        f->bytes[at] ^= 0x41;
    }
    assert_int_equal(read_bytes(f, f->bytes, f->size, &bundle), ILC_OK);
}

/* The same where the hash is right: then every field is looked at for itself. */
static void each_field_that_is_wrong_is_named(void **state)
{
    enum { ROWS = 64, ROW = 24 };
    static const struct {
        size_t      at;
        uint8_t     value;
        const char *said;
    } cases[] = {
        {8, 2, "version of the format"},
        {12, 200, "more parts than there is room for"},
        {12, 3, "table is cut short"},
        {16, 1, "not as long as it says"},
        {24, '9', "was made by ilcuda 9"},
        {24, 0, "version of ilcuda was not readable"},
        {39, 1, "version of ilcuda was not readable"},
        {56, 1, "a field that is not known"},
        {ROWS, 0, "of a kind that is not known"},
        {ROWS, 9, "of a kind that is not known"},
        {ROWS, 2, "not in order"},
        {ROWS + 4, 0, "too long, or none"},
        {ROWS + 5, 1, "too long, or none"},
        {ROWS + 8, 15, "has something behind it"},
        {ROWS + 8 + 3, 1, "ends past the file's end"},
        {ROWS + 8 + 7, 0xff, "ends past the file's end"},
        {ROWS + 16, 8, "does not begin where"},
        {ROWS + 3 * ROW, 3, "not in order"},
    };
    fixture    *f = *state;
    ilc__bundle bundle;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t before = f->bytes[cases[i].at];
        f->bytes[cases[i].at] = cases[i].value;
        ilc__bundle_seal(f->bytes, f->size);
        assert_int_equal(read_bytes(f, f->bytes, f->size, &bundle), ILC_FORMAT);
        const char *said = f->ctx.diags.items[f->ctx.diags.count - 1].text;
        if (!strstr(said, cases[i].said)) fail_msg("case %zu: %s", i, said);
        f->bytes[cases[i].at] = before;
    }
    uint8_t *longer = ilc__arena_alloc(&f->ctx.arena, f->size + 16);
    memset(longer, 0, f->size + 16);
    memcpy(longer, f->bytes, f->size);
    longer[16] = (uint8_t)(f->size + 16);
    longer[17] = (uint8_t)((f->size + 16) >> 8);
    ilc__bundle_seal(longer, f->size + 16);
    assert_int_equal(read_bytes(f, longer, f->size + 16, &bundle), ILC_FORMAT);
    assert_non_null(strstr(f->ctx.diags.items[f->ctx.diags.count - 1].text, "goes on behind its last part"));
}

static void code_is_called_by_text_and_target(void **state)
{
    fixture    *f = *state;
    ilc__arena *a = &f->ctx.arena;
    const char *name = ilc__code_name(a, "cpu elf", "x86-64", "int f;");
    assert_int_equal(strlen(name), 32);
    assert_string_equal(name, ilc__code_name(a, "cpu elf", "x86-64", "int f;"));
    assert_string_not_equal(name, ilc__code_name(a, "cpu elf", "x86-64-v2", "int f;"));
    assert_string_not_equal(name, ilc__code_name(a, "cuda", "x86-64", "int f;"));
    assert_string_not_equal(name, ilc__code_name(a, "cpu elf", "x86-64", "int g;"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(what_is_written_is_read),
        TEST(a_bundle_cut_short_anywhere_is_refused),
        TEST(a_changed_byte_anywhere_is_refused),
        TEST(each_field_that_is_wrong_is_named),
        TEST(code_is_called_by_text_and_target),
    };
    return cmocka_run_group_tests_name("bundles", tests, NULL, NULL);
}
