/* api_arrays_test.c - arrays of several dimensions and arrays of arrays from outside. */
#include "api_fixture.h"

static const ilc_engine_kind kinds[] = {ILC_ENGINE_IL, ILC_ENGINE_AST, ILC_ENGINE_CPU};

#define EACH_ENGINE(f, engine)                                                                               \
    for (size_t e_ = 0; e_ < sizeof kinds / sizeof *kinds; e_++)                                             \
        for (ilc_engine *engine = fixture_engine((f), kinds[e_]); engine;                                    \
             ilc_engine_destroy(engine), engine = NULL)

static ilc_value int_value(int32_t value)
{
    return (ilc_value){.storage = ILC_I32, .u.bits = (uint64_t)(int64_t)value};
}

static ilc_value array_value(ilc_storage storage, ilc_array *array)
{
    return (ilc_value){.storage = storage, .is_array = true, .u.array = array};
}

static void parameters_say_their_rank_and_depth(void **state)
{
    fixture   f;
    ilc_param param;
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    assert_int_equal(ilc_method_param(&param, fixture_method(&f, "At"), 0), ILC_OK);
    assert_true(param.is_array && param.rank == 2 && param.nested == 0);
    assert_int_equal(param.storage, ILC_F32);
    assert_string_equal(param.type, "Single[,]");
    assert_int_equal(ilc_method_param(&param, fixture_method(&f, "At3"), 0), ILC_OK);
    assert_true(param.rank == 3 && param.storage == ILC_I64);
    assert_int_equal(ilc_method_param(&param, fixture_method(&f, "Deep"), 0), ILC_OK);
    assert_true(param.is_array && param.rank == 1 && param.nested == 2);
    assert_true(param.storage == ILC_ARRAY && param.innermost == ILC_F64);
    assert_string_equal(param.type, "Double[][][]");
    assert_int_equal(ilc_method_param(&param, fixture_method(&f, "VectorSizes"), 0), ILC_OK);
    assert_true(param.rank == 1 && param.nested == 0 && param.innermost == ILC_F64);
    assert_int_equal(ilc_method_param(&param, fixture_method(&f, "At"), 1), ILC_OK);
    assert_true(!param.is_array && param.rank == 0);
    fixture_close(&f);
}

/* What is no array of the parameter's type is refused before anything runs. */
static void arrays_of_another_shape_are_refused(void **state)
{
    fixture f;
    float   data[6] = {1, 2, 3, 4, 5, 6};
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    ilc_method *method = fixture_method(&f, "At");
    ilc_array   wrong[] = {
          {.elem = ILC_F32, .length = 6, .data = data}, /* one dimension     */
          {.elem = ILC_F32, .length = 6, .data = data, .rank = 3, .dims = {1, 2, 3}},
          {.elem = ILC_F32, .length = 6, .data = data, .rank = 2, .dims = {2, 2}}, /* not its product   */
          {.elem = ILC_F32, .length = 6, .data = data, .rank = 2, .dims = {-2, -3}},
          {.elem = ILC_F32, .length = 0, .data = data, .rank = 2, .dims = {INT64_MAX, 0}},
          {.elem = ILC_F64, .length = 6, .data = data, .rank = 2, .dims = {2, 3}},
          {.elem = ILC_F32, .length = 6, .data = NULL, .rank = 2, .dims = {2, 3}},
    };
    EACH_ENGINE(&f, engine)
    {
        ilc_outcome outcome;
        ilc_array   right = {.elem = ILC_F32, .length = 6, .data = data, .rank = 2, .dims = {2, 3}};
        ilc_value   args[] = {array_value(ILC_F32, &right), int_value(1), int_value(2)};
        assert_int_equal(call_on(engine, method, args, 3, &outcome), ILC_OK);
        assert_int_equal(outcome.ret.u.bits, 0x40c00000); /* 6 */
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            args[0].u.array = &wrong[i];
            assert_int_equal(call_on(engine, method, args, 3, &outcome), ILC_INVALID);
        }
    }
    fixture_close(&f);
}

