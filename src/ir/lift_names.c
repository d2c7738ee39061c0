/* lift_names.c - the source's names of locals. Compilers use one slot for several variables of the source, one after the
 * other, and for values that it has no variable for: each set of versions that meet in phis is a variable of its own,
 * named after the scope that it is written in. */
#include "il/instance.h"
#include "ir/lift.h"

/* VB names the slot of a function's value after the function, or the property: no name of the source's. */
static bool is_result(const ilc__lift *l, uint32_t local, const char *name)
{
    const char *method = l->method->name;
    bool        reads = local == 0 && strncmp(method, "get_", 4) == 0;
    return strcmp(name, method) == 0 || (reads && strcmp(name, method + 4) == 0);
}

static const char *name_at(const ilc__lift *l, uint32_t local, const ilc__insn *insn)
{
    const char *name = ilc__debug_local(l->method, local, insn->offset);
    if (!name) name = ilc__debug_local(l->method, local, insn->next); /* a scope may begin behind its first store */
    return name && *name && !is_result(l, local, name) ? name : NULL;
}

/* What a form by rows has instead of its method's arguments. */
static void name_rows(ilc__lift *l)
{
    const ilc__method *form = l->method;
    for (uint32_t k = 0; ilc__form_has_rows(form) && k < form->row_count; k++) {
        uint32_t var = l->local_vars[l->body.local_count - form->row_count + k];
        if (var) l->func->vars.items[var].name = ilc__arena_printf(l->func->arena, "%sRow", form->param_names[form->rows[k]]);
    }
}

void ilc__lift_name_locals(ilc__lift *l)
{
    name_rows(l);
    if (!ilc__debug_available(l->method->image)) return;
    for (uint32_t i = 0; i < l->body.insn_count; i++) {
        const ilc__insn *insn = &l->body.insns[i];
        bool             writes = false;
        uint32_t         number = ilc__lift_variable(l, insn, &writes), slot = ilc__lift_named_slot(l, insn);
        if (!number && !slot) continue;
        ilc__ir_var  *var = &l->func->vars.items[number];
        ilc__ir_slot *place = slot ? &l->func->slots.items[slot] : NULL;
        if (place ? place->is_param || place->is_named : var->is_param || var->is_named) continue;
        const char *name = name_at(l, place ? place->slot : var->slot, insn);
        if (!name) continue;
        *(place ? &place->name : &var->name) = name;
        *(place ? &place->is_named : &var->is_named) = true;
    }
}

/* --- one slot, several variables ------------------------------------------------------------------------------------ */

typedef struct web { /* versions of one slot that phis join; of the version that stands for them all */
    const char *name;    /* of the first write that has one */
    bool        written;
} web;

static ilc__ref find(ilc__ref *joined, ilc__ref ref)
{
    while (joined[ref] != ref) ref = joined[ref] = joined[joined[ref]];
    return ref;
}

static bool is_local(const ilc__lift *l, const ilc__ir_value *value)
{
    return value->var > l->func->param_count && value->var <= l->var_count;
}

static void join_versions(const ilc__lift *l, ilc__ref *joined)
{
    const ilc__ir_func *func = l->func;
    for (ilc__ref ref = 1; ref < func->values.count; ref++) joined[ref] = ref;
    for (ilc__ref ref = 1; ref < func->values.count; ref++) {
        const ilc__ir_value *value = &func->values.items[ref];
        if (value->op != ILC__OP_PHI || !is_local(l, value)) continue;
        for (uint32_t k = 0; k < value->arg_count; k++) joined[find(joined, value->args[k])] = find(joined, ref);
    }
}

static web *find_webs(ilc__lift *l, ilc__ref *joined)
{
    web *webs = ILC__NEW_ARRAY(l->arena, web, l->func->values.count);
    join_versions(l, joined);
    for (ilc__ref ref = 1; ref < l->func->values.count; ref++) {
        const ilc__ir_value *value = &l->func->values.items[ref];
        if (value->op != ILC__OP_COPY || !value->has_il || !is_local(l, value)) continue;
        web *w = &webs[find(joined, ref)];
        w->written = true;
        if (!w->name) w->name = name_at(l, l->func->vars.items[value->var].slot, &l->body.insns[l->body.index[value->il]]);
    }
    return webs;
}

/* The variable of that name in the slot of `var`; without a name, that of the web. */
static uint32_t variable_for(ilc__lift *l, ilc__map *known, uint32_t var, const char *name, ilc__ref root)
{
    const char *key = name ? ilc__arena_printf(l->arena, "%u %s", var, name) : ilc__arena_printf(l->arena, "%u", root);
    uint32_t   *found = ilc__map_get(known, key, strlen(key));
    if (found) return *found;
    ilc__ir_var made = l->func->vars.items[var];
    made.is_named = name != NULL;
    made.name = name ? name : ilc__arena_printf(l->func->arena, "V_%u", made.slot);
    found = ILC__NEW(l->arena, uint32_t);
    *found = ilc__ir_add_var(l->func, made);
    ilc__map_put(known, key, strlen(key), found);
    return *found;
}

void ilc__lift_part_names(ilc__lift *l)
{
    if (!ilc__debug_available(l->method->image)) return;
    ilc__ref *joined = ILC__NEW_ARRAY(l->arena, ilc__ref, l->func->values.count);
    web      *webs = find_webs(l, joined);
    ilc__map  known = {.arena = l->arena};
    ilc__ref *keeps = ILC__NEW_ARRAY(l->arena, ilc__ref, l->func->vars.count); /* by variable without a name: its web */
    for (ilc__ref ref = 1; ref < l->func->values.count; ref++) {
        ilc__ir_value *value = &l->func->values.items[ref];
        if (!is_local(l, value)) continue;
        ilc__ref           root = find(joined, ref);
        const web         *w = &webs[root];
        const ilc__ir_var *var = &l->func->vars.items[value->var];
        if (!w->written || (w->name && strcmp(w->name, var->name) == 0)) continue;
        if (!var->is_named && !keeps[value->var]) keeps[value->var] = root;
        if (!var->is_named && keeps[value->var] == root) continue;
        value->var = variable_for(l, &known, value->var, w->name, root);
    }
}
