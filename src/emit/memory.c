/* memory.c - addresses in text (docs/memory.md): an address under a load or store prints as the place that it
 * names, elsewhere as & of it; by-ref variables are pointers; slots are locals that start at zero. And what flows
 * through addresses: which arrays and by-refs a function may store to. */
#include "emit/internal.h"
#include "meta/layout.h"

/* --- what an address is of ---------------------------------------------------------------------------------- */

const ilc__expr *ilc__addr_root(const ilc__expr *addr)
{
    while (addr->kind == ILC__EX_FIELDADDR || addr->kind == ILC__EX_ADDADDR) addr = addr->args[0];
    return addr;
}

ilc__pointee ilc__addr_target(const ilc__expr *addr)
{
    switch (addr->kind) {
    case ILC__EX_VAR: case ILC__EX_SLOTADDR: return (ilc__pointee){addr->u.var->storage, addr->u.var->layout};
    case ILC__EX_FIELDADDR: {
        const ilc__layout_field *field = &addr->layout->fields[addr->u.field];
        return (ilc__pointee){field->storage, field->layout};
    }
    default: return (ilc__pointee){addr->storage, addr->layout};
    }
}

const char *ilc__target_type(ilc__emitter *em, ilc_storage storage, const ilc__layout *layout)
{
    return layout ? ilc__struct_of(em, layout)->name : ilc__c_type(storage);
}

/* --- what a function stores to ------------------------------------------------------------------------------ */

bool ilc__writes_memory(const ilc__stmt *stmt)
{
    return stmt->kind == ILC__ST_STOREIND || stmt->kind == ILC__ST_COPYMEM || stmt->kind == ILC__ST_ZEROMEM ||
           stmt->kind == ILC__ST_COPYBYTES || stmt->kind == ILC__ST_FILLBYTES;
}

/* An address that is written through. The place of a struct result is the caller's own: writing there is no store
 * that anything else could see. */
void ilc__mark_address(ilc__func_info *info, const ilc__expr *addr)
{
    const ilc__expr *root = ilc__addr_root(addr);
    if (root->kind == ILC__EX_ELEMADDR || root->kind == ILC__EX_DATAADDR) ilc__mark_written(info, root->args[0]);
    else if (root->kind == ILC__EX_VAR && !ilc__is_result(info->func, root->u.var)) info->stores = true;
}

void ilc__survey_memory(ilc__func_info *info, const ilc__stmt *stmt)
{
    /* what another by-ref variable is made to point to, or what is returned, is stored to through that */
    bool flows = stmt->kind == ILC__ST_ASSIGN ? stmt->var->is_addr && info->written[stmt->var->index]
                                              : stmt->kind == ILC__ST_RETURN && stmt->a && stmt->a->type == ILC__IR_ADDR;
    if (ilc__writes_memory(stmt) || flows) ilc__mark_address(info, stmt->a);
}

/* --- places ------------------------------------------------------------------------------------------------- */

static ilc__piece piece_of(const char *text, int prec, bool leaf)
{
    return (ilc__piece){.text = text, .prec = prec, .leaf = leaf};
}

/* A field of a struct that is emitted as bytes: (T *)((char *)p + offset). */
static bool is_in_bytes(const ilc__expr *addr)
{
    return addr->kind == ILC__EX_FIELDADDR && addr->layout->is_blob;
}

static ilc__piece bytes_field(ilc__printer *p, const ilc__expr *addr, bool place)
{
    const ilc__layout_field *field = &addr->layout->fields[addr->u.field];
    const char              *type = ilc__target_type(p->em, field->storage, field->layout), *star = place ? "*" : "";
    ilc__piece               made = ilc__addr_print(p, addr->args[0]);
    const char              *base = ilc__piece_at(p, made, ILC__PREC_UNARY);
    if (field->offset) made.text = ilc__print(p, "%s(%s *)((char *)%s + %u)", star, type, base, field->offset);
    else made.text = ilc__print(p, "%s(%s *)%s", star, type, base);
    made.prec = ILC__PREC_UNARY;
    made.leaf = false;
    return made;
}

