/* write.h - the tree as text in the languages that people write (docs/trees.md, Writers). */
#ifndef ILC_WRITE_WRITE_H
#define ILC_WRITE_WRITE_H

#include "ast/ast.h"

typedef enum ilc__language { ILC__LANGUAGE_VB, ILC__LANGUAGE_CS } ilc__language;

/* Functions as pseudo-code, one after the other. What the language cannot say is said in a comment above them. */
void ilc__write_func(ilc__context *ctx, const ilc__func *func, ilc__language language, ilc__text *out);
/* map: of the whole of out; NULL: none is made. */
void ilc__write_tree(ilc__context *ctx, const ilc__unit *unit, ilc__language language, ilc__line_map *map, ilc__text *out);

/* Methods of an assembly as a whole that a compiler takes: they, all that they call, the structs, exceptions and tables
 * that they use, and the helpers. A root that the language cannot say is left out, with a comment that says why. */
typedef struct ilc__write_unit ilc__write_unit;
ilc__write_unit *ilc__write_unit_create(ilc__context *ctx, ilc__arena *arena, ilc__language language);
/* The last function of the tree is the root. */
void             ilc__write_unit_add(ilc__write_unit *unit, const ilc__unit *tree);
void             ilc__write_unit_print(ilc__write_unit *unit, ilc__text *out);
/* After printing: why the root, by its number in the order of adding, is left out; NULL where it is not. */
const char      *ilc__write_unit_refusal(const ilc__write_unit *unit, uint32_t root);

#endif
