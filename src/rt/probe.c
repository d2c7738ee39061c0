/* probe.c - what `doctor` shows: each thing an engine needs, and where it is missing the one command that
 * helps. */
#include "rt/cache.h"
#include "rt/cudacc.h"
#include "rt/driver.h"
#include "rt/engine.h"
#include "rt/hostcc.h"

typedef struct report {
    ilc__context              *ctx;
    ilc__arena                *arena;
    const ilc__engine_options *cpu, *cuda;
    ILC__VEC(ilc__finding) findings;
} report;

static void add(report *r, bool ok, const char *subject, const char *detail, const char *command)
{
    ilc__finding finding = {.subject = subject, .detail = detail, .command = ok ? NULL : command, .ok = ok};
    ILC__PUSH(r->arena, &r->findings, finding);
}

/* Installs package on this system, by the package manager it has; NULL if none is known. */
static const char *install_command(report *r, const char *debian, const char *fedora, const char *alpine,
                                   const char *arch)
{
    const struct {
        const char *program, *command, *package;
    } managers[] = {{"/usr/bin/apt-get", "apt-get install -y", debian},
                    {"/usr/bin/dnf", "dnf install -y", fedora},
                    {"/sbin/apk", "apk add", alpine},
                    {"/usr/bin/pacman", "pacman -S --noconfirm", arch},
                    {"/usr/bin/zypper", "zypper install -y", fedora}};
    for (size_t i = 0; i < sizeof managers / sizeof managers[0]; i++)
        if (managers[i].package && ilc__file_exists(managers[i].program))
            return ilc__arena_printf(r->arena, "sudo %s %s", managers[i].command, managers[i].package);
    /* LLVM's clang would need Microsoft's linker: this one brings its own. */
    return ILC__WINDOWS && strstr(debian, "nvidia") == NULL ? "winget install BrechtSanders.WinLibs.POSIX.UCRT" : NULL;
}

typedef struct first_tier {
    const char *said; /* NULL: there is none */
    bool        works, wanted;
} first_tier;

/* Makes an engine as it would be used and lets it go again; why not, where it cannot be. */
static bool engine_works(report *r, const ilc__engine_options *wanted, const char **detail, first_tier *tier)
{
    ilc__engine_options options = *wanted;
    ilc__engine        *engine;
    ilc__address        address;
    uint32_t            diagnostics = r->ctx->diags.count;
    options.compiler_needed = true;
    bool works = ilc__engine_create(r->ctx, &options, &engine) == ILC_OK;
    if (works) {
        works = ilc__engine_alloc(engine, 16, &address) == ILC_OK; /* on a GPU this makes the context */
        const char *said = ilc__engine_first_tier(engine, &tier->works); /* waits until it is known whether the compiler works */
        if (said) tier->said = ilc__arena_strdup(r->arena, said);
        *detail = ilc__arena_strdup(r->arena, ilc__engine_describe(engine));
        tier->wanted = ilc__engine_parts_of(engine)->tiers;
        ilc__engine_destroy(engine);
    }
    if (!works) *detail = ilc__arena_strdup(r->arena, r->ctx->diags.items[r->ctx->diags.count - 1].text);
    r->ctx->diags.count = diagnostics; /* a finding, no fault */
    return works;
}

/* --- the CPU engine ---------------------------------------------------------------------------------------
 */

static bool probe_cpu(report *r)
{
    const char *detail;
    first_tier  tier = {0};
    bool        works = engine_works(r, r->cpu, &detail, &tier);
    const char *gcc = install_command(r, "gcc libc6-dev", "gcc", "build-base", "gcc");
    bool        slow = works && strstr(detail, " tcc ") != NULL;
    bool asked = ilc__compiler_is_named(r->cpu->compiler); /* gcc may be there */
    add(r, works, "CPU engine", detail, asked ? NULL : gcc);
    if (slow)
        add(r, false, "C compiler", "tcc does not optimise: kernels would run several times faster with gcc",
            gcc);
    if (works && tier.said)
        add(r, tier.works, "first tier", tier.works ? ilc__arena_printf(r->arena, "%s, whose code runs until the compiler is through", tier.said) : tier.said, NULL);
    else if (works && tier.wanted)
        add(r, false, "first tier", "none: the first launch of a kernel waits for the compiler; tcc makes its code in milliseconds",
            install_command(r, "tcc", "tcc", NULL, "tcc"));
    return works;
}

