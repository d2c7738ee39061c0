/* memory.c - what addresses point to, slots, the types of variables (docs/memory.md). */
#include "ir/ir.h"

#include "meta/layout.h"

static ilc__pointee pointee_of_var(const ilc__ir_func *func, uint32_t var)
{
    const ilc__ir_var *variable = &func->vars.items[var < func->vars.count ? var : 0];
    return (ilc__pointee){.storage = variable->storage, .layout = variable->layout};
}

static ilc__pointee pointee_of_field(const ilc__layout *layout, uint32_t number)
{
    if (!layout || number >= layout->field_count) return (ilc__pointee){0};
    const ilc__layout_field *field = &layout->fields[number];
    return (ilc__pointee){.storage = field->layout ? ILC_VOID : field->storage, .layout = field->layout};
}

ilc__pointee ilc__ir_pointee(const ilc__ir_func *func, ilc__ref addr)
{
    const ilc__ir_value *value = &func->values.items[addr];
    switch (value->op) {
    case ILC__OP_SLOTADDR: {
        if (value->u.slot >= func->slots.count) return (ilc__pointee){0};
        const ilc__ir_slot *slot = &func->slots.items[value->u.slot];
        return (ilc__pointee){.storage = slot->layout ? ILC_VOID : slot->storage, .layout = slot->layout};
    }
    case ILC__OP_ELEMADDR:
    case ILC__OP_DATAADDR:
    case ILC__OP_ADDADDR:
        return (ilc__pointee){.storage = value->layout ? ILC_VOID : value->storage, .layout = value->layout};
    case ILC__OP_FIELDADDR: return pointee_of_field(value->layout, value->u.field);
    case ILC__OP_CONST:
        if (!value->var) return (ilc__pointee){.storage = value->layout ? ILC_VOID : value->storage, .layout = value->layout};
        return pointee_of_var(func, value->var);
    case ILC__OP_CALL: return value->u.callee && value->u.callee->ret_to ? *value->u.callee->ret_to : (ilc__pointee){0};
    default: return pointee_of_var(func, value->var); /* parameters, copies, phis */
    }
}

const ilc__ir_value *ilc__ir_uncopied(const ilc__ir_func *func, ilc__ref ref)
{
    const ilc__ir_value *value = &func->values.items[ref];
    while (value->op == ILC__OP_COPY) value = &func->values.items[value->args[0]];
    return value;
}

/* Through copies and phis that belong to no variable. */
ilc__array_shape ilc__ir_array(const ilc__ir_func *func, ilc__ref ref)
{
    for (uint32_t steps = 0; steps < func->values.count && ref < func->values.count; steps++) {
        const ilc__ir_value *value = &func->values.items[ref];
        if (value->var && value->var < func->vars.count) {
            const ilc__ir_var *var = &func->vars.items[value->var];
            return (ilc__array_shape){var->storage, var->rank, var->nested};
        }
        if (value->op == ILC__OP_NEWARR || value->op == ILC__OP_SPANOF || value->op == ILC__OP_SPAN || value->op == ILC__OP_SPANAT)
            return (ilc__array_shape){value->storage, 0, 0};
        if (value->op == ILC__OP_LOAD) return (ilc__array_shape){value->storage, 0, value->nested};
        const ilc__ir_var *result = value->op == ILC__OP_CALL && value->u.callee ? value->u.callee->ret_array : NULL;
        if (result) return (ilc__array_shape){result->storage, result->rank, result->nested};
        if ((value->op != ILC__OP_COPY && value->op != ILC__OP_PHI) || !value->arg_count) break;
        ref = value->args[0];
    }
    return (ilc__array_shape){ILC_VOID, 0, 0};
}

bool ilc__ir_is_span(const ilc__ir_func *func, ilc__ref ref)
{
    for (uint32_t steps = 0; steps < func->values.count && ref < func->values.count; steps++) {
        const ilc__ir_value *value = &func->values.items[ref];
        if (value->var && value->var < func->vars.count) return func->vars.items[value->var].is_span;
        if (value->op == ILC__OP_SPANOF || value->op == ILC__OP_SPAN || value->op == ILC__OP_SPANAT) return true;
        if ((value->op != ILC__OP_COPY && value->op != ILC__OP_PHI) || !value->arg_count) break;
        ref = value->args[0];
    }
    return false;
}

ilc__ir_type ilc__ir_ret_type(const ilc__ir_func *func)
{
    if (func->ret_array) return ILC__IR_REF;
    return func->ret_to ? ILC__IR_ADDR : ilc__storage_ir_type(func->ret);
}

ilc__ir_type ilc__ir_var_type(const ilc__ir_var *var)
{
    if (var->is_array) return ILC__IR_REF;
    return var->is_addr || var->layout ? ILC__IR_ADDR : ilc__storage_ir_type(var->storage);
}

uint32_t ilc__ir_add_slot(ilc__ir_func *func, ilc__ir_slot slot)
{
    if (!func->slots.count) ILC__PUSH(func->arena, &func->slots, (ilc__ir_slot){0});
    ILC__PUSH(func->arena, &func->slots, slot);
    return func->slots.count - 1;
}

uint32_t ilc__ir_param_slot(const ilc__ir_func *func, uint32_t var)
{
    for (uint32_t s = 1; s < func->slots.count; s++)
        if (func->slots.items[s].is_param && func->slots.items[s].slot + 1 == var) return s;
    return 0;
}
