/* lift_memory.c - addresses: which locals and arguments are slots, ldloca, ldarga, ldelema, ldind, stind and
 * what a token makes the same (ldobj, stobj, initobj, cpobj), sizeof. Structs and fields are in
 * lift_struct.c. */
#include "ir/lift.h"

#include "il/decode.h"

/* --- slots ---------------------------------------------------------------------------------------------- */

static bool takes_address(ilc__opcode op)
{
    return op == ILC__IL_LDLOCA || op == ILC__IL_LDLOCA_S || op == ILC__IL_LDARGA || op == ILC__IL_LDARGA_S;
}

/* Whose address is taken, and where each local is named first. */
static void scan_uses(ilc__lift *l, bool *local_taken, bool *arg_taken)
{
    for (uint32_t b = 0; b < l->block_count; b++) {
        if (!l->blocks[b].reachable) continue;
        for (uint32_t i = l->blocks[b].first; i < l->blocks[b].end; i++) {
            const ilc__insn *insn = &l->body.insns[i];
            ilc__variable    kind = ilc__opcode_variable(insn->op);
            uint64_t         number = (uint64_t)insn->u.i;
            if (kind == ILC__VARIABLE_NONE ||
                number >= (kind == ILC__VARIABLE_ARG ? l->arg_count : l->body.local_count))
                continue;
            if (takes_address(insn->op))
                *(kind == ILC__VARIABLE_ARG ? &arg_taken[number] : &local_taken[number]) = true;
            if (kind == ILC__VARIABLE_ARG) continue;
            if (insn->offset < l->first_use[number]) l->first_use[number] = insn->offset;
        }
    }
}

/* A struct, or a scalar whose address is taken. */
static ilc_status make_local_slot(ilc__lift *l, uint32_t local, bool taken)
{
    const ilc__type *type = l->body.locals[local];
    ilc__ir_slot     slot = {.slot = local, .storage = ilc__type_storage(type)};
    if (ilc__type_span(type)) return ILC_OK; /* a variable */
    if (ilc__type_is_struct(type)) {
        ilc__where where = ilc__method_where(l->method, l->first_use[local]);
        slot.storage = ILC_VOID;
        ILC__TRY(ilc__layout_of(l->unit->layouts, type, &where, &slot.layout));
    } else if (!taken || slot.storage == ILC_STORAGE_COUNT || slot.storage == ILC_VOID) {
        return ILC_OK;
    }
    slot.name = ilc__arena_printf(l->func->arena, "V_%u", local);
    l->local_slots[local] = ilc__ir_add_slot(l->func, slot);
    return ILC_OK;
}

ilc_status ilc__lift_make_slots(ilc__lift *l)
{
    uint32_t locals = l->body.local_count;
    l->arg_count = ilc__lift_arg_count(l->func);
    l->arg_slots = ILC__NEW_ARRAY(l->arena, uint32_t, l->arg_count);
    l->local_slots = ILC__NEW_ARRAY(l->arena, uint32_t, locals);
    l->first_use = ILC__NEW_ARRAY(l->arena, uint32_t, locals);
    if (locals) memset(l->first_use, 0xff, locals * sizeof *l->first_use);
    bool *local_taken = ILC__NEW_ARRAY(l->arena, bool, locals),
         *arg_taken = ILC__NEW_ARRAY(l->arena, bool, l->arg_count);
    scan_uses(l, local_taken, arg_taken);
    for (uint32_t i = 0; i < l->arg_count; i++) {
        const ilc__ir_var *var = &l->func->vars.items[1 + i];
        bool               scalar = !var->is_array && !var->is_addr && !var->layout;
        if (var->is_addr || var->is_array || (!var->layout && !(scalar && arg_taken[i]))) continue;
        l->arg_slots[i] = ilc__ir_add_slot(l->func, (ilc__ir_slot){.name = var->name,
                                                                   .storage = var->storage,
                                                                   .layout = var->layout,
                                                                   .is_param = true,
                                                                   .is_named = var->is_named,
                                                                   .slot = var->slot});
    }
    for (uint32_t i = 0; i < locals; i++) {
        bool pinned = l->body.pinned && l->body.pinned[i];
        if (l->first_use[i] != UINT32_MAX && !pinned) ILC__TRY(make_local_slot(l, i, local_taken[i]));
    }
    return ILC_OK;
}

