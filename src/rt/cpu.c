/* cpu.c - the CPU engine: kernels as shared objects in this process, run on the pool's threads.
 *
 * A launch is split along one extent into pieces that the workers take from a common counter. */
#include "rt/cpu.h"

#include <stdatomic.h>

enum { THREADS_MAX = 1024, ALIGNMENT = 64, PIECES_PER_WORKER = 8, PROBE_PART = 256 };
/* Waking the pool costs a few tens of microseconds: what takes less is done before the others are awake. */
static const double worth_sharing = 40e-6;
static const double between_looks = 1e-3; /* seconds */

typedef void (*entry_fn)(const void *const *args, const long long *begin, const long long *end);

static bool is_optimise(const char *option)
{
    return !option ||
           (strncmp(option, "-O", 2) == 0 && option[2] >= '0' && option[2] <= '3' && option[3] == 0);
}

void ilc__cpu_describe(ilc__engine *engine)
{
    const ilc__cpu    *own = engine->own;
    uint32_t           threads = ilc__pool_workers(own->pool);
    const ilc__hostcc *cc = &own->cc;
    engine->parts = (ilc__engine_parts){
        .device = ilc__arena_printf(&engine->arena, "cpu, %u thread%s", threads, threads == 1 ? "" : "s"),
        .form = "shared object",
        .arch = cc->isa,
        .path = cc->command};
    engine->parts.tiers = own->tiers != NULL;
    engine->parts.vectors = !own->compiles || ilc__hostcc_has_vectors(cc);
    if (own->compiles)
        engine->parts.compiler = ilc__arena_printf(&engine->arena, "%s %s%s%s", cc->name, cc->version, *cc->optimise ? " " : "", cc->optimise);
    engine->describe = ilc__arena_printf(&engine->arena, "%s, %s %s", engine->parts.device,
                                         own->compiles ? engine->parts.compiler : "code of the bundle,", cc->isa);
}

ilc_status ilc__cpu_create(ilc__engine *engine)
{
    ilc__cpu *own = ILC__NEW(&engine->arena, ilc__cpu);
    own->buffers.previous = own->buffers.next = &own->buffers;
    engine->own = own;
    uint32_t threads = engine->options.threads ? engine->options.threads : ilc__processor_count();
    if (threads > THREADS_MAX)
        return ilc__fail(engine->ctx, ILC_INVALID, NULL, "the CPU engine takes 1 to %d threads, not %u",
                         THREADS_MAX, threads);
    if (!is_optimise(engine->options.optimise))
        return ilc__fail(engine->ctx, ILC_INVALID, NULL, "the optimisation is -O0, -O1, -O2 or -O3, not %s",
                         engine->options.optimise);
    own->place = engine->cache.directory;
    ilc__tiers_open(engine);
    ILC__TRY(ilc__cpu_choose_compiler(engine));
    if (!own->compiles || own->cc.kind == ILC__CC_TCC) { /* there is nothing better to wait for */
        ilc__tiers_close(own);
        own->tiers = NULL;
    }
    const char *isa = engine->options.isa;
    if (isa && strcmp(isa, own->cc.isa) != 0)
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s %s does not compile for %s", own->cc.name, own->cc.version, isa);
    own->pool = ilc__pool_create(threads);
    if (!own->pool)
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "the CPU engine's threads could not be made");
    ilc__cpu_describe(engine);
    return ILC_OK;
}

static void cpu_unload(ilc__engine *engine, ilc__module *module)
{
    if (!engine->options.compile_only) ilc__library_close(module->handle);
}

/* --- buffers ----------------------------------------------------------------------------------------------
 */

static ilc_status cpu_alloc(ilc__engine *engine, size_t bytes, ilc__address *out)
{
    ilc__cpu         *own = engine->own;
    ilc__heap   *heap = engine->arena.heap;
    const size_t extra = sizeof(ilc__cpu_buffer) + ALIGNMENT;
    void        *raw = bytes > SIZE_MAX / 2 ? NULL : heap->resize(heap->user, NULL, bytes + extra);
    if (!raw)
        return ilc__fail(engine->ctx, ILC_OUT_OF_MEMORY, NULL,
                         "there was no memory for a buffer of %zu bytes", bytes);
    uintptr_t at = ((uintptr_t)raw + extra) / ALIGNMENT * ALIGNMENT;
    ilc__cpu_buffer   *b = (ilc__cpu_buffer *)(at - sizeof(ilc__cpu_buffer));
    *b = (ilc__cpu_buffer){own->buffers.previous, &own->buffers, raw};
    b->previous->next = b;
    own->buffers.previous = b;
    *out = at;
    return ILC_OK;
}

