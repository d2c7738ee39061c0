/* il_own.c - exception classes of the program's own, in the judge: an object has a type and a message, its constructor is
 * run, and the constructor of the known class that it derives from sets the message. And objects of numbers. */
#include "interp/il_exceptions.h"
#include "interp/il_translate.h"

/* A class that another Message could come from is none. */
bool ilc__il_is_own_exception(const ilc__type *type)
{
    enum { MAX_BASES = 16 };
    for (uint32_t i = 0; type && i < MAX_BASES; i++) {
        if (ilc__il_exception_known(type->name)) return i > 0;
        if (type->kind != ILC__ET_CLASS || !type->def || ilc__typedef_has_method(type->def, "get_Message")) return false;
        if (ilc__typedef_base(type->def, &type) != ILC_OK) return false;
    }
    return false;
}

static bool is_number(const ilc__type *type)
{
    ilc_storage storage = ilc__type_storage(type);
    return storage != ILC_STORAGE_COUNT && storage != ILC_VOID;
}

static bool is_tuple_of_numbers(const ilc__type *type)
{
    bool numbers = type->kind == ILC__ET_GENERICINST && strncmp(type->name, "System.ValueTuple`", 18) == 0;
    for (uint32_t i = 0; numbers && i < type->arg_count; i++) numbers = is_number(type->args[i]);
    return numbers;
}

/* III.4.1. All that may become of the object is a text in a message, which is "..." for any number. */
ilc_status ilc__il_step_box(ilc__il_translator *t)
{
    static const char text[] = "...";
    const ilc__type  *type;
    ilc__il_variable  v;
    ILC__TRY(ilc__il_need(t, 1));
    ILC__TRY(ilc__body_type(&t->code->body, t->insn, &type));
    if (!is_number(type) && !is_tuple_of_numbers(type)) return ilc__il_refuse(t, ILC_UNSUPPORTED, "box of %s", type->name);
    ILC__TRY(ilc__il_describe(t, type, &v));
    ILC__TRY(ilc__il_assign(t, ilc__il_cell_at(t, 0), ilc__il_slot_at(t, 0), &v));
    t->depth--;
    return ilc__il_constant(t, (ilc__il_cell){.kind = ILC__K_STRING, .known = true, .text = text}, (uint64_t)(uintptr_t)text);
}

/* --- at run time ------------------------------------------------------------------------------------------ */

static ilc__il_trap make(ilc__il_machine *machine, ilc__il_slot *d, const char *type)
{
    ilc__il_exception *made = ILC__NEW(machine->arena, ilc__il_exception);
    made->type = type;
    made->message = ilc__il_exception_message_of(machine->arena, type, "System.Exception", "", NULL);
    d->i8 = (int64_t)(uintptr_t)made;
    return ILC__IL_TRAP_NONE;
}

static ilc__il_trap construct(ilc__il_machine *machine, const ilc__il_slot *d, const ilc__il_constructor *constructor)
{
    ilc__il_exception *object = (ilc__il_exception *)(uintptr_t)d->i8;
    const char        *strings[ILC__IL_EXCEPTION_ARGS] = {0};
    uint32_t           count = 0;
    if (!object) return ILC__IL_TRAP_NULL;
    for (uint32_t i = 0; constructor->kinds[i]; i++)
        if (constructor->kinds[i] == 's' || constructor->kinds[i] == 'o')
            strings[count++] = (const char *)(uintptr_t)d[1 + i].i8;
    object->message = ilc__il_exception_message_of(machine->arena, object->type, constructor->type, constructor->kinds, strings);
    return ILC__IL_TRAP_NONE;
}

ilc__il_trap ilc__il_own_run(ilc__il_machine *machine, ilc__il_slot *d, const ilc__il_op *op)
{
    if (op->code == ILC__DO_OBJECT) return make(machine, d, op->u.constructor->type);
    return construct(machine, d, op->u.constructor);
}
