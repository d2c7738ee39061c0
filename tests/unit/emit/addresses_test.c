/* By-refs, slots and structs in emitted text: values and order, what is covered, what counts as a store. */
#include "build.h"

#include "meta/layout.h"

static const char INDEX_EXC[] = "System.IndexOutOfRangeException";

static int setup(void **state)
{
    (void)state;
    trees_reset();
    return 0;
}

static void assert_has(const char *source, const char *text)
{
    if (!strstr(source, text)) print_error("'%s' is not in:\n%s\n", text, source);
    assert_non_null(strstr(source, text));
}

static const char *last_reason(void)
{
    return trees.diags.count ? trees.diags.items[trees.diags.count - 1].reason : "";
}

static void assert_clang_accepts(const char *source)
{
    char        command[1024];
    const char *path = scratch_path(".cu");
    if (!have("clang")) return;
    write_text(path, source);
    snprintf(command, sizeof command,
             "clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -fsyntax-only -Wall "
             "-Wno-unknown-cuda-version -Werror -Wno-unused-function -Wno-unused-label -Wno-unused-variable "
             "-include %s/tests/unit/emit/cuda_shim.h %s",
             ILCUDA_SOURCE_DIR, path);
    int status = shell(command);
    if (status) print_error("clang refused:\n%s\n", source);
    unlink(path);
    assert_int_equal(status, 0);
}

static const ilc__kernel_spec elementwise = {ILC__MODE_ELEMENTWISE, 0, {0}, NULL};

/* --- by-refs of the root ---------------------------------------------------------------------------------------- */

static ilc__func *swap_of(ilc_storage storage)
{
    ilc__func *f = func_new("Swap", ILC_VOID);
    ilc__var  *a = BYREF(f, "a", storage), *b = BYREF(f, "b", storage), *old = LOCAL(f, "old", storage);
    f->body = BLOCK(assign(old, load_ind(storage, V(a))), store_ind(storage, V(a), load_ind(storage, V(b))),
                    store_ind(storage, V(b), V(old)));
    return f;
}

static void test_by_refs_of_an_elementwise_kernel_are_its_arrays(void **state)
{
    (void)state;
    ilc__kernel kernel = emit(unit_of(swap_of(ILC_F64), NULL), elementwise, ILC__DIALECT_C);
    double      a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
    assert_true(kernel.writes[0] && kernel.writes[1] && kernel.reads[0]);
    assert_int_equal(kernel.guarded.params[0].kind, ILC__KP_ARRAY);
    assert_true(kernel.guarded.params[0].written);
    FOR_EACH_COMPILER(library, kernel.source) {
        double x[4], y[4];
        memcpy(x, a, sizeof x);
        memcpy(y, b, sizeof y);
        launch l = {.array = {x, y}, .length = {4, 4}, .extents = {4, 1, 1}};
        run_entry(library, &kernel.guarded, &l);
        assert_memory_equal(x, b, sizeof x);
        assert_memory_equal(y, a, sizeof y);
    }
    assert_int_equal(ilc__check_independent(&trees, &trees.arena, unit_of(swap_of(ILC_F64), NULL), &elementwise), ILC_OK);
    ilc__kernel cuda = emit(unit_of(swap_of(ILC_F64), NULL), elementwise, ILC__DIALECT_CUDA);
    assert_has(cuda.source, "__global__ void il_Swap_kernel(double *p_a, double *p_b, int il_n) {");
    assert_has(cuda.source, "il_Swap_scalar(&p_a[il_i], &p_b[il_i]);");
    assert_clang_accepts(cuda.source);
}

