/* names.c - identifiers. Each means in the language what it means in the tree: what would hide another is written
 * otherwise, what is no identifier is made one. */
#include <ctype.h>

#include "write/internal.h"

static void fold(const ilc__syntax *syntax, char *text)
{
    for (; syntax->ignores_case && *text; text++) *text = (char)tolower((unsigned char)*text);
}

const char *ilc__identifier(ilc__arena *arena, const char *name, size_t length)
{
    char *text = ilc__arena_alloc(arena, length + 2), *out = text;
    if (!length || isdigit((unsigned char)*name)) *out++ = '_';
    for (size_t i = 0; i < length; i++)
        *out++ = isalnum((unsigned char)name[i]) || (unsigned char)name[i] >= 0x80 ? name[i] : '_';
    *out = '\0';
    return text;
}

/* The part of a generic type's name that tells its instances apart. */
static void add_arguments(ilc__text *out, const char *args)
{
    const char *start = args;
    for (const char *c = args;; c++) {
        if (*c == '.' || *c == '+') start = c + 1;
        bool end = !*c || *c == ',' || *c == '<' || *c == '>' || *c == '`';
        if (!end) continue;
        if (c > start) ilc__text_printf(out, "_%.*s", (int)(c - start), start);
        if (*c == '`') while (isdigit((unsigned char)c[1])) c++;
        if (!*c) return;
        start = c + 1;
    }
}

const char *ilc__path(ilc__arena *arena, const char *name)
{
    ilc__text   out = {.arena = arena};
    const char *end = name + strcspn(name, "<"), *at = name;
    while (at < end) {
        size_t length = strcspn(at, ".+<");
        if (at + length > end) length = (size_t)(end - at);
        size_t shown = strcspn(at, "`");
        if (shown > length) shown = length;
        if (out.length) ilc__text_putc(&out, '.');
        ilc__text_puts(&out, ilc__identifier(arena, at, shown));
        at += length + (at + length < end);
    }
    if (*end) add_arguments(&out, end + 1);
    return ilc__text_string(&out);
}

void ilc__names_init(ilc__names *names, ilc__arena *arena, const ilc__syntax *syntax)
{
    *names = (ilc__names){.arena = arena, .syntax = syntax};
    names->funcs.arena = names->members.arena = arena;
}

/* --- functions ------------------------------------------------------------------------------------------------------------ */

bool ilc__is_instance(const ilc__func *func)
{
    if (!func->param_count || (func->method && (func->method->flags & ILC__METHOD_STATIC))) return false;
    const ilc__var *var = func->vars.items[0];
    return var->is_param && var->is_addr && var->layout && strcmp(var->name, "this") == 0;
}

const char *ilc__func_key(ilc__arena *arena, const ilc__func *func)
{
    const ilc__method *m = func->method;
    if (!m) return ilc__arena_printf(arena, "%s", func->name);
    ilc__text key = {.arena = arena};
    ilc__text_printf(&key, "%s %u", ilc__image_path(m->image), m->row);
    for (uint32_t i = 0; i < m->type_arg_count; i++) ilc__text_printf(&key, " %s", m->type_args[i]->name);
    for (uint32_t i = 0; i < m->method_arg_count; i++) ilc__text_printf(&key, ", %s", m->method_args[i]->name);
    return ilc__text_string(&key);
}

static const char *plain_name(ilc__arena *arena, const char *name)
{
    if (strcmp(name, ".ctor") == 0) return "Init";
    return ilc__identifier(arena, name, strlen(name));
}

static void add_param_types(ilc__text *out, const ilc__func *func)
{
    for (uint32_t i = 0; i < ilc__arg_count(func); i++) {
        const ilc__var *v = func->vars.items[i];
        ilc__text_printf(out, ",%d %p %d %d %d %d", (int)v->storage, (const void *)(v->layout ? v->layout->type : NULL),
                         v->is_array, v->rank, v->nested, v->is_addr + v->is_pointer);
    }
}

const char *ilc__func_name(ilc__names *names, const ilc__func *func)
{
    const char *key = ilc__func_key(names->arena, func), *known = ilc__map_get(&names->funcs, key, strlen(key) + 1);
    if (known) return known;
    const char *plain = plain_name(names->arena, func->name), *owner = ilc__owner_name(names, func), *name = plain;
    for (uint32_t number = 2;; number++) {
        ilc__text member = {.arena = names->arena};
        char     *folded = ilc__arena_strdup(names->arena, name);
        fold(names->syntax, folded);
        ilc__text_printf(&member, "%s.%s", owner, folded);
        const char *group = ilc__arena_strdup(names->arena, ilc__text_string(&member));
        const char *spelt = ilc__map_get(&names->members, group, strlen(group) + 1); /* one name, one spelling */
        add_param_types(&member, func);
        const char *text = ilc__text_string(&member);
        if ((!spelt || strcmp(spelt, name) == 0) && !ilc__map_get(&names->members, text, strlen(text) + 1)) {
            ilc__map_put(&names->members, group, strlen(group) + 1, (void *)(uintptr_t)name);
            ilc__map_put(&names->members, text, strlen(text) + 1, (void *)(uintptr_t)name);
            break;
        }
        name = ilc__arena_printf(names->arena, "%s_%u", plain, number);
    }
    ilc__map_put(&names->funcs, key, strlen(key) + 1, (void *)(uintptr_t)name);
    return name;
}

