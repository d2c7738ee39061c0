/* cli_npy.c - the .npy reader over any bytes: never reads past their end, and what it accepts is consistent. */
#include <stdint.h>
#include <stdlib.h>

#include "npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    npy_array array;
    char      why[160];
    if (npy_parse(data, size, &array, why)) return 0;
    const uint8_t *from = array.data;
    size_t         bytes = (size_t)array.count * npy_element_size(&array);
    if (from < data || bytes != (size_t)(data + size - from)) abort();
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < bytes; i++) sum = (uint8_t)(sum + from[i]);
    return 0;
}
