/* os_process_win32.c - other programs and shared libraries on Windows (os.h). The one caller of LoadLibrary. */
#include "base/os_win32.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/os.h"

/* --- processes -------------------------------------------------------------------------------------------- */

/* By the rules that programs take their command line apart by: a word with blanks or quotes stands in quotes, and backslashes
 * in front of a quote are doubled. */
static void add_word(ilc__text *line, const char *word)
{
    if (line->length) ilc__text_putc(line, ' ');
    if (*word && !strpbrk(word, " \t\n\v\"")) {
        ilc__text_puts(line, word);
        return;
    }
    ilc__text_putc(line, '"');
    for (const char *at = word;; at++) {
        size_t slashes = strspn(at, "\\");
        at += slashes;
        for (size_t i = 0; i < (*at == 0 || *at == '"' ? 2 * slashes : slashes); i++) ilc__text_putc(line, '\\');
        if (*at == 0) break;
        if (*at == '"') ilc__text_putc(line, '\\');
        ilc__text_putc(line, *at);
    }
    ilc__text_putc(line, '"');
}

/* The program's whole path: as it is given, or from PATH. The system's own search would look in the current folder first. The
 * caller frees. */
static wchar_t *find_program(const char *name)
{
    wchar_t *wide = ilc__wide(name), *folders = NULL, *found = NULL;
    bool     placed = strpbrk(name, "/\\:") != NULL;
    DWORD    count = placed ? 0 : GetEnvironmentVariableW(L"PATH", NULL, 0);
    if (count) folders = malloc(count * sizeof *folders);
    if (folders && GetEnvironmentVariableW(L"PATH", folders, count) >= count) folders[0] = 0;
    if (wide && (placed || (folders && folders[0]))) {
        DWORD length = SearchPathW(placed ? L"." : folders, wide, L".exe", 0, NULL, NULL);
        if (length) found = malloc((length + 1) * sizeof *found);
        if (found && !SearchPathW(placed ? L"." : folders, wide, L".exe", length + 1, found, NULL)) {
            free(found);
            found = NULL;
        }
    }
    free(folders);
    free(wide);
    return found;
}

typedef struct child {
    HANDLE process, job, output;
    char  *text;
    size_t length, limit;
} child;

static bool make_pipe(HANDLE *ours, HANDLE *theirs)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    if (!CreatePipe(ours, theirs, &inherited, 0)) return false;
    SetHandleInformation(*ours, HANDLE_FLAG_INHERIT, 0);
    return true;
}

/* Starts the program with no input and both streams into output; of our handles it has those two alone. It and its children
 * (cc1, ld) are in a job, so that they can be stopped together. */
static bool start(child *c, const wchar_t *program, wchar_t *line, HANDLE output)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    SIZE_T              size = 0;
    HANDLE handles[2] = {CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, NULL),
                         output};
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    STARTUPINFOEXW      how = {.StartupInfo = {.cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES}, .lpAttributeList = malloc(size)};
    PROCESS_INFORMATION started = {0};
    bool done = how.lpAttributeList && InitializeProcThreadAttributeList(how.lpAttributeList, 1, 0, &size);
    if (done) {
        how.StartupInfo.hStdInput = handles[0];
        how.StartupInfo.hStdOutput = how.StartupInfo.hStdError = output;
        done = UpdateProcThreadAttribute(how.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles, sizeof handles, NULL,
                                         NULL) &&
               CreateProcessW(program, line, NULL, NULL, TRUE, CREATE_NO_WINDOW | CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT, NULL,
                              NULL, &how.StartupInfo, &started);
        DeleteProcThreadAttributeList(how.lpAttributeList);
    }
    free(how.lpAttributeList);
    CloseHandle(handles[0]);
    if (!done) return false;
    c->process = started.hProcess;
    c->job = CreateJobObjectW(NULL, NULL);
    if (c->job) AssignProcessToJobObject(c->job, c->process);
    ResumeThread(started.hThread);
    CloseHandle(started.hThread);
    return true;
}

/* What is in the pipe; false when there is nothing now. */
static bool drain(child *c)
{
    char  spill[4096];
    DWORD there = 0, got = 0;
    if (!PeekNamedPipe(c->output, NULL, 0, NULL, &there, NULL) || there == 0) return false;
    size_t room = c->limit - c->length;
    size_t most = room ? room : sizeof spill;
    if (!ReadFile(c->output, room ? c->text + c->length : spill, there < most ? there : (DWORD)most, &got, NULL)) return false;
    if (room) c->length += got;
    return got > 0;
}

/* Until the child has ended, or false at the deadline. A grandchild may hold the pipe open for longer than the child lives, so
 * the pipe's end is not waited for. */
static bool follow(child *c, double deadline)
{
    DWORD wait_ms = 1;
    for (;;) {
        while (drain(c)) continue;
        if (WaitForSingleObject(c->process, wait_ms) == WAIT_OBJECT_0) break;
        if (ilc__clock_seconds() > deadline) return false;
        if (wait_ms < 20) wait_ms++;
    }
    while (drain(c)) continue;
    return true;
}

