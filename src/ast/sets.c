/* sets.c - for which numbers a test of one integer variable against constants is true. A set is a list of intervals,
 * ascending, with gaps between them, of signed numbers of 32 or 64 bits. */
#include "ast/build.h"

static int64_t least(bool wide)
{
    return wide ? INT64_MIN : INT32_MIN;
}

static int64_t most(bool wide)
{
    return wide ? INT64_MAX : INT32_MAX;
}

static bool is_wide(const ilc__set_of *s)
{
    return s->type == ILC__IR_I64;
}

static void add(ilc__builder *b, ilc__set_of *s, int64_t first, int64_t last)
{
    if (first > last) return;
    ilc__interval *end = s->count ? &s->items[s->count - 1] : NULL;
    if (end && end->last >= first - (first > least(is_wide(s)))) { /* meets the one before */
        if (last > end->last) end->last = last;
        return;
    }
    ILC__PUSH(b->arena, s, (ilc__interval){first, last});
}

static ilc__set_of empty_like(const ilc__set_of *s)
{
    return (ilc__set_of){.var = s->var, .type = s->type};
}

ilc__set_of ilc__ast_set_not(ilc__builder *b, const ilc__set_of *s)
{
    ilc__set_of out = empty_like(s);
    int64_t     from = least(is_wide(s));
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->items[i].first > from) add(b, &out, from, s->items[i].first - 1);
        if (s->items[i].last == most(is_wide(s))) return out;
        from = s->items[i].last + 1;
    }
    add(b, &out, from, most(is_wide(s)));
    return out;
}

static ilc__set_of join(ilc__builder *b, const ilc__set_of *x, const ilc__set_of *y)
{
    ilc__set_of out = empty_like(x);
    for (uint32_t i = 0, k = 0; i < x->count || k < y->count;) {
        bool left = k == y->count || (i < x->count && x->items[i].first <= y->items[k].first);
        ilc__interval next = left ? x->items[i++] : y->items[k++];
        add(b, &out, next.first, next.last);
    }
    return out;
}

static ilc__set_of meet(ilc__builder *b, const ilc__set_of *x, const ilc__set_of *y)
{
    ilc__set_of no_x = ilc__ast_set_not(b, x), no_y = ilc__ast_set_not(b, y), neither = join(b, &no_x, &no_y);
    return ilc__ast_set_not(b, &neither);
}

/* --- what an expression says ---------------------------------------------------------------------------------- */

bool ilc__ast_linear(const ilc__expr *e, const ilc__var **var, int64_t *plus)
{
    *plus = 0;
    if (e->kind == ILC__EX_OP && e->arg_count == 2 && e->args[1]->kind == ILC__EX_CONST) {
        bool     adds = e->op == ILC__OP_ADD_I32 || e->op == ILC__OP_ADD_I64;
        uint64_t by = e->args[1]->u.bits;
        if (!adds && e->op != ILC__OP_SUB_I32 && e->op != ILC__OP_SUB_I64) return false;
        *plus = (int64_t)(adds ? by : 0 - by);
        e = e->args[0];
    }
    if (e->kind != ILC__EX_VAR || (e->type != ILC__IR_I32 && e->type != ILC__IR_I64)) return false;
    *var = e->u.var;
    return !(*var)->is_array && !(*var)->is_addr && (*var)->storage != ILC_BOOL;
}

/* The numbers of `s` less `plus`, which wraps. */
static ilc__set_of shifted(ilc__builder *b, const ilc__set_of *s, int64_t plus)
{
    if (plus == 0) return *s;
    ilc__set_of wrapped = empty_like(s), others = empty_like(s);
    for (uint32_t i = 0; i < s->count; i++) {
        int64_t first = ilc__ast_wrap(s->type, (uint64_t)s->items[i].first - (uint64_t)plus);
        int64_t last = ilc__ast_wrap(s->type, (uint64_t)s->items[i].last - (uint64_t)plus);
        bool    full = s->items[i].first == least(is_wide(s)) && s->items[i].last == most(is_wide(s));
        if (full) return *s;
        if (first <= last && first < ilc__ast_wrap(s->type, (uint64_t)least(is_wide(s)) - (uint64_t)plus)) {
            add(b, &wrapped, first, last); /* the whole interval came round */
        } else if (first <= last) {
            add(b, &others, first, last);
        } else {
            ilc__set_of end = empty_like(s);
            add(b, &end, first, most(is_wide(s)));
            add(b, &wrapped, least(is_wide(s)), last);
            others = join(b, &others, &end);
        }
    }
    return join(b, &wrapped, &others);
}

int64_t ilc__ast_wrap(ilc__ir_type type, uint64_t bits)
{
    return type == ILC__IR_I64 ? (int64_t)bits : (int32_t)(uint32_t)bits;
}

/* Of the numbers below k, or from k on, without a sign. */
static void add_below(ilc__builder *b, ilc__set_of *s, int64_t k)
{
    if (k >= 0) {
        add(b, s, 0, k - 1);
        return;
    }
    if (k > least(is_wide(s))) add(b, s, least(is_wide(s)), k - 1);
    add(b, s, 0, most(is_wide(s)));
}

