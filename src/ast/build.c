/* build.c - ilc__ast_build: one function after the other through the steps of build.h. */
#include "ast/build.h"

static ilc__func *begin(ilc__arena *arena, const ilc__ir_func *ir)
{
    ilc__func *func = ILC__NEW(arena, ilc__func);
    func->method = ir->method;
    func->place = ir->place ? ir->place : ir->method;
    func->name = ir->name ? ir->name : "";
    func->ret = ir->ret;
    func->ret_layout = ir->ret_layout;
    func->ret_to = ir->ret_to;
    func->ret_array = ir->ret_array;
    func->param_count = ir->param_count;
    func->cycle = ir->cycle;
    func->strings = ir->strings;
    return func;
}

/* Signs of IR that did not go through the verifier; everything else is an assert's matter. */
static ilc_status check(ilc__context *ctx, const ilc__ir_func *ir)
{
    bool whole = ir->blocks.count > 0 && ir->vars.count > ir->param_count;
    for (uint32_t i = 0; whole && i < ir->blocks.count; i++) whole = ir->blocks.items[i].list.count > 0;
    if (whole) return ILC_OK;
    return ilc__fail(ctx, ILC_INTERNAL, NULL, "%s: the IR had an empty block", ir->name ? ir->name : "?");
}

static ilc_status build_func(ilc__context *ctx, ilc__arena *arena, const ilc__ir_unit *unit, uint32_t number,
                             ilc__unit *out)
{
    const ilc__ir_func *ir = unit->funcs.items[number];
    ILC__TRY(check(ctx, ir));
    ilc__builder b = {.ctx = ctx, .arena = arena, .ir_unit = unit, .unit = out, .ir = ir};
    b.func = out->funcs.items[number];
    b.names.arena = arena;
    ilc__ast_assign_vars(&b);
    ilc__ast_build_nodes(&b);
    ilc__ast_reduce(&b);
    ilc__ast_analyse(&b);
    if (ilc__ast_split_headers(&b)) ilc__ast_analyse(&b);
    ilc__ast_structure(&b);
    ilc__ast_cut(&b);
    ilc__ast_tidy(&b);
    ilc__ast_shape_loops(&b);
    ilc__ast_tidy(&b);
    ilc__ast_count(&b);
    ilc__ast_name_temps(&b);
    ilc__ast_find_own(&b);
    return ILC_OK;
}

ilc_status ilc__ast_build(ilc__context *ctx, ilc__arena *arena, ilc__ir_unit *ir, ilc__unit *out)
{
    *out = (ilc__unit){0};
    for (uint32_t i = 0; i < ir->funcs.count; i++)
        ILC__PUSH(arena, &out->funcs, begin(arena, ir->funcs.items[i]));
    for (uint32_t i = 0; i < ir->funcs.count; i++)
        ILC__TRY(build_func(ctx, arena, ir, i, out));
    return ILC_OK;
}
