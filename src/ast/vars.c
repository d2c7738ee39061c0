/* vars.c - leaving SSA: which values live, which are rebuilt inside their one use, and which variable holds
 * each of the others. Versions of a source variable share it (ir.h promises that they never meet); a variable
 * whose versions do meet is isolated: each version gets a variable, and each phi two, the second written at the
 * end of each predecessor and read at the phi. So neither swaps nor lost copies can go wrong, and copies need
 * no order (Sreedhar et al., Translating Out of SSA Form, 1999, method I). */
#include <ctype.h>

#include "ast/build.h"

/* --- variables and their names ---------------------------------------------------------------------------- */

static const char *fold_case(ilc__arena *arena, const char *name)
{
    char *folded = ilc__arena_strdup(arena, name);
    for (char *c = folded; *c; c++) *c = (char)tolower((unsigned char)*c);
    return folded;
}

/* VB takes no two names that differ in case only. */
static const char *unique_name(ilc__builder *b, const char *wanted)
{
    if (!wanted || !*wanted) wanted = "V";
    const char *name = wanted, *key = fold_case(b->arena, name);
    uint32_t   *number = ilc__map_get(&b->names, key, strlen(key)), *last = number; /* the last that a name was given */
    while (number) {
        name = ilc__arena_printf(b->arena, "%s_%u", wanted, ++*last);
        key = fold_case(b->arena, name);
        number = ilc__map_get(&b->names, key, strlen(key));
    }
    number = ILC__NEW(b->arena, uint32_t);
    *number = 1;
    ilc__map_put(&b->names, key, strlen(key), number);
    return name;
}

ilc__var *ilc__var_new(ilc__builder *b, const char *name, ilc_storage storage, bool is_array)
{
    ilc__var *var = ILC__NEW(b->arena, ilc__var);
    var->name = unique_name(b, name);
    var->storage = storage;
    var->is_array = is_array;
    var->index = b->func->vars.count;
    ILC__PUSH(b->arena, &b->func->vars, var);
    ILC__PUSH(b->arena, &b->info, (ilc__var_info){0});
    return var;
}

/* null and nothing else: any element will do */
ilc__var *ilc__var_array(ilc__builder *b, const char *name, ilc__array_shape shape)
{
    ilc__var *var = ilc__var_new(b, name, shape.elem == ILC_VOID ? ILC_I32 : shape.elem, true);
    var->rank = shape.rank;
    var->nested = shape.nested;
    return var;
}

/* The element of an array value that no variable holds: from where it was copied. */
static ilc__pointee element_of(const ilc__ir_func *ir, ilc__ref ref)
{
    for (uint32_t steps = 0; steps < ir->values.count; steps++) {
        const ilc__ir_value *v = &ir->values.items[ref];
        if (v->var) return (ilc__pointee){ir->vars.items[v->var].storage, ir->vars.items[v->var].layout};
        if (v->op == ILC__OP_SPANOF || v->op == ILC__OP_SPAN || v->op == ILC__OP_SPANAT) return (ilc__pointee){v->storage, v->layout};
        if ((v->op != ILC__OP_COPY && v->op != ILC__OP_PHI) || v->arg_count == 0) break;
        ref = v->args[0];
    }
    return (ilc__pointee){.storage = ILC_I32};
}

static ilc_storage storage_of(const ilc__ir_func *ir, ilc__ref ref)
{
    switch (ir->values.items[ref].type) {
    case ILC__IR_I64: return ILC_I64;
    case ILC__IR_F32: return ILC_F32;
    case ILC__IR_F64: return ILC_F64;
    default: return ILC_I32;
    }
}

ilc__var *ilc__var_temp(ilc__builder *b, ilc__ref value, const ilc__expr *e)
{
    ilc__ir_type type = b->ir->values.items[value].type;
    bool         is_array = type == ILC__IR_REF;
    ilc__pointee target = {0};
    if (type == ILC__IR_ADDR) target = ilc__ast_pointee(b->ir, value);
    if (is_array) target = element_of(b->ir, value);
    ilc_storage storage = type == ILC__IR_ADDR || is_array ? target.storage : storage_of(b->ir, value);
    bool compares = (ilc__op_info_of(b->ir->values.items[value].op)->flags & ILC__OPF_TRUTH) != 0;
    if (compares || (e && e->kind != ILC__EX_LOAD && e->kind != ILC__EX_LOADIND && ilc__expr_is_bool(e))) storage = ILC_BOOL;
    const char *name = ilc__arena_printf(b->arena, "t%u", ++b->temps);
    ilc__var   *var = is_array ? ilc__var_array(b, name, ilc__ir_array(b->ir, value)) : ilc__var_new(b, name, storage, false);
    var->is_addr = type == ILC__IR_ADDR;
    var->is_span = is_array && ilc__ir_is_span(b->ir, value);
    var->layout = target.layout;
    b->info.items[var->index].foldable = var->is_temp = true;
    return var;
}