static void a_row_may_stand_in_an_array_twice(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    ilc_method *method = fixture_method(&f, "PutAndRead");
    EACH_ENGINE(&f, engine)
    {
        int32_t   data[2] = {1, 2}, other = 5;
        ilc_array row = {.elem = ILC_I32, .length = 2, .data = data},
                  last = {.elem = ILC_I32, .length = 1, .data = &other};
        ilc_array  *rows[] = {&row, &row, &last, NULL};
        ilc_array   all = {.elem = ILC_ARRAY, .length = 4, .data = rows};
        ilc_outcome outcome;
        ilc_value   args[] = {array_value(ILC_ARRAY, &all), int_value(0), int_value(1)};
        assert_int_equal(call_on(engine, method, args, 3, &outcome), ILC_OK);
        assert_int_equal(outcome.ret.u.bits, 8); /* 7, and 1 more through the other name */
        assert_true(data[0] == 8 && data[1] == 2 && other == 5);
        args[2] = int_value(2);
        assert_int_equal(call_on(engine, method, args, 3, &outcome), ILC_OK);
        assert_true(outcome.ret.u.bits == 7 && data[0] == 7 && other == 6);
        args[2] = int_value(3);
        assert_int_equal(call_on(engine, method, args, 3, &outcome), ILC_OK);
        assert_true(outcome.trapped);
        assert_string_equal(outcome.trap.exception, "System.NullReferenceException");
    }
    fixture_close(&f);
}

static void rows_of_another_type_are_refused(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    ilc_method *method = fixture_method(&f, "RaggedSum");
    EACH_ENGINE(&f, engine)
    {
        int32_t   data[2] = {1, 2};
        ilc_array row = {.elem = ILC_I32, .length = 2, .data = data},
                  wrong = {.elem = ILC_F32, .length = 2, .data = data};
        ilc_array  *rows[] = {&row, NULL};
        ilc_array   all = {.elem = ILC_ARRAY, .length = 2, .data = rows};
        ilc_outcome outcome;
        ilc_value   arg = array_value(ILC_ARRAY, &all);
        assert_int_equal(call_on(engine, method, &arg, 1, &outcome), ILC_OK);
        assert_int_equal(outcome.ret.u.bits, 3);
        rows[1] = &wrong;
        assert_int_equal(call_on(engine, method, &arg, 1, &outcome), ILC_INVALID);
        arg = array_value(ILC_I32, &row);
        assert_int_equal(call_on(engine, method, &arg, 1, &outcome), ILC_INVALID);
    }
    fixture_close(&f);
}

static ilc_buffer *matrix(ilc_engine *engine, int64_t rows, int64_t cols, const double *data)
{
    ilc_buffer *buffer = NULL;
    int64_t     dims[] = {rows, cols};
    assert_int_equal(ilc_buffer_create(&buffer, engine, ILC_F64, rows * cols), ILC_OK);
    assert_int_equal(ilc_buffer_write(buffer, 0, data, rows * cols), ILC_OK);
    assert_int_equal(ilc_buffer_reshape(buffer, 2, dims), ILC_OK);
    return buffer;
}

