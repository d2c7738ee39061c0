/* line_map.c - rows of a line map (line_map.h). */
#include "meta/line_map.h"

void ilc__line_map_add(ilc__line_map *map, uint32_t line, const ilc__method *method, uint32_t il)
{
    ilc__line   row = {.line = line, .il = il, .method = method};
    ilc__point  point = {0};
    bool        known = method && ilc__debug_point_at(method, il, &point);
    uint32_t    first = map->count;
    while (first > 0 && map->items[first - 1].line == line) first--;
    for (uint32_t i = first; i < map->count; i++) {
        const ilc__line *other = &map->items[i];
        bool same = other->method == method && (known ? other->il >= point.il && other->il < point.end : other->file == NULL);
        if (same) return;
    }
    row.source = point.line;
    row.file = point.document;
    ILC__PUSH(map->arena, map, row);
}
