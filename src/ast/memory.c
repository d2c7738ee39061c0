/* memory.c - addresses while a function leaves SSA (docs/memory.md, Tree): the variables that slots become, what a
 * by-ref points to, and which addresses are written anew at each of their uses.
 *
 * An address of a slot is the same everywhere, so it never takes a variable. A field's address is built where it
 * is used when what it starts from stands in a variable that holds nothing else: extending the life of that value
 * cannot clash with another version. */
#include "ast/build.h"

enum { MAX_FIELDS = 32 }; /* fields of fields in one expression */

static void make_slot_var(ilc__builder *b, uint32_t slot)
{
    const ilc__ir_slot *s = &b->ir->slots.items[slot];
    ilc__var           *var;
    if (s->is_param) {
        var = b->ir_var[s->slot + 1];
    } else {
        const char *name = s->is_temp ? ilc__arena_printf(b->arena, "t%u", ++b->temps) : s->name;
        var = ilc__var_new(b, name, s->storage, false);
        var->is_named = s->is_named;
        var->is_temp = s->is_temp;
        if (s->is_named) b->has_debug = true;
    }
    var->is_slot = true;
    var->layout = s->layout;
    var->count = s->count;
    var->is_array = s->is_array;
    var->is_dynamic = s->is_dynamic;
    var->table = s->table;
    b->slot_var[slot] = var;
}

void ilc__ast_make_slots(ilc__builder *b, bool temps)
{
    if (!b->slot_var) b->slot_var = ILC__NEW_ARRAY(b->arena, ilc__var *, (size_t)b->ir->slots.count + 1);
    for (uint32_t s = 1; s < b->ir->slots.count; s++)
        if (!b->slot_var[s] && b->ir->slots.items[s].is_temp == temps) make_slot_var(b, s);
}

/* Through copies that no variable holds. */
ilc__pointee ilc__ast_pointee(const ilc__ir_func *ir, ilc__ref addr)
{
    for (uint32_t steps = 0; steps < ir->values.count; steps++) {
        const ilc__ir_value *v = &ir->values.items[addr];
        if (v->var || (v->op != ILC__OP_COPY && v->op != ILC__OP_PHI) || v->arg_count == 0) break;
        addr = v->args[0];
    }
    return ilc__ir_pointee(ir, addr);
}

/* --- which addresses are built at each use ----------------------------------------------------------------- */

static bool is_plain(const ilc__ir_value *v, ilc__op op)
{
    return v->op == op && !v->var;
}

static ilc__ref user_at(const ilc__builder *b, ilc__use u)
{
    return b->ir->blocks.items[u.block].list.items[u.place];
}

/* Is it read once, in its own block, there by what is no field's address or is itself read so? */
static bool has_one_place(const ilc__builder *b, const ilc__use_table *t, ilc__ref ref)
{
    for (;;) {
        const ilc__ir_value *v = &b->ir->values.items[ref];
        if (b->use_count[ref] != 1) return false;
        ilc__use u = t->uses[t->first[ref]];
        if (u.block != v->block || u.place == UINT32_MAX) return false;
        ref = user_at(b, u);
        if (!is_plain(&b->ir->values.items[ref], ILC__OP_FIELDADDR)) return true;
    }
}

static bool is_built_anew(const ilc__builder *b, const ilc__use_table *t, const bool *isolated,
                          const uint32_t *versions, ilc__ref ref)
{
    const ilc__ir_value *v = &b->ir->values.items[ref];
    if (!b->live[ref] || v->var) return false;
    if (v->op == ILC__OP_SLOTADDR) return true;
    if (v->op != ILC__OP_FIELDADDR) return false;
    ilc__ref base = v->args[0];
    for (uint32_t depth = 0; is_plain(&b->ir->values.items[base], ILC__OP_FIELDADDR); depth++) {
        if (depth == MAX_FIELDS) return false;
        base = b->ir->values.items[base].args[0];
    }
    const ilc__ir_value *start = &b->ir->values.items[base];
    if (is_plain(start, ILC__OP_SLOTADDR)) return true;
    if (has_one_place(b, t, ref)) return false;
    uint32_t var = b->same_var[start->var];
    return !start->var || isolated[var] || versions[var] == 1;
}

void ilc__ast_choose_addresses(ilc__builder *b, const ilc__use_table *t, const bool *isolated)
{
    uint32_t  count = b->ir->values.count;
    uint32_t *versions = ILC__NEW_ARRAY(b->arena, uint32_t, b->ir->vars.count + 1);
    b->anew = ILC__NEW_ARRAY(b->arena, bool, count);
    for (ilc__ref ref = 1; ref < count; ref++)
        if (b->live[ref]) versions[b->same_var[b->ir->values.items[ref].var]]++;
    for (ilc__ref ref = 1; ref < count; ref++) b->anew[ref] = is_built_anew(b, t, isolated, versions, ref);
}
