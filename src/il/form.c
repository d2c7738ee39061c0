/* form.c - forms of methods (il/instance.h): their signatures and names, and their bodies. */
#include "il/form.h"

#include "il/decode.h"
#include "meta/image.h"
#include "meta/layout.h"

enum { MAX_PATH = 16 };

/* --- names ------------------------------------------------------------------------------------------------ */

const char *ilc__captured_name(ilc__arena *arena, const ilc__field *field)
{
    static const char *const prefixes[] = {"$VB$Local_", "$VB$ResumableLocal_", "$VB$"};
    const char *name = field->name, *end = strchr(name, '>');
    if (*name == '<' && end && end - name > 1) return ilc__arena_strndup(arena, name + 1, (size_t)(end - name - 1));
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(name, prefixes[i], length) != 0 || !name[length]) continue;
        name += length;
        break;
    }
    size_t length = strcspn(name, "@$");
    return length ? ilc__arena_strndup(arena, name, length) : name;
}

const char *ilc__method_plain_name(ilc__arena *arena, const ilc__method *method)
{
    static const char vb[] = "_Lambda$__";
    const char *name = method->name, *end = strchr(name, '>');
    const char *number = name + strlen(name);
    while (number > name && number[-1] >= '0' && number[-1] <= '9') number--;
    if (strncmp(name, vb, sizeof vb - 1) == 0) return ilc__arena_printf(arena, "Lambda%s", number);
    const char *dot = strrchr(name, '.'); /* of an interface's method: System.IComparable<T>.CompareTo */
    if (dot && dot > name && dot[1]) return dot + 1;
    if (*name != '<' || !end) return name;
    if (strncmp(end, ">g__", 4) == 0) return ilc__arena_strndup(arena, end + 4, strcspn(end + 4, "|"));
    if (strncmp(end, ">b__", 4) != 0) return name;
    return ilc__arena_printf(arena, "%.*s_Lambda%s", (int)strcspn(name + 1, ">"), name + 1, number);
}

