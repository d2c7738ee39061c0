/* planner.h - inside rt: how many blocks of how many threads a launch takes. */
#ifndef ILC_RT_PLANNER_H
#define ILC_RT_PLANNER_H

#include "rt/rt.h"

typedef struct ilc__plan {
    uint32_t grid[3], block[3]; /* x, y, z */
} ilc__plan;

/* Extents must be positive. block_max: threads a block may have for this kernel on this device. Extents that
 * a grid cannot reach are left to the kernel's strides. False if launch->block is more than the device takes.
 */
bool ilc__plan_launch(const ilc__launch *launch, uint32_t multiprocessors, uint32_t block_max,
                      ilc__plan *out);

#endif
