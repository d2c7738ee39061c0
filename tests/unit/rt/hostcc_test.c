/* The C compiler as a process: who it says it is, what it is asked for, and compilers that are broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "rt/hostcc.h"
#include "rt/rt.h"

static ilc__context ctx;
static char        *folder;

static int setup(void **state)
{
    (void)state;
    ilc__context_init(&ctx);
    folder = ilc__temporary_make(&ctx.arena);
    return folder ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    ilc__temporary_remove(folder);
    ilc__context_free(&ctx);
    return 0;
}

/* A program that answers --version with text and else runs what `otherwise` says. */
static const char *pretender(const char *text, const char *otherwise)
{
    static int  number;
    const char *path = ilc__arena_printf(&ctx.arena, "%s/cc%d", folder, number++);
    char       *script = ilc__arena_printf(
              &ctx.arena, "#!/bin/sh\nif [ \"$1\" = --version ]; then\ncat <<'END'\n%s\nEND\nexit 0\nfi\n%s\n",
              text, otherwise);
    assert_int_equal(ilc__file_write(&ctx, path, script, strlen(script), 0700), ILC_OK);
    return path;
}

static bool has_option(const ilc__hostcc *cc, const char *option)
{
    for (uint32_t i = 0; i < cc->option_count; i++)
        if (strcmp(cc->options[i], option) == 0) return true;
    return false;
}

static bool has_option_like(const ilc__hostcc *cc, const char *part)
{
    for (uint32_t i = 0; i < cc->option_count; i++)
        if (strstr(cc->options[i], part)) return true;
    return false;
}

static const char fsf[] = "Copyright (C) 2023 Free Software Foundation, Inc.";

