/* pdb.h - what the files that read debug information share: the tables of one portable PDB. Private to src/meta. */
#ifndef ILC_META_PDB_H
#define ILC_META_PDB_H

#include "meta/image.h"

enum { ILC__DOCUMENT_NAME, ILC__DOCUMENT_HASH_KIND, ILC__DOCUMENT_HASH };

typedef struct ilc__pdb_point {
    uint32_t il, line, last_line, column, document;
} ilc__pdb_point;

typedef struct ilc__points {
    uint32_t        count;
    ilc__pdb_point *items; /* hidden ones are left out */
} ilc__points;

struct ilc__pdb {
    ilc__image    *image;
    ilc__file      file;
    ilc__metadata  md;
    ilc__row_index scopes;
    ilc__points  **points;    /* by MethodDef row */
    const char   **documents; /* by Document row  */
    struct ilc__source **sources; /* by Document row (source.c) */
};

/* Raw deflate of a declared size. */
bool ilc__pdb_inflate(ilc__arena *arena, ilc__reader data, uint32_t declared, const uint8_t **bytes, size_t *size);

#endif
