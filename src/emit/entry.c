/* entry.c - what the entries of both dialects share: their parameters in order, and one element's lines. */
#include "emit/internal.h"
#include "meta/layout.h"

static bool is_index(const ilc__kernel_spec *spec, uint32_t param, uint32_t *position)
{
    for (uint32_t d = 0; d < spec->index_count; d++)
        if (spec->index_params[d] == param) {
            *position = d;
            return true;
        }
    return false;
}

static bool is_array_in_entry(const ilc__kernel_spec *spec, const ilc__var *var, uint32_t param)
{
    if (var->is_array || var->is_addr) return true;
    return spec->mode == ILC__MODE_ELEMENTWISE && !(spec->kept_scalar && spec->kept_scalar[param]);
}

static const char *const extent_names[3][3] = {{"il_n"}, {"il_nRows", "il_nCols"}, {"il_ni", "il_nj", "il_nk"}};

static void add_extents(ilc__emitter *em, const ilc__func_info *root, ilc__entry *out)
{
    const ilc__kernel_spec *spec = em->spec;
    uint32_t                dims = spec->index_count;
    if (spec->mode == ILC__MODE_ELEMENTWISE)
        out->params[out->param_count++] = (ilc__kparam){.kind = ILC__KP_EXTENT, .storage = ILC_I32, .name = "il_n"};
    for (uint32_t d = 0; d < dims; d++) {
        ilc_storage storage = root->func->vars.items[spec->index_params[d]]->storage;
        out->params[out->param_count++] = (ilc__kparam){
            .kind = ILC__KP_EXTENT, .storage = storage, .param = spec->index_params[d], .dim = d, .name = extent_names[dims - 1][d]};
    }
}

/* Of a struct result one array for each of its scalars. */
static void add_outputs(ilc__emitter *em, const ilc__func *func, ilc__entry *out)
{
    const ilc__layout *layout = func->ret_layout;
    ilc__kparam        param = {.kind = ILC__KP_OUT, .storage = func->ret_array ? ILC_ARRAY : func->ret, .name = "il_out"};
    if (layout && em->spec->mode == ILC__MODE_DEVICE) {
        param.storage = ILC_STRUCT;
        param.layout = layout;
    } else if (layout) {
        ilc__leaf  leaves[ILC__MAX_LEAVES];
        ilc__names names = {.arena = em->arena};
        uint32_t   count = ilc__layout_leaves(layout, leaves, ILC__MAX_LEAVES);
        for (uint32_t i = 0; i < count; i++) {
            const char *name = ilc__name_mangle(em->arena, ilc__leaf_name(em->arena, layout, &leaves[i]));
            param.storage = leaves[i].storage;
            param.leaf = i;
            param.name = ilc__name_unique(&names, ilc__arena_printf(em->arena, "il_out_%s", name));
            out->params[out->param_count++] = param;
        }
        return;
    } else if (func->ret == ILC_VOID) {
        return;
    }
    out->params[out->param_count++] = param;
}

void ilc__entry_build(ilc__emitter *em, const ilc__func_info *root, const char *name, ilc__entry *out)
{
    const ilc__func *func = root->func;
    uint32_t         position, count = ilc__arg_count(func);
    *out = (ilc__entry){.name = name};
    out->params = ILC__NEW_ARRAY(em->arena, ilc__kparam, 4 * (size_t)count + 6 + ILC__MAX_LEAVES);
    for (uint32_t i = 0; i < count; i++) {
        const ilc__var *var = func->vars.items[i];
        if (is_index(em->spec, i, &position)) continue;
        bool array = is_array_in_entry(em->spec, var, i);
        out->params[out->param_count++] = (ilc__kparam){.kind = array ? ILC__KP_ARRAY : ILC__KP_SCALAR,
                                                        .storage = var->layout ? ILC_STRUCT : var->nested ? ILC_ARRAY : var->storage,
                                                        .layout = var->layout,
                                                        .param = i,
                                                        .name = root->var_names[i],
                                                        .written = (var->is_array || var->is_addr) && root->written[i]};
    }
    add_outputs(em, func, out);
    add_extents(em, root, out);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 3; k++)
            if (root->needs_len[3 * i + k]) out->params[out->param_count++] = (ilc__kparam){
                .kind = ILC__KP_LENGTH, .storage = ILC_I64, .param = i, .dim = k, .name = root->len_names[3 * i + k]};
    if (em->has_heap)
        out->params[out->param_count++] = (ilc__kparam){.kind = ILC__KP_HEAP, .storage = ILC_U8, .name = "il_heap"};
    if (root->traps)
        out->params[out->param_count++] = (ilc__kparam){.kind = ILC__KP_TRAP, .storage = ILC_U64, .name = "il_trap"};
}

/* With what stands between type and name: "const float *__restrict__ ", "int ". */
const char *ilc__kparam_type(ilc__emitter *em, const ilc__kparam *param)
{
    const char *type = ilc__target_type(em, param->storage, param->layout), *restricted = em->pure ? em->dialect->restricted : "";
    switch (param->kind) {
    case ILC__KP_ARRAY: return ilc__arena_printf(em->arena, "%s%s *%s", param->written ? "" : "const ", type, restricted);
    case ILC__KP_OUT: return ilc__arena_printf(em->arena, "%s *%s", type, em->dialect->restricted);
    case ILC__KP_TRAP:
    case ILC__KP_HEAP: return ilc__arena_printf(em->arena, "%s *", type);
    default: return ilc__arena_printf(em->arena, "%s ", type);
    }
}

