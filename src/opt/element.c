/* element.c - reading and writing through the address of an array's element is reading and writing the
 * element: `y(i) += a` compiles to ldelema, ldind, stind. The check that ELEMADDR makes moves to the first
 * access, which must be the next effect; the checks of the others cannot fail then. */
#include "opt/edit.h"

static bool is_candidate(const ilc__ir_value *value)
{
    return value->op == ILC__OP_ELEMADDR && !value->layout && !value->var;
}

static bool accesses(const ilc__ir_value *value, ilc__ref addr)
{
    return (value->op == ILC__OP_LOADIND || value->op == ILC__OP_STOREIND) && value->args[0] == addr;
}

/* Is the next effect behind the address an access through it? */
static bool is_accessed_next(const ilc__ir_func *func, const ilc__ir_block *block, uint32_t index)
{
    for (uint32_t i = index + 1; i < block->list.count; i++) {
        const ilc__ir_value *value = &func->values.items[block->list.items[i]];
        if (accesses(value, block->list.items[index])) return true;
        if ((ilc__op_info_of(value->op)->flags & (ILC__OPF_EFFECT | ILC__OPF_TERMINATOR)) != 0) return false;
    }
    return false;
}

static bool reads_all(ilc__site *site, ilc__ref ref, const ilc__ir_value *addr)
{
    for (uint32_t i = 0; i < addr->arg_count; i++)
        if (!ilc__site_reads(site, ref, addr->args[i])) return false;
    return true;
}

/* The addresses that are only accessed through, where array and index can still be read. */
static bool *find_good(ilc__ir_func *func)
{
    ilc__site site;
    bool     *good = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count),
         *bad = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count);
    ilc__site_init(&site, func);
    for (site.block = 0; site.block < func->blocks.count; site.block++) {
        const ilc__ir_block *block = &func->blocks.items[site.block];
        for (site.index = 0; site.index < block->list.count; site.index++) {
            ilc__ref             ref = block->list.items[site.index];
            const ilc__ir_value *value = &func->values.items[ref];
            if (is_candidate(value) && is_accessed_next(func, block, site.index)) good[ref] = true;
            for (uint32_t k = 0; k < value->arg_count; k++) {
                const ilc__ir_value *addr = &func->values.items[value->args[k]];
                if (!is_candidate(addr)) continue;
                if (k || !accesses(value, value->args[0]) || !reads_all(&site, value->args[0], addr))
                    bad[value->args[k]] = true;
            }
        }
    }
    for (ilc__ref ref = 1; ref < func->values.count; ref++)
        good[ref] = good[ref] && !bad[ref];
    return good;
}

/* first: the access that makes the check, and so traps where the address was taken. */
static void access_element(ilc__ir_func *func, ilc__ir_value *value, const ilc__ir_value *addr, bool first)
{
    bool      loads = value->op == ILC__OP_LOADIND;
    uint32_t  count = addr->arg_count;
    ilc__ref *args = ILC__NEW_ARRAY(func->arena, ilc__ref, (size_t)count + 1);
    memcpy(args, addr->args, count * sizeof *args);
    if (!loads) args[count] = value->args[1];
    value->op = loads ? ILC__OP_LOAD : ILC__OP_STORE;
    value->arg_count = loads ? count : count + 1;
    value->args = args;
    if (!first || !addr->has_il) return;
    value->il = addr->il;
    value->has_il = true;
}

static bool has_candidate(const ilc__ir_func *func)
{
    for (ilc__ref ref = 1; ref < func->values.count; ref++)
        if (is_candidate(&func->values.items[ref])) return true;
    return false;
}

bool ilc__pass_element(ilc__ir_func *func)
{
    if (!has_candidate(func)) return false;
    bool *good = find_good(func), *seen = ILC__NEW_ARRAY(&func->ctx->scratch, bool, func->values.count),
         progress = false;
    for (uint32_t i = 0; i < func->order.count;
         i++) { /* the first access stands in the address's own block */
        const ilc__ir_block *block = &func->blocks.items[func->order.items[i]];
        for (uint32_t k = 0; k < block->list.count; k++) {
            ilc__ir_value *value = &func->values.items[block->list.items[k]];
            if (value->op != ILC__OP_LOADIND && value->op != ILC__OP_STOREIND) continue;
            ilc__ref addr = value->args[0];
            if (!good[addr]) continue;
            access_element(func, value, &func->values.items[addr], !seen[addr]);
            seen[addr] = progress = true;
        }
    }
    if (progress) ilc__edit_drop(func, good);
    return progress;
}