static void a_buffer_has_the_rank_of_its_parameter(void **state)
{
    fixture      f;
    const double data[6] = {1, 2, 3, 4, 5, 6}, none[6] = {0};
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "Transpose");
    EACH_ENGINE(&f, engine)
    {
        ilc_buffer       *x = matrix(engine, 2, 3, data), *y = matrix(engine, 3, 2, none);
        ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_buffer("y", y)};
        int64_t           extents[] = {2, 3}, flat[] = {6}, wrong[] = {2, 2}, huge[] = {INT64_MAX, INT64_MAX};
        ilc_launch_result result;
        double            out[6];
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, extents, 2, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(y, 0, out, 6), ILC_OK);
        assert_true(out[0] == 1 && out[1] == 4 && out[2] == 2 && out[5] == 6);
        /* one array, transposed in place: elements meet */
        args[1] = ilc_arg_buffer("y", x);
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, extents, 2, NULL), ILC_UNSUPPORTED);
        assert_int_equal(ilc_buffer_reshape(y, 2, wrong), ILC_INVALID);
        assert_int_equal(ilc_buffer_reshape(y, 2, huge), ILC_INVALID);
        assert_int_equal(ilc_buffer_reshape(y, 4, extents), ILC_INVALID);
        assert_int_equal(ilc_buffer_reshape(y, 1, flat), ILC_OK);
        args[1] = ilc_arg_buffer("y", y);
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, extents, 2, NULL), ILC_INVALID);
        args[1] = ilc_arg_null("y");
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, extents, 2, NULL), ILC_TRAP);
        assert_string_equal(result.trap.exception, "System.NullReferenceException");
    }
    fixture_close(&f);
}

static void a_buffer_may_have_fewer_elements_than_it_was_made_with(void **state)
{
    fixture      f;
    const double data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "Transpose");
    EACH_ENGINE(&f, engine)
    {
        ilc_buffer       *x = matrix(engine, 2, 4, data), *y = matrix(engine, 2, 4, data);
        ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_buffer("y", y)};
        int64_t           extents[] = {2, 3}, turned[] = {3, 2}, shape[3];
        ilc_launch_result result;
        double            out[6];
        assert_int_equal(ilc_buffer_shape(x, shape), 2);
        assert_true(shape[0] == 2 && shape[1] == 4);
        assert_int_equal(ilc_buffer_resize(x, 6), ILC_OK);
        assert_int_equal(ilc_buffer_length(x), 6);
        assert_int_equal(ilc_buffer_shape(x, shape), 1);
        assert_true(shape[0] == 6);
        assert_int_equal(ilc_buffer_read(x, 6, out, 1), ILC_INVALID);
        assert_int_equal(ilc_buffer_reshape(x, 2, extents), ILC_OK);
        assert_int_equal(ilc_buffer_resize(y, 6), ILC_OK);
        assert_int_equal(ilc_buffer_reshape(y, 2, turned), ILC_OK);
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, extents, 2, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(y, 0, out, 6), ILC_OK);
        assert_true(out[0] == 1 && out[1] == 4 && out[2] == 2 && out[5] == 6);
        extents[1] = 4; /* the seventh element is there, but not in the array */
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, extents, 2, NULL), ILC_TRAP);
        assert_string_equal(result.trap.exception, "System.IndexOutOfRangeException");
        assert_int_equal(ilc_buffer_resize(x, 9), ILC_INVALID);
        assert_int_equal(ilc_buffer_resize(x, -1), ILC_INVALID);
        assert_int_equal(ilc_buffer_resize(x, 8), ILC_OK);
        assert_int_equal(ilc_buffer_read(x, 7, out, 1), ILC_OK);
        assert_true(out[0] == 8);
    }
    fixture_close(&f);
}

