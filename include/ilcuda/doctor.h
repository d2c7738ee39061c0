/* doctor.h - what this machine offers, and the cache of compiled kernels. */
#ifndef ILCUDA_DOCTOR_H
#define ILCUDA_DOCTOR_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One finding; command is the one command that would make it better, or NULL. Strings live as long as the session. */
typedef struct ilc_finding {
    const char *subject, *detail, *command;
    bool        ok;
} ilc_finding;

typedef struct ilc_probe_result {
    uint32_t           count;
    const ilc_finding *findings;
    bool               cuda_works, cpu_works;
} ilc_probe_result;

/* ILC_OK even where nothing works. options as for an engine (kind is ignored); NULL: defaults. */
ILC_API ilc_status ilc_probe(ilc_probe_result *out, ilc_session *session, const ilc_engine_options *options);

typedef struct ilc_cache_info {
    const char *directory; /* NULL: no folder can be used */
    uint64_t    entries, bytes, limit;
} ilc_cache_info;

/* directory: NULL for the user's. ILC_OK, ILC_IO. */
ILC_API ilc_status ilc_cache_info_get(ilc_cache_info *out, ilc_session *session, const char *directory);
ILC_API ilc_status ilc_cache_clear(uint64_t *removed, ilc_session *session, const char *directory);

#ifdef __cplusplus
}
#endif
#endif