static void compilers_are_known_by_what_they_say(void **state)
{
    (void)state;
    const struct {
        const char *text, *name, *version;
        bool        levels; /* knows -march=x86-64-v2 and up */
    } known[] = {
        {"gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "gcc", "12.2.0", true},
        {"cc (Ubuntu 9.4.0-1ubuntu1~20.04.2) 9.4.0", "gcc", "9.4.0", false},
        {"gcc (GCC) 13.2.1 20230801 (Red Hat 13.2.1-7)", "gcc", "13.2.1", true},
        {"Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu", "clang", "14.0.6", true},
        {"Apple clang version 15.0.0 (clang-1500.3.9.4)", "clang", "15.0.0", true},
        {"clang version 10.0.0-4ubuntu1", "clang", "10.0.0-4ubuntu1", false},
        {"tcc version 0.9.27 (x86_64 Linux)", "tcc", "0.9.27", false},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const char *text = strcmp(known[i].name, "gcc") == 0
                               ? ilc__arena_printf(&ctx.arena, "%s\n%s", known[i].text, fsf)
                               : known[i].text;
        ilc__hostcc cc;
        assert_true(ilc__hostcc_ask(&ctx.arena, pretender(text, "exit 1"), NULL, NULL, &cc));
        assert_string_equal(cc.name, known[i].name);
        assert_string_equal(cc.version, known[i].version);
        assert_non_null(strstr(cc.identity, known[i].text));
#if defined(__x86_64__)
        assert_string_equal(cc.isa, known[i].levels ? ilc__isa_level() : "x86-64");
#endif
    }
}

static void what_is_no_compiler_we_know_is_refused(void **state)
{
    (void)state;
    static const char *const unknown[] = {"",
                                          "icc (ICC) 2021.8.0",
                                          "tcc version ",
                                          "clang version",
                                          "Free Software Foundation without a version",
                                          "TCC version 0.9",
                                          "gcc (unclosed 12.2.0\nFree Software Foundation"};
    ilc__hostcc              cc;
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_false(ilc__hostcc_ask(&ctx.arena, pretender(unknown[i], "exit 0"), NULL, NULL, &cc));
    assert_false(ilc__hostcc_ask(&ctx.arena, folder, NULL, NULL, &cc));
    assert_false(ilc__hostcc_ask(&ctx.arena, "/nowhere/cc", NULL, NULL, &cc));
    assert_false(ilc__hostcc_ask(&ctx.arena, "", NULL, NULL, &cc));
}

static void exact_arithmetic_is_asked_for_and_nothing_that_breaks_it(void **state)
{
    (void)state;
    ilc__hostcc              cc;
    const char              *text = ilc__arena_printf(&ctx.arena, "gcc (x) 12.2.0\n%s", fsf);
    static const char *const wanted[] = {"-std=c11",
                                         "-ffp-contract=off",
                                         "-fwrapv",
                                         "-fno-strict-aliasing",
                                         "-fno-math-errno",
                                         "-fno-delete-null-pointer-checks",
                                         "-fPIC",
                                         "-shared",
                                         "-O2"};
    assert_true(ilc__hostcc_ask(&ctx.arena, pretender(text, ""), NULL, NULL, &cc));
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        assert_true(has_option(&cc, wanted[i]));
    assert_false(has_option_like(&cc, "fast"));
    assert_false(has_option_like(&cc, "native"));
    assert_false(has_option_like(&cc, "trapping"));
    assert_false(has_option_like(&cc, "openmp"));
    assert_true(ilc__hostcc_ask(&ctx.arena, pretender(text, ""), "-O0", NULL, &cc));
    assert_true(has_option(&cc, "-O0"));
    assert_false(has_option(&cc, "-O2"));
    assert_string_equal(cc.optimise, "-O0");
}

static void expect_no_engine(const char *command, const char *reason)
{
    ilc__engine_options options = {.compiler = command, .cache_dir = ""};
    ilc__engine        *engine;
    uint32_t            before = ctx.diags.count;
    assert_int_equal(ilc__engine_create(&ctx, &options, &engine), ILC_NO_ENGINE);
    assert_int_equal(ctx.diags.count, before + 1);
    if (!strstr(ctx.diags.items[before].text, reason)) fail_msg("%s", ctx.diags.items[before].text);
}

static void a_compiler_that_does_not_work_is_no_engine_and_says_why(void **state)
{
    (void)state;
    const char *gcc = ilc__arena_printf(&ctx.arena, "gcc (x) 12.2.0\n%s", fsf);
    const char *no_object = "exit 0";
    const char *not_elf =
        "while [ $# -gt 0 ]; do if [ \"$1\" = -o ]; then echo text > \"$2\"; fi; shift; done";
    expect_no_engine(pretender(gcc, "echo 'cannot execute as' >&2; exit 1"), "cannot execute as");
    expect_no_engine(pretender(gcc, no_object), "wrote no object");
    expect_no_engine(pretender(gcc, not_elf), "cannot be loaded");
    expect_no_engine(pretender("tcc version 0.9.27", not_elf), "not a 64-bit ELF");
    expect_no_engine(pretender(gcc, "exit 3"), "printed nothing");
}

static void automatic_choice_passes_over_what_is_not_there(void **state)
{
    (void)state;
    const char *const       *names = ilc__hostcc_candidates(&ctx.arena, "auto");
    static const char *const order[] = {"cc", "gcc", "clang", "tcc"};
    for (int i = 0; i < 4; i++)
        assert_string_equal(names[i], order[i]);
    assert_null(names[4]);
    names = ilc__hostcc_candidates(&ctx.arena, "/opt/gcc");
    assert_string_equal(names[0], "/opt/gcc");
    assert_null(names[1]);
    /* With nothing on PATH there is no engine, and with a broken cc before a good one there is. */
    char *path = ilc__arena_strdup(&ctx.arena, getenv("PATH"));
    setenv("PATH", folder, 1);
    expect_no_engine("auto", "no C compiler was found");
    const char *gcc = ilc__arena_printf(&ctx.arena, "gcc (x) 12.2.0\n%s", fsf);
    assert_int_equal(rename(pretender(gcc, "exit 1"), ilc__arena_printf(&ctx.arena, "%s/cc", folder)), 0);
    setenv("PATH", ilc__arena_printf(&ctx.arena, "%s:%s", folder, path), 1);
    ilc__engine_options options = {.compiler = "auto", .cache_dir = ""};
    ilc__engine        *engine;
    ilc_status          status = ilc__engine_create(&ctx, &options, &engine);
    setenv("PATH", path, 1);
    assert_int_equal(status, ILC_OK);
    ilc__engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(compilers_are_known_by_what_they_say),
        TEST(what_is_no_compiler_we_know_is_refused),
        TEST(exact_arithmetic_is_asked_for_and_nothing_that_breaks_it),
        TEST(a_compiler_that_does_not_work_is_no_engine_and_says_why),
        TEST(automatic_choice_passes_over_what_is_not_there),
    };
    return cmocka_run_group_tests_name("host compilers", tests, NULL, NULL);
}