static bool run(child *c, const wchar_t *program, const char *words, double limit_seconds, DWORD *code)
{
    HANDLE   theirs;
    wchar_t *line = ilc__wide(words);
    if (!line || !make_pipe(&c->output, &theirs)) {
        free(line);
        return false;
    }
    bool started = start(c, program, line, theirs);
    CloseHandle(theirs);
    free(line);
    bool finished = started && follow(c, ilc__clock_seconds() + limit_seconds);
    if (started && !finished) {
        if (c->job) TerminateJobObject(c->job, 1);
        TerminateProcess(c->process, 1);
        WaitForSingleObject(c->process, INFINITE);
    }
    if (finished) GetExitCodeProcess(c->process, code);
    if (c->job) CloseHandle(c->job);
    if (c->process) CloseHandle(c->process);
    CloseHandle(c->output);
    return finished;
}

bool ilc__process_run(ilc__arena *arena, const char *const *argv, double limit_seconds, size_t max_output,
                      int *exit_code, char **output)
{
    ilc__text line = {.arena = arena};
    child     c = {.text = ilc__arena_alloc(arena, max_output + 1), .limit = max_output};
    DWORD     code = 0;
    *output = c.text;
    *exit_code = -1;
    for (size_t i = 0; argv[i]; i++) add_word(&line, argv[i]);
    const char *words = ilc__text_string(&line);
    wchar_t    *program = find_program(argv[0]);
    bool        finished = program && run(&c, program, words, limit_seconds, &code);
    free(program);
    c.text[c.length] = 0;
    if (!finished) return false;
    *exit_code = (int)code;
    return true;
}

/* A process here is somebody's, and there is no shell to rely on. */
ilc__feed *ilc__feed_start(const char *script, const char *const *words)
{
    (void)script;
    (void)words;
    return NULL;
}

bool ilc__feed_send(ilc__feed *feed, const char *line)
{
    (void)feed;
    (void)line;
    return false;
}

void ilc__feed_close(ilc__feed *feed)
{
    (void)feed;
}

/* --- libraries -------------------------------------------------------------------------------------------- */

void *ilc__library_open(const char *path)
{
    bool     placed = strpbrk(path, "/\\") != NULL;
    wchar_t *wide = placed ? ilc__wide_path(path) : ilc__wide(path);
    if (!wide) return NULL;
    for (wchar_t *at = wide; *at; at++)
        if (*at == L'/') *at = L'\\';
    /* What a library with a folder needs is looked for in that folder. */
    HMODULE library = LoadLibraryExW(wide, NULL, placed ? LOAD_WITH_ALTERED_SEARCH_PATH : 0);
    free(wide);
    return library;
}

void *ilc__library_loaded(const char *name)
{
    HMODULE  library = NULL;
    wchar_t *wide = ilc__wide(name);
    bool     found = wide && GetModuleHandleExW(0, wide, &library);
    free(wide);
    return found ? library : NULL;
}

/* Images in memory go through files of these names, which can be removed once they are not loaded any more: at the closing, or,
 * where a process ended without it, by a later process. */
static const wchar_t image_prefix[] = L"ilcuda-image-";

static bool is_image(const wchar_t *path)
{
    const wchar_t *slash = wcsrchr(path, L'\\');
    return wcsncmp(slash ? slash + 1 : path, image_prefix, wcslen(image_prefix)) == 0;
}

static bool process_runs(DWORD number)
{
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, number);
    DWORD  code = 0;
    if (!process) return GetLastError() != ERROR_INVALID_PARAMETER;
    bool runs = !GetExitCodeProcess(process, &code) || code == STILL_ACTIVE;
    CloseHandle(process);
    return runs;
}

static void remove_leftovers(const wchar_t *folder)
{
    wchar_t          path[MAX_PATH + 300];
    WIN32_FIND_DATAW found;
    if (swprintf(path, MAX_PATH + 300, L"%ls%ls*", folder, image_prefix) < 0) return;
    HANDLE search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE) return;
    do {
        DWORD number = wcstoul(found.cFileName + wcslen(image_prefix), NULL, 10);
        if (process_runs(number) || swprintf(path, MAX_PATH + 300, L"%ls%ls", folder, found.cFileName) < 0) continue;
        DeleteFileW(path);
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

void *ilc__library_load(const void *bytes, size_t size)
{
    static atomic_uint counter;
    static atomic_bool swept;
    wchar_t            folder[MAX_PATH + 1], path[MAX_PATH + 300];
    DWORD              length = GetTempPathW(MAX_PATH + 1, folder), put = 0;
    if (length == 0 || length > MAX_PATH || size > UINT_MAX) return NULL;
    if (!atomic_exchange(&swept, true)) remove_leftovers(folder);
    if (swprintf(path, MAX_PATH + 300, L"%ls%ls%lu-%u.dll", folder, image_prefix, GetCurrentProcessId(),
                 atomic_fetch_add(&counter, 1)) < 0)
        return NULL;
    HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY, NULL);
    if (file == INVALID_HANDLE_VALUE) return NULL;
    bool    written = WriteFile(file, bytes, (DWORD)size, &put, NULL) && put == size;
    HMODULE library = CloseHandle(file) && written ? LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH) : NULL;
    if (!library) DeleteFileW(path);
    return library;
}

void *ilc__library_find(void *library, const char *symbol)
{
    FARPROC found = GetProcAddress(library, symbol);
    void   *address;
    memcpy(&address, &found, sizeof address);
    return address;
}

void ilc__library_close(void *library)
{
    wchar_t path[MAX_PATH + 300];
    if (!library) return;
    DWORD length = GetModuleFileNameW(library, path, MAX_PATH + 300);
    FreeLibrary(library);
    if (length && length < MAX_PATH + 300 && is_image(path)) DeleteFileW(path);
}
