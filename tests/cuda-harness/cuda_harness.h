// cuda_harness.h - what CUDA text finds where g++ compiles it as C++ for the harness (harness.h): words, indices,
// barriers, warp operations, atomics, and the functions of single instructions, with the meaning that they have on a
// device. A kernel gets its entry by HARNESS_ENTRY(name) behind the text.
#ifndef CUDA_HARNESS_H
#define CUDA_HARNESS_H

#include "harness.h"

extern "C" {
__attribute__((visibility("default"))) harness_place        harness_here;
__attribute__((visibility("default"))) const harness_table *harness_rt;
// The linker's, where the text has shared memory.
extern __attribute__((weak, visibility("hidden"))) char __start_il_shared[], __stop_il_shared[];
__attribute__((visibility("default"))) void harness_shared(char **from, char **to)
{
    *from = __start_il_shared;
    *to = __stop_il_shared;
}
}

#define __device__
#define __host__
#define __global__ __attribute__((visibility("default")))
#define __shared__ static __attribute__((section("il_shared"), used))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

#define threadIdx (harness_here.thread)
#define blockIdx (harness_here.block)
#define blockDim (harness_here.block_size)
#define gridDim (harness_here.grid_size)
static const int warpSize = HARNESS_WARP;

// --- entries: parameters as cuLaunchKernel gives them

template <class... A> struct harness_caller;
template <> struct harness_caller<> {
    template <class F, class... B> static void call(F *f, void **, B &...values) { f(values...); }
};
template <class A, class... R> struct harness_caller<A, R...> {
    template <class F, class... B> static void call(F *f, void **at, B &...values)
    {
        A value;
        __builtin_memcpy(&value, *at, sizeof value);
        harness_caller<R...>::call(f, at + 1, values..., value);
    }
};
template <class... A> void harness_call(void (*f)(A...), void **parameters)
{
    harness_caller<A...>::call(f, parameters);
}
#define HARNESS_ENTRY(name)                                                                                            \
    extern "C" __attribute__((visibility("default"))) void harness_entry_##name(void **parameters)                     \
    {                                                                                                                  \
        harness_call(name, parameters);                                                                                \
    }

// --- barriers and warps

static inline void __syncthreads(int line = __builtin_LINE()) { harness_rt->barrier(line, 0); }
static inline int  __syncthreads_count(int p, int line = __builtin_LINE()) { return (int)harness_rt->barrier(line, p).yes; }
static inline int  __syncthreads_or(int p, int line = __builtin_LINE()) { return harness_rt->barrier(line, p).yes != 0; }
static inline int  __syncthreads_and(int p, int line = __builtin_LINE())
{
    harness_votes v = harness_rt->barrier(line, p);
    return v.yes == v.threads;
}
static inline void __threadfence() {}
static inline void __threadfence_block() {}

static inline void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE())
{
    harness_rt->exchange(mask, line, 0);
}
static inline unsigned __ballot_sync(unsigned mask, int p, int line = __builtin_LINE())
{
    const unsigned long long *seen = harness_rt->exchange(mask, line, p != 0);
    unsigned                  votes = 0;
    for (unsigned k = 0; k < HARNESS_WARP; k++) votes |= (unsigned)seen[k] << k;
    return votes;
}
static inline int __any_sync(unsigned mask, int p, int line = __builtin_LINE()) { return __ballot_sync(mask, p, line) != 0; }
static inline int __all_sync(unsigned mask, int p, int line = __builtin_LINE()) { return __ballot_sync(mask, p, line) == mask; }

// from: within the caller's part of the warp, of `width` lanes; outside it the caller's own value comes back.
template <class T> static T harness_shuffle(unsigned mask, T value, int from, bool inside, int line)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle takes 32 or 64 bits");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    const unsigned long long *seen = harness_rt->exchange(mask, line, bits);
    if (!inside) from = (int)harness_here.lane;
    if (!(mask >> from & 1)) harness_rt->fail("line %d: lane %u takes a value from lane %d, which is not in the mask %08x", line, harness_here.lane, from, mask);
    __builtin_memcpy(&value, &seen[from], sizeof value);
    return value;
}
template <class T> static inline T __shfl_sync(unsigned mask, T value, int from, int width = HARNESS_WARP, int line = __builtin_LINE())
{
    int lane = (int)harness_here.lane;
    return harness_shuffle(mask, value, (lane & ~(width - 1)) | (from & (width - 1)), true, line);
}
template <class T> static inline T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = HARNESS_WARP, int line = __builtin_LINE())
{
    int lane = (int)harness_here.lane, from = lane - (int)by;
    return harness_shuffle(mask, value, from, from >= (lane & ~(width - 1)), line);
}
template <class T> static inline T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = HARNESS_WARP, int line = __builtin_LINE())
{
    int lane = (int)harness_here.lane, from = lane + (int)by;
    return harness_shuffle(mask, value, from, from <= (lane | (width - 1)), line);
}
template <class T> static inline T __shfl_xor_sync(unsigned mask, T value, int with, int width = HARNESS_WARP, int line = __builtin_LINE())
{
    int lane = (int)harness_here.lane, from = lane ^ with;
    return harness_shuffle(mask, value, from, from <= (lane | (width - 1)), line);
}

