/* split_find.c - may the turns of a loop be dealt out among threads? What they add up, multiply, or find the least and most
 * of must be all that one turn leaves to the next (rows.h). */
#include "emit/rows.h"

typedef struct finder {
    ilc__emitter   *em;
    ilc__func      *func;
    ilc__rows_loop *loop;
    ilc__place     *places;
    uint32_t       *seen; /* by variable: reads of a sum where it goes on */
    bool            fits;
} finder;

/* --- operations ---------------------------------------------------------------------------------------------------- */

typedef struct row {
    ilc__op  op, whole; /* as written, and what puts parts together */
    bool     left;      /* the sum is the left operand, never the right one */
    bool     same;      /* the sum of it with itself is itself: each part begins with what there is */
    uint64_t identity;  /* else what parts begin with */
} row;

static const row rows[] = {
    {ILC__OP_ADD_I32, ILC__OP_ADD_I32, false, false, 0},
    {ILC__OP_SUB_I32, ILC__OP_ADD_I32, true, false, 0},
    {ILC__OP_ADD_OVF_I32, ILC__OP_ADD_I32, false, false, 0},
    {ILC__OP_SUB_OVF_I32, ILC__OP_ADD_I32, true, false, 0},
    {ILC__OP_MUL_I32, ILC__OP_MUL_I32, false, false, 1},
    {ILC__OP_AND_I32, ILC__OP_AND_I32, false, true, 0},
    {ILC__OP_OR_I32, ILC__OP_OR_I32, false, true, 0},
    {ILC__OP_XOR_I32, ILC__OP_XOR_I32, false, false, 0},
    {ILC__OP_MIN_I32, ILC__OP_MIN_I32, false, true, 0},
    {ILC__OP_MAX_I32, ILC__OP_MAX_I32, false, true, 0},
    {ILC__OP_MIN_UN_I32, ILC__OP_MIN_UN_I32, false, true, 0},
    {ILC__OP_MAX_UN_I32, ILC__OP_MAX_UN_I32, false, true, 0},
    {ILC__OP_ADD_I64, ILC__OP_ADD_I64, false, false, 0},
    {ILC__OP_SUB_I64, ILC__OP_ADD_I64, true, false, 0},
    {ILC__OP_ADD_OVF_I64, ILC__OP_ADD_I64, false, false, 0},
    {ILC__OP_SUB_OVF_I64, ILC__OP_ADD_I64, true, false, 0},
    {ILC__OP_MUL_I64, ILC__OP_MUL_I64, false, false, 1},
    {ILC__OP_AND_I64, ILC__OP_AND_I64, false, true, 0},
    {ILC__OP_OR_I64, ILC__OP_OR_I64, false, true, 0},
    {ILC__OP_XOR_I64, ILC__OP_XOR_I64, false, false, 0},
    {ILC__OP_MIN_I64, ILC__OP_MIN_I64, false, true, 0},
    {ILC__OP_MAX_I64, ILC__OP_MAX_I64, false, true, 0},
    {ILC__OP_MIN_UN_I64, ILC__OP_MIN_UN_I64, false, true, 0},
    {ILC__OP_MAX_UN_I64, ILC__OP_MAX_UN_I64, false, true, 0},
    {ILC__OP_ADD_F32, ILC__OP_ADD_F32, false, false, 0x80000000u}, /* -0: with it 0 stays 0, and -0 stays -0 */
    {ILC__OP_SUB_F32, ILC__OP_ADD_F32, true, false, 0x80000000u},
    {ILC__OP_MUL_F32, ILC__OP_MUL_F32, false, false, 0x3F800000u},
    {ILC__OP_MIN_F32, ILC__OP_MIN_F32, false, true, 0},
    {ILC__OP_MAX_F32, ILC__OP_MAX_F32, false, true, 0},
    {ILC__OP_ADD_F64, ILC__OP_ADD_F64, false, false, 0x8000000000000000u},
    {ILC__OP_SUB_F64, ILC__OP_ADD_F64, true, false, 0x8000000000000000u},
    {ILC__OP_MUL_F64, ILC__OP_MUL_F64, false, false, 0x3FF0000000000000u},
    {ILC__OP_MIN_F64, ILC__OP_MIN_F64, false, true, 0},
    {ILC__OP_MAX_F64, ILC__OP_MAX_F64, false, true, 0},
};

static const row *row_of(ilc__op op)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == op) return &rows[i];
    return NULL;
}

/* Of an operation of three operands: the sum's place; -1: it is none. */
static int addend_of(ilc__op op)
{
    if (op == ILC__OP_FMA_F32 || op == ILC__OP_FMA_F64) return 2;
    return op == ILC__OP_ADDMUL_F32 || op == ILC__OP_ADDMUL_F64 ? 0 : -1;
}

