/* planner.c - blocks and grids (planner.h). The fastest index lies on x: i of 1-D, j of 2-D, k of 3-D. */
#include "rt/planner.h"

/* CUDA C++ Programming Guide, technical specifications: the same for every device since compute
 * capability 3.0. */
static const int64_t  grid_max[3] = {2147483647, 65535, 65535};
static const uint32_t side_max[3] = {1024, 1024, 64};

enum { THREADS = 256, FEW_THREADS = 64 };

static uint32_t power_of_two_from(int64_t wanted, uint32_t most)
{
    uint32_t value = 1;
    while (value < most && value < wanted)
        value *= 2;
    return value;
}

static int64_t blocks(int64_t extent, uint32_t threads)
{
    return (extent - 1) / threads + 1;
}

/* shape: extents on x, y, z. */
static void choose_block(const int64_t shape[3], uint32_t dims, uint32_t multiprocessors, uint32_t block_max,
                         uint32_t block[3])
{
    uint32_t threads = THREADS;
    while (threads > 1 && threads > block_max)
        threads /= 2;
    block[0] = block[1] = block[2] = 1;
    if (dims == 1) {
        /* A few long rows: smaller blocks reach more multiprocessors (measured: 0.066 against 0.151 ms). */
        if (threads > FEW_THREADS && blocks(shape[0], threads) < multiprocessors) threads = FEW_THREADS;
        block[0] = threads;
        return;
    }
    /* 16 x 16, or 32 x 4 x 2; narrower where the extent is, so that threads are not idle. */
    block[0] = power_of_two_from(shape[0], dims == 2 ? 16 : 32);
    if (block[0] > threads) block[0] = threads;
    block[1] = dims == 2 ? threads / block[0] : power_of_two_from(shape[1], 4);
    if (dims == 2) return;
    if (block[1] > threads / block[0]) block[1] = threads / block[0];
    block[2] =
        power_of_two_from(shape[2], threads / block[0] / block[1] < 64 ? threads / block[0] / block[1] : 64);
}

/* The caller's block, with what it leaves out as 1. */
static bool take_block(const uint32_t wanted[3], uint32_t block_max, uint32_t block[3])
{
    uint64_t threads = 1;
    for (int a = 0; a < 3; a++) {
        block[a] = wanted[a] ? wanted[a] : 1;
        if (block[a] > side_max[a]) return false;
        threads *= block[a];
    }
    return threads <= block_max;
}

bool ilc__plan_launch(const ilc__launch *launch, uint32_t multiprocessors, uint32_t block_max, ilc__plan *out)
{
    int64_t shape[3] = {1, 1, 1};
    for (uint32_t d = 0; d < launch->dims; d++)
        shape[d] = launch->extents[launch->dims - 1 - d];
    if (launch->grid[0]) {
        memcpy(out->grid, launch->grid, sizeof out->grid);
        return take_block(launch->block, block_max, out->block);
    }
    if (launch->block[0] || launch->block[1] || launch->block[2]) {
        if (!take_block(launch->block, block_max, out->block)) return false;
    } else {
        choose_block(shape, launch->dims, multiprocessors, block_max, out->block);
    }
    for (int a = 0; a < 3; a++) {
        int64_t wanted = blocks(shape[a], out->block[a]);
        out->grid[a] = (uint32_t)(wanted < grid_max[a] ? wanted : grid_max[a]);
    }
    return true;
}