/* Arithmetic that a struct defines for itself, its operands by value. */
bool ilc__is_operator(ilc__names *names, const ilc__func *func, ilc__operator *opr)
{
    static const struct {
        const char   *name;
        uint32_t      count;
        ilc__operator opr;
    } table[] = {{"op_Addition", 2, ILC__OPR_ADD},    {"op_Subtraction", 2, ILC__OPR_SUB}, {"op_Multiply", 2, ILC__OPR_MUL},
                 {"op_Division", 2, ILC__OPR_DIV},    {"op_BitwiseAnd", 2, ILC__OPR_AND},  {"op_BitwiseOr", 2, ILC__OPR_OR},
                 {"op_ExclusiveOr", 2, ILC__OPR_XOR}, {"op_UnaryNegation", 1, ILC__OPR_NEG}, {"op_OnesComplement", 1, ILC__OPR_NOT}};
    bool own = false;
    for (uint32_t i = 0; i < ilc__arg_count(func); i++) {
        const ilc__var *v = func->vars.items[i];
        if (v->is_array || v->is_string || (v->is_addr && !v->layout) || (v->layout && !v->is_slot)) return false;
        own = own || (v->layout && strcmp(ilc__path(names->arena, v->layout->name), ilc__owner_name(names, func)) == 0);
    }
    if (!own || !func->method || !(func->method->flags & ILC__METHOD_STATIC) || func->ret_to || (func->ret == ILC_VOID && !func->ret_layout)) return false;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, func->name) == 0 && table[i].count == ilc__arg_count(func)) {
            *opr = table[i].opr;
            return true;
        }
    return false;
}

const char *ilc__owner_name(ilc__names *names, const ilc__func *func)
{
    const ilc__method *m = func->method;
    if (!m) return "";
    const ilc__type *type;
    const char      *name = m->type_name;
    if (m->type_arg_count && ilc__method_this_type(m, &type) == ILC_OK) name = type->name;
    if (!ilc__image_is_framework(m->image) && strncmp(m->type_name, "Microsoft.", 10) != 0) return ilc__path(names->arena, name);
    return ilc__identifier(names->arena, name, strlen(name));
}

/* --- structs, tables, exceptions --------------------------------------------------------------------------------------------- */

bool ilc__is_tuple(const ilc__layout *layout)
{
    return strncmp(layout->name, "System.ValueTuple`", 18) == 0;
}

void ilc__use_struct(ilc__names *names, const ilc__layout *layout)
{
    for (uint32_t i = 0; i < names->used_structs.count; i++)
        if (ilc__layout_same(names->used_structs.items[i], layout)) return;
    ILC__PUSH(names->arena, &names->used_structs, layout);
    for (uint32_t i = 0; i < layout->field_count; i++)
        if (layout->fields[i].layout) ilc__use_struct(names, layout->fields[i].layout);
}

const char *ilc__struct_path(ilc__names *names, const ilc__layout *layout)
{
    return ilc__path(names->arena, layout->name);
}

/* Without what encloses the function as well: "Outer.Vec2" is Vec2 in Outer. */
void ilc__put_struct_name(ilc__writer *w, const ilc__layout *layout)
{
    ilc__use_struct(w->names, layout);
    const char *path = ilc__struct_path(w->names, layout), *last = strrchr(path, '.');
    const char *owner = w->func ? ilc__owner_name(w->names, w->func) : "";
    size_t      container = last ? (size_t)(last - path) : 0;
    bool        inside = !last || (strncmp(owner, path, container) == 0 && (owner[container] == '.' || !owner[container]));
    if (w->in_unit && !inside) {
        ilc__text_puts(w->out, path);
        return;
    }
    w->syntax->put_name(w->out, last ? last + 1 : path);
}

/* A compiler keeps property X in <X>k__BackingField. */
const char *ilc__field_name(ilc__names *names, const ilc__layout *layout, uint32_t field)
{
    if (field >= layout->field_count) return "Field";
    const char *name = layout->fields[field].name, *end = strchr(name, '>');
    if (name[0] == '<' && end && end - name > 1) return ilc__identifier(names->arena, name + 1, (size_t)(end - name - 1));
    return ilc__identifier(names->arena, name, strlen(name));
}

