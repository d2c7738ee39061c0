/* cpu.c - the CPU engine: kernels as shared objects in this process, run on the pool's threads.
 *
 * A launch is split along one extent into pieces that the workers take from a common counter. */
#include "rt/engine.h"
#include "rt/hostcc.h"
#include "rt/pool.h"

#include <stdatomic.h>

enum { THREADS_MAX = 1024, ALIGNMENT = 64, PIECES_PER_WORKER = 8, PROBE_PART = 256 };
/* Waking the pool costs a few tens of microseconds: what takes less is done before the others are awake. */
static const double worth_sharing = 40e-6;

typedef void (*entry_fn)(const void *const *args, const long long *begin, const long long *end);

/* Before each buffer's bytes. */
typedef struct buffer {
    struct buffer *previous, *next;
    void          *raw;
} buffer;

typedef struct cpu {
    ilc__hostcc cc;
    ilc__pool  *pool;
    buffer      buffers; /* ring */
    double      seconds; /* of the last launch */
    const char *folder;  /* held during a compilation */
    ilc__address rounds_memory; /* of launches in rounds; 0: none yet */
    size_t      rounds_bytes;
    bool        compiles; /* else cc has no more than its isa, and bundles have the code */
} cpu;

/* --- making one -------------------------------------------------------------------------------------------
 */

static void drop_folder(cpu *own)
{
    if (own->folder) ilc__temporary_remove(own->folder);
    own->folder = NULL;
}

static ilc__cache_key key_of(ilc__arena *arena, const ilc__hostcc *cc, const char *source)
{
    ilc__text options = {.arena = arena};
    for (uint32_t i = 0; i < cc->option_count; i++)
        ilc__text_printf(&options, "%s ", cc->options[i]);
    const char *parts[] = {"cpu",        source,        ilc__text_string(&options), cc->isa, cc->name,
                           cc->identity, ILC_VERSION};
    return ilc__cache_key_of(parts, sizeof parts / sizeof parts[0]);
}

/* The best that a bundle has for this processor; NULL where there is none. */
static const ilc__part *bundled(ilc__engine *engine, const char *source)
{
    const ilc__bundle *first = engine->options.compile_only ? NULL : ilc__engine_bundle(engine);
    const ilc__part   *found = NULL;
    for (const char *level = ilc__isa_level(); first && level && !found; level = ilc__isa_below(level))
        found = ilc__bundles_code(first, ilc__code_name(&engine->scratch, ILC__FORM_CPU, level, source));
    return found;
}

/* The shared object for source, from the cache or the compiler; NULL with what went wrong in *log. */
static const void *object_of(ilc__engine *engine, const ilc__hostcc *cc, const char *source, size_t *size,
                             bool *cached, const char **log)
{
    cpu           *own = engine->own;
    const void    *object = NULL;
    ilc__cache_key key = key_of(&engine->scratch, cc, source);
    *cached = ilc__cache_get(&engine->cache, &key, &engine->scratch, &object, size);
    if (*cached) return object;
    own->folder = ilc__temporary_make(&engine->scratch);
    if (!own->folder) {
        *log = "no temporary folder could be made (TMPDIR, /tmp)";
        return NULL;
    }
    bool done =
        ilc__hostcc_compile(cc, engine->ctx, &engine->scratch, own->folder, source, &object, size, log);
    drop_folder(own);
    if (!done) return NULL;
    ilc__cache_put(&engine->cache, &engine->scratch, &key, object, *size);
    return object;
}

/* A compiler may be there without its assembler or linker. So each is tried; the answer is in the cache. */
static const char *why_unfit(ilc__engine *engine, const ilc__hostcc *cc)
{
    static const char trial[] = "int il_trial(void) { return 0; }\n";
    size_t            size;
    bool              cached;
    const char       *log = NULL;
    const void       *object = object_of(engine, cc, trial, &size, &cached, &log);
    if (!object) return log;
    void *library = ilc__library_load(object, size);
    if (!library) return "what it compiles cannot be loaded into this process";
    ilc__library_close(library);
    return NULL;
}

