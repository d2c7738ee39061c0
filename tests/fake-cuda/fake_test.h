/* fake_test.h - the fake driver as a test holds it: loaded by its file, fresh before each test, empty after. */
#ifndef FAKE_TEST_H
#define FAKE_TEST_H

/* cmocka needs these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <string.h>

#include "fake_cuda.h"

static fake_control *fake;
static void (*reset)(void);

static inline void fake_load(const char *path)
{
    fake_control *(*control_of)(void);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    void *symbol = dlsym(library, "fake_cuda_control");
    assert_non_null(symbol);
    memcpy(&control_of, &symbol, sizeof symbol);
    symbol = dlsym(library, "fake_cuda_reset");
    assert_non_null(symbol);
    memcpy(&reset, &symbol, sizeof symbol);
    fake = control_of();
}

static inline void expect_nothing_alive(void)
{
    assert_int_equal(fake->retained, 0);
    assert_int_equal(fake->created, 0);
    assert_int_equal(fake->depth, 0);
    assert_int_equal(fake->modules, 0);
    assert_int_equal(fake->buffers, 0);
    assert_int_equal(fake->streams, 0);
    assert_int_equal(fake->events, 0);
    assert_int_equal(fake->programs, 0);
    assert_int_equal(fake->misuse, 0);
}

#endif
