/* promote.c - a slot that is only read and written, whole or by fields, becomes one variable per scalar in it
 * (a cell), with versions and phis (docs/memory.md). What a call, phi or copy gets the address of stays.
 *
 * Each read becomes a copy to a temporary variable first, so that it keeps the version of its place; those
 * that can read the version itself do so in the end. */
#include "opt/edit.h"

#include "meta/layout.h"

enum { MAX_CELLS = 32, MAX_STATE = 1 << 20 }; /* of one slot; cells times blocks */

typedef struct cell {
    uint32_t    slot, var;
    ilc_storage storage;
} cell;

typedef struct promoter {
    ilc__ir_func *func;
    uint32_t      value_count; /* at the start: what stands in the tables below */
    bool         *kept;        /* slot -> it stays in memory                    */
    uint32_t     *first_cell;  /* slot -> its first cell                        */
    ILC__VEC(cell) cells;
    uint32_t  *slot_of; /* address -> slot, 0 for other values           */
    uint32_t  *place;   /* address -> cell within the slot               */
    uint32_t   words;
    uint64_t **live;         /* block -> cells live at its start              */
    ilc__ref  *exits;        /* block * cells + cell -> version at its end    */
    ilc__ref  *now;          /* cell -> version                               */
    ILC__VEC(ilc__ref) list; /* of the block being rewritten                  */
    uint32_t block;
    ILC__VEC(ilc__ref) reads; /* the copies that stand for reads               */
} promoter;

/* --- cells -------------------------------------------------------------------------------------------------
 */

/* Scalars in a layout; more than MAX_CELLS is MAX_CELLS + 1. */
static uint32_t count_cells(const ilc__layout *layout)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < layout->field_count && count <= MAX_CELLS; i++)
        count += layout->fields[i].layout ? count_cells(layout->fields[i].layout) : 1;
    return count < MAX_CELLS ? count : count == MAX_CELLS ? MAX_CELLS : MAX_CELLS + 1;
}

static uint32_t cells_of(ilc__pointee what)
{
    return what.layout ? count_cells(what.layout) : 1;
}

/* Where a field's cells begin among those of its struct. */
static uint32_t cells_before(const ilc__layout *layout, uint32_t field)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < field; i++)
        count += layout->fields[i].layout ? count_cells(layout->fields[i].layout) : 1;
    return count;
}

/* The slot and cell of every address that is known to lie in one. Operands come before their uses in this
 * order. */
static void find_addresses(promoter *p)
{
    ilc__ir_func *f = p->func;
    for (uint32_t i = 0; i < f->order.count; i++) {
        const ilc__ir_block *block = &f->blocks.items[f->order.items[i]];
        for (uint32_t k = 0; k < block->list.count; k++) {
            ilc__ref             ref = block->list.items[k];
            const ilc__ir_value *value = &f->values.items[ref];
            if (value->op == ILC__OP_SLOTADDR) p->slot_of[ref] = value->u.slot;
            if (value->op != ILC__OP_FIELDADDR || !p->slot_of[value->args[0]]) continue;
            p->slot_of[ref] = p->slot_of[value->args[0]];
            if (!p->kept[p->slot_of[ref]])
                p->place[ref] = p->place[value->args[0]] + cells_before(value->layout, value->u.field);
        }
    }
}

static bool may_use(const ilc__ir_value *value, uint32_t operand)
{
    switch (value->op) {
    case ILC__OP_FIELDADDR: return !value->var;
    case ILC__OP_LOADIND:
    case ILC__OP_COPYMEM:
    case ILC__OP_ZEROMEM: return true;
    case ILC__OP_STOREIND: return operand == 0;
    default: return false;
    }
}

static void find_escapes(promoter *p)
{
    const ilc__ir_func *f = p->func;
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        const ilc__ir_block *block = &f->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *value = &f->values.items[block->list.items[i]];
            if (value->op == ILC__OP_SLOTADDR && value->var) p->kept[value->u.slot] = true;
            for (uint32_t k = 0; k < value->arg_count; k++)
                if (!may_use(value, k)) p->kept[p->slot_of[value->args[k]]] = true;
        }
    }
}

/* "<X>k__BackingField" is X: what C# calls the field of a property. */
static const char *field_name(ilc__arena *arena, const char *name)
{
    const char *end = name[0] == '<' ? strstr(name, ">k__BackingField") : NULL;
    return end && end > name + 1 ? ilc__arena_strndup(arena, name + 1, (size_t)(end - name - 1)) : name;
}

