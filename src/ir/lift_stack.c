/* lift_stack.c - the typed evaluation stack (ECMA-335 III.1.1), implicit conversions, variables. */
#include "ir/lift.h"

/* --- values ------------------------------------------------------------------------------------------------
 */

ilc__ref ilc__lift_emit(ilc__lift *l, ilc__op op, ilc__ir_type type, uint32_t count, ilc__ref a, ilc__ref b)
{
    ilc__ref args[2] = {a, b};
    ilc__ref ref = ilc__ir_emit(l->func, l->ir, op, type, count, args);
    if (l->insn) {
        l->func->values.items[ref].il = l->insn->offset;
        l->func->values.items[ref].has_il = true;
    }
    return ref;
}

ilc__ref ilc__lift_const(ilc__lift *l, ilc__ir_type type, uint64_t bits)
{
    ilc__ref ref = ilc__ir_const(l->func, type, bits);
    ilc__ir_append(l->func, l->ir, ref);
    return ref;
}

/* "System.Single[,]" */
static const char *array_name(ilc__lift *l, ilc__array_shape shape)
{
    static const char *const brackets[] = {"[]", "[]", "[,]", "[,,]"};
    return ilc__arena_printf(l->arena, "System.%s%s%s%s", ilc_storage_name(shape.elem), brackets[shape.rank],
                             shape.nested > 0 ? "[]" : "", shape.nested > 1 ? "[]" : "");
}

const char *ilc__lift_slot_name(ilc__lift *l, ilc__lift_slot slot)
{
    static const char *const names[] = {"a string", "int32",    "int64",        "float32",
                                        "float64",  "an array", "an exception", "an address"};
    if (slot.field) return "the handle of a field";
    if (slot.span_var) return "the address of a span";
    if (slot.is_struct) return ilc__arena_printf(l->arena, "the struct %s", slot.layout->name);
    if (slot.type != ILC__IR_REF) return names[slot.type];
    if (slot.elem == ILC_VOID) return "null";
    if (slot.is_span) return ilc__arena_printf(l->arena, "a span of %s", slot.layout ? slot.layout->name : ilc_storage_name(slot.elem));
    if (slot.layout) return ilc__arena_printf(l->arena, "an array of %s", slot.layout->name);
    if (slot.rank < 2 && !slot.nested) return ilc__arena_printf(l->arena, "an array of %s", ilc_storage_name(slot.elem));
    return array_name(l, (ilc__array_shape){slot.elem, slot.rank, slot.nested});
}

/* --- the stack ---------------------------------------------------------------------------------------------
 */

ilc_status ilc__lift_push(ilc__lift *l, ilc__lift_slot slot)
{
    if (l->depth >= l->body.max_stack)
        return ilc__lift_refuse(l, ILC_FORMAT, "more values on the stack than the method's maxstack");
    l->stack[l->depth++] = slot;
    return ILC_OK;
}

ilc_status ilc__lift_push_ref(ilc__lift *l, ilc__ref ref)
{
    return ilc__lift_push(l, (ilc__lift_slot){.type = l->func->values.items[ref].type, .ref = ref});
}

ilc_status ilc__lift_pop(ilc__lift *l, ilc__lift_slot *out)
{
    if (!l->depth)
        return ilc__lift_refuse(l, ILC_FORMAT, "%s found the stack empty", ilc__opcode_name(l->insn->op));
    *out = l->stack[--l->depth];
    return ILC_OK;
}

static bool is_number(const ilc__lift_slot *slot)
{
    return slot->type >= ILC__IR_I32 && slot->type <= ILC__IR_F64;
}

ilc_status ilc__lift_pop_number(ilc__lift *l, ilc__lift_slot *out)
{
    ILC__TRY(ilc__lift_pop(l, out));
    if (is_number(out)) return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s", ilc__opcode_name(l->insn->op),
                            ilc__lift_slot_name(l, *out));
}

ilc__ref ilc__lift_widen(ilc__lift *l, ilc__lift_slot slot, ilc__ir_type to)
{
    if (slot.type == ILC__IR_I32 && to == ILC__IR_I64)
        return ilc__lift_emit(l, ILC__OP_I64_I32, to, 1, slot.ref, 0);
    if (slot.type == ILC__IR_F32 && to == ILC__IR_F64)
        return ilc__lift_emit(l, ILC__OP_F64_F32, to, 1, slot.ref, 0);
    return slot.ref;
}

/* CoreCLR widens an int32 beside a native int by sign, but by zeros for these instructions: in branches, all but
 * constants (docs/semantics.md, Integers). */
static bool widens_by_zeros(ilc__opcode op, bool is_ldc)
{
    switch (op) {
    case ILC__IL_ADD_OVF_UN:
    case ILC__IL_SUB_OVF_UN:
    case ILC__IL_MUL_OVF_UN: return true;
    case ILC__IL_BNE_UN:
    case ILC__IL_BNE_UN_S:
    case ILC__IL_BGE_UN:
    case ILC__IL_BGE_UN_S:
    case ILC__IL_BGT_UN:
    case ILC__IL_BGT_UN_S:
    case ILC__IL_BLE_UN:
    case ILC__IL_BLE_UN_S:
    case ILC__IL_BLT_UN:
    case ILC__IL_BLT_UN_S: return !is_ldc;
    default: return false;
    }
}

