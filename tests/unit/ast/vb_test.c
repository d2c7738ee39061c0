/* vb_test.c - each file of data/ holds a function as IR text and, below a line of dashes, the pseudo-code that
 * must come of it. `vb_test --update` writes the pseudo-code anew. */
#include "unit.h"

#include <dirent.h>
#include <stdio.h>

static const char folder[] = ILCUDA_SOURCE_DIR "/tests/unit/ast/data";
static const char line[] = "\n----\n";

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *read_all(ilc__arena *arena, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    ilc__text text = {.arena = arena};
    char      buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;) ilc__text_add(&text, buffer, n);
    fclose(file);
    return text.data;
}

static uint32_t case_names(ilc__arena *arena, char *names[], uint32_t capacity)
{
    DIR     *dir = opendir(folder);
    uint32_t count = 0;
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;)
        if (strstr(e->d_name, ".txt") && count < capacity) names[count++] = ilc__arena_strdup(arena, e->d_name);
    if (dir) closedir(dir);
    qsort(names, count, sizeof *names, by_name);
    return count;
}

static void run_case(ilc__context *ctx, const char *name, bool update)
{
    char *path = ilc__arena_printf(&ctx->arena, "%s/%s", folder, name);
    char *text = read_all(&ctx->arena, path);
    assert_non_null(text);
    char *expected = strstr(text, line);
    if (expected) {
        expected[1] = '\0';
        expected += strlen(line);
    }
    ilc__unit   unit = unit_of(ctx, text);
    const char *vb = vb_of(ctx, unit.funcs.items[unit.funcs.count - 1]);
    if (update) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fprintf(file, "%s%s%s", text, line + 1, vb);
        fclose(file);
    } else if (!expected || strcmp(vb, expected) != 0) {
        fail_msg("%s: the pseudo-code was\n%s", name, vb);
    }
}

static void run_cases(ilc__context *ctx, bool update)
{
    char    *names[256];
    uint32_t count = case_names(&ctx->arena, names, 256);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++) run_case(ctx, names[i], update);
}

static void each_structure_is_written_as_its_source_was(void **state)
{
    run_cases(&((fixture *)*state)->ctx, false);
}

/* x op y for every row of ops.def: none is shown by its name in the table, in either language. */
static void every_operation_has_a_spelling(void **state)
{
    static const ilc_storage storages[] = {[ILC__IR_I32] = ILC_I32, [ILC__IR_I64] = ILC_I64, [ILC__IR_F32] = ILC_F32, [ILC__IR_F64] = ILC_F64};
    ilc__context *ctx = &((fixture *)*state)->ctx;
    for (ilc__op op = ILC__OP_NONE + 1; op < ILC__OP_LAST_COMPUTE; op++) {
        const ilc__op_info *info = ilc__op_info_of(op);
        ilc__ir_type type = *info->operands == 'i' ? ILC__IR_I32 : *info->operands == 'l' ? ILC__IR_I64 : *info->operands == 'f' ? ILC__IR_F32 : ILC__IR_F64;
        ilc__var  var = {.name = "x", .storage = storages[type], .is_param = true}, *vars[] = {&var};
        ilc__expr x = {.kind = ILC__EX_VAR, .type = type, .u.var = &var}, *args[3] = {&x, &x, &x};
        ilc__expr count = {.kind = ILC__EX_CONST, .type = ILC__IR_I32, .u.bits = 3};
        if (info->operands[1] == 'i' && type == ILC__IR_I64) args[1] = &count;
        ilc__expr e = {.kind = ILC__EX_OP, .type = info->result, .op = op, .arg_count = (uint32_t)strlen(info->operands), .args = args};
        ilc__stmt s = {.kind = ILC__ST_RETURN, .a = &e};
        ilc__func func = {.name = "F", .ret = storages[info->result], .param_count = 1, .vars = {vars, 1, 1}, .body = {&s, &s}};
        for (ilc__language l = ILC__LANGUAGE_VB; l <= ILC__LANGUAGE_CS; l++) {
            ilc__text text = {.arena = &ctx->arena};
            ilc__write_func(ctx, &func, l, &text);
            bool shown = strstr(ilc__text_string(&text), info->text) || strstr(ilc__text_string(&text), " not ");
            if (shown) fail_msg("%s is written %s", info->text, ilc__text_string(&text));
        }
    }
}

static void update_all(void **state)
{
    run_cases(&((fixture *)*state)->ctx, true);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest check[] = {TEST(each_structure_is_written_as_its_source_was),
                                       TEST(every_operation_has_a_spelling)};
    const struct CMUnitTest update[] = {TEST(update_all)};
    if (argc > 1 && strcmp(argv[1], "--update") == 0) return cmocka_run_group_tests(update, NULL, NULL);
    return cmocka_run_group_tests(check, NULL, NULL);
}
