/* cmd_demo.c - `demo`: six ordinary VB methods become kernels, run over a matrix, and are verified. */
#include <json-c/json.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "demo.h"
#include "text.h"

enum { SEED = 42, PREVIEW = 6, DEFAULT_SIZE = 1024, INTERPRETED_SIZE = 96 };

/* The seed's limits hold for its matrix; for others, the tutorial's own tolerances. */
static const double seed_limits[] = {2.4e-7, 2.2e-5}, other_limits[] = {1e-3, 1e-2};

static void title(const demo *d, const char *text)
{
    if (d->quiet) return;
    printf("\n==========================================================================\n  %s\n"
           "==========================================================================\n",
           text);
}

static void line(const demo *d, const char *format, ...)
{
    va_list args;
    if (d->quiet) return;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

static void block(const demo *d, const char *heading, const char *text)
{
    line(d, "\n  %s:\n", heading);
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        line(d, "    %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

static int count_lines(const char *text)
{
    int count = 0;
    for (const char *at = text; *at; at++) count += *at == '\n' || at[1] == 0;
    return count;
}

/* --- step 1: translation ---------------------------------------------------------------------------------------------- */

/* The same arguments for every method: valid subscripts, no degenerate numbers. */
static ilc_value sample_argument(const ilc_param *param, ilc_array *array)
{
    ilc_value value = {.storage = param->storage, .is_array = param->is_array};
    float     single = 1.5f;
    if (param->is_array)
        value.u.array = array;
    else if (param->storage == ILC_F32)
        memcpy(&value.u.bits, &single, sizeof single);
    else
        value.u.bits = strcmp(param->name, "cols") == 0   ? 8
                       : strcmp(param->name, "rows") == 0 ? 16
                       : strcmp(param->name, "i") == 0    ? 2
                       : strcmp(param->name, "j") == 0    ? 5
                                                          : 3;
    return value;
}

static ilc_status sample_call(demo *d, ilc_method *method, ilc_engine *engine, ilc_outcome *out)
{
    enum { LENGTH = 256, MOST = 16 };
    float     data[LENGTH];
    ilc_array array = {.elem = ILC_F32, .length = LENGTH, .data = data};
    ilc_value args[MOST];
    (void)d;
    for (int k = 0; k < LENGTH; k++) data[k] = (float)(k % 17 - 8) * 0.5f;
    for (uint32_t i = 0; i < ilc_method_param_count(method) && i < MOST; i++) {
        ilc_param  param;
        ilc_status status = ilc_method_param(&param, method, i);
        if (status != ILC_OK) return status;
        args[i] = sample_argument(&param, &array);
    }
    ilc_call_options options;
    ilc_call_options_init(&options);
    options.engine = engine;
    return ilc_call(out, method, args, ilc_method_param_count(method), &options);
}

static int self_check(demo *d, demo_method *m)
{
    char        il_text[TEXT_SIZE], tree_text[TEXT_SIZE];
    ilc_outcome il, tree;
    ilc_status  status = sample_call(d, m->method, NULL, &il);
    if (status == ILC_OK) status = sample_call(d, m->method, d->tree, &tree);
    if (status != ILC_OK) return fail(d->session, status);
    bool same = il.trapped == tree.trapped && il.ret.u.bits == tree.ret.u.bits;
    line(d, "\n  self-check: IL interpreter = %s, syntax tree = %s  %s\n",
         text_of_scalar(il_text, ILC_F32, il.ret.u.bits), text_of_scalar(tree_text, ILC_F32, tree.ret.u.bits),
         same ? "OK" : "FAIL");
    if (!same) d->failed = true;
    return EXIT_DONE;
}

static int translate(demo *d, demo_method *m, const char *name)
{
    const char *device, *vb, *cuda;
    ilc_status  status = ilc_assembly_find(&m->method, d->assembly, name);
    if (status == ILC_OK) status = ilc_kernel_translate(&m->kernel, m->method, NULL);
    if (status == ILC_OK) status = ilc_kernel_device_name(&device, m->kernel);
    if (status == ILC_OK) status = ilc_kernel_name(&m->name, m->kernel);
    if (status == ILC_OK) status = ilc_kernel_text(&vb, m->kernel, ILC_TEXT_VB);
    if (status == ILC_OK) status = ilc_kernel_text(&cuda, m->kernel, ILC_TEXT_CUDA);
    if (status != ILC_OK) return fail(d->session, status);
    m->vb_lines = count_lines(vb);
    m->cuda_lines = count_lines(cuda);
    line(d, "\n  ---- %s ----\n", name);
    line(d, "  index mode      : %s\n", ilc_index_mode_name(ilc_kernel_index_mode(m->kernel)));
    line(d, "  device function : %s\n", device);
    line(d, "  kernel          : %s\n", m->name);
    block(d, "pseudo-code", vb);
    block(d, "CUDA source", cuda);
    return self_check(d, m);
}

/* --- step 2: registration --------------------------------------------------------------------------------------------- */

static int register_kernel(demo *d, demo_method *m)
{
    bool       cached;
    ilc_status status = ilc_engine_prepare(d->engine, m->kernel, &cached);
    if (status != ILC_OK) return fail(d->session, status);
    line(d, "  registered %s [%s] <- %s%s\n", m->name, ilc_index_mode_name(ilc_kernel_index_mode(m->kernel)),
         ilc_method_full_name(m->method), cached ? "  (compiled before: from the cache)" : "");
    return EXIT_DONE;
}

/* --- step 3: launches, step 4: verification (demo_run.c), and what is said of them ------------------------------------- */

static void print_launches(const demo *d)
{
    for (int i = 0; i < TUTORIAL_METHODS; i++) {
        const demo_method *m = &d->methods[i];
        line(d, "  %-28s %-16s %10.3f ms%s\n", m->name, m->extents, m->seconds * 1e3, m->guarded ? "  guard holds" : "");
    }
}

static void print_matrix(const demo *d, const char *heading, const float *matrix)
{
    int64_t shown = d->rows < PREVIEW ? d->rows : PREVIEW;
    line(d, "\n  %s (upper left %lld x %lld):\n", heading, (long long)shown, (long long)shown);
    for (int64_t i = 0; i < shown; i++) {
        line(d, "    ");
        for (int64_t j = 0; j < shown; j++) line(d, "%10.4f", (double)matrix[i * d->rows + j]);
        line(d, "\n");
    }
}

static const double *limits(const demo *d)
{
    return d->rows == DEFAULT_SIZE && d->cols == DEFAULT_SIZE ? seed_limits : other_limits;
}

static void print_verification(demo *d)
{
    const double *limit = limits(d);
    bool          correlation_ok = d->correlation_error <= limit[0], distance_ok = d->distance_error <= limit[1];
    line(d, "  PearsonClamp (element-wise)  %s its reference%s\n", d->clamp_same ? "equals" : "DIFFERS from",
         d->clamp_same ? " bit for bit  OK" : "  FAIL");
    line(d, "  correlation   largest error = %.3E  %s\n", d->correlation_error, correlation_ok ? "OK" : "FAIL");
    line(d, "  distance      largest error = %.3E  %s\n", d->distance_error, distance_ok ? "OK" : "FAIL");
    print_matrix(d, "correlation of the rows", d->correlation);
    print_matrix(d, "Euclidean distance of the rows", d->distance);
    if (!correlation_ok || !distance_ok || !d->clamp_same) d->failed = true;
}

/* --- the summary -------------------------------------------------------------------------------------------------------- */

static const char *verdict(const demo_method *m)
{
    return m->differing ? "DIFFERENT" : "same";
}

static void print_summary(const demo *d)
{
    printf("engine  %s\n", ilc_engine_describe(d->engine));
    printf("reason  %s\n", ilc_engine_reason(d->engine));
    printf("input   %lld x %lld, .NET's Random(%d)\n\n", (long long)d->rows, (long long)d->cols, SEED);
    printf("%-26s %-7s %9s %6s  %-18s %10s\n", "kernel", "mode", "VB lines", "CUDA", "IL = tree = engine", "ms");
    for (int i = 0; i < TUTORIAL_METHODS; i++) {
        const demo_method *m = &d->methods[i];
        char               compared[32];
        snprintf(compared, sizeof compared, "%lld cells %s", (long long)m->compared, verdict(m));
        printf("%-26s %-7s %9d %6d  %-18s %10.3f\n", m->name, ilc_index_mode_name(ilc_kernel_index_mode(m->kernel)),
               m->vb_lines, m->cuda_lines, compared, m->seconds * 1e3);
    }
    printf("\nlargest error  correlation %.3E, distance %.3E (against double precision)\n", d->correlation_error,
           d->distance_error);
    printf("PearsonClamp   %s\n", d->clamp_same ? "equal bit for bit" : "DIFFERENT");
    printf("sha256 of dot  %s\n\n", d->dot_hash);
    printf("next  ilcuda list MyMath.dll               which of your methods can become kernels\n"
           "      ilcuda show MyMath.dll F --as cuda   one of them as CUDA\n"
           "      ilcuda run --help                    run them on .npy data\n");
    printf("%s\n", d->failed ? "the demo FAILED" : "all steps passed");
}

static void print_json(const demo *d)
{
    struct json_object *whole = json_object_new_object(), *kernels = json_object_new_array();
    json_object_object_add(whole, "engine", json_object_new_string(ilc_engine_kind_name(ilc_engine_kind_of(d->engine))));
    json_object_object_add(whole, "description", json_object_new_string(ilc_engine_describe(d->engine)));
    json_object_object_add(whole, "reason", json_object_new_string(ilc_engine_reason(d->engine)));
    json_object_object_add(whole, "rows", json_object_new_int64(d->rows));
    json_object_object_add(whole, "cols", json_object_new_int64(d->cols));
    for (int i = 0; i < TUTORIAL_METHODS; i++) {
        const demo_method  *m = &d->methods[i];
        struct json_object *one = json_object_new_object();
        json_object_object_add(one, "kernel", json_object_new_string(m->name));
        json_object_object_add(one, "mode", json_object_new_string(ilc_index_mode_name(ilc_kernel_index_mode(m->kernel))));
        json_object_object_add(one, "vbLines", json_object_new_int(m->vb_lines));
        json_object_object_add(one, "cudaLines", json_object_new_int(m->cuda_lines));
        json_object_object_add(one, "compared", json_object_new_int64(m->compared));
        json_object_object_add(one, "different", json_object_new_int64(m->differing));
        json_object_object_add(one, "cached", json_object_new_boolean(m->cached));
        json_object_object_add(one, "seconds", json_object_new_double(m->seconds));
        json_object_object_add(one, "sha256", json_object_new_string(m->hash));
        json_object_array_add(kernels, one);
    }
    json_object_object_add(whole, "kernels", kernels);
    json_object_object_add(whole, "correlationError", json_object_new_double(d->correlation_error));
    json_object_object_add(whole, "distanceError", json_object_new_double(d->distance_error));
    json_object_object_add(whole, "clampSame", json_object_new_boolean(d->clamp_same));
    json_object_object_add(whole, "dotSha256", json_object_new_string(d->dot_hash));
    json_object_object_add(whole, "passed", json_object_new_boolean(!d->failed));
    puts(json_object_to_json_string_ext(whole, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(whole);
}

/* --- the whole ------------------------------------------------------------------------------------------------------------ */

/* The interpreters would take many minutes for the whole matrix: they get a smaller one, and it is said. */
static void choose_size(demo *d, const cli_settings *settings)
{
    ilc_engine_kind kind = ilc_engine_kind_of(d->engine);
    bool            interpreted = kind == ILC_ENGINE_IL || kind == ILC_ENGINE_AST;
    int             usual = interpreted ? INTERPRETED_SIZE : DEFAULT_SIZE;
    d->rows = settings->rows ? settings->rows : usual;
    d->cols = settings->cols ? settings->cols : usual;
    if (interpreted && !settings->rows && !settings->quiet)
        fprintf(stderr, "ilcuda: the interpreter gets a matrix of %d x %d only; for the whole: %s\n", usual, usual,
                faster_engine(d->session, settings));
}

static int open_tutorial(demo *d)
{
    ilc_status status = tutorial_open(d->session, &d->assembly);
    return status == ILC_OK ? EXIT_DONE : fail(d->session, status);
}

static int open_all(demo *d, const cli_settings *settings)
{
    ilc_engine_options tree, judge;
    int                code = engine_open(d->session, settings, false, &d->engine);
    if (code != EXIT_DONE) return code;
    ilc_engine_options_init(&tree);
    tree.kind = ILC_ENGINE_AST;
    ilc_engine_options_init(&judge);
    judge.kind = ILC_ENGINE_IL;
    ilc_status status = ilc_engine_create(&d->tree, d->session, &tree);
    if (status == ILC_OK) status = ilc_engine_create(&d->judge, d->session, &judge);
    return status == ILC_OK ? open_tutorial(d) : fail(d->session, status);
}

/* Nothing is run: the kernels, as they are compiled for a launch, go into the cache, which is then carried to where a
 * device is. */
static int compile_only(demo *d, const cli_settings *settings)
{
    ilc_cache_info info;
    int            code = engine_open(d->session, settings, true, &d->engine);
    for (int i = 0; i < TUTORIAL_METHODS && code == EXIT_DONE; i++) {
        demo_method *m = &d->methods[i];
        ilc_status   status = ilc_assembly_find(&m->method, d->assembly, tutorial_method_names[i]);
        if (status == ILC_OK) status = ilc_kernel_translate(&m->kernel, m->method, NULL);
        if (status == ILC_OK) status = ilc_kernel_name(&m->name, m->kernel);
        code = status == ILC_OK ? register_kernel(d, m) : fail(d->session, status);
    }
    if (code != EXIT_DONE) return code;
    ilc_status status = ilc_cache_info_get(&info, d->session, settings->cache_dir);
    if (status != ILC_OK) return fail(d->session, status);
    if (!info.directory) return say(EXIT_INPUT, "there is no folder for the cache, so nothing was kept");
    if (!settings->json) {
        printf("engine  %s\nkept    %s\n", ilc_engine_describe(d->engine), info.directory);
        return EXIT_DONE;
    }
    struct json_object *whole = json_object_new_object();
    json_object_object_add(whole, "description", json_object_new_string(ilc_engine_describe(d->engine)));
    json_object_object_add(whole, "kept", json_object_new_string(info.directory));
    puts(json_object_to_json_string_ext(whole, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(whole);
    return EXIT_DONE;
}

static int show_steps(demo *d)
{
    int code = EXIT_DONE;
    title(d, "IL -> CUDA: correlation and distance of the rows of a matrix");
    line(d, "  input: %lld rows x %lld columns, .NET's Random(%d)\n", (long long)d->rows, (long long)d->cols, SEED);
    title(d, "step 1: VB.NET methods, from IL to a syntax tree to CUDA C");
    for (int i = 0; i < TUTORIAL_METHODS && code == EXIT_DONE; i++) code = translate(d, &d->methods[i], tutorial_method_names[i]);
    if (code != EXIT_DONE) return code;
    title(d, "step 2: registration");
    for (int i = 0; i < TUTORIAL_METHODS && code == EXIT_DONE; i++) code = register_kernel(d, &d->methods[i]);
    if (code != EXIT_DONE) return code;
    title(d, "step 3: launches");
    line(d, "  engine: %s\n  reason: %s\n\n", ilc_engine_describe(d->engine), ilc_engine_reason(d->engine));
    tutorial_matrix(d->x, d->rows * d->cols, SEED);
    code = demo_launch_all(d);
    if (code != EXIT_DONE) return code;
    print_launches(d);
    title(d, "step 4: verification");
    code = demo_verify(d);
    if (code == EXIT_DONE) print_verification(d);
    return code;
}

static int run_demo(demo *d, const cli_settings *settings)
{
    int code = open_all(d, settings);
    if (code != EXIT_DONE) return code;
    choose_size(d, settings);
    code = demo_memory(d);
    if (code == EXIT_DONE) code = show_steps(d);
    if (code != EXIT_DONE) return code;
    title(d, "summary");
    if (settings->json)
        print_json(d);
    else
        print_summary(d);
    return d->failed ? EXIT_NO : EXIT_DONE;
}

int cmd_demo(const cli_settings *settings)
{
    demo d = {.quiet = settings->quiet || settings->json, .session = session_open()};
    if (!d.session) return EXIT_BUG;
    int code = EXIT_DONE;
    if (settings->compile_only) {
        code = open_tutorial(&d);
        if (code == EXIT_DONE) code = compile_only(&d, settings);
    } else {
        code = run_demo(&d, settings);
    }
    demo_free(&d);
    ilc_session_destroy(d.session);
    return code;
}
