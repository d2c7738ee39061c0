/* tree.c - making and asking about expressions and statements of the tree under construction. */
#include "ast/build.h"

ilc__expr *ilc__expr_new(ilc__arena *arena, ilc__expr_kind kind, ilc__ir_type type, uint32_t arg_count)
{
    ilc__expr *e = ILC__NEW(arena, ilc__expr);
    e->kind = kind;
    e->type = type;
    e->arg_count = arg_count;
    e->args = arg_count ? ILC__NEW_ARRAY(arena, ilc__expr *, arg_count) : NULL;
    e->depth = 1;
    return e;
}

ilc__expr *ilc__expr_const(ilc__arena *arena, ilc__ir_type type, uint64_t bits)
{
    ilc__expr *e = ilc__expr_new(arena, ILC__EX_CONST, type, 0);
    e->u.bits = bits;
    return e;
}

ilc__expr *ilc__expr_var(ilc__builder *b, const ilc__var *var)
{
    ilc__ir_type type = var->is_array ? ILC__IR_REF : var->is_addr ? ILC__IR_ADDR : ilc__storage_ir_type(var->storage);
    ilc__expr   *e = ilc__expr_new(b->arena, ILC__EX_VAR, type, 0);
    e->storage = var->storage;
    e->u.var = var;
    b->info.items[var->index].uses++;
    return e;
}

ilc__expr *ilc__expr_binary(ilc__arena *arena, ilc__expr_kind kind, ilc__expr *x, ilc__expr *y)
{
    ilc__expr *e = ilc__expr_new(arena, kind, ILC__IR_I32, 2);
    e->args[0] = x;
    e->args[1] = y;
    ilc__expr_update(e);
    return e;
}

ilc__expr *ilc__expr_op(ilc__arena *arena, ilc__op op, ilc__expr *a, ilc__expr *b)
{
    ilc__expr *e = ilc__expr_new(arena, ILC__EX_OP, ilc__op_info_of(op)->result, b ? 2 : 1);
    e->op = op;
    e->args[0] = a;
    if (b) e->args[1] = b;
    ilc__expr_update(e);
    return e;
}

ilc__expr *ilc__expr_select(ilc__arena *arena, ilc__expr *test, ilc__expr *yes, ilc__expr *no)
{
    ilc__expr *e = ilc__expr_new(arena, ILC__EX_SELECT, yes->type, 3);
    e->args[0] = test;
    e->args[1] = yes;
    e->args[2] = no;
    ilc__expr_update(e);
    return e;
}

ilc__expr *ilc__expr_of(ilc__arena *arena, ilc__var *var)
{
    ilc__expr *e = ilc__expr_new(arena, ILC__EX_VAR, ilc__storage_ir_type(var->storage), 0);
    e->u.var = var;
    return e;
}

void ilc__expr_update(ilc__expr *e)
{
    uint32_t deepest = 0;
    bool     effect = e->kind == ILC__EX_LOAD || (e->kind == ILC__EX_LEN && !e->proved) || e->kind == ILC__EX_CALL ||
                  e->kind == ILC__EX_ELEMADDR || e->kind == ILC__EX_LOADIND || e->kind == ILC__EX_NONNULL ||
                  e->kind == ILC__EX_NEWARR || e->kind == ILC__EX_DIM;
    if (e->kind == ILC__EX_OP) effect = ilc__op_info_of(e->op)->trap_count > 0;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        if (e->args[i]->depth > deepest) deepest = e->args[i]->depth;
        effect = effect || e->args[i]->has_effect;
    }
    e->depth = deepest + 1;
    e->has_effect = effect;
}

bool ilc__expr_is_bool(const ilc__expr *e)
{
    switch (e->kind) {
    case ILC__EX_VAR: return e->u.var->storage == ILC_BOOL && !e->u.var->is_array && !e->u.var->is_addr;
    case ILC__EX_LOADIND:
    case ILC__EX_LOAD: return e->storage == ILC_BOOL;
    case ILC__EX_CALL: return e->u.callee && e->u.callee->ret == ILC_BOOL;
    case ILC__EX_AND: case ILC__EX_OR: case ILC__EX_NOT: case ILC__EX_ISNULL: case ILC__EX_SAMEREF: return true;
    case ILC__EX_SELECT: return ilc__expr_is_bool(e->args[1]) && ilc__expr_is_bool(e->args[2]);
    case ILC__EX_OP:
        if (ilc__op_info_of(e->op)->flags & ILC__OPF_TRUTH) return true;
        if (e->op == ILC__OP_AND_I32 || e->op == ILC__OP_OR_I32 || e->op == ILC__OP_XOR_I32)
            return ilc__expr_is_bool(e->args[0]) && ilc__expr_is_bool(e->args[1]);
        return false;
    default: return false;
    }
}