/* Commands stand in the order of preference, but one that turns out to be tcc, as `cc` may, comes last: it has no
 * optimiser. */
static ilc_status find_compiler(ilc__engine *engine)
{
    cpu               *own = engine->own;
    const char        *wanted = engine->options.compiler;
    const char *const *commands = ilc__hostcc_candidates(&engine->arena, wanted);
    const char        *failed = NULL, *reason = NULL;
    uint32_t           count = 0, put_off = 0;
    while (commands[count]) count++;
    ilc__hostcc *tccs = ILC__NEW_ARRAY(&engine->arena, ilc__hostcc, count);
    for (uint32_t i = 0; i < count + put_off; i++) {
        if (i >= count) {
            own->cc = tccs[i - count];
        } else if (!ilc__hostcc_ask(&engine->arena, commands[i], engine->options.optimise, engine->options.isa, &own->cc)) {
            continue;
        } else if (own->cc.kind == ILC__CC_TCC) {
            tccs[put_off++] = own->cc;
            continue;
        }
        const char *unfit = why_unfit(engine, &own->cc);
        if (!unfit) return ILC_OK;
        if (!failed) failed = own->cc.command, reason = unfit;
    }
    if (failed)
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "the C compiler %s did not work: %.200s", failed,
                         reason);
    if (ilc__compiler_is_named(wanted))
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL,
                         "the C compiler %s was not found, or is none of gcc, clang and tcc", wanted);
    return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "no C compiler was found (cc, gcc, clang, tcc)");
}

static bool serves_this_processor(const ilc__bundle *first)
{
    for (const char *level = ilc__isa_level(); level; level = ilc__isa_below(level))
        if (ilc__bundles_have(first, ILC__FORM_CPU, level)) return true;
    return false;
}

/* Where a bundle has code, an engine without a compiler is one all the same. */
static ilc_status choose_compiler(ilc__engine *engine)
{
    cpu       *own = engine->own;
    bool       serves = !engine->options.compile_only && serves_this_processor(ilc__engine_bundle(engine));
    uint32_t   before = engine->ctx->diags.count;
    ilc_status status = ILC_OK;
    if (!engine->options.no_compile) {
        status = find_compiler(engine);
        own->compiles = status == ILC_OK;
        if (own->compiles || !serves || ilc__compiler_is_named(engine->options.compiler)) return status;
        engine->ctx->diags.count = before;
    } else if (!serves) {
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s for this processor, %s, and nothing may be compiled",
                         ilc__engine_bundle(engine) ? "the bundle has no code" : "there is no bundle with code", ilc__isa_level());
    }
    own->cc = (ilc__hostcc){.isa = ilc__isa_level()};
    return ILC_OK;
}

static bool is_optimise(const char *option)
{
    return !option ||
           (strncmp(option, "-O", 2) == 0 && option[2] >= '0' && option[2] <= '3' && option[3] == 0);
}

ilc_status ilc__cpu_create(ilc__engine *engine)
{
    cpu *own = ILC__NEW(&engine->arena, cpu);
    own->buffers.previous = own->buffers.next = &own->buffers;
    engine->own = own;
    uint32_t threads = engine->options.threads ? engine->options.threads : ilc__processor_count();
    if (threads > THREADS_MAX)
        return ilc__fail(engine->ctx, ILC_INVALID, NULL, "the CPU engine takes 1 to %d threads, not %u",
                         THREADS_MAX, threads);
    if (!is_optimise(engine->options.optimise))
        return ilc__fail(engine->ctx, ILC_INVALID, NULL, "the optimisation is -O0, -O1, -O2 or -O3, not %s",
                         engine->options.optimise);
    ILC__TRY(choose_compiler(engine));
    const char *isa = engine->options.isa;
    if (isa && strcmp(isa, own->cc.isa) != 0)
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s %s does not compile for %s", own->cc.name, own->cc.version, isa);
    own->pool = ilc__pool_create(threads);
    if (!own->pool)
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "the CPU engine's threads could not be made");
    const ilc__hostcc *cc = &own->cc;
    engine->parts = (ilc__engine_parts){
        .device = ilc__arena_printf(&engine->arena, "cpu, %u thread%s", threads, threads == 1 ? "" : "s"),
        .form = "shared object",
        .arch = cc->isa,
        .path = cc->command};
    engine->parts.vectors = !own->compiles || ilc__hostcc_has_vectors(cc);
    if (own->compiles)
        engine->parts.compiler = ilc__arena_printf(&engine->arena, "%s %s%s%s", cc->name, cc->version, *cc->optimise ? " " : "", cc->optimise);
    engine->describe = ilc__arena_printf(&engine->arena, "%s, %s %s", engine->parts.device,
                                         own->compiles ? engine->parts.compiler : "code of the bundle,", cc->isa);
    return ILC_OK;
}

