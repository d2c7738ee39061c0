/* harness.c - blocks as groups of fibres (harness.h).
 *
 * A fibre runs one thread after another for as long as they run through; one that has to wait keeps its fibre, and the
 * next thread gets another. So a kernel without barriers needs one fibre and no switches. Odd blocks start their
 * threads in the opposite order: what depends on the order shows. */
#define _GNU_SOURCE
#include "harness.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fibre.h"

enum { POISON = 0xCB };

typedef enum thread_state { UNSTARTED, READY, AT_BARRIER, AT_WARP, DONE } thread_state;

typedef struct thread {
    thread_state       state;
    harness_place      place;
    fibre             *fibre;
    int                line; /* of what it waits at */
    unsigned           mask;
    unsigned long long value, seen[HARNESS_WARP];
} thread;

static struct {
    const harness_kernel *kernel;
    void                **parameters;
    thread                threads[HARNESS_THREADS_MAX];
    unsigned              count, started, done, backward; /* threads of the block */
    unsigned              ready[HARNESS_THREADS_MAX], ready_first, ready_count;
    thread               *now;
    harness_votes         votes, decided;
    unsigned              waiting; /* at the barrier */
    fibre                 caller, fibres[HARNESS_THREADS_MAX], *spare[HARNESS_THREADS_MAX];
    unsigned              fibre_count, spare_count;
    fibre                *running;
    int                   failed;
    char                  error[512];
} rt;

static pthread_mutex_t one_launch = PTHREAD_MUTEX_INITIALIZER;

/* --- errors ----------------------------------------------------------------------------------------------------- */

static void note(const char *format, va_list args)
{
    if (rt.failed) return;
    rt.failed = 1;
    vsnprintf(rt.error, sizeof rt.error, format, args);
}

__attribute__((format(printf, 1, 2))) static void wrong(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(format, args);
    va_end(args);
}

static void back_to_caller(void)
{
    fibre_switch(rt.running, &rt.caller);
}

static void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(format, args);
    va_end(args);
    back_to_caller(); /* which never comes back */
    __builtin_unreachable();
}

/* --- which thread runs ------------------------------------------------------------------------------------------ */

static void set_now(thread *t)
{
    rt.now = t;
    *rt.kernel->here = t->place;
}

static void make_ready(thread *t)
{
    t->state = READY;
    rt.ready[(rt.ready_first + rt.ready_count++) % HARNESS_THREADS_MAX] = (unsigned)(t - rt.threads);
}

/* Gives the fibre's turn up until the thread is ready again. */
static void wait_as(thread_state state, int line)
{
    thread *self = rt.now;
    self->state = state;
    self->line = line;
    back_to_caller();
    set_now(self);
}

static thread *next_thread(void)
{
    unsigned n = rt.started++;
    return &rt.threads[rt.backward ? rt.count - 1 - n : n];
}

static void fibre_main(void)
{
    fibre_begin(&rt.caller);
    while (rt.started < rt.count) {
        thread *t = next_thread();
        t->fibre = rt.running;
        t->state = READY;
        set_now(t);
        rt.kernel->entry(rt.parameters);
        rt.now->state = DONE;
        rt.done++;
    }
    rt.spare[rt.spare_count++] = rt.running;
    back_to_caller();
    __builtin_unreachable();
}

/* --- what kernels call ------------------------------------------------------------------------------------------ */

/* Threads that have returned do not come any more: CUDA lets a barrier pass without them on some devices, and hangs on
 * others. Here it is an error, as soon as nothing else can run. */
static harness_votes barrier(int line, int vote)
{
    rt.votes.threads++;
    rt.votes.yes += vote != 0;
    if (++rt.waiting < rt.count) {
        wait_as(AT_BARRIER, line);
        return rt.decided;
    }
    rt.decided = rt.votes;
    rt.votes = (harness_votes){0, 0};
    rt.waiting = 0;
    for (unsigned i = 0; i < rt.count; i++) {
        thread *t = &rt.threads[i];
        if (t == rt.now) continue;
        if (t->line != line)
            fail("__syncthreads of line %d and of line %d were taken for one another (threads %u and %u)", t->line, line, i,
                 (unsigned)(rt.now - rt.threads));
        make_ready(t);
    }
    return rt.decided;
}

