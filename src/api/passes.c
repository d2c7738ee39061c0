/* passes.c - `show --passes`: what each pass changes in a method, in SSA and in the tree made of it. */
#include "api/api.h"

#include "base/diff.h"
#include "opt/pass.h"

typedef struct recorder {
    ilc_session  *session;
    ilc__arena   *arena;
    ilc__ir_unit *unit;
    bool          ir, tree;
    ilc__map      before; /* function -> its texts so far */
    ilc__text     out;
} recorder;

typedef struct texts {
    const char *ir, *tree; /* tree: NULL where none can be made */
    uint32_t    values, blocks;
} texts;

static uint32_t count_values(const ilc__ir_func *func)
{
    uint32_t values = 0;
    for (uint32_t b = 0; b < func->blocks.count; b++) values += func->blocks.items[b].list.count;
    return values;
}

/* The tree of the function as it is; making it leaves the SSA form as it was. */
static const char *tree_text(recorder *r, const ilc__ir_func *func)
{
    ilc__context *ctx = &r->session->ctx;
    uint32_t      diags = ctx->diags.count;
    ilc__unit     unit;
    ilc__text     text = {.arena = r->arena};
    ilc_status    status = ilc__ast_build(ctx, r->arena, r->unit, &unit);
    ctx->diags.count = diags;
    for (uint32_t i = 0; status == ILC_OK && i < r->unit->funcs.count; i++)
        if (r->unit->funcs.items[i] == func) ilc__write_func(ctx, unit.funcs.items[i], ILC__LANGUAGE_VB, &text);
    return status == ILC_OK ? ilc__text_string(&text) : NULL;
}

static texts *texts_of(recorder *r, const ilc__ir_func *func)
{
    texts    *now = ILC__NEW(r->arena, texts);
    ilc__text ir = {.arena = r->arena};
    ilc__ir_print_stable(func, &ir);
    *now = (texts){ilc__text_string(&ir), r->tree ? tree_text(r, func) : NULL, count_values(func), func->blocks.count};
    return now;
}

static const char *name_of(const ilc__ir_func *func)
{
    return func->method ? func->method->full_name : func->name;
}

static void put_heading(recorder *r, const char *mark, const char *what)
{
    ilc__text_printf(&r->out, "%s %s\n", mark, what);
}

static void put_lifted(recorder *r, const ilc__ir_func *func)
{
    texts *now = texts_of(r, func);
    ilc__map_put(&r->before, &func, sizeof func, now);
    put_heading(r, "===", ilc__arena_printf(r->arena, "%s, lifted: %u values in %u blocks", name_of(func), now->values, now->blocks));
    if (r->ir) ilc__text_puts(&r->out, now->ir);
    if (r->tree && r->ir) put_heading(r, "---", "tree");
    if (r->tree) ilc__text_puts(&r->out, now->tree ? now->tree : "too deep for a tree\n");
    ilc__text_putc(&r->out, '\n');
}

static void put_difference(recorder *r, const char *a, const char *b, const char *same)
{
    if (!ilc__diff(r->arena, a ? a : "", b ? b : "", &r->out)) ilc__text_printf(&r->out, "%s\n", same);
}

static void after_pass(void *user, const char *pass, const ilc__ir_func *func)
{
    recorder    *r = user;
    const texts *old = ilc__map_get(&r->before, &func, sizeof func);
    texts       *now = texts_of(r, func);
    ilc__map_put(&r->before, &func, sizeof func, now);
    bool same_tree = (!old->tree && !now->tree) || (old->tree && now->tree && strcmp(old->tree, now->tree) == 0);
    if (!r->ir && same_tree) return;
    put_heading(r, "===", ilc__arena_printf(r->arena, "%s, %s: %u -> %u values, %u -> %u blocks", name_of(func), pass, old->values,
                                            now->values, old->blocks, now->blocks));
    if (r->ir) put_difference(r, old->ir, now->ir, "what is printed is the same");
    if (r->tree && r->ir) put_heading(r, "---", same_tree ? "tree: the same" : "tree");
    if (r->tree && !same_tree) put_difference(r, old->tree, now->tree, "");
    ilc__text_putc(&r->out, '\n');
}

/* The trees that the passes left, contracted. */
static ilc_status put_contracted(recorder *r)
{
    ilc__context *ctx = &r->session->ctx;
    ilc__unit     unit;
    ILC__TRY(ilc__ast_build(ctx, r->arena, r->unit, &unit));
    ilc__ast_contract(r->arena, &unit);
    for (uint32_t i = 0; i < r->unit->funcs.count; i++) {
        const ilc__ir_func *func = r->unit->funcs.items[i];
        const texts        *old = ilc__map_get(&r->before, &func, sizeof func);
        ilc__text           text = {.arena = r->arena};
        ilc__write_func(ctx, unit.funcs.items[i], ILC__LANGUAGE_VB, &text);
        if (!old->tree || strcmp(old->tree, ilc__text_string(&text)) == 0) continue;
        put_heading(r, "===", ilc__arena_printf(r->arena, "%s, contract", name_of(func)));
        put_difference(r, old->tree, ilc__text_string(&text), "");
        ilc__text_putc(&r->out, '\n');
    }
    return ILC_OK;
}

static ilc_status passes(const char **out, ilc_method *method, const char *mode, bool ir, bool tree)
{
    ilc__floats   floats;
    ilc_session  *session = method->session;
    ilc__ir_unit  unit = {0};
    recorder      r = {.session = session, .arena = &session->scratch, .unit = &unit, .ir = ir, .tree = tree};
    r.before.arena = r.out.arena = r.arena;
    ILC__TRY(ilc__floats_take(&session->ctx, mode, &floats));
    ILC__TRY(ilc__ir_lift(&session->ctx, r.arena, method->def, &unit));
    for (uint32_t i = 0; i < unit.funcs.count; i++) put_lifted(&r, unit.funcs.items[i]);
    ILC__TRY(ilc__opt_run(&session->ctx, &unit, after_pass, &r));
    if (tree && floats != ILC__FLOATS_EXACT) ILC__TRY(put_contracted(&r));
    *out = ilc__arena_strdup(&session->ctx.arena, ilc__text_string(&r.out));
    return ILC_OK;
}

ilc_status ilc_method_passes(const char **out, ilc_method *method, const char *mode, bool ir, bool tree)
{
    ILC__LAND(method->session, passes(out, method, mode, ir, tree));
}
