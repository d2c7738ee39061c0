/* session.h - a session owns everything that the library makes: memory, assemblies, kernels, diagnostics.
 *
 *     ilc_session *session;
 *     if (ilc_session_create(&session, NULL) != ILC_OK) return 1;
 *     ...
 *     ilc_session_destroy(session);
 *
 * Thread-safety: a session, with all that was made in it, is used by one thread at a time. Sessions share
 * nothing, so several threads may each have one. Only ilc_session_stop may be called from elsewhere.
 *
 * Every call returns a status (status.h); a failure leaves exactly one diagnostic in the session, but for
 * ILC_OUT_OF_MEMORY, which leaves none. After a failure the session stays usable. */
#ifndef ILCUDA_SESSION_H
#define ILCUDA_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ilc_session ilc_session;

/* Options of every kind begin with their size, which is also their version: fill them with their init function
 * and then set what should differ. NULL stands for the defaults. */
typedef struct ilc_session_options {
    size_t size;
    /* The allocator: resize(user, NULL, n) allocates, resize(user, p, 0) frees; NULL: the C library's. It may
     * return NULL: then the call that needed memory returns ILC_OUT_OF_MEMORY. */
    void *(*resize)(void *user, void *ptr, size_t size);
    void *resize_user;
    /* Told what the library does that takes time or chooses, a line each: engines made and why, kernels compiled or found
     * compiled. For people; its words may change. On the thread of the call, which it must not call the session from. */
    void (*log)(void *user, const char *text);
    void *log_user;
} ilc_session_options;

ILC_API void ilc_session_options_init(ilc_session_options *options);

/* ILC_OK, ILC_INVALID (options->size is not a known one), ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_session_create(ilc_session **out, const ilc_session_options *options);
/* Frees the session and all that was made in it; engines and buffers, too. NULL is allowed. */
ILC_API void       ilc_session_destroy(ilc_session *session);

/* Asks the running interpreter call of the session to end with ILC_LIMIT. Safe in a signal handler and from
 * another thread. Holds until ilc_session_resume. */
ILC_API void ilc_session_stop(ilc_session *session);
ILC_API void ilc_session_resume(ilc_session *session);

/* --- diagnostics --- */

/* One failure, in plain words. Strings live as long as the session; those that do not apply are NULL. */
typedef struct ilc_diagnostic {
    ilc_status  status;
    const char *text;   /* the whole line: "Stats.vb:41: Stats.RowSum: call to ... is not supported at IL_001f" */
    const char *reason; /* without the place: "call to ... is not supported"                                    */
    const char *path;   /* the assembly, or another input file                                                  */
    const char *method; /* "Stats.RowSum"                                                                       */
    const char *source; /* the source document, from the debug information                                      */
    uint32_t    line;   /* the source line; 0: unknown                                                          */
    uint32_t    il;     /* IL offset, when has_il                                                               */
    bool        has_il;
    uint32_t    column; /* of the source line, from 1; 0: unknown                                               */
    const char *id;     /* of ILC_UNSUPPORTED: "ILC0007" (docs/diagnostics.md); else NULL                       */
} ilc_diagnostic;

ILC_API uint32_t   ilc_session_diagnostic_count(const ilc_session *session);
/* Oldest first. ILC_NOT_FOUND where there is none of that number. */
ILC_API ilc_status ilc_session_diagnostic(ilc_diagnostic *out, const ilc_session *session, uint32_t index);
/* The newest diagnostic's text, or "" when there is none. */
ILC_API const char *ilc_session_error(const ilc_session *session);
/* Forgets the diagnostics; their strings stay. */
ILC_API void       ilc_session_clear_diagnostics(ilc_session *session);

/* The version of this header; the one place that says it (CMake and the packages read it here). */
#define ILC_VERSION "0.1.0"
/* The library's version, "0.1.0". */
ILC_API const char *ilc_version(void);
/* The number of this interface: another one where a caller that was compiled (or written, as bindings are) for an earlier
 * interface would go wrong. A binding compares ilc_abi() with the ILC_ABI that it was written for. */
#define ILC_ABI 5
ILC_API uint32_t ilc_abi(void);

#ifdef __cplusplus
}
#endif
#endif
