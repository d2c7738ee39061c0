/* ir_run.h - runs IR, for tests only: as SSA says, or with one variable for all versions, as it leaves SSA.
 * Memory is cells of 64 bits, one for each scalar of a struct; an address points to the first of its cells.
 */
#ifndef ILC_TESTS_UNIT_OPT_IR_RUN_H
#define ILC_TESTS_UNIT_OPT_IR_RUN_H

#include "../ir/unit.h"

#include "ir/ir.h"
#include "meta/layout.h"

enum { RUN_LENGTH = 8 };

typedef struct run_array {
    ilc_storage elem;
    int64_t     length;
    uint32_t    rank; /* 2 or 3; 0: one dimension */
    int64_t     dims[3];
    uint64_t    data[RUN_LENGTH];
} run_array;

typedef union run_value {
    uint64_t   bits;
    run_array *array; /* NULL: null */
    uint64_t  *cell;  /* an address */
} run_value;

typedef enum run_end { RUN_DONE, RUN_TRAPPED, RUN_FUEL } run_end;

typedef struct run {
    ilc__arena *arena;
    uint64_t    fuel;
    bool        by_variable;
    run_value   result;
    const char *exception, *message, *where;
    uint32_t    il, depth;
} run;

/* A number as its storage keeps it. */
static inline uint64_t run_cut(ilc_storage storage, uint64_t bits)
{
    switch (storage) {
    case ILC_BOOL:
    case ILC_U8: return (uint8_t)bits;
    case ILC_I8: return (uint64_t)(int64_t)(int8_t)bits;
    case ILC_I16: return (uint64_t)(int64_t)(int16_t)bits;
    case ILC_CHAR:
    case ILC_U16: return (uint16_t)bits;
    case ILC_I32:
    case ILC_U32: return (uint64_t)(int64_t)(int32_t)bits;
    case ILC_F32: return (uint32_t)bits;
    default: return bits;
    }
}

static run_end run_function(run *r, const ilc__ir_func *func, const run_value *args);

static inline run_end run_trap(run *r, const ilc__ir_func *func, const ilc__ir_value *at,
                               const char *exception, const char *message)
{
    r->exception = exception;
    r->message = message;
    r->where = func->name;
    r->il = at->il;
    return RUN_TRAPPED;
}

static inline run_end run_raise(run *r, const ilc__ir_func *func, const ilc__ir_value *at,
                                ilc__exception_id id)
{
    return run_trap(r, func, at, ilc__exception_type(id), ilc__exception_message(id));
}

typedef struct frame {
    const ilc__ir_func *func;
    run_value          *values, *vars;
    const run_value    *args;
    uint64_t          **slots;
} frame;

static inline uint32_t run_cells(const ilc__layout *layout)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < layout->field_count; i++)
        count += layout->fields[i].layout ? run_cells(layout->fields[i].layout) : 1;
    return count;
}

static inline void run_make_slots(run *r, frame *f)
{
    f->slots = ILC__NEW_ARRAY(r->arena, uint64_t *, f->func->slots.count);
    for (uint32_t s = 1; s < f->func->slots.count; s++) {
        const ilc__ir_slot *slot = &f->func->slots.items[s];
        f->slots[s] = ILC__NEW_ARRAY(r->arena, uint64_t, slot->layout ? run_cells(slot->layout) : 1);
        if (slot->is_param && slot->layout)
            f->slots[s] = f->args[slot->slot].cell;
        else if (slot->is_param)
            f->slots[s][0] = f->args[slot->slot].bits;
    }
}

static inline run_value run_read(const run *r, const frame *f, ilc__ref ref)
{
    uint32_t var = f->func->values.items[ref].var;
    return r->by_variable && var ? f->vars[var] : f->values[ref];
}

static inline void run_write(frame *f, ilc__ref ref, run_value value)
{
    f->values[ref] = value;
    f->vars[f->func->values.items[ref].var] = value;
}

/* The element's number, or -1. */
static inline int64_t run_place(const run *r, const frame *f, const ilc__ir_value *value, const run_array *array)
{
    int64_t flat = 0;
    for (uint32_t k = 0; k == 0 || k < array->rank; k++) {
        int64_t index = (int64_t)run_read(r, f, value->args[1 + k]).bits;
        if (f->func->values.items[value->args[1 + k]].type == ILC__IR_I32) index = (int32_t)index;
        int64_t length = array->rank > 1 ? array->dims[k] : array->length;
        if (index < 0 || index >= length) return -1;
        flat = flat * length + index;
    }
    return flat;
}

