/* cudacc.c - NVRTC where it is, else clang, else nothing but what was compiled before (cudacc.h). */
#include "rt/cudacc.h"

bool ilc__cudacc_is_name(const char *compiler)
{
    static const char *const names[] = {"auto", "nvrtc", "clang", "none"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(compiler, names[i]) == 0) return true;
    for (const char *at = compiler; *at; at++)
        if (*at == '/' || (ILC__WINDOWS && *at == '\\')) compiler = at;
    return strstr(compiler, "clang") != NULL;
}

/* The architecture asked for, or the highest that the device runs; 0 with a reason. */
static int choose_arch(ilc__arena *arena, const ilc__cudacc_wish *wish, const char *name, const int *archs, int count,
                       const char **reason)
{
    int best = 0;
    for (int i = 0; i < count; i++) {
        if (wish->arch ? archs[i] != wish->arch : archs[i] > wish->device) continue;
        if (archs[i] > best) best = archs[i];
    }
    if (!best)
        *reason = wish->arch ? ilc__arena_printf(arena, "%s does not compile for sm_%d", name, wish->arch)
                             : ilc__arena_printf(arena, "%s does not compile for this device, sm_%d", name, wish->device);
    return best;
}

static void aim(ilc__arena *arena, int arch, bool binary, ilc__cuda_target *out)
{
    *out = (ilc__cuda_target){
        .arch = ilc__arena_printf(arena, "%s_%d", binary ? "sm" : "compute", arch), .number = arch, .binary = binary};
}

static bool take_nvrtc(ilc__arena *arena, const ilc__cudacc_wish *wish, ilc__cudacc *out, const char **reason)
{
    int archs[ILC__ARCHS_MAX];
    if (!ilc__nvrtc_find(arena, wish->folder, wish->driver_version, &out->nvrtc, reason)) return false;
    out->name = ilc__arena_printf(arena, "NVRTC %d.%d", out->nvrtc.major, out->nvrtc.minor);
    int count = ilc__nvrtc_archs(&out->nvrtc, arena, archs, reason);
    int arch = count < 0 ? 0 : choose_arch(arena, wish, out->name, archs, count, reason);
    if (!arch) return false;
    /* Machine code where it is made for this very device, else PTX. */
    aim(arena, arch, arch == wish->device && !wish->portable, &out->target);
    out->kind = ILC__CUDACC_NVRTC;
    return true;
}

static bool take_clang(ilc__arena *arena, const ilc__cudacc_wish *wish, const char *command, ilc__cudacc *out,
                       const char **reason)
{
    if (!ilc__cuda_clang_ask(arena, command, &out->clang, reason)) return false;
    out->name = ilc__arena_printf(arena, "clang %s", out->clang.version);
    int arch = choose_arch(arena, wish, out->name, out->clang.archs, out->clang.arch_count, reason);
    if (!arch) return false;
    aim(arena, arch, false, &out->target);
    out->kind = ILC__CUDACC_CLANG;
    return true;
}

bool ilc__cudacc_find(ilc__arena *arena, const ilc__cudacc_wish *wish, ilc__cudacc *out, const char **reason)
{
    const char *wanted = wish->compiler ? wish->compiler : "auto", *first = NULL, *second = NULL;
    *out = (ilc__cudacc){.missing = "no CUDA compiler was asked for"};
    if (strcmp(wanted, "none") == 0) return true;
    if (strcmp(wanted, "nvrtc") == 0) return take_nvrtc(arena, wish, out, reason);
    if (strcmp(wanted, "auto") != 0) return take_clang(arena, wish, wanted, out, reason);
    if (take_nvrtc(arena, wish, out, &first) || take_clang(arena, wish, "clang", out, &second)) return true;
    out->missing = ilc__arena_printf(arena, "%s; %s", first, second);
    return true;
}

const char *const *ilc__cudacc_parts(const ilc__cudacc *cc, ilc__arena *arena)
{
    const char **parts = ILC__NEW_ARRAY(arena, const char *, 5);
    const char  *options[ILC__NVRTC_OPTIONS];
    ilc__text    joined = {.arena = arena};
    parts[0] = cc->target.arch;
    parts[1] = cc->name;
    if (cc->kind == ILC__CUDACC_CLANG) {
        parts[2] = cc->clang.identity;
        parts[3] = ilc__cuda_clang_options(arena, &cc->target);
        return parts;
    }
    /* of mode fast are others, which follow from the source */
    ilc__nvrtc_options(arena, &cc->target, false, options);
    for (int i = 0; i < ILC__NVRTC_OPTIONS; i++) ilc__text_printf(&joined, "%s ", options[i]);
    parts[2] = "nvrtc";
    parts[3] = ilc__text_string(&joined);
    return parts;
}

const char *ilc__cudacc_describe(const ilc__cudacc *cc, ilc__arena *arena)
{
    if (cc->target.binary) return ilc__arena_printf(arena, "%s (cubin)", cc->name);
    return ilc__arena_printf(arena, "%s (PTX sm_%d)", cc->name, cc->target.number);
}
