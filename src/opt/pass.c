/* pass.c - runs the passes of passes.def in rounds until none reports progress. */
#include "opt/edit.h"

#define CFG ILC__ANALYSIS_CFG

static const struct {
    const char *name;
    bool (*run)(ilc__ir_func *func);
    uint32_t requires, preserves;
} passes[] = {
#define PASS(name, requires, preserves) {#name, ilc__pass_##name, requires, preserves},
#include "opt/passes.def"
#undef PASS
};

enum { PASS_COUNT = sizeof passes / sizeof passes[0], MAX_ROUNDS = 64 };

static ilc_status run_pass(ilc__ir_func *func, uint32_t pass, bool *progress)
{
    if ((passes[pass].requires & ~func->analyses) != 0) ilc__ir_compute_cfg(func);
    *progress = passes[pass].run(func);
    ilc__arena_free(&func->ctx->scratch);
    if (!*progress) return ILC_OK;
    func->analyses &= passes[pass].preserves;
#ifndef NDEBUG
    ILC__TRY(ilc__ir_verify(func));
#endif
    return ILC_OK;
}

/* A pass that found nothing to do finds nothing again until another one changes the function. */
static ilc_status run_rounds(ilc__ir_func *func, ilc__pass_listener *after, void *user)
{
    uint32_t changes = 1, seen[PASS_COUNT] = {0}; /* seen: the changes that were there when the pass found nothing */
    for (uint32_t turn = 0, idle = 0; idle < PASS_COUNT && turn < MAX_ROUNDS * PASS_COUNT; turn++) {
        uint32_t pass = turn % PASS_COUNT;
        bool     progress = false;
        if (seen[pass] != changes) ILC__TRY(run_pass(func, pass, &progress));
        idle = progress ? 0 : idle + 1;
        if (progress) changes++;
        else seen[pass] = changes;
        if (progress && after) after(user, passes[pass].name, func);
    }
    ilc__ir_compute_cfg(func);
    ilc__ir_compute_traps(func);
    return ILC_OK;
}

/* A call that was to become a loop and did not: as a call it would end at the limit of activations. */
static ilc_status check_loops(ilc__context *ctx, const ilc__ir_func *func)
{
    for (uint32_t b = 0; b < func->blocks.count; b++) {
        const ilc__ir_block *block = &func->blocks.items[b];
        for (uint32_t i = 0; i < block->list.count; i++) {
            const ilc__ir_value *value = &func->values.items[block->list.items[i]];
            if (value->op != ILC__OP_CALL || !value->again) continue;
            const char *name = func->method ? func->method->full_name : func->name;
            ilc__where  where = {.method = name};
            if (func->method) where = ilc__method_where(func->place ? func->place : func->method, value->il);
            return ilc__refuse(ctx, &where, "recursion (%s -> %s)", name, name);
        }
    }
    return ILC_OK;
}

/* The callees are simplified by now. */
static ilc_status inline_calls(ilc__ir_func *func, ilc__pass_listener *after, void *user)
{
    if (!ilc__opt_inline(func)) return ILC_OK;
    func->analyses = 0;
    if (after) after(user, "inline", func);
#ifndef NDEBUG
    ILC__TRY(ilc__ir_verify(func));
#endif
    return ILC_OK;
}

/* The checks of rows are proved by now. */
static ilc_status open_rows(ilc__ir_func *func, ilc__pass_listener *after, void *user)
{
    bool progress = ilc__opt_rows(func);
    ilc__arena_free(&func->ctx->scratch);
    if (!progress) return ILC_OK;
    func->analyses &= CFG;
    if (after) after(user, "rows", func);
#ifndef NDEBUG
    ILC__TRY(ilc__ir_verify(func));
#endif
    return run_rounds(func, after, user);
}

ilc_status ilc__opt_run(ilc__context *ctx, ilc__ir_unit *unit, ilc__pass_listener *after, void *user)
{
    for (uint32_t i = 0; i < unit->funcs.count; i++) {
        ILC__TRY(inline_calls(unit->funcs.items[i], after, user));
        ILC__TRY(run_rounds(unit->funcs.items[i], after, user));
        ILC__TRY(open_rows(unit->funcs.items[i], after, user));
        ILC__TRY(check_loops(ctx, unit->funcs.items[i]));
    }
    if (unit->funcs.count) ilc__opt_drop_uncalled(unit->funcs.items[0]->arena, unit);
    return ILC_OK;
}

ilc_status ilc__opt_run_one(ilc__ir_func *func, const char *pass, bool *progress)
{
    *progress = false;
    for (uint32_t i = 0; i < PASS_COUNT; i++)
        if (strcmp(passes[i].name, pass) == 0) return run_pass(func, i, progress);
    return ilc__fail(func->ctx, ILC_NOT_FOUND, NULL, "there is no pass %s", pass);
}
