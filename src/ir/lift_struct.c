/* lift_struct.c - structs on the evaluation stack and their fields: ldfld, ldflda, stfld; System.ValueTuple.
 *
 * A struct on the stack is a temporary slot that nothing else refers to, so that it may be given away as it
 * is. */
#include "ir/lift.h"

uint32_t ilc__lift_new_temp_slot(ilc__lift *l, const ilc__layout *layout)
{
    return ilc__ir_add_slot(l->func,
                            (ilc__ir_slot){.name = ilc__arena_printf(l->func->arena, "S_%u", l->temp_count++),
                                           .layout = layout,
                                           .is_temp = true});
}

ilc_status ilc__lift_push_struct(ilc__lift *l, ilc__ref temp, const ilc__layout *layout)
{
    return ilc__lift_push(
        l, (ilc__lift_slot){.type = ILC__IR_ADDR, .ref = temp, .is_struct = true, .layout = layout});
}

void ilc__lift_copy_struct(ilc__lift *l, ilc__ref to, ilc__ref from, const ilc__layout *layout)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_COPYMEM, ILC__IR_VOID, 2, to, from);
    l->func->values.items[ref].layout = layout;
}

void ilc__lift_zero_struct(ilc__lift *l, ilc__ref addr, const ilc__layout *layout)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_ZEROMEM, ILC__IR_VOID, 1, addr, 0);
    l->func->values.items[ref].layout = layout;
}

ilc_status ilc__lift_check_struct(ilc__lift *l, ilc__lift_slot value, const ilc__layout *layout)
{
    if (value.is_struct && value.layout == layout) return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s as the struct %s", ilc__opcode_name(l->insn->op),
                            ilc__lift_slot_name(l, value), layout->name);
}

/* --- fields --------------------------------------------------------------------------------------------- */

bool ilc__lift_is_field(ilc__opcode op)
{
    return op == ILC__IL_LDFLD || op == ILC__IL_LDFLDA || op == ILC__IL_STFLD;
}

static ilc__ref field_addr(ilc__lift *l, ilc__ref base, const ilc__layout *layout, uint32_t field)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_FIELDADDR, ILC__IR_ADDR, 1, base, 0);
    l->func->values.items[ref].layout = layout;
    l->func->values.items[ref].u.field = field;
    return ref;
}

static const char *open_name(const ilc__type *type)
{
    return type->kind == ILC__ET_GENERICINST ? type->elem->name : type->name;
}

/* A struct that was put on the stack by the instruction before, for this field only: where it was copied from. */
static ilc__ref take_back(ilc__lift *l, ilc__ref temp)
{
    ilc__ir_func  *f = l->func;
    ilc__ir_block *block = &f->blocks.items[l->ir];
    uint32_t       count = block->list.count;
    if (count < 2 || block->list.items[count - 2] != temp || f->values.items[temp].op != ILC__OP_SLOTADDR) return temp;
    const ilc__ir_value *copy = &f->values.items[block->list.items[count - 1]];
    if (copy->op != ILC__OP_COPYMEM || copy->args[0] != temp || f->values.items[temp].u.slot + 1 != f->slots.count) return temp;
    block->list.count -= 2;
    f->slots.count--;
    return copy->args[1];
}

/* The address of the token's field in the struct on the stack, or at the address there. */
static ilc_status pop_field(ilc__lift *l, bool value_allowed, ilc__ref *out, bool *is_pointer)
{
    const ilc__field *field;
    const char       *type_name, *name;
    ilc__lift_slot    object;
    ILC__TRY(ilc__resolve_field(l->method->image, l->insn->u.token, l->method, &field, &type_name, &name));
    ILC__TRY(ilc__lift_pop(l, &object));
    bool fits = object.layout && object.type == ILC__IR_ADDR && strcmp(open_name(object.layout->type), type_name) == 0 &&
                (!object.is_struct || value_allowed);
    uint32_t number = fits ? ilc__layout_field_named(object.layout, name) : UINT32_MAX;
    if (number == UINT32_MAX)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s.%s", ilc__opcode_name(l->insn->op), type_name,
                                name);
    if (object.is_struct) object.ref = take_back(l, object.ref);
    *out = field_addr(l, object.ref, object.layout, number);
    *is_pointer = object.is_pointer;
    return ILC_OK;
}

ilc_status ilc__lift_field(ilc__lift *l)
{
    ilc__lift_slot value = {0};
    ilc__ref       addr = 0;
    bool           is_pointer = false;
    ilc__opcode    op = l->insn->op;
    if (op == ILC__IL_STFLD) ILC__TRY(ilc__lift_pop(l, &value));
    ILC__TRY(pop_field(l, op == ILC__IL_LDFLD, &addr, &is_pointer));
    ilc__pointee what = ilc__ir_pointee(l->func, addr);
    if (op == ILC__IL_LDFLDA) {
        ILC__TRY(ilc__lift_push_addr(l, addr, what.storage, what.layout));
        l->stack[l->depth - 1].is_pointer = is_pointer;
        return ILC_OK;
    }
    ilc__lift_test_null(l, addr);
    if (op == ILC__IL_LDFLD) return ilc__lift_push_at(l, addr, what);
    bool is_wide = !what.layout && ilc__storage_ir_type(what.storage) == ILC__IR_I64;
    if (is_wide && value.type == ILC__IR_I32) return ilc__lift_refuse(l, ILC_UNSUPPORTED, "stfld of int32");
    return ilc__lift_keep_at(l, addr, what, value);
}

/* --- System.ValueTuple ---------------------------------------------------------------------------------- */

bool ilc__lift_is_tuple(const ilc__callee *callee)
{
    const ilc__type *type = callee->type;
    return type && type->kind == ILC__ET_GENERICINST && ilc__type_is_struct(type) &&
           strcmp(callee->name, ".ctor") == 0 && strncmp(callee->type_name, "System.ValueTuple`", 18) == 0 &&
           callee->sig.param_count == type->arg_count;
}

ilc_status ilc__lift_tuple(ilc__lift *l, const ilc__callee *callee)
{
    const ilc__layout *layout;
    ilc__where         where = ilc__method_where(l->method, l->insn->offset);
    bool               is_new = l->insn->op == ILC__IL_NEWOBJ;
    ILC__TRY(ilc__layout_of(l->unit->layouts, callee->type, &where, &layout));
    uint32_t count = callee->sig.param_count, below = count + (is_new ? 0 : 1);
    if (layout->field_count != count || below > l->depth)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "creation of %s", callee->type_name);
    const ilc__lift_slot *args = &l->stack[l->depth - count],
                         *object = is_new ? NULL : &l->stack[l->depth - below];
    if (object && (object->type != ILC__IR_ADDR || object->is_struct || object->layout != layout))
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "creation of %s", callee->type_name);
    ilc__ref made = object ? object->ref : ilc__lift_slot_addr(l, ilc__lift_new_temp_slot(l, layout));
    for (uint32_t i = 0; i < count; i++) { /* the fields are Item1.. in this order */
        ilc__ref addr = field_addr(l, made, layout, i);
        ILC__TRY(ilc__lift_keep_at(l, addr, ilc__ir_pointee(l->func, addr), args[i]));
    }
    l->depth -= below;
    return is_new ? ilc__lift_push_struct(l, made, layout) : ILC_OK;
}
