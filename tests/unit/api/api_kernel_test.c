/* api_kernel_test.c - translation: texts, names, entry parameters, options. */
#include "api_fixture.h"

static void a_kernel_has_its_text_in_every_form(void **state)
{
    static const char *const holds[] = {"IL_0000", "func \"GramDot\"",   "Shared Function GramDot", "Shared Function GramDot", "static float GramDot", "static float GramDot", "__global__ void il_GramDot_kernel",
                                        "il_GramDot_kernel", "il_GramDot_checked_kernel", "il_GramDot_checked_kernel"};
    fixture f;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "GramDot");
    for (int form = ILC_TEXT_IL; form <= ILC_TEXT_C_UNIT; form++) {
        const char *text, *again;
        assert_int_equal(ilc_kernel_text(&text, kernel, (ilc_text)form), ILC_OK);
        if (!strstr(text, holds[form])) fail_msg("form %d has no %s", form, holds[form]);
        assert_int_equal(ilc_kernel_text(&again, kernel, (ilc_text)form), ILC_OK);
        assert_ptr_equal(text, again);
    }
    const char *text;
    assert_int_equal(ilc_kernel_text(&text, kernel, (ilc_text)99), ILC_INVALID);
    fixture_close(&f);
}

static void a_text_has_its_line_map(void **state)
{
    static const ilc_text forms[] = {ILC_TEXT_VB, ILC_TEXT_CUDA, ILC_TEXT_C, ILC_TEXT_CUDA_UNIT, ILC_TEXT_C_UNIT};
    fixture               f;
    const ilc_line       *lines, *again;
    size_t                count;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "GramDot");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        bool     found = false;
        uint32_t last = 1, total = 1;
        assert_int_equal(ilc_kernel_lines(&lines, &count, kernel, forms[i]), ILC_OK);
        const char *text;
        assert_int_equal(ilc_kernel_text(&text, kernel, forms[i]), ILC_OK);
        for (const char *at = text; *at; at++) total += *at == '\n';
        for (size_t k = 0; k < count; last = lines[k++].line) {
            assert_in_range(lines[k].line, last, total);
            assert_string_equal(lines[k].method, "PearsonMetrics.GramDot");
            assert_string_equal(lines[k].file, "/Tutorial.vb");
            const char *at = text;
            for (uint32_t line = 1; line < lines[k].line; line++) at = strchr(at, '\n') + 1;
            const char *sum = strstr(at, "acc += ");
            found |= lines[k].source == 34 && sum && !memchr(at, '\n', (size_t)(sum - at));
        }
        if (!found) fail_msg("form %d: line 34 of the source is not where it should be", forms[i]);
        assert_int_equal(ilc_kernel_lines(&again, &count, kernel, forms[i]), ILC_OK);
        assert_ptr_equal(lines, again);
    }
    assert_int_equal(ilc_kernel_lines(&lines, &count, kernel, ILC_TEXT_IL), ILC_INVALID);
    assert_int_equal(ilc_kernel_lines(&lines, &count, kernel, (ilc_text)99), ILC_INVALID);
    fixture_close(&f);
}

static void passes_are_shown_in_ssa_and_as_a_tree(void **state)
{
    fixture     f;
    const char *text;
    (void)state;
    fixture_open(&f, "TutorialDebug.dll");
    ilc_method *method = fixture_method(&f, "GramDot");
    assert_int_equal(ilc_method_passes(&text, method, NULL, true, true), ILC_OK);
    assert_non_null(strstr(text, "=== PearsonMetrics.GramDot, lifted: "));
    assert_non_null(strstr(text, "func \"GramDot\""));
    assert_non_null(strstr(text, "Shared Function GramDot"));
    assert_non_null(strstr(text, "\n-  %"));
    assert_int_equal(ilc_method_passes(&text, method, NULL, false, true), ILC_OK);
    assert_null(strstr(text, "func \"GramDot\""));
    fixture_close(&f);
    fixture_open(&f, "RefusedVb.dll");
    assert_int_equal(ilc_method_passes(&text, fixture_method(&f, "Prints"), NULL, true, true), ILC_UNSUPPORTED);
    fixture_close(&f);
}

static void translation_is_deterministic(void **state)
{
    const char *texts[2];
    fixture     f[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        fixture_open(&f[i], "Tutorial.dll");
        assert_int_equal(ilc_kernel_text(&texts[i], fixture_kernel(&f[i], "CorrelationCell"), ILC_TEXT_CUDA_UNIT), ILC_OK);
    }
    assert_string_equal(texts[0], texts[1]);
    for (int i = 0; i < 2; i++) fixture_close(&f[i]);
}

