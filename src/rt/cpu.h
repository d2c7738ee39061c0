/* cpu.h - inside rt: the CPU engine's own, between its files. cpu.c launches, cpu_code.c has code compiled, cpu_tiers.c has it
 * compiled while other code runs. */
#ifndef ILC_RT_CPU_H
#define ILC_RT_CPU_H

#include "rt/engine.h"
#include "rt/hostcc.h"
#include "rt/pool.h"

/* Before each buffer's bytes. */
typedef struct ilc__cpu_buffer {
    struct ilc__cpu_buffer *previous, *next;
    void                   *raw;
} ilc__cpu_buffer;

typedef struct ilc__tiers ilc__tiers;

typedef struct ilc__cpu {
    ilc__hostcc     cc;
    ilc__pool      *pool;
    ilc__cpu_buffer buffers; /* ring */
    double          seconds; /* of the last launch */
    int64_t         reached; /* by the last launch; -1: all */
    const char     *folder;  /* held during a compilation */
    ilc__address    rounds_memory; /* of launches in rounds; 0: none yet */
    size_t          rounds_bytes;
    const char     *place;   /* the folder where code is compiled while other code runs; NULL: none yet */
    bool            compiles; /* else cc has no more than its isa, and bundles have the code */
    ilc__tiers     *tiers;    /* NULL: launches wait for the compiler */
    const ilc__coming *on_trial; /* whether cc works is being tried; NULL: it does */
} ilc__cpu;

/* What the engine says of itself: engine->parts, engine->describe. */
void            ilc__cpu_describe(ilc__engine *engine);

/* --- cpu_code.c --- */

/* Chooses own->cc, or the code of bundles. */
ilc_status      ilc__cpu_choose_compiler(ilc__engine *engine);
ilc_status      ilc__cpu_compile(ilc__engine *engine, const char *name, const char *source, ilc__module *module,
                                 const char *const *entries, const char **log);
/* By a compiler, whatever bundles have. */
ilc_status      ilc__cpu_compile_by(ilc__engine *engine, const ilc__hostcc *cc, const char *name, const char *source, ilc__module *module,
                                    const char *const *entries, const char **log);
const char     *ilc__cpu_first_tier(ilc__engine *engine, bool *works);
bool            ilc__cpu_has(ilc__engine *engine, const char *source);
ilc__cache_key  ilc__cpu_key_of(ilc__arena *arena, const ilc__hostcc *cc, const char *source);
/* Why what the compiler makes cannot be used; NULL: it can. */
const char     *ilc__cpu_why_unfit(ilc__engine *engine, const ilc__hostcc *cc);
/* The file in which such a compilation leaves what it made. */
const char     *ilc__cpu_made_path(const ilc__cpu *own, ilc__arena *arena, const ilc__cache_key *key);
void            ilc__cpu_drop_folder(ilc__cpu *own);

/* --- cpu_tiers.c --- */

void               ilc__tiers_open(ilc__engine *engine);
void               ilc__tiers_close(ilc__cpu *own);
const ilc__coming *ilc__tiers_coming(ilc__engine *engine, const char *source);
bool               ilc__tiers_is_here(const ilc__coming *coming);
bool               ilc__tiers_compile_first(ilc__engine *engine, const char *name, const char *source, ilc__module *module,
                                            const char *const *entries);
/* Waits for what is being compiled beside under the key, if anything is. */
void               ilc__tiers_await(ilc__engine *engine, const ilc__cache_key *key);
/* The compiler does not work: all that follows waits for another. */
void               ilc__tiers_give_up(ilc__engine *engine, const char *unfit);
const char        *ilc__tiers_first(ilc__engine *engine, bool *works);

#endif
