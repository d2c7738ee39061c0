/* unit.c - functions one by one, and methods as a whole that compiles. */
#include "write/internal.h"

typedef struct part { /* a function of the unit */
    const ilc__func *func;
    const char      *key, *text, *refusal;
    bool             is_root;
} part;

struct ilc__write_unit {
    ilc__context *ctx;
    ilc__arena   *arena;
    ilc__names    names;
    ILC__VEC(const ilc__unit *) trees;
    ILC__VEC(part) parts;
    ilc__map      by_key; /* number + 1 */
    bool          checked;
};

static const ilc__syntax *syntax_of(ilc__language language)
{
    return language == ILC__LANGUAGE_VB ? &ilc__syntax_vb : &ilc__syntax_cs;
}

/* --- what + means: as most of the code has it ----------------------------------------------------------------------------- */

typedef struct tally {
    uint32_t checks, kept, wraps; /* kept: in the tree */
} tally;

/* The IL says what is checked; the tree, what still wraps. */
static void count_il(tally *n, const ilc__body *body)
{
    for (uint32_t i = 0; body && i < body->insn_count; i++)
        n->checks += strstr(ilc__opcode_name(body->insns[i].op), ".ovf") != NULL;
}

static void count_op(tally *n, ilc__op op, bool checks)
{
    const char *text = ilc__op_info_of(op)->text;
    bool        integer = strstr(text, ".i32") || strstr(text, ".i64");
    bool        sums = strncmp(text, "add", 3) == 0 || strncmp(text, "sub", 3) == 0 || strncmp(text, "mul", 3) == 0;
    if (!integer || !sums) return;
    if (strstr(text, "ovf")) n->kept++;
    else if (!checks) n->wraps++;
}

static void count_expr(tally *n, const ilc__body *body, const ilc__expr *e)
{
    if (!e) return;
    if (e->kind == ILC__EX_OP) count_op(n, e->op, e->has_il && ilc__checks_at(body, e->il));
    for (uint32_t i = 0; i < e->arg_count; i++) count_expr(n, body, e->args[i]);
}

static void count_list(tally *n, const ilc__body *body, const ilc__block *list)
{
    for (const ilc__stmt *s = list->first; s; s = s->next) {
        count_expr(n, body, s->a);
        count_expr(n, body, s->b);
        count_expr(n, body, s->c);
        if (s->kind == ILC__ST_FOR) count_op(n, s->step, ilc__checks_at(body, s->step_il));
        count_list(n, body, &s->body);
        count_list(n, body, &s->other);
        for (uint32_t k = 0; k < s->case_count; k++) count_list(n, body, &s->cases[k].body);
    }
}

static void count_func(ilc__context *ctx, ilc__arena *arena, tally *n, const ilc__func *func)
{
    const ilc__body *body = ilc__body_of(ctx, arena, func);
    count_il(n, body);
    n->kept = 0;
    count_list(n, body, &func->body);
    if (!body) n->checks += n->kept;
}

static bool is_checked(tally n, const ilc__syntax *syntax)
{
    return n.checks == n.wraps ? syntax->checks : n.checks > n.wraps;
}

static void put_meaning(ilc__text *out, const ilc__syntax *syntax, bool checked)
{
    if (checked == syntax->checks) return;
    if (checked) ilc__text_printf(out, "%s compile with -checked+: integer overflow raises\n", syntax->comment);
    else ilc__text_printf(out, "%s compile with -removeintchecks+: integer overflow wraps\n", syntax->comment);
}

/* --- one function ------------------------------------------------------------------------------------------------------------ */

