/* plan.h - what the schedules make of a kernel, and what a launch would take: one reason a line (docs/schedules.md, Plan). */
#ifndef ILCUDA_PLAN_H
#define ILCUDA_PLAN_H

#include <ilcuda/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* schedule: "guard", "loop" (one that a schedule may take, and what it reads), "tile", "symmetric", "lanes", "rows", "split", "quads", "plain".
 * The text is the reason of the code that decides, in the source's names; it lives as long as the session. holds: there is one, or it is
 * taken. of_launch: it is of one launch, with its arguments. line: of the source, 0: of none. */
typedef struct ilc_plan_note {
    const char *schedule, *text;
    bool        holds, of_launch;
    uint32_t    line;
} ilc_plan_note;

/* What the schedules of an engine of that kind (ILC_ENGINE_CPU, ILC_ENGINE_CUDA; interpreters have none) make of the kernel, before any
 * launch; needs no engine and no compiler.
 * ILC_OK, ILC_INVALID (ILC_ENGINE_AUTO), ILC_UNSUPPORTED, ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_kernel_plan(const ilc_plan_note **out, size_t *count, ilc_kernel *kernel, ilc_engine_kind kind);

/* The same, and behind it what a launch with these arguments takes, and why nothing else; runs nothing. Arguments are those of ilc_launch.
 * ILC_OK, and what ilc_launch gives before it runs. */
ILC_API ilc_status ilc_launch_plan(const ilc_plan_note **out, size_t *count, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args,
                                   size_t arg_count, const int64_t *extents, size_t dims, const ilc_launch_options *options);

#ifdef __cplusplus
}
#endif
#endif