uint32_t ilc__lift_named_slot(const ilc__lift *l, const ilc__insn *insn)
{
    ilc__variable kind = ilc__opcode_variable(insn->op);
    uint64_t      number = (uint64_t)insn->u.i;
    if (kind == ILC__VARIABLE_NONE) return 0;
    if (kind == ILC__VARIABLE_ARG) return number < l->arg_count ? l->arg_slots[number] : 0;
    return number < l->body.local_count ? l->local_slots[number] : 0;
}

/* --- addresses ------------------------------------------------------------------------------------------ */

ilc__ref ilc__lift_slot_addr(ilc__lift *l, uint32_t slot)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_SLOTADDR, ILC__IR_ADDR, 0, 0, 0);
    l->func->values.items[ref].u.slot = slot;
    return ref;
}

ilc_status ilc__lift_push_addr(ilc__lift *l, ilc__ref ref, ilc_storage elem, const ilc__layout *layout)
{
    return ilc__lift_push(
        l, (ilc__lift_slot){
               .type = ILC__IR_ADDR, .ref = ref, .elem = layout ? ILC_VOID : elem, .layout = layout});
}

static ilc_status push_pointee_addr(ilc__lift *l, ilc__ref ref, ilc__pointee what)
{
    return ilc__lift_push_addr(l, ref, what.storage, what.layout);
}

ilc_status ilc__lift_pop_addr(ilc__lift *l, ilc__lift_slot *out)
{
    ILC__TRY(ilc__lift_pop(l, out));
    if (out->type == ILC__IR_ADDR && !out->is_struct) return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s through %s", ilc__opcode_name(l->insn->op),
                            ilc__lift_slot_name(l, *out));
}

static const char *pointee_name(ilc__pointee what)
{
    return what.layout ? what.layout->name : ilc_storage_name(what.storage);
}

ilc_status ilc__lift_coerce_addr(ilc__lift *l, ilc__lift_slot slot, const ilc__ir_var *param, ilc__ref *out)
{
    *out = slot.ref;
    bool is_addr = slot.type == ILC__IR_ADDR && !slot.is_struct;
    if (is_addr && slot.layout == param->layout && (slot.layout || slot.elem == param->storage))
        return ILC_OK;
    ilc__pointee have = {.storage = slot.elem, .layout = slot.layout},
                 want = {.storage = param->storage, .layout = param->layout};
    if (ilc__lift_to_pointer(l, slot, want, out)) return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s%s%s as the address of a %s",
                            ilc__opcode_name(l->insn->op), ilc__lift_slot_name(l, slot),
                            is_addr ? " of a " : "", is_addr ? pointee_name(have) : "", pointee_name(want));
}

static bool is_float(ilc_storage storage)
{
    return storage == ILC_F32 || storage == ILC_F64;
}

/* May what is kept as one type be read and written as another? Then they differ in signedness at most. */
static ilc_status check_access(ilc__lift *l, const ilc__lift_slot *addr, ilc_storage access)
{
    bool fits = !addr->layout && ilc_storage_size(addr->elem) == ilc_storage_size(access) &&
                is_float(addr->elem) == is_float(access);
    ilc__pointee have = {.storage = addr->elem, .layout = addr->layout};
    if (fits) return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s on the address of a %s", ilc__opcode_name(l->insn->op),
                            pointee_name(have));
}

/* --- reading and writing -------------------------------------------------------------------------------- */

static ilc__ref load(ilc__lift *l, ilc__ref addr, ilc_storage storage)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_LOADIND, ilc__storage_ir_type(storage), 1, addr, 0);
    l->func->values.items[ref].storage = storage;
    return ref;
}

static void store(ilc__lift *l, ilc__ref addr, ilc_storage storage, ilc__ref value)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_STOREIND, ILC__IR_VOID, 2, addr, value);
    l->func->values.items[ref].storage = storage;
}