static void test_one_call_takes_by_refs_as_pointers(void **state)
{
    (void)state;
    ilc__func *f = func_new("DivRem", ILC_I32);
    ilc__var  *a = PARAM(f, "a", ILC_I32), *b = PARAM(f, "b", ILC_I32), *rest = BYREF(f, "rest", ILC_U32);
    f->body = BLOCK(store_ind(ILC_U32, V(rest), OP(REM_I32, V(a), V(b))),
                    ret(OP(ADD_I32, OP(DIV_I32, V(a), V(b)), OP(MUL_I32, I(100), load_ind(ILC_U32, V(rest))))));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    FOR_EACH_COMPILER(library, kernel.source) {
        int32_t  out = 0;
        uint32_t left = 9;
        launch   l = {.scalar = {17, 5}, .array = {[2] = &left}, .length = {[2] = 1}, .out = &out, .extents = {1, 1, 1}};
        run_entry(library, &kernel.guarded, &l);
        assert_int_equal(out, 203);
        assert_int_equal(left, 2);
        l.scalar[1] = 0;
        run_entry(library, kernel.has_guard ? &kernel.checked : &kernel.guarded, &l);
        assert_non_null(site_of(&kernel, l.slot));
        assert_int_equal(left, 2);
    }
}

static void test_by_refs_beside_an_index_or_kept_are_refused(void **state)
{
    (void)state;
    ilc__func *f = func_new("F", ILC_VOID);
    ilc__var  *r = BYREF(f, "r", ILC_I32), *i = PARAM(f, "i", ILC_I32);
    f->body = BLOCK(store_ind(ILC_I32, V(r), V(i)));
    ilc__emit_options options = {.dialect = ILC__DIALECT_C, .checks = true};
    ilc__kernel       kernel;
    ilc__kernel_spec  one = spec_1d(1), kept = elementwise;
    kept.kept_scalar = (const bool[]){true, false};
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit_of(f, NULL), &one, &options, &kernel), ILC_UNSUPPORTED);
    assert_string_equal(last_reason(), "parameter 'r' of F is passed by reference");
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit_of(f, NULL), &kept, &options, &kernel), ILC_UNSUPPORTED);
    assert_int_equal(ilc__check_independent(&trees, &trees.arena, unit_of(f, NULL), &one), ILC_UNSUPPORTED);
}

/* --- slots -------------------------------------------------------------------------------------------------------- */

static ilc__func *setter(void)
{
    ilc__func *g = func_new("Set", ILC_I32);
    ilc__var  *r = BYREF(g, "r", ILC_I32), *v = PARAM(g, "v", ILC_I32);
    g->body = BLOCK(store_ind(ILC_I32, V(r), V(v)), ret(V(v)));
    return g;
}

/* k + 10 * Set(k, v) + 100 * k, and k starts at zero */
static void test_what_is_read_before_a_call_keeps_its_value(void **state)
{
    (void)state;
    ilc__func *g = setter(), *f = func_new("F", ILC_I32);
    ilc__var  *v = PARAM(f, "v", ILC_I32), *k = SLOT(f, "k", ILC_I32);
    ilc__expr *before = load_ind(ILC_I32, slot_addr(k)), *after = load_ind(ILC_I32, slot_addr(k));
    f->body = BLOCK(ret(OP(ADD_I32, OP(ADD_I32, before, OP(MUL_I32, I(10), CALL(g, slot_addr(k), V(v)))), OP(MUL_I32, I(100), after))));
    ilc__kernel kernel = emit(unit_of(g, f), spec_call(), ILC__DIALECT_C);
    FOR_EACH_COMPILER(library, kernel.source) {
        int32_t out = 0;
        launch  l = {.scalar = {3}, .out = &out, .extents = {1, 1, 1}};
        run_entry(library, &kernel.guarded, &l);
        assert_int_equal(out, 330);
    }
}

