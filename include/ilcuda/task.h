/* task.h - launches made ready: pipelines without waiting, streams and graphs of the caller's, one launch again and again.
 *
 *     ilc_task *sums, *cells;
 *     ilc_task_create(&sums, engine, row_sum, args, 3, &rows, 1, NULL);   ilc_task_create(&cells, ...);
 *     ilc_task_start(sums, NULL);   ilc_task_start(cells, NULL);          // neither allocates nor waits
 *     ilc_engine_wait(engine);
 *     if (ilc_task_result(&result, sums) != ILC_OK || ilc_task_result(&result, cells) != ILC_OK) ...
 *
 * On the CPU engine and the interpreters a task runs when it is started. */
#ifndef ILCUDA_TASK_H
#define ILCUDA_TASK_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ilc_task ilc_task;

/* Everything of a launch but to start it, as ilc_launch: arguments and extents are bound and checked, the body is chosen, the kernel
 * compiled. The arguments' buffers must stay as they are, neither resized nor lent other memory, until the task is destroyed.
 * options: a self-check is made with the first result; where it is on, and this kernel text was not checked before, what the
 * task reads must be as it was when it was started until then. It is not made of a kernel that stores to its arguments. */
ILC_API ilc_status ilc_task_create(ilc_task **out, ilc_engine *engine, ilc_kernel *kernel, const ilc_argument *args, size_t arg_count,
                                   const int64_t *extents, size_t dims, const ilc_launch_options *options);
/* Starts it behind what was started before. CUDA: on `stream`, a CUstream of the engine's context, or where that is NULL on the engine's
 * own; nothing is allocated and nothing waited for, so that the stream may be one that is captured into a graph. ILC_OK,
 * ILC_DEVICE, ILC_INVALID (a stream, and another engine than CUDA's); of other engines as ilc_launch, but ILC_TRAP. */
ILC_API ilc_status ilc_task_start(ilc_task *task, void *stream);
/* After ilc_engine_wait, or the caller has waited for its stream: what came of it since its last result. Of several that were started
 * one behind the other the first that raised is the one to report: those behind it worked on what it left. seconds is
 * the last start's, where that was on the engine's own stream, and else 0. ILC_OK, ILC_TRAP, ILC_DIFFERENT, ILC_DEVICE, ILC_INVALID (it
 * was never started). */
ILC_API ilc_status ilc_task_result(ilc_launch_result *result, ilc_task *task);
/* What it was started for must be done. It goes with its engine, or earlier. NULL is allowed. */
ILC_API void       ilc_task_destroy(ilc_task *task);

/* Waits for what was started on the engine's own stream; ilc_buffer_read and _write do, too. What launches raised is then on the host. */
ILC_API ilc_status ilc_engine_wait(ilc_engine *engine);

#ifdef __cplusplus
}
#endif
#endif
