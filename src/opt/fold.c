/* fold.c - constants (through ilc__op_eval; what would trap stays), identities that hold bit for bit, and
 * checks that constants or ranges prove. Floats are never reassociated. */
#include "opt/edit.h"

typedef struct folder {
    ilc__ir_func *func;
    ilc__ref     *map;
    ilc__site     site; /* of the value at hand */
    bool          progress;
} folder;

static ilc__ir_value *value_of(folder *f, ilc__ref ref)
{
    return &f->func->values.items[ref];
}

/* --- rewriting
 * ---------------------------------------------------------------------------------------------- */

/* The uses of the value read other instead, where its variable allows that. */
static bool become(folder *f, ilc__ref ref, ilc__ref other)
{
    if (!ilc__site_yields(&f->site, other)) return false;
    f->map[ref] = other;
    f->site.uses[other] += f->site.uses[ref];
    f->progress = true;
    return true;
}

static void become_const(folder *f, ilc__ref ref, uint64_t bits)
{
    ilc__ir_value *value = value_of(f, ref);
    value->op = ILC__OP_CONST;
    value->safe = value->nonzero = false;
    value->arg_count = 0;
    value->u.bits = bits;
    f->progress = true;
}

static void become_op(folder *f, ilc__ref ref, ilc__op op, ilc__ref a, ilc__ref b)
{
    ilc__ir_value *value = value_of(f, ref);
    ilc__ref       args[2] = {a, b};
    value->op = op;
    value->safe = value->nonzero = false;
    value->arg_count = b ? 2 : 1;
    value->args = ilc__arena_copy(f->func->arena, args, sizeof args);
    f->site.uses[a]++;
    f->site.uses[b]++;
    f->progress = true;
}

/* --- constants
 * ----------------------------------------------------------------------------------------------- */

static bool fold_constant(folder *f, ilc__ref ref)
{
    ilc__ir_value    *value = value_of(f, ref);
    uint64_t          bits[3] = {0}, result;
    ilc__exception_id exception;
    for (uint32_t i = 0; i < value->arg_count; i++) {
        const ilc__ir_value *arg = value_of(f, value->args[i]);
        if (arg->op != ILC__OP_CONST) return false;
        bits[i] = arg->u.bits;
    }
    if (!ilc__op_eval3(value->op, bits[0], bits[1], bits[2], &result, &exception)) return false;
    become_const(f, ref, result);
    return true;
}

/* --- x op constant
 * --------------------------------------------------------------------------------------------- */

typedef struct neutral { /* x op bits is x, also for bits op x where both is set */
    ilc__op  op;
    uint64_t bits;
    bool     both;
} neutral;