/* --- modules ----------------------------------------------------------------------------------------------
 */

static ilc_status cpu_compile(ilc__engine *engine, const char *name, const char *source, ilc__module *module,
                              const char *const *entries, const char **log)
{
    cpu        *own = engine->own;
    size_t           size;
    const char      *wrong = NULL;
    const void      *object = NULL;
    const ilc__part *part = bundled(engine, source);
    if (part) {
        module->cached = true;
        object = part->bytes;
        size = part->size;
    } else if (!own->compiles) {
        return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "%s is not in the bundle, and %s", name,
                         engine->options.no_compile ? "nothing may be compiled" : "there is no C compiler here");
    } else {
        object = object_of(engine, &own->cc, source, &size, &module->cached, &wrong);
    }
    if (!object)
        return ilc__compile_failed(
            engine, ilc__arena_printf(&engine->scratch, "%s %s", own->cc.name, own->cc.version), name, wrong,
            log);
    if (engine->options.compile_only) {
        module->made = (ilc__made){.bytes = ilc__arena_copy(&engine->arena, object, size),
                                   .size = size,
                                   .form = ILC__FORM_CPU,
                                   .arch = own->cc.isa,
                                   .maker = engine->parts.compiler};
        module->handle = module; /* nothing is loaded */
        return ILC_OK;
    }
    void *library = ilc__library_load(object, size);
    if (!library)
        return ilc__fail(engine->ctx, ILC_COMPILER, NULL, "the object of %s could not be loaded", name);
    for (uint32_t i = 0; i < module->entry_count; i++) {
        module->entries[i] = ilc__library_find(library, entries[i]);
        if (module->entries[i]) continue;
        ilc__library_close(library);
        return ilc__fail(engine->ctx, ILC_COMPILER, NULL, "%s defines no %s", name, entries[i]);
    }
    module->handle = library;
    return ILC_OK;
}

static bool cpu_has(ilc__engine *engine, const char *source)
{
    cpu           *own = engine->own;
    const void    *object;
    size_t         size;
    ilc__cache_key key = key_of(&engine->scratch, &own->cc, source);
    return bundled(engine, source) || (own->compiles && ilc__cache_get(&engine->cache, &key, &engine->scratch, &object, &size));
}

static void cpu_unload(ilc__engine *engine, ilc__module *module)
{
    if (!engine->options.compile_only) ilc__library_close(module->handle);
}

/* --- buffers ----------------------------------------------------------------------------------------------
 */

static ilc_status cpu_alloc(ilc__engine *engine, size_t bytes, ilc__address *out)
{
    cpu         *own = engine->own;
    ilc__heap   *heap = engine->arena.heap;
    const size_t extra = sizeof(buffer) + ALIGNMENT;
    void        *raw = bytes > SIZE_MAX / 2 ? NULL : heap->resize(heap->user, NULL, bytes + extra);
    if (!raw)
        return ilc__fail(engine->ctx, ILC_OUT_OF_MEMORY, NULL,
                         "there was no memory for a buffer of %zu bytes", bytes);
    uintptr_t at = ((uintptr_t)raw + extra) / ALIGNMENT * ALIGNMENT;
    buffer   *b = (buffer *)(at - sizeof(buffer));
    *b = (buffer){own->buffers.previous, &own->buffers, raw};
    b->previous->next = b;
    own->buffers.previous = b;
    *out = at;
    return ILC_OK;
}

