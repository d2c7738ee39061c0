/* tables.h - metadata as heaps and tables (ECMA-335 II.24.2, II.22): bounded access by table, row, column.
 * Private to meta. The same for an assembly and for a portable PDB. */
#ifndef ILC_META_TABLES_H
#define ILC_META_TABLES_H

#include "base/diag.h"
#include "base/reader.h"

enum {
#define TABLE(number, name, ...) ILC__T_##name = number,
#include "meta/tables.def"
#undef TABLE
    ILC__T_NONE = 0x3e,
    ILC__T_COUNT = 0x40
};

enum ilc__coded {
#define CODED(name, bits, ...) ILC__CODED_##name,
#include "meta/coded.def"
#undef CODED
    ILC__CODED_COUNT
};

enum { ILC__COLUMNS_MAX = 9, ILC__NAME_MAX = 1023 /* as MAX_CLASSNAME_LENGTH of the runtime */ };

typedef struct ilc__table {
    const uint8_t *rows;
    uint32_t       count; /* of rows here                                                  */
    uint32_t       range; /* rows that an index may name: in a PDB also the assembly's     */
    uint16_t       row_size;
    bool           sorted;
    uint8_t        columns, offset[ILC__COLUMNS_MAX], size[ILC__COLUMNS_MAX];
} ilc__table;

typedef struct ilc__heap_view {
    const uint8_t *bytes;
    size_t         size;
} ilc__heap_view;

typedef struct ilc__metadata {
    ilc__context  *ctx;
    const char    *path;  /* in diagnostics                       */
    const uint8_t *file;  /* where byte offsets count from        */
    const uint8_t *bytes; /* the metadata root                    */
    size_t         size;
    ilc__heap_view strings, blob, guid, us, pdb;
    bool           uncompressed; /* the #- stream                 */
    ilc__table     tables[ILC__T_COUNT];
} ilc__metadata;

/* II.24.2.1. quiet: no diagnostic (debug information that is broken counts as absent). */
ilc_status ilc__metadata_open(ilc__metadata *md, bool quiet);
ilc_status ilc__metadata_fail(const ilc__metadata *md, const void *at, const char *format, ...)
    ILC__PRINTF(3, 4);
/* "TypeDef row 7: ..." */
ilc_status  ilc__row_fail(const ilc__metadata *md, uint32_t table, uint32_t row, const char *what);
const char *ilc__table_name(uint32_t table);

/* A column's number; 0 when there is no such row. */
uint32_t ilc__table_get(const ilc__metadata *md, uint32_t table, uint32_t row, uint32_t column);
/* A coded index as a token (table << 24 | row); 0 when its tag or row does not exist. */
uint32_t ilc__table_token(const ilc__metadata *md, uint32_t table, uint32_t row, uint32_t column,
                          enum ilc__coded coded);
/* The same from the number: as it stands in signatures (II.23.2.8). */
uint32_t ilc__coded_token(const ilc__metadata *md, enum ilc__coded coded, uint32_t value);
bool     ilc__row_exists(const ilc__metadata *md, uint32_t table, uint32_t row);
/* The list that starts at the row's column and ends where the next row's starts: first and count, clipped. */
void ilc__table_list(const ilc__metadata *md, uint32_t table, uint32_t row, uint32_t column, uint32_t target,
                     uint32_t *first, uint32_t *count);

/* NULL when the index lies outside the heap or the name is longer than ILC__NAME_MAX. */
const char    *ilc__heap_string(const ilc__metadata *md, uint32_t index);
bool           ilc__heap_blob(const ilc__metadata *md, uint32_t index, ilc__reader *out);
bool           ilc__heap_user_string(const ilc__metadata *md, uint32_t index, ilc__reader *out);
const uint8_t *ilc__heap_guid(const ilc__metadata *md, uint32_t index); /* 16 bytes or NULL */

#endif