static void a_buffer_may_have_the_callers_memory(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "Transpose");
    EACH_ENGINE(&f, engine)
    {
        const double      data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        double            from[6] = {1, 2, 3, 4, 5, 6}, to[8] = {0}, out[8];
        ilc_buffer       *x = matrix(engine, 2, 4, data), *y = matrix(engine, 2, 4, data), *both;
        ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_buffer("y", y)};
        int64_t           extents[] = {2, 3}, turned[] = {3, 2};
        ilc_launch_result result;
        assert_int_equal(ilc_buffer_lend(x, from, 6), ILC_OK);
        assert_int_equal(ilc_buffer_reshape(x, 2, extents), ILC_OK);
        assert_int_equal(ilc_buffer_lend(y, to, 6), ILC_OK);
        assert_int_equal(ilc_buffer_reshape(y, 2, turned), ILC_OK);
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, extents, 2, NULL), ILC_OK);
        assert_true(to[0] == 1 && to[1] == 4 && to[2] == 2 && to[5] == 6 && to[6] == 0);
        from[0] = 10; /* nothing was copied */
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, extents, 2, NULL), ILC_OK);
        assert_true(to[0] == 10);
        assert_int_equal(ilc_buffer_write(x, 5, data, 1), ILC_OK);
        assert_true(from[5] == 1);
        assert_int_equal(ilc_buffer_read(x, 6, out, 1), ILC_INVALID);
        assert_int_equal(ilc_buffer_resize(x, 2), ILC_INVALID);
        assert_int_equal(ilc_buffer_create_arrays(&both, engine, ILC_F64, 1, &x, 1), ILC_INVALID);
        assert_int_equal(ilc_buffer_lend(x, from, -1), ILC_INVALID);
        assert_int_equal(ilc_buffer_lend(x, to, 8), ILC_OK);
        assert_int_equal(ilc_buffer_length(x), 8);
        assert_int_equal(ilc_buffer_lend(x, NULL, 0), ILC_OK);
        assert_int_equal(ilc_buffer_read(x, 0, out, 8), ILC_OK);
        assert_memory_equal(out, data, sizeof data);
    } /* y still has the caller's: it is not freed */
    fixture_close(&f);
}

/* Guarded where the indices fit the dimensions, checked where they do not; the lowest failing element is
 * reported. */
static void dimensions_decide_which_body_runs(void **state)
{
    fixture      f;
    const double data[6] = {1, 2, 3, 4, 5, 6}, none[6] = {0};
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    ilc_kernel       *kernel = fixture_kernel(&f, "Transpose");
    ilc_engine       *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    ilc_buffer       *x = matrix(engine, 2, 3, data), *y = matrix(engine, 3, 2, none);
    ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_buffer("y", y)};
    ilc_launch_result result;
    int64_t           fits[] = {2, 3}, wide[] = {2, 4}, turned[] = {3, 2};
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, fits, 2, NULL), ILC_OK);
    assert_true(result.guarded);
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, wide, 2, NULL), ILC_TRAP);
    assert_true(!result.guarded && result.element == 3);
    /* as many elements, other dimensions: x(2, 0) is not in a 2 x 3 array */
    assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, turned, 2, NULL), ILC_TRAP);
    assert_true(!result.guarded && result.element == 4);
    fixture_close(&f);
}

/* --- arrays of arrays in kernels --------------------------------------------------------------------------- */

static ilc_buffer *doubles(ilc_engine *engine, int64_t count, const double *data)
{
    ilc_buffer *buffer = NULL;
    assert_int_equal(ilc_buffer_create(&buffer, engine, ILC_F64, count), ILC_OK);
    assert_int_equal(ilc_buffer_write(buffer, 0, data, count), ILC_OK);
    return buffer;
}

static ilc_buffer *ints(ilc_engine *engine, int64_t count, const int32_t *data)
{
    ilc_buffer *buffer = NULL;
    assert_int_equal(ilc_buffer_create(&buffer, engine, ILC_I32, count), ILC_OK);
    assert_int_equal(ilc_buffer_write(buffer, 0, data, count), ILC_OK);
    return buffer;
}

static ilc_buffer *rows_of(ilc_engine *engine, ilc_storage elem, uint32_t nested, ilc_buffer *const *rows, int64_t count)
{
    ilc_buffer *buffer = NULL;
    assert_int_equal(ilc_buffer_create_arrays(&buffer, engine, elem, nested, rows, count), ILC_OK);
    return buffer;
}

