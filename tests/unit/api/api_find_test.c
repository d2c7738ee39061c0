/* api_find_test.c - methods found by the names that people write; signatures; support. */
#include <stdio.h>
#include <stdlib.h>

#include "api_fixture.h"

static void expect_name(fixture *f, const char *name, const char *full)
{
    ilc_method *method;
    assert_int_equal(ilc_assembly_find(&method, f->assembly, name), ILC_OK);
    assert_string_equal(ilc_method_full_name(method), full);
}

static void any_unambiguous_tail_is_found(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    expect_name(&f, "RowSum", "PearsonMetrics.RowSum");
    expect_name(&f, "PearsonMetrics.RowSum", "PearsonMetrics.RowSum");
    expect_name(&f, "RowSum(Single[],Int32,Int32)", "PearsonMetrics.RowSum");
    expect_name(&f, "RowSum( Single[], Int32, Int32 )", "PearsonMetrics.RowSum");
    expect_name(&f, "rowsum", "PearsonMetrics.RowSum");
    fixture_close(&f);
}

/* All types of the file are asked for: each is a structure, or is told. */
static void structures_are_found_by_their_number(void **state)
{
    fixture           f;
    const ilc_struct *found = NULL;
    uint32_t          structs = 0, others = 0, number = 0;
    ilc_status        status;
    (void)state;
    fixture_open(&f, "StructsCs.dll");
    for (; (status = ilc_assembly_struct(&found, f.assembly, number)) != ILC_NOT_FOUND; number++) {
        assert_true(status == ILC_OK || status == ILC_INVALID || status == ILC_UNSUPPORTED);
        if (status == ILC_OK) {
            if (strcmp(ilc_struct_name(found), "Vec2") == 0) assert_int_equal(ilc_struct_size(found), 16);
            structs++;
        } else {
            others++;
        }
    }
    assert_true(structs > 3 && others > 3);
    assert_int_equal(ilc_assembly_struct(&found, f.assembly, UINT32_MAX), ILC_NOT_FOUND);
    assert_says(&f, "has no type number");
    assert_int_equal(ilc_assembly_struct(&found, f.assembly, 0), ILC_INVALID);
    assert_says(&f, "<Module> is no structure");
    fixture_close(&f);
}

/* Names and lines come from it, never an answer. */
static void without_debug_information_the_same_is_supported(void **state)
{
    (void)state;
    static const char *const names[] = {"Memory2Cs.dll", "Memory2CsDebug.dll", "LocalArraysCs.dll"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        fixture       f;
        ilc_assembly *bare;
        fixture_open(&f, names[k]);
        FILE *file = fopen(ilc_assembly_path(f.assembly), "rb");
        assert_non_null(file);
        assert_int_equal(fseek(file, 0, SEEK_END), 0);
        size_t size = (size_t)ftell(file);
        void  *bytes = malloc(size);
        rewind(file);
        assert_int_equal(fread(bytes, 1, size, file), size);
        fclose(file);
        assert_int_equal(ilc_assembly_open_memory(&bare, f.session, names[k], bytes, size, NULL, 0, NULL), ILC_OK);
        assert_true(ilc_assembly_has_debug(f.assembly) && !ilc_assembly_has_debug(bare));
        for (uint32_t m = 0; m < ilc_assembly_method_count(bare); m++) {
            ilc_method *with, *without;
            ilc_support expected, actual;
            assert_int_equal(ilc_assembly_method(&with, f.assembly, m), ILC_OK);
            assert_int_equal(ilc_assembly_method(&without, bare, m), ILC_OK);
            assert_int_equal(ilc_method_support(&expected, with), ILC_OK);
            assert_int_equal(ilc_method_support(&actual, without), ILC_OK);
            if (expected.supported != actual.supported) fail_msg("%s", ilc_method_full_name(with));
        }
        fixture_close(&f);
        free(bytes);
    }
}

