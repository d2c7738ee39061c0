/* trees.h - syntax trees made by hand, exactly as src/ast/ast.h describes them. */
#ifndef TEST_EMIT_TREES_H
#define TEST_EMIT_TREES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emit/emit.h"

static ilc__context trees;

static inline void trees_reset(void)
{
    static int made;
    if (made) ilc__context_free(&trees);
    made = 1;
    ilc__context_init(&trees);
}

#define ARENA (&trees.arena)

/* --- functions and variables ------------------------------------------------------------------------------ */

static inline ilc__func *func_new(const char *name, ilc_storage ret)
{
    ilc__func *f = ILC__NEW(ARENA, ilc__func);
    f->name = name;
    f->ret = ret;
    return f;
}

static inline ilc__var *add_var(ilc__func *f, const char *name, ilc_storage storage, bool array, bool param)
{
    ilc__var *v = ILC__NEW(ARENA, ilc__var);
    *v = (ilc__var){.name = name, .storage = storage, .is_array = array, .is_param = param, .is_named = true,
                    .index = f->vars.count, .assignments = param};
    ILC__PUSH(ARENA, &f->vars, v);
    if (param) f->param_count++;
    return v;
}

#define PARAM(f, name, storage) add_var(f, name, storage, false, true)
#define ARRAY(f, name, storage) add_var(f, name, storage, true, true)
#define LOCAL(f, name, storage) add_var(f, name, storage, false, false)

static inline ilc__var *add_by_ref(ilc__func *f, const char *name, ilc_storage storage, const ilc__layout *layout, bool param)
{
    ilc__var *v = add_var(f, name, storage, false, param);
    v->is_addr = true;
    v->layout = layout;
    return v;
}
#define BYREF(f, name, storage) add_by_ref(f, name, storage, NULL, true)

static inline ilc__var *add_slot(ilc__func *f, const char *name, ilc_storage storage, const ilc__layout *layout, bool param)
{
    ilc__var *v = add_var(f, name, storage, false, param);
    v->is_slot = true;
    v->layout = layout;
    return v;
}
#define SLOT(f, name, storage) add_slot(f, name, storage, NULL, false)

/* --- expressions ------------------------------------------------------------------------------------------ */

static inline ilc__expr *expr_new(ilc__expr_kind kind, ilc__ir_type type, ilc__expr *a, ilc__expr *b, ilc__expr *c)
{
    ilc__expr *e = ILC__NEW(ARENA, ilc__expr);
    e->kind = kind;
    e->type = type;
    e->args = ILC__NEW_ARRAY(ARENA, ilc__expr *, 3);
    e->args[0] = a;
    e->args[1] = b;
    e->args[2] = c;
    e->arg_count = a ? b ? c ? 3 : 2 : 1 : 0;
    return e;
}

static inline ilc__expr *constant(ilc__ir_type type, uint64_t bits)
{
    ilc__expr *e = expr_new(ILC__EX_CONST, type, NULL, NULL, NULL);
    e->u.bits = bits;
    return e;
}

static inline ilc__expr *I(int32_t v) { return constant(ILC__IR_I32, (uint64_t)(int64_t)v); }
static inline ilc__expr *L(int64_t v) { return constant(ILC__IR_I64, (uint64_t)v); }
static inline ilc__expr *F(float v)
{
    uint32_t bits;
    memcpy(&bits, &v, 4);
    return constant(ILC__IR_F32, bits);
}
static inline ilc__expr *D(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, 8);
    return constant(ILC__IR_F64, bits);
}

static inline ilc__ir_type stack_type(ilc_storage s)
{
    if (s == ILC_F32) return ILC__IR_F32;
    if (s == ILC_F64) return ILC__IR_F64;
    return s == ILC_I64 || s == ILC_U64 || s == ILC_INT || s == ILC_UINT ? ILC__IR_I64 : ILC__IR_I32;
}

static inline ilc__expr *V(const ilc__var *v)
{
    ilc__ir_type type = v->is_array ? ILC__IR_REF : v->is_addr ? ILC__IR_ADDR : stack_type(v->storage);
    ilc__expr   *e = expr_new(ILC__EX_VAR, type, NULL, NULL, NULL);
    e->u.var = v;
    return e;
}

static uint32_t next_il = 1;

static inline ilc__expr *with_il(ilc__expr *e)
{
    e->il = next_il++;
    e->has_il = true;
    return e;
}

static inline ilc__expr *op1(ilc__op op, ilc__expr *a)
{
    ilc__expr *e = expr_new(ILC__EX_OP, ilc__op_info_of(op)->result, a, NULL, NULL);
    e->op = op;
    return with_il(e);
}

