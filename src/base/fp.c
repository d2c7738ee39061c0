/* fp.c - the floating-point environment of a thread (os.h): a matter of the processor, not of the system. */
#include "base/os.h"

/* MXCSR has 16 bits that matter, the x87 control word 16 more. */
uint32_t ilc__fp_enter(void)
{
#if defined(__x86_64__) || defined(__i386__)
    uint32_t mxcsr, standard = 0x1F80;
    uint16_t x87, x87_standard = 0x037F;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    __asm__ volatile("ldmxcsr %0" : : "m"(standard));
    __asm__ volatile("fldcw %0" : : "m"(x87_standard));
    return (mxcsr & 0xFFFF) | (uint32_t)x87 << 16;
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0));
    return (uint32_t)fpcr;
#else
    return 0;
#endif
}

void ilc__fp_leave(uint32_t saved)
{
#if defined(__x86_64__) || defined(__i386__)
    uint32_t mxcsr = saved & 0xFFFF;
    uint16_t x87 = (uint16_t)(saved >> 16);
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
    __asm__ volatile("fldcw %0" : : "m"(x87));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)saved));
#else
    (void)saved;
#endif
}
