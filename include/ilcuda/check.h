/* check.h - does a method do the same everywhere? IL interpreter = tree interpreter = engines, on generated
 * arguments, compared bit by bit (any two NaNs are equal). In another mode than exact, which the IL interpreter has not,
 * tree interpreter = engines; in mode fast it is measured how far they are from mode exact. */
#ifndef ILCUDA_CHECK_H
#define ILCUDA_CHECK_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far the results of mode fast are from those of mode exact. Start with zeros. */
typedef struct ilc_deviation {
    uint64_t values;   /* Singles and Doubles compared                                                            */
    double   absolute; /* the largest difference of two that are finite                                           */
    double   relative; /* the largest to the exact value, where that is not 0                                     */
    uint64_t ulps;     /* the largest in units of the last place                                                  */
    uint64_t unlike;   /* where one alone is NaN or infinite, and integers and exceptions that are others          */
} ilc_deviation;

/* Adds `count` numbers of a scalar storage. Thread-safe where the deviations are different ones. */
ILC_API void ilc_deviation_add(ilc_deviation *deviation, ilc_storage storage, const void *exact, const void *other, int64_t count);

typedef struct ilc_check_options {
    size_t             size;
    ilc_engine *const *engines; /* besides the two interpreters; may be NULL */
    size_t             engine_count;
    uint32_t           rounds;  /* sets of arguments; default 24             */
    uint64_t           seed;    /* default 1                                 */
    uint64_t           fuel;    /* per element; default 1,000,000            */
    const char        *index;   /* as in ilc_kernel_options                  */
    bool               host_libm; /* as in ilc_call_options: differences in the last bits are then expected */
    const char        *mode;    /* as in ilc_kernel_options; NULL: "exact"   */
    const char        *schedule; /* as in ilc_kernel_options; NULL: "auto"   */
} ilc_check_options;

ILC_API void ilc_check_options_init(ilc_check_options *options);

typedef struct ilc_check_result {
    uint32_t rounds;    /* sets compared, on each engine; 0: no answer    */
    uint64_t elements;  /* elements compared, on each engine              */
    uint64_t trapped;   /* elements that raised an exception, everywhere  */
    uint64_t limited;   /* sets left out: fuel ran out, or not independent */
    uint64_t unpromised; /* values that differ and depend on the bits of a NaN that arithmetic made: no difference */
    ilc_deviation deviation; /* mode fast, where nothing is a difference: of all engines from the IL interpreter in mode exact */
    bool     different; /* then the first difference:                     */
    const char *engine;   /* which one disagrees with the IL interpreter; in another mode than exact, with the tree interpreter */
    const char *what;     /* "result", "array y[3]", "exception"              */
    const char *expected; /* of that interpreter: "#3f800000 (1)"             */
    const char *actual;
    const char *arguments; /* in the form of `call`                           */
    int64_t     element;
    uint32_t    line;      /* of the statement that raised, or of the method  */
    const char *source;
} ilc_check_result;

/* ILC_OK (the same where rounds is not 0), ILC_DIFFERENT (result filled, one diagnostic), ILC_UNSUPPORTED, ILC_COMPILER, ILC_DEVICE,
 * ILC_OUT_OF_MEMORY. */
ILC_API ilc_status ilc_check(ilc_check_result *result, ilc_method *method, const ilc_check_options *options);

#ifdef __cplusplus
}
#endif
#endif
