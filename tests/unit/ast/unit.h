/* unit.h - a context per test, trees from IR text, and assertions that show the diagnostic. */
#ifndef ILC_TESTS_UNIT_AST_UNIT_H
#define ILC_TESTS_UNIT_AST_UNIT_H

#include "../context.h"
#include "ast/ast.h"
#include "write/write.h"

static inline const char *last_diag(const ilc__context *ctx)
{
    return ctx->diags.count ? ctx->diags.items[ctx->diags.count - 1].text : "(no diagnostic)";
}

#define assert_ok(ctx, expr)                                                                                 \
    do {                                                                                                     \
        if ((expr) != ILC_OK) fail_msg("%s", last_diag(ctx));                                                \
    } while (0)

/* The tree of one function given as IR text. */
static inline ilc__unit unit_of(ilc__context *ctx, const char *text)
{
    ilc__ir_func *func = NULL;
    ilc__unit     unit = {0};
    ilc__ir_unit  ir = {0};
    assert_ok(ctx, ilc__ir_parse(ctx, &ctx->arena, text, &func));
    assert_ok(ctx, ilc__ir_verify(func));
    ILC__PUSH(&ctx->arena, &ir.funcs, func);
    assert_ok(ctx, ilc__ast_build(ctx, &ctx->arena, &ir, &unit));
    return unit;
}

static inline const char *vb_of(ilc__context *ctx, const ilc__func *func)
{
    ilc__text text = {.arena = &ctx->arena};
    ilc__write_func(ctx, func, ILC__LANGUAGE_VB, &text);
    return ilc__text_string(&text);
}

#endif
