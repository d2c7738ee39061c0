/* il_machine_test.c - whole methods in the judge: answers recorded from CoreCLR (data/machine.txt), and what only
 * the judge has: fuel, stopping, traces, the limit of recursion. */
#include "il_cases.h"

enum { MAX_ARGS = 8, MAX_ELEMENTS = 16 };

typedef struct arguments {
    ilc_value values[MAX_ARGS];
    ilc_array arrays[MAX_ARGS];
    uint64_t  data[MAX_ARGS][MAX_ELEMENTS];
    uint32_t  count;
} arguments;

static uint64_t extend(ilc_storage storage, uint64_t bits)
{
    switch (storage) {
    case ILC_I8: return (uint64_t)(int64_t)(int8_t)bits;
    case ILC_I16: return (uint64_t)(int64_t)(int16_t)bits;
    case ILC_I32: return (uint64_t)(int64_t)(int32_t)bits;
    default: return bits;
    }
}

static uint64_t parse_bits(const char *text, ilc_storage storage)
{
    if (*text == 'N') return storage == ILC_F32 ? 0x7fc00000u : 0x7ff8000000000000u;
    return extend(storage, strtoull(text, NULL, 16));
}

static void parse_array(arguments *args, uint32_t i, char *text, ilc_storage elem)
{
    ilc_array *a = &args->arrays[i];
    uint8_t   *to = (uint8_t *)args->data[i];
    *a = (ilc_array){.elem = elem, .data = args->data[i]};
    args->values[i].u.array = a;
    for (char *at = text + 1; *at && *at != ']';) {
        uint64_t bits = parse_bits(at, elem);
        memcpy(to + (size_t)a->length++ * ilc_storage_size(elem), &bits, ilc_storage_size(elem));
        at += strcspn(at, ",]");
        if (*at == ',') at++;
    }
}

static void parse_argument(arguments *args, const ilc__method *method, char *text)
{
    uint32_t         i = args->count++;
    const ilc__type *type = method->sig.params[i];
    bool             is_byref = type->kind == ILC__ET_BYREF, is_array = type->kind == ILC__ET_SZARRAY || is_byref;
    ilc_value       *value = &args->values[i];
    *value = (ilc_value){ilc__type_storage(is_array ? type->elem : type), is_array, is_byref, {0}};
    if (!is_array) value->u.bits = parse_bits(text, value->storage);
    else if (strcmp(text, "same") == 0) value->u.array = args->values[0].u.array;
    else if (*text == '[') parse_array(args, i, text, value->storage);
}

static void print_bits(char *to, size_t size, ilc_storage storage, uint64_t bits)
{
    float    f;
    double   d;
    uint32_t width = ilc_storage_size(storage);
    memcpy(&f, &bits, sizeof f);
    memcpy(&d, &bits, sizeof d);
    if (width < 8) bits &= ((uint64_t)1 << (8 * width)) - 1;
    if ((storage == ILC_F32 && f != f) || (storage == ILC_F64 && d != d)) snprintf(to, size, "N");
    else snprintf(to, size, "%llx", (unsigned long long)bits);
}

/* The outcome as machine.txt writes it. */
static void print_outcome(char *to, size_t size, const ilc_outcome *out, const arguments *args)
{
    if (out->trapped) snprintf(to, size, "!%s: %s", out->trap.exception, out->trap.message);
    else if (out->ret.storage == ILC_VOID) snprintf(to, size, "void");
    else print_bits(to, size, out->ret.storage, out->ret.u.bits);
    for (uint32_t i = 0; i < args->count; i++) {
        const ilc_array *a = args->values[i].is_array ? args->values[i].u.array : NULL;
        if (!a || (out->trapped && args->values[i].is_byref)) continue;
        strcat(to, " | [");
        for (int64_t k = 0; k < a->length; k++) {
            uint64_t bits = 0;
            char     one[32];
            memcpy(&bits, (const uint8_t *)a->data + k * ilc_storage_size(a->elem), ilc_storage_size(a->elem));
            print_bits(one, sizeof one, a->elem, bits);
            if (k) strcat(to, ",");
            strcat(to, one);
        }
        strcat(to, "]");
    }
}

/* Tuples are laid out from their definition: nothing can be asked where no .NET is installed. */
static bool without_framework(const cases *c, ilc_status status)
{
    if (status != ILC_UNSUPPORTED) return false;
    const char *reason = c->ctx.diags.items[c->ctx.diags.count - 1].reason;
    bool        absent = strstr(reason, "System.ValueTuple`") && strstr(reason, "its assembly was not found");
    if (absent) print_message("skipped: %s\n", reason);
    return absent;
}

