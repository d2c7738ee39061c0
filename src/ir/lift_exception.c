/* lift_exception.c - exceptions that code makes and throws: classes that are known by name, and the program's own that
 * derive from these. Of an own class the constructors are followed here, up to the known one that makes the message. */
#include "ir/lift.h"

enum { MAX_BASES = 16, MAX_ARGS = 16, MAX_STACK = 32 };

/* --- classes ------------------------------------------------------------------------------------------------- */

const char *ilc__lift_exception_base(const ilc__callee *constructor)
{
    const ilc__type *type = constructor->type;
    if (ilc__lib_is_exception(constructor->type_name)) return constructor->type_name;
    for (uint32_t depth = 0; type && depth < MAX_BASES; depth++) {
        if (ilc__lib_is_exception(type->name)) return type->name;
        if (type->kind != ILC__ET_CLASS || !type->def || ilc__image_is_framework(type->def->image)) return NULL;
        if (ilc__typedef_has_method(type->def, "get_Message")) return NULL;
        if (ilc__typedef_base(type->def, &type) != ILC_OK) return NULL;
    }
    return NULL;
}

/* --- made of arguments ----------------------------------------------------------------------------------------- */

/* One argument of an exception's constructor: its letter, and what is known of a string. */
static bool exception_argument(const ilc__lift *l, const ilc__type *type, const ilc__lift_slot *slot, uint32_t number,
                               char *letter, ilc__exception *exception)
{
    if (type->kind == ILC__ET_STRING || type->kind == ILC__ET_OBJECT) {
        *letter = type->kind == ILC__ET_STRING ? 's' : 'o';
        exception->strings[number] = slot->text;
        exception->open[number] = slot->type == ILC__IR_VOID && slot->ref;
        return ilc__lift_is_null(slot) || slot->type == ILC__IR_VOID;
    }
    if (type->kind == ILC__ET_I4) {
        *letter = 'i';
        return slot->type == ILC__IR_I32 && l->func->values.items[slot->ref].op == ILC__OP_CONST;
    }
    *letter = 'x';
    return ilc__lift_is_null(slot) && type->kind == ILC__ET_CLASS && strcmp(type->name, "System.Exception") == 0;
}

static ilc_status push_exception(ilc__lift *l, const ilc__exception *exception, const ilc__ref *open)
{
    ilc__ref ref = ilc__ir_emit(l->func, l->ir, ILC__OP_NEWEXC, ILC__IR_EXC, ilc__exception_open(exception), open);
    ilc__ir_value *value = &l->func->values.items[ref];
    value->il = l->insn->offset;
    value->has_il = true;
    value->u.exc = exception;
    return ilc__lift_push_ref(l, ref);
}

/* The text without the open strings, which also says whether there is such a constructor. */
static bool has_message(ilc__lift *l, ilc__exception *exception)
{
    const char *base = exception->base ? exception->base : exception->type;
    const char *message =
        ilc__lib_exception_message_of(l->func->arena, exception->type, base, exception->kinds, exception->strings);
    if (ilc__exception_open(exception) == 0) exception->message = message;
    return message != NULL;
}

/* type: the class made, callee: a constructor that is known by name, of that class or of one that it derives from. */
static ilc_status make_exception(ilc__lift *l, const ilc__callee *callee, const char *type, const char *base,
                                 const ilc__lift_slot *args)
{
    char     kinds[ILC__EXCEPTION_ARGS + 1] = {0};
    ilc__ref open[ILC__EXCEPTION_ARGS];
    uint32_t strings = 0, opened = 0, count = callee->sig.param_count;
    if (count > ILC__EXCEPTION_ARGS) return ilc__lift_refuse_object(l, callee);
    ilc__exception *exception = ILC__NEW(l->func->arena, ilc__exception);
    exception->type = type;
    exception->base = strcmp(type, base) == 0 ? NULL : base;
    for (uint32_t i = 0; i < count; i++) {
        if (!exception_argument(l, callee->sig.params[i], &args[i], strings, &kinds[i], exception))
            return ilc__lift_refuse(l, ILC_UNSUPPORTED, "creation of %s with an argument that is not constant", type);
        bool is_text = kinds[i] == 's' || kinds[i] == 'o';
        if (is_text && exception->open[strings]) open[opened++] = args[i].ref;
        strings += is_text;
    }
    exception->kinds = ilc__arena_strdup(l->func->arena, kinds);
    if (!has_message(l, exception)) return ilc__lift_refuse_object(l, callee);
    return push_exception(l, exception, open);
}

