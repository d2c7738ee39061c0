/* lift_result.c - by-ref results (docs/memory.md): what a method returns the address of must outlive it, so it comes
 * from its arguments. */
#include "ir/lift.h"

/* What an address or array is made of; false when that may be memory of the frame. */
static bool is_of_caller(const ilc__ir_func *f, ilc__ref ref, bool *seen)
{
    ILC__VEC(ilc__ref) work = {0};
    ILC__PUSH(f->arena, &work, ref);
    while (work.count) {
        ilc__ref             at = work.items[--work.count];
        const ilc__ir_value *value = &f->values.items[at];
        if (seen[at]) continue;
        seen[at] = true;
        if (value->op == ILC__OP_SLOTADDR || value->op == ILC__OP_NEWARR) return false;
        for (uint32_t k = 0; k < value->arg_count; k++) {
            ilc__ir_type type = f->values.items[value->args[k]].type;
            if (type == ILC__IR_ADDR || type == ILC__IR_REF) ILC__PUSH(f->arena, &work, value->args[k]);
        }
    }
    return true;
}

ilc_status ilc__lift_check_results(ilc__lift *l)
{
    const ilc__ir_func *f = l->func;
    if (!f->ret_to) return ILC_OK;
    bool *seen = ILC__NEW_ARRAY(f->arena, bool, f->values.count);
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        const ilc__ir_block *block = &f->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *value = &f->values.items[block->list.items[i]];
            if (value->op != ILC__OP_RETURN || is_of_caller(f, value->args[0], seen)) continue;
            l->insn = &l->body.insns[l->body.index[value->il]];
            return ilc__lift_refuse(l, ILC_UNSUPPORTED, "ret of the address of something that ends with the method");
        }
    }
    return ILC_OK;
}
