/* tail.c - a function that returns what it calls itself for goes round again instead (the lifter says which calls do):
 * its parameters get new versions, its slots start anew, and the way leads back to behind the entry. */
#include "opt/edit.h"

/* Does the block return nothing, at once or by way of one that does only that? */
static bool returns_nothing(const ilc__ir_func *func, const ilc__ir_block *block)
{
    const ilc__ir_value *end = &func->values.items[ilc__ir_terminator(func, block->id)];
    if (end->op == ILC__OP_RETURN) return end->arg_count == 0;
    if (end->op != ILC__OP_JUMP) return false;
    const ilc__ir_block *to = &func->blocks.items[block->succs.items[0]];
    end = &func->values.items[to->list.items[0]];
    return end->op == ILC__OP_RETURN && end->arg_count == 0;
}

/* Where the call stands in its block whose value the block returns; UINT32_MAX where there is none. What lies
 * between the two has no effect, and nothing comes after. */
static uint32_t tail_call(const ilc__ir_func *func, const ilc__ir_block *block)
{
    const ilc__ir_value *end = &func->values.items[ilc__ir_terminator(func, block->id)];
    if (end->op != ILC__OP_RETURN && !returns_nothing(func, block)) return UINT32_MAX;
    ilc__ref result = end->op == ILC__OP_RETURN && end->arg_count ? end->args[0] : 0;
    while (result && func->values.items[result].op == ILC__OP_COPY)
        result = func->values.items[result].args[0];
    for (uint32_t i = block->list.count - 1; i-- > 0;) {
        ilc__ref             ref = block->list.items[i];
        const ilc__ir_value *value = &func->values.items[ref];
        if ((ilc__op_info_of(value->op)->flags & ILC__OPF_EFFECT) == 0) continue;
        bool fits = value->op == ILC__OP_CALL && value->again && (!result || result == ref);
        return fits ? i : UINT32_MAX;
    }
    return UINT32_MAX;
}

/* The entry keeps the parameters; all else goes to a block of its own. */
static uint32_t split_entry(ilc__ir_func *func)
{
    uint32_t       header = ilc__ir_add_block(func, func->blocks.items[0].il), kept = 0;
    ilc__ir_block *entry = &func->blocks.items[0], *h = &func->blocks.items[header];
    for (uint32_t i = 0; i < entry->list.count; i++) {
        ilc__ref ref = entry->list.items[i];
        if (func->values.items[ref].op == ILC__OP_PARAM)
            entry->list.items[kept++] = ref;
        else
            ilc__ir_append(func, header, ref);
    }
    entry->list.count = kept;
    for (uint32_t s = 0; s < entry->succs.count; s++) {
        ilc__ir_block *to = &func->blocks.items[entry->succs.items[s]];
        ILC__PUSH(func->arena, &h->succs, to->id);
        for (uint32_t i = 0; i < to->preds.count; i++)
            if (to->preds.items[i] == 0) to->preds.items[i] = header;
    }
    entry->succs.count = 0;
    ilc__ir_emit(func, 0, ILC__OP_JUMP, ILC__IR_VOID, 0, NULL);
    ilc__ir_connect(func, 0, header);
    return header;
}

/* Each parameter is a phi there, which stands for it everywhere. phis: by variable. */
static ilc__ref *add_phis(ilc__ir_func *func, uint32_t header)
{
    ilc__ref *phis = ILC__NEW_ARRAY(func->arena, ilc__ref, (size_t)func->param_count + 1);
    ilc__ref *map = ILC__NEW_ARRAY(func->arena, ilc__ref, (size_t)func->values.count + func->param_count);
    uint32_t  count = func->blocks.items[0].list.count - 1;
    for (uint32_t i = 0; i < count; i++) {
        ilc__ref      param = func->blocks.items[0].list.items[i];
        ilc__ir_value phi = func->values.items[param];
        phi.op = ILC__OP_PHI;
        phi.has_il = false;
        map[param] = phis[phi.var] = ilc__ir_add(func, phi);
        ilc__edit_insert(func, header, i, phis[phi.var]);
    }
    ilc__edit_apply(func, map);
    for (uint32_t i = 0; i < count; i++) {
        ilc__ref param = func->blocks.items[0].list.items[i];
        ilc__edit_add_phi_arg(func, phis[func->values.items[param].var], param);
    }
    return phis;
}