/* Is it 0 or 1 whatever a Boolean in memory may hold (an element may be any byte, ECMA-335 III.1.1.2)? */
bool ilc__expr_is_truth(const ilc__expr *e)
{
    switch (e->kind) {
    case ILC__EX_CONST: return e->type == ILC__IR_I32 && (uint32_t)e->u.bits <= 1;
    case ILC__EX_AND: case ILC__EX_OR: case ILC__EX_NOT: case ILC__EX_ISNULL: case ILC__EX_SAMEREF: return true;
    case ILC__EX_SELECT: return ilc__expr_is_truth(e->args[1]) && ilc__expr_is_truth(e->args[2]);
    case ILC__EX_OP:
        if (e->op == ILC__OP_AND_I32 || e->op == ILC__OP_OR_I32 || e->op == ILC__OP_XOR_I32)
            return ilc__expr_is_truth(e->args[0]) && ilc__expr_is_truth(e->args[1]);
        return (ilc__op_info_of(e->op)->flags & ILC__OPF_TRUTH) != 0;
    default: return false;
    }
}

bool ilc__expr_is_const(const ilc__expr *e, uint64_t bits)
{
    if (e->kind != ILC__EX_CONST) return false;
    if (e->type == ILC__IR_I32 || e->type == ILC__IR_F32) return (uint32_t)e->u.bits == (uint32_t)bits;
    return e->u.bits == bits;
}

const ilc__expr *ilc__bytes_index(const ilc__expr *bytes, uint32_t size)
{
    if (size == 1) return bytes;
    bool times = bytes->kind == ILC__EX_OP && bytes->op == ILC__OP_MUL_I64 && ilc__expr_is_const(bytes->args[1], size);
    return times ? bytes->args[0] : NULL;
}

/* 0 or 1, and still so after ilc__expr_negate. */
static bool negates_to_bool(const ilc__expr *e)
{
    return e->kind != ILC__EX_NOT && (ilc__expr_is_truth(e) || ilc__expr_is_bool(e));
}

/* A choice between truths that is && or || or the condition itself. */
static ilc__expr *simplify_select(ilc__arena *arena, ilc__expr *e)
{
    ilc__expr *c = e->args[0], *x = e->args[1], *y = e->args[2];
    if (ilc__expr_is_const(y, 0)) {
        if (ilc__expr_is_const(x, 1)) return c;
        return ilc__expr_binary(arena, ILC__EX_AND, c, x);
    }
    if (ilc__expr_is_const(x, 1)) return ilc__expr_binary(arena, ILC__EX_OR, c, y);
    c = ilc__expr_negate(arena, c);
    if (ilc__expr_is_const(x, 0)) return ilc__expr_is_const(y, 1) ? c : ilc__expr_binary(arena, ILC__EX_AND, c, y);
    return ilc__expr_binary(arena, ILC__EX_OR, c, x);
}

static bool is_truth_select(const ilc__expr *e)
{
    if (e->kind != ILC__EX_SELECT || !ilc__expr_is_truth(e->args[1]) || !ilc__expr_is_truth(e->args[2])) return false;
    const ilc__expr *x = e->args[1], *y = e->args[2];
    if (x->kind == ILC__EX_CONST && y->kind == ILC__EX_CONST)
        return (uint32_t)x->u.bits != (uint32_t)y->u.bits;
    return x->kind == ILC__EX_CONST || y->kind == ILC__EX_CONST;
}

/* cmp = 0 and cmp <> 0 are what compilers make of Not and of a stored condition. */
static bool is_zero_test(const ilc__expr *e)
{
    return e->kind == ILC__EX_OP && (e->op == ILC__OP_EQ_I32 || e->op == ILC__OP_NE_I32) &&
           ilc__expr_is_const(e->args[1], 0) && (ilc__expr_is_bool(e->args[0]) || ilc__expr_is_truth(e->args[0]));
}

