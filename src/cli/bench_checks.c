/* bench_checks.c - `bench checks`: what the tests for overflow, bounds and null cost. Each of the tutorial's kernels
 * runs with checks on (the launch guard picks the body, as always), off, and with every check in its place, in turn,
 * on the CPU and on a CUDA device if there is one. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "tutorial.h"

enum { DEFAULT_SIZE = 1024, DEFAULT_ROUNDS = 7, WARM_UP = 1, MATRIX_SEED = 42 };
typedef enum variant { CHECKS_ON, CHECKS_OFF, CHECKS_ALL, VARIANTS } variant;
static const char *const variant_names[VARIANTS] = {"on", "off", "all"};

typedef struct bench {
    ilc_engine   *engine;
    ilc_assembly *assembly;
    const char   *mode;
    int64_t       size, rounds;
    bool          plan;
    ilc_buffer   *x, *sum, *sum_sq, *dot, *cov, *denom, *cells; /* cells: results that nothing reads */
} bench;

typedef struct figure {
    double median[VARIANTS], least[VARIANTS];
    bool   guarded;
    const ilc_plan_note *plan; /* with checks on */
    size_t plan_count;
} figure;

static ilc_status make_buffer(bench *b, ilc_buffer **out, int64_t count, const float *data)
{
    ilc_status status = ilc_buffer_create(out, b->engine, ILC_F32, count);
    return status == ILC_OK && data ? ilc_buffer_write(*out, 0, data, count) : status;
}

/* result NULL: what the launch would take. */
static ilc_status launch(bench *b, tutorial_number which, ilc_kernel *kernel, ilc_body_choice body, ilc_launch_result *result, figure *out)
{
    const tutorial_inputs in = {b->x, b->sum, b->sum_sq, b->dot, b->cov, b->denom};
    ilc_buffer *const     outs[TUTORIAL_METHODS] = {[ROW_SUM] = b->sum, [ROW_SUM_SQ] = b->sum_sq, [GRAM_DOT] = b->dot};
    const int64_t         square[] = {b->size, b->size}, cells = which == CLAMP ? b->size * b->size : b->size;
    bool                  is_square = tutorial_is_square(which);
    tutorial_launch       plan;
    tutorial_plan(which, &in, b->size, b->size, outs[which] ? outs[which] : b->cells, &plan);
    ilc_launch_options options;
    ilc_launch_options_init(&options);
    options.body = body;
    options.self_check = false;
    if (!result)
        return ilc_launch_plan(&out->plan, &out->plan_count, b->engine, kernel, plan.args, plan.count, is_square ? square : &cells, is_square ? 2 : 1, &options);
    return ilc_launch(result, b->engine, kernel, plan.args, plan.count, is_square ? square : &cells, is_square ? 2 : 1,
                      &options);
}

/* PearsonClamp's inputs come from what the kernels before it left. */
static ilc_status fill_clamp(bench *b)
{
    int64_t    n = b->size, cells = n * n;
    float     *dot = must_alloc((size_t)(3 * cells + 2 * n) * sizeof *dot), *cov = dot + cells, *denom = cov + cells;
    float     *sum = denom + cells, *squares = sum + n;
    ilc_status status = ilc_buffer_read(b->dot, 0, dot, cells);
    if (status == ILC_OK) status = ilc_buffer_read(b->sum, 0, sum, n);
    if (status == ILC_OK) status = ilc_buffer_read(b->sum_sq, 0, squares, n);
    if (status == ILC_OK) {
        tutorial_clamp_inputs(dot, sum, squares, n, n, cov, denom);
        status = ilc_buffer_write(b->cov, 0, cov, cells);
    }
    if (status == ILC_OK) status = ilc_buffer_write(b->denom, 0, denom, cells);
    free(dot);
    return status;
}

