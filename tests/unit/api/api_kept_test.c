/* api_kept_test.c - what a session keeps of a translated method: little, and nothing that went with the call
 * that made it. */
#include <dirent.h>
#include <stdlib.h>

#include "api_fixture.h"

/* Memory that is given back is overwritten first, so that whoever still reads it reads nonsense. */
enum { HEAD = 16, NONSENSE = 0xDB };

typedef struct allocator {
    long   blocks;
    size_t bytes;
} allocator;

static void *spoiling_resize(void *user, void *ptr, size_t size)
{
    allocator *a = user;
    char      *old = ptr ? (char *)ptr - HEAD : NULL, *new = NULL;
    size_t     had = 0;
    if (old) memcpy(&had, old, sizeof had);
    if (size) {
        if (!(new = malloc(size + HEAD))) return NULL;
        memcpy(new, &size, sizeof size);
        if (had) memcpy(new + HEAD, ptr, had < size ? had : size);
        a->blocks++;
        a->bytes += size;
    }
    if (old) {
        a->blocks--;
        a->bytes -= had;
        memset(old, NONSENSE, had + HEAD);
        free(old);
    }
    return new ? new + HEAD : NULL;
}

static ilc_session *spoiling_session(allocator *a)
{
    ilc_session_options options;
    ilc_session        *session;
    ilc_session_options_init(&options);
    options.resize = spoiling_resize;
    options.resize_user = a;
    assert_int_equal(ilc_session_create(&session, &options), ILC_OK);
    return session;
}

static ilc_assembly *open_in(ilc_session *session, const char *name)
{
    char          path[512];
    ilc_assembly *assembly;
    snprintf(path, sizeof path, FIXTURE_BIN "%s", name);
    assert_int_equal(ilc_assembly_open(&assembly, session, path, NULL), ILC_OK);
    return assembly;
}

static void a_translated_method_keeps_little(void **state)
{
    enum { COUNT = 100, MOST_BLOCKS = 4, MOST_BYTES = 64 * 1024 };
    (void)state;
    allocator     a = {0};
    ilc_session  *session = spoiling_session(&a);
    ilc_assembly *assembly = open_in(session, "Generated.dll");
    allocator     before = a;
    for (int m = 0; m < COUNT; m++) {
        char        name[16];
        ilc_method *method;
        ilc_kernel *kernel;
        snprintf(name, sizeof name, "M%04d", m);
        assert_int_equal(ilc_assembly_find(&method, assembly, name), ILC_OK);
        assert_int_equal(ilc_kernel_translate(&kernel, method, NULL), ILC_OK);
    }
    long   blocks = (a.blocks - before.blocks) / COUNT;
    size_t bytes = (a.bytes - before.bytes) / COUNT;
    print_message("%ld blocks, %zu bytes for a method\n", blocks, bytes);
    assert_true(blocks <= MOST_BLOCKS && bytes <= MOST_BYTES);
    ilc_session_destroy(session);
    assert_int_equal(a.blocks, 0);
}

/* All of a method's texts, and the tree interpreter against the judge, each in a call of its own. */
static void same_texts(ilc_kernel *kernel, ilc_kernel *other)
{
    for (int form = ILC_TEXT_IL; form <= ILC_TEXT_C_UNIT; form++) {
        const char *text, *expected;
        ilc_status  status = ilc_kernel_text(&expected, other, (ilc_text)form);
        assert_int_equal(ilc_kernel_text(&text, kernel, (ilc_text)form), status);
        if (status == ILC_OK) assert_string_equal(text, expected);
    }
}

static void same_answers(ilc_method *method)
{
    ilc_check_options options;
    ilc_check_result  checked;
    ilc_check_options_init(&options);
    options.rounds = 1;
    options.fuel = 500;
    if (ilc_check(&checked, method, &options) == ILC_OK) assert_false(checked.different);
}

enum { MANY = 60 }; /* of methods: those of such an assembly are much alike, and every fourth will do */

/* Kernels first, then what is made of them: all that the calls of the translation had is gone by then. */
static unsigned use_assembly(const char *name)
{
    allocator     a = {0};
    ilc_session  *session = spoiling_session(&a), *plain;
    ilc_assembly *assembly = open_in(session, name), *other;
    uint32_t      count = ilc_assembly_method_count(assembly);
    ilc_kernel  **kernels = calloc(count + 1, sizeof *kernels);
    unsigned      kept = 0;
    assert_int_equal(ilc_session_create(&plain, NULL), ILC_OK);
    other = open_in(plain, name);
    for (uint32_t i = 0; i < count; i++) {
        ilc_method *method;
        if (count > MANY && i % 4) continue;
        if (ilc_assembly_method(&method, assembly, i) != ILC_OK || !ilc_method_is_static(method) ||
            !ilc_method_has_body(method))
            continue;
        if (ilc_kernel_translate(&kernels[i], method, NULL) != ILC_OK) kernels[i] = NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        ilc_method *method;
        ilc_kernel *kernel;
        if (!kernels[i]) continue;
        kept++;
        assert_int_equal(ilc_assembly_method(&method, other, i), ILC_OK);
        assert_int_equal(ilc_kernel_translate(&kernel, method, NULL), ILC_OK);
        same_texts(kernels[i], kernel);
        same_answers(ilc_kernel_method(kernels[i]));
    }
    free(kernels);
    ilc_session_destroy(plain);
    ilc_session_destroy(session);
    assert_int_equal(a.blocks, 0);
    return kept;
}

static void nothing_that_is_kept_refers_to_what_went_with_a_call(void **state)
{
    (void)state;
    DIR           *directory = opendir(FIXTURE_BIN);
    struct dirent *entry;
    unsigned       kept = 0;
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && strcmp(dot, ".dll") == 0) kept += use_assembly(entry->d_name);
    }
    closedir(directory);
    print_message("%u methods\n", kept);
    assert_true(kept > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_translated_method_keeps_little),
        cmocka_unit_test(nothing_that_is_kept_refers_to_what_went_with_a_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
