/* il_cases.h - data/IlCases.dll, methods that tools/arith-answers writes in IL, opened for a test. */
#ifndef TESTS_INTERP_IL_CASES_H
#define TESTS_INTERP_IL_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "interp/il_interp.h"

typedef struct cases {
    ilc__context     ctx;
    ilc__set        *set;
    ilc__image      *image;
    ilc__il_machine *machine;
    uint8_t         *bytes; /* of the assembly; may be changed before the first call */
    size_t           size;
} cases;

static inline uint8_t *read_file(const char *name, size_t *size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/unit/interp/data/%s", ILCUDA_SOURCE_DIR, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    long length = ftell(f);
    assert_true(length > 0);
    rewind(f);
    uint8_t *bytes = malloc((size_t)length + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, (size_t)length, f), length);
    bytes[length] = 0;
    *size = (size_t)length;
    fclose(f);
    return bytes;
}

static inline int open_cases(void **state)
{
    cases *c = calloc(1, sizeof *c);
    assert_non_null(c);
    ilc__context_init(&c->ctx);
    c->bytes = read_file("IlCases.dll", &c->size);
    c->set = ilc__set_create(&c->ctx);
    assert_int_equal(ilc__set_open_memory(c->set, "IlCases.dll", c->bytes, c->size, NULL, 0, &c->image), ILC_OK);
    c->machine = ilc__il_machine_create(&c->ctx, &c->ctx.arena);
    *state = c;
    return 0;
}

static inline int close_cases(void **state)
{
    cases *c = *state;
    ilc__set_destroy(c->set);
    ilc__context_free(&c->ctx);
    free(c->bytes);
    free(c);
    return 0;
}

static inline const ilc__method *find_method(const cases *c, const char *name)
{
    const ilc__method *method;
    for (uint32_t row = 1; row <= ilc__image_method_count(c->image); row++) {
        assert_int_equal(ilc__image_method(c->image, row, &method), ILC_OK);
        if (strcmp(method->name, name) == 0) return method;
    }
    fail_msg("no method %s", name);
    return NULL;
}

static inline ilc_value number(ilc_storage storage, uint64_t bits)
{
    return (ilc_value){.storage = storage, .u.bits = bits};
}

static inline ilc_value array(ilc_storage elem, ilc_array *object)
{
    return (ilc_value){.storage = elem, .is_array = true, .u.array = object};
}

#endif
