/* cmd_run.c - `run`: statements over .npy arrays, each a kernel whose arguments are bound by name. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "run.h"
#include "values.h"


/* --- what a parameter is bound to ----------------------------------------------------------------------------------- */

static bool starts_number(const char *text)
{
    return strchr("0123456789-+.#", *text) != NULL;
}

/* --index holds the parameter's name. */
static bool is_named_index(const char *names, ilc_method *method, uint32_t number)
{
    for (const char *at = names; *at;) {
        size_t   item = strcspn(at, ",");
        char    *name = must_format("%.*s", (int)item, at + strspn(at, " "));
        uint32_t found;
        bool     same = ilc_method_param_named(&found, method, name) == ILC_OK && found == number;
        free(name);
        if (same) return true;
        at += item + (at[item] == ',');
    }
    return false;
}

bool run_is_index(const run_state *run, ilc_method *method, uint32_t number)
{
    ilc_param param;
    if (ilc_method_param(&param, method, number) != ILC_OK) return false;
    if (!run->settings->index) return param.index >= 0;
    bool named_so = is_named_index(run->settings->index, method, number);
    ilc_session_clear_diagnostics(run->session);
    return named_so;
}

/* What stands for a parameter: its name, or, by position among those that are no index, the statement's. */
const char *run_expression(const run_state *run, const statement *s, ilc_method *method, uint32_t number)
{
    ilc_param param;
    if (ilc_method_param(&param, method, number) != ILC_OK) return "";
    int position = 0;
    for (uint32_t i = 0; s->has_args && i < number; i++) position += !run_is_index(run, method, i);
    return s->has_args && position < s->arg_count ? s->args[position] : param.name;
}

/* In `F(a, A)`, and for parameters a and A, case tells names apart. */
static bool case_matters(const run_state *run, const statement *s, ilc_method *method, const char *expression)
{
    for (uint32_t i = 0; i < ilc_method_param_count(method); i++) {
        if (run_is_index(run, method, i)) continue;
        const char *other = run_expression(run, s, method, i);
        if (strcasecmp(other, expression) == 0 && strcmp(other, expression) != 0) return true;
    }
    return false;
}

/* What parameter `number` is bound to. */
static named look_up(const run_state *run, const statement *s, ilc_method *method, uint32_t number)
{
    const char *name = run_expression(run, s, method, number);
    named       found = names_find(&run->names, name, case_matters(run, s, method, name));
    if (!found.array && !found.scalar && (starts_number(name) || strcmp(name, "null") == 0)) found.scalar = name;
    return found;
}

/* Is an array of records, or of structs made here, none of the struct? NULL, or why. */
static const char *struct_differs(const run_array *array, const ilc_struct *layout, char why[160])
{
    const ilc_struct *made = array->buffer ? ilc_buffer_struct(array->buffer) : NULL;
    if (!made) return npy_fits_struct(&array->shape, layout, why);
    if (made == layout) return NULL;
    snprintf(why, 160, "it is an array of %.100s", ilc_struct_name(made));
    return why;
}

/* --- which overload -------------------------------------------------------------------------------------------------- */

/* Do the inputs that there are have this method's element types? Results of earlier statements are known by name
 * and type once these ran; an unknown name decides nothing. */
static bool types_match(const run_state *run, const statement *s, ilc_method *method)
{
    char why[160];
    for (uint32_t i = 0; i < ilc_method_param_count(method); i++) {
        ilc_param param;
        if (ilc_method_param(&param, method, i) != ILC_OK) return false;
        if (run_is_index(run, method, i)) continue;
        named bound = look_up(run, s, method, i);
        if (bound.array && !npy_fits(bound.array->shape.elem, param.innermost)) return false;
        if (bound.array && param.layout && struct_differs(bound.array, param.layout, why)) return false;
        if (param.is_array && bound.scalar && strcmp(bound.scalar, "null") != 0) return false;
    }
    return true;
}

ilc_status run_find_all(const run_state *run, const char *name, ilc_method **out, size_t capacity, size_t *count)
{
    ilc_status status = ilc_assembly_find_all(out, capacity, count, run->assembly, name);
    for (size_t m = 0; status == ILC_OK && m < *count && m < capacity; m++) status = rows_apply(run->settings, &out[m]);
    return status;
}

