/* il_statics.c - type initialisers of any assembly, read: each static field is a number, an array or refused, the same when
 * asked again, and what an array holds is there. */
#include <stdlib.h>

#include "il/statics.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_FIELDS = 1024, FIELD_TABLE = 0x04 };

static unsigned sum;

static void ask(ilc__statics *statics, const ilc__field *field)
{
    const ilc__where   where = {.method = "fuzz"};
    const ilc__static *first, *again;
    ilc_status         status = ilc__static_of(statics, field, &where, &first);
    if (status == ILC_INTERNAL) abort();
    if (ilc__static_of(statics, field, &where, &again) != status) abort();
    if (status != ILC_OK) return;
    if (first != again || !first->name) abort();
    if (!first->is_array) return;
    size_t bytes = (size_t)first->array.length * ilc_storage_size(first->array.elem);
    for (size_t i = 0; i < bytes; i++) sum += ((const uint8_t *)first->array.data)[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ilc__context       ctx;
    ilc__image        *image;
    const ilc__method *method = NULL;
    ilc__context_init(&ctx);
    ilc__set *set = ilc__set_create(&ctx);
    if (ilc__set_open_memory(set, "fuzz.dll", data, size, NULL, 0, &image) == ILC_OK) {
        ilc__statics *statics = ilc__statics_create(&ctx, &ctx.arena);
        if (ilc__image_method_count(image) && ilc__image_method(image, 1, &method) != ILC_OK) method = NULL;
        for (uint32_t row = 1; row <= MAX_FIELDS; row++) {
            const ilc__field *field;
            const char       *type_name, *name;
            if (ilc__resolve_field(image, FIELD_TABLE << 24 | row, method, &field, &type_name, &name) == ILC_OK && field)
                ask(statics, field);
        }
    }
    ilc__set_destroy(set);
    ilc__context_free(&ctx);
    return 0;
}
