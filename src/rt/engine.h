/* engine.h - inside rt: what the two kinds of engine share, and the table of operations each fills in. */
#ifndef ILC_RT_ENGINE_H
#define ILC_RT_ENGINE_H

#include <ilcuda/session.h>

#include "rt/cache.h"
#include "rt/rt.h"

typedef struct ilc__engine_ops {
    ilc_status (*compile)(ilc__engine *engine, const char *name, const char *source, ilc__module *module,
                          const char *const *entries, const char **log);
    void (*unload)(ilc__engine *engine, ilc__module *module);
    ilc_status (*alloc)(ilc__engine *engine, size_t bytes, ilc__address *out);
    void (*free)(ilc__engine *engine, ilc__address address);
    ilc_status (*write)(ilc__engine *engine, ilc__address to, const void *from, size_t bytes);
    ilc_status (*read)(ilc__engine *engine, void *to, ilc__address from, size_t bytes);
    ilc_status (*fill)(ilc__engine *engine, ilc__address to, uint8_t byte, size_t bytes);
    ilc_status (*launch)(ilc__engine *engine, ilc__module *module, uint32_t entry, const ilc__launch *launch);
    ilc_status (*synchronize)(ilc__engine *engine);
    double (*last_seconds)(ilc__engine *engine);
    /* NULL: there is nothing to do, or no timer. */
    ilc_status (*reserve)(ilc__engine *engine, ilc__module *module, uint32_t entry, const ilc__launch *launch);
    ilc_status (*timer)(ilc__engine *engine, ilc__timer *out);
    void (*timer_free)(ilc__engine *engine, ilc__timer *timer);
    double (*timer_seconds)(ilc__engine *engine, const ilc__timer *timer);
    /* Of an engine with a first tier of code; else NULL. */
    const ilc__coming *(*coming)(ilc__engine *engine, const char *source);
    bool (*compile_first)(ilc__engine *engine, const char *name, const char *source, ilc__module *module, const char *const *entries);
    const char *(*first_tier)(ilc__engine *engine, bool *works);
    int64_t (*reached)(ilc__engine *engine);
    /* NULL: nothing is known before it is compiled. */
    bool (*has)(ilc__engine *engine, const char *source);
    /* Gives back what a call that ran out of memory held. */
    void (*unwind)(ilc__engine *engine);
    void (*destroy)(ilc__engine *engine); /* after all modules are unloaded; must bear a half-made engine */
} ilc__engine_ops;

struct ilc__module {
    ilc__engine *engine;
    ilc__module *next;
    void        *handle;  /* a library, or a CUmodule; NULL once released */
    void       **entries; /* addresses, or CUfunctions */
    uint32_t     entry_count;
    bool         cached;
    ilc__made    made;    /* of an engine that only compiles */
};

struct ilc__engine {
    ilc__engine_kind       kind;
    const ilc__engine_ops *ops;
    ilc__context          *ctx;
    ilc__arena             arena;   /* lives as long as the engine */
    ilc__arena             scratch; /* emptied after each call */
    ilc__engine_options    options;
    ilc__cache             cache;
    ilc__module           *modules;
    const char            *describe;
    ilc__engine_parts      parts;
    void                  *own; /* of the kind */
};

/* The kinds. create fills in engine->own, engine->describe and engine->parts. */
extern const ilc__engine_ops ilc__cpu_ops, ilc__cuda_ops;
ilc_status                   ilc__cpu_create(ilc__engine *engine);
ilc_status                   ilc__cuda_create(ilc__engine *engine);

/* The first of the bundles that the engine may look into, or NULL. */
static inline const ilc__bundle *ilc__engine_bundle(const ilc__engine *engine)
{
    return engine->options.bundles ? *engine->options.bundles : NULL;
}

/* ILC_COMPILER in one line, "gcc 12.2.0 did not compile NAME: the log's first error"; keeps the log for the
 * caller. */
ilc_status ilc__compile_failed(ilc__engine *engine, const char *compiler, const char *name,
                               const char *printed, const char **log);

/* A launch of more elements would not fit the error slot, element << 16 | site. */
#define ILC__ELEMENTS_MAX ((int64_t)1 << 47)

#endif
