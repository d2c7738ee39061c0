/* cuda_types.h - the part of the CUDA driver's and NVRTC's binary interface that cuda.def uses.
 *
 * Declared here, from the CUDA Driver API and NVRTC documentation, so that building needs nothing of CUDA. */
#ifndef ILC_RT_CUDA_TYPES_H
#define ILC_RT_CUDA_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef int                   CUresult; /* an enum of the driver's */
typedef int                   CUdevice;
typedef unsigned long long    CUdeviceptr;
typedef struct CUctx_st      *CUcontext;
typedef struct CUmod_st      *CUmodule;
typedef struct CUfunc_st     *CUfunction;
typedef struct CUstream_st   *CUstream;
typedef struct CUevent_st    *CUevent;
typedef int                   CUdevice_attribute;
typedef int                   CUfunction_attribute;
typedef int                   CUlimit;
typedef int                   CUjit_option;
typedef int                   nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_STUB_LIBRARY = 34,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
    CUDA_ERROR_INVALID_PC = 718,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803
};

enum { /* CUdevice_attribute */
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
};

enum { CU_COMPUTEMODE_PROHIBITED = 2 };
enum { CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3 };
enum { CU_LIMIT_STACK_SIZE = 0 };
enum { CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_DEFAULT = 0 };
enum { CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6 };
enum { NVRTC_SUCCESS = 0, NVRTC_ERROR_OUT_OF_MEMORY = 1, NVRTC_ERROR_COMPILATION = 6 };

#endif
