/* il_memory.c - the memory of the judge's frames: what has an address lies in blocks that never move, taken and given
 * back with the frames. */
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

uint8_t *ilc__il_memory_take(ilc__il_machine *machine, uint32_t size)
{
    ilc__il_memory *memory = &machine->memory;
    uint8_t        *bytes;
    size = (size + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1);
    ILC__PUSH(machine->arena, &memory->marks, memory->at);
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

void ilc__il_memory_give_back(ilc__il_machine *machine)
{
    ilc__il_memory *memory = &machine->memory;
    memory->at = memory->marks.items[--memory->marks.count];
}

void ilc__il_memory_reset(ilc__il_machine *machine)
{
    machine->memory.marks.count = 0;
    machine->memory.at = (ilc__il_mark){0};
}