// --- atomics: the threads are fibres of one thread, so nothing comes between

#define HARNESS_ATOMIC(name, type, result)                                                                             \
    static inline type name(type *at, type value)                                                                      \
    {                                                                                                                  \
        type old = *at;                                                                                                \
        *at = (result);                                                                                                \
        return old;                                                                                                    \
    }
#define HARNESS_INTEGERS(name, result)                                                                                 \
    HARNESS_ATOMIC(name, unsigned, result) HARNESS_ATOMIC(name, unsigned long long, result)
#define HARNESS_ORDERED(name, result)                                                                                  \
    HARNESS_INTEGERS(name, result) HARNESS_ATOMIC(name, int, result) HARNESS_ATOMIC(name, long long, result)
HARNESS_INTEGERS(atomicAdd, old + value)
HARNESS_ATOMIC(atomicAdd, int, (int)((unsigned)old + (unsigned)value))
HARNESS_ATOMIC(atomicAdd, float, old + value)
HARNESS_ATOMIC(atomicAdd, double, old + value)
HARNESS_ATOMIC(atomicSub, unsigned, old - value)
HARNESS_ATOMIC(atomicSub, int, (int)((unsigned)old - (unsigned)value))
HARNESS_ORDERED(atomicMin, value < old ? value : old)
HARNESS_ORDERED(atomicMax, value > old ? value : old)
HARNESS_INTEGERS(atomicAnd, old & value)
HARNESS_ATOMIC(atomicAnd, int, old & value)
HARNESS_INTEGERS(atomicOr, old | value)
HARNESS_ATOMIC(atomicOr, int, old | value)
HARNESS_INTEGERS(atomicXor, old ^ value)
HARNESS_ATOMIC(atomicXor, int, old ^ value)
HARNESS_INTEGERS(atomicExch, value)
HARNESS_ATOMIC(atomicExch, int, value)
HARNESS_ATOMIC(atomicExch, float, value)
template <class T> static inline T atomicCAS(T *at, T expected, T value)
{
    T old = *at;
    if (old == expected) *at = value;
    return old;
}
template <class T> static inline T __ldg(const T *at) { return *at; }

// --- single instructions

template <class To, class From> static inline To harness_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "bits are read in the same width");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
static inline float     __int_as_float(int a) { return harness_bits<float>(a); }
static inline float     __uint_as_float(unsigned a) { return harness_bits<float>(a); }
static inline int       __float_as_int(float a) { return harness_bits<int>(a); }
static inline unsigned  __float_as_uint(float a) { return harness_bits<unsigned>(a); }
static inline double    __longlong_as_double(long long a) { return harness_bits<double>(a); }
static inline long long __double_as_longlong(double a) { return harness_bits<long long>(a); }

static inline float  __fadd_rn(float a, float b) { return a + b; }
static inline float  __fsub_rn(float a, float b) { return a - b; }
static inline float  __fmul_rn(float a, float b) { return a * b; }
static inline float  __fdiv_rn(float a, float b) { return a / b; }
static inline float fabsf(float a) { return __builtin_fabsf(a); }
static inline double fabs(double a) { return __builtin_fabs(a); }
static inline float  __fsqrt_rn(float a) { return __builtin_sqrtf(a); }
static inline float  __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return __builtin_sqrt(a); }
static inline float  sqrtf(float a) { return __builtin_sqrtf(a); }
// approximations: as near as those of a device
static inline float  __expf(float a) { return __builtin_expf(a); }
static inline float  __logf(float a) { return __builtin_logf(a); }
static inline float  __log2f(float a) { return __builtin_log2f(a); }
static inline float  __log10f(float a) { return __builtin_log10f(a); }
static inline float  __sinf(float a) { return __builtin_sinf(a); }
static inline float  __cosf(float a) { return __builtin_cosf(a); }
static inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }

static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
static inline int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
static inline int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
static inline int __ffs(int a) { return __builtin_ffs(a); }
static inline int __ffsll(long long a) { return __builtin_ffsll(a); }
static inline int       __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
static inline unsigned  __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
static inline long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
template <int width, class T> static inline T harness_reverse(T a)
{
    T out = 0;
    for (int k = 0; k < width; k++) out |= (a >> k & 1) << (width - 1 - k);
    return out;
}
static inline unsigned           __brev(unsigned a) { return harness_reverse<32>(a); }
static inline unsigned long long __brevll(unsigned long long a) { return harness_reverse<64>(a); }

#endif
