/* nvrtc_find.c - the places NVRTC may be in: the folder asked for, what the process has loaded, the loader's
 * path, CUDA's own variables and folders, Python's wheels, conda (nvrtc.h). */
#include "rt/nvrtc.h"

/* Where the files are on this kind of system: their names; in a toolkit's root or the folder given; in a Python's
 * folder of packages; the root that toolkits are installed in, and what their folders begin with. */
#if ILC__WINDOWS
static const char *const file_names[] = {"nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"};
static const char *const toolkit_parts[] = {"", "/bin/x64", "/bin", "/Library/bin"};
static const char *const wheel_parts[] = {"nvidia/cu13/bin/x86_64", "nvidia/cu13/bin", "nvidia/cuda_nvrtc/bin"};
static const char        toolkits[] = "C:/Program Files/NVIDIA GPU Computing Toolkit/CUDA", toolkit_name[] = "v1";
static const char        path_separator[] = ";", python_name[] = "python.exe", file_name[] = "nvrtc64_*.dll";
#else
static const char *const file_names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
static const char *const toolkit_parts[] = {"", "/lib64", "/lib", "/targets/x86_64-linux/lib"};
static const char *const wheel_parts[] = {"nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib"};
static const char        toolkits[] = "/usr/local", toolkit_name[] = "cuda";
static const char        path_separator[] = ":", python_name[] = "python3", file_name[] = "libnvrtc.so";
#endif
enum {
    FILE_NAMES = sizeof file_names / sizeof file_names[0],
    TOOLKIT_PARTS = sizeof toolkit_parts / sizeof toolkit_parts[0],
    WHEEL_PARTS = sizeof wheel_parts / sizeof wheel_parts[0],
};

static const struct {
    const char *name;
    size_t      offset;
} symbols[] = {
#define CUDA_NVRTC(result, name, parameters) {#name, offsetof(ilc__nvrtc, name)},
#include "rt/cuda.def"
#undef CUDA_NVRTC
};

typedef struct search {
    ilc__arena *arena;
    int         driver_major;
    bool        found, any; /* one that fits; one at all, kept in best */
    ilc__nvrtc  best;
    const char *fault; /* of the first library that was there and no use */
} search;

/* Takes over library. */
static void consider(search *s, void *library, const char *place, bool demanded)
{
    ilc__nvrtc one = {.library = library, .place = place};
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = ilc__library_find(library, symbols[i].name);
        if (!symbol) {
            if (!s->fault)
                s->fault = ilc__arena_printf(s->arena, "%s is too old: it has no %s", place, symbols[i].name);
            ilc__library_close(library);
            return;
        }
        memcpy((char *)&one + symbols[i].offset, &symbol, sizeof symbol);
    }
    int error = one.nvrtcVersion(&one.major, &one.minor);
    if (error) {
        if (!s->fault)
            s->fault = ilc__arena_printf(s->arena, "%s did not say its version: %s", place,
                                         one.nvrtcGetErrorString(error));
        return;
    }
    bool fits = demanded || s->driver_major == 0 || one.major <= s->driver_major;
    if (s->any && !fits) return;
    s->best = one;
    s->any = true;
    s->found = fits;
}

static void look_in(search *s, const char *folder, bool demanded)
{
    if (s->found) return;
    for (int i = 0; i < FILE_NAMES && !s->found; i++) {
        const char *path = ilc__arena_printf(s->arena, "%s/%s", folder, file_names[i]);
        if (!ilc__file_exists(path)) continue;
        void *library = ilc__library_open(path);
        if (library)
            consider(s, library, path, demanded);
        else if (!s->fault)
            s->fault = ilc__arena_printf(s->arena, "%s could not be loaded", path);
    }
}

/* A toolkit's root, or the folder of its libraries. */
static void look_in_toolkit(search *s, const char *root, bool demanded)
{
    for (size_t i = 0; root && i < TOOLKIT_PARTS; i++)
        look_in(s, ilc__arena_printf(s->arena, "%s%s", root, toolkit_parts[i]), demanded);
}

static void look_by_name(search *s, void *(*get)(const char *))
{
    for (int i = 0; i < FILE_NAMES && !s->found; i++) {
        void *library = get(file_names[i]);
        if (library) consider(s, library, file_names[i], false);
    }
}