/* VB keeps a function's result in a variable of the function's name: the source has no such variable. */
static bool is_source_var(const ilc__builder *b, const ilc__ir_var *v)
{
    if (!v->is_named || v->is_temp) return v->is_param;
    return v->is_param ||
           strcmp(fold_case(b->arena, v->name), fold_case(b->arena, b->ir->name ? b->ir->name : "")) != 0;
}

static ilc__var *var_of_ir(ilc__builder *b, uint32_t id)
{
    id = b->same_var[id];
    if (b->ir_var[id]) return b->ir_var[id];
    const ilc__ir_var *v = &b->ir->vars.items[id];
    const char *name = v->name;
    if (v->is_temp) name = ilc__arena_printf(b->arena, "t%u", ++b->temps);
    ilc__var *var = ilc__var_new(b, name, v->storage, v->is_array);
    var->rank = v->rank;
    var->nested = v->nested;
    var->is_span = v->is_span;
    var->is_param = v->is_param;
    var->is_named = is_source_var(b, v);
    var->is_temp = v->is_temp;
    var->is_addr = v->is_addr;
    var->is_pointer = v->is_pointer;
    var->is_string = v->is_string;
    var->layout = v->layout;
    ilc__var_info *info = &b->info.items[var->index];
    info->foldable = !var->is_named;
    return b->ir_var[id] = var;
}

/* --- which values live, and how often they are read --------------------------------------------------------- */

static bool is_root(const ilc__ir_value *v)
{
    return (ilc__op_info_of(v->op)->flags & (ILC__OPF_EFFECT | ILC__OPF_TRAPS | ILC__OPF_TERMINATOR)) != 0;
}

static void mark_live(ilc__builder *b)
{
    const ilc__ir_func *ir = b->ir;
    ILC__VEC(ilc__ref) work = {0};
    for (uint32_t i = 0; i < ir->blocks.count; i++) {
        const ilc__ir_block *block = &ir->blocks.items[i];
        for (uint32_t k = 0; k < block->list.count; k++) {
            ilc__ref ref = block->list.items[k];
            if (!is_root(&ir->values.items[ref]) || b->live[ref]) continue;
            b->live[ref] = true;
            ILC__PUSH(b->arena, &work, ref);
        }
    }
    while (work.count) {
        const ilc__ir_value *v = &ir->values.items[work.items[--work.count]];
        for (uint32_t k = 0; k < v->arg_count; k++) {
            if (b->live[v->args[k]]) continue;
            b->live[v->args[k]] = true;
            ILC__PUSH(b->arena, &work, v->args[k]);
        }
    }
}

static void each_use(ilc__builder *b, ilc__use_table *t, uint32_t *fill)
{
    const ilc__ir_func *ir = b->ir;
    for (uint32_t i = 0; i < ir->blocks.count; i++) {
        const ilc__ir_block *block = &ir->blocks.items[i];
        for (uint32_t k = 0; k < block->list.count; k++) {
            ilc__ref             ref = block->list.items[k];
            const ilc__ir_value *v = &ir->values.items[ref];
            if (!b->live[ref]) continue;
            for (uint32_t a = 0; a < v->arg_count; a++) {
                ilc__ref arg = v->args[a];
                if (!fill) {
                    b->use_count[arg]++;
                    continue;
                }
                ilc__use u = {i, k};
                if (v->op == ILC__OP_PHI) u = (ilc__use){block->preds.items[a], UINT32_MAX};
                t->uses[fill[arg]++] = u;
            }
        }
    }
}

