/* What a compiled assembly says: methods, names, signatures, types, references. */
#include <unistd.h>

#include "image_builder.h"
#include "meta_fixture.h"

enum { MEMBERREF = 0x0A000000, METHODSPEC = 0x2B000000 };

/* The first reference of a name, as a callee. */
static bool find_callee(fixture *f, const char *name, ilc__callee *out)
{
    for (uint32_t row = 1; ilc__row_exists(&f->image->md, ILC__T_MEMBERREF, row); row++)
        if (ilc__resolve_callee(f->image, MEMBERREF | row, NULL, out) == ILC_OK &&
            strcmp(out->name, name) == 0)
            return true;
    return false;
}

static void a_method_has_its_name_signature_and_parameter_names(void **state)
{
    fixture *f = *state;
    open_fixture(f, "Tutorial.dll");
    assert_string_equal(ilc__image_name(f->image), "Tutorial");
    const ilc__method *m = method_named(f, "PearsonMetrics.RowSum");
    assert_string_equal(m->name, "RowSum");
    assert_string_equal(m->type_name, "PearsonMetrics");
    assert_true(m->flags & ILC__METHOD_STATIC);
    assert_false(m->sig.has_this);
    assert_int_equal(m->sig.param_count, 3);
    assert_int_equal(m->sig.ret->kind, ILC__ET_R4);
    assert_int_equal(m->sig.params[0]->kind, ILC__ET_SZARRAY);
    assert_ptr_equal(m->sig.params[0], ilc__set_szarray(f->set, ilc__set_primitive(f->set, ILC__ET_R4)));
    assert_ptr_equal(m->sig.params[1], ilc__set_primitive(f->set, ILC__ET_I4));
    assert_string_equal(m->param_names[0], "x");
    assert_string_equal(m->param_names[1], "cols");
    assert_string_equal(m->param_names[2], "i");
    assert_string_equal(ilc__method_display(&f->ctx.arena, m), "PearsonMetrics.RowSum(Single[],Int32,Int32)");
}

static void asking_twice_gives_the_same_method(void **state)
{
    fixture           *f = *state;
    const ilc__method *a, *b;
    open_fixture(f, "Tutorial.dll");
    assert_int_equal(ilc__image_method(f->image, 2, &a), ILC_OK);
    assert_int_equal(ilc__image_method(f->image, 2, &b), ILC_OK);
    assert_ptr_equal(a, b);
}

static void opening_a_path_twice_gives_the_same_image(void **state)
{
    fixture *f = *state;
    open_fixture(f, "Tutorial.dll");
    ilc__image *first = f->image;
    open_fixture(f, "Tutorial.dll");
    assert_ptr_equal(first, f->image);
}

static void a_known_callee_is_named_where_its_assembly_is_absent(void **state)
{
    fixture    *f = *state;
    ilc__callee callee;
    f->set->framework_sought = true; /* as if no .NET were installed */
    open_fixture(f, "Tutorial.dll");
    assert_true(find_callee(f, "Sqrt", &callee));
    assert_null(callee.def);
    assert_string_equal(callee.type_name, "System.MathF");
    assert_string_equal(callee.type->name, "System.MathF");
    assert_int_equal(callee.sig.param_count, 1);
    assert_int_equal(callee.sig.params[0]->kind, ILC__ET_R4);
    assert_int_equal(callee.sig.ret->kind, ILC__ET_R4);
    assert_int_equal(f->ctx.diags.count, 0);
}