/* --- /usr/local/cuda* -------------------------------------------------------------------------------------
 */

static void visit_toolkit(void *user, const char *name)
{
    search *s = user;
    if (strncmp(name, toolkit_name, sizeof toolkit_name - 1) == 0)
        look_in_toolkit(s, ilc__arena_printf(s->arena, "%s/%s", toolkits, name), false);
}

/* --- Python's wheels: PREFIX/lib/python3.*?/site-packages/nvidia/..., on Windows PREFIX/Lib/site-packages/nvidia/... ------
 */

static void look_in_packages(search *s, const char *folder)
{
    if (!ilc__directory_exists(ilc__arena_printf(s->arena, "%s/nvidia", folder))) return;
    for (size_t k = 0; k < WHEEL_PARTS; k++)
        look_in(s, ilc__arena_printf(s->arena, "%s/%s", folder, wheel_parts[k]), false);
}

typedef struct prefix {
    search     *s;
    const char *path;
} prefix;

static void visit_lib(void *user, const char *name)
{
    static const char *const packages[] = {"site-packages", "dist-packages"};
    prefix                  *p = user;
    search                  *s = p->s;
    if (strncmp(name, "python3", 7) != 0) return;
    for (int i = 0; i < 2; i++)
        look_in_packages(s, ilc__arena_printf(s->arena, "%s/lib/%s/%s", p->path, name, packages[i]));
}

static void look_in_prefix(search *s, const char *path)
{
    if (!path || s->found) return;
    if (ILC__WINDOWS) look_in_packages(s, ilc__arena_printf(s->arena, "%s/Lib/site-packages", path));
    prefix p = {s, path};
    (void)ilc__directory_each(s->arena, ilc__arena_printf(s->arena, "%s/lib", path), visit_lib, &p);
}

/* The prefix of the Python in a folder of PATH: above its bin, or Scripts; on Windows the folder itself, too. */
static const char *python_prefix(search *s, const char *folder, size_t length)
{
    static const char *const ends[] = {"/bin", "\\Scripts", "/Scripts"};
    if (!ilc__file_exists(ilc__arena_printf(s->arena, "%s/%s", folder, python_name))) return NULL;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t end = strlen(ends[i]);
        if (length > end && strcmp(folder + length - end, ends[i]) == 0) return ilc__arena_strndup(s->arena, folder, length - end);
    }
    return ILC__WINDOWS ? folder : NULL;
}

/* Each Python on PATH: a virtual environment need not be activated to be the one in use. */
static void look_beside_python(search *s)
{
    const char *at = ilc__environment("PATH");
    while (at && *at && !s->found) {
        size_t length = strcspn(at, path_separator);
        look_in_prefix(s, python_prefix(s, ilc__arena_strndup(s->arena, at, length), length));
        at += length;
        if (*at) at++;
    }
}

bool ilc__nvrtc_find(ilc__arena *arena, const char *folder, int driver_version, ilc__nvrtc *out,
                     const char **reason)
{
    search      s = {.arena = arena, .driver_major = driver_version / 1000};
    const char *conda = ilc__environment("CONDA_PREFIX");
    const char *home = ilc__environment("HOME");
    look_in_toolkit(&s, folder, true);
    look_by_name(&s, ilc__library_loaded);
    look_by_name(&s, ilc__library_open);
    look_in_toolkit(&s, ilc__environment("CUDA_PATH"), false);
    look_in_toolkit(&s, ilc__environment("CUDA_HOME"), false);
    if (!s.found) (void)ilc__directory_each(arena, toolkits, visit_toolkit, &s);
    look_in_prefix(&s, ilc__environment("VIRTUAL_ENV"));
    look_in_toolkit(&s, conda, false);
    look_in_prefix(&s, conda);
    look_beside_python(&s);
    if (home) look_in_prefix(&s, ilc__arena_printf(arena, "%s/.local", home));
    look_in_prefix(&s, "/usr/local");
    look_in_prefix(&s, "/usr");
    *out = s.best;
    if (s.any) return true;
    *reason = s.fault ? s.fault : ilc__arena_printf(arena, "NVRTC, the CUDA compiler (%s), was not found", file_name);
    return false;
}