static void a_kernel_takes_rows_of_any_length(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "ScaleRow");
    EACH_ENGINE(&f, engine)
    {
        const double      data[] = {1, 2, 3, 4}, factors[] = {2, 10, 1, 1};
        double            out[3];
        ilc_buffer       *rows[] = {doubles(engine, 3, data), doubles(engine, 1, data + 3), doubles(engine, 0, data), NULL};
        ilc_buffer       *x = rows_of(engine, ILC_F64, 1, rows, 4), *by = doubles(engine, 4, factors);
        ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_buffer("by", by)};
        int64_t           three[] = {3}, four[] = {4};
        ilc_launch_result result;
        assert_true(ilc_buffer_elem(x) == ILC_ARRAY && ilc_buffer_length(x) == 4);
        ilc_buffer_destroy(rows[1]); /* lives on in x */
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, three, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(rows[0], 0, out, 3), ILC_OK);
        assert_true(out[0] == 2 && out[1] == 4 && out[2] == 6);
        assert_int_equal(ilc_launch(&result, engine, kernel, args, 2, four, 1, NULL), ILC_TRAP);
        assert_string_equal(result.trap.exception, "System.NullReferenceException");
        assert_int_equal(result.element, 3);
        assert_int_equal(ilc_buffer_read(rows[0], 0, out, 3), ILC_OK);
        assert_true(out[0] == 4 && out[2] == 12);
        ilc_buffer_destroy(x);
        assert_int_equal(ilc_buffer_read(rows[0], 0, out, 3), ILC_OK);
    }
    fixture_close(&f);
}

