/* ast_emit_test.c - what works on addresses and structs, as emitted C: the tree interpreter and the compiled text
 * give the same results, the same traps, and the same arrays and by-refs; and clang takes the CUDA text. */
#include "../emit/build.h"
#include "interp/interp.h"
#include "opt/pass.h"

enum { ROUNDS = 12, LENGTH = 5, FUEL = 100000, MAX_PARAMS = 8 };

static const char *const files[] = {ILCUDA_SOURCE_DIR "/tests/unit/interp/data/IlCases.dll", ILCUDA_FIXTURES "/bin/MemoryCs.dll",
                                    ILCUDA_FIXTURES "/bin/MemoryVb.dll", ILCUDA_FIXTURES "/bin/MemoryVbDebug.dll"};

/* --- methods --------------------------------------------------------------------------------------------------- */

static bool uses_memory(const ilc__ir_unit *ir)
{
    for (uint32_t f = 0; f < ir->funcs.count; f++)
        for (ilc__ref ref = 1; ref < ir->funcs.items[f]->values.count; ref++) {
            const ilc__ir_value *v = &ir->funcs.items[f]->values.items[ref];
            if (v->type == ILC__IR_ADDR && v->op != ILC__OP_NONE) return true;
        }
    return false;
}

/* Without the passes, too: then nothing is promoted, and every slot stands in the text. */
static bool tree_of(const ilc__method *method, bool optimised, ilc__unit *unit)
{
    ilc__ir_unit ir = {0};
    if (!(method->flags & ILC__METHOD_STATIC) || ilc__ir_lift(&trees, ARENA, method, &ir) != ILC_OK) return false;
    if (!uses_memory(&ir)) return false;
    ilc_status status = ilc__opt_run(&trees, &ir, NULL, NULL);
    if (status == ILC_UNSUPPORTED) return false;
    if (!optimised && (ilc__ir_lift(&trees, ARENA, method, &ir) != ILC_OK)) return false;
    if (status != ILC_OK || ilc__ast_build(&trees, ARENA, &ir, unit) != ILC_OK)
        fail_msg("%s: %s", method->full_name, trees.diags.items[trees.diags.count - 1].text);
    return unit->funcs.items[unit->funcs.count - 1]->param_count <= MAX_PARAMS;
}

/* --- arguments ------------------------------------------------------------------------------------------------- */

static uint64_t seed = 7;

static uint32_t roll(uint32_t sides)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % sides;
}

static uint64_t scalar(ilc_storage s)
{
    int64_t  v = roll(4) ? (int64_t)roll(7) : (int64_t)roll(1000) - 500;
    float    f = (float)v / 4;
    double   d = (double)v / 8;
    uint64_t bits = 0;
    if (s == ILC_F32) memcpy(&bits, &f, 4);
    else if (s == ILC_F64) memcpy(&bits, &d, 8);
    else if (s == ILC_BOOL) bits = (uint64_t)(v & 1);
    else memcpy(&bits, &v, 8);
    uint32_t size = ilc_storage_size(s);
    if (size == 8 || s == ILC_F32 || s == ILC_VOID || s == ILC_STRUCT) return bits;
    bool     is_unsigned = s == ILC_U8 || s == ILC_U16 || s == ILC_U32 || s == ILC_CHAR || s == ILC_BOOL;
    uint32_t spare = 64 - 8 * size;
    return is_unsigned ? bits << spare >> spare : (uint64_t)((int64_t)(bits << spare) >> spare);
}

typedef struct arguments {
    ilc_value values[MAX_PARAMS];
    ilc_array arrays[MAX_PARAMS];
    uint64_t  data[MAX_PARAMS][LENGTH];
    int       from[MAX_PARAMS]; /* whose array it is */
} arguments;

static void make_arguments(const ilc__func *f, arguments *a)
{
    memset(a, 0, sizeof *a);
    for (uint32_t i = 0; i < f->param_count; i++) {
        const ilc__var *v = f->vars.items[i];
        a->values[i] = (ilc_value){.storage = v->storage, .is_array = v->is_array || v->is_addr, .is_byref = v->is_addr && !v->is_pointer};
        a->from[i] = -1;
        if (!a->values[i].is_array) a->values[i].u.bits = scalar(v->storage);
        if (!a->values[i].is_array) continue;
        a->arrays[i] = (ilc_array){v->storage, a->values[i].is_byref ? 1 : roll(6) ? LENGTH : roll(4), a->data[i]};
        for (uint32_t k = 0; k < LENGTH; k++) {
            uint64_t bits = scalar(v->storage);
            memcpy((uint8_t *)a->data[i] + k * ilc_storage_size(v->storage), &bits, ilc_storage_size(v->storage));
        }
        if (roll(10) || a->values[i].is_byref) a->from[i] = (int)i;
        if (i > 0 && roll(4) == 0 && a->values[i - 1].is_array && a->values[i - 1].storage == v->storage &&
            a->values[i].is_byref == a->values[i - 1].is_byref)
            a->from[i] = a->from[i - 1];
    }
}

static void bind(arguments *a)
{
    for (uint32_t i = 0; i < MAX_PARAMS; i++) {
        a->arrays[i].data = a->data[i];
        if (a->values[i].is_array) a->values[i].u.array = a->from[i] < 0 ? NULL : &a->arrays[a->from[i]];
    }
}

/* --- both -------------------------------------------------------------------------------------------------------- */

static bool is_nan(ilc_storage s, uint64_t bits)
{
    if (s == ILC_F32) return (bits & 0x7fffffff) > 0x7f800000;
    return s == ILC_F64 && (bits & INT64_MAX) > 0x7ff0000000000000;
}

static uint64_t read_out(ilc_storage s, const uint64_t *out)
{
    uint64_t bits = 0;
    if (s != ILC_VOID) memcpy(&bits, out, ilc_storage_size(s));
    return bits;
}