static ilc__op as_32(ilc__op op)
{
    switch (op) {
#define CASE(name) case ILC__OP_##name##_I64: return ILC__OP_##name##_I32;
    CASE(EQ) CASE(NE) CASE(LT) CASE(LE) CASE(GT) CASE(GE) CASE(LT_UN) CASE(LE_UN) CASE(GT_UN) CASE(GE_UN)
#undef CASE
    default: return op;
    }
}

static bool compare(ilc__builder *b, ilc__op op, int64_t k, ilc__set_of *s)
{
    int64_t     low = least(is_wide(s)), high = most(is_wide(s));
    ilc__set_of other = empty_like(s);
    switch (as_32(op)) {
    case ILC__OP_EQ_I32: add(b, s, k, k); return true;
    case ILC__OP_NE_I32: add(b, &other, k, k); break;
    case ILC__OP_LE_I32: add(b, s, low, k); return true;
    case ILC__OP_GT_I32: add(b, &other, low, k); break;
    case ILC__OP_GE_I32: add(b, s, k, high); return true;
    case ILC__OP_LT_I32: add(b, &other, k, high); break;
    case ILC__OP_LT_UN_I32: add_below(b, s, k); return true;
    case ILC__OP_GE_UN_I32: add_below(b, &other, k); break;
    case ILC__OP_LE_UN_I32:
    case ILC__OP_GT_UN_I32: { /* k itself is among the lower ones */
        ilc__set_of one = empty_like(s), below = empty_like(s);
        add(b, &one, k, k);
        add_below(b, &below, k);
        other = join(b, &one, &below);
        if (as_32(op) == ILC__OP_GT_UN_I32) break;
        s->items = other.items;
        s->count = other.count;
        s->capacity = other.capacity;
        return true;
    }
    default: return false;
    }
    *s = ilc__ast_set_not(b, &other);
    return true;
}

static bool of_compare(ilc__builder *b, const ilc__expr *e, ilc__set_of *out)
{
    const ilc__expr *x = e->args[0], *k = e->args[1];
    ilc__op          op = e->op;
    int64_t          plus;
    if (x->kind == ILC__EX_CONST) {
        x = e->args[1];
        k = e->args[0];
        op = ilc__op_swapped(op);
    }
    if (k->kind != ILC__EX_CONST || !ilc__ast_linear(x, &out->var, &plus)) return false;
    out->type = x->type;
    if (!compare(b, op, ilc__ast_wrap(x->type, k->u.bits), out)) return false;
    *out = shifted(b, out, plus);
    return true;
}

static bool is_compare(const ilc__expr *e)
{
    return e->kind == ILC__EX_OP && (ilc__op_info_of(e->op)->flags & ILC__OPF_COMPARE) != 0 && e->arg_count == 2;
}

/* Recursion is as deep as expressions are. */
bool ilc__ast_set_of(ilc__builder *b, const ilc__expr *e, ilc__set_of *out)
{
    ilc__set_of x = {0}, y = {0};
    int64_t     plus;
    *out = (ilc__set_of){0};
    if (is_compare(e)) return of_compare(b, e, out);
    if (e->kind == ILC__EX_VAR && ilc__ast_linear(e, &x.var, &plus)) { /* is it not 0? */
        x.type = e->type;
        add(b, &x, 0, 0);
        *out = ilc__ast_set_not(b, &x);
        return true;
    }
    if (e->kind == ILC__EX_NOT) {
        if (!ilc__ast_set_of(b, e->args[0], &x)) return false;
        *out = ilc__ast_set_not(b, &x);
        return true;
    }
    if (e->kind != ILC__EX_AND && e->kind != ILC__EX_OR) return false;
    if (!ilc__ast_set_of(b, e->args[0], &x) || !ilc__ast_set_of(b, e->args[1], &y) || x.var != y.var) return false;
    *out = e->kind == ILC__EX_AND ? meet(b, &x, &y) : join(b, &x, &y);
    return true;
}

const ilc__var *ilc__ast_tested(const ilc__expr *e)
{
    const ilc__var *var = NULL;
    int64_t         plus;
    if (is_compare(e)) {
        bool turned = e->args[0]->kind == ILC__EX_CONST;
        if (e->args[turned ? 0 : 1]->kind != ILC__EX_CONST) return NULL;
        return ilc__ast_linear(e->args[turned ? 1 : 0], &var, &plus) ? var : NULL;
    }
    if (e->kind == ILC__EX_VAR) return ilc__ast_linear(e, &var, &plus) ? var : NULL;
    if (e->kind == ILC__EX_NOT) return ilc__ast_tested(e->args[0]);
    if (e->kind != ILC__EX_AND && e->kind != ILC__EX_OR) return NULL;
    var = ilc__ast_tested(e->args[0]);
    return var && ilc__ast_tested(e->args[1]) == var ? var : NULL;
}
