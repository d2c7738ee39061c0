/* pointer.c - unmanaged pointers in text: addresses moved by bytes, tests for null, blocks of bytes, and accesses
 * that are not known to be aligned, which go byte by byte (a GPU loses its context over others).
 *
 * What an address is a multiple of is known from where it comes: an element, a slot, a field, a pointer parameter
 * of the root (of T*: the size of T), of other functions the least that the unit's calls pass. */
#include "emit/internal.h"
#include "meta/layout.h"

enum { ALIGN_MOST = 16, MAX_DEPTH = 64 };

static uint32_t lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* --- alignment -------------------------------------------------------------------------------------------- */

static uint32_t target_align(ilc_storage storage, const ilc__layout *layout)
{
    uint32_t size = layout ? layout->text_align : ilc_storage_size(storage);
    return size ? size : 1;
}

static uint32_t bits_align(uint64_t bits)
{
    for (uint32_t a = 1; a < ALIGN_MOST; a *= 2)
        if (bits & a) return a;
    return ALIGN_MOST;
}

/* What an integer is a multiple of. */
static uint32_t multiple_of(const ilc__expr *e, int depth)
{
    if (depth > MAX_DEPTH) return 1;
    if (e->kind == ILC__EX_CONST) return bits_align(e->u.bits);
    if (e->kind != ILC__EX_OP) return 1;
    uint32_t a = multiple_of(e->args[0], depth + 1), b = e->arg_count > 1 ? multiple_of(e->args[1], depth + 1) : a;
    switch (e->op) {
    case ILC__OP_I64_I32: case ILC__OP_I64_U32: case ILC__OP_I32_I64: case ILC__OP_NEG_I32: case ILC__OP_NEG_I64: return a;
    case ILC__OP_ADD_I32: case ILC__OP_ADD_I64: case ILC__OP_SUB_I32: case ILC__OP_SUB_I64: return lower(a, b);
    case ILC__OP_ADD_OVF_I32: case ILC__OP_ADD_OVF_I64: case ILC__OP_SUB_OVF_I32: case ILC__OP_SUB_OVF_I64: return lower(a, b);
    case ILC__OP_MUL_I32: case ILC__OP_MUL_I64: case ILC__OP_MUL_OVF_I32: case ILC__OP_MUL_OVF_I64: return lower(a * b, ALIGN_MOST);
    case ILC__OP_AND_I32: case ILC__OP_AND_I64: return a > b ? a : b;
    case ILC__OP_SHL_I32: case ILC__OP_SHL_I64: {
        bool     known = e->args[1]->kind == ILC__EX_CONST;
        uint64_t count = known ? e->args[1]->u.bits & 31 : 0;
        return count >= 4 ? ALIGN_MOST : lower(a << count, ALIGN_MOST);
    }
    default: return 1;
    }
}

static uint8_t *aligns_of(const ilc__emitter *em, const ilc__func *func)
{
    uint32_t number = ilc__func_number(em->unit, func);
    return em->aligns[number == UINT32_MAX ? 0 : number];
}

static uint32_t align_of(const ilc__emitter *em, const uint8_t *vars, const ilc__expr *addr, int depth)
{
    if (depth > MAX_DEPTH) return 1;
    switch (addr->kind) {
    case ILC__EX_CONST: return ALIGN_MOST;
    case ILC__EX_VAR: return vars[addr->u.var->index];
    case ILC__EX_SLOTADDR: return target_align(addr->u.var->storage, addr->u.var->layout);
    case ILC__EX_DATAADDR:
    case ILC__EX_ELEMADDR: return target_align(addr->storage, addr->layout);
    case ILC__EX_FIELDADDR:
        return lower(align_of(em, vars, addr->args[0], depth + 1), bits_align(addr->layout->fields[addr->u.field].offset));
    case ILC__EX_ADDADDR: return lower(align_of(em, vars, addr->args[0], depth + 1), multiple_of(addr->args[1], depth + 1));
    case ILC__EX_SELECT: return lower(align_of(em, vars, addr->args[1], depth + 1), align_of(em, vars, addr->args[2], depth + 1));
    case ILC__EX_CALL: /* behind the variables: the result */
        return addr->u.callee ? aligns_of(em, addr->u.callee)[addr->u.callee->vars.count] : 1;
    default: return 1;
    }
}

typedef struct settler {
    ilc__emitter    *em;
    const ilc__func *func; /* the function at hand */
    uint8_t         *own;
    bool             changed;
} settler;

static void put_lower(settler *s, uint8_t *at, uint32_t align)
{
    if (align >= *at) return;
    *at = (uint8_t)align;
    s->changed = true;
}

static void settle_call(void *user, const ilc__expr *expr)
{
    settler *s = user;
    if (expr->kind != ILC__EX_CALL || !expr->u.callee) return;
    uint8_t *params = aligns_of(s->em, expr->u.callee);
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (expr->args[i]->type == ILC__IR_ADDR) put_lower(s, &params[i], align_of(s->em, s->own, expr->args[i], 0));
}