#define FOR_BOTH(name, bits, both)                                                                           \
    {ILC__OP_##name##_I32, bits, both},                                                                      \
    {                                                                                                        \
        ILC__OP_##name##_I64, bits, both                                                                     \
    }
#define ALL_ONES UINT64_MAX

static const neutral neutrals[] = {
    FOR_BOTH(ADD, 0, true),        FOR_BOTH(SUB, 0, false),        FOR_BOTH(MUL, 1, true),
    FOR_BOTH(AND, ALL_ONES, true), FOR_BOTH(OR, 0, true),          FOR_BOTH(XOR, 0, true),
    FOR_BOTH(SHL, 0, false),       FOR_BOTH(SHR, 0, false),        FOR_BOTH(SHR_UN, 0, false),
    FOR_BOTH(ADD_OVF, 0, true),    FOR_BOTH(SUB_OVF, 0, false),    FOR_BOTH(MUL_OVF, 1, true),
    FOR_BOTH(ADD_OVF_UN, 0, true), FOR_BOTH(SUB_OVF_UN, 0, false), FOR_BOTH(MUL_OVF_UN, 1, true),
    FOR_BOTH(DIV, 1, false),       FOR_BOTH(DIV_UN, 1, false),     FOR_BOTH(DIV_NZ, 1, false),
    FOR_BOTH(DIV_UN_NZ, 1, false),
};

static bool fold_neutral(folder *f, ilc__ref ref)
{
    const ilc__ir_value *value = value_of(f, ref);
    for (size_t i = 0; i < sizeof neutrals / sizeof neutrals[0]; i++) {
        if (neutrals[i].op != value->op) continue;
        if (ilc__edit_is_const(f->func, value->args[1], neutrals[i].bits)) {
            return become(f, ref, value->args[0]);
        }
        if (neutrals[i].both && ilc__edit_is_const(f->func, value->args[0], neutrals[i].bits)) {
            return become(f, ref, value->args[1]);
        }
    }
    return false;
}

/* x << (c And 31): the operation masks by itself. */
static bool fold_shift(folder *f, ilc__ref ref)
{
    ilc__ir_value *value = value_of(f, ref);
    bool           is_32 =
        value->op == ILC__OP_SHL_I32 || value->op == ILC__OP_SHR_I32 || value->op == ILC__OP_SHR_UN_I32;
    bool is_64 =
        value->op == ILC__OP_SHL_I64 || value->op == ILC__OP_SHR_I64 || value->op == ILC__OP_SHR_UN_I64;
    if (!is_32 && !is_64) return false;
    const ilc__ir_value *count = value_of(f, value->args[1]);
    uint64_t             mask = is_32 ? 31 : 63;
    if (count->op != ILC__OP_AND_I32) return false;
    for (int i = 0; i < 2; i++) {
        const ilc__ir_value *bits = value_of(f, count->args[i]);
        if (bits->op != ILC__OP_CONST || (bits->u.bits & mask) != mask) continue;
        if (!ilc__site_reads(&f->site, value->args[1], count->args[1 - i])) return false;
        become_op(f, ref, value->op, value->args[0], count->args[1 - i]);
        return true;
    }
    return false;
}

/* --- division
 * ---------------------------------------------------------------------------------------------------- */

static bool fold_division(folder *f, ilc__ref ref)
{
    static const struct {
        ilc__op op, safe;
        bool    is_signed;
    } rows[] = {
        {ILC__OP_DIV_I32, ILC__OP_DIV_NZ_I32, true},
        {ILC__OP_REM_I32, ILC__OP_REM_NZ_I32, true},
        {ILC__OP_DIV_I64, ILC__OP_DIV_NZ_I64, true},
        {ILC__OP_REM_I64, ILC__OP_REM_NZ_I64, true},
        {ILC__OP_DIV_UN_I32, ILC__OP_DIV_UN_NZ_I32, false},
        {ILC__OP_REM_UN_I32, ILC__OP_REM_UN_NZ_I32, false},
        {ILC__OP_DIV_UN_I64, ILC__OP_DIV_UN_NZ_I64, false},
        {ILC__OP_REM_UN_I64, ILC__OP_REM_UN_NZ_I64, false},
    };
    ilc__ir_value *value = value_of(f, ref);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].op != value->op) continue;
        const ilc__ir_value *divisor = value_of(f, value->args[1]);
        if (divisor->op != ILC__OP_CONST || divisor->u.bits == 0) return false;
        if (rows[i].is_signed && divisor->u.bits == ALL_ONES) return false;
        value->op = rows[i].safe;
        value->safe = value->nonzero = false;
        f->progress = true;
        return true;
    }
    return false;
}

/* --- compares
 * ------------------------------------------------------------------------------------------------------ */

/* A truth value against 0 or 1: itself, or its opposite (cgt.un; ldc 0; ceq is "not greater or unordered").
 */
static bool fold_truth(folder *f, ilc__ref ref)
{
    const ilc__ir_value *value = value_of(f, ref);
    bool                 equal = value->op == ILC__OP_EQ_I32;
    if (!equal && value->op != ILC__OP_NE_I32 && value->op != ILC__OP_GT_UN_I32 &&
        value->op != ILC__OP_XOR_I32)
        return false;
    ilc__ref truth = value->args[0], other = value->args[1];
    bool     zero = ilc__edit_is_const(f->func, other, 0), one = ilc__edit_is_const(f->func, other, 1);
    if (!ilc__edit_is_truth(f->func, truth) || (!zero && !one)) return false;
    if (value->op == ILC__OP_GT_UN_I32 && one) {
        become_const(f, ref, 0);
        return true;
    }
    if (equal == one && value->op != ILC__OP_XOR_I32) { /* = 1, <> 0, > 0 */
        return become(f, ref, truth);
    }
    if (value->op == ILC__OP_XOR_I32 && zero) return false; /* neutral */
    const ilc__ir_value *compare = value_of(f, truth);
    ilc__op              negated = ilc__op_negated(compare->op);
    if (!negated) return false;
    if (!ilc__site_reads(&f->site, truth, compare->args[0]) ||
        !ilc__site_reads(&f->site, truth, compare->args[1]))
        return false;
    become_op(f, ref, negated, compare->args[0], compare->args[1]);
    return true;
}

/* cgt.un with 0 is "not zero". */
static bool fold_above_zero(folder *f, ilc__ref ref)
{
    const ilc__ir_value *value = value_of(f, ref);
    ilc__op              op = value->op == ILC__OP_GT_UN_I32   ? ILC__OP_NE_I32
                              : value->op == ILC__OP_GT_UN_I64 ? ILC__OP_NE_I64
                                                               : ILC__OP_NONE;
    if (!op || !ilc__edit_is_const(f->func, value->args[1], 0)) return false;
    become_op(f, ref, op, value->args[0], value->args[1]);
    return true;
}

/* --- conversions and ranges
 * ------------------------------------------------------------------------------------------ */

