/* os_win32.h - what the *_win32.c files share: Windows' own headers, and text between UTF-8 and UTF-16. */
#ifndef ILC_BASE_OS_WIN32_H
#define ILC_BASE_OS_WIN32_H

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* A path for the system's calls, of any length; the caller frees. NULL: no UTF-8, or no memory. */
wchar_t *ilc__wide_path(const char *path);
/* Other text; the caller frees. */
wchar_t *ilc__wide(const char *text);
char    *ilc__narrow(const wchar_t *text);

#endif
