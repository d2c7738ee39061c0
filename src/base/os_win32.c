/* os_win32.c - files, folders, the environment and clocks on Windows (os.h).
 *
 * Processes and libraries are in os_process_win32.c, threads in threads_win32.c. No handle is open while arena memory is asked
 * for: that may jump to the landing pad. */
#include "base/os_win32.h"

#include <accctrl.h>
#include <aclapi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/os.h"

/* --- text ------------------------------------------------------------------------------------------------- */

wchar_t *ilc__wide(const char *text)
{
    int count = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    if (count <= 0) return NULL;
    wchar_t *wide = malloc((size_t)count * sizeof *wide);
    if (wide) MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, count);
    return wide;
}

char *ilc__narrow(const wchar_t *text)
{
    int count = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    if (count <= 0) return NULL;
    char *narrow = malloc((size_t)count);
    if (narrow) WideCharToMultiByte(CP_UTF8, 0, text, -1, narrow, count, NULL, NULL);
    return narrow;
}

/* From about 248 characters on a path must be whole and begin with "\\?\". */
enum { SHORT_PATH = 240 };

wchar_t *ilc__wide_path(const char *path)
{
    static const wchar_t prefix[] = L"\\\\?\\";
    wchar_t             *wide = ilc__wide(path);
    if (!wide || wcslen(wide) < SHORT_PATH || wcsncmp(wide, L"\\\\", 2) == 0) return wide;
    DWORD    count = GetFullPathNameW(wide, 0, NULL, NULL);
    wchar_t *whole = malloc((count + sizeof prefix / sizeof *prefix) * sizeof *whole);
    if (whole) {
        wcscpy(whole, prefix);
        GetFullPathNameW(wide, count, whole + wcslen(prefix), NULL);
    }
    free(wide);
    return whole;
}

static const char *why(DWORD error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND: return "there is no such file";
    case ERROR_PATH_NOT_FOUND: return "a part of the path is not there";
    case ERROR_ACCESS_DENIED: return "permission was denied";
    case ERROR_SHARING_VIOLATION:
    case ERROR_USER_MAPPED_FILE: return "another program is using it";
    case ERROR_DISK_FULL: return "the disk is full";
    case ERROR_WRITE_PROTECT: return "the disk is write-protected";
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME: return "it is no name of a file";
    case ERROR_DIRECTORY: return "it is a folder";
    default: return "the system reported an error";
    }
}

static ilc_status file_failed(ilc__context *ctx, const char *path, const char *verb, DWORD error)
{
    ilc__where where = {.path = path};
    return ilc__fail(ctx, ILC_IO, &where, "the file could not be %s: %s", verb, why(error));
}

/* --- reading ---------------------------------------------------------------------------------------------- */

enum { SHARED = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

static HANDLE open_path(const char *path, DWORD access, DWORD share, DWORD creation, DWORD flags)
{
    wchar_t *wide = ilc__wide_path(path);
    if (!wide) {
        SetLastError(ERROR_INVALID_NAME);
        return INVALID_HANDLE_VALUE;
    }
    HANDLE file = CreateFileW(wide, access, share, NULL, creation, flags, NULL);
    DWORD  error = GetLastError();
    free(wide);
    SetLastError(error);
    return file;
}

static DWORD attributes_of(const char *path)
{
    wchar_t *wide = ilc__wide_path(path);
    DWORD    attributes = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    return attributes;
}

/* The bytes that were there, or -1. */
static int64_t read_whole(HANDLE file, void *to, size_t size)
{
    size_t done = 0;
    while (done < size) {
        DWORD got, wanted = size - done > (1u << 30) ? 1u << 30 : (DWORD)(size - done);
        if (!ReadFile(file, (char *)to + done, wanted, &got, NULL)) return -1;
        if (got == 0) break;
        done += got;
    }
    return (int64_t)done;
}

/* Files are read, not mapped: a mapped one could not be built again. */
ilc_status ilc__file_map(ilc__context *ctx, const char *path, ilc__file *out)
{
    ilc__where    where = {.path = path};
    LARGE_INTEGER size;
    *out = (ilc__file){0};
    DWORD attributes = attributes_of(path);
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY))
        return file_failed(ctx, path, "read", ERROR_DIRECTORY);
    HANDLE file = open_path(path, GENERIC_READ, SHARED, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL);
    if (file == INVALID_HANDLE_VALUE) return file_failed(ctx, path, "read", GetLastError());
    DWORD error = 0;
    bool  regular = GetFileType(file) == FILE_TYPE_DISK && GetFileSizeEx(file, &size);
    void *bytes = regular ? malloc((size_t)size.QuadPart + 1) : NULL;
    if (bytes) {
        int64_t got = read_whole(file, bytes, (size_t)size.QuadPart);
        if (got < 0) {
            error = GetLastError();
            free(bytes);
        } else {
            *out = (ilc__file){bytes, (size_t)got, bytes};
        }
    }
    CloseHandle(file);
    if (!regular)
        return ilc__fail(ctx, ILC_IO, &where, "the file could not be read: it is not a regular file");
    if (!bytes) return ilc__fail(ctx, ILC_OUT_OF_MEMORY, &where, "there was no memory to read the file");
    if (error) return file_failed(ctx, path, "read", error);
    return ILC_OK;
}