/* A conversion of a value that is in the range of its result already. */
static bool fold_narrowing(folder *f, ilc__ref ref)
{
    static const struct {
        ilc__op     op;
        ilc_storage storage;
    } rows[] = {{ILC__OP_I8_I32, ILC_I8},       {ILC__OP_U8_I32, ILC_U8},      {ILC__OP_I16_I32, ILC_I16},
                {ILC__OP_U16_I32, ILC_U16},     {ILC__OP_OVF_I8_I32, ILC_I8},  {ILC__OP_OVF_U8_I32, ILC_U8},
                {ILC__OP_OVF_I16_I32, ILC_I16}, {ILC__OP_OVF_U16_I32, ILC_U16}};
    const ilc__ir_value *value = value_of(f, ref);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].op != value->op) continue;
        ilc__range have = ilc__edit_range(f->func, value->args[0]),
                   fits = ilc__storage_range(rows[i].storage);
        if (have.low < fits.low || have.high > fits.high) return false;
        return become(f, ref, value->args[0]);
    }
    return false;
}

/* Wide and back. */
static bool fold_there_and_back(folder *f, ilc__ref ref)
{
    static const ilc__op rows[][2] = {{ILC__OP_I32_I64, ILC__OP_I64_I32},
                                      {ILC__OP_I32_I64, ILC__OP_I64_U32},
                                      {ILC__OP_OVF_I32_I64, ILC__OP_I64_I32},
                                      {ILC__OP_OVF_U32_I64, ILC__OP_I64_U32},
                                      {ILC__OP_F32_F64, ILC__OP_F64_F32}};
    const ilc__ir_value *value = value_of(f, ref);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i][0] != value->op || value_of(f, value->args[0])->op != rows[i][1]) continue;
        ilc__ref inner = value_of(f, value->args[0])->args[0];
        return ilc__site_reads(&f->site, value->args[0], inner) && become(f, ref, inner);
    }
    return false;
}

static bool in_i32(int64_t low, int64_t high)
{
    return low >= INT32_MIN && high <= INT32_MAX;
}

/* Checked int32 arithmetic whose operands cannot overflow it. */
static bool fold_checked(folder *f, ilc__ref ref)
{
    ilc__ir_value *value = value_of(f, ref);
    if (value->op != ILC__OP_ADD_OVF_I32 && value->op != ILC__OP_SUB_OVF_I32 &&
        value->op != ILC__OP_MUL_OVF_I32)
        return false;
    ilc__range a = ilc__edit_range(f->func, value->args[0]), b = ilc__edit_range(f->func, value->args[1]);
    int64_t corners[4] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high}, low = corners[0],
            high = low;
    for (int i = 1; i < 4; i++) {
        if (corners[i] < low) low = corners[i];
        if (corners[i] > high) high = corners[i];
    }
    ilc__op op = ILC__OP_NONE;
    if (value->op == ILC__OP_ADD_OVF_I32 && in_i32(a.low + b.low, a.high + b.high)) op = ILC__OP_ADD_I32;
    if (value->op == ILC__OP_SUB_OVF_I32 && in_i32(a.low - b.high, a.high - b.low)) op = ILC__OP_SUB_I32;
    if (value->op == ILC__OP_MUL_OVF_I32 && in_i32(low, high)) op = ILC__OP_MUL_I32;
    if (!op) return false;
    value->op = op;
    value->safe = true;
    f->progress = true;
    return true;
}

/* --- the pass
 * ---------------------------------------------------------------------------------------------------------
 */

static void fold_value(folder *f, ilc__ref ref)
{
    static bool (*const rules[])(folder *, ilc__ref) = {fold_constant,  fold_neutral,        fold_shift,
                                                        fold_division,  fold_truth,          fold_above_zero,
                                                        fold_narrowing, fold_there_and_back, fold_checked};
    ilc__ir_value *value = value_of(f, ref);
    for (uint32_t i = 0; i < value->arg_count; i++)
        value->args[i] = ilc__edit_find(f->map, value->args[i]);
    if (value->op >= ILC__OP_LAST_COMPUTE || value->var) return;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i](f, ref)) return;
}

bool ilc__pass_fold(ilc__ir_func *func)
{
    folder f = {.func = func, .map = ilc__edit_map(func)};
    ilc__site_init(&f.site, func);
    bool *drop = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count);
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        f.site.block = b;
        for (f.site.index = 0; f.site.index < block->list.count; f.site.index++)
            fold_value(&f, block->list.items[f.site.index]);
    }
    if (!f.progress) return false;
    for (ilc__ref ref = 1; ref < func->values.count; ref++)
        drop[ref] = f.map[ref] != 0;
    ilc__edit_apply(func, f.map);
    ilc__edit_drop(func, drop);
    return true;
}