static bool is_taken(const char *const *names, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* Names that are there already get a number. */
static const char *free_name(ilc__arena *arena, const char *const *names, uint32_t count, const char *wanted)
{
    const char *name = wanted;
    for (uint32_t number = 2; is_taken(names, count, name); number++) name = ilc__arena_printf(arena, "%s_%u", wanted, number);
    return name;
}

/* --- which fields ----------------------------------------------------------------------------------------- */

typedef struct chain {
    const ilc__field *items[MAX_PATH];
    uint32_t          length;
} chain;

typedef struct reached { /* a method, and from `this` of the root the object that it is called on */
    const ilc__method *method;
    chain              on;
} reached;

typedef struct collector {
    ilc__arena        *work;
    const ilc__method *root;
    ILC__VEC(reached) methods;
    ILC__VEC(chain) fields;
} collector;

static bool same_chain(const chain *a, const chain *b)
{
    return a->length == b->length && memcmp(a->items, b->items, a->length * sizeof a->items[0]) == 0;
}

/* False where it is too long: objects that lead to themselves have no end. */
static bool chain_of(const ilc__uses *uses, uint32_t place, const chain *on, chain *out)
{
    uint32_t length = 0;
    for (uint32_t at = place; at; at = uses->places.items[at].base) length++;
    *out = *on;
    out->length += length;
    if (out->length > MAX_PATH) return false;
    for (uint32_t at = place, k = out->length; at; at = uses->places.items[at].base) out->items[--k] = uses->places.items[at].field;
    return true;
}

static void add_field(collector *c, const chain *field)
{
    for (uint32_t i = 0; i < c->fields.count; i++)
        if (same_chain(&c->fields.items[i], field)) return;
    ILC__PUSH(c->work, &c->fields, *field);
}

static void add_method(collector *c, const ilc__method *method, const chain *on)
{
    for (uint32_t i = 0; i < c->methods.count; i++)
        if (c->methods.items[i].method == method && same_chain(&c->methods.items[i].on, on)) return;
    ILC__PUSH(c->work, &c->methods, ((reached){method, *on}));
}

static ilc_status refuse_at(const ilc__method *method, uint32_t il, const char *what)
{
    ilc__where where = ilc__method_where(method, il);
    return ilc__refuse(method->image->set->ctx, &where, "%s, %s", method->name, what);
}

static ilc_status check_method(const ilc__method *method)
{
    if (!method->sig.has_this || method->sig.explicit_this || method->sig.vararg || ilc__type_is_value(method->owner->type))
        return refuse_at(method, 0, "an instance method");
    if (strcmp(method->name, ".ctor") == 0) return refuse_at(method, 0, "a constructor");
    if (method->sig.generic_count || method->type_arg_count || method->method_arg_count || strchr(method->owner->type->name, '`'))
        return refuse_at(method, 0, "an instance method of a generic class");
    return ILC_OK;
}

static ilc_status collect(collector *c)
{
    chain none = {.length = 0}, field;
    add_method(c, c->root, &none);
    for (uint32_t i = 0; i < c->methods.count; i++) {
        const ilc__uses *uses;
        reached          at = c->methods.items[i];
        ILC__TRY(check_method(at.method));
        ILC__TRY(ilc__uses_of(c->work, at.method, &uses));
        for (uint32_t k = 0; k < uses->items.count; k++) {
            const ilc__use *use = &uses->items.items[k];
            if (use->kind == ILC__USE_DROP) continue;
            if (!chain_of(uses, use->place, &at.on, &field)) return refuse_at(c->root, 0, "which follows objects without an end");
            if (use->kind == ILC__USE_CALL) add_method(c, use->callee, &field);
            else add_field(c, &field);
        }
    }
    return ILC_OK;
}

/* In the order of declaration; fields of two assemblies in the order in which they are read. */
static bool stands_before(const chain *a, const chain *b)
{
    for (uint32_t i = 0; i < a->length && i < b->length; i++) {
        if (a->items[i] == b->items[i]) continue;
        return a->items[i]->image == b->items[i]->image && a->items[i]->row < b->items[i]->row;
    }
    return false;
}

static void sort_fields(collector *c)
{
    for (uint32_t i = 1; i < c->fields.count; i++) {
        chain    item = c->fields.items[i];
        uint32_t at = i;
        for (; at && stands_before(&item, &c->fields.items[at - 1]); at--) c->fields.items[at] = c->fields.items[at - 1];
        c->fields.items[at] = item;
    }
}

/* --- forms ------------------------------------------------------------------------------------------------ */

ilc__method *ilc__form_begin(ilc__arena *arena, const ilc__method *method, uint32_t more)
{
    ilc__method *form = ILC__NEW(arena, ilc__method);
    uint32_t     own = method->sig.param_count;
    *form = *method;
    form->form_of = method;
    form->captured = NULL;
    form->captured_count = form->counted_count = 0;
    const ilc__type **types = ILC__NEW_ARRAY(arena, const ilc__type *, own + more);
    const char      **names = ILC__NEW_ARRAY(arena, const char *, own + more);
    for (uint32_t i = 0; i < own; i++) types[i] = method->sig.params[i], names[i] = method->param_names[i];
    form->sig.params = types;
    form->param_names = names;
    return form;
}

void ilc__form_param(ilc__arena *arena, ilc__method *form, const char *name, const ilc__type *type)
{
    uint32_t at = form->sig.param_count++;
    ((const char **)(uintptr_t)form->param_names)[at] = free_name(arena, form->param_names, at, name);
    ((const ilc__type **)(uintptr_t)form->sig.params)[at] = type;
}

/* Of a struct's method: `this` is a by-ref, and the first argument already. */
static ilc_status form_of_struct(const ilc__method *method, const ilc__method **out)
{
    ilc__set        *set = method->image->set;
    ilc__type_key    to = {.kind = ILC__ET_BYREF};
    const ilc__type *type;
    if (!method->sig.has_this || method->sig.explicit_this) return refuse_at(method, 0, "an instance method");
    if (strcmp(method->name, ".ctor") == 0) return refuse_at(method, 0, "a constructor");
    if (method->sig.generic_count || strchr(method->owner->type->name, '`')) return refuse_at(method, 0, "an instance method of a generic structure");
    ILC__TRY(ilc__method_this_type(method, &to.elem));
    ILC__TRY(ilc__type_intern(set, &to, &type));
    ilc__method *form = ilc__form_begin(&set->arena, method, 1);
    ilc__form_param(&set->arena, form, "this", type);
    const ilc__type **types = (const ilc__type **)(uintptr_t)form->sig.params;
    const char      **names = (const char **)(uintptr_t)form->param_names;
    for (uint32_t i = form->sig.param_count - 1; i; i--) {
        const ilc__type *other = types[i];
        const char      *name = names[i];
        types[i] = types[i - 1], types[i - 1] = other;
        names[i] = names[i - 1], names[i - 1] = name;
    }
    form->flags |= ILC__METHOD_STATIC;
    form->sig.has_this = false;
    ilc__map_put(&set->forms, &method, sizeof method, form);
    *out = form;
    return ILC_OK;
}

ilc_status ilc__static_form(ilc__arena *work, const ilc__method *method, const ilc__method **out)
{
    ilc__set   *set = method->image->set;
    ilc__arena *arena = &set->arena;
    collector   c = {.work = work, .root = method};
    if ((*out = ilc__map_get(&set->forms, &method, sizeof method))) return ILC_OK;
    if (ilc__type_is_value(method->owner->type)) return form_of_struct(method, out);
    ILC__TRY(collect(&c));
    sort_fields(&c);
    ilc__method   *form = ilc__form_begin(arena, method, c.fields.count);
    ilc__captured *captured = ILC__NEW_ARRAY(arena, ilc__captured, c.fields.count);
    for (uint32_t i = 0; i < c.fields.count; i++) {
        const chain *field = &c.fields.items[i];
        captured[i].path = ilc__arena_copy(arena, field->items, field->length * sizeof field->items[0]);
        captured[i].length = field->length;
        const ilc__field *last = field->items[field->length - 1];
        ilc__form_param(arena, form, ilc__captured_name(arena, last), last->type);
    }
    form->flags |= ILC__METHOD_STATIC;
    form->sig.has_this = false;
    form->captured = captured;
    form->captured_count = c.fields.count;
    ilc__map_put(&set->forms, &method, sizeof method, form);
    *out = form;
    return ILC_OK;
}

ilc_status ilc__counted_form(const ilc__method *method, const uint32_t *params, uint32_t count, const ilc__method **out)
{
    ilc__set   *set = method->image->set;
    ilc__arena *arena = &set->arena;
    uintptr_t   key[1 + MAX_PATH] = {(uintptr_t)method};
    size_t      size = (1 + count) * sizeof key[0];
    for (uint32_t i = 0; i < count; i++) key[1 + i] = params[i];
    if ((*out = ilc__map_get(&set->forms, key, size))) return ILC_OK;
    ilc__method *form = ilc__form_begin(arena, method, count);
    for (uint32_t i = 0; i < count; i++)
        ilc__form_param(arena, form, ilc__arena_printf(arena, "from_%s", method->param_names[params[i]]), method->sig.params[params[i]]);
    form->counted = ilc__arena_copy(arena, params, count * sizeof *params);
    form->counted_count = count;
    ilc__map_put(&set->forms, key, size, form);
    *out = form;
    return ILC_OK;
}

const ilc__method *ilc__method_origin(const ilc__method *method)
{
    while (method->form_of) method = method->form_of;
    return method;
}

/* --- bodies ----------------------------------------------------------------------------------------------- */

typedef struct editor {
    ilc__arena        *arena;
    const ilc__method *form;
    ilc__body         *body;
    ILC__VEC(ilc__insn) insns;
    uint32_t *index;
} editor;

static void add_insn(editor *e, const ilc__insn *like, ilc__opcode op, int64_t number)
{
    ilc__insn insn = {.offset = like->offset, .next = like->next, .op = op};
    insn.u.i = number;
    ILC__PUSH(e->arena, &e->insns, insn);
}

/* The form's parameter for the field that chain leads to. */
static uint32_t param_of(const ilc__method *form, const chain *field)
{
    uint32_t first = form->sig.param_count - form->captured_count;
    for (uint32_t i = 0; i < form->captured_count; i++) {
        const ilc__captured *c = &form->captured[i];
        if (c->length == field->length && memcmp(c->path, field->items, field->length * sizeof field->items[0]) == 0) return first + i;
    }
    return UINT32_MAX; /* what the root reads was collected from these very uses */
}

/* The fields that the callee's form takes stand behind its other arguments, which are on the stack. */
static ilc_status add_call(editor *e, const ilc__insn *insn, const ilc__uses *uses, const ilc__use *use)
{
    const ilc__method *callee;
    chain              none = {.length = 0}, on, field;
    ILC__TRY(ilc__static_form(e->arena, use->callee, &callee));
    chain_of(uses, use->place, &none, &on);
    for (uint32_t i = 0; i < callee->captured_count; i++) {
        const ilc__captured *c = &callee->captured[i];
        field = on;
        for (uint32_t k = 0; k < c->length && field.length < MAX_PATH; k++) field.items[field.length++] = c->path[k];
        add_insn(e, insn, ILC__IL_LDARG, param_of(e->form, &field));
    }
    add_insn(e, insn, ILC__IL_CALL, 0);
    ilc__insn *made = &e->insns.items[e->insns.count - 1];
    made->u.call.token = insn->u.token;
    made->u.call.form = callee;
    return ILC_OK;
}

static bool names_argument(ilc__opcode op)
{
    return ilc__opcode_variable(op) == ILC__VARIABLE_ARG;
}

static bool loads_argument(ilc__opcode op)
{
    return (op >= ILC__IL_LDARG_0 && op <= ILC__IL_LDARG_3) || op == ILC__IL_LDARG_S || op == ILC__IL_LDARG;
}

/* An instruction that does nothing with `this`: arguments are numbered without it. One that is not reached may. */
static void add_plain(editor *e, const ilc__insn *insn)
{
    ILC__PUSH(e->arena, &e->insns, *insn);
    if (!names_argument(insn->op)) return;
    ilc__insn *made = &e->insns.items[e->insns.count - 1];
    if (loads_argument(insn->op)) made->op = ILC__IL_LDARG;
    if (insn->u.i == 0) *made = (ilc__insn){.offset = insn->offset, .next = insn->next, .op = ILC__IL_NOP};
    else made->u.i--;
}

static ilc_status edit_uses(editor *e)
{
    const ilc__uses *uses;
    chain            none = {.length = 0}, field;
    uint32_t         next = 0;
    ILC__TRY(ilc__uses_of(e->arena, e->form->form_of, &uses));
    for (uint32_t i = 0; i < e->body->insn_count; i++) {
        const ilc__insn *insn = &e->body->insns[i];
        const ilc__use  *use = next < uses->items.count && uses->items.items[next].insn == i ? &uses->items.items[next++] : NULL;
        e->index[insn->offset] = e->insns.count;
        if (!use) {
            add_plain(e, insn);
        } else if (use->kind == ILC__USE_CALL) {
            ILC__TRY(add_call(e, insn, uses, use));
        } else if (use->kind == ILC__USE_DROP) {
            add_insn(e, insn, ILC__IL_NOP, 0);
        } else {
            chain_of(uses, use->place, &none, &field);
            add_insn(e, insn, use->kind == ILC__USE_READ ? ILC__IL_LDARG : ILC__IL_LDARGA, param_of(e->form, &field));
        }
    }
    e->body->max_stack += e->form->captured_count;
    return ILC_OK;
}

/* The parameter that an index is counted from; UINT32_MAX where it is not counted. */
static uint32_t start_of(const editor *e, const ilc__insn *insn)
{
    if (!names_argument(insn->op)) return UINT32_MAX;
    for (uint32_t i = 0; i < e->form->counted_count; i++)
        if (insn->u.i == e->form->counted[i]) return e->form->sig.param_count - e->form->counted_count + i;
    return UINT32_MAX;
}

static void add_sum(editor *e, const ilc__insn *insn, uint32_t start)
{
    add_insn(e, insn, ILC__IL_LDARG, insn->u.i);
    add_insn(e, insn, ILC__IL_LDARG, start);
    add_insn(e, insn, ILC__IL_ADD, 0);
}

/* Is the index itself a variable of the body? Then it is counted once, before the body begins. */
static bool is_variable(const editor *e)
{
    for (uint32_t i = 0; i < e->body->insn_count; i++) {
        const ilc__insn *insn = &e->body->insns[i];
        if (!loads_argument(insn->op) && start_of(e, insn) != UINT32_MAX) return true;
    }
    return false;
}

static ilc_status edit_indices(editor *e)
{
    bool             first = is_variable(e);
    const ilc__insn *begin = &e->body->insns[0];
    for (uint32_t i = 0; first && i < e->form->counted_count; i++) {
        ilc__insn load = {.offset = begin->offset, .next = begin->next, .op = ILC__IL_LDARG};
        load.u.i = e->form->counted[i];
        add_sum(e, &load, start_of(e, &load));
        add_insn(e, &load, ILC__IL_STARG, load.u.i);
    }
    for (uint32_t i = 0; i < e->body->insn_count; i++) {
        const ilc__insn *insn = &e->body->insns[i];
        uint32_t         start = start_of(e, insn);
        e->index[insn->offset] = e->insns.count;
        if (first || start == UINT32_MAX) ILC__PUSH(e->arena, &e->insns, *insn);
        else add_sum(e, insn, start);
    }
    e->body->max_stack += 2;
    return ILC_OK;
}

ilc_status ilc__form_body(ilc__arena *arena, const ilc__method *form, ilc__body *body)
{
    editor e = {.arena = arena, .form = form, .body = body};
    body->method = form;
    if (ilc__form_has_rows(form)) return ilc__rows_body(arena, form, body);
    if (!form->counted_count && ilc__type_is_value(form->owner->type)) return ILC_OK;
    e.index = ILC__NEW_ARRAY(arena, uint32_t, body->code_size);
    memset(e.index, 0xFF, body->code_size * sizeof *e.index);
    ILC__TRY(form->counted_count ? edit_indices(&e) : edit_uses(&e));
    body->insns = e.insns.items;
    body->insn_count = e.insns.count;
    body->index = e.index;
    return ILC_OK;
}