static ilc_status measure(bench *b, tutorial_number which, figure *out)
{
    ilc_kernel        *kernels[2]; /* with and without checks */
    ilc_method        *method;
    ilc_kernel_options options;
    ilc_kernel_options_init(&options);
    options.mode = b->mode;
    ilc_status status = ilc_assembly_find(&method, b->assembly, tutorial_method_names[which]);
    if (status == ILC_OK) status = ilc_kernel_translate(&kernels[0], method, &options);
    options.checks = false;
    if (status == ILC_OK) status = ilc_kernel_translate(&kernels[1], method, &options);
    if (status == ILC_OK && which == CLAMP) status = fill_clamp(b);
    double *seconds = must_alloc((size_t)(b->rounds * VARIANTS) * sizeof *seconds);
    for (int64_t round = -WARM_UP; round < b->rounds && status == ILC_OK; round++)
        for (int v = 0; v < VARIANTS && status == ILC_OK; v++) {
            ilc_launch_result result;
            status = launch(b, which, kernels[v == CHECKS_OFF], v == CHECKS_ALL ? ILC_BODY_CHECKED : ILC_BODY_AUTO, &result, out);
            if (status != ILC_OK) break;
            if (round >= 0) seconds[v * b->rounds + round] = result.seconds;
            if (v == CHECKS_ON) out->guarded = result.guarded;
        }
    if (status == ILC_OK && b->plan) status = launch(b, which, kernels[0], ILC_BODY_AUTO, NULL, out);
    for (int v = 0; v < VARIANTS && status == ILC_OK; v++) {
        out->median[v] = bench_median(seconds + v * b->rounds, b->rounds);
        out->least[v] = seconds[v * b->rounds]; /* they are sorted now */
    }
    free(seconds);
    return status;
}

/* --- what is said -------------------------------------------------------------------------------------------------- */

static void print_figures(const bench *b, const figure *figures)
{
    printf("%s; %lld x %lld, mode %s, median of %lld, in ms; ratios of the least\n", ilc_engine_describe(b->engine), (long long)b->size,
           (long long)b->size, b->mode, (long long)b->rounds);
    printf("  %-16s %12s %12s %12s %10s %10s\n", "kernel", "checks on", "checks off", "all checks", "on / off", "all / off");
    for (int k = 0; k < TUTORIAL_METHODS; k++) {
        const double *m = figures[k].median, *l = figures[k].least;
        printf("  %-16s %12.4f %12.4f %12.4f %10.3f %10.3f%s\n", tutorial_method_names[k], m[0] * 1e3, m[1] * 1e3, m[2] * 1e3,
               l[CHECKS_ON] / l[CHECKS_OFF], l[CHECKS_ALL] / l[CHECKS_OFF], figures[k].guarded ? "" : "  no guard");
    }
    for (int k = 0; k < TUTORIAL_METHODS && b->plan; k++) {
        printf("%s\n", tutorial_method_names[k]);
        plan_print(stdout, "  ", figures[k].plan, figures[k].plan_count);
    }
}

static void add_json(const bench *b, const figure *figures, json_object *engines)
{
    json_object *one = json_object_new_object(), *kernels = json_object_new_array();
    json_object_object_add(one, "engine", json_object_new_string(ilc_engine_kind_name(ilc_engine_kind_of(b->engine))));
    json_object_object_add(one, "description", json_object_new_string(ilc_engine_describe(b->engine)));
    json_object_object_add(one, "mode", json_object_new_string(b->mode));
    json_object_object_add(one, "size", json_object_new_int64(b->size));
    json_object_object_add(one, "rounds", json_object_new_int64(b->rounds));
    for (int k = 0; k < TUTORIAL_METHODS; k++) {
        json_object *kernel = json_object_new_object();
        json_object_object_add(kernel, "kernel", json_object_new_string(tutorial_method_names[k]));
        for (int v = 0; v < VARIANTS; v++)
            json_object_object_add(kernel, variant_names[v], json_object_new_double(figures[k].median[v]));
        json_object *least = json_object_new_object();
        for (int v = 0; v < VARIANTS; v++) json_object_object_add(least, variant_names[v], json_object_new_double(figures[k].least[v]));
        json_object_object_add(kernel, "least", least);
        json_object_object_add(kernel, "guarded", json_object_new_boolean(figures[k].guarded));
        if (b->plan) json_object_object_add(kernel, "plan", plan_json(figures[k].plan, figures[k].plan_count));
        json_object_array_add(kernels, kernel);
    }
    json_object_object_add(one, "kernels", kernels);
    json_object_array_add(engines, one);
}