static ilc__use_table collect_uses(ilc__builder *b)
{
    uint32_t  count = b->ir->values.count;
    ilc__use_table t = {ILC__NEW_ARRAY(b->arena, uint32_t, count + 1), NULL};
    each_use(b, &t, NULL);
    for (uint32_t v = 0; v < count; v++) t.first[v + 1] = t.first[v] + b->use_count[v];
    t.uses = ILC__NEW_ARRAY(b->arena, ilc__use, (size_t)t.first[count] + 1);
    uint32_t *fill = ilc__arena_copy(b->arena, t.first, (count + 1) * sizeof *t.first);
    each_use(b, &t, fill);
    return t;
}

/* --- do versions of one variable meet? ------------------------------------------------------------------------ */

static void find_isolated(ilc__builder *b, bool *isolated)
{
    const ilc__ir_func *ir = b->ir;
    for (uint32_t i = 0; i < ir->blocks.count; i++) {
        for (uint32_t k = 0; k < ir->blocks.items[i].list.count; k++) {
            const ilc__ir_value *v = &ir->values.items[ir->blocks.items[i].list.items[k]];
            for (uint32_t a = 0; v->op == ILC__OP_PHI && v->var && a < v->arg_count; a++)
                if (ir->values.items[v->args[a]].var != v->var) isolated[b->same_var[v->var]] = true;
        }
    }
    ilc__ir_find_meeting(ir, b->arena, b->same_var, b->live, isolated);
}

/* Two loops over `k` have a slot each, but the source has one name for both: they are one variable where their
 * values never meet. */
static void join_names(ilc__builder *b)
{
    const ilc__ir_func *ir = b->ir;
    ilc__map            first = {.arena = b->arena};
    for (uint32_t i = 0; i < ir->vars.count; i++) {
        const ilc__ir_var *v = &ir->vars.items[i];
        b->same_var[i] = i;
        if (i <= ir->param_count || !v->is_named || v->is_temp || !v->name) continue;
        uint32_t *other = ilc__map_get(&first, v->name, strlen(v->name));
        if (other && ir->vars.items[*other].storage == v->storage && ir->vars.items[*other].is_array == v->is_array &&
            ir->vars.items[*other].is_span == v->is_span &&
            ir->vars.items[*other].is_addr == v->is_addr && ir->vars.items[*other].is_pointer == v->is_pointer && ir->vars.items[*other].layout == v->layout &&
            ir->vars.items[*other].rank == v->rank && ir->vars.items[*other].nested == v->nested) {
            b->same_var[i] = *other;
        } else if (!other) {
            ilc__map_put(&first, v->name, strlen(v->name), &b->same_var[i]);
        }
    }
}

static bool part_names(ilc__builder *b, bool *isolated)
{
    bool any = false;
    for (uint32_t i = 0; i < b->ir->vars.count; i++) {
        if (b->same_var[i] == i || !isolated[b->same_var[i]]) continue;
        any = true;
        b->same_var[i] = i;
    }
    return any;
}

/* --- choosing ----------------------------------------------------------------------------------------------- */

static bool can_inline(const ilc__builder *b, const ilc__use_table *t, ilc__ref ref)
{
    const ilc__ir_value *v = &b->ir->values.items[ref];
    if (v->var || v->op == ILC__OP_PHI || v->op == ILC__OP_PARAM || b->use_count[ref] != 1) return false;
    ilc__use u = t->uses[t->first[ref]];
    if (u.block != v->block || u.place == UINT32_MAX) return false;
    return !b->anew[b->ir->blocks.items[u.block].list.items[u.place]]; /* that is built where it is used */
}

static void isolate(ilc__builder *b, ilc__ref ref)
{
    const ilc__ir_value *v = &b->ir->values.items[ref];
    bool first = v->op == ILC__OP_PARAM;
    if (v->var) {
        const ilc__ir_var *from = &b->ir->vars.items[v->var];
        if (first) b->value_var[ref] = var_of_ir(b, v->var);
        else b->value_var[ref] = ilc__var_new(b, from->is_temp ? "t" : from->name, from->storage, from->is_array);
        if (!first) {
            b->info.items[b->value_var[ref]->index].foldable = true;
            b->value_var[ref]->is_temp = from->is_temp;
            b->value_var[ref]->is_named = is_source_var(b, from);
            b->value_var[ref]->is_span = from->is_span;
            b->value_var[ref]->is_addr = from->is_addr;
            b->value_var[ref]->rank = from->rank;
            b->value_var[ref]->nested = from->nested;
            b->value_var[ref]->is_pointer = from->is_pointer;
            b->value_var[ref]->is_string = from->is_string;
            b->value_var[ref]->layout = from->layout;
        }
    } else {
        b->value_var[ref] = ilc__var_temp(b, ref, NULL);
    }
    if (v->op == ILC__OP_PHI) b->phi_in[ref] = ilc__var_temp(b, ref, NULL);
}

