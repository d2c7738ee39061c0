/* nonnull.c - which addresses cannot be null, and the tests of them that are not needed. A by-ref parameter
 * is null only where some caller of the unit passes what may be, a by-ref result where some return has one. */
#include "ir/ir.h"

enum { MAX_STEPS = 64 };

bool ilc__ir_is_nonnull(const ilc__ir_func *func, ilc__ref addr)
{
    for (int i = 0; i < MAX_STEPS; i++) {
        const ilc__ir_value *value = &func->values.items[addr];
        switch (value->op) {
        case ILC__OP_SLOTADDR:
        case ILC__OP_ELEMADDR: return true;
        case ILC__OP_PARAM: return !func->vars.items[value->var].is_pointer;
        case ILC__OP_ADDADDR:
        case ILC__OP_FIELDADDR:
        case ILC__OP_COPY: addr = value->args[0]; break;
        default: return false;
        }
    }
    return false;
}

/* Optimistic: a phi is not null when nothing that comes into it may be. */
static bool *find_nonnull(ilc__ir_func *func)
{
    bool *nonnull = ILC__NEW_ARRAY(func->arena, bool, func->values.count);
    memset(nonnull, true, func->values.count * sizeof *nonnull);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 0; b < func->blocks.count; b++)
            for (uint32_t i = 0; i < func->blocks.items[b].list.count; i++) {
                ilc__ref             ref = func->blocks.items[b].list.items[i];
                const ilc__ir_value *value = &func->values.items[ref];
                if (value->type != ILC__IR_ADDR || !nonnull[ref]) continue;
                bool holds = true;
                switch (value->op) {
                case ILC__OP_PARAM: holds = !func->vars.items[value->var].is_pointer; break;
                case ILC__OP_CONST: holds = false; break;
                case ILC__OP_SLOTADDR:
                case ILC__OP_ELEMADDR: break;
                case ILC__OP_CALL: holds = !value->u.callee->ret_null; break;
                case ILC__OP_PHI:
                case ILC__OP_COPY:
                case ILC__OP_FIELDADDR:
                case ILC__OP_ADDADDR:
                    for (uint32_t k = 0; k < value->arg_count; k++)
                        if (func->values.items[value->args[k]].type == ILC__IR_ADDR)
                            holds = holds && nonnull[value->args[k]];
                    break;
                default: holds = false; break;
                }
                if (!holds) nonnull[ref] = false, changed = true;
            }
    }
    return nonnull;
}

/* --- calls ------------------------------------------------------------------------------------------------
 */

static bool note_calls(ilc__ir_func *func, const bool *nonnull)
{
    bool changed = false;
    for (uint32_t b = 0; b < func->blocks.count; b++)
        for (uint32_t i = 0; i < func->blocks.items[b].list.count; i++) {
            const ilc__ir_value *value = &func->values.items[func->blocks.items[b].list.items[i]];
            if (value->op == ILC__OP_RETURN && func->ret_to && !func->ret_null && !nonnull[value->args[0]])
                func->ret_null = changed = true;
            if (value->op != ILC__OP_CALL) continue;
            ilc__ir_func *callee = (ilc__ir_func *)(uintptr_t)value->u.callee; /* of the unit being made */
            for (uint32_t k = 0; k < value->arg_count && k + 1 < callee->vars.count; k++) {
                ilc__ir_var *param = &callee->vars.items[k + 1];
                if (!param->is_addr || param->is_pointer || nonnull[value->args[k]]) continue;
                param->is_pointer = changed = true;
            }
        }
    return changed;
}

void ilc__ir_settle_nulls(ilc__ir_func *const *funcs, uint32_t count)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t f = 0; f < count; f++)
            changed |= note_calls(funcs[f], find_nonnull(funcs[f]));
    }
    for (uint32_t f = 0; f < count; f++)
        ilc__ir_drop_nonnull(funcs[f]);
}

/* --- tests ------------------------------------------------------------------------------------------------
 */

/* The nearest test of the address above this place, in blocks that dominate it. tested: address -> block + 1
 * of the first test that was kept. */
bool ilc__ir_drop_nonnull(ilc__ir_func *func)
{
    bool any = false, progress = false;
    for (uint32_t r = 1; r < func->values.count; r++)
        any = any || func->values.items[r].op == ILC__OP_NONNULL;
    if (!any) return false;
    if (!(func->analyses & ILC__ANALYSIS_CFG)) ilc__ir_compute_cfg(func);
    const bool *nonnull = find_nonnull(func);
    uint32_t   *tested = ILC__NEW_ARRAY(func->arena, uint32_t, func->values.count);
    for (uint32_t i = 0; i < func->order.count; i++) {
        ilc__ir_block *block = &func->blocks.items[func->order.items[i]];
        uint32_t       kept = 0;
        for (uint32_t k = 0; k < block->list.count; k++) {
            const ilc__ir_value *value = &func->values.items[block->list.items[k]];
            bool                 drop = false;
            if (value->op == ILC__OP_NONNULL) {
                uint32_t *at = &tested[value->args[0]];
                drop = nonnull[value->args[0]] || (*at && ilc__ir_dominates(func, *at - 1, block->id));
                if (!drop) *at = block->id + 1;
            }
            if (drop)
                progress = true;
            else
                block->list.items[kept++] = block->list.items[k];
        }
        block->list.count = kept;
    }
    return progress;
}
