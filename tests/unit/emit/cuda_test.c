/* Emitted CUDA: its signatures and shape, and clang's front end over the text. */
#include "build.h"

static int setup(void **state)
{
    (void)state;
    trees_reset();
    return 0;
}

static bool clang_missing(void)
{
    return shell("command -v clang >/dev/null 2>&1") != 0;
}

static void assert_clang_accepts(const char *source)
{
    char        command[1024];
    const char *path = scratch_path(".cu");
    if (clang_missing()) return;
    write_text(path, source);
    snprintf(command, sizeof command,
             "clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -fsyntax-only -Wall "
             "-Wno-unknown-cuda-version -Werror -Wno-unused-function -Wno-unused-label -Wno-unused-variable -Wno-unused-but-set-variable "
             "-include %s/tests/unit/emit/cuda_shim.h %s",
             ILCUDA_SOURCE_DIR, path);
    int status = shell(command);
    if (status) print_error("clang refused:\n%s\n", source);
    unlink(path);
    assert_int_equal(status, 0);
}

static void assert_has(const char *source, const char *text)
{
    if (!strstr(source, text)) print_error("'%s' is not in:\n%s\n", text, source);
    assert_non_null(strstr(source, text));
}

static void test_a_guarded_kernel_has_the_original_signature(void **state)
{
    (void)state;
    ilc__kernel kernel = emit(row_sum(true), spec_1d(2), ILC__DIALECT_CUDA);
    assert_has(kernel.source, "extern \"C\" __global__ void il_RowSum_kernel(const float *__restrict__ p_x, int p_cols, "
                              "float *__restrict__ il_out, int il_n) {");
    assert_has(kernel.source, "__device__ float il_RowSum_scalar(const float *__restrict__ p_x, int p_cols, int p_i) {");
    assert_has(kernel.source, "    for (int k = 0; k <= last; k++) {\n        sum += p_x[p_i * p_cols + k];\n");
    assert_has(kernel.source, "void il_RowSum_checked_kernel(const float *__restrict__ p_x, int p_cols, float *__restrict__ "
                              "il_out, int il_n, long long il_len_x, unsigned long long *il_trap) {");
    assert_clang_accepts(kernel.source);
}

static void test_people_see_the_guarded_body_alone(void **state)
{
    (void)state;
    ilc__emit_options options = {.dialect = ILC__DIALECT_CUDA, .checks = true, .display = true};
    ilc__kernel_spec  spec = spec_1d(2);
    ilc__kernel       kernel;
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, row_sum(true), &spec, &options, &kernel), ILC_OK);
    assert_null(strstr(kernel.source, "il_raise"));
    assert_null(strstr(kernel.source, "checked"));
    assert_has(kernel.source, "il_RowSum_kernel(");
    assert_string_equal(kernel.checked.name ? "named" : "none", "none");
}

static void test_a_sub_that_stores_promises_nothing_about_aliases(void **state)
{
    (void)state;
    ilc__func *f = func_new("Saxpy", ILC_VOID);
    ilc__var  *a = PARAM(f, "a", ILC_F32), *x = ARRAY(f, "x", ILC_F32), *y = ARRAY(f, "y", ILC_F32), *i = PARAM(f, "i", ILC_I32);
    f->body = BLOCK(store(y, V(i), OP(ADD_F32, OP(MUL_F32, V(a), LOAD(x, V(i))), LOAD(y, V(i)))));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_1d(3), ILC__DIALECT_CUDA);
    assert_has(kernel.source, "void il_Saxpy_kernel(float p_a, const float *p_x, float *p_y, int il_n) {");
    assert_null(strstr(kernel.source, "__restrict__"));
    assert_true(kernel.writes[2] && kernel.reads[2] && kernel.reads[1] && !kernel.writes[1]);
    assert_clang_accepts(kernel.source);
}