ilc_status ilc__lift_push_at(ilc__lift *l, ilc__ref addr, ilc__pointee what)
{
    if (!what.layout) return ilc__lift_push_ref(l, load(l, addr, what.storage));
    ilc__ref temp = ilc__lift_slot_addr(l, ilc__lift_new_temp_slot(l, what.layout));
    ilc__lift_copy_struct(l, temp, addr, what.layout);
    return ilc__lift_push_struct(l, temp, what.layout);
}

ilc_status ilc__lift_keep_at(ilc__lift *l, ilc__ref addr, ilc__pointee what, ilc__lift_slot value)
{
    ilc__ref ref;
    if (what.layout) {
        ILC__TRY(ilc__lift_check_struct(l, value, what.layout));
        ilc__lift_copy_struct(l, addr, value.ref, what.layout);
        return ILC_OK;
    }
    /* the store itself cuts to the width */
    ILC__TRY(
        ilc__lift_coerce(l, value, ilc_storage_size(what.storage) < 4 ? ILC_I32 : what.storage, &ref));
    store(l, addr, what.storage, ref);
    return ILC_OK;
}

ilc_status ilc__lift_load_slot(ilc__lift *l, uint32_t slot)
{
    ilc__ref addr = ilc__lift_slot_addr(l, slot);
    return ilc__lift_push_at(l, addr, ilc__ir_pointee(l->func, addr));
}

ilc_status ilc__lift_store_slot(ilc__lift *l, uint32_t slot)
{
    ilc__lift_slot value;
    ILC__TRY(ilc__lift_pop(l, &value));
    ilc__ref addr = ilc__lift_slot_addr(l, slot);
    return ilc__lift_keep_at(l, addr, ilc__ir_pointee(l->func, addr), value);
}

/* --- instructions --------------------------------------------------------------------------------------- */

typedef enum shape { NONE, ADDRESS, ELEMENT, LOAD, STORE, ZERO, COPY, SIZE } shape;

static shape shape_of(ilc__opcode op)
{
    switch (op) {
    case ILC__IL_LDLOCA:
    case ILC__IL_LDLOCA_S:
    case ILC__IL_LDARGA:
    case ILC__IL_LDARGA_S: return ADDRESS;
    case ILC__IL_LDELEMA: return ELEMENT;
    case ILC__IL_LDIND_I1:
    case ILC__IL_LDIND_U1:
    case ILC__IL_LDIND_I2:
    case ILC__IL_LDIND_U2:
    case ILC__IL_LDIND_I4:
    case ILC__IL_LDIND_U4:
    case ILC__IL_LDIND_I8:
    case ILC__IL_LDIND_I:
    case ILC__IL_LDIND_R4:
    case ILC__IL_LDIND_R8:
    case ILC__IL_LDOBJ: return LOAD;
    case ILC__IL_STIND_I1:
    case ILC__IL_STIND_I2:
    case ILC__IL_STIND_I4:
    case ILC__IL_STIND_I8:
    case ILC__IL_STIND_I:
    case ILC__IL_STIND_R4:
    case ILC__IL_STIND_R8:
    case ILC__IL_STOBJ: return STORE;
    case ILC__IL_INITOBJ: return ZERO;
    case ILC__IL_CPOBJ: return COPY;
    case ILC__IL_SIZEOF: return SIZE;
    default: return NONE;
    }
}

bool ilc__lift_is_memory(ilc__opcode op)
{
    return shape_of(op) != NONE;
}

ilc_status ilc__lift_token_type(ilc__lift *l, ilc__pointee *out)
{
    const ilc__type *type;
    out->layout = NULL;
    ILC__TRY(ilc__body_type(&l->body, l->insn, &type));
    out->storage = ilc__type_storage(type);
    if (out->storage != ILC_STORAGE_COUNT && out->storage != ILC_VOID) return ILC_OK;
    if (!ilc__type_is_struct(type))
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s", ilc__opcode_name(l->insn->op), type->name);
    ilc__where where = ilc__method_where(l->method, l->insn->offset);
    out->storage = ILC_VOID;
    return ilc__layout_of(l->unit->layouts, type, &where, &out->layout);
}

