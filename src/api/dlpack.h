/* dlpack.h - the structures of DLPack, by their published interface (github.com/dmlc/dlpack, version 0.x, "unversioned"). Private to
 * src/api: callers may have the real header beside ours, which names them only. */
#ifndef ILC_API_DLPACK_H
#define ILC_API_DLPACK_H

#include <stdint.h>

enum { DL_CPU = 1, DL_CUDA = 2, DL_CUDA_HOST = 3, DL_CUDA_MANAGED = 13 };   /* DLDeviceType   */
enum { DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BOOL = 6 };                /* DLDataTypeCode */

typedef struct DLTensor {
    void *data;
    struct {
        int32_t type, id;
    } device;
    int32_t ndim;
    struct {
        uint8_t  code, bits;
        uint16_t lanes;
    } dtype;
    int64_t *shape, *strides; /* in elements; NULL: row after row */
    uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void    *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

#endif
