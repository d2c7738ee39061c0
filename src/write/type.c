/* type.c - types as the source languages have them. */
#include "write/internal.h"

bool ilc__wtype_same(ilc__wtype a, ilc__wtype b)
{
    if (a.is_span != b.is_span || a.is_readonly != b.is_readonly) return false;
    if (a.dims != b.dims || a.nested != b.nested || a.is_pointer != b.is_pointer || a.is_string != b.is_string) return false;
    if (a.layout || b.layout) return ilc__layout_same(a.layout, b.layout);
    return a.storage == b.storage;
}

bool ilc__is_float(ilc_storage s)
{
    return s == ILC_F32 || s == ILC_F64;
}

bool ilc__is_integer(ilc_storage s)
{
    return s >= ILC_CHAR && s <= ILC_UINT;
}

bool ilc__is_unsigned(ilc_storage s)
{
    return s == ILC_CHAR || s == ILC_U8 || s == ILC_U16 || s == ILC_U32 || s == ILC_U64 || s == ILC_UINT;
}

bool ilc__is_small(ilc_storage s)
{
    return s == ILC_CHAR || s == ILC_I8 || s == ILC_U8 || s == ILC_I16 || s == ILC_U16;
}

bool ilc__is_native(ilc_storage s)
{
    return s == ILC_INT || s == ILC_UINT;
}

uint32_t ilc__bits_of(ilc_storage s)
{
    return s == ILC_BOOL ? 1 : 8 * ilc_storage_size(s);
}

bool ilc__holds(ilc_storage to, ilc_storage from)
{
    if (!ilc__is_integer(to) || !ilc__is_integer(from)) return false;
    uint32_t wide = ilc__bits_of(to), narrow = ilc__bits_of(from);
    if (ilc__is_unsigned(from)) return ilc__is_unsigned(to) ? wide >= narrow : wide > narrow;
    return !ilc__is_unsigned(to) && wide >= narrow;
}

/* A by-ref that some call makes null is one all the same: metadata says which parameters are pointers. */
static bool is_pointer(const ilc__func *func, const ilc__var *var)
{
    if (!var->is_addr || !var->is_pointer || !var->is_param || !func || !func->method) return var->is_addr && var->is_pointer;
    uint32_t number = var->index;
    if (func->method->sig.has_this && number-- == 0) return false;
    return number < func->method->sig.param_count && func->method->sig.params[number]->kind == ILC__ET_PTR;
}

/* A span that is a parameter; of a local only its uses would tell. */
static bool is_readonly(const ilc__func *func, const ilc__var *var)
{
    if (!var->is_span || !var->is_param || !func || !func->method) return false;
    uint32_t number = var->index - func->method->sig.has_this;
    return number < func->method->sig.param_count && strncmp(func->method->sig.params[number]->name, "System.ReadOnlySpan`1", 21) == 0;
}

ilc__wtype ilc__var_type(const ilc__func *func, const ilc__var *var)
{
    ilc__wtype t = {.storage = var->storage, .layout = var->layout};
    if (var->is_string) return (ilc__wtype){.is_string = true};
    if (var->is_array) {
        t.dims = var->rank ? var->rank : 1;
        t.nested = var->nested;
    }
    t.is_span = var->is_span;
    t.is_readonly = is_readonly(func, var);
    t.is_pointer = is_pointer(func, var);
    if (var->is_slot && var->is_array) /* a block on the stack */
        return (ilc__wtype){.storage = var->storage, .is_pointer = true};
    if (t.is_pointer && var->is_param && func && func->method && !t.layout) {
        const ilc__type *elem = func->method->sig.params[var->index - func->method->sig.has_this]->elem;
        if (elem->kind == ILC__ET_VOID) t.storage = ILC_VOID;
    }
    return t;
}

ilc__wtype ilc__result_type(const ilc__func *func)
{
    const ilc__ir_var *array = func->ret_array;
    if (func->ret_layout) return (ilc__wtype){.storage = ILC_STRUCT, .layout = func->ret_layout};
    if (func->ret_to) return (ilc__wtype){.storage = func->ret_to->storage, .layout = func->ret_to->layout};
    if (array) return (ilc__wtype){.storage = array->storage, .layout = array->layout, .dims = array->rank ? array->rank : 1, .nested = array->nested};
    return ilc__scalar(func->ret);
}

bool ilc__is_by_ref(const ilc__func *func, const ilc__var *var)
{
    return var->is_addr && !is_pointer(func, var);
}

bool ilc__checks_at(const ilc__body *body, uint32_t il)
{
    if (!body || il >= body->code_size || body->index[il] == UINT32_MAX) return false;
    return strstr(ilc__opcode_name(body->insns[body->index[il]].op), ".ovf") != NULL;
}

const ilc__body *ilc__body_of(ilc__context *ctx, ilc__arena *arena, const ilc__func *func)
{
    uint32_t   before = ctx->diags.count;
    ilc__body *body = ILC__NEW(arena, ilc__body);
    bool       own = func->method && func->place == func->method;
    bool       decoded = own && ilc__body_decode(ctx, arena, func->method, body) == ILC_OK;
    ctx->diags.count = before;
    return decoded ? body : NULL;
}
