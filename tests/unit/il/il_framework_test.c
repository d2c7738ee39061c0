/* Every assembly of an installed .NET: all signatures, bodies and tokens are read. Skipped where there is
 * none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "il/il.h"
#include "meta/image.h"

typedef struct totals {
    ilc__context *ctx;
    ilc__set     *set;
    const char   *folder;
    unsigned      images, methods, bodies, without, callees, unresolved;
} totals;

static void must(const totals *t, ilc_status status)
{
    if (status != ILC_OK) fail_msg("%s", t->ctx->diags.items[t->ctx->diags.count - 1].text);
}

static void read_tokens(totals *t, const ilc__body *body)
{
    ilc__image *image = body->method->image;
    for (uint32_t i = 0; i < body->insn_count; i++) {
        const ilc__insn  *insn = &body->insns[i];
        ilc__callee       callee;
        const ilc__type  *type;
        const ilc__field *field;
        const char       *type_name, *name;
        switch ((int)ilc__opcode_operand(insn->op)) {
        case ILC__OPERAND_METHOD:
            must(t, ilc__resolve_callee(image, insn->u.token, body->method, &callee));
            t->callees++;
            if (!callee.def && callee.type->kind != ILC__ET_ARRAY) t->unresolved++;
            break;
        case ILC__OPERAND_TYPE: must(t, ilc__resolve_type(image, insn->u.token, body->method, &type)); break;
        case ILC__OPERAND_FIELD:
            must(t, ilc__resolve_field(image, insn->u.token, body->method, &field, &type_name, &name));
            if (!field) t->unresolved++;
            break;
        case ILC__OPERAND_STRING: must(t, ilc__resolve_string(image, insn->u.token, &name)); break;
        default: break;
        }
    }
}

static void read_image(totals *t, ilc__image *image)
{
    for (uint32_t row = 1; row <= ilc__image_method_count(image); row++) {
        const ilc__method *method;
        ilc__arena         arena;
        ilc__body          body;
        must(t, ilc__image_method(image, row, &method));
        ilc__arena_init(&arena, &t->ctx->heap);
        uint32_t   diags = t->ctx->diags.count;
        ilc_status status = ilc__body_decode(t->ctx, &arena, method, &body);
        if (status == ILC_UNSUPPORTED) {
            assert_int_equal(t->ctx->diags.count, diags + 1);
            t->ctx->diags.count = diags;
            t->without++;
        } else {
            must(t, status);
            read_tokens(t, &body);
            t->bodies++;
        }
        t->methods++;
        ilc__arena_free(&arena);
    }
}

static void visit(void *user, const char *name)
{
    totals     *t = user;
    ilc__image *image;
    size_t      length = strlen(name);
    if (length < 4 || strcmp(name + length - 4, ".dll") != 0) return;
    must(t, ilc__set_open(t->set, ilc__arena_printf(&t->ctx->arena, "%s/%s", t->folder, name), &image));
    read_image(t, image);
    t->images++;
}

static void every_body_of_the_shared_framework_is_read(void **state)
{
    (void)state;
    ilc__context ctx;
    ilc__context_init(&ctx);
    totals t = {.ctx = &ctx, .set = ilc__set_create(&ctx)};
    t.folder = ilc__set_framework(t.set);
    if (!t.folder) {
        ilc__set_destroy(t.set);
        ilc__context_free(&ctx);
        print_message("skipped: no .NET is installed\n");
        skip();
    }
    assert_true(ilc__directory_each(&ctx.arena, t.folder, visit, &t));
    print_message("%u assemblies, %u methods, %u bodies, %u without, %u calls, %u members not found\n",
                  t.images, t.methods, t.bodies, t.without, t.callees, t.unresolved);
    assert_true(t.images > 100 && t.bodies > 100000);
    assert_int_equal(t.unresolved, 0);
    ilc__set_destroy(t.set);
    ilc__context_free(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_body_of_the_shared_framework_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