static inline run_end run_dimension(const run_array *array, uint64_t number, run_value *out)
{
    if ((uint32_t)number >= (array->rank > 1 ? array->rank : 1)) return RUN_TRAPPED;
    out->bits = (uint64_t)(array->rank > 1 ? array->dims[(uint32_t)number] : array->length);
    return RUN_DONE;
}

static inline run_end run_memory(run *r, frame *f, const ilc__ir_value *value, run_value *out)
{
    run_array *array = run_read(r, f, value->args[0]).array;
    if (!array && value->safe) fail_msg("%s: what is safe at IL_%04x met null", f->func->name, value->il);
    if (!array) return run_raise(r, f->func, value, ILC__EXC_NULL_REFERENCE);
    if (value->op == ILC__OP_LEN) {
        out->bits = (uint64_t)array->length;
        return RUN_DONE;
    }
    if (value->op == ILC__OP_DIM) {
        run_end end = run_dimension(array, run_read(r, f, value->args[1]).bits, out);
        return end == RUN_DONE ? end : run_raise(r, f->func, value, ILC__EXC_DIMENSION);
    }
    int64_t index = run_place(r, f, value, array);
    if (index < 0 && value->safe) fail_msg("%s: what is safe at IL_%04x was out of bounds", f->func->name, value->il);
    if (index < 0) return run_raise(r, f->func, value, ILC__EXC_INDEX);
    if (value->op == ILC__OP_ELEMADDR)
        out->cell = &array->data[index];
    else if (value->op == ILC__OP_STORE)
        array->data[index] = run_cut(array->elem, run_read(r, f, value->args[value->arg_count - 1]).bits);
    else
        out->bits = array->data[index];
    return RUN_DONE;
}

static inline void run_address(run *r, frame *f, const ilc__ir_value *value, run_value *out)
{
    uint64_t *to = value->arg_count ? run_read(r, f, value->args[0]).cell : NULL;
    uint32_t  cells = value->layout ? run_cells(value->layout) : 0;
    switch (value->op) {
    case ILC__OP_SLOTADDR: out->cell = f->slots[value->u.slot]; return;
    case ILC__OP_FIELDADDR:
        out->cell = to;
        for (uint32_t i = 0; i < value->u.field; i++)
            out->cell += value->layout->fields[i].layout ? run_cells(value->layout->fields[i].layout) : 1;
        return;
    case ILC__OP_ADDADDR: /* whole cells only */
        out->cell = to + (int64_t)run_read(r, f, value->args[1]).bits / (int64_t)ilc_storage_size(value->storage);
        return;
    case ILC__OP_LOADIND: out->bits = *to; return;
    case ILC__OP_STOREIND: *to = run_cut(value->storage, run_read(r, f, value->args[1]).bits); return;
    case ILC__OP_COPYMEM: memmove(to, run_read(r, f, value->args[1]).cell, cells * sizeof *to); return;
    default: memset(to, 0, cells * sizeof *to);
    }
}

static inline run_end run_value_of(run *r, frame *f, const ilc__ir_value *value, run_value *out)
{
    run_value         args[16];
    ilc__exception_id exception;
    out->bits = 0;
    switch (value->op) {
    case ILC__OP_CONST: out->bits = value->u.bits; return RUN_DONE;
    case ILC__OP_PARAM: *out = f->args[value->var - 1]; return RUN_DONE;
    case ILC__OP_COPY: *out = run_read(r, f, value->args[0]); return RUN_DONE;
    case ILC__OP_LOAD:
    case ILC__OP_STORE:
    case ILC__OP_LEN:
    case ILC__OP_DIM:
    case ILC__OP_ELEMADDR: return run_memory(r, f, value, out);
    case ILC__OP_ISNULL: out->bits = !run_read(r, f, value->args[0]).array; return RUN_DONE;
    case ILC__OP_SAMEREF:
        out->bits = run_read(r, f, value->args[0]).array == run_read(r, f, value->args[1]).array;
        return RUN_DONE;
    case ILC__OP_SPANOF: {
        static run_array nothing;
        out->array = run_read(r, f, value->args[0]).array;
        if (!out->array) out->array = &nothing;
        return RUN_DONE;
    }
    case ILC__OP_NEWEXC: return RUN_DONE;
    case ILC__OP_NONNULL:
        return run_read(r, f, value->args[0]).cell ? RUN_DONE : run_raise(r, f->func, value, ILC__EXC_NULL_REFERENCE);
    case ILC__OP_SLOTADDR:
    case ILC__OP_FIELDADDR:
    case ILC__OP_ADDADDR:
    case ILC__OP_LOADIND:
    case ILC__OP_STOREIND:
    case ILC__OP_COPYMEM:
    case ILC__OP_ZEROMEM: run_address(r, f, value, out); return RUN_DONE;
    case ILC__OP_CALL: {
        run_end end;
        assert_true(value->arg_count <= 16);
        for (uint32_t i = 0; i < value->arg_count; i++)
            args[i] = run_read(r, f, value->args[i]);
        if (r->depth == 200) return RUN_FUEL;
        r->depth++;
        end = run_function(r, value->u.callee, args);
        r->depth--;
        *out = r->result;
        return end;
    }
    default: break;
    }
    uint64_t a = run_read(r, f, value->args[0]).bits,
             b = value->arg_count > 1 ? run_read(r, f, value->args[1]).bits : 0,
             c = value->arg_count > 2 ? run_read(r, f, value->args[2]).bits : 0;
    if (ilc__op_eval3(value->op, a, b, c, &out->bits, &exception)) return RUN_DONE;
    return run_raise(r, f->func, value, exception);
}