static void settle_stmt(void *user, const ilc__stmt *stmt)
{
    settler *s = user;
    if (stmt->kind == ILC__ST_ASSIGN && stmt->var->is_addr)
        put_lower(s, &s->own[stmt->var->index], align_of(s->em, s->own, stmt->a, 0));
    if (stmt->kind == ILC__ST_RETURN && stmt->a && stmt->a->type == ILC__IR_ADDR)
        put_lower(s, &s->own[s->func->vars.count], align_of(s->em, s->own, stmt->a, 0));
    ilc__stmt_exprs(stmt, settle_call, s);
}

void ilc__settle_aligns(ilc__emitter *em)
{
    uint32_t count = em->unit->funcs.count;
    em->aligns = ILC__NEW_ARRAY(em->arena, uint8_t *, count);
    for (uint32_t i = 0; i < count; i++) {
        const ilc__func *func = em->unit->funcs.items[i];
        em->aligns[i] = ILC__NEW_ARRAY(em->arena, uint8_t, func->vars.count + 1);
        memset(em->aligns[i], ALIGN_MOST, func->vars.count + 1);
        for (uint32_t v = 0; func == em->root && v < func->param_count; v++)
            em->aligns[i][v] = (uint8_t)target_align(func->vars.items[v]->storage, func->vars.items[v]->layout);
    }
    settler s = {.em = em, .changed = true};
    while (s.changed) {
        s.changed = false;
        for (uint32_t i = count; i-- > 0;) {
            s.func = em->unit->funcs.items[i];
            s.own = em->aligns[i];
            ilc__block_each(&em->unit->funcs.items[i]->body, settle_stmt, &s);
        }
    }
}

const uint8_t *ilc__aligns_of(const ilc__emitter *em, const ilc__func *func)
{
    return aligns_of(em, func);
}

bool ilc__addr_is_aligned(ilc__printer *p, const ilc__expr *addr, ilc_storage storage, const ilc__layout *layout)
{
    return align_of(p->em, p->aligns, addr, 0) >= target_align(storage, layout);
}

/* --- moved addresses -------------------------------------------------------------------------------------- */

/* The index that the bytes are a multiple of; NULL where they are not one of the size. *number: a constant. */
static const ilc__expr *index_of(const ilc__expr *bytes, uint32_t size, int64_t *number)
{
    if (bytes->kind == ILC__EX_CONST) {
        *number = (int64_t)bytes->u.bits / (int64_t)size;
        return (int64_t)bytes->u.bits % (int64_t)size ? NULL : bytes;
    }
    return ilc__bytes_index(bytes, size);
}

static bool same_target(ilc__printer *p, const ilc__expr *addr)
{
    ilc__pointee from = ilc__addr_target(addr->args[0]);
    return strcmp(ilc__target_type(p->em, from.storage, from.layout), ilc__target_type(p->em, addr->storage, addr->layout)) == 0;
}

static ilc__piece index_print(ilc__printer *p, const ilc__expr *index, int64_t number)
{
    if (index->kind == ILC__EX_CONST)
        return (ilc__piece){ilc__print(p, "%lld", (long long)number), number < 0 ? ILC__PREC_UNARY : ILC__PREC_PRIMARY, true, false, 0};
    if (index->kind == ILC__EX_OP && index->op == ILC__OP_I64_I32) index = index->args[0];
    return ilc__expr_print(p, index);
}

static ilc__piece made(const char *text, int prec, ilc__piece a, ilc__piece b)
{
    return (ilc__piece){text, prec, false, a.loads || b.loads, (a.depth > b.depth ? a.depth : b.depth) + 1};
}

/* (T *)((char *)p + bytes); `p + i` where it is counted in elements. */
static ilc__piece moved_print(ilc__printer *p, const ilc__expr *addr, bool place)
{
    uint32_t         size = addr->layout ? addr->layout->size : ilc_storage_size(addr->storage);
    int64_t          number = 0;
    const ilc__expr *index = same_target(p, addr) ? index_of(addr->args[1], size, &number) : NULL;
    const char      *type = ilc__target_type(p->em, addr->storage, addr->layout);
    ilc__piece       base = ilc__addr_print(p, addr->args[0]), none = {0};
    if (ilc__expr_is_const(addr->args[1], 0)) {
        if (!index) base = made(ilc__print(p, "(%s *)%s", type, ilc__piece_at(p, base, ILC__PREC_UNARY)), ILC__PREC_UNARY, base, none);
        if (!place) return base;
        return made(ilc__print(p, "*%s", ilc__piece_at(p, base, ILC__PREC_UNARY)), ILC__PREC_UNARY, base, none);
    }
    if (index) {
        ilc__piece by = index_print(p, index, number);
        if (place) return made(ilc__print(p, "%s[%s]", ilc__piece_at(p, base, ILC__PREC_PRIMARY), by.text), ILC__PREC_PRIMARY, base, by);
        return made(ilc__print(p, "%s + %s", ilc__piece_at(p, base, ILC__PREC_ADD), ilc__piece_at(p, by, ILC__PREC_MUL)), ILC__PREC_ADD, base, by);
    }
    ilc__piece by = ilc__expr_print(p, addr->args[1]);
    return made(ilc__print(p, "%s(%s *)((char *)%s + %s)", place ? "*" : "", type, ilc__piece_at(p, base, ILC__PREC_UNARY),
                           ilc__piece_at(p, by, ILC__PREC_MUL)),
                ILC__PREC_UNARY, base, by);
}

