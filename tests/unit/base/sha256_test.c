/* sha256_test.c - SHA-256 against the examples of FIPS 180-4 and lengths around a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"

static void assert_hash(const void *bytes, size_t size, const char *wanted)
{
    uint8_t hash[ILC__SHA256_SIZE];
    char    text[2 * ILC__SHA256_SIZE + 1];
    ilc__sha256(bytes, size, hash);
    for (int i = 0; i < ILC__SHA256_SIZE; i++) snprintf(text + 2 * i, 3, "%02x", hash[i]);
    assert_string_equal(text, wanted);
}

static void the_examples_of_the_standard_come_out(void **state)
{
    (void)state;
    assert_hash("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_hash("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void lengths_around_a_block_come_out(void **state)
{
    static const struct { /* so many times 'a'; the answers are those of sha256sum */
        size_t      size;
        const char *hash;
    } rows[] = {
        {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {57, "f13b2d724659eb3bf47f2dd6af1accc87b81f09f59f2b75e5c0bed6589dfe8c6"},
        {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
        {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
        {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
        {120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
        {128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"},
        {1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    uint8_t *bytes = malloc(1000000);
    (void)state;
    memset(bytes, 'a', 1000000);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_hash(bytes, rows[i].size, rows[i].hash);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_examples_of_the_standard_come_out),
                                       cmocka_unit_test(lengths_around_a_block_come_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
