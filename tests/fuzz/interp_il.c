/* interp_il.c - the judge over any assembly: each method is translated, and run for a little on zeros, once traced,
 * once on short arrays. It may refuse, trap or run out of fuel, and never leaves its arrays. */
#include <stdlib.h>

#include "interp/il_interp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_METHODS = 256, MAX_PARAMS = 8, FUEL = 2000 };

static void ignore(void *user, const char *line)
{
    if (!*line) abort();
    ++*(unsigned *)user;
}

static void call(ilc__il_machine *machine, const ilc__method *method, bool short_arrays)
{
    ilc_value           args[MAX_PARAMS] = {0};
    ilc_array           arrays[MAX_PARAMS];
    uint64_t            data[MAX_PARAMS][2] = {0};
    unsigned            lines = 0;
    ilc__interp_options options = {.fuel = FUEL};
    ilc_outcome         out;
    if (method->sig.param_count > MAX_PARAMS) return;
    for (uint32_t i = 0; i < method->sig.param_count; i++) {
        const ilc__type *type = method->sig.params[i];
        args[i].is_byref = type->kind == ILC__ET_BYREF;
        args[i].is_array = type->kind == ILC__ET_SZARRAY || args[i].is_byref;
        args[i].storage = ilc__type_storage(args[i].is_array ? type->elem : type);
        arrays[i] = (ilc_array){.elem = args[i].storage, .length = args[i].is_byref ? 1 : 2, .data = data[i]};
        if (args[i].is_byref || (args[i].is_array && short_arrays)) args[i].u.array = &arrays[i];
        else if (!args[i].is_array && short_arrays) args[i].u.bits = 1;
    }
    if (!short_arrays) options.trace = ignore, options.trace_user = &lines;
    if (ilc__il_call(machine, method, args, method->sig.param_count, &options, &out) == ILC_INTERNAL) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ilc__context       ctx;
    ilc__image        *image;
    const ilc__method *method;
    ilc__context_init(&ctx);
    ilc__set *set = ilc__set_create(&ctx);
    if (ilc__set_open_memory(set, "fuzz.dll", data, size, NULL, 0, &image) == ILC_OK) {
        ilc__il_machine *machine = ilc__il_machine_create(&ctx, &ctx.arena);
        uint32_t         count = ilc__image_method_count(image);
        for (uint32_t row = 1; row <= count && row <= MAX_METHODS; row++) {
            if (ilc__image_method(image, row, &method) != ILC_OK) continue;
            call(machine, method, false);
            call(machine, method, true);
        }
    }
    ilc__set_destroy(set);
    ilc__context_free(&ctx);
    return 0;
}
