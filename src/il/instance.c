/* instance.c - what a body does with `this`: the stack is followed through it, with what is known of each value: an
 * object that is reached by fields, the address of a value in a field, or neither. */
#include "il/instance.h"

#include "il/decode.h"
#include "meta/image.h"
#include "meta/layout.h"

enum { FIELD_STATIC = 0x10, TYPE_SEALED = 0x100 };
enum { MAX_CALLS = 16 }; /* that an address is passed through */

typedef enum kind { OTHER, OBJECT, ADDRESS } kind;

typedef struct value {
    kind     kind;
    uint32_t place;
} value;

typedef struct state { /* the stack before an instruction that is branched to */
    bool     known;
    uint32_t depth;
    value   *stack;
} state;

typedef struct walk {
    ilc__context      *ctx;
    ilc__arena        *arena;
    const ilc__method *method;
    ilc__body          body;
    const ilc__insn   *insn;
    uint32_t           argument; /* that is followed: `this`, or an address           */
    kind               follows;
    uint32_t           calls;    /* of an address: how far it has been passed         */
    value             *stack;
    uint32_t           depth;
    bool              *targets;
    state             *states;
    ILC__VEC(uint32_t) open;     /* instructions to begin at                          */
    bool               ends;     /* what follows is not reached, or not valid         */
    ilc__uses         *out;
} walk;

static ilc_status only_reads(const walk *w, const ilc__method *method, uint32_t argument, bool *out);

/* --- refusals --------------------------------------------------------------------------------------------- */

static ilc_status refuse(walk *w, const char *format, ...) ILC__PRINTF(2, 3);

static ilc_status refuse(walk *w, const char *format, ...)
{
    if (w->follows == ADDRESS) return ILC_UNSUPPORTED; /* a question: who asked it says so */
    va_list args;
    va_start(args, format);
    char *reason = ilc__arena_vprintf(w->arena, format, args);
    va_end(args);
    ilc__where where = ilc__method_where(w->method, w->insn ? w->insn->offset : ILC__ANY_OFFSET);
    return ilc__refuse(w->ctx, &where, "%s", reason);
}

/* Types that compilers make for what a lambda captures. */
static bool is_closure(const ilc__typedef *def)
{
    return strncmp(def->name, "<>c", 3) == 0 || strncmp(def->name, "_Closure$__", 11) == 0 || strchr(def->name, '@');
}

static const char *field_words(walk *w, const ilc__field *field)
{
    return ilc__arena_printf(w->arena, "the %s `%s`", is_closure(field->owner) ? "captured variable" : "field",
                             ilc__captured_name(w->arena, field));
}

static const char *place_words(walk *w, uint32_t place)
{
    return place ? field_words(w, w->out->places.items[place].field) : "`this`";
}

static ilc_status refuse_escape(walk *w, value v)
{
    if (v.kind == ADDRESS)
        return refuse(w, "the address of %s (it may be written through it)", place_words(w, v.place));
    return refuse(w, "%s as an object (only its fields can be read)", place_words(w, v.place));
}

/* --- the stack -------------------------------------------------------------------------------------------- */

static void push(walk *w, value v)
{
    if (w->depth < w->body.max_stack) w->stack[w->depth++] = v;
    else w->ends = true;
}

static value pop(walk *w)
{
    if (w->depth) return w->stack[--w->depth];
    w->ends = true; /* not valid: who runs or lifts the body says so */
    return (value){OTHER, 0};
}

static ilc_status pop_others(walk *w, uint32_t count)
{
    for (uint32_t i = 0; i < count && !w->ends; i++) {
        value v = pop(w);
        if (v.kind != OTHER) return refuse_escape(w, v);
    }
    return ILC_OK;
}

static void use(walk *w, ilc__use_kind what, uint32_t place, const ilc__method *callee)
{
    if (w->follows == ADDRESS) return;
    ILC__PUSH(&w->method->image->set->arena, &w->out->items, ((ilc__use){(uint32_t)(w->insn - w->body.insns), what, place, callee}));
}

static uint32_t place_of(walk *w, uint32_t base, const ilc__field *field)
{
    for (uint32_t i = 1; i < w->out->places.count; i++)
        if (w->out->places.items[i].base == base && w->out->places.items[i].field == field) return i;
    ILC__PUSH(&w->method->image->set->arena, &w->out->places, ((ilc__this_place){base, field}));
    return w->out->places.count - 1;
}

/* --- fields ----------------------------------------------------------------------------------------------- */

