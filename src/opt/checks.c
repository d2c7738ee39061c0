/* checks.c - checks that cannot fail where they stand: the same check came before on every way there, or conditions
 * and loops bound the operands. One walk over the dominator tree; what a block knows holds in the blocks below it.
 *
 * Equal values have one number (copies, constants, the same operation on the same operands). Of a number the walk
 * knows a range, and that it is at most an array's length plus something; of an array, that it is not null. */
#include "opt/checks.h"

static bool same_class(ilc__op op, ilc__op i32, ilc__op i64)
{
    return op == i32 || op == i64;
}

/* --- facts ------------------------------------------------------------------------------------------------------- */

static void remember(ilc__checks *c, uint32_t number)
{
    ilc__fact *fact = &c->facts.items[number];
    ILC__PUSH(c->arena, &c->trail, ((ilc__fact_change){number, *fact}));
}

static void forget_to(ilc__checks *c, uint32_t mark)
{
    while (c->trail.count > mark) {
        ilc__fact_change change = c->trail.items[--c->trail.count];
        c->facts.items[change.number] = change.old;
    }
}

static void set_done(ilc__checks *c, uint32_t number)
{
    if (c->facts.items[number].done) return;
    remember(c, number);
    c->facts.items[number].done = true;
}

static void at_least(ilc__checks *c, uint32_t number, int64_t low)
{
    if (c->facts.items[number].low >= low) return;
    remember(c, number);
    c->facts.items[number].low = low;
}

static void at_most(ilc__checks *c, uint32_t number, int64_t high)
{
    if (c->facts.items[number].high <= high) return;
    remember(c, number);
    c->facts.items[number].high = high;
}

static void not_zero(ilc__checks *c, uint32_t number)
{
    if (!c->facts.items[number].nonzero) {
        remember(c, number);
        c->facts.items[number].nonzero = true;
    }
    if (c->facts.items[number].low == 0) at_least(c, number, 1);
    if (c->facts.items[number].high == 0) at_most(c, number, -1);
}

enum { MAX_BOUNDS = 8 };

static void below_length(ilc__checks *c, uint32_t number, uint32_t array, int64_t plus)
{
    uint32_t count = 0;
    for (uint32_t b = c->facts.items[number].bounds; b; b = c->bounds.items[b].next) {
        if (c->bounds.items[b].array == array && c->bounds.items[b].plus <= plus) return;
        if (++count == MAX_BOUNDS) return;
    }
    remember(c, number);
    ILC__PUSH(c->arena, &c->bounds, ((ilc__bound){array, plus, c->facts.items[number].bounds}));
    c->facts.items[number].bounds = c->bounds.count - 1;
}

/* --- conditions -------------------------------------------------------------------------------------------------- */

/* ref <= the array's length + plus */
static void bound(ilc__checks *c, ilc__ref ref, uint32_t array, int64_t plus)
{
    int64_t  offset = 0;
    ilc__ref base = ilc__checks_base(c, ref, &offset);
    below_length(c, ilc__checks_number(c, base), array, plus - offset);
}

/* lesser <= greater - gap */
static void order(ilc__checks *c, ilc__ref lesser, ilc__ref greater, int64_t gap)
{
    uint32_t   a = ilc__checks_number(c, lesser), b = ilc__checks_number(c, greater);
    ilc__range ra = ilc__checks_range(c, lesser), rb = ilc__checks_range(c, greater);
    int64_t    offset = 0;
    if (rb.high >= INT64_MIN + gap) at_most(c, a, rb.high - gap);
    if (ra.low <= INT64_MAX - gap) at_least(c, b, ra.low + gap);
    ilc__ref base = ilc__checks_base(c, greater, &offset);
    uint32_t number = ilc__checks_number(c, base);
    if (c->func->values.items[base].op == ILC__OP_LEN)
        bound(c, lesser, ilc__checks_number(c, c->func->values.items[base].args[0]), offset - gap);
    for (uint32_t at = c->facts.items[number].bounds; at; at = c->bounds.items[at].next)
        bound(c, lesser, c->bounds.items[at].array, c->bounds.items[at].plus + offset - gap);
}

static bool is_zero(ilc__checks *c, ilc__ref ref)
{
    ilc__range range = ilc__checks_range(c, ref);
    return range.low == 0 && range.high == 0;
}

