/* dead.c - takes out values that nothing needs. What may raise an exception, stores or leaves is needed;
 * reading through an address, which is always valid, or where no check can fail, is none of these. */
#include "opt/edit.h"

static bool is_root(const ilc__ir_func *func, ilc__ref ref)
{
    const ilc__ir_value *value = &func->values.items[ref];
    if (value->op == ILC__OP_LOADIND) return false;
    if (value->op == ILC__OP_NEWARR) return ilc__ir_value_traps(func, ref);
    if (value->safe && value->op != ILC__OP_STORE) return false; /* a read without a check */
    uint32_t flags = ilc__op_info_of(value->op)->flags;
    return value->op == ILC__OP_PARAM || value->op == ILC__OP_CALL ||
           (flags & (ILC__OPF_EFFECT | ILC__OPF_TERMINATOR)) != 0;
}

bool ilc__pass_dead(ilc__ir_func *func)
{
    bool     *drop = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count);
    ilc__ref *work = ILC__NEW_ARRAY(&func->ctx->scratch, ilc__ref, func->values.count);
    uint32_t  depth = 0, listed = 0, needed = 0;
    memset(drop, 1, func->values.count);
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        listed += block->list.count;
        for (uint32_t i = 0; i < block->list.count; i++) {
            ilc__ref ref = block->list.items[i];
            if (!is_root(func, ref)) continue;
            drop[ref] = false;
            work[depth++] = ref;
            needed++;
        }
    }
    while (depth) {
        const ilc__ir_value *value = &func->values.items[work[--depth]];
        for (uint32_t k = 0; k < value->arg_count; k++) {
            if (!drop[value->args[k]]) continue;
            drop[value->args[k]] = false;
            work[depth++] = value->args[k];
            needed++;
        }
    }
    if (needed == listed) return false;
    ilc__edit_drop(func, drop);
    return true;
}
