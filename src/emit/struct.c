/* struct.c - structs as C types: the fields in the order in which they lie, padding where their offsets ask for
 * it; bytes where no plain C struct lies like that (fields that overlap, a field off its alignment). */
#include "emit/internal.h"
#include "meta/layout.h"

enum { MAX_NESTING = 32, MAX_SLOT_BYTES = 64 * 1024 }; /* of one function: it stands on a thread's stack */

typedef struct writer {
    ilc__emitter     *em;
    ilc__struct_info *info;
    ilc__text         body;
    uint32_t          at, pads; /* bytes so far */
} writer;

static ilc_status add(ilc__emitter *em, const ilc__layout *layout, uint32_t depth);

const ilc__struct_info *ilc__struct_of(ilc__emitter *em, const ilc__layout *layout)
{
    return ilc__map_get(&em->structs, &layout, sizeof layout);
}

static ilc_status refuse(ilc__emitter *em, const ilc__layout *layout, const char *why)
{
    ilc__where where = {.method = em->root->name};
    if (em->root->method) where = ilc__method_where(em->root->method, 0);
    where.has_il = false;
    return ilc__fail(em->ctx, ILC_UNSUPPORTED, &where, "struct %s %s", layout->name, why);
}

/* "Ns.Outer+Vec2" is il_Vec2. A name in lower case could be one of our own. */
static const char *name_of(ilc__emitter *em, const ilc__layout *layout)
{
    const char *name = layout->name;
    size_t      length = strcspn(name, "<`[");
    for (size_t i = 0; i < length; i++)
        if (layout->name[i] == '.' || layout->name[i] == '+') name = layout->name + i + 1;
    const char *mangled = ilc__name_mangle(em->arena, name);
    const char *prefix = em->options->prefix ? em->options->prefix : "";
    bool        plain = mangled[0] >= 'A' && mangled[0] <= 'Z';
    return ilc__name_unique(&em->names, ilc__arena_printf(em->arena, "il_%s%s%s", prefix, plain ? "" : "struct_", mangled));
}

static uint32_t up(uint32_t at, uint32_t align)
{
    return (at + align - 1) / align * align;
}

static void pad(writer *w, uint32_t count)
{
    if (!count) return;
    ilc__text_printf(&w->body, "    unsigned char il_pad%u[%u];\n", w->pads++, count);
    w->at += count;
}

/* The number of the field that lies next, from `at` on; field_count when there is none. */
static uint32_t next_field(const ilc__layout *layout, const bool *done)
{
    uint32_t best = layout->field_count;
    for (uint32_t i = 0; i < layout->field_count; i++)
        if (!done[i] && (best == layout->field_count || layout->fields[i].offset < layout->fields[best].offset)) best = i;
    return best;
}

static void put_field(writer *w, const ilc__layout_field *field, const char *name)
{
    const ilc__struct_info *inner = field->layout ? ilc__struct_of(w->em, field->layout) : NULL;
    uint32_t size = inner ? field->layout->size : ilc_storage_size(field->storage), align = inner ? field->layout->text_align : size;
    if (up(w->at, align) != field->offset) pad(w, field->offset - w->at);
    ilc__text_printf(&w->body, "    %s %s;\n", ilc__target_type(w->em, field->storage, field->layout), name);
    w->at = field->offset + size;
}

static void put_fields(writer *w)
{
    const ilc__layout *layout = w->info->layout;
    bool              *done = ILC__NEW_ARRAY(w->em->arena, bool, layout->field_count + 1);
    for (uint32_t n = 0; n < layout->field_count; n++) {
        uint32_t i = next_field(layout, done);
        done[i] = true;
        put_field(w, &layout->fields[i], w->info->field_names[i]);
    }
    if (up(w->at, layout->text_align) != layout->size || w->at == 0) pad(w, layout->size - w->at);
}

static void put_bytes(writer *w)
{
    static const ilc_storage units[] = {[1] = ILC_U8, [2] = ILC_U16, [4] = ILC_U32, [8] = ILC_U64};
    const ilc__layout       *layout = w->info->layout;
    ilc__text_printf(&w->body, "    %s il_data[%u];\n", ilc__c_type(units[layout->text_align]), layout->size / layout->text_align);
}