/* Phis of one block read before any of them is written. As variables they do nothing. */
static inline uint32_t run_phis(run *r, frame *f, uint32_t from, uint32_t to)
{
    const ilc__ir_block *block = &f->func->blocks.items[to];
    run_value            read[256];
    uint32_t             place = 0, count = 0;
    while (place < block->preds.count && block->preds.items[place] != from)
        place++;
    for (; count < block->list.count && f->func->values.items[block->list.items[count]].op == ILC__OP_PHI;
         count++) {
        const ilc__ir_value *phi = &f->func->values.items[block->list.items[count]];
        assert_true(count < 256);
        read[count] = run_read(r, f, phi->args[place]);
    }
    for (uint32_t i = 0; i < count; i++)
        run_write(f, block->list.items[i], read[i]);
    return count;
}

static inline uint32_t run_target(run *r, const frame *f, const ilc__ir_block *block,
                                  const ilc__ir_value *end)
{
    uint32_t number = end->arg_count ? (uint32_t)run_read(r, f, end->args[0]).bits : 0,
             last = block->succs.count - 1;
    if (end->op == ILC__OP_JUMP) return block->succs.items[0];
    if (end->op == ILC__OP_BRANCH) return block->succs.items[number ? 0 : 1];
    return block->succs.items[number < last ? number : last];
}

static run_end run_function(run *r, const ilc__ir_func *func, const run_value *args)
{
    frame    f = {.func = func,
                  .args = args,
                  .values = ILC__NEW_ARRAY(r->arena, run_value, func->values.count),
                  .vars = ILC__NEW_ARRAY(r->arena, run_value, func->vars.count)};
    uint32_t block = 0, first = 0;
    run_make_slots(r, &f);
    for (;;) {
        const ilc__ir_block *b = &func->blocks.items[block];
        for (uint32_t i = first; i < b->list.count; i++) {
            ilc__ref             ref = b->list.items[i];
            const ilc__ir_value *value = &func->values.items[ref];
            run_value            out;
            if (!r->fuel--) return r->fuel = 0, RUN_FUEL;
            if (value->op == ILC__OP_RETURN) {
                r->result.bits = 0;
                if (value->arg_count) r->result = run_read(r, &f, value->args[0]);
                return RUN_DONE;
            }
            if (value->op == ILC__OP_THROW) {
                const ilc__ir_value  *made = &func->values.items[value->args[0]];
                const char           *open[ILC__EXCEPTION_ARGS] = {0};
                for (uint32_t k = 0; k < made->arg_count; k++)
                    open[k] = func->strings->items[(uint32_t)run_read(r, &f, made->args[k]).bits];
                return run_trap(r, func, value, made->u.exc->type, ilc__exception_compose(r->arena, made->u.exc, open));
            }
            if (i + 1 == b->list.count) {
                uint32_t to = run_target(r, &f, b, value);
                first = run_phis(r, &f, block, to);
                block = to;
                break;
            }
            run_end end = run_value_of(r, &f, value, &out);
            if (end != RUN_DONE) return end;
            if (value->type != ILC__IR_VOID) run_write(&f, ref, out);
        }
    }
}

#endif