static ilc__piece field_print(ilc__printer *p, const ilc__expr *addr)
{
    if (is_in_bytes(addr)) return bytes_field(p, addr, true);
    const ilc__expr *base = addr->args[0];
    const char      *field = ilc__struct_of(p->em, addr->layout)->field_names[addr->u.field];
    if (base->kind == ILC__EX_VAR)
        return piece_of(ilc__print(p, "%s->%s", p->info->var_names[base->u.var->index], field), ILC__PREC_PRIMARY, false);
    ilc__piece place = ilc__place_print(p, base);
    place.text = ilc__print(p, "%s.%s", ilc__piece_at(p, place, ILC__PREC_PRIMARY), field);
    place.prec = ILC__PREC_PRIMARY;
    place.leaf = false;
    return place;
}

static ilc__piece refuse_choice(ilc__printer *p)
{
    if (!p->status)
        p->status = ilc__fail(p->em->ctx, ILC_UNSUPPORTED, NULL, "%s chooses between by-refs in an expression", p->func->name);
    return piece_of("0", ILC__PREC_PRIMARY, true);
}

static ilc__piece any_place(ilc__printer *p, const ilc__expr *addr)
{
    switch (addr->kind) {
    case ILC__EX_SLOTADDR: {
        const char *name = p->info->var_names[addr->u.var->index];
        return piece_of(addr->u.var->is_array ? ilc__print(p, "%s[0]", name) : name, ILC__PREC_PRIMARY, false);
    }
    case ILC__EX_VAR:
        return piece_of(ilc__print(p, "*%s", p->info->var_names[addr->u.var->index]), ILC__PREC_UNARY, false);
    case ILC__EX_ELEMADDR:
        return ilc__element_print(p, addr, ilc__target_type(p->em, addr->storage, addr->layout));
    case ILC__EX_DATAADDR: return piece_of(ilc__print(p, "*%s", ilc__data_print(p, addr).text), ILC__PREC_UNARY, false);
    case ILC__EX_FIELDADDR: return field_print(p, addr);
    case ILC__EX_ADDADDR: return ilc__moved_place(p, addr);
    case ILC__EX_CONST:
        return piece_of(ilc__print(p, "*(%s *)0", ilc__target_type(p->em, addr->storage, addr->layout)), ILC__PREC_UNARY, false);
    case ILC__EX_CALL: {
        ilc__piece call = ilc__call_print(p, addr);
        call.text = ilc__print(p, "*%s", ilc__piece_at(p, call, ILC__PREC_UNARY));
        call.prec = ILC__PREC_UNARY;
        call.leaf = false;
        return call;
    }
    default: return refuse_choice(p);
    }
}

ilc__piece ilc__place_print(ilc__printer *p, const ilc__expr *addr)
{
    ilc__in_expr around = ilc__lines_enter(p, addr);
    ilc__piece   place = any_place(p, addr);
    ilc__lines_leave(p, around);
    return place;
}

static ilc__piece any_addr(ilc__printer *p, const ilc__expr *addr)
{
    if (addr->kind == ILC__EX_ADDADDR) return ilc__moved_addr(p, addr);
    if (addr->kind == ILC__EX_CALL) return ilc__call_print(p, addr);
    if (addr->kind == ILC__EX_DATAADDR) return ilc__data_print(p, addr);
    if (addr->kind == ILC__EX_SLOTADDR && addr->u.var->is_array)
        return piece_of(p->info->var_names[addr->u.var->index], ILC__PREC_PRIMARY, true);
    if (addr->kind == ILC__EX_CONST)
        return piece_of(ilc__print(p, "(%s *)0", ilc__target_type(p->em, addr->storage, addr->layout)), ILC__PREC_UNARY, false);
    if (addr->kind == ILC__EX_VAR) return piece_of(p->info->var_names[addr->u.var->index], ILC__PREC_PRIMARY, true);
    if (is_in_bytes(addr)) return bytes_field(p, addr, false);
    ilc__piece place = ilc__place_print(p, addr);
    place.text = ilc__print(p, "&%s", ilc__piece_at(p, place, ILC__PREC_UNARY));
    place.prec = ILC__PREC_UNARY;
    place.leaf = false;
    return place;
}

ilc__piece ilc__addr_print(ilc__printer *p, const ilc__expr *addr)
{
    ilc__in_expr around = ilc__lines_enter(p, addr);
    ilc__piece   piece = any_addr(p, addr);
    ilc__lines_leave(p, around);
    return piece;
}