/* A compare that a number that is none never wins. */
static bool is_order(ilc__op op)
{
    switch (op) {
    case ILC__OP_LT_F32: case ILC__OP_LE_F32: case ILC__OP_GT_F32: case ILC__OP_GE_F32:
    case ILC__OP_LT_F64: case ILC__OP_LE_F64: case ILC__OP_GT_F64: case ILC__OP_GE_F64:
    case ILC__OP_LT_I32: case ILC__OP_LE_I32: case ILC__OP_GT_I32: case ILC__OP_GE_I32:
    case ILC__OP_LT_UN_I32: case ILC__OP_LE_UN_I32: case ILC__OP_GT_UN_I32: case ILC__OP_GE_UN_I32:
    case ILC__OP_LT_I64: case ILC__OP_LE_I64: case ILC__OP_GT_I64: case ILC__OP_GE_I64:
    case ILC__OP_LT_UN_I64: case ILC__OP_LE_UN_I64: case ILC__OP_GT_UN_I64: case ILC__OP_GE_UN_I64: return true;
    default: return false;
    }
}

/* --- one sum ------------------------------------------------------------------------------------------------------- */

static ilc__sum *sum_of(finder *f, ilc__var *var)
{
    if (var->is_param) return NULL;
    for (uint32_t i = 0; i < f->loop->sum_count; i++)
        if (f->loop->sums[i].var == var) return &f->loop->sums[i];
    uint32_t size = ilc_storage_size(var->storage);
    if (f->loop->sum_count == ILC__ROWS_SUMS || (size != 4 && size != 8)) return NULL;
    ilc__sum *sum = &f->loop->sums[f->loop->sum_count++];
    *sum = (ilc__sum){.var = var};
    return sum;
}

/* One way to go on with a sum, which all of a loop's must share. */
static bool agrees(ilc__sum *sum, ilc__op whole, bool by_compare, const row *as)
{
    if (sum->known && (sum->whole != whole || sum->by_compare != by_compare)) return false;
    sum->known = true;
    sum->whole = whole;
    sum->by_compare = by_compare;
    sum->same = by_compare || as->same;
    sum->identity = as ? as->identity : 0;
    return true;
}

static bool is_var(const ilc__expr *e, const ilc__var *var)
{
    return e->kind == ILC__EX_VAR && e->u.var == var;
}

/* The same value: nothing is stored here, so a load has that of another. */
static bool same_value(const finder *f, const ilc__expr *x, const ilc__expr *y)
{
    ilc__poly at, other;
    if (x->kind != ILC__EX_LOAD || y->kind != ILC__EX_LOAD) return ilc__expr_same(x, y);
    if (x->storage != y->storage || x->args[0]->kind != ILC__EX_VAR || !is_var(y->args[0], x->args[0]->u.var)) return false;
    ilc__poly_scope scope = ilc__tile_scope(f->em, f->func, f->loop->loop);
    return ilc__poly_of_index(&scope, x->args[0], x->args[1], &at) && ilc__poly_of_index(&scope, y->args[0], y->args[1], &other) && ilc__poly_same(&at, &other);
}

/* `value > sum`, or the other way round: as value and sum stand in it, the compare; what wins takes the sum's place. */
static bool take_compare(finder *f, ilc__sum *sum, const ilc__expr *test, const ilc__expr *value)
{
    if (test->kind != ILC__EX_OP || test->arg_count != 2 || !is_order(test->op)) return false;
    bool right = is_var(test->args[1], sum->var);
    if (!right && !is_var(test->args[0], sum->var)) return false;
    if (!same_value(f, test->args[right ? 0 : 1], value) || ilc__expr_reads(value, sum->var)) return false;
    if (sum->known && sum->sum_right != right) return false;
    sum->sum_right = right;
    f->seen[sum->var->index]++;
    return agrees(sum, test->op, true, NULL);
}

/* sum, sum + x, (sum + x) - y, If(test, sum + x, sum) ... */
static bool take_chain(finder *f, ilc__sum *sum, ilc__expr *e)
{
    if (is_var(e, sum->var)) {
        f->seen[sum->var->index]++;
        return true;
    }
    if (e->kind == ILC__EX_SELECT) {
        if (is_var(e->args[2], sum->var) && ilc__expr_reads(e->args[0], sum->var)) { /* If(x > sum, x, sum) */
            f->seen[sum->var->index]++;
            return take_compare(f, sum, e->args[0], e->args[1]);
        }
        return !ilc__expr_reads(e->args[0], sum->var) && take_chain(f, sum, e->args[1]) && take_chain(f, sum, e->args[2]);
    }
    if (e->kind != ILC__EX_OP) return false;
    int at = addend_of(e->op);
    const row *as = row_of(at >= 0 ? e->type == ILC__IR_F32 ? ILC__OP_ADD_F32 : ILC__OP_ADD_F64 : e->op);
    if (!as) return false;
    if (at < 0) at = !as->left && ilc__expr_reads(e->args[1], sum->var);
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (i != (uint32_t)at && ilc__expr_reads(e->args[i], sum->var)) return false;
    return agrees(sum, as->whole, false, as) && take_chain(f, sum, e->args[at]);
}

