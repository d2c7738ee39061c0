/* keep.c - an emitted kernel into an arena of its own: what it was made with is many times as large. */
#include "emit/rows.h"

typedef struct keeper {
    ilc__arena *arena;
    ilc__map    texts; /* each once */
} keeper;

static const char *keep_text(keeper *k, const char *text)
{
    if (!text) return NULL;
    size_t      length = strlen(text);
    const char *kept = ilc__map_get(&k->texts, text, length);
    if (kept) return kept;
    char *copy = ilc__arena_strndup(k->arena, text, length);
    ilc__map_put(&k->texts, text, length, copy);
    return copy;
}

static ilc__entry keep_entry(keeper *k, const ilc__entry *from)
{
    ilc__entry to = {keep_text(k, from->name), from->param_count, NULL};
    to.params = ilc__arena_copy(k->arena, from->params, from->param_count * sizeof *from->params);
    for (uint32_t i = 0; i < to.param_count; i++)
        to.params[i].name = keep_text(k, to.params[i].name);
    return to;
}

void ilc__kernel_keep(ilc__arena *arena, ilc__arena *scratch, const ilc__kernel *from, ilc__kernel *out)
{
    keeper   k = {arena, {.arena = scratch}};
    uint32_t params = from->unit->funcs.items[from->unit->funcs.count - 1]->param_count;
    *out = *from;
    out->device_name = keep_text(&k, from->device_name);
    out->guarded = keep_entry(&k, &from->guarded);
    out->checked = keep_entry(&k, &from->checked);
    out->tile.entry = keep_entry(&k, &from->tile.entry);
    ilc__tile_load *loads = ilc__arena_copy(arena, from->tile.loads, from->tile.load_count * sizeof *from->tile.loads);
    for (uint32_t i = 0; i < from->tile.load_count; i++) loads[i].name = NULL;
    out->tile.loads = loads;
    if (from->tile.rows) out->tile.rows = ilc__arena_copy(arena, from->tile.rows, sizeof *from->tile.rows);
    if (from->tile.first) out->tile.first = ilc__arena_copy(arena, from->tile.first, sizeof *from->tile.first);
    if (from->tile.turns) out->tile.turns = ilc__arena_copy(arena, from->tile.turns, sizeof *from->tile.turns);
    out->source = ilc__arena_strdup(arena, from->source);
    ilc__site *sites = ilc__arena_copy(arena, from->sites, from->site_count * sizeof *from->sites);
    for (uint32_t i = 0; i < from->site_count; i++) {
        sites[i].exception = keep_text(&k, sites[i].exception);
        sites[i].message = keep_text(&k, sites[i].message);
    }
    out->sites = sites;
    ilc__note *notes = ilc__arena_copy(arena, from->notes, from->note_count * sizeof *from->notes);
    for (uint32_t i = 0; i < from->note_count; i++) notes[i].text = keep_text(&k, notes[i].text);
    out->notes = notes;
    out->lines = from->line_count ? ilc__arena_copy(arena, from->lines, from->line_count * sizeof *from->lines) : NULL;
    out->reads = ilc__arena_copy(arena, from->reads, params * sizeof *from->reads);
    out->writes = ilc__arena_copy(arena, from->writes, params * sizeof *from->writes);
}
