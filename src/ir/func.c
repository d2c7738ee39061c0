/* func.c - building functions: values, variables, blocks, edges; and which values may raise an exception. */
#include "ir/ir.h"

ilc__ir_func *ilc__ir_func_create(ilc__context *ctx, ilc__arena *arena, const char *name)
{
    ilc__ir_func *func = ILC__NEW(arena, ilc__ir_func);
    func->ctx = ctx;
    func->arena = arena;
    func->name = name;
    ILC__PUSH(arena, &func->vars, (ilc__ir_var){0});
    ILC__PUSH(arena, &func->values, (ilc__ir_value){0});
    return func;
}

uint32_t ilc__ir_add_var(ilc__ir_func *func, ilc__ir_var var)
{
    ILC__PUSH(func->arena, &func->vars, var);
    return func->vars.count - 1;
}

uint32_t ilc__ir_add_block(ilc__ir_func *func, uint32_t il)
{
    uint32_t id = func->blocks.count;
    ILC__PUSH(
        func->arena, &func->blocks,
        (ilc__ir_block){
            .id = id, .il = il, .idom = ILC__NO_BLOCK, .rpo = ILC__NO_BLOCK, .loop_header = ILC__NO_BLOCK});
    func->analyses = 0;
    return id;
}

ilc__ref ilc__ir_add(ilc__ir_func *func, ilc__ir_value value)
{
    if (value.arg_count)
        value.args = ilc__arena_copy(func->arena, value.args, value.arg_count * sizeof *value.args);
    ILC__PUSH(func->arena, &func->values, value);
    return func->values.count - 1;
}

void ilc__ir_append(ilc__ir_func *func, uint32_t block, ilc__ref ref)
{
    func->values.items[ref].block = block;
    ILC__PUSH(func->arena, &func->blocks.items[block].list, ref);
}

ilc__ref ilc__ir_emit(ilc__ir_func *func, uint32_t block, ilc__op op, ilc__ir_type type, uint32_t arg_count,
                      const ilc__ref *args)
{
    const ilc__op_info *info = ilc__op_info_of(op);
    ilc__ir_value       value = {.op = op, .type = type};
    if (op < ILC__OP_LAST_COMPUTE) value.type = info->result;
    value.arg_count = arg_count;
    value.args = (ilc__ref *)(uintptr_t)args; /* only read: ilc__ir_add copies it */
    if (op == ILC__OP_ISNULL || op == ILC__OP_SAMEREF || op == ILC__OP_DIM) value.type = ILC__IR_I32;
    ilc__ref ref = ilc__ir_add(func, value);
    ilc__ir_append(func, block, ref);
    return ref;
}

ilc__ref ilc__ir_const(ilc__ir_func *func, ilc__ir_type type, uint64_t bits)
{
    if (type == ILC__IR_I32) bits = (uint64_t)(int64_t)(int32_t)(uint32_t)bits;
    if (type == ILC__IR_F32) bits = (uint32_t)bits;
    return ilc__ir_add(func, (ilc__ir_value){.op = ILC__OP_CONST, .type = type, .u.bits = bits});
}

void ilc__ir_connect(ilc__ir_func *func, uint32_t from, uint32_t to)
{
    ILC__PUSH(func->arena, &func->blocks.items[from].succs, to);
    ILC__PUSH(func->arena, &func->blocks.items[to].preds, from);
    func->analyses = 0;
}

ilc__ref ilc__ir_terminator(const ilc__ir_func *func, uint32_t block)
{
    const ilc__ir_block *b = &func->blocks.items[block];
    if (!b->list.count) return 0;
    ilc__ref last = b->list.items[b->list.count - 1];
    return ilc__op_info_of(func->values.items[last].op)->flags & ILC__OPF_TERMINATOR ? last : 0;
}

bool ilc__ir_value_traps(const ilc__ir_func *func, ilc__ref ref)
{
    const ilc__ir_value *value = &func->values.items[ref];
    if (value->op == ILC__OP_CALL) return value->u.callee->may_trap;
    if (value->op == ILC__OP_NEWARR) {
        const ilc__ir_value *length = &func->values.items[value->args[0]];
        return func->slots.items[value->u.slot].is_dynamic && (length->op != ILC__OP_CONST || (int64_t)length->u.bits < 0);
    }
    return !value->safe && (ilc__op_info_of(value->op)->flags & ILC__OPF_TRAPS) != 0;
}

void ilc__ir_compute_traps(ilc__ir_func *func)
{
    func->may_trap = func->cycle != 0; /* its calls may be too deep */
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++)
            if (ilc__ir_value_traps(func, block->list.items[i])) func->may_trap = true;
    }
}