static void add_cell(promoter *p, uint32_t slot, ilc_storage storage, const char *name)
{
    const ilc__ir_slot *s = &p->func->slots.items[slot];
    cell                c = {.slot = slot, .storage = storage, .var = s->slot + 1};
    if (!s->is_param)
        c.var = ilc__ir_add_var(p->func, (ilc__ir_var){.name = name,
                                                       .storage = storage,
                                                       .is_temp = s->is_temp,
                                                       .is_named = s->is_named,
                                                       .slot = s->slot});
    ILC__PUSH(p->func->arena, &p->cells, c);
}

static void add_field_cells(promoter *p, uint32_t slot, const ilc__layout *layout, const char *prefix)
{
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const ilc__layout_field *field = &layout->fields[i];
        const char              *name =
            ilc__arena_printf(p->func->arena, "%s_%s", prefix, field_name(p->func->arena, field->name));
        if (field->layout)
            add_field_cells(p, slot, field->layout, name);
        else
            add_cell(p, slot, field->storage, name);
    }
}

static void make_cells(promoter *p)
{
    for (uint32_t s = 1; s < p->func->slots.count; s++) {
        ilc__ir_slot slot = p->func->slots.items[s];
        p->first_cell[s] = p->cells.count;
        if (p->kept[s]) continue;
        if (slot.layout)
            add_field_cells(p, s, slot.layout, slot.name);
        else
            add_cell(p, s, slot.storage, slot.name);
    }
}

/* The first cell at an address, UINT32_MAX where it is not promoted. */
static uint32_t cell_at(const promoter *p, ilc__ref addr)
{
    if (addr >= p->value_count || !p->slot_of[addr] || p->kept[p->slot_of[addr]]) return UINT32_MAX;
    return p->first_cell[p->slot_of[addr]] + p->place[addr];
}

/* --- liveness ----------------------------------------------------------------------------------------------
 */

static void mark(uint64_t *set, uint64_t *unless, uint32_t first, uint32_t count)
{
    for (uint32_t c = first; c < first + count; c++) {
        uint64_t bit = UINT64_C(1) << (c % 64);
        if (!unless || !(unless[c / 64] & bit)) set[c / 64] |= bit;
    }
}

static void scan_value(promoter *p, const ilc__ir_value *value, uint64_t *gen, uint64_t *kill)
{
    bool reads = value->op == ILC__OP_LOADIND || value->op == ILC__OP_COPYMEM;
    bool writes =
        value->op == ILC__OP_STOREIND || value->op == ILC__OP_COPYMEM || value->op == ILC__OP_ZEROMEM;
    if (!reads && !writes) return;
    ilc__ref from = value->args[value->op == ILC__OP_COPYMEM ? 1 : 0];
    uint32_t count = cells_of(ilc__ir_pointee(p->func, value->args[0]));
    if (reads && cell_at(p, from) != UINT32_MAX) mark(gen, kill, cell_at(p, from), count);
    if (writes && cell_at(p, value->args[0]) != UINT32_MAX)
        mark(kill, NULL, cell_at(p, value->args[0]), count);
}

static void find_liveness(promoter *p)
{
    ilc__ir_func *f = p->func;
    uint64_t    **kill = ILC__NEW_ARRAY(f->arena, uint64_t *, f->blocks.count);
    p->words = p->cells.count / 64 + 1;
    p->live = ILC__NEW_ARRAY(f->arena, uint64_t *, f->blocks.count);
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        const ilc__ir_block *block = &f->blocks.items[b];
        p->live[b] = ILC__NEW_ARRAY(f->arena, uint64_t, p->words);
        kill[b] = ILC__NEW_ARRAY(f->arena, uint64_t, p->words);
        for (uint32_t i = 0; i < block->list.count; i++)
            scan_value(p, &f->values.items[block->list.items[i]], p->live[b], kill[b]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = f->order.count; i-- > 0;) {
            uint32_t             b = f->order.items[i];
            const ilc__ir_block *block = &f->blocks.items[b];
            for (uint32_t s = 0; s < block->succs.count; s++)
                for (uint32_t w = 0; w < p->words; w++) {
                    uint64_t more = p->live[block->succs.items[s]][w] & ~kill[b][w] & ~p->live[b][w];
                    p->live[b][w] |= more;
                    changed |= more != 0;
                }
        }
    }
}

static bool is_live(const promoter *p, uint32_t block, uint32_t c)
{
    return p->live[block][c / 64] >> (c % 64) & 1;
}

/* --- rewriting ---------------------------------------------------------------------------------------------
 */

static void put(promoter *p, ilc__ref ref)
{
    p->func->values.items[ref].block = p->block;
    ILC__PUSH(p->func->arena, &p->list, ref);
}

