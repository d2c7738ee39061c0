/* cases_test.c - tests/ir/ *.ir: a function, the passes to run over it, and what must come out.
 *
 *      passes: fold dead          or: passes: all
 *      func ...
 *      =====
 *      func ...
 * Each result is verified and read back. Set ILC_REWRITE to write what came out into the files. */
#include <dirent.h>
#include <stdio.h>

#include "../ir/unit.h"

#include "opt/pass.h"

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

static void run_passes(fixture *f, ilc__ir_func *func, char *names)
{
    if (strcmp(names, "all") == 0) {
        ilc__ir_unit unit = {0};
        ILC__PUSH(&f->ctx.arena, &unit.funcs, func);
        assert_ok(f, ilc__opt_run(&f->ctx, &unit, NULL, NULL));
        return;
    }
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        bool progress;
        assert_ok(f, ilc__opt_run_one(func, name, &progress));
        assert_ok(f, ilc__ir_verify(func));
    }
}

/* The comments that explain a case stay where the file is written anew. */
static void rewrite(const char *path, const char *head, size_t head_length, const char *result)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(head, 1, head_length, file);
    fprintf(file, "=====\n%s", result);
    fclose(file);
}

static void run_case(fixture *f, const char *path)
{
    char *text = read_file(path), *again = read_file(path), *separator = strstr(text, "=====\n"), names[256];
    assert_non_null(separator);
    *separator = 0;
    const char *line = strstr(text, "passes: ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "passes: %255[^\n]", names), 1);
    const char   *start = strchr(line, '\n');
    ilc__ir_func *func, *parsed;
    assert_ok(f, ilc__ir_parse(&f->ctx, &f->ctx.arena, start, &func));
    assert_ok(f, ilc__ir_verify(func));
    run_passes(f, func, names);
    assert_ok(f, ilc__ir_verify(func));
    ilc__text out = {.arena = &f->ctx.arena};
    ilc__ir_print(func, &out);
    if (getenv("ILC_REWRITE"))
        rewrite(path, again, (size_t)(separator - text), ilc__text_string(&out));
    else if (strcmp(ilc__text_string(&out), separator + 6) != 0)
        fail_msg("%s: came out as\n%s", path, ilc__text_string(&out));
    assert_ok(f, ilc__ir_parse(&f->ctx, &f->ctx.arena, ilc__text_string(&out), &parsed));
    free(text);
    free(again);
}

static void every_case_comes_out_as_its_file_says(void **state)
{
    unsigned       count = 0;
    struct dirent *entry;
    DIR           *folder = opendir(ILCUDA_SOURCE_DIR "/tests/ir");
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        char   path[1024];
        size_t length = strlen(entry->d_name);
        if (length < 3 || strcmp(entry->d_name + length - 3, ".ir") != 0) continue;
        snprintf(path, sizeof path, ILCUDA_SOURCE_DIR "/tests/ir/%s", entry->d_name);
        run_case(*state, path);
        count++;
    }
    closedir(folder);
    printf("%u cases\n", count);
    assert_true(count >= 15);
}

static void a_pass_that_does_not_exist_is_not_found(void **state)
{
    fixture      *f = *state;
    ilc__ir_func *func;
    bool          progress;
    assert_ok(f, ilc__ir_parse(&f->ctx, &f->ctx.arena, "func \"F\" () Void\nb0:\n  return\n", &func));
    assert_int_equal(ilc__opt_run_one(func, "inline", &progress), ILC_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_case_comes_out_as_its_file_says),
        TEST(a_pass_that_does_not_exist_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
