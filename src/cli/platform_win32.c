/* platform_win32.c - what the commands ask of Windows (platform.h). */
#include "platform.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <psapi.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* --- text ---------------------------------------------------------------------------------------------------------------- */

/* The caller frees; NULL where text is no UTF-8. */
static wchar_t *wide(const char *text)
{
    int count = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    if (count <= 0) return NULL;
    wchar_t *out = must_alloc((size_t)count * sizeof *out);
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, out, count);
    return out;
}

static char *narrow(const wchar_t *text)
{
    int   count = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *out = must_alloc(count > 0 ? (size_t)count : 1);
    WideCharToMultiByte(CP_UTF8, 0, text, -1, out, count, NULL, NULL);
    return out;
}

/* The C library's own arguments are in the system's old character set, and have patterns of file names replaced. */
void platform_begin(int *argc, char ***argv)
{
    int       count = 0;
    wchar_t **words = CommandLineToArgvW(GetCommandLineW(), &count);
    FILE     *streams[] = {stdin, stdout, stderr};
    for (int i = 0; i < 3; i++) _setmode(_fileno(streams[i]), _O_BINARY);
    SetConsoleOutputCP(CP_UTF8);
    SetConsoleCP(CP_UTF8);
    if (!words) return;
    char **out = must_alloc(sizeof *out * ((size_t)count + 1)); /* as long as the program */
    for (int i = 0; i < count; i++) out[i] = narrow(words[i]);
    LocalFree(words);
    *argc = count;
    *argv = out;
}

/* --- files --------------------------------------------------------------------------------------------------------------- */

FILE *platform_open(const char *path, const char *mode)
{
    wchar_t *name = wide(path), *how = wide(mode);
    FILE    *file = name && how ? _wfopen(name, how) : NULL;
    if (!name) errno = ENOENT;
    free(name);
    free(how);
    return file;
}

void platform_remove(const char *path)
{
    wchar_t *name = wide(path);
    if (name) DeleteFileW(name);
    free(name);
}

void platform_last_words(const char *line)
{
    DWORD put;
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), line, (DWORD)strlen(line), &put, NULL);
}

bool platform_is_terminal(FILE *file)
{
    DWORD mode;
    return GetConsoleMode((HANDLE)_get_osfhandle(_fileno(file)), &mode) != 0;
}

bool platform_is_regular(FILE *file)
{
    return GetFileType((HANDLE)_get_osfhandle(_fileno(file))) == FILE_TYPE_DISK;
}

static bool identify(const char *path, BY_HANDLE_FILE_INFORMATION *out)
{
    wchar_t *name = wide(path);
    HANDLE   file = name ? CreateFileW(name, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL)
                         : INVALID_HANDLE_VALUE;
    free(name);
    if (file == INVALID_HANDLE_VALUE) return false;
    bool known = GetFileInformationByHandle(file, out) != 0;
    CloseHandle(file);
    return known;
}

static wchar_t *whole_path(const char *path)
{
    wchar_t *name = wide(path);
    DWORD    count = name ? GetFullPathNameW(name, 0, NULL, NULL) : 0;
    wchar_t *whole = must_alloc(((size_t)count + 1) * sizeof *whole);
    if (count) GetFullPathNameW(name, count, whole, NULL);
    free(name);
    return whole;
}

bool platform_same_file(const char *a, const char *b)
{
    BY_HANDLE_FILE_INFORMATION x, y;
    bool                       x_there = identify(a, &x), y_there = identify(b, &y);
    if (x_there && y_there)
        return x.dwVolumeSerialNumber == y.dwVolumeSerialNumber && x.nFileIndexHigh == y.nFileIndexHigh &&
               x.nFileIndexLow == y.nFileIndexLow;
    if (x_there || y_there) return false;
    wchar_t *x_path = whole_path(a), *y_path = whole_path(b);
    bool     same = _wcsicmp(x_path, y_path) == 0;
    free(x_path);
    free(y_path);
    return same;
}

/* --- time ---------------------------------------------------------------------------------------------------------------- */

double platform_seconds(void)
{
    LARGE_INTEGER now, frequency;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&now);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

