/* table.c - static read-only arrays in text: one constant array of the file for each that the unit reads. */
#include "emit/internal.h"

const char *ilc__static_name(ilc__emitter *em, const ilc__static *table)
{
    return ilc__map_get(&em->tables, &table, sizeof table);
}

static uint64_t bits_at(const ilc_array *array, int64_t at)
{
    uint64_t bits = 0;
    uint32_t size = ilc_storage_size(array->elem);
    memcpy(&bits, (const uint8_t *)array->data + (size_t)at * size, size);
    return bits;
}

/* NaN and infinities have no constant expression in C that keeps their bits. */
static bool has_special(const ilc_array *array)
{
    uint64_t all = array->elem == ILC_F32 ? UINT64_C(0x7F800000) : UINT64_C(0x7FF0000000000000);
    if (array->elem != ILC_F32 && array->elem != ILC_F64) return false;
    for (int64_t i = 0; i < array->length; i++)
        if ((bits_at(array, i) & all) == all) return true;
    return false;
}

static const char *element_text(ilc__emitter *em, const ilc_array *array, int64_t at, bool as_bits)
{
    uint64_t bits = bits_at(array, at);
    bool     primary;
    if (as_bits) return ilc__arena_printf(em->arena, array->elem == ILC_F32 ? "0x%08llxu" : "0x%016llxull", (unsigned long long)bits);
    if (array->elem == ILC_I8) bits = (uint64_t)(int64_t)(int8_t)bits;
    if (array->elem == ILC_I16) bits = (uint64_t)(int64_t)(int16_t)bits;
    const char *text = ilc__literal(em->arena, ilc__storage_ir_type(array->elem), bits, &primary);
    if (array->elem == ILC_U32 || array->elem == ILC_U64 || array->elem == ILC_UINT)
        text = ilc__arena_printf(em->arena, "(%s)%s", ilc__c_type(array->elem), primary ? text : ilc__arena_printf(em->arena, "(%s)", text));
    return text;
}

/* "Ns.Signals.Weights" is il_table_Weights. */
static void put_table(ilc__emitter *em, const ilc__static *table)
{
    const ilc_array *array = &table->array;
    const char      *field = strrchr(table->name, '.'), *prefix = em->options->prefix ? em->options->prefix : "";
    const char      *name = ilc__name_mangle(em->arena, field ? field + 1 : table->name);
    name = ilc__name_unique(&em->names, ilc__arena_printf(em->arena, "il_%stable_%s", prefix, name));
    bool        is_c = em->options->dialect == ILC__DIALECT_C, as_bits = has_special(array);
    ilc_storage kept = !as_bits ? array->elem : array->elem == ILC_F32 ? ILC_U32 : ILC_U64;
    ilc__out(em, "%s const %s %s[%lld] = {", is_c ? "static" : "__device__", ilc__c_type(kept), name,
             (long long)(array->length ? array->length : 1));
    if (as_bits) name = ilc__arena_printf(em->arena, "((const %s *)%s)", ilc__c_type(array->elem), name);
    ilc__map_put(&em->tables, &table, sizeof table, (void *)(uintptr_t)name);
    for (int64_t i = 0; i < array->length; i++)
        ilc__out(em, "%s%s", i == 0 ? "" : i % 16 ? ", " : ",\n    ", element_text(em, array, i, as_bits));
    ilc__out(em, "%s};\n\n", array->length ? "" : "0");
}

void ilc__tables_print(ilc__emitter *em)
{
    em->tables.arena = em->arena;
    for (uint32_t i = 0; i < em->unit->funcs.count; i++) {
        const ilc__func *func = em->unit->funcs.items[i];
        for (uint32_t v = 0; v < func->vars.count; v++) {
            const ilc__static *table = func->vars.items[v]->table;
            if (table && !ilc__static_name(em, table)) put_table(em, table);
        }
    }
}