static bool is_object(const ilc__type *type)
{
    return type->kind == ILC__ET_CLASS || (type->kind == ILC__ET_GENERICINST && !ilc__type_is_struct(type));
}

static bool is_value(const ilc__type *type)
{
    ilc_storage storage = ilc__type_storage(type);
    return (storage != ILC_STORAGE_COUNT && storage != ILC_VOID) || ilc__type_is_struct(type) || type->kind == ILC__ET_SZARRAY ||
           type->kind == ILC__ET_ARRAY;
}

static ilc_status field_of(walk *w, const ilc__field **out)
{
    const char *type_name, *name;
    ILC__TRY(ilc__resolve_field(w->method->image, w->insn->u.token, w->method, out, &type_name, &name));
    if (!*out) return refuse(w, "the field %s.%s, which was not found,", type_name, name);
    if ((*out)->flags & FIELD_STATIC) return refuse(w, "%s of the static field %s.%s", ilc__opcode_name(w->insn->op), type_name, name);
    if (w->insn > w->body.insns && w->insn[-1].op == ILC__IL_VOLATILE) return refuse(w, "the volatile field %s", name);
    return ILC_OK;
}

static ilc_status object_field(walk *w, uint32_t base)
{
    const ilc__field *field;
    ILC__TRY(field_of(w, &field));
    if (w->insn->op == ILC__IL_LDFLD && is_object(field->type)) {
        use(w, ILC__USE_DROP, 0, NULL);
        push(w, (value){OBJECT, place_of(w, base, field)});
        return ILC_OK;
    }
    if (!is_value(field->type)) return refuse(w, "%s of type %s", field_words(w, field), field->type->name);
    uint32_t place = place_of(w, base, field);
    bool     reads = w->insn->op == ILC__IL_LDFLD;
    use(w, reads ? ILC__USE_READ : ILC__USE_ADDRESS, place, NULL);
    push(w, reads ? (value){OTHER, 0} : (value){ADDRESS, place});
    return ILC_OK;
}

static ilc_status load_field(walk *w)
{
    value v = pop(w);
    if (v.kind == OBJECT) return object_field(w, v.place);
    bool inside = v.kind == ADDRESS && w->insn->op == ILC__IL_LDFLDA;
    push(w, inside ? v : (value){OTHER, 0});
    return ILC_OK;
}

static ilc_status store_field(walk *w)
{
    const ilc__field *field;
    ILC__TRY(pop_others(w, 1));
    value v = pop(w);
    if (v.kind == ADDRESS) return refuse(w, "a write to %s (all elements share it)", place_words(w, v.place));
    if (v.kind != OBJECT) return ILC_OK;
    ILC__TRY(field_of(w, &field));
    return refuse(w, "a write to %s (all elements share it)", field_words(w, field));
}

/* --- calls ------------------------------------------------------------------------------------------------ */

static bool may_be_another(const walk *w, const ilc__method *def)
{
    return w->insn->op == ILC__IL_CALLVIRT && (def->flags & ILC__METHOD_VIRTUAL) && !(def->flags & ILC__METHOD_FINAL) &&
           !(def->owner->flags & TYPE_SEALED);
}

static ilc_status object_call(walk *w, const ilc__callee *callee, uint32_t place)
{
    const ilc__method *def = callee->def;
    if (def && may_be_another(w, def))
        return refuse(w, "a virtual call to %s.%s on %s", callee->type_name, callee->name, place_words(w, place));
    bool known = def && def->rva && !(def->flags & (ILC__METHOD_STATIC | ILC__METHOD_ABSTRACT | ILC__METHOD_PINVOKE)) &&
                 (def->image == w->method->image || !ilc__image_is_framework(def->image));
    if (!known) return refuse(w, "call to %s.%s on %s", callee->type_name, callee->name, place_words(w, place));
    use(w, ILC__USE_CALL, place, def);
    return ILC_OK;
}

static ilc_status argument(walk *w, const ilc__callee *callee, uint32_t number, value v)
{
    bool reads = false;
    if (v.kind == OTHER) return ILC_OK;
    if (v.kind == OBJECT && number == 0 && callee->sig.has_this) return object_call(w, callee, v.place);
    if (v.kind == OBJECT) return refuse_escape(w, v);
    if (callee->def) ILC__TRY(only_reads(w, callee->def, number, &reads));
    return reads ? ILC_OK : refuse_escape(w, v);
}