void ilc__entry_params(ilc__emitter *em, const ilc__entry *entry)
{
    for (uint32_t i = 0; i < entry->param_count; i++)
        ilc__out(em, "%s%s%s", i ? ", " : "", ilc__kparam_type(em, &entry->params[i]), entry->params[i].name);
}

static const char *argument(ilc__emitter *em, const ilc__func_info *root, uint32_t param, const char *const *index)
{
    const ilc__var *var = root->func->vars.items[param];
    uint32_t        position;
    if (param == ilc__arg_count(root->func)) return em->spec->mode == ILC__MODE_DEVICE ? "il_out" : "&il_result";
    if (is_index(em->spec, param, &position)) {
        if (var->storage == ILC_I64 || var->storage == ILC_INT) return index[position];
        return ilc__arena_printf(em->arena, "(%s)%s", ilc__c_type(var->storage), index[position]);
    }
    if (var->is_addr && em->spec->mode == ILC__MODE_ELEMENTWISE)
        return ilc__arena_printf(em->arena, "&%s[%s]", root->var_names[param], index[0]);
    if (!var->is_array && !var->is_addr && is_array_in_entry(em->spec, var, param))
        return ilc__arena_printf(em->arena, "%s[%s]", root->var_names[param], index[0]);
    return root->var_names[param];
}

const char *ilc__entry_call(ilc__emitter *em, const ilc__entry *entry, const ilc__func_info *root,
                            const char *const *index)
{
    ilc__text   text = {.arena = em->arena};
    const char *comma = "";
    (void)entry;
    ilc__text_printf(&text, "%s(", root->name);
    if (root->cell_arg) {
        ilc__text_puts(&text, root->cell_arg);
        comma = ", ";
    }
    for (uint32_t i = 0; i < root->func->param_count; i++, comma = ", ")
        ilc__text_printf(&text, "%s%s", comma, argument(em, root, i, index));
    for (uint32_t i = 0; i < root->func->param_count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            if (!root->needs_len[3 * i + k]) continue;
            ilc__text_printf(&text, "%s%s", comma, root->len_names[3 * i + k]);
            comma = ", ";
        }
    if (root->traps) ilc__text_printf(&text, "%s&il_at", comma);
    if (root->func->cycle) ilc__text_puts(&text, ", 1");
    ilc__text_putc(&text, ')');
    return ilc__text_string(&text);
}

/* "il_result.centre.x" */
static const char *leaf_text(ilc__emitter *em, const ilc__layout *layout, const ilc__leaf *leaf)
{
    const char *text = "il_result";
    for (uint32_t d = 0; d < leaf->depth; d++) {
        text = ilc__arena_printf(em->arena, "%s.%s", text, ilc__struct_of(em, layout)->field_names[leaf->path[d]]);
        layout = layout->fields[leaf->path[d]].layout;
    }
    return text;
}

/* The result, and from it each output; a function that trapped may have left there what it had so far. */
static void struct_element(ilc__emitter *em, const ilc__entry *entry, const ilc__func_info *root, const char *call,
                           const char *element, int width)
{
    const ilc__layout *layout = root->func->ret_layout;
    ilc__leaf          leaves[ILC__MAX_LEAVES];
    ilc__layout_leaves(layout, leaves, ILC__MAX_LEAVES);
    ilc__out(em, "%*s%s il_result = {0};\n%*s%s;\n", width, "", ilc__struct_of(em, layout)->name, width, "", call);
    for (uint32_t i = 0; i < entry->param_count; i++) {
        const ilc__kparam *param = &entry->params[i];
        if (param->kind != ILC__KP_OUT) continue;
        ilc__out(em, "%*s%s[%s] = %s%s;\n", width, "", param->name, element, root->traps ? "il_at.failed ? 0 : " : "",
                 leaf_text(em, layout, &leaves[param->leaf]));
    }
}

/* A function that trapped gave back zero, and that is what its element holds. */
void ilc__entry_element(ilc__emitter *em, const ilc__entry *entry, const ilc__func_info *root,
                        const char *const *index, const char *element, uint32_t indent)
{
    int         width = (int)(4 * indent);
    const char *call = ilc__entry_call(em, entry, root, index);
    const char *heap = em->has_heap ? ilc__arena_printf(em->arena, ", il_heap, il_heap + %d", ILC__HEAP_SIZE) : "";
    if (root->traps) ilc__out(em, "%*sil_state il_at = {il_trap, %s, 0%s};\n", width, "", element, heap);
    if (root->func->ret_layout && em->spec->mode != ILC__MODE_DEVICE)
        struct_element(em, entry, root, call, element, width);
    else if (root->func->ret == ILC_VOID)
        ilc__out(em, "%*s%s;\n", width, "", call);
    else if (em->copies_result)
        ilc__out(em, "%*sil_out[%s] = il_array_copy(&il_at, %s, sizeof(%s));\n", width, "", element, call,
                 ilc__target_type(em, root->func->ret_array->storage, root->func->ret_array->layout));
    else
        ilc__out(em, "%*sil_out[%s] = %s;\n", width, "", element, call);
}
