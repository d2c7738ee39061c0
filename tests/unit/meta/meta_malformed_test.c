/* Files that are not what they should be: each gives a status and one diagnostic, never a fault. */
#include "../../fuzz/meta_walk.h"
#include "image_builder.h"
#include "meta_fixture.h"

enum { ROOT = IMAGE_RAW + 80 }; /* of the metadata in a built image */

static void assert_says(const uint8_t *bytes, size_t size, const char *what)
{
    ilc__context ctx;
    ilc__image  *image;
    ilc__context_init(&ctx);
    ilc__set *set = ilc__set_create(&ctx);
    assert_int_equal(ilc__set_open_memory(set, "given.dll", bytes, size, NULL, 0, &image), ILC_FORMAT);
    assert_int_equal(ctx.diags.count, 1);
    const char *text = ctx.diags.items[0].text;
    if (strncmp(text, "given.dll: ", 11) != 0 || !strstr(text, what))
        fail_msg("\"%s\" does not say \"%s\"", text, what);
    ilc__set_destroy(set);
    ilc__context_free(&ctx);
}

static size_t build(uint8_t *image)
{
    static const uint8_t code[] = {0x0A, 0x16, 0x2A};
    return image_with_body(image, code, sizeof code);
}

static uint8_t *find(uint8_t *bytes, size_t size, const void *pattern, size_t length)
{
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, pattern, length) == 0) return bytes + i;
    fail_msg("the pattern is not there");
    return NULL;
}

static void the_built_image_is_sound(void **state)
{
    (void)state;
    uint8_t image[IMAGE_MAX];
    assert_int_equal(walk_bytes(image, build(image), NULL, 0, 12), ILC_OK);
}

static void an_empty_file_is_not_an_assembly(void **state)
{
    (void)state;
    assert_says((const uint8_t *)"", 0, "not a .NET assembly");
}

static void a_text_file_is_not_an_assembly(void **state)
{
    (void)state;
    static const char text[] = "Public Class Stats\r\nEnd Class\r\n";
    assert_says((const uint8_t *)text, sizeof text - 1, "not a .NET assembly");
}

static void a_native_library_is_not_an_assembly(void **state)
{
    (void)state;
    uint8_t image[IMAGE_MAX];
    size_t  size = build(image);
    memset(image + 0x80 + 24 + 96 + 14 * 8, 0, 8); /* the CLI directory */
    assert_says(image, size, "not a .NET assembly (a native program or library)");
}