void platform_cost(double *seconds, long *faults)
{
    FILETIME                created, ended, kernel, user;
    PROCESS_MEMORY_COUNTERS memory = {.cb = sizeof memory};
    GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user);
    K32GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory);
    *seconds = 1e-7 * ((double)kernel.dwLowDateTime + (double)user.dwLowDateTime +
                       4294967296.0 * ((double)kernel.dwHighDateTime + (double)user.dwHighDateTime));
    *faults = (long)memory.PageFaultCount;
}

void platform_keep_memory(void)
{
}

static void (*fired)(void);

static void CALLBACK on_timer(void *user, BOOLEAN late)
{
    (void)user;
    (void)late;
    fired();
}

void platform_timer(double seconds, void (*fire)(void))
{
    static HANDLE timer;
    if (timer) DeleteTimerQueueTimer(NULL, timer, INVALID_HANDLE_VALUE); /* waits for a call under way */
    timer = NULL;
    if (seconds <= 0) return;
    fired = fire;
    if (!CreateTimerQueueTimer(&timer, NULL, on_timer, NULL, (DWORD)(seconds * 1000), 0, WT_EXECUTEONLYONCE)) timer = NULL;
}

/* --- files that are whole ------------------------------------------------------------------------------------------------ */

/* Of a link, what it points to; the path itself where nothing is there. */
static char *real_path(const char *path)
{
    wchar_t *name = wide(path);
    HANDLE   file = name ? CreateFileW(name, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING, 0, NULL)
                         : INVALID_HANDLE_VALUE;
    wchar_t  real[4096];
    free(name);
    if (file == INVALID_HANDLE_VALUE) return must_format("%s", path);
    DWORD length = GetFinalPathNameByHandleW(file, real, 4096, 0);
    bool  regular = GetFileType(file) == FILE_TYPE_DISK;
    CloseHandle(file);
    if (!regular) return NULL;
    return length && length < 4096 ? narrow(real) : must_format("%s", path);
}

const char *platform_output_open(platform_output *out, const char *path)
{
    *out = (platform_output){0};
    wchar_t *name = wide(path);
    DWORD    attributes = name ? GetFileAttributesW(name) : INVALID_FILE_ATTRIBUTES;
    free(name);
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY)) return strerror(EISDIR);
    out->target = real_path(path);
    if (out->target) out->beside = must_format("%s.%lu.tmp", out->target, GetCurrentProcessId());
    out->file = platform_open(out->beside ? out->beside : path, "wb");
    if (!out->file) {
        free(out->target);
        free(out->beside);
        return strerror(errno ? errno : EIO);
    }
    if (out->beside) interrupt_removes(out->beside);
    return NULL;
}

const char *platform_output_close(platform_output *out, bool whole)
{
    int error = whole ? 0 : errno ? errno : EIO;
    if (fclose(out->file) != 0 && !error) error = errno ? errno : EIO;
    if (out->beside) {
        wchar_t *from = wide(out->beside), *to = wide(out->target);
        if (!error && !MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING)) error = EACCES;
        if (error) DeleteFileW(from);
        free(from);
        free(to);
        interrupt_removes(NULL);
    }
    free(out->target);
    free(out->beside);
    return error ? strerror(error) : NULL;
}

/* --- streams into memory: one file that is gone when the program ends, used again and again -------------------------------- */

static FILE *scratch;

static bool open_scratch(void)
{
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 64];
    DWORD   length = GetTempPathW(MAX_PATH + 1, folder);
    if (length == 0 || length > MAX_PATH) return false;
    swprintf(path, MAX_PATH + 64, L"%lsilcuda-text-%lu.tmp", folder, GetCurrentProcessId());
    HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, NULL, CREATE_ALWAYS,
                              FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    int fd = file == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)file, _O_BINARY | _O_RDWR);
    scratch = fd < 0 ? NULL : _fdopen(fd, "w+b");
    return scratch != NULL;
}

bool platform_memory_open(platform_memory *out)
{
    *out = (platform_memory){0};
    if (!scratch && !open_scratch()) return false;
    out->file = scratch;
    rewind(scratch);
    return true;
}

bool platform_memory_close(platform_memory *memory)
{
    long size = fflush(scratch) == 0 ? ftell(scratch) : -1;
    if (size < 0) return false;
    rewind(scratch);
    memory->text = must_alloc((size_t)size + 1);
    memory->size = (size_t)size;
    return fread(memory->text, 1, memory->size, scratch) == memory->size;
}

