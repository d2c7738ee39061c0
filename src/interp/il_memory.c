/* il_memory.c - the memory of the judge's frames (what has an address lies in blocks that never move, taken and given
 * back with the frames), and the operations on memory. */
#include "interp/il_code.h"

enum {
    FIRST_BLOCK = 1 << 16,
    MAX_MEMORY = 1 << 26,
    ALIGNMENT = 16
};

static uint8_t *take_from_block(ilc__il_memory *memory, uint32_t size)
{
    if (memory->at.block >= memory->blocks.count) return NULL;
    if (size > memory->blocks.items[memory->at.block].size - memory->at.used) return NULL;
    uint8_t *bytes = memory->blocks.items[memory->at.block].bytes + memory->at.used;
    memory->at.used += size;
    return bytes;
}

static uint8_t *take(ilc__il_machine *machine, ilc__il_memory *memory, uint32_t size)
{
    uint8_t *bytes;
    size = (size + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1);
    while ((bytes = take_from_block(memory, size)) == NULL && memory->at.block < memory->blocks.count) {
        memory->at.block++;
        memory->at.used = 0;
    }
    if (bytes) return bytes;
    uint32_t last = memory->blocks.count ? memory->blocks.items[memory->blocks.count - 1].size : FIRST_BLOCK / 2;
    uint32_t next = 2 * last > size ? 2 * last : size;
    if (memory->total + next > MAX_MEMORY) return NULL;
    memory->total += next;
    ILC__PUSH(machine->arena, &memory->blocks, ((ilc__il_block){ILC__NEW_ARRAY(machine->arena, uint8_t, next), next}));
    return take_from_block(memory, size);
}

uint8_t *ilc__il_memory_take(ilc__il_machine *machine, uint32_t size)
{
    ILC__PUSH(machine->arena, &machine->memory.marks, machine->memory.at);
    return take(machine, &machine->memory, size);
}

uint8_t *ilc__il_heap_take(ilc__il_machine *machine, uint64_t size)
{
    return size > MAX_MEMORY / 2 ? NULL : take(machine, &machine->heap, (uint32_t)size);
}

void ilc__il_memory_give_back(ilc__il_machine *machine)
{
    ilc__il_memory *memory = &machine->memory;
    memory->at = memory->marks.items[--memory->marks.count];
}

void ilc__il_memory_reset(ilc__il_machine *machine)
{
    machine->memory.marks.count = 0;
    machine->memory.at = (ilc__il_mark){0};
    machine->heap.at = (ilc__il_mark){0};
}

/* --- operations ------------------------------------------------------------------------------------------- */

static ilc__il_trap element(ilc__il_slot *slots, int64_t index, uint64_t size)
{
    const ilc_array *array = ilc__il_array_at(&slots[0]);
    ilc__il_trap     t = ilc__il_check_index(array, index);
    if (t == ILC__IL_TRAP_NONE) slots[0].i8 = (int64_t)(uintptr_t)((uint8_t *)array->data + (uint64_t)index * size);
    return t;
}

/* CoreCLR's ArrayAddress helpers look at the dimensions from the first to the last. */
static ilc__il_trap place(ilc__il_slot *slots, uint32_t rank, uint32_t size)
{
    const ilc_array *array = ilc__il_array_at(&slots[0]);
    int64_t          number = 0;
    if (!array) return ILC__IL_TRAP_NULL;
    for (uint32_t k = 0; k < rank; k++) {
        int32_t index = slots[1 + k].i4;
        if (index < 0 || index >= array->dims[k]) return ILC__IL_TRAP_INDEX;
        number = number * array->dims[k] + index;
    }
    slots[0].i8 = (int64_t)(uintptr_t)((uint8_t *)array->data + (size_t)number * size);
    return ILC__IL_TRAP_NONE;
}