ilc__piece ilc__moved_place(ilc__printer *p, const ilc__expr *addr)
{
    return moved_print(p, addr, true);
}

ilc__piece ilc__moved_addr(ilc__printer *p, const ilc__expr *addr)
{
    return moved_print(p, addr, false);
}

ilc__piece ilc__number_print(ilc__printer *p, const ilc__expr *expr)
{
    ilc__piece addr = ilc__addr_print(p, expr->args[0]), none = {0};
    return made(ilc__print(p, "(long long)%s", ilc__piece_at(p, addr, ILC__PREC_UNARY)), ILC__PREC_UNARY, addr, none);
}

/* As CoreCLR, which takes a fault in the first 64 KiB for null; a parameter is null or is not. */
void ilc__nonnull_print(ilc__printer *p, const ilc__expr *expr)
{
    const ilc__expr *addr = expr->args[0];
    if (!ilc__expr_checked(p, expr)) return;
    ilc__piece piece = ilc__addr_print(p, addr);
    bool       plain = addr->kind == ILC__EX_VAR && addr->u.var->is_param && addr->u.var->assignments <= 1 && p->func == p->em->root;
    uint32_t   site = ilc__site_known(p, ILC__EXC_NULL_REFERENCE, expr->il, expr->has_il);
    ilc__trap_test(p, plain ? ilc__print(p, "!%s", ilc__piece_at(p, piece, ILC__PREC_UNARY))
                            : ilc__print(p, "(unsigned long long)%s < 65536", ilc__piece_at(p, piece, ILC__PREC_UNARY)),
                   site);
}

/* --- byte by byte ----------------------------------------------------------------------------------------- */

static const char *bytes_name(ilc_storage storage)
{
    switch (storage) {
    case ILC_I16: return "i16";
    case ILC_U16: case ILC_CHAR: return "u16";
    case ILC_I32: case ILC_U32: return "i32";
    case ILC_F32: return "f32";
    case ILC_F64: return "f64";
    default: return "i64";
    }
}

ilc__piece ilc__bytewise_load(ilc__printer *p, const ilc__expr *expr)
{
    ilc__piece addr = ilc__addr_print(p, expr->args[0]);
    return (ilc__piece){ilc__print(p, "il_load_%s(%s)", bytes_name(expr->storage), addr.text), ILC__PREC_PRIMARY, false, true,
                        addr.depth + 1};
}

/* A store, or a block of bytes; what was loaded to find an address is kept while the rest is made. */
static const char *pointer_print(ilc__printer *p, const char *type, const ilc__expr *addr, const ilc__expr *next,
                                 const ilc__expr *last)
{
    ilc__piece piece = ilc__addr_print(p, addr);
    bool       keep = (next && next->type != ILC__IR_ADDR && ilc__expr_needs_statements(p, next)) || ilc__expr_needs_statements(p, last);
    return keep && !piece.leaf ? ilc__temp(p, type, piece.text).text : piece.text;
}

void ilc__bytewise_store(ilc__printer *p, const ilc__stmt *stmt)
{
    const char *to = pointer_print(p, "void *", stmt->a, stmt->b, NULL);
    if (stmt->kind == ILC__ST_STOREIND)
        ilc__line_out(p, "il_store_%s(%s, %s);", bytes_name(stmt->storage), to, ilc__expr_print(p, stmt->b).text);
    else if (stmt->kind == ILC__ST_COPYMEM)
        ilc__line_out(p, "il_copy_bytes(%s, %s, %u);", to, ilc__addr_print(p, stmt->b).text, stmt->layout->size);
    else
        ilc__line_out(p, "il_fill_bytes(%s, 0, %u);", to, stmt->layout->size);
}

void ilc__bytes_print(ilc__printer *p, const ilc__stmt *stmt)
{
    const char *to = pointer_print(p, "void *", stmt->a, stmt->b, stmt->c);
    bool        copies = stmt->kind == ILC__ST_COPYBYTES;
    const char *by = copies ? pointer_print(p, "const void *", stmt->b, NULL, stmt->c) : NULL;
    if (!copies) {
        ilc__piece value = ilc__expr_print(p, stmt->b);
        by = ilc__expr_needs_statements(p, stmt->c) && !value.leaf ? ilc__temp(p, "int", value.text).text : value.text;
    }
    ilc__piece count = ilc__expr_print(p, stmt->c);
    ilc__line_out(p, "il_%s_bytes(%s, %s, (unsigned)%s);", copies ? "copy" : "fill", to, by, ilc__piece_at(p, count, ILC__PREC_UNARY));
}
