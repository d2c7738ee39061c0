/* tables.c - the tables stream (ECMA-335 II.24.2.6): counts, sizes of columns and rows, access by row and
 * column. What each table holds is in tables.def, coded indices in coded.def. */
#include "meta/image.h"

enum { U2 = 0x80, U4, STRING, GUID, BLOB, CODED_BASE = 0xA0, END = 0xFF };
enum { LARGE_STRING = 1, LARGE_GUID = 2, LARGE_BLOB = 4, EXTRA_DATA = 0x40 };

#define T(table) ILC__T_##table
#define C(coded) CODED_BASE + ILC__CODED_##coded
static const uint8_t layouts[ILC__T_COUNT][ILC__COLUMNS_MAX + 1] = {
#define TABLE(number, name, ...) [number] = {__VA_ARGS__, END},
#include "meta/tables.def"
#undef TABLE
};
#undef T
#undef C

static const char *const names[ILC__T_COUNT] = {
#define TABLE(number, name, ...) [number] = #name,
#include "meta/tables.def"
#undef TABLE
};

enum {
#define TABLE(number, name, ...) T_##name = number,
#include "meta/tables.def"
#undef TABLE
    T_NONE = ILC__T_NONE
};

enum { TAGS_MAX = 32 };
static const uint8_t tag_bits[] = {
#define CODED(name, bits, ...) bits,
#include "meta/coded.def"
#undef CODED
};
static const uint8_t tag_tables[][TAGS_MAX] = {
#define CODED(name, bits, ...) {__VA_ARGS__},
#include "meta/coded.def"
#undef CODED
};
static const uint8_t tag_counts[] = {
#define CODED(name, bits, ...) sizeof((uint8_t[]){__VA_ARGS__}),
#include "meta/coded.def"
#undef CODED
};

const char *ilc__table_name(uint32_t table)
{
    return table < ILC__T_COUNT && names[table] ? names[table] : "?";
}

static unsigned coded_size(const ilc__metadata *md, unsigned coded)
{
    uint32_t most = 0;
    for (unsigned i = 0; i < tag_counts[coded]; i++) {
        unsigned table = tag_tables[coded][i];
        if (table != T_NONE && md->tables[table].range > most) most = md->tables[table].range;
    }
    return most < 1u << (16 - tag_bits[coded]) ? 2 : 4;
}

static unsigned column_size(const ilc__metadata *md, unsigned kind, unsigned heaps)
{
    if (kind == U2) return 2;
    if (kind == U4) return 4;
    if (kind == STRING) return heaps & LARGE_STRING ? 4 : 2;
    if (kind == GUID) return heaps & LARGE_GUID ? 4 : 2;
    if (kind == BLOB) return heaps & LARGE_BLOB ? 4 : 2;
    if (kind >= CODED_BASE) return coded_size(md, kind - CODED_BASE);
    return md->tables[kind].range <= 0xFFFF ? 2 : 4;
}

static void lay_out(ilc__metadata *md, ilc__table *table, const uint8_t *layout, unsigned heaps)
{
    unsigned at = 0;
    for (table->columns = 0; layout[table->columns] != END; table->columns++) {
        unsigned size = column_size(md, layout[table->columns], heaps);
        table->offset[table->columns] = (uint8_t)at;
        table->size[table->columns] = (uint8_t)size;
        at += size;
    }
    table->row_size = (uint16_t)at;
}

/* Portable PDB 1.0, #Pdb stream: id, entry point, which tables of the assembly indices may name, their rows.
 */
static ilc_status read_external_counts(ilc__metadata *md)
{
    ilc__reader r = ilc__reader_of(md->pdb.bytes, md->pdb.size);
    uint64_t    present;
    if (!ilc__skip(&r, 24) || !ilc__read_uint(&r, 8, &present))
        return ilc__metadata_fail(md, md->pdb.bytes, "the #Pdb stream was cut short");
    for (unsigned i = 0; i < 64; i++) {
        if (!(present >> i & 1)) continue;
        if (!ilc__read_u32(&r, &md->tables[i].range))
            return ilc__metadata_fail(md, r.at, "the #Pdb stream was cut short");
    }
    return ILC_OK;
}

static ilc_status read_counts(ilc__metadata *md, ilc__reader *r, uint64_t valid, uint64_t sorted)
{
    for (unsigned i = 0; i < 64; i++) {
        ilc__table *table = &md->tables[i];
        table->sorted = sorted >> i & 1;
        if (!(valid >> i & 1)) continue;
        const uint8_t *at = r->at;
        if (!ilc__read_u32(r, &table->count))
            return ilc__metadata_fail(md, at, "the tables stream was cut short");
        if (layouts[i][1] == 0 && layouts[i][0] == 0)
            return ilc__metadata_fail(md, at, "the tables stream had an unknown table 0x%02x", i);
        /* II.24.2.6: a row number has three bytes in a token. */
        if (table->count > 0xFFFFFF)
            return ilc__metadata_fail(md, at, "table %s had %u rows", names[i], table->count);
        table->range = table->count;
    }
    return ILC_OK;
}