/* What is not the other is not zero where the other is. */
static void differ(ilc__checks *c, ilc__ref ref, ilc__ref other)
{
    if (!is_zero(c, other)) return;
    ilc__range range = ilc__checks_range(c, ref);
    uint32_t   number = ilc__checks_number(c, ref);
    at_least(c, number, range.low);
    at_most(c, number, range.high);
    not_zero(c, number);
}

static void assume(ilc__checks *c, ilc__ref cond, bool truth, int depth)
{
    const ilc__ir_value *value = &c->func->values.items[ilc__checks_source(c, cond)];
    if (depth > 0 && value->op == ILC__OP_AND_I32 && truth && ilc__edit_is_truth(c->func, value->args[0]) &&
        ilc__edit_is_truth(c->func, value->args[1])) {
        ilc__ref both[2] = {value->args[0], value->args[1]};
        assume(c, both[0], true, depth - 1);
        assume(c, both[1], true, depth - 1);
        return;
    }
    if (!(ilc__op_info_of(value->op)->flags & ILC__OPF_COMPARE)) {
        uint32_t number = ilc__checks_number(c, cond);
        if (truth) not_zero(c, number);
        else at_least(c, number, 0), at_most(c, number, 0);
        return;
    }
    ilc__op  op = truth ? value->op : ilc__op_negated(value->op);
    ilc__ref a = value->args[0], b = value->args[1];
    if (same_class(op, ILC__OP_LT_I32, ILC__OP_LT_I64)) order(c, a, b, 1);
    else if (same_class(op, ILC__OP_LE_I32, ILC__OP_LE_I64)) order(c, a, b, 0);
    else if (same_class(op, ILC__OP_GT_I32, ILC__OP_GT_I64)) order(c, b, a, 1);
    else if (same_class(op, ILC__OP_GE_I32, ILC__OP_GE_I64)) order(c, b, a, 0);
    else if (same_class(op, ILC__OP_EQ_I32, ILC__OP_EQ_I64)) order(c, a, b, 0), order(c, b, a, 0);
    else if (same_class(op, ILC__OP_NE_I32, ILC__OP_NE_I64)) differ(c, a, b), differ(c, b, a);
    else if (same_class(op, ILC__OP_GT_UN_I32, ILC__OP_GT_UN_I64)) differ(c, a, b);
    else if (same_class(op, ILC__OP_LT_UN_I32, ILC__OP_LT_UN_I64)) differ(c, b, a);
    bool below = same_class(op, ILC__OP_LT_UN_I32, ILC__OP_LT_UN_I64), not_above = same_class(op, ILC__OP_LE_UN_I32, ILC__OP_LE_UN_I64);
    bool above = same_class(op, ILC__OP_GT_UN_I32, ILC__OP_GT_UN_I64), not_below = same_class(op, ILC__OP_GE_UN_I32, ILC__OP_GE_UN_I64);
    ilc__ref small = below || not_above ? a : b, large = below || not_above ? b : a;
    if (!(below || not_above || above || not_below) || ilc__checks_range(c, large).low < 0) return;
    at_least(c, ilc__checks_number(c, small), 0); /* as an unsigned number it is no larger than a natural one */
    order(c, small, large, below || above);
}

static void enter(ilc__checks *c, const ilc__ir_block *block)
{
    if (block->preds.count != 1) return;
    const ilc__ir_block *pred = &c->func->blocks.items[block->preds.items[0]];
    ilc__ref             end = ilc__ir_terminator(c->func, pred->id);
    if (c->func->values.items[end].op != ILC__OP_BRANCH || pred->succs.items[0] == pred->succs.items[1]) return;
    assume(c, c->func->values.items[end].args[0], pred->succs.items[0] == block->id, 2);
}

/* --- loops ------------------------------------------------------------------------------------------------------- */

