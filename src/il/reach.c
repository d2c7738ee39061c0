/* reach.c - what a call in a type initialiser may do to the arrays in that type's static fields: nothing where no method that
 * it may run names such a field. */
#include "il/statics.h"

enum { MAX_METHODS = 256, MAX_INSNS = 1 << 15, METHOD_ABSTRACT_OR_NATIVE = ILC__METHOD_ABSTRACT | ILC__METHOD_PINVOKE };

typedef struct walk {
    ilc__context       *ctx;
    ilc__arena         *arena;
    const ilc__typedef *owner;
    ilc__map            seen; /* const ilc__method *, const ilc__typedef *: initialisers */
    ILC__VEC(const ilc__method *) work;
    uint32_t insns;
    bool     reaches;
} walk;

static void add(walk *w, const ilc__method *method)
{
    if (ilc__map_get(&w->seen, &method, sizeof method)) return;
    ilc__map_put(&w->seen, &method, sizeof method, w);
    ILC__PUSH(w->arena, &w->work, method);
    if (w->work.count > MAX_METHODS) w->reaches = true;
}

/* Touching a type may run its initialiser. */
static void add_initialiser(walk *w, const ilc__typedef *owner)
{
    if (owner == w->owner || ilc__map_get(&w->seen, &owner, sizeof owner)) return;
    ilc__map_put(&w->seen, &owner, sizeof owner, w);
    for (uint32_t i = 0; i < owner->method_count; i++) {
        const ilc__method *method;
        if (ilc__typedef_method(owner, i, &method) != ILC_OK) w->reaches = true;
        else if (strcmp(method->name, ".cctor") == 0) add(w, method);
    }
}

/* The framework's code names no field of a program, but runs what it is given to: delegates (their methods are named where they
 * are made), and methods that override its own. */
static void call(walk *w, const ilc__callee *callee)
{
    const ilc__method *def = callee->def;
    bool framework = def ? ilc__image_is_framework(def->image) : strncmp(callee->type_name, "System.", 7) == 0;
    if (framework) return;
    if (!def || (def->flags & METHOD_ABSTRACT_OR_NATIVE) || !def->rva) {
        w->reaches = true;
        return;
    }
    if ((def->flags & ILC__METHOD_VIRTUAL) && !(def->flags & ILC__METHOD_FINAL)) w->reaches = true;
    add(w, def);
    add_initialiser(w, def->owner);
}

static void look(walk *w, const ilc__method *method, const ilc__insn *insn)
{
    ilc__callee       callee;
    const ilc__field *field;
    const char       *type_name, *name;
    switch (insn->op) {
    case ILC__IL_CALLI: w->reaches = true; return;
    case ILC__IL_CALL: case ILC__IL_CALLVIRT: case ILC__IL_NEWOBJ: case ILC__IL_LDFTN: case ILC__IL_LDVIRTFTN: case ILC__IL_JMP:
        if (ilc__resolve_callee(method->image, insn->u.token, method, &callee) != ILC_OK) w->reaches = true;
        else call(w, &callee);
        return;
    case ILC__IL_LDSFLD: case ILC__IL_LDSFLDA: case ILC__IL_STSFLD:
        if (ilc__resolve_field(method->image, insn->u.token, method, &field, &type_name, &name) != ILC_OK || !field) return;
        if (field->owner == w->owner && field->type->kind != ILC__ET_SZARRAY) return;
        if (field->owner == w->owner) w->reaches = true;
        else if (!ilc__image_is_framework(field->image)) add_initialiser(w, field->owner);
        return;
    default: return;
    }
}

bool ilc__reaches_arrays(ilc__context *ctx, ilc__arena *arena, const ilc__callee *callee, const ilc__typedef *owner)
{
    walk     w = {.ctx = ctx, .arena = arena, .owner = owner, .seen = {.arena = arena}};
    uint32_t before = ctx->diags.count;
    call(&w, callee);
    for (uint32_t i = 0; i < w.work.count && !w.reaches; i++) {
        const ilc__method *method = w.work.items[i];
        ilc__body          body;
        if (ilc__body_decode(ctx, arena, method, &body) != ILC_OK) w.reaches = true;
        for (uint32_t k = 0; !w.reaches && k < body.insn_count; k++) look(&w, method, &body.insns[k]);
        w.insns += w.reaches ? 0 : body.insn_count;
        if (w.insns > MAX_INSNS) w.reaches = true;
    }
    ctx->diags.count = before;
    return w.reaches;
}