/* --- the CUDA engine --------------------------------------------------------------------------------------
 */

typedef struct pci {
    report *r;
    bool    found;
} pci;

/* PCI vendor 0x10de with a display class (0x03....). */
static void visit_pci(void *user, const char *name)
{
    pci        *p = user;
    char        text[32];
    const char *folder = "/sys/bus/pci/devices";
    if (!ilc__file_peek(ilc__arena_printf(p->r->arena, "%s/%s/vendor", folder, name), text, sizeof text) ||
        strncmp(text, "0x10de", 6) != 0)
        return;
    if (ilc__file_peek(ilc__arena_printf(p->r->arena, "%s/%s/class", folder, name), text, sizeof text) &&
        strncmp(text, "0x03", 4) == 0)
        p->found = true;
}

static bool has_nvidia_gpu(report *r)
{
    pci p = {r, false};
    (void)ilc__directory_each(r->arena, "/sys/bus/pci/devices", visit_pci, &p);
    return p.found;
}

static bool probe_driver(report *r, ilc__driver *driver)
{
    const char *reason;
    if (ilc__driver_open(r->arena, r->cuda->cuda_path, driver, &reason)) {
        add(r, true, "NVIDIA driver",
            ilc__arena_printf(r->arena, "%s, serves CUDA %d.%d, %d device%s", driver->text,
                              driver->version / 1000, driver->version % 1000 / 10, driver->devices,
                              driver->devices == 1 ? "" : "s"),
            NULL);
        return true;
    }
    if (has_nvidia_gpu(r))
        add(r, false, "NVIDIA driver", reason,
            install_command(r, "nvidia-driver", "akmod-nvidia", NULL, "nvidia"));
    else
        add(r, false, "NVIDIA driver", ILC__WINDOWS ? reason :
            ilc__arena_printf(r->arena, "%s; this machine shows no NVIDIA GPU", reason), NULL);
    return false;
}

/* Python's wheels are the smallest way to NVRTC, the newest that the driver serves; clang serves every driver. */
static const char *compiler_command(report *r, int driver_version)
{
    int major = driver_version / 1000;
    const char *python = ILC__WINDOWS ? "python" : "python3";
    if (!ILC__WINDOWS && !ilc__file_exists("/usr/bin/python3") && !ilc__file_exists("/usr/local/bin/python3"))
        return install_command(r, "clang", "clang", "clang", "clang");
    if (major >= 13) return ilc__arena_printf(r->arena, "%s -m pip install nvidia-cuda-nvrtc", python);
    return ilc__arena_printf(r->arena, "%s -m pip install nvidia-cuda-nvrtc-cu%d", python, major < 11 ? 11 : major);
}

/* "clang 14.0.6, PTX for sm_50 to sm_86"; NULL with a reason. */
static const char *ask_clang(report *r, const char **reason)
{
    ilc__cuda_clang clang;
    int             least = INT32_MAX, most = 0;
    const char     *wanted = r->cuda->compiler;
    bool            named = ilc__compiler_is_named(wanted) && strcmp(wanted, "nvrtc") != 0 && strcmp(wanted, "none") != 0;
    if (!ilc__cuda_clang_ask(r->arena, named ? wanted : "clang", &clang, reason)) return NULL;
    for (int i = 0; i < clang.arch_count; i++) {
        if (clang.archs[i] < least) least = clang.archs[i];
        if (clang.archs[i] > most) most = clang.archs[i];
    }
    return ilc__arena_printf(r->arena, "clang %s, PTX for sm_%d to sm_%d", clang.version, least, most);
}

