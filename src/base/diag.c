/* diag.c - statuses, storage names and diagnostics (diag.h, ilcuda/status.h, ilcuda/value.h). */
#include "base/diag.h"

static const struct {
    const char *name, *text;
    int         exit_code;
} statuses[] = {
#define ILC_STATUS(name, exit, text) {#name, text, exit},
#include "ilcuda/status.def"
#undef ILC_STATUS
};

static const struct {
    const char *name;
    uint32_t    size;
} storages[] = {
#define ILC_STORAGE(name, clr, size, is_signed, is_float) {clr, size},
#include "ilcuda/storage.def"
#undef ILC_STORAGE
};

const char *ilc_status_text(ilc_status status)
{
    return (unsigned)status < ILC_STATUS_COUNT ? statuses[status].text : "unknown status";
}

const char *ilc_status_name(ilc_status status)
{
    return (unsigned)status < ILC_STATUS_COUNT ? statuses[status].name : "UNKNOWN";
}

int ilc_status_exit_code(ilc_status status)
{
    return (unsigned)status < ILC_STATUS_COUNT ? statuses[status].exit_code : 70;
}

const char *ilc_storage_name(ilc_storage storage)
{
    return (unsigned)storage < ILC_STORAGE_COUNT ? storages[storage].name : "?";
}

uint32_t ilc_storage_size(ilc_storage storage)
{
    return (unsigned)storage < ILC_STORAGE_COUNT ? storages[storage].size : 0;
}

void ilc__context_init(ilc__context *ctx)
{
    memset(ctx, 0, sizeof *ctx);
    ilc__heap_init(&ctx->heap);
    ilc__arena_init(&ctx->arena, &ctx->heap);
    ilc__arena_init(&ctx->scratch, &ctx->heap);
}

void ilc__context_free(ilc__context *ctx)
{
    ilc__arena_free(&ctx->arena);
    ilc__arena_free(&ctx->scratch);
    ctx->diags.items = NULL;
    ctx->diags.count = ctx->diags.capacity = 0;
}

static const char *file_name(const char *path)
{
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\') name = at + 1;
    return name;
}

/* "Stats.vb:41: Stats.RowSum: reason at IL_001f", or "path: byte 0x80: reason" */
static char *whole_line(ilc__arena *arena, const ilc__where *where, const char *reason)
{
    ilc__text text = {.arena = arena};
    if (where->source && where->line)
        ilc__text_printf(&text, "%s:%u: ", file_name(where->source), where->line);
    else if (where->path)
        ilc__text_printf(&text, "%s: ", where->path);
    if (where->method) ilc__text_printf(&text, "%s: ", where->method);
    if (where->has_byte) ilc__text_printf(&text, "byte 0x%llx: ", (unsigned long long)where->byte);
    ilc__text_puts(&text, reason);
    if (where->has_il) ilc__text_printf(&text, " at IL_%04x", where->il);
    return text.data;
}

ilc_status ilc__fail(ilc__context *ctx, ilc_status status, const ilc__where *where, const char *format, ...)
{
    ilc__diag diag = {.status = status};
    if (where) diag.where = *where;
    va_list args;
    va_start(args, format);
    diag.reason = ilc__arena_vprintf(&ctx->arena, format, args);
    va_end(args);
    diag.text = whole_line(&ctx->arena, &diag.where, diag.reason);
    ILC__PUSH(&ctx->arena, &ctx->diags, diag);
    return status;
}

ilc_status ilc__refuse(ilc__context *ctx, const ilc__where *where, const char *format, ...)
{
    ilc__diag diag = {.status = ILC_UNSUPPORTED, .where = *where};
    va_list   args;
    va_start(args, format);
    diag.reason = ilc__arena_vprintf(&ctx->arena, format, args);
    va_end(args);
    diag.text = ilc__arena_printf(&ctx->arena, "%s is not supported in a kernel", whole_line(&ctx->arena, where, diag.reason));
    ILC__PUSH(&ctx->arena, &ctx->diags, diag);
    return diag.status;
}