static int find_method(run_state *run, const statement *s, ilc_method **out)
{
    ilc_method *found[MOST_CANDIDATES];
    size_t      count = 0, matching = 0;
    ilc_status  status = run_find_all(run, s->method, found, MOST_CANDIDATES, &count);
    if (status != ILC_OK) return fail(run->session, status);
    for (size_t i = 0; count > 1 && count <= MOST_CANDIDATES && i < count; i++) {
        if (!types_match(run, s, found[i])) continue;
        *out = found[i];
        matching++;
    }
    if (matching == 1) return EXIT_DONE;
    status = ilc_assembly_find(out, run->assembly, s->method);
    if (status == ILC_OK) status = rows_apply(run->settings, out);
    return status == ILC_OK ? EXIT_DONE : fail(run->session, status);
}

/* --- extents ---------------------------------------------------------------------------------------------------------- */

typedef struct launch_shape {
    int     dims;
    int64_t extents[STATEMENT_MAX_EXTENTS];
    int64_t total;
} launch_shape;

static int read_extents(const run_state *run, const statement *s, launch_shape *out)
{
    out->dims = s->extent_count;
    out->total = 1;
    for (int k = 0; k < s->extent_count; k++) {
        if (!names_extent(&run->names, s->extents[k], &out->extents[k])) return EXIT_USAGE;
        if (out->extents[k] < 0) return say(EXIT_USAGE, "the extent %s is negative", s->extents[k]);
        if (out->extents[k] && out->total > INT64_MAX / out->extents[k]) return say(EXIT_USAGE, "the extents are too large");
        out->total *= out->extents[k];
    }
    return EXIT_DONE;
}

/* "(2,5)" */
static char *shape_text(const npy_array *shape)
{
    char *text = must_format("(");
    for (int k = 0; k < shape->dims; k++) {
        char *longer = must_format("%s%s%lld", text, k ? "," : "", (long long)shape->shape[k]);
        free(text);
        text = longer;
    }
    char *whole = must_format("%s%s)", text, shape->dims == 1 ? "," : "");
    free(text);
    return whole;
}

static int say_shapes_differ(const statement *s, const run_array *a, const run_array *b)
{
    char *x = shape_text(&a->shape), *y = shape_text(&b->shape);
    int   code = say(EXIT_USAGE, "%s: %s has the shape %s, %s has %s", s->method, a->name, x, b->name, y);
    free(x);
    free(y);
    return code;
}

/* An element-wise kernel runs over its arrays' shape, which is one. */
static int shape_of_inputs(const run_state *run, const statement *s, ilc_method *method, launch_shape *out)
{
    const run_array *first = NULL;
    for (uint32_t i = 0; i < ilc_method_param_count(method); i++) {
        const run_array *array = look_up(run, s, method, i).array;
        if (!array) continue;
        if (!first) first = array;
        if (array->shape.dims != first->shape.dims ||
            memcmp(array->shape.shape, first->shape.shape, (size_t)first->shape.dims * sizeof *first->shape.shape) != 0)
            return say_shapes_differ(s, first, array);
    }
    if (!first) return say(EXIT_USAGE, "%s: its extents are missing: %s[n]", s->method, s->method);
    if (first->shape.dims > STATEMENT_MAX_EXTENTS)
        return say(EXIT_USAGE, "%s: %s has more than %d dimensions", s->method, first->name, STATEMENT_MAX_EXTENTS);
    out->dims = first->shape.dims;
    memcpy(out->extents, first->shape.shape, sizeof out->extents);
    out->total = first->shape.count;
    return EXIT_DONE;
}

static void keep_array(run_state *run, const program_step *step, const char *name, const launch_shape *shape, ilc_buffer *buffer)
{
    run_array *array = names_put(&run->names, name);
    array->made_by = step;
    array->buffer = buffer;
    array->shape = (npy_array){.elem = ilc_buffer_elem(buffer), .dims = shape->dims, .count = shape->total};
    memcpy(array->shape.shape, shape->extents, sizeof shape->extents);
}

/* --- one statement ------------------------------------------------------------------------------------------------------ */

