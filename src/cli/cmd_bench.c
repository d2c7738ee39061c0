/* cmd_bench.c - `bench translate`: how long reading an assembly and translating methods takes. `bench checks` is in
 * bench_checks.c, --scale in bench_scale.c. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "platform.h"
#include "tutorial.h"

typedef struct bench_task {
    const char        *file; /* NULL: the tutorial's assembly */
    const char *const *methods;
    int                count;
} bench_task;

static int translate_methods(ilc_session *session, ilc_assembly *assembly, const bench_task *task, size_t *bytes)
{
    for (int i = 0; i < task->count; i++) {
        ilc_method *method;
        ilc_kernel *kernel;
        const char *text;
        ilc_status  status = ilc_assembly_find(&method, assembly, task->methods[i]);
        if (status == ILC_OK) status = ilc_kernel_translate(&kernel, method, NULL);
        if (status == ILC_OK) status = ilc_kernel_text(&text, kernel, ILC_TEXT_CUDA_UNIT);
        if (status != ILC_OK) return fail(session, status);
        *bytes += strlen(text);
    }
    return EXIT_DONE;
}

/* A session of its own each time: nothing is remembered. */
static int translate_once(const cli_settings *settings, const bench_task *task, size_t *bytes)
{
    ilc_session  *session = session_open();
    ilc_assembly *assembly;
    int           code;
    *bytes = 0;
    if (!session) return EXIT_BUG;
    if (task->file) {
        code = assembly_open(session, settings, task->file, &assembly);
    } else {
        ilc_status status = tutorial_open(session, &assembly);
        code = status == ILC_OK ? EXIT_DONE : fail(session, status);
    }
    if (code == EXIT_DONE) code = translate_methods(session, assembly, task, bytes);
    ilc_session_destroy(session);
    return code;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int64_t count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

static int bench_translate(const cli_settings *settings)
{
    enum { DEFAULT_REPEATS = 20 };
    const text_list *words = &settings->operands;
    int64_t          repeats = bench_repeats(settings, DEFAULT_REPEATS);
    if (settings->scale) return bench_scale(settings);
    if (words->count == 2) return say(EXIT_USAGE, "bench translate takes FILE METHOD...");
    bench_task what = {NULL, tutorial_method_names, TUTORIAL_METHODS};
    if (words->count > 2) what = (bench_task){words->items[1], words->items + 2, words->count - 2};
    double *seconds = must_alloc(sizeof *seconds * (size_t)repeats), first = 0;
    size_t  bytes = 0;
    int     code = EXIT_DONE;
    for (int64_t i = 0; i < repeats && code == EXIT_DONE; i++) {
        double started = platform_seconds();
        code = translate_once(settings, &what, &bytes);
        seconds[i] = platform_seconds() - started;
    }
    if (code == EXIT_DONE) {
        first = seconds[0];
        double median = bench_median(seconds, repeats);
        if (settings->json)
            printf("{\"methods\":%d,\"bytes\":%zu,\"first\":%.6f,\"median\":%.6f,\"least\":%.6f}\n", what.count, bytes, first,
                   median, seconds[0]);
        else
            printf("%d methods read and translated to %zu bytes of CUDA: first %.2f ms, median %.2f ms, least %.2f ms\n",
                   what.count, bytes, first * 1e3, median * 1e3, seconds[0] * 1e3);
    }
    free(seconds);
    return code;
}

int cmd_bench(const cli_settings *settings)
{
    const text_list *words = &settings->operands;
    if (settings->repeat > 1000000) return say(EXIT_USAGE, "--repeat takes 1 to 1000000");
    bool translates = strcmp(words->items[0], "translate") == 0;
    if (translates && settings->plan) return say(EXIT_USAGE, "--plan is of bench checks");
    if (translates && settings->mode) return say(EXIT_USAGE, "--mode is of bench checks");
    if (translates) return bench_translate(settings);
    if (strcmp(words->items[0], "checks") != 0) return say(EXIT_USAGE, "bench takes translate or checks, not %s", words->items[0]);
    return words->count == 1 ? bench_checks(settings) : say(EXIT_USAGE, "bench checks takes no methods");
}
