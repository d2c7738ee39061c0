/* fake_nvrtc.c - a libnvrtc.so.12 whose code is its source again, under a line that names the target. A
 * source with "syntax error" in it does not compile. */
#include "fake_cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUDA_NVRTC(result, name, parameters) result name parameters;
#include "rt/cuda.def"
#undef CUDA_NVRTC

struct _nvrtcProgram {
    char *source, *image;
    int   binary, failed;
};

static const char log_text[] = "kernel.cu(1): error: this is a syntax error";

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
    free(*program);
    *program = NULL;
    fake_cuda_control()->programs--;
    return error;
}

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
    program->failed = !arch || strstr(program->source, "syntax error");
    if (program->failed) return NVRTC_ERROR_COMPILATION;
    program->binary = strncmp(arch, "sm_", 3) == 0;
    size_t size = strlen(arch) + strlen(program->source) + 16;
    program->image = malloc(size);
    snprintf(program->image, size, "FAKE %s\n%s", arch, program->source);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size)
{
    STEP();
    *size = program->failed ? sizeof log_text : 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    STEP();
    memcpy(log, program->failed ? log_text : "", program->failed ? sizeof log_text : 1);
    return NVRTC_SUCCESS;
}

static nvrtcResult image_size(nvrtcProgram program, size_t *size, int wanted)
{
    *size = wanted ? strlen(program->image) + 1 : 0;
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
    memcpy(ptx, program->image, strlen(program->image) + 1);
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
    memcpy(cubin, program->image, strlen(program->image) + 1);
    return NVRTC_SUCCESS;
}