static void launch_of(const ilc__func *f, arguments *a, launch *l, uint64_t *out)
{
    *l = (launch){.out = out, .extents = {1, 1, 1}};
    for (uint32_t i = 0; i < f->param_count; i++) {
        const ilc_value *v = &a->values[i];
        l->length[i] = v->is_array && v->u.array ? v->u.array->length : -1;
        if (!v->is_array) l->scalar[i] = (int64_t)v->u.bits;
        else l->array[i] = v->u.array ? v->u.array->data : NULL;
    }
}

static void compare(const ilc__kernel *kernel, void *library, const ilc__func *f, ilc__ast_machine *tree, const char *name)
{
    static arguments    left, right;
    ilc__interp_options options = {.fuel = FUEL};
    for (int round = 0; round < ROUNDS; round++) {
        ilc_outcome expected = {0};
        uint64_t    out = 0;
        launch      l;
        make_arguments(f, &left);
        right = left;
        bind(&left);
        bind(&right);
        if (ilc__ast_machine_call(tree, left.values, f->param_count, &options, &expected) != ILC_OK) continue;
        launch_of(f, &right, &l, &out);
        run_entry(library, kernel->has_guard ? &kernel->checked : &kernel->guarded, &l);
        const ilc__site *site = site_of(kernel, l.slot);
        uint64_t         want = read_out(f->ret, &expected.ret.u.bits), got = read_out(f->ret, &out);
        bool same = expected.trapped == (site != NULL) && memcmp(left.data, right.data, sizeof left.data) == 0;
        if (same && site) same = strcmp(site->exception, expected.trap.exception) == 0 && site->il == expected.trap.il_offset;
        if (same && !site) same = want == got || (is_nan(f->ret, want) && is_nan(f->ret, got));
        if (!same)
            fail_msg("%s: tree %s %llx, text %s %llx\n%s", name, expected.trapped ? expected.trap.exception : "", (unsigned long long)want,
                     site ? site->exception : "", (unsigned long long)got, kernel->source);
    }
}

static void assert_clang_takes(const char *source, const char *name)
{
    char        command[1024];
    const char *path = scratch_path(".cu");
    if (shell("command -v clang >/dev/null 2>&1") != 0) return;
    write_text(path, source);
    snprintf(command, sizeof command,
             "clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -fsyntax-only -Wall "
             "-Wno-unknown-cuda-version -Werror -Wno-unused-function -Wno-unused-label -Wno-unused-variable "
             "-Wno-unused-but-set-variable -include %s/tests/unit/emit/cuda_shim.h %s",
             ILCUDA_SOURCE_DIR, path);
    int status = shell(command);
    unlink(path);
    if (status) fail_msg("%s: clang refused\n%s", name, source);
}

typedef struct tally {
    uint32_t methods, refused, cuda;
} tally;

static void check_method(const ilc__method *method, bool optimised, tally *t)
{
    ilc__unit         unit = {0};
    ilc__ast_machine *tree = NULL;
    ilc__kernel       kernel;
    ilc__kernel_spec  spec = spec_call();
    ilc__emit_options options = {.dialect = ILC__DIALECT_C, .checks = true};
    if (!tree_of(method, optimised, &unit)) return;
    ilc_status status = ilc__ast_machine_create(&trees, ARENA, &unit, &tree);
    if (status != ILC_OK && !optimised) return; /* a tail call that is no loop yet */
    assert_int_equal(status, ILC_OK);
    status = ilc__emit_kernel(&trees, ARENA, &unit, &spec, &options, &kernel);
    if (status == ILC_UNSUPPORTED) {
        print_message("refused: %s\n", trees.diags.items[trees.diags.count - 1].text);
        t->refused++;
        return;
    }
    assert_int_equal(status, ILC_OK);
    t->methods++;
    const ilc__func *f = unit.funcs.items[unit.funcs.count - 1];
    const int        others = COMPILER_COUNT - 1;
    for (int c = 0; c < (others && t->methods % 6 == 0 ? 2 : 1); c++) { /* tcc, and now and then one of the others */
        void *library = compile_c(&compilers[c ? 1 + (int)(t->methods / 6) % others : 0], kernel.source);
        if (!library) continue;
        compare(&kernel, library, f, tree, method->full_name);
        dlclose(library);
    }
    if (t->methods % 24) return; /* a process each */
    options.dialect = ILC__DIALECT_CUDA;
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, &unit, &spec, &options, &kernel), ILC_OK);
    assert_clang_takes(kernel.source, method->full_name);
    t->cuda++;
}

static void check_files(bool optimised)
{
    tally t = {0};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        trees_reset();
        ilc__set   *set = ilc__set_create(&trees);
        ilc__image *image = NULL;
        assert_int_equal(ilc__set_open(set, files[i], &image), ILC_OK);
        for (uint32_t row = 1; row <= ilc__image_method_count(image); row++) {
            const ilc__method *m = NULL;
            if (ilc__image_method(image, row, &m) == ILC_OK) check_method(m, optimised, &t);
        }
        ilc__set_destroy(set);
    }
    print_message("%u methods, %u refused, %u as CUDA\n", t.methods, t.refused, t.cuda);
    assert_true(t.methods > 20);
}

static void text_and_tree_agree_on_memory(void **state)
{
    (void)state;
    check_files(true);
}

static void text_and_tree_agree_where_nothing_is_promoted(void **state)
{
    (void)state;
    check_files(false);
}

int main(int argc, char **argv)
{
    if (argc > 1) seed = (uint64_t)atoll(argv[1]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_and_tree_agree_on_memory),
                                       cmocka_unit_test(text_and_tree_agree_where_nothing_is_promoted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
