/* il_pointer.c - unmanaged pointers in the judge: addresses made of addresses and integers, compares, cpblk, initblk,
 * and the check that every access by one makes: the first 64 KiB are null, as on CoreCLR; else it must lie in an array
 * that the call was given, or in the memory of frames. */
#include "interp/il_translate.h"

enum { NULL_SIZE = 1 << 16 };

static bool is_address(const ilc__il_cell *cell)
{
    return cell->kind == ILC__K_ADDR;
}

static bool is_zero(const ilc__il_cell *cell)
{
    return (cell->kind == ILC__K_I4 || cell->kind == ILC__K_I8) && cell->known && cell->number == 0;
}

static bool is_integer(const ilc__il_cell *cell)
{
    return cell->kind == ILC__K_I4 || cell->kind == ILC__K_I8;
}

static bool is_conversion(ilc__opcode op)
{
    return op == ILC__IL_CONV_U || op == ILC__IL_CONV_I;
}

/* --- operands --------------------------------------------------------------------------------------------- */

static bool is_compare(ilc__opcode op)
{
    return (op >= ILC__IL_CEQ && op <= ILC__IL_CLT_UN) || (op >= ILC__IL_BEQ_S && op <= ILC__IL_BLT_UN_S) ||
           (op >= ILC__IL_BEQ && op <= ILC__IL_BLT_UN);
}

/* Two operands, one an address at least, and what comes of them: an integer, or the address that *from is. */
static bool has_meaning(ilc__opcode op, const ilc__il_cell *left, const ilc__il_cell *right, const ilc__il_cell **from)
{
    *from = NULL;
    if (is_compare(op)) return (is_address(left) || is_zero(left)) && (is_address(right) || is_zero(right));
    if (op == ILC__IL_SUB && is_address(left) && is_address(right)) return true;
    if (is_address(left) && is_integer(right)) *from = left;
    else if (op == ILC__IL_ADD && is_integer(left) && is_address(right)) *from = right;
    return *from && (op == ILC__IL_ADD || op == ILC__IL_SUB);
}

ilc_status ilc__il_pointer_operands(ilc__il_translator *t, uint32_t count, ilc__il_plan *plan, ilc__il_cell *result)
{
    const ilc__il_cell *left = ilc__il_cell_at(t, count - 1), *right = count == 2 ? ilc__il_cell_at(t, 0) : NULL, *from = NULL;
    ilc__opcode         op = t->insn->op;
    *result = (ilc__il_cell){.kind = ILC__K_NONE};
    if (!right && is_conversion(op)) {
        *result = *left;
        result->pointer = true;
        *plan = (ilc__il_plan){.row = ILC__ROW_NONE, .result = ILC__K_ADDR};
        return ILC_OK;
    }
    bool test = !right && (op == ILC__IL_BRTRUE || op == ILC__IL_BRTRUE_S || op == ILC__IL_BRFALSE || op == ILC__IL_BRFALSE_S);
    ilc__il_kind a = is_address(left) ? ILC__K_I8 : (ilc__il_kind)left->kind;
    ilc__il_kind b = !right ? ILC__K_NONE : is_address(right) ? ILC__K_I8 : (ilc__il_kind)right->kind;
    bool         known = right ? has_meaning(op, left, right, &from) : test;
    if (!known || !ilc__il_plan_find(op, a, b, true, plan))
        return ilc__il_wrong_kinds(t, left->kind, right ? (ilc__il_kind)right->kind : ILC__K_NONE);
    if (from) {
        *result = *from;
        result->pointer = true;
        plan->result = ILC__K_ADDR;
    }
    return ILC_OK;
}

bool ilc__il_has_address(ilc__il_translator *t, uint32_t count)
{
    return is_address(ilc__il_cell_at(t, 0)) || (count == 2 && is_address(ilc__il_cell_at(t, 1)));
}

/* `ldc.i4.0; conv.u` is the null pointer; so the zero is remembered. */
void ilc__il_keep_zero(ilc__il_translator *t, const ilc__il_cell *before)
{
    ilc__il_cell *cell = ilc__il_cell_at(t, 0);
    if (!is_conversion(t->insn->op) || !is_zero(before)) return;
    cell->known = true;
    cell->number = 0;
}

/* --- checks ----------------------------------------------------------------------------------------------- */

static uint32_t size_of(const ilc__il_variable *v)
{
    return v->layout ? v->layout->size : ilc_storage_size(v->storage);
}

void ilc__il_check_access(ilc__il_translator *t, uint32_t below, const ilc__il_variable *v, uint32_t offset)
{
    if (ilc__il_cell_at(t, below)->kind != ILC__K_ADDR || !ilc__il_cell_at(t, below)->pointer) return;
    ilc__il_copy(t, ILC__DO_CHECK, ilc__il_slot_at(t, below), offset, size_of(v));
}

bool ilc__il_assign_address(ilc__il_translator *t, const ilc__il_cell *value, uint32_t slot, const ilc__il_variable *to)
{
    if (is_zero(value)) return true;
    if (value->kind != ILC__K_ADDR || (!value->pointer && !to->is_pointer)) return false;
    bool same = value->layout == to->layout &&
                (value->layout || ilc__il_same_width((ilc_storage)value->elem, to->storage));
    if (!value->pointer) return same;
    if (!to->is_pointer) ilc__il_copy(t, ILC__DO_CHECK_REF, slot, 0, size_of(to));
    return true;
}