/* As a function names it. */
const char *ilc__member_name(ilc__writer *w, const ilc__layout *layout, uint32_t field)
{
    if (w->in_unit && ilc__is_library_struct(layout)) ilc__cannot(w, "a field of %s", ilc__path(w->arena, layout->name));
    return ilc__field_name(w->names, layout, field);
}

const char *ilc__table_path(ilc__names *names, const ilc__static *table)
{
    bool known = false;
    for (uint32_t i = 0; i < names->used_tables.count; i++) known = known || names->used_tables.items[i] == table;
    if (!known) ILC__PUSH(names->arena, &names->used_tables, table);
    const char *last = strrchr(table->name, '.');
    if (!last) return ilc__identifier(names->arena, table->name, strlen(table->name));
    const char *owner = ilc__path(names->arena, ilc__arena_strndup(names->arena, table->name, (size_t)(last - table->name)));
    const char *field = last + 1, *end = strchr(field, '>');
    if (*field == '<' && end) field = ilc__identifier(names->arena, field + 1, (size_t)(end - field - 1));
    else field = ilc__identifier(names->arena, field, strlen(field));
    return ilc__arena_printf(names->arena, "%s.%s", owner, field);
}

bool ilc__is_own_exception(const ilc__exception *exception)
{
    return strncmp(exception->type, "System.", 7) != 0;
}

const char *ilc__exception_name(ilc__names *names, const ilc__exception *exception)
{
    if (ilc__is_own_exception(exception)) ILC__PUSH(names->arena, &names->used_exceptions, exception);
    const char *type = exception->type;
    if (strncmp(type, "System.", 7) == 0 && !strchr(type + 7, '.')) type += 7;
    return ilc__path(names->arena, type);
}

/* --- variables ------------------------------------------------------------------------------------------------------------------ */

static void take(ilc__map *taken, const ilc__syntax *syntax, ilc__arena *arena, const char *word)
{
    char *folded = ilc__arena_strdup(arena, word);
    fold(syntax, folded);
    ilc__map_put(taken, folded, strlen(folded) + 1, folded);
}

static bool is_taken(ilc__map *taken, const ilc__syntax *syntax, ilc__arena *arena, const char *word)
{
    char *folded = ilc__arena_strdup(arena, word);
    fold(syntax, folded);
    return ilc__map_get(taken, folded, strlen(folded) + 1) != NULL;
}

static void take_calls(ilc__writer *w, ilc__map *taken, const ilc__expr *e)
{
    if (!e) return;
    if (e->kind == ILC__EX_CALL) {
        const char *owner = ilc__owner_name(w->names, e->u.callee);
        take(taken, w->syntax, w->arena, ilc__func_name(w->names, e->u.callee));
        take(taken, w->syntax, w->arena, ilc__arena_strndup(w->arena, owner, strcspn(owner, ".")));
    }
    for (uint32_t i = 0; i < e->arg_count; i++) take_calls(w, taken, e->args[i]);
}

static void take_names(ilc__writer *w, ilc__map *taken, const ilc__block *list)
{
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        take_calls(w, taken, s->a);
        take_calls(w, taken, s->b);
        take_calls(w, taken, s->c);
        take_names(w, taken, &s->body);
        take_names(w, taken, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) take_names(w, taken, &s->cases[k].body);
    }
}

void ilc__names_of_func(ilc__writer *w)
{
    const ilc__func *f = w->func;
    ilc__map         taken = {.arena = w->arena};
    static const char *const library[] = {"Math", "MathF", "Single", "Double", "BitConverter", "AscW", "ChrW", "Fix", "System", "Unsafe"};
    for (size_t i = 0; i < sizeof library / sizeof library[0]; i++) take(&taken, w->syntax, w->arena, library[i]);
    take_names(w, &taken, &f->body);
    /* In VB a function's name is a variable of it. */
    if (w->syntax->language == ILC__LANGUAGE_VB) take(&taken, w->syntax, w->arena, ilc__func_name(w->names, f));
    w->var_names = ILC__NEW_ARRAY(w->arena, const char *, (size_t)f->vars.count + 1);
    for (uint32_t i = 0; i < f->vars.count; i++) {
        const char *source = f->vars.items[i]->name;
        if (i == 0 && ilc__is_instance(f)) {
            w->var_names[i] = w->syntax->language == ILC__LANGUAGE_VB ? "Me" : "this";
            continue;
        }
        const char *name = ilc__identifier(w->arena, source, strlen(source));
        while (is_taken(&taken, w->syntax, w->arena, name)) name = ilc__arena_printf(w->arena, "%s_", name);
        take(&taken, w->syntax, w->arena, name);
        ilc__text text = {.arena = w->arena};
        w->syntax->put_name(&text, name);
        w->var_names[i] = ilc__text_string(&text);
    }
}