static void cpu_free(ilc__engine *engine, ilc__address address)
{
    ilc__heap *heap = engine->arena.heap;
    ilc__cpu_buffer    *b = (ilc__cpu_buffer *)((uintptr_t)address - sizeof(ilc__cpu_buffer));
    b->previous->next = b->next;
    b->next->previous = b->previous;
    heap->resize(heap->user, b->raw, 0);
}

static ilc_status cpu_write(ilc__engine *engine, ilc__address to, const void *from, size_t bytes)
{
    (void)engine;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return ILC_OK;
}

static ilc_status cpu_read(ilc__engine *engine, void *to, ilc__address from, size_t bytes)
{
    (void)engine;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return ILC_OK;
}

static ilc_status cpu_fill(ilc__engine *engine, ilc__address to, uint8_t byte, size_t bytes)
{
    (void)engine;
    memset((void *)(uintptr_t)to, byte, bytes);
    return ILC_OK;
}

/* --- launches ---------------------------------------------------------------------------------------------
 */

/* What a worker has to itself, a cache line or more apart from its neighbour's. */
typedef struct worker {
    const void **args;
    uint64_t     slot;    /* its error slot                 */
    ilc__address address; /* of slot: what the argument holds */
    char         apart[128];
} worker;

typedef struct job {
    const ilc__coming *until;
    atomic_bool  stop;
    entry_fn     run;
    uint32_t     dims, split; /* which extent is cut */
    uint32_t     spared;      /* the worker that does nothing while until is not there */
    long long    extents[3];
    long long    piece;
    atomic_llong next;
    worker      *workers;
} job;

static void run_range(const job *j, const worker *w, long long from, long long to)
{
    long long begin[3] = {0, 0, 0}, end[3] = {1, 1, 1};
    for (uint32_t d = 0; d < j->dims; d++)
        end[d] = j->extents[d];
    begin[j->split] = from;
    end[j->split] = to;
    uint32_t saved = ilc__fp_enter();
    j->run(w->args, begin, end);
    ilc__fp_leave(saved);
}

/* A compiler at work keeps a processor to itself: it is what everybody waits for. */
static void take_pieces(void *user, uint32_t number)
{
    job      *j = user;
    long long whole = j->extents[j->split];
    if (j->until && number != 0 && number == j->spared) return;
    while (!atomic_load(&j->stop)) {
        long long from = atomic_fetch_add(&j->next, j->piece);
        if (from >= whole) return;
        run_range(j, &j->workers[number], from, whole - from > j->piece ? from + j->piece : whole);
        if (j->until && number == 0 && ilc__tiers_is_here(j->until)) atomic_store(&j->stop, true);
    }
}

/* The slowest extent, unless it is too short for all workers and the next is longer. */
static uint32_t extent_to_split(const ilc__launch *launch, uint32_t workers)
{
    uint32_t split = 0;
    while (split + 1 < launch->dims && launch->extents[split] < 2 * (int64_t)workers &&
           launch->extents[split + 1] > launch->extents[split])
        split++;
    return split;
}

/* A first small piece on this thread tells whether the rest is worth waking the others, and how much may be done between two looks
 * for the code that the launch ends with. Where it ended. */
static long long run_job(ilc__cpu *own, job *j, long long first)
{
    long long whole = j->extents[j->split], rest = whole - first;
    uint32_t  workers = ilc__pool_workers(own->pool);
    long long probe = j->until ? 1 : rest / PROBE_PART ? rest / PROBE_PART : 1;
    if ((workers == 1 && !j->until) || probe >= rest) {
        run_range(j, &j->workers[0], first, whole);
        return whole;
    }
    double start = ilc__clock_seconds();
    run_range(j, &j->workers[0], first, first + probe);
    rest -= probe;
    double each = (ilc__clock_seconds() - start) / (double)probe;
    if (each * (double)rest < worth_sharing) {
        run_range(j, &j->workers[0], first + probe, whole);
        return whole;
    }
    j->piece = rest / ((long long)workers * PIECES_PER_WORKER) + 1;
    double look = between_looks / each;
    if (j->until && look < (double)j->piece) j->piece = look < 1 ? 1 : (long long)look;
    atomic_store(&j->next, first + probe);
    if (workers == 1) take_pieces(j, 0);
    else ilc__pool_run(own->pool, take_pieces, j);
    long long reached = atomic_load(&j->next);
    return reached < whole ? reached : whole;
}