static ilc__ref add_copy(ilc__ir_func *func, uint32_t block, ilc__ref from, uint32_t var,
                         const ilc__ir_value *call)
{
    ilc__ref       ref = ilc__ir_emit(func, block, ILC__OP_COPY, func->values.items[from].type, 1, &from);
    ilc__ir_value *copy = &func->values.items[ref];
    copy->var = var;
    if (func->vars.items[var].is_array) copy->storage = func->vars.items[var].storage;
    copy->il = call->il;
    copy->has_il = call->has_il;
    return ref;
}

static ilc__ref slot_addr(ilc__ir_func *func, uint32_t block, uint32_t slot)
{
    ilc__ref ref = ilc__ir_emit(func, block, ILC__OP_SLOTADDR, ILC__IR_ADDR, 0, NULL);
    func->values.items[ref].u.slot = slot;
    return ref;
}

static void store_slot(ilc__ir_func *func, uint32_t block, uint32_t slot, ilc__ref value)
{
    ilc_storage storage = func->slots.items[slot].storage;
    ilc__ref    args[] = {slot_addr(func, block, slot), value};
    ilc__ref    ref = ilc__ir_emit(func, block, ILC__OP_STOREIND, ILC__IR_VOID, 2, args);
    func->values.items[ref].storage = storage;
}

/* As at the entry: the parameters in memory have the arguments, all else there is zero. A struct's argument is a copy in
 * a temporary slot of its own, so the parameters come first. */
static void restart_slots(ilc__ir_func *func, uint32_t block, const ilc__ref *temps, bool params)
{
    for (uint32_t s = 1; s < func->slots.count; s++) {
        const ilc__ir_slot *slot = &func->slots.items[s];
        if (slot->is_param != params) continue;
        if (slot->is_param && slot->layout) {
            ilc__ref args[] = {slot_addr(func, block, s), temps[slot->slot]};
            ilc__ref copy = ilc__ir_emit(func, block, ILC__OP_COPYMEM, ILC__IR_VOID, 2, args);
            func->values.items[copy].layout = func->slots.items[s].layout;
        } else if (slot->is_param) {
            store_slot(func, block, s, temps[slot->slot]);
        } else if (slot->layout) {
            ilc__ref addr = slot_addr(func, block, s);
            ilc__ref zero = ilc__ir_emit(func, block, ILC__OP_ZEROMEM, ILC__IR_VOID, 1, &addr);
            func->values.items[zero].layout = func->slots.items[s].layout;
        } else {
            ilc__ref zero = ilc__ir_const(func, ilc__storage_ir_type(slot->storage), 0);
            ilc__ir_append(func, block, zero);
            store_slot(func, block, s, zero);
        }
    }
}

/* The arguments are all computed before the first parameter changes. */
static void go_round(ilc__ir_func *func, uint32_t block, uint32_t place, uint32_t header,
                     const ilc__ref *phis)
{
    ilc__ir_value call = func->values.items[func->blocks.items[block].list.items[place]];
    ilc__ref     *temps = ILC__NEW_ARRAY(func->arena, ilc__ref, call.arg_count);
    if (func->blocks.items[block].succs.count) ilc__edit_cut(func, block, 0);
    func->blocks.items[block].list.count = place;
    for (uint32_t i = 0; i < call.arg_count; i++) {
        ilc__ir_var temp = func->vars.items[i + 1];
        temps[i] = call.args[i];
        if (temp.layout && !temp.is_addr) continue;
        temp.is_param = temp.is_named = false;
        temp.is_temp = true;
        temp.name = ilc__arena_printf(func->arena, "S_%u", func->vars.count);
        temps[i] = add_copy(func, block, call.args[i], ilc__ir_add_var(func, temp), &call);
    }
    for (uint32_t i = 0; i < call.arg_count; i++)
        if (phis[i + 1])
            ilc__edit_add_phi_arg(func, phis[i + 1], add_copy(func, block, temps[i], i + 1, &call));
    restart_slots(func, block, temps, true);
    restart_slots(func, block, temps, false);
    ilc__ir_emit(func, block, ILC__OP_JUMP, ILC__IR_VOID, 0, NULL);
    ilc__ir_connect(func, block, header);
}

bool ilc__pass_tail(ilc__ir_func *func)
{
    uint32_t  header = 0, count = func->blocks.count;
    ilc__ref *phis = NULL;
    /* an entry that does nothing else is an intrinsic of the framework's, whose body says only its name */
    if (tail_call(func, &func->blocks.items[0]) != UINT32_MAX) return false;
    for (uint32_t b = 1; b < count; b++) {
        if (tail_call(func, &func->blocks.items[b]) == UINT32_MAX) continue;
        if (!header) {
            header = split_entry(func);
            phis = add_phis(func, header);
        }
        go_round(func, b, tail_call(func, &func->blocks.items[b]), header, phis);
    }
    return header != 0;
}
