/* api.c - the public calls, each behind the landing pad for out-of-memory. */
#include "base/diag.h"

typedef int ilc__api_placeholder;
