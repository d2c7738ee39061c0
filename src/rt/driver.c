/* driver.c - loads the CUDA driver at run time and asks for its devices (driver.h).
 *
 * The library stays loaded: the driver has threads and exit handlers of its own, and unloading it is not
 * safe. */
#include "rt/driver.h"

static const struct {
    const char *name;
    size_t      offset;
} symbols[] = {
#define CUDA_DRIVER(result, name, parameters) {#name, offsetof(ilc__driver, name)},
#include "rt/cuda.def"
#undef CUDA_DRIVER
};

static const char *const library_name = ILC__WINDOWS ? "nvcuda.dll" : "libcuda.so.1";

static void *open_library(ilc__arena *arena, const char *folder)
{
    if (folder) {
        void *library = ilc__library_open(ilc__arena_printf(arena, "%s/%s", folder, library_name));
        if (library) return library;
    }
    void *library = ilc__library_open(library_name);
    /* Under Windows' subsystem for Linux it lies outside the loader's path on some systems. */
    return library ? library : ilc__library_open("/usr/lib/wsl/lib/libcuda.so.1");
}

static const char *load_symbols(ilc__driver *driver)
{
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *symbol = ilc__library_find(driver->library, symbols[i].name);
        if (!symbol) return symbols[i].name;
        memcpy((char *)driver + symbols[i].offset, &symbol, sizeof symbol);
    }
    return NULL;
}

/* The first word of text that is a number with a dot in it: "570.86.10". */
static const char *version_word(ilc__arena *arena, const char *text)
{
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, " \t\r\n");
        if (length && length == strspn(at, "0123456789.") && memchr(at, '.', length))
            return ilc__arena_strndup(arena, at, length);
        at += length;
        at += strspn(at, " \t\r\n");
    }
    return NULL;
}

static const char *version_text(ilc__arena *arena, int cuda_version)
{
    static const char *const places[] = {"/sys/module/nvidia/version", "/proc/driver/nvidia/version"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char text[512];
        if (!ilc__file_peek(places[i], text, sizeof text)) continue;
        const char *word = version_word(arena, text);
        if (word) return ilc__arena_printf(arena, "driver %s", word);
    }
    return ilc__arena_printf(arena, "driver for CUDA %d.%d", cuda_version / 1000, cuda_version % 1000 / 10);
}

const char *ilc__driver_error(const ilc__driver *driver, ilc__arena *arena, CUresult error)
{
    const char *name = NULL, *text = NULL;
    if (driver->cuGetErrorName(error, &name) != CUDA_SUCCESS || !name)
        return ilc__arena_printf(arena, "CUDA error %d", error);
    if (driver->cuGetErrorString(error, &text) != CUDA_SUCCESS || !text)
        return ilc__arena_strdup(arena, name);
    return ilc__arena_printf(arena, "%s (%s)", name, text);
}

static bool refuse(const ilc__driver *driver, ilc__arena *arena, const char *what, CUresult error,
                   const char **reason)
{
    *reason = ilc__arena_printf(arena, "%s failed: %s", what, ilc__driver_error(driver, arena, error));
    return false;
}

bool ilc__driver_open(ilc__arena *arena, const char *folder, ilc__driver *out, const char **reason)
{
    *out = (ilc__driver){0};
    out->library = open_library(arena, folder);
    if (!out->library) {
        *reason = ilc__arena_printf(arena, "the CUDA driver (%s) was not found", library_name);
        return false;
    }
    const char *missing = load_symbols(out);
    if (missing) {
        *reason = ilc__arena_printf(arena, "the CUDA driver is too old: it has no %s", missing);
        return false;
    }
    CUresult error = out->cuInit(0);
    if (error == CUDA_ERROR_NO_DEVICE) {
        *reason = "the CUDA driver found no device";
        return false;
    }
    if (error == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH) {
        *reason = "the CUDA driver's library does not fit its kernel module; restart the machine";
        return false;
    }
    if (error != CUDA_SUCCESS) return refuse(out, arena, "the start of the CUDA driver", error, reason);
    error = out->cuDriverGetVersion(&out->version);
    if (error != CUDA_SUCCESS)
        return refuse(out, arena, "the question for the driver's version", error, reason);
    error = out->cuDeviceGetCount(&out->devices);
    if (error != CUDA_SUCCESS) return refuse(out, arena, "the question for CUDA devices", error, reason);
    out->text = version_text(arena, out->version);
    if (out->devices > 0) return true;
    *reason = "the CUDA driver found no device";
    return false;
}

bool ilc__driver_device(const ilc__driver *driver, ilc__arena *arena, int ordinal, ilc__device *out,
                        const char **reason)
{
    char   name[256] = "";
    int    major = 0, minor = 0, multiprocessors = 0, block_max = 0, mode = 0;
    size_t memory = 0;
    *out = (ilc__device){0};
    if (ordinal < 0 || ordinal >= driver->devices) {
        *reason =
            ilc__arena_printf(arena, "there is no CUDA device %d; there are %d", ordinal, driver->devices);
        return false;
    }
    CUresult error = driver->cuDeviceGet(&out->handle, ordinal);
    if (!error) error = driver->cuDeviceGetName(name, (int)sizeof name - 1, out->handle);
    const struct {
        CUdevice_attribute attribute;
        int               *value;
    } wanted[] = {{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
                  {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
                  {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &multiprocessors},
                  {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &block_max},
                  {CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, &mode}};
    for (size_t i = 0; !error && i < sizeof wanted / sizeof wanted[0]; i++)
        error = driver->cuDeviceGetAttribute(wanted[i].value, wanted[i].attribute, out->handle);
    if (!error) error = driver->cuDeviceTotalMem_v2(&memory, out->handle);
    if (error) return refuse(driver, arena, "the question for the CUDA device's properties", error, reason);
    out->name = ilc__arena_strdup(arena, name);
    out->arch = major * 10 + minor;
    out->multiprocessors = multiprocessors > 0 ? (uint32_t)multiprocessors : 1;
    out->block_max = block_max > 0 ? (uint32_t)block_max : 256;
    out->memory = memory;
    out->prohibited = mode == CU_COMPUTEMODE_PROHIBITED;
    return true;
}