static void a_part_of_a_name_is_no_tail(void **state)
{
    fixture     f;
    ilc_method *method;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    assert_int_equal(ilc_assembly_find(&method, f.assembly, "Sum"), ILC_NOT_FOUND);
    assert_int_equal(ilc_assembly_find(&method, f.assembly, "Metrics.RowSum"), ILC_NOT_FOUND);
    assert_int_equal(ilc_assembly_find(&method, f.assembly, ""), ILC_NOT_FOUND);
    assert_int_equal(ilc_assembly_find(&method, f.assembly, "("), ILC_NOT_FOUND);
    fixture_close(&f);
}

static void a_misspelt_name_is_answered_with_the_nearest(void **state)
{
    fixture     f;
    ilc_method *method;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    assert_int_equal(ilc_assembly_find(&method, f.assembly, "GramDto"), ILC_NOT_FOUND);
    assert_says(&f, "did you mean PearsonMetrics.GramDot?");
    assert_int_equal(ilc_assembly_find(&method, f.assembly, "RowSum(Double[],Int32,Int32)"), ILC_NOT_FOUND);
    assert_says(&f, "there is PearsonMetrics.RowSum(Single[],Int32,Int32)");
    fixture_close(&f);
}

static void an_ambiguous_name_lists_its_candidates(void **state)
{
    fixture     f;
    ilc_method *method;
    size_t      count;
    (void)state;
    fixture_open(&f, "Programs.dll");
    assert_int_equal(ilc_assembly_find(&method, f.assembly, "Stats.Total"), ILC_AMBIGUOUS);
    assert_says(&f, "Sample.Stats.Total(Single[],Int32,Int32), Sample.Stats.Total(Double[],Int32,Int32)");
    assert_int_equal(ilc_assembly_find_all(NULL, 0, &count, f.assembly, "Total"), ILC_OK);
    assert_int_equal(count, 3);
    assert_int_equal(ilc_assembly_find_all(NULL, 0, &count, f.assembly, "NoSuchMethod"), ILC_OK);
    assert_int_equal(count, 0);
    expect_name(&f, "Total(Double[],Int32,Int32)", "Sample.Stats.Total");
    expect_name(&f, "Stats+Inner.Total", "Sample.Stats+Inner.Total");
    expect_name(&f, "Inner.Total", "Sample.Stats+Inner.Total");
    assert_int_equal(ilc_assembly_find(&method, f.assembly, "Total<Single>"), ILC_NOT_FOUND);
    fixture_close(&f);
}