/* Does the variable live within a turn? */
static bool is_of_turn(const finder *f, const ilc__var *var)
{
    const ilc__place *place = &f->places[var->index];
    return place->kind == ILC__PLACE_FORS || ilc__tile_is_placed_in(place, &f->loop->loop->body);
}

/* --- the loop's body ------------------------------------------------------------------------------------------------ */

/* `If x > sum Then sum = x` */
static bool take_if(finder *f, ilc__stmt *s)
{
    ilc__stmt *then = s->body.first;
    if (s->kind != ILC__ST_IF || s->other.first || !then || then->next || then->kind != ILC__ST_ASSIGN || is_of_turn(f, then->var)) return false;
    if (!ilc__expr_reads(s->a, then->var)) return false;
    ilc__sum *sum = sum_of(f, then->var);
    return sum && take_compare(f, sum, s->a, then->a);
}

static void take_block(finder *f, ilc__block *block)
{
    for (ilc__stmt *s = block->first; s && f->fits; s = s->next) {
        if (take_if(f, s)) continue;
        if (s->kind == ILC__ST_ASSIGN && !is_of_turn(f, s->var)) {
            ilc__sum *sum = sum_of(f, s->var);
            f->fits = sum && take_chain(f, sum, s->a);
        }
        if (s->kind == ILC__ST_FOR && !is_of_turn(f, s->var)) f->fits = false;
        take_block(f, &s->body);
        take_block(f, &s->other);
        for (uint32_t i = 0; i < s->case_count; i++) take_block(f, &s->cases[i].body);
    }
}

/* The same bits in whatever order: not so of sums of floats, and of zeros of both signs, which a compare finds alike. */
static bool has_no_order(const ilc__sum *sum)
{
    bool of_floats = sum->var->storage == ILC_F32 || sum->var->storage == ILC_F64;
    return !of_floats || (sum->same && !sum->by_compare);
}

static bool no_sum(const finder *f, const char *why, const char *name)
{
    ilc__note_add(f->em, "split", false, f->loop->loop, "%s%s%s", name ? name : "", name ? " " : "", why);
    return false;
}

static bool take_loop(finder *f)
{
    ilc__rows_loop *loop = f->loop;
    loop->sum_count = 0;
    f->fits = true;
    take_block(f, &loop->loop->body);
    if (!f->fits || loop->sum_count == 0) return no_sum(f, loop->sum_count ? "a turn leaves more to the next than sums, products, least and largest values" : "a turn adds nothing up", NULL);
    uint32_t *reads = ilc__tile_reads(f->em, f->func, &loop->loop->body);
    for (uint32_t i = 0; i < loop->sum_count; i++) {
        const ilc__sum *sum = &loop->sums[i];
        if (!sum->known || reads[sum->var->index] != f->seen[sum->var->index]) return no_sum(f, "is used in a turn for something else, too", sum->var->name);
        if (!has_no_order(sum) && !f->em->options->fast) return no_sum(f, "depends on the order of the turns, which mode fast alone may change", sum->var->name);
    }
    return true;
}

/* --- checked sums --------------------------------------------------------------------------------------------------- */

/* Beside the sum, which wraps, goes what its operands are together without their signs: where that is no more than the type
 * holds, no order of them overflows. */
static ilc__expr *size_of(ilc__arena *arena, ilc__expr *e)
{
    if (e->type == ILC__IR_I64)
        return ilc__expr_op(arena, ILC__OP_ABS_F64, ilc__expr_op(arena, ILC__OP_F64_I64, e, NULL), NULL);
    ilc__expr *wide = ilc__expr_op(arena, ILC__OP_I64_I32, e, NULL);
    return ilc__expr_op(arena, ILC__OP_MAX_I64, wide, ilc__expr_op(arena, ILC__OP_NEG_I64, wide, NULL));
}

static void put_before(ilc__arena *arena, ilc__block *block, ilc__stmt *s, ilc__stmt what)
{
    ilc__stmt *moved = ilc__arena_copy(arena, s, sizeof *s);
    if (block->last == s) block->last = moved;
    what.next = moved;
    *s = what;
}