/* What is passed by reference and not yet there is a result: zero before, named as the statement names it. */
static int make_by_ref(run_state *run, const program_step *step, uint32_t number, const ilc_param *param,
                       const launch_shape *shape)
{
    named bound = look_up(run, &step->statement, step->method, number);
    if (bound.array) return EXIT_DONE;
    if (bound.scalar)
        return say(EXIT_USAGE, "%s: parameter %s is passed by reference: it takes an array or a new name, not %s",
                   step->statement.method, param->name, bound.scalar);
    ilc_buffer *buffer;
    ilc_status  status = run_make_buffer(run, param, shape->total, &buffer);
    if (status != ILC_OK) return fail(run->session, status);
    keep_array(run, step, run_expression(run, &step->statement, step->method, number), shape, buffer);
    return EXIT_DONE;
}

/* A struct by value, as `call` takes it: "[1.5,[2,3]]". */
static int bind_struct(run_state *run, const statement *s, const ilc_param *param, const char *text, ilc_argument *out)
{
    const char         *reason = "";
    ilc_value           value = {0};
    struct json_object *json = json_parse_exact(text, strlen(text), &reason);
    const char         *why = json ? value_parse(&run->pool, json, param, NULL, 0, &value) : reason;
    json_object_put(json);
    if (why) return say(EXIT_USAGE, "%s: %s is not a value of %s, the type of %s: %s", s->method, text, param->type, param->name, why);
    *out = ilc_arg_value(param->name, value);
    return EXIT_DONE;
}

static int bind_parameter(run_state *run, const program_step *step, uint32_t number, const ilc_param *param,
                          const launch_shape *shape, ilc_argument *out)
{
    const statement *s = &step->statement;
    if (param->is_byref) {
        int code = make_by_ref(run, step, number, param, shape);
        if (code != EXIT_DONE) return code;
    }
    named bound = look_up(run, s, step->method, number);
    if (bound.array) {
        ilc_buffer *buffer = NULL;
        if (!npy_fits(bound.array->shape.elem, param->innermost))
            return say(EXIT_USAGE, "%s: %s is an array of %s, parameter %s is %s", s->method,
                       run_expression(run, s, step->method, number), ilc_storage_name(bound.array->shape.elem), param->name, param->type);
        char        why[160];
        const char *differs = param->layout ? struct_differs(bound.array, param->layout, why) : NULL;
        if (differs)
            return say(EXIT_USAGE, "%s: %s is not an array of %s, the type of %s: %s", s->method,
                       run_expression(run, s, step->method, number), ilc_struct_name(param->layout), param->name, differs);
        int code = run_upload(run, step, bound.array, param, &buffer);
        *out = ilc_arg_buffer(param->name, buffer);
        return code;
    }
    if (!bound.scalar)
        return say(EXIT_USAGE, "%s: parameter %s is not bound; give it with %s%s=..", s->method, param->name,
                   param->is_array ? "--in " : "--set ", param->name);
    if (param->is_array) {
        if (strcmp(bound.scalar, "null") != 0)
            return say(EXIT_USAGE, "%s: parameter %s must be an array, not %s", s->method, param->name, bound.scalar);
        *out = ilc_arg_null(param->name);
        return EXIT_DONE;
    }
    if (param->layout) return bind_struct(run, s, param, bound.scalar, out);
    ilc_value value = {.storage = param->storage};
    if (param->storage >= ILC_STORAGE_COUNT || !scalar_parse(bound.scalar, param->storage, &value.u.bits))
        return say(EXIT_USAGE, "%s: %s is not a value of %s, the type of %s", s->method, bound.scalar, param->type,
                   param->name);
    *out = ilc_arg_value(param->name, value);
    return EXIT_DONE;
}

