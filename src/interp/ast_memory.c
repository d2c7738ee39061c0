/* ast_memory.c - memory of the tree interpreter: elements, slots and what addresses reach. An address is a host
 * pointer, into an array's data, a frame's slots, or the caller's value; the tree makes none that is not valid. */
#include "interp/ast_code.h"
#include "meta/layout.h"

/* Cuts a value to its storage and extends it again (ECMA-335 I.12.1). */
uint64_t ilc__ast_normalise(ilc_storage storage, uint64_t bits)
{
    switch (storage) {
    case ILC_BOOL: case ILC_U8: return (uint8_t)bits;
    case ILC_I8: return (uint64_t)(int64_t)(int8_t)bits;
    case ILC_CHAR: case ILC_U16: return (uint16_t)bits;
    case ILC_I16: return (uint64_t)(int64_t)(int16_t)bits;
    case ILC_I32: return (uint64_t)(int64_t)(int32_t)bits;
    case ILC_U32: case ILC_F32: return (uint32_t)bits;
    default: return bits;
    }
}

uint64_t ilc__ast_load(ilc_storage storage, const void *at)
{
    uint64_t bits = 0;
    memcpy(&bits, at, ilc_storage_size(storage));
    return ilc__ast_normalise(storage, bits);
}

void ilc__ast_store(ilc_storage storage, void *at, uint64_t bits)
{
    memcpy(at, &bits, ilc_storage_size(storage)); /* little-endian: the low bytes */
}

uint32_t ilc__ast_size_of(ilc_storage storage, const ilc__layout *layout)
{
    return layout ? layout->size : ilc_storage_size(storage);
}

/* --- slots ---------------------------------------------------------------------------------------------------- */

enum { MAX_SLOT_WORDS = 1 << 23 }; /* 64 MiB in one frame */

/* A struct parameter is where the caller has put its copy. */
static bool is_in_frame(const ilc__var *var)
{
    return var->is_slot && !(var->is_param && var->layout) && !var->table && !var->is_dynamic;
}

ilc_status ilc__ast_place_slots(ilc__context *ctx, ilc__arena *arena, ilc__ast_code *code)
{
    uint64_t words = 0;
    code->slot_at = ILC__NEW_ARRAY(arena, uint32_t, (size_t)code->var_count + 1);
    code->first_slot = code->var_count + code->const_count;
    for (uint32_t i = 0; i < code->var_count && words <= MAX_SLOT_WORDS; i++) {
        const ilc__var *var = code->func->vars.items[i];
        if (!is_in_frame(var)) continue;
        code->slot_at[i] = code->first_slot + (uint32_t)words;
        if (var->is_array) words += (sizeof(ilc_array) + (uint64_t)var->count * ilc_storage_size(var->storage) + 7) / 8;
        else words += ((uint64_t)ilc__ast_size_of(var->storage, var->layout) + 7) / 8;
    }
    if (words > MAX_SLOT_WORDS)
        return ilc__fail(ctx, ILC_LIMIT, NULL, "the locals of %s take more than 64 MiB", code->func->name);
    code->slot_words = (uint32_t)words;
    return ILC_OK;
}

/* The array object, and its elements behind it. */
void ilc__ast_new_array(const ilc__ast_insn *insn, uint64_t *r)
{
    ilc_array *array = (ilc_array *)(void *)(r + insn->a);
    void      *data = array + 1;
    *array = (ilc_array){.elem = insn->storage, .length = (int32_t)(uint32_t)r[insn->b], .data = data};
    memset(data, 0, (size_t)array->length * ilc_storage_size(insn->storage));
    r[insn->to] = (uint64_t)(uintptr_t)array;
}

/* --- arrays of any length --------------------------------------------------------------------------------------- */

void ilc__ast_clear_heap(ilc__ast_machine *machine)
{
    machine->heap.block = 0;
    machine->heap.used = machine->heap.taken = 0;
}

/* 16-byte aligned; NULL: more than a call may take. */
static uint8_t *take(ilc__ast_machine *machine, uint64_t size)
{
    enum { MOST = 1 << 26, FIRST = 1 << 16 };
    ilc__ast_heap *heap = &machine->heap;
    if (size > MOST || heap->taken + size > MOST) return NULL;
    size = (size + 15) & ~(uint64_t)15;
    while (heap->block < heap->blocks.count && size > heap->blocks.items[heap->block].size - heap->used) {
        heap->block++;
        heap->used = 0;
    }
    if (heap->block == heap->blocks.count) {
        size_t next = heap->blocks.count ? 2 * heap->blocks.items[heap->blocks.count - 1].size : FIRST;
        if (next > MOST) next = MOST;
        if (next < size) next = (size_t)size;
        ilc__ast_heap_block block = {ilc__arena_array(machine->arena, next / 16, 16), next};
        ILC__PUSH(machine->arena, &heap->blocks, block);
    }
    uint8_t *at = heap->blocks.items[heap->block].bytes + heap->used;
    heap->used += (size_t)size;
    heap->taken += (size_t)size;
    return at;
}