/* The arguments leave the stack; they stay where they are until something else is pushed. */
static ilc_status take_arguments(ilc__lift *l, const ilc__callee *callee, const ilc__lift_slot **args)
{
    uint32_t count = callee->sig.param_count;
    if (count > l->depth)
        return ilc__lift_refuse(l, ILC_FORMAT, "%s found the stack empty", ilc__opcode_name(l->insn->op));
    l->depth -= count;
    *args = &l->stack[l->depth];
    return ILC_OK;
}

ilc_status ilc__lift_exception(ilc__lift *l, const ilc__callee *callee, const char *type)
{
    const ilc__lift_slot *args = NULL;
    ILC__TRY(take_arguments(l, callee, &args));
    return make_exception(l, callee, type, type, args);
}

/* --- classes of the program's own ------------------------------------------------------------------------------- */

typedef struct walk { /* through one constructor: `this` is a slot of type EXC */
    ilc__lift            *l;
    const char           *type; /* the class that is made */
    const ilc__method    *method;
    const ilc__insn      *insn;
    const ilc__lift_slot *args;
    ilc__lift_slot        stack[MAX_STACK];
    uint32_t              depth;
    bool                  has_base; /* the base's constructor was called */
} walk;

static ilc_status follow(ilc__lift *l, const char *type, const ilc__callee *callee, const ilc__lift_slot *args, uint32_t depth);

static ilc_status refuse_walk(const walk *w)
{
    return ilc__lift_refuse(w->l, ILC_UNSUPPORTED, "creation of %s, whose constructor does more than pass its arguments on",
                            w->type);
}

static ilc_status walk_push(walk *w, ilc__lift_slot slot)
{
    if (w->depth == MAX_STACK) return refuse_walk(w);
    w->stack[w->depth++] = slot;
    return ILC_OK;
}

static ilc_status walk_argument(walk *w)
{
    uint64_t number = (uint64_t)w->insn->u.i;
    if (number > w->method->sig.param_count) return refuse_walk(w);
    return walk_push(w, number ? w->args[number - 1] : (ilc__lift_slot){.type = ILC__IR_EXC});
}

static ilc_status walk_string(walk *w)
{
    ilc__lift_slot slot = {0};
    ILC__TRY(ilc__resolve_string(w->method->image, w->insn->u.token, &slot.text));
    return walk_push(w, slot);
}

static ilc_status walk_constant(walk *w)
{
    return walk_push(w, (ilc__lift_slot){.type = ILC__IR_I32,
                                         .ref = ilc__lift_const(w->l, ILC__IR_I32, (uint64_t)w->insn->u.i)});
}

/* A number that only a field may get: an ADDR is nothing that a constructor known by name takes. */
static ilc_status walk_conversion(walk *w)
{
    if (!w->depth) return refuse_walk(w);
    w->stack[w->depth - 1] = (ilc__lift_slot){.type = ILC__IR_ADDR};
    return ILC_OK;
}

/* Nobody reads the fields of an exception that is only thrown. */
static ilc_status walk_store(walk *w)
{
    if (w->depth < 2 || w->stack[w->depth - 2].type != ILC__IR_EXC) return refuse_walk(w);
    w->depth -= 2;
    return ILC_OK;
}

static ilc_status walk_call(walk *w, uint32_t depth)
{
    ilc__callee callee;
    ILC__TRY(ilc__resolve_callee(w->method->image, w->insn->u.token, w->method, &callee));
    uint32_t count = callee.sig.param_count;
    bool     is_constructor = callee.sig.has_this && strcmp(callee.name, ".ctor") == 0;
    if (!is_constructor || w->has_base || w->depth < count + 1 || w->stack[w->depth - count - 1].type != ILC__IR_EXC)
        return refuse_walk(w);
    w->depth -= count + 1;
    w->has_base = true;
    return follow(w->l, w->type, &callee, &w->stack[w->depth + 1], depth + 1);
}

