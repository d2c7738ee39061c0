/* doctor.c - what the machine offers, and the cache of compiled kernels. */
#include "api/api.h"

static ilc_status probe(ilc_probe_result *out, ilc_session *session, const ilc_engine_options *given)
{
    ilc__context      *ctx = &session->ctx;
    ilc_engine_options options;
    ilc_engine_options_init(&options);
    ILC__TRY(ilc__options_take(ctx, &options, sizeof options, given, "engine options"));
    ilc__engine_options cpu, cuda;
    ilc__engine_options_of(session, &options, ILC_ENGINE_CPU, &cpu);
    ilc__engine_options_of(session, &options, ILC_ENGINE_CUDA, &cuda);
    ilc__probe found = {0};
    ILC__TRY(ilc__probe_run(ctx, &ctx->arena, &cpu, &cuda, &found));
    ilc_finding *findings = ILC__NEW_ARRAY(&ctx->arena, ilc_finding, found.count);
    for (uint32_t i = 0; i < found.count; i++)
        findings[i] = (ilc_finding){.subject = found.findings[i].subject,
                                    .detail = found.findings[i].detail,
                                    .command = found.findings[i].command,
                                    .ok = found.findings[i].ok};
    *out = (ilc_probe_result){
        .count = found.count, .findings = findings, .cuda_works = found.cuda_ok, .cpu_works = found.cpu_ok};
    return ILC_OK;
}

ilc_status ilc_probe(ilc_probe_result *out, ilc_session *session, const ilc_engine_options *options)
{
    ILC__LAND(session, probe(out, session, options));
}

static ilc_status cache_info(ilc_cache_info *out, ilc_session *session, const char *directory)
{
    ilc__cache_info info = {0};
    ILC__TRY(ilc__cache_info_get(&session->ctx, directory, &info));
    *out = (ilc_cache_info){
        .directory = info.directory, .entries = info.entries, .bytes = info.bytes, .limit = info.limit};
    return ILC_OK;
}

ilc_status ilc_cache_info_get(ilc_cache_info *out, ilc_session *session, const char *directory)
{
    ILC__LAND(session, cache_info(out, session, directory));
}

ilc_status ilc_cache_clear(uint64_t *removed, ilc_session *session, const char *directory)
{
    ILC__LAND(session, ilc__cache_clear(&session->ctx, directory, removed));
}
