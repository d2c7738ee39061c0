/* fibre.c - switching stacks on x86-64 and 64-bit Arm (fibre.h). */
#define _GNU_SOURCE
#include "fibre.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#ifdef WITH_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/* Pages are taken when they are touched. A thread of a device has 512 KiB at most; sanitizers take several times that. */
enum { STACK_SIZE = 4 << 20, GUARD = 1 << 16 };

/* Saves what a called function must keep, changes stacks, restores. */
void fibre_jump(void **save, void *to);
#if defined(__x86_64__)
enum { SAVED = 7, RETURN_AT = 6 };
__asm__(".text\n"
        ".globl fibre_jump\n"
        ".hidden fibre_jump\n"
        ".type fibre_jump, @function\n"
        "fibre_jump:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n    popq %rbp\n"
        "    ret\n"
        ".size fibre_jump, .-fibre_jump\n");
#elif defined(__aarch64__)
enum { SAVED = 20, RETURN_AT = 11 };
__asm__(".text\n"
        ".globl fibre_jump\n"
        ".hidden fibre_jump\n"
        ".type fibre_jump, %function\n"
        "fibre_jump:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n    stp x21, x22, [sp, #16]\n    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n    stp x27, x28, [sp, #64]\n    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n    stp d10, d11, [sp, #112]\n    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n    str x9, [x0]\n    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n    ldp x21, x22, [sp, #16]\n    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n    ldp x27, x28, [sp, #64]\n    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n    ldp d10, d11, [sp, #112]\n    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n    ret\n"
        ".size fibre_jump, .-fibre_jump\n");
#else
#error "the harness switches stacks on x86-64 and 64-bit Arm"
#endif
#ifdef __linux__
__asm__(".section .note.GNU-stack,\"\",%progbits\n.text\n");
#endif

void fibre_restart(fibre *f, void (*run)(void))
{
    /* As if run had been called: on x86-64 the stack is 8 off 16 where a function begins. */
    uintptr_t top = ((uintptr_t)f->stack + f->size) & ~(uintptr_t)63;
    void    **frame = (void **)(top - 64) - SAVED;
#ifdef __x86_64__
    frame++;
#endif
    memset(frame, 0, SAVED * sizeof *frame);
    memcpy(&frame[RETURN_AT], &run, sizeof run);
    f->at = frame;
    f->fake = NULL;
}

int fibre_make(fibre *f, void (*run)(void))
{
    char *memory = mmap(NULL, GUARD + STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return 0;
    mprotect(memory, GUARD, PROT_NONE);
    *f = (fibre){.stack = memory + GUARD, .size = STACK_SIZE};
    fibre_restart(f, run);
    return 1;
}

void fibre_free(fibre *f)
{
    if (!f->stack) return;
#ifdef WITH_ASAN
    __asan_unpoison_memory_region(f->stack, f->size); /* functions left in the middle leave their marks */
#endif
    munmap(f->stack - GUARD, f->size + GUARD);
    f->stack = NULL;
}

void fibre_switch(fibre *from, fibre *to)
{
#ifdef WITH_ASAN
    __sanitizer_start_switch_fiber(&from->fake, to->stack ? to->stack : to->bottom, to->stack ? to->size : to->bottom_size);
#endif
    fibre_jump(&from->at, to->at);
#ifdef WITH_ASAN
    __sanitizer_finish_switch_fiber(from->fake, NULL, NULL);
#endif
}

void fibre_begin(fibre *from)
{
    (void)from;
#ifdef WITH_ASAN
    const void *bottom;
    size_t      size;
    __sanitizer_finish_switch_fiber(NULL, &bottom, &size);
    if (!from->stack) from->bottom = bottom, from->bottom_size = size;
#endif
}