void ilc__file_unmap(ilc__file *file)
{
    free(file->handle);
    *file = (ilc__file){0};
}

bool ilc__file_exists(const char *path)
{
    DWORD attributes = attributes_of(path);
    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

bool ilc__directory_exists(const char *path)
{
    DWORD attributes = attributes_of(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY);
}

bool ilc__file_stat(const char *path, uint64_t *size, int64_t *used_ns)
{
    WIN32_FILE_ATTRIBUTE_DATA info;
    wchar_t                  *wide = ilc__wide_path(path);
    bool there = wide && GetFileAttributesExW(wide, GetFileExInfoStandard, &info) &&
                 !(info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY);
    free(wide);
    if (!there) return false;
    *size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    /* In units of 100 ns. The time of the last access is what ilc__file_touch sets. */
    *used_ns = (int64_t)((uint64_t)info.ftLastAccessTime.dwHighDateTime << 32 | info.ftLastAccessTime.dwLowDateTime) * 100;
    return true;
}

size_t ilc__file_peek(const char *path, char *buffer, size_t size)
{
    buffer[0] = 0;
    HANDLE file = open_path(path, GENERIC_READ, SHARED, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL);
    if (file == INVALID_HANDLE_VALUE) return 0;
    int64_t got = read_whole(file, buffer, size - 1);
    CloseHandle(file);
    if (got < 0) got = 0;
    buffer[got] = 0;
    return (size_t)got;
}

/* --- writing ---------------------------------------------------------------------------------------------- */

/* 0, or an error of the system. */
static DWORD write_and_close(HANDLE file, const void *bytes, size_t size)
{
    DWORD  error = 0;
    size_t done = 0;
    while (!error && done < size) {
        DWORD put, wanted = size - done > (1u << 30) ? 1u << 30 : (DWORD)(size - done);
        if (!WriteFile(file, (const char *)bytes + done, wanted, &put, NULL)) error = GetLastError();
        else done += put;
    }
    if (!CloseHandle(file) && !error) error = GetLastError();
    return error;
}

/* Scanners open new files for a moment: then the rename is tried again. */
static DWORD replace(const wchar_t *from, const wchar_t *to)
{
    enum { TRIES = 20, PAUSE = 10 /* ms */ };
    for (int i = 0;; i++) {
        if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING)) return 0;
        DWORD error = GetLastError();
        if ((error != ERROR_SHARING_VIOLATION && error != ERROR_ACCESS_DENIED) || i == TRIES) return error;
        Sleep(PAUSE);
    }
}

static DWORD write_beside(const char *path, const char *beside, const void *bytes, size_t size)
{
    HANDLE file = open_path(beside, GENERIC_WRITE, 0, CREATE_NEW, FILE_ATTRIBUTE_NORMAL);
    if (file == INVALID_HANDLE_VALUE) return GetLastError();
    DWORD    error = write_and_close(file, bytes, size);
    wchar_t *from = ilc__wide_path(beside), *to = ilc__wide_path(path);
    if (!error) error = from && to ? replace(from, to) : ERROR_INVALID_NAME;
    if (error && from) DeleteFileW(from);
    free(from);
    free(to);
    return error;
}

