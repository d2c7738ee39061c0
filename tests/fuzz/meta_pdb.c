/* Any bytes as the debug information of a small assembly that has none of its own. */
#include "../unit/meta/image_builder.h"
#include "meta_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t code[] = {0x0A, 0x16, 0x2A}; /* tiny: ldc.i4.0; ret */
    uint8_t              image[IMAGE_MAX];
    size_t               image_size = image_with_body(image, code, sizeof code);
    walk_bytes(image, image_size, data, size, 0);
    return 0;
}
