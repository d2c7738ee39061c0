/* npy.c - .npy files (npy.h). */
#include "npy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "platform.h"

static const struct {
    const char *code;
    ilc_storage elem;
} types[] = {
    {"b1", ILC_BOOL}, {"i1", ILC_I8},  {"u1", ILC_U8},  {"i2", ILC_I16}, {"u2", ILC_U16}, {"i4", ILC_I32},
    {"u4", ILC_U32},  {"i8", ILC_I64}, {"u8", ILC_U64}, {"f4", ILC_F32}, {"f8", ILC_F64},
};

/* --- the header: a Python dictionary literal of three entries ------------------------------------------------------ */

typedef struct cursor {
    const char *at, *end;
    char       *why;
} cursor;

enum { WHY_SIZE = 160 };

static const char *wrong(cursor *c, const char *what)
{
    snprintf(c->why, WHY_SIZE, "%s", what);
    return c->why;
}

static void skip_space(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t' || *c->at == '\r')) c->at++;
}

static bool take(cursor *c, char wanted)
{
    skip_space(c);
    if (c->at >= c->end || *c->at != wanted) return false;
    c->at++;
    return true;
}

/* A quoted word without escapes, as NumPy writes them. */
static bool take_word(cursor *c, char *out, size_t size)
{
    skip_space(c);
    if (c->at >= c->end || (*c->at != '\'' && *c->at != '"')) return false;
    char   quote = *c->at++;
    size_t length = 0;
    while (c->at < c->end && *c->at != quote) {
        if (length + 1 >= size || *c->at == '\\') return false;
        out[length++] = *c->at++;
    }
    if (c->at >= c->end) return false;
    c->at++;
    out[length] = 0;
    return true;
}

static bool take_name(cursor *c, const char *name)
{
    size_t length = strlen(name);
    skip_space(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, name, length) != 0) return false;
    c->at += length;
    return true;
}

static bool take_number(cursor *c, int64_t *out)
{
    skip_space(c);
    int64_t value = 0;
    bool    any = false;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++, any = true) {
        if (value > (INT64_MAX - 9) / 10) return false;
        value = value * 10 + (*c->at - '0');
    }
    *out = value;
    return any;
}

static const char *number_type(cursor *c, const char *word, ilc_storage *out)
{
    if (word[0] == '>' && word[2] != '1') return wrong(c, "its numbers are big-endian");
    if (!word[0] || !strchr("<=|>", word[0])) return wrong(c, "its element type is not readable");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(word + 1, types[i].code) != 0) continue;
        *out = types[i].elem;
        return NULL;
    }
    snprintf(c->why, WHY_SIZE, "elements of type %s are not supported", word);
    return c->why;
}

enum { MOST_NESTING = 16, MOST_RECORD = 1 << 16 };

/* "|V7": bytes between fields, without a name. */
static bool is_padding(const char *name, const char *word, uint32_t *size)
{
    char *end;
    if (*name || word[0] != '|' || word[1] != 'V' || word[2] < '1' || word[2] > '9') return false;
    unsigned long bytes = strtoul(word + 2, &end, 10);
    *size = bytes < MOST_RECORD ? (uint32_t)bytes : MOST_RECORD;
    return *end == 0;
}

static const char *read_record(cursor *c, npy_array *out, const char *prefix, unsigned depth);