static int bind_arguments(run_state *run, const program_step *step, const launch_shape *shape, ilc_argument *args,
                          size_t *count)
{
    uint32_t position = 0;
    *count = 0;
    for (uint32_t i = 0; i < ilc_method_param_count(step->method); i++) {
        ilc_param  param;
        ilc_status status = ilc_method_param(&param, step->method, i);
        if (status != ILC_OK) return fail(run->session, status);
        if (run_is_index(run, step->method, i)) continue;
        if (*count + 1 == MOST_PARAMS) return say(EXIT_USAGE, "%s has too many parameters", step->statement.method);
        position++;
        ilc_argument arg;
        int          code = bind_parameter(run, step, i, &param, shape, &arg);
        if (code != EXIT_DONE) return code;
        args[(*count)++] = ilc_arg_at(i, arg);
    }
    if (step->statement.has_args && (uint32_t)step->statement.arg_count != position)
        return say(EXIT_USAGE, "%s takes %u argument%s, %d %s given", step->statement.method, position,
                   position == 1 ? "" : "s", step->statement.arg_count, step->statement.arg_count == 1 ? "was" : "were");
    return EXIT_DONE;
}

/* Element-wise parameters that are bound to one value stay scalars: "a,b". The caller frees. */
static char *scalar_names(const run_state *run, const program_step *step)
{
    char *names = must_format("%s", "");
    for (uint32_t i = 0; i < ilc_method_param_count(step->method); i++) {
        ilc_param param;
        if (ilc_method_param(&param, step->method, i) != ILC_OK) break;
        if (param.is_byref || look_up(run, &step->statement, step->method, i).array) continue;
        char *longer = must_format("%s%s%s", names, *names ? "," : "", param.name);
        free(names);
        names = longer;
    }
    return names;
}

static int translate(const run_state *run, const program_step *step, bool exact, ilc_kernel **out)
{
    ilc_kernel_options options;
    kernel_options(run->settings, &options);
    if (exact) options.mode = NULL;
    ilc_status status = ilc_kernel_translate(out, step->method, &options);
    if (status == ILC_OK && ilc_kernel_index_mode(*out) == ILC_INDEX_ELEMENTWISE) {
        char *names = scalar_names(run, step);
        options.scalars = names;
        if (*names) status = ilc_kernel_translate(out, step->method, &options);
        free(names);
    }
    if (status != ILC_OK) return fail(run->session, status);
    if (ilc_kernel_index_mode(*out) == ILC_INDEX_DEVICE)
        return say(ilc_status_exit_code(ILC_UNSUPPORTED),
                   "%s is a device function only: it has no index parameter; give one with --index",
                   ilc_method_full_name(step->method));
    return EXIT_DONE;
}

/* One array for a number, of a struct one for each of its numbers. */
static int make_result(run_state *run, const program_step *step, const launch_shape *shape, ilc_argument *out, size_t *count)
{
    ilc_field   output = {.storage = ilc_method_result(step->method)};
    bool        is_struct = output.storage == ILC_STRUCT;
    ilc_status  status = ILC_OK;
    for (uint32_t i = 0; is_struct ? (status = ilc_method_output(&output, step->method, i)) == ILC_OK : i == 0; i++) {
        ilc_buffer *buffer;
        ilc_status  made = ilc_buffer_create(&buffer, run->engine, output.storage, shape->total);
        if (made != ILC_OK) return fail(run->session, made);
        out[(*count)++] = ilc_arg_output(i, buffer);
    }
    if (is_struct && status != ILC_NOT_FOUND) return fail(run->session, status);
    return EXIT_DONE;
}

/* Arrays called "name", or "name.field" of a struct. */
static void keep_result(run_state *run, const program_step *step, const launch_shape *shape, const ilc_argument *outs)
{
    ilc_field output;
    if (ilc_method_result(step->method) != ILC_STRUCT) {
        keep_array(run, step, step->statement.result, shape, outs->buffer);
        return;
    }
    for (uint32_t i = 0; ilc_method_output(&output, step->method, i) == ILC_OK; i++) {
        char *name = must_format("%s.%s", step->statement.result, output.name);
        keep_array(run, step, name, shape, outs[i].buffer);
        free(name);
    }
}

