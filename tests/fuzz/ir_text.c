/* ir_text.c - IR text from anywhere: parsed, verified, and where it is right, printed and read back. */
#include <setjmp.h>
#include <stdlib.h>

#include "ir/ir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ilc__context  ctx;
    ilc__ir_func *func, *again;
    char         *text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = 0;
    ilc__context_init(&ctx);
    if (ilc__ir_parse(&ctx, &ctx.arena, text, &func) == ILC_OK && ilc__ir_verify(func) == ILC_OK) {
        ilc__text first = {.arena = &ctx.arena}, second = {.arena = &ctx.arena};
        ilc__ir_compute_traps(func);
        ilc__ir_print(func, &first);
        if (ilc__ir_parse(&ctx, &ctx.arena, ilc__text_string(&first), &again) != ILC_OK) abort();
        ilc__ir_compute_traps(again);
        ilc__ir_print(again, &second);
        if (strcmp(ilc__text_string(&first), ilc__text_string(&second)) != 0) abort();
    }
    ilc__context_free(&ctx);
    free(text);
    return 0;
}
