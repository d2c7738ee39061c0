/* ilcuda.h - all of the library: compiled .NET methods become CUDA kernels.
 *
 *   session.h   memory and diagnostics       kernel.h   translation and its texts
 *   assembly.h  open, enumerate, find        engine.h   buffers and launches
 *   method.h    signature, index mode        call.h     one call, interpreted or compiled
 *   value.h     arguments, results, traps    check.h    do all engines agree?
 *   status.h    what calls return            doctor.h   the machine, the cache
 *
 * Handles are opaque and belong to their session; out-parameters come first and are set only on ILC_OK unless a
 * function says otherwise; strings are UTF-8 and belong to the session. The library prints nothing, sets no
 * signal handler and has no global state. */
#ifndef ILCUDA_ILCUDA_H
#define ILCUDA_ILCUDA_H

#include "assembly.h"
#include "bundle.h"
#include "call.h"
#include "check.h"
#include "doctor.h"
#include "engine.h"
#include "kernel.h"
#include "method.h"
#include "plan.h"
#include "session.h"
#include "status.h"
#include "task.h"
#include "value.h"

#endif
