/* api_fixture.h - a session over the tutorial's assembly, for tests of the public calls. */
#ifndef TESTS_API_FIXTURE_H
#define TESTS_API_FIXTURE_H

/* cmocka needs these first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <ilcuda/ilcuda.h>

typedef struct fixture {
    ilc_session  *session;
    ilc_assembly *assembly;
} fixture;

#define FIXTURE_BIN ILCUDA_FIXTURES "/bin/"

static inline void fixture_open(fixture *f, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, FIXTURE_BIN "%s", name);
    assert_int_equal(ilc_session_create(&f->session, NULL), ILC_OK);
    assert_int_equal(ilc_assembly_open(&f->assembly, f->session, path, NULL), ILC_OK);
}

static inline void fixture_close(fixture *f)
{
    ilc_session_destroy(f->session);
}

static inline ilc_method *fixture_method(fixture *f, const char *name)
{
    ilc_method *method = NULL;
    assert_int_equal(ilc_assembly_find(&method, f->assembly, name), ILC_OK);
    return method;
}

static inline ilc_kernel *fixture_kernel(fixture *f, const char *name)
{
    ilc_kernel *kernel = NULL;
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(f, name), NULL), ILC_OK);
    return kernel;
}

static inline ilc_engine *fixture_engine(fixture *f, ilc_engine_kind kind)
{
    ilc_engine_options options;
    ilc_engine        *engine = NULL;
    ilc_engine_options_init(&options);
    options.kind = kind;
    options.cache_dir = ILCUDA_CACHE;
    options.threads = 2;
    options.best_code = true; /* api_tiers_test.c has the others */
    assert_int_equal(ilc_engine_create(&engine, f->session, &options), ILC_OK);
    return engine;
}

static inline ilc_buffer *fixture_floats(ilc_engine *engine, const float *data, int64_t count)
{
    ilc_buffer *buffer = NULL;
    assert_int_equal(ilc_buffer_create(&buffer, engine, ILC_F32, count), ILC_OK);
    if (data) assert_int_equal(ilc_buffer_write(buffer, 0, data, count), ILC_OK);
    return buffer;
}

/* One call on an engine. */
static inline ilc_status call_on(ilc_engine *engine, ilc_method *method, const ilc_value *args, size_t count, ilc_outcome *out)
{
    ilc_call_options options;
    ilc_call_options_init(&options);
    options.engine = engine;
    return ilc_call(out, method, args, count, &options);
}

/* The newest diagnostic holds this text. */
static inline void assert_says(fixture *f, const char *text)
{
    if (!strstr(ilc_session_error(f->session), text)) fail_msg("'%s' does not hold '%s'", ilc_session_error(f->session), text);
}

#endif