static const char *write_one(ilc__context *ctx, ilc__arena *arena, ilc__names *names, const ilc__func *func, bool checked,
                             bool in_unit, uint32_t indent, ilc__line_map *map, const char **refusal)
{
    ilc__text    text = {.arena = arena};
    ilc__writer *w = ILC__NEW(arena, ilc__writer);
    w->ctx = ctx;
    w->arena = arena;
    w->out = &text;
    w->syntax = names->syntax;
    w->names = names;
    w->func = func;
    w->body = ilc__body_of(ctx, arena, func);
    w->checked = checked;
    w->in_unit = in_unit;
    w->indent = indent;
    w->mapped = map != NULL;
    w->map.arena = arena;
    ilc__put_function(w);
    if (map) *map = w->map;
    *refusal = w->refusal;
    return ilc__text_string(&text);
}

static uint32_t count_lines(const ilc__text *text)
{
    uint32_t lines = 0;
    for (size_t i = 0; i < text->length; i++) lines += text->data[i] == '\n';
    return lines;
}

static void write_funcs(ilc__context *ctx, const ilc__func *const *funcs, uint32_t count, ilc__language language, ilc__line_map *map,
                        ilc__text *out)
{
    ilc__names *names = ILC__NEW(out->arena, ilc__names);
    tally       n = {0};
    ilc__names_init(names, out->arena, syntax_of(language));
    for (uint32_t i = 0; i < count; i++) count_func(ctx, out->arena, &n, funcs[i]);
    bool checked = is_checked(n, names->syntax);
    put_meaning(out, names->syntax, checked);
    for (uint32_t i = 0; i < count; i++) {
        ilc__line_map own;
        const char   *refusal, *text = write_one(ctx, out->arena, names, funcs[i], checked, false, 0, map ? &own : NULL, &refusal);
        if (i) ilc__text_putc(out, '\n');
        if (refusal) ilc__text_printf(out, "%s not %s: %s\n", names->syntax->comment, language == ILC__LANGUAGE_VB ? "VB" : "C#", refusal);
        uint32_t before = map ? count_lines(out) + 1 : 0; /* lines count from 1 */
        for (uint32_t k = 0; map && k < own.count; k++) {
            own.items[k].line += before;
            ILC__PUSH(map->arena, map, own.items[k]);
        }
        ilc__text_puts(out, text);
    }
}

void ilc__write_func(ilc__context *ctx, const ilc__func *func, ilc__language language, ilc__text *out)
{
    write_funcs(ctx, &func, 1, language, NULL, out);
}

void ilc__write_tree(ilc__context *ctx, const ilc__unit *unit, ilc__language language, ilc__line_map *map, ilc__text *out)
{
    write_funcs(ctx, (const ilc__func *const *)unit->funcs.items, unit->funcs.count, language, map, out);
}

/* --- a whole --------------------------------------------------------------------------------------------------------------------- */

ilc__write_unit *ilc__write_unit_create(ilc__context *ctx, ilc__arena *arena, ilc__language language)
{
    ilc__write_unit *unit = ILC__NEW(arena, ilc__write_unit);
    unit->ctx = ctx;
    unit->arena = arena;
    unit->by_key.arena = arena;
    ilc__names_init(&unit->names, arena, syntax_of(language));
    return unit;
}

void ilc__write_unit_add(ilc__write_unit *unit, const ilc__unit *tree)
{
    ILC__PUSH(unit->arena, &unit->trees, tree);
}

static void add_part(ilc__write_unit *unit, const ilc__func *func, bool is_root)
{
    const char *key = ilc__func_key(unit->arena, func);
    if (ilc__map_get(&unit->by_key, key, strlen(key) + 1)) return;
    ILC__PUSH(unit->arena, &unit->parts, (part){.func = func, .key = key, .is_root = is_root});
    ilc__map_put(&unit->by_key, key, strlen(key) + 1, (void *)(uintptr_t)unit->parts.count);
}

static part *part_of(const ilc__write_unit *unit, const ilc__func *func)
{
    const char *key = ilc__func_key(unit->arena, func);
    uintptr_t   number = (uintptr_t)ilc__map_get(&unit->by_key, key, strlen(key) + 1);
    return number ? &unit->parts.items[number - 1] : NULL;
}