/* An interpreter says what it will cost before more than two seconds of it: measured on the first element. */
static void warn_of_cost(const run_state *run, ilc_kernel *kernel, const ilc_argument *args, size_t count,
                         const int64_t *extents, size_t dims, int64_t total, bool has_result)
{
    ilc_engine_kind   kind = ilc_engine_kind_of(run->engine);
    int64_t           one[3] = {1, 1, 1};
    ilc_launch_result result;
    if ((kind != ILC_ENGINE_IL && kind != ILC_ENGINE_AST) || total < 2 || !has_result || run->settings->quiet) return;
    for (size_t k = 0; k < dims; k++)
        if (extents[k] < 1) return;
    if (run_writes_arguments(run, kernel)) return;
    ilc_status status = ilc_launch(&result, run->engine, kernel, args, count, one, dims, NULL);
    double     seconds = result.seconds * (double)total;
    ilc_session_clear_diagnostics(run->session);
    if (status != ILC_OK || seconds < 2) return;
    fprintf(stderr, "ilcuda: about %.0f s in the interpreter; compiled it is much faster: %s\n", seconds,
            faster_engine(run->session, run->settings));
}

/* A launch waited for the compiler. */
static void warn_of_first_tier(run_state *run)
{
    bool        works;
    const char *said = run->tier_said ? NULL : ilc_engine_first_tier(run->engine, &works);
    run->tier_said = true;
    if (said && !works && !run->settings->quiet) fprintf(stderr, "ilcuda: launches wait for the compiler: %s\n", said);
}

static bool is_fast(const run_state *run)
{
    return run->settings->mode && strcmp(run->settings->mode, "fast") == 0;
}

static int run_step(run_state *run, program_step *step)
{
    ilc_kernel  *kernel;
    ilc_argument args[MOST_PARAMS + MOST_OUTPUTS];
    size_t       count, first_out = 0;
    launch_shape shape = {0};
    bool         has_result = ilc_method_result(step->method) != ILC_VOID;
    int          code = EXIT_DONE;
    if (step->kernel) kernel = step->kernel;
    else code = translate(run, step, false, &kernel);
    if (code != EXIT_DONE) return code;
    bool elementwise = ilc_kernel_index_mode(kernel) == ILC_INDEX_ELEMENTWISE;
    if (has_result && !step->statement.result)
        return say(EXIT_USAGE, "%s: its result needs a name: 'name = %s[..]'", step->statement.method, step->statement.method);
    if (!has_result && step->statement.result)
        return say(EXIT_USAGE, "%s is a Sub: it has no result to call %s", step->statement.method, step->statement.result);
    if (step->statement.has_extents)
        code = read_extents(run, &step->statement, &shape);
    else if (elementwise)
        code = shape_of_inputs(run, &step->statement, step->method, &shape);
    else
        code = say(EXIT_USAGE, "%s: its extents are missing: %s[..]", step->statement.method, step->statement.method);
    if (code == EXIT_DONE) code = bind_arguments(run, step, &shape, args, &count);
    if (code == EXIT_DONE) first_out = count;
    if (code == EXIT_DONE && has_result) code = make_result(run, step, &shape, args, &count);
    if (code != EXIT_DONE) return code;
    const int64_t    *extents = elementwise ? &shape.total : shape.extents;
    size_t            dims = elementwise ? 1 : (size_t)shape.dims;
    ilc_launch_result result = {0};
    run_measure       measure = {0};
    bool              measured = is_fast(run) && ilc_engine_kind_of(run->engine) != ILC_ENGINE_IL && dims == ilc_kernel_dims(kernel);
    bool              waits = run_may_wait(run, kernel, measured);
    if (!waits || run_replaces(run, &step->statement)) code = run_ready(run);
    if (code != EXIT_DONE) return code;
    if (run->settings->plan && dims == ilc_kernel_dims(kernel)) {
        ilc_status asked = ilc_launch_plan(&step->plan, &step->plan_count, run->engine, kernel, args, count, extents, dims, NULL);
        if (asked != ILC_OK) return fail(run->session, asked);
    }
    if (waits) {
        ilc_status made = ilc_task_create(&step->task, run->engine, kernel, args, count, extents, dims, NULL);
        if (made != ILC_OK && made != ILC_INVALID) run_print_engine(run);
        if (made != ILC_OK) return fail(run->session, made);
        step->kernel = kernel;
        if (run->first_ready >= run->step_count || !run->steps[run->first_ready].task) run->first_ready = (int)(step - run->steps);
        if (has_result) keep_result(run, step, &shape, &args[first_out]);
        return EXIT_DONE;
    }
    if (measured) {
        ilc_kernel *exact;
        code = translate(run, step, true, &exact);
        if (code != EXIT_DONE) return code;
        run_measure_start(run, exact, args, count, extents, dims, &measure);
    }
    if (dims == ilc_kernel_dims(kernel)) warn_of_cost(run, kernel, args, count, extents, dims, shape.total, has_result);
    ilc_status status = ilc_launch(&result, run->engine, kernel, args, count, extents, dims, NULL);
    if (has_result && (status == ILC_OK || status == ILC_TRAP))
        keep_result(run, step, &shape, &args[first_out]);
    if (measured && status == ILC_OK) run_measure_end(run, &measure);
    else run_measure_free(&measure);
    if (result.entry && !result.cached && !result.first_tier) warn_of_first_tier(run);
    run_report(run, step, kernel, status, &result, measured && status == ILC_OK ? &measure : NULL);
    return status == ILC_OK ? EXIT_DONE : fail(run->session, status);
}

