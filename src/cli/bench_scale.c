/* bench_scale.c - `bench translate --scale`: how the time of translation grows with a method, for methods of
 * several shapes (bench_shapes.c). It is the time of this process on a processor: other work of the machine
 * does not count. Nor does fresh memory, whose pages cost more than what is done with them: what a method took is kept
 * for the next, and the least is of those that found all they took there. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_il.h"
#include "platform.h"

enum { REPEATS = 3, LARGEST = 10000 };

typedef struct cost {
    double seconds; /* of a processor, for the program and for the system on its behalf */
    long   faults;  /* pages of memory that the system brought */
} cost;

static cost cost_now(void)
{
    cost now;
    platform_cost(&now.seconds, &now.faults);
    return now;
}

static int translate(const il_bytes *assembly, cost *out)
{
    ilc_session  *session = session_open();
    ilc_assembly *opened;
    ilc_method   *method;
    ilc_kernel   *kernel;
    const char   *text;
    if (!session) return EXIT_BUG;
    cost       before = cost_now();
    ilc_status status = ilc_assembly_open_memory(&opened, session, "Scale.dll", assembly->data,
                                                 assembly->size, NULL, 0, NULL);
    if (status == ILC_OK) status = ilc_assembly_method(&method, opened, 0);
    if (status == ILC_OK) status = ilc_kernel_translate(&kernel, method, NULL);
    if (status == ILC_OK) status = ilc_kernel_text(&text, kernel, ILC_TEXT_CUDA_UNIT);
    cost after = cost_now();
    *out = (cost){after.seconds - before.seconds, after.faults - before.faults};
    int exit_code = status == ILC_OK ? EXIT_DONE : fail(session, status);
    ilc_session_destroy(session);
    return exit_code;
}

/* The least of several; small methods so often that the clock's ticks do not show. */
static int measure(const cli_settings *settings, const il_bytes *assembly, uint32_t size, cost *least)
{
    int64_t repeats = bench_repeats(settings, REPEATS);
    int     inner = size < LARGEST ? (int)(LARGEST / size / 10) + 1 : 1, code = EXIT_DONE;
    for (int64_t i = 0; i < repeats && code == EXIT_DONE; i++) {
        cost sum = {0, 0}, one = {0, 0};
        for (int k = 0; k < inner && code == EXIT_DONE; k++) {
            code = translate(assembly, &one);
            sum.seconds += one.seconds, sum.faults += one.faults;
        }
        sum.seconds /= inner, sum.faults /= inner;
        if (i == 0 || sum.seconds < least->seconds) *least = sum;
    }
    return code;
}

static int scale(const cli_settings *settings, const bench_shape *shape, uint32_t size)
{
    il_code  c = bench_body(shape, size);
    il_bytes assembly = bench_assembly(&c);
    cost     least = {0, 0};
    int      code = measure(settings, &assembly, size, &least);
    double   per_block = least.seconds * 1e6 / size, per_instruction = least.seconds * 1e9 / c.instructions;
    if (code == EXIT_DONE && settings->json)
        printf("{\"shape\":\"%s\",\"size\":%u,\"blocks\":%u,\"instructions\":%u,\"least\":%.6f,\"faults\":%"
               "ld}\n",
               shape->name, size, c.blocks, c.instructions, least.seconds, least.faults);
    else if (code == EXIT_DONE)
        printf("%-10s %8u %8u %14u %12.3f %12.2f %18.0f %12ld\n", shape->name, size, c.blocks, c.instructions,
               least.seconds * 1e3, per_block, per_instruction, least.faults);
    free(c.b.data);
    free(assembly.data);
    return code;
}

static const bench_shape *shape_named(const char *name)
{
    for (const bench_shape *shape = bench_shapes; shape->name; shape++)
        if (strcmp(shape->name, name) == 0) return shape;
    return NULL;
}

static bool is_wanted(const text_list *words, const bench_shape *shape)
{
    if (words->count == 1) return true;
    for (int i = 1; i < words->count; i++)
        if (strcmp(shape->name, words->items[i]) == 0) return true;
    return false;
}

int bench_scale(const cli_settings *settings)
{
    const text_list *words = &settings->operands; /* "translate", then shapes */
    int              code = EXIT_DONE;
    for (int i = 1; i < words->count; i++)
        if (!shape_named(words->items[i])) return say(EXIT_USAGE, "--scale has no shape %s", words->items[i]);
    platform_keep_memory();
    if (!settings->json)
        printf("%-10s %8s %8s %14s %12s %12s %18s %12s\n", "shape", "size", "blocks", "instructions",
               "least, ms", "us per one", "ns per instruction", "page faults");
    for (const bench_shape *shape = bench_shapes; shape->name; shape++)
        for (uint32_t size = 10; size <= LARGEST && code == EXIT_DONE && is_wanted(words, shape); size *= 10)
            code = scale(settings, shape, size);
    return code;
}