/* Rows of TypeDef own consecutive fields and methods (II.22.37); the owner of a method is found by search. */
static ilc_status check_ascending(const ilc__metadata *md, uint32_t column)
{
    uint32_t last = 0;
    for (uint32_t row = 1; row <= md->tables[ILC__T_TYPEDEF].count; row++) {
        uint32_t first = ilc__table_get(md, ILC__T_TYPEDEF, row, column);
        if (first < last)
            return ilc__row_fail(md, ILC__T_TYPEDEF, row, "its members stood before its predecessor's");
        last = first;
    }
    return ILC_OK;
}

ilc_status ilc__tables_open(ilc__metadata *md, ilc__heap_view stream)
{
    ilc__reader r = ilc__reader_of(stream.bytes, stream.size);
    uint8_t     heaps;
    uint64_t    valid, sorted;
    if (!stream.bytes) return ilc__metadata_fail(md, md->bytes, "the metadata had no tables stream");
    if (!ilc__skip(&r, 6) || !ilc__read_u8(&r, &heaps) || !ilc__skip(&r, 1) ||
        !ilc__read_uint(&r, 8, &valid) || !ilc__read_uint(&r, 8, &sorted))
        return ilc__metadata_fail(md, stream.bytes, "the tables stream was cut short");
    if (md->pdb.bytes) ILC__TRY(read_external_counts(md));
    ILC__TRY(read_counts(md, &r, valid, sorted));
    if (heaps & EXTRA_DATA && !ilc__skip(&r, 4))
        return ilc__metadata_fail(md, stream.bytes, "the tables stream was cut short");
    for (unsigned i = 0; i < ILC__T_COUNT; i++) {
        ilc__table *table = &md->tables[i];
        if (!names[i]) continue;
        lay_out(md, table, layouts[i], heaps);
        table->rows = r.at;
        if (!ilc__skip(&r, (size_t)table->count * table->row_size))
            return ilc__metadata_fail(md, r.at, "table %s with %u rows ran past the end", names[i],
                                      table->count);
    }
    ILC__TRY(check_ascending(md, 4));
    return check_ascending(md, 5);
}

bool ilc__row_exists(const ilc__metadata *md, uint32_t table, uint32_t row)
{
    return table < ILC__T_COUNT && row >= 1 && row <= md->tables[table].count;
}

uint32_t ilc__table_get(const ilc__metadata *md, uint32_t table, uint32_t row, uint32_t column)
{
    if (!ilc__row_exists(md, table, row)) return 0;
    const ilc__table *t = &md->tables[table];
    const uint8_t    *at = t->rows + (size_t)(row - 1) * t->row_size + t->offset[column];
    uint32_t          value = (uint32_t)at[0] | (uint32_t)at[1] << 8;
    if (t->size[column] == 4) value |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return value;
}

uint32_t ilc__coded_token(const ilc__metadata *md, enum ilc__coded coded, uint32_t value)
{
    unsigned bits = tag_bits[coded];
    uint32_t tag = value & ((1u << bits) - 1), row = value >> bits;
    if (tag >= tag_counts[coded]) return 0;
    uint32_t table = tag_tables[coded][tag];
    return ilc__row_exists(md, table, row) ? table << 24 | row : 0;
}

uint32_t ilc__table_token(const ilc__metadata *md, uint32_t table, uint32_t row, uint32_t column,
                          enum ilc__coded coded)
{
    return ilc__coded_token(md, coded, ilc__table_get(md, table, row, column));
}

void ilc__table_list(const ilc__metadata *md, uint32_t table, uint32_t row, uint32_t column, uint32_t target,
                     uint32_t *first, uint32_t *count)
{
    uint32_t all = md->tables[target].count;
    uint32_t start = ilc__table_get(md, table, row, column);
    uint32_t end = row < md->tables[table].count ? ilc__table_get(md, table, row + 1, column) : all + 1;
    if (end > all + 1) end = all + 1;
    if (start == 0 || start > end) start = end;
    *first = start;
    *count = end - start;
}

ilc_status ilc__row_fail(const ilc__metadata *md, uint32_t table, uint32_t row, const char *what)
{
    const void *at = NULL;
    if (ilc__row_exists(md, table, row))
        at = md->tables[table].rows + (size_t)(row - 1) * md->tables[table].row_size;
    return ilc__metadata_fail(md, at, "row %u of table %s was broken: %s", row, ilc__table_name(table), what);
}
