/* api_lines_test.c - the line maps of a method's texts agree: what stands in its CUDA stands in its VB and C#, too. */
#include <dirent.h>

#include "api_fixture.h"

typedef struct tally {
    unsigned kernels, rows, missing;
} tally;

static bool has_line(const ilc_line *rows, size_t count, const ilc_line *wanted)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].source == wanted->source && strcmp(rows[i].method, wanted->method) == 0) return true;
    return false;
}

static void compare(ilc_method *method, tally *t)
{
    static const ilc_text others[] = {ILC_TEXT_VB, ILC_TEXT_CS, ILC_TEXT_C};
    const ilc_line       *cuda, *rows;
    size_t                cuda_count, count;
    ilc_kernel           *kernel;
    if (ilc_kernel_translate(&kernel, method, NULL) != ILC_OK) return;
    if (ilc_kernel_lines(&cuda, &cuda_count, kernel, ILC_TEXT_CUDA) != ILC_OK) return;
    t->kernels++;
    for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
        assert_int_equal(ilc_kernel_lines(&rows, &count, kernel, others[o]), ILC_OK);
        for (size_t i = 0; i < cuda_count; i++) {
            t->rows++;
            if (!cuda[i].source || has_line(rows, count, &cuda[i])) continue;
            t->missing++;
            print_message("%s: line %u is in its CUDA, not in form %d\n", cuda[i].method, cuda[i].source, (int)others[o]);
        }
    }
}

static void what_stands_in_cuda_stands_in_vb_and_c_sharp(void **state)
{
    struct dirent *entry;
    DIR           *folder = opendir(FIXTURE_BIN);
    tally          t = {0};
    (void)state;
    assert_non_null(folder);
    while ((entry = readdir(folder))) {
        fixture     f;
        ilc_method *method;
        size_t      length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".dll") != 0 || strncmp(entry->d_name, "TrapOrder", 9) == 0) continue;
        fixture_open(&f, entry->d_name);
        for (uint32_t i = 0; ilc_assembly_has_debug(f.assembly) && ilc_assembly_method(&method, f.assembly, i) == ILC_OK; i++)
            if (ilc_method_is_static(method) && ilc_method_has_body(method)) compare(method, &t);
        fixture_close(&f);
    }
    closedir(folder);
    print_message("%u kernels, %u rows\n", t.kernels, t.rows);
    assert_true(t.kernels > 1000);
    assert_int_equal(t.missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_stands_in_cuda_stands_in_vb_and_c_sharp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