static inline ilc__expr *op2(ilc__op op, ilc__expr *a, ilc__expr *b)
{
    ilc__expr *e = expr_new(ILC__EX_OP, ilc__op_info_of(op)->result, a, b, NULL);
    e->op = op;
    return with_il(e);
}
/* Without c of two operands, without b and c of one. */
static inline ilc__expr *op3(ilc__op op, ilc__expr *a, ilc__expr *b, ilc__expr *c)
{
    ilc__expr *e = expr_new(ILC__EX_OP, ilc__op_info_of(op)->result, a, b, c);
    e->op = op;
    return with_il(e);
}
#define OP(id, a, b) op2(ILC__OP_##id, a, b)
#define UN(id, a) op1(ILC__OP_##id, a)

static inline ilc__expr *load_of(ilc__expr *array, ilc_storage storage, ilc__expr *index)
{
    ilc__expr *e = expr_new(ILC__EX_LOAD, stack_type(storage), array, index, NULL);
    e->storage = storage;
    return with_il(e);
}
static inline ilc__expr *LOAD(const ilc__var *array, ilc__expr *index) { return load_of(V(array), array->storage, index); }

static inline ilc__expr *slot_addr(const ilc__var *slot)
{
    ilc__expr *e = expr_new(ILC__EX_SLOTADDR, ILC__IR_ADDR, NULL, NULL, NULL);
    e->u.var = slot;
    return e;
}

static inline ilc__expr *elem_addr(const ilc__var *array, ilc__expr *index)
{
    ilc__expr *e = expr_new(ILC__EX_ELEMADDR, ILC__IR_ADDR, V(array), index, NULL);
    e->storage = array->storage;
    e->layout = array->layout;
    return with_il(e);
}

static inline ilc__expr *field_addr(ilc__expr *addr, const ilc__layout *layout, uint32_t field)
{
    ilc__expr *e = expr_new(ILC__EX_FIELDADDR, ILC__IR_ADDR, addr, NULL, NULL);
    e->layout = layout;
    e->u.field = field;
    return e;
}

static inline ilc__expr *load_ind(ilc_storage storage, ilc__expr *addr)
{
    ilc__expr *e = expr_new(ILC__EX_LOADIND, stack_type(storage), addr, NULL, NULL);
    e->storage = storage;
    return with_il(e);
}

static inline ilc__expr *len_of(const ilc__var *v) { return with_il(expr_new(ILC__EX_LEN, ILC__IR_I32, V(v), NULL, NULL)); }
static inline ilc__expr *and_of(ilc__expr *a, ilc__expr *b) { return expr_new(ILC__EX_AND, ILC__IR_I32, a, b, NULL); }
static inline ilc__expr *or_of(ilc__expr *a, ilc__expr *b) { return expr_new(ILC__EX_OR, ILC__IR_I32, a, b, NULL); }
static inline ilc__expr *not_of(ilc__expr *a) { return expr_new(ILC__EX_NOT, ILC__IR_I32, a, NULL, NULL); }
static inline ilc__expr *select_of(ilc__expr *c, ilc__expr *a, ilc__expr *b)
{
    return expr_new(ILC__EX_SELECT, a->type, c, a, b);
}

static inline ilc__expr *call_of(const ilc__func *callee, uint32_t count, ilc__expr **args)
{
    ilc__expr *e = expr_new(ILC__EX_CALL, callee->ret == ILC_VOID ? ILC__IR_VOID : stack_type(callee->ret), NULL, NULL, NULL);
    e->u.callee = callee;
    e->arg_count = count;
    e->args = ilc__arena_copy(ARENA, args, count * sizeof *args);
    return with_il(e);
}
#define CALL(callee, ...)                                                                                              \
    call_of(callee, sizeof((ilc__expr *[]){__VA_ARGS__}) / sizeof(ilc__expr *), (ilc__expr *[]){__VA_ARGS__})

/* --- statements ------------------------------------------------------------------------------------------- */

static uint32_t next_line = 1;

static inline ilc__stmt *stmt_new(ilc__stmt_kind kind)
{
    ilc__stmt *s = ILC__NEW(ARENA, ilc__stmt);
    s->kind = kind;
    s->line = next_line++;
    s->il = next_il++;
    s->has_il = true;
    return s;
}

static inline void append(ilc__block *block, ilc__stmt *s)
{
    if (block->last)
        block->last->next = s;
    else
        block->first = s;
    block->last = s;
}

static inline ilc__block block_of(ilc__stmt **list)
{
    ilc__block block = {0};
    for (; *list; list++) append(&block, *list);
    return block;
}
#define BLOCK(...) block_of((ilc__stmt *[]){__VA_ARGS__, NULL})

static inline ilc__stmt *assign(ilc__var *v, ilc__expr *a)
{
    ilc__stmt *s = stmt_new(ILC__ST_ASSIGN);
    s->var = v;
    s->a = a;
    v->assignments++;
    return s;
}

