/* cuda.c - the CUDA dialect: __device__ functions, and kernels whose grid strides over every index, so that
 * any extent is right whatever the launch. Flat indices are 64-bit. */
#include "emit/internal.h"

static const char *extent_of(const ilc__entry *entry, uint32_t dim)
{
    for (uint32_t i = 0; i < entry->param_count; i++)
        if (entry->params[i].kind == ILC__KP_EXTENT && entry->params[i].dim == dim) return entry->params[i].name;
    return "1";
}

static const char *const index_names[] = {"il_i", "il_j", "il_k"};
static const char *const elements[] = {"il_i", "il_i * il_nCols + il_j", "(il_i * il_nj + il_j) * il_nk + il_k"};

/* The last index runs along x, the one before along y, the first of three along z. */
static void cuda_entry(ilc__emitter *em, const ilc__entry *entry, const ilc__func_info *root)
{
    uint32_t dims = em->spec->index_count ? em->spec->index_count : 1;
    ilc__out(em, "extern \"C\" __global__ void %s(", entry->name);
    ilc__entry_params(em, entry);
    ilc__out(em, ") {\n");
    for (uint32_t d = 0; d < dims; d++) {
        const char *i = index_names[d];
        char        axis = (char)('x' + (dims - 1 - d));
        int         width = (int)(4 * (d + 1));
        ilc__out(em, "%*sfor (long long %s = (long long)blockIdx.%c * blockDim.%c + threadIdx.%c; %s < %s;\n", width, "", i,
                 axis, axis, axis, i, extent_of(entry, d));
        ilc__out(em, "%*s     %s += (long long)gridDim.%c * blockDim.%c) {\n", width, "", i, axis, axis);
    }
    ilc__entry_element(em, entry, root, index_names, elements[dims - 1], dims + 1);
    for (uint32_t d = dims; d > 0; d--) ilc__out(em, "%*s}\n", (int)(4 * d), "");
    ilc__out(em, "}\n");
}

const ilc__dialect_desc ilc__dialect_cuda = {"__device__ ", "__noinline__ ", "__restrict__ ", cuda_entry};
