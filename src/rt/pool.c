/* pool.c - a few threads that sleep until there is a launch (pool.h). */
#include "rt/pool.h"

#include <stdlib.h>

typedef struct worker {
    ilc__pool   *pool;
    ilc__thread *thread;
    uint32_t     number;
} worker;

struct ilc__pool {
    ilc__mutex     *mutex;
    ilc__condition *changed;
    void (*work)(void *user, uint32_t worker);
    void    *user;
    uint64_t round;   /* counts runs, so that a thread sees a new one */
    uint32_t running; /* threads not yet through with this round */
    bool     stop, started;
    uint32_t workers, threads;
    worker   items[]; /* 1.. are threads; 0 is the caller */
};

ilc__pool *ilc__pool_create(uint32_t workers)
{
    if (workers == 0) workers = 1;
    ilc__pool *pool = calloc(1, sizeof *pool + workers * sizeof(worker));
    if (!pool) return NULL;
    pool->workers = workers;
    pool->mutex = ilc__mutex_create();
    pool->changed = ilc__condition_create();
    if (!pool->mutex || !pool->changed) {
        ilc__pool_destroy(pool);
        return NULL;
    }
    return pool;
}

static void thread_loop(void *user)
{
    worker    *self = user;
    ilc__pool *pool = self->pool;
    uint64_t   seen = 0;
    ilc__mutex_lock(pool->mutex);
    for (;;) {
        while (!pool->stop && pool->round == seen)
            ilc__condition_wait(pool->changed, pool->mutex);
        if (pool->stop) break;
        seen = pool->round;
        ilc__mutex_unlock(pool->mutex);
        pool->work(pool->user, self->number);
        ilc__mutex_lock(pool->mutex);
        if (--pool->running == 0) ilc__condition_broadcast(pool->changed);
    }
    ilc__mutex_unlock(pool->mutex);
}

static void start_threads(ilc__pool *pool)
{
    pool->started = true;
    for (uint32_t i = 1; i < pool->workers; i++) {
        worker *w = &pool->items[i];
        *w = (worker){pool, NULL, i};
        w->thread = ilc__thread_start(thread_loop, w, ILC__POOL_STACK);
        if (!w->thread) return;
        pool->threads++;
    }
}

void ilc__pool_run(ilc__pool *pool, void (*work)(void *user, uint32_t worker), void *user)
{
    if (!pool->started) start_threads(pool);
    ilc__mutex_lock(pool->mutex);
    pool->work = work;
    pool->user = user;
    pool->running = pool->threads;
    pool->round++;
    ilc__condition_broadcast(pool->changed);
    ilc__mutex_unlock(pool->mutex);
    work(user, 0);
    ilc__mutex_lock(pool->mutex);
    while (pool->running != 0)
        ilc__condition_wait(pool->changed, pool->mutex);
    ilc__mutex_unlock(pool->mutex);
}

uint32_t ilc__pool_workers(const ilc__pool *pool)
{
    return pool->workers;
}

void ilc__pool_destroy(ilc__pool *pool)
{
    if (!pool) return;
    if (pool->threads) {
        ilc__mutex_lock(pool->mutex);
        pool->stop = true;
        ilc__condition_broadcast(pool->changed);
        ilc__mutex_unlock(pool->mutex);
        for (uint32_t i = 1; i <= pool->threads; i++)
            ilc__thread_join(pool->items[i].thread);
    }
    ilc__condition_destroy(pool->changed);
    ilc__mutex_destroy(pool->mutex);
    free(pool);
}
