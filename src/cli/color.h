/* color.h - listings in colour, for terminals. */
#ifndef CLI_COLOR_H
#define CLI_COLOR_H

#include <stdbool.h>
#include <stdio.h>

typedef struct color_language color_language;
/* "vb", "cs", "cuda", "c", "il", "ir", "ptx"; NULL for another. */
const color_language *color_language_named(const char *name);

/* What --color says: "always", "never", or "auto" (also NULL): on a terminal, unless NO_COLOR or TERM=dumb. */
bool color_wanted(const char *choice);

/* One line without its end, its keywords, literals and comments in colour. Without the escapes the bytes are the same. */
void color_line(FILE *out, const color_language *language, const char *line, size_t length);
/* The same of what --passes prints: headings, and lines that go and come. */
void color_passes_line(FILE *out, const char *line, size_t length);
/* Text in the colour of what stands beside: a margin. */
void color_faint(FILE *out, const char *text);

#endif