static void a_table_with_a_huge_row_count_is_refused(void **state)
{
    (void)state;
    uint8_t              image[IMAGE_MAX];
    size_t               size = build(image);
    static const uint8_t counts[] = {1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
    uint8_t             *at = find(image, size, counts, sizeof counts);
    memcpy(at + 16, "\xFF\xFF\xFF\x00", 4);
    assert_says(image, size, "ran past the end");
    memcpy(at + 16, "\xFF\xFF\xFF\xFF", 4);
    assert_says(image, size, "had 4294967295 rows");
}

static void an_unknown_table_is_refused(void **state)
{
    (void)state;
    uint8_t              image[IMAGE_MAX];
    size_t               size = build(image);
    static const uint8_t head[] = {0, 0, 0, 0, 2, 0, 0, 1};
    find(image, size, head, sizeof head)[8 + 7] |= 0x80; /* table 0x3f */
    assert_says(image, size, "unknown table 0x3f");
}

static void metadata_without_its_signature_is_refused(void **state)
{
    (void)state;
    uint8_t image[IMAGE_MAX];
    size_t  size = build(image);
    image[ROOT] = 'X';
    assert_says(image, size, "the metadata root was not readable");
}

static void a_stream_outside_the_metadata_is_refused(void **state)
{
    (void)state;
    uint8_t image[IMAGE_MAX];
    size_t  size = build(image);
    memset(find(image, size, "#Blob", 5) - 4, 0x7F, 4);
    assert_says(image, size, "a metadata stream lay outside the metadata");
}

/* Each prefix of a fixture, and so each table, heap and header cut short. */
static void an_assembly_cut_short_anywhere_gives_a_status(void **state)
{
    (void)state;
    static const char *const names[] = {"TutorialEmbedded.dll", "RefusedCs.dll"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t   size;
        uint8_t *bytes = read_fixture(names[i], &size);
        for (size_t cut = 0; cut < size; cut += 64) {
            uint8_t *exact = malloc(cut ? cut : 1); /* so that a sanitizer sees a read past it */
            memcpy(exact, bytes, cut);
            ilc_status status = walk_bytes(exact, cut, NULL, 0, 12);
            assert_true(status == ILC_OK || status == ILC_FORMAT);
            if (cut < 0x200) assert_int_equal(status, ILC_FORMAT);
            free(exact);
        }
        free(bytes);
    }
}

static void a_pdb_cut_short_anywhere_gives_a_status(void **state)
{
    (void)state;
    size_t   size, pdb_size;
    uint8_t *bytes = read_fixture("Tutorial.dll", &size), *pdb = read_fixture("Tutorial.pdb", &pdb_size);
    for (size_t cut = 0; cut < pdb_size; cut += 64) {
        uint8_t *exact = malloc(cut ? cut : 1);
        memcpy(exact, pdb, cut);
        assert_int_equal(walk_bytes(bytes, size, exact, cut, 12), ILC_OK);
        free(exact);
    }
    free(bytes);
    free(pdb);
}

static void assert_survives_changed_bytes(const char *name, bool is_pdb)
{
    enum { CHANGES = 4, ROUNDS = 100 };
    size_t   size, other_size;
    uint8_t *bytes = read_fixture(name, &size), *other = read_fixture("Tutorial.dll", &other_size);
    uint32_t random = 42;
    for (int round = 0; round < ROUNDS; round++) {
        uint8_t *changed = malloc(size);
        memcpy(changed, bytes, size);
        for (int i = 0; i < CHANGES; i++) {
            random = random * 1664525 + 1013904223;
            changed[(random >> 8) % size] ^= (uint8_t)(1u << (random & 7));
        }
        if (is_pdb)
            walk_bytes(other, other_size, changed, size, 12);
        else
            walk_bytes(changed, size, NULL, 0, 12);
        free(changed);
    }
    free(bytes);
    free(other);
}

static void changed_bits_never_fault(void **state)
{
    (void)state;
    assert_survives_changed_bytes("Tutorial.dll", false);
    assert_survives_changed_bytes("TutorialEmbedded.dll", false);
    assert_survives_changed_bytes("CasesCs.dll", false);
    assert_survives_changed_bytes("Tutorial.pdb", true);
}

/* NestedClass rows that enclose each other: RefusedCs has one, Refused+<>c in Refused. */
static void cyclic_enclosing_is_refused(void **state)
{
    (void)state;
    size_t       size;
    uint8_t     *bytes = read_fixture("RefusedCs.dll", &size);
    ilc__context ctx;
    ilc__image  *image;
    ilc__context_init(&ctx);
    ilc__set *set = ilc__set_create(&ctx);
    assert_int_equal(ilc__set_open_memory(set, "cyclic.dll", bytes, size, NULL, 0, &image), ILC_OK);
    const ilc__table *nested = &image->md.tables[ILC__T_NESTEDCLASS];
    assert_true(nested->count >= 1);
    uint8_t *row = bytes + (nested->rows - bytes);
    memcpy(row + 2, row, 2); /* it encloses itself */
    uint32_t            cyclic = ilc__table_get(&image->md, ILC__T_NESTEDCLASS, 1, 0);
    const ilc__typedef *def;
    assert_int_equal(ilc__image_typedef(image, cyclic, &def), ILC_FORMAT);
    assert_int_equal(ctx.diags.count, 1);
    assert_non_null(strstr(ctx.diags.items[0].text, "it was nested too deep"));
    ilc__set_destroy(set);
    ilc__context_free(&ctx);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_built_image_is_sound),
        cmocka_unit_test(an_empty_file_is_not_an_assembly),
        cmocka_unit_test(a_text_file_is_not_an_assembly),
        cmocka_unit_test(a_native_library_is_not_an_assembly),
        cmocka_unit_test(a_table_with_a_huge_row_count_is_refused),
        cmocka_unit_test(an_unknown_table_is_refused),
        cmocka_unit_test(metadata_without_its_signature_is_refused),
        cmocka_unit_test(a_stream_outside_the_metadata_is_refused),
        cmocka_unit_test(an_assembly_cut_short_anywhere_gives_a_status),
        cmocka_unit_test(a_pdb_cut_short_anywhere_gives_a_status),
        cmocka_unit_test(changed_bits_never_fault),
        cmocka_unit_test(cyclic_enclosing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