static ilc__ref widen_operand(ilc__lift *l, ilc__lift_slot slot, ilc__ir_type to)
{
    if (slot.type == ILC__IR_I32 && to == ILC__IR_I64 && widens_by_zeros(l->insn->op, slot.is_ldc))
        return ilc__lift_emit(l, ILC__OP_I64_U32, to, 1, slot.ref, 0);
    return ilc__lift_widen(l, slot, to);
}

ilc_status ilc__lift_refuse_pair(ilc__lift *l, ilc__lift_slot a, ilc__lift_slot b)
{
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s and %s", ilc__opcode_name(l->insn->op),
                            ilc__lift_slot_name(l, a), ilc__lift_slot_name(l, b));
}

/* III.1.5: int32 with native int is native int; float32 with float64 is float64. */
ilc_status ilc__lift_pop_pair(ilc__lift *l, ilc__lift_slot *a, ilc__lift_slot *b)
{
    ILC__TRY(ilc__lift_pop(l, b));
    ILC__TRY(ilc__lift_pop(l, a));
    bool a_float = a->type == ILC__IR_F32 || a->type == ILC__IR_F64;
    bool b_float = b->type == ILC__IR_F32 || b->type == ILC__IR_F64;
    if (a_float != b_float || !is_number(a) || !is_number(b)) return ilc__lift_refuse_pair(l, *a, *b);
    ilc__ir_type type = a->type > b->type ? a->type : b->type; /* the wider one: the enum is in that order */
    a->ref = widen_operand(l, *a, type);
    b->ref = widen_operand(l, *b, type);
    a->type = b->type = type;
    return ILC_OK;
}

/* --- implicit conversions
 * ----------------------------------------------------------------------------------- */

static ilc__op narrowing(ilc_storage storage)
{
    switch (storage) {
    case ILC_I8: return ILC__OP_I8_I32;
    case ILC_U8:
    case ILC_BOOL: return ILC__OP_U8_I32;
    case ILC_I16: return ILC__OP_I16_I32;
    case ILC_U16:
    case ILC_CHAR: return ILC__OP_U16_I32;
    default: return ILC__OP_NONE;
    }
}

static ilc__ref narrow(ilc__lift *l, ilc__ref ref, ilc_storage storage)
{
    ilc__op op = narrowing(storage);
    return op ? ilc__lift_emit(l, op, ILC__IR_I32, 1, ref, 0) : ref;
}

ilc_status ilc__lift_coerce_array(ilc__lift *l, ilc__lift_slot slot, const ilc__ir_var *var, ilc__ref *out)
{
    bool same = slot.elem == var->storage && slot.rank == var->rank && slot.nested == var->nested &&
                slot.layout == var->layout && slot.is_span == var->is_span;
    *out = slot.ref;
    if (slot.type == ILC__IR_REF && (same || (slot.elem == ILC_VOID && !var->is_span))) return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s as %s", ilc__opcode_name(l->insn->op),
                            ilc__lift_slot_name(l, slot),
                            array_name(l, (ilc__array_shape){var->storage, var->rank, var->nested}));
}

ilc_status ilc__lift_coerce(ilc__lift *l, ilc__lift_slot slot, ilc_storage storage, ilc__ref *out)
{
    ilc__ir_type to = ilc__storage_ir_type(storage);
    *out = slot.ref;
    if (to == ILC__IR_I32 && slot.type == ILC__IR_I64) {
        *out = ilc__lift_emit(l, ILC__OP_I32_I64, to, 1, slot.ref, 0);
    } else if (to == ILC__IR_F32 && slot.type == ILC__IR_F64) {
        *out = ilc__lift_emit(l, ILC__OP_F32_F64, to, 1, slot.ref, 0);
    } else {
        *out = ilc__lift_widen(l, slot, to);
        bool fits = *out && is_number(&slot) && l->func->values.items[*out].type == to;
        if (!fits)
            return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s as System.%s",
                                    ilc__opcode_name(l->insn->op), ilc__lift_slot_name(l, slot),
                                    ilc_storage_name(storage));
    }
    if (to == ILC__IR_I32) *out = narrow(l, *out, storage);
    return ILC_OK;
}

bool ilc__lift_is_null(const ilc__lift_slot *slot)
{
    return slot->type == ILC__IR_REF && slot->elem == ILC_VOID;
}

static uint32_t string_number(ilc__strings *strings, ilc__arena *arena, const char *text)
{
    for (uint32_t i = 1; i < strings->count; i++)
        if (strcmp(strings->items[i], text) == 0) return i;
    ILC__PUSH(arena, strings, text);
    return strings->count - 1;
}