/* Does a test between the head and the place say that phi + by does not wrap? */
static bool tested(ilc__checks *c, ilc__ref phi, int64_t by, uint32_t place, uint32_t head)
{
    int64_t top = c->func->values.items[phi].type == ILC__IR_I32 ? INT32_MAX : INT64_MAX, bottom = -top - 1;
    for (uint32_t at = place, steps = 0; at != head && steps < 32; at = c->func->blocks.items[at].idom, steps++) {
        const ilc__ir_block *block = &c->func->blocks.items[at];
        if (block->preds.count != 1) continue;
        const ilc__ir_block *pred = &c->func->blocks.items[block->preds.items[0]];
        const ilc__ir_value *end = &c->func->values.items[ilc__ir_terminator(c->func, pred->id)];
        if (end->op != ILC__OP_BRANCH || pred->succs.items[0] == pred->succs.items[1]) continue;
        const ilc__ir_value *test = &c->func->values.items[ilc__checks_source(c, end->args[0])];
        if (!(ilc__op_info_of(test->op)->flags & ILC__OPF_COMPARE)) continue;
        ilc__op  op = pred->succs.items[0] == at ? test->op : ilc__op_negated(test->op);
        bool     turned = ilc__checks_source(c, test->args[1]) == phi;
        ilc__ref other = test->args[turned ? 0 : 1];
        if (turned) op = ilc__op_swapped(op);
        if (ilc__checks_source(c, test->args[turned ? 1 : 0]) != phi) continue;
        ilc__range range = ilc__checks_range(c, other);
        bool       strict = same_class(op, ILC__OP_LT_I32, ILC__OP_LT_I64) || same_class(op, ILC__OP_GT_I32, ILC__OP_GT_I64);
        bool       less = same_class(op, ILC__OP_LT_I32, ILC__OP_LT_I64) || same_class(op, ILC__OP_LE_I32, ILC__OP_LE_I64);
        bool       more = same_class(op, ILC__OP_GT_I32, ILC__OP_GT_I64) || same_class(op, ILC__OP_GE_I32, ILC__OP_GE_I64);
        if (less && by > 0 && range.high <= top - by + strict) return true;
        if (more && by < 0 && range.low >= bottom - by - strict) return true;
    }
    return false;
}

/* What a back edge adds to the phi; false when it is something else, or may wrap. */
static bool step_of(ilc__checks *c, ilc__ref phi, ilc__ref back, uint32_t head, int64_t *by)
{
    ilc__ref             source = ilc__checks_source(c, back);
    const ilc__ir_value *sum = &c->func->values.items[source];
    *by = 0;
    if (source == phi) return true;
    bool plus = ilc__checks_is_add(sum->op), minus = ilc__checks_is_sub(sum->op);
    if (!(plus || minus) || ilc__checks_source(c, sum->args[0]) != phi) return false;
    const ilc__ir_value *step = &c->func->values.items[ilc__checks_source(c, sum->args[1])];
    if (step->op != ILC__OP_CONST || (int64_t)step->u.bits > INT32_MAX || (int64_t)step->u.bits < -INT32_MAX) return false;
    *by = plus ? (int64_t)step->u.bits : -(int64_t)step->u.bits;
    return ilc__op_info_of(sum->op)->trap_count > 0 || tested(c, phi, *by, sum->block, head);
}

static void phi_bounds(ilc__checks *c, const ilc__ir_block *head, ilc__ref phi)
{
    const ilc__ir_value *value = &c->func->values.items[phi];
    ilc__range           start = {INT64_MAX, INT64_MIN};
    bool                 up = true, down = true;
    ilc__ref             first = 0;
    uint32_t             entries = 0;
    for (uint32_t i = 0; i < value->arg_count; i++) {
        uint32_t pred = head->preds.items[i];
        int64_t  by;
        if (!ilc__ir_dominates(c->func, head->id, pred)) {
            ilc__range one = ilc__checks_range(c, value->args[i]);
            if (one.low < start.low) start.low = one.low;
            if (one.high > start.high) start.high = one.high;
            first = value->args[i];
            entries++;
            continue;
        }
        if (!step_of(c, phi, value->args[i], head->id, &by)) return;
        up = up && by >= 0;
        down = down && by <= 0;
    }
    uint32_t number = ilc__checks_number(c, phi);
    if (up && start.low <= start.high) at_least(c, number, start.low);
    if (!down || entries != 1) return;
    if (start.low <= start.high) at_most(c, number, start.high);
    order(c, phi, first, 0);
}

static bool is_head(const ilc__checks *c, const ilc__ir_block *block)
{
    for (uint32_t i = 0; i < block->preds.count; i++)
        if (ilc__ir_dominates(c->func, block->id, block->preds.items[i])) return true;
    return false;
}

/* --- checks ------------------------------------------------------------------------------------------------------ */

/* value <= the array's length + the result. */
static int64_t above_length(ilc__checks *c, ilc__ref ref, uint32_t array)
{
    int64_t    offset = 0, best = INT64_MAX;
    ilc__ref   base = ilc__checks_base(c, ref, &offset);
    uint32_t   number = ilc__checks_number(c, base);
    ilc__range range = ilc__checks_range(c, ref);
    if (c->func->values.items[base].op == ILC__OP_LEN && ilc__checks_number(c, c->func->values.items[base].args[0]) == array) best = offset;
    for (uint32_t at = c->facts.items[number].bounds; at; at = c->bounds.items[at].next)
        if (c->bounds.items[at].array == array && c->bounds.items[at].plus + offset < best) best = c->bounds.items[at].plus + offset;
    uint32_t size = ilc__checks_length(c, array);
    int64_t  least = c->facts.items[size].low;
    if (least > 0 && range.high > INT32_MIN && range.high - least < best) best = range.high - least;
    return best;
}