static void the_guarded_entry_has_the_seeds_signature(void **state)
{
    static const struct {
        const char          *name;
        ilc_entry_param_kind kind;
    } wanted[] = {{"p_x", ILC_ENTRY_ARRAY},       {"p_cols", ILC_ENTRY_SCALAR},   {"il_out", ILC_ENTRY_OUT},
                  {"il_nRows", ILC_ENTRY_EXTENT}, {"il_nCols", ILC_ENTRY_EXTENT}};
    fixture         f;
    ilc_entry_param param;
    const char     *name;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "GramDot");
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(ilc_kernel_entry_param(&param, kernel, false, i), ILC_OK);
        assert_string_equal(param.name, wanted[i].name);
        assert_int_equal(param.kind, wanted[i].kind);
    }
    assert_int_equal(ilc_kernel_entry_param(&param, kernel, false, 5), ILC_NOT_FOUND);
    assert_int_equal(ilc_kernel_entry_param(&param, kernel, true, 5), ILC_OK);
    assert_string_equal(param.name, "il_len_x");
    assert_int_equal(ilc_kernel_entry_param(&param, kernel, true, 6), ILC_OK);
    assert_int_equal(param.kind, ILC_ENTRY_TRAP);
    assert_int_equal(ilc_kernel_device_name(&name, kernel), ILC_OK);
    assert_string_equal(name, "il_GramDot_scalar");
    assert_int_equal(ilc_kernel_name(&name, kernel), ILC_OK);
    assert_string_equal(name, "il_GramDot_kernel");
    assert_int_equal(ilc_kernel_dims(kernel), 2);
    assert_string_equal(ilc_index_mode_name(ilc_kernel_index_mode(kernel)), "Grid2D");
    fixture_close(&f);
}

static void modes_that_are_not_there_are_refused(void **state)
{
    const char        *text;
    fixture            f;
    ilc_kernel_options options;
    ilc_kernel        *kernel;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel_options_init(&options);
    options.mode = "fast";
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "RowSum"), &options), ILC_OK);
    assert_int_equal(ilc_method_passes(&text, fixture_method(&f, "GramDot"), "fma", false, true), ILC_OK);
    assert_non_null(strstr(text, "GramDot, contract\n"));
    options.mode = "sloppy";
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "RowSum"), &options), ILC_INVALID);
    fixture_close(&f);
}

static void an_index_may_be_named(void **state)
{
    fixture            f;
    ilc_kernel_options options;
    ilc_kernel        *kernel;
    (void)state;
    fixture_open(&f, "Programs.dll");
    assert_int_equal(ilc_kernel_dims(fixture_kernel(&f, "Cell")), 0);
    ilc_kernel_options_init(&options);
    options.index = "r,c";
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "Cell"), &options), ILC_OK);
    assert_int_equal(ilc_kernel_dims(kernel), 2);
    for (uint32_t k = 0; k < 2; k++) {
        ilc_param param;
        assert_int_equal(ilc_method_param(&param, ilc_kernel_method(kernel), (uint32_t)ilc_kernel_index_param(kernel, k)), ILC_OK);
        assert_string_equal(param.name, k ? "c" : "r");
    }
    assert_int_equal(ilc_kernel_index_param(kernel, 2), -1);
    options.index = "r,nothing";
    assert_int_not_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "Cell"), &options), ILC_OK);
    options.index = "x";
    assert_int_not_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "Cell"), &options), ILC_OK);
    fixture_close(&f);
}

static void a_sub_whose_elements_meet_is_refused(void **state)
{
    fixture     f;
    ilc_kernel *kernel;
    (void)state;
    fixture_open(&f, "Programs.dll");
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "Smear"), NULL), ILC_UNSUPPORTED);
    assert_says(&f, "could not be proved independent");
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_has_its_text_in_every_form),
        cmocka_unit_test(a_text_has_its_line_map),
        cmocka_unit_test(passes_are_shown_in_ssa_and_as_a_tree),
        cmocka_unit_test(translation_is_deterministic),
        cmocka_unit_test(the_guarded_entry_has_the_seeds_signature),
        cmocka_unit_test(modes_that_are_not_there_are_refused),
        cmocka_unit_test(an_index_may_be_named),
        cmocka_unit_test(a_sub_whose_elements_meet_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
