/* Any bytes as a method body: decoded and printed. */
#include <assert.h>

#include "../unit/meta/image_builder.h"
#include "il/il.h"
#include "meta/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void decode(ilc__context *ctx, const ilc__method *method)
{
    ilc__arena arena;
    ilc__body  body;
    ilc__text  text = {.arena = &arena};
    ilc__arena_init(&arena, &ctx->heap);
    if (ilc__body_decode(ctx, &arena, method, &body) == ILC_OK) {
        for (uint32_t i = 0; i < body.insn_count; i++)
            assert(body.index[body.insns[i].offset] == i);
        assert(ilc__body_print(ctx, &arena, &body, &text) == ILC_OK);
    }
    ilc__arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t     built[IMAGE_MAX];
    ilc__context       ctx;
    ilc__image        *image;
    const ilc__method *method;
    if (size > IMAGE_BODY_MAX) return 0;
    size_t image_size = image_with_body(built, data, size);
    ilc__context_init(&ctx);
    ilc__set *set = ilc__set_create(&ctx);
    set->framework_sought = true;
    ilc_status status = ilc__set_open_memory(set, "body.dll", built, image_size, NULL, 0, &image);
    assert(status == ILC_OK);
    status = ilc__image_method(image, 1, &method);
    assert(status == ILC_OK);
    decode(&ctx, method);
    ilc__set_destroy(set);
    ilc__context_free(&ctx);
    return 0;
}