/* What the instruction says it reads or writes; its token may name a struct. */
static ilc_status accessed(ilc__lift *l, ilc__pointee *out)
{
    out->layout = NULL;
    switch (l->insn->op) {
    case ILC__IL_LDIND_I1:
    case ILC__IL_STIND_I1: out->storage = ILC_I8; return ILC_OK;
    case ILC__IL_LDIND_U1: out->storage = ILC_U8; return ILC_OK;
    case ILC__IL_LDIND_I2:
    case ILC__IL_STIND_I2: out->storage = ILC_I16; return ILC_OK;
    case ILC__IL_LDIND_U2: out->storage = ILC_U16; return ILC_OK;
    case ILC__IL_LDIND_I4:
    case ILC__IL_STIND_I4: out->storage = ILC_I32; return ILC_OK;
    case ILC__IL_LDIND_U4: out->storage = ILC_U32; return ILC_OK;
    case ILC__IL_LDIND_I8:
    case ILC__IL_STIND_I8: out->storage = ILC_I64; return ILC_OK;
    case ILC__IL_LDIND_I:
    case ILC__IL_STIND_I: out->storage = ILC_INT; return ILC_OK;
    case ILC__IL_LDIND_R4:
    case ILC__IL_STIND_R4: out->storage = ILC_F32; return ILC_OK;
    case ILC__IL_LDIND_R8:
    case ILC__IL_STIND_R8: out->storage = ILC_F64; return ILC_OK;
    default: return ilc__lift_token_type(l, out);
    }
}

/* The address of what the instruction says, on top of the stack. */
static ilc_status pop_place(ilc__lift *l, ilc__pointee access, ilc__lift_slot *out)
{
    ILC__TRY(ilc__lift_pop_addr(l, out));
    bool same = access.layout ? access.layout == out->layout : !out->layout && out->elem == access.storage;
    if (out->is_pointer && !same) {
        out->ref = ilc__lift_retype(l, out->ref, access);
        out->elem = access.storage;
        out->layout = access.layout;
    }
    ilc__lift_test_null(l, out->ref);
    if (!access.layout) return check_access(l, out, access.storage);
    if (out->layout == access.layout) return ILC_OK;
    ilc__pointee have = {.storage = out->elem, .layout = out->layout};
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s on the address of a %s",
                            ilc__opcode_name(l->insn->op), access.layout->name, pointee_name(have));
}

static ilc_status lift_address(ilc__lift *l)
{
    uint32_t slot = ilc__lift_named_slot(l, l->insn);
    uint64_t number = (uint64_t)l->insn->u.i;
    bool     is_arg = ilc__opcode_variable(l->insn->op) == ILC__VARIABLE_ARG;
    if (slot) {
        ilc__ref ref = ilc__lift_slot_addr(l, slot);
        return push_pointee_addr(l, ref, ilc__ir_pointee(l->func, ref));
    }
    bool     writes;
    uint32_t var = ilc__lift_variable(l, l->insn, &writes);
    if (var && l->func->vars.items[var].is_span)
        return ilc__lift_push(l, (ilc__lift_slot){.type = ILC__IR_ADDR, .is_struct = true, .span_var = var});
    if (number >= (is_arg ? l->arg_count : l->body.local_count))
        return ilc__lift_refuse(l, ILC_FORMAT, "%s of a variable that does not exist",
                                ilc__opcode_name(l->insn->op));
    return ilc__lift_refuse(l, ILC_UNSUPPORTED,
                            "%s of an array, a by-ref or another variable that cannot be in memory",
                            ilc__opcode_name(l->insn->op));
}

ilc_status ilc__lift_element_of(ilc__lift *l, ilc__lift_slot array, ilc__lift_slot index, const ilc__layout *layout,
                                ilc__ref *out)
{
    if (array.type != ILC__IR_REF || (index.type != ILC__IR_I32 && index.type != ILC__IR_I64) ||
        array.rank > 1 || array.nested || (!ilc__lift_is_null(&array) && array.layout != layout))
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of %s with %s as index", ilc__opcode_name(l->insn->op),
                                ilc__lift_slot_name(l, array), ilc__lift_slot_name(l, index));
    *out = ilc__lift_emit(l, ILC__OP_ELEMADDR, ILC__IR_ADDR, 2, array.ref, index.ref);
    l->func->values.items[*out].layout = layout;
    return ILC_OK;
}