static bool settle(ilc__ir_value *value, bool safe)
{
    bool news = safe && !value->safe;
    value->safe = value->safe || safe;
    return news;
}

/* Of two or three dimensions: the length is that of all elements, so only the same place is known. */
static bool place(ilc__checks *c, ilc__ir_value *value, uint32_t subscripts)
{
    uint32_t array = ilc__checks_number(c, value->args[0]), check = array;
    for (uint32_t k = 1; k <= subscripts; k++) check = ilc__checks_pair(c, ILC__OP_ELEMADDR, check, ilc__checks_number(c, value->args[k]));
    bool news = settle(value, c->facts.items[check].done);
    set_done(c, check);
    set_done(c, ilc__checks_length(c, array));
    for (uint32_t k = 1; k <= subscripts; k++) at_least(c, ilc__checks_number(c, value->args[k]), 0);
    return news;
}

static bool access(ilc__checks *c, ilc__ir_value *value)
{
    uint32_t subscripts = value->arg_count - (value->op == ILC__OP_STORE ? 2u : 1u);
    if (subscripts > 1) return place(c, value, subscripts);
    uint32_t   array = ilc__checks_number(c, value->args[0]), index = ilc__checks_number(c, value->args[1]);
    uint32_t   check = ilc__checks_pair(c, ILC__OP_LOAD, array, index);
    ilc__range range = ilc__checks_range(c, value->args[1]);
    uint32_t   size = ilc__checks_length(c, array); /* before facts is read: a number may be new */
    bool       there = c->facts.items[size].done;
    bool       safe = c->facts.items[check].done || (there && range.low >= 0 && above_length(c, value->args[1], array) < 0);
    bool       news = settle(value, safe);
    set_done(c, check);
    set_done(c, ilc__checks_length(c, array));
    at_least(c, index, 0);
    bound(c, value->args[1], array, -1);
    at_least(c, ilc__checks_length(c, array), (range.low > 0 ? range.low : 0) + 1);
    return news;
}

static bool length(ilc__checks *c, ilc__ir_value *value)
{
    uint32_t number = ilc__checks_length(c, ilc__checks_number(c, value->args[0]));
    bool     news = settle(value, c->facts.items[number].done);
    set_done(c, number);
    return news;
}

static bool dimension(ilc__checks *c, ilc__ir_value *value)
{
    uint32_t array = ilc__checks_number(c, value->args[0]);
    uint32_t check = ilc__checks_pair(c, ILC__OP_DIM, array, ilc__checks_number(c, value->args[1]));
    bool     news = settle(value, c->facts.items[check].done);
    set_done(c, check);
    set_done(c, ilc__checks_length(c, array));
    return news;
}

static bool division(ilc__checks *c, ilc__ir_value *value)
{
    bool       is_signed = value->op == ILC__OP_DIV_I32 || value->op == ILC__OP_REM_I32 || value->op == ILC__OP_DIV_I64 || value->op == ILC__OP_REM_I64;
    uint32_t   divisor = ilc__checks_number(c, value->args[1]);
    uint32_t   check = ilc__checks_pair(c, ILC__OP_DIV_I32, ilc__checks_number(c, value->args[0]), divisor);
    ilc__range a = ilc__checks_range(c, value->args[0]), b = ilc__checks_range(c, value->args[1]);
    bool       by_zero = !c->facts.items[divisor].nonzero && b.low <= 0 && b.high >= 0;
    bool       overflows = is_signed && a.low == (value->type == ILC__IR_I32 ? INT32_MIN : INT64_MIN) && b.low <= -1 && b.high >= -1;
    bool       news = settle(value, !by_zero && (!overflows || c->facts.items[check].done));
    if (!by_zero && !value->safe && !value->nonzero) value->nonzero = news = true;
    if (value->safe) value->nonzero = false;
    if (is_signed) set_done(c, check); /* the quotient's and the remainder's are the same */
    not_zero(c, divisor);
    return news;
}

