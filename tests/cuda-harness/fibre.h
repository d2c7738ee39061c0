/* fibre.h - threads that switch by hand: a stack each, and what a sanitizer wants to know of it. */
#ifndef FIBRE_H
#define FIBRE_H

#include <stddef.h>

typedef struct fibre {
    void  *at;     /* stack pointer while it does not run */
    char  *stack;  /* NULL: the caller's own              */
    size_t size;
    void  *fake;   /* of AddressSanitizer */
    const void *bottom; /* of the caller's own stack, as the sanitizer says */
    size_t bottom_size;
} fibre;

/* Its first switch calls run(), which must never return. 0 if there is no memory. */
int  fibre_make(fibre *f, void (*run)(void));
/* Ready to call run() again, when run() has switched away for good. */
void fibre_restart(fibre *f, void (*run)(void));
void fibre_free(fibre *f);
/* Leaves `from`, which must be the one that runs, and goes on with `to`. */
void fibre_switch(fibre *from, fibre *to);
/* The first thing that run() does. */
void fibre_begin(fibre *from);

#endif
