/* write.h - the tree as text in the languages that people write: pseudo-code of a method. */
#ifndef ILC_WRITE_WRITE_H
#define ILC_WRITE_WRITE_H

#include "ast/ast.h"

typedef struct ilc__text_options {
    ilc__line_map *map; /* of the whole of out; NULL: none is made */
} ilc__text_options;
/* Pseudo-code of one function in VB's syntax. */
void ilc__write_vb(ilc__context *ctx, const ilc__func *func, const ilc__text_options *options, ilc__text *out);

#endif