static ilc_status lift_element(ilc__lift *l)
{
    ilc__lift_slot index, array;
    ilc__pointee   access;
    ilc__ref       ref = 0;
    ILC__TRY(accessed(l, &access));
    ILC__TRY(ilc__lift_pop(l, &index));
    ILC__TRY(ilc__lift_pop(l, &array));
    ILC__TRY(ilc__lift_element_of(l, array, index, access.layout, &ref));
    if (access.layout) return ilc__lift_push_addr(l, ref, ILC_VOID, access.layout);
    ilc_storage elem = array.elem == ILC_VOID ? access.storage : array.elem;
    if (ilc_storage_size(elem) != ilc_storage_size(access.storage) ||
        is_float(elem) != is_float(access.storage))
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "ldelema on an array of %s", ilc_storage_name(elem));
    l->func->values.items[ref].storage = elem;
    return ilc__lift_push_addr(l, ref, elem, NULL);
}

static ilc_status lift_load(ilc__lift *l)
{
    ilc__pointee   access;
    ilc__lift_slot addr, loaded = {0};
    ILC__TRY(accessed(l, &access));
    ILC__TRY(pop_place(l, access, &addr));
    if (access.layout) return ilc__lift_push_at(l, addr.ref, access);
    loaded.type = ilc__storage_ir_type(addr.elem);
    ilc__ref ref = loaded.ref = load(l, addr.ref, addr.elem);
    /* ldind.i1 of a byte reads it as signed; it says what it reads, the address how it is kept */
    if (access.storage != addr.elem && ilc_storage_size(addr.elem) < 4)
        ILC__TRY(ilc__lift_coerce(l, loaded, access.storage, &ref));
    return ilc__lift_push_ref(l, ref);
}

static ilc_status lift_store(ilc__lift *l)
{
    ilc__pointee   access;
    ilc__lift_slot addr, value;
    ILC__TRY(accessed(l, &access));
    ILC__TRY(ilc__lift_pop(l, &value));
    ILC__TRY(pop_place(l, access, &addr));
    /* int32 into 64 bits: CoreCLR stores what the register's upper half held */
    if (value.type == ILC__IR_I32 && ilc_storage_size(access.storage) == 8 && !is_float(access.storage))
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of int32", ilc__opcode_name(l->insn->op));
    return ilc__lift_keep_at(l, addr.ref, (ilc__pointee){.storage = addr.elem, .layout = addr.layout}, value);
}

static ilc_status lift_zero(ilc__lift *l)
{
    ilc__pointee   access;
    ilc__lift_slot addr;
    ILC__TRY(accessed(l, &access));
    ILC__TRY(pop_place(l, access, &addr));
    if (access.layout)
        ilc__lift_zero_struct(l, addr.ref, access.layout);
    else
        store(l, addr.ref, addr.elem, ilc__lift_const(l, ilc__storage_ir_type(addr.elem), 0));
    return ILC_OK;
}

static ilc_status lift_copy(ilc__lift *l)
{
    ilc__pointee   access;
    ilc__lift_slot from, to;
    ILC__TRY(accessed(l, &access));
    ILC__TRY(pop_place(l, access, &from));
    ILC__TRY(pop_place(l, access, &to));
    if (access.layout)
        ilc__lift_copy_struct(l, to.ref, from.ref, access.layout);
    else
        store(l, to.ref, to.elem, load(l, from.ref, from.elem));
    return ILC_OK;
}

static ilc_status lift_sizeof(ilc__lift *l)
{
    ilc__pointee what;
    ILC__TRY(accessed(l, &what));
    return ilc__lift_push_ref(
        l, ilc__lift_const(l, ILC__IR_I32, what.layout ? what.layout->size : ilc_storage_size(what.storage)));
}

ilc_status ilc__lift_memory(ilc__lift *l)
{
    if (ilc__lift_is_span_place(l)) return ilc__lift_span_place(l);
    switch (shape_of(l->insn->op)) {
    case ADDRESS: return lift_address(l);
    case ELEMENT: return lift_element(l);
    case LOAD: return lift_load(l);
    case STORE: return lift_store(l);
    case ZERO: return lift_zero(l);
    case COPY: return lift_copy(l);
    default: return lift_sizeof(l);
    }
}
