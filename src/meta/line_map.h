/* line_map.h - the lines of a text that was made from methods, and where each came from. Made only for who asks. */
#ifndef ILC_META_LINE_MAP_H
#define ILC_META_LINE_MAP_H

#include "meta/meta.h"

/* One line may hold several places, such as a loop's start and step: its rows stand side by side, the main one first. */
typedef struct ilc__line {
    uint32_t           line; /* of the text, from 1                        */
    uint32_t           il;   /* offset in method                           */
    uint32_t           source;
    const char        *file; /* line and document; 0, NULL: not known      */
    const ilc__method *method; /* NULL in a tree that a test made          */
} ilc__line;

typedef struct ilc__line_map {
    ilc__arena *arena;
    ilc__line  *items; /* by line */
    uint32_t    count, capacity;
} ilc__line_map;

/* Adds a place of the line, which is the last so far or one behind it; of one sequence point the first offset stays. */
void ilc__line_map_add(ilc__line_map *map, uint32_t line, const ilc__method *method, uint32_t il);

#endif
