/* cuda_shim.h - what clang's CUDA front end needs of a toolkit for a syntax check of emitted text. */
#define __device__ __attribute__((device))
#define __noinline__ __attribute__((noinline))
#define __global__ __attribute__((global))
struct shim_dim { unsigned x, y, z; };
extern const __device__ shim_dim threadIdx, blockIdx, blockDim, gridDim;
__device__ unsigned long long atomicMin(unsigned long long *at, unsigned long long value);
__device__ float __int_as_float(int a);
__device__ int __float_as_int(float a);
__device__ double __longlong_as_double(long long a);
__device__ long long __double_as_longlong(double a);
__device__ float fabsf(float a);
__device__ double fabs(double a);
__device__ float __fsqrt_rn(float a);
__device__ double __dsqrt_rn(double a);
__device__ float __fmaf_rn(float a, float b, float c);
__device__ double __fma_rn(double a, double b, double c);
