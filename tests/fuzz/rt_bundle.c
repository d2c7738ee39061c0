/* rt_bundle.c - any bytes as a bundle, as they are and with the hash that they should have: what is accepted lies within
 * the bytes, is in order, and is found. */
#include <stdlib.h>

#include "rt/bundle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_one(const uint8_t *bytes, size_t size)
{
    ilc__context ctx;
    ilc__bundle  bundle;
    ilc__context_init(&ctx);
    ilc_status status = ilc__bundle_read(&ctx, &ctx.arena, "fuzz", bytes, size, &bundle);
    if ((status == ILC_OK) != (ctx.diags.count == 0)) abort();
    for (uint32_t i = 0; status == ILC_OK && i < bundle.count; i++) {
        const ilc__part *part = &bundle.parts[i];
        if (ilc__bundle_find(&bundle, part->kind, part->name) != part) abort();
        volatile uint8_t sum = 0;
        for (size_t k = 0; k < part->size; k++) sum = (uint8_t)(sum + part->bytes[k]);
    }
    ilc__context_free(&ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEADER = 64 };
    read_one(data, size);
    if (size < HEADER) return 0;
    uint8_t *sealed = malloc(size);
    if (!sealed) return 0;
    memcpy(sealed, data, size);
    ilc__bundle_seal(sealed, size);
    read_one(sealed, size);
    free(sealed);
    return 0;
}
