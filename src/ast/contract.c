/* contract.c - mode fma: a product and the sum that it goes into become one operation that rounds once (docs/semantics.md,
 * Modes and arithmetic). Here and nowhere later, so that every engine, body and schedule has the same ones. */
#include "ast/build.h"

/* A product, or the opposite of one: (-a) * b has its bits. */
typedef struct product {
    ilc__expr *a, *b;
    bool       negative;
} product;

static bool is_op(const ilc__expr *e, ilc__op f32, ilc__op f64)
{
    return e->kind == ILC__EX_OP && (e->op == f32 || e->op == f64);
}

static bool take_product(const ilc__expr *e, product *out)
{
    *out = (product){0};
    for (; is_op(e, ILC__OP_NEG_F32, ILC__OP_NEG_F64); e = e->args[0]) out->negative = !out->negative;
    if (!is_op(e, ILC__OP_MUL_F32, ILC__OP_MUL_F64)) return false;
    out->a = e->args[0];
    out->b = e->args[1];
    return true;
}

static ilc__expr *negate(ilc__arena *arena, ilc__expr *e)
{
    if (is_op(e, ILC__OP_NEG_F32, ILC__OP_NEG_F64)) return e->args[0];
    if (e->kind == ILC__EX_CONST) return ilc__expr_const(arena, e->type, e->u.bits ^ (e->type == ILC__IR_F32 ? 0x80000000u : 0x8000000000000000u));
    ilc__expr *minus = ilc__expr_new(arena, ILC__EX_OP, e->type, 1);
    minus->op = e->type == ILC__IR_F32 ? ILC__OP_NEG_F32 : ILC__OP_NEG_F64;
    minus->args[0] = e;
    ilc__expr_update(minus);
    return minus;
}

static void become(ilc__expr *e, ilc__expr **args, ilc__op f32, ilc__op f64)
{
    if (e->type == ILC__IR_F32) e->op = f32;
    else e->op = f64;
    e->args = args;
    e->arg_count = 3;
    ilc__expr_update(e);
}

/* A sum's left operand is asked first; the operands stay in their order. */
static void contract(ilc__arena *arena, ilc__expr *e)
{
    bool adds = is_op(e, ILC__OP_ADD_F32, ILC__OP_ADD_F64), subtracts = is_op(e, ILC__OP_SUB_F32, ILC__OP_SUB_F64);
    if (!adds && !subtracts) return;
    product     p;
    ilc__expr **args = ILC__NEW_ARRAY(arena, ilc__expr *, 3);
    if (take_product(e->args[0], &p)) {
        args[0] = p.negative ? negate(arena, p.a) : p.a;
        args[1] = p.b;
        args[2] = subtracts ? negate(arena, e->args[1]) : e->args[1];
        become(e, args, ILC__OP_FMA_F32, ILC__OP_FMA_F64);
    } else if (take_product(e->args[1], &p)) {
        args[0] = e->args[0];
        args[1] = p.negative != subtracts ? negate(arena, p.a) : p.a;
        args[2] = p.b;
        become(e, args, ILC__OP_ADDMUL_F32, ILC__OP_ADDMUL_F64);
    }
}

static void contract_all(ilc__arena *arena, ilc__expr *e)
{
    for (uint32_t i = 0; i < e->arg_count; i++) contract_all(arena, e->args[i]);
    ilc__expr_update(e);
    contract(arena, e);
}

/* At most, once it is contracted: what a product less something negates is one deeper. */
static uint32_t depth_then(const ilc__expr *e)
{
    product  p;
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        uint32_t depth = depth_then(e->args[i]);
        if (i == 1 && is_op(e, ILC__OP_SUB_F32, ILC__OP_SUB_F64) && take_product(e->args[0], &p)) depth++;
        if (depth > deepest) deepest = depth;
    }
    return deepest + 1;
}

static void contract_root(ilc__arena *arena, ilc__expr *e)
{
    if (e && depth_then(e) <= ILC__AST_MAX_EXPR_DEPTH) contract_all(arena, e);
}

static void contract_block(ilc__arena *arena, ilc__block *block)
{
    for (ilc__stmt *s = block->first; s; s = s->next) {
        contract_root(arena, s->a);
        contract_root(arena, s->b);
        contract_root(arena, s->c);
        contract_block(arena, &s->body);
        contract_block(arena, &s->other);
        for (uint32_t i = 0; i < s->case_count; i++) contract_block(arena, &s->cases[i].body);
    }
}

void ilc__ast_contract(ilc__arena *arena, const ilc__unit *unit)
{
    for (uint32_t i = 0; i < unit->funcs.count; i++) contract_block(arena, &unit->funcs.items[i]->body);
}