/* --- in rounds --- */

typedef void (*rounds_fn)(const void *const *args, ilc__rounds *rounds);

typedef struct rounds_job {
    rounds_fn    run;
    ilc__rounds  asked;
    long long    batch;
    atomic_llong next;
    worker      *workers;
} rounds_job;

static void take_batches(void *user, uint32_t number)
{
    rounds_job *j = user;
    ilc__rounds mine = j->asked;
    uint32_t    saved = ilc__fp_enter();
    mine.own += number * mine.own_bytes;
    for (;;) {
        long long from = atomic_fetch_add(&j->next, j->batch);
        if (from >= j->asked.pieces) break;
        long long to = j->asked.pieces - from > j->batch ? from + j->batch : j->asked.pieces;
        for (mine.piece = from; mine.piece < to; mine.piece++) j->run(j->workers[number].args, &mine);
    }
    ilc__fp_leave(saved);
}

/* The first piece tells whether the others are worth waking the pool. */
static void run_round(ilc__cpu *own, rounds_job *j)
{
    uint32_t  workers = ilc__pool_workers(own->pool);
    long long rest = j->asked.pieces - 1;
    double    start = ilc__clock_seconds();
    uint32_t  saved = ilc__fp_enter();
    j->asked.piece = 0;
    j->run(j->workers[0].args, &j->asked);
    ilc__fp_leave(saved);
    j->batch = rest / ((long long)workers * 4 * PIECES_PER_WORKER) + 1;
    atomic_store(&j->next, 1);
    if (workers == 1 || rest < 1 || (ilc__clock_seconds() - start) * (double)rest < worth_sharing) take_batches(j, 0);
    else ilc__pool_run(own->pool, take_batches, j);
}

