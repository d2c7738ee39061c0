/* layout_test.c - layouts of structs against CoreCLR's own answers (data/Layouts.cs says how they were made),
 * and the structs that have none. */
#include "meta_fixture.h"

#include "meta/image.h"
#include "meta/layout.h"

static void open_layouts(fixture *f)
{
    const char *path = ILCUDA_SOURCE_DIR "/tests/unit/meta/data/Layouts.dll";
    assert_int_equal(ilc__set_open(f->set, path, &f->image), ILC_OK);
}

/* Some of them hold the framework's enums and structs. */
static void need_framework(const fixture *f)
{
    if (ilc__set_framework(f->set)) return;
    print_message("skipped: no .NET installed\n");
    skip();
}

static const char *last_diag(const fixture *f)
{
    return f->ctx.diags.count ? f->ctx.diags.items[f->ctx.diags.count - 1].text : "(no diagnostic)";
}

/* "8 X@0 Y@4" */
static const char *text_of(fixture *f, const ilc__layout *layout)
{
    ilc__text text = {.arena = &f->ctx.arena};
    ilc__text_printf(&text, "%u", layout->size);
    for (uint32_t i = 0; i < layout->field_count; i++)
        ilc__text_printf(&text, " %s@%u", layout->fields[i].name, layout->fields[i].offset);
    return ilc__text_string(&text);
}

static void structs_lie_as_in_coreclr(void **state)
{
    fixture      *f = *state;
    need_framework(f);
    char          line[512];
    FILE         *answers = fopen(ILCUDA_SOURCE_DIR "/tests/unit/meta/data/layouts.txt", "r");
    ilc__layouts *layouts = ilc__layouts_create(&f->ctx, &f->ctx.arena);
    uint32_t      compared = 0, missing = 0;
    open_layouts(f);
    const ilc__method *take = method_named(f, "Laid.Take");
    assert_non_null(answers);
    for (uint32_t i = 0; i < take->sig.param_count; i++) {
        const ilc__type   *type = take->sig.params[i];
        const ilc__layout *layout, *again;
        assert_non_null(fgets(line, sizeof line, answers));
        line[strcspn(line, "\r\n")] = 0;
        if (!type->def) { /* the framework is not here */
            missing++;
            continue;
        }
        if (ilc__layout_of(layouts, type, NULL, &layout) != ILC_OK)
            fail_msg("%s: %s", type->name, last_diag(f));
        if (strcmp(text_of(f, layout), line) != 0)
            fail_msg("%s: %s, not %s", type->name, text_of(f, layout), line);
        assert_int_equal(ilc__layout_of(layouts, type, NULL, &again), ILC_OK);
        assert_ptr_equal(layout, again);
        assert_ptr_equal(layout->type, type);
        compared++;
    }
    fclose(answers);
    assert_true(compared >= 18 && compared + missing == take->sig.param_count);
}

static void fields_are_scalars_or_structs(void **state)
{
    fixture           *f = *state;
    need_framework(f);
    const ilc__layout *layout;
    ilc__layouts      *layouts = ilc__layouts_create(&f->ctx, &f->ctx.arena);
    open_layouts(f);
    const ilc__method *take = method_named(f, "Laid.Take");
    assert_int_equal(ilc__layout_of(layouts, take->sig.params[3], NULL, &layout), ILC_OK); /* Nested */
    assert_int_equal(layout->fields[0].storage, ILC_U8);
    assert_null(layout->fields[0].layout);
    assert_int_equal(layout->fields[1].storage, ILC_VOID);
    assert_string_equal(layout->fields[1].layout->name, "Vec2");
    assert_int_equal(layout->align, 8);
    assert_int_equal(ilc__layout_field_named(layout, "M"), 2);
    assert_int_equal(ilc__layout_field_named(layout, "m"), UINT32_MAX);
    assert_int_equal(ilc__layout_of(layouts, take->sig.params[6], NULL, &layout),
                     ILC_OK); /* Pair<byte, double> */
    assert_int_equal(layout->fields[0].storage, ILC_U8);
    assert_int_equal(layout->fields[1].storage, ILC_F64);
    assert_int_equal(ilc__layout_of(layouts, take->sig.params[5], NULL, &layout), ILC_OK); /* Enums */
    assert_int_equal(layout->fields[0].storage, ILC_U8);
    assert_int_equal(layout->fields[3].storage, ILC_INT);
}

