/* len.c - `ldlen; conv.i4`: a length always fits int32, so it is one, and is widened where it is not cut. */
#include "opt/edit.h"

static bool cuts_length(ilc__op op)
{
    return op == ILC__OP_I32_I64 || op == ILC__OP_OVF_I32_I64 || op == ILC__OP_OVF_I32_U64 ||
           op == ILC__OP_OVF_U32_I64 || op == ILC__OP_OVF_U32_U64;
}

static bool is_long_length(const ilc__ir_func *func, ilc__ref ref)
{
    return func->values.items[ref].op == ILC__OP_LEN && func->values.items[ref].type == ILC__IR_I64;
}

/* The lengths that are cut somewhere: map[cut] = length, and cut_lengths[length]. */
static bool find_cuts(ilc__ir_func *func, ilc__ref *map, bool *is_cut)
{
    bool any = false;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *value = &func->values.items[block->list.items[i]];
            if (!cuts_length(value->op) || value->var || !is_long_length(func, value->args[0])) continue;
            if (func->values.items[value->args[0]].var) continue;
            map[block->list.items[i]] = value->args[0];
            is_cut[value->args[0]] = any = true;
        }
    }
    return any;
}

bool ilc__pass_len(ilc__ir_func *func)
{
    ilc__ref *map = ilc__edit_map(func);
    uint32_t  count = func->values.count;
    bool     *is_cut = ILC__NEW_ARRAY(func->arena, bool, count), *drop = ILC__NEW_ARRAY(func->arena, bool, (size_t)count * 2);
    ilc__ref *wide = ILC__NEW_ARRAY(func->arena, ilc__ref, count);
    if (!find_cuts(func, map, is_cut)) return false;
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        for (uint32_t i = 0; i < func->blocks.items[b].list.count; i++) {
            ilc__ref ref = func->blocks.items[b].list.items[i];
            if (ref >= count || !is_cut[ref]) continue;
            ilc__ir_value widened = {.op = ILC__OP_I64_I32, .type = ILC__IR_I64, .arg_count = 1, .args = &ref,
                                     .il = func->values.items[ref].il, .has_il = func->values.items[ref].has_il};
            wide[ref] = ilc__ir_add(func, widened);
            ilc__edit_insert(func, b, i + 1, wide[ref]);
            func->values.items[ref].type = ILC__IR_I32;
        }
    }
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            ilc__ref       ref = block->list.items[i];
            ilc__ir_value *value = &func->values.items[ref];
            if (ref < count) drop[ref] = map[ref] != 0;
            if (ref >= count || map[ref]) continue; /* the widenings themselves, and the cuts */
            for (uint32_t k = 0; k < value->arg_count; k++) {
                ilc__ref arg = value->args[k];
                value->args[k] = arg >= count ? arg : map[arg] ? map[arg] : is_cut[arg] ? wide[arg] : arg;
            }
        }
    }
    ilc__edit_drop(func, drop);
    return true;
}
