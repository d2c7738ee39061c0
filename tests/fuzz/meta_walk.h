/* meta_walk.h - asks everything of an image that its rows can be asked. For fuzz targets and hostile tests:
 * any answer will do, as long as it is one. */
#ifndef ILC_TESTS_META_WALK_H
#define ILC_TESTS_META_WALK_H

#include <assert.h>
#include <stdlib.h>

#include "meta/image.h"

static void walk_type(ilc__arena *arena, const ilc__type *type)
{
    assert(type && type->name);
    ilc__type_short_name(arena, type);
    ilc__type_storage(type);
}

static void walk_signature(ilc__arena *arena, const ilc__signature *sig)
{
    walk_type(arena, sig->ret);
    for (uint32_t i = 0; i < sig->param_count; i++)
        walk_type(arena, sig->params[i]);
}

static void walk_method(ilc__arena *arena, const ilc__method *method)
{
    static const uint32_t offsets[] = {0, 7, 300, ILC__ANY_OFFSET};
    const char           *document;
    const uint8_t        *bytes;
    size_t                size;
    assert(strlen(ilc__method_display(arena, method)) > 0);
    walk_signature(arena, &method->sig);
    for (uint32_t i = 0; i < method->sig.param_count; i++)
        assert(method->param_names[i]);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        for (uint32_t slot = 0; slot < 4; slot++)
            ilc__debug_local(method, slot, offsets[i]);
        ilc__debug_line(method, offsets[i], &document);
        ilc__text  source = {.arena = arena};
        ilc__point last = {0};
        ilc__source_comment(&source, "//", method, offsets[i], &last);
    }
    if (ilc__image_body_bytes(method->image, method, &bytes, &size) == ILC_OK) assert(size > 0);
    ilc__mark mark;
    if (ilc__method_mark(method, "KernelAttribute", arena, &mark) == ILC_OK && mark.index) assert(*mark.index);
}

/* Tokens of the tables that IL names, the first rows of each, and strings. */
static void walk_tokens(ilc__arena *arena, ilc__image *image, const ilc__method *within, uint32_t rows)
{
    static const uint32_t tables[] = {0x01, 0x02, 0x04, 0x06, 0x0a, 0x11, 0x1b, 0x2b, 0x70};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        for (uint32_t row = 0; row < rows; row++) {
            uint32_t                token = tables[t] << 24 | row, count;
            const ilc__type        *type;
            const ilc__type *const *types;
            const ilc__field       *field;
            const bool             *pinned;
            const char             *type_name, *name;
            const uint8_t          *bytes;
            size_t                  size;
            ilc__callee             callee;
            if (ilc__resolve_callee(image, token, within, &callee) == ILC_OK)
                walk_signature(arena, &callee.sig);
            if (ilc__resolve_type(image, token, within, &type) == ILC_OK) walk_type(arena, type);
            if (ilc__resolve_field(image, token, within, &field, &type_name, &name) == ILC_OK && field) {
                walk_type(arena, field->type);
                if (ilc__field_data(field, &bytes, &size) == ILC_OK) assert(bytes[0] + bytes[size - 1] >= 0);
            }
            if (ilc__resolve_locals(image, token, within, &count, &types, &pinned) == ILC_OK)
                for (uint32_t i = 0; i < count; i++)
                    walk_type(arena, types[i]);
            if (ilc__resolve_string(image, token, &name) == ILC_OK) assert(name);
        }
    }
}

static void walk_image(ilc__context *ctx, ilc__image *image, uint32_t rows)
{
    ilc__arena arena;
    ilc__arena_init(&arena, &ctx->heap);
    ilc__debug_available(image);
    for (uint32_t row = 0; row <= ilc__image_typedef_count(image) + 1; row++) {
        const ilc__typedef *def;
        if (ilc__image_typedef(image, row, &def) == ILC_OK) walk_type(&arena, def->type);
    }
    const ilc__method *last = NULL;
    for (uint32_t row = 0; row <= ilc__image_method_count(image) + 1; row++) {
        const ilc__method *method;
        if (ilc__image_method(image, row, &method) != ILC_OK) continue;
        walk_method(&arena, method);
        last = method;
    }
    walk_tokens(&arena, image, NULL, rows);
    if (last) walk_tokens(&arena, image, last, rows);
    ilc__arena_free(&arena);
}

/* Opens and walks, with tokens up to rows; the status of opening. A failure must leave exactly one
 * diagnostic. */
static ilc_status walk_bytes(const uint8_t *bytes, size_t size, const uint8_t *pdb, size_t pdb_size,
                             uint32_t rows)
{
    ilc__context ctx;
    ilc__image  *image;
    ilc__context_init(&ctx);
    ilc__set *set = ilc__set_create(&ctx);
    set->framework_sought = true; /* the machine's .NET has no part in this */
    ilc_status status = ilc__set_open_memory(set, "walked.dll", bytes, size, pdb, pdb_size, &image);
    assert(ctx.diags.count == (status == ILC_OK ? 0 : 1));
    if (status == ILC_OK) walk_image(&ctx, image, rows);
    ilc__set_destroy(set);
    ilc__context_free(&ctx);
    return status;
}

#endif
