/* cli_npy_test.c - .npy files: what is written is read again; what is not such a file is refused with a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "npy.h"

/* A file of that version around a header and zeroed data. */
static size_t make(uint8_t *out, int version, const char *header, size_t data)
{
    size_t length = strlen(header), at = version == 1 ? 10 : 12;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (uint8_t)version;
    out[7] = 0;
    for (size_t i = 0; i < at - 8; i++) out[8 + i] = (uint8_t)(length >> 8 * i);
    memcpy(out + at, header, length);
    memset(out + at + length, 0, data);
    return at + length + data;
}

static const char *parse(int version, const char *header, size_t data, npy_array *array)
{
    static char why[160];
    uint8_t     made[1024];
    size_t      size = make(made, version, header, data);
    /* Exactly the bytes, so that the sanitizer sees a read past the end. */
    uint8_t *bytes = malloc(size);
    memcpy(bytes, made, size);
    const char *reason = npy_parse(bytes, size, array, why);
    free(bytes);
    return reason;
}

#define HEADER(descr, order, shape) "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }\n"

static void every_version_and_element_type_is_read(void **state)
{
    npy_array a;
    (void)state;
    assert_null(parse(1, HEADER("'<f4'", "False", "(2, 3)"), 24, &a));
    assert_true(a.elem == ILC_F32 && a.dims == 2 && a.shape[0] == 2 && a.shape[1] == 3 && a.count == 6);
    assert_null(parse(2, HEADER("'<f8'", "False", "(5,)"), 40, &a));
    assert_true(a.elem == ILC_F64 && a.dims == 1 && a.count == 5);
    assert_null(parse(3, HEADER("'|b1'", "False", "()"), 1, &a));
    assert_true(a.elem == ILC_BOOL && a.dims == 0 && a.count == 1);
    assert_null(parse(1, HEADER("'<u2'", "False", "(0, 4)"), 0, &a));
    assert_true(a.elem == ILC_U16 && a.count == 0);
    assert_null(parse(1, "{\"shape\":(1,),\"fortran_order\":False,\"descr\":\"=i8\"}", 8, &a));
    assert_int_equal(a.elem, ILC_I64);
    static const char *const codes[] = {"|i1", "|u1", "<i2", "<u4", "<i4", "<u8"};
    static const size_t      sizes[] = {1, 1, 2, 4, 4, 8};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char header[128];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }", codes[i]);
        assert_null(parse(1, header, sizes[i], &a));
        assert_int_equal(ilc_storage_size(a.elem), sizes[i]);
    }
}

static void records_are_read_with_their_padding_and_nested(void **state)
{
    npy_array a;
    (void)state;
    assert_null(parse(1, HEADER("[('A', '|u1'), ('', '|V7'), ('B', '<f8'), ('C', '<i2'), ('', '|V6')]", "False", "(2,)"), 48, &a));
    assert_true(a.elem == ILC_STRUCT && a.size == 24 && a.leaf_count == 3 && a.count == 2);
    assert_true(a.leaves[0].offset == 0 && a.leaves[1].offset == 8 && a.leaves[2].offset == 16);
    assert_true(a.leaves[1].elem == ILC_F64 && strcmp(a.leaves[2].name, "C") == 0);
    assert_null(parse(1, HEADER("[('p', [('x', '<f4'), ('y', '<f4')]), ('n', '<i4')]", "False", "(3,)"), 36, &a));
    assert_true(a.size == 12 && a.leaf_count == 3 && strcmp(a.leaves[1].name, "p.y") == 0 && a.leaves[1].offset == 4);
}

static void refuse(const char *header, size_t data, const char *text)
{
    npy_array   a;
    const char *why = parse(1, header, data, &a);
    if (!why) fail_msg("taken: %s", header);
    if (!strstr(why, text)) fail_msg("'%s' does not hold '%s'", why, text);
}

