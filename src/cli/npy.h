/* npy.h - NumPy's .npy files, versions 1 to 3 (numpy.lib.format): dense little-endian numbers in C order.
 *
 * Fortran order is refused, as is everything that is not a number or a Boolean: a matrix is saved in C order by
 * numpy.save(file, numpy.ascontiguousarray(matrix)). */
#ifndef CLI_NPY_H
#define CLI_NPY_H

#include <ilcuda/value.h>
#include <stddef.h>

enum { NPY_MAX_DIMS = 8 };

typedef struct npy_array {
    ilc_storage elem;
    int         dims; /* 0: one number */
    int64_t     shape[NPY_MAX_DIMS];
    int64_t     count;
    const void *data; /* inside the bytes that were parsed; not aligned */
} npy_array;

/* Reads a whole file's bytes. Returns NULL, or what is wrong with them (a text in why). */
const char *npy_parse(const void *bytes, size_t size, npy_array *out, char why[160]);

/* Writes beside path and renames, so that the file is whole or as it was; a link stays, what it points to is
 * replaced. Devices and pipes are written to; "-" is standard output. Returns NULL, or why not. */
const char *npy_write(const char *path, const npy_array *array);

#endif