static bool check_line(const cases *c, char *line)
{
    static arguments args;
    char            *arrow = strstr(line, " => "), text[512], copy[256];
    ilc_outcome      out;
    assert_non_null(arrow);
    snprintf(copy, sizeof copy, "%.*s", (int)(arrow - line), line);
    const ilc__method *method = find_method(c, strtok(copy, " "));
    memset(&args, 0, sizeof args);
    for (char *word; (word = strtok(NULL, " ")) != NULL;) parse_argument(&args, method, word);
    ilc_status status = ilc__il_call(c->machine, method, args.values, args.count, NULL, &out);
    if (without_framework(c, status)) return true;
    if (status != ILC_OK) fail_msg("%s: %s", line, c->ctx.diags.items[c->ctx.diags.count - 1].text);
    print_outcome(text, sizeof text, &out, &args);
    if (strcmp(text, arrow + 4) == 0) return true;
    print_error("%s\n    gave %s\n", line, text);
    return false;
}

static void every_method_answers_as_coreclr_does(void **state)
{
    const cases *c = *state;
    size_t       size, wrong = 0, checked = 0;
    char        *text = (char *)read_file("machine.txt", &size), *at = text;
    while (*at) {
        char *line = at, *end = strchr(at, '\n');
        if (end) *end = 0;
        at = end ? end + 1 : at + strlen(at);
        if (*line == '#' || !*line) continue;
        checked++;
        wrong += !check_line(c, line);
    }
    free(text);
    print_message("machine.txt: %zu calls\n", checked);
    assert_int_equal(wrong, 0);
    assert_true(checked > 1750);
}

static ilc_status call_i4(const cases *c, const char *name, int32_t value, const ilc__interp_options *options,
                          ilc_outcome *out)
{
    ilc_value          arg = number(ILC_I32, (uint64_t)(int64_t)value);
    const ilc__method *method = find_method(c, name);
    return ilc__il_call(c->machine, method, &arg, method->sig.param_count, options, out);
}

static void a_trap_names_method_and_offset_of_the_instruction(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    int32_t      data[1] = {5};
    ilc_array    object = {.elem = ILC_I32, .length = 1, .data = data};
    ilc_value    args[2] = {array(ILC_I32, &object), number(ILC_I32, 1)};
    assert_int_equal(ilc__il_call(c->machine, find_method(c, "TrapInCallee"), args, 2, NULL, &out), ILC_OK);
    assert_true(out.trapped);
    assert_string_equal(out.trap.method, "IlCases.Inner");
    assert_int_equal(out.trap.il_offset, 2);
    assert_int_equal(out.trap.line, 0);
    assert_null(out.trap.file);
    assert_int_equal(call_i4(c, "ThrowsArgument", -1, NULL, &out), ILC_OK);
    assert_string_equal(out.trap.message, "too small (Parameter 'n')");
}

static void recursion_ends_at_256_activations(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    assert_int_equal(call_i4(c, "DeepRecursion", 255, NULL, &out), ILC_OK);
    assert_false(out.trapped);
    assert_int_equal(out.ret.u.bits, 255);
    assert_int_equal(call_i4(c, "DeepRecursion", 256, NULL, &out), ILC_OK);
    assert_true(out.trapped);
    assert_string_equal(out.trap.exception, "System.InsufficientExecutionStackException");
    assert_string_equal(out.trap.message,
                        "Insufficient stack to continue executing the program safely. This can happen from having "
                        "too many functions on the call stack or function on the stack using too much stack space.");
    assert_string_equal(out.trap.method, "IlCases.DeepRecursion");
    assert_int_equal(call_i4(c, "DeepRecursion", 3, NULL, &out), ILC_OK); /* nothing is left of the last call */
    assert_int_equal(out.ret.u.bits, 3);
}

static void recursion_through_two_methods_ends_too(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    assert_int_equal(call_i4(c, "DeepPing", 127, NULL, &out), ILC_OK);
    assert_int_equal(out.ret.u.bits, 254);
    assert_int_equal(call_i4(c, "DeepPing", 128, NULL, &out), ILC_OK); /* the limit is the cycle's */
    assert_true(out.trapped);
    assert_int_equal(call_i4(c, "DeepPing", 1000000, NULL, &out), ILC_OK);
    assert_true(out.trapped);
    assert_string_equal(out.trap.method, "IlCases.DeepPong");
}

static void a_call_of_itself_before_ret_is_a_loop(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    ilc_value    args[2] = {number(ILC_I64, 1000000), number(ILC_I64, 0)};
    assert_int_equal(ilc__il_call(c->machine, find_method(c, "TailCall"), args, 2, NULL, &out), ILC_OK);
    assert_false(out.trapped);
    assert_int_equal(out.ret.u.bits, 500000500000);
}