static ilc__ref put_new(promoter *p, ilc__ir_value value, const ilc__ir_value *like)
{
    if (like) value.il = like->il, value.has_il = like->has_il;
    ilc__ref ref = ilc__ir_add(p->func, value);
    put(p, ref);
    return ref;
}

static ilc__ref put_unary(promoter *p, ilc__op op, ilc__ir_type type, ilc__ref arg, const ilc__ir_value *like)
{
    return put_new(p, (ilc__ir_value){.op = op, .type = type, .arg_count = 1, .args = &arg}, like);
}

static ilc__op narrowing(ilc_storage storage)
{
    switch (storage) {
    case ILC_I8: return ILC__OP_I8_I32;
    case ILC_U8:
    case ILC_BOOL: return ILC__OP_U8_I32;
    case ILC_I16: return ILC__OP_I16_I32;
    case ILC_U16:
    case ILC_CHAR: return ILC__OP_U16_I32;
    default: return ILC__OP_NONE;
    }
}

static void set_cell(promoter *p, uint32_t c, ilc__ref value, const ilc__ir_value *like)
{
    cell     to = p->cells.items[c];
    ilc__ref ref = put_unary(p, ILC__OP_COPY, ilc__storage_ir_type(to.storage), value, like);
    p->func->values.items[ref].var = to.var;
    p->now[c] = ref;
}

static void rewrite_load(promoter *p, ilc__ref ref, uint32_t c)
{
    ilc__ir_var    temp = {.is_temp = true, .storage = p->cells.items[c].storage};
    ilc__ir_value *value = &p->func->values.items[ref];
    value->op = ILC__OP_COPY;
    value->storage = ILC_VOID;
    value->args[0] = p->now[c];
    if (value->var) { /* the versions of its own variable are as they were */
        put(p, ref);
        return;
    }
    temp.name = ilc__arena_printf(p->func->arena, "S_%u", p->func->vars.count);
    value->var = ilc__ir_add_var(p->func, temp);
    put(p, ref);
    ILC__PUSH(p->func->arena, &p->reads, ref);
}

static void rewrite_store(promoter *p, ilc__ref ref, uint32_t c)
{
    ilc__ir_value like = p->func->values.items[ref];
    ilc__op       op = narrowing(p->cells.items[c].storage);
    ilc__ref      value = like.args[1];
    if (op) value = put_unary(p, op, ILC__IR_I32, value, &like);
    set_cell(p, c, value, &like);
}

static void rewrite_zero(promoter *p, ilc__ref ref, uint32_t c)
{
    ilc__ir_value like = p->func->values.items[ref];
    uint32_t      count = count_cells(like.layout);
    for (uint32_t i = c; i < c + count; i++) {
        ilc__ir_value zero = {.op = ILC__OP_CONST, .type = ilc__storage_ir_type(p->cells.items[i].storage)};
        set_cell(p, i, put_new(p, zero, NULL), &like);
    }
}

static ilc__ref put_field(promoter *p, ilc__ref base, const ilc__layout *layout, uint32_t field,
                          const ilc__ir_value *like)
{
    ilc__ref ref = put_unary(p, ILC__OP_FIELDADDR, ILC__IR_ADDR, base, like);
    p->func->values.items[ref].layout = layout;
    p->func->values.items[ref].u.field = field;
    return ref;
}

/* A struct in cells from *c on, and one in memory: field by field, one way or the other. */
static void copy_fields(promoter *p, ilc__ref memory, const ilc__layout *layout, uint32_t *c, bool to_cells,
                        const ilc__ir_value *like)
{
    for (uint32_t i = 0; i < layout->field_count; i++) {
        const ilc__layout_field *field = &layout->fields[i];
        ilc__ref                 addr = put_field(p, memory, layout, i, like);
        if (field->layout) {
            copy_fields(p, addr, field->layout, c, to_cells, like);
            continue;
        }
        if (to_cells) {
            ilc__ref loaded = put_unary(p, ILC__OP_LOADIND, ilc__storage_ir_type(field->storage), addr, like);
            p->func->values.items[loaded].storage = field->storage;
            set_cell(p, (*c)++, loaded, like);
            continue;
        }
        ilc__ref args[2] = {addr, p->now[(*c)++]};
        put_new(p,
                (ilc__ir_value){.op = ILC__OP_STOREIND,
                                .type = ILC__IR_VOID,
                                .storage = field->storage,
                                .arg_count = 2,
                                .args = args},
                like);
    }
}

/* Is it a slot of the compiler's, on the way to where the source puts the struct? VB keeps a result in one named as its
 * function. */
