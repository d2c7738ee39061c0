/* quads_cuda.c - an element-wise kernel whose threads do four elements each, next to each other: a thread's part of an array
 * is one access to memory, which a device answers at its full rate (tile.h). */
#include "emit/tile.h"

enum { THREADS = 256 };

/* An array of the entry that is a scalar of the function: an element's own. */
static bool is_own(const ilc__emitter *em, const ilc__func *func, const ilc__kparam *param)
{
    const ilc__var *var = func->vars.items[param->param];
    return param->kind == ILC__KP_ARRAY && !param->layout && !var->is_array && !var->is_addr && !(em->spec->kept_scalar && em->spec->kept_scalar[param->param]);
}

static void print_values(ilc__emitter *em, const ilc__entry *entry, const ilc__func_info *root, const char *type)
{
    static const char *const at[] = {"q"};
    ilc__func_info           quad = *root; /* whose arguments are the values read */
    const char             **names = ILC__NEW_ARRAY(em->arena, const char *, root->func->vars.count + 1);
    memcpy(names, root->var_names, root->func->vars.count * sizeof *names);
    for (uint32_t i = 0; i < entry->param_count; i++) {
        const ilc__kparam *param = &entry->params[i];
        if (!is_own(em, root->func, param)) continue;
        const char *read = ilc__c_type(param->storage);
        ilc__out(em, "        const il_quad<%s> il_v%u = *(const il_quad<%s> *)&%s[il_e0];\n", read, i, read, param->name);
        names[param->param] = ilc__arena_printf(em->arena, "il_v%u.at", i);
    }
    quad.var_names = names;
    ilc__out(em, "        il_quad<%s> il_values;\n        #pragma unroll\n        for (int q = 0; q < 4; q++) {\n", type);
    if (root->traps) ilc__out(em, "            il_state il_at = {il_trap, il_e0 + q, 0};\n");
    ilc__out(em, "            il_values.at[q] = %s;\n        }\n", ilc__entry_call(em, entry, &quad, at));
    ilc__out(em, "        *(il_quad<%s> *)&il_out[il_e0] = il_values;\n        return;\n", type);
}

static void print_kernel(ilc__emitter *em, const ilc__entry *entry, const ilc__func_info *root)
{
    static const char *const own[] = {"il_e"};
    const char              *type = ilc__c_type(root->func->ret);
    ilc__out(em, "extern \"C\" __global__ void __launch_bounds__(%u) %s(", THREADS, entry->name);
    ilc__entry_params(em, entry);
    ilc__out(em, ") {\n    const long long il_e0 = ((long long)blockIdx.x * %u + threadIdx.x) * 4;\n", THREADS);
    ilc__out(em, "    bool il_whole = il_e0 + 4 <= il_n && (unsigned long long)il_out %% alignof(il_quad<%s>) == 0;\n", type);
    for (uint32_t i = 0; i < entry->param_count; i++)
        if (is_own(em, root->func, &entry->params[i]))
            ilc__out(em, "    il_whole = il_whole && (unsigned long long)%s %% alignof(il_quad<%s>) == 0;\n", entry->params[i].name,
                     ilc__c_type(entry->params[i].storage));
    ilc__out(em, "    if (il_whole) {\n");
    print_values(em, entry, root, type);
    ilc__out(em, "    }\n    for (long long il_e = il_e0; il_e < il_n && il_e < il_e0 + 4; il_e++) {\n");
    if (root->traps) ilc__out(em, "        il_state il_at = {il_trap, il_e, 0};\n");
    ilc__out(em, "        il_out[il_e] = %s;\n    }\n}\n", ilc__entry_call(em, entry, root, own));
}

ilc_status ilc__quads_print(ilc__emitter *em, const ilc__func_info *root, ilc__kernel *out)
{
    const ilc__func *func = root->func;
    const char      *why = !em->pure ? "it writes to its parameters" : func->cycle ? "it is recursive" : func->ret_layout || func->ret_to ? "its result is no number" : NULL;
    for (uint32_t i = 0; i < func->param_count; i++)
        if (func->vars.items[i]->layout || func->vars.items[i]->is_addr) why = "a parameter is no number";
    ilc__note_add(em, "quads", !why, NULL, "%s", why ? why : "a thread does four elements next to each other");
    if (why) return ILC_OK;
    ilc__tile_start(em, root, "quads", out);
    out->tile.size = (ilc__tile_size){.rows = THREADS};
    out->tile.quads = true;
    print_kernel(em, &out->tile.entry, root);
    return ILC_OK;
}