static const unsigned long long *exchange(unsigned mask, int line, unsigned long long value)
{
    thread  *self = rt.now, *warp = self - self->place.lane;
    unsigned in_block = rt.count - (unsigned)(warp - rt.threads);
    unsigned there = in_block >= HARNESS_WARP ? ~0u : (1u << in_block) - 1;
    if (!(mask >> self->place.lane & 1)) fail("line %d: lane %u is not in the mask %08x that it gives", line, self->place.lane, mask);
    if (mask & ~there) fail("line %d: the mask %08x names lanes that the block has not (%08x)", line, mask, there);
    self->mask = mask;
    self->value = value;
    for (unsigned k = 0; k < HARNESS_WARP; k++) {
        const thread *t = &warp[k];
        if (!(mask >> k & 1) || t == self) continue;
        if (t->state == AT_WARP && t->line == line && t->mask == mask) continue;
        wait_as(AT_WARP, line);
        return self->seen;
    }
    for (unsigned k = 0; k < HARNESS_WARP; k++) {
        if (!(mask >> k & 1)) continue;
        for (unsigned from = 0; from < HARNESS_WARP; from++) warp[k].seen[from] = mask >> from & 1 ? warp[from].value : 0;
        if (&warp[k] != self) make_ready(&warp[k]);
    }
    return self->seen;
}

static const harness_table table = {barrier, exchange, fail};

/* --- blocks ------------------------------------------------------------------------------------------------------ */

static void resume(fibre *f)
{
    rt.running = f;
    fibre_switch(&rt.caller, f);
    rt.running = NULL;
}

static fibre *take_fibre(void)
{
    if (rt.spare_count) {
        fibre *f = rt.spare[--rt.spare_count];
        fibre_restart(f, fibre_main);
        return f;
    }
    fibre *f = &rt.fibres[rt.fibre_count];
    if (!fibre_make(f, fibre_main)) return NULL;
    rt.fibre_count++;
    return f;
}

/* Nobody can go on: who waits, and where are the others? */
static void say_who_waits(void)
{
    unsigned at_barrier = 0, at_warp = 0, line = 0;
    for (unsigned i = 0; i < rt.count; i++) {
        at_barrier += rt.threads[i].state == AT_BARRIER;
        at_warp += rt.threads[i].state == AT_WARP;
        if (rt.threads[i].state == AT_BARRIER || rt.threads[i].state == AT_WARP) line = (unsigned)rt.threads[i].line;
    }
    harness_dim b = rt.threads[0].place.block;
    wrong("block (%u, %u, %u): of %u threads %u wait at __syncthreads and %u at a warp operation (the last at line %u) for %u "
          "that have returned, or for one another",
          b.x, b.y, b.z, rt.count, at_barrier, at_warp, line, rt.done);
}

/* Shared memory holds anything when a block begins. Not by memset: there may be a sanitizer's marks between. */
__attribute__((no_sanitize("address"))) static void poison_shared(void)
{
    for (volatile char *at = rt.kernel->shared; at < rt.kernel->shared_end; at++) *at = (char)POISON;
}

static void run_block(harness_dim block, harness_dim size, harness_dim grid)
{
    rt.count = size.x * size.y * size.z;
    rt.started = rt.done = rt.waiting = rt.ready_first = rt.ready_count = 0;
    rt.votes = (harness_votes){0, 0};
    for (unsigned i = 0; i < rt.count; i++) {
        harness_dim at = {i % size.x, i / size.x % size.y, i / (size.x * size.y)};
        rt.threads[i].state = UNSTARTED;
        rt.threads[i].place = (harness_place){at, block, size, grid, i % HARNESS_WARP};
    }
    if (rt.kernel->shared) poison_shared();
    while (!rt.failed && rt.done < rt.count) {
        if (rt.ready_count) {
            unsigned i = rt.ready[rt.ready_first];
            rt.ready_first = (rt.ready_first + 1) % HARNESS_THREADS_MAX;
            rt.ready_count--;
            resume(rt.threads[i].fibre);
        } else if (rt.started < rt.count) {
            fibre *f = take_fibre();
            if (!f)
                wrong("there was no memory for the stack of a thread");
            else
                resume(f);
        } else {
            say_who_waits();
        }
    }
}

static void drop_fibres(void)
{
    for (unsigned i = 0; i < rt.fibre_count; i++) fibre_free(&rt.fibres[i]);
    rt.fibre_count = rt.spare_count = 0;
}

const char *harness_launch(const harness_kernel *kernel, void **parameters, const unsigned grid[3], const unsigned block[3])
{
    harness_dim size = {block[0], block[1], block[2]}, whole = {grid[0], grid[1], grid[2]};
    if ((unsigned long long)size.x * size.y * size.z > HARNESS_THREADS_MAX) return "a block has at most 1024 threads";
    pthread_mutex_lock(&one_launch);
    rt.kernel = kernel;
    rt.parameters = parameters;
    rt.failed = 0;
    *kernel->table = &table;
    for (unsigned z = 0; z < whole.z && !rt.failed; z++)
        for (unsigned y = 0; y < whole.y && !rt.failed; y++)
            for (unsigned x = 0; x < whole.x && !rt.failed; x++) {
                rt.backward = (x + y + z) & 1;
                run_block((harness_dim){x, y, z}, size, whole);
            }
    if (rt.failed) drop_fibres(); /* some are in the middle of a kernel */
    int failed = rt.failed;
    pthread_mutex_unlock(&one_launch);
    return failed ? rt.error : NULL;
}
