/* Any bytes as every kind of signature: a method's, a type specification's, of locals, of generic arguments.
 */
#include "../unit/meta/image_builder.h"
#include "meta_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t image[IMAGE_MAX];
    if (size > IMAGE_BLOB_MAX) return 0;
    size_t image_size = image_with_blob(image, data, size);
    walk_bytes(image, image_size, NULL, 0, 3);
    return 0;
}