/* mode is of no use here: a file has the rights of its folder. */
ilc_status ilc__file_write(ilc__context *ctx, const char *path, const void *bytes, size_t size, unsigned mode)
{
    static atomic_uint counter;
    DWORD              attributes = attributes_of(path), error;
    (void)mode;
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY))
        return file_failed(ctx, path, "written", ERROR_DIRECTORY);
    char *beside = ilc__arena_printf(&ctx->arena, "%s.%lu.%u.tmp", path, GetCurrentProcessId(), atomic_fetch_add(&counter, 1));
    HANDLE device = attributes == INVALID_FILE_ATTRIBUTES ? INVALID_HANDLE_VALUE
                                                          : open_path(path, GENERIC_WRITE, SHARED, OPEN_EXISTING, 0);
    if (device != INVALID_HANDLE_VALUE && GetFileType(device) != FILE_TYPE_DISK) {
        error = write_and_close(device, bytes, size);
    } else {
        if (device != INVALID_HANDLE_VALUE) CloseHandle(device);
        error = write_beside(path, beside, bytes, size);
    }
    return error ? file_failed(ctx, path, "written", error) : ILC_OK;
}

void ilc__file_remove(const char *path)
{
    wchar_t *wide = ilc__wide_path(path);
    if (wide) DeleteFileW(wide);
    free(wide);
}

void ilc__file_touch(const char *path)
{
    FILETIME now;
    HANDLE   file = open_path(path, FILE_WRITE_ATTRIBUTES, SHARED, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL);
    if (file == INVALID_HANDLE_VALUE) return;
    GetSystemTimeAsFileTime(&now);
    SetFileTime(file, NULL, &now, NULL);
    CloseHandle(file);
}

/* --- folders ---------------------------------------------------------------------------------------------- */

bool ilc__directory_make(const char *path, unsigned mode)
{
    (void)mode;
    wchar_t *wide = ilc__wide_path(path);
    if (!wide) return false;
    for (wchar_t *at = wide + 1; wide[0] && *at; at++) {
        if (*at != L'/' && *at != L'\\') continue;
        wchar_t parted = *at;
        *at = 0;
        CreateDirectoryW(wide, NULL); /* what really failed shows at the end */
        *at = parted;
    }
    CreateDirectoryW(wide, NULL);
    free(wide);
    return ilc__directory_exists(path);
}

static HANDLE first_in(const char *path, WIN32_FIND_DATAW *found)
{
    size_t   length = strlen(path);
    char    *pattern = malloc(length + 3);
    wchar_t *wide = NULL;
    if (pattern) {
        memcpy(pattern, path, length);
        memcpy(pattern + length, "/*", 3);
        wide = ilc__wide_path(pattern);
    }
    free(pattern);
    HANDLE search = wide ? FindFirstFileW(wide, found) : INVALID_HANDLE_VALUE;
    free(wide);
    return search;
}

bool ilc__directory_names(const char *path, char *names, size_t room, size_t *length)
{
    WIN32_FIND_DATAW found;
    HANDLE           search = first_in(path, &found);
    *length = 0;
    if (search == INVALID_HANDLE_VALUE) return false;
    do {
        if (wcscmp(found.cFileName, L".") == 0 || wcscmp(found.cFileName, L"..") == 0) continue;
        char  *name = ilc__narrow(found.cFileName);
        size_t size = name ? strlen(name) + 1 : 0;
        bool   fits = !names || *length + size <= room;
        if (names && name && fits) memcpy(names + *length, name, size);
        if (fits) *length += size;
        free(name);
    } while (FindNextFileW(search, &found));
    FindClose(search);
    return true;
}

/* Rights by which files could be put into a folder, or its rights be changed. */
static const DWORD write_rights = FILE_ADD_FILE | FILE_ADD_SUBDIRECTORY | FILE_DELETE_CHILD | WRITE_DAC | WRITE_OWNER |
                                  GENERIC_WRITE | GENERIC_ALL;

static bool is_trusted(PSID who, PSID user)
{
    return EqualSid(who, user) || IsWellKnownSid(who, WinLocalSystemSid) || IsWellKnownSid(who, WinBuiltinAdministratorsSid) ||
           IsWellKnownSid(who, WinCreatorOwnerSid);
}

static bool only_trusted_write(PACL list, PSID user)
{
    for (DWORD i = 0; i < list->AceCount; i++) {
        ACCESS_ALLOWED_ACE *entry;
        if (!GetAce(list, i, (void **)&entry)) return false;
        if (entry->Header.AceType != ACCESS_ALLOWED_ACE_TYPE || (entry->Header.AceFlags & INHERIT_ONLY_ACE)) continue;
        if ((entry->Mask & write_rights) && !is_trusted(&entry->SidStart, user)) return false;
    }
    return true;
}

