/* status.h - what every call of the library returns.
 *
 * ILC_OK is 0. The text of a failure is in the session's diagnostics (session.h). */
#ifndef ILCUDA_STATUS_H
#define ILCUDA_STATUS_H

/* What the shared library offers to programs; everything else is hidden in it. */
#if defined(_WIN32) && defined(ILCUDA_BUILDING)
#define ILC_API __declspec(dllexport)
#elif defined(__GNUC__)
#define ILC_API __attribute__((visibility("default")))
#else
#define ILC_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ilc_status {
#define ILC_STATUS(name, exit, text) ILC_##name,
#include "status.def"
#undef ILC_STATUS
    ILC_STATUS_COUNT
} ilc_status;

/* The status in plain words; never NULL. */
ILC_API const char *ilc_status_text(ilc_status status);
/* The status' name without its prefix, as "UNSUPPORTED"; never NULL. */
ILC_API const char *ilc_status_name(ilc_status status);
/* The exit code of the command line for this status (docs/cli.md). */
ILC_API int ilc_status_exit_code(ilc_status status);

#ifdef __cplusplus
}
#endif
#endif