/* x > 0, unsigned, is how compilers write x <> 0; and a truth needs no narrowing. */
static ilc__expr *plainer(ilc__expr *e)
{
    if (e->kind != ILC__EX_OP) return e;
    if (e->arg_count == 2 && ilc__expr_is_const(e->args[1], 0)) {
        if (e->op == ILC__OP_GT_UN_I32) e->op = ILC__OP_NE_I32;
        if (e->op == ILC__OP_LE_UN_I32) e->op = ILC__OP_EQ_I32;
        if (e->op == ILC__OP_GT_UN_I64) e->op = ILC__OP_NE_I64;
        if (e->op == ILC__OP_LE_UN_I64) e->op = ILC__OP_EQ_I64;
    }
    bool narrows = e->op == ILC__OP_I8_I32 || e->op == ILC__OP_U8_I32 || e->op == ILC__OP_I16_I32 ||
                   e->op == ILC__OP_U16_I32;
    return narrows && ilc__expr_is_truth(e->args[0]) ? e->args[0] : e;
}

ilc__expr *ilc__expr_condition(ilc__arena *arena, ilc__expr *e)
{
    for (;;) {
        e = plainer(e);
        if (is_zero_test(e)) {
            if (e->op == ILC__OP_EQ_I32) return ilc__expr_negate(arena, e->args[0]);
            e = e->args[0];
        } else if (is_truth_select(e)) {
            e = simplify_select(arena, e);
        } else {
            return e;
        }
    }
}

ilc__expr *ilc__expr_value(ilc__arena *arena, ilc__expr *e)
{
    e = plainer(e);
    if (is_zero_test(e) && e->op == ILC__OP_EQ_I32 && negates_to_bool(e->args[0]))
        return ilc__expr_negate(arena, e->args[0]);
    if (is_zero_test(e) && e->op == ILC__OP_NE_I32 && ilc__expr_is_truth(e->args[0])) return e->args[0];
    if (!is_truth_select(e)) return e;
    /* && and || make a truth of whatever the condition is; without them it must be one */
    bool is_condition = e->args[1]->kind == ILC__EX_CONST && e->args[2]->kind == ILC__EX_CONST;
    if (!is_condition || (ilc__expr_is_truth(e->args[0]) && negates_to_bool(e->args[0])))
        return simplify_select(arena, e);
    bool as_it_is = ilc__expr_is_const(e->args[1], 1) && e->args[0]->type == ILC__IR_I32 && !ilc__expr_is_truth(e->args[0]);
    if (!as_it_is) return e;
    e = ilc__expr_binary(arena, ILC__EX_OP, e->args[0], e->args[2]); /* c ? 1 : 0 is c <> 0, as compilers write it, too */
    e->op = ILC__OP_NE_I32;
    return e;
}

/* Recursion follows && and || only: bounded by ILC__AST_MAX_EXPR_DEPTH. */
ilc__expr *ilc__expr_negate(ilc__arena *arena, ilc__expr *e)
{
    e = ilc__expr_condition(arena, e);
    if (e->kind == ILC__EX_NOT) return e->args[0];
    if (e->kind == ILC__EX_OP && (ilc__op_info_of(e->op)->flags & ILC__OPF_COMPARE)) {
        e->op = ilc__op_negated(e->op);
        return e;
    }
    if (e->kind == ILC__EX_AND || e->kind == ILC__EX_OR) {
        e->kind = e->kind == ILC__EX_AND ? ILC__EX_OR : ILC__EX_AND;
        e->args[0] = ilc__expr_negate(arena, e->args[0]);
        e->args[1] = ilc__expr_negate(arena, e->args[1]);
        ilc__expr_update(e);
        return e;
    }
    if (e->kind == ILC__EX_CONST && e->type == ILC__IR_I32) {
        e->u.bits = (uint32_t)e->u.bits == 0;
        return e;
    }
    if (e->type == ILC__IR_I32 && !ilc__expr_is_bool(e) && e->kind != ILC__EX_SELECT) {
        ilc__expr *zero = ilc__expr_binary(arena, ILC__EX_OP, e, ilc__expr_const(arena, ILC__IR_I32, 0));
        zero->op = ILC__OP_EQ_I32;
        return zero;
    }
    ilc__expr *not = ilc__expr_new(arena, ILC__EX_NOT, ILC__IR_I32, 1);
    not->args[0] = e;
    ilc__expr_update(not);
    return not;
}