/* --- blocks of bytes -------------------------------------------------------------------------------------- */

ilc_status ilc__il_step_bytes(ilc__il_translator *t)
{
    bool copies = t->insn->op == ILC__IL_CPBLK;
    ILC__TRY(ilc__il_need(t, 3));
    const ilc__il_cell *count = ilc__il_cell_at(t, 0), *second = ilc__il_cell_at(t, 1), *to = ilc__il_cell_at(t, 2);
    if (count->kind != ILC__K_I4) return ilc__il_wrong_kinds(t, (ilc__il_kind)count->kind, ILC__K_NONE);
    if (to->kind != ILC__K_ADDR || second->kind != (copies ? ILC__K_ADDR : ILC__K_I4))
        return ilc__il_wrong_kinds(t, (ilc__il_kind)to->kind, (ilc__il_kind)second->kind);
    ilc__il_emit(t, copies ? ILC__DO_COPY_BYTES : ILC__DO_FILL_BYTES, ilc__il_slot_at(t, 2));
    t->depth -= 3;
    return ILC_OK;
}

/* --- at run time ------------------------------------------------------------------------------------------ */

static bool is_in_memory(const ilc__il_memory *memory, uint64_t address, uint64_t size)
{
    for (uint32_t i = 0; i < memory->blocks.count; i++) {
        const ilc__il_block *block = &memory->blocks.items[i];
        uint64_t             start = (uint64_t)(uintptr_t)block->bytes;
        if (address >= start && size <= block->size && address - start <= block->size - size) return true;
    }
    return false;
}

bool ilc__il_is_inside(const ilc__il_machine *machine, uint64_t address, uint64_t size)
{
    for (uint32_t i = 0; i < machine->regions.count; i++) {
        const ilc__il_region *region = &machine->regions.items[i];
        if (address >= region->start && size <= region->size && address - region->start <= region->size - size) return true;
    }
    return is_in_memory(&machine->memory, address, size) || is_in_memory(&machine->heap, address, size);
}

static ilc__il_trap check(const ilc__il_machine *machine, uint64_t address, uint64_t size)
{
    if (size == 0) return ILC__IL_TRAP_NONE;
    if (address < NULL_SIZE) return ILC__IL_TRAP_NULL;
    return ilc__il_is_inside(machine, address, size) ? ILC__IL_TRAP_NONE : ILC__IL_TRAP_FAULT;
}

ilc__il_trap ilc__il_pointer_run(const ilc__il_machine *machine, ilc__il_slot *fp, const ilc__il_op *op)
{
    ilc__il_slot *d = &fp[op->d];
    uint64_t      to = (uint64_t)d->i8;
    ilc__il_trap  t;
    switch (op->code) {
    case ILC__DO_CHECK: return check(machine, to + op->u.copy.to, op->u.copy.size);
    case ILC__DO_CHECK_REF: return to == 0 ? ILC__IL_TRAP_NONE : check(machine, to, op->u.copy.size) == ILC__IL_TRAP_NONE
                                                                     ? ILC__IL_TRAP_NONE : ILC__IL_TRAP_FAULT;
    case ILC__DO_CHECK_RESULT:
        return to - (uint64_t)fp[op->u.copy.to].i8 < op->u.copy.size ? ILC__IL_TRAP_FAULT : ILC__IL_TRAP_NONE;
    case ILC__DO_OFFSET: d->i8 = fp[op->u.place.from].i8 + op->u.place.offset; return ILC__IL_TRAP_NONE;
    case ILC__DO_COPY_BYTES: {
        uint64_t count = (uint32_t)d[2].i4, from = (uint64_t)d[1].i8;
        t = check(machine, to, count);
        if (t == ILC__IL_TRAP_NONE) t = check(machine, from, count);
        if (t == ILC__IL_TRAP_NONE && count) memmove(ilc__il_address_in(d), ilc__il_address_in(&d[1]), (size_t)count);
        return t;
    }
    case ILC__DO_FILL_BYTES: {
        uint64_t count = (uint32_t)d[2].i4;
        t = check(machine, to, count);
        if (t == ILC__IL_TRAP_NONE && count) memset(ilc__il_address_in(d), (uint8_t)d[1].i4, (size_t)count);
        return t;
    }
    default: return ILC__IL_TRAP_COUNT;
    }
}

void ilc__il_take_regions(ilc__il_machine *machine, const ilc_value *args, uint32_t count)
{
    machine->regions.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const ilc_array *array = args[i].is_array ? args[i].u.array : NULL;
        if (!array || !array->data || array->length <= 0) continue;
        uint64_t       size = array->elem == ILC_STRUCT ? array->layout->size : ilc_storage_size(array->elem);
        ilc__il_region region = {(uint64_t)(uintptr_t)array->data, (uint64_t)array->length * size};
        ILC__PUSH(machine->arena, &machine->regions, region);
    }
}

/* Of an array as a pointer: one of no elements still has an address. */
int64_t ilc__il_data_of(const ilc_array *array)
{
    static uint64_t nothing;
    if (!array) return 0;
    return (int64_t)(uintptr_t)(array->data && array->length ? array->data : (void *)&nothing);
}
