/* Every row of ir/ops.def, as each compiler makes it, against the folder's answer; and literals. */
#include <math.h>

#include "build.h"
#include "samples.h"

static int setup(void **state)
{
    (void)state;
    trees_reset();
    return 0;
}

enum { TYPES = 4 };
static int slot_of(ilc__ir_type type)
{
    return (int)type - (int)ILC__IR_I32;
}

/* Select op: case k: out_of_its_type(0) = op(a_of_type, b_of_type, c_of_type) */
static ilc__unit *all_rows(void)
{
    ilc__func *f = func_new("Rows", ILC_VOID);
    ilc__var  *op = PARAM(f, "op", ILC_I32), *in[3][TYPES], *out[TYPES];
    const char *names[4][TYPES] = {{"ai", "al", "af", "ad"}, {"bi", "bl", "bf", "bd"}, {"ci", "cl", "cf", "cd"}, {"oi", "ol", "of", "od"}};
    for (int side = 0; side < 3; side++)
        for (int t = 0; t < TYPES; t++) in[side][t] = ARRAY(f, names[side][t], storage_of((ilc__ir_type)(ILC__IR_I32 + t)));
    for (int t = 0; t < TYPES; t++) out[t] = ARRAY(f, names[3][t], storage_of((ilc__ir_type)(ILC__IR_I32 + t)));
    uint32_t   count = ILC__OP_LAST_COMPUTE - 1;
    ilc__stmt *choose = stmt_new(ILC__ST_SWITCH);
    choose->a = V(op);
    choose->case_count = count;
    choose->cases = ILC__NEW_ARRAY(ARENA, ilc__case, count);
    for (uint32_t k = 0; k < count; k++) {
        ilc__op             row = (ilc__op)(k + 1);
        const ilc__op_info *info = ilc__op_info_of(row);
        ilc__expr          *args[3] = {NULL, NULL, NULL};
        for (uint32_t i = 0; info->operands[i]; i++) args[i] = LOAD(in[i][slot_of(letter_type(info->operands[i]))], I(0));
        ilc__interval *value = ILC__NEW(ARENA, ilc__interval);
        *value = (ilc__interval){row, row};
        choose->cases[k] = (ilc__case){1, value, BLOCK(store(out[slot_of(info->result)], I(0), op3(row, args[0], args[1], args[2])))};
    }
    f->body = BLOCK(choose);
    return unit_of(f, NULL);
}

/* Rows that are for constant divisors only. */
static bool is_allowed(ilc__op row, uint64_t b)
{
    const char *text = ilc__op_info_of(row)->text;
    if (!strstr(text, ".nz.")) return true;
    return b != 0 && (strstr(text, ".un.") || b != UINT64_MAX);
}

/* Runs one row on its operands, and compares with ilc__op_eval. False, with a message, where they differ. */
static bool row_agrees(void *library, const ilc__kernel *kernel, ilc__op row, uint64_t a, uint64_t b, uint64_t c)
{
    const ilc__op_info *info = ilc__op_info_of(row);
    uint64_t            as[TYPES] = {a, a, a, a}, bs[TYPES] = {b, b, b, b}, cs[TYPES] = {c, c, c, c}, outs[TYPES] = {0}, expected = 0;
    launch              l = {.extents = {1}, .scalar = {(int64_t)row}};
    void               *arrays[17];
    for (int t = 0; t < TYPES; t++) {
        arrays[1 + t] = &as[t];
        arrays[5 + t] = &bs[t];
        arrays[9 + t] = &cs[t];
        arrays[13 + t] = &outs[t];
    }
    ilc__exception_id exception = ILC__EXC_COUNT;
    bool              fine = ilc__op_eval3(row, a, b, c, &expected, &exception);
    const void       *args[32];
    uint64_t          values[32];
    for (uint32_t i = 0; i < kernel->guarded.param_count; i++) {
        const ilc__kparam *p = &kernel->guarded.params[i];
        values[i] = p->kind == ILC__KP_SCALAR ? (uint64_t)row : p->kind == ILC__KP_ARRAY ? (uintptr_t)arrays[p->param] : p->kind == ILC__KP_TRAP ? (uintptr_t)&l.slot : 1;
        args[i] = &values[i];
    }
    entry_function *run;
    *(void **)&run = dlsym(library, kernel->guarded.name);
    l.slot = UINT64_MAX;
    run(args, (const long long[]){0}, (const long long[]){1});
    const ilc__site *site = site_of(kernel, l.slot);
    uint64_t         got = cut(info->result, outs[slot_of(info->result)]);
    expected = cut(info->result, expected);
    bool same = fine ? !site && (got == expected || (is_nan(info->result, got) && is_nan(info->result, expected)))
                     : site && strcmp(site->exception, ilc__exception_type(exception)) == 0 &&
                           strcmp(site->message, ilc__exception_message(exception)) == 0;
    if (!same)
        print_error("%s of %016llx, %016llx, %016llx: %s %016llx, expected %s %016llx\n", info->text, (unsigned long long)a,
                    (unsigned long long)b, (unsigned long long)c, site ? site->exception : "value", (unsigned long long)got,
                    fine ? "value" : ilc__exception_type(exception), (unsigned long long)expected);
    return same;
}