/* --- children ------------------------------------------------------------------------------------------------------------ */

static const wchar_t child_variable[] = L"ILCUDA_BATCH_CHILD";

/* A file with the input, at its start, which is gone once it is closed. */
static HANDLE input_file(const void *input, size_t size)
{
    static unsigned     count;
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    wchar_t             folder[MAX_PATH + 1], path[MAX_PATH + 64];
    DWORD               length = GetTempPathW(MAX_PATH + 1, folder), put = 0;
    if (length == 0 || length > MAX_PATH || size > UINT_MAX) return INVALID_HANDLE_VALUE;
    swprintf(path, MAX_PATH + 64, L"%lsilcuda-lines-%lu-%u.tmp", folder, GetCurrentProcessId(), count++);
    HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_DELETE, &inherited, CREATE_ALWAYS,
                              FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (file == INVALID_HANDLE_VALUE) return file;
    if (!WriteFile(file, input, (DWORD)size, &put, NULL) || put != size || SetFilePointer(file, 0, NULL, FILE_BEGIN) != 0) {
        CloseHandle(file);
        return INVALID_HANDLE_VALUE;
    }
    return file;
}

static bool start_again(uint32_t from, HANDLE input, HANDLE output, HANDLE *process)
{
    wchar_t             program[4096], number[16];
    PROCESS_INFORMATION started;
    STARTUPINFOW        how = {.cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES, .hStdInput = input, .hStdOutput = output,
                               .hStdError = GetStdHandle(STD_ERROR_HANDLE)};
    wchar_t            *line = _wcsdup(GetCommandLineW());
    swprintf(number, 16, L"%u", from);
    SetEnvironmentVariableW(child_variable, number);
    bool done = line && GetModuleFileNameW(NULL, program, 4096) < 4096 &&
                CreateProcessW(program, line, NULL, NULL, TRUE, 0, NULL, NULL, &how, &started);
    SetEnvironmentVariableW(child_variable, NULL);
    free(line);
    if (!done) return false;
    CloseHandle(started.hThread);
    *process = started.hProcess;
    return true;
}

bool platform_child_start(platform_child *out, void (*run)(void *user, uint32_t from, int fd), void *user, uint32_t from,
                          const void *input, size_t size)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    HANDLE              ours, theirs, process = NULL, lines = input_file(input, size);
    (void)run;
    (void)user;
    fflush(stdout);
    errno = EIO;
    if (lines == INVALID_HANDLE_VALUE) return false;
    bool started = CreatePipe(&ours, &theirs, &inherited, 0) != 0;
    if (started) {
        SetHandleInformation(ours, HANDLE_FLAG_INHERIT, 0);
        started = start_again(from, lines, theirs, &process);
        CloseHandle(theirs);
        if (!started) CloseHandle(ours);
    }
    CloseHandle(lines);
    *out = (platform_child){(intptr_t)process, (intptr_t)ours};
    return started;
}

bool platform_is_child(uint32_t *from, int *fd)
{
    wchar_t number[16];
    DWORD   length = GetEnvironmentVariableW(child_variable, number, 16);
    if (length == 0 || length >= 16) return false;
    *from = (uint32_t)wcstoul(number, NULL, 10);
    *fd = 1;
    return true;
}

long platform_child_receive(const platform_child *child, void *bytes, size_t size, double seconds)
{
    double until = platform_seconds() + seconds;
    DWORD  there = 0, got = 0;
    for (DWORD pause = 0;; pause = pause < 10 ? pause + 1 : pause) {
        if (!PeekNamedPipe((HANDLE)child->pipe, NULL, 0, NULL, &there, NULL)) return 0;
        if (there) break;
        if (seconds >= 0 && platform_seconds() > until) return -1;
        Sleep(pause);
    }
    return ReadFile((HANDLE)child->pipe, bytes, (DWORD)(size < 1u << 20 ? size : 1u << 20), &got, NULL) ? (long)got : 0;
}

void platform_child_end(const platform_child *child)
{
    TerminateProcess((HANDLE)child->process, 1);
    WaitForSingleObject((HANDLE)child->process, INFINITE);
    CloseHandle((HANDLE)child->process);
    CloseHandle((HANDLE)child->pipe);
}
