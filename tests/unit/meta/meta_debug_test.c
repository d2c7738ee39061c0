/* Debug information: beside the assembly, embedded, given, absent, of another build. */
#include "meta_fixture.h"

static void assert_names_of_row_sum(fixture *f)
{
    const ilc__method *m = method_named(f, "PearsonMetrics.RowSum");
    const char        *document = NULL;
    assert_true(ilc__debug_available(f->image));
    assert_string_equal(ilc__debug_local(m, 0, 20), "sum");
    assert_string_equal(ilc__debug_local(m, 2, 20), "k");
    assert_null(ilc__debug_local(m, 1, 20)); /* the loop's limit has no name */
    assert_null(ilc__debug_local(m, 2, 0));  /* before its scope              */
    assert_string_equal(ilc__debug_local(m, 2, ILC__ANY_OFFSET), "k");
    assert_null(ilc__debug_local(m, 99, ILC__ANY_OFFSET));
    uint32_t line = ilc__debug_line(m, 0, &document);
    assert_true(line > 0);
    assert_non_null(strstr(document, "Tutorial.vb"));
    assert_true(ilc__debug_line(m, 14, NULL) > line);
    assert_int_equal(ilc__debug_line(m, 15, NULL), ilc__debug_line(m, 14, NULL));
}

static void a_side_file_gives_names_and_lines(void **state)
{
    open_fixture(*state, "Tutorial.dll");
    assert_names_of_row_sum(*state);
}

static void an_embedded_pdb_gives_names_and_lines(void **state)
{
    open_fixture(*state, "TutorialEmbedded.dll");
    assert_names_of_row_sum(*state);
}

static void without_a_pdb_there_are_no_names(void **state)
{
    fixture    *f = *state;
    const char *document = "x";
    open_fixture(f, "TutorialNoPdb.dll");
    const ilc__method *m = method_named(f, "PearsonMetrics.RowSum");
    assert_false(ilc__debug_available(f->image));
    assert_null(ilc__debug_local(m, 0, 20));
    assert_int_equal(ilc__debug_line(m, 0, &document), 0);
    assert_null(document);
    assert_string_equal(m->param_names[1], "cols"); /* parameters are in the assembly itself */
}

static ilc_status open_given(fixture *f, const char *assembly, const char *pdb_name, uint8_t **bytes,
                             uint8_t **pdb)
{
    size_t size, pdb_size;
    *bytes = read_fixture(assembly, &size);
    *pdb = read_fixture(pdb_name, &pdb_size);
    return ilc__set_open_memory(f->set, assembly, *bytes, size, *pdb, pdb_size, &f->image);
}

static void a_given_pdb_gives_names_and_lines(void **state)
{
    fixture *f = *state;
    uint8_t *bytes, *pdb;
    assert_int_equal(open_given(f, "Tutorial.dll", "Tutorial.pdb", &bytes, &pdb), ILC_OK);
    assert_names_of_row_sum(f);
    free(bytes);
    free(pdb);
}

static void the_pdb_of_another_build_is_not_used(void **state)
{
    fixture *f = *state;
    uint8_t *bytes, *pdb;
    assert_int_equal(open_given(f, "Tutorial.dll", "TutorialDebug.pdb", &bytes, &pdb), ILC_OK);
    assert_false(ilc__debug_available(f->image));
    assert_int_equal(f->ctx.diags.count, 0);
    free(bytes);
    free(pdb);
}

static void a_place_says_method_and_line(void **state)
{
    fixture *f = *state;
    open_fixture(f, "Tutorial.dll");
    ilc__where where = ilc__method_where(method_named(f, "PearsonMetrics.RowSum"), 14);
    assert_string_equal(where.method, "PearsonMetrics.RowSum");
    assert_int_equal(where.il, 14);
    assert_true(where.has_il);
    assert_true(where.line > 0);
    assert_int_equal(ilc__fail(&f->ctx, ILC_UNSUPPORTED, &where, "call to %s", "X"), ILC_UNSUPPORTED);
    char expected[128];
    snprintf(expected, sizeof expected, "Tutorial.vb:%u: PearsonMetrics.RowSum: call to X at IL_000e",
             where.line);
    assert_string_equal(f->ctx.diags.items[0].text, expected);

    where = ilc__method_where(method_named(f, "PearsonMetrics.RowSum"), ILC__ANY_OFFSET);
    assert_false(where.has_il);
    assert_int_equal(where.line, ilc__debug_line(method_named(f, "PearsonMetrics.RowSum"), 0, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_side_file_gives_names_and_lines),    TEST(an_embedded_pdb_gives_names_and_lines),
        TEST(without_a_pdb_there_are_no_names),     TEST(a_given_pdb_gives_names_and_lines),
        TEST(the_pdb_of_another_build_is_not_used), TEST(a_place_says_method_and_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