/* Array.GetLength, GetUpperBound, GetLowerBound: lower bounds are 0. */
static ilc__il_trap bound(ilc__il_slot *slots, uint64_t which)
{
    const ilc_array *array = ilc__il_array_at(&slots[0]);
    int32_t          dimension = slots[1].i4;
    if (!array) return ILC__IL_TRAP_NULL;
    bool several = array->rank > 1;
    if (dimension < 0 || dimension >= (several ? (int32_t)array->rank : 1)) return ILC__IL_TRAP_DIMENSION;
    int32_t length = (int32_t)(several ? array->dims[dimension] : array->length);
    slots[0].i4 = which == 0 ? length : which == 1 ? length - 1 : 0;
    return ILC__IL_TRAP_NONE;
}

static ilc__il_trap copy(uint8_t *to, const uint8_t *from, uint32_t size)
{
    if (!to || !from) return ILC__IL_TRAP_NULL;
    memmove(to, from, size);
    return ILC__IL_TRAP_NONE;
}

/* A by-ref is null only before a by-ref local is set. */
ilc__il_trap ilc__il_memory_run(ilc__il_machine *machine, const ilc__il_code *code, ilc__il_slot *fp,
                                const ilc__il_op *op)
{
    ilc__il_slot *d = &fp[op->d];
    uint8_t      *at;
    ilc__il_trap  t;
    switch (op->code) {
#define X(id, ctype, kind)                                                                                   \
    case ILC__DO_GET_##id: {                                                                                 \
        ctype value;                                                                                         \
        if (!(at = ilc__il_address_in(&fp[op->u.place.from]))) return ILC__IL_TRAP_NULL;                     \
        memcpy(&value, at + op->u.place.offset, sizeof value);                                               \
        d->ILC__SLOT_##kind = value;                                                                         \
        return ILC__IL_TRAP_NONE;                                                                            \
    }                                                                                                        \
    case ILC__DO_PUT_##id: {                                                                                 \
        ctype value = (ctype)d->ILC__SLOT_##kind;                                                            \
        if (!(at = ilc__il_address_in(&fp[op->u.place.from]))) return ILC__IL_TRAP_NULL;                     \
        memcpy(at + op->u.place.offset, &value, sizeof value);                                               \
        return ILC__IL_TRAP_NONE;                                                                            \
    }
        ILC__ELEMENTS(X)
#undef X
    case ILC__DO_ADDRESS:
        if (!fp[op->u.place.from].i8) return ILC__IL_TRAP_NULL;
        d->i8 = fp[op->u.place.from].i8 + op->u.place.offset;
        return ILC__IL_TRAP_NONE;
    case ILC__DO_TEMPORARY:
        at = ilc__il_address_in(&fp[code->memory_slot]) + op->u.copy.to;
        t = copy(at, ilc__il_address_in(d), op->u.copy.size);
        if (t == ILC__IL_TRAP_NONE) d->i8 = (int64_t)(uintptr_t)at;
        return t;
    case ILC__DO_COPY: return copy(ilc__il_address_in(d), ilc__il_address_in(&fp[op->u.copy.to]), op->u.copy.size);
    case ILC__DO_ZERO:
        if (!d->i8) return ILC__IL_TRAP_NULL;
        memset(ilc__il_address_in(d), 0, op->u.copy.size);
        return ILC__IL_TRAP_NONE;
    case ILC__DO_ELEMENT: return element(d, d[1].i4, op->u.bits);
    case ILC__DO_ELEMENT_WIDE: return element(d, d[1].i8, op->u.bits);
    case ILC__DO_PLACE: return place(d, op->u.copy.to, op->u.copy.size);
    case ILC__DO_BOUND: return bound(d, op->u.bits);
    default:
        t = ilc__il_span_run(machine, fp, op);
        if (t == ILC__IL_TRAP_COUNT) t = ilc__il_new_run(machine, fp, op);
        return t == ILC__IL_TRAP_COUNT ? ilc__il_pointer_run(machine, fp, op) : t;
    }
}