static void probe_compilers(report *r, const ilc__driver *driver)
{
    const char *reason, *reason_clang, *clang = ask_clang(r, &reason_clang);
    ilc__nvrtc  nvrtc;
    if (ilc__nvrtc_find(r->arena, r->cuda->cuda_path, driver->version, &nvrtc, &reason)) {
        bool fits = nvrtc.major <= driver->version / 1000;
        add(r, fits, "CUDA compiler",
            ilc__arena_printf(r->arena, "NVRTC %d.%d (%s)%s%s%s", nvrtc.major, nvrtc.minor, nvrtc.place,
                              fits ? "" : ", newer than the driver, which may refuse its code", clang ? "; " : "",
                              clang ? clang : ""),
            compiler_command(r, driver->version));
    } else if (clang) {
        add(r, true, "CUDA compiler", ilc__arena_printf(r->arena, "%s; %s", clang, reason), NULL);
    } else {
        add(r, false, "CUDA compiler", ilc__arena_printf(r->arena, "%s; %s", reason, reason_clang),
            compiler_command(r, driver->version));
    }
}

/* Without a device it still makes code for others. */
static void probe_clang_alone(report *r)
{
    const char *reason, *clang = ask_clang(r, &reason);
    if (clang) add(r, true, "CUDA compiler", ilc__arena_printf(r->arena, "%s, for devices elsewhere", clang), NULL);
}

static void probe_devices(report *r, const ilc__driver *driver)
{
    for (int i = 0; i < driver->devices && i < 64; i++) {
        const char *reason = NULL, *subject = ilc__arena_printf(r->arena, "CUDA device %d", i);
        ilc__device device;
        if (!ilc__driver_device(driver, r->arena, i, &device, &reason))
            add(r, false, subject, reason, NULL);
        else
            add(r, !device.prohibited, subject,
                ilc__arena_printf(r->arena, "%s, sm_%d, %u multiprocessors, %llu MiB%s", device.name,
                                  device.arch, device.multiprocessors,
                                  (unsigned long long)(device.memory >> 20),
                                  device.prohibited ? ", compute mode prohibited" : ""),
                ilc__arena_printf(r->arena, "sudo nvidia-smi -i %d -c DEFAULT", i));
    }
}

static bool probe_cuda(report *r)
{
    ilc__driver driver;
    const char *detail;
    if (!probe_driver(r, &driver)) {
        probe_clang_alone(r);
        return false;
    }
    probe_devices(r, &driver);
    probe_compilers(r, &driver);
    first_tier none = {0};
    bool       works = engine_works(r, r->cuda, &detail, &none);
    add(r, works, "CUDA engine", detail, NULL);
    return works;
}

/* --- the cache --------------------------------------------------------------------------------------------
 */

static void probe_cache(report *r)
{
    const char *wanted = r->cpu->cache_dir;
    const char *path = ilc__cache_directory(r->arena, wanted);
    if (wanted && !*wanted) {
        add(r, true, "cache", "in memory only, as asked for", NULL);
        return;
    }
    if (!path) {
        add(r, false, "cache", "in memory only: neither XDG_CACHE_HOME nor HOME names a folder",
            "export XDG_CACHE_HOME=/var/tmp/cache");
        return;
    }
    if (!ilc__directory_make(path, 0700)) {
        add(r, false, "cache", ilc__arena_printf(r->arena, "in memory only: %s could not be made", path),
            ilc__arena_printf(r->arena, "mkdir -p -m 700 '%s'", path));
        return;
    }
    if (!ilc__directory_private(path)) {
        add(r, false, "cache",
            ilc__arena_printf(r->arena, "in memory only: %s belongs to, or can be written by, somebody else",
                              path),
            ilc__arena_printf(r->arena, "chmod 700 '%s'", path));
        return;
    }
    ilc__cache_info info;
    (void)ilc__cache_info_get(r->ctx, wanted, &info);
    add(r, true, "cache",
        ilc__arena_printf(r->arena, "%s, %llu entr%s, %.1f of %.0f MB", path,
                          (unsigned long long)info.entries, info.entries == 1 ? "y" : "ies",
                          (double)info.bytes * 1e-6, (double)info.limit * 1e-6),
        NULL);
}

ilc_status ilc__probe_run(ilc__context *ctx, ilc__arena *arena, const ilc__engine_options *cpu,
                          const ilc__engine_options *cuda, ilc__probe *out)
{
    report r = {.ctx = ctx, .arena = arena, .cpu = cpu, .cuda = cuda};
    *out = (ilc__probe){0};
    out->cuda_ok = probe_cuda(&r);
    out->cpu_ok = probe_cpu(&r);
    probe_cache(&r);
    out->findings = r.findings.items;
    out->count = r.findings.count;
    return ILC_OK;
}