/* The type behind a field's name: a number's, padding, or a record in the record. */
static const char *read_field(cursor *c, npy_array *out, const char *prefix, unsigned depth)
{
    char        word[16], name[NPY_NAME_SIZE], whole[NPY_NAME_SIZE];
    uint32_t    size;
    ilc_storage elem;
    if (!take(c, '(') || !take_word(c, name, sizeof name) || !take(c, ',')) return wrong(c, "its records are not readable");
    int length = snprintf(whole, sizeof whole, "%s%s%s", prefix, *prefix ? "." : "", name);
    if (length < 0 || (size_t)length >= sizeof whole) return wrong(c, "its records have names that are too long");
    if (take(c, '[')) {
        const char *why = read_record(c, out, whole, depth + 1);
        if (why) return why;
    } else if (!take_word(c, word, sizeof word)) {
        return wrong(c, "its records are not readable");
    } else if (is_padding(name, word, &size)) {
        out->size += size;
    } else {
        const char *why = number_type(c, word, &elem);
        if (why) return why;
        if (out->leaf_count == NPY_MAX_LEAVES) return wrong(c, "its records have too many fields");
        npy_leaf *leaf = &out->leaves[out->leaf_count++];
        snprintf(leaf->name, sizeof leaf->name, "%s", whole);
        leaf->elem = elem;
        leaf->offset = out->size;
        out->size += ilc_storage_size(elem);
    }
    if (out->size > MOST_RECORD) return wrong(c, "its records are too large");
    if (take(c, ')')) return NULL;
    return wrong(c, take(c, ',') && take(c, '(') ? "its records have fields that are arrays" : "its records are not readable");
}

/* Behind its '['. */
static const char *read_record(cursor *c, npy_array *out, const char *prefix, unsigned depth)
{
    if (depth > MOST_NESTING) return wrong(c, "its records are nested too deep");
    while (!take(c, ']')) {
        const char *why = read_field(c, out, prefix, depth);
        if (why) return why;
        if (!take(c, ',')) return take(c, ']') ? NULL : wrong(c, "its records are not readable");
    }
    return NULL;
}

static const char *read_descr(cursor *c, npy_array *out)
{
    char word[16] = "";
    if (take(c, '[')) {
        out->elem = ILC_STRUCT;
        const char *why = read_record(c, out, "", 1);
        return why || out->size ? why : wrong(c, "its records are empty");
    }
    if (!take_word(c, word, sizeof word)) return wrong(c, "its elements are objects, not numbers");
    return number_type(c, word, &out->elem);
}

static const char *read_shape(cursor *c, npy_array *out)
{
    if (!take(c, '(')) return wrong(c, "its shape is not readable");
    out->count = 1;
    while (!take(c, ')')) {
        int64_t extent;
        if (out->dims == NPY_MAX_DIMS) return wrong(c, "it has too many dimensions");
        if (!take_number(c, &extent)) return wrong(c, "its shape is not readable");
        if (extent && out->count > INT64_MAX / (2 * MOST_RECORD) / extent) return wrong(c, "its shape is too large");
        out->count *= extent;
        out->shape[out->dims++] = extent;
        if (!take(c, ',')) {
            if (!take(c, ')')) return wrong(c, "its shape is not readable");
            break;
        }
    }
    return NULL;
}

static const char *read_entry(cursor *c, npy_array *out, unsigned *seen, bool *fortran)
{
    enum { DESCR = 1, ORDER = 2, SHAPE = 4 };
    char     key[32];
    unsigned which;
    if (!take_word(c, key, sizeof key) || !take(c, ':')) return wrong(c, "its header is not readable");
    which = strcmp(key, "descr") == 0 ? DESCR : strcmp(key, "fortran_order") == 0 ? ORDER : strcmp(key, "shape") == 0 ? SHAPE : 0;
    if (!which || (*seen & which)) return wrong(c, "its header has an entry that is unknown or there twice");
    *seen |= which;
    if (which == DESCR) return read_descr(c, out);
    if (which == SHAPE) return read_shape(c, out);
    *fortran = take_name(c, "True");
    return *fortran || take_name(c, "False") ? NULL : wrong(c, "its header is not readable");
}

static const char *read_header(cursor *c, npy_array *out)
{
    unsigned    seen = 0;
    bool        fortran = false;
    const char *why;
    if (!take(c, '{')) return wrong(c, "its header is not readable");
    while (!take(c, '}')) {
        if ((why = read_entry(c, out, &seen, &fortran))) return why;
        if (!take(c, ',')) {
            if (!take(c, '}')) return wrong(c, "its header is not readable");
            break;
        }
    }
    skip_space(c);
    if (c->at < c->end || seen != 7) return wrong(c, "its header is not readable");
    /* In one dimension both orders are the same. */
    if (fortran && out->dims > 1) return wrong(c, "it is in Fortran order; save numpy.ascontiguousarray(..) of it");
    return NULL;
}