static ilc_status walk_insn(walk *w, uint32_t depth)
{
    switch (w->insn->op) {
    case ILC__IL_NOP: return ILC_OK;
    case ILC__IL_LDARG_0:
    case ILC__IL_LDARG_1:
    case ILC__IL_LDARG_2:
    case ILC__IL_LDARG_3:
    case ILC__IL_LDARG_S:
    case ILC__IL_LDARG: return walk_argument(w);
    case ILC__IL_LDSTR: return walk_string(w);
    case ILC__IL_LDNULL: return walk_push(w, (ilc__lift_slot){.type = ILC__IR_REF, .elem = ILC_VOID});
    case ILC__IL_LDC_I4_M1:
    case ILC__IL_LDC_I4_0:
    case ILC__IL_LDC_I4_1:
    case ILC__IL_LDC_I4_2:
    case ILC__IL_LDC_I4_3:
    case ILC__IL_LDC_I4_4:
    case ILC__IL_LDC_I4_5:
    case ILC__IL_LDC_I4_6:
    case ILC__IL_LDC_I4_7:
    case ILC__IL_LDC_I4_8:
    case ILC__IL_LDC_I4_S:
    case ILC__IL_LDC_I4: return walk_constant(w);
    case ILC__IL_LDC_I8:
    case ILC__IL_LDC_R4:
    case ILC__IL_LDC_R8: return walk_push(w, (ilc__lift_slot){.type = ILC__IR_ADDR});
    case ILC__IL_CONV_I4:
    case ILC__IL_CONV_I8:
    case ILC__IL_CONV_R4:
    case ILC__IL_CONV_R8: return walk_conversion(w);
    case ILC__IL_STFLD: return walk_store(w);
    case ILC__IL_CALL: return walk_call(w, depth);
    default: return refuse_walk(w);
    }
}

static ilc_status walk_body(walk *w, uint32_t depth)
{
    ilc__lift *l = w->l;
    ilc__body  body;
    ILC__TRY(ilc__body_decode(l->func->ctx, l->arena, w->method, &body));
    if (body.clause_count) return refuse_walk(w);
    for (uint32_t i = 0; i < body.insn_count; i++) {
        w->insn = &body.insns[i];
        if (w->insn->op == ILC__IL_RET) return w->has_base ? ILC_OK : refuse_walk(w);
        ILC__TRY(walk_insn(w, depth));
    }
    return refuse_walk(w);
}

/* What a constructor, or the known one behind it, makes. */
static ilc_status follow(ilc__lift *l, const char *type, const ilc__callee *callee, const ilc__lift_slot *args, uint32_t depth)
{
    if (ilc__lib_is_exception(callee->type_name)) return make_exception(l, callee, type, callee->type_name, args);
    const ilc__method *def = callee->def;
    bool               is_own = def && def->rva && callee->sig.has_this && !callee->sig.vararg && !(def->flags & ILC__METHOD_STATIC);
    if (!is_own || depth == MAX_BASES || def->sig.param_count != callee->sig.param_count || !ilc__lift_exception_base(callee))
        return ilc__lift_refuse_object(l, callee);
    walk *w = ILC__NEW(l->arena, walk);
    *w = (walk){.l = l, .type = type, .method = def, .args = args};
    return walk_body(w, depth);
}

/* An argument as its parameter holds it. */
static ilc_status own_argument(ilc__lift *l, const ilc__callee *callee, const ilc__type *type, ilc__lift_slot *slot)
{
    ilc_storage storage = ilc__type_storage(type);
    bool        is_text = type->kind == ILC__ET_STRING || type->kind == ILC__ET_OBJECT;
    if (storage != ILC_STORAGE_COUNT && storage != ILC_VOID) {
        ilc__ref ref;
        ILC__TRY(ilc__lift_coerce(l, *slot, storage, &ref));
        *slot = (ilc__lift_slot){.type = l->func->values.items[ref].type, .ref = ref};
        return ILC_OK;
    }
    if ((is_text && slot->type == ILC__IR_VOID && !slot->field) || ilc__lift_is_null(slot)) return ILC_OK;
    return ilc__lift_refuse(l, ILC_UNSUPPORTED, "creation of %s with an argument of type %s", callee->type_name, type->name);
}