static void cpu_free(ilc__engine *engine, ilc__address address)
{
    ilc__heap *heap = engine->arena.heap;
    buffer    *b = (buffer *)((uintptr_t)address - sizeof(buffer));
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
    entry_fn     run;
    uint32_t     dims, split; /* which extent is cut */
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

static void take_pieces(void *user, uint32_t number)
{
    job      *j = user;
    long long whole = j->extents[j->split];
    for (;;) {
        long long from = atomic_fetch_add(&j->next, j->piece);
        if (from >= whole) return;
        run_range(j, &j->workers[number], from, whole - from > j->piece ? from + j->piece : whole);
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

/* A first small piece on this thread tells whether the rest is worth waking the others. */
static void run_job(cpu *own, job *j)
{
    long long whole = j->extents[j->split];
    uint32_t  workers = ilc__pool_workers(own->pool);
    long long probe = whole / PROBE_PART ? whole / PROBE_PART : 1;
    if (workers == 1 || probe == whole) {
        run_range(j, &j->workers[0], 0, whole);
        return;
    }
    double start = ilc__clock_seconds();
    run_range(j, &j->workers[0], 0, probe);
    double expected = (ilc__clock_seconds() - start) / (double)probe * (double)(whole - probe);
    if (expected < worth_sharing) {
        run_range(j, &j->workers[0], probe, whole);
        return;
    }
    j->piece = (whole - probe) / ((long long)workers * PIECES_PER_WORKER) + 1;
    atomic_store(&j->next, probe);
    ilc__pool_run(own->pool, take_pieces, j);
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
static void run_round(cpu *own, rounds_job *j)
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
    cpu      *own = engine->own;
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
    cpu *own;
    job *job;
} deep_run;

static void run_deep(void *user)
{
    const deep_run *run = user;
    run_job(run->own, run->job);
}

/* The caller's thread may have little stack left: what recurses runs on threads of our own alone. */
static ilc_status run_job_deep(ilc__engine *engine, job *j)
{
    deep_run     run = {engine->own, j};
    ilc__thread *thread = ilc__thread_start(run_deep, &run, ILC__POOL_STACK);
    if (!thread)
        return ilc__fail(engine->ctx, ILC_OUT_OF_MEMORY, NULL, "a thread with a stack of %zu bytes did not start", ILC__POOL_STACK);
    ilc__thread_join(thread);
    return ILC_OK;
}

static ilc_status cpu_launch(ilc__engine *engine, ilc__module *module, uint32_t entry,
                             const ilc__launch *launch)
{
    cpu     *own = engine->own;
    uint32_t workers = ilc__pool_workers(own->pool);
    job     *j = ILC__NEW(&engine->scratch, job);
    own->seconds = 0;
    for (uint32_t d = 0; d < launch->dims; d++)
        if (launch->extents[d] == 0) return ILC_OK;
    memcpy(&j->run, &module->entries[entry], sizeof j->run);
    j->dims = launch->dims;
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
    } else if (launch->stack > STACK_OF_ANY_THREAD) ILC__TRY(run_job_deep(engine, j));
    else run_job(own, j);
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

static double cpu_last_seconds(ilc__engine *engine)
{
    return ((cpu *)engine->own)->seconds;
}

static void cpu_unwind(ilc__engine *engine)
{
    if (engine->own) drop_folder(engine->own);
}

static void cpu_destroy(ilc__engine *engine)
{
    cpu *own = engine->own;
    if (!own) return;
    drop_folder(own);
    ilc__pool_destroy(own->pool);
    while (own->buffers.next != &own->buffers)
        cpu_free(engine, (uintptr_t)own->buffers.next + sizeof(buffer));
}

const ilc__engine_ops ilc__cpu_ops = {
    .compile = cpu_compile,
    .has = cpu_has,
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