static inline ilc__stmt *store(const ilc__var *array, ilc__expr *index, ilc__expr *value)
{
    ilc__stmt *s = stmt_new(ILC__ST_STORE);
    s->a = V(array);
    s->b = index;
    s->c = value;
    s->storage = array->storage;
    return s;
}

static inline ilc__stmt *store_ind(ilc_storage storage, ilc__expr *addr, ilc__expr *value)
{
    ilc__stmt *s = stmt_new(ILC__ST_STOREIND);
    s->a = addr;
    s->b = value;
    s->storage = storage;
    return s;
}

static inline ilc__stmt *copy_mem(const ilc__layout *layout, ilc__expr *to, ilc__expr *from)
{
    ilc__stmt *s = stmt_new(from ? ILC__ST_COPYMEM : ILC__ST_ZEROMEM);
    s->a = to;
    s->b = from;
    s->layout = layout;
    return s;
}
#define ZERO_MEM(layout, addr) copy_mem(layout, addr, NULL)

static inline ilc__stmt *ret(ilc__expr *a)
{
    ilc__stmt *s = stmt_new(ILC__ST_RETURN);
    s->a = a;
    return s;
}

static inline ilc__stmt *if_else(ilc__expr *a, ilc__block body, ilc__block other)
{
    ilc__stmt *s = stmt_new(ILC__ST_IF);
    s->a = a;
    s->body = body;
    s->other = other;
    return s;
}
#define IF(a, ...) if_else(a, BLOCK(__VA_ARGS__), (ilc__block){0})

static inline ilc__stmt *loop_new(ilc__stmt_kind kind, ilc__expr *a)
{
    ilc__stmt *s = stmt_new(kind);
    s->a = a;
    return s;
}

/* Its body is set afterwards, because jumps need the loop. */
static inline ilc__stmt *for_new(ilc__var *v, ilc__expr *from, ilc__op compare, ilc__expr *to, ilc__op step, ilc__expr *by)
{
    ilc__stmt *s = stmt_new(ILC__ST_FOR);
    s->var = v;
    s->a = from;
    s->b = to;
    s->c = by;
    s->compare = compare;
    s->step = step;
    s->step_il = next_il++;
    v->assignments += 2;
    return s;
}

static inline ilc__stmt *jump(ilc__stmt_kind kind, ilc__stmt *target)
{
    ilc__stmt *s = stmt_new(kind);
    s->target = target;
    return s;
}
#define BREAK(loop) jump(ILC__ST_BREAK, loop)
#define CONTINUE(loop) jump(ILC__ST_CONTINUE, loop)

static inline ilc__stmt *throw_new(const char *type, const char *message)
{
    ilc__stmt      *s = stmt_new(ILC__ST_THROW);
    ilc__exception *exc = ILC__NEW(ARENA, ilc__exception);
    *exc = (ilc__exception){type, message};
    s->exc = exc;
    return s;
}

static inline ilc__stmt *eval(ilc__expr *a)
{
    ilc__stmt *s = stmt_new(ILC__ST_EVAL);
    s->a = a;
    return s;
}

static inline ilc__unit *unit_of(ilc__func *a, ilc__func *b)
{
    ilc__unit *unit = ILC__NEW(ARENA, ilc__unit);
    if (a) ILC__PUSH(ARENA, &unit->funcs, a);
    if (b) ILC__PUSH(ARENA, &unit->funcs, b);
    return unit;
}

/* --- the tutorial's shapes -------------------------------------------------------------------------------- */

/* For k = 0 To cols - 1 : sum += x(i * cols + k), with VB's integer checks or without. */
static inline ilc__unit *row_sum(bool checked)
{
    ilc__op    mul = checked ? ILC__OP_MUL_OVF_I32 : ILC__OP_MUL_I32, add = checked ? ILC__OP_ADD_OVF_I32 : ILC__OP_ADD_I32;
    ilc__op    sub = checked ? ILC__OP_SUB_OVF_I32 : ILC__OP_SUB_I32;
    ilc__func *f = func_new("RowSum", ILC_F32);
    ilc__var  *x = ARRAY(f, "x", ILC_F32), *cols = PARAM(f, "cols", ILC_I32), *i = PARAM(f, "i", ILC_I32);
    ilc__var  *sum = LOCAL(f, "sum", ILC_F32), *k = LOCAL(f, "k", ILC_I32), *last = LOCAL(f, "last", ILC_I32);
    ilc__stmt *loop = for_new(k, I(0), ILC__OP_LE_I32, V(last), add, I(1));
    loop->body = BLOCK(assign(sum, OP(ADD_F32, V(sum), LOAD(x, op2(add, op2(mul, V(i), V(cols)), V(k))))));
    f->body = BLOCK(assign(sum, F(0)), assign(last, op2(sub, V(cols), I(1))), loop, ret(V(sum)));
    return unit_of(f, NULL);
}

#endif