bool ilc__directory_private(const char *path)
{
    union {
        TOKEN_USER user;
        char       room[256];
    } token;
    DWORD                size;
    HANDLE               process;
    PSID                 owner;
    PACL                 list = NULL;
    PSECURITY_DESCRIPTOR description = NULL;
    if (!ilc__directory_exists(path) || !OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &process)) return false;
    bool known = GetTokenInformation(process, TokenUser, &token, sizeof token, &size);
    CloseHandle(process);
    wchar_t *wide = ilc__wide_path(path);
    bool     ours = known && wide &&
                GetNamedSecurityInfoW(wide, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &owner, NULL,
                                      &list, NULL, &description) == ERROR_SUCCESS &&
                list && is_trusted(owner, token.user.User.Sid) && only_trusted_write(list, token.user.User.Sid);
    free(wide);
    if (description) LocalFree(description);
    return ours;
}

/* The user's own folder: nobody else has rights in what is made there. */
char *ilc__temporary_make(ilc__arena *arena)
{
    static atomic_uint counter;
    wchar_t            base[MAX_PATH + 1];
    DWORD              length = GetTempPathW(MAX_PATH + 1, base);
    if (length == 0 || length > MAX_PATH) return NULL;
    char *narrow = ilc__narrow(base);
    if (!narrow) return NULL;
    char folder[4 * MAX_PATH];
    snprintf(folder, sizeof folder, "%silcuda-%lu-%u", narrow, GetCurrentProcessId(), atomic_fetch_add(&counter, 1));
    free(narrow);
    for (char *at = folder; *at; at++)
        if (*at == '\\') *at = '/';
    char    *path = ilc__arena_strdup(arena, folder);
    wchar_t *wide = ilc__wide_path(path);
    if (wide && !CreateDirectoryW(wide, NULL) && GetLastError() == ERROR_ALREADY_EXISTS) {
        ilc__temporary_remove(path); /* of a process that had this number before */
        if (!CreateDirectoryW(wide, NULL)) path = NULL;
    }
    free(wide);
    return path && ilc__directory_exists(path) ? path : NULL;
}

static void remove_in(const char *folder, const wchar_t *found)
{
    char  path[4 * MAX_PATH];
    char *name = ilc__narrow(found);
    int   length = name ? snprintf(path, sizeof path, "%s/%s", folder, name) : 0;
    free(name);
    if (length > 0 && (size_t)length < sizeof path) ilc__file_remove(path);
}

void ilc__temporary_remove(const char *path)
{
    WIN32_FIND_DATAW found;
    HANDLE           search = first_in(path, &found);
    if (search != INVALID_HANDLE_VALUE) {
        do remove_in(path, found.cFileName);
        while (FindNextFileW(search, &found));
        FindClose(search);
    }
    wchar_t *wide = ilc__wide_path(path);
    if (wide) RemoveDirectoryW(wide);
    free(wide);
}

/* --- the environment and clocks --------------------------------------------------------------------------- */

const char *ilc__cache_home(ilc__arena *arena)
{
    (void)arena;
    return ilc__environment("LOCALAPPDATA");
}

/* Values are kept for the life of the process, each text once, since callers keep what they are given. */
typedef struct kept_value {
    struct kept_value *next;
    char               text[];
} kept_value;

const char *ilc__environment(const char *name)
{
    static SRWLOCK     lock = SRWLOCK_INIT;
    static kept_value *kept;
    wchar_t           *wide = ilc__wide(name), *value = NULL;
    DWORD              count = wide ? GetEnvironmentVariableW(wide, NULL, 0) : 0;
    if (count > 1) value = malloc(count * sizeof *value);
    if (value && GetEnvironmentVariableW(wide, value, count) >= count) value[0] = 0; /* it grew meanwhile */
    free(wide);
    char *text = value && value[0] ? ilc__narrow(value) : NULL;
    free(value);
    if (!text) return NULL;
    AcquireSRWLockExclusive(&lock);
    kept_value *at = kept;
    while (at && strcmp(at->text, text) != 0) at = at->next;
    if (!at && (at = malloc(sizeof *at + strlen(text) + 1)) != NULL) {
        strcpy(at->text, text);
        at->next = kept;
        kept = at;
    }
    ReleaseSRWLockExclusive(&lock);
    free(text);
    return at ? at->text : NULL;
}

double ilc__clock_seconds(void)
{
    LARGE_INTEGER now, frequency;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&now);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

void ilc__sleep_ms(unsigned milliseconds)
{
    Sleep(milliseconds);
}

unsigned ilc__processor_count(void)
{
    DWORD_PTR ours, all;
    unsigned  count = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &ours, &all))
        for (; ours; ours &= ours - 1) count++;
    return count ? count : 1;
}

uint64_t ilc__process_id(void)
{
    return GetCurrentProcessId();
}