/* --- the program -------------------------------------------------------------------------------------------------------- */

static int parse_steps(run_state *run)
{
    run->step_count = run->settings->operands.count - 1;
    run->steps = must_alloc(sizeof *run->steps * (size_t)run->step_count);
    for (int i = 0; i < run->step_count; i++) {
        const char *text = run->settings->operands.items[i + 1];
        const char *why = statement_parse(text, &run->steps[i].statement);
        if (why) return say(EXIT_USAGE, "'%s': %s", text, why);
    }
    return EXIT_DONE;
}

static int write_output(const run_state *run, const char *text)
{
    size_t           length = name_length(text);
    char            *name = must_format("%.*s", (int)length, text);
    const run_array *array = names_array(&run->names, name);
    free(name);
    /* A result of a statement that was not reached. */
    if (!array || (array->made_by && array->made_by->dropped)) return EXIT_DONE;
    npy_array shape = array->shape;
    void     *bytes = NULL;
    if (array->buffer) {
        shape.layout = ilc_buffer_struct(array->buffer);
        bytes = must_alloc((size_t)shape.count * npy_element_size(&shape));
        ilc_status status = run_array_read(array, bytes);
        if (status != ILC_OK) {
            free(bytes);
            return fail(run->session, status);
        }
        shape.data = bytes;
    }
    const char *why = npy_write(text + length + 1, &shape);
    free(bytes);
    return why ? say(EXIT_INPUT, "%s: %s", text + length + 1, why) : EXIT_DONE;
}

static int write_outputs(const run_state *run)
{
    for (int i = 0; i < run->settings->out.count; i++) {
        int code = write_output(run, run->settings->out.items[i]);
        if (code != EXIT_DONE) return code;
    }
    return EXIT_DONE;
}

/* The kernel of a statement that leaves no doubt which it is; NULL: that is found, or said, when it is the statement's turn. */
static ilc_kernel *certain_kernel(run_state *run, const statement *s)
{
    ilc_method        *method;
    ilc_kernel        *kernel = NULL;
    size_t             count = 0;
    ilc_kernel_options options;
    kernel_options(run->settings, &options);
    ilc_status status = run_find_all(run, s->method, &method, 1, &count);
    if (status == ILC_OK && count == 1) status = ilc_kernel_translate(&kernel, method, &options);
    if (status != ILC_OK) ilc_session_clear_diagnostics(run->session);
    bool certain = status == ILC_OK && kernel && ilc_kernel_index_mode(kernel) != ILC_INDEX_ELEMENTWISE && ilc_kernel_dims(kernel) > 0;
    return certain ? kernel : NULL;
}

/* Where the CPU's compiler takes its time it begins with all of them before the first runs, and with those of more indices first:
 * they have most to do. */
static void begin_compiling(run_state *run)
{
    if (ilc_engine_kind_of(run->engine) != ILC_ENGINE_CPU) return;
    for (int i = 0; i < run->step_count; i++) run->steps[i].kernel = certain_kernel(run, &run->steps[i].statement);
    for (uint32_t dims = 3; dims > 0; dims--) {
        for (int i = 0; i < run->step_count; i++) {
            ilc_kernel *kernel = run->steps[i].kernel;
            if (!kernel || ilc_kernel_dims(kernel) != dims) continue;
            if (ilc_engine_begin(run->engine, kernel) != ILC_OK) ilc_session_clear_diagnostics(run->session);
        }
    }
}

