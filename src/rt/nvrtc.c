/* nvrtc.c - compiles CUDA C with NVRTC (nvrtc.h). Where it is looked for is in nvrtc_find.c. */
#include "rt/nvrtc.h"

#include "rt/rt.h"

void ilc__nvrtc_options(ilc__arena *arena, const ilc__cuda_target *target, bool fast,
                        const char *options[ILC__NVRTC_OPTIONS])
{
    static const char *const meaning[] = {"--fmad=false", "--ftz=false", "--prec-div=true",
                                          "--prec-sqrt=true"};
    static const char *const near[] = {"--fmad=false", "--ftz=true", "--prec-div=false", "--prec-sqrt=false"};
    options[0] = ilc__arena_printf(arena, "--gpu-architecture=%s", target->arch);
    for (int i = 1; i < ILC__NVRTC_OPTIONS; i++)
        options[i] = fast ? near[i - 1] : meaning[i - 1];
}

int ilc__nvrtc_archs(const ilc__nvrtc *nvrtc, ilc__arena *arena, int archs[ILC__ARCHS_MAX], const char **reason)
{
    int count = 0;
    int error = nvrtc->nvrtcGetNumSupportedArchs(&count);
    if (!error && (count < 0 || count > ILC__ARCHS_MAX)) count = 0;
    if (!error && count) error = nvrtc->nvrtcGetSupportedArchs(archs);
    if (!error) return count;
    *reason = ilc__arena_printf(arena, "NVRTC %d.%d did not say which devices it compiles for: %s", nvrtc->major,
                                nvrtc->minor, nvrtc->nvrtcGetErrorString(error));
    return -1;
}

/* What the compiler printed, in arena; NULL if it printed nothing. */
static const char *program_log(const ilc__nvrtc *nvrtc, ilc__arena *arena, nvrtcProgram program)
{
    size_t size = 0;
    if (nvrtc->nvrtcGetProgramLogSize(program, &size) != NVRTC_SUCCESS || size <= 1) return NULL;
    char *text = ilc__arena_alloc(arena, size + 1);
    return nvrtc->nvrtcGetProgramLog(program, text) == NVRTC_SUCCESS && *text ? text : NULL;
}

static int program_image(const ilc__nvrtc *nvrtc, ilc__arena *arena, const ilc__cuda_target *target,
                         nvrtcProgram program, const void **image, size_t *size)
{
    int error =
        target->binary ? nvrtc->nvrtcGetCUBINSize(program, size) : nvrtc->nvrtcGetPTXSize(program, size);
    if (error) return error;
    char *bytes = ilc__arena_alloc(arena, *size + 1);
    *image = bytes;
    return target->binary ? nvrtc->nvrtcGetCUBIN(program, bytes) : nvrtc->nvrtcGetPTX(program, bytes);
}

bool ilc__nvrtc_compile(const ilc__nvrtc *nvrtc, ilc__arena *arena, const ilc__cuda_target *target,
                        const char *name, const char *source, nvrtcProgram *program, const void **image,
                        size_t *size, const char **log)
{
    const char *options[ILC__NVRTC_OPTIONS + 1];
    int         count = ILC__NVRTC_OPTIONS;
    const char *file = ilc__arena_printf(arena, "%s.cu", name);
    ilc__nvrtc_options(arena, target, ilc__is_fast(source), options);
    if (ilc__has_line_directives(source)) options[count++] = "--generate-line-info";
    *log = NULL;
    int error = nvrtc->nvrtcCreateProgram(program, source, file, 0, NULL, NULL);
    if (error) {
        *program = NULL;
    } else {
        error = nvrtc->nvrtcCompileProgram(*program, count, options);
        if (error) *log = program_log(nvrtc, arena, *program);
        if (!error) error = program_image(nvrtc, arena, target, *program, image, size);
        nvrtcProgram done = *program;
        *program = NULL;
        (void)nvrtc->nvrtcDestroyProgram(&done);
    }
    if (!error && *size == 0)
        *log = "NVRTC gave no code";
    else if (error && !*log)
        *log = ilc__arena_printf(arena, "NVRTC failed: %s", nvrtc->nvrtcGetErrorString(error));
    return *log == NULL;
}