size_t npy_element_size(const npy_array *array)
{
    if (array->layout) return ilc_struct_size(array->layout);
    return array->elem == ILC_STRUCT ? array->size : ilc_storage_size(array->elem);
}

const char *npy_parse(const void *bytes, size_t size, npy_array *out, char why[WHY_SIZE])
{
    const uint8_t *b = bytes;
    cursor         c = {.why = why};
    *out = (npy_array){.elem = ILC_VOID};
    if (size < 10 || memcmp(b, "\x93NUMPY", 6) != 0) return wrong(&c, "it is not a .npy file");
    if (b[6] < 1 || b[6] > 3) return wrong(&c, "its version of .npy is not known");
    size_t prefix = b[6] == 1 ? 10 : 12;
    if (size < prefix) return wrong(&c, "it is cut short");
    size_t length = (size_t)b[8] | (size_t)b[9] << 8;
    if (b[6] > 1) length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    if (size - prefix < length) return wrong(&c, "it is cut short");
    c.at = (const char *)b + prefix;
    c.end = c.at + length;
    const char *reason = read_header(&c, out);
    if (reason) return reason;
    out->data = b + prefix + length;
    uint64_t wanted = (uint64_t)out->count * npy_element_size(out), there = size - prefix - length;
    if (wanted == there) return NULL;
    snprintf(why, WHY_SIZE, "it holds %llu bytes of data, its shape needs %llu", (unsigned long long)there,
             (unsigned long long)wanted);
    return why;
}

/* --- records and structs --- */

typedef struct matcher {
    const npy_array *array;
    bool             seen[NPY_MAX_LEAVES];
    char            *why;
} matcher;

bool npy_fits(ilc_storage file, ilc_storage wanted)
{
    return file == wanted || (file == ILC_U16 && wanted == ILC_CHAR) || (file == ILC_I64 && wanted == ILC_INT) ||
           (file == ILC_U64 && wanted == ILC_UINT) || (file == ILC_U8 && wanted == ILC_BOOL);
}

static bool find_leaf(matcher *m, const char *name, bool any_name, const ilc_field *field, uint32_t offset)
{
    for (uint32_t i = 0; i < m->array->leaf_count; i++) {
        const npy_leaf *leaf = &m->array->leaves[i];
        if (m->seen[i] || leaf->offset != offset || (!any_name && strcasecmp(leaf->name, name) != 0)) continue;
        m->seen[i] = npy_fits(leaf->elem, field->storage);
        return m->seen[i];
    }
    return false;
}

static bool match_struct(matcher *m, const ilc_struct *layout, const char *prefix, bool any_name, uint32_t base)
{
    ilc_field field;
    any_name = any_name || strncmp(ilc_struct_name(layout), "System.ValueTuple`", 18) == 0;
    for (uint32_t i = 0; ilc_struct_field(&field, layout, i) == ILC_OK; i++) {
        char name[2 * NPY_NAME_SIZE];
        snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "", field.name);
        uint32_t offset = base + field.offset;
        if (field.layout ? match_struct(m, field.layout, name, any_name, offset) : find_leaf(m, name, any_name, &field, offset))
            continue;
        if (!*m->why)
            snprintf(m->why, WHY_SIZE, "%.60s is %s at byte %u of %.50s", name, ilc_storage_name(field.storage), offset,
                     ilc_struct_name(layout));
        return false;
    }
    return true;
}