static bool is_between(const promoter *p, uint32_t slot)
{
    const ilc__ir_slot *s = &p->func->slots.items[slot];
    return !s->is_named || (s->name && p->func->name && strcmp(s->name, p->func->name) == 0);
}

static void rewrite_copy(promoter *p, ilc__ref ref, uint32_t to, uint32_t from)
{
    ilc__ir_value like = p->func->values.items[ref];
    uint32_t      count = count_cells(like.layout);
    if (to == from || count == 0) return; /* a struct without fields has no cell to look at */
    if (to == UINT32_MAX) {
        /* the statement that filled such a slot is the one that the source has */
        const ilc__ir_value *filled = &p->func->values.items[p->now[from]];
        if (filled->op == ILC__OP_COPY && filled->has_il && is_between(p, p->cells.items[from].slot)) like.il = filled->il;
        copy_fields(p, like.args[0], like.layout, &from, false, &like);
    } else if (from == UINT32_MAX) {
        copy_fields(p, like.args[1], like.layout, &to, true, &like);
    } else {
        for (uint32_t i = 0; i < count; i++)
            set_cell(p, to + i, p->now[from + i], &like);
    }
}

static void rewrite_value(promoter *p, ilc__ref ref)
{
    const ilc__ir_value *value = &p->func->values.items[ref];
    uint32_t             first = value->arg_count ? cell_at(p, value->args[0]) : UINT32_MAX;
    switch (value->op) {
    case ILC__OP_SLOTADDR:
    case ILC__OP_FIELDADDR:
        if (cell_at(p, ref) == UINT32_MAX) put(p, ref);
        return;
    case ILC__OP_LOADIND:
        if (first != UINT32_MAX)
            rewrite_load(p, ref, first);
        else
            put(p, ref);
        return;
    case ILC__OP_STOREIND:
        if (first != UINT32_MAX)
            rewrite_store(p, ref, first);
        else
            put(p, ref);
        return;
    case ILC__OP_ZEROMEM:
        if (first != UINT32_MAX)
            rewrite_zero(p, ref, first);
        else
            put(p, ref);
        return;
    case ILC__OP_COPYMEM: {
        uint32_t from = cell_at(p, value->args[1]);
        if (first != UINT32_MAX || from != UINT32_MAX)
            rewrite_copy(p, ref, first, from);
        else
            put(p, ref);
        return;
    }
    default: put(p, ref);
    }
}

/* Parameters; zeros for what may be read before it is written. */
static void begin_entry(promoter *p)
{
    for (uint32_t c = 0; c < p->cells.count; c++) {
        cell          to = p->cells.items[c];
        bool          is_param = p->func->slots.items[to.slot].is_param;
        ilc__ir_value value = {.op = is_param ? ILC__OP_PARAM : ILC__OP_CONST,
                               .type = ilc__storage_ir_type(to.storage),
                               .var = to.var};
        p->now[c] = is_param || is_live(p, 0, c) ? put_new(p, value, NULL) : 0;
    }
}

static void begin_block(promoter *p)
{
    const ilc__ir_block *block = &p->func->blocks.items[p->block];
    if (block->preds.count == 1) {
        memcpy(p->now, p->exits + (size_t)block->preds.items[0] * p->cells.count,
               p->cells.count * sizeof *p->now);
        return;
    }
    for (uint32_t c = 0; c < p->cells.count; c++) {
        ilc__ir_value phi = {.op = ILC__OP_PHI,
                             .type = ilc__storage_ir_type(p->cells.items[c].storage),
                             .var = p->cells.items[c].var};
        p->now[c] = is_live(p, p->block, c) ? put_new(p, phi, NULL) : 0;
    }
}

/* New phis stand first in their block, in the order of the cells that are live there. */
static void finish_phis(promoter *p)
{
    for (uint32_t b = 1; b < p->func->blocks.count; b++) {
        const ilc__ir_block *block = &p->func->blocks.items[b];
        uint32_t             next = 0;
        for (uint32_t c = 0; block->preds.count != 1 && c < p->cells.count; c++) {
            if (!is_live(p, b, c)) continue;
            ilc__ir_value *phi = &p->func->values.items[block->list.items[next++]];
            phi->arg_count = block->preds.count;
            phi->args = ILC__NEW_ARRAY(p->func->arena, ilc__ref, block->preds.count);
            for (uint32_t k = 0; k < block->preds.count; k++)
                phi->args[k] = p->exits[(size_t)block->preds.items[k] * p->cells.count + c];
        }
    }
}

