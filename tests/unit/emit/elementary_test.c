/* exp, log, pow, sin and their kind as each compiler makes them: the folder's bits, over arguments of every magnitude. */
#include "build.h"

static int setup(void **state)
{
    (void)state;
    trees_reset();
    return 0;
}

enum { FIRST = ILC__OP_EXP_F64, LAST = ILC__OP_CBRT_F32, COUNT = LAST - FIRST + 1, SAMPLES = 3000 };

static bool is_single(int op)
{
    return ilc__op_info_of((ilc__op)op)->result == ILC__IR_F32;
}

/* out(k) = function k of x(0) and y(0), Singles apart */
static ilc__unit *all_functions(void)
{
    ilc__func *f = func_new("Functions", ILC_VOID);
    ilc__var  *x[2] = {ARRAY(f, "x", ILC_F64), ARRAY(f, "xs", ILC_F32)};
    ilc__var  *y[2] = {ARRAY(f, "y", ILC_F64), ARRAY(f, "ys", ILC_F32)};
    ilc__var  *out[2] = {ARRAY(f, "z", ILC_F64), ARRAY(f, "zs", ILC_F32)};
    for (int op = FIRST; op <= LAST; op++) {
        int        s = is_single(op);
        ilc__expr *a = LOAD(x[s], I(0));
        bool       two = ilc__op_info_of((ilc__op)op)->operands[1] != 0;
        append(&f->body, store(out[s], I(op - FIRST), two ? op2((ilc__op)op, a, LOAD(y[s], I(0))) : op1((ilc__op)op, a)));
    }
    return unit_of(f, NULL);
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return *seed * 2685821657736338717u;
}

/* Any bits, usual sizes, near 1, and what sin must reduce exactly. */
static double argument(uint64_t *seed, int k)
{
    uint64_t bits = next(seed);
    double   value, unit = (double)(int64_t)next(seed) / 9223372036854775808.0;
    switch (k % 5) {
    case 0: memcpy(&value, &bits, sizeof value); return value;
    case 1: return unit * 700;
    case 2: return 1 + unit / 1048576;
    case 3: return (double)(int64_t)(bits >> 20) * 1.5707963267948966;
    default: return unit * 20;
    }
}

static bool same(bool single, uint64_t a, uint64_t b)
{
    if (a == b) return true;
    if (single) return (a & 0x7fffffff) > 0x7f800000 && (b & 0x7fffffff) > 0x7f800000;
    return (a & INT64_MAX) > 0x7ff0000000000000u && (b & INT64_MAX) > 0x7ff0000000000000u;
}

static unsigned compare(double a, double b, const uint64_t *z, const uint32_t *zs)
{
    unsigned differences = 0;
    for (int op = FIRST; op <= LAST; op++) {
        bool              single = is_single(op);
        float             as = (float)a, bs = (float)b;
        uint64_t          args[2] = {0}, expected;
        ilc__exception_id exception;
        memcpy(&args[0], single ? (void *)&as : (void *)&a, single ? 4 : 8);
        memcpy(&args[1], single ? (void *)&bs : (void *)&b, single ? 4 : 8);
        assert_true(ilc__op_eval((ilc__op)op, args[0], args[1], &expected, &exception));
        uint64_t got = single ? zs[op - FIRST] : z[op - FIRST];
        if (same(single, got, expected)) continue;
        if (differences++ == 0)
            print_error("%s of %a, %a: %llx, expected %llx\n", ilc__op_info_of((ilc__op)op)->text, a, b,
                        (unsigned long long)got, (unsigned long long)expected);
    }
    return differences;
}

static void test_every_function_gives_the_folders_bits_with_each_compiler(void **state)
{
    (void)state;
    ilc__kernel_spec  spec = spec_call();
    ilc__emit_options options = {.dialect = ILC__DIALECT_C};
    ilc__kernel       kernel;
    assert_int_equal(ilc__emit_kernel(&trees, ARENA, all_functions(), &spec, &options, &kernel), ILC_OK);
    unsigned compared = 0;
    FOR_EACH_COMPILER(library, kernel.source) {
        uint64_t seed = 88172645463325252u;
        unsigned differences = 0;
        for (int k = 0; k < SAMPLES; k++) {
            static uint64_t z[COUNT];
            static uint32_t zs[COUNT];
            double          x = argument(&seed, k), y = argument(&seed, k / 5);
            float           xs = (float)x, ys = (float)y;
            launch          l = {.array = {&x, &xs, &y, &ys, z, zs}, .extents = {1}};
            run_entry(library, &kernel.guarded, &l);
            differences += compare(x, y, z, zs);
            compared += COUNT;
        }
        if (differences) print_error("%s %s: %u differences\n", compilers[c_].name, compilers[c_].options, differences);
        assert_int_equal(differences, 0);
    }
    print_message("%d functions, %u results compared\n", COUNT, compared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"test_every_function_gives_the_folders_bits_with_each_compiler",
         test_every_function_gives_the_folders_bits_with_each_compiler, setup, NULL, NULL},
    };
    name_the_missing();
    return cmocka_run_group_tests_name("elementary functions in emitted C", tests, NULL, NULL);
}