/* The callee changes k behind the guard's back: x(k) is checked where it stands. */
static void test_a_variable_whose_address_escapes_has_no_range(void **state)
{
    (void)state;
    ilc__func *g = setter(), *f = func_new("F", ILC_I32);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *v = PARAM(f, "v", ILC_I32), *k = SLOT(f, "k", ILC_I32);
    f->body = BLOCK(store_ind(ILC_I32, slot_addr(k), I(0)), eval(CALL(g, slot_addr(k), V(v))),
                    ret(LOAD(x, load_ind(ILC_I32, slot_addr(k)))));
    ilc__kernel kernel = emit(unit_of(g, f), spec_call(), ILC__DIALECT_C);
    assert_false(kernel.has_guard && kernel.covers_all);
    int32_t data[3] = {5, 6, 7}, out;
    FOR_EACH_COMPILER(library, kernel.source) {
        launch l = {.array = {data}, .length = {3}, .scalar = {0, 2}, .out = &out, .extents = {1, 1, 1}};
        run_entry(library, &kernel.guarded, &l);
        assert_int_equal(out, 7);
        l.scalar[1] = 3;
        run_entry(library, &kernel.guarded, &l);
        assert_string_equal(site_of(&kernel, l.slot)->exception, INDEX_EXC);
    }
}

/* x(t(0)) = Set(t(0), 2): the place is found before the call changes t. */
static void test_a_place_found_by_a_load_is_kept(void **state)
{
    (void)state;
    ilc__func *g = setter(), *f = func_new("F", ILC_VOID);
    ilc__var  *x = ARRAY(f, "x", ILC_I32), *t = ARRAY(f, "t", ILC_I32);
    f->body = BLOCK(store_ind(ILC_I32, elem_addr(x, LOAD(t, I(0))), CALL(g, elem_addr(t, I(0)), I(2))));
    ilc__emit_options options = {.dialect = ILC__DIALECT_C};
    ilc__kernel_spec  spec = spec_call();
    for (int checks = 0; checks < 2; checks++) {
        ilc__kernel kernel;
        options.checks = checks;
        assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit_of(g, f), &spec, &options, &kernel), ILC_OK);
        FOR_EACH_COMPILER(library, kernel.source) {
            int32_t xs[3] = {0, 0, 0}, ts[1] = {1};
            launch  l = {.array = {xs, ts}, .length = {3, 1}, .extents = {1, 1, 1}};
            run_entry(library, kernel.has_guard ? &kernel.checked : &kernel.guarded, &l);
            assert_int_equal(xs[1], 2);
            assert_int_equal(xs[2], 0);
            assert_int_equal(ts[0], 2);
        }
    }
}