static void test_every_row_gives_the_folders_bits_and_traps(void **state)
{
    (void)state;
    ilc__emit_options options = {.dialect = ILC__DIALECT_C, .checks = true, .no_guard = true};
    ilc__kernel_spec  spec = spec_call();
    ilc__kernel       kernel;
    ilc__unit        *unit = all_rows();
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit, &spec, &options, &kernel), ILC_OK);
    long pairs = 0;
    FOR_EACH_COMPILER(library, kernel.source) {
        int differences = 0;
        for (int row = 1; row < ILC__OP_LAST_COMPUTE; row++) {
            const char  *letters = ilc__op_info_of((ilc__op)row)->operands;
            ilc__ir_type a = letter_type(letters[0]), b = letters[1] ? letter_type(letters[1]) : ILC__IR_I32;
            for (uint32_t i = 0; i < samples(a); i++)
                for (uint32_t j = 0; j < (letters[1] ? samples(b) : 1); j++)
                    for (uint32_t k = 0; k < (letters[1] && letters[2] ? samples(b) : 1); k++, pairs++)
                        differences += is_allowed((ilc__op)row, sample(b, j)) &&
                                       !row_agrees(library, &kernel, (ilc__op)row, sample(a, i), sample(b, j), sample(b, k));
        }
        if (differences) print_error("%s %s: %d differences\n", compilers[c_].name, compilers[c_].options, differences);
        assert_int_equal(differences, 0);
    }
    print_message("%d rows, %ld answers compared\n", ILC__OP_LAST_COMPUTE - 1, pairs);
}

/* Constants stored by one function and read back. */
static void test_literals_read_back_to_the_same_bits(void **state)
{
    (void)state;
    ilc__func *f = func_new("Literals", ILC_VOID);
    ilc__var  *out[TYPES];
    const char *names[TYPES] = {"oi", "ol", "of", "od"};
    for (int t = 0; t < TYPES; t++) out[t] = ARRAY(f, names[t], storage_of((ilc__ir_type)(ILC__IR_I32 + t)));
    uint64_t seed = 88172645463325252u, made[TYPES][96];
    enum { EACH = 96 };
    for (int t = 0; t < TYPES; t++)
        for (uint32_t k = 0; k < EACH; k++) {
            ilc__ir_type type = (ilc__ir_type)(ILC__IR_I32 + t);
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            made[t][k] = k < samples(type) ? sample(type, k) : type == ILC__IR_I32 ? (uint64_t)(int64_t)(int32_t)seed : seed;
            append(&f->body, store(out[t], I((int32_t)k), constant(type, made[t][k])));
        }
    ilc__kernel_spec  spec = spec_call();
    ilc__emit_options options = {.dialect = ILC__DIALECT_C};
    ilc__kernel       kernel;
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit_of(f, NULL), &spec, &options, &kernel), ILC_OK);
    FOR_EACH_COMPILER(library, kernel.source) {
        static uint32_t i32[EACH], f32[EACH];
        static uint64_t i64[EACH], f64[EACH];
        launch          l = {.array = {i32, i64, f32, f64}, .extents = {1}};
        run_entry(library, &kernel.guarded, &l);
        for (int k = 0; k < EACH; k++) {
            assert_true(i32[k] == (uint32_t)made[0][k] && i64[k] == made[1][k] && f64[k] == made[3][k]);
            assert_true(f32[k] == (uint32_t)made[2][k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"test_every_row_gives_the_folders_bits_and_traps", test_every_row_gives_the_folders_bits_and_traps, setup, NULL, NULL},
        {"test_literals_read_back_to_the_same_bits", test_literals_read_back_to_the_same_bits, setup, NULL, NULL},
    };
    name_the_missing();
    return cmocka_run_group_tests_name("rows in emitted C", tests, NULL, NULL);
}
