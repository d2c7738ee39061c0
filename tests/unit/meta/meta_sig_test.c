/* Signatures: each form, their names, and the broken ones. */
#include "image_builder.h"
#include "meta_fixture.h"

static uint8_t image_bytes_of[IMAGE_MAX];

static void open_blob(fixture *f, const uint8_t *blob, size_t size)
{
    size_t image_size = image_with_blob(image_bytes_of, blob, size);
    f->set->framework_sought = true;
    assert_int_equal(ilc__set_open_memory(f->set, "sig.dll", image_bytes_of, image_size, NULL, 0, &f->image),
                     ILC_OK);
}

#define OPEN(...) open_blob(f, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))
enum { TYPESPEC = 0x1B000001, LOCALS = 0x11000001, MEMBERREF = 0x0A000001, METHODSPEC = 0x2B000001 };
enum { T = 2 << 2, OBJECT = 1 << 2 | 1, INT32 = 2 << 2 | 1 }; /* TypeDefOrRef, coded */

static const ilc__type *type_of(fixture *f)
{
    const ilc__type *type = NULL;
    assert_int_equal(ilc__resolve_type(f->image, TYPESPEC, NULL, &type), ILC_OK);
    return type;
}

static void types_have_their_reflection_names(void **state)
{
    fixture *f = *state;
    static const struct {
        uint8_t     blob[16];
        size_t      size;
        const char *name, *short_name;
    } cases[] = {
        {{0x0C}, 1, "System.Single", "Single"},
        {{0x1D, 0x0C}, 2, "System.Single[]", "Single[]"},
        {{0x1D, 0x1D, 0x0D}, 3, "System.Double[][]", "Double[][]"},
        {{0x14, 0x08, 2, 0, 0}, 5, "System.Int32[,]", "Int32[,]"},
        {{0x14, 0x08, 2, 2, 3, 4, 2, 0, 0}, 9, "System.Int32[,]", "Int32[,]"},
        {{0x14, 0x08, 1, 0, 0}, 5, "System.Int32[*]", "Int32[*]"},
        {{0x0F, 0x01}, 2, "System.Void*", "Void*"},
        {{0x10, 0x09}, 2, "System.UInt32&", "UInt32&"},
        {{0x18}, 1, "System.IntPtr", "IntPtr"},
        {{0x12, T}, 2, "T", "T"},
        {{0x15, 0x12, T, 2, 0x0C, 0x1D, 0x08}, 7, "T<System.Single,System.Int32[]>", "T<Single,Int32[]>"},
        {{0x13, 0}, 2, "!0", "!0"},
        {{0x1E, 3}, 2, "!!3", "!!3"},
        {{0x1B, 0x00, 2, 0x01, 0x08, 0x0D},
         6,
         "System.Void(System.Int32,System.Double)*",
         "Void(System.Int32,System.Double)*"},
        {{0x1F, OBJECT, 0x20, INT32, 0x08}, 5, "System.Int32", "Int32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_blob(f, cases[i].blob, cases[i].size);
        assert_string_equal(type_of(f)->name, cases[i].name);
        if (cases[i].blob[0] != 0x1B)
            assert_string_equal(ilc__type_short_name(&f->ctx.arena, type_of(f)), cases[i].short_name);
    }
}

static void references_to_primitives_are_the_primitives(void **state)
{
    fixture *f = *state;
    OPEN(0x11, INT32);
    assert_ptr_equal(type_of(f), ilc__set_primitive(f->set, ILC__ET_I4));
    OPEN(0x12, OBJECT);
    assert_ptr_equal(type_of(f), ilc__set_primitive(f->set, ILC__ET_OBJECT));
}

static void equal_types_are_equal_pointers(void **state)
{
    fixture *f = *state;
    OPEN(0x15, 0x12, T, 1, 0x0C);
    const ilc__type *first = type_of(f);
    assert_ptr_equal(first, type_of(f));
    assert_int_equal(first->kind, ILC__ET_GENERICINST);
    assert_ptr_equal(first->def, first->elem->def);
}

static void a_method_signature_is_read(void **state)
{
    fixture           *f = *state;
    const ilc__method *m;
    OPEN(0x30, 1, 2, 0x1E, 0, 0x10, 0x1E, 0, 0x0E); /* instance, generic: !!0 (!!0&, string) */
    assert_int_equal(ilc__image_method(f->image, 2, &m), ILC_OK);
    assert_true(m->sig.has_this);
    assert_int_equal(m->sig.generic_count, 1);
    assert_int_equal(m->sig.ret->kind, ILC__ET_MVAR);
    assert_string_equal(m->sig.params[0]->name, "!!0&");
    assert_int_equal(m->sig.params[1]->kind, ILC__ET_STRING);
    assert_string_equal(m->param_names[0], "arg0"); /* its Param row is the other method's */
    assert_string_equal(m->full_name, "T.S");
}

static void pinned_locals_are_marked(void **state)
{
    fixture                *f = *state;
    uint32_t                count;
    const ilc__type *const *types;
    const bool             *pinned;
    OPEN(0x07, 3, 0x08, 0x45, 0x10, 0x05, 0x1D, 0x0D);
    assert_int_equal(ilc__resolve_locals(f->image, LOCALS, NULL, &count, &types, &pinned), ILC_OK);
    assert_int_equal(count, 3);
    assert_false(pinned[0]);
    assert_true(pinned[1]);
    assert_string_equal(types[1]->name, "System.Byte&");
    assert_string_equal(types[2]->name, "System.Double[]");
}

static void variable_arguments_follow_a_sentinel(void **state)
{
    fixture    *f = *state;
    ilc__callee callee;
    OPEN(0x05, 2, 0x01, 0x08, 0x41, 0x0D);
    assert_int_equal(ilc__resolve_callee(f->image, MEMBERREF, NULL, &callee), ILC_OK);
    assert_true(callee.sig.vararg);
    assert_int_equal(callee.sig.param_count, 2);
    assert_string_equal(callee.type_name, "System.Object");
    assert_string_equal(callee.name, "Foo");
    assert_null(callee.def);
}

static void a_member_of_a_generic_type_gets_its_arguments(void **state)
{
    fixture         *f = *state;
    const ilc__type *type;
    OPEN(0x15, 0x12, T, 1, 0x13, 0);
    ilc__method      within = {.image = f->image};
    const ilc__type *args[] = {ilc__set_primitive(f->set, ILC__ET_R8)};
    within.type_args = args;
    within.type_arg_count = 1;
    assert_int_equal(ilc__resolve_type(f->image, TYPESPEC, &within, &type), ILC_OK);
    assert_string_equal(type->name, "T<System.Double>");
    assert_int_equal(ilc__resolve_type(f->image, TYPESPEC, NULL, &type), ILC_OK);
    assert_string_equal(type->name, "T<!0>");
}

static void broken_types_are_refused(void **state)
{
    fixture *f = *state;
    static const struct {
        uint8_t     blob[16];
        size_t      size;
        const char *what;
    } cases[] = {
        {{0}, 0, "it was cut short"},
        {{0x1D}, 1, "it was cut short"},
        {{0x7F}, 1, "unknown element type"},
        {{0x12, 0x3C}, 2, "it named no type"},
        {{0x12, 1 << 2 | 2}, 2, "it named no type"}, /* the TypeSpec itself */
        {{0x12, 3}, 2, "it named no type"},
        {{0x15, 0x12, T, 0xDF, 0xFF, 0xFF, 0xFF}, 7, "a count was too large"},
        {{0x15, 0x08, T, 1, 8}, 5, "not a class or struct"},
        {{0x14, 0x08, 0xC0, 0, 0, 0x40, 0, 0}, 8, "rank was out of range"},
        {{0x14, 0x08, 0, 0, 0}, 5, "rank was out of range"},
        {{0x13, 0xDF, 0xFF, 0xFF, 0xFF}, 5, "a generic parameter did not exist"},
        {{0x1B, 0x00, 0x7F, 0x01}, 4, "a count was too large"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ilc__type *type;
        uint32_t         before = f->ctx.diags.count;
        open_blob(f, cases[i].blob, cases[i].size);
        assert_int_equal(ilc__resolve_type(f->image, TYPESPEC, NULL, &type), ILC_FORMAT);
        assert_int_equal(f->ctx.diags.count, before + 1);
        const char *text = f->ctx.diags.items[before].text;
        if (!strstr(text, cases[i].what))
            fail_msg("case %zu: \"%s\" does not say \"%s\"", i, text, cases[i].what);
    }
}

static void types_nested_too_deep_are_refused(void **state)
{
    fixture         *f = *state;
    const ilc__type *type;
    uint8_t          blob[4096];
    memset(blob, 0x1D, sizeof blob);
    blob[sizeof blob - 1] = 0x08;
    open_blob(f, blob, sizeof blob);
    assert_int_equal(ilc__resolve_type(f->image, TYPESPEC, NULL, &type), ILC_FORMAT);
    assert_non_null(strstr(f->ctx.diags.items[0].text, "nested too deep"));
}

/* T<X,X> of T<X,X> of ...: a small graph, but a tree of 2^n; names would grow without end. */
static void types_that_double_end_by_a_limit(void **state)
{
    fixture         *f = *state;
    const ilc__type *type, *args[2];
    OPEN(0x15, 0x12, T, 2, 0x13, 0, 0x13, 1);
    ilc__method within = {.image = f->image, .type_args = args, .type_arg_count = 2};
    args[0] = args[1] = ilc__set_primitive(f->set, ILC__ET_I4);
    ilc_status status = ILC_OK;
    int        rounds = 0;
    for (; status == ILC_OK && rounds < 64; rounds++) {
        status = ilc__resolve_type(f->image, TYPESPEC, &within, &type);
        args[0] = args[1] = type;
    }
    assert_int_equal(status, ILC_FORMAT);
    assert_true(rounds > 4 && rounds < 20);
}

static void a_generic_argument_that_does_not_exist_is_refused(void **state)
{
    fixture         *f = *state;
    const ilc__type *type, *args[1];
    OPEN(0x13, 1);
    args[0] = ilc__set_primitive(f->set, ILC__ET_I4);
    ilc__method within = {.image = f->image, .type_args = args, .type_arg_count = 1};
    assert_int_equal(ilc__resolve_type(f->image, TYPESPEC, &within, &type), ILC_FORMAT);
}

static void user_strings_become_utf8(void **state)
{
    fixture    *f = *state;
    const char *text;
    OPEN(0x08);
    assert_int_equal(ilc__resolve_string(f->image, 0x70000001, &text), ILC_OK);
    assert_string_equal(text, "hi");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(types_have_their_reflection_names),
        TEST(references_to_primitives_are_the_primitives),
        TEST(equal_types_are_equal_pointers),
        TEST(a_method_signature_is_read),
        TEST(pinned_locals_are_marked),
        TEST(variable_arguments_follow_a_sentinel),
        TEST(a_member_of_a_generic_type_gets_its_arguments),
        TEST(broken_types_are_refused),
        TEST(types_nested_too_deep_are_refused),
        TEST(types_that_double_end_by_a_limit),
        TEST(a_generic_argument_that_does_not_exist_is_refused),
        TEST(user_strings_become_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
