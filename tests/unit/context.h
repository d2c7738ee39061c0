/* context.h - a context for each test: set_up, tear_down, and TEST(name), a row of cmocka's table. */
#ifndef ILC_TESTS_UNIT_CONTEXT_H
#define ILC_TESTS_UNIT_CONTEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

typedef struct fixture {
    ilc__context ctx;
} fixture;

static inline int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    ilc__context_init(&f->ctx);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    fixture *f = *state;
    ilc__context_free(&f->ctx);
    free(f);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