ilc_status ilc__lift_new_exception(ilc__lift *l, const ilc__callee *constructor)
{
    const ilc__lift_slot *args = NULL;
    ilc__lift_slot        own[MAX_ARGS];
    uint32_t              count = constructor->sig.param_count;
    const char           *base = ilc__lift_exception_base(constructor);
    if (!base || count > MAX_ARGS) return ilc__lift_refuse_object(l, constructor);
    if (strcmp(base, constructor->type_name) == 0) return ilc__lift_exception(l, constructor, base);
    ILC__TRY(take_arguments(l, constructor, &args));
    memcpy(own, args, count * sizeof *own);
    for (uint32_t i = 0; i < count; i++) ILC__TRY(own_argument(l, constructor, constructor->sig.params[i], &own[i]));
    return follow(l, ilc__arena_strdup(l->func->arena, constructor->type_name), constructor, own, 0);
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

static bool is_number(const ilc__type *type)
{
    ilc_storage storage = ilc__type_storage(type);
    return storage != ILC_STORAGE_COUNT && storage != ILC_VOID;
}

/* Other structs' texts are what their own code says. */
static bool is_tuple_of_numbers(const ilc__type *type)
{
    static const char prefix[] = "System.ValueTuple`";
    if (type->kind != ILC__ET_GENERICINST || strncmp(type->name, prefix, sizeof prefix - 1) != 0) return false;
    for (uint32_t i = 0; i < type->arg_count; i++)
        if (!is_number(type->args[i])) return false;
    return true;
}

/* A number as an object can only get into a message, where it reads "..." (docs/semantics.md, Traps). */
ilc_status ilc__lift_box(ilc__lift *l)
{
    const ilc__type *type;
    ilc__lift_slot   slot;
    ilc__ref         ref;
    ILC__TRY(ilc__body_type(&l->body, l->insn, &type));
    if (is_number(type)) {
        ILC__TRY(ilc__lift_pop_number(l, &slot));
        ILC__TRY(ilc__lift_coerce(l, slot, ilc__type_storage(type), &ref));
    } else {
        if (!is_tuple_of_numbers(type)) return ilc__lift_refuse(l, ILC_UNSUPPORTED, "box of %s", type->name);
        ILC__TRY(ilc__lift_pop(l, &slot));
        if (!slot.is_struct || slot.layout->type != type)
            return ilc__lift_refuse(l, ILC_UNSUPPORTED, "box of %s", ilc__lift_slot_name(l, slot));
    }
    return ilc__lift_push(l, (ilc__lift_slot){.text = "..."});
}

/* --- throw -------------------------------------------------------------------------------------------------------- */

ilc_status ilc__lift_throw(ilc__lift *l)
{
    ilc__lift_slot slot;
    ILC__TRY(ilc__lift_pop(l, &slot));
    if (ilc__lift_is_null(&slot)) { /* III.4.31 */
        ilc__exception *exception = ILC__NEW(l->func->arena, ilc__exception);
        exception->type = ilc__exception_type(ILC__EXC_NULL_REFERENCE);
        exception->message = ilc__exception_message(ILC__EXC_NULL_REFERENCE);
        ILC__TRY(push_exception(l, exception, NULL));
        slot = l->stack[--l->depth];
    } else if (slot.type != ILC__IR_EXC) {
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "throw of %s", ilc__lift_slot_name(l, slot));
    }
    const ilc__ir_value *made = &l->func->values.items[slot.ref];
    if (made->arg_count && made->block != l->ir)
        return ilc__lift_refuse(l, ILC_UNSUPPORTED, "throw of an exception made in another block");
    ilc__lift_emit(l, ILC__OP_THROW, ILC__IR_VOID, 1, slot.ref, 0);
    return ILC_OK;
}