static void test_indices_run_along_the_axes_of_the_original(void **state)
{
    (void)state;
    ilc__func *f = func_new("Cell", ILC_I32);
    ilc__var  *i = PARAM(f, "i", ILC_I32), *j = PARAM(f, "j", ILC_I32), *k = PARAM(f, "k", ILC_I32);
    f->body = BLOCK(ret(OP(XOR_I32, OP(XOR_I32, V(i), V(j)), V(k))));
    ilc__kernel three = emit(unit_of(f, NULL), (ilc__kernel_spec){ILC__MODE_3D, 3, {0, 1, 2}, NULL}, ILC__DIALECT_CUDA);
    assert_has(three.source, "for (long long il_i = (long long)blockIdx.z * blockDim.z + threadIdx.z; il_i < il_ni;");
    assert_has(three.source, "for (long long il_k = (long long)blockIdx.x * blockDim.x + threadIdx.x; il_k < il_nk;");
    assert_has(three.source, "il_out[(il_i * il_nj + il_j) * il_nk + il_k] = il_Cell_scalar((int)il_i, (int)il_j, (int)il_k);");
    assert_clang_accepts(three.source);
    ilc__kernel two = emit(unit_of(f, NULL), spec_2d(0, 1), ILC__DIALECT_CUDA);
    assert_has(two.source, "il_Cell_kernel(int p_k, int *__restrict__ il_out, int il_nRows, int il_nCols) {");
    assert_has(two.source, "il_out[il_i * il_nCols + il_j] = ");
    assert_clang_accepts(two.source);
}

/* All statements that need labels, temporaries and declarations: C++ lets no jump pass an initialiser. */
static void test_jumps_pass_no_initialiser(void **state)
{
    (void)state;
    ilc__func *f = func_new("Jumps", ILC_I32);
    ilc__var  *t = ARRAY(f, "t", ILC_I32), *n = PARAM(f, "n", ILC_I32);
    ilc__var  *a = LOCAL(f, "a", ILC_I32), *b = LOCAL(f, "b", ILC_I32), *k = LOCAL(f, "k", ILC_I32), *q = LOCAL(f, "q", ILC_I32);
    ilc__stmt *outer = loop_new(ILC__ST_DO, OP(NE_I32, LOAD(t, V(a)), I(0))), *inner = for_new(k, I(0), ILC__OP_LE_I32, LOAD(t, V(a)), ILC__OP_ADD_OVF_I32, LOAD(t, I(1)));
    ilc__stmt *choose = stmt_new(ILC__ST_SWITCH);
    static const ilc__interval one[] = {{1, 1}}, two[] = {{2, 3}};
    ilc__case cases[] = {{1, one, BLOCK(assign(b, OP(DIV_I32, V(n), V(k))), CONTINUE(outer))}, {1, two, BLOCK(BREAK(outer))}};
    choose->a = V(k);
    choose->case_count = 2;
    choose->cases = ilc__arena_copy(ARENA, cases, sizeof cases);
    inner->body = BLOCK(assign(q, OP(ADD_OVF_I32, V(k), LOAD(t, V(k)))), IF(OP(GT_I32, V(q), I(9)), CONTINUE(inner)), choose, assign(a, V(q)));
    outer->body = BLOCK(assign(b, OP(MUL_OVF_I32, V(a), V(n))), inner, IF(V(b), BREAK(outer)), assign(a, OP(ADD_OVF_I32, V(b), I(1))));
    a->needs_zero = true;
    f->body = BLOCK(outer, assign(b, OP(SUB_OVF_I32, V(a), V(n))), ret(V(b)));
    assert_clang_accepts(emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_CUDA).source);
}

static void test_gotos_have_their_declarations_at_the_top(void **state)
{
    (void)state;
    ilc__func *f = func_new("Gotos", ILC_I32);
    ilc__var  *n = PARAM(f, "n", ILC_I32), *a = LOCAL(f, "a", ILC_I32), *b = LOCAL(f, "b", ILC_I32);
    f->has_goto = true;
    ilc__stmt *jump_to = stmt_new(ILC__ST_GOTO), *label = stmt_new(ILC__ST_LABEL);
    jump_to->label = label->label = 1;
    f->body = BLOCK(assign(a, OP(ADD_OVF_I32, V(n), I(1))), IF(OP(GT_I32, V(a), I(5)), jump_to),
                    assign(b, OP(MUL_OVF_I32, OP(ADD_OVF_I32, V(a), V(n)), I(3))), label, ret(V(a)));
    ilc__kernel c = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    assert_true(c.has_guard); /* a + 1 and what the goto passes are covered, too */
    assert_clang_accepts(emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_CUDA).source);
    FOR_EACH_COMPILER(library, c.source) {
        for (int body = 0; body < 2; body++) {
            int32_t out;
            launch  l = {.scalar = {7}, .out = &out, .extents = {1}};
            run_entry(library, body ? &c.checked : &c.guarded, &l);
            assert_int_equal(out, 8);
        }
    }
}