/* Small slots are cut when stored and extended when loaded; a parameter's slot starts with the argument. */
static void test_small_slots_keep_their_width(void **state)
{
    (void)state;
    ilc__func *f = func_new("F", ILC_I64);
    ilc__var  *a = add_slot(f, "a", ILC_U8, NULL, true), *b = SLOT(f, "b", ILC_I8), *c = SLOT(f, "c", ILC_U32);
    f->body = BLOCK(store_ind(ILC_I8, slot_addr(b), load_ind(ILC_U8, slot_addr(a))), store_ind(ILC_U8, slot_addr(a), I(300)),
                    store_ind(ILC_U32, slot_addr(c), I(-1)),
                    ret(OP(ADD_I64, UN(I64_I32, OP(ADD_I32, load_ind(ILC_I8, slot_addr(b)), OP(MUL_I32, I(1000), load_ind(ILC_U8, slot_addr(a))))),
                           UN(I64_U32, load_ind(ILC_U32, slot_addr(c))))));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    FOR_EACH_COMPILER(library, kernel.source) {
        int64_t out = 0;
        launch  l = {.scalar = {200}, .out = &out, .extents = {1, 1, 1}};
        run_entry(library, &kernel.guarded, &l);
        assert_true(out == -56 + 44000 + 4294967295LL);
    }
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

static ilc__func *scaler(void)
{
    ilc__func *g = func_new("Scale", ILC_VOID);
    ilc__var  *r = BYREF(g, "r", ILC_F32), *a = PARAM(g, "a", ILC_F32);
    g->body = BLOCK(store_ind(ILC_F32, V(r), OP(MUL_F32, load_ind(ILC_F32, V(r)), V(a))));
    return g;
}

static ilc__unit *scale_each(ilc__op shift, int32_t by)
{
    ilc__func *g = scaler(), *f = func_new("ScaleEach", ILC_VOID);
    ilc__var  *y = ARRAY(f, "y", ILC_F32), *a = PARAM(f, "a", ILC_F32), *i = PARAM(f, "i", ILC_I32);
    ilc__expr *at = by ? op2(shift, V(i), I(by)) : V(i);
    f->body = BLOCK(eval(CALL(g, elem_addr(y, at), V(a))));
    return unit_of(g, f);
}

static void test_the_guard_covers_an_elements_address(void **state)
{
    (void)state;
    ilc__unit  *unit = scale_each(ILC__OP_NONE, 0);
    ilc__kernel kernel = emit(unit, spec_1d(2), ILC__DIALECT_C);
    assert_true(kernel.has_guard && kernel.covers_all && kernel.writes[0]);
    int64_t           scalars[3] = {0}, lengths[3] = {4, -1, -1};
    ilc__launch_facts facts = {.scalars = scalars, .lengths = lengths, .extents = {4, 1, 1}};
    assert_true(ilc__guard_holds(&trees, ARENA, &kernel, &facts));
    facts.extents[0] = 5;
    assert_false(ilc__guard_holds(&trees, ARENA, &kernel, &facts));
    facts.extents[0] = 4;
    lengths[0] = -1;
    assert_false(ilc__guard_holds(&trees, ARENA, &kernel, &facts));
    FOR_EACH_COMPILER(library, kernel.source) {
        float  y[5] = {1, 2, 3, 4, 5};
        launch l = {.array = {y}, .length = {5}, .scalar = {0, 0x40000000}, .extents = {5, 1, 1}};
        run_entry(library, &kernel.guarded, &l);
        for (int k = 0; k < 5; k++) assert_true(y[k] == 2.0f * (float)(k + 1));
        l.length[0] = 3;
        run_entry(library, &kernel.checked, &l);
        assert_int_equal(l.slot >> 16, 3);
        assert_string_equal(site_of(&kernel, l.slot)->exception, INDEX_EXC);
    }
    ilc__kernel cuda = emit(unit, spec_1d(2), ILC__DIALECT_CUDA);
    assert_has(cuda.source, "__device__ void il_Scale_scalar(float *p_r, float p_a) {\n    *p_r = *p_r * p_a;\n");
    assert_has(cuda.source, "il_Scale_scalar(&p_y[p_i], p_a);");
    assert_clang_accepts(cuda.source);
}

static void test_an_address_that_goes_on_counts_as_a_store(void **state)
{
    (void)state;
    ilc__kernel_spec one = spec_1d(2);
    assert_int_equal(ilc__check_independent(&trees, &trees.arena, scale_each(ILC__OP_NONE, 0), &one), ILC_OK);
    assert_int_equal(ilc__check_independent(&trees, &trees.arena, scale_each(ILC__OP_AND_I32, 1), &one), ILC_UNSUPPORTED);
    assert_non_null(strstr(last_reason(), "is not at the element's own place"));
}

/* Each: a Sub over i that touches y through addresses. */
typedef ilc__block touch(ilc__func *f, ilc__var *y, ilc__var *i);

static ilc__block own_place(ilc__func *f, ilc__var *y, ilc__var *i)
{
    (void)f;
    return BLOCK(store_ind(ILC_F32, elem_addr(y, V(i)), load_ind(ILC_F32, elem_addr(y, V(i)))));
}

static ilc__block neighbour_read(ilc__func *f, ilc__var *y, ilc__var *i)
{
    (void)f;
    return BLOCK(store_ind(ILC_F32, elem_addr(y, V(i)), load_ind(ILC_F32, elem_addr(y, OP(ADD_I32, V(i), I(1))))));
}

static ilc__block by_ref_local_at_own_place(ilc__func *f, ilc__var *y, ilc__var *i)
{
    ilc__var *q = add_by_ref(f, "q", ILC_F32, NULL, false);
    return BLOCK(assign(q, elem_addr(y, V(i))), store_ind(ILC_F32, V(q), F(1)));
}

static ilc__block by_ref_local_elsewhere(ilc__func *f, ilc__var *y, ilc__var *i)
{
    (void)i;
    ilc__var *q = add_by_ref(f, "q", ILC_F32, NULL, false);
    return BLOCK(assign(q, elem_addr(y, I(0))), store_ind(ILC_F32, V(q), F(1)));
}

static ilc__block by_ref_local_only_set(ilc__func *f, ilc__var *y, ilc__var *i)
{
    (void)i;
    ilc__var *q = add_by_ref(f, "q", ILC_F32, NULL, false);
    return BLOCK(assign(q, elem_addr(y, I(0))), store(y, V(i), load_ind(ILC_F32, V(q))));
}

static ilc__block index_from_a_slot(ilc__func *f, ilc__var *y, ilc__var *i)
{
    ilc__var *k = SLOT(f, "k", ILC_I32);
    return BLOCK(store_ind(ILC_I32, slot_addr(k), V(i)), store(y, load_ind(ILC_I32, slot_addr(k)), F(1)));
}

static ilc__block slots_only(ilc__func *f, ilc__var *y, ilc__var *i)
{
    ilc__var *k = SLOT(f, "k", ILC_I32);
    (void)y;
    return BLOCK(store_ind(ILC_I32, slot_addr(k), V(i)));
}

static void test_what_addresses_reach_is_independent_or_refused(void **state)
{
    (void)state;
    static const struct {
        touch *body;
        bool   accepted;
    } rows[] = {{own_place, true}, {neighbour_read, false}, {by_ref_local_at_own_place, true}, {by_ref_local_elsewhere, false},
                {by_ref_local_only_set, false}, {index_from_a_slot, false}, {slots_only, true}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        ilc__func *f = func_new("F", ILC_VOID);
        ilc__var  *y = ARRAY(f, "y", ILC_F32), *i = PARAM(f, "i", ILC_I32);
        f->body = rows[r].body(f, y, i);
        ilc__kernel_spec one = spec_1d(1);
        bool             accepted = ilc__check_independent(&trees, &trees.arena, unit_of(f, NULL), &one) == ILC_OK;
        if (accepted != rows[r].accepted) print_error("row %zu\n", r);
        assert_int_equal(accepted, rows[r].accepted);
    }
}

/* A callee that gets the array and stores through an address that it makes of it. */
static void test_a_callee_that_takes_an_address_stores(void **state)
{
    (void)state;
    ilc__func *g = func_new("Touch", ILC_VOID), *f = func_new("F", ILC_F32);
    ilc__var  *x = ARRAY(g, "x", ILC_F32), *q = add_by_ref(g, "q", ILC_F32, NULL, false);
    g->body = BLOCK(assign(q, elem_addr(x, I(0))), store_ind(ILC_F32, V(q), F(1)));
    ilc__var *y = ARRAY(f, "y", ILC_F32), *z = ARRAY(f, "z", ILC_F32), *i = PARAM(f, "i", ILC_I32);
    f->body = BLOCK(eval(CALL(g, V(y))), ret(load_ind(ILC_F32, elem_addr(z, V(i)))));
    ilc__unit       *unit = unit_of(g, f);
    ilc__kernel      kernel = emit(unit, spec_1d(2), ILC__DIALECT_CUDA);
    ilc__kernel_spec one = spec_1d(2);
    assert_true(kernel.writes[0] && kernel.reads[1] && !kernel.writes[1]);
    assert_has(kernel.source, "il_Touch_checked_scalar(float *p_x, long long il_len_x, il_state *il_at) {");
    assert_has(kernel.source, "const float *p_z");
    assert_null(strstr(kernel.source, "const float *__restrict__"));
    assert_clang_accepts(kernel.source);
    assert_int_equal(ilc__check_independent(&trees, &trees.arena, unit, &one), ILC_UNSUPPORTED);
}

static void test_loads_through_an_address_leave_inputs_restrict(void **state)
{
    (void)state;
    ilc__func *g = setter(), *f = func_new("F", ILC_F32);
    ilc__var  *z = ARRAY(f, "z", ILC_F32), *i = PARAM(f, "i", ILC_I32), *k = SLOT(f, "k", ILC_I32);
    f->body = BLOCK(eval(CALL(g, slot_addr(k), V(i))), ret(load_ind(ILC_F32, elem_addr(z, load_ind(ILC_I32, slot_addr(k))))));
    ilc__kernel kernel = emit(unit_of(g, f), spec_1d(1), ILC__DIALECT_CUDA);
    assert_has(kernel.source, "il_F_scalar(const float *__restrict__ p_z,");
    assert_has(kernel.source, "il_Set_scalar(int *p_r, int p_v)");
    assert_clang_accepts(kernel.source);
}

/* --- structs ------------------------------------------------------------------------------------------------------ */

static const ilc__layout_field vec_fields[] = {{"x", 0, ILC_F32, NULL}, {"y", 4, ILC_F32, NULL}};
static const ilc__layout       vec = {.name = "Ns.Vec2", .size = 8, .align = 4, .field_count = 2, .fields = vec_fields, .text_align = 4};
/* fields out of order, a gap, a word of C for a name, and room behind */
static const ilc__layout_field box_fields[] = {
    {"int", 24, ILC_U8, NULL}, {"v", 16, ILC_VOID, &vec}, {"a", 0, ILC_U8, NULL}, {"d", 8, ILC_F64, NULL}, {"<n>k__BackingField", 2, ILC_I16, NULL}};
static const ilc__layout box = {.name = "Ns.Outer+box\xc3\xb6", .size = 40, .align = 8, .field_count = 5, .fields = box_fields, .text_align = 8};

static void test_structs_lie_as_their_layouts_say(void **state)
{
    (void)state;
    ilc__func *g = func_new("Fill", ILC_VOID), *f = func_new("F", ILC_F64);
    ilc__var  *r = add_by_ref(g, "r", ILC_VOID, &box, true);
    g->body = BLOCK(store_ind(ILC_U8, field_addr(V(r), &box, 0), I(255)), store_ind(ILC_F32, field_addr(field_addr(V(r), &box, 1), &vec, 1), F(2.5f)),
                    store_ind(ILC_F64, field_addr(V(r), &box, 3), D(0.25)), store_ind(ILC_I16, field_addr(V(r), &box, 4), I(-3)));
    ilc__var *b = add_slot(f, "b", ILC_VOID, &box, false), *c = add_slot(f, "c", ILC_VOID, &box, false), *v = add_slot(f, "v", ILC_VOID, &vec, false);
    ilc__expr *sum = UN(F64_F32, load_ind(ILC_F32, field_addr(slot_addr(v), &vec, 1)));
    sum = OP(ADD_F64, sum, load_ind(ILC_F64, field_addr(slot_addr(c), &box, 3)));
    sum = OP(ADD_F64, sum, UN(F64_I32, load_ind(ILC_I16, field_addr(slot_addr(c), &box, 4))));
    sum = OP(ADD_F64, sum, UN(F64_I32, OP(MUL_I32, I(1000), load_ind(ILC_U8, field_addr(slot_addr(c), &box, 0)))));
    sum = OP(ADD_F64, sum, load_ind(ILC_F64, field_addr(slot_addr(b), &box, 3)));
    f->body = BLOCK(eval(CALL(g, slot_addr(b))), copy_mem(&box, slot_addr(c), slot_addr(b)), ZERO_MEM(&box, slot_addr(b)),
                    copy_mem(&vec, slot_addr(v), field_addr(slot_addr(c), &box, 1)), ret(sum));
    ilc__kernel kernel = emit(unit_of(g, f), spec_call(), ILC__DIALECT_C);
    assert_has(kernel.source, "typedef struct il_struct_box_xC3B6_ {\n    unsigned char a;\n    short n;\n"
                              "    double d;\n    il_Vec2 v;\n    unsigned char int_;\n    unsigned char il_pad0[15];\n} il_struct_box_xC3B6_;\n");
    FOR_EACH_COMPILER(library, kernel.source) {
        double out = 0;
        launch l = {.out = &out, .extents = {1, 1, 1}};
        run_entry(library, &kernel.guarded, &l);
        assert_true(out == 2.5 + 0.25 - 3 + 255000);
    }
    assert_clang_accepts(emit(unit_of(g, f), spec_call(), ILC__DIALECT_CUDA).source);
}

/* The callee owns its struct: what it writes there the caller does not see. */
static void test_a_struct_parameter_is_the_callees_own(void **state)
{
    (void)state;
    ilc__func *g = func_new("Own", ILC_F32), *f = func_new("F", ILC_F32);
    ilc__var  *p = add_slot(g, "p", ILC_VOID, &vec, true);
    g->body = BLOCK(store_ind(ILC_F32, field_addr(slot_addr(p), &vec, 0), OP(ADD_F32, load_ind(ILC_F32, field_addr(slot_addr(p), &vec, 0)), F(1))),
                    ret(load_ind(ILC_F32, field_addr(slot_addr(p), &vec, 0))));
    ilc__var *a = PARAM(f, "a", ILC_F32), *t = add_slot(f, "t", ILC_VOID, &vec, false);
    f->body = BLOCK(store_ind(ILC_F32, field_addr(slot_addr(t), &vec, 0), V(a)),
                    ret(OP(ADD_F32, OP(MUL_F32, F(10), CALL(g, slot_addr(t))), load_ind(ILC_F32, field_addr(slot_addr(t), &vec, 1)))));
    ilc__kernel kernel = emit(unit_of(g, f), elementwise, ILC__DIALECT_C);
    FOR_EACH_COMPILER(library, kernel.source) {
        float  in[2] = {1, 2}, out[2] = {0};
        launch l = {.array = {in}, .length = {2}, .out = out, .extents = {2, 1, 1}};
        run_entry(library, &kernel.guarded, &l);
        assert_true(out[0] == 20 && out[1] == 30);
    }
    assert_has(kernel.source, "float il_Own_scalar(il_Vec2 p_p) {");
    assert_clang_accepts(emit(unit_of(g, f), elementwise, ILC__DIALECT_CUDA).source);
}

/* Fields over one another, off their alignment, in a size that is no multiple of it. */
static void test_layouts_that_c_does_not_have_are_bytes(void **state)
{
    (void)state;
    static const ilc__layout_field off_fields[] = {{"a", 0, ILC_U8, NULL}, {"b", 1, ILC_I32, NULL}}, both_fields[] = {{"a", 0, ILC_I32, NULL}, {"b", 0, ILC_F32, NULL}};
    static ilc__layout off = {.name = "Off", .size = 5, .align = 1, .field_count = 2, .fields = off_fields}, both = {.name = "Both", .size = 4, .align = 4, .field_count = 2, .fields = both_fields};
    static ilc__layout_field pair_fields[] = {{"o", 0, ILC_VOID, &off}, {"p", 5, ILC_VOID, &off}, {"u", 12, ILC_VOID, &both}};
    static ilc__layout       pair = {.name = "Pair", .size = 16, .align = 4, .field_count = 3, .fields = pair_fields};
    ilc__layout_settle(&off);
    ilc__layout_settle(&both);
    ilc__layout_settle(&pair);
    assert_true(off.is_blob && !off.is_whole && off.text_align == 1);
    assert_true(both.is_blob && both.is_whole && both.text_align == 4);
    assert_true(!pair.is_blob && pair.is_whole && pair.text_align == 4);
    ilc__func *f = func_new("F", ILC_I32);
    ilc__var  *s = add_slot(f, "s", ILC_VOID, &pair, false), *t = add_slot(f, "t", ILC_VOID, &pair, false);
    ilc__expr *inner = field_addr(slot_addr(s), &pair, 1), *bits = field_addr(slot_addr(s), &pair, 2);
    ilc__expr *sum = OP(ADD_I32, load_ind(ILC_I32, field_addr(field_addr(slot_addr(t), &pair, 0), &off, 1)), load_ind(ILC_I32, field_addr(field_addr(slot_addr(t), &pair, 2), &both, 0)));
    f->body = BLOCK(store_ind(ILC_I32, field_addr(inner, &off, 1), I(-7)), store_ind(ILC_U8, field_addr(inner, &off, 0), I(255)), store_ind(ILC_F32, field_addr(bits, &both, 1), F(1)),
                    copy_mem(&pair, slot_addr(t), slot_addr(s)), copy_mem(&off, field_addr(slot_addr(t), &pair, 0), field_addr(slot_addr(t), &pair, 1)), ret(sum));
    ilc__kernel kernel = emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_C);
    assert_has(kernel.source, "typedef struct il_Off {\n    unsigned char il_data[5];\n} il_Off;\n");
    assert_has(kernel.source, "typedef struct il_Both {\n    unsigned il_data[1];\n} il_Both;\n");
    assert_has(kernel.source, "il_store_i32((int *)((char *)&s.p + 1), -7)");
    assert_has(kernel.source, "*(float *)&s.u = 1.0f;");
    FOR_EACH_COMPILER(library, kernel.source) {
        int    out = 0;
        launch l = {.out = &out, .extents = {1, 1, 1}};
        run_entry(library, &kernel.guarded, &l);
        assert_int_equal(out, 0x3f800000 - 7);
    }
    assert_clang_accepts(emit(unit_of(f, NULL), spec_call(), ILC__DIALECT_CUDA).source);
}

