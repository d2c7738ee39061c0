/* fake_nvrtc.c - a libnvrtc.so.12 whose code is its source again, under a line that names the target. A
 * source with "syntax error" in it does not compile. That of lib-run/ (FAKE_RUN) makes code that runs (fake_run.c). */
#include "fake_cuda.h"
#ifdef FAKE_RUN
#include "fake_run.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUDA_NVRTC(result, name, parameters) result name parameters;
#include "rt/cuda.def"
#undef CUDA_NVRTC

struct _nvrtcProgram {
    char  *source, *image, *log;
    size_t size;
    int    binary, failed;
};

#define STEP()                                                                                               \
    do {                                                                                                     \
        nvrtcResult error_ = fake_cuda_step(__func__);                                                       \
        if (error_) return error_;                                                                           \
    } while (0)

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    STEP();
    *major = fake_cuda_control()->nvrtc_major;
    *minor = fake_cuda_control()->nvrtc_minor;
    return NVRTC_SUCCESS;
}

const char *nvrtcGetErrorString(nvrtcResult result)
{
    return result == NVRTC_ERROR_COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_OF_THE_FAKE";
}

nvrtcResult nvrtcGetNumSupportedArchs(int *count)
{
    STEP();
    *count = fake_cuda_control()->arch_count;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *archs)
{
    STEP();
    memcpy(archs, fake_cuda_control()->archs, (size_t)fake_cuda_control()->arch_count * sizeof *archs);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int header_count,
                               const char *const *headers, const char *const *include_names)
{
    STEP();
    if (header_count || headers || include_names) fake_cuda_control()->misuse++;
    snprintf(fake_cuda_control()->program_name, sizeof fake_cuda_control()->program_name, "%s", name);
    *program = calloc(1, sizeof **program);
    size_t length = strlen(source) + 1;
    (*program)->source = malloc(length);
    memcpy((*program)->source, source, length);
    fake_cuda_control()->programs++;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    nvrtcResult error = fake_cuda_step(__func__);
    free((*program)->source);
    free((*program)->image);
    free((*program)->log);
    free(*program);
    *program = NULL;
    fake_cuda_control()->programs--;
    return error;
}

/* As NVRTC says it: "name.cu(12): error: ...". */
static char *refuse(const char *source)
{
    const char *word = fake_cuda_control()->refused, *found = word ? strstr(source, word) : NULL;
    int         line = 1;
    char        log[256];
    if (!found) return NULL;
    for (const char *at = source; at < found; at++) line += *at == '\n';
    snprintf(log, sizeof log, "%s(%d): error: %s is refused\n\n1 error detected", fake_cuda_control()->program_name, line, word);
    return strdup(log);
}

#ifdef FAKE_RUN
static void compile(nvrtcProgram program, const char *arch)
{
    program->image = fake_run_compile(arch, program->source, &program->size, &program->log);
}
#else
static void compile(nvrtcProgram program, const char *arch)
{
    if (strstr(program->source, "syntax error")) {
        program->log = strdup("kernel.cu(1): error: this is a syntax error");
        return;
    }
    size_t room = strlen(arch) + strlen(program->source) + 16;
    program->image = malloc(room);
    program->size = (size_t)snprintf(program->image, room, "FAKE %s\n%s", arch, program->source) + 1;
}
#endif

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count, const char *const *options)
{
    STEP();
    fake_control *control = fake_cuda_control();
    const char   *arch = NULL;
    control->options[0] = 0;
    for (int i = 0; i < option_count; i++) {
        size_t used = strlen(control->options);
        snprintf(control->options + used, sizeof control->options - used, "%s ", options[i]);
        if (strncmp(options[i], "--gpu-architecture=", 19) == 0) arch = options[i] + 19;
    }
    if (!arch) return 3; /* NVRTC_ERROR_INVALID_INPUT */
    program->binary = strncmp(arch, "sm_", 3) == 0;
    program->log = refuse(program->source);
    if (!program->log) compile(program, arch);
    program->failed = !program->image;
    return program->failed ? NVRTC_ERROR_COMPILATION : NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size)
{
    STEP();
    *size = program->log ? strlen(program->log) + 1 : 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    STEP();
    strcpy(log, program->log ? program->log : "");
    return NVRTC_SUCCESS;
}

static nvrtcResult image_size(nvrtcProgram program, size_t *size, int wanted)
{
    *size = wanted ? program->size : 0;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size)
{
    STEP();
    return image_size(program, size, 1);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
    STEP();
    memcpy(ptx, program->image, program->size);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size)
{
    STEP();
    return image_size(program, size, program->binary);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin)
{
    STEP();
    memcpy(cubin, program->image, program->size);
    return NVRTC_SUCCESS;
}
