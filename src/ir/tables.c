/* tables.c - static read-only arrays are stored to by nobody: neither a function that reads one, nor what it passes
 * one to or returns it to (docs/memory.md). An element's address counts as a store. */
#include "ir/ir.h"

typedef struct flows {
    ilc__context        *ctx;
    ilc__ir_func *const *funcs;
    uint32_t             count;
    bool               **stored; /* function -> parameter -> its array may be stored to */
    const ilc__static  **gives;  /* function -> one that it may return, or NULL         */
    bool                 changed;
} flows;

static uint32_t number_of(const flows *w, const ilc__ir_func *func)
{
    uint32_t i = 0;
    while (i < w->count && w->funcs[i] != func) i++;
    return i;
}

static bool *stored_of(const flows *w, const ilc__ir_func *func)
{
    uint32_t number = number_of(w, func);
    return number < w->count ? w->stored[number] : NULL;
}

/* The source and what it is copied to; what a call returns may be any array that it is given. */
static bool *spread(const ilc__ir_func *f, ilc__ref source)
{
    bool *derived = ILC__NEW_ARRAY(f->arena, bool, f->values.count);
    derived[source] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (ilc__ref r = 1; r < f->values.count; r++) {
            const ilc__ir_value *value = &f->values.items[r];
            bool hands_on = value->op == ILC__OP_COPY || value->op == ILC__OP_PHI || value->op == ILC__OP_SPANOF || value->op == ILC__OP_SPAN ||
                            value->op == ILC__OP_SPANAT || value->op == ILC__OP_DATAADDR ||
                            (value->op == ILC__OP_CALL && value->type == ILC__IR_REF);
            if (derived[r] || !hands_on) continue;
            for (uint32_t k = 0; k < value->arg_count; k++)
                if (derived[value->args[k]]) derived[r] = changed = true;
        }
    }
    return derived;
}

/* The value that may store to the source; 0 for none. */
static ilc__ref store_to(const flows *w, const ilc__ir_func *f, ilc__ref source)
{
    const bool *derived = spread(f, source);
    for (ilc__ref r = 1; r < f->values.count; r++) {
        const ilc__ir_value *value = &f->values.items[r];
        bool                 stores = value->op == ILC__OP_STORE || value->op == ILC__OP_ELEMADDR;
        if (stores && derived[value->args[0]]) return r;
        const bool *stored = value->op == ILC__OP_CALL ? stored_of(w, value->u.callee) : NULL;
        for (uint32_t k = 0; stored && k < value->arg_count; k++)
            if (stored[k] && derived[value->args[k]]) return r;
    }
    return 0;
}

static void look(flows *w, uint32_t number)
{
    const ilc__ir_func *f = w->funcs[number];
    for (ilc__ref r = 1; r < f->values.count; r++) {
        const ilc__ir_value *value = &f->values.items[r];
        if (value->op != ILC__OP_PARAM || value->type != ILC__IR_REF || w->stored[number][value->var - 1]) continue;
        if (store_to(w, f, r)) w->stored[number][value->var - 1] = w->changed = true;
    }
}

static const ilc__static *table_of(const flows *w, const ilc__ir_func *f, ilc__ref ref)
{
    const ilc__ir_value *value = &f->values.items[ref];
    if (value->op == ILC__OP_CALL && value->type == ILC__IR_REF) {
        uint32_t number = number_of(w, value->u.callee);
        return number < w->count ? w->gives[number] : NULL;
    }
    return value->op == ILC__OP_NEWARR ? f->slots.items[value->u.slot].table : NULL;
}

static const ilc__static *given_by(const flows *w, const ilc__ir_func *f)
{
    for (ilc__ref r = 1; f->ret_array && r < f->values.count; r++) {
        const ilc__static *table = table_of(w, f, r);
        const bool        *derived = table ? spread(f, r) : NULL;
        for (ilc__ref k = 1; derived && k < f->values.count; k++)
            if (f->values.items[k].op == ILC__OP_RETURN && derived[f->values.items[k].args[0]]) return table;
    }
    return NULL;
}

static ilc_status check(const flows *w, const ilc__ir_func *f)
{
    for (ilc__ref r = 1; r < f->values.count; r++) {
        const ilc__static *table = table_of(w, f, r);
        ilc__ref           store = table ? store_to(w, f, r) : 0;
        if (!store) continue;
        ilc__where where = ilc__method_where(f->method, f->values.items[store].il);
        return ilc__refuse(w->ctx, &where, "a store to the static array %s", table->name);
    }
    return ILC_OK;
}

static bool has_table(const ilc__ir_func *f)
{
    for (uint32_t s = 1; s < f->slots.count; s++)
        if (f->slots.items[s].table) return true;
    return false;
}

ilc_status ilc__ir_check_tables(ilc__context *ctx, ilc__ir_func *const *funcs, uint32_t count)
{
    flows w = {.ctx = ctx, .funcs = funcs, .count = count, .changed = false};
    for (uint32_t i = 0; i < count; i++) w.changed = w.changed || has_table(funcs[i]);
    if (!w.changed) return ILC_OK;
    w.stored = ILC__NEW_ARRAY(funcs[0]->arena, bool *, count);
    for (uint32_t i = 0; i < count; i++) w.stored[i] = ILC__NEW_ARRAY(funcs[i]->arena, bool, funcs[i]->param_count + 1u);
    w.gives = ILC__NEW_ARRAY(funcs[0]->arena, const ilc__static *, count);
    while (w.changed) {
        w.changed = false;
        for (uint32_t i = 0; i < count; i++) {
            if (w.gives[i] || !(w.gives[i] = given_by(&w, funcs[i]))) continue;
            w.changed = true;
        }
        for (uint32_t i = 0; i < count; i++) look(&w, i);
    }
    for (uint32_t i = 0; i < count; i++) ILC__TRY(check(&w, funcs[i]));
    return ILC_OK;
}
