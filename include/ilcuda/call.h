/* call.h - one call of a method, as in a debugger. */
#ifndef ILCUDA_CALL_H
#define ILCUDA_CALL_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ilc_call_options {
    size_t      size;
    ilc_engine *engine; /* NULL: the IL interpreter. Compiled engines run the method as a kernel of one element  */
    uint64_t    fuel;   /* IL instructions or tree nodes; 0: no limit. Compiled engines have none                */
    /* Called before each instruction by the IL interpreter; NULL. */
    void (*trace)(void *user, const char *line);
    void *trace_user;
    /* The IL interpreter asks the C library for exp, sin, pow and their kind, as CoreCLR does on Linux, instead of
     * the functions that every engine has in common (docs/functions.md). */
    bool host_libm;
    ilc_body_choice body; /* compiled engines: AUTO takes the guarded body where the guard holds */
    bool unchecked;       /* compiled engines: no tests for overflow, bounds and null, as of a kernel without checks */
    const char *mode;     /* as in ilc_kernel_options; NULL: "exact", the only one of the IL interpreter         */
} ilc_call_options;

ILC_API void ilc_call_options_init(ilc_call_options *options);

/* Calls the method with arguments in the order of its parameters. Arrays are changed in place; two values that
 * point to one ilc_array are one object. An exception of the method is an outcome, not a failure.
 * ILC_OK, ILC_INVALID (arguments do not fit the parameters), ILC_UNSUPPORTED, ILC_LIMIT (fuel, or
 * ilc_session_stop), ILC_COMPILER, ILC_DEVICE, ILC_OUT_OF_MEMORY. Strings in *out live as long as the session. */
ILC_API ilc_status ilc_call(ilc_outcome *out, ilc_method *method, const ilc_value *args, size_t arg_count,
                    const ilc_call_options *options);

/* Compiles many methods for calls with these options at once, which is much faster than one by one. Methods that cannot
 * be compiled are passed over: their call says why. Does nothing for interpreters. */
ILC_API ilc_status ilc_call_prepare(ilc_method *const *methods, size_t count, const ilc_call_options *options);

#ifdef __cplusplus
}
#endif
#endif