static void test_every_row_is_accepted(void **state)
{
    (void)state;
    ilc__func *f = func_new("Rows", ILC_VOID);
    ilc__var  *in[4], *out[4];
    static const char *const   names[2][4] = {{"xi", "xl", "xf", "xd"}, {"yi", "yl", "yf", "yd"}};
    static const ilc_storage   storages[4] = {ILC_I32, ILC_I64, ILC_F32, ILC_F64};
    for (int t = 0; t < 4; t++) in[t] = ARRAY(f, names[0][t], storages[t]);
    for (int t = 0; t < 4; t++) out[t] = ARRAY(f, names[1][t], storages[t]);
    for (int row = 1; row < ILC__OP_LAST_COMPUTE; row++) {
        const ilc__op_info *info = ilc__op_info_of((ilc__op)row);
        ilc__expr          *args[3] = {NULL, NULL, NULL};
        for (int k = 0; info->operands[k]; k++) args[k] = LOAD(in[strchr("ilfd", info->operands[k]) - "ilfd"], I(k));
        append(&f->body, store(out[(int)info->result - (int)ILC__IR_I32], I(row), op3((ilc__op)row, args[0], args[1], args[2])));
    }
    assert_clang_accepts(emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_CUDA).source);
}

static size_t count_of(const char *source, const char *text)
{
    size_t count = 0;
    for (const char *at = source; (at = strstr(at, text)) != NULL; at += strlen(text)) count++;
    return count;
}

/* n + a, and above that functions that each call the one below `calls` times. */
static ilc__unit *layers(uint32_t count, uint32_t calls)
{
    ilc__unit *unit = ILC__NEW(ARENA, ilc__unit);
    for (uint32_t level = 0; level < count; level++) {
        ilc__func *f = func_new(ilc__arena_printf(ARENA, "Layer%u", level), ILC_I32);
        ilc__var  *n = PARAM(f, "n", ILC_I32), *a = PARAM(f, "a", ILC_I32);
        ilc__expr *value = OP(ADD_I32, V(n), V(a));
        for (uint32_t c = 0; level && c < calls; c++)
            value = OP(XOR_I32, value, CALL(unit->funcs.items[level - 1], V(n), OP(MUL_I32, V(a), I((int32_t)c + 3))));
        f->body = BLOCK(ret(value));
        ILC__PUSH(ARENA, &unit->funcs, f);
    }
    return unit;
}

static void test_layers_of_calls_do_not_grow_without_bound(void **state)
{
    (void)state;
    const char *twice = emit(layers(60, 2), spec_call(), ILC__DIALECT_CUDA).source;
    size_t      apart = count_of(twice, "__noinline__ __device__ int il_Layer");
    assert_true(apart >= 6 && apart <= 15); /* every fifth or so */
    assert_clang_accepts(twice);
    assert_null(strstr(emit(layers(60, 1), spec_call(), ILC__DIALECT_CUDA).source, "__noinline__"));
    assert_null(strstr(emit(layers(2, 20), spec_call(), ILC__DIALECT_CUDA).source, "__noinline__"));
    assert_non_null(strstr(emit(layers(3, 20), spec_call(), ILC__DIALECT_CUDA).source, "__noinline__ __device__ int il_Layer1_"));
    assert_null(strstr(emit(layers(60, 2), spec_call(), ILC__DIALECT_C).source, "noinline"));
}

static void test_functions_that_call_each_other_in_a_cycle_stand_apart(void **state)
{
    (void)state;
    ilc__unit  *unit = layers(3, 2);
    const char *source;
    unit->funcs.items[2]->cycle = 1;
    source = emit(unit, spec_call(), ILC__DIALECT_CUDA).source;
    assert_null(strstr(source, "__noinline__")); /* by itself alone */
    unit->funcs.items[1]->cycle = 1;
    source = emit(unit, spec_call(), ILC__DIALECT_CUDA).source;
    assert_non_null(strstr(source, "__noinline__ __device__ int il_Layer1_scalar("));
    assert_null(strstr(source, "__noinline__ __device__ int il_Layer0_scalar("));
    assert_clang_accepts(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) {#name, name, setup, NULL, NULL}
        T(test_a_guarded_kernel_has_the_original_signature),
        T(test_people_see_the_guarded_body_alone),
        T(test_a_sub_that_stores_promises_nothing_about_aliases),
        T(test_indices_run_along_the_axes_of_the_original),
        T(test_jumps_pass_no_initialiser),
        T(test_gotos_have_their_declarations_at_the_top),
        T(test_every_row_is_accepted),
        T(test_layers_of_calls_do_not_grow_without_bound),
        T(test_functions_that_call_each_other_in_a_cycle_stand_apart),
    };
    if (clang_missing()) print_message("skipped: clang is not installed, so CUDA text was not compiled\n");
    return cmocka_run_group_tests_name("emitted CUDA", tests, NULL, NULL);
}