bool ilc__ast_new_dynamic(ilc__ast_machine *machine, const ilc__var *var, const ilc__ast_insn *insn, uint64_t *r)
{
    enum { HEADER = (sizeof(ilc_array) + 15) / 16 * 16, MOST_LENGTH = 0x7FFFFFC7 };
    uint64_t length = r[insn->a];
    uint8_t *at = length > MOST_LENGTH ? NULL : take(machine, HEADER + length * insn->size);
    if (!at) return false;
    ilc_array *array = (ilc_array *)(void *)at;
    *array = (ilc_array){.elem = insn->storage, .length = (int64_t)length, .data = at + HEADER, .layout = var->layout};
    memset(at + HEADER, 0, (size_t)(length * insn->size));
    r[insn->to] = (uint64_t)(uintptr_t)array;
    return true;
}

/* Slots are zero at the entry, but for parameters. */
void ilc__ast_enter_slots(const ilc__ast_code *code, uint64_t *registers)
{
    if (!code->slot_words) return;
    memset(registers + code->first_slot, 0, code->slot_words * sizeof *registers);
    for (uint32_t i = 0; i < code->func->param_count; i++) {
        const ilc__var *var = code->func->vars.items[i];
        if (is_in_frame(var)) ilc__ast_store(var->storage, registers + code->slot_at[i], registers[i]);
    }
}

/* --- addresses ------------------------------------------------------------------------------------------------ */

static void *pointer(uint64_t bits)
{
    return (void *)(uintptr_t)bits;
}

/* An array of no elements still has an address. */
uint64_t ilc__ast_data_of(const ilc_array *array)
{
    static uint64_t nothing;
    if (!array) return 0;
    return (uint64_t)(uintptr_t)(array->data && array->length ? array->data : (void *)&nothing);
}

void ilc__ast_set_regions(ilc__ast_machine *machine, const ilc_value *args, uint32_t count)
{
    if (!machine->has_pointers) return;
    machine->region_count = machine->own_regions;
    for (uint32_t i = 0; i < count; i++) {
        const ilc_array *array = args[i].is_array ? args[i].u.array : NULL;
        if (!array || array->length <= 0 || !array->data) continue;
        uint64_t size = array->elem == ILC_STRUCT ? array->layout->size : ilc_storage_size(array->elem);
        machine->regions[machine->region_count++] = (ilc__ast_region){(uintptr_t)array->data, (uint64_t)array->length * size};
    }
}

static bool is_inside(const ilc__ast_machine *machine, uint64_t address, uint64_t size)
{
    if (!machine->has_pointers || size == 0) return true;
    for (uint32_t i = 0; i < machine->region_count; i++) {
        const ilc__ast_region *region = &machine->regions[i];
        if (address >= region->start && size <= region->size && address - region->start <= region->size - size) return true;
    }
    for (uint32_t i = 0; i < machine->heap.blocks.count && i <= machine->heap.block; i++) {
        const ilc__ast_heap_block *block = &machine->heap.blocks.items[i];
        uintptr_t                  start = (uintptr_t)block->bytes;
        if (address >= start && size <= block->size && address - start <= block->size - size) return true;
    }
    return false;
}

/* What an instruction reads and writes is memory that the call may reach. */
static bool is_reachable(const ilc__ast_machine *machine, const ilc__ast_insn *insn, const uint64_t *r)
{
    uint64_t size = insn->size;
    if (!machine->has_pointers || insn->what == ILC__AST_SLOTADDR || insn->what == ILC__AST_FIELDADDR ||
        insn->what == ILC__AST_ADDADDR)
        return true;
    if (insn->what == ILC__AST_LOADIND || insn->what == ILC__AST_STOREIND) size = ilc_storage_size(insn->storage);
    if (insn->what == ILC__AST_COPYBYTES || insn->what == ILC__AST_FILLBYTES) size = (uint32_t)r[insn->to];
    bool copies = insn->what == ILC__AST_COPYMEM || insn->what == ILC__AST_COPYBYTES;
    return is_inside(machine, r[insn->a], size) && (!copies || is_inside(machine, r[insn->b], size));
}