static void put_struct(ilc__emitter *em, ilc__struct_info *info)
{
    const ilc__layout *layout = info->layout;
    writer             w = {.em = em, .info = info, .body = {.arena = em->arena}};
    if (layout->is_blob) put_bytes(&w);
    else put_fields(&w);
    ilc__out(em, "typedef struct %s {\n%s} %s;\n", info->name, ilc__text_string(&w.body), info->name);
    if (!em->options->display) {
        const char *check = ilc__name_unique(&em->names, ilc__arena_printf(em->arena, "%s_size", info->name));
        ilc__out(em, "typedef char %s[sizeof(%s) == %u ? 1 : -1];\n", check, info->name, layout->size);
    }
    ilc__out(em, "\n");
}

/* A compiler keeps property X in <X>k__BackingField. */
static const char *field_name(ilc__emitter *em, ilc__names *names, const char *name)
{
    const char *end = strchr(name, '>');
    if (name[0] == '<' && end && end - name > 1) name = ilc__arena_strndup(em->arena, name + 1, (size_t)(end - name - 1));
    return ilc__name_local(names, name);
}

static ilc_status add(ilc__emitter *em, const ilc__layout *layout, uint32_t depth)
{
    if (!layout || ilc__struct_of(em, layout)) return ILC_OK;
    if (depth > MAX_NESTING) return refuse(em, layout, "nests too deeply");
    for (uint32_t i = 0; i < layout->field_count; i++) ILC__TRY(add(em, layout->fields[i].layout, depth + 1));
    ilc__struct_info *info = ILC__NEW(em->arena, ilc__struct_info);
    ilc__names        names = {.arena = em->arena};
    const char      **fields = ILC__NEW_ARRAY(em->arena, const char *, layout->field_count + 1);
    for (uint32_t i = 0; i < layout->field_count; i++) fields[i] = field_name(em, &names, layout->fields[i].name);
    *info = (ilc__struct_info){layout, name_of(em, layout), fields};
    ilc__map_put(&em->structs, &layout, sizeof layout, info);
    put_struct(em, info);
    return ILC_OK;
}

/* --- which structs a unit uses ------------------------------------------------------------------------------ */

typedef struct finder {
    ilc__emitter *em;
    ilc_status    status;
} finder;

static void find(finder *f, const ilc__layout *layout)
{
    if (!f->status) f->status = add(f->em, layout, 0);
}

static void find_expr(void *user, const ilc__expr *expr)
{
    find(user, expr->layout);
}

static void find_stmt(void *user, const ilc__stmt *stmt)
{
    find(user, stmt->layout);
    ilc__stmt_exprs(stmt, find_expr, user);
}

uint64_t ilc__slot_bytes(const ilc__var *var)
{
    if (!var->is_slot || var->table) return 0;
    if (var->is_array) return (uint64_t)var->count * ilc_storage_size(var->storage);
    return var->layout ? var->layout->size : ilc_storage_size(var->storage);
}

static ilc_status check_slots(ilc__emitter *em, const ilc__func *func)
{
    uint64_t bytes = 0;
    for (uint32_t v = 0; v < func->vars.count; v++) bytes += ilc__slot_bytes(func->vars.items[v]);
    if (bytes <= MAX_SLOT_BYTES) return ILC_OK;
    ilc__where where = {.method = func->name};
    if (func->method) where = ilc__method_where(func->method, 0);
    where.has_il = false;
    return ilc__fail(em->ctx, ILC_UNSUPPORTED, &where, "locals of more than 64 KiB in memory");
}

ilc_status ilc__structs_print(ilc__emitter *em)
{
    finder f = {em, ILC_OK};
    em->structs.arena = em->arena;
    for (uint32_t i = 0; i < em->unit->funcs.count; i++) {
        const ilc__func *func = em->unit->funcs.items[i];
        for (uint32_t v = 0; v < func->vars.count; v++) find(&f, func->vars.items[v]->layout);
        ilc__block_each(&func->body, find_stmt, &f);
        if (!f.status) f.status = check_slots(em, func);
    }
    return f.status;
}
