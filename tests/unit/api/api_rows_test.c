/* api_rows_test.c - methods of whole arrays over the rows of matrices (docs/rows.md): each element is what the IL interpreter
 * answers to a call with copies of the rows, on every engine and with every schedule. */
#include "api_fixture.h"

#include <stdlib.h>

enum { MOST_ROWS = 17, MOST_COLS = 70, MOST_BYTES = MOST_ROWS * MOST_COLS * 8 };

typedef struct matrix {
    ilc_storage storage;
    int64_t     rows, cols;
    _Alignas(8) uint8_t data[MOST_BYTES];
} matrix;

static uint64_t state = 1;
static uint32_t next(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 40);
}

static void put(matrix *m, int64_t at, double value)
{
    switch (m->storage) {
    case ILC_F64: ((double *)(void *)m->data)[at] = value; break;
    case ILC_F32: ((float *)(void *)m->data)[at] = (float)value; break;
    case ILC_I32: ((int32_t *)(void *)m->data)[at] = (int32_t)(value * 8); break;
    default: m->data[at] = (uint8_t)((int)(value + 60) & 3);
    }
}

static void fill(matrix *m, ilc_storage storage, int64_t rows, int64_t cols)
{
    *m = (matrix){.storage = storage, .rows = rows, .cols = cols};
    for (int64_t i = 0; i < rows * cols; i++) put(m, i, (double)(next() % 1000) / 8 - 60);
}

static ilc_buffer *buffer_of(ilc_engine *engine, const matrix *m)
{
    ilc_buffer *buffer;
    assert_int_equal(ilc_buffer_create(&buffer, engine, m->storage, m->rows * m->cols), ILC_OK);
    assert_int_equal(ilc_buffer_reshape(buffer, 2, (int64_t[]){m->rows, m->cols}), ILC_OK);
    if (m->rows * m->cols > 0) assert_int_equal(ilc_buffer_write(buffer, 0, m->data, m->rows * m->cols), ILC_OK);
    return buffer;
}

/* A copy of the row is what the method gets. */
static ilc_outcome call_rows(ilc_method *method, const matrix *a, int64_t i, const matrix *b, int64_t j)
{
    static uint8_t copies[2][MOST_BYTES];
    ilc_array      arrays[2];
    ilc_value      args[2];
    ilc_outcome    outcome;
    const matrix  *from[2] = {a, b};
    int64_t        row[2] = {i, j};
    for (int k = 0; k < 2 && from[k]; k++) {
        size_t bytes = (size_t)from[k]->cols * ilc_storage_size(from[k]->storage);
        memcpy(copies[k], from[k]->data + (size_t)row[k] * bytes, bytes);
        arrays[k] = (ilc_array){.elem = from[k]->storage, .length = from[k]->cols, .data = copies[k]};
        args[k] = (ilc_value){.storage = from[k]->storage, .is_array = true, .u.array = &arrays[k]};
    }
    assert_int_equal(ilc_call(&outcome, method, args, b ? 2 : 1, NULL), ILC_OK);
    return outcome;
}

static bool same(ilc_storage storage, const uint8_t *got, uint64_t expected)
{
    double   d;
    float    s;
    uint64_t bits = 0;
    memcpy(&bits, got, ilc_storage_size(storage));
    if (memcmp(&bits, &expected, ilc_storage_size(storage)) == 0) return true;
    memcpy(&d, got, storage == ILC_F64 ? 8 : 0);
    memcpy(&s, got, storage == ILC_F32 ? 4 : 0);
    if (storage != ILC_F64 && storage != ILC_F32) return false;
    if (storage == ILC_F64 ? d == d : s == s) return false;
    memcpy(&d, &expected, 8);
    memcpy(&s, &expected, 4);
    return storage == ILC_F64 ? d != d : s != s;
}

static const struct {
    const char *file, *method, *rows;
    ilc_storage elem;
} methods[] = {
    {"VectorsCs.dll", "Canberra", "a,b", ILC_F64},       {"VectorsCs.dll", "Manhattan", "a,b", ILC_F64},
    {"VectorsCs.dll", "Chebyshev", "a,b", ILC_F64},      {"VectorsCs.dll", "Covariance", "first,second", ILC_F64},
    {"VectorsCs.dll", "Cosine", "a,b", ILC_F32},         {"VectorsCs.dll", "Hamming", "a,b", ILC_U8},
    {"VectorsCs.dll", "CheckedDot", "a,b", ILC_I32},     {"VectorsCs.dll", "Shorter", "a,b", ILC_F64},
    {"VectorsCs.dll", "SameObject", "a,b", ILC_F64},     {"VectorsCs.dll", "Mean", "data", ILC_F64},
    {"VectorsVb.dll", "Canberra", "a,b", ILC_F64},       {"VectorsVb.dll", "Manhattan", "a,b", ILC_F32},
    {"VectorsVb.dll", "CheckedDot", "a,b", ILC_I32},     {"VectorsVb.dll", "Covariance", "a,b", ILC_F64},
    {"VectorsVb.dll", "Range", "x", ILC_F32},
};