/* A root's own tree is what is printed of it, also where others call it. */
static void collect(ilc__write_unit *unit)
{
    for (uint32_t i = 0; i < unit->trees.count; i++) {
        const ilc__unit *tree = unit->trees.items[i];
        add_part(unit, tree->funcs.items[tree->funcs.count - 1], true);
    }
    for (uint32_t i = 0; i < unit->trees.count; i++)
        for (uint32_t k = 0; k < unit->trees.items[i]->funcs.count; k++) add_part(unit, unit->trees.items[i]->funcs.items[k], false);
    tally n = {0};
    for (uint32_t i = 0; i < unit->parts.count; i++) count_func(unit->ctx, unit->arena, &n, unit->parts.items[i].func);
    unit->checked = is_checked(n, unit->names.syntax);
}

/* What a caller of the method would not find again: it is called by the types of its parameters. */
static const char *signature_refusal(ilc__write_unit *unit, const ilc__func *func)
{
    for (uint32_t i = 0; i < func->param_count; i++) {
        const ilc__layout *layout = func->vars.items[i]->layout;
        if (!layout || ilc__is_tuple(layout)) continue;
        if (strchr(layout->name, '<')) return "a generic struct in the signature";
    }
    const char *name = ilc__func_name(&unit->names, func);
    if (func->method && strcmp(name, func->name) != 0 && strncmp(func->name, name, strlen(func->name)) == 0)
        return "a name that another method has already";
    return NULL;
}

static const char *callee_refusal(const ilc__write_unit *unit, const ilc__expr *e)
{
    if (!e) return NULL;
    if (e->kind == ILC__EX_CALL) {
        const part *p = part_of(unit, e->u.callee);
        if (p && p->refusal) return ilc__arena_printf(unit->arena, "a call of %s: %s", p->func->name, p->refusal);
    }
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const char *refusal = callee_refusal(unit, e->args[i]);
        if (refusal) return refusal;
    }
    return NULL;
}

static const char *list_refusal(const ilc__write_unit *unit, const ilc__block *list)
{
    const char *refusal = NULL;
    for (const ilc__stmt *s = list->first; s && !refusal; s = s->next) {
        refusal = callee_refusal(unit, s->a);
        if (!refusal) refusal = callee_refusal(unit, s->b);
        if (!refusal) refusal = callee_refusal(unit, s->c);
        if (!refusal) refusal = list_refusal(unit, &s->body);
        if (!refusal) refusal = list_refusal(unit, &s->other);
        for (uint32_t k = 0; k < s->case_count && !refusal; k++) refusal = list_refusal(unit, &s->cases[k].body);
    }
    return refusal;
}

/* It is no member where it is written. */
static bool is_library_member(const ilc__func *func)
{
    return func->method && !(func->method->flags & ILC__METHOD_STATIC) && ilc__image_is_framework(func->method->image);
}

static void write_parts(ilc__write_unit *unit)
{
    for (uint32_t i = 0; i < unit->parts.count; i++) {
        part *p = &unit->parts.items[i];
        if (p->is_root) ilc__func_name(&unit->names, p->func); /* roots have the first choice of names */
    }
    for (uint32_t i = 0; i < unit->parts.count; i++) {
        part          *p = &unit->parts.items[i];
        const char    *owner = ilc__owner_scope(&unit->names, p->func);
        p->text = write_one(unit->ctx, unit->arena, &unit->names, p->func, unit->checked, true, ilc__scope_depth(owner), NULL, &p->refusal);
        if (!p->refusal && is_library_member(p->func)) p->refusal = "a member of a struct of the library";
        if (!p->refusal && p->is_root) p->refusal = signature_refusal(unit, p->func);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < unit->parts.count; i++) {
            part *p = &unit->parts.items[i];
            if (p->refusal) continue;
            p->refusal = list_refusal(unit, &p->func->body);
            changed = changed || p->refusal;
        }
    }
}

