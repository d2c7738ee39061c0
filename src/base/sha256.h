/* sha256.h - SHA-256 (FIPS 180-4): by it debug information names the very text that was compiled. */
#ifndef ILC_BASE_SHA256_H
#define ILC_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { ILC__SHA256_SIZE = 32 };
void ilc__sha256(const void *bytes, size_t size, uint8_t out[ILC__SHA256_SIZE]);

#endif