static void compare(fixture *f, ilc_engine *engine, ilc_kernel *kernel, ilc_method *method, const char *rows, const matrix *a, const matrix *b)
{
    static uint8_t    out[MOST_ROWS * MOST_ROWS * 8];
    ilc_storage       result = ilc_method_result(method);
    int64_t           extents[2] = {a->rows, b ? b->rows : 1}, total = extents[0] * extents[1], trapped = -1;
    ilc_buffer       *made, *first = buffer_of(engine, a), *second = b && b != a ? buffer_of(engine, b) : first;
    ilc_launch_result launched;
    assert_int_equal(ilc_buffer_create(&made, engine, result, total), ILC_OK);
    ilc_argument args[3] = {ilc_arg_at(0, ilc_arg_buffer("", first)), ilc_arg_result(made)};
    if (b) args[2] = ilc_arg_at(1, ilc_arg_buffer("", second));
    ilc_status status = ilc_launch(&launched, engine, kernel, args, b ? 3 : 2, extents, b ? 2 : 1, NULL);
    if (status != ILC_OK && status != ILC_TRAP) fail_msg("%s: %s", rows, ilc_session_error(f->session));
    if (total) assert_int_equal(ilc_buffer_read(made, 0, out, total), ILC_OK);
    for (int64_t e = 0; e < total; e++) {
        ilc_outcome expected = call_rows(method, a, e / extents[1], b, e % extents[1]);
        if (expected.trapped && trapped < 0) {
            trapped = e;
            assert_int_equal(status, ILC_TRAP);
            assert_int_equal(launched.element, e);
            assert_string_equal(launched.trap.exception, expected.trap.exception);
            assert_string_equal(launched.trap.message, expected.trap.message);
            assert_string_equal(launched.trap.method, expected.trap.method);
            assert_int_equal(launched.trap.il_offset, expected.trap.il_offset);
            assert_int_equal(launched.trap.line, expected.trap.line);
        }
        if (!same(result, out + (size_t)e * ilc_storage_size(result), expected.trapped ? 0 : expected.ret.u.bits))
            fail_msg("%s: element %lld differs", ilc_method_full_name(method), (long long)e);
    }
    assert_int_equal(status, trapped < 0 ? ILC_OK : ILC_TRAP);
    ilc_buffer_destroy(made);
    if (second != first) ilc_buffer_destroy(second);
    ilc_buffer_destroy(first);
}

static void compare_all(ilc_engine_kind kind, const char *schedule)
{
    static const int64_t shapes[][3] = {{5, 5, 3}, {17, 16, 33}, {3, 2, 0}, {1, 17, 70}, {0, 4, 2}};
    static matrix        a, b;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        fixture            f;
        ilc_method        *over;
        ilc_kernel        *kernel;
        ilc_kernel_options options;
        fixture_open(&f, methods[m].file);
        ilc_engine *engine = fixture_engine(&f, kind);
        ilc_method *method = fixture_method(&f, methods[m].method);
        bool        pair = strchr(methods[m].rows, ',') != NULL;
        ilc_kernel_options_init(&options);
        options.schedule = schedule;
        assert_int_equal(ilc_method_by_rows(&over, method, methods[m].rows), ILC_OK);
        if (ilc_kernel_translate(&kernel, over, &options) != ILC_OK) fail_msg("%s", ilc_session_error(f.session));
        assert_int_equal(ilc_kernel_index_mode(kernel), pair ? ILC_INDEX_2D : ILC_INDEX_1D);
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
            fill(&a, methods[m].elem, shapes[s][0], shapes[s][2]);
            fill(&b, methods[m].elem, shapes[s][1], shapes[s][2]);
            compare(&f, engine, kernel, method, methods[m].method, &a, pair ? &b : NULL);
            if (pair) compare(&f, engine, kernel, method, methods[m].method, &a, &a);
        }
        fill(&a, methods[m].elem, 4, 6);
        fill(&b, methods[m].elem, 4, 5); /* of another length */
        if (methods[m].elem == ILC_I32) put(&a, 8, INT32_MAX / 8), put(&a, 20, INT32_MAX / 8);
        if (pair) compare(&f, engine, kernel, method, methods[m].method, &a, &b);
        if (pair) compare(&f, engine, kernel, method, methods[m].method, &a, &a);
        ilc_engine_destroy(engine);
        fixture_close(&f);
    }
}

static void rows_are_what_calls_get_in_the_IL_interpreter(void **unused)
{
    (void)unused;
    compare_all(ILC_ENGINE_IL, NULL);
}

static void rows_are_what_calls_get_in_the_tree_interpreter(void **unused)
{
    (void)unused;
    compare_all(ILC_ENGINE_AST, NULL);
}

static void rows_are_what_calls_get_on_the_CPU(void **unused)
{
    (void)unused;
    compare_all(ILC_ENGINE_CPU, "plain");
}

static void rows_are_what_calls_get_in_tiles(void **unused)
{
    (void)unused;
    compare_all(ILC_ENGINE_CPU, "tile");
}

