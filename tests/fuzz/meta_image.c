/* Any bytes as an assembly: opened, and asked everything. */
#include "meta_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    walk_bytes(data, size, NULL, 0, 12);
    return 0;
}
