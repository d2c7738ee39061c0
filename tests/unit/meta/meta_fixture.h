/* meta_fixture.h - one context and one set per test, and small helpers. */
#ifndef ILC_TESTS_META_FIXTURE_H
#define ILC_TESTS_META_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "meta/image.h"

typedef struct fixture {
    ilc__context ctx;
    ilc__set    *set;
    ilc__image  *image;
} fixture;

static inline int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    ilc__context_init(&f->ctx);
    f->set = ilc__set_create(&f->ctx);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    fixture *f = *state;
    ilc__set_destroy(f->set);
    ilc__context_free(&f->ctx);
    free(f);
    return 0;
}

static inline void open_fixture(fixture *f, const char *name)
{
    const char *path = ilc__arena_printf(&f->ctx.arena, "%s/bin/%s", ILCUDA_FIXTURES, name);
    assert_int_equal(ilc__set_open(f->set, path, &f->image), ILC_OK);
}

static inline const ilc__method *method_named(fixture *f, const char *full_name)
{
    for (uint32_t row = 1; row <= ilc__image_method_count(f->image); row++) {
        const ilc__method *method;
        assert_int_equal(ilc__image_method(f->image, row, &method), ILC_OK);
        if (strcmp(method->full_name, full_name) == 0) return method;
    }
    fail_msg("there is no method %s", full_name);
    return NULL;
}

static inline uint8_t *read_fixture(const char *name, size_t *size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/bin/%s", ILCUDA_FIXTURES, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