static void choose(ilc__builder *b, const ilc__use_table *t, const bool *isolated, ilc__ref ref)
{
    const ilc__ir_value *v = &b->ir->values.items[ref];
    if (!b->live[ref] || v->type == ILC__IR_VOID || v->type == ILC__IR_EXC || b->anew[ref]) return;
    if (v->var && !isolated[b->same_var[v->var]]) b->value_var[ref] = var_of_ir(b, v->var);
    else if (v->var || v->op == ILC__OP_PHI) isolate(b, ref);
    else if (can_inline(b, t, ref)) b->inlined[ref] = true;
    else if (v->op != ILC__OP_CONST && b->use_count[ref]) b->value_var[ref] = ilc__var_temp(b, ref, NULL);
}

/* The source's variables come first, so that a temporary never takes one of their names. */
static void reserve_names(ilc__builder *b)
{
    const ilc__ir_func *ir = b->ir;
    bool               *used = ILC__NEW_ARRAY(b->arena, bool, ir->vars.count + 1);
    for (ilc__ref ref = 1; ref < ir->values.count; ref++)
        if (b->live[ref]) used[b->same_var[ir->values.items[ref].var]] = true;
    for (uint32_t i = ir->param_count + 1; i < ir->vars.count; i++)
        if (used[i] && !ir->vars.items[i].is_temp) var_of_ir(b, i);
    ilc__ast_make_slots(b, true);
}

void ilc__ast_assign_vars(ilc__builder *b)
{
    const ilc__ir_func *ir = b->ir;
    b->live = ILC__NEW_ARRAY(b->arena, bool, ir->values.count);
    b->use_count = ILC__NEW_ARRAY(b->arena, uint32_t, ir->values.count);
    b->inlined = ILC__NEW_ARRAY(b->arena, bool, ir->values.count);
    b->value_var = ILC__NEW_ARRAY(b->arena, ilc__var *, ir->values.count);
    b->phi_in = ILC__NEW_ARRAY(b->arena, ilc__var *, ir->values.count);
    b->ir_var = ILC__NEW_ARRAY(b->arena, ilc__var *, ir->vars.count + 1);
    b->same_var = ILC__NEW_ARRAY(b->arena, uint32_t, ir->vars.count + 1);
    join_names(b);
    for (uint32_t p = 1; p <= ir->param_count; p++) var_of_ir(b, p);
    ilc__ast_make_slots(b, false);
    for (uint32_t i = ir->param_count + 1; i < ir->vars.count; i++)
        if (ir->vars.items[i].is_named) b->has_debug = true;
    mark_live(b);
    ilc__use_table t = collect_uses(b);
    bool     *isolated = ILC__NEW_ARRAY(b->arena, bool, ir->vars.count + 1);
    find_isolated(b, isolated);
    if (part_names(b, isolated)) {
        memset(isolated, 0, (ir->vars.count + 1) * sizeof *isolated);
        find_isolated(b, isolated);
    }
    reserve_names(b);
    ilc__ast_choose_addresses(b, &t, isolated);
    for (uint32_t i = 0; i < ir->blocks.count; i++)
        for (uint32_t k = 0; k < ir->blocks.items[i].list.count; k++)
            choose(b, &t, isolated, ir->blocks.items[i].list.items[k]);
}

void ilc__ast_name_temps(ilc__builder *b)
{
    b->names = (ilc__map){.arena = b->arena};
    b->temps = 0;
    for (uint32_t turn = 0; turn < 2; turn++) { /* the others' names come first */
        for (uint32_t i = 0; i < b->func->vars.count; i++) {
            ilc__var *var = b->func->vars.items[i];
            bool      is_temp = var->is_temp && !var->is_param;
            if (is_temp != (turn == 1)) continue;
            if (is_temp) var->name = ilc__arena_printf(b->arena, "t%u", ++b->temps);
            var->name = unique_name(b, var->name);
        }
    }
}