static void fuel_counts_instructions_and_ends_a_call(void **state)
{
    cases              *c = *state;
    ilc_outcome         out;
    ilc__interp_options options = {.fuel = 1000000};
    assert_int_equal(call_i4(c, "Forever", 0, &options, &out), ILC_LIMIT);
    options.fuel = 1; /* of ldarg.0, ret; the widening between them is no instruction */
    assert_int_equal(call_i4(c, "LongResultOfInt", 7, &options, &out), ILC_LIMIT);
    options.fuel = 2;
    assert_int_equal(call_i4(c, "LongResultOfInt", 7, &options, &out), ILC_OK);
    assert_int_equal(out.ret.u.bits, 7);
    assert_string_equal(c->ctx.diags.items[0].reason, "fuel ran out");
}

static void a_call_stops_when_told_to(void **state)
{
    cases              *c = *state;
    ilc_outcome         out;
    volatile const bool stop = true;
    ilc__interp_options options = {.stop = &stop};
    assert_int_equal(call_i4(c, "Forever", 0, &options, &out), ILC_LIMIT);
    assert_string_equal(c->ctx.diags.items[0].reason, "the call was stopped");
}

typedef struct lines {
    char     text[32][128];
    uint32_t count;
} lines;

static void keep_line(void *user, const char *line)
{
    lines *l = user;
    if (l->count < 32) snprintf(l->text[l->count++], sizeof l->text[0], "%s", line);
}

static void a_trace_shows_each_instruction_with_its_stack(void **state)
{
    static lines        l;
    const cases        *c = *state;
    ilc_outcome         out;
    ilc__interp_options options = {.trace = keep_line, .trace_user = &l};
    ilc_value           args[2] = {number(ILC_F32, 0x3fc00000), number(ILC_F64, 0x3fe0000000000000)};
    assert_int_equal(ilc__il_call(c->machine, find_method(c, "MixedFloats"), args, 2, &options, &out), ILC_OK);
    assert_int_equal(l.count, 4);
    assert_string_equal(l.text[0], "IlCases.MixedFloats IL_0000 ldarg.0 p0 []");
    assert_string_equal(l.text[1], "IlCases.MixedFloats IL_0001 ldarg.1 p1 [1.5f]");
    assert_string_equal(l.text[2], "IlCases.MixedFloats IL_0002 add [1.5f, 0.5]");
    assert_string_equal(l.text[3], "IlCases.MixedFloats IL_0003 ret [2]");
}

static void arguments_of_other_types_are_refused(void **state)
{
    const cases       *c = *state;
    ilc_outcome        out;
    const ilc__method *method = find_method(c, "Inner");
    ilc_array          object = {.elem = ILC_F32};
    ilc_value          args[2] = {array(ILC_I32, &object), number(ILC_I32, 0)};
    assert_int_equal(ilc__il_call(c->machine, method, args, 2, NULL, &out), ILC_INVALID);
    args[0] = array(ILC_F32, NULL);
    assert_int_equal(ilc__il_call(c->machine, method, args, 2, NULL, &out), ILC_INVALID);
    args[0] = number(ILC_I32, 0);
    assert_int_equal(ilc__il_call(c->machine, method, args, 2, NULL, &out), ILC_INVALID);
    args[0] = array(ILC_I32, NULL);
    assert_int_equal(ilc__il_call(c->machine, method, args, 1, NULL, &out), ILC_INVALID);
    assert_int_equal(ilc__il_call(c->machine, method, args, 2, NULL, &out), ILC_OK);
}

static void a_raw_boolean_byte_of_two_stays_two(void **state)
{
    const cases *c = *state;
    ilc_outcome  out;
    uint8_t      data[2] = {0, 2};
    ilc_array    object = {.elem = ILC_BOOL, .length = 2, .data = data};
    ilc_value    args[2] = {array(ILC_BOOL, &object), number(ILC_I32, 1)};
    assert_int_equal(ilc__il_call(c->machine, find_method(c, "GetBool"), args, 2, NULL, &out), ILC_OK);
    assert_int_equal(out.ret.u.bits, 2);
    assert_int_equal(call_i4(c, "BoolOfTwo", 2, NULL, &out), ILC_OK);
    assert_int_equal(out.ret.u.bits, 2);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, open_cases, close_cases)
    const struct CMUnitTest tests[] = {
        TEST(every_method_answers_as_coreclr_does),
        TEST(a_trap_names_method_and_offset_of_the_instruction),
        TEST(recursion_ends_at_256_activations),
        TEST(recursion_through_two_methods_ends_too),
        TEST(a_call_of_itself_before_ret_is_a_loop),
        TEST(fuel_counts_instructions_and_ends_a_call),
        TEST(a_call_stops_when_told_to),
        TEST(a_trace_shows_each_instruction_with_its_stack),
        TEST(arguments_of_other_types_are_refused),
        TEST(a_raw_boolean_byte_of_two_stays_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
