/* text.h - scalars as .NET's invariant culture writes them, and as bits. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <ilcuda/value.h>

enum { TEXT_SIZE = 40 };

/* .NET's shortest text that reads back to the same value: "1E+17", "0.1", "-0", "NaN", "Infinity", "True"; a Char
 * is its code. Returns out. */
char *text_of_scalar(char out[TEXT_SIZE], ilc_storage storage, uint64_t bits);
/* "#3f800000": the value's bits in the width of its storage. Returns out. */
char *text_of_bits(char out[TEXT_SIZE], ilc_storage storage, uint64_t bits);

#endif