/* As a by-ref variable or result wants it, which may differ in the sign of what it points to. */
const char *ilc__addr_to(ilc__printer *p, const ilc__expr *addr, ilc__piece piece, ilc__pointee to)
{
    ilc__pointee from = ilc__addr_target(addr);
    const char  *wanted = ilc__target_type(p->em, to.storage, to.layout);
    if (strcmp(wanted, ilc__target_type(p->em, from.storage, from.layout)) == 0) return piece.text;
    return ilc__print(p, "(%s *)%s", wanted, ilc__piece_at(p, piece, ILC__PREC_UNARY));
}

const char *ilc__addr_as(ilc__printer *p, const ilc__expr *addr, ilc__piece piece, const ilc__var *var)
{
    return ilc__addr_to(p, addr, piece, (ilc__pointee){var->storage, var->layout});
}

/* An argument: a struct by value is its place, a by-ref an address. */
ilc__piece ilc__addr_argument(ilc__printer *p, const ilc__expr *addr, const ilc__var *param)
{
    if (!param->is_addr) return ilc__place_print(p, addr);
    ilc__piece piece = ilc__addr_print(p, addr);
    const char *text = ilc__addr_as(p, addr, piece, param);
    if (text != piece.text) piece = (ilc__piece){text, ILC__PREC_UNARY, false, piece.loads, piece.depth};
    return piece;
}

/* --- statements --------------------------------------------------------------------------------------------- */

/* The place to store to; where it is found by what is loaded, a pointer keeps it while the value is made. */
static const char *destination_print(ilc__printer *p, const ilc__stmt *stmt)
{
    ilc__piece place = ilc__place_print(p, stmt->a);
    if (!place.loads || !stmt->b || !ilc__expr_needs_statements(p, stmt->b)) return place.text;
    ilc__pointee target = ilc__addr_target(stmt->a);
    const char  *type = ilc__print(p, "%s *", ilc__target_type(p->em, target.storage, target.layout));
    ilc__piece   kept = ilc__temp(p, type, ilc__print(p, "&%s", ilc__piece_at(p, place, ILC__PREC_UNARY)));
    return ilc__print(p, "*%s", kept.text);
}

static const char *zero_text(ilc__printer *p, const ilc__layout *layout)
{
    const char *name = ilc__struct_of(p->em, layout)->name;
    return p->em->options->dialect == ILC__DIALECT_C ? ilc__print(p, "(%s){0}", name) : ilc__print(p, "%s()", name);
}

static bool is_aligned(ilc__printer *p, const ilc__stmt *stmt)
{
    bool copies = stmt->kind == ILC__ST_COPYMEM;
    return ilc__addr_is_aligned(p, stmt->a, stmt->storage, stmt->layout) &&
           (!copies || ilc__addr_is_aligned(p, stmt->b, stmt->storage, stmt->layout));
}

void ilc__memory_print(ilc__printer *p, const ilc__stmt *stmt)
{
    if (!is_aligned(p, stmt)) {
        ilc__bytewise_store(p, stmt);
        return;
    }
    const char *place = destination_print(p, stmt);
    if (stmt->kind == ILC__ST_ZEROMEM)
        ilc__line_out(p, "%s = %s;", place, zero_text(p, stmt->layout));
    else if (stmt->kind == ILC__ST_COPYMEM)
        ilc__line_out(p, "%s = %s;", place, ilc__place_print(p, stmt->b).text);
    else
        ilc__line_out(p, "%s = %s;", place, ilc__expr_print(p, stmt->b).text);
}

void ilc__slots_declare(ilc__printer *p)
{
    for (uint32_t i = p->func->param_count; i < p->func->vars.count; i++) {
        const ilc__var *var = p->func->vars.items[i];
        if (!var->is_slot || var->table || var->is_dynamic) continue;
        if (var->is_array) { /* zeroed where the array is made */
            ilc__text_printf(&p->top, "    %s %s[%u];\n", ilc__c_type(var->storage), p->info->var_names[i], var->count ? var->count : 1);
            p->top_line++;
            continue;
        }
        const char *zero = var->storage == ILC_F32 ? "0.0f" : var->storage == ILC_F64 ? "0.0" : "0";
        if (var->layout) zero = p->em->options->dialect == ILC__DIALECT_C ? "{0}" : "{}";
        ilc__text_printf(&p->top, "    %s %s = %s;\n", ilc__target_type(p->em, var->storage, var->layout),
                         p->info->var_names[i], zero);
        p->top_line++;
    }
}
