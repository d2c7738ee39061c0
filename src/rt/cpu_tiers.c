/* cpu_tiers.c - two tiers of code for the CPU engine: what tcc makes in milliseconds runs until the engine's compiler, which works
 * beside, is through.
 *
 * Compilations run in shells that are nobody's children (os.h), at most one for each processor. They take sources from the cache's
 * folder and leave objects there, renamed when whole, under a name that only the key decides. So whoever looks for the key next,
 * this process or a later one, takes the object into the cache (cpu_code.c), and nothing has to be waited for when a process ends. */
#include "rt/cpu.h"

#include <stdatomic.h>

enum { FEEDS_MAX = 64, WORDS_MAX = 40 };
static const double patience = 120; /* seconds */
static atomic_uint  sources; /* so that no two engines of a process use one name */

struct ilc__coming {
    const char *made, *entry, *failed; /* files: one of them ends the waiting */
    double      since;
    bool        over; /* somebody has seen that it failed */
};

struct ilc__tiers {
    ilc__hostcc first;
    bool        asked, works;
    const char *said;   /* "tcc 0.9.27", or what is wrong with it; NULL: it is not there */
    bool        own_place, alone; /* a temporary folder of ours; alone: shells do not start here */
    ilc__map    coming; /* key -> ilc__coming */
    ilc__feed  *feeds[FEEDS_MAX];
    uint32_t    feed_count, sent;
};

/* Per line: the names of a source, without ".c.tmp", and of the object. ulimit stands for the limit that a compiler has elsewhere. At
 * the end a temporary folder goes, with what a compiler may have put there last. */
static const char script[] = "cd \"$1\" || exit; end=$2; shift 2; ulimit -t 120\n"
                             "while read -r from made; do\n"
                             "  if \"$@\" -o \"$from.so.tmp\" -x c \"$from.c.tmp\" </dev/null &&\n"
                             "    mv -f \"$from.so.tmp\" \"$made\"; then :\n"
                             "  else : >\"$from.failed.tmp\"; fi\n"
                             "  rm -f \"$from.c.tmp\" \"$from.so.tmp\"\n"
                             "done\n"
                             "$end \"$PWD\"\n";

/* Where the caller named no compiler and no way to use it, and does not insist on its code. */
void ilc__tiers_open(ilc__engine *engine)
{
    ilc__cpu                  *own = engine->own;
    const ilc__engine_options *o = &engine->options;
    const char                *variable = ilc__environment("ILCUDA_TIER");
    bool waits = o->best_code || (variable && strcmp(variable, "best") == 0);
    if (waits || o->no_compile || o->compile_only || o->optimise || o->isa || ilc__compiler_is_named(o->compiler)) return;
    own->tiers = ILC__NEW(&engine->arena, ilc__tiers);
    own->tiers->coming.arena = &engine->arena;
}

void ilc__tiers_close(ilc__cpu *own)
{
    ilc__tiers *t = own->tiers;
    if (!t) return;
    for (uint32_t i = 0; i < t->feed_count; i++) ilc__feed_close(t->feeds[i]);
    t->feed_count = 0;
    if (t->own_place) ilc__temporary_remove(own->place); /* a compiler still at work finds no folder, and ends */
    t->own_place = false;
}

/* --- the first tier --------------------------------------------------------------------------------------------------- */

static void ask_first(ilc__engine *engine, ilc__tiers *t)
{
    t->asked = true;
    if (!ilc__hostcc_ask(&engine->arena, "tcc", NULL, NULL, &t->first) || t->first.kind != ILC__CC_TCC) return;
    const char *unfit = ilc__cpu_why_unfit(engine, &t->first);
    t->works = !unfit;
    int shown = unfit ? (int)strcspn(unfit, "\n") : 0;
    t->said = ilc__arena_printf(&engine->arena, "tcc %s%s%.*s", t->first.version, unfit ? " did not work: " : "", shown, unfit ? unfit : "");
}

const char *ilc__tiers_first(ilc__engine *engine, bool *works)
{
    ilc__tiers *t = ((ilc__cpu *)engine->own)->tiers;
    if (t && !t->asked) ask_first(engine, t);
    *works = t && t->works;
    return t ? t->said : NULL;
}

void ilc__tiers_give_up(ilc__engine *engine, const char *unfit)
{
    ilc__tiers *t = ((ilc__cpu *)engine->own)->tiers;
    t->alone = true;
    t->works = false;
    t->said = ilc__arena_printf(&engine->arena, "the C compiler %s did not work: %.*s", ((ilc__cpu *)engine->own)->cc.command,
                                (int)strcspn(unfit, "\n"), unfit);
}