static int bench_engine(const cli_settings *settings, ilc_session *session, ilc_engine *engine, json_object *engines)
{
    bench   b = {.engine = engine, .mode = settings->mode ? settings->mode : "exact", .plan = settings->plan, .size = settings->size ? settings->size : DEFAULT_SIZE};
    int64_t cells = b.size * b.size;
    figure  figures[TUTORIAL_METHODS];
    float  *x = must_alloc((size_t)cells * sizeof *x);
    b.rounds = bench_repeats(settings, DEFAULT_ROUNDS);
    tutorial_matrix(x, cells, MATRIX_SEED);
    ilc_buffer **squares[] = {&b.dot, &b.cov, &b.denom, &b.cells}, **rows[] = {&b.sum, &b.sum_sq};
    ilc_status   status = make_buffer(&b, &b.x, cells, x);
    free(x);
    for (size_t i = 0; i < sizeof squares / sizeof *squares && status == ILC_OK; i++) status = make_buffer(&b, squares[i], cells, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && status == ILC_OK; i++) status = make_buffer(&b, rows[i], b.size, NULL);
    if (status == ILC_OK) status = tutorial_open(session, &b.assembly);
    for (int k = 0; k < TUTORIAL_METHODS && status == ILC_OK; k++) status = measure(&b, (tutorial_number)k, &figures[k]);
    if (status != ILC_OK) return fail(session, status);
    if (engines) add_json(&b, figures, engines);
    else print_figures(&b, figures);
    return EXIT_DONE;
}

/* Every compiled engine that works, or the one that --engine says. */
int bench_checks(const cli_settings *settings)
{
    const ilc_engine_kind kinds[] = {ILC_ENGINE_CPU, ILC_ENGINE_CUDA};
    ilc_engine_kind       wanted = engine_kind(settings);
    int                   code = EXIT_DONE, done = 0;
    if (wanted == ILC_ENGINE_IL || wanted == ILC_ENGINE_AST) return say(EXIT_USAGE, "bench checks takes --engine cpu or cuda");
    if (settings->size > 16384) return say(EXIT_USAGE, "--size takes 1 to 16384");
    json_object *engines = settings->json ? json_object_new_array() : NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && code == EXIT_DONE; i++) {
        if (wanted != ILC_ENGINE_AUTO && wanted != kinds[i]) continue;
        ilc_session       *session = session_open();
        ilc_engine        *engine;
        ilc_engine_options options;
        if (!session) return EXIT_BUG;
        engine_options(settings, &options);
        options.kind = kinds[i];
        options.best_code = true;
        ilc_status status = ilc_engine_create(&engine, session, &options);
        if (status == ILC_OK) {
            code = bench_engine(settings, session, engine, engines);
            ilc_engine_destroy(engine);
            done++;
        } else if (wanted != ILC_ENGINE_AUTO) {
            code = fail(session, status);
        }
        ilc_session_destroy(session);
    }
    if (code == EXIT_DONE && !done) code = say(EXIT_BROKEN, "no compiled engine works here; ilcuda doctor says why");
    if (code == EXIT_DONE && engines) printf("%s\n", json_object_to_json_string_ext(engines, JSON_C_TO_STRING_PLAIN));
    json_object_put(engines);
    return code;
}