static ilc_status call(walk *w)
{
    ilc__callee callee;
    ILC__TRY(ilc__body_callee(&w->body, w->insn, &callee));
    bool     is_new = w->insn->op == ILC__IL_NEWOBJ;
    uint32_t hidden = callee.sig.has_this && !is_new ? 1 : 0, count = callee.sig.param_count + hidden;
    if (count > w->depth) {
        w->ends = true;
        return ILC_OK;
    }
    w->depth -= count;
    for (uint32_t i = 0; i < count; i++) {
        value v = w->stack[w->depth + i];
        if (is_new && v.kind != OTHER) return refuse_escape(w, v);
        ILC__TRY(argument(w, &callee, i, v));
    }
    if (is_new || callee.sig.ret->kind != ILC__ET_VOID) push(w, (value){OTHER, 0});
    return ILC_OK;
}

/* --- instructions ----------------------------------------------------------------------------------------- */

static ilc_status load_argument(walk *w)
{
    bool followed = (uint64_t)w->insn->u.i == w->argument;
    if (followed && w->follows == OBJECT) use(w, ILC__USE_DROP, 0, NULL);
    push(w, followed ? (value){w->follows, 0} : (value){OTHER, 0});
    return ILC_OK;
}

static ilc_status anything(walk *w)
{
    int pops = ilc__opcode_pops(w->insn->op), pushes = ilc__opcode_pushes(w->insn->op);
    ILC__TRY(pop_others(w, (uint32_t)pops));
    for (int i = 0; i < pushes; i++) push(w, (value){OTHER, 0});
    return ILC_OK;
}

static ilc_status step(walk *w)
{
    value v;
    switch (w->insn->op) {
    case ILC__IL_LDARG_0: case ILC__IL_LDARG_1: case ILC__IL_LDARG_2: case ILC__IL_LDARG_3: case ILC__IL_LDARG_S:
    case ILC__IL_LDARG: return load_argument(w);
    case ILC__IL_LDARGA: case ILC__IL_LDARGA_S: case ILC__IL_STARG: case ILC__IL_STARG_S:
        if ((uint64_t)w->insn->u.i == w->argument) return refuse(w, "%s of `this`", ilc__opcode_name(w->insn->op));
        return anything(w);
    case ILC__IL_DUP:
        v = pop(w);
        push(w, v);
        push(w, v);
        if (v.kind == OBJECT) use(w, ILC__USE_DROP, 0, NULL);
        return ILC_OK;
    case ILC__IL_POP:
        if (pop(w).kind == OBJECT) use(w, ILC__USE_DROP, 0, NULL);
        return ILC_OK;
    case ILC__IL_LDFLD: case ILC__IL_LDFLDA: return load_field(w);
    case ILC__IL_STFLD: return store_field(w);
    case ILC__IL_LDOBJ: case ILC__IL_LDIND_I1: case ILC__IL_LDIND_U1: case ILC__IL_LDIND_I2: case ILC__IL_LDIND_U2:
    case ILC__IL_LDIND_I4: case ILC__IL_LDIND_U4: case ILC__IL_LDIND_I8: case ILC__IL_LDIND_I: case ILC__IL_LDIND_R4:
    case ILC__IL_LDIND_R8:
        v = pop(w);
        if (v.kind == OBJECT) return refuse_escape(w, v);
        push(w, (value){OTHER, 0});
        return ILC_OK;
    case ILC__IL_CALL: case ILC__IL_CALLVIRT: case ILC__IL_NEWOBJ: return call(w);
    case ILC__IL_RET: return pop_others(w, w->method->sig.ret->kind == ILC__ET_VOID ? 0 : 1);
    case ILC__IL_CALLI: case ILC__IL_JMP: /* refused by name where the body is lifted or run */
        w->ends = true;
        return pop_others(w, w->depth);
    case ILC__IL_LEAVE: case ILC__IL_LEAVE_S: w->depth = 0; return ILC_OK;
    default: return anything(w);
    }
}

/* --- the body --------------------------------------------------------------------------------------------- */

/* The state at an instruction that is branched to: the same from wherever it is reached. */
static ilc_status reach(walk *w, uint32_t insn)
{
    state *at = &w->states[insn];
    if (!at->known) {
        *at = (state){true, w->depth, ilc__arena_copy(w->arena, w->stack, w->depth * sizeof *w->stack)};
        ILC__PUSH(w->arena, &w->open, insn);
        return ILC_OK;
    }
    for (uint32_t i = 0; i < w->depth && i < at->depth; i++)
        if (at->stack[i].kind != w->stack[i].kind || at->stack[i].place != w->stack[i].place)
            return refuse_escape(w, at->stack[i].kind == OTHER ? w->stack[i] : at->stack[i]);
    return ILC_OK;
}

