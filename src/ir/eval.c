/* eval.c - computes a row of ops.def from bits: the same expressions that are emitted, compiled here.
 * Built with -ffp-contract=off, so that each operation rounds by itself. */
#include "ir/ir.h"
#include "lib/host.h"

#define HELPER(name, uses, ...) __VA_ARGS__
#include "lib/helpers.def"
#include "lib/functions.def"
#undef HELPER

#define READ_i(v, x) int v = (int)(uint32_t)(x)
#define READ_l(v, x) long long v = (long long)(x)
#define READ_f(v, x) float v = ilc__f32_of((int)(uint32_t)(x))
#define READ_d(v, x) double v = ilc__f64_of((long long)(x))
#define ARGS_i READ_i(a, x)
#define ARGS_l READ_l(a, x)
#define ARGS_f READ_f(a, x)
#define ARGS_d READ_d(a, x)
#define ARGS_ii                                                                                              \
    READ_i(a, x);                                                                                            \
    READ_i(b, y)
#define ARGS_ll                                                                                              \
    READ_l(a, x);                                                                                            \
    READ_l(b, y)
#define ARGS_li                                                                                              \
    READ_l(a, x);                                                                                            \
    READ_i(b, y)
#define ARGS_ff                                                                                              \
    READ_f(a, x);                                                                                            \
    READ_f(b, y)
#define ARGS_dd                                                                                              \
    READ_d(a, x);                                                                                            \
    READ_d(b, y)
#define ARGS_fff                                                                                             \
    ARGS_ff;                                                                                                 \
    READ_f(c, z)
#define ARGS_ddd                                                                                             \
    ARGS_dd;                                                                                                 \
    READ_d(c, z)
#define WRITE_I32(v) (uint64_t)(int64_t)(int)(v)
#define WRITE_I64(v) (uint64_t)(long long)(v)
#define WRITE_F32(v) (uint64_t)(uint32_t) ilc__i32_of(v)
#define WRITE_F64(v) (uint64_t) ilc__i64_of(v)
#define RAISE_IF(c, e)                                                                                       \
    if (c) {                                                                                                 \
        *exception = ILC__EXC_##e;                                                                           \
        return false;                                                                                        \
    }
#define NO_TRAP
#define TRAP1(c, e) RAISE_IF(c, e)
#define TRAP2(c, e, c2, e2) RAISE_IF(c, e) RAISE_IF(c2, e2)

bool ilc__op_eval3(ilc__op op, uint64_t x, uint64_t y, uint64_t z, uint64_t *result, ilc__exception_id *exception)
{
    (void)y;
    switch (op) {
#define OP(id, text, type, args, flags, infix, value, traps)                                                 \
    case ILC__OP_##id: {                                                                                     \
        ARGS_##args;                                                                                         \
        traps *result = WRITE_##type(value);                                                                 \
        return true;                                                                                         \
    }
#include "ir/ops.def"
#undef OP
    default: *result = 0; return true;
    }
}