static void structs_without_a_layout_are_refused(void **state)
{
    static const char *const reasons[] = {
        "the struct OverHoles: fields over the padding of another (field H)",
        "the struct HasArray: a field of type System.Single[] (field B)",
        "the struct HasObject: a field of type System.String (field S)",
        "the struct HasPointer: a field of type System.Int32* (field P)",
        "the struct Inline: an inline array",
        "the struct OddSize: a size that is not aligned",
        "the struct HasArray: a field of type System.Single[] (field B)",
        "System.Int128",
        "a field of type System.String (field Second)",
        "AClass as a struct",
    };
    fixture      *f = *state;
    ilc__layouts *layouts = ilc__layouts_create(&f->ctx, &f->ctx.arena);
    open_layouts(f);
    const ilc__method *take = method_named(f, "Refused.Take"), *open = method_named(f, "Refused.Open");
    const ilc__layout *layout;
    assert_int_equal(take->sig.param_count, sizeof reasons / sizeof reasons[0]);
    for (uint32_t i = 0; i < take->sig.param_count; i++) {
        uint32_t diags = f->ctx.diags.count;
        assert_int_equal(ilc__layout_of(layouts, take->sig.params[i], NULL, &layout), ILC_UNSUPPORTED);
        assert_int_equal(f->ctx.diags.count, diags + 1);
        if (!strstr(last_diag(f), reasons[i])) fail_msg("%s: %s", take->sig.params[i]->name, last_diag(f));
    }
    assert_int_equal(ilc__layout_of(layouts, open->sig.params[0], NULL, &layout), ILC_UNSUPPORTED);
    assert_non_null(strstr(last_diag(f), "open"));
}

/* Layouts ask for tables that no body needs: any byte of them may be wrong. */
static void damaged_metadata_gives_a_status(void **state)
{
    fixture       *f = *state;
    FILE          *file = fopen(ILCUDA_SOURCE_DIR "/tests/unit/meta/data/Layouts.dll", "rb");
    static uint8_t bytes[1 << 16];
    uint32_t       seed = 7;
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    f->set->framework_sought = true;
    for (int round = 0; round < 300; round++) {
        uint8_t    *copy = ilc__arena_copy(&f->ctx.arena, bytes, size);
        ilc__set   *set = ilc__set_create(&f->ctx);
        ilc__image *image;
        set->framework_sought = true;
        for (int k = 0; k < 8; k++) {
            seed = seed * 1664525u + 1013904223u;
            copy[0x200 + (seed >> 8) % (size - 0x200)] = (uint8_t)(seed >> 24);
        }
        if (ilc__set_open_memory(set, "damaged", copy, size, NULL, 0, &image) == ILC_OK) {
            ilc__layouts *layouts = ilc__layouts_create(&f->ctx, &f->ctx.arena);
            for (uint32_t row = 1; row <= ilc__image_typedef_count(image); row++) {
                const ilc__typedef *def;
                const ilc__layout  *layout;
                if (ilc__image_typedef(image, row, &def) != ILC_OK) continue;
                if (ilc__layout_of(layouts, def->type, NULL, &layout) != ILC_OK) continue;
                assert_true(layout->size > 0 && layout->size % layout->align == 0);
                for (uint32_t i = 0; i < layout->field_count; i++)
                    assert_true(layout->fields[i].offset < layout->size + 1);
            }
        }
        ilc__set_destroy(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(structs_lie_as_in_coreclr),
        TEST(fields_are_scalars_or_structs),
        TEST(structs_without_a_layout_are_refused),
        TEST(damaged_metadata_gives_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