static void records_that_no_struct_is_like_are_refused(void **state)
{
    (void)state;
    refuse(HEADER("[]", "False", "(1,)"), 0, "empty");
    refuse(HEADER("[('a', '<f4', (2,))]", "False", "(1,)"), 8, "arrays");
    refuse(HEADER("[('a', '>f4')]", "False", "(1,)"), 4, "big-endian");
    refuse(HEADER("[('a', '<f4'), ('', '|V99999999')]", "False", "(0,)"), 0, "too large");
    refuse(HEADER("[('a', '<f4'", "False", "(1,)"), 4, "not readable");
    refuse(HEADER("[('a', [('b', [('c', [('d', [('e', [('f', [('g', [('h', [('i', [('j', [('k', [('l', [('m', [('n', [('o', [('p', [('q', "
                  "[('r', '<f4')])])])])])])])])])])])])])])])])])])]", "False", "(1,)"), 4, "deep");
}

static void what_a_kernel_cannot_take_is_refused_with_its_reason(void **state)
{
    npy_array a;
    (void)state;
    refuse(HEADER("'<f4'", "True", "(2, 3)"), 24, "Fortran");
    assert_null(parse(1, HEADER("'<f4'", "True", "(6,)"), 24, &a));
    refuse(HEADER("'>f4'", "False", "(1,)"), 4, "big-endian");
    refuse(HEADER("'<c8'", "False", "(1,)"), 8, "<c8");
    refuse(HEADER("'|O'", "False", "(1,)"), 8, "|O");
    refuse(HEADER("'<f4'", "False", "(1,1,1,1,1,1,1,1,1)"), 4, "too many dimensions");
}

static void malformed_files_are_refused(void **state)
{
    npy_array a;
    char      why[160];
    (void)state;
    refuse(HEADER("'<f4'", "False", "(2, 3)"), 23, "23 bytes");
    refuse(HEADER("'<f4'", "False", "(2, 3)"), 25, "25 bytes");
    refuse(HEADER("'<f4'", "False", "(9223372036854775807, 9)"), 0, "shape");
    refuse(HEADER("'<f4'", "False", "(99999999999999999999)"), 0, "shape");
    refuse(HEADER("'<f4'", "False", "(-1,)"), 0, "shape");
    refuse(HEADER("'<f4'", "Maybe", "(1,)"), 4, "header");
    refuse("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", 4, "twice");
    refuse("{'descr': '<f4', 'shape': (1,)}", 4, "header");
    refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", 4, "header");
    refuse("{'descr': '<f4", 0, "objects");
    refuse("", 0, "header");
    assert_non_null(npy_parse("\x93NUMPY", 6, &a, why));
    assert_non_null(npy_parse("\x93NUMPY\x04\x00\x00\x00", 10, &a, why));
    assert_non_null(npy_parse("\x93NUMPY\x01\x00\xff\xff", 10, &a, why));
    assert_non_null(npy_parse("\x93NUMPY\x02\x00\x01\x00", 10, &a, why));
    assert_non_null(npy_parse("PK\x03\x04 a zip file", 14, &a, why));
    assert_non_null(npy_parse("", 0, &a, why));
}

static void what_is_written_is_read_again(void **state)
{
    const double data[6] = {1, -2.5, 3, 0, 1e300, -0.0};
    npy_array    written = {.elem = ILC_F64, .dims = 2, .shape = {3, 2}, .count = 6, .data = data}, read;
    char         path[] = "npy_test_XXXXXX", why[160];
    uint8_t      bytes[512];
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_null(npy_write(path, &written));
    FILE  *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    unlink(path);
    assert_null(npy_parse(bytes, size, &read, why));
    assert_true(read.elem == ILC_F64 && read.dims == 2 && read.shape[0] == 3 && read.shape[1] == 2);
    assert_memory_equal(read.data, data, sizeof data);
    assert_int_equal(((const uint8_t *)read.data - bytes) % 64, 0);
    assert_non_null(npy_write("/no/such/folder/x.npy", &written));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_and_element_type_is_read),
        cmocka_unit_test(records_are_read_with_their_padding_and_nested),
        cmocka_unit_test(records_that_no_struct_is_like_are_refused),
        cmocka_unit_test(what_a_kernel_cannot_take_is_refused_with_its_reason),
        cmocka_unit_test(malformed_files_are_refused),
        cmocka_unit_test(what_is_written_is_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