/* Those of one type together. */
static void put_parts(ilc__write_unit *unit, ilc__text *out)
{
    bool *done = ILC__NEW_ARRAY(unit->arena, bool, (size_t)unit->parts.count + 1);
    for (uint32_t i = 0; i < unit->parts.count; i++) {
        if (done[i] || unit->parts.items[i].refusal) continue;
        const char *owner = ilc__owner_scope(&unit->names, unit->parts.items[i].func);
        ilc__open_scope(&unit->names, owner, out);
        bool any = false;
        for (uint32_t k = i; k < unit->parts.count; k++) {
            part *p = &unit->parts.items[k];
            if (done[k] || p->refusal || strcmp(owner, ilc__owner_scope(&unit->names, p->func)) != 0) continue;
            if (any) ilc__text_putc(out, '\n');
            ilc__text_puts(out, p->text);
            any = done[k] = true;
        }
        ilc__close_scope(&unit->names, owner, out);
    }
}

/* The method's name; and where parameters are enums, which are written as the numbers that they are, the name so. */
static void put_root(ilc__write_unit *unit, const ilc__func *func, const char *name, ilc__text *out)
{
    ilc__text_printf(out, "%s has: %s", unit->names.syntax->comment, name);
    const ilc__method *m = func->method;
    bool               enums = false;
    for (uint32_t i = 0; m && i < m->sig.param_count; i++) {
        const ilc__type *t = m->sig.params[i];
        enums = enums || t->is_enum || (t->elem && t->elem->is_enum);
    }
    if (enums) {
        ilc__text_printf(out, " as %.*s(", (int)strcspn(name, "("), name);
        for (uint32_t i = 0; i < m->sig.param_count; i++) {
            const ilc__type *t = m->sig.params[i], *of = t->is_enum ? t->underlying : t->elem && t->elem->is_enum ? t->elem->underlying : t;
            const char      *whole = ilc__type_short_name(unit->arena, t);
            ilc__text_printf(out, "%s%s%s", i ? "," : "", ilc__type_short_name(unit->arena, of), of == t || t->is_enum ? "" : whole + strcspn(whole, "[&*"));
        }
        ilc__text_putc(out, ')');
    }
    ilc__text_putc(out, '\n');
}

void ilc__write_unit_print(ilc__write_unit *unit, ilc__text *out)
{
    const ilc__syntax *syntax = unit->names.syntax;
    bool               vb = syntax->language == ILC__LANGUAGE_VB;
    ilc__text          helpers = {.arena = unit->arena};
    collect(unit);
    write_parts(unit);
    ilc__put_helpers(&unit->names, &helpers);
    put_meaning(out, syntax, unit->checked);
    for (uint32_t i = 0; i < unit->parts.count; i++) {
        const part *p = &unit->parts.items[i];
        const char *name = p->func->method ? ilc__method_display(unit->arena, p->func->method) : p->func->name;
        if (p->is_root && p->refusal) ilc__text_printf(out, "%s left out: %s: %s\n", syntax->comment, name, p->refusal);
        else if (p->is_root) put_root(unit, p->func, name, out);
    }
    ilc__text_puts(out, vb ? "Option Strict On\nImports System\nImports System.Runtime.CompilerServices\n"
                             "Imports System.Runtime.InteropServices\nImports Microsoft.VisualBasic\n"
                           : "using System;\nusing System.Runtime.CompilerServices;\nusing System.Runtime.InteropServices;\n");
    if (!vb && helpers.length) ilc__text_puts(out, "using static IlHelpers;\n");
    put_parts(unit, out);
    ilc__put_structs(unit->ctx, &unit->names, out);
    ilc__put_tables(unit->ctx, &unit->names, out);
    ilc__put_exceptions(&unit->names, out);
    ilc__text_puts(out, ilc__text_string(&helpers));
}

const char *ilc__write_unit_refusal(const ilc__write_unit *unit, uint32_t root)
{
    const ilc__unit *tree = unit->trees.items[root];
    const part      *p = part_of(unit, tree->funcs.items[tree->funcs.count - 1]);
    return p ? p->refusal : NULL;
}