static ilc__expr *uncheck(finder *f, ilc__sum *sum, ilc__expr *e, ilc__expr *so_far);

static ilc__expr *plus(finder *f, ilc__expr *so_far, ilc__expr *size)
{
    return so_far ? ilc__expr_op(f->em->arena, size->type == ILC__IR_F64 ? ILC__OP_ADD_F64 : ILC__OP_ADD_I64, so_far, size) : size;
}

/* Under the test: what an arm loads may be there in that arm alone. */
static ilc__expr *uncheck_select(finder *f, ilc__sum *sum, ilc__expr *e, ilc__expr *so_far)
{
    ilc__expr *arms[2], *made = NULL;
    for (uint32_t i = 0; i < 2; i++) {
        arms[i] = ilc__expr_reads(e->args[i + 1], sum->var) ? uncheck(f, sum, e->args[i + 1], NULL) : NULL;
        if (arms[i]) made = arms[i];
    }
    if (!made) return so_far;
    for (uint32_t i = 0; i < 2; i++)
        if (!arms[i]) arms[i] = ilc__expr_const(f->em->arena, made->type, 0);
    return plus(f, so_far, ilc__expr_select(f->em->arena, e->args[0], arms[0], arms[1]));
}

/* The checked operations of a chain become those that wrap; returns what they add together, NULL: none. */
static ilc__expr *uncheck(finder *f, ilc__sum *sum, ilc__expr *e, ilc__expr *so_far)
{
    if (is_var(e, sum->var)) return so_far;
    if (e->kind == ILC__EX_SELECT) return uncheck_select(f, sum, e, so_far);
    if (e->kind != ILC__EX_OP || e->arg_count != 2 || sum->by_compare) return so_far;
    int        at = ilc__expr_reads(e->args[1], sum->var);
    bool       settled = e->proved || e->covered || !f->em->options->checks;
    ilc__op    unchecked = ilc__op_unchecked(e->op);
    if (unchecked && !settled) so_far = plus(f, so_far, size_of(f->em->arena, e->args[1 - at]));
    if (unchecked) {
        e->op = unchecked;
        e->proved = e->covered = false;
    }
    return uncheck(f, sum, e->args[at], so_far);
}

static ilc__var *reach_of(finder *f, ilc__sum *sum)
{
    if (sum->reach) return sum->reach;
    const char *name = ilc__arena_printf(f->em->arena, "il_reach%u", (unsigned)(sum - f->loop->sums));
    sum->reach = ilc__tile_add_var(f->em, f->func, name, ilc_storage_size(sum->var->storage) == 8 ? ILC_F64 : ILC_I64);
    return sum->reach;
}

static void uncheck_block(finder *f, ilc__block *block)
{
    for (ilc__stmt *s = block->first; s; s = s->next) {
        uncheck_block(f, &s->body);
        uncheck_block(f, &s->other);
        for (uint32_t i = 0; i < s->case_count; i++) uncheck_block(f, &s->cases[i].body);
        ilc__sum *sum = NULL;
        for (uint32_t i = 0; i < f->loop->sum_count; i++)
            if (s->kind == ILC__ST_ASSIGN && f->loop->sums[i].var == s->var) sum = &f->loop->sums[i];
        ilc__expr *size = sum && !sum->by_compare ? uncheck(f, sum, s->a, NULL) : NULL;
        if (!size) continue;
        ilc__var  *reach = reach_of(f, sum);
        ilc__expr *more = plus(f, ilc__expr_of(f->em->arena, reach), size);
        put_before(f->em->arena, block, s, (ilc__stmt){.kind = ILC__ST_ASSIGN, .var = reach, .a = more, .il = s->il, .line = s->line, .has_il = s->has_il});
        s = s->next;
    }
}

bool ilc__split_find(ilc__emitter *em, ilc__func *func, struct ilc__rows *rows_found)
{
    finder f = {.em = em, .func = func, .places = ilc__scope_places(em->arena, func)};
    for (uint32_t i = 0; i < rows_found->loop_count; i++) {
        f.loop = &rows_found->loops[i];
        f.seen = ILC__NEW_ARRAY(em->arena, uint32_t, func->vars.count + 1);
        if (!take_loop(&f)) return false;
    }
    for (uint32_t i = 0; i < rows_found->loop_count; i++) {
        f.loop = &rows_found->loops[i];
        uncheck_block(&f, &f.loop->loop->body);
        for (uint32_t k = 0; k < f.loop->sum_count; k++) {
            ilc__sum *sum = &f.loop->sums[k];
            sum->other = ilc__tile_add_var(em, func, "il_other", sum->var->storage);
            if (sum->reach) sum->reach_other = ilc__tile_add_var(em, func, "il_other", sum->reach->storage);
        }
    }
    return true;
}
