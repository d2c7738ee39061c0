/* lift_pointer.c - unmanaged pointers (docs/memory.md): addresses made of addresses and integers, compares,
 * null, cpblk and initblk. An address becomes an integer for a compare or a difference only. */
#include "ir/lift.h"

static bool is_address(const ilc__lift_slot *slot)
{
    return slot->type == ILC__IR_ADDR && !slot->is_struct;
}

bool ilc__lift_has_address(const ilc__lift *l)
{
    return l->depth >= 2 && (is_address(&l->stack[l->depth - 1]) || is_address(&l->stack[l->depth - 2]));
}

/* 0 as an ldc made it, or converted (`ldc.i4.0; conv.u` is C#'s null pointer). */
static bool is_zero(const ilc__lift *l, ilc__lift_slot slot)
{
    if (slot.type != ILC__IR_I32 && slot.type != ILC__IR_I64) return false;
    const ilc__ir_value *value = &l->func->values.items[slot.ref];
    if (value->op == ILC__OP_I64_U32 || value->op == ILC__OP_I64_I32)
        value = &l->func->values.items[value->args[0]];
    return value->op == ILC__OP_CONST && value->u.bits == 0;
}

/* --- making addresses -------------------------------------------------------------------------------------
 */

static ilc__ref null_addr(ilc__lift *l, ilc__pointee what)
{
    ilc__ref ref = ilc__lift_const(l, ILC__IR_ADDR, 0);
    l->func->values.items[ref].storage = what.storage;
    l->func->values.items[ref].layout = what.layout;
    return ref;
}

static ilc__ref move(ilc__lift *l, ilc__ref addr, ilc__ref bytes, ilc__pointee what)
{
    ilc__ref ref = ilc__lift_emit(l, ILC__OP_ADDADDR, ILC__IR_ADDR, 2, addr, bytes);
    if (!what.layout) l->func->values.items[ref].storage = what.storage;
    l->func->values.items[ref].layout = what.layout;
    return ref;
}

ilc__ref ilc__lift_retype(ilc__lift *l, ilc__ref addr, ilc__pointee what)
{
    return move(l, addr, ilc__lift_const(l, ILC__IR_I64, 0), what);
}

bool ilc__lift_to_pointer(ilc__lift *l, ilc__lift_slot slot, ilc__pointee want, ilc__ref *out)
{
    if (is_address(&slot) && slot.is_pointer)
        *out = ilc__lift_retype(l, slot.ref, want);
    else if (is_zero(l, slot))
        *out = null_addr(l, want);
    else
        return false;
    return true;
}

/* --- arithmetic and compares ------------------------------------------------------------------------------
 */

static ilc__ref number_of(ilc__lift *l, ilc__ref addr)
{
    return ilc__lift_emit(l, ILC__OP_ADDRINT, ILC__IR_I64, 1, addr, 0);
}

/* int32 beside a native int is widened by its sign. */
static bool bytes_of(ilc__lift *l, ilc__lift_slot slot, ilc__ref *out)
{
    if (slot.type != ILC__IR_I32 && slot.type != ILC__IR_I64) return false;
    const ilc__ir_value *value = &l->func->values.items[slot.ref];
    if (slot.type == ILC__IR_I32 && value->op == ILC__OP_CONST)
        *out = ilc__lift_const(l, ILC__IR_I64, value->u.bits);
    else
        *out = ilc__lift_widen(l, slot, ILC__IR_I64);
    return true;
}

ilc_status ilc__lift_address_arithmetic(ilc__lift *l, ilc__op like)
{
    ilc__lift_slot b = l->stack[--l->depth], a = l->stack[--l->depth];
    ilc__ref       bytes;
    if (like == ILC__OP_SUB_I32 && is_address(&a) && is_address(&b)) {
        ilc__ref from = number_of(l, a.ref), less = number_of(l, b.ref);
        return ilc__lift_push_ref(l, ilc__lift_emit(l, ILC__OP_SUB_I64, ILC__IR_I64, 2, from, less));
    }
    bool turned = like == ILC__OP_ADD_I32 && is_address(&b);
    if (turned) {
        ilc__lift_slot swap = a;
        a = b, b = swap;
    }
    if ((like != ILC__OP_ADD_I32 && like != ILC__OP_SUB_I32) || !is_address(&a) || !bytes_of(l, b, &bytes))
        return turned ? ilc__lift_refuse_pair(l, b, a) : ilc__lift_refuse_pair(l, a, b);
    if (like == ILC__OP_SUB_I32) {
        ilc__ref zero = ilc__lift_const(l, ILC__IR_I64, 0);
        bytes = ilc__lift_emit(l, ILC__OP_SUB_I64, ILC__IR_I64, 2, zero, bytes);
    }
    a.ref = move(l, a.ref, bytes, (ilc__pointee){.storage = a.elem, .layout = a.layout});
    a.is_pointer = true;
    return ilc__lift_push(l, a);
}

