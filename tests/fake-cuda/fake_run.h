/* fake_run.h - how the fake libraries of lib-run really compile and run kernels, on the fibre harness. */
#ifndef FAKE_RUN_H
#define FAKE_RUN_H

#include <stddef.h>

/* A program for the device: "FAKE-RUN <arch> <size>\n" and a shared object. The same source is compiled once in a
 * process. NULL with what the compiler printed in *log (the caller frees either). */
char *fake_run_compile(const char *arch, const char *source, size_t *size, char **log);

typedef struct fake_run_module fake_run_module;
/* NULL: that is no program of ours, or it cannot be loaded. */
fake_run_module *fake_run_load(const char *image);
void             fake_run_unload(fake_run_module *module);
/* NULL: no such kernel. */
void *fake_run_find(fake_run_module *module, const char *name);
/* 0, or 1 after a line on standard error. */
int fake_run_launch(fake_run_module *module, void *function, const unsigned grid[3], const unsigned block[3],
                    void **parameters);

#endif
