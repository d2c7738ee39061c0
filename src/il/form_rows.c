/* form_rows.c - methods of rows as methods of matrices (docs/rows.md): f(a(), b()) becomes f(a(,), b(,), i, j), which begins
 * with taking row i of a and row j of b. The rest of its body is the method's, with the rows where that has its arguments. */
#include "il/form.h"

#include "il/decode.h"
#include "meta/image.h"
#include "meta/layout.h"

enum { MAX_ROWS = 2 };

bool ilc__form_has_rows(const ilc__method *form)
{
    return form->row_count && !form->form_of->row_count;
}

const ilc__type *ilc__row_type(const ilc__insn *insn)
{
    return insn->op == ILC__IL_LDELEM_REF ? insn->u.named.type : NULL;
}

/* --- the signature ---------------------------------------------------------------------------------------- */

/* The type of an element; NULL where it is no array or span of numbers. */
static const ilc__type *element_of(const ilc__type *type)
{
    const ilc__type *elem = type->kind == ILC__ET_SZARRAY ? type->elem : ilc__type_span(type);
    if (!elem) return NULL;
    ilc_storage storage = ilc__type_storage(elem);
    return storage == ILC_STORAGE_COUNT || storage == ILC_VOID ? NULL : elem;
}

static ilc_status matrix_of(const ilc__method *method, uint32_t param, const ilc__type **out)
{
    ilc__set     *set = method->image->set;
    ilc__type_key key = {.kind = ILC__ET_ARRAY, .elem = element_of(method->sig.params[param]), .rank = 2};
    ilc__where    where = ilc__method_where(method, 0);
    where.has_il = false;
    if (!key.elem)
        return ilc__fail(set->ctx, ILC_UNSUPPORTED, &where, "parameter '%s' is no row: only arrays and spans of numbers have rows here",
                         method->param_names[param]);
    return ilc__type_intern(set, &key, out);
}

ilc_status ilc__rows_form(const ilc__method *method, const uint32_t *params, uint32_t count, const ilc__method **out)
{
    static const char *const names[MAX_ROWS] = {"i", "j"};
    ilc__set                *set = method->image->set;
    const ilc__type         *index = ilc__type_of_primitive_name(set, "System", "Int32");
    uintptr_t                key[3 + MAX_ROWS] = {(uintptr_t)method, UINTPTR_MAX, count}; /* no counted form has that key */
    size_t                   size = (3 + count) * sizeof key[0];
    for (uint32_t k = 0; k < count; k++) key[3 + k] = params[k];
    if ((*out = ilc__map_get(&set->forms, key, size))) return ILC_OK;
    ilc__method *form = ilc__form_begin(&set->arena, method, count);
    for (uint32_t k = 0; k < count; k++)
        ILC__TRY(matrix_of(method, params[k], &((const ilc__type **)(uintptr_t)form->sig.params)[params[k]]));
    form->row_first = form->sig.param_count;
    for (uint32_t k = 0; k < count; k++) ilc__form_param(&set->arena, form, names[k], index);
    form->rows = ilc__arena_copy(&set->arena, params, count * sizeof *params);
    form->row_count = count;
    ilc__map_put(&set->forms, key, size, form);
    *out = form;
    return ILC_OK;
}

/* --- the body --------------------------------------------------------------------------------------------- */

/* The local that has the row of an argument; UINT32_MAX where that is no row. */
static uint32_t local_of(const ilc__method *form, uint32_t locals, int64_t argument)
{
    for (uint32_t k = 0; k < form->row_count; k++)
        if (argument == form->rows[k]) return locals + k;
    return UINT32_MAX;
}

static ilc__opcode of_local(ilc__opcode op)
{
    switch (op) {
    case ILC__IL_LDARGA: case ILC__IL_LDARGA_S: return ILC__IL_LDLOCA;
    case ILC__IL_STARG: case ILC__IL_STARG_S: return ILC__IL_STLOC;
    default: return ILC__IL_LDLOC;
    }
}

static void add_locals(ilc__arena *arena, const ilc__method *form, ilc__body *body)
{
    uint32_t          before = body->local_count, count = before + form->row_count;
    const ilc__type **types = ILC__NEW_ARRAY(arena, const ilc__type *, count);
    bool             *pinned = ILC__NEW_ARRAY(arena, bool, count);
    for (uint32_t i = 0; i < before; i++) types[i] = body->locals[i], pinned[i] = body->pinned && body->pinned[i];
    for (uint32_t k = 0; k < form->row_count; k++) types[before + k] = form->form_of->sig.params[form->rows[k]];
    body->locals = types;
    body->pinned = pinned;
    body->local_count = count;
}

/* `a; i; row; stloc` for each, where the method begins. */
static ilc__insn *add_beginning(const ilc__method *form, const ilc__insn *begin, uint32_t locals, ilc__insn *at)
{
    for (uint32_t k = 0; k < form->row_count; k++) {
        const struct {
            ilc__opcode op;
            int64_t     number;
        } steps[] = {{ILC__IL_LDARG, form->rows[k]}, {ILC__IL_LDARG, form->row_first + k}, {ILC__IL_LDELEM_REF, 0}, {ILC__IL_STLOC, locals + k}};
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++, at++) {
            *at = (ilc__insn){.offset = begin->offset, .next = begin->next, .op = steps[s].op};
            at->u.i = steps[s].number;
            if (at->op == ILC__IL_LDELEM_REF) at->u.named.type = form->form_of->sig.params[form->rows[k]], at->u.named.token = 0;
        }
    }
    return at;
}

ilc_status ilc__rows_body(ilc__arena *arena, const ilc__method *form, ilc__body *body)
{
    uint32_t   locals = body->local_count;
    uint32_t  *index = ILC__NEW_ARRAY(arena, uint32_t, body->code_size);
    ilc__insn *insns = ILC__NEW_ARRAY(arena, ilc__insn, body->insn_count + 4 * (size_t)form->row_count), *at = insns;
    if (!body->insn_count) return ILC_OK;
    memset(index, 0xFF, body->code_size * sizeof *index);
    add_locals(arena, form, body);
    at = add_beginning(form, &body->insns[0], locals, at);
    for (uint32_t i = 0; i < body->insn_count; i++, at++) {
        *at = body->insns[i];
        index[at->offset] = (uint32_t)(at - insns);
        if (ilc__opcode_variable(at->op) != ILC__VARIABLE_ARG) continue;
        uint32_t local = local_of(form, locals, at->u.i);
        if (local == UINT32_MAX) continue;
        at->op = of_local(at->op);
        at->u.i = local;
    }
    body->insns = insns;
    body->insn_count = (uint32_t)(at - insns);
    body->index = index;
    if (body->max_stack < 2) body->max_stack = 2;
    return ILC_OK;
}
