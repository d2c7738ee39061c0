/* npy.h - NumPy's .npy files, versions 1 to 3 (numpy.lib.format): dense little-endian numbers in C order, or records of
 * them (structured types, nested ones, too).
 *
 * Fortran order is refused, as is everything that is not a number, a Boolean or a record: a matrix is saved in C order by
 * numpy.save(file, numpy.ascontiguousarray(matrix)). */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include <ilcuda/value.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

enum { NPY_MAX_DIMS = 8, NPY_MAX_LEAVES = 64, NPY_NAME_SIZE = 64 };

/* One number of a record. */
typedef struct npy_leaf {
    char        name[NPY_NAME_SIZE]; /* "Position.X" */
    ilc_storage elem;
    uint32_t    offset;
} npy_leaf;

typedef struct npy_array {
    ilc_storage elem;
    int         dims; /* 0: one number */
    int64_t     shape[NPY_MAX_DIMS];
    int64_t     count;
    const void *data; /* inside the bytes that were parsed; not aligned */
    /* elem ILC_STRUCT: */
    uint32_t          size;       /* of a record, padding included          */
    uint32_t          leaf_count; /* of what was parsed                     */
    npy_leaf          leaves[NPY_MAX_LEAVES];
    const ilc_struct *layout;     /* of what is written                     */
} npy_array;

/* Reads a whole file's bytes. Returns NULL, or what is wrong with them (a text in why). */
const char *npy_parse(const void *bytes, size_t size, npy_array *out, char why[160]);

/* In bytes. */
size_t npy_element_size(const npy_array *array);

/* May numbers of a file, whose types are fewer, stand for the wanted ones? */
bool npy_fits(ilc_storage file, ilc_storage wanted);

/* Does a record hold what the struct does: the same numbers, by name (ignoring case; a tuple's names do not count), at
 * the same offsets? Returns NULL, or what differs, naming the field (a text in why). */
const char *npy_fits_struct(const npy_array *array, const ilc_struct *layout, char why[160]);

/* Writes beside path and renames, so that the file is whole or as it was; a link stays, what it points to is
 * replaced. Devices and pipes are written to; "-" is standard output. Returns NULL, or why not. */
const char *npy_write(const char *path, const npy_array *array);

#endif