bool ilc__expr_reads(const ilc__expr *e, const ilc__var *var)
{
    if (e->kind == ILC__EX_VAR) return e->u.var == var;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (ilc__expr_reads(e->args[i], var)) return true;
    return false;
}

bool ilc__expr_same(const ilc__expr *x, const ilc__expr *y)
{
    if (x->kind != y->kind || x->type != y->type || x->arg_count != y->arg_count) return false;
    if (x->kind == ILC__EX_CONST) return ilc__expr_is_const(x, y->u.bits);
    if (x->kind == ILC__EX_VAR) return x->u.var == y->u.var;
    if (x->kind == ILC__EX_OP && x->op != y->op) return false;
    if (x->kind != ILC__EX_OP && x->kind != ILC__EX_LEN) return false;
    for (uint32_t i = 0; i < x->arg_count; i++)
        if (!ilc__expr_same(x->args[i], y->args[i])) return false;
    return true;
}

bool ilc__expr_steps_past(const ilc__expr *limit)
{
    bool wide = limit->type == ILC__IR_I64, less = limit->op == ILC__OP_SUB_I32 || limit->op == ILC__OP_SUB_OVF_I32;
    switch (limit->kind) {
    case ILC__EX_LEN: case ILC__EX_DIM: return true;
    case ILC__EX_CONST:
        if (wide) return (int64_t)limit->u.bits != INT64_MIN && (int64_t)limit->u.bits != INT64_MAX;
        return (int32_t)(uint32_t)limit->u.bits != INT32_MIN && (int32_t)(uint32_t)limit->u.bits != INT32_MAX;
    case ILC__EX_OP: return less && limit->args[0]->kind == ILC__EX_LEN && ilc__expr_is_const(limit->args[1], 1);
    default: return false;
    }
}

bool ilc__expr_loads(const ilc__expr *e)
{
    if (e->kind == ILC__EX_LOAD || e->kind == ILC__EX_LOADIND || e->kind == ILC__EX_CALL) return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (ilc__expr_loads(e->args[i])) return true;
    return false;
}

ilc__stmt *ilc__stmt_new(ilc__builder *b, ilc__stmt_kind kind, uint32_t il, bool has_il)
{
    ilc__stmt *s = ILC__NEW(b->arena, ilc__stmt);
    s->kind = kind;
    s->il = il;
    s->has_il = has_il;
    if (has_il && b->func->place) s->line = ilc__debug_line(b->func->place, il, NULL);
    return s;
}

ilc__stmt *ilc__stmt_assign(ilc__builder *b, ilc__var *var, ilc__expr *value, uint32_t il, bool has_il)
{
    ilc__stmt *s = ilc__stmt_new(b, ILC__ST_ASSIGN, il, has_il);
    s->var = var;
    s->a = value;
    b->info.items[var->index].defs++;
    return s;
}

void ilc__block_append(ilc__block *block, ilc__stmt *stmt)
{
    stmt->next = NULL;
    if (block->last) block->last->next = stmt;
    else block->first = stmt;
    block->last = stmt;
}

static void expr_lines(ilc__line_map *map, uint32_t line, const ilc__method *method, const ilc__expr *e)
{
    if (!e) return;
    if (e->has_il) ilc__line_map_add(map, line, method, e->il);
    for (uint32_t i = 0; i < e->arg_count; i++) expr_lines(map, line, method, e->args[i]);
}

void ilc__stmt_lines(ilc__line_map *map, uint32_t line, const ilc__func *func, const ilc__stmt *stmt)
{
    if (stmt->has_il) ilc__line_map_add(map, line, func->place, stmt->il);
    expr_lines(map, line, func->place, stmt->a);
    if (stmt->kind == ILC__ST_FOR && stmt->has_il) ilc__line_map_add(map, line, func->place, stmt->test_il);
    expr_lines(map, line, func->place, stmt->b);
    expr_lines(map, line, func->place, stmt->c);
}
