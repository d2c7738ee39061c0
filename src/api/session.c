/* session.c - sessions, diagnostics, and the landing pad of every public call. */
#include "api/api.h"
#include "base/reasons.h"

#include <stdlib.h>

void ilc__landing_enter(ilc_session *session, ilc__landing *landing)
{
    landing->previous = session->ctx.heap.landing;
    landing->fp = ilc__fp_enter();
    session->ctx.heap.landing = &landing->pad;
}

ilc_status ilc__landing_leave(ilc_session *session, ilc__landing *landing, ilc_status status)
{
    session->ctx.heap.landing = landing->previous;
    if (!landing->previous) {
        ilc__arena_free(&session->scratch);
        ilc__arena_free(&session->ctx.scratch); /* where memory ran out in a pass */
    }
    ilc__fp_leave(landing->fp);
    return status;
}

ilc_status ilc__options_take(ilc__context *ctx, void *options, size_t size, const void *given, const char *what)
{
    if (!given) return ILC_OK;
    size_t given_size;
    memcpy(&given_size, given, sizeof given_size);
    /* An older caller knows fewer fields: those it does not know keep their defaults. */
    if (given_size < sizeof given_size || given_size > size)
        return ilc__fail(ctx, ILC_INVALID, NULL, "%s: size is %zu, at most %zu was expected; use the init function", what,
                         given_size, size);
    memcpy(options, given, given_size);
    return ILC_OK;
}

void ilc_session_options_init(ilc_session_options *options)
{
    *options = (ilc_session_options){.size = sizeof *options};
}

static void *default_resize(void *user, void *ptr, size_t size)
{
    (void)user;
    if (size) return realloc(ptr, size);
    free(ptr);
    return NULL;
}

ilc_status ilc_session_create(ilc_session **out, const ilc_session_options *options)
{
    ilc_session_options chosen;
    ilc_session_options_init(&chosen);
    if (options) {
        if (options->size < sizeof options->size || options->size > sizeof chosen) return ILC_INVALID;
        memcpy(&chosen, options, options->size);
    }
    if (!chosen.resize) chosen.resize = default_resize;
    ilc_session *session = chosen.resize(chosen.resize_user, NULL, sizeof *session);
    if (!session) return ILC_OUT_OF_MEMORY;
    memset(session, 0, sizeof *session);
    ilc__context_init(&session->ctx);
    session->ctx.heap.resize = chosen.resize;
    session->ctx.heap.user = chosen.resize_user;
    session->log = chosen.log;
    session->log_user = chosen.log_user;
    ilc__arena_init(&session->scratch, &session->ctx.heap);
    ilc__arena_init(&session->machine_arena, &session->ctx.heap);
    session->verdicts.arena = &session->ctx.arena;
    *out = session;
    return ILC_OK;
}

void ilc_session_destroy(ilc_session *session)
{
    if (!session) return;
    while (session->engines) ilc_engine_destroy(session->engines);
    for (ilc_assembly *assembly = session->assemblies, *next; assembly; assembly = next) {
        next = assembly->next;
        ilc__assembly_destroy(assembly);
    }
    ilc__bundles_destroy(session);
    ilc__arena_free(&session->scratch);
    ilc__arena_free(&session->machine_arena);
    ilc__heap heap = session->ctx.heap;
    ilc__context_free(&session->ctx);
    heap.resize(heap.user, session, 0);
}

void ilc__log(ilc_session *session, const char *format, ...)
{
    if (!session->log) return;
    va_list args;
    va_start(args, format);
    char *text = ilc__arena_vprintf(&session->scratch, format, args);
    va_end(args);
    session->log(session->log_user, text);
}

void ilc_session_stop(ilc_session *session)
{
    session->stop = true;
}

void ilc_session_resume(ilc_session *session)
{
    session->stop = false;
}

void ilc__diagnostic_of(ilc_diagnostic *out, const ilc__diag *diag)
{
    *out = (ilc_diagnostic){.status = diag->status,
                            .text = diag->text,
                            .reason = diag->reason,
                            .path = diag->where.path,
                            .method = diag->where.method,
                            .source = diag->where.source,
                            .line = diag->where.line,
                            .il = diag->where.il,
                            .has_il = diag->where.has_il,
                            .column = diag->where.column,
                            .id = diag->status == ILC_UNSUPPORTED ? ilc__reason_id(diag->reason) : NULL};
}

uint32_t ilc_session_diagnostic_count(const ilc_session *session)
{
    return session->ctx.diags.count;
}

ilc_status ilc_session_diagnostic(ilc_diagnostic *out, const ilc_session *session, uint32_t index)
{
    if (index >= session->ctx.diags.count) return ILC_NOT_FOUND;
    ilc__diagnostic_of(out, &session->ctx.diags.items[index]);
    return ILC_OK;
}

const char *ilc_session_error(const ilc_session *session)
{
    uint32_t count = session->ctx.diags.count;
    return count ? session->ctx.diags.items[count - 1].text : "";
}

void ilc_session_clear_diagnostics(ilc_session *session)
{
    session->ctx.diags.count = 0;
}

const char *ilc_version(void)
{
    return ILC_VERSION;
}

uint32_t ilc_abi(void)
{
    return ILC_ABI;
}

ilc__il_machine *ilc__session_machine(ilc_session *session)
{
    if (!session->machine) {
        ilc__arena_free(&session->machine_arena);
        session->machine = ilc__il_machine_create(&session->ctx, &session->machine_arena);
    }
    return session->machine;
}