/* An operation that may trap, and what stands for it where it does not. */
static bool arithmetic(ilc__checks *c, ilc__ref ref)
{
    ilc__ir_value *value = &c->func->values.items[ref];
    ilc__op        safe = ilc__op_unchecked(value->op);
    if (!safe) return false;
    uint32_t check = ilc__checks_pair(c, value->op, ilc__checks_number(c, value->args[0]), ilc__checks_number(c, value->args[1]));
    bool     fits = ilc__checks_fits(c, ref);
    if (!c->facts.items[check].done && !fits) {
        set_done(c, check);
        return false;
    }
    value->safe = fits || !ilc__checks_is_unsigned(value->op);
    value->op = safe;
    return true;
}

/* Does one without a check not wrap? */
static bool wrapping(ilc__checks *c, ilc__ref ref)
{
    ilc__ir_value *value = &c->func->values.items[ref];
    if (value->safe || !ilc__op_wraps(value->op) || !ilc__checks_fits(c, ref)) return false;
    return value->safe = true;
}

/* What the operands say now, for the operations above: ilc__checks_range looks no deeper than it must. */
static void keep_range(ilc__checks *c, ilc__ref ref)
{
    const ilc__ir_value *value = &c->func->values.items[ref];
    if (value->op >= ILC__OP_LAST_COMPUTE || value->arg_count != 2 || (value->type != ILC__IR_I32 && value->type != ILC__IR_I64)) return;
    ilc__range range = ilc__checks_range(c, ref);
    uint32_t   number = ilc__checks_number(c, ref);
    at_least(c, number, range.low);
    at_most(c, number, range.high);
}

static bool visit(ilc__checks *c, uint32_t id)
{
    const ilc__ir_block *block = &c->func->blocks.items[id];
    bool                 progress = false;
    enter(c, block);
    if (is_head(c, block))
        for (uint32_t i = 0; i < block->list.count && c->func->values.items[block->list.items[i]].op == ILC__OP_PHI; i++) {
            ilc__ir_type type = c->func->values.items[block->list.items[i]].type;
            if (type == ILC__IR_I32 || type == ILC__IR_I64) phi_bounds(c, block, block->list.items[i]);
        }
    for (uint32_t i = 0; i < block->list.count; i++) {
        ilc__ref       ref = block->list.items[i];
        ilc__ir_value *value = &c->func->values.items[ref];
        switch (value->op) {
        case ILC__OP_LOAD: case ILC__OP_STORE: case ILC__OP_ELEMADDR: progress |= access(c, value); break;
        case ILC__OP_LEN: progress |= length(c, value); break;
        case ILC__OP_DIM: progress |= dimension(c, value); break;
        case ILC__OP_DIV_I32: case ILC__OP_REM_I32: case ILC__OP_DIV_UN_I32: case ILC__OP_REM_UN_I32:
        case ILC__OP_DIV_I64: case ILC__OP_REM_I64: case ILC__OP_DIV_UN_I64: case ILC__OP_REM_UN_I64:
            progress |= division(c, value);
            keep_range(c, ref);
            break;
        default:
            progress |= arithmetic(c, ref) || wrapping(c, ref);
            keep_range(c, ref);
        }
    }
    return progress;
}

/* --- the walk ---------------------------------------------------------------------------------------------------- */

typedef struct step {
    uint32_t block, mark;
    bool     leave;
} step;

bool ilc__pass_checks(ilc__ir_func *func)
{
    ilc__checks c;
    uint32_t    count = func->blocks.count;
    bool        progress = false;
    uint32_t   *child = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, count), *sibling = ILC__NEW_ARRAY(&func->ctx->scratch, uint32_t, count);
    ILC__VEC(step) work = {0};
    ilc__checks_begin(&c, func);
    for (uint32_t i = func->order.count; i-- > 1;) { /* children in the order of the blocks; 0 is nobody's child */
        uint32_t block = func->order.items[i], parent = func->blocks.items[block].idom;
        sibling[block] = child[parent];
        child[parent] = block;
    }
    ILC__PUSH(c.arena, &work, ((step){0, 0, false}));
    while (work.count) {
        step at = work.items[--work.count];
        if (at.leave) {
            forget_to(&c, at.mark);
            continue;
        }
        ILC__PUSH(c.arena, &work, ((step){at.block, c.trail.count, true}));
        progress |= visit(&c, at.block);
        for (uint32_t b = child[at.block]; b; b = sibling[b]) ILC__PUSH(c.arena, &work, ((step){b, 0, false}));
    }
    return progress;
}
