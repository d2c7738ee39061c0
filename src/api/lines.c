/* lines.c - line maps of a kernel's texts, made when asked for, and what compilers say about a line of them. */
#include "api/api.h"

#include <stdlib.h>

static ilc_status map_emitted(ilc_kernel *kernel, ilc__dialect dialect, bool display, ilc__line_map *map)
{
    const ilc__unit *unit;
    ILC__TRY(ilc__method_unit(kernel->method, kernel->floats, &unit));
    ilc__emit_options options = {.dialect = dialect, .checks = kernel->checks, .display = display, .lines = true,
                                 .fast = kernel->floats == ILC__FLOATS_FAST, .line_directives = kernel->line_directives};
    ilc__kernel       shown;
    ILC__TRY(ilc__emit_kernel(&kernel->session->ctx, map->arena, unit, &kernel->spec, &options, &shown));
    for (uint32_t i = 0; i < shown.line_count; i++) ILC__PUSH(map->arena, map, shown.lines[i]);
    return ILC_OK;
}

static ilc_status make_map(ilc_kernel *kernel, ilc_text form, ilc__line_map *map)
{
    const char *text;
    switch (form) {
    case ILC_TEXT_VB: return ilc__kernel_tree(kernel, ILC__LANGUAGE_VB, false, map, &text);
    case ILC_TEXT_VB_CHECKED: return ilc__kernel_tree(kernel, ILC__LANGUAGE_VB, true, map, &text);
    case ILC_TEXT_CS: return ilc__kernel_tree(kernel, ILC__LANGUAGE_CS, false, map, &text);
    case ILC_TEXT_CS_CHECKED: return ilc__kernel_tree(kernel, ILC__LANGUAGE_CS, true, map, &text);
    case ILC_TEXT_CUDA: return map_emitted(kernel, ILC__DIALECT_CUDA, true, map);
    case ILC_TEXT_C: return map_emitted(kernel, ILC__DIALECT_C, true, map);
    case ILC_TEXT_CUDA_UNIT: return map_emitted(kernel, ILC__DIALECT_CUDA, false, map);
    case ILC_TEXT_C_UNIT: return map_emitted(kernel, ILC__DIALECT_C, false, map);
    case ILC_TEXT_IL: case ILC_TEXT_IR: case ILC_TEXT_CUDA_TILE: case ILC_TEXT_C_TILE: break;
    }
    return ilc__fail(&kernel->session->ctx, ILC_INVALID, NULL, "text form %d has no line map", (int)form);
}

static ilc_status lines_of(const ilc_line **out, size_t *count, ilc_kernel *kernel, ilc_text form)
{
    ilc__arena   *arena = &kernel->session->ctx.arena;
    ilc__line_map map = {.arena = &kernel->session->scratch};
    if ((unsigned)form > ILC_TEXT_C_TILE || !kernel->lines[form]) {
        ILC__TRY(make_map(kernel, form, &map));
        ilc__lines *lines = ILC__NEW(arena, ilc__lines);
        lines->rows = ILC__NEW_ARRAY(arena, ilc_line, map.count);
        lines->count = map.count;
        for (uint32_t i = 0; i < map.count; i++) {
            const ilc__line *row = &map.items[i];
            lines->rows[i] = (ilc_line){row->line, row->method ? row->method->full_name : NULL, row->il, row->file, row->source};
        }
        kernel->lines[form] = lines;
    }
    *out = kernel->lines[form]->rows;
    *count = kernel->lines[form]->count;
    return ILC_OK;
}

ilc_status ilc_kernel_lines(const ilc_line **out, size_t *count, ilc_kernel *kernel, ilc_text form)
{
    ILC__LAND(kernel->session, lines_of(out, count, kernel, form));
}

/* --- compilers' messages ---------------------------------------------------------------------------------------- */

/* The number behind the file's name: "kernel.c:12:5: error" or "il_Dot_kernel.cu(12): error". 0: none. */
static uint32_t line_in_message(const char *message, const char *file)
{
    size_t length = strlen(file);
    for (const char *at = message; (at = strstr(at, file)) != NULL; at += length) {
        if (at[length] != ':' && at[length] != '(') continue;
        unsigned long line = strtoul(at + length + 1, NULL, 10);
        if (line > 0 && line < UINT32_MAX) return (uint32_t)line;
    }
    return 0;
}

ilc_status ilc__blame_source(ilc__context *ctx, ilc_status status, uint32_t before, const char *file, const ilc__kernel *emitted,
                             int64_t shift)
{
    if (status != ILC_COMPILER || ctx->diags.count <= before) return status;
    const ilc__diag *diag = &ctx->diags.items[before];
    int64_t          line = (int64_t)line_in_message(diag->reason, file) - shift;
    for (uint32_t i = 0; line > 0 && i < emitted->line_count; i++) {
        const ilc__line *row = &emitted->lines[i];
        if (row->line != line) continue;
        ilc__where  where = {.method = row->method ? row->method->full_name : NULL, .source = row->file, .line = row->source};
        const char *reason = diag->reason;
        ctx->diags.count = before;
        return ilc__fail(ctx, status, &where, "%s", reason);
    }
    return status;
}
