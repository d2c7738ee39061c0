/* cuda.c - the CUDA engine. */
#include "rt/engine.h"

static void cuda_destroy(ilc__engine *engine)
{
    (void)engine;
}

ilc_status ilc__cuda_create(ilc__engine *engine)
{
    return ilc__fail(engine->ctx, ILC_NO_ENGINE, NULL, "the CUDA driver was not found");
}

const ilc__engine_ops ilc__cuda_ops = {.unwind = cuda_destroy, .destroy = cuda_destroy};
