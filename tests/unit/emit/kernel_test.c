/* Index modes from signatures. Methods are made by hand over the types of a fixture assembly. */
#include "trees.h"

static ilc__set *set;
static ilc__image *image;

static int open_fixture(void **state)
{
    (void)state;
    trees_reset();
    set = ilc__set_create(&trees);
    assert_int_equal(ilc__set_open(set, ILCUDA_FIXTURES "/bin/Tutorial.dll", &image), ILC_OK);
    return 0;
}

static int close_fixture(void **state)
{
    (void)state;
    ilc__set_destroy(set);
    return 0;
}

static const ilc__type *type_of(const char *text)
{
    static const struct {
        const char   *name;
        ilc__element  kind;
    } kinds[] = {{"int", ILC__ET_I4}, {"long", ILC__ET_I8}, {"uint", ILC__ET_U4}, {"float", ILC__ET_R4}, {"bool", ILC__ET_BOOLEAN}, {"short", ILC__ET_I2}, {"void", ILC__ET_VOID}};
    size_t length = strcspn(text, "[&");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strncmp(text, kinds[i].name, length) != 0 || kinds[i].name[length]) continue;
        const ilc__type *type = ilc__set_primitive(set, kinds[i].kind);
        if (text[length] == '[') return ilc__set_szarray(set, type);
        if (text[length] != '&') return type;
        ilc__type *by_ref = ILC__NEW(ARENA, ilc__type);
        *by_ref = (ilc__type){.kind = ILC__ET_BYREF, .name = "&", .elem = type};
        return by_ref;
    }
    fail();
    return NULL;
}

/* "float: float[] x, int cols, int i" */
static const ilc__method *method_of(const char *signature)
{
    ilc__method      *m = ILC__NEW(ARENA, ilc__method);
    const ilc__type **types = ILC__NEW_ARRAY(ARENA, const ilc__type *, 8);
    const char      **names = ILC__NEW_ARRAY(ARENA, const char *, 8);
    const char       *at = strchr(signature, ':');
    uint32_t          count = 0;
    m->sig.ret = type_of(ilc__arena_strndup(ARENA, signature, (size_t)(at - signature)));
    for (at += 1; *at; count++) {
        at += strspn(at, " ,");
        size_t type = strcspn(at, " "), name = strcspn(at + type + 1, ",");
        types[count] = type_of(ilc__arena_strndup(ARENA, at, type));
        names[count] = ilc__arena_strndup(ARENA, at + type + 1, name);
        at += type + 1 + name;
    }
    m->image = image;
    m->row = 1;
    m->name = "M";
    m->full_name = "T.M";
    m->sig.param_count = count;
    m->sig.params = types;
    m->param_names = names;
    return m;
}

