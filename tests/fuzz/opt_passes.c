/* opt_passes.c - right IR from anywhere stays right through the passes, and they come to an end. */
#include <stdlib.h>

#include "opt/pass.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ilc__context  ctx;
    ilc__ir_func *func;
    char         *text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = 0;
    ilc__context_init(&ctx);
    if (ilc__ir_parse(&ctx, &ctx.arena, text, &func) == ILC_OK && ilc__ir_verify(func) == ILC_OK) {
        ilc__ir_unit unit = {0};
        ILC__PUSH(&ctx.arena, &unit.funcs, func);
        ilc_status status = ilc__opt_run(&ctx, &unit, NULL, NULL); /* recursion that is no loop is refused */
        if ((status != ILC_OK && status != ILC_UNSUPPORTED) || ilc__ir_verify(func) != ILC_OK) abort();
    }
    ilc__context_free(&ctx);
    free(text);
    return 0;
}