static void types_are_written_short(void **state)
{
    fixture *f = *state;
    open_fixture(f, "RefusedCs.dll");
    static const struct {
        const char *method, *display;
    } cases[] = {
        {"Refused.Span", "Refused.Span(ReadOnlySpan<Single>,Int32)"},
        {"Refused.OutParameter", "Refused.OutParameter(Int32,Int32&)"},
        {"Refused.Pointer", "Refused.Pointer(Int32*,Int32)"},
        {"Refused.Lists", "Refused.Lists(System.Collections.Generic.List<Int32>)"},
        {"Refused.Delegates", "Refused.Delegates(Func<Int32,Int32>,Int32)"},
        {"Refused.TypeTest", "Refused.TypeTest(Object)"},
        {"Refused.Generic", "Refused.Generic(!!0)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(ilc__method_display(&f->ctx.arena, method_named(f, cases[i].method)),
                            cases[i].display);
}

static void a_nested_type_is_named_after_its_outer_one(void **state)
{
    fixture *f = *state;
    open_fixture(f, "RefusedCs.dll");
    const ilc__method *m = method_named(f, "Refused+<>c.<Lambda>b__11_0");
    assert_string_equal(m->type_name, "Refused+<>c");
    assert_string_equal(m->owner->enclosing->name, "Refused");
    assert_true(m->sig.has_this);
}

static void a_generic_method_is_instantiated_by_its_specification(void **state)
{
    fixture    *f = *state;
    ilc__callee callee;
    open_fixture(f, "RefusedCs.dll");
    bool found = false;
    for (uint32_t row = 1; ilc__row_exists(&f->image->md, ILC__T_METHODSPEC, row) && !found; row++)
        found = ilc__resolve_callee(f->image, METHODSPEC | row, NULL, &callee) == ILC_OK &&
                strcmp(callee.name, "Generic") == 0;
    assert_true(found);
    assert_int_equal(callee.sig.ret->kind, ILC__ET_I4);
    assert_int_equal(callee.def->method_arg_count, 1);
    assert_int_equal(callee.def->sig.params[0]->kind, ILC__ET_I4);
    assert_string_equal(ilc__method_display(&f->ctx.arena, callee.def), "Refused.Generic<Int32>(Int32)");
}

static void a_native_method_is_marked(void **state)
{
    fixture *f = *state;
    open_fixture(f, "RefusedCs.dll");
    assert_true(method_named(f, "Refused.Native")->flags & ILC__METHOD_PINVOKE);
}

static void enumerations_know_their_integer(void **state)
{
    fixture *f = *state;
    open_fixture(f, "Tutorial.dll");
    if (!ilc__set_framework(f->set)) {
        print_message("skipped: no .NET is installed\n");
        skip();
    }
    const ilc__type *type = NULL;
    for (uint32_t row = 1; ilc__row_exists(&f->image->md, ILC__T_TYPEREF, row); row++) {
        assert_int_equal(ilc__resolve_type(f->image, 0x01000000 | row, NULL, &type), ILC_OK);
        if (type->is_enum) break;
    }
    assert_true(type->is_enum); /* DebuggableAttribute's DebuggingModes */
    assert_int_equal(type->kind, ILC__ET_VALUETYPE);
    assert_int_equal(type->underlying->kind, ILC__ET_I4);
    assert_int_equal(ilc__type_storage(type), ILC_I32);
    assert_string_equal(type->name, "System.Diagnostics.DebuggableAttribute+DebuggingModes");
}

static void a_callee_is_found_through_type_forwarding(void **state)
{
    fixture    *f = *state;
    ilc__callee callee;
    open_fixture(f, "Tutorial.dll");
    if (!ilc__set_framework(f->set)) {
        print_message("skipped: no .NET is installed\n");
        skip();
    }
    assert_true(find_callee(f, "Sqrt", &callee));
    assert_non_null(callee.def);
    assert_string_equal(callee.def->full_name, "System.MathF.Sqrt");
    assert_string_equal(ilc__image_name(callee.def->image), "System.Private.CoreLib");
    assert_true(ilc__image_is_r2r(callee.def->image));
}

static void all_storages_of_scalars(void **state)
{
    fixture *f = *state;
    static const struct {
        ilc__element kind;
        ilc_storage  storage;
        const char  *name;
    } cases[] = {
        {ILC__ET_VOID, ILC_VOID, "Void"},
        {ILC__ET_BOOLEAN, ILC_BOOL, "Boolean"},
        {ILC__ET_CHAR, ILC_CHAR, "Char"},
        {ILC__ET_I1, ILC_I8, "SByte"},
        {ILC__ET_U1, ILC_U8, "Byte"},
        {ILC__ET_I2, ILC_I16, "Int16"},
        {ILC__ET_U2, ILC_U16, "UInt16"},
        {ILC__ET_I4, ILC_I32, "Int32"},
        {ILC__ET_U4, ILC_U32, "UInt32"},
        {ILC__ET_I8, ILC_I64, "Int64"},
        {ILC__ET_U8, ILC_U64, "UInt64"},
        {ILC__ET_I, ILC_INT, "IntPtr"},
        {ILC__ET_U, ILC_UINT, "UIntPtr"},
        {ILC__ET_R4, ILC_F32, "Single"},
        {ILC__ET_R8, ILC_F64, "Double"},
        {ILC__ET_STRING, ILC_STORAGE_COUNT, "String"},
        {ILC__ET_OBJECT, ILC_STORAGE_COUNT, "Object"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ilc__type *type = ilc__set_primitive(f->set, cases[i].kind);
        assert_int_equal(ilc__type_storage(type), cases[i].storage);
        assert_string_equal(ilc__type_short_name(&f->ctx.arena, type), cases[i].name);
        assert_int_equal(ilc__type_storage(ilc__set_szarray(f->set, type)), ILC_STORAGE_COUNT);
    }
}

static void an_uncompressed_stream_is_read_through_its_pointers(void **state)
{
    fixture             *f = *state;
    static uint8_t       bytes[IMAGE_MAX];
    static const uint8_t code[] = {0x0A, 0x16, 0x2A}, sig[] = {0x00, 0, 0x0D};
    const ilc__typedef  *def;
    const ilc__method   *method;
    image_uncompressed = true;
    size_t size = image_build(bytes, code, sizeof code, sig, sizeof sig);
    image_uncompressed = false;
    f->set->framework_sought = true;
    assert_int_equal(ilc__set_open_memory(f->set, "enc.dll", bytes, size, NULL, 0, &f->image), ILC_OK);
    assert_true(f->image->md.uncompressed);
    assert_int_equal(ilc__image_typedef(f->image, 2, &def), ILC_OK);
    assert_int_equal(def->method_count, 2);
    assert_int_equal(ilc__typedef_member(def, ILC__T_METHODDEF, 0), 2);
    assert_int_equal(ilc__typedef_member(def, ILC__T_METHODDEF, 1), 1);
    assert_int_equal(ilc__image_method(f->image, 1, &method), ILC_OK);
    assert_string_equal(method->full_name, "T.M");
    assert_ptr_equal(method->owner, def);
}

static void write_bytes(fixture *f, const char *path, const void *bytes, size_t size)
{
    assert_int_equal(ilc__file_write(&f->ctx, path, bytes, size, 0600), ILC_OK);
}

static void a_broken_reference_counts_as_not_found(void **state)
{
    fixture    *f = *state;
    ilc__callee callee;
    char        folder[] = "/tmp/ilcuda-meta-XXXXXX";
    size_t      size;
    assert_non_null(mkdtemp(folder));
    uint8_t    *bytes = read_fixture("Tutorial.dll", &size);
    const char *path = ilc__arena_printf(&f->ctx.arena, "%s/Tutorial.dll", folder);
    const char *broken = ilc__arena_printf(&f->ctx.arena, "%s/System.Runtime.dll", folder);
    write_bytes(f, path, bytes, size);
    write_bytes(f, broken, "MZ, but no more", 15);
    f->set->framework_sought = true;
    ilc_status status = ilc__set_open(f->set, path, &f->image);
    bool       found = status == ILC_OK && find_callee(f, "Sqrt", &callee);
    ilc__file_remove(path);
    ilc__file_remove(broken);
    rmdir(folder);
    free(bytes);
    assert_int_equal(status, ILC_OK);
    assert_true(found);
    assert_null(callee.def);
    assert_string_equal(callee.type_name, "System.MathF");
    assert_int_equal(f->ctx.diags.count, 0);
}

static void a_reference_is_found_in_an_added_folder(void **state)
{
    fixture    *f = *state;
    ilc__callee callee;
    const char *framework = ilc__set_framework(f->set);
    if (!framework) {
        print_message("skipped: no .NET is installed\n");
        skip();
    }
    ilc__set_add_directory(f->set, framework);
    f->set->framework = NULL;
    open_fixture(f, "Tutorial.dll");
    assert_true(find_callee(f, "Sqrt", &callee));
    assert_non_null(callee.def);
}

static void a_missing_file_is_one_diagnostic(void **state)
{
    fixture *f = *state;
    assert_int_equal(ilc__set_open(f->set, "/no/such/file.dll", &f->image), ILC_IO);
    assert_int_equal(f->ctx.diags.count, 1);
}

static void a_token_that_names_nothing_is_refused(void **state)
{
    fixture         *f = *state;
    ilc__callee      callee;
    const ilc__type *type;
    const char      *text;
    open_fixture(f, "Tutorial.dll");
    assert_int_equal(ilc__resolve_callee(f->image, 0x0600FFFF, NULL, &callee), ILC_FORMAT);
    assert_int_equal(ilc__resolve_callee(f->image, 0x01000001, NULL, &callee), ILC_FORMAT);
    assert_int_equal(ilc__resolve_type(f->image, 0xFF000001, NULL, &type), ILC_FORMAT);
    assert_int_equal(ilc__resolve_string(f->image, 0x70FFFFFF, &text), ILC_FORMAT);
    assert_int_equal(f->ctx.diags.count, 4);
    assert_non_null(strstr(f->ctx.diags.items[0].text, "token 0x0600ffff named no method"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_method_has_its_name_signature_and_parameter_names),
        TEST(asking_twice_gives_the_same_method),
        TEST(opening_a_path_twice_gives_the_same_image),
        TEST(a_known_callee_is_named_where_its_assembly_is_absent),
        TEST(types_are_written_short),
        TEST(a_nested_type_is_named_after_its_outer_one),
        TEST(a_generic_method_is_instantiated_by_its_specification),
        TEST(a_native_method_is_marked),
        TEST(enumerations_know_their_integer),
        TEST(a_callee_is_found_through_type_forwarding),
        TEST(all_storages_of_scalars),
        TEST(an_uncompressed_stream_is_read_through_its_pointers),
        TEST(a_broken_reference_counts_as_not_found),
        TEST(a_reference_is_found_in_an_added_folder),
        TEST(a_missing_file_is_one_diagnostic),
        TEST(a_token_that_names_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
