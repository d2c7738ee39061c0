/* unit.h - a context per test, and assertions that show the diagnostic. */
#ifndef ILC_TESTS_UNIT_IR_UNIT_H
#define ILC_TESTS_UNIT_IR_UNIT_H

#include "../context.h"
#include "lib/lib.h"

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