static bool comparable(ilc__lift *l, ilc__lift_slot slot, ilc__ref *out)
{
    if (is_address(&slot))
        *out = number_of(l, slot.ref);
    else if (is_zero(l, slot))
        *out = ilc__lift_const(l, ILC__IR_I64, 0);
    else
        return false;
    return true;
}

ilc_status ilc__lift_address_compare(ilc__lift *l, ilc__op wide, ilc__ref *out)
{
    ilc__lift_slot b = l->stack[--l->depth], a = l->stack[--l->depth];
    ilc__ref       x, y;
    if (!wide || !comparable(l, a, &x) || !comparable(l, b, &y)) return ilc__lift_refuse_pair(l, a, b);
    *out = ilc__lift_emit(l, wide, ILC__IR_I32, 2, x, y);
    return ILC_OK;
}

ilc__ref ilc__lift_address_test(ilc__lift *l, ilc__ref addr)
{
    ilc__ref zero = ilc__lift_const(l, ILC__IR_I64, 0);
    return ilc__lift_emit(l, ILC__OP_NE_I64, ILC__IR_I32, 2, number_of(l, addr), zero);
}

/* conv.u and conv.i of an address leave it one. */
ilc_status ilc__lift_address_conversion(ilc__lift *l)
{
    if (l->insn->op != ILC__IL_CONV_U && l->insn->op != ILC__IL_CONV_I)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s of an address, which would be a number",
                                ilc__opcode_name(l->insn->op));
    l->stack[l->depth - 1].is_pointer = true;
    return ILC_OK;
}

/* --- null -------------------------------------------------------------------------------------------------
 */

/* A by-ref parameter of a callee is what its callers pass: all are known only when the whole unit is lifted.
 */
static bool is_from_caller(const ilc__lift *l, ilc__ref addr)
{
    const ilc__ir_value *value = &l->func->values.items[addr];
    while (value->op == ILC__OP_ADDADDR || value->op == ILC__OP_FIELDADDR || value->op == ILC__OP_COPY)
        value = &l->func->values.items[value->args[0]];
    bool is_root = l->unit->funcs.count && l->unit->funcs.items[0] == l->entry;
    return !is_root && value->op == ILC__OP_PARAM && value->var <= ilc__lift_arg_count(l->func);
}

/* What an access tests: the address that others were made of, where it can still be read. */
void ilc__lift_test_null(ilc__lift *l, ilc__ref addr)
{
    const ilc__ir_value *values = l->func->values.items;
    if (ilc__ir_is_nonnull(l->func, addr) && !is_from_caller(l, addr)) return;
    ilc__ref base = addr;
    while (!values[base].var && (values[base].op == ILC__OP_ADDADDR || values[base].op == ILC__OP_FIELDADDR))
        base = values[base].args[0];
    uint32_t var = values[base].var;
    if (var && var <= l->var_count && l->vars[var] != base) base = addr;
    if (var > l->var_count) base = addr;
    ilc__lift_emit(l, ILC__OP_NONNULL, ILC__IR_VOID, 1, base, 0);
}

/* --- localloc --------------------------------------------------------------------------------------------- */

static bool is_in_loop(const ilc__lift *l)
{
    ILC__VEC(uint32_t) work = {0};
    bool *seen = ILC__NEW_ARRAY(l->arena, bool, l->block_count);
    ILC__PUSH(l->arena, &work, l->current);
    while (work.count) {
        const ilc__lift_block *block = &l->blocks[work.items[--work.count]];
        for (uint32_t i = 0; i < block->succ_count; i++) {
            uint32_t to = block->succs[i];
            if (to == l->current) return true;
            if (seen[to]) continue;
            seen[to] = true;
            ILC__PUSH(l->arena, &work, to);
        }
    }
    return false;
}

