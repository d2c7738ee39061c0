/* npy.c - .npy files (npy.h). */
#include "npy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

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

static const char *read_descr(cursor *c, npy_array *out)
{
    char word[16] = "";
    if (!take_word(c, word, sizeof word)) return wrong(c, "its elements are records or objects, not numbers");
    if (word[0] == '>' && word[2] != '1') return wrong(c, "its numbers are big-endian");
    if (!word[0] || !strchr("<=|>", word[0])) return wrong(c, "its element type is not readable");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(word + 1, types[i].code) != 0) continue;
        out->elem = types[i].elem;
        return NULL;
    }
    snprintf(c->why, WHY_SIZE, "elements of type %s are not supported", word);
    return c->why;
}

static const char *read_shape(cursor *c, npy_array *out)
{
    if (!take(c, '(')) return wrong(c, "its shape is not readable");
    out->count = 1;
    while (!take(c, ')')) {
        int64_t extent;
        if (out->dims == NPY_MAX_DIMS) return wrong(c, "it has too many dimensions");
        if (!take_number(c, &extent)) return wrong(c, "its shape is not readable");
        if (extent && out->count > INT64_MAX / 16 / extent) return wrong(c, "its shape is too large");
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
    uint64_t wanted = (uint64_t)out->count * ilc_storage_size(out->elem), there = size - prefix - length;
    if (wanted == there) return NULL;
    snprintf(why, WHY_SIZE, "it holds %llu bytes of data, its shape needs %llu", (unsigned long long)there,
             (unsigned long long)wanted);
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

/* Version 1, padded with spaces so that the data begins at a multiple of 64. */
static size_t make_header(char *out, size_t size, const npy_array *array)
{
    const char *code = type_code(array->elem);
    size_t      at = 10;
    at += (size_t)snprintf(out + at, size - at, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                           ilc_storage_size(array->elem) == 1 ? '|' : '<', code);
    for (int k = 0; k < array->dims; k++)
        at += (size_t)snprintf(out + at, size - at, "%s%lld", k ? ", " : "", (long long)array->shape[k]);
    at += (size_t)snprintf(out + at, size - at, array->dims == 1 ? ",), }" : "), }");
    while ((at + 1) % 64) out[at++] = ' ';
    out[at++] = '\n';
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (char)((at - 10) & 0xFF);
    out[9] = (char)((at - 10) >> 8);
    return at;
}

static bool write_all(FILE *file, const npy_array *array)
{
    char   header[512];
    size_t length = make_header(header, sizeof header, array);
    size_t bytes = (size_t)array->count * ilc_storage_size(array->elem);
    bool   done = fwrite(header, 1, length, file) == length && (bytes == 0 || fwrite(array->data, 1, bytes, file) == bytes);
    return fflush(file) == 0 && done;
}

/* A device or a pipe cannot be replaced by renaming, only written to. */
static bool write_through(const char *path, const npy_array *array)
{
    int   fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!file) return false;
    bool done = write_all(file, array);
    int  saved = errno;
    if (fclose(file) != 0) return false;
    errno = saved;
    return done;
}

static bool write_beside(const char *target, mode_t mode, const npy_array *array)
{
    char *beside = must_format("%s.%ld.tmp", target, (long)getpid());
    int   fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    bool  done = file != NULL;
    if (file) {
        interrupt_removes(beside);
        done = write_all(file, array);
        int saved = errno;
        if (fclose(file) != 0)
            done = false;
        else
            errno = saved;
        if (done) done = rename(beside, target) == 0;
        if (!done) {
            saved = errno;
            unlink(beside);
            errno = saved;
        }
        interrupt_removes(NULL);
    }
    free(beside);
    return done;
}

/* A link stays: what it points to is replaced, or made where it is not there yet. */
static bool replace_target(const char *path, bool there, mode_t mode, const npy_array *array)
{
    struct stat link;
    bool        made = false;
    if (!there && lstat(path, &link) == 0) {
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
        if (fd < 0) return false;
        close(fd);
        made = true;
    }
    char *real = realpath(path, NULL);
    bool  done = write_beside(real ? real : path, mode, array);
    int   saved = errno;
    if (made && !done && real) unlink(real);
    free(real);
    errno = saved;
    return done;
}

const char *npy_write(const char *path, const npy_array *array)
{
    struct stat info;
    bool        done;
    if (strcmp(path, "-") == 0) return write_all(stdout, array) ? NULL : strerror(errno);
    bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode)) return strerror(EISDIR);
    if (there && !S_ISREG(info.st_mode))
        done = write_through(path, array);
    else
        done = replace_target(path, there, there ? info.st_mode & 0777 : 0666, array);
    return done ? NULL : strerror(errno ? errno : EIO);
}