static void an_instance_of_a_generic_method_is_found_by_its_types(void **state)
{
    fixture     f;
    ilc_method *method, *again;
    const char *display;
    (void)state;
    fixture_open(&f, "GenericsCs.dll");
    assert_int_equal(ilc_assembly_find(&method, f.assembly, "second<Int32>"), ILC_OK);
    assert_int_equal(ilc_method_display(&display, method), ILC_OK);
    assert_string_equal(display, "Generics.Second<Int32>(Int32,Int32)");
    assert_false(ilc_method_is_generic(method));
    assert_int_equal(ilc_assembly_find(&again, f.assembly, display), ILC_OK);
    assert_ptr_equal(again, method);
    assert_int_equal(ilc_assembly_find(&again, f.assembly, "Generics.Second<System.Double>"), ILC_OK);
    assert_ptr_not_equal(again, method);
    static const char *const wrong[] = {"Second<Int32,Int32>", "Second<Intt>", "Second<>", "Second<Int32", "<Int32>", "Pair`1.Of<Int32>",
                                        "Second<Int32[],>", "Second<Second<Int32>>"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(ilc_assembly_find(&again, f.assembly, wrong[i]), ILC_NOT_FOUND);
    fixture_close(&f);
}

static void methods_are_numbered_from_zero(void **state)
{
    fixture     f;
    ilc_method *method;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    uint32_t count = ilc_assembly_method_count(f.assembly);
    assert_int_equal(ilc_assembly_method(&method, f.assembly, 0), ILC_OK);
    assert_int_equal(ilc_assembly_method(&method, f.assembly, count - 1), ILC_OK);
    assert_int_equal(ilc_assembly_method(&method, f.assembly, count), ILC_NOT_FOUND);
    assert_int_equal(ilc_assembly_method(&method, f.assembly, UINT32_MAX), ILC_NOT_FOUND);
    fixture_close(&f);
}

static void a_signature_has_names_types_and_indices(void **state)
{
    fixture     f;
    ilc_param   param;
    const char *text;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_method *method = fixture_method(&f, "GramDot");
    assert_int_equal(ilc_method_param_count(method), 4);
    assert_int_equal(ilc_method_param(&param, method, 0), ILC_OK);
    assert_string_equal(param.name, "x");
    assert_string_equal(param.type, "Single[]");
    assert_true(param.is_array);
    assert_int_equal(param.storage, ILC_F32);
    assert_int_equal(param.index, -1);
    assert_int_equal(ilc_method_param(&param, method, 3), ILC_OK);
    assert_int_equal(param.index, 1);
    assert_int_equal(ilc_method_param(&param, method, 4), ILC_NOT_FOUND);
    assert_int_equal(ilc_method_result(method), ILC_F32);
    assert_int_equal(ilc_method_result_type(&text, method), ILC_OK);
    assert_string_equal(text, "Single");
    assert_int_equal(ilc_method_display(&text, method), ILC_OK);
    assert_string_equal(text, "PearsonMetrics.GramDot(Single[],Int32,Int32,Int32)");
    assert_true(ilc_method_line(method, &text) > 0);
    assert_non_null(strstr(text, "Tutorial.vb"));
    assert_true(ilc_assembly_has_debug(f.assembly));
    fixture_close(&f);
}

static void support_is_an_answer_without_a_diagnostic(void **state)
{
    fixture     f;
    ilc_support support;
    (void)state;
    fixture_open(&f, "RefusedVb.dll");
    assert_int_equal(ilc_method_support(&support, fixture_method(&f, "Good")), ILC_OK);
    assert_true(support.supported);
    assert_int_equal(support.mode, ILC_INDEX_ELEMENTWISE);
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(ilc_method_support(&support, fixture_method(&f, "Prints")), ILC_OK);
        assert_false(support.supported);
        assert_non_null(strstr(support.refusal.reason, "System.Console.WriteLine"));
        assert_true(support.refusal.line > 0);
        assert_int_equal(ilc_session_diagnostic_count(f.session), 0);
    }
    fixture_close(&f);
}

static void what_is_not_an_assembly_is_said_to_be_none(void **state)
{
    ilc_session  *session;
    ilc_assembly *assembly;
    static const char text[] = "This is a text file and no assembly, as anyone can see who reads it.";
    (void)state;
    assert_int_equal(ilc_session_create(&session, NULL), ILC_OK);
    assert_int_equal(ilc_assembly_open(&assembly, session, "/no/such/file.dll", NULL), ILC_IO);
    assert_int_equal(ilc_assembly_open_memory(&assembly, session, "text", text, sizeof text, NULL, 0, NULL), ILC_FORMAT);
    assert_int_equal(ilc_assembly_open_memory(&assembly, session, "empty", text, 0, NULL, 0, NULL), ILC_FORMAT);
    assert_int_equal(ilc_session_diagnostic_count(session), 3);
    ilc_session_destroy(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_unambiguous_tail_is_found),
        cmocka_unit_test(structures_are_found_by_their_number),
        cmocka_unit_test(without_debug_information_the_same_is_supported),
        cmocka_unit_test(a_part_of_a_name_is_no_tail),
        cmocka_unit_test(a_misspelt_name_is_answered_with_the_nearest),
        cmocka_unit_test(an_ambiguous_name_lists_its_candidates),
        cmocka_unit_test(an_instance_of_a_generic_method_is_found_by_its_types),
        cmocka_unit_test(methods_are_numbered_from_zero),
        cmocka_unit_test(a_signature_has_names_types_and_indices),
        cmocka_unit_test(support_is_an_answer_without_a_diagnostic),
        cmocka_unit_test(what_is_not_an_assembly_is_said_to_be_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