static void test_large_structs_of_kernels_are_refused(void **state)
{
    (void)state;
    static const ilc__layout large = {.name = "Large", .size = 65536, .align = 4, .field_count = 1, .fields = vec_fields, .text_align = 4};
    ilc__func               *big = func_new("Big", ILC_I32);
    add_slot(big, "s", ILC_VOID, &large, false);
    SLOT(big, "t", ILC_U8);
    big->body = BLOCK(ret(I(1)));
    ilc__emit_options options = {.dialect = ILC__DIALECT_C, .checks = true};
    ilc__kernel_spec  spec = spec_call();
    ilc__kernel       kernel;
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, unit_of(big, NULL), &spec, &options, &kernel), ILC_UNSUPPORTED);
    assert_string_equal(last_reason(), "locals of more than 64 KiB in memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) {#name, name, setup, NULL, NULL}
        T(test_by_refs_of_an_elementwise_kernel_are_its_arrays),
        T(test_one_call_takes_by_refs_as_pointers),
        T(test_by_refs_beside_an_index_or_kept_are_refused),
        T(test_what_is_read_before_a_call_keeps_its_value),
        T(test_a_variable_whose_address_escapes_has_no_range),
        T(test_a_place_found_by_a_load_is_kept),
        T(test_small_slots_keep_their_width),
        T(test_the_guard_covers_an_elements_address),
        T(test_an_address_that_goes_on_counts_as_a_store),
        T(test_what_addresses_reach_is_independent_or_refused),
        T(test_a_callee_that_takes_an_address_stores),
        T(test_loads_through_an_address_leave_inputs_restrict),
        T(test_structs_lie_as_their_layouts_say),
        T(test_a_struct_parameter_is_the_callees_own),
        T(test_layouts_that_c_does_not_have_are_bytes),
        T(test_large_structs_of_kernels_are_refused),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