ilc__ref ilc__lift_string_ref(ilc__lift *l, const ilc__lift_slot *slot)
{
    if (slot->type == ILC__IR_VOID && slot->ref) return slot->ref;
    if (slot->type != ILC__IR_VOID && !ilc__lift_is_null(slot)) return 0;
    uint32_t number = slot->text ? string_number(l->unit->strings, l->unit->arena, slot->text) : 0;
    return ilc__lift_const(l, ILC__IR_I32, number);
}

static ilc_status coerce_string(ilc__lift *l, ilc__lift_slot slot, ilc__ref *out)
{
    *out = ilc__lift_string_ref(l, &slot);
    if (*out) return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s as System.String", ilc__opcode_name(l->insn->op),
                            ilc__lift_slot_name(l, slot));
}

ilc_status ilc__lift_coerce_var(ilc__lift *l, ilc__lift_slot slot, const ilc__ir_var *var, ilc__ref *out)
{
    if (var->is_addr) return ilc__lift_coerce_addr(l, slot, var, out);
    if (var->is_string) return coerce_string(l, slot, out);
    return var->is_array ? ilc__lift_coerce_array(l, slot, var, out) : ilc__lift_coerce(l, slot, var->storage, out);
}

/* --- variables
 * ----------------------------------------------------------------------------------------------- */

uint32_t ilc__lift_new_temp(ilc__lift *l, ilc__lift_slot like)
{
    static const ilc_storage storages[] = {
        [ILC__IR_I32] = ILC_I32, [ILC__IR_I64] = ILC_I64, [ILC__IR_F32] = ILC_F32, [ILC__IR_F64] = ILC_F64};
    ilc__ir_var var = {
        .is_temp = true, .is_array = like.type == ILC__IR_REF, .is_addr = like.type == ILC__IR_ADDR};
    var.layout = like.layout;
    var.is_span = like.is_span;
    var.rank = like.rank;
    var.nested = like.nested;
    var.is_pointer = var.is_addr && like.is_pointer;
    var.is_string = like.type == ILC__IR_VOID;
    var.storage = var.is_string ? ILC_I32 : var.is_array || var.is_addr ? like.elem : storages[like.type];
    if (!var.is_addr && var.storage == ILC_VOID)
        var.storage = ILC_I32; /* null and nothing else: any element will do */
    var.name = ilc__arena_printf(l->func->arena, "S_%u", l->temp_count++);
    return ilc__ir_add_var(l->func, var);
}

ilc__ref ilc__lift_copy(ilc__lift *l, ilc__ref ref, uint32_t var)
{
    const ilc__ir_var *variable = &l->func->vars.items[var];
    ilc__ref           copy = ilc__lift_emit(l, ILC__OP_COPY, ilc__ir_var_type(variable), 1, ref, 0);
    l->func->values.items[copy].var = var;
    if (variable->is_array) l->func->values.items[copy].storage = variable->storage;
    return copy;
}

ilc_status ilc__lift_push_array(ilc__lift *l, ilc__ref ref, const ilc__ir_var *like)
{
    return ilc__lift_push(l, (ilc__lift_slot){.type = ILC__IR_REF, .ref = ref, .elem = like->storage, .rank = like->rank,
                                              .nested = like->nested, .layout = like->layout});
}

ilc_status ilc__lift_load_var(ilc__lift *l, uint32_t var)
{
    const ilc__ir_var *variable = &l->func->vars.items[var];
    ilc__ref           ref = l->vars[var];
    return ilc__lift_push(
        l, (ilc__lift_slot){.type = variable->is_string ? ILC__IR_VOID : l->func->values.items[ref].type,
                            .ref = ref,
                            .elem = variable->is_array || variable->is_addr ? variable->storage : ILC_VOID,
                            .rank = variable->rank,
                            .nested = variable->nested,
                            .layout = variable->layout,
                            .is_span = variable->is_span,
                            .is_pointer = variable->is_pointer});
}

/* The older version moves to a temporary variable where it is still on the stack (ir.h). */
static void spill_version(ilc__lift *l, uint32_t var)
{
    ilc__ref moved = 0, old = 0;
    for (uint32_t i = 0; i < l->depth; i++) {
        ilc__lift_slot *slot = &l->stack[i];
        if (!slot->ref || l->func->values.items[slot->ref].var != var) continue;
        if (slot->ref != old) {
            old = slot->ref;
            moved = ilc__lift_copy(l, old, ilc__lift_new_temp(l, *slot));
        }
        slot->ref = moved;
    }
}

ilc_status ilc__lift_store_var(ilc__lift *l, uint32_t var)
{
    ilc__lift_slot slot;
    ilc__ref       ref;
    ilc__ir_var    variable = l->func->vars.items[var];
    ILC__TRY(ilc__lift_pop(l, &slot));
    ILC__TRY(ilc__lift_coerce_var(l, slot, &variable, &ref));
    spill_version(l, var);
    l->vars[var] = ilc__lift_copy(l, ref, var);
    return ILC_OK;
}