/* SLOTADDR to FILLBYTES: none of them traps. */
bool ilc__ast_touch_memory(const ilc__ast_machine *machine, const ilc__ast_insn *insn, uint64_t *r)
{
    if (!is_reachable(machine, insn, r)) return false;
    switch (insn->what) {
    case ILC__AST_SLOTADDR: r[insn->to] = (uint64_t)(uintptr_t)(r + insn->a); break;
    case ILC__AST_FIELDADDR: r[insn->to] = r[insn->a] + insn->size; break;
    case ILC__AST_ADDADDR: r[insn->to] = r[insn->a] + r[insn->b]; break;
    case ILC__AST_COPYBYTES: memmove(pointer(r[insn->a]), pointer(r[insn->b]), (uint32_t)r[insn->to]); break;
    case ILC__AST_FILLBYTES: memset(pointer(r[insn->a]), (int)(uint8_t)r[insn->b], (uint32_t)r[insn->to]); break;
    case ILC__AST_LOADIND: r[insn->to] = ilc__ast_load(insn->storage, pointer(r[insn->a])); break;
    case ILC__AST_STOREIND: ilc__ast_store(insn->storage, pointer(r[insn->a]), r[insn->b]); break;
    case ILC__AST_COPYMEM: memmove(pointer(r[insn->a]), pointer(r[insn->b]), insn->size); break;
    default: memset(pointer(r[insn->a]), 0, insn->size); break;
    }
    return true;
}

/* Are the array's elements of the type that the variable is, or is of? */
bool ilc__ast_holds(const ilc__var *var, const ilc_array *array)
{
    if (var->layout) return array->elem == ILC_STRUCT && ilc__layout_same(array->layout, var->layout);
    return ilc_storage_size(array->elem) == ilc_storage_size(var->storage) && array->elem != ILC_STRUCT;
}

bool ilc__ast_bind_byref(const ilc__var *var, const ilc_value *arg, uint64_t *bits)
{
    if (!arg->is_byref || !arg->is_array) return false;
    const ilc_array *array = arg->u.array;
    if (!array || array->length < 1 || !ilc__ast_holds(var, array)) return false;
    *bits = (uint64_t)(uintptr_t)array->data;
    return true;
}

/* --- spans ---------------------------------------------------------------------------------------------------- */

static ilc_array *new_span(ilc__ast_machine *machine)
{
    enum { MOST = 1 << 22 };
    uint32_t at = machine->span_count % ILC__AST_SPANS;
    if (machine->span_count == MOST) return NULL;
    if (machine->span_count == 0) machine->spans_at = machine->spans;
    if (at == 0 && machine->span_count) machine->spans_at = machine->spans_at->next;
    if (!machine->spans_at) {
        ilc__ast_spans **end = &machine->spans;
        while (*end) end = &(*end)->next;
        machine->spans_at = *end = ILC__NEW(machine->arena, ilc__ast_spans);
    }
    machine->span_count++;
    return &machine->spans_at->arrays[at];
}

bool ilc__ast_make_span(ilc__ast_machine *machine, const ilc__ast_insn *insn, uint64_t *r)
{
    static const ilc_array nothing;
    const ilc_array       *from = (const ilc_array *)(uintptr_t)r[insn->a];
    ilc_array             *made = NULL;
    if (insn->what == ILC__AST_SPANOF) {
        r[insn->to] = (uint64_t)(uintptr_t)(from ? from : &nothing);
        return true;
    }
    if (insn->what == ILC__AST_DATAADDR) {
        r[insn->to] = from && from->length > 0 ? (uint64_t)(uintptr_t)from->data : 0;
        return true;
    }
    uint64_t length = (uint32_t)r[insn->what == ILC__AST_SPAN ? insn->c : insn->b];
    if (insn->what == ILC__AST_SPANAT && !is_inside(machine, r[insn->a], length * insn->size)) return false;
    if (!(made = new_span(machine))) return false;
    *made = (ilc_array){.elem = insn->storage, .length = (int64_t)length, .data = pointer(r[insn->a])};
    uint64_t start = insn->wide_index ? r[insn->b] : (uint32_t)r[insn->b];
    if (insn->what == ILC__AST_SPAN) made->data = (uint8_t *)from->data + start * insn->size;
    r[insn->to] = (uint64_t)(uintptr_t)made;
    return true;
}