static ilc_status run_rounds(ilc__engine *engine, rounds_job *j)
{
    ilc__cpu      *own = engine->own;
    uint32_t  workers = ilc__pool_workers(own->pool);
    j->asked.round = -1;
    j->run(j->workers[0].args, &j->asked);
    size_t mine = ((size_t)j->asked.own_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT; /* apart from its neighbour's */
    size_t all = ((size_t)j->asked.shared_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, bytes = all + workers * mine;
    if (bytes > own->rounds_bytes) {
        if (own->rounds_memory) cpu_free(engine, own->rounds_memory);
        own->rounds_memory = own->rounds_bytes = 0;
        ILC__TRY(cpu_alloc(engine, bytes, &own->rounds_memory));
        own->rounds_bytes = bytes;
    }
    j->asked.own_bytes = (long long)mine;
    j->asked.shared = (char *)(uintptr_t)own->rounds_memory;
    j->asked.own = j->asked.shared + all;
    for (j->asked.round = 0; j->asked.round < j->asked.rounds; j->asked.round++) {
        j->asked.piece = -1;
        j->run(j->workers[0].args, &j->asked);
        if (j->asked.pieces > 0) run_round(own, j);
    }
    return ILC_OK;
}

/* --- any --- */

enum { STACK_OF_ANY_THREAD = 64 << 10 };

typedef struct deep_run {
    ilc__cpu *own;
    job *job;
    long long first, reached;
} deep_run;

static void run_deep(void *user)
{
    deep_run *run = user;
    run->reached = run_job(run->own, run->job, run->first);
}

/* The caller's thread may have little stack left: what recurses runs on threads of our own alone. */
static ilc_status run_job_deep(ilc__engine *engine, job *j, long long first, long long *reached)
{
    deep_run     run = {engine->own, j, first, 0};
    ilc__thread *thread = ilc__thread_start(run_deep, &run, ILC__POOL_STACK);
    if (!thread)
        return ilc__fail(engine->ctx, ILC_OUT_OF_MEMORY, NULL, "a thread with a stack of %zu bytes did not start", ILC__POOL_STACK);
    ilc__thread_join(thread);
    *reached = run.reached;
    return ILC_OK;
}

static ilc_status cpu_launch(ilc__engine *engine, ilc__module *module, uint32_t entry,
                             const ilc__launch *launch)
{
    ilc__cpu     *own = engine->own;
    uint32_t workers = ilc__pool_workers(own->pool);
    job     *j = ILC__NEW(&engine->scratch, job);
    own->seconds = 0;
    own->reached = -1;
    for (uint32_t d = 0; d < launch->dims; d++)
        if (launch->extents[d] == 0) return ILC_OK;
    memcpy(&j->run, &module->entries[entry], sizeof j->run);
    j->dims = launch->dims;
    j->spared = workers - 1;
    j->split = extent_to_split(launch, workers);
    for (uint32_t d = 0; d < launch->dims; d++)
        j->extents[d] = launch->extents[d];
    j->workers = ILC__NEW_ARRAY(&engine->scratch, worker, workers);
    uint64_t *slot = NULL;
    if (launch->trap_arg >= 0)
        slot = (uint64_t *)(uintptr_t) * (const ilc__address *)launch->args[launch->trap_arg];
    for (uint32_t i = 0; i < workers; i++) {
        worker *w = &j->workers[i];
        w->args = ILC__NEW_ARRAY(&engine->scratch, const void *, launch->arg_count);
        if (launch->arg_count) memcpy(w->args, launch->args, launch->arg_count * sizeof *w->args);
        if (!slot) continue;
        w->slot = *slot;
        w->address = (uintptr_t)&w->slot;
        w->args[launch->trap_arg] = &w->address;
    }
    double start = ilc__clock_seconds();
    if (launch->in_rounds) {
        rounds_job in_rounds = {.workers = j->workers};
        memcpy(&in_rounds.run, &module->entries[entry], sizeof in_rounds.run);
        ILC__TRY(run_rounds(engine, &in_rounds));
    } else {
        long long reached = 0;
        j->until = launch->until;
        if (launch->stack > STACK_OF_ANY_THREAD) ILC__TRY(run_job_deep(engine, j, launch->from, &reached));
        else reached = run_job(own, j, launch->from);
        if (reached < j->extents[j->split]) own->reached = reached;
    }
    own->seconds = ilc__clock_seconds() - start;
    for (uint32_t i = 0; slot && i < workers; i++)
        if (j->workers[i].slot < *slot) *slot = j->workers[i].slot;
    return ILC_OK;
}

static ilc_status cpu_synchronize(ilc__engine *engine)
{
    (void)engine; /* a launch returns when it is done */
    return ILC_OK;
}

static int64_t cpu_reached(ilc__engine *engine)
{
    return ((ilc__cpu *)engine->own)->reached;
}

static double cpu_last_seconds(ilc__engine *engine)
{
    return ((ilc__cpu *)engine->own)->seconds;
}

static void cpu_unwind(ilc__engine *engine)
{
    if (engine->own) ilc__cpu_drop_folder(engine->own);
}

static void cpu_destroy(ilc__engine *engine)
{
    ilc__cpu *own = engine->own;
    if (!own) return;
    ilc__cpu_drop_folder(own);
    ilc__tiers_close(own);
    ilc__pool_destroy(own->pool);
    while (own->buffers.next != &own->buffers)
        cpu_free(engine, (uintptr_t)own->buffers.next + sizeof(ilc__cpu_buffer));
}

const ilc__engine_ops ilc__cpu_ops = {
    .compile = ilc__cpu_compile,
    .coming = ilc__tiers_coming,
    .compile_first = ilc__tiers_compile_first,
    .first_tier = ilc__cpu_first_tier,
    .reached = cpu_reached,
    .has = ilc__cpu_has,
    .unload = cpu_unload,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .write = cpu_write,
    .read = cpu_read,
    .fill = cpu_fill,
    .launch = cpu_launch,
    .synchronize = cpu_synchronize,
    .last_seconds = cpu_last_seconds,
    .unwind = cpu_unwind,
    .destroy = cpu_destroy,
};
