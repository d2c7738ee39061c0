/* c.c - the C11 dialect: an entry takes pointers to its arguments and a range of indices (rt/rt.h).
 * Freestanding: no includes, no library. */
#include "emit/internal.h"

void ilc__c_unpack(ilc__emitter *em, const ilc__entry *entry, bool whole)
{
    for (uint32_t i = 0; i < entry->param_count; i++) {
        const ilc__kparam *param = &entry->params[i];
        const char        *type = ilc__kparam_type(em, param), *plain = ilc__target_type(em, param->storage, param->layout);
        if (param->kind == ILC__KP_EXTENT && param->dim == 0 && !whole) continue; /* the range says it */
        if (strchr(type, '*'))
            ilc__out(em, "    %s%s = (%s%s *)*(const unsigned long long *)il_args[%u];\n", type, param->name,
                     strncmp(type, "const", 5) == 0 ? "const " : "", plain, i);
        else
            ilc__out(em, "    %s%s = *(const %s *)il_args[%u];\n", type, param->name, plain, i);
    }
}

static const char *const index_names[] = {"il_i", "il_j", "il_k"};
static const char *const elements[] = {"il_i", "il_i * il_nCols + il_j", "(il_i * il_nj + il_j) * il_nk + il_k"};

static void c_entry(ilc__emitter *em, const ilc__entry *entry, const ilc__func_info *root)
{
    uint32_t dims = em->spec->index_count ? em->spec->index_count : 1;
    ilc__out(em, "void %s(const void *const *il_args, const long long *il_begin, const long long *il_end) {\n",
             entry->name);
    ilc__c_unpack(em, entry, false);
    for (uint32_t d = 0; d < dims; d++) {
        const char *name = index_names[d];
        ilc__out(em, "%*sfor (long long %s = il_begin[%u]; %s < il_end[%u]; %s++) {\n", (int)(4 * (d + 1)), "", name, d,
                 name, d, name);
    }
    ilc__entry_element(em, entry, root, index_names, elements[dims - 1], dims + 1);
    for (uint32_t d = dims; d > 0; d--) ilc__out(em, "%*s}\n", (int)(4 * d), "");
    ilc__out(em, "}\n");
}

const ilc__dialect_desc ilc__dialect_c = {"static inline ", "", "restrict ", c_entry};