static int run_steps(run_state *run)
{
    int code = EXIT_DONE;
    begin_compiling(run);
    for (int i = 0; code == EXIT_DONE && i < run->step_count; i++) {
        code = find_method(run, &run->steps[i].statement, &run->steps[i].method);
        if (code == EXIT_DONE) code = run_step(run, &run->steps[i]);
    }
    int ready = run_ready(run); /* they come first */
    return ready != EXIT_DONE ? ready : code;
}

static void print_report(const run_state *run, int code)
{
    struct json_object *whole = json_object_new_object();
    json_object_object_add(whole, "engine", json_object_new_string(ilc_engine_kind_name(ilc_engine_kind_of(run->engine))));
    json_object_object_add(whole, "description", json_object_new_string(ilc_engine_describe(run->engine)));
    json_object_object_add(whole, "reason", json_object_new_string(ilc_engine_reason(run->engine)));
    json_object_object_add(whole, "kernels", json_object_get(run->report));
    json_object_object_add(whole, "exit", json_object_new_int(code));
    puts(json_object_to_json_string_ext(whole, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(whole);
}

/* Methods are looked up before the engine is made, so that a misspelt name costs nothing. */
static int check_methods(run_state *run)
{
    ilc_method **found = must_alloc(sizeof(ilc_method *) * MOST_CANDIDATES * (size_t)run->step_count);
    size_t       all = 0;
    ilc_status   status = ILC_OK;
    for (int i = 0; i < run->step_count && status == ILC_OK; i++) {
        const char *name = run->steps[i].statement.method;
        size_t      count;
        ilc_method *method;
        status = ilc_assembly_find_all(found + all, MOST_CANDIDATES, &count, run->assembly, name);
        if (status == ILC_OK && count == 0) status = ilc_assembly_find(&method, run->assembly, name);
        if (status == ILC_OK) all += count < MOST_CANDIDATES ? count : MOST_CANDIDATES;
    }
    int code = status == ILC_OK ? rows_check(run->settings, found, all) : fail(run->session, status);
    free(found);
    return code;
}

static int check_options(const cli_settings *settings)
{
    ilc_engine_kind kind = engine_kind(settings);
    if (settings->line_directives && (kind == ILC_ENGINE_IL || kind == ILC_ENGINE_AST))
        return say(EXIT_USAGE, "--line-directives is for engines that compile; --engine %s does not", ilc_engine_kind_name(kind));
    return EXIT_DONE;
}

static int run_all(run_state *run)
{
    int code = check_options(run->settings);
    if (code == EXIT_DONE) code = parse_steps(run);
    if (code == EXIT_DONE) code = assembly_open(run->session, run->settings, run->settings->operands.items[0], &run->assembly);
    if (code == EXIT_DONE) code = check_methods(run);
    if (code == EXIT_DONE) code = names_read(&run->names, run->settings);
    if (code == EXIT_DONE) code = run_check(run);
    if (code == EXIT_DONE) code = engine_open(run->session, run->settings, false, &run->engine);
    if (code != EXIT_DONE) return code;
    code = run_steps(run);
    bool partial = code == ilc_status_exit_code(ILC_TRAP) && run->settings->keep_partial;
    if (code == EXIT_DONE || partial) {
        int written = write_outputs(run);
        if (code == EXIT_DONE) code = written;
    }
    if (run->settings->json) print_report(run, code);
    return code;
}

int cmd_run(const cli_settings *settings)
{
    run_state run = {.settings = settings, .session = session_open()};
    if (!run.session) return EXIT_BUG;
    run.report = json_object_new_array();
    int code = run_all(&run);
    for (int i = 0; i < run.step_count; i++) statement_free(&run.steps[i].statement);
    free(run.steps);
    names_free(&run.names);
    json_object_put(run.report);
    pool_free(&run.pool);
    ilc_session_destroy(run.session);
    return code;
}