static ilc_status reach_targets(walk *w)
{
    for (uint32_t k = 0; k < w->insn->u.branch.count; k++) ILC__TRY(reach(w, w->body.index[w->insn->u.branch.targets[k]]));
    return ILC_OK;
}

static ilc_status walk_from(walk *w, uint32_t first)
{
    w->depth = w->states[first].depth;
    w->ends = false;
    if (w->depth) memcpy(w->stack, w->states[first].stack, w->depth * sizeof *w->stack);
    for (uint32_t i = first; i < w->body.insn_count; i++) {
        if (i != first && w->targets[i]) return reach(w, i);
        w->insn = &w->body.insns[i];
        ILC__TRY(step(w));
        ilc__flow flow = ilc__opcode_flow(w->insn->op);
        if (w->ends || flow == ILC__FLOW_RETURN || flow == ILC__FLOW_THROW) return ILC_OK;
        if (flow == ILC__FLOW_BRANCH || flow == ILC__FLOW_COND || flow == ILC__FLOW_SWITCH) ILC__TRY(reach_targets(w));
        if (flow == ILC__FLOW_BRANCH) return ILC_OK;
    }
    return ILC_OK;
}

static void mark_targets(walk *w)
{
    for (uint32_t i = 0; i < w->body.insn_count; i++) {
        const ilc__insn *insn = &w->body.insns[i];
        ilc__flow        flow = ilc__opcode_flow(insn->op);
        if (flow != ILC__FLOW_BRANCH && flow != ILC__FLOW_COND && flow != ILC__FLOW_SWITCH) continue;
        for (uint32_t k = 0; k < insn->u.branch.count; k++) w->targets[w->body.index[insn->u.branch.targets[k]]] = true;
    }
}

static ilc_status walk_body(walk *w)
{
    ILC__TRY(ilc__body_decode(w->ctx, w->arena, w->method, &w->body));
    w->stack = ILC__NEW_ARRAY(w->arena, value, w->body.max_stack + 1u);
    w->targets = ILC__NEW_ARRAY(w->arena, bool, w->body.insn_count);
    w->states = ILC__NEW_ARRAY(w->arena, state, w->body.insn_count);
    mark_targets(w);
    ILC__TRY(reach(w, 0));
    while (w->open.count) ILC__TRY(walk_from(w, w->open.items[--w->open.count]));
    return ILC_OK;
}

/* Does the method only read what the address that it is given as that argument leads to? */
static ilc_status only_reads(const walk *from, const ilc__method *method, uint32_t argument_number, bool *out)
{
    walk w = {.ctx = from->ctx, .arena = from->arena, .method = method, .argument = argument_number, .follows = ADDRESS,
              .calls = from->calls + 1};
    *out = false;
    if (!method->rva || (method->flags & (ILC__METHOD_ABSTRACT | ILC__METHOD_PINVOKE)) || w.calls > MAX_CALLS) return ILC_OK;
    ilc_status status = walk_body(&w);
    *out = status == ILC_OK;
    return status == ILC_UNSUPPORTED ? ILC_OK : status;
}

static void sort_uses(ilc__uses *uses)
{
    for (uint32_t i = 1; i < uses->items.count; i++) {
        ilc__use item = uses->items.items[i];
        uint32_t at = i;
        for (; at && uses->items.items[at - 1].insn > item.insn; at--) uses->items.items[at] = uses->items.items[at - 1];
        uses->items.items[at] = item;
    }
}

ilc_status ilc__uses_of(ilc__arena *work, const ilc__method *method, const ilc__uses **out)
{
    ilc__set *set = method->image->set;
    if ((*out = ilc__map_get(&set->uses, &method, sizeof method))) return ILC_OK;
    ilc__uses *uses = ILC__NEW(&set->arena, ilc__uses);
    walk       w = {.ctx = set->ctx, .arena = work, .method = method, .follows = OBJECT, .out = uses};
    ILC__PUSH(&set->arena, &uses->places, ((ilc__this_place){0}));
    ILC__TRY(walk_body(&w));
    sort_uses(uses);
    ilc__map_put(&set->uses, &method, sizeof method, uses);
    *out = uses;
    return ILC_OK;
}