static void a_row_that_lies_there_twice_is_refused_where_elements_meet_in_it(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    ilc_kernel *by_row = fixture_kernel(&f, "AddCell"), *in_row = fixture_kernel(&f, "CountIn");
    EACH_ENGINE(&f, engine)
    {
        const int32_t     data[] = {1, 2};
        int32_t           out[2];
        ilc_buffer       *a = ints(engine, 2, data), *b = ints(engine, 2, data), *c = ints(engine, 2, data);
        ilc_buffer       *apart = rows_of(engine, ILC_I32, 1, (ilc_buffer *[]){a, b}, 2);
        ilc_buffer       *other_way = rows_of(engine, ILC_I32, 1, (ilc_buffer *[]){b, a}, 2);
        ilc_buffer       *twice = rows_of(engine, ILC_I32, 1, (ilc_buffer *[]){c, c}, 2);
        int64_t           two[] = {2, 2}, row[] = {1, 2};
        ilc_launch_result result;
        ilc_argument      args[] = {ilc_arg_buffer("x", twice), ilc_arg_buffer("y", apart)};
        assert_int_equal(ilc_launch(&result, engine, by_row, args, 2, two, 2, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(b, 0, out, 2), ILC_OK);
        assert_true(out[0] == 2 && out[1] == 4);
        args[0] = ilc_arg_buffer("x", apart); /* one object: an element reads its own place */
        assert_int_equal(ilc_launch(&result, engine, by_row, args, 2, two, 2, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(b, 0, out, 2), ILC_OK);
        assert_true(out[0] == 4 && out[1] == 8);
        args[0] = ilc_arg_buffer("x", other_way); /* its rows are others' */
        assert_int_equal(ilc_launch(&result, engine, by_row, args, 2, two, 2, NULL), ILC_UNSUPPORTED);
        args[0] = ilc_arg_buffer("x", apart);
        args[1] = ilc_arg_buffer("y", twice);
        assert_int_equal(ilc_launch(&result, engine, by_row, args, 2, two, 2, NULL), ILC_UNSUPPORTED);
        assert_says(&f, "one array lies in 'y' twice");
        assert_int_equal(ilc_launch(&result, engine, by_row, args, 2, row, 2, NULL), ILC_OK);
        ilc_argument count[] = {ilc_arg_buffer("x", twice), ilc_arg_int("r", 1)}; /* places in a row are apart */
        assert_int_equal(ilc_launch(&result, engine, in_row, count, 2, two, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(c, 0, out, 2), ILC_OK);
        assert_true(out[0] == 5 && out[1] == 11);
    }
    fixture_close(&f);
}

static void what_is_no_array_of_arrays_of_the_type_is_refused(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    ilc_kernel *mean = fixture_kernel(&f, "RowMean");
    EACH_ENGINE(&f, engine)
    {
        const double  data[] = {1, 2, 3, 4};
        const float   singles[] = {1, 2};
        ilc_engine   *other = fixture_engine(&f, ILC_ENGINE_IL);
        ilc_buffer   *row = doubles(engine, 4, data), *square = matrix(engine, 2, 2, data), *foreign = doubles(other, 4, data);
        ilc_buffer   *good = fixture_floats(engine, singles, 2), *made = NULL;
        int64_t       flat[] = {2, 2}, one[] = {1};
        float         out[1];
        const struct {
            ilc_storage elem;
            uint32_t    nested;
            ilc_buffer *row;
            int64_t     count;
        } wrong[] = {{ILC_F32, 1, row, 1},    {ILC_F64, 1, square, 1}, {ILC_F64, 1, foreign, 1},  {ILC_F64, 2, row, 1},
                     {ILC_F64, 0, row, 1},    {ILC_F64, 3, row, 1},    {ILC_STRUCT, 1, NULL, 1},  {ILC_ARRAY, 1, NULL, 1},
                     {ILC_VOID, 1, NULL, 1},  {ILC_F64, 1, NULL, -1}};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
            assert_int_equal(ilc_buffer_create_arrays(&made, engine, wrong[i].elem, wrong[i].nested, &wrong[i].row, wrong[i].count), ILC_INVALID);
        ilc_buffer *x = rows_of(engine, ILC_F64, 1, &row, 1), *result = fixture_floats(engine, NULL, 1);
        assert_int_equal(ilc_buffer_reshape(row, 2, flat), ILC_INVALID);
        assert_int_equal(ilc_buffer_reshape(x, 2, flat), ILC_INVALID);
        assert_int_equal(ilc_buffer_resize(row, 2), ILC_INVALID);
        assert_int_equal(ilc_buffer_resize(x, 0), ILC_INVALID);
        assert_int_equal(ilc_buffer_read(x, 0, out, 1), ILC_INVALID);
        assert_int_equal(ilc_buffer_write(x, 0, out, 1), ILC_INVALID);
        ilc_launch_result launched;
        ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_result(result)};
        assert_int_equal(ilc_launch(&launched, engine, mean, args, 2, one, 1, NULL), ILC_INVALID);
        assert_says(&f, "argument x is Double[][], Single[][] was expected");
        args[0] = ilc_arg_buffer("x", good);
        assert_int_equal(ilc_launch(&launched, engine, mean, args, 2, one, 1, NULL), ILC_INVALID);
        args[0] = ilc_arg_buffer("x", rows_of(engine, ILC_F32, 1, (ilc_buffer *[]){good, result}, 2)); /* the output in an input */
        assert_int_equal(ilc_launch(&launched, engine, mean, args, 2, one, 1, NULL), ILC_INVALID);
        args[0] = ilc_arg_buffer("x", rows_of(engine, ILC_F32, 1, &good, 1));
        assert_int_equal(ilc_launch(&launched, engine, mean, args, 2, one, 1, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(result, 0, out, 1), ILC_OK);
        assert_true(out[0] == 1.5f);
        args[0] = ilc_arg_null("x");
        assert_int_equal(ilc_launch(&launched, engine, mean, args, 2, one, 1, NULL), ILC_TRAP);
        ilc_engine_destroy(other);
    }
    fixture_close(&f);
}

static void arrays_lie_three_deep(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "ArraysCs.dll");
    ilc_kernel *kernel = fixture_kernel(&f, "Halve");
    EACH_ENGINE(&f, engine)
    {
        const double      data[] = {2, 4, 6};
        double            out[2];
        ilc_buffer       *a = doubles(engine, 2, data), *b = doubles(engine, 1, data + 2);
        ilc_buffer       *planes[] = {rows_of(engine, ILC_F64, 1, &a, 1), rows_of(engine, ILC_F64, 1, &b, 1)};
        ilc_buffer       *x = rows_of(engine, ILC_F64, 2, planes, 2);
        ilc_argument      arg = ilc_arg_buffer("x", x);
        int64_t           extents[] = {2, 1};
        ilc_launch_result result;
        ilc_buffer_destroy(planes[0]);
        assert_int_equal(ilc_launch(&result, engine, kernel, &arg, 1, extents, 2, NULL), ILC_OK);
        assert_int_equal(ilc_buffer_read(a, 0, out, 2), ILC_OK);
        assert_true(out[0] == 1 && out[1] == 2);
        /* one plane twice: its rows are met twice */
        arg = ilc_arg_buffer("x", rows_of(engine, ILC_F64, 2, (ilc_buffer *[]){planes[1], planes[1]}, 2));
        assert_int_equal(ilc_launch(&result, engine, kernel, &arg, 1, extents, 2, NULL), ILC_UNSUPPORTED);
    }
    fixture_close(&f);
}

static void a_row_that_others_change_is_refused_with_both_lines(void **state)
{
    fixture     f;
    ilc_kernel *kernel;
    (void)state;
    fixture_open(&f, "ArraysVb.dll");
    assert_int_equal(ilc_kernel_translate(&kernel, fixture_method(&f, "FromNext"), NULL), ILC_UNSUPPORTED);
    assert_says(&f, "the store at line 50 may touch what line 50 reads in another element");
    fixture_close(&f);
}

/* The interpreter of the self-check works on copies of what any name of a buffer stores to. */
static void a_self_check_leaves_an_array_of_two_names_alone(void **state)
{
    fixture f;
    (void)state;
    fixture_open(&f, "MemoryVb.dll");
    ilc_engine       *engine = fixture_engine(&f, ILC_ENGINE_CPU);
    const float       data[] = {1, 1};
    float             out[2];
    ilc_buffer       *x = fixture_floats(engine, data, 2);
    ilc_argument      args[] = {ilc_arg_buffer("x", x), ilc_arg_buffer("y", x), ilc_arg_float("a", 2)};
    int64_t           extents[] = {2};
    ilc_launch_result result;
    assert_int_equal(ilc_launch(&result, engine, fixture_kernel(&f, "AddInPlace"), args, 3, extents, 1, NULL), ILC_OK);
    assert_int_equal(result.checked, 2);
    assert_int_equal(ilc_buffer_read(x, 0, out, 2), ILC_OK);
    assert_true(out[0] == 3 && out[1] == 3);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_say_their_rank_and_depth),
        cmocka_unit_test(arrays_of_another_shape_are_refused),
        cmocka_unit_test(a_row_may_stand_in_an_array_twice),
        cmocka_unit_test(rows_of_another_type_are_refused),
        cmocka_unit_test(a_buffer_has_the_rank_of_its_parameter),
        cmocka_unit_test(a_buffer_may_have_fewer_elements_than_it_was_made_with),
        cmocka_unit_test(a_buffer_may_have_the_callers_memory),
        cmocka_unit_test(dimensions_decide_which_body_runs),
        cmocka_unit_test(a_kernel_takes_rows_of_any_length),
        cmocka_unit_test(a_row_that_lies_there_twice_is_refused_where_elements_meet_in_it),
        cmocka_unit_test(what_is_no_array_of_arrays_of_the_type_is_refused),
        cmocka_unit_test(arrays_lie_three_deep),
        cmocka_unit_test(a_row_that_others_change_is_refused_with_both_lines),
        cmocka_unit_test(a_self_check_leaves_an_array_of_two_names_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