static void the_form_is_made_once_and_has_matrices_and_indices(void **unused)
{
    fixture     f;
    ilc_method *over, *again;
    ilc_param   param;
    (void)unused;
    fixture_open(&f, "VectorsVb.dll");
    ilc_method *method = fixture_method(&f, "Lagged");
    assert_int_equal(ilc_method_by_rows(&over, method, "X"), ILC_OK);
    assert_int_equal(ilc_method_by_rows(&again, method, " x "), ILC_OK);
    assert_ptr_equal(over, again);
    assert_int_equal(ilc_method_param_count(over), 3);
    assert_int_equal(ilc_method_param(&param, over, 0), ILC_OK);
    assert_string_equal(param.type, "Int32[,]");
    assert_int_equal(param.rank, 2);
    assert_int_equal(ilc_method_param(&param, over, 1), ILC_OK);
    assert_string_equal(param.name, "i");
    assert_int_equal(param.index, -1); /* a scalar: the row's index has a name of its own */
    assert_int_equal(ilc_method_param(&param, over, 2), ILC_OK);
    assert_string_equal(param.name, "i_2");
    assert_int_equal(param.index, 0);
    fixture_close(&f);
}

static void what_has_no_rows_is_refused(void **unused)
{
    static const struct {
        const char *method, *rows;
        ilc_status  status;
        const char *says;
    } cases[] = {
        {"Canberra", "a,a", ILC_INVALID, "--rows names parameter 'a' twice"},
        {"Weighted", "a,b,weights", ILC_INVALID, "--rows names more than two parameters"},
        {"Canberra", "a,c", ILC_NOT_FOUND, "has no parameter c"},
        {"Canberra", "", ILC_NOT_FOUND, "has no parameter"},
        {"Weighted", "power", ILC_UNSUPPORTED, "parameter 'power' is no row: only arrays and spans of numbers have rows here"},
        {"Jagged", "a", ILC_UNSUPPORTED, "parameter 'a' is no row"},
    };
    static const char *const stores[][3] = {{"Normalise", "a", "it stores to parameter 'a', which is a row of its input"},
                                            {"Cleared", "a", "elements could not be proved independent"},
                                            {"SameAfterSwap", "a,b", "asks whether two arrays are one object"}};
    fixture     f;
    ilc_method *over;
    ilc_kernel *kernel;
    (void)unused;
    fixture_open(&f, "VectorsCs.dll");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(ilc_method_by_rows(&over, fixture_method(&f, cases[i].method), cases[i].rows), cases[i].status);
        if (!strstr(ilc_session_error(f.session), cases[i].says)) fail_msg("%s", ilc_session_error(f.session));
    }
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        assert_int_equal(ilc_method_by_rows(&over, fixture_method(&f, stores[i][0]), stores[i][1]), ILC_OK);
        assert_int_equal(ilc_kernel_translate(&kernel, over, NULL), ILC_UNSUPPORTED);
        if (!strstr(ilc_session_error(f.session), stores[i][2])) fail_msg("%s", ilc_session_error(f.session));
    }
    assert_int_equal(ilc_method_by_rows(&over, fixture_method(&f, "Canberra"), "a,b"), ILC_OK);
    assert_int_equal(ilc_method_by_rows(&over, over, "a"), ILC_INVALID);
    fixture_close(&f);
}

static void a_launch_has_no_more_rows_than_there_are(void **unused)
{
    static matrix a;
    fixture       f;
    ilc_method   *over;
    ilc_kernel   *kernel;
    ilc_buffer   *out;
    (void)unused;
    fixture_open(&f, "VectorsCs.dll");
    assert_int_equal(ilc_method_by_rows(&over, fixture_method(&f, "Canberra"), "a,b"), ILC_OK);
    assert_int_equal(ilc_kernel_translate(&kernel, over, NULL), ILC_OK);
    ilc_engine *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    fill(&a, ILC_F64, 4, 3);
    ilc_buffer *buffer = buffer_of(engine, &a);
    assert_int_equal(ilc_buffer_create(&out, engine, ILC_F64, 64), ILC_OK);
    ilc_argument      args[] = {ilc_arg_buffer("a", buffer), ilc_arg_buffer("b", buffer), ilc_arg_result(out)};
    ilc_launch_result result;
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, (int64_t[]){4, 5}, 2, NULL), ILC_INVALID);
    assert_non_null(strstr(ilc_session_error(f.session), "argument b has 4 rows, the launch is over 5"));
    args[0] = ilc_arg_null("a");
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 3, (int64_t[]){4, 4}, 2, NULL), ILC_INVALID);
    assert_non_null(strstr(ilc_session_error(f.session), "argument a has no rows: it is null"));
    ilc_engine_destroy(engine);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_what_calls_get_in_the_IL_interpreter),
        cmocka_unit_test(rows_are_what_calls_get_in_the_tree_interpreter),
        cmocka_unit_test(rows_are_what_calls_get_on_the_CPU),
        cmocka_unit_test(rows_are_what_calls_get_in_tiles),
        cmocka_unit_test(the_form_is_made_once_and_has_matrices_and_indices),
        cmocka_unit_test(what_has_no_rows_is_refused),
        cmocka_unit_test(a_launch_has_no_more_rows_than_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