static void test_modes_follow_the_conventions(void **state)
{
    (void)state;
    static const struct {
        const char     *signature, *index;
        ilc__index_mode mode;
        int             params[3];
    } rows[] = {
        {"float: float[] x, int cols, int i", NULL, ILC__MODE_1D, {2}},
        {"float: float[] x, long ROW", NULL, ILC__MODE_1D, {1}},
        {"float: float[] x, uint Row", NULL, ILC__MODE_1D, {1}},
        {"float: float[] x, int j, int i", NULL, ILC__MODE_2D, {2, 1}},
        {"float: float[] x, int row, int COL", NULL, ILC__MODE_2D, {1, 2}},
        {"float: int k, int j, int i", NULL, ILC__MODE_3D, {2, 1, 0}},
        {"float: float[] x, int i, int k", NULL, ILC__MODE_1D, {1}},
        {"float: float a, float b", NULL, ILC__MODE_ELEMENTWISE, {0}},
        {"float: float i", NULL, ILC__MODE_ELEMENTWISE, {0}},
        {"float: bool b, int k", NULL, ILC__MODE_ELEMENTWISE, {0}},
        {"float: float[] a, float[] b", NULL, ILC__MODE_DEVICE, {0}},
        {"float:", NULL, ILC__MODE_DEVICE, {0}},
        {"void: float a", NULL, ILC__MODE_DEVICE, {0}},
        {"float: float& a", NULL, ILC__MODE_ELEMENTWISE, {0}},
        {"void: float a, float& b", NULL, ILC__MODE_ELEMENTWISE, {0}},
        {"void: float[] a, float& b", NULL, ILC__MODE_DEVICE, {0}},
        {"float: float[] x, int a, int b", "b", ILC__MODE_1D, {2}},
        {"float: float[] x, int a, int b", "B, A", ILC__MODE_2D, {2, 1}},
        {"float: int i, int row", "row", ILC__MODE_1D, {1}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        ilc__kernel_spec spec;
        assert_int_equal(ilc__kernel_infer(&trees, method_of(rows[r].signature), rows[r].index, &spec), ILC_OK);
        assert_int_equal(spec.mode, rows[r].mode);
        uint32_t dims = spec.mode == ILC__MODE_1D ? 1 : spec.mode == ILC__MODE_2D ? 2 : spec.mode == ILC__MODE_3D ? 3 : 0;
        assert_int_equal(spec.index_count, dims);
        for (uint32_t d = 0; d < dims; d++) assert_int_equal(spec.index_params[d], rows[r].params[d]);
    }
    assert_string_equal(ilc__index_mode_name(ILC__MODE_ELEMENTWISE), "Grid1D");
}

static void test_what_is_unclear_is_refused_and_asks_for_index(void **state)
{
    (void)state;
    static const struct {
        const char *signature, *index;
        ilc_status  status;
        const char *reason;
    } rows[] = {
        {"float: int i, int row", NULL, ILC_UNSUPPORTED, "parameters 'i' and 'row' could both be the index; choose with --index"},
        {"float: int i, int j, int Col", NULL, ILC_UNSUPPORTED, "parameters 'j' and 'Col' could both be the index; choose with --index"},
        {"float: float[] x, int j", NULL, ILC_UNSUPPORTED, "parameter 'j' is a second index without a first, 'i' or 'row'; choose with --index"},
        {"float: float[] x, int& i", NULL, ILC_UNSUPPORTED, "index 'i' is passed by reference; name the index parameters with --index"},
        {"float: float& x, int i", NULL, ILC_UNSUPPORTED, "parameter 'x' is passed by reference in a kernel with an index"},
        {"float: int i, int j, float& x", NULL, ILC_UNSUPPORTED, "parameter 'x' is passed by reference in a kernel with an index"},
        {"float: int i, int j, int k, float& x", NULL, ILC_UNSUPPORTED, "parameter 'x' is passed by reference in a kernel with an index"},
        {"float: float& x, int a", "a", ILC_UNSUPPORTED, "parameter 'x' is passed by reference in a kernel with an index"},
        {"float: float[] x, int i", "q", ILC_INVALID, "--index names 'q', which is not a parameter"},
        {"float: float[] x, int i", "", ILC_INVALID, "--index names '', which is not a parameter"},
        {"float: float[] x, int i", "i,i", ILC_INVALID, "--index names parameter 'i' twice"},
        {"float: float[] x, short i", "i", ILC_UNSUPPORTED, "index 'i' is neither Int32, Int64 nor UInt32 by value"},
        {"float: int a, int b, int c, int d", "a,b,c,d", ILC_INVALID, "--index names more than three parameters"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        ilc__kernel_spec spec;
        assert_int_equal(ilc__kernel_infer(&trees, method_of(rows[r].signature), rows[r].index, &spec), rows[r].status);
        assert_string_equal(trees.diags.items[trees.diags.count - 1].reason, rows[r].reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) {#name, name, open_fixture, close_fixture, NULL}
        T(test_modes_follow_the_conventions),
        T(test_what_is_unclear_is_refused_and_asks_for_index),
    };
    return cmocka_run_group_tests_name("index modes", tests, NULL, NULL);
}