/* Memory of the frame, in units of 8 bytes so that it is aligned; zero, whatever the method says of its locals. */
ilc_status ilc__lift_localloc(ilc__lift *l)
{
    enum { MAX_SIZE = 1 << 16 };
    ilc__lift_slot size;
    ILC__TRY(ilc__lift_pop_number(l, &size));
    const ilc__ir_value *value = &l->func->values.items[size.ref];
    if (value->op == ILC__OP_I64_U32 || value->op == ILC__OP_I64_I32) value = &l->func->values.items[value->args[0]];
    if (value->op != ILC__OP_CONST || (value->type != ILC__IR_I32 && value->type != ILC__IR_I64))
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "localloc of a size that is not constant");
    if (value->u.bits == 0 || value->u.bits > MAX_SIZE)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "localloc of no bytes, or of more than %d", MAX_SIZE);
    if (is_in_loop(l)) return ilc__lift_refuse(l, ILC_UNSUPPORTED, "localloc in a loop");
    uint32_t bytes = (uint32_t)value->u.bits;
    uint32_t slot = ilc__ir_add_slot(l->func, (ilc__ir_slot){.name = ilc__arena_printf(l->func->arena, "S_%u", l->temp_count++),
                                                             .storage = ILC_I64,
                                                             .is_array = true,
                                                             .count = (bytes + 7) / 8,
                                                             .is_temp = true});
    ilc__ref args[3] = {ilc__lift_slot_addr(l, slot), ilc__lift_const(l, ILC__IR_I32, 0), ilc__lift_const(l, ILC__IR_I32, bytes)};
    ilc__ir_emit(l->func, l->ir, ILC__OP_FILLBYTES, ILC__IR_VOID, 3, args);
    ilc__ref ref = ilc__lift_retype(l, args[0], (ilc__pointee){.storage = ILC_U8});
    return ilc__lift_push(l, (ilc__lift_slot){.type = ILC__IR_ADDR, .ref = ref, .elem = ILC_U8, .is_pointer = true});
}

/* --- blocks of bytes --------------------------------------------------------------------------------------
 */

static ilc_status pop_count(ilc__lift *l, ilc__lift_slot *out)
{
    ILC__TRY(ilc__lift_pop_number(l, out));
    if (out->type == ILC__IR_I32) return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "%s with a size of %s", ilc__opcode_name(l->insn->op),
                            ilc__lift_slot_name(l, *out));
}

bool ilc__lift_is_block(ilc__opcode op)
{
    return op == ILC__IL_CPBLK || op == ILC__IL_INITBLK;
}

ilc_status ilc__lift_bytes(ilc__lift *l)
{
    ilc__lift_slot count, second, to;
    bool           copies = l->insn->op == ILC__IL_CPBLK;
    ILC__TRY(pop_count(l, &count));
    ILC__TRY(copies ? ilc__lift_pop_addr(l, &second) : ilc__lift_pop_number(l, &second));
    ILC__TRY(ilc__lift_pop_addr(l, &to));
    const ilc__ir_value *size = &l->func->values.items[count.ref];
    if (size->op != ILC__OP_CONST ||
        size->u.bits == 0) { /* CoreCLR looks at no address when there is nothing to do */
        if (!ilc__ir_is_nonnull(l->func, to.ref) || (copies && !ilc__ir_is_nonnull(l->func, second.ref)))
            return ilc__lift_refuse(l, ILC_UNSUPPORTED,
                                    "%s of a size that is not constant at a pointer that may be null",
                                    ilc__opcode_name(l->insn->op));
    }
    if (!copies && second.type != ILC__IR_I32)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "initblk of %s", ilc__lift_slot_name(l, second));
    ilc__lift_test_null(l, to.ref);
    if (copies) ilc__lift_test_null(l, second.ref);
    ilc__ref args[3] = {to.ref, second.ref, count.ref};
    ilc__ref ref =
        ilc__ir_emit(l->func, l->ir, copies ? ILC__OP_COPYBYTES : ILC__OP_FILLBYTES, ILC__IR_VOID, 3, args);
    l->func->values.items[ref].il = l->insn->offset;
    l->func->values.items[ref].has_il = true;
    return ILC_OK;
}