/* What tcc does not take is its fault alone: launches wait from then on, and who asks is told why. */
bool ilc__tiers_compile_first(ilc__engine *engine, const char *name, const char *source, ilc__module *module, const char *const *entries)
{
    ilc__tiers *t = ((ilc__cpu *)engine->own)->tiers;
    const char *log;
    uint32_t    before = engine->ctx->diags.count;
    if (!t || !t->works) return false;
    if (ilc__cpu_compile_by(engine, &t->first, name, source, module, entries, &log) == ILC_OK) return true;
    t->works = false;
    t->said = ilc__arena_strdup(&engine->arena, engine->ctx->diags.items[before].text);
    engine->ctx->diags.count = before;
    return false;
}

/* --- the compiler beside ---------------------------------------------------------------------------------------------- */

static bool have_place(ilc__engine *engine, ilc__tiers *t)
{
    ilc__cpu *own = engine->own;
    if (own->place) return true;
    own->place = ilc__temporary_make(&engine->arena);
    t->own_place = own->place != NULL;
    return t->own_place;
}

/* One shell for each processor, each started when it is first wanted. */
static ilc__feed *next_feed(ilc__engine *engine, ilc__tiers *t)
{
    const ilc__cpu *own = engine->own;
    const char     *words[WORDS_MAX] = {own->place, t->own_place ? "rm -rf" : ":", own->cc.command};
    uint32_t        most = ilc__processor_count();
    if (most > FEEDS_MAX) most = FEEDS_MAX;
    if (t->feed_count >= most) return t->feeds[t->sent % t->feed_count];
    for (uint32_t i = 0; i < own->cc.option_count; i++) words[3 + i] = own->cc.options[i];
    ilc__feed *feed = ilc__feed_start(script, words);
    if (feed) t->feeds[t->feed_count++] = feed;
    return feed;
}

static const ilc__coming *begin(ilc__engine *engine, ilc__tiers *t, const ilc__cache_key *key, const char *source)
{
    ilc__arena *arena = &engine->arena, *scratch = &engine->scratch;
    uint32_t    before = engine->ctx->diags.count;
    ilc__feed  *feed = have_place(engine, t) ? next_feed(engine, t) : NULL;
    const char *place = ((ilc__cpu *)engine->own)->place;
    t->alone = !feed;
    if (!feed) return NULL;
    const char *from = ilc__arena_printf(scratch, "%s.ilc.%llu.%u", key->text, (unsigned long long)ilc__process_id(), atomic_fetch_add(&sources, 1));
    const char *path = ilc__arena_printf(scratch, "%s/%s.c.tmp", place, from);
    const char *line = ilc__arena_printf(scratch, "%s %s.ilc.made.tmp\n", from, key->text);
    ilc__coming *coming = ILC__NEW(arena, ilc__coming);
    *coming = (ilc__coming){.made = ilc__cpu_made_path(engine->own, arena, key),
                            .entry = ilc__arena_printf(arena, "%s/%s.ilc", place, key->text),
                            .failed = ilc__arena_printf(arena, "%s/%s.failed.tmp", place, from),
                            .since = ilc__clock_seconds()};
    /* The folder may be read-only, or full. */
    bool sent = ilc__file_write(engine->ctx, path, source, strlen(source), 0600) == ILC_OK && ilc__feed_send(feed, line);
    engine->ctx->diags.count = before;
    if (sent) {
        ilc__map_put(&t->coming, ilc__arena_strdup(arena, key->text), strlen(key->text), coming);
        t->sent++;
        return coming;
    }
    ilc__file_remove(path);
    t->alone = true;
    return NULL;
}

/* A failed compilation is here, too: it is then run again and waited for, as that says what is wrong. */
bool ilc__tiers_is_here(const ilc__coming *coming)
{
    return coming->over || ilc__file_exists(coming->made) || ilc__file_exists(coming->entry) || ilc__file_exists(coming->failed) ||
           ilc__clock_seconds() - coming->since > patience;
}

void ilc__engine_await(const ilc__coming *coming)
{
    while (!ilc__tiers_is_here(coming)) ilc__sleep_ms(1);
}

void ilc__tiers_await(ilc__engine *engine, const ilc__cache_key *key)
{
    const ilc__tiers *t = ((ilc__cpu *)engine->own)->tiers;
    const ilc__coming *coming = t ? ilc__map_get(&t->coming, key->text, strlen(key->text)) : NULL;
    if (coming) ilc__engine_await(coming);
}

const ilc__coming *ilc__tiers_coming(ilc__engine *engine, const char *source)
{
    ilc__cpu   *own = engine->own;
    ilc__tiers *t = own->tiers;
    bool        works;
    if (!t || t->alone || (t->asked && !t->works) || ilc__has_line_directives(source)) return NULL;
    if (ilc__cpu_has(engine, source)) return NULL;
    ilc__cache_key key = ilc__cpu_key_of(&engine->scratch, &own->cc, source);
    ilc__coming   *known = ilc__map_get(&t->coming, key.text, strlen(key.text));
    if (known) {
        if (!ilc__tiers_is_here(known)) return known;
        ilc__file_remove(known->failed);
        known->over = true;
        return NULL;
    }
    (void)ilc__tiers_first(engine, &works);
    return works ? begin(engine, t, &key, source) : NULL;
}