static void rewrite_blocks(promoter *p)
{
    ilc__ir_func *f = p->func;
    for (uint32_t i = 0; i < f->order.count; i++) {
        p->block = f->order.items[i];
        p->list.items = NULL;
        p->list.count = p->list.capacity = 0;
        if (p->block == 0)
            begin_entry(p);
        else
            begin_block(p);
        for (uint32_t k = 0; k < f->blocks.items[p->block].list.count; k++)
            rewrite_value(p, f->blocks.items[p->block].list.items[k]);
        ilc__ir_block *block = &f->blocks.items[p->block];
        block->list.items = p->list.items;
        block->list.count = p->list.count;
        block->list.capacity = p->list.capacity;
        memcpy(p->exits + (size_t)p->block * p->cells.count, p->now, p->cells.count * sizeof *p->now);
    }
    finish_phis(p);
}

/* --- afterwards ----------------------------------------------------------------------------------------- */

/* Reads whose uses can read the version itself. */
static void read_through(promoter *p)
{
    ilc__ir_func *f = p->func;
    ilc__site     site;
    ilc__ref     *map = ilc__edit_map(f);
    bool         *drop = ILC__NEW_ARRAY(f->arena, bool, f->values.count),
         *is_read = ILC__NEW_ARRAY(f->arena, bool, f->values.count);
    for (uint32_t i = 0; i < p->reads.count; i++)
        is_read[p->reads.items[i]] = true;
    ilc__site_init(&site, f);
    for (site.block = 0; site.block < f->blocks.count; site.block++) {
        const ilc__ir_block *block = &f->blocks.items[site.block];
        for (site.index = 0; site.index < block->list.count; site.index++) {
            ilc__ref       ref = block->list.items[site.index];
            ilc__ir_value *value = &f->values.items[ref];
            ilc__edit_replace_args(f, value, map);
            if (!is_read[ref] || !ilc__site_yields(&site, value->args[0])) continue;
            map[ref] = value->args[0];
            site.uses[value->args[0]] += site.uses[ref];
            drop[ref] = true;
        }
    }
    ilc__edit_apply(f, map);
    ilc__edit_drop(f, drop);
}

/* The slots that stay move together; parameters stay slots where they are not promoted. */
static void drop_slots(promoter *p)
{
    ilc__ir_func *f = p->func;
    uint32_t     *number = ILC__NEW_ARRAY(f->arena, uint32_t, f->slots.count), kept = 1;
    for (uint32_t s = 1; s < f->slots.count; s++) {
        if (!p->kept[s]) continue;
        number[s] = kept;
        f->slots.items[kept++] = f->slots.items[s];
    }
    f->slots.count = kept;
    for (uint32_t b = 0; b < f->blocks.count; b++) {
        const ilc__ir_block *block = &f->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            ilc__ir_value *value = &f->values.items[block->list.items[i]];
            if (value->op == ILC__OP_SLOTADDR || value->op == ILC__OP_NEWARR) value->u.slot = number[value->u.slot];
        }
    }
}

static bool any_promoted(const promoter *p)
{
    for (uint32_t s = 1; s < p->func->slots.count; s++)
        if (!p->kept[s]) return true;
    return false;
}

bool ilc__pass_promote(ilc__ir_func *func)
{
    promoter p = {.func = func, .value_count = func->values.count};
    uint64_t state = 0;
    if (func->slots.count <= 1) return false;
    p.kept = ILC__NEW_ARRAY(func->arena, bool, func->slots.count);
    p.first_cell = ILC__NEW_ARRAY(func->arena, uint32_t, func->slots.count);
    p.slot_of = ILC__NEW_ARRAY(func->arena, uint32_t, func->values.count);
    p.place = ILC__NEW_ARRAY(func->arena, uint32_t, func->values.count);
    for (uint32_t s = 1; s < func->slots.count; s++) {
        const ilc__ir_slot *slot = &func->slots.items[s];
        uint32_t            count = slot->layout ? count_cells(slot->layout) : 1;
        state += (uint64_t)count * func->blocks.count;
        /* a struct parameter is memory of the caller's */
        p.kept[s] = slot->is_array || count > MAX_CELLS || state > MAX_STATE || (slot->is_param && slot->layout) ||
                    (slot->layout && slot->layout->is_whole);
    }
    find_addresses(&p);
    find_escapes(&p);
    if (!any_promoted(&p)) return false;
    make_cells(&p);
    find_liveness(&p);
    p.exits = ILC__NEW_ARRAY(func->arena, ilc__ref, (size_t)func->blocks.count * p.cells.count);
    p.now = ILC__NEW_ARRAY(func->arena, ilc__ref, p.cells.count);
    rewrite_blocks(&p);
    read_through(&p);
    drop_slots(&p);
    return true;
}