const char *npy_fits_struct(const npy_array *array, const ilc_struct *layout, char why[WHY_SIZE])
{
    matcher m = {.array = array, .why = why};
    *why = 0;
    if (!match_struct(&m, layout, "", false, 0)) return why;
    for (uint32_t i = 0; i < array->leaf_count; i++) {
        if (m.seen[i]) continue;
        snprintf(why, WHY_SIZE, "%.60s has no field %s", ilc_struct_name(layout), array->leaves[i].name);
        return why;
    }
    if (array->size == ilc_struct_size(layout)) return NULL;
    snprintf(why, WHY_SIZE, "records take %u bytes, %.60s takes %u", array->size, ilc_struct_name(layout), ilc_struct_size(layout));
    return why;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static const char *type_code(ilc_storage elem)
{
    switch (elem) {
    case ILC_CHAR: return "u2";
    case ILC_INT: return "i8";
    case ILC_UINT: return "u8";
    default: break;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].elem == elem) return types[i].code;
    return NULL;
}

static void put_number(FILE *out, ilc_storage elem)
{
    fprintf(out, "'%c%s'", ilc_storage_size(elem) == 1 ? '|' : '<', type_code(elem));
}

static void put_padding(FILE *out, const char **comma, uint32_t bytes)
{
    if (!bytes) return;
    fprintf(out, "%s('', '|V%u')", *comma, bytes);
    *comma = ", ";
}

/* The field that lies next from `at` on; false: none. */
static bool next_field(const ilc_struct *layout, uint32_t at, ilc_field *out)
{
    bool      found = false;
    ilc_field field;
    for (uint32_t i = 0; ilc_struct_field(&field, layout, i) == ILC_OK; i++) {
        if (field.offset < at || (found && field.offset >= out->offset)) continue;
        *out = field;
        found = true;
    }
    return found;
}

/* As NumPy writes a structured type: the fields as they lie, what is between them as bytes without a name. */
static void put_record(FILE *out, const ilc_struct *layout)
{
    uint32_t    at = 0;
    const char *comma = "";
    ilc_field   field;
    putc('[', out);
    while (next_field(layout, at, &field)) {
        put_padding(out, &comma, field.offset - at);
        fprintf(out, "%s('%s', ", comma, field.name);
        comma = ", ";
        if (field.layout) put_record(out, field.layout); /* 16 deep at most */
        else put_number(out, field.storage);
        putc(')', out);
        at = field.offset + (field.layout ? ilc_struct_size(field.layout) : ilc_storage_size(field.storage));
    }
    put_padding(out, &comma, ilc_struct_size(layout) - at);
    putc(']', out);
}

/* Version 1, or 2 where that is too short, padded with spaces so that the data begins at a multiple of 64. */
static bool write_header(FILE *file, const npy_array *array)
{
    platform_memory memory;
    if (!platform_memory_open(&memory)) return false;
    FILE *out = memory.file;
    fputs("{'descr': ", out);
    if (array->layout) put_record(out, array->layout);
    else put_number(out, array->elem);
    fputs(", 'fortran_order': False, 'shape': (", out);
    for (int k = 0; k < array->dims; k++) fprintf(out, "%s%lld", k ? ", " : "", (long long)array->shape[k]);
    fputs(array->dims == 1 ? ",), }" : "), }", out);
    size_t length = (size_t)ftell(out), prefix = length > 60000 ? 12 : 10;
    for (; (prefix + length + 1) % 64; length++) putc(' ', out);
    putc('\n', out);
    length++;
    bool made = platform_memory_close(&memory) && memory.size == length;
    unsigned char head[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', prefix == 12 ? 2 : 1, 0};
    for (size_t i = 8; i < prefix; i++) head[i] = (unsigned char)(length >> 8 * (i - 8));
    bool done = made && fwrite(head, 1, prefix, file) == prefix && fwrite(memory.text, 1, length, file) == length;
    free(memory.text);
    return done;
}

static bool write_all(FILE *file, const npy_array *array)
{
    size_t bytes = (size_t)array->count * npy_element_size(array);
    bool   done = write_header(file, array) && (bytes == 0 || fwrite(array->data, 1, bytes, file) == bytes);
    return fflush(file) == 0 && done;
}

const char *npy_write(const char *path, const npy_array *array)
{
    platform_output out;
    if (strcmp(path, "-") == 0) return write_all(stdout, array) ? NULL : strerror(errno);
    const char *why = platform_output_open(&out, path);
    return why ? why : platform_output_close(&out, write_all(out.file, array));
}
