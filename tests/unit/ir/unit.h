/* unit.h - a context per test, and assertions that show the diagnostic. */
#ifndef ILC_TESTS_UNIT_IR_UNIT_H
#define ILC_TESTS_UNIT_IR_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "lib/lib.h"

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

static inline const char *last_diag(const fixture *f)
{
    return f->ctx.diags.count ? f->ctx.diags.items[f->ctx.diags.count - 1].text : "(no diagnostic)";
}

#define assert_ok(f, expr)                                                                                   \
    do {                                                                                                     \
        if ((expr) != ILC_OK) fail_msg("%s", last_diag(f));                                                  \
    } while (0)

#define assert_contains(text, part)                                                                          \
    do {                                                                                                     \
        if (!strstr((text), (part))) fail_msg("\"%s\" is not in \"%s\"", (part), (text));                    \
    } while (0)

#endif
