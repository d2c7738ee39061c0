/* pool.h - inside rt: the CPU engine's threads. */
#ifndef ILC_RT_POOL_H
#define ILC_RT_POOL_H

#include "base/os.h"

typedef struct ilc__pool ilc__pool;

/* Of each of its threads: kernels that recurse take at most 16 MiB as emit/recursion.c counts, which is for optimised
 * code. The system gives only what is touched. */
#define ILC__POOL_STACK ((size_t)64 << 20)

/* Room for that many workers, the caller of run among them; threads start at the first run that needs them.
 * NULL where the system refuses. */
ilc__pool *ilc__pool_create(uint32_t workers);
void       ilc__pool_destroy(ilc__pool *pool);
uint32_t   ilc__pool_workers(const ilc__pool *pool);

/* Calls work(user, worker) once on each worker, worker 0 being the caller, and returns when all are through.
 * Where threads cannot be started there are fewer calls, so work must take its share from a common counter.
 */
void ilc__pool_run(ilc__pool *pool, void (*work)(void *user, uint32_t worker), void *user);

#endif
