// kernels.cpp - CUDA text for the harness's own test: each kernel leans on one thing that a later schedule needs.
#include "cuda_harness.h"

extern "C" __global__ void places(unsigned *out)
{
    unsigned in_block = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + in_block] = block * 1000 + in_block;
}
HARNESS_ENTRY(places)

extern "C" __global__ void block_sum(const float *x, float *sums)
{
    __shared__ float part[256];
    unsigned         t = threadIdx.x;
    part[t] = x[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}
HARNESS_ENTRY(block_sum)

extern "C" __global__ void warp_sums(const float *x, float *by_xor, double *by_down, long long *prefix)
{
    unsigned  t = threadIdx.x;
    float     a = x[t];
    double    b = x[t];
    long long c = (long long)t;
    for (int by = 16; by > 0; by /= 2) a += __shfl_xor_sync(0xffffffffu, a, by);
    for (unsigned by = 16; by > 0; by /= 2) b += __shfl_down_sync(0xffffffffu, b, by);
    for (unsigned by = 1; by < 32; by *= 2) {
        long long other = __shfl_up_sync(0xffffffffu, c, by);
        if (t % 32 >= by) c += other;
    }
    by_xor[t] = a;
    by_down[t] = b;
    prefix[t] = c;
}
HARNESS_ENTRY(warp_sums)

// Both halves of a warp go their own ways and meet again.
extern "C" __global__ void half_warps(int *out)
{
    int t = (int)threadIdx.x, v = t * 10;
    if (t % 32 < 16)
        v = __shfl_sync(0x0000ffffu, v, 3, 16);
    else
        v = __shfl_sync(0xffff0000u, v, 5, 16) + 1;
    __syncwarp();
    out[t] = __shfl_sync(0xffffffffu, v, 31 - t % 32);
}
HARNESS_ENTRY(half_warps)

extern "C" __global__ void votes(unsigned *ballot, int *rest)
{
    int t = (int)threadIdx.x;
    ballot[t] = __ballot_sync(0xffffffffu, t % 3 == 0);
    rest[t] = __any_sync(0xffffffffu, t == 40) + 2 * __all_sync(0xffffffffu, t < 32) + 4 * __syncthreads_count(t < 5) +
              1000 * __syncthreads_or(t == 63) + 2000 * __syncthreads_and(t < 63);
}
HARNESS_ENTRY(votes)

extern "C" __global__ void least(unsigned long long *slot, int *count, double *sum)
{
    unsigned long long key = (unsigned long long)(1000 - blockIdx.x * blockDim.x - threadIdx.x) << 16 | threadIdx.x;
    atomicMin(slot, key);
    atomicAdd(count, 1);
    atomicAdd(sum, 0.5);
}
HARNESS_ENTRY(least)

// Two tiles of shared memory, the sums in the order of k.
extern "C" __global__ void tiles(const float *x, float *out, int n)
{
    __shared__ float a[16][16], b[16][17];
    unsigned         tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float            sum = 0;
    for (int k = 0; k < n; k += 16) {
        a[ty][tx] = x[row * (unsigned)n + (unsigned)k + tx];
        b[ty][tx] = x[(blockIdx.x * 16 + ty) * (unsigned)n + (unsigned)k + tx];
        __syncthreads();
        for (int q = 0; q < 16; q++) sum += a[ty][q] * b[tx][q];
        __syncthreads();
    }
    out[row * (unsigned)n + col] = sum;
}
HARNESS_ENTRY(tiles)

extern "C" __global__ void left_over(float *out)
{
    __shared__ float kept[32];
    out[blockIdx.x * 32 + threadIdx.x] = kept[threadIdx.x];
    kept[threadIdx.x] = 7.0f;
}
HARNESS_ENTRY(left_over)

// The mistake: a barrier is left out, so what a thread reads depends on who came first.
extern "C" __global__ void unordered(int *out)
{
    __shared__ int cell[64];
    cell[threadIdx.x] = (int)threadIdx.x;
    out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x ? cell[threadIdx.x - 1] : -1;
}
HARNESS_ENTRY(unordered)

extern "C" __global__ void skips_barrier(int *out)
{
    out[threadIdx.x] = 1;
    if (threadIdx.x == 5) return;
    __syncthreads();
    out[threadIdx.x] = 2;
}
HARNESS_ENTRY(skips_barrier)

extern "C" __global__ void two_barriers(int *out)
{
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[threadIdx.x] = 2;
}
HARNESS_ENTRY(two_barriers)

extern "C" __global__ void misses_lane(int *out)
{
    if (threadIdx.x == 7) return;
    out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
}
HARNESS_ENTRY(misses_lane)

extern "C" __global__ void wrong_mask(int *out, unsigned mask, int from)
{
    out[threadIdx.x] = __shfl_sync(mask, (int)threadIdx.x, from);
}
HARNESS_ENTRY(wrong_mask)

extern "C" __global__ void writes_past(int *out, int at)
{
    out[at] = (int)threadIdx.x;
}
HARNESS_ENTRY(writes_past)

extern "C" __global__ void shared_past(int *out, int at)
{
    __shared__ int cell[8];
    cell[threadIdx.x & 7] = 1;
    __syncthreads();
    const int *volatile cells = cell;
    out[threadIdx.x] = cells[at];
}
HARNESS_ENTRY(shared_past)

extern "C" __global__ void stack_past(int *out, int at)
{
    int cell[8];
    for (int i = 0; i < 8; i++) cell[i] = i;
    __syncthreads();
    const int *volatile cells = cell;
    out[threadIdx.x] = cells[at];
}
HARNESS_ENTRY(stack_past)

extern "C" __global__ void overflows(int *out, int big)
{
    out[threadIdx.x] = big + (int)threadIdx.x;
}
HARNESS_ENTRY(overflows)

extern "C" __global__ void instructions(float *f, double *d, int *i)
{
    float  a = f[0], b = f[1];
    double c = d[0], e = d[1];
    f[2] = __fmaf_rn(a, b, -__fmul_rn(a, b));
    d[2] = __fma_rn(c, e, -__dmul_rn(c, e));
    f[3] = __fsqrt_rn(__fadd_rn(a, b));
    d[3] = __ddiv_rn(__dsqrt_rn(c), __ldg(&d[1]));
    i[0] = __popc(0xf0f0u) * 100 + __clz(1) + (__clz(0) - 32) + __ffs(8) * 10000;
    i[1] = (int)__brev(1u) == -2147483647 - 1 && __umulhi(1u << 31, 4u) == 2 && __mul64hi(-1, 1) == -1;
    i[2] = __float_as_int(__int_as_float(0x7fc12345));
}
HARNESS_ENTRY(instructions)
