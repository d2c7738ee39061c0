/* api_session_test.c - sessions, options, diagnostics. */
#include "api_fixture.h"

static void a_session_begins_without_diagnostics(void **state)
{
    ilc_session   *session;
    ilc_diagnostic diagnostic;
    (void)state;
    assert_int_equal(ilc_session_create(&session, NULL), ILC_OK);
    assert_int_equal(ilc_session_diagnostic_count(session), 0);
    assert_string_equal(ilc_session_error(session), "");
    assert_int_equal(ilc_session_diagnostic(&diagnostic, session, 0), ILC_NOT_FOUND);
    ilc_session_destroy(session);
}

static void destroying_nothing_is_allowed(void **state)
{
    (void)state;
    ilc_session_destroy(NULL);
    ilc_engine_destroy(NULL);
    ilc_buffer_destroy(NULL);
}

static void options_of_an_unknown_size_are_refused(void **state)
{
    fixture              f;
    ilc_session         *session;
    ilc_session_options  options;
    ilc_kernel_options   kernel_options;
    ilc_kernel          *kernel;
    (void)state;
    ilc_session_options_init(&options);
    options.size += 8;
    assert_int_equal(ilc_session_create(&session, &options), ILC_INVALID);
    options.size = 0;
    assert_int_equal(ilc_session_create(&session, &options), ILC_INVALID);

    fixture_open(&f, "Tutorial.dll");
    ilc_kernel_options_init(&kernel_options);
    kernel_options.size += 1;
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "RowSum"), &kernel_options), ILC_INVALID);
    assert_says(&f, "use the init function");
    fixture_close(&f);
}

static void options_of_an_older_caller_keep_the_defaults_of_what_it_does_not_know(void **state)
{
    fixture            f;
    ilc_kernel_options options;
    ilc_kernel        *kernel;
    const char        *checked;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_kernel_options_init(&options);
    /* As if the structure ended after `mode`. */
    options.size = offsetof(ilc_kernel_options, checks);
    options.checks = false;
    options.index = "nonsense";
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "RowSum"), &options), ILC_OK);
    assert_int_equal(ilc_kernel_checked_name(&checked, kernel), ILC_OK);
    assert_string_equal(checked, "il_RowSum_checked_kernel");
    fixture_close(&f);
}

static void a_failure_leaves_one_diagnostic_with_its_place(void **state)
{
    fixture        f;
    ilc_kernel    *kernel;
    ilc_diagnostic d;
    (void)state;
    fixture_open(&f, "RefusedVb.dll");
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "Prints"), NULL), ILC_UNSUPPORTED);
    assert_int_equal(ilc_session_diagnostic_count(f.session), 1);
    assert_int_equal(ilc_session_diagnostic(&d, f.session, 0), ILC_OK);
    assert_int_equal(d.status, ILC_UNSUPPORTED);
    assert_string_equal(d.method, "Refused.Prints");
    assert_non_null(strstr(d.reason, "System.Console.WriteLine"));
    assert_non_null(strstr(d.text, d.reason));
    assert_true(d.has_il);
    assert_true(d.line > 0);
    assert_non_null(strstr(d.source, "Refused.vb"));
    ilc_session_clear_diagnostics(f.session);
    assert_int_equal(ilc_session_diagnostic_count(f.session), 0);
    fixture_close(&f);
}

static void a_stopped_session_ends_a_call_until_it_is_resumed(void **state)
{
    fixture     f;
    float       data[4] = {1, 2, 3, 4};
    ilc_array   x = {ILC_F32, 4, data};
    ilc_value   args[3] = {{.storage = ILC_F32, .is_array = true, .u.array = &x},
                           {.storage = ILC_I32, .u.bits = 4},
                           {.storage = ILC_I32, .u.bits = 0}};
    ilc_outcome outcome;
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_method *method = fixture_method(&f, "RowSum");
    ilc_session_stop(f.session);
    assert_int_equal(ilc_call(&outcome, method, args, 3, NULL), ILC_LIMIT);
    ilc_session_resume(f.session);
    assert_int_equal(ilc_call(&outcome, method, args, 3, NULL), ILC_OK);
    assert_int_equal(outcome.ret.u.bits, 0x41200000); /* 10 */
    fixture_close(&f);
}

static void statuses_have_names_texts_and_exit_codes(void **state)
{
    (void)state;
    assert_string_equal(ilc_status_name(ILC_UNSUPPORTED), "UNSUPPORTED");
    assert_int_equal(ilc_status_exit_code(ILC_TRAP), 6);
    assert_int_equal(ilc_status_exit_code(ILC_COMPILER), 7);
    assert_int_equal(ilc_status_exit_code((ilc_status)999), 70);
    assert_non_null(ilc_status_text((ilc_status)999));
    assert_non_null(strchr(ilc_version(), '.'));
    assert_int_equal(ilc_abi(), ILC_ABI);
}

static void an_engine_names_its_device_and_compiler_apart(void **state)
{
    fixture          f;
    ilc_engine_parts parts;
    char             whole[256];
    (void)state;
    fixture_open(&f, "Tutorial.dll");
    ilc_engine *cpu = fixture_engine(&f, ILC_ENGINE_CPU);
    ilc_engine_parts_get(&parts, cpu);
    snprintf(whole, sizeof whole, "%s, %s %s", parts.device, parts.compiler, parts.arch);
    assert_string_equal(whole, ilc_engine_describe(cpu));
    assert_string_equal(parts.device, "cpu, 2 threads");
    assert_string_equal(parts.form, "shared object");
    assert_non_null(parts.path);
    assert_null(parts.driver);
    ilc_engine *tree = fixture_engine(&f, ILC_ENGINE_AST);
    ilc_engine_parts_get(&parts, tree);
    assert_string_equal(parts.device, ilc_engine_describe(tree));
    assert_null(parts.compiler);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_begins_without_diagnostics),
        cmocka_unit_test(destroying_nothing_is_allowed),
        cmocka_unit_test(options_of_an_unknown_size_are_refused),
        cmocka_unit_test(options_of_an_older_caller_keep_the_defaults_of_what_it_does_not_know),
        cmocka_unit_test(a_failure_leaves_one_diagnostic_with_its_place),
        cmocka_unit_test(a_stopped_session_ends_a_call_until_it_is_resumed),
        cmocka_unit_test(an_engine_names_its_device_and_compiler_apart),
        cmocka_unit_test(statuses_have_names_texts_and_exit_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
